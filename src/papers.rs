//! A room for each paper.

pub mod ce_bench;
pub mod fade;
pub mod measurement;
pub mod mui;
pub mod sfc;
