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
    let worlds = [
        ("scores", "12"),
        ("planted", "10"),
        ("superposition", "3"),
        ("synth", "3"),
        ("layer", "2"),
        ("toys", "3"),
    ];
    let quick = ["scores", "planted", "superposition", "synth"];
    for (world, seeds) in worlds.into_iter().filter(|(world, _)| long || quick.contains(world)) {
        let report = printed(world, seeds, "2");
        std::fs::write(&file, &report).unwrap();
        let (agrees, said) = checked(&file);
        assert!(agrees, "{world}: {said}");
        if world == "scores" {
            // Any word that is another is found, of a metric that has values.
            let mut other: serde_json::Value = serde_json::from_str(&report).unwrap();
            let entries = other["table"]["entries"].as_array().unwrap();
            let measured = |entry: &serde_json::Value| entry["evidence"]["reach"].is_object();
            let at = entries.iter().position(measured).unwrap();
            for column in 0..7 {
                let cell = &mut other["table"]["entries"][at]["cells"][column];
                let word = cell["word"].take();
                cell["word"] = if word == "fails" { "holds" } else { "fails" }.into();
                let name = cell["column"].as_str().unwrap().to_owned();
                std::fs::write(&file, other.to_string()).unwrap();
                let (agrees, said) = checked(&file);
                assert!(!agrees && said.contains(&name), "{name}: {said}");
                other["table"]["entries"][at]["cells"][column]["word"] = word;
            }
            // So is any number of its evidence.
            for part in
                ["/reach/least", "/cost/seconds", "/controls/0/auc", "/validity/truths/0/rho/mean"]
            {
                let mut other = other.clone();
                let number = other["table"]["entries"][at]["evidence"].pointer_mut(part).unwrap();
                *number = (number.as_f64().unwrap() + 1e-4).into();
                std::fs::write(&file, other.to_string()).unwrap();
                let (agrees, said) = checked(&file);
                assert!(!agrees, "{part}: {said}");
            }
        }
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn scipy_finds_the_same_words_of_several_worlds_together() {
    let folder = std::env::temp_dir().join(format!("sfc-bench-worlds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let parts = [("scores", "4"), ("planted", "4"), ("superposition", "4"), ("synth", "4")];
    let files = parts.map(|(world, seeds)| {
        let file = folder.join(format!("{world}.json"));
        std::fs::write(&file, printed(world, seeds, "2")).unwrap();
        file
    });
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .args(["audit", "--json", "--from"])
        .args(&files)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = folder.join("all.json");
    std::fs::write(&report, &output.stdout).unwrap();
    // A word is the worst world's: metrics of decompositions have several.
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let several = |entry: &serde_json::Value| {
        entry["evidence"]["reliability"]["worlds"].as_array().is_some_and(|all| all.len() > 1)
    };
    assert!(found["table"]["entries"].as_array().unwrap().iter().any(several));
    let (agrees, said) = checked(&report);
    assert!(agrees, "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn scipy_finds_the_same_words_of_the_shipped_report() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/audit/full.json.gz");
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .args(["audit", "--json", "--from"])
        .arg(packed)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Without it the program below would have nothing to say of limits.
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["table"]["sensitivity"]["words"].as_u64().is_some_and(|words| words > 300));
    let file = std::env::temp_dir().join(format!("sfc-bench-shipped-{}.json", std::process::id()));
    std::fs::write(&file, &output.stdout).unwrap();
    let (agrees, said) = checked(&file);
    assert!(agrees, "{said}");
    std::fs::remove_file(&file).unwrap();
}
