use super::error::{check_lengths, check_ordered, check_values};
use super::moments::{mean_or_nan, sum_of_squares};
use super::rank::{argsort_values, tied_groups};
use super::{StatisticsError, StudentT, TieMethod, normal_survival, ranks};

/// How two quantities go together, and how surprising that would be if they did not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// From -1 to 1.
    pub coefficient: f64,
    /// The probability of a coefficient of at least this size where the two are independent; none
    /// where the test has no degrees of freedom (Spearman's with two pairs).
    pub p: Option<f64>,
}

/// The share of a mean below which deviations from it are taken for rounding.
const ROUNDING_TOLERANCE: f64 = 1e-12;

/// Pearson's correlation: how well a line describes the two quantities.
///
/// # Formula
/// r = Σ (xᵢ − x̄)(yᵢ − ȳ) / √(Σ (xᵢ − x̄)² Σ (yᵢ − ȳ)²). The p-value is that of
/// t = r √((n − 2)/(1 − r²)) with n − 2 degrees of freedom, as `scipy.stats.pearsonr`; with two pairs
/// it is 1.
///
/// # Errors
/// [`StatisticsError::Lengths`], [`StatisticsError::TooFew`] below two pairs,
/// [`StatisticsError::NonFinite`], [`StatisticsError::Constant`] where one side does not vary beyond
/// rounding (deviations of 10⁻¹² of the mean).
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::pearson;
/// let found = pearson(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0])?;
/// assert!((found.coefficient - 0.8).abs() < 1e-15);
/// assert!((found.p.unwrap() - 0.2).abs() < 1e-14);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn pearson(x: &[f64], y: &[f64]) -> Result<Correlation, StatisticsError> {
    let coefficient = pearson_coefficient(x, y)?;
    let p = if x.len() == 2 { Some(1.0) } else { correlation_p_value(coefficient, x.len())? };
    Ok(Correlation { coefficient, p })
}

/// The coefficient of [`pearson`] alone, without the distributions that its p-value takes.
///
/// # Errors
/// As [`pearson`].
pub fn pearson_coefficient(x: &[f64], y: &[f64]) -> Result<f64, StatisticsError> {
    check_lengths(x, y)?;
    check_values("x", x, 2)?;
    check_values("y", y, 2)?;
    product_moment(x, y)
}

/// Spearman's correlation: how well any rising or falling curve describes the two quantities.
///
/// # Formula
/// ρ = Pearson's correlation of the average ranks. The p-value is by the t distribution with n − 2
/// degrees of freedom, as `scipy.stats.spearmanr`; for few pairs it is rough.
///
/// # Errors
/// [`StatisticsError::Lengths`], [`StatisticsError::TooFew`] below two pairs,
/// [`StatisticsError::Nan`], [`StatisticsError::Constant`] where all of one side are equal.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::spearman;
/// let found = spearman(&[1.0, 10.0, 100.0, 1000.0], &[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!((found.coefficient, found.p), (1.0, Some(0.0)));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn spearman(x: &[f64], y: &[f64]) -> Result<Correlation, StatisticsError> {
    check_lengths(x, y)?;
    check_ordered("x", x, 2)?;
    check_ordered("y", y, 2)?;
    let coefficient = product_moment(&ranks(x, TieMethod::Average)?, &ranks(y, TieMethod::Average)?)?;
    Ok(Correlation { coefficient, p: correlation_p_value(coefficient, x.len())? })
}

/// r of finite values, at least one of them.
fn product_moment(x: &[f64], y: &[f64]) -> Result<f64, StatisticsError> {
    let x = unit_deviations("x", x)?;
    let y = unit_deviations("y", y)?;
    Ok(x.iter().zip(&y).map(|(x, y)| x * y).sum::<f64>().clamp(-1.0, 1.0))
}

/// Deviations from the mean, as a vector of length 1.
pub(super) fn unit_deviations(what: &'static str, values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    // At the size of 1 no square is too large or too small. A power of two rounds nothing.
    let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let scale = libm::scalbn(1.0, -libm::ilogb(largest).clamp(-1022, 1022));
    let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
    let mean = mean_or_nan(&scaled);
    let length = f64::sqrt(sum_of_squares(&scaled, mean));
    if length > ROUNDING_TOLERANCE * f64::sqrt(values.len() as f64) * mean.abs() {
        Ok(scaled.iter().map(|value| (value - mean) / length).collect())
    } else {
        Err(StatisticsError::Constant { what })
    }
}

/// The two-sided p-value of r √((n − 2)/(1 − r²)); none for n = 2.
pub(super) fn correlation_p_value(r: f64, n: usize) -> Result<Option<f64>, StatisticsError> {
    if n <= 2 {
        return Ok(None);
    }
    let by_root_of_freedom = r.abs() / f64::sqrt((1.0 - r) * (1.0 + r));
    Ok(Some(StudentT::new((n - 2) as f64)?.two_sided_tail(by_root_of_freedom)))
}

