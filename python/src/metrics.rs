//! The metrics on somebody's own numbers.

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use std::rc::Rc;

use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::audit::{
    Decomposition, Ground, Measure, Metric, Registry, Said, Scored, Scores, World,
};
use sfc_bench::papers::sfc::metric::completeness::{RowSpace, completeness};
use sfc_bench::papers::sfc::metric::{fidelity, information, sparsity};
use sfc_bench::papers::sfc::simplex::Simplex;
use sfc_bench::pareto::{self, Objectives};
use sfc_bench::settings::MEMORY_CAP;
use sfc_bench::statistics::{MetricError, check, check_shape};
use sfc_bench::{CompletenessReading, FidelityMode, Matrix, Weights, linalg};

use crate::error::{Refusal, Result};
use crate::evaluate::autoencoder;
use crate::run::{beside, heard};
use crate::text::write;

/// Most points that the map of weights is divided among: it takes quadratic time.
const SIMPLEX_MAX: usize = 1_024;
/// The fewest rows that a metric of the registry is measured on.
const ROWS_MIN: usize = 16;

type Array2<'py> = PyReadonlyArray2<'py, f64>;

fn matrix(what: &'static str, array: &Array2<'_>) -> Result<Matrix> {
    let array = array.as_array();
    let made = Matrix::from_vec(array.nrows(), array.ncols(), array.iter().copied().collect());
    let matrix = made.map_err(MetricError::from).map_err(|error| named(what, error))?;
    check(what, &matrix).map_err(|error| named(what, error))?;
    Ok(matrix)
}

fn named(field: &str, error: MetricError) -> Refusal {
    Refusal::new(error.code(), &error, Some(field))
}

/// A result; one that is no number came of values too large to square.
fn finite(field: &str, found: std::result::Result<f64, MetricError>) -> Result<f64> {
    let value = found.map_err(|error| named(field, error))?;
    if value.is_finite() {
        return Ok(value);
    }
    Err(Refusal::value(field, "too large", "values whose squares have a finite sum"))
}

fn reading(word: &str) -> Result<CompletenessReading> {
    match word {
        "paper" => Ok(CompletenessReading::Paper),
        "total" => Ok(CompletenessReading::Total),
        _ => Err(Refusal::value("reading", format!("{word:?}"), "paper, total")),
    }
}

fn weighted([alpha, beta, gamma]: [f64; 3]) -> Result<Weights> {
    Weights::new(alpha, beta, gamma).map_err(|error| {
        let shown = format!("{alpha}, {beta}, {gamma}");
        let mut refusal = Refusal::value("weights", shown, error.allowed());
        refusal.say(&error.to_string());
        refusal
    })
}

fn points(array: &Array2<'_>) -> Result<Vec<Objectives>> {
    let array = array.as_array();
    if array.ncols() != 3 && array.nrows() > 0 {
        let found = format!("{} columns", array.ncols());
        return Err(Refusal::value("points", found, "three columns"));
    }
    Ok(array.rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect())
}

#[pyfunction(name = "sparsity")]
pub fn of_sparsity(py: Python<'_>, codes: Array2<'_>) -> PyResult<f64> {
    let codes = matrix("codes", &codes)?;
    beside(py, || finite("codes", sparsity(&codes)))
}

#[pyfunction(name = "fidelity")]
pub fn of_fidelity(
    py: Python<'_>,
    activations: Array2<'_>,
    reconstruction: Array2<'_>,
    mode: &str,
) -> PyResult<f64> {
    let mode = match mode {
        "cosine" => FidelityMode::Cosine,
        "r2" => FidelityMode::R2,
        "rel-mse" => FidelityMode::RelMse,
        _ => {
            let allowed = "cosine, r2, rel-mse";
            return Err(Refusal::value("mode", format!("{mode:?}"), allowed).into());
        }
    };
    let a = matrix("activations", &activations)?;
    let a_hat = matrix("reconstruction", &reconstruction)?;
    beside(py, || finite("reconstruction", fidelity::fidelity(mode, &a, &a_hat)))
}

