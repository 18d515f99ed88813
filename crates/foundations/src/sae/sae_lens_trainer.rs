//! Autoencoders as SAELens' `SAETrainer` (6.54.12) trains them: squared errors summed over dimensions, gradients clipped to
//! norm 1, decoder rows of any length. SynthSAEBench's printed table was made by it.
//!
//! | architecture | codes | loss beyond the squared error |
//! |---|---|---|
//! | [`Architecture::Standard`] | max(0, h) | λ Σ z‖W_dec‖, λ warmed up from 0, then tuned to an L0 |
//! | [`Architecture::BatchTopK`] | the k·B largest of h‖W_dec‖ in a batch of B rows | auxiliary, of dead latents |
//! | [`Architecture::Matryoshka`] | the same | the squared errors of nested prefixes, and an auxiliary one of each |
//! | [`Architecture::MatchingPursuit`] | k steps of matching pursuit on W_dec's own rows, gradients through all of them | none |
//! | [`Architecture::JumpRelu`] | h where h > θ | λ Σ \[h > θ\], by a straight-through gradient, λ tuned to an L0 |
//!
//! h = W_enc·(x − b_dec) + b_enc. [`crate::sae::train`] has the papers' own definitions; it normalises decoder rows and divides
//! squared errors by the width.

use serde::{Deserialize, Serialize};

use super::train::{Codes, batch_top_k};
use crate::NumpyRng;
use crate::kernel::single_precision::{self, AdamStep, WeightPanels, add_scaled, affine, dot};

/// Adam's β₁, β₂ and ε.
const ADAM_BETAS_EPS: (f64, f64, f64) = (0.9, 0.999, 1e-8);
/// Gradients longer than this are shortened to it.
const GRADIENT_NORM_MAX: f64 = 1.0;
/// How much one batch moves the threshold of BatchTopK.
const THRESHOLD_LEARNING_RATE: f64 = 0.01;

/// What is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "SynthArchitecture"))]
#[serde(rename_all = "snake_case")]
pub enum Architecture {
    /// ReLU, with an L1 penalty.
    Standard,
    /// The k·B largest of a batch.
    BatchTopK,
    /// As BatchTopK, with nested prefixes.
    Matryoshka,
    /// Greedy, without an encoder.
    MatchingPursuit,
    /// Thresholds, with an L0 penalty.
    JumpRelu,
}

impl Architecture {
    /// All, in the order of the printed table.
    pub const ALL: [Self; 5] =
        [Self::BatchTopK, Self::Matryoshka, Self::MatchingPursuit, Self::Standard, Self::JumpRelu];

    /// As the printed table calls it.
    #[must_use]
    pub fn name_in_paper(self) -> &'static str {
        match self {
            Self::Standard => "Standard L1",
            Self::BatchTopK => "BatchTopK",
            Self::Matryoshka => "Matryoshka",
            Self::MatchingPursuit => "MatchPursuit",
            Self::JumpRelu => "JumpReLU",
        }
    }

    fn uses_batch_top_k(self) -> bool {
        matches!(self, Self::BatchTopK | Self::Matryoshka)
    }
}

/// Moves a sparsity coefficient until batches have so many active latents (`AutotuneL0` of the benchmark's experiments).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Autotuner {
    /// The L0 that is wanted.
    pub target: f64,
    /// The step at which it begins.
    pub start: u32,
    /// The most by which one step changes the coefficient, as a share of it.
    pub gain: f64,
}

impl Autotuner {
    /// How much less is changed while L0 goes the right way already.
    const CONVERGING_FACTOR: f64 = 0.01;
    /// L0's and its rate's exponential averages keep so much.
    const AVERAGE_DECAYS: (f64, f64) = (0.99, 0.95);
    /// Errors of this share of the target count in full.
    const FULL_ERROR_SCALE: f64 = 10.0;
    /// Bounds of the multiplier.
    const MULTIPLIER_RANGE: (f64, f64) = (0.01, 100.0);
}

