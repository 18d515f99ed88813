//! The joint score: the weighted harmonic mean of S, F and C (Eq. 4).

use serde::{Deserialize, Serialize};

/// Largest weight; only the ratios matter.
pub const WEIGHT_MAX: f64 = 1e9;
/// Smallest weight that is not zero.
pub const WEIGHT_MIN: f64 = 1e-9;

/// Preference weights (α, β, γ) of sparsity, fidelity and completeness: each 0 or from
/// [`WEIGHT_MIN`] to [`WEIGHT_MAX`], at least one positive. A zero weight drops its axis.
///
/// ```
/// use sfc_bench::Weights;
/// let sparsity_heavy = Weights::new(5.0, 1.0, 1.0)?;
/// assert!((sparsity_heavy.sfc(0.9375, 0.7774, 0.9878) - 0.917).abs() < 5e-4);
/// assert_eq!(Weights::EQUAL.sfc(0.0, 0.991, 0.988), 0.0);
/// assert!(Weights::new(1.0, -1.0, 1.0).is_err());
/// # Ok::<(), sfc_bench::WeightsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(into = "[f64; 3]", try_from = "[f64; 3]")]
pub struct Weights([f64; 3]);

/// The axes, in the order of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreAxis {
    /// S, weighted by α.
    Sparsity,
    /// F, weighted by β.
    Fidelity,
    /// C, weighted by γ.
    Completeness,
}

impl ScoreAxis {
    const ALL: [Self; 3] = [Self::Sparsity, Self::Fidelity, Self::Completeness];

    fn name(self) -> &'static str {
        match self {
            Self::Sparsity => "sparsity",
            Self::Fidelity => "fidelity",
            Self::Completeness => "completeness",
        }
    }
}

/// Why three numbers are no weights.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A weight is NaN or infinite.
    #[error("the weight of {} is {value}, which is not a finite number", axis.name())]
    NotFinite {
        /// Whose weight.
        axis: ScoreAxis,
        /// The value.
        value: f64,
    },
    /// A weight is negative.
    #[error("the weight of {} is {value}; weights are not negative", axis.name())]
    Negative {
        /// Whose weight.
        axis: ScoreAxis,
        /// The value.
        value: f64,
    },
    /// A weight is neither 0 nor from [`WEIGHT_MIN`] to [`WEIGHT_MAX`].
    #[error("the weight of {} is {value}; allowed: 0, or {WEIGHT_MIN} to {WEIGHT_MAX}", axis.name())]
    OutOfRange {
        /// Whose weight.
        axis: ScoreAxis,
        /// The value.
        value: f64,
    },
    /// All three are zero.
    #[error("all three weights are zero")]
    AllZero,
}

impl WeightsError {
    /// What is allowed, in words.
    #[must_use]
    pub fn allowed(&self) -> String {
        format!("three numbers from {WEIGHT_MIN} to {WEIGHT_MAX} or 0, not all of them 0")
    }
}

impl Weights {
    /// One to one to one.
    pub const EQUAL: Self = Self([1.0, 1.0, 1.0]);

    /// Whether both rank alike: a common factor does not matter.
    pub(crate) fn is_proportional_to(self, other: Self) -> bool {
        let (a, b) = (self.values(), other.values());
        let (sum_a, sum_b): (f64, f64) = (a.iter().sum(), b.iter().sum());
        a.iter().zip(&b).all(|(a, b)| (a * sum_b - b * sum_a).abs() <= 1e-9 * (sum_a * sum_b).abs())
    }

    /// Weights α, β, γ.
    ///
    /// # Errors
    /// A [`WeightsError`] naming the axis and the value.
    pub fn new(alpha: f64, beta: f64, gamma: f64) -> Result<Self, WeightsError> {
        for (axis, value) in ScoreAxis::ALL.into_iter().zip([alpha, beta, gamma]) {
            if !value.is_finite() {
                return Err(WeightsError::NotFinite { axis, value });
            }
            if value < 0.0 {
                return Err(WeightsError::Negative { axis, value });
            }
            if value != 0.0 && !(WEIGHT_MIN..=WEIGHT_MAX).contains(&value) {
                return Err(WeightsError::OutOfRange { axis, value });
            }
        }
        if alpha + beta + gamma > 0.0 {
            // −0 and 0 are the same weight; keep one of them.
            Ok(Self([alpha, beta, gamma].map(|weight| weight + 0.0)))
        } else {
            Err(WeightsError::AllZero)
        }
    }

    /// α, β, γ.
    #[must_use]
    pub fn values(self) -> [f64; 3] {
        self.0
    }

    /// The SFC-Score of one decomposition (Eq. 4).
    ///
    /// # Formula
    /// SFC = (α + β + γ) / (α/S + β/F + γ/C). An axis at or below 0 with a positive weight makes it
    /// 0; an axis of weight 0 is dropped; a NaN on a weighted axis stays NaN.
    #[must_use]
    pub fn sfc(self, sparsity: f64, fidelity: f64, completeness: f64) -> f64 {
        let axes = [sparsity, fidelity, completeness];
        let weighted = || self.0.into_iter().zip(axes).filter(|(weight, _)| *weight > 0.0);
        if weighted().any(|(_, axis)| axis.is_nan()) {
            return f64::NAN;
        }
        if weighted().any(|(_, axis)| axis <= 0.0) {
            return 0.0;
        }
        let (total, parts) =
            weighted().fold((0.0, 0.0), |(total, parts), (weight, axis)| (total + weight, parts + weight / axis));
        total / parts
    }
}

impl From<Weights> for [f64; 3] {
    fn from(weights: Weights) -> Self {
        weights.0
    }
}

impl TryFrom<[f64; 3]> for Weights {
    type Error = WeightsError;

    fn try_from([alpha, beta, gamma]: [f64; 3]) -> Result<Self, WeightsError> {
        Self::new(alpha, beta, gamma)
    }
}

/// A weight profile of Table 2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// Its name in links and on the command line.
    pub name: &'static str,
    /// Its row in Table 4.
    pub label: &'static str,
    /// α, β, γ.
    pub weights: Weights,
}

/// The seven profiles of Table 2, in its order.
pub const PROFILES: [Profile; 7] = {
    const fn profile(name: &'static str, label: &'static str, weights: [f64; 3]) -> Profile {
        Profile { name, label, weights: Weights(weights) }
    }
    [
        profile("equal", "Equal (1:1:1)", [1.0, 1.0, 1.0]),
        profile("sparsity-heavy", "Sparsity (5:1:1)", [5.0, 1.0, 1.0]),
        profile("fidelity-heavy", "Fidelity (1:5:1)", [1.0, 5.0, 1.0]),
        profile("completeness-heavy", "Completeness (1:1:5)", [1.0, 1.0, 5.0]),
        profile("s-f", "S+F (2:2:1)", [2.0, 2.0, 1.0]),
        profile("f-c", "F+C (1:2:2)", [1.0, 2.0, 2.0]),
        profile("s-c", "S+C (2:1:2)", [2.0, 1.0, 2.0]),
    ]
};
