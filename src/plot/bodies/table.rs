//! Tables: computed values, the paper's beside them, and whether they agree.

use std::borrow::Cow;

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::{DataCell, DataColumn, DataTable};
use crate::plot::format::format_exact;
use crate::plot::layout::{DrawError, Grid, GridColumn, Layout, Mark, PlotRect};
use crate::plot::legend::{LegendItem, LegendKey, arrange_legend};
use crate::plot::measure::{text_size, text_width};
use crate::plot::parts::{Align, ColourRole, Status};
use crate::plot::pen::Pen;

/// Rows × columns of text, computed beside printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// From left to right.
    pub columns: Vec<Column>,
    /// From top to bottom; each as long as `columns`.
    pub rows: Vec<Vec<TableCell>>,
    /// The row to set off.
    pub best: Option<usize>,
}

/// Heading of a table's column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Name.
    pub label: String,
    /// More about it, e.g. the weights a score is under.
    pub detail: Option<String>,
    /// Alignment of its cells.
    pub align: Align,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableCell {
    /// As computed, at the paper's precision.
    pub text: String,
    /// As the paper prints it.
    pub printed: Option<String>,
    /// More about the text, smaller, where nothing is printed.
    pub detail: Option<String>,
    /// Against the paper.
    pub status: Status,
    /// The number at full precision, for readouts and exports: the detail's where there is one.
    pub exact: Option<f64>,
}

/// More rows than this are thinned out; the data table keeps them all.
const ROWS_MAX: usize = 40;
/// Space at the left and right edge.
const EDGE_PADDING: f64 = 6.0;
/// The share of the width that one column's text may take where all of them do not fit; longer text is cut short.
const COLUMN_SHARE_MAX: f64 = 0.42;
/// The smallest text a table shrinks to.
const TEXT_SIZE_MIN: f64 = 8.0;

/// How a table is laid out at a width.
#[derive(Clone, Debug)]
struct TablePlan {
    /// Size of ordinary cells.
    size: f64,
    /// What is printed goes under, not beside.
    stacked: bool,
    columns: Vec<ColumnPlace>,
    /// Indices of the rows that are drawn.
    rows: Vec<usize>,
    legend: f64,
    header: f64,
    row: f64,
    foot: f64,
}

/// Where a column's parts go.
#[derive(Clone, Copy, Debug)]
struct ColumnPlace {
    /// Left edge of left-aligned text.
    left: f64,
    /// Right edge of right-aligned text.
    right: f64,
    /// Left edge of the glyph.
    glyph: f64,
    /// Left edge of what is printed beside.
    side: f64,
    /// Room for the text.
    main: f64,
    /// Left edge and width of the whole.
    x: f64,
    w: f64,
}

impl TablePlan {
    /// The height of the drawing.
    fn height(&self) -> f64 {
        self.legend + self.header + self.row * self.rows.len() as f64 + self.foot + 2.0
    }

    /// Where the cells are.
    fn grid(&self) -> Grid {
        let column = |place: &ColumnPlace| GridColumn {
            x: place.x,
            w: place.w,
            left: place.left,
            right: place.right,
            side: place.side,
        };
        Grid {
            size: self.size,
            side_size: side_text_size(self.size),
            stacked: self.stacked,
            header: [self.legend, self.header],
            top: self.legend + self.header,
            row: self.row,
            columns: self.columns.iter().map(column).collect(),
        }
    }
}

/// Widths of a column's parts.
#[derive(Clone, Copy)]
struct ColumnParts {
    main: f64,
    glyph: f64,
    side: f64,
}

impl ColumnParts {
    fn width(self, stacked: bool) -> f64 {
        if stacked { self.main.max(self.side) + self.glyph } else { self.main + self.glyph + self.side }
    }
}

/// Measures text: the text, its size, and whether it is bold.
type MeasureFn<'a> = &'a dyn Fn(&str, f64, bool) -> f64;

