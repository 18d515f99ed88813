//! The folder that SAELens writes: what its configuration says, and the tensors that belong to it.
//!
//! Definitions are those of SAELens 6 at inference. A configuration that asks for something else is
//! refused, not guessed at.

use serde::Serialize;
use serde_json::Value;

use super::SaeError;

/// Largest configuration that is read.
pub(super) const CONFIG_BYTES_MAX: usize = 1 << 20;

/// How an encoder's pre-activations z = x·W_enc + b_enc become codes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
pub enum Architecture {
    /// max(0, z).
    Standard,
    /// max(0, z) of the k largest; the lower index where they are equal.
    TopK {
        /// How many.
        k: usize,
    },
    /// max(0, z) where z exceeds the feature's threshold.
    JumpRelu,
    /// As [`Architecture::JumpRelu`], with the one threshold that training on batches left, in nested
    /// groups or without.
    BatchTopK,
    /// max(0, (x·W_enc)·exp(r_mag) + b_mag) where x·W_enc + b_gate is positive.
    Gated,
    /// The k that are largest in magnitude, with their signs.
    AbsTopK {
        /// How many.
        k: usize,
    },
    /// The largest max(0, z) of each of k groups of latents that follow one another.
    GroupMax {
        /// How many groups.
        k: usize,
    },
    /// Greedy: the latent with the largest max(0, r·W_dec) of what is left, r, again and again.
    MatchingPursuit {
        /// Most steps; D where there is no such number.
        max_iterations: Option<usize>,
        /// The length of what is left from which on it ends.
        residual_threshold: f64,
        /// Whether it ends where the latents of a row are those of the step before.
        stop_on_duplicate_support: bool,
    },
}

/// Whether what is reconstructed are other activations than those that are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TranscoderStatus {
    /// An autoencoder.
    #[default]
    No,
    /// A transcoder, which is scored by the activations that it reconstructs.
    Yes,
    /// Neither names nor shapes tell.
    Unknown,
}

/// What is done to each row of activations before encoding, and undone after decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalisation {
    /// Nothing.
    None,
    /// Scaled to length √D.
    ConstantNorm,
    /// Less its mean, over its standard deviation (ddof 1) plus 10⁻⁵; undone without the 10⁻⁵.
    LayerNorm,
    /// Less the mean of all, times a matrix; undone by its inverse. Both are folded into the weights.
    Whitening,
}

/// What `cfg.json` says, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Config {
    /// D, where it is told.
    pub d_in: Option<usize>,
    /// K, where it is told.
    pub d_sae: Option<usize>,
    /// The activation.
    pub architecture: Architecture,
    /// Whether b_dec is subtracted before encoding.
    pub apply_b_dec_to_input: bool,
    /// What is done to a row before, and undone after.
    pub normalisation: Normalisation,
    /// Whether pre-activations are multiplied by the lengths of the decoder's rows, and codes divided
    /// by them in decoding.
    pub rescale_acts_by_decoder_norm: bool,
    /// Whether activations were scaled to an expected average length in training.
    pub scaled: bool,
    /// A factor to be folded into the weights, where one is named: W_enc times it, W_dec and b_dec divided by it.
    pub norm_scaling_factor: Option<f64>,
    /// Whether b_dec is not divided by that factor.
    pub keeps_decoder_bias: bool,
    /// What biases and thresholds are to be multiplied by, of a run that ended before they were.
    pub bias_factor: Option<f64>,
    /// One threshold for all latents, where it is in no tensor.
    pub threshold: Option<f64>,
    /// Whether thresholds and ranks are those of pre-activations times the lengths of the decoder's rows, which codes are
    /// not multiplied by.
    pub gates_by_decoder_norm: bool,
    /// Whether other activations are reconstructed.
    pub transcoder: TranscoderStatus,
    /// Layers that a decoder writes to; what is written to them is summed.
    pub target_layers: usize,
}

impl Config {
    /// Of an architecture, with nothing else to do.
    pub(super) fn new(architecture: Architecture, apply_b_dec_to_input: bool) -> Self {
        Self {
            d_in: None,
            d_sae: None,
            architecture,
            apply_b_dec_to_input,
            normalisation: Normalisation::None,
            rescale_acts_by_decoder_norm: false,
            scaled: false,
            norm_scaling_factor: None,
            keeps_decoder_bias: false,
            bias_factor: None,
            threshold: None,
            gates_by_decoder_norm: false,
            transcoder: TranscoderStatus::No,
            target_layers: 1,
        }
    }

    /// The factor to be folded into the weights.
    #[must_use]
    pub fn weight_factor(&self) -> f64 {
        self.norm_scaling_factor.unwrap_or(1.0)
    }
}

/// Tensors that activations are whitened by.
pub(super) const WHITENING_TENSORS: [&str; 3] = ["mean", "matrix", "inverse_matrix"];
/// What a factor may be.
pub(super) const ALLOWED_FACTOR: &str = "a number from 1e-12 to 1e12";

