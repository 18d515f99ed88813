//! The audit's statistics against NumPy and SciPy, from what its own command prints.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::is_long_run;
use crate::numpy::python;

/// A world, how many seeds of it, and what is printed of these: measured once for all tests.
struct World {
    name: &'static str,
    seeds: &'static str,
    printed: OnceLock<String>,
}

impl World {
    const fn new(name: &'static str, seeds: &'static str) -> Self {
        Self { name, seeds, printed: OnceLock::new() }
    }

    fn printed(&self) -> &str {
        self.printed.get_or_init(|| printed(["--world", self.name, "--seeds", self.seeds]))
    }
}

/// What is measured quickly; from ten seeds on intervals are bootstrapped.
static QUICK: [World; 4] = [
    World::new("scores", "12"),
    World::new("planted", "10"),
    World::new("superposition", "3"),
    World::new("synth", "3"),
];

/// Trained toy models take as long as all others together.
static LONG: [World; 2] = [World::new("layer", "2"), World::new("toys", "3")];

fn printed<T: AsRef<OsStr>>(args: impl IntoIterator<Item = T>) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .args(["audit", "--json"])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Reports as files of a folder that goes with them.
struct Reports {
    folder: TempDir,
    paths: Vec<PathBuf>,
}

impl Reports {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), paths: Vec::new() }
    }

    fn add(&mut self, text: &str) {
        let path = self.folder.path().join(format!("{}.json", self.paths.len()));
        std::fs::write(&path, text).unwrap();
        self.paths.push(path);
    }

    /// What the program that the page offers says of each, which ends with a line that begins with its path.
    fn check(&self) -> Vec<String> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lab/audit/check.py");
        let output = python().arg(program).args(&self.paths).output().expect("Python starts");
        let words = String::from_utf8(output.stdout).expect("UTF-8");
        let mut said = vec![String::new()];
        for line in words.lines() {
            let at = said.len() - 1;
            said[at].push_str(line);
            let of = self.paths.get(at).and_then(|path| path.to_str());
            if of.is_some_and(|path| line.starts_with(path)) {
                said.push(String::new());
            }
        }
        assert_eq!(said.pop().as_deref(), Some(""), "{words}");
        assert_eq!(said.len(), self.paths.len(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.success(), said.iter().all(|said| agrees(said)), "{words}");
        said
    }

    fn agree(&self) {
        for said in self.check() {
            assert!(agrees(&said), "{said}");
        }
    }
}

fn agrees(said: &str) -> bool {
    said.contains(", 0 of them other")
}

#[test]
fn numpy_finds_the_same_statistics_of_the_same_rows() {
    let mut reports = Reports::new();
    // The same rows, by the first edition's rule; SynthSAEBench came with the second.
    for world in &QUICK[..3] {
        let mut rows = Reports::new();
        rows.add(world.printed());
        let from = rows.paths[0].as_os_str();
        reports.add(&printed(["--edition".as_ref(), "1".as_ref(), "--from".as_ref(), from]));
    }
    reports.agree();
    // It can find something: a number of the table is changed.
    let scores = std::fs::read(&reports.paths[0]).unwrap();
    let mut other: Value = serde_json::from_slice(&scores).unwrap();
    let entries = other["table"]["entries"].as_array_mut().unwrap();
    let measured = |entry: &&mut Value| entry["evidence"]["reliability"]["cv_seeds"].is_f64();
    let entry = entries.iter_mut().find(measured).unwrap();
    let cv = entry["evidence"]["reliability"]["cv_seeds"].as_f64().unwrap();
    entry["evidence"]["reliability"]["cv_seeds"] = (cv * (1.0 + 1e-7)).into();
    let mut changed = Reports::new();
    changed.add(&other.to_string());
    let said = &changed.check()[0];
    assert!(!agrees(said) && said.contains("cv_seeds"), "{said}");
}

#[test]
fn scipy_finds_the_same_words_of_the_same_rows() {
    let mut reports = Reports::new();
    for world in QUICK.iter().chain(LONG.iter().filter(|_| is_long_run())) {
        reports.add(world.printed());
    }
    reports.agree();

    // Any word that is another is found by its column, of a metric that has values.
    let report: Value = serde_json::from_str(QUICK[0].printed()).unwrap();
    let entries = report["table"]["entries"].as_array().unwrap();
    let at = entries.iter().position(|entry| entry["evidence"]["reach"].is_object()).unwrap();
    let mut changed = Reports::new();
    let mut other = report.clone();
    let mut columns = Vec::new();
    for cell in other["table"]["entries"][at]["cells"].as_array_mut().unwrap() {
        cell["word"] = if cell["word"] == "fails" { "holds" } else { "fails" }.into();
        columns.push(cell["column"].as_str().unwrap().to_owned());
    }
    assert_eq!(columns.len(), 7);
    changed.add(&other.to_string());
    // So is any number of its evidence.
    for part in ["/reach/least", "/cost/seconds", "/controls/0/auc", "/validity/truths/0/rho/mean"] {
        let mut other = report.clone();
        let number = other["table"]["entries"][at]["evidence"].pointer_mut(part).unwrap();
        *number = (number.as_f64().unwrap() + 1e-4).into();
        changed.add(&other.to_string());
    }
    let said = changed.check();
    assert!(said.iter().all(|said| !agrees(said)), "{said:?}");
    for column in columns {
        let word = format!("{column}: ");
        assert!(said[0].contains(&word), "{column}: {}", said[0]);
    }
}

#[test]
fn scipy_finds_the_same_words_of_several_worlds_together() {
    let mut parts = Reports::new();
    for world in &QUICK {
        parts.add(world.printed());
    }
    let from = ["--from".as_ref()].into_iter().chain(parts.paths.iter().map(|path| path.as_os_str()));
    let report = printed(from);
    // A word is the worst world's: metrics of decompositions have several.
    let found: Value = serde_json::from_str(&report).unwrap();
    let several =
        |entry: &Value| entry["evidence"]["reliability"]["worlds"].as_array().is_some_and(|all| all.len() > 1);
    assert!(found["table"]["entries"].as_array().unwrap().iter().any(several));
    let mut reports = Reports::new();
    reports.add(&report);
    reports.agree();
}

#[test]
fn scipy_finds_the_same_words_of_the_shipped_report() {
    let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/audit/full.json.gz");
    let report = printed(["--from", packed]);
    // Without it the program would have nothing to say of limits.
    let found: Value = serde_json::from_str(&report).unwrap();
    assert!(found["table"]["sensitivity"]["words"].as_u64().is_some_and(|words| words > 300));
    let mut reports = Reports::new();
    reports.add(&report);
    reports.agree();
}
