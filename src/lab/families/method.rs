use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::sae::train::Family;
use crate::settings::Problem;

/// A way to decompose activations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FamiliesMethod"))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Singular vectors, uncentred; each row's k largest codes.
    Svd,
    /// Principal components: the same of the deviations from the mean.
    Pca,
    /// An autoencoder.
    Relu,
    /// An autoencoder.
    #[serde(rename = "topk")]
    TopK,
    /// An autoencoder.
    #[serde(rename = "batch-topk")]
    BatchTopK,
    /// An autoencoder.
    #[serde(rename = "jumprelu")]
    JumpRelu,
    /// An autoencoder.
    Gated,
    /// An autoencoder.
    Matryoshka,
    /// Control: the planted directions themselves, k of them a row by orthogonal matching pursuit. What
    /// can be reached; only where features are planted.
    Oracle,
    /// Control: as many random directions as there are latents, coded likewise.
    Random,
    /// Control: a trained TopK autoencoder whose decoder's rows have been shuffled.
    Permuted,
    /// Control: a TopK autoencoder before its first step.
    Untrained,
}

/// What a method is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MethodRole"))]
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
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Svd,
        Self::Pca,
        Self::Relu,
        Self::TopK,
        Self::BatchTopK,
        Self::JumpRelu,
        Self::Gated,
        Self::Matryoshka,
        Self::Oracle,
        Self::Random,
        Self::Permuted,
        Self::Untrained,
    ];

    /// The method that trains a family.
    #[must_use]
    pub fn of(family: Family) -> Self {
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
        match self {
            Self::Relu => Some(Family::Relu),
            Self::TopK => Some(Family::TopK),
            Self::BatchTopK => Some(Family::BatchTopK),
            Self::JumpRelu => Some(Family::JumpRelu),
            Self::Gated => Some(Family::Gated),
            Self::Matryoshka => Some(Family::Matryoshka),
            _ => None,
        }
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

    /// Its name in configurations and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Svd => "svd",
            Self::Pca => "pca",
            Self::Oracle => "oracle",
            Self::Random => "random",
            Self::Permuted => "permuted",
            Self::Untrained => "untrained",
            method => method.family().map_or("", Family::name),
        }
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

impl FromStr for Method {
    type Err = Problem;

    fn from_str(name: &str) -> Result<Self, Problem> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let allowed = Self::ALL.map(Self::name).join(", ");
            Problem::new("methods", format!("{name:?}"), allowed)
        })
    }
}