/// Lays a table out at a width: beside if there is room, under if not, smaller if it must be.
///
/// Where the height is given it was planned with other font widths than `measure`'s: the plan then
/// keeps to it.
fn plan_table(table: &Table, width: f64, height: Option<f64>, measure: MeasureFn<'_>) -> TablePlan {
    let base = text_size(width);
    let smaller =
        |from: f64| std::iter::successors(Some(from), |size| Some(size - 0.5)).take_while(|s| *s >= TEXT_SIZE_MIN);
    let rows = select_drawn_rows(table);
    let widths = measure_columns(table, &rows, base, measure);
    let lay = |size: f64, stacked: bool| plan_at_size(table, (&rows, &widths), width, (size, stacked), measure);
    let by_width = std::iter::once((base, false)).chain(smaller(base).map(|size| (size, true)));
    let mut chosen = None;
    for (size, stacked) in by_width {
        let (plan, spare) = lay(size, stacked);
        let roomy = spare >= size;
        chosen = Some(plan);
        if roomy {
            break;
        }
    }
    let mut plan = chosen.unwrap_or_else(|| lay(base, false).0);
    let Some(height) = height else { return plan };
    if plan.height() > height + 1.0 {
        let tight = smaller(base)
            .map(|size| lay(size, false))
            .find(|(plan, spare)| *spare >= 0.4 * plan.size && plan.height() <= height + 1.0);
        if let Some((tight, _)) = tight {
            plan = tight;
        }
    }
    let rows = plan.rows.len().max(1) as f64;
    let room = (height - plan.height()) / rows + plan.row;
    plan.row = room.clamp(1.2 * plan.size, 1.4 * plan.row).floor();
    plan
}

/// The plan at one size, and the space that is left between two columns.
fn plan_at_size(
    table: &Table,
    (rows, widths): (&[usize], &[ColumnWidths]),
    width: f64,
    (size, stacked): (f64, bool),
    measure: MeasureFn<'_>,
) -> (TablePlan, f64) {
    let base = text_size(width);
    let mut parts = column_parts(widths, base, size, stacked);
    let gaps = parts.len().saturating_sub(1).max(1) as f64;
    let spare = |parts: &[ColumnParts]| {
        let total: f64 = parts.iter().map(|p| p.width(stacked)).sum();
        (width - 2.0 * EDGE_PADDING - total) / gaps
    };
    if spare(&parts) < size {
        for p in &mut parts {
            p.main = p.main.min(COLUMN_SHARE_MAX * width);
        }
    }
    let spare = spare(&parts);
    let stacked = stacked && has_side_text(table);
    let two_line_header = stacked && has_heading_detail(table);
    let items = legend_items(table);
    let legend = arrange_legend(&items, width - EDGE_PADDING, base, &|t| measure(t, base, false)).height(base);
    let plan = TablePlan {
        size,
        stacked,
        columns: place_columns(table, &parts, (size, stacked), spare.clamp(2.0, 16.0 * size)),
        legend: legend.round(),
        header: (if two_line_header { 3.4 } else { 2.1 } * size).round(),
        row: (if stacked { 3.3 } else { 2.2 } * size).round(),
        foot: if rows.len() < table.rows.len() { (2.2 * size).round() } else { 0.0 },
        rows: rows.to_vec(),
    };
    (plan, spare)
}

fn has_heading_detail(table: &Table) -> bool {
    table.columns.iter().any(|c| c.detail.is_some())
}

fn has_side_text(table: &Table) -> bool {
    has_heading_detail(table) || table.rows.iter().flatten().any(|c| side_text(c).is_some())
}

/// What is written smaller beside or under a cell's text.
fn side_text(cell: &TableCell) -> Option<&str> {
    cell.printed.as_deref().or(cell.detail.as_deref())
}

/// Whether a cell may have a glyph.
fn has_glyph(status: Status) -> bool {
    matches!(status, Status::Agrees | Status::Differs | Status::Ordinary | Status::Unusual)
}

fn side_text_size(size: f64) -> f64 {
    (0.84 * size).max(TEXT_SIZE_MIN)
}

