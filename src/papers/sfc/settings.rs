//! What a run is: every knob, its range, its default, and the checks.
//!
//! A [`Draft`] is what somebody typed; [`Draft::parse`] turns it into [`Settings`], which
//! cannot hold a value out of range. All limits live here, as constants with names, so that the
//! page, the command line and a link are refused by the same rule in the same words.

use serde::{Deserialize, Serialize};

use super::Preset;
use super::metric::completeness::CompletenessReading;
use super::metric::fidelity::FidelityMode;
use super::metric::score::{WEIGHT_MAX, WEIGHT_MIN, Weights};
use crate::settings::{
    Choice, Field, FieldKind, FormGroup, ListSpan, MEMORY_CAP, NameCondition, NamePart, Parameters, Problem, Problems,
    Range, check, choice, fields, part_if_changed,
};
use crate::synthetic::{DataSpec, NetworkSpec, SAMPLES_RANGE, Shape};

/// Input width.
pub const INPUTS_RANGE: Range = Range::integer("inputs", 1, 512);
/// Hidden width D.
pub const HIDDEN_RANGE: Range = Range::integer("hidden", 2, 1_024);
/// Output width.
pub const OUTPUTS_RANGE: Range = Range::integer("outputs", 1, 64);
/// Standard deviation of the first layer's weights. Activations far below 1 meet two absolute numbers
/// of the recipe: codes below 10⁻⁶ count as inactive, and cosines carry a guard of 10⁻¹⁰.
pub const WEIGHT_SCALE_RANGE: Range = Range::real("weight_scale", 0.0, 100.0);
/// Standard deviation of both layers' biases.
pub const BIAS_SCALE_RANGE: Range = Range::real("bias_scale", 0.0, 100.0);
/// Standard deviation of the noise added to the activations.
pub const NOISE_RANGE: Range = Range::real("noise", 0.0, 100.0);
/// Most levels one run may have.
pub const LEVELS_MAX: usize = 512;
/// Sparsity levels λ, shares of codes: not all of them may be set to zero.
pub const LEVELS_SPAN: ListSpan = ListSpan { min: 0.0, upper_bound: 1.0, count_max: LEVELS_MAX };

/// The levels of §4.1.
pub const PAPER_LEVELS: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 0.95];
/// The dictionary size of §4.1; a narrower network takes `hidden − 1`.
pub const PAPER_K: usize = 48;
/// The level at which Table 6 varies the dictionary size.
pub const SIZE_SWEEP_LEVEL: f64 = 0.5;

const NETWORK_GROUP: FormGroup = FormGroup { name: "network", heading: "Network" };
const SEEDS_GROUP: FormGroup = FormGroup { name: "seeds", heading: "Seeds" };
const DATA_GROUP: FormGroup = FormGroup { name: "data", heading: "Data and dictionary" };
const METRICS_GROUP: FormGroup = FormGroup { name: "metrics", heading: "Measures" };

const NETWORK_CHOICES: [Choice; 5] = {
    let mut choices = [choice("", "", ""); 5];
    let mut at = 0;
    while at < choices.len() {
        let preset = Preset::ALL[at];
        choices[at] = choice(preset.name(), preset.label(), "");
        at += 1;
    }
    choices
};

const COMPLETENESS_WORDS: [(&str, CompletenessReading); 2] =
    [("paper", CompletenessReading::Paper), ("total", CompletenessReading::Total)];
const COMPLETENESS_CHOICES: &[Choice] = &[
    choice(COMPLETENESS_WORDS[0].0, "The paper’s", "100 rows; one variance over all their outputs together."),
    choice(COMPLETENESS_WORDS[1].0, "Textbook", "All rows; each output’s variance about its own mean, summed."),
];

const FIDELITY_WORDS: [(&str, FidelityMode); 3] =
    [("cosine", FidelityMode::Cosine), ("r2", FidelityMode::R2), ("rel-mse", FidelityMode::RelMse)];
const FIDELITY_CHOICES: &[Choice] = &[
    choice(FIDELITY_WORDS[0].0, "Cosine", "Mean cosine of each row and its reconstruction; the paper’s."),
    choice(FIDELITY_WORDS[1].0, "R²", "One minus squared error over variance."),
    choice(FIDELITY_WORDS[2].0, "Relative error", "One minus squared error over squared length."),
];

