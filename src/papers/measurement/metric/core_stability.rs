//! M09: whether an autoencoder's most important features stay the same as it is trained again and again.

use serde::Serialize;

use super::directions::row_range;
use super::top_k::{jaccard, top_k_indices};
use super::{DecompositionError, Formula, MetricDescription, PassConditions, quantities, table};
use crate::linalg::{product, subtract_mean};
use crate::sae;
use crate::sae::train::{Family, Parameters, STEPS_MAX, TrainConfig, Trainer};
use crate::settings::Range;
use crate::statistics::{self, MetricError};
use crate::{Matrix, NumpyRng};

/// What is said about it. The table reads the text's share, `core_fraction_all_cycles`.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "m09",
    name: "core stability",
    source: "Martin-Linares & Ling (2025), arXiv:2512.24975",
    criteria: &["M1"],
    establishes: "which features come back when the others are resampled and trained again",
    leaves_open: "whether those that come back can be understood, do anything, or are true",
    passes: PassConditions { document: &[], code: &[] },
    table: table! {
        "core_fraction_all_cycles" > 0.05 => "a part of the features that is worth speaking of comes back";
        "core_fraction_all_cycles" < 0.01 => "next to nothing comes back: the weights drawn first decide";
        "mean_overlap" > STABLE_OVERLAP_MIN => "the core settles";
        "mean_overlap" < 0.5 => "the core drifts from cycle to cycle";
    },
    formula: Formula {
        document: "Mean Jaccard index of the cores of successive cycles. A core is the tenth of the features with \
                   the largest mean|h| · mean|∂x̂/∂W_enc|; the others are drawn anew and trained again.",
        code: "The same without resampling: the new weights go to a copy.",
    },
    summary: ["report only"; 2],
    takes: &["sae", "n_cycles", "steps", "checkpoint"],
};

/// Overlap from which a core counts as stable.
pub const STABLE_OVERLAP_MIN: f64 = 0.8;
/// Share of the features that a core holds.
pub const CORE_SHARE: f64 = 0.1;

/// What becomes of cores.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoreStability {
    /// Jaccard indices of each cycle's core with the next one's; 0 of two empty ones.
    pub overlaps: Vec<f64>,
    /// Their mean, 0 without any. The core after the last cycle is not among them.
    pub mean_overlap: f64,
    /// Whether the mean reaches the threshold, as the code has it.
    pub is_stable_code_ge: bool,
    /// Whether it exceeds the threshold, as the text has it.
    pub is_stable_document_gt: bool,
    /// Features of both the last cycle's core and the final one, over all features. No more than a core's share.
    pub core_fraction_code: f64,
    /// Features of every cycle's core and the final one, over all features: the text's "after all cycles".
    pub core_fraction_all_cycles: f64,
}

quantities! {
    CoreStability: mean_overlap, core_fraction_code, core_fraction_all_cycles,
}

/// Compares the cores of cycles, and the core after the last.
///
/// # Formula
/// |A ∩ B|/|A ∪ B| of consecutive cores; |core(last) ∩ core(final)|/F and |⋂ cores ∩ core(final)|/F, 0 without
/// features. Without a cycle both are |core(final)|/F.
///
/// Source: Measurement Theory, M09 (arXiv:2512.24975); the code's reading by `115_core_stability.py`.
///
/// # Errors
/// [`MetricError::Index`] for a feature that there is not; a threshold outside 0 to 1.
pub fn core_stability(
    cores: &[Vec<usize>],
    last: &[usize],
    features: usize,
    threshold: f64,
) -> Result<CoreStability, DecompositionError> {
    Range::real("stability_threshold", 0.0, 1.0).check(threshold)?;
    let sorted = |core: &[usize]| -> Result<Vec<usize>, MetricError> {
        if let Some(&index) = core.iter().find(|index| **index >= features) {
            return Err(MetricError::Index { what: "feature", index, len: features });
        }
        let mut core = core.to_vec();
        core.sort_unstable();
        core.dedup();
        Ok(core)
    };
    let cores: Vec<Vec<usize>> = cores.iter().map(|core| sorted(core)).collect::<Result<_, _>>()?;
    let last = sorted(last)?;
    let pairs = cores.iter().zip(cores.iter().skip(1));
    let overlaps: Vec<f64> = pairs.map(|(a, b)| jaccard(a, b).unwrap_or(0.0)).collect();
    let mean_overlap = overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64;
    let within = |cores: &[Vec<usize>]| {
        let everywhere = |index: &&usize| cores.iter().all(|core| core.binary_search(index).is_ok());
        last.iter().filter(everywhere).count() as f64 / features.max(1) as f64
    };
    Ok(CoreStability {
        mean_overlap,
        is_stable_code_ge: mean_overlap >= threshold,
        is_stable_document_gt: mean_overlap > threshold,
        core_fraction_code: within(cores.last().map_or(&[], std::slice::from_ref)),
        core_fraction_all_cycles: within(&cores),
        overlaps,
    })
}

