//! Every kernel equals the scalar specification bit for bit, and a naive loop closely.

#[cfg(target_arch = "x86_64")]
use sfc_bench::kernel::native as active;
use sfc_bench::kernel::quantized::{CandidateFilter, QuantizedRows};
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use sfc_bench::kernel::scalar as active;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use sfc_bench::kernel::simd128 as active;
use sfc_bench::kernel::{self, scalar};
use sfc_bench::linalg;
use sfc_bench::{Matrix, NumpyRng};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::assert_close;

fn random(rng: &mut NumpyRng, len: usize, scale: f64) -> Vec<f64> {
    (0..len).map(|_| rng.standard_normal() * scale).collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

const SCALES: [f64; 4] = [1.0, 1e-120, 1e120, 3.0];

#[test]
fn products() {
    let mut rng = NumpyRng::new(1);
    for round in 0..400 {
        let [rows, depth, cols] = [0; 3].map(|_| (rng.next_word() % 23) as usize);
        let scale = SCALES[round % 4];
        let a = Matrix::from_vec(rows, depth, random(&mut rng, rows * depth, scale)).unwrap();
        let b = Matrix::from_vec(depth, cols, random(&mut rng, depth * cols, 1.0)).unwrap();
        let found = linalg::product(&a, &b);
        let mut wanted = vec![0.0; rows * cols];
        scalar::product(a.data(), b.data(), depth, cols, &mut wanted);
        assert_eq!(bits(found.data()), bits(&wanted), "{rows} × {depth} × {cols}");
        for i in 0..rows {
            for j in 0..cols {
                let naive = (0..depth).fold(0.0, |acc, k| acc + a.row(i)[k] * b.row(k)[j]);
                assert_eq!(found.row(i)[j].to_bits(), naive.to_bits());
            }
        }
    }
}

#[test]
fn products_beyond_a_block() {
    // Natively factors are taken in blocks of 256: sums go on, and columns and rows are left over.
    let mut rng = NumpyRng::new(15);
    for [rows, depth, cols] in [[1, 257, 3], [5, 256, 8], [6, 511, 257], [4, 700, 300], [7, 20, 513], [3, 1_025, 9]] {
        let a = random(&mut rng, rows * depth, 1.0);
        let b = random(&mut rng, depth * cols, 1.0);
        let mut found = vec![f64::NAN; rows * cols];
        kernel::product(&a, &b, depth, cols, &mut found);
        let mut wanted = vec![0.0; rows * cols];
        scalar::product(&a, &b, depth, cols, &mut wanted);
        assert_eq!(bits(&found), bits(&wanted), "{rows} × {depth} × {cols}");
    }
}

#[test]
fn layers() {
    let mut rng = NumpyRng::new(2);
    for _ in 0..200 {
        let [rows, depth, cols] = [0; 3].map(|_| (rng.next_word() % 23) as usize + 1);
        let a = random(&mut rng, rows * depth, 1.0);
        let b = Matrix::from_vec(depth, cols, random(&mut rng, depth * cols, 1.0)).unwrap();
        let bias = random(&mut rng, cols, 1.0);
        let mut found = vec![0.0; rows * cols];
        linalg::affine_relu(&a, &b, &bias, &mut found);
        let mut wanted = vec![0.0; rows * cols];
        scalar::product(&a, b.data(), depth, cols, &mut wanted);
        scalar::add_bias_relu(&mut wanted, &bias);
        assert_eq!(bits(&found), bits(&wanted));
        for (i, out) in found.chunks_exact(cols).enumerate() {
            for (j, value) in out.iter().enumerate() {
                let naive = (0..depth).fold(0.0, |acc, k| acc + a[i * depth + k] * b.row(k)[j]);
                assert_eq!(value.to_bits(), f64::max(naive + bias[j], 0.0).to_bits());
            }
        }
    }
}

#[test]
fn gram_matrices() {
    let mut rng = NumpyRng::new(3);
    for round in 0..100 {
        let rows = (rng.next_word() % 300) as usize;
        let d = (rng.next_word() % 19) as usize;
        let h = Matrix::from_vec(rows, d, random(&mut rng, rows * d, SCALES[round % 4])).unwrap();
        let found = linalg::gram(&h);
        let mut wanted = vec![0.0; d * d];
        if d > 0 {
            scalar::gram_upper(h.data(), d, &mut wanted);
        }
        for i in 0..d {
            for j in 0..d {
                let upper = wanted[i.min(j) * d + i.max(j)];
                assert_eq!(found.row(i)[j].to_bits(), upper.to_bits());
                let naive: f64 = h.iter_rows().map(|row| row[i] * row[j]).sum();
                let size: f64 = h.iter_rows().map(|row| (row[i] * row[j]).abs()).sum();
                assert!((found.row(i)[j] - naive).abs() <= 1e-13 * size);
            }
        }
    }
}

#[test]
fn dots_and_sums() {
    let mut rng = NumpyRng::new(4);
    for len in 0..=257 {
        let (a, b) = (random(&mut rng, len, 1.0), random(&mut rng, len, 1.0));
        let naive: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let size: f64 = a.iter().zip(&b).map(|(a, b)| (a * b).abs()).sum();
        assert_close("dot", kernel::dot(&a, &b), naive, 0.0, 1e-14 * size);
        let naive: f64 = a.iter().sum();
        let size: f64 = a.iter().map(|a| a.abs()).sum();
        assert_close("sum", kernel::sum(&a), naive, 0.0, 1e-14 * size);
    }
}

/// The bits of a result; a NaN, whose bits WebAssembly leaves open, is any NaN.
fn settled(value: f64) -> Option<u64> {
    (!value.is_nan()).then(|| value.to_bits())
}

#[test]
fn dots_and_sums_equal_the_specification_in_100_000_cases() {
    let mut rng = NumpyRng::new(5);
    // Magnitudes from 1e-250 to 1e250, signs, and zeros.
    let pool: Vec<f64> = (0..4_096)
        .map(|_| {
            let magnitude = libm::pow(10.0, 500.0 * rng.random_sample() - 250.0);
            magnitude * rng.standard_normal() * f64::from(!rng.next_word().is_multiple_of(16))
        })
        .collect();
    for _ in 0..100_000 {
        // Any length, and any start: slices need not be aligned.
        let len = (rng.next_word() % 258) as usize;
        let mut slice = || &pool[(rng.next_word() as usize % (pool.len() - len))..][..len];
        let (a, b) = (slice(), slice());
        assert_eq!(settled(kernel::dot(a, b)), settled(scalar::dot(a, b)), "{len}");
        assert_eq!(settled(kernel::sum(a)), settled(scalar::sum(a)), "{len}");
    }
}

#[test]
fn products_equal_the_specification_in_100_000_cases() {
    let mut rng = NumpyRng::new(6);
    let pool = random(&mut rng, 4_096, 1.0);
    let mut found = vec![0.0; 81];
    let mut wanted = vec![0.0; 81];
    for round in 0..100_000 {
        let [rows, depth, cols] = [0; 3].map(|_| (rng.next_word() % 9 + 1) as usize);
        let mut from = |len: usize| pool[(rng.next_word() as usize % (pool.len() - len))..][..len].to_vec();
        let scale = [1.0, 1e-250, 1e250, 1e-20][round % 4];
        let a: Vec<f64> = from(rows * depth).iter().map(|value| value * scale).collect();
        let b = Matrix::from_vec(depth, cols, from(depth * cols)).unwrap();
        let bias = from(cols);
        let (found, wanted) = (&mut found[..rows * cols], &mut wanted[..rows * cols]);
        linalg::affine_relu(&a, &b, &bias, found);
        scalar::product(&a, b.data(), depth, cols, wanted);
        scalar::add_bias_relu(wanted, &bias);
        assert_eq!(bits(found), bits(wanted), "{rows} × {depth} × {cols}");

        let h = Matrix::from_vec(rows, depth, a).unwrap();
        let gram = linalg::gram(&h);
        let mut upper = vec![0.0; depth * depth];
        scalar::gram_upper(h.data(), depth, &mut upper);
        for i in 0..depth {
            for j in i..depth {
                let (found, wanted) = (gram.row(i)[j], upper[i * depth + j]);
                assert_eq!(settled(found), settled(wanted));
            }
        }
    }
}

#[test]
fn products_with_narrow_matrices() {
    let mut rng = NumpyRng::new(7);
    for round in 0..2_000 {
        let [rows, depth, cols] = [0; 3].map(|_| (rng.next_word() % 23) as usize + 1);
        let a = random(&mut rng, rows * depth, SCALES[round % 4]);
        let columns: Vec<f32> = random(&mut rng, cols * depth, 1.0).iter().map(|value| *value as f32).collect();
        let panels = kernel::Panels::from_columns(&columns, depth);
        assert_eq!(panels.shape(), (depth, cols));
        let mut found = vec![f64::NAN; rows * cols];
        kernel::widening_product(&a, &panels, &mut found);
        for (a, found) in a.chunks_exact(depth).zip(found.chunks_exact(cols)) {
            for (b, found) in columns.chunks_exact(depth).zip(found) {
                let naive = a.iter().zip(b).fold(0.0, |acc, (a, b)| acc + a * f64::from(*b));
                assert_eq!(found.to_bits(), naive.to_bits(), "{rows} × {depth} × {cols}");
            }
        }
        let mut found = a[..depth].to_vec();
        kernel::add_scaled(&mut found, a[0], &columns[..depth]);
        for ((found, a_i), b) in found.iter().zip(&a).zip(&columns) {
            assert_eq!(found.to_bits(), (a_i + a[0] * f64::from(*b)).to_bits());
        }
    }
}

fn single(rng: &mut NumpyRng, len: usize) -> Vec<f32> {
    // Some values are equal and some are zero: ties must fall alike.
    (0..len)
        .map(|_| match rng.next_word() % 8 {
            0 => 0.0,
            1 => 0.5,
            _ => rng.standard_normal() as f32,
        })
        .collect()
}

fn single_bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn single_products_equal_the_specification_in_20_000_cases() {
    let mut rng = NumpyRng::new(11);
    let mut panels = kernel::single_precision::WeightPanels::default();
    for round in 0..20_000 {
        let most = if round % 100 == 0 { 70 } else { 20 };
        let [rows, depth, cols] = [0; 3].map(|_| (rng.next_word() % most + 1) as usize);
        let (x, w) = (single(&mut rng, rows * depth), single(&mut rng, cols * depth));
        let bias = single(&mut rng, cols);
        panels.fill(&w, depth);
        let mut found = vec![f32::NAN; rows * cols];
        kernel::single_precision::affine(&x, &panels, &bias, &mut found);
        let mut wanted = vec![0.0; rows * cols];
        kernel::single_precision::scalar::affine(&x, &panels, &bias, &mut wanted, (bias.len(), 0));
        assert_eq!(single_bits(&found), single_bits(&wanted), "{rows} × {depth} × {cols}");
        for (i, out) in found.chunks_exact(cols).enumerate() {
            for (j, value) in out.iter().enumerate() {
                let terms = (0..depth).map(|k| x[i * depth + k] * w[j * depth + k]);
                let naive = terms.fold(bias[j], |acc, term| acc + term);
                assert_eq!(value.to_bits(), naive.to_bits());
            }
        }
    }
}

#[test]
fn single_vectors_equal_the_specification_at_every_length() {
    use kernel::single_precision::{AdamStep, TopKSelector, adam, add_scaled, dot, scalar};
    let mut rng = NumpyRng::new(12);
    let step = AdamStep {
        one_minus_beta1: 0.1,
        beta2: 0.999,
        one_minus_beta2: 0.001,
        step_size: 0.003,
        bias_correction2_rsqrt: 1.25,
        eps: 1e-8,
    };
    // One for each k, so that its guesses meet rows of every kind.
    let mut selectors = vec![TopKSelector::default(); 201];
    for round in 0..3_000 {
        let len = round % 150;
        let (a, b) = (single(&mut rng, len), single(&mut rng, len));
        assert_eq!(dot(&a, &b).to_bits(), scalar::dot(&a, &b).to_bits(), "{len}");
        let exact: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        assert_close("dot", f64::from(dot(&a, &b)), exact, 0.0, 1e-6 * (1.0 + len as f64));

        let (mut found, mut wanted) = (a.clone(), a.clone());
        add_scaled(&mut found, 0.7, &b);
        scalar::add_scaled(&mut wanted, 0.7, &b);
        assert_eq!(single_bits(&found), single_bits(&wanted), "{len}");

        let squares: Vec<f32> = single(&mut rng, len).iter().map(|x| x * x).collect();
        let start = [a.clone(), b.clone(), squares];
        let ([mut p, mut m, mut v], [mut q, mut n, mut w]) = (start.clone(), start);
        let g = single(&mut rng, len);
        adam(&mut p, &g, &mut m, &mut v, &step);
        scalar::adam(&mut q, &g, &mut n, &mut w, &step);
        assert_eq!(single_bits(&[p, m, v].concat()), single_bits(&[q, n, w].concat()), "{len}");

        for k in [0, 1, 3, 8, 48, 49, 200] {
            let mut found = Vec::new();
            selectors[k].top_k(&a, k, &mut found);
            // By sorting: falling value, then index.
            let mut wanted: Vec<(u32, f32)> =
                (0u32..).zip(a.iter().copied()).filter(|(_, value)| *value > 0.0).collect();
            wanted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            wanted.truncate(k);
            wanted.sort_by_key(|(index, _)| *index);
            assert_eq!(found, wanted, "{k} of {len}");
        }
    }
}

#[test]
fn exponentials_are_as_near_as_they_say() {
    use kernel::single_precision::{exp, scalar};
    // Every 4,099th number whose power is a number, and normal.
    let positive = (0..f32::to_bits(88.722_83)).step_by(4_099).map(f32::from_bits);
    let mut values: Vec<f32> = positive.flat_map(|x| [x, -x]).filter(|x| *x > -86.98).collect();
    let given = values.clone();
    exp(&mut values);
    let mut most: f64 = 0.0;
    for (x, found) in given.iter().zip(&values) {
        assert_eq!(found.to_bits(), scalar::exp(*x).to_bits(), "{x}");
        let wanted = libm::exp(f64::from(*x));
        most = most.max((f64::from(*found) / wanted - 1.0).abs());
    }
    assert!(most < 1e-7, "{most:e}");
    let mut ends = [f32::NEG_INFINITY, -1e30, -87.1, f32::INFINITY, 88.73, 1e30, 0.0, -0.0];
    exp(&mut ends);
    assert_eq!(ends, [0.0, 0.0, 0.0, f32::INFINITY, f32::INFINITY, f32::INFINITY, 1.0, 1.0]);
    let mut none = [f32::NAN; 5];
    exp(&mut none);
    assert!(none.iter().all(|x| x.is_nan()));
}

#[test]
fn rows_of_the_transformer_equal_the_specification_at_every_length() {
    use kernel::single_precision::{scalar, softmax, standardize, sum, weighted_row_sum};
    let mut rng = NumpyRng::new(13);
    for round in 0..3_000 {
        let len = round % 75 + 1;
        let row = single(&mut rng, len);
        assert_eq!(sum(&row).to_bits(), scalar::sum(&row).to_bits(), "{len}");
        let exact: f64 = row.iter().map(|x| f64::from(*x)).sum();
        assert_close("sum", f64::from(sum(&row)), exact, 0.0, 1e-6 * (1.0 + len as f64));

        let (mut found, mut wanted) = (row.clone(), row.clone());
        let scale = standardize(&mut found, 1e-5);
        assert_eq!(scale.to_bits(), scalar::standardize(&mut wanted, 1e-5).to_bits(), "{len}");
        assert_eq!(single_bits(&found), single_bits(&wanted), "{len}");
        let mean = exact / len as f64;
        let variance = row.iter().map(|x| (f64::from(*x) - mean) * (f64::from(*x) - mean)).sum::<f64>();
        let deviation = f64::sqrt(variance / len as f64 + 1e-5);
        for (x, found) in row.iter().zip(&found) {
            let wanted = (f64::from(*x) - mean) / deviation;
            assert_close("standardized", f64::from(*found), wanted, 0.0, 2e-5);
        }

        let mut found = single(&mut rng, len.next_multiple_of(4));
        found[..len].copy_from_slice(&row);
        let mut wanted = found.clone();
        softmax(&mut found, len, 3.0);
        scalar::softmax(&mut wanted, len, 3.0);
        assert_eq!(single_bits(&found), single_bits(&wanted), "{len}");
        let powers: Vec<f64> = row.iter().map(|x| libm::exp(3.0 * f64::from(*x))).collect();
        let all: f64 = powers.iter().sum();
        for (power, found) in powers.iter().zip(&found) {
            assert_close("softmax", f64::from(*found), power / all, 0.0, 1e-6);
        }
        assert!(found[len..].iter().all(|x| x.to_bits() == 0));

        let [count, width] = [0; 2].map(|_| (rng.next_word() % 40 + 1) as usize);
        let stride = width + (rng.next_word() % 5) as usize;
        let (weights, rows) = (single(&mut rng, count), single(&mut rng, count * stride));
        let (mut found, mut wanted) = (vec![f32::NAN; width], vec![f32::NAN; width]);
        weighted_row_sum(&weights, &rows, stride, &mut found);
        scalar::weighted_row_sum(&weights, &rows, stride, &mut wanted);
        assert_eq!(single_bits(&found), single_bits(&wanted), "{count} × {width} of {stride}");
        for (col, found) in found.iter().enumerate() {
            let terms = weights.iter().zip(rows[col..].iter().step_by(stride));
            let naive = terms.fold(0.0, |acc, (weight, value)| acc + weight * value);
            assert_eq!(found.to_bits(), naive.to_bits());
        }
    }
}

#[test]
fn the_peaks_work_is_done() {
    use kernel::single_precision::{run_peak_workload, scalar};
    for rounds in [0, 1, 1_000] {
        assert_eq!(run_peak_workload(rounds).to_bits(), scalar::run_peak_workload(rounds).to_bits());
    }
    // Of x ← 0.999·x + 0.001 the fixed point is 1.
    assert_eq!(run_peak_workload(0), 24.0);
    assert!((run_peak_workload(1_000) - 48.0).abs() > 1.0 && (run_peak_workload(100_000) - 48.0).abs() < 0.01);
}

#[test]
fn columns_of_panels_are_the_weights_that_were_taken() {
    let mut rng = NumpyRng::new(14);
    let mut panels = kernel::single_precision::WeightPanels::default();
    for (depth, cols) in [(1, 1), (5, 16), (7, 33)] {
        let weights = single(&mut rng, depth * cols);
        panels.fill(&weights, depth);
        for (col, wanted) in weights.chunks_exact(depth).enumerate() {
            assert_eq!(panels.column(col).collect::<Vec<f32>>(), wanted);
        }
    }
}

#[test]
fn rough_products_are_as_near_as_they_say() {
    let mut rng = NumpyRng::new(5);
    for depth in [1, 2, 7, 8, 9, 64, 100, 1000] {
        for (rows, others) in [(1, 1), (3, 2), (4, 2), (9, 7), (8, 8)] {
            let mut a = random(&mut rng, rows * depth, 1e6);
            let b = random(&mut rng, others * depth, 1e-6);
            // One entry that dwarfs the others, and nothing at all.
            a[0] = 1e30;
            a[(rows - 1) * depth..].fill(0.0);
            let (rough_a, rough_b) = (QuantizedRows::from_rows(&a, depth), QuantizedRows::from_rows(&b, depth));
            let mut products = vec![0; rows * others];
            rough_a.products(&rough_b, &mut products);
            for (i, a) in a.chunks(depth).enumerate() {
                for (j, b) in b.chunks(depth).enumerate() {
                    let dot = a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b);
                    let scale = rough_a.norms()[i] * rough_b.norms()[j];
                    let found = QuantizedRows::cosine(products[i * others + j]) * scale;
                    let error = rough_a.cosine_error(i, &rough_b, j);
                    assert!(error < 1e-3, "{depth}: {error}");
                    assert!((dot - found).abs() <= error * scale, "{depth}: {dot} {found}");
                }
            }
            let last = rough_a.select_rows(&[rows - 1, 0]);
            let mut some = vec![0; 2 * others];
            last.products(&rough_b, &mut some);
            assert_eq!(some[..others], products[(rows - 1) * others..]);
            assert_eq!(some[others..], products[..others]);
        }
    }
}

