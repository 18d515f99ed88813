//! Sparse autoencoders: trained, read from the files that the field's tools write, and held against the
//! directions that were planted.

pub mod active;
mod coder;
mod codes;
mod error;
pub mod layout;
pub mod recovery;
mod saelens;
mod splice;
pub mod train;
mod weights;

pub(crate) use coder::{Coder, Dictionary, Passed};
pub use codes::CodesBy;
pub use error::SaeError;
<<<<<<< HEAD
pub use saelens::{Architecture, Config, Folder, Normalisation, other_layout};
pub use splice::{Autoencoder, Replacement, Splice, SpliceError, SpliceReport, splice};
=======
pub use saelens::{Architecture, Config, Folder, Normalisation, Transcoder};
>>>>>>> 70ac9fd5f76b7f2c5fbf5e880e00f3d157bc97c9
pub use weights::{Activation, RowNorm, Undo, Weights};
