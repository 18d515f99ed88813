use super::description::{Description, DescriptionCase};
use super::error::FadeError;
use super::metric::{Norm, RatedTexts, Reading, clarity, is_above_gate, max_abs_pool};
use super::natural_texts::{NaturalTexts, RatedDescription};
use super::report::{Feature, ScoreVariant, TopText};
use crate::order::argsort_descending;
use crate::toy_model::residual_stream::Codes;

/// Texts that are shown of each feature.
const TOP_TEXT_COUNT: usize = 12;

/// What an autoencoder makes of natural texts.
pub struct LatentActivity<'a> {
    natural: &'a NaturalTexts,
    codes: &'a Codes,
    /// Which tokens each latent is active on: of each latent, token numbers in order.
    active: Vec<Vec<u32>>,
}

impl<'a> LatentActivity<'a> {
    /// `codes`: of [`NaturalTexts::residual`].
    #[must_use]
    pub fn new(natural: &'a NaturalTexts, codes: &'a Codes) -> Self {
        let mut active = vec![Vec::new(); codes.latent_count()];
        for (at, latents) in codes.by_token().enumerate() {
            for (latent, value) in latents.iter().enumerate() {
                if *value > 0.0 {
                    active[latent].push(at as u32);
                }
            }
        }
        Self { natural, codes, active }
    }

    /// The latent whose being active tells a description's tokens best, and its F1; the first of equal ones.
    #[must_use]
    pub fn find_best_latent(&self, description: Description) -> (usize, f64) {
        let truth = self.natural.expressing_token_mask(description);
        let expressing = truth.iter().filter(|expresses| **expresses).count();
        let mut best = (0, f64::NEG_INFINITY);
        for (latent, active) in self.active.iter().enumerate() {
            let right = active.iter().filter(|at| truth[**at as usize]).count();
            let of = active.len() + expressing;
            let f1 = if of == 0 { 0.0 } else { 2.0 * right as f64 / of as f64 };
            if f1 > best.1 {
                best = (latent, f1);
            }
        }
        best
    }

    /// F1 of one latent.
    fn f1_score(&self, latent: usize, description: Description) -> f64 {
        let truth = self.natural.expressing_token_mask(description);
        let active = self.active.get(latent).map_or(&[][..], Vec::as_slice);
        let right = active.iter().filter(|at| truth[**at as usize]).count();
        let of = active.len() + truth.iter().filter(|expresses| **expresses).count();
        if of == 0 { 0.0 } else { 2.0 * right as f64 / of as f64 }
    }

    /// Latents that are never active.
    pub(super) fn dead_latents(&self) -> impl Iterator<Item = usize> {
        (0..self.active.len()).filter(|latent| self.active[*latent].is_empty())
    }

    /// The latent that is active on the most tokens.
    pub(super) fn densest_latent(&self) -> Option<usize> {
        argsort_descending(self.active.iter().map(|active| active.len() as f64)).first().copied()
    }

    /// Clarity, responsiveness and purity of a latent under a description; `made`: codes of [`RatedDescription::residual`].
    ///
    /// # Errors
    /// [`FadeError::Statistics`] without a natural or without a made text.
    pub fn score_feature(
        &self,
        case: DescriptionCase,
        latent: usize,
        rated: &RatedDescription,
        made: &Codes,
    ) -> Result<Feature, FadeError> {
        let RatedDescription { description, labels, made_count: count, .. } = rated;
        let description = *description;
        let (made, activations) = (activations_by_text(made, latent), activations_by_text(self.codes, latent));
        let settings = &rated.settings;
        let sample = settings.draw_sample(&activations);
        let variant = |rated, norm| {
            let sample = sample.as_ref().filter(|_| rated == RatedTexts::Sampled);
            ScoreVariant::score(&made, &activations, labels, sample, (rated, norm))
        };
        let chosen = variant(settings.rated, settings.norm)?;
        let mut variants = Vec::new();
        for rated in [RatedTexts::All, RatedTexts::Sampled] {
            for norm in [Norm::Elements, Norm::Nonzero] {
                let is_chosen = (rated, norm) == (chosen.rated, chosen.norm);
                variants.push(if is_chosen { chosen } else { variant(rated, norm)? });
            }
        }
        let ScoreVariant { clarity: clear, responsiveness, purity, prevalence, .. } = chosen;
        let share = |some: usize| some as f64 / labels.len().max(1) as f64;
        let (grammar, texts) = (self.natural.grammar(), self.natural.texts());
        let truth: Vec<f64> = texts.iter().map(|text| f64::from(description.label_text(grammar, text) > 0)).collect();
        let ceiling = clarity(&vec![1.0; *count], &truth, Reading::Code, Norm::Elements)?;
        let order = argsort_descending(activations.iter().map(|activation| activation.abs()));
        let top = order.into_iter().take(TOP_TEXT_COUNT).map(|text| TopText {
            tokens: texts[text].clone(),
            activations: self.codes.latent_on_text(text, latent),
            expressed: description.expressing_token_mask(grammar, &texts[text]),
            label: labels[text],
        });
        let top = top.collect();
        Ok(Feature {
            concept: description.name(),
            case,
            latent,
            f1: self.f1_score(latent, description),
            gate: is_above_gate(clear.code.unwrap_or(0.0), responsiveness.code.unwrap_or(0.0)),
            clarity: clear,
            responsiveness,
            purity,
            ceiling: ceiling.unwrap_or(0.0),
            prevalence: prevalence.code.unwrap_or(0.0),
            active: share(activations.iter().filter(|activation| **activation != 0.0).count()),
            largest: activations.iter().fold(0.0, |most: f64, next| most.max(next.abs())),
            natural: activations,
            labels: labels.clone(),
            rated: sample
                .filter(|_| settings.rated == RatedTexts::Sampled)
                .map(|sample| sample.text_indices(Reading::Code).to_vec()),
            made,
            top,
            variants,
            steered: None,
        })
    }
}

/// Each text's activation of a latent.
fn activations_by_text(codes: &Codes, latent: usize) -> Vec<f64> {
    codes.latent_by_text(latent).map(|column| max_abs_pool(&column).unwrap_or(0.0)).collect()
}
