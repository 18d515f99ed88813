//! The Python package: its widget, and its tests, for which it is installed as its users install it, into an
//! environment of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use anyhow::{Context, Result, bail};

use crate::page_tests::{self, Built, Options};
use crate::process::{program, run};
use crate::tally::Tally;
use crate::{bundle, root, setup, single};

/// Where the package is.
const PACKAGE: &str = "python";
/// What the package carries for browsers.
const WIDGET: &str = "python/sfc_bench/assets/widget.js";
/// The tests of the widget and of what notebooks compute: files of node's test runner.
const NOTEBOOK: &str = "tests/notebook";

/// Writes the widget's module, made of a built page in the folder `page`.
pub fn write_widget(page: &Path) -> Result<()> {
    let path = root().join(WIDGET);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, single::widget(page)?).with_context(|| format!("cannot write {WIDGET}"))
}

/// The package as its tests need it, which may be under way: the Python that has it.
pub enum Installed {
    No,
    /// Something else is being done meanwhile.
    Soon(JoinHandle<Result<PathBuf>>),
}

impl Installed {
    fn finish(self) -> Result<PathBuf> {
        match self {
            Self::No => install(),
            Self::Soon(thread) => {
                thread.join().unwrap_or_else(|_| bail!("installing the package panicked"))
            }
        }
    }
}

/// Installs the package, of which the page is built, with all that it can use and its tests need.
pub fn install() -> Result<PathBuf> {
    write_widget(bundle::DIST.as_ref())?;
    let python = setup::python_venv("python-tests")?;
    let what = format!("./{PACKAGE}[test]");
    run(program(&python)
        .args(["-m", "pip", "install", "--quiet", &what])
        .env("MATURIN_PEP517_ARGS", "--profile wheel-tests")
        .current_dir(root()))?;
    Ok(python)
}

/// Runs the package's tests: those of Python, then those in a browser. Its formatting, its lints and its types
/// are checked beside.
pub fn test(
    options: &Options,
    built: &mut Built,
    installed: Installed,
    tally: &mut Tally,
) -> Result<()> {
    built.finish(options.long)?;
    setup::gnu_parallel()?;
    let python = installed.finish()?;
    let command_line = page_tests::command_line()?;
    let report = root().join("target").join("python-tests.jsonl");
    // What is installed is tested: not the sources, which lie beside the tests.
    let check = |words: &[&str]| {
        run(program(&python).arg("-m").args(words).current_dir(root().join(PACKAGE)))
    };
    let checked = check(&["ruff", "check", "--no-cache", "--quiet", "."])
        .and(check(&["ruff", "format", "--no-cache", "--check", "--quiet", "."]))
        .and(check(&["mypy", "--cache-dir", if cfg!(windows) { "nul" } else { "/dev/null" }]));
    let outcome = run(program(&python)
        .args(["-m", "pytest", "--import-mode=importlib", "-p", "no:cacheprovider", "tests"])
        .current_dir(root().join(PACKAGE))
        .env("PYTHONSAFEPATH", "1")
        .env("SFC_BENCH", command_line)
        .env("SFC_BENCH_REPORT", &report));
    tally.read_report(&fs::read_to_string(&report).context("no test of Python was run")?);
    let python = python.into_os_string().into_string();
    let python = python.map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    let more = [("JUPYTER_PYTHON", python), ("PYTHONSAFEPATH", "1".to_owned())];
    let browser = page_tests::run_folder(NOTEBOOK, options, &more, built, tally);
    checked.and(outcome).and(browser)
}
