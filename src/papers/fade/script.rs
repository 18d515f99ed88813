//! A run as a NumPy program that finds the same scores, or says where it does not.

use super::error::FadeError;
use super::metric::{Norm, RatedTexts};
use super::report::{Feature, Report};
use crate::toy_model::FINAL_CHECKPOINT;
use crate::toy_model::script::{
    numpy_program, python_list, python_number, python_string, sae_expression, shipped_sae, wrap_python_list,
};

/// The study's own part of the program.
const PROGRAM_BODY: &str = include_str!("script.py");

/// A program that scores the same descriptions with nothing but NumPy, in double precision, and holds what
/// it finds against this report: latents, F1, clarity and its ceiling, responsiveness and purity in both
/// readings, of all texts and of a sample, by either norm, the gate; with `--steer` faithfulness, of the features that
/// were steered here. It reads
/// `ck-12000.safetensors` and the autoencoder's file from the folder it is given, or its own, and ends
/// with status 0 if all numbers agree, 1 otherwise.
///
/// # Errors
/// [`FadeError::ToyModel`] where the autoencoder is not a shipped one: no file holds it.
pub fn numpy_script(report: &Report) -> Result<String, FadeError> {
    let settings = &report.settings;
    let sae = shipped_sae(&settings.sae)?;
    let mut out = format!(
        "# {}: file, tensors, latents that are kept of each word (0: all)
AUTOENCODER = {}
TEXTS, SEED = {}, {}  # natural texts
MADE = {}  # texts made from each description
ERROR = {}  # share of labels that are wrong, and of made texts that are any natural text
CONTINUATIONS = {}  # written at each factor
FACTORS = {}
RATED, SAMPLE, TOP = {}, {}, {}  # texts that are rated: all, or a sample by activation
NORM = {}  # what the note divides by: elements, or activations other than 0

",
        sae.label,
        sae_expression(sae),
        settings.texts,
        settings.seed,
        settings.made,
        python_number(Some(settings.error)),
        settings.continuations,
        python_list(settings.factors.iter().copied()),
        python_string(settings.rated.name()),
        settings.sample,
        python_number(Some(settings.top)),
        python_string(settings.norm.name()),
    );
    out += "# What sfc-bench found.\n";
    out += &format!("DEAD = {}  # latents that are never active\nFOUND = [\n", report.dead);
    for feature in &report.features {
        let about = format!("{}, {}", letters_and_digits(&feature.concept), feature.case.label());
        out += &wrap_python_list("{", feature_numbers(feature), "},", &about, 4);
    }
    out += "]\n";
    let what = "FADE on a small transformer with a planted language, in NumPy alone: how well descriptions\n\
                fit an autoencoder's latents (Puri et al. 2025, arXiv:2502.16994). With --steer, faithfulness\n\
                as well, in a minute or so.";
    Ok(numpy_program(what, &out, FINAL_CHECKPOINT, &[sae.file], PROGRAM_BODY))
}

/// A feature's numbers, under the names of the table's columns.
fn feature_numbers(feature: &Feature) -> Vec<String> {
    let numbers = [
        ("F1", Some(feature.f1)),
        ("clarity", feature.clarity.code),
        ("clarity (note)", feature.clarity.document),
        ("ceiling", Some(feature.ceiling)),
        ("respons.", feature.responsiveness.code),
        ("respons. (note)", feature.responsiveness.document),
        ("purity", feature.purity.code),
        ("purity (note)", feature.purity.document),
    ];
    let mut out = vec![format!("\"latent\": {}", feature.latent)];
    out.extend(numbers.map(|(name, number)| format!("{}: {}", python_string(name), python_number(number))));
    out.push(format!("\"gate\": {}", if feature.gate { "True" } else { "False" }));
    for rated in [RatedTexts::All, RatedTexts::Sampled] {
        let [plain, literal] = [Norm::Elements, Norm::Nonzero].map(|norm| feature.variant(rated, norm));
        // A report of an older version has none.
        let (Some(plain), Some(literal)) = (plain, literal) else { continue };
        let numbers = [
            Some(plain.document_texts as f64),
            Some(plain.code_texts as f64),
            plain.clarity.document,
            literal.clarity.document,
            plain.responsiveness.code,
            plain.responsiveness.document,
            literal.responsiveness.document,
            plain.purity.code,
            plain.purity.document,
        ];
        // One a piece, so that lines break between them.
        let mut numbers: Vec<String> = numbers.into_iter().map(python_number).collect();
        if let [first, .., last] = numbers.as_mut_slice() {
            *first = format!("{}: [{first}", python_string(rated.name()));
            last.push(']');
        }
        out.extend(numbers);
    }
    if let Some(steered) = &feature.steered {
        out.push(format!("\"faithfulness\": {}", python_number(Some(steered.faithfulness))));
        out.push(format!("\"shares\": {}", python_list(steered.shares.iter().copied())));
    }
    out
}

/// A description's letters: a report may come from anywhere, and a program holds no more of its words.
fn letters_and_digits(concept: &str) -> String {
    concept.chars().filter(char::is_ascii_alphanumeric).collect()
}
