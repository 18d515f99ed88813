//! What the page calls: the only module that speaks to JavaScript.
//!
//! A worker calls [`run`] and posts the report; the main thread opens the report as a [`StudyHandle`]
//! and draws. For many seeds, workers call a [`SeedRunner`] and [`gather_ensemble`] takes what they post.
//! There are two builds: one of what it takes to draw the paper, which every visitor loads first, and
//! with the feature `lab` one of everything, loaded once the paper is drawn. Every refused value is
//! thrown as a plain object with `code` and `message`, and `field` where one is to blame.

#[cfg(feature = "lab")]
mod audit;
#[cfg(feature = "lab")]
mod bench;
#[cfg(feature = "lab")]
mod constants;
mod convert;
#[cfg(feature = "lab")]
mod ensemble;
#[cfg(feature = "lab")]
mod evaluate;
#[cfg(feature = "lab")]
mod evaluate_view;
#[cfg(feature = "lab")]
mod export;
#[cfg(feature = "lab")]
mod families;
#[cfg(feature = "lab")]
mod files;
#[cfg(feature = "lab")]
mod jobs;
#[cfg(feature = "lab")]
mod lab;
#[cfg(feature = "lab")]
mod link;
#[cfg(feature = "lab")]
mod measurement;
#[cfg(feature = "lab")]
mod metrics;
#[cfg(feature = "lab")]
mod mui;
#[cfg(feature = "lab")]
mod names;
#[cfg(feature = "lab")]
mod parameters;
#[cfg(feature = "lab")]
mod query;
#[cfg(feature = "lab")]
mod results;
mod seeds;
mod study;
#[cfg(feature = "lab")]
mod synth;
#[cfg(feature = "lab")]
mod toy_model;
#[cfg(feature = "lab")]
mod train;
#[cfg(feature = "lab")]
mod user_model;

#[cfg(feature = "lab")]
pub use self::{
    ensemble::gather_ensemble,
    evaluate::OwnFiles,
    families::{train_folder, train_measured},
    parameters::{fade_steered, study_run},
    train::{FamiliesRunner, TrainSession, families_fit, families_jobs},
};
pub use seeds::SeedRunner;
pub use study::StudyHandle;

use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::object;
use crate::papers::sfc;
use crate::papers::sfc::Preset;
use crate::papers::sfc::metric::score::PROFILES;
use crate::papers::sfc::settings::{FIELDS, Settings};
use crate::settings::Field;
use convert::{failure_error, js_error, parse_settings, report_progress, settings_or_problems, to_js};

/// Has a panic thrown as a JavaScript error that says what it was and where.
///
/// What is then left of traps that are `unreachable` is the end of memory, which ends a program
/// without a panic: `www/workers/serve.js` names it so.
#[wasm_bindgen(start)]
pub fn name_panics() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// The version of this crate.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The paper's settings.
#[wasm_bindgen]
pub fn defaults() -> Result<JsValue, JsValue> {
    to_js(&Settings::default())
}

/// Names and sizes of the configurations of Table 1.
#[wasm_bindgen]
pub fn presets() -> Result<JsValue, JsValue> {
    let row = |preset: &Preset| {
        object! {
            name: preset.name(),
            label: preset.label(),
            #[serde(flatten)]
            shape: preset.shape(),
        }
    };
    to_js(&Preset::TABLE_1.iter().map(row).collect::<Vec<_>>())
}

/// The seven weight profiles of Table 2; labels without the ratio, which the weights give.
#[wasm_bindgen]
pub fn profiles() -> Result<JsValue, JsValue> {
    let rows: Vec<_> = PROFILES
        .iter()
        .map(|profile| {
            let label = profile.label.split(" (").next();
            serde_json::json!({
                "name": profile.name,
                "label": label,
                "weights": profile.weights,
            })
        })
        .collect();
    to_js(&rows)
}

