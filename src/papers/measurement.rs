//! Measurement theory: fifteen metrics that ask whether a number about a network can be trusted.
//!
//! They are those of the page "Measurement Theory — Metrics & Protocols" of the mechanistic-validity project, in
//! two readings wherever its text and its reference code differ.

pub mod circuit;
pub mod claims;
pub mod evaluated;
pub mod figures;
pub mod formula;
pub mod little;
pub mod metric;
mod opened;
pub mod overview;
pub mod own;
pub mod picture;
pub mod planted;
pub mod reach;
pub mod report;
mod script;
pub mod settings;

pub use opened::Opened;
pub use report::Report;
pub use script::numpy_script;
pub use settings::Settings;
