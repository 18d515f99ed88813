//! Autoencoders in their files: what they hold as plain numbers, and what their names say.

use super::{OwnAuditError, SEED_MAX};
use crate::Matrix;
use crate::io::{Array, DataFile, IoError};
use crate::lab::own::OwnError;
use crate::papers::measurement::own::seed;
use crate::sae::{
    Activation, Architecture, Folder, Normalisation, Transcoder, Weights, Whitening, shift_biases,
};

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

/// The numbers of a folder's autoencoder, all that scales activations or codes folded in.
///
/// # Errors
/// [`OwnError`]: arrays that are not there or do not fit, and numbers that are refused, as evaluating it does.
pub fn weights(folder: &Folder) -> Result<Weights, OwnError> {
    let config = &folder.config;
    let (latents, [_, width]) = folder.shape()?;
    let file = &*folder.weights;
    plain(folder)?;
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
    let mut activation = config.activation(file, latents)?;
    let gated = matches!(activation, Activation::Gated { .. });
    let mut encoder_bias = vector(file, if gated { "b_gate" } else { "b_enc" }, latents)?;
    let lengths: Vec<f64> =
        decoder.iter_rows().map(|row| crate::kernel::dot(row, row).sqrt() * factor).collect();
    config.finish(&mut activation, &mut encoder_bias, &lengths);
    if config.rescale_acts_by_decoder_norm {
        rescale(&mut encoder, &mut encoder_bias, &mut decoder);
    }
    let over = if config.keeps_decoder_bias { 1.0 } else { factor };
    let by = config.bias_factor.unwrap_or(1.0);
    let mut decoder_bias: Vec<f64> = match vector(file, "b_dec", width) {
        Ok(values) => values.into_iter().map(|value| value * by / over).collect(),
        // A decoder may have none: that of SAELens' is asked for when its shape is.
        Err(IoError::Missing { .. }) => vec![0.0; width],
        Err(error) => return Err(error.into()),
    };
    let mut subtracts = config.apply_b_dec_to_input;
    if config.normalisation == Normalisation::Whitening {
        let whitening = Whitening::open(file, width)?;
        let subtracted = subtracts.then_some(&*decoder_bias);
        let (unwhitened, shift) = whitening.encoder(&encoder, subtracted);
        shift_biases(&mut encoder_bias, &mut activation, &shift);
        decoder_bias = whitening.offset(&decoder_bias);
        (encoder, decoder) = (unwhitened, whitening.decoder(&decoder));
        subtracts = false;
    }
    if !subtracts {
        // What is not taken off before is added again after.
        let added: Vec<f64> =
            encoder.iter_rows().map(|row| crate::kernel::dot(row, &decoder_bias)).collect();
        shift_biases(&mut encoder_bias, &mut activation, &added);
    }
    let normalisation = config.normalisation.into();
    Ok(Weights { encoder, encoder_bias, decoder, decoder_bias, activation, normalisation })
}

/// Refuses what has more to it than these numbers.
fn plain(folder: &Folder) -> Result<(), OwnError> {
    let config = &folder.config;
    let ranked =
        config.gates_by_decoder_norm && matches!(config.architecture, Architecture::TopK { .. });
    let found = if let Architecture::MatchingPursuit { .. } = config.architecture {
        "matching_pursuit, which has no encoder to make controls of"
    } else if config.transcoder == Transcoder::Yes {
        "a transcoder, which reconstructs other activations than it reads"
    } else if ranked {
        "codes that are ranked by other numbers than themselves"
    } else {
        return Ok(());
    };
    Err(OwnError::Config {
        file: folder.config_file.clone(),
        field: "architecture".to_owned(),
        found: found.to_owned(),
        allowed: "autoencoders whose codes are a function of x·W_enc + b_enc, which an evaluation is not limited to"
            .to_owned(),
    })
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
