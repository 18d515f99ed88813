use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::settings::named;

named! {
    /// Which of four descriptions of the scores is followed. They differ in what is normalised, in whether
    /// marks count, and in what the two differences are joined to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Reading {
        /// The older code: z-scores (ddof 0), marked tokens against unmarked ones, the largest z-score of the
        /// sum of both differences.
        V1Marked = "v1_marked",
        /// The newest code: z-scores (ddof 1), marks left out; what the mean of all tokens is held against stays
        /// 0, since the code adds it to itself.
        CodeHead = "code_head",
        /// The README's words: each pair of means brought to \[0, 1\] together, largest differences, their sum.
        Readme = "readme",
        /// The abstract's: plain differences; independence without marks, the mean of all tokens against that of
        /// the whole data set; the sum of both.
        Paper = "paper",
    }
}

impl Reading {
    /// Whether independence holds marked tokens against the others, as the README says of it.
    #[must_use]
    pub const fn reads_marks(self) -> bool {
        matches!(self, Self::V1Marked | Self::Readme)
    }
}

/// One story's latents and marks.
#[derive(Clone, Copy, Debug)]
pub struct StoryLatents<'a> {
    /// Tokens × latents, row-major.
    pub latents: &'a [f64],
    /// Which tokens carry the contrast.
    pub marks: &'a [bool],
}

/// The scores of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCeBenchPairScores"))]
pub struct Scores {
    /// How far the stories are apart, on the latent where they are farthest.
    pub contrastive: f64,
    /// How far marked tokens are from unmarked ones, or what the reading has instead.
    pub independence: f64,
    /// Both together.
    pub interpretability: f64,
    /// The first latent with the largest difference between the stories.
    pub contrastive_latent: usize,
    /// That with the largest difference of the other kind.
    pub independence_latent: usize,
}

/// Why a pair has no scores.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PairError {
    /// There is no latent.
    #[error("latents = 0; allowed: at least 1")]
    NoLatents,
    /// Marks and tokens differ in number.
    #[error("story {story}: {found} numbers of {latents} latents are not {tokens} tokens, one a mark")]
    Shape {
        /// Which story, 0 or 1.
        story: usize,
        /// Numbers there are.
        found: usize,
        /// Marks there are.
        tokens: usize,
        /// Latents there are.
        latents: usize,
    },
    /// A latent is infinite or no number.
    #[error("story {story}, token {token}, latent {latent}: {value}; allowed: finite numbers")]
    NonFinite {
        /// Which story, 0 or 1.
        story: usize,
        /// Which token, from 0.
        token: usize,
        /// Which latent, from 0.
        latent: usize,
        /// Its value.
        value: f64,
    },
    /// The data set's mean has another number of latents.
    #[error("mean of the data set: {found} latents; allowed: {latents}")]
    Mean {
        /// How many it has.
        found: usize,
        /// How many the stories have.
        latents: usize,
    },
}

/// The largest z-score that any `latents` numbers can have: scores of dictionaries of different widths are
/// compared as shares of it.
///
/// # Formula
/// √(D − 1) with ddof 0, (D − 1)/√D with ddof 1: all but one are equal.
///
/// # Examples
/// ```
/// use sfc_bench::papers::ce_bench::metric::max_z_score;
/// assert_eq!((max_z_score(10, 0), max_z_score(4096, 1)), (3.0, 63.984375));
/// ```
#[must_use]
pub fn max_z_score(latents: usize, ddof: usize) -> f64 {
    let d = latents as f64;
    if ddof == 0 { f64::sqrt(d - 1.0) } else { (d - 1.0) / f64::sqrt(d) }
}

