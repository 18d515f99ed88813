use super::error::check_ordered;
use super::rank::{argsort_values, tied_groups};
use super::{StatisticsError, TieMethod, normal_survival, ranks};

/// What is held against the hypothesis that two samples come from one distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alternative {
    /// The two differ in either direction.
    #[default]
    TwoSided,
    /// The first tends to smaller values.
    Less,
    /// The first tends to greater values.
    Greater,
}

/// How the p-value is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NullDistribution {
    /// Exact without ties where a sample has at most 8 values, else asymptotic with continuity
    /// correction; asymptotic also where the arrangements cannot be counted.
    #[default]
    Auto,
    /// By counting all arrangements, as if no values were tied: with ties it is not exact.
    Exact,
    /// By the normal approximation, with ties in its variance.
    Asymptotic {
        /// Whether U is brought ½ closer to its mean, since it moves in whole steps.
        continuity: bool,
    },
}

/// The result of [`mann_whitney`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// How many pairs have the greater value in the first sample, a tie counting ½.
    pub u1: f64,
    /// The same of the second sample: U₁ + U₂ is the number of pairs.
    pub u2: f64,
    /// The probability of a U as extreme as this one where the samples come from one distribution.
    pub p: f64,
}

/// The Mann–Whitney U test: does one sample tend to greater values than the other?
///
/// # Formula
/// U₁ = R₁ − n₁(n₁ + 1)/2 with R₁ the sum of the first sample's average ranks among all values. The
/// p-value is `scipy.stats.mannwhitneyu`'s. Asymptotic: that of
/// z = (U − n₁n₂/2 − ½)/σ, σ² = n₁n₂/12 (n + 1 − Σ(t³ − t)/(n(n − 1))) over groups of t ties, the ½
/// with continuity correction; 1 where all values are equal. Exact: the share of the arrangements
/// with at least this U, counted in whole numbers. U₁/(n₁n₂) is the area under the ROC curve
/// ([`roc_auc`](super::roc_auc)).
///
/// # Errors
/// [`StatisticsError::TooFew`] of an empty sample, [`StatisticsError::Nan`], and
/// [`StatisticsError::Uncountable`] where [`NullDistribution::Exact`] is asked for and the arrangements do not
/// count in 128 bits.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::{Alternative, NullDistribution, mann_whitney};
/// let found = mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], Alternative::Less, NullDistribution::Auto)?;
/// assert_eq!((found.u1, found.p), (0.0, 0.05));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn mann_whitney(
    first: &[f64],
    second: &[f64],
    alternative: Alternative,
    method: NullDistribution,
) -> Result<MannWhitney, StatisticsError> {
    check_ordered("the first sample", first, 1)?;
    check_ordered("the second sample", second, 1)?;
    let all: Vec<f64> = first.iter().chain(second).copied().collect();
    let (n1, n2) = (first.len() as f64, second.len() as f64);
    let rank_sum: f64 = ranks(&all, TieMethod::Average)?.iter().take(first.len()).sum();
    let u1 = rank_sum - n1 * (n1 + 1.0) / 2.0;
    let u2 = n1 * n2 - u1;
    let (u, sides) = match alternative {
        Alternative::TwoSided => (u1.max(u2), 2.0),
        Alternative::Less => (u2, 1.0),
        Alternative::Greater => (u1, 1.0),
    };
    let tie_sum: f64 =
        tied_groups(&argsort_values(&all), &all).map(|group| group.len() as f64).map(|t| t * t * t - t).sum();
    let exact = || exact_tail(u, first.len(), second.len());
    let asymptotic = |continuity| asymptotic_tail(u, (n1, n2), tie_sum, continuity);
    let tail = match method {
        NullDistribution::Exact => exact()?,
        NullDistribution::Asymptotic { continuity } => asymptotic(continuity),
        NullDistribution::Auto if tie_sum == 0.0 && first.len().min(second.len()) <= 8 => {
            exact().unwrap_or_else(|_| asymptotic(true))
        }
        NullDistribution::Auto => asymptotic(true),
    };
    Ok(MannWhitney { u1, u2, p: (sides * tail).min(1.0) })
}

/// P(U ≥ u) by the normal approximation.
fn asymptotic_tail(u: f64, (n1, n2): (f64, f64), tie_sum: f64, continuity: bool) -> f64 {
    let n = n1 + n2;
    let variance = n1 * n2 / 12.0 * (n + 1.0 - tie_sum / (n * (n - 1.0)));
    let above_mean = u - n1 * n2 / 2.0 - if continuity { 0.5 } else { 0.0 };
    // All values are equal: nothing speaks for a difference.
    if variance > 0.0 { normal_survival(above_mean / f64::sqrt(variance)) } else { 1.0 }
}

/// P(U ≥ u), u rounded down, over all arrangements of values without ties.
fn exact_tail(u: f64, n1: usize, n2: usize) -> Result<f64, StatisticsError> {
    let uncountable = StatisticsError::Uncountable { first: n1, second: n2 };
    let (fewer, more) = (n1.min(n2), n1.max(n2));
    let total = binomial_coefficient(fewer, more).ok_or(uncountable)?;
    let greatest = n1 * n2;
    let at_least = libm::floor(u) as usize;
    // The distribution is symmetric: count the shorter side.
    let mirrored = greatest - at_least;
    let share = |counts: u128| counts as f64 / total as f64;
    Ok(if mirrored <= at_least {
        share(count_arrangements(mirrored, fewer, more))
    } else if at_least == 0 {
        1.0
    } else {
        share(total - count_arrangements(at_least - 1, fewer, more))
    })
}

/// C(fewer + more, fewer), where 128 bits hold it.
fn binomial_coefficient(fewer: usize, more: usize) -> Option<u128> {
    (1..=fewer as u128).try_fold(1_u128, |count, i| {
        // Each quotient is a binomial coefficient; divided first, no product exceeds the next one.
        let common = greatest_common_divisor(count, i);
        (count / common).checked_mul((more as u128 + i) / (i / common))
    })
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// How many arrangements have a U of at most `most`.
///
/// The generating function of their numbers is Π (1 − qᵐᵒʳᵉ⁺ⁱ)/(1 − qⁱ), i from 1 to `fewer` (Mann and
/// Whitney, 1947). Numbers in between may be negative; modulo 2¹²⁸ the last ones are right.
fn count_arrangements(most: usize, fewer: usize, more: usize) -> u128 {
    let mut counts = vec![0_u128; most + 1];
    counts[0] = 1;
    for i in 1..=fewer {
        for u in (more + i..=most).rev() {
            counts[u] = counts[u].wrapping_sub(counts[u - more - i]);
        }
        for u in i..=most {
            counts[u] = counts[u].wrapping_add(counts[u - i]);
        }
    }
    counts.into_iter().fold(0, u128::wrapping_add)
}
