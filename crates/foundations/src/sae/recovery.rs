//! Against planted features: which of them a dictionary's directions are, and which latents tell when
//! they are there.

mod sparse;

use crate::linalg;
use pathfinding::kuhn_munkres::{Weights, kuhn_munkres};
use serde::{Deserialize, Serialize};

use crate::Matrix;
use crate::kernel;
use crate::statistics::{MetricError, check_matrix, check_shape};

/// |cosine| from which a planted direction counts as recovered.
pub const RECOVERED_COSINE_MIN: f64 = 0.9;

/// Most |cosines| that are all kept for a matching.
const DENSE_COSINES_MAX: usize = 1 << 22;

/// How a dictionary's directions match the planted ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Matching {
    /// Mean |cosine| of the matched pairs, over as many pairs as there can be: from 0 to 1.
    pub mcc: f64,
    /// (latent, feature) pairs, by ascending latent: a matching with the largest sum of |cosines|.
    pub pairs: Vec<(usize, usize)>,
    /// For each latent, the feature whose |cosine| with it is largest; of equal ones the first.
    pub best_match: Vec<usize>,
    /// Distinct features among the best matches, over the latents.
    pub uniqueness: f64,
    /// Share of the features that some latent has a |cosine| of [`RECOVERED_COSINE_MIN`] or more with.
    pub recovered: f64,
}

/// Matches a dictionary (K × D) with planted directions (G × D), by the |cosines| of their rows.
///
/// # Formula
/// The one-to-one matching with the largest sum of |cos| (Kuhn and Munkres); a row of norm 0 has
/// cosine 0 with everything. MCC is that sum over min(K, G).
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], and [`MetricError::Shape`] when the widths
/// differ.
pub fn match_directions(dictionary: &Matrix, directions: &Matrix) -> Result<Matching, MetricError> {
    check_matrices(dictionary, directions)?;
    if dictionary.rows() * directions.rows() > DENSE_COSINES_MAX {
        return Ok(sparse::match_directions(dictionary, directions));
    }
    let cosines = abs_cosines(dictionary, directions);
    let best_match: Vec<usize> = cosines.iter_rows().map(argmax_cosine).collect();

    let wide = cosines.rows() <= cosines.cols();
    let assigned = Assignment { cosines: if wide { cosines.clone() } else { cosines.transposed() } };
    let (_, columns) = kuhn_munkres(&assigned);
    let order = |(row, col)| if wide { (row, col) } else { (col, row) };
    let mut pairs: Vec<(usize, usize)> = columns.into_iter().enumerate().map(order).collect();
    pairs.sort_unstable();
    let sum: f64 = pairs.iter().map(|(latent, feature)| cosines.row(*latent)[*feature]).sum();
    let found = (0..directions.rows())
        .filter(|feature| cosines.iter_rows().any(|row| row[*feature] >= RECOVERED_COSINE_MIN))
        .count();
    Ok(Matching {
        mcc: sum / pairs.len() as f64,
        pairs,
        uniqueness: uniqueness(&best_match),
        best_match,
        recovered: found as f64 / directions.rows() as f64,
    })
}

/// The mean over the planted directions (G × D) of the largest |cosine| that a row of the dictionary
/// (K × D) has with it: from 0 to 1. Unlike [`Matching::mcc`], one row may serve several directions.
///
/// # Errors
/// As [`match_directions`].
pub fn mean_max_cosine(dictionary: &Matrix, directions: &Matrix) -> Result<f64, MetricError> {
    check_matrices(dictionary, directions)?;
    let cosines = abs_cosines(directions, dictionary);
    let largest = cosines.iter_rows().map(|row| row[argmax_cosine(row)]);
    Ok(largest.sum::<f64>() / directions.rows() as f64)
}

/// The features whose |cosine| with each row of a dictionary (K × D) is the largest, of equal ones the first, among planted
/// directions (G × D).
///
/// # Errors
/// As [`match_directions`].
pub fn best_matches(dictionary: &Matrix, directions: &Matrix) -> Result<Vec<usize>, MetricError> {
    check_matrices(dictionary, directions)?;
    Ok(sparse::CandidateSearch::new(dictionary, directions).best_features())
}

