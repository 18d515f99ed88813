//! FADE and CE-Bench on the toy model equal the reference in double precision.

use serde_json::Value;
use sfc_bench::export::{Appearance, Format, export};
use sfc_bench::papers::ce_bench::{self, Progress, metric::Reading};
use sfc_bench::papers::fade::metric::{Norm, RatedTexts};
use sfc_bench::papers::fade::{self, DescriptionCase, Feature};
use sfc_bench::settings::{Parameters, check};
use sfc_bench::study::Study;
use sfc_bench::synthetic::language::Task;
use sfc_bench::toy_model::workload::Workload;
use sfc_bench::toy_model::{self, ToyModelError, task};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{json, number};

fn golden() -> Value {
    json(include_str!("../golden/model/metrics.json"))
}

fn given() {
    give!("ck-12000", "ck-00750", "ck-00094", "sae", "sae_controls");
}

#[track_caller]
fn near(what: &str, found: f64, wanted: f64, apart: f64) {
    assert!((found - wanted).abs() <= apart, "{what}: {found} is not {wanted}");
}

fn settings(sae: &str) -> fade::Settings {
    let draft = fade::Draft { sae: Some(sae.to_owned()), ..fade::Draft::default() };
    draft.parse().unwrap()
}

/// Scores of texts count pairs: they are the same, but where single precision orders two texts otherwise.
const APART: f64 = 2e-3;

fn assert_scores(sae: &str, feature: &Feature, wanted: &Value) {
    let what = format!("{sae}, latent {} as {}", feature.latent, feature.concept);
    assert_eq!(feature.latent as u64, wanted["latent"].as_u64().unwrap(), "{what}");
    let code = [feature.clarity.code, feature.responsiveness.code, feature.purity.code];
    for (name, found) in ["clarity", "responsiveness", "purity"].into_iter().zip(code) {
        near(&format!("{what}: {name}"), found.unwrap(), number(&wanted[name]), APART);
    }
    let document = feature.clarity.document.unwrap();
    near(&what, document, number(&wanted["clarity_document"]), APART);
    near(&what, feature.prevalence, number(&wanted["positive_rate"]), 1e-12);
    assert_eq!(Some(feature.gate), wanted["gate"].as_bool(), "{what}");
}

fn assert_fade(sae: &str) {
    given();
    let golden = golden();
    let report = fade::score_features(&settings(sae), &mut |_, _| {}).unwrap();
    assert_eq!(report.best_features().count(), 18);
    for (feature, wanted) in report.best_features().zip(golden["fade"][sae].as_array().unwrap()) {
        assert_scores(sae, feature, wanted);
        let best = &golden["best_latent"][sae][&feature.concept];
        near(&feature.concept, feature.f1, number(&best["f1"]), 1e-6);
        let perfect = &golden["perfect_feature"][&feature.concept];
        near("a perfect feature's clarity", feature.ceiling, number(&perfect["clarity"]), 1e-12);
    }
}

#[test]
fn fade_of_a_trained_autoencoder() {
    assert_fade("topk256");
    assert_fade("relu256");
    assert_fade("topk128");
}

#[test]
fn fade_of_controls() {
    assert_fade("random256");
    assert_fade("random256relu");
    assert_fade("topk256_permdec");
}

#[test]
fn bad_descriptions_are_those_of_the_reference() {
    given();
    let report = fade::score_features(&settings("topk256"), &mut |_, _| {}).unwrap();
    let golden = golden();
    for wanted in golden["fade_bad"].as_array().unwrap() {
        let is = |feature: &&Feature| {
            feature.case != DescriptionCase::Best
                && Some(feature.concept.as_str()) == wanted["concept"].as_str()
                && Some(feature.latent as u64) == wanted["latent"].as_u64()
        };
        let feature = report.features.iter().find(is).unwrap_or_else(|| panic!("no {wanted}"));
        assert_scores("topk256", feature, wanted);
    }
    let dead = report.features.iter().find(|feature| feature.case == DescriptionCase::Dead).unwrap();
    let clarity = (dead.clarity.document, dead.clarity.code);
    assert_eq!(clarity, (Some(1.0), Some(0.0)), "the note's strict indicator praises it");
}

