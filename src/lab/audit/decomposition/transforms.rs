//! What becomes of an autoencoder's plain numbers: a function a change.
//!
//! All of them take F latents of D numbers. Where a change should not matter, codes times decoder plus bias is the same
//! as before, to single precision.

use crate::kernel;
use crate::linalg::product;
use crate::sae::{Activation, MatchingPursuit, RowNorm, TranscoderPart, Weights};
use crate::{Matrix, NumpyRng};

/// So far below everything that a latent with this bias is never active.
const INACTIVE_BIAS: f64 = -1e6;

/// Latents in another order: the `at`-th is the former `order[at]`-th.
#[must_use]
pub fn reorder_latents(of: &Weights, order: &[u32]) -> Weights {
    let some =
        |values: &[f64]| -> Vec<f64> { order.iter().filter_map(|at| values.get(*at as usize).copied()).collect() };
    Weights {
        encoder: of.encoder.select_rows(order),
        encoder_bias: some(&of.encoder_bias),
        decoder: of.decoder.select_rows(order),
        activation: of.activation.map_vectors(some),
        ..of.clone()
    }
}

/// The decoder's rows in another order, the encoder with its thresholds or gates as it is.
#[must_use]
pub fn permute_decoder(of: &Weights, order: &[u32]) -> Weights {
    Weights { decoder: of.decoder.select_rows(order), ..of.clone() }
}

/// The autoencoder of activations that are all multiplied by `factor`: its codes are, too, or the same where it normalises
/// activations.
#[must_use]
pub fn scale_inputs(of: &Weights, factor: f64) -> Weights {
    let by = |values: &[f64]| values.iter().map(|value| value * factor).collect();
    if of.normalisation != RowNorm::None {
        let mut out = Weights { normalisation: scale_row_norm(&of.normalisation, factor), ..of.clone() };
        // What a transcoder reconstructs is not multiplied by what its normalisation took.
        if of.transcoder.is_some() {
            out.decoder.data_mut().iter_mut().for_each(|value| *value *= factor);
            out.decoder_bias = by(&of.decoder_bias);
        }
        return out;
    }
    let activation = match &of.activation {
        Activation::Gated { gains, offsets } => Activation::Gated { gains: gains.clone(), offsets: by(offsets) },
        Activation::MatchingPursuit(pursuit) => Activation::MatchingPursuit(scale_pursuit(pursuit, factor)),
        Activation::RankedTopK { .. } => of.activation.clone(),
        other => other.map_vectors(by),
    };
    let (encoder_bias, decoder_bias) = (by(&of.encoder_bias), by(&of.decoder_bias));
    Weights { encoder_bias, decoder_bias, activation, ..of.clone() }
}

/// The pursuit of rows that are all multiplied by `factor`.
fn scale_pursuit(of: &MatchingPursuit, factor: f64) -> MatchingPursuit {
    MatchingPursuit { residual_threshold: of.residual_threshold * factor, ..*of }
}

/// The normalisation of rows that are all multiplied by `factor`, which comes to the same.
fn scale_row_norm(of: &RowNorm, factor: f64) -> RowNorm {
    match of {
        RowNorm::Layer { axis, guard } => RowNorm::Layer { axis: axis.clone(), guard: guard * factor },
        other => other.clone(),
    }
}

/// The autoencoder of activations in another orthonormal basis, the rows of `basis` (D × D): its codes are the same. Of a
/// transcoder those are the activations that it reads; [`rotate_outputs`] are the others.
#[must_use]
pub fn rotate_inputs(of: &Weights, basis: &Matrix) -> Weights {
    let turned = basis.transposed();
    let onto = |values: &[f64]| basis.iter_rows().map(|row| kernel::dot(row, values)).collect();
    let normalisation = match &of.normalisation {
        RowNorm::Layer { axis, guard } => {
            let d = of.encoder.cols();
            let ones = vec![1.0 / f64::sqrt(d as f64); d];
            let axis = Some(onto(axis.as_deref().unwrap_or(&ones)));
            RowNorm::Layer { axis, guard: *guard }
        }
        other => other.clone(),
    };
    let encoder = product(&of.encoder, &turned);
    if let Some(TranscoderPart { skip }) = &of.transcoder {
        let skip = skip.as_ref().map(|skip| product(skip, &turned));
        let transcodes = Some(TranscoderPart { skip });
        return Weights { encoder, normalisation, transcoder: transcodes, ..of.clone() };
    }
    Weights {
        encoder,
        decoder: product(&of.decoder, &turned),
        decoder_bias: onto(&of.decoder_bias),
        normalisation,
        ..of.clone()
    }
}

