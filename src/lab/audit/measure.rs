//! What a job measures: every metric that is defined on the kind of its world, on each of its subjects.

use super::decomposition::Decomposition;
use super::job::{Clock, Job, PreparedSubject};
use super::metric::AnyMetricFn;
use super::registry::Registry;
use super::row::{MetricValue, SubjectRow};
use super::subject::{Kind, World};
use super::{circuit, decomposition, model_subject, scores};
use crate::study::Failure;

/// What every metric that is defined on subjects of a kind says of each of them.
macro_rules! measure_subjects {
    ($place:expr, $made:expr, $registry:expr, $kind:path, $see:expr) => {{
        let (world, seed) = $place;
        let mut rows: Vec<SubjectRow> = Vec::new();
        for made in $made {
            $see(rows.len(), &made);
            let of = $registry.metrics().iter().filter_map(|metric| match metric.measure {
                $kind(of) => Some((metric.id, of)),
                _ => None,
            });
            let values = of.map(|(id, of)| {
                let (found, seconds, evaluations) = made.data.memo().measure(|| of(&made.data));
                let value = found.ok().flatten().filter(|value| value.is_finite());
                MetricValue { metric: id.to_owned(), value, seconds, evaluations }
            });
            let values = values.collect();
            let PreparedSubject { place, subject, truth, truths, size, width, .. } = made;
            let not_applicable = None;
            rows.push(SubjectRow { world, place, seed, subject, truth, truths, size, width, values, not_applicable });
        }
        rows
    }};
}

/// What every metric of the registry says of decompositions of a world and seed; `see` is shown each before, with its
/// place among the rows.
pub(super) fn measure_decompositions(
    place: (World, u32),
    made: Vec<PreparedSubject<Decomposition>>,
    registry: &Registry,
    mut see: impl FnMut(usize, &PreparedSubject<Decomposition>),
) -> Vec<SubjectRow> {
    measure_subjects!(place, made, registry, AnyMetricFn::Decomposition, see)
}

impl Job {
    /// The shipped files that it takes.
    #[must_use]
    pub fn required_files(self) -> Vec<&'static str> {
        match self.world.kind() {
            Kind::Decomposition => decomposition::required_files(self.world),
            Kind::Circuit => circuit::required_files(self.world),
            Kind::Model => model_subject::required_files(),
            Kind::Scores => Vec::new(),
        }
    }

    /// Measures every metric of the registry on every subject. A metric that refuses a subject says nothing of it.
    ///
    /// # Errors
    /// Where the subjects cannot be made: a shipped file that is not there.
    pub fn measure(self, registry: &Registry, clock: Clock) -> Result<Vec<SubjectRow>, Failure> {
        let place = (self.world, self.seed);
        Ok(match self.world.kind() {
            Kind::Decomposition => {
                let mut pool = decomposition::SearchPool::default();
                let made = decomposition::build_subjects(self, clock)?;
                let see = |at, made: &_| pool.record_subject(at, made);
                let mut rows = measure_decompositions(place, made, registry, see);
                rows.extend(pool.search_counterexamples(self, registry, &rows, clock));
                rows
            }
            Kind::Circuit => {
                measure_subjects!(
                    place,
                    circuit::build_subjects(self, clock)?,
                    registry,
                    AnyMetricFn::Circuit,
                    |_, _: &_| {}
                )
            }
            Kind::Model => {
                measure_subjects!(
                    place,
                    model_subject::build_subjects(self, clock)?,
                    registry,
                    AnyMetricFn::Model,
                    |_, _: &_| {}
                )
            }
            Kind::Scores => {
                measure_subjects!(
                    place,
                    scores::build_subjects(self, clock),
                    registry,
                    AnyMetricFn::Scores,
                    |_, _: &_| {}
                )
            }
        })
    }
}
