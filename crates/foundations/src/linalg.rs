//! Dense matrices, decompositions and row spaces.

mod columns;
mod matrix;
mod product;
mod singular;
pub mod span;
mod svd;

pub use columns::unit_rows;
pub use columns::{NORM_MIN, column_means, scale_by_power_of_two, subtract_mean};
pub use matrix::{Matrix, ShapeError};
pub use product::{affine_relu, gram, product};
pub use singular::{first_singular_vector, right_singular_vectors};
pub use svd::{DictionaryError, SvdDictionary};
