//! FADE of the latents of an autoencoder in a language model, under concepts that a rule decides: no judge.

use serde::{Deserialize, Serialize};

use super::intervals;
use super::steering::{SteeringTarget, generate_steered};
use crate::model::{Hook, LanguageModel, ModelError, Tokenizer};
use crate::papers::fade::metric::{
    DEFAULT_FACTORS, Norm, RatedDose, RatedTexts, faithfulness, is_above_gate, max_abs_pool,
};
use crate::papers::fade::{ScoreByReading, ScoreVariant};
use crate::rng::NumpyRng;
use crate::sae::latents::{Concept, LatentActivations, tokenize_into_contexts};
use crate::sae::{Autoencoder, SpliceError};
use crate::settings::named;
use crate::statistics::StatisticsError;
use crate::synthetic::language::Token;
use crate::workers;

/// Tokens of a prompt that the model goes on from.
const PROMPT_TOKENS: usize = 6;

named! {
    /// Which features are steered, for faithfulness.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelFadeSteer"))]
    #[serde(rename_all = "lowercase")]
    pub enum SteeredFeatures {
        /// Those that are clear and responsive enough, as the reference code does: see [`is_above_gate`].
        #[default]
        Gated = "gated",
        /// All.
        All = "all",
        /// None.
        None = "none",
    }
}

/// How latents are rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelFadeOptions"))]
#[serde(default, deny_unknown_fields)]
pub struct FadeOptions {
    /// Of random directions and of shuffled labels.
    pub seed: u32,
    /// Tokens of a natural text, at most; from 8 to the model's context.
    pub length: usize,
    /// Made texts of a concept, 1 to 100.
    pub made: usize,
    /// Which features are steered.
    pub steer: SteeredFeatures,
    /// Prompts that are continued at each factor, 1 to 100.
    pub prompts: usize,
    /// Tokens that are written after each, 1 to 100.
    pub written: usize,
    /// By what the largest activation is multiplied: 1 to 20 finite numbers, 0 among them.
    pub factors: Vec<f64>,
}

impl Default for FadeOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            length: 24,
            made: 12,
            steer: SteeredFeatures::Gated,
            prompts: 3,
            written: 6,
            factors: DEFAULT_FACTORS.to_vec(),
        }
    }
}

impl FadeOptions {
    fn check(&self, context: usize) -> Result<(), ModelError> {
        ModelError::check_sizes(&[
            ("length", self.length, 8, context),
            ("made", self.made, 1, 100),
            ("prompts", self.prompts, 1, 100),
            ("written", self.written, 1, 100.min(context.saturating_sub(PROMPT_TOKENS))),
            ("factors", self.factors.len(), 1, 20),
        ])?;
        let finite = self.factors.iter().filter(|factor| factor.is_finite()).count();
        if finite < self.factors.len() || !self.factors.contains(&0.0) {
            let allowed = "finite numbers alone, 0 among them";
            return Err(ModelError::size("finite factors", finite, allowed));
        }
        Ok(())
    }
}

/// Intervals of scores, over texts drawn with replacement: made and natural ones, those with the concept and those without
/// it each by themselves; none of fewer than ten of a kind. The scores are sizes: an interval is in the direction in which the
/// whole sets differ, and 0 is in it where that is not sure. Of purity there is none: among texts that are drawn twice the
/// average precision is too high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelFadeIntervals"))]
pub struct FadeIntervals {
    /// Of clarity.
    pub clarity: Option<[f64; 2]>,
    /// Of responsiveness.
    pub responsiveness: Option<[f64; 2]>,
}

/// FADE's scores of a feature under a concept. A text's activation is that of its token where it is largest in size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelFadeFeature"))]
pub struct FadeFeature {
    /// The latent, or the random direction, from 0.
    pub index: usize,
    /// How well texts made from the concept are told from natural ones.
    pub clarity: ScoreByReading,
    /// How well natural texts with the concept are told from those without.
    pub responsiveness: ScoreByReading,
    /// Average precision of natural texts with the concept.
    pub purity: ScoreByReading,
    /// 95 % intervals of the first two by the reference code's reading.
    pub intervals: FadeIntervals,
    /// Whether it is clear and responsive enough for the reference code to go on.
    pub gate: bool,
    /// Its largest activation in natural texts, which factors multiply.
    pub largest: f64,
    /// Whether the model writes of the concept with it; nothing where it was not steered.
    pub faithfulness: Option<f64>,
    /// The share of continuations that do, of each factor.
    pub shares: Vec<Option<f64>>,
    /// The factor with the largest share, where that is above the share at 0.
    pub best_factor: Option<f64>,
    /// Of each natural text.
    pub natural: Vec<f64>,
    /// Of each made text.
    pub made: Vec<f64>,
    /// What was written: factors × prompts, the prompt before it.
    pub written: Vec<Vec<Vec<Token>>>,
}

