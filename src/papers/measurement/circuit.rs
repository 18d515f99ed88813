//! Circuits of the toy model: heads that are enough for a task, found by ablating all others, and what the metrics
//! say of them; and what each edge between its parts does.

mod edges;
mod search;
mod single_metric;

pub use edges::{EdgeAblation, EdgeCurve, EdgeEffect, EdgesResult, PairEffect, measure_edges};
pub use search::{CircuitEvaluator, FAITHFULNESS_TOLERANCE, SearchResult};

use std::collections::BTreeMap;

use serde::Serialize;

use super::metric::{
    DPrime, Dif, FaithfulnessArea, THRESHOLDS, Weber, dif, faithfulness_area, head_edges, normalised_faithfulness,
};
use super::planted::{FaithfulnessCurve, FaithfulnessCurves};
use crate::model::{Batch, Model};
use crate::papers::measurement::MeasurementError;
use crate::statistics::mean;
use crate::synthetic::Head;
use crate::synthetic::language::{ExerciseLength, NameGroup, Prompts, Task, task_prompts};
use crate::toy_model::ToyModelError;
use crate::toy_model::task::{logit_differences, test_prompts};

/// The seed of prompts whose group of names is set: this, and the task's number.
pub const GROUPS_SEED: u32 = 3_000;

/// A head as it is written: `0.3`.
#[must_use]
pub fn head_name((layer, head): Head) -> String {
    format!("{layer}.{head}")
}

/// A curve over shares of edges as MIB scales it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NormalisedCurve {
    /// (f − f(∅))/(1 − f(∅)) at each of [`THRESHOLDS`].
    pub faithfulness: Vec<f64>,
    /// Its areas.
    pub area: FaithfulnessArea,
}

impl NormalisedCurve {
    /// Nothing where the empty circuit does as much as the whole model.
    pub(super) fn from_curve(curve: &FaithfulnessCurve, empty: f64) -> Result<Option<Self>, MeasurementError> {
        let each = curve.faithfulness.iter().map(|f| normalised_faithfulness(*f, empty, 1.0));
        let Some(faithfulness) = each.collect::<Option<Vec<f64>>>() else { return Ok(None) };
        let area = faithfulness_area(&THRESHOLDS, &faithfulness)?;
        Ok(Some(Self { faithfulness, area }))
    }
}

/// What is found of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskResult {
    /// The task.
    pub task: Task,
    /// The mean logit difference of the whole model.
    pub ld_mean: f64,
    /// Of each head, what mean-ablating it takes from that.
    pub head_effect: Vec<(Head, f64)>,
    /// The heads that backward elimination leaves, by layer and number.
    pub circuit: Vec<Head>,
    /// How much these do alone.
    pub faithfulness: f64,
    /// How much is gone without them.
    pub completeness: f64,
    /// How much is there without any head.
    pub empty: f64,
    /// Heads as a greedy search adds them.
    pub greedy: SearchResult,
    /// All heads by the size of their effect.
    pub by_effect: SearchResult,
    /// EX1, of the circuit.
    pub ex1: DPrime,
    /// EX2, of the whole model, as the code measures it.
    pub ex2: Dif,
    /// The same of `ioi` with the page's three categories: a third group of prompts has a name of each group.
    pub ex2_mixed: Option<Dif>,
    /// EX11, of the circuit; none of a circuit without heads.
    pub ex11: Option<Weber>,
    /// MIB over pairs of heads, in the code's order and ranked by effect.
    pub mib: FaithfulnessCurves,
    /// The same in the code's order, scaled as MIB does.
    pub mib_code_normalised: Option<NormalisedCurve>,
    /// The same ranked by effect.
    pub mib_ranked_normalised: Option<NormalisedCurve>,
}

/// Logit differences of each of some prompts.
fn prompt_logit_differences(model: &Model, prompts: &Prompts) -> Result<Vec<f64>, ToyModelError> {
    Ok(logit_differences(&model.last_logits(&Batch::new(&prompts.tokens)?, &mut ())?, prompts))
}

/// The same `count` prompts twice, with names of the common group and with names of the rare one.
fn draw_group_prompts(task: Task, count: usize) -> [Prompts; 2] {
    [NameGroup::Common, NameGroup::Rare]
        .map(|group| task_prompts(task, count, GROUPS_SEED + task as u32, Some(group), ExerciseLength::Constant))
}

/// Prompts with the first name of the one and the others of the other.
fn mix_names(common: &Prompts, rare: &Prompts) -> Prompts {
    let mut mixed = common.clone();
    let words = mixed.answers.iter_mut().zip(&mut mixed.foils);
    for ((tokens, (answer, foil)), other) in mixed.tokens.iter_mut().zip(words).zip(&rare.tokens) {
        let first = tokens.iter().zip(other).find(|(own, other)| own != other);
        let Some((from, to)) = first.map(|(own, other)| (*own, *other)) else { continue };
        let words = tokens.iter_mut().chain([answer, foil]);
        words.filter(|word| **word == from).for_each(|word| *word = to);
    }
    mixed
}

