//! Studies of the toy model by name: their fields, settings, links and runs.

use js_sys::Function;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failure_error, from_js, report_progress, settings_or_problems, to_js};
use crate::lab::{audit, synth};
use crate::link::{Page, page_to_query, read_page};
use crate::object;
use crate::papers::ce_bench::Progress;
use crate::papers::{ce_bench, fade, measurement, mui};
use crate::settings::{Field, Parameters, check};
use crate::study::Study;
use crate::toy_model;

/// Does something with the study of that name, one of those that are listed.
macro_rules! dispatch_study {
    ([$($study:ty),+], $name:expr, $call:ident $arguments:tt) => {{
        let name: &str = $name;
        $(if name == <$study as $crate::study::Study>::NAME {
            return $call::<$study> $arguments;
        })+
        let allowed = [$(<$study as $crate::study::Study>::NAME),+].join(", ");
        let message = format!("study = {name:?}; allowed: {allowed}");
        Err($crate::web::convert::js_error("study.unknown", &message, Some("study")))
    }};
}
pub(super) use dispatch_study;

/// Those that have parameters of their own.
macro_rules! dispatch_parameters {
    ($name:expr, $call:ident $arguments:tt) => {
        dispatch_study!(
            [
                fade::StudyView,
                ce_bench::StudyView,
                mui::StudyView,
                measurement::StudyView,
                audit::StudyView,
                synth::StudyView
            ],
            $name,
            $call $arguments
        )
    };
}

/// Every knob of a study, as a form has it.
#[wasm_bindgen]
pub fn study_fields(study: &str) -> Result<JsValue, JsValue> {
    fn fields<S: Study<Settings: Parameters>>() -> Result<JsValue, JsValue> {
        to_js(&<S::Settings as Parameters>::FIELDS.iter().map(Field::to_form_field).collect::<Vec<_>>())
    }
    dispatch_parameters!(study, fields())
}

/// A study's own settings.
#[wasm_bindgen]
pub fn study_defaults(study: &str) -> Result<JsValue, JsValue> {
    fn defaults<S: Study<Settings: Parameters + Serialize>>() -> Result<JsValue, JsValue> {
        to_js(&S::Settings::default())
    }
    dispatch_parameters!(study, defaults())
}

/// Checks a draft: `{settings, problems}`, one of the two empty.
#[wasm_bindgen]
pub fn study_check(study: &str, draft: JsValue) -> Result<JsValue, JsValue> {
    fn check_as<S>(draft: JsValue) -> Result<JsValue, JsValue>
    where
        S: Study<Settings: Parameters<ParameterDraft: DeserializeOwned> + Serialize>,
    {
        let draft: <S::Settings as Parameters>::ParameterDraft = from_js("settings", draft)?;
        settings_or_problems(check::<S::Settings>(&draft))
    }
    dispatch_parameters!(study, check_as(draft))
}

/// What the query string of a study's page says: `{settings, open, view, digest, changes}`. Nothing is
/// thrown, whatever the text.
#[wasm_bindgen]
pub fn study_read(study: &str, query: &str) -> Result<JsValue, JsValue> {
    fn read_query<S: Study<Settings: Parameters + Serialize>>(query: &str) -> Result<JsValue, JsValue> {
        let page: Page<S::Settings> = read_page(query);
        to_js(&page)
    }
    dispatch_parameters!(study, read_query(query))
}

/// The query string of a study's page, without a `?`: what is as a page without one has it is left out.
#[wasm_bindgen]
pub fn study_print(
    study: &str,
    settings: JsValue,
    open: u32,
    view: Option<String>,
    digest: Option<String>,
) -> Result<String, JsValue> {
    fn print_query<S: Study<Settings: Parameters + DeserializeOwned>>(
        settings: JsValue,
        open: u32,
        view: Option<&str>,
        digest: Option<&str>,
    ) -> Result<String, JsValue> {
        let settings: S::Settings = from_js("settings", settings)?;
        Ok(page_to_query(&settings, open, view, digest))
    }
    dispatch_parameters!(study, print_query(settings, open, view.as_deref(), digest.as_deref()))
}

/// Runs a study to a report, telling `on_progress(stage, fraction)`. Blocks: for workers.
#[wasm_bindgen]
pub fn study_run(study: &str, settings: JsValue, on_progress: &Function) -> Result<JsValue, JsValue> {
    fn run<S: Study<Settings: DeserializeOwned>>(
        settings: JsValue,
        on_progress: &Function,
    ) -> Result<JsValue, JsValue> {
        let settings: S::Settings = from_js("settings", settings)?;
        let mut tell = |stage: &str, fraction: f64| report_progress(on_progress, stage, fraction);
        to_js(&S::run(settings, &mut tell).map_err(failure_error)?)
    }
    dispatch_parameters!(study, run(settings, on_progress))
}

/// Steers one feature of a report of FADE: what the model writes, rated. Blocks: for workers.
#[wasm_bindgen]
pub fn fade_steered(settings: JsValue, feature: JsValue) -> Result<JsValue, JsValue> {
    let settings: fade::Settings = from_js("settings", settings)?;
    let feature: fade::Feature = from_js("feature", feature)?;
    to_js(&fade::steer_feature(&settings, &feature).map_err(|error| failure_error(&error))?)
}