/// A concept, with the latent that is rated and its controls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelFadeConcept"))]
pub struct ConceptFade {
    /// The concept.
    pub concept: String,
    /// Natural texts that have it.
    pub with: usize,
    /// Purity by chance: their share.
    pub prevalence: Option<f64>,
    /// The made texts, as tokens.
    pub made: Vec<Vec<Token>>,
    /// Whether each natural text has it.
    pub labels: Vec<bool>,
    /// The latent that separates the concept's tokens best in the texts in which is chosen. Nothing where it cannot be
    /// chosen, or where no natural text has the concept or all have it.
    pub latent: Option<FadeFeature>,
    /// The random direction that does.
    pub random: Option<FadeFeature>,
    /// The latent that does for labels in random order, rated by labels in random order.
    pub shuffled: Option<FadeFeature>,
}

/// FADE of an autoencoder's latents.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelFade"))]
pub struct FadeReport {
    /// TransformerLens' name of the place.
    pub hook: String,
    /// How latents were rated.
    pub options: FadeOptions,
    /// Texts in which latents are chosen.
    pub chosen_in: usize,
    /// Natural texts in which they are rated: the others.
    pub natural: Vec<Vec<Token>>,
    /// The autoencoder's latents, and random directions that the best is chosen of.
    pub latents: usize,
    /// See `latents`.
    pub directions: usize,
    /// A row a concept.
    pub concepts: Vec<ConceptFade>,
}

/// FADE step by step: texts are read one after the other, then concepts are rated.
pub struct FadeRun {
    hook: Hook,
    options: FadeOptions,
    concepts: Vec<Concept>,
    natural: LatentActivations,
    made: LatentActivations,
    /// Natural texts, then those made, with the number of their concept.
    texts: Vec<(Option<usize>, Vec<Token>)>,
    done: usize,
    /// Of each concept the best latent, random direction, and latent for shuffled labels.
    best: Vec<[Option<usize>; 3]>,
    rows: Vec<ConceptFade>,
}

/// What a feature is.
#[derive(Clone, Copy)]
enum FeatureKind {
    Latent,
    Direction,
    Shuffled,
}

impl FadeRun {
    /// Cuts a corpus into texts and makes those of concepts; nothing is read yet.
    ///
    /// # Errors
    /// [`SpliceError`]; [`ModelError::Size`] for an option out of range, or fewer than 8 texts.
    pub fn new(
        model: &LanguageModel,
        tokenizer: &Tokenizer,
        autoencoder: &Autoencoder,
        hook: Hook,
        (corpus, concepts): (&str, Vec<Concept>),
        options: FadeOptions,
    ) -> Result<Self, SpliceError> {
        options.check(model.decoder().architecture().context)?;
        let new = || LatentActivations::new(model.decoder(), autoencoder, hook, options.seed);
        let (natural, made) = (new()?, new()?);
        let mut texts: Vec<(Option<usize>, Vec<Token>)> = tokenize_into_contexts(tokenizer, corpus, options.length)?
            .into_iter()
            .filter(|text| text.len() > 1)
            .map(|text| (None, text))
            .collect();
        if texts.len() < 8 {
            let allowed = format!("at least 8, of up to {} tokens each", options.length);
            return Err(ModelError::size("texts of the corpus", texts.len(), allowed).into());
        }
        for (number, concept) in concepts.iter().enumerate() {
            for text in concept.example_texts(options.made) {
                let tokens = tokenizer.encode_with_special_tokens(&text).map_err(ModelError::from)?;
                // The rule says whether it is one.
                let labels = concept.token_labels(tokenizer, &tokens);
                if labels.iter().skip(1).any(|is| *is) {
                    texts.push((Some(number), tokens));
                }
            }
        }
        let (best, rows) = (Vec::new(), Vec::new());
        Ok(Self { hook, options, concepts, natural, made, texts, done: 0, best, rows })
    }

