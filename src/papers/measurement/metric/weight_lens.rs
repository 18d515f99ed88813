//! M08: whether what a feature promotes is what it answers to.

use serde::Serialize;

use super::activations::Activations;
use super::directions::{block_ranges, check_directions, row_range};
use super::top_k::{TopK, jaccard, top_k_indices};
use super::{DecompositionError, Formula, MetricDescription, PassConditions, conditions, quantities, table};
use crate::Matrix;
use crate::linalg::product;
use crate::settings::Range;
use crate::statistics::{self, MetricError, mean_or_nan, median, standard_deviation};

/// What is said about it.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "m08",
    name: "WeightLens",
    source: "Golimblevskaia et al. (2026), ICLR 2026, arXiv:2510.14936",
    criteria: &["C5"],
    establishes: "whether the words that a feature's decoder promotes are those on which it is active",
    leaves_open: "which of the two descriptions is right",
    passes: PassConditions {
        document: conditions!["agreement" > AGREEMENT_MIN],
        code: conditions!["agreement" > AGREEMENT_MIN],
    },
    table: table! {
        "agreement" > 0.5 => "weights and activations describe features alike";
        "agreement" >= AGREEMENT_MIN, "agreement" <= 0.5 => "some features are described alike, others are not";
        "agreement" < AGREEMENT_MIN => "weights and activations describe different things";
        "frac_above" > 0.5 => "most active features are described alike one by one, whatever the mean is";
    },
    formula: Formula {
        document: "Jaccard index of the k words that W_dec W_U promotes most and the k words on which the feature is \
                   most active, in the mean over active features.",
        code: "The same.",
    },
    summary: ["agreement > 0.3"; 2],
    takes: &["sae", "top_k", "checkpoint"],
};

const AGREEMENT_MIN: f64 = 0.3;

/// Words of each of the two lists in the reference code.
pub const TOP_K: usize = 50;

/// How the two lists of words agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightLens {
    /// Mean over the features that are active somewhere, from 0 to 1; none where no feature is.
    pub agreement: Option<f64>,
    /// Their median.
    pub median: Option<f64>,
    /// Their standard deviation, of the population (ddof 0).
    pub std_pop: Option<f64>,
    /// Share of them above 0.3.
    pub frac_above: Option<f64>,
    /// How many features are active somewhere.
    pub active_features: usize,
    /// Of each feature the Jaccard index of its two lists; none of one that is never active.
    pub per_feature: Vec<Option<f64>>,
    /// Whether the mean exceeds 0.3.
    pub passed: Option<bool>,
}

quantities! {
    WeightLens: agreement, median, std_pop, frac_above, active_features,
}

