//! EX24: how metrics of a circuit stand under other prompts, and whether they tell it from random ones.

use super::circuits::{NamedCircuit, describe_heads, found_and_random_circuits};
use super::parts::{format_value, limit_line, number_cell, plane_content, table_content, text_cell};
use super::{DetailView, PlaneSeries, Settings};
use crate::NumpyRng;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::CircuitEvaluator;
use crate::papers::measurement::metric::{
    HeadEdge, THRESHOLDS, ablation_recovery, audit_as_coded, audit_as_documented, completeness, d_prime, edge_score,
    edges_by_score, effect_lookup, faithfulness, faithfulness_area, head_edges, heads_at_thresholds, subsample,
};
use crate::synthetic::HeadEdits;
use crate::toy_model;
use crate::toy_model::task::test_prompts;

/// The metrics that are audited, by what this project calls them.
pub(super) const AUDITED_METRICS: [&str; 7] =
    ["faithfulness", "completeness", "ablation_recovery", "dprime", "auc", "cpr", "cmd_abs_mib"];
/// Which of them the code holds the others against.
const ABLATION_RECOVERY_INDEX: usize = 2;
/// Limits of the pass condition.
const VARIATION_MAX: f64 = 0.05;
const COHENS_D_MIN: f64 = 0.8;

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
    fn measure(
        circuits: &mut CircuitEvaluator,
        claim: &NamedCircuit,
        edges: &[HeadEdge],
    ) -> Result<Self, MeasurementError> {
        let kept = heads_at_thresholds(edges);
        let kept = kept.iter().map(|heads| circuits.circuit_logit_differences(heads));
        let kept = kept.collect::<Result<_, MeasurementError>>()?;
        Ok(Self {
            clean: circuits.clean_logit_differences().to_vec(),
            alone: circuits.circuit_logit_differences(&claim.heads)?,
            without: circuits.logit_differences(&HeadEdits::ablate(&claim.heads))?,
            kept,
        })
    }

    /// Each of [`AUDITED_METRICS`] on some prompts.
    fn audited_scores(&self, prompts: &[usize]) -> Result<[f64; AUDITED_METRICS.len()], MeasurementError> {
        let some = |values: &[f64]| -> Vec<f64> { prompts.iter().filter_map(|at| values.get(*at).copied()).collect() };
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

    /// The scores of each of [`AUDITED_METRICS`] under some seeds.
    fn scores_by_seed(
        &self,
        seeds: impl Iterator<Item = u32>,
    ) -> Result<[Vec<f64>; AUDITED_METRICS.len()], MeasurementError> {
        let mut found: [Vec<f64>; AUDITED_METRICS.len()] = Default::default();
        for seed in seeds {
            let scores = self.audited_scores(&subsample(self.clean.len(), seed)?)?;
            found.iter_mut().zip(scores).for_each(|(list, score)| list.push(score));
        }
        Ok(found)
    }
}

