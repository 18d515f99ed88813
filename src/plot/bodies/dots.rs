//! A value and its spread a row.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues, label_columns};
use crate::plot::data_table::DataTable;
use crate::plot::format::fixed3;
use crate::plot::frame::foot_height;
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::measure::text_size;
use crate::plot::parts::{Axis, ColourRole, Marker};
use crate::plot::pen::Pen;
use crate::plot::theme::mix_colours;

/// One value a row, with its spread, over a common axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dots {
    /// What a row is, e.g. "method".
    pub rows_title: String,
    /// What the spread is, e.g. "over the seeds".
    pub spread_title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// From top to bottom.
    pub rows: Vec<DotRow>,
}

/// A row of [`Dots`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DotRow {
    /// Name.
    pub label: String,
    /// More about it, smaller.
    pub detail: Option<String>,
    /// Its colour.
    pub role: ColourRole,
    /// The shape of the value's point.
    pub marker: Marker,
    /// The value.
    pub value: f64,
    /// From where to where it spreads; the same twice where nothing varies.
    pub spread: (f64, f64),
}

impl DotRow {
    /// What was trained, full and in the colour of the score, or a control, hollow and grey; its detail says which.
    pub(crate) fn for_subject(label: &str, trained: bool, value: f64, spread: (f64, f64)) -> Self {
        let (detail, role, marker) = match trained {
            true => ("trained", ColourRole::Score, Marker::Circle),
            false => ("control", ColourRole::Neutral, Marker::OpenSquare),
        };
        let (label, detail) = (label.to_owned(), Some(detail.to_owned()));
        Self { label, detail, role, marker, value, spread }
    }

    /// "0.612–0.655", or one number where nothing varies.
    pub(crate) fn spread_text(&self) -> String {
        let (from, to) = self.spread;
        let (from, to) = (fixed3(from), fixed3(to));
        if from == to { from } else { format!("{from}–{to}") }
    }
}

/// Height of a row, in font sizes.
const ROW_HEIGHT: f64 = 2.1;

pub(crate) fn data_table(chart: &Dots) -> DataTable {
    let columns = [&chart.rows_title, "Detail", &chart.x.title, &chart.spread_title];
    let row = |r: &DotRow| {
        let detail = r.detail.clone().unwrap_or_default();
        vec![r.label.clone(), detail, fixed3(r.value), r.spread_text()]
    };
    DataTable::from_texts(2, columns.map(|title: &str| title.to_owned()).to_vec(), chart.rows.iter().map(row).collect())
}

pub(crate) fn named_values(dots: &Dots) -> Vec<NamedValues> {
    let names = dots.rows.iter().map(|r| (r.label.as_str(), r.detail.as_deref()));
    let mut columns = label_columns(&dots.rows_title, names);
    let numbers = |value: fn(&DotRow) -> f64| dots.rows.iter().map(|r| DataValue::from(value(r))).collect();
    columns.push((dots.x.title.clone(), numbers(|r| r.value)));
    columns.push((format!("{}: from", dots.spread_title), numbers(|r| r.spread.0)));
    columns.push((format!("{}: to", dots.spread_title), numbers(|r| r.spread.1)));
    columns
}

/// The height at which it reads well at a width: it grows with its rows.
pub(crate) fn height(chart: &Dots, width: f64) -> f64 {
    let size = text_size(width);
    ROW_HEIGHT * size * chart.rows.len() as f64 + foot_height(1, size)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Dots) -> Result<Layout, DrawError> {
    let set = pen.default_text_format();
    let small = set.with_size(set.size - 1.0);
    let height = (pen.height - pen.foot_space(1)).max(20.0);
    let row = height / chart.rows.len().max(1) as f64;
    let widest = |texts: &[&str]| pen.widest_text(texts);
    let names: Vec<&str> = chart.rows.iter().map(|r| r.label.as_str()).collect();
    let details: Vec<&str> = chart.rows.iter().filter_map(|r| r.detail.as_deref()).collect();
    // Details stand beside the names where there is room for both.
    let both = widest(&names) + 0.5 * set.size + widest(&details);
    let beside = both <= 0.42 * pen.width;
    let left = if beside { both } else { widest(&names).min(0.42 * pen.width) } + 0.9 * set.size;
    let number = pen.measure_text("0.000", set.size, false);
    let rect = PlotRect {
        x: pen.snap_to_edge(left),
        y: 0.0,
        w: pen.snap_to_edge((pen.width - left - number - 1.2 * set.size).max(20.0)),
        h: pen.snap_to_edge(height),
    };
    let foot = rect.y + rect.h;
    let across = |value: f64| {
        let share = (value - chart.x.min) / (chart.x.max - chart.x.min);
        rect.x + rect.w * share.clamp(0.0, 1.0)
    };
    let ticks = pen.horizontal_ticks(&chart.x, rect.w);
    for (value, label) in ticks.values.iter().zip(&ticks.labels) {
        let x = across(*value);
        pen.draw_vertical_line(x, rect.y, foot, pen.theme.grid)?;
        pen.draw_text(label, (x, foot + 6.0 + 0.6 * set.size), set.align_centre())?;
    }
    pen.draw_horizontal_line(rect.x, rect.x + rect.w, foot, pen.theme.axis)?;
    pen.draw_horizontal_title(&chart.x.title, rect)?;
    let radius = 0.36 * set.size;
    let mut marks = Vec::new();
    for (nth, r) in chart.rows.iter().enumerate() {
        let y = rect.y + (nth as f64 + 0.5) * row;
        let right = rect.x - 0.7 * set.size;
        let mut name_right = right;
        if let Some(detail) = r.detail.as_deref().filter(|_| beside) {
            pen.draw_text(detail, (right, y), small.align_right())?;
            name_right -= pen.measure_text(detail, small.size, false) + 0.5 * set.size;
        }
        let label = pen.truncate_to_fit(&r.label, set.size, false, name_right);
        pen.draw_text(&label, (name_right, y), set.with_colour(pen.theme.ink).align_right())?;
        let colour = pen.theme.role_colour(r.role);
        let (from, to) = (across(r.spread.0), across(r.spread.1));
        if to > from {
            let band = PlotRect { x: from, y: y - 0.45 * set.size, w: to - from, h: 0.9 * set.size };
            pen.fill_rect(band, mix_colours(pen.theme.surface, colour, 0.3))?;
            pen.draw_vertical_line(from, band.y, band.y + band.h, colour)?;
            pen.draw_vertical_line(to, band.y, band.y + band.h, colour)?;
        }
        let x = across(r.value);
        pen.draw_marker(r.marker, (x, y), radius, colour)?;
        let beyond = x.max(to) + 0.9 * set.size;
        pen.draw_text(&fixed3(r.value), (beyond, y), set.with_colour(pen.theme.ink))?;
        let title = match &r.detail {
            Some(detail) => format!("{}, {detail}", r.label),
            None => r.label.clone(),
        };
        let text = format!("{}; {} {}", fixed3(r.value), chart.spread_title, r.spread_text());
        marks.push(Mark::on_series(PlotRect::square_around((x, y), radius), &chart.x.title, title, text));
    }
    Ok(Layout { plot: rect, marks, ..Layout::default() })
}
