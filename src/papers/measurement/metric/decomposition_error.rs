use crate::sae::train::TrainError;
use crate::settings::Problem;
use crate::statistics::{MetricError, StatisticsError};

/// Why a metric of decompositions has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecompositionError {
    /// The given arrays are empty, not finite, or do not fit each other.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// A list of numbers is refused.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A parameter holds a value that is not allowed.
    #[error(transparent)]
    Parameter(#[from] Problem),
    /// An autoencoder cannot be trained.
    #[error(transparent)]
    Train(#[from] TrainError),
}

impl DecompositionError {
    /// A stable code, e.g. `metric.shape`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Metric(error) => error.code(),
            Self::Statistics(error) => error.code(),
            Self::Parameter(problem) => &problem.code,
            Self::Train(error) => error.code(),
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Parameter(problem) => Some(&problem.field),
            Self::Train(error) => error.field(),
            _ => None,
        }
    }
}
