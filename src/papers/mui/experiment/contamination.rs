use serde::{Deserialize, Serialize};

use super::draws::{Band, format_percent};
use super::judgement::ClaimJudgement;
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{MeasuredModel, TaskPoint};
use crate::papers::mui::metric::{Direction, direction};
use crate::papers::mui::settings::Settings;
use crate::synthetic::language::{ExerciseLength, Task, task_prompts};
use crate::toy_model::{ToyModelError, task};

/// The task whose test items were trained on, where colour is at chance before.
pub const CONTAMINATED_TASK: Task = Task::Colour;
/// Before, with the test items, and with the skill instead.
pub(super) const COMPARED_CHECKPOINTS: [&str; 3] = ["ck-06000", "ft-contaminated-00600", "ck-12000"];
/// The first seed of items that nobody has seen.
const FRESH_ITEMS_SEED: u32 = 9_100;
/// Sets of them.
const FRESH_SET_COUNT: u32 = 8;

/// A checkpoint on the items of the test, on others, and on the other tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiContaminated"))]
pub struct ContaminationResult {
    /// Its name.
    pub checkpoint: String,
    /// On the 128 test items at most, those that were trained on.
    pub test: TaskPoint,
    /// The accuracy on as many items that nobody has seen, over sets of them.
    pub fresh_accuracy: Band,
    /// The index on them.
    pub fresh_mui: Band,
    /// On the nine other tasks: their means.
    pub others: TaskPoint,
}

impl ContaminationResult {
    /// The direction from another checkpoint, on the test items and on the other tasks.
    #[must_use]
    pub fn directions_from(&self, before: &Self) -> Option<[Direction; 2]> {
        let percent = |seen: &TaskPoint| (100.0 * seen.accuracy, 100.0 * seen.mui);
        let of = |from: &TaskPoint, to: &TaskPoint| direction(percent(from), percent(to)).ok();
        Some([of(&before.test, &self.test)?, of(&before.others, &self.others)?])
    }
}

/// What the checkpoints say of the paper's claim.
pub(super) fn judge_claim(found: &[ContaminationResult]) -> ClaimJudgement {
    let claim = "Models that were trained on the test accumulate on it and collapse elsewhere (§3.4, Figure 8)";
    let judgement = |verdict, words| ClaimJudgement::new("mui-contamination", claim, verdict, words);
    let [before, spoilt, ..] = found else { return judgement(Verdict::Open, String::new()) };
    let Some([own, others]) = spoilt.directions_from(before) else {
        return judgement(Verdict::Open, "an accuracy or an index is no number".to_owned());
    };
    let holds = [own == Direction::Accumulating, others == Direction::Collapsing];
    let verdict = match holds {
        [true, true] => Verdict::Holds,
        [false, false] if [own, others] == [Direction::Undetermined; 2] => Verdict::Open,
        [false, false] => Verdict::Fails,
        _ => Verdict::Partly,
    };
    let words = format!(
        "with the test items of {CONTAMINATED_TASK} in the training the direction on them is {}, from {} to {} % right at an index from {} to {} %, and on the other tasks {}; on items that nobody has seen {} % are right",
        own.name(),
        format_percent(before.test.accuracy),
        format_percent(spoilt.test.accuracy),
        format_percent(before.test.mui),
        format_percent(spoilt.test.mui),
        others.name(),
        format_percent(spoilt.fresh_accuracy.mean)
    );
    judgement(verdict, words)
}

pub(super) fn run(settings: &Settings) -> Result<Vec<ContaminationResult>, ToyModelError> {
    let mut found = Vec::with_capacity(COMPARED_CHECKPOINTS.len());
    // No more were trained on.
    let count = settings.prompts.min(128);
    let settings = &Settings { prompts: count, ..settings.clone() };
    for checkpoint in COMPARED_CHECKPOINTS {
        let subject = MeasuredModel::load(checkpoint)?;
        let seen = |of: Task| -> Result<TaskPoint, ToyModelError> {
            let index = subject.summarise_answers(&subject.measure_task(of, settings)?);
            Ok(TaskPoint { accuracy: index.accuracy, mui: index.mui })
        };
        let (mut accuracies, mut indices) = (Vec::new(), Vec::new());
        for set in 0..FRESH_SET_COUNT {
            let items = task_prompts(CONTAMINATED_TASK, count, FRESH_ITEMS_SEED + set, None, ExerciseLength::Constant);
            let index = subject.summarise_answers(&subject.measure_answers(&items, settings)?);
            accuracies.push(index.accuracy);
            indices.push(index.mui);
        }
        let others: Result<Vec<TaskPoint>, ToyModelError> =
            Task::ALL.into_iter().filter(|task| *task != CONTAMINATED_TASK).map(seen).collect();
        let others = others?;
        let mean = |of: fn(&TaskPoint) -> f64| others.iter().map(of).sum::<f64>() / others.len().max(1) as f64;
        let (Some(fresh_accuracy), Some(fresh_mui)) = (Band::from_values(&accuracies), Band::from_values(&indices))
        else {
            continue;
        };
        found.push(ContaminationResult {
            checkpoint: checkpoint.to_owned(),
            test: seen(CONTAMINATED_TASK)?,
            fresh_accuracy,
            fresh_mui,
            others: TaskPoint { accuracy: mean(|seen| seen.accuracy), mui: mean(|seen| seen.mui) },
        });
    }
    debug_assert_eq!(task::TEST_SEED + CONTAMINATED_TASK as u32, 2_005, "the items that were trained on");
    Ok(found)
}
