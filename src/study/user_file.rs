//! What a reader gives a study: small files all together; and what they report, beside what is computed anew.

use std::rc::Rc;

use serde::Serialize;

use super::{escape_formula, impl_failure_from};
use crate::io::json::{Json, JsonNode};
use crate::io::{DataFile, Entries, EscapedRule, EscapedText, IoError, ReadAt, file_stem, text_constructors};

/// Most bytes that all files may have together.
pub const BYTES_MAX: u64 = 64 << 20;
/// Most bytes that the arrays of all files may take in memory.
pub const ARRAY_BYTES_MAX: u64 = 128 << 20;
/// Most files.
pub const FILES_MAX: usize = 10_000;
/// Numbers that differ by no more than this share of the larger one agree: what a mean of numbers of 32 bits
/// leaves.
pub const AGREEMENT_TOLERANCE: f64 = 1e-6;

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// Its name, with the folders that it came in, between slashes.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A file that is read piece by piece.
pub struct StreamedUserFile {
    /// Its name, with the folders that it came in, between slashes.
    pub name: String,
    /// Its bytes.
    pub source: Rc<dyn ReadAt>,
}

/// A file that is held whole.
impl From<UserFile> for StreamedUserFile {
    fn from(UserFile { name, bytes }: UserFile) -> Self {
        Self { name, source: Rc::new(bytes) }
    }
}

impl UserFile {
    /// The folders that it came in, and its name without them.
    #[must_use]
    pub fn folder_and_name(&self) -> (&str, &str) {
        folder_and_name(&self.name)
    }
}

impl StreamedUserFile {
    /// As [`UserFile::folder_and_name`].
    #[must_use]
    pub fn folder_and_name(&self) -> (&str, &str) {
        folder_and_name(&self.name)
    }
}

fn folder_and_name(name: &str) -> (&str, &str) {
    let end = name.rfind(['/', '\\']);
    end.map_or(("", name), |end| (name.get(..end).unwrap_or(""), name.get(end + 1..).unwrap_or(name)))
}

/// Why files that were given are not read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UserFileError {
    /// A file is refused.
    #[error(transparent)]
    Io(#[from] IoError),
    /// There is none.
    #[error("no file was given; allowed: {allowed}")]
    NoFiles {
        /// What may be given.
        allowed: String,
    },
    /// There are too many.
    #[error("{found} files; allowed: {FILES_MAX}")]
    Count {
        /// How many there are.
        found: usize,
    },
    /// They are too large, or what is made of them is.
    #[error("{what} take {needed} bytes; allowed: {cap}")]
    Memory {
        /// What is.
        what: &'static str,
        /// Bytes it takes.
        needed: u64,
        /// Bytes it may take.
        cap: u64,
    },
    /// What a file or an array of it is for is not told by its name.
    #[error("{}: its name does not say what it is; allowed: {}", EscapedText(file), EscapedRule(allowed))]
    Unknown {
        /// The file, or the array of it.
        file: String,
        /// Names that do.
        allowed: String,
    },
    /// The same thing is given twice.
    #[error("{}: {} and {}; allowed: one of them", EscapedText(what), EscapedText(first), EscapedText(second))]
    Duplicate {
        /// What.
        what: String,
        /// Where first.
        first: String,
        /// And where again.
        second: String,
    },
    /// Something else is needed with what is given.
    #[error("{}: not given; {}", EscapedText(what), EscapedRule(allowed))]
    Missing {
        /// What.
        what: String,
        /// What would do.
        allowed: String,
    },
    /// A value is none of those that it may be, or does not fit the others.
    #[error("{}, {}: {}; allowed: {}", EscapedText(file), EscapedText(field), EscapedText(found), EscapedRule(allowed))]
    Value {
        /// The file, or the array of it.
        file: String,
        /// Which value.
        field: String,
        /// What it is.
        found: String,
        /// What it may be.
        allowed: String,
    },
}

