//! M13 and M14: what spectra can be.

use super::super::super::metric::safety_sve::{SafetySve, safety_sve};
use super::super::super::metric::superposition::{
    FeatureSuperposition, Regime, Spectrum, Superposition, TOP_COMPONENTS, feature_superposition, spectrum,
    summarise_layers, superposition,
};
use super::super::super::metric::{Condition, DecompositionError, Reading};
use super::super::case_builders::{
    case_series, constant_series, identity, indexed_series, matrix_from_fn, normal_matrix,
};
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use crate::Matrix;
use crate::papers::measurement::MeasurementError;
use crate::statistics::MetricError;
use CaseKind::{Best, Worst};
use Reading::{Code, Document};

/// Packing ratio above which a layer is between the regimes.
const TRANSITION_PACKING_MIN: f64 = 0.8;
/// Packing ratio above which it is strong.
const STRONG_PACKING_MIN: f64 = 1.2;
/// Interference above which a layer that is packed, too, is strong.
const STRONG_INTERFERENCE_MIN: f64 = 0.15;

/// Activations that fill all their dimensions alike, which is as crowded as a layer can be: each axis both ways. Their
/// packing ratio is 1, and the interference of principal components 0.
///
/// # Errors
/// [`MetricError`] without dimensions.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::isotropic_layer;
/// assert!(!isotropic_layer(16)?.holds());
/// # Ok::<(), sfc_bench::statistics::MetricError>(())
/// ```
pub fn isotropic_layer(width: usize) -> Result<MeasuredCase<(Superposition, Spectrum)>, MetricError> {
    let activations = matrix_from_fn(2 * width, width, |row, col| match row == col {
        true => 1.0,
        false if row == width + col => -1.0,
        false => 0.0,
    });
    measure_packing(&activations)
}

fn measure_packing(activations: &Matrix) -> Result<MeasuredCase<(Superposition, Spectrum)>, MetricError> {
    let (found, spectrum) = (superposition(activations)?, spectrum(activations, TOP_COMPONENTS)?);
    let value = found.packing_ratio;
    let condition = Condition::above("packing_ratio", STRONG_PACKING_MIN);
    Ok(MeasuredCase { case: (found, spectrum), value, condition })
}

/// Two bases without anything in common: the axes of 16 dimensions, and the 16 rows of signs that are orthogonal to
/// each other. Any two of unlike bases have a cosine of ¼.
fn measure_unbiased_bases() -> Result<FeatureSuperposition, MetricError> {
    let sign = |row: usize, col: usize| {
        if (row & col).count_ones().is_multiple_of(2) { 0.25 } else { -0.25 }
    };
    let directions = matrix_from_fn(32, 16, |row, col| match row.checked_sub(16) {
        Some(row) => sign(row, col),
        None if row == col => 1.0,
        None => 0.0,
    });
    feature_superposition(&directions)
}

