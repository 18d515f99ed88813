//! Rows over axes of their own: what a quantity can reach, where it passes, and where things lie.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::DataTable;
use crate::plot::format::fixed3;
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::legend::{LegendItem, LegendKey, legend_height};
use crate::plot::measure::text_size;
use crate::plot::parts::{BarFill, ColourRole, Marker, Status, Stroke};
use crate::plot::pen::Pen;
use crate::plot::theme::mix_colours;

/// Rows over axes of their own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranges {
    /// What a row is: "metric".
    pub rows_title: String,
    /// What the points are, each with its look.
    pub things: Vec<RangeCategory>,
    /// From top to bottom.
    pub rows: Vec<RangeRow>,
}

/// What a point of some row stands for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeCategory {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub role: ColourRole,
    /// Its shape.
    pub marker: Marker,
}

/// A row of [`Ranges`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeRow {
    /// Name.
    pub label: String,
    /// What its axis is, smaller.
    pub detail: String,
    /// What is said of it, at the row's right over its axis.
    pub note: String,
    /// Whether that is what it ought to be: it is set off.
    pub good: bool,
    /// The ends of its axis.
    pub axis: (f64, f64),
    /// What the quantity can reach at all; none where there is no end.
    pub reach: (Option<f64>, Option<f64>),
    /// What it is held against, if it is.
    pub limit: Option<RangeLimit>,
    /// Its points.
    pub points: Vec<RangePoint>,
}

/// What a row is held against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeLimit {
    /// Where.
    pub at: f64,
    /// Whether what is above passes, not what is below.
    pub above: bool,
    /// In words: "> 0.3".
    pub text: String,
}

/// A point of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangePoint {
    /// Its place among [`Ranges::things`].
    pub thing: usize,
    /// Where.
    pub value: f64,
    /// From where to where it spreads; the same twice where nothing varies.
    pub spread: (f64, f64),
}

/// Height of a row, in font sizes.
const ROW_HEIGHT: f64 = 3.5;

fn point_name(chart: &Ranges, point: &RangePoint) -> String {
    chart.things.get(point.thing).map(|thing| thing.name.clone()).unwrap_or_default()
}

fn format_end(value: Option<f64>) -> String {
    value.map_or_else(|| "∞".to_owned(), fixed3)
}

fn format_limit(row: &RangeRow) -> String {
    row.limit.as_ref().map(|limit| limit.text.clone()).unwrap_or_default()
}

pub(crate) fn data_table(chart: &Ranges) -> DataTable {
    let columns = [chart.rows_title.as_str(), "Quantity", "Passes", "Reach", "Said", "Of", "Mean", "From", "To"];
    let rows = chart.rows.iter().flat_map(|row| {
        let reach = match row.reach {
            (None, None) => "no end".to_owned(),
            (low, high) => {
                let low = low.map_or_else(|| "−∞".to_owned(), fixed3);
                format!("{low} to {}", format_end(high))
            }
        };
        row.points.iter().map(move |point| {
            let words = [&row.label, &row.detail, &format_limit(row), &reach, &row.note, &point_name(chart, point)];
            let numbers = [point.value, point.spread.0, point.spread.1].map(fixed3);
            words.into_iter().cloned().chain(numbers).collect()
        })
    });
    DataTable::from_texts(6, columns.map(str::to_owned).to_vec(), rows.collect())
}

