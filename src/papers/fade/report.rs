use serde::{Deserialize, Serialize};

use super::description::Case;
use super::metric::Reading;
use super::settings::Settings;

/// A score in both readings; nothing where one has no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FadeReadings"))]
pub struct Readings {
    /// As the note's formula has it.
    pub document: Option<f64>,
    /// As the reference code has it.
    pub code: Option<f64>,
}

impl Readings {
    /// Of one reading.
    #[must_use]
    pub fn of(&self, reading: Reading) -> Option<f64> {
        match reading {
            Reading::Document => self.document,
            Reading::Code => self.code,
        }
    }
}

/// What the model wrote while a feature was set to multiples of its largest activation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FadeSteered"))]
pub struct Steered {
    /// Of each factor, how many continuations are labelled 0, 1 and 2.
    pub labels: Vec<[usize; 3]>,
    /// Of each factor, the share labelled 2.
    pub shares: Vec<f64>,
    /// From 0 to 1.
    pub faithfulness: f64,
    /// The first factor with the largest share above that at 0.
    pub best_factor: Option<f64>,
    /// What the code reports instead: the largest factor of all.
    pub largest_factor: Option<f64>,
    /// Whether all continuations at factor 0 express the concept: the code has no number then.
    pub saturated: bool,
    /// Of each factor, what the first prompts came to, as tokens: prefix and continuation.
    pub written: Vec<Vec<Vec<u32>>>,
}

/// A text on which a feature is strongest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FadeText"))]
pub struct TopText {
    /// Its tokens.
    pub tokens: Vec<u32>,
    /// The feature's activation on each token but the first.
    pub activations: Vec<f32>,
    /// Which tokens express the concept.
    pub expressed: Vec<bool>,
    /// 0, 1 or 2, as the rater has it.
    pub label: u8,
}

/// A feature held against a description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FadeFeature"))]
pub struct Feature {
    /// What it is said to be about.
    pub concept: String,
    /// Why it is looked at.
    pub case: Case,
    /// Its number among the latents.
    pub latent: usize,
    /// F1 of its being active, as a detector of the concept's tokens.
    pub f1: f64,
    /// How well it tells made texts from natural ones.
    pub clarity: Readings,
    /// How well it tells natural texts with the concept from those without.
    pub responsiveness: Readings,
    /// Whether its strong activations are the concept's alone.
    pub purity: Readings,
    /// Whether the code would go on to faithfulness: clarity and responsiveness of at least ½.
    pub gate: bool,
    /// Clarity that a perfect detector of the concept would have.
    pub ceiling: f64,
    /// Share labelled 2 among texts labelled 0 or 2: purity by chance.
    pub prevalence: f64,
    /// Share of natural texts on which it is active.
    pub active: f64,
    /// Its largest activation in size.
    pub largest: f64,
    /// Activations of the natural texts.
    pub natural: Vec<f64>,
    /// Their labels.
    pub labels: Vec<u8>,
    /// Activations of the made texts.
    pub made: Vec<f64>,
    /// Natural texts on which it is strongest.
    pub top: Vec<TopText>,
    /// Faithfulness, once it was measured.
    pub steered: Option<Steered>,
}

/// Mean scores over the concepts, each with its best latent, in the code's reading; of a score that some
/// concept does not have, over those that have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FadeMeans"))]
pub struct Means {
    /// Clarity.
    pub clarity: f64,
    /// Responsiveness.
    pub responsiveness: f64,
    /// Purity.
    pub purity: f64,
    /// Faithfulness; nothing before all were measured.
    pub faithfulness: Option<f64>,
    /// How many pass the gate.
    pub gate: usize,
}

impl Means {
    /// Over features, in one of the two readings; the gate is the code's in both.
    #[must_use]
    pub fn over<'a>(features: impl Iterator<Item = &'a Feature> + Clone, reading: Reading) -> Self {
        let mean = |values: Vec<f64>| {
            if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
        };
        let of = |score: fn(&Feature) -> Readings| {
            mean(features.clone().filter_map(|feature| score(feature).of(reading)).collect())
        };
        let steered: Option<Vec<f64>> =
            features.clone().map(|f| f.steered.as_ref().map(|s| s.faithfulness)).collect();
        Self {
            clarity: of(|feature| feature.clarity),
            responsiveness: of(|feature| feature.responsiveness),
            purity: of(|feature| feature.purity),
            faithfulness: steered.map(mean),
            gate: features.clone().filter(|feature| feature.gate).count(),
        }
    }
}

/// What a run of FADE found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FadeReport"))]
pub struct Report {
    /// What was run.
    pub settings: Settings,
    /// Latents of the autoencoder.
    pub latents: usize,
    /// How many of them are never active on the natural texts.
    pub dead: usize,
    /// The concepts, each with its best latent, and then the bad descriptions.
    pub features: Vec<Feature>,
}

impl Report {
    /// The concepts, each with its best latent.
    pub fn best(&self) -> impl Iterator<Item = &Feature> + Clone {
        self.features.iter().filter(|feature| feature.case == Case::Best)
    }

    /// Mean scores over the concepts.
    #[must_use]
    pub fn means(&self) -> Means {
        Means::over(self.best(), Reading::Code)
    }
}
