use std::borrow::Cow;
use std::collections::BTreeMap;

use super::batch::last_position_rows;
use super::edit::HeadMeans;
use super::incremental::{add_in_place, attend};
use super::{Batch, Config, Hook, Model, ModelError, Site};
use crate::synthetic::HeadEdits;

/// What a head says.
#[derive(Clone, Copy)]
enum HeadSetting {
    /// What it finds, so many times.
    Scaled(f32),
    /// Its mean over the prompts, position by position.
    MeanAblated,
}

impl HeadSetting {
    /// Distinct for distinct voices.
    fn cache_key(self) -> u64 {
        match self {
            Self::Scaled(factor) => u64::from(factor.to_bits()),
            Self::MeanAblated => u64::MAX,
        }
    }
}

/// A model on prompts with heads that are ablated or scaled, again and again: what a layer finds is kept for every
/// setting of the heads before it, and of the last layer only last positions are computed. Logits are, bit by bit,
/// those of a whole pass.
#[derive(Clone, Debug)]
pub struct HeadEditRunner<'a> {
    model: Cow<'a, Model>,
    means: HeadMeans,
    prompts: usize,
    positions: usize,
    /// Of each layer, by the voices of all heads before it.
    kept: Vec<BTreeMap<Vec<u64>, LayerState>>,
    /// Numbers that are kept.
    numbers: usize,
}

/// How a layer is reached: the residual stream before it, and what its heads find there. In the last layer of last
/// positions alone.
#[derive(Clone, Debug)]
struct LayerState {
    x: Vec<f32>,
    z: Vec<f32>,
}

/// Most numbers that are kept, 64 MiB; what is beyond is computed again when it is asked for.
const CACHED_NUMBERS_MAX: usize = 16 << 20;

impl<'a> HeadEditRunner<'a> {
    /// Passes over prompts once, for their means.
    ///
    /// # Errors
    /// As [`Model::logits`].
    pub fn new(model: Cow<'a, Model>, batch: &Batch) -> Result<Self, ModelError> {
        let mut runs = Self {
            means: HeadMeans::from_batch(&model, batch)?,
            prompts: batch.prompt_count(),
            positions: batch.position_count(),
            kept: vec![BTreeMap::new(); model.config().layers],
            numbers: 0,
            model,
        };
        let first = runs.compute_layer_state(0, runs.model.embed_batch(batch)?);
        runs.cache_layer_state(0, Vec::new(), first);
        Ok(runs)
    }

    /// The logits after the last position, prompts × vocabulary, with some heads scaled and some mean-ablated: a head
    /// that is both is ablated.
    ///
    /// # Errors
    /// [`ModelError::Edit`] for a head that there is not.
    pub fn last_logits(&mut self, edits: &HeadEdits) -> Result<Vec<f32>, ModelError> {
        let Config { layers, heads, .. } = *self.model.config();
        for (layer, head) in edits.scales.keys().chain(&edits.ablated) {
            for (field, found, count) in [("layer", *layer, layers), ("head", *head, heads)] {
                if found >= count {
                    let (hook, last) = (Hook::Block(*layer, Site::Z), count.saturating_sub(1));
                    let allowed = format!("0 to {last}");
                    return Err(ModelError::Edit { hook, field, found, allowed });
                }
            }
        }
        let all = (0..layers).flat_map(|layer| (0..heads).map(move |head| (layer, head)));
        let voice = |head| match edits.ablated.contains(&head) {
            true => HeadSetting::MeanAblated,
            false => HeadSetting::Scaled(edits.scales.get(&head).map_or(1.0, |factor| *factor as f32)),
        };
        let voices: Vec<HeadSetting> = all.map(voice).collect();
        let key: Vec<u64> = voices.iter().map(|voice| voice.cache_key()).collect();
        // The first layer is always kept, with no head before it.
        let known = |layer: &usize| self.kept[*layer].contains_key(&key[..layer * heads]);
        let mut at = (0..layers).rev().find(known).unwrap_or_default();
        while let Some(reached) = self.kept.get(at).and_then(|kept| kept.get(&key[..at * heads])) {
            let after = self.residual_after(at, reached, &voices[at * heads..(at + 1) * heads]);
            at += 1;
            if at == layers {
                return Ok(self.model.logits_of_residual(&after));
            }
            let reached = self.compute_layer_state(at, after);
            self.cache_layer_state(at, key[..at * heads].to_vec(), reached);
        }
        // A model without a layer.
        Err(ModelError::size("layers", layers, "at least 1"))
    }

    /// What the heads of a layer find in the residual stream before it.
    fn compute_layer_state(&self, layer: usize, x: Vec<f32>) -> LayerState {
        let Config { layers, heads, d_model, .. } = *self.model.config();
        let last = layer + 1 == layers;
        let shape = (self.prompts, self.positions);
        let Some(looking) = self.model.layers.get(layer) else {
            return LayerState { x, z: Vec::new() };
        };
        let z = attend(self.model.config(), heads, &looking.compute_qkv(&x), shape, last);
        let x = if last { last_position_rows(&x, self.positions, d_model) } else { x };
        LayerState { x, z }
    }

    /// Keeps how a layer is reached, and where that is too much, forgets all others but how the first one is.
    fn cache_layer_state(&mut self, layer: usize, key: Vec<u64>, reached: LayerState) {
        let more = reached.x.len() + reached.z.len();
        if self.numbers + more > CACHED_NUMBERS_MAX {
            self.kept.iter_mut().skip(1).for_each(BTreeMap::clear);
            self.numbers = 0;
        }
        self.numbers += more;
        if let Some(kept) = self.kept.get_mut(layer) {
            kept.insert(key, reached);
        }
    }

    /// The residual stream after a layer whose heads have these voices.
    fn residual_after(&self, at: usize, reached: &LayerState, voices: &[HeadSetting]) -> Vec<f32> {
        let Config { heads, d_head, d_model, activation, .. } = *self.model.config();
        let layer = &self.model.layers[at];
        let mut z = reached.z.clone();
        let rows = z.len() / (heads * d_head).max(1);
        let first = if rows == self.prompts { self.positions - 1 } else { 0 };
        for (row, z) in z.chunks_exact_mut(heads * d_head).enumerate() {
            let position = first + row % (rows / self.prompts);
            for ((head, z), voice) in z.chunks_exact_mut(d_head).enumerate().zip(voices) {
                match voice {
                    HeadSetting::Scaled(factor) => z.iter_mut().for_each(|z| *z *= factor),
                    HeadSetting::MeanAblated => z.copy_from_slice(self.means.get(at, head, position)),
                }
            }
        }
        let mut x = layer.add_attention(reached.x.clone(), &z);
        let added = layer.compute_neurons(&x, d_model, activation);
        add_in_place(&mut x, &added);
        x
    }
}
