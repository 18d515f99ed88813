//! All fifteen metrics on subjects that are known to be good or bad: which of them tell the two apart, which pass a
//! bad one, which cannot fail and which cannot pass.

mod circuits;
pub(crate) mod features;
mod language;
mod row;
mod verdict;

pub use row::{ReadingSource, VALIDATION_ROWS, ValidationRow, find_row};
pub use verdict::{RowVerdict, Verdict, row_verdict};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::adaptive_sparsity::AdaptiveSparsity;
use crate::papers::measurement::metric::architecture_duality::ArchitectureDuality;
use crate::papers::measurement::metric::core_stability::CoreTraining;
use crate::papers::measurement::metric::matryoshka::Matryoshka;
use crate::papers::measurement::metric::nla_sae::NlaSae;
use crate::papers::measurement::metric::polysemanticity::Polysemanticity;
use crate::papers::measurement::metric::safety_sve::SafetySve;
use crate::papers::measurement::metric::weight_lens::WeightLens;
use crate::papers::measurement::metric::{AuditAsCoded, AuditAsDocumented, Weber};
use crate::settings::named;
use crate::synthetic::language::Task;
use crate::toy_model::FINAL_CHECKPOINT;

named! {
    /// What a metric is given.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementSubject"))]
    #[serde(rename_all = "kebab-case")]
    pub enum Subject {
        /// The truth: planted directions with their magnitudes, a planted circuit, a score without noise.
        Oracle = "oracle",
        /// An autoencoder or a model after its training.
        Trained = "trained",
        /// The circuit that is found.
        Found = "found",
        /// An autoencoder after a tenth of its training.
        HalfTrained = "half-trained",
        /// Groups of prompts that are dealt out at random.
        Dealt = "dealt",
        /// All heads.
        Full = "full",
        /// No heads.
        Empty = "empty",
        /// First weights, as they were drawn.
        Untrained = "untrained",
        /// Random directions, as many random heads, random edges, noise.
        Random = "random",
        /// The right parts in a wrong order.
        Permuted = "permuted",
        /// Groups of prompts that do differ.
        Differing = "differing",
    }
}