impl UserFileError {
    text_constructors! {
        pub(crate) unknown => Unknown { file, allowed };
        pub(crate) duplicate => Duplicate { what, first, second };
        pub(crate) missing => Missing { what, allowed };
        pub(crate) value => Value { file, field, found, allowed };
    }

    /// A stable code, e.g. `given.value`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(error) => error.code(),
            Self::NoFiles { .. } => "given.none",
            Self::Count { .. } => "given.count",
            Self::Memory { .. } => "given.memory",
            Self::Unknown { .. } => "given.unknown",
            Self::Duplicate { .. } => "given.twice",
            Self::Missing { .. } => "given.missing",
            Self::Value { .. } => "given.value",
        }
    }

    /// The file to blame, where there is one.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Io(error) => Some(error.file_name()),
            Self::NoFiles { .. } | Self::Count { .. } | Self::Memory { .. } => None,
            Self::Unknown { file, .. } | Self::Value { file, .. } => Some(file),
            Self::Duplicate { second, .. } => Some(second),
            Self::Missing { what, .. } => Some(what),
        }
    }
}

impl_failure_from!(UserFileError);

/// Refuses no file, and too many.
pub(crate) fn check_count(files: usize, allowed: &str) -> Result<(), UserFileError> {
    match files {
        0 => Err(UserFileError::NoFiles { allowed: allowed.to_owned() }),
        1..=FILES_MAX => Ok(()),
        found => Err(UserFileError::Count { found }),
    }
}

/// Refuses what is too much altogether, and nothing.
pub(crate) fn check_sizes(files: &[UserFile], allowed: &str) -> Result<(), UserFileError> {
    check_count(files.len(), allowed)?;
    let needed = files.iter().map(|file| file.bytes.len() as u64).sum();
    if needed > BYTES_MAX {
        return Err(UserFileError::Memory { what: "the files", needed, cap: BYTES_MAX });
    }
    Ok(())
}

/// A file that was given, and whether it could be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GivenRow {
    /// Its name.
    pub file: String,
    /// What it was taken for: "activations", "results", "output_centric_ratings", ….
    pub role: String,
    /// Why it was left out, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub refused: Option<Refused>,
}

/// A refusal, as plain data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Refused {
    /// Its stable code.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl GivenRow {
    pub(crate) fn new(file: &str, role: &str, error: Option<&UserFileError>) -> Self {
        let refused = error.map(|error| Refused { code: error.code().to_owned(), message: error.to_string() });
        Self { file: file.to_owned(), role: role.to_owned(), refused }
    }
}

/// How a reported number stands to the one that is computed anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ReportedVerdict"))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// They are the same, or both no numbers.
    Agrees,
    /// They are not.
    Differs,
    /// It cannot be computed anew from what was given.
    AsReported,
    /// It is computed, and was not reported.
    NotReported,
}

impl Verdict {
    /// As tables have it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::AsReported => "as reported",
            Self::NotReported => "not reported",
        }
    }
}

/// A number that a file reports, and the same computed anew.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Reported {
    /// The file.
    pub file: String,
    /// Which number, by the file's own name of it.
    pub quantity: String,
    /// What the file says; null where that is no finite number, or nothing.
    pub reported: Option<f64>,
    /// What it says where that is no finite number: "NaN", "Infinity", "-Infinity" or "null".
    pub reported_as: Option<String>,
    /// What comes of the inputs by the code's reading; null where that has no value, or they were not given.
    pub recomputed: Option<f64>,
    /// The same by the document's reading.
    pub document: Option<f64>,
    /// Reported less recomputed.
    pub difference: Option<f64>,
    /// How they stand.
    pub verdict: Verdict,
    /// Why there is nothing to compare, or why they differ where that is known.
    pub why: Option<String>,
}

/// What a file says of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ReportedNumber {
    /// The number, NaN and infinities among them.
    Number(f64),
    /// `null`.
    Null,
    /// It says nothing.
    Missing,
}

