//! What thresholds can reach: the best or the worst case of a formula, built and measured.
//!
//! A threshold that the best case does not meet rejects what it should admit; one that the worst case meets admits what
//! it should reject. Every case here is an array that is measured by the metric itself.

mod case_builders;
mod decomposition;
mod evaluation;

pub use case_builders::chance_overlap;
pub use decomposition::{
    PolysemanticityCase, bursty_k, constant_core, contexts_with_common_direction, cores_with_one_replaced,
    dead_features, duplicated_features, fixed_k, frozen_cycles, isotropic_layer, max_passing_layers,
    measure_random_directions, nested_dictionaries, orthogonal_layers, orthogonal_pair, perfect_feature, random_cores,
    random_features, renumbered_pair, single_context_features, stability_of_draws, untrained_pair,
};
pub use evaluation::{
    PromptSubsets, SignalAndNoise, biased_circuit, case_of_fewest_prompts, constant_groups, constant_probe,
    deterministic_metric_runs, homogeneous_circuit, linear_circuit, step_curve, step_curve_circuit,
};

use serde::Serialize;

use super::metric::{Condition, METRICS, Reading};
use crate::papers::measurement::MeasurementError;
use crate::settings::Problem;
use crate::settings::named;

/// A case that was built for a condition, and what is measured of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCase<C> {
    /// What was built.
    pub case: C,
    /// The quantity's value.
    pub value: f64,
    /// The condition that it is held against.
    pub condition: Condition,
}

impl<C> MeasuredCase<C> {
    /// Whether the condition holds of it.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.condition.holds(self.value)
    }

    /// The same without the case, with words and with what is drawn of it.
    #[must_use]
    pub fn to_report(
        &self,
        (metric, reading, kind): (&'static str, Reading, CaseKind),
        says: &'static str,
        (axes, shows): ([&'static str; 2], Vec<CaseSeries>),
    ) -> CaseReport {
        let (value, condition, holds) = (self.value, self.condition, self.holds());
        CaseReport { metric, reading, kind, value, condition, holds, says, axes, shows }
    }
}

named! {
    /// Which end of what there is was built.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CaseKind {
        /// What the metric looks for is there, as fully as the case allows.
        Best = "best",
        /// Nothing of it is there, or as little as the case allows.
        Worst = "worst",
    }
}

/// A series that is drawn of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseSeries {
    /// What it is.
    pub name: String,
    /// Where its points are, finite.
    pub x: Vec<f64>,
    /// What they are, finite, as many.
    pub y: Vec<f64>,
}

/// What a case reaches, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseReport {
    /// The metric's name on the command line: `ex11`.
    pub metric: &'static str,
    /// Whose quantity it is. Where text and code agree, the text's.
    pub reading: Reading,
    /// Which end was built.
    pub kind: CaseKind,
    /// The quantity's value, finite.
    pub value: f64,
    /// The condition that it is held against.
    pub condition: Condition,
    /// Whether the condition holds.
    pub holds: bool,
    /// What was built, and what follows.
    pub says: &'static str,
    /// What the two axes of the series are.
    pub axes: [&'static str; 2],
    /// One or two series, of no more than 200 numbers together.
    pub shows: Vec<CaseSeries>,
}

type BuildCases = fn() -> Result<Vec<CaseReport>, MeasurementError>;

/// Of each metric by its name the function that builds its cases, in the order of [`METRICS`].
const CASES_BY_METRIC: [(&str, BuildCases); METRICS.len()] = [
    ("m07", decomposition::m07_cases),
    ("m08", decomposition::m08_cases),
    ("m09", decomposition::m09_cases),
    ("m10", decomposition::m10_cases),
    ("m11", decomposition::m11_cases),
    ("m12", decomposition::m12_cases),
    ("m13", decomposition::m13_cases),
    ("m14", decomposition::m14_cases),
    ("ex1", evaluation::ex1_cases),
    ("ex2", evaluation::ex2_cases),
    ("ex11", evaluation::ex11_cases),
    ("ex24", evaluation::ex24_cases),
    ("ex25", evaluation::ex25_cases),
    ("ex34", decomposition::ex34_cases),
    ("mib", evaluation::mib_cases),
];

/// What one metric's thresholds can reach. `metric` is its name on the command line.
///
/// # Errors
/// [`DecompositionError::Parameter`](super::metric::DecompositionError::Parameter) for a name that no metric has.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::{CaseKind, cases_for_metric};
/// // No layer can be strongly superposed, however its activations are spread.
/// let cases = cases_for_metric("m13")?;
/// let strong = cases.iter().find(|case| case.condition.quantity == "share_strong");
/// assert!(strong.is_some_and(|case| case.kind == CaseKind::Best && !case.holds));
/// # Ok::<(), sfc_bench::papers::measurement::MeasurementError>(())
/// ```
pub fn cases_for_metric(metric: &str) -> Result<Vec<CaseReport>, MeasurementError> {
    match CASES_BY_METRIC.iter().find(|(name, _)| *name == metric) {
        Some((_, cases)) => cases(),
        None => {
            let names = CASES_BY_METRIC.map(|(name, _)| name).join(", ");
            Err(Problem::new("metric", format!("{metric:?}"), names).into())
        }
    }
}

/// What the thresholds of all fifteen can reach, in the order of [`METRICS`].
///
/// # Errors
/// None that is known.
pub fn all_cases() -> Result<Vec<CaseReport>, MeasurementError> {
    let mut found = Vec::new();
    for (_, cases) in CASES_BY_METRIC {
        found.extend(cases()?);
    }
    Ok(found)
}