fn check_matrices(dictionary: &Matrix, directions: &Matrix) -> Result<(), MetricError> {
    check_matrix("dictionary", dictionary)?;
    check_matrix("planted directions", directions)?;
    check_shape("planted directions", directions, (directions.rows(), dictionary.cols()))
}

/// Distinct features among the best matches, over the latents.
fn uniqueness(best_match: &[usize]) -> f64 {
    let mut distinct = best_match.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len() as f64 / best_match.len() as f64
}

/// Rows brought to length 1, but for those of length 0.
fn normalise_rows(matrix: &Matrix) -> Matrix {
    let mut out = matrix.clone();
    for index in 0..out.rows() {
        let row = out.row_mut(index);
        let norm = f64::sqrt(kernel::dot(row, row));
        if norm > 0.0 {
            row.iter_mut().for_each(|value| *value /= norm);
        }
    }
    out
}

/// |cos| of every row of one with every row of the other.
fn abs_cosines(a: &Matrix, b: &Matrix) -> Matrix {
    let mut out = linalg::product(&normalise_rows(a), &normalise_rows(b).transposed());
    out.data_mut().iter_mut().for_each(|value| *value = value.abs());
    out
}

fn argmax_cosine(row: &[f64]) -> usize {
    (0..row.len()).fold(0, |best, index| if row[index] > row[best] { index } else { best })
}

/// Cosines as the whole numbers that the matching adds up exactly.
struct Assignment {
    cosines: Matrix,
}

impl Assignment {
    fn to_weight(cosine: f64) -> i64 {
        // 2⁵⁰ times 4,096 pairs is within range; a choice may miss the best by 2⁻⁵⁰ a pair.
        const SCALE: f64 = 1_125_899_906_842_624.0;
        (cosine * SCALE) as i64
    }
}

impl Weights<i64> for Assignment {
    fn rows(&self) -> usize {
        self.cosines.rows()
    }

    fn columns(&self) -> usize {
        self.cosines.cols()
    }

    fn at(&self, row: usize, col: usize) -> i64 {
        Self::to_weight(self.cosines.row(row)[col])
    }

    fn neg(&self) -> Self {
        let mut cosines = self.cosines.clone();
        cosines.data_mut().iter_mut().for_each(|value| *value = -*value);
        Self { cosines }
    }
}

/// How well latents tell when their best-matching feature is there: means over the latents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Classification {
    /// Mean share of a latent's firings at which its feature is there.
    pub precision: f64,
    /// Mean share of a feature's presences at which its latent fires.
    pub recall: f64,
    /// Mean F1.
    pub f1: f64,
    /// Mean share of the rows at which both are there or neither is.
    pub accuracy: f64,
    /// Each latent's F1.
    pub f1_per_latent: Vec<f64>,
}

/// Each latent (`codes`: N × K) as a detector of the feature that `best_match` names
/// (`magnitudes`: N × G). Both are there where they are not 0; what would divide by 0 is 0.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`],
/// [`MetricError::Index`].
pub fn classify_latents(
    codes: &Matrix,
    magnitudes: &Matrix,
    best_match: &[usize],
) -> Result<Classification, MetricError> {
    check_matrix("codes", codes)?;
    check_matrix("planted magnitudes", magnitudes)?;
    check_shape("planted magnitudes", magnitudes, (codes.rows(), magnitudes.cols()))?;
    check_shape("codes", codes, (codes.rows(), best_match.len()))?;
    let features = magnitudes.cols();
    if let Some(&index) = best_match.iter().find(|feature| **feature >= features) {
        return Err(MetricError::Index { what: "feature", index, len: features });
    }
    let (codes, magnitudes) = (codes.transposed(), magnitudes.transposed());
    let count = |(latent, feature): (&[f64], &usize)| {
        let mut out = FiringCounts::default();
        for (code, magnitude) in latent.iter().zip(magnitudes.row(*feature)) {
            let [fires, is_there] = [*code != 0.0, *magnitude != 0.0];
            out.both_rows += u64::from(fires && is_there);
            out.fired_rows += u64::from(fires);
            out.present_rows += u64::from(is_there);
        }
        out
    };
    let firings = codes.iter_rows().zip(best_match).map(count);
    Ok(Classification::from_firings(firings, codes.cols() as u64))
}

