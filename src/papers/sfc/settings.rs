//! What a run is: every knob, its range, its default, and the checks.
//!
//! A [`Draft`] is what somebody typed; [`Draft::parse`] turns it into [`Settings`], which
//! cannot hold a value out of range. All limits live here, as constants with names, so that the
//! page, the command line and a link are refused by the same rule in the same words.

use serde::{Deserialize, Serialize};

use super::Preset;
use super::metric::completeness::CompletenessReading;
use super::metric::fidelity::FidelityMode;
use super::metric::score::Weights;
use crate::settings::{MEMORY_CAP, Problem, Problems, Range, show};
use crate::world::{Data, NetworkSpec, SAMPLES, Shape};

/// Input width.
pub const INPUTS: Range = Range::whole("inputs", 1, 512);
/// Hidden width D.
pub const HIDDEN: Range = Range::whole("hidden", 2, 1_024);
/// Output width.
pub const OUTPUTS: Range = Range::whole("outputs", 1, 64);
/// Standard deviation of the first layer's weights. Activations far below 1 meet two absolute numbers
/// of the recipe: codes below 10⁻⁶ count as inactive, and cosines carry a guard of 10⁻¹⁰.
pub const WEIGHT_SCALE: Range = Range::real("weight_scale", 0.0, 100.0);
/// Standard deviation of both layers' biases.
pub const BIAS_SCALE: Range = Range::real("bias_scale", 0.0, 100.0);
/// Standard deviation of the noise added to the activations.
pub const NOISE: Range = Range::real("noise", 0.0, 100.0);
/// Most levels one run may have.
pub const LEVELS_MAX: usize = 512;

/// The levels of §4.1.
pub const PAPER_LEVELS: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 0.95];
/// The dictionary size of §4.1; a narrower network takes `hidden − 1`.
pub const PAPER_K: usize = 48;
/// The level at which Table 6 varies the dictionary size.
pub const SIZES_LEVEL: f64 = 0.5;

/// Somebody's wish, unchecked: a missing field takes the paper's value.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)] // the fields are those of `Settings`, described there
pub struct Draft {
    pub config: Option<String>,
    pub inputs: Option<f64>,
    pub hidden: Option<f64>,
    pub outputs: Option<f64>,
    pub circuit: Option<f64>,
    pub weight_scale: Option<f64>,
    pub bias_scale: Option<f64>,
    pub noise: Option<f64>,
    pub model_seed: Option<f64>,
    pub data_seed: Option<f64>,
    pub completeness_seed: Option<f64>,
    pub samples: Option<f64>,
    pub k: Option<f64>,
    pub levels: Option<Vec<f64>>,
    pub completeness: Option<String>,
    pub fidelity: Option<String>,
    pub centred: Option<bool>,
    pub weights: Option<Vec<f64>>,
}

/// A complete, valid description of a run.
///
/// Two settings that mean the same are equal: the configuration's name follows from its sizes.
///
/// ```
/// use sfc_bench::{Draft, Settings};
/// let paper = Settings::default();
/// assert_eq!((paper.shape().hidden, paper.k(), paper.samples()), (64, 48, 2000));
/// let refused = Draft { hidden: Some(-3.0), ..Draft::default() }.parse().unwrap_err();
/// assert_eq!(refused.0[0].field, "hidden");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(try_from = "Draft")]
pub struct Settings {
    config: Preset,
    #[serde(flatten)]
    shape: Shape,
    weight_scale: f64,
    bias_scale: f64,
    noise: f64,
    model_seed: u32,
    data_seed: u32,
    completeness_seed: u32,
    samples: usize,
    k: usize,
    levels: Vec<f64>,
    completeness: CompletenessReading,
    fidelity: FidelityMode,
    centred: bool,
    weights: Weights,
}

