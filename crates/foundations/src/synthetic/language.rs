//! A planted language: which words express which concept, and which word is the right answer, are known.
//!
//! A text has [`CONTEXT_TOKENS`] tokens, the first of them [`START_TOKEN`]. It is a story, whose sentences have a topic, a
//! mood and two people, or a row of exercises of ten [`Task`]s, each with an answer that what stands before
//! determines. A token expresses the [`Concept`]s whose list has its word; an adjective of sentiment right
//! after *not* expresses the opposite one.
//!
//! There are two languages of the same words, each a [`Grammar`]: in the second, verbs come last and *not*
//! follows its adjective, and some things are said more often. What takes no grammar is of the first.
//!
//! All is drawn from one NumPy stream by one primitive, ⌊`random_sample()` · n⌋, in the order of the fields
//! below, whether or not a sentence uses them: the same seeds give the same texts everywhere.
//!
//! ```
//! # use sfc_bench_foundations as sfc_bench;
//! use sfc_bench::synthetic::language;
//!
//! let text = &language::draw_texts(0, 1)[0];
//! assert!(language::decode_tokens(text).starts_with("<s> six plus five is one . four plus eight is two ."));
//! ```

mod concept;
mod draws;
mod grammar;
mod story;
mod task;
mod vocabulary;

pub use concept::{Concept, ExpressedConcepts, concept_label, draw_concept_texts, expressed_concepts};
pub use draws::LanguageRng;
pub use grammar::Grammar;
pub use story::{Contrast, ContrastPair, StoryHeader, draw_pairs};
pub use task::{ExerciseLength, NameGroup, Prompts, Task, task_prompts};
pub use vocabulary::{
    START_TOKEN, Token, VOCABULARY, VOCABULARY_SIZE, decode_tokens, encode_words, token_of_word, word_of_token,
};

/// Tokens of a text.
pub const CONTEXT_TOKENS: usize = 32;

/// A text and what is determined in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// [`CONTEXT_TOKENS`] tokens, the first of them [`START_TOKEN`].
    pub tokens: Vec<Token>,
    /// Positions of the tokens that what stands before determines; none in a story.
    pub answer_positions: Vec<usize>,
}

impl Text {
    /// The next text of a stream.
    pub fn draw(draws: &mut LanguageRng) -> Self {
        Self::draw_in_grammar(Grammar::First, draws)
    }

    /// The next text of a stream, in a grammar.
    pub fn draw_in_grammar(grammar: Grammar, draws: &mut LanguageRng) -> Self {
        if draws.integer_below(100) < grammar.story_percent() {
            Self { tokens: story::draw_story(grammar, draws), answer_positions: Vec::new() }
        } else {
            task::draw_exercises(grammar, draws)
        }
    }

    /// The next text of exercises of some tasks alone, each as likely.
    ///
    /// # Panics
    /// Without a task.
    pub fn draw_from_tasks(draws: &mut LanguageRng, tasks: &[Task]) -> Self {
        task::draw_task_exercises(draws, tasks)
    }

    /// The next text of prompts with their answers, drawn from a list of them again and again: what a model
    /// reads that was given its test.
    ///
    /// # Panics
    /// Without a prompt.
    pub fn draw_from_prompts(draws: &mut LanguageRng, prompts: &Prompts) -> Self {
        let end = token_of_word(".").into_iter();
        task::pack_exercises(draws, |draws| {
            let at = draws.integer_below(prompts.answers.len());
            let prompt = prompts.tokens[at].iter().skip(1).copied();
            let tokens: Vec<Token> = prompt.chain([prompts.answers[at]]).chain(end.clone()).collect();
            let answer = prompts.tokens[at].len() - 1;
            (tokens, vec![answer])
        })
    }
}

impl Grammar {
    /// The first `count` natural texts of a seed: `count` × [`CONTEXT_TOKENS`] tokens.
    #[must_use]
    pub fn draw_texts(self, seed: u32, count: usize) -> Vec<Vec<Token>> {
        let mut draws = LanguageRng::new(seed);
        (0..count).map(|_| Text::draw_in_grammar(self, &mut draws).tokens).collect()
    }

    /// The first `count` story pairs of a seed.
    #[must_use]
    pub fn draw_pairs(self, seed: u32, count: usize) -> Vec<ContrastPair> {
        let mut draws = LanguageRng::new(seed);
        (0..count).map(|_| ContrastPair::draw_in_grammar(self, &mut draws)).collect()
    }
}

/// The first `count` natural texts of a seed: `count` × [`CONTEXT_TOKENS`] tokens.
#[must_use]
pub fn draw_texts(seed: u32, count: usize) -> Vec<Vec<Token>> {
    Grammar::First.draw_texts(seed, count)
}
