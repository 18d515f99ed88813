use super::StatisticsError;
use super::error::{check_share, check_values};
use crate::order::sorted;

/// Values in ascending order, of which any quantile can be read.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::Quantiles;
/// let quantiles = Quantiles::new(&[3.0, 1.0, 2.0, 10.0])?;
/// assert_eq!([0.0, 0.5, 0.75].map(|share| quantiles.at(share)), [Ok(1.0), Ok(2.5), Ok(4.75)]);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Quantiles {
    ascending: Vec<f64>,
}

impl Quantiles {
    /// Sorts the values.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`].
    pub fn new(values: &[f64]) -> Result<Self, StatisticsError> {
        check_values("the values", values, 1)?;
        Ok(Self { ascending: sorted(values.iter().copied()) })
    }

    /// The value below which a share of the values lies, interpolated linearly between neighbours.
    ///
    /// # Formula
    /// With the values in ascending order x₀ … xₙ₋₁ and h = (n − 1) · share:
    /// x⌊h⌋ + (h − ⌊h⌋)(x⌊h⌋₊₁ − x⌊h⌋). This is `numpy.quantile`'s default, `linear`, which
    /// interpolates from the nearer neighbour and so may differ in the last bits.
    ///
    /// # Errors
    /// [`StatisticsError::Share`] unless the share is from 0 to 1.
    pub fn at(&self, share: f64) -> Result<f64, StatisticsError> {
        check_share("share", share)?;
        Ok(quantile_of_ascending(&self.ascending, share))
    }
}

/// One quantile of values in any order; [`Quantiles`] sorts once for several.
///
/// # Formula
/// As [`Quantiles::at`].
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`],
/// [`StatisticsError::Share`] unless the share is from 0 to 1.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::quantile;
/// assert_eq!(quantile(&[4.0, 1.0, 2.0, 3.0], 0.25)?, 1.75);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn quantile(values: &[f64], share: f64) -> Result<f64, StatisticsError> {
    Quantiles::new(values)?.at(share)
}

/// The middle value, or the mean of the two in the middle.
///
/// # Formula
/// [`quantile`] of ½.
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::median;
/// assert_eq!(median(&[3.0, 1.0, 2.0])?, 2.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn median(values: &[f64]) -> Result<f64, StatisticsError> {
    quantile(values, 0.5)
}

/// A quantile of one or more values in ascending order; the share is from 0 to 1.
pub fn quantile_of_ascending(ascending: &[f64], share: f64) -> f64 {
    let at = share * (ascending.len() - 1) as f64;
    let below = libm::floor(at);
    let (low, part) = (ascending[below as usize], at - below);
    // At the last value there is nothing above.
    ascending.get(below as usize + 1).map_or(low, |high| low + (high - low) * part)
}
