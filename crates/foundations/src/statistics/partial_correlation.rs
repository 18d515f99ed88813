use super::StatisticsError;
use super::correlation::{Correlation, correlation_p_value, spearman};
use super::error::{check_lengths, check_ordered};

/// 1 − r² at which what a covariate leaves of a side is rounding.
const RESIDUAL_MIN: f64 = 1e-12;

/// Spearman's partial correlation: how two quantities go together beyond what a third has to do with both.
///
/// # Formula
/// ρ = (r_xy − r_xz r_yz)/√((1 − r_xz²)(1 − r_yz²)) of Spearman's correlations, which is Pearson's correlation of what
/// is left of the average ranks of x and of y after a linear regression on those of the covariate z. The p-value is
/// by the t distribution with n − 3 degrees of freedom; none with three values. A covariate that does not vary takes
/// nothing: then it is [`spearman`], with its p-value.
///
/// # Errors
/// [`StatisticsError::Lengths`], [`StatisticsError::TooFew`] below three values, [`StatisticsError::Nan`],
/// [`StatisticsError::Constant`] where x or y does not vary, or not beyond what follows from the covariate.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::partial_spearman;
/// // Both rise with the covariate, and beyond it one falls where the other rises.
/// let covariate = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0];
/// let found = partial_spearman(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2.0, 1.0, 4.0, 3.0, 6.0, 5.0], &covariate)?;
/// assert!((found.coefficient + 1.0).abs() < 1e-12);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn partial_spearman(x: &[f64], y: &[f64], covariate: &[f64]) -> Result<Correlation, StatisticsError> {
    check_lengths(x, y)?;
    check_lengths(x, covariate)?;
    for (what, values) in [("x", x), ("y", y), ("the covariate", covariate)] {
        check_ordered(what, values, 3)?;
    }
    let plain = spearman(x, y)?;
    let with = |values: &[f64]| spearman(values, covariate).map(|found| found.coefficient);
    let (x_with, y_with) = match (with(x), with(y)) {
        (Ok(x), Ok(y)) => (x, y),
        // Both sides vary, so what does not is the covariate.
        _ => return Ok(plain),
    };
    let left = |what, r: f64| {
        let left = (1.0 - r) * (1.0 + r);
        if left > RESIDUAL_MIN { Ok(left) } else { Err(StatisticsError::Constant { what }) }
    };
    let length = f64::sqrt(left("x beyond the covariate", x_with)? * left("y beyond the covariate", y_with)?);
    let coefficient = ((plain.coefficient - x_with * y_with) / length).clamp(-1.0, 1.0);
    // A degree of freedom goes to the covariate.
    Ok(Correlation { coefficient, p: correlation_p_value(coefficient, x.len() - 1)? })
}
