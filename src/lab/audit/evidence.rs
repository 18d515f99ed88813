use std::collections::BTreeMap;

use super::block::Block;
use super::entry::{ChangeEvidence, Cost, DoseEvidence, Evidence, Reach, Reliability, Validity};
use super::metric::Metric;
use super::row::SubjectRow;
use super::seeds::{IntervalEstimator, ROUNDING_TOLERANCE, SeedTally, all_equal};
use super::subject::Group;
use crate::order;
use crate::papers::measurement::metric::{Condition, Relation};
use crate::plot::format::format_trimmed;
use crate::statistics::{Correlation, StatisticsError, mean, median, partial_spearman, spearman, standard_deviation};

/// What a correlation may be.
pub(super) const CORRELATION_RANGE: [f64; 2] = [-1.0, 1.0];
/// The fewest subjects that have an order, or a variance of their own.
pub(super) const SUBJECTS_MIN: usize = 3;

/// One metric on all blocks.
#[derive(Clone, Copy)]
pub(super) struct MetricBlocks<'a> {
    pub(super) metric: &'a Metric,
    /// Its place among the metrics.
    pub(super) metric_index: usize,
    pub(super) blocks: &'a [Block<'a>],
    pub(super) estimator: &'a IntervalEstimator,
}

impl MetricBlocks<'_> {
    /// All numbers; q, what follows from it, and other metrics are not known yet.
    pub(super) fn collect_evidence(&self) -> Evidence {
        let controls = self.compare_controls();
        Evidence {
            reliability: self.measure_reliability(),
            controls,
            doses: self.measure_doses(),
            validity: self.measure_validity(),
            changes: self.measure_changes(),
            reach: self.measure_reach(),
            alike: Vec::new(),
            cost: self.measure_cost(),
        }
    }

    pub(super) fn measure_reliability(&self) -> Reliability {
        let mut seeds = SeedTally::default();
        let (mut samples, mut own) = (SeedTally::default(), SeedTally::default());
        for block in self.blocks {
            let Some(reference) = block.reference_value(self.metric_index) else { continue };
            seeds.add(block, [reference]);
            for (group, tally) in [(Group::Sample, &mut samples), (Group::Again, &mut own)] {
                let runs = block.series_in_group(group).flat_map(|run| block.values_of_series(self.metric_index, run));
                let all: Vec<f64> = std::iter::once(reference).chain(runs.map(|(_, value)| value)).collect();
                if let Some(cv) = coefficient_of_variation(&all) {
                    tally.add(block, [cv]);
                }
            }
        }
        let references = seeds.seed_scalars();
        let cv_seeds = coefficient_of_variation(&references);
        let (cv_samples, cv_own) = (samples.mean_over_seeds(), own.mean_over_seeds());
        Reliability { seeds: references.len(), cv_seeds, cv_samples, cv_own, seeds_to_tell: None, worlds: Vec::new() }
    }

    pub(super) fn measure_doses(&self) -> Vec<DoseEvidence> {
        #[derive(Default)]
        struct Dose {
            levels: BTreeMap<u64, (f64, SeedTally<1>)>,
            rho: SeedTally<1>,
        }
        let mut doses: BTreeMap<&str, Dose> = BTreeMap::new();
        for block in self.blocks {
            let Some(reference) = block.reference_value(self.metric_index) else { continue };
            for run in block.series_in_group(Group::Dose) {
                let said = block.values_of_series(self.metric_index, run);
                // Adding 0 leaves no -0, which would be a level of its own.
                let said = said.map(|(row, value)| (row.subject.level + 0.0, value));
                let mut said: Vec<(f64, f64)> = said.filter(|(level, _)| level.is_finite()).collect();
                if said.is_empty() {
                    continue;
                }
                said.push((1.0, reference));
                let dose = doses.entry(run.name).or_default();
                for (level, value) in &said {
                    let new = || (*level, SeedTally::default());
                    dose.levels.entry(order::sort_key(*level)).or_insert_with(new).1.add(block, [*value]);
                }
                let (levels, values): (Vec<f64>, Vec<f64>) = said.into_iter().unzip();
                if let Some(rho) = correlation_if_varying(&self.orient_values(&values), &levels, spearman) {
                    dose.rho.add(block, [rho]);
                }
            }
        }
        let found = |(name, dose): (&str, Dose)| {
            let level = |(level, tally): &(f64, SeedTally<1>)| {
                let found = self.estimator.estimate(&tally.seed_scalars(), UNBOUNDED_RANGE)?;
                Some((*level, found.mean, found.interval))
            };
            let levels = dose.levels.values().filter_map(level).collect();
            let rho = self.estimator.estimate(&dose.rho.seed_scalars(), CORRELATION_RANGE);
            DoseEvidence { name: name.to_owned(), levels, rho }
        };
        doses.into_iter().map(found).collect()
    }

    fn measure_validity(&self) -> Validity {
        let [mut rho, mut given_size, mut given_width] = [(); 3].map(|()| SeedTally::default());
        let mut is_known = false;
        for block in self.blocks {
            let counted = |row: &SubjectRow| {
                use Group::{Control, Dose, Reference, Truth, Variant};
                matches!(row.subject.group, Reference | Truth | Control | Dose | Variant)
            };
            let known: Vec<(&SubjectRow, f64, f64)> = block
                .values_by_row(self.metric_index)
                .filter(|(row, _)| counted(row))
                .filter_map(|(row, value)| Some((row, value, keep_finite(row.truth)?)))
                .collect();
            is_known |= !known.is_empty();
            let columns = |known: &[(&SubjectRow, f64, f64)]| {
                let values: Vec<f64> = known.iter().map(|(_, value, _)| *value).collect();
                let truths: Vec<f64> = known.iter().map(|(.., truth)| *truth).collect();
                (self.orient_values(&values), truths)
            };
            let (values, truths) = columns(&known);
            if let Some(found) = correlation_if_varying(&values, &truths, spearman) {
                rho.add(block, [found]);
            }
            for (tally, by_size) in [(&mut given_size, true), (&mut given_width, false)] {
                let with = |row: &SubjectRow| keep_finite(if by_size { row.size } else { row.width });
                let covariates: Vec<f64> = known.iter().filter_map(|(row, ..)| with(row)).collect();
                let sized = known.iter().filter(|(row, ..)| with(row).is_some());
                let (values, truths) = columns(&sized.copied().collect::<Vec<_>>());
                let partial = |x: &[f64], y: &[f64]| partial_spearman(x, y, &covariates);
                if let Some(found) = correlation_if_varying(&values, &truths, partial) {
                    tally.add(block, [found]);
                }
            }
        }
        let [rho, given_size, given_width] = [rho, given_size, given_width]
            .map(|tally| self.estimator.estimate(&tally.seed_scalars(), CORRELATION_RANGE));
        Validity { known: is_known, rho, given_size, given_width, truths: Vec::new() }
    }

    fn measure_changes(&self) -> Vec<ChangeEvidence> {
        let mut changes: BTreeMap<&str, SeedTally<1>> = BTreeMap::new();
        for block in self.blocks {
            let Some(reference) = block.reference_value(self.metric_index) else { continue };
            let random = block.control_value(self.metric_index, RANDOM_CONTROL);
            for run in block.series_in_group(Group::Same) {
                for (_, value) in block.values_of_series(self.metric_index, run) {
                    let change = scaled_change(value, reference, random);
                    changes.entry(run.name).or_default().add(block, [change]);
                }
            }
        }
        let found = |(name, tally): (&str, SeedTally<1>)| {
            let found = self.estimator.estimate(&tally.seed_scalars(), [0.0, f64::INFINITY])?;
            // A size is never below 0, so that its mean is above says nothing.
            let change = super::entry::Estimate { p: None, ..found };
            Some(ChangeEvidence { name: name.to_owned(), change, world: String::new(), models: false, word: None })
        };
        changes.into_iter().filter_map(found).collect()
    }

    pub(super) fn measure_reach(&self) -> Option<Reach> {
        let said = || self.blocks.iter().flat_map(|block| block.values_by_row(self.metric_index));
        let (mut least, mut greatest) = (said().next()?, said().next()?);
        for (row, value) in said() {
            if value < least.1 {
                least = (row, value);
            }
            if value > greatest.1 {
                greatest = (row, value);
            }
        }
        let seen = |passes: bool| {
            let condition = self.metric.condition?;
            Some(said().any(|(_, value)| condition.holds(value) == passes))
        };
        let share = self.metric.condition.and_then(|condition| {
            let found = said().filter(|(row, _)| row.subject.group != Group::Extreme);
            let passes = found.map(|(_, value)| f64::from(u8::from(condition.holds(value))));
            mean(&passes.collect::<Vec<_>>()).ok()
        });
        let (can_pass, can_fail) =
            self.metric.condition.map(|of| can_pass_and_fail(&of, self.metric.value_range)).unzip();
        let (passes, fails) = (seen(true), seen(false));
        // What was seen can be.
        let or_seen = |can: Option<bool>, seen: Option<bool>| Some(can? || seen?);
        Some(Reach {
            least: least.1,
            greatest: greatest.1,
            least_subject: describe_subject(least.0),
            greatest_subject: describe_subject(greatest.0),
            share,
            passes,
            fails,
            formula_can_fail: or_seen(can_fail, fails),
            formula_can_pass: or_seen(can_pass, passes),
        })
    }

    pub(super) fn measure_cost(&self) -> Option<Cost> {
        let costs = self.blocks.iter().filter_map(|block| block.costs.get(self.metric_index)).flatten();
        let (seconds, evaluations): (Vec<f64>, Vec<f64>) = costs.copied().unzip();
        Some(Cost { seconds: median(&seconds).ok()?, evaluations: median(&evaluations).ok()? })
    }

    pub(super) fn orient_values(&self, values: &[f64]) -> Vec<f64> {
        values.iter().map(|value| self.metric.better.orient(*value)).collect()
    }
}

