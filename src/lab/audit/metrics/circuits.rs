//! Of circuits: what heads do, and what is gone without them.

use super::{INFINITY, MetricResult, theory_metric};
use crate::lab::audit::circuit::Circuit;
use crate::lab::audit::{AccessLevel, AnyMetricFn, Better, Metric};
use crate::papers::measurement::metric::{
    DPrime, DoseResponse, HeadEdge, REDUCED_STRENGTH, THRESHOLDS, Weber, completeness, d_prime, edge_score,
    edges_by_score, edges_in_code_order, faithfulness_area, weber,
};
use crate::papers::measurement::planted::FaithfulnessCurve;
use crate::papers::measurement::validation::ReadingSource;
use crate::statistics::mean;
use crate::study::Failure;
use crate::synthetic::HeadEdits;

/// Faithfulness and completeness, which text and code take alike and hold against no limit.
const fn whole_circuit_metric(id: &'static str, name: &'static str, of: fn(&Circuit) -> MetricResult) -> Metric {
    Metric {
        id,
        paper: "measurement",
        name,
        attribution: ReadingSource::Both,
        better: Better::Higher,
        needs: AccessLevel::Model,
        condition: None,
        value_range: (-INFINITY, INFINITY),
        measure: AnyMetricFn::Circuit(of),
    }
}

/// They.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = {
    use Better::Higher;
    use AnyMetricFn::Circuit as Of;
    use AccessLevel::Model;
    &[
        whole_circuit_metric("mib.faithfulness", "faithfulness", circuit_faithfulness),
        whole_circuit_metric("mib.completeness", "completeness of a circuit", circuit_completeness),
        theory_metric("mib.cpr.code", "MIB CPR, code's order", ("mib", "cpr_code"), Higher, Model, Of(cpr_code_order)),
        theory_metric("mib.cpr.ranked", "MIB CPR, ranked", ("mib", "cpr_ranked"), Higher, Model, Of(cpr_ranked)),
        theory_metric("ex1.dprime", "EX1 d′", ("ex1", "dprime"), Higher, Model, Of(|it| ex1(it, |found| found.dprime))),
        theory_metric("ex1.auc", "EX1 AUC", ("ex1", "auc"), Higher, Model, Of(|it| ex1(it, |found| found.auc))),
        theory_metric("ex11.consistency.code", "EX11 consistency", ("ex11", "weber_consistency_code"), Higher, Model, Of(|it| ex11(it, "weber_consistency_code"))),
        theory_metric("ex11.consistency.relative", "EX11 consistency of shares", ("ex11", "weber_consistency_relative_jnd"), Higher, Model, Of(|it| ex11(it, "weber_consistency_relative_jnd"))),
        theory_metric("ex11.detectable", "EX11 share that is noticed", ("ex11", "share_detectable"), Higher, Model, Of(|it| ex11(it, "share_detectable"))),
    ]
};

/// Counts passes over all prompts.
fn count_passes(it: &Circuit, times: usize) {
    it.memo().add_evaluations((times * it.model().clean_logit_differences().len()) as u64);
}

/// Counts what the whole model took, which is passed once for all circuits on the same prompts.
fn count_clean_pass(it: &Circuit) {
    count_passes(it, 1);
    it.memo().add_saved_seconds(it.model().clean_seconds());
}

fn circuit_faithfulness(it: &Circuit) -> MetricResult {
    count_clean_pass(it);
    count_passes(it, 1);
    it.model().faithfulness_of(it.heads()).map(Some)
}

/// Logit differences without the circuit.
fn ablated_differences(it: &Circuit) -> Result<Vec<f64>, Failure> {
    count_passes(it, 1);
    it.model().logit_differences(&HeadEdits::ablate(it.heads()))
}

fn circuit_completeness(it: &Circuit) -> MetricResult {
    count_clean_pass(it);
    Ok(Some(completeness(it.model().clean_logit_differences(), &ablated_differences(it)?)?))
}

fn ex1(it: &Circuit, of: fn(&DPrime) -> f64) -> MetricResult {
    count_clean_pass(it);
    Ok(Some(of(&d_prime(it.model().clean_logit_differences(), &ablated_differences(it)?)?)))
}

fn cpr_code_order(it: &Circuit) -> MetricResult {
    mib_cpr(it, |edges| Ok(edges_in_code_order(edges)))
}

fn cpr_ranked(it: &Circuit) -> MetricResult {
    let ground = it.model();
    mib_cpr(it, |edges| {
        // What each head does is known of all circuits on the same prompts; it takes the model without each.
        count_passes(it, ground.heads().len());
        it.memo().add_saved_seconds(ground.effects_seconds());
        let scores: Vec<f64> = edges.iter().map(|edge| edge_score(*edge, |head| ground.head_effect(head))).collect();
        edges_by_score(edges, &scores).map_err(Failure::from)
    })
}

/// Over the edges between the circuit's own heads, in some order. One without heads is the same at every share; one
/// whose heads are all of one layer has no edges, and so no value.
fn mib_cpr(it: &Circuit, order: impl Fn(&[HeadEdge]) -> Result<Vec<HeadEdge>, Failure>) -> MetricResult {
    let ground = it.model();
    if it.heads().is_empty() {
        count_clean_pass(it);
        count_passes(it, 1);
        let level = [ground.faithfulness_of(&[])?; THRESHOLDS.len()];
        return Ok(Some(faithfulness_area(&THRESHOLDS, &level)?.cpr));
    }
    let edges = ground.edges(it.heads());
    if edges.is_empty() {
        return Ok(None);
    }
    count_clean_pass(it);
    count_passes(it, THRESHOLDS.len());
    let found = FaithfulnessCurve::measure(order(&edges)?, |heads| ground.faithfulness_of(heads))?;
    Ok(Some(found.area.cpr))
}

/// None of a circuit without heads.
fn ex11(it: &Circuit, quantity: &'static str) -> MetricResult {
    if it.heads().is_empty() {
        return Ok(None);
    }
    let ground = it.model();
    let found = it.memo().get_or_make("ex11", 0, || -> Result<Weber, Failure> {
        let doses = |level: f64| {
            DoseResponse::measure(it.heads(), level, |scales| {
                count_passes(it, 1);
                let ld = ground.logit_differences(&HeadEdits::scale(scales))?;
                mean(&ld).map_err(Failure::from)
            })
        };
        weber(&doses(1.0)?, &doses(REDUCED_STRENGTH)?).map_err(Failure::from)
    });
    Ok(found?.value_by_name(quantity))
}
