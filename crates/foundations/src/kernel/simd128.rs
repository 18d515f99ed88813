//! The kernels in WebAssembly's 128-bit SIMD: two `f64` a vector, bit-equal to [`scalar`].
//!
//! [`scalar`]: super::scalar

use core::arch::wasm32::{
    f64x2_add, f64x2_extract_lane, f64x2_mul, f64x2_pmax, f64x2_promote_low_f32x4, f64x2_splat, i32x4_add,
    i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128, v128_load, v128_load64_zero, v128_store,
};

use super::scalar::{
    self, DOT_ROWS, GRAM_BLOCK, LANES, TILE_COLS, TILE_ROWS, add_tile, fold_lanes, pack_panels, product_remainder,
};

/// Two values from the front of a slice.
#[inline(always)]
fn load(from: &[f64]) -> v128 {
    assert!(from.len() >= 2);
    // SAFETY: the slice holds at least two `f64`, 16 bytes; `v128_load` needs no alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

/// Two values to the front of a slice.
#[inline(always)]
fn store(to: &mut [f64], value: v128) {
    assert!(to.len() >= 2);
    // SAFETY: the slice holds at least two `f64`, 16 bytes; `v128_store` needs no alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), value) }
}

/// As [`scalar::product`].
pub fn product(a: &[f64], b: &[f64], depth: usize, cols: usize, out: &mut [f64]) {
    if cols == 0 {
        return;
    }
    if depth == 0 {
        out.fill(0.0);
        return;
    }
    let mut packed = Vec::new();
    pack_panels(b, cols, &mut packed);
    for (a, out) in a.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
        if a.len() == TILE_ROWS * depth {
            for (panel, b) in packed.chunks_exact(TILE_COLS * depth).enumerate() {
                product_tile(a, b, depth, cols, panel * TILE_COLS, out);
            }
        } else {
            product_remainder(a, b, depth, cols, out);
        }
    }
}

#[inline]
fn product_tile(a: &[f64], b: &[f64], depth: usize, cols: usize, from: usize, out: &mut [f64]) {
    let mut acc = [[f64x2_splat(0.0); TILE_COLS / 2]; TILE_ROWS];
    let (a0, rest) = a.split_at(depth);
    let (a1, rest) = rest.split_at(depth);
    let (a2, a3) = rest.split_at(depth);
    let entries = a0.iter().zip(a1).zip(a2).zip(&a3[..depth]);
    for ((((a0, a1), a2), a3), b) in entries.zip(b.as_chunks::<TILE_COLS>().0) {
        let b = [load(b), load(&b[2..])];
        for (acc, a) in acc.iter_mut().zip([a0, a1, a2, a3]) {
            multiply_add(acc, *a, b);
        }
    }
    for (acc, out) in acc.iter().zip(out.chunks_exact_mut(cols)) {
        let out = &mut out[from..];
        if let Some(out) = out.get_mut(..TILE_COLS) {
            store(out, acc[0]);
            store(&mut out[2..], acc[1]);
        } else {
            let row = unpack_row(*acc);
            out.copy_from_slice(&row[..out.len()]);
        }
    }
}

#[inline(always)]
fn unpack_row(acc: [v128; TILE_COLS / 2]) -> [f64; TILE_COLS] {
    let [[a, b], [c, d]] = acc.map(unpack_pair);
    [a, b, c, d]
}

#[inline(always)]
fn multiply_add(acc: &mut [v128; TILE_COLS / 2], a: f64, b: [v128; TILE_COLS / 2]) {
    let a = f64x2_splat(a);
    acc[0] = f64x2_add(acc[0], f64x2_mul(a, b[0]));
    acc[1] = f64x2_add(acc[1], f64x2_mul(a, b[1]));
}

/// As [`scalar::add_bias_relu`].
pub fn add_bias_relu(out: &mut [f64], bias: &[f64]) {
    if bias.is_empty() {
        return;
    }
    let zero = f64x2_splat(0.0);
    for row in out.chunks_exact_mut(bias.len()) {
        let ((pairs, rest), (biases, rest_bias)) = (row.as_chunks_mut::<2>(), bias.as_chunks::<2>());
        for (pair, bias) in pairs.iter_mut().zip(biases) {
            // pmax(a, b) is `if a < b { b } else { a }`: the scalar comparison, NaN included.
            let sum = f64x2_add(load(pair), load(bias));
            store(pair, f64x2_pmax(zero, sum));
        }
        scalar::add_bias_relu(rest, rest_bias);
    }
}

