//! The README and the documents of `docs/`: every line that runs the command line is run, what they name is there, and
//! links lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sfc_bench::lab::audit::Registry;

const README: &str = include_str!("../../README.md");
/// How the documents run the program, which is built here already.
const PROGRAM: &str = "cargo run --release --";

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every document for readers: its path from the top, and its text.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/README.md"]
            .map(PathBuf::from)
            .into();
    let docs = fs::read_dir(top().join("docs")).unwrap();
    let names = docs.map(|entry| Path::new("docs").join(entry.unwrap().file_name()));
    paths.extend(names.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(top().join(&path)).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// What stands outside of blocks of code.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// The lines of shell blocks that run the program: what each hands it, without the comment; each once.
fn lines() -> Vec<String> {
    let mut lines = BTreeSet::new();
    for (_, text) in documents() {
        let blocks = text.split("```").skip(1).step_by(2);
        let shell = blocks.filter_map(|block| block.strip_prefix("sh\n"));
        let program = shell.flat_map(str::lines).filter_map(|line| line.strip_prefix(PROGRAM));
        lines.extend(program.map(|line| line.split('#').next().unwrap_or_default().trim().to_owned()));
    }
    lines.into_iter().collect()
}

/// Files of the names that the documents give a user's own.
fn reader_files(folder: &Path) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/evaluate");
    let copy = |from: &str, to: &str| fs::copy(golden.join(from), folder.join(to)).map(drop);
    copy("acts_f32.npy", "acts.npy").unwrap();
    copy("dictionary_few.npy", "W.npy").unwrap();
    copy("readout.npy", "head.npy").unwrap();
    for (from, to) in [
        ("sae_topk", "my-sae"),
        ("sae_topk", "mine"),
        ("sae_gated", "other"),
        ("sae_topk", "release/layer_20/k4"),
        ("sae_standard", "release/layer_20/relu"),
    ] {
        fs::create_dir_all(folder.join(to)).unwrap();
        for file in ["cfg.json", "sae_weights.safetensors"] {
            copy(&format!("{from}/{file}"), &format!("{to}/{file}")).unwrap();
        }
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let copy = |from: &str, to: &str| fs::copy(golden.join(from), folder.join(to)).map(drop);
    for (from, to) in [
        ("layouts/mwhanna_transcoder/inputs.npy", "mlp_in.npy"),
        ("layouts/mwhanna_transcoder/targets.npy", "mlp_out.npy"),
        ("models/smollm2/model.gguf", "smollm2.gguf"),
    ] {
        copy(from, to).unwrap();
    }
    for (from, to, files) in [
        ("layouts/mwhanna_transcoder", "my-transcoder", &["layer_7.safetensors", "config.yaml"][..]),
        ("model/own", "gpt2", &["config.json", "model.safetensors", "tokenizer.json"]),
    ] {
        fs::create_dir(folder.join(to)).unwrap();
        for file in files {
            copy(&format!("{from}/{file}"), &format!("{to}/{file}")).unwrap();
        }
    }
    let sae = "interpretability_eval/standard_64k/trainer_3";
    for made in ["my-fade", sae] {
        fs::create_dir_all(folder.join(made)).unwrap();
    }
    copy("fade_results/own/all.npz", "my-fade/all.npz").unwrap();
    copy(&format!("ce_bench_results/{sae}/results.json"), &format!("{sae}/results.json")).unwrap();
    copy("ce_bench_results/own/pairs.npz", "pairs.npz").unwrap();
    fs::create_dir_all(folder.join("my-mechval/seed_1")).unwrap();
    let result =
        "{\"metric_id\": \"EX1.dprime\", \"value\": 1.5, \"n_samples\": 40, \"metadata\": {\"task\": \"ioi\"}}\n";
    fs::write(folder.join("my-mechval/seed_1/EX1_dprime.jsonl"), result).unwrap();
    fs::write(folder.join("points.csv"), "0.2,0.9,0.5\n0.8,0.3,0.6\n0.5,0.5,0.5\n").unwrap();
    fs::write(folder.join("models.csv"), "accuracy,mui\n11.9,5.4\n58.7,3.0\n86.5,2.7\n").unwrap();
    let golden: serde_json::Value = serde_json::from_str(include_str!("../golden/mui_own.json")).unwrap();
    for (name, from) in [
        ("a_result.jsonl", "model_task_result.jsonl"),
        ("b_result.jsonl", "other_task_integrated_gradient_result.jsonl"),
    ] {
        fs::write(folder.join(name), golden["files"][from].as_str().unwrap()).unwrap();
    }
    // A file of tensors by the names of a model's layers.
    let values: Vec<u8> = (0..150 * 12).flat_map(|i: u32| (f64::from(i * i % 97) / 97.0).to_le_bytes()).collect();
    let tensor = safetensors::tensor::TensorView::new(safetensors::Dtype::F64, vec![150, 12], &values);
    let bytes = safetensors::serialize([("layer6", tensor.unwrap())], None).unwrap();
    fs::write(folder.join("acts.safetensors"), bytes).unwrap();
}

#[test]
fn every_line_of_the_documents_runs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    reader_files(&folder);
    let lines = lines();
    assert!(lines.len() >= 30, "{lines:?}");
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

/// What the documents say can be had besides.
#[test]
fn every_command_that_the_documents_name_is_one() {
    let text = fs::read_to_string(top().join("docs/cli.md")).unwrap();
    let (_, commands) = text.split_once("\nAlso ").expect("the sentence on other commands");
    let sentence = commands.split(". ").next().unwrap_or_default();
    let named: Vec<_> = sentence.split('`').skip(1).step_by(2).collect();
    assert!(named.len() >= 4, "{named:?}");
    for name in named.into_iter().filter(|name| !name.starts_with("--")) {
        let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args([name, "--help"]).output();
        assert!(output.expect("it starts").status.success(), "{name}");
    }
}

/// Paths that the documents tell of.
#[test]
fn every_file_that_the_documents_name_is_there() {
    const STARTS: [&str; 7] = ["www/", "tests/", "docs/", "src/", "assets/", "examples/", "results/"];
    let mut count = 0;
    for (document, text) in documents() {
        // A path with capitals or stars stands for several.
        let prose = prose(&text);
        let names = prose.split('`').skip(1).step_by(2).filter(|name| {
            STARTS.iter().any(|start| name.starts_with(start)) && !name.contains(['*', '…', '{', 'N', ' '])
        });
        for path in names {
            count += 1;
            assert!(top().join(path).exists(), "{}: {path}", document.display());
        }
    }
    assert!(count > 20, "{count}");
}

/// The heading's anchor, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim_start_matches('#')
        .trim()
        .chars()
        .filter(|one| one.is_alphanumeric() || *one == ' ' || *one == '-' || *one == '_');
    kept.flat_map(char::to_lowercase).map(|one| if one == ' ' { '-' } else { one }).collect()
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut count = 0;
    for (document, text) in documents() {
        let folder = document.parent().unwrap();
        for link in prose(&text).split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            let (path, place) = link.split_once('#').unwrap_or((link, ""));
            if link.starts_with("http") {
                continue;
            }
            count += 1;
            let found = if path.is_empty() { document.clone() } else { folder.join(path) };
            let found = top().join(found);
            assert!(found.exists(), "{}: {link}", document.display());
            if !place.is_empty() && found.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(&found).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let is_there = headings.any(|heading| anchor(heading) == place);
                assert!(is_there, "{}: {link}", document.display());
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn the_readme_is_short_and_counts_right() {
    assert!(README.lines().count() <= 150, "what is long belongs to docs/");
    let metrics = Registry::all().metrics().len();
    assert!(README.contains(&format!("An audit of {metrics} metrics")), "{metrics}");
    // What is recomputed is said as the program says it.
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).arg("paper").output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let reproducing = fs::read_to_string(top().join("docs/reproducing.md")).unwrap();
    let said = "92 of 104 printed values agree: all 84 of Tables 3, 4 and 6, 4 of 12 of Table 5, \
                all 4 of Figure 4 and 0 of 4 of the text";
    assert!(words(&output).contains(said), "{output}");
    assert!(words(&reproducing).contains(said));
    assert!(README.contains("84 of the 84 printed cells of Tables 3, 4 and 6"));
}
