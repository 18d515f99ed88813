//! The pattern by which GPT-2 cuts a text into words:
//! `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// What follows an apostrophe as a word with it.
const ENDINGS: [&str; 7] = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Number,
    Space,
    Other,
}

fn kind(c: char) -> Kind {
    if c.is_whitespace() {
        return Kind::Space;
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Letter => Kind::Letter,
        GeneralCategoryGroup::Number => Kind::Number,
        _ => Kind::Other,
    }
}

/// Where the characters of a kind end that a text begins with.
fn run(text: &str, wanted: Kind) -> usize {
    text.char_indices().find(|(_, c)| kind(*c) != wanted).map_or(text.len(), |(at, _)| at)
}

/// Where the first word of a text ends, which is not empty.
fn end(text: &str) -> usize {
    if let Some(ending) = ENDINGS.iter().find(|ending| text.starts_with(**ending)) {
        return ending.len();
    }
    // One space goes with what follows it.
    let behind = text.strip_prefix(' ').unwrap_or(text);
    let space = text.len() - behind.len();
    if let Some(first) = behind.chars().next().map(kind).filter(|first| *first != Kind::Space) {
        return space + run(behind, first);
    }
    let spaces = run(text, Kind::Space);
    // The last of several belongs to what follows, if anything does.
    let last = text[..spaces].chars().next_back().map_or(0, char::len_utf8);
    if spaces < text.len() && spaces > last { spaces - last } else { spaces }
}

/// The words of a text, in order: all of it.
pub fn words(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (word, rest) = text.split_at((!text.is_empty()).then(|| end(text))?);
        text = rest;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds of all characters are those of Hugging Face's tokenizers, whose tables are of Unicode 16. Those
    /// after it brought some 17,000 more letters and numbers, which are others there.
    #[test]
    fn kinds_of_characters_are_those_of_hugging_face() {
        let text = include_str!("../../../tests/golden/model/own/characters.json");
        let starts: Vec<(u32, String)> = serde_json::from_str(text).unwrap();
        let (mut newer, mut letters) = (0, 0);
        for (index, (start, wanted)) in starts.iter().enumerate() {
            let end = starts.get(index + 1).map_or(0x11_0000, |next| next.0);
            for c in (*start..end).filter_map(char::from_u32) {
                let found = match kind(c) {
                    Kind::Letter => "L",
                    Kind::Number => "N",
                    Kind::Space => "S",
                    Kind::Other => "O",
                };
                if wanted == "O" && matches!(found, "L" | "N") {
                    newer += 1;
                } else {
                    assert_eq!(found, wanted, "{c:?}");
                    letters += usize::from(found == "L");
                }
            }
        }
        println!("{letters} letters, {newer} characters that are newer");
        assert!(letters > 140_000 && newer < 20_000, "{letters}, {newer}");
    }
}