/// What an [`Autotuner`] has come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutotunerState {
    /// What the coefficient is multiplied by.
    pub multiplier: f64,
    /// The average of batches' L0; none before the first.
    pub l0: Option<f64>,
    /// The average of its change from batch to batch.
    pub rate: f64,
}

impl Default for AutotunerState {
    fn default() -> Self {
        Self { multiplier: 1.0, l0: None, rate: 0.0 }
    }
}

impl AutotunerState {
    /// Takes the L0 of the batch of a step, counted from 0.
    ///
    /// # Formula
    /// s ← 0.99s + 0.01·L0, r ← 0.95r + 0.05·(change of s); from the start on, with e = s − target, the multiplier times
    /// 1 ± g·tanh(10|e|/target), with g a hundredth where e and r have opposite signs; from 0.01 to 100.
    pub fn update(&mut self, tuner: &Autotuner, step: u32, l0: f64) {
        let (keep, keep_rate) = Autotuner::AVERAGE_DECAYS;
        let smoothed = match self.l0 {
            None => l0,
            Some(before) => {
                let smoothed = keep * before + (1.0 - keep) * l0;
                self.rate = keep_rate * self.rate + (1.0 - keep_rate) * (smoothed - before);
                smoothed
            }
        };
        self.l0 = Some(smoothed);
        if step < tuner.start {
            return;
        }
        let error = smoothed - tuner.target;
        let gain = if error * self.rate < 0.0 { Autotuner::CONVERGING_FACTOR } else { 1.0 } * tuner.gain;
        let by = gain * libm::tanh(Autotuner::FULL_ERROR_SCALE * error.abs() / tuner.target);
        let moved = self.multiplier * if error > 0.0 { 1.0 + by } else { 1.0 - by };
        self.multiplier = moved.clamp(Autotuner::MULTIPLIER_RANGE.0, Autotuner::MULTIPLIER_RANGE.1);
    }
}

/// How an autoencoder is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// What is trained.
    pub architecture: Architecture,
    /// D.
    pub inputs: usize,
    /// Latents.
    pub latents: usize,
    /// Active latents of a row: on average with BatchTopK and Matryoshka, at most with matching pursuit.
    pub k: usize,
    /// Ends of Matryoshka's prefixes, ascending, the last one all latents.
    pub widths: Vec<usize>,
    /// Adam's rate.
    pub rate: f64,
    /// A latent that has not fired for more batches than this is dead.
    pub dead_after: u32,
    /// λ of Standard and JumpReLU.
    pub coefficient: f64,
    /// Steps over which λ rises from 0.
    pub warm_up: u32,
    /// JumpReLU's bandwidth.
    pub bandwidth: f32,
    /// What moves λ.
    pub autotuner: Option<Autotuner>,
}

impl Recipe {
    /// Ends of the groups of latents whose prefixes have errors of their own.
    fn prefix_ends(&self) -> Vec<usize> {
        match self.architecture {
            Architecture::Matryoshka => self.widths.clone(),
            _ => vec![self.latents],
        }
    }
}

/// A batch's loss and its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepLoss {
    /// Mean over rows of Σ(x − x̂)², with all latents.
    pub mse: f64,
    /// The same of each of Matryoshka's prefixes but the last.
    pub inner_mse: Vec<f64>,
    /// The sparsity term, λ included.
    pub sparsity: f64,
    /// The auxiliary term.
    pub auxiliary: f64,
    /// λ of this batch.
    pub coefficient: f64,
    /// Mean active latents of a row.
    pub l0: f64,
    /// Latents that were dead before it.
    pub dead: usize,
    /// The gradient's length before it is shortened.
    pub gradient_norm: f64,
}

impl StepLoss {
    /// What is minimised.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.mse + self.inner_mse.iter().sum::<f64>() + self.sparsity + self.auxiliary
    }
}

