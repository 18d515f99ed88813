//! Which answers are right, from a file of their own.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::line_reader::LineReader;
use super::record::{AnswerRecord, CORRECTNESS_KEYS, NAME_KEYS, RecordError, read_record};
use crate::io::csv::read_records;
use crate::io::json::{Json, JsonNode};
use crate::io::{IoError, ReadAt, check_text};
use crate::study::user_file::{BYTES_MAX, UserFileError};

/// Most answers.
pub(super) const ANSWERS_MAX: usize = 1_000_000;
/// What says right or wrong.
const ALLOWED_FLAGS: &str = "1 or 0, true or false";

/// Answers of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AnswerFlags {
    pub file: String,
    /// By name, where the file has names.
    by_name: Option<BTreeMap<String, bool>>,
    told: FlagEncoding,
}

#[derive(Clone, Debug, PartialEq)]
enum FlagEncoding {
    /// One after the other, as many as there are answers.
    Flags(Vec<bool>),
    /// The indices of the right ones, from 0.
    RightIndices(Vec<u64>),
}

impl AnswerFlags {
    fn new(file: &str, names: Vec<Option<String>>, each: Vec<bool>) -> Result<Self, UserFileError> {
        let all: Option<Vec<String>> = names.into_iter().collect();
        let mut by_name = BTreeMap::new();
        if let Some(names) = all {
            for (at, (name, right)) in names.into_iter().zip(&each).enumerate() {
                if let Some(other) = by_name.insert(name.clone(), *right)
                    && other != *right
                {
                    let field = format!("answer {at}");
                    let found = format!("{name:?} is right here and wrong there");
                    return Err(UserFileError::value(file, field, found, "every name once"));
                }
            }
        }
        let by_name = (by_name.len() == each.len() && !each.is_empty()).then_some(by_name);
        Ok(Self { file: file.to_owned(), by_name, told: FlagEncoding::Flags(each) })
    }

    /// Flags one after the other, without names.
    pub fn from_flags(file: &str, each: Vec<bool>) -> Self {
        Self { file: file.to_owned(), by_name: None, told: FlagEncoding::Flags(each) }
    }

    /// How many there are, where the file says it.
    pub fn count(&self) -> Option<usize> {
        match &self.told {
            FlagEncoding::Flags(each) => Some(each.len()),
            FlagEncoding::RightIndices(_) => None,
        }
    }

    /// Whether an answer is right: by its name where both have one, else by its place, from 0.
    pub fn is_right(&self, name: Option<&str>, place: usize) -> Option<bool> {
        if let Some((by_name, name)) = self.by_name.as_ref().zip(name) {
            return by_name.get(name).copied();
        }
        match &self.told {
            FlagEncoding::Flags(each) => each.get(place).copied(),
            FlagEncoding::RightIndices(right) => Some(right.binary_search(&(place as u64)).is_ok()),
        }
    }

    /// By what answers are joined.
    pub fn joins_by_name(&self, named: bool) -> bool {
        self.by_name.is_some() && named
    }

    /// From a table with a column that says right or wrong, and if it has one a column of names.
    pub fn from_table(file: &str, header: &[String], rows: &[(u64, Vec<String>)]) -> Result<Self, UserFileError> {
        let place = |wanted: &[&str]| header.iter().position(|name| wanted.contains(&name.as_str()));
        let (name, right) = (place(&NAME_KEYS), place(&CORRECTNESS_KEYS));
        let mut names = Vec::with_capacity(rows.len());
        let mut each = Vec::with_capacity(rows.len());
        for (line, cells) in rows {
            let cell = right.and_then(|at| cells.get(at)).map_or("", String::as_str);
            let found = match cell.to_ascii_lowercase().as_str() {
                "1" | "1.0" | "true" => true,
                "0" | "0.0" | "false" => false,
                _ => {
                    return Err(IoError::text(file, *line, format!("{cell:?}"), ALLOWED_FLAGS).into());
                }
            };
            each.push(found);
            names.push(name.and_then(|at| cells.get(at)).cloned());
        }
        Self::new(file, names, each)
    }

    /// From lines of JSON, an answer each.
    pub fn from_lines(file: &str, source: &Rc<dyn ReadAt>) -> Result<Self, UserFileError> {
        let mut lines = LineReader::new(file, source)?;
        let (mut names, mut each) = (Vec::new(), Vec::new());
        while let Some((line, text)) = lines.next_line()? {
            let refuse = |found: &str, allowed: &str| IoError::text(file, line, found, allowed);
            let AnswerRecord { is_right: right, name, .. } = read_record(text).map_err(|error| match error {
                RecordError::NoJson(found) => refuse(&found, "JSON"),
                RecordError::Value { field, found, allowed } => refuse(&format!("{field}: {found}"), &allowed),
            })?;
            let Some(right) = right else {
                return Err(refuse("neither right nor wrong", ALLOWED_FLAGS).into());
            };
            if each.len() == ANSWERS_MAX {
                return Err(refuse("one answer more", "1,000,000 answers").into());
            }
            each.push(right);
            names.push(name);
        }
        Self::new(file, names, each)
    }

