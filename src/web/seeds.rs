use wasm_bindgen::prelude::*;

use super::convert::{failed, settings_from, to_js};
use crate::lab::ensemble::{EnsemblePlan, Member, Runner, check_seeds, seeds_between};

/// A plan from settings and what varies: "model" or "model-and-data".
pub(super) fn plan(settings: &JsValue, varied: &str) -> Result<EnsemblePlan, JsValue> {
    let settings = settings_from(settings).map_err(|problems| failed(&problems))?;
    Ok(EnsemblePlan::new(settings, varied.parse().map_err(|error| failed(&error))?))
}

/// Runs seeds of one plan; what they share is computed once. Blocks: for workers.
#[wasm_bindgen]
pub struct SeedRunner {
    plan: EnsemblePlan,
    runner: Runner,
}

#[wasm_bindgen]
impl SeedRunner {
    /// Takes settings and which seeds vary: "model" or "model-and-data".
    #[wasm_bindgen(constructor)]
    pub fn new(settings: JsValue, varied: &str) -> Result<Self, JsValue> {
        let plan = plan(&settings, varied)?;
        Ok(Self { runner: Runner::new(plan.clone()), plan })
    }

    /// The members from one seed up to, but not including, another (at most 2³²).
    pub fn members(&self, from: f64, to: f64) -> Result<JsValue, JsValue> {
        let seeds = seeds_between(from, to).map_err(|error| failed(&error))?;
        check_seeds(&self.plan.config, &seeds).map_err(|error| failed(&error))?;
        let members: Result<Vec<Member>, _> = seeds.map(|seed| self.runner.member(seed)).collect();
        to_js(&members.map_err(|error| failed(&error))?)
    }
}
