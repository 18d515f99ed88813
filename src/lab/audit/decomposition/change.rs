//! What becomes of an autoencoder's plain numbers: a function a change.
//!
//! All of them take F latents of D numbers. Where a change should not matter, codes times decoder plus bias is the same
//! as before, to single precision.

use crate::kernel;
use crate::linalg::product;
use crate::papers::measurement::metric::core_stability::Weights;
use crate::{Matrix, NumpyRng};

/// So far below everything that a latent with this bias is never active.
const NEVER: f64 = -1e6;

/// Latents in another order: the `at`-th is the former `order[at]`-th.
#[must_use]
pub fn reordered(of: &Weights, order: &[u32]) -> Weights {
    let bias = |at: &u32| of.encoder_bias.get(*at as usize).copied();
    Weights {
        encoder: of.encoder.select_rows(order),
        encoder_bias: order.iter().filter_map(bias).collect(),
        decoder: of.decoder.select_rows(order),
        decoder_bias: of.decoder_bias.clone(),
        kept: of.kept,
    }
}

/// The decoder's rows in another order, the encoder as it is.
#[must_use]
pub fn permuted(of: &Weights, order: &[u32]) -> Weights {
    Weights { decoder: of.decoder.select_rows(order), ..of.clone() }
}

/// The autoencoder of activations that are all multiplied by `factor`: its codes are, too.
#[must_use]
pub fn scaled(of: &Weights, factor: f64) -> Weights {
    let by = |values: &[f64]| values.iter().map(|value| value * factor).collect();
    Weights { encoder_bias: by(&of.encoder_bias), decoder_bias: by(&of.decoder_bias), ..of.clone() }
}

/// The autoencoder of activations in another orthonormal basis, the rows of `basis` (D × D): its codes are the same.
#[must_use]
pub fn rotated(of: &Weights, basis: &Matrix) -> Weights {
    let turned = basis.transposed();
    let biases = basis.iter_rows().map(|row| kernel::dot(row, &of.decoder_bias));
    Weights {
        encoder: product(&of.encoder, &turned),
        encoder_bias: of.encoder_bias.clone(),
        decoder: product(&of.decoder, &turned),
        decoder_bias: biases.collect(),
        kept: of.kept,
    }
}

/// The autoencoder of rows x, where `of` is one of rows `factor`·x·Rᵀ with R of orthonormal rows: its codes of x are
/// those of the rows that x becomes, and its directions are those of x.
#[must_use]
pub fn undone(of: &Weights, factor: f64, basis: Option<&Matrix>) -> Weights {
    let mut out = match basis {
        Some(basis) => rotated(of, &basis.transposed()),
        None => of.clone(),
    };
    out.encoder.data_mut().iter_mut().for_each(|value| *value *= factor);
    out.decoder.data_mut().iter_mut().for_each(|value| *value /= factor);
    out.decoder_bias.iter_mut().for_each(|value| *value /= factor);
    out
}

/// One latent twice, the second time as the last one, both with half of its direction. Where a row keeps so many
/// latents, one more is kept.
#[must_use]
pub fn duplicated(of: &Weights, latent: usize) -> Weights {
    if latent >= of.decoder.rows() {
        return of.clone();
    }
    let order: Vec<u32> = (0..of.decoder.rows() as u32).chain([latent as u32]).collect();
    let mut out = reordered(of, &order);
    for half in [latent, of.decoder.rows()] {
        out.decoder.row_mut(half).iter_mut().for_each(|value| *value *= 0.5);
    }
    out.kept = of.kept.map(|kept| kept + 1);
    out
}

/// Codes (N × F) with one latent's a second time, at the end.
#[must_use]
pub fn duplicated_codes(codes: &Matrix, latent: usize) -> Matrix {
    let mut out = Matrix::zeros(codes.rows(), codes.cols() + 1);
    for (at, row) in codes.iter_rows().enumerate() {
        let again = row.get(latent).copied().unwrap_or_default();
        let values = row.iter().copied().chain([again]);
        out.row_mut(at).iter_mut().zip(values).for_each(|(out, value)| *out = value);
    }
    out
}

/// More latents, with the given directions, that are never active.
#[must_use]
pub fn widened(of: &Weights, directions: &Matrix) -> Weights {
    let more = directions.rows();
    Weights {
        encoder: stacked(&of.encoder, &Matrix::zeros(more, of.encoder.cols())),
        encoder_bias: of.encoder_bias.iter().copied().chain(vec![NEVER; more]).collect(),
        decoder: stacked(&of.decoder, directions),
        decoder_bias: of.decoder_bias.clone(),
        kept: of.kept,
    }
}

