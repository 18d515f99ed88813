//! Families of autoencoders against each other, and against controls that should lose.
//!
//! Each method is swept over its sparsity knob, for several training seeds; every member is measured
//! on rows that it was not trained on. A member is one [`Job`], independent of all others, so that any
//! number of workers can share them: [`FamiliesConfig::jobs`] says which there are, [`Runner::run`]
//! does one, [`gather`] makes the report of all results, in whatever order they come.
//!
//! ```
//! use sfc_bench::lab::families::{FamiliesConfig, Method, Runner, gather};
//!
//! let mut config = FamiliesConfig::small();
//! config.methods = vec![Method::Svd, Method::Random];
//! let runner = Runner::new(&config)?;
//! let results = config.jobs().iter().map(|job| runner.run(job)).collect::<Result<_, _>>()?;
//! let report = gather(&config, results)?;
//! assert_eq!(report.methods.len(), 2);
//! # Ok::<(), sfc_bench::lab::families::FamiliesError>(())
//! ```

// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
mod measure;
mod measured;
pub mod query;
mod report;

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::linalg::{DictionaryError, SvdDictionary};
use crate::pareto::ParetoError;
use crate::sae::train::{Autoencoder, BATCH, Family, TrainConfig, TrainError, Trainer};
use crate::settings::{Problem, Problems, Range};
use crate::statistics::MetricError;
use crate::world::{Drawn, Given};
use crate::world::{Sample, World};
use crate::{Matrix, NumpyRng};
use measure::{Decomposition, pursuit};

pub use super::evaluate::Reading as Completeness;
pub use measure::Readings;
pub use measured::{Measured, MeasuredSeries};
pub use report::{
    Axis, CRITERION, Difference, FamiliesReport, MethodReport, PointReport, Spread, Warning,
    gather, gather_finished,
};

/// Most jobs one study may have.
pub const JOBS_MAX: usize = 10_000;
/// Most numbers that a given readout puts out of the rows measured on.
const OUTPUTS_MAX: usize = 1 << 25;
/// Rows of both kinds.
const ROWS: Range = Range::whole("rows", 2, 100_000);

/// A way to decompose activations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FamiliesMethod"))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Singular vectors, uncentred; each row's k largest codes.
    Svd,
    /// Principal components: the same of the deviations from the mean.
    Pca,
    /// An autoencoder.
    Relu,
    /// An autoencoder.
    #[serde(rename = "topk")]
    TopK,
    /// An autoencoder.
    #[serde(rename = "batch-topk")]
    BatchTopK,
    /// An autoencoder.
    #[serde(rename = "jumprelu")]
    JumpRelu,
    /// An autoencoder.
    Gated,
    /// An autoencoder.
    Matryoshka,
    /// Control: the planted directions themselves, k of them a row by orthogonal matching pursuit. What
    /// can be reached; only where features are planted.
    Oracle,
    /// Control: as many random directions as there are latents, coded likewise.
    Random,
    /// Control: a trained TopK autoencoder whose decoder's rows have been shuffled.
    Permuted,
    /// Control: a TopK autoencoder before its first step.
    Untrained,
}

/// What a method is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MethodRole"))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Needs no training.
    Baseline,
    /// Trained.
    Trained,
    /// What can be reached.
    Ceiling,
    /// Should lose.
    Control,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Svd,
        Self::Pca,
        Self::Relu,
        Self::TopK,
        Self::BatchTopK,
        Self::JumpRelu,
        Self::Gated,
        Self::Matryoshka,
        Self::Oracle,
        Self::Random,
        Self::Permuted,
        Self::Untrained,
    ];

    /// The method that trains a family.
    #[must_use]
    pub fn of(family: Family) -> Self {
        match family {
            Family::Relu => Self::Relu,
            Family::TopK => Self::TopK,
            Family::BatchTopK => Self::BatchTopK,
            Family::JumpRelu => Self::JumpRelu,
            Family::Gated => Self::Gated,
            Family::Matryoshka => Self::Matryoshka,
        }
    }

    /// Its family, if it is one of trained autoencoders.
    #[must_use]
    pub fn family(self) -> Option<Family> {
        match self {
            Self::Relu => Some(Family::Relu),
            Self::TopK => Some(Family::TopK),
            Self::BatchTopK => Some(Family::BatchTopK),
            Self::JumpRelu => Some(Family::JumpRelu),
            Self::Gated => Some(Family::Gated),
            Self::Matryoshka => Some(Family::Matryoshka),
            _ => None,
        }
    }

    /// What it is there for.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Self::Svd | Self::Pca => Role::Baseline,
            Self::Oracle => Role::Ceiling,
            Self::Random | Self::Permuted | Self::Untrained => Role::Control,
            _ => Role::Trained,
        }
    }

    /// Whether a seed changes it.
    #[must_use]
    pub fn has_seed(self) -> bool {
        !matches!(self, Self::Svd | Self::Pca | Self::Oracle)
    }

    /// Its name in configurations and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Svd => "svd",
            Self::Pca => "pca",
            Self::Oracle => "oracle",
            Self::Random => "random",
            Self::Permuted => "permuted",
            Self::Untrained => "untrained",
            method => method.family().map_or("", Family::name),
        }
    }

    /// Its name for readers.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Svd => "SVD",
            Self::Pca => "PCA, centred",
            Self::Oracle => "Planted directions",
            Self::Random => "Random directions",
            Self::Permuted => "Permuted decoder",
            Self::Untrained => "Untrained",
            method => method.family().map_or("", Family::label),
        }
    }
}

