use crate::model::ModelError;
use crate::papers::measurement::circuit::CircuitError;
use crate::papers::measurement::metric::{ProbeError, RunsError};
use crate::statistics::{MetricError, StatisticsError};
use crate::toy_model::ToyModelError;

/// Why nothing is measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluatedError {
    /// No model, prompts that cannot be had, or logit differences that are no numbers.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// No probe.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Runs that are not compared.
    #[error(transparent)]
    Runs(#[from] RunsError),
}

impl From<ToyModelError> for EvaluatedError {
    fn from(error: ToyModelError) -> Self {
        Self::Circuit(error.into())
    }
}

impl From<ModelError> for EvaluatedError {
    fn from(error: ModelError) -> Self {
        Self::Circuit(error.into())
    }
}

impl From<StatisticsError> for EvaluatedError {
    fn from(error: StatisticsError) -> Self {
        Self::Circuit(error.into())
    }
}

impl From<MetricError> for EvaluatedError {
    fn from(error: MetricError) -> Self {
        Self::Probe(error.into())
    }
}

impl EvaluatedError {
    /// A number of something that is out of range.
    pub(super) fn count(field: &'static str, found: usize, least: usize, most: usize) -> Self {
        ToyModelError::Count { field, found, allowed: format!("{least} to {most}") }.into()
    }

    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Circuit(error) => error.code(),
            Self::Probe(error) => error.code(),
            Self::Runs(error) => error.code(),
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::Circuit(CircuitError::Little(error)) => error.field(),
            _ => None,
        }
    }
}
