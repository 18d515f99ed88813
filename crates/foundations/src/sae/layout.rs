//! How tools write autoencoders: one table of layouts, each with how it is recognised, which tensor is which, and what
//! its files do not hold; and the one canonical form that all are read as, SAELens'.
//!
//! Which files belong together is told by their names ([`files`]), what they are by their tensors and configuration
//! (`table.rs`). What a layout leaves open is assumed as its tool has it, and said: [`Recognised::assumed`].

pub mod files;
mod read;
mod table;
mod yaml;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::SaeError;
use super::saelens::{Architecture, Config, ConfigFields, Normalisation, TranscoderStatus, WHITENING_TENSORS};
use crate::io::{Array, DataFile, MatrixView, Scalar};

pub(crate) use table::SAELENS_LAYOUT;
pub use table::{LAYOUTS, layout_of_loader};

/// What a layout of files is, as a row of the table.
pub struct Layout {
    /// What the field calls it.
    pub name: &'static str,
    /// SAELens' names of loaders that read it.
    pub loaders: &'static [&'static str],
    /// Keys of which its configuration has all; none where it may come without one.
    keys: &'static [&'static str],
    /// Its tensors.
    tensors: &'static [LayoutTensor],
    /// Tensors that do nothing to codes or reconstructions: names, or how they begin where they end in `*`.
    ignored: &'static [&'static str],
    /// What else must hold of its files.
    test: fn(&FileProbe<'_>) -> bool,
    /// Whether b_dec is subtracted from the input, where the configuration does not say.
    subtracts: bool,
    /// How codes are made, where the configuration does not say.
    architecture: Architecture,
    /// What the configuration, the path and numbers beside the tensors say.
    read: fn(&FileProbe<'_>, &mut Config, &mut Recognised) -> Result<(), SaeError>,
}

impl Layout {
    /// Whether its autoencoders can be evaluated; all but those that attend to other rows can.
    #[must_use]
    pub fn is_supported(&self) -> bool {
        self.name != table::TEMPORAL_LAYOUT
    }

    /// The names of its tensors, `{}` standing for a number, and whether each must be there.
    pub fn tensor_names(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.tensors.iter().map(|tensor| (tensor.name, tensor.needed))
    }

    /// Keys of which its configuration has all.
    #[must_use]
    pub fn configuration_keys(&self) -> &'static [&'static str] {
        self.keys
    }
}

/// A tensor by its name in the files, and what it is.
pub(super) struct LayoutTensor {
    /// In the file; `{}` stands for a number.
    name: &'static str,
    /// In the canonical form.
    is: &'static str,
    view: MatrixView,
    needed: bool,
}

/// An autoencoder's files as they were recognised.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Recognised {
    /// The layout: "Gemma Scope".
    pub layout: String,
    /// The language model, where the files say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub model: Option<String>,
    /// The place of the activations in it, as the tool has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub hook: Option<String>,
    /// The place of the activations that a transcoder reconstructs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub hook_out: Option<String>,
    /// The layer, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub layer: Option<u32>,
    /// The number of latents, as its makers round it: "16k".
    pub width: String,
    /// The architecture: "jumprelu", "topk (32)".
    pub architecture: String,
    /// What the files leave open and was assumed, in sentences.
    #[serde(default)]
    pub assumed: Vec<String>,
}

