//! Measurement theory's metrics of evaluations against vectors (tests/golden/ex*.json, mib_*.json), on planted circuits
//! (pcm_end_to_end.json), and what their formulas can reach.

use serde_json::Value;
use sfc_bench::papers::measurement::attainable_range;
use sfc_bench::papers::measurement::metric::{
    AUDIT, Condition, CurveError, D_PRIME, DIF, DoseResponse, EdgeGraph, FAITHFULNESS_CURVE, HeadEdge,
    NOTICED_DROP_MIN, Node, Probe, ProbeError, REDUCED_STRENGTH, RELATIVE_DEVIATION_MAX, REPRODUCIBILITY, Relation,
    RunsError, SCALES, THRESHOLDS, WEBER, ablation_recovery, audit_aggregate, audit_as_coded, audit_as_documented,
    completeness, count_kept_edges, d_prime, dif, edges_by_score, edges_in_code_order, faithfulness, faithfulness_area,
    head_edges, heads_at_thresholds, heads_of_edges, normalised_faithfulness, probe_accuracy, reproducibility,
    subsample, train_test_split, weber,
};
use sfc_bench::papers::measurement::planted::{measure_dose_response, measure_planted};
use sfc_bench::statistics::{StatisticsError, cohens_d, roc_curve};
use sfc_bench::synthetic::{CircuitError, CircuitKind, CircuitSpec, CircuitWeights, Head, HeadEdits, PlantedCircuit};
use sfc_bench::{Matrix, NumpyRng};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, matrix, number, numbers};

/// Calls `check` with each vector's name, input, expected values and tolerances; there are so many.
fn vectors(text: &str, count: usize, check: impl Fn(&str, &Value, &Value, (f64, f64))) {
    let file = json(text);
    let tolerance = (number(&file["tolerance"]["rel"]), number(&file["tolerance"]["abs"]));
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), count);
    for case in cases {
        check(case["name"].as_str().unwrap(), &case["input"], &case["expected"], tolerance);
    }
}

/// Whether two numbers agree, infinities among them.
#[track_caller]
fn agree(what: &str, found: f64, wanted: &Value, (relative, absolute): (f64, f64)) {
    let wanted = number(wanted);
    if wanted.is_infinite() {
        assert_eq!(found, wanted, "{what}");
    } else {
        assert_close(what, found, wanted, relative, absolute);
    }
}

#[track_caller]
fn all_agree(what: &str, found: &[f64], wanted: &Value, tolerance: (f64, f64)) {
    let wanted = wanted.as_array().unwrap();
    assert_eq!(found.len(), wanted.len(), "{what}");
    found.iter().zip(wanted).for_each(|(found, wanted)| agree(what, *found, wanted, tolerance));
}

#[track_caller]
fn optional(what: &str, found: &[Option<f64>], wanted: &Value, tolerance: (f64, f64)) {
    let wanted = wanted.as_array().unwrap();
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, wanted) in found.iter().zip(wanted) {
        match found {
            Some(found) => agree(what, *found, wanted, tolerance),
            None => assert!(wanted.is_null(), "{what}: nothing is not {wanted}"),
        }
    }
}

