use thiserror::Error;

use super::hook::Hook;
use crate::io::IoError;

/// Why a model cannot be read, or cannot read what it was given.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file cannot be read.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A tensor is not there.
    #[error("{file}: no tensor {tensor}")]
    Missing {
        /// The file.
        file: String,
        /// The tensor's name.
        tensor: String,
    },
    /// A tensor has another shape than the others ask for.
    #[error("{file}: {tensor} is {found}; it must be {allowed}")]
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
    /// A configuration says what is not computed here.
    #[error("{file}: {field} = {found}; allowed: {allowed}")]
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
    #[error("{file}: the model takes {needed} bytes; allowed: {cap}")]
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
    /// Prompts of a batch differ in length.
    #[error(
        "prompt {prompt} has {found} tokens; the first has {allowed}, and all of a batch must have as many"
    )]
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
}
