//! The forward pass of any model that an [`Architecture`] describes.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::architecture::{
    Architecture, LOGIT_ROWS_MIN, LOGITS_IN_MEMORY_MAX, NeuronActivation, Norm, PositionEncoding,
};
use super::rotary::CosSinCache;
use super::weight::Weight;
use crate::cancel;
use crate::kernel::single_precision;
use crate::model::forward::call_hook;
use crate::model::hook::{Hook, Hooks, Site};
use crate::model::{Activation, Batch, ModelError};
use crate::synthetic::language::Token;
use crate::threads;

/// x·Wᵀ + b.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub weight: Weight,
    pub bias: Option<Vec<f32>>,
}

impl Linear {
    fn apply(&self, x: &[f32], out: &mut Vec<f32>) {
        self.weight.affine(x, self.bias.as_deref(), out);
    }
}

/// What normalised rows are multiplied by, Gemma's 1 added, and what is added to them.
#[derive(Clone, Debug)]
pub(super) struct Gain {
    pub weight: Vec<f32>,
    pub bias: Option<Vec<f32>>,
}

/// The weights of a layer.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub ln1: Gain,
    pub qkv: [Linear; 3],
    pub q_norm: Option<Gain>,
    pub k_norm: Option<Gain>,
    pub attn_out: Linear,
    pub ln1_post: Option<Gain>,
    pub ln2: Gain,
    /// What goes into the activation function.
    pub mlp_in: Linear,
    /// What gated neurons are multiplied with.
    pub mlp_linear: Option<Linear>,
    pub mlp_out: Linear,
    pub ln2_post: Option<Gain>,
}

/// All weights.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub embed: Weight,
    pub position_embedding: Option<Weight>,
    pub blocks: Vec<Block>,
    pub ln_final: Gain,
    /// Nothing where it is the embedding.
    pub unembed: Option<Weight>,
}

/// A decoder-only transformer with weights in the type of their file, ready to read.
#[derive(Clone, Debug)]
pub struct Decoder {
    pub(super) architecture: Architecture,
    pub(super) weights: Weights,
}

/// Prompts, the first position, positions of each: the shape of what hooks see.
pub(super) type RowShape = (usize, usize, usize);

/// The places of a normalisation.
#[derive(Clone, Copy)]
struct NormHooks {
    scale: Hook,
    normalized: Hook,
    out: Option<Hook>,
}

impl NormHooks {
    fn for_layer(layer: usize, [scale, normalized]: [Site; 2], out: Option<Site>) -> Self {
        let hook = |site| Hook::Block(layer, site);
        Self { scale: hook(scale), normalized: hook(normalized), out: out.map(hook) }
    }
}

/// Angles of global and of local layers.
struct RotaryAngles {
    global: CosSinCache,
    local: CosSinCache,
}

/// Of all models of this program, on all threads.
static TOKENS_READ: AtomicU64 = AtomicU64::new(0);

/// How many tokens forward passes have read in this program so far, those of every prompt of a batch: by two counts and
/// the time between them, tokens per second.
#[must_use]
pub fn tokens_read() -> u64 {
    TOKENS_READ.load(Ordering::Relaxed)
}

/// Calls a hook, and says whether it has changed anything.
fn call_hook_detect_change(
    hooks: &mut dyn Hooks,
    hook: Hook,
    values: &mut [f32],
    rows: RowShape,
    heads: usize,
) -> bool {
    if !hooks.wants(hook) {
        return false;
    }
    let before = values.to_vec();
    call_hook(hooks, hook, values, rows, heads);
    before.iter().zip(&*values).any(|(before, now)| before.to_bits() != now.to_bits())
}

impl Decoder {
    /// What it is.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The logits of the next token after every position: prompts × positions × vocabulary.
    ///
    /// # Errors
    /// [`ModelError::Size`] beyond the context, [`ModelError::Token`].
    pub fn logits(&self, batch: &Batch, hooks: &mut dyn Hooks) -> Result<Vec<f32>, ModelError> {
        let mut all = Vec::new();
        self.for_each_logits(batch, hooks, |_, logits| all.extend_from_slice(logits))?;
        Ok(all)
    }

