//! What the thresholds of the metric that is opened can reach, built and measured.

use super::detail_view::{looks, plane};
use super::{Source, id_of, name_of};
use crate::papers::measurement::attainable_range::{Reached, reached};
use crate::papers::measurement::detail_view::Limit;
use crate::papers::measurement::metric::Reading;
use crate::plot::cells::{columns, number, table, text};
use crate::plot::format::{fixed3, trimmed};
use crate::plot::{Chart, Datum, Series, TableCell};

fn reading(case: &Reached) -> &'static str {
    match case.reading {
        Reading::Document => "paper",
        Reading::Code => "implementation",
    }
}

/// "agreement code > 0.3".
fn condition(case: &Reached) -> String {
    let condition = case.condition;
    let quantity = super::words_of(condition.quantity);
    format!("{quantity} {} {}", condition.relation.sign(), trimmed(condition.limit))
}

/// The case that is chosen.
pub(super) fn case(source: &Source<'_>) -> Chart {
    const ID: &str = "measure-reach";
    let metric = &source.report.settings.metric;
    // A metric that settings hold has cases, and the cases are tested.
    let cases = reached(metric).unwrap_or_default();
    let Some(case) = cases.get(source.report.case).or_else(|| cases.first()) else {
        let said = [
            format!("Of {} no case is built.", id_of(metric)),
            "What a limit can reach.".to_owned(),
        ];
        return table(ID, &name_of(metric), said, columns("Nothing"), Vec::new());
    };
    let [x, y] = case.axes.map(str::to_owned);
    let series = case.shows.iter().enumerate().map(|(nth, shown)| {
        let (role, stroke, marker) = looks(nth, false, shown.x.len() > 1);
        let points = shown.x.iter().zip(&shown.y).filter(|(x, y)| x.is_finite() && y.is_finite());
        let points = points.map(|(x, y)| Datum { x: *x, y: *y, label: String::new() });
        Series::new(&shown.name, role, stroke, marker, points.collect())
    });
    let limits: [Limit; 0] = [];
    let body = plane([&x, &y], series.collect(), &limits);
    let holds = if case.holds { "holds" } else { "does not hold" };
    let summary = format!(
        "{}: {} is {}; {} {holds}.",
        case.kind.name(),
        super::words_of(case.condition.quantity),
        fixed3(case.value),
        condition(case)
    );
    let mut letters = summary.chars();
    let summary: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let caption = format!("{} As in the {}.", case.says, reading(case));
    Chart::new(
        ID,
        &format!("{}: a case built for {}", id_of(metric), condition(case)),
        summary,
        caption,
        body,
    )
}

/// All cases of the metric.
pub(super) fn cases(source: &Source<'_>) -> Chart {
    let metric = &source.report.settings.metric;
    let cases = reached(metric).unwrap_or_default();
    let rows: Vec<Vec<TableCell>> = cases
        .iter()
        .map(|case| {
            vec![
                text(condition(case)),
                text(reading(case)),
                text(case.kind.name()),
                number(case.value, 3),
                text(if case.holds { "yes" } else { "no" }),
                text(case.says),
            ]
        })
        .collect();
    let columns = columns("Condition | Reading | Case | >Value | Holds | What was built");
    let hold = cases.iter().filter(|case| case.holds).count();
    let said = [
        format!("{} cases of {}; the condition holds in {hold}.", cases.len(), name_of(metric)),
        "Cases that were built to find what each limit can reach: the best or the worst there is by the formula, measured by the \
         metric itself."
            .to_owned(),
    ];
    table(
        "measure-reached",
        &format!("{}: what its limits can reach", id_of(metric)),
        said,
        columns,
        rows,
    )
}
