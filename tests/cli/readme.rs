//! Every line of the README that runs the command line, run: what it names is there, and it prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const README: &str = include_str!("../../README.md");
/// How the README runs the program, which is built here already.
const PROGRAM: &str = "cargo run --release --";

/// The lines of the README's shell blocks that run the program: what each hands it, without the comment.
fn lines() -> Vec<&'static str> {
    let blocks = README.split("```").skip(1).step_by(2);
    let shell = blocks.filter_map(|block| block.strip_prefix("sh\n"));
    shell
        .flat_map(str::lines)
        .filter_map(|line| line.strip_prefix(PROGRAM))
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .collect()
}

/// Files of the names that the README gives a reader's own.
fn reader_files(folder: &Path) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/evaluate");
    let copy = |from: &str, to: &str| fs::copy(golden.join(from), folder.join(to)).map(drop);
    copy("acts_f32.npy", "acts.npy").unwrap();
    copy("dictionary_few.npy", "W.npy").unwrap();
    copy("readout.npy", "head.npy").unwrap();
    fs::create_dir(folder.join("my-sae")).unwrap();
    for file in ["cfg.json", "sae_weights.safetensors"] {
        copy(&format!("sae_topk/{file}"), &format!("my-sae/{file}")).unwrap();
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let copy = |from: &str, to: &str| fs::copy(golden.join(from), folder.join(to)).map(drop);
    let sae = "interpretability_eval/standard_64k/trainer_3";
    for made in ["my-fade", sae] {
        fs::create_dir_all(folder.join(made)).unwrap();
    }
    copy("fade_results/own/all.npz", "my-fade/all.npz").unwrap();
    copy(&format!("ce_bench_results/{sae}/results.json"), &format!("{sae}/results.json")).unwrap();
    copy("ce_bench_results/own/pairs.npz", "pairs.npz").unwrap();
    fs::create_dir_all(folder.join("my-mechval/seed_1")).unwrap();
    let result = "{\"metric_id\": \"EX1.dprime\", \"value\": 1.5, \"n_samples\": 40, \"metadata\": {\"task\": \"ioi\"}}\n";
    fs::write(folder.join("my-mechval/seed_1/EX1_dprime.jsonl"), result).unwrap();
    fs::write(folder.join("points.csv"), "0.2,0.9,0.5\n0.8,0.3,0.6\n0.5,0.5,0.5\n").unwrap();
    fs::write(folder.join("models.csv"), "accuracy,mui\n11.9,5.4\n58.7,3.0\n86.5,2.7\n").unwrap();
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../golden/mui_own.json")).unwrap();
    for (name, from) in [
        ("a_result.jsonl", "model_task_result.jsonl"),
        ("b_result.jsonl", "other_task_integrated_gradient_result.jsonl"),
    ] {
        fs::write(folder.join(name), golden["files"][from].as_str().unwrap()).unwrap();
    }
    // A file of tensors by the names of a model's layers.
    let values: Vec<u8> =
        (0..150 * 12).flat_map(|i: u32| (f64::from(i * i % 97) / 97.0).to_le_bytes()).collect();
    let tensor =
        safetensors::tensor::TensorView::new(safetensors::Dtype::F64, vec![150, 12], &values);
    let bytes = safetensors::serialize([("layer6", tensor.unwrap())], None).unwrap();
    fs::write(folder.join("acts.safetensors"), bytes).unwrap();
}

#[test]
fn every_line_of_the_readme_runs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    reader_files(&folder);
    let lines = lines();
    assert!(lines.len() >= 10, "{lines:?}");
    for line in lines {
        // As many networks as a test has time for.
        let line = line.replace("--seeds 1000", "--seeds 10");
        let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
            .args(line.split_whitespace())
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .expect("it starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {error}");
        let written = line.split_once("--out ").map(|(_, out)| folder.join(out));
        let said = !output.stdout.is_empty();
        assert!(said || written.as_deref().is_some_and(Path::exists), "{line}: nothing came of it");
    }
}

/// What the README says can be had besides.
#[test]
fn every_command_that_the_readme_names_is_one() {
    let (_, commands) = README.split_once("\nAlso ").expect("the sentence on other commands");
    let sentence = commands.split(". ").next().unwrap_or_default();
    let named: Vec<_> = sentence.split('`').skip(1).step_by(2).collect();
    assert!(named.len() >= 4, "{named:?}");
    for name in named.into_iter().filter(|name| !name.starts_with("--")) {
        let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args([name, "--help"]).output();
        assert!(output.expect("it starts").status.success(), "{name}");
    }
}

/// Paths that the README tells of.
#[test]
fn every_file_that_the_readme_names_is_there() {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let names = README.split('`').skip(1).step_by(2);
    let paths: Vec<_> = names
        .filter(|name| ["www/", "tests/", "docs/"].iter().any(|start| name.starts_with(start)))
        .collect();
    assert!(!paths.is_empty());
    for path in paths {
        assert!(top.join(path).exists(), "{path}");
    }
}
