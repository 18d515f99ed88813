//! A chart's data for programs: typed, at full precision.

use serde::Serialize;

/// What a chart shows, in rows and columns: numbers as computed, not as rounded for the eye.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChartData {
    /// Headings.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<DataValue>>,
}

/// One value of [`ChartData`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum DataValue {
    /// No value, or none that is a number.
    Missing,
    /// Yes or no.
    Flag(bool),
    /// A finite number.
    Number(f64),
    /// A label.
    Text(String),
}

impl From<f64> for DataValue {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Missing }
    }
}

impl From<&str> for DataValue {
    fn from(text: &str) -> Self {
        if matches!(text, "" | "–") { Self::Missing } else { Self::Text(text.to_owned()) }
    }
}

impl<T: Into<DataValue>> From<Option<T>> for DataValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, T::into)
    }
}

/// A column with its values, from the first row to the last.
pub(super) type NamedValues = (String, Vec<DataValue>);

impl ChartData {
    /// Columns, of which the longest says how many rows there are.
    pub(super) fn from_columns(columns: &[NamedValues]) -> Self {
        let height = columns.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let row = |r: usize| {
            let at = |(_, values): &NamedValues| values.get(r).cloned().unwrap_or(DataValue::Missing);
            columns.iter().map(at).collect()
        };
        Self { rows: (0..height).map(row).collect(), columns: columns.iter().map(|(title, _)| title.clone()).collect() }
    }
}

/// Labels, and what is said about them where anything is.
pub(super) fn label_columns<'a>(
    title: &str,
    rows: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
) -> Vec<NamedValues> {
    let mut columns = vec![(title.to_owned(), rows.clone().map(|(label, _)| DataValue::from(label)).collect())];
    if rows.clone().any(|(_, detail)| detail.is_some()) {
        columns.push(("detail".to_owned(), rows.map(|(_, detail)| DataValue::from(detail)).collect()));
    }
    columns
}
