use super::error::check_share;
use super::{StatisticsError, normal_quantile};

/// How many values of each of two samples a two-sided t-test needs, to find a difference of their means of `effect`
/// standard deviations with a probability of `power`.
///
/// # Formula
/// The least whole n ≥ 2(z + z′)²/effect², z and z′ the normal's quantiles of 1 − α/2 and of the power, and at least 2. Student's own needs
/// one or two more of few. None where no finite number does: an effect of 0.
///
/// # Errors
/// [`StatisticsError::Share`] of an α or a power outside 0 to 1.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::sample_size;
/// assert_eq!(sample_size(0.5, 0.05, 0.8)?, Some(63.0));
/// assert_eq!(sample_size(10.0, 0.05, 0.8)?, Some(2.0));
/// assert_eq!(sample_size(0.0, 0.05, 0.8)?, None);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn sample_size(effect: f64, alpha: f64, power: f64) -> Result<Option<f64>, StatisticsError> {
    check_share("α", alpha)?;
    check_share("power", power)?;
    let reach = normal_quantile(1.0 - 0.5 * alpha)? + normal_quantile(power)?;
    let in_effects = reach.max(0.0) / effect.abs();
    let needed = libm::ceil(2.0 * in_effects * in_effects).max(2.0);
    Ok(Some(needed).filter(|needed| needed.is_finite() && !in_effects.is_nan()))
}
