//! The kernels natively on x86-64. Products take AVX, four `f64` a vector, where the processor has it; they compute
//! the additions of [`scalar`] in its order and equal it bit for bit. All else is the specification itself.
//!
//! Factors are taken in blocks that the caches hold. A sum that goes on in the next block goes on from where it was,
//! so blocks change no bit.
//!
//! [`scalar`]: super::scalar

use core::arch::x86_64::{
    __m256d, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32, _mm256_add_pd,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_mul_pd,
    _mm256_set1_pd, _mm256_setzero_si256,
};
use core::mem::transmute;

use super::scalar::{self, INTEGER_ROW_MULTIPLE, TILE_ROWS};
pub use super::scalar::{
    add_bias_relu, add_scaled, add_scaled_rows, dot, gram_upper, sum, widening_dots, widening_product,
};

/// Values a vector.
const LANES: usize = 4;
/// Columns of a register tile: eight vectors of sums, two of a row, and one of what multiplies it.
const TILE_WIDTH: usize = 2 * LANES;
/// Rows and columns of a block of the second factor: 512 KB.
const BLOCK_ROWS: usize = 256;
const BLOCK_COLS: usize = 256;

/// As [`scalar::product`].
pub fn product(a: &[f64], b: &[f64], depth: usize, cols: usize, out: &mut [f64]) {
    if cols == 0 {
        return;
    }
    if depth == 0 {
        out.fill(0.0);
        return;
    }
    if is_x86_feature_detected!("avx") {
        // SAFETY: the processor has AVX.
        unsafe { product_blocks(a, b, depth, cols, out) }
    } else {
        scalar::product(a, b, depth, cols, out);
    }
}

#[target_feature(enable = "avx")]
fn product_blocks(a: &[f64], b: &[f64], depth: usize, cols: usize, out: &mut [f64]) {
    let mut packed = Vec::new();
    for first_col in (0..cols).step_by(BLOCK_COLS) {
        let end_col = cols.min(first_col + BLOCK_COLS);
        for first in (0..depth).step_by(BLOCK_ROWS) {
            let end = depth.min(first + BLOCK_ROWS);
            pack_panels(&b[first * cols..end * cols], cols, [first_col, end_col], &mut packed);
            for (a, out) in a.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
                // Where rows are left over the last one stands for those that lack.
                let last = a.len() / depth - 1;
                let row = |at: usize| &a[at.min(last) * depth..][first..end];
                let rows = [row(0), row(1), row(2), row(3)];
                let panels = packed.chunks_exact(TILE_WIDTH * (end - first));
                for (b, col) in panels.zip((first_col..).step_by(TILE_WIDTH)) {
                    let width = TILE_WIDTH.min(end_col - col);
                    let mut sums = [[0.0; TILE_WIDTH]; TILE_ROWS];
                    if first > 0 {
                        for (sums, out) in sums.iter_mut().zip(out.chunks_exact(cols)) {
                            copy(&out[col..col + width], sums);
                        }
                    }
                    multiply_tile(rows, b, &mut sums);
                    for (sums, out) in sums.iter().zip(out.chunks_exact_mut(cols)) {
                        copy(&sums[..width], &mut out[col..col + width]);
                    }
                }
            }
        }
    }
}

/// Some columns of row-major rows, [`TILE_WIDTH`] of them at a time, one panel after the other, the last one filled up with
/// zeros.
fn pack_panels(rows: &[f64], cols: usize, [first, end]: [usize; 2], out: &mut Vec<f64>) {
    let panel = TILE_WIDTH * (rows.len() / cols);
    out.clear();
    out.resize((end - first).div_ceil(TILE_WIDTH) * panel, 0.0);
    for (out, col) in out.chunks_exact_mut(panel).zip((first..end).step_by(TILE_WIDTH)) {
        let width = TILE_WIDTH.min(end - col);
        for (row, out) in rows.chunks_exact(cols).zip(out.chunks_exact_mut(TILE_WIDTH)) {
            copy(&row[col..col + width], out);
        }
    }
}

/// Copies to the front. A length that the compiler knows is copied without a call.
#[inline(always)]
fn copy(from: &[f64], to: &mut [f64]) {
    match from.first_chunk::<TILE_WIDTH>() {
        Some(from) => to[..TILE_WIDTH].copy_from_slice(from),
        None => to[..from.len()].copy_from_slice(from),
    }
}

