use std::io;
use std::path::PathBuf;

use serde_json::json;
use sfc_bench::lab::ensemble::{Ensemble, EnsembleError, Member, POINTS_MAX, Runner, check_seed_count};

use crate::format::TextResult;
use crate::{args, input, jobs, output};

/// Runs every seed of a range on all cores, and gives what is to be printed.
pub fn run(wanted: &args::EnsembleArgs) -> TextResult {
    let (plan, seeds, format) = (wanted.plan()?, wanted.seeds()?, wanted.run.format());
    check_seed_count(&plan.config, &seeds)?;
    let count = (seeds.end() - seeds.start()) as usize + 1;
    let levels = plan.config.levels().len();
    let place = |member: &Member| {
        let fits = seeds.contains(&member.seed) && member.points.len() == levels;
        fits.then(|| (member.seed - seeds.start()) as usize)
    };
    let settings = json!({ "config": plan.config, "varied": plan.varied, "seeds": [seeds.start(), seeds.end()] });
    let runner = Runner::new(plan.clone());
    let work = |at: usize| Ok(runner.run_member(seeds.start() + at as u32)?);
    let run = ("ensemble", &settings);
    let (kept, members) = jobs::run_resumable(&wanted.checkpoint, run, count, place, "seeds", work)?;
    let done = members.len();
    let print = || output::format_ensemble(format, &Ensemble::from_members(plan, members)?);
    if done == count {
        return print();
    }
    let finished = format!("{done} of {count} seeds are done");
    jobs::finish_interrupted(kept.as_ref(), format, (done, count), (&finished, ""), print)
}

/// The most that the files of one merge may take together: as many points as an ensemble may have, and
/// some.
const MERGE_BYTES_MAX: u64 = POINTS_MAX * 1_024;

/// Why files cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: io::Error },
    #[error("{file} is not what `ensemble --json` prints: {error}")]
    Malformed { file: String, error: serde_json::Error },
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
}

impl MergeError {
    /// A stable code, e.g. `merge.malformed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "merge.unreadable",
            Self::Malformed { .. } => "merge.malformed",
            Self::Ensemble(error) => error.code(),
        }
    }
}

/// Joins what `ensemble --json` printed; `-` is standard input.
pub fn merge(files: &[PathBuf]) -> Result<Ensemble, MergeError> {
    let mut left = MERGE_BYTES_MAX;
    let mut parts = Vec::with_capacity(files.len());
    for path in files {
        let file = path.display().to_string();
        let mut opened = match input::open_bounded(path, left, None) {
            Ok(opened) => opened,
            Err(error) => return Err(MergeError::Unreadable { file, error }),
        };
        let part: Ensemble = serde_json::from_reader(io::BufReader::new(&mut opened))
            .map_err(|error| MergeError::Malformed { file, error })?;
        left = opened.remaining_bytes();
        parts.push(part);
    }
    Ok(Ensemble::merge(parts)?)
}
