use std::io;
use std::path::PathBuf;

use serde_json::json;
use sfc_bench::lab::ensemble::{Ensemble, EnsembleError, Member, POINTS_MAX, Runner, check_seeds};

use crate::format::{Format, Text};
use crate::interrupt::Interrupted;
use crate::{args, checkpoint, input, interrupt, jobs, output, progress};

/// Runs every seed of a range on all cores, and gives what is to be printed.
pub fn text(wanted: &args::Ensemble) -> Text {
    let (plan, seeds, format) = (wanted.plan()?, wanted.seeds()?, wanted.run.format());
    check_seeds(&plan.config, &seeds)?;
    interrupt::listen();
    let count = (seeds.end() - seeds.start()) as usize + 1;
    let levels = plan.config.levels().len();
    let place = |member: &Member| {
        let fits = seeds.contains(&member.seed) && member.points.len() == levels;
        fits.then(|| (member.seed - seeds.start()) as usize)
    };
    let settings = json!({ "config": plan.config, "varied": plan.varied, "seeds": [seeds.start(), seeds.end()] });
    let (checkpoint, done) = wanted.checkpoint.open("ensemble", &settings, count, place)?;
    let runner = Runner::new(plan.clone());
    let bar = progress::bar("seeds", count);
    bar.set_position(done.iter().flatten().count() as u64);
    let found = jobs::run(
        done,
        |at| Ok(runner.member(seeds.start() + at as u32)?),
        |member| checkpoint::keep(checkpoint.as_ref(), member, &bar),
    )?;
    drop(bar);
    let members: Vec<Member> = found.into_iter().flatten().collect();
    checkpoint::sync(checkpoint.as_ref())?;
    if members.len() == count {
        return output::ensemble(format, &Ensemble::of(plan, members)?);
    }
    let finished = format!("{} of {count} seeds are done", members.len());
    let kept = checkpoint::kept(checkpoint.as_ref());
    let text = match (&checkpoint, format) {
        (None, Format::Table | Format::Json) if !members.is_empty() => {
            let done = members.len();
            let text = output::ensemble(format, &Ensemble::of(plan, members)?)?;
            progress::partial(format, &text, &finished, done, count)
        }
        _ => String::new(),
    };
    Err(Interrupted { said: format!("interrupted: {finished}; {kept}"), text }.into())
}

/// The most that the files of one merge may take together: as many points as an ensemble may have, and
/// some.
const MERGE_MAX: u64 = POINTS_MAX * 1_024;

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
    let mut left = MERGE_MAX;
    let mut parts = Vec::with_capacity(files.len());
    for path in files {
        let file = path.display().to_string();
        let mut opened = match input::bounded(path, left, None) {
            Ok(opened) => opened,
            Err(error) => return Err(MergeError::Unreadable { file, error }),
        };
        let part: Ensemble = serde_json::from_reader(io::BufReader::new(&mut opened))
            .map_err(|error| MergeError::Malformed { file, error })?;
        left = opened.left();
        parts.push(part);
    }
    Ok(Ensemble::merge(parts)?)
}
