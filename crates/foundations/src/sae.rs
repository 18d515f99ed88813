//! Sparse autoencoders: trained, read from the files that the field's tools write, and held against the
//! directions that were planted.

pub mod activity;
mod coder;
mod codes;
mod error;
mod folder;
pub mod latents;
pub mod layout;
pub mod recovery;
pub mod sae_lens_trainer;
mod saelens;
mod splice;
pub mod synth_sae_bench;
pub mod train;
mod weights;
mod whitening;

pub use coder::{Coder, Dictionary, EncodeDecodeOutput};
pub use codes::CodesBy;
pub use error::SaeError;
pub use folder::SaeFolder;
pub use saelens::{Architecture, Config, Normalisation, TranscoderStatus};
pub use splice::{
    Autoencoder, LatentEdit, Replacement, Splice, SpliceControl, SpliceError, SpliceOptions, SpliceReport, splice,
};
pub use weights::{Activation, MatchingPursuit, RowNorm, TranscoderPart, UndoNorm, Weights};
pub use whitening::{Whitening, shift_biases};
