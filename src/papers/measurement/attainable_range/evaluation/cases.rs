//! Each metric's cases, with what follows.

use super::super::super::metric::{
    AUDIT_SEEDS, Condition, Dif, FaithfulnessArea, Reading, SCALES, THRESHOLDS, Weber, audit_as_documented, d_prime,
    dif, reproducibility,
};
use super::super::super::metric::{RELATIVE_DEVIATION_MAX, Reproducibility};
use super::super::super::planted::measure_dose_response;
use super::super::case_builders::{case_series, constant_series, indexed_series};
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use super::{
    PromptSubsets, SignalAndNoise, biased_circuit, case_of_fewest_prompts, constant_groups, constant_probe,
    deterministic_metric_runs, homogeneous_circuit, step_curve, step_curve_circuit,
};
use crate::papers::measurement::MeasurementError;
use crate::rng::NumpyRng;
use crate::synthetic::PlantedCircuit;
use CaseKind::{Best, Worst};
use Reading::{Code, Document};

type AxesAndSeries = ([&'static str; 2], Vec<CaseSeries>);

fn case_of_value(value: f64, condition: Condition) -> MeasuredCase<()> {
    MeasuredCase { case: (), value, condition }
}

pub(in super::super) fn ex1_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    /// Prompts of the cases of which all may be had.
    const PROMPTS: usize = 20;
    let answers = |found: &SignalAndNoise| -> AxesAndSeries {
        let with = indexed_series("with the circuit", &found.signal);
        (["prompt", "logit difference"], vec![with, indexed_series("without it", &found.noise)])
    };
    let (two, one) = (case_of_fewest_prompts(2.0, 0.5)?, case_of_fewest_prompts(1.0, 0.5)?);
    let most = |count: usize| SignalAndNoise {
        signal: vec![1.0; count],
        noise: (0..count).map(|at| if at.is_multiple_of(2) { 1.0 } else { -1.0 }).collect(),
    };
    let fewer = most(PROMPTS);
    let too_few = d_prime(&fewer.signal, &fewer.noise)?.dprime;
    // Right everywhere, and more so with the circuit.
    let both = SignalAndNoise {
        signal: (0..PROMPTS).map(|at| 2.0 + at as f64 / PROMPTS as f64).collect(),
        noise: (0..PROMPTS).map(|at| 1.0 + at as f64 / PROMPTS as f64).collect(),
    };
    let apart = d_prime(&both.signal, &both.noise)?;
    // A little right with the circuit; without it very right, or very wrong.
    let rare = most(PROMPTS);
    let rare =
        SignalAndNoise { signal: vec![0.1; PROMPTS], noise: rare.noise.iter().map(|sign| 10.0 * sign).collect() };
    let mixed = d_prime(&rare.signal, &rare.noise)?;
    Ok(vec![
        two.to_report(
            ("ex1", Document, Best),
            "22 prompts, all right with the circuit and half of them without it. With fewer, d′ cannot exceed 2.",
            answers(&two.case),
        ),
        case_of_value(too_few, two.condition).to_report(
            ("ex1", Document, Best),
            "20 prompts, as well answered as can be where half are right without the circuit: d′ cannot exceed 2.",
            answers(&fewer),
        ),
        one.to_report(
            ("ex1", Document, Best),
            "The fewest prompts with which d′ can exceed 1, the pass condition, where half are right without the \
             circuit.",
            answers(&one.case),
        ),
        case_of_value(apart.dprime, Condition::at_least("dprime", 1.0)).to_report(
            ("ex1", Code, Best),
            "Every logit difference is larger with the circuit than any is without it. All answers are right in \
             either case, so d′ is 0.",
            answers(&both),
        ),
        case_of_value(apart.auc, Condition::at_least("auc", 0.7)).to_report(
            ("ex1", Code, Best),
            "The same: the area under the curve looks at the sizes, and is 1.",
            answers(&both),
        ),
        case_of_value(mixed.auc, Condition::above("auc", 0.7)).to_report(
            ("ex1", Document, Worst),
            "All answers are right with the circuit, by a little; half are without it, by much: d′ exceeds 1, \
             and the area is that of chance.",
            answers(&rare),
        ),
    ])
}

pub(in super::super) fn ex2_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    let drawn = |groups: &[(&'static str, Vec<f64>)]| -> AxesAndSeries {
        let shows = groups.iter().map(|(name, values)| indexed_series(name, values));
        (["prompt", "logit difference"], shows.collect())
    };
    let found = |groups: &[(&'static str, Vec<f64>)]| -> Result<Dif, MeasurementError> {
        let groups: Vec<(&str, &[f64])> = groups.iter().map(|(name, values)| (*name, values.as_slice())).collect();
        Ok(dif(&groups)?)
    };
    const GROUP_GAP: f64 = 100.0;
    let constant = constant_groups(GROUP_GAP)?;
    let still = [("common", vec![1.0; 4]), ("rare", vec![1.0 + GROUP_GAP; 4])];
    let moved = [("common", vec![0.0, 2.0, 0.0, 2.0]), ("rare", vec![100.0, 102.0, 100.0, 102.0])];
    let spread = found(&moved)?;
    // The same mean; the one group is right throughout, the other every second time.
    let unlike = [("common", vec![1.0; 8]), ("rare", vec![-4.0, 6.0, -4.0, 6.0, -4.0, 6.0, -4.0, 6.0])];
    let equal = found(&unlike)?;
    let below = |value, quantity| case_of_value(value, Condition::below(quantity, 0.5));
    Ok(vec![
        constant.to_report(
            ("ex2", Code, Worst),
            "Groups apart by 100 without any spread: as coded they do not differ.",
            drawn(&still),
        ),
        below(spread.max_dif_code, "max_dif_code").to_report(
            ("ex2", Code, Worst),
            "The same groups with a spread: now they do.",
            drawn(&moved),
        ),
        below(spread.max_dif_standard, "max_dif_standard").to_report(
            ("ex2", Document, Worst),
            "The same as d is defined.",
            drawn(&moved),
        ),
        below(equal.max_dif_standard, "max_dif_standard").to_report(
            ("ex2", Document, Worst),
            "Groups with the same mean, of which one is always answered rightly and the other every second time: \
             means are all that is compared, so they pass.",
            drawn(&unlike),
        ),
    ])
}

/// The first head's doses at both strengths, over the baseline of full strength.
fn dose_chart(model: &PlantedCircuit) -> Result<AxesAndSeries, MeasurementError> {
    let circuit = model.circuit_heads();
    let mut shows = Vec::new();
    let mut whole = None;
    for (name, level) in [("full strength", 1.0), ("half strength", 0.5)] {
        let found = measure_dose_response(model, &circuit, level)?;
        let baseline = *whole.get_or_insert(found.baseline);
        let first = found.curves.first().map_or(&[][..], |curve| curve);
        let points = SCALES.into_iter().zip(first.iter().map(|value| value / baseline));
        shows.push(case_series(name, points));
    }
    Ok((["factor of the first head", "mean logit difference over the baseline"], shows))
}

pub(in super::super) fn ex11_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    let noticed = |model: &PlantedCircuit| -> Result<MeasuredCase<Weber>, MeasurementError> {
        let circuit = model.circuit_heads();
        let found =
            super::weber(&measure_dose_response(model, &circuit, 1.0)?, &measure_dose_response(model, &circuit, 0.5)?)?;
        let value = found.value_by_name("share_detectable").unwrap_or_default();
        Ok(MeasuredCase { case: found, value, condition: Condition::at_least("share_detectable", 1.0) })
    };
    let (equal, biased, many) = (homogeneous_circuit(2)?, biased_circuit()?, homogeneous_circuit(11)?);
    // The second head works against the first; less of it is more.
    let inhibited = super::linear_circuit(&[1.5, -0.5], 0.0)?;
    Ok(vec![
        equal.to_report(
            ("ex11", Document, Best),
            "A linear circuit of equal heads, the best there is without a bias: 2/3, so the limit is out of \
             reach.",
            dose_chart(&equal.case)?,
        ),
        biased.to_report(
            ("ex11", Document, Worst),
            "Two linear heads against a bias of a third of their work: the limit is met, by a circuit that does \
             not follow the law.",
            dose_chart(&biased.case)?,
        ),
        noticed(&equal.case)?.to_report(
            ("ex11", Document, Best),
            "Two equal heads: both are noticed, which is the pass condition.",
            dose_chart(&equal.case)?,
        ),
        noticed(&many.case)?.to_report(
            ("ex11", Code, Best),
            "Eleven equal heads that do everything: half of one is less than a twentieth of the whole, so none \
             is noticed.",
            dose_chart(&many.case)?,
        ),
        noticed(&inhibited)?.to_report(
            ("ex11", Code, Best),
            "Two heads, of which one works against the other: only drops are noticed, so that one never is.",
            dose_chart(&inhibited)?,
        ),
    ])
}

pub(in super::super) fn ex24_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    const AXES: [&str; 2] = ["seed, by its number", "score"];
    let probe = constant_probe(0.9, 0.1)?;
    let constant = || {
        let probe = indexed_series("probe", &[0.5; AUDIT_SEEDS.len()]);
        (AXES, vec![probe, indexed_series("ablation", &[1.0; AUDIT_SEEDS.len()])])
    };
    let variation = case_of_value(probe.case.mean_cv_code, Condition::below("mean_cv_code", 0.05));
    let scores = |quality: f64, noise: f64| [-1.0, -0.5, 0.0, 0.5, 1.0].map(|step| quality + noise * step);
    // A thousandth of noise, and configurations apart by two.
    let (better, worse) = (scores(0.802, 0.001), scores(0.8, 0.001));
    let close = audit_as_documented(&better, &better, &worse)?;
    let noisy = scores(0.5, 0.1);
    let noise = audit_as_documented(&noisy, &noisy, &scores(0.2, 0.1))?;
    let pair =
        |better: &[f64], worse: &[f64]| (AXES, vec![indexed_series("better", better), indexed_series("worse", worse)]);
    Ok(vec![
        probe.to_report(
            ("ex24", Code, Worst),
            "A probe without noise: any difference from the other metric passes.",
            constant(),
        ),
        variation.to_report(
            ("ex24", Code, Worst),
            "Two metrics that are always the same number, whatever they measure: nothing varies, and they pass.",
            constant(),
        ),
        case_of_value(close.cohens_d_document.abs(), Condition::above("discriminability_document", 0.8)).to_report(
            ("ex24", Document, Worst),
            "Configurations apart by a quarter of a percent, with noise of half as much: d asks how steady the \
             scores are, and passes.",
            pair(&better, &worse),
        ),
        case_of_value(noise.cohens_d_document.abs(), Condition::above("discriminability_document", 0.8)).to_report(
            ("ex24", Document, Best),
            "Scores about 0.5 and about 0.2, of which no two of unlike configurations overlap: they are told \
             apart.",
            pair(&noisy, &scores(0.2, 0.1)),
        ),
        case_of_value(noise.cv_probe_sample, Condition::below("cv_probe_sample", 0.05)).to_report(
            ("ex24", Document, Best),
            "The same scores vary by more than a twentieth of their mean: a metric that tells everything apart \
             fails.",
            pair(&noisy, &scores(0.2, 0.1)),
        ),
    ])
}

