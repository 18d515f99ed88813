//! The metrics of evaluations on the toy model, one at a time: of a task's circuit, and of controls in its place.
//!
//! What is ablated says its mean over the prompts, position by position. Prompts are the task's first test prompts.

mod audit;
mod probe_texts;
mod runs;

pub use audit::{
    ABLATED_DIMENSIONS, AuditResult, AuditSettings, AuditsOfTasks, ImplementationAudit, PaperAudit, RESEEDS_MAX,
    UNTRAINED_CHECKPOINT, audit_seeds, ex24, ex24_of_tasks,
};
pub use probe_texts::{ProbeTexts, concept_of_task};
pub use runs::{BaseMetric, RUNS_MAX, RunsOfTasks, RunsResult, RunsSettings, ex25, ex25_of_tasks};

use serde::{Serialize, Serializer};

use super::circuit::{
    CircuitEvaluator, NormalisedCurve, dif_of_groups, group_prompts, head_name, measure_dif, mixed_prompts,
};
use super::metric::{DPrime, Dif, FaithfulnessArea, HeadEdge, Weber, head_edges, heads_at_thresholds};
use super::planted::FaithfulnessCurve;
use crate::model::Model;
use crate::papers::measurement::MeasurementError;
use crate::settings::named;
use crate::synthetic::Head;
use crate::synthetic::language::{Prompts, Task};
use crate::toy_model::task::test_prompts;

named! {
    /// What is taken for a task's circuit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CircuitChoice {
        /// The heads that backward elimination leaves ([`CircuitEvaluator::backward_elimination`]).
        Found = "found",
        /// As many heads, drawn from all: a control.
        Random = "random",
        /// All heads of the model.
        Full = "full",
        /// None: a control.
        Empty = "empty",
    }
}

impl CircuitChoice {
    /// Its heads, by layer and number. Those of [`Self::Random`] are as many as [`Self::Found`] has, by
    /// [`CircuitEvaluator::random_heads`]; they may be the same ones.
    ///
    /// # Errors
    /// As [`CircuitEvaluator::backward_elimination`].
    pub fn find_heads(self, circuits: &mut CircuitEvaluator<'_>, seed: u32) -> Result<Vec<Head>, MeasurementError> {
        match self {
            Self::Found => circuits.backward_elimination(),
            Self::Full => Ok(circuits.heads().to_vec()),
            Self::Empty => Ok(Vec::new()),
            Self::Random => {
                let count = circuits.backward_elimination()?.len();
                Ok(circuits.random_heads(seed, count))
            }
        }
    }
}

fn serialize_head_names<S: Serializer>(heads: &[Head], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(heads.iter().copied().map(head_name))
}

/// What a metric says, and of what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvaluationResult<M> {
    /// The task.
    pub task: Task,
    /// Its prompts.
    pub prompts: usize,
    /// What is taken for its circuit.
    pub subject: CircuitChoice,
    /// The heads of that, by layer and number.
    #[serde(serialize_with = "serialize_head_names")]
    pub circuit: Vec<Head>,
    /// What is found.
    #[serde(flatten)]
    pub found: M,
}

/// Which task, how many of its prompts, and what is taken for its circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationOptions {
    /// The task.
    pub task: Task,
    /// Its first test prompts, 1 to 4,096.
    pub n_prompts: usize,
    /// What is taken for its circuit.
    pub subject: CircuitChoice,
    /// The seed of a random circuit.
    pub seed: u32,
}

impl EvaluationOptions {
    /// The circuit found, on so many prompts.
    #[must_use]
    pub fn for_found_circuit(task: Task, prompts: usize) -> Self {
        Self { task, n_prompts: prompts, subject: CircuitChoice::Found, seed: 0 }
    }

    fn to_result<M>(self, circuit: Vec<Head>, found: M) -> EvaluationResult<M> {
        let Self { task, n_prompts: prompts, subject, .. } = self;
        EvaluationResult { task, prompts, subject, circuit, found }
    }

