use super::error::{check_confidence, check_values};
use super::moments::{mean_or_nan, sum_of_squares};
use super::quantile::quantile_of_ascending;
use super::{Bootstrap, Interval, StatisticsError};
use crate::order::sorted;

/// Intervals of means by the studentised bootstrap (Efron, 1979; Hall, 1988), whose draws are made once for all samples
/// of one size.
///
/// # Formula
/// Of each resample t* = (x̄* − x̄)/(s*/√n), s of n − 1 degrees of freedom. With a and b the (1 − γ)/2 and (1 + γ)/2
/// quantiles of t* the interval goes from x̄ − b s/√n to x̄ − a s/√n. A resample without spread has t* of ±∞, or 0
/// where it has the sample's own mean. Unlike percentiles it is as wide as Student's for normal values, and unlike
/// Student's as skewed as the sample.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::{Bootstrap, StudentisedBootstrap};
/// let heights = [1.72, 1.8, 1.65, 1.9, 1.77, 1.68, 1.81, 1.75, 1.7, 1.79];
/// let bootstrap = Bootstrap { resamples: 1000, confidence: 0.95, seed: 42 };
/// let interval = StudentisedBootstrap::new(&bootstrap, heights.len())?.interval(&heights)?;
/// assert!(interval.contains(1.76) && !interval.contains(1.9));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StudentisedBootstrap {
    confidence: f64,
    /// How many values a sample has.
    size: usize,
    /// The indices of all resamples, one after the other.
    drawn: Vec<usize>,
}

/// Most indices that are kept.
const INDICES_MAX: usize = 1 << 26;

impl StudentisedBootstrap {
    /// Draws the resamples of samples of one size, by `RandomState(seed).randint(0, n, n)` each.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] below two values or two resamples, [`StatisticsError::TooMany`] beyond 2²⁶ draws in
    /// all, [`StatisticsError::Confidence`].
    pub fn new(bootstrap: &Bootstrap, size: usize) -> Result<Self, StatisticsError> {
        check_confidence(bootstrap.confidence)?;
        let resamples = bootstrap.resamples;
        for (what, found) in [("the values", size), ("the resamples", resamples)] {
            if found < 2 {
                return Err(StatisticsError::TooFew { what, found, needed: 2 });
            }
        }
        if size.checked_mul(resamples).is_none_or(|all| all > INDICES_MAX) {
            let (what, most) = ("the values", INDICES_MAX / resamples);
            return Err(StatisticsError::TooMany { what, found: size, most });
        }
        let mut drawn = Vec::new();
        bootstrap.for_each_resample(size, |rows| {
            drawn.extend_from_slice(rows);
            Ok(())
        })?;
        Ok(Self { confidence: bootstrap.confidence, size, drawn })
    }

    /// The interval of the mean of as many values as were drawn for.
    ///
    /// # Errors
    /// [`StatisticsError::Lengths`], [`StatisticsError::NonFinite`], [`StatisticsError::Constant`] where the values
    /// do not vary, or so many resamples do not that the interval has no end.
    pub fn interval(&self, values: &[f64]) -> Result<Interval, StatisticsError> {
        check_values("the values", values, 0)?;
        let n = values.len();
        if n != self.size {
            return Err(StatisticsError::Lengths { first: n, second: self.size });
        }
        let error = |values: &[f64], mean| f64::sqrt(sum_of_squares(values, mean) / ((n as f64 - 1.0) * n as f64));
        let mean = mean_or_nan(values);
        let mut sample = Vec::with_capacity(n);
        let found = self.drawn.chunks_exact(n).map(|rows| {
            sample.clear();
            sample.extend(rows.iter().map(|row| values[*row]));
            let away = mean_or_nan(&sample) - mean;
            let spread = sample.iter().any(|value| *value != sample[0]);
            match spread {
                true => away / error(&sample, mean + away),
                false if away == 0.0 => 0.0,
                false => f64::INFINITY.copysign(away),
            }
        });
        let found = sorted(found);
        let tail = 0.5 - 0.5 * self.confidence;
        let own = error(values, mean);
        let end = |share| mean - own * quantile_of_ascending(&found, share);
        let interval = Interval { low: end(1.0 - tail), high: end(tail) };
        if own > 0.0 && interval.low.is_finite() && interval.high.is_finite() {
            Ok(interval)
        } else {
            Err(StatisticsError::Constant { what: "the values, or too many of their resamples," })
        }
    }
}
