//! What crosses to Python as text: JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Refusal, Result};

/// Reads what a field holds.
pub fn read<T: DeserializeOwned>(field: &str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Refusal::json(field, &error))
}

/// Writes a result.
pub fn write(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Refusal::json("result", &error))
}

/// Writes a result as the command line prints it.
pub fn pretty(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| Refusal::json("result", &error))
}
