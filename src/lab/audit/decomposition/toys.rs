//! Ten trained toy models of two planted languages, each a unit that statistics generalise over: two from JAX, eight by
//! the project's own trainer.

use crate::model::{Config, Parameters};
use crate::papers::mui::baselines::{MODELS, MODELS_SECOND, SECOND, SMALL};
use crate::synthetic::language::Grammar;
use crate::toy_model::{self, FINAL, ToyModelError};

use super::UNTRAINED;

/// A model of the toy model's sizes that was trained from the weights that are drawn by another seed, and those weights.
const OTHER: (&str, &str, u32) = ("seed1-12000", "seed1-untrained", 1);

/// A trained model, and the same before its training.
#[derive(Clone, Copy)]
pub(super) struct Toy {
    pub name: &'static str,
    pub untrained: &'static str,
    /// What it learnt.
    pub grammar: Grammar,
}

const fn first(name: &'static str, untrained: &'static str) -> Toy {
    Toy { name, untrained, grammar: Grammar::First }
}

const fn second(name: &'static str, untrained: &'static str) -> Toy {
    Toy { name, untrained, grammar: Grammar::Second }
}

/// The toy model itself.
pub(super) const LAST: Toy = first(FINAL, UNTRAINED);

/// The languages alternate, so that a few seeds have both.
const TOYS: [Toy; 10] = [
    LAST,
    second("second-w24-l2", "second-w24-l2-untrained"),
    first("w32-l3", "w32-l3-untrained"),
    second("second-w32-l3", "second-w32-l3-untrained"),
    first("w24-l2", "w24-l2-untrained"),
    second("second-w32-l2", "second-w32-l2-untrained"),
    first(OTHER.0, OTHER.1),
    second("second-w24-l3", "second-w24-l3-untrained"),
    first("w24-l3-seed1", "w24-l3-seed1-untrained"),
    second("second-w32-l2-seed1", "second-w32-l2-seed1-untrained"),
];

/// The shipped files that they are in.
pub(super) const FILES: [&str; 5] = [FINAL, UNTRAINED, OTHER.0, MODELS, MODELS_SECOND];

/// The model of a seed, as it is trained and before; both can be had by these names from then on.
pub(super) fn of_seed(seed: u32) -> Result<Toy, ToyModelError> {
    let at = seed as usize % TOYS.len();
    let toy = TOYS.get(at).copied().unwrap_or(LAST);
    let Toy { name, untrained, .. } = toy;
    if toy_model::is_here(name) && toy_model::is_here(untrained) {
        return Ok(toy);
    }
    if name == OTHER.0 {
        toy_model::keep_model(OTHER.1, Parameters::drawn(Config::LITTLE, OTHER.2));
        return Ok(toy);
    }
    if let Some(small) = SMALL.iter().chain(&SECOND).find(|small| small.name == name) {
        toy_model::keep_model(name, small.open()?);
        toy_model::keep_model(untrained, Parameters::drawn(small.config(), small.seed));
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
        let trained = embedded(&toy_model::parameters(OTHER.0).unwrap());
        let apart = |seed: u32| {
            let drawn = embedded(&Parameters::drawn(Config::LITTLE, seed));
            crate::statistics::pearson_coefficient(&trained, &drawn).unwrap()
        };
        // What is trained keeps half of what it began with, and nothing of another draw.
        assert!(apart(OTHER.2) > 0.5 && apart(0).abs() < 0.1, "{} {}", apart(OTHER.2), apart(0));
    }

    #[test]
    fn as_many_models_are_of_either_language() {
        for (at, toy) in TOYS.iter().enumerate() {
            let second = at % 2 == 1;
            assert_eq!(toy.grammar == Grammar::Second, second, "{}", toy.name);
            assert_eq!(SECOND.iter().any(|small| small.name == toy.name), second, "{}", toy.name);
            assert_eq!(toy.untrained.strip_suffix("-untrained").is_some(), at > 0);
            let found = of_seed(at as u32).unwrap();
            let config = |name| *toy_model::model(name).unwrap().config();
            assert_eq!(config(found.name), config(found.untrained), "{}", toy.name);
        }
    }
}