impl ReportedNumber {
    /// What is at a place of a file.
    pub fn from_json(place: &JsonNode<'_>) -> Result<Self, IoError> {
        match place.value() {
            Json::Number(value) => Ok(Self::Number(*value)),
            Json::Null => Ok(Self::Null),
            _ => Err(place.invalid_value_error("a number, NaN or null")),
        }
    }

    /// The number, where it is a finite one.
    pub fn finite(self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(value).filter(|value| value.is_finite()),
            Self::Null | Self::Missing => None,
        }
    }
}

/// What comes of the inputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recomputed {
    /// By the code's reading and by the document's; none where a reading has no value.
    Values(Option<f64>, Option<f64>),
    /// They were not given, or do not suffice: why.
    Unknown(String),
}

impl Reported {
    pub(crate) fn new(file: &str, quantity: &str, said: ReportedNumber, anew: Recomputed, why: Option<&str>) -> Self {
        let (number, reported_as) = match said {
            ReportedNumber::Number(value) if value.is_finite() => (Some(value), None),
            ReportedNumber::Number(value) if value.is_nan() => (None, Some("NaN")),
            ReportedNumber::Number(value) => (None, Some(if value > 0.0 { "Infinity" } else { "-Infinity" })),
            ReportedNumber::Null => (None, Some("null")),
            ReportedNumber::Missing => (None, None),
        };
        let (recomputed, document, unknown) = match anew {
            Recomputed::Values(code, document) => (code, document, None),
            Recomputed::Unknown(why) => (None, None, Some(why)),
        };
        let verdict = match (unknown.is_some(), said, number.zip(recomputed)) {
            (true, ..) => Verdict::AsReported,
            (_, ReportedNumber::Missing, _) => Verdict::NotReported,
            (_, _, Some((number, recomputed))) if is_close(number, recomputed) => Verdict::Agrees,
            // Neither is a number.
            _ if number.is_none() && recomputed.is_none() => Verdict::Agrees,
            _ => Verdict::Differs,
        };
        Self {
            file: file.to_owned(),
            quantity: quantity.to_owned(),
            reported: number,
            reported_as: reported_as.map(str::to_owned),
            recomputed,
            document,
            difference: number.zip(recomputed).map(|(number, recomputed)| number - recomputed),
            verdict,
            why: unknown.or_else(|| why.map(str::to_owned)),
        }
    }

    /// The number, or what the file has instead, as a table has it.
    #[must_use]
    pub fn reported_text(&self) -> String {
        match (self.reported, &self.reported_as) {
            (Some(number), _) => format_cell(Some(number)),
            (None, Some(text)) => text.clone(),
            (None, None) => format_cell(None),
        }
    }
}

/// Whether two numbers are the same, to what numbers of 32 bits leave.
pub(crate) fn is_close(a: f64, b: f64) -> bool {
    f64::abs(a - b) <= AGREEMENT_TOLERANCE * f64::max(a.abs(), b.abs())
}

/// A table, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it is of.
    pub title: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// Its rows, a text a column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Self { title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// As comma-separated values, the columns' names first.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        for record in std::iter::once(&self.columns).chain(&self.rows) {
            // Memory takes whatever is written.
            let _ = writer.write_record(record.iter().map(|cell| escape_formula(cell).into_owned()));
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// A number of a table: four digits after the point, or a dash where there is none.
pub(crate) fn format_cell(value: Option<f64>) -> String {
    match value {
        Some(value) if value.fract() == 0.0 && value.abs() < 1e15 => value.to_string(),
        Some(value) if value.abs() < 1e-4 || value.abs() >= 1e7 => format!("{value:e}"),
        Some(value) => format!("{value:.4}"),
        None => "–".to_owned(),
    }
}

