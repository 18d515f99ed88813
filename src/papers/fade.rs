//! FADE: how well a description fits a feature (Puri et al. 2025, arXiv:2502.16994), on the toy model.
//!
//! A feature is a latent of an autoencoder on the residual stream; a description is a planted concept, of
//! which every text's label is known. [`score_features`] rates descriptions by texts, [`steer_feature`] by what the model
//! writes while a feature is turned up and down, and [`user_files`] what a reader brings. [`NaturalTexts`], [`RatedDescription`] and
//! [`LatentActivity`] are its parts, of any autoencoder after any layer.

mod description;
mod error;
// A picture need not be the same to the last bit.
#[allow(clippy::disallowed_methods)]
pub mod figures;
mod latents;
pub mod metric;
mod natural_texts;
mod report;
mod run;
mod script;
pub mod settings;
mod steering;
mod study_view;
pub mod user_files;

pub use description::{Description, DescriptionCase};
pub use error::FadeError;
pub use latents::LatentActivity;
pub use natural_texts::{NaturalTexts, RatedDescription};
pub use report::{Feature, MeanScores, Report, ScoreByReading, ScoreVariant, SteeringResult, TopText};
pub use run::{mean_scores, run, score_features, steer_feature};
pub use script::numpy_script;
pub use settings::{Draft, Settings};
pub use steering::{SteeringContext, steer_feature_at};
pub use study_view::StudyView;
