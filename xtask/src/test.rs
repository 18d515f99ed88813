//! The tests: native, wasm in a browser, and the page in a browser.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{fmt, fs};

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;

use crate::process::{WASM, cargo, cargo_wasm, program, run};
use crate::{bundle, lint, root, setup};

/// How long one wasm test may take, in seconds: a slow machine is not a failure.
const WASM_TEST_SECONDS: &str = "600";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The Rust tests of this machine, with those against NumPy
    Native,
    /// The same core in headless Chromium
    Wasm,
    /// The built page in headless Chromium, its main ways in Firefox too
    Page,
    /// What `cargo xtask lint` checks
    Lint,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Native => "native",
            Self::Wasm => "wasm",
            Self::Page => "page",
            Self::Lint => "lint",
        })
    }
}

/// Runs every stage, then fails if one of them failed.
pub fn run_stages(stages: &[Stage]) -> Result<()> {
    let stages =
        if stages.is_empty() { &[Stage::Native, Stage::Wasm, Stage::Page] } else { stages };
    let outcomes: Vec<_> = stages.iter().map(|&stage| (stage, run_stage(stage))).collect();

    eprintln!();
    for (stage, (passed, took)) in &outcomes {
        let word = if *passed { "passed" } else { "FAILED" };
        eprintln!("{stage:<7} {word}  {:>4} s", took.as_secs());
    }
    let failed = outcomes.iter().filter(|(_, (passed, _))| !passed).count();
    ensure!(failed == 0, "{failed} of {} stages failed", outcomes.len());
    Ok(())
}

fn run_stage(stage: Stage) -> (bool, Duration) {
    eprintln!("\n=== {stage} ===");
    let start = Instant::now();
    let outcome = match stage {
        Stage::Native => native(),
        Stage::Wasm => wasm(),
        Stage::Page => page(),
        Stage::Lint => lint::run_checks(),
    };
    if let Err(error) = &outcome {
        eprintln!("error: {error:#}");
    }
    (outcome.is_ok(), start.elapsed())
}

fn native() -> Result<()> {
    let python = setup::numpy()?;
    // Apart: together, Cargo would build this program's dependencies again with the core's features.
    let core = run(cargo().args(["test", "--no-fail-fast"]).env("PYTHON", python));
    core.and(fuzz()).and(run(cargo().args(["test", "--package", "xtask"])))
}

/// Seconds for each format that is fuzzed: about two minutes in all.
const FUZZ_SECONDS: &str = "20";

/// Files with random changes, other ones each time. The tests are those just built: what is checked for
/// overflow while developing finds more than what runs twice as often without.
fn fuzz() -> Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = now.as_nanos() as u32;
    eprintln!("fuzzing with SFC_FUZZ_SEED={seed} SFC_FUZZ_SECONDS={FUZZ_SECONDS}");
    run(cargo()
        .args(["test", "--test", "files", "changed_"])
        .args(["--", "--nocapture", "--test-threads=1"])
        .env("SFC_FUZZ_SECONDS", FUZZ_SECONDS)
        .env("SFC_FUZZ_SEED", seed.to_string()))
}

fn wasm() -> Result<()> {
    setup::wasm_target()?;
    let browser = setup::browser()?;
    // Built here, where its progress shows: Cargo would start it below without a word.
    run(cargo()
        .args(["build", "--package", "xtask", "--features", "runner"])
        .args(["--bin", "wasm-test-runner"]))?;
    let tests = |which: &[&str], place: &str| {
        run(cargo_wasm()
            .args(["test", "--no-fail-fast", "--no-default-features", "--features", "lab"])
            .args(["--target", WASM])
            .args(which)
            .env("CHROMEDRIVER", &browser.driver)
            .env(place, "1")
            .env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_SECONDS)
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
            // The page is served without the headers that isolate an origin, and so are its tests.
            .env("WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION", "1"))
    };
    // In a worker, where the page runs the core; and the paper's numbers on the main thread too.
    tests(&["--lib", "--tests"], "WASM_BINDGEN_USE_DEDICATED_WORKER")?;
    tests(&["--test", "core", "expected::"], "WASM_BINDGEN_USE_BROWSER")
}

fn page() -> Result<()> {
    let browser = setup::browser()?;
    let firefox = setup::firefox()?;
    setup::npm_packages()?;
    bundle::build(bundle::DIST.as_ref())?;
    // What the page computes is held against the command line.
    run(cargo().args(["build", "--bin", "sfc-bench"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let command_line = root().join(target).join("debug").join("sfc-bench");
    let failing = |tests: Vec<PathBuf>| -> Vec<PathBuf> {
        let failed = |test: &PathBuf| {
            run(program("node")
                .args(["--test", "--test-reporter=spec"])
                .arg(test)
                .env("SFC_BENCH", &command_line)
                .env("CHROMIUM", &browser.chromium)
                .env("FIREFOX", &firefox))
            .inspect_err(|error| eprintln!("{error:#}"))
            .is_err()
        };
        tests.into_iter().filter(failed).collect()
    };
    let names = |tests: &[PathBuf]| {
        tests.iter().map(|test| test.display().to_string()).collect::<Vec<_>>().join(", ")
    };
    let first = failing(page_tests()?);
    if first.is_empty() {
        return Ok(());
    }
    // A browser on a machine that is busy with something else can be kept waiting for longer than any
    // test should wait. What fails twice has failed; what fails once is named, so that it is not lost.
    eprintln!("once more, since a busy machine may have been the reason: {}", names(&first));
    let again = failing(first.clone());
    ensure!(again.is_empty(), "failed twice: {}", names(&again));
    eprintln!("passed the second time only: {}", names(&first));
    Ok(())
}

/// Named one by one: Node 20 knows no patterns.
fn page_tests() -> Result<Vec<PathBuf>> {
    let folder = PathBuf::from("tests/page");
    let mut tests = Vec::new();
    for entry in fs::read_dir(root().join(&folder))? {
        let name = entry?.file_name();
        if name.to_string_lossy().ends_with(".test.mjs") {
            tests.push(folder.join(name));
        }
    }
    if tests.is_empty() {
        bail!("tests/page has no *.test.mjs");
    }
    tests.sort();
    Ok(tests)
}
