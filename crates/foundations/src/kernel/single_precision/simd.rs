//! The kernels in 128-bit SIMD, of WebAssembly and of x86-64: four `f32` a vector, bit-equal to [`scalar`].
//!
//! [`scalar`]: super::scalar

use std::hint::black_box;

use super::f32x4::F32x4;
use super::scalar::{
    self, AdamStep, ExpConstants, LANES, PEAK_CHAINS, PEAK_COEFFICIENTS, TILE_COLS, TILE_ROWS, WeightPanels,
};

/// Values a vector.
const WIDTH: usize = F32x4::WIDTH;

type Row = [F32x4; TILE_COLS / WIDTH];

#[inline(always)]
fn load_row(from: &[f32; TILE_COLS]) -> Row {
    let fours = from.as_chunks().0;
    [F32x4::load(&fours[0]), F32x4::load(&fours[1]), F32x4::load(&fours[2]), F32x4::load(&fours[3])]
}

/// acc + x·weights; every entry by itself, so that tests, which are hardly optimised, are quick too.
#[inline(always)]
fn multiply_add(acc: Row, x: F32x4, weights: Row) -> Row {
    [acc[0] + x * weights[0], acc[1] + x * weights[1], acc[2] + x * weights[2], acc[3] + x * weights[3]]
}

#[inline(always)]
fn store_row(acc: Row, out: &mut [f32]) {
    let (fours, rest) = out.as_chunks_mut();
    if let [first, second, third, fourth, ..] = fours {
        acc[0].store(first);
        acc[1].store(second);
        acc[2].store(third);
        acc[3].store(fourth);
        return;
    }
    let row = acc.map(F32x4::to_array);
    let whole = fours.len();
    fours.copy_from_slice(&row[..whole]);
    if !rest.is_empty() {
        rest.copy_from_slice(&row[whole][..rest.len()]);
    }
}

/// As [`scalar::affine`].
pub fn affine(x: &[f32], weights: &WeightPanels, bias: &[f32], out: &mut [f32], (stride, first): (usize, usize)) {
    /// Entries of `x` that a panel meets before the next panel is taken: what stays close by.
    const BLOCK_ENTRIES: usize = 4096;
    let (depth, cols) = (weights.depth(), weights.cols());
    let rows = (BLOCK_ENTRIES / depth).next_multiple_of(TILE_ROWS).max(TILE_ROWS);
    for (x, out) in x.chunks(rows * depth).zip(out.chunks_mut(rows * stride)) {
        for (panel, weights) in weights.iter().enumerate() {
            let from = panel * TILE_COLS;
            let (to, width) = (first + from, TILE_COLS.min(cols - from));
            let mut start = [0.0; TILE_COLS];
            start[..width].copy_from_slice(&bias[from..from + width]);
            let start = load_row(&start);
            let weights = weights.as_chunks().0;
            let tiles = x.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * stride));
            for (x, out) in tiles {
                if x.len() == TILE_ROWS * depth {
                    let (one, other) = x.split_at(depth);
                    let [a, b] = multiply_two_rows(start, one, other, weights);
                    let (one, other) = out.split_at_mut(stride);
                    store_row(a, &mut one[to..to + width]);
                    store_row(b, &mut other[to..to + width]);
                } else {
                    let mut acc = start;
                    for (x, weights) in x.iter().zip(weights) {
                        acc = multiply_add(acc, F32x4::splat(*x), load_row(weights));
                    }
                    store_row(acc, &mut out[to..to + width]);
                }
            }
        }
    }
}

#[inline(always)]
fn multiply_two_rows(start: Row, first: &[f32], second: &[f32], weights: &[[f32; TILE_COLS]]) -> [Row; 2] {
    let (mut a, mut b) = (start, start);
    for ((x, y), weights) in first.iter().zip(second).zip(weights) {
        let weights = load_row(weights);
        a = multiply_add(a, F32x4::splat(*x), weights);
        b = multiply_add(b, F32x4::splat(*y), weights);
    }
    [a, b]
}

