//! Python beside the program.
#![allow(dead_code)] // each test program uses its part

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// The interpreter that `PYTHON` names, without it `python3`; it must have NumPy.
pub fn interpreter() -> Command {
    let name = std::env::var_os("PYTHON").filter(|name| !name.is_empty());
    let mut command = Command::new(name.unwrap_or_else(|| "python3".into()));
    // The folders of scripts stay as they are.
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONIOENCODING", "utf-8");
    // Of several threads those without work would wait in a loop, beside other tests.
    command.env("OPENBLAS_NUM_THREADS", "1");
    command
}

/// What an interpreter makes of a script's text.
pub fn run_script(interpreter: &mut Command, script: &str, arguments: &[&str]) -> Output {
    let mut child = interpreter
        // Warnings are errors: a script that divides by zero is not one to enjoy.
        .args(["-W", "error", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("Python starts");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("Python reads");
    child.wait_with_output().expect("Python ends")
}
