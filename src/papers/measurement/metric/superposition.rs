//! M13: how many directions a layer holds against how many it has room for.

use serde::Serialize;

use super::directions::{block_ranges, for_each_gram_block, row_range, unit_rows};
use super::{Formula, MetricDescription, PassConditions, quantities, table};
use crate::Matrix;
use crate::linalg::{column_means, product, right_singular_vectors, scale_by_power_of_two, subtract_mean};
use crate::order::argsort_descending;
use crate::statistics::{self, MetricError};

/// What is said about it. The table reads [`LayersSummary`].
pub const ABOUT: MetricDescription = MetricDescription {
    id: "m13",
    name: "superposition regime",
    source: "Liu, Liu and Gore (2025), NeurIPS 2025, arXiv:2505.10465",
    criteria: &["M6"],
    establishes: "whether a layer holds more directions than it has dimensions, so that none of many decompositions is the one",
    leaves_open: "whether the features of any one autoencoder are right",
    passes: PassConditions { document: &[], code: &[] },
    table: table! {
        "share_weak" >= 1.0 => "one decomposition can be found in every layer";
        "share_weak" < 1.0, "share_strong" < 1.0 =>
            "layers differ: what is said of features holds for some of them";
        "share_strong" >= 1.0 => "more directions than dimensions everywhere: no decomposition is the true one";
    },
    formula: Formula {
        document: "Packing = (Σ s²)² / Σ s⁴ / D of centred activations; interference = mean |cos| among their \
                   leading right singular vectors. Strong: packing above 1.2, or high interference.",
        code: "Strong: packing above 1.2, or above 0.8 with interference above 0.15; transition: packing above 0.8 \
               or interference above 0.1.",
    },
    summary: ["report only"; 2],
    takes: &["sae", "hook", "n_samples", "checkpoint"],
};

/// Principal components that are held against each other, by default.
pub const TOP_COMPONENTS: usize = 20;

/// How crowded a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Regime {
    /// Features can be told apart.
    Weak,
    /// Between the two.
    Transition,
    /// More directions than dimensions.
    Strong,
}

impl Regime {
    /// All three, the least crowded first.
    pub const ALL: [Self; 3] = [Self::Weak, Self::Transition, Self::Strong];

    /// The code's rule, of a packing ratio and an interference.
    #[must_use]
    pub fn by_code_rule(packing: f64, interference: f64) -> Self {
        if packing > 1.2 || (packing > 0.8 && interference > 0.15) {
            Self::Strong
        } else if packing > 0.8 || interference > 0.1 {
            Self::Transition
        } else {
            Self::Weak
        }
    }

    /// The text's rule. It calls interference "high" without a number: here above 0.15, as the code has it.
    #[must_use]
    pub fn by_document_rule(packing: f64, interference: f64) -> Self {
        if packing > 1.2 || interference > 0.15 {
            Self::Strong
        } else if packing > 0.8 {
            Self::Transition
        } else {
            Self::Weak
        }
    }
}

/// How activations fill their space.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Superposition {
    /// The effective number of dimensions, from 1 to min(n − 1, d); 0 of rows that are all the same.
    pub participation_ratio: f64,
    /// That over d.
    pub packing_ratio: f64,
    /// The most that the packing ratio can be: min(n − 1, d)/d, which is 1 at most.
    pub packing_upper_bound: f64,
    /// By the code's rule. Principal components are orthogonal, so their interference is 0 whatever the activations are,
    /// and this can never be strong.
    pub regime_code: Regime,
    /// By the text's rule, of which the same is true.
    pub regime_document: Regime,
}

quantities! {
    Superposition: participation_ratio, packing_ratio, packing_upper_bound,
}

