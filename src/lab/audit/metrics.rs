//! Every metric of every paper, a row a reading.

mod circuits;
mod decompositions;
mod models;
mod scores;
mod text_metrics;

use super::metric::{Better, Measure, Metric, Needs};
use crate::papers::measurement::validation::{self, Row};
use crate::study::Failure;

/// What a metric says of a subject; none where it is not defined there.
type Found = Result<Option<f64>, Failure>;

/// No end.
const ENDLESS: f64 = f64::INFINITY;

/// A quantity of a metric of measurement theory. Whose reading it is, when it passes and what it can reach are those of
/// its row in the table that the page of measurement theory shows.
const fn theory(
    id: &'static str,
    name: &'static str,
    (metric, quantity): (&str, &str),
    better: Better,
    needs: Needs,
    measure: Measure,
) -> Metric {
    match validation::row(metric, quantity) {
        Some(&Row { says, reach, condition, .. }) => Metric {
            id,
            paper: "measurement",
            name,
            says,
            better,
            needs,
            condition,
            reach,
            measure,
        },
        None => panic!("a quantity that the table does not have"),
    }
}

/// All of them, paper by paper.
const EACH: [&[Metric]; 5] = [
    decompositions::METRICS,
    text_metrics::METRICS,
    circuits::METRICS,
    models::METRICS,
    scores::METRICS,
];

/// How many there are.
pub(super) const COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < EACH.len() {
        count += EACH[at].len();
        at += 1;
    }
    count
};

/// Their ids and names, in the order of [`all`].
pub(super) const NAMES: [(&str, &str); COUNT] = {
    let mut names = [("", ""); COUNT];
    let (mut of, mut at, mut next) = (0, 0, 0);
    while of < EACH.len() {
        while at < EACH[of].len() {
            names[next] = (EACH[of][at].id, EACH[of][at].name);
            next += 1;
            at += 1;
        }
        at = 0;
        of += 1;
    }
    names
};

/// All of them, paper by paper.
pub(super) fn all() -> Vec<&'static Metric> {
    EACH.into_iter().flatten().collect()
}
