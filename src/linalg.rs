//! Dense matrices, decompositions and row spaces.

mod matrix;
mod product;
mod singular;
pub mod span;
mod svd;

pub use matrix::{Matrix, ShapeError};
pub use product::{affine_relu, gram, product};
pub(crate) use singular::singular;
pub(crate) use svd::deviations;
pub use svd::{DictionaryError, SvdDictionary};