/// The transcoder of targets in another orthonormal basis, the rows of `basis` (D' × D').
#[must_use]
pub fn rotate_outputs(of: &Weights, basis: &Matrix) -> Weights {
    let transcodes = of
        .transcoder
        .as_ref()
        .map(|TranscoderPart { skip }| TranscoderPart { skip: skip.as_ref().map(|skip| product(basis, skip)) });
    Weights {
        decoder: product(&of.decoder, &basis.transposed()),
        decoder_bias: basis.iter_rows().map(|row| kernel::dot(row, &of.decoder_bias)).collect(),
        transcoder: transcodes,
        ..of.clone()
    }
}

/// The autoencoder of rows x, where `of` is one of rows `factor`·x·Rᵀ with R of orthonormal rows: its codes of x are
/// those of the rows that x becomes, and its directions are those of x. Codes of a pursuit, whose directions make them, are
/// those of x.
#[must_use]
pub fn undo_transform(of: &Weights, factor: f64, basis: Option<&Matrix>) -> Weights {
    let mut out = match basis {
        Some(basis) => rotate_inputs(of, &basis.transposed()),
        None => of.clone(),
    };
    if out.normalisation != RowNorm::None {
        out.normalisation = scale_row_norm(&out.normalisation, 1.0 / factor);
        return out;
    }
    if let Activation::MatchingPursuit(pursuit) = &mut out.activation {
        *pursuit = scale_pursuit(pursuit, 1.0 / factor);
        out.decoder_bias.iter_mut().for_each(|value| *value /= factor);
        return out;
    }
    out.encoder.data_mut().iter_mut().for_each(|value| *value *= factor);
    out.decoder.data_mut().iter_mut().for_each(|value| *value /= factor);
    out.decoder_bias.iter_mut().for_each(|value| *value /= factor);
    out
}

/// One latent twice, the second time as the last one, both with half of its direction. Where a row keeps so many
/// latents, one more is kept.
#[must_use]
pub fn duplicate_latent(of: &Weights, latent: usize) -> Weights {
    if latent >= of.decoder.rows() {
        return of.clone();
    }
    let order: Vec<u32> = (0..of.decoder.rows() as u32).chain([latent as u32]).collect();
    let mut out = reorder_latents(of, &order);
    for half in [latent, of.decoder.rows()] {
        out.decoder.row_mut(half).iter_mut().for_each(|value| *value *= 0.5);
    }
    if let Activation::TopK(kept) | Activation::AbsTopK(kept) | Activation::RankedTopK { kept, .. } =
        &mut out.activation
    {
        *kept += 1;
    }
    out
}