/// Parameters, one row a latent in both matrices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Latents × D.
    pub decoder: Vec<f32>,
    /// D.
    pub b_dec: Vec<f32>,
    /// Latents × D; none of matching pursuit.
    pub encoder: Vec<f32>,
    /// Latents; none of matching pursuit.
    pub b_enc: Vec<f32>,
    /// θ of JumpReLU: latents.
    pub threshold: Vec<f32>,
}

impl Weights {
    /// Where training begins: decoder rows of a length in directions drawn uniformly from a cube, the encoder equal to the
    /// decoder, biases 0, θ as given.
    #[must_use]
    pub fn random_init(recipe: &Recipe, length: f64, threshold: f32, rng: &mut NumpyRng) -> Self {
        let (d, m) = (recipe.inputs, recipe.latents);
        let mut decoder = Vec::with_capacity(d * m);
        for _ in 0..m {
            let row: Vec<f64> = (0..d).map(|_| 2.0 * rng.random_sample() - 1.0).collect();
            let norm = f64::sqrt(row.iter().map(|x| x * x).sum()).max(f64::MIN_POSITIVE);
            decoder.extend(row.iter().map(|x| (x / norm * length) as f32));
        }
        let encodes = recipe.architecture != Architecture::MatchingPursuit;
        let thresholds = if recipe.architecture == Architecture::JumpRelu { m } else { 0 };
        Self {
            encoder: if encodes { decoder.clone() } else { Vec::new() },
            b_enc: vec![0.0; if encodes { m } else { 0 }],
            decoder,
            b_dec: vec![0.0; d],
            threshold: vec![threshold; thresholds],
        }
    }

    fn zeros_like(&self) -> Self {
        let zeros = |of: &Vec<f32>| vec![0.0; of.len()];
        Self {
            decoder: zeros(&self.decoder),
            b_dec: zeros(&self.b_dec),
            encoder: zeros(&self.encoder),
            b_enc: zeros(&self.b_enc),
            threshold: zeros(&self.threshold),
        }
    }

    fn tensors(&self) -> [&Vec<f32>; 5] {
        [&self.decoder, &self.b_dec, &self.encoder, &self.b_enc, &self.threshold]
    }

    fn tensors_mut(&mut self) -> [&mut Vec<f32>; 5] {
        let Self { decoder, b_dec, encoder, b_enc, threshold } = self;
        [decoder, b_dec, encoder, b_enc, threshold]
    }
}

/// A training under way.
#[derive(Clone, Debug)]
pub struct SaeLensTrainer {
    recipe: Recipe,
    groups: Vec<usize>,
    weights: Weights,
    gradient: Weights,
    first: Weights,
    second: Weights,
    /// Batches since each latent fired.
    batches_since_fired: Vec<u32>,
    step: u32,
    tuned: AutotunerState,
    /// BatchTopK's: what codes exceed outside of training.
    topk_threshold: f64,
    buffers: Buffers,
}

#[derive(Clone, Debug, Default)]
struct Buffers {
    panels: WeightPanels,
    norms: Vec<f32>,
    /// x − b_dec: rows × D.
    centred: Vec<f32>,
    /// h: rows × latents.
    pre: Vec<f32>,
    /// h‖W_dec‖: rows × latents.
    ranked: Vec<f32>,
    codes: Codes,
    keys: Vec<u64>,
    /// Of the batch's chosen h‖W_dec‖ the least.
    least: Option<f32>,
    /// The steps of matching pursuit: (latent, value), rows × k.
    pursued: Vec<(u32, f32)>,
}