fn whole(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn heads(value: &Value) -> Vec<Head> {
    let pairs = value.as_array().unwrap().iter();
    pairs.map(|pair| (whole(&pair[0]), whole(&pair[1]))).collect()
}

fn edges(value: &Value) -> Vec<HeadEdge> {
    let each = value.as_array().unwrap().iter().map(|edge| HeadEdge {
        sender: (whole(&edge[0]), whole(&edge[1])),
        receiver: (whole(&edge[2]), whole(&edge[3])),
    });
    each.collect()
}

fn model(value: &Value) -> PlantedCircuit {
    let weights = CircuitWeights {
        x: matrix(&value["x"]),
        y: numbers(&value["y"]),
        q0: matrix(&value["q0"]),
        q1: matrix(&value["q1"]),
        a: matrix(&value["A"]),
        v0: numbers(&value["v0"]),
        v1: numbers(&value["v1"]),
        bias: numbers(&value["bias"]),
    };
    PlantedCircuit::new(weights).unwrap()
}

/// Compares every number and flag that a vector has with the field of a result that has its name.
#[track_caller]
fn fields(name: &str, found: &impl serde::Serialize, wanted: &Value, tolerance: (f64, f64)) {
    let found = serde_json::to_value(found).unwrap();
    for (key, wanted) in wanted.as_object().unwrap() {
        let what = format!("{name}, {key}");
        let found = &found[key];
        match wanted {
            Value::Bool(_) => assert_eq!(found, wanted, "{what}"),
            Value::Number(_) => agree(&what, number(found), wanted, tolerance),
            _ => panic!("{what}: {wanted} is compared by hand"),
        }
    }
}

fn drawn(kind: CircuitKind, prompts: usize, heads: usize, seed: u32) -> PlantedCircuit {
    PlantedCircuit::draw(&CircuitSpec { kind, prompts, heads, seed }).unwrap()
}

#[test]
fn d_prime_equals_scipys() {
    vectors(include_str!("../golden/ex1_dprime.json"), 10, |name, input, expected, tolerance| {
        let (signal, noise) = (numbers(&input["signal_ld"]), numbers(&input["noise_ld"]));
        let found = d_prime(&signal, &noise);
        match expected.as_str() {
            Some("reject (empty)") => {
                assert!(matches!(found, Err(StatisticsError::TooFew { .. })), "{name}");
            }
            Some("reject (NonFinite)") => {
                assert!(matches!(found, Err(StatisticsError::NonFinite { .. })), "{name}");
            }
            _ => {
                fields(name, &found.unwrap(), expected, tolerance);
                // The curve that is drawn has the area that is told.
                let curve = roc_curve(&signal, &noise).unwrap();
                let area =
                    curve.windows(2).map(|strip| (strip[1][0] - strip[0][0]) * (strip[0][1] + strip[1][1]) / 2.0);
                agree(name, area.sum(), &expected["auc"], tolerance);
                assert_eq!((curve[0], curve[curve.len() - 1]), ([0.0; 2], [1.0; 2]));
            }
        }
    });
}

#[test]
fn differences_of_groups_equal_numpys_in_both_readings() {
    vectors(include_str!("../golden/ex2_dif.json"), 8, |name, input, expected, tolerance| {
        let groups = input["groups"].as_object().unwrap();
        let groups: Vec<(&str, Vec<f64>)> = groups.iter().map(|(name, ld)| (name.as_str(), numbers(ld))).collect();
        let given: Vec<(&str, &[f64])> = groups.iter().map(|(name, ld)| (*name, ld.as_slice())).collect();
        let found = dif(&given).unwrap();
        let pairs = expected["pairs"].as_object().unwrap();
        assert_eq!(found.pairs.len(), pairs.len(), "{name}");
        for pair in &found.pairs {
            let wanted = &pairs[&format!("{}_vs_{}", pair.first, pair.second)];
            agree(name, pair.d_code_ddof0, &wanted["d_code_ddof0"], tolerance);
            agree(name, pair.d_standard_ddof1, &wanted["d_standard_ddof1"], tolerance);
        }
        agree(name, found.max_dif_code, &expected["max_dif_code"], tolerance);
        agree(name, found.max_dif_standard, &expected["max_dif_standard"], tolerance);
        agree(name, found.value_code, &expected["value_code"], tolerance);
        assert_eq!(found.passed_code, expected["passed_code"], "{name}");
        assert_eq!(found.passed_standard, expected["passed_standard"], "{name}");
        for group in &found.groups {
            let wanted = &expected["accuracy"][&group.name];
            optional(name, &[group.accuracy], &Value::Array(vec![wanted.clone()]), tolerance);
        }
    });
    assert!(matches!(dif(&[]), Err(StatisticsError::TooFew { .. })));
    assert!(matches!(dif(&[("a", &[f64::NAN])]), Err(StatisticsError::NonFinite { .. })));
}

#[test]
fn just_noticeable_differences_equal_numpys() {
    vectors(include_str!("../golden/ex11_weber.json"), 11, |name, input, expected, tolerance| {
        assert_eq!(numbers(&input["scale_factors"]), SCALES);
        assert_eq!(
            (number(&input["threshold"]), number(&input["reduced_scale"])),
            (NOTICED_DROP_MIN, REDUCED_STRENGTH)
        );
        let given = |part: &str| DoseResponse {
            baseline: number(&input[format!("baseline_{part}")]),
            curves: input[format!("curves_{part}")]
                .as_array()
                .unwrap()
                .iter()
                .map(|curve| numbers(curve).try_into().unwrap())
                .collect(),
        };
        let (full, reduced) = (given("full"), given("reduced"));
        if !input["model"].is_null() {
            // The curves themselves, from the planted model.
            let (model, circuit) = (model(&input["model"]), heads(&input["circuit"]));
            for (level, wanted) in [(1.0, &full), (REDUCED_STRENGTH, &reduced)] {
                let found = measure_dose_response(&model, &circuit, level).unwrap();
                assert_close(name, found.baseline, wanted.baseline, tolerance.0, tolerance.1);
                let pairs = found.curves.as_flattened().iter().zip(wanted.curves.as_flattened());
                pairs.for_each(|(found, wanted)| {
                    assert_close(name, *found, *wanted, tolerance.0, tolerance.1);
                });
            }
        }
        let found = weber(&full, &reduced).unwrap();
        optional(name, &found.jnd_full, &expected["jnd_full"], tolerance);
        optional(name, &found.jnd_reduced, &expected["jnd_reduced"], tolerance);
        all_agree(name, &found.weber_full, &expected["weber_full"], tolerance);
        all_agree(name, &found.weber_reduced, &expected["weber_reduced"], tolerance);
        for key in ["weber_consistency_code", "weber_consistency_relative_jnd"] {
            agree(name, found.value_by_name(key).unwrap(), &expected[key], tolerance);
        }
        assert_eq!(found.all_detectable, expected["all_detectable"], "{name}");
        assert_eq!(found.n_detectable, whole(&expected["n_detectable"]), "{name}");
        assert_eq!(found.skipped_code, name == "zero_baseline");
    });
    let one = DoseResponse { baseline: 1.0, curves: vec![SCALES] };
    let none = DoseResponse { baseline: 1.0, curves: Vec::new() };
    let two = DoseResponse { baseline: 1.0, curves: vec![SCALES; 2] };
    let odd = DoseResponse { baseline: f64::NAN, curves: vec![SCALES] };
    assert!(matches!(weber(&none, &none), Err(StatisticsError::TooFew { .. })));
    assert!(matches!(weber(&one, &two), Err(StatisticsError::Lengths { first: 1, second: 2 })));
    assert!(matches!(weber(&odd, &one), Err(StatisticsError::NonFinite { .. })));
}

#[test]
fn audits_equal_numpys_in_both_readings() {
    vectors(include_str!("../golden/ex24_audit.json"), 6, |name, input, expected, tolerance| {
        let of = |key: &str| numbers(&input[key]);
        let code = audit_as_coded(
            &of("probe_scores"),
            &of("ablation_scores"),
            number(&input["full_score"]),
            number(&input["ablated_score"]),
        );
        let document = audit_as_documented(&of("probe_scores"), &of("config_A"), &of("config_B"));
        let (code, document) = (code.unwrap(), document.unwrap());
        for (key, wanted) in expected.as_object().unwrap() {
            let what = format!("{name}, {key}");
            match key.as_str() {
                "passed_code" => assert_eq!(code.passed_code, *wanted, "{what}"),
                "passed_document" => assert_eq!(document.passed_document, *wanted, "{what}"),
                key => {
                    let found = code.value_by_name(key).or_else(|| document.value_by_name(key)).unwrap();
                    agree(&what, found, wanted, tolerance);
                }
            }
        }
        assert_eq!(code.cv_probe_pop, document.cv_probe_pop);
    });
    let two = [1.0, 2.0];
    assert!(matches!(audit_as_coded(&[], &two, 0.0, 0.0), Err(StatisticsError::TooFew { .. })));
    assert!(audit_as_coded(&two, &two, f64::NAN, 0.0).is_err());
    assert!(matches!(audit_as_documented(&[1.0], &two, &two), Err(StatisticsError::TooFew { .. })));
    assert!(audit_as_documented(&two, &two, &[1.0]).is_err());
    // Together tasks pass by their mean, one that fails among them.
    let all = audit_aggregate(&[0.01, 0.08]).unwrap();
    assert!(all.passed && (all.cv_std - 0.035).abs() < 1e-15);
    assert!(!audit_aggregate(&[0.02, 0.08]).unwrap().passed);
}

#[test]
fn reproducibility_equals_numpys_and_scipys() {
    let text = include_str!("../golden/ex25_reproducibility.json");
    vectors(text, 8, |name, input, expected, tolerance| {
        assert_eq!(number(&input["deviation_threshold"]), RELATIVE_DEVIATION_MAX);
        let runs: Vec<Vec<f64>> = input["runs"].as_array().unwrap().iter().map(numbers).collect();
        let prompts: Option<Vec<Vec<usize>>> = input["prompt_ids"]
            .as_array()
            .map(|runs| runs.iter().map(|run| run.as_array().unwrap().iter().map(whole).collect()).collect());
        let found = reproducibility(&runs, prompts.as_deref(), RELATIVE_DEVIATION_MAX);
        if expected.is_null() {
            let few = RunsError::Statistics(StatisticsError::TooFew { what: "runs with values", found: 1, needed: 2 });
            assert_eq!(found, Err(few));
            return;
        }
        let found = found.unwrap();
        all_agree(name, &found.run_means, &expected["run_means"], tolerance);
        for key in ["deviation_rate", "max_deviation", "max_deviation_pairwise"] {
            let what = format!("{name}, {key}");
            agree(&what, found.value_by_name(key).unwrap(), &expected[key], tolerance);
        }
        if name == "ties" {
            // Its runs are 1 1 2 2 and 2 2 1 1. NumPy's quicksort leaves the order of ties open: with AVX2 or AVX-512
            // argsort of the second is 3 2 1 0, and the vector says -1; without them it is 2 3 0 1, as it is here.
            let of = |ranks: [f64; 4]| {
                let squares = (0..4).map(|at| ranks[at] - at as f64).map(|d| d * d).sum::<f64>();
                1.0 - 6.0 * squares / 60.0
            };
            agree(name, of([3.0, 2.0, 1.0, 0.0]), &expected["coherence_code"], tolerance);
            assert_close(name, found.coherence_code, of([2.0, 3.0, 0.0, 1.0]), 1e-15, 1e-15);
        } else {
            agree(name, found.coherence_code, &expected["coherence_code"], tolerance);
        }
        match found.coherence_aligned {
            Some(aligned) => {
                agree(name, aligned, &expected["coherence_aligned_scipy"], tolerance);
                assert_eq!(found.passed_aligned, expected["passed_aligned"], "{name}");
            }
            None => assert!(prompts.is_none(), "{name}"),
        }
        if name == "deterministic_metric_subsampled" {
            for (seed, prompts) in (0..).zip(prompts.unwrap()) {
                assert_eq!(subsample(20, seed).unwrap(), prompts);
            }
        }
    });
    let runs = [vec![1.0, 2.0, 3.0], vec![1.0, 2.0, 3.0]];
    let refused =
        |prompts: &[Vec<usize>]| reproducibility(&runs, Some(prompts), RELATIVE_DEVIATION_MAX).unwrap_err().code();
    assert_eq!(refused(&[vec![0, 1, 2]]), "runs.runs");
    assert_eq!(refused(&[vec![0, 1, 2], vec![0, 1]]), "runs.prompts");
    assert_eq!(refused(&[vec![0, 1, 2], vec![0, 1, 1]]), "runs.twice");
    // Too few prompts in common, and values that do not vary, cannot be ranked.
    let apart = reproducibility(&runs, Some(&[vec![0, 1, 2], vec![2, 3, 4]]), RELATIVE_DEVIATION_MAX).unwrap();
    assert_eq!((apart.coherence_aligned, apart.passed_aligned), (None, false));
    let same = [vec![1.0; 3], vec![1.0; 3]];
    let ids = [vec![0, 1, 2], vec![0, 1, 2]];
    assert_eq!(reproducibility(&same, Some(&ids), RELATIVE_DEVIATION_MAX).unwrap().coherence_aligned, None);
}

#[test]
fn areas_equal_numpys_trapezoids() {
    vectors(include_str!("../golden/mib_curve.json"), 8, |name, input, expected, tolerance| {
        let (thresholds, values) = (numbers(&input["thresholds"]), numbers(&input["faithfulness"]));
        let found = faithfulness_area(&thresholds, &values);
        if name == "nan" {
            // The vector shows what NumPy makes of it.
            let wanted =
                CurveError::Statistics(StatisticsError::NonFinite { what: "faithfulness", index: 0, value: f64::NAN });
            assert_eq!(found.unwrap_err().to_string(), wanted.to_string());
            return;
        }
        let found = found.unwrap();
        for (key, wanted) in expected.as_object().unwrap() {
            let what = format!("{name}, {key}");
            match (key.as_str(), found.value_by_name(key)) {
                ("passed", _) => assert_eq!(found.passed, *wanted, "{what}"),
                (_, None) => assert!(number(wanted).is_nan(), "{what}"),
                (_, Some(found)) => agree(&what, found, wanted, tolerance),
            }
        }
    });
    let of = |thresholds: &[f64], values: &[f64]| faithfulness_area(thresholds, values).unwrap_err();
    assert_eq!(of(&[], &[]).code(), "statistics.too-few");
    assert_eq!(of(&[0.5], &[1.0, 1.0]).code(), "statistics.lengths");
    assert_eq!(of(&[0.0, 1.0], &[1.0, 1.0]), CurveError::Threshold { index: 0, value: 0.0 });
    assert_eq!(of(&[0.5, 0.5], &[1.0, 1.0]), CurveError::Threshold { index: 1, value: 0.5 });
    assert_eq!(of(&[0.5, 1.5], &[1.0, 1.0]), CurveError::Threshold { index: 1, value: 1.5 });
}

#[test]
fn edges_are_kept_in_the_codes_order() {
    vectors(include_str!("../golden/mib_edge_selection.json"), 5, |name, input, expected, _| {
        let all = edges_in_code_order(&edges(&input["edges"]));
        let count = count_kept_edges(number(&input["t"]), all.len()).unwrap();
        assert_eq!(count, whole(&expected["n_keep"]), "{name}");
        assert_eq!(all[..count], edges(&expected["edges"]), "{name}");
        assert_eq!(heads_of_edges(&all[..count]), heads(&expected["heads"]), "{name}");
    });
    assert!(count_kept_edges(1.1, 4).is_err() && count_kept_edges(f64::NAN, 4).is_err());
    assert_eq!(count_kept_edges(0.5, 0), Ok(0));
    let all = head_edges(3, 4);
    assert_eq!(all.len(), 48);
    let scores: Vec<f64> = all.iter().map(|edge| (edge.sender.1 % 2) as f64).collect();
    let ranked = edges_by_score(&all, &scores).unwrap();
    // Equal scores leave the order as it was.
    let of = |wanted: usize| all.iter().filter(move |edge| edge.sender.1 % 2 == wanted);
    assert!(ranked.iter().eq(of(1).chain(of(0))));
    assert!(edges_by_score(&all, &scores[1..]).is_err());
    assert_eq!(heads_at_thresholds(&ranked).last().unwrap().len(), 12);
}

#[test]
fn the_graph_has_the_edges_that_mib_counts() {
    assert_eq!((EdgeGraph::new(3, 4).edge_count(), EdgeGraph::new(12, 12).edge_count()), (262, 32_491));
    for (layers, heads) in [(0, 0), (0, 3), (1, 1), (2, 3), (3, 4), (5, 2)] {
        for graph in [EdgeGraph::new(layers, heads), EdgeGraph::with_parallel_mlps(layers, heads)] {
            let listed: Vec<_> = graph.edges().collect();
            assert_eq!(graph.edge_count(), listed.len() as u64, "{layers} layers of {heads}");
            let mut sorted = listed.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), listed.len());
            for edge in &listed {
                assert!(graph.has_edge(edge), "{edge}");
                assert_eq!(edge.to_string().parse(), Ok(*edge));
            }
            // What is an edge of a larger graph and not listed here is none of this.
            let larger = EdgeGraph::new(layers + 1, heads + 1).edges();
            let here = larger.filter(|edge| graph.has_edge(edge)).count();
            assert_eq!(here, listed.len());
        }
    }
    let name = |name: &str| name.parse::<Node>();
    assert_eq!(name("a11.h0"), Ok(Node::Head(11, 0)));
    for wrong in ["", "a1", "a1.h", "a01.h0", "m-1", "m+1", "m 1", "a1.h99999", "inputs"] {
        assert!(name(wrong).is_err(), "{wrong}");
    }
    assert!(EdgeGraph::new(usize::MAX, usize::MAX).edge_count() == u64::MAX);
}

