//! Folders as SAELens writes them: what they hold as plain numbers, and what their names say.

use super::{OwnAuditError, SEED_MAX};
use crate::Matrix;
use crate::io::{Array, DataFile, IoError};
use crate::lab::own::OwnError;
use crate::papers::measurement::metric::core_stability::Weights;
use crate::papers::measurement::own::seed;
use crate::sae::{Architecture, Folder, Normalisation};

/// The architecture's name and the seed that a folder's path says: `runs/seed_3/topk` and `runs/topk/seed_3` are both
/// "topk" under seed 3. One without a folder `seed_<number>` is by its own name under seed 0.
///
/// # Errors
/// [`OwnAuditError::Value`] for a seed above [`SEED_MAX`].
///
/// # Examples
/// ```
/// use sfc_bench::lab::audit::own::named;
/// assert_eq!(named("runs/seed_3/topk/k8"), Ok(("topk/k8".to_owned(), 3)));
/// assert_eq!(named("runs/topk/seed_4/"), Ok(("topk".to_owned(), 4)));
/// assert_eq!(named("runs/topk"), Ok(("topk".to_owned(), 0)));
/// ```
pub fn named(folder: &str) -> Result<(String, u32), OwnAuditError> {
    let parts: Vec<&str> = folder.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    // As results have it, whose seed is that of a file.
    let Some((number, rest)) = seed(&format!("{}/{}", parts.join("/"), Folder::CONFIG)) else {
        return Ok((parts.last().copied().unwrap_or_default().to_owned(), 0));
    };
    let place = match rest.rsplit_once('/') {
        Some((below, _)) => below.to_owned(),
        // The seed is the innermost folder.
        None => parts.iter().rev().nth(1).copied().unwrap_or_default().to_owned(),
    };
    match u32::try_from(number).ok().filter(|number| *number <= SEED_MAX) {
        Some(number) => Ok((place, number)),
        None => Err(OwnAuditError::value(folder, "seed", number, format!("0 to {SEED_MAX}"))),
    }
}

/// The numbers of a folder's autoencoder, its factor folded in: h = f((x − b_dec)·W_encᵀ + b_enc), x̂ = h·W_dec + b_dec.
///
/// # Errors
/// [`OwnError::Config`] for architectures other than "standard" and "topk", and for activations that are normalised,
/// which controls could not be made for; [`OwnError::Io`] for arrays that are not there or do
/// not fit.
pub fn weights(folder: &Folder) -> Result<Weights, OwnError> {
    let config = &folder.config;
    let refused = |field: &str, found: String, allowed: &str| {
        let (file, field) = (folder.config_file.clone(), field.to_owned());
        Err(OwnError::Config { file, field, found, allowed: allowed.to_owned() })
    };
    let kept = match config.architecture {
        Architecture::Standard => None,
        Architecture::TopK { k } => Some(k),
        other => return refused("architecture", other.label(), "standard, topk"),
    };
    if config.normalisation != Normalisation::None {
        let found = match config.normalisation {
            Normalisation::ConstantNorm => "a constant norm",
            _ => "layer normalisation",
        };
        return refused("normalize_activations", found.to_owned(), "none");
    }
    let (latents, width) = folder.shape()?;
    let file = &*folder.weights;
    Folder::check_factors(file)?;
    let factor = config.factor();
    let matrix = |values: Vec<f64>, factor: f64| {
        let mut out = Matrix::zeros(latents, width);
        let numbers = values.into_iter().map(|value| value * factor);
        out.data_mut().iter_mut().zip(numbers).for_each(|(out, value)| *out = value);
        out
    };
    let mut encoder = matrix(file.array("W_enc")?.read_columns_as()?, factor);
    let mut decoder = matrix(file.array("W_dec")?.read_all_as()?, 1.0 / factor);
    let mut encoder_bias = vector(file, "b_enc", latents)?;
    if config.rescale_acts_by_decoder_norm {
        rescale(&mut encoder, &mut encoder_bias, &mut decoder);
    }
    let decoder_bias: Vec<f64> =
        vector(file, "b_dec", width)?.into_iter().map(|value| value / factor).collect();
    if !config.apply_b_dec_to_input {
        // What is not taken off before is added again after.
        for (bias, row) in encoder_bias.iter_mut().zip(encoder.iter_rows()) {
            *bias += crate::kernel::dot(row, &decoder_bias);
        }
    }
    Ok(Weights { encoder, encoder_bias, decoder, decoder_bias, kept })
}

/// Folds the lengths of W_dec's rows, by which pre-activations are multiplied and codes divided again, into the weights:
/// the same autoencoder, whose directions are of unit length.
fn rescale(encoder: &mut Matrix, encoder_bias: &mut [f64], decoder: &mut Matrix) {
    for (latent, bias) in encoder_bias.iter_mut().enumerate() {
        let row = decoder.row_mut(latent);
        let length = crate::kernel::dot(row, row).sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|value| *value /= length);
        }
        encoder.row_mut(latent).iter_mut().for_each(|value| *value *= length);
        *bias *= length;
    }
}

fn vector(file: &DataFile, name: &str, len: usize) -> Result<Vec<f64>, IoError> {
    let array: &Array = file.array(name)?;
    array.expect(1, len, "one dimension")?;
    array.read_all_as()
}
