//! The core of sfc-bench: the SFC-Score paper's metrics on networks with planted circuits.
//!
//! A feature decomposition is judged on three axes, **s**parsity, **f**idelity and mechanistic
//! **c**ompleteness, joined by a weighted harmonic mean. This crate generates the paper's synthetic
//! networks to the last bit of its NumPy stream, decomposes their activations, measures them, and
//! holds every printed number of the paper beside the computed one. It builds natively and to
//! WebAssembly with SIMD; both give the same bits.
//!
//! ```
//! use sfc_bench::{Settings, study};
//!
//! let curve = study::curve(&Settings::default(), &mut study::Silent)?;
//! let best = curve.points.iter().max_by(|a, b| a.sfc.total_cmp(&b.sfc)).unwrap();
//! assert_eq!(format!("{:.2} {:.3}", best.level, best.sfc), "0.85 0.905");
//! # Ok::<(), study::RunError>(())
//! ```
//!
//! A value moves one way: [`config`] says what to run, [`synth`] makes networks and activations,
//! [`dictionary`] decomposes them, [`metric`] and [`pareto`] measure, [`study`] arranges the paper's
//! figures and tables, [`plot`] draws them. [`train`] makes sparse autoencoders to measure; a reader's
//! own files enter by [`io`] and meet the same metrics in [`evaluate`]. [`link`] puts a run into a
//! URL, [`script`] into NumPy.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
compile_error!(
    "this crate is built for WebAssembly with simd128: RUSTFLAGS in the environment replaces the \
     flags of .cargo/config.toml, so unset it or add -C target-feature=+simd128"
);

pub mod config;
pub mod dictionary;
pub mod evaluate;
pub mod io;
pub mod kernel;
pub mod link;
mod matrix;
pub mod metric;
pub mod pareto;
// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod plot;
mod rng;
pub mod script;
mod singular;
pub mod study;
pub mod synth;
pub mod train;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod types;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use config::{CompletenessReading, Draft, FidelityMode, Problem, Problems, Settings};
pub use matrix::Matrix;
pub use metric::score::{PROFILES, Profile, Weights, WeightsError};
pub use rng::NumpyRng;
pub use synth::Preset;