pub(in super::super) fn m13_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    /// Dimensions of the crowded layer.
    const WIDTH: usize = 16;
    /// Dimensions of the one of few rows.
    const FEW_ROWS_WIDTH: usize = 48;
    /// Different texts of the reference code.
    const TEXTS: usize = 20;
    let crowded = isotropic_layer(WIDTH)?;
    let (found, values) = &crowded.case;
    let few = measure_packing(&matrix_from_fn(TEXTS, FEW_ROWS_WIDTH, |row, col| if row == col { 1.0 } else { 0.0 }))?;
    let values_of = |found: &Spectrum| {
        (["number", "singular value"], vec![indexed_series("singular values", &found.singular_values)])
    };
    let regimes = |regime: Regime| summarise_layers(&[regime; 4]);
    let share = |value, quantity| MeasuredCase { case: (), value, condition: Condition::at_least(quantity, 1.0) };
    let strong =
        |regime| -> Result<MeasuredCase<()>, MetricError> { Ok(share(regimes(regime)?.share_strong, "share_strong")) };
    let weak = share(regimes(few.case.0.regime_code)?.share_weak, "share_weak");
    let held = |value, condition| MeasuredCase { case: (), value, condition };
    let packed = held(found.packing_ratio, Condition::above("packing_ratio", TRANSITION_PACKING_MIN));
    let narrow = held(few.case.0.packing_ratio, Condition::above("packing_ratio", TRANSITION_PACKING_MIN));
    let mixed = held(values.interference, Condition::above("interference", STRONG_INTERFERENCE_MIN));
    let bases = measure_unbiased_bases()?;
    let known = held(bases.feature_packing, Condition::above("feature_packing", STRONG_PACKING_MIN));
    // The most that so many rows can fill.
    let bound = |width: usize| {
        case_series(
            "at most",
            (2..=60).step_by(2).map(|rows| (rows as f64, (rows - 1).min(width) as f64 / width as f64)),
        )
    };
    let by_rows = || {
        (
            ["different rows", "packing ratio in 48 dimensions"],
            vec![bound(FEW_ROWS_WIDTH), constant_series("limit", (2.0, 60.0), TRANSITION_PACKING_MIN)],
        )
    };
    let beyond = || {
        (
            ["different rows", "packing ratio in 16 dimensions"],
            vec![bound(WIDTH), constant_series("limit", (2.0, 60.0), STRONG_PACKING_MIN)],
        )
    };
    let gram: Vec<f64> = (0..32)
        .map(|at| {
            if at == 0 {
                1.0
            } else if at < 16 {
                0.0
            } else {
                0.25
            }
        })
        .collect();
    Ok(vec![
        crowded.to_report(
            ("m13", Document, Best),
            "Activations that fill all of 16 dimensions alike, the most crowded there are: the participation \
             ratio counts dimensions, so the packing ratio is 1 and cannot be 1.2.",
            beyond(),
        ),
        mixed.to_report(
            ("m13", Document, Best),
            "The same activations: principal components are orthogonal, so their interference is 0, whatever the \
             activations are.",
            values_of(values),
        ),
        strong(found.regime_code)?.to_report(
            ("m13", Code, Best),
            "Four of these layers: by the implementation's rule none is strong, so strong superposition can never be found.",
            values_of(values),
        ),
        strong(found.regime_document)?.to_report(
            ("m13", Document, Best),
            "The same by the text's rule, in which high interference alone would do: there is none.",
            values_of(values),
        ),
        packed.to_report(
            ("m13", Document, Best),
            "The same layer is between the regimes, which is the most a layer can be.",
            values_of(values),
        ),
        narrow.to_report(
            ("m13", Code, Best),
            "Twenty different texts, as the code has them, which have nothing in common: they fill 19 of 48 \
             dimensions.",
            by_rows(),
        ),
        weak.to_report(
            ("m13", Code, Best),
            "Four layers of such activations: all are weak, as every layer of 24 dimensions or more is with 20 \
             texts.",
            values_of(&few.case.1),
        ),
        known.to_report(
            ("m13", Document, Best),
            "Directions that are known, instead of principal components: two bases of 16 dimensions that are as \
             far apart as two can be. As many directions as that are strong by their number alone.",
            (["feature", "|cosine| with the first"], vec![indexed_series("two bases", &gram)]),
        ),
    ])
}

fn measure_sve(
    directions: &Matrix,
    draws: &[Matrix],
    condition: Condition,
) -> Result<MeasuredCase<SafetySve>, DecompositionError> {
    let case = safety_sve(directions, draws)?;
    let value = match condition.quantity {
        "sve_code" => Some(case.sve_code),
        "sve_document" => Some(case.sve_document),
        "stability_code" => case.stability_code,
        "stability_document" => case.stability_document,
        _ => Some(case.effective_rank_90_document as f64),
    };
    let value = value.ok_or(MetricError::Missing { what: "a draw" })?;
    Ok(MeasuredCase { case, value, condition })
}

const fn entropy_condition(reading: Reading) -> Condition {
    match reading {
        Reading::Document => Condition::below("sve_document", 2.0),
        Reading::Code => Condition::below("sve_code", 2.0),
    }
}

const fn stability_condition(reading: Reading) -> Condition {
    match reading {
        Reading::Document => Condition::above("stability_document", 0.8),
        Reading::Code => Condition::above("stability_code", 0.8),
    }
}

/// Layers whose directions have nothing in common: their entropy is the largest there is, the logarithm of the layers
/// in the text's reading, and of one fewer in the code's, which takes away their mean.
///
/// # Errors
/// [`DecompositionError`] without layers.
pub fn orthogonal_layers(layers: usize, reading: Reading) -> Result<MeasuredCase<SafetySve>, DecompositionError> {
    measure_sve(&identity(layers), &[], entropy_condition(reading))
}

