//! M10: how many features answer to several unlike contexts.

use serde::Serialize;

use super::directions::{check_directions, unit_rows};
use super::top_k::TopK;
use super::{DecompositionError, Formula, MetricDescription, PassConditions, Reading, quantities, table};
use crate::Matrix;
use crate::linalg::product;
use crate::settings::Range;
use crate::statistics::{self, Linkage, StatisticsError};

/// What is said about it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "m10",
    name: "PRISM polysemanticity",
    source: "Kopf et al. (2025), NeurIPS 2025, arXiv:2506.15538",
    criteria: &["M6", "E1"],
    establishes: "for which share of the features one description cannot do, since their contexts are of several kinds",
    leaves_open: "whether that is a fault: one notion may have several faces",
    passes: PassConditions { document: &[], code: &[] },
    table: table! {
        "rate" < 0.1 => "most features answer to one kind of context: single descriptions will do";
        "rate" >= 0.1, "rate" <= 0.4 => "single descriptions should be checked";
        "rate" > 0.4 => "single descriptions miss much of what many features answer to";
        "n_dead" > 0.0 => "some features are never active: the rate leaves them out";
    },
    formula: Formula {
        document: "Share of the features whose 20 strongest contexts fall into more than one cluster: average \
                   linkage of 1 − cos, cut at the threshold. A context is the mean of its residual stream.",
        code: "The same with the mean of the contexts’ token embeddings, and with contexts where the feature is not \
               active.",
    },
    summary: ["report only"; 2],
    takes: &["sae", "top_k", "n_features", "cluster_threshold", "checkpoint"],
};

/// A feature counts as alive from this activation on.
pub const ALIVE_MIN: f64 = 1e-8;

/// What may be chosen. The defaults are the reference code's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Features that are looked at, the strongest in the mean over all contexts.
    pub features: usize,
    /// Contexts of each feature, the strongest.
    pub contexts: usize,
    /// Cosine distance up to which groups of contexts are joined, 0 to 2.
    pub cluster_threshold: f64,
    /// Code: the strongest contexts, also where the feature is 0 there. Document: of those where it is active.
    pub reading: Reading,
}

impl Default for Settings {
    fn default() -> Self {
        Self { features: 100, contexts: 20, cluster_threshold: 0.5, reading: Reading::Code }
    }
}

/// Groups of contexts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clusters {
    /// How many groups.
    pub n_clusters: usize,
    /// Mean distance at which groups were joined, ascending, those beyond the threshold among them.
    pub merge_heights: Vec<f64>,
    /// Contexts of each group, falling.
    pub sizes: Vec<usize>,
    /// The group of each context, from 1, in the order of their first contexts.
    pub partition: Vec<usize>,
}

/// Groups contexts by their embeddings (N × D).
///
/// # Formula
/// Average linkage on 1 − cos, clipped to 0 to 2, of rows over their lengths (1e-8 at least); groups are joined up
/// to and including the threshold, as SciPy's `fcluster` with `distance`.
///
/// # Errors
/// [`MetricError::NonFinite`](statistics::MetricError::NonFinite); a threshold outside 0 to 2.
pub fn cluster_contexts(embeddings: &Matrix, threshold: f64) -> Result<Clusters, DecompositionError> {
    Range::real("cluster_threshold", 0.0, 2.0).check(threshold)?;
    if embeddings.rows() == 0 {
        let none = || Vec::new();
        return Ok(Clusters { n_clusters: 0, merge_heights: vec![], sizes: none(), partition: none() });
    }
    statistics::check_matrix("embeddings", embeddings)?;
    let unit = unit_rows(embeddings);
    let cosines = product(&unit, &unit.transposed());
    let mut distances = Vec::with_capacity(unit.rows() * unit.rows().saturating_sub(1) / 2);
    for (index, row) in cosines.iter_rows().enumerate() {
        distances.extend(row.iter().skip(index + 1).map(|cosine| (1.0 - cosine).clamp(0.0, 2.0)));
    }
    let linkage = Linkage::average(unit.rows(), distances)?;
    let partition: Vec<usize> = linkage.cut(threshold).into_iter().map(|label| label + 1).collect();
    let n_clusters = partition.iter().copied().max().unwrap_or(0);
    let mut sizes: Vec<usize> =
        (1..=n_clusters).map(|label| partition.iter().filter(|at| **at == label).count()).collect();
    sizes.sort_unstable();
    sizes.reverse();
    Ok(Clusters { n_clusters, merge_heights: linkage.heights(), sizes, partition })
}

/// The share of features with several groups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PolysemanticityRate {
    /// Features with an activation of 1e-8 or more.
    pub n_alive: usize,
    /// The others.
    pub n_dead: usize,
    /// Share of the alive ones with more than one group of contexts, from 0 to 1; 0 where none is alive.
    pub rate: f64,
    /// Mean number of groups of the alive ones; 0 where none is alive.
    pub mean_clusters: f64,
}

