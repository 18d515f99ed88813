//! The layouts, a row each. The first that fits is taken, so those that ask for more stand first.

use super::read;
use super::{FileProbe, Layout, LayoutTensor};
use crate::io::MatrixView;
use crate::sae::saelens::Architecture;

/// A tensor that must be there, read as it is.
const fn required_tensor(name: &'static str, is: &'static str) -> LayoutTensor {
    LayoutTensor { name, is, view: MatrixView::AsStored, needed: true }
}

/// One whose rows are read as columns.
const fn transposed_tensor(name: &'static str, is: &'static str) -> LayoutTensor {
    LayoutTensor { name, is, view: MatrixView::Transposed, needed: true }
}

/// One of other dimensions.
const fn viewed_tensor(name: &'static str, is: &'static str, view: MatrixView) -> LayoutTensor {
    LayoutTensor { name, is, view, needed: true }
}

/// One that may be left out.
const fn optional_tensor(of: LayoutTensor) -> LayoutTensor {
    LayoutTensor { needed: false, ..of }
}

const JUMP_RELU: Architecture = Architecture::JumpRelu;
const RELU: Architecture = Architecture::Standard;
/// Whose k the configuration says.
const TOP_K: Architecture = Architecture::TopK { k: 0 };

/// What a row holds where it says nothing else.
const DEFAULT_LAYOUT: Layout = Layout {
    name: "",
    loaders: &[],
    keys: &[],
    tensors: &[],
    ignored: &[],
    test: |_| true,
    subtracts: false,
    architecture: RELU,
    read: read::from_path_only,
};

/// nn.Linear both ways.
const LINEAR_TENSORS: &[LayoutTensor] = &[
    transposed_tensor("encoder.weight", "W_enc"),
    required_tensor("encoder.bias", "b_enc"),
    transposed_tensor("decoder.weight", "W_dec"),
    required_tensor("decoder.bias", "b_dec"),
];

const STANDARD_TENSORS: &[LayoutTensor] = &[
    required_tensor("W_enc", "W_enc"),
    required_tensor("W_dec", "W_dec"),
    required_tensor("b_enc", "b_enc"),
    required_tensor("b_dec", "b_dec"),
];

const TENSORS_WITH_THRESHOLD: &[LayoutTensor] = &[
    required_tensor("W_enc", "W_enc"),
    required_tensor("W_dec", "W_dec"),
    required_tensor("b_enc", "b_enc"),
    required_tensor("b_dec", "b_dec"),
    required_tensor("threshold", "threshold"),
];

fn has_no_config(seen: &FileProbe<'_>) -> bool {
    !seen.has_config
}

/// The layout that a loader of SAELens' reads, by the loader's name.
#[must_use]
pub fn layout_of_loader(loader: &str) -> Option<&'static Layout> {
    LAYOUTS.iter().find(|layout| layout.loaders.contains(&loader))
}

