//! SynthSAEBench: five architectures trained by SAELens' recipe on planted features, and which of the printed table's orders
//! come out at a size that a laptop or a tab can train.
//!
//! The printed table is of 16,384 features in 768 dimensions, 4,096 latents and 200 million samples a training; its numbers
//! stand beside those of the chosen size and are never claimed as reproduced.

mod evaluation;
pub mod figures;
mod job;
mod printed;
mod report;
mod settings;
mod study_view;

pub use evaluation::{
    Evaluation, EvaluationJob, EvaluationOptions, EvaluationPart, EvaluationResult, PrintedRow, ScoredSubject,
};
pub use job::{Job, Subject, SynthJobResult};
pub use printed::{PrintedCell, PrintedTable, SynthMetric};
pub use report::{PrintedRanking, Report, SeedStatistics};
pub use settings::{Draft, FIELDS, Settings};
pub use study_view::StudyView;
