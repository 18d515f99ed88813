use super::error::{check_confidence, check_lengths, check_values};
use super::moments::{mean_or_nan, sum_of_squares};
use super::{Interval, StatisticsError, StudentT};

/// The line with the least squared error in y.
///
/// # Formula
/// y = slope · x + intercept with slope = Σ(xᵢ − x̄)(yᵢ − ȳ)/Σ(xᵢ − x̄)² and
/// intercept = ȳ − slope · x̄, as `scipy.stats.linregress`. Errors are those of least squares with
/// independent, equal, normal noise.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::LinearFit;
/// let fit = LinearFit::fit(&[0.0, 1.0, 2.0, 3.0], &[1.0, 3.0, 4.0, 8.0])?;
/// assert!((fit.slope() - 2.2).abs() < 1e-14 && (fit.predict(5.0) - 11.7).abs() < 1e-13);
/// let band = fit.confidence_band(5.0, 0.95)?;
/// assert!(band.contains(fit.predict(5.0)));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearFit {
    n: usize,
    slope: f64,
    intercept: f64,
    mean_x: f64,
    /// Σ(x − x̄)² and, of what the line leaves, Σ(y − ŷ)².
    squares_x: f64,
    squares_left: f64,
    correlation: Option<f64>,
}

impl LinearFit {
    /// Fits a line to points (xᵢ, yᵢ).
    ///
    /// # Errors
    /// [`StatisticsError::Lengths`], [`StatisticsError::TooFew`] below two points,
    /// [`StatisticsError::NonFinite`], [`StatisticsError::Constant`] where all x are equal,
    /// [`StatisticsError::Squares`] of values whose squares are no numbers.
    pub fn fit(x: &[f64], y: &[f64]) -> Result<Self, StatisticsError> {
        check_lengths(x, y)?;
        check_values("x", x, 2)?;
        check_values("y", y, 2)?;
        if x.iter().all(|value| *value == x[0]) {
            return Err(StatisticsError::Constant { what: "x" });
        }
        let (mean_x, mean_y) = (mean_or_nan(x), mean_or_nan(y));
        let (squares_x, squares_y) = (sum_of_squares(x, mean_x), sum_of_squares(y, mean_y));
        let products: f64 = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let slope = products / squares_x;
        for (what, squares) in [("x", squares_x), ("y", squares_y)] {
            if !squares.is_finite() || !slope.is_finite() {
                return Err(StatisticsError::Squares { what });
            }
        }
        let left = |(x, y): (&f64, &f64)| {
            let left = (y - mean_y) - slope * (x - mean_x);
            left * left
        };
        let varies = y.iter().any(|value| *value != y[0]);
        let r = products / (f64::sqrt(squares_x) * f64::sqrt(squares_y));
        Ok(Self {
            n: x.len(),
            slope,
            intercept: mean_y - slope * mean_x,
            mean_x,
            squares_x,
            squares_left: x.iter().zip(y).map(left).sum(),
            correlation: (varies && r.is_finite()).then(|| r.clamp(-1.0, 1.0)),
        })
    }

    /// By how much y rises with x.
    #[must_use]
    pub fn slope(&self) -> f64 {
        self.slope
    }

    /// y at x = 0.
    #[must_use]
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// y at some x.
    #[must_use]
    pub fn predict(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// Pearson's correlation of x and y; none where y does not vary.
    #[must_use]
    pub fn correlation(&self) -> Option<f64> {
        self.correlation
    }

    /// R², the share of y's variance that the line explains; none where y does not vary.
    ///
    /// # Formula
    /// r², which is 1 − Σ(yᵢ − ŷᵢ)²/Σ(yᵢ − ȳ)².
    #[must_use]
    pub fn r_squared(&self) -> Option<f64> {
        self.correlation.map(|r| r * r)
    }

    /// The standard error of the slope; none of two points, through which a line always goes, nor
    /// where y does not vary.
    ///
    /// # Formula
    /// s/√Σ(xᵢ − x̄)² with s² = Σ(yᵢ − ŷᵢ)²/(n − 2).
    #[must_use]
    pub fn slope_error(&self) -> Option<f64> {
        self.residual_deviation().map(|deviation| deviation / f64::sqrt(self.squares_x))
    }

    /// The standard error of the intercept; none where the slope has none.
    ///
    /// # Formula
    /// s √(1/n + x̄²/Σ(xᵢ − x̄)²) with s as in [`slope_error`](Self::slope_error).
    #[must_use]
    pub fn intercept_error(&self) -> Option<f64> {
        self.residual_deviation().map(|deviation| deviation * self.leverage(0.0))
    }

    /// The p-value of the slope: the probability of one of at least this size, up or down, where y
    /// does not depend on x. None where the slope has no standard error.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        let student = StudentT::new((self.n - 2) as f64).ok()?;
        self.slope_error().map(|error| student.two_sided_p_value(self.slope / error))
    }