/// Compares, for each feature, the words that it promotes with the words on which it is active.
///
/// # Formula
/// The k words with the largest (signed) entries of W_dec·W_U, against the k words with the largest positive
/// activation anywhere; of equal ones the first. Jaccard index, averaged over the features that are active
/// somewhere. Text and code agree.
///
/// `decoder` is F × D, `unembed` D × V, `activations` P × F; `tokens` are the P words at the positions. Features
/// are taken in blocks.
///
/// Source: Measurement Theory, M08 (arXiv:2510.14936).
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`]; [`MetricError::Index`] for a word
/// that there is not; a `top_k` outside 1 to V.
pub fn weight_lens(
    decoder: &Matrix,
    unembed: &Matrix,
    activations: Activations,
    tokens: &[u32],
    k: usize,
) -> Result<WeightLens, DecompositionError> {
    activations.check("activations")?;
    let (features, words) = (activations.feature_count(), unembed.cols());
    check_directions("the decoder", decoder, (features, decoder.cols()))?;
    statistics::check_shape("the unembedding", unembed, (decoder.cols(), words))?;
    statistics::check_matrix("the unembedding", unembed)?;
    check_tokens(tokens, activations.position_count(), words)?;
    Range { field: "top_k", min: 1.0, max: words as f64, whole: true }.check(k as f64)?;

    let mut per_feature = Vec::with_capacity(features);
    let mut on = MaxActivationByWord::new(words);
    for (from, to) in block_ranges(features) {
        let promoted = product(&row_range(decoder, from, to), unembed);
        let active = activations.feature_rows(from, to);
        for (promoted, active) in promoted.iter_rows().zip(active.iter_rows()) {
            let answered = on.top_k(active, tokens, k).indices();
            let promoted = || top_k_indices(k, promoted.iter().copied());
            let shared = (!answered.is_empty()).then(|| jaccard(&answered, &promoted()));
            per_feature.push(shared.flatten());
        }
    }
    let found: Vec<f64> = per_feature.iter().copied().flatten().collect();
    let above = found.iter().filter(|value| **value > AGREEMENT_MIN).count();
    let of_some = |value: f64| (!found.is_empty()).then_some(value);
    let agreement = of_some(mean_or_nan(&found));
    Ok(WeightLens {
        agreement,
        median: median(&found).ok(),
        std_pop: standard_deviation(&found, 0).ok(),
        frac_above: of_some(above as f64 / found.len().max(1) as f64),
        active_features: found.len(),
        per_feature,
        passed: agreement.map(|agreement| agreement > AGREEMENT_MIN),
    })
}

/// The two lists of words that are compared of one feature, what is first in each the strongest: those that it
/// promotes, and those on which it is active.
///
/// # Errors
/// As [`weight_lens`]; [`MetricError::Index`] for a feature that there is not.
pub(in crate::papers::measurement) fn feature_words(
    decoder: &Matrix,
    unembed: &Matrix,
    activations: Activations,
    tokens: &[u32],
    k: usize,
    feature: usize,
) -> Result<[Vec<usize>; 2], DecompositionError> {
    let (features, words) = (decoder.rows().min(activations.feature_count()), unembed.cols());
    if feature >= features {
        return Err(MetricError::Index { what: "feature", index: feature, len: features }.into());
    }
    check_tokens(tokens, activations.position_count(), words)?;
    let promoted = product(&row_range(decoder, feature, feature + 1), unembed);
    let mut strongest = TopK::new(k);
    promoted.data().iter().enumerate().for_each(|(at, value)| strongest.offer(*value, at, *value));
    let active = activations.feature_rows(feature, feature + 1);
    let answered = MaxActivationByWord::new(words).top_k(active.data(), tokens, k);
    Ok([strongest, answered].map(|list| list.entries().iter().map(|(_, word, _)| *word).collect()))
}

/// Refuses other than one word a position, and words that there are not.
pub(super) fn check_tokens(tokens: &[u32], positions: usize, words: usize) -> Result<(), MetricError> {
    if tokens.len() != positions {
        let (found, wanted) = ((1, tokens.len()), (1, positions));
        return Err(MetricError::Shape { what: "the words", found, wanted });
    }
    let unknown = tokens.iter().map(|token| *token as usize).find(|token| *token >= words);
    match unknown {
        Some(index) => Err(MetricError::Index { what: "word", index, len: words }),
        None => Ok(()),
    }
}

/// Of each word the largest positive activation on it, of one feature after the other.
struct MaxActivationByWord {
    most: Vec<f64>,
    words: Vec<usize>,
}

impl MaxActivationByWord {
    fn new(words: usize) -> Self {
        Self { most: vec![0.0; words], words: Vec::new() }
    }

    /// The k words with the largest positive activation.
    fn top_k(&mut self, active: &[f64], tokens: &[u32], k: usize) -> TopK {
        for (value, token) in active.iter().zip(tokens).filter(|(value, _)| **value > 0.0) {
            let word = *token as usize;
            let Some(most) = self.most.get_mut(word) else { continue };
            if *most <= 0.0 {
                self.words.push(word);
            }
            *most = most.max(*value);
        }
        self.words.sort_unstable();
        let mut found = TopK::new(k);
        for word in self.words.drain(..) {
            let most = self.most.get_mut(word).map(std::mem::take).unwrap_or_default();
            found.offer(most, word, most);
        }
        found
    }
}
