//! What works on any decomposition: other seeds, comparisons, families of methods, a reader's own.

pub mod audit;
pub mod compare;
pub mod ensemble;
pub mod evaluate;
pub mod families;
pub mod language_model;
mod reading;
pub mod synth;
#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests;

pub use reading::Reading;
