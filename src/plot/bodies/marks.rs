//! A mark a cell: what is said of each row in each column, by colour and by shape.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues, label_columns};
use crate::plot::data_table::{DataCell, DataColumn, DataTable};
use crate::plot::format::fixed;
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::legend::{LegendItem, LegendKey, legend_height};
use crate::plot::measure::{text_size, text_width};
use crate::plot::parts::{Align, ColourRole, Marker, Stroke};
use crate::plot::pen::Pen;

/// Rows × columns of marks, each with a number beside it where there is room.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarkMatrix {
    /// What a row is, e.g. "metric".
    pub rows_title: String,
    /// From left to right.
    pub columns: Vec<String>,
    /// What is said in cells: each has a colour and a shape of its own.
    pub words: Vec<MarkCategory>,
    /// What the number at the end of a row is; none where rows have none.
    pub score_title: Option<String>,
    /// From top to bottom.
    pub rows: Vec<MarkRow>,
    /// The row to set off.
    pub opened: Option<usize>,
    /// The column to set off.
    pub asked: Option<usize>,
}

/// Something that is said in cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarkCategory {
    /// In a word or two: "holds".
    pub name: String,
    /// Its colour.
    pub role: ColourRole,
    /// Its shape; none for what is said by a dash.
    pub marker: Marker,
}

/// A row of [`MarkMatrix`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarkRow {
    /// By what a page knows it: the series of its readouts.
    pub key: String,
    /// Name.
    pub label: String,
    /// More about it, smaller; empty where there is nothing more.
    pub detail: String,
    /// One a column.
    pub cells: Vec<MarkCell>,
    /// The number at its end.
    pub score: Option<f64>,
}

/// What is said of a row in a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarkCell {
    /// Which of the words; none as long as nothing is known.
    pub word: Option<usize>,
    /// The number behind it, short; empty where there is none.
    pub text: String,
    /// The number at full precision.
    pub exact: Option<f64>,
    /// What there is to say of it, in a sentence.
    pub says: String,
}

/// Height of a row, in font sizes.
const ROW_HEIGHT: f64 = 2.0;
/// The share of the width that names may take.
const NAMES_SHARE_MAX: f64 = 0.36;
/// Stands where nothing is said.
const NO_VALUE: &str = "–";

fn find_category<'a>(chart: &'a MarkMatrix, cell: &MarkCell) -> Option<&'a MarkCategory> {
    chart.words.get(cell.word?)
}

fn cell_text(chart: &MarkMatrix, cell: &MarkCell) -> String {
    match (find_category(chart, cell), cell.text.as_str()) {
        (None, _) => NO_VALUE.to_owned(),
        (Some(word), "") => word.name.clone(),
        (Some(word), text) => format!("{} {text}", word.name),
    }
}

fn score_text(row: &MarkRow) -> String {
    row.score.map_or_else(|| NO_VALUE.to_owned(), |score| fixed(score, 2))
}

pub(crate) fn data_table(chart: &MarkMatrix) -> DataTable {
    let left = |title: &str| DataColumn { title: title.to_owned(), align: Align::Left };
    let named = [chart.rows_title.as_str(), "Detail"].into_iter().map(left);
    let columns = named.chain(chart.columns.iter().map(|title| left(title)));
    let last = chart.score_title.iter();
    let last = last.map(|title| DataColumn { title: title.clone(), align: Align::Right });
    let plain = |text: String| DataCell { text, printed: None, status: None };
    let rows = chart.rows.iter().map(|row| {
        let named = [&row.label, &row.detail].into_iter().cloned();
        let cells = row.cells.iter().map(|cell| cell_text(chart, cell));
        let last = chart.score_title.iter().map(|_| score_text(row));
        named.chain(cells).chain(last).map(plain).collect()
    });
    DataTable { columns: columns.chain(last).collect(), rows: rows.collect() }
}

