use serde::{Deserialize, Serialize};

use super::settings::{BATCH_ROWS, Settings};
use crate::sae::sae_lens_trainer::{Architecture, Autotuner, Recipe, SaeLensTrainer, Weights};
use crate::sae::synth_sae_bench::{ScoreAccumulator, SynthScores};
use crate::sae::train::Codes;
use crate::study::Failure;
use crate::synthetic::synth_sae_bench::{Sampler, SynthSaeBench, SynthSpec};
use crate::{Matrix, NumpyRng};

/// Rows of the evaluation's batches, among which BatchTopK chooses; the last may have fewer.
const EVALUATION_BATCH_ROWS: usize = 1_024;
/// Batches without firing after which a latent is dead. The printed recipe's 1,000 are more than a small training has to
/// spare.
const DEAD_AFTER_BATCHES: u32 = 200;
/// The autotuner's gain at every size: ten times the printed recipe's, since the usual run has 3,906 steps, a fiftieth of print's.
const L0_TUNER_GAIN: f64 = 3e-3;
/// λ of Standard, before it is tuned.
const STANDARD_L1: f64 = 2.0;
/// Rows from which JumpReLU's scale of the rows is estimated.
const SCALE_ESTIMATE_ROWS: usize = 10_000;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An architecture, trained.
    Trained(Architecture),
    /// BatchTopK before its first step: random directions.
    Untrained,
}

impl Subject {
    /// All: the architectures in print's order, then the control.
    pub const ALL: [Self; 6] = {
        let [a, b, c, d, e] = Architecture::ALL;
        [Self::Trained(a), Self::Trained(b), Self::Trained(c), Self::Trained(d), Self::Trained(e), Self::Untrained]
    };

    /// As a job's name has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Trained(Architecture::BatchTopK) => "batchtopk",
            Self::Trained(Architecture::Matryoshka) => "matryoshka",
            Self::Trained(Architecture::MatchingPursuit) => "matching-pursuit",
            Self::Trained(Architecture::Standard) => "standard",
            Self::Trained(Architecture::JumpRelu) => "jumprelu",
            Self::Untrained => "untrained",
        }
    }

    /// For people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Trained(architecture) => architecture.name_in_paper(),
            Self::Untrained => "untrained",
        }
    }

    fn architecture(self) -> Architecture {
        match self {
            Self::Trained(architecture) => architecture,
            Self::Untrained => Architecture::BatchTopK,
        }
    }
}

/// One training and its measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// What.
    pub subject: Subject,
    /// Of its weights and samples.
    pub seed: u32,
}

impl Settings {
    /// The jobs that are asked for: of each seed every subject.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let of_seed = |seed| Subject::ALL.into_iter().map(move |subject| Job { subject, seed });
        (0..self.seeds).flat_map(of_seed).collect()
    }
}

/// A job, done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "SynthJob"))]
#[serde(deny_unknown_fields)]
pub struct SynthJobResult {
    /// Its name: `batchtopk-0`.
    pub job: String,
    /// The benchmark's numbers of it.
    pub scores: SynthScores,
    /// What it took, by one thread, in seconds; 0 where nobody measured it. Not part of any digest.
    #[serde(default)]
    pub seconds: f64,
}

/// What numbers are drawn for.
#[derive(Clone, Copy)]
enum RngPurpose {
    Weights = 1,
    Training = 2,
    Scale = 3,
    Evaluation = 4,
}

