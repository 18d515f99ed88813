//! Dense matrices, decompositions and row spaces.

mod columns;
mod matrix;
mod product;
mod singular;
pub mod span;
mod svd;

pub use columns::unit_rows;
pub(crate) use columns::{LENGTH_MIN, column_means, scale_to_unit, subtract_mean};
pub use matrix::{Matrix, ShapeError};
pub use product::{affine_relu, gram, product};
pub(crate) use singular::{first_singular_vector, right_singular_vectors};
pub use svd::{DictionaryError, SvdDictionary};
