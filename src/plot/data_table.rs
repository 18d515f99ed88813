//! A chart as plain text: what a screen reader or a spreadsheet gets.

use serde::Serialize;

use super::parts::{Align, Status};

/// A chart as plain text: what a screen reader or a spreadsheet gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DataTable {
    /// Headings.
    pub columns: Vec<DataColumn>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<DataCell>>,
}

impl DataTable {
    /// A table of texts of which nothing is printed: labels first, then numbers.
    pub(crate) fn from_texts(labels: usize, columns: Vec<String>, rows: Vec<Vec<String>>) -> Self {
        let align = |index| if index < labels { Align::Left } else { Align::Right };
        let column = |(index, title)| DataColumn { title, align: align(index) };
        let cell = |text| DataCell { text, printed: None, status: None };
        Self {
            columns: columns.into_iter().enumerate().map(column).collect(),
            rows: rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect(),
        }
    }
}

/// A heading of a [`DataTable`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DataColumn {
    /// What the column holds.
    pub title: String,
    /// Alignment of its cells.
    pub align: Align,
}

/// A cell of a [`DataTable`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct DataCell {
    /// As computed, at the paper's precision.
    pub text: String,
    /// As the paper prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub printed: Option<String>,
    /// Against the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub status: Option<Status>,
}
