use crate::linalg::{Matrix, ShapeError};

/// Why a metric has no value on the given data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// There is nothing to measure.
    #[error("{what} has no entries")]
    Empty {
        /// The empty argument.
        what: &'static str,
    },
    /// The metric needs something that is not there.
    #[error("{what} is missing, without which this metric is undefined")]
    Missing {
        /// What is not there.
        what: &'static str,
    },
    /// An entry is NaN or infinite.
    #[error("{what} holds a value that is not finite, at row {row}, column {column}")]
    NonFinite {
        /// The argument.
        what: &'static str,
        /// Row of the first such entry.
        row: usize,
        /// Column of the first such entry.
        column: usize,
    },
    /// Two arguments do not fit each other.
    #[error(
        "{what} is {} × {}, but {} × {} is needed",
        found.0, found.1, wanted.0, wanted.1
    )]
    Shape {
        /// The argument.
        what: &'static str,
        /// Its shape.
        found: (usize, usize),
        /// The shape it should have.
        wanted: (usize, usize),
    },
    /// The metric divides by a variance that is zero.
    #[error("{what} does not vary, so the metric that divides by its variance is undefined")]
    Constant {
        /// What does not vary.
        what: &'static str,
    },
    /// A histogram needs at least two bins.
    #[error("bins is {bins}; allowed: 2 or more")]
    Bins {
        /// The number asked for.
        bins: usize,
    },
    /// No decomposition of a matrix was found.
    #[error("no singular value decomposition of the dictionary was found")]
    Undetermined,
    /// An index points outside.
    #[error("{what} {index} is outside 0..{len}")]
    Index {
        /// What is indexed.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        len: usize,
    },
}

impl From<ShapeError> for MetricError {
    fn from(ShapeError { what, found, wanted }: ShapeError) -> Self {
        Self::Shape { what, found, wanted }
    }
}

impl MetricError {
    /// A stable code, e.g. `metric.constant`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "metric.empty",
            Self::Missing { .. } => "metric.missing",
            Self::NonFinite { .. } => "metric.non-finite",
            Self::Shape { .. } => "metric.shape",
            Self::Constant { .. } => "metric.constant",
            Self::Bins { .. } => "metric.bins",
            Self::Index { .. } => "metric.index",
            Self::Undetermined => "metric.undetermined",
        }
    }
}

/// Refuses an empty matrix and one with NaN or infinite entries.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`].
pub fn check_matrix(what: &'static str, matrix: &Matrix) -> Result<(), MetricError> {
    if matrix.data().is_empty() {
        return Err(MetricError::Empty { what });
    }
    match first_non_finite(matrix.data()) {
        Some(at) => Err(MetricError::NonFinite { what, row: at / matrix.cols(), column: at % matrix.cols() }),
        None => Ok(()),
    }
}

/// Where the first value is that is no finite number.
pub fn first_non_finite(values: &[f64]) -> Option<usize> {
    // Without a branch for each value the compiler looks at several at once.
    let finite = |chunk: &[f64]| chunk.iter().fold(true, |all, value| all & value.is_finite());
    let mut chunks = values.chunks(256);
    if chunks.all(finite) { None } else { values.iter().position(|value| !value.is_finite()) }
}

/// Refuses a matrix of another shape.
///
/// # Errors
/// [`MetricError::Shape`].
pub fn check_shape(what: &'static str, matrix: &Matrix, wanted: (usize, usize)) -> Result<(), MetricError> {
    if matrix.shape() == wanted { Ok(()) } else { Err(MetricError::Shape { what, found: matrix.shape(), wanted }) }
}
