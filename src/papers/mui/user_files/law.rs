use serde::{Deserialize, Serialize};

use crate::io::csv::{normalise_column_name, read_records};
use crate::statistics::LogFit;
use crate::study::user_file::{BYTES_MAX, UserFile, UserFileError};

/// Most rows of a table.
const ROWS_MAX: usize = 100_000;
/// What models that a program names are called together.
const ROWS_NAME: &str = "rows";
/// Names of columns, in small letters and without what is no letter.
const PERFORMANCE_COLUMN_NAMES: [&str; 5] = ["accuracy", "performance", "acc", "p", "score"];
const MUI_COLUMN_NAMES: [&str; 3] = ["mui", "utilization", "index"];
const MODEL_COLUMN_NAMES: [&str; 4] = ["model", "name", "checkpoint", "step"];
/// What a file may hold.
const ALLOWED_COLUMNS: &str =
    "columns named accuracy (or performance) and mui (or index), both in percent, or two columns of numbers";

/// What a performance may be.
const ALLOWED_PERFORMANCE: &str = "a number above 0, in percent: the law takes its logarithm";
/// What an index may be.
const ALLOWED_MUI: &str = "a number from 0, in percent";

/// A model's performance and index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiPoint"))]
pub struct ModelPoint {
    /// Its name; its line where the table has none.
    pub model: String,
    /// In percent.
    pub performance: f64,
    /// In percent.
    pub index: f64,
}

/// A model of a reader's own, as a program has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiLawRow", optional_fields))]
pub struct LawRow {
    /// Its name; its place in the list where it has none.
    pub model: Option<String>,
    /// Performance in percent, above 0.
    pub accuracy: f64,
    /// Index in percent, from 0.
    pub mui: f64,
}

/// The law as it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiLaw"))]
pub struct LawResult {
    /// The slope: MUI = a ln P + b.
    pub a: f64,
    /// The intercept.
    pub b: f64,
    /// The correlation of ln P with the index; none where the index does not vary.
    pub r: Option<f64>,
    /// The probability of a slope of this size by chance; none for two models.
    pub p: Option<f64>,
    /// How many models.
    pub models: usize,
    /// The index that the law has at a performance of 100 %.
    pub at_100: f64,
    /// What else there is to know, a sentence each.
    pub notes: Vec<String>,
}

/// A reader's own models, and the law over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiOwnLaw"))]
pub struct UserLaw {
    /// The models.
    pub points: Vec<ModelPoint>,
    /// The law.
    pub law: LawResult,
}

/// Where the columns are.
struct Columns {
    model: Option<usize>,
    performance: usize,
    index: usize,
}

fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok()
}

impl Columns {
    /// By the names of a header; none where a name stands twice.
    fn from_header(header: &[String]) -> Option<Self> {
        let names: Vec<String> = header.iter().map(|name| normalise_column_name(name)).collect();
        let find = |wanted: &[&str]| {
            let name = wanted.iter().find(|wanted| names.iter().any(|name| name == **wanted))?;
            let mut places = names.iter().enumerate().filter(|(_, other)| *other == *name);
            let (first, _) = places.next()?;
            places.next().is_none().then_some(first)
        };
        Some(Self {
            model: find(&MODEL_COLUMN_NAMES),
            performance: find(&PERFORMANCE_COLUMN_NAMES)?,
            index: find(&MUI_COLUMN_NAMES)?,
        })
    }

    /// By what stands in a row, where no header says it.
    fn from_row(row: &[String]) -> Option<Self> {
        let (numbers, words): (Vec<usize>, Vec<usize>) =
            (0..row.len()).partition(|at| row.get(*at).is_some_and(|cell| is_number(cell)));
        let [performance, index] = numbers[..] else { return None };
        Some(Self { model: words.first().copied(), performance, index })
    }
}

/// The models of a table: `.csv` with a header, or without one and two columns of numbers, the performance
/// first. A line from # on is a comment.
///
/// # Errors
/// [`UserFileError`]: no such columns, a value that is no number, a performance of 0 or below, which has no
/// logarithm, or an index below 0.
pub fn read_points(file: &UserFile) -> Result<Vec<ModelPoint>, UserFileError> {
    let needed = file.bytes.len() as u64;
    if needed > BYTES_MAX {
        return Err(UserFileError::Memory { what: "the files", needed, cap: BYTES_MAX });
    }
    let mut columns: Option<Columns> = None;
    let mut points = Vec::new();
    for record in read_records(&file.name, &file.bytes, ALLOWED_COLUMNS) {
        let (line, cells) = record?;
        let cells: Vec<String> = cells.iter().map(str::to_owned).collect();
        let Some(columns) = &columns else {
            // A header may name a column by a year.
            let header = cells.first().is_some_and(|cell| !is_number(cell)) && Columns::from_header(&cells).is_some()
                || !cells.iter().any(|cell| is_number(cell));
            let found = if header { Columns::from_header(&cells) } else { Columns::from_row(&cells) };
            let Some(found) = found else {
                let (field, found) = (format!("line {line}"), cells.join(","));
                return Err(UserFileError::value(&file.name, field, found, ALLOWED_COLUMNS));
            };
            if !header {
                points.push(parse_point(&file.name, &cells, &found, line)?);
            }
            columns = Some(found);
            continue;
        };
        if points.len() == ROWS_MAX {
            let (field, found) = (format!("line {line}"), format!("more than {ROWS_MAX} rows"));
            return Err(UserFileError::value(&file.name, field, found, "at most 100,000"));
        }
        points.push(parse_point(&file.name, &cells, columns, line)?);
    }
    if points.is_empty() {
        return Err(UserFileError::value(&file.name, "rows", "none", ALLOWED_COLUMNS));
    }
    Ok(points)
}

