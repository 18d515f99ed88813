//! Gets what a command needs and the machine lacks, or says in one line how to get it.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{WASM_TARGET, command_at_root, find_program, run, succeeds};
use crate::root;

/// The Rust target for WebAssembly.
pub fn install_wasm_target() -> Result<()> {
    let libraries = command_at_root("rustc")
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output()
        .context("cannot start rustc")?;
    if Path::new(String::from_utf8_lossy(&libraries.stdout).trim()).is_dir() {
        return Ok(());
    }
    ensure!(
        find_program("rustup").is_some(),
        "the {WASM_TARGET} target is missing, and so is rustup, which would add it (https://rustup.rs)"
    );
    run(command_at_root("rustup").args(["target", "add", WASM_TARGET]))
}

/// A browser, and the driver by which the wasm tests steer it.
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// Chromium as its users have it, by the names it goes by.
const CHROMIUM_NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
/// The same without windows, menus and all that is around a page: it opens one in half the time.
const HEADLESS_SHELL: &str = "chromium-headless-shell";

impl Browser {
    fn find_installed() -> Option<Self> {
        Some(Self {
            chromium: path_from_env("CHROMIUM").or_else(|| CHROMIUM_NAMES.into_iter().find_map(find_program))?,
            driver: path_from_env("CHROMEDRIVER").or_else(|| find_program("chromedriver"))?,
        })
    }
}

/// A path given in the environment.
fn path_from_env(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}

/// Chromium and its driver.
pub fn find_browser() -> Result<Browser> {
    if let Some(browser) = Browser::find_installed() {
        return Ok(browser);
    }
    apt_install(&["chromium", "chromium-driver"]).context(
        "the browser tests need Chromium and chromedriver: install both, \
         or name them in CHROMIUM and CHROMEDRIVER",
    )?;
    Browser::find_installed().context("Chromium was installed but is not on the PATH")
}

/// The Chromium of the page tests, which need no driver: without windows where there is one, or can be.
pub fn find_page_browser() -> Result<PathBuf> {
    let installed = || path_from_env("CHROMIUM").or_else(|| find_program(HEADLESS_SHELL));
    if let Some(browser) = installed() {
        return Ok(browser);
    }
    if let Err(error) = apt_install(&[HEADLESS_SHELL]) {
        eprintln!("no {HEADLESS_SHELL}, so the page tests take longer ({error:#})");
    }
    installed().map_or_else(|| find_browser().map(|browser| browser.chromium), Ok)
}

/// Firefox, which needs no driver.
pub fn find_firefox() -> Result<PathBuf> {
    let installed =
        || path_from_env("FIREFOX").or_else(|| ["firefox-esr", "firefox"].into_iter().find_map(find_program));
    if let Some(firefox) = installed() {
        return Ok(firefox);
    }
    apt_install(&["firefox-esr"]).context("the page tests need Firefox too: install it, or name it in FIREFOX")?;
    installed().context("Firefox was installed but is not on the PATH")
}

/// GNU parallel, with which one of the examples runs.
pub fn install_gnu_parallel() -> Result<()> {
    let installed = || find_program("parallel").is_some();
    if cfg!(unix) && !installed() {
        apt_install(&["parallel"]).context("the test of examples/cluster needs GNU parallel: install it")?;
        ensure!(installed(), "GNU parallel was installed but is not on the PATH");
    }
    Ok(())
}

/// The npm packages of the page tests, and of the page as one file, as package-lock.json has them.
pub fn install_npm_packages() -> Result<()> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    ensure!(
        succeeds(command_at_root("node").arg("--version")) && succeeds(command_at_root(npm).arg("--version")),
        "the page as one file and the page tests need Node 20 or later with npm (https://nodejs.org)"
    );
    let changed = |file: &str| root().join(file).metadata().and_then(|meta| meta.modified()).ok();
    // npm writes this file last, so it is older than the lock where that has changed since.
    let installed = changed("node_modules/.package-lock.json");
    if installed.is_some() && installed >= changed("package-lock.json") {
        return Ok(());
    }
    run(command_at_root(npm).args(["ci", "--no-audit", "--no-fund"]))
}

/// A Python interpreter with NumPy and SciPy, in `target/venv` where the machine's own has none.
pub fn find_numpy_python() -> Result<PathBuf> {
    let has_both = |python: &Path| succeeds(command_at_root(python).args(["-c", "import numpy, scipy"]));
    if let Some(python) = python_candidates().find(|python| has_both(python)) {
        return Ok(python);
    }

    let venv = root().join("target").join("venv");
    let python = venv_python(&venv);
    if has_both(&python) {
        return Ok(python);
    }
    create_venv(&venv)?;
    run(command_at_root(&python).args(["-m", "pip", "install", "--quiet", "numpy", "scipy"]))?;
    Ok(python)
}

/// The Python interpreter of an environment of that name in `target`, which is made where it is not there.
pub fn ensure_python_venv(name: &str) -> Result<PathBuf> {
    let venv = root().join("target").join(name);
    let python = venv_python(&venv);
    if !succeeds(command_at_root(&python).args(["-m", "pip", "--version"])) {
        create_venv(&venv)?;
    }
    Ok(python)
}

fn venv_python(venv: &Path) -> PathBuf {
    venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn python_candidates() -> impl Iterator<Item = PathBuf> {
    path_from_env("PYTHON").into_iter().chain(["python3", "python"].map(PathBuf::from))
}

/// Makes an environment with pip and nothing more.
fn create_venv(venv: &Path) -> Result<()> {
    let base = python_candidates()
        .find(|python| succeeds(command_at_root(python).arg("--version")))
        .context("the comparison with NumPy, and the Python package, need Python 3")?;
    if !succeeds(command_at_root(&base).args(["-c", "import ensurepip"])) {
        // Debian keeps this half of the standard library in a package of its own.
        apt_install(&["python3-venv"])
            .context("the comparison with NumPy needs NumPy, or Python's venv to install it in")?;
    }
    run(command_at_root(&base).args(["-m", "venv", "--clear"]).arg(venv))
}

/// Installs Debian packages where this user may.
fn apt_install(packages: &[&str]) -> Result<()> {
    ensure!(find_program("apt-get").is_some(), "there is no apt-get here to do it");
    let apt = || {
        if succeeds(command_at_root("test").args(["-w", "/var/lib/dpkg"])) {
            command_at_root("apt-get")
        } else {
            let mut sudo = command_at_root("sudo");
            sudo.args(["-n", "apt-get"]);
            sudo
        }
    };
    if !succeeds(apt().arg("--version")) {
        bail!("run `sudo apt-get install {}`", packages.join(" "));
    }
    run(apt().arg("update"))?;
    run(apt()
        .args(["install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive"))
}
