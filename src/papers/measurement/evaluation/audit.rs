//! EX24 on the toy model: two metrics under several seeds, as the page has it, and what its code does.
//!
//! The page asks for one metric's coefficient of variation over seeds, and for Cohen's d between two configurations
//! that differ in quality. The metrics here are a linear probe on the texts' activations, whose other configuration is
//! the untrained network, and the recovery of the logit difference with all heads but the circuit's ablated, whose other
//! configuration is a random circuit of as many heads.
//!
//! The code has no probe and no second configuration. What it calls a probe's accuracy is the share of ¾ of the prompts
//! whose logit difference is above 0; its ablation sets five random coordinates of the middle layer's MLP output to 0.

use serde::{Serialize, Serializer};

use super::probe_texts::ProbeTexts;
use super::{CircuitChoice, EvaluationOptions, EvaluationResult};
use crate::model::{Batch, Edit, EditChange, EditTarget, Edits, Hook, Model, Site};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::CircuitEvaluator;
use crate::papers::measurement::metric::{
    AUDIT_SEEDS, AuditAggregate, AuditAsCoded, AuditAsDocumented, ablation_recovery, audit_aggregate, audit_as_coded,
    audit_as_documented, subsample,
};
use crate::rng::NumpyRng;
use crate::statistics::mean;
use crate::synthetic::language::{Concept, Prompts, Task};
use crate::toy_model;
use crate::toy_model::task::{logit_differences, test_prompts};

/// Most reseeds.
pub const RESEEDS_MAX: usize = 100;
/// The probe's other configuration: the network before its training.
pub const UNTRAINED_CHECKPOINT: &str = "ck-00000";
/// Coordinates that the code's ablation sets to 0 under each seed.
pub const ABLATED_DIMENSIONS: usize = 5;
/// The seed of the two scores that the code subtracts.
const DISCRIMINABILITY_SEED: u32 = 999;

/// What an audit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditSettings {
    /// Seeds, from 2 to 100: see [`audit_seeds`].
    pub n_reseeds: usize,
    /// What the probe is about; none for the concept that the task is about ([`super::concept_of_task`]).
    pub concept: Option<Concept>,
}

impl Default for AuditSettings {
    /// The audit's five seeds.
    fn default() -> Self {
        Self { n_reseeds: AUDIT_SEEDS.len(), concept: None }
    }
}

/// The first seeds of the audit: 42, 123, 456, 789, 2024, and from there on 2025, 2026, ….
#[must_use]
pub fn audit_seeds(count: usize) -> Vec<u32> {
    let [.., last] = AUDIT_SEEDS;
    AUDIT_SEEDS.into_iter().chain(last + 1..).take(count).collect()
}

fn serialize_concept_name<S: Serializer>(concept: &Concept, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(concept.name())
}

/// The page's audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperAudit {
    /// Of the probe: the checkpoint against the untrained network.
    #[serde(flatten)]
    pub probe: AuditAsDocumented,
    /// Of the ablation, under the same names: the circuit against a random one of as many heads.
    pub ablation: AuditAsDocumented,
    /// The probe's accuracies on texts held out, by seed.
    pub probe_scores: Vec<f64>,
    /// Those of the untrained network.
    pub probe_untrained: Vec<f64>,
    /// Those with labels in another order: what there is without anything to learn.
    pub probe_shuffled: Vec<f64>,
    /// The mean share of the more frequent label among the texts held out: what guessing gives.
    pub probe_majority: f64,
    /// How little changes with all heads but the circuit's mean-ablated, on ¾ of the prompts, by seed.
    pub ablation_scores: Vec<f64>,
    /// The same of the random circuit.
    pub ablation_random: Vec<f64>,
}

