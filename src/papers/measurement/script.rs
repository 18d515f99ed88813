//! What is measured of the toy model's tasks as a NumPy program that finds the same, or says where it does not.

use super::report::Report;
use super::validation::{Subject, Testbed};
use crate::synthetic::language::Task;
use crate::toy_model::script::{numpy_program, python_number, python_string, wrap_python_list};
use crate::toy_model::{FINAL_CHECKPOINT, ToyModelError, task};

/// The study's own part of the program.
const PROGRAM_BODY: &str = include_str!("script.py");

/// What it finds of each task: metric, quantity and subject of a line.
const COMPARED_QUANTITIES: [(&str, Subject); 6] = [
    ("dprime", Subject::Found),
    ("auc", Subject::Found),
    ("cpr_code", Subject::Found),
    ("cpr_ranked", Subject::Found),
    ("cpr_code", Subject::Empty),
    ("coherence_code", Subject::Trained),
];

/// A program that finds every task's circuit of the toy model with nothing but NumPy, in double precision, and holds
/// EX1, EX25 and MIB against this report. It reads the checkpoint's file from the folder it is given, or its own, and
/// ends with status 0 if all numbers agree, 1 otherwise.
///
/// # Errors
/// [`ToyModelError::Unknown`] where no task of the report is measured, [`ToyModelError::Count`] for prompts that cannot be
/// had.
pub fn numpy_script(report: &Report) -> Result<String, ToyModelError> {
    let (mut found, mut foils) = (Vec::new(), Vec::new());
    for task in Task::ALL {
        let name = format!("task-{task}");
        let Some(part) = report.parts.iter().find(|part| part.part == name) else { continue };
        let number = |(quantity, subject): (&str, Subject)| {
            let line = part
                .lines
                .iter()
                .find(|line| line.quantity == quantity && line.subject == subject && line.ground == Testbed::Language);
            line.and_then(|line| line.values.first().copied()).unwrap_or(f64::NAN)
        };
        // On two lines: numbers are long.
        let numbers = COMPARED_QUANTITIES.map(|wanted| python_number(Some(number(wanted))));
        let (first, second) = numbers.split_at(3);
        let (first, second) = (first.join(", "), second.join(", "));
        found.push(format!("{}: [{first},\n        {second}]", python_string(task.name())));
        let prompts = task::test_prompts(task, report.settings.n_prompts)?;
        let words = prompts.foils.iter().map(ToString::to_string).collect();
        foils.push(wrap_python_list(&format!("{}: [", python_string(task.name())), words, "]", "tokens", 4));
    }
    if found.is_empty() {
        let parts: Vec<&str> = report.parts.iter().map(|part| part.part.as_str()).collect();
        return Err(ToyModelError::Unknown {
            field: "parts",
            found: parts.join(", "),
            allowed: "at least one task that was measured".to_owned(),
        });
    }
    let mut out = format!(
        "from statistics import NormalDist

PROMPTS = {}  # of each task
SEED = {}  # of their first task; the others have the next ones

",
        report.settings.n_prompts,
        task::TEST_SEED,
    );
    let about = "what sfc-bench found: d', AUC, CPR by code, ranked, without a head, coherence as coded";
    out += &wrap_python_list("FOUND = {", found, "}", about, 0);
    out += "# Of each prompt the wrong answer that the right one is held against.\nFOILS = {\n";
    for one in foils {
        let one = one.trim_end();
        out += one;
        out += ",\n";
    }
    out += "}\n";
    let what = "Circuits of a small transformer with a planted language, in NumPy alone: found by ablating\n\
                heads, and what three of measurement theory's metrics say of them.";
    Ok(numpy_program(what, &out, FINAL_CHECKPOINT, &[], PROGRAM_BODY))
}
