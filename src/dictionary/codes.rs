//! Sparsity levels: hard thresholding of codes (§4.1).

use crate::Matrix;

/// Codes that level λ zeroes in each row of K: floor(λ·K), the product taken in floating point and
/// truncated, as the paper's tables show (0.7 · 48 → 33, 0.95 · 48 → 45).
#[must_use]
pub fn dropped(level: f64, k: usize) -> usize {
    ((level * k as f64) as usize).min(k)
}

/// Zeroes, in each row, the `count` codes of smallest magnitude; of equal ones the lower index
/// first.
pub fn threshold(codes: &mut Matrix, count: usize) {
    let mut order = RowOrder::default();
    for index in 0..codes.rows() {
        let row = codes.row_mut(index);
        for &code in order.ascending(row).iter().take(count) {
            row[usize::from(code)] = 0.0;
        }
    }
}

/// Sorts rows by magnitude; the buffers are reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOrder {
    keys: Vec<(u64, u16)>,
    order: Vec<u16>,
}

impl RowOrder {
    /// Indices of `row` by ascending magnitude, equal ones by ascending index. A row has at most
    /// 2¹⁶ entries (no dictionary is wider than [`HIDDEN`](crate::config::HIDDEN)).
    pub(crate) fn ascending(&mut self, row: &[f64]) -> &[u16] {
        self.keys.clear();
        // Magnitudes of finite numbers order as their bit patterns do.
        self.keys.extend((0u16..).zip(row).map(|(index, code)| (code.abs().to_bits(), index)));
        self.keys.sort_unstable();
        self.order.clear();
        self.order.extend(self.keys.iter().map(|(_, index)| *index));
        &self.order
    }
}
