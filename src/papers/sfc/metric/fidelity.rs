//! Fidelity F: how well the reconstruction agrees with the activations (Eq. 2).

use serde::{Deserialize, Serialize};

use crate::Matrix;
use crate::kernel::dot;
use crate::linalg::column_means;
use crate::statistics::{MetricError, check_matrix, check_shape, squared_error, total_sum_of_squares};

/// How fidelity (Eq. 2) is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FidelityMode {
    /// Mean cosine of each row and its reconstruction (the paper's default).
    #[default]
    Cosine,
    /// 1 − SSE/SST, the total about the mean activation.
    R2,
    /// 1 − SSE/Σ‖a‖².
    RelMse,
}

/// Fidelity in the given mode; `a` and `a_hat` are N × D. Cosines carry the recipe's
/// [`COSINE_GUARD`].
///
/// # Errors
/// As the mode's own function.
pub fn fidelity(mode: FidelityMode, a: &Matrix, a_hat: &Matrix) -> Result<f64, MetricError> {
    match mode {
        FidelityMode::Cosine => guarded_cosine(a, a_hat, COSINE_GUARD),
        FidelityMode::R2 => r2(a, a_hat),
        FidelityMode::RelMse => relative_mse(a, a_hat),
    }
}

fn check_reconstruction(a: &Matrix, a_hat: &Matrix) -> Result<(), MetricError> {
    check_matrix("activations", a)?;
    check_shape("reconstruction", a_hat, a.shape())?;
    check_matrix("reconstruction", a_hat)
}

/// What the paper's recipe adds to the product of the norms, so that a row without norm divides by
/// something. On its data this lowers F by 3 · 10⁻¹²; full precision needs it all the same.
pub const COSINE_GUARD: f64 = 1e-10;

/// Mean cosine of each row and its reconstruction (Eq. 2).
///
/// # Formula
/// F = 1/N Σᵢ aᵢ·âᵢ / (‖aᵢ‖‖âᵢ‖), from −1 to 1. A row in which either norm is zero counts as 0; the
/// paper is silent there.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`].
pub fn cosine(a: &Matrix, a_hat: &Matrix) -> Result<f64, MetricError> {
    guarded_cosine(a, a_hat, 0.0)
}

/// As [`cosine`], with `guard` added to the product of the norms: [`COSINE_GUARD`] is the recipe's.
///
/// # Errors
/// As [`cosine`].
pub fn guarded_cosine(a: &Matrix, a_hat: &Matrix, guard: f64) -> Result<f64, MetricError> {
    check_reconstruction(a, a_hat)?;
    let total: f64 = a
        .iter_rows()
        .zip(a_hat.iter_rows())
        .map(|(a, b)| {
            let norms = f64::sqrt(dot(a, a)) * f64::sqrt(dot(b, b));
            if norms > 0.0 { dot(a, b) / (norms + guard) } else { 0.0 }
        })
        .sum();
    Ok(total / a.rows() as f64)
}

/// Share of the activations' variance that the reconstruction explains.
///
/// # Formula
/// R² = 1 − Σ‖aᵢ − âᵢ‖² / Σ‖aᵢ − ā‖², ā the mean row; at most 1.
///
/// # Errors
/// [`MetricError::Constant`] when all rows are equal; otherwise as [`cosine`].
pub fn r2(a: &Matrix, a_hat: &Matrix) -> Result<f64, MetricError> {
    check_reconstruction(a, a_hat)?;
    let total = total_sum_of_squares(a, &column_means(a));
    if total > 0.0 {
        Ok(1.0 - squared_error(a, a_hat) / total)
    } else {
        Err(MetricError::Constant { what: "the activations" })
    }
}

/// One less the relative squared error.
///
/// # Formula
/// 1 − Σ‖aᵢ − âᵢ‖² / Σ‖aᵢ‖²; at most 1.
///
/// # Errors
/// [`MetricError::Constant`] when all activations are zero; otherwise as [`cosine`].
pub fn relative_mse(a: &Matrix, a_hat: &Matrix) -> Result<f64, MetricError> {
    check_reconstruction(a, a_hat)?;
    let total: f64 = a.iter_rows().map(|row| dot(row, row)).sum();
    if total > 0.0 {
        Ok(1.0 - squared_error(a, a_hat) / total)
    } else {
        Err(MetricError::Constant { what: "the activations" })
    }
}