    /// The logits of the next token after the last position: prompts × vocabulary.
    ///
    /// # Errors
    /// As [`Decoder::logits`].
    pub fn last_logits(&self, batch: &Batch, hooks: &mut dyn Hooks) -> Result<Vec<f32>, ModelError> {
        let normal = self.final_normalized(batch, hooks)?;
        let ends = super::super::batch::last_position_rows(&normal, batch.position_count(), self.architecture.d_model);
        let mut logits = Vec::new();
        self.unembed(&ends, &mut logits);
        cancel::check()?;
        Ok(logits)
    }

    /// Calls back with the logits after every position, row by row: not all of them are held at once.
    ///
    /// # Errors
    /// As [`Decoder::logits`].
    pub fn for_each_logits(
        &self,
        batch: &Batch,
        hooks: &mut dyn Hooks,
        mut each: impl FnMut(usize, &[f32]),
    ) -> Result<(), ModelError> {
        let normal = self.final_normalized(batch, hooks)?;
        let mut row = 0;
        self.for_each_logits_of_runs(&[&normal], |logits| {
            if let [logits] = logits {
                each(row, logits);
                row += 1;
            }
        })
    }

    /// Calls back with the logits of what the unembedding reads in several runs, row by row.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`].
    pub fn for_each_logits_of_runs(
        &self,
        normal: &[&[f32]],
        mut each: impl FnMut(&[&[f32]]),
    ) -> Result<(), ModelError> {
        let Architecture { d_model, vocabulary, .. } = self.architecture;
        let some = (LOGITS_IN_MEMORY_MAX / vocabulary / normal.len().max(1)).max(LOGIT_ROWS_MIN) * d_model;
        let mut logits = vec![Vec::new(); normal.len()];
        let longest = normal.iter().map(|rows| rows.len()).max().unwrap_or(0);
        for first in (0..longest).step_by(some) {
            for (rows, logits) in normal.iter().zip(&mut logits) {
                self.unembed(&rows[first.min(rows.len())..(first + some).min(rows.len())], logits);
            }
            let mut rows: Vec<_> = logits.iter().map(|logits| logits.chunks_exact(vocabulary)).collect();
            loop {
                let row: Vec<&[f32]> = rows.iter_mut().filter_map(Iterator::next).collect();
                if row.len() < normal.len() || row.is_empty() {
                    break;
                }
                cancel::check()?;
                each(&row);
            }
        }
        Ok(())
    }

    /// Comes by the hooks as far as one of them, without what comes after: no later layer, no logits.
    ///
    /// # Errors
    /// As [`Decoder::logits`].
    pub fn run_until(&self, batch: &Batch, last: Hook, hooks: &mut dyn Hooks) -> Result<(), ModelError> {
        match last {
            Hook::LnFinalScale | Hook::LnFinal => self.final_normalized(batch, hooks).map(|_| ()),
            last => self.residual_stream(batch, Some(last), hooks).map(|_| ()),
        }
    }

    /// What the unembedding reads: prompts × positions × d_model.
    ///
    /// # Errors
    /// As [`Decoder::logits`].
    pub fn final_normalized(&self, batch: &Batch, hooks: &mut dyn Hooks) -> Result<Vec<f32>, ModelError> {
        let x = self.residual_stream(batch, None, hooks)?;
        Ok(self.apply_final_norm(&x, (batch.prompt_count(), 0, batch.position_count()), hooks))
    }

    /// Rows of the residual stream after the last normalisation.
    pub(super) fn apply_final_norm(&self, x: &[f32], rows: RowShape, hooks: &mut dyn Hooks) -> Vec<f32> {
        let mut normal = Vec::new();
        let places = NormHooks { scale: Hook::LnFinalScale, normalized: Hook::LnFinal, out: None };
        self.normalize(&self.weights.ln_final, x, &mut normal, places, (rows, 1), hooks);
        normal
    }

