//! Studies that are measured job by job, for whoever shares jobs out.

use js_sys::Function;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, report_progress, to_js};
use super::parameters::dispatch_study;
use crate::lab::{audit, synth};
use crate::papers::{measurement, mui};
use crate::study::{Study, StudyJobs};

/// A study whose settings and reports go through JavaScript.
trait JsStudy: StudyJobs<Settings: Serialize + DeserializeOwned> {}
impl<S: StudyJobs<Settings: Serialize + DeserializeOwned>> JsStudy for S {}

/// Does something with the study of that name.
macro_rules! dispatch_jobs {
    ($name:expr, $call:ident $arguments:tt) => {
        dispatch_study!(
            [mui::StudyView, measurement::StudyView, audit::StudyView, synth::StudyView],
            $name,
            $call $arguments
        )
    };
}

fn parse_settings<S: JsStudy>(settings: JsValue) -> Result<<S as Study>::Settings, JsValue> {
    from_js("settings", settings)
}

/// The jobs of a whole report, by name, in the order in which they should be done.
#[wasm_bindgen]
pub fn study_jobs(study: &str, settings: JsValue) -> Result<Vec<String>, JsValue> {
    fn names<S: JsStudy>(settings: JsValue) -> Result<Vec<String>, JsValue> {
        Ok(S::job_names(&parse_settings::<S>(settings)?))
    }
    dispatch_jobs!(study, names(settings))
}

/// A job by its name, also one that is not among those of a whole report: a `StudyJob`.
#[wasm_bindgen]
pub fn study_job(study: &str, settings: JsValue, name: &str) -> Result<JsValue, JsValue> {
    fn job<S: JsStudy>(settings: JsValue, name: &str) -> Result<JsValue, JsValue> {
        to_js(&S::job(&parse_settings::<S>(settings)?, name).map_err(failure_error)?)
    }
    dispatch_jobs!(study, job(settings, name))
}

/// A report in which nothing is measured yet.
#[wasm_bindgen]
pub fn study_empty_report(study: &str, settings: JsValue) -> Result<JsValue, JsValue> {
    fn empty<S: JsStudy>(settings: JsValue) -> Result<JsValue, JsValue> {
        to_js(&S::empty_report(parse_settings::<S>(settings)?))
    }
    dispatch_jobs!(study, empty(settings))
}

/// Measures a job, telling `on_progress(name, fraction)`: a report that holds nothing else. Blocks: for workers.
#[wasm_bindgen]
pub fn study_measure(study: &str, settings: JsValue, name: &str, on_progress: &Function) -> Result<JsValue, JsValue> {
    fn measure<S: JsStudy>(settings: JsValue, name: &str, on_progress: &Function) -> Result<JsValue, JsValue> {
        let mut tell = |fraction: f64| report_progress(on_progress, name, fraction);
        to_js(&S::measure(parse_settings::<S>(settings)?, name, &mut tell).map_err(failure_error)?)
    }
    dispatch_jobs!(study, measure(settings, name, on_progress))
}
