//! Pareto dominance and the hypervolume indicator in (S, F, C) space, larger being better (§3.4).

mod dominance;
mod hypervolume;
mod ties;
mod volume;

use std::collections::BTreeMap;

pub use dominance::{dominates, front};
pub use hypervolume::{Hypervolume, hypervolume};
pub use ties::{Ranking, TieRule};
pub use volume::hypervolume_only;

use crate::order;

/// A point (S, F, C), or any three objectives to maximise.
pub type Objectives = [f64; 3];

/// Why points have no front or volume.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ParetoError {
    /// A coordinate is NaN or infinite.
    #[error("coordinate {axis} of point {index} is {value}, which is not a finite number")]
    NonFinite {
        /// Which point, from 0.
        index: usize,
        /// Which coordinate, 0 to 2.
        axis: usize,
        /// The value.
        value: f64,
    },
    /// A coordinate of the reference point is NaN or infinite.
    #[error("coordinate {axis} of the reference point is {value}, which is not a finite number")]
    Reference {
        /// Which coordinate, 0 to 2.
        axis: usize,
        /// The value.
        value: f64,
    },
    /// The volume is larger than any number.
    #[error("the hypervolume is too large for a number; scale the points down")]
    Overflow,
    /// The tie tolerance is negative or not finite.
    #[error("the tie tolerance is {value}; it must be a finite number, at least 0")]
    Tolerance {
        /// The value.
        value: f64,
    },
}

impl ParetoError {
    /// A stable code, e.g. `pareto.non-finite`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NonFinite { .. } => "pareto.non-finite",
            Self::Reference { .. } => "pareto.reference",
            Self::Overflow => "pareto.overflow",
            Self::Tolerance { .. } => "pareto.tolerance",
        }
    }
}

fn check_points(points: &[Objectives]) -> Result<(), ParetoError> {
    for (index, point) in points.iter().enumerate() {
        for (axis, &value) in point.iter().enumerate() {
            if !value.is_finite() {
                return Err(ParetoError::NonFinite { index, axis, value });
            }
        }
    }
    Ok(())
}

/// The corners (x, y) of a staircase, by the [`coordinate_key`] of x.
type StaircaseSteps = BTreeMap<u64, [f64; 2]>;

/// A finite coordinate as a key that sorts as the number does, −0 with 0.
fn coordinate_key(value: f64) -> u64 {
    order::sort_key(value + 0.0)
}
