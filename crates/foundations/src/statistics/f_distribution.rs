//! Fisher's F distribution.

use super::StatisticsError;
use super::error::check_share;
use super::student_t::beta_continued_fraction;

/// Fisher's F distribution with two numbers of degrees of freedom.
///
/// # Formula
/// P(F ≤ x) = I_y(d₁/2, d₂/2), y = d₁x/(d₁x + d₂): the regularised incomplete beta function, by its continued
/// fraction.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::FDistribution;
/// let f = FDistribution::new(8.0, 72.0)?;
/// assert!((f.quantile(0.975)? - 2.373_716_481_087_906_3).abs() < 1e-9);
/// assert!((f.cdf(f.quantile(0.3)?) - 0.3).abs() < 1e-12);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FDistribution {
    above: f64,
    below: f64,
}

impl FDistribution {
    /// The distribution of a ratio of mean squares with so many degrees of freedom above and below.
    ///
    /// # Errors
    /// [`StatisticsError::Freedom`] unless both are above 0 and finite.
    pub fn new(above: f64, below: f64) -> Result<Self, StatisticsError> {
        match [above, below].into_iter().find(|value| !(*value > 0.0 && value.is_finite())) {
            Some(value) => Err(StatisticsError::Freedom { value }),
            None => Ok(Self { above, below }),
        }
    }

    /// The probability of a value of at most `x`, as `scipy.stats.f.cdf`. NaN of NaN.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return f64::NAN;
        }
        if x <= 0.0 {
            return 0.0;
        }
        let (a, b) = (0.5 * self.above, 0.5 * self.below);
        let ratio = self.above * x / self.below;
        if ratio.is_infinite() {
            return 1.0;
        }
        let (y, rest) = (ratio / (1.0 + ratio), 1.0 / (1.0 + ratio));
        let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
        let front = libm::exp(a * libm::log(y) + b * libm::log(rest) - log_beta);
        if y < (a + 1.0) / (a + b + 2.0) {
            front / a * beta_continued_fraction(y, a, b)
        } else {
            1.0 - front / b * beta_continued_fraction(rest, b, a)
        }
    }

    /// The value that is not exceeded with probability `p`, as `scipy.stats.f.ppf`, to some twelve digits; 0 at 0 and ∞
    /// at 1.
    ///
    /// # Errors
    /// [`StatisticsError::Share`] unless `p` is from 0 to 1.
    pub fn quantile(&self, p: f64) -> Result<f64, StatisticsError> {
        check_share("probability", p)?;
        if p == 0.0 || p == 1.0 {
            return Ok(if p == 0.0 { 0.0 } else { f64::INFINITY });
        }
        // Of its logarithm, which may be far from 0 where there are few degrees of freedom.
        let (mut low, mut high) = (-700.0, 700.0);
        loop {
            let middle = 0.5 * (low + high);
            // No number lies between them.
            if middle <= low || middle >= high {
                break;
            }
            if self.cdf(libm::exp(middle)) < p {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(libm::exp(0.5 * (low + high)))
    }
}
