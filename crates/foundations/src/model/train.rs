mod attribution;
mod edge_gradients;

use std::ops::Range;

pub use attribution::neuron_attributions;
pub(super) use edge_gradients::logit_difference_gradients;

use super::attention::{KvCache, QkvShape};
use super::config::Activation;
use super::parameters::{LayerRanges, TensorRanges};
use super::{Config, ModelError, Parameters};
use crate::kernel::single_precision::{self, AdamStep, WeightPanels};
use crate::synthetic::language::{Text, Token};

/// Texts to learn from: each token but the first is to be told from those before it.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingBatch {
    /// Texts × (length − 1) tokens that are read.
    read: Vec<Token>,
    /// The token after each.
    told: Vec<Token>,
    /// How much each counts.
    weights: Vec<f32>,
    texts: usize,
}

impl TrainingBatch {
    /// Texts of one length; what is determined by what stands before counts `answer` times as much.
    ///
    /// # Errors
    /// [`ModelError::Size`] without a text of at least two tokens, [`ModelError::Ragged`].
    pub fn new(texts: &[Text], answer: f32) -> Result<Self, ModelError> {
        let length = texts.first().map_or(0, |text| text.tokens.len());
        if length < 2 {
            return Err(ModelError::size("tokens of a text", length, "at least 2"));
        }
        let mut lesson = Self { read: Vec::new(), told: Vec::new(), weights: Vec::new(), texts: texts.len() };
        for (prompt, text) in texts.iter().enumerate() {
            if text.tokens.len() != length {
                return Err(ModelError::Ragged { prompt, found: text.tokens.len(), allowed: length });
            }
            lesson.read.extend(&text.tokens[..length - 1]);
            lesson.told.extend(&text.tokens[1..]);
            let weight = |at| if text.answer_positions.contains(&at) { answer } else { 1.0 };
            lesson.weights.extend((1..length).map(weight));
        }
        Ok(lesson)
    }

    /// Texts.
    #[must_use]
    pub fn text_count(&self) -> usize {
        self.texts
    }

    /// The tokens that are read, text by text, those that are told after each, and how much each counts.
    #[must_use]
    pub fn inputs_targets_weights(&self) -> (&[Token], &[Token], &[f32]) {
        (&self.read, &self.told, &self.weights)
    }

    /// Tokens that are told.
    #[must_use]
    pub fn target_count(&self) -> usize {
        self.told.len()
    }

    /// It in parts of so many texts, the last of what is left.
    fn split_into_parts(&self, texts: usize) -> impl Iterator<Item = BatchPart<'_>> {
        let positions = self.read.len() / self.texts;
        let total = self.weights.iter().map(|weight| f64::from(*weight)).sum();
        let tokens = texts * positions;
        let parts = self.read.chunks(tokens).zip(self.told.chunks(tokens));
        parts.zip(self.weights.chunks(tokens)).map(move |((read, told), weights)| {
            let texts = read.len() / positions;
            BatchPart { read, told, weights, texts, total }
        })
    }

    fn check(&self, config: &Config) -> Result<(), ModelError> {
        let positions = self.read.len() / self.texts;
        if positions > config.context {
            let allowed = format!("1 to {}", config.context);
            return Err(ModelError::size("positions", positions, allowed));
        }
        let known = |token: &Token| (*token as usize) < config.vocabulary;
        for tokens in [&self.read, &self.told] {
            if let Some(at) = tokens.iter().position(|token| !known(token)) {
                return Err(ModelError::Token {
                    prompt: at / positions,
                    position: at % positions,
                    found: tokens[at],
                    last: config.vocabulary.saturating_sub(1),
                });
            }
        }
        Ok(())
    }
}

/// The loss of a lesson, and how it changes with every parameter.
///
/// # Formula
/// Σ w·(−ln softmax(logits)\[told\]) / Σ w over all tokens told, with its gradient by backpropagation.
///
/// # Errors
/// [`ModelError::Size`] beyond the context, [`ModelError::Token`].
pub fn loss_and_gradient(parameters: &Parameters, lesson: &TrainingBatch) -> Result<(f64, Vec<f32>), ModelError> {
    lesson.check(parameters.config())?;
    let places = TensorRanges::for_config(parameters.config());
    let mut gradient = vec![0.0; places.len()];
    let pass = Pass { config: parameters.config(), places: &places, all: parameters.values() };
    let loss = lesson.split_into_parts(TEXTS_PER_PART).map(|part| pass.run(&part, &mut gradient)).sum();
    Ok((loss, gradient))
}

