//! Stories of several topics.

use super::diversity::{Diversity, measure_diversity};
use crate::papers::mui::measure::{Answer, MeasuredModel};
use crate::papers::mui::settings::Settings;
use crate::synthetic::language::{Concept, Draws, Text, Token};
use crate::toy_model::ToyModelError;

/// How many topics stories have.
pub(super) const TOPIC_COUNT: usize = 5;
/// What they are about.
const TOPIC_CONCEPTS: [Concept; TOPIC_COUNT] =
    [Concept::Sea, Concept::Kitchen, Concept::Space, Concept::Music, Concept::Winter];
/// Topics that answers are drawn from.
const TOPICS_DRAWN: [usize; 3] = [1, 2, TOPIC_COUNT];
/// Where the word stands, in a story that is well under way.
const WORD_POSITION: usize = 28;
/// The seed of the stories.
const STORIES_SEED: u32 = 9_300;
/// The seed of the draws.
const DRAWS_SEED: u32 = 7_005;

/// Stories up to a word of their topic, and the word.
#[derive(Clone, Debug, Default)]
pub(super) struct TopicStories {
    pub tokens: Vec<Vec<Token>>,
    pub words: Vec<Token>,
}

/// The natural stories of a stream in which a topic's word stands at a position, by topic: `count` of each.
pub(super) fn draw_stories(
    draws: &mut Draws,
    at: usize,
    count: usize,
) -> [TopicStories; TOPIC_COUNT] {
    let words = TOPIC_CONCEPTS.map(Concept::words);
    let mut found: [TopicStories; TOPIC_COUNT] = Default::default();
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
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    let stories = draw_stories(&mut Draws::new(STORIES_SEED), WORD_POSITION, settings.prompts);
    let pools: Result<Vec<Vec<Answer>>, ToyModelError> =
        stories.iter().map(|of| subject.measure_words(&of.tokens, &of.words, settings)).collect();
    Ok(measure_diversity(&subject, &pools?, &TOPICS_DRAWN, settings.prompts, DRAWS_SEED))
}
