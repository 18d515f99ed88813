use super::StatisticsError;
use super::error::check_values;

/// Average precision of scores that should put positives first.
///
/// # Formula
/// AP = Σⱼ (rⱼ − rⱼ₋₁) pⱼ over the distinct scores from the highest on: of all values at or above the
/// j-th, pⱼ is the share that are positives, and rⱼ the share of the positives among them. Nothing
/// is interpolated and equal scores enter together: scikit-learn's `average_precision_score`. By
/// chance it is about the positives' share of all values.
///
/// # Errors
/// [`StatisticsError::TooFew`] without a positive or without a negative,
/// [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::average_precision;
/// assert_eq!(average_precision(&[3.0, 1.0], &[2.0])?, 0.5 + 0.5 * 2.0 / 3.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn average_precision(positives: &[f64], negatives: &[f64]) -> Result<f64, StatisticsError> {
    check_values("the positives' scores", positives, 1)?;
    check_values("the negatives' scores", negatives, 1)?;
    let mut scored: Vec<(f64, bool)> = positives.iter().map(|score| (*score, true)).collect();
    scored.extend(negatives.iter().map(|score| (*score, false)));
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut found, mut seen, mut sum) = (0_usize, 0_usize, 0.0);
    for tied in scored.chunk_by(|a, b| a.0 == b.0) {
        let new = tied.iter().filter(|(_, positive)| *positive).count();
        found += new;
        seen += tied.len();
        sum += new as f64 * (found as f64 / seen as f64);
    }
    Ok(sum / positives.len() as f64)
}
