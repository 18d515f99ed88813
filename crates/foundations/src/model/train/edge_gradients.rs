//! How a logit difference changes with what each receiver of a transformer's graph reads.

use super::{Pass, TrainingBatch, add_in_place, linear_backward_input};
use crate::model::batch::last_position_rows;
use crate::model::graph::{HEAD_INPUTS, InputKind, Node, NodeInput};
use crate::model::parameters::TensorRanges;
use crate::model::{Batch, Config, ModelError, Parameters};
use crate::synthetic::language::Token;

/// Calls back with how the mean over prompts of the last position's logit of a right word less that of a wrong one
/// changes with what each receiver, and it alone, reads: prompts × positions × d_model, the last receiver first.
pub(in crate::model) fn logit_difference_gradients(
    parameters: &Parameters,
    batch: &Batch,
    (right, wrong): (&[Token], &[Token]),
    each: &mut dyn FnMut(NodeInput, &[f32]),
) -> Result<(), ModelError> {
    let config = parameters.config();
    for (field, words) in [("right words", right), ("wrong words", wrong)] {
        if words.len() != batch.prompt_count() {
            return Err(ModelError::size(field, words.len(), batch.prompt_count().to_string()));
        }
        let unknown = words.iter().position(|word| *word as usize >= config.vocabulary);
        if let Some(prompt) = unknown {
            return Err(ModelError::Token {
                prompt,
                position: batch.position_count(),
                found: words[prompt],
                last: config.vocabulary.saturating_sub(1),
            });
        }
    }
    let lesson = TrainingBatch {
        read: batch.tokens().to_vec(),
        told: right.to_vec(),
        weights: Vec::new(),
        texts: batch.prompt_count(),
    };
    lesson.check(config)?;
    let places = TensorRanges::for_config(config);
    let pass = Pass { config, places: &places, all: parameters.values() };
    pass.logit_difference_gradients(&lesson, wrong, each);
    Ok(())
}

impl Pass<'_> {
    fn logit_difference_gradients(
        &self,
        lesson: &TrainingBatch,
        wrong: &[Token],
        each: &mut dyn FnMut(NodeInput, &[f32]),
    ) {
        let Config { d_model: width, heads, d_head, vocabulary, .. } = *self.config;
        let (texts, positions) = (lesson.texts, lesson.read.len() / lesson.texts);
        let mut x = self.embed(&lesson.read, positions);
        let layers = self.places.layers.iter();
        let kept: Vec<_> = layers.map(|layer| self.forward_layer(layer, &mut x, (texts, positions))).collect();
        let normal = self.layer_norm(&last_position_rows(&x, positions, width), &self.places.ln_final);
        let share = 1.0 / texts as f32;
        let mut d_logits = vec![0.0; texts * vocabulary];
        let words = lesson.told.iter().zip(wrong);
        for (row, (right, wrong)) in d_logits.chunks_exact_mut(vocabulary).zip(words) {
            row[*right as usize] += share;
            row[*wrong as usize] -= share;
        }
        // The way back adds to it what nobody wants here.
        let mut gradient = vec![0.0; self.places.len()];
        let d_normal = self.logits_backward(&normal.out, &d_logits, &mut gradient);
        let d_last = self.layer_norm_backward(&normal, &d_normal, &self.places.ln_final, &mut gradient);
        let mut d_x = vec![0.0; x.len()];
        for (row, d) in d_x.chunks_exact_mut(positions * width).zip(d_last.chunks_exact(width)) {
            let from = row.len() - width;
            row[from..].copy_from_slice(d);
        }
        each((Node::Logits, InputKind::Whole), &d_x);
        for (at, (layer, kept)) in self.places.layers.iter().zip(&kept).enumerate().rev() {
            let mut d_neurons = self.backward_to_input(&layer.mlp_out, &d_x);
            self.config.activation.backward(&kept.pre, &mut d_neurons);
            let d_normal = self.backward_to_input(&layer.mlp_in, &d_neurons);
            let own = self.layer_norm_backward(&kept.ln2, &d_normal, &layer.ln2, &mut gradient);
            each((Node::Mlp(at), InputKind::Whole), &own);
            add_in_place(&mut d_x, &own);

            let d_z = self.backward_to_input(&layer.attn_out, &d_x);
            let d_qkv = self.attention_backward(kept, &d_z, texts, positions);
            for (block, [weight, _]) in self.qkv_ranges(layer).iter().enumerate() {
                let input = HEAD_INPUTS[block / heads];
                let rows = d_qkv.chunks_exact(3 * heads * d_head);
                let d: Vec<f32> = rows.flat_map(|row| &row[block * d_head..][..d_head]).copied().collect();
                let d_normal = linear_backward_input(&d, self.values_of(weight), d_head);
                let own = self.layer_norm_backward(&kept.ln1, &d_normal, &layer.ln1, &mut gradient);
                each((Node::Head(at, block % heads), input), &own);
                add_in_place(&mut d_x, &own);
            }
        }
    }
}
