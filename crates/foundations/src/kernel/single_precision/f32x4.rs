//! Four `f32` in one register: the instructions that WebAssembly's 128-bit SIMD and SSE2, which every
//! x86-64 has, share, under one name each.

use core::mem::transmute;
use core::ops::{Add, Div, Mul, Sub};

#[cfg(target_arch = "wasm32")]
use self::wasm as machine;
#[cfg(target_arch = "x86_64")]
use self::x86 as machine;

/// Four numbers.
#[derive(Clone, Copy)]
pub struct F32x4(machine::Register);

impl F32x4 {
    /// Numbers there are.
    pub const WIDTH: usize = 4;

    /// The same number four times.
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self(machine::splat(value))
    }

    /// Four numbers.
    #[inline(always)]
    pub fn load(from: &[f32; Self::WIDTH]) -> Self {
        // SAFETY: any four numbers are a register's, and as large.
        Self(unsafe { transmute::<[f32; Self::WIDTH], machine::Register>(*from) })
    }

    /// Puts the numbers in place of four others.
    #[inline(always)]
    pub fn store(self, to: &mut [f32; Self::WIDTH]) {
        *to = self.to_array();
    }

    /// The numbers one by one.
    #[inline(always)]
    pub fn to_array(self) -> [f32; Self::WIDTH] {
        // SAFETY: a register is four numbers, and as large.
        unsafe { transmute::<machine::Register, [f32; Self::WIDTH]>(self.0) }
    }

    /// Each square root.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(machine::sqrt(self.0))
    }

    /// The other number where it is greater, else this one.
    #[inline(always)]
    pub fn pseudo_max(self, other: Self) -> Self {
        Self(machine::pseudo_max(self.0, other.0))
    }

    /// The other number where it is less, else this one.
    #[inline(always)]
    pub fn pseudo_min(self, other: Self) -> Self {
        Self(machine::pseudo_min(self.0, other.0))
    }

    /// The numbers whose bits are these bits, the lowest 9 of them moved to the top, and `more`.
    #[inline(always)]
    pub fn shifted_to_exponent(self, more: u32) -> Self {
        Self(machine::shifted_to_exponent(self.0, more))
    }

    /// A bit for each of sixteen numbers, the first lowest: whether it is greater than `least`.
    #[inline(always)]
    pub fn greater_mask(sixteen: [Self; 4], least: Self) -> u16 {
        machine::greater_mask(sixteen.map(|four| four.0), least.0)
    }
}

macro_rules! impl_operators {
    ($($operator:ident $name:ident),*) => {$(
        impl $operator for F32x4 {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(machine::$name(self.0, other.0))
            }
        }
    )*};
}

impl_operators!(Add add, Sub sub, Mul mul, Div div);

#[cfg(target_arch = "wasm32")]
mod wasm {
    pub use core::arch::wasm32::{
        f32x4_add as add, f32x4_div as div, f32x4_mul as mul, f32x4_splat as splat, f32x4_sqrt as sqrt,
        f32x4_sub as sub, v128 as Register,
    };
    use core::arch::wasm32::{
        f32x4_gt, f32x4_pmax, f32x4_pmin, i8x16_bitmask, i8x16_narrow_i16x8, i16x8_narrow_i32x4, i32x4_add, i32x4_shl,
        u32x4_splat, v128,
    };

    #[inline(always)]
    pub fn pseudo_max(this: v128, other: v128) -> v128 {
        f32x4_pmax(this, other)
    }

    #[inline(always)]
    pub fn pseudo_min(this: v128, other: v128) -> v128 {
        f32x4_pmin(this, other)
    }

    #[inline(always)]
    pub fn shifted_to_exponent(value: v128, more: u32) -> v128 {
        i32x4_add(i32x4_shl(value, 23), u32x4_splat(more))
    }

    #[inline(always)]
    pub fn greater_mask(sixteen: [v128; 4], least: v128) -> u16 {
        let [a, b, c, d] = sixteen.map(|four| f32x4_gt(four, least));
        // Lanes of all ones or all zeros stay so when they are narrowed: one bit a value.
        i8x16_bitmask(i8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d)))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    pub use core::arch::x86_64::__m128 as Register;
    use core::arch::x86_64::{
        __m128, _mm_add_epi32, _mm_add_ps, _mm_castps_si128, _mm_castsi128_ps, _mm_cmpgt_ps, _mm_div_ps, _mm_max_ps,
        _mm_min_ps, _mm_movemask_epi8, _mm_mul_ps, _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32, _mm_set1_ps,
        _mm_slli_epi32, _mm_sqrt_ps, _mm_sub_ps,
    };

    /// Functions of registers alone.
    macro_rules! register_functions {
        ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
            #[inline(always)]
            pub fn $name($($argument: $type),*) -> $result {
                // SAFETY: they need nothing but SSE2, which this module is compiled with.
                unsafe { $body }
            }
        )*};
    }

    register_functions! {
        splat(value: f32) -> __m128 { _mm_set1_ps(value) }
        add(a: __m128, b: __m128) -> __m128 { _mm_add_ps(a, b) }
        sub(a: __m128, b: __m128) -> __m128 { _mm_sub_ps(a, b) }
        mul(a: __m128, b: __m128) -> __m128 { _mm_mul_ps(a, b) }
        div(a: __m128, b: __m128) -> __m128 { _mm_div_ps(a, b) }
        sqrt(a: __m128) -> __m128 { _mm_sqrt_ps(a) }
        // The second is the answer where either is not a number.
        pseudo_max(this: __m128, other: __m128) -> __m128 { _mm_max_ps(other, this) }
        pseudo_min(this: __m128, other: __m128) -> __m128 { _mm_min_ps(other, this) }
        shifted_to_exponent(value: __m128, more: u32) -> __m128 {
            let bits = _mm_slli_epi32::<23>(_mm_castps_si128(value));
            _mm_castsi128_ps(_mm_add_epi32(bits, _mm_set1_epi32(more.cast_signed())))
        }
        greater_mask(sixteen: [__m128; 4], least: __m128) -> u16 {
            let [a, b, c, d] = sixteen.map(|four| _mm_castps_si128(_mm_cmpgt_ps(four, least)));
            // Lanes of all ones or all zeros stay so when they are narrowed: one bit a value.
            let lanes = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
            _mm_movemask_epi8(lanes) as u16
        }
    }
}
