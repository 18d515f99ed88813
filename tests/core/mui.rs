//! The Model Utilization Index: its metrics against vectors (tests/golden/mui_*.json), the paper's tables as they
//! are printed (mui_tables.json) and what follows from them, and the toy model's neurons against the reference
//! (model/mui.json, model/mui_neurons.json).

use std::collections::BTreeSet;

use serde_json::Value;
use sfc_bench::Matrix;
use sfc_bench::model::{Batch, Hook, HookedActivation, Hooks, Model, Parameters, Site, neuron_attributions};
use sfc_bench::papers::mui::baselines::{BASELINES, BaselineModel, SECOND_BASELINES};
use sfc_bench::papers::mui::claims::{BASE_MODELS, Verdict, claims, fit_law};
use sfc_bench::papers::mui::experiment::{Agreement, Experiment, Experiments, GrowthCurve, experiment};
use sfc_bench::papers::mui::measure::{Answer, MeasuredModel, measure_tasks};
use sfc_bench::papers::mui::measure_checkpoint;
use sfc_bench::papers::mui::metric::{
    AnswerScores, Direction, IntegrationNodes, Neuron, NeuronUnion, Reading, Threshold, contributions,
    direct_logit_effects, direction, integrated_gradients, max_mui, neurons_in_share, pur, random_mui,
};
use sfc_bench::papers::mui::printed::{self, DATA_SETS, Row};
use sfc_bench::papers::mui::tables::{coefficients, derived_cells, implied_mui};
use sfc_bench::papers::mui::{Draft, Report, Settings, StudyView};
use sfc_bench::plot::{ChartBody, Theme, to_titled_svg};
use sfc_bench::study::Study;
use sfc_bench::synthetic::language::{Grammar, Task};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number, numbers};

fn given() {
    give!(
        "ck-00000",
        "ck-00094",
        "ck-00188",
        "ck-00375",
        "ck-00750",
        "ck-01500",
        "ck-03000",
        "ck-06000",
        "ck-12000",
        "ft-contaminated-00600",
        "ft-copy-00300",
        "ft-sum3-00400",
        "seed1-12000",
        "sae",
        "sae_controls",
        "models",
        "models-second"
    );
}

/// Calls `check` with each vector's name, input, expected values and relative tolerance; there are so many.
fn vectors(text: &str, count: usize, check: impl Fn(&str, &Value, &Value, f64)) {
    let file = json(text);
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), count);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        check(name, &case["input"], &case["expected"], number(&file["tolerance"]["rel"]));
    }
}

fn matrix(value: &Value) -> Matrix {
    let rows: Vec<Vec<f64>> = value.as_array().unwrap().iter().map(numbers).collect();
    Matrix::from_rows(&rows).unwrap()
}

fn all_close(name: &str, found: &[f64], wanted: &Value, relative: f64) {
    let wanted = numbers(wanted);
    assert_eq!(found.len(), wanted.len(), "{name}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert_close(name, *found, wanted, relative, 1e-12);
    }
}

fn neurons(value: &Value) -> Vec<Neuron> {
    let pair = |pair: &Value| {
        let [layer, neuron] = numbers(pair)[..] else { panic!("{pair}") };
        (layer as usize, neuron as usize)
    };
    value.as_array().unwrap().iter().map(pair).collect()
}

#[test]
fn contributions_sum_to_what_a_layer_adds() {
    vectors(include_str!("../golden/mui_contribution.json"), 4, |name, input, expected, relative| {
        let table = direct_logit_effects(&matrix(&input["W_out"]).transposed(), &matrix(&input["W_u"]).transposed());
        let table = table.unwrap();
        let active = numbers(&expected["activation_score"]);
        let wanted = expected["contribution_vocab_by_neuron"].as_array().unwrap();
        let logits = numbers(&expected["direct_logits"]);
        assert_eq!(wanted.len(), logits.len());
        for (word, (wanted, logit)) in wanted.iter().zip(logits).enumerate() {
            let found = contributions(&table, word, &active);
            all_close(name, &found, wanted, relative.max(1e-11));
            assert_close(name, found.iter().sum(), logit, 1e-11, 1e-12);
        }
    });
    assert!(direct_logit_effects(&Matrix::zeros(3, 2), &Matrix::zeros(3, 4)).is_err());
}

#[test]
fn integrated_gradients_equal_the_vectors_at_both_nodes() {
    let text = include_str!("../golden/mui_integrated_gradients.json");
    vectors(text, 4, |name, input, expected, relative| {
        let table = direct_logit_effects(&matrix(&input["W_out"]).transposed(), &matrix(&input["W_u"]).transposed());
        let (table, active) = (table.unwrap(), numbers(&input["a"]));
        let (word, count) = (number(&input["y"]) as usize, number(&input["m"]) as usize);
        let of = |nodes, count| integrated_gradients(&table, word, &active, count, nodes);
        all_close(name, &of(IntegrationNodes::Document, count), &expected["right_riemann_document"], relative);
        all_close(name, &of(IntegrationNodes::Code, count), &expected["linspace_code"], relative);
        let fine: f64 = of(IntegrationNodes::Document, 2_000).iter().sum();
        assert_close(name, fine, number(&expected["fine_m2000_sum"]), 1e-9, 1e-12);
        assert_close(name, fine, number(&expected["completeness_target"]), 1e-2, 1e-3);
    });
}

