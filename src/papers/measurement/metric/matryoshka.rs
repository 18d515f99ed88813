//! M11: whether the features of a small dictionary live on in a large one.

use serde::Serialize;

use super::activations::Activations;
use super::directions::{BLOCK_ROWS, NORM_MIN, block_ranges, check_directions, unit_rows};
use super::top_k::TopK;
use super::{DecompositionError, Formula, MetricDescription, PassConditions, conditions, quantities, table};
use crate::linalg::product;
use crate::settings::Range;
use crate::statistics::MetricError;
use crate::{Matrix, kernel};

/// What is said about it. Of rates the text says "high" and "low" without a number: here above 0.3 or not, as the
/// pass condition has it of their mean.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "m11",
    name: "Matryoshka cross-scale consistency",
    source: "arXiv:2503.17547, NeurIPS 2025",
    criteria: &["M1", "M2"],
    establishes: "whether features stay, or split into related ones, as the dictionary grows",
    leaves_open: "which width is right",
    passes: PassConditions {
        document: conditions!["consistency_document" > CONSISTENCY_MIN],
        code: conditions!["consistency_code" > CONSISTENCY_MIN],
    },
    table: table! {
        "consistency_document" > CONSISTENCY_MIN => "features do not depend on the width";
        "splitting_rate" > HIGH_RATE, "absorption_rate_document_all_large" <= HIGH_RATE =>
            "small features fall into unrelated pieces: the small dictionary lumps together";
        "splitting_rate" <= HIGH_RATE, "absorption_rate_document_all_large" > HIGH_RATE =>
            "one large feature stands for several small ones: the large dictionary tells too little apart";
        "splitting_rate" > HIGH_RATE, "absorption_rate_document_all_large" > HIGH_RATE =>
            "features of the two widths have little to do with each other";
    },
    formula: Formula {
        document: "1 − ½ (splitting + absorption). Splitting: share of small features whose k best correlated large \
                   features have a mean |cos| below 0.5. Absorption: share of all large features that are the best \
                   of several small ones.",
        code: "The same, absorption being a share of those large features that are the best of any small one.",
    },
    summary: ["consistency > 0.7"; 2],
    takes: &["sae", "small", "top_k", "checkpoint"],
};

const CONSISTENCY_MIN: f64 = 0.7;
const HIGH_RATE: f64 = 0.3;

/// The large features that a small one is held against: the command line's default of the reference code.
pub const TOP_K: usize = 20;
/// Mean |cosine| below which a small feature counts as split.
pub const COSINE_THRESHOLD: f64 = 0.5;

/// How two widths correspond. Every rate is from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matryoshka {
    /// Of each small feature the large ones with the largest |correlation|: number and correlation.
    pub correspondence: Vec<Vec<(usize, f64)>>,
    /// Of each small feature the mean |cosine| among those large features' directions; 1 of a single one.
    pub coherence: Vec<f64>,
    /// Share of small features with a coherence below the threshold.
    pub splitting_rate: f64,
    /// Large features that are the best of several small ones, over those that are the best of any.
    pub absorption_rate_code: f64,
    /// The same over all large features, as the text has it.
    pub absorption_rate_document_all_large: f64,
    /// The code's rate without the small features that never vary: they correlate with nothing, and the code has
    /// all of them absorbed into the first large feature.
    pub absorption_rate_alive_only: f64,
    /// 1 − ½(splitting + the code's absorption).
    pub consistency_code: f64,
    /// 1 − ½(splitting + the text's absorption).
    pub consistency_document: f64,
    /// Whether the code's exceeds 0.7.
    pub pass_code: bool,
    /// Whether the text's does.
    pub pass_document: bool,
    /// Of each small feature the large one with the largest |correlation|.
    pub best_large: Vec<usize>,
    /// Small features that correlate with nothing.
    pub dead_small: usize,
}

quantities! {
    Matryoshka: consistency_document, consistency_code, splitting_rate,
        absorption_rate_document_all_large, absorption_rate_code, absorption_rate_alive_only,
        dead_small,
}