impl Recognised {
    /// All of it in a line.
    #[must_use]
    pub fn describe(&self) -> String {
        let layer = self.layer.map(|layer| format!("layer {layer}"));
        let hook = match (&self.hook, &self.hook_out) {
            (Some(hook), Some(out)) if hook != out => Some(format!("{hook} to {out}")),
            (hook, _) => hook.clone(),
        };
        let parts = [
            Some(self.layout.clone()),
            self.model.clone(),
            layer,
            hook,
            Some(format!("{} latents", self.width)),
            Some(self.architecture.clone()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What may be asked of files while a layout is looked for.
pub(super) struct FileProbe<'a> {
    /// The path of the weights, as they were named.
    pub path: &'a str,
    /// What the configuration says; of a file without one, nothing.
    pub fields: ConfigFields<'a>,
    pub has_config: bool,
    pub weights: &'a DataFile,
    /// What names of tensors begin with, in a checkpoint of more.
    prefix: &'static str,
    /// The number in names that have one.
    number: Option<String>,
}

/// Under which keys checkpoints keep an autoencoder's tensors.
const TENSOR_PREFIXES: [&str; 6] = ["sae.", "ae.", "model.", "state_dict.", "model_state_dict.", ""];

impl<'a> FileProbe<'a> {
    fn new(path: &'a str, config: Option<ConfigFields<'a>>, weights: &'a DataFile) -> Self {
        let known = |prefix: &str| {
            LAYOUTS.iter().flat_map(|layout| layout.tensors).any(|tensor| {
                !tensor.name.contains("{}")
                    && weights.names().any(|name| name.strip_prefix(prefix) == Some(tensor.name))
            })
        };
        let prefix = TENSOR_PREFIXES.into_iter().find(|prefix| known(prefix)).unwrap_or("");
        // A number that follows W_enc_.
        let number = weights.names().find_map(|name| {
            let number = name.strip_prefix("W_enc_")?;
            number.parse::<u32>().ok().map(|_| number.to_owned())
        });
        let (has_config, fields) = (config.is_some(), config.unwrap_or_else(|| ConfigFields::empty(path)));
        Self { path, fields, has_config, weights, prefix, number }
    }

    fn file_name(&self, name: &str) -> String {
        let name = name.replace("{}", self.number.as_deref().unwrap_or("{}"));
        format!("{}{name}", self.prefix)
    }

    /// A tensor by its name without what all begin with.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.weights.array(&self.file_name(name)).ok()
    }

    pub fn has_tensor(&self, name: &str) -> bool {
        let name = self.file_name(name);
        self.weights.names().any(|other| other == name)
    }

    fn tensor_shape(&self, name: &str) -> &[u64] {
        self.array(name).map_or(&[], Array::shape)
    }

    /// The number of entries of a tensor; 0 of none.
    fn tensor_len(&self, name: &str) -> u64 {
        self.array(name).map_or(0, |array| array.shape().iter().product())
    }

    /// The first value of a tensor, or the number beside the tensors, of a name.
    fn first_value(&self, name: &str) -> Option<f64> {
        let name = self.file_name(name);
        match self.weights.scalar(&name) {
            Some(Scalar::Int(value)) => Some(*value as f64),
            Some(Scalar::Float(value)) => Some(*value),
            _ => {
                let array = self.weights.array(&name).ok()?;
                let mut first = vec![0.0f64; array.cols()];
                array.read_rows(0, &mut first).ok()?;
                first.first().copied()
            }
        }
    }

    fn text_value(&self, name: &str) -> Option<&str> {
        match self.weights.scalar(&self.file_name(name)) {
            Some(Scalar::Text(word)) => Some(word),
            _ => None,
        }
    }

    /// Whether W_enc is D × K and W_dec K × D, as SAELens has them.
    fn is_saelens_oriented(&self) -> bool {
        let (d, k) = (self.tensor_len("b_dec"), self.tensor_len("b_enc"));
        // A transcoder's b_dec is of other activations.
        let encoder = matches!(self.tensor_shape("W_enc"), [_, latents] if *latents == k);
        encoder && self.tensor_shape("W_dec") == [k, d]
    }

    /// The last number in the path that follows a word.
    fn number_after(&self, before: &str) -> Option<u32> {
        number_after(self.path, before)
    }

    fn path_has(&self, word: &str) -> bool {
        self.path.to_ascii_lowercase().contains(word)
    }

    fn config_error(&self, field: &str, found: &str, allowed: &str) -> SaeError {
        SaeError::config(self.path, field, found, allowed)
    }

    /// A word that a checkpoint has beside the autoencoder.
    fn checkpoint_text(&self, name: &str) -> Option<String> {
        match self.weights.scalar(name) {
            Some(Scalar::Text(word)) => Some(word.clone()),
            _ => None,
        }
    }

    /// What biases are still to be multiplied by, in a checkpoint of a run that ended before they were.
    fn norm_factor(&self) -> Option<f64> {
        match self.weights.scalar("norm_factor") {
            Some(Scalar::Float(factor)) if self.prefix == "ae." && *factor != 1.0 => Some(*factor),
            _ => None,
        }
    }

    fn matches_layout(&self, layout: &Layout) -> bool {
        layout.keys.iter().all(|key| self.fields.has(key))
            && layout.tensors.iter().all(|tensor| !tensor.needed || self.has_tensor(tensor.name))
            && (layout.test)(self)
    }
}

/// What an autoencoder's files are: its layout, what that says, and its weights under canonical names.
pub(super) struct RecognisedFiles {
    pub config: Config,
    pub weights: Rc<DataFile>,
    pub recognised: Recognised,
}

/// Whether a file holds an autoencoder's weights, by the names of its tensors.
#[must_use]
pub fn is_autoencoder(weights: &DataFile) -> bool {
    let seen = FileProbe::new(weights.name(), None, weights);
    let named = |layout: &&Layout| {
        let mut needed = layout.tensors.iter().filter(|tensor| tensor.needed).peekable();
        needed.peek().is_some() && needed.all(|tensor| seen.has_tensor(tensor.name))
    };
    // What else must hold of one with a configuration, that alone may say.
    let mut layouts = LAYOUTS.iter().filter(named);
    layouts.any(|layout| !layout.keys.is_empty() || (layout.test)(&seen))
        || (seen.has_tensor("W_enc") && seen.has_tensor("W_dec"))
}

/// Recognises an autoencoder by its tensors and its configuration, and names its tensors as SAELens does. `more` are
/// further files of weights.
///
/// # Errors
/// [`SaeError::Config`] for what is not understood, [`SaeError::Io`] for tensors that do not fit.
pub(super) fn recognise(
    config: Option<(&str, &[u8])>,
    weights: &Rc<DataFile>,
    more: &[Rc<DataFile>],
) -> Result<RecognisedFiles, SaeError> {
    let fields = config.map(|(name, bytes)| parse_fields(name, bytes)).transpose()?;
    let seen = FileProbe::new(weights.name(), fields, weights);
    let Some(layout) = LAYOUTS.iter().find(|layout| seen.matches_layout(layout)) else {
        // Whatever is wrong with a folder that has a configuration is told as SAELens' would be.
        if let Some((name, bytes)) = config {
            Config::parse(name, bytes)?;
        }
        return Err(unknown_layout_error(&seen));
    };
    let saelens = layout.name == SAELENS_LAYOUT;
    let mut recognised = Recognised { layout: layout.name.to_owned(), ..Recognised::default() };
    let mut config = match config {
        Some((name, bytes)) if saelens => Config::parse(name, bytes)?,
        _ => Config::new(layout.architecture, layout.subtracts),
    };
    (layout.read)(&seen, &mut config, &mut recognised)?;
    let mut weights = if saelens && seen.prefix.is_empty() {
        Rc::clone(weights)
    } else {
        Rc::new(canonical_weights(layout, &seen, more)?)
    };
    if let Some(file) = more.iter().find(|file| WHITENING_TENSORS.iter().all(|name| file.array(name).is_ok())) {
        let arrays = weights.arrays().iter().chain(file.arrays());
        let arrays = arrays.map(|array| array.with_view(array.display_name(), MatrixView::AsStored));
        weights = Rc::new(weights.with_arrays(arrays.collect::<Result<_, _>>()?));
        config.normalisation = Normalisation::Whitening;
    }
    if let (Ok(encoder), Ok(decoder)) = (weights.array("W_enc"), weights.array("W_dec")) {
        if !saelens && encoder.rows() != decoder.cols() && config.transcoder == TranscoderStatus::No {
            config.transcoder = TranscoderStatus::Yes;
            config.apply_b_dec_to_input = false;
        }
        // A cross-layer transcoder's decoder is one of all layers that follow.
        let wide = weights.array("b_dec").map_or(0, Array::cols);
        if config.transcoder == TranscoderStatus::Yes && wide > 0 && decoder.cols().is_multiple_of(wide) {
            config.target_layers = decoder.cols() / wide;
        }
        if config.target_layers > 1 {
            recognised.assumed.push(format!(
                "It writes to {} layers: what it writes is summed over them, as SAELens has it, and b_dec is added once. \
                 Codes are its own; what it reconstructs of a single layer, other layers' transcoders write with it.",
                config.target_layers
            ));
        }
    }
    fill_description(&config, &weights, &mut recognised, &seen);
    Ok(RecognisedFiles { config, weights, recognised })
}

/// The number of latents and the architecture as words, and the layer where the path alone says it.
fn fill_description(config: &Config, weights: &DataFile, said: &mut Recognised, seen: &FileProbe<'_>) {
    let latents = weights.array("W_dec").map_or(0, Array::rows);
    said.width = match latents {
        0..1_000 => latents.to_string(),
        1_000..1_000_000 => format!("{}k", latents / 1_000),
        _ => format!("{}M", latents / 1_000_000),
    };
    said.architecture = config.architecture.label();
    if said.layer.is_none() {
        const LAYER_PREFIXES: [&str; 6] = ["blocks.", "layers.", "layer_", "layer", "-l", "/l"];
        let layer = |text: &str| LAYER_PREFIXES.iter().find_map(|before| number_after(text, before));
        said.layer = said.hook.as_deref().and_then(layer).or_else(|| layer(seen.path));
    }
}

/// The last number in a text that follows a word.
fn number_after(text: &str, before: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let rests = lower.match_indices(before).map(|(at, _)| &lower[at + before.len()..]);
    let number = |rest: &str| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    rests.filter_map(number).last()
}

/// A configuration's fields, in JSON or, by the end of its name, in YAML.
fn parse_fields<'a>(name: &'a str, bytes: &[u8]) -> Result<ConfigFields<'a>, SaeError> {
    if name.ends_with(".yaml") || name.ends_with(".yml") {
        return Ok(ConfigFields::from_value(name, yaml::read(bytes)));
    }
    ConfigFields::parse(name, bytes)
}

