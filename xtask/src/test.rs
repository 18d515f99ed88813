//! The tests: native, wasm in a browser, the page in a browser, all of it under faults, and the Python package.

use std::fmt;
use std::mem;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::page_tests::PageBuild;
use crate::process::{CORE_PACKAGES, cargo_command, cargo_wasm_command, run, run_with_line_callback};
use crate::python::PackageInstall;
use crate::tally::Tally;
use crate::{lint, page_tests, python, results, setup};

/// How long one program of wasm tests may take, in seconds: a slow machine is not a failure.
const WASM_TESTS_SECONDS: &str = "1200";

const FUZZ_SEED_VARIABLE: &str = "SFC_FUZZ_SEED";

/// For how long a long run changes files of each format, in seconds; otherwise as many files as each test says.
const LONG_FUZZ_SECONDS: &str = "30";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The Rust tests of this machine, with those against NumPy
    Native,
    /// The core's tests once more, compiled to WebAssembly and run in headless Chromium; where no stage is named,
    /// with --long only, since the page's tests hold what it computes there against the command line
    Wasm,
    /// The built page in headless Chromium, its main ways in Firefox too
    Page,
    /// What the command line, the readers and the page do where something around them fails
    Faults,
    /// The Python package, as its users install it, and its widget in JupyterLab
    Python,
    /// What `cargo xtask lint` checks
    Lint,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Native => "native",
            Self::Wasm => "wasm",
            Self::Page => "page",
            Self::Faults => "faults",
            Self::Python => "python",
            Self::Lint => "lint",
        })
    }
}

/// Runs every stage, says what came of them, and fails if one of them failed.
pub fn run_stages(stages: &[Stage], page: &page_tests::Options) -> Result<()> {
    let stages: &[Stage] = match stages {
        [] if page.long => &[Stage::Native, Stage::Wasm, Stage::Page, Stage::Faults, Stage::Python],
        [] => &[Stage::Native, Stage::Page, Stage::Faults, Stage::Python],
        named => named,
    };
    let mut all = Tally::default();
    let mut outcomes = Vec::new();
    let (mut built, mut installed) = start_builds(stages, page.long);
    for &stage in stages {
        eprintln!("\n=== {stage} ===");
        let start = Instant::now();
        let mut tally = Tally::default();
        let outcome = match stage {
            Stage::Native => run_native(page.long, &mut tally),
            Stage::Wasm => run_wasm(&mut tally),
            Stage::Page => page_tests::run_page(page, &mut built, &mut tally),
            Stage::Faults => run_faults(page, &mut built, &mut tally),
            Stage::Python => {
                let installed = mem::replace(&mut installed, PackageInstall::NotStarted);
                python::run_tests(page, &mut built, installed, &mut tally)
            }
            Stage::Lint => lint::run_checks(),
        };
        if let Err(error) = &outcome {
            eprintln!("error: {error:#}");
        }
        outcomes.push((stage, outcome.is_ok(), start.elapsed(), tally.describe_counts()));
        all.merge(&format!("{stage}: "), tally);
    }

    let slowest = all.slowest_lines();
    if !slowest.is_empty() {
        println!("\nThe tests that took longest:");
        slowest.iter().for_each(|line| println!("{line}"));
    }
    println!();
    for (stage, passed, took, counts) in &outcomes {
        let word = if *passed { "passed" } else { "FAILED" };
        println!("{stage:<7} {word}  {:>4} s  {counts}", took.as_secs());
    }
    println!("{}", all.describe_counts());
    let failed = outcomes.iter().filter(|(_, passed, ..)| !passed).count();
    ensure!(failed == 0, "{failed} of {} stages failed", outcomes.len());
    Ok(())
}

/// Begins the page's build and the Python package's, where later stages need them: most of the first is one
/// thread's work, and so are many tests.
fn start_builds(stages: &[Stage], long: bool) -> (PageBuild, PackageInstall) {
    let needs_page = |stage: &Stage| matches!(stage, Stage::Page | Stage::Faults | Stage::Python);
    // What comes first waits for it anyway, and shows its progress then.
    if stages.first().is_none_or(needs_page) || !stages.iter().any(needs_page) {
        return (PageBuild::NotStarted, PackageInstall::NotStarted);
    }
    let (built_it, page) = mpsc::channel();
    let built = PageBuild::Running(thread::spawn(move || {
        page_tests::build_page(long)?;
        // Whether anybody waits for it depends on the stages.
        let _ = built_it.send(());
        Ok(())
    }));
    let installed = if stages.contains(&Stage::Python) {
        PackageInstall::Running(thread::spawn(move || {
            page.recv().context("the page was not built")?;
            python::install_package(long)
        }))
    } else {
        PackageInstall::NotStarted
    };
    (built, installed)
}

/// Runs Cargo's tests, and counts them. Where `one_by_one`, a test took as long as its line was waited for.
fn run_tests(command: &mut Command, tally: &mut Tally, one_by_one: bool) -> Result<()> {
    let mut before = Instant::now();
    run_with_line_callback(command, |line| {
        let later = before.elapsed();
        before = Instant::now();
        tally.add_harness_line(line, one_by_one.then_some(later));
    })
}

