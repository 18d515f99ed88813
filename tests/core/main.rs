//! What the core computes: natively, and the same tests in a browser.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;

mod circuit;
mod combinations;
#[cfg(not(target_arch = "wasm32"))]
mod compare;
mod ensemble;
mod expected;
mod fade;
mod families;
mod fields;
#[cfg(not(target_arch = "wasm32"))]
mod figures;
mod general_path;
mod gpt2;
mod kernels;
mod language;
mod link;
mod links;
mod little;
mod measurement_decomposition;
mod measurement_evaluation;
mod measurement_little;
mod measurement_own;
mod model;
mod mui;
mod mui_own;
mod own_model;
mod pareto;
#[cfg(not(target_arch = "wasm32"))]
mod properties;
#[cfg(not(target_arch = "wasm32"))]
mod prose;
mod query;
mod rng;
mod settings;
mod statistics;
mod tokenizer;
mod train;
mod vectors;
