//! What must hold of the source before it is merged.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::process::{CORE_PACKAGES, cargo_command, cargo_wasm_command, run};
use crate::{deny, notices, setup};

/// Makes each check; fails, once all are made, where one failed.
pub fn run_checks() -> Result<()> {
    setup::install_wasm_target()?;
    let outcomes = [
        Outcome::run_check("format", check_format),
        Outcome::run_check("crates", deny::check),
        Outcome::run_check("notices", notices::check),
        Outcome::run_check("clippy", run_clippy),
        Outcome::run_check("clippy, wasm", run_clippy_wasm),
        Outcome::run_check("docs", build_docs),
    ];
    for Outcome { name, passed, took } in &outcomes {
        let word = if *passed { "passed" } else { "FAILED" };
        println!("{name:<12} {word}  {:>4} s", took.as_secs());
    }
    let failed = outcomes.iter().filter(|check| !check.passed).count();
    ensure!(failed == 0, "{failed} of {} checks failed", outcomes.len());
    Ok(())
}

/// What came of a check.
struct Outcome {
    name: &'static str,
    passed: bool,
    took: Duration,
}

impl Outcome {
    /// Makes a check; tells of it at once where it failed.
    fn run_check(name: &'static str, check: impl FnOnce() -> Result<()>) -> Self {
        let start = Instant::now();
        let outcome = check().inspect_err(|error| eprintln!("error: {error:#}"));
        Self { name, passed: outcome.is_ok(), took: start.elapsed() }
    }
}

fn check_format() -> Result<()> {
    run(cargo_command().args(["fmt", "--all", "--check"]))
}

fn run_clippy() -> Result<()> {
    // The faults are no test that runs unasked, and so not among all targets.
    let what = ["--workspace", "--all-targets", "--test", "faults", "--features", "sfc-bench/types"];
    run(cargo_command().arg("clippy").args(what).args(["--", "-D", "warnings"]))
}

/// What is compiled for the page alone, with the wasm library's own tests, which a default run does not compile. What
/// only these tests use of `sfc-bench` is told by the page's build that is tested, where warnings are errors.
fn run_clippy_wasm() -> Result<()> {
    let what = ["--features", "sfc-bench/lab", "--profile", "test"];
    run(cargo_wasm_command("clippy", &CORE_PACKAGES).args(what).args(["--", "-D", "warnings"]))
}

fn build_docs() -> Result<()> {
    run(cargo_command().args(["doc", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-D warnings"))
}
