//! The folder that SAELens writes: what its configuration says, and the tensors that belong to it.
//!
//! Definitions are those of SAELens 6 at inference. A configuration that asks for something else is
//! refused, not guessed at.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;

use super::SaeError;
use crate::io::{self, DataFile, IoError};

/// Largest configuration that is read.
const CONFIG_MAX: usize = 1 << 20;

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
}

/// A folder whose configuration is understood and whose weights are open.
#[derive(Clone)]
pub struct Folder {
    /// The name of its `cfg.json`.
    pub config_file: String,
    /// What that says.
    pub config: Config,
    /// SHA-256 of it.
    pub config_digest: String,
    /// Its `sae_weights.safetensors`.
    pub weights: Rc<DataFile>,
}

impl Folder {
    /// The name of the configuration in the folder.
    pub const CONFIG: &str = "cfg.json";
    /// The name of the weights in the folder.
    pub const WEIGHTS: &str = "sae_weights.safetensors";

    /// The name and bytes of `cfg.json`, and the open weights.
    ///
    /// # Errors
    /// [`SaeError::Config`].
    pub fn new(name: &str, json: Vec<u8>, weights: Rc<DataFile>) -> Result<Self, SaeError> {
        let config = Config::parse(name, &json)?;
        let config_digest = io::digest(name, &json)?;
        Ok(Self { config_file: name.to_owned(), config, config_digest, weights })
    }

    /// K and D, where configuration and weights agree on them.
    ///
    /// # Errors
    /// [`SaeError::Io`] with the array of another shape, [`SaeError::Config`] with the field that
    /// says another one.
    pub fn shape(&self) -> Result<(usize, usize), SaeError> {
        let decoder = self.weights.array("W_dec")?;
        let (k, d) = (decoder.rows(), decoder.cols());
        let refuse = |field: &str, found: usize, allowed: String| {
            let (file, field) = (self.config_file.clone(), field.to_owned());
            Err(SaeError::Config { file, field, found: found.to_string(), allowed })
        };
        for (field, said, found) in [("d_in", self.config.d_in, d), ("d_sae", self.config.d_sae, k)]
        {
            if let Some(said) = said.filter(|said| *said != found) {
                return refuse(field, said, format!("{found}, as W_dec has it"));
            }
        }
        self.weights.array("W_enc")?.expect(d, k, "the transpose of W_dec's shape")?;
        if let Architecture::TopK { k: kept } = self.config.architecture
            && kept > k
        {
            return refuse("k", kept, format!("1 to {k}, the number of features"));
        }
        Ok((k, d))
    }

    /// Bytes of `cfg.json`, read from wherever they are; none may be larger than 1 MiB.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn read_config(name: &str, source: &dyn io::ReadAt) -> Result<Vec<u8>, IoError> {
        io::read_small(name, source, "a configuration", CONFIG_MAX as u64)
    }
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
    /// A factor to be folded into the weights: W_enc times it, W_dec and b_dec divided by it.
    pub norm_scaling_factor: f64,
}

impl Architecture {
    /// Its name, with what it keeps: "topk (4)".
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Standard => "standard".to_owned(),
            Self::TopK { k } => format!("topk ({k})"),
            Self::JumpRelu => "jumprelu".to_owned(),
            Self::BatchTopK => "batchtopk".to_owned(),
            Self::Gated => "gated".to_owned(),
        }
    }
}

/// A field of the configuration, refused by its name.
struct Fields<'a> {
    file: &'a str,
    root: Value,
}

impl Fields<'_> {
    fn refuse(&self, field: &str, allowed: &str) -> SaeError {
        let mut found = self.get(field).map_or_else(|| "nothing".to_owned(), Value::to_string);
        if found.chars().count() > 60 {
            found = found.chars().take(59).chain(['…']).collect();
        }
        let (file, field) = (self.file.to_owned(), field.to_owned());
        SaeError::Config { file, field, found, allowed: allowed.to_owned() }
    }

    /// A field that is there and not null.
    fn get(&self, field: &str) -> Option<&Value> {
        let found = field.split('.').try_fold(&self.root, |value, name| value.get(name));
        found.filter(|value| !value.is_null())
    }

    fn truth(&self, field: &str, default: bool) -> Result<bool, SaeError> {
        match self.get(field) {
            None => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| self.refuse(field, "true or false")),
        }
    }

    fn count(&self, field: &str) -> Result<Option<usize>, SaeError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        // Some configurations have whole numbers with a decimal point.
        let whole = value.as_f64().filter(|x| *x >= 1.0 && *x <= 1e9 && libm::trunc(*x) == *x);
        let found = whole.map(|whole| Some(whole as usize));
        found.ok_or_else(|| self.refuse(field, "a whole number from 1"))
    }

    fn word(&self, field: &str) -> Result<Option<&str>, SaeError> {
        match self.get(field) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| self.refuse(field, "a word")),
        }
    }
}