/// Two runs, each its values in the order in which the code ranks them against each other.
fn runs_chart(choice: &PromptSubsets, values: &[f64]) -> AxesAndSeries {
    let each = choice.prompts.iter().take(2).zip(["first run", "second run"]);
    let shows = each.map(|(prompts, name)| {
        let values: Vec<f64> = prompts.iter().filter_map(|at| values.get(*at).copied()).collect();
        indexed_series(name, &values)
    });
    (["place in the run", "value"], shows.collect())
}

pub(in super::super) fn ex25_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    /// Prompts of a metric without noise, and its runs.
    const PROMPTS: usize = 20;
    const RUNS: u32 = 5;
    let centred = NumpyRng::new(0).standard_normals(PROMPTS);
    let values: Vec<f64> = centred.iter().map(|value| value + 3.0).collect();
    let drawn = deterministic_metric_runs(&values, RUNS)?;
    let sorted = crate::order::sorted(values.iter().copied());
    let rising = deterministic_metric_runs(&sorted, RUNS)?;
    let aligned = |found: &Reproducibility| {
        let condition = Condition::above("coherence_aligned", 0.9);
        case_of_value(found.coherence_aligned.unwrap_or_default(), condition)
    };
    let deviation =
        |found: &Reproducibility| case_of_value(found.deviation_rate, Condition::below("deviation_rate", 0.05));
    let largest = |found: &Reproducibility| case_of_value(found.max_deviation, Condition::below("max_deviation", 0.08));
    // Less their own mean, and a little more than 0.
    let mean = centred.iter().sum::<f64>() / PROMPTS as f64;
    let centred: Vec<f64> = centred.iter().map(|value| value - mean + 0.01).collect();
    let near = deterministic_metric_runs(&centred, RUNS)?;
    // Every run has other values of the same prompts, with the same mean.
    let mut noise = Vec::new();
    for seed in 0..RUNS {
        let run = NumpyRng::new(100 + seed).standard_normals(PROMPTS);
        let mean = run.iter().sum::<f64>() / PROMPTS as f64;
        noise.push(run.iter().map(|value| value - mean + 3.0).collect::<Vec<f64>>());
    }
    let all: Vec<Vec<usize>> = noise.iter().map(|run| (0..run.len()).collect()).collect();
    let unlike = reproducibility(&noise, Some(&all), RELATIVE_DEVIATION_MAX)?;
    let noise = || {
        let each = noise.iter().take(2).zip(["first run", "second run"]);
        (["prompt", "value"], each.map(|(run, name)| indexed_series(name, run)).collect())
    };
    Ok(vec![
        drawn.to_report(
            ("ex25", Code, Best),
            "A metric without noise whose values stand in no order, on ¾ of 20 prompts, five times.",
            runs_chart(&drawn.case, &values),
        ),
        rising.to_report(
            ("ex25", Code, Best),
            "The same values, by rising value: as coded it is the prompts' order that is measured.",
            runs_chart(&rising.case, &sorted),
        ),
        aligned(&drawn.case.reproducibility).to_report(
            ("ex25", Document, Best),
            "The same metric, prompt by prompt: a metric without noise agrees with itself.",
            runs_chart(&drawn.case, &values),
        ),
        deviation(&near.case.reproducibility).to_report(
            ("ex25", Document, Best),
            "A metric without noise whose mean is near 0: what prompts are taken is much beside the mean, and it \
             fails.",
            runs_chart(&near.case, &centred),
        ),
        largest(&near.case.reproducibility).to_report(
            ("ex25", Document, Best),
            "The same: its largest deviation is a multiple of its mean.",
            runs_chart(&near.case, &centred),
        ),
        deviation(&unlike).to_report(
            ("ex25", Document, Worst),
            "Runs that have nothing in common but their mean: none deviates. The page's summary asks for nothing \
             more.",
            noise(),
        ),
        largest(&unlike).to_report(
            ("ex25", Document, Worst),
            "The same runs: only means are held against each other.",
            noise(),
        ),
        aligned(&unlike).to_report(
            ("ex25", Document, Worst),
            "The same runs: coherence is the condition of the three that finds them.",
            noise(),
        ),
    ])
}

