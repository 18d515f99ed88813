use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::subject::{Subject, World};

/// What one metric says of one subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditValue"))]
pub struct MetricValue {
    /// The metric's id.
    pub metric: String,
    /// What it says; none where it is not defined or refuses.
    pub value: Option<f64>,
    /// What it took, as if nothing were shared between metrics, in seconds. Not part of any digest.
    pub seconds: f64,
    /// Rows that were encoded, prompts that were passed through a model.
    pub evaluations: u64,
}

/// One subject of one world and seed, and what every metric says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditRow"))]
pub struct SubjectRow {
    /// Where.
    pub world: World,
    /// Which of several places of one kind there: the task of a circuit, the name of a model; empty where there is one.
    #[serde(default)]
    pub place: String,
    /// The seed of the world and of what is trained in it.
    pub seed: u32,
    /// What it is there for.
    pub subject: Subject,
    /// The first edition's truth: how good it is by what is planted, more is better; none where nothing is known of it.
    pub truth: Option<f64>,
    /// What is known of it by name, more is better, each computed without any metric of the registry; none in reports
    /// of the first edition.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub truths: BTreeMap<String, f64>,
    /// Active latents of a row, or heads; none of what has neither.
    pub size: Option<f64>,
    /// Latents, or all heads; none of what has neither.
    pub width: Option<f64>,
    /// One a metric; none where the subject is not applicable.
    pub values: Vec<MetricValue>,
    /// Why what is given has no such control, dose or guise, where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub not_applicable: Option<String>,
}

impl SubjectRow {
    /// "topk, seed 3: duplicated is not applicable, as …"; none of a row that is.
    #[must_use]
    pub fn not_applicable_note(&self) -> Option<String> {
        let (place, seed, name) = (&self.place, self.seed, &self.subject.name);
        let why = self.not_applicable.as_ref()?;
        Some(format!("{place}, seed {seed}: {name} is not applicable, as {why}."))
    }
}
