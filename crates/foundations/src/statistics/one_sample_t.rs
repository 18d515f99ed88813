use super::error::{check_confidence, check_values};
use super::moments::{mean_or_nan, sum_of_squares};
use super::{Interval, StatisticsError, StudentT};

/// What a sample says of the mean that it was drawn from, by Student's t.
///
/// # Formula
/// t = (x̄ − μ)/(s/√n) with s of n − 1 degrees of freedom, and as many for t: `scipy.stats.ttest_1samp`.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::OneSampleT;
/// let found = OneSampleT::from_values(&[1.0, 2.0, 3.0], 0.0)?;
/// assert!((found.t - 12.0_f64.sqrt()).abs() < 1e-14);
/// assert!((found.p - 0.07418).abs() < 1e-5);
/// let interval = found.interval(0.95)?;
/// assert!(interval.contains(0.0) && !interval.contains(-1.0));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneSampleT {
    /// x̄.
    pub mean: f64,
    /// s/√n, above 0.
    pub standard_error: f64,
    /// How many of these x̄ lies above μ.
    pub t: f64,
    /// The probability of a t of at least this size where the mean is μ: two-sided.
    pub p: f64,
    distribution: StudentT,
}

impl OneSampleT {
    /// Tests whether values were drawn about a mean μ.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] below two values, [`StatisticsError::NonFinite`],
    /// [`StatisticsError::Constant`] where they do not vary.
    pub fn from_values(values: &[f64], about: f64) -> Result<Self, StatisticsError> {
        check_values("the values", values, 2)?;
        let freedom = (values.len() - 1) as f64;
        let mean = mean_or_nan(values);
        let error = f64::sqrt(sum_of_squares(values, mean) / freedom / values.len() as f64);
        if error <= 0.0 {
            return Err(StatisticsError::Constant { what: "the values" });
        }
        let distribution = StudentT::new(freedom)?;
        let t = (mean - about) / error;
        Ok(Self { mean, standard_error: error, t, p: distribution.two_sided_p_value(t), distribution })
    }

    /// x̄ ± t s/√n, t the (1 + γ)/2 quantile: the interval that holds the mean with confidence γ, if values are normal.
    ///
    /// # Errors
    /// [`StatisticsError::Confidence`].
    pub fn interval(&self, confidence: f64) -> Result<Interval, StatisticsError> {
        check_confidence(confidence)?;
        let reach = self.distribution.quantile(0.5 + 0.5 * confidence)? * self.standard_error;
        Ok(Interval { low: self.mean - reach, high: self.mean + reach })
    }
}
