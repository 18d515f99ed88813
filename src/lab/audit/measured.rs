//! What a job measures: every metric that is defined on the kind of its world, on each of its subjects.

use super::decomposition::Decomposition;
use super::job::{Clock, Job, Made};
use super::metric::Measure;
use super::registry::Registry;
use super::row::{Row, Value};
use super::subject::{Kind, World};
use super::{circuit, decomposition, model_subject, scores};
use crate::study::Failure;

/// What every metric that is defined on subjects of a kind says of each of them.
macro_rules! rows {
    ($place:expr, $made:expr, $registry:expr, $kind:path, $see:expr) => {{
        let (world, seed) = $place;
        let mut rows: Vec<Row> = Vec::new();
        for made in $made {
            $see(rows.len(), &made);
            let of = $registry.metrics().iter().filter_map(|metric| match metric.measure {
                $kind(of) => Some((metric.id, of)),
                _ => None,
            });
            let values = of.map(|(id, of)| {
                let (found, seconds, evaluations) = made.it.memo().timed(|| of(&made.it));
                let value = found.ok().flatten().filter(|value| value.is_finite());
                Value { metric: id.to_owned(), value, seconds, evaluations }
            });
            let values = values.collect();
            let Made { place, subject, truth, truths, size, width, .. } = made;
            let not_applicable = None;
            rows.push(Row {
                world,
                place,
                seed,
                subject,
                truth,
                truths,
                size,
                width,
                values,
                not_applicable,
            });
        }
        rows
    }};
}

/// What every metric of the registry says of decompositions of a world and seed; `see` is shown each before, with its
/// place among the rows.
pub(super) fn of_decompositions(
    place: (World, u32),
    made: Vec<Made<Decomposition>>,
    registry: &Registry,
    mut see: impl FnMut(usize, &Made<Decomposition>),
) -> Vec<Row> {
    rows!(place, made, registry, Measure::Decomposition, see)
}

impl Job {
    /// The shipped files that it takes.
    #[must_use]
    pub fn needs(self) -> Vec<&'static str> {
        match self.world.kind() {
            Kind::Decomposition => decomposition::needs(self.world),
            Kind::Circuit => circuit::needs(self.world),
            Kind::Model => model_subject::needs(),
            Kind::Scores => Vec::new(),
        }
    }

    /// Measures every metric of the registry on every subject. A metric that refuses a subject says nothing of it.
    ///
    /// # Errors
    /// Where the subjects cannot be made: a shipped file that is not there.
    pub fn measured(self, registry: &Registry, clock: Clock) -> Result<Vec<Row>, Failure> {
        let place = (self.world, self.seed);
        Ok(match self.world.kind() {
            Kind::Decomposition => {
                let mut pool = decomposition::Pool::default();
                let made = decomposition::made(self, clock)?;
                let see = |at, made: &_| pool.see(at, made);
                let mut rows = of_decompositions(place, made, registry, see);
                rows.extend(pool.searched(self, registry, &rows, clock));
                rows
            }
            Kind::Circuit => {
                rows!(place, circuit::made(self, clock)?, registry, Measure::Circuit, |_, _: &_| {})
            }
            Kind::Model => {
                rows!(
                    place,
                    model_subject::made(self, clock)?,
                    registry,
                    Measure::Model,
                    |_, _: &_| {}
                )
            }
            Kind::Scores => {
                rows!(place, scores::made(self, clock), registry, Measure::Scores, |_, _: &_| {})
            }
        })
    }
}
