use crate::io::{EscapedRule, EscapedText, IoError, text_constructors};

/// Why an autoencoder, or a dictionary, is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SaeError {
    /// A file is refused.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A configuration, or an option, says what is not understood, or the weights what does not fit it.
    #[error("{}, {}: {}; allowed: {}", EscapedText(file), EscapedText(field), EscapedText(found), EscapedRule(allowed))]
    Config {
        /// The file, or "the options".
        file: String,
        /// The field.
        field: String,
        /// What it holds.
        found: String,
        /// What it may hold.
        allowed: String,
    },
    /// A row cannot be normalised.
    #[error("row {row} of the activations {why}, so {normalisation} has no value for it")]
    Row {
        /// The row, from 0.
        row: usize,
        /// What is wrong with it.
        why: &'static str,
        /// What it was to be normalised by.
        normalisation: &'static str,
    },
    /// A row has a code or a reconstruction that is no finite `f32`.
    #[error("row {row} of the activations: {what} is {value:?}; allowed: finite 32-bit floats")]
    NonFinite {
        /// The row, from 0.
        row: usize,
        /// What of it: "the code of feature 3".
        what: String,
        /// What it comes to.
        value: f64,
    },
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalue iteration of the dictionary's Gram matrix did not converge")]
    NoConvergence,
}

impl SaeError {
    text_constructors! { pub config => Config { file, field, found, allowed }; }

    /// A stable code, e.g. `evaluate.config`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(error) => error.code(),
            Self::Config { .. } => "evaluate.config",
            Self::Row { .. } => "evaluate.row",
            Self::NonFinite { .. } => "evaluate.non-finite",
            Self::NoConvergence => "evaluate.no-convergence",
        }
    }
}