pub(in super::super) fn mib_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    const AXES: [&str; 2] = ["share of the edges", "faithfulness"];
    let curve = |share: f64| {
        let values = THRESHOLDS.map(|threshold| if threshold < share { 0.0 } else { 1.0 });
        (AXES, vec![case_series("faithfulness", THRESHOLDS.into_iter().zip(values))])
    };
    let said = |share, kind, says| -> Result<CaseReport, MeasurementError> {
        let found: MeasuredCase<FaithfulnessArea> = step_curve(share)?;
        Ok(found.to_report(("mib", Document, kind), says, curve(share)))
    };
    let late = step_curve_circuit()?;
    let values = late.case.mib.as_ref().map_or(&[][..], |curves| &curves.code.faithfulness);
    let values = case_series("faithfulness", THRESHOLDS.into_iter().zip(values.iter().copied()));
    let all = step_curve(1.0)?;
    let least = case_of_value(all.case.least_faithfulness, Condition::above("least_faithfulness", 0.9));
    Ok(vec![
        said(0.0, Best, "A perfect circuit: nothing is measured below a thousandth of the edges.")?,
        said(0.5, Worst, "A circuit that does nothing until half of its edges are kept.")?,
        said(
            1.0,
            Worst,
            "A circuit that does nothing until all of its edges are kept: the curve is a straight line from one \
             half of them on, whose area is a quarter, and fails.",
        )?,
        late.to_report(
            ("mib", Code, Worst),
            "One head does everything, and the implementation's order comes to it after a third of the edges.",
            (AXES, vec![values, constant_series("whole", (0.0, 1.0), 1.0)]),
        ),
        least.to_report(
            ("mib", Document, Worst),
            "A circuit that does nothing until all of its edges are kept is not flat.",
            curve(1.0),
        ),
    ])
}
