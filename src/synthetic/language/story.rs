use super::task::{GROUP_NAMES, Group};
use super::vocabulary::{COLOUR, NAMES, NEGATIVE, PLACE, POSITIVE, TOPICS, Words, sentence};
use super::{CONTEXT, Draws, Grammar, START, Token};

/// What a whole story is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Below 5: sea, kitchen, space, music, winter.
    pub topic: usize,
    /// Whether its mood is negative.
    pub negative: bool,
    /// The hero and the other, among all 16 names.
    pub people: [usize; 2],
    /// Below 6.
    pub place: usize,
}

impl Header {
    fn draw(grammar: Grammar, draws: &mut Draws) -> Self {
        let (topic, negative) = (draws.below(TOPICS.len()), draws.below(2) == 1);
        let group = Group::draw(grammar, draws);
        let names = draws.distinct(2, GROUP_NAMES);
        let people = [group.name(names[0]), group.name(names[1])];
        Self { topic, negative, people, place: draws.below(PLACE.len()) }
    }
}

/// What one sentence says, of whatever story.
#[derive(Clone, Copy, Debug)]
struct Plan {
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

impl Plan {
    fn draw(draws: &mut Draws) -> Self {
        let kind = draws.below(4);
        let (off, shift) = (draws.once_in(10), draws.below(4));
        Self {
            kind,
            shift: if off { 1 + shift } else { 0 },
            word: draws.below(4),
            flipped: draws.once_in(10),
            negated: draws.once_in(5),
            adjective: draws.below(5),
            other: draws.once_in(5),
            coloured: draws.below(2) == 1,
            colour: draws.below(COLOUR.len()),
        }
    }

    fn told(&self, grammar: Grammar, of: &Header) -> Vec<Token> {
        let noun = TOPICS[(of.topic + self.shift) % TOPICS.len()].at(self.word);
        let person = NAMES.at(of.people[usize::from(self.other)]);
        let negative = of.negative ^ self.flipped;
        // With *not*, the adjective of the other list says the same.
        let adjectives: Words = if negative ^ self.negated { NEGATIVE } else { POSITIVE };
        let adjective = adjectives.at(self.adjective);
        let (colour, place) = (COLOUR.at(self.colour), PLACE.at(of.place));
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
pub(super) fn story(grammar: Grammar, draws: &mut Draws) -> Vec<Token> {
    let header = Header::draw(grammar, draws);
    let mut tokens = vec![START];
    while tokens.len() < CONTEXT {
        tokens.extend(Plan::draw(draws).told(grammar, &header));
    }
    tokens.truncate(CONTEXT);
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
pub struct Pair {
    /// In what they differ.
    pub contrast: Contrast,
    /// What each is about.
    pub headers: [Header; 2],
    /// Each one's [`CONTEXT`] tokens.
    pub texts: [Vec<Token>; 2],
    /// Which of them carry the contrast.
    pub marks: [Vec<bool>; 2],
}

impl Pair {
    /// Sentences of a plan: of at least five words each, they always fill a text.
    const SENTENCES: usize = 8;

    /// The next pair of a stream, in a grammar.
    pub fn draw_in(grammar: Grammar, draws: &mut Draws) -> Self {
        let contrast = if draws.below(2) == 0 { Contrast::Topic } else { Contrast::Mood };
        let first = Header::draw(grammar, draws);
        let second = match contrast {
            Contrast::Topic => {
                Header { topic: (first.topic + 1 + draws.below(4)) % TOPICS.len(), ..first }
            }
            Contrast::Mood => Header { negative: !first.negative, ..first },
        };
        let plans: Vec<Plan> = (0..Self::SENTENCES).map(|_| Plan::draw(draws)).collect();
        let headers = [first, second];
        let texts = headers.map(|header| {
            let mut tokens = vec![START];
            tokens.extend(plans.iter().flat_map(|plan| plan.told(grammar, &header)));
            tokens.truncate(CONTEXT);
            tokens
        });
        let marked = |token: &Token, header: &Header| match contrast {
            Contrast::Topic => TOPICS[header.topic].tokens().contains(token),
            Contrast::Mood => {
                POSITIVE.tokens().contains(token) || NEGATIVE.tokens().contains(token)
            }
        };
        let marks = [0, 1].map(|told: usize| {
            texts[told].iter().map(|token| marked(token, &headers[told])).collect()
        });
        Self { contrast, headers, texts, marks }
    }
}

/// The first `count` story pairs of a seed.
#[must_use]
pub fn pairs(seed: u32, count: usize) -> Vec<Pair> {
    Grammar::First.pairs(seed, count)
}
