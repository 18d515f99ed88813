//! The Model Utilization Index: its claims, and what of a measurement streams in.

use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failed, from_js, to_js};
use crate::papers::mui::claims::claims;
use crate::papers::mui::{self, Settings, measure};

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

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// Takes what [`mui_checkpoint`] returns.
    pub fn add_checkpoint(&mut self, found: JsValue) -> Result<(), JsValue> {
        let found = from_js("checkpoint", found)?;
        self.of_mut::<mui::Opened>()?.add(found);
        Ok(())
    }

    /// Takes what [`mui_growth`] returns.
    pub fn set_growth(&mut self, found: JsValue) -> Result<(), JsValue> {
        let found = from_js("growth", found)?;
        self.of_mut::<mui::Opened>()?.set_growth(found);
        Ok(())
    }
}
