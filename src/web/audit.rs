//! The audit: what its metrics are, and its jobs one by one, as a page streams them.

use wasm_bindgen::prelude::*;

use super::StudyHandle;
use super::convert::{failure_error, from_js, js_error, to_js};
use crate::lab::audit::{AccessLevel, MetricInfo, PackedReport, Registry, Report, StudyView, Table};
use crate::object;
use crate::study::Study as _;

/// Every metric, in its papers' order: `[{id, paper, name, says, better, needs, kind, condition, reach}]`.
#[wasm_bindgen]
pub fn audit_metrics() -> Result<JsValue, JsValue> {
    to_js(&Registry::all().metrics().iter().map(MetricInfo::from).collect::<Vec<_>>())
}

fn malformed_error(error: &dyn std::error::Error) -> JsValue {
    js_error("report.malformed", &format!("report: {error}"), None)
}

/// What a packed file begins with.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A report that was measured elsewhere: as the command line prints it, or packed as the site has it.
#[wasm_bindgen]
pub struct AuditFile {
    report: Report,
    machine: Option<String>,
    /// What is said of it, where that is known.
    table: Option<Table>,
}

#[wasm_bindgen]
impl AuditFile {
    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<AuditFile, JsValue> {
        if bytes.starts_with(&GZIP_MAGIC) {
            let packed = PackedReport::from_gzip_bytes(bytes).map_err(failure_error)?;
            let machine = Some(packed.machine.clone());
            return Ok(Self { report: packed.into_report().map_err(failure_error)?, machine, table: None });
        }
        let report = serde_json::from_slice(bytes).map_err(|error| malformed_error(&error))?;
        Ok(Self { report, machine: None, table: None })
    }

    /// What [`AuditFile::judged`] has made of a file in a worker.
    pub fn of_judged(bytes: &[u8]) -> Result<AuditFile, JsValue> {
        let read = rmp_serde::from_slice(bytes);
        let (report, machine, table) = read.map_err(|error| malformed_error(&error))?;
        Ok(Self { report, machine, table: Some(table) })
    }

    /// The report with what is said of it, which takes half a second of a large one; the file is used up. Blocks: for
    /// workers.
    pub fn judged(self) -> Result<Vec<u8>, JsValue> {
        let opened = StudyView::open(self.report).map_err(failure_error)?;
        let judged = (opened.report(), self.machine, opened.table());
        rmp_serde::to_vec_named(&judged).map_err(|error| malformed_error(&error))
    }

    /// The machine that it was made on, where the file says it.
    #[must_use]
    pub fn machine(&self) -> Option<String> {
        self.machine.clone()
    }

    /// What it took there, in seconds of one thread; 0 where the file does not say it.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.report.jobs.iter().map(|found| found.seconds).sum()
    }

    /// The report, opened; the file is used up.
    pub fn open(self) -> Result<StudyHandle, JsValue> {
        Ok(StudyHandle::new(match self.table {
            Some(table) => StudyView::with_table(self.report, table),
            None => StudyView::open(self.report).map_err(failure_error)?,
        }))
    }
}

#[wasm_bindgen(js_class = Study)]
impl StudyHandle {
    /// The audit's metric that is opened, and what is said of it: `{metric, entry}`; none where there is none.
    pub fn audit_entry(&self) -> Result<JsValue, JsValue> {
        let found = self.downcast::<StudyView>()?.opened_entry();
        to_js(&found.map(|(metric, entry)| object! { metric: MetricInfo::from(metric), entry }))
    }

    /// The settings of an audit's report.
    pub fn audit_settings(&self) -> Result<JsValue, JsValue> {
        to_js(&self.downcast::<StudyView>()?.report().settings)
    }

    /// Whether an audit is of a reader's own.
    pub fn audit_is_own(&self) -> Result<bool, JsValue> {
        Ok(self.downcast::<StudyView>()?.report().own.is_some())
    }

    /// The names of the jobs that an audit's report has.
    pub fn audit_there(&self) -> Result<Vec<String>, JsValue> {
        let jobs = &self.downcast::<StudyView>()?.report().jobs;
        Ok(jobs.iter().map(|found| found.job.clone()).collect())
    }

    /// Judges what an audit has measured by other settings; nothing is measured.
    pub fn audit_judge(&mut self, settings: JsValue) -> Result<(), JsValue> {
        let settings = from_js("settings", settings)?;
        self.downcast_mut::<StudyView>()?.apply_settings(settings);
        Ok(())
    }

    /// Takes a list of jobs of an audit, each as a report of [`study_measure`](super::jobs::study_measure) has it.
    pub fn audit_take(&mut self, found: JsValue) -> Result<(), JsValue> {
        let found = from_js("jobs", found)?;
        self.downcast_mut::<StudyView>()?.add_jobs(found);
        Ok(())
    }

    /// Which number to compare two autoencoders by: an `AuditAdvice`, for what somebody has ("activations", "model" or
    /// "judge") and so many seeds of each.
    pub fn audit_advice(&self, has: &str, seeds: u32) -> Result<JsValue, JsValue> {
        let has = match has {
            "activations" => AccessLevel::Activations,
            "model" => AccessLevel::Model,
            "judge" => AccessLevel::Judge,
            _ => {
                let message = format!("has = {has:?}; allowed: activations, model, judge");
                return Err(js_error("audit.has", &message, Some("has")));
            }
        };
        to_js(&self.downcast::<StudyView>()?.advice(has, seeds))
    }

    /// How many readings pass each test: an `AuditCounts`; null of a part, of a reader's own, and of the first edition.
    pub fn audit_counts(&self) -> Result<JsValue, JsValue> {
        to_js(&self.downcast::<StudyView>()?.pass_counts())
    }

    /// What the audit says of all metrics: `{entries, correlations, sensitivity}`.
    pub fn audit_table(&self) -> Result<JsValue, JsValue> {
        to_js(self.downcast::<StudyView>()?.table())
    }
}
