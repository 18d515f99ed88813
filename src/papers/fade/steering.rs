use super::description::Description;
use super::error::FadeError;
use super::metric::{RatedDose, faithfulness};
use super::natural_texts::{DRAW_SEED_STRIDE, Rater};
use super::report::{Feature, SteeringResult};
use super::settings::Settings;
use crate::model::{Batch, Hook, HookedActivation, Hooks, Model, Site};
use crate::synthetic::language::{Concept, Grammar, LanguageRng, START_TOKEN, Token, token_of_word};
use crate::toy_model::Dictionary;

/// Tokens of a prefix that the model continues, its first one among them.
const PREFIX_TOKENS: usize = 8;
/// Tokens that it writes.
const CONTINUATION_TOKENS: usize = 12;
/// Continuations that are kept of each factor.
const CONTINUATIONS_KEPT: usize = 4;
/// Seeds: of the prefixes, of the draws while writing. The latter has the description's number added.
const PREFIX_AND_DRAW_SEEDS: [u32; 2] = [9, 5_000];

/// Where features are steered.
#[derive(Clone, Copy)]
pub struct SteeringContext<'a> {
    /// What writes.
    pub model: &'a Model,
    /// After which of its layers.
    pub layer: usize,
    /// Whose features: an autoencoder of the residual stream there.
    pub dictionary: &'a Dictionary,
    /// What the model learnt to write.
    pub grammar: Grammar,
}

/// A feature set to its largest activation times a factor, prompt by prompt, at every position.
struct SteeringHook<'a> {
    place: SteeringContext<'a>,
    latent: usize,
    /// What it is set to, of each prompt.
    wanted: Vec<f32>,
}

impl Hooks for SteeringHook<'_> {
    fn wants(&self, hook: Hook) -> bool {
        hook == Hook::Block(self.place.layer, Site::ResidPost)
    }

    fn on_activation(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
        let dictionary = self.place.dictionary;
        let codes = dictionary.encode(seen.values);
        let rows = seen.values.chunks_exact_mut(dictionary.width());
        let found = codes.iter().skip(self.latent).step_by(dictionary.latent_count());
        for (at, (row, found)) in rows.zip(found).enumerate() {
            let wanted = self.wanted.get(at / seen.positions.max(1)).copied().unwrap_or(*found);
            dictionary.steer(row, self.latent, wanted - found);
        }
    }
}

/// Faithfulness of one feature: what a model writes while the feature is set to each factor, rated; each `draw` has
/// other prefixes, other words and other mistakes of the rater, 0 those of the reports.
///
/// # Errors
/// [`FadeError`].
pub fn steer_feature_at(
    place: SteeringContext<'_>,
    settings: &Settings,
    feature: &Feature,
    draw: u32,
) -> Result<SteeringResult, FadeError> {
    let description = parse_description(&feature.concept).ok_or(FadeError::Feature { found: 0, last: 0 })?;
    let more = draw.wrapping_mul(DRAW_SEED_STRIDE);
    let each = settings.continuations;
    let texts = place.grammar.draw_texts(PREFIX_AND_DRAW_SEEDS[0].wrapping_add(more), each);
    let prefixes: Vec<Vec<Token>> = texts.into_iter().map(|text| text[..PREFIX_TOKENS].to_vec()).collect();
    let rows: Vec<&Vec<Token>> = settings.factors.iter().flat_map(|_| &prefixes).collect();
    let factors = settings.factors.iter().flat_map(|factor| std::iter::repeat_n(*factor, each));
    let wanted = factors.map(|factor| (factor * feature.largest) as f32).collect();
    let mut steering = SteeringHook { place, latent: feature.latent, wanted };
    let mut draws =
        LanguageRng::new(PREFIX_AND_DRAW_SEEDS[1].wrapping_add(description.seed_offset()).wrapping_add(more));
    let rows = place.model.sample_continuations(
        &Batch::new(&rows)?,
        CONTINUATION_TOKENS,
        START_TOKEN,
        &mut draws,
        &mut steering,
    )?;
    let mut rater = Rater::new(settings, description, place.grammar, (1_u32 << 16).wrapping_add(more));
    let doses: Vec<RatedDose> = settings
        .factors
        .iter()
        .zip(rows.chunks_exact(each))
        .map(|(factor, rows)| RatedDose {
            factor: *factor,
            labels: rows.iter().map(|row| rater.rate(&row[PREFIX_TOKENS..])).collect(),
        })
        .collect();
    let found = faithfulness(&doses)?;
    let counted =
        |dose: &RatedDose| [0, 1, 2].map(|wanted| dose.labels.iter().filter(|label| **label == wanted).count());
    Ok(SteeringResult {
        labels: doses.iter().map(counted).collect(),
        shares: found.clear_shares.iter().map(|share| share.unwrap_or(0.0)).collect(),
        faithfulness: found.value,
        best_factor: found.best_factor,
        largest_factor: found.largest_factor,
        saturated: found.is_saturated,
        written: rows.chunks_exact(each).map(|rows| rows.iter().take(CONTINUATIONS_KEPT).cloned().collect()).collect(),
    })
}

/// The description of that name.
fn parse_description(name: &str) -> Option<Description> {
    let concept = Concept::ALL.into_iter().find(|concept| concept.name() == name);
    concept.map(Description::Concept).or_else(|| {
        let quoted = name.strip_prefix('“')?.strip_suffix('”')?;
        token_of_word(quoted).map(Description::Word)
    })
}
