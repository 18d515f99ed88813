use std::f64::consts::FRAC_1_SQRT_2;

use super::correlation::unit_deviations;
use super::error::{check_lengths, check_ordered};
use super::{Correlation, StatisticsError, TieMethod, ranks};

/// A weighted mean of Spearman's correlations over places that have the same subjects, and how surprising it would be if
/// which subject has which y were chance, the same in all places.
///
/// # Formula
/// With the average ranks of a place as deviations of length 1, x and y, its ρ is Σₛ xₛ yₛ. The mean over places is
/// Σₛ Aₛₛ of A = Σ w xyᵀ / Σ w. Where one permutation of the subjects is applied to y everywhere, it has the mean 0 and the
/// variance Σ A² / (n − 1), exactly (Hoeffding, 1951, "A combinatorial central limit theorem"); p is two-sided, by the
/// normal distribution. A one-sample test over places asks another question: places where the same subjects stand in the
/// same order for a reason that has nothing to do with y agree in ρ, however many they are.
///
/// # Shape
/// `places`: of each x and y, n numbers, and its weight. A place in which one of them does not vary has ρ = 0.
///
/// # Errors
/// [`StatisticsError::Lengths`] where not all have the same n, [`StatisticsError::TooFew`] below two subjects and of no
/// place, [`StatisticsError::Nan`], [`StatisticsError::Constant`] where no place varies.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::joint_spearman;
/// let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 5.0, 4.0]);
/// let once = joint_spearman(&[(&x, &y, 1.0)])?;
/// // The same order once more is the same evidence.
/// let thrice = joint_spearman(&[(&x[..], &y[..], 1.0); 3])?;
/// assert!((once.coefficient - 0.9).abs() < 1e-12 && (thrice.coefficient - 0.9).abs() < 1e-12);
/// assert!((once.p.unwrap() - thrice.p.unwrap()).abs() < 1e-12);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn joint_spearman(places: &[(&[f64], &[f64], f64)]) -> Result<Correlation, StatisticsError> {
    let (first, ..) = places.first().unwrap_or(&(&[], &[], 0.0));
    check_ordered("x", first, 2)?;
    let n = first.len();
    let all: f64 = places.iter().map(|(.., weight)| weight).sum();
    let mut sums = vec![0.0; n * n];
    let mut varies = false;
    for (x, y, weight) in places {
        check_lengths(x, y)?;
        check_lengths(first, x)?;
        check_ordered("x", x, 2)?;
        check_ordered("y", y, 2)?;
        let unit = |what, values: &[f64]| unit_deviations(what, &ranks(values, TieMethod::Average)?);
        let (Ok(x), Ok(y)) = (unit("x", x), unit("y", y)) else { continue };
        varies = true;
        for (row, x) in sums.chunks_exact_mut(n).zip(&x) {
            row.iter_mut().zip(&y).for_each(|(sum, y)| *sum += weight / all * x * y);
        }
    }
    if !varies {
        return Err(StatisticsError::Constant { what: "x" });
    }
    let coefficient: f64 = sums.iter().step_by(n + 1).sum();
    let variance = sums.iter().map(|a| a * a).sum::<f64>() / (n - 1) as f64;
    let p = (variance > 0.0).then(|| libm::erfc(coefficient.abs() / f64::sqrt(variance) * FRAC_1_SQRT_2));
    Ok(Correlation { coefficient, p })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumpyRng;

    /// All permutations of 0..n.
    fn permutations(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for shorter in permutations(n - 1) {
            for at in 0..n {
                let mut longer = shorter.clone();
                longer.insert(at, n - 1);
                all.push(longer);
            }
        }
        all
    }

    #[test]
    fn its_variance_is_that_of_all_permutations() {
        let mut rng = NumpyRng::new(5);
        let mut drawn = || (0..6).map(|_| (rng.random_sample() * 4.0).floor()).collect::<Vec<f64>>();
        let places: Vec<(Vec<f64>, Vec<f64>, f64)> = [1.0, 2.0, 0.5].map(|weight| (drawn(), drawn(), weight)).to_vec();
        let found = |order: &[usize]| {
            let turned: Vec<Vec<f64>> =
                places.iter().map(|(_, y, _)| order.iter().map(|at| y[*at]).collect()).collect();
            let all: Vec<_> = places.iter().zip(&turned).map(|((x, _, w), y)| (&x[..], &y[..], *w)).collect();
            joint_spearman(&all).unwrap()
        };
        let all = permutations(6);
        let own = found(&[0, 1, 2, 3, 4, 5]);
        let every: Vec<f64> = all.iter().map(|order| found(order).coefficient).collect();
        let mean = every.iter().sum::<f64>() / every.len() as f64;
        let variance = every.iter().map(|x| x * x).sum::<f64>() / every.len() as f64;
        assert!(mean.abs() < 1e-12, "{mean}");
        let p = libm::erfc(own.coefficient.abs() / variance.sqrt() * FRAC_1_SQRT_2);
        assert!((p - own.p.unwrap()).abs() < 1e-12, "{p} {own:?}");
    }

    #[test]
    fn what_is_no_order_is_refused() {
        let code = |places: &[(&[f64], &[f64], f64)]| joint_spearman(places).unwrap_err();
        assert!(matches!(code(&[]), StatisticsError::TooFew { .. }));
        assert!(matches!(code(&[(&[1.0], &[1.0], 1.0)]), StatisticsError::TooFew { .. }));
        let lengths = [(&[1.0, 2.0][..], &[1.0, 2.0][..], 1.0), (&[1.0; 3], &[1.0; 3], 1.0)];
        assert!(matches!(code(&lengths), StatisticsError::Lengths { .. }));
        let constant = code(&[(&[1.0, 1.0], &[1.0, 2.0], 1.0)]);
        assert!(matches!(constant, StatisticsError::Constant { .. }));
        assert!(matches!(code(&[(&[f64::NAN, 1.0], &[1.0, 2.0], 1.0)]), StatisticsError::Nan { .. }));
    }
}
