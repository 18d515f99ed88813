use serde::Serialize;

use crate::model::hook::{Hook, Site};

/// Logits of all runs that are held at once, 64 MiB; of each run at least some rows.
pub(super) const LOGITS_IN_MEMORY_MAX: usize = 1 << 24;
/// See [`LOGITS_IN_MEMORY_MAX`].
pub(super) const LOGIT_ROWS_MIN: usize = 16;

/// Which of the families a model is of: by that its tensors are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names are Hugging Face's `model_type`
pub enum Family {
    Gpt2,
    GptNeox,
    Llama,
    Mistral,
    Qwen2,
    Qwen3,
    Gemma2,
    Gemma3,
}

/// What a row becomes before attention, neurons and the unembedding read it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Norm {
    /// (x − mean)/√(variance + ε) · g + b.
    Layer,
    /// x/√(mean(x²) + ε) · (g + offset): offset is 1 for Gemma's files by Hugging Face, else 0.
    Rms {
        /// Added to the gains that the file has.
        offset: f32,
    },
}

/// What a neuron makes of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeuronActivation {
    /// max(0, x).
    Relu,
    /// x · σ(x).
    Silu,
    /// x/2 · (1 + erf(x/√2)).
    Gelu,
    /// x/2 · (1 + tanh(√(2/π)·(x + 0.044715·x³))).
    GeluTanh,
}

/// How rotary angles are changed for longer texts than a model was trained on first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RotaryScaling {
    /// Not.
    None,
    /// All frequencies divided by a factor.
    Linear {
        /// The factor.
        factor: f64,
    },
    /// Low frequencies divided by a factor, high ones kept, those between interpolated.
    Llama3 {
        /// The factor.
        factor: f64,
        /// Wavelengths beyond the original context over this are divided.
        low: f64,
        /// Wavelengths below the original context over this are kept.
        high: f64,
        /// The original context.
        context: f64,
    },
    /// Each frequency divided by a factor of its own, as GGUF's `rope_freqs.weight` has them.
    Factors {
        /// One a pair of dimensions.
        factors: Vec<f32>,
    },
}

/// Rotary position embeddings: pair (i, i + r/2) of the first r dimensions of a head is turned by p·θ^(−2i/r) at
/// position p.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rotary {
    /// θ.
    pub theta: f64,
    /// What frequencies are divided by.
    pub scaling: RotaryScaling,
}

/// Where positions come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PositionEncoding {
    /// An embedding a position, added to the tokens'.
    Learned,
    /// Rotations of queries and keys.
    Rotary {
        /// Dimensions of a head that are turned.
        dimensions: usize,
        /// In layers that look at all positions before.
        global: Rotary,
        /// In layers with a sliding window.
        local: Rotary,
    },
}

/// A decoder-only transformer, described: all that the forward pass must know but its weights.
///
/// With N a normalisation, P either nothing or a normalisation: x₀ = W_E\[token\]·s; y = x + P(Attn(N(x)));
/// x' = y + P(MLP(N(y))), or x' = x + Attn(N(x)) + MLP(N(x)) where blocks are parallel;
/// logits = cap(N(x)·W_Uᵀ).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Architecture {
    /// The family.
    pub family: Family,
    /// Blocks of attention and neurons.
    pub layers: usize,
    /// Heads of each layer.
    pub heads: usize,
    /// Heads of keys and values: query head h reads ⌊h / (heads/kv_heads)⌋.
    pub kv_heads: usize,
    /// Width of the residual stream.
    pub d_model: usize,
    /// Width of a head.
    pub d_head: usize,
    /// Neurons of each layer.
    pub d_mlp: usize,
    /// Most positions.
    pub context: usize,
    /// Rows of the embedding.
    pub vocabulary: usize,
    /// What normalises.
    pub norm: Norm,
    /// ε of every normalisation.
    pub epsilon: f32,
    /// Whether what attention and neurons add is normalised too.
    pub post_norms: bool,
    /// Whether queries and keys are normalised before they are turned.
    pub qk_norm: bool,
    /// Whether attention and neurons read the same residual stream.
    pub parallel: bool,
    /// Where positions come from.
    pub positions: PositionEncoding,
    /// What embeddings are multiplied by.
    pub embedding_scale: f32,
    /// What products of queries and keys are multiplied by.
    pub attention_scale: f32,
    /// c of c·tanh(score/c), before the mask.
    pub attention_cap: Option<f32>,
    /// c of c·tanh(logit/c).
    pub logit_cap: Option<f32>,
    /// Positions that a layer with a sliding window looks at, its own among them.
    pub window: Option<usize>,
    /// Which layers have the window.
    pub sliding: Vec<bool>,
    /// What neurons compute.
    pub activation: NeuronActivation,
    /// Whether neurons are multiplied with a second product of what they read.
    pub gated: bool,
    /// Whether queries, keys and values have biases.
    pub qkv_bias: bool,
    /// Whether what attention adds has one.
    pub output_bias: bool,
    /// Whether neurons and what they add have biases.
    pub mlp_bias: bool,
    /// Whether the unembedding is the embedding.
    pub tied: bool,
    /// Whether `hook_normalized` stands after gain and bias, as in TransformerLens 2 with layer normalisation.
    pub normalized_after_gain: bool,
}

