//! Each metric of measurement theory opened: its pictures hold together, and say what the metric's functions say.

use std::collections::BTreeMap;

use sfc_bench::papers::measurement::Settings;
use sfc_bench::papers::measurement::circuit::{CircuitEvaluator, measure_task};
use sfc_bench::papers::measurement::detail_view::{
    CONTROL_DICTIONARIES, Cell, DetailView, Panel, PanelContent, UNTRAINED_CHECKPOINT, build_detail_view,
    required_files,
};
use sfc_bench::papers::measurement::metric::core_stability::CycleSettings;
use sfc_bench::papers::measurement::metric::{
    METRICS, RELATIVE_DEVIATION_MAX, Reading, architecture_duality, audit_as_documented, faithfulness, polysemanticity,
    reproducibility, subsample,
};
use sfc_bench::papers::measurement::settings::default_k_and_features;
use sfc_bench::papers::measurement::toy_model::{Contrast, ResidualStream, m14};
use sfc_bench::synthetic::HeadEdits;
use sfc_bench::synthetic::language::Task;
use sfc_bench::toy_model;
use sfc_bench::toy_model::task::test_prompts;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn given() {
    give!("ck-00000", "ck-00750", "ck-12000", "sae", "sae_controls");
}

/// What is measured of a metric where nothing else is said.
fn default(metric: &str) -> Settings {
    let (top_k, n_features) = default_k_and_features(metric);
    Settings { metric: metric.to_owned(), top_k, n_features, ..Settings::default() }
}

/// The least of everything.
fn tiny(metric: &str) -> Settings {
    Settings {
        n_prompts: 8,
        seeds: 1,
        top_k: 1,
        n_features: 1,
        n_cycles: 1,
        steps: 1,
        n_samples: 32,
        n_stability_runs: 0,
        n_reseeds: 2,
        n_runs: 2,
        ..default(metric)
    }
}

fn sentence(text: &str) {
    let whole = text.ends_with('.') && !text.contains("NaN") && !text.contains("inf ");
    assert!(whole && text.len() > 20, "{text:?}");
}

fn holds_together(panel: &Panel) {
    let Panel { title, summary, caption, shown } = panel;
    assert!(!title.is_empty());
    sentence(summary);
    sentence(caption);
    match shown {
        PanelContent::Plane { x, y, series, limits } => {
            assert!(!x.is_empty() && !y.is_empty());
            for of in series {
                assert!(!of.points.is_empty(), "{title}, {}", of.name);
                let finite = of.points.iter().all(|(x, y, _)| x.is_finite() && y.is_finite());
                assert!(finite, "{title}, {}", of.name);
            }
            let mut names: Vec<&str> = series.iter().map(|of| of.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), series.len(), "{title}");
            assert!(limits.iter().all(|limit| limit.at.is_finite()), "{title}");
        }
        PanelContent::Histogram { x, series, limits } => {
            assert!(!x.is_empty() && !series.is_empty());
            for of in series {
                assert!((1..=2_000).contains(&of.values.len()), "{title}, {}", of.name);
                assert!(of.values.iter().all(|value| value.is_finite()), "{title}, {}", of.name);
            }
            assert!(limits.iter().all(|limit| limit.at.is_finite()), "{title}");
        }
        PanelContent::Table { columns, rows } => {
            for row in rows {
                assert_eq!(row.len(), columns.len(), "{title}");
                let finite = |cell: &Cell| match cell {
                    Cell::Number(value) => value.is_finite(),
                    Cell::Words(_) => true,
                };
                assert!(row.iter().all(finite), "{title}");
            }
        }
    }
}

fn checked(settings: &Settings) -> DetailView {
    let found = build_detail_view(settings).unwrap();
    assert_eq!(found.metric, settings.metric);
    assert!((1..=3).contains(&found.panels.len()), "{}", found.metric);
    found.panels.iter().for_each(holds_together);
    let mut names: Vec<_> = found.quantities.iter().map(|of| (&of.subject, &of.name)).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "{}", found.metric);
    assert!(found.quantities.iter().filter_map(|of| of.value).all(f64::is_finite));
    found
}

