//! What claims to be a reader's results for measurement theory, and is cut off, lies, or blows up: tables and arrays of
//! logit differences, circuits, SAEBench's results and mechval's. Refused in words, without a panic, within memory; and
//! changed at random, as in the other files here.

use serde_json::{Value, json};
use sfc_bench::NumpyRng;
use sfc_bench::io::json::{DEPTH_MAX, VALUES_MAX};
use sfc_bench::io::to_npy;
use sfc_bench::model::EdgeGraph;
use sfc_bench::papers::measurement::user_files::{OwnResults, read};
use sfc_bench::study::user_file::{UserFile, UserFileError};

use super::hostile::fuzz;
use super::memory::measured;
use super::mutate;

/// Most that reading a hostile file may take besides its own bytes: the values of a file of JSON, twice while a list of
/// them grows, or 100,000 results with their names.
const ALLOWED: isize = 160 << 20;

fn file(name: &str, bytes: impl Into<Vec<u8>>) -> UserFile {
    UserFile { name: name.to_owned(), bytes: bytes.into() }
}

#[track_caller]
fn refused(name: &str, bytes: impl Into<Vec<u8>>, codes: &[&str]) -> UserFileError {
    let given = file(name, bytes);
    let (result, most) = measured(|| read(vec![given]));
    let Err(error) = result else { panic!("{name}: read as if nothing were wrong") };
    let text = error.to_string();
    assert!(codes.contains(&error.code()), "{name}: {} ({text})", error.code());
    assert!(!text.contains('\n') && (12..1_200).contains(&text.len()), "{name}: {text:?}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{name}: {text:?}");
    assert!(most <= ALLOWED, "{name}: {most} bytes were held");
    error
}

/// A circuit of every edge, a third of them in it.
fn circuit() -> Value {
    let graph = EdgeGraph::new(2, 2);
    let edges = graph
        .edges()
        .enumerate()
        .map(|(at, edge)| (edge.to_string(), json!({"score": at as f64 / -8.0, "in_graph": at % 3 == 0})));
    json!({
        "cfg": {"n_layers": 2, "n_heads": 2, "parallel_attn_mlp": false},
        "nodes": {"input": {"in_graph": true}, "a0.h1": {"in_graph": false}},
        "edges": edges.collect::<serde_json::Map<String, Value>>(),
    })
}

/// A result of SAEBench, which a folder's name gives its seed.
fn saebench() -> Value {
    json!({
        "eval_type_id": "sparse_probing",
        "eval_result_metrics": {"sae": {"top_1": 0.75, "top_2": null}, "llm": {"accuracy": 0.9}},
    })
}

/// Results of mechval, of each of its metrics of evaluations.
fn mechval() -> Vec<Value> {
    let one = |metric: &str, metadata: Value| {
        json!({"metric_id": metric, "value": 0.5, "baseline_random": null, "n_samples": 40,
            "ci_low": null, "faithfulness_curve": null, "cpr": null, "cmd": null, "metadata": metadata})
    };
    let group = json!({"n": 13, "mean_ld": 1.5, "std_ld": 0.5, "accuracy": 1.0});
    let mut mib = one("MIB.faithfulness_curve", json!({"task": "ioi", "passed": true}));
    mib["faithfulness_curve"] = json!({"0.001": 0.0, "0.5": 0.75, "1.0": 1.0});
    mib["cpr"] = json!(0.6);
    vec![
        one(
            "EX1.dprime",
            json!({"task": "ioi", "hit_rate": 1.0, "false_alarm_rate": 0.5, "dprime": 2.24,
            "auc": 0.9, "signal_lds": [1.0, 2.0], "noise_lds": [-1.0, 0.5]}),
        ),
        one(
            "EX2.dif",
            json!({"task": "ioi", "max_dif_cohens_d": 0.4, "group_lds": {"a": [1, 2], "b": [2, 4]},
            "per_group_stats": {"common": group, "rare": group}}),
        ),
        one(
            "EX11.weber_fechner",
            json!({"task": "ioi", "weber_consistency": 0.6,
            "per_head_weber": {"L0H1": {"jnd_full": 0.1, "jnd_reduced": null}}}),
        ),
        one(
            "EX24.saebench_reliability_audit",
            json!({"task": "aggregate", "probe_cv": 0.1, "ablation_cv": 0.2,
            "mean_cv": 0.15, "probe_mean": 0.5, "probe_std": 0.05, "n_reseeds": 5}),
        ),
        one(
            "EX25.reproducibility_check",
            json!({"task": "ioi", "seed": 3, "run_means": [1.0, 1.1],
            "deviation_rate": 0.0, "runs": [[1, 2, 3], [3, 2, 1]], "prompts": [[0, 1, 2], [0, 1, 2]]}),
        ),
        mib,
    ]
}

