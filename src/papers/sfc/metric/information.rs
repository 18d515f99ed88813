//! The information-theoretic analogues (§3.5, §5.5): rate for sparsity, distortion for fidelity,
//! relevance for completeness.
//!
//! The paper prints no formula for any of them. Rate and distortion were identified by their
//! printed values; relevance was not, and what stands here is a definition of ours.

use crate::Matrix;
use crate::kernel::dot;
use crate::statistics::{MetricError, check, check_shape, grand_variance, squared_error};

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
/// [`MetricError::Empty`], [`MetricError::NonFinite`], and [`MetricError::Bins`] for fewer than two.
pub fn rate(codes: &Matrix, bins: usize) -> Result<f64, MetricError> {
    check("codes", codes)?;
    if bins < 2 {
        return Err(MetricError::Bins { bins });
    }
    let mut edges = Bins::new(bins);
    let mut counts = vec![0; bins];
    let mut total = 0.0;
    for column in codes.transposed().iter_rows() {
        let first = column.iter().copied().fold(f64::INFINITY, f64::min);
        let last = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if first < last {
            edges.span(first, last);
            counts.fill(0);
            column.iter().for_each(|code| counts[edges.bin(*code)] += 1);
            total += entropy(&counts, column.len());
        }
    }
    Ok(total / (codes.cols() as f64 * libm::log(bins as f64)))
}

/// Equal bins from `first` to `last`, as `numpy.histogram` has them.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    first: f64,
    last: f64,
    scale: f64,
    edges: Vec<f64>,
}

impl Bins {
    pub(crate) fn new(bins: usize) -> Self {
        Self { first: 0.0, last: 0.0, scale: 0.0, edges: vec![0.0; bins + 1] }
    }

    /// Lays the edges anew: `numpy.linspace(first, last, bins + 1)`.
    pub(crate) fn span(&mut self, first: f64, last: f64) {
        let bins = self.edges.len() - 1;
        let step = (last - first) / bins as f64;
        for (index, edge) in self.edges.iter_mut().enumerate() {
            *edge = index as f64 * step + first;
        }
        self.edges[bins] = last;
        self.scale = bins as f64 / (last - first);
        (self.first, self.last) = (first, last);
    }

    /// The bin whose edges enclose `value`; the last one is closed. The quotient may miss it by
    /// one, so the edges decide.
    #[inline]
    pub(crate) fn bin(&self, value: f64) -> usize {
        let top = self.edges.len() - 2;
        let guess = (((value - self.first) * self.scale) as usize).min(top);
        let below = value < self.edges[guess];
        let above = guess < top && value >= self.edges[guess + 1];
        (guess + usize::from(above)).saturating_sub(usize::from(below))
    }
}

/// Shannon entropy, in nats, of a histogram of `n` values.
pub(crate) fn entropy(counts: &[u32], n: usize) -> f64 {
    let n = n as f64;
    let weighted: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|&count| f64::from(count) * libm::log(f64::from(count) / n))
        .sum();
    -weighted / n
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
    let entries = a.data().len();
    let variance = grand_variance(a.data());
    if variance > 0.0 {
        Ok(squared_error(a, a_hat) / entries as f64 / variance)
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
    matrix.iter_rows().map(|row| f64::sqrt(dot(row, row))).collect()
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
        (covariance / (f64::sqrt(vx) * f64::sqrt(vy))).clamp(-1.0, 1.0)
    }
}
