//! M11: dictionaries that are the same, nested, or unrelated.

use super::super::super::metric::matryoshka::{COSINE_THRESHOLD, Matryoshka, TOP_K, matryoshka};
use super::super::super::metric::{Activations, Condition, DecompositionError, Reading};
use super::super::case_builders::{case_series, identity, matrix_from_fn, normal_matrix};
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use crate::Matrix;
use crate::papers::measurement::MeasurementError;

const CONSISTENCY_MIN: f64 = 0.7;
const HIGH_RATE: f64 = 0.3;
const POSITIONS: usize = 64;
const LARGE_FEATURES: usize = 32;

fn measure_case(
    [small, large, decoder]: [&Matrix; 3],
    k: usize,
    reading: Reading,
) -> Result<MeasuredCase<Matryoshka>, DecompositionError> {
    let dense = Activations::Dense;
    let case = matryoshka(dense(small), dense(large), decoder, k, COSINE_THRESHOLD)?;
    let (quantity, value) = match reading {
        Reading::Document => ("consistency_document", case.consistency_document),
        Reading::Code => ("consistency_code", case.consistency_code),
    };
    Ok(MeasuredCase { case, value, condition: Condition::above(quantity, CONSISTENCY_MIN) })
}

/// A large dictionary of 32 orthogonal directions, and the small one that is its first `small` features: no pair of
/// dictionaries could be more alike. With 32 it is the same dictionary twice.
///
/// # Errors
/// [`DecompositionError`] without features, or for a k of 0.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::Reading;
/// use sfc_bench::papers::measurement::attainable_range::nested_dictionaries;
/// assert_eq!(nested_dictionaries(16, 20, Reading::Code)?.value, 0.5);
/// assert_eq!(nested_dictionaries(16, 1, Reading::Code)?.value, 1.0);
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn nested_dictionaries(
    small: usize,
    k: usize,
    reading: Reading,
) -> Result<MeasuredCase<Matryoshka>, DecompositionError> {
    let large = normal_matrix(12, POSITIONS, LARGE_FEATURES);
    measure_case([&large.first_cols(small.min(LARGE_FEATURES)), &large, &identity(LARGE_FEATURES)], k, reading)
}

/// Each feature of the large dictionary is `copies` features of the small one, until it has 32 of them; k is 1, so
/// nothing is split.
///
/// # Errors
/// [`DecompositionError`] without copies.
pub fn duplicated_features(copies: usize, reading: Reading) -> Result<MeasuredCase<Matryoshka>, DecompositionError> {
    let large = normal_matrix(12, POSITIONS, LARGE_FEATURES);
    let small = matrix_from_fn(POSITIONS, LARGE_FEATURES, |position, feature| {
        let of = feature.checked_div(copies).unwrap_or_default();
        large.row(position).get(of).copied().unwrap_or_default()
    });
    measure_case([&small, &large, &identity(LARGE_FEATURES)], 1, reading)
}