/// Every row, or an even choice of them that keeps the first, the last and the best.
fn select_drawn_rows(table: &Table) -> Vec<usize> {
    let n = table.rows.len();
    if n <= ROWS_MAX {
        return (0..n).collect();
    }
    let steps = ROWS_MAX - 2;
    let mut rows: Vec<usize> = (0..=steps).map(|i| i * (n - 1) / steps).collect();
    rows.extend(table.best.filter(|b| *b < n));
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// How wide the texts of a column are, ordinary ones in the size that is tried first, the smaller ones in theirs. Widths grow
/// with the size: a text is measured once, whatever sizes are tried.
#[derive(Clone, Copy)]
struct ColumnWidths {
    label: f64,
    heading_detail: f64,
    main: f64,
    side: Option<f64>,
    signed: bool,
}

fn measure_columns(table: &Table, rows: &[usize], size: f64, measure: MeasureFn<'_>) -> Vec<ColumnWidths> {
    let small = side_text_size(size);
    let column = |(c, heading): (usize, &Column)| {
        let detail = heading.detail.as_deref();
        let mut found = ColumnWidths {
            label: measure(&heading.label, size, true),
            heading_detail: detail.map_or(0.0, |detail| measure(detail, small, false)),
            main: 0.0,
            side: None,
            signed: false,
        };
        let cells = || rows.iter().filter_map(|r| table.rows.get(*r)?.get(c));
        // A canvas that is given another font for each text takes longer over fonts than over texts.
        for cell in cells() {
            found.main = found.main.max(measure(&cell.text, size, true));
            found.signed |= has_glyph(cell.status);
        }
        for cell in cells() {
            if let Some(text) = side_text(cell) {
                let width = measure(text, small, false);
                found.side = Some(found.side.unwrap_or(0.0).max(width));
            }
        }
        found
    };
    table.columns.iter().enumerate().map(column).collect()
}

/// The parts of columns whose texts are so wide at `base`, at a size.
fn column_parts(widths: &[ColumnWidths], base: f64, size: f64, stacked: bool) -> Vec<ColumnParts> {
    let (times, small) = (size / base, side_text_size(size) / side_text_size(base));
    let column = |found: &ColumnWidths| {
        let (label, detail) = (found.label * times, found.heading_detail * small);
        let heading = match (stacked, detail > 0.0) {
            (true, _) => label.max(detail),
            (false, true) => label + 0.4 * size + detail,
            (false, false) => label,
        };
        let gap = if stacked { 0.0 } else { 0.5 * size };
        ColumnParts {
            main: heading.max(found.main * times),
            glyph: if found.signed { 1.3 * size } else { 0.0 },
            side: found.side.map_or(0.0, |width| width * small + gap),
        }
    };
    widths.iter().map(column).collect()
}

fn place_columns(table: &Table, parts: &[ColumnParts], (size, stacked): (f64, bool), spare: f64) -> Vec<ColumnPlace> {
    let mut x = EDGE_PADDING;
    let mut places = Vec::with_capacity(parts.len());
    for (p, column) in parts.iter().zip(&table.columns) {
        let main = if stacked { p.main.max(p.side) } else { p.main };
        let right = x + main;
        places.push(ColumnPlace {
            left: x,
            right,
            glyph: right + 0.85 * size,
            side: match column.align {
                Align::Right => right + p.glyph + 0.5 * size,
                Align::Left => x,
            },
            main,
            x: x - spare / 2.0,
            w: p.width(stacked) + spare,
        });
        x += p.width(stacked) + spare;
    }
    places
}

/// The legend of a table: what the glyphs mean.
fn legend_items(table: &Table) -> Vec<LegendItem<'static>> {
    let has = |status| table.rows.iter().flatten().any(|c| c.status == status);
    let item = |name, note, status| LegendItem { name, note, role: ColourRole::Neutral, key: LegendKey::Glyph(status) };
    let agrees = item("rounds to the printed value", Some("(small)"), Status::Agrees);
    let differs = item("does not", None, Status::Differs);
    let unusual = item("unusual: outside the middle 90 % of the seeds", None, Status::Unusual);
    match (has(Status::Agrees), has(Status::Differs)) {
        _ if has(Status::Unusual) => vec![unusual],
        (true, true) => vec![agrees, differs],
        (true, false) => vec![agrees],
        (false, true) => {
            vec![item("differs from the printed value", Some("(small)"), Status::Differs)]
        }
        (false, false) => Vec::new(),
    }
}