impl SaeLensTrainer {
    /// Begins with weights.
    ///
    /// # Panics
    /// When the weights are of another shape than the recipe.
    #[must_use]
    pub fn new(recipe: Recipe, weights: Weights) -> Self {
        let (d, m) = (recipe.inputs, recipe.latents);
        assert_eq!((weights.decoder.len(), weights.b_dec.len()), (d * m, d), "weights of the recipe");
        assert_eq!(weights.encoder.len(), weights.b_enc.len() * d, "an encoder's rows");
        Self {
            groups: recipe.prefix_ends(),
            gradient: weights.zeros_like(),
            first: weights.zeros_like(),
            second: weights.zeros_like(),
            batches_since_fired: vec![0; m],
            step: 0,
            tuned: AutotunerState::default(),
            topk_threshold: 0.0,
            buffers: Buffers::default(),
            weights,
            recipe,
        }
    }

    /// The parameters.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What BatchTopK's and Matryoshka's codes, times their decoder rows' lengths, exceed outside of training.
    #[must_use]
    pub fn topk_threshold(&self) -> f64 {
        self.topk_threshold
    }

    /// Codes of rows (N × D) and their reconstructions (N × D), as in training: BatchTopK chooses among all N rows.
    pub fn encode(&mut self, x: &[f32], codes: &mut Codes, outputs: &mut Vec<f32>) {
        self.compute_codes(x);
        let d = self.recipe.inputs;
        outputs.clear();
        for row in self.buffers.codes.rows() {
            let start = outputs.len();
            outputs.extend_from_slice(&self.weights.b_dec);
            for &(latent, value) in row {
                add_scaled(&mut outputs[start..], value, latent_row(&self.weights.decoder, d, latent));
            }
        }
        std::mem::swap(codes, &mut self.buffers.codes);
    }

    /// One batch (rows × D), one step.
    ///
    /// # Panics
    /// When the batch is empty or of no whole rows.
    pub fn step(&mut self, x: &[f32]) -> StepLoss {
        let (d, m) = (self.recipe.inputs, self.recipe.latents);
        assert!(!x.is_empty() && x.len().is_multiple_of(d), "whole rows");
        let rows = x.len() / d;
        for threshold in &mut self.weights.threshold {
            *threshold = threshold.max(0.0);
        }
        let dead: Vec<u32> =
            (0..m as u32).filter(|at| self.batches_since_fired[*at as usize] > self.recipe.dead_after).collect();
        let warmed = match self.recipe.warm_up {
            0 => 1.0,
            warm_up => (f64::from(self.step) / f64::from(warm_up)).min(1.0),
        };
        let coefficient = self.recipe.coefficient * warmed * self.tuned.multiplier;
        self.compute_codes(x);
        let mut loss = StepLoss { coefficient, dead: dead.len(), ..StepLoss::default() };
        let active = self.buffers.codes.entries().iter().filter(|(_, value)| *value != 0.0).count();
        loss.l0 = active as f64 / rows as f64;
        self.compute_gradient(rows, coefficient, &dead, &mut loss);
        if self.recipe.architecture.uses_batch_top_k()
            && let Some(least) = self.buffers.least
        {
            self.topk_threshold += THRESHOLD_LEARNING_RATE * (f64::from(least) - self.topk_threshold);
        }
        if let Some(tuner) = &self.recipe.autotuner {
            self.tuned.update(tuner, self.step, loss.l0);
        }
        self.batches_since_fired.iter_mut().for_each(|batches| *batches += 1);
        for (latent, value) in self.buffers.codes.entries() {
            if *value != 0.0 {
                self.batches_since_fired[*latent as usize] = 0;
            }
        }
        self.step += 1;
        self.apply_gradient(&mut loss);
        loss
    }