pub(in super::super) fn m11_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    use CaseKind::{Best, Worst};
    use Reading::{Code, Document};
    let large = normal_matrix(12, POSITIONS, LARGE_FEATURES);
    // The cosine of any two is 34/35.
    let parallel = matrix_from_fn(LARGE_FEATURES, LARGE_FEATURES, |row, col| if row == col { 2.0 } else { 1.0 });
    let unrelated = [
        normal_matrix(13, POSITIONS, LARGE_FEATURES),
        normal_matrix(14, POSITIONS, 2 * LARGE_FEATURES),
        normal_matrix(15, 2 * LARGE_FEATURES, 16),
    ];
    let [small, wide, decoder] = &unrelated;

    let (mut same, mut random) = (Vec::new(), Vec::new());
    for k in 1..=TOP_K {
        same.push((k as f64, nested_dictionaries(LARGE_FEATURES / 2, k, Code)?.value));
        random.push((k as f64, measure_case([small, wide, decoder], k, Code)?.value));
    }
    let by_k = || {
        let nested = case_series("one within the other", same.iter().copied());
        let random = case_series("random", random.iter().copied());
        (["k", "consistency as coded"], vec![nested, random])
    };
    let mut absorbed = [Vec::new(), Vec::new()];
    for copies in 1..=LARGE_FEATURES {
        for (points, reading) in absorbed.iter_mut().zip([Document, Code]) {
            points.push((copies as f64, duplicated_features(copies, reading)?.value));
        }
    }
    let by_copies = || -> ([&'static str; 2], Vec<CaseSeries>) {
        let [document, code] = &absorbed;
        let named = [("document", document), ("code", code)];
        let shows = named.map(|(name, points)| case_series(name, points.iter().copied()));
        (["small features of one large feature", "consistency at k = 1"], shows.to_vec())
    };
    // Unit vectors whose |cosines| are ½ in the mean fill k²/Σcos² dimensions at most.
    let room: Vec<(f64, f64)> = (1..=TOP_K).map(|k| (k as f64, 4.0 * k as f64 / (k + 3) as f64)).collect();
    let room = vec![case_series("the most that k directions may fill", room)];
    let split = nested_dictionaries(LARGE_FEATURES / 2, TOP_K, Document)?.case;
    let rate = |value, quantity| MeasuredCase { case: (), value, condition: Condition::above(quantity, HIGH_RATE) };
    let splitting = rate(split.splitting_rate, "splitting_rate");
    let absorption = duplicated_features(2, Document)?.case.absorption_rate_document_all_large;
    let absorption = rate(absorption, "absorption_rate_document_all_large");
    Ok(vec![
        nested_dictionaries(LARGE_FEATURES, TOP_K, Document)?.to_report(
            ("m11", Document, Best),
            "The same dictionary twice, of orthogonal directions: at k = 20 every feature is held against 19 \
             others as well, counts as split, and the pair fails though nothing could be better.",
            by_k(),
        ),
        nested_dictionaries(LARGE_FEATURES / 2, TOP_K, Code)?.to_report(
            ("m11", Code, Best),
            "A small dictionary that is the half of the large one: the same at k = 20.",
            by_k(),
        ),
        nested_dictionaries(LARGE_FEATURES / 2, 1, Code)?.to_report(
            ("m11", Code, Best),
            "The same two at k = 1, where nothing counts as split: they pass, with 1.",
            by_k(),
        ),
        measure_case([small, wide, decoder], 1, Code)?.to_report(
            ("m11", Code, Worst),
            "Two dictionaries of random activations, 32 features and 64, at k = 1: they pass as well.",
            by_k(),
        ),
        measure_case([&large, &large, &parallel], TOP_K, Code)?.to_report(
            ("m11", Code, Worst),
            "What passes at k = 20: a dictionary whose directions are all nearly the same. A feature is not \
             split where its 20 directions fill less than four dimensions.",
            (["k", "effective dimensions"], room),
        ),
        duplicated_features(2, Document)?.to_report(
            ("m11", Document, Worst),
            "Each large feature that is found stands for two small ones, at k = 1. That is one half of all, and \
             there cannot be more unless the small dictionary is the larger one: in the text's reading no pair \
             can fail.",
            by_copies(),
        ),
        duplicated_features(LARGE_FEATURES, Document)?.to_report(
            ("m11", Document, Worst),
            "All small features are one large feature's, at k = 1: that is one large feature of 32, and passes.",
            by_copies(),
        ),
        duplicated_features(LARGE_FEATURES, Code)?.to_report(
            ("m11", Code, Worst),
            "The same as coded: it is the only one that is found, so all are absorbed, and the pair fails.",
            by_copies(),
        ),
        splitting.to_report(
            ("m11", Document, Best),
            "A small dictionary that is the half of the large one, at k = 20: all of its features are split.",
            by_k(),
        ),
        absorption.to_report(
            ("m11", Document, Worst),
            "Each large feature that is found stands for two small ones: absorption is one half.",
            by_copies(),
        ),
    ])
}
