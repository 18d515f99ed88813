//! JSON as Python's `json.dump` writes it: with bare `NaN` and `Infinity`, and with keys that may be repeated.
//!
//! A file is bounded in its bytes, in how many values it has and in how deep they lie, all before they are
//! held. What a file says is got at through a [`JsonNode`], which knows the way to it for refusals.
//!
//! ```
//! # use sfc_bench_foundations as sfc_bench;
//! use sfc_bench::io::json::{Json, parse};
//!
//! let read = parse("a.json", br#"{"Clarity": NaN, "text": 0, "text": 2}"#)?;
//! let Json::Object(entries) = &read else { panic!() };
//! assert_eq!(entries.len(), 3);
//! assert!(matches!(entries[0].1, Json::Number(value) if value.is_nan()));
//! # Ok::<(), sfc_bench::io::IoError>(())
//! ```

use std::fmt;

use jiter::{Jiter, JiterError, JiterErrorType, JsonErrorType, Peek};

use super::{IoError, file_kind};

/// Most bytes a file of JSON may have.
pub const BYTES_MAX: u64 = 32 << 20;
/// Most values it may hold, keys not counted.
pub const VALUES_MAX: usize = 500_000;
/// Lists and objects that may lie within one another.
pub const DEPTH_MAX: usize = 32;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; NaN and the infinities where the file says so by their names.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// Keys and values in the file's order; a key that is repeated is there as often.
    Object(Vec<(String, Json)>),
}

/// As a refusal says it: text between quotes, of lists and objects their lengths.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Characters of a text that are told.
        const CHARS_MAX: usize = 40;
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{:?}", text.chars().take(CHARS_MAX).collect::<String>()),
            Self::List(values) => write!(f, "a list of {}", values.len()),
            Self::Object(entries) => write!(f, "an object of {}", entries.len()),
        }
    }
}

/// Reads a whole file.
///
/// # Errors
/// [`IoError::TooLarge`] beyond [`BYTES_MAX`], and [`IoError::Text`], with the line, for what is no JSON, goes
/// deeper than [`DEPTH_MAX`], holds more than [`VALUES_MAX`] values, or a number that no `f64` holds.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Json, IoError> {
    let needed = bytes.len() as u64;
    if needed > BYTES_MAX {
        let (file, what) = (file.to_owned(), "its text".to_owned());
        return Err(IoError::TooLarge { file, what, needed, cap: BYTES_MAX });
    }
    let text = file_kind::check_text(file, bytes, "JSON in UTF-8")?;
    let mut reader = ValueReader { jiter: Jiter::new(text).with_allow_inf_nan(), values: 0 };
    let read = reader.read_document();
    read.map_err(|refusal| refusal.into_io_error(file, &reader.jiter))
}

/// Reads a file of one value a line, each when it is asked for: those of lines that are not blank, with their numbers
/// from 1.
///
/// # Errors
/// As [`parse`], of a line.
pub fn parse_lines(file: &str, bytes: &[u8]) -> impl Iterator<Item = Result<(u64, Json), IoError>> {
    let all = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let written = all.filter(|(_, text)| !text.trim_ascii().is_empty());
    written.map(move |(number, text)| match parse(file, text) {
        Ok(json) => Ok((number, json)),
        Err(IoError::Text { file, found, allowed, .. }) => Err(IoError::Text { file, line: number, found, allowed }),
        Err(other) => Err(other),
    })
}

/// Why a text is refused, and at which byte.
struct ParseFailure {
    at: usize,
    found: String,
    allowed: String,
}

impl ParseFailure {
    fn into_io_error(self, file: &str, jiter: &Jiter<'_>) -> IoError {
        let place = jiter.error_position(self.at);
        let found = format!("{}, column {}", self.found, place.column);
        IoError::text(file, place.line as u64, found, self.allowed)
    }
}

impl From<JiterError> for ParseFailure {
    fn from(error: JiterError) -> Self {
        use JsonErrorType as Kind;
        let found = match &error.error_type {
            JiterErrorType::JsonError(
                Kind::EofWhileParsingList
                | Kind::EofWhileParsingObject
                | Kind::EofWhileParsingString
                | Kind::EofWhileParsingValue,
            ) => "the text ends too early".to_owned(),
            other => other.to_string(),
        };
        Self { at: error.index, found, allowed: "JSON in UTF-8, NaN and Infinity included".to_owned() }
    }
}

