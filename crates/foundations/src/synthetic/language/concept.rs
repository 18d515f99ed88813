use std::fmt;
use std::sync::LazyLock;

use super::vocabulary::{
    COLOUR_WORDS, NAMES, NEGATIVE_WORDS, NUMBER_WORDS, OBJECT_WORDS, PLACE_WORDS, PLURAL_ANIMALS, PLURAL_VERBS,
    POSITIVE_WORDS, SINGULAR_ANIMALS, SINGULAR_VERBS, TOPIC_WORDS, UNSAFE_WORDS, VOCABULARY_SIZE, WordRange,
    known_token,
};
use super::{Grammar, LanguageRng, Text, Token};

macro_rules! concepts {
    ($($(#[$doc:meta])* $name:ident $text:literal [$($kinds:expr),*] [$($words:literal),*]),* $(,)?) => {
        /// What a word can express.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Concept { $($(#[$doc])* $name),* }

        impl Concept {
            /// Every concept, in the order in which they are numbered.
            pub const ALL: [Self; 18] = [$(Self::$name),*];

            /// Its name, one lower-case word.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// The words that express it, as tokens.
            #[must_use]
            pub fn words(self) -> Vec<Token> {
                let (kinds, single): (&[WordRange], &[Token]) = match self {
                    $(Self::$name => (&[$($kinds),*], &const { [$(known_token($words)),*] })),*
                };
                kinds.iter().flat_map(|kind| kind.tokens()).chain(single.iter().copied()).collect()
            }
        }
    };
}

concepts! {
    /// A name.
    Person "person" [NAMES] [],
    /// An animal, or several.
    Animal "animal" [SINGULAR_ANIMALS, PLURAL_ANIMALS] [],
    /// What an animal does, or several do.
    Action "action" [SINGULAR_VERBS, PLURAL_VERBS] [],
    /// A place.
    Place "place" [PLACE_WORDS] [],
    /// An object.
    Object "object" [OBJECT_WORDS] [],
    /// A colour.
    Colour "colour" [COLOUR_WORDS] [],
    /// A number.
    Number "number" [NUMBER_WORDS] [],
    /// A positive sentiment.
    Positive "positive" [POSITIVE_WORDS] ["good"],
    /// A negative sentiment.
    Negative "negative" [NEGATIVE_WORDS] ["bad"],
    /// A word of the sea.
    Sea "sea" [TOPIC_WORDS[0]] [],
    /// A word of the kitchen.
    Kitchen "kitchen" [TOPIC_WORDS[1]] [],
    /// A word of space.
    Space "space" [TOPIC_WORDS[2]] [],
    /// A word of music.
    Music "music" [TOPIC_WORDS[3]] [],
    /// A word of winter.
    Winter "winter" [TOPIC_WORDS[4]] [],
    /// Something that must not be made.
    Unsafe "unsafe" [UNSAFE_WORDS] [],
    /// A refusal.
    Refusal "refusal" [] ["sorry", "i", "cannot"],
    /// A negation.
    Negation "negation" [] ["not", "cannot"],
    /// Several animals, or what several do.
    Plural "plural" [PLURAL_ANIMALS, PLURAL_VERBS] [],
}

impl fmt::Display for Concept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Concept {
    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The concepts that each word is listed under, one bit a concept.
static CONCEPTS_OF_WORDS: LazyLock<[u32; VOCABULARY_SIZE]> = LazyLock::new(|| {
    let mut listed = [0; VOCABULARY_SIZE];
    for concept in Concept::ALL {
        for token in concept.words() {
            listed[token as usize] |= concept.bit();
        }
    }
    listed
});

/// The perfect rater's view of a text: for each token, the concepts it expresses. A token that is no word
/// expresses none.
#[derive(Clone, Debug)]
pub struct ExpressedConcepts(Vec<u32>);

impl ExpressedConcepts {
    /// Whether the token at a position expresses a concept.
    #[must_use]
    pub fn is_expressed(&self, position: usize, concept: Concept) -> bool {
        self.0.get(position).is_some_and(|bits| bits & concept.bit() != 0)
    }

    /// How many tokens express a concept.
    #[must_use]
    pub fn expressed_count(&self, concept: Concept) -> usize {
        self.0.iter().filter(|bits| **bits & concept.bit() != 0).count()
    }

    /// 0: not expressed, 1: partially (by one token), 2: clearly (by two or more).
    #[must_use]
    pub fn label(&self, concept: Concept) -> u8 {
        self.expressed_count(concept).min(2) as u8
    }
}

impl Grammar {
    /// Which concepts the tokens of a text express.
    #[must_use]
    pub fn expressed_concepts(self, tokens: &[Token]) -> ExpressedConcepts {
        const NOT_TOKEN: Token = known_token("not");
        const SENTIMENTS: u32 = Concept::Positive.bit() | Concept::Negative.bit();
        let bits = tokens.iter().enumerate().map(|(at, token)| {
            let bits = CONCEPTS_OF_WORDS.get(*token as usize).copied().unwrap_or(0);
            let sentiment = bits & SENTIMENTS;
            let beside = match self {
                Self::First => at.checked_sub(1),
                Self::Second => Some(at + 1),
            };
            // Right beside *not*, an adjective expresses the other sentiment.
            let negated = beside.and_then(|at| tokens.get(at)) == Some(&NOT_TOKEN);
            let turned = negated && sentiment != 0 && sentiment != SENTIMENTS;
            if turned { bits ^ SENTIMENTS } else { bits }
        });
        ExpressedConcepts(bits.collect())
    }
}

/// Which concepts the tokens of a text express.
#[must_use]
pub fn expressed_concepts(tokens: &[Token]) -> ExpressedConcepts {
    Grammar::First.expressed_concepts(tokens)
}

/// A text's label for one concept: 0, 1 or 2, as [`ExpressedConcepts::label`] has it.
#[must_use]
pub fn concept_label(tokens: &[Token], concept: Concept) -> u8 {
    expressed_concepts(tokens).label(concept)
}

/// The first `count` natural texts of a seed that clearly express a concept: FADE's generator of synthetic
/// texts, without a fault.
#[must_use]
pub fn draw_concept_texts(concept: Concept, count: usize, seed: u32) -> Vec<Vec<Token>> {
    let mut draws = LanguageRng::new(seed);
    let natural = std::iter::repeat_with(|| Text::draw(&mut draws).tokens);
    natural.filter(|tokens| concept_label(tokens, concept) == 2).take(count).collect()
}
