//! What a report says of itself in sentences.

use crate::io::DType;
use crate::lab::own::OwnReport;
use crate::lab::own::report::InputFile;
use crate::sae::CodesBy;

/// Codes of a dictionary alone are called dense where S is no more than this.
const DENSE_CODES: f64 = 0.05;

/// Whether its numbers, which may be weights, are of 64-bit floats.
fn is_rounded(file: &InputFile) -> bool {
    let weights = ["dictionary", "readout", "readout bias"].contains(&&*file.role);
    weights && file.array.as_ref().is_some_and(|array| array.dtype == DType::Float64)
}

/// `rows` are all there are, of which a report may be of some only.
pub(super) fn notes(report: &OwnReport, rows: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if report.rows < rows {
        notes.push(format!(
            "Provisional: the first {} of {rows} rows. Completeness by active-subspace and directions come last.",
            report.rows
        ));
    }
    let alone = [CodesBy::Projection, CodesBy::LeastSquares];
    if report.sparsity.s <= DENSE_CODES && alone.iter().any(|by| by.to_string() == report.codes) {
        notes.push(format!(
            "Nearly every code is active, as codes by {} are on any dictionary: S is about 0, and \
             with it the score, whatever the directions are. Codes by {} keep the largest of each \
             row.",
            report.codes,
            CodesBy::Top((report.k / 10).max(1))
        ));
    }
    let rounded: Vec<&str> =
        report.files.iter().filter(|file| is_rounded(file)).map(|file| &*file.role).collect();
    if !rounded.is_empty() {
        notes.push(format!(
            "Weights are kept in 32-bit floats: the {} was rounded to them. Activations and codes keep their 64 bits.",
            rounded.join(" and the ")
        ));
    }
    if !report.readout_given {
        notes.push(
            "No readout was given: f is the identity, so completeness measures the activations \
             themselves, and its reconstruction reading with the total variance is R²."
                .to_owned(),
        );
    }
    if report.completeness.iter().any(|c| c.identically_one) {
        notes.push(format!(
            "The dictionary spans all {} dimensions: completeness by its row space is 1 whatever \
             it has learnt.",
            report.dimensions
        ));
    } else if report.rank < report.k.min(report.dimensions) {
        notes.push(format!("The dictionary's rows have rank {}.", report.rank));
    }
    for c in &report.completeness {
        if c.rows > 0 && c.rows < report.rows {
            notes.push(format!(
                "Completeness by {} is of {} evenly spaced rows of {}.",
                c.reading.name(),
                c.rows,
                report.rows
            ));
        }
    }
    if report.similarity.compared > 0 && report.similarity.compared < report.k {
        notes.push(format!(
            "Directions of {} evenly spaced features of {} were compared with all others.",
            report.similarity.compared, report.k
        ));
    }
    notes
}
