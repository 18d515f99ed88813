//! Other configurations, seeds, sizes and readings, against NumPy: within 1e-10.

use sfc_bench::Settings;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::NoProgress;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number};

#[test]
fn curves_equal_numpys() {
    let golden = json(include_str!("../golden/numpy_combinations.json"));
    let cases = golden["cases"].as_array().expect("cases");
    assert!(cases.len() >= 10);
    for case in cases {
        let name = &case["name"];
        let settings: Settings = serde_json::from_value(case["settings"].clone()).expect("valid settings");
        let curve = study::compute_curve(&settings, &mut NoProgress).unwrap_or_else(|e| panic!("{name}: {e}"));
        let expected = &case["expected"];
        let points = expected["points"].as_array().expect("points");
        assert_eq!(curve.points.len(), points.len());
        for (point, wanted) in curve.points.iter().zip(points) {
            let found = serde_json::to_value(point).expect("a point is JSON");
            for (field, wanted) in wanted.as_object().expect("fields") {
                let what = format!("{name} λ {} {field}", point.level);
                assert_close(&what, number(&found[field]), number(wanted), 1e-10, 1e-12);
            }
        }
        let volume = number(&expected["hypervolume"]);
        assert_close(&format!("{name} volume"), curve.hypervolume, volume, 1e-10, 1e-12);
        assert_eq!(serde_json::json!(curve.front), expected["front"], "{name}");
    }
}

#[test]
fn dictionaries_wider_than_the_rank_are_refused() {
    let golden = json(include_str!("../golden/rank_deficient.json"));
    for case in golden["cases"].as_array().expect("cases") {
        let name = &case["name"];
        let settings: Settings = serde_json::from_value(case["settings"].clone()).expect("valid settings");
        let error = study::compute_curve(&settings, &mut NoProgress).expect_err("must be refused");
        let rank = number(&case["rank"]);
        if rank == 0.0 {
            assert_eq!(error.code(), "dictionary.zero", "{name}");
        } else {
            assert_eq!((error.code(), error.field()), ("dictionary.rank-deficient", Some("k")));
            assert!(error.to_string().contains(&format!("rank {rank},")), "{name}: {error}");
        }
    }
}

#[test]
fn ill_conditioned_activations_keep_their_accuracy() {
    let golden = json(include_str!("../golden/ill_conditioned.json"));
    for case in golden["cases"].as_array().expect("cases") {
        let name = &case["name"];
        let settings: Settings = serde_json::from_value(case["settings"].clone()).expect("valid settings");
        let curve = study::compute_curve(&settings, &mut NoProgress).unwrap_or_else(|e| panic!("{name}: {e}"));
        let points = case["expected"]["points"].as_array().expect("points");
        assert_eq!(curve.points.len(), points.len());
        for (point, wanted) in curve.points.iter().zip(points) {
            let found = serde_json::to_value(point).expect("a point is JSON");
            for (field, wanted) in wanted.as_object().expect("fields") {
                let what = format!("{name} λ {} {field}", point.level);
                // Rounding moves the directions that only noise makes by up to 1e-10.
                assert_close(&what, number(&found[field]), number(wanted), 1e-9, 0.0);
            }
        }
    }
}