#[test]
fn selections_equal_the_vectors_in_both_readings() {
    let mut refused = 0;
    let seen = std::cell::Cell::new(0);
    let text = include_str!("../golden/mui_thresholds.json");
    let check = |name: &str, input: &Value, expected: &Value, _: f64| {
        let count = number(&input["N"]) as usize;
        let layers = input["scores"].as_array().unwrap().iter();
        let layers: Vec<Vec<f64>> =
            layers.map(|layer| layer.as_array().unwrap().iter().flat_map(numbers).collect()).collect();
        let scores = AnswerScores::new(layers, count);
        if expected.is_string() {
            assert!(scores.is_err(), "{name}");
            seen.set(seen.get() + 1);
            return;
        }
        let scores = scores.unwrap();
        let (k, share) = (number(&input["k"]) as usize, number(&input["fraction"]));
        for (key, threshold, reading) in [
            ("topk_document", Threshold::TopK(k), Reading::Document),
            ("topk_code", Threshold::TopK(k), Reading::Code),
            ("global_topk_document", Threshold::GlobalTopK(k), Reading::Document),
            ("global_topk_code", Threshold::GlobalTopK(k), Reading::Code),
            ("topscore_0_8", Threshold::TopScore(0.8), Reading::Document),
            ("topscore_0_95", Threshold::TopScore(0.95), Reading::Document),
            ("top_permille_document", Threshold::TopShare(share), Reading::Document),
        ] {
            let found = scores.select(threshold, reading);
            assert_eq!(found, neurons(&expected[key]), "{name}: {key}");
        }
        assert_eq!(neurons_in_share(share, count), number(&expected["permille_k"]) as usize, "{name}");
        let summed = scores.sum_over_tokens().select(Threshold::TopK(k), Reading::Document);
        assert_eq!(summed, neurons(&expected["response_sum_topk_document"]), "{name}: summed");
    };
    vectors(text, 11, check);
    refused += seen.get();
    assert_eq!(refused, 1);
    assert!(AnswerScores::new(vec![vec![1.0; 3]], 2).is_err() && AnswerScores::new(vec![], 0).is_err());
    for (width, wanted) in [(11_008, 11), (13_824, 13), (14_336, 14), (18_944, 18), (11_000, 11)] {
        assert_eq!(neurons_in_share(0.001, width), wanted);
    }
    // The code keeps the 2,000 largest entries of a layer, of however many tokens.
    let many: Vec<f64> = (0..6_000).map(|at| f64::from(6_000 - at)).collect();
    let scores = AnswerScores::new(vec![many], 3_000).unwrap();
    let kept = |reading| scores.select(Threshold::TopScore(0.0), reading).len();
    assert_eq!((kept(Reading::Document), kept(Reading::Code)), (3_000, 2_000));
}

#[test]
fn unions_and_their_bounds_equal_the_vectors() {
    vectors(include_str!("../golden/mui_union.json"), 5, |name, input, expected, relative| {
        let of = |key: &str| number(&input[key]) as usize;
        let mut union = NeuronUnion::new(of("L"), of("N"));
        let mut curve = Vec::new();
        for sample in input["samples"].as_array().unwrap() {
            union.add_answer(&neurons(sample)).unwrap();
            curve.push(union.mui());
        }
        all_close(name, &curve, &expected["curve"], relative);
        assert_eq!(union.count_used(), number(&expected["activated"]) as usize, "{name}");
        assert_eq!(union.total_neurons(), number(&expected["total"]) as usize, "{name}");
        assert_close(name, union.mui(), number(&expected["mui"]), relative, 0.0);
        assert_eq!(union.used_neurons().count(), union.count_used());
    });
    vectors(include_str!("../golden/mui_bounds.json"), 4, |name, input, expected, relative| {
        let of = |key: &str| number(&input[key]) as usize;
        let (k, width, answers) = (of("k"), of("N"), of("T"));
        assert_close(name, max_mui(k, width, answers), number(&expected["max_mui"]), relative, 0.0);
        let wanted = number(&expected["expected_if_independent_uniform"]);
        assert_close(name, random_mui(k, width, answers), wanted, relative, 0.0);
    });
    assert_eq!((random_mui(5, 5, 0), random_mui(5, 5, 1), random_mui(9, 5, 2)), (0.0, 1.0, 1.0));
    let mut union = NeuronUnion::new(2, 4);
    let error = union.add_answer(&[(0, 0), (2, 1)]).unwrap_err();
    assert_eq!(error.to_string(), "neuron 1 of layer 2; allowed: layer 0 to 1, neuron 0 to 3");
    assert_eq!(union.count_used(), 0, "none of them was added");
}

