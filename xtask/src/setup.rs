//! Gets what a command needs and the machine lacks, or says in one line how to get it.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{WASM, find, program, run, succeeds};
use crate::root;

/// The Rust target for WebAssembly.
pub fn wasm_target() -> Result<()> {
    let libraries = program("rustc")
        .args(["--print", "target-libdir", "--target", WASM])
        .output()
        .context("cannot start rustc")?;
    if Path::new(String::from_utf8_lossy(&libraries.stdout).trim()).is_dir() {
        return Ok(());
    }
    ensure!(
        find("rustup").is_some(),
        "the {WASM} target is missing, and so is rustup, which would add it (https://rustup.rs)"
    );
    run(program("rustup").args(["target", "add", WASM]))
}

/// A browser, and the driver by which the wasm tests steer it.
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// Chromium as its users have it, by the names it goes by.
const CHROMIUM: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
/// The same without windows, menus and all that is around a page: it opens one in half the time.
const HEADLESS_SHELL: &str = "chromium-headless-shell";

impl Browser {
    fn installed() -> Option<Self> {
        Some(Self {
            chromium: named("CHROMIUM").or_else(|| CHROMIUM.into_iter().find_map(find))?,
            driver: named("CHROMEDRIVER").or_else(|| find("chromedriver"))?,
        })
    }
}

/// A path given in the environment.
fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}

/// Chromium and its driver.
pub fn browser() -> Result<Browser> {
    if let Some(browser) = Browser::installed() {
        return Ok(browser);
    }
    apt_install(&["chromium", "chromium-driver"]).context(
        "the browser tests need Chromium and chromedriver: install both, \
         or name them in CHROMIUM and CHROMEDRIVER",
    )?;
    Browser::installed().context("Chromium was installed but is not on the PATH")
}

/// The Chromium of the page tests, which need no driver: without windows where there is one, or can be.
pub fn page_browser() -> Result<PathBuf> {
    let installed = || named("CHROMIUM").or_else(|| find(HEADLESS_SHELL));
    if let Some(browser) = installed() {
        return Ok(browser);
    }
    if let Err(error) = apt_install(&[HEADLESS_SHELL]) {
        eprintln!("no {HEADLESS_SHELL}, so the page tests take longer ({error:#})");
    }
    installed().map_or_else(|| browser().map(|browser| browser.chromium), Ok)
}

/// Firefox, which needs no driver.
pub fn firefox() -> Result<PathBuf> {
    let installed =
        || named("FIREFOX").or_else(|| ["firefox-esr", "firefox"].into_iter().find_map(find));
    if let Some(firefox) = installed() {
        return Ok(firefox);
    }
    apt_install(&["firefox-esr"])
        .context("the page tests need Firefox too: install it, or name it in FIREFOX")?;
    installed().context("Firefox was installed but is not on the PATH")
}

/// GNU parallel, with which one of the examples runs.
pub fn gnu_parallel() -> Result<()> {
    let installed = || find("parallel").is_some();
    if cfg!(unix) && !installed() {
        apt_install(&["parallel"])
            .context("the test of examples/cluster needs GNU parallel: install it")?;
        ensure!(installed(), "GNU parallel was installed but is not on the PATH");
    }
    Ok(())
}

/// The npm packages of the page tests, and of the page as one file, as package-lock.json has them.
pub fn npm_packages() -> Result<()> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    ensure!(
        succeeds(program("node").arg("--version")) && succeeds(program(npm).arg("--version")),
        "the page as one file and the page tests need Node 20 or later with npm (https://nodejs.org)"
    );
    let changed = |file: &str| root().join(file).metadata().and_then(|meta| meta.modified()).ok();
    // npm writes this file last, so it is older than the lock where that has changed since.
    let installed = changed("node_modules/.package-lock.json");
    if installed.is_some() && installed >= changed("package-lock.json") {
        return Ok(());
    }
    run(program(npm).args(["ci", "--no-audit", "--no-fund"]))
}

/// A Python interpreter with NumPy and SciPy, in `target/venv` where the machine's own has none.
pub fn numpy() -> Result<PathBuf> {
    let has_both = |python: &Path| succeeds(program(python).args(["-c", "import numpy, scipy"]));
    if let Some(python) = pythons().find(|python| has_both(python)) {
        return Ok(python);
    }

    let venv = root().join("target").join("venv");
    let python = interpreter(&venv);
    if has_both(&python) {
        return Ok(python);
    }
    make_venv(&venv)?;
    run(program(&python).args(["-m", "pip", "install", "--quiet", "numpy", "scipy"]))?;
    Ok(python)
}

/// The Python interpreter of an environment of that name in `target`, which is made where it is not there.
pub fn python_venv(name: &str) -> Result<PathBuf> {
    let venv = root().join("target").join(name);
    let python = interpreter(&venv);
    if !succeeds(program(&python).args(["-m", "pip", "--version"])) {
        make_venv(&venv)?;
    }
    Ok(python)
}

fn interpreter(venv: &Path) -> PathBuf {
    venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn pythons() -> impl Iterator<Item = PathBuf> {
    named("PYTHON").into_iter().chain(["python3", "python"].map(PathBuf::from))
}

/// Makes an environment with pip and nothing more.
fn make_venv(venv: &Path) -> Result<()> {
    let base = pythons()
        .find(|python| succeeds(program(python).arg("--version")))
        .context("the comparison with NumPy, and the Python package, need Python 3")?;
    if !succeeds(program(&base).args(["-c", "import ensurepip"])) {
        // Debian keeps this half of the standard library in a package of its own.
        apt_install(&["python3-venv"])
            .context("the comparison with NumPy needs NumPy, or Python's venv to install it in")?;
    }
    run(program(&base).args(["-m", "venv", "--clear"]).arg(venv))
}

/// Installs Debian packages where this user may.
fn apt_install(packages: &[&str]) -> Result<()> {
    ensure!(find("apt-get").is_some(), "there is no apt-get here to do it");
    let apt = || {
        if succeeds(program("test").args(["-w", "/var/lib/dpkg"])) {
            program("apt-get")
        } else {
            let mut sudo = program("sudo");
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
