//! The specification of every kernel in `f32`, in plain Rust.

use std::hint::black_box;

/// Partial sums a dot product keeps: lane `i` takes the entries `i`, `i + LANES`, ….
pub const LANES: usize = 16;

/// Rows and columns of a register tile: with four values a vector, eight vectors of sums.
pub(super) const TILE_ROWS: usize = 2;
/// As many as four vectors have values.
pub(crate) const TILE_COLS: usize = 16;

/// A weight matrix rearranged for [`affine`]: `TILE_COLS` of its rows at a time, one panel after the
/// other, within a panel depth by depth; the last panel is filled up with zeros.
#[derive(Clone, Debug, Default)]
pub struct WeightPanels {
    cols: usize,
    depth: usize,
    data: Vec<f32>,
}

impl WeightPanels {
    /// Takes row-major `weights` (columns of the product × `depth`) anew.
    ///
    /// # Panics
    /// When `weights` is no whole number of rows, or `depth` is 0.
    pub fn fill(&mut self, weights: &[f32], depth: usize) {
        assert!(depth > 0 && weights.len().is_multiple_of(depth), "whole rows of weights");
        let cols = weights.len() / depth;
        let size = cols.next_multiple_of(TILE_COLS) * depth;
        if (self.cols, self.depth) != (cols, depth) {
            *self = Self { cols, depth, data: vec![0.0; size] };
        }
        let panels = self.data.chunks_exact_mut(TILE_COLS * depth);
        for (panel, rows) in panels.zip(weights.chunks(TILE_COLS * depth)) {
            for (col, row) in rows.chunks_exact(depth).enumerate() {
                for (out, value) in panel[col..].iter_mut().step_by(TILE_COLS).zip(row) {
                    *out = *value;
                }
            }
        }
    }

    /// Takes a row-major matrix (`depth` rows × columns of the product) anew: what [`WeightPanels::fill`] takes,
    /// transposed.
    ///
    /// # Panics
    /// When `matrix` is no whole number of rows, or `cols` is 0.
    pub fn fill_transposed(&mut self, matrix: &[f32], cols: usize) {
        assert!(cols > 0 && matrix.len().is_multiple_of(cols), "whole rows of a matrix");
        let depth = matrix.len() / cols;
        let size = cols.next_multiple_of(TILE_COLS) * depth;
        if (self.cols, self.depth) != (cols, depth) {
            *self = Self { cols, depth, data: vec![0.0; size] };
        }
        for (panel, data) in self.data.chunks_exact_mut((TILE_COLS * depth).max(1)).enumerate() {
            let from = panel * TILE_COLS;
            let width = TILE_COLS.min(cols - from);
            for (out, row) in data.chunks_exact_mut(TILE_COLS).zip(matrix.chunks_exact(cols)) {
                out[..width].copy_from_slice(&row[from..from + width]);
            }
        }
    }

    /// Columns of the product.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Terms of each sum.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The weights of one column of the product, as [`WeightPanels::fill`] took them.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn column(&self, col: usize) -> impl Iterator<Item = f32> {
        assert!(col < self.cols, "a column of the product");
        let from = col / TILE_COLS * TILE_COLS * self.depth + col % TILE_COLS;
        self.data[from..].iter().step_by(TILE_COLS).take(self.depth).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[f32]> {
        self.data.chunks_exact((TILE_COLS * self.depth).max(1))
    }
}

/// `out = x · weightsᵀ + bias`, into columns of rows of `stride` numbers from `first` on; nothing is empty.
pub fn affine(x: &[f32], weights: &WeightPanels, bias: &[f32], out: &mut [f32], (stride, first): (usize, usize)) {
    let (depth, cols) = (weights.depth(), weights.cols());
    for (x, out) in x.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * stride)) {
        for (panel, weights) in weights.iter().enumerate() {
            let from = panel * TILE_COLS;
            let width = TILE_COLS.min(cols - from);
            let mut start = [0.0; TILE_COLS];
            start[..width].copy_from_slice(&bias[from..from + width]);
            for (x, out) in x.chunks_exact(depth).zip(out.chunks_exact_mut(stride)) {
                let mut acc = start;
                for (x, weights) in x.iter().zip(weights.as_chunks::<TILE_COLS>().0) {
                    acc.iter_mut().zip(weights).for_each(|(acc, weight)| *acc += x * weight);
                }
                out[first + from..first + from + width].copy_from_slice(&acc[..width]);
            }
        }
    }
}

