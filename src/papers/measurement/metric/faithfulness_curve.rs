//! MIB: faithfulness as edges of a circuit are added, and the areas that it is summed up in.

use serde::Serialize;

use super::{Formula, MetricDescription, PassConditions, all_hold, conditions, quantities, table};
use crate::order::argsort_descending;
use crate::statistics::{StatisticsError, check_lengths, check_values, mean};
use crate::synthetic::Head;

/// Shares of all edges at which faithfulness is measured.
pub const THRESHOLDS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// What is said of it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "mib",
    name: "Faithfulness curve (MIB)",
    source: "Mueller et al. 2025, ICML, arXiv:2504.13151",
    criteria: &["Faithfulness at many thresholds"],
    establishes: "How soon a circuit is as good as the model when its edges are added one after the other, instead of at \
                  one size alone.",
    leaves_open: "Whether the circuit is needed, or enough, at any size of its own. The area is taken over shares of \
                  edges, so half of it lies where half of the edges or more are kept: a circuit that does nothing \
                  until then still passes.",
    passes: PassConditions { document: conditions!["cpr" > 0.5], code: conditions!["cpr" > 0.5] },
    table: table! {
        "cpr" > 0.7 => "Strong: the circuit stays faithful with few of its edges.";
        "cpr" >= 0.5, "cpr" <= 0.7 =>
            "Moderate: much is lost with few edges. With half of all edges needed and nothing before, it is 0.65.";
        "cpr" < 0.5 => "Weak: most edges are needed.";
        "least_faithfulness" > 0.9 =>
            "A flat curve near 1: the first edges suffice. (The page says the contrary, that nearly all \
             contribute.)";
        "largest_step" > 0.5 => "A sharp elbow: what is essential is set apart from the rest.";
    },
    formula: Formula {
        document: "Area under the faithfulness of the edges kept, from 0.1 % to all of them: CPR. CMD is the area \
                   between it and 1. MIB itself ranks edges by their effect.",
        code: "The same with edges in the order of layers and heads.",
    },
    summary: ["CPR > 0.5"; 2],
    takes: &["checkpoint", "task"],
};

/// An edge between two heads: what one writes and another, in a later layer, reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct HeadEdge {
    /// The head that writes.
    pub sender: Head,
    /// The head that reads.
    pub receiver: Head,
}

/// All edges between heads of a model, by sender and then receiver: `heads`² for every pair of layers.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::head_edges;
/// assert_eq!(head_edges(3, 4).len(), 48);
/// ```
#[must_use]
pub fn head_edges(layers: usize, heads: usize) -> Vec<HeadEdge> {
    let all = |layer: usize| (0..heads).map(move |head| (layer, head));
    let senders = (0..layers).flat_map(all);
    let each = senders.flat_map(|sender| {
        let receivers = (sender.0 + 1..layers).flat_map(all);
        receivers.map(move |receiver| HeadEdge { sender, receiver })
    });
    each.collect()
}

/// Edges in the code's order: by the sender's layer, the receiver's layer, the sender's number, the receiver's number.
/// An edge that is there twice is there once.
#[must_use]
pub fn edges_in_code_order(edges: &[HeadEdge]) -> Vec<HeadEdge> {
    let key = |edge: &HeadEdge| (edge.sender.0, edge.receiver.0, edge.sender.1, edge.receiver.1);
    let mut edges = edges.to_vec();
    edges.sort_unstable_by_key(key);
    edges.dedup();
    edges
}

/// Edges by falling score, as MIB ranks them; of equal scores the earlier one first.
///
/// # Errors
/// [`StatisticsError::Lengths`] unless there are as many scores as edges, [`StatisticsError::NonFinite`].
pub fn edges_by_score(edges: &[HeadEdge], scores: &[f64]) -> Result<Vec<HeadEdge>, StatisticsError> {
    if edges.len() != scores.len() {
        return Err(StatisticsError::Lengths { first: edges.len(), second: scores.len() });
    }
    check_values("scores of edges", scores, 0)?;
    Ok(argsort_descending(scores.iter().copied()).into_iter().filter_map(|at| edges.get(at).copied()).collect())
}

/// The score of an edge by what its heads do: the lesser |effect| of the two. `effect` is what ablating a head
/// takes from the mean logit difference.
pub fn edge_score(edge: HeadEdge, effect: impl Fn(Head) -> f64) -> f64 {
    effect(edge.sender).abs().min(effect(edge.receiver).abs())
}

/// What each head does, of a list of heads and their effects; 0 of a head that is not among them.
pub(crate) fn effect_lookup(effects: &[(Head, f64)]) -> impl Fn(Head) -> f64 {
    move |head| effects.iter().find(|(other, _)| *other == head).map_or(0.0, |(_, effect)| *effect)
}

/// How many of so many edges a threshold keeps: max(1, ⌊t·E⌋), at most all; none of none.
///
/// # Errors
/// [`StatisticsError::Share`] unless the threshold is from 0 to 1.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::count_kept_edges;
/// assert_eq!((count_kept_edges(0.001, 48)?, count_kept_edges(0.5, 48)?), (1, 24));
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn count_kept_edges(threshold: f64, edges: usize) -> Result<usize, StatisticsError> {
    if !(0.0..=1.0).contains(&threshold) {
        return Err(StatisticsError::Share { what: "threshold", value: threshold });
    }
    Ok(((threshold * edges as f64) as usize).max(1).min(edges))
}

/// The heads of some edges, by layer and number, each once.
#[must_use]
pub fn heads_of_edges(edges: &[HeadEdge]) -> Vec<Head> {
    let mut heads: Vec<Head> = edges.iter().flat_map(|edge| [edge.sender, edge.receiver]).collect();
    heads.sort_unstable();
    heads.dedup();
    heads
}

