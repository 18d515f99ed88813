//! A feature of a hook turned to a value while a model writes.

use crate::model::{Batch, Decoder, Hook, HookedActivation, Hooks, ModelError, argmax_token};
use crate::sae::{Autoencoder, SpliceError};
use crate::synthetic::language::Token;

/// What is steered at a hook.
#[derive(Clone, Copy)]
pub(super) enum SteeringTarget<'a> {
    /// A latent of an autoencoder, along its row of W_dec.
    Latent(&'a Autoencoder, usize),
    /// A direction, whose activation is the product with it.
    Direction(&'a [f64]),
}

impl SteeringTarget<'_> {
    /// What one unit of it adds to an activation.
    fn unit_vector(&self) -> Vec<f64> {
        match self {
            Self::Latent(autoencoder, latent) => autoencoder.direction(*latent).unwrap_or_default(),
            Self::Direction(direction) => {
                let square: f64 = direction.iter().map(|x| x * x).sum();
                direction.iter().map(|x| x / square).collect()
            }
        }
    }

    /// Its activation at every row.
    fn activations(&self, rows: &[f32]) -> Result<Vec<f64>, SpliceError> {
        match self {
            Self::Latent(autoencoder, latent) => Ok(autoencoder.activations(rows, *latent)?),
            Self::Direction(direction) => {
                let product = |row: &[f32]| row.iter().zip(*direction).map(|(x, by)| f64::from(*x) * by).sum();
                Ok(rows.chunks_exact(direction.len()).map(product).collect())
            }
        }
    }
}

/// x ← x + (wanted − activation)·unit at every position but the first, whose activations are outliers in many models.
struct SteeringHook<'a> {
    hook: Hook,
    of: SteeringTarget<'a>,
    unit: Vec<f64>,
    /// Of each prompt.
    wanted: Vec<f64>,
    error: Option<SpliceError>,
}

impl Hooks for SteeringHook<'_> {
    fn wants(&self, hook: Hook) -> bool {
        hook == self.hook
    }

    fn on_activation(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
        let found = match self.of.activations(seen.values) {
            Ok(found) if self.error.is_none() => found,
            Ok(_) => return,
            Err(error) => {
                self.error = Some(error);
                return;
            }
        };
        let rows = seen.values.chunks_exact_mut(self.unit.len()).zip(found).enumerate();
        for (at, (row, found)) in rows {
            let (prompt, position) = (at / seen.positions, at % seen.positions);
            let Some(wanted) = self.wanted.get(prompt).filter(|_| position > 0) else { continue };
            for (x, unit) in row.iter_mut().zip(&self.unit) {
                *x = (f64::from(*x) + (wanted - found) * unit) as f32;
            }
        }
    }
}

/// Prompts that are continued at once: what a run takes does not grow with their number.
const BATCH_PROMPTS: usize = 32;

/// What a model writes after prompts of one length, `count` tokens, always the likeliest, with something at a hook set to
/// a value for each prompt.
///
/// # Errors
/// As [`Decoder::logits`]; what goes wrong at the hook.
pub(super) fn generate_steered(
    model: &Decoder,
    hook: Hook,
    of: SteeringTarget<'_>,
    prompts: &[(Vec<Token>, f64)],
    count: usize,
) -> Result<Vec<Vec<Token>>, SpliceError> {
    let unit = of.unit_vector();
    let mut all = Vec::with_capacity(prompts.len());
    for prompts in prompts.chunks(BATCH_PROMPTS) {
        let mut rows: Vec<Vec<Token>> = prompts.iter().map(|(prompt, _)| prompt.clone()).collect();
        let wanted = prompts.iter().map(|(_, wanted)| *wanted).collect();
        let mut steering = SteeringHook { hook, of, unit: unit.clone(), wanted, error: None };
        for _ in 0..count {
            let logits = model.last_logits(&Batch::new(&rows)?, &mut steering)?;
            if let Some(error) = steering.error.take() {
                return Err(error);
            }
            let vocabulary = model.architecture().vocabulary;
            for (row, logits) in rows.iter_mut().zip(logits.chunks_exact(vocabulary)) {
                if logits.iter().any(|logit| !logit.is_finite()) {
                    return Err(ModelError::NonFinite.into());
                }
                row.push(argmax_token(logits));
            }
        }
        all.append(&mut rows);
    }
    Ok(all)
}
