//! Tables as figures: their columns and cells, and a chart of them.

use super::format::fixed;
use super::{Align, Body, Chart, Column, Status, Table, TableCell};

/// A column without a detail.
pub(crate) fn column(label: &str, align: Align) -> Column {
    Column { label: label.to_owned(), detail: None, align }
}

/// A column of words.
pub(crate) fn left(label: &str) -> Column {
    column(label, Align::Left)
}

/// A column of numbers.
pub(crate) fn right(label: &str) -> Column {
    column(label, Align::Right)
}

/// A cell that is compared with nothing and has no number behind it.
pub(crate) fn text(words: impl Into<String>) -> TableCell {
    TableCell {
        text: words.into(),
        printed: None,
        detail: None,
        status: Status::Plain,
        exact: None,
    }
}

/// A number with so many decimals, at full precision behind them; "–" where there is none, or none that is finite.
pub(crate) fn number(value: impl Into<Option<f64>>, decimals: usize) -> TableCell {
    match value.into().filter(|value| value.is_finite()) {
        Some(value) => TableCell {
            exact: Some(value),
            status: Status::NotCompared,
            ..text(fixed(value, decimals))
        },
        None => text("–"),
    }
}

/// A chart of a table without a row that is set off; `said` are its summary and its caption.
pub(crate) fn table(
    id: &str,
    title: &str,
    said: [String; 2],
    columns: Vec<Column>,
    rows: Vec<Vec<TableCell>>,
) -> Chart {
    let [summary, caption] = said;
    let body = Body::Table(Table { columns, rows, best: None });
    Chart { id: id.to_owned(), title: title.to_owned(), summary, caption, body }
}
