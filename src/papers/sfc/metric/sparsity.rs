use crate::Matrix;
use crate::sae::activity::is_active;
use crate::statistics::{MetricError, check_matrix};

pub use crate::sae::activity::ACTIVE_THRESHOLD;

/// Sparsity S: one less the mean share of active codes (Eq. 1).
///
/// # Formula
/// S = 1 − 1/N Σᵢ ‖cᵢ‖₀ / K, counting |c| > τ, τ = [`ACTIVE_THRESHOLD`]; `codes` is N × K. From 0
/// (every code active on every row) to 1 (none ever).
///
/// # Errors
/// [`MetricError::Empty`] and [`MetricError::NonFinite`].
///
/// # Examples
/// ```
/// use sfc_bench::Matrix;
/// use sfc_bench::papers::sfc::metric;
/// let codes = Matrix::from_rows(&[vec![1.0, 0.0], vec![0.0, 1e-7]])?;
/// assert_eq!(metric::sparsity(&codes)?, 0.75);
/// # Ok::<(), sfc_bench::statistics::MetricError>(())
/// ```
pub fn sparsity(codes: &Matrix) -> Result<f64, MetricError> {
    check_matrix("codes", codes)?;
    let active = codes.data().iter().filter(|code| is_active(**code)).count();
    Ok(1.0 - active as f64 / codes.data().len() as f64)
}