/// A row's model.
fn parse_point(file: &str, cells: &[String], columns: &Columns, line: u64) -> Result<ModelPoint, UserFileError> {
    let number = |at: usize, what: &str, allowed: &str, fits: fn(f64) -> bool| {
        let cell = cells.get(at).map_or("", String::as_str);
        let found = cell.parse::<f64>().ok().filter(|value| value.is_finite() && fits(*value));
        let field = || format!("line {line}, {what}");
        found.ok_or_else(|| UserFileError::value(file, field(), format!("{cell:?}"), allowed))
    };
    let performance = number(columns.performance, "performance", ALLOWED_PERFORMANCE, |value| value > 0.0)?;
    let index = number(columns.index, "index", ALLOWED_MUI, |value| value >= 0.0)?;
    let named = columns.model.and_then(|at| cells.get(at)).filter(|name| !name.is_empty());
    let model = named.cloned().unwrap_or_else(|| format!("line {line}"));
    Ok(ModelPoint { model, performance, index })
}

/// The law over some models: least squares of the index on the logarithm of the performance.
///
/// # Errors
/// [`UserFileError::Value`] where there are fewer than two models, or all have one performance.
pub fn read_law(file: &UserFile) -> Result<LawResult, UserFileError> {
    fit_points(&file.name, &read_points(file)?)
}

/// The law over the models of a file, or of whatever has that name.
fn fit_points(name: &str, points: &[ModelPoint]) -> Result<LawResult, UserFileError> {
    let of = |value: fn(&ModelPoint) -> f64| -> Vec<f64> { points.iter().map(value).collect() };
    let performances = of(|point| point.performance);
    let refused = |error: crate::statistics::StatisticsError| {
        let allowed = "two models or more, of different performances";
        UserFileError::value(name, "performance", error.to_string(), allowed)
    };
    let fit = LogFit::fit(&performances, &of(|point| point.index)).map_err(refused)?;
    let mut notes = Vec::new();
    if performances.iter().all(|value| *value <= 1.0) {
        let note = "No performance is above 1: if these are shares, what is said of P = 100 means nothing, and the law \
                    in percent has other numbers.";
        notes.push(note.to_owned());
    }
    if points.iter().any(|point| point.performance > 100.0 || point.index > 100.0) {
        notes.push("Some performance or index is above 100, which no share in percent is.".to_owned());
    }
    if points.len() == 2 {
        notes.push("A line goes through any two models: that says nothing of a law.".to_owned());
    }
    Ok(LawResult {
        a: fit.line().slope(),
        b: fit.line().intercept(),
        r: fit.line().correlation(),
        p: fit.line().p(),
        models: points.len(),
        at_100: fit.predict(100.0).map_err(refused)?,
        notes,
    })
}

impl UserLaw {
    /// The models of one table, and the law over them.
    ///
    /// # Errors
    /// As [`read_law`].
    pub fn read(file: &UserFile) -> Result<Self, UserFileError> {
        let points = read_points(file)?;
        Ok(Self { law: fit_points(&file.name, &points)?, points })
    }

