//! The Python package: its widget, and its tests, for which it is installed as its users install it, into an
//! environment of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, bail};

use crate::bundle::{self, PageFile};
use crate::page_tests::{self, Options, PageBuild};
use crate::process::{built_path, cargo_command, command_at_root, run};
use crate::tally::Tally;
use crate::{root, setup, single};

/// Where the package is.
const PACKAGE_FOLDER: &str = "python";
/// Whether the package is tested with a module that is compiled with the core's own tests: as Cargo links it, which is not
/// how a Mac's Python needs it.
const SHARES_MODULE_WITH_TESTS: bool = cfg!(target_os = "linux");
/// Selects the module with the core, whose features Cargo unites then: it is linked with what the core's tests are.
const MODULE_WITH_CORE: [&str; 4] = ["--package", "sfc-bench", "--package", "sfc-bench-python"];
/// What the package carries for browsers.
const WIDGET_FILE: &str = "python/sfc_bench/assets/widget.js";
/// The tests of the widget and of what notebooks compute: files of node's test runner.
const NOTEBOOK_TESTS_FOLDER: &str = "tests/notebook";

/// Writes the widget's module, made of a built page in the folder `page`.
pub fn write_widget(page: &Path) -> Result<()> {
    let path = root().join(WIDGET_FILE);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, single::build_widget(page)?).with_context(|| format!("cannot write {WIDGET_FILE}"))
}

/// The package as its tests need it, which may be under way: the Python that has it.
pub enum PackageInstall {
    NotStarted,
    /// Something else is being done meanwhile.
    Running(JoinHandle<Result<PathBuf>>),
}

impl PackageInstall {
    fn finish(self, long: bool) -> Result<PathBuf> {
        match self {
            Self::NotStarted => install_package(long),
            Self::Running(thread) => thread.join().unwrap_or_else(|_| bail!("installing the package panicked")),
        }
    }
}

/// Installs the package, of which the page is built, with all that it can use and its tests need: in a long run from its
/// sources as its users may, else from a wheel with the module that is compiled with the core's tests.
pub fn install_package(long: bool) -> Result<PathBuf> {
    write_widget(bundle::DIST_FOLDER.as_ref())?;
    let python = setup::ensure_python_venv("python-tests")?;
    let package = if long || !SHARES_MODULE_WITH_TESTS {
        root().join(PACKAGE_FOLDER)
    } else {
        build_wheel(&python, &root().join("target").join("python-wheel"))?
    };
    let what = format!("{}[test]", package.display());
    let pip = |words: &[&str]| run(command_at_root(&python).args(["-m", "pip"]).args(words));
    // Another wheel of the same version is taken to be the same.
    pip(&["uninstall", "--quiet", "--yes", "sfc-bench"])?;
    pip(&["install", "--quiet", &what])?;
    Ok(python)
}

/// Makes a wheel in a folder: the sources, what maturin says of the package, and the module.
fn build_wheel(python: &Path, folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    run(cargo_command().arg("build").args(MODULE_WITH_CORE).args(["--lib", "--test", "cli"]))?;
    let mut files = Vec::new();
    bundle::collect_files(&root().join(PACKAGE_FOLDER).join("sfc_bench"), "sfc_bench", &mut files)?;
    let module = fs::read(built_path("lib_core.so")).context("Cargo made no Python module")?;
    files.push(PageFile { path: "sfc_bench/_core.abi3.so".to_owned(), bytes: module });
    let unpacked = folder.join("unpacked");
    bundle::write_files(&files, &unpacked)?;

    let tool = |words: &[&str], path: &Path| {
        run(command_at_root(python).arg("-m").args(words).arg(path).current_dir(root().join(PACKAGE_FOLDER)))
    };
    run(command_at_root(python).args(["-m", "pip", "install", "--quiet", "maturin>=1.9,<2", "wheel"]))?;
    tool(&["maturin", "pep517", "write-dist-info", "--metadata-directory"], &unpacked)?;
    let out = folder.display().to_string();
    tool(&["wheel", "pack", "--dest-dir", &out], &unpacked)?;
    let mut files = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let is_wheel = |path: &PathBuf| path.extension().is_some_and(|end| end == "whl");
    files.find_map(|path| path.ok().filter(is_wheel)).context("no wheel was made")
}