fn has_control(panel: &Panel) -> bool {
    match &panel.shown {
        PanelContent::Plane { series, .. } => series.iter().any(|of| of.control),
        PanelContent::Histogram { series, .. } => series.iter().any(|of| of.control),
        PanelContent::Table { .. } => false,
    }
}

#[test]
fn every_metric_has_pictures_with_controls_and_all_that_its_conditions_read() {
    given();
    for about in METRICS {
        let mut settings = default(about.id);
        if about.id == "m09" {
            // Seven trainings a seed, of which one says as much.
            settings.seeds = 1;
        }
        let found = checked(&settings);
        assert!(found.panels.len() >= 2, "{}", about.id);
        // Cores have a chance level instead.
        let control = found.panels.iter().any(has_control) || about.id == "m09";
        assert!(control, "{}", about.id);
        let conditions = about.passes.document.iter().chain(about.passes.code);
        for condition in conditions.chain(about.table.iter().flat_map(|row| row.when)) {
            let some = found.quantities.iter().any(|of| of.name == condition.quantity && of.value.is_some());
            assert!(some, "{}: {}", about.id, condition.quantity);
        }
        for panel in &found.panels {
            if let PanelContent::Table { rows, .. } = &panel.shown {
                assert!(!rows.is_empty(), "{}, {}", about.id, panel.title);
            }
            if let PanelContent::Plane { series, .. } = &panel.shown {
                assert!(!series.is_empty(), "{}, {}", about.id, panel.title);
            }
        }
    }
}

#[test]
fn the_least_settings_the_untrained_model_and_controls_themselves_have_pictures() {
    given();
    for about in METRICS {
        checked(&tiny(about.id));
        let [sae, beside] = CONTROL_DICTIONARIES.map(str::to_owned);
        let small = "random128".to_owned();
        let checkpoint = UNTRAINED_CHECKPOINT.to_owned();
        checked(&Settings { sae, beside, small, checkpoint, ..tiny(about.id) });
    }
}

#[test]
fn every_parameter_is_used() {
    given();
    type Change = fn(&mut Settings);
    let changes: [(&str, Change); 38] = [
        ("m07", |of| of.sae = "topk128".to_owned()),
        ("m07", |of| of.beside = "relu128".to_owned()),
        ("m07", |of| of.checkpoint = "ck-00750".to_owned()),
        ("m08", |of| of.top_k = 20),
        ("m08", |of| of.sae = "relu256".to_owned()),
        ("m09", |of| of.n_cycles = 2),
        ("m09", |of| of.steps = 5),
        ("m09", |of| of.seeds = 2),
        ("m10", |of| of.top_k = 5),
        ("m10", |of| of.n_features = 60),
        ("m10", |of| of.cluster_threshold = 0.2),
        ("m11", |of| of.top_k = 7),
        ("m11", |of| of.small = "relu128".to_owned()),
        ("m12", |of| of.mismatch_threshold = 0.05),
        ("m12", |of| of.seeds = 2),
        ("m12", |of| of.sae = "relu256".to_owned()),
        ("m13", |of| of.hook = "blocks.2.hook_resid_post".to_owned()),
        ("m13", |of| of.n_samples = 100),
        ("m13", |of| of.sae = "topk128".to_owned()),
        ("m14", |of| of.n_stability_runs = 2),
        ("m14", |of| of.checkpoint = "ck-00750".to_owned()),
        ("ex1", |of| of.n_prompts = 16),
        ("ex1", |of| of.task = "agree".to_owned()),
        ("ex1", |of| of.seeds = 2),
        ("ex1", |of| of.checkpoint = "ck-00750".to_owned()),
        ("ex2", |of| of.n_prompts = 16),
        ("ex2", |of| of.task = "colour".to_owned()),
        ("ex2", |of| of.seeds = 2),
        ("ex11", |of| of.task = "mood".to_owned()),
        ("ex11", |of| of.seeds = 2),
        ("ex24", |of| of.n_reseeds = 4),
        ("ex24", |of| of.task = "agree".to_owned()),
        ("ex25", |of| of.n_runs = 4),
        ("ex34", |of| of.n_samples = 100),
        ("ex34", |of| of.top_k = 5),
        ("ex34", |of| of.n_features = 5),
        ("mib", |of| of.seeds = 2),
        ("mib", |of| of.task = "agree".to_owned()),
    ];
    let found = |of: &Settings| build_detail_view(of).unwrap().quantities;
    // Changes of one metric start from the same settings.
    let mut unchanged = BTreeMap::new();
    for (at, (metric, change)) in changes.into_iter().enumerate() {
        let mut before = tiny(metric);
        if ["m10", "ex34"].contains(&metric) {
            // One context is of one kind, and one word is seldom in two lists.
            (before.top_k, before.n_features) = (20, 20);
        }
        let mut after = before.clone();
        change(&mut after);
        assert_ne!(before, after);
        let before = unchanged.entry(metric).or_insert_with(|| found(&before));
        assert_ne!(*before, found(&after), "{metric}, change {at}");
    }
}

