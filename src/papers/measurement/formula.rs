//! The formulas of the fifteen in words and signs, in both readings, for readers.

use serde::Serialize;

/// A metric's formula, twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Formula {
    /// The metric's id.
    pub metric: &'static str,
    /// As the text has it.
    pub document: &'static str,
    /// As the reference code computes it.
    pub code: &'static str,
}

const fn formula(metric: &'static str, document: &'static str, code: &'static str) -> Formula {
    Formula { metric, document, code }
}

/// All of them, in the order of [`METRICS`](super::metric::METRICS).
pub const FORMULAS: [Formula; 15] = [
    formula(
        "m07",
        "½ (J + D): J is the mean Jaccard index of the features active at a position, D = ½ (meanᵢ maxⱼ |cos(eᵢ, eⱼ)| + \
         meanⱼ maxᵢ |cos(eᵢ, eⱼ)|) of encoder directions.",
        "½ (J + D): J is min(n_a, n_b) / max(n_a, n_b) of how many features are active, not of which; D is of decoder \
         directions.",
    ),
    formula(
        "m08",
        "Jaccard index of the k words that W_dec W_U promotes most and the k words on which the feature is most active, in the \
         mean over active features.",
        "The same.",
    ),
    formula(
        "m09",
        "Mean Jaccard index of the cores of successive cycles. A core is the tenth of the features with the largest mean|h| · \
         mean|∂x̂/∂W_enc|; the others are drawn anew and trained again.",
        "The same without resampling: the new weights go to a copy.",
    ),
    formula(
        "m10",
        "Share of the features whose 20 strongest contexts fall into more than one cluster: average linkage of 1 − cos, cut at \
         the threshold. A context is the mean of its residual stream.",
        "The same with the mean of the contexts’ token embeddings, and with contexts where the feature is not active.",
    ),
    formula(
        "m11",
        "1 − ½ (splitting + absorption). Splitting: share of small features whose k best correlated large features have a mean \
         |cos| below 0.5. Absorption: share of all large features that are the best of several small ones.",
        "The same, absorption being a share of those large features that are the best of any small one.",
    ),
    formula(
        "m12",
        "Share of positions with |k − k̂| / k̂ above the threshold, k̂ = a + b ‖x‖ by least squares.",
        "Share of last positions with |k − k̂| / max(k̂, 1) above the threshold.",
    ),
    formula(
        "m13",
        "Packing = (Σ s²)² / Σ s⁴ / D of centred activations; interference = mean |cos| among their leading right singular \
         vectors. Strong: packing above 1.2, or high interference.",
        "Strong: packing above 1.2, or above 0.8 with interference above 0.15; transition: packing above 0.8 or interference \
         above 0.1.",
    ),
    formula(
        "m14",
        "−Σ p ln p, p = s² / Σ s², s being the singular values of the layers’ mean differences of unsafe and safe prompts; \
         stability = 1 − σ / |mean| over draws of the prompts.",
        "The same of the differences less their mean over the layers.",
    ),
    formula(
        "ex1",
        "d′ = Z(hits) − Z(false alarms): shares of right answers with the circuit and without it. Passes above 1, with an AUC \
         above 0.7.",
        "The same, at least 1 and 0.7.",
    ),
    formula(
        "ex2",
        "Largest |Cohen’s d| of logit differences between groups of prompts.",
        "The same with the population’s variance of each group, pooled by n − 1; no circuit is applied.",
    ),
    formula(
        "ex11",
        "Just-noticeable difference of a head: 1 − the largest scale at which the logit difference drops by over 5 %. \
         Consistency: 1 − σ / mean of JND / baseline, at full strength and at half.",
        "The same.",
    ),
    formula(
        "ex24",
        "CV = σ / |mean| of a metric over seeds; d between two configurations.",
        "Mean CV of two metrics, a probe’s accuracy and ablation recovery; “d” = |probe − ablation| / σ of the probe.",
    ),
    formula(
        "ex25",
        "Share of pairs of runs that differ by over 8 %; coherence = mean Spearman correlation of the runs’ values prompt by \
         prompt.",
        "Coherence correlates the n-th values of runs that have different prompts.",
    ),
    formula(
        "ex34",
        "Jaccard index of the words at the k positions with the largest |x · d| and the k words with the largest |d W_U|; cosine \
         of d with the first principal component of those positions.",
        "The same of random directions; the aggregate passes by the overlap alone.",
    ),
    formula(
        "mib",
        "Area under the faithfulness of the edges kept, from 0.1 % to all of them: CPR. CMD is the area between it and 1. MIB \
         itself ranks edges by their effect.",
        "The same with edges in the order of layers and heads.",
    ),
];
