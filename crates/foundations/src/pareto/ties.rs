//! The front and its volumes under a rule for what counts as a tie.

use serde::Serialize;

use super::{Objectives, ParetoError, dominates, front, hypervolume};

/// What counts as a tie between two values of one objective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// Equal numbers only.
    #[default]
    Exact,
    /// Numbers that print alike with three decimals, as the paper's tables do: everything is
    /// computed from the rounded values.
    Printed,
    /// Numbers that differ by at most this much, at least 0. Dominance is not transitive then, and
    /// the front may be empty.
    Within(f64),
}

/// A set of points, ranked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// The points as they were compared: rounded, where the rule says so.
    pub points: Vec<Objectives>,
    /// Indices of the points that no other one dominates, ascending.
    pub front: Vec<usize>,
    /// For each point, which points dominate it, ascending.
    pub dominated_by: Vec<Vec<usize>>,
    /// Volume under all points, from the origin.
    pub hypervolume: f64,
    /// Volume under the front, from the origin.
    pub hypervolume_front: f64,
    /// For each point, what the front's volume would lose without it; 0 off the front.
    pub contributions: Vec<f64>,
}

impl Ranking {
    /// Ranks points (S, F, C) under a rule, in O(n²).
    ///
    /// # Errors
    /// As [`front`] and [`hypervolume`].
    ///
    /// # Examples
    /// ```
    /// # use sfc_bench_foundations as sfc_bench;
    /// use sfc_bench::pareto::{Ranking, TieRule};
    /// let points = [[0.5, 0.9003, 0.9], [0.6, 0.9001, 0.9]];
    /// assert_eq!(Ranking::new(&points, TieRule::Exact)?.front, [0, 1]);
    /// assert_eq!(Ranking::new(&points, TieRule::Printed)?.dominated_by, [vec![1], vec![]]);
    /// # Ok::<(), sfc_bench::pareto::ParetoError>(())
    /// ```
    pub fn new(points: &[Objectives], ties: TieRule) -> Result<Self, ParetoError> {
        let (points, tolerance) = match ties {
            TieRule::Exact => (points.to_vec(), 0.0),
            TieRule::Printed => (points.iter().map(|point| point.map(round_as_printed)).collect(), 0.0),
            TieRule::Within(tolerance) => (points.to_vec(), tolerance),
        };
        let front = front(&points, tolerance)?;
        let dominators = |point: &Objectives| {
            let better = |(_, other): &(usize, &Objectives)| dominates(**other, *point, tolerance);
            points.iter().enumerate().filter(better).map(|(index, _)| index).collect()
        };
        let on_front: Vec<Objectives> = front.iter().map(|index| points[*index]).collect();
        let volumes = hypervolume(&on_front, [0.0; 3])?;
        let mut contributions = vec![0.0; points.len()];
        for (index, contribution) in front.iter().zip(volumes.contributions) {
            contributions[*index] = contribution;
        }
        Ok(Self {
            dominated_by: points.iter().map(dominators).collect(),
            hypervolume: hypervolume(&points, [0.0; 3])?.hypervolume,
            hypervolume_front: volumes.hypervolume,
            contributions,
            front,
            points,
        })
    }
}

/// A value as the paper prints it.
fn round_as_printed(value: f64) -> f64 {
    // Larger numbers have no decimals to round.
    if value.abs() < 1e12 { libm::round(value * 1e3) / 1e3 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_of_dominance_leaves_no_front() {
        let points = [[1.0, 0.9, 0.8], [0.8, 1.0, 0.9], [0.9, 0.8, 1.0]];
        let ranking = Ranking::new(&points, TieRule::Within(0.15)).unwrap();
        assert!(ranking.front.is_empty());
        assert_eq!(ranking.dominated_by, [[2], [0], [1]]);
        assert_eq!(ranking.hypervolume_front, 0.0);
        assert!(ranking.hypervolume > 0.7);
    }

    #[test]
    fn bad_tolerances_and_points_are_refused() {
        for tolerance in [-1e-9, f64::NAN, f64::INFINITY] {
            let error = Ranking::new(&[[0.5; 3]], TieRule::Within(tolerance)).unwrap_err();
            assert_eq!(error.code(), "pareto.tolerance");
        }
        assert!(Ranking::new(&[[0.5, f64::NAN, 0.5]], TieRule::Printed).is_err());
        assert_eq!(Ranking::new(&[], TieRule::Exact).unwrap().hypervolume, 0.0);
    }
}