/// That a picture has numbers of a subject.
fn same(found: &DetailView, subject: &str, wanted: &[(&str, f64)]) {
    for (name, wanted) in wanted {
        let value = found.value_by_name(subject, name);
        assert_eq!(value, Some(*wanted), "{}: {subject}, {name}", found.metric);
    }
}

#[test]
fn quantities_of_decompositions_are_those_of_the_metrics() {
    given();
    let stream = ResidualStream::for_final_checkpoint().unwrap();
    let subject = |name| stream.encode_by_name(name).unwrap();
    let (topk, relu, random) = (subject("topk256"), subject("relu256"), subject("random256"));

    let m07 = build_detail_view(&default("m07")).unwrap();
    let taken = architecture_duality::Settings::default();
    for (name, other) in [("relu256", &relu), ("random256", &random)] {
        let of = stream.m07(&topk, other, &taken).unwrap();
        let wanted = [
            ("agreement_code", of.agreement_code),
            ("agreement_document", of.agreement_document.unwrap()),
            ("direction_chance", of.direction_chance),
        ];
        same(&m07, &format!("topk256 and {name}"), &wanted);
    }

    let m08 = build_detail_view(&default("m08")).unwrap();
    for (name, of) in [("topk256", &topk), ("random256", &random)] {
        let of = stream.m08(of, 50).unwrap();
        let wanted = [("agreement", of.agreement.unwrap()), ("frac_above", of.frac_above.unwrap())];
        same(&m08, name, &wanted);
    }

    let m09 = build_detail_view(&tiny("m09")).unwrap();
    let of = stream.m09(&CycleSettings { cycles: 1, steps: 1, ..CycleSettings::default() }).unwrap();
    same(&m09, "text, seed 0", &[("mse", of.document.mse), ("drawn_anew", 231.0)]);
    same(&m09, "code, seed 0", &[("core_fraction_code", of.code.stability.core_fraction_code)]);

    let m10 = build_detail_view(&default("m10")).unwrap();
    for (reading, named) in [(Reading::Document, "text"), (Reading::Code, "code")] {
        let taken = polysemanticity::Settings { reading, ..Default::default() };
        for (name, of) in [("topk256", &topk), ("random256", &random)] {
            let of = stream.m10(of, &taken).unwrap().rate;
            let wanted = [("rate", of.rate), ("mean_clusters", of.mean_clusters)];
            same(&m10, &format!("{name}, {named}"), &wanted);
        }
    }

    let m11 = build_detail_view(&default("m11")).unwrap();
    for name in ["topk128", "random128"] {
        let of = stream.m11(&subject(name), &topk, 20).unwrap();
        let wanted = [
            ("consistency_document", of.consistency_document),
            ("consistency_code", of.consistency_code),
            ("splitting_rate", of.splitting_rate),
        ];
        same(&m11, &format!("{name} in topk256"), &wanted);
    }

    let m12 = build_detail_view(&default("m12")).unwrap();
    for name in ["topk256", "random256relu"] {
        let of = stream.m12(&subject(name), 2.0).unwrap();
        let wanted = [
            ("k_mismatch_rate", of.found.k_mismatch_rate),
            ("k_mismatch_rate_document", of.found.k_mismatch_rate_document),
            ("complexity_k_correlation", of.found.complexity_k_correlation),
        ];
        same(&m12, name, &wanted);
    }
    // Where the truth is known: a ReLU's number follows it, a TopK's cannot.
    assert!(m12.value_by_name("planted, ReLU, seed 1", "true_k_correlation") > Some(0.4));

    let m13 = build_detail_view(&default("m13")).unwrap();
    let of = stream.m13(&topk).unwrap();
    same(&m13, "ck-12000", &[("packing_ratio", of.activations.packing_ratio)]);
    same(&m13, "topk256", &[("feature_interference", of.directions.feature_interference)]);
    let layers = of.layers_document;
    same(&m13, "ck-12000, all layers, text", &[("share_strong", layers.share_strong)]);
    let untrained = m13.value_by_name(UNTRAINED_CHECKPOINT, "packing_ratio");
    assert!(untrained.is_some() && untrained != m13.value_by_name("ck-12000", "packing_ratio"));

    let requests = build_detail_view(&default("m14")).unwrap();
    let halves = "two halves of the safe";
    for (name, contrast) in [("unsafe and safe", Contrast::Unsafe), (halves, Contrast::SafeHalves)] {
        let of = m14("ck-12000", contrast, 3).unwrap();
        let wanted = [
            ("sve_document", of.sve_document),
            ("sve_code", of.sve_code),
            ("stability_document", of.stability_document.unwrap()),
        ];
        same(&requests, name, &wanted);
    }

    let ex34 = build_detail_view(&default("ex34")).unwrap();
    for (name, of) in [("topk256", &topk), ("random256", &random)] {
        let of = stream.ex34(of, 20, 64).unwrap();
        let wanted =
            [("mean_token_overlap", of.mean_token_overlap), ("mean_direction_cosine", of.mean_direction_cosine)];
        same(&ex34, name, &wanted);
    }
}

