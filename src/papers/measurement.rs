//! Measurement theory: fifteen metrics that ask whether a number about a network can be trusted.
//!
//! They are those of the page "Measurement Theory — Metrics & Protocols" of the mechanistic-validity project, in
//! two readings wherever its text and its reference code differ.

pub mod circuit;
pub mod evaluated;
pub mod little;
pub mod metric;
pub mod own;
pub mod planted;
pub mod reach;