impl Family {
    /// What it is called.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Gpt2 => "GPT-2",
            Self::GptNeox => "GPT-NeoX",
            Self::Llama => "Llama",
            Self::Mistral => "Mistral",
            Self::Qwen2 => "Qwen2",
            Self::Qwen3 => "Qwen3",
            Self::Gemma2 => "Gemma 2",
            Self::Gemma3 => "Gemma 3",
        }
    }
}

impl Architecture {
    /// What it is, in a line.
    #[must_use]
    pub fn describe(&self) -> String {
        let Self { layers, heads, d_model, d_mlp, context, vocabulary, .. } = self;
        let family = self.family.label();
        format!(
            "{family}, {layers} layers of {heads} heads and {d_mlp} neurons, width {d_model}, {context} positions, \
             {vocabulary} tokens"
        )
    }

    /// Bytes of memory that a run over so many positions takes besides the weights, at most, with every activation of a
    /// layer, one attention pattern of all its heads, and of as many runs as are ever compared (five) what the unembedding
    /// reads and the logits that [`Decoder::for_each_logits_of_runs`] holds.
    ///
    /// [`Decoder::for_each_logits_of_runs`]: super::Decoder::for_each_logits_of_runs
    #[must_use]
    pub fn run_memory_bytes(&self, positions: usize) -> u64 {
        let [d, mlp, heads, kv, width] =
            [self.d_model, self.d_mlp, self.heads, self.kv_heads, self.d_head].map(|x| x as u64);
        let positions = positions as u64;
        /// As it is, spliced, and three controls.
        const RUNS_AT_ONCE: u64 = 5;
        let row = (8 + RUNS_AT_ONCE) * d + 4 * mlp + 3 * (heads + 2 * kv) * width;
        let patterns = 3 * heads * positions * positions;
        let rows = RUNS_AT_ONCE * LOGIT_ROWS_MIN as u64 * self.vocabulary as u64;
        let logits = (LOGITS_IN_MEMORY_MAX as u64).max(rows);
        4 * (positions * row + patterns + logits)
    }

    /// Heads and numbers of each, of the queries or of the keys and values; neurons; or the residual stream: what is at
    /// a hook for each position. A pattern's numbers depend on the text: none. Nothing where the model has no such hook.
    #[must_use]
    pub fn hook_shape(&self, hook: Hook) -> Option<(usize, usize)> {
        let Hook::Block(layer, site) = hook else {
            let learned = self.positions == PositionEncoding::Learned;
            return match hook {
                Hook::PosEmbed => learned.then_some((1, self.d_model)),
                Hook::LnFinalScale => Some((1, 1)),
                _ => Some((1, self.d_model)),
            };
        };
        let there = match site {
            Site::QNormalized | Site::KNormalized => self.qk_norm,
            Site::RotQ | Site::RotK => self.positions != PositionEncoding::Learned,
            Site::Ln1PostScale | Site::Ln1PostNormalized | Site::Ln2PostScale | Site::Ln2PostNormalized => {
                self.post_norms
            }
            Site::ResidMid => !self.parallel,
            Site::MlpPreLinear => self.gated,
            _ => true,
        };
        let shape = match site {
            Site::Q | Site::QNormalized | Site::RotQ | Site::Z => (self.heads, self.d_head),
            Site::K | Site::V | Site::KNormalized | Site::RotK => (self.kv_heads, self.d_head),
            Site::AttnScores | Site::Pattern => (self.heads, 0),
            Site::MlpPre | Site::MlpPreLinear | Site::MlpPost => (1, self.d_mlp),
            Site::Ln1Scale | Site::Ln2Scale | Site::Ln1PostScale | Site::Ln2PostScale => (1, 1),
            _ => (1, self.d_model),
        };
        (there && layer < self.layers).then_some(shape)
    }

    /// Every place where it can be read and changed, in the order in which they come by.
    #[must_use]
    pub fn hooks(&self) -> Vec<Hook> {
        let blocks = (0..self.layers).flat_map(|layer| Site::SITE_NAMES.map(|(site, _)| Hook::Block(layer, site)));
        let ends = [Hook::LnFinalScale, Hook::LnFinal];
        let all = [Hook::Embed, Hook::PosEmbed].into_iter().chain(blocks).chain(ends);
        all.filter(|hook| self.hook_shape(*hook).is_some()).collect()
    }