#[test]
fn directions_and_ratios_equal_the_vectors() {
    vectors(include_str!("../golden/mui_direction.json"), 111, |name, input, expected, _| {
        let of = |key: &str| number(&input[key]);
        let found = direction((of("P0"), of("M0")), (of("P1"), of("M1")));
        match expected["direction"].as_str().unwrap() {
            "reject" => assert!(found.is_err(), "{name}"),
            wanted => assert_eq!(found.unwrap().name(), wanted, "{name}"),
        }
    });
    vectors(include_str!("../golden/mui_pur.json"), 42, |name, input, expected, relative| {
        let of = |key: &str| number(&input[key]);
        let [performance, index, alpha] = ["P", "MUI", "alpha"].map(of);
        let found = pur(performance, index, alpha);
        if !(performance.is_finite() && index.is_finite()) {
            assert!(found.is_err(), "{name}");
            return;
        }
        let found = found.unwrap();
        assert_close(name, found, number(&expected["pur"]), relative, 0.0);
        if expected["printed"].is_number() {
            assert!((found - number(&expected["printed"])).abs() < 0.056, "{name}");
        }
    });
    assert!(pur(50.0, 0.0, 0.5).is_err() && pur(50.0, -1.0, 0.5).is_err());
}

#[test]
fn tables_are_as_printed() {
    let golden = json(include_str!("../golden/mui_tables.json"));
    assert_eq!(golden["datasets7"], serde_json::json!(DATA_SETS));
    let tables: [(&str, &[Row]); 13] = [
        ("1", &printed::TABLE_1),
        ("5", &printed::TABLE_5),
        ("6", &printed::TABLE_6),
        ("8", &printed::TABLE_8),
        ("9", &printed::TABLE_9),
        ("10", &printed::TABLE_10),
        ("11", &printed::TABLE_11),
        ("12", &printed::TABLE_12),
        ("13", &printed::TABLE_13),
        ("14", &printed::TABLE_14),
        ("15", &printed::TABLE_15),
        ("16", &printed::TABLE_16),
        ("17", &printed::TABLE_17),
    ];
    for (name, rows) in tables {
        let wanted = golden["tables"][name].as_object().unwrap();
        let models = wanted.keys().filter(|key| !["Spearman", "Kendall"].contains(&key.as_str()));
        assert_eq!(models.count(), rows.len(), "Table {name}");
        for row in rows {
            let cells = wanted[row.model].as_array().unwrap();
            for (at, cell) in cells.iter().enumerate() {
                let found = row.entry(at).map(|(a, b)| vec![a, b]);
                let cell = (!cell.is_null()).then(|| numbers(cell));
                assert_eq!(found, cell, "Table {name}, {}", row.model);
            }
            assert_eq!(row.entry(cells.len()), None);
        }
    }
    for (name, rows) in [("Spearman", printed::PRINTED_SPEARMAN), ("Kendall", printed::PRINTED_KENDALL)] {
        for (found, wanted) in rows.iter().zip(golden["tables"]["1"][name].as_array().unwrap()) {
            assert_eq!(vec![found.0, found.1], numbers(wanted));
        }
    }
    let samples: Vec<f64> = printed::SAMPLE_COUNTS.iter().map(|count| *count as f64).collect();
    assert_eq!(samples, numbers(&golden["tables"]["2"]["samples"]));
    assert_eq!(golden["tables"]["2"]["total"], printed::SAMPLE_COUNT_TOTAL);
    for (name, steps, tokens) in printed::OLMO_CHECKPOINTS {
        let wanted = &golden["tables"]["3"][name];
        assert_eq!((&wanted["steps"], &wanted["tokens_B"]), (&steps.into(), &tokens.into()));
    }
}

#[test]
fn what_follows_from_printed_numbers_is_found_and_what_does_not_is_told() {
    let cells = derived_cells();
    let differ: Vec<(&str, &str, &str)> =
        cells.iter().filter(|cell| !cell.agrees).map(|cell| (&*cell.table, &*cell.row, &*cell.column)).collect();
    let slips = differ.iter().filter(|(_, _, column)| *column == "BBH accuracy").count();
    let averages = differ.iter().filter(|(table, ..)| *table == "Appendix B.6.3").count();
    assert_eq!((differ.len(), slips, averages), (16, 8, 5), "{differ:#?}");
    let only: Vec<&(&str, &str, &str)> = differ.iter().filter(|(table, ..)| *table == "Table 1").collect();
    assert_eq!(
        only,
        [
            &("Table 1", "Gemma-2-9B-Instruct", "BBH PUR"),
            &("Table 1", "Kendall", "HumanEval accuracy"),
            &("Table 1", "Kendall", "HumanEval PUR"),
        ]
    );
    // The one can be, given that what it comes from is rounded.
    assert_eq!(cells.iter().filter(|cell| !cell.agrees && cell.possible).count(), 1);
    let of =
        |row: &str, column: &str| cells.iter().find(|cell| cell.row == row && cell.column == column).unwrap().derived;
    assert_close("T1", of("Spearman", "average accuracy"), 86.39, 1e-4, 0.0);
    assert_close("T1", of("Kendall", "average PUR"), 80.56, 1e-4, 0.0);
    assert_close("Δ", of("Kendall", "Δ accuracy"), 3.232, 1e-3, 0.0);
    assert_close("law", of("P = 100", "index"), 6.9739, 1e-4, 0.0);
    let llama = implied_mui(&printed::TABLE_1[3]);
    for (found, wanted) in llama.iter().zip([3.29, 5.17, 5.70, 1.20, 1.90, 7.17]) {
        assert_close("Llama-3-8B", *found, wanted, 2e-3, 0.0);
    }
    let clear = coefficients().iter().filter(|c| c.derived.p.is_some_and(|p| p < 0.02));
    assert_eq!(clear.count(), 18);
}

