//! Measurement theory's metrics of decompositions against vectors (tests/golden/m*.json, ex34_nla_sae.json), and what
//! their thresholds can reach.

use serde::Serialize;
use serde_json::Value;
use sfc_bench::papers::measurement::metric::adaptive_sparsity::{
    AdaptiveSparsity, adaptive_sparsity, complexity_and_k,
};
use sfc_bench::papers::measurement::metric::architecture_duality::{
    self, ArchitectureDuality, ComparedAutoencoder, architecture_duality,
};
use sfc_bench::papers::measurement::metric::core_stability::{
    AutoencoderWeights, CycleSettings, core_stability, core_training, feature_importance, select_core,
};
use sfc_bench::papers::measurement::metric::matryoshka::matryoshka;
use sfc_bench::papers::measurement::metric::nla_sae::nla_sae;
use sfc_bench::papers::measurement::metric::polysemanticity::{
    self, cluster_contexts, polysemanticity, polysemanticity_rate,
};
use sfc_bench::papers::measurement::metric::safety_sve::{direction_spectrum, draw_subsamples, safety_sve, stability};
use sfc_bench::papers::measurement::metric::superposition::{
    Regime, feature_superposition, spectrum, summarise_layers, superposition,
};
use sfc_bench::papers::measurement::metric::weight_lens::weight_lens;
use sfc_bench::papers::measurement::metric::{
    Activations, Condition, DecompositionError, MetricDescription, Reading, adaptive_sparsity as m12,
    core_stability as m09, matryoshka as m11, nla_sae as ex34, safety_sve as m14, superposition as m13,
    weight_lens as m08,
};
use sfc_bench::sae::train::{Family, TrainConfig, Trainer};
use sfc_bench::synthetic::{Superposition, World};
use sfc_bench::{Matrix, NumpyRng};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, matrix, number, numbers};

/// Calls `check` with each vector's name, input, expected values and tolerances; there are so many.
fn vectors(text: &str, count: usize, check: impl Fn(&str, &Value, &Value, [f64; 2])) {
    let file = json(text);
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), count);
    let tolerance = ["rel", "abs"].map(|kind| number(&file["tolerance"][kind]));
    for case in cases {
        check(case["name"].as_str().unwrap(), &case["input"], &case["expected"], tolerance);
    }
}

/// Every value that a vector has under one of `names` is the result's of the same name.
fn same(name: &str, found: &impl Serialize, wanted: &Value, names: &[&str], [rel, abs]: [f64; 2]) {
    let found = serde_json::to_value(found).unwrap();
    for key in names {
        assert!(found.get(key).is_some() && wanted.get(key).is_some(), "{name}: no {key}");
        equal(&format!("{name}, {key}"), &found[key], &wanted[key], [rel, abs]);
    }
}

fn equal(what: &str, found: &Value, wanted: &Value, [rel, abs]: [f64; 2]) {
    match (found, wanted) {
        (Value::Array(found), Value::Array(wanted)) => {
            assert_eq!(found.len(), wanted.len(), "{what}");
            found.iter().zip(wanted).for_each(|(a, b)| equal(what, a, b, [rel, abs]));
        }
        (Value::Number(found), Value::Number(wanted)) => {
            assert_close(what, found.as_f64().unwrap(), wanted.as_f64().unwrap(), rel, abs);
        }
        _ => assert_eq!(found, wanted, "{what}"),
    }
}

fn tokens(value: &Value) -> Vec<u32> {
    numbers(value).into_iter().map(|token| token as u32).collect()
}

fn indices(value: &Value) -> Vec<usize> {
    numbers(value).into_iter().map(|index| index as usize).collect()
}

fn drawn(seed: u32, rows: usize, cols: usize) -> Matrix {
    let mut out = Matrix::zeros(rows, cols);
    NumpyRng::new(seed).fill_standard_normal(out.data_mut());
    out
}

fn identity(size: usize) -> Matrix {
    let mut out = Matrix::zeros(size, size);
    (0..size).for_each(|at| out.row_mut(at)[at] = 1.0);
    out
}

#[test]
fn architecture_duality_equals_the_vectors() {
    let text = include_str!("../golden/m07_architecture_duality.json");
    vectors(text, 9, |name, input, wanted, tolerance| {
        let [a, b, decoder_a, decoder_b] = ["acts_a", "acts_b", "dec_a", "dec_b"].map(|key| matrix(&input[key]));
        let settings = architecture_duality::Settings {
            threshold: number(&input["threshold"]),
            ..architecture_duality::Settings::default()
        };
        let side = |activations, decoder| ComparedAutoencoder {
            activations: Activations::Dense(activations),
            decoder,
            encoder: None,
        };
        let found = architecture_duality(&side(&a, &decoder_a), &side(&b, &decoder_b), &settings);
        if wanted.is_string() {
            assert_eq!(found.unwrap_err().code(), "metric.non-finite", "{name}");
            return;
        }
        assert_close(name, settings.match_cosine, number(&input["match_cosine"]), 0.0, 0.0);
        let names = [
            "feature_overlap_code",
            "feature_overlap_matched",
            "direction_agreement",
            "agreement_code",
            "agreement_matched",
            "pass_code",
            "pass_matched",
            "matches",
        ];
        same(name, &found.unwrap(), wanted, &names, tolerance);
    });
}

