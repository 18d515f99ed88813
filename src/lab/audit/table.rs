use super::entry::{Correlations, Entry, Evidence, Table};
use super::metric::Metric;
use super::row::Row;
use super::rule::Rule;

/// What rows say of metrics, by a rule.
#[must_use]
pub fn table(metrics: &[Metric], _rows: &[Row], _rule: &Rule) -> Table {
    let entry = |metric: &Metric| {
        let metric = metric.id.to_owned();
        Entry { metric, cells: Vec::new(), evidence: Evidence::default() }
    };
    let entries = metrics.iter().map(entry).collect();
    Table { entries, correlations: Correlations::default() }
}

/// The mean of an entry's words (holds 1, partly ½, cannot be told ¼, fails 0), each weighted as its column is; none
/// where nothing is said in a column that counts.
#[must_use]
pub fn score(entry: &Entry, weights: &[f64; 7]) -> Option<f64> {
    let counted = entry.cells.iter().zip(weights);
    let counted = counted.filter_map(|(cell, weight)| Some((cell.word.counts()?, *weight)));
    let (sum, all) = counted
        .fold((0.0, 0.0), |(sum, all), (count, weight)| (sum + weight * count, all + weight));
    (all > 0.0).then(|| sum / all)
}
