use std::fs::File;
use std::io::{self, BufReader};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use rayon::prelude::*;
use sfc_bench::lab::ensemble::{Ensemble, EnsembleError, EnsemblePlan, Runner, check_seeds};

use crate::progress;

/// Runs every seed of a range on all cores.
pub fn run(plan: EnsemblePlan, seeds: RangeInclusive<u32>) -> Result<Ensemble, EnsembleError> {
    check_seeds(&plan.config, &seeds)?;
    let runner = Runner::new(plan.clone());
    let bar = progress::bar("seeds", seeds.clone().count());
    let members = seeds
        .into_par_iter()
        .map(|seed| runner.member(seed))
        .inspect(|_| bar.inc(1))
        .collect::<Result<_, _>>()?;
    Ensemble::of(plan, members)
}

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

/// Joins what `ensemble --json` printed.
pub fn merge(files: &[PathBuf]) -> Result<Ensemble, MergeError> {
    let parts = files.iter().map(|path| {
        let file = path.display().to_string();
        match File::open(path) {
            Err(error) => Err(MergeError::Unreadable { file, error }),
            Ok(opened) => serde_json::from_reader(BufReader::new(opened))
                .map_err(|error| MergeError::Malformed { file, error }),
        }
    });
    Ok(Ensemble::merge(parts.collect::<Result<_, _>>()?)?)
}
