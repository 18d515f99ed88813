//! FADE: how well a description fits a feature (Puri et al. 2025, arXiv:2502.16994), on the little model.
//!
//! A feature is a latent of an autoencoder on the residual stream; a description is a planted concept, of
//! which every text's label is known. [`scores`] rates descriptions by texts, [`steered`] by what the model
//! writes while a feature is turned up and down.

mod description;
pub mod metric;
mod report;
mod run;
pub mod settings;

pub use description::{Case, Description};
pub use report::{Feature, Means, Readings, Report, Steered, TopText};
pub use run::{FadeError, run, scores, steered};
pub use settings::{Draft, Settings};
