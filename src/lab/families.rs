//! Families of autoencoders against each other, and against controls that should lose.
//!
//! Each method is swept over its sparsity knob, for several training seeds; every member is measured
//! on rows that it was not trained on. A member is one [`Job`], independent of all others, so that any
//! number of workers can share them: [`FamiliesConfig::jobs`] says which there are, [`Runner::run`]
//! does one, [`build_report`] makes the report of all results, in whatever order they come.
//!
//! ```
//! use sfc_bench::lab::families::{FamiliesConfig, Method, Runner, build_report};
//!
//! let mut config = FamiliesConfig::small();
//! config.methods = vec![Method::Svd, Method::Random];
//! let runner = Runner::new(&config)?;
//! let results = config.jobs().iter().map(|job| runner.run(job)).collect::<Result<_, _>>()?;
//! let report = build_report(&config, results)?;
//! assert_eq!(report.methods.len(), 2);
//! # Ok::<(), sfc_bench::lab::families::FamiliesError>(())
//! ```

// A picture need not be the same to the last bit.
mod choices;
mod config;
mod error;
// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
mod job;
mod measure;
mod measured;
mod method;
pub mod query;
mod report;
mod run;
mod study_view;

pub use super::Reading;
pub use choices::{Choices, FamilyChoice, MethodChoice, available_choices};
pub use config::{FamiliesConfig, JOBS_MAX};
pub use error::FamiliesError;
pub use job::{Job, JobResult, Readings};
pub(in crate::lab) use measure::Decomposition;
pub use measured::{BarChartSpec, BarSeriesSpec};
pub use method::{Method, MethodRole};
pub use report::{
    Coverage, FamiliesReport, HypervolumeDifference, MethodReport, NOISE_CRITERION, NoiseVerdict, PointReport,
    Quantity, SeedSpread, Warning, build_finished_report, build_report,
};
pub use run::Runner;
pub use study_view::{StudyView, TrainingHistory, TrainingSettings, TrainingSetup};
