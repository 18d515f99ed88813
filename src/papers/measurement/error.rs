use super::metric::{CurveError, DecompositionError, ProbeError, RunsError};
use crate::linalg::ShapeError;
use crate::model::ModelError;
use crate::sae::train::TrainError;
use crate::settings::{Problem, Problems};
use crate::statistics::{MetricError, StatisticsError};
use crate::study::impl_failure_from;
use crate::synthetic;
use crate::toy_model::ToyModelError;

/// Why a metric has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementError {
    /// There is no metric of that name to be shown in detail.
    #[error("metric = {found:?}; allowed: {allowed}")]
    UnknownMetric {
        /// The name.
        found: String,
        /// The names there are.
        allowed: String,
    },
    /// The toy model, one of its autoencoders or its prompts cannot be had.
    #[error(transparent)]
    Toy(#[from] ToyModelError),
    /// Arrays are empty, not finite, or do not fit each other.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// A list of numbers is refused, such as logit differences that are not finite.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A faithfulness curve cannot be computed.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// A probe cannot be trained.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Runs cannot be compared.
    #[error(transparent)]
    Runs(#[from] RunsError),
    /// A metric of decompositions has no value, or a parameter is refused.
    #[error(transparent)]
    Decomposition(#[from] DecompositionError),
    /// A circuit cannot be planted.
    #[error(transparent)]
    PlantedCircuit(#[from] synthetic::CircuitError),
    /// Planted features cannot be drawn.
    #[error(transparent)]
    SyntheticData(#[from] Problems),
}

impl From<ShapeError> for MeasurementError {
    fn from(error: ShapeError) -> Self {
        Self::Metric(error.into())
    }
}

impl From<ModelError> for MeasurementError {
    fn from(error: ModelError) -> Self {
        Self::Toy(error.into())
    }
}

// Another variant for these would make every result larger.
impl From<Problem> for MeasurementError {
    fn from(problem: Problem) -> Self {
        Self::Decomposition(problem.into())
    }
}

impl From<TrainError> for MeasurementError {
    fn from(error: TrainError) -> Self {
        Self::Decomposition(error.into())
    }
}

impl MeasurementError {
    /// A number of something that is out of range.
    pub(super) fn count_error(field: &'static str, found: usize, least: usize, most: usize) -> Self {
        ToyModelError::Count { field, found, allowed: format!("{least} to {most}") }.into()
    }

    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::UnknownMetric { .. } => "picture.metric",
            Self::Toy(error) => error.code(),
            Self::Metric(error) => error.code(),
            Self::Statistics(error) => error.code(),
            Self::Curve(error) => error.code(),
            Self::Probe(error) => error.code(),
            Self::Runs(error) => error.code(),
            Self::Decomposition(error) => error.code(),
            Self::PlantedCircuit(error) => error.code(),
            Self::SyntheticData(problems) => problems.0.first().map_or("settings", |first| &first.code),
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::UnknownMetric { .. } => Some("metric"),
            Self::Toy(error) => error.field(),
            Self::Decomposition(error) => error.field(),
            Self::SyntheticData(problems) => problems.0.first().map(|first| first.field.as_str()),
            _ => None,
        }
    }
}

impl_failure_from!(MeasurementError, DecompositionError);
impl_failure_from!(CurveError: |_| None, RunsError: |_| None, synthetic::CircuitError: |_| None);
