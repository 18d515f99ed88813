//! Concepts that a rule decides: labels of tokens by what stands in the text, without a judge.

use std::fmt;
use std::ops::Range;

use crate::io::EscapedText;
use crate::model::Tokenizer;
use crate::synthetic::language::Token;

/// The concepts that are looked for unless others are given, a rule a line: `name: kind argument …`.
///
/// Kinds: `class` of digit, capitalised, upper, newline, punctuation or non-ascii; `chars`, one of which the token has;
/// `words`, one of which the token is or is part of; `starts` and `ends`, of that word; `inside` of two delimiters.
pub const DEFAULT_CONCEPTS: &str = "\
digits: class digit
capitalised words: class capitalised
words in capitals: class upper
line breaks: class newline
punctuation: class punctuation
letters beyond ASCII: class non-ascii
double quotes: inside \" \"
parentheses: inside ( )
brackets: inside [ ]
code: chars { } ; = < > _ \\
arithmetic: chars + * / = % ^
question marks: chars ?
articles: words a an the
pronouns: words i you he she it we they me him us them
possessives: words my your his her its our their
prepositions: words of in on at by for with from to under over between through
conjunctions: words and or but because although while if when
negation: words not no never none nothing nobody neither nor cannot
modal verbs: words can could may might must shall should will would
forms of be: words am is are was were be been being
question words: words who whom whose what which when where why how
numbers in words: words one two three four five six seven eight nine ten hundred thousand
months and days: words january february march april june july august september october november december monday tuesday \
wednesday thursday friday saturday sunday
positive words: words good great happy love loved excellent wonderful best beautiful kind delighted
negative words: words bad sad hate hated terrible awful worst ugly angry cruel disappointed
words in -ing: ends ing
words in -ed: ends ed
words in -ly: ends ly
German: words der die das und nicht ist ein eine den dem zu mit sie wir
French: words le la les des et est une dans pas que nous elle au du
";
/// Most rules.
const RULES_MAX: usize = 100;
/// Longest text of rules, in bytes.
const RULES_BYTES_MAX: usize = 64 << 10;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenClass {
    Digit,
    Capitalised,
    Upper,
    Newline,
    Punctuation,
    NonAscii,
}

const TOKEN_CLASSES: [(&str, TokenClass); 6] = [
    ("digit", TokenClass::Digit),
    ("capitalised", TokenClass::Capitalised),
    ("upper", TokenClass::Upper),
    ("newline", TokenClass::Newline),
    ("punctuation", TokenClass::Punctuation),
    ("non-ascii", TokenClass::NonAscii),
];

#[derive(Clone, Debug, PartialEq, Eq)]
enum RuleKind {
    Class(TokenClass),
    Chars(Vec<char>),
    Words(Vec<String>),
    Starts(Vec<String>),
    Ends(Vec<String>),
    Inside(char, char),
}

/// A concept and the rule that decides which tokens are of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    name: String,
    kind: RuleKind,
}

/// Why rules cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the concepts: {}; allowed: {allowed}", EscapedText(found))]
pub struct ConceptError {
    /// From 1.
    pub line: usize,
    /// What it has.
    pub found: String,
    /// What it may have.
    pub allowed: String,
}

impl ConceptError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "latents.concept"
    }
}

/// What each of some tokens stands for; of part of a character a sign that it is one.
pub(super) fn token_texts(tokenizer: &Tokenizer, tokens: &[Token]) -> Vec<String> {
    let piece = |token: &Token| tokenizer.token_text(*token).unwrap_or_else(|| "\u{fffd}".to_owned());
    tokens.iter().map(piece).collect()
}