/// How activations (n × d) fill their space.
///
/// # Formula
/// PR = (Σs²)²/Σs⁴ of the singular values s of the activations less their mean; 0 where Σs⁴ < 1e-12. Since Σs² is the
/// trace and Σs⁴ the squared norm of the smaller Gram matrix, nothing is decomposed, and the Gram matrix is made in
/// blocks of which none stays. [`Spectrum`] has the singular values themselves, and the interference as it is measured.
///
/// Source: Measurement Theory, M13 (arXiv:2505.10465); the code's rule by `126_superposition_regime.py`.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`].
pub fn superposition(activations: &Matrix) -> Result<Superposition, MetricError> {
    statistics::check_matrix("activations", activations)?;
    let (n, d) = activations.shape();
    let mean = column_means(activations);
    let (squares, fourths) = if n < d {
        gram_sums(n, |from, to| subtract_mean(&row_range(activations, from, to), &mean))
    } else {
        gram_sums(d, |from, to| centred_columns(activations, &mean, from, to))
    };
    if !(fourths + squares * squares).is_finite() {
        // No ratio depends on the scale.
        return superposition(&scale_by_power_of_two(activations).0);
    }
    let participation_ratio = if fourths < 1e-12 { 0.0 } else { squares * squares / fourths };
    let packing_ratio = participation_ratio / d as f64;
    Ok(Superposition {
        participation_ratio,
        packing_ratio,
        packing_upper_bound: (n - 1).min(d) as f64 / d as f64,
        regime_code: Regime::by_code_rule(packing_ratio, 0.0),
        regime_document: Regime::by_document_rule(packing_ratio, 0.0),
    })
}

/// Some columns less their means, one a row.
fn centred_columns(activations: &Matrix, mean: &[f64], from: usize, to: usize) -> Matrix {
    let mut out = Matrix::zeros(activations.rows(), to - from);
    for (position, row) in activations.iter_rows().enumerate() {
        let columns = row.iter().zip(mean).skip(from);
        let out = out.row_mut(position).iter_mut();
        out.zip(columns).for_each(|(out, (value, mean))| *out = value - mean);
    }
    out.transposed()
}

/// Trace and squared norm of a Gram matrix of `side` vectors, which come in blocks, one a row.
fn gram_sums(side: usize, block: impl Fn(usize, usize) -> Matrix) -> (f64, f64) {
    let (mut trace, mut norm) = (0.0, 0.0);
    for (first, end) in block_ranges(side) {
        let rows = block(first, end);
        let right = rows.transposed();
        trace += rows.data().iter().map(|x| x * x).sum::<f64>();
        for (other, other_end) in block_ranges(end) {
            let left = if other == first { rows.clone() } else { block(other, other_end) };
            let gram = product(&left, &right);
            let squares: f64 = gram.data().iter().map(|x| x * x).sum();
            norm += if other == first { squares } else { 2.0 * squares };
        }
    }
    (trace, norm)
}

/// What a decomposition of activations says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spectrum {
    /// Singular values of the activations less their mean, falling: min(n, d).
    pub singular_values: Vec<f64>,
    /// Mean |cosine| of the first right singular vectors: 0 but for rounding.
    pub interference: f64,
    /// Whether it is below 1e-6.
    pub interference_is_numerically_zero: bool,
}

/// Decomposes activations (n × d), and holds the first `top` right singular vectors against each other.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Undetermined`] where no decomposition is found.
pub fn spectrum(activations: &Matrix, top: usize) -> Result<Spectrum, MetricError> {
    statistics::check_matrix("activations", activations)?;
    let centred = subtract_mean(activations, &column_means(activations));
    let found = svd(&centred)?;
    let mut first = Matrix::zeros(top.min(found.vector_indices.len()), activations.cols());
    for (row, at) in found.vector_indices.iter().take(top).enumerate() {
        first.row_mut(row).copy_from_slice(found.vectors.row(*at));
    }
    let interference = cosine_moments(&first).0;
    Ok(Spectrum { singular_values: found.values, interference, interference_is_numerically_zero: interference < 1e-6 })
}

/// Singular values, falling, and where their vectors are.
pub(super) struct SvdResult {
    pub values: Vec<f64>,
    pub vector_indices: Vec<usize>,
    pub vectors: Matrix,
}

/// Decomposes a matrix as it is.
pub(super) fn svd(matrix: &Matrix) -> Result<SvdResult, MetricError> {
    const ITERATIONS_PER_DIMENSION: usize = 100;
    if matrix.data().iter().all(|value| *value == 0.0) {
        let count = matrix.rows().min(matrix.cols());
        let vectors = Matrix::zeros(count, matrix.cols());
        return Ok(SvdResult { values: vec![0.0; count], vector_indices: (0..count).collect(), vectors });
    }
    let iterations = ITERATIONS_PER_DIMENSION * matrix.rows().max(matrix.cols());
    let found = right_singular_vectors(matrix, f64::EPSILON, iterations).ok_or(MetricError::Undetermined)?;
    let order = argsort_descending(found.values.iter().copied());
    let values = order.iter().filter_map(|at| found.values.get(*at).copied()).collect();
    Ok(SvdResult { values, vector_indices: order, vectors: found.vectors })
}

