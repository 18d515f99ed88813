use super::Matrix;
use crate::kernel;

/// Means of the columns, summed about the first row: exact where a column is constant.
pub fn column_means(matrix: &Matrix) -> Vec<f64> {
    let mut means = vec![0.0; matrix.cols()];
    if matrix.rows() == 0 {
        return means;
    }
    let about = matrix.row(0);
    for row in matrix.iter_rows() {
        for ((sum, value), about) in means.iter_mut().zip(row).zip(about) {
            *sum += value - about;
        }
    }
    let rows = matrix.rows() as f64;
    means.iter_mut().zip(about).for_each(|(sum, about)| *sum = about + *sum / rows);
    means
}

/// Lengths below are taken for this.
pub const NORM_MIN: f64 = 1e-8;

/// Each row at length 1; a row shorter than 10⁻⁸ is divided by that.
#[must_use]
pub fn unit_rows(rows: &Matrix) -> Matrix {
    let mut out = rows.clone();
    for at in 0..out.rows() {
        let row = out.row_mut(at);
        let mut length = f64::sqrt(kernel::dot(row, row)).max(NORM_MIN);
        if length == f64::INFINITY {
            let largest = row.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            row.iter_mut().for_each(|value| *value /= largest);
            length = f64::sqrt(kernel::dot(row, row));
        }
        row.iter_mut().for_each(|value| *value /= length);
    }
    out
}

/// A matrix with its largest entry brought to between ½ and 1 by a power of two, which rounds nothing, and that power:
/// squares of what is tiny vanish, and of what is huge overflow.
pub fn scale_by_power_of_two(matrix: &Matrix) -> (Matrix, i32) {
    let size = matrix.data().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let exponent = libm::frexp(size).1;
    let mut out = matrix.clone();
    out.data_mut().iter_mut().for_each(|x| *x = libm::ldexp(*x, -exponent));
    (out, exponent)
}

/// The rows less their mean.
pub fn subtract_mean(h: &Matrix, mean: &[f64]) -> Matrix {
    let mut out = h.clone();
    for row in out.data_mut().chunks_exact_mut(mean.len()) {
        row.iter_mut().zip(mean).for_each(|(value, mean)| *value -= mean);
    }
    out
}