const fn name_part_if_unnamed(rank: u8, lead: &'static str) -> NamePart {
    NamePart { rank, prefix: lead, condition: NameCondition::Unnamed }
}

const fn name_part_always(rank: u8, lead: &'static str) -> NamePart {
    NamePart { rank, prefix: lead, condition: NameCondition::Always }
}

fields! {
    /// Settings as somebody typed them, unchecked: a missing field takes the paper's value.
    pub struct Draft;
    config: String, ("net", NETWORK_GROUP, "Network", "Configuration of Table 1, or sizes of your own"),
        FieldKind::Preset(&NETWORK_CHOICES), name_part_always(0, "-");
    inputs: f64, ("in", NETWORK_GROUP, "Inputs", "Width of the input x"), FieldKind::Number(INPUTS_RANGE), name_part_if_unnamed(1, "-");
    hidden: f64, ("d", NETWORK_GROUP, "Hidden units", "Width D of the activations"), FieldKind::Number(HIDDEN_RANGE), name_part_if_unnamed(2, "x");
    outputs: f64, ("out", NETWORK_GROUP, "Outputs", "Width of the output y"), FieldKind::Number(OUTPUTS_RANGE), name_part_if_unnamed(3, "x");
    circuit: f64, ("circuit", NETWORK_GROUP, "Circuit units", "Hidden units that reach the output y"),
        FieldKind::Within(Range { field: "circuit", min: 1.0, ..HIDDEN_RANGE }, HIDDEN_RANGE.field), name_part_if_unnamed(4, "-circuit");
    weight_scale: f64, ("ws", NETWORK_GROUP, "Weight scale", "Standard deviation of the first layer’s weights"),
        FieldKind::Number(WEIGHT_SCALE_RANGE), part_if_changed(10, "-scale");
    bias_scale: f64, ("bs", NETWORK_GROUP, "Bias scale", "Standard deviation of the biases"),
        FieldKind::Number(BIAS_SCALE_RANGE), part_if_changed(11, "-bias");
    noise: f64, ("noise", NETWORK_GROUP, "Noise", "Standard deviation of noise added to the activations"),
        FieldKind::Number(NOISE_RANGE), part_if_changed(12, "-noise");
    model_seed: f64, ("seed", SEEDS_GROUP, "Model seed", "Seed of the circuit, weights and biases"),
        FieldKind::Seed, name_part_always(6, "-seed");
    data_seed: f64, ("data", SEEDS_GROUP, "Data seed", "Seed of the inputs, and of any noise"),
        FieldKind::Seed, part_if_changed(7, "-data");
    completeness_seed: f64, ("rows", SEEDS_GROUP, "Completeness seed",
        "Seed that picks the 100 rows of the paper’s completeness"),
        FieldKind::Seed, part_if_changed(8, "-rows");
    samples: f64, ("n", DATA_GROUP, "Samples", "Rows N of activations"), FieldKind::Number(SAMPLES_RANGE), part_if_changed(9, "-n");
    k: f64, ("k", DATA_GROUP, "Dictionary size", "Directions K that the dictionary keeps"),
        FieldKind::Within(Range { field: "k", min: 1.0, ..HIDDEN_RANGE }, HIDDEN_RANGE.field), name_part_always(5, "-k");
    levels: Vec<f64>, ("levels", DATA_GROUP, "Sparsity levels λ",
        "Shares of each row’s codes that are set to zero, separated by commas"),
        FieldKind::List(LEVELS_SPAN), part_if_changed(13, "-levels");
    completeness: String, ("c", METRICS_GROUP, "Completeness is read as", "Reading of completeness"),
        FieldKind::Choice(COMPLETENESS_CHOICES), part_if_changed(15, "-");
    fidelity: String, ("f", METRICS_GROUP, "Fidelity is", "Form of fidelity"), FieldKind::Choice(FIDELITY_CHOICES), part_if_changed(14, "-");
    centred: bool, ("centred", DATA_GROUP, "Centre the activations first",
        "Dictionary of the centred activations (principal components)"),
        FieldKind::Switch, part_if_changed(16, "-centred");
    weights: Vec<f64>, ("w", METRICS_GROUP, "Weights", "Weights of sparsity, fidelity, completeness"),
        FieldKind::Weights { axes: &["sparsity", "fidelity", "completeness"], least: WEIGHT_MIN, most: WEIGHT_MAX },
        part_if_changed(17, "-weights");
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
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
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
        let NetworkSpec { shape, weight_scale, bias_scale, seed: model_seed } = NetworkSpec::default();
        let DataSpec { samples, seed: data_seed, noise } = DataSpec::default();
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

impl Draft {
    /// The names of the fields.
    pub const FIELDS: [&str; FIELDS.len()] = {
        let mut names = [""; FIELDS.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = FIELDS[at].name;
            at += 1;
        }
        names
    };

    /// Checks every field and fills what is missing with the paper's values.
    ///
    /// # Errors
    /// All refused fields together, each with its value and what is allowed; a request whose
    /// estimated memory exceeds [`MEMORY_CAP`] is refused under the field `memory`.
    pub fn parse(&self) -> Result<Settings, Problems> {
        check(self)
    }
}

impl Parameters for Settings {
    type ParameterDraft = Draft;

    const STUDY: &'static str = "sfc";
    const FIELDS: &'static [Field] = &FIELDS;
    /// As many rows as the paper has fit any width.
    const CONFLICT_RESET_FIELD: &'static str = "samples";

    #[inline(never)]
    fn from_valid_draft(draft: &Draft) -> Self {
        let paper = Self::default();
        let count = |value: Option<f64>, usual: usize| value.map_or(usual, |value| value as usize);
        let seed = |value: Option<f64>, usual: u32| value.map_or(usual, |value| value as u32);
        let preset = draft.config.as_deref().and_then(Preset::named);
        let base = preset.and_then(Preset::shape).unwrap_or(Shape::STANDARD);
        let hidden = count(draft.hidden, base.hidden);
        let shape = Shape {
            inputs: count(draft.inputs, base.inputs),
            hidden,
            outputs: count(draft.outputs, base.outputs),
            circuit: count(draft.circuit, base.circuit.min(hidden)),
        };
        let weights = match draft.weights.as_deref() {
            Some(&[alpha, beta, gamma]) => Weights::new(alpha, beta, gamma).ok(),
            _ => None,
        };
        Self {
            config: Preset::from_shape(shape),
            shape,
            weight_scale: draft.weight_scale.unwrap_or(paper.weight_scale),
            bias_scale: draft.bias_scale.unwrap_or(paper.bias_scale),
            noise: draft.noise.unwrap_or(paper.noise),
            model_seed: seed(draft.model_seed, paper.model_seed),
            data_seed: seed(draft.data_seed, paper.data_seed),
            completeness_seed: seed(draft.completeness_seed, paper.completeness_seed),
            samples: count(draft.samples, paper.samples),
            k: count(draft.k, PAPER_K.min(hidden.saturating_sub(1))),
            levels: draft.levels.clone().unwrap_or(paper.levels),
            completeness: parse_word(&COMPLETENESS_WORDS, draft.completeness.as_deref()),
            fidelity: parse_word(&FIDELITY_WORDS, draft.fidelity.as_deref()),
            centred: draft.centred.unwrap_or(paper.centred),
            weights: weights.unwrap_or(paper.weights),
        }
    }

    #[inline(never)]
    fn draft(&self) -> Draft {
        let Self { shape, .. } = self;
        let count = |count: usize| Some(count as f64);
        let seed = |seed: u32| Some(f64::from(seed));
        Draft {
            config: Some(self.config.name().to_owned()),
            inputs: count(shape.inputs),
            hidden: count(shape.hidden),
            outputs: count(shape.outputs),
            circuit: count(shape.circuit),
            weight_scale: Some(self.weight_scale),
            bias_scale: Some(self.bias_scale),
            noise: Some(self.noise),
            model_seed: seed(self.model_seed),
            data_seed: seed(self.data_seed),
            completeness_seed: seed(self.completeness_seed),
            samples: count(self.samples),
            k: count(self.k),
            levels: Some(self.levels.clone()),
            completeness: Some(to_word(&COMPLETENESS_WORDS, self.completeness)),
            fidelity: Some(to_word(&FIDELITY_WORDS, self.fidelity)),
            centred: Some(self.centred),
            weights: Some(self.weights.values().to_vec()),
        }
    }

    fn problem(&self) -> Option<Problem> {
        self.memory_problem()
    }
}

/// What a word stands for; the first meaning where there is none.
fn parse_word<T: Copy, const N: usize>(words: &[(&str, T); N], word: Option<&str>) -> T {
    let found = words.iter().find(|(other, _)| Some(*other) == word);
    found.unwrap_or(&words[0]).1
}

/// The word for a meaning.
fn to_word<T: Copy + PartialEq, const N: usize>(words: &[(&str, T); N], meaning: T) -> String {
    let found = words.iter().find(|(_, other)| *other == meaning);
    found.unwrap_or(&words[0]).0.to_owned()
}

/// What is read of [`Settings`], by value.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {
        impl Settings {
            $($(#[$doc])* #[must_use] pub fn $name(&self) -> $type { self.$name })*
        }
    };
}

getters! {
    /// The configuration's name: a preset's, or custom.
    config: Preset;
    /// Sizes of the planted network.
    shape: Shape;
    /// Standard deviation of W₁'s entries (0.3 in the paper).
    weight_scale: f64;
    /// Standard deviation of both biases' entries (0.1 in the paper).
    bias_scale: f64;
    /// Standard deviation of the noise added to the activations (0 in the paper).
    noise: f64;
    /// Seed of circuit, weights and biases (42 in the paper).
    model_seed: u32;
    /// Seed of the inputs, and of the noise after them (1 in the paper).
    data_seed: u32;
    /// Seed that picks the rows of the paper's completeness (42 in the paper).
    completeness_seed: u32;
    /// Number of rows N (2,000 in the paper).
    samples: usize;
    /// Dictionary size K (48 in the paper).
    k: usize;
    /// The reading of Eq. 3.
    completeness: CompletenessReading;
    /// The form of Eq. 2.
    fidelity: FidelityMode;
    /// Whether the dictionary is that of the centred activations (it is not, in the paper).
    centred: bool;
    /// Preference weights of Eq. 4.
    weights: Weights;
}

impl Settings {
    /// Sparsity levels λ, in the order they were given.
    #[must_use]
    pub fn levels(&self) -> &[f64] {
        &self.levels
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
        Self { config: Preset::from_shape(shape), shape, k: self.k.min(shape.hidden), ..self.clone() }
    }

    /// The network that is drawn.
    #[must_use]
    pub fn network_spec(&self) -> NetworkSpec {
        NetworkSpec {
            shape: self.shape,
            weight_scale: self.weight_scale,
            bias_scale: self.bias_scale,
            seed: self.model_seed,
        }
    }

    /// The rows that it is shown.
    #[must_use]
    pub fn data_spec(&self) -> DataSpec {
        DataSpec { samples: self.samples, seed: self.data_seed, noise: self.noise }
    }

    /// Whether these are the paper's own settings; the weights, which only re-score, aside.
    #[must_use]
    pub fn has_paper_values(&self) -> bool {
        self.clone().with_weights(Weights::EQUAL) == Self::default()
    }

    /// Dictionary sizes for Table 6's sweep: ⅛, ¼, ⅜, ½ and ¾ of the hidden width, and one less
    /// than it. At width 64 these are the paper's 8, 16, 24, 32, 48, 63.
    #[must_use]
    pub fn swept_sizes(&self) -> Vec<usize> {
        let hidden = self.shape.hidden;
        let mut sizes: Vec<usize> = [hidden / 8, hidden / 4, 3 * hidden / 8, hidden / 2, 3 * hidden / 4, hidden - 1]
            .into_iter()
            .filter(|size| *size > 0)
            .collect();
        sizes.dedup();
        sizes
    }

    /// Estimated peak memory of a run, in bytes: activations, codes for the widest dictionary in
    /// both layouts with their order and classes, outputs, and (centred) deviations.
    #[must_use]
    pub fn estimate_memory(&self) -> u64 {
        // The widest request does not fit a 32-bit `usize`, which wasm has.
        let (rows, hidden) = (self.samples as u64, self.shape.hidden as u64);
        let codes = hidden;
        let deviations = if self.centred { hidden } else { 0 };
        // Standard, Dense, Sparse and the network in view may share a layer.
        let outputs = 4 * self.shape.outputs as u64;
        8 * (rows * (hidden + 2 * codes + deviations + outputs) + 4 * hidden * hidden) + 4 * rows * codes
    }

    fn memory_problem(&self) -> Option<Problem> {
        let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
        let needed = self.estimate_memory();
        (needed > MEMORY_CAP).then(|| {
            Problem::new(
                "memory",
                format!("{} MiB", mebibytes(needed)),
                format!("at most {} MiB: fewer samples or fewer hidden units", mebibytes(MEMORY_CAP)),
            )
        })
    }
}
