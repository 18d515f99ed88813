//! Where rows come from, and how large the autoencoders on them are.

use super::ground::{Ground, structureless};
use super::toys::{self, Toy};
use crate::lab::audit::{Job, Preset, World};
use crate::linalg::{column_means, deviations};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::weight_lens;
use crate::papers::measurement::validation::features::{
    KEPT, LATENTS, ROWS, Spoken, WORDS, planted,
};
use crate::sae::train::{Family, TrainConfig};
use crate::statistics::MetricError;
use crate::synthetic::language::{CONTEXT, Grammar, Token, VOCABULARY};
use crate::synthetic::synth_sae_bench::{SynthRows, SynthSaeBench, SynthSpec};
use crate::synthetic::{self, Network, Readout, Sample, Truth};
use crate::toy_model;
use crate::toy_model::stream::residual_after;
use crate::{Matrix, NumpyRng};

/// Texts of the residual stream that are measured: 2,015 positions.
const MEASURED: usize = 65;
/// Seeds of rows of SynthSAEBench are so far from those of its models.
const SYNTH_ROWS: u32 = 60_000;
/// Seeds of a job's data are so far apart.
const APART: u32 = 1_000;

/// Rows to measure, and to train on.
pub(super) struct Place {
    pub ground: Ground,
    pub training: Matrix,
}

/// What a job's subjects are made from.
pub(super) struct Setting {
    /// The rows themselves.
    pub place: Place,
    /// Rows without structure.
    pub structureless: Place,
    /// Other rows of the same kind.
    pub samples: Vec<Ground>,
    /// The reference's training.
    pub config: TrainConfig,
}

/// How many other samples, and other seeds of metrics' own, a preset has.
pub(super) const fn again(preset: Preset) -> u32 {
    match preset {
        Preset::Small => 2,
        Preset::Full => 4,
    }
}

/// Held-out texts that are passed through a model again for each concept of a subject.
pub(super) const fn held(preset: Preset) -> usize {
    match preset {
        Preset::Small => 6,
        Preset::Full => 16,
    }
}

/// The model of a job's rows, where there are several.
pub(super) fn place(job: Job) -> Result<String, MeasurementError> {
    Ok(match job.world {
        World::Toys => toys::of_seed(job.seed)?.name.to_owned(),
        _ => String::new(),
    })
}

/// All of a job.
pub(super) fn drawn(job: Job) -> Result<Setting, MeasurementError> {
    let mut setting = of_world(job)?;
    // The reference code has 200.
    let cycles = match job.preset {
        Preset::Small => 40,
        Preset::Full => 200,
    };
    let grounds = [&mut setting.place.ground, &mut setting.structureless.ground];
    grounds.into_iter().chain(&mut setting.samples).for_each(|ground| ground.cycles = cycles);
    Ok(setting)
}

fn of_world(job: Job) -> Result<Setting, MeasurementError> {
    match job.world {
        World::Stream0 => streams(job, toys::LAST, 0),
        World::Stream2 => streams(job, toys::LAST, 2),
        World::Toys => streams(job, toys::of_seed(job.seed)?, toy_model::LAYER),
        World::Layer => layer(job),
        World::Superposition => superposition(job),
        World::Synth => synth(job),
        // Nothing else is of decompositions.
        _ => streams(job, toys::LAST, toy_model::LAYER),
    }
}

fn config(job: Job, latents: usize, k: usize, [small, full]: [u32; 2]) -> TrainConfig {
    let steps = match job.preset {
        Preset::Small => small,
        Preset::Full => full,
    };
    TrainConfig { latents, k, steps, seed: job.seed, ..TrainConfig::of(Family::TopK) }
}

/// Seeds of the rows: the job's own first, then those of its samples.
fn seeds(job: Job) -> impl Iterator<Item = u32> {
    (0..=again(job.preset)).map(move |sample| job.seed + APART * sample)
}

fn superposition(job: Job) -> Result<Setting, MeasurementError> {
    let of = |data: u32| -> Result<Ground, MeasurementError> {
        let world = synthetic::World::Superposition(planted(job.seed, data));
        let Sample { activations, readout, truth, .. } = world.sample(ROWS)?;
        let mut ground = Ground::of(job.world, job.seed, activations);
        if let Some(truth) = &truth {
            let spoken = Spoken::of(&truth.directions, &truth.magnitudes, job.seed)?;
            ground.words = spoken.words;
            ground.listed = WORDS;
            ground.unembed = Some(spoken.unembed);
            ground.embedded = Some(spoken.embedded);
        }
        Ok(Ground { readout, truth, ..ground })
    };
    planted_rows(job, of, config(job, LATENTS, KEPT, [400, 1_500]))
}

fn synth(job: Job) -> Result<Setting, MeasurementError> {
    let bench = SynthSaeBench::drawn(&SynthSpec::small(job.seed));
    let of = |data: u32| -> Result<Ground, MeasurementError> {
        let SynthRows { activations, hidden } =
            bench.sample(ROWS, &mut NumpyRng::new(SYNTH_ROWS + data));
        let truth = Truth { directions: bench.directions.clone(), magnitudes: activations };
        let readout = Some(Readout::Identity);
        Ok(Ground { readout, truth: Some(truth), ..Ground::of(job.world, job.seed, hidden) })
    };
    planted_rows(job, of, config(job, 48, 3, [400, 1_500]))
}

