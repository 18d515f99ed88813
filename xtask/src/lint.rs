//! What must hold of the source before it is merged.

use std::thread;

use anyhow::{Result, bail, ensure};

use crate::bundle::{self, File};
use crate::process::{WASM, cargo, cargo_wasm, program, run};
use crate::{deny, notices, page_tests, root, setup};

/// Makes each check; fails, once all are made, where one failed.
pub fn run_checks() -> Result<()> {
    setup::wasm_target()?;
    // Most of the page's build is one thread's work, and none of it is the other checks'.
    let page = thread::spawn(page_tests::build);
    let checks = [format, deny::check, notices::check, clippy, clippy_wasm, docs];
    let mut outcomes: Vec<_> = checks.iter().map(|check| told(check())).collect();
    let built = page.join().unwrap_or_else(|_| bail!("the page's build panicked"));
    outcomes.push(told(built.and_then(javascript)));
    let failed = outcomes.iter().filter(|passed| !**passed).count();
    ensure!(failed == 0, "{failed} of {} checks failed", outcomes.len());
    Ok(())
}

/// Whether a check passed; tells of it where it failed.
fn told(outcome: Result<()>) -> bool {
    outcome.inspect_err(|error| eprintln!("error: {error:#}")).is_ok()
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