fn duality(
    a: (&Matrix, &Matrix, &Matrix),
    b: (&Matrix, &Matrix, &Matrix),
    prompts: Vec<usize>,
) -> Result<ArchitectureDuality, DecompositionError> {
    let side = |(activations, decoder, encoder)| ComparedAutoencoder {
        activations: Activations::Dense(activations),
        decoder,
        encoder: Some(encoder),
    };
    let settings = architecture_duality::Settings { prompts, ..architecture_duality::Settings::default() };
    architecture_duality(&side(a), &side(b), &settings)
}

#[test]
fn overlap_of_numbers_and_of_encoders_is_the_texts() {
    let one = Matrix::from_rows(&[vec![1.0, 1.0, 0.0], vec![0.0, 0.0, 0.0], vec![0.0, 2.0, 0.0]]);
    let two = Matrix::from_rows(&[vec![0.0, 1.0, 1.0], vec![0.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]]);
    let (one, two, whole) = (one.unwrap(), two.unwrap(), identity(3));
    // Encoders that share one direction of three, and decoders that are the same.
    let other = Matrix::from_rows(&[vec![0.0; 3], vec![0.0; 3], vec![0.0, 0.0, 5.0]]).unwrap();
    let found = duality((&one, &whole, &whole), (&two, &whole, &other), vec![]).unwrap();
    assert_close("numbers", found.feature_overlap_document, (1.0 / 3.0 + 1.0) / 2.0, 1e-15, 0.0);
    assert_eq!(found.feature_overlap_code, 1.0);
    assert_eq!(found.direction_agreement, 1.0);
    let third = 1.0 / 3.0;
    assert_close("encoders", found.direction_agreement_document.unwrap(), third, 1e-15, 0.0);
    assert_close("text", found.agreement_document.unwrap(), 0.5, 1e-15, 0.0);
    assert_eq!(found.pass_document, Some(true));

    // The code's means are of prompts first: (1 + 0 + 1)/3 here, the middle one has nothing.
    let found = duality((&one, &whole, &whole), (&two, &whole, &whole), vec![1, 1, 1]).unwrap();
    assert_close("prompts", found.feature_overlap_code, 2.0 / 3.0, 1e-15, 0.0);
    assert_close("matched", found.feature_overlap_matched, (1.0 / 3.0 + 1.0) / 2.0, 1e-15, 0.0);

    let refused = duality((&one, &whole, &whole), (&two, &whole, &whole), vec![1, 1]).unwrap_err();
    assert_eq!(refused.code(), "statistics.lengths");
    let short = drawn(1, 2, 3);
    let refused = duality((&one, &whole, &whole), (&short, &whole, &whole), vec![]).unwrap_err();
    assert_eq!(refused.code(), "metric.shape");
    let refused = duality((&one, &whole, &whole), (&two, &short, &whole), vec![]).unwrap_err();
    assert_eq!(refused.code(), "metric.shape");
}