#[test]
fn metrics_on_planted_circuits_equal_the_separate_program() {
    vectors(include_str!("../golden/pcm_end_to_end.json"), 6, |name, input, expected, tolerance| {
        let (model, circuit) = (model(&input["model"]), heads(&input["circuit"]));
        let found = measure_planted(&model, &circuit).unwrap();
        all_agree(name, &found.clean_ld, &expected["clean_ld"], tolerance);
        all_agree(name, &found.circuit_ablated_ld, &expected["circuit_ablated_ld"], tolerance);
        for (layer, head) in model.heads() {
            let wanted = &expected["means"][format!("{layer}.{head}")];
            agree(name, model.mean_output((layer, head)).unwrap(), wanted, tolerance);
        }
        agree(name, found.faithfulness_circuit, &expected["faithfulness_circuit"], tolerance);
        agree(name, found.completeness_circuit, &expected["completeness_circuit"], tolerance);
        agree(name, found.faithfulness_none, &expected["faithfulness_none"], tolerance);
        fields(name, &found.ex1, &expected["ex1"], tolerance);
        let mib = found.mib.unwrap().code;
        assert_eq!(mib.order, edges_in_code_order(&edges(&input["edges"])), "{name}");
        assert_eq!(numbers(&input["thresholds"]), THRESHOLDS);
        all_agree(name, &mib.faithfulness, &expected["faithfulness_curve"], tolerance);
        fields(name, &mib.area, &expected["mib"], tolerance);
        for ((layer, head), mean) in &found.per_head_ablation_ld_mean {
            let wanted = &expected["per_head_ablation_ld_mean"][format!("{layer}.{head}")];
            agree(name, *mean, wanted, tolerance);
        }
    });
}