/// Every knob, as a form has it.
#[wasm_bindgen]
pub fn fields() -> Result<JsValue, JsValue> {
    to_js(&FIELDS.iter().map(Field::to_form_field).collect::<Vec<_>>())
}

/// What each field that holds numbers may hold, by the field's name.
#[wasm_bindgen]
pub fn limits() -> Result<JsValue, JsValue> {
    struct Limits;
    impl Serialize for Limits {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let limits = FIELDS.iter().filter_map(|field| Some((field.name, field.limit()?)));
            serializer.collect_map(limits)
        }
    }
    to_js(&Limits)
}

/// A seed from the browser's own randomness.
#[wasm_bindgen]
pub fn fresh_seed() -> Result<u32, JsValue> {
    use rand::TryRng;
    rand::rngs::SysRng.try_next_u32().map_err(|error| js_error("random.unavailable", &error.to_string(), None))
}

/// Checks a draft: `{settings, problems}`, one of the two empty.
#[wasm_bindgen]
pub fn validate(draft: JsValue) -> Result<JsValue, JsValue> {
    settings_or_problems(parse_settings(&draft))
}

/// What a query string says: `{state, changes}`. Nothing is thrown, whatever the text. The page needs it
/// for its first run, so it is in the first build.
#[wasm_bindgen]
pub fn parse_state(query: &str) -> Result<JsValue, JsValue> {
    to_js(&crate::link::parse(query))
}

/// Estimated peak memory of a run, in bytes.
#[wasm_bindgen]
pub fn memory_needed(settings: JsValue) -> Result<f64, JsValue> {
    let settings = parse_settings(&settings).map_err(|problems| failure_error(&problems))?;
    Ok(settings.estimate_memory() as f64)
}

/// Runs settings to a report, telling `on_progress(stage, fraction)`. Blocks: for workers.
#[wasm_bindgen]
pub fn run(settings: JsValue, on_progress: &Function) -> Result<JsValue, JsValue> {
    let settings = parse_settings(&settings).map_err(|problems| failure_error(&problems))?;
    let mut tell = |stage: &str, fraction: f64| report_progress(on_progress, stage, fraction);
    let report =
        sfc::run(&settings, &mut tell).map_err(|error| js_error(error.code(), &error.to_string(), error.field()))?;
    to_js(&report)
}

