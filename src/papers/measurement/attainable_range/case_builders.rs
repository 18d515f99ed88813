//! What cases are made of.

use super::CaseSeries;
use crate::linalg::{Matrix, product};
use crate::order::argsort_descending;
use crate::rng::NumpyRng;
use crate::statistics::StatisticsError;

/// A matrix by its entries.
pub(super) fn matrix_from_fn(rows: usize, cols: usize, value: impl Fn(usize, usize) -> f64) -> Matrix {
    let mut out = Matrix::zeros(rows, cols);
    for (at, entry) in out.data_mut().iter_mut().enumerate() {
        *entry = value(at / cols, at % cols);
    }
    out
}

pub(super) fn identity(size: usize) -> Matrix {
    matrix_from_fn(size, size, |row, col| if row == col { 1.0 } else { 0.0 })
}

/// Standard normal entries.
pub(super) fn normal_matrix(seed: u32, rows: usize, cols: usize) -> Matrix {
    Matrix::standard_normal(&mut NumpyRng::new(seed), rows, cols)
}

/// Of each row its largest entries, and 0 instead of the others.
pub(super) fn keep_top_k(mut codes: Matrix, kept: usize) -> Matrix {
    for index in 0..codes.rows() {
        let row = codes.row_mut(index);
        for at in argsort_descending(row.iter().copied()).into_iter().skip(kept) {
            if let Some(entry) = row.get_mut(at) {
                *entry = 0.0;
            }
        }
    }
    codes
}

/// `active` features that follow each other, one further at each position; of the last comes the first again.
pub(super) fn cyclic_activations(positions: usize, features: usize, active: usize) -> Matrix {
    matrix_from_fn(positions, features, |position, feature| {
        let after = (feature + features - position % features) % features;
        if after < active { 1.0 } else { 0.0 }
    })
}

/// Of each row of `b` the largest |cosine| with a row of `a`, falling.
pub(super) fn max_abs_cosines(a: &Matrix, b: &Matrix) -> Vec<f64> {
    let lengths = |matrix: &Matrix| -> Vec<f64> {
        matrix.iter_rows().map(|row| f64::sqrt(row.iter().map(|x| x * x).sum())).collect()
    };
    let (of_a, of_b) = (lengths(a), lengths(b));
    let products = product(b, &a.transposed());
    let each = products.iter_rows().zip(&of_b).map(|(row, length)| {
        let cosines = row.iter().zip(&of_a).map(|(value, other)| (value / (other * length)).abs());
        cosines.fold(0.0, f64::max)
    });
    let mut found = crate::order::sorted(each);
    found.reverse();
    found
}

pub(super) fn case_series(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> CaseSeries {
    let (x, y) = points.into_iter().unzip();
    CaseSeries { name: name.to_owned(), x, y }
}

/// Values by their numbers, from 1.
pub(super) fn indexed_series(name: &str, values: &[f64]) -> CaseSeries {
    case_series(name, values.iter().enumerate().map(|(at, value)| ((at + 1) as f64, *value)))
}

/// The same value from one place to another.
pub(super) fn constant_series(name: &str, (from, to): (f64, f64), value: f64) -> CaseSeries {
    case_series(name, [(from, value), (to, value)])
}

/// The expected Jaccard index of two lists of k different words that are drawn at random from a vocabulary: from 0 to
/// 1.
///
/// # Formula
/// E[i/(2k − i)] of the number i of words in both, which has the hypergeometric distribution.
///
/// # Errors
/// [`StatisticsError::TooFew`] unless the vocabulary has k words, and k is 1 or more.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::attainable_range::chance_overlap;
/// // Lists of 50 words agree by chance where there are about a hundred.
/// assert!(chance_overlap(100, 50)? > 0.3 && chance_overlap(144, 50)? < 0.3);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn chance_overlap(vocabulary: usize, k: usize) -> Result<f64, StatisticsError> {
    for (what, found, needed) in [("words of a list", k, 1), ("the vocabulary", vocabulary, k)] {
        if found < needed {
            return Err(StatisticsError::TooFew { what, found, needed });
        }
    }
    let factorial = |n: usize| libm::lgamma(n as f64 + 1.0);
    let choose = |n: usize, k: usize| factorial(n) - factorial(k) - factorial(n - k);
    let rest = vocabulary - k;
    let shared = k.saturating_sub(rest)..=k;
    let each = shared.map(|both| {
        let chance = choose(k, both) + choose(rest, k - both) - choose(vocabulary, k);
        libm::exp(chance) * both as f64 / (2 * k - both) as f64
    });
    Ok(each.sum())
}
