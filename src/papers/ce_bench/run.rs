use super::metric::{PairError, Reading, Scores, Story as Read, scores};
use super::report::{About, PairFound, Readings, Report, Story, Subject, Totals};
use super::settings::Settings;
use crate::little::stream::{Codes, residual};
use crate::little::{self, DICTIONARIES, Dictionary, FINAL, LittleError, Role};
use crate::statistics::Pairs;
use crate::world::language::{CONTEXT, Concept, Contrast, Pair, expressed, pairs, texts};

/// Natural texts by which a latent's concept is told: seed and number.
const NATURAL: (u32, usize) = (2, 600);
/// From here on a latent that tells texts with a concept from texts without is about it.
const ABOUT: f64 = 0.5;
const TOPICS: [Concept; 5] =
    [Concept::Sea, Concept::Kitchen, Concept::Space, Concept::Music, Concept::Winter];
const MOODS: [Concept; 2] = [Concept::Positive, Concept::Negative];

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CeBenchError {
    /// The little model or an autoencoder cannot be had.
    #[error(transparent)]
    Little(#[from] LittleError),
    /// A pair has no score.
    #[error(transparent)]
    Pair(#[from] PairError),
}

impl CeBenchError {
    /// A stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Little(error) => error.code(),
            Self::Pair(_) => "ce-bench.pair",
        }
    }

    /// The field that is to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::Little(error) => error.field(),
            Self::Pair(_) => None,
        }
    }
}

/// The stories of a data set, and what the model makes of them.
pub struct Stories {
    pairs: Vec<Pair>,
    /// Of both stories of each pair in turn: tokens but the first × d_model.
    residual: Vec<f32>,
    natural: Vec<f32>,
    /// Labels of the natural texts, by concept.
    labels: Vec<Vec<u8>>,
}

/// An autoencoder's scores of every pair, and the latents of the stories.
struct Scored {
    subject: Subject,
    /// By pair and reading.
    scores: Vec<[Scores; 4]>,
    codes: Codes,
}

impl Stories {
    /// The pairs of some settings.
    ///
    /// # Errors
    /// [`LittleError`].
    pub fn read(settings: &Settings) -> Result<Self, LittleError> {
        let model = little::model(FINAL)?;
        let pairs = pairs(settings.seed, settings.pairs);
        let told: Vec<_> = pairs.iter().flat_map(|pair| pair.texts.clone()).collect();
        let natural = texts(NATURAL.0, NATURAL.1);
        let found: Vec<_> = natural.iter().map(|text| expressed(text)).collect();
        let concepts = TOPICS.into_iter().chain(MOODS);
        let labels = concepts.map(|of| found.iter().map(|text| text.label(of)).collect());
        Ok(Self {
            pairs,
            residual: residual(&model, &told)?,
            natural: residual(&model, &natural)?,
            labels: labels.collect(),
        })
    }

    /// The scores of one autoencoder.
    ///
    /// # Errors
    /// [`CeBenchError`].
    pub fn subject(&self, name: &str) -> Result<Subject, CeBenchError> {
        Ok(self.scored(name)?.subject)
    }

    fn scored(&self, name: &str) -> Result<Scored, CeBenchError> {
        let dictionary = little::dictionary(name)?;
        let codes = Codes::of(&dictionary, &self.residual, CONTEXT - 1);
        let wide: Vec<Vec<f64>> = codes
            .texts()
            .map(|text| text.iter().map(|value| f64::from(*value)).collect())
            .collect();
        let mean = mean_of(&wide, dictionary.latents());
        let mut found = Vec::with_capacity(self.pairs.len());
        for (pair, latents) in self.pairs.iter().zip(wide.chunks_exact(2)) {
            let [a, b] = [0, 1]
                .map(|story| Read { latents: &latents[story], marks: &pair.marks[story][1..] });
            let of = |reading| scores([a, b], dictionary.latents(), &mean, reading);
            let [v1, head, readme, paper] = Reading::ALL;
            found.push([of(v1)?, of(head)?, of(readme)?, of(paper)?]);
        }
        let known = DICTIONARIES.iter().find(|other| other.name == name);
        let totals = |at: usize| Totals::over(found.iter().map(move |scores| &scores[at]));
        let subject = Subject {
            name: name.to_owned(),
            label: known.map_or(name, |known| known.label).to_owned(),
            // One of the reader's own was trained.
            trained: known.is_none_or(|known| known.role == Role::Trained),
            latents: dictionary.latents(),
            readings: Readings {
                v1_marked: totals(0),
                code_head: totals(1),
                readme: totals(2),
                paper: totals(3),
            },
            about: self.about(&dictionary, &found),
        };
        Ok(Scored { subject, scores: found, codes })
    }

