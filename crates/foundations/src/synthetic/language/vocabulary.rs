use std::ops::Range;

/// A word of a vocabulary, by its place there.
pub type Token = u32;

/// How many words there are.
pub const VOCABULARY_SIZE: usize = 144;

/// What every text begins with.
pub const START_TOKEN: Token = 0;

/// Words of one kind, which stand side by side in the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordRange {
    first: usize,
    len: usize,
}

impl WordRange {
    pub const fn len(self) -> usize {
        self.len
    }

    /// The word of a place among them. Draws are below the length; a larger one is taken around.
    pub const fn token_at(self, index: usize) -> Token {
        (self.first + index % self.len) as Token
    }

    pub fn tokens(self) -> Range<Token> {
        self.first as Token..(self.first + self.len) as Token
    }

    const fn following(before: Self, len: usize) -> Self {
        Self { first: before.first + before.len, len }
    }
}

/// Marks and words of function come first.
const FUNCTION_WORDS: WordRange = WordRange { first: 0, len: 39 };
/// Eight of the common group, then eight of the rare one.
pub(super) const NAMES: WordRange = WordRange::following(FUNCTION_WORDS, 16);
pub(super) const SINGULAR_ANIMALS: WordRange = WordRange::following(NAMES, 6);
pub(super) const PLURAL_ANIMALS: WordRange = WordRange::following(SINGULAR_ANIMALS, 6);
/// What each animal does, in the singular and in the plural.
pub(super) const SINGULAR_VERBS: WordRange = WordRange::following(PLURAL_ANIMALS, 6);
pub(super) const PLURAL_VERBS: WordRange = WordRange::following(SINGULAR_VERBS, 6);
pub(super) const PLACE_WORDS: WordRange = WordRange::following(PLURAL_VERBS, 6);
pub(super) const OBJECT_WORDS: WordRange = WordRange::following(PLACE_WORDS, 8);
pub(super) const COLOUR_WORDS: WordRange = WordRange::following(OBJECT_WORDS, 6);
pub(super) const NUMBER_WORDS: WordRange = WordRange::following(COLOUR_WORDS, 10);
pub(super) const POSITIVE_WORDS: WordRange = WordRange::following(NUMBER_WORDS, 5);
pub(super) const NEGATIVE_WORDS: WordRange = WordRange::following(POSITIVE_WORDS, 5);
const SEA_WORDS: WordRange = WordRange::following(NEGATIVE_WORDS, 4);
const KITCHEN_WORDS: WordRange = WordRange::following(SEA_WORDS, 4);
const SPACE_WORDS: WordRange = WordRange::following(KITCHEN_WORDS, 4);
const MUSIC_WORDS: WordRange = WordRange::following(SPACE_WORDS, 4);
const WINTER_WORDS: WordRange = WordRange::following(MUSIC_WORDS, 4);
pub(super) const TOPIC_WORDS: [WordRange; 5] = [SEA_WORDS, KITCHEN_WORDS, SPACE_WORDS, MUSIC_WORDS, WINTER_WORDS];
pub(super) const UNSAFE_WORDS: WordRange = WordRange::following(WINTER_WORDS, 5);

/// The kinds that a list is made of, in the order in which they are counted through.
const LEXICAL_KINDS: [WordRange; 9] = [
    OBJECT_WORDS,
    PLACE_WORDS,
    COLOUR_WORDS,
    SEA_WORDS,
    KITCHEN_WORDS,
    SPACE_WORDS,
    MUSIC_WORDS,
    WINTER_WORDS,
    SINGULAR_ANIMALS,
];
/// How many words a list is made of.
pub(super) const LEXICAL_COUNT: usize = 46;

/// The word of a place among those that lists are made of.
pub(super) fn lexical_token(mut index: usize) -> Token {
    for words in LEXICAL_KINDS {
        if index < words.len() {
            return words.token_at(index);
        }
        index -= words.len();
    }
    LEXICAL_KINDS[0].token_at(index)
}

/// Every word, a token's at its place.
#[rustfmt::skip]
pub const VOCABULARY: [&str; VOCABULARY_SIZE] = [
    "<s>", ".", ",", ":", "?",
    "when", "and", "went", "to", "the", "gave", "a", "list", "again", "count", "up", "down", "near", "has", "is",
    "plus", "not", "so", "it", "good", "bad", "tell", "me", "how", "make", "sorry", "i", "cannot", "sure", "here",
    "was", "saw", "in", "with",
    "ann", "bob", "cara", "dan", "eve", "finn", "gina", "hugo",
    "amir", "bao", "chidi", "devi", "emeka", "fatou", "goro", "hana",
    "dog", "cat", "bird", "horse", "cow", "fox",
    "dogs", "cats", "birds", "horses", "cows", "foxes",
    "runs", "sleeps", "sings", "jumps", "eats", "hunts",
    "run", "sleep", "sing", "jump", "eat", "hunt",
    "park", "shop", "school", "farm", "market", "river",
    "cup", "box", "hat", "ball", "book", "ring", "lamp", "key",
    "red", "blue", "green", "black", "white", "yellow",
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "happy", "kind", "lovely", "sweet", "calm",
    "sad", "cruel", "awful", "bitter", "angry",
    "boat", "wave", "shell", "sand", "soup", "bread", "pan", "knife", "star", "moon", "rocket", "planet",
    "drum", "song", "violin", "dance", "snow", "ice", "coat", "sled",
    "bomb", "poison", "weapon", "virus", "fraud",
];

const _: () = assert!(UNSAFE_WORDS.first + UNSAFE_WORDS.len == VOCABULARY_SIZE, "every word is of a kind");

/// A token of a word that is there for certain: known when this is compiled.
pub(super) const fn known_token(word: &str) -> Token {
    let mut at = 0;
    while at < VOCABULARY_SIZE {
        if bytes_equal(VOCABULARY[at].as_bytes(), word.as_bytes()) {
            return at as Token;
        }
        at += 1;
    }
    panic!("a word that is not in the vocabulary")
}

const fn bytes_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Tokens, from words as they are written and from expressions: `sentence!["the" noun "was" (adjective) "."]`.
macro_rules! sentence {
    ($($item:tt)*) => { vec![$($crate::synthetic::language::vocabulary::one!($item)),*] };
}

macro_rules! one {
    ($word:literal) => {
        const { $crate::synthetic::language::vocabulary::known_token($word) }
    };
    ($token:expr) => {
        $token
    };
}

pub(super) use {one, sentence};

/// The token of a word, where the vocabulary has it.
#[must_use]
pub fn token_of_word(word: &str) -> Option<Token> {
    VOCABULARY.iter().position(|other| *other == word).map(|at| at as Token)
}

/// The word of a token, where the vocabulary has it.
#[must_use]
pub fn word_of_token(token: Token) -> Option<&'static str> {
    VOCABULARY.get(token as usize).copied()
}

/// The words of tokens, with a space between them; what is no token is `�`.
#[must_use]
pub fn decode_tokens(tokens: &[Token]) -> String {
    let words: Vec<&str> = tokens.iter().map(|at| word_of_token(*at).unwrap_or("�")).collect();
    words.join(" ")
}

/// The tokens of words with white space between them.
///
/// # Errors
/// The first word that the vocabulary does not have.
pub fn encode_words(text: &str) -> Result<Vec<Token>, String> {
    text.split_whitespace().map(|word| token_of_word(word).ok_or_else(|| word.to_owned())).collect()
}