/// Texts that go forth and back together: so few that what is remembered of them stays in the cache.
const TEXTS_PER_PART: usize = 8;

/// Some texts of a lesson.
struct BatchPart<'a> {
    read: &'a [Token],
    told: &'a [Token],
    weights: &'a [f32],
    texts: usize,
    /// Σ w of the whole lesson.
    total: f64,
}

/// How a step is made of a gradient: AdamW behind a bound on the gradient's length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamW {
    /// β₁.
    pub beta1: f64,
    /// β₂.
    pub beta2: f64,
    /// ε.
    pub epsilon: f64,
    /// Decay of the weights, times the rate, apart from the gradient.
    pub weight_decay: f64,
    /// Longest gradient; a longer one is made as long.
    pub gradient_norm_max: f64,
}

impl Default for AdamW {
    /// As the toy model was trained.
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.98, epsilon: 1e-8, weight_decay: 0.01, gradient_norm_max: 1.0 }
    }
}

/// A model in training.
#[derive(Clone, Debug)]
pub struct Training {
    parameters: Parameters,
    optimizer: AdamW,
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Training {
    /// Begins with these weights.
    #[must_use]
    pub fn new(parameters: Parameters, optimizer: AdamW) -> Self {
        let zeros = vec![0.0; parameters.values().len()];
        Self { parameters, optimizer, means: zeros.clone(), squares: zeros, steps: 0 }
    }

    /// The weights as they are now.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// All that a training is: weights, both of its running means, and how many steps it has taken, as numbers to be
    /// kept and [`resume`](Self::resume)d.
    #[must_use]
    pub fn state(&self) -> (Vec<f32>, u32) {
        let parts = [self.parameters.values(), &self.means, &self.squares];
        (parts.concat(), self.steps.unsigned_abs())
    }

    /// Goes on from what [`state`](Self::state) gave; nothing where it is of a model of other sizes.
    #[must_use]
    pub fn resume(mut self, numbers: &[f32], steps: u32) -> Option<Self> {
        let count = self.means.len();
        if numbers.len() != 3 * count || numbers.iter().any(|number| !number.is_finite()) {
            return None;
        }
        self.parameters.values_mut().copy_from_slice(&numbers[..count]);
        self.means.copy_from_slice(&numbers[count..2 * count]);
        self.squares.copy_from_slice(&numbers[2 * count..]);
        self.steps = i32::try_from(steps).ok()?;
        Some(self)
    }

    /// One step at a learning rate; gives the loss before it.
    ///
    /// # Errors
    /// As [`loss_and_gradient`].
    pub fn step(&mut self, lesson: &TrainingBatch, rate: f64) -> Result<f64, ModelError> {
        let (loss, mut gradient) = loss_and_gradient(&self.parameters, lesson)?;
        let AdamW { beta1, beta2, epsilon, weight_decay: decay, gradient_norm_max: longest } = self.optimizer;
        let length = f64::sqrt(gradient.iter().map(|g| f64::from(*g) * f64::from(*g)).sum());
        if length > longest {
            let scale = (longest / length) as f32;
            gradient.iter_mut().for_each(|g| *g *= scale);
        }
        self.steps += 1;
        let kept = (1.0 - rate * decay) as f32;
        let step = AdamStep::at_step(rate, (beta1, beta2), epsilon, self.steps);
        let values = self.parameters.values_mut();
        values.iter_mut().for_each(|value| *value *= kept);
        single_precision::adam(values, &gradient, &mut self.means, &mut self.squares, &step);
        Ok(loss)
    }
}

/// One pass forth and back.
struct Pass<'a> {
    config: &'a Config,
    places: &'a TensorRanges,
    all: &'a [f32],
}

