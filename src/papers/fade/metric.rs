//! The four scores of a feature and its description, each in the note's reading and in the code's.
//!
//! An activation is that of a text ([`pooled`]); a label says how clearly a rater finds the concept in it:
//! 0 not, 1 partially, 2 clearly.

mod clarity;
mod faithfulness;
mod pooling;
mod purity;
mod sampler;

pub use clarity::{Norm, clarity, responsiveness};
pub use faithfulness::{DEFAULT_FACTORS, Dose, Faithfulness, faithfulness};
pub use pooling::pooled;
pub use purity::{Point, precision_recall, purity};
pub use sampler::{Bands, RatedTexts, Sample};

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
pub const GATE: f64 = 0.5;

/// Whether the reference code would go on to faithfulness.
#[must_use]
pub fn gate(clarity: f64, responsiveness: f64) -> bool {
    clarity >= GATE && responsiveness >= GATE
}
