//! Tables of text: a header, and rows under it.

use crate::io::csv::{normalise_column_name, read_records};
use crate::io::{IoError, check_text};
use crate::study::user_file::{UserFile, UserFileError};

/// Most rows.
const ROWS_MAX: usize = 1_000_000;

/// A table's columns by their names.
#[derive(Debug)]
pub(super) struct CsvTable {
    file: String,
    /// Names in small letters, of letters alone.
    names: Vec<String>,
    /// Each row with its line.
    rows: Vec<(u64, csv::StringRecord)>,
}

impl CsvTable {
    /// Reads a file, of which a line from # on is a comment.
    pub fn parse(file: &UserFile, allowed: &str) -> Result<Self, UserFileError> {
        let bytes = check_text(&file.name, &file.bytes, allowed)?;
        let mut table = Self { file: file.name.clone(), names: Vec::new(), rows: Vec::new() };
        for record in read_records(&file.name, bytes, allowed) {
            let (line, cells) = record?;
            if table.names.is_empty() {
                table.names = cells.iter().map(normalise_column_name).collect();
                continue;
            }
            if cells.len() != table.names.len() {
                let found = format!("{} cells", cells.len());
                let needed = format!("{}, as in the header", table.names.len());
                return Err(table.cell_error(line, "row", found, &needed));
            }
            if table.rows.len() == ROWS_MAX {
                return Err(table.cell_error(line, "row", "one row more", "1,000,000 rows"));
            }
            table.rows.push((line, cells));
        }
        if table.rows.is_empty() {
            return Err(IoError::text(&file.name, 1, "no row under a header", allowed).into());
        }
        Ok(table)
    }

    /// Where the one column is that has one of some names.
    pub fn find_column(&self, names: &[&str]) -> Option<usize> {
        let mut found = self.names.iter().enumerate().filter(|(_, name)| names.contains(&name.as_str()));
        let (first, _) = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The header, for refusals.
    pub fn header(&self) -> String {
        self.names.join(", ")
    }

    /// The refusal of a cell.
    pub fn cell_error(&self, line: u64, what: &str, found: impl Into<String>, allowed: &str) -> UserFileError {
        UserFileError::value(&self.file, format!("line {line}, {what}"), found, allowed)
    }

    /// A column's cells with their lines.
    pub fn cells(&self, column: usize) -> impl Iterator<Item = (u64, &str)> {
        let each = self.rows.iter();
        each.map(move |(line, cells)| (*line, cells.get(column).unwrap_or_default()))
    }

    /// A column of finite numbers.
    pub fn parse_numbers(&self, column: usize, what: &str) -> Result<Vec<f64>, UserFileError> {
        let each = self.cells(column).map(|(line, cell)| {
            let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| self.cell_error(line, what, format!("{cell:?}"), "a finite number"))
        });
        each.collect()
    }

    /// A column of names, none of them empty.
    pub fn parse_names(&self, column: usize, what: &str) -> Result<Vec<String>, UserFileError> {
        let each = self.cells(column).map(|(line, cell)| match cell {
            "" => Err(self.cell_error(line, what, "nothing", "a name or a number")),
            cell => Ok(cell.to_owned()),
        });
        each.collect()
    }
}
