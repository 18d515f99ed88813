use super::metric::{PairError, Scores};
use super::relevance::{ConceptLabels, MOODS, StoryActivations, TOPICS};
use super::report::{MeanScores, PairScores, Report, ScoresByReading, Story, SubjectScores};
use super::settings::Settings;
use crate::synthetic::language::{CONTEXT_TOKENS, Contrast, Grammar};
use crate::toy_model::residual_stream::{Codes, residual_stream};
use crate::toy_model::{self, AUTOENCODER_LAYER, DICTIONARIES, DictionaryRole, FINAL_CHECKPOINT, ToyModelError};

/// Natural texts by which a latent's concept is told: seed and number.
const NATURAL_SEED_AND_COUNT: (u32, usize) = (2, 600);

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CeBenchError {
    /// The toy model or an autoencoder cannot be had.
    #[error(transparent)]
    ToyModel(#[from] ToyModelError),
    /// A pair has no score.
    #[error(transparent)]
    Pair(#[from] PairError),
}

impl CeBenchError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ToyModel(error) => error.code(),
            Self::Pair(_) => "ce-bench.pair",
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::ToyModel(error) => error.field(),
            Self::Pair(_) => None,
        }
    }
}

/// The stories of a data set, and what the model makes of them.
pub struct EncodedStories {
    told: StoryActivations,
    natural: Vec<f32>,
    labels: ConceptLabels,
}

/// An autoencoder's scores of every pair, and the latents of the stories.
struct ScoredSubject {
    subject: SubjectScores,
    /// By pair and reading.
    scores: Vec<[Scores; 4]>,
    codes: Codes,
}

impl EncodedStories {
    /// The pairs of some settings.
    ///
    /// # Errors
    /// [`ToyModelError`].
    pub fn from_settings(settings: &Settings) -> Result<Self, ToyModelError> {
        let model = toy_model::load_model(FINAL_CHECKPOINT)?;
        let (place, grammar) = ((&*model, AUTOENCODER_LAYER), Grammar::First);
        let told = StoryActivations::from_model(place, grammar, settings.seed, settings.pairs)?;
        let natural = grammar.draw_texts(NATURAL_SEED_AND_COUNT.0, NATURAL_SEED_AND_COUNT.1);
        let labels = ConceptLabels::from_texts(grammar, &natural);
        Ok(Self { told, natural: residual_stream(&model, &natural)?, labels })
    }

    /// The scores of one autoencoder.
    ///
    /// # Errors
    /// [`CeBenchError`].
    pub fn score_subject(&self, name: &str) -> Result<SubjectScores, CeBenchError> {
        Ok(self.score_dictionary(name)?.subject)
    }

    fn score_dictionary(&self, name: &str) -> Result<ScoredSubject, CeBenchError> {
        let dictionary = toy_model::load_dictionary(name)?;
        let coded = |residual: &[f32]| Codes::encode(&dictionary, residual, CONTEXT_TOKENS - 1);
        let codes = coded(self.told.residual());
        let scores = self.told.score_pairs(&codes)?;
        let known = DICTIONARIES.iter().find(|other| other.name == name);
        let subject = SubjectScores {
            name: name.to_owned(),
            label: known.map_or(name, |known| known.label).to_owned(),
            // One of the reader's own was trained.
            trained: known.is_none_or(|known| known.role == DictionaryRole::Trained),
            latents: dictionary.latent_count(),
            readings: ScoresByReading::mean_over(&scores),
            about: self.told.measure_relevance(&scores, &self.labels, &coded(&self.natural)),
        };
        Ok(ScoredSubject { subject, scores, codes })
    }

    /// The pairs, with what the winning latents are on their tokens.
    fn pair_scores(&self, scored: &ScoredSubject) -> Vec<PairScores> {
        let pairs = self.told.pairs().iter().zip(&scored.scores).enumerate();
        pairs
            .map(|(at, (pair, scores))| {
                let winners: Vec<usize> = scores.iter().map(|scores| scores.contrastive_latent).collect();
                let told = pair.headers.map(|header| match pair.contrast {
                    Contrast::Topic => TOPICS.get(header.topic).map_or("", |topic| topic.name()),
                    Contrast::Mood => MOODS[usize::from(header.negative)].name(),
                });
                let story = |story: usize| Story {
                    tokens: pair.texts[story].clone(),
                    marks: pair.contrast_masks[story].clone(),
                    activations: winners
                        .iter()
                        .map(|latent| scored.codes.latent_on_text(2 * at + story, *latent))
                        .collect(),
                };
                PairScores {
                    contrast: match pair.contrast {
                        Contrast::Topic => "topic",
                        Contrast::Mood => "mood",
                    }
                    .to_owned(),
                    told: told.map(str::to_owned),
                    stories: vec![story(0), story(1)],
                    scores: scores.iter().map(|one| MeanScores::mean_over(std::iter::once(one))).collect(),
                    winners,
                }
            })
            .collect()
    }
}

/// What a run comes to on its way.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// The autoencoder that is opened, alone, with its pairs.
    Report(&'a Report),
    /// One of those beside it.
    Subject(&'a SubjectScores),
}

/// The scores of the autoencoder that is opened, with its pairs, and of `others` beside it; each is told as
/// soon as it is there, with the share of the run that is done.
///
/// # Errors
/// [`CeBenchError`].
pub fn run_with_progress(
    settings: &Settings,
    others: &[&str],
    tell: &mut dyn FnMut(Progress<'_>, f64),
) -> Result<Report, CeBenchError> {
    let stories = EncodedStories::from_settings(settings)?;
    let opened = stories.score_dictionary(&settings.sae)?;
    let pairs = stories.pair_scores(&opened);
    let mut report = Report { settings: settings.clone(), subjects: vec![opened.subject], pairs };
    let others: Vec<&str> = others.iter().copied().filter(|name| **name != *settings.sae).collect();
    let share = |done: usize| done as f64 / (others.len() + 1) as f64;
    tell(Progress::Report(&report), share(1));
    for (done, name) in others.iter().enumerate() {
        let subject = stories.score_subject(name)?;
        tell(Progress::Subject(&subject), share(done + 2));
        report.subjects.push(subject);
    }
    Ok(report)
}

/// As [`run_with_progress`], telling stages alone.
///
/// # Errors
/// [`CeBenchError`].
pub fn run(settings: &Settings, others: &[&str], tell: &mut dyn FnMut(&str, f64)) -> Result<Report, CeBenchError> {
    tell("stories", 0.0);
    run_with_progress(settings, others, &mut |_, share| tell("autoencoders", share))
}
