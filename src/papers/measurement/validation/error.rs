use crate::papers::measurement::circuit::CircuitError;
use crate::papers::measurement::metric::{CurveError, DecompositionError, RunsError};
use crate::papers::measurement::planted::PlantedError;
use crate::papers::measurement::toy_model::MeasureError;
use crate::sae::train::TrainError;
use crate::settings::Problems;
use crate::statistics::{MetricError, StatisticsError};
use crate::synthetic;

/// Why a part is not measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverviewError {
    /// Of the toy model's autoencoders.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// Of the toy model's circuits.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// Of a planted circuit.
    #[error(transparent)]
    Planted(#[from] PlantedError),
    /// A circuit that cannot be planted.
    #[error(transparent)]
    Drawn(#[from] synthetic::CircuitError),
    /// Planted features that cannot be.
    #[error(transparent)]
    World(#[from] Problems),
    /// Runs that cannot be compared.
    #[error(transparent)]
    Runs(#[from] RunsError),
}

macro_rules! through {
    ($($error:ty => $by:ty),*) => {
        $(impl From<$error> for OverviewError {
            fn from(error: $error) -> Self {
                Self::from(<$by>::from(error))
            }
        })*
    };
}

through! {
    DecompositionError => MeasureError,
    MetricError => MeasureError,
    crate::toy_model::ToyModelError => MeasureError,
    StatisticsError => CircuitError,
    CurveError => CircuitError,
    crate::model::ModelError => CircuitError
}

impl From<TrainError> for OverviewError {
    fn from(error: TrainError) -> Self {
        Self::from(DecompositionError::from(error))
    }
}

impl OverviewError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Measure(error) => error.code(),
            Self::Circuit(error) => error.code(),
            Self::Planted(error) => error.code(),
            Self::Drawn(error) => error.code(),
            Self::World(problems) => {
                problems.0.first().map_or("world", |problem| problem.code.as_str())
            }
            Self::Runs(error) => error.code(),
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Measure(error) => error.field(),
            Self::World(problems) => problems.0.first().map(|problem| problem.field.as_str()),
            _ => None,
        }
    }
}