impl Subject {
    /// What it ought to get: true to pass, false to fail; none where it is in between, or says nothing of the metric.
    #[must_use]
    pub const fn expected_to_pass(self) -> Option<bool> {
        match self {
            Self::Oracle | Self::Trained | Self::Found | Self::Dealt => Some(true),
            Self::Empty | Self::Untrained | Self::Random | Self::Permuted | Self::Differing => Some(false),
            Self::HalfTrained | Self::Full => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

named! {
    /// Where the truth is known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementGround"))]
    #[serde(rename_all = "kebab-case")]
    pub enum Testbed {
        /// Planted features and circuits.
        Planted = "planted",
        /// The toy model.
        Language = "language",
    }
}

/// Values of one quantity of one metric, of one subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementLine"))]
pub struct MeasurementRecord {
    /// The metric's id: "m07".
    pub metric: String,
    /// The quantity, as [`VALIDATION_ROWS`] have it.
    pub quantity: String,
    /// Where.
    pub ground: Testbed,
    /// Of what.
    pub subject: Subject,
    /// One a seed, or one a task.
    pub values: Vec<f64>,
}

/// Lines of one part, as they are found.
struct RecordCollector {
    ground: Testbed,
    lines: Vec<MeasurementRecord>,
}

impl RecordCollector {
    const fn new(ground: Testbed) -> Self {
        Self { ground, lines: Vec::new() }
    }

    /// A number that the metric has; what is no number says nothing.
    fn add(&mut self, metric: &str, quantity: &str, subject: Subject, value: f64) {
        if value.is_finite() {
            self.lines.push(MeasurementRecord {
                metric: metric.to_owned(),
                quantity: quantity.to_owned(),
                ground: self.ground,
                subject,
                values: vec![value],
            });
        }
    }

    /// Some quantities of a result, in the order in which they are named; those that have a value.
    fn add_named_quantities(
        &mut self,
        metric: &str,
        subject: Subject,
        quantities: Vec<(&'static str, Option<f64>)>,
        names: &[&str],
    ) {
        for name in names {
            if let Some((_, Some(value))) = quantities.iter().find(|(other, _)| other == name) {
                self.add(metric, name, subject, *value);
            }
        }
    }

    /// All metrics of a decomposition but M09, which trains its own.
    fn add_decomposition_metrics(&mut self, subject: Subject, found: &DecompositionMetrics) {
        let DecompositionMetrics { m07, m08, m10: [document, code], m11, m12, ex34 } = found;
        let agreements = ["agreement_code", "agreement_matched", "agreement_document"];
        self.add_named_quantities("m07", subject, m07.quantities(), &agreements);
        self.add_named_quantities("m08", subject, m08.quantities(), &["agreement"]);
        self.add("m10", "rate_document", subject, document.rate.rate);
        self.add("m10", "rate_code", subject, code.rate.rate);
        let consistencies = ["consistency_code", "consistency_document"];
        self.add_named_quantities("m11", subject, m11.quantities(), &consistencies);
        let mismatches = ["k_mismatch_rate", "k_mismatch_rate_document", "complexity_k_correlation"];
        self.add_named_quantities("m12", subject, m12.quantities(), &mismatches);
        let means = ["mean_token_overlap", "mean_direction_cosine"];
        self.add_named_quantities("ex34", subject, ex34.quantities(), &means);
    }

    /// M09.
    fn add_core_training(&mut self, subject: Subject, found: &CoreTraining) {
        let CoreTraining { document, code } = found;
        self.add("m09", "mean_overlap_document", subject, document.stability.mean_overlap);
        self.add("m09", "mean_overlap_code", subject, code.stability.mean_overlap);
    }

    /// M14.
    fn add_safety_sve(&mut self, subject: Subject, found: &SafetySve) {
        let names = ["sve_code", "sve_document", "stability_code"];
        self.add_named_quantities("m14", subject, found.quantities(), &names);
    }

    /// EX11.
    fn add_weber(&mut self, subject: Subject, found: &Weber) {
        let names = ["weber_consistency_code", "weber_consistency_relative_jnd", "share_detectable"];
        self.add_named_quantities("ex11", subject, found.quantities(), &names);
    }

    /// EX24.
    fn add_audits(&mut self, subject: Subject, document: &AuditAsDocumented, code: &AuditAsCoded) {
        self.add("ex24", "cv_probe_sample", subject, document.cv_probe_sample);
        self.add("ex24", "cohens_d_document", subject, document.cohens_d_document.abs());
        self.add("ex24", "mean_cv_code", subject, code.mean_cv_code);
    }

    /// MIB, of edges in the code's order and of edges by their effect.
    fn add_mib_areas(&mut self, subject: Subject, [code, ranked]: [f64; 2]) {
        self.add("mib", "cpr_code", subject, code);
        self.add("mib", "cpr_ranked", subject, ranked);
    }
}

/// What the metrics of decompositions say of one subject.
struct DecompositionMetrics {
    m07: ArchitectureDuality,
    m08: WeightLens,
    /// In the text's reading and in the code's.
    m10: [Polysemanticity; 2],
    m11: Matryoshka,
    m12: AdaptiveSparsity,
    ex34: NlaSae,
}

/// A part of the whole, that one worker measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValidationPart {
    /// Planted features of a seed.
    Features(u32),
    /// A planted circuit of a seed.
    Circuit(u32),
    /// The toy model's shipped autoencoders.
    Autoencoders,
    /// An autoencoder of the toy model that is trained a tenth of the way, and not at all, from a seed; and M09.
    PartlyTrained(u32),
    /// What tells safe from unsafe in the toy model, and how its layers are spread.
    Layers,
    /// One of the toy model's tasks.
    Task(Task),
}

impl ValidationPart {
    /// Everything, under so many seeds; what is there soonest first.
    #[must_use]
    pub fn all_for_seeds(seeds: u32) -> Vec<Self> {
        let mut parts = vec![Self::Features(0), Self::Circuit(0), Self::Layers, Self::Autoencoders];
        parts.extend(Task::ALL.map(Self::Task));
        parts.push(Self::PartlyTrained(0));
        for seed in 1..seeds {
            parts.extend([Self::Circuit(seed), Self::Features(seed), Self::PartlyTrained(seed)]);
        }
        parts
    }

    /// Its key: "features-0", "task-ioi".
    #[must_use]
    pub fn key(self) -> String {
        match self {
            Self::Features(seed) => format!("features-{seed}"),
            Self::Circuit(seed) => format!("circuit-{seed}"),
            Self::Autoencoders => "autoencoders".to_owned(),
            Self::PartlyTrained(seed) => format!("made-{seed}"),
            Self::Layers => "layers".to_owned(),
            Self::Task(task) => format!("task-{task}"),
        }
    }

    /// The part of a key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        let (kind, which) = key.split_once('-').unwrap_or((key, ""));
        let seed = || which.parse().ok();
        match kind {
            "features" => seed().map(Self::Features),
            "circuit" => seed().map(Self::Circuit),
            "made" => seed().map(Self::PartlyTrained),
            "task" => Task::from_name(which).map(Self::Task),
            "autoencoders" if which.is_empty() => Some(Self::Autoencoders),
            "layers" if which.is_empty() => Some(Self::Layers),
            _ => None,
        }
    }

    /// The shipped files that it takes.
    #[must_use]
    pub fn required_files(self) -> Vec<&'static str> {
        match self {
            Self::Features(_) | Self::Circuit(_) => Vec::new(),
            Self::Autoencoders => vec![FINAL_CHECKPOINT, "sae", "sae_controls"],
            Self::PartlyTrained(_) => vec![FINAL_CHECKPOINT, "sae"],
            Self::Task(_) => vec![FINAL_CHECKPOINT],
            Self::Layers => vec![FINAL_CHECKPOINT, UNTRAINED_CHECKPOINT],
        }
    }

    /// Measures it; `prompts` of each task.
    ///
    /// # Errors
    /// [`MeasurementError`]: a shipped file that is not there.
    pub fn measure(self, prompts: usize) -> Result<Vec<MeasurementRecord>, MeasurementError> {
        match self {
            Self::Features(seed) => features::measure_features(seed),
            Self::Circuit(seed) => circuits::measure_circuits(seed, prompts),
            Self::Autoencoders => language::measure_autoencoders(),
            Self::PartlyTrained(seed) => language::measure_partly_trained(seed),
            Self::Layers => language::measure_layers(),
            Self::Task(task) => language::measure_task(task, prompts),
        }
    }
}

/// The toy model before its training.
const UNTRAINED_CHECKPOINT: &str = "ck-00000";

/// Lines of several parts, those of one thing in one, in the order of [`VALIDATION_ROWS`], grounds and subjects.
#[must_use]
pub fn merge_records(parts: impl IntoIterator<Item = Vec<MeasurementRecord>>) -> Vec<MeasurementRecord> {
    let mut lines: Vec<MeasurementRecord> = Vec::new();
    for line in parts.into_iter().flatten() {
        let same = |other: &&mut MeasurementRecord| {
            (&other.metric, &other.quantity, other.ground, other.subject)
                == (&line.metric, &line.quantity, line.ground, line.subject)
        };
        match lines.iter_mut().find(same) {
            Some(other) => other.values.extend(line.values),
            None => lines.push(line),
        }
    }
    let place = |line: &MeasurementRecord| {
        VALIDATION_ROWS.iter().position(|row| row.metric == line.metric && row.quantity == line.quantity)
    };
    lines.sort_by_key(|line| (place(line), line.ground, line.subject));
    lines
}