impl Default for Settings {
    /// The recipe behind the paper's tables, on the Standard configuration.
    fn default() -> Self {
        let NetworkSpec { shape, weight_scale, bias_scale, seed: model_seed } =
            NetworkSpec::default();
        let Data { samples, seed: data_seed, noise } = Data::default();
        Self {
            config: Preset::Standard,
            shape,
            weight_scale,
            bias_scale,
            noise,
            model_seed,
            data_seed,
            completeness_seed: 42,
            samples,
            k: PAPER_K,
            levels: PAPER_LEVELS.to_vec(),
            completeness: CompletenessReading::Paper,
            fidelity: FidelityMode::Cosine,
            centred: false,
            weights: Weights::EQUAL,
        }
    }
}

impl TryFrom<Draft> for Settings {
    type Error = Problems;

    fn try_from(draft: Draft) -> Result<Self, Problems> {
        draft.parse()
    }
}

/// Keeps the problems of several checks, standing in a fallback for each refused value so that the
/// remaining fields are still looked at.
struct Checks(Vec<Problem>);

impl Checks {
    fn take<T>(&mut self, checked: Result<T, Problem>, fallback: T) -> T {
        checked.unwrap_or_else(|problem| {
            self.0.push(problem);
            fallback
        })
    }

    fn number(&mut self, range: Range, value: Option<f64>, default: f64) -> f64 {
        match value {
            None => default,
            Some(value) => self.take(range.check(value), default),
        }
    }

    /// A whole number: `Range::check` has made the conversion exact.
    fn count(&mut self, range: Range, value: Option<f64>, default: usize) -> usize {
        self.number(range, value, default as f64) as usize
    }

    fn seed(&mut self, field: &'static str, value: Option<f64>, default: u32) -> u32 {
        self.number(Range::seed(field), value, f64::from(default)) as u32
    }

    fn word<T: Copy>(
        &mut self,
        field: &str,
        value: Option<&str>,
        words: &[(&str, T)],
        default: T,
    ) -> T {
        let Some(value) = value else { return default };
        match words.iter().find(|(word, _)| *word == value) {
            Some((_, meaning)) => *meaning,
            None => {
                let allowed: Vec<_> = words.iter().map(|(word, _)| *word).collect();
                self.0.push(Problem::new(field, format!("{value:?}"), allowed.join(", ")));
                default
            }
        }
    }
}

impl Draft {
    /// The names of the fields.
    pub const FIELDS: [&str; 18] = [
        "config",
        "inputs",
        "hidden",
        "outputs",
        "circuit",
        "weight_scale",
        "bias_scale",
        "noise",
        "model_seed",
        "data_seed",
        "completeness_seed",
        "samples",
        "k",
        "levels",
        "completeness",
        "fidelity",
        "centred",
        "weights",
    ];