#[cfg(all(test, feature = "lab"))]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use serde::Deserialize;

    use super::*;
    use crate::Draft;
    use crate::papers::sfc::Report;

    fn problems(draft: &str) -> Vec<(String, String)> {
        #[derive(Deserialize)]
        struct JsonOutput {
            field: String,
            value: String,
        }
        #[derive(Deserialize)]
        struct Checked {
            problems: Vec<JsonOutput>,
        }
        let draft = js_sys::JSON::parse(draft).unwrap();
        let checked: Checked = serde_wasm_bindgen::from_value(validate(draft).unwrap()).unwrap();
        checked.problems.into_iter().map(|found| (found.field, found.value)).collect()
    }

    fn pair(field: &str, value: &str) -> (String, String) {
        (field.to_owned(), value.to_owned())
    }

    #[wasm_bindgen_test]
    fn drafts_are_refused_by_field() {
        assert!(problems("{}").is_empty());
        assert!(problems(r#"{"samples": 300, "levels": [0, 0.5]}"#).is_empty());
        assert_eq!(problems(r#"{"sampels": 300}"#), [pair("sampels", "300")]);
        assert_eq!(problems(r#"{"samples": "many"}"#), [pair("samples", "\"many\"")]);
        assert_eq!(problems(r#"{"weights": {"a": 1}}"#), [pair("weights", "{\"a\":1}")]);
        assert_eq!(problems("[1]"), [pair("0", "1")]);
        assert_eq!(problems("3"), [pair("settings", "3")]);
        assert_eq!(problems(r#"{"samples": 1, "hidden": 2.5}"#), [pair("hidden", "2.5"), pair("samples", "1")]);
    }

    #[wasm_bindgen_test]
    fn a_report_survives_the_way_through_javascript() {
        let settings = js_sys::JSON::parse(r#"{"samples": 200}"#).unwrap();
        let hear = Function::new_with_args("stage, part", "globalThis.heard = [stage, part]");
        let report = run(settings, &hear).unwrap();
        let heard = js_sys::Reflect::get(&js_sys::global(), &"heard".into()).unwrap();
        let stages = js_sys::Array::from(&heard);
        assert_eq!(stages.get(0), "done");
        assert_eq!(stages.get(1), 1.0);

        let native = Draft { samples: Some(200.0), ..Draft::default() }.parse().unwrap();
        let native = sfc::run(&native, &mut sfc::NoProgress).unwrap();
        let read: Report = serde_wasm_bindgen::from_value(report.clone()).unwrap();
        assert_eq!(read, native);

        let mut view = StudyHandle::open("sfc", report).unwrap();
        view.set_weights(5.0, 1.0, 1.0).unwrap();
        assert_eq!(view.paper_study().unwrap().report.main.points[7].sfc, {
            let p = &native.main.points[7];
            PROFILES[1].weights.sfc(p.sparsity, p.fidelity, p.completeness)
        });
        assert!(view.set_weights(0.0, 0.0, 0.0).is_err());
        assert!(view.title("figure9").is_err());
        for figure in view.opened.figures() {
            assert!(!view.summary(figure.id).unwrap().is_empty());
        }
    }

    #[wasm_bindgen_test]
    fn an_ensemble_gathers_what_workers_post() {
        let settings = || js_sys::JSON::parse(r#"{"samples": 200}"#).unwrap();
        let runner = SeedRunner::new(settings(), "model").unwrap();
        let mut view = gather_ensemble(settings(), "model").unwrap();
        assert!(view.headline().is_err() && view.refresh().is_err());
        let end = f64::from(u32::MAX) + 1.0;
        for (from, to) in [(4.0, 8.0), (0.0, 5.0), (4.0, 8.0), (end - 1.0, end)] {
            view.add_members(runner.members(from, to).unwrap()).unwrap();
        }
        assert_eq!(view.members().unwrap(), 9);
        for (from, to) in [(3.0, 3.0), (-1.0, 2.0), (0.5, 2.0), (0.0, end + 1.0), (0.0, f64::NAN)] {
            let error = runner.members(from, to).unwrap_err();
            assert_eq!(js_sys::Reflect::get(&error, &"code".into()).unwrap(), "ensemble.seeds");
        }
        view.refresh().unwrap();
        view.set_weights(5.0, 1.0, 1.0).unwrap();

        let draft = Draft { samples: Some(200.0), ..Draft::default() };
        let native = draft.parse().unwrap().with_weights(PROFILES[1].weights);
        let plan = crate::lab::ensemble::EnsemblePlan::new(native, crate::lab::ensemble::Varied::Model);
        let alone = crate::lab::ensemble::Runner::new(plan.clone());
        let seeds = (0..8).chain([u32::MAX]);
        let members = seeds.map(|seed| alone.run_member(seed).unwrap()).collect();
        let native = crate::lab::ensemble::Ensemble::from_members(plan, members).unwrap();
        assert_eq!(view.json().unwrap(), native.to_json().unwrap());

        let report = run(settings(), &Function::new_no_args("")).unwrap();
        let before = view.table("ens-hypervolume").unwrap();
        view.set_run(&StudyHandle::open("sfc", report).unwrap()).unwrap();
        let rows = |table: &JsValue| {
            let rows = js_sys::Reflect::get(table, &"rows".into()).unwrap();
            js_sys::Array::from(&rows).length()
        };
        assert_eq!(rows(&view.table("ens-hypervolume").unwrap()), rows(&before) + 1);
        for figure in view.opened.figures() {
            assert!(!view.summary(figure.id).unwrap().is_empty());
        }
        assert!(view.title("fig1a").is_err());
        assert!(gather_ensemble(settings(), "data").is_err());
    }
}
