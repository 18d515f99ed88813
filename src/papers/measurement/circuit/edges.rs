use serde::Serialize;

use crate::model::{Batch, EdgePatcher, GraphEdge, InputKind, Model, Node, Parameters, Replacement};
use crate::order::argsort_descending;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::{
    FaithfulnessArea, HeadEdge, THRESHOLDS, count_kept_edges, edges_in_code_order, faithfulness, faithfulness_area,
    head_edges, normalised_faithfulness,
};
use crate::settings::named;
use crate::statistics::{mean, spearman};
use crate::synthetic::language::Task;
use crate::toy_model::task::{logit_differences, test_prompts};

named! {
    /// What goes through a cut edge.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum EdgeAblation {
        /// The sender's mean over the prompts, position by position.
        Mean = "mean",
        /// What the sender writes in the next prompt, in the last of them that of the first: another answer by the same
        /// mechanism.
        Next = "next",
    }
}

/// What an edge does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EdgeEffect {
    /// The edge.
    pub edge: GraphEdge,
    /// By how much the mean logit difference drops with it cut.
    pub effect: f64,
    /// What attribution patching takes that for.
    pub attribution: f64,
}

/// What goes from one head to another: by queries, keys and values together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairEffect {
    /// The two heads.
    pub edge: HeadEdge,
    /// By how much the mean logit difference drops with it cut.
    pub effect: f64,
}

/// What circuits of edges do, all other edges cut: MIB's own curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeCurve {
    /// Edges that each of [`THRESHOLDS`] keeps.
    pub kept: Vec<usize>,
    /// The share of the mean logit difference that is there with those.
    pub faithfulness: Vec<f64>,
    /// Areas of (f − f(∅))/(1 − f(∅)); none where the empty circuit does as much as the whole model.
    pub area: Option<FaithfulnessArea>,
}

/// What each edge does for a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgesResult {
    /// The task.
    pub task: Task,
    /// What goes through cut edges.
    pub cut: EdgeAblation,
    /// The mean logit difference of the whole model.
    pub ld_mean: f64,
    /// That with all edges cut.
    pub ld_empty: f64,
    /// Every edge, by what reads and then by what writes.
    pub edges: Vec<EdgeEffect>,
    /// Every pair of heads, in the code's order.
    pub pairs: Vec<PairEffect>,
    /// Spearman's correlation of attributions with effects; none where one of them does not vary.
    pub rank_correlation: Option<f64>,
    /// The same of their sizes.
    pub rank_correlation_sizes: Option<f64>,
    /// Circuits of edges by the falling size of their effects.
    pub by_effect: EdgeCurve,
    /// Circuits of edges by the falling size of their attributions.
    pub by_attribution: EdgeCurve,
}

/// Queries, keys and values of the receiver.
fn edges_of_pair(pair: HeadEdge) -> [GraphEdge; 3] {
    let [from, to] = [pair.sender, pair.receiver].map(|(layer, head)| Node::Head(layer, head));
    [InputKind::Query, InputKind::Key, InputKind::Value].map(|input| GraphEdge { from, to, input })
}

/// Cuts every edge of a model, one by one, on a task's first `count` test prompts, and asks attribution patching of the
/// same; telling how far it is, from 0 to 1.
///
/// # Errors
/// [`MeasurementError`]: as [`test_prompts`], for a model that does not know the prompts' words, or whose logit differences are
/// no numbers.
pub fn measure_edges(
    parameters: &Parameters,
    task: Task,
    count: usize,
    cut: EdgeAblation,
    tell: &mut dyn FnMut(f64),
) -> Result<EdgesResult, MeasurementError> {
    let model = Model::new(parameters);
    let prompts = test_prompts(task, count)?;
    let batch = Batch::new(&prompts.tokens)?;
    let mut next = prompts.tokens.clone();
    next.rotate_left(1);
    let next = Batch::new(&next)?;
    let instead = match cut {
        EdgeAblation::Mean => Replacement::Mean,
        EdgeAblation::Next => Replacement::OtherPrompts(&next),
    };
    let patching = EdgePatcher::new(&model, &batch, instead)?;
    let ld = |edges: &[GraphEdge]| -> Result<Vec<f64>, MeasurementError> {
        Ok(logit_differences(&patching.logits_without_edges(edges)?, &prompts))
    };
    let without = |edges: &[GraphEdge]| -> Result<f64, MeasurementError> { Ok(mean(&ld(edges)?)?) };
    let all: Vec<GraphEdge> = patching.graph().edges().collect();
    let config = model.config();
    let pairs = edges_in_code_order(&head_edges(config.layers, config.heads));
    let attributions = patching.edge_attributions(parameters, &prompts.answers, &prompts.foils)?;
    let clean = ld(&[])?;
    let ld_mean = mean(&clean)?;
    let steps = (all.len() + pairs.len() + 2 * THRESHOLDS.len()) as f64;
    let mut done = 0.0;
    let mut step = || {
        done += 1.0;
        tell(done / steps);
    };
    let mut found = Vec::with_capacity(all.len());
    for (edge, attribution) in all.iter().zip(attributions) {
        let effect = ld_mean - without(&[*edge])?;
        found.push(EdgeEffect { edge: *edge, effect, attribution });
        step();
    }
    let mut between = Vec::with_capacity(pairs.len());
    for edge in pairs {
        between.push(PairEffect { edge, effect: ld_mean - without(&edges_of_pair(edge))? });
        step();
    }
    let ld_empty = ld(&all)?;
    let empty = faithfulness(&clean, &ld_empty)?;
    let mut curve = |score: fn(&EdgeEffect) -> f64| -> Result<EdgeCurve, MeasurementError> {
        let order = argsort_descending(found.iter().map(|edge| score(edge).abs()));
        let (mut kept, mut shares) = (Vec::new(), Vec::new());
        for threshold in THRESHOLDS {
            let count = count_kept_edges(threshold, order.len())?;
            let others = order.iter().skip(count).filter_map(|at| all.get(*at)).copied();
            kept.push(count);
            shares.push(faithfulness(&clean, &ld(&others.collect::<Vec<_>>())?)?);
            step();
        }
        let scaled = shares.iter().map(|share| normalised_faithfulness(*share, empty, 1.0));
        let scaled = scaled.collect::<Option<Vec<f64>>>();
        let area = scaled.map(|scaled| faithfulness_area(&THRESHOLDS, &scaled)).transpose()?;
        Ok(EdgeCurve { kept, faithfulness: shares, area })
    };
    let by_effect = curve(|edge| edge.effect)?;
    let by_attribution = curve(|edge| edge.attribution)?;
    let of = |value: fn(&EdgeEffect) -> f64| found.iter().map(value).collect::<Vec<f64>>();
    let ranks =
        |effects: &[f64], attributions: &[f64]| spearman(effects, attributions).ok().map(|found| found.coefficient);
    let (effects, attributions) = (of(|edge| edge.effect), of(|edge| edge.attribution));
    let sizes = |values: &[f64]| values.iter().map(|value| value.abs()).collect::<Vec<f64>>();
    Ok(EdgesResult {
        task,
        cut,
        ld_mean,
        ld_empty: mean(&ld_empty)?,
        rank_correlation: ranks(&effects, &attributions),
        rank_correlation_sizes: ranks(&sizes(&effects), &sizes(&attributions)),
        edges: found,
        pairs: between,
        by_effect,
        by_attribution,
    })
}
