//! What must hold of the source before it is merged.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::process::{WASM, cargo, cargo_wasm, run};
use crate::{deny, notices, setup};

/// Makes each check; fails, once all are made, where one failed.
pub fn run_checks() -> Result<()> {
    setup::wasm_target()?;
    let outcomes = [
        Outcome::of("format", format),
        Outcome::of("crates", deny::check),
        Outcome::of("notices", notices::check),
        Outcome::of("clippy", clippy),
        Outcome::of("clippy, wasm", clippy_wasm),
        Outcome::of("docs", docs),
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
    fn of(name: &'static str, check: impl FnOnce() -> Result<()>) -> Self {
        let start = Instant::now();
        let outcome = check().inspect_err(|error| eprintln!("error: {error:#}"));
        Self { name, passed: outcome.is_ok(), took: start.elapsed() }
    }
}

fn format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// What is compiled for the page alone, with the wasm library's own tests, which a default run does not compile. What
/// only these tests use is told by the page's build that is tested, where warnings are errors.
fn clippy_wasm() -> Result<()> {
    run(cargo_wasm()
        .args(["clippy", "--lib", "--no-default-features", "--features", "lab"])
        .args(["--target", WASM, "--profile", "test"])
        .args(["--", "-D", "warnings"]))
}

fn docs() -> Result<()> {
    run(cargo().args(["doc", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-D warnings"))
}
