//! The command line against NumPy, on settings drawn for the occasion.
//!
//! `PYTHON` names an interpreter that has NumPy; without it, `python3` must. See tests/numpy/README.md.

use std::path::Path;
use std::process::Command;

use crate::python::interpreter;

/// Python, in the folder of its scripts.
pub fn python() -> Command {
    let mut command = interpreter();
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numpy"));
    command
}

/// Runs a script that must find no disagreement.
#[track_caller]
pub fn check(script: &str, arguments: &[&str]) {
    let found = python().args(["-c", "import numpy"]).output();
    assert!(
        found.is_ok_and(|found| found.status.success()),
        "no NumPy: set PYTHON to an interpreter that has it, or run `cargo xtask test`, which does"
    );
    let output = python().arg(script).args(arguments).output().expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    println!("{said}");
    assert!(output.status.success(), "{script}: {}\n{said}{complaint}", output.status);
}

#[test]
fn the_command_line_agrees_with_numpy() {
    check("check_cli.py", &[env!("CARGO_BIN_EXE_sfc-bench"), "--seed", "20260", "--cases", "12"]);
}

/// moocore's where it is installed, otherwise NumPy's own sweep; the golden files hold moocore's.
#[test]
fn hypervolumes_of_fresh_points_agree() {
    check("check_hypervolume.py", &[env!("CARGO_BIN_EXE_sfc-bench"), "--seed", "20261"]);
}

#[test]
fn numpys_side_agrees_with_what_is_recorded() {
    check("check_reference.py", &[]);
}
