//! An autoencoder's folder, in whatever layout: its configuration, and the tensors that belong to it.

use std::rc::Rc;

use super::SaeError;
use super::layout::{self, Recognised, SAELENS_LAYOUT};
use super::saelens::{
    ALLOWED_FACTOR, Architecture, CONFIG_BYTES_MAX, Config, ConfigFields, Normalisation, TranscoderStatus,
    WHITENING_TENSORS,
};
use crate::io::{self, DataFile, IoError};

/// Tensors of factors of latents, which may be 1 only.
const FACTOR_TENSORS: [&str; 2] = ["scaling_factor", "finetuning_scaling_factor"];
/// Tensors of which an autoencoder has the one or the other: who reads them says which is missing.
const THRESHOLD_TENSORS: [&str; 3] = ["threshold", "topk_threshold", "log_threshold"];

/// A folder whose configuration is understood and whose weights are open.
#[derive(Clone)]
pub struct SaeFolder {
    /// The name of its configuration, or of its weights where it has none.
    pub config_file: String,
    /// What that says.
    pub config: Config,
    /// SHA-256 of it, where there is one.
    pub config_digest: Option<String>,
    /// Its weights, under SAELens' names.
    pub weights: Rc<DataFile>,
    /// Further files of weights: of whitening, or of a decoder.
    pub extra_weights: Vec<Rc<DataFile>>,
    /// Name and SHA-256 of its `activation_scaler.json`, where there is one.
    pub scaler_file: Option<(String, String)>,
    /// What its files were recognised as.
    pub(super) recognised: Recognised,
}

impl SaeFolder {
    /// The name of the configuration in the folder.
    pub const CONFIG_FILE: &str = "cfg.json";
    /// The name of the factor that a checkpoint's activations are scaled by, in the folder.
    pub const SCALER_FILE: &str = "activation_scaler.json";
    /// The name of the weights in the folder.
    pub const WEIGHTS_FILE: &str = "sae_weights.safetensors";