/// An autoencoder's weights in double precision: x̂ = h·W_dec + b_dec with h = max(0, (x − b_dec)·W_encᵀ + b_enc).
#[derive(Clone, Debug, PartialEq)]
pub struct AutoencoderWeights {
    /// W_enc: F × D.
    pub encoder: Matrix,
    /// b_enc: F.
    pub encoder_bias: Vec<f64>,
    /// W_dec: F × D.
    pub decoder: Matrix,
    /// b_dec: D.
    pub decoder_bias: Vec<f64>,
    /// How many of a row's largest h are kept; all where there is none.
    pub top_k: Option<usize>,
}

impl AutoencoderWeights {
    /// Of a trained autoencoder without thresholds.
    #[must_use]
    pub fn from_parameters(parameters: &Parameters, kept: Option<usize>) -> Self {
        let sae::Weights { encoder, encoder_bias, decoder, decoder_bias, .. } =
            sae::Weights::from_parameters(parameters, kept);
        Self { encoder, encoder_bias, decoder, decoder_bias, top_k: kept }
    }
}

/// How important each feature is for the reconstruction of rows x (N × D): F numbers from 0 on.
///
/// # Formula
/// mean |h| over the rows, times the mean over a feature's D entries of |∂L/∂W_enc|, where L is the mean of (x − x̂)²
/// over all entries, without the sparsity term.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`].
pub fn feature_importance(x: &Matrix, weights: &AutoencoderWeights) -> Result<Vec<f64>, MetricError> {
    let AutoencoderWeights { encoder, encoder_bias, decoder, decoder_bias, top_k: kept } = weights;
    statistics::check_matrix("activations", x)?;
    statistics::check_matrix("the encoder", encoder)?;
    statistics::check_matrix("the decoder", decoder)?;
    let shape = encoder.shape();
    statistics::check_shape("the decoder", decoder, shape)?;
    statistics::check_shape("activations", x, (x.rows(), shape.1))?;
    for (what, found, wanted) in
        [("the encoder's biases", encoder_bias.len(), shape.0), ("the decoder's biases", decoder_bias.len(), shape.1)]
    {
        if found != wanted {
            return Err(MetricError::Shape { what, found: (1, found), wanted: (1, wanted) });
        }
    }
    let mut centred = x.clone();
    for row in centred.data_mut().chunks_exact_mut(shape.1) {
        row.iter_mut().zip(decoder_bias).for_each(|(x, bias)| *x -= bias);
    }
    let mut h = product(&centred, &encoder.transposed());
    for row in h.data_mut().chunks_exact_mut(shape.0) {
        row.iter_mut().zip(encoder_bias).for_each(|(h, bias)| *h = (*h + bias).max(0.0));
        if let Some(kept) = kept {
            let chosen = top_k_indices(*kept, row.iter().copied());
            for (feature, h) in row.iter_mut().enumerate() {
                if chosen.binary_search(&feature).is_err() {
                    *h = 0.0;
                }
            }
        }
    }
    // x̂ − x, which is h·W_dec less the centred row.
    let mut errors = product(&h, decoder);
    errors.data_mut().iter_mut().zip(centred.data()).for_each(|(error, x)| *error -= x);
    let factor = 2.0 / x.data().len() as f64;
    let mut by_code = product(&errors, &decoder.transposed());
    for (by_code, h) in by_code.data_mut().iter_mut().zip(h.data()) {
        *by_code = if *h > 0.0 { *by_code * factor } else { 0.0 };
    }
    let gradient = product(&by_code.transposed(), &centred);
    let codes = h.transposed();
    let each = codes.iter_rows().zip(gradient.iter_rows()).map(|(h, gradient)| {
        let mean = |values: &[f64]| values.iter().map(|x| x.abs()).sum::<f64>() / values.len() as f64;
        mean(h) * mean(gradient)
    });
    Ok(each.collect())
}

