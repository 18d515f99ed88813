//! Measurement theory's metrics of decompositions on the toy model, against the same in double precision
//! (tests/golden/model/measurement.json).

use serde::Serialize;
use serde_json::Value;
use sfc_bench::papers::measurement::metric::core_stability::CycleSettings;
use sfc_bench::papers::measurement::metric::{Reading, architecture_duality, polysemanticity};
use sfc_bench::papers::measurement::toy_model::{Contrast, DIRECTIONS_MAX, ResidualStream, m14};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::{assert_close, json, number};

/// The model is in single precision here. Directions are weights, which both have alike.
const WEIGHTS: f64 = 1e-6;
/// Of 2,000 positions a latent next to a threshold, or next to another of eight that are kept, falls the other way.
const ACTIVE: f64 = 1e-3;

fn given() {
    give!("ck-00750", "ck-12000", "sae", "sae_controls");
}

fn golden(of: &str) -> Value {
    json(include_str!("../golden/model/measurement.json"))[of].clone()
}

/// Each number of a golden entry under one of `names` is the result's, but for so much.
fn same(what: &str, found: &impl Serialize, wanted: &Value, names: &[(&str, f64)]) {
    let found = serde_json::to_value(found).unwrap();
    for (name, slack) in names {
        let what = format!("{what}, {name}");
        match &wanted[name] {
            Value::Number(wanted) => {
                assert_close(&what, number(&found[name]), wanted.as_f64().unwrap(), 0.0, *slack);
            }
            wanted => assert_eq!(found[name], *wanted, "{what}"),
        }
    }
}

#[test]
fn architecture_duality_of_shipped_autoencoders() {
    given();
    let stream = ResidualStream::for_final_checkpoint().unwrap();
    assert_eq!(stream.drawn_positions().len(), 2_000);
    let settings = architecture_duality::Settings::default();
    let all = golden("m07");
    let all = all.as_object().unwrap();
    assert_eq!(all.len(), 8);
    for (pair, wanted) in all {
        let (a, b) = pair.split_once('~').unwrap();
        let (a, b) = (stream.encode_by_name(a).unwrap(), stream.encode_by_name(b).unwrap());
        let found = stream.m07(&a, &b, &settings).unwrap();
        let names = [
            ("feature_overlap_code", ACTIVE),
            ("feature_overlap_matched", ACTIVE),
            ("direction_agreement", WEIGHTS),
            ("agreement_code", ACTIVE),
            ("agreement_matched", ACTIVE),
            ("pass_code", 0.0),
            ("pass_matched", 0.0),
        ];
        same(pair, &found, wanted, &names);
        assert!(found.agreement_document.is_some());
        // A decoder whose rows are permuted agrees wholly as coded, though no latent means what it did.
        if pair.ends_with("permdec") {
            assert_eq!(found.agreement_code, 1.0);
        }
    }
    assert_eq!(stream.encode_by_name("topk").unwrap_err().field(), Some("sae"));
}

#[test]
fn words_of_shipped_autoencoders() {
    given();
    let stream = ResidualStream::for_final_checkpoint().unwrap();
    let lens = golden("m08");
    assert_eq!(lens.as_object().unwrap().len(), 30);
    for (of, wanted) in lens.as_object().unwrap() {
        let (name, k) = of.split_once(" k=").unwrap();
        let subject = stream.encode_by_name(name).unwrap();
        let found = stream.m08(&subject, k.parse().unwrap()).unwrap();
        let names = [
            ("agreement", ACTIVE),
            ("median", 2e-3),
            ("std_pop", ACTIVE),
            ("frac_above", 5e-3),
            ("active_features", 0.0),
            ("passed", 0.0),
        ];
        same(of, &found, wanted, &names);
    }
    for (of, wanted) in golden("ex34").as_object().unwrap() {
        let (name, k) = of.split_once(" k=").unwrap();
        let subject = stream.encode_by_name(name).unwrap();
        let found = stream.ex34(&subject, k.parse().unwrap(), DIRECTIONS_MAX).unwrap();
        // Where all positions have the same row, such as the first word of texts that begin alike, there is no component;
        // in double precision it is that of the rounding, and has any cosine.
        let alike = found.per_feature.iter().filter(|found| found.direction_cosine == 0.0).count();
        let any = alike as f64 / found.per_feature.len() as f64;
        assert!(any < 0.1, "{of}: {alike}");
        let names = [
            ("mean_token_overlap", ACTIVE),
            ("mean_direction_cosine", ACTIVE + any),
            ("std_token_overlap", ACTIVE),
            ("passed", 0.0),
        ];
        same(of, &found, wanted, &names);
    }
}

