//! M07: two autoencoders that have nothing in common, and two that have everything.

use super::super::super::metric::architecture_duality::{
    ArchitectureDuality, ComparedAutoencoder, Settings, architecture_duality,
};
use super::super::super::metric::{Activations, Condition, DecompositionError, Reading, chance_agreement};
use super::super::case_builders::{
    case_series, constant_series, cyclic_activations, identity, indexed_series, keep_top_k, matrix_from_fn,
    max_abs_cosines, normal_matrix,
};
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use crate::Matrix;
use crate::linalg::product;
use crate::papers::measurement::MeasurementError;
use crate::statistics::MetricError;

const AGREEMENT_MIN: f64 = 0.3;
/// Agreement from which most features are said not to depend on the kind of autoencoder.
const MAJORITY_MIN: f64 = 0.5;

fn measure_case(
    [a, b]: [(&Matrix, &Matrix); 2],
    reading: Reading,
    limit: f64,
) -> Result<MeasuredCase<ArchitectureDuality>, DecompositionError> {
    let side = |(activations, directions)| ComparedAutoencoder {
        activations: Activations::Dense(activations),
        decoder: directions,
        encoder: Some(directions),
    };
    let case = architecture_duality(&side(a), &side(b), &Settings::default())?;
    let (quantity, value) = match reading {
        Reading::Code => ("agreement_code", Some(case.agreement_code)),
        Reading::Document => ("agreement_document", case.agreement_document),
    };
    let value = value.ok_or(MetricError::Missing { what: "an encoder" })?;
    Ok(MeasuredCase { case, value, condition: Condition::above(quantity, limit) })
}

/// Directions and what they make of the same activations.
fn random_pair(width: usize, features: usize, kept: usize) -> [(Matrix, Matrix); 2] {
    /// Positions that both see.
    const POSITIONS: usize = 64;
    let world = normal_matrix(11, POSITIONS, width);
    [1, 2].map(|seed| {
        let directions = normal_matrix(seed, features, width);
        let codes = keep_top_k(product(&world, &directions.transposed()), kept);
        (codes, directions)
    })
}

/// Two autoencoders that nobody trained: random directions, which are encoder and decoder, of which the largest `kept`
/// are active at each of 64 random positions.
///
/// # Errors
/// [`DecompositionError`] without features or width.
pub fn untrained_pair(
    width: usize,
    features: usize,
    kept: usize,
    reading: Reading,
) -> Result<MeasuredCase<ArchitectureDuality>, DecompositionError> {
    let [(a, d), (b, e)] = random_pair(width, features, kept);
    measure_case([(&a, &d), (&b, &e)], reading, AGREEMENT_MIN)
}

/// Two autoencoders that have nothing in common: their directions, as many as `features`, are all orthogonal, those of
/// the one to those of the other as well. `active` features of A are active at each position, and all of B's. The code
/// compares how many are active, so its agreement is `active`/(2·`features`).
///
/// # Errors
/// [`DecompositionError`] without features.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::Reading;
/// use sfc_bench::papers::measurement::attainable_range::orthogonal_pair;
/// assert_eq!(orthogonal_pair(16, 16, Reading::Code)?.value, 0.5);
/// assert!(!orthogonal_pair(16, 9, Reading::Code)?.holds());
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn orthogonal_pair(
    features: usize,
    active: usize,
    reading: Reading,
) -> Result<MeasuredCase<ArchitectureDuality>, DecompositionError> {
    let half =
        |from: usize| matrix_from_fn(features, 2 * features, |row, col| if col == from + row { 1.0 } else { 0.0 });
    let codes = |active| cyclic_activations(features, features, active);
    let (a, b) = (codes(active), codes(features));
    measure_case([(&a, &half(0)), (&b, &half(features))], reading, AGREEMENT_MIN)
}

/// The same autoencoder twice, of which one feature is active at each position, with its first `moved` features
/// numbered otherwise, of two or more: in the text's reading the agreement is 1 − `moved`/(2·`features`).
///
/// # Errors
/// [`DecompositionError`] without features.
pub fn renumbered_pair(
    features: usize,
    moved: usize,
    limit: f64,
) -> Result<MeasuredCase<ArchitectureDuality>, DecompositionError> {
    // The first one comes last of those that are moved.
    let place = |feature: usize| match feature {
        _ if feature >= moved => feature,
        0 => moved - 1,
        _ => feature - 1,
    };
    let codes = cyclic_activations(features, features, 1);
    let here = |row: usize, col: usize| if place(row) == col { 1.0 } else { 0.0 };
    let (other, directions) =
        (matrix_from_fn(features, features, here), matrix_from_fn(features, features, |row, col| here(col, row)));
    measure_case([(&codes, &identity(features)), (&other, &directions)], Reading::Document, limit)
}