    /// Checks every field and fills what is missing with the paper's values.
    ///
    /// # Errors
    /// All refused fields together, each with its value and what is allowed; a request whose
    /// estimated memory exceeds [`MEMORY_CAP`] is refused under the field `memory`.
    pub fn parse(&self) -> Result<Settings, Problems> {
        let paper = Settings::default();
        let mut checks = Checks(Vec::new());

        let words: Vec<_> = Preset::ALL.iter().map(|preset| (preset.name(), *preset)).collect();
        let preset = checks.word("config", self.config.as_deref(), &words, Preset::Standard);
        let base = preset.shape().unwrap_or(Shape::STANDARD);
        let hidden = checks.count(HIDDEN, self.hidden, base.hidden);
        // Under a width that is refused, what depends on it may still be right.
        let refused = checks.0.iter().any(|problem| problem.field == HIDDEN.field);
        let width = if refused { HIDDEN.max } else { hidden as f64 };
        let circuit_range = Range { field: "circuit", min: 1.0, max: width, whole: true };
        let shape = Shape {
            inputs: checks.count(INPUTS, self.inputs, base.inputs),
            hidden,
            outputs: checks.count(OUTPUTS, self.outputs, base.outputs),
            circuit: checks.count(circuit_range, self.circuit, base.circuit.min(hidden)),
        };
        let k_range = Range { field: "k", ..circuit_range };
        let settings = Settings {
            config: Preset::of(shape),
            shape,
            weight_scale: checks.number(WEIGHT_SCALE, self.weight_scale, paper.weight_scale),
            bias_scale: checks.number(BIAS_SCALE, self.bias_scale, paper.bias_scale),
            noise: checks.number(NOISE, self.noise, paper.noise),
            model_seed: checks.seed("model_seed", self.model_seed, paper.model_seed),
            data_seed: checks.seed("data_seed", self.data_seed, paper.data_seed),
            completeness_seed: checks.seed(
                "completeness_seed",
                self.completeness_seed,
                paper.completeness_seed,
            ),
            samples: checks.count(SAMPLES, self.samples, paper.samples),
            k: checks.count(k_range, self.k, PAPER_K.min(hidden - 1)),
            levels: checks.take(check_levels(self.levels.as_deref()), paper.levels),
            completeness: checks.word(
                "completeness",
                self.completeness.as_deref(),
                &[("paper", CompletenessReading::Paper), ("total", CompletenessReading::Total)],
                paper.completeness,
            ),
            fidelity: checks.word(
                "fidelity",
                self.fidelity.as_deref(),
                &[
                    ("cosine", FidelityMode::Cosine),
                    ("r2", FidelityMode::R2),
                    ("rel-mse", FidelityMode::RelMse),
                ],
                paper.fidelity,
            ),
            centred: self.centred.unwrap_or(false),
            weights: checks.take(check_weights(self.weights.as_deref()), paper.weights),
        };
        if checks.0.is_empty() {
            checks.0.extend(settings.memory_problem());
        }
        if checks.0.is_empty() { Ok(settings) } else { Err(Problems(checks.0)) }
    }
}

fn check_levels(levels: Option<&[f64]>) -> Result<Vec<f64>, Problem> {
    let Some(levels) = levels else { return Ok(PAPER_LEVELS.to_vec()) };
    if levels.is_empty() || levels.len() > LEVELS_MAX {
        let held = format!("a list of {}", levels.len());
        return Err(Problem::new("levels", held, format!("1 to {LEVELS_MAX} levels")));
    }
    match levels.iter().find(|level| !(0.0..1.0).contains(*level)) {
        Some(bad) => {
            Err(Problem::new("levels", show(*bad), "numbers from 0 up to, but not including, 1"))
        }
        // −0 and 0 are the same level; keep one of them.
        None => Ok(levels.iter().map(|level| level + 0.0).collect()),
    }
}

fn check_weights(weights: Option<&[f64]>) -> Result<Weights, Problem> {
    match weights {
        None => Ok(Weights::EQUAL),
        Some(&[alpha, beta, gamma]) => Weights::new(alpha, beta, gamma).map_err(|error| {
            Problem::new("weights", format!("{alpha}, {beta}, {gamma}"), error.allowed())
        }),
        Some(other) => Err(Problem::new(
            "weights",
            format!("a list of {}", other.len()),
            "three numbers: sparsity, fidelity, completeness",
        )),
    }
}

impl Settings {
    /// The configuration's name: a preset's, or custom.
    #[must_use]
    pub fn config(&self) -> Preset {
        self.config
    }

    /// Sizes of the planted network.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Standard deviation of W₁'s entries (0.3 in the paper).
    #[must_use]
    pub fn weight_scale(&self) -> f64 {
        self.weight_scale
    }

    /// Standard deviation of both biases' entries (0.1 in the paper).
    #[must_use]
    pub fn bias_scale(&self) -> f64 {
        self.bias_scale
    }

    /// Standard deviation of the noise added to the activations (0 in the paper).
    #[must_use]
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// Seed of circuit, weights and biases (42 in the paper).
    #[must_use]
    pub fn model_seed(&self) -> u32 {
        self.model_seed
    }

    /// Seed of the inputs, and of the noise after them (1 in the paper).
    #[must_use]
    pub fn data_seed(&self) -> u32 {
        self.data_seed
    }

    /// Seed that picks the rows of the paper's completeness (42 in the paper).
    #[must_use]
    pub fn completeness_seed(&self) -> u32 {
        self.completeness_seed
    }

