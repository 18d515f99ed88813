//! `config.json` of Hugging Face, as versions 4 and 5 of transformers write it, to an architecture.

use serde_json::Value;

use super::architecture::{
    Architecture, Family, NeuronActivation, Norm, Positions, Rotary, RotaryScaling,
};
use crate::model::config::{Activation, Config};
use crate::model::reading::Reading;
use crate::model::{Gpt2, ModelError};

/// Values of `model_type` that are read.
const TYPES: [(&str, Family); 9] = [
    ("gpt2", Family::Gpt2),
    ("gpt_neox", Family::GptNeox),
    ("llama", Family::Llama),
    ("mistral", Family::Mistral),
    ("qwen2", Family::Qwen2),
    ("qwen3", Family::Qwen3),
    ("gemma2", Family::Gemma2),
    ("gemma3_text", Family::Gemma3),
    ("gemma3", Family::Gemma3),
];

/// What transformers' classes take where a configuration says nothing.
struct Defaults {
    kv_heads: Option<usize>,
    d_head: Option<usize>,
    context: usize,
    theta: f64,
    tied: bool,
}

impl Family {
    fn defaults(self) -> Defaults {
        let of = |kv_heads, d_head, context| Defaults {
            kv_heads,
            d_head,
            context,
            theta: 1e4,
            tied: false,
        };
        match self {
            Self::Gpt2 | Self::GptNeox | Self::Llama => of(None, None, 2_048),
            Self::Mistral => of(Some(8), None, 131_072),
            Self::Qwen2 => of(Some(32), None, 32_768),
            Self::Qwen3 => of(Some(32), Some(128), 32_768),
            Self::Gemma2 => Defaults { tied: true, ..of(Some(4), Some(256), 8_192) },
            Self::Gemma3 => Defaults { tied: true, theta: 1e6, ..of(Some(4), Some(256), 131_072) },
        }
    }

    fn is_gemma(self) -> bool {
        matches!(self, Self::Gemma2 | Self::Gemma3)
    }
}

impl From<&Config> for Architecture {
    /// GPT-2, or a model of its kind.
    fn from(config: &Config) -> Self {
        let Config { layers, heads, d_model, d_head, d_mlp, context, vocabulary, .. } = *config;
        Self {
            family: Family::Gpt2,
            layers,
            heads,
            kv_heads: heads,
            d_model,
            d_head,
            d_mlp,
            context,
            vocabulary,
            norm: Norm::Layer,
            epsilon: config.epsilon,
            post_norms: false,
            qk_norm: false,
            parallel: false,
            positions: Positions::Learned,
            embedding_scale: 1.0,
            attention_scale: 1.0 / f32::sqrt(d_head as f32),
            attention_cap: None,
            logit_cap: None,
            window: None,
            sliding: vec![false; layers],
            activation: match config.activation {
                Activation::Relu => NeuronActivation::Relu,
                Activation::GeluTanh => NeuronActivation::GeluTanh,
            },
            gated: false,
            qkv_bias: true,
            output_bias: true,
            mlp_bias: true,
            tied: config.tied,
            normalized_after_gain: true,
        }
    }
}

impl Architecture {
    /// Reads `config.json`.
    ///
    /// # Errors
    /// [`ModelError::Config`]: another architecture than those that are described here, or one with what is not computed.
    pub fn parse(file: &str, json: &[u8]) -> Result<Self, ModelError> {
        let outer = Reading::parse(file, json)?;
        let known = outer.get("model_type").and_then(Value::as_str);
        let family = TYPES.iter().find(|(name, _)| Some(*name) == known).map(|(_, family)| *family);
        let Some(family) = family else {
            let allowed = TYPES.map(|(name, _)| name).join(", ");
            return Err(outer.wrong("model_type", &outer.shown("model_type"), &allowed));
        };
        if outer.has("quantization_config") {
            let found = outer.shown("quantization_config");
            let allowed = "none: weights in float32, float16 or bfloat16, or a GGUF file";
            return Err(outer.wrong("quantization_config", &found, allowed));
        }
        let text = outer.within("text_config")?;
        match family {
            Family::Gpt2 => Ok(Self::from(&Gpt2::parse(file, json)?.config)),
            Family::GptNeox => neox(&outer),
            _ => gated(family, text.as_ref().unwrap_or(&outer), text.is_some()),
        }
    }
}

