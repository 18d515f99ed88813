//! Measurement theory: what is said of the fifteen metrics, and what of a measurement streams in.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::convert::{failure_error, from_js, report_progress, to_js};
use crate::object;
use crate::papers::measurement::attainable_range::cases_for_metric;
use crate::papers::measurement::circuit;
use crate::papers::measurement::claims::claims;
use crate::papers::measurement::metric::{Formula, METRICS, THRESHOLDS};
use crate::papers::measurement::settings::default_k_and_features;
use crate::papers::measurement::{MeasurementError, Settings};
use crate::study::Failure;
use crate::toy_model;

/// What is said of each metric where it was proposed: `[{about, formula, takes, top_k, n_features}]`: the fields
/// that it depends on, and two of them where nothing is said.
#[wasm_bindgen]
pub fn measure_metrics() -> Result<JsValue, JsValue> {
    let each = METRICS.iter().map(|about| {
        let (top_k, n_features) = default_k_and_features(about.id);
        let Formula { document, code } = about.formula;
        let formula = object! { metric: about.id, document, code };
        object! { about, formula, takes: about.takes, top_k, n_features }
    });
    to_js(&each.collect::<Vec<_>>())
}

/// What each limit of a metric can reach, built and measured: `[{metric, reading, kind, value, condition, holds, says, axes,
/// shows}]`.
#[wasm_bindgen]
pub fn measure_reached(metric: &str) -> Result<JsValue, JsValue> {
    let found = cases_for_metric(metric);
    to_js(&found.map_err(|error| failure_error(Failure::new(error.code(), &error, error.field())))?)
}

/// What the page claims: `[{metric, says, standing, found}]`.
#[wasm_bindgen]
pub fn measure_claims() -> Result<JsValue, JsValue> {
    to_js(&claims())
}

/// Every edge of the settings' checkpoint on their task, cut one by one: a `MeasureEdges`. `tell(stage, part)` hears how
/// far it is, from 0 to 1. Blocks: for workers.
#[wasm_bindgen]
pub fn measure_edges(settings: JsValue, tell: &Function) -> Result<JsValue, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    let thrown_failure = |error: MeasurementError| failure_error(Failure::new(error.code(), &error, None));
    let parameters = toy_model::load_parameters(&settings.checkpoint).map_err(|error| thrown_failure(error.into()))?;
    let mut hear = |part: f64| report_progress(tell, "edges", part);
    let cut = circuit::EdgeAblation::Mean;
    let found = circuit::measure_edges(&parameters, settings.task(), settings.n_prompts, cut, &mut hear);
    let found = found.map_err(thrown_failure)?;
    let edges = found.edges.iter().map(|one| {
        object! {
            from: one.edge.from.to_string(),
            to: one.edge.to.to_string(),
            input: one.edge.input,
            effect: one.effect,
            attribution: one.attribution,
        }
    });
    to_js(&object! {
        ld_mean: found.ld_mean,
        ld_empty: found.ld_empty,
        rank_correlation: found.rank_correlation,
        thresholds: THRESHOLDS,
        by_effect: &found.by_effect,
        edges: edges.collect::<Vec<_>>(),
    })
}
