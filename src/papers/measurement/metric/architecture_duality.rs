//! M07: whether two autoencoders of the same activations find the same features.

use serde::Serialize;

use super::activations::Activations;
use super::directions::{NearestCosines, chance_agreement, check_directions};
use super::top_k::jaccard;
use super::{DecompositionError, Formula, MetricDescription, PassConditions, conditions, quantities, table};
use crate::Matrix;
use crate::settings::Range;
use crate::statistics::{MetricError, StatisticsError};

/// What is said about it. The table reads `agreement_document`; `agreement_code` is read alike.
pub const ABOUT: MetricDescription = MetricDescription {
    id: "m07",
    name: "architecture duality",
    source: "Lindsey et al. (2025), NeurIPS 2025",
    criteria: &["M2", "M6"],
    establishes: "whether two autoencoders of different kinds, of the same activations, have the same features",
    leaves_open: "whose features are right: both may share an artefact",
    passes: PassConditions {
        document: conditions!["agreement_document" > AGREEMENT_MIN],
        code: conditions!["agreement_code" > AGREEMENT_MIN],
    },
    table: table! {
        "agreement_document" > 0.5 => "most features do not depend on the kind of autoencoder";
        "agreement_document" >= AGREEMENT_MIN, "agreement_document" <= 0.5 =>
            "some features are found by both, many by one alone";
        "agreement_document" < AGREEMENT_MIN => "the kind of autoencoder decides what is found";
    },
    formula: Formula {
        document: "½ (J + D): J is the mean Jaccard index of the features active at a position, D = ½ (meanᵢ maxⱼ \
                   |cos(eᵢ, eⱼ)| + meanⱼ maxᵢ |cos(eᵢ, eⱼ)|) of encoder directions.",
        code: "½ (J + D): J is min(n_a, n_b) / max(n_a, n_b) of how many features are active, not of which; D is of \
               decoder directions.",
    },
    summary: ["agreement > 0.3"; 2],
    takes: &["sae", "beside", "checkpoint"],
};

const AGREEMENT_MIN: f64 = 0.3;

/// One of the two autoencoders.
#[derive(Clone, Copy, Debug)]
pub struct ComparedAutoencoder<'a> {
    /// Its features at the shared positions: P × F.
    pub activations: Activations<'a>,
    /// Its decoder's rows: F × D.
    pub decoder: &'a Matrix,
    /// Its encoder's rows, F × D; without them the document's reading has no value.
    pub encoder: Option<&'a Matrix>,
}

/// What may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// A feature is active where its |activation| exceeds this.
    pub threshold: f64,
    /// A feature of B is that feature of A whose |cosine| with it is largest, if it is this or more.
    pub match_cosine: f64,
    /// Positions of each prompt, one prompt after the other; empty: all are of one.
    pub prompts: Vec<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { threshold: 0.01, match_cosine: 0.7, prompts: Vec::new() }
    }
}

/// How two autoencoders agree. Every share is from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArchitectureDuality {
    /// The code's overlap: the lesser number of active features over the greater, whichever they are.
    pub feature_overlap_code: f64,
    /// The Jaccard index of active features once B's are named by A's that they match: this project's reading.
    pub feature_overlap_matched: f64,
    /// The text's overlap: the Jaccard index of the numbers of active features. Two autoencoders number their
    /// features as they please, so it says something only of one that was changed; and nothing of two widths.
    pub feature_overlap_document: f64,
    /// Agreement of the decoders' directions, as the code has it.
    pub direction_agreement: f64,
    /// Agreement of the encoders' directions, as the text has it; none without encoders.
    pub direction_agreement_document: Option<f64>,
    /// What random directions of that many features and dimensions agree by.
    pub direction_chance: f64,
    /// Mean of the code's overlap and the decoders' agreement.
    pub agreement_code: f64,
    /// Mean of the matched overlap and the decoders' agreement.
    pub agreement_matched: f64,
    /// Mean of the text's overlap and the encoders' agreement; none without encoders.
    pub agreement_document: Option<f64>,
    /// Whether the code's agreement exceeds 0.3.
    pub pass_code: bool,
    /// Whether the matched agreement does.
    pub pass_matched: bool,
    /// Whether the text's does.
    pub pass_document: Option<bool>,
    /// Of each feature of B the feature of A that it is, if any.
    pub matches: Vec<Option<usize>>,
}

quantities! {
    ArchitectureDuality: agreement_document, agreement_code, agreement_matched,
        feature_overlap_document, feature_overlap_code, feature_overlap_matched,
        direction_agreement_document, direction_agreement, direction_chance,
}

