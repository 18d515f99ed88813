use super::StatisticsError;
use super::error::check_values;
use crate::order::sorted;

/// How the values of two samples compare, over all pairs of one of each.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::PairCounts;
/// let pairs = PairCounts::from_scores(&[1.0, 3.0], &[1.0, 2.0])?;
/// assert_eq!((pairs.above, pairs.tied, pairs.below), (2, 1, 1));
/// assert_eq!((pairs.auc(), pairs.share_above(), pairs.gini()), (0.625, 0.5, 0.25));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs in which the positive's score is the greater one.
    pub above: u64,
    /// Pairs with equal scores.
    pub tied: u64,
    /// Pairs in which the positive's score is the smaller one.
    pub below: u64,
}

impl PairCounts {
    /// Counts the pairs of a positive's and a negative's score.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] without a positive or without a negative,
    /// [`StatisticsError::NonFinite`].
    pub fn from_scores(positives: &[f64], negatives: &[f64]) -> Result<Self, StatisticsError> {
        check_values("the positives' scores", positives, 1)?;
        check_values("the negatives' scores", negatives, 1)?;
        let negatives = sorted(negatives.iter().copied());
        let mut pairs = Self { above: 0, tied: 0, below: 0 };
        for score in positives {
            let smaller = negatives.partition_point(|negative| negative < score);
            let not_greater = negatives.partition_point(|negative| negative <= score);
            pairs.above += smaller as u64;
            pairs.tied += (not_greater - smaller) as u64;
            pairs.below += (negatives.len() - not_greater) as u64;
        }
        Ok(pairs)
    }

    fn pair_count(self) -> f64 {
        (self.above + self.tied + self.below) as f64
    }

    /// The area under the ROC curve: the share of pairs in which the positive is above, a tie
    /// counting ½.
    #[must_use]
    pub fn auc(self) -> f64 {
        (self.above as f64 + 0.5 * self.tied as f64) / self.pair_count()
    }

    /// The share of pairs in which the positive is strictly above.
    #[must_use]
    pub fn share_above(self) -> f64 {
        self.above as f64 / self.pair_count()
    }

    /// The share of pairs that are tied.
    #[must_use]
    pub fn share_tied(self) -> f64 {
        self.tied as f64 / self.pair_count()
    }

    /// The Gini coefficient, 2·AUC − 1, from -1 to 1.
    #[must_use]
    pub fn gini(self) -> f64 {
        (self.above as f64 - self.below as f64) / self.pair_count()
    }
}

/// The area under the ROC curve of scores that should tell positives from negatives.
///
/// # Formula
/// P(x > y) + ½ P(x = y) over all pairs of a positive's score x and a negative's y, which is
/// scikit-learn's `roc_auc_score` and U/(mn) of [`mann_whitney`](super::mann_whitney). 1: all
/// positives are above all negatives; ½: no better than chance; 0: all are below.
///
/// # Errors
/// [`StatisticsError::TooFew`] without a positive or without a negative,
/// [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::roc_auc;
/// assert_eq!(roc_auc(&[0.9, 0.8, 0.3], &[0.1, 0.3])?, 5.5 / 6.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn roc_auc(positives: &[f64], negatives: &[f64]) -> Result<f64, StatisticsError> {
    PairCounts::from_scores(positives, negatives).map(PairCounts::auc)
}

/// The ROC curve: at each score, which shares of the negatives and of the positives are at or above it.
///
/// # Formula
/// From \[0, 0\] through \[P(y ≥ s), P(x ≥ s)\] at the distinct scores s, falling, to \[1, 1\]: scikit-learn's `roc_curve`
/// with all of its points. The area under it by trapezoids is [`roc_auc`].
///
/// # Errors
/// As [`roc_auc`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::roc_curve;
/// assert_eq!(roc_curve(&[2.0, 1.0], &[1.0])?, [[0.0, 0.0], [0.0, 0.5], [1.0, 1.0]]);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn roc_curve(positives: &[f64], negatives: &[f64]) -> Result<Vec<[f64; 2]>, StatisticsError> {
    check_values("the positives' scores", positives, 1)?;
    check_values("the negatives' scores", negatives, 1)?;
    let rising = |scores: &[f64]| sorted(scores.iter().copied());
    let (x, y) = (rising(positives), rising(negatives));
    let mut scores = rising(&[positives, negatives].concat());
    scores.dedup();
    let share = |rising: &[f64], score: f64| {
        let below = rising.partition_point(|value| *value < score);
        (rising.len() - below) as f64 / rising.len() as f64
    };
    let points = scores.iter().rev().map(|score| [share(&y, *score), share(&x, *score)]);
    Ok([[0.0, 0.0]].into_iter().chain(points).collect())
}