quantities! {
    PolysemanticityRate: rate, mean_clusters, n_alive, n_dead,
}

/// Of features, the largest activation and the number of groups.
///
/// # Errors
/// [`StatisticsError::Lengths`], [`StatisticsError::NonFinite`].
pub fn polysemanticity_rate(
    max_activation: &[f64],
    n_clusters: &[usize],
) -> Result<PolysemanticityRate, StatisticsError> {
    let (first, second) = (max_activation.len(), n_clusters.len());
    if first != second {
        return Err(StatisticsError::Lengths { first, second });
    }
    if let Some((index, value)) = max_activation.iter().enumerate().find(|(_, x)| !x.is_finite()) {
        let what = "largest activations";
        return Err(StatisticsError::NonFinite { what, index, value: *value });
    }
    let features = max_activation.iter().zip(n_clusters);
    let alive: Vec<usize> = features.filter(|(most, _)| **most >= ALIVE_MIN).map(|(_, clusters)| *clusters).collect();
    let several = alive.iter().filter(|clusters| **clusters > 1).count();
    let over = |count: usize| count as f64 / alive.len().max(1) as f64;
    Ok(PolysemanticityRate {
        n_alive: alive.len(),
        n_dead: first - alive.len(),
        rate: over(several),
        mean_clusters: over(alive.iter().sum()),
    })
}

/// What was found of one feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatureContexts {
    /// Its number.
    pub feature: usize,
    /// Its largest |activation| anywhere.
    pub max_activation: f64,
    /// Its contexts, the strongest first.
    pub contexts: Vec<usize>,
    /// Their groups.
    pub clusters: Clusters,
}

/// How many features answer to several kinds of contexts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Polysemanticity {
    /// The rate, over the features that were looked at.
    #[serde(flatten)]
    pub rate: PolysemanticityRate,
    /// The features that were looked at, the strongest first.
    pub features: Vec<FeatureContexts>,
}

/// Looks at the strongest features' strongest contexts.
///
/// `strengths` (contexts × F) are each feature's largest |activation| in each context; `embeddings` (contexts × D)
/// are the means of the residual stream over each context's positions (the text), or of the token embeddings (the
/// code). A feature that is nowhere active has no groups in the document's reading.
///
/// Source: Measurement Theory, M10 (arXiv:2506.15538).
///
/// # Errors
/// [`MetricError`](statistics::MetricError): nothing, what is no number, contexts that differ in number; a negative
/// strength, a threshold outside 0 to 2, counts below 1.
pub fn polysemanticity(
    strengths: &Matrix,
    embeddings: &Matrix,
    settings: &Settings,
) -> Result<Polysemanticity, DecompositionError> {
    let count = |field| Range { field, min: 1.0, max: f64::from(u32::MAX), whole: true };
    count("n_features").check(settings.features as f64)?;
    count("contexts").check(settings.contexts as f64)?;
    Range::real("cluster_threshold", 0.0, 2.0).check(settings.cluster_threshold)?;
    statistics::check_matrix("strengths", strengths)?;
    check_directions("embeddings", embeddings, (strengths.rows(), embeddings.cols()))?;
    if let Some(negative) = strengths.data().iter().find(|value| **value < 0.0) {
        Range::real("strengths", 0.0, f64::MAX).check(*negative)?;
    }
    let mut sums = vec![0.0; strengths.cols()];
    for row in strengths.iter_rows() {
        sums.iter_mut().zip(row).for_each(|(sum, strength)| *sum += strength);
    }
    let mut strongest = TopK::new(settings.features);
    for (feature, sum) in sums.iter().enumerate() {
        strongest.offer(sum / strengths.rows() as f64, feature, 0.0);
    }
    let mut found = Vec::new();
    for (_, feature, _) in strongest.entries() {
        let row: Vec<f64> = strengths.iter_rows().filter_map(|row| row.get(*feature).copied()).collect();
        let mut order = TopK::new(settings.contexts);
        for (context, strength) in row.iter().enumerate() {
            if settings.reading == Reading::Code || *strength > 0.0 {
                order.offer(*strength, context, 0.0);
            }
        }
        let contexts: Vec<usize> = order.entries().iter().map(|(_, context, _)| *context).collect();
        let mut chosen = Matrix::zeros(contexts.len(), embeddings.cols());
        for (row, context) in contexts.iter().enumerate() {
            chosen.row_mut(row).copy_from_slice(embeddings.row(*context));
        }
        found.push(FeatureContexts {
            feature: *feature,
            max_activation: row.iter().copied().fold(0.0, f64::max),
            clusters: cluster_contexts(&chosen, settings.cluster_threshold)?,
            contexts,
        });
    }
    let most: Vec<f64> = found.iter().map(|feature| feature.max_activation).collect();
    let groups: Vec<usize> = found.iter().map(|feature| feature.clusters.n_clusters).collect();
    Ok(Polysemanticity { rate: polysemanticity_rate(&most, &groups)?, features: found })
}
