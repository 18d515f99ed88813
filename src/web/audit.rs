//! The audit: what its metrics are, and its jobs one by one, as a page streams them.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failed, from_js, thrown, to_js};
use crate::lab::audit::clock::seconds;
use crate::lab::audit::{Better, Job, Kind, Needs, Opened, Registry, Settings};
use crate::papers::measurement::metric::Condition;
use crate::papers::measurement::overview::Says;

/// Every metric, in its papers' order: `[{id, paper, name, says, better, needs, kind, condition}]`.
#[wasm_bindgen]
pub fn audit_metrics() -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Row {
        id: &'static str,
        paper: &'static str,
        name: &'static str,
        says: Says,
        better: Better,
        needs: Needs,
        kind: Kind,
        condition: Option<Condition>,
    }
    let registry = Registry::all();
    let rows = registry.metrics().iter().map(|metric| Row {
        id: metric.id,
        paper: metric.paper,
        name: metric.name,
        says: metric.says,
        better: metric.better,
        needs: metric.needs,
        kind: metric.kind(),
        condition: metric.condition,
    });
    to_js(&rows.collect::<Vec<_>>())
}

/// The jobs that settings ask for, by name, in the order in which they should be done.
#[wasm_bindgen]
pub fn audit_jobs(settings: JsValue) -> Result<Vec<String>, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    Ok(settings.jobs().into_iter().map(Job::name).collect())
}

/// The files that a job takes, by its name.
#[wasm_bindgen]
pub fn audit_job_needs(settings: JsValue, name: &str) -> Result<Vec<String>, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    Ok(named(&settings, name)?.needs().into_iter().map(str::to_owned).collect())
}

/// A job, done: its rows. Blocks: for workers.
#[wasm_bindgen]
pub fn audit_job(settings: JsValue, name: &str) -> Result<JsValue, JsValue> {
    let settings: Settings = from_js("settings", settings)?;
    let rows = named(&settings, name)?.measured(&Registry::all(), seconds).map_err(failed)?;
    to_js(&rows)
}

fn named(settings: &Settings, name: &str) -> Result<Job, JsValue> {
    Job::named(settings.preset, name).ok_or_else(|| {
        let message = format!("job = {name:?}; allowed: those that audit_jobs names");
        thrown("audit.job", &message, Some("name"))
    })
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// The id of the audit's metric that is opened; none where there is none.
    pub fn audit_opened(&self) -> Result<Option<String>, JsValue> {
        Ok(self.of::<Opened>()?.opened().map(str::to_owned))
    }

    /// The ids of the audit's metrics that are shown, in their order.
    pub fn audit_shown(&self) -> Result<Vec<String>, JsValue> {
        Ok(self.of::<Opened>()?.shown().into_iter().map(str::to_owned).collect())
    }

    /// What the audit says of all metrics: `{entries, correlations}`.
    pub fn audit_table(&self) -> Result<JsValue, JsValue> {
        to_js(self.of::<Opened>()?.table())
    }
}
