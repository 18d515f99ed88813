//! CE-Bench of an autoencoder in a language model: pairs of stories that differ in what is planted, no judge.

use serde::{Deserialize, Serialize};

use super::intervals;
use crate::model::{Hook, LanguageModel, ModelError, Tokenizer};
use crate::papers::ce_bench::metric::{PairError, Reading, Scores, StoryLatents, score_pair};
use crate::papers::ce_bench::user_files::UntaggedStory;
use crate::papers::ce_bench::{ScoresByReading, score_bound};
use crate::rng::NumpyRng;
use crate::sae::latents::LatentActivations;
use crate::sae::{Autoencoder, SpliceError};
use crate::synthetic::language::Token;
use crate::workers;

/// Tokens of a story, at most.
const STORY_TOKENS_MAX: usize = 128;
/// Most pairs.
const PAIRS_MAX: usize = 1_000;

/// What two stories tell apart: three words each.
const CONTRASTS: [(&str, [&str; 3], [&str; 3]); 10] = [
    ("cat or dog", ["cat", "kitten", "cats"], ["dog", "puppy", "dogs"]),
    ("summer or winter", ["summer", "heat", "sunshine"], ["winter", "frost", "snow"]),
    ("doctor or thief", ["doctor", "nurse", "surgeon"], ["thief", "robber", "burglar"]),
    ("joy or grief", ["joy", "laughter", "happiness"], ["grief", "sorrow", "sadness"]),
    ("gold or bread", ["gold", "silver", "jewels"], ["bread", "cheese", "butter"]),
    ("sea or desert", ["sea", "waves", "ocean"], ["desert", "sand", "dunes"]),
    ("war or peace", ["war", "battle", "soldiers"], ["peace", "truce", "friendship"]),
    ("music or silence", ["music", "singing", "drums"], ["silence", "stillness", "quiet"]),
    ("king or farmer", ["king", "prince", "queen"], ["farmer", "shepherd", "miller"]),
    ("morning or night", ["morning", "sunrise", "dawn"], ["night", "midnight", "darkness"]),
];

/// Stories but for three words.
const STORY_TEMPLATES: [&str; 3] = [
    "When Clara came back to the village after six years, it was the {0} that she noticed first. Her brother had written \
     about the {1}, but she had not believed him. Now they stood at the gate together and spoke of the {2} until it was late.",
    "The old book in the library began with a long chapter about the {0}. Nobody knew who had drawn the {1} on its last \
     page, and the children asked for the story of the {2} again and again.",
    "On the third day of the journey we talked about the {0}, because there was little else to talk about. Someone \
     remembered the {1}. In the end everybody agreed that without the {2} we would never have left home.",
];

/// Two stories, with what tells them apart between `<subject>` and `</subject>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryPair {
    /// What they contrast.
    pub name: String,
    /// The stories.
    pub stories: [String; 2],
}

/// Pairs by templates: every story tells of one side of a contrast or of the other.
#[must_use]
pub fn template_pairs() -> Vec<StoryPair> {
    let pair = |(name, first, second): &(&str, [&str; 3], [&str; 3]), template: &str| {
        let story = |words: &[&str; 3]| {
            words.iter().enumerate().fold(template.to_owned(), |story, (at, word)| {
                story.replace(&format!("{{{at}}}"), &format!("<subject>{word}</subject>"))
            })
        };
        StoryPair { name: (*name).to_owned(), stories: [story(first), story(second)] }
    };
    let with = |template: &'static str| CONTRASTS.iter().map(move |of| pair(of, template));
    STORY_TEMPLATES.into_iter().flat_map(with).collect()
}

/// Scores of what the stories were encoded by.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCeBenchScores"))]
pub struct CeBenchScores {
    /// Latents, or random directions.
    pub latents: usize,
    /// Means over pairs.
    pub readings: ScoresByReading,
    /// 95 % intervals of these means, over pairs drawn with replacement.
    pub intervals: ReadingIntervals,
    /// The older code's interpretability as a share of the largest that so many latents allow.
    pub of_bound: f64,
}

/// Intervals of the scores of one reading; none of fewer than ten pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCeBenchIntervals"))]
pub struct ScoreIntervals {
    /// Of contrastive.
    pub contrastive: Option<[f64; 2]>,
    /// Of independence.
    pub independence: Option<[f64; 2]>,
    /// Of interpretability.
    pub interpretability: Option<[f64; 2]>,
}

/// The same by reading, as [`ScoresByReading`](crate::papers::ce_bench::ScoresByReading) has them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCeBenchReadingIntervals"))]
pub struct ReadingIntervals {
    /// The older code.
    pub v1_marked: ScoreIntervals,
    /// The newest code.
    pub code_head: ScoreIntervals,
    /// The README's words.
    pub readme: ScoreIntervals,
    /// The abstract's.
    pub paper: ScoreIntervals,
}

