//! Which point wins under which weights, exactly, over the whole triangle of weights.
//!
//! With weights w that sum to 1, 1/SFC = w₁/S + w₂/F + w₃/C is linear in w. The best point is the
//! lowest of as many planes over the triangle, so the weights it wins under are a convex polygon: the
//! triangle, cut by one straight line for each rival. A point that is 0 on an axis has no plane; it
//! scores above 0 only where that axis has no weight, on the triangle's edge.

use serde::Serialize;

use super::metric::score::{WEIGHT_MAX, WEIGHT_MIN, Weights};
use crate::pareto::Objectives;

/// Weights of S, F and C that sum to 1: a point of the triangle.
pub type NormalisedWeights = [f64; 3];

/// Regions with a smaller share of the triangle come of rounding.
const SHARE_MIN: f64 = 1e-13;

/// How far, relative to the lead asked for, the polygon of [`Simplex::polygon_with_lead`] may miss its curved
/// boundary.
const LEAD_TOLERANCE: f64 = 0.01;
/// Each cut mends the worst corner and leaves two better ones; this many mend any curve.
const CUTS_MAX: usize = 64;

const TRIANGLE_CORNERS: [NormalisedWeights; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The weights, of positive area, under which one point wins.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Region {
    /// Which point.
    pub index: usize,
    /// The corners of its convex polygon, counter-clockwise where S, F, C are.
    pub corners: Vec<NormalisedWeights>,
    /// Its share of the triangle's area, in (0, 1].
    pub share: f64,
}

/// Where a point wins on an edge of the triangle only: it is 0 on the axis that has no weight there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Border {
    /// Which point.
    pub index: usize,
    /// Both ends; equal where it is one corner of the triangle.
    pub ends: [NormalisedWeights; 2],
}

/// The best point under some weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Standing {
    /// Which point: the first of equals.
    pub index: usize,
    /// Its SFC, above 0.
    pub score: f64,
    /// The best of the others.
    pub runner_up: Option<usize>,
    /// SFC less the runner-up's; the whole of it where there is no other point.
    pub margin: f64,
}

/// A change of one weight, the two others kept, that changes the winner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Slide {
    /// Whose weight: 0 for S, 1 for F, 2 for C.
    pub axis: usize,
    /// The weight beyond which, or at 0 for which, `to` wins. Equal to the present weight where any
    /// change suffices.
    pub weight: f64,
    /// Who wins then.
    pub to: usize,
    /// Euclidean distance between the normalised weights.
    pub distance: f64,
}

/// The smallest change of weights that changes the winner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Flip {
    /// Who wins on the other side.
    pub to: usize,
    /// The nearest weights at which `to` draws level, or at the triangle's edge, wins.
    pub weights: NormalisedWeights,
    /// Euclidean distance to them, between normalised weights; 0 at a tie.
    pub distance: f64,
    /// The smallest change that moves one weight alone.
    pub slide: Option<Slide>,
}

/// Which point wins under which weights, who wins under some, and the nearest change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Divided {
    /// The weights, of positive area, under which one point wins.
    pub regions: Vec<Region>,
    /// Who else wins on the triangle's edges.
    pub borders: Vec<Border>,
    /// The best point under the given weights; none where every score is 0.
    pub standing: Option<Standing>,
    /// The smallest change of weights that changes the winner; none where it wins everywhere.
    pub flip: Option<Flip>,
}

/// The triangle of weights, divided among the points that win somewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Simplex {
    points: Vec<Objectives>,
    /// 1/S, 1/F, 1/C; infinite where the axis is not above 0.
    costs: Vec<[f64; 3]>,
    regions: Vec<Region>,
    borders: Vec<Border>,
}

