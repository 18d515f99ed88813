use serde::{Deserialize, Serialize};

use super::domains::{TOPIC_COUNT, draw_stories};
use super::draws::{Band, SET_COUNT, answers_per_set, format_percent};
use super::judgement::ClaimJudgement;
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{Answer, MeasuredModel};
use crate::papers::mui::settings::Settings;
use crate::plot::format::format_p_value;
use crate::statistics::{Alternative, NullDistribution, mann_whitney};
use crate::synthetic::language::{ExerciseLength, LanguageRng, Task, task_prompts};
use crate::toy_model::ToyModelError;

/// Items of a short and of a long exercise, both as training showed them.
const EXERCISE_LENGTHS: [(Task, [usize; 2]); 3] =
    [(Task::Recall, [2, 4]), (Task::Copy, [5, 8]), (Task::Colour, [2, 3])];
/// Where the word of a short and of a long story stands: before and after half of a text.
const STORY_POSITIONS: [usize; 2] = [10, 28];
/// The first seed of the sets, which share no draws.
const FIRST_SEED: u32 = 30_000;

/// Short prompts against long ones, at equally many answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiLength"))]
pub struct LengthResult {
    /// Of what: "recall", "stories".
    pub of: String,
    /// Answers of a set.
    pub answers: usize,
    /// Tokens of a short prompt and of a long one.
    pub tokens: [usize; 2],
    /// The index of short ones, over sets.
    pub short: Band,
    /// Of long ones.
    pub long: Band,
    /// Of other short ones.
    pub control: Band,
    /// Of Mann and Whitney's test of the short against the long.
    pub p: Option<f64>,
    /// Of the short against the other short ones.
    pub control_p: Option<f64>,
}

/// What the tests say of the paper's claim.
pub(super) fn judge_claim(all: &[LengthResult]) -> ClaimJudgement {
    let tests = all.iter().filter(|of| of.p.is_some()).count();
    // Of several tests one falls below 0.05 by chance the likelier the more there are (Bonferroni).
    let differ: Vec<&LengthResult> = all.iter().filter(|of| of.p.is_some_and(|p| p * (tests as f64) < 0.05)).collect();
    let verdict = if differ.is_empty() { Verdict::Open } else { Verdict::Fails };
    let each = all.iter().map(|of| {
        format!(
            "{} {} and {} ({})",
            of.of,
            format_percent(of.short.mean),
            format_percent(of.long.mean),
            format_p_value(of.p)
        )
    });
    let found = format!(
        "short and long prompts use, in percent, {}; {} of {tests} differ, corrected for their number",
        each.collect::<Vec<_>>().join(", "),
        differ.len()
    );
    let claim = "Between short and long samples there is no significant difference (Figures 9, 16 to 18)";
    ClaimJudgement::new("mui-length", claim, verdict, found)
}

pub(super) fn run(settings: &Settings) -> Result<Vec<LengthResult>, ToyModelError> {
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    let count = answers_per_set(settings);
    let mut seeds = FIRST_SEED..;
    let index = |answers: &[Answer]| subject.summarise_answers(answers).mui;
    let mut found = Vec::with_capacity(EXERCISE_LENGTHS.len() + 1);
    for (task, sizes) in EXERCISE_LENGTHS {
        let mut tokens = 0;
        let mut sets = |items: usize| -> Result<(usize, Vec<f64>), ToyModelError> {
            let each = (0..SET_COUNT).map(|_| {
                let seed = seeds.next().unwrap_or(FIRST_SEED);
                let prompts = task_prompts(task, count, seed, None, ExerciseLength::Items(items));
                tokens = prompts.tokens.first().map_or(0, Vec::len);
                Ok(index(&subject.measure_answers(&prompts, settings)?))
            });
            let each = each.collect::<Result<Vec<f64>, ToyModelError>>()?;
            Ok((tokens, each))
        };
        let [short, control, long] = [sets(sizes[0])?, sets(sizes[0])?, sets(sizes[1])?];
        found.extend(compare_lengths(task.name(), count, short, control, long));
    }
    let mut draws = LanguageRng::new(FIRST_SEED - 1);
    let mut sets = |at: usize| -> Result<(usize, Vec<f64>), ToyModelError> {
        let each = (0..SET_COUNT).map(|_| {
            // Of every topic as many, but for what is left over.
            let mut answers = Vec::with_capacity(count);
            for of in draw_stories(&mut draws, at, count.div_ceil(TOPIC_COUNT)) {
                let some = (count - answers.len()).min(of.next_words.len());
                if some > 0 {
                    answers.extend(subject.measure_targets(&of.tokens[..some], &of.next_words[..some], settings)?);
                }
            }
            Ok(index(&answers))
        });
        Ok((at, each.collect::<Result<Vec<f64>, ToyModelError>>()?))
    };
    let [short, control, long] = [sets(STORY_POSITIONS[0])?, sets(STORY_POSITIONS[0])?, sets(STORY_POSITIONS[1])?];
    found.extend(compare_lengths("stories", count, short, control, long));
    Ok(found)
}

fn compare_lengths(
    of: &str,
    answers: usize,
    (short_tokens, short): (usize, Vec<f64>),
    (_, control): (usize, Vec<f64>),
    (long_tokens, long): (usize, Vec<f64>),
) -> Option<LengthResult> {
    let p = |a: &[f64], b: &[f64]| {
        let test = mann_whitney(a, b, Alternative::TwoSided, NullDistribution::Auto);
        test.ok().map(|test| test.p)
    };
    Some(LengthResult {
        of: of.to_owned(),
        answers,
        tokens: [short_tokens, long_tokens],
        p: p(&short, &long),
        control_p: p(&short, &control),
        short: Band::from_values(&short)?,
        long: Band::from_values(&long)?,
        control: Band::from_values(&control)?,
    })
}
