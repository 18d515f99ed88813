use super::error::{check_confidence, check_share};
use super::{Interval, StatisticsError, normal_quantile};

/// The interval of an area under the ROC curve of two small samples: method 5 of Newcombe, "Confidence intervals for an
/// effect size measure based on the Mann–Whitney statistic. Part 2" (2006).
///
/// # Formula
/// All θ with (θ̂ − θ)² ≤ z² θ(1 − θ)(1 + N*((1 − θ)/(2 − θ) + θ/(1 + θ)))/(mn), N* = (m + n)/2 − 1 and z the
/// (1 + γ)/2 quantile of the normal: Hanley and McNeil's variance for exponential scores, at θ itself and with both
/// sample sizes replaced by their mean. It has a width at θ̂ = 0 and 1, and stays within them.
///
/// # Errors
/// [`StatisticsError::Share`] of an area outside 0 to 1, [`StatisticsError::TooFew`] of an empty sample,
/// [`StatisticsError::Confidence`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::auc_interval;
/// let interval = auc_interval(1.0, 3, 3, 0.95)?;
/// assert!((interval.low - 0.5010).abs() < 1e-4 && interval.high == 1.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn auc_interval(auc: f64, first: usize, second: usize, confidence: f64) -> Result<Interval, StatisticsError> {
    check_share("area", auc)?;
    check_confidence(confidence)?;
    for (what, found) in [("the first sample", first), ("the second sample", second)] {
        if found == 0 {
            return Err(StatisticsError::TooFew { what, found, needed: 1 });
        }
    }
    let z = normal_quantile(0.5 + 0.5 * confidence)?;
    let (m, n) = (first as f64, second as f64);
    let below = |auc: f64| lower_end(auc, z * z / (m * n), 0.5 * (m + n) - 1.0);
    // The variance is the same of θ and 1 − θ.
    Ok(Interval { low: below(auc), high: 1.0 - below(1.0 - auc) })
}

/// The least θ that the area is near enough to. `shrunk` is z²/(mn).
fn lower_end(auc: f64, shrunk: f64, star: f64) -> f64 {
    let too_far = |theta: f64| {
        let away = auc - theta;
        let skew = (1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta);
        away * away > shrunk * theta * (1.0 - theta) * (1.0 + star * skew)
    };
    // At 0 there is no variance, at the area no distance; in between is the end, by halves.
    let (mut low, mut high) = (0.0, auc);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if too_far(middle) { low = middle } else { high = middle }
    }
}