    /// The law over models that a program names.
    ///
    /// # Errors
    /// As [`read_points`] and [`read_law`]; what is refused is told by its row, from 0.
    pub fn from_rows(rows: Vec<LawRow>) -> Result<Self, UserFileError> {
        if rows.len() > ROWS_MAX {
            let found = rows.len().to_string();
            return Err(UserFileError::value(ROWS_NAME, "length", found, "at most 100,000"));
        }
        let point = |(at, row): (usize, LawRow)| {
            let LawRow { model, accuracy, mui } = row;
            let place = format!("{ROWS_NAME}[{at}]");
            if !(accuracy.is_finite() && accuracy > 0.0) {
                let found = accuracy.to_string();
                return Err(UserFileError::value(place, "accuracy", found, ALLOWED_PERFORMANCE));
            }
            if !(mui.is_finite() && mui >= 0.0) {
                return Err(UserFileError::value(place, "mui", mui.to_string(), ALLOWED_MUI));
            }
            let named = model.filter(|name| !name.is_empty());
            let model = named.unwrap_or_else(|| format!("model {at}"));
            Ok(ModelPoint { model, performance: accuracy, index: mui })
        };
        let points = rows.into_iter().enumerate().map(point).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { law: fit_points(ROWS_NAME, &points)?, points })
    }

    /// Whether a header is that of a table of models.
    pub(super) fn is_header(header: &[String]) -> bool {
        Columns::from_header(header).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> UserFile {
        UserFile { name: "models.csv".to_owned(), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn a_table_is_read_with_a_header_and_without() {
        let named = "# of mine\nMUI (%),Model,Accuracy\n5.4,A,11.9\n3.8,,25.8\n";
        let found = read_points(&file(named)).unwrap();
        assert_eq!(found[0], ModelPoint { model: "A".to_owned(), performance: 11.9, index: 5.4 });
        assert_eq!(found[1].model, "line 4");
        let bare = read_points(&file("11.9,5.4\n25.8,3.8\n")).unwrap();
        assert_eq!((bare.len(), bare[0].performance, bare[1].index), (2, 11.9, 3.8));
        assert_eq!(read_points(&file("x,11.9,5.4\n")).unwrap()[0].model, "x");
        let pandas = read_points(&file("index,model,accuracy,utilization\n0,A,11.9,5.4\n")).unwrap();
        assert_eq!((&*pandas[0].model, pandas[0].index), ("A", 5.4));
        let years = read_points(&file("accuracy,mui,2023\n11.9,5.4,1\n")).unwrap();
        assert_eq!((years[0].performance, years[0].index), (11.9, 5.4));
    }

    #[test]
    fn models_that_a_program_names_come_to_what_the_same_table_comes_to() {
        let row = |model: Option<&str>, accuracy, mui| LawRow { model: model.map(str::to_owned), accuracy, mui };
        let rows = vec![row(Some("a"), 11.9, 5.4), row(Some("b"), 25.8, 3.8), row(None, 58.7, 3.0)];
        let found = UserLaw::from_rows(rows.clone()).unwrap();
        let read = UserLaw::read(&file("model,accuracy,mui\na,11.9,5.4\nb,25.8,3.8\nmodel 2,58.7,3\n"));
        assert_eq!(found, read.unwrap());
        for (at, accuracy, mui, words) in [
            (1, 0.0, 3.8, "rows[1], accuracy: 0; allowed: a number above 0"),
            (2, f64::NAN, 3.0, "rows[2], accuracy: NaN"),
            (0, 11.9, -1.0, "rows[0], mui: -1; allowed: a number from 0"),
            (0, 11.9, f64::INFINITY, "rows[0], mui: inf"),
        ] {
            let mut rows = rows.clone();
            rows[at] = row(None, accuracy, mui);
            let error = UserLaw::from_rows(rows).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        assert!(UserLaw::from_rows(rows[..1].to_vec()).unwrap_err().to_string().contains("two models"));
        assert!(UserLaw::from_rows(Vec::new()).is_err());
    }

    #[test]
    fn what_is_no_table_of_models_is_refused_and_says_where() {
        for (text, words) in [
            ("", "rows"),
            ("accuracy,size\n1,2\n", "line 1"),
            ("1,2,3\n", "line 1"),
            ("accuracy,mui\n1,x\n", "line 2, index"),
            ("accuracy,mui\n0,2\n", "logarithm"),
            ("accuracy,mui\n5\n", "line 2, index"),
            ("accuracy,mui\n5,-1\n", "from 0"),
            ("accuracy,mui\n5,NaN\n", "NaN"),
            ("accuracy,mui\n", "none"),
            ("accuracy,mui_2023,mui_2024\n1,2,3\n", "line 1"),
        ] {
            let error = read_points(&file(text)).unwrap_err().to_string();
            assert!(error.contains(words), "{text:?}: {error}");
        }
        assert!(read_law(&file("5,1\n5,2\n")).unwrap_err().to_string().contains("different"));
        assert!(read_law(&file("5,1\n")).is_err());
        assert!(read_points(&UserFile { name: "x".to_owned(), bytes: vec![0xff, b',', b'1'] }).is_err());
    }

    #[test]
    fn the_law_is_fitted_and_says_what_is_odd() {
        let found = read_law(&file("10,20\n100,5\n")).unwrap();
        assert!((found.a + 6.514_417_228_548_777).abs() < 1e-12 && (found.b - 35.0).abs() < 1e-12);
        assert_eq!((found.p, found.models, found.notes.len()), (None, 2, 1));
        assert!(read_law(&file("0.1,0.2\n0.5,0.1\n0.9,0.1\n")).unwrap().notes[0].contains("shares"));
    }
}
