//! The folder that SAELens writes: what its configuration says, and the tensors that belong to it.
//!
//! Definitions are those of SAELens 6 at inference. A configuration that asks for something else is
//! refused, not guessed at.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;

use super::SaeError;
use super::layout::{Recognised, SAELENS};
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
pub enum Transcoder {
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

/// A folder whose configuration is understood and whose weights are open.
#[derive(Clone)]
pub struct Folder {
    /// The name of its configuration, or of its weights where it has none.
    pub config_file: String,
    /// What that says.
    pub config: Config,
    /// SHA-256 of it, where there is one.
    pub config_digest: Option<String>,
    /// Its weights, under SAELens' names.
    pub weights: Rc<DataFile>,
    /// Further files of weights: of whitening, or of a decoder.
    pub more: Vec<Rc<DataFile>>,
    /// Name and SHA-256 of its `activation_scaler.json`, where there is one.
    pub scaler: Option<(String, String)>,
    /// What its files were recognised as.
    pub(super) recognised: Recognised,
}

impl Folder {
    /// The name of the configuration in the folder.
    pub const CONFIG: &str = "cfg.json";
    /// The name of the factor that a checkpoint's activations are scaled by, in the folder.
    pub const SCALER: &str = "activation_scaler.json";
    /// The name of the weights in the folder.
    pub const WEIGHTS: &str = "sae_weights.safetensors";

    /// The name and bytes of `cfg.json`, and the open weights.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn new(name: &str, json: Vec<u8>, weights: Rc<DataFile>) -> Result<Self, SaeError> {
        Self::open(Some((name, json)), weights, Vec::new())
    }

    /// The name and bytes of a configuration, where there is one, the open weights, and further files of them: whatever
    /// tool wrote them, as far as its layout is known.
    ///
    /// # Errors
    /// [`SaeError::Config`], [`SaeError::Io`].
    pub fn open(
        config: Option<(&str, Vec<u8>)>,
        weights: Rc<DataFile>,
        more: Vec<Rc<DataFile>>,
    ) -> Result<Self, SaeError> {
        let bytes = config.as_ref().map(|(name, bytes)| (*name, &**bytes));
        let found = super::layout::recognise(bytes, &weights, &more)?;
        let config_digest =
            config.as_ref().map(|(name, bytes)| io::digest(name, bytes)).transpose()?;
        let config_file = config.map_or(weights.name(), |(name, _)| name).to_owned();
        let super::layout::Found { config, weights, recognised } = found;
        Ok(Self { config_file, config, config_digest, weights, more, scaler: None, recognised })
    }

    /// What its files were recognised as.
    #[must_use]
    pub fn recognised(&self) -> &Recognised {
        &self.recognised
    }

    /// With the name and bytes of its `activation_scaler.json`: activations are multiplied by that factor before they
    /// are encoded, and reconstructions divided by it, as [`Config::norm_scaling_factor`] says.
    ///
    /// # Errors
    /// [`SaeError::Config`] for another factor than a number, and for one that the configuration contradicts.
    pub fn scaled(mut self, name: &str, json: &[u8]) -> Result<Self, SaeError> {
        const FIELD: &str = "scaling_factor";
        let fields = Fields::parse(name, json)?;
        if fields.root.get(FIELD).is_none() {
            return Err(fields.refuse(FIELD, FACTOR));
        }
        if let Some(factor) = fields.factor(FIELD)? {
            let config = &mut self.config;
            let refuse = |field: &str, found: String, allowed: String| {
                let (file, field) = (self.config_file.clone(), field.to_owned());
                Err(SaeError::Config { file, field, found, allowed })
            };
            if !config.scaled && factor != 1.0 {
                let allowed =
                    format!("expected_average_only_in beside {name}, whose factor is {factor}");
                return refuse("normalize_activations", "another word".to_owned(), allowed);
            }
            let said = config.norm_scaling_factor;
            if said.is_some_and(|said| said != factor) {
                let found = said.unwrap_or(factor).to_string();
                let allowed = format!("{factor}, as {name} has it");
                return refuse("norm_scaling_factor", found, allowed);
            }
            config.norm_scaling_factor = Some(factor);
        }
        if fields.truth("has_whitening", false)?
            && self.config.normalisation != Normalisation::Whitening
        {
            return Err(
                fields.refuse("has_whitening", "true beside activation_whitening.safetensors")
            );
        }
        self.scaler = Some((name.to_owned(), io::digest(name, &json.to_vec())?));
        Ok(self)
    }

