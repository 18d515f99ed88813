//! Byte-level BPE from the `tokenizer.json` that Hugging Face writes for GPT-2: text to tokens, and back.
//!
//! A text is cut at added tokens, each piece into words by GPT-2's pattern, each word into bytes; then
//! neighbours are merged, those of the lowest rank first. All in the order of Hugging Face's `tokenizers`, so
//! that the same tokens come out.

mod alphabet;
mod error;
mod file;
mod pattern;

pub use error::TokenizerError;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::synthetic::language::Token;

/// Largest `tokenizer.json` that is read, in bytes.
pub const TOKENIZER_MAX: usize = 16 << 20;
/// Most tokens there may be; every token is below it.
pub const VOCABULARY_MAX: usize = 1 << 18;
/// Most merges there may be.
pub const MERGES_MAX: usize = 1 << 19;
/// Most tokens that may be added to a vocabulary.
pub const ADDED_MAX: usize = 1_000;
/// Longest added token, in bytes.
pub const ADDED_BYTES_MAX: usize = 256;
/// Longest text that is cut into tokens, in bytes.
pub const TEXT_MAX: usize = 1 << 20;

/// Byte-level BPE.
///
/// # Examples
/// ```
/// use sfc_bench::model::Tokenizer;
/// let file = r#"{
///     "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
///     "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "Ġa": 3, "Ġab": 4},
///               "merges": [["Ġ", "a"], ["Ġa", "b"]]}
/// }"#;
/// let tokenizer = Tokenizer::parse("tokenizer.json", file.as_bytes())?;
/// assert_eq!(tokenizer.encode("ab ab")?, [0, 1, 4]);
/// assert_eq!(tokenizer.decode(&[4, 1])?, " abb");
/// # Ok::<(), sfc_bench::model::TokenizerError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tokenizer {
    /// The token of each byte, where there is one.
    bytes: Vec<Option<Token>>,
    /// What each token stands for.
    pieces: Vec<Option<Box<[u8]>>>,
    /// Of two neighbours, the rank of their merge and what they become.
    merges: HashMap<[Token; 2], (u32, Token)>,
    /// Words that are tokens as they are, merges or not; nothing where merges decide.
    words: Option<HashMap<Box<[u8]>, Token>>,
    /// Tokens that a text is cut at: first those of the text as it is, then the others.
    added: [Added; 2],
    prefix_space: bool,
    by_words: bool,
}

/// Tokens that are found in a text before anything else is done to it: a tree of their bytes, so that looking at one
/// place of a text takes no more steps than the longest of them has bytes, however many begin alike.
#[derive(Clone, Debug)]
struct Added {
    /// The first is the root.
    nodes: Vec<Node>,
}

/// Where tokens are that begin alike.
#[derive(Clone, Debug, Default)]
struct Node {
    /// What follows: a byte, and the node behind it; by byte.
    next: Vec<(u8, u32)>,
    /// The token that ends here.
    token: Option<Token>,
}

/// What a text is cut into.
enum Piece<'a> {
    Text(&'a str),
    Added(Token),
}

impl Added {
    fn of(all: Vec<(Box<str>, Token)>) -> Self {
        let mut nodes = vec![Node::default()];
        for (content, token) in all {
            if content.is_empty() {
                continue;
            }
            let mut at = 0_u32;
            for byte in content.bytes() {
                // No more than ADDED_MAX · ADDED_BYTES_MAX.
                let new = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
                let next = &mut nodes[at as usize].next;
                at = match next.binary_search_by_key(&byte, |(byte, _)| *byte) {
                    Ok(place) => next[place].1,
                    Err(place) => {
                        next.insert(place, (byte, new));
                        nodes.push(Node::default());
                        new
                    }
                };
            }
            // Of the same twice, the first.
            nodes[at as usize].token.get_or_insert(token);
        }
        Self { nodes }
    }

    /// The longest token that bytes begin with, and its length.
    fn longest(&self, bytes: &[u8]) -> Option<(usize, Token)> {
        let (mut found, mut node) = (None, self.nodes.first()?);
        for (at, byte) in bytes.iter().enumerate() {
            let Ok(place) = node.next.binary_search_by_key(byte, |(byte, _)| *byte) else { break };
            node = self.nodes.get(node.next.get(place)?.1 as usize)?;
            found = node.token.map(|token| (at + 1, token)).or(found);
        }
        found
    }

    /// Cuts a text at the first token from the left, of several there the longest; and so on.
    fn cut<'a>(&self, text: &'a str, into: &mut Vec<Piece<'a>>) {
        let (mut start, mut at) = (0, 0);
        while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
            match self.longest(rest) {
                Some((length, token)) => {
                    if start < at {
                        into.push(Piece::Text(&text[start..at]));
                    }
                    into.push(Piece::Added(token));
                    at += length;
                    start = at;
                }
                None => at += 1,
            }
        }
        if start < text.len() {
            into.push(Piece::Text(&text[start..]));
        }
    }
}