/// What a layer must remember until the way back.
struct LayerCache {
    ln1: NormCache,
    /// Queries, keys and values side by side.
    qkv: Vec<f32>,
    /// Texts × heads × positions × positions.
    pattern: Vec<f32>,
    z: Vec<f32>,
    ln2: NormCache,
    pre: Vec<f32>,
    post: Vec<f32>,
}

/// A LayerNorm's output, and what it was made of.
struct NormCache {
    /// (x − mean) over the standard deviation.
    hat: Vec<f32>,
    /// One over the standard deviation, of each row.
    scale: Vec<f32>,
    out: Vec<f32>,
}

impl Pass<'_> {
    fn values_of(&self, range: &Range<usize>) -> &[f32] {
        &self.all[range.clone()]
    }

    fn run(&self, lesson: &BatchPart<'_>, gradient: &mut [f32]) -> f64 {
        let positions = lesson.read.len() / lesson.texts;
        let width = self.config.d_model;
        let mut x = self.embed(lesson.read, positions);
        let shape = (lesson.texts, positions);
        let layers = self.places.layers.iter();
        let kept: Vec<LayerCache> = layers.map(|layer| self.forward_layer(layer, &mut x, shape)).collect();
        let last = self.layer_norm(&x, &self.places.ln_final);
        let logits = self.logits(&last.out);
        let (loss, d_logits) = cross_entropy(logits, lesson, self.config.vocabulary);

        let d_normal = self.logits_backward(&last.out, &d_logits, gradient);
        let mut d_x = self.layer_norm_backward(&last, &d_normal, &self.places.ln_final, gradient);
        for (layer, kept) in self.places.layers.iter().zip(&kept).rev() {
            self.backward_layer(layer, kept, &mut d_x, shape, gradient);
        }
        for (at, (token, d_x)) in lesson.read.iter().zip(d_x.chunks_exact(width)).enumerate() {
            let token = self.places.embed.start + *token as usize * width;
            let place = self.places.position_embedding.start + at % positions * width;
            single_precision::add_scaled(&mut gradient[token..token + width], 1.0, d_x);
            single_precision::add_scaled(&mut gradient[place..place + width], 1.0, d_x);
        }
        loss
    }

    /// The residual stream before the first layer.
    fn embed(&self, read: &[Token], positions: usize) -> Vec<f32> {
        let width = self.config.d_model;
        let mut x = Vec::with_capacity(read.len() * width);
        let (embed, place) = (self.values_of(&self.places.embed), self.values_of(&self.places.position_embedding));
        for (at, token) in read.iter().enumerate() {
            let token = &embed[*token as usize * width..][..width];
            let place = &place[at % positions * width..][..width];
            x.extend(token.iter().zip(place).map(|(token, place)| token + place));
        }
        x
    }

    fn logits(&self, normal: &[f32]) -> Vec<f32> {
        let vocabulary = self.config.vocabulary;
        if self.config.tied {
            let embed = self.values_of(&self.places.embed);
            return affine_transposed(normal, embed, self.config.d_model, &vec![0.0; vocabulary]);
        }
        let [weight, bias] = &self.places.unembed;
        affine(normal, self.values_of(weight), self.values_of(bias))
    }

    fn logits_backward(&self, normal: &[f32], d: &[f32], gradient: &mut [f32]) -> Vec<f32> {
        if self.config.tied {
            // The transpose of W_E: its rows are the columns.
            let width = self.config.d_model;
            let by_token = sum_outer_products(d, normal, self.config.vocabulary, width);
            add_in_place(&mut gradient[self.places.embed.clone()], &by_token);
            return affine(d, self.values_of(&self.places.embed), &vec![0.0; width]);
        }
        self.linear_backward(&self.places.unembed, normal, d, gradient)
    }

    /// What a layer's neurons add to the stream: their normalised input, and what they compute before and after
    /// their activation.
    fn compute_neurons(&self, layer: &LayerRanges, x: &mut [f32]) -> (NormCache, Vec<f32>, Vec<f32>) {
        let ln2 = self.layer_norm(x, &layer.ln2);
        let [weight, bias] = &layer.mlp_in;
        let pre = affine(&ln2.out, self.values_of(weight), self.values_of(bias));
        let mut post = pre.clone();
        self.config.activation.apply(&mut post);
        let [weight, bias] = &layer.mlp_out;
        add_in_place(x, &affine(&post, self.values_of(weight), self.values_of(bias)));
        (ln2, pre, post)
    }

    fn forward_layer(&self, layer: &LayerRanges, x: &mut [f32], (texts, positions): (usize, usize)) -> LayerCache {
        let ln1 = self.layer_norm(x, &layer.ln1);
        let (weight, bias) = self.joined_qkv(layer);
        let qkv = affine(&ln1.out, &weight, &bias);
        let shape = QkvShape::new(self.config, texts, 0, positions);
        let mut looked = KvCache::new(self.config, texts, positions);
        looked.append(0, &qkv, shape);
        let pattern = looked.attention_patterns(&qkv, shape);
        let mut z = vec![0.0; texts * positions * shape.heads_width()];
        looked.apply_patterns(&pattern, shape, &mut z);
        let [weight, bias] = &layer.attn_out;
        add_in_place(x, &affine(&z, self.values_of(weight), self.values_of(bias)));
        let (ln2, pre, post) = self.compute_neurons(layer, x);
        LayerCache { ln1, qkv, pattern, z, ln2, pre, post }
    }

    /// Where the blocks of queries, keys and values of all heads stand: W (d_model × d_head) and b of each.
    fn qkv_ranges(&self, layer: &LayerRanges) -> Vec<[Range<usize>; 2]> {
        let d_head = self.config.d_head;
        let size = self.config.d_model * d_head;
        let part =
            |range: &Range<usize>, head: usize, size: usize| range.start + head * size..range.start + (head + 1) * size;
        let heads = layer.qkv.iter().flat_map(|places| (0..self.config.heads).map(move |head| (places, head)));
        heads.map(|([weight, bias], head)| [part(weight, head, size), part(bias, head, d_head)]).collect()
    }

    /// W (d_model × 3 · heads · d_head) and b of queries, keys and values side by side.
    fn joined_qkv(&self, layer: &LayerRanges) -> (Vec<f32>, Vec<f32>) {
        let Config { d_model, d_head, .. } = *self.config;
        let blocks = self.qkv_ranges(layer);
        let mut weights = Vec::with_capacity(blocks.len() * d_model * d_head);
        for row in 0..d_model {
            for [weight, _] in &blocks {
                weights.extend_from_slice(&self.values_of(weight)[row * d_head..][..d_head]);
            }
        }
        let bias = blocks.iter().flat_map(|[_, bias]| self.values_of(bias)).copied().collect();
        (weights, bias)
    }

    /// From how the loss changes with a layer's output to how it changes with its input.
    fn backward_layer(
        &self,
        layer: &LayerRanges,
        kept: &LayerCache,
        d_x: &mut [f32],
        (texts, positions): (usize, usize),
        gradient: &mut [f32],
    ) {
        let d_head = self.config.d_head;
        let mut d_neurons = self.linear_backward(&layer.mlp_out, &kept.post, d_x, gradient);
        self.config.activation.backward(&kept.pre, &mut d_neurons);
        let d_normal = self.linear_backward(&layer.mlp_in, &kept.ln2.out, &d_neurons, gradient);
        add_in_place(d_x, &self.layer_norm_backward(&kept.ln2, &d_normal, &layer.ln2, gradient));

        let d_z = self.linear_backward(&layer.attn_out, &kept.z, d_x, gradient);
        let d_qkv = self.attention_backward(kept, &d_z, texts, positions);
        let (weight, bias) = self.joined_qkv(layer);
        let back = LinearGradient::new(&kept.ln1.out, &d_qkv, &weight, bias.len());
        for (at, [weight, bias]) in self.qkv_ranges(layer).into_iter().enumerate() {
            let rows = back.weight.chunks_exact(back.bias.len());
            let own = gradient[weight].chunks_exact_mut(d_head);
            own.zip(rows).for_each(|(own, row)| add_in_place(own, &row[at * d_head..][..d_head]));
            add_in_place(&mut gradient[bias], &back.bias[at * d_head..][..d_head]);
        }
        let d_normal = back.x;
        add_in_place(d_x, &self.layer_norm_backward(&kept.ln1, &d_normal, &layer.ln1, gradient));
    }

    fn attention_backward(&self, kept: &LayerCache, d_z: &[f32], texts: usize, positions: usize) -> Vec<f32> {
        let Config { heads, d_head, .. } = *self.config;
        let width = heads * d_head;
        let scale = 1.0 / f32::sqrt(d_head as f32);
        let mut d_qkv = vec![0.0; kept.qkv.len()];
        let mut d_weights = vec![0.0; positions];
        for text in 0..texts {
            let rows = text * positions * 3 * width..(text + 1) * positions * 3 * width;
            let (rows, d_rows) = (&kept.qkv[rows.clone()], &mut d_qkv[rows]);
            for head in 0..heads {
                let at = |position: usize, part: usize| {
                    let from = position * 3 * width + part * width + head * d_head;
                    from..from + d_head
                };
                for position in 0..positions {
                    let from = ((text * heads + head) * positions + position) * positions;
                    let weights = &kept.pattern[from..from + position + 1];
                    let d_z = &d_z[(text * positions + position) * width + head * d_head..][..d_head];
                    let mut common = 0.0;
                    for (other, (weight, d)) in weights.iter().zip(&mut d_weights).enumerate() {
                        *d = single_precision::dot(d_z, &rows[at(other, 2)]);
                        common += weight * *d;
                        single_precision::add_scaled(&mut d_rows[at(other, 2)], *weight, d_z);
                    }
                    for (other, (weight, d)) in weights.iter().zip(&d_weights).enumerate() {
                        let d = scale * weight * (d - common);
                        single_precision::add_scaled(&mut d_rows[at(position, 0)], d, &rows[at(other, 1)]);
                        single_precision::add_scaled(&mut d_rows[at(other, 1)], d, &rows[at(position, 0)]);
                    }
                }
            }
        }
        d_qkv
    }

    fn layer_norm(&self, x: &[f32], [weight, bias]: &[Range<usize>; 2]) -> NormCache {
        let (weight, bias) = (self.values_of(weight), self.values_of(bias));
        let width = weight.len();
        let mut hat = x.to_vec();
        let mut scales = Vec::with_capacity(x.len() / width);
        let mut out = Vec::with_capacity(x.len());
        for row in hat.chunks_exact_mut(width) {
            scales.push(single_precision::standardize(row, self.config.epsilon));
            out.extend(row.iter().zip(weight).zip(bias).map(|((x, w), b)| x * w + b));
        }
        NormCache { hat, scale: scales, out }
    }

    fn layer_norm_backward(
        &self,
        normal: &NormCache,
        d: &[f32],
        [weight, bias]: &[Range<usize>; 2],
        gradient: &mut [f32],
    ) -> Vec<f32> {
        let weights = self.values_of(weight);
        let width = weights.len();
        let mut d_x = Vec::with_capacity(d.len());
        let mut scaled = vec![0.0; width];
        let rows = normal.hat.chunks_exact(width).zip(&normal.scale);
        for (d, (hat, scale)) in d.chunks_exact(width).zip(rows) {
            let by_weight = gradient[weight.clone()].iter_mut().zip(d.iter().zip(hat));
            by_weight.for_each(|(gradient, (d, hat))| *gradient += d * hat);
            single_precision::add_scaled(&mut gradient[bias.clone()], 1.0, d);
            scaled.iter_mut().zip(d.iter().zip(weights)).for_each(|(s, (d, w))| *s = d * w);
            let mean = scaled.iter().sum::<f32>() / width as f32;
            let along = single_precision::dot(&scaled, hat) / width as f32;
            d_x.extend(scaled.iter().zip(hat).map(|(s, hat)| scale * (s - mean - hat * along)));
        }
        d_x
    }

    /// Adds to the gradient of W and b of x·W + b; gives how the loss changes with x.
    fn linear_backward(
        &self,
        [weight, bias]: &[Range<usize>; 2],
        x: &[f32],
        d: &[f32],
        gradient: &mut [f32],
    ) -> Vec<f32> {
        let back = LinearGradient::new(x, d, self.values_of(weight), bias.len());
        add_in_place(&mut gradient[weight.clone()], &back.weight);
        add_in_place(&mut gradient[bias.clone()], &back.bias);
        back.x
    }
}