/// What the code does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImplementationAudit {
    /// Its audit.
    #[serde(flatten)]
    pub audit: AuditAsCoded,
    /// Shares of right answers on ¾ of the prompts, by seed from 0.
    pub probe_scores: Vec<f64>,
    /// Mean logit differences with five coordinates set to 0, by seed from 0.
    pub ablation_scores: Vec<f64>,
    /// The one score under seed 999.
    pub full_score: f64,
    /// The other under it, a quarter of all coordinates set to 0.
    pub ablated_score: f64,
    /// Where they are.
    pub hook: String,
}

/// EX24 in both readings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditResult {
    /// Seeds of the page's reading; the code counts from 0.
    pub seeds: Vec<u32>,
    /// What the probe is about.
    #[serde(serialize_with = "serialize_concept_name")]
    pub concept: Concept,
    /// Texts that it learns from and is scored on.
    pub texts: usize,
    /// Those of them that express the concept.
    pub positive: usize,
    /// As the page has it.
    pub document: PaperAudit,
    /// As the code has it.
    pub code: ImplementationAudit,
}

/// EX24: whether seeds move a metric less than what it is to tell apart.
///
/// # Errors
/// [`MeasurementError`]: as [`super::ex1`]; a number of reseeds that is not allowed; a probe without both labels.
pub fn ex24(
    model: &Model,
    asked: EvaluationOptions,
    settings: &AuditSettings,
) -> Result<EvaluationResult<AuditResult>, MeasurementError> {
    let count = settings.n_reseeds;
    if !(2..=RESEEDS_MAX).contains(&count) {
        return Err(MeasurementError::count_error("n_reseeds", count, 2, RESEEDS_MAX));
    }
    let seeds = audit_seeds(count);
    let concept = settings.concept.unwrap_or_else(|| super::concept_of_task(asked.task));
    let prompts = test_prompts(asked.task, asked.n_prompts)?;
    let mut circuits = CircuitEvaluator::new(model, &prompts)?;
    let circuit = asked.subject.find_heads(&mut circuits, asked.seed)?;
    // A random circuit is held against another one.
    let other = NumpyRng::new(asked.seed.wrapping_add(u32::from(asked.subject == CircuitChoice::Random)))
        .choice(circuits.heads().len() as u32, circuit.len());
    let other: Vec<_> = other.iter().filter_map(|at| circuits.heads().get(*at as usize).copied()).collect();
    let clean = circuits.clean_logit_differences().to_vec();
    let ablated = [circuits.circuit_logit_differences(&circuit)?, circuits.circuit_logit_differences(&other)?];
    let [ablation_scores, ablation_random] = ablated.map(|ablated| recovery_by_seed(&clean, &ablated, &seeds));
    let (ablation_scores, ablation_random) = (ablation_scores?, ablation_random?);
    let [own, untrained] = [
        ProbeTexts::from_model(model, concept)?,
        ProbeTexts::from_model(&*toy_model::load_model(UNTRAINED_CHECKPOINT)?, concept)?,
    ];
    let scores = seeds.iter().map(|seed| own.score_probe(*seed)).collect::<Result<Vec<_>, _>>()?;
    let accuracies = |probed: &ProbeTexts| -> Result<Vec<f64>, MeasurementError> {
        seeds.iter().map(|seed| Ok(probed.score_probe(*seed)?.accuracy)).collect()
    };
    let probe_scores: Vec<f64> = scores.iter().map(|score| score.accuracy).collect();
    let probe_untrained = accuracies(&untrained)?;
    let shuffled = seeds.iter().map(|seed| Ok(own.score_shuffled_labels(*seed)?.accuracy));
    let document = PaperAudit {
        probe: audit_as_documented(&probe_scores, &probe_scores, &probe_untrained)?,
        ablation: audit_as_documented(&ablation_scores, &ablation_scores, &ablation_random)?,
        probe_shuffled: shuffled.collect::<Result<_, MeasurementError>>()?,
        probe_majority: mean(&scores.iter().map(|score| score.majority).collect::<Vec<_>>())?,
        probe_scores,
        probe_untrained,
        ablation_scores,
        ablation_random,
    };
    let code = audit_implementation(model, &prompts, &clean, count as u32)?;
    let (texts, positive) = (own.text_count(), own.positive_count());
    Ok(asked.to_result(circuit, AuditResult { seeds, concept, texts, positive, document, code }))
}