/// Weighted rows, column by column: `out[j] = Σ weights[i] · rows[i · stride + j]`, first row to last, from 0.
pub fn weighted_row_sum(weights: &[f32], rows: &[f32], stride: usize, out: &mut [f32]) {
    out.fill(0.0);
    for (weight, row) in weights.iter().zip(rows.chunks(stride)) {
        out.iter_mut().zip(row).for_each(|(out, value)| *out += weight * value);
    }
}

/// The constants of [`exp`].
pub(super) struct ExpConstants;

impl ExpConstants {
    /// Below, eˣ is not a normal number: it is made 0.
    pub const INPUT_MIN: f32 = -87.3;
    /// Above, eˣ is no number.
    pub const INPUT_MAX: f32 = 89.0;
    pub const LOG2_E: f32 = core::f32::consts::LOG2_E;
    /// 1.5 · 2²³: added to a number it leaves no place behind the point, and the nearest whole number in the
    /// lowest bits.
    pub const ROUNDING_SHIFT: f32 = 12_582_912.0;
    /// ln 2 to so few places that its product with a whole number to 128 is exact, and the rest.
    pub const LN_2_HIGH: f32 = 355.0 / 512.0;
    pub const LN_2_LOW: f32 = -2.121_944_4e-4;
    /// Twice the coefficients of (eʳ − 1 − r)/r² where |r| ≤ ln 2/2, highest power first.
    pub const COEFFICIENTS: [f32; 6] = [
        2.0 * 1.987_569_1e-4,
        2.0 * 1.398_199_9e-3,
        2.0 * 8.333_452e-3,
        2.0 * 4.166_579_6e-2,
        2.0 * 1.666_666_5e-1,
        2.0 * 0.5,
    ];
    /// The bits of ½.
    pub const HALF_BITS: u32 = 126 << 23;
}

/// eˣ.
///
/// # Formula
/// 2ⁿ·eʳ with n the whole number nearest x/ln 2 and r = x − n·ln 2, eʳ = 1 + r + r²·p(r).
#[must_use]
#[inline]
pub fn exp(x: f32) -> f32 {
    let x = if x < ExpConstants::INPUT_MIN { ExpConstants::INPUT_MIN } else { x };
    let x = if ExpConstants::INPUT_MAX < x { ExpConstants::INPUT_MAX } else { x };
    let shifted = x * ExpConstants::LOG2_E + ExpConstants::ROUNDING_SHIFT;
    let n = shifted - ExpConstants::ROUNDING_SHIFT;
    let r = (x - n * ExpConstants::LN_2_HIGH) - n * ExpConstants::LN_2_LOW;
    let [first, rest @ ..] = ExpConstants::COEFFICIENTS;
    let sum = rest.into_iter().fold(first, |sum, term| sum * r + term);
    // Twice eʳ times half of 2ⁿ: so 2¹²⁸ times less than 1 can be said, and half of 2⁻¹²⁶ is 0.
    let twice = (sum * (r * r) + (r + r)) + 2.0;
    twice * f32::from_bits((shifted.to_bits() << 23).wrapping_add(ExpConstants::HALF_BITS))
}

/// [`exp`] of each.
pub fn exp_all(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = exp(*value));
}

/// softmax(`scale` · x) of the first `used` of a row of whole fours; the rest becomes 0. The sum is that of
/// four lanes, lane `i` of the entries `i`, `i + 4`, ….
pub fn softmax(row: &mut [f32], used: usize, scale: f32) {
    let (row, rest) = row.split_at_mut(used);
    rest.fill(0.0);
    let greater = |most: f32, value: &f32| if most < *value { *value } else { most };
    let most = row.iter().fold(f32::NEG_INFINITY, greater);
    let mut lanes = [0.0; 4];
    for (at, value) in row.iter_mut().enumerate() {
        *value = exp((*value - most) * scale);
        lanes[at % 4] += *value;
    }
    let sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    row.iter_mut().for_each(|value| *value /= sum);
}

/// Adds the lanes up: the vectors of four in pairs, then halves onto halves; then the rest in order.
#[inline]
pub(super) fn fold_lanes(lanes: [f32; LANES], rest: impl Iterator<Item = f32>) -> f32 {
    let four = |i: usize| (lanes[i] + lanes[i + 4]) + (lanes[i + 8] + lanes[i + 12]);
    let tree = (four(0) + four(2)) + (four(1) + four(3));
    rest.fold(tree, |acc, value| acc + value)
}

