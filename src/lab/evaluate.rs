//! A reader's own decomposition, on the same three axes.
//!
//! [`Request`] says what is what among files, [`EvaluationPlan`] holds their shapes against each other and
//! estimates the memory; [`EvaluationRun`] then reads rows, a block at a time, and makes the [`EvaluationReport`]. Data are `f32`,
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
mod skipped_rows;
mod study_view;

pub use super::Reading;
pub use crate::io::ArrayRef;
pub use crate::sae::CodesBy;
pub use activations_script::activations_script;
pub use decompositions::{
    ComparisonMember, ComparisonRequest, DecompositionComparison, DecompositionConsistency, DecompositionRole,
    DecompositionRow, DecompositionsReport, DecompositionsView, ListedAutoencoder,
};
pub use example::{EXAMPLE_LEVEL, ExampleFile, example_files};
pub use inputs::{CodesSource, DecompositionInput, Inputs, usual};
pub(crate) use inputs::{as_transcoder, reject_missing_targets};
#[cfg(not(target_arch = "wasm32"))]
pub use on_disk::{find_sae_on_disk, find_saes_on_disk};
pub use plan::{EvaluationPlan, FormNumber, FormNumbers, Options, Shapes};
pub use report::{
    Completeness, DecoderNorms, DirectionSimilarity, EvaluationReport, FeatureActivity, Fidelity, Histogram, InputFile,
    Sparsity, Variance, WorstRow,
};
pub use request::{
    ArrayChoice, OpenFiles, Request, SaeFileNames, WorldRequest, expect_one_sae, open_activations, open_sae_folder,
};
pub use rows::UserRows;
pub use run::{Basis, EvaluationRun, EvaluationWorker, Job, PartialResult, Phase, Progress};
pub use script::{check_has_script, evaluation_script};
pub use skipped_rows::{RowNumbers, SkipRules, SkippedRowCounts};
pub use study_view::StudyView;

use crate::io::{EscapedText, IoError};
use crate::sae::SaeError;
use crate::settings::Problems;
use crate::statistics::MetricError;

pub use crate::sae::activity::DENSE_ACTIVE_SHARE_MIN;

/// Why a decomposition is not evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// A file, what it or an option says, or a row of the activations is refused.
    #[error(transparent)]
    Sae(#[from] SaeError),
    /// A metric has no value.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// Rows to train on are asked for that there are not.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// A folder that holds no autoencoder, or several.
    #[error("{}: {}; allowed: the folder or the weights of one autoencoder", EscapedText(file), EscapedText(found))]
    Layout {
        /// The folder.
        file: String,
        /// What is in it.
        found: String,
    },
    /// A transcoder without what it reconstructs.
    #[error(
        "{}: a transcoder, which reconstructs other activations than it reads; allowed: targets beside the activations, \
         as many rows of those{}",
        EscapedText(file),
        hook.as_ref().map_or_else(String::new, |hook| format!(" at {}", EscapedText(hook)))
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
    /// A measure has no finite value.
    #[error(
        "{measure} comes to {value:?}: what is divided is too large for numbers, or what it is divided \
         by too small"
    )]
    NonFiniteMeasure {
        /// Which.
        measure: String,
        /// What it comes to.
        value: f64,
    },
    /// A dictionary or a readout whose rows would fit if they were columns.
    #[error(
        "{} is {rows} × {cols}; allowed: {rows} columns, as the activations have. Transposed? The \
         {role} can be read so",
        EscapedText(file)
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
    SaeOrDictionary,
    /// A file is named that is not there.
    #[error("there is no open file {0:?}")]
    NotOpen(String),
    /// A report is asked for before all rows were read.
    #[error("the evaluation is not finished")]
    Unfinished,
    /// A piece of work came as bytes that are none.
    #[error("a piece of the evaluation cannot be read: {0}")]
    InvalidPart(String),
}

impl From<IoError> for EvaluationError {
    fn from(error: IoError) -> Self {
        Self::Sae(error.into())
    }
}

impl EvaluationError {
    pub(crate) fn invalid_config(
        file: impl Into<String>,
        field: impl Into<String>,
        found: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        SaeError::config(file, field, found, allowed).into()
    }

    /// What an option says is refused.
    pub(crate) fn invalid_option(
        field: impl Into<String>,
        found: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self::invalid_config("the options", field, found, allowed)
    }

    /// A stable code, e.g. `evaluate.memory`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Sae(error) => error.code(),
            Self::Metric(error) => error.code(),
            Self::Problems(_) => "evaluate.given",
            Self::Layout { .. } => "evaluate.layout",
            Self::Targets { .. } => "evaluate.targets",
            Self::Memory { .. } => "evaluate.memory",
            Self::NonFiniteMeasure { .. } => "evaluate.measure",
            Self::Transposed { .. } => "evaluate.transposed",
            Self::SaeOrDictionary => "evaluate.method",
            Self::NotOpen(_) => "evaluate.file",
            Self::Unfinished => "evaluate.unfinished",
            Self::InvalidPart(_) => "evaluate.part",
        }
    }

    /// The same, its row told by its number in the files, of those of a piece that begins with the row `start`.
    fn with_file_row(mut self, start: usize, numbers: Option<&[usize]>) -> Self {
        if let Some(numbers) = numbers
            && let Self::Sae(SaeError::Row { row, .. } | SaeError::NonFinite { row, .. }) = &mut self
        {
            *row = numbers.get(*row - start).copied().unwrap_or(*row);
        }
        self
    }

    /// The file or field to blame, where there is one.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Sae(SaeError::Io(error)) => Some(error.file_name()),
            Self::Sae(SaeError::Config { field, .. }) => Some(field),
            Self::Problems(problems) => problems.0.first().map(|problem| problem.field.as_str()),
            Self::Memory { .. } => Some("memory"),
            Self::Targets { .. } => Some("targets"),
            Self::Layout { file, .. } | Self::Transposed { file, .. } | Self::NotOpen(file) => Some(file),
            Self::SaeOrDictionary => Some("sae"),
            _ => None,
        }
    }
}
