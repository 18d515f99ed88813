//! A reader's own files: what other programs wrote is read, and what does harm is refused.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../common/golden.rs"]
mod golden;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../common/memory.rs"]
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod mutate;

#[cfg(not(target_arch = "wasm32"))]
mod hostile;
#[cfg(not(target_arch = "wasm32"))]
mod hostile_measurement;
#[cfg(not(target_arch = "wasm32"))]
mod hostile_neurons;
#[cfg(not(target_arch = "wasm32"))]
mod hostile_results;
#[cfg(not(target_arch = "wasm32"))]
mod layouts;
#[cfg(not(target_arch = "wasm32"))]
mod models;
mod own;
#[cfg(not(target_arch = "wasm32"))]
mod pt;
#[cfg(not(target_arch = "wasm32"))]
mod results;
#[cfg(not(target_arch = "wasm32"))]
mod wide;
