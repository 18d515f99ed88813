//! What the thresholds of the metric that is opened can reach, built and measured.

use super::detail_view::{plane_body, series_style};
use super::{MeasurementSource, metric_id_label, metric_label};
use crate::papers::measurement::attainable_range::{CaseReport, cases_for_metric};
use crate::papers::measurement::detail_view::Limit;
use crate::papers::measurement::metric::Reading;
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::{fixed3, format_trimmed};
use crate::plot::{Chart, Datum, Series, TableCell};

fn reading_label(case: &CaseReport) -> &'static str {
    match case.reading {
        Reading::Document => "paper",
        Reading::Code => "implementation",
    }
}

/// "agreement code > 0.3".
fn format_condition(case: &CaseReport) -> String {
    let condition = case.condition;
    let quantity = super::quantity_label(condition.quantity);
    format!("{quantity} {} {}", condition.relation.symbol(), format_trimmed(condition.limit))
}

/// The case that is chosen.
pub(super) fn case_chart(source: &MeasurementSource<'_>) -> Chart {
    const ID: &str = "measure-reach";
    let metric = &source.report.settings.metric;
    // A metric that settings hold has cases, and the cases are tested.
    let cases = cases_for_metric(metric).unwrap_or_default();
    let Some(case) = cases.get(source.report.case).or_else(|| cases.first()) else {
        let said = [format!("Of {} no case is built.", metric_id_label(metric)), "What a limit can reach.".to_owned()];
        return table_chart(ID, &metric_label(metric), said, parse_columns("Nothing"), Vec::new());
    };
    let [x, y] = case.axes.map(str::to_owned);
    let series = case.shows.iter().enumerate().map(|(nth, shown)| {
        let (role, stroke, marker) = series_style(nth, false, shown.x.len() > 1);
        let points = shown.x.iter().zip(&shown.y).filter(|(x, y)| x.is_finite() && y.is_finite());
        let points = points.map(|(x, y)| Datum { x: *x, y: *y, label: String::new() });
        Series::new(&shown.name, role, stroke, marker, points.collect())
    });
    let limits: [Limit; 0] = [];
    let body = plane_body([&x, &y], series.collect(), &limits);
    let holds = if case.holds { "holds" } else { "does not hold" };
    let summary = format!(
        "{}: {} is {}; {} {holds}.",
        case.kind.name(),
        super::quantity_label(case.condition.quantity),
        fixed3(case.value),
        format_condition(case)
    );
    let mut letters = summary.chars();
    let summary: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let caption = format!("{} As in the {}.", case.says, reading_label(case));
    Chart::new(
        ID,
        &format!("{}: a case built for {}", metric_id_label(metric), format_condition(case)),
        summary,
        caption,
        body,
    )
}

/// All cases of the metric.
pub(super) fn cases_table(source: &MeasurementSource<'_>) -> Chart {
    let metric = &source.report.settings.metric;
    let cases = cases_for_metric(metric).unwrap_or_default();
    let rows: Vec<Vec<TableCell>> = cases
        .iter()
        .map(|case| {
            vec![
                text_cell(format_condition(case)),
                text_cell(reading_label(case)),
                text_cell(case.kind.name()),
                number_cell(case.value, 3),
                text_cell(if case.holds { "yes" } else { "no" }),
                text_cell(case.says),
            ]
        })
        .collect();
    let columns = parse_columns("Condition | Reading | Case | >Value | Holds | What was built");
    let hold = cases.iter().filter(|case| case.holds).count();
    let said = [
        format!("{} cases of {}; the condition holds in {hold}.", cases.len(), metric_label(metric)),
        "Cases that were built to find what each limit can reach: the best or the worst there is by the formula, measured by the \
         metric itself."
            .to_owned(),
    ];
    table_chart(
        "measure-reached",
        &format!("{}: what its limits can reach", metric_id_label(metric)),
        said,
        columns,
        rows,
    )
}
