//! A measurement as a NumPy program that finds the same indices, or says where it does not.

use super::report::Report;
use crate::synthetic::language::Task;
use crate::toy_model::script::{numpy_program, python_list, python_string, wrap_python_list};
use crate::toy_model::{ToyModelError, task};

/// The study's own part of the program.
const PROGRAM_BODY: &str = include_str!("script.py");

/// A program that measures accuracy and index of every task at the opened checkpoint with nothing but NumPy, in double
/// precision, and holds what it finds against this report. It reads the checkpoint's file from the folder it is given,
/// or its own, and ends with status 0 if all numbers agree, 1 otherwise.
///
/// # Errors
/// [`ToyModelError::Unknown`] where the report does not have the opened checkpoint.
pub fn numpy_script(report: &Report) -> Result<String, ToyModelError> {
    let settings = &report.settings;
    let found = report.selected_checkpoint().ok_or_else(|| {
        let known: Vec<&str> = report.checkpoints.iter().map(|found| found.checkpoint.as_str()).collect();
        ToyModelError::Unknown {
            field: "checkpoint",
            found: settings.checkpoint.clone(),
            allowed: format!("one that was measured: {}", known.join(", ")),
        }
    })?;
    let [score, threshold, word, reading] = [&settings.score, &settings.threshold, &settings.word, &settings.reading];
    let mut out = format!(
        "PROMPTS = {}  # of each task
SEED = {}  # of their first task; the others have the next ones
SCORE = {}  # of a neuron for a word
THRESHOLD = {}  # from what score on a neuron counts as used
K, SHARE = {}, {}  # the threshold's number: one of the two
WORD = {}  # whose neurons: the right answer's, or those of the model's own word
READING = {}  # where the paper and its code differ

",
        settings.prompts,
        task::TEST_SEED,
        python_string(score),
        python_string(threshold),
        settings.k,
        crate::settings::format_number(settings.share),
        python_string(word),
        python_string(reading),
    );
    // A report may come from anywhere: a program holds no words of it but known ones.
    let tasks = Task::ALL.iter().map(|task| {
        let found = found.task(task.name());
        let numbers = found.map(|found| [found.accuracy, found.mui, found.mui_correct]);
        let numbers = python_list(numbers.unwrap_or([f64::NAN; 3]));
        format!("{}: {numbers}", python_string(task.name()))
    });
    let about = "what sfc-bench found: accuracy, MUI, MUI of right answers";
    out += &wrap_python_list("FOUND = {", tasks.collect(), "}", about, 0);
    let what = "The Model Utilization Index of a small transformer with a planted language, in NumPy alone:\n\
                what share of its neurons it uses for each task (Cao et al. 2025, arXiv:2504.07440).";
    Ok(numpy_program(what, &out, &settings.checkpoint, &[], PROGRAM_BODY))
}
