use serde::Serialize;

use super::config::{JOBS_MAX, ROWS_RANGE};
use super::method::{Method, MethodRole};
use crate::sae::train::{
    CURVE_POINTS_DEFAULT, CURVE_POINTS_MAX, Family, STEPS_MAX, TRAIN_K_DEFAULT, TRAIN_ROWS_DEFAULT,
};
use crate::settings::{Choice, choice};

/// What a page offers to choose from, and the numbers that a training has where nobody says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesChoices"))]
pub struct Choices {
    /// Every method, in the order of a study.
    pub methods: Vec<MethodChoice>,
    /// The worlds, a reader's own activations among them.
    pub worlds: &'static [Choice],
    /// The presets.
    pub presets: &'static [Choice],
    /// The readings of completeness.
    pub readings: &'static [Choice],
    /// Every family of autoencoders, in the same order.
    pub families: Vec<FamilyChoice>,
    /// Codes a row.
    pub k: usize,
    /// Rows trained on.
    pub rows: usize,
    /// Most rows trained on.
    pub rows_max: usize,
    /// Points of a training's curve.
    pub points: u32,
    /// Most points of a training's curve.
    pub points_max: u32,
    /// Most steps of a training.
    pub steps_max: u32,
    /// Most members of a study.
    pub jobs_max: usize,
}

/// A method to choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct MethodChoice {
    /// Which.
    pub method: Method,
    /// Its name for readers.
    pub label: &'static str,
    /// What it is there for.
    pub role: MethodRole,
}

/// A family to train.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct FamilyChoice {
    /// Which.
    pub family: Family,
    /// Its name for readers.
    pub label: &'static str,
    /// Whether a number of codes sets its sparsity, rather than a coefficient.
    pub has_k: bool,
}

const WORLD_CHOICES: &[Choice] = &[
    choice("superposition", "Superposition: more features than dimensions", ""),
    choice("nonlinear", "Nonlinear circuit: units act by products", ""),
    choice("paper", "The paper’s hidden activations", ""),
    choice("given", "Your own activations", ""),
];

const PRESET_CHOICES: &[Choice] =
    &[choice("small", "Small: seconds to a minute", ""), choice("full", "Full: trained to the end", "")];

const READING_CHOICES: &[Choice] = &[
    choice("reconstruction", "f of the reconstruction", ""),
    choice("row-space", "Row space (the paper’s)", ""),
    choice("active-subspace", "Active directions of each row", ""),
];

/// Everything that there is to choose.
#[must_use]
pub fn available_choices() -> Choices {
    let method = |method: Method| MethodChoice { method, label: method.label(), role: method.role() };
    let family = |family: Family| FamilyChoice { family, label: family.label(), has_k: family.has_k() };
    Choices {
        methods: Method::ALL.map(method).to_vec(),
        worlds: WORLD_CHOICES,
        presets: PRESET_CHOICES,
        readings: READING_CHOICES,
        families: Family::ALL.map(family).to_vec(),
        k: TRAIN_K_DEFAULT,
        rows: TRAIN_ROWS_DEFAULT,
        rows_max: ROWS_RANGE.max as usize,
        points: CURVE_POINTS_DEFAULT,
        points_max: CURVE_POINTS_MAX,
        steps_max: STEPS_MAX,
        jobs_max: JOBS_MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::families::{FamiliesConfig, Reading};
    use crate::synthetic::World;

    #[test]
    fn every_choice_is_offered_and_no_other() {
        fn sorted(mut words: Vec<&str>) -> Vec<&str> {
            words.sort_unstable();
            words
        }
        let words = |offered: &[Choice]| sorted(offered.iter().map(|one| one.word).collect());
        let found = available_choices();
        assert_eq!(words(found.presets), sorted(FamiliesConfig::PRESETS.to_vec()));
        assert_eq!(words(found.readings), sorted(Reading::ALL.map(Reading::name).to_vec()));
        let mut worlds = World::NAMES.to_vec();
        worlds.push("given");
        assert_eq!(words(found.worlds), sorted(worlds));
    }
}
