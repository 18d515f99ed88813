//! The metrics on somebody's own numbers.

use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sfc_bench::papers::sfc::metric::completeness::{RowSpace, completeness};
use sfc_bench::papers::sfc::metric::{fidelity, information, sparsity};
use sfc_bench::papers::sfc::simplex::Simplex;
use sfc_bench::pareto::{self, Objectives};
use sfc_bench::statistics::{MetricError, check_matrix, check_shape};
use sfc_bench::synthetic::Readout;
use sfc_bench::{CompletenessReading, FidelityMode, Matrix, Weights};

use crate::error::{Refusal, Result};
use crate::run::run_detached;
use crate::text::write_json;

/// Most points that the map of weights is divided among: it takes quadratic time.
const SIMPLEX_POINTS_MAX: usize = 1_024;

pub type PyMatrix<'py> = PyReadonlyArray2<'py, f64>;

/// An array of two dimensions, of numbers that are finite.
pub fn read_matrix(what: &'static str, array: &PyMatrix<'_>) -> Result<Matrix> {
    let array = array.as_array();
    let made = Matrix::from_vec(array.nrows(), array.ncols(), array.iter().copied().collect());
    let matrix = made.map_err(MetricError::from).map_err(|error| metric_error(what, error))?;
    check_matrix(what, &matrix).map_err(|error| metric_error(what, error))?;
    Ok(matrix)
}

fn metric_error(field: &str, error: MetricError) -> Refusal {
    Refusal::new(error.code(), &error, Some(field))
}

/// A result; one that is no number came of values too large to square.
fn check_finite(field: &str, found: std::result::Result<f64, MetricError>) -> Result<f64> {
    let value = found.map_err(|error| metric_error(field, error))?;
    if value.is_finite() {
        return Ok(value);
    }
    Err(Refusal::invalid_value(field, "too large", "values whose squares have a finite sum"))
}

fn parse_completeness_reading(word: &str) -> Result<CompletenessReading> {
    match word {
        "paper" => Ok(CompletenessReading::Paper),
        "total" => Ok(CompletenessReading::Total),
        _ => Err(Refusal::invalid_value("reading", format!("{word:?}"), "paper, total")),
    }
}

fn parse_weights([alpha, beta, gamma]: [f64; 3]) -> Result<Weights> {
    Weights::new(alpha, beta, gamma).map_err(|error| {
        let shown = format!("{alpha}, {beta}, {gamma}");
        let mut refusal = Refusal::invalid_value("weights", shown, error.allowed());
        refusal.set_message(&error.to_string());
        refusal
    })
}

fn read_points(array: &PyMatrix<'_>) -> Result<Vec<Objectives>> {
    let array = array.as_array();
    if array.ncols() != 3 && array.nrows() > 0 {
        let found = format!("{} columns", array.ncols());
        return Err(Refusal::invalid_value("points", found, "three columns"));
    }
    Ok(array.rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect())
}

#[pyfunction(name = "sparsity")]
pub fn of_sparsity(py: Python<'_>, codes: PyMatrix<'_>) -> PyResult<f64> {
    let codes = read_matrix("codes", &codes)?;
    run_detached(py, || check_finite("codes", sparsity(&codes)))
}

#[pyfunction(name = "fidelity")]
pub fn of_fidelity(
    py: Python<'_>,
    activations: PyMatrix<'_>,
    reconstruction: PyMatrix<'_>,
    mode: &str,
) -> PyResult<f64> {
    let mode = match mode {
        "cosine" => FidelityMode::Cosine,
        "r2" => FidelityMode::R2,
        "rel-mse" => FidelityMode::RelMse,
        _ => {
            let allowed = "cosine, r2, rel-mse";
            return Err(Refusal::invalid_value("mode", format!("{mode:?}"), allowed).into());
        }
    };
    let a = read_matrix("activations", &activations)?;
    let a_hat = read_matrix("reconstruction", &reconstruction)?;
    run_detached(py, || check_finite("reconstruction", fidelity::fidelity(mode, &a, &a_hat)))
}

#[pyfunction(name = "completeness")]
pub fn of_completeness(
    py: Python<'_>,
    activations: PyMatrix<'_>,
    dictionary: PyMatrix<'_>,
    readout: PyMatrix<'_>,
    bias: PyMatrix<'_>,
    reading_of: &str,
) -> PyResult<f64> {
    let reading = parse_completeness_reading(reading_of)?;
    let a = read_matrix("activations", &activations)?;
    let dictionary = read_matrix("dictionary", &dictionary)?;
    let readout = read_matrix("readout", &readout)?;
    let bias = read_matrix("bias", &bias)?;
    run_detached(py, || {
        let fits = |what: &'static str, found: &Matrix, wanted| {
            check_shape(what, found, wanted).map_err(|error| metric_error(what, error))
        };
        fits("dictionary", &dictionary, (dictionary.rows(), a.cols()))?;
        fits("readout", &readout, (readout.rows(), a.cols()))?;
        fits("bias", &bias, (1, readout.rows()))?;
        let space = RowSpace::from_dictionary(&dictionary).map_err(|error| metric_error("dictionary", error))?;
        let projected = space.project(&a).map_err(|error| metric_error("activations", error))?;
        let readout = Readout::Affine { weights: readout, bias: bias.data().to_vec() };
        let outputs = |a| readout.outputs(a).map_err(|error| metric_error("activations", error));
        check_finite("activations", completeness(reading, &outputs(&a)?, &outputs(&projected)?))
    })
}

