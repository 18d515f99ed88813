//! The layouts, a row each. The first that fits is taken, so those that ask for more stand first.

use super::read;
use super::{Layout, Seen, Tensor};
use crate::io::View;
use crate::sae::saelens::Architecture;

/// A tensor that must be there, read as it is.
const fn same(name: &'static str, is: &'static str) -> Tensor {
    Tensor { name, is, view: View::Same, needed: true }
}

/// One whose rows are read as columns.
const fn turned(name: &'static str, is: &'static str) -> Tensor {
    Tensor { name, is, view: View::Transposed, needed: true }
}

/// One of other dimensions.
const fn seen_as(name: &'static str, is: &'static str, view: View) -> Tensor {
    Tensor { name, is, view, needed: true }
}

/// One that may be left out.
const fn maybe(of: Tensor) -> Tensor {
    Tensor { needed: false, ..of }
}

const JUMP_RELU: Architecture = Architecture::JumpRelu;
const RELU: Architecture = Architecture::Standard;
/// Whose k the configuration says.
const TOP_K: Architecture = Architecture::TopK { k: 0 };

/// What a row holds where it says nothing else.
const ROW: Layout = Layout {
    name: "",
    loaders: &[],
    keys: &[],
    tensors: &[],
    ignored: &[],
    test: |_| true,
    subtracts: false,
    architecture: RELU,
    read: read::path_alone,
};

/// nn.Linear both ways.
const LINEAR: &[Tensor] = &[
    turned("encoder.weight", "W_enc"),
    same("encoder.bias", "b_enc"),
    turned("decoder.weight", "W_dec"),
    same("decoder.bias", "b_dec"),
];

const STANDARD: &[Tensor] = &[
    same("W_enc", "W_enc"),
    same("W_dec", "W_dec"),
    same("b_enc", "b_enc"),
    same("b_dec", "b_dec"),
];

const THRESHOLDS: &[Tensor] = &[
    same("W_enc", "W_enc"),
    same("W_dec", "W_dec"),
    same("b_enc", "b_enc"),
    same("b_dec", "b_dec"),
    same("threshold", "threshold"),
];

fn bare(seen: &Seen<'_>) -> bool {
    !seen.has_config
}

/// The layout that a loader of SAELens' reads, by the loader's name.
#[must_use]
pub fn layout_of_loader(loader: &str) -> Option<&'static Layout> {
    TABLE.iter().find(|layout| layout.loaders.contains(&loader))
}

