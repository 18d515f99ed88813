//! `fade --own`, `ce-bench --results` and `ce-bench --own`: what readers bring, held against scikit-learn and NumPy.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::common::{assert_close, json};

fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    path.to_str().unwrap().to_owned()
}

fn run(args: &[&str]) -> (bool, String, String) {
    let found = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (found.status.success(), text(found.stdout), text(found.stderr))
}

fn printed(args: &[&str]) -> String {
    let (success, text, error) = run(args);
    assert!(success, "{args:?}: {error}");
    text
}

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("results-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn activations_with_labels_are_scored() {
    let expected = json(include_str!("../golden/fade_results/expected.json"));
    let files = ["own/all.npz", "own/ratings.npy", "own/factors.npy"];
    let files = files.map(|name| golden(&format!("fade_results/{name}")));
    let args = ["fade", "--own", &files[0], &files[1], &files[2]];
    let found = json(&printed(&[&args[..], &["--json"]].concat()));
    for (found, wanted) in
        found["features"].as_array().unwrap().iter().zip(expected["own"]["features"].as_array().unwrap())
    {
        for score in ["clarity", "responsiveness", "purity", "faithfulness"] {
            for reading in ["code", "document"] {
                let (found, wanted) = (&found[score][reading], &wanted[score][reading]);
                match wanted.as_f64() {
                    Some(wanted) => assert_close(score, found.as_f64().unwrap(), wanted, 1e-12, 1e-12),
                    None => assert!(found.is_null()),
                }
            }
        }
    }
    let text = printed(&args);
    assert!(text.starts_with("Features\n") && text.contains("not passed"), "{text}");
    let csv = printed(&[&args[..], &["--csv"]].concat());
    assert_eq!(csv.lines().count(), 4, "{csv}");
}

#[test]
fn a_sample_of_them_is_scored_and_a_literal_norm_taken() {
    let files = golden("fade_results/own/all.npz");
    let args = ["fade", "--own", &files, "--rated", "sampled", "--sample", "20", "--norm", "nonzero"];
    let found = json(&printed(&[&args[..], &["--json"]].concat()));
    let first = &found["features"][0];
    assert_eq!(first["rated"][0], 20);
    assert!(first["rated"][1].as_u64().unwrap() <= 20);
    assert!(printed(&args).contains("rated_document"));
}

#[test]
fn folders_of_fade_are_read_as_they_are() {
    let root = golden("fade_results/model.layers[3].mlp");
    let found = json(&printed(&["fade", "--own", &root, "--json"]));
    let folders = found["folders"].as_array().unwrap();
    assert_eq!(folders.len(), 3);
    let ends = |end: &str| {
        let name = |folder: &&Value| folder["folder"].as_str().unwrap().ends_with(end);
        folders.iter().find(name).unwrap()
    };
    let faithfulness = |folder: &Value| {
        let rows = folder["rows"].as_array().unwrap();
        rows.iter().find(|row| row["quantity"] == "Faithfulness").cloned()
    };
    let row = faithfulness(ends("/7")).unwrap();
    assert_eq!((&row["reported_as"], &row["verdict"]), (&"NaN".into(), &"agrees".into()));
    assert_eq!((&row["recomputed"], &row["document"]), (&Value::Null, &0.0.into()));
    assert!(faithfulness(ends("/9")).is_none());
    let text = printed(&["fade", "--own", &root]);
    assert_eq!(text.matches("What FADE wrote: ").count(), 3);
    assert!(text.contains("the code stops where clarity or responsiveness is below 0.5"));
}

#[test]
fn results_are_ranked_and_their_sums_counted() {
    let expected = json(include_str!("../golden/ce_bench_results/expected.json"));
    let root = golden("ce_bench_results/interpretability_eval");
    let found = json(&printed(&["ce-bench", "--results", &root, "--json"]));
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for (row, wanted) in rows.iter().zip(expected["ranked"].as_array().unwrap()) {
        assert!(row["file"].as_str().unwrap().ends_with(wanted.as_str().unwrap()));
    }
    assert_eq!((&found["claim"]["files"], &found["claim"]["holds"]), (&5.into(), &1.into()));
    let text = printed(&["ce-bench", "--results", &root]);
    assert!(text.contains("the sum of the two others in 1 of 5 files"), "{text}");
    let one = format!("{root}/topk_16/blocks.1.hook_resid_post__trainer_1/results.json");
    assert_eq!(printed(&["ce-bench", "--results", &one, "--csv"]).lines().count(), 2);
}

#[test]
fn story_pairs_are_scored() {
    let expected = json(include_str!("../golden/ce_bench_results/expected.json"));
    let [latents, stories] =
        ["own/activations.npz", "own/stories.json"].map(|name| golden(&format!("ce_bench_results/{name}")));
    let found = json(&printed(&["ce-bench", "--own", &latents, &stories, "--json"]));
    for row in found["readings"].as_array().unwrap() {
        let wanted = &expected["means"][row["reading"].as_str().unwrap()];
        for (at, score) in ["contrastive", "independence", "interpretability"].iter().enumerate() {
            let (found, wanted) = (row[score].as_f64().unwrap(), wanted[at].as_f64().unwrap());
            assert_close(score, found, wanted, 1e-10, 1e-12);
        }
    }
    let text = printed(&["ce-bench", "--own", &latents]);
    let row = text.lines().find(|line| line.contains("code_head")).unwrap();
    assert!(row.contains("without marks"), "{text}");
}

#[test]
fn what_is_no_such_file_is_refused_with_its_code() {
    let folder = folder("refused");
    let inside = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let refused = |args: &[&str], code: &str| {
        let (success, text, error) = run(args);
        assert!(!success && text.is_empty(), "{args:?}");
        assert!(error.contains(&format!("[{code}]")) && error.lines().count() == 1, "{args:?}: {error}");
    };
    let root = folder.to_str().unwrap();
    refused(&["fade", "--own", root], "io.unreadable");
    refused(&["ce-bench", "--results", root], "io.unreadable");
    refused(&["ce-bench", "--results", &inside("results.json")], "io.unreadable");
    fs::write(inside("results.json"), "{").unwrap();
    refused(&["ce-bench", "--results", root], "io.text");
    refused(&["ce-bench", "--own", root], "io.text");
    refused(&["fade", "--own", root], "given.unknown");
    fs::write(inside("labels.csv"), "0\n3\n").unwrap();
    refused(&["fade", "--own", &inside("labels.csv")], "given.missing");
    fs::write(inside("acts.csv"), "0.5\n1\n").unwrap();
    refused(&["fade", "--own", &inside("labels.csv"), &inside("acts.csv")], "given.value");
    // More than all may have together; it takes no room where holes take none.
    fs::File::create(inside("0_a.npy")).unwrap().set_len(100 << 20).unwrap();
    refused(&["ce-bench", "--own", &inside("0_a.npy")], "given.memory");
    // A study's settings say nothing of files, but for which texts are rated and what the note divides by.
    refused(&["fade", "--own", root, "--texts", "30"], "settings.texts");
    refused(&["fade", "--own", root, "--top", "0.5"], "settings.top");
    let (success, _, error) = run(&["fade", "--own", root, "--bad"]);
    assert!(!success && error.contains("cannot be used with"), "{error}");
    let (success, _, error) = run(&["ce-bench", "--results", root, "--pairs", "3"]);
    assert!(!success && error.contains("cannot be used with"), "{error}");
}
