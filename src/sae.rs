//! Sparse autoencoders: trained, read from the folders that SAELens writes, and held against the
//! directions that were planted.

pub mod active;
mod coder;
mod codes;
mod error;
pub mod recovery;
mod saelens;
mod splice;
pub mod train;
mod weights;

pub(crate) use coder::{Coder, Dictionary};
pub use codes::CodesBy;
pub use error::SaeError;
pub use saelens::{Architecture, Config, Folder, Normalisation, other_layout};
pub use splice::{Autoencoder, Replacement, Splice, SpliceError, SpliceReport, splice};
pub use weights::{Activation, RowNorm, Undo, Weights};
