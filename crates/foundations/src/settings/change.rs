use serde::Serialize;

/// Most characters of a link that are said again.
const EXCERPT_CHARS_MAX: usize = 40;

/// Something of a link that could not be used as it stood. Everything in it is printable ASCII, and
/// short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LinkChange"))]
pub struct Change {
    /// The key.
    pub key: String,
    /// What stood there.
    pub found: String,
    /// What is used instead; empty where the pair is left out.
    pub used: String,
    /// All of it, with the reason, in one line.
    pub sentence: String,
}

impl Change {
    /// What stood behind a key, why that is not used, and what is done instead.
    #[inline(never)]
    pub fn new(key: &str, found: &str, reason: &str, used: &str, what: &str) -> Self {
        let (key, found, used) = (printable_excerpt(key), printable_excerpt(found), printable_excerpt(used));
        let gap = if used.is_empty() { "" } else { " " };
        let sentence = format!("{key} is \"{found}\"; {reason}; {used}{gap}{what}");
        Self { key, found, used, sentence }
    }
}

/// What of some text may be said again anywhere: printable ASCII, not too much of it.
pub fn printable_excerpt(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if out.len() == EXCERPT_CHARS_MAX {
            out.push_str("...");
            break;
        }
        out.push(if c == ' ' || c.is_ascii_graphic() { c } else { '?' });
    }
    out
}
