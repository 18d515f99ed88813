use crate::model::ModelError;
use crate::papers::measurement::metric::CurveError;
use crate::statistics::StatisticsError;
use crate::toy_model::ToyModelError;

/// Why nothing is measured of a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CircuitError {
    /// No model, or prompts that cannot be had.
    #[error(transparent)]
    Little(#[from] ToyModelError),
    /// What a model says is no number.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// No curve.
    #[error(transparent)]
    Curve(#[from] CurveError),
}

impl From<ModelError> for CircuitError {
    fn from(error: ModelError) -> Self {
        Self::Little(error.into())
    }
}

impl CircuitError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Little(error) => error.code(),
            Self::Statistics(error) => error.code(),
            Self::Curve(error) => error.code(),
        }
    }
}