impl Simplex {
    /// Divides the triangle among points (S, F, C), in O(n²).
    ///
    /// Of equal points the first wins. A point that is NaN, infinite, 0 or below on an axis scores
    /// 0 wherever that axis has weight.
    #[must_use]
    pub fn new(points: &[Objectives]) -> Self {
        let cost = |axis: f64| {
            if axis > 0.0 && axis.is_finite() { 1.0 / axis } else { f64::INFINITY }
        };
        let costs = points.iter().map(|point| point.map(cost)).collect();
        let mut simplex = Self { points: points.to_vec(), costs, regions: Vec::new(), borders: Vec::new() };
        simplex.regions = simplex.divide_triangle();
        let edges = (0..3).flat_map(|axis| simplex.divide_edge(axis));
        simplex.borders = edges.chain((0..3).filter_map(|axis| simplex.corner_winner(axis))).collect();
        simplex
    }

    /// Who wins where, in order of the points. Their shares sum to 1, unless no point is above 0 on
    /// all three axes: then there are none.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Who else wins on the triangle's edges.
    #[must_use]
    pub fn borders(&self) -> &[Border] {
        &self.borders
    }

    /// All of it, as seen from some weights.
    #[must_use]
    pub fn view_from(&self, weights: Weights) -> Divided {
        Divided {
            regions: self.regions.clone(),
            borders: self.borders.clone(),
            standing: self.standing(weights),
            flip: self.nearest_flip(weights),
        }
    }

    /// Every point whose score under some weights no other exceeds; none where every score is 0.
    #[must_use]
    pub fn best_indices(&self, weights: Weights) -> Vec<usize> {
        let Some(Standing { score, .. }) = self.standing(weights) else { return Vec::new() };
        let tied = self.points.iter().enumerate();
        tied.filter(|(_, [s, f, c])| weights.sfc(*s, *f, *c) == score).map(|(index, _)| index).collect()
    }

    /// The best point under some weights; none where every score is 0.
    #[must_use]
    pub fn standing(&self, weights: Weights) -> Option<Standing> {
        let mut best: Option<(usize, f64)> = None;
        let mut second: Option<(usize, f64)> = None;
        for (index, [s, f, c]) in self.points.iter().enumerate() {
            let score = weights.sfc(*s, *f, *c);
            let score = if score.is_finite() { score } else { 0.0 };
            if best.is_none_or(|(_, most)| score > most) {
                (best, second) = (Some((index, score)), best);
            } else if second.is_none_or(|(_, most)| score > most) {
                second = Some((index, score));
            }
        }
        let (index, score) = best.filter(|(_, score)| *score > 0.0)?;
        Some(Standing {
            index,
            score,
            runner_up: second.map(|(index, _)| index),
            margin: score - second.map_or(0.0, |(_, score)| score),
        })
    }

    /// The smallest change of weights that changes the winner; none where it wins everywhere.
    #[must_use]
    pub fn nearest_flip(&self, weights: Weights) -> Option<Flip> {
        let from = normalise_weights(weights.values());
        let standing = self.standing(weights);
        let winner = standing.map(|standing| standing.index);
        let slides = self.find_slides(weights, winner);
        let slide = slides.into_iter().min_by(|a, b| a.distance.total_cmp(&b.distance));
        if let Some(Standing { margin: 0.0, runner_up: Some(to), .. }) = standing {
            return Some(Flip { to, weights: from, distance: 0.0, slide });
        }
        let regions = self.regions.iter().map(|r| (r.index, nearest_in_polygon(&r.corners, from)));
        let borders = self.borders.iter().map(|b| (b.index, nearest_on_segment(b.ends, from)));
        let (to, at) = regions
            .chain(borders)
            .filter(|(index, _)| Some(*index) != winner)
            .min_by(|(_, a), (_, b)| distance(*a, from).total_cmp(&distance(*b, from)))?;
        Some(Flip { to, weights: at, distance: distance(at, from), slide })
    }

