//! Tables as figures: their columns and cells, and a chart of them.

use super::format::{fixed, fixed3};
use super::{Align, Chart, ChartBody, Column, Status, Table, TableCell};

/// The columns of a table as one text: " | " stands between them, ">" before one of numbers, which is aligned to the
/// right, and " ~ " before what is said of one in small print.
///
/// "task | >accuracy (%) ~ test items" is a column of words and one of numbers with a detail.
pub(crate) fn parse_columns(text: &str) -> Vec<Column> {
    text.split(" | ").map(parse_column).collect()
}

/// One of [`parse_columns`].
fn parse_column(text: &str) -> Column {
    let (align, text) = match text.strip_prefix('>') {
        Some(text) => (Align::Right, text),
        None => (Align::Left, text),
    };
    let (label, detail) = match text.split_once(" ~ ") {
        Some((label, detail)) => (label, Some(detail.to_owned())),
        None => (text, None),
    };
    Column { label: label.to_owned(), detail, align }
}

/// A cell that is compared with nothing and has no number behind it.
pub(crate) fn text_cell(words: impl Into<String>) -> TableCell {
    TableCell { text: words.into(), printed: None, detail: None, status: Status::Plain, exact: None }
}

/// A number with so many decimals, at full precision behind them; "–" where there is none, or none that is finite.
pub(crate) fn number_cell(value: impl Into<Option<f64>>, decimals: usize) -> TableCell {
    match value.into().filter(|value| value.is_finite()) {
        Some(value) => {
            TableCell { exact: Some(value), status: Status::NotCompared, ..text_cell(fixed(value, decimals)) }
        }
        None => text_cell("–"),
    }
}

/// How many there are.
pub(crate) fn count_cell(value: usize) -> TableCell {
    TableCell { exact: Some(value as f64), status: Status::NotCompared, ..text_cell(value.to_string()) }
}

/// "0.612–0.655"; "–" where there are no ends.
pub(crate) fn range_cell(ends: Option<(f64, f64)>) -> TableCell {
    match ends {
        Some((low, high)) => text_cell(format!("{}–{}", fixed3(low), fixed3(high))),
        None => text_cell("–"),
    }
}

/// A chart of a table without a row that is set off; `said` are its summary and its caption.
pub(crate) fn table_chart(
    id: &str,
    title: &str,
    [summary, caption]: [String; 2],
    columns: Vec<Column>,
    rows: Vec<Vec<TableCell>>,
) -> Chart {
    let body = ChartBody::Table(Table { columns, rows, best: None });
    Chart::new(id, title, summary, caption, body)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_from_one_text() {
        let named = |label: &str, detail: Option<&str>, align| Column {
            label: label.to_owned(),
            detail: detail.map(str::to_owned),
            align,
        };
        let found = parse_columns("task |  | >|ρ| ~ test items | MUI > 0");
        let expected = [
            named("task", None, Align::Left),
            named("", None, Align::Left),
            named("|ρ|", Some("test items"), Align::Right),
            named("MUI > 0", None, Align::Left),
        ];
        assert_eq!(found, expected);
        assert_eq!(parse_columns(""), [named("", None, Align::Left)]);
    }
}