#[test]
fn claims_are_judged_by_their_own_tables() {
    let all = claims();
    assert_eq!(all.iter().map(|claim| &claim.id).collect::<BTreeSet<_>>().len(), all.len());
    for (id, verdict, count) in [
        ("larger models", Verdict::Fails, Some((1, 7))),
        ("series, Qwen", Verdict::Holds, Some((2, 2))),
        ("pre-training, step by step", Verdict::Holds, Some((2, 2))),
        ("Gemma-2 and Llama-3.1", Verdict::Partly, Some((2, 3))),
        ("reconstruction", Verdict::Open, None),
        ("rank order", Verdict::Partly, Some((19, 28))),
        ("rank order, Qwen2.5", Verdict::Holds, Some((7, 7))),
        ("law", Verdict::Partly, Some((4, 7))),
        ("overall law", Verdict::Open, None),
        ("series", Verdict::Holds, Some((5, 5))),
        ("specialised", Verdict::Partly, Some((2, 3))),
        ("specialised, elsewhere", Verdict::Holds, Some((3, 3))),
        ("collapsing", Verdict::Fails, Some((65, 70))),
        ("pre-training, at first", Verdict::Partly, Some((6, 7))),
        ("pre-training, at last", Verdict::Holds, Some((7, 7))),
        ("contaminated", Verdict::Partly, Some((8, 12))),
        ("coarsening", Verdict::Fails, None),
        ("contaminated, elsewhere", Verdict::Partly, Some((4, 12))),
        ("PUR", Verdict::Holds, Some((48, 48))),
        ("correlations", Verdict::Partly, Some((22, 24))),
        ("p-values", Verdict::Fails, Some((18, 24))),
        ("ordering", Verdict::Partly, Some((2, 6))),
        ("thousandth", Verdict::Fails, None),
        ("decimal", Verdict::Fails, Some((1, 5))),
        ("across methods", Verdict::Fails, Some((0, 5))),
        ("repeated", Verdict::Partly, Some((300, 308))),
    ] {
        let found = all.iter().find(|claim| claim.id == id).unwrap();
        assert_eq!((found.verdict, found.count), (verdict, count), "{found:#?}");
    }
    let larger = &all.iter().find(|claim| claim.id == "larger models").unwrap().found;
    for said in ["on 4 of 7 data sets", "added, on 1.", "r is −0.12 to 0.51"] {
        assert!(larger.contains(said), "{larger}");
    }
    // The law by data set, to the digits that were found by SciPy.
    let wanted = [-0.95, -0.86, -0.84, -0.52, -0.28, -0.78, -0.79];
    for (at, wanted) in wanted.into_iter().enumerate() {
        let r = fit_law(at, "none").unwrap().line().correlation().unwrap();
        assert!((r - wanted).abs() < 0.005, "{}: {r}", DATA_SETS[at]);
    }
}

#[test]
fn the_documents_say_what_is_found() {
    given();
    let text = include_str!("../../docs/reproducing.md");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cells = derived_cells();
    let agree = cells.iter().filter(|cell| cell.agrees).count();
    let said =
        format!("{agree} of {} derivable numbers match the paper, and the page says which of 26 claims", cells.len());
    assert!(text.contains(&said), "{said}");
    assert_eq!(claims().len(), 26);
    let usual = Settings::default();
    let mut report = Report::new(usual.clone());
    for name in sfc_bench::toy_model::CHECKPOINTS {
        report.add_checkpoint(measure_checkpoint(&usual, name).unwrap());
    }
    let opened = StudyView::open(report).unwrap();
    let summary = opened.chart("mui-model-laws").unwrap().summary;
    assert!(summary.ends_with("in 0 of 10 tasks; in 4 it rises, in 6 it is inconclusive."), "{summary}");
    assert!(text.contains("in none of ten tasks does it fall as its law says, in four it rises"));
}

fn settings(change: impl FnOnce(&mut Draft)) -> Settings {
    let mut draft = Draft::default();
    change(&mut draft);
    draft.try_into().unwrap()
}

/// Of the toy model's 576 neurons.
const ONE: f64 = 1.0 / 576.0 + 1e-12;

#[test]
fn indices_of_the_little_model_are_the_references() {
    given();
    let golden = json(include_str!("../golden/model/mui.json"));
    for (checkpoint, wanted) in golden.as_object().unwrap() {
        let of = |word: &str| {
            let name = Some(checkpoint.clone());
            let word = Some(word.to_owned());
            measure_tasks(&settings(|draft| (draft.checkpoint, draft.word) = (name, word))).unwrap()
        };
        for ((task, found), (_, own)) in of("answer").into_iter().zip(of("own")) {
            let wanted = &wanted[task.name()];
            let what = format!("{checkpoint}, {task}");
            assert_close(&what, found.accuracy, number(&wanted["acc"]), 1e-12, 0.0);
            // A tie at the threshold may fall otherwise in single precision.
            for (found, key) in [(found.mui, "mui"), (found.mui_correct, "mui_correct"), (own.mui, "mui_own")] {
                assert_close(&format!("{what}: {key}"), found, number(&wanted[key]), 0.0, ONE);
            }
        }
    }
}

