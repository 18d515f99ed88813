//! The intraclass correlation of a table of subjects and raters.

use super::error::check_share;
use super::{FDistribution, Interval, StatisticsError, StudentT};

/// How much of what varies in one rating is the subjects: ICC(C,1) of McGraw and Wong, "Forming inferences about some
/// intraclass correlation coefficients" (Psychological Methods 1, 1996), table 4.
///
/// # Formula
/// Of n subjects that k raters each have rated once, with the mean squares of a two-way table MS_s (subjects, n − 1
/// degrees of freedom) and MS_e (residual, (n − 1)(k − 1)): (MS_s − MS_e)/(MS_s + (k − 1)·MS_e). What raters have in common
/// does not count. Its interval is exact: with F = MS_s/MS_e, F_l = F/F₁₋α⸝₂(n − 1, (n − 1)(k − 1)) and
/// F_u = F·F₁₋α⸝₂((n − 1)(k − 1), n − 1), from (F_l − 1)/(F_l + k − 1) to (F_u − 1)/(F_u + k − 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intraclass {
    /// From −1/(k − 1) to 1.
    pub coefficient: f64,
    /// Its interval.
    pub interval: Interval,
    /// The residual mean square.
    pub residual: f64,
    /// The smallest difference of two subjects, each rated once by the same rater, that chance does not make:
    /// t₁₋α⸝₂((n − 1)(k − 1))·√(2·MS_e).
    pub least_difference: f64,
}

impl Intraclass {
    /// Of a row a subject, a column a rater; none where nothing varies.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] of fewer than two subjects or raters, [`StatisticsError::Share`] for a confidence that is
    /// none.
    ///
    /// # Examples
    /// ```
    /// # use sfc_bench_foundations as sfc_bench;
    /// # use sfc_bench::statistics::Intraclass;
    /// // Shrout and Fleiss (1979): ICC(3,1) = .71.
    /// let ratings = [[9., 2., 5., 8.], [6., 1., 3., 2.], [8., 4., 6., 8.], [7., 1., 2., 6.], [10., 5., 6., 9.], [6., 2., 4., 7.]];
    /// let rows: Vec<Vec<f64>> = ratings.iter().map(|row| row.to_vec()).collect();
    /// let found = Intraclass::from_ratings(&rows, 0.95)?.unwrap();
    /// assert!((found.coefficient - 0.714_840_714_840_714_9).abs() < 1e-12);
    /// assert!((found.interval.low - 0.342_464_9).abs() < 1e-6 && (found.interval.high - 0.945_858_3).abs() < 1e-6);
    /// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
    /// ```
    pub fn from_ratings(rows: &[Vec<f64>], confidence: f64) -> Result<Option<Self>, StatisticsError> {
        check_share("confidence", confidence)?;
        let raters = rows.iter().map(Vec::len).min().unwrap_or_default();
        if rows.len() < 2 || raters < 2 {
            return Err(StatisticsError::TooFew {
                what: "subjects or raters",
                found: rows.len().min(raters),
                needed: 2,
            });
        }
        let (n, k) = (rows.len() as f64, raters as f64);
        let about = rows.first().and_then(|row| row.first()).copied().unwrap_or_default();
        // About one of them, so that large numbers lose nothing.
        let values = || rows.iter().map(|row| row.iter().take(raters).map(|value| value - about));
        let of_rows: Vec<f64> = values().map(|row| row.sum::<f64>() / k).collect();
        let mut of_columns = vec![0.0; raters];
        for row in values() {
            of_columns.iter_mut().zip(row).for_each(|(sum, value)| *sum += value / n);
        }
        let grand = of_rows.iter().sum::<f64>() / n;
        let subjects = k * of_rows.iter().map(|mean| (mean - grand) * (mean - grand)).sum::<f64>() / (n - 1.0);
        let mut residual = 0.0;
        for (row, of_row) in values().zip(&of_rows) {
            for (value, of_column) in row.zip(&of_columns) {
                let left = value - of_row - of_column + grand;
                residual += left * left;
            }
        }
        let freedom = (n - 1.0) * (k - 1.0);
        residual /= freedom;
        if !(subjects + residual > 0.0 && (subjects + residual).is_finite()) {
            return Ok(None);
        }
        let share = 0.5 * (1.0 + confidence);
        let coefficient = |ratio: f64| {
            if ratio.is_finite() { (ratio - 1.0) / (ratio + k - 1.0) } else { 1.0 }
        };
        let ratio = subjects / residual;
        let low = ratio / FDistribution::new(n - 1.0, freedom)?.quantile(share)?;
        let high = ratio * FDistribution::new(freedom, n - 1.0)?.quantile(share)?;
        let least_difference = StudentT::new(freedom)?.quantile(share)? * f64::sqrt(2.0 * residual);
        Ok(Some(Self {
            coefficient: coefficient(ratio),
            interval: Interval { low: coefficient(low), high: coefficient(high) },
            residual,
            least_difference,
        }))
    }
}
