//! The kernels in 128-bit SIMD, of WebAssembly and of x86-64: four `f32` a vector, bit-equal to [`scalar`].
//!
//! [`scalar`]: super::scalar

use std::hint::black_box;

use super::f32x4::Four;
use super::scalar::{
    self, AdamStep, CHAINS, ExpConstants, LANES, PEAK, Panels, TILE_COLS, TILE_ROWS,
};

/// Values a vector.
const WIDTH: usize = Four::WIDTH;

type Row = [Four; TILE_COLS / WIDTH];

#[inline(always)]
fn load_row(from: &[f32; TILE_COLS]) -> Row {
    let fours = from.as_chunks().0;
    [Four::load(&fours[0]), Four::load(&fours[1]), Four::load(&fours[2]), Four::load(&fours[3])]
}

/// acc + x·weights; every entry by itself, so that tests, which are hardly optimised, are quick too.
#[inline(always)]
fn multiply_add(acc: Row, x: Four, weights: Row) -> Row {
    [
        acc[0] + x * weights[0],
        acc[1] + x * weights[1],
        acc[2] + x * weights[2],
        acc[3] + x * weights[3],
    ]
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
    let row = acc.map(Four::to_array);
    let whole = fours.len();
    fours.copy_from_slice(&row[..whole]);
    if !rest.is_empty() {
        rest.copy_from_slice(&row[whole][..rest.len()]);
    }
}

/// As [`scalar::affine`].
pub fn affine(
    x: &[f32],
    weights: &Panels,
    bias: &[f32],
    out: &mut [f32],
    (stride, first): (usize, usize),
) {
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
                        acc = multiply_add(acc, Four::splat(*x), load_row(weights));
                    }
                    store_row(acc, &mut out[to..to + width]);
                }
            }
        }
    }
}

#[inline(always)]
fn multiply_two_rows(
    start: Row,
    first: &[f32],
    second: &[f32],
    weights: &[[f32; TILE_COLS]],
) -> [Row; 2] {
    let (mut a, mut b) = (start, start);
    for ((x, y), weights) in first.iter().zip(second).zip(weights) {
        let weights = load_row(weights);
        a = multiply_add(a, Four::splat(*x), weights);
        b = multiply_add(b, Four::splat(*y), weights);
    }
    [a, b]
}

/// As [`scalar::combine`].
pub fn combine(weights: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
    let mut from = 0;
    while out.len() - from >= TILE_COLS {
        combine_columns::<4>(weights, &rows[from..], stride, &mut out[from..]);
        from += TILE_COLS;
    }
    let rest = out.len() - from;
    match rest / WIDTH {
        3 => combine_columns::<3>(weights, &rows[from..], stride, &mut out[from..]),
        2 => combine_columns::<2>(weights, &rows[from..], stride, &mut out[from..]),
        1 => combine_columns::<1>(weights, &rows[from..], stride, &mut out[from..]),
        _ => {}
    }
    from += rest / WIDTH * WIDTH;
    if from < out.len() {
        scalar::combine(weights, &rows[from..], stride, &mut out[from..]);
    }
}

/// The first `4 · N` columns of [`combine`].
#[inline(always)]
fn combine_columns<const N: usize>(weights: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
    let mut acc = [Four::splat(0.0); N];
    for (weight, row) in weights.iter().zip(rows.chunks(stride)) {
        let weight = Four::splat(*weight);
        let fours = &row.as_chunks().0[..N];
        // An index, not iterators side by side: a call that makes such a pair would be dearer than the sums.
        for at in 0..N {
            acc[at] = acc[at] + weight * Four::load(&fours[at]);
        }
    }
    for (acc, out) in acc.into_iter().zip(out.as_chunks_mut().0) {
        acc.store(out);
    }
}

/// As [`scalar::exp`], of each.
#[inline(always)]
fn exp_four(x: Four) -> Four {
    let constant = Four::splat;
    let x = x.or_greater(constant(ExpConstants::LEAST)).or_less(constant(ExpConstants::GREATEST));
    let shifted = x * constant(ExpConstants::LOG2_E) + constant(ExpConstants::ROUND);
    let n = shifted - constant(ExpConstants::ROUND);
    let r = (x - n * constant(ExpConstants::LN_2_HIGH)) - n * constant(ExpConstants::LN_2_LOW);
    let [first, rest @ ..] = ExpConstants::TERMS;
    let mut sum = constant(first);
    for term in rest {
        sum = sum * r + constant(term);
    }
    let twice = (sum * (r * r) + (r + r)) + constant(2.0);
    twice * shifted.shifted_to_exponent(ExpConstants::HALF)
}