/// Normal noise on the decoder, of `sigma` times the root mean square of its entries.
#[must_use]
pub fn noisy(of: &Weights, sigma: f64, rng: &mut NumpyRng) -> Weights {
    let mut out = of.clone();
    let values = out.decoder.data_mut();
    let squares: f64 = values.iter().map(|value| value * value).sum();
    let deviation = sigma * f64::sqrt(squares / values.len().max(1) as f64);
    values.iter_mut().for_each(|value| *value += deviation * rng.standard_normal());
    out
}

/// Some latents with other directions in both encoder and decoder, without a bias: latent `which[i]` becomes the i-th
/// row of `directions`.
#[must_use]
pub fn replaced(of: &Weights, which: &[u32], directions: &Matrix) -> Weights {
    let mut out = of.clone();
    let latents = out.decoder.rows();
    let known = which.iter().map(|at| *at as usize).filter(|at| *at < latents);
    for (at, direction) in known.zip(directions.iter_rows()) {
        out.encoder.row_mut(at).copy_from_slice(direction);
        out.decoder.row_mut(at).copy_from_slice(direction);
        if let Some(bias) = out.encoder_bias.get_mut(at) {
            *bias = 0.0;
        }
    }
    out
}

/// Some latents as another autoencoder has them.
#[must_use]
pub fn mixed(of: &Weights, other: &Weights, which: &[u32]) -> Weights {
    let mut out = of.clone();
    let latents = out.decoder.rows().min(other.decoder.rows());
    for at in which.iter().map(|at| *at as usize).filter(|at| *at < latents) {
        out.encoder.row_mut(at).copy_from_slice(other.encoder.row(at));
        out.decoder.row_mut(at).copy_from_slice(other.decoder.row(at));
        if let Some((bias, other)) = out.encoder_bias.get_mut(at).zip(other.encoder_bias.get(at)) {
            *bias = *other;
        }
    }
    out
}

/// Some latents' directions multiplied by a factor.
#[must_use]
pub fn resized(of: &Weights, which: &[u32], factor: f64) -> Weights {
    let mut out = of.clone();
    let latents = out.decoder.rows();
    for at in which.iter().map(|at| *at as usize).filter(|at| *at < latents) {
        out.decoder.row_mut(at).iter_mut().for_each(|value| *value *= factor);
    }
    out
}

/// Some latents are never active.
#[must_use]
pub fn silenced(of: &Weights, which: &[u32]) -> Weights {
    let mut out = of.clone();
    for at in which {
        if let Some(bias) = out.encoder_bias.get_mut(*at as usize) {
            *bias = NEVER;
        }
    }
    out
}

/// No latent is ever active.
#[must_use]
pub fn dead(of: &Weights) -> Weights {
    Weights { encoder_bias: vec![NEVER; of.encoder_bias.len()], ..of.clone() }
}

/// All latents are active in all of the given rows (N × D).
#[must_use]
pub fn dense(of: &Weights, rows: &Matrix) -> Weights {
    let centre = product(rows, &of.encoder.transposed());
    let lift = |latent: usize| {
        let own: Vec<f64> = centre.iter_rows().filter_map(|row| row.get(latent).copied()).collect();
        let least = own.iter().copied().fold(f64::INFINITY, f64::min);
        let most = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The least of them is a tenth of the span above 0.
        let middle = kernel::dot(of.encoder.row(latent), &of.decoder_bias);
        middle - least + 0.1 * (most - least).max(1.0)
    };
    let encoder_bias = (0..of.encoder.rows()).map(lift).collect();
    Weights { encoder_bias, kept: None, ..of.clone() }
}

/// Some latents alone, in the order in which they are named; so many of them as there are, if fewer, are kept.
#[must_use]
pub fn alone(of: &Weights, latents: &[u32]) -> Weights {
    let out = reordered(of, latents);
    Weights { kept: out.kept.map(|kept| kept.min(latents.len())), ..out }
}

/// All latents as one of them.
#[must_use]
pub fn copies(of: &Weights, latent: usize) -> Weights {
    reordered(of, &vec![latent as u32; of.decoder.rows()])
}

fn stacked(above: &Matrix, below: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(above.rows() + below.rows(), above.cols());
    let rows = above.iter_rows().chain(below.iter_rows()).enumerate();
    rows.for_each(|(at, row)| out.row_mut(at).copy_from_slice(row));
    out
}