#[test]
fn scales_and_numbers_of_shipped_autoencoders() {
    given();
    let stream = ResidualStream::for_final_checkpoint().unwrap();
    let scales = golden("m11");
    assert_eq!(scales.as_object().unwrap().len(), 20);
    for (of, wanted) in scales.as_object().unwrap() {
        let (pair, k) = of.split_once(" k=").unwrap();
        let (small, large) = pair.split_once('>').unwrap();
        let (small, large) = (stream.encode_by_name(small).unwrap(), stream.encode_by_name(large).unwrap());
        let found = stream.m11(&small, &large, k.parse().unwrap()).unwrap();
        let names = [
            // One feature of 128 more or less.
            ("splitting_rate", 8e-3),
            ("absorption_rate_code", 8e-3),
            ("absorption_rate_document_all_large", 4e-3),
            ("absorption_rate_alive_only", 8e-3),
            ("consistency_code", 8e-3),
            ("consistency_document", 8e-3),
            ("dead_small", 0.0),
        ];
        same(of, &found, wanted, &names);
    }
    for (of, wanted) in golden("m12").as_object().unwrap() {
        let (name, threshold) = of.split_once(" thr=").unwrap();
        let subject = stream.encode_by_name(name).unwrap();
        let found = stream.m12(&subject, threshold.parse().unwrap()).unwrap();
        let names = [
            // One text of 600 more or less.
            ("k_mismatch_rate", 2e-3),
            ("over_activation_rate", 2e-3),
            ("under_activation_rate", 2e-3),
            ("complexity_k_correlation", ACTIVE),
            ("passed", 0.0),
        ];
        same(of, &found, wanted, &names);
    }
    let wanted = golden("m13");
    for name in ["topk128", "topk256", "relu256", "random256"] {
        let found = stream.m13(&stream.encode_by_name(name).unwrap()).unwrap();
        let names = [
            ("participation_ratio", 1e-4),
            ("packing_ratio", WEIGHTS),
            ("packing_upper_bound", WEIGHTS),
            ("regime_code", 0.0),
            ("feature_packing", WEIGHTS),
            ("feature_interference", WEIGHTS),
            ("regime_on_feature_directions_code_rule", 0.0),
            ("welch_bound_rms", WEIGHTS),
        ];
        same(name, &found, &wanted[name], &names);
        assert_eq!(found.layers.len(), 3);
        assert_eq!(found.layers.get(1), Some(&found.activations));
    }
}

#[test]
fn directions_of_requests() {
    given();
    let close = |found: f64, wanted: &Value| {
        assert_close("m14", found, number(wanted), 1e-4, 1e-6);
    };
    let all = [(Contrast::Unsafe, "unsafe_vs_safe"), (Contrast::SafeHalves, "safe_vs_safe_null")];
    for (contrast, name) in all {
        let found = m14("ck-12000", contrast, 3).unwrap();
        let wanted = &golden("m14")[name];
        close(found.sve_code, &wanted["sve_code"]);
        close(found.sve_document, &wanted["sve_document"]);
        close(found.max_possible_centred, &wanted["max_possible"]);
        close(found.stability_code.unwrap(), &wanted["stability"]);
        assert_eq!(found.effective_rank_90_code as f64, number(&wanted["rank90"]));
        for (list, name) in [(&found.norms, "norms"), (&found.sves_code, "sves")] {
            let wanted = wanted[name].as_array().unwrap();
            assert_eq!(list.len(), wanted.len());
            list.iter().zip(wanted).for_each(|(found, wanted)| close(*found, wanted));
        }
        // Also where there is nothing to tell apart.
        assert_eq!(found.pass_code, Some(true));
    }
    // Whatever three layers do, the entropy is below 2: the condition says nothing of them.
    let early = m14("ck-00750", Contrast::Unsafe, 3).unwrap();
    assert!(early.sve_code <= early.max_possible_centred && early.max_possible_centred < 2.0);
    assert!(m14("ck-1", Contrast::Unsafe, 3).is_err());
}

#[test]
fn contexts_and_cores_on_the_little_model() {
    given();
    let stream = ResidualStream::for_final_checkpoint().unwrap();
    for name in ["topk256", "random256"] {
        let subject = stream.encode_by_name(name).unwrap();
        for reading in [Reading::Document, Reading::Code] {
            let settings = polysemanticity::Settings { reading, ..Default::default() };
            let found = stream.m10(&subject, &settings).unwrap();
            assert_eq!((found.features.len(), found.rate.n_alive), (100, 100));
            let several = found.features.iter().filter(|found| found.clusters.n_clusters > 1).count();
            assert_eq!(found.rate.rate, several as f64 / 100.0);
        }
    }
    let settings = CycleSettings { features: 64, steps: 60, ..CycleSettings::default() };
    let found = stream.m09(&settings).unwrap();
    assert_eq!((found.document.drawn_anew, found.code.drawn_anew), (58.0, 0.0));
    assert!(found.code.stability.core_fraction_code <= 0.1);
    // What was only trained on reconstructs better than what began anew in each cycle.
    assert!(found.code.mse < found.document.mse, "{found:?}");
}
