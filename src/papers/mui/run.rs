use super::experiment::{Experiment, experiment};
use super::measure::TaskMeasurement;
use super::measure::{Answer, MeasuredModel, measure_tasks};
use super::report::{CheckpointMeasurement, GrowthCurves, Report};
use super::settings::Settings;
use crate::synthetic::language::Task;
use crate::toy_model::{CHECKPOINTS, ToyModelError};

/// Every task's index at a checkpoint.
///
/// # Errors
/// [`ToyModelError`].
pub fn measure_checkpoint(settings: &Settings, name: &str) -> Result<CheckpointMeasurement, ToyModelError> {
    let settings = Settings { checkpoint: name.to_owned(), ..settings.clone() };
    let found = measure_tasks(&settings)?.into_iter();
    let tasks = found.map(|(task, index)| TaskMeasurement::from_measurement(task.name(), index)).collect();
    Ok(CheckpointMeasurement { checkpoint: settings.checkpoint, tasks })
}

/// How the opened checkpoint's index grows, of the opened task and of all in turn.
///
/// # Errors
/// [`ToyModelError`].
pub fn measure_growth(settings: &Settings) -> Result<GrowthCurves, ToyModelError> {
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    let each: Result<Vec<Vec<Answer>>, ToyModelError> =
        Task::ALL.into_iter().map(|task| subject.measure_task(task, settings)).collect();
    let each = each?;
    let own = each.get(settings.task() as usize).map_or(&[][..], Vec::as_slice);
    let mixed: Vec<Answer> =
        (0..settings.prompts).flat_map(|at| each.iter().filter_map(move |answers| answers.get(at).cloned())).collect();
    Ok(GrowthCurves { task: subject.mui_growth(own), mixed: subject.mui_growth(&mixed) })
}

/// All shipped checkpoints, telling how far it is.
///
/// # Errors
/// [`ToyModelError`].
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, ToyModelError> {
    let mut report = Report::new(settings.clone());
    for (done, name) in CHECKPOINTS.into_iter().enumerate() {
        tell(name, done as f64 / (CHECKPOINTS.len() + 1) as f64);
        report.add_checkpoint(measure_checkpoint(settings, name)?);
    }
    tell("growth", CHECKPOINTS.len() as f64 / (CHECKPOINTS.len() + 1) as f64);
    report.growth = Some(measure_growth(settings)?);
    for which in Experiment::ALL {
        tell(which.name(), CHECKPOINTS.len() as f64 / (CHECKPOINTS.len() + 1) as f64);
        report.experiments.take(experiment(settings, which)?);
    }
    Ok(report)
}
