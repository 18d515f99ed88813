//! The audit: every metric of every paper on the same subjects, where the truth is known, and what it can be trusted for.
//!
//! A [`Job`] makes the subjects of one world and one seed: what was trained or found, controls that should lose, doses
//! between the two, and the same again in another guise. Every metric of the [`Registry`] that is defined on them is
//! measured, and what comes of it is [`Row`]s of plain numbers. All else, from effect sizes to words, follows from rows
//! alone, by the protocol in `docs/audit.md`.

mod circuit;
mod decomposition;
mod job;
mod memo;
mod metric;
mod metrics;
mod row;
mod scores;
mod subject;
mod watched;

pub use circuit::Circuit;
pub use decomposition::{Beside, Coded, Decomposition, Ground, change, encoded};
pub use job::{Clock, Job, Made, Preset};
pub use memo::Memo;
pub use metric::{Better, Measure, Metric, Needs, Of, Registry};
pub use row::{Row, Value};
pub use scores::Scores;
pub use subject::{Group, Kind, Subject, World};
pub use watched::Watched;
