use half::{bf16, f16};
use serde::{Deserialize, Serialize};

/// The numbers an array is made of. All become `f32`: exactly from float16, bfloat16, float32 and
/// whole numbers to 2²⁴, else rounded to nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

    /// Numbers from their bytes: as many as `into` has room for. The first that is no finite `f32` is
    /// returned, with its index, instead.
    pub(super) fn decode(
        self,
        bytes: &[u8],
        big_endian: bool,
        into: &mut [f32],
    ) -> Result<(), (usize, String)> {
        match self {
            Self::Float16 => each(bytes, big_endian, into, |b| f64::from(f16::from_le_bytes(b))),
            Self::BFloat16 => each(bytes, big_endian, into, |b| f64::from(bf16::from_le_bytes(b))),
            Self::Float32 => each(bytes, big_endian, into, |b| f64::from(f32::from_le_bytes(b))),
            Self::Float64 => each(bytes, big_endian, into, f64::from_le_bytes),
            Self::Int8 => each(bytes, big_endian, into, |b| f64::from(i8::from_le_bytes(b))),
            Self::Int16 => each(bytes, big_endian, into, |b| f64::from(i16::from_le_bytes(b))),
            Self::Int32 => each(bytes, big_endian, into, |b| f64::from(i32::from_le_bytes(b))),
            Self::Int64 => each(bytes, big_endian, into, |b| i64::from_le_bytes(b) as f64),
            Self::UInt8 => each(bytes, big_endian, into, |[b]| f64::from(b)),
            Self::UInt16 => each(bytes, big_endian, into, |b| f64::from(u16::from_le_bytes(b))),
            Self::UInt32 => each(bytes, big_endian, into, |b| f64::from(u32::from_le_bytes(b))),
            Self::UInt64 => each(bytes, big_endian, into, |b| u64::from_le_bytes(b) as f64),
        }
    }
}

fn each<const N: usize>(
    bytes: &[u8],
    big_endian: bool,
    into: &mut [f32],
    value: impl Fn([u8; N]) -> f64,
) -> Result<(), (usize, String)> {
    let (bytes, _) = bytes.as_chunks::<N>();
    for (index, (bytes, into)) in bytes.iter().zip(into).enumerate() {
        let mut bytes = *bytes;
        if big_endian {
            bytes.reverse();
        }
        let found = value(bytes);
        *into = found as f32;
        if !into.is_finite() {
            return Err((index, found.to_string()));
        }
    }
    Ok(())
}
