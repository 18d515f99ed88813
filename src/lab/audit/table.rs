use std::collections::{BTreeMap, BTreeSet};

use super::block::Block;
use super::cells::verdict_cells;
use super::controls::{control_outcome, set_seeds_to_tell};
use super::entry::{ControlEvidence, Correlations, Estimate, Evidence, LimitSensitivity, MetricEntry, Table};
use super::evidence::MetricBlocks;
use super::metric::Metric;
use super::redundancy::correlations;
use super::row::SubjectRow;
use super::rule::{Edition, Rule, VerdictWord};
use super::second_edition::{self, WorldFacts, verdicts};
use super::seeds::IntervalEstimator;
use crate::order;
use crate::statistics::benjamini_hochberg;

/// What rows say of metrics, by a rule: of any rows, in any order, and of those alone that a metric is defined on. Rows of
/// other metrics and numbers that are not finite do not count.
#[must_use]
pub fn build_table(metrics: &[Metric], rows: &[SubjectRow], rule: &Rule) -> Table {
    let counted = rows.iter().filter(|row| rule.world.is_none_or(|world| row.world == world));
    if rule.edition == Edition::Second {
        return second_edition_table(metrics, counted, rule);
    }
    // What the first edition does not have.
    let counted = counted.filter(|row| row.world.in_first_edition() && row.subject.in_first_edition());
    let blocks = Block::from_rows(metrics, counted);
    let estimates = IntervalEstimator::default();
    let of = |(at, metric)| MetricBlocks { metric, metric_index: at, blocks: &blocks, estimator: &estimates };
    let mut found: Vec<Evidence> = metrics.iter().enumerate().map(of).map(|of| of.collect_evidence()).collect();
    set_all_q_values(&mut found);
    let correlations = correlations(metrics, &blocks, rule);
    let entry = |(metric, mut evidence): (&Metric, Evidence)| {
        for control in &mut evidence.controls {
            control.word = control_outcome(control, rule);
        }
        set_seeds_to_tell(&mut evidence.reliability, &evidence.controls);
        evidence.alike = correlated_metrics(metric.id, &correlations);
        let cells = verdict_cells(metric, metrics, &evidence, rule);
        MetricEntry { metric: metric.id.to_owned(), cells, evidence }
    };
    let entries = metrics.iter().zip(found).map(entry).collect();
    Table { entries, correlations, sensitivity: None }
}

/// By how much limits are moved to see what words owe to them.
const LIMIT_SHIFT: f64 = 0.05;

/// The same by the second edition's protocol.
fn second_edition_table<'a>(metrics: &[Metric], rows: impl Iterator<Item = &'a SubjectRow>, rule: &Rule) -> Table {
    let blocks = Block::from_rows(metrics, rows);
    let estimates = IntervalEstimator::default();
    let shared = WorldFacts::from_blocks(&blocks, &estimates);
    let of = |(at, metric)| MetricBlocks { metric, metric_index: at, blocks: &blocks, estimator: &estimates };
    let mut found: Vec<Evidence> =
        metrics.iter().enumerate().map(of).map(|of| second_edition::collect_evidence(&of, &shared)).collect();
    let mut claimed: Vec<&mut Estimate> = found.iter_mut().flat_map(verdict_estimates).collect();
    set_q_values(&mut claimed);
    let correlations = correlations(metrics, &blocks, rule);
    for (metric, evidence) in metrics.iter().zip(&mut found) {
        evidence.alike = correlated_metrics(metric.id, &correlations);
    }
    Table { entries: build_entries(metrics, found, rule), correlations, sensitivity: None }
}

