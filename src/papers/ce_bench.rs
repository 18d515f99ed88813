//! CE-Bench: whether an autoencoder's latents tell contrasting stories apart (Gulko, Peng 2025,
//! arXiv:2509.00691), on the toy model.
//!
//! A pair of stories is told from one plan and differs in its topic or its mood; which words carry the
//! difference is known. [`run`] scores autoencoders by them in four readings; [`user_files`] what a reader brings.
//! [`StoryActivations`] scores what any autoencoder makes of them after any layer.

// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
pub mod metric;
mod relevance;
mod report;
mod run;
mod script;
pub mod settings;
mod study_view;
pub mod user_files;

pub use relevance::{ConceptLabels, StoryActivations};
pub use report::{MeanScores, PairScores, Report, ScoresByReading, Story, SubjectScores, WinnerRelevance, score_bound};
pub use run::{CeBenchError, EncodedStories, Progress, run, run_with_progress};
pub use script::numpy_script;
pub use settings::Settings;
pub use study_view::StudyView;
