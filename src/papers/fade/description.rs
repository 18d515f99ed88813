use serde::{Deserialize, Serialize};

use crate::synthetic::language::{Concept, Grammar, LanguageRng, Text, Token, word_of_token};

/// What a feature is said to be about: a planted concept, or a single word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Description {
    /// One of the planted concepts.
    Concept(Concept),
    /// One word.
    Word(Token),
}

impl Description {
    /// In a word: "person", or the word itself in quotes.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Concept(concept) => concept.name().to_owned(),
            Self::Word(token) => format!("“{}”", word_of_token(token).unwrap_or("?")),
        }
    }

    /// Its number: seeds are counted from it. Words come after the concepts.
    #[must_use]
    pub fn seed_offset(self) -> u32 {
        match self {
            Self::Concept(concept) => concept as u32,
            Self::Word(token) => Concept::ALL.len() as u32 + token,
        }
    }

    /// Which tokens of a text in a grammar express it, by the perfect rater.
    #[must_use]
    pub fn expressing_token_mask(self, grammar: Grammar, text: &[Token]) -> Vec<bool> {
        match self {
            Self::Concept(concept) => {
                let found = grammar.expressed_concepts(text);
                (0..text.len()).map(|at| found.is_expressed(at, concept)).collect()
            }
            Self::Word(token) => text.iter().map(|other| *other == token).collect(),
        }
    }

    /// A text's label: 0, 1 (one token expresses it) or 2 (two or more do).
    #[must_use]
    pub fn label_text(self, grammar: Grammar, text: &[Token]) -> u8 {
        match self {
            Self::Concept(concept) => grammar.expressed_concepts(text).label(concept),
            Self::Word(token) => text.iter().filter(|other| **other == token).count().min(2) as u8,
        }
    }

    /// Texts made from it: natural texts that clearly express it. Of those, a share `error` is any
    /// natural text, drawn as `slips` has it.
    #[must_use]
    pub fn draw_texts(
        self,
        grammar: Grammar,
        count: usize,
        seed: u32,
        (error, slips): (f64, &mut LanguageRng),
    ) -> Vec<Vec<Token>> {
        let mut draws = LanguageRng::new(seed);
        (0..count)
            .map(|_| {
                let any = error > 0.0 && slips.uniform() < error;
                loop {
                    let text = Text::draw_in_grammar(grammar, &mut draws).tokens;
                    if any || self.label_text(grammar, &text) == 2 {
                        return text;
                    }
                }
            })
            .collect()
    }
}

/// Why a feature is held against a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeCase"))]
#[serde(rename_all = "lowercase")]
pub enum DescriptionCase {
    /// The latent that tells the concept's tokens best: as good a description as there is.
    Best,
    /// Another concept's latent.
    Wrong,
    /// The latent of a part of what is described.
    Broad,
    /// The latent of more than what is described.
    Narrow,
    /// A latent that is never active.
    Dead,
    /// The latent that is active most often.
    Dense,
}

impl DescriptionCase {
    /// In words.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Best => "best latent",
            Self::Wrong => "wrong concept",
            Self::Broad => "described too broadly",
            Self::Narrow => "described too narrowly",
            Self::Dead => "dead latent",
            Self::Dense => "dense latent",
        }
    }
}