#[test]
fn neurons_and_their_growth_are_the_references() {
    given();
    let golden = json(include_str!("../golden/model/mui_neurons.json"));
    let growth = &json(include_str!("../golden/model/mui.json"))["ck-12000"]["ALL"];
    let subject = MeasuredModel::load("ck-12000").unwrap();
    let usual = Settings::default();
    let mut each: Vec<Vec<Answer>> = Vec::new();
    for task in Task::ALL {
        let answers = subject.measure_task(task, &usual).unwrap();
        let mut union = subject.empty_union();
        answers.iter().for_each(|answer| union.add_answer(&answer.neurons).unwrap());
        let set = |neurons: &[Neuron]| neurons.iter().copied().collect::<BTreeSet<_>>();
        let found: BTreeSet<Neuron> = union.used_neurons().collect();
        let wanted = set(&neurons(&golden[task.name()]["union"]));
        let apart = found.symmetric_difference(&wanted).count();
        assert!(apart <= 1, "{task}: {apart} of {}", wanted.len());
        let first = golden[task.name()]["first8"].as_array().unwrap();
        for (answer, wanted) in answers.iter().zip(first) {
            let apart = set(&answer.neurons).symmetric_difference(&set(&neurons(wanted))).count();
            // One for another, where both are as large.
            assert!(apart <= 2, "{task}: {:?}", answer.neurons);
        }
        for (count, wanted) in growth["growth_one"][task.name()].as_object().unwrap() {
            let found = subject.mui_growth(&answers)[count.parse::<usize>().unwrap() - 1];
            assert_close(&format!("{task}, {count}"), found, number(wanted), 0.0, ONE);
        }
        each.push(answers);
    }
    // All tasks, a prompt of each in turn.
    let mixed: Vec<Answer> =
        (0..usual.prompts).flat_map(|at| each.iter().map(move |answers| answers[at].clone())).collect();
    let found = subject.mui_growth(&mixed);
    for (count, wanted) in growth["growth"].as_object().unwrap() {
        let found = found[count.parse::<usize>().unwrap() - 1];
        assert_close(count, found, number(wanted), 0.0, ONE);
    }
    // As a set of answers grows, so does what they use, by construction; by lot it would be more.
    assert!(found.windows(2).all(|pair| pair[0] <= pair[1]));
    assert!(*found.last().unwrap() < random_mui(5, 192, mixed.len()));
}

#[test]
fn other_ways_of_selecting_select_other_neurons() {
    given();
    let subject = MeasuredModel::load("ck-12000").unwrap();
    let of = |change: fn(&mut Draft)| {
        let settings = settings(|draft| {
            draft.prompts = Some(16.0);
            change(draft);
        });
        let answers = subject.measure_task(Task::Sum3, &settings).unwrap();
        (subject.summarise_answers(&answers).mui, answers[0].neurons.len())
    };
    let usual = of(|_| {});
    assert!(usual.1 <= 15);
    assert_ne!(of(|draft| draft.reading = Some("code".to_owned())).0, usual.0);
    assert_ne!(of(|draft| draft.score = Some("activation".to_owned())).0, usual.0);
    assert!(of(|draft| draft.k = Some(20.0)).0 > usual.0);
    let global = of(|draft| draft.threshold = Some("global-topk".to_owned()));
    assert_eq!(global.1, 5);
    let share = of(|draft| draft.threshold = Some("topscore".to_owned()));
    assert!(share.1 >= 1 && share.1 < usual.1);
    // A thousandth of 192 neurons is none.
    let thousandth = of(|draft| {
        draft.threshold = Some("top-share".to_owned());
        draft.share = Some(0.001);
    });
    assert_eq!(thousandth, (0.0, 0));
    assert_eq!(direction((1.0, 1.0), (2.0, 2.0)).unwrap(), Direction::Accumulating);
}

fn asked(which: Experiment) -> Experiments {
    given();
    experiment(&Settings::default(), which).unwrap()
}

/// The accuracies and indices that the separate program found (WORLD's contamination of colour).
#[test]
fn contamination_is_the_references() {
    let found = asked(Experiment::Contamination).contamination.unwrap();
    let wanted = [("ck-06000", 0.398_437_5, 50.0), ("ft-contaminated-00600", 1.0, 162.0), ("ck-12000", 1.0, 99.0)];
    for (found, (name, accuracy, neurons)) in found.iter().zip(wanted) {
        assert_eq!(found.checkpoint, name);
        assert_close(name, found.test.accuracy, accuracy, 1e-12, 0.0);
        assert_close(name, found.test.mui, neurons / 576.0, 0.0, ONE);
        assert!(found.fresh_mui.low <= found.fresh_mui.mean && found.fresh_mui.mean <= found.fresh_mui.high);
    }
    let [before, spoilt, skilled] = &found[..] else { panic!("three checkpoints") };
    assert!(spoilt.fresh_accuracy.high < 0.7 && skilled.fresh_accuracy.low > 0.9, "{found:?}");
    assert_eq!(spoilt.directions_from(before).unwrap()[0], Direction::Accumulating);
}