pub(crate) fn data_table(table: &Table) -> DataTable {
    let heading = |c: &Column| DataColumn {
        title: match &c.detail {
            Some(detail) => format!("{} {detail}", c.label),
            None => c.label.clone(),
        },
        align: c.align,
    };
    let cell = |c: &TableCell| DataCell {
        text: match (&c.printed, &c.detail, c.status) {
            // The sign is not seen here.
            (None, Some(detail), Status::Unusual) if detail != "unusual" => {
                format!("{} {detail}, unusual", c.text)
            }
            (None, Some(detail), _) => format!("{} {detail}", c.text),
            _ => c.text.clone(),
        },
        printed: c.printed.clone(),
        status: (c.status != Status::Plain).then_some(c.status),
    };
    DataTable {
        columns: table.columns.iter().map(heading).collect(),
        rows: table.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
    }
}

/// Numbers where there are any; what shares a cell has a column of its own.
pub(crate) fn named_values(table: &Table) -> Vec<NamedValues> {
    let mut columns = Vec::new();
    for (c, heading) in table.columns.iter().enumerate() {
        let title = match &heading.detail {
            Some(detail) => format!("{} {detail}", heading.label),
            None => heading.label.clone(),
        };
        let [mut main, mut details, mut printed, mut agrees] = [const { Vec::new() }; 4];
        for cell in table.rows.iter().filter_map(|row| row.get(c)) {
            let text = DataValue::from(cell.text.as_str());
            let exact = cell.exact.map(DataValue::from);
            let (value, detail) = match cell.detail.as_deref() {
                // Where there is a detail, the number is in it.
                Some(detail) => (text, exact.unwrap_or_else(|| DataValue::from(detail))),
                None => (exact.unwrap_or(text), DataValue::Missing),
            };
            main.push(value);
            details.push(detail);
            printed.push(cell.printed.as_deref().map_or(DataValue::Missing, parse_printed));
            agrees.push(match cell.status {
                Status::Agrees => DataValue::Flag(true),
                Status::Differs => DataValue::Flag(false),
                _ => DataValue::Missing,
            });
        }
        let more = [("detail", details), ("printed", printed), ("agrees", agrees)]
            .into_iter()
            .filter(|(_, values)| values.iter().any(|value| *value != DataValue::Missing))
            .map(|(what, values)| (format!("{title} ({what})"), values));
        let more: Vec<NamedValues> = more.collect();
        columns.push((title, main));
        columns.extend(more);
    }
    columns
}

/// What the paper prints: a number where it reads as one, such as "0.874"; else the text.
fn parse_printed(printed: &str) -> DataValue {
    parse_decimal(printed).map_or_else(|| DataValue::from(printed), DataValue::from)
}

