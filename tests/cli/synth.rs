//! SynthSAEBench's trainings on the command line: what is kept is what is read again, whatever table stands beside it.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::killed::{program, scratch, succeeds};

/// Trained in a second: five architectures and one that is not trained, of one seed.
const QUICK: &str =
    "synth --features 128 --dimensions 16 --k 2 --samples 2560 --evaluated 1000 --seeds 1";

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
    let scores = |of: &Value| -> Vec<Value> {
        jobs(of).into_iter().map(|job| job["scores"].clone()).collect()
    };
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
    let output = program()
        .args("synth --dimensions 16 --k 17".split(' '))
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("17") && complaint.contains("1 to 16"), "{complaint}");
}
