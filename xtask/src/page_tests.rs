//! The tests of the built page, and of what it does under faults: files of node's test runner, several side
//! by side.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{built_path, cargo_command, command_at_root, run};
use crate::tally::Tally;
use crate::{bundle, root, setup};

/// Where the tests of the built page are.
pub const PAGE_TESTS_FOLDER: &str = "tests/page";
/// Where those are in which something around the page fails.
pub const FAULT_TESTS_FOLDER: &str = "tests/faults";
/// Set to 1 where tests run all that they have.
pub const LONG_ENV_VARIABLE: &str = "SFC_BENCH_LONG";
/// Those that measure, in a long run, how quickly the page answers: nothing may run beside them.
const SEQUENTIAL_TESTS: [&str; 1] = ["first-load"];

#[derive(clap::Args)]
pub struct Options {
    /// Of the tests of the page, and of faults, only the files with this in their names
    #[arg(long, value_name = "WORD")]
    pub only: Option<String>,
    /// Also what takes long by its nature, before a release: fuzzing for half a minute a format, every look of every
    /// page, every way of a host, every Firefox, every ended worker and killed run
    #[arg(long)]
    pub long: bool,
    /// How many files of page tests run side by side [default: as many as there are cores, at least 2]
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
}

/// What came of one file.
struct Outcome {
    file: PathBuf,
    tally: Tally,
    failed: bool,
}

/// Builds the page to be tested: in a long run as it is published.
pub fn build_page(long: bool) -> Result<()> {
    setup::install_npm_packages()?;
    let lab = if long { bundle::LabBuild::Published } else { bundle::LabBuild::Tested };
    bundle::build(bundle::DIST_FOLDER.as_ref(), lab).map(drop)
}

/// Whether the page is there to be tested.
pub enum PageBuild {
    NotStarted,
    /// Something else is being done meanwhile.
    Running(JoinHandle<Result<()>>),
    Done,
}

impl PageBuild {
    /// Waits for the build, or makes it.
    pub fn finish(&mut self, long: bool) -> Result<()> {
        match std::mem::replace(self, Self::NotStarted) {
            Self::NotStarted => build_page(long)?,
            Self::Running(thread) => thread.join().unwrap_or_else(|_| bail!("the page's build panicked"))?,
            Self::Done => {}
        }
        *self = Self::Done;
        Ok(())
    }
}

/// The command line, against which the page and the Python package are held: as its own tests build it, so
/// that it need not be built twice.
pub fn build_command_line() -> Result<PathBuf> {
    run(cargo_command().args(["test", "--no-run", "--test", "cli"]))?;
    Ok(built_path(&format!("sfc-bench{}", std::env::consts::EXE_SUFFIX)))
}

/// Whether a folder has files that the options ask for.
pub fn has_test_files(folder: &str, options: &Options) -> bool {
    test_files(folder, options.only.as_deref()).is_ok()
}

/// Runs the tests of the built page; beside them its types are checked, unless only some files are asked for.
/// The types of the wasm are generated with it.
pub fn run_page(options: &Options, built: &mut PageBuild, tally: &mut Tally) -> Result<()> {
    built.finish(options.long)?;
    let check = || {
        let tsc = root().join("node_modules/typescript/bin/tsc");
        run(command_at_root("node").arg(tsc).args(["--noEmit", "--project", "tsconfig.json"]))
    };
    thread::scope(|scope| {
        let checked = options.only.is_none().then(|| scope.spawn(check));
        let tested = run_folder(PAGE_TESTS_FOLDER, options, &[], built, tally);
        let checked = checked.map_or(Ok(()), |check| check.join().unwrap_or_else(|_| bail!("the checks panicked")));
        checked.and(tested)
    })
}

/// Runs the files of a folder, once the page is built, with what else they find in the environment.
pub fn run_folder(
    folder: &str,
    options: &Options,
    more: &[(&'static str, String)],
    built: &mut PageBuild,
    tally: &mut Tally,
) -> Result<()> {
    let files = test_files(folder, options.only.as_deref())?;
    let python = setup::find_numpy_python()?;
    let chromium = setup::find_page_browser()?;
    let firefox = setup::find_firefox()?;
    built.finish(options.long)?;
    let command_line = build_command_line()?;
    let mut environment: Vec<(&str, OsString)> = vec![
        ("SFC_BENCH", command_line.into()),
        ("CHROMIUM", chromium.into()),
        ("FIREFOX", firefox.into()),
        ("PYTHON", python.into()),
    ];
    if options.long {
        environment.push((LONG_ENV_VARIABLE, "1".into()));
    }
    environment.extend(more.iter().map(|(name, value)| (*name, value.into())));
    let reports = root().join("target").join("page-tests").join(folder);
    fs::create_dir_all(&reports)?;
    let test = |file: &Path| run_file(file, &environment, &reports);

    let (alone, together): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| options.long && SEQUENTIAL_TESTS.contains(&test_name(file)));
    let cores = thread::available_parallelism().map_or(2, NonZero::get);
    let jobs = options.jobs.map_or(cores.max(2), NonZero::get);
    eprintln!("{} files, {jobs} side by side, then {} alone", together.len(), alone.len());
    let mut outcomes = run_parallel(together, jobs, &test)?;
    for file in alone {
        outcomes.push(test(&file)?);
    }

    let (failed, passed): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|file| file.failed);
    for outcome in passed {
        tally.merge(&format!("{}: ", test_name(&outcome.file)), outcome.tally);
    }
    if failed.is_empty() {
        return Ok(());
    }
    // A browser on a machine that is busy with something else can be kept waiting for longer than any
    // test should wait. What fails twice has failed; what fails once is named, so that it is not lost.
    let names = |files: &[PathBuf]| files.iter().map(|file| test_name(file)).collect::<Vec<_>>().join(", ");
    let failed: Vec<_> = failed.into_iter().map(|outcome| outcome.file).collect();
    eprintln!("once more, alone, since a busy machine may have been the reason: {}", names(&failed));
    let (mut twice, mut once) = (Vec::new(), Vec::new());
    for file in failed {
        let outcome = test(&file)?;
        if outcome.failed { &mut twice } else { &mut once }.push(file.clone());
        tally.merge(&format!("{}: ", test_name(&file)), outcome.tally);
    }
    if !once.is_empty() {
        eprintln!("passed the second time only: {}", names(&once));
    }
    ensure!(twice.is_empty(), "failed twice: {}", names(&twice));
    Ok(())
}