/// Kendall's τ-b: how much more often two pairs agree in their order than disagree, corrected for
/// ties.
///
/// # Formula
/// τ = (C − D) / √((N − Tₓ)(N − T_y)) over the N = n(n − 1)/2 pairs of pairs: C are in the same order
/// on both sides, D in opposite order, Tₓ and T_y tied in x and in y. Counted in O(n log n) as by
/// Knight, "A Computer Method for Calculating Kendall's Tau with Ungrouped Data" (1966). The p-value
/// is `scipy.stats.kendalltau`'s: exact without ties for up to 33 pairs or at most one pair of pairs
/// out of order, else by the normal approximation with ties in its variance.
///
/// # Errors
/// [`StatisticsError::Lengths`], [`StatisticsError::TooFew`] below two pairs,
/// [`StatisticsError::Nan`], [`StatisticsError::Constant`] where all of one side are equal.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::kendall_tau_b;
/// let found = kendall_tau_b(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 4.0, 3.0])?;
/// assert!((found.coefficient - 4.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Result<Correlation, StatisticsError> {
    check_lengths(x, y)?;
    check_ordered("x", x, 2)?;
    check_ordered("y", y, 2)?;
    let n = x.len();
    let all = pair_count(n as u128);
    let (x_ties, y_ties) = (TieSums::from_values(x), TieSums::from_values(y));
    for (what, ties) in [("x", &x_ties), ("y", &y_ties)] {
        if ties.pairs == all {
            return Err(StatisticsError::Constant { what });
        }
    }

    // In the order of x, and of y where x is tied, the pairs out of order are the inversions of y.
    let mut order = argsort_values(y);
    order.sort_by(|a, b| x[*a].partial_cmp(&x[*b]).unwrap_or(std::cmp::Ordering::Equal));
    let both_tied: u128 =
        order.chunk_by(|a, b| x[*a] == x[*b] && y[*a] == y[*b]).map(|group| pair_count(group.len() as u128)).sum();
    let mut in_order: Vec<f64> = order.iter().map(|index| y[*index]).collect();
    let discordant = count_inversions(&mut in_order, &mut vec![0.0; n]);
    let concordant = all + both_tied - x_ties.pairs - y_ties.pairs - discordant;

    let excess = concordant as f64 - discordant as f64;
    let (x_untied, y_untied) = ((all - x_ties.pairs) as f64, (all - y_ties.pairs) as f64);
    let coefficient = (excess / f64::sqrt(x_untied) / f64::sqrt(y_untied)).clamp(-1.0, 1.0);

    let fewer = discordant.min(all - discordant);
    let p = if x_ties.pairs == 0 && y_ties.pairs == 0 && (n <= EXACT_PAIRS_MAX || fewer <= 1) {
        exact_p(n, fewer)
    } else {
        asymptotic_p(n as f64, excess, &x_ties, &y_ties)
    };
    Ok(Correlation { coefficient, p: Some(p) })
}

/// Up to so many pairs the p-value of τ is exact. Their orders still count in 128 bits.
const EXACT_PAIRS_MAX: usize = 33;

fn pair_count(n: u128) -> u128 {
    n * n.saturating_sub(1) / 2
}

/// Sums over groups of t equal values.
#[derive(Default)]
struct TieSums {
    /// Σ t(t − 1)/2.
    pairs: u128,
    /// Σ t(t − 1)(t − 2).
    triples: f64,
    /// Σ t(t − 1)(2t + 5).
    variance: f64,
}

impl TieSums {
    fn from_values(values: &[f64]) -> Self {
        let mut sums = Self::default();
        for group in tied_groups(&argsort_values(values), values) {
            let t = group.len() as f64;
            sums.pairs += pair_count(group.len() as u128);
            sums.triples += t * (t - 1.0) * (t - 2.0);
            sums.variance += t * (t - 1.0) * (2.0 * t + 5.0);
        }
        sums
    }
}

/// How many pairs stand in descending order. Sorts them by merging, with a buffer as long.
fn count_inversions(values: &mut [f64], buffer: &mut [f64]) -> u128 {
    let half = values.len() / 2;
    if half == 0 {
        return 0;
    }
    let (low, high) = values.split_at_mut(half);
    let (low_buffer, high_buffer) = buffer.split_at_mut(half);
    let mut found = count_inversions(low, low_buffer) + count_inversions(high, high_buffer);
    let (mut left, mut right) = (0, 0);
    for slot in buffer.iter_mut() {
        // Whatever is still on the left stands before a smaller one.
        let from_right = right < high.len() && (left == low.len() || high[right] < low[left]);
        if from_right {
            found += (low.len() - left) as u128;
            *slot = high[right];
            right += 1;
        } else {
            *slot = low[left];
            left += 1;
        }
    }
    values.copy_from_slice(buffer);
    found
}

/// The share of the n! orders with at most `fewer` or at least as many too many pairs out of order.
fn exact_p(n: usize, fewer: u128) -> f64 {
    if 2 * fewer == pair_count(n as u128) {
        return 1.0;
    }
    if n > EXACT_PAIRS_MAX {
        // At most one pair out of order: 1 or n orders of n! on each side.
        let orders = if fewer == 0 { 1.0 } else { n as f64 };
        return (1..=n).fold(2.0 * orders, |share, k| share / k as f64);
    }
    // counts[d]: orders of j with d pairs out of order. The j-th item stands before 0 to j − 1 others.
    let fewer = fewer as usize;
    let mut counts = vec![0_u128; fewer + 1];
    counts[0] = 1;
    for j in 2..=n {
        let mut sums = counts.clone();
        for d in 1..=fewer {
            sums[d] += sums[d - 1];
        }
        for (d, count) in counts.iter_mut().enumerate() {
            *count = sums[d] - if d >= j { sums[d - j] } else { 0 };
        }
    }
    let orders: u128 = (1..=n as u128).product();
    (2.0 * counts.iter().sum::<u128>() as f64 / orders as f64).min(1.0)
}

/// Two-sided, by the normal approximation.
fn asymptotic_p(n: f64, excess: f64, x: &TieSums, y: &TieSums) -> f64 {
    let m = n * (n - 1.0);
    let untied = m * (2.0 * n + 5.0);
    let of_pairs = 2.0 * (x.pairs as f64) * (y.pairs as f64) / m;
    let of_triples = x.triples * y.triples / (9.0 * m * (n - 2.0));
    let variance = (untied - x.variance - y.variance) / 18.0 + of_pairs + of_triples;
    (2.0 * normal_survival(excess.abs() / f64::sqrt(variance))).min(1.0)
}