/// The rows of a picture's first panel.
fn first_rows(found: &DetailView) -> &[Vec<Cell>] {
    match &found.panels[0].shown {
        PanelContent::Table { rows, .. } => rows,
        shown => panic!("{shown:?}"),
    }
}

/// The Jaccard index of two lists of words, signs left out; 1 of two empty ones.
fn shared(a: &Cell, b: &Cell) -> f64 {
    let list = |cell: &Cell| -> Vec<String> {
        let Cell::Words(words) = cell else { panic!("{cell:?}") };
        let each = words.split(" · ").filter(|word| !word.is_empty());
        each.map(|word| word.trim_start_matches(['+', '−']).to_owned()).collect()
    };
    let (a, b) = (list(a), list(b));
    let both = a.iter().filter(|word| b.contains(word)).count();
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}

#[test]
fn listed_words_are_those_that_agree() {
    given();
    // Few enough to be listed wholly.
    for (metric, number, lists) in [("m08", 1, [2, 3]), ("ex34", 1, [3, 4])] {
        let settings = Settings { top_k: 10, ..default(metric) };
        let found = build_detail_view(&settings).unwrap();
        let rows = first_rows(&found);
        assert!(rows.len() >= 12, "{metric}");
        let mut agree = 0;
        for row in rows {
            let Cell::Number(wanted) = row[number] else { panic!("{row:?}") };
            let [promoted, answered] = lists.map(|at| &row[at]);
            let found = shared(promoted, answered);
            assert!((found - wanted).abs() < 1e-12, "{metric}: {row:?}");
            agree += usize::from(wanted > 0.0);
        }
        assert!(agree >= 4, "{metric}");
    }
}