fn lines(values: &[Value]) -> Vec<u8> {
    values.iter().map(|value| format!("{value}\n")).collect::<String>().into_bytes()
}

const TABLES: [&str; 5] = [
    "clean,ablated\n1,-1\n2.5,0.5\n3,0.25\n",
    "group,value\nrare,1\ncommon,2\nrare,1.5\ncommon,4\n",
    "seed,configuration,value\n42,topk,0.8\n123,topk,0.82\n42,relu,0.6\n123,relu,0.61\n",
    "run,prompt,value\n0,p1,2\n0,p2,5\n0,p3,1\n0,p4,4\n1,p2,5\n1,p3,1\n1,p4,4\n",
    "threshold,faithfulness\n0.001,0\n0.5,1\n1,1\n",
];

#[test]
fn what_is_no_result_is_refused() {
    let text = ["io.text", "io.field", "given.value"];
    for name in ["a.csv", "a.json", "a.jsonl"] {
        for bytes in [
            &b"\x1f\x8b\x08\x00\x00"[..],
            b"\xff\xfe[\x00",
            b"\x89PNG\r\n\x1a\n",
            b"PK\x03\x04",
            b"\x80\x04\x95\x0b",
            b"",
            b" \n\n",
            b"\xef\xbb\xbf",
            b"version https://git-lfs.github.com/spec/v1",
        ] {
            refused(name, bytes, &text);
        }
    }
    let deep = format!("{}{}", "[".repeat(DEPTH_MAX + 1), "]".repeat(DEPTH_MAX + 1));
    let many = format!("{{\"metric_id\": \"a\", \"value\": 1, \"x\": [{}0]}}", "0,".repeat(VALUES_MAX));
    for name in ["a.json", "a.jsonl"] {
        for text in [&"[".repeat(1_000_000), &"{\"metric_id\":".repeat(300_000), &deep, &many] {
            refused(name, text.as_str(), &["io.text"]);
        }
        for json in ["null", "NaN", "\"a\"", "[1]", "{}", "[null]", "{\"value\": 1}"] {
            // Of a whole file of JSON its keys are told where no tool that is known has such.
            refused(name, json, &["io.field", "given.value"]);
        }
    }
    // Names that would do something to a terminal are told as what they are.
    let escape = "{\"metric_id\": \"a\", \"value\": \"\\u001b[2J\u{202e}\"}";
    refused("a.jsonl", escape, &["io.field"]);
    let key = "{\"metric_id\": \"mib.x\", \"value\": 1, \"faithfulness_curve\": {\"\\u001b[2J\": 1}}";
    refused("a.jsonl", key, &["io.field"]);
    // What a refusal allows may be what another line of the file said.
    let set = format!("res\n\u{1b}[2J\u{202e}{}", "x".repeat(5_000));
    let feature = |share: f64| json!({ "feature_index": 1, "frac_nonzero": share });
    let twice = json!({ "model_id": "m", "layer": 1, "sae_set": set, "features": [feature(0.5), feature(0.25)] });
    refused("a.json", twice.to_string(), &["io.field"]);
    for (shape, values) in
        [(&[2_usize, 2][..], vec![1.0; 4]), (&[0], Vec::new()), (&[1], vec![f64::NAN]), (&[1], vec![1.0])]
    {
        let codes = ["given.value", "given.missing", "io.shape", "io.non-finite"];
        refused("clean.npy", to_npy(shape, &values), &codes);
    }
    refused("scores.npy", &to_npy(&[2, 3], &[0.5; 6])[..100], &["io.truncated", "io.header"]);
}

