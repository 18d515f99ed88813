use serde::{Deserialize, Serialize};

use super::job::Job;
use super::method::Method;
use crate::lab::Reading;
use crate::sae::train::{BATCH_RANGE, TrainConfig};
use crate::settings::{Problem, Problems, Range};
use crate::synthetic::{UserActivations, World};

/// Most jobs one study may have.
pub const JOBS_MAX: usize = 10_000;
/// Most numbers that a given readout puts out of the rows measured on.
const OUTPUTS_MAX: usize = 1 << 25;
/// Rows of both kinds.
pub(super) const ROWS_RANGE: Range = Range::integer("rows", 2, 100_000);

/// What is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
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
    pub completeness: Reading,
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
        let train = TrainConfig { latents: 32, steps: 300, batch: 128, rate: 0.006, ..TrainConfig::default() };
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
            completeness: Reading::Reconstruction,
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
    pub fn adapt_to_data(&mut self, rows: u64, dimensions: usize) {
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
        if let World::Own(given) = &self.world
            && let Err(more) = given.check(self.train_rows.saturating_add(self.eval_rows))
        {
            problems.extend(more.0.into_iter().filter(|problem| problem.field == "train_rows"));
        }
        let most = OUTPUTS_MAX / self.eval_rows.max(1);
        if let World::Own(UserActivations { outputs: Some(outputs), .. }) = &self.world
            && *outputs > most
        {
            let allowed = format!("at most {most}, of so many rows measured on");
            problems.push(Problem::new("outputs", outputs.to_string(), allowed));
        }
        problems.extend(self.batch_range().check(self.train.batch as f64).err());
        for (field, rows) in [("train_rows", self.train_rows), ("eval_rows", self.eval_rows)] {
            problems.extend(Range { field, ..ROWS_RANGE }.check(rows as f64).err());
        }
        let latents = self.train.latents;
        let whole = Range { field: "ks", min: 1.0, max: latents as f64, whole: true };
        problems.extend(self.ks.iter().filter_map(|k| whole.check(*k as f64).err()));
        let knobs = [("relu", &self.relu), ("gated", &self.gated), ("jumprelu", &self.jumprelu)];
        for (field, values) in knobs {
            let range = Range { field, ..crate::sae::train::COEFFICIENT_RANGE };
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
            let knobs: Vec<u64> = self.parameter_values(*method).iter().map(|knob| knob.to_bits()).collect();
            refuse(
                repeated(knobs.len(), distinct(knobs)),
                self.parameter_field(*method),
                format!("{:?}", self.parameter_values(*method)),
                "at least one value, none twice",
            );
        }
        refuse(
            !self.methods.is_empty() && self.available_methods().is_empty(),
            "methods",
            names.join(", "),
            "at least one method that the world allows",
        );
        // The jobs are counted before they are made.
        let jobs: usize = self
            .methods
            .iter()
            .map(|method| self.parameter_values(*method).len().saturating_mul(self.seeds.len()))
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
    pub(super) fn batch_range(&self) -> Range {
        let trained =
            |method: &Method| method.family().is_some() || matches!(method, Method::Permuted | Method::Untrained);
        let rows = if self.methods.iter().any(trained) { self.train_rows as f64 } else { BATCH_RANGE.max };
        Range { max: BATCH_RANGE.max.min(rows), ..BATCH_RANGE }
    }

    fn parameter_field(&self, method: Method) -> &'static str {
        match method {
            Method::Relu => "relu",
            Method::Gated => "gated",
            Method::JumpRelu => "jumprelu",
            _ => "ks",
        }
    }

    /// The values of a method's knob.
    #[must_use]
    pub fn parameter_values(&self, method: Method) -> Vec<f64> {
        match method {
            Method::Relu => self.relu.clone(),
            Method::Gated => self.gated.clone(),
            Method::JumpRelu => self.jumprelu.clone(),
            _ => self.ks.iter().map(|k| *k as f64).collect(),
        }
    }

    /// The methods that the world allows.
    #[must_use]
    pub fn available_methods(&self) -> Vec<Method> {
        let planted = matches!(self.world, World::Superposition(_));
        let methods = self.methods.iter().copied();
        methods.filter(|method| planted || *method != Method::Oracle).collect()
    }

    /// Every job, methods in order, then knobs, then seeds. A method without a seed has one job a
    /// knob, with the first seed.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let mut out = Vec::new();
        for method in self.available_methods() {
            let seeds = if method.has_seed() { self.seeds.len() } else { 1 };
            for knob in self.parameter_values(method) {
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
