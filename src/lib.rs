//! The core of sfc-bench: the SFC-Score paper's metrics on networks with planted circuits.
//!
//! A feature decomposition is judged on three axes, **s**parsity, **f**idelity and mechanistic
//! **c**ompleteness, joined by a weighted harmonic mean. This crate generates the paper's synthetic
//! networks to the last bit of its NumPy stream, decomposes their activations, measures them, and
//! holds every printed number of the paper beside the computed one. It builds natively and to
//! WebAssembly with SIMD; both give the same bits.
//!
//! ```
//! use sfc_bench::papers::sfc::{self, Settings};
//!
//! let curve = sfc::compute_curve(&Settings::default(), &mut sfc::NoProgress)?;
//! let best = curve.points.iter().max_by(|a, b| a.sfc.total_cmp(&b.sfc)).unwrap();
//! assert_eq!(format!("{:.2} {:.3}", best.level, best.sfc), "0.85 0.905");
//! # Ok::<(), sfc::RunError>(())
//! ```
//!
//! A value moves one way: [`settings`] say what to run, [`synthetic`] makes networks and activations,
//! [`linalg`] and [`sae`] decompose them, a paper's metrics (in [`papers`]), [`statistics`] and
//! [`pareto`] measure, the paper arranges its figures and tables, [`plot`] draws them and [`export`]
//! writes them. What works on any decomposition, a reader's own files (read by [`io`]) among them, is
//! the [`lab`]. [`link`] puts a run into a URL; a paper's script puts it into NumPy.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// Both folders of integration tests below have what is common to them.
#![cfg_attr(test, allow(clippy::duplicate_mod))]

pub mod export;
pub mod lab;
pub mod link;
mod object;
pub mod papers;
// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod plot;
pub mod studies;
pub mod study;
pub mod toy_model;
#[cfg(all(test, feature = "types"))]
mod types;
#[cfg(target_arch = "wasm32")]
pub mod web;

// In a browser, the tests of what is public are part of the library's own: one module to load.
#[cfg(all(test, target_arch = "wasm32"))]
extern crate self as sfc_bench;
#[cfg(all(test, target_arch = "wasm32"))]
#[path = "../tests/core/main.rs"]
mod core_tests;
#[cfg(all(test, target_arch = "wasm32"))]
#[path = "../tests/files/main.rs"]
mod files_tests;

pub use papers::sfc::metric::completeness::CompletenessReading;
pub use papers::sfc::metric::fidelity::FidelityMode;
pub use papers::sfc::metric::score::{PROFILES, Profile, Weights, WeightsError};
pub use papers::sfc::{Draft, Preset, Settings};
#[doc(inline)]
pub use sfc_bench_foundations::{
    Matrix, NumpyRng, Problem, Problems, TorchRng, cancel, io, kernel, linalg, model, pareto, sae, settings,
    statistics, synthetic, threads, workers,
};
use sfc_bench_foundations::{hash, order, rng};
