use crate::lab::audit::metrics::{COUNT, NAMES};
use crate::lab::audit::subject::World;
use crate::settings::{Choice, Field, Group, Kind, Part, Range, When, wish};

/// What stands for the metric that is the first of the table.
pub const FIRST: &str = "first";
/// The fields on which it depends what is measured; all others are of what was.
pub const MEASURED: [&str; 4] = ["preset", "seeds", "first_seed", "world"];

const MEASURE: Group = Group { name: "measured", heading: "What is measured" };
const RULE: Group = Group { name: "rule", heading: "The rule" };
const WEIGHTS: Group = Group { name: "weights", heading: "Weights of the columns" };
const SHOWN: Group = Group { name: "shown", heading: "What is shown" };

const fn choice(word: &'static str, label: &'static str, help: &'static str) -> Choice {
    Choice { word, label, help }
}

const PRESETS: [Choice; 2] = [
    choice("small", "small", "What a reader waits for"),
    choice("full", "full", "All worlds, tasks, samples and longer searches"),
];

const WORLDS: [Choice; World::MADE.len() + 1] = {
    let mut worlds = [choice("all", "all of the preset", ""); World::MADE.len() + 1];
    let mut at = 0;
    while at < World::MADE.len() {
        worlds[at + 1] = choice(World::MADE[at].name(), World::MADE[at].name(), "");
        at += 1;
    }
    worlds
};

const METRICS: [Choice; COUNT + 1] = {
    let mut metrics = [choice(FIRST, "the first of the table", ""); COUNT + 1];
    let mut at = 0;
    while at < COUNT {
        metrics[at + 1] = choice(NAMES[at].0, NAMES[at].1, "");
        at += 1;
    }
    metrics
};

const PAPERS: [Choice; 6] = [
    choice("all", "all papers", ""),
    choice("sfc", "SFC-Score", ""),
    choice("fade", "FADE", ""),
    choice("ce-bench", "CE-Bench", ""),
    choice("mui", "MUI", ""),
    choice("measurement", "Measurement theory", ""),
];

const HAS: [Choice; 5] = [
    choice("all", "everything", ""),
    choice("scores", "scores alone", "What another metric said, run by run"),
    choice("activations", "activations and a dictionary", "And scores"),
    choice("model", "a model that runs", "And its activations"),
    choice("judge", "a judge of texts", "And a model"),
];

const ASKS: [Choice; 8] = [
    choice("all", "anything", ""),
    choice("reliability", "whether it says the same again", ""),
    choice("discrimination", "whether it tells controls", ""),
    choice("validity", "whether it follows the truth", ""),
    choice("invariance", "whether it keeps still", ""),
    choice("reach", "whether it can fail and pass", ""),
    choice("redundancy", "whether it says something else", ""),
    choice("cost", "what it costs", ""),
];

