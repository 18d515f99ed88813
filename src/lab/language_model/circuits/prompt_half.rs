//! Half of a task's prompts under edits of heads, and what a model makes of the answers.

use super::prompts::{AnswerDifference, CircuitPrompt};
use crate::model::{Hook, HookedActivation, Hooks, ModelError, Site};
use crate::synthetic::{Head, HeadEdits};

/// Prompts of one length that are run at once: what a run takes does not grow with their number.
const BATCH_PROMPTS: usize = 8;

/// Half of a task's prompts, and the differences of each.
#[derive(Clone, Debug, Default)]
pub(super) struct PromptHalf {
    pub prompts: Vec<CircuitPrompt>,
    /// Prompts of one length, by their places.
    pub batches: Vec<Vec<usize>>,
    pub clean_differences: Vec<f64>,
    pub corrupted_differences: Vec<f64>,
    /// What is done to heads, each thing once.
    pub edits: Vec<HeadEdits>,
    /// Differences under each of them, one a prompt.
    pub edited_differences: Vec<Vec<f64>>,
}

impl PromptHalf {
    pub fn new(prompts: &[CircuitPrompt]) -> Self {
        let mut lengths: Vec<usize> = prompts.iter().map(|prompt| prompt.tokens.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut batches = Vec::new();
        for length in lengths {
            let of = prompts.iter().enumerate().filter(|(_, one)| one.tokens.len() == length);
            let places: Vec<usize> = of.map(|(place, _)| place).collect();
            batches.extend(places.chunks(BATCH_PROMPTS).map(<[usize]>::to_vec));
        }
        let none = vec![f64::NAN; prompts.len()];
        let (clean, corrupted) = (none.clone(), none);
        Self {
            prompts: prompts.to_vec(),
            batches,
            clean_differences: clean,
            corrupted_differences: corrupted,
            ..Self::default()
        }
    }

    pub fn set_edits(&mut self, edits: Vec<HeadEdits>) {
        self.edited_differences = vec![vec![f64::NAN; self.prompts.len()]; edits.len()];
        self.edits = edits;
    }

    /// Differences under some edits, one a prompt; nothing where these were not planned.
    pub fn differences_under(&self, edits: &HeadEdits) -> Option<&[f64]> {
        let edits = without_identity_scales(edits.clone());
        if edits == HeadEdits::default() {
            return Some(&self.clean_differences);
        }
        let place = self.edits.iter().position(|known| *known == edits)?;
        self.edited_differences.get(place).map(Vec::as_slice)
    }
}

/// Without factors that change nothing.
fn without_identity_scales(mut edits: HeadEdits) -> HeadEdits {
    edits.scales.retain(|_, factor| *factor != 1.0);
    edits
}

/// Edits, each once and none that does nothing.
pub(super) fn unique_edits(all: impl IntoIterator<Item = HeadEdits>) -> Vec<HeadEdits> {
    let mut known = vec![HeadEdits::default()];
    for edits in all.into_iter().map(without_identity_scales) {
        if !known.contains(&edits) {
            known.push(edits);
        }
    }
    known.split_off(1)
}

/// Heads whose z is ablated or scaled. What ablated ones write instead is, of each layer, as many rows as there are positions
/// of all prompts, or of one; or none, for nothing.
pub(super) struct HeadEditHook<'a> {
    pub edits: &'a HeadEdits,
    pub replacements: &'a [Vec<f32>],
}

/// The heads of a layer.
fn heads_of_layer(layer: usize) -> std::ops::Range<Head> {
    (layer, 0)..(layer + 1, 0)
}

impl Hooks for HeadEditHook<'_> {
    fn wants(&self, hook: Hook) -> bool {
        let Hook::Block(layer, Site::Z) = hook else { return false };
        self.edits.ablated.range(heads_of_layer(layer)).next().is_some()
            || self.edits.scales.range(heads_of_layer(layer)).next().is_some()
    }

    fn on_activation(&mut self, hook: Hook, seen: &mut HookedActivation<'_>) {
        let Hook::Block(layer, _) = hook else { return };
        let (width, wide) = (seen.width, seen.heads * seen.width);
        let instead = self.replacements.get(layer).map_or(&[][..], Vec::as_slice);
        for (row, all) in seen.values.chunks_exact_mut(wide.max(1)).enumerate() {
            for ((_, head), factor) in self.edits.scales.range(heads_of_layer(layer)) {
                let z = all.iter_mut().skip(head * width).take(width);
                z.for_each(|z| *z *= *factor as f32);
            }
            let rows = instead.len() / wide.max(1);
            let from = if rows == 0 { 0 } else { row % rows * wide };
            for (_, head) in self.edits.ablated.range(heads_of_layer(layer)) {
                let z = all.iter_mut().skip(head * width).take(width);
                let written = instead.iter().skip(from + head * width);
                z.zip(written.copied().chain(std::iter::repeat(0.0))).for_each(|(z, by)| *z = by);
            }
        }
    }
}

impl AnswerDifference {
    /// How much more a model holds right answers likely than wrong ones, by the logits after a prompt.
    ///
    /// # Errors
    /// [`ModelError::NonFinite`].
    pub(super) fn logit_difference(self, prompt: &CircuitPrompt, logits: &[f32]) -> Result<f64, ModelError> {
        let sum = |answers: &[u32], value: &dyn Fn(f64) -> f64| -> f64 {
            let logit = |token: &u32| logits.get(*token as usize).map_or(f64::NAN, |x| f64::from(*x));
            answers.iter().map(|token| value(logit(token))).sum()
        };
        let found = match self {
            Self::Logit => {
                let mean = |answers: &[u32]| sum(answers, &|x| x) / answers.len() as f64;
                mean(&prompt.right) - mean(&prompt.wrong)
            }
            Self::Probability => {
                let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let weight = |logit: f64| libm::exp(logit - f64::from(most));
                let all: f64 = logits.iter().map(|logit| weight(f64::from(*logit))).sum();
                (sum(&prompt.right, &weight) - sum(&prompt.wrong, &weight)) / all
            }
        };
        if found.is_finite() { Ok(found) } else { Err(ModelError::NonFinite) }
    }
}
