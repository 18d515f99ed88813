//! Steps of a pass that are taken anew, one at a time, where only some of what comes before has changed.

use super::attention::{KvCache, QkvShape};
use super::batch::last_position_rows;
use super::forward::{Layer, Model};
use super::{Activation, Batch, Config, ModelError};

/// Rows that stay in a core's nearest cache from the first step to the last.
const ROWS_AT_ONCE: usize = 64;

pub(super) fn add_in_place(to: &mut [f32], more: &[f32]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to += more);
}

/// What heads find whose queries, keys and values lie side by side: prompts × positions × heads × d_head, or of last
/// positions alone prompts × heads × d_head.
pub(super) fn attend(
    config: &Config,
    heads: usize,
    qkv: &[f32],
    (prompts, positions): (usize, usize),
    last: bool,
) -> Vec<f32> {
    let config = Config { heads, ..*config };
    let whole = QkvShape::new(&config, prompts, 0, positions);
    let mut looked = KvCache::new(&config, prompts, positions);
    looked.append(0, qkv, whole);
    if last {
        let newest = QkvShape::new(&config, prompts, positions - 1, 1);
        let mut z = vec![0.0; prompts * whole.heads_width()];
        looked.attend(0, &last_position_rows(qkv, positions, 3 * whole.heads_width()), newest, &mut z);
        return z;
    }
    let mut z = vec![0.0; prompts * positions * whole.heads_width()];
    looked.attend(0, qkv, whole, &mut z);
    z
}

impl Layer {
    /// Queries, keys and values, rows × 3 × heads × d_head, of rows of the residual stream.
    pub(super) fn compute_qkv(&self, x: &[f32]) -> Vec<f32> {
        let (mut normal, mut qkv) = (Vec::new(), Vec::new());
        self.ln1.apply(x, &mut normal);
        self.qkv.apply(&normal, &mut qkv);
        qkv
    }

    /// The residual stream between attention and neurons.
    pub(super) fn add_attention(&self, mut before: Vec<f32>, z: &[f32]) -> Vec<f32> {
        let mut added = Vec::new();
        self.attn_out.apply(z, &mut added);
        add_in_place(&mut before, &added);
        before
    }

    /// What neurons add, of rows of the residual stream.
    pub(super) fn compute_neurons(&self, x: &[f32], width: usize, activation: Activation) -> Vec<f32> {
        let mut all = Vec::with_capacity(x.len());
        let (mut normal, mut post, mut out) = (Vec::new(), Vec::new(), Vec::new());
        for rows in x.chunks(ROWS_AT_ONCE * width) {
            self.ln2.apply(rows, &mut normal);
            self.mlp_in.apply(&normal, &mut post);
            activation.apply(&mut post);
            self.mlp_out.apply(&post, &mut out);
            all.extend_from_slice(&out);
        }
        all
    }
}

impl Model {
    /// The residual stream before the first layer.
    pub(super) fn embed_batch(&self, batch: &Batch) -> Result<Vec<f32>, ModelError> {
        let mut state = self.start_state(batch, batch.position_count())?;
        self.embed(batch, &mut state, &mut ());
        Ok(state.residual)
    }

    /// The logits of rows of what the last layer leaves.
    pub(super) fn logits_of_residual(&self, x: &[f32]) -> Vec<f32> {
        let (mut normal, mut logits) = (Vec::new(), Vec::new());
        self.ln_final.apply(x, &mut normal);
        self.unembed.apply(&normal, &mut logits);
        logits
    }
}