    /// What directions of the residual stream add to the logits of every token, with the gain of the last normalisation
    /// but neither its scale nor a bias, each with its mean over tokens taken away: directions × vocabulary.
    ///
    /// # Panics
    /// When a direction is not d_model numbers.
    #[must_use]
    pub fn logit_effects(&self, directions: &[f32]) -> Vec<f32> {
        let gain = &self.weights.ln_final.weight;
        let scaled = directions.chunks_exact(gain.len());
        let scaled: Vec<f32> = scaled.flat_map(|row| row.iter().zip(gain).map(|(x, gain)| x * gain)).collect();
        assert_eq!(scaled.len(), directions.len(), "directions of the residual stream");
        let mut logits = Vec::new();
        let head = self.weights.unembed.as_ref().unwrap_or(&self.weights.embed);
        head.affine(&scaled, None, &mut logits);
        for row in logits.chunks_exact_mut(self.architecture.vocabulary) {
            let sum: f64 = row.iter().copied().map(f64::from).sum();
            let mean = (sum / row.len() as f64) as f32;
            row.iter_mut().for_each(|logit| *logit -= mean);
        }
        logits
    }

    /// What each neuron at 1 adds to the logit of a token, by its column of W_out, the gain of the last normalisation and
    /// the token's row of the unembedding, without their scales: layers × d_mlp.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], asked between blocks.
    ///
    /// # Panics
    /// When there is no such token.
    pub fn neuron_promotions(&self, token: Token) -> Result<Vec<Vec<f32>>, ModelError> {
        let Architecture { d_model, d_mlp, .. } = self.architecture;
        let mut reads = vec![0.0; d_model];
        let head = self.weights.unembed.as_ref().unwrap_or(&self.weights.embed);
        head.dequantize(token as usize, &mut reads);
        reads.iter_mut().zip(&self.weights.ln_final.weight).for_each(|(x, gain)| *x *= gain);
        let of_block = |block: &Block| {
            cancel::check()?;
            let mut sums = vec![0.0; d_mlp];
            let mut row = vec![0.0; d_mlp];
            for (at, by) in reads.iter().enumerate() {
                let post = block.ln2_post.as_ref().and_then(|gain| gain.weight.get(at));
                let by = by * post.copied().unwrap_or(1.0);
                block.mlp_out.weight.dequantize(at, &mut row);
                sums.iter_mut().zip(&row).for_each(|(sum, x)| *sum += x * by);
            }
            Ok(sums)
        };
        self.weights.blocks.iter().map(of_block).collect()
    }

    fn unembed(&self, normal: &[f32], logits: &mut Vec<f32>) {
        self.weights.unembed.as_ref().unwrap_or(&self.weights.embed).affine(normal, None, logits);
        if let Some(cap) = self.architecture.logit_cap {
            logits.iter_mut().for_each(|logit| *logit = cap * libm::tanhf(*logit / cap));
        }
    }

    fn check_batch(&self, batch: &Batch) -> Result<(), ModelError> {
        let Architecture { context, vocabulary, .. } = self.architecture;
        if batch.position_count() > context {
            let allowed = format!("1 to {context}");
            return Err(ModelError::size("positions", batch.position_count(), allowed));
        }
        let unknown = |token: &u32| (*token as usize) >= vocabulary;
        if let Some(at) = batch.tokens().iter().position(unknown) {
            return Err(ModelError::Token {
                prompt: at / batch.position_count(),
                position: at % batch.position_count(),
                found: batch.tokens()[at],
                last: vocabulary.saturating_sub(1),
            });
        }
        Ok(())
    }