/// Widths above a block, and every way in which activations are kept, say the same.
#[test]
fn activations_say_the_same_however_they_are_kept() {
    let world = World::Superposition(Superposition::default()).sample(600).unwrap();
    let train = |family, latents, seed| {
        let config = TrainConfig { latents, k: 3, seed, ..TrainConfig::for_family(family) };
        Trainer::new(config, &world.activations).unwrap().autoencoder()
    };
    let (small, large) = (train(Family::TopK, 300, 1), train(Family::TopK, 600, 2));
    let codes = |of: &sfc_bench::sae::train::Autoencoder| {
        let sparse = of.encode_sparse(&world.activations).unwrap();
        let dense = of.encode(&world.activations).unwrap();
        let single: Vec<f32> = dense.data().iter().map(|value| *value as f32).collect();
        (sparse, dense, single)
    };
    let ((sparse_a, dense_a, single_a), (sparse_b, dense_b, single_b)) = (codes(&small), codes(&large));
    let (decoder_a, decoder_b) = (small.decoder(), large.decoder());
    let ways = [
        (Activations::Dense(&dense_a), Activations::Dense(&dense_b)),
        (
            Activations::DenseF32 { values: &single_a, features: 300 },
            Activations::DenseF32 { values: &single_b, features: 600 },
        ),
        (
            Activations::Sparse { codes: &sparse_a, features: 300 },
            Activations::Sparse { codes: &sparse_b, features: 600 },
        ),
    ];
    let unembed = drawn(3, decoder_a.cols(), 40);
    let words: Vec<u32> = (0..600).map(|at| at * 7 % 40).collect();
    let all = ways.map(|(a, b)| {
        let side = |activations, decoder| ComparedAutoencoder { activations, decoder, encoder: None };
        let settings = architecture_duality::Settings::default();
        (
            architecture_duality(&side(a, &decoder_a), &side(b, &decoder_b), &settings).unwrap(),
            matryoshka(a, b, &decoder_b, 5, 0.5).unwrap(),
            weight_lens(&decoder_a, &unembed, a, &words, 6).unwrap(),
            complexity_and_k(&world.activations, a).unwrap(),
        )
    });
    let [dense, single, sparse] = all;
    assert_eq!(dense, single);
    assert_eq!(dense, sparse);

    // Without blocks, one pair at a time.
    let found = &dense.1;
    let column = |of: &Matrix, at: usize| of.iter_rows().map(|row| row[at]).collect::<Vec<_>>();
    let centred = |values: Vec<f64>| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.into_iter().map(|value| value - mean).collect::<Vec<_>>()
    };
    let norm = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-8);
    for feature in [0, 255, 256, 299] {
        let here = centred(column(&dense_a, feature));
        let each: Vec<f64> = (0..600)
            .map(|other| {
                let there = centred(column(&dense_b, other));
                let dot: f64 = here.iter().zip(&there).map(|(x, y)| x * y).sum();
                dot / (norm(&here) * norm(&there))
            })
            .collect();
        for (at, value) in &found.correspondence[feature] {
            assert_close("correlation", *value, each[*at], 1e-9, 1e-12);
        }
        let (_, least) = found.correspondence[feature][4];
        let above = each.iter().filter(|value| value.abs() > least.abs() + 1e-9).count();
        assert!(above <= 4, "{above} above the fifth");
    }

    let lying = Activations::Sparse { codes: &sparse_b, features: 300 };
    let refused = matryoshka(ways[2].0, lying, &decoder_a, 5, 0.5).unwrap_err();
    assert_eq!(refused.code(), "metric.index");
    let torn = Activations::DenseF32 { values: &single_a[1..], features: 300 };
    let refused = complexity_and_k(&world.activations, torn).unwrap_err();
    assert_eq!(refused.code(), "metric.shape");
}

#[test]
fn weight_lens_equals_the_vectors() {
    vectors(include_str!("../golden/m08_weightlens.json"), 6, |name, input, wanted, tolerance| {
        let [decoder, unembed, activations] = ["W_dec", "W_U", "acts"].map(|key| matrix(&input[key]));
        let words = tokens(&input["tokens"]);
        let k = number(&input["k"]) as usize;
        let active = Activations::Dense(&activations);
        let found = weight_lens(&decoder, &unembed, active, &words, k).unwrap();
        let names = ["agreement", "median", "std_pop", "frac_above", "active_features", "per_feature", "passed"];
        same(name, &found, wanted, &names, tolerance);

        let refused = |words: &[u32], k| {
            let found = weight_lens(&decoder, &unembed, active, words, k);
            found.unwrap_err().code().to_owned()
        };
        assert_eq!(refused(&words, 0), "settings.top_k");
        assert_eq!(refused(&words, unembed.cols() + 1), "settings.top_k");
        assert_eq!(refused(&words[1..], k), "metric.shape");
        let unknown = vec![unembed.cols() as u32; words.len()];
        assert_eq!(refused(&unknown, k), "metric.index");
    });
}

#[test]
fn core_sets_equal_the_vectors() {
    vectors(include_str!("../golden/m09_core_sets.json"), 6, |name, input, wanted, tolerance| {
        let cores: Vec<Vec<usize>> = input["core_sets"].as_array().unwrap().iter().map(indices).collect();
        let features = number(&input["n_features"]) as usize;
        let last = indices(&input["final_core"]);
        let threshold = number(&input["stability_threshold"]);
        let found = core_stability(&cores, &last, features, threshold).unwrap();
        let names = [
            "overlaps",
            "mean_overlap",
            "is_stable_code_ge",
            "is_stable_document_gt",
            "core_fraction_code",
            "core_fraction_all_cycles",
        ];
        same(name, &found, wanted, &names, tolerance);
    });
    // An overlap of exactly the threshold is where the readings part.
    let found = core_stability(&[vec![0, 1, 2, 3], vec![3, 2, 1, 0, 4]], &[0], 9, 0.8).unwrap();
    assert_eq!((found.is_stable_code_ge, found.is_stable_document_gt), (true, false));
    assert_eq!(core_stability(&[vec![9]], &[], 9, 0.8).unwrap_err().code(), "metric.index");
}