/// A decimal of at most 15 digits. Both integers are exact then, and so their quotient is the nearest
/// number; the standard library's parser would add its tables to what the page loads.
fn parse_decimal(text: &str) -> Option<f64> {
    let (sign, text) = text.strip_prefix('−').map_or((1.0, text), |rest| (-1.0, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = || whole.bytes().chain(fraction.bytes());
    let plain = !whole.is_empty() && digits().all(|b| b.is_ascii_digit()) && digits().count() <= 15;
    let value = |digits: f64, b: u8| digits * 10.0 + f64::from(b - b'0');
    let divisor = fraction.bytes().fold(1.0, |power, _| power * 10.0);
    plain.then(|| sign * digits().fold(0.0, value) / divisor)
}

/// The height at which it reads well at a width: it grows with its rows.
pub(crate) fn height(table: &Table, width: f64) -> f64 {
    plan_table(table, width, None, &text_width).height()
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, table: &Table) -> Result<Layout, DrawError> {
    let measure = |text: &str, size: f64, bold: bool| pen.measure_text(text, size, bold);
    let plan = plan_table(table, pen.width, Some(pen.height), &measure);
    pen.draw_legend(&legend_items(table), EDGE_PADDING, 0.0)?;
    let right = plan.columns.last().map_or(pen.width, |c| c.x + c.w).min(pen.width);
    let right = right.max(0.0);
    draw_header(pen, table, &plan, right)?;
    let body = plan.legend + plan.header;
    let mut layout = Layout {
        plot: PlotRect { x: 0.0, y: body, w: right, h: plan.row * plan.rows.len() as f64 },
        grid: (plan.rows.len() == table.rows.len()).then(|| plan.grid()),
        ..Layout::default()
    };
    for (i, r) in plan.rows.iter().enumerate() {
        let top = body + i as f64 * plan.row;
        let Some(row) = table.rows.get(*r) else { continue };
        if table.best == Some(*r) {
            let band = PlotRect { x: 0.0, y: pen.snap_to_edge(top), w: right, h: pen.snap_to_edge(plan.row) };
            pen.fill_rect(band, pen.theme.best_row_tint)?;
        }
        pen.draw_horizontal_line(0.0, right, top + plan.row, pen.theme.grid)?;
        for (c, (cell, place)) in row.iter().zip(&plan.columns).enumerate() {
            let align = table.columns.get(c).map_or(Align::Left, |c| c.align);
            let bold = matches!(cell.status, Status::Differs | Status::Unusual) || table.best == Some(*r);
            draw_cell(pen, &plan, (cell, align, bold), place, top)?;
            if cell.status != Status::Plain {
                layout.marks.push(cell_mark(table, row, c, place, (top, plan.row)));
            }
        }
    }
    if plan.foot > 0.0 {
        let set = pen.default_text_format();
        let text = format!("{} of {} rows drawn; the text table has them all.", plan.rows.len(), table.rows.len());
        let text = pen.truncate_to_fit(&text, set.size, false, pen.width - 2.0 * EDGE_PADDING);
        let y = body + layout.plot.h + 0.5 * plan.foot;
        pen.draw_text(&text, (EDGE_PADDING, y), set)?;
    }
    Ok(layout)
}

fn draw_header<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    table: &Table,
    plan: &TablePlan,
    right: f64,
) -> Result<(), DrawError> {
    let set = pen.default_text_format().with_size(plan.size).with_bold(true).with_colour(pen.theme.ink);
    let small = pen.default_text_format().with_size(side_text_size(plan.size));
    let bottom = plan.legend + plan.header;
    let two_lines = plan.stacked && has_heading_detail(table);
    for (column, place) in table.columns.iter().zip(&plan.columns) {
        let (x, set, small) = match column.align {
            Align::Left => (place.left, set, small),
            Align::Right => (place.right, set.align_right(), small.align_right()),
        };
        let y = bottom - if two_lines { 2.3 } else { 1.05 } * plan.size;
        match (&column.detail, two_lines) {
            (None, _) => pen.draw_text(&column.label, (x, y), set)?,
            (Some(detail), true) => {
                pen.draw_text(&column.label, (x, y), set)?;
                pen.draw_text(detail, (x, y + 1.25 * plan.size), small)?;
            }
            (Some(detail), false) => {
                let wide = pen.measure_text(detail, small.size, false) + 0.4 * plan.size;
                let label = pen.measure_text(&column.label, plan.size, true);
                let (label_x, detail_x) = match column.align {
                    Align::Left => (x, x + label + 0.4 * plan.size),
                    Align::Right => (x - wide, x),
                };
                pen.draw_text(&column.label, (label_x, y), set)?;
                pen.draw_text(detail, (detail_x, y), small)?;
            }
        }
    }
    pen.draw_horizontal_line(0.0, right, bottom, pen.theme.axis)
}

fn draw_cell<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    plan: &TablePlan,
    (cell, align, bold): (&TableCell, Align, bool),
    place: &ColumnPlace,
    top: f64,
) -> Result<(), DrawError> {
    let colour = match cell.status {
        Status::Differs | Status::Unusual => pen.theme.status_colour(cell.status),
        _ => pen.theme.ink,
    };
    let set = pen.default_text_format().with_size(plan.size).with_bold(bold).with_colour(colour);
    let small = pen.default_text_format().with_size(side_text_size(plan.size));
    let beside = side_text(cell);
    let two_lines = plan.stacked && beside.is_some();
    let middle = top + plan.row / 2.0;
    let y = if two_lines { middle - 0.58 * plan.size } else { middle };
    let (x, set) = match align {
        Align::Left => (place.left, set),
        Align::Right => (place.right, set.align_right()),
    };
    // Fonts are asked only where the estimate, which is on the wide side, leaves a doubt.
    let words = if text_width(&cell.text, plan.size, bold) <= place.main {
        Cow::Borrowed(cell.text.as_str())
    } else {
        Cow::from(pen.truncate_to_fit(&cell.text, plan.size, bold, place.main + 1.0))
    };
    pen.draw_text(&words, (x, y), set)?;
    let main = match align {
        Align::Left if has_glyph(cell.status) || beside.is_some() => pen.measure_text(&words, plan.size, bold),
        _ => 0.0,
    };
    let glyph = match align {
        Align::Left => place.left + main + 0.85 * plan.size,
        Align::Right => place.glyph,
    };
    pen.draw_glyph(cell.status, (glyph, y), 0.36 * plan.size)?;
    let Some(text) = beside else { return Ok(()) };
    let y_under = middle + 0.67 * plan.size;
    match (two_lines, align) {
        (true, Align::Left) => pen.draw_text(text, (place.left, y_under), small),
        (true, Align::Right) => pen.draw_text(text, (place.right, y_under), small.align_right()),
        (false, Align::Right) => pen.draw_text(text, (place.side, y), small),
        (false, Align::Left) => {
            let after = if has_glyph(cell.status) { 1.8 } else { 0.5 } * plan.size;
            pen.draw_text(text, (place.left + main + after, y), small)
        }
    }
}

