use super::{PairCounts, StatisticsError};

/// The Gini coefficient of scores that should tell positives from negatives (Somers' D).
///
/// # Formula
/// 2·AUC − 1 = P(x > y) − P(x < y) over all pairs of a positive's score x and a negative's y; from -1
/// to 1, 0 where the scores say nothing. It has nothing to do with the Gini coefficient of
/// inequality.
///
/// # Errors
/// As [`roc_auc`](super::roc_auc).
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::gini;
/// assert_eq!(gini(&[1.0, 2.0], &[5.0])?, -1.0);
/// assert_eq!(gini(&[0.0, 0.0], &[0.0])?, 0.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn gini(positives: &[f64], negatives: &[f64]) -> Result<f64, StatisticsError> {
    PairCounts::from_scores(positives, negatives).map(PairCounts::gini)
}