impl Concept {
    /// Rules, a line each; empty lines and those that begin with `#` are none.
    ///
    /// # Errors
    /// [`ConceptError`].
    ///
    /// # Examples
    /// ```
    /// # use sfc_bench_foundations as sfc_bench;
    /// use sfc_bench::sae::latents::{DEFAULT_CONCEPTS, Concept};
    /// let all = Concept::parse(DEFAULT_CONCEPTS)?;
    /// assert_eq!(all.len(), 30);
    /// let labels = all[0].labels(&["It", " is", " 42"]);
    /// assert_eq!(labels, [false, false, true]);
    /// # Ok::<(), sfc_bench::sae::latents::ConceptError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Vec<Self>, ConceptError> {
        let refuse = |line, found: String, allowed: String| Err(ConceptError { line, found, allowed });
        if text.len() > RULES_BYTES_MAX {
            return refuse(1, format!("{} bytes", text.len()), format!("at most {RULES_BYTES_MAX}"));
        }
        let mut all = Vec::new();
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        for (number, line) in lines.filter(|(_, line)| !(line.is_empty() || line.starts_with('#'))) {
            match Self::parse_line(line) {
                Ok(concept) => all.push(concept),
                Err((found, allowed)) => return refuse(number, found, allowed),
            }
            if all.len() > RULES_MAX {
                return refuse(number, format!("concept {}", all.len()), format!("at most {RULES_MAX}"));
            }
        }
        match all.len() {
            0 => refuse(1, "no concept".to_owned(), format!("1 to {RULES_MAX} lines, name: kind arguments")),
            _ => Ok(all),
        }
    }

    fn parse_line(line: &str) -> Result<Self, (String, String)> {
        let wrong = |found: &str, allowed: &str| Err((found.to_owned(), allowed.to_owned()));
        let Some((name, rule)) = line.split_once(':') else {
            return wrong(&format!("{line:?}"), "name: kind arguments");
        };
        let mut parts = rule.split_whitespace();
        let (kind, arguments) = (parts.next().unwrap_or(""), parts.collect::<Vec<_>>());
        let words = || arguments.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
        let chars: Option<Vec<char>> =
            arguments.iter().map(|word| word.chars().next().filter(|one| one.len_utf8() == word.len())).collect();
        let kind = match (kind, arguments.as_slice()) {
            ("class", [name]) => match TOKEN_CLASSES.iter().find(|(known, _)| known == name) {
                Some((_, class)) => RuleKind::Class(*class),
                None => {
                    return wrong(&format!("class {name}"), &TOKEN_CLASSES.map(|(name, _)| name).join(", "));
                }
            },
            ("words", [_, ..]) => RuleKind::Words(words()),
            ("starts", [_, ..]) => RuleKind::Starts(words()),
            ("ends", [_, ..]) => RuleKind::Ends(words()),
            ("chars", [_, ..]) => match chars {
                Some(chars) => RuleKind::Chars(chars),
                None => {
                    return wrong(rule.trim(), "chars with single characters, spaces between them");
                }
            },
            ("inside", _) => match chars.as_deref() {
                Some([open, close]) => RuleKind::Inside(*open, *close),
                _ => return wrong(rule.trim(), "inside with two characters, a space between them"),
            },
            _ => {
                let allowed = "class, chars, words, starts, ends or inside, and what they take";
                return wrong(&format!("{:?}", rule.trim()), allowed);
            }
        };
        Ok(Self { name: name.trim().to_owned(), kind })
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Texts that have the concept, made by templates from what its rule names: at most `count`, no two the same. Whether
    /// a tokenizer's tokens of one have it, the rule says.
    #[must_use]
    pub fn example_texts(&self, count: usize) -> Vec<String> {
        const TEMPLATES: [&str; 5] = [
            "we wrote {} on the first page",
            "then they spoke of {} again",
            "it was {} that came last",
            "near the end there is {} as before",
            "somebody had put {} there",
        ];
        let all = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let words: Vec<String> = match &self.kind {
            RuleKind::Words(words) => words.clone(),
            RuleKind::Chars(chars) => chars.iter().map(char::to_string).collect(),
            RuleKind::Starts(starts) => starts.iter().map(|start| format!("{start}er")).collect(),
            RuleKind::Ends(ends) => {
                let stems = ["play", "talk", "clean", "quick"];
                stems.iter().flat_map(|stem| ends.iter().map(move |end| stem.to_string() + end)).collect()
            }
            RuleKind::Inside(open, close) => {
                let inside = ["the green door", "two of them", "as he said", "not yet"];
                inside.iter().map(|words| format!("{open}{words}{close}")).collect()
            }
            RuleKind::Class(TokenClass::Digit) => all(&["42", "7", "1969", "300", "18"]),
            RuleKind::Class(TokenClass::Capitalised) => all(&["London", "Anna", "Monday", "Peru"]),
            RuleKind::Class(TokenClass::Upper) => all(&["NASA", "UN", "BBC", "EU"]),
            RuleKind::Class(TokenClass::Newline) => all(&["\n", "this:\n", "a line\nand one more\n"]),
            RuleKind::Class(TokenClass::Punctuation) => all(&[",", "; ", ": this,", "(it)", "!"]),
            RuleKind::Class(TokenClass::NonAscii) => all(&["café", "Zürich", "naïve", "señor", "мир"]),
        };
        // Every word in every template, neighbours with different ones.
        let mut made = Vec::new();
        for round in 0..TEMPLATES.len() {
            for (at, word) in words.iter().enumerate() {
                let template = TEMPLATES.get((at + round) % TEMPLATES.len()).unwrap_or(&"{}");
                let text = template.replace("{}", word);
                if made.len() < count && !made.contains(&text) {
                    made.push(text);
                }
            }
        }
        made
    }

    /// Which of some tokens are of the concept.
    #[must_use]
    pub fn token_labels(&self, tokenizer: &Tokenizer, tokens: &[Token]) -> Vec<bool> {
        self.labels(&token_texts(tokenizer, tokens).iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Which of a text's tokens are of the concept, by what each stands for.
    #[must_use]
    pub fn labels(&self, pieces: &[&str]) -> Vec<bool> {
        let text = pieces.concat();
        let inside = match self.kind {
            RuleKind::Inside(open, close) => delimited_spans(&text, open, close),
            _ => Vec::new(),
        };
        let mut at = 0;
        let label = |piece: &&str| {
            let span = at..at + piece.len();
            at = span.end;
            let is_word = |of: &dyn Fn(&str) -> bool| {
                word_around(&text, span.clone()).is_some_and(|word| of(&word.to_lowercase()))
            };
            match &self.kind {
                RuleKind::Chars(chars) => piece.chars().any(|one| chars.contains(&one)),
                RuleKind::Words(words) => is_word(&|word| words.iter().any(|known| known == word)),
                RuleKind::Starts(all) => is_word(&|word| all.iter().any(|start| word.starts_with(start))),
                RuleKind::Ends(all) => {
                    // The end alone is no word in it.
                    is_word(&|word| all.iter().any(|end| word.len() > end.len() && word.ends_with(end)))
                }
                RuleKind::Inside(..) => {
                    let within = |of: &Range<usize>| of.start <= span.start && span.end <= of.end;
                    !piece.is_empty() && inside.iter().any(within)
                }
                RuleKind::Class(class) => class.matches(piece, word_around(&text, span.clone())),
            }
        };
        pieces.iter().map(label).collect()
    }
}

impl TokenClass {
    fn matches(self, piece: &str, word: Option<&str>) -> bool {
        match self {
            Self::Digit => piece.chars().any(|one| one.is_ascii_digit()),
            Self::Newline => piece.contains('\n'),
            Self::Punctuation => {
                let piece = piece.trim();
                !piece.is_empty() && piece.chars().all(|one| one.is_ascii_punctuation())
            }
            Self::NonAscii => piece.chars().any(|one| one.is_alphabetic() && !one.is_ascii()),
            Self::Upper => {
                word.is_some_and(|word| word.chars().nth(1).is_some() && word.chars().all(char::is_uppercase))
            }
            Self::Capitalised => word.is_some_and(|word| {
                let mut chars = word.chars();
                chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase)
            }),
        }
    }
}

impl fmt::Display for Concept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The word that a stretch of a text is, or is part of: letters around its first letter.
fn word_around(text: &str, span: Range<usize>) -> Option<&str> {
    let piece = text.get(span.clone())?;
    let at = span.start + piece.find(char::is_alphabetic)?;
    let before = text.get(..at)?;
    let start = before.trim_end_matches(char::is_alphabetic).len();
    let after = text.get(at..)?;
    let end = text.len() - after.trim_start_matches(char::is_alphabetic).len();
    text.get(start..end)
}

/// Stretches between two delimiters, without these, outermost ones; what is not closed is none.
fn delimited_spans(text: &str, open: char, close: char) -> Vec<Range<usize>> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, one) in text.char_indices() {
        if one == close && depth > 0 {
            depth -= 1;
            if depth == 0 {
                found.push(start..at);
            }
        } else if one == open {
            if depth == 0 {
                start = at + one.len_utf8();
            }
            depth += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(rule: &str, pieces: &[&str]) -> Vec<bool> {
        Concept::parse(rule).unwrap()[0].labels(pieces)
    }

    #[test]
    fn a_token_is_of_a_concept_by_the_word_that_it_is_part_of() {
        let pieces = ["The", " run", "ning", " d", "og", ",", " NASA", "\n"];
        let mine = |rule: &str| labels(rule, &pieces);
        let at = |places: &[usize]| (0..8).map(|at| places.contains(&at)).collect::<Vec<_>>();
        assert_eq!(mine("x: ends ing"), at(&[1, 2]));
        assert_eq!(mine("x: words the DOG"), at(&[0, 3, 4]));
        assert_eq!(mine("x: starts run"), at(&[1, 2]));
        assert_eq!(mine("x: class capitalised"), at(&[0]));
        assert_eq!(mine("x: class upper"), at(&[6]));
        assert_eq!(mine("x: class newline"), at(&[7]));
        assert_eq!(mine("x: class punctuation"), at(&[5]));
        assert_eq!(mine("x: chars , A"), at(&[5, 6]));
    }

    #[test]
    fn what_is_between_delimiters_is_inside_and_what_is_not_closed_is_not() {
        let pieces = ["a", " \"", "b", " c", "\"", " (", "d", "(", "e", ")", ")", " (", "f"];
        let inside = |rule: &str| {
            let labels = labels(rule, &pieces).into_iter();
            pieces.iter().zip(labels).filter(|(_, is)| *is).map(|(piece, _)| *piece).collect::<String>()
        };
        assert_eq!(inside("x: inside \" \""), "b c");
        assert_eq!(inside("x: inside ( )"), "d(e)");
    }

    #[test]
    fn every_concept_is_of_some_token_of_the_sample_and_not_of_all() {
        let pieces: Vec<&str> = super::super::SAMPLE_TEXT.split_inclusive([' ', '\n', ',', '.']).collect();
        for concept in Concept::parse(DEFAULT_CONCEPTS).unwrap() {
            let count = concept.labels(&pieces).into_iter().filter(|is| *is).count();
            assert!(count >= 3 && count < pieces.len() / 2, "{concept}: {count} of {}", pieces.len());
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, line, said) in [
            ("a: class digit\nb: class thing", 2, "digit, capitalised"),
            ("# no\n\nwords", 3, "name: kind"),
            ("a: chars ab", 1, "single characters"),
            ("a: inside (", 1, "two characters"),
            ("a: words", 1, "class, chars"),
            ("", 1, "name: kind"),
        ] {
            let error = Concept::parse(text).unwrap_err();
            assert!(error.line == line && error.allowed.contains(said), "{text}: {error}");
        }
        assert!(Concept::parse(&"a: class digit\n".repeat(101)).is_err());
    }
}
