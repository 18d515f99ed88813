//! The four scores of a feature and its description, each in the note's reading and in the code's.
//!
//! An activation is that of a text ([`max_abs_pool`]); a label says how clearly a rater finds the concept in it:
//! 0 not, 1 partially, 2 clearly.

mod clarity;
mod faithfulness;
mod pooling;
mod purity;
mod sampler;

pub use clarity::{Norm, clarity, responsiveness};
pub use faithfulness::{DEFAULT_FACTORS, Faithfulness, RatedDose, faithfulness};
pub use pooling::max_abs_pool;
pub use purity::{PrecisionRecallPoint, precision_recall_curve, purity};
pub use sampler::{RatedTexts, Sample, SamplingBands};

/// Which of two descriptions of a metric is followed, where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// The text's.
    Document,
    /// The reference code's.
    Code,
}

/// Least clarity and least responsiveness at which the reference code goes on to faithfulness.
pub const GATE_MIN: f64 = 0.5;

/// Whether the reference code would go on to faithfulness.
#[must_use]
pub fn is_above_gate(clarity: f64, responsiveness: f64) -> bool {
    clarity >= GATE_MIN && responsiveness >= GATE_MIN
}
