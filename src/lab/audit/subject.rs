use std::fmt;

use serde::{Deserialize, Serialize};

use crate::settings::named;

/// What metrics are defined on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditKind"))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A dictionary, and what it makes of activations.
    Decomposition,
    /// Some heads of a model.
    Circuit,
    /// A model.
    Model,
    /// What a metric said, run by run.
    Scores,
}

named! {
    /// Where subjects come from, and what is known there.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditWorld"))]
    #[serde(rename_all = "kebab-case")]
    pub enum World {
        /// Planted directions, more of them than dimensions. Truth: the directions.
        Superposition = "superposition",
        /// The first paper's hidden layer. Truth: the planted circuit's subspace.
        Layer = "layer",
        /// The residual stream after the toy model's first layer. Truth: the language's concepts.
        Stream0 = "stream0",
        /// After its second layer.
        Stream1 = "stream1",
        /// After its third layer.
        Stream2 = "stream2",
        /// Planted circuits. Truth: which heads are in.
        Planted = "planted",
        /// The toy model's tasks. Truth: the circuit that is found on other prompts.
        Tasks = "tasks",
        /// The toy model at all its checkpoints, and smaller ones. Truth: accuracy on harder prompts.
        Models = "models",
        /// Scores with planted noise, shifts and orders.
        Scores = "scores",
        /// The residual stream of ten trained toy models, one a seed. Truths: the language's concepts.
        Toys = "toys",
        /// SynthSAEBench's planted features, few of them. Truths: the features.
        Synth = "synth",
        /// Somebody's own. Truth: none.
        Own = "own",
    }
}

impl World {
    /// All that are made here.
    pub const BUILT_IN: [Self; 11] = [
        Self::Superposition,
        Self::Layer,
        Self::Stream0,
        Self::Stream1,
        Self::Stream2,
        Self::Planted,
        Self::Tasks,
        Self::Models,
        Self::Scores,
        Self::Toys,
        Self::Synth,
    ];

    /// The worlds that are one, under this name: streams of one model weigh as one model.
    #[must_use]
    pub const fn pool_name(self) -> &'static str {
        match self {
            Self::Stream0 | Self::Stream1 | Self::Stream2 | Self::Toys => "streams",
            other => other.name(),
        }
    }

    /// Whether the first edition of the audit has it.
    #[must_use]
    pub const fn in_first_edition(self) -> bool {
        !matches!(self, Self::Toys | Self::Synth)
    }

    /// What its subjects are.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Superposition
            | Self::Layer
            | Self::Stream0
            | Self::Stream1
            | Self::Stream2
            | Self::Toys
            | Self::Synth
            | Self::Own => Kind::Decomposition,
            Self::Planted | Self::Tasks => Kind::Circuit,
            Self::Models => Kind::Model,
            Self::Scores => Kind::Scores,
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a subject is there for: which question it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditGroup"))]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// The one that all else is held against: trained, found.
    Reference,
    /// The truth itself.
    Truth,
    /// One that ought to lose; its name says which.
    Control,
    /// Between a control and the reference; its name says of what, its level how far: 0 is spoilt, 1 the reference.
    Dose,
    /// As good in another size, sparsity or family.
    Variant,
    /// The reference in another guise; its name says what was changed that should not matter.
    Same,
    /// The reference on other data of the same kind; its level counts.
    Sample,
    /// The reference under another seed of the metric's own; its level counts.
    Again,
    /// One that was searched for to reach a metric's ends; its name says which.
    Extreme,
    /// Trained as the reference is, of another family, size or sparsity; the first edition has none.
    Trained,
}

/// A subject by what it is there for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditSubject"))]
pub struct Subject {
    /// What it is there for.
    pub group: Group,
    /// Which of them: "random", "steps", "scaled".
    pub name: String,
    /// How much of it, where there is more and less.
    pub level: f64,
}

/// Controls that the first edition does not have: principal components, clusters, a random decoder that is not trained.
pub(super) const PCA: &str = "pca";
pub(super) const K_MEANS: &str = "k-means";
pub(super) const FROZEN_DECODER: &str = "frozen-decoder";

impl Subject {
    /// Of a group, by name.
    #[must_use]
    pub fn new(group: Group, name: &str) -> Self {
        Self { group, name: name.to_owned(), level: 0.0 }
    }

    /// Whether the first edition of the audit has it.
    #[must_use]
    pub fn in_first_edition(&self) -> bool {
        let later = [PCA, K_MEANS, FROZEN_DECODER].contains(&self.name.as_str());
        self.group != Group::Trained && !(self.group == Group::Control && later)
    }

    /// At a level.
    #[must_use]
    pub fn with_level(group: Group, name: &str, level: f64) -> Self {
        Self { level, ..Self::new(group, name) }
    }
}
