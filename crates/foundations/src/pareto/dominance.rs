use std::ops::Bound::{Excluded, Unbounded};

use super::{Objectives, ParetoError, StaircaseSteps, check_points, coordinate_key};
use crate::order::argsort_descending;

/// Whether `q` dominates `p`: at least as good everywhere and better somewhere, a difference of at
/// most `tolerance` counting as none. Equal points do not dominate each other.
#[must_use]
pub fn dominates(q: Objectives, p: Objectives, tolerance: f64) -> bool {
    let pairs = || q.into_iter().zip(p);
    pairs().all(|(q, p)| q >= p - tolerance) && pairs().any(|(q, p)| q > p + tolerance)
}

/// Indices of the points that no other one dominates, ascending, in O(n log n).
///
/// With a tolerance above 0 dominance is not transitive: points may dominate each other in a circle,
/// and then none of them is on the front.
///
/// # Errors
/// [`ParetoError::NonFinite`] and [`ParetoError::Tolerance`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::pareto::front;
/// let points = [[0.5, 0.6, 0.7], [0.5, 0.6, 0.8], [0.9, 0.1, 0.1], [0.9, 0.1, 0.1]];
/// assert_eq!(front(&points, 0.0)?, [1, 2, 3]);
/// # Ok::<(), sfc_bench::pareto::ParetoError>(())
/// ```
pub fn front(points: &[Objectives], tolerance: f64) -> Result<Vec<usize>, ParetoError> {
    check_points(points)?;
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        return Err(ParetoError::Tolerance { value: tolerance });
    }
    let mut dominated = vec![false; points.len()];
    for axis in 0..3 {
        mark_dominated(points, tolerance, axis, &mut dominated);
    }
    Ok((0..points.len()).filter(|index| !dominated[*index]).collect())
}

/// Marks the points that some other one beats on `axis` and equals or beats on the two others.
///
/// The points are visited by falling value on `axis`; those that beat the visited one there are
/// kept as a staircase over the two other axes, which answers at once whether one of them covers it.
fn mark_dominated(points: &[Objectives], tolerance: f64, axis: usize, dominated: &mut [bool]) {
    let [first, second] = [(axis + 1) % 3, (axis + 2) % 3];
    let order = argsort_descending(points.iter().map(|point| point[axis]));

    let mut better = order.iter().copied().peekable();
    let mut stairs = Staircase::default();
    for &index in &order {
        let p = points[index];
        while let Some(&q) = better.peek().filter(|q| points[**q][axis] > p[axis] + tolerance) {
            stairs.insert(points[q][first], points[q][second]);
            better.next();
        }
        if stairs.covers(p[first] - tolerance, p[second] - tolerance) {
            dominated[index] = true;
        }
    }
}

/// The upper right boundary of a set of points in the plane: x ascending, y falling.
#[derive(Default)]
struct Staircase(StaircaseSteps);

impl Staircase {
    /// Whether a point of the set is at least (x, y).
    fn covers(&self, x: f64, y: f64) -> bool {
        // Of the points from x on, the first is the highest.
        self.0.range(coordinate_key(x)..).next().is_some_and(|(_, [_, top])| *top >= y)
    }

    fn insert(&mut self, x: f64, y: f64) {
        if self.covers(x, y) {
            return;
        }
        let at = coordinate_key(x);
        let below = |(_, [_, top]): &(&u64, &[f64; 2])| *top <= y;
        while let Some((&left, _)) = self.0.range(..=at).next_back().filter(below) {
            self.0.remove(&left);
        }
        debug_assert!(self.0.range((Excluded(at), Unbounded)).next().is_none_or(|(_, [_, top])| *top < y));
        self.0.insert(at, [x, y]);
    }
}