impl Job {
    /// Its name: `batchtopk-0`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}-{}", self.subject.name(), self.seed)
    }

    /// The stream of a purpose. Evaluations of all jobs are on the same rows, and the untrained control begins with BatchTopK's
    /// weights; else it is no other job's.
    fn rng_for(self, settings: &Settings, purpose: RngPurpose) -> NumpyRng {
        let mut hash = crate::hash::Fnv::OFFSET_BASIS;
        hash.update(&settings.seed.to_le_bytes());
        hash.update(&[purpose as u8]);
        if !matches!(purpose, RngPurpose::Evaluation) {
            hash.update(&self.seed.to_le_bytes());
            hash.update(self.subject.architecture().name_in_paper().as_bytes());
        }
        NumpyRng::new((hash.mixed_value() >> 32) as u32)
    }

    /// How it is trained.
    #[must_use]
    pub fn recipe(self, settings: &Settings) -> Recipe {
        let (architecture, latents) = (self.subject.architecture(), settings.latents());
        let steps = settings.steps();
        let warm_up = if architecture == Architecture::Standard { steps / 3 } else { 0 };
        let tuned = matches!(architecture, Architecture::Standard | Architecture::JumpRelu);
        let widths = [32, 8, 2, 1].map(|share| (latents / share).max(1)).to_vec();
        Recipe {
            architecture,
            inputs: settings.dimensions,
            latents,
            k: settings.k,
            widths,
            rate: settings.rate,
            dead_after: DEAD_AFTER_BATCHES,
            coefficient: if architecture == Architecture::Standard { STANDARD_L1 } else { 1.0 },
            warm_up,
            bandwidth: 1.0,
            autotuner: tuned.then_some(Autotuner { target: settings.k as f64, start: warm_up, gain: L0_TUNER_GAIN }),
        }
    }

    /// Trains and measures it, telling how far it is, from 0 to 1.
    ///
    /// # Errors
    /// Where a loss or a parameter is no longer finite: `synth.diverged`.
    pub fn run(self, settings: &Settings, tell: &mut dyn FnMut(f64)) -> Result<SynthJobResult, Failure> {
        let spec = SynthSpec::benchmark(settings.features, settings.dimensions, settings.seed);
        let model = SynthSaeBench::draw(&spec);
        let recipe = self.recipe(settings);
        // As SAELens initialises each: lengths of decoder rows.
        let length = match recipe.architecture {
            Architecture::MatchingPursuit => 1.0,
            Architecture::JumpRelu => 0.5,
            _ => 0.1,
        };
        let mut rng = self.rng_for(settings, RngPurpose::Weights);
        let weights = Weights::random_init(&recipe, length, 1.0, &mut rng);
        let scale = match recipe.architecture {
            // `expected_average_only_in`: rows of an average length of √D.
            Architecture::JumpRelu => {
                let mut rows = RowSampler::new(&model, self.rng_for(settings, RngPurpose::Scale));
                let lengths = (0..SCALE_ESTIMATE_ROWS).map(|_| {
                    rows.draw();
                    f64::sqrt(crate::kernel::dot(&rows.hidden, &rows.hidden))
                });
                let mean = lengths.sum::<f64>() / SCALE_ESTIMATE_ROWS as f64;
                f64::sqrt(settings.dimensions as f64) / mean
            }
            _ => 1.0,
        };
        let mut trainer = SaeLensTrainer::new(recipe, weights);
        let steps = match self.subject {
            Subject::Untrained => 0,
            Subject::Trained(_) => settings.steps(),
        };
        let mut rows = RowSampler::new(&model, self.rng_for(settings, RngPurpose::Training));
        let mut batch = Vec::with_capacity(BATCH_ROWS * settings.dimensions);
        for step in 0..steps {
            batch.clear();
            for _ in 0..BATCH_ROWS {
                rows.draw();
                batch.extend(rows.hidden.iter().map(|value| (value * scale) as f32));
            }
            let loss = trainer.step(&batch);
            if !loss.total().is_finite() {
                let message = format!("the loss is not finite after {step} steps; a smaller rate may help");
                return Err(Failure::new("synth.diverged", &message, Some("rate")));
            }
            if step % 64 == 0 {
                tell(f64::from(step) / f64::from(steps));
            }
        }
        let scores = self.evaluate(settings, &model, &mut trainer, scale)?;
        Ok(SynthJobResult { job: self.name(), scores, seconds: 0.0 })
    }

    fn evaluate(
        self,
        settings: &Settings,
        model: &SynthSaeBench,
        trainer: &mut SaeLensTrainer,
        scale: f64,
    ) -> Result<SynthScores, Failure> {
        let d = settings.dimensions;
        let decoder = trainer.weights().decoder.iter().map(|value| f64::from(*value)).collect();
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new("synth.diverged", &format!("a parameter is not finite: {error}"), None)
        };
        let decoder = Matrix::from_vec(settings.latents(), d, decoder).map_err(|error| failed(&error))?;
        let mut scoring = ScoreAccumulator::new(&decoder, &model.directions).map_err(|error| failed(&error))?;
        let mut rows = RowSampler::new(model, self.rng_for(settings, RngPurpose::Evaluation));
        let mut left = settings.evaluated;
        let (mut codes, mut outputs) = (Codes::default(), Vec::new());
        while left > 0 {
            let count = left.min(EVALUATION_BATCH_ROWS);
            left -= count;
            let (mut batch, mut hidden, mut features) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..count {
                rows.draw();
                batch.extend(rows.hidden.iter().map(|value| (value * scale) as f32));
                hidden.extend_from_slice(&rows.hidden);
                features.push(rows.active.iter().map(|(at, _)| *at).collect::<Vec<u32>>());
            }
            trainer.encode(&batch, &mut codes, &mut outputs);
            let of_rows = hidden.chunks_exact(d).zip(outputs.chunks_exact(d));
            for (((x, out), codes), features) in of_rows.zip(codes.rows()).zip(&features) {
                let latents: Vec<u32> = codes.iter().map(|(latent, _)| *latent).collect();
                let out: Vec<f64> = out.iter().map(|value| f64::from(*value) / scale).collect();
                scoring.add_row(&latents, &out, x, features);
            }
        }
        Ok(scoring.scores())
    }
}

/// Rows of a model, one at a time.
struct RowSampler<'a> {
    sampler: Sampler<'a>,
    active: Vec<(u32, f64)>,
    hidden: Vec<f64>,
}

impl<'a> RowSampler<'a> {
    fn new(model: &'a SynthSaeBench, rng: NumpyRng) -> Self {
        let hidden = vec![0.0; model.bias.len()];
        Self { sampler: Sampler::new(model, rng), active: Vec::new(), hidden }
    }

    fn draw(&mut self) {
        self.sampler.draw(&mut self.active, &mut self.hidden);
    }
}