#[test]
fn more_kinds_of_tasks_use_more_neurons_and_fewer_than_by_lot() {
    let found = asked(Experiment::Diversity).diversity.unwrap();
    assert_eq!(found.answers.last(), Some(&128));
    let last: Vec<f64> = found.kinds.iter().map(|kind| kind.indices.last().unwrap().mean).collect();
    assert!(last.windows(2).all(|pair| pair[0] < pair[1]), "{last:?}");
    // The reference has 58.2 % for all ten in its order.
    assert!((last[3] - 0.582).abs() < 0.03 && last[3] < random_mui(5, 192, 128), "{last:?}");
    for kind in &found.kinds {
        assert!(kind.indices.windows(2).all(|pair| pair[0].mean <= pair[1].mean));
    }
}

#[test]
fn a_task_cannot_be_done_without_its_neurons_and_can_without_random_ones() {
    let found = asked(Experiment::Masking).masking.unwrap();
    assert_eq!((found.own, found.others), (1.0, 1.0));
    assert!(found.steps.windows(2).all(|pair| pair[0].neurons <= pair[1].neurons));
    let widest = found.steps.last().unwrap();
    assert!(widest.own < widest.random_own.low, "{widest:?}");
}

#[test]
fn right_and_wrong_answers_are_equally_many() {
    let found = asked(Experiment::Correctness).correctness.unwrap();
    let first = &found[1];
    assert_eq!(first.test, "recall of 7");
    assert!((0.75..0.92).contains(&first.accuracy) && first.answers > 10, "{first:?}");
    for test in &found {
        assert_eq!(test.right.is_some(), test.answers > 0, "{test:?}");
        assert_eq!(test.wrong.is_some(), test.p.is_some(), "{test:?}");
    }
    // One prompt has no wrong answers to be drawn.
    let few = settings(|draft| draft.prompts = Some(1.0));
    let few = experiment(&few, Experiment::Correctness).unwrap().correctness.unwrap();
    assert!(few.iter().all(|test| test.answers == 0 && test.p.is_none()));
}

/// Every experiment says of what figure it speaks, and says it in the figure's summary.
#[test]
fn every_experiment_is_judged_by_its_numbers() {
    given();
    let few = settings(|draft| draft.prompts = Some(16.0));
    let mut report = Report::new(few.clone());
    for which in Experiment::ALL {
        assert_eq!(Experiment::named(which.name()), Some(which));
        let found = experiment(&few, which).unwrap();
        let judged = found.judgements();
        assert!(!judged.is_empty(), "{which:?}");
        for judgement in &judged {
            assert!(which.figures().contains(&&*judgement.figure), "{judgement:?}");
            assert!(judgement.found.bytes().any(|byte| byte.is_ascii_digit()), "{judgement:?}");
        }
        report.experiments.take(found);
    }
    let judged = report.experiments.judgements();
    let opened = StudyView::open(report).unwrap();
    for judgement in &judged {
        let summary = opened.chart(&judgement.figure).unwrap().summary;
        assert!(summary.contains(&judgement.sentence()), "{summary}");
    }
    // Whatever is needed is shipped.
    for name in Experiment::ALL.into_iter().flat_map(|which| which.required_files(&few)) {
        assert!(sfc_bench::toy_model::has_file(&name), "{name}");
    }
}

#[test]
fn models_of_several_sizes_are_ranked_by_the_same_share_of_neurons() {
    let found = asked(Experiment::Models).models.unwrap();
    assert_eq!(found.models.len(), BASELINES.len() + 8);
    let of = |name: &str| found.models.iter().find(|model| model.name == name).unwrap();
    assert_eq!((of("ck-12000").neurons, of("ck-12000").k), (576, 5));
    // 5 of 192 neurons are 1.67 of 64 and 3.33 of 128.
    assert_eq!((of("w16-l1").neurons, of("w16-l1").k), (64, 2));
    assert_eq!((of("w32-l3").neurons, of("w32-l3").k), (384, 3));
    for model in &found.models {
        assert!((0.05..=1.0).contains(&model.accuracy), "{model:?}");
        assert!(model.mui > 0.0 && model.mui < 1.0 && model.pur > 0.0, "{model:?}");
        assert!((0.0..=1.0).contains(&model.truth), "{model:?}");
    }
    assert!(of("ck-12000").truth > of("ck-00188").truth);
    let [performance, pur, least, most] = found.rank_agreements();
    assert!(performance.gain_interval.is_none() && performance.agreement.unwrap().spearman > 0.0);
    for order in [pur, least, most] {
        let ((low, high), (below, above)) = (order.spearman_interval.unwrap(), order.gain_interval.unwrap());
        let rho = order.agreement.unwrap().spearman;
        assert!(low <= rho && rho <= high && below <= above, "{order:?}");
    }
    let control = found.permuted.unwrap();
    assert!(control.low < 0.0 && control.high > 0.0);
}

