//! Rows × columns of values as colours and numbers.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues, label_columns};
use crate::plot::data_table::DataTable;
use crate::plot::format::fixed;
use crate::plot::frame::{foot_height, title_height};
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::measure::{text_size, text_width};
use crate::plot::pen::{CssPoint, Pen};

/// Rows × columns of values as colours and numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heatmap {
    /// Title of the column axis.
    pub x_title: String,
    /// Title of the row axis.
    pub y_title: String,
    /// What the values are.
    pub value_title: String,
    /// Column names from left to right.
    pub columns: Vec<String>,
    /// Rows from top to bottom.
    pub rows: Vec<HeatRow>,
    /// The value of the palest colour.
    pub min: f64,
    /// The value of the deepest colour.
    pub max: f64,
    /// Decimals of the values; one fewer is written where cells are narrow.
    pub decimals: usize,
}

/// A row of a heatmap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatRow {
    /// Name.
    pub label: String,
    /// More about it, smaller.
    pub detail: Option<String>,
    /// One value a column.
    pub values: Vec<f64>,
    /// The column of the greatest value.
    pub best: Option<usize>,
}

/// Cells narrower than this have no gap between them.
const GAPPED_CELL_WIDTH_MIN: f64 = 6.0;
/// Cells narrower than this are pointed at rather than outlined.
const OUTLINED_CELL_WIDTH_MIN: f64 = 10.0;
/// What the outline, and a little air within it, take of a cell's width.
const OUTLINE_SPACE: f64 = 7.0;
/// The same where numbers would not be there otherwise.
const OUTLINE_SPACE_TIGHT: f64 = 3.0;
/// More rows than this are lower.
const FULL_HEIGHT_ROWS_MAX: usize = 32;
/// Above more rows than this the names of no more columns than that stand once more: those below are out of sight.
const ROWS_BEFORE_REPEAT: usize = 16;
const REPEATED_COLUMNS_MAX: usize = 12;
/// Half the width of the pointer.
const POINTER_HALF_WIDTH: f64 = 3.5;
/// Readouts are at least this many pixels apart.
const MARK_GAP: f64 = 2.0;

/// What the names of columns take above the rows; nothing where they stand below alone.
fn names_above_height(chart: &Heatmap, lines: usize, size: f64) -> f64 {
    let is_tall = chart.rows.len() > ROWS_BEFORE_REPEAT && chart.columns.len() <= REPEATED_COLUMNS_MAX;
    if is_tall { 1.3 * size * lines as f64 + 0.4 * size } else { 0.0 }
}

/// The height of the colour key.
fn colour_key_height(size: f64) -> f64 {
    (2.2 * size).round()
}

pub(crate) fn data_table(map: &Heatmap) -> DataTable {
    let columns = std::iter::once(map.y_title.clone()).chain(map.columns.iter().cloned()).collect();
    let rows = map
        .rows
        .iter()
        .map(|row| {
            let label = match &row.detail {
                Some(detail) => format!("{} ({detail})", row.label),
                None => row.label.clone(),
            };
            let cells = row.values.iter().enumerate().map(|(c, value)| {
                let value = fixed(*value, map.decimals);
                if row.best == Some(c) { format!("{value} (best)") } else { value }
            });
            std::iter::once(label).chain(cells).collect()
        })
        .collect();
    DataTable::from_texts(1, columns, rows)
}

pub(crate) fn named_values(map: &Heatmap) -> Vec<NamedValues> {
    let rows = map.rows.iter().map(|row| (row.label.as_str(), row.detail.as_deref()));
    let mut columns = label_columns(&map.y_title, rows);
    for (c, title) in map.columns.iter().enumerate() {
        let values = map.rows.iter().map(|row| DataValue::from(row.values.get(c).copied()));
        columns.push((title.clone(), values.collect()));
    }
    columns
}

