use serde::{Deserialize, Serialize};

use super::rule::{Column, VerdictWord};

/// A statistic over seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditEstimate"))]
pub struct Estimate {
    /// Its mean.
    pub mean: f64,
    /// The 95 % interval of its mean; none from one seed.
    pub interval: Option<[f64; 2]>,
    /// How surprising it would be if its mean were 0; none from one seed, and of a size, which is never below 0.
    pub p: Option<f64>,
    /// The same, such that the false discovery rate of the table is controlled.
    pub q: Option<f64>,
    /// Of how many seeds.
    pub seeds: usize,
}

/// What is said of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditEntry"))]
pub struct MetricEntry {
    /// Its id.
    pub metric: String,
    /// One a column, in the order of [`Column::ALL`].
    pub cells: Vec<Cell>,
    /// What they follow from.
    pub evidence: Evidence,
}

/// What a column says of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditCell"))]
pub struct Cell {
    /// Which.
    pub column: Column,
    /// In a word.
    pub word: VerdictWord,
    /// The number behind it, in the column's own terms: the intraclass correlation (first edition: the coefficient of
    /// variation), AUC of the worst control, ρ with the truth, the greatest change in standard deviations (first edition: in
    /// distances from random), share of subjects that pass, greatest |ρ| with another metric, seconds.
    pub value: Option<f64>,
    /// Its interval, where there is one.
    pub interval: Option<[f64; 2]>,
    /// In a full sentence.
    pub says: String,
}

/// All numbers that the cells of one metric follow from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditEvidence"))]
pub struct Evidence {
    /// How much it varies.
    pub reliability: Reliability,
    /// One a control, by name.
    pub controls: Vec<ControlEvidence>,
    /// One a dose, by name.
    pub doses: Vec<DoseEvidence>,
    /// How it follows the truth.
    pub validity: Validity,
    /// One a change that should not matter, by name.
    pub changes: Vec<ChangeEvidence>,
    /// How far it reaches; none where it was never defined.
    pub reach: Option<Reach>,
    /// Metrics that were defined on the same subjects and ρ with each, the largest |ρ| first.
    pub alike: Vec<(String, f64)>,
    /// What it takes; none where it was never defined.
    pub cost: Option<Cost>,
}

/// Coefficients of variation, from 0; none where there are not two values or their mean is 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditReliability"))]
pub struct Reliability {
    /// How many seeds have a reference.
    pub seeds: usize,
    /// Of the reference over seeds.
    pub cv_seeds: Option<f64>,
    /// Over other data of the same kind, averaged over seeds.
    pub cv_samples: Option<f64>,
    /// Over seeds of the metric's own, averaged over seeds.
    pub cv_own: Option<f64>,
    /// How many seeds it takes to tell the reference from its nearest control; none where no number does.
    pub seeds_to_tell: Option<f64>,
    /// Second edition: one a world, how far values are the subject's rather than chance's.
    #[serde(default)]
    pub worlds: Vec<StabilityEvidence>,
}

/// How far a metric's values are the subject's, in one world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditStability"))]
pub struct StabilityEvidence {
    /// Where: "streams".
    pub world: String,
    /// The intraclass correlation ICC(C,1) of subjects over models.
    pub icc: f64,
    /// Its exact 95 % interval.
    pub interval: [f64; 2],
    /// How many subjects.
    pub subjects: usize,
    /// On how many models, or seeds.
    pub units: usize,
    /// Whether those are models.
    pub models: bool,
    /// The smallest difference of two subjects on one model that chance does not make.
    pub least_difference: f64,
    /// In a word.
    pub word: VerdictWord,
}

/// Whether a control is separated from the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditTold"))]
#[serde(rename_all = "kebab-case")]
pub enum ControlOutcome {
    /// It loses, as it ought to.
    #[serde(rename = "told")]
    Separated,
    /// It wins.
    Reversed,
    /// Its values are the reference's own.
    NotSeen,
    /// It cannot be told.
    Unknown,
    /// Second edition: it differs, but overlaps.
    Overlaps,
    /// Second edition: an interval has room for both.
    Inconclusive,
    /// Second edition: the metric reads nothing that the control changes.
    Equal,
    /// Second edition: no truth says that the control loses.
    NotApplicable,
}

/// How a metric finds a control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditControl"))]
pub struct ControlEvidence {
    /// Which: "random".
    pub name: String,
    /// By how many pooled standard deviations the reference is better, each seed's difference over that of all seeds,
    /// with Hedges' correction: the mean is Hedges' g. Where neither varies, and of one seed: in sizes of the reference.
    pub difference: Estimate,
    /// How often a reference is better than a control, over all pairs of seeds, from 0 to 1.
    pub auc: f64,
    /// The 95 % interval of it.
    pub auc_interval: Option<[f64; 2]>,
    /// The share of seeds in which the control meets the paper's condition; none where there is no condition.
    pub passes: Option<f64>,
    /// In a word.
    pub word: ControlOutcome,
    /// Second edition: where; empty in the first, which takes all worlds together.
    #[serde(default)]
    pub world: String,
    /// Second edition: whether the seeds of its estimates are models.
    #[serde(default)]
    pub models: bool,
}

