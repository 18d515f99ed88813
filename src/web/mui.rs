//! The Model Utilization Index: its claims, and what of a measurement streams in.

use wasm_bindgen::prelude::*;

use super::convert::{failed, from_js, thrown, to_js};
use crate::papers::mui::claims::claims;
use crate::papers::mui::experiment::{Experiment, Experiments, experiment};
use crate::papers::mui::{Settings, measure};

/// What the paper claims of its tables, and whether they say it: `[claim]`, in the paper's order.
#[wasm_bindgen]
pub fn mui_claims() -> Result<JsValue, JsValue> {
    to_js(&claims())
}

/// Every task's index at a checkpoint, by its name, in the place of that of the settings. Blocks: for workers.
#[wasm_bindgen]
pub fn mui_checkpoint(settings: JsValue, checkpoint: &str) -> Result<JsValue, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    to_js(&measure::checkpoint(&settings, checkpoint).map_err(|error| failed(&error))?)
}

/// How the index of the settings' checkpoint grows with the number of answers. Blocks: for workers.
#[wasm_bindgen]
pub fn mui_growth(settings: JsValue) -> Result<JsValue, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    to_js(&measure::growth(&settings).map_err(|error| failed(&error))?)
}

/// One of the experiments on the little model, by its name, under some settings: `MuiExperiments` with it alone.
/// Blocks: for workers.
#[wasm_bindgen]
pub fn mui_experiment(settings: JsValue, name: &str) -> Result<JsValue, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    let which = named(name)?;
    to_js(&experiment(&settings, which).map_err(|error| failed(&error))?)
}

/// The files that an experiment takes, by its name.
#[wasm_bindgen]
pub fn mui_experiment_needs(settings: JsValue, name: &str) -> Result<Vec<String>, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    Ok(named(name)?.needs(&settings))
}

/// What the experiments that were done say of the paper's claims: `[judgement]`, in the page's order.
#[wasm_bindgen]
pub fn mui_judgements(experiments: JsValue) -> Result<JsValue, JsValue> {
    let experiments: Experiments = from_js("experiments", experiments)?;
    to_js(&experiments.judgements())
}

fn named(name: &str) -> Result<Experiment, JsValue> {
    Experiment::named(name).ok_or_else(|| {
        let names = Experiment::ALL.map(Experiment::name).join(", ");
        thrown("mui.experiment", &format!("experiment = {name:?}; allowed: {names}"), None)
    })
}