#[test]
fn the_circuit_that_was_planted_is_what_ablations_find() {
    let known: [(CircuitKind, &[Head]); 7] = [
        (CircuitKind::Planted, &[(0, 0), (0, 1), (1, 0), (1, 1)]),
        (CircuitKind::Additive, &[(0, 0), (0, 1), (1, 0), (1, 1)]),
        (CircuitKind::Redundant, &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]),
        (CircuitKind::Inhibitory, &[(0, 0), (0, 1), (1, 0)]),
        (CircuitKind::DeadHead, &[(0, 0), (1, 0)]),
        (CircuitKind::BiasOnly, &[]),
        (CircuitKind::LinearHomogeneous, &[(0, 0), (0, 1)]),
    ];
    for ((kind, circuit), listed) in known.into_iter().zip(CircuitKind::ALL) {
        assert_eq!(kind, listed);
        for seed in 0..5 {
            let model = drawn(kind, 64, 3, seed);
            assert_eq!(model.circuit_heads(), circuit, "{}", kind.name());
            let clean = model.logit_differences(&HeadEdits::default()).unwrap();
            let apart = |heads: &[Head]| {
                let edited = model.logit_differences(&HeadEdits::ablate(heads)).unwrap();
                edited.iter().zip(&clean).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
            };
            assert!(apart(&model.other_heads(circuit)) < 1e-12, "{}", kind.name());
            for head in circuit {
                assert!(apart(&[*head]) > 1e-2, "{} {head:?}", kind.name());
            }
            assert_eq!(model, drawn(kind, 64, 3, seed));
        }
    }
    // A linear circuit's share of a head is known: what it writes, weighted by what it looks for.
    let model = drawn(CircuitKind::LinearHomogeneous, 64, 3, 7);
    let weights = model.weights();
    let written = |head: usize| {
        let rows = weights.x.iter_rows().zip(&weights.y);
        let each = rows.map(|(x, y)| y * x.iter().zip(weights.q0.row(head)).map(|(x, q)| x * q).sum::<f64>());
        weights.v0[head] * each.sum::<f64>()
    };
    let share = written(0) / (written(0) + written(1));
    let clean = model.logit_differences(&HeadEdits::default()).unwrap();
    let alone = model.logit_differences(&HeadEdits::ablate(&model.other_heads(&[(0, 0)]))).unwrap();
    assert_close("share", faithfulness(&clean, &alone).unwrap(), share, 1e-12, 1e-12);
    let without = model.logit_differences(&HeadEdits::ablate(&[(0, 0)])).unwrap();
    assert_close("share", completeness(&clean, &without).unwrap(), share, 1e-12, 1e-12);
}