#[test]
fn steering_writes_what_the_reference_writes() {
    given();
    let golden = golden();
    for (sae, concepts) in [("topk256", &["animal", "kitchen", "refusal"][..]), ("relu256", &["space"])] {
        let settings = settings(sae);
        let report = fade::score_features(&settings, &mut |_, _| {}).unwrap();
        for (feature, wanted) in report.best_features().zip(golden["fade"][sae].as_array().unwrap()) {
            if !concepts.contains(&feature.concept.as_str()) {
                continue;
            }
            let steered = fade::steer_feature(&settings, feature).unwrap();
            // A continuation can differ where single precision decides a draw otherwise.
            for (share, wanted) in steered.shares.iter().zip(wanted["R"].as_array().unwrap()) {
                near(&feature.concept, *share, number(wanted), 0.1);
            }
            near(&feature.concept, steered.faithfulness, number(&wanted["faithfulness"]), 0.1);
            assert_eq!(steered.written.len(), settings.factors.len());
        }
    }
}

#[test]
fn a_rater_who_errs_moves_the_scores() {
    given();
    let draft = fade::Draft { error: Some(0.3), texts: Some(200.0), ..fade::Draft::default() };
    let (right, wrong) = (fade::Draft { error: None, ..draft.clone() }.parse().unwrap(), draft.parse().unwrap());
    let means = |settings| fade::score_features(&settings, &mut |_, _| {}).unwrap().means();
    let (right, wrong) = (means(right), means(wrong));
    assert!(wrong.responsiveness < 0.8 * right.responsiveness, "{wrong:?} {right:?}");
    assert!(wrong.clarity < 0.9 * right.clarity, "{wrong:?} {right:?}");
    assert!(wrong.purity < right.purity, "{wrong:?} {right:?}");
}

#[test]
fn a_sample_of_texts_and_a_literal_norm_change_the_scores_that_depend_on_them() {
    given();
    let with = |rated: &str, norm: &str| {
        let draft = fade::Draft {
            rated: Some(rated.to_owned()),
            norm: Some(norm.to_owned()),
            sample: Some(100.0),
            texts: Some(200.0),
            ..fade::Draft::default()
        };
        fade::score_features(&draft.parse().unwrap(), &mut |_, _| {}).unwrap()
    };
    let (all, sampled, literal) = (with("all", "elements"), with("sampled", "elements"), with("all", "nonzero"));
    let (mut purer, mut above) = (0, 0);
    for ((all, sampled), literal) in all.features.iter().zip(&sampled.features).zip(&literal.features) {
        // Each report has the readings of the others beside its own.
        assert_eq!((&all.variants, all.rated.as_ref()), (&sampled.variants, None));
        assert_eq!(all.variants, literal.variants);
        let variant = all.variant(RatedTexts::Sampled, Norm::Elements).unwrap();
        assert_eq!((variant.responsiveness, variant.purity), (sampled.responsiveness, sampled.purity));
        assert_eq!(variant.document_texts, 100);
        assert_eq!(Some(variant.code_texts), sampled.rated.as_ref().map(Vec::len));
        assert_eq!(sampled.clarity, all.clarity, "it is of all texts");
        let variant = all.variant(RatedTexts::All, Norm::Nonzero).unwrap();
        assert_eq!((variant.clarity, variant.responsiveness), (literal.clarity, literal.responsiveness));
        assert_eq!((literal.clarity.code, literal.purity), (all.clarity.code, all.purity));
        purer += usize::from(sampled.purity.code > all.purity.code);
        above += usize::from(literal.clarity.document > Some(1.0));
    }
    assert!(purer > all.features.len() / 2, "{purer}");
    assert!(above > all.features.len() / 2, "{above}");
    // A report of an older version has neither.
    let mut older = serde_json::to_value(&all).unwrap();
    for name in ["rated", "sample", "top", "norm"] {
        older["settings"].as_object_mut().unwrap().remove(name).unwrap();
    }
    for feature in older["features"].as_array_mut().unwrap() {
        for name in ["rated", "variants"] {
            feature.as_object_mut().unwrap().remove(name).unwrap();
        }
    }
    let older: fade::Report = serde_json::from_value(older).unwrap();
    assert_eq!((older.means(), older.settings.norm), (all.means(), Norm::Elements));
}

