//! What neurons do for a word, through everything that comes after them.

use std::ops::Range;

use super::{
    LayerCache, NormCache, Pass, TrainingBatch, add_in_place, affine, affine_transposed, linear_backward_input,
};
use crate::kernel::single_precision;
use crate::model::batch::last_position_rows;
use crate::model::parameters::{LayerRanges, TensorRanges};
use crate::model::{Batch, Config, ModelError, Parameters};
use crate::synthetic::language::Token;

/// Each neuron's attribution of ln p(word) at the last position by integrated gradients, of each layer prompts ×
/// neurons.
///
/// # Formula
/// hᵢ · mean over the nodes α of ∂ ln p(word)/∂hᵢ, where the layer's neurons at the last position say αh and not h, and
/// what comes after them follows (Eq. 14 of the Model Utilization Index, whose text leaves the path through later
/// layers open). With ever more nodes between 0 and 1 a layer's attributions sum to what ln p(word) loses where the
/// whole layer says 0 there.
///
/// # Errors
/// [`ModelError::Size`] for words that are not one a prompt, no nodes, no prompt or a prompt beyond the context,
/// [`ModelError::Ragged`], [`ModelError::Token`].
pub fn neuron_attributions(
    parameters: &Parameters,
    prompts: &[Vec<Token>],
    words: &[Token],
    nodes: &[f64],
) -> Result<Vec<Vec<f32>>, ModelError> {
    let config = parameters.config();
    let batch = Batch::new(prompts)?;
    if words.len() != batch.prompt_count() {
        return Err(ModelError::size("words", words.len(), batch.prompt_count().to_string()));
    }
    if nodes.is_empty() {
        return Err(ModelError::size("nodes", 0, "at least 1"));
    }
    let lesson = TrainingBatch {
        read: batch.tokens().to_vec(),
        told: words.to_vec(),
        weights: Vec::new(),
        texts: batch.prompt_count(),
    };
    lesson.check(config)?;
    let places = TensorRanges::for_config(config);
    let pass = Pass { config, places: &places, all: parameters.values() };
    Ok(pass.neuron_attributions(&lesson, batch.position_count(), nodes))
}

/// What a layer must remember of last positions until the way back.
struct LastPositionCache {
    ln1: NormCache,
    qkv: Vec<f32>,
    /// Rows × heads × positions.
    pattern: Vec<f32>,
    ln2: NormCache,
    pre: Vec<f32>,
}

/// Rows that are all last positions, several of each text, whose earlier positions are as they were.
#[derive(Clone, Copy)]
struct LastPositionRows {
    of_each: usize,
    positions: usize,
}

