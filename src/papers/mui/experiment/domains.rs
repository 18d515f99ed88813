//! Stories of several topics.

use super::diversity::{Diversity, over};
use crate::papers::mui::measure::{Answer, Subject};
use crate::papers::mui::settings::Settings;
use crate::synthetic::language::{Concept, Draws, Text, Token};
use crate::toy_model::ToyModelError;

/// How many topics stories have.
pub(super) const TOPICS: usize = 5;
/// What they are about.
const ABOUT: [Concept; TOPICS] =
    [Concept::Sea, Concept::Kitchen, Concept::Space, Concept::Music, Concept::Winter];
/// Topics that answers are drawn from.
const KINDS: [usize; 3] = [1, 2, TOPICS];
/// Where the word stands, in a story that is well under way.
const AT: usize = 28;
/// The seed of the stories.
const SEED: u32 = 9_300;
/// The seed of the draws.
const DRAWN: u32 = 7_005;

/// Stories up to a word of their topic, and the word.
#[derive(Clone, Debug, Default)]
pub(super) struct Stories {
    pub tokens: Vec<Vec<Token>>,
    pub words: Vec<Token>,
}

/// The natural stories of a stream in which a topic's word stands at a position, by topic: `count` of each.
pub(super) fn stories(draws: &mut Draws, at: usize, count: usize) -> [Stories; TOPICS] {
    let words = ABOUT.map(Concept::words);
    let mut found: [Stories; TOPICS] = Default::default();
    while found.iter().any(|stories| stories.words.len() < count) {
        let text = Text::draw(draws);
        let Some(word) = text.tokens.get(at).filter(|_| text.answers.is_empty()) else { continue };
        for (stories, words) in found.iter_mut().zip(&words) {
            if words.contains(word) && stories.words.len() < count {
                stories.tokens.push(text.tokens[..at].to_vec());
                stories.words.push(*word);
            }
        }
    }
    found
}

pub(super) fn run(settings: &Settings) -> Result<Diversity, ToyModelError> {
    let subject = Subject::shipped(&settings.checkpoint)?;
    let stories = stories(&mut Draws::new(SEED), AT, settings.prompts);
    let pools: Result<Vec<Vec<Answer>>, ToyModelError> =
        stories.iter().map(|of| subject.words(&of.tokens, &of.words, settings)).collect();
    Ok(over(&subject, &pools?, &KINDS, settings.prompts, DRAWN))
}
