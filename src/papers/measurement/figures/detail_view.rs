//! One metric opened.

use super::{Source, id_of, name_of};
use crate::papers::measurement::detail_view::{
    Cell, Limit, NamedValues, Panel, PanelContent, PlaneSeries,
};
use crate::papers::measurement::metric::{Condition, METRICS};
use crate::plot::cells::{columns, number, table, text};
use crate::plot::format::{listed, trimmed};
use crate::plot::{
    Align, Axis, Body, Chart, Column, Datum, Marker, Place, Reference, Role, Scatter, Series,
    Stroke, TableCell, xs, ys,
};

const ROLES: [Role; 6] = [
    Role::Score,
    Role::Fidelity,
    Role::Completeness,
    Role::Sparsity,
    Role::GroundTruth,
    Role::Extra,
];
const MARKERS: [Marker; 4] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond];
const OPEN: [Marker; 4] =
    [Marker::OpenCircle, Marker::OpenSquare, Marker::OpenTriangle, Marker::OpenDiamond];
/// Intervals of a distribution.
const BINS: usize = 24;

/// The n-th panel; an empty table where there is none.
pub(super) fn panel(source: &Source<'_>, nth: usize) -> Chart {
    let id = ["measure-picture", "measure-picture-2", "measure-picture-3"][nth.min(2)];
    let metric = &source.report.settings.metric;
    let found = source.report.picture.as_ref().filter(|picture| picture.metric == *metric);
    let Some(panel) = found.and_then(|picture| picture.panels.get(nth)) else {
        let what = if found.is_some() {
            format!("{} has no further picture.", id_of(metric))
        } else {
            "Nothing is measured yet.".to_owned()
        };
        let said = [what, "What is measured of the metric that is opened.".to_owned()];
        return table(id, &name_of(metric), said, columns("Nothing"), Vec::new());
    };
    let Panel { title, summary, caption, shown } = panel;
    let body = match shown {
        PanelContent::Table { columns, rows } => {
            let numbers =
                |at: usize| rows.iter().all(|row| !matches!(row.get(at), Some(Cell::Words(_))));
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
            let rows = rows.iter().map(|row| {
                row.iter().zip(&whole).map(|(shown, whole)| cell(shown, *whole)).collect()
            });
            let said = [summary.clone(), caption.clone()];
            return table(id, title, said, columns.collect(), rows.collect());
        }
        PanelContent::Plane { x, y, series, limits } => plane([x, y], drawn(series), limits),
        PanelContent::Histogram { x, series, limits } => distributions(x, series, limits),
    };
    Chart::new(id, title, summary.clone(), caption.clone(), body)
}

/// A cell; of a column that counts, without decimals.
fn cell(cell: &Cell, whole: bool) -> TableCell {
    match cell {
        Cell::Number(value) if whole => counted(*value),
        Cell::Number(value) => number(*value, 3),
        Cell::Words(words) => text(words.as_str()),
    }
}

/// Colour, shape and stroke of the n-th series; controls are grey and open.
pub(super) fn looks(nth: usize, control: bool, joined: bool) -> (Role, Stroke, Marker) {
    let stroke = match (joined, control) {
        (false, _) => Stroke::None,
        (true, false) => [Stroke::Solid, Stroke::Dashed, Stroke::Dotted][nth / ROLES.len() % 3],
        (true, true) => [Stroke::Faint, Stroke::Dotted, Stroke::Dashed][nth % 3],
    };
    let markers = if control { OPEN } else { MARKERS };
    let role = if control { Role::Neutral } else { ROLES[nth % ROLES.len()] };
    (role, stroke, markers[nth % markers.len()])
}

fn drawn(series: &[PlaneSeries]) -> Vec<Series> {
    let each = series.iter().enumerate().map(|(nth, series)| {
        let (role, stroke, marker) = looks(nth, series.control, series.joined);
        let points = series.points.iter().filter(|(x, y, _)| x.is_finite() && y.is_finite());
        let points = points.map(|(x, y, label)| Datum { x: *x, y: *y, label: label.clone() });
        Series::new(&series.name, role, stroke, marker, points.collect())
    });
    each.collect()
}

pub(super) fn plane([x, y]: [&String; 2], series: Vec<Series>, limits: &[Limit]) -> Body {
    let all: Vec<f64> = xs(&series).collect();
    let one = all.first().copied().filter(|first| all.iter().all(|x| x == first));
    // Of a single value its neighbourhood, not a range that three decimals tell apart.
    let x = match one {
        Some(value) => Axis::around(x, x, [value - 1.0, value, value + 1.0]),
        None => within(x, &all),
    };
    let all: Vec<f64> = ys(&series).chain(limits.iter().map(|limit| limit.at)).collect();
    let y = within(y, &all);
    let references = limits.iter().map(|limit| Reference {
        name: format!("{} ({})", limit.name, trimmed(limit.at)),
        place: Place::Horizontal(limit.at),
    });
    let references = references.collect();
    Body::Scatter(Scatter { x, y, series, references })
}