/// Every layout that is read.
pub static LAYOUTS: &[Layout] = &[
    Layout {
        name: "sparsify",
        loaders: &["sparsify"],
        keys: &["k"],
        tensors: &[
            transposed_tensor("encoder.weight", "W_enc"),
            required_tensor("encoder.bias", "b_enc"),
            required_tensor("W_dec", "W_dec"),
            required_tensor("b_dec", "b_dec"),
            optional_tensor(required_tensor("W_skip", "W_skip")),
        ],
        subtracts: true,
        architecture: TOP_K,
        read: read::sparsify,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "Gemma Scope 2",
        loaders: &["gemma_3"],
        tensors: &[
            required_tensor("w_enc", "W_enc"),
            viewed_tensor("w_dec", "W_dec", MatrixView::FirstAxisRows),
            required_tensor("b_enc", "b_enc"),
            viewed_tensor("b_dec", "b_dec", MatrixView::Flat),
            required_tensor("threshold", "threshold"),
            optional_tensor(transposed_tensor("affine_skip_connection", "W_skip")),
        ],
        architecture: JUMP_RELU,
        read: read::gemma_scope_2,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "Llama Scope",
        loaders: &["llama_scope"],
        keys: &["jump_relu_threshold"],
        tensors: LINEAR_TENSORS,
        architecture: JUMP_RELU,
        read: read::llama_scope,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "OpenMOSS",
        loaders: &["llama_scope_r1_distill"],
        tensors: &[
            transposed_tensor("encoder.weight", "W_enc"),
            required_tensor("encoder.bias", "b_enc"),
            transposed_tensor("decoder.weight", "W_dec"),
            required_tensor("decoder.bias", "b_dec"),
            required_tensor("log_jumprelu_threshold", "log_threshold"),
        ],
        ignored: &["dataset_average_activation_norm.*"],
        architecture: JUMP_RELU,
        read: read::openmoss_distilled,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "OpenMOSS crosscoder",
        tensors: &[
            required_tensor("W_E", "W_enc"),
            viewed_tensor("W_D", "W_dec", MatrixView::SecondAxisRows),
            viewed_tensor("b_E", "b_enc", MatrixView::Flat),
            viewed_tensor("b_D", "b_dec", MatrixView::Flat),
            optional_tensor(required_tensor("activation_function.log_jumprelu_threshold", "log_threshold")),
        ],
        ignored: &["dataset_average_activation_norm.*"],
        test: |seen| seen.tensor_shape("W_E").len() == 3,
        read: read::openmoss,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "OpenMOSS",
        tensors: &[
            required_tensor("W_E", "W_enc"),
            required_tensor("W_D", "W_dec"),
            required_tensor("b_E", "b_enc"),
            optional_tensor(required_tensor("b_D", "b_dec")),
            optional_tensor(required_tensor("activation_function.log_jumprelu_threshold", "log_threshold")),
            optional_tensor(required_tensor("W_E_glu", "W_glu")),
            optional_tensor(required_tensor("b_E_glu", "b_glu")),
        ],
        ignored: &["dataset_average_activation_norm.*"],
        read: read::openmoss,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: TEMPORAL_LAYOUT,
        loaders: &["temporal"],
        tensors: &[
            required_tensor("D", "W_dec"),
            required_tensor("b", "b_dec"),
            optional_tensor(required_tensor("E", "W_enc")),
        ],
        ignored: &["attn_layers.*"],
        test: |seen| seen.weights.names().any(|name| name.contains("attn_layers.")),
        architecture: TOP_K,
        read: read::temporal,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "dictionary_learning GatedAutoEncoder",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            transposed_tensor("encoder.weight", "W_enc"),
            transposed_tensor("decoder.weight", "W_dec"),
            required_tensor("decoder_bias", "b_dec"),
            required_tensor("r_mag", "r_mag"),
            required_tensor("gate_bias", "b_gate"),
            required_tensor("mag_bias", "b_mag"),
        ],
        subtracts: true,
        architecture: Architecture::Gated,
        read: read::dictionary_learning,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "dictionary_learning AutoEncoder",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            transposed_tensor("encoder.weight", "W_enc"),
            required_tensor("encoder.bias", "b_enc"),
            transposed_tensor("decoder.weight", "W_dec"),
            required_tensor("bias", "b_dec"),
        ],
        subtracts: true,
        read: read::dictionary_learning,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "OpenAI",
        tensors: &[
            transposed_tensor("encoder.weight", "W_enc"),
            required_tensor("latent_bias", "b_enc"),
            required_tensor("pre_bias", "b_dec"),
            optional_tensor(transposed_tensor("decoder.weight", "W_dec")),
            // Of tied weights: the encoder's own.
            optional_tensor(required_tensor("decoder.linear.weight", "W_dec")),
        ],
        ignored: &["stats_last_nonzero", "latents_activation_frequency", "latents_mean_square"],
        test: |seen| seen.has_tensor("decoder.weight") || seen.has_tensor("decoder.linear.weight"),
        subtracts: true,
        read: read::openai,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "dictionary_learning TopK",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            transposed_tensor("encoder.weight", "W_enc"),
            required_tensor("encoder.bias", "b_enc"),
            transposed_tensor("decoder.weight", "W_dec"),
            required_tensor("b_dec", "b_dec"),
            optional_tensor(required_tensor("threshold", "threshold")),
        ],
        ignored: &["k"],
        subtracts: true,
        architecture: TOP_K,
        read: read::dictionary_learning_top_k,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "crosscoder",
        tensors: &[
            required_tensor("encoder.weight", "W_enc"),
            required_tensor("encoder.bias", "b_enc"),
            viewed_tensor("decoder.weight", "W_dec", MatrixView::SecondAxisRows),
            viewed_tensor("decoder.bias", "b_dec", MatrixView::Flat),
        ],
        ignored: &["code_normalization*"],
        test: |seen| seen.tensor_shape("encoder.weight").len() == 3,
        read: read::crosscoder,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "crosscoder",
        tensors: &[
            required_tensor("W_enc", "W_enc"),
            required_tensor("b_enc", "b_enc"),
            viewed_tensor("W_dec", "W_dec", MatrixView::FirstAxisRows),
            viewed_tensor("b_dec", "b_dec", MatrixView::Flat),
        ],
        test: |seen| seen.tensor_shape("W_enc").len() == 3,
        read: read::crosscoder,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "Goodfire",
        loaders: &["goodfire"],
        tensors: &[
            transposed_tensor("encoder_linear.weight", "W_enc"),
            required_tensor("encoder_linear.bias", "b_enc"),
            transposed_tensor("decoder_linear.weight", "W_dec"),
            required_tensor("decoder_linear.bias", "b_dec"),
        ],
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "nn.Linear encoder and decoder",
        loaders: &["deepseek_r1", "dictionary_learning_1"],
        tensors: LINEAR_TENSORS,
        read: read::dictionary_learning,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "dictionary_learning MatryoshkaBatchTopKSAE",
        loaders: &["dictionary_learning_1"],
        tensors: &[
            required_tensor("W_enc", "W_enc"),
            required_tensor("W_dec", "W_dec"),
            required_tensor("b_enc", "b_enc"),
            required_tensor("b_dec", "b_dec"),
            required_tensor("threshold", "threshold"),
        ],
        ignored: &["k", "group_sizes"],
        test: |seen| seen.has_tensor("group_sizes"),
        subtracts: true,
        architecture: JUMP_RELU,
        read: read::dictionary_learning_batch,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "dictionary_learning JumpReluAutoEncoder",
        loaders: &["dictionary_learning_1"],
        tensors: TENSORS_WITH_THRESHOLD,
        test: |seen| {
            let own = seen.fields.has("trainer") || (has_no_config(seen) && seen.path.ends_with(".pt"));
            own && seen.is_saelens_oriented() && seen.tensor_len("threshold") > 1
        },
        architecture: JUMP_RELU,
        read: read::dictionary_learning,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "Gemma Scope",
        loaders: &["gemma_2", "gemma_2_transcoder"],
        tensors: TENSORS_WITH_THRESHOLD,
        test: |seen| has_no_config(seen) && seen.path.ends_with(".npz"),
        architecture: JUMP_RELU,
        read: read::gemma_scope,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "Connor Kissane and Rob Krzyzanowski",
        loaders: &["connor_rob_hook_z"],
        keys: &["act_size"],
        tensors: STANDARD_TENSORS,
        subtracts: true,
        read: read::connor_rob,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "Qwen Scope",
        loaders: &["qwen_scope"],
        tensors: &[
            transposed_tensor("W_enc", "W_enc"),
            transposed_tensor("W_dec", "W_dec"),
            required_tensor("b_enc", "b_enc"),
            required_tensor("b_dec", "b_dec"),
        ],
        test: |seen| {
            let (d, k) = (seen.tensor_len("b_dec"), seen.tensor_len("b_enc"));
            let both = seen.tensor_shape("W_enc") == [k, d] && seen.tensor_shape("W_dec") == [d, k];
            has_no_config(seen) && both && (d != k || seen.path.ends_with(".sae.pt"))
        },
        architecture: TOP_K,
        read: read::qwen_scope,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "circuit-tracer transcoder",
        loaders: &["mwhanna_transcoder"],
        tensors: &[
            transposed_tensor("W_enc", "W_enc"),
            required_tensor("W_dec", "W_dec"),
            required_tensor("b_enc", "b_enc"),
            required_tensor("b_dec", "b_dec"),
            optional_tensor(required_tensor("W_skip", "W_skip")),
        ],
        test: |seen| {
            let k = seen.tensor_len("b_enc");
            let latents = |name| seen.tensor_shape(name).first() == Some(&k);
            let told = seen.fields.has("feature_input_hook");
            latents("W_enc") && latents("W_dec") && (told || seen.tensor_len("b_dec") != k)
        },
        read: read::circuit_tracer,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: SAELENS_LAYOUT,
        loaders: &["sae_lens"],
        tensors: &[
            optional_tensor(required_tensor("W_dec", "W_dec")),
            optional_tensor(required_tensor("b_dec", "b_dec")),
            optional_tensor(required_tensor("W_enc", "W_enc")),
            optional_tensor(required_tensor("b_enc", "b_enc")),
            optional_tensor(required_tensor("threshold", "threshold")),
            optional_tensor(required_tensor("topk_threshold", "topk_threshold")),
            optional_tensor(required_tensor("log_threshold", "log_threshold")),
            optional_tensor(required_tensor("b_gate", "b_gate")),
            optional_tensor(required_tensor("b_mag", "b_mag")),
            optional_tensor(required_tensor("r_mag", "r_mag")),
            optional_tensor(required_tensor("W_skip", "W_skip")),
            optional_tensor(required_tensor("scaling_factor", "scaling_factor")),
            optional_tensor(required_tensor("finetuning_scaling_factor", "finetuning_scaling_factor")),
        ],
        test: |seen| seen.has_config && seen.number.is_none() && !seen.fields.has("trainer"),
        subtracts: true,
        read: read::saelens,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "circuit-tracer CLT",
        loaders: &["mntss_clt_layer_transcoder"],
        tensors: &[
            transposed_tensor("W_enc_{}", "W_enc"),
            required_tensor("b_enc_{}", "b_enc"),
            required_tensor("b_dec_{}", "b_dec"),
            optional_tensor(viewed_tensor("W_dec_{}", "W_dec", MatrixView::FirstAxisRows)),
            optional_tensor(required_tensor("threshold_{}", "threshold")),
            optional_tensor(transposed_tensor("W_skip_{}", "W_skip")),
        ],
        read: read::clt,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "tensors of SAELens without a configuration",
        tensors: &[
            required_tensor("W_enc", "W_enc"),
            required_tensor("W_dec", "W_dec"),
            required_tensor("b_enc", "b_enc"),
            required_tensor("b_dec", "b_dec"),
            optional_tensor(required_tensor("threshold", "threshold")),
            optional_tensor(required_tensor("topk_threshold", "topk_threshold")),
        ],
        test: |seen| has_no_config(seen) && seen.is_saelens_oriented(),
        subtracts: true,
        read: read::without_config,
        ..DEFAULT_LAYOUT
    },
    Layout {
        name: "tensors of SAELens without a configuration",
        tensors: &[
            required_tensor("W_enc", "W_enc"),
            required_tensor("W_dec", "W_dec"),
            required_tensor("b_dec", "b_dec"),
            required_tensor("r_mag", "r_mag"),
            required_tensor("b_gate", "b_gate"),
            required_tensor("b_mag", "b_mag"),
        ],
        ignored: &["b_enc"],
        test: has_no_config,
        subtracts: true,
        architecture: Architecture::Gated,
        read: read::without_config,
        ..DEFAULT_LAYOUT
    },
];

/// The name of SAELens' own layout, whose configuration is its own, too.
pub(crate) const SAELENS_LAYOUT: &str = "SAELens";
/// The name of the one that attends to other rows.
pub(super) const TEMPORAL_LAYOUT: &str = "temporal SAE";