struct ValueReader<'a> {
    jiter: Jiter<'a>,
    values: usize,
}

impl ValueReader<'_> {
    fn read_document(&mut self) -> Result<Json, ParseFailure> {
        let first = self.jiter.peek()?;
        let value = self.read_value(first, 0)?;
        self.jiter.finish()?;
        Ok(value)
    }

    fn refuse<T>(&self, at: usize, found: &str, allowed: String) -> Result<T, ParseFailure> {
        Err(ParseFailure { at, found: found.to_owned(), allowed })
    }

    fn read_value(&mut self, first: Peek, depth: usize) -> Result<Json, ParseFailure> {
        let at = self.jiter.current_index();
        self.values += 1;
        if self.values > VALUES_MAX {
            return self.refuse(at, "one value more", format!("{VALUES_MAX} values"));
        }
        if depth == DEPTH_MAX && matches!(first, Peek::Array | Peek::Object) {
            let allowed = format!("{DEPTH_MAX} lists and objects within one another");
            return self.refuse(at, "one deeper", allowed);
        }
        match first {
            Peek::Null => {
                self.jiter.known_null()?;
                Ok(Json::Null)
            }
            Peek::True | Peek::False => Ok(Json::Bool(self.jiter.known_bool(first)?)),
            Peek::String => Ok(Json::Text(self.jiter.known_str()?.to_owned())),
            Peek::Array => {
                let mut values = Vec::new();
                let mut next = self.jiter.known_array()?;
                while let Some(first) = next {
                    values.push(self.read_value(first, depth + 1)?);
                    next = self.jiter.array_step()?;
                }
                Ok(Json::List(values))
            }
            Peek::Object => {
                let mut entries = Vec::new();
                let mut next = self.jiter.known_object()?.map(str::to_owned);
                while let Some(key) = next {
                    let first = self.jiter.peek()?;
                    entries.push((key, self.read_value(first, depth + 1)?));
                    next = self.jiter.next_key()?.map(str::to_owned);
                }
                Ok(Json::Object(entries))
            }
            _ => {
                let value = self.jiter.known_float(first)?;
                // What is named Infinity may be infinite; 1e999 may not.
                if value.is_infinite() && !self.jiter.slice_to_current(at).ends_with(b"y") {
                    let allowed = "numbers that 64 bits hold".to_owned();
                    return self.refuse(at, "a number too large", allowed);
                }
                Ok(Json::Number(value))
            }
        }
    }
}

/// A value of a file, with the way to it.
#[derive(Clone, Debug)]
pub struct JsonNode<'a> {
    file: &'a str,
    /// Of a file of lines the one that it is in.
    line: Option<u64>,
    path: String,
    value: &'a Json,
}

impl<'a> JsonNode<'a> {
    /// The whole of a file.
    #[must_use]
    pub fn root(file: &'a str, value: &'a Json) -> Self {
        Self { file, line: None, path: String::new(), value }
    }

    /// The whole of a line of a file, by the line's number.
    #[must_use]
    pub fn root_of_line(file: &'a str, number: u64, value: &'a Json) -> Self {
        Self { line: Some(number), ..Self::root(file, value) }
    }