#[test]
fn a_planted_shift_is_the_difference_that_is_found() {
    let model = drawn(CircuitKind::Planted, 400, 3, 3);
    let common = model.logit_differences(&HeadEdits::default()).unwrap();
    let deviation = sfc_bench::statistics::standard_deviation(&common, 1).unwrap();
    for planted in [0.0, 0.1, 0.45, -0.8] {
        let rare = model.shift_prompts(planted * deviation).unwrap();
        let rare = rare.logit_differences(&HeadEdits::default()).unwrap();
        let found = dif(&[("rare", &rare), ("common", &common)]).unwrap();
        assert_close("d", found.pairs[0].d_standard_ddof1, planted, 1e-12, 1e-12);
        let factor = f64::sqrt(400.0 / 399.0);
        assert_close("d as coded", found.pairs[0].d_code_ddof0, planted * factor, 1e-12, 1e-12);
    }
}

#[test]
fn planted_circuits_that_cannot_be_are_refused() {
    let of = |prompts, heads| {
        let kind = CircuitKind::Planted;
        PlantedCircuit::draw(&CircuitSpec { kind, prompts, heads, seed: 0 }).unwrap_err()
    };
    assert_eq!(of(15, 3), CircuitError::Prompts { found: 15 });
    assert_eq!(of(0, 3).code(), "circuit.prompts");
    assert_eq!(of(16, 1), CircuitError::Heads { found: 1 });
    let model = drawn(CircuitKind::Planted, 16, 3, 0);
    let refused = |change: fn(&mut CircuitWeights)| {
        let mut weights = model.weights().clone();
        change(&mut weights);
        PlantedCircuit::new(weights).unwrap_err().code()
    };
    assert_eq!(refused(|weights| weights.y.truncate(3)), "metric.shape");
    assert_eq!(refused(|weights| weights.a = Matrix::zeros(2, 3)), "metric.shape");
    assert_eq!(refused(|weights| weights.q1 = Matrix::zeros(3, 5)), "metric.shape");
    assert_eq!(refused(|weights| weights.x.data_mut()[0] = f64::NAN), "metric.non-finite");
    assert_eq!(refused(|weights| weights.bias[0] = f64::INFINITY), "metric.non-finite");
    let edited = |edits: &HeadEdits| model.logit_differences(edits).unwrap_err().code();
    assert_eq!(edited(&HeadEdits::ablate(&[(2, 0)])), "metric.index");
    assert_eq!(edited(&HeadEdits::ablate(&[(0, 3)])), "metric.index");
    assert_eq!(edited(&HeadEdits::scale(&[((0, 0), f64::NAN)])), "metric.non-finite");
    assert_eq!(measure_planted(&model, &[]).unwrap_err().code(), "statistics.too-few");
}

