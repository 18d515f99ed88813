use super::hook::{Hook, Hooks, Seen, Site};
use super::parameters::Places;
use super::{Batch, Config, ModelError, Parameters};
use crate::kernel::single::{self, Panels};

/// x·W + b, W as it is multiplied quickest.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    weights: Panels,
    bias: Vec<f32>,
}

impl Linear {
    /// W as blocks of `depth` rows side by side, each block `width` columns wide.
    fn new<'a>(
        blocks: impl IntoIterator<Item = (&'a [f32], usize)>,
        depth: usize,
        bias: Vec<f32>,
    ) -> Self {
        let mut columns = Vec::with_capacity(depth * bias.len());
        for (block, width) in blocks {
            for col in 0..width {
                columns.extend(block[col..].iter().step_by(width).take(depth));
            }
        }
        let mut weights = Panels::default();
        weights.fill(&columns, depth);
        Self { weights, bias }
    }

    pub fn apply(&self, x: &[f32], out: &mut Vec<f32>) {
        out.resize(x.len() / self.weights.depth() * self.bias.len(), 0.0);
        single::affine(x, &self.weights, &self.bias, out);
    }

    /// x·W alone.
    pub fn without_bias(&self, x: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; x.len() / self.weights.depth() * self.bias.len()];
        single::affine(x, &self.weights, &vec![0.0; self.bias.len()], &mut out);
        out
    }
}

