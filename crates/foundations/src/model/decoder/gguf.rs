//! The metadata of a GGUF file, as llama.cpp's converter writes it, to an architecture.

use std::collections::HashSet;

use super::architecture::{Architecture, Family, NeuronActivation, Norm, PositionEncoding, Rotary, RotaryScaling};
use crate::io::{Gguf, GgufValue};
use crate::model::ModelError;
use crate::model::config_reader::{DIMENSION_MAX, LAYERS_MAX};

/// Values of `general.architecture` that are read.
const FAMILY_NAMES: [(&str, Family); 6] = [
    ("llama", Family::Llama),
    ("qwen2", Family::Qwen2),
    ("qwen3", Family::Qwen3),
    ("gemma2", Family::Gemma2),
    ("gemma3", Family::Gemma3),
    ("gptneox", Family::GptNeox),
];
/// The factors of rotary frequencies, where a file has them.
pub(super) const ROTARY_FACTORS_TENSOR: &str = "rope_freqs.weight";

/// Puts the files of a model in their order, after a check that they are all of it: llama.cpp's `gguf-split` writes which
/// of how many each is. The first has the metadata.
///
/// # Errors
/// [`ModelError::Config`].
pub(super) fn sort_split_files(mut files: Vec<Gguf>) -> Result<Vec<Gguf>, ModelError> {
    let number = |file: &Gguf, key: &str| match file.get(key) {
        Some(GgufValue::Unsigned(number)) => *number,
        Some(GgufValue::Signed(number)) => u64::try_from(*number).unwrap_or(u64::MAX),
        // One whole file need not say so.
        _ => u64::from(key == SPLIT_COUNT_KEY),
    };
    files.sort_by_key(|file| number(file, SPLIT_NUMBER_KEY));
    let held = files.len() as u64;
    let mut names = HashSet::new();
    for (index, file) in files.iter().enumerate() {
        let (at, count) = (number(file, SPLIT_NUMBER_KEY), number(file, SPLIT_COUNT_KEY).max(1));
        let wrong = |field: &str, found: u64, allowed: String| {
            ModelError::config(file.name(), field, found.to_string(), allowed)
        };
        if count != held {
            let allowed = format!("{held}, as many files as there are: all of a model's at once");
            return Err(wrong(SPLIT_COUNT_KEY, count, allowed));
        }
        if at != index as u64 {
            return Err(wrong(SPLIT_NUMBER_KEY, at, format!("0 to {}, each once", held - 1)));
        }
        for tensor in file.tensors() {
            if !names.insert(&tensor.name) {
                let allowed = "each name in one file";
                return Err(ModelError::config(file.name(), "tensors", &tensor.name, allowed));
            }
        }
    }
    drop(names);
    Ok(files)
}

/// Keys of the number of a file, from 0, and of how many there are.
const SPLIT_NUMBER_KEY: &str = "split.no";
const SPLIT_COUNT_KEY: &str = "split.count";

/// The metadata of an architecture.
struct Metadata<'a> {
    file: &'a Gguf,
    name: &'a str,
}

impl Metadata<'_> {
    fn config_error(&self, key: &str, found: &str, allowed: &str) -> ModelError {
        ModelError::config(self.file.name(), key, found, allowed)
    }

    fn full_key(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }

    fn get(&self, key: &str) -> Option<&GgufValue> {
        self.file.get(&self.full_key(key))
    }

    fn get_size(&self, key: &str, default: Option<usize>) -> Result<usize, ModelError> {
        let found = match (self.get(key), default) {
            (None, Some(default)) => return Ok(default),
            (None, None) => None,
            (Some(GgufValue::Unsigned(size)), _) => Some(*size),
            (Some(GgufValue::Signed(size)), _) => u64::try_from(*size).ok(),
            (Some(_), _) => None,
        };
        match found.filter(|size| (1..=DIMENSION_MAX).contains(size)) {
            Some(size) => Ok(size as usize),
            None => {
                Err(self.config_error(&self.full_key(key), &self.format_value(key), &format!("1 to {DIMENSION_MAX}")))
            }
        }
    }

    fn get_positive(&self, key: &str) -> Result<Option<f64>, ModelError> {
        let found = match self.get(key) {
            None => return Ok(None),
            Some(GgufValue::Float(value)) => *value,
            Some(GgufValue::Unsigned(value)) => *value as f64,
            Some(_) => 0.0,
        };
        if found > 0.0 && found < 1e12 && found as f32 > 0.0 {
            return Ok(Some(found));
        }
        Err(self.config_error(&self.full_key(key), &self.format_value(key), "above 0, below 1e12"))
    }

    fn format_value(&self, key: &str) -> String {
        self.get(key).map_or("nothing".to_owned(), |value| format!("{value:?}").chars().take(40).collect())
    }
}

