use std::borrow::Cow;

use safetensors::tensor::{Dtype, View, serialize};
use serde_json::json;

use super::{Autoencoder, Family, TrainError};
use crate::Matrix;
use crate::io::to_npy;
use crate::synthetic::{Readout, Sample};

/// A file of a folder that SAELens loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaeLensFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The names of the files of such a folder.
pub const FILE_NAMES: [&str; 2] = ["cfg.json", "sae_weights.safetensors"];

/// An autoencoder as the folder that SAELens loads from disk: `cfg.json` and
/// `sae_weights.safetensors`.
///
/// Tensors are `F32`: `W_enc` (D × F), `b_enc`, `W_dec` (F × D), `b_dec`; JumpReLU's `threshold`;
/// Gated's `b_gate` (in the place of `b_enc`), `r_mag` and `b_mag`. BatchTopK and Matryoshka are saved
/// as the JumpReLU autoencoders they are once trained.
///
/// # Errors
/// [`TrainError::Unwritten`].
pub fn to_sae_lens(autoencoder: &Autoencoder) -> Result<[SaeLensFile; 2], TrainError> {
    let unwritten = |error: &dyn std::fmt::Display| TrainError::Unwritten(error.to_string());
    let config = serde_json::to_vec_pretty(&config_json(autoencoder)).map_err(|e| unwritten(&e))?;
    let weights = serialize(weight_tensors(autoencoder), None).map_err(|e| unwritten(&e))?;
    let [config_name, weights_name] = FILE_NAMES;
    Ok([SaeLensFile { name: config_name, bytes: config }, SaeLensFile { name: weights_name, bytes: weights }])
}

/// An autoencoder that was trained on a sample of this scale, and rows of the sample that it was not
/// trained on, as files that can be scored: those of [`to_sae_lens`], the activations, and the readout
/// with its bias where it is linear. All are as they were before they were scaled.
///
/// # Errors
/// [`TrainError::Unwritten`].
pub fn to_scorable_files(autoencoder: Autoencoder, held: &Sample) -> Result<Vec<SaeLensFile>, TrainError> {
    let mut files = Vec::from(to_sae_lens(&autoencoder.unscale(held.scale))?);
    let mut add = |name, matrix: &Matrix, factor: f64| {
        let (rows, cols) = matrix.shape();
        let values: Vec<f64> = matrix.data().iter().map(|value| value * factor).collect();
        files.push(SaeLensFile { name, bytes: to_npy(&[rows, cols], &values) });
    };
    add("activations.npy", &held.activations, 1.0 / held.scale);
    if let Some(Readout::Affine { weights, bias }) = &held.readout {
        add("readout.npy", weights, held.scale);
        let bytes = to_npy(&[bias.len()], bias);
        files.push(SaeLensFile { name: "readout_bias.npy", bytes });
    }
    Ok(files)
}

fn config_json(autoencoder: &Autoencoder) -> serde_json::Value {
    let parameters = autoencoder.parameters();
    let family = parameters.family();
    let architecture = match family {
        Family::Relu => "standard",
        Family::TopK => "topk",
        Family::Gated => "gated",
        Family::JumpRelu | Family::BatchTopK | Family::Matryoshka => "jumprelu",
    };
    let mut out = json!({
        "architecture": architecture,
        "d_in": parameters.input_width(),
        "d_sae": parameters.latent_count(),
        "dtype": "float32",
        "device": "cpu",
        "apply_b_dec_to_input": true,
        "normalize_activations": "none",
        "reshape_activations": "none",
        "metadata": {
            "trained_by": concat!("sfc-bench ", env!("CARGO_PKG_VERSION")),
            "family": family.name(),
        },
    });
    if family == Family::TopK {
        out["k"] = json!(autoencoder.k());
    }
    out
}

/// One tensor of `f32`, whose bytes are made when they are written.
struct F32Tensor {
    shape: Vec<usize>,
    values: Vec<f32>,
}

impl View for F32Tensor {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn data_len(&self) -> usize {
        self.values.len() * size_of::<f32>()
    }
}

fn weight_tensors(autoencoder: &Autoencoder) -> Vec<(&'static str, F32Tensor)> {
    let parameters = autoencoder.parameters();
    let (d, f) = (parameters.input_width(), parameters.latent_count());
    let encoder = parameters.encoder();
    let transposed: Vec<f32> = (0..d).flat_map(|input| encoder[input..].iter().step_by(d)).copied().collect();
    let vector = |values: &[f32]| F32Tensor { shape: vec![values.len()], values: values.to_vec() };
    let gated = parameters.family() == Family::Gated;
    let mut out = vec![
        ("W_enc", F32Tensor { shape: vec![d, f], values: transposed }),
        (if gated { "b_gate" } else { "b_enc" }, vector(parameters.b_enc())),
        ("W_dec", F32Tensor { shape: vec![f, d], values: parameters.decoder().to_vec() }),
        ("b_dec", vector(parameters.b_dec())),
    ];
    if gated {
        out.push(("r_mag", vector(parameters.extra(0))));
        out.push(("b_mag", vector(parameters.extra(1))));
    }
    if let Some(thresholds) = autoencoder.thresholds() {
        out.push(("threshold", vector(&thresholds)));
    }
    out
}