/// How little an ablation changes, on ¾ of the prompts for each seed.
fn recovery_by_seed(clean: &[f64], ablated: &[f64], seeds: &[u32]) -> Result<Vec<f64>, MeasurementError> {
    let each = seeds.iter().map(|seed| {
        let rows = subsample(clean.len(), *seed)?;
        let of = |ld: &[f64]| -> Vec<f64> { rows.iter().filter_map(|row| ld.get(*row).copied()).collect() };
        Ok(ablation_recovery(&of(clean), &of(ablated))?)
    });
    each.collect()
}

/// What the code does, with seeds from 0 on.
fn audit_implementation(
    model: &Model,
    prompts: &Prompts,
    clean: &[f64],
    count: u32,
) -> Result<ImplementationAudit, MeasurementError> {
    let config = model.config();
    let hook = Hook::Block(config.layers / 2, Site::MlpOut);
    let batch = Batch::new(&prompts.tokens)?;
    let share = |seed: u32| -> Result<f64, MeasurementError> {
        // EX25 takes two prompts at least, EX24 one.
        let rows = NumpyRng::new(seed).choice(clean.len() as u32, (clean.len() * 3 / 4).max(1));
        let right = rows.iter().filter(|row| clean.get(**row as usize).is_some_and(|ld| *ld > 0.0));
        Ok(right.count() as f64 / rows.len() as f64)
    };
    let without = |seed: u32, count: usize| -> Result<f64, MeasurementError> {
        let drawn = NumpyRng::new(seed).choice(config.d_model as u32, count);
        let zero = |at: u32| Edit {
            hook,
            target: EditTarget::Unit(at as usize),
            change: EditChange::Scale(0.0),
            positions: Vec::new(),
        };
        let mut edits = Edits::new(model, drawn.into_iter().map(zero).collect())?;
        Ok(mean(&logit_differences(&model.last_logits(&batch, &mut edits)?, prompts))?)
    };
    let probe_scores = (0..count).map(share).collect::<Result<Vec<_>, _>>()?;
    let ablation_scores = (0..count).map(|seed| without(seed, ABLATED_DIMENSIONS)).collect::<Result<Vec<_>, _>>()?;
    let (full_score, ablated_score) =
        (share(DISCRIMINABILITY_SEED)?, without(DISCRIMINABILITY_SEED, config.d_model / 4)?);
    Ok(ImplementationAudit {
        audit: audit_as_coded(&probe_scores, &ablation_scores, full_score, ablated_score)?,
        probe_scores,
        ablation_scores,
        full_score,
        ablated_score,
        hook: hook.to_string(),
    })
}

/// EX24 of several tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditsOfTasks {
    /// Each of them.
    pub tasks: Vec<EvaluationResult<AuditResult>>,
    /// What the code says of all of them, in which discriminability does not count.
    pub aggregate: AuditAggregate,
}

/// EX24 of several tasks, and of all together; telling of each task as it is done.
///
/// # Errors
/// As [`ex24`]; [`crate::statistics::StatisticsError::TooFew`] of no task.
pub fn ex24_of_tasks(
    model: &Model,
    tasks: &[Task],
    asked: EvaluationOptions,
    settings: &AuditSettings,
    tell: &mut dyn FnMut(),
) -> Result<AuditsOfTasks, MeasurementError> {
    let each = tasks.iter().map(|task| {
        let found = ex24(model, EvaluationOptions { task: *task, ..asked }, settings);
        tell();
        found
    });
    let tasks = each.collect::<Result<Vec<_>, _>>()?;
    let cvs: Vec<f64> = tasks.iter().map(|task| task.found.code.audit.mean_cv_code).collect();
    Ok(AuditsOfTasks { aggregate: audit_aggregate(&cvs)?, tasks })
}