#[test]
fn sums_near_nothing_have_no_share() {
    let (nothing, some) = ([1.0, -1.0], [1.0, 2.0]);
    assert_eq!(faithfulness(&nothing, &some), Ok(0.0));
    assert_eq!(completeness(&nothing, &some), Ok(0.0));
    assert_eq!(ablation_recovery(&nothing, &some), Ok(0.0));
    // Beyond the whole model, and against it: nothing is cut off.
    assert_eq!(faithfulness(&some, &[4.0, 2.0]), Ok(2.0));
    assert_eq!(completeness(&some, &[-4.0, -2.0]), Ok(3.0));
    assert_eq!(ablation_recovery(&some, &[-4.0, -2.0]), Ok(-2.0));
    assert!(matches!(faithfulness(&some, &[1.0]), Err(StatisticsError::Lengths { .. })));
    assert!(matches!(completeness(&[], &[]), Err(StatisticsError::TooFew { .. })));
    assert!(matches!(ablation_recovery(&some, &[f64::NAN, 1.0]), Err(StatisticsError::NonFinite { .. })));
    assert_eq!(normalised_faithfulness(2.0, 1.0, 3.0), Some(0.5));
    assert_eq!(normalised_faithfulness(f64::NAN, 1.0, 1.0), None);
}

