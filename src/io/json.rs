//! JSON as Python's `json.dump` writes it: with bare `NaN` and `Infinity`, and with keys that may be repeated.
//!
//! A file is bounded in its bytes, in how many values it has and in how deep they lie, all before they are
//! held. What a file says is got at through a [`Place`], which knows the way to it for refusals.
//!
//! ```
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

use super::{IoError, kind};

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
        const MOST: usize = 40;
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{:?}", text.chars().take(MOST).collect::<String>()),
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
    let text = kind::text(file, bytes, "JSON in UTF-8")?;
    let mut reader = Reader { jiter: Jiter::new(text).with_allow_inf_nan(), values: 0 };
    let read = reader.whole();
    read.map_err(|refusal| refusal.of(file, &reader.jiter))
}

/// Reads a file of one value a line, each when it is asked for: those of lines that are not blank, with their numbers
/// from 1.
///
/// # Errors
/// As [`parse`], of a line.
pub fn lines(file: &str, bytes: &[u8]) -> impl Iterator<Item = Result<(u64, Json), IoError>> {
    let all = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let written = all.filter(|(_, text)| !text.trim_ascii().is_empty());
    written.map(move |(number, text)| match parse(file, text) {
        Ok(json) => Ok((number, json)),
        Err(IoError::Text { file, found, allowed, .. }) => {
            Err(IoError::Text { file, line: number, found, allowed })
        }
        Err(other) => Err(other),
    })
}

/// Why a text is refused, and at which byte.
struct Refusal {
    at: usize,
    found: String,
    allowed: String,
}

impl Refusal {
    fn of(self, file: &str, jiter: &Jiter<'_>) -> IoError {
        let place = jiter.error_position(self.at);
        let found = format!("{}, column {}", self.found, place.column);
        IoError::text(file, place.line as u64, found, self.allowed)
    }
}

impl From<JiterError> for Refusal {
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
        Self {
            at: error.index,
            found,
            allowed: "JSON in UTF-8, NaN and Infinity included".to_owned(),
        }
    }
}

struct Reader<'a> {
    jiter: Jiter<'a>,
    values: usize,
}

