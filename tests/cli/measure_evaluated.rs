//! `measure ex1` to `ex25`, `mib` and `own`: what programs read of them, held against the reference.

use serde_json::Value;

use crate::common::json;
use crate::toy_model::{self, near};

fn run(args: &[&str]) -> (bool, String, String) {
    toy_model::run(&[&["measure"], args].concat())
}

fn printed(args: &[&str]) -> Value {
    toy_model::printed(&[&["measure"], args].concat())
}

#[test]
fn metrics_of_evaluations_are_printed_by_the_names_of_the_vectors() {
    let golden = &json(include_str!("../golden/model/circuits.json"))["ck-12000"]["ioi"];
    let held = |found: &Value, wanted: &Value, names: &[&str]| {
        names.iter().for_each(|name| near(name, &found[name], &wanted[name], 1e-4));
    };
    let found = printed(&["ex1", "--json"]);
    let names = ["dprime", "criterion_c", "beta_likelihood_ratio", "auc", "hit_rate", "dprime_max"];
    held(&found, &golden["ex1"], &names);
    assert_eq!(found["circuit"], golden["circuit"]);
    assert_eq!((&found["task"], &found["prompts"]), (&"ioi".into(), &128.into()));
    let found = printed(&["ex2", "--json"]);
    held(&found, &golden["ex2"], &["max_dif_code", "max_dif_standard", "value_code"]);
    assert!(found["circuit_alone"]["max_dif_standard"].is_number());
    let found = printed(&["ex11", "--json"]);
    held(&found, &golden["ex11"], &["weber_consistency_code", "weber_consistency_relative_jnd"]);
    assert_eq!(found["all_detectable"], golden["ex11"]["all_detectable"]);
    let found = printed(&["mib", "--json"]);
    let names = ["cpr", "cmd_signed_document", "cmd_abs_mib", "span", "cpr_over_span", "cpr_log_mib"];
    held(&found, &golden["mib_code"], &names);
    held(&found["ranked"], &golden["mib_ranked"], &names);
    held(&found["normalised"], &golden["mib_code"]["normalised"], &names);
    assert_eq!(found["edges"], 48);

    let golden = &json(include_str!("../golden/model/audit.json"))["ioi"];
    let found = printed(&["ex24", "--json"]);
    held(&found["document"], golden, &["cv_probe_sample", "cv_probe_pop"]);
    held(&found["code"], &golden["code"], &["cv_probe_pop", "cv_ablation_pop"]);
    assert!(found["document"]["cohens_d_document"].is_number());
    assert_eq!(found["seeds"], serde_json::json!([42, 123, 456, 789, 2024]));
    let found = printed(&["ex25", "--n-runs", "3", "--json"]);
    held(&found, &golden["ex25"], &["deviation_rate", "max_deviation", "coherence_code"]);
    near("coherence_aligned", &found["coherence_aligned"], &1.0.into(), 1e-3);
}

#[test]
fn controls_other_metrics_and_all_tasks_may_be_asked_for() {
    let found = printed(&["ex1", "--circuit", "random", "--seed", "0", "--json"]);
    assert_eq!(found["circuit"], json(include_str!("../golden/model/audit.json"))["ioi"]["random"]);
    assert_eq!(printed(&["ex1", "--circuit", "empty", "--json"])["dprime"], 0.0);
    assert_eq!(printed(&["mib", "--circuit", "found", "--json"])["edges"], 2);
    let few = ["--prompts", "16", "--json"];
    let found = printed(&[&["ex25", "--metric", "ablation-recovery"], &few[..]].concat());
    assert_eq!((&found["subject"], &found["metric"]), (&"found".into(), &"ablation-recovery".into()));
    let found = printed(&[&["ex24", "--n-reseeds", "3", "--concept", "place"], &few[..]].concat());
    assert_eq!((&found["concept"], found["seeds"].as_array().unwrap().len()), (&"place".into(), 3));
    for (metric, aggregate) in [("ex25", "mean_deviation_rate"), ("ex24", "mean_cv")] {
        let found = printed(&[&[metric, "--task", "all"], &few[..]].concat());
        assert_eq!(found["tasks"].as_object().unwrap().len(), 10);
        assert!(found["aggregate"][aggregate].is_number(), "{found}");
    }
    let found = printed(&[&["ex11", "--task", "all"], &few[..]].concat());
    assert!(found["tasks"]["sum"]["jnd_full"].is_array());
    let (success, text, _) = run(&["mib", "--task", "agree", "--prompts", "16", "--csv"]);
    assert!(success && text.starts_with("quantity,value\n") && text.contains("\ncpr,"), "{text}");
    let (success, text, _) = run(&["ex2", "--prompts", "16"]);
    assert!(success && text.contains("max_dif_code"), "{text}");
}