    /// The hook of a name of TransformerLens', or of Hugging Face's module whose output, or `.input`, it is.
    ///
    /// # Errors
    /// The names there are, of the first layer those of layers.
    pub fn parse_hook(&self, name: &str) -> Result<Hook, String> {
        let hooks = self.hooks();
        let named = hooks.iter().copied().find(|hook| hook.to_string() == name);
        let found = named.or_else(|| self.hook_of_module(name).filter(|hook| hooks.contains(hook)));
        found.ok_or_else(|| {
            // Of the layer that was asked for, or else of the first: a name of each.
            let asked = name.split('.').find_map(|part| part.parse().ok());
            let of = asked.filter(|layer| *layer < self.layers).unwrap_or(0);
            let shown = hooks.into_iter().filter(|hook| match hook {
                Hook::Block(layer, _) => *layer == of,
                _ => true,
            });
            let shown: Vec<String> = shown.map(|hook| hook.to_string()).collect();
            format!("{}, in layers 0 to {}", shown.join(", "), self.layers.saturating_sub(1))
        })
    }

    /// The place of a module of Hugging Face's.
    fn hook_of_module(&self, name: &str) -> Option<Hook> {
        let name = name.strip_suffix(".output").unwrap_or(name);
        let (embeddings, layers) = match self.family {
            Family::Gpt2 => ("transformer.wte", "transformer.h."),
            Family::GptNeox => ("gpt_neox.embed_in", "gpt_neox.layers."),
            _ => ("model.embed_tokens", "model.layers."),
        };
        if name == embeddings {
            return Some(Hook::Embed);
        }
        let rest = name.strip_prefix(layers)?;
        let (layer, module) = rest.split_once('.').unwrap_or((rest, ""));
        let (_, site) = self.module_sites().iter().find(|(known, _)| *known == module)?;
        Some(Hook::Block(layer.parse().ok()?, *site))
    }

    /// Modules of a layer and what their outputs are.
    fn module_sites(&self) -> &'static [(&'static str, Site)] {
        match self.family {
            Family::Gpt2 => &[
                ("", Site::ResidPost),
                ("input", Site::ResidPre),
                ("ln_1", Site::Ln1Out),
                ("attn", Site::AttnOut),
                ("attn.c_proj", Site::AttnOut),
                ("attn.c_proj.input", Site::Z),
                ("ln_2", Site::Ln2Out),
                ("mlp.c_fc", Site::MlpPre),
                ("mlp.c_proj.input", Site::MlpPost),
                ("mlp.c_proj", Site::MlpOut),
                ("mlp", Site::MlpOut),
            ],
            Family::GptNeox => &[
                ("", Site::ResidPost),
                ("input", Site::ResidPre),
                ("input_layernorm", Site::Ln1Out),
                ("attention", Site::AttnOut),
                ("attention.dense", Site::AttnOut),
                ("attention.dense.input", Site::Z),
                ("post_attention_layernorm", Site::Ln2Out),
                ("mlp.dense_h_to_4h", Site::MlpPre),
                ("mlp.dense_4h_to_h.input", Site::MlpPost),
                ("mlp.dense_4h_to_h", Site::MlpOut),
                ("mlp", Site::MlpOut),
            ],
            Family::Gemma2 | Family::Gemma3 => &[
                ("", Site::ResidPost),
                ("input", Site::ResidPre),
                ("input_layernorm", Site::Ln1Out),
                ("self_attn.q_proj", Site::Q),
                ("self_attn.k_proj", Site::K),
                ("self_attn.v_proj", Site::V),
                ("self_attn.o_proj.input", Site::Z),
                ("post_attention_layernorm", Site::AttnOut),
                ("pre_feedforward_layernorm.input", Site::MlpIn),
                ("pre_feedforward_layernorm", Site::Ln2Out),
                ("mlp.gate_proj", Site::MlpPre),
                ("mlp.up_proj", Site::MlpPreLinear),
                ("mlp.down_proj.input", Site::MlpPost),
                ("post_feedforward_layernorm", Site::MlpOut),
            ],
            Family::Llama | Family::Mistral | Family::Qwen2 | Family::Qwen3 => &[
                ("", Site::ResidPost),
                ("input", Site::ResidPre),
                ("input_layernorm", Site::Ln1Out),
                ("self_attn.q_proj", Site::Q),
                ("self_attn.k_proj", Site::K),
                ("self_attn.v_proj", Site::V),
                ("self_attn.o_proj.input", Site::Z),
                ("self_attn.o_proj", Site::AttnOut),
                ("self_attn", Site::AttnOut),
                ("post_attention_layernorm.input", Site::MlpIn),
                ("post_attention_layernorm", Site::Ln2Out),
                ("mlp.gate_proj", Site::MlpPre),
                ("mlp.up_proj", Site::MlpPreLinear),
                ("mlp.down_proj.input", Site::MlpPost),
                ("mlp.down_proj", Site::MlpOut),
                ("mlp", Site::MlpOut),
            ],
        }
    }
}