/// The dot product of two slices of one length.
#[must_use]
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut acc = [0.0; LANES];
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| a * b);
    for (a, b) in a.iter().zip(b) {
        acc.iter_mut().zip(a.iter().zip(b)).for_each(|(acc, (a, b))| *acc += a * b);
    }
    fold_lanes(acc, rest)
}

/// The sum of a slice, in the lanes of [`dot`].
#[must_use]
#[inline]
pub fn sum(values: &[f32]) -> f32 {
    let mut acc = [0.0; LANES];
    let (sixteens, rest) = values.as_chunks::<LANES>();
    for values in sixteens {
        acc.iter_mut().zip(values).for_each(|(acc, value)| *acc += value);
    }
    fold_lanes(acc, rest.iter().copied())
}

/// (x − mean)/√(mean((x − mean)²) + ε) in place of a row that is not empty; gives one over the root.
pub fn standardize(row: &mut [f32], epsilon: f32) -> f32 {
    let width = row.len() as f32;
    let mean = sum(row) / width;
    row.iter_mut().for_each(|value| *value -= mean);
    let scale = 1.0 / f32::sqrt(dot(row, row) / width + epsilon);
    row.iter_mut().for_each(|value| *value *= scale);
    scale
}

/// `out += scale · x` for slices of one length.
#[inline]
pub fn add_scaled(out: &mut [f32], scale: f32, x: &[f32]) {
    out.iter_mut().zip(x).for_each(|(out, x)| *out += scale * x);
}

/// The numbers of one step of Adam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamStep {
    /// 1 − β₁.
    pub one_minus_beta1: f32,
    /// β₂.
    pub beta2: f32,
    /// 1 − β₂.
    pub one_minus_beta2: f32,
    /// η / (1 − β₁ᵗ).
    pub step_size: f32,
    /// 1 / √(1 − β₂ᵗ).
    pub bias_correction2_rsqrt: f32,
    /// ε.
    pub eps: f32,
}

impl AdamStep {
    /// The numbers of step `t`, counted from 1, computed in `f64` as PyTorch has them.
    #[must_use]
    pub fn at_step(rate: f64, (beta1, beta2): (f64, f64), eps: f64, t: impl Into<f64>) -> Self {
        let t = t.into();
        Self {
            one_minus_beta1: (1.0 - beta1) as f32,
            beta2: beta2 as f32,
            one_minus_beta2: (1.0 - beta2) as f32,
            step_size: (rate / (1.0 - libm::pow(beta1, t))) as f32,
            bias_correction2_rsqrt: (1.0 / f64::sqrt(1.0 - libm::pow(beta2, t))) as f32,
            eps: eps as f32,
        }
    }
}

/// One step of Adam on slices of one length.
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    for (((p, g), m), v) in p.iter_mut().zip(g).zip(m).zip(v) {
        *m += step.one_minus_beta1 * (g - *m);
        *v = step.beta2 * *v + step.one_minus_beta2 * (g * g);
        let size = f32::sqrt(*v) * step.bias_correction2_rsqrt + step.eps;
        *p -= step.step_size * (*m / size);
    }
}

/// Vectors that [`run_peak_workload`] works on: none waits for another, and all fit into the registers.
pub(super) const PEAK_CHAINS: usize = 12;
/// What each number is multiplied by, and what is added.
pub(super) const PEAK_COEFFICIENTS: [f32; 2] = [0.999, 0.001];

/// As [`super::run_peak_workload`].
#[must_use]
pub fn run_peak_workload(rounds: u32) -> f32 {
    let [times, more] = black_box(PEAK_COEFFICIENTS);
    let mut chains = black_box([[0.5; 4]; PEAK_CHAINS]);
    for _ in 0..rounds {
        chains.as_flattened_mut().iter_mut().for_each(|x| *x = *x * times + more);
    }
    chains.as_flattened().iter().sum()
}

/// Appends the values of a row above `least`, with their indices, in order.
pub fn collect_above(row: &[f32], least: f32, out: &mut Vec<(u32, f32)>) {
    out.extend((0u32..).zip(row).filter(|(_, value)| **value > least).map(|(at, value)| (at, *value)));
}