impl ReadingIntervals {
    fn from_pairs(pairs: &[[Scores; 4]], seed: u32) -> Self {
        let of = |reading: usize| {
            let of = |score: fn(&Scores) -> f64| {
                let all: Vec<f64> = pairs.iter().map(|pair| score(&pair[reading])).collect();
                intervals::mean_interval(&all, seed)
            };
            ScoreIntervals {
                contrastive: of(|scores| scores.contrastive),
                independence: of(|scores| scores.independence),
                interpretability: of(|scores| scores.interpretability),
            }
        };
        Self { v1_marked: of(0), code_head: of(1), readme: of(2), paper: of(3) }
    }

    /// Of one reading.
    #[must_use]
    pub fn for_reading(&self, reading: Reading) -> ScoreIntervals {
        match reading {
            Reading::V1Marked => self.v1_marked,
            Reading::CodeHead => self.code_head,
            Reading::Readme => self.readme,
            Reading::Paper => self.paper,
        }
    }
}

/// A pair's scores, in the order of [`Reading::ALL`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCeBenchPair"))]
pub struct CeBenchPair {
    /// What it contrasts.
    pub name: String,
    /// The stories' tokens.
    pub tokens: [Vec<Token>; 2],
    /// Which of these carry the contrast.
    pub marks: [Vec<bool>; 2],
    /// The scores of the autoencoder's latents.
    pub scores: [Scores; 4],
}

/// CE-Bench of an autoencoder.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCeBench"))]
pub struct CeBenchReport {
    /// TransformerLens' name of the place.
    pub hook: String,
    /// Of random directions and random stories.
    pub seed: u32,
    /// The pairs.
    pub pairs: Vec<CeBenchPair>,
    /// The autoencoder's latents.
    pub autoencoder: CeBenchScores,
    /// Random directions, of whose products the positive part is taken.
    pub random: CeBenchScores,
    /// The latents, with tokens and marks of both stories of each pair in random order.
    pub shuffled: CeBenchScores,
}

/// CE-Bench story by story.
pub struct CeBenchRun {
    hook: Hook,
    seed: u32,
    latents: LatentActivations,
    /// Two stories a pair, with marks of all tokens but the first.
    stories: Vec<(Vec<Token>, Vec<bool>)>,
    names: Vec<String>,
    done: usize,
}

/// How stories are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CeBenchOptions {
    /// Of random directions and random stories.
    pub seed: u32,
}

impl CeBenchRun {
    /// Cuts stories into tokens, at most 128 of each; nothing is read yet.
    ///
    /// # Errors
    /// [`SpliceError`]; [`ModelError::Size`] for too many pairs or none, and for a story of fewer than two tokens.
    pub fn new(
        model: &LanguageModel,
        tokenizer: &Tokenizer,
        autoencoder: &Autoencoder,
        hook: Hook,
        pairs: &[StoryPair],
        CeBenchOptions { seed }: CeBenchOptions,
    ) -> Result<Self, SpliceError> {
        ModelError::check_sizes(&[("pairs", pairs.len(), 1, PAIRS_MAX)])?;
        let longest = STORY_TOKENS_MAX.min(model.decoder().architecture().context);
        let mut stories = Vec::new();
        for story in pairs.iter().flat_map(|pair| &pair.stories) {
            let story = UntaggedStory::parse(story);
            let mut tokens = tokenizer.encode_with_special_tokens(&story.text).map_err(ModelError::from)?;
            if tokens.len() < 2 {
                let found = tokens.len();
                return Err(ModelError::size("tokens of a story", found, "at least 2").into());
            }
            let marks = contrast_mask(tokenizer, &story, &tokens, longest)?;
            if !marks.contains(&true) {
                let allowed = format!("at least 1 among its first {longest} tokens");
                return Err(ModelError::size("tokens between a story's tags", 0, allowed).into());
            }
            tokens.truncate(longest);
            stories.push((tokens, marks));
        }
        let latents = LatentActivations::new(model.decoder(), autoencoder, hook, seed)?;
        let names = pairs.iter().map(|pair| pair.name.clone()).collect();
        Ok(Self { hook, seed, latents, stories, names, done: 0 })
    }

