//! The little of YAML that configurations beside weights are written in: keys with plain values, nested by indentation.

use serde_json::{Map, Value};

/// Deepest nesting that is read.
const DEPTH_MAX: usize = 8;

/// The keys and values of a file; lines of anything else (lists, text over several lines) are left.
pub(super) fn read(bytes: &[u8]) -> Value {
    let text = String::from_utf8_lossy(bytes);
    let mut root = Map::new();
    // Indentations of the keys that are open, and these.
    let mut open: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.is_empty() || bare.starts_with(['#', '-']) {
            continue;
        }
        let indent = line.len() - bare.len();
        let Some((key, value)) = bare.split_once(':') else { continue };
        open.retain(|(at, _)| *at < indent);
        let (key, value) = (key.trim().trim_matches(['"', '\'']), value.trim());
        if open.len() >= DEPTH_MAX {
            continue;
        }
        if value.is_empty() {
            open.push((indent, key.to_owned()));
            continue;
        }
        let mut at = &mut root;
        for (_, key) in &open {
            let inner = at.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            let Value::Object(inner) = inner else { return Value::Object(Map::new()) };
            at = inner;
        }
        at.insert(key.to_owned(), parse_scalar(value));
    }
    Value::Object(root)
}

fn parse_scalar(value: &str) -> Value {
    match value {
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        "null" | "~" => Value::Null,
        _ => {
            let number = value.parse::<i64>().map(Value::from);
            let number = number.or_else(|_| value.parse::<f64>().map(Value::from));
            number.unwrap_or_else(|_| Value::from(value.trim_matches(['"', '\''])))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_nested_by_indentation() {
        let text =
            b"# a file\nsae:\n  k: 5\n  scale: 0.8\n  tied: false\n  lists:\n    - 1\nllm:\n  name: 'google/x'\nd:\n";
        assert_eq!(read(text), json!({"sae": {"k": 5, "scale": 0.8, "tied": false}, "llm": {"name": "google/x"}}));
        for text in [&b"\xff\x00: :"[..], b":", b"a:\n b:\n  c:\n   d: 1\na: 2\n  e: 3"] {
            assert!(read(text).is_object());
        }
    }
}
