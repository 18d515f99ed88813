//! What a run hands back: plain data, the same natively (JSON) and in the page (JavaScript objects).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::metric::c_gt_chance;
use super::settings::Settings;
use crate::synthetic::Shape;

/// The quantities of a level, each once: what a [`Point`] holds, what ensembles make bands of, what
/// digests cover and what is printed as columns all follow from this list. Calls a macro with it.
macro_rules! quantities {
    ($with:ident) => {
        $with! {
            /// S, Eq. 1.
            sparsity,
            /// F, Eq. 2 (or the fidelity mode the settings name).
            fidelity,
            /// C, Eq. 3 (in the reading the settings name).
            completeness,
            /// C_GT: mean squared projection of the circuit's units on the dictionary's row space.
            c_gt,
            /// SFC, Eq. 4, under the weights of the settings.
            sfc,
            /// Rate: mean normalised histogram entropy of the codes.
            rate,
            /// Distortion: mean squared error over the variance of the activations.
            distortion,
            /// Relevance: |Pearson| of ‖codes‖₂ with ‖output‖₂. Our definition; the paper's is not
            /// identified.
            relevance,
        }
    };
}
pub(crate) use quantities;

macro_rules! point {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// One decomposition: one sparsity level of one dictionary, on every axis.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "types", derive(ts_rs::TS))]
        pub struct Point {
            /// λ ∈ [0, 1): the share of each row's codes that is zeroed.
            pub level: f64,
            /// Dictionary size K.
            pub k: usize,
            /// Codes zeroed in each row: floor(λ·K).
            pub dropped: usize,
            $($(#[$doc])* pub $name: f64,)*
        }

        /// Names of a point's quantities, in the order of its fields.
        pub const QUANTITIES: &[&str] = &[$(stringify!($name)),*];

        impl Point {
            /// Its quantities, in the order of [`QUANTITIES`].
            #[must_use]
            pub fn quantities(&self) -> [f64; QUANTITIES.len()] {
                [$(self.$name),*]
            }
        }
    };
}

quantities!(point);

/// One configuration's level curve with its Pareto front.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Curve {
    /// "standard", "large", "dense", "sparse" or "custom".
    pub name: String,
    /// The network behind it.
    pub shape: Shape,
    /// Dictionary size K.
    pub k: usize,
    /// One point a level, in the order the levels were given.
    pub points: Vec<Point>,
    /// Volume of the union of the boxes [0, point] over *all* points.
    pub hypervolume: f64,
    /// The same over the front alone (equal by definition; computed, not copied).
    pub hypervolume_front: f64,
    /// Indices of the non-dominated points, ascending.
    pub front: Vec<usize>,
    /// Each point's exclusive contribution to the hypervolume.
    pub contributions: Vec<f64>,
    /// K/D: what C_GT is expected to be for a random K-dimensional subspace.
    pub c_gt_chance: f64,
}

impl Curve {
    /// The curve of some settings, as the command line prints it.
    #[must_use]
    pub fn to_json(&self, settings: &Settings) -> Value {
        json!({
            "config": settings,
            "points": self.points,
            "hypervolume": self.hypervolume,
            "front": self.front,
            "contributions": self.contributions,
            "c_gt_chance": self.c_gt_chance,
        })
    }
}

/// The dictionary sizes of some settings that were asked for, and are above the rank of the activations.
#[must_use]
pub fn omitted_sizes(settings: &Settings, points: &[Point]) -> Vec<usize> {
    settings.swept_sizes().into_iter().filter(|k| !points.iter().any(|point| point.k == *k)).collect()
}

/// The dictionary sizes of some settings, as the command line prints them.
#[must_use]
pub fn sizes_to_json(settings: &Settings, points: &[Point]) -> Value {
    let chance = |point: &Point| c_gt_chance(point.k, settings.shape().hidden);
    json!({
        "config": settings,
        "points": points,
        "c_gt_chance": points.iter().map(chance).collect::<Vec<_>>(),
        "left_out": omitted_sizes(settings, points),
    })
}

/// Everything the page draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Report {
    /// Version of this crate.
    pub version: String,
    /// The settings that were run, complete and canonical.
    pub settings: Settings,
    /// True when the settings are the paper's recipe (the weights aside).
    pub paper_settings: bool,
    /// The configuration in view (Figures 1, 2, 4, 5; Tables 3, 4).
    pub main: Curve,
    /// Dictionary sizes at λ = 0.5 on the configuration in view (Table 6).
    pub sizes: Vec<Point>,
    /// Standard, large, dense, sparse (Figure 3; Table 5); one that cannot be run under these settings
    /// is left out.
    pub cross: Vec<Curve>,
}