impl Reader<'_> {
    fn whole(&mut self) -> Result<Json, Refusal> {
        let first = self.jiter.peek()?;
        let value = self.value(first, 0)?;
        self.jiter.finish()?;
        Ok(value)
    }

    fn refuse<T>(&self, at: usize, found: &str, allowed: String) -> Result<T, Refusal> {
        Err(Refusal { at, found: found.to_owned(), allowed })
    }

    fn value(&mut self, first: Peek, depth: usize) -> Result<Json, Refusal> {
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
                    values.push(self.value(first, depth + 1)?);
                    next = self.jiter.array_step()?;
                }
                Ok(Json::List(values))
            }
            Peek::Object => {
                let mut entries = Vec::new();
                let mut next = self.jiter.known_object()?.map(str::to_owned);
                while let Some(key) = next {
                    let first = self.jiter.peek()?;
                    entries.push((key, self.value(first, depth + 1)?));
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
pub struct Place<'a> {
    file: &'a str,
    /// Of a file of lines the one that it is in.
    line: Option<u64>,
    path: String,
    value: &'a Json,
}

impl<'a> Place<'a> {
    /// The whole of a file.
    #[must_use]
    pub fn whole(file: &'a str, value: &'a Json) -> Self {
        Self { file, line: None, path: String::new(), value }
    }

    /// The whole of a line of a file, by the line's number.
    #[must_use]
    pub fn line(file: &'a str, number: u64, value: &'a Json) -> Self {
        Self { line: Some(number), ..Self::whole(file, value) }
    }

    /// What is there.
    #[must_use]
    pub fn value(&self) -> &'a Json {
        self.value
    }

    /// A value under it, by its key or index.
    #[must_use]
    pub fn at(&self, key: impl fmt::Display, value: &'a Json) -> Self {
        let path =
            if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) };
        Self { path, value, ..*self }
    }

    /// The refusal of what is there.
    #[must_use]
    pub fn refusal(&self, allowed: &str) -> IoError {
        self.refusal_of(self.value.to_string(), allowed)
    }

    /// The refusal of what was `found` there.
    #[must_use]
    pub fn refusal_of(&self, found: String, allowed: &str) -> IoError {
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
    pub fn object(&self, what: &str) -> Result<&'a [(String, Json)], IoError> {
        match self.value {
            Json::Object(entries) => Ok(entries),
            _ => Err(self.refusal(what)),
        }
    }

    /// The values of a list.
    ///
    /// # Errors
    /// As above.
    pub fn list(&self, what: &str) -> Result<&'a [Json], IoError> {
        match self.value {
            Json::List(values) => Ok(values),
            _ => Err(self.refusal(what)),
        }
    }

    /// A string.
    ///
    /// # Errors
    /// As above.
    pub fn text(&self) -> Result<&'a str, IoError> {
        match self.value {
            Json::Text(text) => Ok(text),
            _ => Err(self.refusal("a string")),
        }
    }

    /// A number; NaN and infinities where the file has them.
    ///
    /// # Errors
    /// As above.
    pub fn number(&self) -> Result<f64, IoError> {
        match self.value {
            Json::Number(value) => Ok(*value),
            _ => Err(self.refusal("a number")),
        }
    }

    /// True or false; `allowed` says what else may be there.
    ///
    /// # Errors
    /// As above.
    pub fn flag(&self, allowed: &str) -> Result<bool, IoError> {
        match self.value {
            Json::Bool(value) => Ok(*value),
            _ => Err(self.refusal(allowed)),
        }
    }

    /// A list of finite numbers.
    ///
    /// # Errors
    /// As above.
    pub fn numbers(&self) -> Result<Vec<f64>, IoError> {
        let each = self.list("a list of numbers")?.iter().enumerate();
        each.map(|(at, value)| match value {
            Json::Number(number) if number.is_finite() => Ok(*number),
            _ => Err(self.at(at, value).refusal("a finite number")),
        })
        .collect()
    }

    /// A whole number from 0 on that an `f64` holds exactly.
    ///
    /// # Errors
    /// As above.
    pub fn count(&self) -> Result<u64, IoError> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self.value {
            Json::Number(value) if (0.0..=EXACT).contains(value) && value.fract() == 0.0 => {
                Ok(*value as u64)
            }
            _ => Err(self.refusal("a whole number from 0 on")),
        }
    }

    /// The value of a key of an object, where it has it.
    ///
    /// # Errors
    /// As above; also for a key that is there twice, since the two may say different things.
    pub fn maybe(&self, key: &str) -> Result<Option<Self>, IoError> {
        let entries = self.object("an object")?;
        let mut found = entries.iter().filter(|(name, _)| name == key);
        let Some((_, value)) = found.next() else { return Ok(None) };
        let place = self.at(key, value);
        if found.next().is_some() {
            return Err(place.refusal_of("there twice".to_owned(), "there once"));
        }
        Ok(Some(place))
    }

    /// As [`maybe`](Self::maybe), without what is null.
    ///
    /// # Errors
    /// As above.
    pub fn non_null(&self, key: &str) -> Result<Option<Self>, IoError> {
        Ok(self.maybe(key)?.filter(|found| !matches!(found.value, Json::Null)))
    }

    /// The value of a key that an object must have.
    ///
    /// # Errors
    /// As above.
    pub fn get(&self, key: &str) -> Result<Self, IoError> {
        const NONE: Json = Json::Null;
        let missing = || self.at(key, &NONE).refusal_of("not there".to_owned(), "a value");
        self.maybe(key)?.ok_or_else(missing)
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
        let text =
            r#"{"a": [NaN, Infinity, -Infinity, -0.5, 1e3, 12], "a": "NaN \u00e9\ud83d\ude00\n"}"#;
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
        let mut found = lines("a.jsonl", b"1\n \r\nnull\n[\n");
        assert_eq!(found.next(), Some(Ok((1, Json::Number(1.0)))));
        assert_eq!(found.next(), Some(Ok((3, Json::Null))));
        let broken = found.next().unwrap().unwrap_err();
        assert!(matches!(broken, IoError::Text { line: 4, .. }));
        assert_eq!(found.next(), None);
    }

    #[test]
    fn values_are_got_at_by_their_way() {
        let read = read(r#"{"a": {"b": [1, -1, 0.5]}, "c": 1, "c": 2}"#).unwrap();
        let whole = Place::whole("a.json", &read);
        let list = whole.get("a").unwrap().get("b").unwrap();
        let counts: Vec<_> = list.list("").unwrap().iter().map(|v| list.at(0, v).count()).collect();
        assert_eq!(counts[0], Ok(1));
        let told = counts[1].as_ref().unwrap_err().to_string();
        assert_eq!(told, "a.json, a.b.0: -1; allowed: a whole number from 0 on");
        assert!(counts[2].is_err());
        assert_eq!(
            whole.get("c").unwrap_err().to_string(),
            "a.json, c: there twice; allowed: there once"
        );
        assert_eq!(
            whole.get("d").unwrap_err().to_string(),
            "a.json, d: not there; allowed: a value"
        );
        let in_line = Place::line("a.jsonl", 3, &read);
        let told = |place: &Place<'_>| place.text().unwrap_err().to_string();
        assert_eq!(
            told(&in_line),
            "a.jsonl, line 3, the whole of it: an object of 3; allowed: a string"
        );
        let inner = in_line.get("a").unwrap();
        assert_eq!(told(&inner), "a.jsonl, line 3, a: an object of 1; allowed: a string");
        assert!(whole.list("a list").is_err() && whole.text().is_err() && whole.number().is_err());
        assert!(whole.maybe("d").unwrap().is_none());
    }
}
