//! The loops that take the time: products, Gram matrices, sums.
//!
//! [`scalar`] is the specification: it fixes the lanes and the order of every addition. `simd128`,
//! for WebAssembly, and `native`, for x86-64, compute the same additions in the same order and must equal it
//! bit for bit; they, and `f32x4` and `native` in [`single_precision`], are the only modules with `unsafe` code. Nothing fuses a
//! multiplication with an addition.

pub mod cases;
#[cfg(target_arch = "x86_64")]
pub mod native;
pub mod quantized;
pub mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod simd128;
pub mod single_precision;

#[cfg(target_arch = "x86_64")]
use native as active;
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use scalar as active;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as active;

/// The product A·B (rows × `depth` times `depth` × `cols`), row by row, into `out`.
///
/// Every entry is summed over the inner dimension from its first index to its last, from 0.
///
/// # Panics
/// When a length does not fit.
pub fn product(a: &[f64], b: &[f64], depth: usize, cols: usize, out: &mut [f64]) {
    assert_eq!(b.len(), depth * cols, "entries of the second factor");
    assert_eq!(a.len() * cols, out.len() * depth, "rows of a product");
    active::product(a, b, depth, cols, out);
}

/// max(0, A·B + bias), row by row, into `out`; shapes as those of [`product`].
///
/// # Panics
/// When a length does not fit.
pub fn affine_relu(a: &[f64], b: &[f64], depth: usize, bias: &[f64], out: &mut [f64]) {
    product(a, b, depth, bias.len(), out);
    active::add_bias_relu(out, bias);
}

/// The upper triangle of the Gram matrix HᵀH of rows of width `d`, into `out` (d × d).
///
/// Rows are taken in blocks of [`scalar::GRAM_BLOCK`]; each block is summed from 0, first row to
/// last, and the blocks' sums are added in order.
///
/// # Panics
/// When a length does not fit.
pub fn gram_upper(h: &[f64], d: usize, out: &mut [f64]) {
    assert_eq!(out.len(), d * d, "entries of a Gram matrix");
    if d > 0 {
        active::gram_upper(h, d, out);
    }
}

/// The dot product of two slices of one length, in [`scalar::LANES`] lanes.
///
/// # Panics
/// When the lengths differ.
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "lengths of a dot product");
    active::dot(a, b)
}

/// The sum of a slice, in [`scalar::LANES`] lanes.
#[must_use]
pub fn sum(a: &[f64]) -> f64 {
    active::sum(a)
}

/// A matrix of `f32`, laid out for [`widening_product`].
#[derive(Clone, Debug)]
pub struct Panels {
    depth: usize,
    cols: usize,
    data: Vec<f32>,
}

impl Panels {
    /// The matrix whose columns, each of `depth` entries, follow one another in `columns`: the rows of
    /// its transpose.
    ///
    /// # Panics
    /// When `columns` does not hold whole columns.
    #[must_use]
    pub fn from_columns(columns: &[f32], depth: usize) -> Self {
        let cols = columns.len().checked_div(depth).unwrap_or(0);
        assert_eq!(cols * depth, columns.len(), "whole columns");
        let mut data = Vec::new();
        data.reserve_exact(cols.next_multiple_of(scalar::TILE_COLS) * depth);
        scalar::pack_panels_f32(columns, depth, &mut data);
        Self { depth, cols, data }
    }

    /// (rows, columns).
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.depth, self.cols)
    }
}

/// The product a·B of rows of `f64` with a matrix of `f32`, widened to `f64` where it is multiplied.
///
/// Every entry is summed over the inner dimension from its first index to its last, from 0.
///
/// # Panics
/// When a length does not fit.
pub fn widening_product(a: &[f64], b: &Panels, out: &mut [f64]) {
    assert_eq!(a.len() * b.cols, out.len() * b.depth, "rows of a product");
    if b.data.is_empty() {
        out.fill(0.0);
        return;
    }
    active::widening_product(a, &b.data, b.depth, b.cols, out);
}

/// A number that weights are made of, `f32` or `f64`. What is computed with either is computed in `f64`, in one order:
/// the same numbers give the same bits.
pub trait Number: Copy + Default + Into<f64> + Send + Sync + 'static {
    /// [`widening_dots`].
    #[doc(hidden)]
    fn dot_rows(a: &[f64], rows: [&[Self]; scalar::DOT_ROWS]) -> [f64; scalar::DOT_ROWS] {
        scalar::widening_dots(a, rows)
    }
    /// [`add_scaled`].
    #[doc(hidden)]
    fn accumulate_scaled(acc: &mut [f64], scale: f64, row: &[Self]) {
        scalar::add_scaled(acc, scale, row);
    }
    /// [`add_scaled_rows`].
    #[doc(hidden)]
    fn accumulate_scaled_rows(acc: &mut [f64], scales: [f64; scalar::DOT_ROWS], rows: [&[Self]; scalar::DOT_ROWS]) {
        scalar::add_scaled_rows(acc, scales, rows);
    }
}

impl Number for f64 {}

impl Number for f32 {
    fn dot_rows(a: &[f64], rows: [&[Self]; scalar::DOT_ROWS]) -> [f64; scalar::DOT_ROWS] {
        active::widening_dots(a, rows)
    }
    fn accumulate_scaled(acc: &mut [f64], scale: f64, row: &[Self]) {
        active::add_scaled(acc, scale, row);
    }
    fn accumulate_scaled_rows(acc: &mut [f64], scales: [f64; scalar::DOT_ROWS], rows: [&[Self]; scalar::DOT_ROWS]) {
        active::add_scaled_rows(acc, scales, rows);
    }
}

/// The dot products of a slice of `f64` with four of weights, in four lanes each.
///
/// # Panics
/// When the lengths differ.
#[must_use]
pub fn widening_dots<T: Number>(a: &[f64], rows: [&[T]; scalar::DOT_ROWS]) -> [f64; scalar::DOT_ROWS] {
    assert!(rows.iter().all(|row| row.len() == a.len()), "lengths of a dot product");
    T::dot_rows(a, rows)
}

/// Adds `scale` times a row to `acc`, entry by entry.
///
/// # Panics
/// When the lengths differ.
pub fn add_scaled<T: Number>(acc: &mut [f64], scale: f64, row: &[T]) {
    assert_eq!(acc.len(), row.len(), "lengths of a sum");
    T::accumulate_scaled(acc, scale, row);
}

/// [`add_scaled`] of four rows, one after the other: the same bits.
///
/// # Panics
/// When the lengths differ.
pub fn add_scaled_rows<T: Number>(acc: &mut [f64], scales: [f64; scalar::DOT_ROWS], rows: [&[T]; scalar::DOT_ROWS]) {
    assert!(rows.iter().all(|row| row.len() == acc.len()), "lengths of a sum");
    T::accumulate_scaled_rows(acc, scales, rows);
}