impl Architecture {
    /// The tensors that it is made of.
    pub(super) const fn tensor_names(self) -> &'static [&'static str] {
        match self {
            Self::Standard | Self::TopK { .. } | Self::AbsTopK { .. } | Self::GroupMax { .. } => {
                &["W_enc", "W_dec", "b_enc", "b_dec"]
            }
            Self::MatchingPursuit { .. } => &["W_dec", "b_dec"],
            Self::JumpRelu => &["W_enc", "W_dec", "b_enc", "b_dec", "threshold", "log_threshold"],
            Self::BatchTopK => &["W_enc", "W_dec", "b_enc", "b_dec", "threshold", "topk_threshold"],
            Self::Gated => &["W_enc", "W_dec", "r_mag", "b_mag", "b_gate", "b_dec"],
        }
    }

    /// Its name, with what it keeps: "topk (4)".
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Standard => "standard".to_owned(),
            Self::TopK { k } => format!("topk ({k})"),
            Self::JumpRelu => "jumprelu".to_owned(),
            Self::BatchTopK => "batchtopk".to_owned(),
            Self::Gated => "gated".to_owned(),
            Self::AbsTopK { k } => format!("abstopk ({k})"),
            Self::GroupMax { k } => format!("groupmax ({k})"),
            Self::MatchingPursuit { .. } => "matching_pursuit".to_owned(),
        }
    }
}

/// A field of the configuration, refused by its name.
pub(super) struct ConfigFields<'a> {
    file: &'a str,
    pub(super) root: Value,
}

impl<'a> ConfigFields<'a> {
    /// Those of no file.
    pub(super) fn empty(file: &'a str) -> Self {
        Self::from_value(file, Value::Null)
    }

    /// Those of an object that was read.
    pub(super) fn from_value(file: &'a str, root: Value) -> Self {
        Self { file, root }
    }

    /// Whether a field is there and not null.
    pub(super) fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// Text of a field; none where it is something else.
    pub(super) fn get_text(&self, field: &str) -> Option<String> {
        self.get(field)?.as_str().map(str::to_owned)
    }

    /// A finite number.
    pub(super) fn get_number(&self, field: &str) -> Result<Option<f64>, SaeError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = value.as_f64().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| self.config_error(field, "a number"))
    }

    /// The fields of a JSON object.
    pub(super) fn parse(file: &'a str, json: &[u8]) -> Result<Self, SaeError> {
        let whole = |found: String, allowed: &str| SaeError::config(file, "the whole file", found, allowed);
        if json.len() > CONFIG_BYTES_MAX {
            return Err(whole(format!("{} bytes", json.len()), "at most 1048576 bytes"));
        }
        let root: Value = serde_json::from_slice(json).map_err(|error| whole(error.to_string(), "a JSON object"))?;
        if !root.is_object() {
            return Err(whole("no object".to_owned(), "a JSON object"));
        }
        Ok(Self { file, root })
    }

    pub(super) fn config_error(&self, field: &str, allowed: &str) -> SaeError {
        let mut found = self.get(field).map_or_else(|| "nothing".to_owned(), Value::to_string);
        if found.chars().count() > 60 {
            found = found.chars().take(59).chain(['…']).collect();
        }
        SaeError::config(self.file, field, found, allowed)
    }

    /// A field that is there and not null.
    fn get(&self, field: &str) -> Option<&Value> {
        let found = field.split('.').try_fold(&self.root, |value, name| value.get(name));
        found.filter(|value| !value.is_null())
    }

    pub(super) fn get_bool(&self, field: &str, default: bool) -> Result<bool, SaeError> {
        match self.get(field) {
            None => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| self.config_error(field, "true or false")),
        }
    }

    pub(super) fn get_count(&self, field: &str) -> Result<Option<usize>, SaeError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        // Some configurations have whole numbers with a decimal point.
        let whole = value.as_f64().filter(|x| *x >= 1.0 && *x <= 1e9 && libm::trunc(*x) == *x);
        let found = whole.map(|whole| Some(whole as usize));
        found.ok_or_else(|| self.config_error(field, "a whole number from 1"))
    }

    pub(super) fn get_factor(&self, field: &str) -> Result<Option<f64>, SaeError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let factor = value.as_f64().filter(|factor| *factor >= 1e-12 && *factor <= 1e12);
        factor.map(Some).ok_or_else(|| self.config_error(field, ALLOWED_FACTOR))
    }

    pub(super) fn get_word(&self, field: &str) -> Result<Option<&str>, SaeError> {
        match self.get(field) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| self.config_error(field, "a word")),
        }
    }
}

