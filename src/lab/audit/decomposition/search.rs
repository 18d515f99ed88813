//! A search for what a metric's condition has not been seen to do: to fail where all pass, to pass where all fail.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::ground_truth::GroundTruth;
use super::{Decomposition, transforms};
use crate::NumpyRng;
use crate::lab::audit::{
    AnyMetricFn, Clock, Group, Job, Metric, MetricValue, PreparedSubject, Preset, Registry, Subject, SubjectRow,
};
use crate::papers::measurement::metric::{Condition, Relation};
use crate::sae::Weights;

/// A metric that takes more evaluations than so many times the rows is not searched for in the small preset.
const EVALUATIONS_PER_ROW_MAX: u64 = 4;
/// By what latents' directions are multiplied.
const SCALE_FACTORS: [f64; 4] = [0.0, 0.25, 4.0, 16.0];

/// What a search begins with: the subjects that are measured on the reference's own rows.
#[derive(Default)]
pub(in crate::lab::audit) struct SearchPool {
    ground: Option<Rc<GroundTruth>>,
    /// Places of their rows, and their numbers.
    seen: Vec<(usize, Weights)>,
}

impl SearchPool {
    /// Takes note of a subject whose row has this place.
    pub fn record_subject(&mut self, at: usize, made: &PreparedSubject<Decomposition>) {
        if made.subject.group == Group::Reference {
            self.ground = Some(Rc::clone(&made.data.ground));
        }
        let own = self.ground.as_ref().is_some_and(|ground| Rc::ptr_eq(ground, &made.data.ground));
        // One whose codes no encoder makes has nothing to be mixed; one that stands for its rows or for another draw is
        // the reference again. Both editions search among the same subjects.
        let in_first = made.subject.in_first_edition();
        if own && made.data.encodes && made.data.draw == 0 && in_first {
            self.seen.push((at, made.data.weights.clone()));
        }
    }

    /// A row a metric that was searched for: what came nearest to the condition's other side.
    pub fn search_counterexamples(
        &self,
        job: Job,
        registry: &Registry,
        rows: &[SubjectRow],
        clock: Clock,
    ) -> Vec<SubjectRow> {
        let Some(ground) = &self.ground else { return Vec::new() };
        let metrics = registry.metrics().iter();
        let found = metrics.filter_map(|metric| self.search_counterexample(job, metric, ground, rows, clock));
        found.map(|(it, said)| search_result_row(job, rows, &it, &said)).collect()
    }

    fn search_counterexample(
        &self,
        job: Job,
        metric: &Metric,
        ground: &Rc<GroundTruth>,
        rows: &[SubjectRow],
        clock: Clock,
    ) -> Option<(Decomposition, MetricValue)> {
        let AnyMetricFn::Decomposition(of) = metric.measure else { return None };
        let condition = metric.condition?;
        let value = |row: &SubjectRow| row.values.iter().find(|said| said.metric == metric.id)?.value;
        let in_first = |row: &&SubjectRow| row.subject.in_first_edition();
        let all = rows.iter().filter(in_first).filter_map(value);
        let mut all = all.map(|value| condition.holds(value));
        let passes = all.next()?;
        if all.any(|other| other != passes) {
            return None;
        }
        let steps = match job.preset {
            Preset::Small => 12,
            Preset::Full => 60,
        };
        let first = rows.first()?.values.iter().find(|said| said.metric == metric.id)?;
        if job.preset == Preset::Small && first.evaluations > EVALUATIONS_PER_ROW_MAX * ground.rows.rows() as u64 {
            return None;
        }
        // More of this is nearer to the other side.
        let toward = |value: f64| match (is_lower_bound(&condition), passes) {
            (true, true) | (false, false) => -value,
            (true, false) | (false, true) => value,
        };
        let from = self.seen.iter().filter_map(|(at, weights)| Some((toward(value(rows.get(*at)?)?), weights)));
        let (mut nearest, best) = from.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let mut best = best.clone();
        let mut rng = NumpyRng::new(12_000 + job.seed);
        let mut found = None;
        for _ in 0..steps {
            let weights = self.mutate(&best, &mut rng)?;
            let it = Decomposition::new(Rc::clone(ground), weights, clock).ok()?;
            let (said, seconds, evaluations) = it.memo().measure(|| of(&it));
            let value = said.ok().flatten().filter(|value| value.is_finite());
            if let Some(said) = value.filter(|value| toward(*value) > nearest) {
                (nearest, best) = (toward(said), it.weights.clone());
                let metric = metric.id.to_owned();
                found = Some((it, MetricValue { metric, value, seconds, evaluations }));
                if condition.holds(said) != passes {
                    break;
                }
            }
        }
        found
    }

    /// Another one near to one: with some of another subject's latents, or with some that are scaled or silenced.
    fn mutate(&self, best: &Weights, rng: &mut NumpyRng) -> Option<Weights> {
        let latents = best.decoder.rows() as u32;
        let some = |rng: &mut NumpyRng| rng.choice(latents, (latents as usize / 2).max(1));
        let others: Vec<&Weights> = self
            .seen
            .iter()
            .map(|(_, weights)| weights)
            .filter(|other| other.decoder.rows() == best.decoder.rows())
            .collect();
        let pick = |rng: &mut NumpyRng, of: usize| rng.choice(of as u32, 1).first().map(|at| *at as usize);
        let chosen = some(rng);
        Some(match pick(rng, 3)? {
            0 => transforms::mix_latents(best, others.get(pick(rng, others.len())?)?, &chosen),
            1 => transforms::scale_latents(best, &chosen, *SCALE_FACTORS.get(pick(rng, SCALE_FACTORS.len())?)?),
            _ => transforms::silence_latents(best, &chosen),
        })
    }
}

/// Whether a condition asks for more.
fn is_lower_bound(condition: &Condition) -> bool {
    matches!(condition.relation, Relation::Above | Relation::AtLeast)
}

/// As all rows of a job are: values of all its metrics, of which only the one that was searched for is known.
fn search_result_row(job: Job, rows: &[SubjectRow], it: &Decomposition, said: &MetricValue) -> SubjectRow {
    let known = |other: &MetricValue| match other.metric == said.metric {
        true => said.clone(),
        false => MetricValue { value: None, seconds: 0.0, evaluations: 0, ..other.clone() },
    };
    let values = rows.first().map_or_else(Vec::new, |row| row.values.iter().map(known).collect());
    let subject = Subject::new(Group::Extreme, &format!("searched for {}", said.metric));
    let width = Some(it.decoder().rows() as f64);
    let (world, seed) = (job.world, job.seed);
    let place = rows.first().map_or_else(String::new, |row| row.place.clone());
    let truths = BTreeMap::new();
    let not_applicable = None;
    let (truth, size) = (None, None);
    SubjectRow { world, place, seed, subject, truth, truths, size, width, values, not_applicable }
}