/// Mean and mean square of |cos| over the pairs of rows; 0 without a pair.
fn cosine_moments(directions: &Matrix) -> (f64, f64) {
    let unit = unit_rows(directions);
    let (mut sum, mut squares) = (0.0, 0.0);
    for_each_gram_block(&unit, |(first_a, first_b), block| {
        for (i, row) in block.iter_rows().enumerate() {
            for (j, cosine) in row.iter().enumerate() {
                if first_a + i < first_b + j {
                    sum += cosine.abs();
                    squares += cosine * cosine;
                }
            }
        }
    });
    let pairs = (unit.rows() * unit.rows().saturating_sub(1) / 2).max(1) as f64;
    (sum / pairs, squares / pairs)
}

/// How crowded known directions are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FeatureSuperposition {
    /// Directions over dimensions.
    pub feature_packing: f64,
    /// Mean |cosine| of their pairs, from 0 to 1; 0 of a single one.
    pub feature_interference: f64,
    /// Root of the mean squared cosine of their pairs.
    pub feature_interference_rms: f64,
    /// The least that the root can be of so many directions.
    pub welch_bound_rms: f64,
    /// By the code's rule.
    pub regime_on_feature_directions_code_rule: Regime,
    /// By the text's rule.
    pub regime_on_feature_directions_document_rule: Regime,
}

quantities! {
    FeatureSuperposition: feature_packing, feature_interference, feature_interference_rms,
        welch_bound_rms,
}

/// What the metric says of directions that are known, planted ones or a decoder's (F × d), instead of principal
/// components: this project's reading, since that of text and code can say nothing but weak or in between.
///
/// # Formula
/// packing = F/d; interference = mean |cos| over pairs; the Welch bound of the root mean square is √((F − d)/(d(F − 1))), 0
/// for F ≤ d. Pairs are made in blocks of which none stays.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`].
pub fn feature_superposition(directions: &Matrix) -> Result<FeatureSuperposition, MetricError> {
    statistics::check_matrix("directions", directions)?;
    let (features, d) = directions.shape();
    let (mean, squares) = cosine_moments(directions);
    let packing = features as f64 / d as f64;
    let welch = if features > d { f64::sqrt((features - d) as f64 / (d as f64 * (features - 1) as f64)) } else { 0.0 };
    Ok(FeatureSuperposition {
        feature_packing: packing,
        feature_interference: mean,
        feature_interference_rms: f64::sqrt(squares),
        welch_bound_rms: welch,
        regime_on_feature_directions_code_rule: Regime::by_code_rule(packing, mean),
        regime_on_feature_directions_document_rule: Regime::by_document_rule(packing, mean),
    })
}

/// What several layers come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LayersSummary {
    /// The most frequent regime; of equally frequent ones the least crowded.
    pub regime: Regime,
    /// Share of weak layers.
    pub share_weak: f64,
    /// Share of layers in between.
    pub share_transition: f64,
    /// Share of strong layers.
    pub share_strong: f64,
}

quantities! {
    LayersSummary: share_weak, share_transition, share_strong,
}

/// The regime of several layers together.
///
/// # Errors
/// [`MetricError::Empty`] without a layer.
pub fn summarise_layers(regimes: &[Regime]) -> Result<LayersSummary, MetricError> {
    if regimes.is_empty() {
        return Err(MetricError::Empty { what: "layers" });
    }
    let count = |wanted: Regime| regimes.iter().filter(|regime| **regime == wanted).count();
    let share = |wanted| count(wanted) as f64 / regimes.len() as f64;
    let most = Regime::ALL
        .into_iter()
        .fold(Regime::Weak, |best, regime| if count(regime) > count(best) { regime } else { best });
    Ok(LayersSummary {
        regime: most,
        share_weak: share(Regime::Weak),
        share_transition: share(Regime::Transition),
        share_strong: share(Regime::Strong),
    })
}