pub(in super::super) fn m07_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    use CaseKind::{Best, Worst};
    use Reading::{Code, Document};
    /// Features of the cases that are exact.
    const FEATURES: usize = 16;

    let [(_, a), (_, b)] = random_pair(16, 32, 3);
    let cosines = max_abs_cosines(&a, &b);
    let chance = constant_series("expected of random directions", (1.0, 32.0), chance_agreement(16, 32)?);
    let cosines = (
        ["feature, by its cosine", "largest |cosine| with a feature of the other"],
        vec![indexed_series("random directions", &cosines), chance],
    );

    let counts = |reading| -> Result<Vec<CaseSeries>, MeasurementError> {
        let mut points = Vec::new();
        for active in 1..=FEATURES {
            let share = active as f64 / FEATURES as f64;
            points.push((share, orthogonal_pair(FEATURES, active, reading)?.value));
        }
        Ok(vec![case_series("agreement", points), constant_series("limit", (0.0, 1.0), AGREEMENT_MIN)])
    };
    let share = ["active features of A over those of B", "agreement"];

    let mut chances = Vec::new();
    for width in [2, 4, 6, 8, 10, 12, 14, 16, 24, 32, 48, 64] {
        chances.push((width as f64, 0.5 * chance_agreement(width, 2 * width)?));
    }
    let chances = || {
        let drawn = case_series("half of what random directions agree by", chances.iter().copied());
        (
            ["width, with twice as many features", "agreement"],
            vec![drawn, constant_series("limit", (2.0, 64.0), AGREEMENT_MIN)],
        )
    };

    let mut moved = vec![(0.0, 1.0)];
    for count in 2..=FEATURES {
        moved.push((count as f64 / FEATURES as f64, renumbered_pair(FEATURES, count, AGREEMENT_MIN)?.value));
    }
    let moved = |limit| {
        let limit = constant_series("limit", (0.0, 1.0), limit);
        (
            ["share of features with another number", "agreement"],
            vec![case_series("agreement", moved.iter().copied()), limit],
        )
    };

    Ok(vec![
        untrained_pair(16, 32, 3, Code)?.to_report(
            ("m07", Code, Worst),
            "Two autoencoders that nobody trained, 32 random features in 16 dimensions, 3 of them active at each \
             position: they pass, since only the number of active features is compared, and random directions \
             agree.",
            cosines,
        ),
        orthogonal_pair(FEATURES, FEATURES, Code)?.to_report(
            ("m07", Code, Worst),
            "Two autoencoders without anything in common, whose directions are all orthogonal: as many active \
             features are half of the agreement, so no two with the same number can fail.",
            (share, counts(Code)?),
        ),
        orthogonal_pair(FEATURES, 1, Code)?.to_report(
            ("m07", Code, Worst),
            "The same two, with one active feature against sixteen: they fail, as all pairs without anything in \
             common do whose numbers are as six to ten or further apart.",
            (share, counts(Code)?),
        ),
        orthogonal_pair(FEATURES, FEATURES, Document)?.to_report(
            ("m07", Document, Worst),
            "All features of both are active, and their directions are all orthogonal: by their numbers they are \
             the same features, and pass.",
            (share, counts(Document)?),
        ),
        untrained_pair(8, 16, 2, Document)?.to_report(
            ("m07", Document, Worst),
            "Two untrained autoencoders, 16 random features in 8 dimensions: in so few dimensions random \
             directions agree by more than 0.6, and the pair passes.",
            chances(),
        ),
        untrained_pair(64, 128, 2, Document)?.to_report(
            ("m07", Document, Worst),
            "The same with 128 random features in 64 dimensions: here chance does not suffice.",
            chances(),
        ),
        renumbered_pair(FEATURES, FEATURES, AGREEMENT_MIN)?.to_report(
            ("m07", Document, Best),
            "One autoencoder twice, whose features have other numbers in its copy: no index agrees and all \
             directions do, which is one half and passes.",
            moved(AGREEMENT_MIN),
        ),
        renumbered_pair(FEATURES, FEATURES, MAJORITY_MIN)?.to_report(
            ("m07", Document, Best),
            "The same pair is not among those of which most features agree: that takes more than one half.",
            moved(MAJORITY_MIN),
        ),
    ])
}