    /// Whether the latents that win by the older code are about what their pairs contrast: whether they tell
    /// natural texts that clearly express one of its concepts from those that do not express it.
    fn about(&self, dictionary: &Dictionary, found: &[[Scores; 4]]) -> About {
        let codes = Codes::of(dictionary, &self.natural, CONTEXT - 1);
        let latents = dictionary.latents();
        // Of every latent, the concepts that it is about.
        let of: Vec<Vec<bool>> = (0..latents)
            .map(|latent| {
                let most = |text: Vec<f64>| text.into_iter().fold(0.0, larger);
                let activations: Vec<f64> = codes.columns(latent).map(most).collect();
                self.labels.iter().map(|labels| tells(&activations, labels)).collect()
            })
            .collect();
        let share = |some: usize, all: usize| some as f64 / all.max(1) as f64;
        // What a pair contrasts, as places among the concepts.
        let contrasted = |pair: &Pair| match pair.contrast {
            Contrast::Topic => pair.headers.map(|header| header.topic),
            Contrast::Mood => [TOPICS.len(), TOPICS.len() + 1],
        };
        let is = |latent: usize, [a, b]: [usize; 2]| of[latent][a] || of[latent][b];
        let by = |contrast: Contrast| {
            let pairs =
                || self.pairs.iter().zip(found).filter(|(pair, _)| pair.contrast == contrast);
            let all = pairs().count();
            let right = pairs()
                .filter(|(pair, scores)| is(scores[0].contrastive_latent, contrasted(pair)))
                .count();
            let any = |pair: &Pair| (0..latents).filter(|at| is(*at, contrasted(pair))).count();
            let base: usize = pairs().map(|(pair, _)| any(pair)).sum();
            [share(right, all), share(base, all * latents)].map(|rate| (all > 0).then_some(rate))
        };
        let ([topic, base_topic], [mood, base_mood]) = (by(Contrast::Topic), by(Contrast::Mood));
        About { topic, mood, base_topic, base_mood }
    }

    /// The pairs, with what the winning latents are on their tokens.
    fn opened(&self, scored: &Scored) -> Vec<PairFound> {
        let pairs = self.pairs.iter().zip(&scored.scores).enumerate();
        pairs
            .map(|(at, (pair, scores))| {
                let winners: Vec<usize> =
                    scores.iter().map(|scores| scores.contrastive_latent).collect();
                let told = pair.headers.map(|header| match pair.contrast {
                    Contrast::Topic => TOPICS.get(header.topic).map_or("", |topic| topic.name()),
                    Contrast::Mood => MOODS[usize::from(header.negative)].name(),
                });
                let story = |story: usize| Story {
                    tokens: pair.texts[story].clone(),
                    marks: pair.marks[story].clone(),
                    activations: winners
                        .iter()
                        .map(|latent| scored.codes.column(2 * at + story, *latent))
                        .collect(),
                };
                PairFound {
                    contrast: match pair.contrast {
                        Contrast::Topic => "topic",
                        Contrast::Mood => "mood",
                    }
                    .to_owned(),
                    told: told.map(str::to_owned),
                    stories: vec![story(0), story(1)],
                    scores: scores.iter().map(|one| Totals::over(std::iter::once(one))).collect(),
                    winners,
                }
            })
            .collect()
    }
}

/// The one that is larger in size; of equal ones the first.
fn larger(most: f64, next: f64) -> f64 {
    if next.abs() > most.abs() { next } else { most }
}

/// Whether activations tell texts labelled 2 from texts labelled 0.
fn tells(activations: &[f64], labels: &[u8]) -> bool {
    let of = |wanted: u8| -> Vec<f64> {
        let both = activations.iter().zip(labels);
        both.filter(|(_, label)| **label == wanted).map(|(activation, _)| *activation).collect()
    };
    Pairs::of(&of(2), &of(0)).is_ok_and(|pairs| pairs.gini().abs() >= ABOUT)
}

/// The mean of all tokens of all stories.
fn mean_of(stories: &[Vec<f64>], latents: usize) -> Vec<f64> {
    let mut sums = vec![0.0; latents];
    let mut tokens = 0;
    for token in stories.iter().flat_map(|story| story.chunks_exact(latents.max(1))) {
        sums.iter_mut().zip(token).for_each(|(sum, value)| *sum += value);
        tokens += 1;
    }
    sums.iter_mut().for_each(|sum| *sum /= f64::from(tokens.max(1)));
    sums
}

/// What a run comes to on its way.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// The autoencoder that is opened, alone, with its pairs.
    Opened(&'a Report),
    /// One of those beside it.
    Subject(&'a Subject),
}

/// The scores of the autoencoder that is opened, with its pairs, and of `others` beside it; each is told as
/// soon as it is there, with the share of the run that is done.
///
/// # Errors
/// [`CeBenchError`].
pub fn stream(
    settings: &Settings,
    others: &[&str],
    tell: &mut dyn FnMut(Found<'_>, f64),
) -> Result<Report, CeBenchError> {
    let stories = Stories::read(settings)?;
    let opened = stories.scored(&settings.sae)?;
    let pairs = stories.opened(&opened);
    let mut report = Report { settings: settings.clone(), subjects: vec![opened.subject], pairs };
    let others: Vec<&str> = others.iter().copied().filter(|name| **name != *settings.sae).collect();
    let share = |done: usize| done as f64 / (others.len() + 1) as f64;
    tell(Found::Opened(&report), share(1));
    for (done, name) in others.iter().enumerate() {
        let subject = stories.subject(name)?;
        tell(Found::Subject(&subject), share(done + 2));
        report.subjects.push(subject);
    }
    Ok(report)
}

/// As [`stream`], telling stages alone.
///
/// # Errors
/// [`CeBenchError`].
pub fn run(
    settings: &Settings,
    others: &[&str],
    tell: &mut dyn FnMut(&str, f64),
) -> Result<Report, CeBenchError> {
    tell("stories", 0.0);
    stream(settings, others, &mut |_, share| tell("autoencoders", share))
}