/// The most important features, ascending: a share of them rounded down, one at least; of equal ones the first.
///
/// # Errors
/// [`MetricError::Empty`] without a feature; a share outside 0 to 1.
pub fn select_core(importance: &[f64], share: f64) -> Result<Vec<usize>, DecompositionError> {
    Range::real("top_share", 0.0, 1.0).check(share)?;
    if importance.is_empty() {
        return Err(MetricError::Empty { what: "importance" }.into());
    }
    let wanted = (share * importance.len() as f64).floor() as usize;
    Ok(top_k_indices(wanted.max(1), importance.iter().copied()))
}

/// How cycles are run. The defaults are the reference code's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CycleSettings {
    /// Features F, from 1 to 4,096.
    pub features: usize,
    /// How often a core is kept and the rest resampled, from 1 to 100.
    pub cycles: usize,
    /// Steps of training before the first core, and after each.
    pub steps: u32,
    /// Rows of a batch.
    pub batch: usize,
    /// Adam's learning rate.
    pub rate: f64,
    /// What multiplies the mean of |h| over all entries in the loss.
    pub l1: f64,
    /// Share of the features in a core.
    pub top_share: f64,
    /// Most rows that importance is taken of, the first.
    pub rows: usize,
    /// Overlap from which a core counts as stable.
    pub stability_threshold: f64,
    /// Seed of first weights and of the rows' order.
    pub seed: u32,
}

impl Default for CycleSettings {
    fn default() -> Self {
        Self {
            features: 256,
            cycles: 3,
            steps: 200,
            batch: 64,
            rate: 3e-4,
            l1: 1e-3,
            top_share: CORE_SHARE,
            rows: 512,
            stability_threshold: STABLE_OVERLAP_MIN,
            seed: 0,
        }
    }
}

/// What cycles came to in one reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CyclesResult {
    /// The core of each cycle, ascending.
    pub cores: Vec<Vec<usize>>,
    /// The core after the last cycle.
    pub last: Vec<usize>,
    /// What the cores have in common.
    #[serde(flatten)]
    pub stability: CoreStability,
    /// Features whose encoder a cycle has changed otherwise than by training, in the mean over the cycles.
    pub drawn_anew: f64,
    /// The mean squared error of the last batch.
    pub mse: f64,
}

/// Cycles in both readings, from the same first training.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoreTraining {
    /// Features outside the core are drawn anew.
    pub document: CyclesResult,
    /// Nothing is: the code writes to a copy that is thrown away.
    pub code: CyclesResult,
}

/// Rows less their mean, and of unit mean square: as the metric is trained on activations.
pub(crate) fn standardise_rows(rows: &Matrix, mean: &[f64]) -> Matrix {
    let mut rows = subtract_mean(rows, mean);
    let squares: f64 = rows.data().iter().map(|x| x * x).sum();
    let scale = f64::sqrt(squares / rows.data().len() as f64).max(f64::MIN_POSITIVE);
    rows.data_mut().iter_mut().for_each(|x| *x /= scale);
    rows
}

/// Trains an autoencoder (ReLU with an L1 term, decoder neither tied nor of unit length) on rows of activations
/// (N × D), and runs cycles: take the core, draw the rest anew, train again. Adam begins anew with each training.
///
/// Weights are drawn, at first and anew, as the reference draws them at first (Glorot and Bengio): encoder and decoder
/// uniformly within ±√(6/(D + F)), biases 0. The stream is another, so the reference's numbers cannot be had, only what
/// they say. Activations should have entries of about 1 in size.
///
/// Source: Measurement Theory, M09 (arXiv:2512.24975); that the code draws nothing anew was found by running it.
///
/// # Errors
/// [`TrainError`](crate::sae::train::TrainError) for rows fewer than a batch, numbers of the configuration that are
/// not allowed, and a training that diverges; shares and counts out of range.
pub fn core_training(activations: &Matrix, settings: &CycleSettings) -> Result<CoreTraining, DecompositionError> {
    Range::integer("n_cycles", 1, 100).check(settings.cycles as f64)?;
    Range { field: "rows", min: 1.0, max: f64::from(u32::MAX), whole: true }.check(settings.rows as f64)?;
    let config = TrainConfig {
        latents: settings.features,
        k: 1,
        sparsity: settings.l1 / settings.features.max(1) as f64,
        steps: settings.steps,
        batch: settings.batch,
        rate: settings.rate,
        decay: 0.0,
        warm_up: 0.0,
        unit_norm: false,
        dead_after: STEPS_MAX,
        aux_k: 0,
        aux: 0.0,
        resample_every: 0,
        seed: settings.seed,
        ..TrainConfig::for_family(Family::Relu)
    };
    let mut trainer = Trainer::new(config, activations)?;
    trainer.set_parameters(init_parameters(settings.seed, activations.cols(), settings.features))?;
    let mse = trainer.step(settings.steps)?.mse;
    let run = CoreRun {
        activations,
        sample: row_range(activations, 0, settings.rows.min(activations.rows())),
        settings,
        config: trainer.config().clone(),
        first: trainer.parameters().clone(),
        mse,
    };
    Ok(CoreTraining { document: run.run_cycles(true)?, code: run.run_cycles(false)? })
}