/// Any number.
pub(super) const UNBOUNDED_RANGE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
/// The control that changes are measured in.
const RANDOM_CONTROL: &str = "random";
/// The share of a size below which two values are the same.
pub(super) const EQUALITY_TOLERANCE: f64 = 1e-9;

pub(super) fn keep_finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// The standard deviation over the size of the mean; none of fewer than two values, or where they vary about 0.
pub(super) fn coefficient_of_variation(values: &[f64]) -> Option<f64> {
    let spread = standard_deviation(values, 1).ok()?;
    if all_equal(values) {
        return Some(0.0);
    }
    let cv = spread / mean(values).ok()?.abs();
    Some(cv).filter(|cv| cv.is_finite())
}

/// How values follow something that varies: 0 where they do not vary themselves. None of fewer than three, and where
/// the statistic has no value.
fn correlation_if_varying(
    values: &[f64],
    what: &[f64],
    statistic: impl FnOnce(&[f64], &[f64]) -> Result<Correlation, StatisticsError>,
) -> Option<f64> {
    if values.len() < SUBJECTS_MIN || all_equal(what) {
        return None;
    }
    if all_equal(values) {
        return Some(0.0);
    }
    let found = statistic(&round_values(values), &round_values(what)).ok()?;
    Some(found.coefficient)
}