/// As [`scalar::weighted_row_sum`].
pub fn weighted_row_sum(weights: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
    let mut from = 0;
    while out.len() - from >= TILE_COLS {
        weighted_sum_columns::<4>(weights, &rows[from..], stride, &mut out[from..]);
        from += TILE_COLS;
    }
    let rest = out.len() - from;
    match rest / WIDTH {
        3 => weighted_sum_columns::<3>(weights, &rows[from..], stride, &mut out[from..]),
        2 => weighted_sum_columns::<2>(weights, &rows[from..], stride, &mut out[from..]),
        1 => weighted_sum_columns::<1>(weights, &rows[from..], stride, &mut out[from..]),
        _ => {}
    }
    from += rest / WIDTH * WIDTH;
    if from < out.len() {
        scalar::weighted_row_sum(weights, &rows[from..], stride, &mut out[from..]);
    }
}

/// The first `4 · N` columns of [`weighted_row_sum`].
#[inline(always)]
fn weighted_sum_columns<const N: usize>(weights: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
    let mut acc = [F32x4::splat(0.0); N];
    // Indices, not iterators side by side: a call that makes such a pair would be dearer than the sums.
    for (row, weight) in weights.iter().enumerate() {
        let weight = F32x4::splat(*weight);
        let fours = &rows[row * stride..].as_chunks().0[..N];
        for at in 0..N {
            acc[at] = acc[at] + weight * F32x4::load(&fours[at]);
        }
    }
    for (acc, out) in acc.into_iter().zip(out.as_chunks_mut().0) {
        acc.store(out);
    }
}

/// As [`scalar::exp`], of each.
#[inline(always)]
fn exp_f32x4(x: F32x4) -> F32x4 {
    let constant = F32x4::splat;
    let x = x.pseudo_max(constant(ExpConstants::INPUT_MIN)).pseudo_min(constant(ExpConstants::INPUT_MAX));
    let shifted = x * constant(ExpConstants::LOG2_E) + constant(ExpConstants::ROUNDING_SHIFT);
    let n = shifted - constant(ExpConstants::ROUNDING_SHIFT);
    let r = (x - n * constant(ExpConstants::LN_2_HIGH)) - n * constant(ExpConstants::LN_2_LOW);
    let [first, rest @ ..] = ExpConstants::COEFFICIENTS;
    let mut sum = constant(first);
    for term in rest {
        sum = sum * r + constant(term);
    }
    let twice = (sum * (r * r) + (r + r)) + constant(2.0);
    twice * shifted.shifted_to_exponent(ExpConstants::HALF_BITS)
}

/// As [`scalar::exp_all`].
pub fn exp_all(values: &mut [f32]) {
    let (fours, rest) = values.as_chunks_mut();
    for four in fours {
        exp_f32x4(F32x4::load(four)).store(four);
    }
    scalar::exp_all(rest);
}

/// As [`scalar::softmax`].
pub fn softmax(row: &mut [f32], used: usize, scale: f32) {
    row[used..].fill(f32::NEG_INFINITY);
    let fours = row.as_chunks_mut().0;
    let mut most = F32x4::splat(f32::NEG_INFINITY);
    for four in &*fours {
        most = most.pseudo_max(F32x4::load(four));
    }
    let [a, b, c, d] = most.to_array();
    let greater = |a: f32, b: f32| if a < b { b } else { a };
    let most = F32x4::splat(greater(greater(a, b), greater(c, d)));
    let scale = F32x4::splat(scale);
    let mut sum = F32x4::splat(0.0);
    for four in &mut *fours {
        let weight = exp_f32x4((F32x4::load(four) - most) * scale);
        weight.store(four);
        sum = sum + weight;
    }
    let [a, b, c, d] = sum.to_array();
    let sum = F32x4::splat((a + c) + (b + d));
    for four in fours {
        (F32x4::load(four) / sum).store(four);
    }
}

/// Adds the lanes up as [`scalar::fold_lanes`] does.
#[inline(always)]
fn fold_lanes(acc: Row, rest: impl Iterator<Item = f32>) -> f32 {
    let [a, b, c, d] = ((acc[0] + acc[1]) + (acc[2] + acc[3])).to_array();
    rest.fold((a + c) + (b + d), |acc, value| acc + value)
}

/// As [`scalar::dot`].
#[must_use]
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut acc = [F32x4::splat(0.0); LANES / WIDTH];
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks(), b.as_chunks());
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| a * b);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (load_row(a), load_row(b));
        acc[0] = acc[0] + a[0] * b[0];
        acc[1] = acc[1] + a[1] * b[1];
        acc[2] = acc[2] + a[2] * b[2];
        acc[3] = acc[3] + a[3] * b[3];
    }
    fold_lanes(acc, rest)
}

