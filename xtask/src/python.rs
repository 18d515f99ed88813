//! The tests of the Python package: installed as its users install it, into an environment of its own.

use std::fs;

use anyhow::{Context, Result};

use crate::process::{cargo, program, run};
use crate::tally::Tally;
use crate::{root, setup};

/// Where the package is.
const PACKAGE: &str = "python";

/// Installs the package with all that it can use and its tests need, and runs these.
pub fn test(tally: &mut Tally) -> Result<()> {
    let python = setup::python_venv("python-tests")?;
    let what = format!("./{PACKAGE}[test]");
    run(program(&python).args(["-m", "pip", "install", "--quiet", &what]).current_dir(root()))?;
    run(cargo().args(["build", "--bin", "sfc-bench"]))?;
    let target = root().join("target");
    let command_line =
        target.join("debug").join(format!("sfc-bench{}", std::env::consts::EXE_SUFFIX));
    let report = target.join("python-tests.jsonl");
    // What is installed is tested: not the sources, which lie beside the tests.
    let outcome = run(program(&python)
        .args(["-m", "pytest", "--import-mode=importlib", "-p", "no:cacheprovider", "tests"])
        .current_dir(root().join(PACKAGE))
        .env("PYTHONSAFEPATH", "1")
        .env("SFC_BENCH", command_line)
        .env("SFC_BENCH_REPORT", &report));
    tally.read_report(&fs::read_to_string(&report).context("no test of Python was run")?);
    outcome
}