/// Compares two autoencoders A and B at the same positions.
///
/// # Formula
/// agreement = ½(overlap + direction agreement); direction agreement = ½(meanᵢ maxⱼ |cos(aᵢ, bⱼ)| +
/// meanⱼ maxᵢ |cos(aᵢ, bⱼ)|), lengths being 1e-8 at least; overlap is a mean over the positions where either has an
/// active feature, 0 without one. The code takes a mean for each prompt (0 where nothing is active) and then the mean
/// of these. Directions are compared in blocks: memory grows with F, not with F².
///
/// Source: Measurement Theory, M07 (Lindsey et al. 2025); the code's reading by `110_architecture_duality.py`.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`] where positions, features or widths
/// do not fit; [`StatisticsError::Lengths`] where prompts do not hold all positions; a threshold that is negative or
/// no number, a `match_cosine` outside 0 to 1.
pub fn architecture_duality(
    a: &ComparedAutoencoder,
    b: &ComparedAutoencoder,
    settings: &Settings,
) -> Result<ArchitectureDuality, DecompositionError> {
    Range::real("threshold", 0.0, f64::MAX).check(settings.threshold)?;
    Range::real("match_cosine", 0.0, 1.0).check(settings.match_cosine)?;
    a.activations.check("activations of A")?;
    b.activations.check("activations of B")?;
    let (positions, features) = (a.activations.position_count(), b.activations.feature_count());
    if b.activations.position_count() != positions {
        let found = (b.activations.position_count(), features);
        let wanted = (positions, features);
        return Err(MetricError::Shape { what: "activations of B", found, wanted }.into());
    }
    let width = a.decoder.cols();
    let wanted = |side: &ComparedAutoencoder| (side.activations.feature_count(), width);
    check_directions("decoder of A", a.decoder, wanted(a))?;
    check_directions("decoder of B", b.decoder, wanted(b))?;
    let prompts = prompt_lengths(&settings.prompts, positions)?;

    let nearest = NearestCosines::between(a.decoder, b.decoder);
    let matched = |(cosine, at): &(f64, usize)| (*cosine >= settings.match_cosine).then_some(*at);
    let matches: Vec<Option<usize>> = nearest.best_for_b.iter().map(matched).collect();
    let overlaps = measure_overlaps(a, b, settings.threshold, &matches, &prompts);

    let direction = nearest.agreement();
    let encoders = match (a.encoder, b.encoder) {
        (Some(first), Some(second)) => {
            check_directions("encoder of A", first, wanted(a))?;
            check_directions("encoder of B", second, wanted(b))?;
            Some(NearestCosines::between(first, second).agreement())
        }
        _ => None,
    };
    let mean = |overlap: f64, direction: f64| 0.5 * (overlap + direction);
    let agreement_code = mean(overlaps.code, direction);
    let agreement_matched = mean(overlaps.matched, direction);
    let agreement_document = encoders.map(|direction| mean(overlaps.document, direction));
    let chance = [a, b].map(|side| chance_agreement(width, side.activations.feature_count()));
    let [first, second] = chance;
    Ok(ArchitectureDuality {
        feature_overlap_code: overlaps.code,
        feature_overlap_matched: overlaps.matched,
        feature_overlap_document: overlaps.document,
        direction_agreement: direction,
        direction_agreement_document: encoders,
        direction_chance: mean(first?, second?),
        agreement_code,
        agreement_matched,
        agreement_document,
        pass_code: agreement_code > AGREEMENT_MIN,
        pass_matched: agreement_matched > AGREEMENT_MIN,
        pass_document: agreement_document.map(|agreement| agreement > AGREEMENT_MIN),
        matches,
    })
}

/// Positions of each prompt.
fn prompt_lengths(given: &[usize], positions: usize) -> Result<Vec<usize>, StatisticsError> {
    if given.is_empty() {
        return Ok(vec![positions]);
    }
    let first = given.iter().fold(0_usize, |sum, prompt| sum.saturating_add(*prompt));
    if first != positions {
        return Err(StatisticsError::Lengths { first, second: positions });
    }
    Ok(given.to_vec())
}

#[derive(Default)]
struct Overlaps {
    code: f64,
    document: f64,
    matched: f64,
}

fn measure_overlaps(
    a: &ComparedAutoencoder,
    b: &ComparedAutoencoder,
    threshold: f64,
    matches: &[Option<usize>],
    prompts: &[usize],
) -> Overlaps {
    let active = |row: Vec<(usize, f64)>| -> Vec<usize> {
        row.into_iter().filter(|(_, value)| value.abs() > threshold).map(|(at, _)| at).collect()
    };
    let beyond = a.activations.feature_count();
    let mut rows = a.activations.sparse_rows().zip(b.activations.sparse_rows());
    let (mut sums, mut positions, mut by_prompt) = (Overlaps::default(), 0, 0.0);
    for prompt in prompts {
        let (mut sum, mut counted) = (0.0, 0);
        for (here, there) in rows.by_ref().take(*prompt) {
            let (here, there) = (active(here), active(there));
            let Some(document) = jaccard(&here, &there) else { continue };
            // What matches nothing is a feature of its own.
            let named = |at: &usize| matches.get(*at).copied().flatten().unwrap_or(beyond + at);
            let mut names: Vec<usize> = there.iter().map(named).collect();
            names.sort_unstable();
            names.dedup();
            counted += 1;
            sum += here.len().min(there.len()) as f64 / here.len().max(there.len()) as f64;
            sums.document += document;
            sums.matched += jaccard(&here, &names).unwrap_or_default();
        }
        positions += counted;
        by_prompt += sum / f64::from(counted.max(1));
    }
    let mean = |sum: f64| sum / f64::from(positions.max(1));
    Overlaps { code: by_prompt / prompts.len() as f64, document: mean(sums.document), matched: mean(sums.matched) }
}