fn layer(job: Job) -> Result<Setting, MeasurementError> {
    let of = |data: u32| -> Result<Ground, MeasurementError> {
        let network = Network { seed: 42 + job.seed, data_seed: 1 + data };
        let Sample { activations, readout, circuit, .. } =
            synthetic::World::Paper(network).sample(ROWS)?;
        Ok(Ground { readout, circuit, ..Ground::of(job.world, job.seed, activations) })
    };
    planted_rows(job, of, config(job, 128, 8, [200, 1_500]))
}

/// Of rows that are drawn from a planted world: they are measured where they are trained on.
fn planted_rows(
    job: Job,
    of: impl Fn(u32) -> Result<Ground, MeasurementError>,
    config: TrainConfig,
) -> Result<Setting, MeasurementError> {
    let mut all = seeds(job).map(of);
    let Some(ground) = all.next().transpose()? else {
        return Err(MetricError::Empty { what: "samples" }.into());
    };
    let mut rng = NumpyRng::new(6_000 + job.seed);
    let rows = structureless(&ground.rows, &mut rng)?;
    // Words and planted magnitudes stay: they have nothing to do with these rows.
    let other = Ground { rows: rows.clone(), ..ground.clone() };
    Ok(Setting {
        samples: all.collect::<Result<_, _>>()?,
        place: Place { training: ground.rows.clone(), ground },
        structureless: Place { training: rows, ground: other },
        config,
    })
}

fn streams(job: Job, toy: Toy, layer: usize) -> Result<Setting, MeasurementError> {
    let Toy { name: trained, untrained, grammar } = toy;
    let count = match job.preset {
        Preset::Small => 200,
        Preset::Full => 600,
    };
    let mut seeds = seeds(job).map(|seed| 20_000 + seed);
    let first = seeds.next().unwrap_or_default();
    let drawn = grammar.texts(first, count);
    let mut place = stream(job, (trained, layer, grammar), &drawn, None)?;
    place.ground.texts_seed = first;
    let scale = place.ground.scale;
    let samples = seeds.map(|seed| {
        let drawn = grammar.texts(seed, MEASURED);
        let ground = stream(job, (trained, layer, grammar), &drawn, Some(scale))?.ground;
        Ok(Ground { texts_seed: seed, ..ground })
    });
    let samples = samples.collect::<Result<_, MeasurementError>>()?;
    let mut structureless = stream(job, (untrained, layer, grammar), &drawn, None)?;
    structureless.ground.texts_seed = first;
    Ok(Setting { place, structureless, samples, config: config(job, 256, 8, [200, 1_500]) })
}

/// The residual stream of texts, of which the first are measured, brought to a mean square deviation of 1 unless a
/// scale is given.
fn stream(
    job: Job,
    (checkpoint, layer, grammar): (&'static str, usize, Grammar),
    drawn: &[Vec<Token>],
    scale: Option<f64>,
) -> Result<Place, MeasurementError> {
    let model = toy_model::model(checkpoint)?;
    let width = model.config().d_model;
    let wide = |values: &[f32], width: usize| {
        Matrix::from_singles(values.len() / width.max(1), width, values.iter().copied())
    };
    let rows = residual_after(&model, drawn, layer)?;
    let training = wide(&rows, width)?;
    let of_squares = || {
        let squares: f64 =
            deviations(&training, &column_means(&training)).data().iter().map(|x| x * x).sum();
        f64::sqrt((squares / training.data().len() as f64).max(f64::MIN_POSITIVE)).recip()
    };
    let scale = scale.unwrap_or_else(of_squares);

    let parameters = toy_model::parameters(checkpoint)?;
    let embed = wide(parameters.tensor("embed.W_E"), width)?;
    let unembed = wide(parameters.tensor("unembed.W_U"), VOCABULARY.len())?;
    let bias = parameters.tensor("unembed.b_U").iter().map(|value| f64::from(*value)).collect();
    let measured: Vec<Vec<Token>> = drawn.iter().take(MEASURED).cloned().collect();
    let words: Vec<Token> = measured.iter().flat_map(|text| text.iter().skip(1)).copied().collect();
    let first: Vec<u32> = (0_u32..).take(words.len()).collect();
    let ground = Ground {
        per_context: CONTEXT - 1,
        readout: Some(Readout::Affine { weights: unembed.transposed(), bias }),
        embedded: Some(embed.select_rows(&words)),
        unembed: Some(unembed),
        listed: weight_lens::TOP_K,
        language: Some((checkpoint, layer)),
        grammar,
        texts: measured,
        words,
        ..Ground::of(job.world, job.seed, training.select_rows(&first))
    };
    let mut scaled = training;
    scaled.data_mut().iter_mut().for_each(|value| *value *= scale);
    Ok(Place { ground: ground.scaled(scale)?, training: scaled })
}
