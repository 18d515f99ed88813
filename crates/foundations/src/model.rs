//! A decoder-only transformer, small enough for a tab, that can be read and changed at every hook.
//!
//! Weights and activations are `f32`; every sum has one order, so that natively and in WebAssembly the same
//! bits come out. Tensors, shapes and hooks have the names of TransformerLens:
//!
//! - x₀ = W_E\[t\] + W_pos; per layer a = ln1(x), \[q, k, v\] = a·W_{Q,K,V} + b,
//!   pattern = softmax(q·kᵀ/√d_head) over this position and those before, z = pattern·v,
//!   x ← x + Σ_h z_h·W_O\[h\] + b_O, x ← x + act(ln2(x)·W_in + b_in)·W_out + b_out;
//! - logits = ln_final(x)·W_U + b_U; ln(x) = (x − mean)/√(mean((x − mean)²) + ε)·w + b.
//!
//! That is [`Model`], whose passes can be trained, cut at their edges and gone on with. A [`Decoder`] is any language
//! model that an [`Architecture`] describes (GPT-2, GPT-NeoX, Llama, Mistral, Qwen2, Qwen3, Gemma 2, Gemma 3), with
//! weights in the type of their files: [`ModelFiles`] opens a folder of Hugging Face's or a GGUF file.
//!
//! ```
//! # use sfc_bench_foundations as sfc_bench;
//! use sfc_bench::model::{Batch, Config, Model, Parameters};
//!
//! let config = Config { layers: 1, ..Config::TOY_MODEL };
//! let model = Model::new(&Parameters::zeros(config));
//! let logits = model.last_logits(&Batch::new(&[vec![0, 5, 39]])?, &mut ())?;
//! assert_eq!(logits, vec![0.0; config.vocabulary]);
//! # Ok::<(), sfc_bench::model::ModelError>(())
//! ```

mod attention;
mod batch;
mod config;
mod config_reader;
mod decoder;
mod edit;
mod error;
mod folder;
mod forward;
mod gpt2;
mod graph;
mod head_cache;
mod hook;
mod incremental;
mod load;
mod parameters;
mod patch;
mod sample;
mod save;
mod tokenizer;
mod tokens;
mod train;

pub use batch::Batch;
pub use config::{Activation, Config};
pub use config_reader::CONFIG_BYTES_MAX;
#[cfg(not(target_family = "wasm"))]
pub use decoder::on_disk;
pub use decoder::{
    AblateTo, Ablation, AblationControl, AblationReport, AblationWithTokenText, Architecture, Component, Decoder,
    Family, LanguageModel, LikeliestToken, ModelFiles, NeuronActivation, Norm, PositionEncoding, PredictionEffect,
    Rotary, RotaryScaling, TextScore, Weight, WeightType, WithTokenText, tokens_read,
};
pub use edit::{Edit, EditChange, EditTarget, EditValues, Edits, HeadAblation, HeadMeans, HookShapes};
pub use error::ModelError;
pub use folder::{ModelFolder, NextToken, UserModel};
pub use forward::{Model, Trace};
pub use gpt2::Gpt2Loader;
pub use graph::{EdgeGraph, GraphEdge, InputKind, Node, UnknownNameError};
pub use head_cache::HeadEditRunner;
pub use hook::{ActivationCache, Hook, HookedActivation, Hooks, Site};
pub use parameters::{Parameters, TensorSpec};
pub use patch::{EdgePatcher, Replacement};
pub use sample::argmax_token;
pub use save::Precision;
pub use tokenizer::{TEXT_BYTES_MAX, TOKENIZER_BYTES_MAX, Tokenizer, TokenizerError, VOCABULARY_MAX};
pub use tokens::{TOKENS_MAX, read_token_rows};
pub use train::{AdamW, Training, TrainingBatch, loss_and_gradient, neuron_attributions};