pub(super) fn ex24_view(settings: &Settings) -> Result<DetailView, MeasurementError> {
    let model = toy_model::load_model(&settings.checkpoint)?;
    let prompts = test_prompts(settings.task(), settings.n_prompts)?;
    let mut circuits = CircuitEvaluator::new(&model, &prompts)?;
    let claims = found_and_random_circuits(&mut circuits, settings)?;
    let effects = circuits.head_effects()?;
    let config = model.config();
    let pairs = head_edges(config.layers, config.heads);
    let scores: Vec<f64> = pairs.iter().map(|edge| edge_score(*edge, effect_lookup(&effects))).collect();
    let ranked = edges_by_score(&pairs, &scores)?;
    let reseeds = settings.n_reseeds;
    let mut picture = DetailView::new("ex24");
    let Some((found, others)) = claims.split_first() else { return Ok(picture) };
    let own = LogitDifferences::measure(&mut circuits, found, &ranked)?;
    let scores = own.scores_by_seed(0..reseeds)?;
    let everything: Vec<usize> = (0..own.clean.len()).collect();
    let whole = own.audited_scores(&everything)?;
    let (mut series, mut rows) = (Vec::new(), Vec::new());

    // The same circuit on other prompts, between which nothing is to be told apart.
    let again = own.scores_by_seed(reseeds..2 * reseeds)?;
    let mut against = vec![("the same circuit, other prompts".to_owned(), again)];
    for (other, seed) in others.iter().zip(1..) {
        let order = shuffle_edges(&pairs, seed);
        let said = LogitDifferences::measure(&mut circuits, other, &order)?;
        against.push((other.name.clone(), said.scores_by_seed(0..reseeds)?));
    }
    let (mut most, mut infinite) = (COHENS_D_MIN, 0);
    let mut passing = Vec::new();
    for (at, (name, other)) in against.iter().enumerate() {
        let mut points = Vec::new();
        for ((metric, scores), others) in AUDITED_METRICS.into_iter().zip(&scores).zip(other) {
            let document = audit_as_documented(scores, scores, others)?;
            let d = document.cohens_d_document.abs();
            points.push((document.cv_probe_sample, d, metric.to_owned()));
            if d.is_finite() {
                most = f64::max(most, d)
            } else {
                infinite += 1
            }
            let subject = format!("{metric}, {} against {name}", found.name);
            picture.add_quantities(&subject, document.quantities());
            if at == 1 && document.passed_document {
                passing.push(metric.to_owned());
            }
            rows.push(vec![
                text_cell(metric),
                text_cell(name),
                number_cell(document.cv_probe_sample),
                number_cell(document.cohens_d_document),
                text_cell(if document.passed_document { "passes" } else { "fails" }),
            ]);
        }
        series.push(PlaneSeries::scatter(name, points).with_control(at == 0));
    }
    let mut coded = Vec::new();
    let ablation = scores.get(ABLATION_RECOVERY_INDEX).cloned().unwrap_or_default();
    let [first, _, recovered, dprime, ..] = whole;
    for ((metric, scores), full) in AUDITED_METRICS.into_iter().zip(&scores).zip(whole) {
        let code = audit_as_coded(scores, &ablation, full, recovered)?;
        let subject = format!("{metric}, {}", found.name);
        picture.add_quantities(&subject, code.quantities());
        coded.push(vec![
            text_cell(metric),
            number_cell(full),
            number_cell(code.mean_cv_code),
            number_cell(code.discriminability_code),
            text_cell(if code.passed_code { "passes" } else { "fails" }),
        ]);
    }
    let border = [0.0, most].map(|y| (VARIATION_MAX, y, String::new()));
    series.push(PlaneSeries::line("passes below this variation", border).into_control());
    let passing = match (others.is_empty(), passing.as_slice()) {
        (true, _) => "there is no other circuit of as many heads".to_owned(),
        (false, []) => "no metric passes".to_owned(),
        (false, some) => {
            format!("{} of {} pass: {}", some.len(), AUDITED_METRICS.len(), some.join(", "))
        }
    };
    let beyond = match infinite {
        0 => String::new(),
        some => format!(" {some} values of d are infinite, where neither varies, and are in the table alone."),
    };
    picture.add_panel(
        "Variation and discriminability",
        format!("{}, {}, {reseeds} draws of ¾ of {} prompts; against the first random circuit {passing}.{beyond}", settings.task, describe_heads(&found.heads), own.clean.len()),
        "Each metric’s coefficient of variation over the draws, and the |d| of Cohen between the found circuit and one of as many random heads (of CPR and CMD between edges ranked by effect and in random order); grey, the same circuit on other draws. Heads are ablated to their mean over all prompts.".to_owned(),
        plane_content("coefficient of variation", "|d|", series, vec![limit_line("passes above", COHENS_D_MIN)]),
    );
    picture.add_panel(
        "As the text has it",
        format!("The variation is that of the found circuit’s scores; faithfulness {}, d′ {}.", format_value(first), format_value(dprime)),
        format!("A metric passes with a variation below {VARIATION_MAX} (ddof 1) and |d| above {COHENS_D_MIN}. Two draws share at least half of the prompts, so that new prompts would as a rule vary more."),
        table_content(&["metric", "against", "variation", "d", "verdict"], rows),
    );
    picture.add_panel(
        "As it is coded",
        format!("Beside each metric stands ablation recovery, which is {} on all prompts.", format_value(recovered)),
        "The code takes the mean variation (ddof 0) of two metrics, and for discriminability the difference between a score of the one and a score of the other, over the deviation of the first: here each metric takes the place of the probe. Ablation recovery against itself differs by nothing.".to_owned(),
        table_content(&["metric", "on all prompts", "mean variation", "difference over deviation", "verdict"], coded),
    );
    Ok(picture)
}

/// Edges in random order.
pub(super) fn shuffle_edges(edges: &[HeadEdge], seed: u32) -> Vec<HeadEdge> {
    let count = u32::try_from(edges.len()).unwrap_or(u32::MAX);
    let order = NumpyRng::new(seed).permutation(count).into_iter();
    order.filter_map(|at| edges.get(at as usize).copied()).collect()
}
