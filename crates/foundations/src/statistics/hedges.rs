use super::student_t::log_gamma_step;
use super::{StatisticsError, cohens_d};

/// What Cohen's d of a small sample is too large by: the factor that makes its mean the true difference (Hedges, 1981).
///
/// # Formula
/// J = Γ(ν/2)/(√(ν/2) Γ((ν − 1)/2)) with the ν degrees of freedom of the pooled standard deviation, about
/// 1 − 3/(4ν − 1). It is 0 for ν = 1, where d has no mean.
///
/// # Errors
/// [`StatisticsError::Freedom`] unless ν is finite and at least 1.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::hedges_correction;
/// // Two samples of three.
/// assert!((hedges_correction(4.0)? - 0.797885).abs() < 1e-6);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn hedges_correction(freedom: f64) -> Result<f64, StatisticsError> {
    if !(freedom >= 1.0 && freedom.is_finite()) {
        return Err(StatisticsError::Freedom { value: freedom });
    }
    let a = 0.5 * (freedom - 1.0);
    Ok(if a > 0.0 { libm::exp(log_gamma_step(a)) * f64::sqrt(a / (0.5 * freedom)) } else { 0.0 })
}

/// Hedges' g: [`cohens_d`] with the pooled standard deviation of `ddof` 1, and with [`hedges_correction`].
///
/// # Errors
/// As [`cohens_d`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::hedges_g;
/// let g = hedges_g(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0])?;
/// assert!((g - 3.0 * 0.797885).abs() < 1e-5);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn hedges_g(first: &[f64], second: &[f64]) -> Result<f64, StatisticsError> {
    let d = cohens_d(first, second, 1)?;
    Ok(d * hedges_correction((first.len() + second.len() - 2) as f64)?)
}