#[test]
fn what_is_said_of_metrics_speaks_of_quantities_that_they_have() {
    let ld = [1.0, 2.0, 3.0];
    let doses = DoseResponse { baseline: 1.0, curves: vec![SCALES] };
    let groups: [(&str, &[f64]); 2] = [("a", &ld), ("b", &ld)];
    let ids = [vec![0, 1, 2], vec![0, 1, 2]];
    let d_prime = d_prime(&ld, &ld).unwrap();
    let dif = dif(&groups).unwrap();
    let weber = weber(&doses, &doses).unwrap();
    let (document, code) = (audit_as_documented(&ld, &ld, &ld).unwrap(), audit_as_coded(&ld, &ld, 1.0, 0.0).unwrap());
    let runs = reproducibility(&[ld.to_vec(), ld.to_vec()], Some(&ids), RELATIVE_DEVIATION_MAX).unwrap();
    let area = faithfulness_area(&THRESHOLDS, &THRESHOLDS).unwrap();
    type Quantity<'a> = &'a dyn Fn(&str) -> Option<f64>;
    let abouts: [(_, Quantity<'_>); 6] = [
        (D_PRIME, &|name| d_prime.value_by_name(name)),
        (DIF, &|name| dif.value_by_name(name)),
        (WEBER, &|name| weber.value_by_name(name)),
        (AUDIT, &|name| document.value_by_name(name).or_else(|| code.value_by_name(name))),
        (REPRODUCIBILITY, &|name| runs.value_by_name(name)),
        (FAITHFULNESS_CURVE, &|name| area.value_by_name(name)),
    ];
    for (about, quantity) in abouts {
        let rows = about.table.iter().flat_map(|row| row.when);
        let all = rows.chain(about.passes.document).chain(about.passes.code);
        let mut count = 0;
        for condition in all {
            assert!(quantity(condition.quantity).is_some(), "{}: {}", about.id, condition.quantity);
            count += 1;
        }
        assert!(count >= 4, "{}", about.id);
        assert_eq!(quantity("no such quantity"), None);
        let applying = about.matching_rows(quantity);
        assert!(about.table.iter().all(|row| {
            applying.contains(&row) == row.when.iter().all(|one| one.holds(quantity(one.quantity).unwrap()))
        }));
    }
    assert_eq!(Condition::at_least("x", 1.0).relation, Relation::AtLeast);
}

#[test]
fn effect_sizes_are_defined_without_variation() {
    assert_eq!(cohens_d(&[1.0, 1.0], &[1.0, 1.0], 1), Ok(0.0));
    assert_eq!(cohens_d(&[2.0, 2.0], &[1.0, 1.0], 0), Ok(f64::INFINITY));
    // The sum of three times 0.1 rounds to more than 0.3.
    assert_eq!(cohens_d(&[0.1; 3], &[0.1; 2], 1), Ok(0.0));
    assert!(matches!(cohens_d(&[1.0], &[1.0, 2.0], 1), Err(StatisticsError::TooFew { .. })));
    assert!(matches!(cohens_d(&[1.0, f64::NAN], &[1.0, 2.0], 1), Err(StatisticsError::NonFinite { .. })));
    // d is against the sign of its arguments' order, and no matter where 0 is.
    let mut rng = NumpyRng::new(5);
    for _ in 0..50 {
        let mut draw = |n: usize| (0..n).map(|_| rng.standard_normal()).collect::<Vec<f64>>();
        let (a, b) = (draw(7), draw(11));
        let d = cohens_d(&a, &b, 1).unwrap();
        assert_eq!(cohens_d(&b, &a, 1), Ok(-d));
        let moved = |values: &[f64]| values.iter().map(|x| 3.0 * x + 1.0).collect::<Vec<f64>>();
        assert_close("moved", cohens_d(&moved(&a), &moved(&b), 1).unwrap(), d, 1e-12, 1e-12);
    }
}

#[test]
fn probes_equal_scikit_learns() {
    let file = json(include_str!("../golden/probe.json"));
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let inputs = matrix(&case["inputs"]);
        let labels: Vec<bool> =
            case["labels"].as_array().unwrap().iter().map(|label| label.as_bool().unwrap()).collect();
        for wanted in case["seeds"].as_array().unwrap() {
            let seed = u32::try_from(whole(&wanted["seed"])).unwrap();
            let found = train_test_split(inputs.rows(), seed).unwrap();
            let rows =
                |rows: &Value| -> Vec<u32> { rows.as_array().unwrap().iter().map(|row| whole(row) as u32).collect() };
            assert_eq!(found.train, rows(&wanted["train"]), "{name}");
            assert_eq!(found.test, rows(&wanted["test"]), "{name}");
            let train: Vec<bool> = found.train.iter().map(|row| labels[*row as usize]).collect();
            let probe = Probe::fit(&inputs.select_rows(&found.train), &train).unwrap();
            // Both minimise to a gradient of about 1e-13.
            all_agree(name, probe.weights(), &wanted["weights"], (1e-10, 1e-10));
            agree(name, probe.intercept(), &wanted["intercept"], (1e-10, 1e-10));
            let score = probe_accuracy(&inputs, &labels, seed).unwrap();
            agree(name, score.accuracy, &wanted["accuracy"], (0.0, 1e-15));
            agree(name, score.training_accuracy, &wanted["training_accuracy"], (0.0, 1e-15));
            assert!(score.majority >= 0.5 && score.train + score.test == labels.len());
        }
    }
    let rows = Matrix::from_vec(4, 1, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    let refused = |rows: &Matrix, labels: &[bool]| probe_accuracy(rows, labels, 0).unwrap_err();
    assert_eq!(refused(&rows, &[true]), ProbeError::Labels { rows: 4, labels: 1 });
    assert_eq!(refused(&rows, &[true; 4]), ProbeError::OneClass { rows: 2, positive: 2 });
    assert_eq!(refused(&Matrix::zeros(1, 1), &[true]), ProbeError::Rows { rows: 1 });
    assert_eq!(refused(&Matrix::zeros(4, 0), &[true, false, true, false]).code(), "metric.empty");
    let mut odd = rows.clone();
    odd.data_mut()[2] = f64::NAN;
    assert_eq!(Probe::fit(&odd, &[true, false, true, false]).unwrap_err().code(), "metric.non-finite");
    let probe = Probe::fit(&rows, &[false, false, true, true]).unwrap();
    assert_eq!(probe.accuracy(&rows, &[false, false, true, true]), Ok(1.0));
    assert!(probe.accuracy(&Matrix::zeros(4, 2), &[true; 4]).is_err());
}

#[test]
fn circuits_are_drawn_as_numpy_draws_them() {
    let file = json(include_str!("../golden/planted_circuits.json"));
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2 * CircuitKind::ALL.len());
    // Normals take the C library's logarithm there.
    let tolerance = (1e-13, 1e-13);
    for case in cases {
        let name = case["kind"].as_str().unwrap();
        let kind = CircuitKind::ALL.into_iter().find(|kind| kind.name() == name).unwrap();
        let seed = u32::try_from(whole(&case["seed"])).unwrap();
        let found = drawn(kind, whole(&case["prompts"]), whole(&case["heads"]), seed);
        let (weights, wanted) = (found.weights(), model(&case["model"]));
        let wanted = wanted.weights();
        for (found, wanted) in [
            (weights.x.data(), wanted.x.data()),
            (&weights.y, &wanted.y),
            (weights.q0.data(), wanted.q0.data()),
            (weights.q1.data(), wanted.q1.data()),
            (weights.a.data(), wanted.a.data()),
            (&weights.v0, &wanted.v0),
            (&weights.v1, &wanted.v1),
            (&weights.bias, &wanted.bias),
        ] {
            assert_eq!(found.len(), wanted.len());
            found.iter().zip(wanted).for_each(|(found, wanted)| {
                assert_close(name, *found, *wanted, tolerance.0, tolerance.1);
            });
        }
        for run in case["runs"].as_array().unwrap() {
            let scales = run["scales"].as_array().unwrap().iter();
            let scales = scales.map(|one| ((whole(&one[0]), whole(&one[1])), number(&one[2])));
            let mut edits = HeadEdits::scale(&scales.collect::<Vec<_>>());
            edits.ablated = heads(&run["ablated"]).into_iter().collect();
            let found = found.logit_differences(&edits).unwrap();
            all_agree(name, &found, &run["logit_differences"], (1e-12, 1e-12));
        }
    }
}

#[test]
fn more_than_two_standard_deviations_take_twenty_two_prompts() {
    let found = attainable_range::case_of_fewest_prompts(2.0, 0.5).unwrap();
    assert!(found.holds() && found.case.signal.len() == 22, "{}", found.value);
    // No two samples of fewer prompts do it: at each size the largest d' is at the fewest false alarms allowed.
    for count in 1..22_usize {
        let signal = vec![1.0; count];
        for right in count.div_ceil(2)..=count {
            let noise: Vec<f64> = (0..count).map(|at| if at < right { 1.0 } else { -1.0 }).collect();
            assert!(d_prime(&signal, &noise).unwrap().dprime <= 2.0, "{right} of {count}");
        }
    }
    assert!(matches!(attainable_range::case_of_fewest_prompts(2.0, 1.5), Err(StatisticsError::Share { .. })));
    assert!(matches!(attainable_range::case_of_fewest_prompts(9.0, 0.5), Err(StatisticsError::TooMany { .. })));
}