#[test]
fn small_models_are_shipped_with_the_sizes_that_they_were_trained_with() {
    given();
    let all = BaselineModel::load_all().unwrap();
    assert_eq!(all.len(), BASELINES.len());
    for (small, shipped) in all {
        assert_eq!(shipped.config(), &small.config(), "{}", small.name);
        let drawn = Parameters::random_init(small.config(), small.seed);
        assert_ne!(shipped.values(), drawn.values(), "{}", small.name);
        assert!(shipped.values().iter().all(|value| value.is_finite()));
    }
}

/// Bounds a little below what was measured.
#[test]
fn models_of_the_second_language_know_it_and_not_the_first() {
    given();
    for (second, least) in SECOND_BASELINES.into_iter().zip([0.85, 0.87, 0.89, 0.98, 0.97]) {
        let shipped = second.load().unwrap();
        assert_eq!(shipped.config(), &second.config(), "{}", second.name);
        let found = second.accuracy(&shipped).unwrap();
        assert!(found > least, "{} {found}", second.name);
        let first = BaselineModel { grammar: Grammar::First, ..second }.accuracy(&shipped).unwrap();
        let drawn = Parameters::random_init(second.config(), second.seed);
        let untrained = second.accuracy(&drawn).unwrap();
        assert!(first < found - 0.3 && untrained < 0.1, "{} {first} {untrained}", second.name);
    }
}

#[test]
fn kinds_that_are_dealt_out_at_random_add_nothing() {
    for found in [asked(Experiment::Diversity).diversity.unwrap(), asked(Experiment::Domains).domains.unwrap()] {
        let parts = found.growth_parts();
        assert_eq!(parts.len(), found.kinds.len() - 1);
        let most = parts.last().unwrap();
        assert_eq!((most.from, most.to), (16, 128));
        assert!(most.by_kinds > 0.0 && most.by_answers > 0.0, "{most:?}");
        assert!(most.by_dealt.abs() < most.by_kinds / 3.0, "{most:?}");
        let last = |of: &[GrowthCurve]| of.last().unwrap().indices.last().unwrap().mean;
        let whole = most.begin + most.by_answers + most.by_kinds;
        assert_close("parts", whole, last(&found.kinds), 1e-12, 0.0);
    }
}

#[test]
fn harder_tests_are_harder_and_their_sets_are_equally_many() {
    let found = asked(Experiment::Difficulty).difficulty.unwrap();
    for test in &found {
        assert_eq!((test.answers, test.grades.len()), (32, 5));
        let (first, last) = (test.grades[0], test.grades[4]);
        assert!(first.accuracy > last.accuracy, "{test:?}");
        let control = test.permuted.unwrap();
        assert!(control.low < 0.0 && control.high > 0.0, "{test:?}");
    }
}

/// Sets of one kind do not differ, however they are drawn.
#[test]
fn short_prompts_are_like_other_short_ones() {
    let found = asked(Experiment::Length).length.unwrap();
    assert_eq!(found.len(), 4);
    for of in &found {
        assert!(of.tokens[0] < of.tokens[1], "{of:?}");
        assert!(of.control_p.unwrap() > 0.01, "{of:?}");
    }
}

#[test]
fn ways_to_select_are_ranked_against_the_usual_one() {
    let found = asked(Experiment::Selection).selection.unwrap();
    assert_eq!((found.ways.len(), found.checkpoints.len()), (12, 8));
    // The usual way is the measurement itself.
    let usual = measure_tasks(&Settings::default()).unwrap();
    for (way, (task, index)) in found.ways[0].tasks.iter().zip(&usual) {
        assert_close(task.name(), *way, index.mui, 1e-12, 0.0);
    }
    let same = Agreement::between(&found.ways[0].tasks, &found.ways[0].tasks).unwrap();
    assert_close("itself", same.spearman, 1.0, 1e-12, 0.0);
    assert_eq!(found.agreements_with_default().len(), 11);
    assert_eq!(found.agreements_with_default()[0][0], Agreement::between(&found.ways[0].tasks, &found.ways[1].tasks));
    let permuted = found.permuted.unwrap();
    assert!(permuted.low < 0.0 && permuted.high < 1.0, "{permuted:?}");
}

#[test]
fn neurons_selected_by_whatever_score_are_needed_more_than_random_ones() {
    for found in [asked(Experiment::Scores).scores.unwrap(), asked(Experiment::Cutoffs).cutoffs.unwrap()] {
        assert_eq!(found.curves.len(), 3);
        assert_eq!((found.own, found.others), (1.0, 1.0));
        for curve in &found.curves {
            assert!(curve.cuts.windows(2).all(|pair| pair[0].neurons <= pair[1].neurons));
            assert!(found.count_worse_than_random(curve) <= curve.cuts.len());
        }
        assert!(found.random.windows(2).all(|pair| pair[0].neurons < pair[1].neurons));
    }
}

#[test]
fn features_of_a_permuted_decoder_are_active_alike_and_contribute_otherwise() {
    let found = asked(Experiment::Features).features.unwrap();
    let usual = measure_tasks(&Settings::default()).unwrap();
    for (found, (task, index)) in found.neurons.iter().zip(&usual) {
        assert_close(task.name(), *found, index.mui, 1e-12, 0.0);
    }
    let of = |name: &str| found.dictionaries.iter().find(|of| of.name == name).unwrap();
    let (trained, control) = (of("topk256"), of("topk256_permdec"));
    assert!(!trained.control && control.control);
    assert_eq!(trained.active, control.active);
    assert_ne!(trained.contributing, control.contributing);
    // Of eight that are active five count, so that no answer uses more.
    assert!(trained.active.iter().all(|index| *index <= 1.0 && *index > 0.0));
}