struct CoreRun<'a> {
    activations: &'a Matrix,
    sample: Matrix,
    settings: &'a CycleSettings,
    config: TrainConfig,
    /// What the first training came to.
    first: Parameters,
    mse: f64,
}

impl CoreRun<'_> {
    fn find_core(&self, parameters: &Parameters) -> Result<Vec<usize>, DecompositionError> {
        select_core(
            &feature_importance(&self.sample, &AutoencoderWeights::from_parameters(parameters, None))?,
            self.settings.top_share,
        )
    }

    fn run_cycles(&self, anew: bool) -> Result<CyclesResult, DecompositionError> {
        let mut parameters = self.first.clone();
        let (mut cores, mut mse, mut drawn) = (Vec::new(), self.mse, 0);
        let mut seed = self.settings.seed;
        for _ in 0..self.settings.cycles {
            seed = seed.wrapping_add(1);
            let kept = self.find_core(&parameters)?;
            let config = TrainConfig { seed, ..self.config.clone() };
            if anew {
                drawn += reinitialise_non_core(&mut parameters, &kept, seed);
            }
            cores.push(kept);
            // Adam, counters and the rows' order begin anew.
            let mut trainer = Trainer::new(config, self.activations)?;
            trainer.set_parameters(parameters)?;
            mse = trainer.step(self.settings.steps)?.mse;
            parameters = trainer.parameters().clone();
        }
        let last = self.find_core(&parameters)?;
        let CycleSettings { features, stability_threshold, cycles, .. } = *self.settings;
        Ok(CyclesResult {
            stability: core_stability(&cores, &last, features, stability_threshold)?,
            cores,
            last,
            drawn_anew: drawn as f64 / cycles as f64,
            mse,
        })
    }
}

/// Gives all features but those kept the weights that are first drawn with that seed; says how many.
fn reinitialise_non_core(parameters: &mut Parameters, kept: &[usize], seed: u32) -> usize {
    let width = parameters.input_width();
    let fresh = init_parameters(seed, width, parameters.latent_count());
    let rest = |feature: &usize| kept.binary_search(feature).is_err();
    let copy = |to: &mut [f32], from: &[f32], width: usize| {
        let rows = to.chunks_exact_mut(width).zip(from.chunks_exact(width)).enumerate();
        for (_, (to, from)) in rows.filter(|(feature, _)| rest(feature)) {
            to.copy_from_slice(from);
        }
    };
    copy(parameters.encoder_mut(), fresh.encoder(), width);
    copy(parameters.decoder_mut(), fresh.decoder(), width);
    copy(parameters.b_enc_mut(), fresh.b_enc(), 1);
    parameters.latent_count() - kept.len()
}

/// First weights: uniform, as Glorot and Bengio have them (2010).
fn init_parameters(seed: u32, width: usize, features: usize) -> Parameters {
    // Far from the seeds that activations are drawn with.
    let mut rng = NumpyRng::new(seed.wrapping_add(0x4d30_3900));
    let most = f64::sqrt(6.0 / (width + features) as f64);
    let mut out = Parameters::zeros(Family::Relu, width, features);
    let mut fill = |values: &mut [f32]| {
        values.iter_mut().for_each(|x| *x = ((2.0 * rng.random_sample() - 1.0) * most) as f32);
    };
    fill(out.encoder_mut());
    fill(out.decoder_mut());
    out
}
