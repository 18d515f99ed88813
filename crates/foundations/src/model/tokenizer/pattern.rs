//! The patterns by which texts are cut into words. GPT-2's:
//! `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
//! Llama 3's, and with `\p{N}` for `\p{N}{1,3}` Qwen's:
//! `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// What follows an apostrophe as a word with it.
const CONTRACTIONS: [&str; 7] = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Letter,
    Number,
    Space,
    Other,
}

fn char_kind(c: char) -> CharKind {
    if c.is_whitespace() {
        return CharKind::Space;
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Letter => CharKind::Letter,
        GeneralCategoryGroup::Number => CharKind::Number,
        _ => CharKind::Other,
    }
}

/// Where the characters of a kind end that a text begins with.
fn char_run_end(text: &str, wanted: CharKind) -> usize {
    text.char_indices().find(|(_, c)| char_kind(*c) != wanted).map_or(text.len(), |(at, _)| at)
}

/// Where the first word of a text ends, which is not empty.
fn first_word_end(text: &str) -> usize {
    if let Some(ending) = CONTRACTIONS.iter().find(|ending| text.starts_with(**ending)) {
        return ending.len();
    }
    // One space goes with what follows it.
    let behind = text.strip_prefix(' ').unwrap_or(text);
    let space = text.len() - behind.len();
    if let Some(first) = behind.chars().next().map(char_kind).filter(|first| *first != CharKind::Space) {
        return space + char_run_end(behind, first);
    }
    let spaces = char_run_end(text, CharKind::Space);
    // The last of several belongs to what follows, if anything does.
    let last = text[..spaces].chars().next_back().map_or(0, char::len_utf8);
    if spaces < text.len() && spaces > last { spaces - last } else { spaces }
}

/// Where the first word of a text ends by the pattern of Llama 3 and of Qwen, in which a number has at most so many
/// digits.
fn first_word_end_llama(text: &str, digits: usize) -> usize {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else { return 0 };
    if let Some(length) = contraction_length(text) {
        return length;
    }
    let is_end = |c: char| matches!(c, '\r' | '\n');
    let behind = &text[first.len_utf8()..];
    match char_kind(first) {
        CharKind::Letter => return char_run_end(text, CharKind::Letter),
        CharKind::Number => {
            let number = text.char_indices().take(digits);
            let number = number.take_while(|(_, c)| char_kind(*c) == CharKind::Number);
            return number.last().map_or(0, |(at, c)| at + c.len_utf8());
        }
        // Anything but the end of a line goes with the letters that follow it.
        _ if !is_end(first) && behind.chars().next().is_some_and(|c| char_kind(c) == CharKind::Letter) => {
            return first.len_utf8() + char_run_end(behind, CharKind::Letter);
        }
        _ => {}
    }
    let after_space = text.strip_prefix(' ').unwrap_or(text);
    let others = char_run_end(after_space, CharKind::Other);
    if others > 0 {
        let end = text.len() - after_space.len() + others;
        let ends = text[end..].char_indices().find(|(_, c)| !is_end(*c));
        return ends.map_or(text.len(), |(at, _)| end + at);
    }
    let spaces = char_run_end(text, CharKind::Space);
    if let Some(last) = text[..spaces].rfind(is_end) {
        return last + 1;
    }
    // The last of several belongs to what follows, if anything does.
    let last = text[..spaces].chars().next_back().map_or(0, char::len_utf8);
    if spaces < text.len() && spaces > last { spaces - last } else { spaces }
}

/// How long an ending is that a text begins with, in any case: ſ is an s here.
fn contraction_length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\'')?;
    CONTRACTIONS.iter().find_map(|ending| {
        let mut chars = rest.char_indices();
        for wanted in ending.chars().skip(1) {
            let (_, found) = chars.next()?;
            let found = if found == 'ſ' { 's' } else { found.to_ascii_lowercase() };
            if found != wanted {
                return None;
            }
        }
        Some(1 + chars.next().map_or(rest.len(), |(at, _)| at))
    })
}

/// How a text is cut into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitPattern {
    /// Each digit, or other character that is a number, by itself.
    Digits,
    /// By the pattern of GPT-2.
    Gpt2,
    /// By the pattern of Llama 3 (three digits) or Qwen (one).
    Llama {
        /// Most digits of a number.
        digits: usize,
    },
}

impl SplitPattern {
    /// Where the first piece of a text ends, which is not empty.
    fn first_piece_end(self, text: &str) -> usize {
        match self {
            Self::Gpt2 => first_word_end(text),
            Self::Llama { digits } => first_word_end_llama(text, digits),
            Self::Digits => {
                let number = |c: char| char_kind(c) == CharKind::Number;
                match text.char_indices().find(|(_, c)| number(*c)) {
                    Some((0, c)) => c.len_utf8(),
                    Some((at, _)) => at,
                    None => text.len(),
                }
            }
        }
    }

    /// The pieces of a text, in order: all of it.
    pub fn split(self, mut text: &str) -> impl Iterator<Item = &str> {
        std::iter::from_fn(move || {
            let (word, rest) = text.split_at((!text.is_empty()).then(|| self.first_piece_end(text))?);
            text = rest;
            Some(word)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds of all characters are those of Hugging Face's tokenizers, whose tables are of Unicode 16. Those
    /// after it brought some 17,000 more letters and numbers, which are others there.
    #[test]
    fn kinds_of_characters_are_those_of_hugging_face() {
        let text = include_str!("characters.json");
        let starts: Vec<(u32, String)> = serde_json::from_str(text).unwrap();
        let (mut newer, mut letters) = (0, 0);
        for (index, (start, wanted)) in starts.iter().enumerate() {
            let end = starts.get(index + 1).map_or(0x11_0000, |next| next.0);
            for c in (*start..end).filter_map(char::from_u32) {
                let found = match char_kind(c) {
                    CharKind::Letter => "L",
                    CharKind::Number => "N",
                    CharKind::Space => "S",
                    CharKind::Other => "O",
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