impl FromStr for Method {
    type Err = Problem;

    fn from_str(name: &str) -> Result<Self, Problem> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let allowed = Self::ALL.map(Self::name).join(", ");
            Problem::new("methods", format!("{name:?}"), allowed)
        })
    }
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct FamiliesConfig {
    /// Where the activations come from.
    pub world: World,
    /// What is compared, in this order; planted directions are left out where there are none.
    pub methods: Vec<Method>,
    /// Rows trained on.
    pub train_rows: usize,
    /// Further rows, measured on.
    pub eval_rows: usize,
    /// How autoencoders are trained; family, k, λ and seed come from each job.
    pub train: TrainConfig,
    /// The knob of every method but the next three: codes a row.
    pub ks: Vec<usize>,
    /// The knob of ReLU: λ.
    pub relu: Vec<f64>,
    /// The knob of Gated: λ.
    pub gated: Vec<f64>,
    /// The knob of JumpReLU: λ.
    pub jumprelu: Vec<f64>,
    /// Training seeds.
    pub seeds: Vec<u32>,
    /// The reading of completeness for fronts and volumes.
    pub completeness: Completeness,
}

impl Default for FamiliesConfig {
    fn default() -> Self {
        Self::full()
    }
}

impl FamiliesConfig {
    /// The names of the presets.
    pub const PRESETS: [&str; 2] = ["small", "full"];

    /// Few steps on few rows: seconds in a browser. Its autoencoders are not trained to the end.
    #[must_use]
    pub fn small() -> Self {
        let train = TrainConfig {
            latents: 32,
            steps: 300,
            batch: 128,
            rate: 0.006,
            ..TrainConfig::default()
        };
        Self {
            train_rows: 8_192,
            eval_rows: 512,
            train,
            ks: vec![1, 2, 3, 5],
            relu: vec![0.01, 0.02, 0.04, 0.08],
            gated: vec![0.02, 0.04, 0.08, 0.15],
            jumprelu: vec![0.003, 0.006, 0.012, 0.025],
            seeds: vec![0, 1, 2],
            ..Self::full()
        }
    }

    /// Training to the end, under five seeds: for the command line.
    #[must_use]
    pub fn full() -> Self {
        Self {
            world: World::default(),
            methods: Method::ALL.to_vec(),
            train_rows: 20_000,
            eval_rows: 2_000,
            train: TrainConfig { latents: 32, ..TrainConfig::default() },
            ks: vec![1, 2, 3, 4, 6, 8],
            relu: vec![0.005, 0.01, 0.02, 0.03, 0.05, 0.08],
            gated: vec![0.01, 0.02, 0.04, 0.06, 0.1, 0.15],
            jumprelu: vec![0.002, 0.004, 0.008, 0.012, 0.02, 0.03],
            seeds: vec![0, 1, 2, 3, 4],
            completeness: Completeness::Reconstruction,
        }
    }

    /// The preset of a name.
    ///
    /// # Errors
    /// A [`Problem`] with the field `preset`.
    pub fn preset(name: &str) -> Result<Self, Problem> {
        match name {
            "small" => Ok(Self::small()),
            "full" => Ok(Self::full()),
            _ => Err(Problem::new("preset", format!("{name:?}"), Self::PRESETS.join(", "))),
        }
    }

    /// For activations of `rows` rows in `dimensions`: no more rows than there are, a fifth of them to
    /// measure on, no batch larger than what is trained on; and twice as many latents as there are
    /// dimensions, 32 to 128.
    pub fn fit(&mut self, rows: u64, dimensions: usize) {
        self.train.latents = dimensions.saturating_mul(2).clamp(32, 128);
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        if self.train_rows + self.eval_rows > rows {
            self.eval_rows = self.eval_rows.min((rows / 5).max(2));
            self.train_rows = rows.saturating_sub(self.eval_rows);
        }
        self.train.batch = self.train.batch.min(self.train_rows.max(1));
    }