    /// How many steps there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.texts.len() + self.concepts.len()
    }

    /// Takes the next step, or as many alike as are done at once; how many have been taken. One that is refused can be
    /// taken again.
    ///
    /// # Errors
    /// [`SpliceError`].
    pub fn step(
        &mut self,
        model: &LanguageModel,
        tokenizer: &Tokenizer,
        autoencoder: &Autoencoder,
    ) -> Result<usize, SpliceError> {
        let rest = self.texts.get(self.done..).unwrap_or_default();
        if let Some((concept, _)) = rest.first() {
            let is_made = concept.is_some();
            let next = rest.iter().take_while(|(concept, _)| concept.is_some() == is_made);
            let next: Vec<_> = next.take(workers::worker_count()).map(|(_, text)| text).collect();
            let into = if is_made { &mut self.made } else { &mut self.natural };
            into.add_texts(model.decoder(), autoencoder, &next)?;
            self.done += next.len();
        } else if self.rows.len() < self.concepts.len() {
            if self.best.is_empty() {
                let table = self.natural.score_concepts(tokenizer, &self.concepts);
                crate::cancel::check().map_err(ModelError::from)?;
                let best = table
                    .rows
                    .iter()
                    .map(|row| [row.best, row.random, row.shuffled].map(|best| best.map(|best| best.index)));
                self.best = best.collect();
            }
            let next = (self.rows.len()..self.concepts.len()).take(workers::worker_count()).collect();
            let row = |concept| self.rate_concept(concept, model, tokenizer, autoencoder);
            let rows: Vec<ConceptFade> = workers::parallel_map(next, row)?;
            self.done += rows.len();
            self.rows.extend(rows);
        }
        Ok(self.done)
    }

    /// What there is so far.
    #[must_use]
    pub fn report(&self) -> FadeReport {
        FadeReport {
            hook: self.hook.to_string(),
            options: self.options.clone(),
            chosen_in: self.natural.texts().len().div_ceil(2),
            natural: held_out_half(self.natural.texts()),
            latents: self.natural.latent_count(),
            directions: self.natural.random_direction_count(),
            concepts: self.rows.clone(),
        }
    }

    fn rate_concept(
        &self,
        number: usize,
        model: &LanguageModel,
        tokenizer: &Tokenizer,
        autoencoder: &Autoencoder,
    ) -> Result<ConceptFade, SpliceError> {
        let concept = &self.concepts[number];
        let labels = |text: &Vec<Token>| concept.token_labels(tokenizer, text).into_iter().skip(1).any(|is| is);
        let labels: Vec<bool> = held_out_half(self.natural.texts()).iter().map(labels).collect();
        let of = |(found, _): &&(Option<usize>, Vec<Token>)| *found == Some(number);
        let made: Vec<Vec<Token>> = self.texts.iter().filter(of).map(|(_, text)| text.clone()).collect();
        let with = labels.iter().filter(|is| **is).count();
        let rated = with > 0 && with < labels.len() && !made.is_empty();
        let mut features = [None, None, None];
        let best = self.best[number].into_iter();
        let kinds = [FeatureKind::Latent, FeatureKind::Direction, FeatureKind::Shuffled];
        for ((feature, index), kind) in features.iter_mut().zip(best).zip(kinds) {
            if let Some(index) = index.filter(|_| rated) {
                let scored = self.score_feature(number, (kind, index), &labels)?;
                *feature = Some(self.steer_feature(scored, number, kind, (model, tokenizer, autoencoder))?);
            }
        }
        let [latent, random, shuffled] = features;
        let prevalence = rated.then(|| with as f64 / labels.len() as f64);
        let concept = concept.name().to_owned();
        Ok(ConceptFade { concept, with, prevalence, made, labels, latent, random, shuffled })
    }

    /// A feature's scores of texts.
    fn score_feature(
        &self,
        number: usize,
        (kind, index): (FeatureKind, usize),
        labels: &[bool],
    ) -> Result<FadeFeature, SpliceError> {
        let by_text = |latents: &LatentActivations| -> Vec<f64> {
            let all = match kind {
                FeatureKind::Direction => latents.direction_products_by_text(index),
                FeatureKind::Latent | FeatureKind::Shuffled => latents.activations_by_text(index),
            };
            all.iter().map(|text| max_abs_pool(text).unwrap_or(0.0)).collect()
        };
        let natural = held_out_half(&by_text(&self.natural));
        let owners = self.texts.iter().filter_map(|(concept, _)| *concept);
        let made = by_text(&self.made).into_iter().zip(owners);
        let made: Vec<f64> = made.filter(|(_, owner)| *owner == number).map(|(value, _)| value).collect();
        let mut labels: Vec<u8> = labels.iter().map(|is| if *is { 2 } else { 0 }).collect();
        if matches!(kind, FeatureKind::Shuffled) {
            // Which texts have the concept, and which were made, in random order.
            let mut rng = NumpyRng::new(self.options.seed);
            let order = rng.permutation(labels.len() as u32);
            labels = order.iter().map(|at| labels[*at as usize]).collect();
            let all: Vec<f64> = natural.iter().chain(&made).copied().collect();
            let order = rng.permutation(all.len() as u32);
            let mixed: Vec<f64> = order.iter().map(|at| all[*at as usize]).collect();
            let (unmade, made_up) = mixed.split_at(natural.len());
            let apart = [made_up.to_vec(), unmade.to_vec()];
            return self.score_texts(index, natural, made, (&labels, Some(apart)));
        }
        self.score_texts(index, natural, made, (&labels, None))
    }

    /// Scores of natural texts by their labels, and of made ones against natural ones, or of two other sets.
    fn score_texts(
        &self,
        index: usize,
        natural: Vec<f64>,
        made: Vec<f64>,
        (labels, apart): (&[u8], Option<[Vec<f64>; 2]>),
    ) -> Result<FadeFeature, SpliceError> {
        let of = |made: &[f64], natural: &[f64]| {
            let chosen = (RatedTexts::All, Norm::Elements);
            ScoreVariant::score(made, natural, labels, None, chosen).map_err(statistics_error)
        };
        let ScoreVariant { mut clarity, responsiveness, purity, .. } = of(&made, &natural)?;
        if let Some([made, natural]) = &apart {
            clarity = of(made, natural)?.clarity;
        }
        let [with, without] = [2, 0].map(|wanted| -> Vec<f64> {
            let of = natural.iter().zip(labels).filter(|(_, label)| **label == wanted);
            of.map(|(value, _)| *value).collect()
        });
        let apart = apart.as_ref().map_or([&*made, &*natural], |apart| apart.each_ref().map(Vec::as_slice));
        let interval = |sets| intervals::gini_interval(sets, self.options.seed);
        let intervals = FadeIntervals { clarity: interval(apart)?, responsiveness: interval([&with, &without])? };
        Ok(FadeFeature {
            index,
            intervals,
            clarity,
            responsiveness,
            purity,
            gate: passes_gate(&clarity, &responsiveness),
            largest: natural.iter().fold(0.0, |most: f64, next| most.max(next.abs())),
            faithfulness: None,
            shares: Vec::new(),
            best_factor: None,
            natural,
            made,
            written: Vec::new(),
        })
    }

    /// With what the model writes, where it is asked for.
    fn steer_feature(
        &self,
        feature: FadeFeature,
        number: usize,
        kind: FeatureKind,
        (model, tokenizer, autoencoder): (&LanguageModel, &Tokenizer, &Autoencoder),
    ) -> Result<FadeFeature, SpliceError> {
        let FadeOptions { steer, prompts, written: count, factors, .. } = &self.options;
        if *steer == SteeredFeatures::None || (*steer == SteeredFeatures::Gated && !feature.gate) {
            return Ok(feature);
        }
        let concept = &self.concepts[number];
        // Beginnings of natural texts that do not have the concept so far.
        let prefix = |text: &Vec<Token>| {
            let prefix = text.get(..PROMPT_TOKENS)?.to_vec();
            let has = concept.token_labels(tokenizer, &prefix).into_iter().skip(1).any(|is| is);
            (!has).then_some(prefix)
        };
        let all = held_out_half(self.natural.texts());
        let prefixes: Vec<Vec<Token>> = all.iter().filter_map(prefix).take(*prompts).collect();
        if prefixes.is_empty() {
            return Ok(feature);
        }
        let rows: Vec<(Vec<Token>, f64)> = factors
            .iter()
            .flat_map(|factor| {
                let wanted = factor * feature.largest;
                prefixes.iter().map(move |prefix| (prefix.clone(), wanted))
            })
            .collect();
        let direction = self.natural.random_direction(feature.index);
        let of = match kind {
            FeatureKind::Direction => SteeringTarget::Direction(&direction),
            FeatureKind::Latent | FeatureKind::Shuffled => SteeringTarget::Latent(autoencoder, feature.index),
        };
        let rows = generate_steered(model.decoder(), self.hook, of, &rows, *count)?;
        let label = |row: &Vec<Token>| {
            let has = concept.token_labels(tokenizer, row).into_iter().skip(PROMPT_TOKENS).any(|is| is);
            if has { 2 } else { 0 }
        };
        let groups = factors.iter().zip(rows.chunks_exact(prefixes.len()));
        let doses: Vec<RatedDose> = groups
            .map(|(factor, rows)| RatedDose { factor: *factor, labels: rows.iter().map(label).collect() })
            .collect();
        let found = faithfulness(&doses).map_err(statistics_error)?;
        Ok(FadeFeature {
            faithfulness: Some(found.value),
            shares: found.clear_shares,
            best_factor: found.best_factor,
            written: rows.chunks_exact(prefixes.len()).map(<[_]>::to_vec).collect(),
            ..feature
        })
    }
}

fn passes_gate(clarity: &ScoreByReading, responsiveness: &ScoreByReading) -> bool {
    is_above_gate(clarity.code.unwrap_or(0.0), responsiveness.code.unwrap_or(0.0))
}

/// Odd ones of natural texts: those in which nothing is chosen.
fn held_out_half<T: Clone>(all: &[T]) -> Vec<T> {
    all.iter().skip(1).step_by(2).cloned().collect()
}

/// Activations are finite and no set is empty: what else there is to say of them is that.
fn statistics_error(_: StatisticsError) -> SpliceError {
    ModelError::NonFinite.into()
}
