use super::StatisticsError;
use super::error::check_ordered;

/// Which rank equal values get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieMethod {
    /// The mean of the ranks that they share.
    #[default]
    Average,
    /// The least of the ranks that they share.
    Min,
    /// The greatest of the ranks that they share.
    Max,
    /// One rank for each value that occurs, without gaps.
    Dense,
    /// Ranks of their own, in the order in which they stand.
    Ordinal,
}

/// The place of each value in ascending order, from 1.
///
/// # Formula
/// As `scipy.stats.rankdata`: without ties, rank i = number of values ≤ xᵢ. -0 equals 0, and
/// infinities are first and last.
///
/// # Errors
/// [`StatisticsError::Nan`]. Nothing has no ranks.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::{TieMethod, ranks};
/// assert_eq!(ranks(&[0.2, 0.7, 0.2], TieMethod::Average)?, [1.5, 3.0, 1.5]);
/// assert_eq!(ranks(&[0.2, 0.7, 0.2], TieMethod::Ordinal)?, [1.0, 3.0, 2.0]);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn ranks(values: &[f64], ties: TieMethod) -> Result<Vec<f64>, StatisticsError> {
    check_ordered("the values", values, 0)?;
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for (group, members) in tied_groups(&argsort_values(values), values).enumerate() {
        let end = start + members.len();
        for (at, index) in members.iter().enumerate() {
            ranks[*index] = match ties {
                TieMethod::Average => (start + 1 + end) as f64 / 2.0,
                TieMethod::Min => (start + 1) as f64,
                TieMethod::Max => end as f64,
                TieMethod::Dense => (group + 1) as f64,
                TieMethod::Ordinal => (start + 1 + at) as f64,
            };
        }
        start = end;
    }
    Ok(ranks)
}

/// Indices in ascending order of the values, equal ones in the order in which they stand.
pub(super) fn argsort_values(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Not `total_cmp`, to which -0 lies below 0. There is no NaN.
    order.sort_by(|a, b| values[*a].partial_cmp(&values[*b]).unwrap_or(std::cmp::Ordering::Equal));
    order
}

/// An order cut into runs of equal values.
pub(super) fn tied_groups<'a>(order: &'a [usize], values: &'a [f64]) -> impl Iterator<Item = &'a [usize]> {
    order.chunk_by(|a, b| values[*a] == values[*b])
}