    /// Measures a task's circuit.
    fn measure<M>(
        self,
        model: &Model,
        measure: impl FnOnce(&mut CircuitEvaluator<'_>, &[Head]) -> Result<M, MeasurementError>,
    ) -> Result<EvaluationResult<M>, MeasurementError> {
        let prompts = test_prompts(self.task, self.n_prompts)?;
        let mut circuits = CircuitEvaluator::new(model, &prompts)?;
        let circuit = self.subject.find_heads(&mut circuits, self.seed)?;
        let found = measure(&mut circuits, &circuit)?;
        Ok(self.to_result(circuit, found))
    }
}

/// EX1, with what the same ablation does to the summed logit difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DPrimeResult {
    /// d′ and what belongs to it.
    #[serde(flatten)]
    pub ex1: DPrime,
    /// How much the circuit does alone.
    pub faithfulness: f64,
    /// How much is gone without it.
    pub completeness: f64,
}

/// EX1: the whole model against the model without the circuit.
///
/// # Errors
/// [`MeasurementError`]: a number of prompts that is not allowed; logit differences that are no numbers.
///
/// # Examples
/// ```
/// use sfc_bench::toy_model;
/// use sfc_bench::papers::measurement::evaluation::{EvaluationOptions, CircuitChoice, ex1};
/// use sfc_bench::synthetic::language::Task;
/// let model = toy_model::load_model("ck-12000")?;
/// let asked = EvaluationOptions::for_found_circuit(Task::Ioi, 32);
/// assert!(ex1(&model, asked)?.found.ex1.dprime > 1.0);
/// // Without any head nothing is ablated, and there is nothing to tell apart.
/// let empty = ex1(&model, EvaluationOptions { subject: CircuitChoice::Empty, ..asked })?;
/// assert_eq!(empty.found.ex1.dprime, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ex1(model: &Model, asked: EvaluationOptions) -> Result<EvaluationResult<DPrimeResult>, MeasurementError> {
    asked.measure(model, |circuits, circuit| {
        Ok(DPrimeResult {
            ex1: circuits.d_prime(circuit)?,
            faithfulness: circuits.faithfulness_of(circuit)?,
            completeness: circuits.completeness(circuit)?,
        })
    })
}

/// EX2 of the model, and of the circuit alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifResult {
    /// Of the whole model: the code, which never applies the circuit.
    #[serde(flatten)]
    pub whole: Dif,
    /// The same of `ioi` with the page's three categories of names.
    pub mixed: Option<Dif>,
    /// Of the circuit, all other heads mean-ablated over the prompts of all groups together: the page, which runs the
    /// circuit on each category. `ioi` has three of them here.
    pub circuit_alone: Dif,
    /// Whether the text's condition holds: the largest |d| of the circuit alone, with ddof 1, is below ½.
    pub passed_document: bool,
}

/// EX2: whether logit differences depend on what a task's groups of prompts differ in.
///
/// # Errors
/// As [`ex1`].
pub fn ex2(model: &Model, asked: EvaluationOptions) -> Result<EvaluationResult<DifResult>, MeasurementError> {
    let (whole, mixed) = measure_dif(model, asked.task, asked.n_prompts)?;
    let mut groups = group_prompts(asked.task, asked.n_prompts)?;
    groups.extend(mixed_prompts(asked.task, asked.n_prompts).map(|prompts| ("mixed".to_owned(), prompts)));
    // One mean for all groups: a mean of each group's own would tell the groups apart by itself.
    let joined = join_prompts(asked.task, &groups);
    let own = test_prompts(asked.task, asked.n_prompts)?;
    let circuit = asked.subject.find_heads(&mut CircuitEvaluator::new(model, &own)?, asked.seed)?;
    let alone = CircuitEvaluator::new(model, &joined)?.circuit_logit_differences(&circuit)?;
    let mut rest = alone.as_slice();
    let mut each = Vec::with_capacity(groups.len());
    for (name, prompts) in &groups {
        let (these, others) = rest.split_at(prompts.tokens.len().min(rest.len()));
        each.push((name.clone(), these.to_vec()));
        rest = others;
    }
    let circuit_alone = dif_of_groups(&each)?;
    let passed_document = circuit_alone.passed_standard;
    Ok(asked.to_result(circuit, DifResult { whole, mixed, circuit_alone, passed_document }))
}

