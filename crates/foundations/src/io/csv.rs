use std::io::{BufReader, Read};
use std::rc::Rc;

use super::array::{Array, Layout, Storage};
use super::{DType, DoubtfulCell, FirstLine, IoError, LabelDetection, ReadAt, SkippedLines, detect_dialect, unquote};

/// What a text file may hold.
const ALLOWED_TEXT: &str = "comma-separated numbers in UTF-8";
/// Most bytes one line may have.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Numbers between commas, in quotes or not, one row a line, and what was left out: a first line of names is a header,
/// a line from # on a comment; and what `labels` says.
pub(super) fn open(
    file: &str,
    source: &Rc<dyn ReadAt>,
    cap: u64,
    labels: LabelDetection,
) -> Result<(Array, SkippedLines), IoError> {
    let limited = LineLimitedReader { source: &**source, at: 0, line: 0 };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        // A quote that is never closed would make one cell of all the rest.
        .quoting(false)
        .from_reader(BufReader::new(limited));
    let (mut values, mut cols, mut rows) = (Vec::new(), 0, 0u64);
    let (mut record, mut left) = (csv::ByteRecord::new(), SkippedLines::default());
    let (mut first, mut first_at, mut whole) = (FirstLine::default(), 0, true);
    loop {
        let line = reader.position().line();
        let refuse = |found: String, allowed: &str| Err(IoError::text(file, line, found, allowed));
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return refuse(error.to_string(), ALLOWED_TEXT),
        }
        // A comment may be in any encoding.
        let comment = record.get(0).is_some_and(|cell| cell.starts_with(b"#"));
        let cells = record.iter().map(|cell| Ok(unquote(str::from_utf8(cell)?)));
        let cells = cells.collect::<Result<Vec<&str>, std::str::Utf8Error>>();
        let cells = match cells {
            Ok(cells) => cells,
            Err(_) if comment => vec!["#"],
            Err(error) => return refuse(error.to_string(), ALLOWED_TEXT),
        };
        let other = || detect_dialect(&cells.join(",")).map(|(found, allowed)| refuse(found.to_owned(), allowed));
        let doubtful = |found: DoubtfulCell| {
            if let Some(refused) = other() {
                return refused;
            }
            let found = format!("{:?} in column {}", found.cell, found.column);
            refuse(found, DoubtfulCell::ALLOWED_LINE)
        };
        match left.try_take_comment(line, cells.iter().copied()) {
            Ok(true) => continue,
            Ok(false) => {}
            Err(found) => return doubtful(found),
        }
        if rows == 0 && cols == 0 {
            cols = cells.len();
            first_at = line;
            match left.classify_first_line(line, &cells, labels) {
                Ok(found) => first = found,
                Err(found) => return doubtful(found),
            }
            if first.is_header {
                continue;
            }
        }
        if cells.len() != cols {
            if let Some(refused) = other() {
                return refused;
            }
            return refuse(format!("{} cells", cells.len()), &format!("{cols}, as above"));
        }
        for (column, cell) in cells.iter().enumerate() {
            let value = cell.parse::<f64>().ok();
            match value.filter(|value| value.is_finite()) {
                Some(value) => values.push(value),
                None => {
                    if let Some(refused) = other() {
                        return refused;
                    }
                    let cell: String = cell.chars().take(40).collect();
                    let found = format!("{cell:?} in column {}", column + 1);
                    return refuse(found, "finite 64-bit floats");
                }
            }
        }
        first.index_column =
            first.index_column.filter(|index| cells.first().is_some_and(|cell| index.accepts(rows, cell)));
        if record.iter().any(|cell| cell.starts_with(b"\"")) {
            left.mark_quoted();
        }
        whole = whole && (rows == 0 || cells.iter().all(|cell| cell.parse::<i64>().is_ok()));
        rows += 1;
        // A vector that grows may take twice what it holds.
        let needed = 16 * values.len() as u64;
        if needed > cap {
            let what = "its numbers".to_owned();
            return Err(IoError::TooLarge { file: file.to_owned(), what, needed, cap });
        }
    }
    if values.is_empty() {
        return Err(IoError::text(file, 1, "no row of numbers", "at least one"));
    }
    if first.counts_columns && left.take_counting_header(first_at, cols, rows, whole) {
        values.drain(..cols);
        rows -= 1;
    }
    if first.index_column.is_some() {
        left.mark_index_column();
        let mut at = 0;
        values.retain(|_| {
            at += 1;
            (at - 1) % cols != 0
        });
        cols -= 1;
    }
    values.shrink_to_fit();
    let shape = vec![rows, cols as u64];
    let layout = Layout { dtype: DType::Float64, big_endian: false, fortran_order: false, shape };
    Ok((Array::new(file, "", layout, Storage::Parsed(Rc::new(values))), left))
}

/// Cells of a table as text, row by row as they are asked for, with the line that each row stands on; a line from # on
/// is a comment.
///
/// # Errors
/// [`IoError::Text`] for a row that is not in UTF-8.
pub fn read_records(
    file: &str,
    bytes: &[u8],
    allowed: &str,
) -> impl Iterator<Item = Result<(u64, csv::StringRecord), IoError>> {
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(bytes);
    reader.into_records().map(move |record| {
        let line = |at: Option<&csv::Position>| at.map_or(0, csv::Position::line);
        match record {
            Ok(cells) => Ok((line(cells.position()), cells)),
            Err(error) => Err(IoError::text(file, line(error.position()), error.to_string(), allowed)),
        }
    })
}

/// A column's name without what is no letter, in small letters.
pub fn normalise_column_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase()
}

/// A source read from front to back, whose lines may not be endless: the reader of lines holds one
/// of them whole.
struct LineLimitedReader<'a> {
    source: &'a dyn ReadAt,
    at: u64,
    line: u64,
}

impl Read for LineLimitedReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let held = (self.source.size() - self.at).min(into.len() as u64) as usize;
        self.source.read_at(self.at, &mut into[..held]).map_err(std::io::Error::other)?;
        self.at += held as u64;
        match into[..held].iter().rposition(|byte| *byte == b'\n') {
            Some(end) => self.line = (held - end - 1) as u64,
            None => self.line += held as u64,
        }
        if self.line > LINE_BYTES_MAX {
            return Err(std::io::Error::other(format!("a line of more than {LINE_BYTES_MAX} bytes")));
        }
        Ok(held)
    }
}