/// Codes (N × F) with one latent's a second time, at the end.
#[must_use]
pub fn duplicate_code_column(codes: &Matrix, latent: usize) -> Matrix {
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
pub fn add_inactive_latents(of: &Weights, directions: &Matrix) -> Weights {
    let more = directions.rows();
    // By magnitude, the latent that is never active is the one whose pre-activation is 0.
    let never = if matches!(of.activation, Activation::AbsTopK(_)) { 0.0 } else { INACTIVE_BIAS };
    let longer = |values: &[f64], by: f64| values.iter().copied().chain(vec![by; more]).collect();
    Weights {
        encoder: stack_rows(&of.encoder, &Matrix::zeros(more, of.encoder.cols())),
        encoder_bias: longer(&of.encoder_bias, never),
        decoder: stack_rows(&of.decoder, directions),
        activation: of.activation.map_vectors(|values| longer(values, 0.0)),
        ..of.clone()
    }
}

/// Normal noise on the decoder, of `sigma` times the root mean square of its entries.
#[must_use]
pub fn add_decoder_noise(of: &Weights, sigma: f64, rng: &mut NumpyRng) -> Weights {
    let mut out = of.clone();
    let values = out.decoder.data_mut();
    let squares: f64 = values.iter().map(|value| value * value).sum();
    let deviation = sigma * f64::sqrt(squares / values.len().max(1) as f64);
    values.iter_mut().for_each(|value| *value += deviation * rng.standard_normal());
    out
}

/// Some latents with other directions in both encoder and decoder, without a bias: latent `which[i]` becomes the i-th
/// row of `directions`. Where there are thresholds or gates, theirs is `threshold`.
#[must_use]
pub fn replace_directions(of: &Weights, which: &[u32], directions: &Matrix, threshold: f64) -> Weights {
    let mut out = of.clone();
    let latents = out.decoder.rows();
    let known = which.iter().map(|at| *at as usize).filter(|at| *at < latents);
    for (at, direction) in known.zip(directions.iter_rows()) {
        out.encoder.row_mut(at).copy_from_slice(direction);
        out.decoder.row_mut(at).copy_from_slice(direction);
        set_entry(&mut out.encoder_bias, at, 0.0);
        match &mut out.activation {
            Activation::Relu
            | Activation::TopK(_)
            | Activation::AbsTopK(_)
            | Activation::MatchingPursuit(_)
            | Activation::GroupMax(_) => {}
            Activation::RankedTopK { norms, .. } => {
                set_entry(norms, at, kernel::dot(direction, direction).sqrt());
            }
            Activation::JumpRelu(thresholds) => set_entry(thresholds, at, threshold),
            Activation::Gated { gains, offsets } => {
                set_entry(gains, at, 1.0);
                set_entry(offsets, at, 0.0);
                set_entry(&mut out.encoder_bias, at, -threshold);
            }
        }
    }
    out
}

fn set_entry(values: &mut [f64], at: usize, to: f64) {
    if let Some(value) = values.get_mut(at) {
        *value = to;
    }
}

/// Some latents as another autoencoder of the same architecture has them.
#[must_use]
pub fn mix_latents(of: &Weights, other: &Weights, which: &[u32]) -> Weights {
    let mut out = of.clone();
    let latents = out.decoder.rows().min(other.decoder.rows());
    let copy = |to: &mut [f64], from: &[f64], at: usize| {
        if let Some(from) = from.get(at) {
            set_entry(to, at, *from);
        }
    };
    for at in which.iter().map(|at| *at as usize).filter(|at| *at < latents) {
        out.encoder.row_mut(at).copy_from_slice(other.encoder.row(at));
        out.decoder.row_mut(at).copy_from_slice(other.decoder.row(at));
        copy(&mut out.encoder_bias, &other.encoder_bias, at);
        match (&mut out.activation, &other.activation) {
            (Activation::JumpRelu(to), Activation::JumpRelu(from))
            | (Activation::RankedTopK { norms: to, .. }, Activation::RankedTopK { norms: from, .. }) => {
                copy(to, from, at)
            }
            (Activation::Gated { gains, offsets }, Activation::Gated { gains: by, offsets: and }) => {
                copy(gains, by, at);
                copy(offsets, and, at);
            }
            _ => {}
        }
    }
    out
}

/// Some latents' directions multiplied by a factor.
#[must_use]
pub fn scale_latents(of: &Weights, which: &[u32], factor: f64) -> Weights {
    let mut out = of.clone();
    let latents = out.decoder.rows();
    for at in which.iter().map(|at| *at as usize).filter(|at| *at < latents) {
        out.decoder.row_mut(at).iter_mut().for_each(|value| *value *= factor);
    }
    out
}

/// Some latents are never active.
#[must_use]
pub fn silence_latents(of: &Weights, which: &[u32]) -> Weights {
    let mut out = of.clone();
    which.iter().for_each(|at| set_entry(&mut out.encoder_bias, *at as usize, INACTIVE_BIAS));
    out
}

/// No latent is ever active.
#[must_use]
pub fn silence_all(of: &Weights) -> Weights {
    Weights { encoder_bias: vec![INACTIVE_BIAS; of.encoder_bias.len()], ..of.clone() }
}

/// All latents are active in all of the given rows (N × D), by no other rule than that they are positive.
#[must_use]
pub fn activate_all(of: &Weights, rows: &Matrix) -> Weights {
    let centre = product(&of.normalise_rows(rows).0, &of.encoder.transposed());
    let lift = |latent: usize| {
        let own: Vec<f64> = centre.iter_rows().filter_map(|row| row.get(latent).copied()).collect();
        let least = own.iter().copied().fold(f64::INFINITY, f64::min);
        let most = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The least of them is a tenth of the span above 0.
        let middle = kernel::dot(of.encoder.row(latent), &of.decoder_bias);
        middle - least + 0.1 * (most - least).max(1.0)
    };
    let encoder_bias = (0..of.encoder.rows()).map(lift).collect();
    Weights { encoder_bias, activation: Activation::Relu, ..of.clone() }
}

/// Some latents alone, in the order in which they are named; so many of them as there are, if fewer, are kept.
#[must_use]
pub fn keep_latents(of: &Weights, latents: &[u32]) -> Weights {
    let mut out = reorder_latents(of, latents);
    if let Activation::TopK(kept) | Activation::RankedTopK { kept, .. } = &mut out.activation {
        *kept = latents.len().min(*kept);
    }
    out
}

/// All latents as one of them.
#[must_use]
pub fn repeat_latent(of: &Weights, latent: usize) -> Weights {
    reorder_latents(of, &vec![latent as u32; of.decoder.rows()])
}

fn stack_rows(above: &Matrix, below: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(above.rows() + below.rows(), above.cols());
    let rows = above.iter_rows().chain(below.iter_rows()).enumerate();
    rows.for_each(|(at, row)| out.row_mut(at).copy_from_slice(row));
    out
}
