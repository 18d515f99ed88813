use super::super::metric::{CurveError, DecompositionError, RunsError};
use super::super::planted::PlantedError;
use crate::settings::Problem;
use crate::statistics::{MetricError, StatisticsError};

/// Why there are no cases of a metric.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReachError {
    /// A name that no metric has.
    #[error(transparent)]
    Parameter(#[from] Problem),
    /// A planted circuit is not measured.
    #[error(transparent)]
    Planted(#[from] PlantedError),
    /// A metric of decompositions has no value.
    #[error(transparent)]
    Decomposition(#[from] DecompositionError),
    /// Runs are not compared.
    #[error(transparent)]
    Runs(#[from] RunsError),
}

impl From<MetricError> for ReachError {
    fn from(error: MetricError) -> Self {
        Self::Decomposition(error.into())
    }
}

impl From<StatisticsError> for ReachError {
    fn from(error: StatisticsError) -> Self {
        Self::Decomposition(error.into())
    }
}

impl From<CurveError> for ReachError {
    fn from(error: CurveError) -> Self {
        Self::Planted(error.into())
    }
}

impl ReachError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Parameter(problem) => &problem.code,
            Self::Planted(error) => error.code(),
            Self::Decomposition(error) => error.code(),
            Self::Runs(error) => error.code(),
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Parameter(problem) => Some(&problem.field),
            Self::Decomposition(error) => error.field(),
            _ => None,
        }
    }
}