fn unknown_layout_error(seen: &FileProbe<'_>) -> SaeError {
    let held: Vec<&str> = seen.weights.names().take(12).collect();
    seen.config_error("tensors", &held.join(", "), KNOWN_LAYOUTS)
}

/// What may be read, in words.
const KNOWN_LAYOUTS: &str = "an autoencoder of SAELens, Gemma Scope, Llama Scope, OpenMOSS, Qwen Scope, dictionary_learning, \
    sparsify, OpenAI, Goodfire, DeepSeek or circuit-tracer, with the names of tensors that these write";

/// The weights under SAELens' names.
fn canonical_weights(layout: &Layout, seen: &FileProbe<'_>, more: &[Rc<DataFile>]) -> Result<DataFile, SaeError> {
    let mut arrays: Vec<Array> = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    for tensor in layout.tensors {
        let name = seen.file_name(tensor.name);
        taken.push(name.clone());
        let files = std::iter::once(seen.weights).chain(more.iter().map(|file| &**file));
        let mut found = files.filter_map(|file| file.array(&name).ok());
        let array = match found.next() {
            Some(array) => array,
            // Why it is not read, or that it is not there.
            None if tensor.needed || seen.has_tensor(tensor.name) => seen.weights.array(&name)?,
            None => continue,
        };
        if arrays.iter().all(|other| other.display_name() != tensor.is) {
            // A vector is one in whatever dimensions it is written.
            arrays.push(array.with_view(tensor.is, tensor.view)?);
        }
    }
    let ignored = |name: &str| {
        let name = name.strip_prefix(seen.prefix).unwrap_or(name);
        layout.ignored.iter().any(|known| match known.strip_suffix('*') {
            Some(begin) => name.starts_with(begin),
            None => name == *known,
        })
    };
    // Other things of a checkpoint, as an optimizer's, are not the autoencoder's.
    let own = |name: &str| name.starts_with(seen.prefix);
    let mut names = seen.weights.names();
    if let Some(other) = names.find(|name| own(name) && !taken.iter().any(|one| one == name) && !ignored(name)) {
        let allowed = layout.tensors.iter().map(|tensor| tensor.name).collect::<Vec<_>>().join(", ");
        return Err(seen.config_error(other, "a tensor", &format!("{allowed}, the tensors of {}", layout.name)));
    }
    Ok(seen.weights.with_arrays(arrays))
}