/// Refuses a switch that is on.
fn off(reading: &Reading<'_>, fields: &[&str]) -> Result<(), ModelError> {
    for field in fields {
        if reading.flag(field, false)? {
            return Err(reading.wrong(field, "true", "false"));
        }
    }
    Ok(())
}

/// What neurons compute, by its name in transformers.
fn activation(
    reading: &Reading<'_>,
    field: &str,
    default: &'static str,
) -> Result<NeuronActivation, ModelError> {
    const KNOWN: [(&str, NeuronActivation); 6] = [
        ("silu", NeuronActivation::Silu),
        ("swish", NeuronActivation::Silu),
        ("gelu", NeuronActivation::Gelu),
        ("gelu_new", NeuronActivation::GeluTanh),
        ("gelu_pytorch_tanh", NeuronActivation::GeluTanh),
        ("relu", NeuronActivation::Relu),
    ];
    let word = if reading.has(field) {
        reading.word(field, &KNOWN.map(|(name, _)| name))?
    } else {
        default
    };
    let found = KNOWN.iter().find(|(name, _)| *name == word);
    Ok(found.map_or(NeuronActivation::Silu, |(_, activation)| *activation))
}

/// GPT-NeoX.
fn neox(reading: &Reading<'_>) -> Result<Architecture, ModelError> {
    let d_model = reading.size("hidden_size", None)?;
    let heads = reading.size("num_attention_heads", None)?;
    if !d_model.is_multiple_of(heads) {
        let allowed = format!("a divisor of {d_model}");
        return Err(reading.wrong("num_attention_heads", &heads.to_string(), &allowed));
    }
    let d_head = d_model / heads;
    let parameters = reading.within("rope_parameters")?;
    let (within, share, theta) = match &parameters {
        Some(within) => (within, "partial_rotary_factor", "rope_theta"),
        None => (reading, "rotary_pct", "rotary_emb_base"),
    };
    let portion = within.positive(share)?.unwrap_or(0.25);
    if portion > 1.0 {
        return Err(within.wrong(share, &portion.to_string(), "above 0, at most 1"));
    }
    let dimensions = (d_head as f64 * portion) as usize;
    if dimensions < 2 || !dimensions.is_multiple_of(2) {
        let allowed = format!("a share of {d_head} that is an even number of dimensions");
        return Err(within.wrong(share, &portion.to_string(), &allowed));
    }
    let rotary = Rotary {
        theta: within.positive(theta)?.unwrap_or(1e4),
        scaling: scaling(reading, parameters.as_ref())?,
    };
    let bias = reading.flag("attention_bias", true)?;
    let layers = reading.layers("num_hidden_layers", None)?;
    Ok(Architecture {
        family: Family::GptNeox,
        layers,
        heads,
        kv_heads: heads,
        d_model,
        d_head,
        d_mlp: reading.size("intermediate_size", None)?,
        context: reading.size("max_position_embeddings", Some(2_048))?,
        vocabulary: reading.size("vocab_size", None)?,
        norm: Norm::Layer,
        epsilon: reading.number("layer_norm_eps", 1e-5)?,
        post_norms: false,
        qk_norm: false,
        parallel: reading.flag("use_parallel_residual", true)?,
        positions: Positions::Rotary { dimensions, global: rotary.clone(), local: rotary },
        embedding_scale: 1.0,
        attention_scale: 1.0 / f32::sqrt(d_head as f32),
        attention_cap: None,
        logit_cap: None,
        window: None,
        sliding: vec![false; layers],
        activation: activation(reading, "hidden_act", "gelu")?,
        gated: false,
        qkv_bias: bias,
        output_bias: bias,
        mlp_bias: true,
        tied: reading.flag("tie_word_embeddings", false)?,
        normalized_after_gain: false,
    })
}

