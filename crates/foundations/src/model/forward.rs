use super::attention::{KvCache, QkvShape};
use super::batch::last_position_rows;
use super::hook::{Hook, HookedActivation, Hooks, Site};
use super::parameters::TensorRanges;
use super::{Batch, Config, ModelError, Parameters};
use crate::kernel::single_precision::{self, WeightPanels};

/// x·W + b, W as it is multiplied quickest.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    weights: WeightPanels,
    bias: Vec<f32>,
}

impl Linear {
    /// W as blocks of `depth` rows side by side, each block `width` columns wide.
    fn new<'a>(blocks: impl IntoIterator<Item = (&'a [f32], usize)>, depth: usize, bias: Vec<f32>) -> Self {
        let mut columns = Vec::with_capacity(depth * bias.len());
        for (block, width) in blocks {
            for col in 0..width {
                columns.extend(block[col..].iter().step_by(width).take(depth));
            }
        }
        let mut weights = WeightPanels::default();
        weights.fill(&columns, depth);
        Self { weights, bias }
    }

    pub fn apply(&self, x: &[f32], out: &mut Vec<f32>) {
        out.resize(x.len() / self.weights.depth() * self.bias.len(), 0.0);
        single_precision::affine(x, &self.weights, &self.bias, out);
    }

    /// Some columns of it.
    pub fn select_outputs(&self, columns: impl Iterator<Item = usize>) -> Self {
        let (mut weights, mut bias) = (Vec::new(), Vec::new());
        for col in columns {
            weights.extend(self.weights.column(col));
            bias.push(self.bias[col]);
        }
        let mut panels = WeightPanels::default();
        panels.fill(&weights, self.weights.depth());
        Self { weights: panels, bias }
    }

    /// What it makes of some of its inputs alone, without b.
    pub fn select_inputs(&self, rows: std::ops::Range<usize>) -> Self {
        let mut weights = Vec::with_capacity(rows.len() * self.bias.len());
        for col in 0..self.bias.len() {
            weights.extend(self.weights.column(col).take(rows.end).skip(rows.start));
        }
        let mut panels = WeightPanels::default();
        panels.fill(&weights, rows.len());
        Self { weights: panels, bias: vec![0.0; self.bias.len()] }
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
        out.clear();
        out.extend_from_slice(x);
        for row in out.chunks_exact_mut(self.weight.len()) {
            single_precision::standardize(row, self.epsilon);
            for ((value, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
                *value = *value * weight + bias;
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub ln1: Norm,
    /// Queries of all heads, then keys, then values.
    pub qkv: Linear,
    pub attn_out: Linear,
    pub ln2: Norm,
    pub mlp_in: Linear,
    pub mlp_out: Linear,
}

/// A transformer, ready to read.
#[derive(Clone, Debug)]
pub struct Model {
    config: Config,
    embed: Vec<f32>,
    positions: Vec<f32>,
    pub(super) layers: Vec<Layer>,
    pub(super) ln_final: Norm,
    pub(super) unembed: Linear,
}

/// The residual stream of the newest positions, and keys and values of those so far.
#[derive(Clone, Debug)]
pub(super) struct PassState {
    prompts: usize,
    /// Positions that are done.
    past: usize,
    /// Of each layer; nothing where no further positions come.
    layers: Vec<KvCache>,
    /// Prompts × newest positions × d_model.
    pub residual: Vec<f32>,
    positions: usize,
}

/// What is computed between a layer's ends, for some prompts at a time.
#[derive(Default)]
struct LayerBuffers {
    first: Vec<f32>,
    second: Vec<f32>,
    /// Where no further positions come.
    looked: KvCache,
}

/// The residual stream before each layer: from there on it can be computed again.
#[derive(Clone, Debug)]
pub struct Trace {
    prompts: usize,
    positions: usize,
    before: Vec<Vec<f32>>,
}

impl Model {
    /// Lays weights out.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Self {
        let config = *parameters.config();
        let places = TensorRanges::for_config(&config);
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
            let heads = layer.qkv.iter().flat_map(|[weight, _]| at(weight).chunks_exact(d_model * d_head));
            let bias = layer.qkv.iter().flat_map(|[_, bias]| at(bias)).copied().collect();
            Layer {
                ln1: norm(&layer.ln1),
                qkv: Linear::new(heads.map(|head| (head, d_head)), d_model, bias),
                attn_out: plain(&layer.attn_out, config.heads_width()),
                ln2: norm(&layer.ln2),
                mlp_in: plain(&layer.mlp_in, d_model),
                mlp_out: plain(&layer.mlp_out, config.d_mlp),
            }
        });
        let layers = layers.collect();
        let embed = at(&places.embed).to_vec();
        let unembed = if config.tied {
            let mut weights = WeightPanels::default();
            weights.fill(&embed, d_model);
            Linear { weights, bias: vec![0.0; config.vocabulary] }
        } else {
            plain(&places.unembed, d_model)
        };
        Self {
            config,
            embed,
            positions: at(&places.position_embedding).to_vec(),
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
        let state = self.run_layers(batch, hooks)?;
        Ok(self.compute_logits(&state, false, hooks))
    }

    /// The logits of the next token after the last position: prompts × vocabulary.
    ///
    /// # Errors
    /// As [`Model::logits`].
    pub fn last_logits(&self, batch: &Batch, hooks: &mut dyn Hooks) -> Result<Vec<f32>, ModelError> {
        let state = self.run_layers(batch, hooks)?;
        Ok(self.compute_logits(&state, true, hooks))
    }

    /// Runs without a hook, and keeps the residual stream before each layer.
    ///
    /// # Errors
    /// As [`Model::logits`].
    pub fn trace(&self, batch: &Batch) -> Result<Trace, ModelError> {
        let mut state = self.start_state(batch, batch.position_count())?;
        self.embed(batch, &mut state, &mut ());
        let mut before = Vec::with_capacity(self.layers.len());
        for layer in 0..self.layers.len() {
            before.push(state.residual.clone());
            self.run_layer(layer, &mut state, &mut ());
        }
        Ok(Trace { prompts: batch.prompt_count(), positions: batch.position_count(), before })
    }

    /// The logits after the last position, computed again from a layer on: what stands before it is as it
    /// was traced. Hooks of earlier layers are not come by.
    ///
    /// # Errors
    /// [`ModelError::Size`] for a layer that there is not.
    pub fn resume(&self, trace: &Trace, layer: usize, hooks: &mut dyn Hooks) -> Result<Vec<f32>, ModelError> {
        let before = trace.before.get(layer).ok_or_else(|| {
            let allowed = format!("0 to {}", trace.before.len().saturating_sub(1));
            ModelError::size("layer", layer, allowed)
        })?;
        let mut state = self.allocate_state(trace.prompts, trace.positions, trace.positions);
        state.positions = trace.positions;
        state.residual.clone_from(before);
        for layer in layer..self.layers.len() {
            self.run_layer(layer, &mut state, hooks);
        }
        Ok(self.compute_logits(&state, true, hooks))
    }

    /// The residual stream after a layer, or any other activation a hook takes, without what comes after:
    /// prompts × positions × d_model.
    ///
    /// # Errors
    /// As [`Model::logits`]; [`ModelError::Size`] for a layer that there is not.
    pub fn residual_after(&self, batch: &Batch, layer: usize, hooks: &mut dyn Hooks) -> Result<Vec<f32>, ModelError> {
        if layer >= self.layers.len() {
            let allowed = format!("0 to {}", self.layers.len().saturating_sub(1));
            return Err(ModelError::size("layer", layer, allowed));
        }
        let mut state = self.start_state(batch, batch.position_count())?;
        self.embed(batch, &mut state, hooks);
        for layer in 0..=layer {
            self.run_layer(layer, &mut state, hooks);
        }
        Ok(state.residual)
    }

    fn run_layers(&self, batch: &Batch, hooks: &mut dyn Hooks) -> Result<PassState, ModelError> {
        let mut state = self.start_state(batch, batch.position_count())?;
        self.embed(batch, &mut state, hooks);
        for layer in 0..self.layers.len() {
            self.run_layer(layer, &mut state, hooks);
        }
        Ok(state)
    }

    /// Checks prompts, and makes room for their positions and for more.
    pub(super) fn start_state(&self, batch: &Batch, capacity: usize) -> Result<PassState, ModelError> {
        if capacity > self.config.context {
            let allowed = format!("1 to {}", self.config.context);
            return Err(ModelError::size("positions", capacity, allowed));
        }
        let known = |token: &u32| (*token as usize) < self.config.vocabulary;
        if let Some(at) = batch.tokens().iter().position(|token| !known(token)) {
            return Err(ModelError::Token {
                prompt: at / batch.position_count(),
                position: at % batch.position_count(),
                found: batch.tokens()[at],
                last: self.config.vocabulary.saturating_sub(1),
            });
        }
        Ok(self.allocate_state(batch.prompt_count(), batch.position_count(), capacity))
    }

    /// Room for prompts; where more positions come than the first ones, also for what these leave behind.
    fn allocate_state(&self, prompts: usize, positions: usize, capacity: usize) -> PassState {
        let layers = if capacity > positions {
            vec![KvCache::new(&self.config, prompts, capacity); self.layers.len()]
        } else {
            Vec::new()
        };
        PassState { prompts, past: 0, layers, residual: Vec::new(), positions: 0 }
    }

    /// The residual stream of further tokens; those before are done.
    pub(super) fn embed(&self, batch: &Batch, state: &mut PassState, hooks: &mut dyn Hooks) {
        let width = self.config.d_model;
        state.past += state.positions;
        state.positions = batch.position_count();
        state.residual.clear();
        for token in batch.tokens() {
            let at = *token as usize * width;
            state.residual.extend_from_slice(&self.embed[at..at + width]);
        }
        call_hook(hooks, Hook::Embed, &mut state.residual, (state.prompts, state.past, state.positions), 1);
        let from = state.past * width;
        let rows = &self.positions[from..from + state.positions * width];
        if hooks.wants(Hook::PosEmbed) {
            let mut all = rows.repeat(state.prompts);
            call_hook(hooks, Hook::PosEmbed, &mut all, (state.prompts, state.past, state.positions), 1);
            state.residual.iter_mut().zip(&all).for_each(|(x, position)| *x += position);
        } else {
            for prompt in state.residual.chunks_exact_mut(rows.len()) {
                prompt.iter_mut().zip(rows).for_each(|(x, position)| *x += position);
            }
        }
    }

    pub(super) fn run_layer(&self, at: usize, state: &mut PassState, hooks: &mut dyn Hooks) {
        /// Rows that stay in a core's nearest cache from a layer's begin to its end.
        const ROWS_AT_ONCE: usize = 64;
        let (prompts, past, positions) = (state.prompts, state.past, state.positions);
        let shape = (prompts, past, positions);
        call_hook(hooks, Hook::Block(at, Site::ResidPre), &mut state.residual, shape, 1);
        // A hook sees all prompts at once.
        let [_, between @ .., _] = Site::MODEL_SITES;
        let seen = between.iter().any(|site| hooks.wants(Hook::Block(at, *site)));
        let some = if seen { prompts } else { (ROWS_AT_ONCE / positions).clamp(1, prompts) };
        let further = state.layers.get_mut(at);
        let mut buffers = LayerBuffers::default();
        if further.is_none() {
            buffers.looked = KvCache::new(&self.config, some, positions);
        }
        let mut further = further;
        let size = positions * self.config.d_model;
        for (part, x) in state.residual.chunks_mut(some * size).enumerate() {
            let shape = QkvShape::new(&self.config, x.len() / size, past, positions);
            let from = part * some;
            self.run_layer_on_prompts(at, x, shape, (further.as_deref_mut(), from), &mut buffers, hooks);
        }
        call_hook(hooks, Hook::Block(at, Site::ResidPost), &mut state.residual, shape, 1);
    }

    /// From a layer's begin to its end, in place of the residual stream of some prompts. Keys and values go
    /// to those of all prompts, from a prompt on, where there are further positions to look at them.
    fn run_layer_on_prompts(
        &self,
        at: usize,
        x: &mut [f32],
        shape: QkvShape,
        (further, from): (Option<&mut KvCache>, usize),
        LayerBuffers { first, second, looked }: &mut LayerBuffers,
        hooks: &mut dyn Hooks,
    ) {
        let layer = &self.layers[at];
        let rows = (shape.prompts, shape.past_positions, shape.positions);
        let hook = |site| Hook::Block(at, site);
        layer.ln1.apply(x, first);
        call_hook(hooks, hook(Site::Ln1Normalized), first, rows, 1);
        layer.qkv.apply(first, second);
        for (part, site) in [Site::Q, Site::K, Site::V].into_iter().enumerate() {
            call_qkv_hook(hooks, hook(site), second, part, shape);
        }
        let (looked, from) = further.map_or((looked, 0), |further| (further, from));
        looked.append(from, second, shape);
        first.resize(x.len() / self.config.d_model * shape.heads_width(), 0.0);
        if hooks.wants(hook(Site::Pattern)) {
            let mut patterns = looked.attention_patterns(second, shape);
            call_hook(hooks, hook(Site::Pattern), &mut patterns, rows, shape.heads);
            looked.apply_patterns(&patterns, shape, first);
        } else {
            looked.attend(from, second, shape, first);
        }
        call_hook(hooks, hook(Site::Z), first, rows, shape.heads);
        layer.attn_out.apply(first, second);
        call_hook(hooks, hook(Site::AttnOut), second, rows, 1);
        x.iter_mut().zip(&*second).for_each(|(x, added)| *x += added);
        call_hook(hooks, hook(Site::ResidMid), x, rows, 1);
        layer.ln2.apply(x, first);
        call_hook(hooks, hook(Site::Ln2Normalized), first, rows, 1);
        layer.mlp_in.apply(first, second);
        call_hook(hooks, hook(Site::MlpPre), second, rows, 1);
        self.config.activation.apply(second);
        call_hook(hooks, hook(Site::MlpPost), second, rows, 1);
        layer.mlp_out.apply(second, first);
        call_hook(hooks, hook(Site::MlpOut), first, rows, 1);
        x.iter_mut().zip(&*first).for_each(|(x, added)| *x += added);
    }

    /// Logits after every position, or after the last of each prompt.
    pub(super) fn compute_logits(&self, state: &PassState, last: bool, hooks: &mut dyn Hooks) -> Vec<f32> {
        let width = self.config.d_model;
        let (mut normal, mut logits) = (Vec::new(), Vec::new());
        let all = !last || hooks.wants(Hook::LnFinal);
        let ends = |rows: &[f32]| last_position_rows(rows, state.positions, width);
        if all {
            self.ln_final.apply(&state.residual, &mut normal);
            let shape = (state.prompts, state.past, state.positions);
            call_hook(hooks, Hook::LnFinal, &mut normal, shape, 1);
            if last {
                normal = ends(&normal);
            }
        } else {
            self.ln_final.apply(&ends(&state.residual), &mut normal);
        }
        self.unembed.apply(&normal, &mut logits);
        logits
    }
}

/// Calls whoever wants to be called.
pub(super) fn call_hook(
    hooks: &mut dyn Hooks,
    hook: Hook,
    values: &mut [f32],
    (prompts, first, positions): (usize, usize, usize),
    heads: usize,
) {
    if hooks.wants(hook) {
        let width = values.len() / (prompts * positions * heads).max(1);
        hooks.on_activation(
            hook,
            &mut HookedActivation { values, prompts, first_position: first, positions, heads, width },
        );
    }
}

/// Calls whoever wants to be called with the queries, the keys or the values that stand side by side.
fn call_qkv_hook(hooks: &mut dyn Hooks, hook: Hook, qkv: &mut [f32], part: usize, shape: QkvShape) {
    if !hooks.wants(hook) {
        return;
    }
    let width = shape.heads_width();
    let from = part * width;
    let mut own: Vec<f32> = Vec::with_capacity(qkv.len() / 3);
    for row in qkv.chunks_exact(3 * width) {
        own.extend_from_slice(&row[from..from + width]);
    }
    call_hook(hooks, hook, &mut own, (shape.prompts, shape.past_positions, shape.positions), shape.heads);
    for (row, own) in qkv.chunks_exact_mut(3 * width).zip(own.chunks_exact(width)) {
        row[from..from + width].copy_from_slice(own);
    }
}
