use serde::{Deserialize, Serialize};

use super::draws::{Band, permuted_spearman};
use super::judgement::ClaimJudgement;
use super::selection::Agreement;
use crate::Matrix;
use crate::NumpyRng;
use crate::model::{ActivationCache, Batch, Hook, Site};
use crate::papers::mui::claims::Verdict;
use crate::papers::mui::measure::{MeasuredModel, matrix_from_f32};
use crate::papers::mui::metric::{AnswerScores, NeuronUnion, Threshold, contributions, direct_logit_effects};
use crate::papers::mui::settings::Settings;
use crate::plot::format::fixed;
use crate::synthetic::language::Task;
use crate::toy_model::{
    self, DICTIONARIES, Dictionary, DictionaryRole, FINAL_CHECKPOINT, RESIDUAL_STREAM_NAME, ToyModelError, task,
};

/// The layer whose residual stream the autoencoders were trained on.
const SAE_LAYER: usize = 1;
/// The seed of the control.
const CONTROL_SEED: u32 = 7_009;

/// The index by one dictionary's features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiFeatures"))]
pub struct DictionaryResult {
    /// The dictionary's name.
    pub name: String,
    /// What it is.
    pub label: String,
    /// Whether it is a control.
    pub control: bool,
    /// Features there are.
    pub latents: usize,
    /// Each task's index by the most active features (Eq. 5).
    pub active: Vec<f64>,
    /// By those that add most to the answer's logit directly: the latent times its direction · W_U.
    pub contributing: Vec<f64>,
}

/// The index by features beside that by neurons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiFeatured"))]
pub struct FeaturesResult {
    /// Features that count as used by one answer.
    pub k: usize,
    /// The tasks.
    pub tasks: Vec<String>,
    /// Each task's index by neurons.
    pub neurons: Vec<f64>,
    /// One a dictionary.
    pub dictionaries: Vec<DictionaryResult>,
    /// Spearman's coefficients with the index by neurons, the tasks in random order.
    pub permuted: Option<Band>,
}

impl FeaturesResult {
    /// How the tasks are ordered by most active features, and by most contributing ones, against neurons.
    #[must_use]
    pub fn agreements_with_neurons(&self, of: &DictionaryResult) -> [Option<Agreement>; 2] {
        [&of.active, &of.contributing].map(|found| Agreement::between(&self.neurons, found))
    }

    pub(super) fn judge_claim(&self) -> ClaimJudgement {
        let of = |control: bool| -> Vec<Option<Agreement>> {
            let some = self.dictionaries.iter().filter(|of| of.control == control);
            some.map(|of| self.agreements_with_neurons(of)[0]).collect()
        };
        let (trained, controls) = (of(false), of(true));
        let clear = |all: &[Option<Agreement>]| {
            let each = all.iter().flatten();
            each.filter(|of| of.spearman > 0.0 && of.spearman_p.is_some_and(|p| p < 0.05)).count()
        };
        let (along, alike) = (clear(&trained), clear(&controls));
        let against =
            trained.iter().flatten().filter(|of| of.spearman < 0.0 && of.spearman_p.is_some_and(|p| p < 0.05));
        let verdict = match (along, against.count()) {
            (0, 0) => Verdict::Open,
            (0, _) => Verdict::Fails,
            // What random directions do as well is nothing that features were learnt for.
            (along, _) if along == trained.len() && alike == 0 => Verdict::Holds,
            _ => Verdict::Partly,
        };
        let span = |all: &[Option<Agreement>]| {
            let each = || all.iter().flatten().map(|of| of.spearman);
            let (low, high) = (each().fold(f64::INFINITY, f64::min), each().fold(f64::NEG_INFINITY, f64::max));
            if low > high { "–".to_owned() } else { format!("{} to {}", fixed(low, 2), fixed(high, 2)) }
        };
        let nothing = if alike > 0 { "; what controls do as well is not due to what was learnt" } else { "" };
        let found = format!(
            "over the ten tasks the index by features goes along with that by neurons (p < 0.05) for {along} of {} trained dictionaries, ρ = {}, and for {alike} of {} controls, ρ = {}{nothing}",
            trained.len(),
            span(&trained),
            controls.len(),
            span(&controls)
        );
        let claim = "The index by features of an autoencoder goes like that by neurons (App. B.1)";
        ClaimJudgement::new("mui-features", claim, verdict, found)
    }
}