#[test]
fn what_is_cut_off_is_refused() {
    let results = json!({"config": {}, "results": mechval()}).to_string();
    for (name, whole) in [
        ("a.json", circuit().to_string()),
        ("seed_1/a.json", saebench().to_string()),
        ("b.json", results),
        ("b.json", Value::from(mechval()).to_string()),
    ] {
        assert!(read(vec![file(name, whole.as_str())]).is_ok(), "{name}");
        let end = whole.len();
        for cut in [0, 1, 2, 20, end / 4, end / 2, end - 20, end - 2, end - 1] {
            refused(name, &whole.as_bytes()[..cut], &["io.text"]);
        }
        refused(name, [whole.as_str(), &whole].concat(), &["io.text"]);
    }
    let whole = lines(&mechval());
    assert!(read(vec![file("a.jsonl", whole.clone())]).is_ok());
    let end = whole.len();
    for cut in [1, 20, end / 4, end / 2, end - 3, end - 2] {
        let error = refused("a.jsonl", &whole[..cut], &["io.text"]);
        assert!(error.to_string().contains("line"), "{error}");
    }
}

#[test]
fn more_than_can_be_compared_is_refused_within_memory() {
    let line = "{\"metric_id\":\"a\",\"value\":1}\n";
    let error = refused("a.jsonl", line.repeat(100_001), &["io.field"]);
    assert!(error.to_string().contains("line 100001"), "{error}");
    let tasks: String = (0..101)
        .map(|task| format!("{{\"metric_id\":\"a\",\"value\":1,\"metadata\":{{\"task\":\"t{task}\"}}}}\n"))
        .collect();
    // Each once is nothing to compare; each twice is too much.
    assert!(read(vec![file("a.jsonl", tasks.as_str())]).is_ok());
    refused("a.jsonl", [tasks.as_str(), &tasks].concat(), &["given.value"]);
    let runs = vec![vec![1, 2, 3]; 101];
    let one = json!({"metric_id": "a", "value": 1, "metadata": {"runs": runs}});
    refused("a.json", one.to_string(), &["given.value"]);
}

/// Some value of a tree, put in place of another, removed, or doubled.
fn anywhere(rng: &mut NumpyRng, value: &mut Value) {
    let deeper = !rng.next_word().is_multiple_of(3);
    match value {
        Value::Object(entries) if deeper && !entries.is_empty() => {
            let keys: Vec<String> = entries.keys().cloned().collect();
            let key = &keys[mutate::below(rng, keys.len())];
            match rng.next_word() % 12 {
                0 => drop(entries.remove(key)),
                1 => {
                    let other = entries[&keys[mutate::below(rng, keys.len())]].clone();
                    entries.insert(key.clone(), other);
                }
                2 => {
                    let moved = entries.remove(key).unwrap_or_default();
                    entries.insert(format!("{key}0"), moved);
                }
                _ => anywhere(rng, entries.get_mut(key).expect("one of its keys")),
            }
        }
        Value::Array(list) if deeper && !list.is_empty() => {
            let at = mutate::below(rng, list.len());
            match rng.next_word() % 8 {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[at].clone()),
                _ => anywhere(rng, &mut list[at]),
            }
        }
        value => *value = mutate::value(rng),
    }
}

