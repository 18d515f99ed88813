//! Every metric of every paper, a row a reading.

mod circuits;
mod decompositions;
mod judged;
mod models;
mod scores;

use super::metric::Metric;

/// All of them, paper by paper.
pub(super) fn all() -> Vec<&'static Metric> {
    let each = [
        decompositions::METRICS,
        judged::METRICS,
        circuits::METRICS,
        models::METRICS,
        scores::METRICS,
    ];
    each.into_iter().flatten().collect()
}