impl Config {
    /// Reads `cfg.json`.
    ///
    /// # Errors
    /// [`SaeError::Config`] with the field, what it holds and what is understood.
    pub fn parse(file: &str, json: &[u8]) -> Result<Self, SaeError> {
        let whole = |found: String, allowed: &str| SaeError::Config {
            file: file.to_owned(),
            field: "the whole file".to_owned(),
            found,
            allowed: allowed.to_owned(),
        };
        if json.len() > CONFIG_MAX {
            return Err(whole(format!("{} bytes", json.len()), "at most 1048576 bytes"));
        }
        let root: Value = serde_json::from_slice(json)
            .map_err(|error| whole(error.to_string(), "a JSON object"))?;
        if !root.is_object() {
            return Err(whole("no object".to_owned(), "a JSON object"));
        }
        let fields = Fields { file, root };
        let architecture = architecture(&fields)?;
        // Whether there is such a factor, the weights tell.
        fields.truth("finetuning_scaling_factor", false)?;
        let normalisation = match fields.get("normalize_activations") {
            // Before there were words, true stood for the expected average.
            None | Some(Value::Bool(_)) => Normalisation::None,
            // All but the first SAELens applies only by folding them into the weights.
            Some(Value::String(word))
                if ["none", "expected_average_only_in", "covariance_whitening"]
                    .contains(&word.as_str()) =>
            {
                Normalisation::None
            }
            Some(Value::String(word)) if word == "constant_norm_rescale" => {
                Normalisation::ConstantNorm
            }
            Some(Value::String(word)) if word == "layer_norm" => Normalisation::LayerNorm,
            Some(_) => {
                return Err(fields.refuse(
                    "normalize_activations",
                    "none, expected_average_only_in, covariance_whitening, constant_norm_rescale, \
                     layer_norm",
                ));
            }
        };
        match fields.word("reshape_activations")? {
            None | Some("none" | "hook_z") => {}
            Some(_) => return Err(fields.refuse("reshape_activations", "none, hook_z")),
        }
        let factor = match fields.get("norm_scaling_factor") {
            None => 1.0,
            Some(value) => {
                let fits = |factor: &f64| *factor >= 1e-12 && *factor <= 1e12;
                let factor = value.as_f64().filter(fits);
                factor.ok_or_else(|| {
                    fields.refuse("norm_scaling_factor", "a number from 1e-12 to 1e12")
                })?
            }
        };
        // The others have no such field in SAELens, which then ignores it.
        let by_length = matches!(architecture, Architecture::TopK { .. } | Architecture::BatchTopK);
        Ok(Self {
            d_in: fields.count("d_in")?,
            d_sae: fields.count("d_sae")?,
            architecture,
            apply_b_dec_to_input: fields.truth("apply_b_dec_to_input", true)?,
            normalisation,
            rescale_acts_by_decoder_norm: fields.truth("rescale_acts_by_decoder_norm", false)?
                && by_length,
            norm_scaling_factor: factor,
        })
    }
}

fn architecture(fields: &Fields<'_>) -> Result<Architecture, SaeError> {
    const ALLOWED: &str = "standard, topk, batchtopk, matryoshka_batchtopk, jumprelu, gated";
    // Older configurations have a standard architecture with an activation that picks k.
    let activation = ["activation_fn", "activation_fn_str"]
        .into_iter()
        .find(|field| fields.get(field).is_some());
    let by_activation = match activation {
        None => "relu",
        Some(field) => fields.word(field)?.unwrap_or("relu"),
    };
    let top_k = || {
        // Where an old configuration has both, SAELens takes the older one.
        for field in ["activation_fn_kwargs.k", "k"] {
            if let Some(k) = fields.count(field)? {
                return Ok(Architecture::TopK { k });
            }
        }
        Err(fields.refuse("k", "a whole number from 1"))
    };
    let found = match fields.word("architecture")? {
        Some("topk") => return top_k(),
        None | Some("standard") => match by_activation {
            "topk" => return top_k(),
            _ => Architecture::Standard,
        },
        Some("jumprelu") => Architecture::JumpRelu,
        Some("batchtopk" | "matryoshka_batchtopk") => Architecture::BatchTopK,
        Some("gated") => Architecture::Gated,
        Some(_) => return Err(fields.refuse("architecture", ALLOWED)),
    };
    if by_activation != "relu" && found != Architecture::BatchTopK {
        return Err(fields.refuse(activation.unwrap_or("activation_fn"), "relu, topk"));
    }
    Ok(found)
}
