use serde::Deserialize;

use super::decomposition::CodesBy;
use super::plan::Options;

/// An array of a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateChoice"))]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The file's name.
    pub file: String,
    /// The array's, where there are several.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub array: Option<String>,
}

/// The two files of a folder as SAELens writes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateFolder"))]
#[serde(deny_unknown_fields)]
pub struct Folder {
    /// The name of its `cfg.json`.
    pub config: String,
    /// The name of its `sae_weights.safetensors`.
    pub weights: String,
}

/// What is to be scored, among files that are open under their names.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateRequest"))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// A, N × D.
    pub activations: Choice,
    /// An autoencoder as SAELens writes it,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub sae: Option<Folder>,
    /// or a dictionary alone, K × D,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub dictionary: Option<Choice>,
    /// with codes, N × K,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub codes: Option<Choice>,
    /// or a way to make them.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<CodesBy>"))]
    pub codes_by: CodesBy,
    /// A linear readout, o × D; without one f is the identity.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout: Option<Choice>,
    /// Its bias, o values.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout_bias: Option<Choice>,
    /// What the score takes, and what the run may take.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, type = "Partial<EvaluateOptions>"))]
    pub options: Options,
}

/// Activations among such files, and what reads them out, as a world to train on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GivenRequest {
    /// A, N × D.
    pub activations: Choice,
    /// A linear readout, o × D; without one f is the identity.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout: Option<Choice>,
    /// Its bias, o values.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub readout_bias: Option<Choice>,
    /// Seed of which rows are taken, and in which order.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub seed: u32,
}