#[test]
fn products_of_whole_numbers_are_the_specifications() {
    let mut rng = NumpyRng::new(6);
    for depth in [16, 48, 256] {
        for (rows, others) in [(1, 1), (3, 2), (4, 1), (9, 7), (8, 8)] {
            let whole = |rng: &mut NumpyRng, len: usize| -> Vec<i16> {
                (0..len).map(|_| (rng.standard_normal() * 300.0) as i16).collect()
            };
            let (a, b) = (whole(&mut rng, rows * depth), whole(&mut rng, others * depth));
            let (mut wanted, mut found) = (vec![0; rows * others], vec![0; rows * others]);
            scalar::integer_product(&a, &b, depth, &mut wanted);
            active::integer_product(&a, &b, depth, &mut found);
            assert_eq!(found, wanted, "{rows} {others} {depth}");
        }
    }
}

#[test]
fn four_rows_at_once_are_as_one_after_the_other() {
    let mut rng = NumpyRng::new(6);
    for len in [0, 1, 3, 4, 7, 8, 9, 64, 100] {
        let a = random(&mut rng, len, 1.0);
        let rows: [Vec<f32>; 4] = std::array::from_fn(|_| single(&mut rng, len));
        let rows = [&*rows[0], &*rows[1], &*rows[2], &*rows[3]];
        let found = kernel::widening_dots(&a, rows);
        assert_eq!(bits(&found), bits(&scalar::widening_dots(&a, rows)));
        for (found, row) in found.iter().zip(rows) {
            let naive = a.iter().zip(row).fold(0.0, |sum, (a, b)| sum + a * f64::from(*b));
            assert_close("a dot product", *found, naive, 1e-10, 1e-12);
        }
        let scales = [0.5, -3.0, 1e-3, 7.0];
        let (mut found, mut wanted) = (a.clone(), a.clone());
        kernel::add_scaled_rows(&mut found, scales, rows);
        for (scale, row) in scales.into_iter().zip(rows) {
            kernel::add_scaled(&mut wanted, scale, row);
        }
        assert_eq!(bits(&found), bits(&wanted));
    }
}

