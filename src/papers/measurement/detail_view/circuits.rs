//! Circuits that pictures hold against each other: the one that is found, random ones, all heads and none.

use super::Settings;
use crate::NumpyRng;
use crate::model::{Config, Model};
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{Circuits, head_name};
use crate::synthetic::{Head, HeadEdits};

/// The circuit that backward elimination leaves.
pub(super) const FOUND: &str = "found circuit";
/// What a random circuit's name begins with.
pub(super) const RANDOM: &str = "random circuit";
/// Seeds that are tried for random circuits that differ.
const TRIES: u32 = 1_000;

/// Heads that are said to be a circuit.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub name: String,
    /// By layer and number.
    pub heads: Vec<Head>,
}

impl Claim {
    pub(super) fn of(name: impl Into<String>, heads: Vec<Head>) -> Self {
        Self { name: name.into(), heads }
    }

    pub(super) fn is_found(&self) -> bool {
        self.name == FOUND
    }

    /// Whether it is a random circuit after the first, which stands for all of them in sentences.
    pub(super) fn is_spare(&self) -> bool {
        self.name.starts_with(RANDOM) && !self.name.ends_with(" 1")
    }
}

/// Every head of a model.
pub(super) fn heads(config: Config) -> Vec<Head> {
    (0..config.layers).flat_map(|layer| (0..config.heads).map(move |head| (layer, head))).collect()
}

/// The circuit that is found, and as many random ones of as many heads as there are seeds; none where there is but one
/// such circuit.
pub(super) fn found_and_random(
    circuits: &mut Circuits,
    model: &Model,
    settings: &Settings,
) -> Result<Vec<Claim>, MeasurementError> {
    let all = heads(*model.config());
    let found = circuits.backward()?;
    let size = found.len();
    let mut claims = vec![Claim::of(FOUND, found)];
    if size == 0 || size >= all.len() {
        return Ok(claims);
    }
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    for seed in 1..=TRIES {
        if claims.len() > settings.seeds as usize {
            break;
        }
        let drawn = NumpyRng::new(seed).choice(count, size);
        let mut drawn: Vec<Head> =
            drawn.into_iter().filter_map(|at| all.get(at as usize).copied()).collect();
        drawn.sort_unstable();
        if claims.iter().all(|claim| claim.heads != drawn) {
            let name = format!("{RANDOM} {}", claims.len());
            claims.push(Claim::of(name, drawn));
        }
    }
    Ok(claims)
}

/// The same, and the two circuits that need no search: all heads, and none.
pub(super) fn claims(
    circuits: &mut Circuits,
    model: &Model,
    settings: &Settings,
) -> Result<Vec<Claim>, MeasurementError> {
    let mut claims = found_and_random(circuits, model, settings)?;
    claims.push(Claim::of("all heads", heads(*model.config())));
    claims.push(Claim::of("no head", Vec::new()));
    Ok(claims)
}

/// Logit differences with some heads alone: all others are mean-ablated.
pub(super) fn alone(
    circuits: &mut Circuits,
    all: &[Head],
    kept: &[Head],
) -> Result<Vec<f64>, MeasurementError> {
    let others: Vec<Head> = all.iter().filter(|head| !kept.contains(head)).copied().collect();
    circuits.logit_differences(&HeadEdits::ablate(&others))
}

/// A circuit's heads in a sentence: "heads 0.0, 2.1"; "head 0.0"; "no head".
pub(super) fn named(heads: &[Head]) -> String {
    match heads {
        [] => "no head".to_owned(),
        [head] => format!("head {}", head_name(*head)),
        heads => format!("heads {}", listed(heads)),
    }
}

/// A circuit's heads: "0.0, 2.1".
pub(super) fn listed(heads: &[Head]) -> String {
    heads.iter().map(|head| head_name(*head)).collect::<Vec<_>>().join(", ")
}