/// Runs each file once, `jobs` of them at any time.
fn run_parallel(
    files: Vec<PathBuf>,
    jobs: usize,
    test: &(impl Fn(&Path) -> Result<Outcome> + Sync),
) -> Result<Vec<Outcome>> {
    let waiting = Mutex::new(VecDeque::from(files));
    let next = || waiting.lock().ok().and_then(|mut files| files.pop_front());
    thread::scope(|scope| {
        let work = || std::iter::from_fn(next).map(|file| test(&file)).collect::<Result<Vec<_>>>();
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let mut outcomes = Vec::new();
        for worker in workers {
            let done = worker.join().map_err(|_| anyhow::anyhow!("a thread panicked"))?;
            outcomes.extend(done?);
        }
        Ok(outcomes)
    })
}

/// Runs one file; what it says is shown in one piece, once it has ended.
fn run_file(file: &Path, environment: &[(&str, OsString)], reports: &Path) -> Result<Outcome> {
    let report = reports.join(format!("{}.jsonl", test_name(file)));
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let start = Instant::now();
    let (success, said) = run_captured(
        command_at_root("node")
            .args(["--test-reporter=spec", "--test-reporter-destination=stdout"])
            .arg("--test-reporter=./tests/page/lib/reporter.mjs")
            .arg("--test-reporter-destination")
            .arg(&report)
            .arg(file)
            .envs(environment.iter().map(|(name, value)| (*name, value))),
    )?;
    let mut tally = Tally::default();
    tally.add_reporter_lines(&fs::read_to_string(&report).unwrap_or_default());
    let failed = !success || tally.failed > 0 || tally.passed + tally.skipped == 0;
    if failed && tally.failed == 0 {
        // It ended before, between or after its tests.
        tally.failed = 1;
    }
    print_output(file, start.elapsed(), &tally, &said);
    Ok(Outcome { file: file.to_owned(), tally, failed })
}

/// Runs a program to its end: whether it succeeded, and all that it printed, in the order it did.
fn run_captured(command: &mut Command) -> Result<(bool, String)> {
    let (mut said, both) = std::io::pipe()?;
    let mut child =
        command.stdin(Stdio::null()).stdout(both.try_clone()?).stderr(both).spawn().context("cannot start node")?;
    // The command holds the pipe's other end as long as it lives.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut said, &mut bytes)?;
    let status = child.wait()?;
    Ok((status.success(), String::from_utf8_lossy(&bytes).into_owned()))
}

fn print_output(file: &Path, took: Duration, tally: &Tally, said: &str) {
    // In one write, so that no other file's is in between.
    println!(
        "\n--- {}: {} ({:.0} s)\n{}",
        file.display(),
        tally.describe_counts(),
        took.as_secs_f64(),
        said.trim_end()
    );
}

/// `own` of `tests/page/evaluate.test.mjs`.
fn test_name(file: &Path) -> &str {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split('.').next().unwrap_or(name)
}

/// The test files, the longest first, so that none begins when all others are done. Named one by one: Node
/// 20 knows no patterns.
fn test_files(folder: &str, only: Option<&str>) -> Result<Vec<PathBuf>> {
    let folder = Path::new(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder))? {
        let entry = entry?;
        let file = folder.join(entry.file_name());
        let wanted = only.is_none_or(|word| test_name(&file).contains(word));
        if wanted && file.to_string_lossy().ends_with(".test.mjs") {
            found.push((entry.metadata()?.len(), file));
        }
    }
    ensure!(!found.is_empty(), "{} has no *.test.mjs with {} in its name", folder.display(), only.unwrap_or("*"));
    found.sort();
    Ok(found.into_iter().rev().map(|(_, file)| file).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_alone_is_there() {
        let files = test_files(PAGE_TESTS_FOLDER, None).unwrap();
        let names: Vec<_> = files.iter().map(|file| test_name(file)).collect();
        for name in SEQUENTIAL_TESTS {
            assert!(names.contains(&name), "{name}");
        }
    }
}
