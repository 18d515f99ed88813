//! Circuits that pictures hold against each other: the one that is found, random ones, all heads and none.

use super::Settings;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::circuit::{CircuitEvaluator, head_name};
use crate::synthetic::Head;

/// The circuit that backward elimination leaves.
pub(super) const FOUND_CIRCUIT: &str = "found circuit";
/// What a random circuit's name begins with.
pub(super) const RANDOM_CIRCUIT: &str = "random circuit";
/// Seeds that are tried for random circuits that differ.
const SEEDS_TRIED_MAX: u32 = 1_000;

/// Heads that are said to be a circuit.
#[derive(Clone, Debug)]
pub(super) struct NamedCircuit {
    pub name: String,
    /// By layer and number.
    pub heads: Vec<Head>,
}

impl NamedCircuit {
    pub(super) fn new(name: impl Into<String>, heads: Vec<Head>) -> Self {
        Self { name: name.into(), heads }
    }

    pub(super) fn is_found(&self) -> bool {
        self.name == FOUND_CIRCUIT
    }

    /// Whether it is a random circuit after the first, which stands for all of them in sentences.
    pub(super) fn is_extra_random(&self) -> bool {
        self.name.starts_with(RANDOM_CIRCUIT) && !self.name.ends_with(" 1")
    }
}

/// The circuit that is found, and as many random ones of as many heads as there are seeds; none where there is but one
/// such circuit.
pub(super) fn found_and_random_circuits(
    circuits: &mut CircuitEvaluator,
    settings: &Settings,
) -> Result<Vec<NamedCircuit>, MeasurementError> {
    let found = circuits.backward_elimination()?;
    let size = found.len();
    let mut claims = vec![NamedCircuit::new(FOUND_CIRCUIT, found)];
    if size == 0 || size >= circuits.heads().len() {
        return Ok(claims);
    }
    for seed in 1..=SEEDS_TRIED_MAX {
        if claims.len() > settings.seeds as usize {
            break;
        }
        let drawn = circuits.random_heads(seed, size);
        if claims.iter().all(|claim| claim.heads != drawn) {
            let name = format!("{RANDOM_CIRCUIT} {}", claims.len());
            claims.push(NamedCircuit::new(name, drawn));
        }
    }
    Ok(claims)
}

/// The same, and the two circuits that need no search: all heads, and none.
pub(super) fn circuits_to_compare(
    circuits: &mut CircuitEvaluator,
    settings: &Settings,
) -> Result<Vec<NamedCircuit>, MeasurementError> {
    let mut claims = found_and_random_circuits(circuits, settings)?;
    claims.push(NamedCircuit::new("all heads", circuits.heads().to_vec()));
    claims.push(NamedCircuit::new("no head", Vec::new()));
    Ok(claims)
}

/// A circuit's heads in a sentence: "heads 0.0, 2.1"; "head 0.0"; "no head".
pub(super) fn describe_heads(heads: &[Head]) -> String {
    match heads {
        [] => "no head".to_owned(),
        [head] => format!("head {}", head_name(*head)),
        heads => format!("heads {}", join_head_names(heads)),
    }
}

/// A circuit's heads: "0.0, 2.1".
pub(super) fn join_head_names(heads: &[Head]) -> String {
    heads.iter().map(|head| head_name(*head)).collect::<Vec<_>>().join(", ")
}
