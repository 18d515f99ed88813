//! Starting other programs.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::root;

/// The target the page is built for.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// A program, started in the repository's top folder.
pub fn command_at_root(name: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The Cargo that started this program.
pub fn cargo_command() -> Command {
    command_at_root(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Where Cargo puts what it builds for tests.
pub fn built_path(name: &str) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    root().join(target).join("debug").join(name)
}

/// Both crates of the core.
pub const CORE_PACKAGES: [&str; 4] = ["--package", "sfc-bench", "--package", "sfc-bench-foundations"];

/// Cargo for libraries on the wasm target, with the features that the caller adds: the flags in the environment would
/// replace those in `.cargo/config.toml`, and SIMD with them, so they are left out.
pub fn cargo_wasm_command(task: &str, packages: &[&str]) -> Command {
    let mut command = cargo_command();
    command.arg(task).args(packages).args(["--lib", "--no-default-features", "--target", WASM_TARGET]);
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// Says what is run, runs it, and fails where it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let line = display_command(command);
    eprintln!("$ {line}");
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// As `run`, and hands on each line that the program prints, once it is printed here too.
pub fn run_with_line_callback(command: &mut Command, mut seen: impl FnMut(&str)) -> Result<()> {
    let line = display_command(command);
    eprintln!("$ {line}");
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{line}`"))?;
    let mut output = BufReader::new(child.stdout.take().context("there is no output")?);
    let mut bytes = Vec::new();
    while output.read_until(b'\n', &mut bytes)? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        print!("{text}");
        seen(&text);
        bytes.clear();
    }
    let status = child.wait()?;
    ensure!(status.success(), "`{line}` failed ({status})");
    Ok(())
}

/// Whether a program runs and succeeds; what it prints is dropped.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Where a program is on the PATH.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

fn display_command(command: &Command) -> String {
    let name = command.get_program().to_string_lossy();
    let name = name.rsplit(['/', '\\']).next().unwrap_or(&name).to_owned();
    std::iter::once(name)
        .chain(command.get_args().map(|arg| arg.to_string_lossy().into_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}