/// A column of words and one of numbers for each.
pub(crate) fn named_values(chart: &MarkMatrix) -> Vec<NamedValues> {
    let names = chart.rows.iter().map(|row| (row.label.as_str(), Some(row.detail.as_str())));
    let mut columns = label_columns(&chart.rows_title, names);
    for (at, title) in chart.columns.iter().enumerate() {
        let cell = |row: &MarkRow| row.cells.get(at).cloned();
        let words = chart.rows.iter().map(|row| match cell(row) {
            Some(found) => {
                find_category(chart, &found).map_or(DataValue::Missing, |word| DataValue::from(word.name.as_str()))
            }
            None => DataValue::Missing,
        });
        columns.push((title.clone(), words.collect()));
        let numbers = chart.rows.iter().map(|row| DataValue::from(cell(row).and_then(|c| c.exact)));
        columns.push((format!("{title} (number)"), numbers.collect()));
        let sentences = chart
            .rows
            .iter()
            .map(|row| cell(row).map_or(DataValue::Missing, |found| DataValue::from(found.says.as_str())));
        columns.push((format!("{title} (sentence)"), sentences.collect()));
    }
    if let Some(title) = &chart.score_title {
        columns.push((title.clone(), chart.rows.iter().map(|r| DataValue::from(r.score)).collect()));
    }
    columns
}

fn legend_items(chart: &MarkMatrix) -> Vec<LegendItem<'_>> {
    let of = |word: &'_ MarkCategory| word.marker != Marker::None;
    let shown = chart.words.iter().filter(|word| of(word)).map(|word| LegendItem {
        name: &word.name,
        note: None,
        role: word.role,
        key: LegendKey::Line(Stroke::None, word.marker),
    });
    shown.collect()
}

/// Room for names, and for each of the columns.
struct ColumnPlan {
    names: f64,
    column: f64,
    /// Headings stand in turns on two lines, as they are wider than their columns.
    two_lines: bool,
    /// A column has room for a mark and the longest number: all rows show theirs, or none.
    numbered: bool,
    header: f64,
}

/// Radius of a mark, in font sizes.
const MARK_RADIUS: f64 = 0.42;

fn plan_columns(chart: &MarkMatrix, width: f64, size: f64, measure: &dyn Fn(&str, f64) -> f64) -> ColumnPlan {
    // One font after another: a canvas takes longer over a change of font than over a text.
    let labels: Vec<f64> = chart.rows.iter().map(|row| measure(&row.label, size)).collect();
    let widest = chart.rows.iter().zip(labels).fold(measure(&chart.rows_title, size), |most, (row, label)| {
        let detail = measure(&row.detail, size - 1.5);
        most.max(label + if detail > 0.0 { detail + 0.6 * size } else { 0.0 })
    });
    let names = (widest + size).min(NAMES_SHARE_MAX * width);
    let last = f64::from(u8::from(chart.score_title.is_some()));
    let columns = (chart.columns.len() as f64 + last).max(1.0);
    let column = ((width - names) / columns).max(1.0);
    let heads = chart.columns.iter().chain(chart.score_title.as_ref());
    let widest = heads.fold(0.0, |most: f64, title| most.max(measure(title, size)));
    let two_lines = widest + 0.5 * size > column;
    let numbers = chart.rows.iter().flat_map(|row| &row.cells);
    let widest = numbers.fold(0.0, |most: f64, cell| most.max(measure(&cell.text, size - 1.5)));
    let numbered = (2.0 * MARK_RADIUS + 1.2) * size + widest <= column;
    let header = if two_lines { 3.3 } else { 2.0 } * size;
    ColumnPlan { names, column, two_lines, numbered, header }
}

/// The height at which it reads well at a width: it grows with its rows.
pub(crate) fn height(chart: &MarkMatrix, width: f64) -> f64 {
    let size = text_size(width);
    let plan = plan_columns(chart, width, size, &|text, size| text_width(text, size, false));
    legend_height(&legend_items(chart), width, size)
        + plan.header
        + ROW_HEIGHT * size * chart.rows.len() as f64
        + 0.3 * size
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &MarkMatrix) -> Result<Layout, DrawError> {
    let set = pen.default_text_format();
    let plan = plan_columns(chart, pen.width, set.size, &|text, size| pen.measure_text(text, size, false));
    let top = pen.draw_legend(&legend_items(chart), 0.0, 0.0)?;
    let body = top + plan.header;
    let row = (pen.height - body) / chart.rows.len().max(1) as f64;
    let rect = PlotRect {
        x: pen.snap_to_edge(plan.names),
        y: pen.snap_to_edge(body),
        w: pen.snap_to_edge(plan.column * chart.columns.len() as f64),
        h: pen.snap_to_edge(row * chart.rows.len() as f64),
    };
    if let Some(at) = chart.asked.filter(|at| *at < chart.columns.len()) {
        let x = rect.x + at as f64 * plan.column;
        let band = PlotRect { x, y: top, w: plan.column, h: pen.height - top };
        pen.fill_rect(band, pen.theme.best_row_tint)?;
    }
    if let Some(at) = chart.opened.filter(|at| *at < chart.rows.len()) {
        let y = pen.snap_to_edge(body + at as f64 * row);
        pen.fill_rect(PlotRect { x: 0.0, y, w: pen.width, h: pen.snap_to_edge(row) }, pen.theme.best_row_tint)?;
    }
    draw_header(pen, chart, &plan, (rect.x, body))?;
    let mut layout = Layout { plot: rect, ..Layout::default() };
    for (nth, shown) in chart.rows.iter().enumerate() {
        let middle = body + (nth as f64 + 0.5) * row;
        draw_row(pen, chart, (nth, shown), (&plan, rect.x, middle, row), &mut layout.marks)?;
        pen.draw_horizontal_line(0.0, pen.width, middle + row / 2.0, pen.theme.grid)?;
    }
    Ok(layout)
}

