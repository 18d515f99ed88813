//! The three ways in which every command prints.

use std::error::Error;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use serde_json::{Map, Value};
use sfc_bench::papers::sfc::printed;
use sfc_bench::study::escape_formula;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Table,
    Json,
    Csv,
}

/// Whatever went wrong, also on another thread.
pub type BoxError = Box<dyn Error + Send + Sync>;

pub type TextResult = Result<String, BoxError>;

/// Columns, then rows, as text.
pub struct TextTable {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    pub fn new(columns: &[impl AsRef<str>]) -> Self {
        let columns = columns.iter().map(|column| column.as_ref().to_owned()).collect();
        Self { columns, rows: vec![] }
    }

    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    pub fn to_table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        table.set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row);
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            let numeric = |row: &Vec<String>| row[index].parse::<f64>().is_ok();
            if self.rows.iter().all(numeric) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        format!("{table}\n")
    }

    /// As CSV; or as a table, with what `about` puts around it.
    pub fn render(&self, format: Format, about: impl FnOnce(String) -> String) -> TextResult {
        if format == Format::Csv { self.to_csv() } else { Ok(about(self.to_table())) }
    }

    pub fn to_csv(&self) -> TextResult {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for record in std::iter::once(&self.columns).chain(&self.rows) {
            writer.write_record(record.iter().map(|cell| escape_formula(cell).into_owned()))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub struct OutputArgs {
    /// Print JSON, at full precision
    #[arg(long)]
    json: bool,
    /// Print CSV, at full precision
    #[arg(long)]
    csv: bool,
}

impl OutputArgs {
    pub fn format(&self) -> Format {
        match (self.json, self.csv) {
            (true, _) => Format::Json,
            (_, true) => Format::Csv,
            _ => Format::Table,
        }
    }
}

/// Results as the members of an object, in the order in which they are given.
pub fn to_json_map<T: Serialize>(
    found: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<Map<String, Value>, BoxError> {
    let each = found.into_iter();
    each.map(|(name, found)| Ok((name.to_owned(), serde_json::to_value(found)?))).collect()
}

pub fn to_json(value: &impl Serialize) -> TextResult {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// A number for people, three decimals; or for programs, all of them.
pub fn format_number(format: Format, value: f64) -> String {
    if format == Format::Table { printed::format_three_decimals(value) } else { value.to_string() }
}

/// One that there may be none of.
pub fn format_optional(format: Format, value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format_number(format, value))
}