/// The files that were left out, and why; nothing where all were read.
pub(crate) fn refused_table(files: &[GivenRow]) -> Option<Table> {
    let mut table = Table::new("Files that were left out", &["file", "why"]);
    for row in files {
        if let Some(refused) = &row.refused {
            table.rows.push(vec![row.file.clone(), refused.message.clone()]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Reported numbers beside those computed anew.
pub(crate) fn reported_table(title: &str, rows: &[Reported]) -> Table {
    let columns = ["quantity", "reported", "recomputed", "document", "difference", "verdict", "why"];
    let mut table = Table::new(title, &columns);
    for row in rows {
        table.rows.push(vec![
            row.quantity.clone(),
            row.reported_text(),
            format_cell(row.recomputed),
            format_cell(row.document),
            format_cell(row.difference),
            row.verdict.label().to_owned(),
            row.why.clone().unwrap_or_default(),
        ]);
    }
    table
}

/// An array of a file that was given.
#[derive(Debug)]
pub(crate) struct UserArray {
    /// The file, and the array of it where that has a name.
    pub label: String,
    /// The file's name without folders and ending.
    pub file_stem: String,
    /// The array's own name, in whatever folder of an archive; empty where it is the only one.
    pub name: String,
    /// Rows: as many as entries where there is one dimension, or one row alone.
    pub rows: usize,
    /// Columns: one where there is one dimension, or one row alone.
    pub cols: usize,
    /// Whether the file has one row, or one dimension.
    pub is_vector: bool,
    /// Row by row.
    pub values: Entries,
}

/// Words of a name: what is between anything but letters and digits, in small letters.
pub(crate) fn split_words(name: &str) -> Vec<String> {
    let parts = name.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

/// Reads arrays of files until they take more than they may.
pub(crate) struct ArrayReader {
    left: u64,
    /// What was left out of text files, in sentences.
    pub notes: Vec<String>,
}

impl ArrayReader {
    pub fn new() -> Self {
        Self { left: ARRAY_BYTES_MAX, notes: Vec::new() }
    }

    /// All arrays of a file.
    pub fn read(&mut self, file: UserFile) -> Result<Vec<UserArray>, UserFileError> {
        let (_, base) = file.folder_and_name();
        let stem = file_stem(base).to_owned();
        let opened = DataFile::open(&file.name, Box::new(file.bytes), self.left)?;
        opened.verify_checksums()?;
        self.notes.extend(opened.unread_notes());
        let mut read = Vec::new();
        for array in opened.arrays() {
            let size = if array.dtype().exceeds_f32() { 8 } else { 4 };
            let needed = (array.rows() as u64).saturating_mul(array.cols() as u64).saturating_mul(size);
            let Some(left) = self.left.checked_sub(needed) else {
                let needed = needed.saturating_add(ARRAY_BYTES_MAX - self.left);
                return Err(UserFileError::Memory { what: "the arrays", needed, cap: ARRAY_BYTES_MAX });
            };
            self.left = left;
            let name = array.name().rsplit('/').next().unwrap_or_default().to_owned();
            let label = match array.name() {
                "" => file.name.clone(),
                name => format!("{}:{name}", file.name),
            };
            let values = array.read_entries()?;
            let vector = array.rows() == 1;
            let (rows, cols) = if vector { (array.cols(), 1) } else { (array.rows(), array.cols()) };
            let stem = stem.clone();
            read.push(UserArray { label, file_stem: stem, name, rows, cols, is_vector: vector, values });
        }
        Ok(read)
    }

    /// Gives all arrays of a file to `take`, which says what each is; of those that it does not know there is a note.
    ///
    /// # Errors
    /// [`UserFileError::Unknown`] where it knows none, and those of `take`.
    pub fn classify_arrays(
        &mut self,
        file: UserFile,
        allowed: &str,
        notes: &mut Vec<String>,
        mut take: impl FnMut(UserArray) -> Result<Option<&'static str>, UserFileError>,
    ) -> Result<GivenRow, UserFileError> {
        let (name, mut roles) = (file.name.clone(), Vec::new());
        for array in self.read(file)? {
            let label = array.label.clone();
            match take(array)? {
                Some(role) => roles.push(role),
                None => {
                    notes.push(format!("{label} was left out: its name does not say what it is."));
                }
            }
        }
        if roles.is_empty() {
            return Err(UserFileError::unknown(name, allowed));
        }
        roles.dedup();
        Ok(GivenRow::new(&name, &roles.join(", "), None))
    }
}

impl UserArray {
    /// Rows and columns as the file has them: what is one row there was made a column.
    pub fn file_shape(&self) -> (usize, usize) {
        if self.is_vector { (1, self.rows) } else { (self.rows, self.cols) }
    }

    /// The refusal of its shape.
    pub fn shape_error(&self, allowed: String) -> UserFileError {
        let found =
            if self.is_vector { format!("{} values", self.rows) } else { format!("{} × {}", self.rows, self.cols) };
        UserFileError::value(&self.label, "shape", found, allowed)
    }

    /// The refusal of an entry, by its index where rows have `cols` columns.
    pub fn entry_error(&self, at: usize, cols: usize, found: &str, allowed: &str) -> UserFileError {
        let field = format!("row {}, column {}", at / cols.max(1), at % cols.max(1));
        UserFileError::value(&self.label, field, found, allowed)
    }

    /// Entries by their shortest digits, row by row.
    pub fn shortest_decimals(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.values.len()).filter_map(|at| self.values.get_shortest_decimal(at))
    }

    /// A column, from 0.
    pub fn column(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(column).step_by(self.cols.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(said: ReportedNumber, anew: Recomputed) -> Reported {
        Reported::new("a.json", "x", said, anew, None)
    }

    #[test]
    fn reported_numbers_stand_beside_those_computed() {
        let values = |code| Recomputed::Values(code, None);
        for (said, anew, verdict) in [
            (ReportedNumber::Number(1.0), values(Some(1.0 + 1e-9)), Verdict::Agrees),
            (ReportedNumber::Number(1.0), values(Some(1.0 + 1e-5)), Verdict::Differs),
            (ReportedNumber::Number(0.0), values(Some(0.0)), Verdict::Agrees),
            (ReportedNumber::Number(f64::NAN), values(None), Verdict::Agrees),
            (ReportedNumber::Number(f64::NAN), values(Some(0.5)), Verdict::Differs),
            (ReportedNumber::Number(0.5), values(None), Verdict::Differs),
            (ReportedNumber::Null, values(None), Verdict::Agrees),
            (ReportedNumber::Missing, values(Some(0.5)), Verdict::NotReported),
            (ReportedNumber::Number(0.5), Recomputed::Unknown("no inputs".to_owned()), Verdict::AsReported),
        ] {
            assert_eq!(row(said, anew.clone()).verdict, verdict, "{said:?} {anew:?}");
        }
        let infinite = row(ReportedNumber::Number(f64::NEG_INFINITY), values(Some(1.0)));
        assert_eq!((infinite.reported_text().as_str(), infinite.difference), ("-Infinity", None));
    }

    #[test]
    fn names_are_parted_from_folders() {
        let file = |name: &str| UserFile { name: name.to_owned(), bytes: vec![] };
        assert_eq!(file("a/b/c.json").folder_and_name(), ("a/b", "c.json"));
        assert_eq!(file("a\\c.json").folder_and_name(), ("a", "c.json"));
        assert_eq!(file("c.json").folder_and_name(), ("", "c.json"));
        assert_eq!(file("a/").folder_and_name(), ("a", ""));
    }

    #[test]
    fn too_much_is_refused_before_it_is_read() {
        let file = |bytes: usize| UserFile { name: "a.npy".to_owned(), bytes: vec![0; bytes] };
        assert_eq!(check_sizes(&[], "x").unwrap_err().code(), "given.none");
        let half = BYTES_MAX as usize / 2;
        assert!(check_sizes(&[file(half), file(half)], "x").is_ok());
        assert_eq!(check_sizes(&[file(half), file(half + 1)], "x").unwrap_err().code(), "given.memory");
        let many = vec![file(0); FILES_MAX + 1];
        assert_eq!(check_sizes(&many, "x").unwrap_err().code(), "given.count");
    }
}
