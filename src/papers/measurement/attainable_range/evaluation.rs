//! The reach of the metrics of evaluations.

mod cases;

use super::super::metric::{
    AuditAsCoded, Condition, CurveError, Dif, FaithfulnessArea, REDUCED_STRENGTH, RELATIVE_DEVIATION_MAX,
    Reproducibility, RunsError, THRESHOLDS, audit_as_coded, d_prime, dif, faithfulness_area, reproducibility,
    subsample, weber,
};
use super::super::planted::{PlantedResult, measure_dose_response, measure_planted};
use super::MeasuredCase;
use crate::linalg::Matrix;
use crate::papers::measurement::MeasurementError;
use crate::statistics::{MetricError, StatisticsError, normal_quantile};
use crate::synthetic::{CircuitWeights, PlantedCircuit};

pub(super) use cases::{ex1_cases, ex2_cases, ex11_cases, ex24_cases, ex25_cases, mib_cases};

/// Most prompts that are tried.
const PROMPTS_MAX: usize = 100_000;

/// Logit differences with a circuit and without it.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalAndNoise {
    /// With it.
    pub signal: Vec<f64>,
    /// Without it.
    pub noise: Vec<f64>,
}

/// The fewest prompts with which d′ can exceed a limit, if without the circuit at least a share of the answers is
/// still right: all are right with it.
///
/// # Errors
/// [`StatisticsError::Share`] unless the share is from 0 to 1, [`StatisticsError::TooMany`] where 100,000 prompts are
/// not enough.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::case_of_fewest_prompts;
/// assert_eq!(case_of_fewest_prompts(2.0, 0.5)?.case.signal.len(), 22);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn case_of_fewest_prompts(
    limit: f64,
    false_alarm_rate: f64,
) -> Result<MeasuredCase<SignalAndNoise>, StatisticsError> {
    if !(0.0..=1.0).contains(&false_alarm_rate) {
        let what = "share of right answers without the circuit";
        return Err(StatisticsError::Share { what, value: false_alarm_rate });
    }
    // A share that the product's rounding lifts above a whole number is that number.
    let right = |count: usize| libm::ceil(false_alarm_rate * count as f64 - 1e-9);
    let largest = |count: usize| -> Result<f64, StatisticsError> {
        let (all, least) = (count as f64, 0.5 / count as f64);
        let rate = (right(count) / all).clamp(least, 1.0 - least);
        Ok(normal_quantile(1.0 - least)? - normal_quantile(rate)?)
    };
    for count in 1..=PROMPTS_MAX {
        if largest(count)? > limit {
            let sign = |at: usize| if (at as f64) < right(count) { 1.0 } else { -1.0 };
            let case = SignalAndNoise { signal: vec![1.0; count], noise: (0..count).map(sign).collect() };
            let value = d_prime(&case.signal, &case.noise)?.dprime;
            return Ok(MeasuredCase { case, value, condition: Condition::above("dprime", limit) });
        }
    }
    let (what, found, most) = ("prompts that would be needed", PROMPTS_MAX + 1, PROMPTS_MAX);
    Err(StatisticsError::TooMany { what, found, most })
}

/// A circuit of heads in the first layer that each do a share of the work, exactly linearly, on prompts that all have
/// the same bias. Of the second layer there is one head for each, which does nothing.
///
/// # Errors
/// [`MetricError::Empty`] without heads, [`MetricError::NonFinite`].
pub fn linear_circuit(shares: &[f64], bias: f64) -> Result<PlantedCircuit, MetricError> {
    /// As many as there are thresholds of d′ to speak of; both answers are right equally often.
    const PROMPTS: usize = 16;
    let y: Vec<f64> = [1.0, -1.0].into_iter().cycle().take(PROMPTS).collect();
    let heads = shares.len();
    PlantedCircuit::new(CircuitWeights {
        x: Matrix::from_vec(PROMPTS, 1, y.clone())?,
        y,
        q0: Matrix::from_vec(heads, 1, vec![1.0; heads])?,
        q1: Matrix::zeros(heads, 1),
        a: Matrix::zeros(heads, heads),
        v0: shares.to_vec(),
        v1: vec![0.0; heads],
        bias: vec![bias; PROMPTS],
    })
}

fn measure_consistency(model: PlantedCircuit) -> Result<MeasuredCase<PlantedCircuit>, MeasurementError> {
    let circuit = model.circuit_heads();
    let found = weber(
        &measure_dose_response(&model, &circuit, 1.0)?,
        &measure_dose_response(&model, &circuit, REDUCED_STRENGTH)?,
    )?;
    let condition = Condition::above("weber_consistency_code", 0.8);
    Ok(MeasuredCase { case: model, value: found.weber_consistency_code, condition })
}