#[test]
fn fade_refuses_by_name() {
    for (draft, field) in [
        (fade::Draft { sae: Some("topk".into()), ..fade::Draft::default() }, "sae"),
        (fade::Draft { factors: Some(vec![1.0]), ..fade::Draft::default() }, "factors"),
        (fade::Draft { factors: Some(vec![0.0, 1e3]), ..fade::Draft::default() }, "factors"),
        (fade::Draft { texts: Some(1e9), ..fade::Draft::default() }, "texts"),
        (fade::Draft { error: Some(0.6), ..fade::Draft::default() }, "error"),
        (fade::Draft { rated: Some("some".into()), ..fade::Draft::default() }, "rated"),
        (fade::Draft { sample: Some(0.0), ..fade::Draft::default() }, "sample"),
        (fade::Draft { top: Some(1.1), ..fade::Draft::default() }, "top"),
        (fade::Draft { norm: Some("l1".into()), ..fade::Draft::default() }, "norm"),
    ] {
        assert_eq!(draft.parse().unwrap_err().0[0].field, field);
    }
    let usual = fade::Settings::default();
    assert_eq!(check::<fade::Settings>(&usual.draft()).unwrap(), usual);
    let usual = ce_bench::Settings::default();
    assert_eq!(check::<ce_bench::Settings>(&usual.draft()).unwrap(), usual);
}

#[test]
fn ce_bench_of_every_reference_autoencoder() {
    given();
    let golden = golden();
    let names = ["random256", "relu256", "topk128", "random256relu", "topk256_permdec", "residual"];
    let report = ce_bench::run(&ce_bench::Settings::default(), &names, &mut |_, _| {}).unwrap();
    assert_eq!(report.subjects.len(), 7);
    for subject in &report.subjects {
        let name = if subject.name == "residual" { "resid" } else { &subject.name };
        for reading in Reading::ALL {
            let wanted = &golden["cebench"][name][reading.name()];
            let found = subject.readings.get(reading);
            near(name, found.contrastive, number(&wanted["contrastive"]), 1e-5);
            near(name, found.independence, number(&wanted["independence"]), 1e-5);
            near(name, found.interpretability, number(&wanted["interpretability"]), 1e-5);
        }
        let about = &golden["ce_about"][name];
        if !about.is_null() {
            near(name, subject.about.topic.unwrap(), number(&about["topic"]), 1e-12);
            near(name, subject.about.mood.unwrap(), number(&about["mood"]), 1e-12);
        }
    }
    let [plain, permuted] = ["topk256", "topk256_permdec"]
        .map(|name| report.subjects.iter().find(|subject| subject.name == name).unwrap().readings);
    assert_eq!(plain, permuted, "no score looks at the decoder");
    for (pair, wanted) in report.pairs.iter().zip(golden["ce_pairs_topk256"].as_array().unwrap()) {
        let v1 = pair.scores[0];
        let found = [v1.contrastive, v1.independence, v1.interpretability];
        for (found, wanted) in found.into_iter().zip(wanted.as_array().unwrap()) {
            near("a pair", found, number(wanted), 1e-4);
        }
        assert_eq!(pair.stories.len(), 2);
        assert_eq!(pair.stories[0].activations.len(), 4);
    }
}