#[pyfunction(name = "completeness")]
pub fn of_completeness(
    py: Python<'_>,
    activations: Array2<'_>,
    dictionary: Array2<'_>,
    readout: Array2<'_>,
    bias: Array2<'_>,
    reading_of: &str,
) -> PyResult<f64> {
    let reading = reading(reading_of)?;
    let a = matrix("activations", &activations)?;
    let dictionary = matrix("dictionary", &dictionary)?;
    let readout = matrix("readout", &readout)?;
    let bias = matrix("bias", &bias)?;
    beside(py, || {
        let fits = |what: &'static str, found: &Matrix, wanted| {
            check_shape(what, found, wanted).map_err(|error| named(what, error))
        };
        fits("dictionary", &dictionary, (dictionary.rows(), a.cols()))?;
        fits("readout", &readout, (readout.rows(), a.cols()))?;
        fits("bias", &bias, (1, readout.rows()))?;
        let space = RowSpace::of(&dictionary).map_err(|error| named("dictionary", error))?;
        let projected = space.project(&a).map_err(|error| named("activations", error))?;
        let across = readout.transposed();
        let outputs = |a: &Matrix| {
            let mut out = linalg::product(a, &across);
            for row in out.data_mut().chunks_exact_mut(bias.cols()) {
                row.iter_mut().zip(bias.data()).for_each(|(value, bias)| *value += bias);
            }
            out
        };
        finite("activations", completeness(reading, &outputs(&a), &outputs(&projected)))
    })
}

#[pyfunction]
pub fn completeness_of_outputs(
    py: Python<'_>,
    outputs: Array2<'_>,
    projected: Array2<'_>,
    reading_of: &str,
) -> PyResult<f64> {
    let reading = reading(reading_of)?;
    let (outputs, projected) = (matrix("outputs", &outputs)?, matrix("projected", &projected)?);
    beside(py, || finite("outputs", completeness(reading, &outputs, &projected)))
}

#[pyfunction]
pub fn rate(py: Python<'_>, codes: Array2<'_>, bins: usize) -> PyResult<f64> {
    if !(2..=65_536).contains(&bins) {
        let allowed = "a whole number from 2 to 65536";
        return Err(Refusal::value("bins", bins.to_string(), allowed).into());
    }
    let codes = matrix("codes", &codes)?;
    beside(py, || finite("codes", information::rate(&codes, bins)))
}

#[pyfunction]
pub fn distortion(
    py: Python<'_>,
    activations: Array2<'_>,
    reconstruction: Array2<'_>,
) -> PyResult<f64> {
    let a = matrix("activations", &activations)?;
    let a_hat = matrix("reconstruction", &reconstruction)?;
    beside(py, || finite("reconstruction", information::distortion(&a, &a_hat)))
}

#[pyfunction]
pub fn relevance(py: Python<'_>, codes: Array2<'_>, outputs: Array2<'_>) -> PyResult<f64> {
    let (codes, outputs) = (matrix("codes", &codes)?, matrix("outputs", &outputs)?);
    beside(py, || finite("codes", information::relevance(&codes, &outputs)))
}

#[pyfunction]
pub fn score(axes: [f64; 3], weights: [f64; 3]) -> PyResult<f64> {
    let [s, f, c] = axes;
    if axes.into_iter().any(f64::is_nan) {
        return Err(Refusal::value("axes", "NaN", "numbers").into());
    }
    Ok(finite("axes", Ok(weighted(weights)?.sfc(s, f, c)))?)
}

#[pyfunction]
pub fn hypervolume(py: Python<'_>, points_of: Array2<'_>, reference: [f64; 3]) -> PyResult<String> {
    let points = points(&points_of)?;
    beside(py, || write(&pareto::hypervolume(&points, reference)?))
}

#[pyfunction]
pub fn front(py: Python<'_>, points_of: Array2<'_>, tolerance: f64) -> PyResult<Vec<usize>> {
    let points = points(&points_of)?;
    beside(py, || Ok(pareto::front(&points, tolerance)?.into_iter().collect()))
}

#[pyfunction]
pub fn dominates(first: [f64; 3], second: [f64; 3], tolerance: f64) -> PyResult<bool> {
    for (field, point) in [("first", first), ("second", second)] {
        if let Some(value) = point.into_iter().find(|value| !value.is_finite()) {
            return Err(Refusal::value(field, value.to_string(), "finite numbers").into());
        }
    }
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        let allowed = "a finite number, 0 or more";
        return Err(Refusal::value("tolerance", tolerance.to_string(), allowed).into());
    }
    Ok(pareto::dominates(first, second, tolerance))
}

#[pyfunction]
pub fn simplex(py: Python<'_>, points_of: Array2<'_>, weights: [f64; 3]) -> PyResult<String> {
    let (points, weights) = (points(&points_of)?, weighted(weights)?);
    if points.len() > SIMPLEX_MAX {
        let allowed = format!("at most {SIMPLEX_MAX} points");
        return Err(Refusal::value("points", points.len().to_string(), allowed).into());
    }
    if let Some(value) = points.iter().flatten().find(|value| !value.is_finite()) {
        return Err(Refusal::value("points", value.to_string(), "finite numbers").into());
    }
    beside(py, || write(&Simplex::new(&points).divided(weights)))
}