/// Goes on with the sums of four rows with a panel.
#[inline]
#[target_feature(enable = "avx")]
fn multiply_tile([a0, a1, a2, a3]: [&[f64]; TILE_ROWS], b: &[f64], sums: &mut [[f64; TILE_WIDTH]; TILE_ROWS]) {
    let mut acc = [[_mm256_set1_pd(0.0); 2]; TILE_ROWS];
    for (acc, sums) in acc.iter_mut().zip(&*sums) {
        *acc = load(sums);
    }
    let (b, _) = b.as_chunks::<TILE_WIDTH>();
    for ((((a0, a1), a2), a3), b) in a0.iter().zip(a1).zip(a2).zip(a3).zip(b) {
        let [low, high] = load(b);
        for (acc, a) in acc.iter_mut().zip([a0, a1, a2, a3]) {
            let a = _mm256_set1_pd(*a);
            acc[0] = _mm256_add_pd(acc[0], _mm256_mul_pd(a, low));
            acc[1] = _mm256_add_pd(acc[1], _mm256_mul_pd(a, high));
        }
    }
    for (acc, sums) in acc.into_iter().zip(sums) {
        store(sums, acc);
    }
}

#[inline]
#[target_feature(enable = "avx")]
fn load(from: &[f64; TILE_WIDTH]) -> [__m256d; 2] {
    // SAFETY: any eight values are two vectors, and as large. (By value: what loads from an address is checked, in
    // tests, each time.)
    unsafe { transmute::<[f64; TILE_WIDTH], [__m256d; 2]>(*from) }
}

#[inline]
#[target_feature(enable = "avx")]
fn store(to: &mut [f64; TILE_WIDTH], row: [__m256d; 2]) {
    // SAFETY: two vectors are eight values, and as large.
    *to = unsafe { transmute::<[__m256d; 2], [f64; TILE_WIDTH]>(row) };
}

/// As [`scalar::integer_product`]: sums of whole numbers are the same in any order.
pub fn integer_product(a: &[i16], b: &[i16], depth: usize, out: &mut [i32]) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        scalar::integer_tiles(a, b, depth, out, |a, b| unsafe { integer_tile(a, b) });
    } else {
        scalar::integer_product(a, b, depth, out);
    }
}

#[target_feature(enable = "avx2")]
fn integer_tile([a0, a1, a2, a3]: [&[i16]; TILE_ROWS], [b0, b1]: [&[i16]; 2]) -> [[i32; 2]; TILE_ROWS] {
    let mut acc = [[_mm256_setzero_si256(); 2]; TILE_ROWS];
    let (a0, a1) = (a0.as_chunks::<INTEGER_ROW_MULTIPLE>().0, a1.as_chunks::<INTEGER_ROW_MULTIPLE>().0);
    let (a2, a3) = (a2.as_chunks::<INTEGER_ROW_MULTIPLE>().0, a3.as_chunks::<INTEGER_ROW_MULTIPLE>().0);
    let (b0, b1) = (b0.as_chunks::<INTEGER_ROW_MULTIPLE>().0, b1.as_chunks::<INTEGER_ROW_MULTIPLE>().0);
    for (((((a0, a1), a2), a3), b0), b1) in a0.iter().zip(a1).zip(a2).zip(a3).zip(b0).zip(b1) {
        let b = [load_integers(b0), load_integers(b1)];
        for (acc, a) in acc.iter_mut().zip([a0, a1, a2, a3]) {
            let a = load_integers(a);
            acc[0] = _mm256_add_epi32(acc[0], _mm256_madd_epi16(a, b[0]));
            acc[1] = _mm256_add_epi32(acc[1], _mm256_madd_epi16(a, b[1]));
        }
    }
    let mut sums = [[0; 2]; TILE_ROWS];
    for (sums, acc) in sums.iter_mut().zip(acc) {
        *sums = [sum_integer_lanes(acc[0]), sum_integer_lanes(acc[1])];
    }
    sums
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_integers(from: &[i16; INTEGER_ROW_MULTIPLE]) -> __m256i {
    // SAFETY: there are sixteen whole numbers, one vector, which needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_integer_lanes(v: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
}
