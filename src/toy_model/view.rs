//! One text, looked at from everywhere: what comes next, what looks at what, what is active.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::Serialize;

use super::task::{Head, check_heads};
use super::{AUTOENCODER_LAYER, Dictionary, ToyModelError};
use crate::model::{ActivationCache, Batch, HeadAblation, HeadMeans, Hook, Hooks, Model, Site};
use crate::order::argsort_descending;
use crate::synthetic::language::{Token, draw_texts};

/// Likeliest words that are told of each position.
const NEXT_WORDS_PER_POSITION: usize = 5;
/// Neurons and latents that are told of a text, the strongest.
const STRONGEST_UNITS_MAX: usize = 24;
/// The natural texts by whose mean a head is ablated: seed and number.
const NATURAL_TEXTS_SEED_AND_COUNT: (u32, usize) = (2, 128);

/// A word that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LittleNext"))]
pub struct NextWord {
    /// The word.
    pub token: Token,
    /// From 0 to 1.
    pub probability: f64,
}

/// A neuron's activations on a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LittleNeuron"))]
pub struct NeuronOnText {
    /// Its layer, from 0.
    pub layer: usize,
    /// Its number in the layer.
    pub index: usize,
    /// Of every position.
    pub values: Vec<f32>,
}

/// A latent's activations on a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LittleLatent"))]
pub struct LatentOnText {
    /// Its number.
    pub latent: usize,
    /// Of every position; 0 at the first, which autoencoders do not read.
    pub values: Vec<f32>,
}

/// What a model makes of a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LittleReading"))]
pub struct TextView {
    /// The likeliest next words after every position, the likeliest first.
    pub next: Vec<Vec<NextWord>>,
    /// The probability that every position gives to the word that does come next; of all but the last.
    pub own: Vec<f64>,
    /// Of each layer and head, how much each position looks at each: rows sum to 1.
    pub patterns: Vec<Vec<Vec<Vec<f32>>>>,
    /// The neurons that are strongest anywhere, the strongest first.
    pub neurons: Vec<NeuronOnText>,
    /// The latents that are strongest anywhere, the strongest first.
    pub latents: Vec<LatentOnText>,
}

/// What heads say on average over natural texts, by the checkpoint's name.
static HEAD_MEANS: LazyLock<Mutex<BTreeMap<String, Arc<HeadMeans>>>> = LazyLock::new(Mutex::default);

fn head_means(checkpoint: &str, model: &Model) -> Result<Arc<HeadMeans>, ToyModelError> {
    let mut all = HEAD_MEANS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(means) = all.get(checkpoint) {
        return Ok(means.clone());
    }
    let means = Arc::new(HeadMeans::from_batch(
        model,
        &Batch::new(&draw_texts(NATURAL_TEXTS_SEED_AND_COUNT.0, NATURAL_TEXTS_SEED_AND_COUNT.1))?,
    )?);
    all.insert(checkpoint.to_owned(), means.clone());
    Ok(means)
}

/// What a checkpoint makes of a text of 1 to 32 tokens. Ablated heads say what they say on average over
/// natural texts, position by position.
///
/// # Errors
/// [`ToyModelError`]: no checkpoint of that name, a token that there is not, too many of them, no such head.
pub fn view_text(
    checkpoint: &str,
    tokens: &[Token],
    dictionary: &Dictionary,
    ablated: &[Head],
) -> Result<TextView, ToyModelError> {
    let model = super::load_model(checkpoint)?;
    let config = *model.config();
    if tokens.is_empty() || tokens.len() > config.context {
        let allowed = format!("1 to {}", config.context);
        return Err(ToyModelError::Count { field: "words", found: tokens.len(), allowed });
    }
    check_heads(&model, ablated)?;
    let blocks = |site| (0..config.layers).map(move |layer| Hook::Block(layer, site));
    let wanted: Vec<Hook> = blocks(Site::Pattern)
        .chain(blocks(Site::MlpPost))
        .chain([Hook::Block(AUTOENCODER_LAYER, Site::ResidPost)])
        .collect();
    let mut taken = ActivationCache::for_hooks(&wanted);
    let batch = Batch::new(&[tokens])?;
    let logits = if ablated.is_empty() {
        model.logits(&batch, &mut taken)?
    } else {
        let means = head_means(checkpoint, &model)?;
        let mut ablation = HeadAblation { means: &means, heads: ablated.to_vec() };
        let mut both = (&mut ablation as &mut dyn Hooks, &mut taken as &mut dyn Hooks);
        model.logits(&batch, &mut both)?
    };
    let shares: Vec<Vec<f64>> = logits.chunks_exact(config.vocabulary).map(softmax).collect();
    let next = shares.iter().map(|shares| {
        let order = argsort_descending(shares.iter().copied()).into_iter().take(NEXT_WORDS_PER_POSITION);
        order.map(|at| NextWord { token: at as Token, probability: shares[at] }).collect()
    });
    let own = shares.iter().zip(&tokens[1..]).map(|(shares, next)| shares[*next as usize]);
    let positions = tokens.len();
    let patterns = (0..config.layers).map(|layer| {
        let all = taken.get(Hook::Block(layer, Site::Pattern));
        let heads = all.chunks_exact(positions * positions);
        heads.map(|head| head.chunks_exact(positions).map(<[f32]>::to_vec).collect()).collect()
    });
    let residual = taken.get(Hook::Block(AUTOENCODER_LAYER, Site::ResidPost));
    let mut latents = dictionary.encode(residual);
    latents.iter_mut().take(dictionary.latent_count()).for_each(|value| *value = 0.0);
    let neurons = (0..config.layers).flat_map(|layer| {
        let values = to_columns(taken.get(Hook::Block(layer, Site::MlpPost)), config.d_mlp);
        values.into_iter().enumerate().map(move |(index, values)| NeuronOnText { layer, index, values })
    });
    let latents = to_columns(&latents, dictionary.latent_count()).into_iter().enumerate();
    Ok(TextView {
        next: next.collect(),
        own: own.collect(),
        patterns: patterns.collect(),
        neurons: keep_strongest(neurons.collect(), |neuron| &neuron.values),
        latents: keep_strongest(latents.map(|(latent, values)| LatentOnText { latent, values }).collect(), |latent| {
            &latent.values
        }),
    })
}