/// (x − mean)/√(mean((x − mean)²) + ε)·w + b.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Norm {
    pub fn apply(&self, x: &[f32], out: &mut Vec<f32>) {
        let width = self.weight.len();
        out.clear();
        out.extend_from_slice(x);
        for row in out.chunks_exact_mut(width) {
            let mean = row.iter().sum::<f32>() / width as f32;
            row.iter_mut().for_each(|value| *value -= mean);
            let variance = single::dot(row, row) / width as f32;
            let scale = 1.0 / f32::sqrt(variance + self.epsilon);
            for ((value, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
                *value = *value * scale * weight + bias;
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub ln1: Norm,
    /// Queries of all heads, then keys, then values.
    pub qkv: Linear,
    pub output: Linear,
    ln2: Norm,
    input: Linear,
    mlp: Linear,
}

/// A transformer, ready to read.
#[derive(Clone, Debug)]
pub struct Model {
    config: Config,
    embed: Vec<f32>,
    positions: Vec<f32>,
    pub(super) layers: Vec<Layer>,
    ln_final: Norm,
    unembed: Linear,
}

/// Keys and values of the positions so far, and the residual stream of the newest.
#[derive(Clone, Debug)]
pub(super) struct State {
    prompts: usize,
    /// Positions that there is room for.
    capacity: usize,
    /// Positions that are done.
    past: usize,
    layers: Vec<Looked>,
    /// Prompts × newest positions × d_model.
    pub x: Vec<f32>,
    positions: usize,
}

/// What a layer's heads look at.
#[derive(Clone, Debug, Default)]
struct Looked {
    /// Prompts × heads × d_head × capacity.
    keys: Vec<f32>,
    /// Prompts × heads × capacity × d_head.
    values: Vec<f32>,
}

/// The residual stream before each layer: from there on it can be computed again.
#[derive(Clone, Debug)]
pub struct Trace {
    prompts: usize,
    positions: usize,
    before: Vec<Vec<f32>>,
}

impl Trace {
    /// Prompts × positions × d_model numbers before a layer; nothing where there is none.
    #[must_use]
    pub fn before(&self, layer: usize) -> &[f32] {
        self.before.get(layer).map_or(&[], Vec::as_slice)
    }
}

impl Model {
    /// Lays weights out.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Self {
        let config = *parameters.config();
        let places = Places::of(&config);
        let all = parameters.values();
        let at = |range: &std::ops::Range<usize>| &all[range.clone()];
        let norm = |[weight, bias]: &[std::ops::Range<usize>; 2]| Norm {
            weight: at(weight).to_vec(),
            bias: at(bias).to_vec(),
            epsilon: config.epsilon,
        };
        let plain = |[weight, bias]: &[std::ops::Range<usize>; 2], depth: usize| {
            Linear::new([(at(weight), bias.len())], depth, at(bias).to_vec())
        };
        let (d_model, d_head) = (config.d_model, config.d_head);
        let layers = places.layers.iter().map(|layer| {
            let heads =
                layer.qkv.iter().flat_map(|[weight, _]| at(weight).chunks_exact(d_model * d_head));
            let bias = layer.qkv.iter().flat_map(|[_, bias]| at(bias)).copied().collect();
            Layer {
                ln1: norm(&layer.ln1),
                qkv: Linear::new(heads.map(|head| (head, d_head)), d_model, bias),
                output: plain(&layer.output, config.all_heads()),
                ln2: norm(&layer.ln2),
                input: plain(&layer.input, d_model),
                mlp: plain(&layer.mlp, config.d_mlp),
            }
        });
        let layers = layers.collect();
        let embed = at(&places.embed).to_vec();
        let unembed = if config.tied {
            let mut weights = Panels::default();
            weights.fill(&embed, d_model);
            Linear { weights, bias: vec![0.0; config.vocabulary] }
        } else {
            plain(&places.unembed, d_model)
        };
        Self {
            config,
            embed,
            positions: at(&places.positions).to_vec(),
            layers,
            ln_final: norm(&places.ln_final),
            unembed,
        }
    }

    /// The model's sizes.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The logits of the next token after every position: prompts × positions × vocabulary.
    ///
    /// # Errors
    /// [`ModelError::Size`] beyond the context, [`ModelError::Token`].
    pub fn logits(&self, batch: &Batch, hooks: &mut dyn Hooks) -> Result<Vec<f32>, ModelError> {
        let state = self.pass(batch, hooks)?;
        Ok(self.read_out(&state, false, hooks))
    }

    /// The logits of the next token after the last position: prompts × vocabulary.
    ///
    /// # Errors
    /// As [`Model::logits`].
    pub fn last_logits(
        &self,
        batch: &Batch,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<f32>, ModelError> {
        let state = self.pass(batch, hooks)?;
        Ok(self.read_out(&state, true, hooks))
    }

    /// Runs without a hook, and keeps the residual stream before each layer.
    ///
    /// # Errors
    /// As [`Model::logits`].
    pub fn trace(&self, batch: &Batch) -> Result<Trace, ModelError> {
        let mut state = self.begin(batch, batch.positions())?;
        self.embed(batch, &mut state, &mut ());
        let mut before = Vec::with_capacity(self.layers.len());
        for layer in 0..self.layers.len() {
            before.push(state.x.clone());
            self.layer(layer, &mut state, &mut ());
        }
        Ok(Trace { prompts: batch.prompts(), positions: batch.positions(), before })
    }

    /// The logits after the last position, computed again from a layer on: what stands before it is as it
    /// was traced. Hooks of earlier layers are not come by.
    ///
    /// # Errors
    /// [`ModelError::Size`] for a layer that there is not.
    pub fn resume(
        &self,
        trace: &Trace,
        layer: usize,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<f32>, ModelError> {
        let before = trace.before.get(layer).ok_or_else(|| ModelError::Size {
            field: "layer",
            found: layer,
            allowed: format!("0 to {}", trace.before.len().saturating_sub(1)),
        })?;
        let mut state = self.room(trace.prompts, trace.positions);
        state.positions = trace.positions;
        state.x.clone_from(before);
        for layer in layer..self.layers.len() {
            self.layer(layer, &mut state, hooks);
        }
        Ok(self.read_out(&state, true, hooks))
    }

    /// The residual stream after a layer, or any other activation a hook takes, without what comes after:
    /// prompts × positions × d_model.
    ///
    /// # Errors
    /// As [`Model::logits`]; [`ModelError::Size`] for a layer that there is not.
    pub fn residual_after(
        &self,
        batch: &Batch,
        layer: usize,
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<f32>, ModelError> {
        if layer >= self.layers.len() {
            let allowed = format!("0 to {}", self.layers.len().saturating_sub(1));
            return Err(ModelError::Size { field: "layer", found: layer, allowed });
        }
        let mut state = self.begin(batch, batch.positions())?;
        self.embed(batch, &mut state, hooks);
        for layer in 0..=layer {
            self.layer(layer, &mut state, hooks);
        }
        Ok(state.x)
    }

    fn pass(&self, batch: &Batch, hooks: &mut dyn Hooks) -> Result<State, ModelError> {
        let mut state = self.begin(batch, batch.positions())?;
        self.embed(batch, &mut state, hooks);
        for layer in 0..self.layers.len() {
            self.layer(layer, &mut state, hooks);
        }
        Ok(state)
    }

    /// Checks prompts, and makes room for their positions and for more.
    pub(super) fn begin(&self, batch: &Batch, capacity: usize) -> Result<State, ModelError> {
        if capacity > self.config.context {
            let allowed = format!("1 to {}", self.config.context);
            return Err(ModelError::Size { field: "positions", found: capacity, allowed });
        }
        let known = |token: &u32| (*token as usize) < self.config.vocabulary;
        if let Some(at) = batch.tokens().iter().position(|token| !known(token)) {
            return Err(ModelError::Token {
                prompt: at / batch.positions(),
                position: at % batch.positions(),
                found: batch.tokens()[at],
                last: self.config.vocabulary.saturating_sub(1),
            });
        }
        Ok(self.room(batch.prompts(), capacity))
    }

    fn room(&self, prompts: usize, capacity: usize) -> State {
        let size = prompts * self.config.all_heads() * capacity;
        let looked = Looked { keys: vec![0.0; size], values: vec![0.0; size] };
        State {
            prompts,
            capacity,
            past: 0,
            layers: vec![looked; self.layers.len()],
            x: Vec::new(),
            positions: 0,
        }
    }

    /// The residual stream of further tokens; those before are done.
    pub(super) fn embed(&self, batch: &Batch, state: &mut State, hooks: &mut dyn Hooks) {
        let width = self.config.d_model;
        state.past += state.positions;
        state.positions = batch.positions();
        state.x.clear();
        for token in batch.tokens() {
            let at = *token as usize * width;
            state.x.extend_from_slice(&self.embed[at..at + width]);
        }
        call(hooks, Hook::Embed, &mut state.x, (state.prompts, state.past, state.positions), 1);
        let from = state.past * width;
        let rows = &self.positions[from..from + state.positions * width];
        if hooks.wants(Hook::PosEmbed) {
            let mut all = rows.repeat(state.prompts);
            call(hooks, Hook::PosEmbed, &mut all, (state.prompts, state.past, state.positions), 1);
            state.x.iter_mut().zip(&all).for_each(|(x, position)| *x += position);
        } else {
            for prompt in state.x.chunks_exact_mut(rows.len()) {
                prompt.iter_mut().zip(rows).for_each(|(x, position)| *x += position);
            }
        }
    }

    pub(super) fn layer(&self, at: usize, state: &mut State, hooks: &mut dyn Hooks) {
        let layer = &self.layers[at];
        let shape = (state.prompts, state.past, state.positions);
        let hook = |site| Hook::Block(at, site);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        call(hooks, hook(Site::ResidPre), &mut state.x, shape, 1);
        layer.ln1.apply(&state.x, &mut first);
        call(hooks, hook(Site::Ln1Normalized), &mut first, shape, 1);
        layer.qkv.apply(&first, &mut second);
        self.attend(at, &second, state, &mut first, hooks);
        call(hooks, hook(Site::Z), &mut first, shape, self.config.heads);
        layer.output.apply(&first, &mut second);
        call(hooks, hook(Site::AttnOut), &mut second, shape, 1);
        state.x.iter_mut().zip(&second).for_each(|(x, added)| *x += added);
        call(hooks, hook(Site::ResidMid), &mut state.x, shape, 1);
        layer.ln2.apply(&state.x, &mut first);
        call(hooks, hook(Site::Ln2Normalized), &mut first, shape, 1);
        layer.input.apply(&first, &mut second);
        call(hooks, hook(Site::MlpPre), &mut second, shape, 1);
        self.config.activation.apply(&mut second);
        call(hooks, hook(Site::MlpPost), &mut second, shape, 1);
        layer.mlp.apply(&second, &mut first);
        call(hooks, hook(Site::MlpOut), &mut first, shape, 1);
        state.x.iter_mut().zip(&first).for_each(|(x, added)| *x += added);
        call(hooks, hook(Site::ResidPost), &mut state.x, shape, 1);
    }

    /// What each head finds, prompts × newest positions × heads × d_head, from queries, keys and values of
    /// the newest positions side by side.
    fn attend(
        &self,
        at: usize,
        qkv: &[f32],
        state: &mut State,
        z: &mut Vec<f32>,
        hooks: &mut dyn Hooks,
    ) {
        let Config { heads, d_head, .. } = self.config;
        let (prompts, past, positions) = (state.prompts, state.past, state.positions);
        let (width, shape) = (heads * d_head, (prompts, past, positions));
        let parts = [Site::Q, Site::K, Site::V].map(|site| Hook::Block(at, site));
        // As one where nobody wants them apart.
        let mut changed = Vec::new();
        let qkv = if parts.iter().any(|hook| hooks.wants(*hook)) {
            changed.extend_from_slice(qkv);
            for (part, hook) in parts.into_iter().enumerate() {
                let from = part * width;
                let mut own: Vec<f32> = Vec::with_capacity(qkv.len() / 3);
                for row in changed.chunks_exact(3 * width) {
                    own.extend_from_slice(&row[from..from + width]);
                }
                call(hooks, hook, &mut own, shape, heads);
                for (row, own) in changed.chunks_exact_mut(3 * width).zip(own.chunks_exact(width)) {
                    row[from..from + width].copy_from_slice(own);
                }
            }
            &changed
        } else {
            qkv
        };
        let seen = &mut state.layers[at];
        seen.remember(qkv, shape, (heads, d_head), state.capacity);
        z.clear();
        z.resize(prompts * positions * width, 0.0);
        let total = past + positions;
        let scale = 1.0 / f32::sqrt(d_head as f32);
        let pattern = Hook::Block(at, Site::Pattern);
        let whole = hooks.wants(pattern);
        let mut rows = vec![0.0; if whole { prompts * heads * positions * total } else { total }];
        for prompt in 0..prompts {
            for head in 0..heads {
                let size = d_head * state.capacity;
                let from = (prompt * heads + head) * size;
                let (keys, values) =
                    (&seen.keys[from..from + size], &seen.values[from..from + size]);
                for position in 0..positions {
                    let row = (prompt * positions + position) * 3 * width + head * d_head;
                    let query = &qkv[row..row + d_head];
                    let looks = past + position + 1;
                    let start = if whole {
                        ((prompt * heads + head) * positions + position) * total
                    } else {
                        0
                    };
                    let weights = &mut rows[start..start + looks];
                    attention(query, keys, state.capacity, scale, weights);
                    if !whole {
                        let at = (prompt * positions + position) * width + head * d_head;
                        gather(weights, values, &mut z[at..at + d_head]);
                    }
                }
            }
        }
        if whole {
            let mut all =
                Seen { values: &mut rows, prompts, first: past, positions, heads, width: total };
            hooks.at(pattern, &mut all);
            for (row, weights) in rows.chunks_exact(total).enumerate() {
                let (of, position) = (row / positions, row % positions);
                let (prompt, head) = (of / heads, of % heads);
                let from = of * d_head * state.capacity;
                let at = (prompt * positions + position) * width + head * d_head;
                gather(weights, &seen.values[from..], &mut z[at..at + d_head]);
            }
        }
    }

    /// Logits after every position, or after the last of each prompt.
    pub(super) fn read_out(&self, state: &State, last: bool, hooks: &mut dyn Hooks) -> Vec<f32> {
        let width = self.config.d_model;
        let (mut normal, mut logits) = (Vec::new(), Vec::new());
        let all = !last || hooks.wants(Hook::LnFinal);
        let ends = |rows: &[f32]| -> Vec<f32> {
            let prompts = rows.chunks_exact(state.positions * width);
            prompts.flat_map(|prompt| &prompt[prompt.len() - width..]).copied().collect()
        };
        if all {
            self.ln_final.apply(&state.x, &mut normal);
            let shape = (state.prompts, state.past, state.positions);
            call(hooks, Hook::LnFinal, &mut normal, shape, 1);
            if last {
                normal = ends(&normal);
            }
        } else {
            self.ln_final.apply(&ends(&state.x), &mut normal);
        }
        self.unembed.apply(&normal, &mut logits);
        logits
    }
}

impl Looked {
    fn remember(
        &mut self,
        qkv: &[f32],
        (prompts, past, positions): (usize, usize, usize),
        (heads, d_head): (usize, usize),
        capacity: usize,
    ) {
        let width = heads * d_head;
        for prompt in 0..prompts {
            for position in 0..positions {
                let row = &qkv[(prompt * positions + position) * 3 * width..][..3 * width];
                let at = past + position;
                for head in 0..heads {
                    let from = (prompt * heads + head) * d_head * capacity;
                    let keys = &row[width + head * d_head..][..d_head];
                    for (i, key) in keys.iter().enumerate() {
                        self.keys[from + i * capacity + at] = *key;
                    }
                    let values = &row[2 * width + head * d_head..][..d_head];
                    self.values[from + at * d_head..][..d_head].copy_from_slice(values);
                }
            }
        }
    }
}

/// softmax(scale · q·kᵀ) over as many positions as there are weights.
fn attention(query: &[f32], keys: &[f32], capacity: usize, scale: f32, weights: &mut [f32]) {
    weights.fill(0.0);
    for (query, keys) in query.iter().zip(keys.chunks_exact(capacity)) {
        single::add_scaled(weights, *query, &keys[..weights.len()]);
    }
    let most = weights.iter().fold(f32::NEG_INFINITY, |most, weight| most.max(*weight));
    let mut sum = 0.0;
    for weight in weights.iter_mut() {
        *weight = libm::expf((*weight - most) * scale);
        sum += *weight;
    }
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

/// Σ weight · value, first position to last.
fn gather(weights: &[f32], values: &[f32], z: &mut [f32]) {
    for (weight, value) in weights.iter().zip(values.chunks_exact(z.len())) {
        single::add_scaled(z, *weight, value);
    }
}

/// Calls whoever wants to be called.
fn call(
    hooks: &mut dyn Hooks,
    hook: Hook,
    values: &mut [f32],
    (prompts, first, positions): (usize, usize, usize),
    heads: usize,
) {
    if hooks.wants(hook) {
        let width = values.len() / (prompts * positions * heads).max(1);
        hooks.at(hook, &mut Seen { values, prompts, first, positions, heads, width });
    }
}
