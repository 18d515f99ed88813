//! EX24: how metrics of a circuit stand under other prompts, and whether they tell it from random ones.

use super::circuits::{Claim, found_and_random, named};
use super::parts::{limit, number, plane, said, table, words};
use super::{Picture, PlaneSeries, Settings};
use crate::NumpyRng;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::Circuits;
use crate::papers::measurement::metric::{
    HeadEdge, THRESHOLDS, ablation_recovery, audit_code, audit_document, completeness, d_prime,
    edge_score, effect_in, faithfulness, faithfulness_area, head_edges, kept_heads, ranked_order,
    subsample,
};
use crate::synthetic::HeadEdits;
use crate::toy_model;
use crate::toy_model::task::tested;

/// The metrics that are audited, by what this project calls them.
pub(super) const AUDITED: [&str; 7] =
    ["faithfulness", "completeness", "ablation_recovery", "dprime", "auc", "cpr", "cmd_abs_mib"];
/// Which of them the code holds the others against.
const ABLATION: usize = 2;
/// Limits of the pass condition.
const VARIATION: f64 = 0.05;
const APART: f64 = 0.8;

/// Logit differences of all prompts, of which a run takes some.
struct LogitDifferences {
    clean: Vec<f64>,
    /// The circuit alone.
    alone: Vec<f64>,
    /// All but the circuit.
    without: Vec<f64>,
    /// The heads that each threshold keeps of the edges in the circuit's order, alone.
    kept: Vec<Vec<f64>>,
}

impl LogitDifferences {
    fn of(
        circuits: &mut Circuits,
        claim: &Claim,
        edges: &[HeadEdge],
    ) -> Result<Self, MeasurementError> {
        let kept = kept_heads(edges);
        let kept = kept.iter().map(|heads| circuits.alone_ld(heads));
        let kept = kept.collect::<Result<_, MeasurementError>>()?;
        Ok(Self {
            clean: circuits.clean_ld().to_vec(),
            alone: circuits.alone_ld(&claim.heads)?,
            without: circuits.logit_differences(&HeadEdits::ablate(&claim.heads))?,
            kept,
        })
    }

    /// Each of [`AUDITED`] on some prompts.
    fn scores(&self, prompts: &[usize]) -> Result<[f64; AUDITED.len()], MeasurementError> {
        let some = |values: &[f64]| -> Vec<f64> {
            prompts.iter().filter_map(|at| values.get(*at).copied()).collect()
        };
        let clean = some(&self.clean);
        let without = some(&self.without);
        let kept = self.kept.iter().map(|ld| faithfulness(&clean, &some(ld)));
        let area = faithfulness_area(&THRESHOLDS, &kept.collect::<Result<Vec<f64>, _>>()?)?;
        let signal = d_prime(&clean, &without)?;
        Ok([
            faithfulness(&clean, &some(&self.alone))?,
            completeness(&clean, &without)?,
            ablation_recovery(&clean, &without)?,
            signal.dprime,
            signal.auc,
            area.cpr,
            area.cmd_abs_mib,
        ])
    }

    /// The scores of each of [`AUDITED`] under some seeds.
    fn under(
        &self,
        seeds: impl Iterator<Item = u32>,
    ) -> Result<[Vec<f64>; AUDITED.len()], MeasurementError> {
        let mut found: [Vec<f64>; AUDITED.len()] = Default::default();
        for seed in seeds {
            let scores = self.scores(&subsample(self.clean.len(), seed)?)?;
            found.iter_mut().zip(scores).for_each(|(list, score)| list.push(score));
        }
        Ok(found)
    }
}