    /// How many stories there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.stories.len()
    }

    /// Reads the next story, or as many as are done at once; how many have been read.
    ///
    /// # Errors
    /// [`SpliceError`].
    pub fn step(&mut self, model: &LanguageModel, autoencoder: &Autoencoder) -> Result<usize, SpliceError> {
        let next = self.stories.iter().skip(self.done).take(workers::worker_count());
        let next: Vec<&Vec<Token>> = next.map(|(tokens, _)| tokens).collect();
        self.latents.add_texts(model.decoder(), autoencoder, &next)?;
        self.done += next.len();
        Ok(self.done)
    }

    /// The scores of the pairs that have been read.
    ///
    /// # Errors
    /// [`PairError`].
    pub fn report(&self) -> Result<CeBenchReport, PairError> {
        let latents = |text| self.latents.dense_activations(text);
        let directions = |text| self.latents.dense_direction_products(text);
        let (all, autoencoder) = self.score_pairs(self.latents.latent_count(), &latents, false)?;
        let (_, random) = self.score_pairs(self.latents.random_direction_count(), &directions, false)?;
        let (_, shuffled) = self.score_pairs(self.latents.latent_count(), &latents, true)?;
        let pairs = self.stories.chunks_exact(2).zip(&self.names).zip(all);
        let pairs = pairs.map(|((stories, name), scores)| CeBenchPair {
            name: name.clone(),
            tokens: [0, 1].map(|at: usize| stories[at].0.clone()),
            marks: [0, 1].map(|at: usize| stories[at].1.clone()),
            scores,
        });
        let (hook, pairs) = (self.hook.to_string(), pairs.collect());
        Ok(CeBenchReport { hook, seed: self.seed, pairs, autoencoder, random, shuffled })
    }

    /// Scores of every pair that has been read, and their means.
    fn score_pairs(
        &self,
        latents: usize,
        dense: &dyn Fn(usize) -> Vec<f64>,
        shuffled: bool,
    ) -> Result<(Vec<[Scores; 4]>, CeBenchScores), PairError> {
        let read = self.done / 2 * 2;
        let (mut mean, mut count) = (vec![0.0; latents], 0_usize);
        for text in 0..read {
            for row in dense(text).chunks_exact(latents) {
                mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                count += 1;
            }
        }
        mean.iter_mut().for_each(|sum| *sum /= count.max(1) as f64);
        let mut all = Vec::new();
        for first in (0..read).step_by(2) {
            let mut values = [dense(first), dense(first + 1)];
            let mut marks = [first, first + 1].map(|text| self.stories[text].1.clone());
            if shuffled {
                let seed = self.seed.wrapping_add(first as u32 / 2);
                (values, marks) = shuffle_tokens(values, marks, latents, seed);
            }
            let [a, b] = [0, 1].map(|at: usize| StoryLatents { latents: &values[at], marks: &marks[at] });
            let of = |reading| score_pair([a, b], latents, &mean, reading);
            let [v1, head, readme, paper] = Reading::ALL.map(of);
            all.push([v1?, head?, readme?, paper?]);
        }
        let readings = ScoresByReading::mean_over(&all);
        let most = score_bound(Reading::V1Marked, latents).unwrap_or(1.0);
        let of_bound = readings.get(Reading::V1Marked).interpretability / most;
        let intervals = ReadingIntervals::from_pairs(&all, self.seed);
        Ok((all, CeBenchScores { latents, readings, intervals, of_bound }))
    }
}

/// Tokens of two stories dealt anew to stories of the same lengths, marks in another order.
fn shuffle_tokens(
    values: [Vec<f64>; 2],
    marks: [Vec<bool>; 2],
    latents: usize,
    seed: u32,
) -> ([Vec<f64>; 2], [Vec<bool>; 2]) {
    let mut rng = NumpyRng::new(seed);
    let first = marks[0].len();
    let rows: Vec<&[f64]> = values.iter().flat_map(|story| story.chunks_exact(latents)).collect();
    let order = rng.permutation(rows.len() as u32);
    let rows: Vec<&[f64]> = order.iter().map(|at| rows[*at as usize]).collect();
    let all = marks.concat();
    let order = rng.permutation(all.len() as u32);
    let all: Vec<bool> = order.iter().map(|at| all[*at as usize]).collect();
    let values = [rows[..first].concat(), rows[first..].concat()];
    (values, [all[..first].to_vec(), all[first..].to_vec()])
}

/// Which of the first `longest` tokens, but the first, carry the contrast: those of which a part is between tags.
fn contrast_mask(
    tokenizer: &Tokenizer,
    story: &UntaggedStory,
    tokens: &[Token],
    longest: usize,
) -> Result<Vec<bool>, SpliceError> {
    let text = |count: usize| tokenizer.decode(&tokens[..count]).map_err(ModelError::from);
    // What a text begins with besides itself.
    let offset = text(tokens.len())?.find(&story.text).unwrap_or(0);
    let mut ends = Vec::new();
    for count in 1..=tokens.len().min(longest) {
        ends.push(text(count)?.len().saturating_sub(offset));
    }
    Ok(ends.windows(2).map(|ends| story.is_marked(ends[0], ends[1])).collect())
}
