//! The metrics on somebody's own numbers, for those who use the page's code as a package.
//!
//! A matrix arrives as `{data, rows, cols}`, `data` a `Float64Array` row by row. Whatever else
//! arrives is thrown back as a [`Problem`] with the argument's name in `field`, before any of it is
//! kept: a call that was refused leaves the instance as it was.

use js_sys::{Float64Array, Reflect};
use wasm_bindgen::prelude::*;

use super::convert::to_js;
use crate::Matrix;
use crate::papers::sfc::metric::completeness::CompletenessReading;
use crate::papers::sfc::metric::completeness::{RowSpace, completeness};
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::papers::sfc::metric::score::Weights;
use crate::papers::sfc::metric::{fidelity, information, sparsity};
use crate::papers::sfc::simplex::Simplex;
use crate::pareto::{self, Objectives, ParetoError};
use crate::settings::Problem;
use crate::statistics::MetricError;
use crate::synthetic::Readout;

/// Most values that the arguments of one call may hold, and most that it may work on: 256 MiB.
pub const VALUES_MAX: usize = 1 << 25;

/// Most entries of a dictionary: its singular values take cubic time.
const DICTIONARY_ENTRIES_MAX: usize = 1 << 22;

/// What a dictionary's largest entry may be: beyond, squares overflow or vanish, and the rank with them.
const DICTIONARY_ENTRY_RANGE: std::ops::RangeInclusive<f64> = 1e-150..=1e150;

/// A refused argument, to throw.
#[inline(never)]
fn argument_error(code: &str, field: &str, value: String, allowed: &str) -> JsValue {
    let problem = Problem { code: code.to_owned(), ..Problem::new(field, value, allowed) };
    to_js(&problem).unwrap_or_else(|error| error)
}

/// A refused argument in the metric's own words.
#[inline(never)]
fn argument_error_with_message(code: &str, field: &str, value: String, allowed: &str, message: String) -> JsValue {
    let problem = Problem { code: code.to_owned(), message, ..Problem::new(field, value, allowed) };
    to_js(&problem).unwrap_or_else(|error| error)
}

fn format_shape((rows, cols): (usize, usize)) -> String {
    [rows.to_string(), cols.to_string()].join(" × ")
}

fn metric_error(error: &MetricError) -> JsValue {
    let field = |what: &str| match what {
        "outputs of the projection" => "projected".to_owned(),
        "the network's output" => "outputs".to_owned(),
        what => what.strip_prefix("the ").unwrap_or(what).to_owned(),
    };
    let (what, value, allowed) = match error {
        MetricError::Empty { what } => (*what, "empty".to_owned(), "at least one row and one column".to_owned()),
        MetricError::Missing { what } => (*what, "missing".to_owned(), "what the metric is defined by".to_owned()),
        MetricError::NonFinite { what, row, column } => {
            let place = ["row ", &row.to_string(), ", column ", &column.to_string()].concat();
            (*what, ["not finite at ", &place].concat(), "finite numbers".to_owned())
        }
        MetricError::Shape { what, found, wanted } => (*what, format_shape(*found), format_shape(*wanted)),
        MetricError::Constant { what } => (*what, "constant".to_owned(), "values that vary".to_owned()),
        MetricError::Undetermined => {
            ("the dictionary", "not decomposed".to_owned(), "one with singular values".to_owned())
        }
        MetricError::Bins { bins } => ("bins", bins.to_string(), "2 or more".to_owned()),
        MetricError::Index { what, index, len } => {
            (*what, index.to_string(), ["0 to below ", &len.to_string()].concat())
        }
    };
    argument_error_with_message(error.code(), &field(what), value, &allowed, error.to_string())
}

fn pareto_error(error: &ParetoError) -> JsValue {
    let (field, value) = match error {
        ParetoError::NonFinite { index, value, .. } => {
            ("points", [&value.to_string(), " in point ", &index.to_string()].concat())
        }
        ParetoError::Reference { value, .. } => ("reference", value.to_string()),
        ParetoError::Overflow => ("points", "too large".to_owned()),
        ParetoError::Tolerance { value } => ("tolerance", value.to_string()),
    };
    argument_error_with_message(error.code(), field, value, "finite numbers", error.to_string())
}

