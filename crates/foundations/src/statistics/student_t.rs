//! Student's t distribution.

use std::f64::consts::PI;

use super::error::check_share;
use super::{StatisticsError, normal_quantile, normal_survival};

/// Student's t distribution with some degrees of freedom, which need not be whole.
///
/// # Formula
/// With ν degrees of freedom, P(|T| > t) = I_x(ν/2, ½), x = ν/(ν + t²): the regularised incomplete
/// beta function, by its continued fraction.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::StudentT;
/// let t = StudentT::new(10.0)?;
/// assert!((t.quantile(0.975)? - 2.228138851986274).abs() < 1e-14);
/// assert!((t.cdf(t.quantile(0.3)?) - 0.3).abs() < 1e-15);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudentT {
    freedom: f64,
}

/// With more degrees of freedom x is so close to 1 that its rounding shows in the continued fraction;
/// the tail is then nearly the normal's.
const NORMAL_TAIL_FREEDOM_MIN: f64 = 2e4;

impl StudentT {
    /// The distribution with this many degrees of freedom.
    ///
    /// # Errors
    /// [`StatisticsError::Freedom`] unless they are above 0 and finite.
    pub fn new(freedom: f64) -> Result<Self, StatisticsError> {
        if freedom > 0.0 && freedom.is_finite() {
            Ok(Self { freedom })
        } else {
            Err(StatisticsError::Freedom { value: freedom })
        }
    }

    /// The probability of a value of at most `t`, as `scipy.stats.t.cdf`. NaN of NaN.
    #[must_use]
    pub fn cdf(&self, t: f64) -> f64 {
        let half_tail = 0.5 * self.two_sided_p_value(t);
        if t > 0.0 { 1.0 - half_tail } else { half_tail }
    }

    /// The probability of a value whose size is above that of `t`: the p-value of a two-sided test.
    #[must_use]
    pub fn two_sided_p_value(&self, t: f64) -> f64 {
        self.two_sided_tail(t.abs() / f64::sqrt(self.freedom))
    }

    /// The value that is not exceeded with probability `p`, as `scipy.stats.t.ppf`; −∞ at 0 and ∞ at
    /// 1.
    ///
    /// # Errors
    /// [`StatisticsError::Share`] unless `p` is from 0 to 1.
    pub fn quantile(&self, p: f64) -> Result<f64, StatisticsError> {
        check_share("probability", p)?;
        let q = p - 0.5;
        let tail = p.min(1.0 - p);
        let size = if tail == 0.0 {
            f64::INFINITY
        } else if q.abs() <= 0.25 {
            self.central_quantile(q.abs())
        } else {
            self.tail_quantile(tail)
        };
        Ok(if q == 0.0 { 0.0 } else { size.copysign(q) })
    }

    /// P(|T| > u√ν) for u ≥ 0.
    pub(super) fn two_sided_tail(&self, u: f64) -> f64 {
        if u.is_nan() {
            return f64::NAN;
        }
        let a = 0.5 * self.freedom;
        let (x, y, front) = self.beta_parts(u);
        if y > 1.5 / (a + 2.5) {
            if self.freedom > NORMAL_TAIL_FREEDOM_MIN {
                return 2.0 * normal_survival(self.normal_equivalent(u));
            }
            front / a * beta_continued_fraction(x, a, 0.5)
        } else {
            1.0 - front / 0.5 * beta_continued_fraction(y, 0.5, a)
        }
    }

    /// The standard normal that is exceeded as often as t = u√ν, for many degrees of freedom: Hill,
    /// "Algorithm 395: Student's t-Distribution" (1970).
    fn normal_equivalent(&self, u: f64) -> f64 {
        let a = self.freedom - 0.5;
        let b = 48.0 * a * a;
        let log = if u < 1e150 { libm::log1p(u * u) } else { 2.0 * libm::log(u) };
        let square = a * log;
        let w = f64::sqrt(square);
        if w > 100.0 {
            // The tail is 0 in numbers, and the terms below may be too large for them.
            return w;
        }
        let numerator = ((4.0 * square + 33.0) * square + 240.0) * square + 855.0;
        let second = numerator / (10.0 * (b + 0.8 * square * square + 100.0));
        w + w * (square + 3.0 - second) / b
    }

    /// P(0 < T < u√ν), without loss for small u.
    fn central_probability(&self, u: f64) -> f64 {
        let a = 0.5 * self.freedom;
        let (_, y, front) = self.beta_parts(u);
        if y > 1.5 / (a + 2.5) {
            0.5 - 0.5 * self.two_sided_tail(u)
        } else {
            front * beta_continued_fraction(y, 0.5, a)
        }
    }