pub(super) fn ex24(settings: &Settings) -> Result<Picture, MeasurementError> {
    let model = toy_model::model(&settings.checkpoint)?;
    let prompts = tested(settings.task(), settings.n_prompts)?;
    let mut circuits = Circuits::new(&model, &prompts)?;
    let claims = found_and_random(&mut circuits, settings)?;
    let effects = circuits.effects()?;
    let config = model.config();
    let pairs = head_edges(config.layers, config.heads);
    let scores: Vec<f64> =
        pairs.iter().map(|edge| edge_score(*edge, effect_in(&effects))).collect();
    let ranked = ranked_order(&pairs, &scores)?;
    let reseeds = settings.n_reseeds;
    let mut picture = Picture::of("ex24");
    let Some((found, others)) = claims.split_first() else { return Ok(picture) };
    let own = LogitDifferences::of(&mut circuits, found, &ranked)?;
    let scores = own.under(0..reseeds)?;
    let everything: Vec<usize> = (0..own.clean.len()).collect();
    let whole = own.scores(&everything)?;
    let (mut series, mut rows) = (Vec::new(), Vec::new());

    // The same circuit on other prompts, between which nothing is to be told apart.
    let again = own.under(reseeds..2 * reseeds)?;
    let mut against = vec![("the same circuit, other prompts".to_owned(), again)];
    for (other, seed) in others.iter().zip(1..) {
        let order = shuffled(&pairs, seed);
        let said = LogitDifferences::of(&mut circuits, other, &order)?;
        against.push((other.name.clone(), said.under(0..reseeds)?));
    }
    let (mut most, mut infinite) = (APART, 0);
    let mut passing = Vec::new();
    for (at, (name, other)) in against.iter().enumerate() {
        let mut points = Vec::new();
        for ((metric, scores), others) in AUDITED.into_iter().zip(&scores).zip(other) {
            let document = audit_document(scores, scores, others)?;
            let d = document.cohens_d_document.abs();
            points.push((document.cv_probe_sample, d, metric.to_owned()));
            if d.is_finite() {
                most = f64::max(most, d)
            } else {
                infinite += 1
            }
            let subject = format!("{metric}, {} against {name}", found.name);
            picture.take(&subject, document.quantities());
            if at == 1 && document.passed_document {
                passing.push(metric.to_owned());
            }
            rows.push(vec![
                words(metric),
                words(name),
                number(document.cv_probe_sample),
                number(document.cohens_d_document),
                words(if document.passed_document { "passes" } else { "fails" }),
            ]);
        }
        series.push(PlaneSeries::points(name, points).control_if(at == 0));
    }
    let mut coded = Vec::new();
    let ablation = scores.get(ABLATION).cloned().unwrap_or_default();
    let [first, _, recovered, dprime, ..] = whole;
    for ((metric, scores), full) in AUDITED.into_iter().zip(&scores).zip(whole) {
        let code = audit_code(scores, &ablation, full, recovered)?;
        let subject = format!("{metric}, {}", found.name);
        picture.take(&subject, code.quantities());
        coded.push(vec![
            words(metric),
            number(full),
            number(code.mean_cv_code),
            number(code.discriminability_code),
            words(if code.passed_code { "passes" } else { "fails" }),
        ]);
    }
    let border = [0.0, most].map(|y| (VARIATION, y, String::new()));
    series.push(PlaneSeries::line("passes below this variation", border).control());
    let passing = match (others.is_empty(), passing.as_slice()) {
        (true, _) => "there is no other circuit of as many heads".to_owned(),
        (false, []) => "no metric passes".to_owned(),
        (false, some) => format!("{} of {} pass: {}", some.len(), AUDITED.len(), some.join(", ")),
    };
    let beyond = match infinite {
        0 => String::new(),
        some => format!(
            " {some} values of d are infinite, where neither varies, and are in the table alone."
        ),
    };
    picture.panel(
        "Variation and discriminability",
        format!("{}, {}, {reseeds} draws of ¾ of {} prompts; against the first random circuit {passing}.{beyond}", settings.task, named(&found.heads), own.clean.len()),
        "Each metric’s coefficient of variation over the draws, and the |d| of Cohen between the found circuit and one of as many random heads (of CPR and CMD between edges ranked by effect and in random order); grey, the same circuit on other draws. Heads are ablated to their mean over all prompts.".to_owned(),
        plane("coefficient of variation", "|d|", series, vec![limit("passes above", APART)]),
    );
    picture.panel(
        "As the text has it",
        format!("The variation is that of the found circuit’s scores; faithfulness {}, d′ {}.", said(first), said(dprime)),
        format!("A metric passes with a variation below {VARIATION} (ddof 1) and |d| above {APART}. Two draws share at least half of the prompts, so that new prompts would as a rule vary more."),
        table(&["metric", "against", "variation", "d", "verdict"], rows),
    );
    picture.panel(
        "As it is coded",
        format!("Beside each metric stands ablation recovery, which is {} on all prompts.", said(recovered)),
        "The code takes the mean variation (ddof 0) of two metrics, and for discriminability the difference between a score of the one and a score of the other, over the deviation of the first: here each metric takes the place of the probe. Ablation recovery against itself differs by nothing.".to_owned(),
        table(&["metric", "on all prompts", "mean variation", "difference over deviation", "verdict"], coded),
    );
    Ok(picture)
}

/// Edges in random order.
pub(super) fn shuffled(edges: &[HeadEdge], seed: u32) -> Vec<HeadEdge> {
    let count = u32::try_from(edges.len()).unwrap_or(u32::MAX);
    let order = NumpyRng::new(seed).permutation(count).into_iter();
    order.filter_map(|at| edges.get(at as usize).copied()).collect()
}