/// Rows on which a latent fires, its feature is there, and both are so.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FiringCounts {
    /// On which both are so.
    pub both_rows: u64,
    /// On which the latent fires.
    pub fired_rows: u64,
    /// On which its feature is there.
    pub present_rows: u64,
}

impl Classification {
    /// Of latents' firings on so many rows.
    pub(crate) fn from_firings(latents: impl Iterator<Item = FiringCounts>, rows: u64) -> Self {
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let rows = rows as f64;
        let mut sums = [0.0; 4];
        let mut f1_per_latent = Vec::new();
        for FiringCounts { both_rows: both, fired_rows: fired, present_rows: there } in latents {
            let [both, fired, there] = [both, fired, there].map(|count| count as f64);
            let (precision, recall) = (share(both, fired), share(both, there));
            let f1 = share(2.0 * precision * recall, precision + recall);
            let accuracy = (rows - fired - there + 2.0 * both) / rows;
            sums.iter_mut().zip([precision, recall, f1, accuracy]).for_each(|(sum, x)| *sum += x);
            f1_per_latent.push(f1);
        }
        let [precision, recall, f1, accuracy] = sums.map(|sum| sum / f1_per_latent.len() as f64);
        Self { precision, recall, f1, accuracy, f1_per_latent }
    }
}

/// What is usually said of an autoencoder's reconstruction. A quantity that has no value on the data
/// is NaN (`null` in JSON).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreMetrics {
    /// Mean codes that are not 0 in a row.
    pub l0: f64,
    /// Mean Σ|code| of a row.
    pub l1: f64,
    /// Mean squared error over all entries.
    pub mse: f64,
    /// 1 − Σ‖x − x̂‖² / Σ‖x − mean row‖².
    pub explained_variance: f64,
    /// Mean cosine of a row with its reconstruction; undefined where one has norm 0.
    pub cossim: f64,
    /// Mean ‖x̂‖ / ‖x‖; undefined where a row has norm 0.
    pub l2_ratio: f64,
    /// E‖x̂‖² / E\[x·x̂\].
    pub relative_reconstruction_bias: f64,
    /// Latents that are 0 on every row.
    pub dead: usize,
}

/// The core metrics of rows `x` (N × D), reconstructions (N × D) and codes (N × K).
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`].
pub fn core_metrics(x: &Matrix, x_hat: &Matrix, codes: &Matrix) -> Result<CoreMetrics, MetricError> {
    check_matrix("activations", x)?;
    check_shape("reconstruction", x_hat, x.shape())?;
    check_matrix("reconstruction", x_hat)?;
    check_shape("codes", codes, (x.rows(), codes.cols()))?;
    check_matrix("codes", codes)?;
    let rows = x.rows() as f64;
    let norm = |row: &[f64]| f64::sqrt(kernel::dot(row, row));
    let error = crate::statistics::squared_error(x, x_hat);
    let total = crate::statistics::total_sum_of_squares(x, &crate::linalg::column_means(x));
    let [mut cosines, mut ratios, mut squares, mut products] = [0.0; 4];
    for (x, x_hat) in x.iter_rows().zip(x_hat.iter_rows()) {
        let product = kernel::dot(x, x_hat);
        // 0/0 is NaN, which the sum keeps: the mean is undefined then.
        cosines += product / (norm(x) * norm(x_hat));
        ratios += norm(x_hat) / norm(x);
        squares += kernel::dot(x_hat, x_hat);
        products += product;
    }
    let fires = |latent: &[f64]| latent.iter().any(|code| *code != 0.0);
    Ok(CoreMetrics {
        l0: codes.data().iter().filter(|code| **code != 0.0).count() as f64 / rows,
        l1: codes.data().iter().map(|code| code.abs()).sum::<f64>() / rows,
        mse: error / x.data().len() as f64,
        explained_variance: if total > 0.0 { 1.0 - error / total } else { f64::NAN },
        cossim: cosines / rows,
        l2_ratio: ratios / rows,
        relative_reconstruction_bias: squares / products,
        dead: codes.transposed().iter_rows().filter(|latent| !fires(latent)).count(),
    })
}
