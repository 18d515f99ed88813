use super::Matrix;
use crate::kernel;

/// The product A·B.
///
/// Every entry is summed over the inner dimension from its first index to its last, from 0.
///
/// # Panics
/// When the inner dimensions differ.
#[must_use]
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    assert_eq!(a.cols(), b.rows(), "inner dimensions of a product");
    let mut out = Matrix::zeros(a.rows(), b.cols());
    kernel::product(a.data(), b.data(), a.cols(), b.cols(), out.data_mut());
    out
}

/// max(0, A·B + bias), row by row, into `out` (rows of A × columns of B).
///
/// # Panics
/// When a length does not fit.
pub fn affine_relu(a: &[f64], b: &Matrix, bias: &[f64], out: &mut [f64]) {
    assert_eq!(bias.len(), b.cols(), "one bias a column");
    kernel::affine_relu(a, b.data(), b.rows(), bias, out);
}

/// The Gram matrix HᵀH, both triangles, summed as [`kernel::gram_upper`] says.
#[must_use]
pub fn gram(h: &Matrix) -> Matrix {
    let d = h.cols();
    let mut out = Matrix::zeros(d, d);
    kernel::gram_upper(h.data(), d, out.data_mut());
    for i in 0..d {
        for j in 0..i {
            out.row_mut(i)[j] = out.row(j)[i];
        }
    }
    out
}