/// The best case for Weber's law without a bias: a linear circuit whose heads all do the same. Its consistency is 2/3
/// as coded with one to nine heads; of eleven or more none is noticed.
///
/// # Errors
/// [`MeasurementError`] without heads.
pub fn homogeneous_circuit(heads: usize) -> Result<MeasuredCase<PlantedCircuit>, MeasurementError> {
    measure_consistency(linear_circuit(&vec![1.0 / heads as f64; heads], 0.0)?)
}

/// A circuit that exceeds the limit for Weber's law all the same: two equal heads, linear again, against prompts
/// that speak for the wrong answer by a third of what the circuit says for the right one. At half its strength it has a
/// quarter of the baseline, so what is noticed is half, and the fractions are equal.
///
/// # Errors
/// None that is known.
pub fn biased_circuit() -> Result<MeasuredCase<PlantedCircuit>, MeasurementError> {
    measure_consistency(linear_circuit(&[0.5, 0.5], -1.0 / 3.0)?)
}

/// Runs of a metric without any noise, which differ in the prompts that they have.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptSubsets {
    /// Of each run its prompts.
    pub prompts: Vec<Vec<usize>>,
    /// What is found of them.
    pub reproducibility: Reproducibility,
}

/// The reproducibility of a metric that has the same value of a prompt in every run, where each run has ¾ of the
/// prompts, drawn by its number as a seed.
///
/// # Errors
/// [`RunsError`]: fewer than two runs, no values, or what is no number.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::deterministic_metric_runs;
/// // Nothing varies but the prompts. As coded, it counts whether they stand by rising value.
/// let rising: Vec<f64> = (1..=20).map(|value| 100.0 + f64::from(value)).collect();
/// assert_eq!(deterministic_metric_runs(&rising, 5)?.value, 1.0);
/// # Ok::<(), sfc_bench::papers::measurement::metric::RunsError>(())
/// ```
pub fn deterministic_metric_runs(values: &[f64], runs: u32) -> Result<MeasuredCase<PromptSubsets>, RunsError> {
    let prompts = (0..runs).map(|seed| subsample(values.len(), seed));
    let prompts = prompts.collect::<Result<Vec<_>, _>>()?;
    let each = prompts.iter().map(|run| run.iter().filter_map(|at| values.get(*at)).copied());
    let each: Vec<Vec<f64>> = each.map(Iterator::collect).collect();
    let found = reproducibility(&each, Some(&prompts), RELATIVE_DEVIATION_MAX)?;
    let condition = Condition::above("coherence_code", 0.9);
    let value = found.coherence_code;
    Ok(MeasuredCase { case: PromptSubsets { prompts, reproducibility: found }, value, condition })
}

/// A curve that is 0 below a share of the edges and 1 from it on, at [`THRESHOLDS`].
///
/// # Errors
/// None that is known.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::step_curve;
/// assert!(step_curve(0.5)?.holds() && !step_curve(1.0)?.holds());
/// # Ok::<(), sfc_bench::papers::measurement::metric::CurveError>(())
/// ```
pub fn step_curve(share: f64) -> Result<MeasuredCase<FaithfulnessArea>, CurveError> {
    let curve = THRESHOLDS.map(|threshold| if threshold < share { 0.0 } else { 1.0 });
    let area = faithfulness_area(&THRESHOLDS, &curve)?;
    Ok(MeasuredCase { value: area.cpr, case: area, condition: Condition::above("cpr", 0.5) })
}

/// A circuit that does have such a curve: one head of six does everything, and in the code's order its first edge comes
/// after a third of all.
///
/// # Errors
/// None that is known.
pub fn step_curve_circuit() -> Result<MeasuredCase<PlantedResult>, MeasurementError> {
    let model = linear_circuit(&[0.0, 1.0, 0.0], 0.0)?;
    let found = measure_planted(&model, &model.heads())?;
    let Some(curves) = &found.mib else {
        return Err(MetricError::Missing { what: "an edge" }.into());
    };
    let value = curves.code.area.cpr;
    Ok(MeasuredCase { case: found, value, condition: Condition::above("cpr", 0.5) })
}

/// A probe that says the same under every seed, beside an ablation that does: any difference of the two passes.
///
/// # Errors
/// [`StatisticsError::NonFinite`].
pub fn constant_probe(probe: f64, ablation: f64) -> Result<MeasuredCase<AuditAsCoded>, StatisticsError> {
    let found = audit_as_coded(&[probe; 5], &[1.0; 5], probe, ablation)?;
    let condition = Condition::above("discriminability_code", 0.8);
    Ok(MeasuredCase { case: found, value: found.discriminability_code, condition })
}

/// Two groups that are apart by any distance, and vary not at all: as coded they do not differ.
///
/// # Errors
/// [`StatisticsError::NonFinite`].
pub fn constant_groups(apart: f64) -> Result<MeasuredCase<Dif>, StatisticsError> {
    let found = dif(&[("common", &[1.0; 4]), ("rare", &[1.0 + apart; 4])])?;
    let value = found.max_dif_code;
    Ok(MeasuredCase { case: found, value, condition: Condition::below("max_dif_code", 0.5) })
}
