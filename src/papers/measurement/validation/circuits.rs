//! Planted circuits: what the metrics say of the truth, of all heads, of none and of random ones.

use super::{MeasurementRecord, RecordCollector, Subject, Testbed};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::THRESHOLDS;
use crate::papers::measurement::metric::{
    AUDIT_SEEDS, HeadEdge, REDUCED_STRENGTH, RELATIVE_DEVIATION_MAX, ablation_recovery, audit_as_coded,
    audit_as_documented, d_prime, dif, effect_lookup, faithfulness, faithfulness_area, head_edges, reproducibility,
    subsample, weber,
};
use crate::papers::measurement::planted::{FaithfulnessCurve, FaithfulnessCurves, measure_dose_response};
use crate::statistics::{StatisticsError, mean, standard_deviation};
use crate::synthetic::{CircuitKind, CircuitSpec, Head, HeadEdits, PlantedCircuit};
use crate::{NumpyRng, rng};

/// Heads of each of the two layers.
const HEADS_PER_LAYER: usize = 6;
/// Runs of a metric.
const RUN_COUNT: u32 = 5;
/// By how many deviations of the logit differences the groups of EX2 that do differ are apart.
const GROUP_GAP: f64 = 1.0;
/// Deviation of a score that is noise, of a mean of 1; of single answers, of as much as they differ themselves.
const NOISE_DEVIATION: f64 = 0.5;

/// Everything of a seed.
pub(super) fn measure_circuits(seed: u32, prompts: usize) -> Result<Vec<MeasurementRecord>, MeasurementError> {
    let mut lines = RecordCollector::new(Testbed::Planted);
    // Both answers are right equally often.
    let prompts = (prompts + prompts % 2).max(8);
    let kind = CircuitKind::Planted;
    let model = PlantedCircuit::draw(&CircuitSpec { kind, prompts, heads: HEADS_PER_LAYER, seed })?;
    let mut rng = NumpyRng::new(3_000 + seed);
    let heads = model.heads();
    let circuit = model.circuit_heads();
    // None of the true ones: what is drawn among all heads shares some.
    let random = draw_heads(&mut rng, &model.other_heads(&circuit), circuit.len());
    let clean = model.logit_differences(&HeadEdits::default())?;
    let ablated = |heads: &[Head]| model.logit_differences(&HeadEdits::ablate(heads)).map_err(MeasurementError::from);
    let subjects: [(Subject, &[Head]); 4] =
        [(Subject::Oracle, &circuit), (Subject::Full, &heads), (Subject::Empty, &[]), (Subject::Random, &random)];
    for (subject, circuit) in subjects {
        let found = d_prime(&clean, &ablated(circuit)?)?;
        lines.add_named_quantities("ex1", subject, found.quantities(), &["dprime", "auc"]);
        if !circuit.is_empty() {
            let found = weber(
                &measure_dose_response(&model, circuit, 1.0)?,
                &measure_dose_response(&model, circuit, REDUCED_STRENGTH)?,
            )?;
            lines.add_weber(subject, &found);
        }
    }
    let alone = |kept: &[Head]| -> Result<f64, MeasurementError> {
        Ok(faithfulness(&clean, &ablated(&model.other_heads(kept))?)?)
    };
    let effects: Vec<(Head, f64)> = heads
        .iter()
        .map(|head| Ok((*head, mean(&clean)? - mean(&ablated(&[*head])?)?)))
        .collect::<Result<_, MeasurementError>>()?;
    let edges = head_edges(2, HEADS_PER_LAYER);
    let found = FaithfulnessCurves::measure(&edges, effect_lookup(&effects), alone)?;
    lines.add_mib_areas(Subject::Oracle, [found.code.area.cpr, found.ranked.area.cpr]);
    let shuffled: Vec<HeadEdge> =
        rng.permutation(edges.len() as u32).into_iter().filter_map(|at| edges.get(at as usize).copied()).collect();
    let by_lot = FaithfulnessCurve::measure(shuffled, alone)?;
    // What has no order is the same in both readings.
    lines.add_mib_areas(Subject::Random, [by_lot.area.cpr; 2]);
    lines.add_mib_areas(Subject::Full, [constant_curve_cpr(1.0)?; 2]);
    lines.add_mib_areas(Subject::Empty, [constant_curve_cpr(alone(&[])?)?; 2]);

    add_group_dif(&mut lines, &model, &clean, &mut rng)?;
    let [alone, other] = [ablated(&model.other_heads(&circuit))?, ablated(&model.other_heads(&random))?];
    add_audit(&mut lines, Subject::Oracle, [&clean, &alone, &other])?;
    add_noise_audit(&mut lines, &mut rng)?;
    add_reproducibility(&mut lines, &clean, Subject::Oracle, &mut rng)?;
    Ok(lines.lines)
}

/// A curve that is the same at every share of the edges.
pub(super) fn constant_curve_cpr(value: f64) -> Result<f64, MeasurementError> {
    Ok(faithfulness_area(&THRESHOLDS, &[value; THRESHOLDS.len()])?.cpr)
}

