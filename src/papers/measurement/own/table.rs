//! Tables of text: a header, and rows under it.

use crate::io::{IoError, no_text};
use crate::study::user_file::{UserFile, UserFileError};

/// Most rows.
const ROWS_MAX: usize = 1_000_000;

/// A table's columns by their names.
#[derive(Debug)]
pub(super) struct Table {
    file: String,
    /// Names in small letters, of letters alone.
    names: Vec<String>,
    /// Each row with its line.
    rows: Vec<(u64, csv::StringRecord)>,
}

/// A name without what is no letter, in small letters.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase()
}

impl Table {
    /// Reads a file, of which a line from # on is a comment.
    pub fn of(file: &UserFile, allowed: &str) -> Result<Self, UserFileError> {
        let refuse = |line: u64, found: String| {
            let (file, allowed) = (file.name.clone(), allowed.to_owned());
            UserFileError::from(IoError::Text { file, line, found, allowed })
        };
        if let Some(found) = no_text(&file.bytes) {
            return Err(refuse(1, found));
        }
        let bytes = file.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&file.bytes);
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_reader(bytes);
        let mut table = Self { file: file.name.clone(), names: Vec::new(), rows: Vec::new() };
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map_or(0, csv::Position::line);
                refuse(line, error.to_string())
            })?;
            let line = record.position().map_or(0, csv::Position::line);
            if table.names.is_empty() {
                table.names = record.iter().map(plain).collect();
                continue;
            }
            if record.len() != table.names.len() {
                let found = format!("{} cells", record.len());
                let needed = format!("{}, as in the header", table.names.len());
                return Err(table.refusal(line, "row", found, &needed));
            }
            if table.rows.len() == ROWS_MAX {
                return Err(table.refusal(
                    line,
                    "row",
                    "one row more".to_owned(),
                    "1,000,000 rows",
                ));
            }
            table.rows.push((line, record));
        }
        if table.rows.is_empty() {
            return Err(refuse(1, "no row under a header".to_owned()));
        }
        Ok(table)
    }

    /// Where the one column is that has one of some names.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        let mut found =
            self.names.iter().enumerate().filter(|(_, name)| names.contains(&name.as_str()));
        let (first, _) = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The header, for refusals.
    pub fn header(&self) -> String {
        self.names.join(", ")
    }

    /// The refusal of a cell.
    pub fn refusal(&self, line: u64, what: &str, found: String, allowed: &str) -> UserFileError {
        let field = format!("line {line}, {what}");
        UserFileError::Value { file: self.file.clone(), field, found, allowed: allowed.to_owned() }
    }

    /// A column's cells with their lines.
    pub fn cells(&self, column: usize) -> impl Iterator<Item = (u64, &str)> {
        self.rows.iter().map(move |(line, row)| (*line, row.get(column).unwrap_or_default()))
    }

    /// A column of finite numbers.
    pub fn numbers(&self, column: usize, what: &str) -> Result<Vec<f64>, UserFileError> {
        let each = self.cells(column).map(|(line, cell)| {
            let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| self.refusal(line, what, format!("{cell:?}"), "a finite number"))
        });
        each.collect()
    }

    /// A column of names, none of them empty.
    pub fn words(&self, column: usize, what: &str) -> Result<Vec<String>, UserFileError> {
        let each = self.cells(column).map(|(line, cell)| match cell {
            "" => Err(self.refusal(line, what, "nothing".to_owned(), "a name or a number")),
            cell => Ok(cell.to_owned()),
        });
        each.collect()
    }
}
