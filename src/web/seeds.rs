use wasm_bindgen::prelude::*;

use super::convert::{failure_error, parse_settings, to_js};
use crate::lab::ensemble::{EnsemblePlan, Member, Runner, check_seed_count, parse_seed_range};

/// A plan from settings and what varies: "model" or "model-and-data".
pub(super) fn build_plan(settings: &JsValue, varied: &str) -> Result<EnsemblePlan, JsValue> {
    let settings = parse_settings(settings).map_err(|problems| failure_error(&problems))?;
    Ok(EnsemblePlan::new(settings, varied.parse().map_err(|error| failure_error(&error))?))
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
        let plan = build_plan(&settings, varied)?;
        Ok(Self { runner: Runner::new(plan.clone()), plan })
    }

    /// The members from one seed up to, but not including, another (at most 2³²).
    pub fn members(&self, from: f64, to: f64) -> Result<JsValue, JsValue> {
        let seeds = parse_seed_range(from, to).map_err(|error| failure_error(&error))?;
        check_seed_count(&self.plan.config, &seeds).map_err(|error| failure_error(&error))?;
        let members: Result<Vec<Member>, _> = seeds.map(|seed| self.runner.run_member(seed)).collect();
        to_js(&members.map_err(|error| failure_error(&error))?)
    }
}
