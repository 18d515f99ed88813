//! Dictionaries: the directions a decomposition is made of.

pub mod codes;
mod svd;

pub(crate) use svd::deviations;
pub use svd::{DictionaryError, SvdDictionary};