/// Without what is rounding at the size of the largest, which would have an order.
pub(super) fn round_values(values: &[f64]) -> Vec<f64> {
    let step = ROUNDING_TOLERANCE * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    if step > 0.0 && step.is_normal() {
        values.iter().map(|value| libm::round(value / step)).collect()
    } else {
        values.to_vec()
    }
}

/// The size of a change in units of the reference's distance from random; of its own size where random is not known or
/// no other; of the value's where the reference is 0.
fn scaled_change(value: f64, reference: f64, random: Option<f64>) -> f64 {
    let away = (value - reference).abs();
    let size = reference.abs();
    let distance = random.map(|random| ((reference - random).abs(), size.max(random.abs())));
    let distance = distance.filter(|(distance, size)| *distance > EQUALITY_TOLERANCE * size);
    let scale = match distance {
        Some((distance, _)) => distance,
        None if size > 0.0 => size,
        None => value.abs(),
    };
    if away > 0.0 { away / scale } else { 0.0 }
}

/// Whether a quantity that reaches from one number to another can pass, and can fail.
pub(super) fn can_pass_and_fail(condition: &Condition, (low, high): (f64, f64)) -> (bool, bool) {
    // What is no number is no end.
    let low = if low.is_nan() { f64::NEG_INFINITY } else { low };
    let high = if high.is_nan() { f64::INFINITY } else { high };
    let limit = condition.limit;
    match condition.relation {
        Relation::Above => (high > limit, low <= limit),
        Relation::AtLeast => (high >= limit, low < limit),
        Relation::Below => (low < limit, high >= limit),
        Relation::AtMost => (low <= limit, high > limit),
    }
}

/// A subject and its place: "random on stream1".
fn describe_subject(row: &SubjectRow) -> String {
    let (name, level) = (&row.subject.name, format_trimmed(row.subject.level));
    let subject = match row.subject.group {
        Group::Reference => "the reference".to_owned(),
        Group::Truth => "the truth".to_owned(),
        Group::Control | Group::Variant | Group::Extreme | Group::Trained => name.clone(),
        Group::Dose => format!("{name} at {level}"),
        Group::Same => format!("the reference, {name}"),
        Group::Sample => "the reference on other data".to_owned(),
        Group::Again => "the reference again".to_owned(),
    };
    let comma = if row.place.is_empty() { "" } else { ", " };
    format!("{subject} on {}{comma}{}", row.world, row.place)
}
