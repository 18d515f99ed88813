use super::StatisticsError;

/// How a number of things join into groups, by the mean distance between their members (average linkage, UPGMA).
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::Linkage;
/// // Of three things, the distances of (0, 1), (0, 2), (1, 2).
/// let linkage = Linkage::average(3, vec![0.1, 0.9, 0.7])?;
/// assert_eq!(linkage.heights(), [0.1, 0.8]);
/// assert_eq!(linkage.cut(0.5), [0, 0, 1]);
/// assert_eq!(linkage.leaves(), [2, 0, 1]);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Linkage {
    things: usize,
    /// Two groups that join, and at which distance: the things are groups 0 to n − 1, the i-th join makes group
    /// n + i.
    joins: Vec<(usize, usize, f64)>,
}

/// Most things, whose distances are n(n − 1)/2.
const ITEMS_MAX: usize = 1 << 14;

impl Linkage {
    /// Joins `things` by their distances: those of each thing to all later ones, row after row.
    ///
    /// # Errors
    /// [`StatisticsError::Lengths`] unless there are n(n − 1)/2 distances, [`StatisticsError::TooMany`] beyond
    /// 16,384 things, [`StatisticsError::NonFinite`].
    pub fn average(things: usize, mut distances: Vec<f64>) -> Result<Self, StatisticsError> {
        if things > ITEMS_MAX {
            let what = "things to join";
            return Err(StatisticsError::TooMany { what, found: things, most: ITEMS_MAX });
        }
        let second = things * things.saturating_sub(1) / 2;
        if distances.len() != second {
            return Err(StatisticsError::Lengths { first: distances.len(), second });
        }
        if let Some((index, value)) = distances.iter().enumerate().find(|(_, x)| !x.is_finite()) {
            return Err(StatisticsError::NonFinite { what: "distances", index, value: *value });
        }
        if things == 0 {
            return Ok(Self { things, joins: Vec::new() });
        }
        let found = kodama::linkage(&mut distances, things, kodama::Method::Average);
        let joins = found.steps().iter().map(|step| (step.cluster1, step.cluster2, step.dissimilarity));
        Ok(Self { things, joins: joins.collect() })
    }

    /// At which mean distance groups join, ascending: one less than there are things.
    #[must_use]
    pub fn heights(&self) -> Vec<f64> {
        self.joins.iter().map(|(_, _, height)| *height).collect()
    }

    /// The group of each thing, from 0 in the order of their first things, when groups up to and including this
    /// distance are joined: as SciPy's `fcluster` by `distance`.
    #[must_use]
    pub fn cut(&self, distance: f64) -> Vec<usize> {
        // Where each group has gone to.
        let mut into: Vec<usize> = (0..self.things + self.joins.len()).collect();
        for (join, (first, second, height)) in self.joins.iter().enumerate() {
            if *height <= distance {
                for group in [first, second] {
                    if let Some(place) = into.get_mut(*group) {
                        *place = self.things + join;
                    }
                }
            }
        }
        let root = |mut group: usize| {
            while let Some(next) = into.get(group).copied().filter(|next| *next != group) {
                group = next;
            }
            group
        };
        let mut roots: Vec<usize> = Vec::new();
        let label = |thing| {
            let root = root(thing);
            roots.iter().position(|known| *known == root).unwrap_or_else(|| {
                roots.push(root);
                roots.len() - 1
            })
        };
        (0..self.things).map(label).collect()
    }

    /// All things as they stand beside each other in the tree of joins, so that no two branches cross: as SciPy's
    /// `leaves_list`.
    #[must_use]
    pub fn leaves(&self) -> Vec<usize> {
        let mut leaves = Vec::with_capacity(self.things);
        // With things, the last join holds all; without a join, there is one thing or none.
        let mut open: Vec<usize> = (self.things + self.joins.len()).checked_sub(1).into_iter().collect();
        while let Some(group) = open.pop() {
            match group.checked_sub(self.things).and_then(|join| self.joins.get(join)) {
                Some((first, second, _)) => open.extend([*second, *first]),
                None => leaves.push(group),
            }
        }
        leaves
    }
}
