use super::{Batch, Hooks, Model, ModelError};
use crate::synthetic::language::{LanguageRng, Token};

/// How the next token is chosen.
enum TokenChoice<'a> {
    Greedy,
    Sampled(&'a mut LanguageRng),
}

impl Model {
    /// Appends the likeliest token to each prompt, `count` times; of equal ones that of lower index. One
    /// token, `excluded`, is never chosen.
    ///
    /// # Errors
    /// As [`Model::logits`]; the context must hold prompts and continuations.
    pub fn continue_greedily(
        &self,
        prompts: &Batch,
        count: usize,
        excluded: Token,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<Vec<Token>>, ModelError> {
        self.continue_prompts(prompts, count, excluded, TokenChoice::Greedy, hooks)
    }

    /// Appends sampled tokens to each prompt, `count` times, at temperature 1: of each prompt in order, a
    /// token is the first whose cumulative probability exceeds the next draw. One token, `excluded`, has
    /// no probability. Hooks come by each position once.
    ///
    /// # Errors
    /// As [`Model::continue_greedily`].
    pub fn sample_continuations(
        &self,
        prompts: &Batch,
        count: usize,
        excluded: Token,
        draws: &mut LanguageRng,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<Vec<Token>>, ModelError> {
        self.continue_prompts(prompts, count, excluded, TokenChoice::Sampled(draws), hooks)
    }

    fn continue_prompts(
        &self,
        prompts: &Batch,
        count: usize,
        excluded: Token,
        mut choice: TokenChoice<'_>,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<Vec<Token>>, ModelError> {
        let mut rows: Vec<Vec<Token>> =
            prompts.tokens().chunks_exact(prompts.position_count()).map(<[Token]>::to_vec).collect();
        let mut state = self.start_state(prompts, prompts.position_count() + count)?;
        let mut newest = prompts.clone();
        for _ in 0..count {
            self.embed(&newest, &mut state, hooks);
            for layer in 0..self.config().layers {
                self.run_layer(layer, &mut state, hooks);
            }
            let mut logits = self.compute_logits(&state, true, hooks);
            let mut chosen = Vec::with_capacity(rows.len());
            let vocabulary = logits.chunks_exact_mut(self.config().vocabulary);
            for (row, logits) in rows.iter_mut().zip(vocabulary) {
                if let Some(logit) = logits.get_mut(excluded as usize) {
                    *logit = f32::NEG_INFINITY;
                }
                let token = match &mut choice {
                    TokenChoice::Greedy => argmax_token(logits),
                    TokenChoice::Sampled(draws) => sample_token(logits, draws.uniform()),
                };
                row.push(token);
                chosen.push([token]);
            }
            newest = Batch::new(&chosen)?;
        }
        Ok(rows)
    }
}

/// The first of the largest.
pub fn argmax_token(logits: &[f32]) -> Token {
    let mut best = 0;
    for (token, logit) in logits.iter().enumerate() {
        if *logit > logits[best] {
            best = token;
        }
    }
    best as Token
}

/// The first token whose cumulative softmax exceeds `u`; the last one where rounding leaves none. Summed
/// in double precision, as the reference does.
fn sample_token(logits: &[f32], u: f64) -> Token {
    let most = f64::from(logits.iter().fold(f32::NEG_INFINITY, |most, logit| most.max(*logit)));
    let weights: Vec<f64> = logits.iter().map(|logit| libm::exp(f64::from(*logit) - most)).collect();
    let sum: f64 = weights.iter().sum();
    let mut cumulative = 0.0;
    for (token, weight) in weights.iter().enumerate() {
        cumulative += weight / sum;
        if cumulative > u {
            return token as Token;
        }
    }
    logits.len().saturating_sub(1) as Token
}