/// A result; one that is no number came of values too large to square.
fn check_finite(field: &str, result: Result<f64, MetricError>) -> Result<f64, JsValue> {
    let value = result.map_err(|error| metric_error(&error))?;
    if value.is_finite() {
        Ok(value)
    } else {
        let allowed = "values whose squares have a finite sum";
        Err(argument_error("metric.overflow", field, "too large".to_owned(), allowed))
    }
}

/// What a refused argument is, in a word or two.
fn describe_value(value: &JsValue) -> String {
    value.as_string().map_or_else(
        || value.js_typeof().as_string().unwrap_or_default(),
        |text| format!("{:?}", text.chars().take(40).collect::<String>()),
    )
}

/// Numbers out of a `Float64Array`, none of which is kept in JavaScript's memory.
fn read_values(field: &str, value: &JsValue) -> Result<Vec<f64>, JsValue> {
    let Some(array) = value.dyn_ref::<Float64Array>() else {
        return Err(argument_error("metric.type", field, describe_value(value), "a Float64Array"));
    };
    let length = array.length() as usize;
    let mut out = Vec::new();
    if length > VALUES_MAX || out.try_reserve_exact(length).is_err() {
        return Err(too_many_values_error(field, length));
    }
    out.resize(length, 0.0);
    array.copy_to(&mut out);
    Ok(out)
}

fn too_many_values_error(field: &str, length: usize) -> JsValue {
    let allowed = ["at most ", &VALUES_MAX.to_string(), " values"].concat();
    argument_error("metric.memory", field, [&length.to_string(), " values"].concat(), &allowed)
}

/// A finite matrix with at least one entry.
fn read_matrix(what: &'static str, value: &JsValue) -> Result<Matrix, JsValue> {
    let part = |name: &str| Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED);
    if !value.is_object() {
        return Err(argument_error("metric.type", what, describe_value(value), "{data, rows, cols}"));
    }
    let count = |name: &str| {
        let count = part(name).as_f64().unwrap_or(f64::NAN);
        if (0.0..=VALUES_MAX as f64).contains(&count) && libm::trunc(count) == count {
            Ok(count as usize)
        } else {
            let field = [what, ".", name].concat();
            Err(argument_error("metric.size", &field, count.to_string(), "a whole number, 0 or more"))
        }
    };
    let (rows, cols) = (count("rows")?, count("cols")?);
    let data = read_values(what, &part("data"))?;
    if rows.checked_mul(cols) != Some(data.len()) {
        let found = [&data.len().to_string(), " values"].concat();
        return Err(argument_error("metric.shape", what, found, &format_shape((rows, cols))));
    }
    let matrix = Matrix::from_vec(rows, cols, data).map_err(|error| metric_error(&error.into()))?;
    crate::statistics::check_matrix(what, &matrix).map_err(|error| metric_error(&error))?;
    Ok(matrix)
}

/// An n × 3 matrix as points; n may be 0.
fn read_points(value: &JsValue) -> Result<Vec<Objectives>, JsValue> {
    let data = read_values("points", value)?;
    if data.len() % 3 != 0 {
        let found = [&data.len().to_string(), " values"].concat();
        return Err(argument_error("metric.shape", "points", found, "three values a point"));
    }
    Ok(data.chunks_exact(3).filter_map(|point| point.try_into().ok()).collect())
}

fn read_triple(field: &'static str, value: &JsValue) -> Result<[f64; 3], JsValue> {
    let data = read_values(field, value)?;
    <[f64; 3]>::try_from(data)
        .map_err(|data| argument_error("metric.shape", field, data.len().to_string(), "three values"))
}

fn read_weights(value: &JsValue) -> Result<Weights, JsValue> {
    let [alpha, beta, gamma] = read_triple("weights", value)?;
    Weights::new(alpha, beta, gamma).map_err(|error| {
        let shown = [alpha, beta, gamma].map(|weight| weight.to_string()).join(", ");
        argument_error_with_message("metric.weights", "weights", shown, &error.allowed(), error.to_string())
    })
}

fn parse_completeness_reading(value: &JsValue) -> Result<CompletenessReading, JsValue> {
    match value.as_string().as_deref() {
        Some("paper") => Ok(CompletenessReading::Paper),
        Some("total") => Ok(CompletenessReading::Total),
        _ => Err(argument_error("metric.reading", "reading", describe_value(value), "paper or total")),
    }
}

/// S of codes, see [`sparsity()`].
#[wasm_bindgen]
pub fn metric_sparsity(codes: &JsValue) -> Result<f64, JsValue> {
    check_finite("codes", sparsity(&read_matrix("codes", codes)?))
}

