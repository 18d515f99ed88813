//! What crosses to Python as text: JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Refusal, Result};

/// Reads what a field holds.
pub fn read_json<T: DeserializeOwned>(field: &str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| json_error(field, text, &error))
}

/// Writes a result.
pub fn write_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Refusal::invalid_json("result", &error))
}

/// Writes a result as the command line prints it.
pub fn write_pretty_json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| Refusal::invalid_json("result", &error))
}

/// As much of a value as a message shows.
const SHOWN_CHARS_MAX: usize = 60;

/// An error of reading JSON as a refusal: the field by its path, its value, and what is allowed.
fn json_error(field: &str, text: &str, error: &serde_json::Error) -> Refusal {
    use serde_json::error::Category;
    if error.classify() != Category::Data {
        let mut refusal = Refusal::invalid_value(field, "no JSON", "JSON as this package writes it");
        refusal.set_message(&format!("{field} is no JSON, from line {} on", error.line()));
        return refusal.with_code("json.malformed");
    }
    let at = byte_offset(text, error.line(), error.column());
    let (mut path, value) = value_at_offset(text, at);
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    let (mut found, mut allowed) = (value, describe_expected(said));
    if let Some(name) = said.strip_prefix("missing field ") {
        path.push(name.trim_matches('`').to_owned());
        (found, allowed) = ("missing".to_owned(), "a value".to_owned());
    } else if let Some(name) = said.strip_prefix("unknown field `").and_then(|s| s.split('`').next())
        && path.last().is_none_or(|last| last != name)
    {
        path.push(name.to_owned());
        found = "given".to_owned();
    }
    // What settings are is known to whoever gave one of them by its name.
    if field != "settings" || path.is_empty() {
        path.insert(0, field.to_owned());
    }
    let path = path.join(".").replace(".[", "[");
    Refusal::invalid_value(&path, found, allowed).with_code("json.malformed")
}

/// Where the byte of a line and a column, both from 1 on, is in the text.
fn byte_offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

/// What serde expected, in words that are not Rust's.
fn describe_expected(said: &str) -> String {
    let Some((_, what)) = said.rsplit_once(", expected ") else {
        return "another value".to_owned();
    };
    let words: Vec<&str> = what.split('`').skip(1).step_by(2).collect();
    if !words.is_empty() && (what.starts_with("one of") || what.starts_with('`')) {
        return words.join(", ");
    }
    let kinds: [(&[&str], &str); 8] = [
        (&["f64", "f32"], "a number"),
        (&["u8", "u16", "u32", "u64", "usize", "a nonzero"], "a whole number from 0 on"),
        (&["i8", "i16", "i32", "i64", "isize"], "a whole number"),
        (&["a boolean"], "true or false"),
        (&["a string", "string", "variant identifier"], "a word"),
        (&["a sequence", "a tuple", "an array", "tuple"], "a list"),
        (&["a map", "struct", "internally tagged", "adjacently tagged"], "a dictionary"),
        (&["unit", "null"], "nothing"),
    ];
    let kind = kinds.iter().find(|(starts, _)| starts.iter().any(|start| what.starts_with(start)));
    kind.map_or(what, |(_, words)| words).to_owned()
}

/// The path of the value that ends at a byte of a text in JSON, or holds it, and the value as far as it is shown.
fn value_at_offset(text: &str, at: usize) -> (Vec<String>, String) {
    let bytes = text.as_bytes();
    // Names, or numbers in lists, of what is open, and where the value begins that was begun last in each.
    let mut path: Vec<String> = Vec::new();
    let mut count: Vec<Option<usize>> = Vec::new();
    let (mut i, mut from, mut key) = (0, 0, false);
    let end_of_word = |from: usize| {
        let mut end = from + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        (end + 1).min(bytes.len())
    };
    while i < at {
        match bytes[i] {
            b'{' | b'[' => {
                let list = bytes[i] == b'[';
                from = i;
                count.push(list.then_some(0));
                path.push(if list { "[0]".to_owned() } else { String::new() });
                key = !list;
            }
            b'}' | b']' => {
                count.pop();
                path.pop();
                key = false;
                if i + 1 >= at {
                    return (path, shorten(&text[from..=i]));
                }
            }
            b',' => {
                if let (Some(last), Some(count)) = (path.last_mut(), count.last_mut()) {
                    key = count.is_none();
                    if let Some(number) = count {
                        *number += 1;
                        *last = format!("[{number}]");
                    }
                }
            }
            b'"' => {
                let end = end_of_word(i);
                if key {
                    if let Some(last) = path.last_mut() {
                        *last = text.get(i + 1..end - 1).unwrap_or_default().to_owned();
                    }
                    key = false;
                } else {
                    from = i;
                }
                i = end;
                continue;
            }
            b':' | b' ' | b'\n' | b'\r' | b'\t' => {}
            _ if i == 0 || !is_literal_byte(bytes[i - 1]) => from = i,
            _ => {}
        }
        i += 1;
    }
    path.retain(|name| !name.is_empty());
    let whole = match bytes.get(from) {
        Some(b'"') => end_of_word(from),
        Some(b'{' | b'[') | None => text.len(),
        Some(_) => (from..bytes.len()).find(|at| !is_literal_byte(bytes[*at])).unwrap_or(bytes.len()),
    };
    (path, shorten(text.get(from..whole).unwrap_or_default()))
}

/// Whether a byte may be of a number, `true`, `false` or `null`.
fn is_literal_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

fn shorten(value: &str) -> String {
    match value.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
