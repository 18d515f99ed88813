//! Of circuits: what heads do, and what is gone without them.

use super::decompositions::row;
use crate::lab::audit::circuit::Circuit;
use crate::lab::audit::{Better, Measure, Metric, Needs};
use crate::papers::measurement::metric::{
    CurveError, Doses, HeadEdge, REDUCED, THRESHOLDS, Weber, code_order, completeness, d_prime,
    edge_score, faithfulness_area, ranked_order, weber,
};
use crate::papers::measurement::planted::Curve;
use crate::papers::measurement::validation::{Attribution, Row};
use crate::statistics::{StatisticsError, mean};
use crate::study::Failure;
use crate::synthetic::HeadEdits;

type Found = Result<Option<f64>, Failure>;

/// No end.
const ENDLESS: (f64, f64) = (-f64::INFINITY, f64::INFINITY);

const fn theory(
    id: &'static str,
    name: &'static str,
    (metric, quantity): (&str, &str),
    of: fn(&Circuit) -> Found,
) -> Metric {
    let Row { says, reach, condition, .. } = *row(metric, quantity);
    plain(id, name, says, reach).of(condition, of)
}

const fn plain(
    id: &'static str,
    name: &'static str,
    says: Attribution,
    reach: (f64, f64),
) -> Plain {
    Plain { id, name, says, reach }
}

/// What is the same of all of them stands here once.
struct Plain {
    id: &'static str,
    name: &'static str,
    says: Attribution,
    reach: (f64, f64),
}

impl Plain {
    const fn of(
        self,
        condition: Option<crate::papers::measurement::metric::Condition>,
        of: fn(&Circuit) -> Found,
    ) -> Metric {
        let Self { id, name, says, reach } = self;
        let (measure, needs, better) = (Measure::Circuit(of), Needs::Model, Better::Higher);
        Metric { id, paper: "measurement", name, says, better, needs, condition, reach, measure }
    }
}

/// They.
#[rustfmt::skip]
pub(super) const METRICS: &[Metric] = &[
    plain("mib.faithfulness", "faithfulness", Attribution::Both, ENDLESS).of(None, faithful),
    plain("mib.completeness", "completeness of a circuit", Attribution::Both, ENDLESS).of(None, complete),
    theory("mib.cpr.code", "MIB CPR, code's order", ("mib", "cpr_code"), coded),
    theory("mib.cpr.ranked", "MIB CPR, ranked", ("mib", "cpr_ranked"), ranked),
    theory("ex1.dprime", "EX1 d′", ("ex1", "dprime"), |it| ex1(it, |found| found.dprime)),
    theory("ex1.auc", "EX1 AUC", ("ex1", "auc"), |it| ex1(it, |found| found.auc)),
    theory("ex11.consistency.code", "EX11 consistency", ("ex11", "weber_consistency_code"), |it| ex11(it, "weber_consistency_code")),
    theory("ex11.consistency.relative", "EX11 consistency of shares", ("ex11", "weber_consistency_relative_jnd"), |it| ex11(it, "weber_consistency_relative_jnd")),
    theory("ex11.detectable", "EX11 share that is noticed", ("ex11", "share_detectable"), |it| ex11(it, "share_detectable")),
];

fn statistics(error: StatisticsError) -> Failure {
    Failure::new(error.code(), &error, None)
}

fn curve(error: CurveError) -> Failure {
    Failure::new(error.code(), &error, None)
}

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
    completeness(it.ground().clean(), &without(it)?).map(Some).map_err(statistics)
}

fn ex1(it: &Circuit, of: fn(&crate::papers::measurement::metric::DPrime) -> f64) -> Found {
    whole(it);
    d_prime(it.ground().clean(), &without(it)?).map(|found| Some(of(&found))).map_err(statistics)
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
        ranked_order(edges, &scores).map_err(statistics)
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
        return faithfulness_area(&THRESHOLDS, &level).map(|area| Some(area.cpr)).map_err(curve);
    }
    let edges = ground.edges(it.heads());
    if edges.is_empty() {
        return Ok(None);
    }
    whole(it);
    passed(it, THRESHOLDS.len());
    let found = Curve::measure(order(&edges)?, |heads| Ok(ground.alone(heads)?));
    found.map(|found| Some(found.area.cpr)).map_err(|Refused(failure)| failure)
}

/// A failure that a curve's can become.
struct Refused(Failure);

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self(failure)
    }
}

impl From<CurveError> for Refused {
    fn from(error: CurveError) -> Self {
        Self(curve(error))
    }
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
                mean(&ld).map_err(statistics)
            })
        };
        weber(&doses(1.0)?, &doses(REDUCED)?).map_err(statistics)
    });
    found.map(|found| found.value_by_name(quantity))
}