    /// The residual stream after the last layer, or where a hook stands that is the last one.
    fn residual_stream(
        &self,
        batch: &Batch,
        last: Option<Hook>,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<f32>, ModelError> {
        self.check_batch(batch)?;
        let Architecture { d_model, embedding_scale, .. } = self.architecture;
        let rows = (batch.prompt_count(), 0, batch.position_count());
        let mut x = vec![0.0; batch.tokens().len() * d_model];
        for (token, row) in batch.tokens().iter().zip(x.chunks_exact_mut(d_model)) {
            self.weights.embed.dequantize(*token as usize, row);
        }
        if embedding_scale != 1.0 {
            x.iter_mut().for_each(|x| *x *= embedding_scale);
        }
        call_hook(hooks, Hook::Embed, &mut x, rows, 1);
        if let Some(positions) = &self.weights.position_embedding {
            let mut one = vec![0.0; batch.position_count() * d_model];
            positions.dequantize(0, &mut one);
            let mut all = one.repeat(batch.prompt_count());
            call_hook(hooks, Hook::PosEmbed, &mut all, rows, 1);
            x.iter_mut().zip(&all).for_each(|(x, position)| *x += position);
        }
        let turns = match &self.architecture.positions {
            PositionEncoding::Learned => None,
            PositionEncoding::Rotary { dimensions, global, local } => {
                let [global, local] =
                    [global, local].map(|rotary| rotary.cos_sin_cache(*dimensions, batch.position_count()));
                Some(RotaryAngles { global, local })
            }
        };
        for layer in 0..self.weights.blocks.len() {
            if last.is_some_and(|last| last < Hook::Block(layer, Site::ResidPre)) {
                break;
            }
            self.run_layer(layer, &mut x, rows, turns.as_ref(), last, hooks);
            cancel::check()?;
        }
        TOKENS_READ.fetch_add(batch.tokens().len() as u64, Ordering::Relaxed);
        Ok(x)
    }

    /// From a layer's begin to its end, in place of the residual stream; or to the last hook.
    fn run_layer(
        &self,
        at: usize,
        x: &mut Vec<f32>,
        rows: RowShape,
        turns: Option<&RotaryAngles>,
        last: Option<Hook>,
        hooks: &mut dyn Hooks,
    ) {
        let (of, block) = (&self.architecture, &self.weights.blocks[at]);
        let hook = |site| Hook::Block(at, site);
        let done = |site| last.is_some_and(|last| last <= hook(site));
        let (mut first, mut second) = (Vec::new(), Vec::new());

        call_hook(hooks, hook(Site::ResidPre), x, rows, 1);
        if done(Site::ResidPre) {
            return;
        }
        let places = NormHooks::for_layer(at, [Site::Ln1Scale, Site::Ln1Normalized], Some(Site::Ln1Out));
        self.normalize(&block.ln1, x, &mut first, places, (rows, 1), hooks);
        if done(Site::Ln1Out) {
            return;
        }
        let heads = [of.heads, of.kv_heads, of.kv_heads];
        let [mut q, mut k, mut v] = [Vec::new(), Vec::new(), Vec::new()];
        let places = [Site::Q, Site::K, Site::V].into_iter().zip(heads);
        for ((linear, out), (site, heads)) in block.qkv.iter().zip([&mut q, &mut k, &mut v]).zip(places) {
            linear.apply(&first, out);
            call_hook(hooks, hook(site), out, rows, heads);
        }
        if done(Site::V) {
            return;
        }
        for (gain, values, site, heads) in [
            (&block.q_norm, &mut q, Site::QNormalized, of.heads),
            (&block.k_norm, &mut k, Site::KNormalized, of.kv_heads),
        ] {
            if let Some(gain) = gain {
                self.normalize_heads(gain, values, hook(site), (rows, heads), hooks);
            }
        }
        if let Some(turns) = turns {
            let angles = if self.has_sliding_window(at) { &turns.local } else { &turns.global };
            for (values, site, heads) in [(&mut q, Site::RotQ, of.heads), (&mut k, Site::RotK, of.kv_heads)] {
                angles.rotate(values, heads * of.d_head, of.d_head, rows.2);
                call_hook(hooks, hook(site), values, rows, heads);
            }
        }
        if done(Site::RotK) {
            return;
        }
        first.clear();
        first.resize(q.len(), 0.0);
        self.attend(at, [&q, &k, &v], rows, &mut first, hooks);
        if done(Site::Pattern) {
            return;
        }
        call_hook(hooks, hook(Site::Z), &mut first, rows, of.heads);
        if done(Site::Z) {
            return;
        }
        block.attn_out.apply(&first, &mut second);
        if let Some(gain) = &block.ln1_post {
            let places = NormHooks::for_layer(at, [Site::Ln1PostScale, Site::Ln1PostNormalized], None);
            self.normalize(gain, &second, &mut first, places, (rows, 1), hooks);
            std::mem::swap(&mut first, &mut second);
        }
        call_hook(hooks, hook(Site::AttnOut), &mut second, rows, 1);
        if done(Site::AttnOut) {
            return;
        }
        let before = of.parallel.then(|| x.clone());
        x.iter_mut().zip(&second).for_each(|(x, added)| *x += added);
        if !of.parallel {
            call_hook(hooks, hook(Site::ResidMid), x, rows, 1);
        }
        if done(Site::ResidMid) {
            return;
        }
        let read = if hooks.wants(hook(Site::MlpIn)) {
            // What neurons read alone: the residual stream itself stays.
            let mut read = before.unwrap_or_else(|| x.clone());
            call_hook(hooks, hook(Site::MlpIn), &mut read, rows, 1);
            Some(read)
        } else {
            before
        };
        let places = NormHooks::for_layer(at, [Site::Ln2Scale, Site::Ln2Normalized], Some(Site::Ln2Out));
        self.normalize(&block.ln2, read.as_ref().unwrap_or(x), &mut first, places, (rows, 1), hooks);
        if done(Site::Ln2Out) {
            return;
        }
        self.compute_neurons(at, &first, &mut second, rows, hooks);
        if done(Site::MlpPost) {
            return;
        }
        block.mlp_out.apply(&second, &mut first);
        if let Some(gain) = &block.ln2_post {
            let places = NormHooks::for_layer(at, [Site::Ln2PostScale, Site::Ln2PostNormalized], None);
            self.normalize(gain, &first, &mut second, places, (rows, 1), hooks);
            std::mem::swap(&mut first, &mut second);
        }
        call_hook(hooks, hook(Site::MlpOut), &mut first, rows, 1);
        x.iter_mut().zip(&first).for_each(|(x, added)| *x += added);
        call_hook(hooks, hook(Site::ResidPost), x, rows, 1);
    }

    /// Whether a layer has a sliding window.
    fn has_sliding_window(&self, layer: usize) -> bool {
        self.architecture.sliding.get(layer).copied().unwrap_or(false)
    }

    /// Neurons after their activation function, into `post`, of normalised rows.
    fn compute_neurons(&self, at: usize, normal: &[f32], post: &mut Vec<f32>, rows: RowShape, hooks: &mut dyn Hooks) {
        let block = &self.weights.blocks[at];
        let hook = |site| Hook::Block(at, site);
        block.mlp_in.apply(normal, post);
        call_hook(hooks, hook(Site::MlpPre), post, rows, 1);
        let activation = self.architecture.activation;
        threads::for_each_chunk(post, ACTIVATIONS_PER_THREAD, |values| activation.apply(values));
        if let Some(linear) = &block.mlp_linear {
            let mut by = Vec::new();
            linear.apply(normal, &mut by);
            call_hook(hooks, hook(Site::MlpPreLinear), &mut by, rows, 1);
            post.iter_mut().zip(&by).for_each(|(post, by)| *post *= by);
        }
        call_hook(hooks, hook(Site::MlpPost), post, rows, 1);
    }

    /// Normalises rows, comes by the hooks of it, and applies gain and bias.
    fn normalize(
        &self,
        gain: &Gain,
        x: &[f32],
        out: &mut Vec<f32>,
        places: NormHooks,
        (rows, heads): (RowShape, usize),
        hooks: &mut dyn Hooks,
    ) {
        out.clear();
        out.extend_from_slice(x);
        let width = gain.weight.len();
        let mut scales: Vec<f32> = out.chunks_exact_mut(width).map(|row| 1.0 / self.standardize(row)).collect();
        let before = scales.clone();
        if call_hook_detect_change(hooks, places.scale, &mut scales, rows, heads) {
            for (row, (before, now)) in out.chunks_exact_mut(width).zip(before.iter().zip(&scales)) {
                row.iter_mut().for_each(|value| *value = *value * before / now);
            }
        }
        let after = self.architecture.normalized_after_gain;
        if !after {
            call_hook(hooks, places.normalized, out, rows, heads);
        }
        gain.apply(out);
        if after {
            call_hook(hooks, places.normalized, out, rows, heads);
        }
        if let Some(hook) = places.out {
            call_hook(hooks, hook, out, rows, heads);
        }
    }

    /// Normalises each head of rows, in place.
    fn normalize_heads(
        &self,
        gain: &Gain,
        values: &mut [f32],
        hook: Hook,
        (rows, heads): (RowShape, usize),
        hooks: &mut dyn Hooks,
    ) {
        for head in values.chunks_exact_mut(gain.weight.len()) {
            self.standardize(head);
        }
        call_hook(hooks, hook, values, rows, heads);
        gain.apply(values);
    }

    /// Normalises a row in place, and gives one over what it was divided by.
    fn standardize(&self, row: &mut [f32]) -> f32 {
        let epsilon = self.architecture.epsilon;
        match self.architecture.norm {
            Norm::Layer => single_precision::standardize(row, epsilon),
            Norm::Rms { .. } => {
                let by = 1.0 / f32::sqrt(single_precision::dot(row, row) / row.len() as f32 + epsilon);
                row.iter_mut().for_each(|value| *value *= by);
                by
            }
        }
    }

    /// What each head finds, prompts × positions × heads × d_head, into `z`.
    fn attend(&self, at: usize, qkv: [&[f32]; 3], rows: RowShape, z: &mut [f32], hooks: &mut dyn Hooks) {
        let of = &self.architecture;
        let (prompts, _, positions) = rows;
        let attention = Attention {
            of,
            positions,
            window: of.window.filter(|_| self.has_sliding_window(at)),
            capacity: positions.next_multiple_of(4),
        };
        let [scores, pattern] = [Site::AttnScores, Site::Pattern].map(|site| Hook::Block(at, site));
        if !(hooks.wants(scores) || hooks.wants(pattern)) {
            attention.attend_unhooked(prompts, qkv, z);
            return;
        }
        let mut all = vec![f32::NEG_INFINITY; prompts * of.heads * positions * positions];
        attention.for_each_scores(0..prompts, 0..positions, qkv, |row, weights, looked, _, _| {
            let to = row.pattern_index(of, positions) * positions;
            all[to..][looked.clone()].copy_from_slice(&weights[..looked.len()]);
        });
        // Where nobody changes them, scores are multiplied within the softmax, as where nobody looks.
        let mut shown = all.clone();
        if of.attention_cap.is_none() {
            shown.iter_mut().for_each(|score| *score *= of.attention_scale);
        }
        let new = call_hook_detect_change(hooks, scores, &mut shown, rows, of.heads);
        let mut row = vec![0.0; attention.capacity];
        for (found, shown) in all.chunks_exact_mut(positions).zip(shown.chunks_exact(positions)) {
            row[..positions].copy_from_slice(if new { shown } else { found });
            if new {
                single_precision::softmax(&mut row, positions, 1.0);
            } else {
                attention.softmax(&mut row, positions);
            }
            found.copy_from_slice(&row[..positions]);
        }
        call_hook(hooks, pattern, &mut all, rows, of.heads);
        attention.for_each_values(0..prompts, 0..positions, qkv[2], |row, values, stride| {
            let weights = &all[row.pattern_index(of, positions) * positions..][..positions];
            single_precision::weighted_row_sum(weights, values, stride, row.output_slice(z, of, 0));
        });
    }
}

impl Gain {
    fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.weight.len()) {
            match &self.bias {
                Some(bias) => {
                    for ((value, weight), bias) in row.iter_mut().zip(&self.weight).zip(bias) {
                        *value = *value * weight + bias;
                    }
                }
                None => row.iter_mut().zip(&self.weight).for_each(|(value, by)| *value *= by),
            }
        }
    }
}