/// Nothing that is found is out of its range.
fn sane(found: &[(String, OwnResults)]) {
    assert!(!found.is_empty());
    for (file, found) in found {
        assert!(!file.is_empty());
        match found {
            OwnResults::Ex1(found) => {
                assert!((0.0..=1.0).contains(&found.ex1.auc), "{found:?}");
                assert!(found.ex1.dprime.abs() <= found.ex1.dprime_max + 1e-12, "{found:?}");
            }
            OwnResults::Ex2(found) => {
                assert!(found.max_dif_code >= 0.0 && !found.groups.is_empty())
            }
            OwnResults::Ex24(found) => assert!(!found.configurations.is_empty()),
            OwnResults::Ex25(found) => assert!((0.0..=1.0).contains(&found.deviation_rate)),
            OwnResults::Mib(found) => assert!(found.area.span >= 0.0),
            OwnResults::M07(found) => assert!((0.0..=1.0 + 1e-9).contains(&found.agreement_code)),
            OwnResults::M11(found) => assert!((0.0..=1.0).contains(&found.consistency_code)),
            OwnResults::M12(found) => assert!((0.0..=1.0).contains(&found.k_mismatch_rate)),
            OwnResults::M13(found) => {
                assert!(found.stream.is_some() || found.directions.is_some());
                let packing = found.stream.as_ref().map(|found| found.packing_ratio);
                assert!(packing.is_none_or(|packing| (0.0..=1.0 + 1e-9).contains(&packing)));
                let share = |one: f64| (0.0..=1.0 + 1e-9).contains(&one);
                let directions = found.directions.as_ref();
                assert!(directions.is_none_or(|found| share(found.feature_interference)));
            }
            OwnResults::Circuit(found) => assert!(found.edges.len() as u64 <= found.total),
            OwnResults::Seeds(found) => assert!(!found.is_empty()),
            OwnResults::Results(found) => {
                assert!(!found.is_empty());
                let known = |value: Option<f64>| value.is_none_or(f64::is_finite);
                assert!(found.iter().all(|one| known(one.value) && !one.metric.is_empty()));
            }
            OwnResults::Delphi(found) => {
                let latents = found.latents.iter().map(|latent| &latent.found);
                for one in latents.chain([&found.all]) {
                    let shares = [one.accuracy, one.balanced_accuracy, one.f1, one.auc];
                    let share = |value: &f64| (0.0..=1.0).contains(value);
                    assert!(shares.iter().flatten().all(share), "{one:?}");
                }
                assert!(!found.latents.is_empty() && found.holds.ends_with('.'));
            }
            OwnResults::Neuronpedia(found) => {
                let most = found.latents as f64;
                assert!(found.active_per_token.is_none_or(|sum| (0.0..=most).contains(&sum)));
                assert!(found.dead <= Some(found.latents) && found.dense <= Some(found.latents));
                assert!(found.explained <= found.explanations && found.holds.ends_with('.'));
            }
        }
    }
}

fn round(name: &'static str, bytes: Vec<u8>, files: &mut Vec<(&'static str, Vec<u8>)>) -> bool {
    files.push((name, bytes.clone()));
    let (result, most) = measured(|| read(vec![file(name, bytes)]));
    assert!(most <= ALLOWED, "{name}: {most}");
    match result {
        Ok(found) => {
            sane(&found);
            serde_json::to_string(&found).expect("JSON");
            true
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains(['\n', '\u{1b}', '\u{202e}']) && !error.code().is_empty(), "{text:?}");
            false
        }
    }
}

#[test]
fn changed_tables_do_no_harm() {
    fuzz("measurement-csv", 2_000, |rng, files| {
        let mut bytes = TABLES[mutate::below(rng, TABLES.len())].as_bytes().to_vec();
        mutate::file(rng, "a.csv", &mut bytes);
        round("a.csv", bytes, files)
    })
    .some_of_each();
}

#[test]
fn changed_arrays_do_no_harm() {
    let seeds = [
        ("scores.npy", to_npy(&[3, 2], &[0.8, 0.5, 0.81, 0.51, 0.82, 0.49])),
        ("runs.npy", to_npy(&[2, 4], &[1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 5.0])),
        ("decoder.npy", to_npy(&[3, 2], &[1.0, 0.5, 0.0, 1.0, -1.0, 0.25])),
        ("residual.npy", to_npy(&[4, 2], &[1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 5.0])),
    ];
    fuzz("measurement-npy", 10_000, |rng, files| {
        let (name, mut bytes) = seeds[mutate::below(rng, seeds.len())].clone();
        mutate::file(rng, name, &mut bytes);
        round(name, bytes, files)
    })
    .some_of_each();
}

