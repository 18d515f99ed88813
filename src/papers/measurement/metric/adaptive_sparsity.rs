//! M12: whether more features are active where there is more to say.

use serde::Serialize;

use super::activations::Activations;
use super::{Condition, DecompositionError, Formula, MetricDescription, PassConditions, quantities};
use crate::settings::Range;
use crate::statistics::{self, LinearFit, MetricError, StatisticsError, mean_or_nan};
use crate::{Matrix, kernel};

/// What is said about it. The text has no table.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "m12",
    name: "adaptive sparsity",
    source: "Bussmann, Leask and Nanda (2024); AdaptiveK, arXiv:2508.17320; SoftSAE, arXiv:2605.06610",
    criteria: &["E1", "M6"],
    establishes: "whether the number of active features follows how much an input holds",
    leaves_open: "whether autoencoders with a free number of features do better",
    passes: PassConditions {
        document: &[Condition::below("k_mismatch_rate_document", MISMATCH_MAX)],
        code: &[Condition::below("k_mismatch_rate", MISMATCH_MAX)],
    },
    table: &[],
    formula: Formula {
        document: "Share of positions with |k − k̂| / k̂ above the threshold, k̂ = a + b ‖x‖ by least squares.",
        code: "Share of last positions with |k − k̂| / max(k̂, 1) above the threshold.",
    },
    summary: ["mismatch rate < 0.2"; 2],
    takes: &["sae", "mismatch_threshold", "checkpoint"],
};

const MISMATCH_MAX: f64 = 0.2;

/// A feature is active where its |activation| exceeds this.
pub const ACTIVE_THRESHOLD: f64 = 0.01;
/// Relative deviation beyond which the reference code flags an input, by default.
pub const MISMATCH_THRESHOLD: f64 = 2.0;

/// How the number of active features follows complexity. Fields without a reading in their names are the code's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdaptiveSparsity {
    /// Active features more for each unit of complexity, by least squares.
    pub slope: f64,
    /// Active features at complexity 0.
    pub intercept: f64,
    /// What the line expects of each input.
    pub expected_k: Vec<f64>,
    /// (k − expected)/max(expected, 1) of each input.
    pub deviation: Vec<f64>,
    /// Share of inputs with a |deviation| beyond the threshold.
    pub k_mismatch_rate: f64,
    /// Share with a deviation above it.
    pub over_activation_rate: f64,
    /// Share with a deviation below its negative: none from a threshold of 1 on, since no deviation is below −1.
    pub under_activation_rate: f64,
    /// The text's share: |k − expected|/expected beyond the threshold.
    pub k_mismatch_rate_document: f64,
    /// Of these, where k is above what is expected.
    pub over_activation_rate_document: f64,
    /// Of these, where it is below.
    pub under_activation_rate_document: f64,
    /// Pearson's correlation of complexity and number; 0 where either does not vary.
    pub complexity_k_correlation: f64,
    /// The code's rate at a threshold of 0.2.
    pub mismatch_rate_at_0_2: f64,
    /// Whether the code's rate is below 0.2.
    pub passed: bool,
    /// Whether the text's is.
    pub pass_document: bool,
}

quantities! {
    AdaptiveSparsity: k_mismatch_rate_document, k_mismatch_rate, over_activation_rate_document,
        over_activation_rate, under_activation_rate_document, under_activation_rate,
        mismatch_rate_at_0_2, complexity_k_correlation, slope, intercept,
}