pub(crate) fn named_values(chart: &Ranges) -> Vec<NamedValues> {
    let points: Vec<(&RangeRow, &RangePoint)> =
        chart.rows.iter().flat_map(|row| row.points.iter().map(move |point| (row, point))).collect();
    let column = |title: &str, value: &dyn Fn(&RangeRow, &RangePoint) -> DataValue| {
        (title.to_owned(), points.iter().map(|(row, point)| value(row, point)).collect())
    };
    let number = |value: Option<f64>| DataValue::from(value.unwrap_or(f64::NAN));
    vec![
        column(&chart.rows_title, &|row, _| DataValue::from(row.label.as_str())),
        column("Quantity", &|row, _| DataValue::from(row.detail.as_str())),
        column("Limit", &|row, _| number(row.limit.as_ref().map(|limit| limit.at))),
        column("Passes", &|row, _| DataValue::from(format_limit(row).as_str())),
        column("Reach: from", &|row, _| number(row.reach.0)),
        column("Reach: to", &|row, _| number(row.reach.1)),
        column("Said", &|row, _| DataValue::from(row.note.as_str())),
        column("Of", &|_, point| DataValue::from(point_name(chart, point).as_str())),
        column("Mean", &|_, point| DataValue::from(point.value)),
        column("From", &|_, point| DataValue::from(point.spread.0)),
        column("To", &|_, point| DataValue::from(point.spread.1)),
    ]
}

fn legend_items(chart: &Ranges) -> Vec<LegendItem<'_>> {
    let things = chart.things.iter().map(|thing| LegendItem {
        name: &thing.name,
        note: None,
        role: thing.role,
        key: LegendKey::Line(Stroke::None, thing.marker),
    });
    let keys = [("can be reached", 0), ("passes", 1)].map(|(name, which)| LegendItem {
        name,
        note: None,
        role: if which == 0 { ColourRole::Neutral } else { ColourRole::Completeness },
        key: if which == 0 { LegendKey::Band(0) } else { LegendKey::Swatch(BarFill::Solid) },
    });
    things.chain(keys).collect()
}

/// The height at which it reads well at a width: it grows with its rows.
pub(crate) fn height(chart: &Ranges, width: f64) -> f64 {
    let size = text_size(width);
    legend_height(&legend_items(chart), width, size) + ROW_HEIGHT * size * chart.rows.len() as f64 + 0.4 * size
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Ranges) -> Result<Layout, DrawError> {
    let set = pen.default_text_format();
    let small = set.with_size(set.size - 1.5);
    let top = pen.draw_legend(&legend_items(chart), 0.0, 0.0)?;
    let row = (pen.height - top) / chart.rows.len().max(1) as f64;
    let widest = chart.rows.iter().fold(0.0, |most: f64, row| {
        let detail = pen.measure_text(&row.detail, small.size, false);
        most.max(detail).max(pen.measure_text(&row.label, set.size, false))
    });
    let left = widest.min(0.36 * pen.width) + 1.4 * set.size;
    let rect = PlotRect {
        x: pen.snap_to_edge(left),
        y: pen.snap_to_edge(top),
        w: pen.snap_to_edge((pen.width - left - 1.2 * set.size).max(20.0)),
        h: pen.snap_to_edge((pen.height - top).max(20.0)),
    };
    let mut marks = Vec::new();
    for (nth, shown) in chart.rows.iter().enumerate() {
        let y = rect.y + nth as f64 * row;
        if nth > 0 {
            pen.draw_horizontal_line(0.0, pen.width, y, pen.theme.grid)?;
        }
        draw_row(pen, chart, shown, (rect, y, row), &mut marks)?;
    }
    Ok(Layout { plot: rect, marks, ..Layout::default() })
}