/// As [`scalar::gram_upper`].
pub fn gram_upper(h: &[f64], d: usize, out: &mut [f64]) {
    let mut packed = Vec::new();
    for block in h.chunks(GRAM_BLOCK * d) {
        pack_panels(block, d, &mut packed);
        let panel = TILE_COLS * (block.len() / d);
        for (i, left) in packed.chunks_exact(panel).enumerate() {
            for (j, right) in packed.chunks_exact(panel).enumerate().skip(i) {
                let tile = gram_tile(left, right).map(unpack_row);
                add_tile(&tile, [i * TILE_COLS, j * TILE_COLS], d, out);
            }
        }
    }
}

#[inline]
fn gram_tile(left: &[f64], right: &[f64]) -> [[v128; TILE_COLS / 2]; TILE_ROWS] {
    let mut acc = [[f64x2_splat(0.0); TILE_COLS / 2]; TILE_ROWS];
    let (left, right) = (left.as_chunks::<TILE_COLS>().0, right.as_chunks::<TILE_COLS>().0);
    for (left, right) in left.iter().zip(right) {
        let right = [load(right), load(&right[2..])];
        for (acc, a) in acc.iter_mut().zip(left) {
            multiply_add(acc, *a, right);
        }
    }
    acc
}

/// As [`scalar::dot`].
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut acc = [f64x2_splat(0.0); LANES / 2];
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| a * b);
    for (a, b) in a.iter().zip(b) {
        for (i, acc) in acc.iter_mut().enumerate() {
            *acc = f64x2_add(*acc, f64x2_mul(load(&a[2 * i..]), load(&b[2 * i..])));
        }
    }
    fold_lanes(unpack_lanes(acc), rest)
}

/// As [`scalar::sum`].
#[must_use]
pub fn sum(a: &[f64]) -> f64 {
    let mut acc = [f64x2_splat(0.0); LANES / 2];
    let (chunks, rest) = a.as_chunks::<LANES>();
    for chunk in chunks {
        for (i, acc) in acc.iter_mut().enumerate() {
            *acc = f64x2_add(*acc, load(&chunk[2 * i..]));
        }
    }
    fold_lanes(unpack_lanes(acc), rest.iter().copied())
}

#[inline(always)]
fn unpack_pair(v: v128) -> [f64; 2] {
    [f64x2_extract_lane::<0>(v), f64x2_extract_lane::<1>(v)]
}

fn unpack_lanes(acc: [v128; LANES / 2]) -> [f64; LANES] {
    let [a, b, c, d] = acc.map(unpack_pair);
    [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
}

/// Two values from the front of a slice, widened.
#[inline(always)]
fn load_widened(from: &[f32]) -> v128 {
    assert!(from.len() >= 2);
    // SAFETY: the slice holds at least two `f32`, 8 bytes; `v128_load64_zero` needs no alignment.
    f64x2_promote_low_f32x4(unsafe { v128_load64_zero(from.as_ptr().cast()) })
}

/// As [`scalar::widening_product`].
pub fn widening_product(a: &[f64], panels: &[f32], depth: usize, cols: usize, out: &mut [f64]) {
    for (panel, b) in panels.chunks_exact(TILE_COLS * depth).enumerate() {
        let from = panel * TILE_COLS;
        for (a, out) in a.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
            if a.len() == TILE_ROWS * depth {
                widening_tile::<TILE_ROWS>(a, b, depth, from, cols, out);
            } else {
                for (a, out) in a.chunks_exact(depth).zip(out.chunks_exact_mut(cols)) {
                    widening_tile::<1>(a, b, depth, from, cols, out);
                }
            }
        }
    }
}

#[inline]
fn widening_tile<const ROWS: usize>(a: &[f64], b: &[f32], depth: usize, from: usize, cols: usize, out: &mut [f64]) {
    let mut acc = [[f64x2_splat(0.0); TILE_COLS / 2]; ROWS];
    let mut rows = a.chunks_exact(depth);
    let rows: [&[f64]; ROWS] = core::array::from_fn(|_| rows.next().unwrap_or_default());
    for (at, b) in b.as_chunks::<TILE_COLS>().0.iter().enumerate() {
        let b = [load_widened(b), load_widened(&b[2..])];
        for (acc, a) in acc.iter_mut().zip(rows) {
            multiply_add(acc, a[at], b);
        }
    }
    scalar::store_tile(&acc.map(unpack_row), from, cols, out);
}

