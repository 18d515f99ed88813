//! Products natively on x86-64 with AVX where the processor has it, eight `f32` a vector: every entry is summed as
//! [`scalar`] does, so that the bits are the same.
//!
//! [`scalar`]: super::scalar

use core::arch::x86_64::{__m256, _mm256_add_ps, _mm256_mul_ps, _mm256_set1_ps};
use core::mem::transmute;

use super::scalar::{TILE_COLS, WeightPanels};
use super::simd;

/// Numbers of a vector.
const WIDTH: usize = 8;
/// Rows of a register tile: with two vectors a row, eight of sums, two of weights and one of what multiplies them.
const TILE_ROWS: usize = 4;

type Row = [__m256; TILE_COLS / WIDTH];

/// As [`scalar::affine`](super::scalar::affine).
pub fn affine(x: &[f32], weights: &WeightPanels, bias: &[f32], out: &mut [f32], columns: (usize, usize)) {
    if is_x86_feature_detected!("avx") {
        // SAFETY: the processor has AVX.
        unsafe { affine_blocks(x, weights, bias, out, columns) }
    } else {
        simd::affine(x, weights, bias, out, columns);
    }
}

#[inline]
#[target_feature(enable = "avx")]
fn load(from: &[f32; TILE_COLS]) -> Row {
    // SAFETY: any sixteen numbers are two vectors, and as large. (By value: what loads from an address is checked, in
    // tests, each time.)
    unsafe { transmute::<[f32; TILE_COLS], Row>(*from) }
}

/// Puts a row into sixteen numbers or fewer.
#[inline]
#[target_feature(enable = "avx")]
fn store(row: Row, to: &mut [f32]) {
    // SAFETY: two vectors are sixteen numbers, and as large.
    let row = unsafe { transmute::<Row, [f32; TILE_COLS]>(row) };
    match to.first_chunk_mut() {
        Some(to) => *to = row,
        None => to.copy_from_slice(&row[..to.len()]),
    }
}

#[target_feature(enable = "avx")]
fn affine_blocks(x: &[f32], weights: &WeightPanels, bias: &[f32], out: &mut [f32], (stride, first): (usize, usize)) {
    /// Entries of `x` that a panel meets before the next panel is taken: what stays close by.
    const BLOCK_ENTRIES: usize = 8192;
    let (depth, cols) = (weights.depth(), weights.cols());
    let rows = (BLOCK_ENTRIES / depth).next_multiple_of(TILE_ROWS).max(TILE_ROWS);
    for (x, out) in x.chunks(rows * depth).zip(out.chunks_mut(rows * stride)) {
        for (panel, weights) in weights.iter().enumerate() {
            let from = panel * TILE_COLS;
            let (to, width) = (first + from, TILE_COLS.min(cols - from));
            let mut start = [0.0; TILE_COLS];
            start[..width].copy_from_slice(&bias[from..from + width]);
            let start = load(&start);
            let weights = weights.as_chunks().0;
            let tiles = x.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * stride));
            for (x, out) in tiles {
                let mut outs = out.chunks_exact_mut(stride);
                if x.len() == TILE_ROWS * depth {
                    for (row, out) in multiply_tile::<TILE_ROWS>(start, x, weights).into_iter().zip(outs) {
                        store(row, &mut out[to..to + width]);
                    }
                    continue;
                }
                for (x, out) in x.chunks_exact(depth).zip(&mut outs) {
                    let [row] = multiply_tile::<1>(start, x, weights);
                    store(row, &mut out[to..to + width]);
                }
            }
        }
    }
}

/// Some rows of x with a panel: for each entry a multiplication and an addition, in the order of the depth.
#[inline]
#[target_feature(enable = "avx")]
fn multiply_tile<const N: usize>(start: Row, x: &[f32], weights: &[[f32; TILE_COLS]]) -> [Row; N] {
    let depth = weights.len();
    assert_eq!(x.len(), N * depth, "rows of a tile");
    let mut rows = [x; N];
    for (row, entries) in rows.iter_mut().enumerate() {
        *entries = &x[row * depth..][..depth];
    }
    let mut sums = [start; N];
    for (at, weights) in weights.iter().enumerate() {
        let [first, second] = load(weights);
        for (row, sum) in sums.iter_mut().enumerate() {
            let entry = _mm256_set1_ps(rows[row][at]);
            sum[0] = _mm256_add_ps(sum[0], _mm256_mul_ps(entry, first));
            sum[1] = _mm256_add_ps(sum[1], _mm256_mul_ps(entry, second));
        }
    }
    sums
}
