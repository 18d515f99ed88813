//! Metrics of wide dictionaries: none holds a table of all pairs of features, or all activations in another shape.

use sfc_bench::papers::measurement::metric::Activations;
use sfc_bench::papers::measurement::metric::architecture_duality::{
    ComparedAutoencoder, Settings, architecture_duality,
};
use sfc_bench::papers::measurement::metric::matryoshka::{COSINE_THRESHOLD, TOP_K, matryoshka};
use sfc_bench::papers::measurement::metric::superposition::{feature_superposition, superposition};
use sfc_bench::{Matrix, NumpyRng};

use super::memory::measured;

/// All pairs of so many features are 512 MB.
const FEATURES: usize = 8_192;
const MIB: isize = 1 << 20;

fn drawn(rows: usize, cols: usize) -> Matrix {
    let mut out = Matrix::zeros(rows, cols);
    NumpyRng::new(3).fill_standard_normal(out.data_mut());
    out
}

#[test]
fn wide_dictionaries_are_measured_in_blocks() {
    let decoder = drawn(FEATURES, 8);
    let activations = drawn(16, FEATURES);

    let side = ComparedAutoencoder {
        activations: Activations::Dense(&activations),
        decoder: &decoder,
        encoder: Some(&decoder),
    };
    let (found, most) = measured(|| architecture_duality(&side, &side, &Settings::default()).unwrap());
    assert!((found.direction_agreement - 1.0).abs() < 1e-12);
    assert!(most < 8 * MIB, "M07: {most} bytes");

    let all = Activations::Dense(&activations);
    let (found, most) = measured(|| matryoshka(all, all, &decoder, TOP_K, COSINE_THRESHOLD));
    let found = found.unwrap();
    assert!(found.correspondence.iter().all(|large| large.len() == TOP_K));
    // Of the results alone 24 bytes a small feature and a large one of its twenty, in two lists of which one has gone.
    assert!(most < 40 * MIB, "M11: {most} bytes");

    let (found, most) = measured(|| superposition(&activations).unwrap());
    assert!(found.participation_ratio > 14.0);
    assert!(most < 8 * MIB, "M13: {most} bytes");
    let (found, most) = measured(|| feature_superposition(&decoder).unwrap());
    assert!((found.feature_packing - 1_024.0).abs() < 1e-9);
    assert!(most < 8 * MIB, "M13, directions: {most} bytes");
}