#[test]
fn quantities_of_circuits_are_those_of_the_circuit() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    let of = measure_task(&model, Task::Ioi, 128).unwrap();
    let found = "found circuit";

    let ex1 = build_detail_view(&default("ex1")).unwrap();
    let wanted = [
        ("dprime", of.ex1.dprime),
        ("auc", of.ex1.auc),
        ("criterion_c", of.ex1.criterion_c),
        ("faithfulness", of.faithfulness),
        ("completeness", of.completeness),
    ];
    same(&ex1, found, &wanted);
    same(&ex1, "no head", &[("dprime", 0.0), ("auc", 0.5), ("faithfulness", of.empty)]);
    same(&ex1, "all heads", &[("faithfulness", 1.0), ("completeness", 1.0 - of.empty)]);
    for seed in 1..=3 {
        let random = ex1.value_by_name(&format!("random circuit {seed}"), "dprime");
        assert!(random < Some(of.ex1.dprime), "{random:?}");
    }
    let untrained = ex1.value_by_name("found circuit, untrained", "dprime").unwrap();
    assert!(untrained.abs() < 1.0, "{untrained}");

    let ex2 = build_detail_view(&default("ex2")).unwrap();
    let wanted = [("max_dif_code", of.ex2.max_dif_code), ("max_dif_standard", of.ex2.max_dif_standard)];
    same(&ex2, "whole model", &wanted);
    let mixed = of.ex2_mixed.unwrap().max_dif_code;
    same(&ex2, "whole model, with mixed names", &[("max_dif_code", mixed)]);
    assert!(ex2.value_by_name("two halves of group0, seed 3", "max_dif_code").is_some());

    let ex11 = build_detail_view(&default("ex11")).unwrap();
    let weber = of.ex11.unwrap();
    let wanted = [
        ("weber_consistency_code", weber.weber_consistency_code),
        ("weber_consistency_relative_jnd", weber.weber_consistency_relative_jnd),
        ("n_detectable", weber.n_detectable as f64),
    ];
    same(&ex11, found, &wanted);

    let mib = build_detail_view(&default("mib")).unwrap();
    let normalised = of.mib_ranked_normalised.unwrap().area;
    same(&mib, "ranked by effect", &[("cpr", of.mib.ranked.area.cpr)]);
    same(&mib, "code order", &[("cpr", of.mib.code.area.cpr)]);
    same(&mib, "ranked by effect, normalised", &[("cpr", normalised.cpr)]);
    same(&mib, "no head", &[("faithfulness", of.empty)]);
    assert!(mib.value_by_name("random order 1", "cpr") < Some(of.mib.ranked.area.cpr));
}