fn run_native(long: bool, tally: &mut Tally) -> Result<()> {
    let python = setup::find_numpy_python()?;
    let seed = fuzz_seed()?;
    eprintln!("files are changed with {FUZZ_SEED_VARIABLE}={seed}");
    // Rust's harness tells how long each test took only where it believes to be of a nightly toolchain. What
    // makes it believe so goes to the tests alone: Cargo and the compiler would build other things by it.
    let timed = cfg!(unix);
    let mut core = |what: &[&str]| {
        let mut command = cargo_command();
        command.args(what).arg("--no-fail-fast");
        if timed {
            command.args(["--config", "target.'cfg(all())'.runner = ['env', 'RUSTC_BOOTSTRAP=1']"]);
            command.args(["--", "-Zunstable-options", "--report-time"]);
        }
        command.env("PYTHON", &python).env(page_tests::LONG_ENV_VARIABLE, if long { "1" } else { "0" });
        command.env(FUZZ_SEED_VARIABLE, &seed);
        if long {
            command.env("SFC_FUZZ_SECONDS", LONG_FUZZ_SECONDS);
        }
        run_tests(&mut command, tally, false)
    };
    let private = core(&["unit", "--features", "types"]);
    let private_foundations = core(&["unit-foundations"]);
    // Examples have no tests: the lint compiles them.
    let public = core(&["test", "--bins", "--test", "cli", "--test", "public"]);
    let docs = run_tests(cargo_command().args(["test", "--no-fail-fast", "--doc"]), tally, false);
    // Apart: together, Cargo would build this program's dependencies again with the core's features.
    let own = run_tests(cargo_command().args(["test", "--package", "xtask"]), tally, false);
    let kept = results::check_all();
    private.and(private_foundations).and(public).and(docs).and(own).and(kept)
}

/// Faults: those of files and of the machine natively, then those around the page. The same seed makes the
/// same files and the same accidents again.
fn run_faults(page: &page_tests::Options, built: &mut PageBuild, tally: &mut Tally) -> Result<()> {
    let seed = fuzz_seed()?;
    eprintln!("faults with {FUZZ_SEED_VARIABLE}={seed}");
    let python = setup::find_numpy_python()?;
    let mut command = cargo_command();
    command.args(["test", "--test", "faults", "--"]).args(page.only.iter());
    command.arg("--nocapture").env("PYTHON", python).env(FUZZ_SEED_VARIABLE, &seed);
    command.env(page_tests::LONG_ENV_VARIABLE, if page.long { "1" } else { "0" });
    let native = run_tests(&mut command, tally, false);
    // One word may mean files of node, tests in Rust, or both.
    if page.only.is_some() && tally.passed > 0 && !page_tests::has_test_files(page_tests::FAULT_TESTS_FOLDER, page) {
        return native;
    }
    let around_page =
        page_tests::run_folder(page_tests::FAULT_TESTS_FOLDER, page, &[(FUZZ_SEED_VARIABLE, seed)], built, tally);
    native.and(around_page)
}

/// What changes of files and accidents are drawn by: what is asked for, else another number each time.
fn fuzz_seed() -> Result<String> {
    let seed: u32 = match std::env::var(FUZZ_SEED_VARIABLE) {
        Ok(text) => {
            text.parse().with_context(|| format!("{FUZZ_SEED_VARIABLE} is {text:?}: allowed is 0 to 4294967295"))?
        }
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u32,
    };
    Ok(seed.to_string())
}

fn run_wasm(tally: &mut Tally) -> Result<()> {
    setup::install_wasm_target()?;
    let browser = setup::find_browser()?;
    // Built here, where its progress shows: Cargo would start it below without a word.
    run(cargo_command()
        .args(["build", "--package", "xtask", "--features", "runner"])
        .args(["--bin", "wasm-test-runner"]))?;
    let tests = |which: &[&str], place: &str, tally: &mut Tally| {
        let mut command = cargo_wasm_command("test", &CORE_PACKAGES);
        command
            .args(["--no-fail-fast", "--features", "sfc-bench/lab"])
            .args(which)
            .env("CHROMEDRIVER", &browser.driver)
            .env(place, "1")
            .env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TESTS_SECONDS)
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
            // The page is served without the headers that isolate an origin, and so are its tests.
            .env("WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION", "1");
        run_tests(&mut command, tally, true)
    };
    // In a worker, where the page runs the core; and the paper's numbers on the main thread too. The integration
    // tests are in the library's own here (`src/lib.rs`).
    tests(&[], "WASM_BINDGEN_USE_DEDICATED_WORKER", tally)?;
    let before = tally.passed;
    tests(&["expected::"], "WASM_BINDGEN_USE_BROWSER", tally)?;
    ensure!(tally.passed > before, "no test has `expected::` in its name");
    Ok(())
}
