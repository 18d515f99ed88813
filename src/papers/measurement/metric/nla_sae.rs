//! EX34: whether a direction's activations and its weights tell of the same words.

use serde::Serialize;

use super::directions::{block_ranges, check_directions, row_range};
use super::superposition::svd;
use super::top_k::{TopK, jaccard, top_k_indices};
use super::weight_lens::check_tokens;
use super::{Condition, DecompositionError, Formula, MetricDescription, PassConditions, quantities};
use crate::linalg::{column_means, first_singular_vector, product, subtract_mean};
use crate::settings::Range;
use crate::statistics::{self, MetricError, mean_or_nan, standard_deviation};
use crate::{Matrix, kernel};

/// What is said about it. The text has no table. The code looks at the overlap alone where it sums up.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "ex34",
    name: "NLA–SAE convergence",
    source: "derived from Anthropic (2026), \"Natural Language Autoencoders\", transformer-circuits.pub/2026/nla",
    criteria: &["C5"],
    establishes: "whether a direction is described alike by the words on which it is strong and by those it promotes or suppresses",
    leaves_open: "which of the two descriptions is right",
    passes: PassConditions {
        document: &[
            Condition::above("mean_token_overlap", OVERLAP_MIN),
            Condition::above("mean_direction_cosine", COSINE_MIN),
        ],
        code: &[Condition::above("mean_token_overlap", OVERLAP_MIN)],
    },
    table: &[],
    formula: Formula {
        document: "Jaccard index of the words at the k positions with the largest |x · d| and the k words with the \
                   largest |d W_U|; cosine of d with the first principal component of those positions.",
        code: "The same of random directions; the aggregate passes by the overlap alone.",
    },
    summary: ["overlap > 0.3, cosine > 0.5"; 2],
    takes: &["sae", "top_k", "n_features", "n_samples", "checkpoint"],
};

const OVERLAP_MIN: f64 = 0.3;
const COSINE_MIN: f64 = 0.5;

/// Words of each of the two lists in the reference code.
pub const TOP_K: usize = 20;
/// Positions that the reference code wants beyond k.
pub const SPARE_POSITIONS: usize = 5;

/// What was found of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Convergence {
    /// Jaccard index of the two lists of words, from 0 to 1; 1 of two empty ones.
    pub token_overlap: f64,
    /// |cosine| with the first principal component of the residual stream where it is strongest; 1 with fewer than three
    /// positions, 0 where the stream is the same at all of them.
    pub direction_cosine: f64,
}

/// What was found of several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NlaSae {
    /// Mean over the directions.
    pub mean_token_overlap: f64,
    /// Mean over the directions.
    pub mean_direction_cosine: f64,
    /// Standard deviation of the population.
    pub std_token_overlap: f64,
    /// Standard deviation of the population.
    pub std_direction_cosine: f64,
    /// Whether the overlap exceeds 0.3 and the cosine 0.5, as the text has it.
    pub passed: bool,
    /// Whether the overlap does, which is all that the code asks where it sums up.
    pub pass_overlap_only: bool,
    /// Whether there are k + 5 positions: the code leaves out what has fewer.
    pub enough_positions: bool,
    /// Of each direction.
    pub per_feature: Vec<Convergence>,
}

quantities! {
    NlaSae: mean_token_overlap, mean_direction_cosine, std_token_overlap, std_direction_cosine,
}

