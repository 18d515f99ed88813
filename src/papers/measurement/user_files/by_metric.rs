//! What a reader's own files come to, by metric.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::metric::adaptive_sparsity::AdaptiveSparsity;
use super::super::metric::architecture_duality::ArchitectureDuality;
use super::super::metric::matryoshka::Matryoshka;
use super::super::metric::superposition::{FeatureSuperposition, Superposition};
use super::super::metric::{
    AuditAsDocumented, CurveError, DPrime, Dif, FaithfulnessArea, RELATIVE_DEVIATION_MAX, Reproducibility, RunsError,
    ablation_recovery, audit_as_documented, coefficient_of_variation, completeness, d_prime, dif, faithfulness_area,
    reproducibility,
};
use super::graph::OwnGraph;
use crate::statistics::StatisticsError;
use crate::study::user_file::{Reported, UserFileError};

/// Most groups, configurations and runs: pairs of them are compared.
pub(super) const COMPARED_MAX: usize = 100;

/// Most pairs of configurations, of all metrics together, that are listed one by one; of more there is a summary.
pub const LISTED_PAIRS_MAX: usize = 10_000;
/// Most pairs of configurations, of all metrics together, that are compared.
pub const PAIRS_MAX: usize = 2_000_000;

/// EX1 and sums of logit differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OwnDPrime {
    /// Prompts.
    pub prompts: usize,
    /// EX1.
    pub ex1: DPrime,
    /// How much of the summed logit difference is gone.
    pub completeness: f64,
    /// How little the ablation changes it.
    pub ablation_recovery: f64,
}

/// A metric in one configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Configuration {
    /// Its name.
    pub name: String,
    /// The metric's value under each seed.
    pub values: Vec<f64>,
    /// Its coefficient of variation with ddof 1; none of a single seed.
    pub cv_sample: Option<f64>,
    /// The same with ddof 0.
    pub cv_pop: f64,
}

/// Two configurations compared: the audit of the text, with the first one's coefficient of variation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConfigurationPair {
    /// The one.
    pub first: String,
    /// The other.
    pub second: String,
    /// EX24.
    pub audit: AuditAsDocumented,
}

/// What pairs of configurations come to that are too many to be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PairsSummary {
    /// How many pairs there are.
    pub pairs: usize,
    /// How many of them EX24 passes as the text has it.
    pub passed_document: usize,
}

/// EX24 of one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnAudit {
    /// Configurations, in the file's order.
    pub configurations: Vec<Configuration>,
    /// All pairs of those with two seeds or more; none where they are summarised.
    pub pairs: Vec<ConfigurationPair>,
    /// What all pairs come to, where those of all metrics together are more than [`LISTED_PAIRS_MAX`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<PairsSummary>,
}

impl OwnAudit {
    /// How many pairs there are, and how many of them pass.
    #[must_use]
    pub fn pairs_summary(&self) -> PairsSummary {
        let passed = || self.pairs.iter().filter(|pair| pair.audit.passed_document).count();
        let listed = || PairsSummary { pairs: self.pairs.len(), passed_document: passed() };
        self.summary.unwrap_or_else(listed)
    }
}

/// Whether the pairs of some metrics' configurations are listed one by one.
///
/// # Errors
/// [`UserFileError::Value`] above [`PAIRS_MAX`].
pub(super) fn should_list_pairs<'a>(
    file: &str,
    metrics: impl Iterator<Item = &'a [usize]>,
) -> Result<bool, UserFileError> {
    let several = |seeds: &[usize]| seeds.iter().filter(|seeds| **seeds > 1).count();
    let pairs = metrics.map(|seeds| {
        let count = several(seeds);
        count * count.saturating_sub(1) / 2
    });
    let pairs = pairs.fold(0_usize, usize::saturating_add);
    if pairs > PAIRS_MAX {
        let field = "pairs of configurations, of all metrics together";
        let allowed = format!("at most {PAIRS_MAX}: fewer results at once");
        return Err(UserFileError::value(file, field, pairs.to_string(), allowed));
    }
    Ok(pairs <= LISTED_PAIRS_MAX)
}

/// A faithfulness curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnCurve {
    /// Shares of edges.
    pub thresholds: Vec<f64>,
    /// Faithfulness at each.
    pub faithfulness: Vec<f64>,
    /// Its areas.
    pub area: FaithfulnessArea,
    /// What the file holds, in a sentence, where a tool wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    /// Edges that are kept at each, where the file says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<f64>>,
    /// Its own areas, computed anew.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<Reported>,
}

/// M13 of what there is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnSuperposition {
    /// Of the residual stream.
    #[serde(flatten)]
    pub stream: Option<Superposition>,
    /// Of the decoder's rows.
    #[serde(flatten)]
    pub directions: Option<FeatureSuperposition>,
}