#[test]
fn no_linear_circuit_follows_webers_law_as_coded() {
    for heads in 1..=9 {
        let found = attainable_range::homogeneous_circuit(heads).unwrap();
        assert_close("consistency", found.value, 2.0 / 3.0, 1e-12, 0.0);
        assert!(!found.holds());
    }
    // Of ten heads half of one is 5 % to the last digit; of eleven it is less.
    assert_eq!(attainable_range::homogeneous_circuit(11).unwrap().value, 0.0);
    assert!(attainable_range::homogeneous_circuit(0).is_err());
    // Nor does any with other shares.
    let mut rng = NumpyRng::new(11);
    let mut most: f64 = 0.0;
    for _ in 0..500 {
        let heads = 1 + rng.next_word() as usize % 6;
        let shares: Vec<f64> = (0..heads).map(|_| rng.random_sample()).collect();
        let model = attainable_range::linear_circuit(&shares, 0.0).unwrap();
        let circuit = model.circuit_heads();
        let found = weber(
            &measure_dose_response(&model, &circuit, 1.0).unwrap(),
            &measure_dose_response(&model, &circuit, REDUCED_STRENGTH).unwrap(),
        );
        let found = found.unwrap();
        // Where a drop is 5 % to the last digit, one strength may notice it and the other not.
        if found.jnd_full == found.jnd_reduced && found.n_detectable > 0 {
            most = most.max(found.weber_consistency_code);
        }
    }
    assert!((0.6..=2.0 / 3.0 + 1e-12).contains(&most), "{most}");
    // With a bias against it one does.
    let found = attainable_range::biased_circuit().unwrap();
    assert!(found.holds(), "{}", found.value);
    assert_close("consistency", found.value, 1.0, 1e-12, 0.0);
}

#[test]
fn a_metric_without_noise_is_not_reproducible_as_coded() {
    let mut below = 0;
    for seed in 0..50 {
        let mut values = vec![0.0; 20];
        NumpyRng::new(seed).fill_standard_normal(&mut values);
        values.iter_mut().for_each(|value| *value += 30.0);
        let found = attainable_range::deterministic_metric_runs(&values, 5).unwrap();
        below += usize::from(!found.holds());
        let case = found.case.reproducibility;
        assert_eq!((case.coherence_aligned, case.passed_code), (Some(1.0), false));
        // Means of other prompts differ by less than is allowed, and the same prompts agree.
        assert!(case.passed_aligned && case.passed_summary);
        // In order, the same values pass.
        values.sort_by(f64::total_cmp);
        let found = attainable_range::deterministic_metric_runs(&values, 5).unwrap();
        assert_eq!((found.value, found.case.reproducibility.passed_code), (1.0, true));
    }
    assert_eq!(below, 50);
}

#[test]
fn a_circuit_that_needs_half_its_edges_passes() {
    assert_close("late", attainable_range::step_curve(0.5).unwrap().value, 0.65, 1e-12, 0.0);
    assert_close("perfect", attainable_range::step_curve(0.0).unwrap().value, 0.999, 1e-12, 0.0);
    assert!(!attainable_range::step_curve(1.0).unwrap().holds());
    let found = attainable_range::step_curve_circuit().unwrap();
    assert!(found.holds());
    let curve = &found.case.mib.as_ref().unwrap().code;
    for (threshold, value) in THRESHOLDS.iter().zip(&curve.faithfulness) {
        assert_close("curve", *value, if *threshold < 0.5 { 0.0 } else { 1.0 }, 0.0, 1e-12);
    }
    assert_close("area", found.value, 0.65, 1e-12, 0.0);
}

#[test]
fn what_does_not_vary_has_no_difference_as_coded() {
    assert_eq!(attainable_range::constant_groups(3.0).unwrap().case.max_dif_standard, f64::INFINITY);
    assert!(attainable_range::constant_probe(0.5, 0.5).unwrap().value == 0.0);
}

#[test]
fn planted_noise_is_what_audits_and_runs_find() {
    let ld = drawn(CircuitKind::Planted, 64, 3, 5).logit_differences(&HeadEdits::default()).unwrap();
    let still = attainable_range::deterministic_metric_runs(&ld, 5).unwrap().case.reproducibility;
    assert_close("aligned", still.coherence_aligned.unwrap(), 1.0, 0.0, 1e-12);
    // All prompts in every run, with noise of the size of their own spread: means agree, rankings do not.
    let mut rng = NumpyRng::new(3);
    let mut noisy = |size: f64| -> Vec<Vec<f64>> {
        (0..5).map(|_| ld.iter().map(|ld| ld + size * rng.standard_normal()).collect()).collect()
    };
    let all = vec![(0..64).collect::<Vec<usize>>(); 5];
    let mut coherence = |size: f64| {
        reproducibility(&noisy(size), Some(&all), RELATIVE_DEVIATION_MAX).unwrap().coherence_aligned.unwrap()
    };
    let (none, little, much) = (coherence(0.0), coherence(0.1), coherence(1.0));
    assert!(none > 1.0 - 1e-12 && little > 0.9 && much < 0.7, "{none} {little} {much}");
    // Of a metric of quality 0.8 with noise of 0.02 the variation is 2.5 %, and d against 0.75 is 2.5.
    let mut scores =
        |quality: f64| -> Vec<f64> { (0..2_000).map(|_| quality + 0.02 * rng.standard_normal()).collect() };
    let (better, worse) = (scores(0.8), scores(0.75));
    let found = audit_as_documented(&better, &better, &worse).unwrap();
    // Ten times the standard error of either.
    assert_close("CV", found.cv_probe_sample, 0.025, 0.0, 0.004);
    assert_close("d", found.cohens_d_document, 2.5, 0.0, 0.45);
}