    /// The part of a region in which its winner leads every other point's SFC by `margin` > 0 at
    /// least: a convex polygon, empty where it never does.
    ///
    /// SFCᵢ − SFCⱼ ≥ m is cᵢ ≤ cⱼ / (1 + m·cⱼ) with c = 1/SFC. The right side is concave in cⱼ, so
    /// the weights that satisfy it are a convex set, and its tangents cut it out (Kelley's method).
    #[must_use]
    pub fn polygon_with_lead(&self, region: &Region, margin: f64) -> Vec<NormalisedWeights> {
        let Some(mine) = self.costs.get(region.index) else { return Vec::new() };
        // Where SFC itself is below the margin, no lead can be as large.
        let mut polygon = region.corners.clone();
        clip_polygon(&mut polygon, mine.map(|cost| 1.0 / margin - cost));
        for other in indices_by_distance(region.index, self.costs.len()) {
            let theirs = self.costs[other];
            if !is_finite(theirs) {
                continue;
            }
            for _ in 0..CUTS_MAX {
                let excess = |at: &NormalisedWeights| {
                    let cost = dot(theirs, *at);
                    cost / (1.0 + margin * cost) - dot(*mine, *at)
                };
                // A lead is short by LEAD_ACCURACY · m where the excess is by as much · cᵢ². That is convex, so
                // between two corners it is less than they have: they are held to a tangent of it, which is not.
                let least = polygon.iter().map(|at| dot(*mine, *at)).fold(f64::INFINITY, f64::min);
                let short = |at: &NormalisedWeights| {
                    let allowed = least * (2.0 * dot(*mine, *at) - least);
                    excess(at) + LEAD_TOLERANCE * margin * allowed
                };
                let worst = polygon.iter().map(|at| (short(at), *at)).min_by(|(a, _), (b, _)| a.total_cmp(b));
                let Some((short, at)) = worst else { return polygon };
                if short >= 0.0 {
                    break;
                }
                let excess = excess(&at);
                let slope = 1.0 / (1.0 + margin * dot(theirs, at));
                let slope = slope * slope;
                let tangent = [0, 1, 2].map(|axis| slope * theirs[axis] - mine[axis]);
                // excess + tangent·(w − at) ≥ 0, homogeneous in w as w sums to 1.
                let constant = excess - dot(tangent, at);
                clip_polygon(&mut polygon, tangent.map(|t| t + constant));
            }
        }
        if signed_area(&polygon) > SHARE_MIN { polygon } else { Vec::new() }
    }

    fn divide_triangle(&self) -> Vec<Region> {
        let n = self.costs.len();
        let region = |index: usize| {
            let mine = *self.costs.get(index).filter(|costs| is_finite(**costs))?;
            let mut corners = TRIANGLE_CORNERS.to_vec();
            // Rivals of a similar level cut most, so an empty polygon is found early.
            for other in indices_by_distance(index, n) {
                let theirs = self.costs[other];
                if !is_finite(theirs) {
                    continue;
                }
                if theirs == mine {
                    if other < index {
                        return None;
                    }
                    continue;
                }
                clip_polygon(&mut corners, [0, 1, 2].map(|axis| theirs[axis] - mine[axis]));
                if corners.len() < 3 {
                    return None;
                }
            }
            let share = signed_area(&corners);
            (share > SHARE_MIN).then_some(Region { index, corners, share })
        };
        (0..n).filter_map(region).collect()
    }

    /// The winners of the edge without weight on `axis` that are 0 on it.
    fn divide_edge(&self, axis: usize) -> Vec<Border> {
        let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
        let present = |costs: &[f64; 3]| costs[a].is_finite() && costs[b].is_finite();
        let mut found = Vec::new();
        for (index, mine) in self.costs.iter().enumerate() {
            if mine[axis].is_finite() || !present(mine) {
                continue;
            }
            // From all weight on a at 0 to all weight on b at 1.
            let (mut low, mut high) = (0.0_f64, 1.0_f64);
            for (other, theirs) in self.costs.iter().enumerate() {
                if other == index || !present(theirs) {
                    continue;
                }
                let (start, end) = (theirs[a] - mine[a], theirs[b] - mine[b]);
                let crossing = start / (start - end);
                match (start >= 0.0, end >= 0.0) {
                    (true, true) if start == 0.0 && end == 0.0 && other < index => high = low,
                    (true, true) => {}
                    (true, false) => high = high.min(crossing),
                    (false, true) => low = low.max(crossing),
                    (false, false) => high = low,
                }
            }
            if high - low > SHARE_MIN {
                let at = |share: f64| {
                    let mut mix = [0.0; 3];
                    (mix[a], mix[b]) = (1.0 - share, share);
                    mix
                };
                found.push(Border { index, ends: [at(low), at(high)] });
            }
        }
        found
    }

