//! Language models of several families: one description of an architecture, one forward pass that follows it.

mod architecture;
mod files;
mod gguf;
mod hugging_face;
mod inspect;
#[cfg(not(target_family = "wasm"))]
pub mod on_disk;
mod pass;
mod rotary;
mod tensors;
mod weight;

pub use architecture::{Architecture, Family, NeuronActivation, Norm, PositionEncoding, Rotary, RotaryScaling};
pub use files::{AblationWithTokenText, LanguageModel, ModelFiles, WithTokenText};
pub use inspect::{
    AblateTo, Ablation, AblationControl, AblationReport, Component, LikeliestToken, PredictionEffect, TextScore,
};
pub use pass::{Decoder, tokens_read};
pub use weight::{Weight, WeightType};