#[pyfunction]
pub fn completeness_of_outputs(
    py: Python<'_>,
    outputs: PyMatrix<'_>,
    projected: PyMatrix<'_>,
    reading_of: &str,
) -> PyResult<f64> {
    let reading = parse_completeness_reading(reading_of)?;
    let (outputs, projected) = (read_matrix("outputs", &outputs)?, read_matrix("projected", &projected)?);
    run_detached(py, || check_finite("outputs", completeness(reading, &outputs, &projected)))
}

#[pyfunction]
pub fn rate(py: Python<'_>, codes: PyMatrix<'_>, bins: usize) -> PyResult<f64> {
    if !(2..=65_536).contains(&bins) {
        let allowed = "a whole number from 2 to 65536";
        return Err(Refusal::invalid_value("bins", bins.to_string(), allowed).into());
    }
    let codes = read_matrix("codes", &codes)?;
    run_detached(py, || check_finite("codes", information::rate(&codes, bins)))
}

#[pyfunction]
pub fn distortion(py: Python<'_>, activations: PyMatrix<'_>, reconstruction: PyMatrix<'_>) -> PyResult<f64> {
    let a = read_matrix("activations", &activations)?;
    let a_hat = read_matrix("reconstruction", &reconstruction)?;
    run_detached(py, || check_finite("reconstruction", information::distortion(&a, &a_hat)))
}

#[pyfunction]
pub fn relevance(py: Python<'_>, codes: PyMatrix<'_>, outputs: PyMatrix<'_>) -> PyResult<f64> {
    let (codes, outputs) = (read_matrix("codes", &codes)?, read_matrix("outputs", &outputs)?);
    run_detached(py, || check_finite("codes", information::relevance(&codes, &outputs)))
}

#[pyfunction]
pub fn score(axes: [f64; 3], weights: [f64; 3]) -> PyResult<f64> {
    let [s, f, c] = axes;
    if axes.into_iter().any(f64::is_nan) {
        return Err(Refusal::invalid_value("axes", "NaN", "numbers").into());
    }
    Ok(check_finite("axes", Ok(parse_weights(weights)?.sfc(s, f, c)))?)
}

#[pyfunction]
pub fn hypervolume(py: Python<'_>, points_of: PyMatrix<'_>, reference: [f64; 3]) -> PyResult<String> {
    let points = read_points(&points_of)?;
    run_detached(py, || write_json(&pareto::hypervolume(&points, reference)?))
}

#[pyfunction]
pub fn front(py: Python<'_>, points_of: PyMatrix<'_>, tolerance: f64) -> PyResult<Vec<usize>> {
    let points = read_points(&points_of)?;
    run_detached(py, || Ok(pareto::front(&points, tolerance)?.into_iter().collect()))
}

#[pyfunction]
pub fn dominates(first: [f64; 3], second: [f64; 3], tolerance: f64) -> PyResult<bool> {
    for (field, point) in [("first", first), ("second", second)] {
        if let Some(value) = point.into_iter().find(|value| !value.is_finite()) {
            return Err(Refusal::invalid_value(field, value.to_string(), "finite numbers").into());
        }
    }
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        let allowed = "a finite number, 0 or more";
        return Err(Refusal::invalid_value("tolerance", tolerance.to_string(), allowed).into());
    }
    Ok(pareto::dominates(first, second, tolerance))
}

#[pyfunction]
pub fn simplex(py: Python<'_>, points_of: PyMatrix<'_>, weights: [f64; 3]) -> PyResult<String> {
    let (points, weights) = (read_points(&points_of)?, parse_weights(weights)?);
    if points.len() > SIMPLEX_POINTS_MAX {
        let allowed = format!("at most {SIMPLEX_POINTS_MAX} points");
        return Err(Refusal::invalid_value("points", points.len().to_string(), allowed).into());
    }
    if let Some(value) = points.iter().flatten().find(|value| !value.is_finite()) {
        return Err(Refusal::invalid_value("points", value.to_string(), "finite numbers").into());
    }
    run_detached(py, || write_json(&Simplex::new(&points).view_from(weights)))
}
