use crate::papers::measurement::circuit::CircuitError;
use crate::papers::measurement::metric::{CurveError, DecompositionError, RunsError};
use crate::papers::measurement::toy_model::MeasureError;
use crate::sae::train::TrainError;
use crate::settings::Problems;
use crate::statistics::{MetricError, StatisticsError};
use crate::study::failures;
use crate::toy_model::ToyModelError;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// There is no metric of that name.
    #[error("metric = {found:?}; allowed: {allowed}")]
    Unknown {
        /// The name.
        found: String,
        /// The names there are.
        allowed: String,
    },
    /// A metric of decompositions has no value.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// Circuits cannot be measured.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// Runs cannot be compared.
    #[error(transparent)]
    Runs(#[from] RunsError),
    /// A planted world cannot be drawn.
    #[error(transparent)]
    World(#[from] Problems),
}

macro_rules! through {
    ($($error:ty => $through:ty),* $(,)?) => {
        $(impl From<$error> for PictureError {
            fn from(error: $error) -> Self {
                <$through>::from(error).into()
            }
        })*
    };
}

through! {
    ToyModelError => MeasureError,
    MetricError => MeasureError,
    DecompositionError => MeasureError,
    StatisticsError => CircuitError,
    CurveError => CircuitError,
}

impl From<TrainError> for PictureError {
    fn from(error: TrainError) -> Self {
        DecompositionError::from(error).into()
    }
}

impl PictureError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Unknown { .. } => "picture.metric",
            Self::Measure(error) => error.code(),
            Self::Circuit(error) => error.code(),
            Self::Runs(error) => error.code(),
            Self::World(problems) => problems.0.first().map_or("settings", |first| &first.code),
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Unknown { .. } => Some("metric"),
            Self::Measure(error) => error.field(),
            Self::Circuit(CircuitError::Little(error)) => error.field(),
            Self::Circuit(_) | Self::Runs(_) => None,
            Self::World(problems) => problems.0.first().map(|first| first.field.as_str()),
        }
    }
}

failures!(PictureError);