fn fuzz_json(what: &str, name: &'static str, seeds: &[Value]) {
    fuzz(what, 2_000, |rng, files| {
        let mut value = seeds[mutate::below(rng, seeds.len())].clone();
        for _ in 0..1 + rng.next_word() % 2 {
            anywhere(rng, &mut value);
        }
        let mut bytes = mutate::text_of(rng, &value);
        if rng.next_word().is_multiple_of(4) {
            mutate::blindly(rng, &mut bytes);
        }
        round(name, bytes, files)
    })
    .some_of_each();
}

#[test]
fn changed_circuits_do_no_harm() {
    fuzz_json("measurement-circuit", "a.json", &[circuit()]);
}

#[test]
fn changed_results_under_seeds_do_no_harm() {
    fuzz_json("measurement-saebench", "seed_1/a.json", &[saebench()]);
}

#[test]
fn changed_results_of_mechval_do_no_harm() {
    let whole = json!({"provenance": {}, "config": {"seed": 3}, "results": mechval()});
    fuzz_json("measurement-mechval", "a.json", &[whole, Value::from(mechval())]);
}

/// Results of other tools.
fn tools() -> Value {
    serde_json::from_str(include_str!("../golden/tool_results.json")).expect("JSON")
}

#[test]
fn changed_results_of_tools_do_no_harm() {
    let golden = tools();
    let mib = &golden["mib"]["file"];
    fuzz_json("measurement-mib", "a.json", &[mib.clone(), json!({"a": mib, "b": mib})]);
    let detection = golden["delphi"]["files"].as_object().unwrap().values().next().unwrap();
    let intruder = json!([{"prediction": 1, "correct_index": 1, "correct": true}]);
    fuzz_json("measurement-delphi", "s/a_latent1.txt", &[detection.clone(), intruder]);
    let exported = &golden["neuronpedia"];
    let seeds = [exported["features"].clone(), exported["batch"].clone()];
    fuzz_json("measurement-neuronpedia", "a.json", &seeds);
    let records = ["features", "explanations", "activations"];
    let records = records.map(|what| exported[what].as_array().unwrap()[0].clone());
    fuzz("measurement-neuronpedia-lines", 2_000, |rng, files| {
        let mut values = records.to_vec();
        let at = mutate::below(rng, values.len());
        anywhere(rng, &mut values[at]);
        let mut bytes = lines(&values);
        if rng.next_word().is_multiple_of(4) {
            mutate::blindly(rng, &mut bytes);
        }
        round("batch-0.jsonl", bytes, files)
    })
    .some_of_each();
}

#[test]
fn more_of_tools_than_is_kept_is_refused_within_memory() {
    let line = "{\"modelId\":\"\",\"layer\":\"\",\"index\":0}\n";
    let error = refused("a.jsonl", line.repeat(500_001), &["io.field"]);
    assert!(error.to_string().contains("line 500001"), "{error}");
    let examples = format!("[{}0]", "{\"activating\":true,\"correct\":true},".repeat(200_000));
    refused("a.txt", examples, &["io.text"]);
    for name in ["a.txt", "a.pkl", "a.pickle"] {
        for bytes in [&b"\x80\x04\x95\x0b"[..], b"", b"[", b"null", b"{}", b"3", b"[{}]"] {
            refused(name, bytes, &["io.text", "given.value", "given.unknown"]);
        }
    }
}

#[test]
fn changed_lines_of_results_do_no_harm() {
    let seeds = mechval();
    fuzz("measurement-jsonl", 2_000, |rng, files| {
        let mut values = seeds.clone();
        let at = mutate::below(rng, values.len());
        anywhere(rng, &mut values[at]);
        let mut bytes = lines(&values);
        if rng.next_word().is_multiple_of(4) {
            mutate::blindly(rng, &mut bytes);
        }
        round("a.jsonl", bytes, files)
    })
    .some_of_each();
}
