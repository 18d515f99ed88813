use thiserror::Error;

use super::hook::Hook;
use super::tokenizer::TokenizerError;
use crate::cancel::Cancelled;
use crate::io::{DType, EscapedRule, EscapedText, IoError, text_constructors};
use crate::synthetic::language::Token;

/// Why a model cannot be read, or cannot read what it was given.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file cannot be read.
    #[error(transparent)]
    Io(#[from] IoError),
    /// What was computed is no longer wanted.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A tokenizer cannot be read, or cannot read a text.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// A folder is not one model's.
    #[error("the folder has {}; allowed: {allowed}", EscapedText(found))]
    Folder {
        /// What it has, or has not.
        found: String,
        /// What it may have.
        allowed: &'static str,
    },
    /// A tokenizer has tokens that the model has not.
    #[error("{}: token {found}; allowed: 0 to {last}, the model's vocabulary", EscapedText(file))]
    Vocabulary {
        /// The tokenizer's file.
        file: String,
        /// Its last token.
        found: Token,
        /// The model's last token.
        last: usize,
    },
    /// A file is not one of tokens.
    #[error("{}: {}; allowed: {}", EscapedText(file), EscapedText(found), EscapedRule(allowed))]
    Tokens {
        /// The file.
        file: String,
        /// What it has.
        found: String,
        /// What it may have.
        allowed: String,
    },
    /// A file has a token that the vocabulary does not have.
    #[error("{}, row {row}, column {column}: token {found}; allowed: 0 to {last}", EscapedText(file))]
    TokenIn {
        /// The file.
        file: String,
        /// Row of the first such token, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// The token, as it stands.
        found: String,
        /// The vocabulary's last.
        last: usize,
    },
    /// A model's graph has no such edge.
    #[error("edge = {found:?}; allowed: from what writes to what reads after it, within the model's layers and heads")]
    Edge {
        /// Its name.
        found: String,
    },
    /// Weights are so large that what is computed with them is no finite number.
    #[error("the logits are not finite; allowed: weights that keep them within 32-bit floats")]
    NonFinite,
    /// A tensor is not there.
    #[error("{}: no tensor {}", EscapedText(file), EscapedText(tensor))]
    Missing {
        /// The file.
        file: String,
        /// The tensor's name.
        tensor: String,
    },
    /// A tensor has another shape than the others ask for.
    #[error("{}: {} is {found}; it must be {allowed}", EscapedText(file), EscapedText(tensor))]
    Shape {
        /// The file.
        file: String,
        /// The tensor's name.
        tensor: String,
        /// Its shape.
        found: String,
        /// What the others ask for.
        allowed: String,
    },
    /// A tensor is of numbers that are no weights.
    #[error(
        "{}: {} is of {}; it must be of floating-point numbers",
        EscapedText(file),
        EscapedText(tensor),
        found.name()
    )]
    DType {
        /// The file.
        file: String,
        /// The tensor's name.
        tensor: String,
        /// Its numbers.
        found: DType,
    },
    /// A configuration says what is not computed here.
    #[error(
        "{}: {} = {}; allowed: {}",
        EscapedText(file),
        EscapedText(field),
        EscapedText(found),
        EscapedRule(allowed)
    )]
    Config {
        /// The file.
        file: String,
        /// Which field.
        field: String,
        /// What it says.
        found: String,
        /// What it may say.
        allowed: String,
    },
    /// The model takes more memory than there may be.
    #[error("{}: the model takes {needed} bytes; allowed: {cap}", EscapedText(file))]
    TooLarge {
        /// The file of its weights.
        file: String,
        /// Bytes it takes.
        needed: u64,
        /// Bytes it may take.
        cap: u64,
    },
    /// A size is out of bounds.
    #[error("{field} = {found}; allowed: {allowed}")]
    Size {
        /// Which size.
        field: &'static str,
        /// What it is.
        found: usize,
        /// What it may be.
        allowed: String,
    },
    /// Something that is asked is none of what there is.
    #[error("{field} = {found}; allowed: {allowed}")]
    Value {
        /// What is asked.
        field: &'static str,
        /// What it is.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// Prompts of a batch differ in length.
    #[error("prompt {prompt} has {found} tokens; the first has {allowed}, and all of a batch must have as many")]
    Ragged {
        /// Which prompt, from 0.
        prompt: usize,
        /// Its tokens.
        found: usize,
        /// The first one's.
        allowed: usize,
    },
    /// A token that the vocabulary does not have.
    #[error("prompt {prompt}, position {position}: token {found}; allowed: 0 to {last}")]
    Token {
        /// Which prompt, from 0.
        prompt: usize,
        /// Which position, from 0.
        position: usize,
        /// The token.
        found: u32,
        /// The vocabulary's last.
        last: usize,
    },
    /// An edit does not fit the activation it changes.
    #[error("{hook}: {field} = {found}; allowed: {allowed}")]
    Edit {
        /// Where.
        hook: Hook,
        /// What of the edit.
        field: &'static str,
        /// What it is.
        found: usize,
        /// What it may be.
        allowed: String,
    },
    /// A model has no such place.
    #[error("the model has no hook {hook}; allowed: one of its hooks")]
    Hook {
        /// The place.
        hook: Hook,
    },
    /// Weights cannot be written.
    #[error("weights could not be written: {0}")]
    Unwritten(String),
}

impl ModelError {
    /// [`ModelError::Size`] of these.
    pub fn size(field: &'static str, found: usize, allowed: impl Into<String>) -> Self {
        Self::Size { field, found, allowed: allowed.into() }
    }

    text_constructors! { pub config => Config { file, field, found, allowed }; }

    /// Refuses the first of some sizes that is not from its least to its most: what it is of, the size, least and most.
    ///
    /// # Errors
    /// [`ModelError::Size`].
    pub fn check_sizes(sizes: &[(&'static str, usize, usize, usize)]) -> Result<(), Self> {
        for &(field, found, least, most) in sizes {
            if !(least..=most).contains(&found) {
                return Err(Self::size(field, found, format!("{least} to {most}")));
            }
        }
        Ok(())
    }

    /// A stable code, e.g. `model.missing`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(error) => error.code(),
            Self::Cancelled(_) => "cancelled",
            Self::Tokenizer(error) => error.code(),
            Self::Folder { .. } => "model.folder",
            Self::Vocabulary { .. } => "model.vocabulary",
            Self::Tokens { .. } => "model.tokens",
            Self::TokenIn { .. } | Self::Token { .. } => "model.token",
            Self::NonFinite => "model.non-finite",
            Self::Missing { .. } => "model.missing",
            Self::Shape { .. } => "model.shape",
            Self::DType { .. } => "model.dtype",
            Self::Config { .. } => "model.config",
            Self::TooLarge { .. } => "model.too-large",
            Self::Size { .. } => "model.size",
            Self::Value { .. } => "model.value",
            Self::Ragged { .. } => "model.ragged",
            Self::Edge { .. } => "model.edge",
            Self::Edit { .. } => "model.edit",
            Self::Hook { .. } => "model.hook",
            Self::Unwritten(_) => "model.unwritten",
        }
    }
}
