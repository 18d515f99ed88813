use serde::{Deserialize, Serialize};

use super::gradient::Workspace;
use super::{Autoencoder, DATA_VALUES_MAX, Family, INPUTS_RANGE, Loss, Parameters, TrainConfig, TrainError};
use crate::kernel::single_precision::{self, AdamStep, add_scaled, dot};
use crate::linalg::column_means;
use crate::sae::recovery::mean_max_cosine;
use crate::settings::Problems;
use crate::statistics;
use crate::{Matrix, NumpyRng};

/// How much one batch moves BatchTopK's threshold.
const THRESHOLD_LEARNING_RATE: f32 = 0.01;
/// A resampled latent's encoder row, as a share of the mean norm of the others' (Bricken et al. 2023).
const RESAMPLED_NORM_SHARE: f32 = 0.2;

/// Streams of random numbers that must not be the same.
#[derive(Clone, Copy)]
enum RngPurpose {
    Weights = 1,
    Order = 2,
    Resampling = 3,
}

/// The stream of a purpose: a seed's own and no other's, nor the world's of equal seed.
fn rng_for(seed: u32, purpose: RngPurpose, counter: u32) -> NumpyRng {
    // Rounds of SplitMix64's finaliser.
    let mix = |word: u64| {
        let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    let first = mix(u64::from(seed).wrapping_add(0x9e37_79b9_7f4a_7c15));
    let word = mix(first ^ (u64::from(counter) << 8) ^ purpose as u64);
    NumpyRng::new((word >> 32) as u32)
}

/// What a trainer says of its last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "TrainMetrics"))]
pub struct Metrics {
    /// Steps taken so far.
    pub step: u32,
    /// The last batch's loss.
    pub loss: f64,
    /// Its mean squared error over all entries.
    pub mse: f64,
    /// One less the error over the variance of all data: about R².
    pub explained: f64,
    /// Mean codes above 0 in a row.
    pub l0: f64,
    /// Latents that have not fired for `dead_after` steps.
    pub dead: usize,
    /// The loss's sparsity term.
    pub sparsity: f64,
    /// The loss's auxiliary term.
    pub auxiliary: f64,
    /// How well directions that are known are found: the mean over them of the largest |cosine| with one of the
    /// decoder's, in [0, 1]. Only where whoever trains knows them and measured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub mean_max_cosine: Option<f64>,
}

/// All that a training has come to: with the configuration and the data, its whole future.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "TrainState"))]
pub struct TrainerState {
    /// How it is trained.
    pub config: TrainConfig,
    /// Steps taken.
    pub step: u32,
    /// The autoencoder's parameters.
    pub parameters: Parameters,
    /// Adam's first moments.
    pub first: Vec<f32>,
    /// Adam's second moments.
    pub second: Vec<f32>,
    /// The step at which each latent last fired.
    pub fired: Vec<u32>,
    /// BatchTopK's and Matryoshka's threshold, once there is one.
    pub threshold: Option<f32>,
}

/// A training under way. It goes on when [`Trainer::step`] is called and rests otherwise.
#[derive(Clone, Debug)]
pub struct Trainer {
    state: TrainerState,
    /// Rows × D.
    data: Vec<f32>,
    /// Mean squared deviation of the data's entries from their columns' means.
    variance: f64,
    /// The rows' order in the epoch whose number stands beside it.
    order: Option<(u32, Vec<u32>)>,
    batch: Vec<f32>,
    gradient: Parameters,
    workspace: Workspace,
    dead: Vec<u32>,
    last: Loss,
}

impl Trainer {
    /// Begins: `activations` are N × D, N at least one batch.
    ///
    /// # Errors
    /// [`TrainError::Config`], [`TrainError::Data`], [`TrainError::TooFew`] and
    /// [`TrainError::TooLarge`].
    pub fn new(config: TrainConfig, activations: &Matrix) -> Result<Self, TrainError> {
        config.check()?;
        statistics::check_matrix("activations", activations)?;
        let (rows, inputs) = activations.shape();
        INPUTS_RANGE.check(inputs as f64).map_err(|problem| Problems(vec![problem]))?;
        if activations.data().len() > DATA_VALUES_MAX {
            return Err(TrainError::TooLarge { rows, cols: inputs });
        }
        if rows < config.batch {
            return Err(TrainError::TooFew { rows, batch: config.batch });
        }
        let means = column_means(activations);
        let deviations = statistics::total_sum_of_squares(activations, &means);
        let b_dec: Vec<f32> = means.iter().map(|mean| *mean as f32).collect();
        let mut rng = rng_for(config.seed, RngPurpose::Weights, 0);
        let parameters =
            Parameters::random_init(config.family, config.latents, &b_dec, config.threshold as f32, &mut rng);
        let zeros = vec![0.0; parameters.values().len()];
        Ok(Self {
            gradient: parameters.clone(),
            state: TrainerState {
                step: 0,
                first: zeros.clone(),
                second: zeros,
                fired: vec![0; config.latents],
                threshold: None,
                parameters,
                config,
            },
            data: activations.data().iter().map(|value| *value as f32).collect(),
            variance: deviations / activations.data().len() as f64,
            order: None,
            batch: Vec::new(),
            workspace: Workspace::default(),
            dead: Vec::new(),
            last: Loss::default(),
        })
    }

    /// Goes on from a saved state; the data must be those it began with, which is not checked.
    ///
    /// # Errors
    /// As [`Trainer::new`], and [`TrainError::State`].
    pub fn resume(state: TrainerState, activations: &Matrix) -> Result<Self, TrainError> {
        let mut trainer = Self::new(state.config.clone(), activations)?;
        let mine = &trainer.state;
        let shape = |p: &Parameters| (p.family(), p.input_width(), p.latent_count(), p.values().len());
        if shape(&state.parameters) != shape(&mine.parameters) {
            return Err(TrainError::State { what: "the parameters' shape" });
        }
        if state.first.len() != mine.first.len()
            || state.second.len() != mine.second.len()
            || state.fired.len() != mine.fired.len()
            || state.fired.iter().any(|fired| *fired > state.step)
        {
            return Err(TrainError::State { what: "the optimiser's state" });
        }
        let numbers = [state.parameters.values(), &state.first, &state.second];
        if numbers.iter().any(|values| values.iter().any(|value| !value.is_finite()))
            || state.second.iter().any(|value| *value < 0.0)
        {
            return Err(TrainError::State { what: "a value that is not finite" });
        }
        trainer.state = state;
        trainer.find_dead_latents();
        Ok(trainer)
    }

    /// Takes `steps` steps and says how it stands after them; 0 steps say it again.
    ///
    /// # Errors
    /// [`TrainError::Diverged`].
    pub fn step(&mut self, steps: u32) -> Result<Metrics, TrainError> {
        for _ in 0..steps {
            self.one_step()?;
        }
        Ok(self.metrics())
    }

    /// How the last step left it.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        let Loss { total, mse, sparsity, auxiliary, l0 } = self.last;
        let explained = if self.variance > 0.0 { 1.0 - mse / self.variance } else { 0.0 };
        let dead = self.dead.len();
        Metrics {
            step: self.state.step,
            loss: total,
            mse,
            explained,
            l0,
            dead,
            sparsity,
            auxiliary,
            mean_max_cosine: None,
        }
    }

    /// The same, with how well the directions that were planted (G × D) are found, where they are known.
    ///
    /// # Errors
    /// As [`mean_max_cosine`].
    pub fn metrics_with_recovery(&self, planted: Option<&Matrix>) -> Result<Metrics, TrainError> {
        let decoder = || self.autoencoder().decoder();
        let found = planted.map(|planted| mean_max_cosine(&decoder(), planted)).transpose()?;
        Ok(Metrics { mean_max_cosine: found, ..self.metrics() })
    }

    /// What there is to save.
    #[must_use]
    pub fn state(&self) -> &TrainerState {
        &self.state
    }

    /// How it is trained.
    #[must_use]
    pub fn config(&self) -> &TrainConfig {
        &self.state.config
    }

    /// The parameters as they are.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.state.parameters
    }

    /// Puts other parameters in their place; moments and counters stay.
    ///
    /// # Errors
    /// [`TrainError::State`] when their shape is another.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), TrainError> {
        let shape = |p: &Parameters| (p.family(), p.input_width(), p.latent_count(), p.values().len());
        if shape(&parameters) != shape(&self.state.parameters) {
            return Err(TrainError::State { what: "the parameters' shape" });
        }
        self.state.parameters = parameters;
        Ok(())
    }

    /// The autoencoder as it is.
    #[must_use]
    pub fn autoencoder(&self) -> Autoencoder {
        Autoencoder::from_parameters(&self.state.config, &self.state.parameters, self.state.threshold)
    }

    fn one_step(&mut self) -> Result<(), TrainError> {
        self.gather_batch();
        let Self { state, workspace, gradient, batch, dead, .. } = self;
        let TrainerState { config, parameters, .. } = state;
        let auxiliary = config.family.has_k() && config.aux_k > 0 && config.aux > 0.0;
        let spare: &[u32] = if auxiliary { dead } else { &[] };
        let sparsity = config.sparsity_after(state.step);
        self.last = workspace.run(config, parameters, sparsity, batch, spare, gradient);
        if !self.last.total.is_finite() {
            return Err(TrainError::Diverged { step: state.step });
        }
        let rate = config.rate_after(state.step);
        state.step += 1;
        if config.unit_norm {
            project_gradient(parameters, gradient);
        }
        let step = AdamStep::at_step(rate, (config.beta1, config.beta2), config.eps, state.step);
        let moments = (&mut state.first, &mut state.second);
        single_precision::adam(parameters.values_mut(), gradient.values(), moments.0, moments.1, &step);
        if config.unit_norm {
            parameters.normalise_decoder();
        }
        self.record_fired();
        self.find_dead_latents();
        self.resample_dead_latents();
        Ok(())
    }

    /// The rows of the next batch. Each epoch has its own order; what is left of it after whole
    /// batches is left out.
    fn gather_batch(&mut self) {
        let TrainerState { config, step, parameters, .. } = &self.state;
        let d = parameters.input_width();
        let rows = self.data.len() / d;
        let batches = (rows / config.batch) as u32;
        let (epoch, at) = (step / batches, (step % batches) as usize);
        if self.order.as_ref().is_none_or(|(of, _)| *of != epoch) {
            let order = rng_for(config.seed, RngPurpose::Order, epoch).permutation(rows as u32);
            self.order = Some((epoch, order));
        }
        self.batch.clear();
        if let Some((_, order)) = &self.order {
            for &row in &order[at * config.batch..(at + 1) * config.batch] {
                self.batch.extend_from_slice(&self.data[row as usize * d..][..d]);
            }
        }
    }

    fn record_fired(&mut self) {
        let state = &mut self.state;
        let mut least = f32::INFINITY;
        for &(latent, value) in self.workspace.codes.entries() {
            if value > 0.0 {
                state.fired[latent as usize] = state.step;
                least = if value < least { value } else { least };
            }
        }
        if state.config.family.uses_batch_top_k() && least < f32::INFINITY {
            let old = state.threshold.unwrap_or(least);
            state.threshold = Some(old + THRESHOLD_LEARNING_RATE * (least - old));
        }
    }

    fn find_dead_latents(&mut self) {
        let TrainerState { config, step, fired, .. } = &self.state;
        self.dead.clear();
        let latents = (0u32..).zip(fired);
        self.dead.extend(latents.filter(|(_, fired)| step - **fired >= config.dead_after).map(|(at, _)| at));
    }

    /// ReLU and Gated: latents that have not fired since the last resampling begin anew, in the
    /// directions of rows drawn from the last batch by the squares of their losses.
    fn resample_dead_latents(&mut self) {
        let TrainerState { config, step, fired, parameters, first, second, .. } = &mut self.state;
        let every = config.resample_every;
        let resamples = matches!(config.family, Family::Relu | Family::Gated);
        if !resamples || every == 0 || *step % every != 0 || *step > config.steps / 2 {
            return;
        }
        let d = parameters.input_width();
        let dead: Vec<usize> = (0..config.latents).filter(|latent| *step - fired[*latent] >= every).collect();
        let norms = parameters.encoder().chunks_exact(d).map(|row| f32::sqrt(dot(row, row)));
        let alive: Vec<f32> =
            norms.zip(fired.iter()).filter(|(_, fired)| *step - **fired < every).map(|(norm, _)| norm).collect();
        let mean = if alive.is_empty() { 1.0 } else { alive.iter().sum::<f32>() / alive.len() as f32 };
        let mut ends: Vec<f64> = Vec::with_capacity(self.workspace.row_errors.len());
        let mut total = 0.0;
        for error in &self.workspace.row_errors {
            total += f64::from(*error) * f64::from(*error);
            ends.push(total);
        }
        let mut rng = rng_for(config.seed, RngPurpose::Resampling, *step);
        for latent in dead {
            let drawn = rng.random_sample() * total;
            let row = ends.partition_point(|end| *end <= drawn).min(ends.len() - 1);
            let x = &self.workspace.centred[row * d..(row + 1) * d];
            let norm = f32::sqrt(dot(x, x));
            if norm > 0.0 {
                for place in parameters.indices_of_latent(latent) {
                    parameters.values_mut()[place] = 0.0;
                    (first[place], second[place]) = (0.0, 0.0);
                }
                let (encoder, decoder) = parameters.matrices_mut();
                add_scaled(&mut decoder[latent * d..][..d], 1.0 / norm, x);
                add_scaled(&mut encoder[latent * d..][..d], RESAMPLED_NORM_SHARE * mean / norm, x);
            }
            fired[latent] = *step;
        }
    }
}

/// Takes out of the decoder's gradient what would only lengthen or shorten its (unit) rows.
fn project_gradient(parameters: &Parameters, gradient: &mut Parameters) {
    let d = parameters.input_width();
    let rows = parameters.decoder().chunks_exact(d);
    for (row, gradient) in rows.zip(gradient.decoder_mut().chunks_exact_mut(d)) {
        let along = dot(row, gradient);
        add_scaled(gradient, -along, row);
    }
}
