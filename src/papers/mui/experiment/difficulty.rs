use serde::{Deserialize, Serialize};

use super::draws::{Band, SET_COUNT, answers_per_set, format_percent, mui_over_sets, permuted_spearman};
use super::judgement::ClaimJudgement;
use crate::NumpyRng;
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{MeasuredModel, MuiMeasurement};
use crate::papers::mui::settings::Settings;
use crate::plot::format::{fixed, format_p_value};
use crate::statistics::{Alternative, NullDistribution, mann_whitney, spearman};
use crate::synthetic::language::{ExerciseLength, Task, task_prompts};
use crate::toy_model::ToyModelError;

/// Grades of a test: how many items there are. Training showed up to 4 of the one and 8 of the other.
const GRADED_TESTS: [(Task, [usize; 5]); 2] = [(Task::Recall, [3, 4, 5, 6, 7]), (Task::Copy, [6, 8, 10, 12, 14])];
/// The first seed of the sets, which share no draws.
const FIRST_SEED: u32 = 20_000;
/// The seed of the control.
const CONTROL_SEED: u32 = 7_006;

/// Answers of one difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiGrade"))]
pub struct DifficultyGrade {
    /// How many items there are to choose from.
    pub items: usize,
    /// Share of right answers, over all sets.
    pub accuracy: f64,
    /// The index, over sets.
    pub index: Band,
}

/// Does a harder test use more neurons, at equally many answers?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiDifficulty"))]
pub struct DifficultyResult {
    /// The test.
    pub task: String,
    /// Answers of a set.
    pub answers: usize,
    /// By rising difficulty.
    pub grades: Vec<DifficultyGrade>,
    /// Sets of all grades in equal parts.
    pub mixed: Band,
    /// Spearman's coefficient of grade and index over all sets of one grade.
    pub trend: Option<f64>,
    /// Of no such trend.
    pub trend_p: Option<f64>,
    /// The coefficients with the grades in random order.
    pub permuted: Option<Band>,
    /// Of Mann and Whitney's test of the hardest sets against the mixed ones.
    pub hardest_p: Option<f64>,
}

impl DifficultyResult {
    /// A clear rise with the grade is against the claim; that all grades clearly use more than the hardest is for it.
    fn verdict(&self) -> Verdict {
        let clear = |p: Option<f64>| p.is_some_and(|p| p < 0.05);
        let hardest = self.grades.last().map(|grade| grade.index.mean);
        if clear(self.trend_p) && self.trend.is_some_and(|trend| trend > 0.0) {
            Verdict::Fails
        } else if clear(self.hardest_p) && hardest.is_some_and(|mean| mean < self.mixed.mean) {
            Verdict::Holds
        } else {
            Verdict::Open
        }
    }
}

/// What the tests say of the paper's claim.
pub(super) fn judge_claim(all: &[DifficultyResult]) -> ClaimJudgement {
    let of = |wanted: Verdict| all.iter().filter(|of| of.verdict() == wanted).count();
    let verdict = match (of(Verdict::Holds), of(Verdict::Fails)) {
        (0, 0) => Verdict::Open,
        (0, _) => Verdict::Fails,
        (holds, _) if holds == all.len() => Verdict::Holds,
        _ => Verdict::Partly,
    };
    let each = all.iter().map(|of| {
        let trend = of.trend.map_or("–".to_owned(), |trend| fixed(trend, 2));
        let hardest =
            of.grades.last().map_or("–".to_owned(), |grade| format_percent(grade.index.mean));
        format!(
            "{}: the index goes with the grade at ρ = {trend} ({}), the hardest grade uses {hardest} % and all in equal parts {} % ({})",
            of.task,
            format_p_value(of.trend_p),
            format_percent(of.mixed.mean),
            format_p_value(of.hardest_p)
        )
    });
    let found = each.collect::<Vec<_>>().join("; ");
    let claim = "Harder questions do not use more; all grades in equal parts use more than the hardest (Figure 19)";
    ClaimJudgement::new("mui-difficulty", claim, verdict, found)
}

pub(super) fn run(settings: &Settings) -> Result<Vec<DifficultyResult>, ToyModelError> {
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    let count = answers_per_set(settings);
    let mut rng = NumpyRng::new(CONTROL_SEED);
    let mut seeds = FIRST_SEED..;
    let mut found = Vec::with_capacity(GRADED_TESTS.len());
    for (task, grades) in GRADED_TESTS {
        let mut set = |items: usize, count: usize| {
            let seed = seeds.next().unwrap_or(FIRST_SEED);
            subject.measure_answers(&task_prompts(task, count, seed, None, ExerciseLength::Items(items)), settings)
        };
        let mut sets: Vec<Vec<MuiMeasurement>> = Vec::with_capacity(grades.len());
        for items in grades {
            let each = (0..SET_COUNT).map(|_| Ok(subject.summarise_answers(&set(items, count)?)));
            sets.push(each.collect::<Result<_, ToyModelError>>()?);
        }
        let mut mixed = Vec::with_capacity(SET_COUNT);
        for _ in 0..SET_COUNT {
            let mut answers = Vec::with_capacity(count);
            for (at, items) in grades.into_iter().enumerate() {
                // As equal as they can be.
                let part = count / grades.len() + usize::from(at < count % grades.len());
                if part > 0 {
                    answers.extend(set(items, part)?);
                }
            }
            mixed.push(subject.summarise_answers(&answers).mui);
        }
        let (grade, index): (Vec<f64>, Vec<f64>) =
            grades.iter().zip(&sets).flat_map(|(items, sets)| sets.iter().map(|set| (*items as f64, set.mui))).unzip();
        let trend = spearman(&grade, &index).ok();
        let hardest: Vec<f64> = sets.last().map_or(Vec::new(), |sets| sets.iter().map(|set| set.mui).collect());
        let test = mann_whitney(&hardest, &mixed, Alternative::TwoSided, NullDistribution::Auto);
        let Some(mixed) = Band::from_values(&mixed) else { continue };
        let grades = grades.into_iter().zip(&sets).filter_map(|(items, sets)| {
            let (index, accuracy) = mui_over_sets(sets)?;
            Some(DifficultyGrade { items, accuracy, index })
        });
        found.push(DifficultyResult {
            task: task.name().to_owned(),
            answers: count,
            grades: grades.collect(),
            mixed,
            trend: trend.map(|trend| trend.coefficient),
            trend_p: trend.and_then(|trend| trend.p),
            permuted: permuted_spearman(&mut rng, &grade, &index),
            hardest_p: test.ok().map(|test| test.p),
        });
    }
    Ok(found)
}