#[test]
fn a_sieve_lets_all_through_that_may_count() {
    let mut rng = NumpyRng::new(15);
    for (depth, count) in [(1, 1), (8, 40), (64, 100), (100, 1_000)] {
        for scale in [1.0, 1e-25, 1e25] {
            let rows = 6;
            let mut x = random(&mut rng, rows * depth, 1.0);
            x[..depth].fill(0.0);
            x[depth] = 1e30;
            let mut w = random(&mut rng, count * depth, scale);
            w[..depth].fill(0.0);
            let shift = random(&mut rng, count, scale);
            let gain: Vec<f64> = random(&mut rng, count, 1.0).iter().map(|g| g.abs()).collect();
            let (rough, of) = (QuantizedRows::from_rows(&w, depth), QuantizedRows::from_rows(&x, depth));
            let mut products = vec![0; rows * count];
            of.products(&rough, &mut products);
            let plain = CandidateFilter::new(&rough, |j| gain[j], |j| [shift[j], -0.25 * scale]);
            let magnitudes = CandidateFilter::for_magnitudes(&rough);
            let (mut found, mut let_through) = (Vec::new(), 0);
            for (index, x) in x.chunks_exact(depth).enumerate() {
                let products = &products[index * count..][..count];
                let dots: Vec<f64> = w.chunks_exact(depth).map(|w| kernel::dot(x, w)).collect();
                let values: Vec<f64> = dots
                    .iter()
                    .zip(&gain)
                    .zip(&shift)
                    .map(|((dot, gain), shift)| dot * gain + shift - 0.25 * scale)
                    .collect();
                let sizes: Vec<f64> = dots.iter().map(|dot| dot.abs()).collect();
                let cases = [
                    (&plain, &values, 0.0, None),
                    (&plain, &values, 0.0, Some(count / 10 + 1)),
                    (&magnitudes, &sizes, f64::NEG_INFINITY, Some(count / 10)),
                ];
                for (sieve, values, floor, largest) in cases {
                    let mut order: Vec<u32> = (0..count as u32).collect();
                    order.retain(|j| values[*j as usize] > floor);
                    order.sort_by(|a, b| values[*b as usize].total_cmp(&values[*a as usize]));
                    order.truncate(largest.unwrap_or(count));
                    // A guess that is far too high, and one that is far too low, change nothing that counts.
                    for mut guess in [0.0, 1e-30, 1e30] {
                        sieve.find_candidates(&of, index, products, floor, largest, &mut guess, &mut found);
                        assert!(found.is_sorted());
                        assert!(order.iter().all(|j| found.contains(j)), "{depth} {count} {scale}");
                    }
                    let_through += found.len() - order.len();
                }
            }
            if scale == 1.0 && count == 1_000 {
                // Of six rows one has an entry that leaves nothing of the others.
                assert!(let_through < 5 * count, "{let_through}");
            }
        }
    }
}