/// How many words change when limits move; none in the first edition, whose rule is not moved.
#[must_use]
pub fn limit_sensitivity(metrics: &[Metric], table: &Table, rule: &Rule) -> Option<LimitSensitivity> {
    if rule.edition == Edition::First {
        return None;
    }
    let mut found: Vec<Evidence> = table.entries.iter().map(|entry| entry.evidence.clone()).collect();
    // Words that no moved limit can change, and those of metrics without values, say nothing of limits.
    let mut moving = |by: f64| -> Vec<VerdictWord> {
        let rule = rule.shift_limits(by);
        assign_words(&mut found, &rule);
        let follows = followed_truths(metrics, &found);
        let agrees = |one: &str, other: &str| follow_common_truth(&follows, one, other);
        let measured = metrics.iter().zip(&found).filter(|(_, found)| found.reach.is_some());
        measured
            .flat_map(|(metric, found)| verdicts::limit_dependent_words(metric, metrics, found, &agrees, &rule))
            .collect()
    };
    let [now, lower, higher] = [0.0, -LIMIT_SHIFT, LIMIT_SHIFT].map(&mut moving);
    let others = |moved: &[VerdictWord]| now.iter().zip(moved).filter(|(a, b)| a != b).count();
    Some(LimitSensitivity { by: LIMIT_SHIFT, words: now.len(), lower: others(&lower), higher: others(&higher) })
}

/// What was found, in the words of another rule: one of the same world, and of the same limit to what is alike. None where
/// the evidence hangs on more of the rule, as in the first edition.
pub(super) fn reapply_rule(metrics: &[Metric], of: &Table, former: &Rule, rule: &Rule) -> Option<Table> {
    let found = |rule: &Rule| (rule.edition, rule.world, rule.same.to_bits());
    if rule.edition == Edition::First || found(former) != found(rule) {
        return None;
    }
    let evidence = of.entries.iter().map(|entry| entry.evidence.clone()).collect();
    let (entries, correlations) = (build_entries(metrics, evidence, rule), of.correlations.clone());
    Some(Table { entries, correlations, sensitivity: None })
}

/// Gives what was found its words by a rule.
fn assign_words(found: &mut [Evidence], rule: &Rule) {
    for evidence in found {
        for control in &mut evidence.controls {
            control.word = verdicts::control_outcome(control, rule);
        }
        for truth in &mut evidence.validity.truths {
            truth.word = verdicts::truth_word(truth, rule);
        }
        for world in &mut evidence.reliability.worlds {
            world.word = verdicts::stability_word(world, rule);
        }
        for change in &mut evidence.changes {
            change.word = Some(verdicts::change_word(change, rule));
        }
    }
}

/// Of each metric by its id, the worlds and truths that it follows.
type FollowedTruths = BTreeMap<&'static str, BTreeSet<(String, String)>>;

fn followed_truths(metrics: &[Metric], found: &[Evidence]) -> FollowedTruths {
    let of = |(metric, evidence): (&Metric, &Evidence)| {
        let truths = evidence.validity.truths.iter().filter(|found| found.word == VerdictWord::Holds);
        (metric.id, truths.map(|found| (found.world.clone(), found.truth.clone())).collect())
    };
    metrics.iter().zip(found).map(of).collect()
}

fn follow_common_truth(follows: &FollowedTruths, one: &str, other: &str) -> bool {
    follows.get(one).zip(follows.get(other)).is_some_and(|(one, other)| !one.is_disjoint(other))
}

/// All words by a rule.
fn build_entries(metrics: &[Metric], mut found: Vec<Evidence>, rule: &Rule) -> Vec<MetricEntry> {
    assign_words(&mut found, rule);
    for evidence in &mut found {
        let counted: Vec<ControlEvidence> =
            evidence.controls.iter().filter(|control| second_edition::is_counted_control(control)).cloned().collect();
        set_seeds_to_tell(&mut evidence.reliability, &counted);
    }
    let follows = followed_truths(metrics, &found);
    let agrees = |one: &str, other: &str| follow_common_truth(&follows, one, other);
    let entry = |(metric, evidence): (&Metric, Evidence)| MetricEntry {
        metric: metric.id.to_owned(),
        cells: verdicts::verdict_cells(metric, metrics, &evidence, &agrees, rule),
        evidence,
    };
    metrics.iter().zip(found).map(entry).collect()
}