#[test]
fn importance_and_core_equal_automatic_differentiation() {
    vectors(include_str!("../golden/sae_train_step.json"), 6, |name, input, wanted, tolerance| {
        let parameters = &input["params"];
        let weights = AutoencoderWeights {
            encoder: matrix(&parameters["W_enc"]),
            encoder_bias: numbers(&parameters["b_enc"]),
            decoder: matrix(&parameters["W_dec"]).transposed(),
            decoder_bias: numbers(&parameters["b_dec"]),
            top_k: (input["arch"] == "topk").then(|| number(&input["k"]) as usize),
        };
        let found = feature_importance(&matrix(&input["x"]), &weights).unwrap();
        let [rel, abs] = tolerance;
        let all = numbers(&wanted["m09_importance"]);
        assert_eq!(found.len(), all.len());
        found.iter().zip(all).for_each(|(a, b)| assert_close(name, *a, b, rel, abs));
        assert_eq!(select_core(&found, 0.1).unwrap(), indices(&wanted["m09_core"]), "{name}");
    });
}

#[test]
fn cycles_draw_the_rest_anew_in_the_text_and_nothing_in_the_code() {
    let world = World::Superposition(Superposition::default()).sample(2_000).unwrap();
    let settings = CycleSettings { features: 64, rate: 3e-3, ..CycleSettings::default() };
    let found = core_training(&world.activations, &settings).unwrap();
    for cycled in [&found.document, &found.code] {
        assert_eq!(cycled.cores.len(), 3);
        assert!(cycled.cores.iter().chain([&cycled.last]).all(|core| core.len() == 6));
        // No more than a core's share, whatever is found.
        assert!(cycled.stability.core_fraction_code <= 0.1);
        assert_eq!(cycled.stability.overlaps.len(), 2);
    }
    // The first core comes before anything is drawn.
    assert_eq!(found.document.cores[0], found.code.cores[0]);
    assert_eq!((found.document.drawn_anew, found.code.drawn_anew), (58.0, 0.0));
    assert_ne!(found.document.cores, found.code.cores);
    // What is only trained on reconstructs better than what began anew in each cycle.
    assert!(found.code.mse < found.document.mse, "{found:?}");
    let other = core_training(&world.activations, &CycleSettings { seed: 1, ..settings.clone() }).unwrap();
    assert_ne!(found.code.cores, other.code.cores);
    assert_eq!(found, core_training(&world.activations, &settings).unwrap());

    let refused =
        |settings: CycleSettings| core_training(&world.activations, &settings).unwrap_err().field().map(str::to_owned);
    assert_eq!(refused(CycleSettings { cycles: 0, ..settings.clone() }).as_deref(), Some("n_cycles"));
    assert_eq!(refused(CycleSettings { batch: 4_000, ..settings.clone() }).as_deref(), Some("batch"));
    assert_eq!(refused(CycleSettings { top_share: 1.5, ..settings }).as_deref(), Some("top_share"));
}

#[test]
fn clusters_equal_the_vectors() {
    vectors(include_str!("../golden/m10_clusters.json"), 10, |name, input, wanted, tolerance| {
        let embeddings = matrix(&input["embeddings"]);
        let found = cluster_contexts(&embeddings, number(&input["threshold"])).unwrap();
        let names: &[&str] = if name == "empty" { &["n_clusters"] } else { &["n_clusters", "merge_heights", "sizes"] };
        same(name, &found, wanted, names, tolerance);
        // SciPy numbers groups as its tree has them: what counts is who is with whom.
        let partition = wanted.get("partition").map(indices).unwrap_or_default();
        assert_eq!(found.partition.len(), partition.len());
        for (i, here) in partition.iter().enumerate() {
            for (j, there) in partition.iter().enumerate() {
                let together = found.partition[i] == found.partition[j];
                assert_eq!(together, here == there, "{name}: {i} and {j}");
            }
        }
    });
    assert!(cluster_contexts(&identity(2), 2.5).is_err());
}

#[test]
fn polysemanticity_rates_equal_the_vectors() {
    vectors(include_str!("../golden/m10_rate.json"), 4, |name, input, wanted, tolerance| {
        let groups = indices(&input["n_clusters"]);
        let found = polysemanticity_rate(&numbers(&input["max_activation"]), &groups).unwrap();
        same(name, &found, wanted, &["n_alive", "rate", "mean_clusters"], tolerance);
    });
    assert!(polysemanticity_rate(&[1.0], &[]).is_err());
    assert!(polysemanticity_rate(&[f64::NAN], &[1]).is_err());
}

