//! SynthSAEBench: its jobs one by one, as a page streams them.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::convert::{failed, from_js, thrown, to_js};
use crate::lab::audit::clock::seconds;
use crate::lab::synth::{Job, JobFound, Report, Settings};

/// The jobs that settings ask for, by name, in the order in which they should be done.
#[wasm_bindgen]
pub fn synth_jobs(settings: JsValue) -> Result<Vec<String>, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    Ok(settings.jobs().into_iter().map(Job::name).collect())
}

/// A training with its measurement: a `SynthJob`. Tells `on_progress("training", fraction)`. Blocks: for workers.
#[wasm_bindgen]
pub fn synth_job(
    settings: JsValue,
    name: &str,
    on_progress: &Function,
) -> Result<JsValue, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    let job = settings.jobs().into_iter().find(|job| job.name() == name).ok_or_else(|| {
        let message = format!("job = {name:?}; allowed: those that synth_jobs names");
        thrown("synth.job", &message, Some("name"))
    })?;
    let began = seconds();
    let mut tell = |fraction: f64| {
        // A listener that throws has no say in the result.
        let _ = on_progress.call2(&JsValue::NULL, &"training".into(), &fraction.into());
    };
    let found = job.run(&settings, &mut tell).map_err(failed)?;
    to_js(&JobFound { seconds: seconds() - began, ..found })
}

/// The run of the usual settings that is shipped: a `SynthReport`.
#[wasm_bindgen]
pub fn synth_shipped() -> Result<JsValue, JsValue> {
    to_js(&Report::shipped().map_err(failed)?)
}
