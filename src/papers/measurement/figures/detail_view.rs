//! One metric opened.

use super::{MeasurementSource, metric_id_label, metric_label};
use crate::papers::measurement::detail_view::{Cell, Limit, NamedValues, Panel, PanelContent, PlaneSeries};
use crate::papers::measurement::metric::{Condition, METRICS};
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::{format_trimmed, join_with_and};
use crate::plot::{
    Align, Axis, Chart, ChartBody, ColourRole, Column, Datum, Marker, ReferenceLine, ReferencePosition, Scatter,
    Series, Stroke, TableCell, x_values, y_values,
};

const SERIES_ROLES: [ColourRole; 6] = [
    ColourRole::Score,
    ColourRole::Fidelity,
    ColourRole::Completeness,
    ColourRole::Sparsity,
    ColourRole::GroundTruth,
    ColourRole::Extra,
];
const MARKERS: [Marker; 4] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond];
const OPEN_MARKERS: [Marker; 4] = [Marker::OpenCircle, Marker::OpenSquare, Marker::OpenTriangle, Marker::OpenDiamond];
/// Intervals of a distribution.
const BIN_COUNT: usize = 24;

/// The n-th panel; an empty table where there is none.
pub(super) fn panel_chart(source: &MeasurementSource<'_>, nth: usize) -> Chart {
    let id = ["measure-picture", "measure-picture-2", "measure-picture-3"][nth.min(2)];
    let metric = &source.report.settings.metric;
    let found = source.report.picture.as_ref().filter(|picture| picture.metric == *metric);
    let Some(panel) = found.and_then(|picture| picture.panels.get(nth)) else {
        let what = if found.is_some() {
            format!("{} has no further picture.", metric_id_label(metric))
        } else {
            "Nothing is measured yet.".to_owned()
        };
        let said = [what, "What is measured of the metric that is opened.".to_owned()];
        return table_chart(id, &metric_label(metric), said, parse_columns("Nothing"), Vec::new());
    };
    let Panel { title, summary, caption, shown } = panel;
    let body = match shown {
        PanelContent::Table { columns, rows } => {
            let numbers = |at: usize| rows.iter().all(|row| !matches!(row.get(at), Some(Cell::Words(_))));
            let column = |(at, label): (usize, &String)| Column {
                label: label.clone(),
                detail: None,
                align: if numbers(at) { Align::Right } else { Align::Left },
            };
            let columns = columns.iter().enumerate().map(column);
            let whole: Vec<bool> = (0..columns.len())
                .map(|at| {
                    let whole = |cell: &Cell| matches!(cell, Cell::Number(x) if x.fract() == 0.0);
                    rows.iter().all(|row| row.get(at).is_some_and(whole))
                })
                .collect();
            let rows =
                rows.iter().map(|row| row.iter().zip(&whole).map(|(shown, whole)| table_cell(shown, *whole)).collect());
            let said = [summary.clone(), caption.clone()];
            return table_chart(id, title, said, columns.collect(), rows.collect());
        }
        PanelContent::Plane { x, y, series, limits } => plane_body([x, y], plot_series(series), limits),
        PanelContent::Histogram { x, series, limits } => histogram_body(x, series, limits),
    };
    Chart::new(id, title, summary.clone(), caption.clone(), body)
}

/// A cell; of a column that counts, without decimals.
fn table_cell(cell: &Cell, whole: bool) -> TableCell {
    match cell {
        Cell::Number(value) if whole => count_cell(*value),
        Cell::Number(value) => number_cell(*value, 3),
        Cell::Words(words) => text_cell(words.as_str()),
    }
}

/// Colour, shape and stroke of the n-th series; controls are grey and open.
pub(super) fn series_style(nth: usize, control: bool, joined: bool) -> (ColourRole, Stroke, Marker) {
    let stroke = match (joined, control) {
        (false, _) => Stroke::None,
        (true, false) => [Stroke::Solid, Stroke::Dashed, Stroke::Dotted][nth / SERIES_ROLES.len() % 3],
        (true, true) => [Stroke::Faint, Stroke::Dotted, Stroke::Dashed][nth % 3],
    };
    let markers = if control { OPEN_MARKERS } else { MARKERS };
    let role = if control { ColourRole::Neutral } else { SERIES_ROLES[nth % SERIES_ROLES.len()] };
    (role, stroke, markers[nth % markers.len()])
}

fn plot_series(series: &[PlaneSeries]) -> Vec<Series> {
    let each = series.iter().enumerate().map(|(nth, series)| {
        let (role, stroke, marker) = series_style(nth, series.control, series.joined);
        let points = series.points.iter().filter(|(x, y, _)| x.is_finite() && y.is_finite());
        let points = points.map(|(x, y, label)| Datum { x: *x, y: *y, label: label.clone() });
        Series::new(&series.name, role, stroke, marker, points.collect())
    });
    each.collect()
}

pub(super) fn plane_body([x, y]: [&String; 2], series: Vec<Series>, limits: &[Limit]) -> ChartBody {
    let all: Vec<f64> = x_values(&series).collect();
    let one = all.first().copied().filter(|first| all.iter().all(|x| x == first));
    // Of a single value its neighbourhood, not a range that three decimals tell apart.
    let x = match one {
        Some(value) => Axis::around_values(x, x, [value - 1.0, value, value + 1.0]),
        None => clamped_axis(x, &all),
    };
    let all: Vec<f64> = y_values(&series).chain(limits.iter().map(|limit| limit.at)).collect();
    let y = clamped_axis(y, &all);
    let references = limits.iter().map(|limit| ReferenceLine {
        name: format!("{} ({})", limit.name, format_trimmed(limit.at)),
        place: ReferencePosition::Horizontal(limit.at),
    });
    let references = references.collect();
    ChartBody::Scatter(Scatter { x, y, series, references })
}

