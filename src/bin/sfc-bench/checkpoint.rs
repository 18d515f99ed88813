//! What is done of a long command, in a folder, so that it can be gone on with.
//!
//! `settings.json` says what is run: the format's version, the program's and its sources', the command and
//! everything that its results follow from. `results.jsonl` has a line a job, `{"crc32":"…","result":…}`, in whatever
//! order they were done; the checksum is of the result's text. A line that is cut off or damaged is not
//! believed: that job is done again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sfc_bench::study::BUILD_ID;

use crate::format::BoxError;
use crate::{console, destination, input};

/// The version of the format.
const FORMAT_VERSION: u64 = 1;
/// The most that settings take: seeds by the thousand.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;
/// The most that a result takes: all latents at all positions of a text.
pub const LINE_BYTES_MAX: u64 = 64 << 20;
/// What is written is on the disk after so long.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);
const SETTINGS_FILE: &str = "settings.json";
const RESULTS_FILE: &str = "results.jsonl";
/// How a line begins before its checksum, and before its result.
const LINE_PREFIX: &str = "{\"crc32\":\"";
const RESULT_PREFIX: &str = "\",\"result\":";

/// Where a command keeps what is done, by its options.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Keep what is done in this folder, job by job
    #[arg(long, value_name = "DIR", help_heading = "Interruption")]
    checkpoint: Option<PathBuf>,
    /// Go on with what the folder holds of the same settings
    #[arg(long, requires = "checkpoint", help_heading = "Interruption")]
    resume: bool,
}

/// Why a folder cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("{0} holds a run already; --resume goes on with it")]
    FolderTaken(String),
    #[error("{0} holds files, but no run; allowed: a folder of its own")]
    ForeignFiles(String),
    #[error("{folder} holds a run with other settings: {field} is {held} there, and {asked} here")]
    SettingsDiffer { folder: String, field: String, held: String, asked: String },
    #[error("{file} is not what a run keeps: {reason}")]
    Malformed { file: String, reason: String },
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: io::Error },
    #[error("{0} is a link; allowed: a file of the folder")]
    IsSymlink(String),
    #[error("another run is under way in {0}")]
    Busy(String),
}

impl CheckpointError {
    /// A stable code, e.g. `checkpoint.differs`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::FolderTaken(_) => "checkpoint.taken",
            Self::ForeignFiles(_) => "checkpoint.others",
            Self::SettingsDiffer { .. } => "checkpoint.differs",
            Self::Malformed { .. } => "checkpoint.malformed",
            Self::Unreadable { .. } => "checkpoint.unreadable",
            Self::IsSymlink(_) => "checkpoint.link",
            Self::Busy(_) => "checkpoint.busy",
        }
    }
}

type Result<T> = std::result::Result<T, BoxError>;

/// An open folder of results.
pub struct Checkpoint {
    folder: PathBuf,
    results: Mutex<(File, Instant)>,
}

impl Options {
    /// As options of other names say it.
    pub fn new(checkpoint: Option<PathBuf>, resume: bool) -> Self {
        Self { checkpoint, resume }
    }

