use super::error::{check_confidence, check_values};
use super::quantile::quantile_of_ascending;
use super::{Interval, StatisticsError};
use crate::NumpyRng;
use crate::order::sorted;

/// Intervals of any statistic by drawing samples anew from the data (Efron, 1979).
///
/// # Formula
/// Each resample draws n of the n values with replacement, by `RandomState(seed).randint(0, n, n)`.
/// The interval with confidence γ goes from the (1 − γ)/2 to the (1 + γ)/2 quantile of the statistic
/// over the resamples: the percentile method. It needs no distribution, but of few values it is too
/// narrow: of 10 normal values' mean, 90 % intervals hold the truth about 85 times of 100.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::{Bootstrap, mean};
/// let heights = [1.72, 1.8, 1.65, 1.9, 1.77, 1.68, 1.81, 1.75];
/// let bootstrap = Bootstrap { resamples: 1000, confidence: 0.95, seed: 42 };
/// let interval = bootstrap.interval(&heights, |sample| mean(sample).ok())?;
/// assert!(interval.contains(1.76) && !interval.contains(1.9));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// How many samples are drawn; some hundreds at least, to have values in the tails.
    pub resamples: usize,
    /// How often the interval should hold the truth, between 0 and 1.
    pub confidence: f64,
    /// The seed of the draws.
    pub seed: u32,
}

/// More indices would not fit into the memory that WebAssembly can address.
const INDICES_MAX: usize = 1 << 28;

impl Bootstrap {
    /// The interval of a statistic of the values.
    ///
    /// # Errors
    /// [`StatisticsError::NonFinite`] values; else as
    /// [`interval_of_rows`](Self::interval_of_rows).
    pub fn interval(
        &self,
        values: &[f64],
        mut statistic: impl FnMut(&[f64]) -> Option<f64>,
    ) -> Result<Interval, StatisticsError> {
        check_values("the values", values, 1)?;
        let mut sample = Vec::with_capacity(values.len());
        self.interval_of_rows(values.len(), |rows| {
            sample.clear();
            sample.extend(rows.iter().map(|row| values[*row]));
            statistic(&sample)
        })
    }

    /// The interval of a statistic of `rows` rows, be they pairs, tables or texts: it is called with
    /// the indices of the rows in each resample.
    ///
    /// # Errors
    /// [`StatisticsError::Confidence`]; [`StatisticsError::TooFew`] without rows or with fewer than
    /// two resamples; [`StatisticsError::TooMany`] above 2²⁸ rows;
    /// [`StatisticsError::Resample`] where the statistic gives none or a value that is not finite.
    pub fn interval_of_rows(
        &self,
        rows: usize,
        mut statistic: impl FnMut(&[usize]) -> Option<f64>,
    ) -> Result<Interval, StatisticsError> {
        check_confidence(self.confidence)?;
        for (what, found, needed) in [("the rows", rows, 1), ("the resamples", self.resamples, 2)] {
            if found < needed {
                return Err(StatisticsError::TooFew { what, found, needed });
            }
        }
        let mut found = Vec::new();
        self.for_each_resample(rows, |drawn| {
            let value = statistic(drawn).filter(|value| value.is_finite());
            found.push(value.ok_or(StatisticsError::Resample { resample: found.len() })?);
            Ok(())
        })?;
        let found = sorted(found);
        let tail = 0.5 - 0.5 * self.confidence;
        Ok(Interval { low: quantile_of_ascending(&found, tail), high: quantile_of_ascending(&found, 1.0 - tail) })
    }

    /// Calls with the indices of the rows in each resample, of one row at least.
    pub(super) fn for_each_resample(
        &self,
        rows: usize,
        mut with: impl FnMut(&[usize]) -> Result<(), StatisticsError>,
    ) -> Result<(), StatisticsError> {
        if rows > INDICES_MAX {
            let what = "the rows";
            return Err(StatisticsError::TooMany { what, found: rows, most: INDICES_MAX });
        }
        let last = rows.saturating_sub(1) as u32;
        let mut rng = NumpyRng::new(self.seed);
        let mut drawn = vec![0; rows];
        for _ in 0..self.resamples {
            // NumPy asks for no random number where there is one choice only.
            if last > 0 {
                drawn.iter_mut().for_each(|row| *row = rng.random_integer(last) as usize);
            }
            with(&drawn)?;
        }
        Ok(())
    }
}