/// The height at which it reads well at a width: it grows with its rows.
pub(crate) fn height(chart: &Heatmap, width: f64) -> f64 {
    let size = text_size(width);
    let rows = if chart.rows.len() > FULL_HEIGHT_ROWS_MAX { 1.5 } else { 3.1 } * size * chart.rows.len() as f64;
    let lines = name_line_count(chart, width);
    let above = names_above_height(chart, lines, size);
    colour_key_height(size) + title_height(size) + above + rows + foot_height(lines, size)
}

/// On how many lines the names under the columns stand: words that have no room side by side take turns on
/// two, so that each column has its own. Of numbers, every other says as much.
fn name_line_count(chart: &Heatmap, width: f64) -> usize {
    let size = text_size(width);
    let wide = |text: &str, size: f64| text_width(text, size, false);
    let rows = chart.rows.iter().map(|row| {
        let detail = row.detail.as_ref().map_or(0.0, |detail| wide(detail, size - 1.0));
        wide(&row.label, size).max(detail)
    });
    let left = rows.fold(0.0, f64::max).min(0.45 * width) + 0.7 * size;
    let column = (width - left) / chart.columns.len().max(1) as f64;
    let apart = chart.columns.iter().map(|name| wide(name, size)).fold(0.0, f64::max) + 0.5 * size;
    let words = chart.columns.iter().any(|name| name.chars().any(char::is_alphabetic));
    if words && apart > column && apart <= 2.0 * column { 2 } else { 1 }
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Heatmap) -> Result<Layout, DrawError> {
    let set = pen.default_text_format();
    let lines = name_line_count(chart, pen.width);
    let above = names_above_height(chart, lines, set.size);
    let key = colour_key_height(set.size);
    let top = key + pen.draw_vertical_title(&chart.y_title, key)? + above;
    let bottom = pen.height - pen.foot_space(lines);
    let row = ((bottom - top).max(20.0)) / chart.rows.len().max(1) as f64;
    let stacked = row >= 2.5 * set.size;
    let small = set.with_size(set.size - 1.0);
    let labels = chart.rows.iter().map(|r| {
        let name = pen.measure_text(&r.label, set.size, false);
        let detail = r.detail.as_ref().map_or(0.0, |d| pen.measure_text(d, small.size, false));
        if stacked { name.max(detail) } else { name + 0.5 * set.size + detail }
    });
    let left = labels.fold(0.0, f64::max).min(0.45 * pen.width) + 0.7 * set.size;
    let rect = PlotRect {
        x: pen.snap_to_edge(left),
        y: pen.snap_to_edge(top),
        w: pen.snap_to_edge(pen.width - left - 1.0),
        h: pen.snap_to_edge(row * chart.rows.len() as f64),
    };
    let column = rect.w / chart.columns.len().max(1) as f64;
    draw_colour_key(pen, chart, column)?;
    let mut layout = Layout { plot: rect, ..Layout::default() };
    for (i, r) in chart.rows.iter().enumerate() {
        let y = rect.y + (i as f64 + 0.5) * row;
        let right = rect.x - 0.7 * set.size;
        let name = set.with_colour(pen.theme.ink).align_right();
        match &r.detail {
            None => pen.draw_text(&pen.truncate_to_fit(&r.label, set.size, false, left), (right, y), name)?,
            Some(detail) if stacked => {
                let label = pen.truncate_to_fit(&r.label, set.size, false, left - 2.0);
                pen.draw_text(&label, (right, y - 0.62 * set.size), name)?;
                pen.draw_text(detail, (right, y + 0.62 * set.size), small.align_right())?;
            }
            Some(detail) => {
                pen.draw_text(detail, (right, y), small.align_right())?;
                let wide = pen.measure_text(detail, small.size, false) + 0.5 * set.size;
                pen.draw_text(&r.label, (right - wide, y), name)?;
            }
        }
    }
    draw_cells(pen, chart, rect, (column, row), &mut layout)?;
    draw_column_names(pen, chart, rect, (column, lines), rect.y + rect.h + 6.0 + 0.6 * set.size)?;
    if above > 0.0 {
        draw_column_names(pen, chart, rect, (column, lines), rect.y - above + 0.6 * set.size)?;
    }
    pen.draw_horizontal_title(&chart.x_title, rect)?;
    Ok(layout)
}

