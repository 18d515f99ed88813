use serde::{Deserialize, Serialize};

use super::{DecompositionComparison, DecompositionsReport};
use crate::lab::evaluate::{EvaluationError, OpenFiles, Options, Request};
use crate::sae::layout::Recognised;
use crate::sae::{SaeError, SaeFolder, TranscoderStatus};

/// What is known of an autoencoder before anything is computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedAutoencoder {
    /// What it is called among others.
    pub name: String,
    /// D of what is read, D of what is reconstructed.
    pub dimensions: [usize; 2],
    /// Latents K.
    pub k: usize,
    /// Whether it reconstructs other activations than it reads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transcoder: bool,
    /// What its files were recognised as.
    pub recognised: Recognised,
}

impl ListedAutoencoder {
    /// Of an open autoencoder, by headers alone.
    ///
    /// # Errors
    /// As [`SaeFolder::shape`].
    pub fn new(name: String, folder: &SaeFolder) -> Result<Self, SaeError> {
        let (k, dimensions) = folder.shape()?;
        let transcoder = folder.config.transcoder == TranscoderStatus::Yes;
        Ok(Self { name, dimensions, k, transcoder, recognised: folder.recognised().clone() })
    }
}

/// One of several decompositions that are compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonMember {
    /// Its name, which no other has.
    pub name: String,
    /// What it is of.
    pub request: Request,
}

/// A comparison, as a page asks for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonRequest {
    /// The decompositions: one or more, of the same rows.
    pub members: Vec<ComparisonMember>,
    /// The seed of controls; none: there are none.
    #[serde(default)]
    pub seed: Option<u32>,
}

impl ComparisonRequest {
    /// Evaluates one after the other. `tell` hears which row is being evaluated, and the share of everything that is done.
    ///
    /// # Errors
    /// As [`Request::plan_for_comparison`], [`DecompositionComparison::add_decomposition`] and [`DecompositionComparison::finish`].
    pub fn run(
        self,
        files: &dyn OpenFiles,
        tell: &mut dyn FnMut(&str, f64),
    ) -> Result<DecompositionsReport, EvaluationError> {
        let options = self.members.first().map_or_else(Options::default, |one| one.request.options);
        let mut comparison = DecompositionComparison::new(options, self.seed);
        let count = self.members.len().max(1) as f64;
        for (at, ComparisonMember { name, request }) in self.members.into_iter().enumerate() {
            let plan = request.plan_for_comparison(files)?;
            comparison.add_decomposition(&name, plan, &mut |row, _, share| {
                tell(row, (at as f64 + share) / count);
            })?;
        }
        comparison.finish()
    }
}
