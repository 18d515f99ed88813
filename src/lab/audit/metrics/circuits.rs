//! Of circuits: what heads do, and what is gone without them.

use super::{ENDLESS, Found, theory};
use crate::lab::audit::circuit::Circuit;
use crate::lab::audit::{Better, Measure, Metric, Needs};
use crate::papers::measurement::metric::{
    DPrime, Doses, HeadEdge, REDUCED, THRESHOLDS, Weber, code_order, completeness, d_prime,
    edge_score, faithfulness_area, ranked_order, weber,
};
use crate::papers::measurement::planted::Curve;
use crate::papers::measurement::validation::Attribution;
use crate::statistics::mean;
use crate::study::Failure;
use crate::synthetic::HeadEdits;

/// Faithfulness and completeness, which text and code take alike and hold against no limit.
const fn whole_circuit(id: &'static str, name: &'static str, of: fn(&Circuit) -> Found) -> Metric {
    Metric {
        id,
        paper: "measurement",
        name,
        says: Attribution::Both,
        better: Better::Higher,
        needs: Needs::Model,
        condition: None,
        reach: (-ENDLESS, ENDLESS),
        measure: Measure::Circuit(of),
    }
}

/// They.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = {
    use Better::Higher;
    use Measure::Circuit as Of;
    use Needs::Model;
    &[
        whole_circuit("mib.faithfulness", "faithfulness", faithful),
        whole_circuit("mib.completeness", "completeness of a circuit", complete),
        theory("mib.cpr.code", "MIB CPR, code's order", ("mib", "cpr_code"), Higher, Model, Of(coded)),
        theory("mib.cpr.ranked", "MIB CPR, ranked", ("mib", "cpr_ranked"), Higher, Model, Of(ranked)),
        theory("ex1.dprime", "EX1 d′", ("ex1", "dprime"), Higher, Model, Of(|it| ex1(it, |found| found.dprime))),
        theory("ex1.auc", "EX1 AUC", ("ex1", "auc"), Higher, Model, Of(|it| ex1(it, |found| found.auc))),
        theory("ex11.consistency.code", "EX11 consistency", ("ex11", "weber_consistency_code"), Higher, Model, Of(|it| ex11(it, "weber_consistency_code"))),
        theory("ex11.consistency.relative", "EX11 consistency of shares", ("ex11", "weber_consistency_relative_jnd"), Higher, Model, Of(|it| ex11(it, "weber_consistency_relative_jnd"))),
        theory("ex11.detectable", "EX11 share that is noticed", ("ex11", "share_detectable"), Higher, Model, Of(|it| ex11(it, "share_detectable"))),
    ]
};

/// Counts passes over all prompts.
fn passed(it: &Circuit, times: usize) {
    it.memo().count((times * it.ground().clean().len()) as u64);
}

/// Counts what the whole model took, which is passed once for all circuits on the same prompts.
fn whole(it: &Circuit) {
    passed(it, 1);
    it.memo().saved(it.ground().clean_seconds());
}

fn faithful(it: &Circuit) -> Found {
    whole(it);
    passed(it, 1);
    it.ground().alone(it.heads()).map(Some)
}

/// Logit differences without the circuit.
fn without(it: &Circuit) -> Result<Vec<f64>, Failure> {
    passed(it, 1);
    it.ground().logit_differences(&HeadEdits::ablate(it.heads()))
}

fn complete(it: &Circuit) -> Found {
    whole(it);
    Ok(Some(completeness(it.ground().clean(), &without(it)?)?))
}

fn ex1(it: &Circuit, of: fn(&DPrime) -> f64) -> Found {
    whole(it);
    Ok(Some(of(&d_prime(it.ground().clean(), &without(it)?)?)))
}

fn coded(it: &Circuit) -> Found {
    mib(it, |edges| Ok(code_order(edges)))
}

fn ranked(it: &Circuit) -> Found {
    let ground = it.ground();
    mib(it, |edges| {
        // What each head does is known of all circuits on the same prompts; it takes the model without each.
        passed(it, ground.heads().len());
        it.memo().saved(ground.effects_seconds());
        let scores: Vec<f64> =
            edges.iter().map(|edge| edge_score(*edge, |head| ground.effect(head))).collect();
        ranked_order(edges, &scores).map_err(Failure::from)
    })
}

/// Over the edges between the circuit's own heads, in some order. One without heads is the same at every share; one
/// whose heads are all of one layer has no edges, and so no value.
fn mib(it: &Circuit, order: impl Fn(&[HeadEdge]) -> Result<Vec<HeadEdge>, Failure>) -> Found {
    let ground = it.ground();
    if it.heads().is_empty() {
        whole(it);
        passed(it, 1);
        let level = [ground.alone(&[])?; THRESHOLDS.len()];
        return Ok(Some(faithfulness_area(&THRESHOLDS, &level)?.cpr));
    }
    let edges = ground.edges(it.heads());
    if edges.is_empty() {
        return Ok(None);
    }
    whole(it);
    passed(it, THRESHOLDS.len());
    let found = Curve::measure(order(&edges)?, |heads| ground.alone(heads))?;
    Ok(Some(found.area.cpr))
}

/// None of a circuit without heads.
fn ex11(it: &Circuit, quantity: &'static str) -> Found {
    if it.heads().is_empty() {
        return Ok(None);
    }
    let ground = it.ground();
    let found = it.memo().of("ex11", 0, || -> Result<Weber, Failure> {
        let doses = |level: f64| {
            Doses::measure(it.heads(), level, |scales| {
                passed(it, 1);
                let ld = ground.logit_differences(&HeadEdits::scale(scales))?;
                mean(&ld).map_err(Failure::from)
            })
        };
        weber(&doses(1.0)?, &doses(REDUCED)?).map_err(Failure::from)
    });
    Ok(found?.value_by_name(quantity))
}
