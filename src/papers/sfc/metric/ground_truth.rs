use crate::Matrix;
use crate::statistics::MetricError;

/// Ground-truth completeness C_GT: how much of the planted circuit's directions the dictionary's
/// row space holds.
///
/// # Formula
/// C_GT = mean over the circuit's units u of ‖B·e_u‖², B (rank × D) an orthonormal basis of the row
/// space; from 0 to 1. For a random subspace its expectation is [`c_gt_chance`].
///
/// # Errors
/// [`MetricError::Empty`] for an empty circuit, [`MetricError::Index`] for a unit outside 0..D.
pub fn c_gt(basis: &Matrix, circuit: &[usize]) -> Result<f64, MetricError> {
    if circuit.is_empty() {
        return Err(MetricError::Empty { what: "the circuit" });
    }
    if let Some(&index) = circuit.iter().find(|unit| **unit >= basis.cols()) {
        return Err(MetricError::Index { what: "circuit unit", index, len: basis.cols() });
    }
    let held: f64 = basis.iter_rows().map(|row| circuit.iter().map(|&unit| row[unit] * row[unit]).sum::<f64>()).sum();
    Ok(held / circuit.len() as f64)
}

/// What C_GT is expected to be for a random K-dimensional subspace of D dimensions: K/D.
#[must_use]
pub fn c_gt_chance(k: usize, d: usize) -> f64 {
    k as f64 / d as f64
}
