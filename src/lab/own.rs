//! A reader's own decomposition, on the same three axes.
//!
//! [`Request`] says what is what among files, [`OwnPlan`] holds their shapes against each other and
//! estimates the memory; [`OwnRun`] then reads rows, a block at a time, and makes the [`OwnReport`]. Data are `f32`,
//! every product and sum is in `f64`, blocks are of a fixed size: the same files give the same bits
//! everywhere.
//!
//! What is scored is a dictionary W (K × D) with codes c (N × K) of activations A (N × D): an autoencoder in any layout
//! of [`crate::sae::layout`], or a dictionary alone. Completeness needs
//! what comes after the activations, f; a linear readout can be given, and without one f is the
//! identity, which the report says.

mod activations_script;
mod decompositions;
mod example;
// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
mod inputs;
#[cfg(not(target_arch = "wasm32"))]
mod on_disk;
mod plan;
pub mod query;
mod report;
mod request;
mod rows;
mod run;
mod script;
mod skip;
mod study_view;

pub use super::Reading;
pub use crate::io::ArrayRef;
pub use crate::sae::CodesBy;
pub use activations_script::activations_script;
pub use decompositions::{
    ComparisonRequest, DecompositionConsistency, DecompositionRow, Decompositions,
    DecompositionsReport, DecompositionsView, Listed, Member, Role,
};
pub use example::{EXAMPLE_LEVEL, ExampleFile, example};
pub use inputs::{Codes, Decomposition, Inputs, usual};
pub(crate) use inputs::{transcoder, without_targets};
pub use plan::{Bounded, Numbers, Options, OwnPlan, Shapes};
pub use report::{
    Completeness, DecoderNorms, Features, Fidelity, Histogram, InputFile, OwnReport, Similarity,
    Sparsity, Variance, WorstRow,
};
pub use request::{Choice, Files, FolderNames, Request, WorldRequest, activations};
pub use rows::OwnRows;
pub use run::{Basis, Job, OwnHelp, OwnRun, Part, Phase, Progress};
pub use script::{has_script, own_script};
pub use skip::{RowNumbers, Skip, Skipped};
pub use study_view::StudyView;

use crate::io::{IoError, Legible};
use crate::settings::Problems;
use crate::statistics::MetricError;

pub use crate::sae::active::DENSE;

/// Why a decomposition is not evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OwnError {
    /// A file is refused.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A metric has no value.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// Rows to train on are asked for that there are not.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// A configuration, or an option, says what is not understood.
    #[error("{file}, {field}: {}; allowed: {allowed}", Legible(found))]
    Config {
        /// The file, or "the options".
        file: String,
        /// The field.
        field: String,
        /// What it holds.
        found: String,
        /// What it may hold.
        allowed: String,
    },
    /// A folder that holds no autoencoder, or several.
    #[error("{file}: {found}; allowed: the folder or the weights of one autoencoder")]
    Layout {
        /// The folder.
        file: String,
        /// What is in it.
        found: String,
    },
    /// A transcoder without what it reconstructs.
    #[error(
        "{file}: a transcoder, which reconstructs other activations than it reads; allowed: targets beside the activations, \
         as many rows of those{}",
        hook.as_ref().map_or_else(String::new, |hook| format!(" at {hook}"))
    )]
    Targets {
        /// Its weights.
        file: String,
        /// The place of what it reconstructs, where its files say it.
        hook: Option<String>,
    },
    /// The run takes more memory than it may.
    #[error("the run needs {} MiB; allowed: {} MiB", needed.div_ceil(1 << 20), cap.div_ceil(1 << 20))]
    Memory {
        /// Bytes it needs.
        needed: u64,
        /// Bytes it may take.
        cap: u64,
    },
    /// A row cannot be normalised.
    #[error("row {row} of the activations {why}, so {normalisation} has no value for it")]
    Row {
        /// The row, from 0.
        row: usize,
        /// What is wrong with it.
        why: &'static str,
        /// What it was to be normalised by.
        normalisation: &'static str,
    },
    /// A row has a code or a reconstruction that is no finite `f32`.
    #[error("row {row} of the activations: {what} is {value:?}; allowed: finite 32-bit floats")]
    NonFinite {
        /// The row, from 0.
        row: usize,
        /// What of it: "the code of feature 3".
        what: String,
        /// What it comes to.
        value: f64,
    },
    /// A measure has no finite value.
    #[error(
        "{measure} comes to {value:?}: what is divided is too large for numbers, or what it is divided \
         by too small"
    )]
    Measure {
        /// Which.
        measure: String,
        /// What it comes to.
        value: f64,
    },
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalue iteration of the dictionary's Gram matrix did not converge")]
    NoConvergence,
    /// A dictionary or a readout whose rows would fit if they were columns.
    #[error(
        "{file} is {rows} × {cols}; allowed: {rows} columns, as the activations have. Transposed? The \
         {role} can be read so"
    )]
    Transposed {
        /// What it was to be: "dictionary" or "readout".
        role: &'static str,
        /// The file.
        file: String,
        /// Its rows, as it is.
        rows: usize,
        /// Its columns.
        cols: usize,
    },
    /// Neither an autoencoder nor a dictionary, or both.
    #[error("either sae or dictionary is needed, and not both")]
    Both,
    /// A file is named that is not there.
    #[error("there is no open file {0:?}")]
    NotOpen(String),
    /// A report is asked for before all rows were read.
    #[error("the evaluation is not finished")]
    Unfinished,
    /// A piece of work came as bytes that are none.
    #[error("a piece of the evaluation cannot be read: {0}")]
    Part(String),
}

impl OwnError {
    /// A stable code, e.g. `evaluate.memory`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(error) => error.code(),
            Self::Metric(error) => error.code(),
            Self::Problems(_) => "evaluate.given",
            Self::Config { .. } => "evaluate.config",
            Self::Layout { .. } => "evaluate.layout",
            Self::Targets { .. } => "evaluate.targets",
            Self::Memory { .. } => "evaluate.memory",
            Self::Row { .. } => "evaluate.row",
            Self::NonFinite { .. } => "evaluate.non-finite",
            Self::Measure { .. } => "evaluate.measure",
            Self::NoConvergence => "evaluate.no-convergence",
            Self::Transposed { .. } => "evaluate.transposed",
            Self::Both => "evaluate.method",
            Self::NotOpen(_) => "evaluate.file",
            Self::Unfinished => "evaluate.unfinished",
            Self::Part(_) => "evaluate.part",
        }
    }

    /// The same, its row told by its number in the files, of those of a piece that begins with the row `start`.
    fn of_row(mut self, start: usize, numbers: Option<&[usize]>) -> Self {
        if let (Some(numbers), Self::Row { row, .. } | Self::NonFinite { row, .. }) =
            (numbers, &mut self)
        {
            *row = numbers.get(*row - start).copied().unwrap_or(*row);
        }
        self
    }

    /// The file or field to blame, where there is one.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Io(error) => Some(error.file()),
            Self::Config { field, .. } => Some(field),
            Self::Problems(problems) => problems.0.first().map(|problem| problem.field.as_str()),
            Self::Memory { .. } => Some("memory"),
            Self::Targets { .. } => Some("targets"),
            Self::Layout { file, .. } | Self::Transposed { file, .. } | Self::NotOpen(file) => {
                Some(file)
            }
            Self::Both => Some("sae"),
            _ => None,
        }
    }
}
