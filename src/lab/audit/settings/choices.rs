use crate::lab::audit::metrics::{METRIC_COUNT, METRIC_NAMES};
use crate::lab::audit::subject::World;
use crate::settings::{Choice, FormGroup, choice, choices_from_words, prepend_choice};

/// What stands for the metric that is the first of the table.
pub const FIRST_METRIC: &str = "first";
/// The fields on which it depends what is measured; all others are of what was.
pub const MEASUREMENT_FIELDS: [&str; 5] = ["preset", "seeds", "first_seed", "world", "edition"];

/// What the weights of all columns are.
pub(super) const WEIGHT_HELP: &str = "Weight of this column in your own score";

pub(super) const MEASURED_GROUP: FormGroup = FormGroup { name: "measured", heading: "What is measured" };
pub(super) const RULE_GROUP: FormGroup = FormGroup { name: "rule", heading: "The rule" };
pub(super) const FIRST_RULE_GROUP: FormGroup = FormGroup { name: "rule-1", heading: "The rule of the first edition" };
pub(super) const SECOND_RULE_GROUP: FormGroup = FormGroup { name: "rule-2", heading: "The rule of the second edition" };
pub(super) const WEIGHTS_GROUP: FormGroup = FormGroup { name: "weights", heading: "Weights of the columns" };
pub(super) const SHOWN_GROUP: FormGroup = FormGroup { name: "shown", heading: "What is shown" };

pub(super) const PRESETS: [Choice; 2] = [
    choice("small", "small", "Fast: three seeds in about a minute"),
    choice("full", "full", "All worlds, tasks, samples and longer searches"),
];

pub(super) const EDITIONS: [Choice; 2] = [
    choice("2", "second", "Several truths, models as units, words from intervals"),
    choice("1", "first", "Kept to be read; what is wrong with it stands in the protocol"),
];

pub(super) const WORLDS: [Choice; World::BUILT_IN.len() + 1] = {
    let mut names = [""; World::BUILT_IN.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = World::BUILT_IN[at].name();
        at += 1;
    }
    prepend_choice(choice("all", "all of the preset", ""), choices_from_words(names))
};

pub(super) const METRICS: [Choice; METRIC_COUNT + 1] = {
    let mut metrics = [choice(FIRST_METRIC, "the first of the table", ""); METRIC_COUNT + 1];
    let mut at = 0;
    while at < METRIC_COUNT {
        metrics[at + 1] = choice(METRIC_NAMES[at].0, METRIC_NAMES[at].1, "");
        at += 1;
    }
    metrics
};

pub(super) const PAPERS: [Choice; 6] = [
    choice("all", "all papers", ""),
    choice("sfc", "SFC-Score", ""),
    choice("fade", "FADE", ""),
    choice("ce-bench", "CE-Bench", ""),
    choice("mui", "MUI", ""),
    choice("measurement", "Measurement theory", ""),
];

pub(super) const ACCESS_CHOICES: [Choice; 5] = [
    choice("all", "everything", ""),
    choice("scores", "scores alone", "What another metric said, run by run"),
    choice("activations", "activations and a dictionary", "And scores"),
    choice("model", "a model that runs", "And its activations"),
    choice("judge", "a judge of texts", "And a model"),
];

pub(super) const COLUMN_CHOICES: [Choice; 8] = [
    choice("all", "anything", ""),
    choice("reliability", "reliability over seeds", ""),
    choice("discrimination", "separating controls", ""),
    choice("validity", "tracking ground truth", ""),
    choice("invariance", "invariance", ""),
    choice("reach", "attainable pass and fail", ""),
    choice("redundancy", "adding information", ""),
    choice("cost", "cost", ""),
];

pub(super) const SORT_CHOICES: [Choice; 9] = [
    choice("score", "your own score", ""),
    choice("paper", "paper", ""),
    choice("reliability", "reliability", ""),
    choice("discrimination", "discrimination", ""),
    choice("validity", "validity", ""),
    choice("invariance", "invariance", ""),
    choice("reach", "reach", ""),
    choice("redundancy", "redundancy", ""),
    choice("cost", "cost", ""),
];