/// Every layout that is read.
pub static TABLE: &[Layout] = &[
    Layout {
        name: "sparsify",
        loaders: &["sparsify"],
        keys: &["k"],
        tensors: &[
            turned("encoder.weight", "W_enc"),
            same("encoder.bias", "b_enc"),
            same("W_dec", "W_dec"),
            same("b_dec", "b_dec"),
            maybe(same("W_skip", "W_skip")),
        ],
        subtracts: true,
        architecture: TOP_K,
        read: read::sparsify,
        ..ROW
    },
    Layout {
        name: "Gemma Scope 2",
        loaders: &["gemma_3"],
        tensors: &[
            same("w_enc", "W_enc"),
            seen_as("w_dec", "W_dec", View::FirstRows),
            same("b_enc", "b_enc"),
            seen_as("b_dec", "b_dec", View::Flat),
            same("threshold", "threshold"),
            maybe(turned("affine_skip_connection", "W_skip")),
        ],
        architecture: JUMP_RELU,
        read: read::gemma_scope_2,
        ..ROW
    },
    Layout {
        name: "Llama Scope",
        loaders: &["llama_scope"],
        keys: &["jump_relu_threshold"],
        tensors: LINEAR,
        architecture: JUMP_RELU,
        read: read::llama_scope,
        ..ROW
    },
    Layout {
        name: "OpenMOSS",
        loaders: &["llama_scope_r1_distill"],
        tensors: &[
            turned("encoder.weight", "W_enc"),
            same("encoder.bias", "b_enc"),
            turned("decoder.weight", "W_dec"),
            same("decoder.bias", "b_dec"),
            same("log_jumprelu_threshold", "log_threshold"),
        ],
        ignored: &["dataset_average_activation_norm.*"],
        architecture: JUMP_RELU,
        read: read::openmoss_distilled,
        ..ROW
    },
    Layout {
        name: "OpenMOSS crosscoder",
        tensors: &[
            same("W_E", "W_enc"),
            seen_as("W_D", "W_dec", View::SecondRows),
            seen_as("b_E", "b_enc", View::Flat),
            seen_as("b_D", "b_dec", View::Flat),
            maybe(same("activation_function.log_jumprelu_threshold", "log_threshold")),
        ],
        ignored: &["dataset_average_activation_norm.*"],
        test: |seen| seen.shape("W_E").len() == 3,
        read: read::openmoss,
        ..ROW
    },
    Layout {
        name: "OpenMOSS",
        tensors: &[
            same("W_E", "W_enc"),
            same("W_D", "W_dec"),
            same("b_E", "b_enc"),
            maybe(same("b_D", "b_dec")),
            maybe(same("activation_function.log_jumprelu_threshold", "log_threshold")),
            maybe(same("W_E_glu", "W_glu")),
            maybe(same("b_E_glu", "b_glu")),
        ],
        ignored: &["dataset_average_activation_norm.*"],
        read: read::openmoss,
        ..ROW
    },
    Layout {
        name: TEMPORAL,
        loaders: &["temporal"],
        tensors: &[same("D", "W_dec"), same("b", "b_dec"), maybe(same("E", "W_enc"))],
        ignored: &["attn_layers.*"],
        test: |seen| seen.weights.names().any(|name| name.contains("attn_layers.")),
        architecture: TOP_K,
        read: read::temporal,
        ..ROW
    },
    Layout {
        name: "dictionary_learning GatedAutoEncoder",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            turned("encoder.weight", "W_enc"),
            turned("decoder.weight", "W_dec"),
            same("decoder_bias", "b_dec"),
            same("r_mag", "r_mag"),
            same("gate_bias", "b_gate"),
            same("mag_bias", "b_mag"),
        ],
        subtracts: true,
        architecture: Architecture::Gated,
        read: read::dictionary_learning,
        ..ROW
    },
    Layout {
        name: "dictionary_learning AutoEncoder",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            turned("encoder.weight", "W_enc"),
            same("encoder.bias", "b_enc"),
            turned("decoder.weight", "W_dec"),
            same("bias", "b_dec"),
        ],
        subtracts: true,
        read: read::dictionary_learning,
        ..ROW
    },
    Layout {
        name: "OpenAI",
        tensors: &[
            turned("encoder.weight", "W_enc"),
            same("latent_bias", "b_enc"),
            same("pre_bias", "b_dec"),
            maybe(turned("decoder.weight", "W_dec")),
            // Of tied weights: the encoder's own.
            maybe(same("decoder.linear.weight", "W_dec")),
        ],
        ignored: &["stats_last_nonzero", "latents_activation_frequency", "latents_mean_square"],
        test: |seen| seen.has("decoder.weight") || seen.has("decoder.linear.weight"),
        subtracts: true,
        read: read::openai,
        ..ROW
    },
    Layout {
        name: "dictionary_learning TopK",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            turned("encoder.weight", "W_enc"),
            same("encoder.bias", "b_enc"),
            turned("decoder.weight", "W_dec"),
            same("b_dec", "b_dec"),
            maybe(same("threshold", "threshold")),
        ],
        ignored: &["k"],
        subtracts: true,
        architecture: TOP_K,
        read: read::dictionary_learning_top_k,
        ..ROW
    },
    Layout {
        name: "crosscoder",
        tensors: &[
            same("encoder.weight", "W_enc"),
            same("encoder.bias", "b_enc"),
            seen_as("decoder.weight", "W_dec", View::SecondRows),
            seen_as("decoder.bias", "b_dec", View::Flat),
        ],
        ignored: &["code_normalization*"],
        test: |seen| seen.shape("encoder.weight").len() == 3,
        read: read::crosscoder,
        ..ROW
    },
    Layout {
        name: "crosscoder",
        tensors: &[
            same("W_enc", "W_enc"),
            same("b_enc", "b_enc"),
            seen_as("W_dec", "W_dec", View::FirstRows),
            seen_as("b_dec", "b_dec", View::Flat),
        ],
        test: |seen| seen.shape("W_enc").len() == 3,
        read: read::crosscoder,
        ..ROW
    },
    Layout {
        name: "Goodfire",
        loaders: &["goodfire"],
        tensors: &[
            turned("encoder_linear.weight", "W_enc"),
            same("encoder_linear.bias", "b_enc"),
            turned("decoder_linear.weight", "W_dec"),
            same("decoder_linear.bias", "b_dec"),
        ],
        ..ROW
    },
    Layout {
        name: "nn.Linear encoder and decoder",
        loaders: &["deepseek_r1", "dictionary_learning_1"],
        tensors: LINEAR,
        read: read::dictionary_learning,
        ..ROW
    },
    Layout {
        name: "dictionary_learning MatryoshkaBatchTopKSAE",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            same("W_enc", "W_enc"),
            same("W_dec", "W_dec"),
            same("b_enc", "b_enc"),
            same("b_dec", "b_dec"),
            same("threshold", "threshold"),
        ],
        ignored: &["k", "group_sizes"],
        test: |seen| seen.has("group_sizes"),
        subtracts: true,
        architecture: JUMP_RELU,
        read: read::dictionary_learning_batch,
        ..ROW
    },
    Layout {
        name: "dictionary_learning JumpReluAutoEncoder",
        loaders: &["dictionary_learning_1"],
        tensors: THRESHOLDS,
        test: |seen| {
            let own = seen.fields.has("trainer") || (bare(seen) && seen.path.ends_with(".pt"));
            own && seen.as_saelens() && seen.len("threshold") > 1
        },
        architecture: JUMP_RELU,
        read: read::dictionary_learning,
        ..ROW
    },
    Layout {
        name: "Gemma Scope",
        loaders: &["gemma_2", "gemma_2_transcoder"],
        tensors: THRESHOLDS,
        test: |seen| bare(seen) && seen.path.ends_with(".npz"),
        architecture: JUMP_RELU,
        read: read::gemma_scope,
        ..ROW
    },
    Layout {
        name: "Connor Kissane and Rob Krzyzanowski",
        loaders: &["connor_rob_hook_z"],
        keys: &["act_size"],
        tensors: STANDARD,
        subtracts: true,
        read: read::connor_rob,
        ..ROW
    },
    Layout {
        name: "Qwen Scope",
        loaders: &["qwen_scope"],
        tensors: &[
            turned("W_enc", "W_enc"),
            turned("W_dec", "W_dec"),
            same("b_enc", "b_enc"),
            same("b_dec", "b_dec"),
        ],
        test: |seen| {
            let (d, k) = (seen.len("b_dec"), seen.len("b_enc"));
            let both = seen.shape("W_enc") == [k, d] && seen.shape("W_dec") == [d, k];
            bare(seen) && both && (d != k || seen.path.ends_with(".sae.pt"))
        },
        architecture: TOP_K,
        read: read::qwen_scope,
        ..ROW
    },
    Layout {
        name: "circuit-tracer transcoder",
        loaders: &["mwhanna_transcoder"],
        tensors: &[
            turned("W_enc", "W_enc"),
            same("W_dec", "W_dec"),
            same("b_enc", "b_enc"),
            same("b_dec", "b_dec"),
            maybe(same("W_skip", "W_skip")),
        ],
        test: |seen| {
            let k = seen.len("b_enc");
            let latents = |name| seen.shape(name).first() == Some(&k);
            let told = seen.fields.has("feature_input_hook");
            latents("W_enc") && latents("W_dec") && (told || seen.len("b_dec") != k)
        },
        read: read::circuit_tracer,
        ..ROW
    },
    Layout {
        name: SAELENS,
        loaders: &["sae_lens"],
        tensors: &[
            maybe(same("W_dec", "W_dec")),
            maybe(same("b_dec", "b_dec")),
            maybe(same("W_enc", "W_enc")),
            maybe(same("b_enc", "b_enc")),
            maybe(same("threshold", "threshold")),
            maybe(same("topk_threshold", "topk_threshold")),
            maybe(same("log_threshold", "log_threshold")),
            maybe(same("b_gate", "b_gate")),
            maybe(same("b_mag", "b_mag")),
            maybe(same("r_mag", "r_mag")),
            maybe(same("W_skip", "W_skip")),
            maybe(same("scaling_factor", "scaling_factor")),
            maybe(same("finetuning_scaling_factor", "finetuning_scaling_factor")),
        ],
        test: |seen| seen.has_config && seen.number.is_none() && !seen.fields.has("trainer"),
        subtracts: true,
        read: read::saelens,
        ..ROW
    },
    Layout {
        name: "circuit-tracer CLT",
        loaders: &["mntss_clt_layer_transcoder"],
        tensors: &[
            turned("W_enc_{}", "W_enc"),
            same("b_enc_{}", "b_enc"),
            same("b_dec_{}", "b_dec"),
            maybe(seen_as("W_dec_{}", "W_dec", View::FirstRows)),
            maybe(same("threshold_{}", "threshold")),
            maybe(turned("W_skip_{}", "W_skip")),
        ],
        read: read::clt,
        ..ROW
    },
    Layout {
        name: "tensors of SAELens without a configuration",
        tensors: &[
            same("W_enc", "W_enc"),
            same("W_dec", "W_dec"),
            same("b_enc", "b_enc"),
            same("b_dec", "b_dec"),
            maybe(same("threshold", "threshold")),
            maybe(same("topk_threshold", "topk_threshold")),
        ],
        test: |seen| bare(seen) && seen.as_saelens(),
        subtracts: true,
        read: read::without_config,
        ..ROW
    },
    Layout {
        name: "tensors of SAELens without a configuration",
        tensors: &[
            same("W_enc", "W_enc"),
            same("W_dec", "W_dec"),
            same("b_dec", "b_dec"),
            same("r_mag", "r_mag"),
            same("b_gate", "b_gate"),
            same("b_mag", "b_mag"),
        ],
        ignored: &["b_enc"],
        test: bare,
        subtracts: true,
        architecture: Architecture::Gated,
        read: read::without_config,
        ..ROW
    },
];

/// The name of SAELens' own layout, whose configuration is its own, too.
pub(crate) const SAELENS: &str = "SAELens";
/// The name of the one that attends to other rows.
pub(super) const TEMPORAL: &str = "temporal SAE";
