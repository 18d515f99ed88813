//! SynthSAEBench's trainings on the command line: what is kept is what is read again, whatever table stands beside it.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::killed::{program, scratch, succeeds};

/// Trained in a second: five architectures and one that is not trained, of one seed.
const QUICK: &str = "synth --features 128 --dimensions 16 --k 2 --samples 2560 --evaluated 1000 --seeds 1";

fn run(folder: &Path, more: &str) -> Output {
    let words = QUICK.split(' ').chain(more.split_whitespace());
    program().args(words).current_dir(folder).output().unwrap()
}

fn report(folder: &Path, more: &str) -> Value {
    let words = QUICK.split(' ').chain(["--json"]).chain(more.split_whitespace());
    let output = succeeds(program().args(words).current_dir(folder));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_run_goes_on_where_its_checkpoint_ends_under_either_table() {
    let folder = scratch("synth-checkpoint");
    let whole = report(&folder, "--checkpoint kept");
    let file = folder.join("kept/results.jsonl");
    let kept = fs::read_to_string(&file).unwrap();
    // Two of the six autoencoders stay.
    let part: String = kept.split_inclusive('\n').take(2).collect();
    fs::write(&file, &part).unwrap();
    let other = report(&folder, "--checkpoint kept --resume --table 20");
    let jobs = |of: &Value| of["jobs"].as_array().unwrap().clone();
    let scores = |of: &Value| -> Vec<Value> { jobs(of).into_iter().map(|job| job["scores"].clone()).collect() };
    assert_eq!(scores(&other), scores(&whole));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), kept.lines().count());
    // What had been kept was not trained again: it has the time that it took then.
    for line in part.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(jobs(&other).contains(&line["result"]), "{line}");
    }
    assert_eq!(whole["orders"], 38);
    assert_ne!(whole["digest"], Value::Null);
    // Other trainings are not those that were kept.
    let refused = run(&folder, "--checkpoint kept --resume --k 3");
    let complaint = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && complaint.contains("k"), "{complaint}");
    assert!(refused.stdout.is_empty());
}

#[test]
fn comma_separated_values_have_a_line_a_subject() {
    let folder = scratch("synth-csv");
    let output = run(&folder, "--csv");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let [names, rows @ ..] = &lines[..] else { panic!("{text}") };
    assert_eq!(rows.len(), 6, "{text}");
    for row in rows {
        assert_eq!(row.len(), names.len(), "{text}");
    }
    let at = |name: &str| names.iter().position(|found| *found == name).unwrap();
    let untrained = rows.iter().find(|row| row[0].contains("untrained")).unwrap();
    assert_eq!(untrained[at("f1 printed")], "–");
    let found = report(&folder, "");
    for row in rows.iter().filter(|row| row[0] != untrained[0]) {
        let f1: f64 = row[at("f1")].parse().unwrap();
        let of = |job: &&Value| job["scores"]["f1"].as_f64() == Some(f1);
        assert!(found["jobs"].as_array().unwrap().iter().any(|job| of(&job)), "{row:?}");
    }
}

#[test]
fn more_active_latents_than_dimensions_are_refused() {
    let folder = scratch("synth-refused");
    let output = program().args("synth --dimensions 16 --k 17".split(' ')).current_dir(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("17") && complaint.contains("1 to 16"), "{complaint}");
}

/// In the folder of golden files: SAELens' own models and autoencoders.
fn evaluated(words: &str) -> std::process::Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/synthsaebench");
    let mut program = program();
    program.arg("synth").args(words.split_whitespace()).current_dir(folder);
    program
}

fn evaluations(words: &str) -> Value {
    let output = succeeds(&mut evaluated(&format!("{words} --json")));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Without what was measured of time.
fn timeless(mut found: Value) -> Value {
    for one in found["evaluations"].as_array_mut().unwrap() {
        one.as_object_mut().unwrap().remove("seconds");
    }
    found
}

const TWO: &str = "--model saved-a --sae evaluated/batchtopk evaluated/standard --rows 9000";

#[test]
fn autoencoders_trained_elsewhere_beat_their_controls() {
    let found = evaluations("--model saved-a --sae evaluated --rows 20000 --rows-seed 5");
    let all = found["evaluations"].as_array().unwrap();
    assert_eq!(all.len(), 5, "every autoencoder of the folder");
    for one in all {
        let f1 = |of: &str| one[of]["f1"].as_f64().unwrap();
        for control in ["permuted_decoder", "random_decoder", "untrained"] {
            assert!(f1(control) < f1("autoencoder"), "{}, {control}", one["name"]);
        }
        assert_eq!(one["autoencoder"]["shrinkage_rows"], 20_000);
        // SAELens' own million rows of this model have 2.76 features; these are fewer.
        let true_l0 = one["autoencoder"]["true_l0"].as_f64().unwrap();
        assert!((true_l0 - 2.76).abs() < 0.1, "{true_l0}");
    }
    let csv = succeeds(&mut evaluated(&format!("{TWO} --csv"))).stdout;
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * 4, "{csv}");
}

#[test]
fn an_evaluation_has_the_same_bits_on_any_threads_and_goes_on_where_it_was_stopped() {
    let whole = timeless(evaluations(TWO));
    for threads in ["1", "3"] {
        let output = succeeds(evaluated(&format!("{TWO} --json")).env("RAYON_NUM_THREADS", threads));
        let found = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(timeless(found), whole, "{threads} threads");
    }
    let kept = scratch("synth-evaluation").join("kept");
    let kept = kept.to_str().unwrap();
    succeeds(&mut evaluated(&format!("{TWO} --checkpoint {kept}")));
    let file = Path::new(kept).join("results.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    // Two matchings and three pieces of each autoencoder.
    assert_eq!(text.lines().count(), 10);
    let part: String = text.split_inclusive('\n').take(4).collect();
    fs::write(&file, part).unwrap();
    let again = evaluations(&format!("{TWO} --checkpoint {kept} --resume"));
    assert_eq!(timeless(again), whole);
    let other = evaluated(&format!("{TWO} --rows-seed 1 --checkpoint {kept} --resume")).output();
    let complaint = String::from_utf8(other.unwrap().stderr).unwrap();
    assert!(complaint.contains("options.seed is 0 there, and 1 here"), "{complaint}");
}

#[test]
fn what_cannot_be_evaluated_is_refused_by_its_name() {
    let refused = |words: &str| {
        let output = evaluated(words).output().unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{words}");
        String::from_utf8(output.stderr).unwrap()
    };
    for (words, said) in [
        ("--model saved-b --sae evaluated/batchtopk", "24; allowed: 32, the model's hidden_dim"),
        ("--model saved-a --sae evaluated/batchtopk --rows 10", "1000 to 10000000"),
        ("--model saved-a --sae saved-b", "synthetic_model.safetensors, tensors: bias"),
        ("--model evaluated --sae evaluated/batchtopk", "synthetic_model.safetensors"),
        ("--model saved-a", "--sae"),
        ("--sae evaluated/batchtopk", "--model"),
        ("--model saved-a --sae evaluated/batchtopk --features 512", "--features"),
    ] {
        let complaint = refused(words);
        assert!(complaint.contains(said), "{words}: {complaint}");
    }
}
