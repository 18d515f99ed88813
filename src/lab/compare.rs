//! Two results side by side: the present one, and one that was pinned to compare with.
//!
//! Each is scored under the weights of its own settings, as its maker saw it. Where the two have
//! other weights, a score can differ although the networks do not; so the pinned points are scored
//! under the present weights too, and what comes of the weights is told from what comes of the run.

// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
mod study_view;

pub use study_view::{ComparedReports, ComparisonSettings, StudyView};

use crate::order::sorted;
use crate::papers::sfc::figures::points_by_level;
use crate::papers::sfc::metric::score::{PROFILES, Profile, Weights};
use crate::papers::sfc::{Curve, Point, Report};

/// A quantity of two results; none where a result does not have it, or it is no finite number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValuePair {
    /// Of the present result.
    pub current: Option<f64>,
    /// Of the pinned one.
    pub pinned: Option<f64>,
}

impl ValuePair {
    /// A pair of values, without those that are no finite numbers.
    #[must_use]
    pub fn new(now: Option<f64>, pinned: Option<f64>) -> Self {
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        Self { current: finite(now), pinned: finite(pinned) }
    }

    /// The present value less the pinned one; none where either is missing.
    #[must_use]
    pub fn difference(self) -> Option<f64> {
        Some(self.current? - self.pinned?)
    }
}

/// One sparsity level of two results. A level that only one of them has is there with one half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelPair {
    /// λ.
    pub level: f64,
    /// S.
    pub sparsity: ValuePair,
    /// F, each in the form its settings name.
    pub fidelity: ValuePair,
    /// C, each in the reading its settings name.
    pub completeness: ValuePair,
    /// SFC, each under its own weights.
    pub sfc: ValuePair,
    /// SFC of both under the present weights.
    pub sfc_same_weights: ValuePair,
}

/// The best level of a result and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// λ.
    pub level: f64,
    /// SFC there, above zero.
    pub sfc: f64,
}

/// The best levels of two results under the same weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeakPair {
    /// Of the present result; none where every score is zero.
    pub current: Option<Peak>,
    /// Of the pinned one.
    pub pinned: Option<Peak>,
}

impl PeakPair {
    /// The levels.
    #[must_use]
    pub fn level(&self) -> ValuePair {
        ValuePair::new(self.current.map(|peak| peak.level), self.pinned.map(|peak| peak.level))
    }

    /// The scores.
    #[must_use]
    pub fn sfc(&self) -> ValuePair {
        ValuePair::new(self.current.map(|peak| peak.sfc), self.pinned.map(|peak| peak.sfc))
    }
}

/// Two results, quantity by quantity, of the configuration each has in view.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Every level of either, ascending, each once.
    pub levels: Vec<LevelPair>,
    /// The best level, each under its own weights.
    pub peak: PeakPair,
    /// The best level, both under the present weights.
    pub peak_same_weights: PeakPair,
    /// K.
    pub dictionary_size: ValuePair,
    /// C_GT.
    pub c_gt: ValuePair,
    /// Volume of the union of the boxes [0, (S, F, C)].
    pub hypervolume: ValuePair,
    /// Levels on the Pareto front.
    pub front_size: ValuePair,
    /// The best level under each of the paper's profiles.
    pub profile_peaks: Vec<(Profile, PeakPair)>,
}

impl Comparison {
    /// Sets two results side by side.
    #[must_use]
    pub fn new(now: &Report, pinned: &Report) -> Self {
        let (own, others) = (now.settings.weights(), pinned.settings.weights());
        let (a, b) = (points_by_level(&now.main), points_by_level(&pinned.main));
        let mut levels = sorted(a.iter().chain(&b).map(|p| p.level));
        levels.dedup();
        let levels = levels.into_iter().map(|level| level_pair(level, (&a, own), (&b, others)));
        let peaks = |weights: Weights, pinned_weights: Weights| PeakPair {
            current: best_level(&a, weights),
            pinned: best_level(&b, pinned_weights),
        };
        let of = |value: fn(&Curve) -> f64| ValuePair::new(Some(value(&now.main)), Some(value(&pinned.main)));
        let first = |points: &[&Point]| points.first().map(|p| p.c_gt);
        Self {
            levels: levels.collect(),
            peak: peaks(own, others),
            peak_same_weights: peaks(own, own),
            dictionary_size: of(|curve| curve.k as f64),
            c_gt: ValuePair::new(first(&a), first(&b)),
            hypervolume: of(|curve| curve.hypervolume),
            front_size: of(|curve| curve.front.len() as f64),
            profile_peaks: PROFILES.iter().map(|p| (*p, peaks(p.weights, p.weights))).collect(),
        }
    }
}

fn point_score(point: &Point, weights: Weights) -> f64 {
    weights.sfc(point.sparsity, point.fidelity, point.completeness)
}

/// Both halves of one level; levels are equal if their bits are, as one grid gives them.
fn level_pair(
    level: f64,
    (now, weights): (&[&Point], Weights),
    (pinned, pinned_weights): (&[&Point], Weights),
) -> LevelPair {
    let at = |points: &[&Point]| points.iter().find(|p| p.level == level).map(|p| (*p).clone());
    let (now, pinned) = (at(now), at(pinned));
    let pair = |of_now: &dyn Fn(&Point) -> f64, of_pinned: &dyn Fn(&Point) -> f64| {
        ValuePair::new(now.as_ref().map(of_now), pinned.as_ref().map(of_pinned))
    };
    let both = |value: &dyn Fn(&Point) -> f64| pair(value, value);
    let scored = |weights: Weights| move |p: &Point| point_score(p, weights);
    LevelPair {
        level,
        sparsity: both(&|p| p.sparsity),
        fidelity: both(&|p| p.fidelity),
        completeness: both(&|p| p.completeness),
        sfc: pair(&scored(weights), &scored(pinned_weights)),
        sfc_same_weights: both(&scored(weights)),
    }
}

/// The first of the best points by level; none where no score is above zero.
fn best_level(points: &[&Point], weights: Weights) -> Option<Peak> {
    let mut best: Option<Peak> = None;
    for p in points {
        let sfc = point_score(p, weights);
        if sfc.is_finite() && sfc > best.map_or(0.0, |peak| peak.sfc) {
            best = Some(Peak { level: p.level, sfc });
        }
    }
    best
}