/// By finite differences, and by what a whole layer is worth.
#[test]
fn integrated_gradients_of_the_model_are_slopes_and_sum_to_what_a_layer_is_worth() {
    given();
    let parameters = sfc_bench::toy_model::load_parameters("ck-12000").unwrap();
    let model = Model::new(&parameters);
    let config = *parameters.config();
    let prompts = sfc_bench::toy_model::task::test_prompts(Task::Recall, 3).unwrap();
    let batch = Batch::new(&prompts.tokens).unwrap();
    // ln p of the answers with a layer's neurons at the last position scaled, all or one of them.
    let scaled = |layer: usize, by: &dyn Fn(usize, usize) -> f32| -> Vec<f64> {
        struct Scale<'a>(usize, &'a dyn Fn(usize, usize) -> f32);
        impl Hooks for Scale<'_> {
            fn wants(&self, hook: Hook) -> bool {
                hook == Hook::Block(self.0, Site::MlpPost)
            }
            fn on_activation(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
                let size = seen.positions * seen.width;
                for (prompt, rows) in seen.values.chunks_exact_mut(size).enumerate() {
                    let last = &mut rows[size - seen.width..];
                    last.iter_mut().enumerate().for_each(|(at, x)| *x *= (self.1)(prompt, at));
                }
            }
        }
        let logits = model.last_logits(&batch, &mut Scale(layer, by)).unwrap();
        let rows = logits.chunks_exact(config.vocabulary).zip(&prompts.answers);
        rows.map(|(row, word)| {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f64 = row.iter().map(|x| libm::exp(f64::from(x - most))).sum();
            f64::from(row[*word as usize] - most) - libm::log(sum)
        })
        .collect()
    };
    let of = |nodes: &[f64]| neuron_attributions(&parameters, &prompts.tokens, &prompts.answers, nodes).unwrap();
    let many: Vec<f64> = (0..400).map(|k| (f64::from(k) + 0.5) / 400.0).collect();
    for (layer, found) in of(&many).iter().enumerate() {
        let (all, none) = (scaled(layer, &|_, _| 1.0), scaled(layer, &|_, _| 0.0));
        for (prompt, found) in found.chunks_exact(config.d_mlp).enumerate() {
            let sum: f64 = found.iter().map(|value| f64::from(*value)).sum();
            let worth = all[prompt] - none[prompt];
            // The kinks of the later layers' neurons fall between nodes; single precision.
            assert!((sum - worth).abs() < 0.01 + 0.01 * worth.abs(), "{layer}: {sum} {worth}");
        }
    }
    // At one node of 1 the attribution is the neuron's activation times its slope: what ln p gains by 1 % more of it.
    for (layer, found) in of(&[1.0]).iter().enumerate() {
        for prompt in 0..prompts.answers.len() {
            let own = &found[prompt * config.d_mlp..][..config.d_mlp];
            let largest = (0..config.d_mlp).max_by(|a, b| own[*a].abs().total_cmp(&own[*b].abs())).unwrap();
            let more = |by: f32| {
                let at = |p: usize, neuron: usize| {
                    if p == prompt && neuron == largest { by } else { 1.0 }
                };
                scaled(layer, &at)[prompt]
            };
            let slope = (more(1.01) - more(0.99)) / 0.02;
            let wanted = f64::from(own[largest]);
            assert!((slope - wanted).abs() < 0.02 * wanted.abs() + 2e-3, "{layer}: {slope} {wanted}");
        }
    }
    let refused = |words: &[u32], nodes: &[f64]| {
        neuron_attributions(&parameters, &prompts.tokens, words, nodes).unwrap_err().to_string()
    };
    assert_eq!(refused(&[1], &[1.0]), "words = 1; allowed: 3");
    assert_eq!(refused(&prompts.answers, &[]), "nodes = 0; allowed: at least 1");
    assert!(refused(&[1, 2, 999], &[1.0]).contains("999"));
}

/// Models are named beside their points where a drawing is wide enough, and then in no legend: none may be lost.
#[test]
fn every_model_is_named_on_the_law_of_every_data_set() {
    for data_set in DATA_SETS {
        for without in ["none"].into_iter().chain(BASE_MODELS) {
            let chosen = settings(|draft| {
                draft.data_set = Some(data_set.to_owned());
                draft.without = Some(without.to_owned());
            });
            let chart = StudyView::open(Report::new(chosen)).unwrap().chart("mui-law").unwrap();
            let ChartBody::Scatter(scatter) = &chart.body else { panic!("{:?}", chart.body) };
            for width in [480, 600, 640, 700, 900, 1150] {
                let picture = to_titled_svg(&chart, "", width, &Theme::light()).unwrap();
                for series in &scatter.series {
                    let named = picture.contains(&format!(">{}<", series.name));
                    assert!(named, "{} on {data_set} without {without} at {width}", series.name);
                }
            }
        }
    }
}
