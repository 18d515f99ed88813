//! The information-theoretic analogues (§3.5, §5.5): rate for sparsity, distortion for fidelity,
//! relevance for completeness.
//!
//! The paper prints no formula for any of them. Rate and distortion were identified by their
//! printed values; relevance was not, and what stands here is a definition of ours.

use super::{MetricError, check, check_shape, grand_variance, squared_error};
use crate::Matrix;

/// Bins of the rate's histograms.
pub const RATE_BINS: usize = 30;

/// Rate: mean over the features of the entropy of a histogram of that feature's codes.
///
/// # Formula
/// R = 1/K Σₖ H(histogram of cₖ) / ln bins, with natural logarithms and `numpy.histogram`'s bins:
/// equal ones from the feature's least to its greatest code, the last one closed, zeros included; a
/// constant feature has entropy 0. From 0 to 1; `codes` is N × K.
///
/// # Errors
/// [`MetricError::Empty`] (also for fewer than two bins) and [`MetricError::NonFinite`].
pub fn rate(codes: &Matrix, bins: usize) -> Result<f64, MetricError> {
    check("codes", codes)?;
    if bins < 2 {
        return Err(MetricError::Empty { what: "a histogram of fewer than two bins" });
    }
    let columns = codes.transposed();
    let mut histogram = Histogram::new(bins);
    let total: f64 = columns.iter_rows().map(|column| histogram.entropy(column, 0)).sum();
    Ok(total / (codes.cols() as f64 * libm::log(bins as f64)))
}

/// A histogram with `numpy.histogram`'s bins, and its entropy; the counts are reused.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    counts: Vec<u32>,
    edges: Vec<f64>,
}

impl Histogram {
    pub(crate) fn new(bins: usize) -> Self {
        Self { counts: vec![0; bins], edges: vec![0.0; bins + 1] }
    }

    /// Shannon entropy, in nats, of the histogram of `values` and of `zeros` further zeros.
    pub(crate) fn entropy(&mut self, values: &[f64], zeros: usize) -> f64 {
        let start = if zeros > 0 { Some(0.0) } else { values.first().copied() };
        let Some(start) = start else { return 0.0 };
        let (first, last) = values.iter().fold((start, start), |(min, max), &value| {
            (f64::min(min, value), f64::max(max, value))
        });
        if first == last {
            return 0.0;
        }
        self.set_edges(first, last);
        self.counts.fill(0);
        let scale = self.counts.len() as f64 / (last - first);
        for &value in values {
            let bin = self.bin(value, first, scale);
            self.counts[bin] += 1;
        }
        if zeros > 0 {
            let bin = self.bin(0.0, first, scale);
            self.counts[bin] += zeros as u32;
        }
        let n = (values.len() + zeros) as f64;
        let weighted: f64 = self
            .counts
            .iter()
            .filter(|count| **count > 0)
            .map(|&count| f64::from(count) * libm::log(f64::from(count) / n))
            .sum();
        -weighted / n
    }

    /// `numpy.linspace(first, last, bins + 1)`.
    fn set_edges(&mut self, first: f64, last: f64) {
        let bins = self.counts.len();
        let step = (last - first) / bins as f64;
        for (index, edge) in self.edges.iter_mut().enumerate() {
            *edge = index as f64 * step + first;
        }
        self.edges[bins] = last;
    }

    /// The bin whose edges enclose `value`. The quotient may miss it by one, so the edges decide.
    #[inline]
    fn bin(&self, value: f64, first: f64, scale: f64) -> usize {
        let top = self.counts.len() - 1;
        let guess = ((value - first) * scale) as usize;
        let bin = guess.min(top);
        if value < self.edges[bin] {
            bin.saturating_sub(1)
        } else if bin < top && value >= self.edges[bin + 1] {
            bin + 1
        } else {
            bin
        }
    }
}

/// Distortion: mean squared error over the variance of the activations, both over all entries
/// together.
///
/// # Formula
/// mean((A − Â)²) / var(A), var about the one grand mean; 0 for a perfect reconstruction. (§3.5 says
/// "1 − F", but the printed values are these.)
///
/// # Errors
/// [`MetricError::Constant`] when all activations are equal; [`MetricError::Empty`],
/// [`MetricError::NonFinite`], [`MetricError::Shape`].
pub fn distortion(a: &Matrix, a_hat: &Matrix) -> Result<f64, MetricError> {
    check("activations", a)?;
    check_shape("reconstruction", a_hat, a.shape())?;
    check("reconstruction", a_hat)?;
    let variance = grand_variance(a.data());
    if variance > 0.0 {
        Ok(squared_error(a, a_hat) / a.data().len() as f64 / variance)
    } else {
        Err(MetricError::Constant { what: "the activations" })
    }
}

/// Relevance, in a definition of ours: |Pearson correlation| of the codes' norms with the outputs'.
///
/// # Formula
/// |r(‖cᵢ‖₂, ‖yᵢ‖₂)| over the rows; 0 when either does not vary. The paper prints "near 0.335" and
/// no formula; on its data this gives 0.359 at λ = 0 and 0.347 at λ = 0.95.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], and [`MetricError::Shape`] when the numbers
/// of rows differ.
pub fn relevance(codes: &Matrix, outputs: &Matrix) -> Result<f64, MetricError> {
    check("codes", codes)?;
    check("outputs", outputs)?;
    check_shape("outputs", outputs, (codes.rows(), outputs.cols()))?;
    let (x, y) = (row_norms(codes), row_norms(outputs));
    let mut sums = PearsonSums::new(x[0], y[0]);
    x.iter().zip(&y).for_each(|(x, y)| sums.add(*x, *y));
    Ok(sums.correlation().abs())
}

/// ‖·‖₂ of each row.
pub(crate) fn row_norms(matrix: &Matrix) -> Vec<f64> {
    matrix.iter_rows().map(|row| libm::sqrt(crate::kernel::dot(row, row))).collect()
}

/// Running sums of a Pearson correlation, about a first guess of both means so that nothing cancels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PearsonSums {
    about: [f64; 2],
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl PearsonSums {
    pub(crate) fn new(x: f64, y: f64) -> Self {
        Self { about: [x, y], n: 0.0, x: 0.0, y: 0.0, xx: 0.0, yy: 0.0, xy: 0.0 }
    }

    #[inline]
    pub(crate) fn add(&mut self, x: f64, y: f64) {
        let (x, y) = (x - self.about[0], y - self.about[1]);
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// The correlation; 0 when either side does not vary beyond rounding.
    pub(crate) fn correlation(&self) -> f64 {
        let covariance = self.xy - self.x * self.y / self.n;
        let (vx, vy) = (self.xx - self.x * self.x / self.n, self.yy - self.y * self.y / self.n);
        let rounding = f64::EPSILON * 4.0;
        if vx <= rounding * self.xx || vy <= rounding * self.yy {
            return 0.0;
        }
        (covariance / (libm::sqrt(vx) * libm::sqrt(vy))).clamp(-1.0, 1.0)
    }
}
