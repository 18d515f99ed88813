//! The fast path of the level curve equals the general metrics, which know nothing of it.

use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::codes::{dropped_count, zero_smallest};
use sfc_bench::papers::sfc::metric::completeness::{PAPER_ROW_COUNT, RowSpace, completeness};
use sfc_bench::papers::sfc::metric::{c_gt, fidelity, information, sparsity};
use sfc_bench::papers::sfc::{LayerAnalysis, NoProgress};
use sfc_bench::synthetic::{PlantedNetwork, activations};
use sfc_bench::{CompletenessReading, Draft, Matrix, NumpyRng, Settings};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::assert_close;

fn compare(draft: &Draft) {
    let settings: Settings = draft.parse().expect("valid settings");
    let curve = study::compute_curve(&settings, &mut NoProgress).expect("a curve");
    let network = PlantedNetwork::new(&settings.network_spec());
    let analysis =
        LayerAnalysis::new(activations(&network, &settings.data_spec()), &settings, settings.k()).expect("a layer");
    let (h, dictionary, k) = (analysis.activations(), analysis.dictionary(), settings.k());

    let basis = dictionary.directions().first_cols(k).transposed();
    let space = RowSpace::from_dictionary(&basis).expect("a row space");
    assert_eq!(space.basis().rows(), k, "the dictionary's rows are independent");
    let rows = match settings.completeness() {
        CompletenessReading::Total => h.clone(),
        CompletenessReading::Paper => {
            let mut rng = NumpyRng::new(settings.completeness_seed());
            h.select_rows(&rng.choice(settings.samples() as u32, PAPER_ROW_COUNT))
        }
    };
    let projected = match dictionary.mean() {
        None => space.project(&rows).expect("a projection"),
        Some(mean) => {
            let shift = |m: &Matrix, sign: f64| {
                let data = m
                    .iter_rows()
                    .flat_map(|row| row.iter().zip(mean).map(move |(a, m)| a + sign * m).collect::<Vec<_>>());
                Matrix::from_vec(m.rows(), m.cols(), data.collect()).expect("the same shape")
            };
            shift(&space.project(&shift(&rows, -1.0)).expect("a projection"), 1.0)
        }
    };
    let outputs = (network.outputs(&rows), network.outputs(&projected));
    let c = completeness(settings.completeness(), &outputs.0, &outputs.1).expect("C");
    let ground_truth = c_gt(space.basis(), &network.circuit).expect("C_GT");

    for point in &curve.points {
        let mut codes = dictionary.encode(h, k).expect("codes");
        assert_eq!(point.dropped, dropped_count(point.level, k));
        zero_smallest(&mut codes, point.dropped);
        let a_hat = dictionary.decode(&codes);
        let pairs = [
            ("S", point.sparsity, sparsity(&codes)),
            ("F", point.fidelity, fidelity::fidelity(settings.fidelity(), h, &a_hat)),
            ("C", point.completeness, Ok(c)),
            ("C_GT", point.c_gt, Ok(ground_truth)),
            ("rate", point.rate, information::rate(&codes, information::RATE_BINS)),
            ("distortion", point.distortion, information::distortion(h, &a_hat)),
            ("relevance", point.relevance, information::relevance(&codes, &network.outputs(h))),
        ];
        for (name, fast, general) in pairs {
            let general = general.unwrap_or_else(|error| panic!("{name}: {error}"));
            let what = format!("{name} at λ = {} of {draft:?}", point.level);
            assert_close(&what, fast, general, 1e-11, 1e-12);
        }
    }
}

fn small() -> Draft {
    Draft { samples: Some(300.0), ..Draft::default() }
}

#[test]
fn on_the_standard_network() {
    compare(&small());
}

#[test]
fn in_every_reading() {
    for fidelity in ["cosine", "r2", "rel-mse"] {
        for completeness in ["paper", "total"] {
            for centred in [false, true] {
                compare(&Draft {
                    fidelity: Some(fidelity.into()),
                    completeness: Some(completeness.into()),
                    centred: Some(centred),
                    ..small()
                });
            }
        }
    }
}

#[test]
fn on_odd_sizes() {
    // Sizes that no tile divides, K from 1 to D, noise, one level.
    for (inputs, hidden, outputs, circuit, samples, k) in
        [(1, 2, 1, 1, 50, 1), (3, 5, 2, 5, 37, 5), (7, 33, 3, 9, 131, 17), (20, 67, 5, 11, 257, 67)]
    {
        let number = |value: i32| Some(f64::from(value));
        for noise in [0.0, 0.3] {
            compare(&Draft {
                inputs: number(inputs),
                hidden: number(hidden),
                outputs: number(outputs),
                circuit: number(circuit),
                samples: number(samples),
                k: number(k),
                noise: Some(noise),
                model_seed: number(k + 1),
                levels: Some(vec![0.99, 0.4, 0.4]),
                ..Draft::default()
            });
        }
    }
}

#[test]
fn thresholding_breaks_ties_by_the_lower_index() {
    let mut codes = Matrix::from_rows(&[vec![1.0, -1.0, 1.0, 0.5], vec![0.0, -0.0, 3.0, -3.0]]).expect("two rows");
    zero_smallest(&mut codes, 2);
    assert_eq!(codes.row(0), [0.0, -1.0, 1.0, 0.0]);
    assert_eq!(codes.row(1), [0.0, 0.0, 3.0, -3.0]);
    zero_smallest(&mut codes, 4);
    assert!(codes.data().iter().all(|code| *code == 0.0));
}

#[test]
fn dropped_codes_are_truncated_products() {
    for (level, k, count) in [(0.1, 48, 4), (0.7, 48, 33), (0.85, 48, 40), (0.95, 48, 45), (0.5, 63, 31), (0.0, 48, 0)]
    {
        assert_eq!(dropped_count(level, k), count);
    }
}