#[test]
fn features_of_several_kinds_of_contexts_are_found() {
    // Contexts 0–9 and 10–19 are of two kinds; 20–29 of a third.
    let kinds = identity(3);
    let mut embeddings = drawn(5, 30, 3);
    let mut strengths = Matrix::zeros(30, 4);
    for context in 0..30 {
        for (value, kind) in embeddings.row_mut(context).iter_mut().zip(kinds.row(context / 10)) {
            *value = kind + 0.05 * *value;
        }
        let strength = 1.0 + context as f64 / 100.0;
        let row = strengths.row_mut(context);
        match context / 10 {
            // Feature 0 answers to one kind, 1 to two, 2 to eight contexts, 3 to nothing.
            0 => row[0] = strength,
            1 => row[1] = strength,
            _ => row[1] = 2.0 * strength,
        }
        if context < 8 {
            row[2] = 3.0;
        }
    }
    let of = |reading| {
        let settings = polysemanticity::Settings { contexts: 10, reading, ..Default::default() };
        polysemanticity(&strengths, &embeddings, &settings).unwrap()
    };
    let found = of(Reading::Document);
    assert_eq!((found.rate.n_alive, found.rate.n_dead), (3, 1));
    let groups: Vec<(usize, usize, usize)> =
        found.features.iter().map(|found| (found.feature, found.contexts.len(), found.clusters.n_clusters)).collect();
    // Of feature 1 the ten strongest contexts are all of the third kind.
    assert_eq!(groups, [(1, 10, 1), (2, 8, 1), (0, 10, 1), (3, 0, 0)]);
    assert_eq!(found.rate.rate, 0.0);
    // The code fills up with contexts where feature 2 is 0: these come first, and are of the first kind.
    let found = of(Reading::Code);
    assert_eq!(found.features[1].contexts, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let wide = polysemanticity::Settings { contexts: 20, ..Default::default() };
    let found = polysemanticity(&strengths, &embeddings, &wide).unwrap();
    let groups: Vec<usize> = found.features.iter().map(|found| found.clusters.n_clusters).collect();
    assert_eq!(groups, [2, 2, 2, 2]);
    // Feature 2 and 0 are polysemantic in the code's reading by contexts where they are silent.
    assert_eq!(found.rate.rate, 1.0);
    let document = polysemanticity::Settings { reading: Reading::Document, ..wide };
    let found = polysemanticity(&strengths, &embeddings, &document).unwrap();
    assert_close("document", found.rate.rate, 1.0 / 3.0, 1e-15, 0.0);

    let mut negative = strengths.clone();
    negative.row_mut(3)[1] = -1.0;
    let refused = polysemanticity(&negative, &embeddings, &document).unwrap_err();
    assert_eq!(refused.field(), Some("strengths"));
    assert!(polysemanticity(&strengths, &drawn(1, 29, 3), &document).is_err());
}

#[test]
fn matryoshka_equals_the_vectors() {
    vectors(include_str!("../golden/m11_matryoshka.json"), 8, |name, input, wanted, tolerance| {
        let [small, large, decoder] = ["acts_small", "acts_large", "dec_large"].map(|key| matrix(&input[key]));
        let threshold = number(&input["cosine_threshold"]);
        let of = |k| {
            let (small, large) = (Activations::Dense(&small), Activations::Dense(&large));
            matryoshka(small, large, &decoder, k, threshold).unwrap()
        };
        let found = of(number(&input["k"]) as usize);
        let names = [
            "coherence",
            "splitting_rate",
            "absorption_rate_code",
            "absorption_rate_document_all_large",
            "absorption_rate_alive_only",
            "consistency_code",
            "consistency_document",
            "best_large",
            "dead_small",
        ];
        same(name, &found, wanted, &names, tolerance);
        // With all of them, every correlation is there.
        for (row, wanted) in of(1_000).correspondence.iter().zip(wanted["corr"].as_array().unwrap()) {
            let wanted = numbers(wanted);
            assert_eq!(row.len(), wanted.len());
            for (at, value) in row {
                assert_close(name, *value, wanted[*at], tolerance[0], tolerance[1]);
            }
        }
    });
    let one = Matrix::from_rows(&[vec![1.0, 2.0]]).unwrap();
    let found = matryoshka(Activations::Dense(&one), Activations::Dense(&one), &identity(2), 1, 0.5);
    // A single position varies nowhere.
    assert_eq!(found.unwrap().dead_small, 2);
}

#[test]
fn adaptive_sparsity_equals_the_vectors() {
    let text = include_str!("../golden/m12_adaptive_sparsity.json");
    vectors(text, 10, |name, input, wanted, tolerance| {
        let (complexity, k) = (numbers(&input["complexity"]), numbers(&input["k_active"]));
        let threshold = number(&input["mismatch_threshold"]);
        let found = adaptive_sparsity(&complexity, &k, threshold);
        match name {
            "empty" => assert_eq!(found.unwrap_err().code(), "statistics.too-few"),
            "nan" => assert_eq!(found.unwrap_err().code(), "statistics.non-finite"),
            _ => {
                let mut names = vec![
                    "slope",
                    "intercept",
                    "expected_k",
                    "deviation",
                    "complexity_k_correlation",
                    "mismatch_rate_at_0_2",
                ];
                let rates = ["k_mismatch_rate", "over_activation_rate", "under_activation_rate", "passed"];
                if name == "negative_expected" {
                    // The last deviation is exactly 2, which does not exceed 2; least squares by NumPy are a rounding
                    // above it. Just below the threshold both say the same.
                    assert_eq!(found.clone().unwrap().k_mismatch_rate, 0.0);
                    let below = adaptive_sparsity(&complexity, &k, threshold - 1e-9).unwrap();
                    same(name, &below, wanted, &rates, tolerance);
                } else {
                    names.extend(rates);
                }
                same(name, &found.unwrap(), wanted, &names, tolerance);
            }
        }
    });
}

#[test]
fn expected_numbers_divide_as_the_text_has_it() {
    let of = |k: &[f64], threshold| -> AdaptiveSparsity {
        let x: Vec<f64> = (0..k.len()).map(|at| at as f64).collect();
        adaptive_sparsity(&x, k, threshold).unwrap()
    };
    // Expected 7, 4, 1, −2: deviations 3/7, −1, −1, and of a negative number none.
    let found = of(&[10.0, 0.0, 0.0, 0.0], 0.5);
    assert_eq!(found.k_mismatch_rate_document, 0.5);
    assert_eq!(found.under_activation_rate_document, 0.5);
    assert_eq!(found.k_mismatch_rate, 0.75);
    // Expected 0.5 of each: the code divides by 1, the text by 0.5.
    let found = of(&[1.0, 0.0, 0.0, 1.0], 0.6);
    assert_eq!((found.k_mismatch_rate, found.k_mismatch_rate_document), (0.0, 1.0));
    assert_eq!(found.over_activation_rate_document, 0.5);
    // Where complexity is always 3, the smallest line through the mean 5 is 1.5x + 0.5.
    let found = adaptive_sparsity(&[3.0; 4], &[4.0, 6.0, 5.0, 5.0], 2.0).unwrap();
    assert_close("slope", found.slope, 1.5, 1e-15, 0.0);
    assert_close("intercept", found.intercept, 0.5, 1e-15, 0.0);
    assert_eq!(found.complexity_k_correlation, 0.0);
    assert!(adaptive_sparsity(&[1.0], &[1.0], -1.0).is_err());
    assert!(adaptive_sparsity(&[1.0, 2.0], &[1.0], 1.0).is_err());
}

#[test]
fn superposition_equals_the_vectors() {
    let text = include_str!("../golden/m13_superposition.json");
    vectors(text, 6, |name, input, wanted, tolerance| {
        let (x, directions) = (matrix(&input["X"]), matrix(&input["feature_dirs"]));
        let found = superposition(&x).unwrap();
        let names = ["participation_ratio", "packing_ratio", "regime_code", "packing_upper_bound"];
        same(name, &found, wanted, &names, tolerance);
        let found = spectrum(&x, number(&input["n_top"]) as usize).unwrap();
        let names = ["singular_values", "interference_is_numerically_zero"];
        same(name, &found, wanted, &names, tolerance);
        let found = feature_superposition(&directions).unwrap();
        let names =
            ["feature_packing", "feature_interference", "regime_on_feature_directions_code_rule", "welch_bound_rms"];
        same(name, &found, wanted, &names, tolerance);
        assert!(found.feature_interference_rms >= found.welch_bound_rms * (1.0 - 1e-12));
    });
}

/// Neither packing nor interference depends on the scale, however large the squares are.
#[test]
fn superposition_is_that_of_any_scale() {
    for (rows, cols) in [(9, 4), (4, 9)] {
        let x = drawn(7, rows, cols);
        for power in [255, 300, 1_000] {
            let large = x.data().iter().map(|value| libm::ldexp(*value, power)).collect();
            let large = Matrix::from_vec(rows, cols, large).unwrap();
            assert_eq!(superposition(&large).unwrap(), superposition(&x).unwrap(), "2^{power}");
            let (found, wanted) = (feature_superposition(&large), feature_superposition(&x));
            let [found, wanted] = [found, wanted].map(|one| one.unwrap().feature_interference);
            assert_close("interference", found, wanted, 1e-14, 0.0);
        }
    }
}

/// The Gram matrix in blocks says what a decomposition does, on either side.
#[test]
fn blocks_of_a_gram_matrix_have_its_sums() {
    for (rows, cols) in [(700, 300), (300, 700)] {
        let x = drawn(7, rows, cols);
        let values = spectrum(&x, 1).unwrap().singular_values;
        let sum = |power: i32| values.iter().map(|s| (0..power).fold(1.0, |all, _| all * s)).sum::<f64>();
        let wanted = sum(2) * sum(2) / sum(4);
        let found = superposition(&x).unwrap().participation_ratio;
        assert_close("PR", found, wanted, 1e-10, 0.0);
    }
    // All pairs of more directions than a block has.
    let directions = drawn(8, 300, 4);
    let (mut sum, mut pairs) = (0.0, 0);
    let norm = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
    for i in 0..300 {
        for j in 0..i {
            let (a, b) = (directions.row(i), directions.row(j));
            let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
            sum += (dot / (norm(a) * norm(b))).abs();
            pairs += 1;
        }
    }
    let found = feature_superposition(&directions).unwrap();
    assert_close("pairs", found.feature_interference, sum / f64::from(pairs), 1e-11, 0.0);
}

#[test]
fn layers_go_with_the_most_and_ties_with_the_least_crowded() {
    use Regime::{Strong, Transition, Weak};
    assert_eq!(summarise_layers(&[Strong, Weak, Strong]).unwrap().regime, Strong);
    assert_eq!(summarise_layers(&[Strong, Weak]).unwrap().regime, Weak);
    assert_eq!(summarise_layers(&[Strong, Transition]).unwrap().regime, Transition);
    assert_eq!(summarise_layers(&[Strong, Transition]).unwrap().share_strong, 0.5);
    assert!(summarise_layers(&[]).is_err());
    // Where the text and the code differ: high interference alone.
    assert_eq!((Regime::by_document_rule(0.5, 0.2), Regime::by_code_rule(0.5, 0.2)), (Strong, Transition));
}

#[test]
fn safety_sve_equals_the_vectors() {
    vectors(include_str!("../golden/m14_safety_sve.json"), 11, |name, input, wanted, tolerance| {
        if let Some(sves) = input.get("all_sves") {
            let found = stability(&numbers(sves)).unwrap();
            assert_close(name, found, number(&wanted["stability"]), tolerance[0], tolerance[1]);
            return;
        }
        let found = safety_sve(&matrix(&input["directions"]), &[]).unwrap();
        let names = ["effective_rank_90_code", "singular_values_centred", "max_possible_centred"];
        same(name, &found, wanted, &names, tolerance);
        for (found, key) in [(found.sve_code, "sve_code_centred"), (found.sve_document, "sve_document_uncentred")] {
            assert_close(name, found, number(&wanted[key]), tolerance[0], tolerance[1]);
        }
        assert_eq!((found.stability_code, found.pass_code), (None, None));
    });
    let zero = direction_spectrum(&Matrix::zeros(3, 4)).unwrap();
    assert_eq!((zero.effective_rank_90, zero.effective_rank_90_code), (0, 4));
}

#[test]
fn draws_of_prompts_are_three_quarters_of_each_set() {
    let found = draw_subsamples(125, 131, 3);
    assert_eq!(found.len(), 3);
    for (run, [first, second]) in (0_u32..).zip(&found) {
        assert_eq!((first.len(), second.len()), (93, 98));
        let mut rng = NumpyRng::new(42 + run);
        assert_eq!(*first, rng.choice(125, 93));
        assert_eq!(*second, rng.choice(131, 98));
    }
}

#[test]
fn nla_sae_equals_the_vectors() {
    vectors(include_str!("../golden/ex34_nla_sae.json"), 5, |name, input, wanted, tolerance| {
        let [directions, activations, unembed] = ["dirs", "acts", "W_U"].map(|key| matrix(&input[key]));
        let words = tokens(&input["tokens"]);
        let k = number(&input["k"]) as usize;
        let found = nla_sae(&directions, &activations, &words, &unembed, k).unwrap();
        let names =
            ["mean_token_overlap", "mean_direction_cosine", "std_token_overlap", "std_direction_cosine", "passed"];
        same(name, &found, wanted, &names, tolerance);
        let each = found.per_feature.iter().zip(wanted["per_feature"].as_array().unwrap());
        each.for_each(|(found, wanted)| {
            same(name, found, wanted, &["token_overlap", "direction_cosine"], tolerance);
        });
        assert_eq!(found.enough_positions, words.len() >= k + 5, "{name}");
        assert_eq!(found.pass_overlap_only, found.mean_token_overlap > 0.3);
        assert!(nla_sae(&directions, &activations, &words, &unembed, 0).is_err());
    });
}

/// What the formulas can reach, each by a case that is computed.
#[test]
fn what_thresholds_can_reach() {
    // M07: random directions pass as coded, since only how many features are active is compared.
    let (width, features) = (16, 32);
    let world = drawn(11, 400, width);
    let active = |directions: &Matrix| {
        let mut codes = sfc_bench::linalg::product(&world, &directions.transposed());
        for row in 0..codes.rows() {
            let row = codes.row_mut(row);
            let mut falling = row.to_vec();
            falling.sort_by(|a, b| b.total_cmp(a));
            let least = falling[2];
            row.iter_mut().filter(|value| **value < least).for_each(|value| *value = 0.0);
        }
        codes
    };
    let (a, b) = (drawn(1, features, width), drawn(2, features, width));
    let found = duality((&active(&a), &a, &a), (&active(&b), &b, &b), vec![]).unwrap();
    assert!(found.pass_code && found.agreement_code > 0.6 && !found.pass_matched, "{found:?}");
    assert!((found.direction_agreement - found.direction_chance).abs() < 0.05);

    // M11: as many orthogonal directions as k asks for always split, so consistency is 1/2 at most; near-parallel ones pass.
    let activations = drawn(12, 300, 20);
    let acts = Activations::Dense(&activations);
    let split = matryoshka(acts, acts, &identity(20), m11::TOP_K, 0.5).unwrap();
    assert_eq!((split.splitting_rate, split.consistency_code), (1.0, 0.5));
    let mut parallel = identity(20);
    parallel.data_mut().iter_mut().for_each(|value| *value += 1.0);
    let whole = matryoshka(acts, acts, &parallel, m11::TOP_K, 0.5).unwrap();
    assert_eq!((whole.consistency_code, whole.pass_code), (1.0, true));

    // M12: a fixed number of active features always passes, and nothing is ever under-activated at a threshold of 2.
    let complexity: Vec<f64> = drawn(13, 1, 200).data().iter().map(|x| 5.0 + x).collect();
    let fixed = adaptive_sparsity(&complexity, &[8.0; 200], m12::MISMATCH_THRESHOLD).unwrap();
    assert!(fixed.passed && fixed.k_mismatch_rate == 0.0 && fixed.complexity_k_correlation == 0.0);
    for seed in 20..40 {
        let k: Vec<f64> = drawn(seed, 1, 200).data().iter().map(|x| (30.0 * x).max(0.0)).collect();
        let found = adaptive_sparsity(&complexity, &k, m12::MISMATCH_THRESHOLD).unwrap();
        assert_eq!(found.under_activation_rate, 0.0);
        assert!(found.deviation.iter().all(|value| *value >= -1.0 - 1e-12));
    }

    // M13: neither rule can say strong of principal components, whatever the activations.
    for seed in 40..50 {
        let found = superposition(&drawn(seed, 500, 12)).unwrap();
        assert!(found.packing_ratio <= found.packing_upper_bound + 1e-12);
        assert!(found.regime_code < Regime::Strong && found.regime_document < Regime::Strong);
        assert!(spectrum(&drawn(seed, 500, 12), m13::TOP_COMPONENTS).unwrap().interference < 1e-12);
    }
    assert_eq!(Regime::by_code_rule(1.0, 0.0), Regime::Transition);

    // M14: up to eight layers the code's entropy is below 2 whatever the directions; with nine it need not be.
    for layers in 2..=9 {
        let most = safety_sve(&identity(layers), &[]).unwrap();
        assert_close("most", most.sve_code, most.max_possible_centred, 1e-12, 1e-12);
        assert_eq!(most.sve_code < 2.0, layers <= 8, "{layers}");
    }

    // M09: a core holds a tenth, and so does no more of it stay.
    assert_eq!(select_core(&[1.0; 256], m09::CORE_SHARE).unwrap().len(), 25);
    assert_eq!(select_core(&[1.0; 3], m09::CORE_SHARE).unwrap(), [0]);
}

/// Quantities that conditions name are fields of the results, and rows of a table exclude each other where they should.
#[test]
fn what_is_said_of_metrics_names_what_they_give() {
    let x = drawn(1, 40, 6);
    let acts = Activations::Dense(&x);
    let whole = identity(6);
    let words: Vec<u32> = (0..40).map(|at| at % 6).collect();
    let value = |found: Result<Value, serde_json::Error>| found.unwrap();
    let m07 = duality((&x, &whole, &whole), (&x, &whole, &whole), vec![]).unwrap();
    let lens = weight_lens(&whole, &whole, acts, &words, 2).unwrap();
    let cores = core_stability(&[vec![0]], &[0], 6, 0.8).unwrap();
    let strengths = Matrix::from_vec(40, 6, x.data().iter().map(|x| x.abs()).collect()).unwrap();
    let prism = polysemanticity(&strengths, &x, &polysemanticity::Settings::default()).unwrap();
    let scales = matryoshka(acts, acts, &whole, 2, 0.5).unwrap();
    let adaptive = adaptive_sparsity(&[1.0, 2.0], &[1.0, 2.0], 2.0).unwrap();
    let regimes = summarise_layers(&[Regime::Weak]).unwrap();
    let safety = safety_sve(&x, &[drawn(2, 40, 6)]).unwrap();
    let nla = nla_sae(&whole, &x, &words, &whole, 3).unwrap();
    let all: [(MetricDescription, Value); 9] = [
        (architecture_duality::ABOUT, value(serde_json::to_value(m07))),
        (m08::ABOUT, value(serde_json::to_value(lens))),
        (m09::ABOUT, value(serde_json::to_value(cores))),
        (polysemanticity::ABOUT, value(serde_json::to_value(prism))),
        (m11::ABOUT, value(serde_json::to_value(scales))),
        (m12::ABOUT, value(serde_json::to_value(adaptive))),
        (m13::ABOUT, value(serde_json::to_value(regimes))),
        (m14::ABOUT, value(serde_json::to_value(safety))),
        (ex34::ABOUT, value(serde_json::to_value(nla))),
    ];
    for (about, found) in all {
        let rows = about.table.iter().flat_map(|row| row.when);
        let conditions = about.passes.document.iter().chain(about.passes.code).chain(rows);
        for Condition { quantity, .. } in conditions {
            assert!(found[quantity].is_number(), "{}: {quantity} in {found}", about.id);
        }
    }
}
