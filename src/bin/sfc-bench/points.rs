use std::io;
use std::path::Path;

use sfc_bench::io::{DoubtfulCell, FirstLine, LabelDetection, SkippedLines, detect_dialect};
use sfc_bench::pareto::Objectives;

use crate::input;

/// Most points of a file.
const POINTS_MAX: usize = 1_000_000;
/// Most bytes of a file, and of one of its lines.
const FILE_BYTES_MAX: u64 = 256 << 20;
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Why a file holds no points.
#[derive(Debug, thiserror::Error)]
pub enum PointsError {
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: io::Error },
    #[error("{file} is not CSV: {error}")]
    NotCsv { file: String, error: csv::Error },
    #[error("{file}, line {line}: more points than {POINTS_MAX}")]
    TooMany { file: String, line: u64 },
    #[error("{file}, line {line}: {found} {} where 3 are needed", if *found == 1 { "column" } else { "columns" })]
    ColumnCount { file: String, line: u64, found: usize },
    #[error("{file}, line {line}: {found}; allowed: {allowed}")]
    Dialect { file: String, line: u64, found: &'static str, allowed: &'static str },
    #[error("{file} has no points; allowed: at least one")]
    Empty { file: String },
    #[error("{file}, line {line}, column {column}: {text:?} is not a finite number")]
    NotANumber { file: String, line: u64, column: usize, text: String },
    #[error("{file}, line {line}, column {}: {:?}; allowed: {}", found.column, found.cell, DoubtfulCell::ALLOWED_LINE)]
    Doubtful { file: String, line: u64, found: DoubtfulCell },
}

impl PointsError {
    /// A stable code, e.g. `points.columns`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "points.unreadable",
            Self::NotCsv { .. } => "points.not-csv",
            Self::Empty { .. } => "points.none",
            Self::TooMany { .. } => "points.too-many",
            Self::ColumnCount { .. } => "points.columns",
            Self::Dialect { .. } => "points.separator",
            Self::NotANumber { .. } | Self::Doubtful { .. } => "points.number",
        }
    }
}

/// Points from a CSV file of three columns, and what was left out, in sentences: a first line of names is
/// a header, a line from # on a comment; and what `labels` says.
pub fn read(path: &Path, labels: LabelDetection) -> Result<(Vec<Objectives>, Vec<String>), PointsError> {
    let file = path.display().to_string();
    let input = match input::open_bounded(path, FILE_BYTES_MAX, Some(LINE_BYTES_MAX)) {
        Ok(input) => input,
        Err(error) => return Err(PointsError::Unreadable { file, error }),
    };
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(input);
    let (mut points, mut left) = (Vec::new(), SkippedLines::default());
    let (mut first, mut whole): (Option<(FirstLine, u64)>, bool) = (None, true);
    for record in reader.records() {
        let record = record.map_err(|error| PointsError::NotCsv { file: file.clone(), error })?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells: Vec<&str> = record.iter().collect();
        let refuse = |error: PointsError| match detect_dialect(&cells.join(",")) {
            Some((found, allowed)) => PointsError::Dialect { file: file.clone(), line, found, allowed },
            None => error,
        };
        let doubtful = |found| refuse(PointsError::Doubtful { file: file.clone(), line, found });
        // Left to the reader, comments would shift the lines' numbers.
        if left.try_take_comment(line, record.iter()).map_err(doubtful)? {
            continue;
        }
        let columns = |found: usize| PointsError::ColumnCount { file: file.clone(), line, found };
        let FirstLine { index_column: index, .. } = match &first {
            Some((found, _)) => *found,
            None => {
                // A header of another width is no header of points: most likely the file is something else.
                if !(3..=4).contains(&cells.len()) {
                    return Err(refuse(columns(cells.len())));
                }
                let found = left.classify_first_line(line, &cells, labels).map_err(doubtful)?;
                first = Some((found, line));
                if cells.len() != 3 + usize::from(found.index_column.is_some()) {
                    return Err(refuse(columns(cells.len())));
                }
                if found.is_header {
                    continue;
                }
                found
            }
        };
        let numbers = match (index, cells.as_slice()) {
            (Some(index), [at, others @ ..]) if index.accepts(points.len() as u64, at) => others,
            (None, all) => all,
            _ => return Err(columns(cells.len())),
        };
        whole = whole && (points.is_empty() || numbers.iter().all(|cell| cell.parse::<i64>().is_ok()));
        let &[x, y, z] = numbers else { return Err(refuse(columns(cells.len()))) };
        let mut point = [0.0; 3];
        for (axis, (value, text)) in point.iter_mut().zip([x, y, z]).enumerate() {
            *value = text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| {
                refuse(PointsError::NotANumber {
                    file: file.clone(),
                    line,
                    column: axis + 1 + cells.len() - numbers.len(),
                    text: text.to_owned(),
                })
            })?;
        }
        if points.len() == POINTS_MAX {
            return Err(PointsError::TooMany { file, line });
        }
        points.push(point);
    }
    if let Some((found, line)) = first {
        if found.counts_columns && left.take_counting_header(line, 3, points.len() as u64, whole) {
            points.remove(0);
        }
        if found.index_column.is_some() {
            left.mark_index_column();
        }
    }
    Ok((points, left.describe(&file)))
}