/// So many of the heads, by layer and number.
pub(super) fn draw_heads(rng: &mut rng::NumpyRng, heads: &[Head], count: usize) -> Vec<Head> {
    let mut chosen = rng.permutation(heads.len() as u32);
    chosen.truncate(count);
    chosen.sort_unstable();
    chosen.into_iter().filter_map(|at| heads.get(at as usize).copied()).collect()
}

/// EX2 of groups by name.
pub(super) fn add_dif(
    lines: &mut RecordCollector,
    subject: Subject,
    groups: [&[f64]; 2],
) -> Result<(), StatisticsError> {
    let [first, second] = groups;
    let found = dif(&[("group0", first), ("group1", second)])?;
    lines.add_named_quantities("ex2", subject, found.quantities(), &["max_dif_code", "max_dif_standard"]);
    Ok(())
}

/// Values dealt out into two halves.
pub(super) fn random_halves(rng: &mut NumpyRng, values: &[f64]) -> [Vec<f64>; 2] {
    let order = rng.permutation(values.len() as u32);
    let (first, second) = order.split_at(order.len() / 2);
    [first, second].map(|half| half.iter().filter_map(|at| values.get(*at as usize).copied()).collect())
}

fn add_group_dif(
    lines: &mut RecordCollector,
    model: &PlantedCircuit,
    clean: &[f64],
    rng: &mut NumpyRng,
) -> Result<(), MeasurementError> {
    let [first, second] = random_halves(rng, clean);
    add_dif(lines, Subject::Dealt, [&first, &second])?;
    let by = GROUP_GAP * standard_deviation(clean, 1)?;
    let other = model.shift_prompts(by)?.logit_differences(&HeadEdits::default())?;
    add_dif(lines, Subject::Differing, [clean, &other])?;
    Ok(())
}

/// EX24 of faithfulness, on ¾ of the prompts under each of the audit's seeds: of a circuit against another one. All
/// are logit differences, one a prompt: of the model, of the circuit alone, of the other alone. The code's reading
/// wants two metrics: ablation recovery is the other one.
pub(super) fn add_audit(
    lines: &mut RecordCollector,
    subject: Subject,
    [clean, circuit, other]: [&[f64]; 3],
) -> Result<(), MeasurementError> {
    let pick = |values: &[f64], chosen: &[usize]| -> Vec<f64> {
        chosen.iter().filter_map(|at| values.get(*at).copied()).collect()
    };
    let (mut own, mut others, mut recovered) = (Vec::new(), Vec::new(), Vec::new());
    for seed in AUDIT_SEEDS {
        let chosen = subsample(clean.len(), seed)?;
        let [clean, circuit, other] = [clean, circuit, other].map(|values| pick(values, &chosen));
        own.push(faithfulness(&clean, &circuit)?);
        others.push(faithfulness(&clean, &other)?);
        recovered.push(ablation_recovery(&clean, &circuit)?);
    }
    let document = audit_as_documented(&own, &own, &others)?;
    let code = audit_as_coded(&own, &recovered, faithfulness(clean, circuit)?, ablation_recovery(clean, other)?)?;
    lines.add_audits(subject, &document, &code);
    Ok(())
}

/// EX24 of scores that are noise, for both configurations.
pub(super) fn add_noise_audit(lines: &mut RecordCollector, rng: &mut NumpyRng) -> Result<(), MeasurementError> {
    let mut scores =
        || -> Vec<f64> { (0..AUDIT_SEEDS.len()).map(|_| 1.0 + NOISE_DEVIATION * rng.standard_normal()).collect() };
    let (own, others, ablation) = (scores(), scores(), scores());
    let document = audit_as_documented(&own, &own, &others)?;
    let code = audit_as_coded(&own, &ablation, mean(&own)?, mean(&ablation)?)?;
    lines.add_audits(Subject::Random, &document, &code);
    Ok(())
}

/// EX25 of what a model says of each prompt, which is the same in every run, and of the same under noise as large as
/// its deviation.
pub(super) fn add_reproducibility(
    lines: &mut RecordCollector,
    clean: &[f64],
    subject: Subject,
    rng: &mut NumpyRng,
) -> Result<(), MeasurementError> {
    let prompts: Vec<Vec<usize>> = (0..RUN_COUNT).map(|seed| subsample(clean.len(), seed)).collect::<Result<_, _>>()?;
    let deviation = standard_deviation(clean, 1)?;
    for (subject, noise) in [(subject, 0.0), (Subject::Random, deviation)] {
        let each: Vec<Vec<f64>> = prompts
            .iter()
            .map(|run| {
                let values = run.iter().filter_map(|at| clean.get(*at).copied());
                values.map(|value| value + noise * rng.standard_normal()).collect()
            })
            .collect();
        let found = reproducibility(&each, Some(&prompts), RELATIVE_DEVIATION_MAX)?;
        lines.add_named_quantities("ex25", subject, found.quantities(), &["coherence_code", "coherence_aligned"]);
    }
    Ok(())
}
