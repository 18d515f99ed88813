//! Autoencoders in their files: what they hold as plain numbers, and what their names say.

use super::{SEED_MAX, UserAuditError};
use crate::Matrix;
use crate::io::{Array, DataFile, IoError};
use crate::lab::evaluate::{EvaluationError, as_transcoder, reject_missing_targets};
use crate::papers::measurement::user_files::seed_from_path;
use crate::sae::{
    Activation, Normalisation, SaeFolder, TranscoderPart, TranscoderStatus, Weights, Whitening, shift_biases,
};

/// The architecture's name and the seed that a folder's path says: `runs/seed_3/topk` and `runs/topk/seed_3` are both
/// "topk" under seed 3. One without a folder `seed_<number>` is by its own name under seed 0.
///
/// # Errors
/// [`UserAuditError::Value`] for a seed above [`SEED_MAX`].
///
/// # Examples
/// ```
/// use sfc_bench::lab::audit::user_files::parse_name_and_seed;
/// assert_eq!(parse_name_and_seed("runs/seed_3/topk/k8"), Ok(("topk/k8".to_owned(), 3)));
/// assert_eq!(parse_name_and_seed("runs/topk/seed_4/"), Ok(("topk".to_owned(), 4)));
/// assert_eq!(parse_name_and_seed("runs/topk"), Ok(("topk".to_owned(), 0)));
/// ```
pub fn parse_name_and_seed(folder: &str) -> Result<(String, u32), UserAuditError> {
    let parts: Vec<&str> = folder.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    // As results have it, whose seed is that of a file.
    let Some((number, rest)) = seed_from_path(&format!("{}/{}", parts.join("/"), SaeFolder::CONFIG_FILE)) else {
        return Ok((parts.last().copied().unwrap_or_default().to_owned(), 0));
    };
    let place = match rest.rsplit_once('/') {
        Some((below, _)) => below.to_owned(),
        // The seed is the innermost folder.
        None => parts.iter().rev().nth(1).copied().unwrap_or_default().to_owned(),
    };
    match u32::try_from(number).ok().filter(|number| *number <= SEED_MAX) {
        Some(number) => Ok((place, number)),
        None => Err(UserAuditError::value_error(folder, "seed", number, format!("0 to {SEED_MAX}"))),
    }
}

/// As [`load_weights`], of an autoencoder; or, where a file of targets is named, of a transcoder.
///
/// # Errors
/// As [`load_weights`]; [`EvaluationError::Targets`] for a transcoder without targets, [`EvaluationError::Sae`] for an autoencoder with some.
pub fn load_weights_with_targets(folder: SaeFolder, targets: Option<&str>) -> Result<Weights, EvaluationError> {
    match targets {
        None => {
            reject_missing_targets(&folder)?;
            load_weights(&folder)
        }
        Some(targets) => load_weights(&as_transcoder(folder, targets)?),
    }
}

