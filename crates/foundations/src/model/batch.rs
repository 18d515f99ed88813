use super::ModelError;
use crate::synthetic::language::Token;

/// Prompts of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    tokens: Vec<Token>,
    prompts: usize,
    positions: usize,
}

impl Batch {
    /// Lays prompts side by side.
    ///
    /// # Errors
    /// [`ModelError::Size`] without a prompt or a token, [`ModelError::Ragged`].
    pub fn new<P: AsRef<[Token]>>(prompts: &[P]) -> Result<Self, ModelError> {
        let none = |field| ModelError::size(field, 0, "at least 1");
        let first = prompts.first().ok_or_else(|| none("prompts"))?.as_ref();
        if first.is_empty() {
            return Err(none("tokens of a prompt"));
        }
        let mut tokens = Vec::with_capacity(prompts.len() * first.len());
        for (prompt, row) in prompts.iter().enumerate() {
            let (found, allowed) = (row.as_ref().len(), first.len());
            if found != allowed {
                return Err(ModelError::Ragged { prompt, found, allowed });
            }
            tokens.extend_from_slice(row.as_ref());
        }
        Ok(Self { tokens, prompts: prompts.len(), positions: first.len() })
    }

    /// How many prompts.
    #[must_use]
    pub fn prompt_count(&self) -> usize {
        self.prompts
    }

    /// Tokens of each.
    #[must_use]
    pub fn position_count(&self) -> usize {
        self.positions
    }

    /// Prompts × positions tokens.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }
}

/// Of rows prompts × positions × `width` those of the last positions: prompts × `width`.
pub(super) fn last_position_rows(rows: &[f32], positions: usize, width: usize) -> Vec<f32> {
    let prompts = rows.chunks_exact((positions * width).max(1));
    prompts.flat_map(|prompt| &prompt[prompt.len() - width..]).copied().collect()
}
