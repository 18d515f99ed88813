use serde::{Deserialize, Serialize};

/// What is done where a metric's text and its reference code differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// As the text has it.
    Document,
    /// As the reference code has it.
    Code,
}
