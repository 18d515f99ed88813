use serde::{Deserialize, Serialize};

use super::metric::{Reading, Scores, max_z_score};
use super::settings::Settings;

/// Means of the scores over pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchScores"))]
pub struct MeanScores {
    /// How far the stories are apart.
    pub contrastive: f64,
    /// How far marked tokens are from the others, or what the reading has instead.
    pub independence: f64,
    /// Both together.
    pub interpretability: f64,
}

impl MeanScores {
    pub(super) fn mean_over<'a>(scores: impl Iterator<Item = &'a Scores> + Clone) -> Self {
        let count = scores.clone().count().max(1) as f64;
        let mean = |of: fn(&Scores) -> f64| scores.clone().map(of).sum::<f64>() / count;
        Self {
            contrastive: mean(|scores| scores.contrastive),
            independence: mean(|scores| scores.independence),
            interpretability: mean(|scores| scores.interpretability),
        }
    }

    /// Each divided by a bound.
    #[must_use]
    pub fn divided_by_bound(self, bound: f64) -> Self {
        Self {
            contrastive: self.contrastive / bound,
            independence: self.independence / bound,
            interpretability: self.interpretability / bound,
        }
    }
}

/// The scores in every reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchReadings"))]
pub struct ScoresByReading {
    /// The older code.
    pub v1_marked: MeanScores,
    /// The newest code.
    pub code_head: MeanScores,
    /// The README's words.
    pub readme: MeanScores,
    /// The abstract's.
    pub paper: MeanScores,
}

impl ScoresByReading {
    /// Means over pairs, whose scores are in the order of [`Reading::ALL`].
    #[must_use]
    pub fn mean_over(pairs: &[[Scores; 4]]) -> Self {
        let of = |at: usize| MeanScores::mean_over(pairs.iter().map(move |scores| &scores[at]));
        Self { v1_marked: of(0), code_head: of(1), readme: of(2), paper: of(3) }
    }

    /// Of one reading.
    #[must_use]
    pub fn get(&self, reading: Reading) -> MeanScores {
        match reading {
            Reading::V1Marked => self.v1_marked,
            Reading::CodeHead => self.code_head,
            Reading::Readme => self.readme,
            Reading::Paper => self.paper,
        }
    }
}

/// The largest value that a reading's scores can take with so many latents; none where there is none.
#[must_use]
pub fn score_bound(reading: Reading, latents: usize) -> Option<f64> {
    match reading {
        Reading::V1Marked => Some(max_z_score(latents, 0)),
        Reading::CodeHead => Some(max_z_score(latents, 1)),
        Reading::Readme | Reading::Paper => None,
    }
}

/// How often the winning latent is about what a pair contrasts, by the truth that was planted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchAbout"))]
pub struct WinnerRelevance {
    /// Share of the pairs of topics; none where there is none.
    pub topic: Option<f64>,
    /// Share of the pairs of moods.
    pub mood: Option<f64>,
    /// The share by chance: of all latents those that are about what a pair contrasts, over the pairs of
    /// topics.
    pub base_topic: Option<f64>,
    /// The same of moods.
    pub base_mood: Option<f64>,
}

/// An autoencoder's scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchSubject"))]
pub struct SubjectScores {
    /// Its name.
    pub name: String,
    /// What it is, in a few words.
    pub label: String,
    /// Whether it was trained; a control otherwise.
    pub trained: bool,
    /// Its latents.
    pub latents: usize,
    /// Means over all pairs.
    pub readings: ScoresByReading,
    /// Whether winning latents are about the contrast.
    pub about: WinnerRelevance,
}

/// One story of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchStory"))]
pub struct Story {
    /// Its tokens.
    pub tokens: Vec<u32>,
    /// Which of them carry the contrast.
    pub marks: Vec<bool>,
    /// What the winning latent of each reading is on each token but the first.
    pub activations: Vec<Vec<f32>>,
}

/// A pair, of the autoencoder that is opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchPair"))]
pub struct PairScores {
    /// In what the stories differ: "topic" or "mood".
    pub contrast: String,
    /// What each is told to be: a topic, or a mood.
    pub told: [String; 2],
    /// Both, in order.
    pub stories: Vec<Story>,
    /// The scores, in the order of [`Reading::ALL`].
    pub scores: Vec<MeanScores>,
    /// The latent where the stories are farthest apart, in the same order.
    pub winners: Vec<usize>,
}

/// What a run of CE-Bench found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchReport"))]
pub struct Report {
    /// What was run.
    pub settings: Settings,
    /// Every autoencoder that was scored; first the one that is opened.
    pub subjects: Vec<SubjectScores>,
    /// The pairs of the one that is opened.
    pub pairs: Vec<PairScores>,
}
