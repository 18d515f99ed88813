//! Statistics that every study shares: what a list of numbers says, and how sure one may be of it.
//!
//! One concept a file. Functions of lists take finite numbers and refuse others with a
//! [`StatisticsError`]; what is measured of matrices refuses with a [`MetricError`]. Where SciPy,
//! scikit-learn or NumPy has the same, the definition is theirs and the tests compare with them.
//!
//! Every sum has one order and every elementary function comes from `libm`, so results are the same
//! to the last bit natively and in WebAssembly. That is why the distributions stand here instead of
//! coming from `statrs`: it calls the platform's `ln` and `exp`, whose last bits differ between
//! machines.
//!
//! ```
//! # use sfc_bench_foundations as sfc_bench;
//! use sfc_bench::statistics::{Alternative, NullDistribution, mann_whitney, median, roc_auc};
//!
//! let (correct, wrong) = ([0.9, 0.8, 0.7, 0.6], [0.65, 0.4, 0.3, 0.2]);
//! assert_eq!(median(&correct)?, 0.75);
//! assert_eq!(roc_auc(&correct, &wrong)?, 15.0 / 16.0);
//! let test = mann_whitney(&correct, &wrong, Alternative::TwoSided, NullDistribution::Auto)?;
//! assert!(test.p > 0.05);
//! # Ok::<(), sfc_bench::statistics::StatisticsError>(())
//! ```

mod auc;
mod auc_interval;
mod average_precision;
mod bootstrap;
mod column_moments;
mod correlation;
mod effect_size;
mod error;
mod f_distribution;
mod false_discovery;
mod gini;
mod hedges;
mod histogram;
mod intraclass;
mod joint_spearman;
mod linkage;
mod mann_whitney;
mod metric_error;
mod moments;
mod normal;
mod one_sample_t;
mod partial_correlation;
mod pearson_sums;
mod quantile;
mod rank;
mod regression;
mod sample_size;
mod student_t;
mod studentised;

pub use auc::{PairCounts, roc_auc, roc_curve};
pub use auc_interval::auc_interval;
pub use average_precision::average_precision;
pub use bootstrap::Bootstrap;
pub use column_moments::ColumnMoments;
pub use correlation::{Correlation, kendall_tau_b, pearson, pearson_coefficient, spearman};
pub use effect_size::cohens_d;
pub use error::StatisticsError;
pub use error::{check_lengths, check_values};
pub use f_distribution::FDistribution;
pub use false_discovery::benjamini_hochberg;
pub use gini::gini;
pub use hedges::{hedges_correction, hedges_g};
pub use histogram::Histogram;
pub use histogram::{Bins, entropy};
pub use intraclass::Intraclass;
pub use joint_spearman::joint_spearman;
pub use linkage::Linkage;
pub use mann_whitney::{Alternative, MannWhitney, NullDistribution, mann_whitney};
pub use metric_error::first_non_finite;
pub use metric_error::{MetricError, check_matrix, check_shape};
pub use moments::{extent, grand_variance, mean_or_nan, squared_error, sum_of_squares, total_sum_of_squares};
pub use moments::{mean, standard_deviation, variance};
pub use normal::{normal_cdf, normal_quantile, normal_survival};
pub use one_sample_t::OneSampleT;
pub use partial_correlation::partial_spearman;
pub use pearson_sums::PearsonSums;
pub use quantile::quantile_of_ascending;
pub use quantile::{Quantiles, median, quantile};
pub use rank::{TieMethod, ranks};
pub use regression::{LinearFit, LogFit};
pub use sample_size::sample_size;
pub use student_t::StudentT;
pub use studentised::StudentisedBootstrap;

/// A closed interval of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a number lies in it, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}
