//! Circuits that pictures hold against each other: the one that is found, random ones, all heads and none.

use super::Settings;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{Circuits, head_name};
use crate::synthetic::Head;

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

/// The circuit that is found, and as many random ones of as many heads as there are seeds; none where there is but one
/// such circuit.
pub(super) fn found_and_random(
    circuits: &mut Circuits,
    settings: &Settings,
) -> Result<Vec<Claim>, MeasurementError> {
    let found = circuits.backward()?;
    let size = found.len();
    let mut claims = vec![Claim::of(FOUND, found)];
    if size == 0 || size >= circuits.heads().len() {
        return Ok(claims);
    }
    for seed in 1..=TRIES {
        if claims.len() > settings.seeds as usize {
            break;
        }
        let drawn = circuits.random(seed, size);
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
    settings: &Settings,
) -> Result<Vec<Claim>, MeasurementError> {
    let mut claims = found_and_random(circuits, settings)?;
    claims.push(Claim::of("all heads", circuits.heads().to_vec()));
    claims.push(Claim::of("no head", Vec::new()));
    Ok(claims)
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