/// The softmax of a row of logits.
#[must_use]
pub fn softmax(logits: &[f32]) -> Vec<f64> {
    let most = f64::from(logits.iter().fold(f32::NEG_INFINITY, |most, logit| most.max(*logit)));
    let weights: Vec<f64> = logits.iter().map(|logit| libm::exp(f64::from(*logit) - most)).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The columns of rows.
fn to_columns(rows: &[f32], width: usize) -> Vec<Vec<f32>> {
    (0..width).map(|at| rows.iter().skip(at).step_by(width.max(1)).copied().collect()).collect()
}

/// Those with the largest values in size, as many as are told; none that is 0 throughout.
fn keep_strongest<T>(all: Vec<T>, values: impl Fn(&T) -> &[f32]) -> Vec<T> {
    let most = |one: &T| values(one).iter().fold(0.0_f64, |most, value| most.max(f64::from(value.abs())));
    let sizes: Vec<f64> = all.iter().map(most).collect();
    let mut all: Vec<Option<T>> = all.into_iter().map(Some).collect();
    let order = argsort_descending(sizes.iter().copied()).into_iter().take(STRONGEST_UNITS_MAX);
    order.filter(|at| sizes[*at] > 0.0).filter_map(|at| all[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::language::Task;
    use crate::toy_model::{FINAL_CHECKPOINT, load_dictionary, task::test_prompts};

    #[test]
    fn a_prompt_is_answered_and_not_without_the_head_that_it_takes() {
        let prompts = test_prompts(Task::Ioi, 1).unwrap();
        let tokens = &prompts.tokens[0];
        let dictionary = load_dictionary("topk256").unwrap();
        let seen = view_text(FINAL_CHECKPOINT, tokens, &dictionary, &[]).unwrap();
        assert_eq!(seen.next.len(), tokens.len());
        assert_eq!(seen.own.len(), tokens.len() - 1);
        let last = &seen.next.last().unwrap()[0];
        assert_eq!(last.token, prompts.answers[0]);
        assert!(last.probability > 0.9);
        assert_eq!((seen.patterns.len(), seen.patterns[0].len()), (3, 4));
        for row in seen.patterns.iter().flatten().flatten() {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        assert!(seen.latents.iter().all(|latent| latent.values[0] == 0.0));
        assert!(seen.neurons.len() == STRONGEST_UNITS_MAX && seen.latents.len() <= STRONGEST_UNITS_MAX);

        let without = view_text(FINAL_CHECKPOINT, tokens, &dictionary, &[(0, 0)]).unwrap();
        let given = |view: &TextView| {
            let last = view.next.last().unwrap().iter();
            last.clone().find(|next| next.token == prompts.answers[0]).map_or(0.0, |n| n.probability)
        };
        assert!(given(&without) < given(&seen));
        let idle = view_text(FINAL_CHECKPOINT, tokens, &dictionary, &[(0, 1)]).unwrap();
        assert!((given(&idle) - given(&seen)).abs() < 0.1);
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let dictionary = load_dictionary("topk128").unwrap();
        let field = |tokens: &[Token], heads: &[Head]| {
            view_text(FINAL_CHECKPOINT, tokens, &dictionary, heads).unwrap_err().field()
        };
        assert_eq!(field(&[], &[]), Some("words"));
        assert_eq!(field(&[0; 33], &[]), Some("words"));
        assert_eq!(field(&[0], &[(0, 4)]), Some("head"));
        assert!(view_text(FINAL_CHECKPOINT, &[144], &dictionary, &[]).is_err());
    }
}
