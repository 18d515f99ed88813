//! Prompts of the circuits' tasks, made by rule: each with a corrupted counterpart of as many tokens.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::super::agreement::{MODIFIERS, NOUNS, VERBS};
use crate::model::{ModelError, Tokenizer};
use crate::rng::NumpyRng;
use crate::synthetic::language::Token;

/// Prompts that are drawn for each that is wanted, at most: others are skipped.
const DRAWS_PER_PROMPT: usize = 20;

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCircuitTask"))]
#[serde(rename_all = "kebab-case")]
pub enum CircuitTask {
    /// Indirect object identification (Wang et al. 2023, arXiv:2211.00593): the name that is not there twice. Corrupted:
    /// three other names.
    Ioi,
    /// A year after the start year (Hanna et al. 2023, arXiv:2305.00586). Corrupted: the start year ends in 01.
    GreaterThan,
    /// The form of the verb that the subject asks for, past a noun of the other number. Corrupted: the subject in the other
    /// number.
    Agreement,
}

/// What tells right answers from wrong ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelDifference"))]
#[serde(rename_all = "kebab-case")]
pub enum AnswerDifference {
    /// The logit of the right answer less that of the wrong one.
    Logit,
    /// The probability of all right answers less that of all wrong ones.
    Probability,
}

/// A prompt as text: as it is and corrupted, and how it may go on.
struct DrawnPrompt {
    /// What EX2 compares.
    group: &'static str,
    texts: [String; 2],
    /// Whether each is a right answer.
    answers: Vec<(String, bool)>,
}

/// A prompt with its corrupted counterpart, cut into tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCircuitPrompt"))]
pub struct CircuitPrompt {
    /// Prompts of a task that are alike: the groups of EX2.
    pub group: &'static str,
    /// Its tokens, with those that all answers begin with.
    pub tokens: Vec<Token>,
    /// The corrupted prompt's, as many.
    pub corrupted: Vec<Token>,
    /// First tokens of right answers.
    pub right: Vec<Token>,
    /// First tokens of wrong answers, none of them that of a right one.
    pub wrong: Vec<Token>,
}

/// Prompts that were drawn and are not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelSkippedPrompts"))]
pub struct SkippedPrompts {
    /// Those whose corrupted counterpart has not as many tokens.
    pub length: usize,
    /// Those whose right and wrong answers share the first token.
    pub answers: usize,
}

const NAMES: [&str; 16] = [
    "Mary", "John", "Tom", "James", "Anna", "Peter", "Kate", "David", "Sarah", "Paul", "Emma", "Mark", "Laura",
    "Simon", "Alice", "Robert",
];
const PLACES: [&str; 6] = ["store", "park", "school", "garden", "office", "station"];
const OBJECTS: [&str; 6] = ["drink", "book", "ring", "letter", "ball", "key"];
const EVENTS: [&str; 6] = ["war", "siege", "dispute", "voyage", "strike", "project"];