    /// Everything that is not allowed, of the world's own numbers too.
    ///
    /// # Errors
    /// [`Problems`].
    pub fn check(&self) -> Result<(), Problems> {
        let mut problems: Vec<Problem> = [self.train.check(), self.world.check()]
            .into_iter()
            .filter_map(Result::err)
            .flat_map(|problems| problems.0)
            // The k of a training is its job's; a batch is bounded by the rows, too.
            .filter(|problem| !matches!(problem.field.as_str(), "k" | "batch"))
            .collect();
        if let World::Given(given) = &self.world
            && let Err(more) = given.check(self.train_rows.saturating_add(self.eval_rows))
        {
            problems.extend(more.0.into_iter().filter(|problem| problem.field == "train_rows"));
        }
        let most = OUTPUTS_MAX / self.eval_rows.max(1);
        if let World::Given(Given { outputs: Some(outputs), .. }) = &self.world
            && *outputs > most
        {
            let allowed = format!("at most {most}, of so many rows measured on");
            problems.push(Problem::new("outputs", outputs.to_string(), allowed));
        }
        problems.extend(self.batch_range().check(self.train.batch as f64).err());
        for (field, rows) in [("train_rows", self.train_rows), ("eval_rows", self.eval_rows)] {
            problems.extend(Range { field, ..ROWS }.check(rows as f64).err());
        }
        let latents = self.train.latents;
        let whole = Range { field: "ks", min: 1.0, max: latents as f64, whole: true };
        problems.extend(self.ks.iter().filter_map(|k| whole.check(*k as f64).err()));
        let knobs = [("relu", &self.relu), ("gated", &self.gated), ("jumprelu", &self.jumprelu)];
        for (field, values) in knobs {
            let range = Range { field, ..crate::sae::train::COEFFICIENT };
            problems.extend(values.iter().filter_map(|value| range.check(*value).err()));
        }
        let mut refuse = |refused: bool, field: &str, value: String, allowed: &str| {
            if refused {
                problems.push(Problem::new(field, value, allowed));
            }
        };
        let repeated = |len: usize, distinct: usize| len == 0 || distinct < len;
        let distinct = |mut values: Vec<u64>| {
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        let seeds = self.seeds.iter().map(|seed| u64::from(*seed)).collect();
        let methods = self.methods.iter().map(|method| *method as u64).collect();
        refuse(
            repeated(self.seeds.len(), distinct(seeds)),
            "seeds",
            format!("{:?}", self.seeds),
            "at least one seed, none twice",
        );
        let names: Vec<_> = self.methods.iter().map(|method| method.name()).collect();
        refuse(
            repeated(self.methods.len(), distinct(methods)),
            "methods",
            names.join(", "),
            "at least one method, none twice",
        );
        for method in &self.methods {
            let knobs: Vec<u64> = self.knobs(*method).iter().map(|knob| knob.to_bits()).collect();
            refuse(
                repeated(knobs.len(), distinct(knobs)),
                self.knob_field(*method),
                format!("{:?}", self.knobs(*method)),
                "at least one value, none twice",
            );
        }
        refuse(
            !self.methods.is_empty() && self.possible().is_empty(),
            "methods",
            names.join(", "),
            "at least one method that the world allows",
        );
        // The jobs are counted before they are made.
        let jobs: usize = self
            .methods
            .iter()
            .map(|method| self.knobs(*method).len().saturating_mul(self.seeds.len()))
            .fold(0, usize::saturating_add);
        refuse(
            jobs > JOBS_MAX,
            "methods",
            format!("so many as to make {jobs} jobs"),
            &format!("up to {JOBS_MAX} jobs"),
        );
        if problems.is_empty() { Ok(()) } else { Err(Problems(problems)) }
    }

    /// Rows that a batch may have: where anything is trained, no more than there are.
    fn batch_range(&self) -> Range {
        let trained = |method: &Method| {
            method.family().is_some() || matches!(method, Method::Permuted | Method::Untrained)
        };
        let rows =
            if self.methods.iter().any(trained) { self.train_rows as f64 } else { BATCH.max };
        Range { max: BATCH.max.min(rows), ..BATCH }
    }

    fn knob_field(&self, method: Method) -> &'static str {
        match method {
            Method::Relu => "relu",
            Method::Gated => "gated",
            Method::JumpRelu => "jumprelu",
            _ => "ks",
        }
    }

