//! SynthSAEBench's generator and numbers against SAELens' own.

use std::collections::BTreeMap;

use sfc_bench::sae::synth_sae_bench::scores;
use sfc_bench::synthetic::synth_sae_bench::{
    Hierarchy, SynthSaeBench, SynthSpec, base_probabilities, corrections, correlation,
    orthogonalised, threshold, unit_rows,
};
use sfc_bench::{Matrix, NumpyRng};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Tensors = BTreeMap<String, (Vec<usize>, Vec<f64>)>;

/// The tensors of a file in safetensors' format, of singles and bytes.
fn tensors(bytes: &[u8]) -> Tensors {
    let (length, rest) = bytes.split_at(8);
    let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
    let (header, data) = rest.split_at(length);
    let header: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(header).unwrap();
    let tensors = header.into_iter().filter(|(name, _)| name != "__metadata__");
    let tensor = |(name, about): (String, serde_json::Value)| {
        let whole = |value: &serde_json::Value| -> Vec<usize> {
            value.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as usize).collect()
        };
        let (shape, ends) = (whole(&about["shape"]), whole(&about["data_offsets"]));
        let bytes = &data[ends[0]..ends[1]];
        let values = match about["dtype"].as_str().unwrap() {
            "F32" => bytes
                .chunks_exact(4)
                .map(|four| f64::from(f32::from_le_bytes(four.try_into().unwrap())))
                .collect(),
            "U8" => bytes.iter().map(|byte| f64::from(*byte)).collect(),
            other => panic!("{other}"),
        };
        (name, (shape, values))
    };
    tensors.map(tensor).collect()
}

fn matrix(of: &Tensors, name: &str) -> Matrix {
    let (shape, values) = &of[name];
    Matrix::from_vec(shape[0], shape[1], values.clone()).unwrap()
}

fn vector(of: &Tensors, name: &str) -> Vec<f64> {
    of[name].1.clone()
}

#[track_caller]
fn close(name: &str, own: &[f64], golden: &[f64], within: f64) {
    assert_eq!(own.len(), golden.len(), "{name}");
    for (at, (own, golden)) in own.iter().zip(golden).enumerate() {
        let away = (own - golden).abs() / golden.abs().max(1.0);
        assert!(own == golden || away <= within, "{name}[{at}]: {own} instead of {golden}");
    }
}

const DRAWS: &[u8] = include_bytes!("../golden/synthsaebench/draws.safetensors");
const STAGES: &[u8] = include_bytes!("../golden/synthsaebench/stages.safetensors");

/// What rounding to single precision leaves.
const SINGLE: f64 = 1e-6;

fn model(draws: &Tensors) -> SynthSaeBench {
    let spec = SynthSpec::small(7);
    let common = matrix(draws, "correlation_normals");
    let common = (&common, spec.correlation.1);
    let directions = matrix(draws, "feature_normals");
    let bias = vector(draws, "bias_normals");
    SynthSaeBench::of(&spec, &directions, &bias, common, &vector(draws, "std_normals"))
}

#[test]
fn every_stage_of_a_model_is_sae_lens_from_what_was_drawn() {
    let (draws, stages) = (tensors(DRAWS), tensors(STAGES));
    let unit = unit_rows(&matrix(&draws, "feature_normals"));
    close("unit", unit.data(), &vector(&stages, "features_unit"), SINGLE);
    for steps in [1, 2, 5, 20, 100] {
        // Theirs are brought back to length 1 after the last step.
        let own = unit_rows(&orthogonalised(&unit, steps, 3e-4));
        let name = format!("features_after_{steps}_steps");
        close(&name, own.data(), &vector(&stages, &name), SINGLE);
    }
    let spec = SynthSpec::small(7);
    let base = base_probabilities(96, spec.exponent, spec.probability);
    close("base", &base, &vector(&stages, "base_probabilities"), SINGLE);
    let hierarchy = Hierarchy::of(96, &spec.hierarchy.unwrap());
    let factors = corrections(&base, &hierarchy, true);
    close("factors", &factors, &vector(&stages, "correction_factors"), SINGLE);
    let found = model(&draws);
    close("vectors", found.directions.data(), &vector(&stages, "feature_vectors"), SINGLE);
    close("bias", &found.bias, &vector(&stages, "bias"), SINGLE);
    close("p", &found.probabilities, &vector(&stages, "firing_probabilities"), SINGLE);
    // Its inverse error function is of single precision.
    close("thresholds", &found.thresholds, &vector(&stages, "thresholds"), 4e-6);
    assert_eq!(found.thresholds.iter().filter(|z| **z == f64::NEG_INFINITY).count(), 3);
    assert_eq!(threshold(1.0), f64::NEG_INFINITY);
    let (factor, own) = correlation(&matrix(&draws, "correlation_normals"), 0.15);
    close("factor", factor.data(), &vector(&stages, "correlation_factor"), SINGLE);
    close("own", &own, &vector(&stages, "correlation_diag"), SINGLE);
    close("means", &found.means, &vector(&stages, "mean_magnitudes"), SINGLE);
    close("deviations", &found.deviations, &vector(&stages, "std_magnitudes"), SINGLE);
}

