use super::StatisticsError;
use super::error::check_values;
use super::moments::sum_of_squares;

/// Cohen's d: by how many pooled standard deviations the means of two samples are apart.
///
/// # Formula
/// d = (x̄ − ȳ)/s with s² = ((n₁ − 1)v₁ + (n₂ − 1)v₂)/(n₁ + n₂ − 2), v the variances with `ddof` degrees of freedom
/// taken. The definition has 1; with 0, which a program takes that leaves out `ddof`, |d| of equal samples is
/// √(n/(n − 1)) times too large. Where nothing varies it is 0 for equal means, else infinite, with the difference's
/// sign.
///
/// # Errors
/// [`StatisticsError::TooFew`] below two values of either sample, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::cohens_d;
/// assert_eq!(cohens_d(&[-1.0, -2.0, -3.0], &[1.0, 2.0, 3.0], 1)?, -4.0);
/// assert_eq!(cohens_d(&[1.0, 1.0], &[2.0, 2.0], 1)?, f64::NEG_INFINITY);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn cohens_d(first: &[f64], second: &[f64], ddof: usize) -> Result<f64, StatisticsError> {
    let least = ddof.saturating_add(1).max(2);
    check_values("the first sample", first, least)?;
    check_values("the second sample", second, least)?;
    let (x, y) = (centred_mean(first), centred_mean(second));
    let weighted = |values: &[f64], mean: f64| {
        let n = values.len();
        (n - 1) as f64 * (sum_of_squares(values, mean) / (n - ddof) as f64)
    };
    let freedom = (first.len() + second.len() - 2) as f64;
    let pooled = f64::sqrt((weighted(first, x) + weighted(second, y)) / freedom);
    let difference = x - y;
    Ok(if difference == 0.0 { 0.0 } else { difference / pooled })
}

/// The mean, about the first value: exactly that value where all are equal, so that rounding is no difference.
fn centred_mean(values: &[f64]) -> f64 {
    let about = values.first().copied().unwrap_or_default();
    about + values.iter().map(|value| value - about).sum::<f64>() / values.len() as f64
}
