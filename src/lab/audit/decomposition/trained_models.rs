//! Ten trained toy models of two planted languages, each a unit that statistics generalise over: two from JAX, eight by
//! the project's own trainer.

use crate::model::{Config, Parameters};
use crate::papers::mui::baselines::{BASELINES, BASELINES_FILE, SECOND_BASELINES, SECOND_BASELINES_FILE};
use crate::synthetic::language::Grammar;
use crate::toy_model::{self, FINAL_CHECKPOINT, ToyModelError};

use super::UNTRAINED_CHECKPOINT;

/// A model of the toy model's sizes that was trained from the weights that are drawn by another seed, and those weights.
const SECOND_SEED_MODEL: (&str, &str, u32) = ("seed1-12000", "seed1-untrained", 1);

/// A trained model, and the same before its training.
#[derive(Clone, Copy)]
pub(super) struct ToyPair {
    pub name: &'static str,
    pub untrained: &'static str,
    /// What it learnt.
    pub grammar: Grammar,
}

const fn first_language_toy(name: &'static str, untrained: &'static str) -> ToyPair {
    ToyPair { name, untrained, grammar: Grammar::First }
}

const fn second_language_toy(name: &'static str, untrained: &'static str) -> ToyPair {
    ToyPair { name, untrained, grammar: Grammar::Second }
}

/// The toy model itself.
pub(super) const FINAL_TOY: ToyPair = first_language_toy(FINAL_CHECKPOINT, UNTRAINED_CHECKPOINT);

/// The languages alternate, so that a few seeds have both.
const TOY_PAIRS: [ToyPair; 10] = [
    FINAL_TOY,
    second_language_toy("second-w24-l2", "second-w24-l2-untrained"),
    first_language_toy("w32-l3", "w32-l3-untrained"),
    second_language_toy("second-w32-l3", "second-w32-l3-untrained"),
    first_language_toy("w24-l2", "w24-l2-untrained"),
    second_language_toy("second-w32-l2", "second-w32-l2-untrained"),
    first_language_toy(SECOND_SEED_MODEL.0, SECOND_SEED_MODEL.1),
    second_language_toy("second-w24-l3", "second-w24-l3-untrained"),
    first_language_toy("w24-l3-seed1", "w24-l3-seed1-untrained"),
    second_language_toy("second-w32-l2-seed1", "second-w32-l2-seed1-untrained"),
];

/// The shipped files that they are in.
pub(super) const TOY_FILES: [&str; 5] =
    [FINAL_CHECKPOINT, UNTRAINED_CHECKPOINT, SECOND_SEED_MODEL.0, BASELINES_FILE, SECOND_BASELINES_FILE];

/// The model of a seed, as it is trained and before; both can be had by these names from then on.
pub(super) fn toy_for_seed(seed: u32) -> Result<ToyPair, ToyModelError> {
    let at = seed as usize % TOY_PAIRS.len();
    let toy = TOY_PAIRS.get(at).copied().unwrap_or(FINAL_TOY);
    let ToyPair { name, untrained, .. } = toy;
    if toy_model::is_model_available(name) && toy_model::is_model_available(untrained) {
        return Ok(toy);
    }
    if name == SECOND_SEED_MODEL.0 {
        toy_model::store_model(SECOND_SEED_MODEL.1, Parameters::random_init(Config::TOY_MODEL, SECOND_SEED_MODEL.2));
        return Ok(toy);
    }
    if let Some(small) = BASELINES.iter().chain(&SECOND_BASELINES).find(|small| small.name == name) {
        toy_model::store_model(name, small.load()?);
        toy_model::store_model(untrained, Parameters::random_init(small.config(), small.seed));
    }
    Ok(toy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trained_model_stands_beside_the_weights_that_it_began_with() {
        let embedded = |parameters: &Parameters| {
            let values = parameters.tensor("embed.W_E").iter().copied().map(f64::from);
            values.collect::<Vec<f64>>()
        };
        let trained = embedded(&toy_model::load_parameters(SECOND_SEED_MODEL.0).unwrap());
        let apart = |seed: u32| {
            let drawn = embedded(&Parameters::random_init(Config::TOY_MODEL, seed));
            crate::statistics::pearson_coefficient(&trained, &drawn).unwrap()
        };
        // What is trained keeps half of what it began with, and nothing of another draw.
        assert!(
            apart(SECOND_SEED_MODEL.2) > 0.5 && apart(0).abs() < 0.1,
            "{} {}",
            apart(SECOND_SEED_MODEL.2),
            apart(0)
        );
    }

    #[test]
    fn as_many_models_are_of_either_language() {
        for (at, toy) in TOY_PAIRS.iter().enumerate() {
            let second = at % 2 == 1;
            assert_eq!(toy.grammar == Grammar::Second, second, "{}", toy.name);
            assert_eq!(SECOND_BASELINES.iter().any(|small| small.name == toy.name), second, "{}", toy.name);
            assert_eq!(toy.untrained.strip_suffix("-untrained").is_some(), at > 0);
            let found = toy_for_seed(at as u32).unwrap();
            let config = |name| *toy_model::load_model(name).unwrap().config();
            assert_eq!(config(found.name), config(found.untrained), "{}", toy.name);
        }
    }
}
