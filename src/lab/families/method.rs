use serde::{Deserialize, Serialize};

use crate::sae::train::Family;
use crate::settings::{from_name, named};

named! {
    /// A way to decompose activations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesMethod"))]
    #[serde(rename_all = "kebab-case")]
    pub enum Method {
        /// Singular vectors, uncentred; each row's k largest codes.
        Svd = "svd",
        /// Principal components: the same of the deviations from the mean.
        Pca = "pca",
        /// An autoencoder.
        Relu = "relu",
        /// An autoencoder.
        #[serde(rename = "topk")]
        TopK = "topk",
        /// An autoencoder.
        #[serde(rename = "batch-topk")]
        BatchTopK = "batch-topk",
        /// An autoencoder.
        #[serde(rename = "jumprelu")]
        JumpRelu = "jumprelu",
        /// An autoencoder.
        Gated = "gated",
        /// An autoencoder.
        Matryoshka = "matryoshka",
        /// Control: the planted directions themselves, k of them a row by orthogonal matching pursuit. What
        /// can be reached; only where features are planted.
        Oracle = "oracle",
        /// Control: as many random directions as there are latents, coded likewise.
        Random = "random",
        /// Control: a trained TopK autoencoder whose decoder's rows have been shuffled.
        Permuted = "permuted",
        /// Control: a TopK autoencoder before its first step.
        Untrained = "untrained",
    }
}

/// What a method is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MethodRole"))]
#[serde(rename_all = "kebab-case")]
pub enum MethodRole {
    /// Needs no training.
    Baseline,
    /// Trained.
    Trained,
    /// What can be reached.
    Ceiling,
    /// Should lose.
    Control,
}

impl Method {
    /// The method that trains a family.
    #[must_use]
    pub fn from_family(family: Family) -> Self {
        match family {
            Family::Relu => Self::Relu,
            Family::TopK => Self::TopK,
            Family::BatchTopK => Self::BatchTopK,
            Family::JumpRelu => Self::JumpRelu,
            Family::Gated => Self::Gated,
            Family::Matryoshka => Self::Matryoshka,
        }
    }

    /// Its family, if it is one of trained autoencoders.
    #[must_use]
    pub fn family(self) -> Option<Family> {
        Family::ALL.into_iter().find(|family| Self::from_family(*family) == self)
    }

    /// What it is there for.
    #[must_use]
    pub fn role(self) -> MethodRole {
        match self {
            Self::Svd | Self::Pca => MethodRole::Baseline,
            Self::Oracle => MethodRole::Ceiling,
            Self::Random | Self::Permuted | Self::Untrained => MethodRole::Control,
            _ => MethodRole::Trained,
        }
    }

    /// Whether a seed changes it.
    #[must_use]
    pub fn has_seed(self) -> bool {
        !matches!(self, Self::Svd | Self::Pca | Self::Oracle)
    }

    /// Its name for readers.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Svd => "SVD",
            Self::Pca => "PCA, centred",
            Self::Oracle => "Planted directions",
            Self::Random => "Random directions",
            Self::Permuted => "Permuted decoder",
            Self::Untrained => "Untrained",
            method => method.family().map_or("", Family::label),
        }
    }
}

from_name! {
    Method of "methods";
}