/// As [`scalar::add_scaled`].
pub fn add_scaled(acc: &mut [f64], scale: f64, row: &[f32]) {
    let wide = f64x2_splat(scale);
    let ((pairs, rest), (values, rest_row)) = (acc.as_chunks_mut::<2>(), row.as_chunks::<2>());
    for (pair, values) in pairs.iter_mut().zip(values) {
        let sum = f64x2_add(load(pair), f64x2_mul(wide, load_widened(values)));
        store(pair, sum);
    }
    scalar::add_scaled(rest, scale, rest_row);
}

/// As [`scalar::widening_dots`].
#[must_use]
pub fn widening_dots(a: &[f64], rows: [&[f32]; DOT_ROWS]) -> [f64; DOT_ROWS] {
    let mut acc = [[f64x2_splat(0.0); DOT_ROWS / 2]; DOT_ROWS];
    let (fours, rest) = a.as_chunks::<DOT_ROWS>();
    let [b0, b1, b2, b3] = rows.map(|row| row.as_chunks::<DOT_ROWS>().0);
    for ((((a, b0), b1), b2), b3) in fours.iter().zip(b0).zip(b1).zip(b2).zip(b3) {
        let a = [load(a), load(&a[2..])];
        for (acc, b) in acc.iter_mut().zip([b0, b1, b2, b3]) {
            acc[0] = f64x2_add(acc[0], f64x2_mul(a[0], load_widened(b)));
            acc[1] = f64x2_add(acc[1], f64x2_mul(a[1], load_widened(&b[2..])));
        }
    }
    scalar::fold_dot_lanes(acc.map(unpack_row), rest, rows)
}

/// As [`scalar::add_scaled_rows`].
pub fn add_scaled_rows(acc: &mut [f64], scales: [f64; DOT_ROWS], rows: [&[f32]; DOT_ROWS]) {
    let wide = scales.map(|scale| f64x2_splat(scale));
    let (pairs, rest) = acc.as_chunks_mut::<2>();
    let [r0, r1, r2, r3] = rows.map(|row| row.as_chunks::<2>().0);
    for ((((pair, a), b), c), d) in pairs.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
        let mut sum = load(pair);
        for (wide, row) in wide.iter().zip([a, b, c, d]) {
            sum = f64x2_add(sum, f64x2_mul(*wide, load_widened(row)));
        }
        store(pair, sum);
    }
    let left = rest.len();
    scalar::add_scaled_rows(rest, scales, rows.map(|row| &row[row.len() - left..]));
}

/// Whole numbers a vector.
const INTEGER_LANES: usize = 8;

/// Eight whole numbers from the front of a slice.
#[inline(always)]
fn load_integers(from: &[i16]) -> v128 {
    assert!(from.len() >= INTEGER_LANES);
    // SAFETY: the slice holds at least eight `i16`, 16 bytes; `v128_load` needs no alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

#[inline(always)]
fn sum_integer_lanes(v: v128) -> i32 {
    (i32x4_extract_lane::<0>(v) + i32x4_extract_lane::<1>(v))
        + (i32x4_extract_lane::<2>(v) + i32x4_extract_lane::<3>(v))
}

/// As [`scalar::integer_product`], of rows whose `depth` is a multiple of eight.
pub fn integer_product(a: &[i16], b: &[i16], depth: usize, out: &mut [i32]) {
    assert!(depth.is_multiple_of(INTEGER_LANES));
    scalar::integer_tiles(a, b, depth, out, integer_tile);
}

/// Of two rows with four: sixteen registers hold the sums, and what is multiplied.
#[inline]
fn integer_tile([a0, a1]: [&[i16]; 2], b: [&[i16]; 4]) -> [[i32; 4]; 2] {
    let mut acc = [[i32x4_splat(0); 4]; 2];
    let [b0, b1, b2, b3] = b.map(|row| row.as_chunks::<INTEGER_LANES>().0);
    let (a0, a1) = (a0.as_chunks::<INTEGER_LANES>().0, a1.as_chunks::<INTEGER_LANES>().0);
    for (((((a0, a1), b0), b1), b2), b3) in a0.iter().zip(a1).zip(b0).zip(b1).zip(b2).zip(b3) {
        let a = [load_integers(a0), load_integers(a1)];
        for (column, b) in [b0, b1, b2, b3].into_iter().enumerate() {
            let b = load_integers(b);
            for (acc, a) in acc.iter_mut().zip(a) {
                acc[column] = i32x4_add(acc[column], i32x4_dot_i16x8(a, b));
            }
        }
    }
    acc.map(|row| row.map(sum_integer_lanes))
}