/// Describes directions by where they are strong, and by what they promote or suppress.
///
/// # Formula
/// The words at the k positions with the largest |x·d|, against the k words with the largest |d·W_U| (of equal ones
/// the first); and |cos(d, first principal component of the x at these positions, less their mean)|.
///
/// `directions` is F × D, `activations` the residual stream, P × D, `unembed` D × V; `tokens` are the P words. Text and
/// code agree in the formula; the code draws its directions at random, which is for the caller to do.
///
/// Source: Measurement Theory, EX34; `133_nla_sae_convergence.py`.
///
/// # Errors
/// [`MetricError`]: nothing, what is no number, shapes that do not fit, a word that there is
/// not, no decomposition; a `top_k` below 1.
pub fn nla_sae(
    directions: &Matrix,
    activations: &Matrix,
    tokens: &[u32],
    unembed: &Matrix,
    k: usize,
) -> Result<NlaSae, DecompositionError> {
    statistics::check_matrix("activations", activations)?;
    let (positions, width) = activations.shape();
    check_directions("directions", directions, (directions.rows(), width))?;
    check_directions("the unembedding", unembed, (width, unembed.cols()))?;
    check_tokens(tokens, positions, unembed.cols())?;
    Range { field: "top_k", min: 1.0, max: f64::from(u32::MAX), whole: true }.check(k as f64)?;

    let mut per_feature = Vec::with_capacity(directions.rows());
    let stream = activations.transposed();
    for (from, to) in block_ranges(directions.rows()) {
        let some = row_range(directions, from, to);
        let (strengths, promoted) = (product(&some, &stream), product(&some, unembed));
        let rows = some.iter_rows().zip(strengths.iter_rows().zip(promoted.iter_rows()));
        for (direction, (strengths, promoted)) in rows {
            let strongest = top_k_by_magnitude(k, strengths);
            let mut words: Vec<usize> = strongest
                .entries()
                .iter()
                .filter_map(|(_, at, _)| tokens.get(*at).map(|token| *token as usize))
                .collect();
            words.sort_unstable();
            words.dedup();
            let promoted = top_k_indices(k, promoted.iter().map(|value| value.abs()));
            let mut where_strong = Matrix::zeros(strongest.entries().len(), width);
            for (row, (_, at, _)) in strongest.entries().iter().enumerate() {
                where_strong.row_mut(row).copy_from_slice(activations.row(*at));
            }
            per_feature.push(Convergence {
                token_overlap: jaccard(&words, &promoted).unwrap_or(1.0),
                direction_cosine: cosine_with_first_component(direction, &where_strong)?,
            });
        }
    }
    let overlaps: Vec<f64> = per_feature.iter().map(|found| found.token_overlap).collect();
    let cosines: Vec<f64> = per_feature.iter().map(|found| found.direction_cosine).collect();
    let (overlap, cosine) = (mean_or_nan(&overlaps), mean_or_nan(&cosines));
    Ok(NlaSae {
        mean_token_overlap: overlap,
        mean_direction_cosine: cosine,
        std_token_overlap: standard_deviation(&overlaps, 0)?,
        std_direction_cosine: standard_deviation(&cosines, 0)?,
        passed: overlap > OVERLAP_MIN && cosine > COSINE_MIN,
        pass_overlap_only: overlap > OVERLAP_MIN,
        enough_positions: positions >= k.saturating_add(SPARE_POSITIONS),
        per_feature,
    })
}

/// The k largest of numbers by their size; of equal ones the first.
fn top_k_by_magnitude(k: usize, values: &[f64]) -> TopK {
    let mut strongest = TopK::new(k);
    values.iter().enumerate().for_each(|(at, value)| strongest.offer(value.abs(), at, *value));
    strongest
}

/// The two lists of words that are compared of one direction, what is first in each the strongest.
pub(in crate::papers::measurement) struct DirectionWords {
    /// The words at the positions where it is strong, each once.
    pub strong_on: Vec<usize>,
    /// Those that it promotes or suppresses, with whether it promotes them.
    pub promoted_or_suppressed: Vec<(usize, bool)>,
}

/// The lists of one direction.
///
/// # Errors
/// As [`nla_sae`].
pub(in crate::papers::measurement) fn direction_words(
    direction: &[f64],
    activations: &Matrix,
    tokens: &[u32],
    unembed: &Matrix,
    k: usize,
) -> Result<DirectionWords, DecompositionError> {
    let width = activations.cols();
    check_tokens(tokens, activations.rows(), unembed.cols())?;
    check_directions("the unembedding", unembed, (width, unembed.cols()))?;
    let direction = Matrix::from_vec(1, direction.len(), direction.to_vec()).map_err(MetricError::from)?;
    check_directions("directions", &direction, (1, width))?;
    let strengths = product(&direction, &activations.transposed());
    let mut strong_on = Vec::new();
    for (_, at, _) in top_k_by_magnitude(k, strengths.data()).entries() {
        let Some(word) = tokens.get(*at).map(|token| *token as usize) else { continue };
        if !strong_on.contains(&word) {
            strong_on.push(word);
        }
    }
    let promoted = top_k_by_magnitude(k, product(&direction, unembed).data());
    let moved = promoted.entries().iter().map(|(_, word, value)| (*word, *value > 0.0)).collect();
    Ok(DirectionWords { strong_on, promoted_or_suppressed: moved })
}

/// |cosine| of a direction with the first principal component of rows.
fn cosine_with_first_component(direction: &[f64], rows: &Matrix) -> Result<f64, DecompositionError> {
    if rows.rows() < 3 {
        return Ok(1.0);
    }
    let centred = subtract_mean(rows, &column_means(rows));
    let first = match first_singular_vector(&centred) {
        Some(first) => unit_vector(first),
        // What is too small or too large to be squared, and more positions than dimensions.
        None => {
            let found = svd(&centred)?;
            let Some(first) = found.vector_indices.first() else { return Ok(0.0) };
            found.vectors.row(*first).to_vec()
        }
    };
    let lengths = (norm(direction) * norm(&first)).max(super::directions::NORM_MIN);
    Ok(kernel::dot(direction, &first).abs() / lengths)
}

fn norm(row: &[f64]) -> f64 {
    f64::sqrt(kernel::dot(row, row))
}

/// Of length 1, unless it has none.
fn unit_vector(mut row: Vec<f64>) -> Vec<f64> {
    let length = norm(&row);
    if length > 0.0 {
        row.iter_mut().for_each(|value| *value /= length);
    }
    row
}