/// F of a reconstruction, see [`fidelity`]; `mode` is "cosine", "r2" or "rel-mse". `guard` is added to
/// the product of the norms under a cosine; [`COSINE_GUARD`](fidelity::COSINE_GUARD) is the recipe's.
#[wasm_bindgen]
pub fn metric_fidelity(
    activations: &JsValue,
    reconstruction: &JsValue,
    mode: &JsValue,
    guard: f64,
) -> Result<f64, JsValue> {
    let mode = match mode.as_string().as_deref() {
        Some("cosine") => FidelityMode::Cosine,
        Some("r2") => FidelityMode::R2,
        Some("rel-mse") => FidelityMode::RelMse,
        _ => {
            return Err(argument_error("metric.mode", "mode", describe_value(mode), "cosine, r2 or rel-mse"));
        }
    };
    let (a, a_hat) = (read_matrix("activations", activations)?, read_matrix("reconstruction", reconstruction)?);
    if !(guard.is_finite() && guard >= 0.0) {
        return Err(argument_error("metric.guard", "guard", guard.to_string(), "a finite number, 0 or more"));
    }
    let found = match mode {
        FidelityMode::Cosine => fidelity::guarded_cosine(&a, &a_hat, guard),
        FidelityMode::R2 | FidelityMode::RelMse => fidelity::fidelity(mode, &a, &a_hat),
    };
    check_finite("activations", found)
}

/// C of a dictionary (K × D) under a linear readout (o × D) with a bias (o values): the outputs of
/// the activations (N × D) against those of their projections on the dictionary's row space. All rows
/// are looked at; see [`completeness()`] for the readings.
#[wasm_bindgen]
pub fn metric_completeness(
    activations: &JsValue,
    dictionary: &JsValue,
    readout: &JsValue,
    bias: &JsValue,
    reading_of: &JsValue,
) -> Result<f64, JsValue> {
    let reading = parse_completeness_reading(reading_of)?;
    let a = read_matrix("activations", activations)?;
    let dictionary = read_matrix("dictionary", dictionary)?;
    let readout = read_matrix("readout", readout)?;
    let bias = read_matrix("bias", bias)?;
    let wanted = |what, found: &Matrix, wanted| {
        crate::statistics::check_shape(what, found, wanted).map_err(|error| metric_error(&error))
    };
    wanted("dictionary", &dictionary, (dictionary.rows(), a.cols()))?;
    wanted("readout", &readout, (readout.rows(), a.cols()))?;
    wanted("bias", &bias, (1, readout.rows()))?;
    if dictionary.data().len() > DICTIONARY_ENTRIES_MAX {
        let found = [&dictionary.data().len().to_string(), " values"].concat();
        let allowed = ["at most ", &DICTIONARY_ENTRIES_MAX.to_string(), " values"].concat();
        return Err(argument_error("metric.memory", "dictionary", found, &allowed));
    }
    let largest = dictionary.data().iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    if largest != 0.0 && !DICTIONARY_ENTRY_RANGE.contains(&largest) {
        let allowed = "entries of which the largest is from 1e-150 to 1e150, or all 0";
        return Err(argument_error("metric.overflow", "dictionary", largest.to_string(), allowed));
    }
    let widest = readout.rows().max(dictionary.rows().min(dictionary.cols()));
    if a.rows().saturating_mul(widest) > VALUES_MAX {
        return Err(too_many_values_error("activations", a.rows().saturating_mul(widest)));
    }
    let project = |a: &Matrix| RowSpace::from_dictionary(&dictionary)?.project(a);
    let projected = project(&a).map_err(|error| metric_error(&error))?;
    let readout = Readout::Affine { weights: readout, bias: bias.data().to_vec() };
    let outputs = |a| readout.outputs(a).map_err(|error| metric_error(&error));
    check_finite("activations", completeness(reading, &outputs(&a)?, &outputs(&projected)?))
}

/// C of any network's outputs against those of the projected activations, both M × o.
#[wasm_bindgen]
pub fn metric_completeness_of_outputs(
    outputs: &JsValue,
    projected: &JsValue,
    reading_of: &JsValue,
) -> Result<f64, JsValue> {
    let reading = parse_completeness_reading(reading_of)?;
    let (outputs, projected) = (read_matrix("outputs", outputs)?, read_matrix("projected", projected)?);
    check_finite("outputs", completeness(reading, &outputs, &projected))
}

