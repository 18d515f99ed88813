//! How good an autoencoder is by what is planted.

use super::ground_truth::{GroundTruth, abs_cosine, active_rows, f1_score};
use crate::Matrix;
use crate::papers::sfc::metric::fidelity;
use crate::sae::Weights;
use crate::sae::activity::is_active;
use crate::sae::recovery::{classify_latents, match_directions};
use crate::statistics::MetricError;

/// What is known of an autoencoder without asking a metric.
pub(super) struct TruthAndSize {
    /// More is better; none where nothing is planted.
    pub truth: Option<f64>,
    /// Mean active latents of a row.
    pub size: f64,
}

/// Of codes (N × F) and an autoencoder at the rows of a ground.
///
/// Planted directions: the mean over them of the largest |cosine| of a latent's direction, times F1 of that latent's being
/// active where the direction is there. A planted circuit: the share of its subspace that the reconstruction keeps. The
/// planted language: the mean over its concepts of the best latent's F1, times the reconstruction's mean cosine.
pub(super) fn truth_and_size(
    ground: &GroundTruth,
    weights: &Weights,
    codes: &Matrix,
) -> Result<TruthAndSize, MetricError> {
    let active = codes.data().iter().filter(|code| is_active(**code)).count();
    let size = active as f64 / codes.rows().max(1) as f64;
    let truth = if let Some(truth) = &ground.planted_features {
        let best = match_directions(&truth.directions, &weights.decoder)?.best_match;
        // F1 is the same from either side.
        let found = classify_latents(&truth.magnitudes, codes, &best)?;
        let cosines = truth.directions.iter_rows().zip(&best).map(|(planted, at)| {
            if *at < weights.decoder.rows() { abs_cosine(planted, weights.decoder.row(*at)) } else { 0.0 }
        });
        let each = cosines.zip(&found.f1_per_latent).map(|(cosine, f1)| cosine * f1);
        Some(each.sum::<f64>() / best.len().max(1) as f64)
    } else if !ground.texts.is_empty() {
        Some(
            mean_concept_f1(ground, codes) * fidelity::cosine(&ground.rows, &reconstruct_rows(ground, weights, codes))?,
        )
    } else {
        ground.subspace_variance_kept(&reconstruct_rows(ground, weights, codes)).transpose()?
    };
    Ok(TruthAndSize { truth, size })
}

/// The reconstruction of a ground's rows, codes · decoder + bias with their normalisation undone: N × D.
pub(super) fn reconstruct_rows(ground: &GroundTruth, weights: &Weights, codes: &Matrix) -> Matrix {
    weights.decode(codes, &ground.rows)
}

/// The mean over the language's concepts of the best latent's F1.
fn mean_concept_f1(ground: &GroundTruth, codes: &Matrix) -> f64 {
    let active = active_rows(codes, 0..codes.rows());
    let expressed = ground.concept_labels();
    let best = expressed.iter().map(|present| {
        let all = present.iter().filter(|present| **present).count();
        active.iter().map(|rows| f1_score(rows, present, all)).fold(0.0, f64::max)
    });
    best.sum::<f64>() / expressed.len().max(1) as f64
}