/// FADE's mean scores of some settings: `{clarity, responsiveness, purity, faithfulness, gate}`, where
/// faithfulness is measured only if `steer` says so. Blocks: for workers.
#[wasm_bindgen]
pub fn fade_means(settings: JsValue, steer: bool) -> Result<JsValue, JsValue> {
    let settings: fade::Settings = from_js("settings", settings)?;
    let means = fade::mean_scores(&settings, steer).map_err(|error| failure_error(&error))?;
    to_js(&means)
}

/// Runs CE-Bench to a report, telling `on_found(kind, fraction, found)` of each autoencoder as soon as it is
/// scored: "opened" with a report of the opened one alone, then "subject" with every other. Blocks: for workers.
#[wasm_bindgen]
pub fn ce_bench_stream(settings: JsValue, on_found: &Function) -> Result<JsValue, JsValue> {
    let settings: ce_bench::Settings = from_js("settings", settings)?;
    let names: Vec<&str> = toy_model::DICTIONARIES.iter().map(|known| known.name).collect();
    let mut tell = |found: Progress<'_>, share: f64| {
        let (kind, found) = match found {
            Progress::Report(report) => ("opened", to_js(report)),
            Progress::Subject(subject) => ("subject", to_js(subject)),
        };
        if let Ok(found) = found {
            // A listener that throws has no say in the result.
            let _ = on_found.call3(&JsValue::NULL, &kind.into(), &share.into(), &found);
        }
    };
    let report = ce_bench::run_with_progress(&settings, &names, &mut tell);
    to_js(&report.map_err(|error| failure_error(&error))?)
}

/// CE-Bench's scores of the autoencoder that the settings name, and of no other. Blocks: for workers.
#[wasm_bindgen]
pub fn ce_bench_subject(settings: JsValue) -> Result<JsValue, JsValue> {
    let settings: ce_bench::Settings = from_js("settings", settings)?;
    let stories = ce_bench::EncodedStories::from_settings(&settings).map_err(|error| failure_error(&error))?;
    to_js(&stories.score_subject(&settings.sae).map_err(|error| failure_error(&error))?)
}

/// CE-Bench's scores of the shipped autoencoders under other settings: `[subject]`. Blocks: for workers.
#[wasm_bindgen]
pub fn ce_bench_subjects(settings: JsValue) -> Result<JsValue, JsValue> {
    let settings: ce_bench::Settings = from_js("settings", settings)?;
    let report = ce_bench::StudyView::run(settings, &mut |_, _| {}).map_err(failure_error)?;
    to_js(&report.subjects)
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Opens another feature of FADE's.
    pub fn open_feature(&mut self, at: usize) -> Result<(), JsValue> {
        self.downcast_mut::<fade::StudyView>()?.select_feature(at).map_err(failure_error)
    }

    /// Takes what [`fade_steered`] returns for a feature.
    pub fn add_steered(&mut self, at: usize, steered: JsValue) -> Result<(), JsValue> {
        let steered = from_js("steered", steered)?;
        self.downcast_mut::<fade::StudyView>()?.set_steering_result(at, steered).map_err(failure_error)
    }

    /// Takes what [`fade_means`] returns for an autoencoder and a seed.
    pub fn add_means(&mut self, sae: &str, seed: u32, means: JsValue) -> Result<(), JsValue> {
        let means = from_js("means", means)?;
        self.downcast_mut::<fade::StudyView>()?.add_means(sae, seed, means);
        Ok(())
    }

    /// What fails of each feature of FADE's, in words: `[[word]]`.
    pub fn failures(&self) -> Result<JsValue, JsValue> {
        let report = self.downcast::<fade::StudyView>()?.report();
        to_js(&report.features.iter().map(fade::figures::description_failures).collect::<Vec<_>>())
    }

    /// A NumPy program that finds the scores of FADE's, CE-Bench's, MUI's or measurement theory's report anew and holds them against it:
    /// `{text, file}`, the name under which to save it.
    pub fn numpy_script(&self) -> Result<JsValue, JsValue> {
        let text = self.opened.numpy_script().map_err(failure_error)?;
        let file = format!("{}_check.py", self.opened.name().replace('-', "_"));
        to_js(&object! { text, file })
    }

    /// Opens a reading of CE-Bench's: "v1_marked", "code_head", "readme" or "paper".
    pub fn open_reading(&mut self, name: &str) -> Result<(), JsValue> {
        self.downcast_mut::<ce_bench::StudyView>()?.select_reading(name).map_err(failure_error)
    }

    /// Opens a pair of CE-Bench's.
    pub fn open_pair(&mut self, at: usize) -> Result<(), JsValue> {
        self.downcast_mut::<ce_bench::StudyView>()?.select_pair(at).map_err(failure_error)
    }

    /// Takes what [`ce_bench_subject`] returns beside the run's own subjects.
    pub fn add_subject(&mut self, subject: JsValue) -> Result<(), JsValue> {
        let subject = from_js("subject", subject)?;
        self.downcast_mut::<ce_bench::StudyView>()?.add_subject(subject);
        Ok(())
    }

    /// Takes what [`ce_bench_subjects`] returns under another seed of the stories.
    pub fn add_seed(&mut self, seed: u32, subjects: JsValue) -> Result<(), JsValue> {
        let subjects = from_js("subjects", subjects)?;
        self.downcast_mut::<ce_bench::StudyView>()?.add_seed_scores(seed, subjects);
        Ok(())
    }
}