fn cell_mark(table: &Table, row: &[TableCell], c: usize, place: &ColumnPlace, (y, h): (f64, f64)) -> Mark {
    let column = table.columns.get(c).map_or("", |c| c.label.as_str());
    let first = table.columns.first();
    let name = row.first().map_or("", |cell| cell.text.as_str());
    let title = match first {
        Some(first) if first.align == Align::Right => format!("{} = {name}", first.label),
        _ => name.to_owned(),
    };
    let cell = row.get(c);
    let value = cell.map_or_else(String::new, |c| match c.exact {
        Some(number) if c.detail.is_none() => format_exact(number),
        _ => c.text.clone(),
    });
    let printed = cell.and_then(|c| c.printed.as_deref().map(|p| (p, c.status)));
    let text = match printed {
        Some((printed, Status::Agrees)) => format!("{column} = {value}, printed {printed}: agrees"),
        Some((printed, Status::Differs)) => {
            format!("{column} = {value}, printed {printed}: differs")
        }
        _ => {
            let word = match cell.map(|c| c.status) {
                Some(Status::Ordinary) => ": ordinary",
                Some(Status::Unusual) => ": unusual",
                _ => "",
            };
            format!("{column} = {value}{word}")
        }
    };
    Mark { x: place.x, y, w: place.w, h, series: column.to_owned(), title, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_decimals_are_read_as_the_standard_library_reads_them() {
        for thousandths in 0..2_000 {
            let text = format!("{:.3}", f64::from(thousandths) / 1000.0);
            assert_eq!(parse_decimal(&text), text.parse().ok(), "{text}");
        }
        for text in ["0", "48", "7.25", "123456789012.345"] {
            assert_eq!(parse_decimal(text), text.parse().ok(), "{text}");
        }
        assert_eq!(parse_decimal("−53.21"), Some(-53.21));
        for text in ["", ".", "8/8", "SAE-sp85", "1e5", "+1", "1.2.3", "1234567890.1234567"] {
            assert_eq!(parse_decimal(text), None, "{text}");
        }
    }
}