fn draw_cells<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Heatmap,
    rect: PlotRect,
    (column, row): (f64, f64),
    layout: &mut Layout,
) -> Result<(), DrawError> {
    let gap = if column >= GAPPED_CELL_WIDTH_MIN { 1.0 } else { 0.0 };
    let write = fit_number_format(pen, chart, column - gap);
    let span = chart.max - chart.min;
    for (i, r) in chart.rows.iter().enumerate() {
        let (y0, y1) = (pen.snap_to_edge(rect.y + i as f64 * row), pen.snap_to_edge(rect.y + (i + 1) as f64 * row));
        let mut previous = f64::NEG_INFINITY;
        let mut set_off = None;
        for (c, value) in r.values.iter().enumerate() {
            let x0 = pen.snap_to_edge(rect.x + c as f64 * column);
            let x1 = pen.snap_to_edge(rect.x + (c + 1) as f64 * column);
            let cell = PlotRect { x: x0, y: y0, w: x1 - x0 - gap, h: y1 - y0 - 1.0 };
            let share = if span > 0.0 { (value - chart.min) / span } else { 0.5 };
            let colour = pen.theme.heat_colour(share);
            let best = r.best == Some(c);
            if cell.w > 0.0 {
                pen.fill_rect(cell, colour)?;
            }
            if let Some((digits, size)) = write {
                let set = pen.default_text_format().with_size(size).align_centre().with_bold(best);
                let at = (cell.x + cell.w / 2.0, cell.y + cell.h / 2.0);
                pen.draw_text(&fixed(*value, digits), at, set.with_colour(pen.theme.text_colour_on(colour)))?;
            }
            if best {
                set_off = Some(cell);
            }
            if best || x0 - previous >= MARK_GAP {
                previous = x0;
                let name = chart.columns.get(c).cloned().unwrap_or_default();
                layout.marks.push(Mark {
                    x: cell.x,
                    y: cell.y,
                    w: cell.w.max(1.0),
                    h: cell.h,
                    series: r.label.clone(),
                    title: match &r.detail {
                        Some(detail) => format!("{name}, {} {detail}", r.label),
                        None => format!("{name}, {}", r.label),
                    },
                    text: format!(
                        "{} = {}{}",
                        chart.value_title,
                        fixed(*value, chart.decimals),
                        if best { " (best of its row)" } else { "" }
                    ),
                });
            }
        }
        // Last, so that no neighbour is drawn over it.
        if let Some(cell) = set_off {
            highlight_best_cell(pen, cell, rect)?;
        }
    }
    Ok(())
}

/// Sets off the best cell of a row: outlined, or pointed at where it is narrow.
fn highlight_best_cell<DB: DrawingBackend>(pen: &Pen<'_, DB>, cell: PlotRect, rect: PlotRect) -> Result<(), DrawError> {
    if cell.w >= OUTLINED_CELL_WIDTH_MIN {
        pen.outline_rect(cell, pen.theme.surface, 3.25)?;
        return pen.outline_rect(cell, pen.theme.ink, 2.0);
    }
    let centre = cell.x + cell.w / 2.0;
    let centre = centre.min(rect.x + rect.w - POINTER_HALF_WIDTH - 2.0).max(rect.x + POINTER_HALF_WIDTH + 2.0);
    draw_pointer(pen, (centre, cell.y + cell.h / 2.0))
}

fn draw_pointer<DB: DrawingBackend>(pen: &Pen<'_, DB>, (x, y): CssPoint) -> Result<(), DrawError> {
    let tip = y + 0.75 * POINTER_HALF_WIDTH;
    pen.draw_pointer((x, tip + 1.5), POINTER_HALF_WIDTH + 1.5, pen.theme.surface)?;
    pen.draw_pointer((x, tip), POINTER_HALF_WIDTH, pen.theme.ink)
}

/// The decimals of the numbers and the size they are set in.
type NumberFormat = (usize, f64);

