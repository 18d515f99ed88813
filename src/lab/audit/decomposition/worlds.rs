//! Where rows come from, and how large the autoencoders on them are.

use super::ground_truth::{GroundTruth, gaussian_surrogate};
use super::trained_models::{self, ToyPair};
use crate::lab::audit::{Job, Preset, World};
use crate::linalg::{column_means, subtract_mean};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::weight_lens;
use crate::papers::measurement::validation::features::{
    K_ACTIVE, LATENT_COUNT, PlantedWords, ROW_COUNT, WORDS_PER_FEATURE, planted_superposition,
};
use crate::sae::train::{Family, TrainConfig};
use crate::statistics::MetricError;
use crate::synthetic::language::{CONTEXT_TOKENS, Grammar, Token, VOCABULARY};
use crate::synthetic::synth_sae_bench::{SynthRows, SynthSaeBench, SynthSpec};
use crate::synthetic::{self, Network, PlantedFeatures, Readout, Sample};
use crate::toy_model;
use crate::toy_model::residual_stream::residual_stream_after;
use crate::{Matrix, NumpyRng};

/// Texts of the residual stream that are measured: 2,015 positions.
const TEXTS_MEASURED: usize = 65;
/// Seeds of rows of SynthSAEBench are so far from those of its models.
const SYNTH_ROW_SEED_OFFSET: u32 = 60_000;
/// Seeds of a job's data are so far apart.
const SAMPLE_SEED_STRIDE: u32 = 1_000;

/// Rows to measure, and to train on.
pub(super) struct DataSplit {
    pub ground_truth: GroundTruth,
    pub training_rows: Matrix,
}

/// What a job's subjects are made from.
pub(super) struct JobData {
    /// The rows themselves.
    pub world_data: DataSplit,
    /// Rows without structure.
    pub structureless: DataSplit,
    /// Other rows of the same kind.
    pub samples: Vec<GroundTruth>,
    /// The reference's training.
    pub config: TrainConfig,
}

/// How many other samples, and other seeds of metrics' own, a preset has.
pub(super) const fn repeat_count(preset: Preset) -> u32 {
    match preset {
        Preset::Small => 2,
        Preset::Full => 4,
    }
}

/// Held-out texts that are passed through a model again for each concept of a subject.
pub(super) const fn held_out_text_count(preset: Preset) -> usize {
    match preset {
        Preset::Small => 6,
        Preset::Full => 16,
    }
}

/// The model of a job's rows, where there are several.
pub(super) fn model_name(job: Job) -> Result<String, MeasurementError> {
    Ok(match job.world {
        World::Toys => trained_models::toy_for_seed(job.seed)?.name.to_owned(),
        _ => String::new(),
    })
}

/// All of a job.
pub(super) fn sample_job_data(job: Job) -> Result<JobData, MeasurementError> {
    let mut setting = sample_world(job)?;
    // The reference code has 200.
    let cycles = match job.preset {
        Preset::Small => 40,
        Preset::Full => 200,
    };
    let grounds = [&mut setting.world_data.ground_truth, &mut setting.structureless.ground_truth];
    grounds.into_iter().chain(&mut setting.samples).for_each(|ground| ground.steps_per_cycle = cycles);
    Ok(setting)
}

fn sample_world(job: Job) -> Result<JobData, MeasurementError> {
    match job.world {
        World::Stream0 => sample_residual_stream(job, trained_models::FINAL_TOY, 0),
        World::Stream2 => sample_residual_stream(job, trained_models::FINAL_TOY, 2),
        World::Toys => {
            sample_residual_stream(job, trained_models::toy_for_seed(job.seed)?, toy_model::AUTOENCODER_LAYER)
        }
        World::Layer => sample_network_layer(job),
        World::Superposition => sample_superposition(job),
        World::Synth => sample_synth(job),
        // Nothing else is of decompositions.
        _ => sample_residual_stream(job, trained_models::FINAL_TOY, toy_model::AUTOENCODER_LAYER),
    }
}