    /// The values of a method's knob.
    #[must_use]
    pub fn knobs(&self, method: Method) -> Vec<f64> {
        match method {
            Method::Relu => self.relu.clone(),
            Method::Gated => self.gated.clone(),
            Method::JumpRelu => self.jumprelu.clone(),
            _ => self.ks.iter().map(|k| *k as f64).collect(),
        }
    }

    /// The methods that the world allows.
    #[must_use]
    pub fn possible(&self) -> Vec<Method> {
        let planted = matches!(self.world, World::Superposition(_));
        let methods = self.methods.iter().copied();
        methods.filter(|method| planted || *method != Method::Oracle).collect()
    }

    /// Every job, methods in order, then knobs, then seeds. A method without a seed has one job a
    /// knob, with the first seed.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let mut out = Vec::new();
        for method in self.possible() {
            let seeds = if method.has_seed() { self.seeds.len() } else { 1 };
            for knob in self.knobs(method) {
                out.extend(self.seeds[..seeds.min(self.seeds.len())].iter().map(|seed| Job {
                    method,
                    knob,
                    seed: *seed,
                }));
            }
        }
        out
    }
}

/// One member of a study.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FamiliesJob"))]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The method.
    pub method: Method,
    /// Its knob's value: k, or λ.
    pub knob: f64,
    /// Its seed.
    pub seed: u32,
}

/// What a member's measurement found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FamiliesResult"))]
pub struct JobResult {
    /// Which member.
    #[serde(flatten)]
    pub job: Job,
    /// S.
    pub sparsity: f64,
    /// F: mean cosine of rows and reconstructions.
    pub fidelity: f64,
    /// C in every reading.
    pub completeness: Readings,
    /// Mean codes in a row.
    pub l0: f64,
    /// Share of the variance that the reconstruction explains.
    pub explained: f64,
    /// Share of the latents that are never active.
    pub dead: f64,
    /// C_GT: mean squared length of the circuit's directions in the dictionary's row space; where a
    /// circuit is planted.
    pub c_gt: Option<f64>,
    /// Mean |cosine| with planted directions, matched one to one; where features are planted.
    pub mcc: Option<f64>,
    /// Distinct features among the latents' best matches, over the latents.
    pub uniqueness: Option<f64>,
    /// Share of the planted directions that are recovered.
    pub recovered: Option<f64>,
    /// Mean F1 of latents as detectors of their features.
    pub f1: Option<f64>,
}

/// Why a study has no results.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FamiliesError {
    /// The configuration holds a value that is not allowed.
    #[error(transparent)]
    Config(#[from] Problems),
    /// Training failed.
    #[error("{}: {error}", method.name())]
    Train {
        /// Whose.
        method: Method,
        /// Why.
        error: TrainError,
    },
    /// There are no singular vectors.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// Something could not be measured.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// A front or volume could not be computed.
    #[error(transparent)]
    Pareto(#[from] ParetoError),
    /// A job is not one of the configuration's.
    #[error("{} with {knob} and seed {seed} is no job of this study", method.name())]
    Unknown {
        /// Its method.
        method: Method,
        /// Its knob.
        knob: f64,
        /// Its seed.
        seed: u32,
    },
    /// A job has no result, or more than one.
    #[error("{} with {knob} and seed {seed} has {count} results", method.name())]
    Count {
        /// Its method.
        method: Method,
        /// Its knob.
        knob: f64,
        /// Its seed.
        seed: u32,
        /// How many.
        count: usize,
    },
}

impl FamiliesError {
    /// A stable code, e.g. `families.unknown`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Config(problems) => {
                problems.0.first().map_or("families.config", |problem| problem.code.as_str())
            }
            Self::Train { error, .. } => error.code(),
            Self::Dictionary(error) => error.code(),
            Self::Metric(error) => error.code(),
            Self::Pareto(error) => error.code(),
            Self::Unknown { .. } => "families.unknown",
            Self::Count { .. } => "families.count",
        }
    }

    /// The configuration's field that is to blame, if one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Config(problems) => problems.0.first().map(|problem| problem.field.as_str()),
            Self::Train { error, .. } => error.field(),
            _ => None,
        }
    }
}

/// Does jobs; what they share is drawn once.
#[derive(Clone, Debug)]
pub struct Runner {
    config: FamiliesConfig,
    train: Sample,
    eval: Sample,
}

impl Runner {
    /// Draws the world.
    ///
    /// # Errors
    /// [`FamiliesError::Config`].
    pub fn new(config: &FamiliesConfig) -> Result<Self, FamiliesError> {
        Self::with(config, None)
    }