/// Compares a small dictionary's features with a large one's at the same positions.
///
/// # Formula
/// Pearson's correlation of every small with every large feature over the positions, the lengths of centred
/// activations being 1e-8 at least. Of each small feature i the k large ones with the largest |correlation| (of equal
/// ones the first; all where there are no k): coherence = mean |cos| of their decoder rows, pair by pair. Correlations
/// are made in blocks, of which the k largest stay.
///
/// `small` is P × F, `large` P × G, `decoder` the large one's, G × D. The text and the code differ in what absorption is
/// a share of.
///
/// Source: Measurement Theory, M11 (arXiv:2503.17547); the code's reading by `118_matryoshka.py`.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`]; a `top_k` below 1, a threshold outside
/// 0 to 1.
pub fn matryoshka(
    small: Activations,
    large: Activations,
    decoder: &Matrix,
    k: usize,
    cosine_threshold: f64,
) -> Result<Matryoshka, DecompositionError> {
    small.check("activations of the small dictionary")?;
    large.check("activations of the large dictionary")?;
    let (positions, features, larges) = (small.position_count(), small.feature_count(), large.feature_count());
    if large.position_count() != positions {
        let found = (large.position_count(), larges);
        let what = "activations of the large dictionary";
        return Err(MetricError::Shape { what, found, wanted: (positions, larges) }.into());
    }
    check_directions("the large decoder", decoder, (larges, decoder.cols()))?;
    Range { field: "top_k", min: 1.0, max: f64::from(u32::MAX), whole: true }.check(k as f64)?;
    Range::real("cosine_threshold", 0.0, 1.0).check(cosine_threshold)?;

    let found = top_correlations(small, large, k);
    let unit = unit_rows(decoder);
    let coherence: Vec<f64> = found.iter().map(|found| mean_abs_cosine(&unit, found)).collect();
    let best_large: Vec<usize> =
        found.iter().map(|found| found.entries().first().map_or(0, |(_, at, _)| *at)).collect();
    let alive: Vec<bool> =
        found.iter().map(|found| found.entries().first().is_some_and(|(most, _, _)| *most > 0.0)).collect();

    let split = coherence.iter().filter(|value| **value < cosine_threshold).count();
    let splitting_rate = split as f64 / features as f64;
    let all = count_absorbed(larges, best_large.iter().copied());
    let living = best_large.iter().zip(&alive).filter(|(_, alive)| **alive);
    let living = count_absorbed(larges, living.map(|(best, _)| *best));
    let rate = |(several, any): (usize, usize)| several as f64 / any.max(1) as f64;
    let absorption_rate_document_all_large = all.0 as f64 / larges as f64;
    let consistency = |absorption: f64| 1.0 - 0.5 * (splitting_rate + absorption);
    let consistency_code = consistency(rate(all));
    let consistency_document = consistency(absorption_rate_document_all_large);
    Ok(Matryoshka {
        correspondence: found
            .iter()
            .map(|found| found.entries().iter().map(|(_, at, value)| (*at, *value)).collect())
            .collect(),
        coherence,
        splitting_rate,
        absorption_rate_code: rate(all),
        absorption_rate_document_all_large,
        absorption_rate_alive_only: rate(living),
        consistency_code,
        consistency_document,
        pass_code: consistency_code > CONSISTENCY_MIN,
        pass_document: consistency_document > CONSISTENCY_MIN,
        best_large,
        dead_small: alive.iter().filter(|alive| !**alive).count(),
    })
}

/// Some features' activations less their means, over their lengths: positions × features.
fn standardise(activations: Activations, from: usize, to: usize) -> Matrix {
    let mut out = activations.feature_columns(from, to);
    // About the first value, so that what is constant comes to exactly 0.
    let about = out.iter_rows().next().map(<[f64]>::to_vec).unwrap_or_default();
    let positions = out.rows();
    let mut means = vec![0.0; about.len()];
    for position in 0..positions {
        let row = out.row_mut(position).iter_mut().zip(&about);
        for ((value, about), sum) in row.zip(&mut means) {
            *value -= about;
            *sum += *value;
        }
    }
    means.iter_mut().for_each(|sum| *sum /= positions as f64);
    let mut lengths = vec![0.0; about.len()];
    for position in 0..positions {
        let row = out.row_mut(position).iter_mut().zip(&means);
        for ((value, mean), squares) in row.zip(&mut lengths) {
            *value -= mean;
            *squares += *value * *value;
        }
    }
    lengths.iter_mut().for_each(|squares| *squares = f64::sqrt(*squares).max(NORM_MIN));
    for position in 0..positions {
        let row = out.row_mut(position).iter_mut();
        row.zip(&lengths).for_each(|(value, length)| *value /= length);
    }
    out
}

/// Entries of a block of the large dictionary's features at all positions, and of their correlations with a block of the
/// small one's: 64 MB each.
const BLOCK_ENTRIES_MAX: usize = 1 << 23;

/// Of each small feature the k large ones with the largest |correlation|.
fn top_correlations(small: Activations, large: Activations, k: usize) -> Vec<TopK> {
    let positions = small.position_count();
    let mut found = vec![TopK::new(k); small.feature_count()];
    // The small dictionary's are standardised once for each block of the large one's: these are as many as may be.
    let wide = (BLOCK_ENTRIES_MAX / positions.max(BLOCK_ROWS)).max(BLOCK_ROWS);
    for first_large in (0..large.feature_count()).step_by(wide) {
        let right = standardise(large, first_large, first_large.saturating_add(wide));
        for (first, end) in block_ranges(small.feature_count()) {
            let left = standardise(small, first, end).transposed();
            let correlations = product(&left, &right);
            for (found, row) in found.iter_mut().skip(first).zip(correlations.iter_rows()) {
                for (at, value) in row.iter().enumerate() {
                    found.offer(value.abs(), first_large + at, *value);
                }
            }
        }
    }
    found
}

/// Mean |cosine| of pairs of unit rows; 1 of a single one.
fn mean_abs_cosine(unit: &Matrix, found: &TopK) -> f64 {
    let rows: Vec<&[f64]> = found.entries().iter().map(|(_, at, _)| unit.row(*at)).collect();
    if rows.len() < 2 {
        return 1.0;
    }
    let (mut sum, mut pairs) = (0.0, 0);
    for (index, first) in rows.iter().enumerate() {
        for second in rows.iter().skip(index + 1) {
            sum += kernel::dot(first, second).abs();
            pairs += 1;
        }
    }
    sum / f64::from(pairs)
}

/// How many large features are the best of several small ones, and of any.
fn count_absorbed(larges: usize, best: impl Iterator<Item = usize>) -> (usize, usize) {
    let mut counts = vec![0_usize; larges];
    for best in best {
        if let Some(count) = counts.get_mut(best) {
            *count += 1;
        }
    }
    let at_least = |least| counts.iter().filter(|count| **count >= least).count();
    (at_least(2), at_least(1))
}