fn train_config(job: Job, latents: usize, k: usize, [small, full]: [u32; 2]) -> TrainConfig {
    let steps = match job.preset {
        Preset::Small => small,
        Preset::Full => full,
    };
    TrainConfig { latents, k, steps, seed: job.seed, ..TrainConfig::for_family(Family::TopK) }
}

/// Seeds of the rows: the job's own first, then those of its samples.
fn row_seeds(job: Job) -> impl Iterator<Item = u32> {
    (0..=repeat_count(job.preset)).map(move |sample| job.seed + SAMPLE_SEED_STRIDE * sample)
}

fn sample_superposition(job: Job) -> Result<JobData, MeasurementError> {
    let of = |data: u32| -> Result<GroundTruth, MeasurementError> {
        let world = synthetic::World::Superposition(planted_superposition(job.seed, data));
        let Sample { activations, readout, truth, .. } = world.sample(ROW_COUNT)?;
        let mut ground = GroundTruth::from_rows(job.world, job.seed, activations);
        if let Some(truth) = &truth {
            let spoken = PlantedWords::from_planted(&truth.directions, &truth.magnitudes, job.seed)?;
            ground.row_words = spoken.word_by_row;
            ground.words_per_latent = WORDS_PER_FEATURE;
            ground.unembed = Some(spoken.unembed);
            ground.row_embeddings = Some(spoken.word_embeddings);
        }
        Ok(GroundTruth { readout, planted_features: truth, ..ground })
    };
    sample_planted_world(job, of, train_config(job, LATENT_COUNT, K_ACTIVE, [400, 1_500]))
}

fn sample_synth(job: Job) -> Result<JobData, MeasurementError> {
    let bench = SynthSaeBench::draw(&SynthSpec::small(job.seed));
    let of = |data: u32| -> Result<GroundTruth, MeasurementError> {
        let SynthRows { activations, hidden } =
            bench.sample(ROW_COUNT, &mut NumpyRng::new(SYNTH_ROW_SEED_OFFSET + data));
        let truth = PlantedFeatures { directions: bench.directions.clone(), magnitudes: activations };
        let readout = Some(Readout::Identity);
        Ok(GroundTruth {
            readout,
            planted_features: Some(truth),
            ..GroundTruth::from_rows(job.world, job.seed, hidden)
        })
    };
    sample_planted_world(job, of, train_config(job, 48, 3, [400, 1_500]))
}

fn sample_network_layer(job: Job) -> Result<JobData, MeasurementError> {
    let of = |data: u32| -> Result<GroundTruth, MeasurementError> {
        let network = Network { seed: 42 + job.seed, data_seed: 1 + data };
        let Sample { activations, readout, circuit, .. } = synthetic::World::Paper(network).sample(ROW_COUNT)?;
        Ok(GroundTruth {
            readout,
            circuit_directions: circuit,
            ..GroundTruth::from_rows(job.world, job.seed, activations)
        })
    };
    sample_planted_world(job, of, train_config(job, 128, 8, [200, 1_500]))
}

/// Of rows that are drawn from a planted world: they are measured where they are trained on.
fn sample_planted_world(
    job: Job,
    of: impl Fn(u32) -> Result<GroundTruth, MeasurementError>,
    config: TrainConfig,
) -> Result<JobData, MeasurementError> {
    let mut all = row_seeds(job).map(of);
    let Some(ground) = all.next().transpose()? else {
        return Err(MetricError::Empty { what: "samples" }.into());
    };
    let mut rng = NumpyRng::new(6_000 + job.seed);
    let rows = gaussian_surrogate(&ground.rows, &mut rng)?;
    // Words and planted magnitudes stay: they have nothing to do with these rows.
    let other = GroundTruth { rows: rows.clone(), ..ground.clone() };
    Ok(JobData {
        samples: all.collect::<Result<_, _>>()?,
        world_data: DataSplit { training_rows: ground.rows.clone(), ground_truth: ground },
        structureless: DataSplit { training_rows: rows, ground_truth: other },
        config,
    })
}

