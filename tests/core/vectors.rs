//! Every metric against vectors from NumPy, moocore and pymoo (tests/golden/sfc_*.json).

use serde_json::Value;
use sfc_bench::papers::sfc::metric::completeness::{RowSpace, completeness};
use sfc_bench::papers::sfc::metric::{fidelity, information, sparsity};
use sfc_bench::pareto::{self, ParetoError};
use sfc_bench::statistics::MetricError;
use sfc_bench::{CompletenessReading, Matrix, Weights, linalg};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, matrix, number, numbers};

/// Calls `check` with each case's name, input, expected values and the file's tolerances.
fn each(text: &str, at_least: usize, check: impl Fn(&str, &Value, &Value, (f64, f64))) {
    let file = json(text);
    let tolerance = (number(&file["tolerance"]["rel"]), number(&file["tolerance"]["abs"]));
    let cases = file["cases"].as_array().expect("cases");
    assert!(cases.len() >= at_least);
    for case in cases {
        let name = case["name"].as_str().expect("a name");
        check(name, &case["input"], &case["expected"], tolerance);
    }
}

/// A metric without a value is an error here and NaN (or a remark) in the vectors.
#[track_caller]
fn check(name: &str, found: Result<f64, MetricError>, wanted: &Value, tolerance: (f64, f64)) {
    let wanted = number(wanted);
    match found {
        Ok(found) => assert_close(name, found, wanted, tolerance.0, tolerance.1),
        Err(error) => assert!(wanted.is_nan(), "{name}: {error}, but {wanted} is expected"),
    }
}

#[test]
fn sparsity_equals_numpys() {
    each(include_str!("../golden/sfc_sparsity.json"), 8, |name, input, expected, tolerance| {
        let codes = matrix(&input["c"]);
        if codes.data().iter().any(|code| !code.is_finite()) {
            // Stated beside the vector: reject what is not finite.
            assert!(matches!(sparsity(&codes), Err(MetricError::NonFinite { .. })), "{name}");
        } else {
            check(name, sparsity(&codes), &expected["S"], tolerance);
        }
    });
}

#[test]
fn fidelity_equals_numpys() {
    each(include_str!("../golden/sfc_fidelity.json"), 9, |name, input, expected, tolerance| {
        let (a, a_hat) = (matrix(&input["a"]), matrix(&input["a_hat"]));
        check(name, fidelity::cosine(&a, &a_hat), &expected["cosine"], tolerance);
        check(name, fidelity::r2(&a, &a_hat), &expected["r2"], tolerance);
        check(name, fidelity::relative_mse(&a, &a_hat), &expected["rel_mse"], tolerance);
    });
}

#[test]
fn completeness_equals_numpys() {
    each(include_str!("../golden/sfc_completeness.json"), 7, |name, input, expected, tolerance| {
        let (a, dictionary) = (matrix(&input["a"]), matrix(&input["W"]));
        let readout = matrix(&input["W2"]);
        let projected = RowSpace::from_dictionary(&dictionary).and_then(|space| space.project(&a));
        let projected = projected.unwrap_or_else(|error| panic!("{name}: {error}"));
        let bias = numbers(&input["b2"]);
        let outputs = |a: &Matrix| {
            let mut out = linalg::product(a, &readout.transposed());
            for row in out.data_mut().chunks_exact_mut(readout.rows()) {
                row.iter_mut().zip(&bias).for_each(|(value, bias)| *value += bias);
            }
            out
        };
        let (y, y_projected) = (outputs(&a), outputs(&projected));
        let total = completeness(CompletenessReading::Total, &y, &y_projected);
        check(name, total, &expected["C_total"], tolerance);
        let grand = completeness(CompletenessReading::Paper, &y, &y_projected);
        check(name, grand, &expected["C_elementwise"], tolerance);
    });
}

#[test]
fn rate_equals_numpys_histograms() {
    each(include_str!("../golden/sfc_rate.json"), 4, |name, input, expected, tolerance| {
        let bins = input["bins"].as_u64().expect("bins") as usize;
        check(name, information::rate(&matrix(&input["c"]), bins), &expected["rate"], tolerance);
    });
}