    /// What must be known of how activations are scaled, of a threshold that was not trained and of a tensor that is not
    /// read, in sentences.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.untrained_threshold().into_iter().collect();
        notes.extend(self.unknown_factor());
        notes.extend(self.recognised.assumed.iter().cloned());
        notes.extend(self.weights.names().find(|name| self.is_spare(name)).map(|name| {
            let file = self.weights.name();
            format!(
                "{file}: {name} is not read, as a gated autoencoder's biases are b_gate and b_mag."
            )
        }));
        notes
    }

    /// Whether a tensor is another architecture's and does nothing in this one: some programs write a gated
    /// autoencoder's b_enc beside the biases that it has in its place.
    fn is_spare(&self, name: &str) -> bool {
        self.config.architecture == Architecture::Gated && name == "b_enc"
    }

    /// Training on batches sets the threshold by and by: where it is still 0, codes are those of max(0, z).
    fn untrained_threshold(&self) -> Option<String> {
        if self.config.architecture != Architecture::BatchTopK {
            return None;
        }
        let names = ["threshold", "topk_threshold"];
        let array = names.iter().find_map(|name| self.weights.array(name).ok())?;
        let values = array.read_all().ok()?;
        values.iter().all(|value| *value <= 0.0).then(|| {
            format!(
                "{}: the threshold of this BatchTopK autoencoder is 0, as it is before training has set it, so that every \
                 positive pre-activation is a code: S and L0 are those of ReLU, not of the k that it was configured with.",
                self.weights.name(),
            )
        })
    }

    fn unknown_factor(&self) -> Option<String> {
        let Config { scaled, norm_scaling_factor, .. } = self.config;
        if !scaled || norm_scaling_factor.is_some() {
            return None;
        }
        Some(format!(
            "{}: normalize_activations asks for a factor that no file names, so the weights are taken as they are, as \
             SAELens takes them. Where it is not folded into them, put {} of the checkpoint beside, or \
             norm_scaling_factor into the configuration.",
            self.config_file,
            Self::SCALER,
        ))
    }

    /// K, and D of the activations that are read and of those that are reconstructed, where configuration and weights
    /// agree on them.
    ///
    /// # Errors
    /// [`SaeError::Io`] with the array of another shape, [`SaeError::Config`] with the field that
    /// says another one.
    pub fn shape(&self) -> Result<(usize, [usize; 2]), SaeError> {
        let decoder = self.weights.array("W_dec")?;
        let k = decoder.rows();
        let d_out = decoder.cols() / self.config.target_layers.max(1);
        let refuse = |field: &str, found: usize, allowed: String| {
            let (file, field) = (self.config_file.clone(), field.to_owned());
            Err(SaeError::Config { file, field, found: found.to_string(), allowed })
        };
        let transcoder = self.config.transcoder == Transcoder::Yes;
        let d_in = match self.weights.array("W_enc") {
            Ok(encoder) if transcoder => encoder.rows(),
            _ => d_out,
        };
        for (field, said, found) in
            [("d_in", self.config.d_in, d_in), ("d_sae", self.config.d_sae, k)]
        {
            if let Some(said) = said.filter(|said| *said != found) {
                return refuse(field, said, format!("{found}, as W_dec has it"));
            }
        }
        if !matches!(self.config.architecture, Architecture::MatchingPursuit { .. }) {
            let what = if transcoder {
                "one row a dimension, one column a latent of W_dec"
            } else {
                "the transpose of W_dec's shape"
            };
            self.weights.array("W_enc")?.expect(d_in, k, what)?;
        }
        self.known()?;
        match self.config.architecture {
            Architecture::TopK { k: kept } | Architecture::AbsTopK { k: kept }
                if !(1..=k).contains(&kept) =>
            {
                refuse("k", kept, format!("1 to {k}, the number of features"))
            }
            Architecture::GroupMax { k: groups } if groups == 0 || !k.is_multiple_of(groups) => {
                refuse("k", groups, format!("a divisor of {k}, the number of features"))
            }
            _ => Ok((k, [d_in, d_out])),
        }
    }

    /// Refuses a tensor that the architecture does not have: what it does to codes or reconstructions is not known.
    fn known(&self) -> Result<(), SaeError> {
        let architecture = self.config.architecture;
        let own = architecture.tensors();
        for name in own.iter().filter(|name| !OPTIONAL.contains(name)) {
            // A decoder may have none.
            if *name != "b_dec" || self.recognised.layout == SAELENS {
                self.weights.array(name)?;
            }
        }
        // Tensors of other tools are known before they have SAELens' names.
        if self.recognised.layout != SAELENS {
            return Ok(());
        }
        let mut names = self.weights.names();
        let spare = |name: &str| {
            FACTORS.contains(&name)
                || self.is_spare(name)
                || (self.config.transcoder == Transcoder::Yes && name == "W_skip")
                || (self.config.normalisation == Normalisation::Whitening
                    && WHITENING.contains(&name))
        };
        let Some(other) = names.find(|name| !own.contains(name) && !spare(name)) else {
            return Ok(());
        };
        let label = architecture.label();
        let allowed = match other {
            "threshold" | "topk_threshold" | "log_threshold" => format!(
                "no threshold of the architecture {label}. Where {} says jumprelu or batchtopk, threshold is read",
                self.config_file
            ),
            "b_gate" | "b_mag" | "r_mag" => {
                format!("none of {label}. Where {} says gated, it is read", self.config_file)
            }
            _ => format!("{}, the tensors of {label}", own.join(", ")),
        };
        let (file, field) = (self.weights.name().to_owned(), other.to_owned());
        Err(SaeError::Config { file, field, found: "a tensor".to_owned(), allowed })
    }

    /// Refuses factors of latents that are not 1: SAELens 4 and 5 wrote one even where it did nothing; what another one
    /// did, later versions do not know.
    ///
    /// # Errors
    /// [`SaeError::Config`] with the tensor, [`SaeError::Io`].
    pub(crate) fn check_factors(weights: &DataFile) -> Result<(), SaeError> {
        for name in FACTORS {
            if !weights.names().any(|other| other == name) {
                continue;
            }
            let values = weights.array(name)?.read_all()?;
            let other = values.into_iter().map(f64::from).find(|one| (one - 1.0).abs() > 1e-5);
            if let Some(other) = other {
                return Err(SaeError::Config {
                    file: weights.name().to_owned(),
                    field: name.to_owned(),
                    found: other.to_string(),
                    allowed: "1 for every feature".to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Bytes of a configuration, read from wherever they are; none may be larger than 1 MiB.
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
    pub transcoder: Transcoder,
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
            transcoder: Transcoder::No,
            target_layers: 1,
        }
    }

    /// The factor to be folded into the weights.
    #[must_use]
    pub fn factor(&self) -> f64 {
        self.norm_scaling_factor.unwrap_or(1.0)
    }
}

/// Tensors of factors of latents, which may be 1 only.
const FACTORS: [&str; 2] = ["scaling_factor", "finetuning_scaling_factor"];
/// Tensors of which an autoencoder has the one or the other: who reads them says which is missing.
const OPTIONAL: [&str; 3] = ["threshold", "topk_threshold", "log_threshold"];
/// Tensors that activations are whitened by.
pub(super) const WHITENING: [&str; 3] = ["mean", "matrix", "inverse_matrix"];
/// What a factor may be.
const FACTOR: &str = "a number from 1e-12 to 1e12";

impl Architecture {
    /// The tensors that it is made of.
    const fn tensors(self) -> &'static [&'static str] {
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
pub(super) struct Fields<'a> {
    file: &'a str,
    root: Value,
}

impl<'a> Fields<'a> {
    /// Those of no file.
    pub(super) fn none(file: &'a str) -> Self {
        Self::of(file, Value::Null)
    }

    /// Those of an object that was read.
    pub(super) fn of(file: &'a str, root: Value) -> Self {
        Self { file, root }
    }

    /// Whether a field is there and not null.
    pub(super) fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// Text of a field; none where it is something else.
    pub(super) fn text(&self, field: &str) -> Option<String> {
        self.get(field)?.as_str().map(str::to_owned)
    }

    /// A finite number.
    pub(super) fn number(&self, field: &str) -> Result<Option<f64>, SaeError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = value.as_f64().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| self.refuse(field, "a number"))
    }

    /// The fields of a JSON object.
    pub(super) fn parse(file: &'a str, json: &[u8]) -> Result<Self, SaeError> {
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
        Ok(Self { file, root })
    }

    pub(super) fn refuse(&self, field: &str, allowed: &str) -> SaeError {
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

    pub(super) fn truth(&self, field: &str, default: bool) -> Result<bool, SaeError> {
        match self.get(field) {
            None => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| self.refuse(field, "true or false")),
        }
    }

    pub(super) fn count(&self, field: &str) -> Result<Option<usize>, SaeError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        // Some configurations have whole numbers with a decimal point.
        let whole = value.as_f64().filter(|x| *x >= 1.0 && *x <= 1e9 && libm::trunc(*x) == *x);
        let found = whole.map(|whole| Some(whole as usize));
        found.ok_or_else(|| self.refuse(field, "a whole number from 1"))
    }

    pub(super) fn factor(&self, field: &str) -> Result<Option<f64>, SaeError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let factor = value.as_f64().filter(|factor| *factor >= 1e-12 && *factor <= 1e12);
        factor.map(Some).ok_or_else(|| self.refuse(field, FACTOR))
    }

    pub(super) fn word(&self, field: &str) -> Result<Option<&str>, SaeError> {
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
        let fields = Fields::parse(file, json)?;
        let architecture = architecture(&fields)?;
        // Whether there is such a factor, the weights tell.
        fields.truth("finetuning_scaling_factor", false)?;
        // What of other libraries would change codes or reconstructions.
        for field in ["use_error_term", "signed", "transcode", "is_transcoder", "skip_connection"] {
            if fields.truth(field, false)? {
                return Err(fields.refuse(field, "false"));
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
        // The others have no such field in SAELens, which then ignores it.
        let by_length = matches!(architecture, Architecture::TopK { .. } | Architecture::BatchTopK);
        let transcoder =
            fields.word("architecture")?.is_some_and(|word| word.ends_with("transcoder"));
        let subtracts = fields.truth("apply_b_dec_to_input", !transcoder)?;
        if transcoder && subtracts {
            return Err(fields.refuse("apply_b_dec_to_input", "false, for a transcoder"));
        }
        Ok(Self {
            d_in: fields.count("d_in")?,
            d_sae: fields.count("d_sae")?,
            normalisation,
            rescale_acts_by_decoder_norm: fields.truth("rescale_acts_by_decoder_norm", false)?
                && by_length,
            scaled,
            norm_scaling_factor: fields.factor("norm_scaling_factor")?,
            transcoder: if transcoder { Transcoder::Yes } else { Transcoder::No },
            ..Self::new(architecture, subtracts)
        })
    }
}

fn architecture(fields: &Fields<'_>) -> Result<Architecture, SaeError> {
    const ALLOWED: &str = "standard, topk, batchtopk, matryoshka_batchtopk, jumprelu, gated, abstopk, matching_pursuit, \
        transcoder, skip_transcoder, jumprelu_transcoder, jumprelu_skip_transcoder";
    // Older configurations have a standard architecture with an activation that picks k.
    let activation = ["activation_fn", "activation_fn_str", "activation"]
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
            _ => {
                // Without a word on it, what keeps the largest would be taken for what keeps all.
                for field in ["activation_fn_kwargs.k", "k"] {
                    if fields.count(field)?.is_some() {
                        return Err(
                            fields.refuse(field, "none without architecture topk or batchtopk")
                        );
                    }
                }
                if fields.get("dict_class").is_some() {
                    return Err(
                        fields.refuse("dict_class", &format!("none; architecture: {ALLOWED}"))
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
        Some("abstopk") => match fields.count("k")? {
            Some(k) => Architecture::AbsTopK { k },
            None => return Err(fields.refuse("k", "a whole number from 1")),
        },
        Some("matching_pursuit") => Architecture::MatchingPursuit {
            max_iterations: fields.count("max_iterations")?,
            residual_threshold: fields.number("residual_threshold")?.unwrap_or(1e-2),
            stop_on_duplicate_support: fields.truth("stop_on_duplicate_support", true)?,
        },
        Some(_) => return Err(fields.refuse("architecture", ALLOWED)),
    };
    if by_activation != "relu" && found != Architecture::BatchTopK {
        return Err(fields.refuse(activation.unwrap_or("activation_fn"), "relu, topk"));
    }
    Ok(found)
}
