use serde::{Deserialize, Serialize};

use super::draws::{Band, DRAW_COUNT, draw_indices};
use super::judgement::ClaimJudgement;
use crate::NumpyRng;
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{Answer, MeasuredModel};
use crate::papers::mui::settings::Settings;
use crate::statistics::{Alternative, NullDistribution, mann_whitney};
use crate::synthetic::language::{ExerciseLength, Task, task_prompts};
use crate::toy_model::{ToyModelError, task};

/// Tests that are harder than what was trained, so that some answers are wrong: task, items, name.
const HARDER_TESTS: [(Task, usize, &str); 3] =
    [(Task::Recall, 6, "recall of 6"), (Task::Recall, 7, "recall of 7"), (Task::Copy, 14, "copy of 14")];
/// How many times as many prompts as elsewhere: few answers are wrong.
const PROMPTS_FACTOR: usize = 4;
/// The seed of the draws.
const DRAWS_SEED: u32 = 7_002;
/// Fewer wrong answers than this are no sample.
const WRONG_ANSWERS_MIN: usize = 4;

/// Right answers against equally many wrong ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiCorrectness"))]
pub struct CorrectnessResult {
    /// The test: "recall of 7".
    pub test: String,
    /// Share of right answers.
    pub accuracy: f64,
    /// Answers in each sample; none is drawn where this is 0, since too few are wrong or right.
    pub answers: usize,
    /// The index of right ones, over draws.
    pub right: Option<Band>,
    /// The index of wrong ones.
    pub wrong: Option<Band>,
    /// Of Mann and Whitney's test over the draws, which overlap: it finds a difference too easily.
    pub p: Option<f64>,
}

impl CorrectnessResult {
    /// Whether the test finds a difference.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.p.is_some_and(|p| p < 0.05)
    }

    /// Whether no draw of right answers is like one of wrong ones.
    fn is_separated(&self) -> bool {
        let both = self.right.zip(self.wrong);
        both.is_some_and(|(right, wrong)| right.low > wrong.high || wrong.low > right.high)
    }
}

/// What the tests say of the paper's claim.
pub(super) fn judge_claim(all: &[CorrectnessResult]) -> ClaimJudgement {
    let used = |band: Option<Band>| band.is_some_and(|band| band.high > 0.0);
    let drawn = all.iter().filter(|of| used(of.right) && used(of.wrong)).count();
    let differ = all.iter().filter(|of| of.is_significant()).count();
    let apart = all.iter().filter(|of| of.is_separated()).count();
    // The draws overlap, so that the test finds a difference too easily: that it finds none counts, that it finds
    // one does not.
    let verdict = match (drawn, differ, apart) {
        (0, ..) => Verdict::Open,
        (_, 0, _) => Verdict::Holds,
        (_, _, 0) => Verdict::Open,
        _ => Verdict::Fails,
    };
    let found = match drawn {
        0 => "too few answers are wrong or right, or use any neuron, to be compared".to_owned(),
        _ => format!(
            "of {drawn} test{} in which both can be drawn, right and wrong answers use differently many neurons in {differ} (p < 0.05, of draws that overlap), and no draw of one is like the other in {apart}",
            if drawn == 1 { "" } else { "s" }
        ),
    };
    let claim = "Between right and wrong answers there is no significant difference (§3.7)";
    ClaimJudgement::new("mui-correctness", claim, verdict, found)
}

pub(super) fn run(settings: &Settings) -> Result<Vec<CorrectnessResult>, ToyModelError> {
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    // What the model says itself: what is right says nothing of a wrong answer.
    let settings = &Settings { word: "own".to_owned(), ..settings.clone() };
    let mut rng = NumpyRng::new(DRAWS_SEED);
    let mut found = Vec::with_capacity(HARDER_TESTS.len());
    for (of, items, name) in HARDER_TESTS {
        let count = (PROMPTS_FACTOR * settings.prompts).min(task::PROMPTS_MAX);
        let seed = task::TEST_SEED + of as u32;
        let answers =
            subject.measure_answers(&task_prompts(of, count, seed, None, ExerciseLength::Items(items)), settings)?;
        let (right, wrong): (Vec<&Answer>, Vec<&Answer>) = answers.iter().partition(|answer| answer.is_right);
        let accuracy = right.len() as f64 / answers.len().max(1) as f64;
        // Half of the fewer, so that draws differ.
        let fewer = right.len().min(wrong.len());
        let size = if fewer < WRONG_ANSWERS_MIN { 0 } else { fewer.div_ceil(2) };
        let mut sample = |all: &[&Answer]| -> Vec<f64> {
            let draw = |_| {
                let chosen = draw_indices(&mut rng, all.len(), size);
                subject.used_neurons(chosen.into_iter().map(|at| all[at])).mui()
            };
            if size == 0 { Vec::new() } else { (0..DRAW_COUNT).map(draw).collect() }
        };
        let (right, wrong) = (sample(&right), sample(&wrong));
        let test = mann_whitney(&right, &wrong, Alternative::TwoSided, NullDistribution::Auto);
        found.push(CorrectnessResult {
            test: name.to_owned(),
            accuracy,
            answers: size,
            right: Band::from_values(&right),
            wrong: Band::from_values(&wrong),
            p: test.ok().map(|test| test.p),
        });
    }
    Ok(found)
}