    /// What is there.
    #[must_use]
    pub fn value(&self) -> &'a Json {
        self.value
    }

    /// A value under it, by its key or index.
    #[must_use]
    pub fn child(&self, key: impl fmt::Display, value: &'a Json) -> Self {
        let path = if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) };
        Self { path, value, ..*self }
    }

    /// The refusal of what is there.
    #[must_use]
    pub fn invalid_value_error(&self, allowed: &str) -> IoError {
        self.field_error(self.value.to_string(), allowed)
    }

    /// The refusal of what was `found` there.
    #[must_use]
    pub fn field_error(&self, found: String, allowed: &str) -> IoError {
        let path = if self.path.is_empty() { "the whole of it" } else { &self.path };
        match self.line {
            Some(line) => IoError::field(self.file, format!("line {line}, {path}"), found, allowed),
            None => IoError::field(self.file, path, found, allowed),
        }
    }

    /// The entries of an object; `what` says what they are.
    ///
    /// # Errors
    /// [`IoError::Field`], as of all below.
    pub fn as_object(&self, what: &str) -> Result<&'a [(String, Json)], IoError> {
        match self.value {
            Json::Object(entries) => Ok(entries),
            _ => Err(self.invalid_value_error(what)),
        }
    }

    /// The values of a list.
    ///
    /// # Errors
    /// As above.
    pub fn as_list(&self, what: &str) -> Result<&'a [Json], IoError> {
        match self.value {
            Json::List(values) => Ok(values),
            _ => Err(self.invalid_value_error(what)),
        }
    }

    /// A string.
    ///
    /// # Errors
    /// As above.
    pub fn as_text(&self) -> Result<&'a str, IoError> {
        match self.value {
            Json::Text(text) => Ok(text),
            _ => Err(self.invalid_value_error("a string")),
        }
    }

    /// A number; NaN and infinities where the file has them.
    ///
    /// # Errors
    /// As above.
    pub fn as_number(&self) -> Result<f64, IoError> {
        match self.value {
            Json::Number(value) => Ok(*value),
            _ => Err(self.invalid_value_error("a number")),
        }
    }

    /// True or false; `allowed` says what else may be there.
    ///
    /// # Errors
    /// As above.
    pub fn as_bool(&self, allowed: &str) -> Result<bool, IoError> {
        match self.value {
            Json::Bool(value) => Ok(*value),
            _ => Err(self.invalid_value_error(allowed)),
        }
    }

    /// A list of finite numbers.
    ///
    /// # Errors
    /// As above.
    pub fn as_numbers(&self) -> Result<Vec<f64>, IoError> {
        let each = self.as_list("a list of numbers")?.iter().enumerate();
        each.map(|(at, value)| match value {
            Json::Number(number) if number.is_finite() => Ok(*number),
            _ => Err(self.child(at, value).invalid_value_error("a finite number")),
        })
        .collect()
    }

    /// A whole number from 0 on that an `f64` holds exactly.
    ///
    /// # Errors
    /// As above.
    pub fn as_count(&self) -> Result<u64, IoError> {
        const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
        match self.value {
            Json::Number(value) if (0.0..=EXACT_MAX).contains(value) && value.fract() == 0.0 => Ok(*value as u64),
            _ => Err(self.invalid_value_error("a whole number from 0 on")),
        }
    }

    /// The value of a key of an object, where it has it.
    ///
    /// # Errors
    /// As above; also for a key that is there twice, since the two may say different things.
    pub fn get_optional(&self, key: &str) -> Result<Option<Self>, IoError> {
        let entries = self.as_object("an object")?;
        let mut found = entries.iter().filter(|(name, _)| name == key);
        let Some((_, value)) = found.next() else { return Ok(None) };
        let place = self.child(key, value);
        if found.next().is_some() {
            return Err(place.field_error("there twice".to_owned(), "there once"));
        }
        Ok(Some(place))
    }

    /// As [`get_optional`](Self::get_optional), without what is null.
    ///
    /// # Errors
    /// As above.
    pub fn get_non_null(&self, key: &str) -> Result<Option<Self>, IoError> {
        Ok(self.get_optional(key)?.filter(|found| !matches!(found.value, Json::Null)))
    }

    /// The value of a key that an object must have.
    ///
    /// # Errors
    /// As above.
    pub fn get(&self, key: &str) -> Result<Self, IoError> {
        const NULL: Json = Json::Null;
        let missing = || self.child(key, &NULL).field_error("not there".to_owned(), "a value");
        self.get_optional(key)?.ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Json, IoError> {
        parse("a.json", text.as_bytes())
    }

    #[test]
    fn what_python_writes_is_read() {
        let text = r#"{"a": [NaN, Infinity, -Infinity, -0.5, 1e3, 12], "a": "NaN \u00e9\ud83d\ude00\n"}"#;
        let Json::Object(entries) = read(text).unwrap() else { panic!() };
        assert_eq!(entries[0].0, entries[1].0);
        let Json::List(numbers) = &entries[0].1 else { panic!() };
        assert!(matches!(numbers[0], Json::Number(value) if value.is_nan()));
        let rest = [f64::INFINITY, f64::NEG_INFINITY, -0.5, 1e3, 12.0].map(Json::Number);
        assert_eq!(numbers[1..], rest);
        assert_eq!(entries[1].1, Json::Text("NaN é😀\n".to_owned()));
        assert_eq!(read("\u{feff}null"), Ok(Json::Null));
    }

    #[test]
    fn what_is_none_is_refused_where_it_stands() {
        for (text, line) in [
            ("", 1),
            ("{", 1),
            ("{\"a\": 1,\n}", 2),
            ("[1,\n\n2,]", 3),
            ("nan", 1),
            ("[Nan]", 1),
            ("[NaN1]", 1),
            ("[+1]", 1),
            ("[01]", 1),
            ("[1e999]", 1),
            ("[-1e999]", 1),
            ("[1] [2]", 1),
            ("'a'", 1),
            ("{a: 1}", 1),
            ("[1, // one\n2]", 1),
            ("\"\u{1}\"", 1),
            ("\"\\ud800\"", 1),
            ("tru", 1),
        ] {
            match read(text) {
                Err(IoError::Text { line: found, .. }) => assert_eq!(found, line, "{text:?}"),
                other => panic!("{text:?}: {other:?}"),
            }
        }
        let invalid = parse("a.json", b"\"\xff\xff\"").unwrap_err();
        assert_eq!(invalid.code(), "io.text");
    }

    #[test]
    fn depth_and_count_are_bounded() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(DEPTH_MAX)).is_ok());
        assert!(read(&nested(DEPTH_MAX + 1)).is_err());
        assert!(read(&"[".repeat(1_000_000)).is_err());
        let many = |count: usize| format!("[{}0]", "0,".repeat(count - 2));
        assert!(read(&many(VALUES_MAX)).is_ok());
        assert!(read(&many(VALUES_MAX + 1)).is_err());
    }

    #[test]
    fn lines_are_read_and_refused_by_their_numbers() {
        let mut found = parse_lines("a.jsonl", b"1\n \r\nnull\n[\n");
        assert_eq!(found.next(), Some(Ok((1, Json::Number(1.0)))));
        assert_eq!(found.next(), Some(Ok((3, Json::Null))));
        let broken = found.next().unwrap().unwrap_err();
        assert!(matches!(broken, IoError::Text { line: 4, .. }));
        assert_eq!(found.next(), None);
    }

    #[test]
    fn values_are_got_at_by_their_way() {
        let read = read(r#"{"a": {"b": [1, -1, 0.5]}, "c": 1, "c": 2}"#).unwrap();
        let whole = JsonNode::root("a.json", &read);
        let list = whole.get("a").unwrap().get("b").unwrap();
        let counts: Vec<_> = list.as_list("").unwrap().iter().map(|v| list.child(0, v).as_count()).collect();
        assert_eq!(counts[0], Ok(1));
        let told = counts[1].as_ref().unwrap_err().to_string();
        assert_eq!(told, "a.json, a.b.0: -1; allowed: a whole number from 0 on");
        assert!(counts[2].is_err());
        assert_eq!(whole.get("c").unwrap_err().to_string(), "a.json, c: there twice; allowed: there once");
        assert_eq!(whole.get("d").unwrap_err().to_string(), "a.json, d: not there; allowed: a value");
        let in_line = JsonNode::root_of_line("a.jsonl", 3, &read);
        let told = |place: &JsonNode<'_>| place.as_text().unwrap_err().to_string();
        assert_eq!(told(&in_line), "a.jsonl, line 3, the whole of it: an object of 3; allowed: a string");
        let inner = in_line.get("a").unwrap();
        assert_eq!(told(&inner), "a.jsonl, line 3, a: an object of 1; allowed: a string");
        assert!(whole.as_list("a list").is_err() && whole.as_text().is_err() && whole.as_number().is_err());
        assert!(whole.get_optional("d").unwrap().is_none());
    }
}