#[test]
fn audits_and_runs_are_those_of_the_same_draws() {
    given();
    let model = toy_model::load_model("ck-12000").unwrap();
    let prompts = test_prompts(Task::Ioi, 128).unwrap();
    let mut circuits = CircuitEvaluator::new(&model, &prompts).unwrap();
    let circuit = circuits.backward_elimination().unwrap();
    let clean = circuits.clean_logit_differences().to_vec();
    let all = (0..3).flat_map(|layer| (0..4).map(move |head| (layer, head)));
    let others: Vec<_> = all.filter(|head| !circuit.contains(head)).collect();
    let alone = circuits.logit_differences(&HeadEdits::ablate(&others)).unwrap();
    let some = |values: &[f64], seed: u32| -> Vec<f64> {
        subsample(128, seed).unwrap().into_iter().map(|at| values[at]).collect()
    };
    let scores = |seeds: std::ops::Range<u32>| -> Vec<f64> {
        let each = seeds.map(|seed| faithfulness(&some(&clean, seed), &some(&alone, seed)));
        each.map(Result::unwrap).collect()
    };
    let ex24 = build_detail_view(&default("ex24")).unwrap();
    let of = audit_as_documented(&scores(0..5), &scores(0..5), &scores(5..10)).unwrap();
    let same_again = "faithfulness, found circuit against the same circuit, other prompts";
    let wanted = [("cv_probe_sample", of.cv_probe_sample), ("discriminability_document", of.cohens_d_document.abs())];
    same(&ex24, same_again, &wanted);
    // Random heads are told from the circuit by far more than draws are from each other.
    let random = "faithfulness, found circuit against random circuit 1";
    let far = ex24.value_by_name(random, "discriminability_document").unwrap();
    assert!(far > 10.0 * of.cohens_d_document.abs(), "{far}");
    let recovery = ex24.value_by_name("ablation_recovery, found circuit", "discriminability_code");
    assert_eq!(recovery, Some(0.0));

    let ex25 = build_detail_view(&default("ex25")).unwrap();
    let prompts: Vec<Vec<usize>> = (0..5).map(|seed| subsample(128, seed).unwrap()).collect();
    let runs: Vec<Vec<f64>> = (0..5).map(|seed| some(&clean, seed)).collect();
    let of = reproducibility(&runs, Some(&prompts), RELATIVE_DEVIATION_MAX).unwrap();
    let wanted = [
        ("deviation_rate", of.deviation_rate),
        ("coherence_code", of.coherence_code),
        ("coherence_aligned", of.coherence_aligned.unwrap()),
    ];
    same(&ex25, "whole model", &wanted);
    let rising = "whole model, prompts by rising value";
    assert!(ex25.value_by_name(rising, "coherence_code") > Some(0.999));
}

#[test]
fn what_cannot_be_shown_is_refused_by_name() {
    given();
    let error = build_detail_view(&Settings { metric: "m15".to_owned(), ..Settings::default() }).unwrap_err();
    assert_eq!((error.code(), error.field()), ("picture.metric", Some("metric")));
    assert!(error.to_string().contains("m07") && error.to_string().contains("mib"));
    let error = build_detail_view(&Settings { checkpoint: "ck-1".to_owned(), ..default("mib") }).unwrap_err();
    assert_eq!((error.code(), error.field()), ("little.unknown", Some("checkpoint")));
    let error = build_detail_view(&Settings { sae: "topk".to_owned(), ..default("m08") }).unwrap_err();
    assert_eq!((error.code(), error.field()), ("little.unknown", Some("sae")));
    let error = build_detail_view(&Settings { top_k: 145, ..default("m08") }).unwrap_err();
    assert_eq!(error.field(), Some("top_k"));
}

#[test]
fn files_that_pictures_need() {
    for about in METRICS {
        let files = required_files(&default(about.id));
        assert_eq!(files[0], "ck-12000", "{}", about.id);
        let autoencoders =
            about.id.starts_with('m') && !["m09", "m14", "mib"].contains(&about.id) || about.id == "ex34";
        for file in ["sae", "sae_controls"] {
            assert_eq!(files.contains(&file), autoencoders, "{}", about.id);
        }
    }
    let own = Settings { sae: "random256".to_owned(), ..default("m08") };
    assert_eq!(required_files(&own), ["ck-12000", "sae_controls"]);
    let untrained = Settings { checkpoint: UNTRAINED_CHECKPOINT.to_owned(), ..default("m14") };
    assert_eq!(required_files(&untrained), [UNTRAINED_CHECKPOINT]);
    assert_eq!(required_files(&default("ex1")), ["ck-12000", UNTRAINED_CHECKPOINT]);
}
