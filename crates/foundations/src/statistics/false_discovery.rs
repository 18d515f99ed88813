use super::StatisticsError;
use super::error::{check_share, check_values};
use crate::order::argsort_descending;

/// p-values adjusted such that, of those at most α, no more than the share α is expected to be of nothing: the false
/// discovery rate (Benjamini and Hochberg, 1995).
///
/// # Formula
/// With the m values in ascending order, q₍ᵢ₎ = min over j ≥ i of p₍ⱼ₎ m/j, as
/// `scipy.stats.false_discovery_control`. For independent tests, and for some that depend positively.
///
/// # Errors
/// [`StatisticsError::NonFinite`], [`StatisticsError::Share`] of values outside 0 to 1. Nothing is adjusted to nothing.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::benjamini_hochberg;
/// assert_eq!(benjamini_hochberg(&[0.5, 0.01, 0.03])?, [0.5, 0.03, 0.045]);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn benjamini_hochberg(p: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    check_values("the p-values", p, 0)?;
    p.iter().try_for_each(|value| check_share("p-value", *value))?;
    let mut adjusted = vec![0.0; p.len()];
    let mut least = 1.0;
    for (index, rank) in argsort_descending(p.iter().copied()).into_iter().zip((1..=p.len()).rev()) {
        least = f64::min(least, p[index] * (p.len() as f64 / rank as f64));
        adjusted[index] = least;
    }
    Ok(adjusted)
}