    /// Clips the gradient and takes Adam's step.
    fn apply_gradient(&mut self, loss: &mut StepLoss) {
        let squares = self.gradient.tensors().map(|part| f64::from(dot(part, part)));
        loss.gradient_norm = f64::sqrt(squares.iter().sum());
        // As `clip_grad_norm_`: the length and a millionth.
        let factor = (GRADIENT_NORM_MAX / (loss.gradient_norm + 1e-6)).min(1.0) as f32;
        let step =
            AdamStep::at_step(self.recipe.rate, (ADAM_BETAS_EPS.0, ADAM_BETAS_EPS.1), ADAM_BETAS_EPS.2, self.step);
        let moments = self.first.tensors_mut().into_iter().zip(self.second.tensors_mut());
        let parts = self.weights.tensors_mut().into_iter().zip(self.gradient.tensors_mut());
        for ((weights, gradient), (first, second)) in parts.zip(moments) {
            gradient.iter_mut().for_each(|value| *value *= factor);
            single_precision::adam(weights, gradient, first, second, &step);
        }
    }

    /// x − b_dec, h and the codes of a batch.
    fn compute_codes(&mut self, x: &[f32]) {
        let (d, m) = (self.recipe.inputs, self.recipe.latents);
        let rows = x.len() / d;
        let Self { recipe, weights, buffers, .. } = self;
        buffers.centred.clear();
        for row in x.chunks_exact(d) {
            buffers.centred.extend(row.iter().zip(&weights.b_dec).map(|(x, mean)| x - mean));
        }
        buffers.norms.clear();
        let lengths = weights.decoder.chunks_exact(d).map(|row| f32::sqrt(dot(row, row)));
        buffers.norms.extend(lengths);
        buffers.codes.clear();
        if recipe.architecture == Architecture::MatchingPursuit {
            buffers.run_matching_pursuit(recipe, weights);
            return;
        }
        buffers.panels.fill(&weights.encoder, d);
        buffers.pre.resize(rows * m, 0.0);
        affine(&buffers.centred, &buffers.panels, &weights.b_enc, &mut buffers.pre);
        if recipe.architecture.uses_batch_top_k() {
            let Buffers { ranked, pre, norms, keys, codes, least, .. } = buffers;
            ranked.clear();
            for pre in pre.chunks_exact(m) {
                ranked.extend(pre.iter().zip(&*norms).map(|(h, norm)| h * norm));
            }
            *least = batch_top_k((ranked, pre), m, recipe.k * rows, keys, codes);
            return;
        }
        for pre in buffers.pre.chunks_exact(m) {
            // As a step has it, whose first act is to raise θ to 0.
            let least = |at: usize| weights.threshold.get(at).copied().unwrap_or(0.0).max(0.0);
            let active = (0u32..).zip(pre).filter(|(at, h)| **h > least(*at as usize));
            active.for_each(|(at, h)| buffers.codes.push(at, *h));
            buffers.codes.end_row();
        }
    }

    /// The loss and its gradient, of the codes that were chosen.
    fn compute_gradient(&mut self, rows: usize, coefficient: f64, dead: &[u32], loss: &mut StepLoss) {
        let (d, m) = (self.recipe.inputs, self.recipe.latents);
        self.gradient.tensors_mut().into_iter().for_each(|part| part.fill(0.0));
        let Self { recipe, weights, gradient, buffers, groups, .. } = self;
        let by_row = (coefficient / rows as f64) as f32;
        let mut row = GradientAccumulator {
            recipe,
            weights,
            gradient,
            norms: &buffers.norms,
            by_latent: vec![0.0; m],
            summed: vec![0.0; m],
            groups,
            factor: 2.0 / rows as f32,
            sparsity: by_row,
            squares: vec![0.0; groups.len()],
            auxiliary: 0.0,
            penalty: 0.0,
        };
        let mut errors = vec![0.0; groups.len() * d];
        let mut other = vec![0.0; d];
        let mut spare = Vec::new();
        let pursues = recipe.architecture == Architecture::MatchingPursuit;
        let inputs = buffers.centred.chunks_exact(d).zip(buffers.codes.rows());
        for (at, (x, codes)) in inputs.enumerate() {
            row.prefix_errors(x, codes, &mut errors);
            if pursues {
                errors.iter_mut().for_each(|error| *error *= row.factor);
                let steps = &buffers.pursued[at * recipe.k..][..recipe.k];
                row.backward_pursuit(x, steps, &errors);
                continue;
            }
            let pre = &buffers.pre[at * m..][..m];
            if recipe.architecture.uses_batch_top_k() && !dead.is_empty() {
                row.backward_auxiliary(x, pre, dead, &errors, &mut other, &mut spare);
            }
            row.sum_over_prefixes(&mut errors);
            row.backward_plain(x, codes, &errors);
            if recipe.architecture == Architecture::JumpRelu {
                row.backward_thresholds(pre, &errors);
            }
        }
        row.finish_gradient();
        let each = |sum: f64| sum / rows as f64;
        let GradientAccumulator { squares, auxiliary, penalty, .. } = row;
        if let Some((last, inner)) = squares.split_last() {
            loss.mse = each(*last);
            loss.inner_mse = inner.iter().map(|sum| each(*sum)).collect();
        }
        loss.auxiliary = each(auxiliary);
        loss.sparsity = coefficient * each(penalty);
    }
}

