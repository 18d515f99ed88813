use std::collections::BTreeMap;

use super::block::Block;
use super::entry::Correlations;
use super::evidence::{SUBJECTS_MIN, round_values};
use super::metric::Metric;
use super::row::SubjectRow;
use super::rule::{Edition, Rule};
use super::second_edition::is_trained;
use super::seeds::{SeedTally, all_equal};
use super::subject::Group;
use crate::statistics::{Linkage, TieMethod, pearson_coefficient, ranks};

/// What a metric says of the subjects of a block.
struct MetricRanks {
    values: Vec<Option<f64>>,
    /// Which subjects it says something of: metrics of one number say it of the same.
    of: usize,
    /// Ranks of what it says; none where that does not vary.
    ranks: Option<Vec<f64>>,
}

/// How metrics that were measured go together, over all subjects but those that were searched for.
pub(super) fn correlations(metrics: &[Metric], blocks: &[Block], rule: &Rule) -> Correlations {
    let measured = |at: &usize| blocks.iter().any(|block| block.values_by_row(*at).next().is_some());
    let measured: Vec<usize> = (0..metrics.len()).filter(measured).collect();
    let n = measured.len();
    let mut tallies: BTreeMap<(usize, usize), SeedTally<1>> = BTreeMap::new();
    for block in blocks {
        let said = metric_ranks(block, &measured, rule.edition);
        for (first, one) in said.iter().enumerate() {
            for (second, other) in said.iter().enumerate().skip(first + 1) {
                if let Some(rho) = rank_correlation(one, other) {
                    tallies.entry((first, second)).or_default().add(block, [rho]);
                }
            }
        }
    }
    let mut rho = vec![vec![None; n]; n];
    let mut put = |row: usize, column: usize, value| {
        if let Some(slot) = rho.get_mut(row).and_then(|row| row.get_mut(column)) {
            *slot = value;
        }
    };
    (0..n).for_each(|own| put(own, own, Some(1.0)));
    let mut distances = Vec::with_capacity(n * n.saturating_sub(1) / 2);
    for first in 0..n {
        for second in first + 1..n {
            let found = tallies.get(&(first, second)).and_then(SeedTally::mean_over_seeds);
            put(first, second, found);
            put(second, first, found);
            distances.push(1.0 - found.map_or(0.0, f64::abs));
        }
    }
    let linkage = Linkage::average(n, distances).ok();
    let order = linkage.as_ref().map_or_else(|| (0..n).collect(), Linkage::leaves);
    let clusters = linkage.map_or_else(|| (0..n).collect(), |linkage| linkage.cut(1.0 - rule.same));
    let ids = measured.iter().filter_map(|at| metrics.get(*at));
    let metrics = ids.map(|metric| metric.id.to_owned()).collect();
    Correlations { metrics, rho, order, clusters }
}

fn metric_ranks(block: &Block, measured: &[usize], edition: Edition) -> Vec<MetricRanks> {
    let is_out = |row: &SubjectRow| match edition {
        Edition::First => row.subject.group == Group::Extreme,
        Edition::Second => !is_trained(row),
    };
    let searched = |at: usize| block.rows.get(at).is_none_or(|row| is_out(row));
    let mut sets: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let of = |at: &usize| {
        let all = block.values.get(*at).map(Vec::as_slice).unwrap_or_default().iter().enumerate();
        let values: Vec<Option<f64>> = all.map(|(row, value)| value.filter(|_| !searched(row))).collect();
        let next = sets.len();
        let set = *sets.entry(values.iter().map(Option::is_some).collect()).or_insert(next);
        let ranks = ranks_if_varying(values.iter().copied().flatten().collect());
        MetricRanks { values, of: set, ranks }
    };
    measured.iter().map(of).collect()
}

/// Ranks of values that are enough and vary.
fn ranks_if_varying(values: Vec<f64>) -> Option<Vec<f64>> {
    if values.len() < SUBJECTS_MIN || all_equal(&values) {
        return None;
    }
    ranks(&round_values(&values), TieMethod::Average).ok()
}

/// Spearman's ρ of the subjects that both say something of.
fn rank_correlation(one: &MetricRanks, other: &MetricRanks) -> Option<f64> {
    // Who does not vary over all does not over some.
    let (first, second) = (one.ranks.as_ref()?, other.ranks.as_ref()?);
    if one.of == other.of {
        return pearson_coefficient(first, second).ok();
    }
    let both = one.values.iter().zip(&other.values);
    let (first, second) = both.filter_map(|(one, other)| (*one).zip(*other)).unzip();
    pearson_coefficient(&ranks_if_varying(first)?, &ranks_if_varying(second)?).ok()
}

/// Whether two metrics are readings of one: of one paper, and of one name or of ids that differ in their last part.
pub(super) fn are_same_metric(one: &Metric, other: &Metric) -> bool {
    one.paper == other.paper && (one.name == other.name || metric_stem(one.id) == metric_stem(other.id))
}

/// An id without its third part: "m07.agreement" of "m07.agreement.code".
fn metric_stem(id: &str) -> &str {
    match id.match_indices('.').nth(1) {
        Some((dot, _)) => id.get(..dot).unwrap_or(id),
        None => id,
    }
}
