//! `config.json` of Hugging Face, as versions 4 and 5 of transformers write it, to an architecture.

use serde_json::Value;

use super::architecture::{Architecture, Family, NeuronActivation, Norm, PositionEncoding, Rotary, RotaryScaling};
use crate::model::config::{Activation, Config};
use crate::model::config_reader::ConfigObject;
use crate::model::{Gpt2Loader, ModelError};

/// Values of `model_type` that are read.
const FAMILY_NAMES: [(&str, Family); 9] = [
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
        let of = |kv_heads, d_head, context| Defaults { kv_heads, d_head, context, theta: 1e4, tied: false };
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
            positions: PositionEncoding::Learned,
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
        let outer = ConfigObject::parse(file, json)?;
        let known = outer.get("model_type").and_then(Value::as_str);
        let family = FAMILY_NAMES.iter().find(|(name, _)| Some(*name) == known).map(|(_, family)| *family);
        let Some(family) = family else {
            let allowed = FAMILY_NAMES.map(|(name, _)| name).join(", ");
            return Err(outer.config_error("model_type", &outer.format_field("model_type"), &allowed));
        };
        if outer.has("quantization_config") {
            let found = outer.format_field("quantization_config");
            let allowed = "none: weights in float32, float16 or bfloat16, or a GGUF file";
            return Err(outer.config_error("quantization_config", &found, allowed));
        }
        let text = outer.nested("text_config")?;
        match family {
            Family::Gpt2 => Ok(Self::from(&Gpt2Loader::parse(file, json)?.config)),
            Family::GptNeox => parse_neox(&outer),
            _ => parse_llama_like(family, text.as_ref().unwrap_or(&outer), text.is_some()),
        }
    }
}

/// Refuses a switch that is on.
fn check_switched_off(reading: &ConfigObject<'_>, fields: &[&str]) -> Result<(), ModelError> {
    for field in fields {
        if reading.get_bool(field, false)? {
            return Err(reading.config_error(field, "true", "false"));
        }
    }
    Ok(())
}

/// What neurons compute, by its name in transformers.
fn parse_activation(
    reading: &ConfigObject<'_>,
    field: &str,
    default: &'static str,
) -> Result<NeuronActivation, ModelError> {
    const ACTIVATION_NAMES: [(&str, NeuronActivation); 6] = [
        ("silu", NeuronActivation::Silu),
        ("swish", NeuronActivation::Silu),
        ("gelu", NeuronActivation::Gelu),
        ("gelu_new", NeuronActivation::GeluTanh),
        ("gelu_pytorch_tanh", NeuronActivation::GeluTanh),
        ("relu", NeuronActivation::Relu),
    ];
    let word =
        if reading.has(field) { reading.get_choice(field, &ACTIVATION_NAMES.map(|(name, _)| name))? } else { default };
    let found = ACTIVATION_NAMES.iter().find(|(name, _)| *name == word);
    Ok(found.map_or(NeuronActivation::Silu, |(_, activation)| *activation))
}

/// GPT-NeoX.
fn parse_neox(reading: &ConfigObject<'_>) -> Result<Architecture, ModelError> {
    let d_model = reading.get_size("hidden_size", None)?;
    let heads = reading.get_size("num_attention_heads", None)?;
    if !d_model.is_multiple_of(heads) {
        let allowed = format!("a divisor of {d_model}");
        return Err(reading.config_error("num_attention_heads", &heads.to_string(), &allowed));
    }
    let d_head = d_model / heads;
    let parameters = reading.nested("rope_parameters")?;
    let (within, share, theta) = match &parameters {
        Some(within) => (within, "partial_rotary_factor", "rope_theta"),
        None => (reading, "rotary_pct", "rotary_emb_base"),
    };
    let portion = within.get_positive(share)?.unwrap_or(0.25);
    if portion > 1.0 {
        return Err(within.config_error(share, &portion.to_string(), "above 0, at most 1"));
    }
    let dimensions = (d_head as f64 * portion) as usize;
    if dimensions < 2 || !dimensions.is_multiple_of(2) {
        let allowed = format!("a share of {d_head} that is an even number of dimensions");
        return Err(within.config_error(share, &portion.to_string(), &allowed));
    }
    let rotary = Rotary {
        theta: within.get_positive(theta)?.unwrap_or(1e4),
        scaling: parse_scaling(reading, parameters.as_ref())?,
    };
    let bias = reading.get_bool("attention_bias", true)?;
    let layers = reading.get_layer_count("num_hidden_layers", None)?;
    Ok(Architecture {
        family: Family::GptNeox,
        layers,
        heads,
        kv_heads: heads,
        d_model,
        d_head,
        d_mlp: reading.get_size("intermediate_size", None)?,
        context: reading.get_size("max_position_embeddings", Some(2_048))?,
        vocabulary: reading.get_size("vocab_size", None)?,
        norm: Norm::Layer,
        epsilon: reading.get_number("layer_norm_eps", 1e-5)?,
        post_norms: false,
        qk_norm: false,
        parallel: reading.get_bool("use_parallel_residual", true)?,
        positions: PositionEncoding::Rotary { dimensions, global: rotary.clone(), local: rotary },
        embedding_scale: 1.0,
        attention_scale: 1.0 / f32::sqrt(d_head as f32),
        attention_cap: None,
        logit_cap: None,
        window: None,
        sliding: vec![false; layers],
        activation: parse_activation(reading, "hidden_act", "gelu")?,
        gated: false,
        qkv_bias: bias,
        output_bias: bias,
        mlp_bias: true,
        tied: reading.get_bool("tie_word_embeddings", false)?,
        normalized_after_gain: false,
    })
}

