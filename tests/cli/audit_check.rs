//! The audit's statistics against NumPy, from what its own command prints.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::numpy::python;

/// What the program that the page offers says of a report, and whether it agrees.
fn checked(report: &Path) -> (bool, String) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lab/audit/check.py");
    let output = python().arg(program).arg(report).output().expect("Python starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).expect("UTF-8"))
}

fn printed(world: &str, seeds: &str, edition: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .args(["audit", "--world", world, "--seeds", seeds, "--edition", edition, "--json"])
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn numpy_finds_the_same_statistics_of_the_same_rows() {
    let file = std::env::temp_dir().join(format!("sfc-bench-audit-{}.json", std::process::id()));
    // From ten seeds on intervals are bootstrapped.
    for (world, seeds) in [("scores", "12"), ("planted", "10"), ("superposition", "3")] {
        let report = printed(world, seeds, "1");
        std::fs::write(&file, &report).unwrap();
        let (agrees, said) = checked(&file);
        assert!(agrees, "{world}: {said}");
        if world == "scores" {
            // It can find something: a number of the table is changed.
            let mut other: serde_json::Value = serde_json::from_str(&report).unwrap();
            let cost = &mut other["table"]["entries"];
            let entries = cost.as_array_mut().unwrap();
            let measured = |entry: &&mut serde_json::Value| {
                entry["evidence"]["reliability"]["cv_seeds"].is_f64()
            };
            let entry = entries.iter_mut().find(measured).unwrap();
            let cv = entry["evidence"]["reliability"]["cv_seeds"].as_f64().unwrap();
            entry["evidence"]["reliability"]["cv_seeds"] = (cv * (1.0 + 1e-7)).into();
            std::fs::write(&file, other.to_string()).unwrap();
            let (agrees, said) = checked(&file);
            assert!(!agrees && said.contains("cv_seeds"), "{said}");
        }
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn scipy_finds_the_same_words_of_the_same_rows() {
    let file = std::env::temp_dir().join(format!("sfc-bench-words-{}.json", std::process::id()));
    // Trained toy models take as long as all others together.
    let long = std::env::var("SFC_BENCH_LONG").as_deref() == Ok("1");
    let worlds = [("scores", "12"), ("planted", "10"), ("superposition", "3"), ("toys", "3")];
    for (world, seeds) in worlds.into_iter().filter(|(world, _)| long || *world != "toys") {
        let report = printed(world, seeds, "2");
        std::fs::write(&file, &report).unwrap();
        let (agrees, said) = checked(&file);
        assert!(agrees, "{world}: {said}");
        if world == "scores" {
            // Any word that is another is found.
            let mut other: serde_json::Value = serde_json::from_str(&report).unwrap();
            for column in 0..7 {
                let cell = &mut other["table"]["entries"][0]["cells"][column];
                let word = cell["word"].take();
                cell["word"] = if word == "fails" { "holds" } else { "fails" }.into();
                let name = cell["column"].as_str().unwrap().to_owned();
                std::fs::write(&file, other.to_string()).unwrap();
                let (agrees, said) = checked(&file);
                assert!(!agrees && said.contains(&name), "{name}: {said}");
                other["table"]["entries"][0]["cells"][column]["word"] = word;
            }
        }
    }
    std::fs::remove_file(&file).unwrap();
}
