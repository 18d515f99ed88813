//! M10: contexts of one kind and of many.

use super::super::super::metric::polysemanticity::{Polysemanticity, Settings, polysemanticity};
use super::super::super::metric::{Condition, DecompositionError, Reading};
use super::super::case_builders::{case_series, constant_series, indexed_series, matrix_from_fn, normal_matrix};
use super::super::{CaseKind, CaseReport, CaseSeries, MeasuredCase};
use crate::Matrix;
use crate::papers::measurement::MeasurementError;

/// Width of embeddings.
const WIDTH: usize = 48;
const CONTEXTS: usize = 40;
const FEATURES: usize = 10;
/// Rate below which single descriptions are said to do.
const LOW_RATE: f64 = 0.1;
/// Rate above which they do not.
const HIGH_RATE: f64 = 0.4;

/// Features in contexts, and what is found of them.
#[derive(Clone, Debug, PartialEq)]
pub struct PolysemanticityCase {
    /// How strong each feature is in each context: contexts × features.
    pub strengths: Matrix,
    /// What the contexts are: contexts × width.
    pub embeddings: Matrix,
    /// What the metric finds.
    pub polysemanticity: Polysemanticity,
}

impl PolysemanticityCase {
    fn measure(strengths: Matrix, embeddings: Matrix, reading: Reading) -> Result<Self, DecompositionError> {
        let settings = Settings { reading, ..Settings::default() };
        let found = polysemanticity(&strengths, &embeddings, &settings)?;
        Ok(Self { strengths, embeddings, polysemanticity: found })
    }

    fn with_condition(self, condition: Condition) -> MeasuredCase<Self> {
        let rate = self.polysemanticity.rate;
        let value = if condition.quantity == "n_dead" { rate.n_dead as f64 } else { rate.rate };
        MeasuredCase { case: self, value, condition }
    }

