use std::collections::BTreeMap;

use super::entry::{ControlEvidence, ControlOutcome, Estimate, Reliability};
use super::evidence::{EQUALITY_TOLERANCE, MetricBlocks, round_values};
use super::rule::Rule;
use super::seeds::{CONFIDENCE, ROUNDING_TOLERANCE, SeedTally};
use super::subject::Group;
use crate::statistics::{auc_interval, hedges_correction, roc_auc, sample_size, variance};

/// What a test of a control should find, and how often.
const TEST_POWER: f64 = 0.8;
const SIGNIFICANCE_LEVEL: f64 = 0.05;

/// Seeds of one control, while they are gathered.
#[derive(Default)]
struct ControlTally {
    /// The reference and the control as the paper reads them, and whether the control passes.
    tally: SeedTally<3>,
    /// Whether some place tells the two apart.
    differs: bool,
}

impl MetricBlocks<'_> {
    /// Every control; of those that are not seen the word is there, of the others it takes q.
    pub(super) fn compare_controls(&self) -> Vec<ControlEvidence> {
        let mut controls: BTreeMap<&str, ControlTally> = BTreeMap::new();
        for block in self.blocks {
            let Some(reference) = block.reference_value(self.metric_index) else { continue };
            for run in block.series_in_group(Group::Control) {
                let Some(value) = block.control_value(self.metric_index, run.name) else {
                    continue;
                };
                let gathered = controls.entry(run.name).or_default();
                let (differs, pair) = self.paired_values(reference, value);
                gathered.differs |= differs;
                gathered.tally.add(block, pair);
            }
        }
        let found = |(name, gathered): (&str, ControlTally)| {
            self.compare_control(name, &gathered.tally.seed_means(), gathered.differs)
        };
        controls.into_iter().filter_map(found).collect()
    }

    /// Whether a control differs from the reference, and both as the paper reads them, with whether the control passes.
    pub(super) fn paired_values(&self, reference: f64, value: f64) -> (bool, [f64; 3]) {
        let same = (value - reference).abs() <= EQUALITY_TOLERANCE * reference.abs();
        let passes = self.metric.condition.is_some_and(|condition| condition.holds(value));
        // What is the same to that many digits is tied.
        let value = if same { reference } else { value };
        let [reference, value] = [reference, value].map(|x| self.metric.better.orient(x));
        (!same, [reference, value, f64::from(u8::from(passes))])
    }

    /// A control by the reference and it of each seed, as the paper reads them, and whether it passes.
    pub(super) fn compare_control(&self, name: &str, seeds: &[[f64; 3]], differs: bool) -> Option<ControlEvidence> {
        let column = |at: usize| -> Vec<f64> { seeds.iter().filter_map(|numbers| numbers.get(at).copied()).collect() };
        let [references, values, passes] = [0, 1, 2].map(column);
        let unit = effect_unit(&references, &values);
        let differences = references.iter().zip(&values).map(|(x, y)| (x - y) / unit);
        let differences: Vec<f64> = differences.collect();
        let difference = self.estimator.estimate(&differences, [f64::NEG_INFINITY, f64::INFINITY])?;
        let n = seeds.len();
        // Means of the same numbers may differ in their last digits, and are tied.
        let both = round_values(&[references, values].concat());
        let (references, values) = both.split_at_checked(n)?;
        let auc = roc_auc(references, values).ok()?;
        let interval = auc_interval(auc, n, n, CONFIDENCE).ok().filter(|_| n > 1);
        let passes = self.estimator.estimate(&passes, [0.0, 1.0]).map(|share| share.mean);
        Some(ControlEvidence {
            name: name.to_owned(),
            difference,
            auc,
            auc_interval: interval.map(|interval| [interval.low, interval.high]),
            passes: passes.filter(|_| self.metric.condition.is_some()),
            word: if differs || n < 2 { ControlOutcome::Unknown } else { ControlOutcome::NotSeen },
            world: String::new(),
            models: false,
        })
    }
}

/// What differences are measured in: the pooled standard deviation over Hedges' correction; where nothing varies, or in
/// one seed, the size of the reference.
fn effect_unit(references: &[f64], values: &[f64]) -> f64 {
    let size = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let both = size(references).max(size(values));
    // As many seeds of each: the pooled variance is the mean of both.
    let pooled = || {
        let variance = 0.5 * (variance(references, 1).ok()? + variance(values, 1).ok()?);
        let correction = hedges_correction(2.0 * references.len() as f64 - 2.0).ok()?;
        Some(f64::sqrt(variance)).filter(|s| *s > ROUNDING_TOLERANCE * both).map(|s| s / correction)
    };
    let or_size = || Some(size(references)).filter(|size| *size > 0.0);
    let or_other = || Some(both).filter(|size| *size > 0.0);
    pooled().or_else(or_size).or_else(or_other).unwrap_or(1.0)
}

/// The word of a control whose q is known.
pub(super) fn control_outcome(control: &ControlEvidence, rule: &Rule) -> ControlOutcome {
    let differs = control.difference.q.is_some_and(|q| q <= rule.alpha);
    match control.word {
        ControlOutcome::NotSeen => ControlOutcome::NotSeen,
        _ if differs && control.auc >= rule.auc => ControlOutcome::Separated,
        _ if differs && 1.0 - control.auc >= rule.auc => ControlOutcome::Reversed,
        _ => ControlOutcome::Unknown,
    }
}

/// How many seeds it takes to tell the reference from its nearest control, where there are some to say it from.
pub(super) fn set_seeds_to_tell(reliability: &mut Reliability, controls: &[ControlEvidence]) {
    let sizes = controls.iter().map(|control| &control.difference);
    let sizes = sizes.filter(|found| found.seeds > 1).map(|found: &Estimate| found.mean.abs());
    let nearest = sizes.min_by(f64::total_cmp);
    reliability.seeds_to_tell =
        nearest.and_then(|nearest| sample_size(nearest, SIGNIFICANCE_LEVEL, TEST_POWER).ok().flatten());
}