/// Rate of codes, see [`information::rate`].
#[wasm_bindgen]
pub fn metric_rate(codes: &JsValue, bins: f64) -> Result<f64, JsValue> {
    const BINS_MAX: f64 = 65_536.0;
    if !((2.0..=BINS_MAX).contains(&bins) && libm::trunc(bins) == bins) {
        let allowed = "a whole number from 2 to 65536";
        return Err(argument_error("metric.bins", "bins", bins.to_string(), allowed));
    }
    check_finite("codes", information::rate(&read_matrix("codes", codes)?, bins as usize))
}

/// Distortion of a reconstruction, see [`information::distortion`].
#[wasm_bindgen]
pub fn metric_distortion(activations: &JsValue, reconstruction: &JsValue) -> Result<f64, JsValue> {
    let (a, a_hat) = (read_matrix("activations", activations)?, read_matrix("reconstruction", reconstruction)?);
    check_finite("activations", information::distortion(&a, &a_hat))
}

/// Relevance of codes to outputs, see [`information::relevance`].
#[wasm_bindgen]
pub fn metric_relevance(codes: &JsValue, outputs: &JsValue) -> Result<f64, JsValue> {
    let (codes, outputs) = (read_matrix("codes", codes)?, read_matrix("outputs", outputs)?);
    check_finite("codes", information::relevance(&codes, &outputs))
}

/// SFC of S, F and C, none of them NaN, under weights (three values).
#[wasm_bindgen]
pub fn metric_score(axes: &JsValue, weights_of: &JsValue) -> Result<f64, JsValue> {
    let weights = read_weights(weights_of)?;
    let [s, f, c] = read_triple("axes", axes)?;
    if [s, f, c].into_iter().any(f64::is_nan) {
        return Err(argument_error("metric.non-finite", "axes", "NaN".to_owned(), "numbers"));
    }
    check_finite("axes", Ok(weights.sfc(s, f, c)))
}

/// Hypervolume and exclusive contributions of points (n · 3 values), see [`pareto::hypervolume`].
#[wasm_bindgen]
pub fn metric_hypervolume(points_of: &JsValue, reference: &JsValue) -> Result<JsValue, JsValue> {
    let (points, reference) = (read_points(points_of)?, read_triple("reference", reference)?);
    to_js(&pareto::hypervolume(&points, reference).map_err(|error| pareto_error(&error))?)
}

/// Indices of the points (n · 3 values) that no other one dominates, see [`pareto::front`].
#[wasm_bindgen]
pub fn metric_front(points_of: &JsValue, tolerance: f64) -> Result<JsValue, JsValue> {
    let points = read_points(points_of)?;
    to_js(&pareto::front(&points, tolerance).map_err(|error| pareto_error(&error))?)
}

/// Whether the first point dominates the second, see [`pareto::dominates`].
#[wasm_bindgen]
pub fn metric_dominates(first: &JsValue, second: &JsValue, tolerance: f64) -> Result<bool, JsValue> {
    let (q, p) = (read_triple("first", first)?, read_triple("second", second)?);
    for (field, point) in [("first", q), ("second", p)] {
        if let Some(value) = point.into_iter().find(|value| !value.is_finite()) {
            return Err(argument_error("pareto.non-finite", field, value.to_string(), "finite numbers"));
        }
    }
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        return Err(pareto_error(&ParetoError::Tolerance { value: tolerance }));
    }
    Ok(pareto::dominates(q, p, tolerance))
}

/// Most points that the map of weights is divided among: it takes quadratic time.
pub const SIMPLEX_POINTS_MAX: usize = 1_024;

/// The map of weights of points (n · 3 values), see [`Divided`](crate::papers::sfc::simplex::Divided).
#[wasm_bindgen]
pub fn metric_simplex(points_of: &JsValue, weights_of: &JsValue) -> Result<JsValue, JsValue> {
    let (points, weights) = (read_points(points_of)?, read_weights(weights_of)?);
    if points.len() > SIMPLEX_POINTS_MAX {
        let allowed = ["at most ", &SIMPLEX_POINTS_MAX.to_string(), " points"].concat();
        return Err(argument_error("metric.memory", "points", points.len().to_string(), &allowed));
    }
    if let Some(value) = points.iter().flatten().find(|value| !value.is_finite()) {
        return Err(argument_error("pareto.non-finite", "points", value.to_string(), "finite numbers"));
    }
    to_js(&Simplex::new(&points).view_from(weights))
}
