//! Stories of several topics.

use super::diversity::{DiversityResult, measure_diversity};
use crate::papers::mui::measure::{Answer, MeasuredModel};
use crate::papers::mui::settings::Settings;
use crate::synthetic::language::{Concept, LanguageRng, Text, Token};
use crate::toy_model::ToyModelError;

/// How many topics stories have.
pub(super) const TOPIC_COUNT: usize = 5;
/// What they are about.
const TOPIC_CONCEPTS: [Concept; TOPIC_COUNT] =
    [Concept::Sea, Concept::Kitchen, Concept::Space, Concept::Music, Concept::Winter];
/// Topics that answers are drawn from.
const DRAWN_TOPIC_COUNTS: [usize; 3] = [1, 2, TOPIC_COUNT];
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
    pub next_words: Vec<Token>,
}

/// The natural stories of a stream in which a topic's word stands at a position, by topic: `count` of each.
pub(super) fn draw_stories(draws: &mut LanguageRng, at: usize, count: usize) -> [TopicStories; TOPIC_COUNT] {
    let words = TOPIC_CONCEPTS.map(Concept::words);
    let mut found: [TopicStories; TOPIC_COUNT] = Default::default();
    while found.iter().any(|stories| stories.next_words.len() < count) {
        let text = Text::draw(draws);
        let Some(word) = text.tokens.get(at).filter(|_| text.answer_positions.is_empty()) else {
            continue;
        };
        for (stories, words) in found.iter_mut().zip(&words) {
            if words.contains(word) && stories.next_words.len() < count {
                stories.tokens.push(text.tokens[..at].to_vec());
                stories.next_words.push(*word);
            }
        }
    }
    found
}

pub(super) fn run(settings: &Settings) -> Result<DiversityResult, ToyModelError> {
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    let stories = draw_stories(&mut LanguageRng::new(STORIES_SEED), WORD_POSITION, settings.prompts);
    let pools: Result<Vec<Vec<Answer>>, ToyModelError> =
        stories.iter().map(|of| subject.measure_targets(&of.tokens, &of.next_words, settings)).collect();
    Ok(measure_diversity(&subject, &pools?, &DRAWN_TOPIC_COUNTS, settings.prompts, DRAWS_SEED))
}