/// A number that an evaluation reports, under several seeds and of however many autoencoders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeedMetric {
    /// The evaluation: "sparse_probing", "tpp"; or "mechval".
    pub evaluation: String,
    /// Which number: "sae.sae_top_1_test_accuracy"; mechval's metric: "EX1.dprime".
    pub quantity: String,
    /// What its seeds and autoencoders say of it; of the latter each is a configuration, of mechval's metrics each task.
    pub audit: OwnAudit,
}

/// A result of mechval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MechvalResult {
    /// Where in its file: "line 3", "results.0".
    pub place: String,
    /// Its metric: "EX1.dprime".
    pub metric: String,
    /// Its task; "aggregate" where it is of several.
    pub task: Option<String>,
    /// The seed that it, its file's settings or its folder say.
    pub seed: Option<u64>,
    /// Its value; none where that is null or no finite number.
    pub value: Option<f64>,
    /// How many prompts it is of.
    pub n: Option<u64>,
    /// Whether it says that it passed.
    pub passed: Option<bool>,
    /// Whether the numbers that it has meet the page's condition; none where they do not suffice to tell.
    pub passed_document: Option<bool>,
    /// The same of the code's condition.
    pub passed_code: Option<bool>,
    /// The metric's value of random circuits, where it says one.
    pub baseline_random: Option<f64>,
    /// Its numbers that follow from others of it, computed anew.
    pub reported: Vec<Reported>,
}

/// How well an explanation tells where a latent is active.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DetectionScores {
    /// Examples with a prediction.
    pub examples: usize,
    /// Examples without one: the judge's answer was not understood.
    pub failed: usize,
    /// Those with a prediction in which the latent is active; none where it is not told.
    pub activating: Option<usize>,
    /// The share that is right; none without an example.
    pub accuracy: Option<f64>,
    /// The mean of the shares that are right of those with the latent and of those without it; none where there are none of
    /// either.
    pub balanced_accuracy: Option<f64>,
    /// The share of predicted ones that have the latent; 0 where none is predicted, as delphi has it.
    pub precision: Option<f64>,
    /// The share of those with the latent that is predicted; none where there are none.
    pub recall: Option<f64>,
    /// Their harmonic mean, 0 where both are.
    pub f1: Option<f64>,
    /// The area under the ROC curve of the judge's probabilities; none where there are none, or of one kind of example.
    pub auc: Option<f64>,
    /// Its 95 % interval.
    pub auc_interval: Option<[f64; 2]>,
}

/// One latent's scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatentScores {
    /// The latent, as its file is named.
    pub latent: String,
    /// Its scores.
    #[serde(flatten)]
    pub found: DetectionScores,
}

/// delphi's scores of explanations by one scorer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DelphiScores {
    /// What the files hold, in a sentence.
    pub holds: String,
    /// The scorer: "detection", "fuzz", by the folder's name.
    pub scorer: String,
    /// Of all examples together, as delphi's own table has it.
    #[serde(flatten)]
    pub all: DetectionScores,
    /// The mean over latents of their balanced accuracies, of those that have one.
    pub mean_balanced_accuracy: Option<f64>,
    /// One a latent.
    pub latents: Vec<LatentScores>,
}

/// What Neuronpedia or SAEDashboard export of the latents of a source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NeuronpediaSummary {
    /// What the files hold, in a sentence.
    pub holds: String,
    /// What a metric would need besides, where it would need something.
    pub needs: Option<String>,
    /// The model and the source: "gemma-2-2b, 20-gemmascope-res-16k".
    pub source: String,
    /// Latents with a share of tokens in which they are active.
    pub latents: usize,
    /// The sum of these shares: how many of these latents are active in a token on average, L0 where all of the source's are
    /// there. None without one.
    pub active_per_token: Option<f64>,
    /// Latents that are active in no token, as far as digits go.
    pub dead: Option<usize>,
    /// Latents that are active in more than a tenth of all tokens.
    pub dense: Option<usize>,
    /// Explanations.
    pub explanations: usize,
    /// Latents that have one.
    pub explained: usize,
    /// Models that wrote them.
    pub explainers: Vec<String>,
    /// Contexts with activations.
    pub contexts: usize,
}

/// What is found in files that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "metric", content = "found", rename_all = "lowercase")]
pub enum OwnResults {
    /// d′ and sums, of logit differences with and without a circuit.
    Ex1(OwnDPrime),
    /// Groups compared.
    Ex2(Dif),
    /// A metric under several seeds and in several configurations.
    Ex24(OwnAudit),
    /// Numbers that SAEBench reports under several seeds.
    Seeds(Vec<SeedMetric>),
    /// Runs compared.
    Ex25(Reproducibility),
    /// Areas under a faithfulness curve.
    Mib(OwnCurve),
    /// Two autoencoders compared.
    M07(Box<ArchitectureDuality>),
    /// A small dictionary's features in a large one.
    M11(Box<Matryoshka>),
    /// How many features are active where there is more to say.
    M12(Box<AdaptiveSparsity>),
    /// How many directions there are for how many dimensions.
    M13(Box<OwnSuperposition>),
    /// A circuit.
    Circuit(OwnGraph),
    /// Results of mechval, each with what follows from its own numbers.
    Results(Vec<MechvalResult>),
    /// Scores of explanations.
    Delphi(DelphiScores),
    /// What is exported of latents.
    Neuronpedia(NeuronpediaSummary),
}

