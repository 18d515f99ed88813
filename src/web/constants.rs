//! Numbers that a page tells of, or begins with, and must not know by itself.

use wasm_bindgen::prelude::*;

use super::convert::{from_js, to_js};
use crate::object;
use crate::papers::sfc::codes::dropped_count;
use crate::papers::sfc::metric::ACTIVE_THRESHOLD;
use crate::papers::sfc::metric::completeness::PAPER_ROW_COUNT;
use crate::papers::sfc::metric::fidelity::COSINE_GUARD;
use crate::papers::sfc::metric::information::RATE_BINS;
use crate::papers::sfc::{ParetoView, Settings};
use crate::synthetic::{READOUT_SCALE, UserActivations};

/// The recipe's constants, the seed of own activations, and where the Pareto front is seen from at
/// first: `{cosine_guard, active_threshold, rate_bins, completeness_rows, readout_scale, own_seed, yaw,
/// pitch}`.
#[wasm_bindgen]
pub fn constants() -> Result<JsValue, JsValue> {
    let ParetoView { yaw, pitch, .. } = ParetoView::default();
    to_js(&object! {
        cosine_guard: COSINE_GUARD,
        active_threshold: ACTIVE_THRESHOLD,
        rate_bins: RATE_BINS,
        completeness_rows: PAPER_ROW_COUNT,
        readout_scale: READOUT_SCALE,
        own_seed: UserActivations::SEED_DEFAULT,
        yaw,
        pitch,
    })
}

/// How many codes each level of a run zeroes in every row.
#[wasm_bindgen]
pub fn zeroed_codes(settings: JsValue) -> Result<Vec<u32>, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    let zeroed = |level: &f64| dropped_count(*level, settings.k()) as u32;
    Ok(settings.levels().iter().map(zeroed).collect())
}