    /// Where the slope lies, with some confidence.
    ///
    /// # Formula
    /// The slope ± t times its [standard error](Self::slope_error), t as in
    /// [`confidence_band`](Self::confidence_band).
    ///
    /// # Errors
    /// As [`confidence_band`](Self::confidence_band).
    pub fn slope_interval(&self, confidence: f64) -> Result<Interval, StatisticsError> {
        let half = self.interval_factor(confidence)? / f64::sqrt(self.squares_x);
        Ok(Interval { low: self.slope - half, high: self.slope + half })
    }

    /// Where the line lies at some x, with some confidence.
    ///
    /// # Formula
    /// ŷ(x) ± t s √(1/n + (x − x̄)²/Σ(xᵢ − x̄)²), s as in [`slope_error`](Self::slope_error), t the
    /// (1 + confidence)/2 quantile of Student's distribution with n − 2 degrees of freedom. It is the
    /// band of the line itself at each x; a new point scatters more widely.
    ///
    /// # Errors
    /// [`StatisticsError::Confidence`]; [`StatisticsError::TooFew`] of two points,
    /// [`StatisticsError::Constant`] where y does not vary.
    pub fn confidence_band(&self, x: f64, confidence: f64) -> Result<Interval, StatisticsError> {
        let half = self.interval_factor(confidence)? * self.leverage(x);
        Ok(Interval { low: self.predict(x) - half, high: self.predict(x) + half })
    }

    /// t s, by which errors are multiplied for an interval.
    fn interval_factor(&self, confidence: f64) -> Result<f64, StatisticsError> {
        check_confidence(confidence)?;
        if self.n < 3 {
            let (what, found, needed) = ("the points", self.n, 3);
            return Err(StatisticsError::TooFew { what, found, needed });
        }
        let deviation = self.residual_deviation().ok_or(StatisticsError::Constant { what: "y" })?;
        let t = StudentT::new((self.n - 2) as f64)?.quantile(0.5 + 0.5 * confidence)?;
        Ok(t * deviation)
    }

    /// The standard deviation of what the line leaves.
    fn residual_deviation(&self) -> Option<f64> {
        self.correlation?;
        (self.n > 2).then(|| f64::sqrt(self.squares_left / (self.n - 2) as f64))
    }

    /// √(1/n + (x − x̄)²/Σ(xᵢ − x̄)²).
    fn leverage(&self, x: f64) -> f64 {
        let away = x - self.mean_x;
        f64::sqrt(1.0 / self.n as f64 + away * away / self.squares_x)
    }
}

/// The logarithmic curve with the least squared error in y.
///
/// # Formula
/// y = A ln x + B: a [`LinearFit`] on ln x. A is its slope, and B its intercept, y at x = 1.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::LogFit;
/// let fit = LogFit::fit(&[10.0, 100.0, 50.0], &[20.0, 5.0, 9.0])?;
/// assert!(fit.line().slope() < 0.0);
/// assert!(fit.predict(100.0)? < 6.0);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogFit {
    line: LinearFit,
}

impl LogFit {
    /// Fits the curve to points (xᵢ, yᵢ).
    ///
    /// # Errors
    /// [`StatisticsError::NonPositive`] where an x is not above 0; else as [`LinearFit::fit`].
    pub fn fit(x: &[f64], y: &[f64]) -> Result<Self, StatisticsError> {
        check_lengths(x, y)?;
        check_values("x", x, 2)?;
        let logarithms = x.iter().enumerate().map(|(index, x)| checked_ln(*x, index));
        let logarithms = logarithms.collect::<Result<Vec<f64>, _>>()?;
        LinearFit::fit(&logarithms, y).map(|line| Self { line })
    }

    /// The line through ln x: its slope is A, its intercept B.
    #[must_use]
    pub fn line(&self) -> &LinearFit {
        &self.line
    }

    /// y at some x.
    ///
    /// # Errors
    /// [`StatisticsError::NonPositive`] unless x is above 0.
    pub fn predict(&self, x: f64) -> Result<f64, StatisticsError> {
        Ok(self.line.predict(checked_ln(x, 0)?))
    }

    /// Where the curve lies at some x, with some confidence.
    ///
    /// # Formula
    /// [`LinearFit::confidence_band`] at ln x.
    ///
    /// # Errors
    /// [`StatisticsError::NonPositive`] unless x is above 0; else as [`LinearFit::confidence_band`].
    pub fn confidence_band(&self, x: f64, confidence: f64) -> Result<Interval, StatisticsError> {
        self.line.confidence_band(checked_ln(x, 0)?, confidence)
    }
}

fn checked_ln(value: f64, index: usize) -> Result<f64, StatisticsError> {
    if value > 0.0 { Ok(libm::log(value)) } else { Err(StatisticsError::NonPositive { what: "x", index, value }) }
}
