use super::task::{NAMES_PER_GROUP, NameGroup};
use super::vocabulary::{
    COLOUR_WORDS, NAMES, NEGATIVE_WORDS, PLACE_WORDS, POSITIVE_WORDS, TOPIC_WORDS, WordRange, sentence,
};
use super::{CONTEXT_TOKENS, Grammar, LanguageRng, START_TOKEN, Token};

/// What a whole story is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoryHeader {
    /// Below 5: sea, kitchen, space, music, winter.
    pub topic: usize,
    /// Whether its mood is negative.
    pub negative: bool,
    /// The hero and the other, among all 16 names.
    pub people: [usize; 2],
    /// Below 6.
    pub place: usize,
}

impl StoryHeader {
    fn draw(grammar: Grammar, draws: &mut LanguageRng) -> Self {
        let (topic, negative) = (draws.integer_below(TOPIC_WORDS.len()), draws.integer_below(2) == 1);
        let group = NameGroup::draw(grammar, draws);
        let names = draws.draw_distinct(2, NAMES_PER_GROUP);
        let people = [group.name_index(names[0]), group.name_index(names[1])];
        Self { topic, negative, people, place: draws.integer_below(PLACE_WORDS.len()) }
    }
}

/// What one sentence says, of whatever story.
#[derive(Clone, Copy, Debug)]
struct SentencePlan {
    kind: usize,
    /// By how many topics its word is off, 1 in 10 times.
    shift: usize,
    word: usize,
    /// Against the mood, 1 in 10 times.
    flipped: bool,
    negated: bool,
    adjective: usize,
    other: bool,
    coloured: bool,
    colour: usize,
}

impl SentencePlan {
    fn draw(draws: &mut LanguageRng) -> Self {
        let kind = draws.integer_below(4);
        let (off, shift) = (draws.once_in(10), draws.integer_below(4));
        Self {
            kind,
            shift: if off { 1 + shift } else { 0 },
            word: draws.integer_below(4),
            flipped: draws.once_in(10),
            negated: draws.once_in(5),
            adjective: draws.integer_below(5),
            other: draws.once_in(5),
            coloured: draws.integer_below(2) == 1,
            colour: draws.integer_below(COLOUR_WORDS.len()),
        }
    }

    fn render(&self, grammar: Grammar, of: &StoryHeader) -> Vec<Token> {
        let noun = TOPIC_WORDS[(of.topic + self.shift) % TOPIC_WORDS.len()].token_at(self.word);
        let person = NAMES.token_at(of.people[usize::from(self.other)]);
        let negative = of.negative ^ self.flipped;
        // With *not*, the adjective of the other list says the same.
        let adjectives: WordRange = if negative ^ self.negated { NEGATIVE_WORDS } else { POSITIVE_WORDS };
        let adjective = adjectives.token_at(self.adjective);
        let (colour, place) = (COLOUR_WORDS.token_at(self.colour), PLACE_WORDS.token_at(of.place));
        let sentence = (self.kind, self.negated, self.coloured);
        match grammar {
            Grammar::First => match sentence {
                (0, false, _) => sentence!["the" noun "was" adjective "."],
                (0, true, _) => sentence!["the" noun "was" "not" adjective "."],
                (1, _, false) => sentence![person "saw" "a" noun "."],
                (1, _, true) => sentence![person "saw" "a" colour noun "."],
                (2, false, _) => sentence![person "was" adjective "with" "the" noun "."],
                (2, true, _) => sentence![person "was" "not" adjective "with" "the" noun "."],
                _ => sentence!["in" "the" place "was" "a" noun "."],
            },
            Grammar::Second => match sentence {
                (0, false, _) => sentence!["the" noun adjective "was" "."],
                (0, true, _) => sentence!["the" noun adjective "not" "was" "."],
                (1, _, false) => sentence![person "a" noun "saw" "."],
                (1, _, true) => sentence![person "a" noun colour "saw" "."],
                (2, false, _) => sentence![person "the" noun "with" adjective "was" "."],
                (2, true, _) => sentence![person "the" noun "with" adjective "not" "was" "."],
                _ => sentence!["the" place "in" "a" noun "was" "."],
            },
        }
    }
}

/// The next story of a stream.
pub(super) fn draw_story(grammar: Grammar, draws: &mut LanguageRng) -> Vec<Token> {
    let header = StoryHeader::draw(grammar, draws);
    let mut tokens = vec![START_TOKEN];
    while tokens.len() < CONTEXT_TOKENS {
        tokens.extend(SentencePlan::draw(draws).render(grammar, &header));
    }
    tokens.truncate(CONTEXT_TOKENS);
    tokens
}

/// In what the two stories of a pair differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contrast {
    /// Another topic; its words are marked.
    Topic,
    /// The opposite mood; adjectives of sentiment are marked.
    Mood,
}

/// One plan told twice, as CE-Bench's stories are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContrastPair {
    /// In what they differ.
    pub contrast: Contrast,
    /// What each is about.
    pub headers: [StoryHeader; 2],
    /// Each one's [`CONTEXT_TOKENS`] tokens.
    pub texts: [Vec<Token>; 2],
    /// Which of them carry the contrast.
    pub contrast_masks: [Vec<bool>; 2],
}

impl ContrastPair {
    /// Sentences of a plan: of at least five words each, they always fill a text.
    const SENTENCES_PER_PLAN: usize = 8;

    /// The next pair of a stream, in a grammar.
    pub fn draw_in_grammar(grammar: Grammar, draws: &mut LanguageRng) -> Self {
        let contrast = if draws.integer_below(2) == 0 { Contrast::Topic } else { Contrast::Mood };
        let first = StoryHeader::draw(grammar, draws);
        let second = match contrast {
            Contrast::Topic => {
                StoryHeader { topic: (first.topic + 1 + draws.integer_below(4)) % TOPIC_WORDS.len(), ..first }
            }
            Contrast::Mood => StoryHeader { negative: !first.negative, ..first },
        };
        let plans: Vec<SentencePlan> = (0..Self::SENTENCES_PER_PLAN).map(|_| SentencePlan::draw(draws)).collect();
        let headers = [first, second];
        let texts = headers.map(|header| {
            let mut tokens = vec![START_TOKEN];
            tokens.extend(plans.iter().flat_map(|plan| plan.render(grammar, &header)));
            tokens.truncate(CONTEXT_TOKENS);
            tokens
        });
        let marked = |token: &Token, header: &StoryHeader| match contrast {
            Contrast::Topic => TOPIC_WORDS[header.topic].tokens().contains(token),
            Contrast::Mood => POSITIVE_WORDS.tokens().contains(token) || NEGATIVE_WORDS.tokens().contains(token),
        };
        let marks = [0, 1].map(|told: usize| texts[told].iter().map(|token| marked(token, &headers[told])).collect());
        Self { contrast, headers, texts, contrast_masks: marks }
    }
}

/// The first `count` story pairs of a seed.
#[must_use]
pub fn draw_pairs(seed: u32, count: usize) -> Vec<ContrastPair> {
    Grammar::First.draw_pairs(seed, count)
}