    /// The distances at which the first feature's contexts were joined, and up to where they count as one kind.
    fn merge_heights_chart(&self) -> ([&'static str; 2], Vec<CaseSeries>) {
        let heights = self.polysemanticity.features.first().map_or(&[][..], |one| &one.clusters.merge_heights);
        let limit = constant_series("one kind up to", (1.0, heights.len().max(2) as f64), 0.5);
        (["joining of a feature's contexts", "cosine distance"], vec![indexed_series("distance", heights), limit])
    }
}

/// Strengths that are all different.
fn varied_strengths() -> Matrix {
    matrix_from_fn(CONTEXTS, FEATURES, |context, feature| 1.0 + ((7 * context + 3 * feature) % CONTEXTS) as f64)
}

/// Features each of which is active in one context alone, among 40 that have nothing in common: no feature could be
/// more of one kind. The code looks at 20 contexts in any case, so at 19 where the feature is not active.
///
/// # Errors
/// None that is known.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::Reading;
/// use sfc_bench::papers::measurement::attainable_range::single_context_features;
/// assert!(single_context_features(Reading::Document)?.holds() && !single_context_features(Reading::Code)?.holds());
/// # Ok::<(), sfc_bench::papers::measurement::metric::DecompositionError>(())
/// ```
pub fn single_context_features(reading: Reading) -> Result<MeasuredCase<PolysemanticityCase>, DecompositionError> {
    let strengths = matrix_from_fn(CONTEXTS, FEATURES, |context, feature| if context == feature { 1.0 } else { 0.0 });
    let found = PolysemanticityCase::measure(strengths, normal_matrix(6, CONTEXTS, WIDTH), reading)?;
    Ok(found.with_condition(Condition::below("rate", LOW_RATE)))
}

/// Contexts of two kinds that are orthogonal to each other, and beside them a direction that all have in common,
/// `common` times as long. Contexts of unlike kinds are then 1/(1 + `common`²) apart: one kind where `common` exceeds
/// 1.
///
/// # Errors
/// None that is known.
pub fn contexts_with_common_direction(common: f64) -> Result<MeasuredCase<PolysemanticityCase>, DecompositionError> {
    let embeddings = matrix_from_fn(CONTEXTS, 3, |context, col| match col {
        2 => common,
        _ if context % 2 == col => 1.0,
        _ => 0.0,
    });
    let found = PolysemanticityCase::measure(varied_strengths(), embeddings, Reading::Document)?;
    Ok(found.with_condition(Condition::below("rate", LOW_RATE)))
}

/// 200 features, of which `dead` are never active. The metric looks at the 100 strongest.
///
/// # Errors
/// None that is known.
pub fn dead_features(dead: usize) -> Result<MeasuredCase<PolysemanticityCase>, DecompositionError> {
    const FEATURE_COUNT: usize = 200;
    let strengths = matrix_from_fn(CONTEXTS, FEATURE_COUNT, |_, feature| if feature < dead { 0.0 } else { 1.0 });
    let embeddings = matrix_from_fn(CONTEXTS, 1, |_, _| 1.0);
    let found = PolysemanticityCase::measure(strengths, embeddings, Reading::Document)?;
    Ok(found.with_condition(Condition::above("n_dead", 0.0)))
}

pub(in super::super) fn m10_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    use CaseKind::{Best, Worst};
    use Reading::{Code, Document};
    let noise = normal_matrix(7, CONTEXTS, WIDTH);
    // Noise of a tenth of what contexts have in common.
    let alike = matrix_from_fn(CONTEXTS, WIDTH, |context, col| {
        noise.row(context).get(col).copied().unwrap_or_default() / f64::sqrt(WIDTH as f64) / 10.0
            + if col == 0 { 1.0 } else { 0.0 }
    });
    let alike = PolysemanticityCase::measure(varied_strengths(), alike, Document)?;
    let scattered = PolysemanticityCase::measure(varied_strengths(), noise, Document)?;
    let (drawn_alike, drawn_scattered) = (alike.merge_heights_chart(), scattered.merge_heights_chart());
    let (document, code) = (single_context_features(Document)?, single_context_features(Code)?);
    let mut rates = Vec::new();
    for tenths in 0..=10_u32 {
        let common = f64::from(tenths) / 5.0 + 0.05;
        rates.push((common, contexts_with_common_direction(common)?.value));
    }
    let limit = constant_series("limit", (0.0, 2.1), LOW_RATE);
    let rates = (
        ["length of what is common over what differs", "rate"],
        vec![case_series("contexts of two kinds", rates), limit],
    );
    let mut dead = Vec::new();
    for count in (0..200).step_by(20) {
        dead.push((count as f64, dead_features(count)?.value));
    }
    let dead = (["features that are never active, of 200", "counted"], vec![case_series("dead", dead)]);
    Ok(vec![
        alike.with_condition(Condition::below("rate", LOW_RATE)).to_report(
            ("m10", Document, Best),
            "Contexts that are all alike but for noise of a tenth: no feature is of several kinds.",
            drawn_alike,
        ),
        scattered.with_condition(Condition::above("rate", HIGH_RATE)).to_report(
            ("m10", Document, Worst),
            "Contexts that are random directions of 48 dimensions: every feature is of several kinds.",
            drawn_scattered,
        ),
        document.to_report(
            ("m10", Document, Best),
            "Features that are active in one context alone, as in the paper: one kind each.",
            (["context of the first feature", "strength"], vec![strength_series(&document.case)]),
        ),
        code.to_report(
            ("m10", Code, Best),
            "The same features as coded: contexts in which a feature is not active fill its list up to 20, so \
             that every feature is of several kinds.",
            code.case.merge_heights_chart(),
        ),
        contexts_with_common_direction(2.0)?.to_report(
            ("m10", Document, Worst),
            "Two kinds of contexts without anything in common but a direction that all contexts have, twice as \
             long as what differs: no feature is of several kinds.",
            rates,
        ),
        dead_features(100)?.to_report(
            ("m10", Document, Worst),
            "Half of 200 features are never active: the 100 strongest are looked at, so none of these is counted.",
            dead,
        ),
    ])
}

fn strength_series(contexts: &PolysemanticityCase) -> CaseSeries {
    let first: Vec<f64> = contexts.strengths.iter_rows().filter_map(|row| row.first().copied()).collect();
    indexed_series("strength", &first)
}