/// An axis around some values; that of values between 0 and 1 ends there.
fn within(title: &str, values: &[f64]) -> Axis {
    let around = Axis::around(title, title, values.iter().copied());
    let all_are = |inside: fn(f64) -> bool| values.iter().all(|value| inside(*value));
    let min = if all_are(|x| x >= 0.0) { around.min.max(0.0) } else { around.min };
    let max = if all_are(|x| x <= 1.0 + 1e-9) { around.max.min(1.0) } else { around.max };
    Axis { min, max, ..around }
}

/// Shares of each series' values that fall into common intervals, as lines; a limit is a line from bottom to top.
fn distributions(x: &str, series: &[NamedValues], limits: &[Limit]) -> Body {
    let all: Vec<f64> = series
        .iter()
        .flat_map(|series| series.values.iter().copied())
        .chain(limits.iter().map(|limit| limit.at))
        .filter(|value| value.is_finite())
        .collect();
    let axis = within(x, &all);
    let wide = (axis.max - axis.min) / BINS as f64;
    let mut most: f64 = 0.0;
    let mut lines: Vec<Series> = Vec::new();
    for (nth, series) in series.iter().enumerate() {
        let mut counts = [0_usize; BINS];
        for value in series.values.iter().filter(|value| value.is_finite()) {
            let at = ((value - axis.min) / wide) as usize;
            if let Some(count) = counts.get_mut(at.min(BINS - 1)) {
                *count += 1;
            }
        }
        let total = counts.iter().sum::<usize>().max(1) as f64;
        let points = counts.iter().enumerate().map(|(at, count)| {
            let from = axis.min + at as f64 * wide;
            let y = *count as f64 / total;
            let label = format!("{} to {}", trimmed(from), trimmed(from + wide));
            Datum { x: from + wide / 2.0, y, label }
        });
        let points: Vec<Datum> = points.collect();
        most = points.iter().map(|point| point.y).fold(most, f64::max);
        let (role, stroke, _) = looks(nth, series.control, true);
        lines.push(Series::new(&series.name, role, stroke, Marker::None, points));
    }
    for (nth, limit) in limits.iter().enumerate() {
        let point = |y| Datum { x: limit.at, y, label: limit.name.clone() };
        let name = format!("{} ({})", limit.name, trimmed(limit.at));
        let stroke = [Stroke::Dashed, Stroke::Dotted][nth % 2];
        let points = vec![point(0.0), point(most.max(f64::MIN_POSITIVE))];
        lines.push(Series::new(&name, Role::Yours, stroke, Marker::None, points));
    }
    let y = Axis::from_zero("share of values", most);
    Body::Scatter(Scatter { x: axis, y, series: lines, references: Vec::new() })
}

/// A number of things.
fn counted(value: f64) -> TableCell {
    TableCell { text: trimmed(value), ..number(value, 3) }
}

/// Whether a quantity counts things.
fn counts(name: &str) -> bool {
    name.starts_with("n_")
        || name.contains("rank")
        || name.ends_with("_features")
        || name == "dead_small"
}

/// What was found of the metric that is opened, with the conditions that hold.
pub(super) fn quantities(source: &Source<'_>) -> Chart {
    let metric = &source.report.settings.metric;
    let found = source.report.picture.as_ref().filter(|picture| picture.metric == *metric);
    let about = METRICS.iter().find(|about| about.id == metric);
    let all = found.map_or(&[][..], |picture| &picture.quantities);
    let said = |condition: &Condition, value: Option<f64>| {
        let met = value.is_some_and(|value| condition.holds(value));
        let limit = trimmed(condition.limit);
        format!("{} {limit}: {}", condition.relation.sign(), if met { "yes" } else { "no" })
    };
    let conditions = |name: &str, value: Option<f64>, code: bool| {
        let of = about
            .map_or(&[][..], |about| if code { about.passes.code } else { about.passes.document });
        let own = of.iter().filter(|condition| condition.quantity == name);
        let own: Vec<String> = own.map(|condition| said(condition, value)).collect();
        if own.is_empty() { "–".to_owned() } else { listed(&own) }
    };
    let rows: Vec<_> = all
        .iter()
        .map(|quantity| {
            vec![
                text(quantity.subject.as_str()),
                text(super::words_of(&quantity.name)),
                match quantity.value {
                    Some(value) if counts(&quantity.name) => counted(value),
                    value => number(value, 3),
                },
                text(conditions(&quantity.name, quantity.value, false)),
                text(conditions(&quantity.name, quantity.value, true)),
            ]
        })
        .collect();
    let columns = columns("Of | Quantity | >Value | Text’s condition | Code’s condition");
    let summary = if all.is_empty() {
        "Nothing is measured yet.".to_owned()
    } else {
        format!("{} numbers of {}.", all.len(), name_of(metric))
    };
    let caption =
        "Every number of it, of what is chosen and of its controls, in both readings.".to_owned();
    table(
        "measure-quantities",
        &format!("{}, in numbers", name_of(metric)),
        [summary, caption],
        columns,
        rows,
    )
}