fn draw_row<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Ranges,
    row: &RangeRow,
    (rect, y, height): (PlotRect, f64, f64),
    marks: &mut Vec<Mark>,
) -> Result<(), DrawError> {
    let set = pen.default_text_format();
    let small = set.with_size(set.size - 1.5);
    let right = rect.x - 1.1 * set.size;
    let label = pen.truncate_to_fit(&row.label, set.size, false, right);
    pen.draw_text(&label, (right, y + 0.34 * height), set.with_colour(pen.theme.ink).align_right())?;
    let detail = pen.truncate_to_fit(&row.detail, small.size, false, right);
    pen.draw_text(&detail, (right, y + 0.7 * height), small.align_right())?;

    let (low, high) = row.axis;
    let across = |value: f64| {
        let share = (value - low) / (high - low);
        rect.x + rect.w * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    };
    let middle = y + 0.5 * height;
    let tall = 1.1 * set.size;
    let from = across(row.reach.0.unwrap_or(low));
    let to = across(row.reach.1.unwrap_or(high));
    let band = PlotRect { x: from, y: middle - 0.5 * tall, w: (to - from).max(1.0), h: tall };
    pen.fill_rect(band, mix_colours(pen.theme.surface, pen.theme.role_colour(ColourRole::Neutral), 0.16))?;
    pen.draw_horizontal_line(rect.x, rect.x + rect.w, middle, pen.theme.axis)?;
    if let Some(limit) = &row.limit {
        let at = across(limit.at);
        let (from, to) = if limit.above { (at, rect.x + rect.w) } else { (rect.x, at) };
        let strip = PlotRect { x: from, y: middle + 0.5 * tall, w: (to - from).max(1.0), h: 0.22 * set.size };
        let passing = pen.theme.role_colour(ColourRole::Completeness);
        pen.fill_rect(strip, passing)?;
        pen.draw_vertical_line(at, middle - 0.5 * tall, middle + 0.72 * tall, passing)?;
    }
    // The ends of the axis, the limit, and what is said, under and over it.
    let under = y + height - 0.52 * set.size;
    let ends = [low, high].map(crate::plot::format::format_trimmed);
    pen.draw_text(&ends[0], (rect.x, under), small)?;
    pen.draw_text(&ends[1], (rect.x + rect.w, under), small.align_right())?;
    if let Some(limit) = &row.limit {
        let wide = pen.measure_text(&limit.text, small.size, false);
        let room = |end: &str| pen.measure_text(end, small.size, false) + 0.6 * set.size + 0.5 * wide;
        let (least, most) = (rect.x + room(&ends[0]), rect.x + rect.w - room(&ends[1]));
        if least <= most {
            let at = across(limit.at).clamp(least, most);
            pen.draw_text(&limit.text, (at, under), small.with_colour(pen.theme.ink).align_centre())?;
        }
    }
    let note = pen.truncate_to_fit(&row.note, small.size, row.good, rect.w);
    let ink = if row.good { pen.theme.status_colour(Status::Agrees) } else { pen.theme.ink };
    let said = small.with_bold(row.good).with_colour(ink);
    pen.draw_text(&note, (rect.x + rect.w, y + 0.6 * set.size), said.align_right())?;

    let radius = 0.34 * set.size;
    // Points that would hide each other stand over and under the middle.
    let mut placed: Vec<(f64, f64)> = Vec::new();
    for point in &row.points {
        let Some(thing) = chart.things.get(point.thing) else { continue };
        let colour = pen.theme.role_colour(thing.role);
        let (from, to) = (across(point.spread.0), across(point.spread.1));
        if to > from {
            pen.draw_path(&[(from, middle), (to, middle)], colour, 2.0)?;
        }
        let x = across(point.value);
        let free = |off: &f64| {
            let near = |(other, height): &(f64, f64)| (other - x).abs() < 1.5 * radius && (height - off).abs() < radius;
            !placed.iter().any(near)
        };
        let off = [0.0, -1.3 * radius, 1.3 * radius].into_iter().find(free).unwrap_or(0.0);
        placed.push((x, off));
        let y = middle + off;
        pen.draw_marker(thing.marker, (x, y), radius, colour)?;
        let (from, to) = point.spread;
        let spread = if from == to { String::new() } else { format!(", {} to {}", fixed3(from), fixed3(to)) };
        let title = format!("{}: {}", row.label, thing.name);
        let text = format!("{} {}{spread}", row.detail, fixed3(point.value));
        marks.push(Mark::on_series(PlotRect::square_around((x, y), radius), &thing.name, title, text));
    }
    Ok(())
}
