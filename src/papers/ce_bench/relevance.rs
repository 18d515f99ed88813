use super::metric::{PairError, Reading, Scores, StoryLatents, score_pair};
use super::report::WinnerRelevance;
use crate::model::Model;
use crate::statistics::PairCounts;
use crate::synthetic::language::{Concept, Contrast, ContrastPair, Grammar, Token};
use crate::toy_model::ToyModelError;
use crate::toy_model::residual_stream::{Codes, residual_stream_after};

/// From here on a latent that tells texts with a concept from texts without is about it.
const RELEVANT_GINI_MIN: f64 = 0.5;
pub(super) const TOPICS: [Concept; 5] =
    [Concept::Sea, Concept::Kitchen, Concept::Space, Concept::Music, Concept::Winter];
pub(super) const MOODS: [Concept; 2] = [Concept::Positive, Concept::Negative];

/// Pairs of stories and a model's residual stream of them: what no autoencoder has a part in.
pub struct StoryActivations {
    pairs: Vec<ContrastPair>,
    residual: Vec<f32>,
}

/// What natural texts express of all that pairs contrast.
pub struct ConceptLabels {
    /// By concept, of each text.
    by_concept: Vec<Vec<u8>>,
}

impl ConceptLabels {
    /// Of texts in a grammar.
    #[must_use]
    pub fn from_texts(grammar: Grammar, texts: &[Vec<Token>]) -> Self {
        let found: Vec<_> = texts.iter().map(|text| grammar.expressed_concepts(text)).collect();
        let concepts = TOPICS.into_iter().chain(MOODS);
        let by_concept = concepts.map(|of| found.iter().map(|text| text.label(of)).collect());
        Self { by_concept: by_concept.collect() }
    }

    /// Which concepts a latent is about: it tells texts that clearly express one from those that do not express it.
    fn latent_concept_mask(&self, natural: &Codes, latent: usize) -> Vec<bool> {
        let most = |text: Vec<f64>| text.into_iter().fold(0.0, larger_magnitude);
        let activations: Vec<f64> = natural.latent_by_text(latent).map(most).collect();
        self.by_concept.iter().map(|labels| separates_labels(&activations, labels)).collect()
    }
}

impl StoryActivations {
    /// The first `count` pairs of a seed in a grammar, after a layer of a model.
    ///
    /// # Errors
    /// [`ToyModelError::Model`] where the model has no such layer.
    pub fn from_model(
        (model, layer): (&Model, usize),
        grammar: Grammar,
        seed: u32,
        count: usize,
    ) -> Result<Self, ToyModelError> {
        let pairs = grammar.draw_pairs(seed, count);
        let told: Vec<_> = pairs.iter().flat_map(|pair| pair.texts.clone()).collect();
        Ok(Self { residual: residual_stream_after(model, &told, layer)?, pairs })
    }

    /// The pairs.
    #[must_use]
    pub fn pairs(&self) -> &[ContrastPair] {
        &self.pairs
    }

    /// Of both stories of each pair in turn: tokens but the first × `d_model`.
    #[must_use]
    pub fn residual(&self) -> &[f32] {
        &self.residual
    }

    /// The scores of every pair, in the order of [`Reading::ALL`]; `codes`: of [`residual`](Self::residual).
    ///
    /// # Errors
    /// [`PairError`].
    pub fn score_pairs(&self, codes: &Codes) -> Result<Vec<[Scores; 4]>, PairError> {
        let wide: Vec<Vec<f64>> =
            codes.by_text().map(|text| text.iter().map(|value| f64::from(*value)).collect()).collect();
        let mean = mean_activations(&wide, codes.latent_count());
        let mut found = Vec::with_capacity(self.pairs.len());
        for (pair, latents) in self.pairs.iter().zip(wide.chunks_exact(2)) {
            let [a, b] =
                [0, 1].map(|story| StoryLatents { latents: &latents[story], marks: &pair.contrast_masks[story][1..] });
            let of = |reading| score_pair([a, b], codes.latent_count(), &mean, reading);
            let [v1, head, readme, paper] = Reading::ALL;
            found.push([of(v1)?, of(head)?, of(readme)?, of(paper)?]);
        }
        Ok(found)
    }

