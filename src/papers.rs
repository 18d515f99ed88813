//! A room for each paper.

pub mod sfc;
