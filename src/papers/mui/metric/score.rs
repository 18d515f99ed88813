//! How much each neuron contributes to the word that is said.

use crate::Matrix;
use crate::linalg::{ShapeError, product};

/// By how much a neuron that is active by 1 raises the logit of each word directly: neurons × words.
///
/// # Formula
/// W_out·W_U (Eq. 2; the final layer normalisation is left out there, and so it is here). `out` is neurons ×
/// d_model, `unembed` d_model × words.
///
/// # Errors
/// [`ShapeError`] where the two do not share d_model.
pub fn direct_logit_effects(out: &Matrix, unembed: &Matrix) -> Result<Matrix, ShapeError> {
    if out.cols() != unembed.rows() {
        let wanted = (out.cols(), unembed.cols());
        return Err(ShapeError { what: "the unembedding", found: unembed.shape(), wanted });
    }
    Ok(product(out, unembed))
}

/// Each neuron's contribution to a word: its activation times what it [promotes](direct_logit_effects) (Eq. 2). The sum
/// over a layer's neurons is what the layer adds to the word's logit directly, but for its bias.
///
/// # Panics
/// Where there is no such word.
#[must_use]
pub fn contributions(promotions: &Matrix, word: usize, activations: &[f64]) -> Vec<f64> {
    let each = promotions.iter_rows().zip(activations);
    each.map(|(row, activation)| row[word] * activation).collect()
}

/// Where integrated gradients are evaluated between nothing and the activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegrationNodes {
    /// At k/m for k = 1 to m (Eq. 14).
    Document,
    /// At m points from 0 to 1, both among them, their mean taken all the same.
    Code,
}

impl IntegrationNodes {
    /// The `k`-th of `count`, from 0.
    #[must_use]
    pub fn position(self, k: usize, count: usize) -> f64 {
        match self {
            Self::Document => (k + 1) as f64 / count as f64,
            // One point from 0 to 1 is 0.
            Self::Code => k as f64 / count.saturating_sub(1).max(1) as f64,
        }
    }
}

/// Each neuron's attribution by integrated gradients of ln softmax(activations·promotions)\[word\] (Eq. 14):
/// its activation times the mean gradient at `count` multiples of all activations.
///
/// # Panics
/// Where there is no such word.
#[must_use]
pub fn integrated_gradients(
    promotions: &Matrix,
    word: usize,
    activations: &[f64],
    count: usize,
    nodes: IntegrationNodes,
) -> Vec<f64> {
    let mut logits = vec![0.0; promotions.cols()];
    for (row, activation) in promotions.iter_rows().zip(activations) {
        logits.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * activation);
    }
    let mut sums = vec![0.0; activations.len()];
    for k in 0..count {
        let share = nodes.position(k, count);
        let scaled: Vec<f64> = logits.iter().map(|logit| share * logit).collect();
        let most = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = scaled.iter().map(|logit| libm::exp(logit - most)).collect();
        let total: f64 = weights.iter().sum();
        for (sum, row) in sums.iter_mut().zip(promotions.iter_rows()) {
            let mean: f64 = row.iter().zip(&weights).map(|(x, weight)| x * weight).sum();
            *sum += row[word] - mean / total;
        }
    }
    let each = sums.iter().zip(activations);
    each.map(|(sum, activation)| activation * sum / count.max(1) as f64).collect()
}
