//! The kernels in WebAssembly's 128-bit SIMD: four `f32` a vector, bit-equal to [`scalar`].
//!
//! [`scalar`]: super::scalar

use core::arch::wasm32::{
    f32x4_add, f32x4_div, f32x4_extract_lane, f32x4_gt, f32x4_mul, f32x4_splat, f32x4_sqrt,
    f32x4_sub, i8x16_bitmask, i8x16_narrow_i16x8, i16x8_narrow_i32x4, v128, v128_load, v128_store,
};

use super::scalar::{self, AdamStep, LANES, Panels, TILE_COLS, TILE_ROWS};

/// Values a vector.
const WIDTH: usize = 4;

/// Four values from the front of a slice.
#[inline(always)]
fn load(from: &[f32]) -> v128 {
    assert!(from.len() >= WIDTH);
    // SAFETY: the slice holds at least four `f32`, 16 bytes; `v128_load` needs no alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

/// Four values to the front of a slice.
#[inline(always)]
fn store(to: &mut [f32], value: v128) {
    assert!(to.len() >= WIDTH);
    // SAFETY: the slice holds at least four `f32`, 16 bytes; `v128_store` needs no alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), value) }
}

#[inline(always)]
fn four(v: v128) -> [f32; WIDTH] {
    [
        f32x4_extract_lane::<0>(v),
        f32x4_extract_lane::<1>(v),
        f32x4_extract_lane::<2>(v),
        f32x4_extract_lane::<3>(v),
    ]
}

type Row = [v128; TILE_COLS / WIDTH];

#[inline(always)]
fn load_row(from: &[f32]) -> Row {
    [load(from), load(&from[4..]), load(&from[8..]), load(&from[12..])]
}

#[inline(always)]
fn multiply_add(acc: &mut Row, a: f32, b: Row) {
    let a = f32x4_splat(a);
    for (acc, b) in acc.iter_mut().zip(b) {
        *acc = f32x4_add(*acc, f32x4_mul(a, b));
    }
}

#[inline(always)]
fn store_row(acc: Row, out: &mut [f32]) {
    if out.len() >= TILE_COLS {
        for (i, acc) in acc.into_iter().enumerate() {
            store(&mut out[WIDTH * i..], acc);
        }
    } else {
        let row = acc.map(four);
        out.copy_from_slice(&row.as_flattened()[..out.len()]);
    }
}

/// As [`scalar::affine`].
pub fn affine(x: &[f32], weights: &Panels, bias: &[f32], out: &mut [f32]) {
    let (depth, cols) = (weights.depth(), weights.cols());
    let full = |from: usize| from..cols.min(from + TILE_COLS);
    for (x, out) in x.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
        for (panel, weights) in weights.iter().enumerate() {
            let at = full(panel * TILE_COLS);
            let mut start = [0.0; TILE_COLS];
            start[..at.len()].copy_from_slice(&bias[at.clone()]);
            let start = load_row(&start);
            if x.len() == TILE_ROWS * depth {
                let (first, second) = x.split_at(depth);
                let (mut a, mut b) = (start, start);
                let pairs = first.iter().zip(second);
                for ((x, y), weights) in pairs.zip(weights.chunks_exact(TILE_COLS)) {
                    let weights = load_row(weights);
                    multiply_add(&mut a, *x, weights);
                    multiply_add(&mut b, *y, weights);
                }
                let (first, second) = out.split_at_mut(cols);
                store_row(a, &mut first[at.clone()]);
                store_row(b, &mut second[at]);
            } else {
                let mut acc = start;
                for (x, weights) in x.iter().zip(weights.chunks_exact(TILE_COLS)) {
                    multiply_add(&mut acc, *x, load_row(weights));
                }
                store_row(acc, &mut out[at]);
            }
        }
    }
}

/// As [`scalar::dot`].
#[must_use]
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut acc = [f32x4_splat(0.0); LANES / WIDTH];
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b);
    for (a, b) in a.zip(b) {
        for (acc, (a, b)) in acc.iter_mut().zip(load_row(a).into_iter().zip(load_row(b))) {
            *acc = f32x4_add(*acc, f32x4_mul(a, b));
        }
    }
    let sum = f32x4_add(f32x4_add(acc[0], acc[1]), f32x4_add(acc[2], acc[3]));
    let [a, b, c, d] = four(sum);
    rest.fold((a + c) + (b + d), |acc, value| acc + value)
}

/// As [`scalar::add_scaled`].
#[inline]
pub fn add_scaled(out: &mut [f32], scale: f32, x: &[f32]) {
    let factor = f32x4_splat(scale);
    let mut outs = out.chunks_exact_mut(WIDTH);
    let mut xs = x.chunks_exact(WIDTH);
    for (out, x) in (&mut outs).zip(&mut xs) {
        let sum = f32x4_add(load(out), f32x4_mul(factor, load(x)));
        store(out, sum);
    }
    scalar::add_scaled(outs.into_remainder(), scale, xs.remainder());
}

/// As [`scalar::adam`].
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    let whole = p.len() / WIDTH * WIDTH;
    let (p, p_rest) = p.split_at_mut(whole);
    let (g, g_rest) = g.split_at(whole);
    let (m, m_rest) = m.split_at_mut(whole);
    let (v, v_rest) = v.split_at_mut(whole);
    let [first, keep, second] = [step.first, step.keep, step.second].map(|x| f32x4_splat(x));
    let [rate, scale, eps] = [step.rate, step.scale, step.eps].map(|x| f32x4_splat(x));
    let values = p.chunks_exact_mut(WIDTH).zip(g.chunks_exact(WIDTH));
    let moments = m.chunks_exact_mut(WIDTH).zip(v.chunks_exact_mut(WIDTH));
    for ((p, g), (m, v)) in values.zip(moments) {
        let (g, old) = (load(g), load(m));
        let mean = f32x4_add(old, f32x4_mul(first, f32x4_sub(g, old)));
        store(m, mean);
        let squares = f32x4_add(f32x4_mul(keep, load(v)), f32x4_mul(second, f32x4_mul(g, g)));
        store(v, squares);
        let size = f32x4_add(f32x4_mul(f32x4_sqrt(squares), scale), eps);
        let moved = f32x4_sub(load(p), f32x4_mul(rate, f32x4_div(mean, size)));
        store(p, moved);
    }
    scalar::adam(p_rest, g_rest, m_rest, v_rest, step);
}

/// As [`scalar::above`].
pub fn above(row: &[f32], least: f32, out: &mut Vec<(u32, f32)>) {
    /// Values whose answers fit into one word.
    const WORD: usize = 64;
    let limit = f32x4_splat(least);
    let words = row.chunks_exact(WORD);
    let rest = words.remainder();
    let mut index = 0;
    for values in words {
        let mut bits = 0;
        for block in values.chunks_exact(TILE_COLS).rev() {
            let [a, b, c, d] = load_row(block).map(|four| f32x4_gt(four, limit));
            // Lanes of all ones or all zeros stay so when they are narrowed: one bit a value.
            let lanes = i8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d));
            bits = bits << TILE_COLS | u64::from(i8x16_bitmask(lanes));
        }
        while bits != 0 {
            let offset = bits.trailing_zeros();
            out.push((index + offset, values[offset as usize % WORD]));
            bits &= bits - 1;
        }
        index += WORD as u32;
    }
    out.extend((index..).zip(rest).filter(|(_, value)| **value > least).map(|(at, x)| (at, *x)));
}