/// As [`scalar::exp_all`].
pub fn exp_all(values: &mut [f32]) {
    let (fours, rest) = values.as_chunks_mut();
    for four in fours {
        exp_four(Four::load(four)).store(four);
    }
    scalar::exp_all(rest);
}

/// As [`scalar::softmax`].
pub fn softmax(row: &mut [f32], used: usize, scale: f32) {
    row[used..].fill(f32::NEG_INFINITY);
    let fours = row.as_chunks_mut().0;
    let mut most = Four::splat(f32::NEG_INFINITY);
    for four in &*fours {
        most = most.or_greater(Four::load(four));
    }
    let [a, b, c, d] = most.to_array();
    let greater = |a: f32, b: f32| if a < b { b } else { a };
    let most = Four::splat(greater(greater(a, b), greater(c, d)));
    let scale = Four::splat(scale);
    let mut sum = Four::splat(0.0);
    for four in &mut *fours {
        let weight = exp_four((Four::load(four) - most) * scale);
        weight.store(four);
        sum = sum + weight;
    }
    let [a, b, c, d] = sum.to_array();
    let sum = Four::splat((a + c) + (b + d));
    for four in fours {
        (Four::load(four) / sum).store(four);
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
    let mut acc = [Four::splat(0.0); LANES / WIDTH];
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
    let mut acc = [Four::splat(0.0); LANES / WIDTH];
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
    let all = Four::splat(mean);
    let (fours, rest) = row.as_chunks_mut();
    for four in fours {
        (Four::load(four) - all).store(four);
    }
    rest.iter_mut().for_each(|value| *value -= mean);
    let scale = 1.0 / f32::sqrt(dot(row, row) / width + epsilon);
    let all = Four::splat(scale);
    let (fours, rest) = row.as_chunks_mut();
    for four in fours {
        (Four::load(four) * all).store(four);
    }
    rest.iter_mut().for_each(|value| *value *= scale);
    scale
}

/// As [`scalar::add_scaled`].
#[inline]
pub fn add_scaled(out: &mut [f32], scale: f32, x: &[f32]) {
    let factor = Four::splat(scale);
    let ((out, rest_out), (x, rest_x)) = (out.as_chunks_mut(), x.as_chunks());
    let x = &x[..out.len()];
    for (at, out) in out.iter_mut().enumerate() {
        (Four::load(out) + factor * Four::load(&x[at])).store(out);
    }
    scalar::add_scaled(rest_out, scale, rest_x);
}

/// As [`scalar::adam`].
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    let ((p, p_rest), (g, g_rest)) = (p.as_chunks_mut(), g.as_chunks());
    let ((m, m_rest), (v, v_rest)) = (m.as_chunks_mut(), v.as_chunks_mut());
    let [first, keep, second] = [step.first, step.keep, step.second].map(Four::splat);
    let [rate, scale, eps] = [step.rate, step.scale, step.eps].map(Four::splat);
    for (((p, g), m), v) in p.iter_mut().zip(g).zip(m).zip(v) {
        let (g, old) = (Four::load(g), Four::load(m));
        let mean = old + first * (g - old);
        mean.store(m);
        let squares = keep * Four::load(v) + second * (g * g);
        squares.store(v);
        let size = squares.sqrt() * scale + eps;
        (Four::load(p) - rate * (mean / size)).store(p);
    }
    scalar::adam(p_rest, g_rest, m_rest, v_rest, step);
}

/// As [`super::peak`].
#[must_use]
pub fn peak(rounds: u32) -> f32 {
    let [times, more] = black_box(PEAK).map(Four::splat);
    let start = black_box([0.5; 4]);
    let mut chains = [Four::load(&start); CHAINS];
    for _ in 0..rounds {
        for chain in &mut chains {
            *chain = *chain * times + more;
        }
    }
    chains.map(Four::to_array).as_flattened().iter().sum()
}

/// As [`scalar::above`].
pub fn above(row: &[f32], least: f32, out: &mut Vec<(u32, f32)>) {
    /// Values whose answers fit into one word.
    const WORD: usize = 64;
    let limit = Four::splat(least);
    let (words, rest) = row.as_chunks::<WORD>();
    let mut index = 0;
    for values in words {
        let mut bits = 0;
        for block in values.as_chunks().0.iter().rev() {
            bits = bits << TILE_COLS | u64::from(Four::greater(load_row(block), limit));
        }
        while bits != 0 {
            let offset = bits.trailing_zeros();
            out.push((index + offset, values[offset as usize % WORD]));
            bits &= bits - 1;
        }
        index += WORD as u32;
    }
    for (at, &value) in (index..).zip(rest) {
        if value > least {
            out.push((at, value));
        }
    }
}
