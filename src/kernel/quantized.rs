//! Products of many rows, roughly and with a bound: what is certainly small need not be computed well.

use super::active;

/// Length that rows of whole numbers have, but for rounding. Its square leaves room in 32 bits, so
/// that no sum of products overflows (by Cauchy and Schwarz, every part of one is below it too).
const LENGTH: f64 = 30_000.0;
/// Rows are filled up with zeros to a multiple of this.
const ALIGNED: usize = 8;

/// Rows, made equally long and rounded to 16 bits, with what was lost.
#[derive(Clone, Debug)]
pub struct QuantizedRows {
    depth: usize,
    data: Vec<i16>,
    lengths: Vec<f64>,
    errors: Vec<f64>,
}

impl QuantizedRows {
    /// Rounds rows of `depth` finite entries.
    #[must_use]
    pub fn of<T: Copy + Into<f64>>(rows: &[T], depth: usize) -> Self {
        let aligned = depth.next_multiple_of(ALIGNED);
        let count = rows.len().checked_div(depth).unwrap_or(0);
        let mut data = vec![0; count * aligned];
        let (mut lengths, mut errors) = (Vec::with_capacity(count), Vec::with_capacity(count));
        if count == 0 {
            return Self { depth: aligned, data, lengths, errors };
        }
        for (row, out) in rows.chunks_exact(depth).zip(data.chunks_exact_mut(aligned)) {
            let mut squares = [0.0; 4];
            for four in row.chunks(4) {
                for (sum, value) in squares.iter_mut().zip(four) {
                    let value: f64 = (*value).into();
                    *sum += value * value;
                }
            }
            let length = ((squares[0] + squares[1]) + (squares[2] + squares[3])).sqrt();
            let scale = LENGTH / length;
            lengths.push(length);
            if !scale.is_finite() {
                // A row of nothing, which is known exactly; of what cannot be scaled, nothing is.
                errors.push(if length > 0.0 { f64::INFINITY } else { 0.0 });
                continue;
            }
            let mut lost = [0.0; 4];
            for (four, out) in row.chunks(4).zip(out.chunks_mut(4)) {
                for ((lost, value), out) in lost.iter_mut().zip(four).zip(out) {
                    let scaled = (*value).into() * scale;
                    let whole = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i16;
                    let apart = f64::from(whole) - scaled;
                    *lost += apart * apart;
                    *out = whole;
                }
            }
            let lost = ((lost[0] + lost[1]) + (lost[2] + lost[3])).sqrt();
            errors.push(lost / LENGTH);
        }
        Self { depth: aligned, data, lengths, errors }
    }

    /// Some of the rows.
    #[must_use]
    pub fn rows(&self, chosen: &[usize]) -> Self {
        let mut out = Self {
            depth: self.depth,
            data: Vec::with_capacity(chosen.len() * self.depth),
            lengths: Vec::with_capacity(chosen.len()),
            errors: Vec::with_capacity(chosen.len()),
        };
        for row in chosen {
            out.data.extend_from_slice(&self.data[row * self.depth..(row + 1) * self.depth]);
            out.lengths.push(self.lengths[*row]);
            out.errors.push(self.errors[*row]);
        }
        out
    }

    /// Lengths of the rows.
    #[must_use]
    pub fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// QuantizedRows products of all rows with all of another's, row by row into `out`: [`QuantizedRows::cosine`]
    /// tells what they mean.
    ///
    /// # Panics
    /// When a length does not fit.
    pub fn products(&self, other: &Self, out: &mut [i32]) {
        assert_eq!(self.depth, other.depth, "inner dimensions of a product");
        assert_eq!(out.len(), self.lengths.len() * other.lengths.len(), "entries of a product");
        if self.depth == 0 {
            out.fill(0);
            return;
        }
        active::whole_product(&self.data, &other.data, self.depth, out);
    }

    /// The cosine that a rough product stands for.
    #[must_use]
    #[inline]
    pub fn cosine(product: i32) -> f64 {
        f64::from(product) * (1.0 / (LENGTH * LENGTH))
    }

    /// How far the cosine of row `i` with row `j` of another may be from [`QuantizedRows::cosine`], the
    /// rounding of either computation included.
    #[must_use]
    #[inline]
    pub fn error(&self, i: usize, other: &Self, j: usize) -> f64 {
        // Sums of so many terms, each off by half of a unit in the last place; many times that.
        let rounding = 1e-9 + self.depth as f64 * f64::EPSILON;
        let (a, b) = (self.errors[i], other.errors[j]);
        a + b + a * b + rounding
    }
}
