//! The ten tasks, with all heads or with some of them saying their mean: what each head does, live.

use serde::Serialize;

use super::ToyModelError;
use crate::model::{Batch, HeadAblation, HeadMeans, Model};
pub use crate::synthetic::Head;
use crate::synthetic::language::{ExerciseLength, Prompts, Task, Token, task_prompts};

/// Most prompts of a task at once.
pub const PROMPTS_MAX: usize = 4_096;
/// The seed of a task's test prompts: this, and its number.
pub const TEST_SEED: u32 = 2_000;

/// How well a model does a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "TaskScore"))]
pub struct TaskScore {
    /// Share of prompts after which the right word is the likeliest of all.
    pub accuracy: f64,
    /// Mean logit of the right word less that of the foil.
    pub ld_mean: f64,
    /// Share of prompts after which that is above 0.
    pub ld_positive: f64,
}

/// What a head does for a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "HeadEffect"))]
pub struct TaskHeadEffect {
    /// Layer and head, from 0.
    pub head: Head,
    /// By how much the mean logit difference drops without it.
    pub effect: f64,
    /// The accuracy without it.
    pub accuracy: f64,
}

/// The test prompts of a task, the first `count`.
///
/// # Errors
/// [`ToyModelError::Count`] for none, or above [`PROMPTS_MAX`].
pub fn test_prompts(task: Task, count: usize) -> Result<Prompts, ToyModelError> {
    if !(1..=PROMPTS_MAX).contains(&count) {
        let allowed = format!("1 to {PROMPTS_MAX}");
        return Err(ToyModelError::Count { field: "prompts", found: count, allowed });
    }
    Ok(task_prompts(task, count, TEST_SEED + task as u32, None, ExerciseLength::Constant))
}

/// The row of each prompt's logits.
fn logit_rows(logits: &[f32], count: usize) -> std::slice::ChunksExact<'_, f32> {
    logits.chunks_exact((logits.len() / count.max(1)).max(1))
}

fn logit_of(row: &[f32], token: Token) -> f32 {
    row.get(token as usize).copied().unwrap_or(f32::NAN)
}

/// Of each prompt, the logit of the right word less that of the foil.
#[must_use]
pub fn logit_differences(logits: &[f32], prompts: &Prompts) -> Vec<f64> {
    let words = prompts.answers.iter().zip(&prompts.foils);
    let each = logit_rows(logits, prompts.answers.len()).zip(words);
    each.map(|(row, (answer, foil))| f64::from(logit_of(row, *answer) - logit_of(row, *foil))).collect()
}

/// Scores the logits of the last position of each prompt.
#[must_use]
pub fn score_logits(logits: &[f32], prompts: &Prompts) -> TaskScore {
    let count = prompts.answers.len().max(1);
    let (mut right, mut sum, mut positive) = (0, 0.0, 0);
    let each = logit_rows(logits, count).zip(&prompts.answers).zip(logit_differences(logits, prompts));
    for ((row, answer), difference) in each {
        let at = |token: &Token| logit_of(row, *token);
        // Of equal logits the first counts as the likeliest.
        let beaten =
            |(token, logit): (usize, &f32)| *logit > at(answer) || (*logit == at(answer) && token < *answer as usize);
        right += usize::from(!row.iter().enumerate().any(beaten));
        positive += usize::from(difference > 0.0);
        sum += difference;
    }
    let share = |some: usize| some as f64 / count as f64;
    TaskScore { accuracy: share(right), ld_mean: sum / count as f64, ld_positive: share(positive) }
}

/// Refuses heads that a model does not have.
pub(super) fn check_heads(model: &Model, heads: &[Head]) -> Result<(), ToyModelError> {
    let config = model.config();
    let within = |field, found, count: usize| match found < count {
        true => Ok(()),
        false => Err(ToyModelError::Count { field, found, allowed: format!("0 to {}", count - 1) }),
    };
    heads.iter().try_for_each(|(layer, head)| {
        within("layer", *layer, config.layers)?;
        within("head", *head, config.heads)
    })
}

/// A model's score on a task, with some heads saying what they say on average over these prompts, position
/// by position.
///
/// # Errors
/// As [`test_prompts`]; [`ToyModelError::Model`] for a model that does not know the prompts' words, or a head that
/// there is not.
pub fn score_task(model: &Model, task: Task, count: usize, ablated: &[Head]) -> Result<TaskScore, ToyModelError> {
    let prompts = test_prompts(task, count)?;
    let batch = Batch::new(&prompts.tokens)?;
    check_heads(model, ablated)?;
    if ablated.is_empty() {
        return Ok(score_logits(&model.last_logits(&batch, &mut ())?, &prompts));
    }
    let means = HeadMeans::from_batch(model, &batch)?;
    let mut ablation = HeadAblation { means: &means, heads: ablated.to_vec() };
    Ok(score_logits(&model.last_logits(&batch, &mut ablation)?, &prompts))
}

/// A model's score on a task, and what it is without each head, alone. What stands before a head's layer is
/// computed once.
///
/// # Errors
/// As [`score_task`].
pub fn score_and_effects(
    model: &Model,
    task: Task,
    count: usize,
) -> Result<(TaskScore, Vec<TaskHeadEffect>), ToyModelError> {
    let prompts = test_prompts(task, count)?;
    let batch = Batch::new(&prompts.tokens)?;
    let means = HeadMeans::from_batch(model, &batch)?;
    let trace = model.trace(&batch)?;
    let whole = score_logits(&model.resume(&trace, 0, &mut ())?, &prompts);
    let mut found = Vec::new();
    for layer in 0..model.config().layers {
        for head in 0..model.config().heads {
            let mut ablation = HeadAblation { means: &means, heads: vec![(layer, head)] };
            let without = score_logits(&model.resume(&trace, layer, &mut ablation)?, &prompts);
            let effect = whole.ld_mean - without.ld_mean;
            found.push(TaskHeadEffect { head: (layer, head), effect, accuracy: without.accuracy });
        }
    }
    Ok((whole, found))
}