/// A dictionary, what its directions add to each word's logit, and what each task uses of it.
struct DictionarySubject {
    dictionary: std::sync::Arc<Dictionary>,
    promotions: Matrix,
    found: DictionaryResult,
}

pub(super) fn run(settings: &Settings) -> Result<FeaturesResult, ToyModelError> {
    let subject = MeasuredModel::load(FINAL_CHECKPOINT)?;
    let settings = &Settings { checkpoint: FINAL_CHECKPOINT.to_owned(), ..settings.clone() };
    let parameters = toy_model::load_parameters(FINAL_CHECKPOINT)?;
    let config = *parameters.config();
    let words = parameters.tensor("unembed.W_U");
    let unembed = matrix_from_f32(words, config.d_model, config.vocabulary);
    let mut all: Vec<DictionarySubject> = Vec::with_capacity(DICTIONARIES.len());
    for known in DICTIONARIES.iter().filter(|known| known.name != RESIDUAL_STREAM_NAME) {
        let dictionary = toy_model::load_dictionary(known.name)?;
        let latents = dictionary.latent_count();
        let directions: Vec<f32> = (0..latents).flat_map(|latent| dictionary.direction(latent).to_vec()).collect();
        let directions = matrix_from_f32(&directions, latents, config.d_model);
        // Both have d_model by their shapes.
        let promotions =
            direct_logit_effects(&directions, &unembed).unwrap_or_else(|_| Matrix::zeros(latents, config.vocabulary));
        let found = DictionaryResult {
            name: known.name.to_owned(),
            label: known.label.to_owned(),
            control: known.role == DictionaryRole::Control,
            latents,
            active: Vec::new(),
            contributing: Vec::new(),
        };
        all.push(DictionarySubject { dictionary, promotions, found });
    }
    let hook = Hook::Block(SAE_LAYER, Site::ResidPost);
    let mut neurons = Vec::with_capacity(Task::ALL.len());
    for of in Task::ALL {
        let prompts = task::test_prompts(of, settings.prompts)?;
        let passed = subject.run_prompts(&prompts.tokens, &prompts.answers, settings)?;
        neurons.push(subject.summarise_answers(&subject.score_neurons(&passed, settings)?.select(settings)).mui);
        let batch = Batch::new(passed.tokens())?;
        let mut taken = ActivationCache::for_hooks(&[hook]);
        subject.model().last_logits(&batch, &mut taken)?;
        let positions = batch.position_count() * config.d_model;
        let last: Vec<f32> = taken
            .get(hook)
            .chunks_exact(positions.max(1))
            .flat_map(|prompt| &prompt[positions - config.d_model..])
            .copied()
            .collect();
        for watched in &mut all {
            let latents = watched.found.latents;
            let mut unions = [NeuronUnion::new(1, latents), NeuronUnion::new(1, latents)];
            let codes = watched.dictionary.encode(&last);
            for (codes, word) in codes.chunks_exact(latents.max(1)).zip(passed.scored_words()) {
                let codes: Vec<f64> = codes.iter().map(|code| f64::from(*code)).collect();
                let adds = contributions(&watched.promotions, *word as usize, &codes);
                for (scores, union) in [codes, adds].into_iter().zip(&mut unions) {
                    let Ok(found) = AnswerScores::new(vec![scores.clone()], latents) else {
                        continue;
                    };
                    let mut used = found.select(Threshold::TopK(settings.k), settings.reading());
                    used.retain(|(_, feature)| scores[*feature] > 0.0);
                    // They are this dictionary's own.
                    let _ = union.add_answer(&used);
                }
            }
            let [active, contributing] = unions.map(|union| union.mui());
            watched.found.active.push(active);
            watched.found.contributing.push(contributing);
        }
    }
    let permuted = permuted_spearman(&mut NumpyRng::new(CONTROL_SEED), &neurons, &neurons);
    Ok(FeaturesResult {
        k: settings.k,
        tasks: Task::ALL.map(|of| of.name().to_owned()).to_vec(),
        neurons,
        dictionaries: all.into_iter().map(|watched| watched.found).collect(),
        permuted,
    })
}
