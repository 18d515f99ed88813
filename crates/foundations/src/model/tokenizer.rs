//! Byte-pair encoding from Hugging Face's `tokenizer.json` or the metadata of a GGUF file: text to tokens, and back.
//!
//! A text is cut at added tokens, each piece is normalised and cut into words by a pattern, each word into bytes
//! (GPT-2, Pythia, Llama 3, Qwen, SmolLM) or characters (SentencePiece: Llama 2, Mistral, Gemma); then neighbours are
//! merged, those of the lowest rank first. All in the order of Hugging Face's `tokenizers`, so that the same tokens
//! come out.

mod alphabet;
mod error;
mod file;
mod gguf;
mod pattern;

pub use error::TokenizerError;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use unicode_normalization::UnicodeNormalization;

use self::pattern::SplitPattern;
use crate::synthetic::language::Token;

/// Largest `tokenizer.json` that is read, in bytes.
pub const TOKENIZER_BYTES_MAX: usize = 64 << 20;
/// Most tokens there may be; every token is below it.
pub const VOCABULARY_MAX: usize = 1 << 19;
/// Most merges there may be.
pub const MERGES_MAX: usize = 1 << 20;
/// Most tokens that may be added to a vocabulary.
pub const ADDED_TOKENS_MAX: usize = 1 << 14;
/// Longest added token, in bytes.
pub const ADDED_TOKEN_BYTES_MAX: usize = 256;
/// Longest text that is cut into tokens, in bytes.
pub const TEXT_BYTES_MAX: usize = 1 << 20;

/// Byte-pair encoding.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
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
    /// What words are made of.
    symbols: InitialSymbols,
    /// Of two neighbours, the rank of their merge and what they become.
    merges: HashMap<[Token; 2], (u32, Token)>,
    /// Words that are tokens as they are, merges or not; nothing where merges decide.
    words: Option<HashMap<Box<[u8]>, Token>>,
    /// Tokens that a text is cut at: first those of the text as it is, then the others.
    added: [AddedTokens; 2],
    normal: Vec<Normalizer>,
    prefix_space: bool,
    cuts: Vec<SplitPattern>,
    /// Tokens before a text and after it.
    around: [Vec<Token>; 2],
    /// Whether the space that a text begins with is none of its own.
    strips_space: bool,
}

/// What words are made of before anything is merged.
#[derive(Clone, Debug)]
enum InitialSymbols {
    /// Bytes.
    Bytes,
    /// Characters: their tokens, those of the bytes of others, or the unknown token, of which several become one where
    /// it says so.
    Characters { tokens: HashMap<char, Token>, unknown: Option<Token>, fuse: bool },
    /// Characters, of which neighbours are merged where both together are a token: the rank of its score, and it.
    Scores { tokens: HashMap<Box<[u8]>, (u32, Token)>, unknown: Option<Token> },
}

/// What is done to a text before it is cut into words.
#[derive(Clone, Debug, PartialEq)]
enum Normalizer {
    /// Characters and the marks that follow them become one.
    Nfc,
    /// Puts something before it.
    Prepend(String),
    /// Puts something in the place of something else.
    Replace([String; 2]),
    /// Puts ▁ for spaces, and before the first piece of a text, where it does not begin so.
    Metaspace,
}

/// SentencePiece's space.
const METASPACE: &str = "\u{2581}";

impl Normalizer {
    fn apply<'a>(&self, text: Cow<'a, str>, first: bool) -> Cow<'a, str> {
        match self {
            Self::Nfc if text.is_ascii() => text,
            Self::Nfc => Cow::Owned(text.nfc().collect()),
            Self::Prepend(before) if !text.is_empty() => Cow::Owned(format!("{before}{text}")),
            Self::Prepend(_) => text,
            Self::Replace([from, to]) if text.contains(from.as_str()) => Cow::Owned(text.replace(from.as_str(), to)),
            Self::Replace(_) => text,
            Self::Metaspace => {
                let text = text.replace(' ', METASPACE);
                let bare = first && !text.is_empty() && !text.starts_with(METASPACE);
                Cow::Owned(if bare { format!("{METASPACE}{text}") } else { text })
            }
        }
    }
}

/// Tokens that are found in a text before anything else is done to it: a tree of their bytes, so that looking at one
/// place of a text takes no more steps than the longest of them has bytes, however many begin alike.
#[derive(Clone, Debug)]
struct AddedTokens {
    /// The first is the root.
    nodes: Vec<TrieNode>,
}