#[test]
fn rows_are_sae_lens_from_what_was_drawn() {
    let (draws, stages) = (tensors(DRAWS), tensors(STAGES));
    let found = model(&draws);
    let fired = found.fired(&matrix(&draws, "eps"), &matrix(&draws, "eta"));
    let golden: Vec<bool> = vector(&stages, "fired").iter().map(|fires| *fires != 0.0).collect();
    assert_eq!(fired.concat(), golden);
    let mut normals = vector(&draws, "magnitude_normals_in_row_order").into_iter();
    let mut activations = found.strengths(&fired, &mut || normals.next().unwrap());
    assert!(normals.next().is_none());
    let before = vector(&stages, "activations_before_hierarchy");
    close("before", activations.data(), &before, SINGLE);
    let scores = [vector(&draws, "exclusion_scores_0"), vector(&draws, "exclusion_scores_1")];
    let mut scores = scores.concat().into_iter();
    found.apply_hierarchy(&mut activations, &mut || scores.next().unwrap());
    assert!(scores.next().is_none(), "every conflict has its scores");
    close("after", activations.data(), &vector(&stages, "feature_activations"), SINGLE);
    // Strengths add up the last digits of the directions: those of the stage before.
    let directions = matrix(&stages, "feature_vectors");
    let bias = vector(&stages, "bias");
    let hidden = SynthSaeBench { directions, bias, ..found }.hidden(&activations);
    close("hidden", hidden.data(), &vector(&stages, "hidden"), SINGLE);
}

#[test]
fn numbers_of_dictionaries_are_sae_lens() {
    let data = tensors(include_bytes!("../golden/synthsaebench/metrics/data.safetensors"));
    let (rows, directions) = (matrix(&data, "hidden"), matrix(&data, "feature_vectors"));
    let activations = matrix(&data, "feature_activations");
    macro_rules! case {
        ($name:literal) => {
            (
                $name,
                tensors(include_bytes!(concat!(
                    "../golden/synthsaebench/metrics/",
                    $name,
                    "/sae.safetensors"
                ))),
                include_str!(concat!("../golden/synthsaebench/metrics/", $name, "/golden.json")),
            )
        };
    }
    let cases = [
        case!("narrow"),
        case!("zero_rows"),
        case!("wide_with_duplicates_and_dead"),
        case!("trained_batchtopk"),
    ];
    for (name, of, golden) in cases {
        let golden: serde_json::Value = serde_json::from_str(golden).unwrap();
        let (decoder, codes) = (matrix(&of, "W_dec"), matrix(&of, "latents"));
        let outputs = matrix(&of, "outputs");
        let known = (&directions, &activations);
        let found = scores(&decoder, (&codes, &outputs), &rows, known).unwrap();
        let numbers = [
            ("mcc", found.mcc),
            ("uniqueness", found.uniqueness),
            ("precision", found.precision),
            ("recall", found.recall),
            ("f1", found.f1),
            ("accuracy", found.accuracy),
            ("explained_variance", found.explained_variance),
            ("shrinkage", found.shrinkage),
            ("sae_l0", found.l0),
            ("true_l0", found.true_l0),
        ];
        for (what, own) in numbers {
            close(&format!("{name}, {what}"), &[own], &[golden[what].as_f64().unwrap()], SINGLE);
        }
        assert_eq!(golden["dead_latents"], found.dead, "{name}");
        assert_eq!(golden["shrinkage_rows"], found.shrinkage_rows, "{name}");
    }
}

#[test]
fn what_is_drawn_here_has_the_benchmarks_statistics() {
    let spec = SynthSpec::small(3);
    let found = SynthSaeBench::drawn(&spec);
    let rows = found.sample(20_000, &mut NumpyRng::new(5));
    let active = rows.activations.data().iter().filter(|value| **value > 0.0).count() as f64;
    // SAELens' own model of this kind has 2.76; models differ by what their features have in common.
    assert!((active / 20_000.0 - 2.76).abs() < 0.2, "{}", active / 20_000.0);
    let hierarchy = Hierarchy::of(96, &spec.hierarchy.unwrap());
    for row in rows.activations.iter_rows() {
        let fires = |at: usize| row[at] > 0.0;
        for parent in 0..10 {
            let children = hierarchy.children(parent);
            let count = children.iter().filter(|at| fires(**at)).count();
            assert!(count <= 1 && (count == 0 || fires(parent)));
        }
    }
    let rate = rows.activations.iter_rows().filter(|row| row[0] > 0.0).count() as f64 / 20_000.0;
    assert!((rate - 0.4).abs() < 0.02, "{rate}");
}