impl CircuitTask {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ioi, Self::GreaterThan, Self::Agreement];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ioi => "ioi",
            Self::GreaterThan => "greater-than",
            Self::Agreement => "agreement",
        }
    }

    /// What is measured of an answer.
    #[must_use]
    pub fn difference(self) -> AnswerDifference {
        match self {
            Self::GreaterThan => AnswerDifference::Probability,
            Self::Ioi | Self::Agreement => AnswerDifference::Logit,
        }
    }

    fn draw_prompt(self, rng: &mut NumpyRng) -> DrawnPrompt {
        let mut pick =
            |count: usize| -> Vec<usize> { rng.permutation(count as u32).into_iter().map(|at| at as usize).collect() };
        match self {
            Self::Ioi => {
                let names: Vec<&str> = pick(NAMES.len()).into_iter().map(|at| NAMES[at]).collect();
                let [object, subject] = [names[0], names[1]];
                let (place, thing) = (PLACES[pick(PLACES.len())[0]], OBJECTS[pick(OBJECTS.len())[0]]);
                let text = |[first, second, giver]: [&str; 3]| {
                    format!("When {first} and {second} went to the {place}, {giver} gave a {thing} to")
                };
                let (group, named) = match pick(2)[0] {
                    0 => ("ABBA", [object, subject, subject]),
                    _ => ("BABA", [subject, object, subject]),
                };
                let answers = vec![(format!(" {object}"), true), (format!(" {subject}"), false)];
                DrawnPrompt { group, texts: [text(named), text([names[2], names[3], names[4]])], answers }
            }
            Self::GreaterThan => {
                let (event, century) = (EVENTS[pick(EVENTS.len())[0]], 11 + pick(8)[0]);
                // 2 to 97: there are years on both sides.
                let start = 2 + pick(96)[0];
                let text = |start: usize| {
                    format!("The {event} lasted from the year {century}{start:02} to the year {century}")
                };
                let group = if start < 50 { "from 02 to 49" } else { "from 50 to 97" };
                let answers = (0..100).map(|year| (format!("{year:02}"), year > start)).collect();
                DrawnPrompt { group, texts: [text(start), text(1)], answers }
            }
            Self::Agreement => {
                let (noun, modifier) = (pick(NOUNS.len())[0], pick(MODIFIERS.len())[0]);
                let (number, verbs) = (pick(2)[0], VERBS[pick(2)[0]]);
                let other = MODIFIERS[modifier][1 - number];
                let text = |number: usize| format!("The {} {other}", NOUNS[noun][number]);
                let group = ["singular", "plural"][number];
                let answers = [number, 1 - number].map(|form| (verbs[form].to_owned(), form == number));
                DrawnPrompt { group, texts: [text(number), text(1 - number)], answers: answers.to_vec() }
            }
        }
    }

    /// Distinct prompts whose counterpart is as long and whose answers one token tells apart, at most `count`; and how many
    /// others were drawn.
    pub(super) fn make_prompts(
        self,
        tokenizer: &Tokenizer,
        count: usize,
        rng: &mut NumpyRng,
    ) -> Result<(Vec<CircuitPrompt>, SkippedPrompts), ModelError> {
        let (mut prompts, mut known) = (Vec::new(), BTreeSet::new());
        let mut skipped = SkippedPrompts::default();
        for _ in 0..DRAWS_PER_PROMPT * count {
            if prompts.len() == count {
                break;
            }
            let DrawnPrompt { group, texts, answers } = self.draw_prompt(rng);
            if !known.insert((texts.clone(), answers.clone())) {
                continue;
            }
            let [clean, corrupted] = [&texts[0], &texts[1]].map(|text| tokenize_prompt(tokenizer, text, &answers));
            match (clean?, corrupted?) {
                (Some(clean), Some(corrupted)) if clean.answers == corrupted.answers => {
                    if clean.tokens.len() != corrupted.tokens.len() {
                        skipped.length += 1;
                        continue;
                    }
                    let of = |is_right: bool| {
                        let answers = clean.answers.iter().filter(|(_, right)| **right == is_right);
                        answers.map(|(token, _)| *token).collect()
                    };
                    let (right, wrong) = (of(true), of(false));
                    let (tokens, corrupted) = (clean.tokens, corrupted.tokens);
                    prompts.push(CircuitPrompt { group, tokens, corrupted, right, wrong });
                }
                _ => skipped.answers += 1,
            }
        }
        Ok((prompts, skipped))
    }
}

/// A prompt in tokens.
struct TokenizedPrompt {
    tokens: Vec<Token>,
    /// First tokens of answers, and whether these are right; those that begin right and wrong ones are not among them.
    answers: BTreeMap<Token, bool>,
}

/// Cuts a prompt where its answers part; nothing where no token tells right ones from wrong ones.
fn tokenize_prompt(
    tokenizer: &Tokenizer,
    text: &str,
    answers: &[(String, bool)],
) -> Result<Option<TokenizedPrompt>, ModelError> {
    let whole = |(answer, _): &(String, bool)| tokenizer.encode_with_special_tokens(&format!("{text}{answer}"));
    let whole = answers.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = whole.first() else { return Ok(None) };
    let alike = |at: &usize| whole.iter().all(|tokens| tokens.get(*at) == first.get(*at));
    let common = (0..first.len()).take_while(alike).count();
    let mut sides: BTreeMap<Token, [bool; 2]> = BTreeMap::new();
    for (tokens, (_, is_right)) in whole.iter().zip(answers) {
        let Some(next) = tokens.get(common) else { return Ok(None) };
        sides.entry(*next).or_default()[usize::from(*is_right)] = true;
    }
    let answers = sides.into_iter().filter(|(_, [wrong, right])| wrong != right);
    let answers: BTreeMap<Token, bool> = answers.map(|(token, [_, right])| (token, right)).collect();
    let both = [true, false].iter().all(|side| answers.values().any(|right| right == side));
    let tokens = first.get(..common).unwrap_or_default().to_vec();
    Ok((both && !tokens.is_empty()).then_some(TokenizedPrompt { tokens, answers }))
}
