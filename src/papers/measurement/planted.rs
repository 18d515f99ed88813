//! What the metrics say where the truth is known: on planted circuits.

use serde::Serialize;

use super::metric::{
    CurveError, DPrime, DoseResponse, FaithfulnessArea, HeadEdge, REDUCED_STRENGTH, THRESHOLDS, Weber, completeness,
    d_prime, edge_score, edges_by_score, edges_in_code_order, faithfulness, faithfulness_area, heads_at_thresholds,
    weber,
};
use crate::papers::measurement::MeasurementError;
use crate::statistics::mean;
use crate::synthetic::{Head, HeadEdits, PlantedCircuit};

/// Faithfulness at each of [`THRESHOLDS`], and its areas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaithfulnessCurve {
    /// Edges as they are added.
    pub order: Vec<HeadEdge>,
    /// Faithfulness of the heads that each threshold keeps.
    pub faithfulness: Vec<f64>,
    /// Its areas.
    pub area: FaithfulnessArea,
}

impl FaithfulnessCurve {
    /// Measures one: `alone` gives the faithfulness of some heads.
    ///
    /// # Errors
    /// Those of `alone`; [`CurveError`] where it gives no numbers.
    pub fn measure<E: From<CurveError>>(
        order: Vec<HeadEdge>,
        mut alone: impl FnMut(&[Head]) -> Result<f64, E>,
    ) -> Result<Self, E> {
        let kept = heads_at_thresholds(&order);
        let faithfulness = kept.iter().map(|heads| alone(heads)).collect::<Result<Vec<f64>, E>>()?;
        let area = faithfulness_area(&THRESHOLDS, &faithfulness)?;
        Ok(Self { order, faithfulness, area })
    }
}

/// Edges in two orders.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaithfulnessCurves {
    /// By layers and numbers, as the code has them.
    pub code: FaithfulnessCurve,
    /// By what the heads do, as MIB has them.
    pub ranked: FaithfulnessCurve,
}

impl FaithfulnessCurves {
    /// Measures both: `effect` is what ablating a head takes from the mean logit difference, `alone` gives the
    /// faithfulness of some heads.
    ///
    /// # Errors
    /// Those of `alone`; [`CurveError`] where one of the two gives no numbers.
    pub fn measure<E: From<CurveError>>(
        edges: &[HeadEdge],
        effect: impl Fn(Head) -> f64,
        mut alone: impl FnMut(&[Head]) -> Result<f64, E>,
    ) -> Result<Self, E> {
        let scores: Vec<f64> = edges.iter().map(|edge| edge_score(*edge, &effect)).collect();
        let ranked = edges_by_score(edges, &scores).map_err(CurveError::from)?;
        Ok(Self {
            code: FaithfulnessCurve::measure(edges_in_code_order(edges), &mut alone)?,
            ranked: FaithfulnessCurve::measure(ranked, alone)?,
        })
    }
}

/// What is found of a planted circuit and of a claim which heads it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlantedResult {
    /// The claimed heads, by layer and number.
    pub circuit: Vec<Head>,
    /// Logit differences of the whole model, one a prompt.
    pub clean_ld: Vec<f64>,
    /// Those with the claimed heads mean-ablated.
    pub circuit_ablated_ld: Vec<f64>,
    /// How much the claimed heads do alone.
    pub faithfulness_circuit: f64,
    /// How much is gone without them.
    pub completeness_circuit: f64,
    /// How much is there without any head.
    pub faithfulness_none: f64,
    /// EX1.
    pub ex1: DPrime,
    /// EX11.
    pub ex11: Weber,
    /// MIB; none where the claimed heads are all in one layer.
    pub mib: Option<FaithfulnessCurves>,
    /// Of each head of the model, the mean logit difference without it.
    pub per_head_ablation_ld_mean: Vec<(Head, f64)>,
}

/// The mean logit differences that EX11 takes, with all heads of a circuit scaled by `level` to begin with.
///
/// # Errors
/// [`MetricError::Index`](crate::statistics::MetricError::Index) for a head that is not there.
pub fn measure_dose_response(
    model: &PlantedCircuit,
    circuit: &[Head],
    level: f64,
) -> Result<DoseResponse, MeasurementError> {
    DoseResponse::measure(circuit, level, |scales| Ok(mean(&model.logit_differences(&HeadEdits::scale(scales))?)?))
}

/// Measures a claim which heads a planted circuit is.
///
/// # Errors
/// [`MeasurementError`]: a claim without heads, or of a head that is not there.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::planted::measure_planted;
/// use sfc_bench::synthetic::{CircuitKind, CircuitSpec, PlantedCircuit};
/// let kind = CircuitKind::Planted;
/// let model = PlantedCircuit::draw(&CircuitSpec { kind, prompts: 64, heads: 3, seed: 1 })?;
/// let found = measure_planted(&model, &model.circuit_heads())?;
/// assert!((found.faithfulness_circuit - 1.0).abs() < 1e-12 && found.ex11.all_detectable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_planted(model: &PlantedCircuit, circuit: &[Head]) -> Result<PlantedResult, MeasurementError> {
    let mut circuit = circuit.to_vec();
    circuit.sort_unstable();
    circuit.dedup();
    let without = |heads: &[Head]| model.logit_differences(&HeadEdits::ablate(heads)).map_err(MeasurementError::from);
    let clean_ld = without(&[])?;
    let circuit_ablated_ld = without(&circuit)?;
    let alone = |heads: &[Head]| -> Result<f64, MeasurementError> {
        Ok(faithfulness(&clean_ld, &without(&model.other_heads(heads))?)?)
    };
    let mut per_head_ablation_ld_mean = Vec::new();
    for head in model.heads() {
        per_head_ablation_ld_mean.push((head, mean(&without(&[head])?)?));
    }
    let clean_mean = mean(&clean_ld)?;
    let effect = |head: Head| {
        let found = per_head_ablation_ld_mean.iter().find(|(other, _)| *other == head);
        found.map_or(0.0, |(_, without)| clean_mean - without)
    };
    let senders = circuit.iter().filter(|head| head.0 == 0);
    let edges: Vec<HeadEdge> = senders
        .flat_map(|sender| {
            let receivers = circuit.iter().filter(|head| head.0 == 1);
            receivers.map(|receiver| HeadEdge { sender: *sender, receiver: *receiver })
        })
        .collect();
    let mib = match edges.is_empty() {
        true => None,
        false => Some(FaithfulnessCurves::measure(&edges, effect, &alone)?),
    };
    Ok(PlantedResult {
        faithfulness_circuit: alone(&circuit)?,
        completeness_circuit: completeness(&clean_ld, &circuit_ablated_ld)?,
        faithfulness_none: alone(&[])?,
        ex1: d_prime(&clean_ld, &circuit_ablated_ld)?,
        ex11: weber(
            &measure_dose_response(model, &circuit, 1.0)?,
            &measure_dose_response(model, &circuit, REDUCED_STRENGTH)?,
        )?,
        mib,
        per_head_ablation_ld_mean,
        circuit,
        clean_ld,
        circuit_ablated_ld,
    })
}
