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

pub use architecture::{
    Architecture, Family, NeuronActivation, Norm, Positions, Rotary, RotaryScaling,
};
pub use files::{LanguageModel, ModelFiles, Spelled, SpelledAblation};
pub use inspect::{
    AblateTo, Ablation, AblationControl, AblationReport, Component, Effect, Likeliest, Scored,
};
pub use pass::{Decoder, tokens_read};
pub use weight::{Weight, WeightType};