/// The scores of two stories of `latents` latents a token.
///
/// # Formula
/// V₁, V₂: means of each story's tokens; I₁, I₂: means of marked and of unmarked tokens of both stories
/// (an empty mean is 0). z(d) = (d − mean d)/std d over latents, where a standard deviation of 0 counts as
/// 1. Then, by reading, with the largest entry of each vector:
/// - `v1_marked`: z(|V₁ − V₂|), z(|I₁ − I₂|), z(|V₁ − V₂| + |I₁ − I₂|), ddof 0;
/// - `code_head`: the same with ddof 1, I₁ the mean of all tokens and I₂ = 0: with one latent no number;
/// - `readme`: |V₁ − V₂| and |I₁ − I₂| after each pair is brought to \[0, 1\] together (0 where all entries
///   are equal), and the sum of the two scores;
/// - `paper`: |V₁ − V₂|, |I₁ − Ī| with I₁ the mean of all tokens and Ī that of the data set (`mean`), and
///   the sum of the two scores.
///
/// # Errors
/// [`PairError`].
pub fn score_pair(
    stories: [StoryLatents<'_>; 2],
    latents: usize,
    mean: &[f64],
    reading: Reading,
) -> Result<Scores, PairError> {
    if latents == 0 {
        return Err(PairError::NoLatents);
    }
    for (story, StoryLatents { latents: values, marks }) in stories.into_iter().enumerate() {
        if values.len() != marks.len() * latents {
            let (found, tokens) = (values.len(), marks.len());
            return Err(PairError::Shape { story, found, tokens, latents });
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (token, latent) = (at / latents, at % latents);
            return Err(PairError::NonFinite { story, token, latent, value: values[at] });
        }
    }
    if reading == Reading::Paper && mean.len() != latents {
        return Err(PairError::Mean { found: mean.len(), latents });
    }
    let [first, second] = stories.map(|story| masked_mean(&[story], latents, |_| true));
    let of = |wanted: fn(bool) -> bool| masked_mean(&stories, latents, wanted);
    let (one, other) = match reading {
        Reading::V1Marked | Reading::Readme => (of(|marked| marked), of(|marked| !marked)),
        Reading::CodeHead => (of(|_| true), vec![0.0; latents]),
        Reading::Paper => (of(|_| true), mean.to_vec()),
    };
    let (contrast, independence) = match reading {
        Reading::Readme => {
            (abs_difference(&min_max_scale(&first, &second)), abs_difference(&min_max_scale(&one, &other)))
        }
        _ => (abs_difference(&[first, second]), abs_difference(&[one, other])),
    };
    let (contrastive_latent, independence_latent) = (argmax(&contrast), argmax(&independence));
    let z = |values: &[f64], ddof| max_or_nan(&standardise(values, ddof));
    let (contrastive, independent, interpretability) = match reading {
        Reading::V1Marked | Reading::CodeHead => {
            let ddof = usize::from(reading == Reading::CodeHead);
            let both: Vec<f64> = contrast.iter().zip(&independence).map(|(a, b)| a + b).collect();
            (z(&contrast, ddof), z(&independence, ddof), z(&both, ddof))
        }
        Reading::Readme | Reading::Paper => {
            let (a, b) = (contrast[contrastive_latent], independence[independence_latent]);
            (a, b, a + b)
        }
    };
    Ok(Scores { contrastive, independence: independent, interpretability, contrastive_latent, independence_latent })
}

/// The mean over the tokens with a wanted mark; 0 without one.
fn masked_mean(stories: &[StoryLatents<'_>], latents: usize, wanted: impl Fn(bool) -> bool) -> Vec<f64> {
    let (mut sums, mut count) = (vec![0.0; latents], 0_usize);
    for story in stories {
        for (row, mark) in story.latents.chunks_exact(latents).zip(story.marks) {
            if wanted(*mark) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                count += 1;
            }
        }
    }
    sums.iter_mut().for_each(|sum| *sum /= count.max(1) as f64);
    sums
}

/// Both brought to \[0, 1\] by their common least and greatest entry.
fn min_max_scale(a: &[f64], b: &[f64]) -> [Vec<f64>; 2] {
    let all = || a.iter().chain(b);
    let least = all().fold(f64::INFINITY, |least, value| least.min(*value));
    let most = all().fold(f64::NEG_INFINITY, |most, value| most.max(*value));
    let span = if most > least { most - least } else { 1.0 };
    [a, b].map(|values| values.iter().map(|value| (value - least) / span).collect())
}

fn abs_difference([a, b]: &[Vec<f64>; 2]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| f64::abs(a - b)).collect()
}

/// (d − mean)/std; with one entry and ddof 1 no number.
fn standardise(values: &[f64], ddof: usize) -> Vec<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let deviation = f64::sqrt(squares / (count - ddof as f64));
    let deviation = if deviation == 0.0 { 1.0 } else { deviation };
    values.iter().map(|value| (value - mean) / deviation).collect()
}

/// The greatest entry; no number where one is none.
fn max_or_nan(values: &[f64]) -> f64 {
    if values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    values.iter().fold(f64::NEG_INFINITY, |most, value| most.max(*value))
}

/// The first of the largest.
fn argmax(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}
