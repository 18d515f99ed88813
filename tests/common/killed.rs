//! Runs of the program that are ended at random moments, for as many rounds as there is time for.

#![allow(dead_code)] // each test file uses its part

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use sfc_bench::NumpyRng;

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sfc-bench"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// An empty folder of a test's own.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub fn signal(child: &Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    // It may have ended by now.
    let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
}

#[track_caller]
pub fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// `figure --out` over an older figure, killed at random moments: the file is the older or the newer one,
/// and what was left beside it is gone after the next run. Returns how many were killed under way.
pub fn figures(rounds: usize, seed: u32) -> usize {
    let folder = scratch(&format!("killed-figures-{rounds}"));
    let file = folder.join("fig.svg");
    let draw = |theme: &str| {
        let mut command = program();
        command.args(["figure", "1a", "--samples", "300", "--theme", theme, "--force", "--out"]).arg(&file);
        command
    };
    let begun = Instant::now();
    let whole = ["light", "dark"].map(|theme| {
        succeeds(&mut draw(theme));
        fs::read(&file).unwrap()
    });
    let usual = begun.elapsed() / 2;
    assert_ne!(whole[0], whole[1]);
    let (mut dice, mut killed) = (NumpyRng::new(seed), 0);
    for round in 0..rounds {
        let mut child = draw(["light", "dark"][round % 2]).spawn().unwrap();
        // Most of it is the computation: the end is where files are written.
        std::thread::sleep(usual.mul_f64(0.5 + 0.7 * dice.random_sample()));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        let held = fs::read(&file).unwrap();
        assert!(whole.contains(&held), "round {round}: {} bytes", held.len());
    }
    succeeds(&mut draw("light"));
    assert_eq!(names(&folder), ["fig.svg"]);
    fs::remove_dir_all(&folder).unwrap();
    killed
}

/// A run with a checkpoint, killed at random moments and gone on with until it ends: what it prints then is
/// what it prints when nobody kills it. Returns how often it was killed, which is once at least.
pub fn resumed(name: &str, args: &[&str], seed: u32) -> usize {
    let folder = scratch(&format!("killed-{name}"));
    let checkpoint = folder.join("kept");
    let begun = Instant::now();
    let whole = succeeds(program().args(args)).stdout;
    let usual = begun.elapsed();
    // How long it takes where nothing else runs may be far less than it just took.
    let mut within = usual;
    let mut dice = NumpyRng::new(seed);
    let mut killed = 0;
    loop {
        let mut command = program();
        command.args(args).arg("--resume").arg("--checkpoint").arg(&checkpoint);
        command.stdout(Stdio::from(fs::File::create(folder.join("out")).unwrap()));
        command.stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let end = Instant::now() + within.mul_f64(0.1 + 0.6 * dice.random_sample());
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() >= end => {
                    child.kill().unwrap();
                    break child.wait().unwrap();
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        if status.success() && killed == 0 {
            // It was through before: once more from the beginning, and sooner.
            fs::remove_dir_all(&checkpoint).unwrap();
            within /= 4;
            continue;
        }
        if status.success() {
            break;
        }
        within = usual;
        killed += 1;
        assert!(status.code().is_none(), "it ended by itself: {status}");
        assert!(killed < 500, "it does not come on");
    }
    assert!(fs::read(folder.join("out")).unwrap() == whole, "{name}: another result");
    fs::remove_dir_all(&folder).unwrap();
    killed
}
