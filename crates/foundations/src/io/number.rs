use std::fmt::Display;

use half::{bf16, f16};
use serde::{Deserialize, Serialize};

/// The numbers an array is made of. What they become, `f32` or `f64`, is its reader's choice: exactly where that type has
/// them, else rounded to nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the names say it
pub enum DType {
    Float16,
    BFloat16,
    Float32,
    Float64,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
}

impl DType {
    /// Bytes one number takes.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::Int8 | Self::UInt8 => 1,
            Self::Float16 | Self::BFloat16 | Self::Int16 | Self::UInt16 => 2,
            Self::Float32 | Self::Int32 | Self::UInt32 => 4,
            Self::Float64 | Self::Int64 | Self::UInt64 => 8,
        }
    }

    /// Whether it has whole numbers alone.
    #[must_use]
    pub fn is_integer(self) -> bool {
        !matches!(self, Self::Float16 | Self::BFloat16 | Self::Float32 | Self::Float64)
    }

    /// Its name in NumPy and PyTorch.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Float16 => "float16",
            Self::BFloat16 => "bfloat16",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::UInt8 => "uint8",
            Self::UInt16 => "uint16",
            Self::UInt32 => "uint32",
            Self::UInt64 => "uint64",
        }
    }

    /// Whether it has numbers that `f32` has not.
    #[must_use]
    pub fn exceeds_f32(self) -> bool {
        matches!(self, Self::Float64 | Self::Int32 | Self::UInt32 | Self::Int64 | Self::UInt64)
    }

    /// Numbers from their bytes: as many as `into` has room for. The first that is no finite number of its type is
    /// returned, with its index, instead.
    pub(super) fn decode<T: FloatValue>(
        self,
        bytes: &[u8],
        big_endian: bool,
        into: &mut [T],
    ) -> Result<(), (usize, String)> {
        match self {
            Self::Float16 => decode_each(bytes, big_endian, into, f16::from_le_bytes, |v| T::from_f32(v.to_f32())),
            Self::BFloat16 => decode_each(bytes, big_endian, into, bf16::from_le_bytes, |v| T::from_f32(v.to_f32())),
            Self::Float32 => decode_each(bytes, big_endian, into, f32::from_le_bytes, T::from_f32),
            Self::Float64 => decode_each(bytes, big_endian, into, f64::from_le_bytes, T::from_f64),
            Self::Int8 => decode_each(bytes, big_endian, into, i8::from_le_bytes, |v| T::from_f32(v.into())),
            Self::Int16 => decode_each(bytes, big_endian, into, i16::from_le_bytes, |v| T::from_f32(v.into())),
            Self::Int32 => decode_each(bytes, big_endian, into, i32::from_le_bytes, |v| T::from_f64(v.into())),
            Self::Int64 => decode_each(bytes, big_endian, into, i64::from_le_bytes, T::from_i64),
            Self::UInt8 => decode_each(bytes, big_endian, into, u8::from_le_bytes, |v| T::from_f32(v.into())),
            Self::UInt16 => decode_each(bytes, big_endian, into, u16::from_le_bytes, |v| T::from_f32(v.into())),
            Self::UInt32 => decode_each(bytes, big_endian, into, u32::from_le_bytes, |v| T::from_f64(v.into())),
            Self::UInt64 => decode_each(bytes, big_endian, into, u64::from_le_bytes, T::from_u64),
        }
    }
}

/// What numbers of a file become.
pub trait FloatValue: Copy + Default + 'static {
    /// What a file may hold of them, in words.
    const ALLOWED_VALUES: &'static str;
    /// Exactly.
    fn from_f32(value: f32) -> Self;
    /// Rounded to nearest where it has to be.
    fn from_f64(value: f64) -> Self;
    /// Rounded once: by way of `f64` it would be rounded twice.
    fn from_i64(value: i64) -> Self;
    /// Rounded once.
    fn from_u64(value: u64) -> Self;
    /// Whether it is neither infinite nor NaN.
    fn is_finite_value(self) -> bool;
}

impl FloatValue for f32 {
    const ALLOWED_VALUES: &'static str = "finite 32-bit floats";

    fn from_f32(value: f32) -> Self {
        value
    }
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    fn from_i64(value: i64) -> Self {
        value as f32
    }
    fn from_u64(value: u64) -> Self {
        value as f32
    }
    fn is_finite_value(self) -> bool {
        self.is_finite()
    }
}

impl FloatValue for f64 {
    const ALLOWED_VALUES: &'static str = "finite 64-bit floats";

    fn from_f32(value: f32) -> Self {
        value.into()
    }
    fn from_f64(value: f64) -> Self {
        value
    }
    fn from_i64(value: i64) -> Self {
        value as f64
    }
    fn from_u64(value: u64) -> Self {
        value as f64
    }
    fn is_finite_value(self) -> bool {
        self.is_finite()
    }
}

fn decode_each<const N: usize, V: Copy + Display, T: FloatValue>(
    bytes: &[u8],
    big_endian: bool,
    into: &mut [T],
    value: impl Fn([u8; N]) -> V,
    convert: impl Fn(V) -> T,
) -> Result<(), (usize, String)> {
    let (bytes, _) = bytes.as_chunks::<N>();
    for (index, (bytes, into)) in bytes.iter().zip(into).enumerate() {
        let mut bytes = *bytes;
        if big_endian {
            bytes.reverse();
        }
        let found = value(bytes);
        *into = convert(found);
        if !into.is_finite_value() {
            return Err((index, found.to_string()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers beyond 2⁵³ whose nearest float64 lies half-way between two float32, and the float32
    /// that NumPy's `astype` gives.
    #[test]
    fn whole_numbers_are_rounded_once() {
        let step = 1i64 << 30;
        for (found, nearest) in [
            ((1i64 << 53) + (step >> 1) + 1, (1i64 << 53) + step),
            (-(1i64 << 53) - (step >> 1) - 1, -(1i64 << 53) - step),
            ((1i64 << 53) + (step >> 1) - 1, 1i64 << 53),
        ] {
            let mut into = [0.0f32];
            DType::Int64.decode(&found.to_le_bytes(), false, &mut into).unwrap();
            assert_eq!(into[0], nearest as f32, "{found}");
            if let Ok(found) = u64::try_from(found) {
                DType::UInt64.decode(&found.to_be_bytes(), true, &mut into).unwrap();
                assert_eq!(into[0], nearest as f32, "{found}");
            }
        }
    }

    #[test]
    fn what_is_no_finite_single_is_told_as_it_stands() {
        let refused = |value: f64| DType::Float64.decode(&value.to_le_bytes(), false, &mut [0.0f32]).unwrap_err().1;
        assert_eq!(
            [1e39, f64::NAN, f64::NEG_INFINITY].map(refused),
            [1e39.to_string(), "NaN".to_owned(), "-inf".to_owned()]
        );
    }

    #[test]
    fn double_precision_is_kept_where_it_is_asked_for() {
        let mut wide = [0.0f64];
        for value in [1.0 + f64::EPSILON, 1e39, 5e-324] {
            DType::Float64.decode(&value.to_le_bytes(), false, &mut wide).unwrap();
            assert_eq!(wide, [value]);
        }
        DType::Int32.decode(&((1 << 24) + 1i32).to_be_bytes(), true, &mut wide).unwrap();
        assert_eq!(wide, [16_777_217.0]);
        assert!(DType::Float64.decode(&f64::NAN.to_le_bytes(), false, &mut wide).is_err());
    }
}
