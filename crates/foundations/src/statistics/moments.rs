use super::StatisticsError;
use super::error::check_values;
use crate::Matrix;

/// The arithmetic mean.
///
/// # Formula
/// x̄ = 1/n Σ xᵢ, summed from the first value to the last.
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::mean;
/// assert_eq!(mean(&[1.0, 2.0, 6.0])?, 3.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn mean(values: &[f64]) -> Result<f64, StatisticsError> {
    check_values("the values", values, 1)?;
    Ok(mean_or_nan(values))
}

/// The variance with `ddof` degrees of freedom taken: 0 for a population's, 1 for the estimate from
/// a sample.
///
/// # Formula
/// 1/(n − ddof) Σ (xᵢ − x̄)², as `numpy.var`.
///
/// # Errors
/// [`StatisticsError::TooFew`] unless there are more values than `ddof`;
/// [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::variance;
/// assert_eq!(variance(&[1.0, 2.0, 6.0], 0)?, 14.0 / 3.0);
/// assert_eq!(variance(&[1.0, 2.0, 6.0], 1)?, 7.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn variance(values: &[f64], ddof: usize) -> Result<f64, StatisticsError> {
    check_values("the values", values, ddof.saturating_add(1))?;
    Ok(sum_of_squares(values, mean_or_nan(values)) / (values.len() - ddof) as f64)
}

/// The standard deviation: the root of the [`variance`].
///
/// # Formula
/// √(1/(n − ddof) Σ (xᵢ − x̄)²), as `numpy.std`.
///
/// # Errors
/// As [`variance`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::standard_deviation;
/// assert_eq!(standard_deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0], 0)?, 2.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn standard_deviation(values: &[f64], ddof: usize) -> Result<f64, StatisticsError> {
    variance(values, ddof).map(f64::sqrt)
}

/// The least and the greatest value; (∞, −∞) of nothing. NaN counts as nothing.
pub fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    values.into_iter().fold(none, |(low, high), value| (low.min(value), high.max(value)))
}

/// Σ x / n; NaN of nothing.
pub fn mean_or_nan(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Σ (x − about)².
pub fn sum_of_squares(values: &[f64], about: f64) -> f64 {
    values.iter().map(|x| (x - about) * (x - about)).sum()
}

/// Σ (x − column mean)² over all entries.
pub fn total_sum_of_squares(matrix: &Matrix, means: &[f64]) -> f64 {
    matrix.iter_rows().map(|row| row.iter().zip(means).map(|(x, mean)| (x - mean) * (x - mean)).sum::<f64>()).sum()
}

/// Population variance over all entries together, about their one grand mean; exactly 0 where they
/// are all equal.
pub fn grand_variance(values: &[f64]) -> f64 {
    let Some(&about) = values.first() else { return 0.0 };
    let n = values.len() as f64;
    let mean = about + sum_by_chunks(values, |x| x - about) / n;
    sum_by_chunks(values, |x| (x - mean) * (x - mean)) / n
}

/// The sum of chunks' sums, each from its first value to its last. Several chunks are summed abreast,
/// since one addition would wait for the one before.
fn sum_by_chunks(values: &[f64], term: impl Fn(f64) -> f64) -> f64 {
    const CHUNK: usize = 256;
    const CHUNKS_AT_ONCE: usize = 4;
    let mut total = 0.0;
    let groups = values.chunks_exact(CHUNKS_AT_ONCE * CHUNK);
    let rest = groups.remainder();
    for group in groups {
        let (a, b) = group.split_at(2 * CHUNK);
        let ((a, b), (c, d)) = (a.split_at(CHUNK), b.split_at(CHUNK));
        let mut sums = [0.0; CHUNKS_AT_ONCE];
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            sums.iter_mut().zip([a, b, c, d]).for_each(|(sum, x)| *sum += term(*x));
        }
        sums.into_iter().for_each(|sum| total += sum);
    }
    for chunk in rest.chunks(CHUNK) {
        total += chunk.iter().map(|x| term(*x)).sum::<f64>();
    }
    total
}

/// Σ (x − y)² over all entries.
pub fn squared_error(a: &Matrix, b: &Matrix) -> f64 {
    a.iter_rows().zip(b.iter_rows()).map(|(a, b)| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>()).sum()
}