/// The most layers with which the entropy is below 2 whatever their directions are: eight in the code's reading,
/// seven in the text's.
///
/// # Errors
/// None that is known.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::Reading;
/// use sfc_bench::papers::measurement::attainable_range::max_passing_layers;
/// assert_eq!((max_passing_layers(Reading::Code)?, max_passing_layers(Reading::Document)?), (8, 7));
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn max_passing_layers(reading: Reading) -> Result<usize, DecompositionError> {
    let mut layers = 2;
    while orthogonal_layers(layers + 1, reading)?.holds() {
        layers += 1;
    }
    Ok(layers)
}

/// Random directions of `layers` layers in 16 dimensions, and of three draws of prompts. Of `agreeing` ones the draws
/// have the same directions; of others each is random by itself, and in one direction only.
///
/// # Errors
/// [`DecompositionError`] without layers.
pub fn stability_of_draws(
    layers: usize,
    agreeing: bool,
    reading: Reading,
) -> Result<MeasuredCase<SafetySve>, DecompositionError> {
    const WIDTH: usize = 16;
    let directions = normal_matrix(20, layers, WIDTH);
    let draws: Vec<Matrix> = (21..24)
        .map(|seed| match agreeing {
            true => directions.clone(),
            false => {
                let one = normal_matrix(seed, 1, WIDTH);
                let along = |col| one.data().get(col).copied().unwrap_or_default();
                matrix_from_fn(layers, WIDTH, |layer, col| (layer + 1) as f64 * along(col))
            }
        })
        .collect();
    measure_sve(&directions, &draws, stability_condition(reading))
}

pub(in super::super) fn m14_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    let by_layers = |reading| -> Result<([&'static str; 2], Vec<CaseSeries>), MeasurementError> {
        let mut points = Vec::new();
        for layers in 2..=16 {
            points.push((layers as f64, orthogonal_layers(layers, reading)?.value));
        }
        let limit = constant_series("limit", (2.0, 16.0), 2.0);
        Ok((["layers", "largest entropy"], vec![case_series("entropy", points), limit]))
    };
    let by_draws = |found: &MeasuredCase<SafetySve>, reading| {
        let sves = match reading {
            Document => &found.case.sves_document,
            Code => &found.case.sves_code,
        };
        (["all prompts, then each draw", "entropy"], vec![indexed_series("entropy", sves)])
    };
    let spread = |layers, reading, says| -> Result<CaseReport, MeasurementError> {
        let found = orthogonal_layers(layers, reading)?;
        Ok(found.to_report(("m14", reading, Worst), says, by_layers(reading)?))
    };
    let drawn = |found: MeasuredCase<SafetySve>, reading, kind, says| {
        found.to_report(("m14", reading, kind), says, by_draws(&found, reading))
    };
    let rank = Condition::at_most("effective_rank_90_document", 3.0);
    let three = measure_sve(&identity(3), &[], rank)?;
    let shares = indexed_series("singular values", &three.case.singular_values);
    Ok(vec![
        spread(
            max_passing_layers(Code)?,
            Code,
            "Eight layers whose directions have nothing in common: with their mean taken away ln 7 is the most \
             there can be, so the condition holds whatever the directions are.",
        )?,
        spread(max_passing_layers(Code)? + 1, Code, "Nine layers are the first that can fail as coded: ln 8.")?,
        spread(
            max_passing_layers(Document)?,
            Document,
            "Seven layers whose directions have nothing in common: ln 7 is the most there can be in the text's \
             reading.",
        )?,
        spread(
            max_passing_layers(Document)? + 1,
            Document,
            "Eight layers are the first that can fail in the text's: ln 8.",
        )?,
        drawn(
            stability_of_draws(6, true, Document)?,
            Document,
            Best,
            "Draws of prompts that all have the same directions: steady, with 1.",
        ),
        drawn(
            stability_of_draws(6, false, Document)?,
            Document,
            Worst,
            "Random directions, and draws of prompts with one direction each, of which no two agree: not steady.",
        ),
        drawn(
            stability_of_draws(8, false, Code)?,
            Code,
            Worst,
            "The same as coded, of eight layers, whose entropy cannot be too large: they fail by this condition.",
        ),
        drawn(
            stability_of_draws(2, false, Code)?,
            Code,
            Worst,
            "Two layers, of which no two draws agree: less their mean they are one direction, with an entropy of \
             0. They are always steady, and always pass.",
        ),
        three.to_report(
            ("m14", Document, Worst),
            "Three layers whose directions have nothing in common: three singular values hold everything, so up \
             to three layers all are said to be in one to three directions.",
            (["number", "singular value"], vec![shares]),
        ),
    ])
}