/// A layer's attention over prompts of one length.
struct Attention<'a> {
    of: &'a Architecture,
    positions: usize,
    window: Option<usize>,
    /// Positions there is room for, whole fours.
    capacity: usize,
}

/// One position of one head.
#[derive(Clone, Copy)]
struct HeadPosition {
    prompt: usize,
    head: usize,
    position: usize,
    /// Its number among all positions of all prompts.
    index: usize,
}

impl HeadPosition {
    /// Its place among what all heads find from one position of all prompts on.
    fn output_slice<'a>(self, z: &'a mut [f32], of: &Architecture, first: usize) -> &'a mut [f32] {
        let from = ((self.index - first) * of.heads + self.head) * of.d_head;
        &mut z[from..from + of.d_head]
    }

    /// Its place among patterns, prompts × heads × positions.
    fn pattern_index(self, of: &Architecture, positions: usize) -> usize {
        (self.prompt * of.heads + self.head) * positions + self.position
    }
}

impl Attention<'_> {
    /// What each head finds where nobody looks at scores and weights, into `z`.
    fn attend_unhooked(&self, prompts: usize, qkv: [&[f32]; 3], z: &mut [f32]) {
        /// Positions of a piece, at least: each piece lays out the keys of the positions before it.
        const CHUNK_POSITIONS_MIN: usize = 32;
        let width = self.of.heads * self.of.d_head;
        let pieces = match threads::thread_count() {
            1 => 1,
            // Later positions look at more keys: several pieces a thread even that out.
            count => (4 * count).div_ceil(prompts),
        };
        let some = self.positions.div_ceil(pieces).max(CHUNK_POSITIONS_MIN);
        let mut pieces = Vec::new();
        for (prompt, z) in z.chunks_exact_mut(self.positions * width).enumerate() {
            for (first, z) in (0..self.positions).step_by(some).zip(z.chunks_mut(some * width)) {
                pieces.push((prompt, first, z));
            }
        }
        let done = threads::parallel_map(pieces, |(prompt, first, z)| {
            let span = first..(first + some).min(self.positions);
            let begin = prompt * self.positions + first;
            self.for_each_scores(prompt..prompt + 1, span, qkv, |row, weights, looked, values, stride| {
                self.softmax(weights, looked.len());
                let weights = &weights[..looked.len()];
                let values = &values[looked.start * stride..];
                single_precision::weighted_row_sum(weights, values, stride, row.output_slice(z, self.of, begin));
            });
            Ok::<(), Infallible>(())
        });
        match done {
            Ok(_) => {}
            Err(never) => match never {},
        }
    }

    /// Some positions of every head, with the values of its keys and how far apart they are.
    fn for_each_values(
        &self,
        prompts: Range<usize>,
        positions: Range<usize>,
        v: &[f32],
        mut each: impl FnMut(HeadPosition, &[f32], usize),
    ) {
        let stride = self.of.kv_heads * self.of.d_head;
        for prompt in prompts {
            for head in 0..self.of.heads {
                if cancel::is_cancelled() {
                    return;
                }
                let first = prompt * self.positions;
                let values = &v[first * stride + self.kv_head(head) * self.of.d_head..];
                for position in positions.clone() {
                    let index = first + position;
                    each(HeadPosition { prompt, head, position, index }, values, stride);
                }
            }
        }
    }

    /// The head of keys and values that a head of queries reads.
    fn kv_head(&self, head: usize) -> usize {
        head / (self.of.heads / self.of.kv_heads)
    }

    /// Calls back with the products of queries with the keys that it looks at, capped where the model caps them,
    /// with the positions of these, and with values and how far apart they are. The range begins at a multiple of
    /// four: −∞ stands for what is before a window.
    fn for_each_scores(
        &self,
        prompts: Range<usize>,
        positions: Range<usize>,
        [q, k, v]: [&[f32]; 3],
        mut found: impl FnMut(HeadPosition, &mut [f32], Range<usize>, &[f32], usize),
    ) {
        let &Architecture { heads, d_head, kv_heads, attention_scale, attention_cap, .. } = self.of;
        let capacity = self.capacity;
        let stride = kv_heads * d_head;
        // Keys of one head of one prompt, d_head × capacity.
        let mut keys = vec![0.0; d_head * capacity];
        let mut weights = vec![0.0; capacity];
        let mut loaded = None;
        let last = positions.end;
        self.for_each_values(prompts, positions, v, |row, values, _| {
            let kv = self.kv_head(row.head);
            if loaded.replace((row.prompt, kv)) != Some((row.prompt, kv)) {
                for position in 0..last {
                    let from = (row.prompt * self.positions + position) * stride + kv * d_head;
                    let places = keys[position..].iter_mut().step_by(capacity);
                    places.zip(&k[from..from + d_head]).for_each(|(place, key)| *place = *key);
                }
            }
            let query = &q[(row.index * heads + row.head) * d_head..][..d_head];
            let looks = row.position + 1;
            let first = self.window.map_or(0, |window| looks.saturating_sub(window));
            let from = first / 4 * 4;
            let weights = &mut weights[..(looks - from).next_multiple_of(4)];
            single_precision::weighted_row_sum(query, &keys[from..], capacity, weights);
            if let Some(cap) = attention_cap {
                for score in weights.iter_mut() {
                    *score = cap * libm::tanhf(*score * attention_scale / cap);
                }
            }
            weights[..first - from].fill(f32::NEG_INFINITY);
            found(row, weights, from..looks, values, stride);
        });
    }

    /// Products to weights.
    fn softmax(&self, weights: &mut [f32], looks: usize) {
        let capped = self.of.attention_cap.is_some();
        single_precision::softmax(weights, looks, if capped { 1.0 } else { self.of.attention_scale });
    }
}

impl NeuronActivation {
    /// Applies it to each.
    fn apply(self, values: &mut [f32]) {
        match self {
            Self::Relu => Activation::Relu.apply(values),
            Self::GeluTanh => Activation::GeluTanh.apply(values),
            Self::Silu => values.chunks_mut(BLOCK_VALUES).for_each(silu_in_place),
            Self::Gelu => {
                for x in values {
                    *x = 0.5 * *x * (1.0 + libm::erff(*x * core::f32::consts::FRAC_1_SQRT_2));
                }
            }
        }
    }
}

/// As many at a time.
const BLOCK_VALUES: usize = 64;
/// Activations that a thread computes at a time.
const ACTIVATIONS_PER_THREAD: usize = 256 * BLOCK_VALUES;

/// x · σ(x) = x/(1 + e⁻ˣ) of each of at most [`BLOCK_VALUES`].
fn silu_in_place(values: &mut [f32]) {
    let mut powers = [0.0; BLOCK_VALUES];
    let powers = &mut powers[..values.len()];
    powers.iter_mut().zip(&*values).for_each(|(power, x)| *power = -*x);
    single_precision::exp(powers);
    values.iter_mut().zip(&*powers).for_each(|(x, power)| *x /= 1.0 + power);
}