/// Prompts of all groups, one group after the other.
fn join_prompts(task: Task, groups: &[(String, Prompts)]) -> Prompts {
    let all = || groups.iter().map(|(_, prompts)| prompts);
    Prompts {
        task,
        tokens: all().flat_map(|prompts| prompts.tokens.iter().cloned()).collect(),
        answers: all().flat_map(|prompts| prompts.answers.iter().copied()).collect(),
        foils: all().flat_map(|prompts| prompts.foils.iter().copied()).collect(),
        groups: all().flat_map(|prompts| prompts.groups.iter().copied()).collect(),
    }
}

/// EX11 of a circuit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeberResult {
    /// Just-noticeable differences and Weber fractions; none of a circuit without heads.
    #[serde(flatten)]
    pub weber: Option<Weber>,
}

/// EX11: how much less of each head is noticed.
///
/// # Errors
/// As [`ex1`].
pub fn ex11(model: &Model, asked: EvaluationOptions) -> Result<EvaluationResult<WeberResult>, MeasurementError> {
    asked.measure(model, |circuits, circuit| Ok(WeberResult { weber: circuits.weber(circuit)? }))
}

/// A curve of faithfulness, and its areas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurveResult {
    /// Its areas.
    #[serde(flatten)]
    pub area: FaithfulnessArea,
    /// Faithfulness at each of [`super::metric::THRESHOLDS`].
    pub faithfulness: Vec<f64>,
    /// Heads that each of them keeps.
    pub n_heads: Vec<usize>,
    /// The areas of (f − f(∅))/(1 − f(∅)), as MIB scales it; none where the empty circuit does as much as the model.
    pub normalised: Option<FaithfulnessArea>,
}

impl CurveResult {
    fn from_curve(curve: &FaithfulnessCurve, empty: f64) -> Result<Self, MeasurementError> {
        Ok(Self {
            area: curve.area,
            n_heads: heads_at_thresholds(&curve.order).iter().map(Vec::len).collect(),
            normalised: NormalisedCurve::from_curve(curve, empty)?.map(|scaled| scaled.area),
            faithfulness: curve.faithfulness.clone(),
        })
    }
}

/// MIB over the pairs of a circuit's heads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MibResult {
    /// Pairs of heads in two layers.
    pub edges: usize,
    /// Faithfulness without any head.
    pub empty: f64,
    /// By layers and numbers: text and code. None of a circuit that has heads and no pair, which the code leaves out.
    #[serde(flatten)]
    pub code: Option<CurveResult>,
    /// Ranked by what the heads do, as MIB ranks edges.
    pub ranked: Option<CurveResult>,
}

/// MIB: faithfulness as the pairs of a circuit's heads are added. Of [`CircuitChoice::Full`] that are all pairs of the model.
/// Of [`CircuitChoice::Empty`] the curve is that of no head at every threshold: what the area says of nothing.
///
/// # Errors
/// As [`ex1`].
pub fn mib(model: &Model, asked: EvaluationOptions) -> Result<EvaluationResult<MibResult>, MeasurementError> {
    let config = model.config();
    asked.measure(model, |circuits, circuit| {
        let inside = |edge: &HeadEdge| circuit.contains(&edge.sender) && circuit.contains(&edge.receiver);
        let pairs: Vec<HeadEdge> = head_edges(config.layers, config.heads).into_iter().filter(inside).collect();
        let empty = circuits.faithfulness_of(&[])?;
        if pairs.is_empty() && !circuit.is_empty() {
            return Ok(MibResult { edges: 0, empty, code: None, ranked: None });
        }
        let effects = circuits.head_effects()?;
        let curves = circuits.faithfulness_curves(&pairs, &effects)?;
        Ok(MibResult {
            edges: pairs.len(),
            empty,
            code: Some(CurveResult::from_curve(&curves.code, empty)?),
            ranked: Some(CurveResult::from_curve(&curves.ranked, empty)?),
        })
    })
}