/// The refusal of a file's values as a metric says it.
pub(super) fn value_error(file: &str, error: &dyn std::fmt::Display, allowed: &str) -> UserFileError {
    UserFileError::value(file, "values", error.to_string(), allowed)
}

pub(super) fn measure_d_prime(file: &str, clean: &[f64], ablated: &[f64]) -> Result<OwnResults, UserFileError> {
    let of = || -> Result<OwnDPrime, StatisticsError> {
        Ok(OwnDPrime {
            prompts: clean.len(),
            completeness: completeness(clean, ablated)?,
            ablation_recovery: ablation_recovery(clean, ablated)?,
            ex1: d_prime(clean, ablated)?,
        })
    };
    let allowed = "as many logit differences with the circuit as without it";
    of().map(OwnResults::Ex1).map_err(|error| value_error(file, &error, allowed))
}

/// Values by name, names in the order in which they come.
pub(super) fn group_values(names: &[String], values: &[f64]) -> Vec<(String, Vec<f64>)> {
    let mut places = BTreeMap::new();
    let mut found: Vec<(String, Vec<f64>)> = Vec::new();
    for (name, value) in names.iter().zip(values) {
        let at = *places.entry(name.as_str()).or_insert_with(|| {
            found.push((name.clone(), Vec::new()));
            found.len() - 1
        });
        if let Some((_, values)) = found.get_mut(at) {
            values.push(*value);
        }
    }
    found
}

pub(super) fn check_compared_count(file: &str, what: &str, found: usize) -> Result<(), UserFileError> {
    if found <= COMPARED_MAX {
        return Ok(());
    }
    let allowed = format!("at most {COMPARED_MAX}: all pairs are compared");
    Err(UserFileError::value(file, what, found.to_string(), allowed))
}

pub(super) fn measure_groups(file: &str, names: &[String], values: &[f64]) -> Result<OwnResults, UserFileError> {
    let groups = group_values(names, values);
    check_compared_count(file, "groups", groups.len())?;
    let given: Vec<(&str, &[f64])> = groups.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect();
    dif(&given).map(OwnResults::Ex2).map_err(|error| value_error(file, &error, "groups of logit differences"))
}

/// A metric's values by configuration.
pub(super) fn measure_configurations(
    file: &str,
    configurations: Vec<(String, Vec<f64>)>,
    listed: bool,
) -> Result<OwnAudit, UserFileError> {
    check_compared_count(file, "configurations", configurations.len())?;
    let of = || -> Result<OwnAudit, StatisticsError> {
        let (mut pairs, mut summary) = (Vec::new(), PairsSummary { pairs: 0, passed_document: 0 });
        let several = || configurations.iter().enumerate().filter(|(_, one)| one.1.len() > 1);
        for (at, (first, a)) in several() {
            for (_, (second, b)) in several().filter(|(other, _)| *other > at) {
                let audit = audit_as_documented(a, a, b)?;
                if !listed {
                    summary.pairs += 1;
                    summary.passed_document += usize::from(audit.passed_document);
                    continue;
                }
                pairs.push(ConfigurationPair { first: first.clone(), second: second.clone(), audit });
            }
        }
        let each = configurations.iter().map(|(name, values)| {
            Ok(Configuration {
                name: name.clone(),
                cv_sample: coefficient_of_variation(values, 1).ok(),
                cv_pop: coefficient_of_variation(values, 0)?,
                values: values.clone(),
            })
        });
        let configurations = each.collect::<Result<_, StatisticsError>>()?;
        Ok(OwnAudit { configurations, pairs, summary: (!listed).then_some(summary) })
    };
    let allowed = "a metric's values by seed and configuration";
    of().map_err(|error| value_error(file, &error, allowed))
}

pub(super) fn measure_runs(
    file: &str,
    runs: &[Vec<f64>],
    prompts: Option<&[Vec<usize>]>,
) -> Result<OwnResults, UserFileError> {
    check_compared_count(file, "runs", runs.len())?;
    let found = reproducibility(runs, prompts, RELATIVE_DEVIATION_MAX);
    let allowed = "two runs or more, each with values of prompts that it has once";
    found.map(OwnResults::Ex25).map_err(|error: RunsError| value_error(file, &error, allowed))
}

pub(super) fn measure_curve(
    file: &str,
    thresholds: Vec<f64>,
    faithfulness: Vec<f64>,
) -> Result<OwnCurve, UserFileError> {
    let area = faithfulness_area(&thresholds, &faithfulness);
    let allowed = "rising shares of edges above 0 and at most 1, each with a faithfulness";
    let area = area.map_err(|error: CurveError| value_error(file, &error, allowed))?;
    let (holds, edges, reported) = (None, None, Vec::new());
    Ok(OwnCurve { thresholds, faithfulness, area, holds, edges, reported })
}
