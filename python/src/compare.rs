//! Several decompositions side by side, and autoencoders trained on somebody's own activations.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::{Map, Value};
use sfc_bench::lab::evaluate::{DecompositionComparison, Request, WorldRequest};
use sfc_bench::sae::train::{Family, TRAIN_K_DEFAULT, TrainConfig, Trainer, to_sae_lens};
use sfc_bench::settings::MEMORY_CAP;

use crate::error::{Refusal, Result};
use crate::evaluate::{PythonFiles, check_choices, read_python_files};
use crate::run::{run_with_progress, thread_pool};
use crate::text::{read_json, write_pretty_json};

/// A decomposition: its name, a request as `evaluate` takes it, files in memory, and notes on it.
type DecompositionRequest<'py> = (String, String, Bound<'py, PyDict>, Vec<String>);

/// Scores what requests of the same rows name, and controls of each by a seed, where there is one: the report as the
/// command line prints it.
#[pyfunction]
#[pyo3(signature = (members, seed = None, tell = None, threads = None))]
pub fn compare(
    py: Python<'_>,
    members: Vec<DecompositionRequest<'_>>,
    seed: Option<u32>,
    tell: Option<Py<PyAny>>,
    threads: Option<usize>,
) -> PyResult<String> {
    let mut given = Vec::new();
    for (name, request, files, notes) in members {
        given.push((name, request, read_python_files(&files)?, notes));
    }
    let pool = thread_pool(threads)?;
    run_with_progress(py, tell, |listener| {
        let mut work = || -> Result<String> {
            let count = given.len().max(1) as f64;
            let mut comparison: Option<DecompositionComparison> = None;
            let mut all = Vec::new();
            for (at, (name, request, held, notes)) in given.iter().enumerate() {
                check_choices(request)?;
                let request: Request = read_json("request", request)?;
                let comparison = comparison.get_or_insert_with(|| DecompositionComparison::new(request.options, seed));
                let files = PythonFiles::new(held, request.options.memory);
                let plan = request.plan_for_comparison(&files)?;
                comparison.add_decomposition(name, plan, &mut |row, _, share| {
                    listener.report(row, ((at as f64 + share) / count).min(0.999));
                })?;
                all.extend(notes.iter().map(|note| format!("{name}: {note}")));
            }
            let none = || Refusal::invalid_value("decompositions", "none", "one or more");
            let mut found = comparison.ok_or_else(none)?.finish()?;
            found.notes.extend(all);
            write_pretty_json(&found)
        };
        pool.install(&mut work)
    })
}

/// A family's settings with those that are given.
fn parse_train_config(asked: &str) -> Result<TrainConfig> {
    let asked: Map<String, Value> = read_json("settings", asked)?;
    let family: Family = match asked.get("family") {
        Some(Value::String(name)) => name.parse()?,
        _ => Family::TopK,
    };
    let json = |error| Refusal::invalid_json("settings", &error);
    // As on the command line.
    let usual = TrainConfig { k: TRAIN_K_DEFAULT, ..TrainConfig::for_family(family) };
    let Ok(Value::Object(mut all)) = serde_json::to_value(usual) else {
        return Err(Refusal::invalid_value("family", family.name(), "a family with settings"));
    };
    all.extend(asked);
    let config: TrainConfig = read_json("settings", &serde_json::to_string(&all).map_err(json)?)?;
    config.check()?;
    Ok(config)
}

/// Steps between two words on how far it is.
const STEPS_PER_PROGRESS_REPORT: u32 = 8;

/// Trains an autoencoder on rows that a request names, as the command line does: the bytes of the folder's files by their
/// names, and what the last step came to.
#[pyfunction]
#[pyo3(signature = (request, files, asked, rows, tell = None, threads = None))]
pub fn train<'py>(
    py: Python<'py>,
    request: &str,
    files: &Bound<'py, PyDict>,
    asked: &str,
    rows: usize,
    tell: Option<Py<PyAny>>,
    threads: Option<usize>,
) -> PyResult<(Bound<'py, PyDict>, String)> {
    let given = read_python_files(files)?;
    let pool = thread_pool(threads)?;
    let (made, metrics) = run_with_progress(py, tell, |listener| {
        let mut work = || -> Result<_> {
            let config = parse_train_config(asked)?;
            let request: WorldRequest = read_json("request", request)?;
            let files = PythonFiles::new(&given, MEMORY_CAP);
            let (_, sample, _) = request.open_rows(&files)?.training_split(request.seed, rows, false)?;
            let steps = config.steps;
            let mut trainer = Trainer::new(config, &sample.activations)?;
            while trainer.metrics().step < steps {
                let step = trainer.metrics().step;
                trainer.step(STEPS_PER_PROGRESS_REPORT.min(steps - step))?;
                listener.report("training", (f64::from(step) / f64::from(steps)).min(0.999));
            }
            let metrics = write_pretty_json(&trainer.metrics())?;
            Ok((to_sae_lens(&trainer.autoencoder().unscale(sample.scale))?, metrics))
        };
        pool.install(&mut work)
    })?;
    let out = PyDict::new(py);
    for file in &made {
        out.set_item(file.name, PyBytes::new(py, &file.bytes))?;
    }
    Ok((out, metrics))
}