/// Of each of [`THRESHOLDS`], the heads of the edges that it keeps of edges in some order.
#[must_use]
pub fn heads_at_thresholds(ordered: &[HeadEdge]) -> Vec<Vec<Head>> {
    let kept = |threshold: f64| count_kept_edges(threshold, ordered.len()).unwrap_or_default();
    THRESHOLDS.iter().map(|t| heads_of_edges(ordered.get(..kept(*t)).unwrap_or(ordered))).collect()
}

/// Why a curve has no area.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// No points, numbers that are none, or not as many thresholds as values.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A threshold that is no share of edges.
    #[error("threshold {index} is {value}; allowed: above 0, at most 1, and above the one before")]
    Threshold {
        /// Which one, from 0.
        index: usize,
        /// The threshold.
        value: f64,
    },
}

impl CurveError {
    /// A stable code, e.g. `curve.threshold`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Statistics(error) => error.code(),
            Self::Threshold { .. } => "curve.threshold",
        }
    }
}

/// The result of [`faithfulness_area`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FaithfulnessArea {
    /// The area under the curve. The page spells it Cumulative Performance Recovery, MIB Circuit Performance Ratio.
    pub cpr: f64,
    /// The area between the curve and 1, what is above 1 counting against what is below: the page.
    pub cmd_signed_document: f64,
    /// The area between the curve and 1 on either side: MIB, whose name for it is circuit–model distance.
    pub cmd_abs_mib: f64,
    /// What the thresholds span: a perfect circuit's area.
    pub span: f64,
    /// The area as a share of what they span; none of one threshold.
    pub cpr_over_span: Option<f64>,
    /// The area over the thresholds' natural logarithms, which MIB allows.
    pub cpr_log_mib: f64,
    /// The mean of the values.
    pub mean_faithfulness: f64,
    /// The least of the values.
    pub least_faithfulness: f64,
    /// By how much the curve rises most from one threshold to the next; 0 of one threshold.
    pub largest_step: f64,
    /// Whether the area is above ½.
    pub passed: bool,
}

quantities! {
    FaithfulnessArea: cpr, cmd_signed_document, cmd_abs_mib, span, cpr_over_span, cpr_log_mib,
        mean_faithfulness, least_faithfulness, largest_step,
}

/// The areas that a curve of faithfulness over shares of edges has.
///
/// # Formula
/// By trapezoids over the thresholds t, from the first to the last: ∫f dt, ∫(1 − f) dt, ∫|1 − f| dt, and ∫f d ln t,
/// where |1 − f| is taken at the thresholds. Over [`THRESHOLDS`] a perfect circuit has 0.999, since nothing
/// is measured below 0.001.
///
/// # Errors
/// [`StatisticsError::TooFew`] of nothing, [`StatisticsError::NonFinite`], [`StatisticsError::Lengths`],
/// [`CurveError::Threshold`] unless thresholds rise and are above 0 and at most 1.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::{THRESHOLDS, faithfulness_area};
/// let late = THRESHOLDS.map(|share| if share < 0.5 { 0.0 } else { 1.0 });
/// let found = faithfulness_area(&THRESHOLDS, &late)?;
/// assert!((found.cpr - 0.65).abs() < 1e-12 && found.passed);
/// # Ok::<(), sfc_bench::papers::measurement::metric::CurveError>(())
/// ```
pub fn faithfulness_area(thresholds: &[f64], faithfulness: &[f64]) -> Result<FaithfulnessArea, CurveError> {
    check_lengths(thresholds, faithfulness)?;
    check_values("thresholds", thresholds, 1)?;
    check_values("faithfulness", faithfulness, 1)?;
    let mut before = 0.0;
    for (index, value) in thresholds.iter().copied().enumerate() {
        if !(value > before && value <= 1.0) {
            return Err(CurveError::Threshold { index, value });
        }
        before = value;
    }
    let logarithms: Vec<f64> = thresholds.iter().map(|t| libm::log(*t)).collect();
    let under = |x: &[f64], value: fn(f64) -> f64| {
        let points: Vec<(f64, f64)> = x.iter().copied().zip(faithfulness.iter().map(|f| value(*f))).collect();
        let strips = points.windows(2).map(|strip| match strip {
            [(from, f), (to, g)] => (to - from) * (f + g) / 2.0,
            _ => 0.0,
        });
        // Not `sum`, of which the empty one is -0.
        strips.fold(0.0, |area, strip| area + strip)
    };
    let ends = (thresholds.first(), thresholds.last());
    let span = if let (Some(first), Some(last)) = ends { last - first } else { 0.0 };
    let steps = faithfulness.iter().zip(faithfulness.iter().skip(1)).map(|(from, to)| to - from);
    let cpr = under(thresholds, |f| f);
    let mut found = FaithfulnessArea {
        cpr,
        cmd_signed_document: under(thresholds, |f| 1.0 - f),
        cmd_abs_mib: under(thresholds, |f| (1.0 - f).abs()),
        span,
        cpr_over_span: (span > 0.0).then(|| cpr / span),
        cpr_log_mib: under(&logarithms, |f| f),
        mean_faithfulness: mean(faithfulness)?,
        least_faithfulness: faithfulness.iter().copied().fold(f64::INFINITY, f64::min),
        largest_step: steps.fold(0.0, f64::max),
        passed: false,
    };
    found.passed = all_hold(ABOUT.passes.code, |name| found.value_by_name(name));
    Ok(found)
}