    /// Whether there is a folder.
    pub fn is_given(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The folder, if there is one, and what it has: of each job, by `place` of its result, the result.
    pub fn open<T: DeserializeOwned>(
        &self,
        command: &str,
        settings: &impl Serialize,
        jobs: usize,
        place: impl Fn(&T) -> Option<usize>,
    ) -> Result<(Option<Checkpoint>, Vec<Option<T>>)> {
        let mut done: Vec<Option<T>> = Vec::new();
        done.resize_with(jobs, || None);
        let Some(folder) = &self.checkpoint else { return Ok((None, done)) };
        let asked = json!({
            "format": FORMAT_VERSION,
            "version": env!("CARGO_PKG_VERSION"),
            "build": BUILD_ID,
            "command": command,
            "settings": settings,
        });
        let name = || folder.display().to_string();
        let file = folder.join(SETTINGS_FILE);
        // What a link leads to is not the run's to read, and not to be written to.
        for path in [SETTINGS_FILE, RESULTS_FILE].map(|name| folder.join(name)) {
            if path.is_symlink() {
                return Err(CheckpointError::IsSymlink(path.display().to_string()).into());
            }
        }
        if file.exists() {
            if !self.resume {
                return Err(CheckpointError::FolderTaken(name()).into());
            }
            if let Some((field, held, asked)) = first_difference("", &read_settings(&file)?, &asked) {
                return Err(CheckpointError::SettingsDiffer { folder: name(), field, held, asked }.into());
            }
        } else {
            // What was stopped before its settings were written has nothing to lose. Results without settings are of
            // whatever run.
            let other = |entry: fs::DirEntry| {
                let name = entry.file_name();
                let empty = || entry.metadata().is_ok_and(|found| found.is_file() && found.len() == 0);
                let ours = name == RESULTS_FILE && empty();
                !ours && !name.as_encoded_bytes().starts_with(b".settings.json.")
            };
            if fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(other)) {
                return Err(CheckpointError::ForeignFiles(name()).into());
            }
            let failed = |error| destination::WriteError::new(folder, error);
            fs::create_dir_all(folder).map_err(failed)?;
            let text = serde_json::to_string_pretty(&asked)? + "\n";
            destination::write_file(&file, text.as_bytes())?;
        }
        let path = folder.join(RESULTS_FILE);
        let failed = |error| destination::WriteError::new(&path, error);
        if path.exists() {
            let refuse = |error| CheckpointError::Unreadable { file: path.display().to_string(), error };
            input::open_regular(&path).map_err(refuse)?;
        }
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
        let mut results = options.create(true).read(true).append(true).open(&path).map_err(failed)?;
        if let Err(fs::TryLockError::WouldBlock) = results.try_lock() {
            return Err(CheckpointError::Busy(name()).into());
        }
        let damaged = read_results(&mut results, &mut done, place)
            .map_err(|error| CheckpointError::Unreadable { file: path.display().to_string(), error })?;
        let held = done.iter().flatten().count();
        if held > 0 || damaged > 0 {
            console::print_stderr(&resume_sentence(held, damaged, &name()));
        }
        let results = Mutex::new((results, Instant::now()));
        Ok((Some(Checkpoint { folder: folder.clone(), results }), done))
    }
}

fn resume_sentence(held: usize, damaged: usize, folder: &str) -> String {
    let mut said = format!("going on with {held} that {folder} holds");
    if damaged > 0 {
        said += &format!("; what is damaged there, {damaged} in number, is done again");
    }
    said
}

fn read_settings(path: &Path) -> std::result::Result<Value, CheckpointError> {
    let file = path.display().to_string();
    let mut text = String::new();
    match input::open_bounded(path, SETTINGS_BYTES_MAX, None).and_then(|mut from| from.read_to_string(&mut text)) {
        Err(error) => Err(CheckpointError::Unreadable { file, error }),
        Ok(_) => {
            serde_json::from_str(&text).map_err(|error| CheckpointError::Malformed { file, reason: error.to_string() })
        }
    }
}

/// The first field, by its path, that is not the same in both; with what it is in each.
fn first_difference(field: &str, held: &Value, asked: &Value) -> Option<(String, String, String)> {
    let inside = |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
    match (held, asked) {
        (Value::Object(held), Value::Object(asked)) => {
            let names = held.keys().chain(asked.keys().filter(|name| !held.contains_key(*name)));
            // What somebody chose is said first.
            let (chosen, build): (Vec<_>, Vec<_>) = names.partition(|name| *name != "build");
            let names = chosen.into_iter().chain(build);
            let of = |all: &Map<String, Value>, name: &str| all.get(name).cloned().unwrap_or_default();
            names.into_iter().find_map(|name| first_difference(&inside(name), &of(held, name), &of(asked, name)))
        }
        _ if held == asked => None,
        _ => {
            let short = |value: &Value| {
                let text = value.to_string();
                let cut: String = text.chars().take(60).collect();
                if cut.len() < text.len() { cut + "…" } else { cut }
            };
            let field = field.strip_prefix("settings.").unwrap_or(field).to_owned();
            Some((field, short(held), short(asked)))
        }
    }
}