/// Reads what a file says of its model.
///
/// # Errors
/// [`ModelError::Config`].
pub(super) fn read_architecture(files: &[Gguf]) -> Result<Architecture, ModelError> {
    let Some(file) = files.first() else {
        return Err(ModelError::Folder { found: "no file".to_owned(), allowed: "a .gguf file" });
    };
    let found = match file.get("general.architecture") {
        Some(GgufValue::String(name)) => name.as_str(),
        _ => "nothing",
    };
    let Some((name, family)) = FAMILY_NAMES.into_iter().find(|(name, _)| *name == found) else {
        let metadata = Metadata { file, name: "" };
        let allowed = FAMILY_NAMES.map(|(name, _)| name).join(", ");
        return Err(metadata.config_error("general.architecture", found, &allowed));
    };
    let of = Metadata { file, name };
    let gemma = matches!(family, Family::Gemma2 | Family::Gemma3);
    let neox = family == Family::GptNeox;
    let has = |name: &str| files.iter().flat_map(Gguf::tensors).any(|tensor| tensor.name == name);
    if !matches!(of.get("expert_count"), None | Some(GgufValue::Unsigned(0))) {
        let (key, found) = (of.full_key("expert_count"), of.format_value("expert_count"));
        return Err(of.config_error(&key, &found, "none: no mixture of experts"));
    }
    let d_model = of.get_size("embedding_length", None)?;
    let heads = of.get_size("attention.head_count", None)?;
    let kv_heads = of.get_size("attention.head_count_kv", Some(heads))?;
    if !heads.is_multiple_of(kv_heads) {
        let allowed = format!("a divisor of {heads}, the number of heads");
        let key = of.full_key("attention.head_count_kv");
        return Err(of.config_error(&key, &kv_heads.to_string(), &allowed));
    }
    if of.get("attention.key_length").is_none() && !d_model.is_multiple_of(heads) {
        let allowed = format!("a divisor of {d_model}, or attention.key_length besides");
        let key = of.full_key("attention.head_count");
        return Err(of.config_error(&key, &heads.to_string(), &allowed));
    }
    let d_head = of.get_size("attention.key_length", Some(d_model / heads))?;
    let values = of.get_size("attention.value_length", Some(d_head))?;
    if values != d_head {
        let key = of.full_key("attention.value_length");
        return Err(of.config_error(&key, &values.to_string(), &format!("{d_head}, that of keys")));
    }
    let dimensions = of.get_size("rope.dimension_count", Some(d_head))?;
    if dimensions > d_head || !dimensions.is_multiple_of(2) || (!neox && dimensions != d_head) {
        let allowed = match neox {
            true => format!("an even number to {d_head}"),
            false => format!("{d_head}, the width of a head, an even number"),
        };
        let key = of.full_key("rope.dimension_count");
        return Err(of.config_error(&key, &dimensions.to_string(), &allowed));
    }
    let layers = of.get_size("block_count", None)?;
    if layers > LAYERS_MAX {
        let allowed = format!("1 to {LAYERS_MAX}");
        return Err(of.config_error(&of.full_key("block_count"), &layers.to_string(), &allowed));
    }
    let context = of.get_size("context_length", None)?;
    let (window, sliding) = read_windows(&of, family, layers, context)?;
    let global = Rotary {
        theta: of.get_positive("rope.freq_base")?.unwrap_or(1e4),
        scaling: read_scaling(&of, files, dimensions)?,
    };
    let local = if family == Family::Gemma3 {
        let theta = of.get_positive("rope.freq_base_swa")?.unwrap_or(1e4);
        Rotary { theta, scaling: RotaryScaling::None }
    } else {
        global.clone()
    };
    let key = if neox { "attention.layer_norm_epsilon" } else { "attention.layer_norm_rms_epsilon" };
    let Some(epsilon) = of.get_positive(key)?.filter(|epsilon| *epsilon < 1.0) else {
        return Err(of.config_error(&of.full_key(key), &of.format_value(key), "above 0, below 1"));
    };
    let rows = file.tensors().iter().find(|tensor| tensor.name == "token_embd.weight");
    let vocabulary = rows.and_then(|tensor| tensor.shape.first()).copied().unwrap_or(0);
    if !(1..=DIMENSION_MAX).contains(&vocabulary) {
        return Err(of.config_error("rows of token_embd.weight", &vocabulary.to_string(), "at least 1"));
    }
    // llama.cpp's rule for Gemma's models of 27 billion weights.
    let largest = matches!((family, layers), (Family::Gemma2, 46) | (Family::Gemma3, 62));
    let scalar = if largest { d_model as f64 / heads as f64 } else { d_head as f64 };
    let cap = |key: &str, default: Option<f64>| -> Result<Option<f32>, ModelError> {
        Ok(of.get_positive(key)?.or(default).map(|cap| cap as f32))
    };
    let parallel = match of.get("use_parallel_residual") {
        None => neox,
        Some(GgufValue::Bool(parallel)) if neox || !*parallel => *parallel,
        Some(_) => {
            let (key, found) = (of.full_key("use_parallel_residual"), of.format_value("use_parallel_residual"));
            return Err(of.config_error(&key, &found, if neox { "true or false" } else { "false" }));
        }
    };
    Ok(Architecture {
        family,
        layers,
        heads,
        kv_heads,
        d_model,
        d_head,
        d_mlp: of.get_size("feed_forward_length", None)?,
        context,
        vocabulary: vocabulary as usize,
        norm: if neox { Norm::Layer } else { Norm::Rms { offset: 0.0 } },
        epsilon: epsilon as f32,
        post_norms: gemma,
        qk_norm: matches!(family, Family::Qwen3 | Family::Gemma3),
        parallel,
        positions: PositionEncoding::Rotary { dimensions, global, local },
        embedding_scale: if gemma { f32::sqrt(d_model as f32) } else { 1.0 },
        attention_scale: (1.0 / f64::sqrt(scalar)) as f32,
        attention_cap: match family {
            Family::Gemma2 => cap("attn_logit_softcapping", Some(50.0))?,
            _ => None,
        },
        logit_cap: match family {
            Family::Gemma2 => cap("final_logit_softcapping", Some(30.0))?,
            Family::Gemma3 => cap("final_logit_softcapping", None)?,
            _ => None,
        },
        window,
        sliding,
        activation: match family {
            Family::GptNeox => NeuronActivation::Gelu,
            _ if gemma => NeuronActivation::GeluTanh,
            _ => NeuronActivation::Silu,
        },
        gated: !neox,
        qkv_bias: has(if neox { "blk.0.attn_qkv.bias" } else { "blk.0.attn_q.bias" }),
        output_bias: has("blk.0.attn_output.bias"),
        mlp_bias: has("blk.0.ffn_up.bias"),
        tied: !has("output.weight"),
        normalized_after_gain: false,
    })
}