    /// The share of the pairs of topics and of those of moods whose winner by the older code is about what they
    /// contrast; none where there is no such pair. `natural`: codes of the labelled texts.
    #[must_use]
    pub fn winner_relevance(&self, found: &[[Scores; 4]], labels: &ConceptLabels, natural: &Codes) -> [Option<f64>; 2] {
        self.relevant_shares(found, &mut |latent, concepts| {
            let told = labels.latent_concept_mask(natural, latent);
            concepts.into_iter().any(|concept| told[concept])
        })
    }

    /// The same, and what it would be by chance.
    pub(super) fn measure_relevance(
        &self,
        found: &[[Scores; 4]],
        labels: &ConceptLabels,
        natural: &Codes,
    ) -> WinnerRelevance {
        let latents = natural.latent_count();
        // Of every latent, the concepts that it is about.
        let of: Vec<Vec<bool>> = (0..latents).map(|latent| labels.latent_concept_mask(natural, latent)).collect();
        let is = |latent: usize, [a, b]: [usize; 2]| of[latent][a] || of[latent][b];
        let [topic, mood] = self.relevant_shares(found, &mut |latent, concepts| is(latent, concepts));
        let base = |contrast: Contrast| {
            let pairs = || self.pairs.iter().filter(|pair| pair.contrast == contrast);
            let any = |pair: &ContrastPair| (0..latents).filter(|at| is(*at, contrasted_concepts(pair))).count();
            share_or_none(pairs().map(any).sum(), pairs().count() * latents)
        };
        let [base_topic, base_mood] = [base(Contrast::Topic), base(Contrast::Mood)];
        WinnerRelevance { topic, mood, base_topic, base_mood }
    }

    fn relevant_shares(
        &self,
        found: &[[Scores; 4]],
        is: &mut dyn FnMut(usize, [usize; 2]) -> bool,
    ) -> [Option<f64>; 2] {
        [Contrast::Topic, Contrast::Mood].map(|contrast| {
            let pairs = self.pairs.iter().zip(found);
            let (mut right, mut all) = (0, 0);
            for (pair, scores) in pairs.filter(|(pair, _)| pair.contrast == contrast) {
                right += usize::from(is(scores[0].contrastive_latent, contrasted_concepts(pair)));
                all += 1;
            }
            share_or_none(right, all)
        })
    }
}

/// What a pair contrasts, as places among the concepts.
fn contrasted_concepts(pair: &ContrastPair) -> [usize; 2] {
    match pair.contrast {
        Contrast::Topic => pair.headers.map(|header| header.topic),
        Contrast::Mood => [TOPICS.len(), TOPICS.len() + 1],
    }
}

fn share_or_none(some: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| some as f64 / all as f64)
}

/// The one that is larger in size; of equal ones the first.
fn larger_magnitude(most: f64, next: f64) -> f64 {
    if next.abs() > most.abs() { next } else { most }
}

/// Whether activations tell texts labelled 2 from texts labelled 0.
fn separates_labels(activations: &[f64], labels: &[u8]) -> bool {
    let of = |wanted: u8| -> Vec<f64> {
        let both = activations.iter().zip(labels);
        both.filter(|(_, label)| **label == wanted).map(|(activation, _)| *activation).collect()
    };
    PairCounts::from_scores(&of(2), &of(0)).is_ok_and(|pairs| pairs.gini().abs() >= RELEVANT_GINI_MIN)
}

/// The mean of all tokens of all stories.
fn mean_activations(stories: &[Vec<f64>], latents: usize) -> Vec<f64> {
    let mut sums = vec![0.0; latents];
    let mut tokens = 0;
    for token in stories.iter().flat_map(|story| story.chunks_exact(latents.max(1))) {
        sums.iter_mut().zip(token).for_each(|(sum, value)| *sum += value);
        tokens += 1;
    }
    sums.iter_mut().for_each(|sum| *sum /= f64::from(tokens.max(1)));
    sums
}
