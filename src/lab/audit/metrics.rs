//! Every metric of every paper, a row a reading.

mod circuits;
mod decompositions;
mod models;
mod scores;
mod text_metrics;

use super::metric::{AccessLevel, AnyMetricFn, Better, Metric};
use crate::papers::measurement::validation::{self, ValidationRow};
use crate::study::Failure;

/// What a metric says of a subject; none where it is not defined there.
type MetricResult = Result<Option<f64>, Failure>;

/// No end.
const INFINITY: f64 = f64::INFINITY;

/// A quantity of a metric of measurement theory. Whose reading it is, when it passes and what it can reach are those of
/// its row in the table that the page of measurement theory shows.
const fn theory_metric(
    id: &'static str,
    name: &'static str,
    (metric, quantity): (&str, &str),
    better: Better,
    needs: AccessLevel,
    measure: AnyMetricFn,
) -> Metric {
    match validation::find_row(metric, quantity) {
        Some(&ValidationRow { says, reach, condition, .. }) => Metric {
            id,
            paper: "measurement",
            name,
            attribution: says,
            better,
            needs,
            condition,
            value_range: reach,
            measure,
        },
        None => panic!("a quantity that the table does not have"),
    }
}

/// All of them, paper by paper.
const METRICS_BY_PAPER: [&[Metric]; 5] =
    [decompositions::METRICS, text_metrics::METRICS, circuits::METRICS, models::METRICS, scores::METRICS];

/// How many there are.
pub(super) const METRIC_COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < METRICS_BY_PAPER.len() {
        count += METRICS_BY_PAPER[at].len();
        at += 1;
    }
    count
};

/// Their ids and names, in the order of [`all_metrics`].
pub(super) const METRIC_NAMES: [(&str, &str); METRIC_COUNT] = {
    let mut names = [("", ""); METRIC_COUNT];
    let (mut of, mut at, mut next) = (0, 0, 0);
    while of < METRICS_BY_PAPER.len() {
        while at < METRICS_BY_PAPER[of].len() {
            names[next] = (METRICS_BY_PAPER[of][at].id, METRICS_BY_PAPER[of][at].name);
            next += 1;
            at += 1;
        }
        at = 0;
        of += 1;
    }
    names
};

/// All of them, paper by paper.
pub(super) fn all_metrics() -> Vec<&'static Metric> {
    METRICS_BY_PAPER.into_iter().flatten().collect()
}
