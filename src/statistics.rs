//! Statistics that any paper needs, and why a number cannot be had.

mod error;
mod moments;

pub use error::MetricError;
pub(crate) use error::{check, check_shape};
pub(crate) use moments::{column_means, grand_variance, squared_error, total_sum_of_squares};