/// How the loss changes with what x·W + b is made of.
struct LinearGradient {
    weight: Vec<f32>,
    bias: Vec<f32>,
    x: Vec<f32>,
}

impl LinearGradient {
    /// Of how it changes with x·W + b, for W of `cols` columns.
    fn new(x: &[f32], d: &[f32], weight: &[f32], cols: usize) -> Self {
        let depth = weight.len() / cols;
        let mut bias = vec![0.0; cols];
        d.chunks_exact(cols).for_each(|d| add_in_place(&mut bias, d));
        Self { weight: sum_outer_products(x, d, depth, cols), bias, x: linear_backward_input(d, weight, cols) }
    }
}

impl Activation {
    /// Turns how the loss changes with neurons into how it changes with what they are made of.
    fn backward(self, pre: &[f32], d: &mut [f32]) {
        let each = d.iter_mut().zip(pre);
        match self {
            Self::Relu => each.for_each(|(d, pre)| *d = if *pre > 0.0 { *d } else { 0.0 }),
            Self::GeluTanh => each.for_each(|(d, pre)| *d *= super::config::gelu_derivative(*pre)),
        }
    }
}

/// From how the loss changes with x·W + b, for W of `cols` columns, to how it changes with x.
fn linear_backward_input(d: &[f32], weight: &[f32], cols: usize) -> Vec<f32> {
    affine_transposed(d, weight, cols, &vec![0.0; weight.len() / cols])
}