    /// Number of rows N (2,000 in the paper).
    #[must_use]
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Dictionary size K (48 in the paper).
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    /// Sparsity levels λ, in the order they were given.
    #[must_use]
    pub fn levels(&self) -> &[f64] {
        &self.levels
    }

    /// The reading of Eq. 3.
    #[must_use]
    pub fn completeness(&self) -> CompletenessReading {
        self.completeness
    }

    /// The form of Eq. 2.
    #[must_use]
    pub fn fidelity(&self) -> FidelityMode {
        self.fidelity
    }

    /// Whether the dictionary is that of the centred activations (it is not, in the paper).
    #[must_use]
    pub fn centred(&self) -> bool {
        self.centred
    }

    /// Preference weights of Eq. 4.
    #[must_use]
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// The same run under other weights.
    #[must_use]
    pub fn with_weights(self, weights: Weights) -> Self {
        Self { weights, ..self }
    }

    /// The same run with another network.
    #[must_use]
    pub fn with_model_seed(&self, model_seed: u32) -> Self {
        Self { model_seed, ..self.clone() }
    }

    /// The same run on other data.
    #[must_use]
    pub fn with_data_seed(&self, data_seed: u32) -> Self {
        Self { data_seed, ..self.clone() }
    }

    /// The same run on another configuration of Table 1, K capped at its hidden width.
    #[must_use]
    pub fn with_preset(&self, preset: Preset) -> Self {
        let shape = preset.shape().unwrap_or(self.shape);
        Self { config: Preset::of(shape), shape, k: self.k.min(shape.hidden), ..self.clone() }
    }

    /// The network that is drawn.
    #[must_use]
    pub fn network(&self) -> NetworkSpec {
        NetworkSpec {
            shape: self.shape,
            weight_scale: self.weight_scale,
            bias_scale: self.bias_scale,
            seed: self.model_seed,
        }
    }

    /// The rows that it is shown.
    #[must_use]
    pub fn data(&self) -> Data {
        Data { samples: self.samples, seed: self.data_seed, noise: self.noise }
    }

    /// Whether these are the paper's own settings; the weights, which only re-score, aside.
    #[must_use]
    pub fn is_paper(&self) -> bool {
        self.clone().with_weights(Weights::EQUAL) == Self::default()
    }

    /// Dictionary sizes for Table 6's sweep: ⅛, ¼, ⅜, ½ and ¾ of the hidden width, and one less
    /// than it. At width 64 these are the paper's 8, 16, 24, 32, 48, 63.
    #[must_use]
    pub fn sizes(&self) -> Vec<usize> {
        let hidden = self.shape.hidden;
        let mut sizes: Vec<usize> =
            [hidden / 8, hidden / 4, 3 * hidden / 8, hidden / 2, 3 * hidden / 4, hidden - 1]
                .into_iter()
                .filter(|size| *size > 0)
                .collect();
        sizes.dedup();
        sizes
    }

    /// Estimated peak memory of a run, in bytes: activations, codes for the widest dictionary in
    /// both layouts with their order and classes, outputs, and (centred) deviations.
    #[must_use]
    pub fn memory(&self) -> u64 {
        // The widest request does not fit a 32-bit `usize`, which wasm has.
        let (rows, hidden) = (self.samples as u64, self.shape.hidden as u64);
        let codes = hidden;
        let deviations = if self.centred { hidden } else { 0 };
        // Standard, Dense, Sparse and the network in view may share a layer.
        let outputs = 4 * self.shape.outputs as u64;
        8 * (rows * (hidden + 2 * codes + deviations + outputs) + 4 * hidden * hidden)
            + 4 * rows * codes
    }

    fn memory_problem(&self) -> Option<Problem> {
        let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
        let needed = self.memory();
        (needed > MEMORY_CAP).then(|| {
            Problem::new(
                "memory",
                format!("{} MiB", mebibytes(needed)),
                format!(
                    "at most {} MiB: fewer samples or fewer hidden units",
                    mebibytes(MEMORY_CAP)
                ),
            )
        })
    }
}