fn sample_residual_stream(job: Job, toy: ToyPair, layer: usize) -> Result<JobData, MeasurementError> {
    let ToyPair { name: trained, untrained, grammar } = toy;
    let count = match job.preset {
        Preset::Small => 200,
        Preset::Full => 600,
    };
    let mut seeds = row_seeds(job).map(|seed| 20_000 + seed);
    let first = seeds.next().unwrap_or_default();
    let drawn = grammar.draw_texts(first, count);
    let mut place = read_residual_stream(job, (trained, layer, grammar), &drawn, None)?;
    place.ground_truth.texts_seed = first;
    let scale = place.ground_truth.scale;
    let samples = seeds.map(|seed| {
        let drawn = grammar.draw_texts(seed, TEXTS_MEASURED);
        let ground = read_residual_stream(job, (trained, layer, grammar), &drawn, Some(scale))?.ground_truth;
        Ok(GroundTruth { texts_seed: seed, ..ground })
    });
    let samples = samples.collect::<Result<_, MeasurementError>>()?;
    let mut structureless = read_residual_stream(job, (untrained, layer, grammar), &drawn, None)?;
    structureless.ground_truth.texts_seed = first;
    Ok(JobData { world_data: place, structureless, samples, config: train_config(job, 256, 8, [200, 1_500]) })
}

/// The residual stream of texts, of which the first are measured, brought to a mean square deviation of 1 unless a
/// scale is given.
fn read_residual_stream(
    job: Job,
    (checkpoint, layer, grammar): (&'static str, usize, Grammar),
    drawn: &[Vec<Token>],
    scale: Option<f64>,
) -> Result<DataSplit, MeasurementError> {
    let model = toy_model::load_model(checkpoint)?;
    let width = model.config().d_model;
    let wide =
        |values: &[f32], width: usize| Matrix::from_f32(values.len() / width.max(1), width, values.iter().copied());
    let rows = residual_stream_after(&model, drawn, layer)?;
    let training = wide(&rows, width)?;
    let of_squares = || {
        let squares: f64 = subtract_mean(&training, &column_means(&training)).data().iter().map(|x| x * x).sum();
        f64::sqrt((squares / training.data().len() as f64).max(f64::MIN_POSITIVE)).recip()
    };
    let scale = scale.unwrap_or_else(of_squares);

    let parameters = toy_model::load_parameters(checkpoint)?;
    let embed = wide(parameters.tensor("embed.W_E"), width)?;
    let unembed = wide(parameters.tensor("unembed.W_U"), VOCABULARY.len())?;
    let bias = parameters.tensor("unembed.b_U").iter().map(|value| f64::from(*value)).collect();
    let measured: Vec<Vec<Token>> = drawn.iter().take(TEXTS_MEASURED).cloned().collect();
    let words: Vec<Token> = measured.iter().flat_map(|text| text.iter().skip(1)).copied().collect();
    let first: Vec<u32> = (0_u32..).take(words.len()).collect();
    let ground = GroundTruth {
        rows_per_context: CONTEXT_TOKENS - 1,
        readout: Some(Readout::Affine { weights: unembed.transposed(), bias }),
        row_embeddings: Some(embed.select_rows(&words)),
        unembed: Some(unembed),
        words_per_latent: weight_lens::TOP_K,
        checkpoint_layer: Some((checkpoint, layer)),
        grammar,
        texts: measured,
        row_words: words,
        ..GroundTruth::from_rows(job.world, job.seed, training.select_rows(&first))
    };
    let mut scaled = training;
    scaled.data_mut().iter_mut().for_each(|value| *value *= scale);
    Ok(DataSplit { ground_truth: ground.scale_rows(scale)?, training_rows: scaled })
}