    /// Draws the world; of a given one `drawn` are its rows, those trained on and those measured on.
    ///
    /// # Errors
    /// [`FamiliesError::Config`].
    pub fn with(config: &FamiliesConfig, drawn: Option<&Drawn>) -> Result<Self, FamiliesError> {
        config.check()?;
        let sample = config.world.sample_with(config.train_rows + config.eval_rows, drawn)?;
        let (mut train, eval) = sample.split(config.train_rows);
        // Nothing that is trained sees it, and it may be large.
        train.readout = None;
        Ok(Self { config: config.clone(), train, eval })
    }

    /// Does one job.
    ///
    /// # Errors
    /// Any [`FamiliesError`] but [`FamiliesError::Count`].
    pub fn run(&self, job: &Job) -> Result<JobResult, FamiliesError> {
        let Job { method, knob, seed } = *job;
        let known = self.config.possible().contains(&method)
            && self.config.knobs(method).contains(&knob)
            && self.config.seeds.contains(&seed);
        if !known {
            return Err(FamiliesError::Unknown { method, knob, seed });
        }
        let found = match method {
            Method::Svd | Method::Pca => self.singular(method == Method::Pca, knob as usize)?,
            Method::Oracle | Method::Random => {
                let directions = match &self.train.truth {
                    Some(truth) if method == Method::Oracle => truth.directions.clone(),
                    _ => self.random_directions(seed),
                };
                let bias = vec![0.0; directions.cols()];
                let codes = pursuit(&self.eval.activations, &directions, knob as usize);
                Decomposition { codes, directions, bias }
            }
            _ => self.trained(job)?,
        };
        Ok(found.measure(*job, &self.eval)?)
    }

    /// The rows that are trained on.
    #[must_use]
    pub fn trained_on(&self) -> &Sample {
        &self.train
    }

    /// Measures an autoencoder that was trained elsewhere, on the rows that the study measures on;
    /// `job` says how, and need not be one of the study's.
    ///
    /// # Errors
    /// [`FamiliesError::Metric`], where its width is not the activations' for one.
    pub fn measure(&self, autoencoder: &Autoencoder, job: Job) -> Result<JobResult, FamiliesError> {
        let codes = autoencoder.encode(&self.eval.activations)?;
        let (directions, bias) = (autoencoder.decoder(), autoencoder.b_dec());
        Ok(Decomposition { codes, directions, bias }.measure(job, &self.eval)?)
    }

    fn singular(&self, centred: bool, k: usize) -> Result<Decomposition, FamiliesError> {
        let dictionary = SvdDictionary::new(&self.train.activations, centred)?;
        let mut codes = dictionary.encode(&self.eval.activations, dictionary.rank());
        let dropped = codes.cols().saturating_sub(k);
        crate::papers::sfc::codes::threshold(&mut codes, dropped);
        let directions = dictionary.directions().transposed();
        let bias = dictionary.mean().map_or_else(|| vec![0.0; directions.cols()], <[f64]>::to_vec);
        Ok(Decomposition { codes, directions, bias })
    }

    fn random_directions(&self, seed: u32) -> Matrix {
        // Not the stream of the world, whose seed may be the same.
        let mut rng = NumpyRng::new(seed ^ 0x5fc0_ffee);
        let mut out = Matrix::zeros(self.config.train.latents, self.train.activations.cols());
        rng.fill_standard_normal(out.data_mut());
        for index in 0..out.rows() {
            let row = out.row_mut(index);
            let norm = f64::sqrt(crate::kernel::dot(row, row));
            row.iter_mut().for_each(|value| *value /= norm);
        }
        out
    }

    fn trained(&self, job: &Job) -> Result<Decomposition, FamiliesError> {
        let Job { method, knob, seed } = *job;
        let family = method.family().unwrap_or(Family::TopK);
        let mut config = TrainConfig { family, seed, ..self.config.train.clone() };
        if family.has_k() {
            config.k = knob as usize;
        } else {
            config.sparsity = knob;
        }
        let failed = |error| FamiliesError::Train { method, error };
        let steps = if method == Method::Untrained { 0 } else { config.steps };
        let mut trainer = Trainer::new(config, &self.train.activations).map_err(failed)?;
        trainer.step(steps).map_err(failed)?;
        let autoencoder = trainer.autoencoder();
        let codes = autoencoder.encode(&self.eval.activations)?;
        let mut directions = autoencoder.decoder();
        if method == Method::Permuted {
            let order = NumpyRng::new(seed ^ 0x0dd_5eed).permutation(directions.rows() as u32);
            directions = directions.select_rows(&order);
        }
        Ok(Decomposition { codes, directions, bias: autoencoder.b_dec() })
    }
}