    /// x = 1/(1 + u²), 1 − x, and xᵃ(1 − x)^½ / B(a, ½) with a = ν/2.
    fn beta_parts(&self, u: f64) -> (f64, f64, f64) {
        let a = 0.5 * self.freedom;
        // Beyond, u² is more than there are numbers for and u² + 1 is u².
        let (x, root_y, log_x) = if u < 1e150 {
            let square = u * u;
            (1.0 / (1.0 + square), u / f64::sqrt(1.0 + square), -libm::log1p(square))
        } else {
            (0.0, 1.0, -2.0 * libm::log(u))
        };
        let front = libm::exp(a * log_x + log_gamma_step(a)) * f64::sqrt(a / PI) * root_y;
        (x, root_y * root_y, front)
    }

    /// The logarithm of the density at t = u√ν, which may be too small for a number itself.
    fn log_density(&self, u: f64) -> f64 {
        let a = 0.5 * self.freedom;
        let log_x = if u < 1e150 { -libm::log1p(u * u) } else { -2.0 * libm::log(u) };
        (a + 0.5) * log_x + log_gamma_step(a) - 0.5 * libm::log(2.0 * PI)
    }

    /// t with P(0 < T < t) = share. The probability is concave in t: Newton's steps from 0 come ever
    /// closer from below.
    fn central_quantile(&self, share: f64) -> f64 {
        let root = f64::sqrt(self.freedom);
        let (mut t, mut last) = (0.0, f64::INFINITY);
        for _ in 0..NEWTON_STEPS {
            let step = (share - self.central_probability(t / root)) / libm::exp(self.log_density(t / root));
            t += step;
            if has_converged(step / t, last) {
                break;
            }
            last = step / t;
        }
        t
    }

    /// t with P(T > t) = tail, for a tail below ¼. Newton's steps are taken on logarithms, in which
    /// the tail is concave and nearly a line far out; they begin at the normal's, which lies below.
    fn tail_quantile(&self, tail: f64) -> f64 {
        let root = f64::sqrt(self.freedom);
        let mut t = normal_quantile(tail).map_or(1.0, f64::abs);
        let (mut below, mut last) = (t, f64::INFINITY);
        for _ in 0..NEWTON_STEPS {
            let found = 0.5 * self.two_sided_tail(t / root);
            let step = if found > 0.0 {
                let log_slope = libm::log(t) + self.log_density(t / root) - libm::log(found);
                libm::log(found / tail) / libm::exp(log_slope)
            } else {
                // Too far: a tail too small for a number. Half of the way back.
                0.5 * libm::log(below / t)
            };
            if found > tail {
                below = t;
            }
            t *= libm::exp(step);
            if has_converged(step, last) {
                break;
            }
            last = step;
        }
        t
    }
}

/// Far more than are taken.
const NEWTON_STEPS: usize = 100;

/// Whether a relative step is as small as rounding lets it become.
fn has_converged(step: f64, last: f64) -> bool {
    let small = step.abs() < 1e-8;
    !step.is_finite() || step.abs() <= f64::EPSILON || small && step.abs() >= last.abs()
}

/// ln Γ(a + ½) − ln Γ(a) − ½ ln a, without the loss of a difference of two large numbers.
pub(super) fn log_gamma_step(a: f64) -> f64 {
    if a < 20.0 {
        return libm::lgamma(a + 0.5) - libm::lgamma(a) - 0.5 * libm::log(a);
    }
    let (inverse, square) = (1.0 / a, 1.0 / (a * a));
    // The asymptotic series in 1/a.
    let terms = [-1.0 / 8.0, 1.0 / 192.0, -1.0 / 640.0, 17.0 / 14_336.0, -31.0 / 18_432.0];
    inverse * terms.iter().rev().fold(0.0, |sum, term| sum * square + term)
}

/// The continued fraction of the incomplete beta function I_x(a, b), without what stands before it,
/// by Lentz's method (Press et al., Numerical Recipes, §6.4). It converges fast for
/// x < (a + 1)/(a + b + 2).
pub(super) fn beta_continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    // In place of a denominator of 0.
    const TINY: f64 = 1e-300;
    let guard = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut product = d;
    // About √(max(a, b)) terms are needed.
    for term in 1..100_000 {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        product *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let factor = d * c;
        product *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    product
}
