//! The specification of every kernel in `f32`, in plain Rust.

/// Partial sums a dot product keeps: lane `i` takes the entries `i`, `i + LANES`, ….
pub const LANES: usize = 16;

/// Rows and columns of a register tile: with four values a vector, eight vectors of sums.
pub(super) const TILE_ROWS: usize = 2;
pub(crate) const TILE_COLS: usize = 16;

/// A weight matrix rearranged for [`affine`]: `TILE_COLS` of its rows at a time, one panel after the
/// other, within a panel depth by depth; the last panel is filled up with zeros.
#[derive(Clone, Debug, Default)]
pub struct Panels {
    cols: usize,
    depth: usize,
    data: Vec<f32>,
}

impl Panels {
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

    /// Takes a row-major matrix (`depth` rows × columns of the product) anew: what [`Panels::fill`] takes,
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

    pub(super) fn iter(&self) -> impl Iterator<Item = &[f32]> {
        self.data.chunks_exact((TILE_COLS * self.depth).max(1))
    }
}

/// `out = x · weightsᵀ + bias`; nothing is empty.
pub fn affine(x: &[f32], weights: &Panels, bias: &[f32], out: &mut [f32]) {
    let (depth, cols) = (weights.depth(), weights.cols());
    for (x, out) in x.chunks(TILE_ROWS * depth).zip(out.chunks_mut(TILE_ROWS * cols)) {
        for (panel, weights) in weights.iter().enumerate() {
            let from = panel * TILE_COLS;
            let width = TILE_COLS.min(cols - from);
            let mut start = [0.0; TILE_COLS];
            start[..width].copy_from_slice(&bias[from..from + width]);
            for (x, out) in x.chunks_exact(depth).zip(out.chunks_exact_mut(cols)) {
                let mut acc = start;
                for (x, weights) in x.iter().zip(weights.chunks_exact(TILE_COLS)) {
                    acc.iter_mut().zip(weights).for_each(|(acc, weight)| *acc += x * weight);
                }
                out[from..from + width].copy_from_slice(&acc[..width]);
            }
        }
    }
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
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b);
    for (a, b) in a.zip(b) {
        acc.iter_mut().zip(a.iter().zip(b)).for_each(|(acc, (a, b))| *acc += a * b);
    }
    fold_lanes(acc, rest)
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
    pub first: f32,
    /// β₂.
    pub keep: f32,
    /// 1 − β₂.
    pub second: f32,
    /// η / (1 − β₁ᵗ).
    pub rate: f32,
    /// 1 / √(1 − β₂ᵗ).
    pub scale: f32,
    /// ε.
    pub eps: f32,
}

/// One step of Adam on slices of one length.
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    for (((p, g), m), v) in p.iter_mut().zip(g).zip(m).zip(v) {
        *m += step.first * (g - *m);
        *v = step.keep * *v + step.second * (g * g);
        let size = f32::sqrt(*v) * step.scale + step.eps;
        *p -= step.rate * (*m / size);
    }
}

/// Appends the values of a row above `least`, with their indices, in order.
pub fn above(row: &[f32], least: f32, out: &mut Vec<(u32, f32)>) {
    out.extend(
        (0u32..).zip(row).filter(|(_, value)| **value > least).map(|(at, value)| (at, *value)),
    );
}
