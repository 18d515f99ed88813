//! Sparsity levels: hard thresholding of codes (§4.1).

use crate::Matrix;
use crate::order::argsort_ascending;

/// Codes that level λ zeroes in each row of K: floor(λ·K), the product taken in floating point and
/// truncated, as the paper's tables show (0.7 · 48 → 33, 0.95 · 48 → 45).
#[must_use]
pub fn dropped_count(level: f64, k: usize) -> usize {
    ((level * k as f64) as usize).min(k)
}

/// Zeroes, in each row, the `count` codes of smallest magnitude; of equal ones the lower index
/// first.
pub fn zero_smallest(codes: &mut Matrix, count: usize) {
    let mut order = MagnitudeSorter::default();
    for index in 0..codes.rows() {
        let row = codes.row_mut(index);
        let (ascending, index_mask) = order.sort_row(row);
        for &key in ascending.iter().take(count) {
            row[(key & index_mask) as usize] = 0.0;
        }
    }
}

/// Sorts rows by magnitude; the buffer is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct MagnitudeSorter {
    keys: Vec<u64>,
}

impl MagnitudeSorter {
    /// Keys of `row` by ascending magnitude, equal ones by ascending index, and the mask of the
    /// bits of a key that tell its place in the row.
    pub(crate) fn sort_row(&mut self, row: &[f64]) -> (&[u64], u64) {
        // Magnitudes of finite numbers order as their bit patterns do. The index takes the place
        // of the last bits, so that one word is sorted instead of a pair.
        let index_mask = (row.len() as u64).next_power_of_two() - 1;
        let leading = |code: f64| (code.to_bits() << 1) & !index_mask;
        self.keys.clear();
        self.keys.extend((0u64..).zip(row).map(|(index, code)| leading(*code) | index));
        self.keys.sort_unstable();
        // Where the bits that are left do not tell two codes apart, all of them decide.
        let undecided = |pair: &[u64]| (pair[0] ^ pair[1]) & !index_mask == 0;
        if self.keys.windows(2).any(undecided) {
            self.keys.clear();
            let ascending = argsort_ascending(row.iter().map(|code| code.abs()));
            self.keys.extend(ascending.into_iter().map(|index| leading(row[index]) | index as u64));
        }
        (&self.keys, index_mask)
    }
}
