//! What the metrics of sfc-bench stand on: numbers and threads, a reader's own files, settings, synthetic data,
//! language models and sparse autoencoders. Users find all of it in the crate `sfc_bench`; it is apart so that a metric is
//! compiled and tested without compiling this again.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
compile_error!(
    "this crate is built for WebAssembly with simd128: RUSTFLAGS in the environment replaces the \
     flags of .cargo/config.toml, so unset it or add -C target-feature=+simd128"
);

pub mod cancel;
#[doc(hidden)]
pub mod hash;
pub mod io;
pub mod kernel;
pub mod linalg;
pub mod model;
#[doc(hidden)]
pub mod order;
pub mod pareto;
#[doc(hidden)]
pub mod rng;
pub mod sae;
pub mod settings;
pub mod statistics;
pub mod synthetic;
pub mod threads;
pub mod workers;

pub use linalg::Matrix;
pub use rng::{NumpyRng, TorchRng};
pub use settings::{Problem, Problems};