impl Config {
    /// Reads `cfg.json`.
    ///
    /// # Errors
    /// [`SaeError::Config`] with the field, what it holds and what is understood.
    pub fn parse(file: &str, json: &[u8]) -> Result<Self, SaeError> {
        let fields = ConfigFields::parse(file, json)?;
        let architecture = read_architecture(&fields)?;
        // Whether there is such a factor, the weights tell.
        fields.get_bool("finetuning_scaling_factor", false)?;
        // What of other libraries would change codes or reconstructions.
        for field in ["use_error_term", "signed", "transcode", "is_transcoder", "skip_connection"] {
            if fields.get_bool(field, false)? {
                return Err(fields.config_error(field, "false"));
            }
        }
        let scaled = match fields.get("normalize_activations") {
            Some(Value::Bool(scaled)) => *scaled,
            other => other.and_then(Value::as_str) == Some("expected_average_only_in"),
        };
        let normalisation = match fields.get("normalize_activations") {
            // Before there were words, true stood for the expected average.
            None | Some(Value::Bool(_)) => Normalisation::None,
            // All but the first SAELens applies only by folding them into the weights.
            Some(Value::String(word))
                if ["none", "expected_average_only_in", "covariance_whitening"].contains(&word.as_str()) =>
            {
                Normalisation::None
            }
            Some(Value::String(word)) if word == "constant_norm_rescale" => Normalisation::ConstantNorm,
            Some(Value::String(word)) if word == "layer_norm" => Normalisation::LayerNorm,
            Some(_) => {
                return Err(fields.config_error(
                    "normalize_activations",
                    "none, expected_average_only_in, covariance_whitening, constant_norm_rescale, \
                     layer_norm",
                ));
            }
        };
        match fields.get_word("reshape_activations")? {
            None | Some("none" | "hook_z") => {}
            Some(_) => return Err(fields.config_error("reshape_activations", "none, hook_z")),
        }
        // The others have no such field in SAELens, which then ignores it.
        let by_length = matches!(architecture, Architecture::TopK { .. } | Architecture::BatchTopK);
        let transcoder = fields.get_word("architecture")?.is_some_and(|word| word.ends_with("transcoder"));
        let subtracts = fields.get_bool("apply_b_dec_to_input", !transcoder)?;
        if transcoder && subtracts {
            return Err(fields.config_error("apply_b_dec_to_input", "false, for a transcoder"));
        }
        Ok(Self {
            d_in: fields.get_count("d_in")?,
            d_sae: fields.get_count("d_sae")?,
            normalisation,
            rescale_acts_by_decoder_norm: fields.get_bool("rescale_acts_by_decoder_norm", false)? && by_length,
            scaled,
            norm_scaling_factor: fields.get_factor("norm_scaling_factor")?,
            transcoder: if transcoder { TranscoderStatus::Yes } else { TranscoderStatus::No },
            ..Self::new(architecture, subtracts)
        })
    }
}

fn read_architecture(fields: &ConfigFields<'_>) -> Result<Architecture, SaeError> {
    const ALLOWED_ARCHITECTURES: &str = "standard, topk, batchtopk, matryoshka_batchtopk, jumprelu, gated, abstopk, matching_pursuit, \
        transcoder, skip_transcoder, jumprelu_transcoder, jumprelu_skip_transcoder";
    // Older configurations have a standard architecture with an activation that picks k.
    let activation =
        ["activation_fn", "activation_fn_str", "activation"].into_iter().find(|field| fields.get(field).is_some());
    let by_activation = match activation {
        None => "relu",
        Some(field) => fields.get_word(field)?.unwrap_or("relu"),
    };
    let top_k = || {
        // Where an old configuration has both, SAELens takes the older one.
        for field in ["activation_fn_kwargs.k", "k"] {
            if let Some(k) = fields.get_count(field)? {
                return Ok(Architecture::TopK { k });
            }
        }
        Err(fields.config_error("k", "a whole number from 1"))
    };
    let found = match fields.get_word("architecture")? {
        Some("topk") => return top_k(),
        None | Some("standard") => match by_activation {
            "topk" => return top_k(),
            _ => {
                // Without a word on it, what keeps the largest would be taken for what keeps all.
                for field in ["activation_fn_kwargs.k", "k"] {
                    if fields.get_count(field)?.is_some() {
                        return Err(fields.config_error(field, "none without architecture topk or batchtopk"));
                    }
                }
                if fields.get("dict_class").is_some() {
                    return Err(
                        fields.config_error("dict_class", &format!("none; architecture: {ALLOWED_ARCHITECTURES}"))
                    );
                }
                Architecture::Standard
            }
        },
        Some("jumprelu") => Architecture::JumpRelu,
        Some("batchtopk" | "matryoshka_batchtopk") => Architecture::BatchTopK,
        Some("gated") => Architecture::Gated,
        Some("transcoder" | "skip_transcoder") => Architecture::Standard,
        Some("jumprelu_transcoder" | "jumprelu_skip_transcoder") => Architecture::JumpRelu,
        Some("abstopk") => match fields.get_count("k")? {
            Some(k) => Architecture::AbsTopK { k },
            None => return Err(fields.config_error("k", "a whole number from 1")),
        },
        Some("matching_pursuit") => Architecture::MatchingPursuit {
            max_iterations: fields.get_count("max_iterations")?,
            residual_threshold: fields.get_number("residual_threshold")?.unwrap_or(1e-2),
            stop_on_duplicate_support: fields.get_bool("stop_on_duplicate_support", true)?,
        },
        Some(_) => return Err(fields.config_error("architecture", ALLOWED_ARCHITECTURES)),
    };
    if by_activation != "relu" && found != Architecture::BatchTopK {
        return Err(fields.config_error(activation.unwrap_or("activation_fn"), "relu, topk"));
    }
    Ok(found)
}