/// Holds numbers of active features against complexities.
///
/// # Formula
/// Least squares of k on complexity; where complexity does not vary, of all lines through the mean the one with the
/// smallest slope² + intercept², as `numpy.linalg.lstsq`; of a single input its own k. The code divides by
/// max(expected, 1). The text divides by what is expected: where that is negative nothing is flagged, where it is 0
/// everything but k = 0.
///
/// Source: Measurement Theory, M12; the code's reading by `120_adaptive_sparsity.py`.
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::Lengths`], [`StatisticsError::NonFinite`]; a threshold
/// that is negative or no number.
pub fn adaptive_sparsity(
    complexity: &[f64],
    k_active: &[f64],
    mismatch_threshold: f64,
) -> Result<AdaptiveSparsity, DecompositionError> {
    Range::real("mismatch_threshold", 0.0, f64::MAX).check(mismatch_threshold)?;
    for (what, values) in [("complexity", complexity), ("active features", k_active)] {
        if values.is_empty() {
            return Err(StatisticsError::TooFew { what, found: 0, needed: 1 }.into());
        }
        if let Some((index, value)) = values.iter().enumerate().find(|(_, x)| !x.is_finite()) {
            return Err(StatisticsError::NonFinite { what, index, value: *value }.into());
        }
    }
    let (slope, intercept, complexity_k_correlation) = fit_line(complexity, k_active)?;
    let expected_k: Vec<f64> = complexity.iter().map(|x| intercept + slope * x).collect();
    let pairs = || k_active.iter().zip(&expected_k);
    let deviation: Vec<f64> = pairs().map(|(k, expected)| (k - expected) / expected.max(1.0)).collect();
    let n = k_active.len() as f64;
    let share = |flagged: &dyn Fn(f64) -> bool| deviation.iter().filter(|value| flagged(**value)).count() as f64 / n;
    let t = mismatch_threshold;
    // |k − expected| > t·expected, which for a positive expectation is the quotient's.
    let flagged = |k: f64, expected: f64| {
        if expected >= 0.0 { (k - expected).abs() > t * expected } else { false }
    };
    let document = |wanted: &dyn Fn(f64, f64) -> bool| {
        let found = pairs().filter(|(k, expected)| flagged(**k, **expected) && wanted(**k, **expected));
        found.count() as f64 / n
    };
    let k_mismatch_rate = share(&|value| value.abs() > t);
    let k_mismatch_rate_document = document(&|_, _| true);
    Ok(AdaptiveSparsity {
        slope,
        intercept,
        k_mismatch_rate,
        over_activation_rate: share(&|value| value > t),
        under_activation_rate: share(&|value| value < -t),
        k_mismatch_rate_document,
        over_activation_rate_document: document(&|k, expected| k > expected),
        under_activation_rate_document: document(&|k, expected| k < expected),
        complexity_k_correlation,
        mismatch_rate_at_0_2: share(&|value| value.abs() > 0.2),
        passed: k_mismatch_rate < MISMATCH_MAX,
        pass_document: k_mismatch_rate_document < MISMATCH_MAX,
        expected_k,
        deviation,
    })
}

/// Slope, intercept and correlation.
fn fit_line(complexity: &[f64], k_active: &[f64]) -> Result<(f64, f64, f64), StatisticsError> {
    if let ([_], [only]) = (complexity, k_active) {
        return Ok((0.0, *only, 0.0));
    }
    match LinearFit::fit(complexity, k_active) {
        Ok(fit) => Ok((fit.slope(), fit.intercept(), fit.correlation().unwrap_or(0.0))),
        Err(StatisticsError::Constant { .. }) => {
            let (x, mean) = (mean_or_nan(complexity), mean_or_nan(k_active));
            let part = mean / (x * x + 1.0);
            Ok((x * part, part, 0.0))
        }
        Err(other) => Err(other),
    }
}

/// Complexity and number of active features of positions: the length of each row of the residual stream (P × D), and how
/// many |activations| (P × F) exceed 0.01. The text takes every position, the code each text's last.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`].
pub fn complexity_and_k(residual: &Matrix, activations: Activations) -> Result<(Vec<f64>, Vec<f64>), MetricError> {
    let active = activations.count_active("activations", ACTIVE_THRESHOLD)?;
    statistics::check_shape("the residual stream", residual, (activations.position_count(), residual.cols()))?;
    statistics::check_matrix("the residual stream", residual)?;
    let complexity = residual.iter_rows().map(|row| f64::sqrt(kernel::dot(row, row))).collect();
    Ok((complexity, active.into_iter().map(|count| count as f64).collect()))
}