/// How rotary angles are scaled: of `rope_parameters` where they are given, else of `rope_scaling`.
fn parse_scaling(
    reading: &ConfigObject<'_>,
    parameters: Option<&ConfigObject<'_>>,
) -> Result<RotaryScaling, ModelError> {
    let older = match parameters {
        Some(_) => None,
        None => reading.nested("rope_scaling")?,
    };
    let Some(within) = parameters.or(older.as_ref()) else { return Ok(RotaryScaling::None) };
    let field = if within.has("rope_type") { "rope_type" } else { "type" };
    let required = |field: &str| match within.get_positive(field)? {
        Some(value) => Ok(value),
        None => Err(within.config_error(field, "nothing", "above 0")),
    };
    Ok(match within.get_choice(field, &["default", "linear", "llama3"])? {
        "linear" => RotaryScaling::Linear { factor: required("factor")? },
        "llama3" => {
            let [low, high] = ["low_freq_factor", "high_freq_factor"].map(required);
            let (low, high) = (low?, high?);
            if high <= low {
                let allowed = format!("above low_freq_factor, {low}");
                return Err(within.config_error("high_freq_factor", &high.to_string(), &allowed));
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
fn parse_rotary(family: Family, reading: &ConfigObject<'_>, theta: f64) -> Result<[Rotary; 2], ModelError> {
    let parameters = reading.nested("rope_parameters")?;
    if let (Family::Gemma3, Some(parameters)) = (family, &parameters) {
        let [global, local] = [("full_attention", theta), ("sliding_attention", 1e4)].map(
            |(field, theta)| -> Result<Rotary, ModelError> {
                let within = parameters.nested(field)?;
                let Some(within) = within else {
                    return Err(parameters.config_error(field, "nothing", "an object"));
                };
                Ok(Rotary {
                    theta: within.get_positive("rope_theta")?.unwrap_or(theta),
                    scaling: parse_scaling(reading, Some(&within))?,
                })
            },
        );
        return Ok([global?, local?]);
    }
    let within = parameters.as_ref().unwrap_or(reading);
    for (of, field) in [(within, "partial_rotary_factor"), (reading, "partial_rotary_factor")] {
        if of.get_positive(field)?.is_some_and(|share| share != 1.0) {
            return Err(of.config_error(field, &of.format_field(field), "1"));
        }
    }
    let global = Rotary {
        theta: within.get_positive("rope_theta")?.unwrap_or(theta),
        scaling: parse_scaling(reading, parameters.as_ref())?,
    };
    let local = if family == Family::Gemma3 {
        let theta = reading.get_positive("rope_local_base_freq")?.unwrap_or(1e4);
        Rotary { theta, scaling: RotaryScaling::None }
    } else {
        global.clone()
    };
    Ok([global, local])
}

/// Which layers have a sliding window, and how many positions it has.
fn parse_windows(
    family: Family,
    reading: &ConfigObject<'_>,
    layers: usize,
) -> Result<(Option<usize>, Vec<bool>), ModelError> {
    let default = if family.is_gemma() { Some(4_096) } else { None };
    let window = match reading.get("sliding_window") {
        None | Some(Value::Null) => default,
        Some(_) => Some(reading.get_size("sliding_window", None)?),
    };
    let none = vec![false; layers];
    let used = match family {
        Family::Qwen2 | Family::Qwen3 => reading.get_bool("use_sliding_window", false)?,
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
                    let found = reading.format_field("layer_types");
                    return Err(reading.config_error("layer_types", &found, &allowed));
                }
            }
        }
        _ => match family {
            Family::Gemma2 => (0..layers).map(|layer| layer % 2 == 0).collect(),
            Family::Gemma3 => {
                let newer = !reading.has("sliding_window_pattern");
                let field = if newer { "_sliding_window_pattern" } else { "sliding_window_pattern" };
                let pattern = reading.get_size(field, Some(6))?;
                (0..layers).map(|layer| !(layer + 1).is_multiple_of(pattern)).collect()
            }
            _ => {
                let first = match reading.get("max_window_layers") {
                    Some(Value::Number(number)) if number.as_u64() == Some(0) => 0,
                    _ => reading.get_size("max_window_layers", Some(28))?,
                };
                (0..layers).map(|layer| layer >= first).collect()
            }
        },
    };
    if let (None, true) = (window, sliding.contains(&true)) {
        return Err(reading.config_error("sliding_window", "nothing", "at least 1"));
    }
    Ok((window, sliding))
}

/// Llama and what has grown of it: gated neurons, rotary positions, root-mean-square normalisation.
fn parse_llama_like(family: Family, reading: &ConfigObject<'_>, nested: bool) -> Result<Architecture, ModelError> {
    let defaults = family.defaults();
    let nested = |size: usize| nested.then_some(size);
    let d_model = reading.get_size("hidden_size", nested(2_304))?;
    let heads = reading.get_size("num_attention_heads", nested(8))?;
    let kv_heads = reading.get_size("num_key_value_heads", defaults.kv_heads.or(Some(heads)))?;
    if !heads.is_multiple_of(kv_heads) {
        let allowed = format!("a divisor of {heads}, the number of heads");
        return Err(reading.config_error("num_key_value_heads", &kv_heads.to_string(), &allowed));
    }
    let d_head = match defaults.d_head {
        None if !reading.has("head_dim") => {
            if !d_model.is_multiple_of(heads) {
                let allowed = format!("a divisor of {d_model}, or head_dim besides");
                return Err(reading.config_error("num_attention_heads", &heads.to_string(), &allowed));
            }
            d_model / heads
        }
        default => reading.get_size("head_dim", default)?,
    };
    if !d_head.is_multiple_of(2) {
        return Err(reading.config_error("head_dim", &d_head.to_string(), "an even number"));
    }
    check_switched_off(reading, &["rope_interleaved", "use_bidirectional_attention"])?;
    let layers = reading.get_layer_count("num_hidden_layers", nested(26))?;
    let (window, sliding) = parse_windows(family, reading, layers)?;
    let [global, local] = parse_rotary(family, reading, defaults.theta)?;
    let cap = |field: &str, default: Option<f64>| match reading.get(field) {
        None => Ok(default.map(|cap| cap as f32)),
        Some(_) => reading.get_positive(field).map(|cap| cap.map(|cap| cap as f32)),
    };
    let scalar = match family.is_gemma() {
        true => reading.get_positive("query_pre_attn_scalar")?.unwrap_or(256.0),
        false => d_head as f64,
    };
    let bias = match family {
        Family::Mistral | Family::Qwen2 => family == Family::Qwen2,
        _ => reading.get_bool("attention_bias", false)?,
    };
    let activation = if family.is_gemma() {
        // Files of Gemma say "gelu", and mean its tanh form.
        let newer = reading.has("hidden_activation");
        let field = if newer { "hidden_activation" } else { "hidden_act" };
        match parse_activation(reading, field, "gelu_pytorch_tanh")? {
            NeuronActivation::Gelu | NeuronActivation::GeluTanh => NeuronActivation::GeluTanh,
            other => other,
        }
    } else {
        parse_activation(reading, "hidden_act", "silu")?
    };
    Ok(Architecture {
        family,
        layers,
        heads,
        kv_heads,
        d_model,
        d_head,
        d_mlp: reading.get_size("intermediate_size", nested(9_216))?,
        context: reading.get_size("max_position_embeddings", Some(defaults.context))?,
        vocabulary: reading.get_size("vocab_size", nested(262_208))?,
        norm: Norm::Rms { offset: if family.is_gemma() { 1.0 } else { 0.0 } },
        epsilon: reading.get_number("rms_norm_eps", 1e-6)?,
        post_norms: family.is_gemma(),
        qk_norm: matches!(family, Family::Qwen3 | Family::Gemma3),
        parallel: false,
        positions: PositionEncoding::Rotary { dimensions: d_head, global, local },
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
        mlp_bias: family == Family::Llama && reading.get_bool("mlp_bias", false)?,
        tied: reading.get_bool("tie_word_embeddings", defaults.tied)?,
        normalized_after_gain: false,
    })
}