/// All estimates of a metric that a word is made from: of controls that count, and of truths that share no term with it.
fn verdict_estimates(evidence: &mut Evidence) -> impl Iterator<Item = &mut Estimate> {
    let controls = evidence.controls.iter_mut().filter(|control| second_edition::is_counted_control(control));
    let truths = evidence.validity.truths.iter_mut().filter(|found| !found.tied);
    controls.map(|control| &mut control.difference).chain(truths.filter_map(|found| found.rho.as_mut()))
}

/// Gives every p of the table its q.
fn set_all_q_values(found: &mut [Evidence]) {
    let mut tested: Vec<&mut Estimate> = found.iter_mut().flat_map(tested_estimates).collect();
    set_q_values(&mut tested);
}

fn set_q_values(tested: &mut [&mut Estimate]) {
    let p: Vec<f64> = tested.iter().filter_map(|estimate| estimate.p).collect();
    let Ok(q) = benjamini_hochberg(&p) else { return };
    let with_p = tested.iter_mut().filter(|estimate| estimate.p.is_some());
    with_p.zip(q).for_each(|(estimate, q)| estimate.q = Some(q));
}

/// All estimates of a metric that may be tested.
fn tested_estimates(evidence: &mut Evidence) -> impl Iterator<Item = &mut Estimate> {
    let validity = &mut evidence.validity;
    let validity = [&mut validity.rho, &mut validity.given_size, &mut validity.given_width];
    let controls = evidence.controls.iter_mut().map(|control| &mut control.difference);
    let doses = evidence.doses.iter_mut().filter_map(|dose| dose.rho.as_mut());
    controls.chain(doses).chain(validity.into_iter().flatten())
}

/// The metrics that go together with one, the largest |ρ| first.
fn correlated_metrics(metric: &str, correlations: &Correlations) -> Vec<(String, f64)> {
    let own = correlations.metrics.iter().position(|id| id == metric);
    let rho = own.and_then(|own| correlations.rho.get(own)).map(Vec::as_slice).unwrap_or_default();
    let others = correlations.metrics.iter().zip(rho).enumerate().filter(|(at, _)| Some(*at) != own);
    let found = others.filter_map(|(_, (id, rho))| Some((id.clone(), (*rho)?)));
    let found: Vec<(String, f64)> = found.collect();
    let order = order::argsort_descending(found.iter().map(|(_, rho)| rho.abs()));
    order.into_iter().filter_map(|at| found.get(at).cloned()).collect()
}

/// The mean of an entry's words ([`VerdictWord::score_value`]), each weighted as its column is; none where nothing is said in a column
/// that counts.
///
/// # Examples
/// ```
/// use sfc_bench::lab::audit::{Registry, Rule, build_table, weighted_score};
/// let metrics: Vec<_> = Registry::all().metrics().iter().take(1).copied().collect();
/// for entry in build_table(&metrics, &[], &Rule::default()).entries {
///     // Nothing was measured: no column can be told, but whether the formula excludes the paper's condition.
///     assert!(weighted_score(&entry, &[1.0; 7]).is_some_and(|score| score <= 0.25));
///     assert_eq!(weighted_score(&entry, &[0.0; 7]), None);
/// }
/// ```
#[must_use]
pub fn weighted_score(entry: &MetricEntry, weights: &[f64; 7]) -> Option<f64> {
    let counted = entry.cells.iter().zip(weights);
    let counted = counted.filter_map(|(cell, weight)| Some((cell.word.score_value()?, *weight)));
    let (sum, all) = counted.fold((0.0, 0.0), |(sum, all), (count, weight)| (sum + weight * count, all + weight));
    (all > 0.0).then(|| sum / all)
}
