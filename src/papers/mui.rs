//! The Model Utilization Index: what share of its neurons a model uses (Cao et al. 2025, arXiv:2504.07440).
//!
//! [`tables`] derives every printed number that follows from printed numbers, [`claims`] holds what the paper
//! says beside its own tables, and [`measure`] takes the index of the toy model, of which every answer is
//! known.

pub mod claims;
pub mod experiment;
// A picture need not be the same to the last bit.
pub mod baselines;
#[allow(clippy::disallowed_methods)]
pub mod figures;
pub mod measure;
pub mod metric;
pub mod printed;
mod report;
mod run;
mod script;
pub mod settings;
mod study_view;
pub mod tables;
pub mod training;
pub mod user_files;

pub use measure::TaskMeasurement;
pub use report::{CheckpointMeasurement, GrowthCurves, Report};
pub use run::{measure_checkpoint, measure_growth, run};
pub use script::numpy_script;
pub use settings::{Draft, Settings};
pub use study_view::StudyView;