/// How rotary angles are scaled: of `rope_parameters` where they are given, else of `rope_scaling`.
fn scaling(
    reading: &Reading<'_>,
    parameters: Option<&Reading<'_>>,
) -> Result<RotaryScaling, ModelError> {
    let older = match parameters {
        Some(_) => None,
        None => reading.within("rope_scaling")?,
    };
    let Some(within) = parameters.or(older.as_ref()) else { return Ok(RotaryScaling::None) };
    let field = if within.has("rope_type") { "rope_type" } else { "type" };
    let required = |field: &str| match within.positive(field)? {
        Some(value) => Ok(value),
        None => Err(within.wrong(field, "nothing", "above 0")),
    };
    Ok(match within.word(field, &["default", "linear", "llama3"])? {
        "linear" => RotaryScaling::Linear { factor: required("factor")? },
        "llama3" => {
            let [low, high] = ["low_freq_factor", "high_freq_factor"].map(required);
            let (low, high) = (low?, high?);
            if high <= low {
                let allowed = format!("above low_freq_factor, {low}");
                return Err(within.wrong("high_freq_factor", &high.to_string(), &allowed));
            }
            RotaryScaling::Llama3 {
                factor: required("factor")?,
                low,
                high,
                context: required("original_max_position_embeddings")?,
            }
        }
        _ => RotaryScaling::None,
    })
}

/// θ and scaling of layers with all positions and of those with a window.
fn rotary(family: Family, reading: &Reading<'_>, theta: f64) -> Result<[Rotary; 2], ModelError> {
    let parameters = reading.within("rope_parameters")?;
    if let (Family::Gemma3, Some(parameters)) = (family, &parameters) {
        let [global, local] = [("full_attention", theta), ("sliding_attention", 1e4)].map(
            |(field, theta)| -> Result<Rotary, ModelError> {
                let within = parameters.within(field)?;
                let Some(within) = within else {
                    return Err(parameters.wrong(field, "nothing", "an object"));
                };
                Ok(Rotary {
                    theta: within.positive("rope_theta")?.unwrap_or(theta),
                    scaling: scaling(reading, Some(&within))?,
                })
            },
        );
        return Ok([global?, local?]);
    }
    let within = parameters.as_ref().unwrap_or(reading);
    for (of, field) in [(within, "partial_rotary_factor"), (reading, "partial_rotary_factor")] {
        if of.positive(field)?.is_some_and(|share| share != 1.0) {
            return Err(of.wrong(field, &of.shown(field), "1"));
        }
    }
    let global = Rotary {
        theta: within.positive("rope_theta")?.unwrap_or(theta),
        scaling: scaling(reading, parameters.as_ref())?,
    };
    let local = if family == Family::Gemma3 {
        let theta = reading.positive("rope_local_base_freq")?.unwrap_or(1e4);
        Rotary { theta, scaling: RotaryScaling::None }
    } else {
        global.clone()
    };
    Ok([global, local])
}

/// Which layers have a sliding window, and how many positions it has.
fn windows(
    family: Family,
    reading: &Reading<'_>,
    layers: usize,
) -> Result<(Option<usize>, Vec<bool>), ModelError> {
    let default = if family.is_gemma() { Some(4_096) } else { None };
    let window = match reading.get("sliding_window") {
        None | Some(Value::Null) => default,
        Some(_) => Some(reading.size("sliding_window", None)?),
    };
    let none = vec![false; layers];
    let used = match family {
        Family::Qwen2 | Family::Qwen3 => reading.flag("use_sliding_window", false)?,
        Family::Mistral => return Ok((window, vec![window.is_some(); layers])),
        family => family.is_gemma(),
    };
    if !used {
        return Ok((None, none));
    }
    let sliding = match reading.get("layer_types") {
        Some(Value::Array(types)) => {
            let of = |kind: &Value| match kind.as_str() {
                Some("full_attention") => Some(false),
                Some("sliding_attention") => Some(true),
                _ => None,
            };
            let sliding: Option<Vec<bool>> = types.iter().map(of).collect();
            match sliding.filter(|sliding| sliding.len() == layers) {
                Some(sliding) => sliding,
                None => {
                    let allowed = format!("{layers} of full_attention and sliding_attention");
                    let found = reading.shown("layer_types");
                    return Err(reading.wrong("layer_types", &found, &allowed));
                }
            }
        }
        _ => match family {
            Family::Gemma2 => (0..layers).map(|layer| layer % 2 == 0).collect(),
            Family::Gemma3 => {
                let newer = !reading.has("sliding_window_pattern");
                let field =
                    if newer { "_sliding_window_pattern" } else { "sliding_window_pattern" };
                let pattern = reading.size(field, Some(6))?;
                (0..layers).map(|layer| !(layer + 1).is_multiple_of(pattern)).collect()
            }
            _ => {
                let first = match reading.get("max_window_layers") {
                    Some(Value::Number(number)) if number.as_u64() == Some(0) => 0,
                    _ => reading.size("max_window_layers", Some(28))?,
                };
                (0..layers).map(|layer| layer >= first).collect()
            }
        },
    };
    if let (None, true) = (window, sliding.contains(&true)) {
        return Err(reading.wrong("sliding_window", "nothing", "at least 1"));
    }
    Ok((window, sliding))
}

