//! `measure m07` to `m14` and `ex34`: what programs read of them, held against the reference.

use serde_json::Value;

use crate::common::json;
use crate::little::{self, near};

fn run(args: &[&str]) -> (bool, String, String) {
    little::run(&[&["measure"], args].concat())
}

fn printed(args: &[&str]) -> Value {
    little::printed(&[&["measure"], args].concat())
}

#[test]
fn metrics_of_decompositions_are_printed_by_the_names_of_the_vectors() {
    let golden = json(include_str!("../golden/model/measurement.json"));
    // In single precision a latent of 2,000 positions falls the other way now and then.
    let held = |args: &[&str], wanted: &Value, names: &[&str]| {
        let found = printed(args);
        names.iter().for_each(|name| near(name, &found[name], &wanted[name], 2e-3));
    };
    let names = [
        "feature_overlap_code",
        "feature_overlap_matched",
        "direction_agreement",
        "agreement_code",
        "agreement_matched",
    ];
    let wanted = &golden["m07"]["topk256~relu256"];
    held(&["m07", "--a", "topk256", "--b", "relu256", "--json"], wanted, &names);
    let wanted = &golden["m08"]["relu128 k=10"];
    held(&["m08", "--sae", "relu128", "--top-k", "10", "--json"], wanted, &["agreement"]);
    let wanted = &golden["m11"]["relu128>relu256 k=20"];
    let names = ["splitting_rate", "absorption_rate_code", "consistency_document"];
    held(&["m11", "--small", "relu128", "--large", "relu256", "--json"], wanted, &names);
    let wanted = &golden["m12"]["relu256 thr=0.5"];
    let names = ["k_mismatch_rate", "complexity_k_correlation"];
    held(&["m12", "--sae", "relu256", "--mismatch-threshold", "0.5", "--json"], wanted, &names);
    let names = ["participation_ratio", "feature_interference", "welch_bound_rms"];
    held(&["m13", "--sae", "random256", "--json"], &golden["m13"]["random256"], &names);
    let names = ["mean_token_overlap", "mean_direction_cosine"];
    held(&["ex34", "--sae", "relu256", "--json"], &golden["ex34"]["relu256 k=20"], &names);
    let names = ["sve_code", "sve_document"];
    held(&["m14", "--json"], &golden["m14"]["unsafe_vs_safe"], &names);
    held(&["m14", "--null", "--json"], &golden["m14"]["safe_vs_safe_null"], &names);
}

#[test]
fn both_readings_are_printed_side_by_side() {
    let found = printed(&["m10", "--sae", "topk128", "--n-features", "20", "--json"]);
    for reading in ["document", "code"] {
        assert_eq!(found[reading]["n_alive"], 20);
        assert!(found[reading]["rate"].is_number());
    }
    let found = printed(&["m09", "--sae", "topk128", "--steps", "20", "--json"]);
    for reading in ["document", "code"] {
        assert_eq!(found[reading]["overlaps"].as_array().unwrap().len(), 2);
    }
    let (success, text, _) = run(&["m13"]);
    assert!(success && text.contains("packing_ratio") && text.contains("weak"), "{text}");
    let (success, text, _) = run(&["m14", "--csv"]);
    assert!(success && text.starts_with("quantity,value\n"), "{text}");
}

#[test]
fn what_is_refused_is_named() {
    for (args, wanted) in [
        (&["m07", "--a", "topk"][..], "sae = \"topk\"; allowed: topk256, "),
        (&["m08", "--top-k", "145"], "top_k is 145; allowed: a whole number from 1 to 144"),
        (&["m10", "--cluster-threshold", "3"], "cluster_threshold is 3; allowed: a number from 0"),
        (&["m09", "--n-cycles", "0"], "n_cycles is 0; allowed: a whole number from 1 to 100"),
        (&["m12", "--mismatch-threshold", "nan"], "mismatch_threshold is not a number"),
        (&["m14", "--checkpoint", "ck-1"], "checkpoint = \"ck-1\"; allowed: ck-00000"),
    ] {
        let (success, _, error) = run(args);
        assert!(!success && error.contains(wanted), "{args:?}: {error}");
    }
}
