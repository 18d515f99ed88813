//! Products of many rows, roughly and with a bound: what is certainly small need not be computed well.

use super::active;
use super::scalar::INTEGER_ROW_MULTIPLE;

/// Length that rows of whole numbers have, but for rounding. Its square leaves room in 32 bits, so
/// that no sum of products overflows (by Cauchy and Schwarz, every part of one is below it too).
const ROW_NORM: f64 = 30_000.0;

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
    pub fn from_rows<T: Copy + Into<f64>>(rows: &[T], depth: usize) -> Self {
        let aligned = depth.next_multiple_of(INTEGER_ROW_MULTIPLE);
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
            let scale = ROW_NORM / length;
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
            errors.push(lost / ROW_NORM);
        }
        Self { depth: aligned, data, lengths, errors }
    }

    /// Some of the rows.
    #[must_use]
    pub fn select_rows(&self, chosen: &[usize]) -> Self {
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
    pub fn norms(&self) -> &[f64] {
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
        active::integer_product(&self.data, &other.data, self.depth, out);
    }

    /// The cosine that a rough product stands for.
    #[must_use]
    #[inline]
    pub fn cosine(product: i32) -> f64 {
        f64::from(product) * (1.0 / (ROW_NORM * ROW_NORM))
    }

    /// How far the cosine of row `i` with row `j` of another may be from [`QuantizedRows::cosine`], the
    /// rounding of either computation included.
    #[must_use]
    #[inline]
    pub fn cosine_error(&self, i: usize, other: &Self, j: usize) -> f64 {
        let (a, b) = (self.errors[i], other.errors[j]);
        a + b + a * b + self.rounding_error()
    }

    /// Sums of so many terms, each off by half of a unit in the last place; many times that.
    #[inline]
    fn rounding_error(&self) -> f64 {
        1e-9 + self.depth as f64 * f64::EPSILON
    }
}

/// Finds the largest of x·w·gain + shift over rows w, for rows x, by the rough products of both: all that may be, and
/// some that are not. It works in `f32`, whose rounding its bounds include.
#[derive(Clone, Debug)]
pub struct CandidateFilter {
    /// What a unit of a product stands for, for x of length 1.
    unit: Vec<f32>,
    shift: Vec<f32>,
    /// What is lost of w, times its length and gain.
    lost: Vec<f32>,
    /// What is not known of the shift.
    slack: Vec<f32>,
    /// What the rounding of sums comes to, as a share of both lengths.
    rounding: f32,
    /// Whether products count by their magnitude.
    magnitude: bool,
}

/// What rounding to `f32`, a few times over, may change.
const F32_ROUNDING: f64 = 1.0 / (1 << 19) as f64;
/// Beyond these `f32` has no numbers, or few: nothing is told of such lengths.
const NORM_MIN: f64 = 1e-20;
const NORM_MAX: f64 = 1e18;

/// Rows of one block that are compared at once.
const ROWS_AT_ONCE: usize = 16;

impl CandidateFilter {
    /// For rows w that have been rounded; `gain` is not negative, and the shift is a sum of two.
    #[must_use]
    pub fn new(rows: &QuantizedRows, gain: impl Fn(usize) -> f64, shift: impl Fn(usize) -> [f64; 2]) -> Self {
        let count = rows.lengths.len();
        let aligned = count.next_multiple_of(ROWS_AT_ONCE);
        let mut out = Self {
            unit: vec![0.0; aligned],
            shift: vec![0.0; aligned],
            lost: vec![0.0; aligned],
            slack: vec![0.0; aligned],
            rounding: (F32_ROUNDING + rows.rounding_error()) as f32,
            magnitude: false,
        };
        for j in 0..count {
            let size = rows.lengths[j] * gain(j);
            let [one, other] = shift(j);
            out.unit[j] = (size / (ROW_NORM * ROW_NORM)) as f32;
            out.shift[j] = (one + other) as f32;
            out.lost[j] = (size * rows.errors[j] * (1.0 + F32_ROUNDING)) as f32;
            let known = size <= 0.0 || (NORM_MIN..NORM_MAX).contains(&size);
            out.slack[j] =
                if known { ((one.abs() + other.abs()) * F32_ROUNDING + NORM_MIN) as f32 } else { f32::INFINITY };
        }
        out
    }

    /// The same of the magnitudes of products without shifts.
    #[must_use]
    pub fn for_magnitudes(rows: &QuantizedRows) -> Self {
        Self { magnitude: true, ..Self::new(rows, |_| 1.0, |_| [0.0; 2]) }
    }