/// Llama and what has grown of it: gated neurons, rotary positions, root-mean-square normalisation.
fn gated(family: Family, reading: &Reading<'_>, nested: bool) -> Result<Architecture, ModelError> {
    let defaults = family.defaults();
    let nested = |size: usize| nested.then_some(size);
    let d_model = reading.size("hidden_size", nested(2_304))?;
    let heads = reading.size("num_attention_heads", nested(8))?;
    let kv_heads = reading.size("num_key_value_heads", defaults.kv_heads.or(Some(heads)))?;
    if !heads.is_multiple_of(kv_heads) {
        let allowed = format!("a divisor of {heads}, the number of heads");
        return Err(reading.wrong("num_key_value_heads", &kv_heads.to_string(), &allowed));
    }
    let d_head = match defaults.d_head {
        None if !reading.has("head_dim") => {
            if !d_model.is_multiple_of(heads) {
                let allowed = format!("a divisor of {d_model}, or head_dim besides");
                return Err(reading.wrong("num_attention_heads", &heads.to_string(), &allowed));
            }
            d_model / heads
        }
        default => reading.size("head_dim", default)?,
    };
    if !d_head.is_multiple_of(2) {
        return Err(reading.wrong("head_dim", &d_head.to_string(), "an even number"));
    }
    off(reading, &["rope_interleaved", "use_bidirectional_attention"])?;
    let layers = reading.layers("num_hidden_layers", nested(26))?;
    let (window, sliding) = windows(family, reading, layers)?;
    let [global, local] = rotary(family, reading, defaults.theta)?;
    let cap = |field: &str, default: Option<f64>| match reading.get(field) {
        None => Ok(default.map(|cap| cap as f32)),
        Some(_) => reading.positive(field).map(|cap| cap.map(|cap| cap as f32)),
    };
    let scalar = match family.is_gemma() {
        true => reading.positive("query_pre_attn_scalar")?.unwrap_or(256.0),
        false => d_head as f64,
    };
    let bias = match family {
        Family::Mistral | Family::Qwen2 => family == Family::Qwen2,
        _ => reading.flag("attention_bias", false)?,
    };
    let activation = if family.is_gemma() {
        // Files of Gemma say "gelu", and mean its tanh form.
        let newer = reading.has("hidden_activation");
        let field = if newer { "hidden_activation" } else { "hidden_act" };
        match activation(reading, field, "gelu_pytorch_tanh")? {
            NeuronActivation::Gelu | NeuronActivation::GeluTanh => NeuronActivation::GeluTanh,
            other => other,
        }
    } else {
        activation(reading, "hidden_act", "silu")?
    };
    Ok(Architecture {
        family,
        layers,
        heads,
        kv_heads,
        d_model,
        d_head,
        d_mlp: reading.size("intermediate_size", nested(9_216))?,
        context: reading.size("max_position_embeddings", Some(defaults.context))?,
        vocabulary: reading.size("vocab_size", nested(262_208))?,
        norm: Norm::Rms { offset: if family.is_gemma() { 1.0 } else { 0.0 } },
        epsilon: reading.number("rms_norm_eps", 1e-6)?,
        post_norms: family.is_gemma(),
        qk_norm: matches!(family, Family::Qwen3 | Family::Gemma3),
        parallel: false,
        positions: Positions::Rotary { dimensions: d_head, global, local },
        embedding_scale: if family.is_gemma() { f32::sqrt(d_model as f32) } else { 1.0 },
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
        activation,
        gated: true,
        qkv_bias: bias,
        output_bias: bias && family != Family::Qwen2,
        mlp_bias: family == Family::Llama && reading.flag("mlp_bias", false)?,
        tied: reading.flag("tie_word_embeddings", defaults.tied)?,
        normalized_after_gain: false,
    })
}
