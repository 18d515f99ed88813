//! What must hold of the source before it is merged.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use crate::bundle::{self, File};
use crate::process::{WASM, cargo, cargo_wasm, program, run};
use crate::{deny, notices, page_tests, root, setup};

/// Makes each check; fails, once all are made, where one failed.
pub fn run_checks() -> Result<()> {
    setup::wasm_target()?;
    // Most of the page's build is one thread's work, and none of it is the other checks'.
    let page = thread::spawn(page_tests::build);
    let outcomes = [
        Outcome::of("format", format),
        Outcome::of("crates", deny::check),
        Outcome::of("notices", notices::check),
        Outcome::of("clippy", clippy),
        Outcome::of("clippy, wasm", clippy_wasm),
        Outcome::of("docs", docs),
        Outcome::of("page", || {
            let built = page.join().unwrap_or_else(|_| bail!("the page's build panicked"));
            built.and_then(javascript)
        }),
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

fn clippy_wasm() -> Result<()> {
    run(cargo_wasm()
        .args(["clippy", "--lib", "--tests", "--no-default-features", "--features", "lab"])
        .args(["--target", WASM])
        .args(["--", "-D", "warnings"]))
}

fn docs() -> Result<()> {
    run(cargo().args(["doc", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The page's types, and its size. The types of the wasm are generated, so the page is built first.
fn javascript(files: Vec<File>) -> Result<()> {
    bundle::check_budget(&files)?;
    let tsc = root().join("node_modules/typescript/bin/tsc");
    run(program("node").arg(tsc).args(["--noEmit", "--project", "tsconfig.json"]))
}