/// How a metric follows a dose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditDose"))]
pub struct DoseEvidence {
    /// Of what: "steps".
    pub name: String,
    /// Level, mean over seeds and its 95 % interval, ascending; the reference is level 1.
    pub levels: Vec<(f64, f64, Option<[f64; 2]>)>,
    /// Spearman's ρ of level and value as its paper reads it, 0 where values do not vary; none of fewer than three.
    pub rho: Option<Estimate>,
}

/// Spearman's ρ with the truth, of values as the paper reads them: 0 where values do not vary, none where truths do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditValidity"))]
pub struct Validity {
    /// Whether the truth of any of its subjects is known.
    pub known: bool,
    /// With nothing given.
    pub rho: Option<Estimate>,
    /// Given active latents or heads.
    pub given_size: Option<Estimate>,
    /// Given all latents or heads.
    pub given_width: Option<Estimate>,
    /// Second edition: one a world and truth.
    #[serde(default)]
    pub truths: Vec<TruthEvidence>,
}

/// How a metric follows one truth in one world, among trained subjects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditTruth"))]
pub struct TruthEvidence {
    /// Where: "streams".
    pub world: String,
    /// Which: "steering".
    pub truth: String,
    /// Whether the metric shares a term with it.
    pub tied: bool,
    /// The most trained subjects of a place.
    pub subjects: usize,
    /// Whether the seeds of its estimate are models.
    pub models: bool,
    /// Spearman's ρ; none where the metric is constant or too few subjects differ. Its p is the larger of the two below.
    pub rho: Option<Estimate>,
    /// p of ρ over models, or seeds: whether it is 0 on other models of the same subjects.
    #[serde(default)]
    pub p_models: Option<f64>,
    /// p of ρ over subjects: whether as large a ρ is had where it is chance which of them has which truth, the same chance
    /// on all models.
    #[serde(default)]
    pub p_subjects: Option<f64>,
    /// Partial Spearman's ρ given active latents, or heads; none where that has no value.
    #[serde(default)]
    pub given_size: Option<Estimate>,
    /// What a metric that reads nothing else would have: ρ of the truth and fewer active latents, or heads, over the same
    /// subjects.
    #[serde(default)]
    pub of_size: Option<Estimate>,
    /// The same of the truth and the width.
    #[serde(default)]
    pub of_width: Option<Estimate>,
    /// In a word.
    pub word: VerdictWord,
}

/// How a metric takes a change that should not matter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditChange"))]
pub struct ChangeEvidence {
    /// Which: "scaled".
    pub name: String,
    /// The size of the change in units of the reference's distance from random, from 0; second edition: in standard
    /// deviations of the metric over the world's subjects.
    pub change: Estimate,
    /// Second edition: where; empty in the first.
    #[serde(default)]
    pub world: String,
    /// Second edition: whether the seeds of its estimate are models.
    #[serde(default)]
    pub models: bool,
    /// Second edition: in a word.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional))]
    pub word: Option<VerdictWord>,
}

/// How far a metric reaches, against its paper's condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditReach"))]
pub struct Reach {
    /// Its least value.
    pub least: f64,
    /// Its greatest.
    pub greatest: f64,
    /// Where it is least: "random on stream1".
    pub least_subject: String,
    /// Where it is greatest.
    pub greatest_subject: String,
    /// The share of subjects that pass, of those that were not searched for; none where the paper has no condition.
    pub share: Option<f64>,
    /// Whether the condition was seen to pass; none where the paper has none.
    pub passes: Option<bool>,
    /// Whether it was seen to fail.
    pub fails: Option<bool>,
    /// Whether what its formula reaches has a value that fails.
    pub formula_can_fail: Option<bool>,
    /// Whether it has one that passes.
    pub formula_can_pass: Option<bool>,
}

/// What a metric takes of one subject, as if nothing were shared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditCost"))]
pub struct Cost {
    /// The median.
    pub seconds: f64,
    /// Rows encoded, prompts passed: the median.
    pub evaluations: f64,
}

/// What is said of all metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditTable"))]
pub struct Table {
    /// One a metric, in the registry's order.
    pub entries: Vec<MetricEntry>,
    /// How they go together.
    pub correlations: Correlations,
    /// Second edition, of a whole report: what the words owe to where the limits are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub sensitivity: Option<LimitSensitivity>,
}

/// How many words change when the rule's limits do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditSensitivity"))]
pub struct LimitSensitivity {
    /// By how much every limit is moved, but that of q and those of seconds.
    pub by: f64,
    /// Words that hang on such a limit, of metrics that have values.
    pub words: usize,
    /// How many are others where the limits are lower.
    pub lower: usize,
    /// Where they are higher.
    pub higher: usize,
}

/// How metrics go together over subjects.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditCorrelations"))]
pub struct Correlations {
    /// Their ids, in the registry's order.
    pub metrics: Vec<String>,
    /// Spearman's ρ of each with each, averaged over seeds; none where two have too few subjects in common or one does
    /// not vary there.
    pub rho: Vec<Vec<Option<f64>>>,
    /// Indices as the leaves of the tree that average linkage makes stand beside each other.
    pub order: Vec<usize>,
    /// The cluster of each metric, from 0.
    pub clusters: Vec<usize>,
}
