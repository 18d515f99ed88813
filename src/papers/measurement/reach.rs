//! What thresholds can reach: the best or the worst case of a formula, built and measured.

mod evaluation;

pub use evaluation::{
    Choice, SignalAndNoise, against_bias, constant_groups, constant_probe, deterministic,
    evaluation, fewest_prompts, homogeneous, late_circuit, late_curve, linear_circuit,
};

use serde::Serialize;

use super::metric::Condition;

/// A case that was built for a condition, and what is measured of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach<C> {
    /// What was built.
    pub case: C,
    /// The quantity's value.
    pub value: f64,
    /// The condition that it is held against.
    pub condition: Condition,
}

impl<C> Reach<C> {
    /// Whether the condition holds of it.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.condition.holds(self.value)
    }

    /// The same without the case, with words.
    #[must_use]
    pub fn said(&self, metric: &'static str, says: &'static str) -> Reached {
        let (value, condition) = (self.value, self.condition);
        Reached { metric, value, condition, holds: self.holds(), says }
    }
}

/// What a case reaches, in words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reached {
    /// The metric's name on the command line: `ex11`.
    pub metric: &'static str,
    /// The quantity's value.
    pub value: f64,
    /// The condition that it is held against.
    pub condition: Condition,
    /// Whether the condition holds.
    pub holds: bool,
    /// What was built, and what follows.
    pub says: &'static str,
}
