use std::collections::BTreeMap;

use serde::Serialize;

use super::{Objectives, ParetoError, StaircaseSteps, check_points, coordinate_key};

/// A hypervolume and what each point alone adds to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Hypervolume {
    /// Volume of the union of the boxes from the reference point to each point.
    pub hypervolume: f64,
    /// For each point, the volume that no other point's box covers: what would be lost without it.
    /// Duplicates and dominated points have none.
    pub contributions: Vec<f64>,
}

/// Exact hypervolume (Eq. 5) and exclusive contributions of points in three dimensions, all
/// objectives maximised, in O(n log n).
///
/// # Formula
/// HV = Vol(⋃ₚ [r, p]). A point that does not exceed the reference `r` in every coordinate adds
/// nothing; no points have volume 0.
///
/// The points are swept by falling third coordinate. Over the first two, the sweep keeps the
/// staircase of the union and its part that exactly one point covers, cut into vertical strips
/// (after Emmerich and Fonseca, "Computing hypervolume contributions in low dimensions", EMO 2011).
///
/// # Errors
/// [`ParetoError::NonFinite`], [`ParetoError::Reference`] and [`ParetoError::Overflow`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::pareto::hypervolume;
/// let found = hypervolume(&[[1.0, 0.25, 0.5], [0.25, 1.0, 0.5]], [0.0; 3])?;
/// assert_eq!(found.hypervolume, 0.21875);
/// assert_eq!(found.contributions, [0.09375, 0.09375]);
/// # Ok::<(), sfc_bench::pareto::ParetoError>(())
/// ```
pub fn hypervolume(points: &[Objectives], reference: Objectives) -> Result<Hypervolume, ParetoError> {
    check_points(points)?;
    check_reference(reference)?;
    let mut sweep = Sweep::new(reference, points.len());
    for index in sweep_order(points, reference) {
        sweep.insert(points[index], index);
    }
    let found = sweep.finish();
    if found.hypervolume.is_finite() && found.contributions.iter().all(|c| c.is_finite()) {
        Ok(found)
    } else {
        Err(ParetoError::Overflow)
    }
}

pub(super) fn check_reference(reference: Objectives) -> Result<(), ParetoError> {
    match reference.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        Some((axis, &value)) => Err(ParetoError::Reference { axis, value }),
        None => Ok(()),
    }
}

/// Indices of the points that exceed the reference everywhere, by falling third coordinate, equal ones
/// by index.
pub(super) fn sweep_order(points: &[Objectives], reference: Objectives) -> impl Iterator<Item = usize> {
    // −0 with 0.
    let order = crate::order::argsort_descending(points.iter().map(|point| point[2] + 0.0));
    let exceeds = move |index: &usize| points[*index].iter().zip(reference).all(|(p, r)| *p > r);
    order.into_iter().filter(exceeds)
}

/// A vertical strip of the region that `owner` alone covers: from `left` to `right`, from `floor` to
/// the owner's y, since the sweep was at height `since`.
#[derive(Clone, Copy)]
struct Strip {
    left: f64,
    right: f64,
    floor: f64,
    top: f64,
    owner: usize,
    since: f64,
}

struct Sweep {
    reference: Objectives,
    /// By x: y falls from left to right.
    steps: StaircaseSteps,
    /// By left edge: floors fall from left to right, across owners too.
    strips: BTreeMap<u64, Strip>,
    found: Hypervolume,
}

impl Sweep {
    fn new(reference: Objectives, points: usize) -> Self {
        Self {
            reference,
            steps: StaircaseSteps::new(),
            strips: BTreeMap::new(),
            found: Hypervolume { hypervolume: 0.0, contributions: vec![0.0; points] },
        }
    }

    fn insert(&mut self, [x, y, z]: Objectives, owner: usize) {
        let covered = self.steps.range(coordinate_key(x)..).next().is_some_and(|(_, [_, top])| *top >= y);
        self.cut_strips([x, y, z]);
        if covered {
            return;
        }

        let right_y = self
            .steps
            .range((std::ops::Bound::Excluded(coordinate_key(x)), std::ops::Bound::Unbounded))
            .next()
            .map_or(self.reference[1], |(_, [_, top])| *top);
        // The steps below the new one, right to left, leave strips above themselves.
        let (mut right, mut floor, mut area) = (x, right_y, 0.0);
        let mut left = self.reference[0];
        while let Some((&at, &[below, top])) = self.steps.range(..=coordinate_key(x)).next_back() {
            if top > y {
                left = below;
                break;
            }
            area += self.open_strip(Strip { left: below, right, floor, top: y, owner, since: z });
            (right, floor) = (below, top);
            self.steps.remove(&at);
        }
        area += self.open_strip(Strip { left, right, floor, top: y, owner, since: z });
        self.found.hypervolume += area * (z - self.reference[2]);
        self.steps.insert(coordinate_key(x), [x, y]);
    }

    /// Adds a strip, unless it is empty, and returns its area.
    fn open_strip(&mut self, strip: Strip) -> f64 {
        let area = (strip.right - strip.left) * (strip.top - strip.floor);
        if strip.right > strip.left && strip.top > strip.floor {
            self.strips.insert(coordinate_key(strip.left), strip);
        }
        area
    }

    /// Ends every strip's claim on the rectangle below a new point.
    fn cut_strips(&mut self, [x, y, z]: Objectives) {
        // What is left above the rectangle: at most one owner reaches over it.
        let mut above: Option<Strip> = None;
        while let Some((&at, &strip)) =
            self.strips.range(..coordinate_key(x)).next_back().filter(|(_, strip)| strip.floor < y)
        {
            self.strips.remove(&at);
            self.close_strip(strip, z);
            if strip.right > x {
                self.open_strip(Strip { left: x, since: z, ..strip });
            }
            if strip.top > y {
                let right = above.map_or(strip.right.min(x), |above| above.right);
                above = Some(Strip { right, floor: y, since: z, ..strip });
            }
        }
        if let Some(above) = above {
            self.open_strip(above);
        }
    }

    fn close_strip(&mut self, strip: Strip, z: f64) {
        self.found.contributions[strip.owner] +=
            (strip.right - strip.left) * (strip.top - strip.floor) * (strip.since - z);
    }

    fn finish(mut self) -> Hypervolume {
        for strip in std::mem::take(&mut self.strips).into_values() {
            self.close_strip(strip, self.reference[2]);
        }
        self.found
    }
}