const SORTS: [Choice; 9] = [
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

const fn row(
    (name, key): (&'static str, &'static str),
    group: Group,
    (label, help): (&'static str, &'static str),
    kind: Kind,
    rank: u8,
    lead: &'static str,
) -> Field {
    Field { name, key, group, label, help, kind, part: Part { rank, lead, when: When::Changed } }
}

const fn limit(
    name: &'static str,
    key: &'static str,
    said: (&'static str, &'static str),
    (min, max): (f64, f64),
    rank: u8,
    lead: &'static str,
) -> Field {
    row((name, key), RULE, said, Kind::Number(Range::real(name, min, max)), rank, lead)
}

const fn weight(
    name: &'static str,
    key: &'static str,
    label: &'static str,
    rank: u8,
    lead: &'static str,
) -> Field {
    let help = "Weight of this column in your own score";
    row((name, key), WEIGHTS, (label, help), Kind::Number(Range::real(name, 0.0, 1.0)), rank, lead)
}

/// Every knob, in the order in which a link has them.
#[rustfmt::skip]
pub const FIELDS: [Field; 25] = [
    row(("preset", "preset"), MEASURE, ("Preset", "How much is measured"), Kind::Choice(&PRESETS), 0, "-"),
    row(("seeds", "seeds"), MEASURE, ("Seeds", "Draws of every world, and trainings in it"),
        Kind::Number(Range::whole("seeds", 1, 100)), 1, "-seeds"),
    row(("first_seed", "first"), MEASURE, ("First seed", "The first of these seeds"),
        Kind::Number(Range::whole("first_seed", 0, 1_000_000)), 2, "-from"),
    row(("world", "world"), MEASURE, ("World", "Where subjects come from"), Kind::Choice(&WORLDS), 3, "-"),
    limit("cv", "cv", ("CV, holds", "Coefficient of variation over seeds up to which a metric is reliable"), (0.0, 10.0), 4, "-cv"),
    limit("cv_partly", "cvp", ("CV, partly", "Coefficient of variation over seeds up to which it partly is"), (0.0, 10.0), 5, "-cvp"),
    limit("fdr", "q", ("False discoveries", "False discovery rate, over all p of the table"), (0.0001, 0.5), 6, "-q"),
    limit("auc", "auc", ("AUC", "Share of pairs of seeds from which a control is told"), (0.5, 1.0), 7, "-auc"),
    limit("validity", "rho", ("Truth, ρ", "Rank correlation with the truth above which a metric is valid"), (0.0, 1.0), 8, "-rho"),
    limit("change", "change", ("Change", "Relative change up to which nothing changed"), (0.0, 10.0), 9, "-change"),
    limit("redundancy", "alike", ("Alike, |ρ|", "Rank correlation from which two metrics say the same"), (0.0, 1.0), 10, "-alike"),
    limit("seconds", "s", ("Seconds, holds", "Seconds of one subject up to which a metric is cheap"), (0.0, 3600.0), 11, "-s"),
    limit("seconds_partly", "sp", ("Seconds, partly", "Seconds of one subject up to which it partly is"), (0.0, 3600.0), 12, "-sp"),
    weight("weigh_reliability", "w1", "Reliability", 13, "-w1-"),
    weight("weigh_discrimination", "w2", "Discrimination", 14, "-w2-"),
    weight("weigh_validity", "w3", "Validity", 15, "-w3-"),
    weight("weigh_invariance", "w4", "Invariance", 16, "-w4-"),
    weight("weigh_reach", "w5", "Reach", 17, "-w5-"),
    weight("weigh_redundancy", "w6", "Redundancy", 18, "-w6-"),
    weight("weigh_cost", "w7", "Cost", 19, "-w7-"),
    row(("sort", "sort"), SHOWN, ("Order", "By what rows are ordered"), Kind::Choice(&SORTS), 20, "-by-"),
    row(("metric", "metric"), SHOWN, ("Metric", "Which metric is opened"), Kind::Choice(&METRICS), 21, "-"),
    row(("paper", "paper"), SHOWN, ("Paper", "Whose metrics are shown"), Kind::Choice(&PAPERS), 22, "-of-"),
    row(("has", "has"), SHOWN, ("You have", "Only what can be measured with it is shown"), Kind::Choice(&HAS), 23, "-with-"),
    row(("asks", "asks"), SHOWN, ("You want to know", "Only what holds there, at least partly, is shown"), Kind::Choice(&ASKS), 24, "-for-"),
];

wish! {
    /// Somebody's wish for [`Settings`](super::Settings), unchecked.
    pub struct Draft {
        preset: Word,
        seeds: Number,
        first_seed: Number,
        world: Word,
        cv: Number,
        cv_partly: Number,
        fdr: Number,
        auc: Number,
        validity: Number,
        change: Number,
        redundancy: Number,
        seconds: Number,
        seconds_partly: Number,
        weigh_reliability: Number,
        weigh_discrimination: Number,
        weigh_validity: Number,
        weigh_invariance: Number,
        weigh_reach: Number,
        weigh_redundancy: Number,
        weigh_cost: Number,
        sort: Word,
        metric: Word,
        paper: Word,
        has: Word,
        asks: Word,
    }
}