/// An axis around some values; that of values between 0 and 1 ends there.
fn clamped_axis(title: &str, values: &[f64]) -> Axis {
    let around = Axis::around_values(title, title, values.iter().copied());
    let all_are = |inside: fn(f64) -> bool| values.iter().all(|value| inside(*value));
    let min = if all_are(|x| x >= 0.0) { around.min.max(0.0) } else { around.min };
    let max = if all_are(|x| x <= 1.0 + 1e-9) { around.max.min(1.0) } else { around.max };
    Axis { min, max, ..around }
}

/// Shares of each series' values that fall into common intervals, as lines; a limit is a line from bottom to top.
fn histogram_body(x: &str, series: &[NamedValues], limits: &[Limit]) -> ChartBody {
    let all: Vec<f64> = series
        .iter()
        .flat_map(|series| series.values.iter().copied())
        .chain(limits.iter().map(|limit| limit.at))
        .filter(|value| value.is_finite())
        .collect();
    let axis = clamped_axis(x, &all);
    let wide = (axis.max - axis.min) / BIN_COUNT as f64;
    let mut most: f64 = 0.0;
    let mut lines: Vec<Series> = Vec::new();
    for (nth, series) in series.iter().enumerate() {
        let mut counts = [0_usize; BIN_COUNT];
        for value in series.values.iter().filter(|value| value.is_finite()) {
            let at = ((value - axis.min) / wide) as usize;
            if let Some(count) = counts.get_mut(at.min(BIN_COUNT - 1)) {
                *count += 1;
            }
        }
        let total = counts.iter().sum::<usize>().max(1) as f64;
        let points = counts.iter().enumerate().map(|(at, count)| {
            let from = axis.min + at as f64 * wide;
            let y = *count as f64 / total;
            let label = format!("{} to {}", format_trimmed(from), format_trimmed(from + wide));
            Datum { x: from + wide / 2.0, y, label }
        });
        let points: Vec<Datum> = points.collect();
        most = points.iter().map(|point| point.y).fold(most, f64::max);
        let (role, stroke, _) = series_style(nth, series.control, true);
        lines.push(Series::new(&series.name, role, stroke, Marker::None, points));
    }
    for (nth, limit) in limits.iter().enumerate() {
        let point = |y| Datum { x: limit.at, y, label: limit.name.clone() };
        let name = format!("{} ({})", limit.name, format_trimmed(limit.at));
        let stroke = [Stroke::Dashed, Stroke::Dotted][nth % 2];
        let points = vec![point(0.0), point(most.max(f64::MIN_POSITIVE))];
        lines.push(Series::new(&name, ColourRole::Yours, stroke, Marker::None, points));
    }
    let y = Axis::from_zero("share of values", most);
    ChartBody::Scatter(Scatter { x: axis, y, series: lines, references: Vec::new() })
}

/// A number of things.
fn count_cell(value: f64) -> TableCell {
    TableCell { text: format_trimmed(value), ..number_cell(value, 3) }
}

/// Whether a quantity counts things.
fn is_count(name: &str) -> bool {
    name.starts_with("n_") || name.contains("rank") || name.ends_with("_features") || name == "dead_small"
}

/// What was found of the metric that is opened, with the conditions that hold.
pub(super) fn quantities_table(source: &MeasurementSource<'_>) -> Chart {
    let metric = &source.report.settings.metric;
    let found = source.report.picture.as_ref().filter(|picture| picture.metric == *metric);
    let about = METRICS.iter().find(|about| about.id == metric);
    let all = found.map_or(&[][..], |picture| &picture.quantities);
    let said = |condition: &Condition, value: Option<f64>| {
        let met = value.is_some_and(|value| condition.holds(value));
        let limit = format_trimmed(condition.limit);
        format!("{} {limit}: {}", condition.relation.symbol(), if met { "yes" } else { "no" })
    };
    let conditions = |name: &str, value: Option<f64>, code: bool| {
        let of = about.map_or(&[][..], |about| if code { about.passes.code } else { about.passes.document });
        let own = of.iter().filter(|condition| condition.quantity == name);
        let own: Vec<String> = own.map(|condition| said(condition, value)).collect();
        if own.is_empty() { "–".to_owned() } else { join_with_and(&own) }
    };
    let rows: Vec<_> = all
        .iter()
        .map(|quantity| {
            vec![
                text_cell(quantity.subject.as_str()),
                text_cell(super::quantity_label(&quantity.name)),
                match quantity.value {
                    Some(value) if is_count(&quantity.name) => count_cell(value),
                    value => number_cell(value, 3),
                },
                text_cell(conditions(&quantity.name, quantity.value, false)),
                text_cell(conditions(&quantity.name, quantity.value, true)),
            ]
        })
        .collect();
    let columns = parse_columns("Of | Quantity | >Value | Text’s condition | Code’s condition");
    let summary = if all.is_empty() {
        "Nothing is measured yet.".to_owned()
    } else {
        format!("{} numbers of {}.", all.len(), metric_label(metric))
    };
    let caption = "Every number of it, of what is chosen and of its controls, in both readings.".to_owned();
    table_chart(
        "measure-quantities",
        &format!("{}, in numbers", metric_label(metric)),
        [summary, caption],
        columns,
        rows,
    )
}
