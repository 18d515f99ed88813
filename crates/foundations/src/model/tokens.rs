use super::{Config, ModelError};
use crate::io::Array;
use crate::synthetic::language::Token;

/// Most tokens that are read from a file.
pub const TOKENS_MAX: usize = 1 << 22;
/// Whole numbers below it are `f32` exactly; no vocabulary goes beyond.
const EXACT_F32_MAX: f32 = (1 << 24) as f32;

/// Reads prompts as tokens from an array of whole numbers: of one dimension, a prompt; of two, a prompt a row.
///
/// # Errors
/// [`ModelError::Tokens`] where the array is no such one, or its rows are longer than the model's context;
/// [`ModelError::TokenIn`] at the first number that is none of the vocabulary; [`ModelError::Io`].
pub fn read_token_rows(array: &Array, config: &Config) -> Result<Vec<Vec<Token>>, ModelError> {
    let refuse =
        |found: String, allowed: String| Err(ModelError::Tokens { file: array.file_name().to_owned(), found, allowed });
    let found = array.description();
    if !found.dtype.is_integer() {
        return refuse(format!("{} numbers", found.dtype.name()), "whole numbers".to_owned());
    }
    if found.shape.len() > 2 {
        return refuse(format!("{} dimensions", found.shape.len()), "1 (a prompt) or 2 (a prompt a row)".to_owned());
    }
    if found.cols > config.context {
        let allowed = format!("1 to {}, the model's positions", config.context);
        return refuse(format!("rows of {} tokens", found.cols), allowed);
    }
    if found.rows > TOKENS_MAX / found.cols {
        let held = format!("{} rows of {} tokens", found.rows, found.cols);
        return refuse(held, format!("{TOKENS_MAX} tokens"));
    }
    let values = array.read_all()?;
    let row = |(row, values): (usize, &[f32])| {
        let token = |(column, &value): (usize, &f32)| {
            // As a vocabulary is at most as large as `EXACT_F32_MAX`, what is below it is what the file has.
            if value >= 0.0 && value < (config.vocabulary as f32).min(EXACT_F32_MAX) {
                return Ok(value as Token);
            }
            let about = if value.abs() < EXACT_F32_MAX { "" } else { "about " };
            Err(ModelError::TokenIn {
                file: array.file_name().to_owned(),
                row,
                column,
                found: format!("{about}{value}"),
                last: config.vocabulary.saturating_sub(1),
            })
        };
        values.iter().enumerate().map(token).collect()
    };
    values.chunks_exact(found.cols).enumerate().map(row).collect()
}