#[test]
fn what_is_refused_is_named() {
    for (args, wanted) in [
        (&["ex1", "--task", "io"][..], "task is \"io\"; allowed: ioi, copy"),
        (&["ex1", "--checkpoint", "ck-1"], "checkpoint = \"ck-1\"; allowed: ck-00000"),
        (&["ex2", "--circuit", "founded"], "circuit is \"founded\"; allowed: found, random, full, empty"),
        (&["mib", "--prompts", "0"], "prompts = 0; allowed: 1 to 4096"),
        (&["ex24", "--n-reseeds", "1"], "n_reseeds = 1; allowed: 2 to 100"),
        (&["ex24", "--concept", "persons"], "concept is \"persons\"; allowed: person, animal"),
        (&["ex25", "--n-runs", "101"], "n_runs = 101; allowed: 2 to 100"),
        (&["ex25", "--metric", "probe"], "metric is \"probe\"; allowed: logit-difference"),
        (&["own", "nowhere.csv"], "cannot read nowhere.csv"),
    ] {
        let (success, _, error) = run(args);
        assert!(!success && error.contains(wanted), "{args:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_readers_own_files_are_measured_together() {
    let folder = std::env::temp_dir().join(format!("sfc-bench-measure-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("seed_1")).unwrap();
    std::fs::create_dir_all(folder.join("seed_2")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("ioi.csv", "clean,ablated\n2,-1\n3,-2\n1,-1\n4,-3\n2,0.5\n");
    write("curve.csv", "threshold,faithfulness\n0.001,0\n0.5,1\n1,1\n");
    let metadata = "\"task\": \"ioi\", \"hit_rate\": 1.0, \"false_alarm_rate\": 0.5, \"dprime\": 1.5";
    let result = |value: f64| {
        format!(
            "{{\"metric_id\": \"EX1.dprime\", \"value\": {value}, \"n_samples\": 40, \"metadata\": {{{metadata}}}}}\n"
        )
    };
    write("seed_1/EX1_dprime.jsonl", &result(1.5));
    write("seed_2/EX1_dprime.jsonl", &result(1.7));
    // However many results there are, all are printed.
    let many: String = (0..20).map(|at| result(f64::from(at)).replace("ioi", &format!("t{at}"))).collect();
    write("many.jsonl", &many);
    let name = folder.display().to_string();
    let found = printed(&["own", &name, "--json"]);
    let found = found["found"].as_array().unwrap();
    let of = |metric: &str| -> Vec<&Value> {
        found.iter().filter(|one| one["metric"] == metric).map(|one| &one["found"]).collect()
    };
    near("d′", &of("ex1")[0]["ex1"]["dprime"], &2.123_172_461.into(), 1e-3);
    near("CPR", &of("mib")[0]["area"]["cpr"], &0.7495.into(), 1e-12);
    let results = of("results");
    assert_eq!((results.len(), results[0].as_array().unwrap().len()), (3, 20));
    let seeds = of("seeds")[0].as_array().unwrap();
    assert_eq!(seeds[0]["audit"]["configurations"][0]["values"], serde_json::json!([1.5, 1.7]));
    let (success, text, _) = run(&["own", &name]);
    assert!(success && text.contains("ex1.dprime") && text.contains("differs"), "{text}");
    let (success, text, _) = run(&["own", &name, "--csv"]);
    assert!(success && text.starts_with("file,metric,quantity,value\n"), "{text}");
    write("bad.jsonl", "{\"metric_id\": \"a\", \"value\": 1}\n{\"metric_id\": \"a\"}\n");
    let (success, _, error) = run(&["own", &folder.join("bad.jsonl").display().to_string()]);
    assert!(!success && error.contains("bad.jsonl, line 2, value"), "{error}");
    assert!(error.contains("[io.field]") && error.lines().count() == 1, "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
