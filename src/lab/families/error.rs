use super::method::Method;
use crate::linalg::DictionaryError;
use crate::pareto::ParetoError;
use crate::sae::train::TrainError;
use crate::settings::Problems;
use crate::statistics::MetricError;

/// Why a study has no results.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FamiliesError {
    /// The configuration holds a value that is not allowed.
    #[error(transparent)]
    Config(#[from] Problems),
    /// Training failed.
    #[error("{}: {error}", method.name())]
    Train {
        /// Whose.
        method: Method,
        /// Why.
        error: TrainError,
    },
    /// There are no singular vectors.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// Something could not be measured.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// A front or volume could not be computed.
    #[error(transparent)]
    Pareto(#[from] ParetoError),
    /// A job is not one of the configuration's.
    #[error("{} with {knob} and seed {seed} is no job of this study", method.name())]
    UnknownJob {
        /// Its method.
        method: Method,
        /// Its knob.
        knob: f64,
        /// Its seed.
        seed: u32,
    },
    /// A job has no result, or more than one.
    #[error("{} with {knob} and seed {seed} has {count} results", method.name())]
    ResultCount {
        /// Its method.
        method: Method,
        /// Its knob.
        knob: f64,
        /// Its seed.
        seed: u32,
        /// How many.
        count: usize,
    },
}

impl FamiliesError {
    /// A stable code, e.g. `families.unknown`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Config(problems) => problems.0.first().map_or("families.config", |problem| problem.code.as_str()),
            Self::Train { error, .. } => error.code(),
            Self::Dictionary(error) => error.code(),
            Self::Metric(error) => error.code(),
            Self::Pareto(error) => error.code(),
            Self::UnknownJob { .. } => "families.unknown",
            Self::ResultCount { .. } => "families.count",
        }
    }

    /// The configuration's field that is to blame, if one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Config(problems) => problems.0.first().map(|problem| problem.field.as_str()),
            Self::Train { error, .. } => error.field(),
            _ => None,
        }
    }
}
