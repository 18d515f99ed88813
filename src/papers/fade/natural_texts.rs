use super::description::Description;
use super::error::FadeError;
use super::settings::Settings;
use crate::model::Model;
use crate::synthetic::language::{Grammar, LanguageRng, Token};
use crate::toy_model::residual_stream::residual_stream_after;

/// Seeds of the texts made from a description and of the rater's errors; the description's number is added.
const MADE_AND_RATER_SEEDS: [u32; 2] = [100, 7_000];
/// How far apart the seeds of two draws are.
pub(super) const DRAW_SEED_STRIDE: u32 = 10_000;

/// Natural texts and a model's residual stream of them: what no autoencoder has a part in.
pub struct NaturalTexts {
    grammar: Grammar,
    texts: Vec<Vec<Token>>,
    residual: Vec<f32>,
}

impl NaturalTexts {
    /// The first `count` natural texts of a seed in a grammar, after a layer of a model.
    ///
    /// # Errors
    /// [`FadeError::ToyModel`] where the model has no such layer.
    pub fn from_model(
        (model, layer): (&Model, usize),
        grammar: Grammar,
        seed: u32,
        count: usize,
    ) -> Result<Self, FadeError> {
        let texts = grammar.draw_texts(seed, count);
        let residual = residual_stream_after(model, &texts, layer)?;
        Ok(Self { grammar, texts, residual })
    }

    /// What the texts are written in.
    pub(super) fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// The texts' tokens.
    #[must_use]
    pub fn texts(&self) -> &[Vec<Token>] {
        &self.texts
    }

    /// Texts × (tokens − 1) × `d_model`: the first token is the same in all.
    #[must_use]
    pub fn residual(&self) -> &[f32] {
        &self.residual
    }

    /// Which tokens express a description, the first of each text left out.
    pub(super) fn expressing_token_mask(&self, description: Description) -> Vec<bool> {
        let each = self.texts.iter();
        each.flat_map(|text| description.expressing_token_mask(self.grammar, text).into_iter().skip(1)).collect()
    }
}

/// A description: what the rater says of natural texts, and the residual stream of texts that were made from it.
pub struct RatedDescription {
    pub(super) description: Description,
    /// Of each natural text, by the rater.
    pub(super) labels: Vec<u8>,
    /// How many texts were made.
    pub(super) made_count: usize,
    /// What says which texts are rated, and how the formula is read.
    pub(super) settings: Settings,
    made: Vec<f32>,
}

impl RatedDescription {
    /// With as many made texts and as many wrong labels as the settings have; each `draw` makes other texts and other
    /// mistakes, 0 those of the reports.
    ///
    /// # Errors
    /// As [`NaturalTexts::from_model`].
    pub fn new(
        description: Description,
        natural: &NaturalTexts,
        (model, layer): (&Model, usize),
        settings: &Settings,
        draw: u32,
    ) -> Result<Self, FadeError> {
        let grammar = natural.grammar;
        let mut rater = Rater::new(settings, description, grammar, draw.wrapping_mul(DRAW_SEED_STRIDE));
        let labels = natural.texts.iter().map(|text| rater.rate(text)).collect();
        let seed = MADE_AND_RATER_SEEDS[0].wrapping_add(description.seed_offset());
        let seed = seed.wrapping_add(draw.wrapping_mul(DRAW_SEED_STRIDE));
        let made = description.draw_texts(grammar, settings.made, seed, (settings.error, &mut rater.draws));
        let (count, made) = (made.len(), residual_stream_after(model, &made, layer)?);
        Ok(Self { description, labels, made_count: count, settings: settings.clone(), made })
    }

    /// What is described.
    #[must_use]
    pub fn description(&self) -> Description {
        self.description
    }

    /// Of the made texts, as [`NaturalTexts::residual`] is of the natural ones.
    #[must_use]
    pub fn residual(&self) -> &[f32] {
        &self.made
    }
}

/// The rater: right but for a share of labels, which become one of the other two.
pub(super) struct Rater {
    error: f64,
    description: Description,
    grammar: Grammar,
    draws: LanguageRng,
}

impl Rater {
    pub(super) fn new(settings: &Settings, description: Description, grammar: Grammar, more: u32) -> Self {
        let seed = MADE_AND_RATER_SEEDS[1].wrapping_add(description.seed_offset()).wrapping_add(more);
        Self { error: settings.error, description, grammar, draws: LanguageRng::new(seed) }
    }

    pub(super) fn rate(&mut self, text: &[Token]) -> u8 {
        let label = self.description.label_text(self.grammar, text);
        if self.error > 0.0 && self.draws.uniform() < self.error {
            return (label + 1 + self.draws.integer_below(2) as u8) % 3;
        }
        label
    }
}