/// Reads what is there; returns how many lines are damaged.
fn read_results<T: DeserializeOwned>(
    results: &mut File,
    done: &mut [Option<T>],
    place: impl Fn(&T) -> Option<usize>,
) -> io::Result<usize> {
    results.seek(SeekFrom::Start(0))?;
    let mut damaged = 0;
    let mut ended = true;
    let mut reader = BufReader::new(&*results);
    let mut line = Vec::new();
    loop {
        line.clear();
        // A longer one is read as several, none of which has its checksum.
        if reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        ended = line.last() == Some(&b'\n');
        let result = verified_result(&line).and_then(|text| serde_json::from_str::<T>(text).ok());
        match result.and_then(|result| Some((place(&result)?, result))) {
            Some((at, result)) if at < done.len() => done[at] = Some(result),
            _ => damaged += usize::from(!line.trim_ascii().is_empty()),
        }
    }
    if !ended {
        // What comes next has a line of its own.
        results.write_all(b"\n")?;
    }
    Ok(damaged)
}

/// The text of a line's result, where the checksum is its own.
fn verified_result(line: &[u8]) -> Option<&str> {
    let line = str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (crc, rest) = line.strip_prefix(LINE_PREFIX)?.split_at_checked(8)?;
    let text = rest.strip_prefix(RESULT_PREFIX)?.strip_suffix('}')?;
    (u32::from_str_radix(crc, 16).ok()? == crc32fast::hash(text.as_bytes())).then_some(text)
}

impl Checkpoint {
    /// Keeps a result.
    pub fn append(&self, result: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string(result)?;
        let crc = crc32fast::hash(text.as_bytes());
        let line = format!("{LINE_PREFIX}{crc:08x}{RESULT_PREFIX}{text}}}\n");
        let path = self.folder.join(RESULTS_FILE);
        let failed = |error| destination::WriteError::new(&path, error);
        let Ok(mut held) = self.results.lock() else { return Ok(()) };
        held.0.write_all(line.as_bytes()).map_err(failed)?;
        if held.1.elapsed() >= SYNC_INTERVAL {
            held.0.sync_data().map_err(failed)?;
            held.1 = Instant::now();
        }
        Ok(())
    }

    /// Has everything on the disk.
    pub fn sync(&self) -> Result<()> {
        let path = self.folder.join(RESULTS_FILE);
        let failed = |error| destination::WriteError::new(&path, error);
        if let Ok(held) = self.results.lock() {
            held.0.sync_data().map_err(failed)?;
        }
        Ok(())
    }

    /// Where it is.
    pub fn folder(&self) -> String {
        self.folder.display().to_string()
    }
}

/// Keeps a result, where there is a checkpoint, and tells of it.
pub fn record_result(
    checkpoint: Option<&Checkpoint>,
    result: &impl Serialize,
    bar: &indicatif::ProgressBar,
) -> Result<()> {
    if let Some(checkpoint) = checkpoint {
        checkpoint.append(result)?;
    }
    bar.inc(1);
    Ok(())
}

/// Has what was kept on the disk.
pub fn sync_checkpoint(checkpoint: Option<&Checkpoint>) -> Result<()> {
    checkpoint.map_or(Ok(()), Checkpoint::sync)
}

/// Where what is done of an interrupted run is kept; or how it could be.
pub fn resume_hint(checkpoint: Option<&Checkpoint>) -> String {
    match checkpoint {
        Some(checkpoint) => format!("they are kept in {}: --resume goes on", checkpoint.folder()),
        None => "with --checkpoint DIR they are kept, and --resume goes on".to_owned(),
    }
}
