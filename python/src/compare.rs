//! Several decompositions side by side, and autoencoders trained on somebody's own activations.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::{Map, Value};
use sfc_bench::lab::own::{Decompositions, Request, WorldRequest};
use sfc_bench::sae::train::{Family, TRAIN_K, TrainConfig, Trainer, sae_lens};
use sfc_bench::settings::MEMORY_CAP;

use crate::error::{Refusal, Result};
use crate::evaluate::{Given, check_words, sources};
use crate::run::{heard, pool};
use crate::text::{pretty, read};

/// A decomposition: its name, a request as `evaluate` takes it, files in memory, and notes on it.
type Member<'py> = (String, String, Bound<'py, PyDict>, Vec<String>);

/// Scores what requests of the same rows name, and controls of each by a seed, where there is one: the report as the
/// command line prints it.
#[pyfunction]
#[pyo3(signature = (members, seed = None, tell = None, threads = None))]
pub fn compare(
    py: Python<'_>,
    members: Vec<Member<'_>>,
    seed: Option<u32>,
    tell: Option<Py<PyAny>>,
    threads: Option<usize>,
) -> PyResult<String> {
    let mut given = Vec::new();
    for (name, request, files, notes) in members {
        given.push((name, request, sources(&files)?, notes));
    }
    let pool = pool(threads)?;
    heard(py, tell, |listener| {
        let mut work = || -> Result<String> {
            let count = given.len().max(1) as f64;
            let mut comparison: Option<Decompositions> = None;
            let mut all = Vec::new();
            for (at, (name, request, held, notes)) in given.iter().enumerate() {
                check_words(request)?;
                let request: Request = read("request", request)?;
                let comparison =
                    comparison.get_or_insert_with(|| Decompositions::new(request.options, seed));
                let files = Given::of(held, request.options.memory);
                let plan = request.among_others(&files)?;
                comparison.add(name, plan, &mut |row, _, share| {
                    listener.hear(row, ((at as f64 + share) / count).min(0.999));
                })?;
                all.extend(notes.iter().map(|note| format!("{name}: {note}")));
            }
            let none = || Refusal::value("decompositions", "none", "one or more");
            let mut found = comparison.ok_or_else(none)?.finish()?;
            found.notes.extend(all);
            pretty(&found)
        };
        pool.install(&mut work)
    })
}

/// A family's settings with those that are given.
fn settings(asked: &str) -> Result<TrainConfig> {
    let asked: Map<String, Value> = read("settings", asked)?;
    let family: Family = match asked.get("family") {
        Some(Value::String(name)) => name.parse()?,
        _ => Family::TopK,
    };
    let json = |error| Refusal::json("settings", &error);
    // As on the command line.
    let usual = TrainConfig { k: TRAIN_K, ..TrainConfig::of(family) };
    let Ok(Value::Object(mut all)) = serde_json::to_value(usual) else {
        return Err(Refusal::value("family", family.name(), "a family with settings"));
    };
    all.extend(asked);
    let config: TrainConfig = read("settings", &serde_json::to_string(&all).map_err(json)?)?;
    config.check()?;
    Ok(config)
}

/// Steps between two words on how far it is.
const STRIDE: u32 = 8;

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
    let given = sources(files)?;
    let pool = pool(threads)?;
    let (made, metrics) = heard(py, tell, |listener| {
        let mut work = || -> Result<_> {
            let config = settings(asked)?;
            let request: WorldRequest = read("request", request)?;
            let files = Given::of(&given, MEMORY_CAP);
            let (_, sample, _) = request.rows(&files)?.training(request.seed, rows, false)?;
            let steps = config.steps;
            let mut trainer = Trainer::new(config, &sample.activations)?;
            while trainer.metrics().step < steps {
                let step = trainer.metrics().step;
                trainer.step(STRIDE.min(steps - step))?;
                listener.hear("training", (f64::from(step) / f64::from(steps)).min(0.999));
            }
            let metrics = pretty(&trainer.metrics())?;
            Ok((sae_lens(&trainer.autoencoder().unscaled(sample.scale))?, metrics))
        };
        pool.install(&mut work)
    })?;
    let out = PyDict::new(py);
    for file in &made {
        out.set_item(file.name, PyBytes::new(py, &file.bytes))?;
    }
    Ok((out, metrics))
}