/// As [`scalar::sum`].
#[must_use]
#[inline]
pub fn sum(values: &[f32]) -> f32 {
    let mut acc = [F32x4::splat(0.0); LANES / WIDTH];
    let (sixteens, rest) = values.as_chunks();
    for values in sixteens {
        let values = load_row(values);
        acc[0] = acc[0] + values[0];
        acc[1] = acc[1] + values[1];
        acc[2] = acc[2] + values[2];
        acc[3] = acc[3] + values[3];
    }
    fold_lanes(acc, rest.iter().copied())
}

/// As [`scalar::standardize`].
pub fn standardize(row: &mut [f32], epsilon: f32) -> f32 {
    let width = row.len() as f32;
    let mean = sum(row) / width;
    let all = F32x4::splat(mean);
    let (fours, rest) = row.as_chunks_mut();
    for four in fours {
        (F32x4::load(four) - all).store(four);
    }
    rest.iter_mut().for_each(|value| *value -= mean);
    let scale = 1.0 / f32::sqrt(dot(row, row) / width + epsilon);
    let all = F32x4::splat(scale);
    let (fours, rest) = row.as_chunks_mut();
    for four in fours {
        (F32x4::load(four) * all).store(four);
    }
    rest.iter_mut().for_each(|value| *value *= scale);
    scale
}

/// As [`scalar::add_scaled`].
#[inline]
pub fn add_scaled(out: &mut [f32], scale: f32, x: &[f32]) {
    let factor = F32x4::splat(scale);
    let ((out, rest_out), (x, rest_x)) = (out.as_chunks_mut(), x.as_chunks());
    let x = &x[..out.len()];
    for (at, out) in out.iter_mut().enumerate() {
        (F32x4::load(out) + factor * F32x4::load(&x[at])).store(out);
    }
    scalar::add_scaled(rest_out, scale, rest_x);
}

/// As [`scalar::adam`].
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    let ((p, p_rest), (g, g_rest)) = (p.as_chunks_mut(), g.as_chunks());
    let ((m, m_rest), (v, v_rest)) = (m.as_chunks_mut(), v.as_chunks_mut());
    let [first, keep, second] = [step.one_minus_beta1, step.beta2, step.one_minus_beta2].map(F32x4::splat);
    let [rate, scale, eps] = [step.step_size, step.bias_correction2_rsqrt, step.eps].map(F32x4::splat);
    for (((p, g), m), v) in p.iter_mut().zip(g).zip(m).zip(v) {
        let (g, old) = (F32x4::load(g), F32x4::load(m));
        let mean = old + first * (g - old);
        mean.store(m);
        let squares = keep * F32x4::load(v) + second * (g * g);
        squares.store(v);
        let size = squares.sqrt() * scale + eps;
        (F32x4::load(p) - rate * (mean / size)).store(p);
    }
    scalar::adam(p_rest, g_rest, m_rest, v_rest, step);
}

/// As [`super::run_peak_workload`].
#[must_use]
pub fn run_peak_workload(rounds: u32) -> f32 {
    let [times, more] = black_box(PEAK_COEFFICIENTS).map(F32x4::splat);
    let start = black_box([0.5; 4]);
    let mut chains = [F32x4::load(&start); PEAK_CHAINS];
    for _ in 0..rounds {
        for chain in &mut chains {
            *chain = *chain * times + more;
        }
    }
    chains.map(F32x4::to_array).as_flattened().iter().sum()
}

/// As [`scalar::collect_above`].
pub fn collect_above(row: &[f32], least: f32, out: &mut Vec<(u32, f32)>) {
    /// Values whose answers fit into one word.
    const MASK_BITS: usize = 64;
    let limit = F32x4::splat(least);
    let (words, rest) = row.as_chunks::<MASK_BITS>();
    let mut index = 0;
    for values in words {
        let mut bits = 0;
        for block in values.as_chunks().0.iter().rev() {
            bits = bits << TILE_COLS | u64::from(F32x4::greater_mask(load_row(block), limit));
        }
        while bits != 0 {
            let offset = bits.trailing_zeros();
            out.push((index + offset, values[offset as usize % MASK_BITS]));
            bits &= bits - 1;
        }
        index += MASK_BITS as u32;
    }
    for (at, &value) in (index..).zip(rest) {
        if value > least {
            out.push((at, value));
        }
    }
}