/// The vectors divide by the total variance about the mean row; the recipe by the grand one. With
/// one feature the two are the same; otherwise the vectors' is 1 − R².
#[test]
fn distortion_is_one_less_r2_in_the_vectors() {
    each(include_str!("../golden/sfc_distortion.json"), 4, |name, input, expected, tolerance| {
        let (a, a_hat) = (matrix(&input["a"]), matrix(&input["a_hat"]));
        let by_mean_row = fidelity::r2(&a, &a_hat).map(|r2| 1.0 - r2);
        check(name, by_mean_row, &expected["distortion"], tolerance);

        let flat = |m: &Matrix| Matrix::from_vec(m.data().len(), 1, m.data().to_vec()).unwrap();
        let grand = fidelity::r2(&flat(&a), &flat(&a_hat)).map(|r2| 1.0 - r2).unwrap();
        let found = information::distortion(&a, &a_hat).unwrap();
        assert_close(name, found, grand, 1e-12, 1e-12);
    });
}

#[test]
fn score_equals_the_closed_form() {
    each(include_str!("../golden/sfc_score.json"), 50, |name, input, expected, tolerance| {
        let weight = |key: &str| number(&input[key]);
        let weights = Weights::new(weight("alpha"), weight("beta"), weight("gamma"));
        let Ok(weights) = weights else {
            assert!(!expected["sfc"].is_number(), "{name} is refused");
            return;
        };
        let found = weights.sfc(number(&input["S"]), number(&input["F"]), number(&input["C"]));
        let wanted = number(&expected["sfc"]);
        if wanted.is_nan() {
            assert!(found.is_nan(), "{name}: {found}");
        } else {
            assert_close(name, found, wanted, tolerance.0, tolerance.1);
        }
    });
}

#[test]
fn hypervolume_and_front_equal_moocores() {
    each(include_str!("../golden/sfc_hypervolume.json"), 13, |name, input, expected, tolerance| {
        assert_eq!(input["maximise"], true, "{name}");
        let rows: Vec<Vec<f64>> = input["points"].as_array().expect("points").iter().map(numbers).collect();
        let mut reference = numbers(&input["ref"]);
        if reference.len() > 3 {
            return;
        }
        // Fewer objectives are three of which the last ones are 1 for all.
        let missing = 3 - reference.len();
        reference.extend(std::iter::repeat_n(0.0, missing));
        let reference: [f64; 3] = reference.try_into().expect("three coordinates");
        let points: Vec<[f64; 3]> = rows
            .into_iter()
            .map(|mut row| {
                row.extend(std::iter::repeat_n(1.0, missing));
                row.try_into().expect("three coordinates")
            })
            .collect();
        let found = pareto::hypervolume(&points, reference);
        if expected["hv"] == "reject" {
            assert!(matches!(found, Err(ParetoError::NonFinite { index: 0, axis: 0, .. })));
            assert!(pareto::front(&points, 0.0).is_err());
            return;
        }
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_close(name, found.hypervolume, number(&expected["hv"]), tolerance.0, tolerance.1);
        let front = pareto::front(&points, 0.0).unwrap();
        let flags: Vec<bool> = (0..points.len()).map(|i| front.contains(&i)).collect();
        assert_eq!(serde_json::json!(flags), expected["nondominated"], "{name}");
    });
}

#[test]
fn pearson_equals_scipys() {
    let file = json(include_str!("../golden/stats_rank.json"));
    let mut compared = 0;
    for case in file["cases"].as_array().expect("cases") {
        let (x, y) = (numbers(&case["input"]["x"]), numbers(&case["input"]["y"]));
        let Some(wanted) = case["expected"]["pearson"].as_f64() else { continue };
        // Norms are not negative; shifting both sides leaves the correlation as it is.
        let column = |values: &[f64]| {
            let shift = values.iter().copied().fold(0.0, f64::min);
            let data: Vec<f64> = values.iter().map(|value| value - shift).collect();
            Matrix::from_vec(data.len(), 1, data).unwrap()
        };
        let found = information::relevance(&column(&x), &column(&y)).unwrap();
        let name = case["name"].as_str().expect("a name");
        assert_close(name, found, wanted.abs(), 1e-10, 1e-12);
        compared += 1;
    }
    assert!(compared >= 6, "only {compared} correlations compared");
}