/// Runs the package's tests: those of Python, then those in a browser. Its formatting, its lints and its types
/// are checked beside.
pub fn run_tests(options: &Options, built: &mut PageBuild, installed: PackageInstall, tally: &mut Tally) -> Result<()> {
    built.finish(options.long)?;
    setup::install_gnu_parallel()?;
    let python = installed.finish(options.long)?;
    let command_line = page_tests::build_command_line()?;
    let report = root().join("target").join("python-tests.jsonl");
    // What is installed is tested: not the sources, which lie beside the tests.
    let check =
        |words: &[&str]| run(command_at_root(&python).arg("-m").args(words).current_dir(root().join(PACKAGE_FOLDER)));
    let checked = check(&["ruff", "check", "--no-cache", "--quiet", "."])
        .and(check(&["ruff", "format", "--no-cache", "--check", "--quiet", "."]))
        .and(check(&["mypy", "--cache-dir", if cfg!(windows) { "nul" } else { "/dev/null" }]));
    let mut tests = command_at_root(&python);
    tests
        .args(["-m", "pytest", "--import-mode=importlib", "-p", "no:cacheprovider", "tests"])
        // A file's tests share what was measured once for them. A test that ended its process would be tried again by another.
        .args(["--numprocesses", "2", "--dist", "loadfile", "--max-worker-restart", "0"])
        .current_dir(root().join(PACKAGE_FOLDER))
        .env("PYTHONSAFEPATH", "1")
        .env("SFC_BENCH", command_line)
        .env("SFC_BENCH_REPORT", &report);
    let python = python.into_os_string().into_string();
    let python = python.map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))?;
    let more = [("JUPYTER_PYTHON", python), ("PYTHONSAFEPATH", "1".to_owned())];
    // At once: the widget's tests wait for JupyterLab most of their time.
    let (outcome, browser) = thread::scope(|scope| {
        let outcome = scope.spawn(|| run(&mut tests));
        let browser = page_tests::run_folder(NOTEBOOK_TESTS_FOLDER, options, &more, built, tally);
        (outcome.join().unwrap_or_else(|_| bail!("running pytest panicked")), browser)
    });
    tally.add_reporter_lines(&fs::read_to_string(&report).context("no test of Python was run")?);
    checked.and(outcome).and(browser)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The crates below some packages and their features, as Cargo chooses them where these are selected together.
    fn features(packages: &[&str]) -> BTreeSet<String> {
        let mut command = cargo_command();
        command.args(["tree", "--prefix", "none", "--edges", "normal,build,dev", "--format", "{p} {f}"]).args(packages);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).filter(|line| !line.is_empty()).collect()
    }

    /// Otherwise Cargo would compile it again for each: `tests/features` has what is missing.
    #[test]
    fn the_module_shares_the_core_with_the_tests() {
        let (core, both) = (features(&MODULE_WITH_CORE[..2]), features(&MODULE_WITH_CORE));
        assert!(core.len() > 50 && both.len() > core.len());
        let other: Vec<_> = core.difference(&both).collect();
        assert!(
            other.is_empty(),
            "features that tests/features/Cargo.toml should ask for, with the Python module: {other:#?}"
        );
    }

    /// What is below them is compiled once for both.
    #[test]
    fn the_foundations_tests_share_what_is_below_with_those_of_the_core() {
        let core = features(&["--package", "sfc-bench", "--features", "types"]);
        let foundations = features(&["--package", "sfc-bench-foundations", "--features", "threads"]);
        let other: Vec<_> = foundations.difference(&core).filter(|line| !line.starts_with("sfc-bench")).collect();
        assert!(
            foundations.len() > 50 && other.is_empty(),
            "features that tests/features/Cargo.toml should ask for: {other:#?}"
        );
    }
}
