//! What of the audit is measured, by what rule it is judged, and what of it is shown.

mod choices;

use super::job::{Job, Preset};
use super::rule::Edition;
use super::subject::World;
use crate::settings::{FieldKind, Problem, Range, parameters, part_if_changed};
use choices::*;
pub use choices::{FIRST_METRIC, MEASUREMENT_FIELDS};

parameters! {
    /// What is measured and shown. Out-of-range values cannot be held: it is made from a [`Draft`].
    pub struct Settings of "audit", in TypeScript "AuditSettings", where seeds gives way;

    /// How much is measured.
    preset: Preset = Preset::Small, ("preset", MEASURED_GROUP, "Preset", "How much is measured"),
        FieldKind::Choice(&PRESETS), part_if_changed(0, "-");
    /// How many seeds.
    seeds: u32 = 3, ("seeds", MEASURED_GROUP, "Seeds", "Draws of every world, and trainings in it"),
        FieldKind::Number(Range::integer("seeds", 1, 100)), part_if_changed(1, "-seeds");
    /// The first of them.
    first_seed: u32 = 0, ("first", MEASURED_GROUP, "First seed", "The first of these seeds"),
        FieldKind::Number(Range::integer("first_seed", 0, 1_000_000)), part_if_changed(2, "-from");
    /// The only world that is measured, or "all" of the preset.
    world: String = "all".to_owned(), ("world", MEASURED_GROUP, "Data set", "Where subjects come from"),
        FieldKind::Choice(&WORLDS), part_if_changed(3, "-");
    /// Coefficient of variation up to which a metric is reliable.
    cv: f64 = 0.1,
        ("cv", FIRST_RULE_GROUP, "CV, pass", "Coefficient of variation over seeds up to which a metric is reliable"),
        FieldKind::Number(Range::real("cv", 0.0, 10.0)), part_if_changed(4, "-cv");
    /// Coefficient of variation up to which it partly is.
    cv_partly: f64 = 0.3,
        ("cvp", FIRST_RULE_GROUP, "CV, partial", "Coefficient of variation over seeds up to which it is partly reliable"),
        FieldKind::Number(Range::real("cv_partly", 0.0, 10.0)), part_if_changed(5, "-cvp");
    /// False discovery rate.
    fdr: f64 = 0.05, ("q", RULE_GROUP, "False discoveries", "False discovery rate, over all p of the table"),
        FieldKind::Number(Range::real("fdr", 0.0001, 0.5)), part_if_changed(6, "-q");
    /// Area under the curve from which a control is told.
    auc: f64 = 0.9, ("auc", FIRST_RULE_GROUP, "AUC", "Share of pairs of seeds at which a control is separated"),
        FieldKind::Number(Range::real("auc", 0.5, 1.0)), part_if_changed(7, "-auc");
    /// Rank correlation with the truth above which a metric is valid.
    validity: f64 = 0.3, ("rho", RULE_GROUP, "Ground truth, ρ", "Rank correlation with ground truth above which a metric is valid"),
        FieldKind::Number(Range::real("validity", 0.0, 1.0)), part_if_changed(8, "-rho");
    /// Relative change up to which nothing changed.
    change: f64 = 0.1, ("change", RULE_GROUP, "Change", "Relative change up to which a metric counts as invariant"),
        FieldKind::Number(Range::real("change", 0.0, 10.0)), part_if_changed(9, "-change");
    /// Rank correlation from which two metrics are one.
    redundancy: f64 = 0.8, ("alike", RULE_GROUP, "Redundant, |ρ|", "Rank correlation from which two metrics are redundant"),
        FieldKind::Number(Range::real("redundancy", 0.0, 1.0)), part_if_changed(10, "-alike");
    /// Seconds up to which a metric is cheap.
    seconds: f64 = 0.1, ("s", RULE_GROUP, "Seconds, pass", "Seconds of one subject up to which a metric is cheap"),
        FieldKind::Number(Range::real("seconds", 0.0, 3600.0)), part_if_changed(11, "-s");
    /// Seconds up to which it partly is.
    seconds_partly: f64 = 1.0, ("sp", RULE_GROUP, "Seconds, partial", "Seconds per subject up to which it is partly cheap"),
        FieldKind::Number(Range::real("seconds_partly", 0.0, 3600.0)), part_if_changed(12, "-sp");
    /// Weight of a column in the reader's own order, from 0 to 1.
    weigh_reliability: f64 = 1.0, ("w1", WEIGHTS_GROUP, "Reliability", WEIGHT_HELP),
        FieldKind::Number(Range::real("weigh_reliability", 0.0, 1.0)), part_if_changed(13, "-w1-");
    /// As the first.
    weigh_discrimination: f64 = 1.0, ("w2", WEIGHTS_GROUP, "Discrimination", WEIGHT_HELP),
        FieldKind::Number(Range::real("weigh_discrimination", 0.0, 1.0)), part_if_changed(14, "-w2-");
    /// As the first.
    weigh_validity: f64 = 1.0, ("w3", WEIGHTS_GROUP, "Validity", WEIGHT_HELP),
        FieldKind::Number(Range::real("weigh_validity", 0.0, 1.0)), part_if_changed(15, "-w3-");
    /// As the first.
    weigh_invariance: f64 = 1.0, ("w4", WEIGHTS_GROUP, "Invariance", WEIGHT_HELP),
        FieldKind::Number(Range::real("weigh_invariance", 0.0, 1.0)), part_if_changed(16, "-w4-");
    /// As the first.
    weigh_reach: f64 = 1.0, ("w5", WEIGHTS_GROUP, "Reach", WEIGHT_HELP),
        FieldKind::Number(Range::real("weigh_reach", 0.0, 1.0)), part_if_changed(17, "-w5-");
    /// As the first.
    weigh_redundancy: f64 = 1.0, ("w6", WEIGHTS_GROUP, "Redundancy", WEIGHT_HELP),
        FieldKind::Number(Range::real("weigh_redundancy", 0.0, 1.0)), part_if_changed(18, "-w6-");
    /// As the first.
    weigh_cost: f64 = 1.0, ("w7", WEIGHTS_GROUP, "Cost", WEIGHT_HELP),
        FieldKind::Number(Range::real("weigh_cost", 0.0, 1.0)), part_if_changed(19, "-w7-");
    /// By what rows are ordered: "score", "paper" or the name of a column.
    sort: String = "score".to_owned(), ("sort", SHOWN_GROUP, "Order", "By what rows are ordered"),
        FieldKind::Choice(&SORT_CHOICES), part_if_changed(20, "-by-");
    /// The metric that is opened, by its id, or "first" of the table.
    metric: String = FIRST_METRIC.to_owned(), ("metric", SHOWN_GROUP, "Metric", "Which metric is opened"),
        FieldKind::Choice(&METRICS), part_if_changed(21, "-");
    /// The study whose metrics are shown, or "all".
    paper: String = "all".to_owned(), ("paper", SHOWN_GROUP, "Paper", "Whose metrics are shown"),
        FieldKind::Choice(&PAPERS), part_if_changed(22, "-of-");
    /// What one has: only what can be measured with it is shown.
    has: String = "all".to_owned(), ("has", SHOWN_GROUP, "You have", "Only what can be measured with it is shown"),
        FieldKind::Choice(&ACCESS_CHOICES), part_if_changed(23, "-with-");
    /// The column in which what is shown passes, at least in part; or "all" are shown.
    asks: String = "all".to_owned(),
        ("asks", SHOWN_GROUP, "You want to know", "Only what passes there, at least in part, is shown"),
        FieldKind::Choice(&COLUMN_CHOICES), part_if_changed(24, "-for-");
    /// The protocol, by its number.
    edition: Edition = Edition::Second,
        ("ed", MEASURED_GROUP, "Protocol", "Which edition of the audit"),
        FieldKind::Choice(&EDITIONS), part_if_changed(25, "-edition-");
    /// Second edition: lower end of AUC's interval from which a control is separated.
    separates: f64 = 0.7,
        ("auclow", SECOND_RULE_GROUP, "AUC, lower end", "Lower end of AUC’s interval from which a control is separated"),
        FieldKind::Number(Range::real("separates", 0.5, 1.0)), part_if_changed(26, "-auclow");
    /// Second edition: lower end of the intraclass correlation's interval from which a metric is reliable.
    icc: f64 = 0.75,
        ("icc", SECOND_RULE_GROUP, "ICC, pass", "Lower end of the intraclass correlation’s interval from which a metric is reliable"),
        FieldKind::Number(Range::real("icc", 0.0, 1.0)), part_if_changed(27, "-icc");
    /// Second edition: lower end from which it partly is.
    icc_partly: f64 = 0.5,
        ("iccp", SECOND_RULE_GROUP, "ICC, partial", "Lower end of the intraclass correlation’s interval from which it partly is"),
        FieldKind::Number(Range::real("icc_partly", 0.0, 1.0)), part_if_changed(28, "-iccp");

    {
        /// Worlds that only the second edition has are refused in the first.
        fn problem(&self) -> Option<Problem> {
            let world = World::BUILT_IN.into_iter().find(|world| world.name() == self.world)?;
            let is_later = self.edition == Edition::First && !world.in_first_edition();
            let first = World::BUILT_IN.into_iter().filter(|world| world.in_first_edition());
            let names: Vec<&str> = std::iter::once("all").chain(first.map(World::name)).collect();
            is_later.then(|| {
                let allowed = format!("{} in the first edition", names.join(", "));
                Problem::new("world", format!("{:?}", self.world), allowed)
            })
        }
    }
}

impl Settings {
    /// The jobs that are asked for, those first that are there soonest.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let seeds = self.first_seed..self.first_seed.saturating_add(self.seeds);
        match World::BUILT_IN.into_iter().find(|world| world.name() == self.world) {
            Some(world) => seeds.map(|seed| Job { world, seed, preset: self.preset }).collect(),
            None => Job::for_seeds(self.preset, self.edition, seeds),
        }
    }

    /// The columns' weights in the reader's own order, in the order of columns.
    #[must_use]
    pub fn column_weights(&self) -> [f64; 7] {
        [
            self.weigh_reliability,
            self.weigh_discrimination,
            self.weigh_validity,
            self.weigh_invariance,
            self.weigh_reach,
            self.weigh_redundancy,
            self.weigh_cost,
        ]
    }
}