fn read_scaling(of: &Metadata<'_>, files: &[Gguf], dimensions: usize) -> Result<RotaryScaling, ModelError> {
    let key = "rope.scaling.type";
    let kind = match of.get(key) {
        None => "none",
        Some(GgufValue::String(kind)) => kind,
        Some(_) => "another value than a string",
    };
    let factors = files.iter().flat_map(Gguf::tensors).find(|tensor| tensor.name == ROTARY_FACTORS_TENSOR);
    match (kind, factors) {
        // The factors are read with the weights.
        ("none", Some(_)) => Ok(RotaryScaling::Factors { factors: vec![1.0; dimensions / 2] }),
        ("none", None) => Ok(RotaryScaling::None),
        ("linear", None) => match of.get_positive("rope.scaling.factor")? {
            Some(factor) => Ok(RotaryScaling::Linear { factor }),
            None => Err(of.config_error(&of.full_key("rope.scaling.factor"), "nothing", "above 0")),
        },
        (kind, factors) => {
            let allowed = if factors.is_some() { "none" } else { "none, linear" };
            Err(of.config_error(&of.full_key(key), kind, allowed))
        }
    }
}

/// Which layers have a sliding window, and how many positions it has.
fn read_windows(
    of: &Metadata<'_>,
    family: Family,
    layers: usize,
    context: usize,
) -> Result<(Option<usize>, Vec<bool>), ModelError> {
    let key = "attention.sliding_window";
    let period = match family {
        Family::Gemma2 => 2,
        Family::Gemma3 => 6,
        _ => {
            // No layer has one in these architectures: whoever wrote it meant something else.
            let window = of.get_size(key, Some(context))?;
            if window < context {
                let allowed = format!("none, or at least {context}, the context");
                return Err(of.config_error(&of.full_key(key), &window.to_string(), &allowed));
            }
            return Ok((None, vec![false; layers]));
        }
    };
    let window = of.get_size(key, (family == Family::Gemma2).then_some(4_096))?;
    let pattern = "attention.sliding_window_pattern";
    let sliding = match of.get(pattern) {
        Some(GgufValue::Numbers(all)) if all.len() == layers => all.iter().map(|local| *local != 0.0).collect(),
        Some(GgufValue::Numbers(_)) => {
            let allowed = format!("a period, or {layers} truth values");
            return Err(of.config_error(&of.full_key(pattern), &of.format_value(pattern), &allowed));
        }
        _ => {
            let period = of.get_size(pattern, Some(period))?;
            (0..layers).map(|layer| !(layer + 1).is_multiple_of(period)).collect()
        }
    };
    Ok((Some(window), sliding))
}
