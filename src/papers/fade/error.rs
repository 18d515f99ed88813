use crate::statistics::StatisticsError;
use crate::toy_model::ToyModelError;

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FadeError {
    /// The toy model or an autoencoder cannot be had.
    #[error(transparent)]
    ToyModel(#[from] ToyModelError),
    /// A score refuses.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// There is no such feature.
    #[error("feature = {found}; allowed: 0 to {last}")]
    Feature {
        /// Its place.
        found: usize,
        /// The last one's.
        last: usize,
    },
}

impl From<crate::model::ModelError> for FadeError {
    fn from(error: crate::model::ModelError) -> Self {
        Self::ToyModel(error.into())
    }
}

impl FadeError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ToyModel(error) => error.code(),
            Self::Statistics(_) => "fade.statistics",
            Self::Feature { .. } => "fade.feature",
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::ToyModel(error) => error.field(),
            Self::Statistics(_) => None,
            Self::Feature { .. } => Some("feature"),
        }
    }
}
