//! Sparsity levels: hard thresholding of codes (§4.1).

use crate::Matrix;
use crate::config::HIDDEN;

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
        for &key in order.ascending(row).iter().take(count) {
            row[RowOrder::index(key)] = 0.0;
        }
    }
}

/// Sorts rows by magnitude; the buffer is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOrder {
    keys: Vec<u64>,
}

/// Low bits of a key that hold the index.
const INDEX_BITS: u32 = 10;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;
const _: () = assert!(HIDDEN.max <= (1u64 << INDEX_BITS) as f64, "an index fits its bits");

impl RowOrder {
    /// Keys of `row` by ascending magnitude, equal ones by ascending index; [`Self::index`] tells a
    /// key's place in the row. No row is wider than [`HIDDEN`].
    pub(crate) fn ascending(&mut self, row: &[f64]) -> &[u64] {
        // Magnitudes of finite numbers order as their bit patterns do. The index takes the place
        // of the last bits, so that one word is sorted instead of a pair.
        let leading = |code: f64| (code.to_bits() << 1) & !INDEX_MASK;
        self.keys.clear();
        self.keys.extend((0u64..).zip(row).map(|(index, code)| leading(*code) | index));
        self.keys.sort_unstable();
        // Where the bits that are left do not tell two codes apart, all of them decide.
        let undecided = |pair: &[u64]| (pair[0] ^ pair[1]) & !INDEX_MASK == 0;
        if self.keys.windows(2).any(undecided) {
            self.keys.sort_unstable_by_key(|&key| {
                let index = Self::index(key);
                (row[index].abs().to_bits(), index)
            });
        }
        &self.keys
    }

    /// The place in its row of the code that a key stands for.
    #[inline]
    pub(crate) fn index(key: u64) -> usize {
        (key & INDEX_MASK) as usize
    }
}