fn add_in_place(to: &mut [f32], more: &[f32]) {
    single_precision::add_scaled(to, 1.0, more);
}

/// x·W + b for a row-major W (depth × columns).
fn affine(x: &[f32], weight: &[f32], bias: &[f32]) -> Vec<f32> {
    let mut panels = WeightPanels::default();
    panels.fill_transposed(weight, bias.len());
    let mut out = vec![0.0; x.len() / panels.depth() * bias.len()];
    single_precision::affine(x, &panels, bias, &mut out);
    out
}

/// x·Wᵀ + b for a row-major W (columns × depth).
fn affine_transposed(x: &[f32], weight: &[f32], depth: usize, bias: &[f32]) -> Vec<f32> {
    let mut panels = WeightPanels::default();
    panels.fill(weight, depth);
    let mut out = vec![0.0; x.len() / depth * bias.len()];
    single_precision::affine(x, &panels, bias, &mut out);
    out
}

/// xᵀ·d, `rows` × `cols`, summed from the first row of both to the last.
fn sum_outer_products(x: &[f32], d: &[f32], rows: usize, cols: usize) -> Vec<f32> {
    let count = x.len() / rows;
    let mut transposed = vec![0.0; x.len()];
    for (at, row) in x.chunks_exact(rows).enumerate() {
        for (col, value) in row.iter().enumerate() {
            transposed[col * count + at] = *value;
        }
    }
    affine(&transposed, d, &vec![0.0; cols])
}

/// A part's share of the loss, and how the loss changes with the logits.
fn cross_entropy(mut logits: Vec<f32>, lesson: &BatchPart<'_>, vocabulary: usize) -> (f64, Vec<f32>) {
    let total = lesson.total;
    let mut loss = 0.0;
    let told = lesson.told.iter().zip(lesson.weights);
    for (row, (told, weight)) in logits.chunks_exact_mut(vocabulary).zip(told) {
        let most = row.iter().fold(f32::NEG_INFINITY, |most, logit| most.max(*logit));
        let own = f64::from(row[*told as usize]) - f64::from(most);
        row.iter_mut().for_each(|logit| *logit -= most);
        single_precision::exp(row);
        let sum: f64 = row.iter().map(|power| f64::from(*power)).sum();
        loss += f64::from(*weight) * (libm::log(sum) - own);
        let share = (f64::from(*weight) / total) as f32;
        let scale = (f64::from(share) / sum) as f32;
        row.iter_mut().for_each(|probability| *probability *= scale);
        row[*told as usize] -= share;
    }
    (loss / total, logits)
}
