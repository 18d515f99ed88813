//! M14 on the toy model: what its layers make of requests that are safe and of those that are not.

use std::ops::Range;

use serde::Serialize;

use super::{BATCH_TEXTS, REQUESTS_SEED_AND_COUNT, row_slice};
use crate::model::{ActivationCache, Batch, Hook, Model, Site};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::safety_sve::{SafetySve, draw_subsamples, safety_sve};
use crate::statistics::MetricError;
use crate::synthetic::language::{ExerciseLength, Prompts, Task, Token, task_prompts};
use crate::toy_model::{self, ToyModelError};
use crate::{Matrix, NumpyRng};

/// What M14 holds against what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contrast {
    /// Requests for what is unsafe against the others.
    Unsafe,
    /// Two halves of the others, by `RandomState(1).permutation`: there is nothing to be found.
    SafeHalves,
}

/// M14: two sets of requests held against each other, after each layer of a checkpoint, at the last position.
///
/// # Errors
/// [`MeasurementError`].
pub fn m14(checkpoint: &str, contrast: Contrast, runs: usize) -> Result<SafetySve, MeasurementError> {
    m14_up_to_layer(checkpoint, contrast, runs, REQUESTS_SEED_AND_COUNT.1, usize::MAX)
}

/// The same of so many requests, and of the layers up to one.
///
/// # Errors
/// [`MeasurementError`].
pub fn m14_up_to_layer(
    checkpoint: &str,
    contrast: Contrast,
    runs: usize,
    requests: usize,
    last: usize,
) -> Result<SafetySve, MeasurementError> {
    let asked = task_prompts(Task::Request, requests, REQUESTS_SEED_AND_COUNT.0, None, ExerciseLength::Constant);
    compare_requests_up_to_layer(&*toy_model::load_model(checkpoint)?, &asked, contrast, 0..runs, last)
}

/// The same of any model that knows the language and of any of its requests, with some of the draws for stability: the
/// first is 0.
///
/// # Errors
/// [`MeasurementError`]: requests of one kind alone, or longer than the model's context.
pub fn compare_requests(
    model: &Model,
    asked: &Prompts,
    contrast: Contrast,
    drawn: Range<usize>,
) -> Result<SafetySve, MeasurementError> {
    compare_requests_up_to_layer(model, asked, contrast, drawn, usize::MAX)
}

fn compare_requests_up_to_layer(
    model: &Model,
    asked: &Prompts,
    contrast: Contrast,
    drawn: Range<usize>,
    last: usize,
) -> Result<SafetySve, MeasurementError> {
    let mut layers = last_position_residuals(model, &asked.tokens)?;
    layers.truncate(last.saturating_add(1));
    let of = |group: usize| -> Vec<usize> {
        let all = asked.groups.iter().enumerate();
        all.filter(|(_, found)| **found == group).map(|(at, _)| at).collect()
    };
    let pick = |set: &[usize], chosen: &[u32]| -> Vec<usize> {
        chosen.iter().filter_map(|at| set.get(*at as usize).copied()).collect()
    };
    let count = |set: &[usize]| u32::try_from(set.len()).unwrap_or(u32::MAX);
    let (first, second) = match contrast {
        Contrast::Unsafe => (of(1), of(0)),
        Contrast::SafeHalves => {
            let safe = of(0);
            let order = NumpyRng::new(1).permutation(count(&safe));
            let (first, second) = order.split_at(order.len() / 2);
            (pick(&safe, first), pick(&safe, second))
        }
    };
    let width = model.config().d_model;
    let mean = |rows: &[f32], chosen: &[usize]| {
        let mut sum = vec![0.0; width];
        for at in chosen {
            sum.iter_mut().zip(row_slice(rows, width, *at)).for_each(|(sum, x)| *sum += f64::from(*x));
        }
        sum.into_iter().map(|sum| sum / chosen.len().max(1) as f64).collect::<Vec<f64>>()
    };
    let direction = |first: &[usize], second: &[usize]| -> Result<Matrix, MeasurementError> {
        let rows: Vec<Vec<f64>> = layers
            .iter()
            .map(|layer| {
                let pair = mean(layer, first).into_iter().zip(mean(layer, second));
                pair.map(|(first, second)| first - second).collect()
            })
            .collect();
        Ok(Matrix::from_rows(&rows).map_err(MetricError::from)?)
    };
    let draws = draw_subsamples(count(&first), count(&second), drawn.end);
    let drawn: Vec<Matrix> = draws
        .iter()
        .skip(drawn.start)
        .map(|[some, others]| direction(&pick(&first, some), &pick(&second, others)))
        .collect::<Result<_, _>>()?;
    Ok(safety_sve(&direction(&first, &second)?, &drawn)?)
}

/// The residual stream after each layer, at the last position: of each layer, prompts × width.
fn last_position_residuals(model: &Model, prompts: &[Vec<Token>]) -> Result<Vec<Vec<f32>>, MeasurementError> {
    let width = model.config().d_model;
    let hooks: Vec<Hook> = (0..model.config().layers).map(|layer| Hook::Block(layer, Site::ResidPost)).collect();
    let mut layers = vec![Vec::new(); hooks.len()];
    for prompts in prompts.chunks(BATCH_TEXTS) {
        let batch = Batch::new(prompts).map_err(ToyModelError::from)?;
        let mut taken = ActivationCache::for_hooks(&hooks);
        model.logits(&batch, &mut taken).map_err(ToyModelError::from)?;
        for (layer, hook) in layers.iter_mut().zip(&hooks) {
            for prompt in taken.get(*hook).chunks_exact((batch.position_count() * width).max(1)) {
                layer.extend(prompt.iter().skip(prompt.len() - width));
            }
        }
    }
    Ok(layers)
}
