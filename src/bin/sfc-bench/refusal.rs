//! A refusal in one line: what is wrong, what may have been meant, and the code that stays the same
//! from version to version.

use std::error::Error;

use sfc_bench::export::ExportError;
use sfc_bench::io::IoError;
use sfc_bench::lab::audit::user_files::UserAuditError;
use sfc_bench::lab::ensemble::EnsembleError;
use sfc_bench::lab::evaluate::EvaluationError;
use sfc_bench::lab::families::FamiliesError;
use sfc_bench::model::ModelError;
use sfc_bench::papers::measurement::MeasurementError;
use sfc_bench::papers::sfc::RunError;
use sfc_bench::pareto::ParetoError;
use sfc_bench::plot::DrawError;
use sfc_bench::sae::SpliceError;
use sfc_bench::sae::train::TrainError;
use sfc_bench::statistics::MetricError;
use sfc_bench::study::Failure;
use sfc_bench::study::user_file::UserFileError;
use sfc_bench::{Problem, Problems};

use crate::audit::AuditError;
use crate::checkpoint::CheckpointError;
use crate::destination::WriteError;
use crate::ensemble::MergeError;
use crate::points::PointsError;

/// How alike two words are that may be one, from 0 to 1.
const SIMILARITY_MIN: f64 = 0.7;

/// The line that says what is wrong.
pub fn format_error(error: &(dyn Error + 'static)) -> String {
    let problems: &[Problem] = match error.downcast_ref::<Problems>() {
        Some(Problems(problems)) => problems,
        None => error.downcast_ref::<Problem>().map_or(&[], std::slice::from_ref),
    };
    let meant: Vec<String> = problems.iter().filter_map(closest_word).collect();
    let mut line = error.to_string();
    if !meant.is_empty() {
        line += &format!("; did you mean {}?", meant.join(", "));
    }
    match error_code(error) {
        Some(code) => format!("{line} [{code}]"),
        None => line,
    }
}

/// The allowed word that is most like the refused one.
fn closest_word(problem: &Problem) -> Option<String> {
    let typed = problem.value.trim_matches('"').to_lowercase();
    let words = problem.allowed.split(", ").filter(|word| !word.contains(' '));
    let likeness = |word: &str| strsim::jaro_winkler(&typed, word);
    words
        .filter(|word| likeness(word) >= SIMILARITY_MIN)
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .map(|word| format!("{word:?}"))
}

/// The stable code of an error.
fn error_code(error: &(dyn Error + 'static)) -> Option<String> {
    macro_rules! return_code_of {
        ($($type:ty),*) => {
            $(if let Some(error) = error.downcast_ref::<$type>() {
                return Some(error.code().to_owned());
            })*
        };
    }
    return_code_of!(
        AuditError,
        CheckpointError,
        DrawError,
        EnsembleError,
        UserAuditError,
        EvaluationError,
        ExportError,
        FamiliesError,
        UserFileError,
        IoError,
        MeasurementError,
        MergeError,
        MetricError,
        ModelError,
        ParetoError,
        PointsError,
        RunError,
        SpliceError,
        TrainError
    );
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return Some(failure.code.clone());
    }
    if error.is::<WriteError>() {
        return Some(WriteError::CODE.to_owned());
    }
    if let Some(Problems(problems)) = error.downcast_ref::<Problems>() {
        let codes: Vec<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
        return Some(codes.join(", "));
    }
    Some(error.downcast_ref::<Problem>()?.code.clone())
}
