//! EX25 on the toy model: one metric, run again and again on ¾ of the prompts.

use serde::Serialize;

use super::probe_texts::ProbeTexts;
use super::{CircuitChoice, EvaluationOptions, EvaluationResult};
use crate::model::Model;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{CircuitEvaluator, select_prompts};
use crate::papers::measurement::metric::{
    RELATIVE_DEVIATION_MAX, Reproducibility, RunsAggregate, ablation_recovery, reproducibility, runs_aggregate,
    subsample,
};
use crate::settings::named;
use crate::synthetic::language::Task;
use crate::toy_model::task::test_prompts;

/// Most runs: pairs of them are compared.
pub const RUNS_MAX: usize = 100;

named! {
    /// What is run again and again: the three that the page names.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum BaseMetric {
        /// Of each prompt its logit difference, with all heads but the circuit's mean-ablated over the run's prompts. Of
        /// [`CircuitChoice::Full`] that is the whole model, on which the code runs.
        LogitDifference = "logit-difference",
        /// Of each text held out whether a linear probe is right about it, 1 or 0; the seed draws what it learns from.
        ProbeAccuracy = "probe-accuracy",
        /// Of each prompt how little the same ablation changes its logit difference.
        AblationRecovery = "ablation-recovery",
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunsSettings {
    /// Runs, from 2 to 100, with the seeds 0, 1, ….
    pub n_runs: usize,
    /// Of what.
    pub metric: BaseMetric,
}

impl Default for RunsSettings {
    /// Five runs of the logit difference, as in the code.
    fn default() -> Self {
        Self { n_runs: 5, metric: BaseMetric::LogitDifference }
    }
}

/// EX25 in both readings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunsResult {
    /// What was run.
    pub metric: BaseMetric,
    /// Values of each run.
    pub values: Vec<usize>,
    /// What is found: the code compares the k-th values of two runs, the page the same prompt's.
    #[serde(flatten)]
    pub found: Reproducibility,
}

/// A run: places of its prompts, and their values.
type RunValues = (Vec<usize>, Vec<f64>);

/// EX25: whether runs with other seeds give the same numbers, and the same ranking of prompts.
///
/// # Errors
/// [`MeasurementError`]: as [`super::ex1`]; a number of runs that is not allowed; a probe without both labels.
///
/// # Examples
/// ```
/// use sfc_bench::toy_model;
/// use sfc_bench::papers::measurement::evaluation::{EvaluationOptions, RunsSettings, CircuitChoice, ex25};
/// use sfc_bench::synthetic::language::Task;
/// let model = toy_model::load_model("ck-12000")?;
/// let asked = EvaluationOptions { subject: CircuitChoice::Full, ..EvaluationOptions::for_found_circuit(Task::Ioi, 32) };
/// let found = ex25(&model, asked, &RunsSettings::default())?.found.found;
/// // Nothing but the prompts differs, and each says the same in every run.
/// assert!(found.coherence_aligned > Some(0.999) && found.coherence_code < 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ex25(
    model: &Model,
    asked: EvaluationOptions,
    settings: &RunsSettings,
) -> Result<EvaluationResult<RunsResult>, MeasurementError> {
    let RunsSettings { n_runs, metric } = *settings;
    if !(2..=RUNS_MAX).contains(&n_runs) {
        return Err(MeasurementError::count_error("n_runs", n_runs, 2, RUNS_MAX));
    }
    let prompts = test_prompts(asked.task, asked.n_prompts)?;
    let mut circuits = CircuitEvaluator::new(model, &prompts)?;
    let circuit = asked.subject.find_heads(&mut circuits, asked.seed)?;
    let seeds = (0_u32..).take(n_runs);
    let runs: Vec<RunValues> = if metric == BaseMetric::ProbeAccuracy {
        let probed = ProbeTexts::from_model(model, super::concept_of_task(asked.task))?;
        seeds.map(|seed| probed.correct_on_test(seed)).collect::<Result<_, _>>()?
    } else {
        let run = |seed| -> Result<RunValues, MeasurementError> {
            let rows = subsample(prompts.tokens.len(), seed)?;
            let these = select_prompts(&prompts, &rows);
            let mut circuits = CircuitEvaluator::new(model, &these)?;
            let ld = match asked.subject {
                CircuitChoice::Full => circuits.clean_logit_differences().to_vec(),
                _ => circuits.circuit_logit_differences(&circuit)?,
            };
            if metric == BaseMetric::LogitDifference {
                return Ok((rows, ld));
            }
            let each = circuits.clean_logit_differences().iter().zip(&ld);
            let each = each.map(|(clean, ablated)| ablation_recovery(&[*clean], &[*ablated]));
            Ok((rows, each.collect::<Result<_, _>>()?))
        };
        seeds.map(run).collect::<Result<_, _>>()?
    };
    let (places, values): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    let found = reproducibility(&values, Some(&places), RELATIVE_DEVIATION_MAX)?;
    let values = values.iter().map(Vec::len).collect();
    Ok(asked.to_result(circuit, RunsResult { metric, values, found }))
}

/// EX25 of several tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunsOfTasks {
    /// Each of them.
    pub tasks: Vec<EvaluationResult<RunsResult>>,
    /// What the code says of all of them, in which rankings do not count.
    pub aggregate: RunsAggregate,
}

/// EX25 of several tasks, and of all together; telling of each task as it is done.
///
/// # Errors
/// As [`ex25`]; [`crate::statistics::StatisticsError::TooFew`] of no task.
pub fn ex25_of_tasks(
    model: &Model,
    tasks: &[Task],
    asked: EvaluationOptions,
    settings: &RunsSettings,
    tell: &mut dyn FnMut(),
) -> Result<RunsOfTasks, MeasurementError> {
    let each = tasks.iter().map(|task| {
        let found = ex25(model, EvaluationOptions { task: *task, ..asked }, settings);
        tell();
        found
    });
    let tasks = each.collect::<Result<Vec<_>, _>>()?;
    let rates: Vec<f64> = tasks.iter().map(|task| task.found.found.deviation_rate).collect();
    Ok(RunsOfTasks { aggregate: runs_aggregate(&rates)?, tasks })
}