/// Groups of prompts that EX2 compares: `count` prompts with names of the common group and the same with names of the
/// rare one where a task has names (`ioi`, `recall`, `mood`); else the task's first `count` test prompts by what tells
/// them apart ([`Prompts::groups`]).
///
/// # Errors
/// As [`test_prompts`].
pub fn group_prompts(task: Task, count: usize) -> Result<Vec<(String, Prompts)>, ToyModelError> {
    let own = test_prompts(task, count)?;
    if matches!(task, Task::Ioi | Task::Recall | Task::Mood) {
        let each = draw_group_prompts(task, count).into_iter().enumerate();
        return Ok(each.map(|(at, drawn)| (format!("group{at}"), drawn)).collect());
    }
    let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (row, group) in own.groups.iter().enumerate() {
        rows.entry(*group).or_default().push(row);
    }
    Ok(rows.into_iter().map(|(group, rows)| (group.to_string(), select_prompts(&own, &rows))).collect())
}

/// A third group of `ioi`, as the page has three categories of names: each prompt has one name of each group. None of
/// the other tasks.
#[must_use]
pub fn mixed_prompts(task: Task, count: usize) -> Option<Prompts> {
    (task == Task::Ioi).then(|| {
        let [common, rare] = draw_group_prompts(task, count);
        mix_names(&common, &rare)
    })
}

/// Some of the prompts, by their places.
pub(crate) fn select_prompts(prompts: &Prompts, rows: &[usize]) -> Prompts {
    fn select_rows<T: Clone>(of: &[T], rows: &[usize]) -> Vec<T> {
        rows.iter().filter_map(|row| of.get(*row)).cloned().collect()
    }
    Prompts {
        task: prompts.task,
        tokens: select_rows(&prompts.tokens, rows),
        answers: select_rows(&prompts.answers, rows),
        foils: select_rows(&prompts.foils, rows),
        groups: select_rows(&prompts.groups, rows),
    }
}

/// Logit differences of the whole model on [`group_prompts`].
///
/// # Errors
/// As [`test_prompts`]; [`ToyModelError::Model`] for a model that does not know the prompts' words.
pub fn group_logit_differences(
    model: &Model,
    task: Task,
    count: usize,
) -> Result<Vec<(String, Vec<f64>)>, ToyModelError> {
    let groups = group_prompts(task, count)?.into_iter();
    groups.map(|(name, prompts)| Ok((name, prompt_logit_differences(model, &prompts)?))).collect()
}

/// EX2 of the whole model, as the code measures it; and of `ioi` with the page's three categories.
///
/// # Errors
/// As [`group_logit_differences`]; for logit differences that are no numbers.
pub fn measure_dif(model: &Model, task: Task, count: usize) -> Result<(Dif, Option<Dif>), MeasurementError> {
    let mut groups = group_logit_differences(model, task, count)?;
    let two = dif_of_groups(&groups)?;
    let Some(mixed) = mixed_prompts(task, count) else { return Ok((two, None)) };
    groups.push(("mixed".to_owned(), prompt_logit_differences(model, &mixed)?));
    Ok((two, Some(dif_of_groups(&groups)?)))
}

/// Logit differences of the page's third group, prompts with a name of each of the two; there is one of `ioi` alone.
pub(super) fn mixed_logit_differences(
    model: &Model,
    task: Task,
    count: usize,
) -> Result<Option<(String, Vec<f64>)>, ToyModelError> {
    let Some(mixed) = mixed_prompts(task, count) else { return Ok(None) };
    Ok(Some(("mixed".to_owned(), prompt_logit_differences(model, &mixed)?)))
}

/// EX2 of groups by name.
pub(super) fn dif_of_groups(groups: &[(String, Vec<f64>)]) -> Result<Dif, MeasurementError> {
    let groups: Vec<(&str, &[f64])> = groups.iter().map(|(name, ld)| (name.as_str(), ld.as_slice())).collect();
    Ok(dif(&groups)?)
}

/// Finds a task's circuit on its first `count` test prompts, and measures it.
///
/// # Errors
/// [`MeasurementError`]: as [`test_prompts`], for a model that does not know the prompts' words, or whose logit differences are
/// no numbers.
///
/// # Examples
/// ```
/// use sfc_bench::toy_model;
/// use sfc_bench::papers::measurement::circuit::measure_task;
/// use sfc_bench::synthetic::language::Task;
/// let found = measure_task(&*toy_model::load_model("ck-12000")?, Task::Agree, 32)?;
/// assert!(found.circuit.contains(&(2, 2)) && found.faithfulness >= 0.9 && found.empty < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_task(model: &Model, task: Task, count: usize) -> Result<TaskResult, MeasurementError> {
    let prompts = test_prompts(task, count)?;
    let mut circuits = CircuitEvaluator::new(model, &prompts)?;
    let head_effect = circuits.head_effects()?;
    let circuit = circuits.backward_elimination()?;
    let empty = circuits.faithfulness_of(&[])?;
    let config = model.config();
    let mib = circuits.faithfulness_curves(&head_edges(config.layers, config.heads), &head_effect)?;
    let (ex2, ex2_mixed) = measure_dif(model, task, count)?;
    Ok(TaskResult {
        task,
        ld_mean: mean(circuits.clean_logit_differences())?,
        faithfulness: circuits.faithfulness_of(&circuit)?,
        completeness: circuits.completeness(&circuit)?,
        empty,
        greedy: circuits.greedy_search()?,
        by_effect: circuits.search_by_effect(&head_effect)?,
        ex1: circuits.d_prime(&circuit)?,
        ex2,
        ex2_mixed,
        ex11: circuits.weber(&circuit)?,
        mib_code_normalised: NormalisedCurve::from_curve(&mib.code, empty)?,
        mib_ranked_normalised: NormalisedCurve::from_curve(&mib.ranked, empty)?,
        mib,
        head_effect,
        circuit,
    })
}