/// Where tokens are that begin alike.
#[derive(Clone, Debug, Default)]
struct TrieNode {
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

impl AddedTokens {
    fn new(all: Vec<(Box<str>, Token)>) -> Self {
        let mut nodes = vec![TrieNode::default()];
        for (content, token) in all {
            if content.is_empty() {
                continue;
            }
            let mut at = 0_u32;
            for byte in content.bytes() {
                // No more than ADDED_TOKENS_MAX · ADDED_TOKEN_BYTES_MAX.
                let new = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
                let next = &mut nodes[at as usize].next;
                at = match next.binary_search_by_key(&byte, |(byte, _)| *byte) {
                    Ok(place) => next[place].1,
                    Err(place) => {
                        next.insert(place, (byte, new));
                        nodes.push(TrieNode::default());
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
    fn longest_match(&self, bytes: &[u8]) -> Option<(usize, Token)> {
        let (mut found, mut node) = (None, self.nodes.first()?);
        for (at, byte) in bytes.iter().enumerate() {
            let Ok(place) = node.next.binary_search_by_key(byte, |(byte, _)| *byte) else { break };
            node = self.nodes.get(node.next.get(place)?.1 as usize)?;
            found = node.token.map(|token| (at + 1, token)).or(found);
        }
        found
    }

    /// Cuts a text at the first token from the left, of several there the longest; and so on.
    fn split<'a>(&self, text: &'a str, into: &mut Vec<Piece<'a>>) {
        let (mut start, mut at) = (0, 0);
        while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
            match self.longest_match(rest) {
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
    /// Nothing where no token has this text, or not yet.
    token: Option<Token>,
    /// Its bytes in the word.
    start: u32,
    end: u32,
    previous: Option<u32>,
    next: Option<u32>,
    /// Whether it has become part of the one before.
    merged: bool,
}

impl Tokenizer {
    /// How many tokens there are.
    #[must_use]
    pub fn vocab_size(&self) -> usize {
        self.pieces.iter().flatten().count()
    }

    /// The largest token.
    #[must_use]
    pub fn largest_token(&self) -> Token {
        self.pieces.len().saturating_sub(1) as Token
    }

    /// A text's tokens between those that the model expects around a text, its first token as a rule.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn encode_with_special_tokens(&self, text: &str) -> Result<Vec<Token>, TokenizerError> {
        let [before, after] = &self.around;
        Ok([before.as_slice(), &self.encode(text)?, after].concat())
    }

    /// A text's tokens. Nothing is put before or after them, and nothing is cut off.
    ///
    /// # Errors
    /// [`TokenizerError::Text`] beyond [`TEXT_BYTES_MAX`] bytes, [`TokenizerError::Byte`] where the vocabulary has
    /// no token for a byte of the text.
    pub fn encode(&self, text: &str) -> Result<Vec<Token>, TokenizerError> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(TokenizerError::Text { found: text.len() });
        }
        let [first, second] = &self.added;
        let (mut pieces, mut tokens) = (Vec::new(), Vec::new());
        first.split(text, &mut pieces);
        let (before, words): (Vec<&Normalizer>, Vec<&Normalizer>) =
            self.normal.iter().partition(|normal| **normal != Normalizer::Metaspace);
        for (index, piece) in pieces.into_iter().enumerate() {
            let text = match piece {
                Piece::Added(token) => {
                    tokens.push(token);
                    continue;
                }
                Piece::Text(text) => Cow::Borrowed(text),
            };
            let text = before.iter().fold(text, |text, normal| normal.apply(text, index == 0));
            let mut pieces = Vec::new();
            second.split(&text, &mut pieces);
            for (within, piece) in pieces.into_iter().enumerate() {
                match piece {
                    Piece::Added(token) => tokens.push(token),
                    Piece::Text(text) => {
                        let first = index == 0 && within == 0;
                        let text = words.iter().fold(Cow::Borrowed(text), |text, normal| normal.apply(text, first));
                        self.encode_piece(&text, &mut tokens)?;
                    }
                }
            }
        }
        Ok(tokens)
    }

    /// A stretch of text between added tokens.
    fn encode_piece(&self, text: &str, tokens: &mut Vec<Token>) -> Result<(), TokenizerError> {
        let text = if self.prefix_space && !text.starts_with(' ') {
            Cow::Owned(format!(" {text}"))
        } else {
            Cow::Borrowed(text)
        };
        self.encode_with_splits(&text, &self.cuts, tokens)
    }

    /// Cuts a text in one way, each piece in the next.
    fn encode_with_splits(
        &self,
        text: &str,
        cuts: &[SplitPattern],
        tokens: &mut Vec<Token>,
    ) -> Result<(), TokenizerError> {
        match cuts.split_first() {
            None => self.encode_word(text, tokens),
            Some((first, rest)) => first.split(text).try_for_each(|piece| self.encode_with_splits(piece, rest, tokens)),
        }
    }

    fn encode_word(&self, word: &str, tokens: &mut Vec<Token>) -> Result<(), TokenizerError> {
        if let Some(token) = self.words.as_ref().and_then(|words| words.get(word.as_bytes())) {
            tokens.push(*token);
            return Ok(());
        }
        let mut symbols = self.split_symbols(word)?;
        let mut waiting = BinaryHeap::new();
        let wait = |waiting: &mut BinaryHeap<_>, symbols: &[Symbol], at: u32| {
            let left = symbols[at as usize];
            let right = left.next.map(|next| symbols[next as usize]);
            let found = right.and_then(|right| self.find_merge(word, left, right));
            if let Some((rank, becomes)) = found {
                waiting.push(Reverse((rank, at, becomes)));
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
            let still = self.find_merge(word, left, right);
            if still.is_none_or(|(_, token)| token != becomes) {
                continue;
            }
            let (token, next_one, end) = (Some(becomes), right.next, right.end);
            symbols[at as usize] = Symbol { token, next: next_one, end, ..left };
            symbols[next as usize].merged = true;
            if let Some(after) = right.next {
                symbols[after as usize].previous = Some(at);
            }
            if let Some(before) = left.previous {
                wait(&mut waiting, &symbols, before);
            }
            wait(&mut waiting, &symbols, at);
        }
        for symbol in symbols.iter().filter(|symbol| !symbol.merged) {
            match symbol.token {
                Some(token) => tokens.push(token),
                None => {
                    let bytes = &word.as_bytes()[symbol.start as usize..symbol.end as usize];
                    tokens.extend(self.unknown_tokens(bytes, None)?);
                }
            }
        }
        Ok(())
    }

    /// The rank of two neighbours' merge and what they become, where they do.
    fn find_merge(&self, word: &str, left: Symbol, right: Symbol) -> Option<(u32, Token)> {
        match &self.symbols {
            InitialSymbols::Scores { tokens, .. } => {
                tokens.get(&word.as_bytes()[left.start as usize..right.end as usize]).copied()
            }
            _ => self.merges.get(&[left.token?, right.token?]).copied(),
        }
    }

    /// The tokens of bytes that are no token together: theirs, or the unknown one, which is not repeated after `last`.
    fn unknown_tokens(&self, bytes: &[u8], last: Option<Token>) -> Result<Vec<Token>, TokenizerError> {
        let (unknown, fuse) = match self.symbols {
            InitialSymbols::Bytes => (None, false),
            InitialSymbols::Characters { unknown, fuse, .. } => (unknown, fuse),
            InitialSymbols::Scores { unknown, .. } => (unknown, false),
        };
        let each = bytes.iter().map(|byte| self.bytes.get(usize::from(*byte)).copied().flatten());
        if let Some(tokens) = each.collect::<Option<Vec<Token>>>() {
            return Ok(tokens);
        }
        match unknown {
            Some(token) if fuse && last == Some(token) => Ok(Vec::new()),
            Some(token) => Ok(vec![token]),
            None => Err(TokenizerError::Byte { byte: bytes.first().copied().unwrap_or(0) }),
        }
    }

    /// What a word is made of.
    fn split_symbols(&self, word: &str) -> Result<Vec<Symbol>, TokenizerError> {
        let mut all: Vec<Symbol> = Vec::with_capacity(word.len());
        let mut add = |token: Option<Token>, start: usize, end: usize| {
            let at = all.len() as u32;
            if let Some(before) = all.last_mut() {
                before.next = Some(at);
            }
            all.push(Symbol {
                token,
                start: start as u32,
                end: end as u32,
                previous: at.checked_sub(1),
                next: None,
                merged: false,
            });
        };
        match &self.symbols {
            InitialSymbols::Bytes => {
                for (at, byte) in word.bytes().enumerate() {
                    let token = self.bytes.get(usize::from(byte)).copied().flatten();
                    add(Some(token.ok_or(TokenizerError::Byte { byte })?), at, at + 1);
                }
            }
            InitialSymbols::Characters { tokens, .. } => {
                let mut last = None;
                for (at, c) in word.char_indices() {
                    let end = at + c.len_utf8();
                    if let Some(token) = tokens.get(&c) {
                        last = Some(*token);
                        add(last, at, end);
                        continue;
                    }
                    for token in self.unknown_tokens(&word.as_bytes()[at..end], last)? {
                        last = Some(token);
                        add(last, at, end);
                    }
                }
            }
            InitialSymbols::Scores { tokens, .. } => {
                for (at, c) in word.char_indices() {
                    let end = at + c.len_utf8();
                    let found = tokens.get(&word.as_bytes()[at..end]);
                    add(found.map(|(_, token)| *token), at, end);
                }
            }
        }
        Ok(all)
    }

    /// What a token stands for, as it is within a text; nothing where there is no such token. Bytes that are no whole
    /// character become U+FFFD.
    #[must_use]
    pub fn token_text(&self, token: Token) -> Option<String> {
        let piece = self.pieces.get(token as usize)?.as_ref()?;
        Some(String::from_utf8_lossy(piece).into_owned())
    }

    /// The text of tokens. Bytes that are no whole character become U+FFFD.
    ///
    /// # Errors
    /// [`TokenizerError::Token`] where there is no such token.
    pub fn decode(&self, tokens: &[Token]) -> Result<String, TokenizerError> {
        let mut bytes = Vec::new();
        for token in tokens {
            let piece = self.pieces.get(*token as usize).and_then(Option::as_ref);
            let last = self.largest_token();
            bytes.extend(piece.ok_or(TokenizerError::Token { found: *token, last })?);
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_prefix(' ').filter(|_| self.strips_space).unwrap_or(&text);
        Ok(text.to_owned())
    }
}