    /// The name and bytes of `cfg.json`, and the open weights.
    ///
    /// # Errors
    /// As [`SaeFolder::open`].
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
        let found = layout::recognise(bytes, &weights, &more)?;
        let config_digest = config.as_ref().map(|(name, bytes)| io::digest(name, bytes)).transpose()?;
        let config_file = config.map_or(weights.name(), |(name, _)| name).to_owned();
        let layout::RecognisedFiles { config, weights, recognised } = found;
        Ok(Self { config_file, config, config_digest, weights, extra_weights: more, scaler_file: None, recognised })
    }

    /// What its files were recognised as.
    #[must_use]
    pub fn recognised(&self) -> &Recognised {
        &self.recognised
    }

    /// As a transcoder, where it is one or its files do not tell; none of an autoencoder.
    #[must_use]
    pub fn into_transcoder(mut self) -> Option<Self> {
        match self.config.transcoder {
            TranscoderStatus::No => return None,
            TranscoderStatus::Yes => {}
            TranscoderStatus::Unknown => {
                self.config.transcoder = TranscoderStatus::Yes;
                self.config.apply_b_dec_to_input = false;
            }
        }
        Some(self)
    }

    /// With the name and bytes of its `activation_scaler.json`: activations are multiplied by that factor before they
    /// are encoded, and reconstructions divided by it, as [`Config::norm_scaling_factor`] says.
    ///
    /// # Errors
    /// [`SaeError::Config`] for another factor than a number, and for one that the configuration contradicts.
    pub fn with_activation_scaler(mut self, name: &str, json: &[u8]) -> Result<Self, SaeError> {
        const SCALING_FACTOR_FIELD: &str = "scaling_factor";
        let fields = ConfigFields::parse(name, json)?;
        if fields.root.get(SCALING_FACTOR_FIELD).is_none() {
            return Err(fields.config_error(SCALING_FACTOR_FIELD, ALLOWED_FACTOR));
        }
        if let Some(factor) = fields.get_factor(SCALING_FACTOR_FIELD)? {
            let config = &mut self.config;
            let refuse = |field: &str, found: String, allowed: String| {
                Err(SaeError::config(&self.config_file, field, found, allowed))
            };
            if !config.scaled && factor != 1.0 {
                let allowed = format!("expected_average_only_in beside {name}, whose factor is {factor}");
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
        if fields.get_bool("has_whitening", false)? && self.config.normalisation != Normalisation::Whitening {
            return Err(fields.config_error("has_whitening", "true beside activation_whitening.safetensors"));
        }
        self.scaler_file = Some((name.to_owned(), io::digest(name, &json.to_vec())?));
        Ok(self)
    }

    /// What must be known of how activations are scaled, of a threshold that was not trained and of a tensor that is not
    /// read, in sentences.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.untrained_threshold_note().into_iter().collect();
        notes.extend(self.unknown_factor_note());
        notes.extend(self.recognised.assumed.iter().cloned());
        notes.extend(self.weights.names().find(|name| self.is_ignored_tensor(name)).map(|name| {
            let file = self.weights.name();
            format!("{file}: {name} is not read, as a gated autoencoder's biases are b_gate and b_mag.")
        }));
        notes
    }

    /// Whether a tensor is another architecture's and does nothing in this one: some programs write a gated
    /// autoencoder's b_enc beside the biases that it has in its place.
    fn is_ignored_tensor(&self, name: &str) -> bool {
        self.config.architecture == Architecture::Gated && name == "b_enc"
    }

    /// Training on batches sets the threshold by and by: where it is still 0, codes are those of max(0, z).
    fn untrained_threshold_note(&self) -> Option<String> {
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

    fn unknown_factor_note(&self) -> Option<String> {
        let Config { scaled, norm_scaling_factor, .. } = self.config;
        if !scaled || norm_scaling_factor.is_some() {
            return None;
        }
        Some(format!(
            "{}: normalize_activations asks for a factor that no file names, so the weights are taken as they are, as \
             SAELens takes them. Where it is not folded into them, put {} of the checkpoint beside, or \
             norm_scaling_factor into the configuration.",
            self.config_file,
            Self::SCALER_FILE,
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
            Err(SaeError::config(&self.config_file, field, found.to_string(), allowed))
        };
        let transcoder = self.config.transcoder == TranscoderStatus::Yes;
        let d_in = match self.weights.array("W_enc") {
            Ok(encoder) if transcoder => encoder.rows(),
            _ => d_out,
        };
        for (field, said, found) in [("d_in", self.config.d_in, d_in), ("d_sae", self.config.d_sae, k)] {
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
            self.weights.array("W_enc")?.expect_shape(d_in, k, what)?;
        }
        self.check_known_tensors()?;
        match self.config.architecture {
            Architecture::TopK { k: kept } | Architecture::AbsTopK { k: kept } if !(1..=k).contains(&kept) => {
                refuse("k", kept, format!("1 to {k}, the number of features"))
            }
            Architecture::GroupMax { k: groups } if groups == 0 || !k.is_multiple_of(groups) => {
                refuse("k", groups, format!("a divisor of {k}, the number of features"))
            }
            _ => Ok((k, [d_in, d_out])),
        }
    }

    /// Refuses a tensor that the architecture does not have: what it does to codes or reconstructions is not known.
    fn check_known_tensors(&self) -> Result<(), SaeError> {
        let architecture = self.config.architecture;
        let own = architecture.tensor_names();
        for name in own.iter().filter(|name| !THRESHOLD_TENSORS.contains(name)) {
            // A decoder may have none.
            if *name != "b_dec" || self.recognised.layout == SAELENS_LAYOUT {
                self.weights.array(name)?;
            }
        }
        // Tensors of other tools are known before they have SAELens' names.
        if self.recognised.layout != SAELENS_LAYOUT {
            return Ok(());
        }
        let mut names = self.weights.names();
        let spare = |name: &str| {
            FACTOR_TENSORS.contains(&name)
                || self.is_ignored_tensor(name)
                || (self.config.transcoder == TranscoderStatus::Yes && name == "W_skip")
                || (self.config.normalisation == Normalisation::Whitening && WHITENING_TENSORS.contains(&name))
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
        Err(SaeError::config(self.weights.name(), other, "a tensor", allowed))
    }

    /// Refuses factors of latents that are not 1: SAELens 4 and 5 wrote one even where it did nothing; what another one
    /// did, later versions do not know.
    ///
    /// # Errors
    /// [`SaeError::Config`] with the tensor, [`SaeError::Io`].
    pub fn check_factors(weights: &DataFile) -> Result<(), SaeError> {
        for name in FACTOR_TENSORS {
            if !weights.names().any(|other| other == name) {
                continue;
            }
            let values = weights.array(name)?.read_all()?;
            let other = values.into_iter().map(f64::from).find(|one| (one - 1.0).abs() > 1e-5);
            if let Some(other) = other {
                let (file, found) = (weights.name(), other.to_string());
                return Err(SaeError::config(file, name, found, "1 for every feature"));
            }
        }
        Ok(())
    }

    /// Bytes of a configuration, read from wherever they are; none may be larger than 1 MiB.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn read_config(name: &str, source: &dyn io::ReadAt) -> Result<Vec<u8>, IoError> {
        io::read_capped(name, source, "a configuration", CONFIG_BYTES_MAX as u64)
    }
}
