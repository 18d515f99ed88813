//! Sparse autoencoders, trained: six families, each as its paper defines it.
//!
//! An autoencoder of D inputs and F latents encodes a row x to sparse codes z (F) and decodes them to
//! x̂ = b_dec + Σⱼ zⱼ·W_decⱼ. All families subtract b_dec from the input before they encode, and
//! share h = W_enc·(x − b_dec) + b_enc. All losses are means over the rows; squared errors are divided
//! by D too, so that a loss does not grow with the width (a sparsity coefficient λ here is the papers'
//! λ over D).
//!
//! | family | codes | loss beyond the squared error |
//! |---|---|---|
//! | [`Family::Relu`] (Bricken et al. 2023; arXiv 2309.08600) | max(0, h) | λ Σ z |
//! | [`Family::TopK`] (arXiv 2406.04093) | the k largest of max(0, h) in each row | auxiliary, of dead latents |
//! | [`Family::BatchTopK`] (arXiv 2412.06410) | the k·B largest of a batch of B rows | the same |
//! | [`Family::JumpRelu`] (arXiv 2407.14435) | h where h > θ, else 0 | λ Σ \[h > θ\], by a straight-through gradient |
//! | [`Family::Gated`] (arXiv 2404.16014) | \[h > 0\] · max(0, eʳ·(h − b_enc) + b_mag) | λ Σ max(0, h), and the error of max(0, h) as codes of a frozen decoder |
//! | [`Family::Matryoshka`] (arXiv 2503.17547) | as BatchTopK | the squared errors of nested prefixes of the latents, summed |
//!
//! Rows of W_dec have norm 1: the part of their gradient along them is taken out before Adam's step,
//! and they are made unit again after it (Bricken et al. 2023). Adam is PyTorch's. Dead latents: TopK,
//! BatchTopK and Matryoshka have Gao et al.'s auxiliary loss (of the dead latents' own k largest, which
//! reconstruct what the others left over); ReLU and Gated are resampled (Bricken et al. 2023); JumpReLU
//! has nothing.
//!
//! Everything is `f32` but for the sums of losses, and nothing depends on the target: the same
//! configuration and data give the same bits natively and in WebAssembly.
//!
//! ```
//! # use sfc_bench_foundations as sfc_bench;
//! use sfc_bench::synthetic::{Superposition, World};
//! use sfc_bench::sae::train::{Family, TrainConfig, Trainer};
//!
//! let world = World::Superposition(Superposition::default()).sample(1_000)?;
//! let config = TrainConfig { latents: 32, k: 3, ..TrainConfig::for_family(Family::TopK) };
//! let mut trainer = Trainer::new(config, &world.activations)?;
//! let before = trainer.step(1)?;
//! let after = trainer.step(200)?;
//! assert!(after.mse < before.mse && after.l0 <= 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod autoencoder;
mod codes;
mod config;
mod export;
mod gradient;
mod parameters;
mod trainer;

pub use autoencoder::Autoencoder;
pub use codes::Codes;
pub(crate) use codes::batch_top_k;
pub use config::{
    BATCH_RANGE, COEFFICIENT_RANGE, CURVE_POINTS_DEFAULT, CURVE_POINTS_MAX, DATA_VALUES_MAX, Family, INPUTS_RANGE,
    LATENTS_RANGE, RATE_RANGE, STEPS_MAX, TRAIN_K_DEFAULT, TRAIN_ROWS_DEFAULT, TrainConfig,
};
pub use export::{FILE_NAMES, SaeLensFile, to_sae_lens, to_scorable_files};
pub use gradient::{Loss, loss_and_gradients};
pub use parameters::Parameters;
pub use trainer::{Metrics, Trainer, TrainerState};

use crate::settings::Problems;
use crate::statistics::MetricError;

/// Why nothing was trained.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The configuration holds a value that is not allowed.
    #[error(transparent)]
    Config(#[from] Problems),
    /// The data are empty or not finite.
    #[error(transparent)]
    Data(#[from] MetricError),
    /// More values than a trainer takes.
    #[error("{rows} rows of {cols} are too much to train on; allowed: {DATA_VALUES_MAX} values")]
    TooLarge {
        /// Rows of the data.
        rows: usize,
        /// Their width.
        cols: usize,
    },
    /// Fewer rows than one batch.
    #[error("too few rows for one batch of {batch}: {rows}")]
    TooFew {
        /// Rows of the data.
        rows: usize,
        /// Rows of a batch.
        batch: usize,
    },
    /// A saved state does not fit the configuration or the data.
    #[error("the saved state does not fit: {what}")]
    State {
        /// What differs.
        what: &'static str,
    },
    /// The loss is no longer finite.
    #[error("the loss is not finite after {step} steps; a smaller rate may help")]
    Diverged {
        /// Steps taken.
        step: u32,
    },
    /// The files could not be written.
    #[error("the autoencoder cannot be written: {0}")]
    Unwritten(String),
}

impl TrainError {
    /// A stable code, e.g. `train.diverged`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Config(problems) => problems.0.first().map_or("train.config", |problem| problem.code.as_str()),
            Self::Data(error) => error.code(),
            Self::TooLarge { .. } => "train.too-large",
            Self::TooFew { .. } => "train.too-few",
            Self::State { .. } => "train.state",
            Self::Diverged { .. } => "train.diverged",
            Self::Unwritten(_) => "train.unwritten",
        }
    }

    /// The configuration's field that is to blame, if one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Config(problems) => problems.0.first().map(|problem| problem.field.as_str()),
            Self::TooFew { .. } => Some("batch"),
            Self::Diverged { .. } => Some("rate"),
            _ => None,
        }
    }
}