/// The most digits that fit a cell.
fn fit_number_format<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Heatmap, room: f64) -> Option<NumberFormat> {
    let size = pen.default_text_format().size;
    let (most, fewer) = (chart.decimals, chart.decimals.saturating_sub(1));
    let fits = |(digits, size): NumberFormat, air: f64| {
        // Values of like magnitude have like widths: the ends stand for all.
        [chart.min, chart.max, 0.5].iter().all(|v| pen.measure_text(&fixed(*v, digits), size, true) + air <= room)
    };
    let tries = [(most, size), (most, size - 1.0), (most, size - 2.0), (fewer, size - 1.0)];
    let last = (fewer, size - 2.0);
    tries.into_iter().find(|one| fits(*one, OUTLINE_SPACE)).or(fits(last, OUTLINE_SPACE_TIGHT).then_some(last))
}

/// Names of the columns, the first line of them at a height, as many as fit side by side.
fn draw_column_names<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Heatmap,
    rect: PlotRect,
    (column, lines): (f64, usize),
    y: f64,
) -> Result<(), DrawError> {
    let set = pen.default_text_format().align_centre().with_colour(pen.theme.ink);
    let apart = pen.widest_text(&chart.columns) + 0.35 * set.size;
    let every = if column > 0.0 { (apart / column).ceil().max(1.0) as usize } else { 1 };
    let every = if lines > 1 { 1 } else { every };
    for (c, name) in chart.columns.iter().enumerate().step_by(every) {
        let half = 0.5 * pen.measure_text(name, set.size, false);
        let x = rect.x + (c as f64 + 0.5) * column;
        // The last of words that take turns keeps its place, a little to the left.
        let x = if lines > 1 { x.min(pen.width - half) } else { x };
        if c > 0 && x + half > pen.width {
            continue;
        }
        let line = 1.3 * set.size * (c % lines) as f64;
        pen.draw_text(name, (x, y + line), set)?;
    }
    Ok(())
}

/// The colour key: the value's name, its ends, and what marks the best.
fn draw_colour_key<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Heatmap, column: f64) -> Result<(), DrawError> {
    let set = pen.default_text_format();
    let middle = 0.8 * set.size;
    let height = (0.9 * set.size).round();
    let mut x = 0.0;
    let ink = set.with_colour(pen.theme.ink);
    pen.draw_text(&chart.value_title, (x, middle), ink)?;
    x += pen.measure_text(&chart.value_title, set.size, false) + 0.7 * set.size;
    let digits = usize::from(chart.decimals > 1);
    let (low, high) = (fixed(chart.min, digits), fixed(chart.max, digits));
    pen.draw_text(&low, (x, middle), set)?;
    x += pen.measure_text(&low, set.size, false) + 0.5 * set.size;
    let wide = (pen.width * 0.2).clamp(48.0, 120.0);
    let steps = 32;
    for i in 0..steps {
        let at = |i: i32| pen.snap_to_edge(x + wide * f64::from(i) / f64::from(steps));
        let share = (f64::from(i) + 0.5) / f64::from(steps);
        let r = PlotRect { x: at(i), y: middle - height / 2.0, w: at(i + 1) - at(i), h: height };
        pen.fill_rect(r, pen.theme.heat_colour(share))?;
    }
    x += wide + 0.5 * set.size;
    pen.draw_text(&high, (x, middle), set)?;
    x += pen.measure_text(&high, set.size, false) + 1.4 * set.size;
    if chart.rows.iter().all(|row| row.best.is_none()) {
        return Ok(());
    }
    if column >= OUTLINED_CELL_WIDTH_MIN {
        let square = PlotRect { x, y: middle - height / 2.0, w: height, h: height };
        pen.outline_rect(square, pen.theme.ink, 2.0)?;
    } else {
        draw_pointer(pen, (x + height / 2.0, middle))?;
    }
    x += height + 0.5 * set.size;
    let note = pen.truncate_to_fit("best of its row", set.size, false, pen.width - x);
    pen.draw_text(&note, (x, middle), ink)
}
