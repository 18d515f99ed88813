//! Measurement theory: fifteen metrics that ask whether a number about a network can be trusted.
//!
//! They are those of the page "Measurement Theory — Metrics & Protocols" of the mechanistic-validity project, in
//! two readings wherever its text and its reference code differ.

pub mod attainable_range;
pub mod circuit;
pub mod claims;
pub mod detail_view;
mod error;
pub mod evaluation;
pub mod figures;
pub mod metric;
pub mod planted;
pub mod report;
mod script;
pub mod settings;
mod study_view;
pub mod toy_model;
pub mod user_files;
pub mod validation;

pub use error::MeasurementError;
pub use report::Report;
pub use script::numpy_script;
pub use settings::Settings;
pub use study_view::StudyView;