fn latent_row(matrix: &[f32], d: usize, latent: u32) -> &[f32] {
    &matrix[latent as usize * d..][..d]
}

impl Buffers {
    /// Matching pursuit: the latent that has most in common with what is left takes it, `k` times.
    fn run_matching_pursuit(&mut self, recipe: &Recipe, weights: &Weights) {
        let (d, m) = (recipe.inputs, recipe.latents);
        let rows = self.centred.len() / d;
        self.panels.fill(&weights.decoder, d);
        let bias = vec![0.0; m];
        let mut rest = self.centred.clone();
        self.pre.resize(rows * m, 0.0);
        self.pursued.clear();
        self.pursued.resize(rows * recipe.k, (0, 0.0));
        for step in 0..recipe.k {
            affine(&rest, &self.panels, &bias, &mut self.pre);
            let left = rest.chunks_exact_mut(d).zip(self.pre.chunks_exact(m));
            for (row, (rest, scores)) in left.enumerate() {
                let best = (0u32..).zip(scores).fold(
                    (0, 0.0),
                    |best, (at, score)| {
                        if *score > best.1 { (at, *score) } else { best }
                    },
                );
                self.pursued[row * recipe.k + step] = best;
                add_scaled(rest, -best.1, latent_row(&weights.decoder, d, best.0));
            }
        }
        let mut row: Vec<(u32, f32)> = Vec::with_capacity(recipe.k);
        for steps in self.pursued.chunks_exact(recipe.k.max(1)) {
            row.clear();
            for &(latent, value) in steps.iter().filter(|(_, value)| *value != 0.0) {
                match row.iter_mut().find(|(known, _)| *known == latent) {
                    Some((_, sum)) => *sum += value,
                    None => row.push((latent, value)),
                }
            }
            row.sort_unstable_by_key(|(latent, _)| *latent);
            row.iter().for_each(|(latent, value)| self.codes.push(*latent, *value));
            self.codes.end_row();
        }
    }
}

/// What the gradients of one row after the other are added to.
struct GradientAccumulator<'a> {
    recipe: &'a Recipe,
    weights: &'a Weights,
    gradient: &'a mut Weights,
    norms: &'a [f32],
    /// The loss's gradient by each latent's W_enc·(x − b_dec), summed over rows.
    by_latent: Vec<f32>,
    /// Codes summed over rows.
    summed: Vec<f32>,
    groups: &'a [usize],
    /// 2/B.
    factor: f32,
    /// λ/B.
    sparsity: f32,
    /// Squared errors of each prefix, summed over rows.
    squares: Vec<f64>,
    auxiliary: f64,
    /// What λ multiplies, summed over rows.
    penalty: f64,
}