/// Every metric of the registry, without how it is computed.
#[pyfunction]
pub fn registry() -> PyResult<String> {
    Ok(write(&Registry::all().metrics().iter().map(Said::from).collect::<Vec<_>>())?)
}

/// The metrics of these ids; of none, all of those that `takes` holds of.
fn wanted(ids: Option<&[String]>, kind: &str, takes: fn(&Metric) -> bool) -> Result<Vec<Metric>> {
    let registry = Registry::all();
    let Some(ids) = ids else {
        return Ok(registry.metrics().iter().copied().filter(takes).collect());
    };
    let of = |id: &String| match registry.named(id) {
        Some(metric) if takes(metric) => Ok(*metric),
        _ => {
            let takes = registry.metrics().iter().filter(|metric| takes(metric));
            let all: Vec<&str> = takes.map(|metric| metric.id).collect();
            let mut refusal = Refusal::value("metrics", format!("{id:?}"), all.join(", "));
            refusal.say(&format!("there is no metric {id:?} of {kind}"));
            Err(refusal)
        }
    };
    ids.iter().map(of).collect()
}

/// What metrics of the registry say of an autoencoder at rows of activations: `{id: value or null}`.
#[pyfunction]
#[pyo3(signature = (activations, files, config, weights, ids = None, tell = None))]
pub fn measure_decomposition(
    py: Python<'_>,
    activations: Array2<'_>,
    files: &Bound<'_, PyDict>,
    config: &str,
    weights: &str,
    ids: Option<Vec<String>>,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let takes = |metric: &Metric| matches!(metric.measure, Measure::Decomposition(_));
    let metrics = wanted(ids.as_deref(), "decompositions", takes)?;
    let rows = matrix("activations", &activations)?;
    if rows.rows() < ROWS_MIN {
        let allowed = format!("{ROWS_MIN} rows or more");
        return Err(Refusal::value("activations", format!("{} rows", rows.rows()), allowed).into());
    }
    let weights = autoencoder(files, config, weights, MEMORY_CAP)?;
    heard(py, tell, |listener| {
        let ground = Rc::new(Ground { cycles: 40, ..Ground::of(World::Own, 0, rows) });
        let subject = Decomposition::new(ground, weights, seconds)?;
        let mut found = Map::new();
        for (at, metric) in metrics.iter().enumerate() {
            listener.hear(metric.name, at as f64 / metrics.len() as f64);
            if let Measure::Decomposition(measure) = metric.measure {
                found.insert(metric.id.to_owned(), number(measure(&subject)?));
            }
        }
        write(&found)
    })
}

fn number(value: Option<f64>) -> Value {
    value.map_or(Value::Null, Value::from)
}

/// What metrics of the registry say of another metric's scores: of two groups of prompts, or run by run.
#[pyfunction]
#[pyo3(signature = (groups = None, better = None, other = None, prompts = None, ids = None))]
pub fn measure_scores(
    py: Python<'_>,
    groups: Option<[PyReadonlyArray1<'_, f64>; 2]>,
    better: Option<Array2<'_>>,
    other: Option<Array2<'_>>,
    prompts: Option<Vec<Vec<usize>>>,
    ids: Option<Vec<String>>,
) -> PyResult<String> {
    let takes = |metric: &Metric| matches!(metric.measure, Measure::Scores(_));
    let metrics = wanted(ids.as_deref(), "scores", takes)?;
    let rows = |what, array: &Array2<'_>| -> Result<Vec<Vec<f64>>> {
        Ok(matrix(what, array)?.iter_rows().map(<[f64]>::to_vec).collect())
    };
    let said = match (groups, better, other) {
        (Some(groups), None, None) => {
            Scored::Groups(groups.map(|group| group.as_array().iter().copied().collect()))
        }
        (None, Some(better), Some(other)) => {
            let (better, other) = (rows("better", &better)?, rows("other", &other)?);
            let all = || better.iter().map(|run| (0..run.len()).collect()).collect();
            let prompts: Vec<Vec<usize>> = prompts.unwrap_or_else(all);
            Scored::Runs { better, other, prompts }
        }
        _ => {
            let allowed = "either groups, or better and other";
            return Err(Refusal::value("scores", "neither or both", allowed).into());
        }
    };
    beside(py, || {
        let scores = Scores::new(said, seconds);
        let mut found = Map::new();
        for metric in &metrics {
            if let Measure::Scores(measure) = metric.measure {
                found.insert(metric.id.to_owned(), number(measure(&scores)?));
            }
        }
        write(&found)
    })
}
