//! How good an autoencoder is by what is planted.

use super::ground::{Ground, actives, cosine, f1};
use crate::Matrix;
use crate::papers::sfc::metric::fidelity;
use crate::sae::Weights;
use crate::sae::active::is_active;
use crate::sae::recovery::{classification, matching};
use crate::statistics::MetricError;

/// What is known of an autoencoder without asking a metric.
pub(super) struct Known {
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
pub(super) fn known(
    ground: &Ground,
    weights: &Weights,
    codes: &Matrix,
) -> Result<Known, MetricError> {
    let active = codes.data().iter().filter(|code| is_active(**code)).count();
    let size = active as f64 / codes.rows().max(1) as f64;
    let truth = if let Some(truth) = &ground.truth {
        let best = matching(&truth.directions, &weights.decoder)?.best_match;
        // F1 is the same from either side.
        let found = classification(&truth.magnitudes, codes, &best)?;
        let cosines = truth.directions.iter_rows().zip(&best).map(|(planted, at)| {
            if *at < weights.decoder.rows() {
                cosine(planted, weights.decoder.row(*at))
            } else {
                0.0
            }
        });
        let each = cosines.zip(&found.f1_per_latent).map(|(cosine, f1)| cosine * f1);
        Some(each.sum::<f64>() / best.len().max(1) as f64)
    } else if !ground.texts.is_empty() {
        Some(
            concepts(ground, codes)
                * fidelity::cosine(&ground.rows, &rebuilt(ground, weights, codes))?,
        )
    } else {
        ground.kept(&rebuilt(ground, weights, codes)).transpose()?
    };
    Ok(Known { truth, size })
}

/// The reconstruction of a ground's rows, codes · decoder + bias with their normalisation undone: N × D.
pub(super) fn rebuilt(ground: &Ground, weights: &Weights, codes: &Matrix) -> Matrix {
    weights.decoded(codes, &ground.rows)
}

/// The mean over the language's concepts of the best latent's F1.
fn concepts(ground: &Ground, codes: &Matrix) -> f64 {
    let active = actives(codes, 0..codes.rows());
    let expressed = ground.expressed();
    let best = expressed.iter().map(|present| {
        let all = present.iter().filter(|present| **present).count();
        active.iter().map(|rows| f1(rows, present, all)).fold(0.0, f64::max)
    });
    best.sum::<f64>() / expressed.len().max(1) as f64
}