    /// The winner of the corner with all weight on `axis`, if it is 0 on both others.
    fn corner_winner(&self, axis: usize) -> Option<Border> {
        let costs = self.costs.iter().enumerate();
        let (index, costs) = costs.min_by(|(_, a), (_, b)| a[axis].total_cmp(&b[axis]))?;
        let alone = (0..3).all(|other| costs[other].is_finite() == (other == axis));
        alone.then_some(Border { index, ends: [TRIANGLE_CORNERS[axis]; 2] })
    }

    /// For each axis, the nearest weights above and below the present one that change the winner.
    fn find_slides(&self, weights: Weights, winner: Option<usize>) -> Vec<Slide> {
        let values = weights.values();
        let mut found = Vec::new();
        for axis in 0..3 {
            let others = || (0..3).filter(|other| *other != axis && values[*other] > 0.0);
            if others().next().is_none() {
                continue;
            }
            let with = |weight: f64| {
                let mut changed = values;
                changed[axis] = weight;
                changed
            };
            let slide = |weight: f64, to: usize| Slide {
                axis,
                weight,
                to,
                distance: distance(normalise_weights(with(weight)), normalise_weights(values)),
            };
            let wins_at = |weight: f64| {
                let changed = Weights::try_from(with(weight)).ok()?;
                self.standing(changed).map(|standing| standing.index)
            };
            let mine = winner.and_then(|winner| self.costs.get(winner));
            if let Some(mine) = mine.filter(|mine| !mine[axis].is_finite()) {
                // It wins only while this axis has no weight: the least weight ends that.
                debug_assert!(values[axis] == 0.0 && !mine[axis].is_finite());
                found.extend(wins_at(WEIGHT_MIN).map(|to| slide(0.0, to)));
                continue;
            }
            let mut above: Option<(f64, f64, usize)> = None;
            let mut below: Option<(f64, f64, usize)> = None;
            for (index, theirs) in self.costs.iter().enumerate() {
                let Some(mine) = mine else { break };
                if Some(index) == winner
                    || !theirs[axis].is_finite()
                    || others().any(|other| !theirs[other].is_finite())
                {
                    continue;
                }
                let rest: f64 = others().map(|other| values[other] * (theirs[other] - mine[other])).sum();
                let steep = theirs[axis] - mine[axis];
                let at = -rest / steep;
                // Of rivals that draw level at once, the steeper one is ahead afterwards.
                if steep < 0.0 {
                    let at = at.max(values[axis]);
                    if above.is_none_or(|(least, s, _)| at < least || (at == least && steep < s)) {
                        above = Some((at, steep, index));
                    }
                } else if steep > 0.0 && at > 0.0 {
                    let at = at.min(values[axis]);
                    if below.is_none_or(|(most, s, _)| at > most || (at == most && steep > s)) {
                        below = Some((at, steep, index));
                    }
                }
            }
            let inside = |at: &(f64, f64, usize)| (WEIGHT_MIN..=WEIGHT_MAX).contains(&at.0);
            found.extend(above.filter(inside).map(|(at, _, to)| slide(at, to)));
            match below.filter(inside) {
                Some((at, _, to)) => found.push(slide(at, to)),
                None if values[axis] > 0.0 => {
                    let to = wins_at(0.0).filter(|to| Some(*to) != winner);
                    found.extend(to.map(|to| slide(0.0, to)));
                }
                None => {}
            }
        }
        found
    }
}