    /// From a list: of true and false, an answer each, or of the indices of the right answers, as the reference
    /// code's `right_case_index`; none where it is no such list.
    pub fn from_list(file: &str, list: &Json) -> Result<Option<Self>, UserFileError> {
        let Json::List(values) = list else { return Ok(None) };
        let whole = JsonNode::root(file, list);
        match values.first() {
            Some(Json::Bool(_)) => {
                let each = values.iter().enumerate().map(|(at, value)| match value {
                    Json::Bool(right) => Ok(*right),
                    _ => Err(whole.child(at, value).invalid_value_error("true or false, as the first")),
                });
                Ok(Some(Self::from_flags(file, each.collect::<Result<_, _>>()?)))
            }
            Some(Json::Number(_)) => {
                let each = values.iter().enumerate().map(|(at, value)| whole.child(at, value).as_count());
                let mut right: Vec<u64> = each.collect::<Result<_, _>>()?;
                right.sort_unstable();
                let (by_name, file) = (None, file.to_owned());
                Ok(Some(Self { file, by_name, told: FlagEncoding::RightIndices(right) }))
            }
            _ => Ok(None),
        }
    }
}

/// Cells of a table as text, with the lines that they stand on.
pub(super) fn read_csv_rows(file: &str, bytes: &[u8]) -> Result<Vec<(u64, Vec<String>)>, UserFileError> {
    const ALLOWED: &str = "comma-separated text in UTF-8";
    let needed = bytes.len() as u64;
    if needed > BYTES_MAX {
        return Err(UserFileError::Memory { what: "a table", needed, cap: BYTES_MAX });
    }
    let mut rows = Vec::new();
    for record in read_records(file, check_text(file, bytes, ALLOWED)?, ALLOWED) {
        let (line, cells) = record?;
        if rows.len() > ANSWERS_MAX {
            return Err(IoError::text(file, line, "more than 1,000,000 rows", ALLOWED).into());
        }
        rows.push((line, cells.iter().map(str::to_owned).collect()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &str) -> Result<AnswerFlags, UserFileError> {
        let source: Rc<dyn ReadAt> = Rc::new(lines.as_bytes().to_vec());
        AnswerFlags::from_lines("a.jsonl", &source)
    }

    #[test]
    fn answers_are_told_by_name_and_by_place() {
        let found = text("{\"id\": \"b\", \"correct\": 1}\n\n{\"id\": \"a\", \"correct\": false}\n").unwrap();
        assert_eq!((found.is_right(Some("b"), 7), found.is_right(Some("c"), 0)), (Some(true), None));
        assert_eq!((found.is_right(None, 1), found.is_right(None, 2), found.count()), (Some(false), None, Some(2)));
        let rows = read_csv_rows("a.csv", b"x,1\ny,0\n").unwrap();
        let header = ["id", "correct"].map(str::to_owned);
        let found = AnswerFlags::from_table("a.csv", &header, &rows).unwrap();
        assert_eq!((found.is_right(Some("x"), 1), found.is_right(None, 1)), (Some(true), Some(false)));
        let list =
            |text: &str| AnswerFlags::from_list("a.json", &crate::io::json::parse("a.json", text.as_bytes()).unwrap());
        let right = list("[5, 0]").unwrap().unwrap();
        assert_eq!([0, 1, 5].map(|at| right.is_right(Some("x"), at)), [true, false, true].map(Some));
        assert_eq!(list("[true, false]").unwrap().unwrap().is_right(None, 1), Some(false));
        assert_eq!(list("[[0, 1]]").unwrap(), None);
        assert!(list("[0, -1]").is_err() && list("[true, 1]").is_err());
    }

    #[test]
    fn what_says_neither_is_refused_where_it_stands() {
        for (lines, words) in [
            ("{\"id\": 1, \"correct\": true}\n{\"id\": 2}\n", "line 2"),
            ("{\"correct\": \"B\"}\n", "neither right nor wrong"),
            ("{\n", "line 1"),
            ("{\"id\": 1, \"correct\": true}\n{\"id\": 1, \"correct\": false}\n", "right here"),
        ] {
            let said = text(lines).unwrap_err().to_string();
            assert!(said.contains(words), "{said}");
        }
        let header = ["correct".to_owned()];
        let said = AnswerFlags::from_table("a.csv", &header, &[(2, vec!["maybe".to_owned()])]).unwrap_err();
        assert!(said.to_string().contains("line 2: \"maybe\""), "{said}");
    }
}
