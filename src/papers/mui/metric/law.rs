//! What the paper makes of performance and index together.

use serde::{Deserialize, Serialize};

use crate::settings::named;
use crate::statistics::StatisticsError;

named! {
    /// Where a model has moved between performance and index (Fig. 4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiDirection"))]
    #[serde(rename_all = "kebab-case")]
    pub enum Direction {
        /// More performance with less use.
        Evolving = "evolving",
        /// More performance with more use.
        Accumulating = "accumulating",
        /// Less performance with more use.
        Coarsening = "coarsening",
        /// Less performance with less use.
        Collapsing = "collapsing",
        /// One of the two is as before, of which the paper says nothing.
        Undetermined = "undetermined",
    }
}

/// Differences below this, in percent, are those of printed decimals in binary numbers.
const ROUNDING_TOLERANCE: f64 = 5e-7;

/// The direction from one (performance, index) to another, both in percent.
///
/// # Errors
/// [`StatisticsError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::papers::mui::metric::{Direction, direction};
/// assert_eq!(direction((10.0, 5.0), (20.0, 4.0))?, Direction::Evolving);
/// assert_eq!(direction((10.0, 5.0), (20.0, 5.0))?, Direction::Undetermined);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn direction(before: (f64, f64), after: (f64, f64)) -> Result<Direction, StatisticsError> {
    check_finite("performance", &[before.0, after.0])?;
    check_finite("index", &[before.1, after.1])?;
    let sign = |difference: f64| match difference.abs() <= ROUNDING_TOLERANCE {
        true => 0,
        false if difference > 0.0 => 1,
        false => -1,
    };
    Ok(match (sign(after.0 - before.0), sign(after.1 - before.1)) {
        (1, -1) => Direction::Evolving,
        (1, 1) => Direction::Accumulating,
        (-1, 1) => Direction::Coarsening,
        (-1, -1) => Direction::Collapsing,
        _ => Direction::Undetermined,
    })
}

/// Performance for use (Eq. 7): P / MUI^α.
///
/// # Errors
/// [`StatisticsError::NonFinite`], [`StatisticsError::NonPositive`] for an index of 0 or below.
///
/// # Examples
/// ```
/// assert_eq!(sfc_bench::papers::mui::metric::pur(50.0, 4.0, 0.5)?, 25.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn pur(performance: f64, index: f64, alpha: f64) -> Result<f64, StatisticsError> {
    check_finite("performance, index and alpha", &[performance, index, alpha])?;
    if index <= 0.0 {
        return Err(StatisticsError::NonPositive { what: "index", index: 0, value: index });
    }
    Ok(performance / libm::pow(index, alpha))
}

fn check_finite(what: &'static str, values: &[f64]) -> Result<(), StatisticsError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(StatisticsError::NonFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}