/// Wherever a figure shows the independence of a reading that has no part with marks, it says so.
#[test]
fn independence_without_marks_is_told_in_every_export() {
    given();
    let settings = ce_bench::Settings { pairs: 4, ..ce_bench::Settings::default() };
    let report = ce_bench::run(&settings, &[], &mut |_, _| {}).unwrap();
    let mut opened = ce_bench::StudyView::open(report).unwrap();
    let of_all = ["ce-readings", "ce-tells", "ce-pair"];
    let of_one = ["ce-scores", "ce-independence"];
    for reading in Reading::ALL {
        opened.select_reading(reading.name()).unwrap();
        let unmarked = matches!(reading, Reading::CodeHead | Reading::Paper);
        assert_eq!(opened.headline().unwrap().contains("independence without marks"), unmarked);
        for figure in opened.figures() {
            let chart = opened.chart(figure.id).unwrap();
            let told = of_all.contains(&figure.id) || (unmarked && of_one.contains(&figure.id));
            for format in Format::ALL {
                let text = export(&chart, format, opened.figure_origin().unwrap(), 640, Appearance::Light).unwrap();
                // A picture's description has the headline.
                let drawn = text.split_once("</desc>").map_or(text.as_str(), |(_, drawn)| drawn);
                let what = format!("{} {format:?} by {}", figure.id, reading.name());
                assert_eq!(drawn.contains("without marks"), told, "{what}");
            }
        }
    }
}

#[test]
fn ce_bench_is_told_as_it_comes_and_other_subjects_leave_its_digest() {
    given();
    let settings = ce_bench::Settings { pairs: 4, ..ce_bench::Settings::default() };
    let mut told = Vec::new();
    let report = ce_bench::run_with_progress(&settings, &["topk256", "residual"], &mut |found, share| {
        told.push(match found {
            Progress::Report(report) => (report.subjects.len() + report.pairs.len(), share),
            Progress::Subject(subject) => (subject.latents, share),
        });
    })
    .unwrap();
    assert_eq!(told, [(5, 0.5), (48, 1.0)]);
    assert_eq!(report, ce_bench::run(&settings, &["residual"], &mut |_, _| {}).unwrap());
    let mut other = report.subjects[1].clone();
    let mut opened = ce_bench::StudyView::open(report).unwrap();
    let digest = Study::digest(&opened);
    other.name = "own-1".to_owned();
    opened.add_subject(other.clone());
    opened.add_subject(other.clone());
    assert_eq!(opened.report().subjects.len(), 3);
    assert_eq!(Study::digest(&opened), digest);
    other.name = "residual".to_owned();
    other.readings.paper.contrastive += 1.0;
    opened.add_subject(other);
    assert_ne!(Study::digest(&opened), digest);
}

#[test]
fn tasks_of_checkpoints() {
    given();
    let golden = golden();
    for checkpoint in ["ck-00094", "ck-00750", "ck-12000"] {
        let model = toy_model::load_model(checkpoint).unwrap();
        for of in Task::ALL {
            let wanted = &golden["tasks"][checkpoint][of.name()];
            let found = task::score_task(&model, of, 128, &[]).unwrap();
            assert_eq!(found.accuracy, number(&wanted["accuracy"]), "{checkpoint} {of}");
            near(checkpoint, found.ld_mean, number(&wanted["ld_mean"]), 1e-4);
        }
    }
    let model = toy_model::load_model("ck-12000").unwrap();
    let refused = task::score_task(&model, Task::Ioi, 8, &[(3, 0)]).unwrap_err();
    assert!(matches!(refused, ToyModelError::Count { field: "layer", .. }), "{refused}");
    assert_eq!(task::score_task(&model, Task::Ioi, 0, &[]).unwrap_err().field(), Some("prompts"));
}

/// What the benchmarks time.
#[test]
fn the_work_is_what_is_counted() {
    given();
    let mut work = Workload::new().unwrap();
    assert_eq!(work.batches().len(), 10);
    assert_eq!(work.forward_token_count(), 12_544);
    assert_eq!(work.training_token_count(), 64 * 31);
    assert!(work.forward().unwrap().is_finite());
    let loss = work.train().unwrap();
    assert!(work.train().unwrap() < loss);
}
