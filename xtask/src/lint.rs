//! What must hold of the source before it is merged.

use anyhow::{Result, ensure};

use crate::process::{WASM, cargo, cargo_wasm, program, run};
use crate::{bundle, deny, notices, root, setup};

/// Makes each check; fails, once all are made, where one failed.
pub fn run_checks() -> Result<()> {
    setup::wasm_target()?;
    let checks = [format, deny::check, notices::check, clippy, clippy_wasm, docs, javascript];
    let failed = checks
        .iter()
        .filter_map(|check| check().err())
        .inspect(|error| eprintln!("error: {error:#}"))
        .count();
    ensure!(failed == 0, "{failed} of {} checks failed", checks.len());
    Ok(())
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
fn javascript() -> Result<()> {
    setup::npm_packages()?;
    let files = bundle::build(bundle::DIST.as_ref())?;
    bundle::check_budget(&files)?;
    let tsc = root().join("node_modules/typescript/bin/tsc");
    run(program("node").arg(tsc).args(["--noEmit", "--project", "tsconfig.json"]))
}