impl GradientAccumulator<'_> {
    fn dimensions(&self) -> usize {
        self.recipe.inputs
    }

    fn group_of(&self, latent: u32) -> usize {
        self.groups.iter().position(|end| (latent as usize) < *end).unwrap_or(0)
    }

    /// x̂ − x with the latents up to the end of each group.
    fn prefix_errors(&mut self, x: &[f32], codes: &[(u32, f32)], errors: &mut [f32]) {
        let d = self.dimensions();
        let mut rest = codes;
        for (group, &end) in self.groups.iter().enumerate() {
            let (before, error) = errors.split_at_mut(group * d);
            let error = &mut error[..d];
            match before.len().checked_sub(d) {
                Some(start) => error.copy_from_slice(&before[start..]),
                None => error.iter_mut().zip(x).for_each(|(error, x)| *error = -x),
            }
            let (mine, later) = rest.split_at(rest.partition_point(|(latent, _)| (*latent as usize) < end));
            for &(latent, value) in mine {
                add_scaled(error, value, latent_row(&self.weights.decoder, d, latent));
            }
            rest = later;
            self.squares[group] += f64::from(dot(error, error));
        }
    }

    /// Errors become gradients by x̂: each group's, of all prefixes that hold it.
    fn sum_over_prefixes(&mut self, errors: &mut [f32]) {
        let d = self.dimensions();
        for group in (1..self.groups.len()).rev() {
            let (before, after) = errors.split_at_mut(group * d);
            add_scaled(&mut before[(group - 1) * d..], 1.0, &after[..d]);
        }
        errors.iter_mut().for_each(|error| *error *= self.factor);
        add_scaled(&mut self.gradient.b_dec, 1.0, &errors[..d]);
    }

    /// Adds one latent's part of the decoder's gradient; gives that by its code.
    fn add_decoder_gradient(&mut self, latent: u32, value: f32, by_out: &[f32]) -> f32 {
        let d = self.dimensions();
        add_scaled(&mut self.gradient.decoder[latent as usize * d..][..d], value, by_out);
        dot(by_out, latent_row(&self.weights.decoder, d, latent))
    }

    /// Adds what follows from a gradient by W_enc\[latent\]·(x − b_dec) + b_enc\[latent\].
    fn add_encoder_gradient(&mut self, latent: u32, by_pre: f32, x: &[f32]) {
        let d = self.dimensions();
        add_scaled(&mut self.gradient.encoder[latent as usize * d..][..d], by_pre, x);
        self.by_latent[latent as usize] += by_pre;
    }

    fn backward_plain(&mut self, x: &[f32], codes: &[(u32, f32)], by_out: &[f32]) {
        let d = self.dimensions();
        for &(latent, value) in codes {
            let (at, start) = (latent as usize, self.group_of(latent) * d);
            let mut by_code = self.add_decoder_gradient(latent, value, &by_out[start..start + d]);
            match self.recipe.architecture {
                Architecture::Standard => {
                    by_code += self.sparsity * self.norms[at];
                    self.summed[at] += value;
                    self.penalty += f64::from(value * self.norms[at]);
                }
                Architecture::JumpRelu => self.penalty += 1.0,
                _ => {}
            }
            self.add_encoder_gradient(latent, by_code, x);
        }
    }

    /// The straight-through gradient by θ, of latents whose h is within half a bandwidth.
    fn backward_thresholds(&mut self, pre: &[f32], by_out: &[f32]) {
        let (d, bandwidth) = (self.dimensions(), self.recipe.bandwidth);
        for ((latent, h), &threshold) in (0u32..).zip(pre).zip(&self.weights.threshold) {
            if (h - threshold).abs() < 0.5 * bandwidth {
                let by_code = dot(&by_out[..d], latent_row(&self.weights.decoder, d, latent));
                self.gradient.threshold[latent as usize] -= (threshold * by_code + self.sparsity) / bandwidth;
            }
        }
    }

    /// The auxiliary loss, of each prefix for itself: its own dead latents reconstruct what it leaves over, as many as half
    /// the dimensions.
    fn backward_auxiliary(
        &mut self,
        x: &[f32],
        pre: &[f32],
        dead: &[u32],
        errors: &[f32],
        error: &mut [f32],
        spare: &mut Vec<(u32, f32)>,
    ) {
        let d = self.dimensions();
        let most = d / 2;
        let mut rest = dead;
        for (group, &end) in self.groups.iter().enumerate() {
            let (mine, later) = rest.split_at(rest.partition_point(|at| (*at as usize) < end));
            rest = later;
            if mine.is_empty() || most == 0 {
                continue;
            }
            let scale = (mine.len() as f32 / most as f32).min(1.0);
            spare.clear();
            spare.extend(mine.iter().map(|at| (*at, pre[*at as usize] * self.norms[*at as usize])));
            if most < spare.len() {
                spare.select_nth_unstable_by(most, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                spare.truncate(most);
                spare.sort_unstable_by_key(|(at, _)| *at);
            }
            error.copy_from_slice(&errors[group * d..][..d]);
            for (at, _) in spare.iter() {
                add_scaled(error, pre[*at as usize], latent_row(&self.weights.decoder, d, *at));
            }
            self.auxiliary += f64::from(scale * dot(error, error));
            let factor = scale * self.factor;
            error.iter_mut().for_each(|error| *error *= factor);
            for (at, _) in spare.iter() {
                let by_code = self.add_decoder_gradient(*at, pre[*at as usize], error);
                self.add_encoder_gradient(*at, by_code, x);
            }
        }
    }

    /// Matching pursuit: backwards through the steps, each of which took its value off what was left.
    fn backward_pursuit(&mut self, x: &[f32], steps: &[(u32, f32)], by_out: &[f32]) {
        let d = self.dimensions();
        add_scaled(&mut self.gradient.b_dec, 1.0, by_out);
        // What was left before each step.
        let mut left = vec![x.to_vec()];
        for &(latent, value) in steps {
            let mut after = left.last().cloned().unwrap_or_default();
            add_scaled(&mut after, -value, latent_row(&self.weights.decoder, d, latent));
            left.push(after);
        }
        let mut by_rest = vec![0.0; d];
        for (&(latent, value), left) in steps.iter().zip(&left).rev() {
            if value <= 0.0 {
                continue;
            }
            let direction = latent_row(&self.weights.decoder, d, latent);
            let by_value = dot(by_out, direction) - dot(&by_rest, direction);
            let row = &mut self.gradient.decoder[latent as usize * d..][..d];
            add_scaled(row, value, by_out);
            add_scaled(row, -value, &by_rest);
            add_scaled(row, by_value, left);
            add_scaled(&mut by_rest, by_value, direction);
        }
        add_scaled(&mut self.gradient.b_dec, -1.0, &by_rest);
    }

    /// What follows from the sums over the rows.
    fn finish_gradient(&mut self) {
        let d = self.dimensions();
        if !self.weights.encoder.is_empty() {
            self.gradient.b_enc.copy_from_slice(&self.by_latent);
        }
        let rows = self.weights.encoder.chunks_exact(d).zip(&self.by_latent);
        for (row, by_latent) in rows {
            add_scaled(&mut self.gradient.b_dec, -by_latent, row);
        }
        if self.recipe.architecture == Architecture::Standard {
            // λ Σ z‖W_dec‖ by W_dec.
            let parts = self.norms.iter().zip(&self.summed);
            for (latent, (norm, sum)) in (0u32..).zip(parts).filter(|(_, (norm, _))| **norm > 0.0) {
                let direction = latent_row(&self.weights.decoder, d, latent);
                let row = &mut self.gradient.decoder[latent as usize * d..][..d];
                add_scaled(row, self.sparsity * sum / norm, direction);
            }
        }
    }
}
