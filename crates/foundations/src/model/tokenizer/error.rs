use thiserror::Error;

use super::TEXT_BYTES_MAX;
use crate::io::{EscapedRule, EscapedText};
use crate::synthetic::language::Token;

/// Why a tokenizer cannot be read, or cannot read what it was given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TokenizerError {
    /// The file is no such JSON.
    #[error("{}: {}", EscapedText(file), EscapedText(reason))]
    Json {
        /// The file.
        file: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// The file says what is not done here, or contradicts itself.
    #[error("{}: {field} = {}; allowed: {}", EscapedText(file), EscapedText(found), EscapedRule(allowed))]
    Field {
        /// The file.
        file: String,
        /// Which field.
        field: &'static str,
        /// What it says.
        found: String,
        /// What it may say.
        allowed: String,
    },
    /// A text is too long.
    #[error("the text has {found} bytes; allowed: at most {TEXT_BYTES_MAX}")]
    Text {
        /// Its bytes.
        found: usize,
    },
    /// A text has a byte that the vocabulary has not.
    #[error("the text has the byte {byte:#04x}; allowed: bytes of which the vocabulary has a token")]
    Byte {
        /// The byte.
        byte: u8,
    },
    /// There is no such token.
    #[error("token {found}; allowed: those of the vocabulary, to {last}")]
    Token {
        /// The token.
        found: Token,
        /// The vocabulary's last.
        last: Token,
    },
}

impl TokenizerError {
    /// A stable code, e.g. `tokenizer.field`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json { .. } => "tokenizer.json",
            Self::Field { .. } => "tokenizer.field",
            Self::Text { .. } => "tokenizer.text",
            Self::Byte { .. } => "tokenizer.byte",
            Self::Token { .. } => "tokenizer.token",
        }
    }
}
