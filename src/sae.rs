//! Sparse autoencoders: trained, and held against the directions that were planted.

pub mod recovery;
pub mod train;