    /// All that may be above `floor` and, where so many are looked for, among the `largest`: ascending, into `out`.
    ///
    /// `products` are those of row `index` of `x`. `guess` is 0 at first, and then what the row before has left: how
    /// large the least of the largest may be. What is found in the end by exact products does not depend on it.
    ///
    /// # Panics
    /// When there are not as many products as rows.
    #[expect(clippy::too_many_arguments, reason = "where it looks, for what, and where to")]
    pub fn find_candidates(
        &self,
        x: &QuantizedRows,
        index: usize,
        products: &[i32],
        floor: f64,
        largest: Option<usize>,
        guess: &mut f32,
        out: &mut Vec<u32>,
    ) {
        /// A guess that was too high is lowered so often, then nothing is guessed.
        const GUESSES_MAX: usize = 3;
        let length = x.lengths[index];
        let known = length <= 0.0 || (NORM_MIN..NORM_MAX).contains(&length);
        let lost = if known { x.errors[index] } else { f64::INFINITY };
        let of = RowErrors {
            length: length as f32,
            // What is lost of w, of x, and of both.
            wide: (length * (1.0 + lost) * (1.0 + F32_ROUNDING)) as f32,
            narrow: (length * (lost + f64::from(self.rounding)) * (1.0 + F32_ROUNDING) * ROW_NORM * ROW_NORM) as f32,
        };
        let floor = (floor - floor.abs() * F32_ROUNDING) as f32;
        let Some(count) = largest.filter(|count| *count < products.len()) else {
            return self.collect_above(products, &of, floor, out);
        };
        let bounds = |j: u32| self.bounds(products, &of, j as usize);
        let mut bar = if *guess > 0.0 { floor.max(*guess * of.length) } else { floor };
        let mut lows = Vec::new();
        for tries in 1.. {
            self.collect_above(products, &of, bar, out);
            lows.clear();
            lows.extend(out.iter().map(|j| bounds(*j).0).filter(|low| *low >= bar));
            if count > 0 && lows.len() >= count {
                // So many are at least as large as this.
                let (_, least, _) = lows.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
                out.retain(|j| {
                    let small = bounds(*j).1 < *least;
                    !small
                });
                *guess = 0.9 * *least / of.length;
                return;
            }
            if bar <= floor {
                // There are no more than these.
                return;
            }
            bar = if tries < GUESSES_MAX { floor.max(0.7 * bar) } else { floor };
        }
    }

    /// The value of one, from below and from above.
    #[inline(always)]
    fn bounds(&self, products: &[i32], of: &RowErrors, j: usize) -> (f32, f32) {
        let product = products[j] as f32;
        let product = if self.magnitude { product.abs() } else { product };
        let value = product * self.unit[j] * of.length + self.shift[j];
        let error = of.wide * self.lost[j] + of.narrow * self.unit[j] + self.slack[j];
        (value - error, value + error)
    }

    fn collect_above(&self, products: &[i32], of: &RowErrors, bar: f32, out: &mut Vec<u32>) {
        out.clear();
        assert_eq!(self.unit.len(), products.len().next_multiple_of(ROWS_AT_ONCE), "products of a row");
        let columns =
            |from: &[f32], at: usize| -> [f32; ROWS_AT_ONCE] { from[at..].first_chunk().copied().unwrap_or_default() };
        let (whole, rest) = products.as_chunks::<ROWS_AT_ONCE>();
        for (block, products) in whole.iter().enumerate() {
            let at = block * ROWS_AT_ONCE;
            let (unit, shift) = (columns(&self.unit, at), columns(&self.shift, at));
            let (lost, slack) = (columns(&self.lost, at), columns(&self.slack, at));
            let mut small = [0u32; ROWS_AT_ONCE];
            for i in 0..ROWS_AT_ONCE {
                let product = products[i] as f32;
                let product = if self.magnitude { product.abs() } else { product };
                let value = product * unit[i] * of.length + shift[i];
                let error = of.wide * lost[i] + of.narrow * unit[i] + slack[i];
                // What has no bound is not small.
                small[i] = u32::from(value + error <= bar);
            }
            if small.iter().sum::<u32>() < ROWS_AT_ONCE as u32 {
                let open = (at as u32..).zip(small).filter(|(_, small)| *small == 0);
                out.extend(open.map(|(j, _)| j));
            }
        }
        for j in products.len() - rest.len()..products.len() {
            let small = self.bounds(products, of, j).1 <= bar;
            if !small {
                out.push(j as u32);
            }
        }
    }
}

/// A row's length, and what its errors and those of others are multiplied with.
struct RowErrors {
    length: f32,
    wide: f32,
    narrow: f32,
}