impl Pass<'_> {
    fn neuron_attributions(&self, lesson: &TrainingBatch, positions: usize, nodes: &[f64]) -> Vec<Vec<f32>> {
        let Config { d_model: width, d_mlp, .. } = *self.config;
        let mut x = self.embed(&lesson.read, positions);
        let (mut kept, mut after) = (Vec::new(), Vec::new());
        for layer in &self.places.layers {
            kept.push(self.forward_layer(layer, &mut x, (lesson.texts, positions)));
            after.push(last_position_rows(&x, positions, width));
        }
        let rows = LastPositionRows { of_each: nodes.len(), positions };
        let mut found = Vec::with_capacity(kept.len());
        // The way back adds to it what nobody wants here.
        let mut gradient = vec![0.0; self.places.len()];
        for (at, layer) in self.places.layers.iter().enumerate() {
            let post = last_position_rows(&kept[at].post, positions, d_mlp);
            let out = self.values_of(&layer.mlp_out[0]);
            let added = affine(&post, out, &vec![0.0; width]);
            let mut x = Vec::with_capacity(after[at].len() * nodes.len());
            for (after, added) in after[at].chunks_exact(width).zip(added.chunks_exact(width)) {
                for share in nodes {
                    let less = (share - 1.0) as f32;
                    x.extend(after.iter().zip(added).map(|(after, added)| after + less * added));
                }
            }
            let later = self.places.layers.iter().zip(&kept).skip(at + 1);
            let later: Vec<(&LayerRanges, &LayerCache, LastPositionCache)> =
                later.map(|(layer, kept)| (layer, kept, self.forward_last(layer, kept, &mut x, rows))).collect();
            let normal = self.layer_norm(&x, &self.places.ln_final);
            let mut d = self.logits(&normal.out);
            let words = lesson.told.iter().flat_map(|word| nodes.iter().map(move |_| *word));
            for (row, word) in d.chunks_exact_mut(self.config.vocabulary).zip(words) {
                log_softmax_gradient(row, word as usize);
            }
            let d_normal = self.logits_backward(&normal.out, &d, &mut gradient);
            let mut d_x = self.layer_norm_backward(&normal, &d_normal, &self.places.ln_final, &mut gradient);
            for (layer, kept, last) in later.iter().rev() {
                self.backward_last(layer, (kept, last), &mut d_x, rows, &mut gradient);
            }
            let mut means = vec![0.0; post.len() / d_mlp * width];
            let each = d_x.chunks_exact(nodes.len() * width);
            for (mean, d_x) in means.chunks_exact_mut(width).zip(each) {
                let share = 1.0 / nodes.len() as f32;
                d_x.chunks_exact(width).for_each(|d_x| single_precision::add_scaled(mean, share, d_x));
            }
            let slopes = affine_transposed(&means, out, width, &vec![0.0; d_mlp]);
            found.push(post.iter().zip(&slopes).map(|(post, slope)| post * slope).collect());
        }
        found
    }

    /// A layer at last positions, whose earlier positions are as a pass left them.
    fn forward_last(
        &self,
        layer: &LayerRanges,
        kept: &LayerCache,
        x: &mut [f32],
        rows: LastPositionRows,
    ) -> LastPositionCache {
        let ln1 = self.layer_norm(x, &layer.ln1);
        let (weight, bias) = self.joined_qkv(layer);
        let qkv = affine(&ln1.out, &weight, &bias);
        let Config { heads, d_head, .. } = *self.config;
        let width = heads * d_head;
        let scale = 1.0 / f32::sqrt(d_head as f32);
        let mut pattern = vec![0.0; qkv.len() / (3 * width) * heads * rows.positions];
        let mut z = vec![0.0; qkv.len() / 3];
        for (row, own) in qkv.chunks_exact(3 * width).enumerate() {
            for head in 0..heads {
                let query = &own[head * d_head..][..d_head];
                let weights = &mut pattern[(row * heads + head) * rows.positions..][..rows.positions];
                for (other, weight) in weights.iter_mut().enumerate() {
                    let key = &self.qkv_at(kept, own, rows, (row, other))[width + head * d_head..];
                    *weight = scale * single_precision::dot(query, &key[..d_head]);
                }
                softmax(weights);
                let z = &mut z[row * width + head * d_head..][..d_head];
                for (other, weight) in weights.iter().enumerate() {
                    let value = &self.qkv_at(kept, own, rows, (row, other))[2 * width + head * d_head..];
                    single_precision::add_scaled(z, *weight, &value[..d_head]);
                }
            }
        }
        let [weight, bias] = &layer.attn_out;
        add_in_place(x, &affine(&z, self.values_of(weight), self.values_of(bias)));
        let (ln2, pre, _) = self.compute_neurons(layer, x);
        LastPositionCache { ln1, qkv, pattern, ln2, pre }
    }

    /// Query, key and value of a position that a row looks at: its own, or an earlier one's.
    fn qkv_at<'a>(
        &self,
        kept: &'a LayerCache,
        own: &'a [f32],
        rows: LastPositionRows,
        (row, other): (usize, usize),
    ) -> &'a [f32] {
        if other + 1 == rows.positions {
            return own;
        }
        let size = 3 * self.config.heads * self.config.d_head;
        &kept.qkv[(row / rows.of_each * rows.positions + other) * size..][..size]
    }

    /// From how ln p changes with x·W + b to how it changes with x.
    pub(super) fn backward_to_input(&self, [weight, bias]: &[Range<usize>; 2], d: &[f32]) -> Vec<f32> {
        linear_backward_input(d, self.values_of(weight), bias.len())
    }

    fn backward_last(
        &self,
        layer: &LayerRanges,
        (kept, last): (&LayerCache, &LastPositionCache),
        d_x: &mut [f32],
        rows: LastPositionRows,
        gradient: &mut [f32],
    ) {
        let mut d_neurons = self.backward_to_input(&layer.mlp_out, d_x);
        self.config.activation.backward(&last.pre, &mut d_neurons);
        let d_normal = self.backward_to_input(&layer.mlp_in, &d_neurons);
        add_in_place(d_x, &self.layer_norm_backward(&last.ln2, &d_normal, &layer.ln2, gradient));

        let d_z = self.backward_to_input(&layer.attn_out, d_x);
        let Config { heads, d_head, .. } = *self.config;
        let width = heads * d_head;
        let scale = 1.0 / f32::sqrt(d_head as f32);
        let mut d_qkv = vec![0.0; last.qkv.len()];
        let each = last.qkv.chunks_exact(3 * width).zip(d_qkv.chunks_exact_mut(3 * width));
        for (row, (own, d_own)) in each.enumerate() {
            for head in 0..heads {
                let weights = &last.pattern[(row * heads + head) * rows.positions..][..rows.positions];
                let d_z = &d_z[row * width + head * d_head..][..d_head];
                let part = |other, part: usize| {
                    let looked = self.qkv_at(kept, own, rows, (row, other));
                    &looked[part * width + head * d_head..][..d_head]
                };
                let d_weights: Vec<f32> =
                    (0..rows.positions).map(|other| single_precision::dot(d_z, part(other, 2))).collect();
                let common: f32 = weights.iter().zip(&d_weights).map(|(w, d)| w * d).sum();
                for (other, (weight, d)) in weights.iter().zip(&d_weights).enumerate() {
                    let d = scale * weight * (d - common);
                    let query = &mut d_own[head * d_head..][..d_head];
                    single_precision::add_scaled(query, d, part(other, 1));
                    if other + 1 == rows.positions {
                        let key = &mut d_own[width + head * d_head..][..d_head];
                        single_precision::add_scaled(key, d, part(other, 0));
                        let value = &mut d_own[2 * width + head * d_head..][..d_head];
                        single_precision::add_scaled(value, *weight, d_z);
                    }
                }
            }
        }
        let (weight, bias) = self.joined_qkv(layer);
        let d_normal = linear_backward_input(&d_qkv, &weight, bias.len());
        add_in_place(d_x, &self.layer_norm_backward(&last.ln1, &d_normal, &layer.ln1, gradient));
    }
}

fn softmax(row: &mut [f32]) {
    let most = row.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    row.iter_mut().for_each(|x| *x -= most);
    single_precision::exp(row);
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
}

/// How ln softmax(logits)\[word\] changes with the logits, in their place.
fn log_softmax_gradient(row: &mut [f32], word: usize) {
    softmax(row);
    row.iter_mut().for_each(|share| *share = -*share);
    row[word] += 1.0;
}
