//! Dense matrices, decompositions and row spaces.

mod columns;
mod matrix;
mod product;
mod singular;
pub mod span;
mod svd;

pub(crate) use columns::{column_means, deviations};
pub use matrix::{Matrix, ShapeError};
pub use product::{affine_relu, gram, product};
pub(crate) use singular::{first_direction, singular};
pub use svd::{DictionaryError, SvdDictionary};
