//! What a report says of itself in sentences.

use super::sums::{LengthHistogram, Outliers};
use crate::lab::evaluate::EvaluationReport;
use crate::sae::CodesBy;

/// Codes of a dictionary alone are called dense where S is no more than this.
const DENSE_SPARSITY_MAX: f64 = 0.05;

/// Where leaving out the mean error gains so much of R², an offset is missing.
const OFFSET_R2_GAIN: f64 = 0.05;

/// What rows of zeros and very long ones do to the numbers, in sentences.
pub(super) fn row_length_notes(report: &EvaluationReport, rows: Outliers, guarded: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let (all, Outliers { zero_rows: zero, long_rows: long, longest_ratio: longest }) = (report.rows as u64, rows);
    if zero > 0 {
        let without = match all - zero.min(all) {
            0 => String::new(),
            // A row of zeros has a cosine of 0.
            left => format!("; without them it is {:.3}", report.fidelity.cosine * all as f64 / left as f64),
        };
        notes.push(format!(
            "{zero} of {all} rows {} zeros, as padding is: in the mean cosine {} 0{without}.",
            if zero == 1 { "is" } else { "are" },
            if zero == 1 { "it counts as" } else { "they count as" },
        ));
    }
    if long > 0 {
        notes.push(format!(
            "{long} of {all} rows {} longer than {} times the median, the longest about {longest:.0} times, as those of a \
             first token are: R², relative MSE, the fraction of variance explained and completeness, which weigh rows by their squared \
             lengths, may be mostly about {}.",
            if long == 1 { "is" } else { "are" },
            LengthHistogram::LONG_ROW_FACTOR,
            if long == 1 { "it" } else { "them" },
        ));
    }
    if guarded > 0 {
        notes.push(format!(
            "In {guarded} of {all} rows ‖a‖·‖â‖ is so small that the recipe's guard of 10⁻¹⁰, which the cosine has added to \
             it, counts: their cosines come out too small. Multiplying activations and codes by a constant avoids it.",
        ));
    }
    notes
}

/// `rows` are all there are, of which a report may be of some only.
pub(super) fn report_notes(report: &EvaluationReport, rows: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if report.rows < rows {
        notes.push(format!(
            "Provisional: the first {} of {rows} rows. Completeness by active-subspace and directions come last.",
            report.rows
        ));
    }
    let alone = [CodesBy::Projection, CodesBy::LeastSquares];
    if report.sparsity.s <= DENSE_SPARSITY_MAX && alone.iter().any(|by| by.to_string() == report.codes) {
        notes.push(format!(
            "Nearly every code is active, as codes by {} are on any dictionary: S is about 0, and \
             with it the score, whatever the directions are. Codes by {} keep the largest of each \
             row.",
            report.codes,
            CodesBy::Top((report.k / 10).max(1))
        ));
    }
    if let (Some(r2), Some(explained), "given") =
        (report.fidelity.r2, report.fidelity.frac_variance_explained, report.codes.as_str())
        && explained - r2 > OFFSET_R2_GAIN
    {
        notes.push(
            "Much of the error is the same in every row, which lowers R² and the cosine. If the decoder that the codes are of has a bias (b_dec), it is \
             missing: name it as the decoder's bias."
                .to_owned(),
        );
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
             it has learnt. The score takes the reconstruction where no reading is asked for.",
            report.dimensions
        ));
    } else if report.rank < report.k.min(report.dimensions) {
        notes.push(format!("The dictionary's rows have rank {}.", report.rank));
    }
    for c in &report.completeness {
        if c.rows > 0 && c.rows < report.rows {
            notes.push(format!(
                "Completeness by {} uses {} evenly spaced rows of {}.",
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
