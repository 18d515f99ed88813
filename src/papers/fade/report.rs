use serde::{Deserialize, Serialize};

use super::description::DescriptionCase;
use super::metric::{Norm, RatedTexts, Reading, Sample, clarity, purity, responsiveness};
use super::settings::Settings;
use crate::statistics::StatisticsError;

/// A score in both readings; nothing where one has no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeReadings"))]
pub struct ScoreByReading {
    /// As the note's formula has it.
    pub document: Option<f64>,
    /// As the reference code has it.
    pub code: Option<f64>,
}

impl ScoreByReading {
    /// Of one reading.
    #[must_use]
    pub fn get(&self, reading: Reading) -> Option<f64> {
        match reading {
            Reading::Document => self.document,
            Reading::Code => self.code,
        }
    }

    fn get_mut(&mut self, reading: Reading) -> &mut Option<f64> {
        match reading {
            Reading::Document => &mut self.document,
            Reading::Code => &mut self.code,
        }
    }
}

/// A feature's scores of texts under one choice of which texts are rated and of what ‖A‖₀ counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeVariant"))]
pub struct ScoreVariant {
    /// Which natural texts are rated.
    pub rated: RatedTexts,
    /// What the note's formula divides by.
    pub norm: Norm,
    /// How many texts are rated in the note's reading.
    pub document_texts: usize,
    /// How many are in the code's.
    pub code_texts: usize,
    /// Clarity, which compares with all natural texts, rated or not.
    pub clarity: ScoreByReading,
    /// Responsiveness, among rated texts.
    pub responsiveness: ScoreByReading,
    /// Purity, among rated texts.
    pub purity: ScoreByReading,
    /// Purity by chance: the share labelled 2 among the rated texts labelled 0 or 2.
    pub prevalence: ScoreByReading,
}

impl ScoreVariant {
    /// Of activations of made and of natural texts, and the latter's labels; without a sample all are rated.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] without a made or a natural text, [`StatisticsError::NonFinite`].
    pub fn score(
        made: &[f64],
        natural: &[f64],
        labels: &[u8],
        sample: Option<&Sample>,
        (rated, norm): (RatedTexts, Norm),
    ) -> Result<Self, StatisticsError> {
        let mut out = Self {
            rated,
            norm,
            document_texts: 0,
            code_texts: 0,
            clarity: ScoreByReading::default(),
            responsiveness: ScoreByReading::default(),
            purity: ScoreByReading::default(),
            prevalence: ScoreByReading::default(),
        };
        for reading in [Reading::Document, Reading::Code] {
            let texts = sample.map(|sample| (sample.select(natural, reading), sample.select(labels, reading)));
            let (activations, labels) = texts.as_ref().map_or((natural, labels), |(some, labels)| (some, labels));
            let of = |wanted: u8| labels.iter().filter(|label| **label == wanted).count();
            let [none, clearly] = [of(0), of(2)];
            *out.clarity.get_mut(reading) = clarity(made, natural, reading, norm)?;
            *out.responsiveness.get_mut(reading) = responsiveness(activations, labels, reading, norm)?;
            *out.purity.get_mut(reading) = purity(activations, labels, reading)?;
            *out.prevalence.get_mut(reading) = (none + clearly > 0).then(|| clearly as f64 / (none + clearly) as f64);
            match reading {
                Reading::Document => out.document_texts = labels.len(),
                Reading::Code => out.code_texts = labels.len(),
            }
        }
        Ok(out)
    }
}

/// What the model wrote while a feature was set to multiples of its largest activation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeSteered"))]
pub struct SteeringResult {
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
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeText"))]
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
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeFeature"))]
pub struct Feature {
    /// What it is said to be about.
    pub concept: String,
    /// Why it is looked at.
    pub case: DescriptionCase,
    /// Its number among the latents.
    pub latent: usize,
    /// F1 of its being active, as a detector of the concept's tokens.
    pub f1: f64,
    /// How well it tells made texts from natural ones.
    pub clarity: ScoreByReading,
    /// How well it tells natural texts with the concept from those without.
    pub responsiveness: ScoreByReading,
    /// Whether its strong activations are the concept's alone.
    pub purity: ScoreByReading,
    /// Whether the code would go on to faithfulness: clarity and responsiveness of at least ½.
    pub gate: bool,
    /// Clarity that a perfect detector of the concept would have.
    pub ceiling: f64,
    /// Share labelled 2 among texts labelled 0 or 2, of those that the code would rate: purity by chance.
    pub prevalence: f64,
    /// Share of natural texts on which it is active.
    pub active: f64,
    /// Its largest activation in size.
    pub largest: f64,
    /// Activations of the natural texts.
    pub natural: Vec<f64>,
    /// Their labels, of those as well that a sample leaves out.
    pub labels: Vec<u8>,
    /// The natural texts that are rated in the code's reading, by their places, rising; null where all are.
    #[serde(default)]
    pub rated: Option<Vec<usize>>,
    /// Activations of the made texts.
    pub made: Vec<f64>,
    /// Natural texts on which it is strongest.
    pub top: Vec<TopText>,
    /// Its scores of texts under every choice of rated texts and of the norm, those of the settings among them; none in
    /// a report of an older version.
    #[serde(default)]
    pub variants: Vec<ScoreVariant>,
    /// Faithfulness, once it was measured.
    pub steered: Option<SteeringResult>,
}

impl Feature {
    /// Its scores of texts under a choice.
    #[must_use]
    pub fn variant(&self, rated: RatedTexts, norm: Norm) -> Option<&ScoreVariant> {
        self.variants.iter().find(|variant| (variant.rated, variant.norm) == (rated, norm))
    }

    /// Activations and labels of the natural texts that are rated in the code's reading.
    pub(super) fn rated_texts(&self) -> (Vec<f64>, Vec<u8>) {
        match &self.rated {
            None => (self.natural.clone(), self.labels.clone()),
            Some(texts) => {
                let both = |text: &usize| Some((*self.natural.get(*text)?, *self.labels.get(*text)?));
                texts.iter().filter_map(both).unzip()
            }
        }
    }
}

/// Mean scores over the concepts, each with its best latent, in the code's reading; of a score that some
/// concept does not have, over those that have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeMeans"))]
pub struct MeanScores {
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

impl MeanScores {
    /// Over features, in one of the two readings; the gate is the code's in both.
    #[must_use]
    pub fn mean_over<'a>(features: impl Iterator<Item = &'a Feature> + Clone, reading: Reading) -> Self {
        let mean = |values: Vec<f64>| {
            if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
        };
        let of = |score: fn(&Feature) -> ScoreByReading| {
            mean(features.clone().filter_map(|feature| score(feature).get(reading)).collect())
        };
        let steered: Option<Vec<f64>> = features.clone().map(|f| f.steered.as_ref().map(|s| s.faithfulness)).collect();
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
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeReport"))]
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
    pub fn best_features(&self) -> impl Iterator<Item = &Feature> + Clone {
        self.features.iter().filter(|feature| feature.case == DescriptionCase::Best)
    }

    /// Mean scores over the concepts.
    #[must_use]
    pub fn means(&self) -> MeanScores {
        MeanScores::mean_over(self.best_features(), Reading::Code)
    }
}
