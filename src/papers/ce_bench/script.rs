//! A run as a NumPy program that finds the same scores, or says where it does not.

use super::metric::Reading;
use super::report::Report;
use super::run::CeBenchError;
use crate::toy_model::FINAL_CHECKPOINT;
use crate::toy_model::script::{
    numpy_program, python_list, python_string, sae_expression, shipped_sae, wrap_python_list,
};

/// The study's own part of the program.
const PROGRAM_BODY: &str = include_str!("script.py");

/// A program that scores the same autoencoders by the same story pairs with nothing but NumPy, in double
/// precision, and holds what it finds against this report, in all four readings. It reads
/// `ck-12000.safetensors` and the autoencoders' files from the folder it is given, or its own, and ends
/// with status 0 if all numbers agree, 1 otherwise. An autoencoder that was trained here is left out.
///
/// # Errors
/// [`CeBenchError::ToyModel`] where no autoencoder of the report is a shipped one: no file holds it.
pub fn numpy_script(report: &Report) -> Result<String, CeBenchError> {
    let settings = &report.settings;
    let known = report.subjects.iter().map(|subject| shipped_sae(&subject.name).map(|sae| (subject, sae)));
    let subjects: Vec<_> = known.filter_map(Result::ok).collect();
    if subjects.is_empty() {
        shipped_sae(&settings.sae)?;
    }
    let mut out = format!(
        "PAIRS, SEED = {}, {}  # of stories\n
# What sfc-bench found. Of each autoencoder: file, tensors, latents that are kept of each word (0:
# all), and of each reading the means of contrastive score, independence and interpretability.
SUBJECTS = {{\n",
        settings.pairs, settings.seed
    );
    for (subject, sae) in &subjects {
        let readings = Reading::ALL.map(|reading| {
            let totals = subject.readings.get(reading);
            let numbers = [totals.contrastive, totals.independence, totals.interpretability];
            format!("{}: {}", python_string(reading.name()), python_list(numbers))
        });
        let open = format!("{}: ({}, {{", python_string(sae.name), sae_expression(sae));
        out += &wrap_python_list(&open, readings.to_vec(), "}),", sae.label, 4);
    }
    out += "}\n";
    let what = "CE-Bench on a small transformer with a planted language, in NumPy alone: whether an\n\
                autoencoder's latents tell contrasting stories apart (Gulko, Peng 2025, arXiv:2509.00691).";
    let files: Vec<&str> = subjects.iter().map(|(_, sae)| sae.file).collect();
    Ok(numpy_program(what, &out, FINAL_CHECKPOINT, &files, PROGRAM_BODY))
}