/// Every index but one, the nearest first.
fn indices_by_distance(index: usize, n: usize) -> impl Iterator<Item = usize> {
    (1..n.max(1))
        .flat_map(move |step| [index.checked_sub(step), index.checked_add(step)])
        .flatten()
        .filter(move |other| *other < n)
}

fn is_finite(costs: [f64; 3]) -> bool {
    costs.iter().all(|cost| cost.is_finite())
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn distance(a: NormalisedWeights, b: NormalisedWeights) -> f64 {
    let apart = [0, 1, 2].map(|axis| a[axis] - b[axis]);
    dot(apart, apart).sqrt()
}

/// Weights that sum to 1.
pub(crate) fn normalise_weights(weights: [f64; 3]) -> NormalisedWeights {
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Leaves of a convex polygon the part where `plane`·w ≥ 0.
#[inline(never)]
fn clip_polygon(polygon: &mut Vec<NormalisedWeights>, plane: [f64; 3]) {
    // Most rivals cut nothing off.
    if polygon.iter().all(|at| dot(plane, *at) >= 0.0) {
        return;
    }
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, at) in polygon.iter().enumerate() {
        let next = polygon[(i + 1) % polygon.len()];
        let (here, there) = (dot(plane, *at), dot(plane, next));
        if here >= 0.0 {
            kept.push(*at);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            let share = here / (here - there);
            kept.push([0, 1, 2].map(|axis| at[axis] + share * (next[axis] - at[axis])));
        }
    }
    *polygon = kept;
}

/// Twice the signed area in the plane of the first two weights, in which the whole triangle has 1.
#[inline(never)]
fn signed_area(polygon: &[NormalisedWeights]) -> f64 {
    let Some(first) = polygon.first() else { return 0.0 };
    polygon
        .windows(2)
        .map(|pair| {
            let [a, b] = [0, 1].map(|i: usize| [0, 1].map(|axis: usize| pair[i][axis] - first[axis]));
            a[0] * b[1] - a[1] * b[0]
        })
        .sum()
}

/// The place of a convex polygon that is nearest to `from`.
fn nearest_in_polygon(polygon: &[NormalisedWeights], from: NormalisedWeights) -> NormalisedWeights {
    let sides = || polygon.iter().zip(polygon.iter().cycle().skip(1));
    let inside = sides().all(|(a, b)| signed_area(&[*a, *b, from]) >= 0.0);
    if inside {
        return from;
    }
    sides()
        .map(|(a, b)| nearest_on_segment([*a, *b], from))
        .min_by(|a, b| distance(*a, from).total_cmp(&distance(*b, from)))
        .unwrap_or(from)
}

/// The place between two ends that is nearest to `from`.
#[inline(never)]
fn nearest_on_segment([start, end]: [NormalisedWeights; 2], from: NormalisedWeights) -> NormalisedWeights {
    let along = [0, 1, 2].map(|axis| end[axis] - start[axis]);
    let to = [0, 1, 2].map(|axis| from[axis] - start[axis]);
    let length = dot(along, along);
    let share = if length > 0.0 { (dot(along, to) / length).clamp(0.0, 1.0) } else { 0.0 };
    [0, 1, 2].map(|axis| start[axis] + share * along[axis])
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::papers::sfc::metric::score::PROFILES;
    use crate::papers::sfc::{NoProgress, best_point, compute_curve};

    fn weights(mix: [f64; 3]) -> Weights {
        Weights::try_from(mix).unwrap()
    }

    fn scores(points: &[Objectives], mix: NormalisedWeights) -> Vec<f64> {
        points.iter().map(|[s, f, c]| weights(mix).sfc(*s, *f, *c)).collect()
    }

    /// Sides of the polygon that have `at` on their outer side, by how much at most.
    fn outside(region: &Region, at: NormalisedWeights) -> f64 {
        let next = region.corners.iter().cycle().skip(1);
        region.corners.iter().zip(next).map(|(a, b)| -signed_area(&[*a, *b, at])).fold(0.0, f64::max)
    }

    /// Points of the triangle on a grid of `n` steps, its edges included.
    fn grid(n: u32) -> impl Iterator<Item = NormalisedWeights> {
        (0..=n).flat_map(move |a| (0..=n - a).map(move |b| [a, b, n - a - b].map(|i| f64::from(i) / f64::from(n))))
    }

    fn paper() -> Vec<Objectives> {
        let curve = compute_curve(&crate::Settings::default(), &mut NoProgress).unwrap();
        curve.points.iter().map(|p| [p.sparsity, p.fidelity, p.completeness]).collect()
    }

    /// Some axes are 0, some points equal, some dominated.
    fn clouds() -> impl Strategy<Value = Vec<Objectives>> {
        let axis = prop_oneof![1 => Just(0.0), 1 => Just(0.5), 6 => 0.02..1.0_f64];
        prop::collection::vec(prop::array::uniform3(axis), 1..9)
    }

    fn mixes() -> impl Strategy<Value = NormalisedWeights> {
        prop::array::uniform3(0.001..1.0_f64).prop_map(normalise_weights)
    }

    #[test]
    fn the_profiles_have_table_4s_winners() {
        let run = compute_curve(&crate::Settings::default(), &mut NoProgress).unwrap();
        let points: Vec<_> = run.points.iter().map(|p| [p.sparsity, p.fidelity, p.completeness]).collect();
        let simplex = Simplex::new(&points);
        for profile in PROFILES {
            let expected = best_point(&run.points, profile.weights).unwrap();
            let standing = simplex.standing(profile.weights).unwrap();
            assert_eq!((standing.index, standing.score), expected, "{}", profile.name);
            let mix = normalise_weights(profile.weights.values());
            let holds: Vec<usize> = simplex
                .regions()
                .iter()
                .filter(|region| outside(region, mix) == 0.0)
                .map(|region| region.index)
                .collect();
            assert_eq!(holds, [expected.0], "{}", profile.name);
        }
    }

    #[test]
    fn the_papers_first_level_wins_without_weight_on_sparsity_alone() {
        let simplex = Simplex::new(&paper());
        assert!(simplex.regions().iter().all(|region| region.index != 0));
        let border = simplex.borders()[0];
        assert_eq!(border.index, 0);
        assert_eq!(border.ends, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let flip = simplex.nearest_flip(weights([0.0, 1.0, 1.0])).unwrap();
        assert_eq!(flip.distance, 0.0);
        let slide = flip.slide.unwrap();
        assert_eq!((slide.axis, slide.weight), (0, 0.0));
        assert_eq!(Some(slide.to), simplex.standing(weights([1e-9, 1.0, 1.0])).map(|s| s.index));
    }

    #[test]
    fn the_nearest_flip_of_two_points_is_where_their_line_is() {
        // 1/SFC is 2α + β + γ and α + 2β + γ: level where α = β.
        let simplex = Simplex::new(&[[0.5, 1.0, 1.0], [1.0, 0.5, 1.0]]);
        assert_eq!(simplex.regions().len(), 2);
        assert!(simplex.regions().iter().all(|region| (region.share - 0.5).abs() < 1e-15));
        let flip = simplex.nearest_flip(weights([3.0, 1.0, 0.0])).unwrap();
        assert_eq!(flip.to, 0);
        assert!(distance(flip.weights, [0.5, 0.5, 0.0]) < 1e-15);
        assert!((flip.distance - 0.125_f64.sqrt()).abs() < 1e-15);
        // β from 1 to 3 is 3:3, as is α from 3 to 1.
        let slide = flip.slide.unwrap();
        assert_eq!((slide.axis, slide.weight, slide.to), (0, 1.0, 0));
    }

    #[test]
    fn odd_sets_of_points_are_taken() {
        let equal = Weights::EQUAL;
        let none = Simplex::new(&[]);
        assert!(none.regions().is_empty() && none.standing(equal).is_none());
        assert!(none.nearest_flip(equal).is_none());

        let zero = Simplex::new(&[[0.0; 3], [f64::NAN, -1.0, 0.0]]);
        assert!(zero.regions().is_empty() && zero.nearest_flip(equal).is_none());

        let one = Simplex::new(&[[0.9, 0.8, 0.7]]);
        assert_eq!(one.regions()[0].share, 1.0);
        assert!(one.nearest_flip(equal).is_none());
        let standing = one.standing(equal).unwrap();
        assert_eq!((standing.runner_up, standing.margin), (None, standing.score));

        let twins = Simplex::new(&[[0.9, 0.8, 0.7], [0.9, 0.8, 0.7]]);
        assert_eq!(twins.regions().len(), 1);
        let flip = twins.nearest_flip(equal).unwrap();
        assert_eq!((flip.to, flip.distance), (1, 0.0));
        assert!(twins.polygon_with_lead(&twins.regions()[0], 1e-6).is_empty());

        let dominated = Simplex::new(&[[0.5, 0.5, 0.5], [0.6, 0.5, 0.7]]);
        assert_eq!(dominated.regions().len(), 1);
        assert_eq!(dominated.regions()[0].index, 1);

        // Nothing scores unless S has no weight.
        let flat = Simplex::new(&[[0.0, 0.8, 0.9]]);
        assert!(flat.regions().is_empty() && flat.standing(equal).is_none());
        let flip = flat.nearest_flip(equal).unwrap();
        assert_eq!((flip.to, flip.weights), (0, [0.0, 0.5, 0.5]));
        assert_eq!(flip.slide.map(|slide| (slide.axis, slide.weight)), Some((0, 0.0)));

        let corner = Simplex::new(&[[0.9, 0.0, 0.0], [0.5, 0.5, 0.5]]);
        assert_eq!(corner.borders(), [Border { index: 0, ends: [TRIANGLE_CORNERS[0]; 2] }]);
    }

    #[test]
    fn many_levels_still_share_the_triangle() {
        let points: Vec<Objectives> = (0..512)
            .map(|i| {
                let level = f64::from(i) / 512.0;
                [level, 1.0 - 0.3 * level * level, 0.9 - 0.1 * level * level * level]
            })
            .collect();
        let simplex = Simplex::new(&points);
        let total: f64 = simplex.regions().iter().map(|region| region.share).sum();
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        assert!(simplex.regions().len() > 100);
        for region in simplex.regions() {
            assert!(signed_area(&simplex.polygon_with_lead(region, 0.01)) <= region.share);
        }
    }

    /// Whether the weights of a grid are in the polygon that is led by `margin`, and they alone.
    fn leads_are_found(points: &[Objectives], margin: f64) -> Result<(), TestCaseError> {
        let simplex = Simplex::new(points);
        for region in simplex.regions() {
            let polygon = simplex.polygon_with_lead(region, margin);
            let led = Region { corners: polygon, ..region.clone() };
            for mix in grid(24).filter(|mix| mix.iter().all(|share| *share > 0.0)) {
                let standing = simplex.standing(weights(mix)).unwrap();
                let leads = standing.index == region.index && standing.margin >= margin;
                // The accuracy that is promised, twice.
                let clear = (standing.margin - margin).abs() > 2.0 * LEAD_TOLERANCE * margin;
                let inside = !led.corners.is_empty() && outside(&led, mix) < 1e-12;
                if clear && standing.index == region.index {
                    prop_assert_eq!(inside, leads, "{:?} {:?}", mix, standing);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn leads_are_found_where_a_winners_cost_is_very_different_between_corners() {
        let points = [
            [0.46577385980560815, 0.028495086331433838, 0.6653802690247295],
            [0.9807041551508318, 0.13369422808634787, 0.09814678204156743],
        ];
        leads_are_found(&points, 0.1226753351285879).unwrap();
    }

    proptest! {
        #[test]
        fn regions_are_what_a_fine_grid_finds(points in clouds()) {
            let simplex = Simplex::new(&points);
            let total: f64 = simplex.regions().iter().map(|region| region.share).sum();
            prop_assert!(simplex.regions().is_empty() || (total - 1.0).abs() < 1e-9, "{}", total);
            for mix in grid(40) {
                let scores = scores(&points, mix);
                let most = scores.iter().copied().fold(0.0, f64::max);
                for region in simplex.regions() {
                    // Outside by more than rounding loses; inside draws level at least. On an
                    // edge, a point that is 0 on the axis without weight may be ahead of both.
                    let inner = mix.iter().all(|share| *share > 0.0);
                    let score = scores[region.index];
                    if outside(region, mix) == 0.0 && inner {
                        prop_assert!(score >= most * (1.0 - 1e-12));
                    }
                    if score == most && scores.iter().filter(|s| **s >= most * (1.0 - 1e-12)).count() == 1 {
                        prop_assert!(outside(region, mix) < 1e-12);
                    }
                }
            }
        }

        #[test]
        fn leads_are_what_a_fine_grid_finds(points in clouds(), margin in 0.001..0.2_f64) {
            leads_are_found(&points, margin)?;
        }

        #[test]
        fn no_nearer_change_flips_the_winner(points in clouds(), from in mixes(), near in prop::collection::vec(mixes(), 40)) {
            let simplex = Simplex::new(&points);
            let winner = simplex.standing(weights(from)).map(|standing| standing.index);
            let flip = simplex.nearest_flip(weights(from));
            for towards in near {
                let all = distance(towards, from);
                let reach = flip.map_or(all, |flip| flip.distance * (1.0 - 1e-9));
                let share = (reach / all).min(1.0);
                let there = [0, 1, 2].map(|axis| from[axis] + share * (towards[axis] - from[axis]));
                let now = simplex.standing(weights(there));
                // Closer than rounding to a boundary, either side is right.
                if now.is_none_or(|standing| standing.margin > 1e-9) && flip.is_none_or(|flip| flip.distance > 0.0) {
                    prop_assert_eq!(now.map(|standing| standing.index), winner);
                }
            }
            let Some(flip) = flip else { return Ok(()) };
            let scores = scores(&points, flip.weights.map(|w| if w < 1e-9 { 0.0 } else { w }));
            let most = scores.iter().copied().fold(0.0, f64::max);
            prop_assert!(scores[flip.to] >= most * (1.0 - 1e-9), "{:?} {:?}", flip, scores);
        }

        #[test]
        fn one_slider_flips_at_its_place_and_not_before(points in clouds(), from in mixes()) {
            let simplex = Simplex::new(&points);
            let now = simplex.standing(weights(from)).map(|standing| standing.index);
            for slide in simplex.find_slides(weights(from), now) {
                let at = |weight: f64| {
                    let mut changed = from;
                    changed[slide.axis] = weight;
                    simplex.standing(weights(changed))
                };
                let before = from[slide.axis] + (slide.weight - from[slide.axis]) * (1.0 - 1e-6);
                // There are no weights between 0 and the least.
                let before = if before > 0.0 { before.max(WEIGHT_MIN) } else { before };
                let beyond = slide.weight * if slide.weight > from[slide.axis] { 1.0 + 1e-6 } else { 1.0 - 1e-6 };
                let before = at(before);
                if before.is_none_or(|standing| standing.margin > 1e-12) {
                    prop_assert_eq!(before.map(|standing| standing.index), now);
                }
                let beyond = at(beyond).unwrap();
                if beyond.margin > 1e-12 {
                    prop_assert_eq!(beyond.index, slide.to);
                }
            }
        }
    }
}
