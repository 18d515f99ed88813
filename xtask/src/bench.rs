//! The benchmarks against NumPy, in the browser.

use anyhow::Result;

use crate::process::{program, run};
use crate::{bundle, setup};

/// Times the whole paper in Chromium and in NumPy, in turn.
pub fn run_bench(rounds: u32) -> Result<()> {
    let python = setup::numpy()?;
    let browser = setup::browser()?;
    setup::npm_packages()?;
    bundle::build(bundle::DIST.as_ref())?;
    run(program("node")
        .arg("benches/against-numpy.mjs")
        .env("ROUNDS", rounds.to_string())
        .env("CHROMIUM", browser.chromium)
        .env("PYTHON", python))
}