/// The numbers of a folder's autoencoder or transcoder, all that scales activations or codes folded in.
///
/// # Errors
/// [`EvaluationError`]: arrays that are not there or do not fit, and numbers that are refused, as evaluating it does.
pub fn load_weights(folder: &SaeFolder) -> Result<Weights, EvaluationError> {
    let config = &folder.config;
    let (latents, [reads, width]) = folder.shape()?;
    let file = &*folder.weights;
    let transcodes = config.transcoder == TranscoderStatus::Yes;
    if transcodes && config.normalisation == Normalisation::Whitening {
        let (field, found) = ("normalize_activations", "covariance_whitening");
        let allowed = "another one, for a transcoder";
        return Err(EvaluationError::invalid_config(&folder.config_file, field, found, allowed));
    }
    SaeFolder::check_factors(file)?;
    let factor = config.weight_factor();
    let matrix = |values: Vec<f64>, width: usize, factor: f64| {
        let mut out = Matrix::zeros(latents, width);
        let numbers = values.into_iter().map(|value| value * factor);
        out.data_mut().iter_mut().zip(numbers).for_each(|(out, value)| *out = value);
        out
    };
    let written = sum_layers(file.array("W_dec")?.read_all_as()?, width, config.target_layers);
    let mut decoder = matrix(written, width, 1.0 / factor);
    let mut activation = config.activation(file, latents)?;
    // A pursuit is one of the decoder's own rows, without a bias.
    let pursuit = matches!(activation, Activation::MatchingPursuit(_));
    let mut encoder = match pursuit {
        true => decoder.clone(),
        false => matrix(file.array("W_enc")?.read_columns_as()?, reads, factor),
    };
    let mut encoder_bias = match activation {
        Activation::MatchingPursuit(_) => vec![0.0; latents],
        Activation::Gated { .. } => read_vector(file, "b_gate", latents)?,
        _ => read_vector(file, "b_enc", latents)?,
    };
    let lengths: Vec<f64> = decoder.iter_rows().map(|row| crate::kernel::dot(row, row).sqrt() * factor).collect();
    config.rescale_bias_and_thresholds(&mut activation, &mut encoder_bias, &lengths);
    if let (true, &Activation::TopK(kept)) = (config.gates_by_decoder_norm, &activation) {
        activation = Activation::RankedTopK { kept, norms: lengths };
    } else if config.rescale_acts_by_decoder_norm {
        fold_decoder_norms(&mut encoder, &mut encoder_bias, &mut decoder);
    }
    let over = if config.keeps_decoder_bias { 1.0 } else { factor };
    let by = config.bias_factor.unwrap_or(1.0);
    let mut decoder_bias: Vec<f64> = match read_vector(file, "b_dec", width) {
        Ok(values) => values.into_iter().map(|value| value * by / over).collect(),
        // A decoder may have none: that of SAELens' is asked for when its shape is.
        Err(IoError::Missing { .. }) => vec![0.0; width],
        Err(error) => return Err(error.into()),
    };
    let mut subtracts = config.apply_b_dec_to_input;
    if config.normalisation == Normalisation::Whitening {
        let whitening = Whitening::open(file, width)?;
        let subtracted = subtracts.then_some(&*decoder_bias);
        let (unwhitened, shift) = whitening.fold_encoder(&encoder, subtracted);
        shift_biases(&mut encoder_bias, &mut activation, &shift);
        decoder_bias = whitening.fold_decoder_bias(&decoder_bias);
        (encoder, decoder) = (unwhitened, whitening.fold_decoder(&decoder));
        subtracts = false;
    }
    if transcodes {
        // Of what it reads nothing is taken off.
    } else if pursuit && !subtracts {
        // It is added nowhere either.
        decoder_bias.fill(0.0);
    } else if !subtracts {
        // What is not taken off before is added again after.
        let added: Vec<f64> = encoder.iter_rows().map(|row| crate::kernel::dot(row, &decoder_bias)).collect();
        shift_biases(&mut encoder_bias, &mut activation, &added);
    }
    let skip = file.array("W_skip").ok().filter(|_| transcodes).map(|skip| {
        skip.expect_shape(width, reads, "outputs × inputs")?;
        let mut out = Matrix::zeros(width, reads);
        out.data_mut().copy_from_slice(&skip.read_all_as::<f64>()?);
        Ok::<_, IoError>(out)
    });
    let skip = skip.transpose()?;
    let transcodes = transcodes.then_some(TranscoderPart { skip });
    let normalisation = config.normalisation.into();
    Ok(Weights { encoder, encoder_bias, decoder, decoder_bias, activation, normalisation, transcoder: transcodes })
}

/// Rows of so many layers one after the other, each `width` numbers, summed over these.
fn sum_layers(values: Vec<f64>, width: usize, layers: usize) -> Vec<f64> {
    if layers <= 1 {
        return values;
    }
    let sum = |row: &[f64]| -> Vec<f64> { (0..width).map(|at| row.iter().skip(at).step_by(width).sum()).collect() };
    values.chunks_exact((width * layers).max(1)).flat_map(sum).collect()
}

/// Folds the lengths of W_dec's rows, by which pre-activations are multiplied and codes divided again, into the weights:
/// the same autoencoder, whose directions are of unit length.
fn fold_decoder_norms(encoder: &mut Matrix, encoder_bias: &mut [f64], decoder: &mut Matrix) {
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

fn read_vector(file: &DataFile, name: &str, len: usize) -> Result<Vec<f64>, IoError> {
    let array: &Array = file.array(name)?;
    array.expect_shape(1, len, "one dimension")?;
    array.read_all_as()
}
