//! The metrics, each for any decomposition.
//!
//! A decomposition of activations A (N × D) is a dictionary W (K × D) and codes c (N × K) with the
//! reconstruction Â = c·W (§3.1). Nothing here assumes an orthonormal dictionary; the fast path for
//! one, in [`crate::papers::sfc`], is tested against these functions.

pub mod completeness;
pub mod fidelity;
mod ground_truth;
pub mod information;
pub mod score;
mod sparsity;

pub use ground_truth::{c_gt, c_gt_chance};
pub use sparsity::{ACTIVE_THRESHOLD, sparsity};
