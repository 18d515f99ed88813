use super::description::{Description, DescriptionCase};
use super::error::FadeError;
use super::latents::LatentActivity;
use super::natural_texts::{NaturalTexts, RatedDescription};
use super::report::{Feature, MeanScores, Report, SteeringResult};
use super::settings::Settings;
use super::steering::{SteeringContext, steer_feature_at};
use crate::synthetic::language::{CONTEXT_TOKENS, Concept, Grammar, token_of_word};
use crate::toy_model::residual_stream::Codes;
use crate::toy_model::{self, AUTOENCODER_LAYER, FINAL_CHECKPOINT};

/// What is rated: the concepts with their best latents, and descriptions that are bad on purpose.
fn rated_cases(natural: &LatentActivity<'_>) -> Vec<(DescriptionCase, Description, usize)> {
    use Concept::{Music, Negation, Number, Person, Place, Positive, Refusal, Sea};
    let concept = Description::Concept;
    let best = |of: Description| natural.find_best_latent(of).0;
    let mut cases: Vec<_> = Concept::ALL.map(|of| (DescriptionCase::Best, concept(of), best(concept(of)))).to_vec();
    let latent = |of: Concept| cases.get(of as usize).map_or(0, |case| case.2);
    let mut bad = vec![
        (DescriptionCase::Wrong, concept(Music), latent(Sea)),
        (DescriptionCase::Wrong, concept(Place), latent(Number)),
        (DescriptionCase::Broad, concept(Negation), latent(Refusal)),
    ];
    let words = [("happy", Positive), ("ann", Person)];
    for (word, of) in words {
        if let Some(token) = token_of_word(word) {
            bad.push((DescriptionCase::Broad, concept(of), best(Description::Word(token))));
        }
    }
    for (word, of) in [("two", Number), ("park", Place)] {
        if let Some(token) = token_of_word(word) {
            bad.push((DescriptionCase::Narrow, Description::Word(token), latent(of)));
        }
    }
    bad.extend(natural.dead_latents().next().map(|dead| (DescriptionCase::Dead, concept(Sea), dead)));
    bad.extend(natural.densest_latent().map(|dense| (DescriptionCase::Dense, concept(Person), dense)));
    cases.extend(bad);
    cases
}

/// Clarity, responsiveness and purity of every concept's best latent and of the bad descriptions. Nothing is
/// steered.
///
/// # Errors
/// [`FadeError`].
pub fn score_features(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, FadeError> {
    let (model, dictionary) = (toy_model::load_model(FINAL_CHECKPOINT)?, toy_model::load_dictionary(&settings.sae)?);
    tell("natural texts", 0.0);
    let natural = NaturalTexts::from_model((&model, AUTOENCODER_LAYER), Grammar::First, settings.seed, settings.texts)?;
    let coded = |residual: &[f32]| Codes::encode(&dictionary, residual, CONTEXT_TOKENS - 1);
    let codes = coded(natural.residual());
    let latents = LatentActivity::new(&natural, &codes);
    let cases = rated_cases(&latents);
    let mut features = Vec::with_capacity(cases.len());
    for (done, (case, description, latent)) in cases.iter().enumerate() {
        tell("made texts", (done + 1) as f64 / (cases.len() + 1) as f64);
        let rated = RatedDescription::new(*description, &natural, (&model, AUTOENCODER_LAYER), settings, 0)?;
        features.push(latents.score_feature(*case, *latent, &rated, &coded(rated.residual()))?);
    }
    let dead = latents.dead_latents().count();
    Ok(Report { settings: settings.clone(), latents: dictionary.latent_count(), dead, features })
}

/// Faithfulness of one feature of a report: what the model writes while the feature is set to each factor,
/// rated.
///
/// # Errors
/// [`FadeError`].
pub fn steer_feature(settings: &Settings, feature: &Feature) -> Result<SteeringResult, FadeError> {
    let (model, dictionary) = (toy_model::load_model(FINAL_CHECKPOINT)?, toy_model::load_dictionary(&settings.sae)?);
    let grammar = Grammar::First;
    let place = SteeringContext { model: &model, layer: AUTOENCODER_LAYER, dictionary: &dictionary, grammar };
    steer_feature_at(place, settings, feature, 0)
}

/// All scores of all features, faithfulness among them.
///
/// # Errors
/// [`FadeError`].
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, FadeError> {
    let mut report = score_features(settings, &mut |stage, part| tell(stage, part * 0.3))?;
    let count = report.features.len();
    for at in 0..count {
        tell("steering", 0.3 + 0.7 * at as f64 / count as f64);
        report.features[at].steered = Some(steer_feature(settings, &report.features[at])?);
    }
    Ok(report)
}

/// Mean scores over the concepts, of some settings; faithfulness only if it is asked for.
///
/// # Errors
/// [`FadeError`].
pub fn mean_scores(settings: &Settings, steer: bool) -> Result<MeanScores, FadeError> {
    let mut report = score_features(settings, &mut |_, _| {})?;
    report.features.retain(|feature| feature.case == DescriptionCase::Best);
    if steer {
        for feature in &mut report.features {
            feature.steered = Some(steer_feature(settings, feature)?);
        }
    }
    Ok(report.means())
}
