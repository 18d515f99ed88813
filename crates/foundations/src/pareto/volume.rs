use super::hypervolume::{check_reference, sweep_order};
use super::{Objectives, ParetoError, StaircaseSteps, check_points, coordinate_key};

/// Exact hypervolume alone (Eq. 5) of points in three dimensions, all objectives maximised, in
/// O(n log n): what [`hypervolume`](super::hypervolume) calls `hypervolume`, to the last bit,
/// without the contributions, which cost several times as much.
///
/// The points are swept by falling third coordinate, keeping the staircase of those above over the
/// first two; each point adds the area by which it raises the staircase times its own height (after
/// Beume, Fonseca, López-Ibáñez, Paquete and Vahrenhold, "On the complexity of computing the
/// hypervolume indicator", IEEE Trans. Evol. Comput. 13(5), 2009).
///
/// # Errors
/// [`ParetoError::NonFinite`], [`ParetoError::Reference`] and [`ParetoError::Overflow`].
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::pareto::hypervolume_only;
/// assert_eq!(hypervolume_only(&[[1.0, 0.25, 0.5], [0.25, 1.0, 0.5]], [0.0; 3])?, 0.21875);
/// # Ok::<(), sfc_bench::pareto::ParetoError>(())
/// ```
pub fn hypervolume_only(points: &[Objectives], reference: Objectives) -> Result<f64, ParetoError> {
    check_points(points)?;
    check_reference(reference)?;
    let mut stairs = StaircaseSteps::new();
    let mut volume = 0.0;
    for index in sweep_order(points, reference) {
        let [x, y, z] = points[index];
        let at = coordinate_key(x);
        let mut from = stairs.range(at..);
        let mut right = from.next();
        if right.is_some_and(|(_, [_, top])| *top >= y) {
            continue;
        }
        // A step at the same x is below the point, and goes.
        if right.is_some_and(|(key, _)| *key == at) {
            right = from.next();
        }
        // The steps below the point, right to left: it adds a strip above each.
        let (mut right, mut floor) = (x, right.map_or(reference[1], |(_, [_, top])| *top));
        let mut area = 0.0;
        let left = loop {
            let Some((&under, &[left, top])) = stairs.range(..=at).next_back() else {
                break reference[0];
            };
            if top > y {
                break left;
            }
            area += (right - left) * (y - floor);
            (right, floor) = (left, top);
            stairs.remove(&under);
        };
        area += (right - left) * (y - floor);
        volume += area * (z - reference[2]);
        stairs.insert(at, [x, y]);
    }
    if volume.is_finite() { Ok(volume) } else { Err(ParetoError::Overflow) }
}