fn draw_header<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &MarkMatrix,
    plan: &ColumnPlan,
    (left, bottom): (f64, f64),
) -> Result<(), DrawError> {
    let set = pen.default_text_format().with_colour(pen.theme.ink);
    let low = bottom - 0.9 * set.size;
    pen.draw_text(&chart.rows_title, (0.0, low), set.with_bold(true))?;
    for (at, title) in chart.columns.iter().chain(&chart.score_title).enumerate() {
        let bold = chart.asked == Some(at);
        let middle = left + (at as f64 + 0.5) * plan.column;
        let high = plan.two_lines && at % 2 == 1;
        let y = if high { low - 1.3 * set.size } else { low };
        // The outermost keep within the drawing.
        let half = 0.5 * pen.measure_text(title, set.size, bold);
        let middle = middle.min(pen.width - half);
        pen.draw_text(title, (middle, y), set.with_bold(bold).align_centre())?;
    }
    pen.draw_horizontal_line(0.0, pen.width, bottom, pen.theme.axis)
}

fn draw_row<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &MarkMatrix,
    (nth, row): (usize, &MarkRow),
    (plan, left, middle, height): (&ColumnPlan, f64, f64, f64),
    marks: &mut Vec<Mark>,
) -> Result<(), DrawError> {
    let opened = chart.opened == Some(nth);
    let set = pen.default_text_format().with_colour(pen.theme.ink);
    let small = pen.default_text_format().with_size(set.size - 1.5);
    let room = plan.names - 0.6 * set.size;
    let label = pen.truncate_to_fit(&row.label, set.size, opened, room);
    pen.draw_text(&label, (0.0, middle), set.with_bold(opened))?;
    let beside = pen.measure_text(&label, set.size, opened) + 0.6 * set.size;
    let detail = pen.truncate_to_fit(&row.detail, small.size, false, room - beside);
    // An ellipsis alone says nothing.
    if detail.chars().count() > 2 {
        pen.draw_text(&detail, (beside, middle), small)?;
    }
    let radius = MARK_RADIUS * set.size;
    for (at, cell) in row.cells.iter().enumerate() {
        let x = left + at as f64 * plan.column;
        let centre = x + plan.column / 2.0;
        let said_here = find_category(chart, cell);
        let shown = said_here.filter(|word| word.marker != Marker::None);
        match shown {
            None => pen.draw_text(NO_VALUE, (centre, middle), pen.default_text_format().align_centre())?,
            Some(word) => {
                let colour = pen.theme.role_colour(word.role);
                // Numbers stand under each other, so that marks do.
                let mark = if plan.numbered { x + 0.3 * plan.column } else { centre };
                pen.draw_marker(word.marker, (mark, middle), radius, colour)?;
                if plan.numbered {
                    pen.draw_text(&cell.text, (mark + radius + 0.4 * set.size, middle), small)?;
                }
            }
        }
        let column = chart.columns.get(at).map_or("", String::as_str);
        let text = match said_here {
            None => cell.says.clone(),
            Some(word) => format!("{}. {}", word.name, cell.says),
        };
        marks.push(Mark {
            x,
            y: middle - height / 2.0,
            w: plan.column,
            h: height,
            series: row.key.clone(),
            title: format!("{}: {}", row.label, column.to_lowercase()),
            text,
        });
    }
    if chart.score_title.is_some() {
        let centre = left + (chart.columns.len() as f64 + 0.5) * plan.column;
        pen.draw_text(&score_text(row), (centre, middle), set.with_bold(opened).align_centre())?;
    }
    Ok(())
}