/// A part of a word while it is put together.
#[derive(Clone, Copy)]
struct Symbol {
    token: Token,
    previous: Option<u32>,
    next: Option<u32>,
    /// Whether it has become part of the one before.
    merged: bool,
}

impl Tokenizer {
    /// How many tokens there are.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.pieces.iter().flatten().count()
    }

    /// The largest token.
    #[must_use]
    pub fn last(&self) -> Token {
        self.pieces.len().saturating_sub(1) as Token
    }

    /// A text's tokens. Nothing is put before or after them, and nothing is cut off.
    ///
    /// # Errors
    /// [`TokenizerError::Text`] beyond [`TEXT_MAX`] bytes, [`TokenizerError::Byte`] where the vocabulary has
    /// no token for a byte of the text.
    pub fn encode(&self, text: &str) -> Result<Vec<Token>, TokenizerError> {
        if text.len() > TEXT_MAX {
            return Err(TokenizerError::Text { found: text.len() });
        }
        let [first, second] = &self.added;
        let (mut pieces, mut tokens) = (Vec::new(), Vec::new());
        first.cut(text, &mut pieces);
        for piece in pieces {
            match piece {
                Piece::Added(token) => tokens.push(token),
                Piece::Text(text) => {
                    let mut pieces = Vec::new();
                    second.cut(text, &mut pieces);
                    for piece in pieces {
                        match piece {
                            Piece::Added(token) => tokens.push(token),
                            Piece::Text(text) => self.piece(text, &mut tokens)?,
                        }
                    }
                }
            }
        }
        Ok(tokens)
    }

    /// A stretch of text between added tokens.
    fn piece(&self, text: &str, tokens: &mut Vec<Token>) -> Result<(), TokenizerError> {
        let text = if self.prefix_space && !text.starts_with(' ') {
            Cow::Owned(format!(" {text}"))
        } else {
            Cow::Borrowed(text)
        };
        if !self.by_words {
            return self.word(&text, tokens);
        }
        pattern::words(&text).try_for_each(|word| self.word(word, tokens))
    }

    fn word(&self, word: &str, tokens: &mut Vec<Token>) -> Result<(), TokenizerError> {
        if let Some(token) = self.words.as_ref().and_then(|words| words.get(word.as_bytes())) {
            tokens.push(*token);
            return Ok(());
        }
        let mut symbols = self.symbols(word)?;
        let mut waiting = BinaryHeap::new();
        let wait = |waiting: &mut BinaryHeap<_>, symbols: &[Symbol], at: u32| {
            let left = symbols[at as usize];
            let right = left.next.map(|next| symbols[next as usize]);
            let found = right.and_then(|right| self.merges.get(&[left.token, right.token]));
            if let Some((rank, becomes)) = found {
                waiting.push(Reverse((*rank, at, *becomes)));
            }
        };
        for at in 0..symbols.len() as u32 {
            wait(&mut waiting, &symbols, at);
        }
        while let Some(Reverse((_, at, becomes))) = waiting.pop() {
            let left = symbols[at as usize];
            let Some(next) = left.next.filter(|_| !left.merged) else { continue };
            let right = symbols[next as usize];
            // Since it began to wait, one of the two may have become part of another.
            let still = self.merges.get(&[left.token, right.token]);
            if still.is_none_or(|(_, token)| *token != becomes) {
                continue;
            }
            symbols[at as usize] = Symbol { token: becomes, next: right.next, ..left };
            symbols[next as usize].merged = true;
            if let Some(after) = right.next {
                symbols[after as usize].previous = Some(at);
            }
            if let Some(before) = left.previous {
                wait(&mut waiting, &symbols, before);
            }
            wait(&mut waiting, &symbols, at);
        }
        tokens.extend(symbols.iter().filter(|symbol| !symbol.merged).map(|symbol| symbol.token));
        Ok(())
    }

    /// A word's bytes, each as its token.
    fn symbols(&self, word: &str) -> Result<Vec<Symbol>, TokenizerError> {
        let count = word.len() as u32;
        let each = word.bytes().zip(0..).map(|(byte, at): (u8, u32)| {
            let token = self.bytes.get(usize::from(byte)).copied().flatten();
            Ok(Symbol {
                token: token.ok_or(TokenizerError::Byte { byte })?,
                previous: at.checked_sub(1),
                next: Some(at + 1).filter(|next| *next < count),
                merged: false,
            })
        });
        each.collect()
    }

    /// The text of tokens. Bytes that are no whole character become U+FFFD.
    ///
    /// # Errors
    /// [`TokenizerError::Token`] where there is no such token.
    pub fn decode(&self, tokens: &[Token]) -> Result<String, TokenizerError> {
        let mut bytes = Vec::new();
        for token in tokens {
            let piece = self.pieces.get(*token as usize).and_then(Option::as_ref);
            let last = self.last();
            bytes.extend(piece.ok_or(TokenizerError::Token { found: *token, last })?);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
