//! Kernels in `f32`, for training autoencoders, for encoding with them, and for the transformer.
//!
//! As in the parent module, [`scalar`] fixes every lane and the order of every addition, and `simd` computes
//! the same, bit for bit: in WebAssembly, and on x86-64, whose compiler makes of the specification's products
//! one multiplication at a time; there `native` has products with AVX where the processor has it. Nothing printed of
//! the paper passes through here.

#[cfg(any(target_feature = "sse2", target_feature = "simd128"))]
mod f32x4;
#[cfg(target_arch = "x86_64")]
mod native;
pub mod scalar;
#[cfg(any(target_feature = "sse2", target_feature = "simd128"))]
pub mod simd;

#[cfg(not(any(target_feature = "sse2", target_feature = "simd128")))]
use scalar as active;
#[cfg(any(target_feature = "sse2", target_feature = "simd128"))]
use simd as active;

#[cfg(not(target_arch = "x86_64"))]
use active as products;
#[cfg(target_arch = "x86_64")]
use native as products;
pub use scalar::{AdamStep, WeightPanels};

/// X·Wᵀ + bias for row-major `x` (rows × depth) and W in panels (columns × depth), into `out` (rows ×
/// columns). Every entry begins with its bias and is summed over the depth in order.
///
/// # Panics
/// When a length does not fit.
pub fn affine(x: &[f32], weights: &WeightPanels, bias: &[f32], out: &mut [f32]) {
    affine_columns(x, weights, bias, out, (weights.cols(), 0));
}

/// As [`affine`], into columns of a wider `out`, whose rows have `stride` numbers, from one column on.
///
/// # Panics
/// When a length does not fit.
pub fn affine_columns(
    x: &[f32],
    weights: &WeightPanels,
    bias: &[f32],
    out: &mut [f32],
    (stride, first): (usize, usize),
) {
    assert_eq!(bias.len(), weights.cols(), "one bias a column");
    assert!(first + weights.cols() <= stride, "columns of a row");
    assert_eq!(x.len() * stride, out.len() * weights.depth(), "rows of a product");
    if !out.is_empty() && weights.cols() > 0 {
        products::affine(x, weights, bias, out, (stride, first));
    }
}

/// The dot product of two slices of one length, in [`scalar::LANES`] lanes.
///
/// # Panics
/// When the lengths differ.
#[must_use]
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "lengths of a dot product");
    active::dot(a, b)
}

/// The sum of a slice, in [`scalar::LANES`] lanes.
#[must_use]
#[inline]
pub fn sum(values: &[f32]) -> f32 {
    active::sum(values)
}

/// Weighted rows, column by column: `out[j] = Σ weights[i] · rows[i · stride + j]`, first row to last, from 0.
///
/// # Panics
/// When a row is shorter than `out`.
#[inline]
pub fn weighted_row_sum(weights: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
    let last = weights.len().saturating_sub(1) * stride;
    assert!(out.len() <= stride && rows.len() >= last + out.len(), "a row for each weight");
    active::weighted_row_sum(weights, rows, stride, out);
}

/// eˣ in place of each x, to a relative error below 1e-7: 0 for x below −86.98, where eˣ is 1.7e-38, and ∞
/// above 88.7228, where no `f32` holds it.
pub fn exp(values: &mut [f32]) {
    active::exp_all(values);
}

/// softmax(`scale` · x) of the first `used` numbers of a row; the others become 0.
///
/// # Formula
/// e^{scale·(xᵢ − max x)} / Σ e^{scale·(xⱼ − max x)}, by [`exp`].
///
/// # Panics
/// When the row is not of whole fours, or has fewer than `used`.
#[inline]
pub fn softmax(row: &mut [f32], used: usize, scale: f32) {
    assert!(row.len().is_multiple_of(4) && used <= row.len(), "a row of whole fours");
    active::softmax(row, used, scale);
}

/// (x − mean)/√(mean((x − mean)²) + ε) in place of a row; gives one over the root.
///
/// # Panics
/// When the row is empty.
#[inline]
pub fn standardize(row: &mut [f32], epsilon: f32) -> f32 {
    assert!(!row.is_empty(), "numbers to standardize");
    active::standardize(row, epsilon)
}

/// `out += scale · x`.
///
/// # Panics
/// When the lengths differ.
#[inline]
pub fn add_scaled(out: &mut [f32], scale: f32, x: &[f32]) {
    assert_eq!(out.len(), x.len(), "lengths of a sum");
    active::add_scaled(out, scale, x);
}

/// One step of Adam on every parameter; `m` and `v` are its moments.
///
/// # Formula
/// PyTorch's: m ← m + (1 − β₁)(g − m), v ← β₂v + (1 − β₂)g²,
/// p ← p − η/(1 − β₁ᵗ) · m / (√v / √(1 − β₂ᵗ) + ε).
///
/// # Panics
/// When the lengths differ.
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    assert!(g.len() == p.len() && m.len() == p.len() && v.len() == p.len(), "one moment a value");
    active::adam(p, g, m, v, step);
}

/// Multiplications and additions of each round of [`run_peak_workload`].
pub const PEAK_FLOPS_PER_ROUND: f64 = (2 * 4 * scalar::PEAK_CHAINS) as f64;

/// Multiplies and adds in registers alone, again and again: the most that a kernel can do here without fused
/// multiplications, to hold others against. What it comes to means nothing.
#[must_use]
pub fn run_peak_workload(rounds: u32) -> f32 {
    active::run_peak_workload(rounds)
}

/// Finds the largest values of rows, one row after the other.
///
/// It guesses from the rows before how large they will be, and looks at the values above that alone;
/// where the guess was too high, at all of them. What it finds does not depend on the guess.
#[derive(Clone, Debug, Default)]
pub struct TopKSelector {
    guess: f32,
}

impl TopKSelector {
    /// The `k` largest positive values of a row, of equal ones those of lower index, as (index, value)
    /// by ascending index into `out`, which is cleared; fewer where fewer are positive.
    pub fn top_k(&mut self, row: &[f32], k: usize, out: &mut Vec<(u32, f32)>) {
        /// Up to so many candidates are told apart by counting, more by sorting.
        const COUNTED_MAX: usize = 32;
        out.clear();
        if k == 0 {
            return;
        }
        active::collect_above(row, self.guess, out);
        if out.len() < k && self.guess > 0.0 {
            out.clear();
            active::collect_above(row, 0.0, out);
        }
        let found = out.len();
        if found > COUNTED_MAX && found > k {
            // Positive numbers order as their bits do.
            out.select_nth_unstable_by_key(k - 1, |(index, value)| (!value.to_bits(), *index));
            let least = out[k - 1].1;
            out.truncate(k);
            out.sort_unstable_by_key(|(index, _)| *index);
            self.guess = 0.9 * least;
            return;
        }
        if found > k {
            // A candidate stays where fewer than k others come before it.
            let mut kept = [(0, 0.0); COUNTED_MAX];
            let candidates = &mut kept[..found];
            candidates.copy_from_slice(out);
            out.clear();
            for (at, &(index, value)) in candidates.iter().enumerate() {
                let above = candidates.iter().filter(|other| other.1 > value).count();
                let ties = candidates[..at].iter().filter(|other| other.1 == value).count();
                if above + ties < k {
                    out.push((index, value));
                }
            }
        }
        // Few candidates beyond k are the quickest, too few the slowest.
        if found < k + k / 4 {
            self.guess *= 0.95;
        } else if found > 2 * k {
            self.guess *= 1.02;
        }
    }
}
