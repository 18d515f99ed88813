//! What of the audit is measured, by what rule it is judged, and what of it is shown.

mod fields;

use serde::{Deserialize, Serialize};

use super::job::{Job, Preset};
use super::subject::World;
use crate::settings::{Field, Parameters, Problems, check};
pub use fields::{Draft, FIELDS, FIRST, MEASURED};

/// What is measured and shown. Out-of-range values cannot be held: it is made from a [`Draft`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AuditSettings"))]
#[serde(try_from = "Draft")]
pub struct Settings {
    /// How much is measured.
    pub preset: Preset,
    /// How many seeds.
    pub seeds: u32,
    /// The first of them.
    pub first_seed: u32,
    /// The only world that is measured, or "all" of the preset.
    pub world: String,
    /// Coefficient of variation up to which a metric is reliable.
    pub cv: f64,
    /// Coefficient of variation up to which it partly is.
    pub cv_partly: f64,
    /// False discovery rate.
    pub fdr: f64,
    /// Area under the curve from which a control is told.
    pub auc: f64,
    /// Rank correlation with the truth above which a metric is valid.
    pub validity: f64,
    /// Relative change up to which nothing changed.
    pub change: f64,
    /// Rank correlation from which two metrics are one.
    pub redundancy: f64,
    /// Seconds up to which a metric is cheap.
    pub seconds: f64,
    /// Seconds up to which it partly is.
    pub seconds_partly: f64,
    /// Weight of a column in the reader's own order, from 0 to 1.
    pub weigh_reliability: f64,
    /// As the first.
    pub weigh_discrimination: f64,
    /// As the first.
    pub weigh_validity: f64,
    /// As the first.
    pub weigh_invariance: f64,
    /// As the first.
    pub weigh_reach: f64,
    /// As the first.
    pub weigh_redundancy: f64,
    /// As the first.
    pub weigh_cost: f64,
    /// By what rows are ordered: "score", "paper" or the name of a column.
    pub sort: String,
    /// The metric that is opened, by its id, or "first" of the table.
    pub metric: String,
    /// The study whose metrics are shown, or "all".
    pub paper: String,
    /// What one has: only what can be measured with it is shown.
    pub has: String,
    /// The column in which what is shown holds, at least partly; or "all" are shown.
    pub asks: String,
}

impl Settings {
    /// The jobs that are asked for, those first that are there soonest.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let seeds = self.first_seed..self.first_seed.saturating_add(self.seeds);
        match World::MADE.into_iter().find(|world| world.name() == self.world) {
            Some(world) => seeds.map(|seed| Job { world, seed, preset: self.preset }).collect(),
            None => Job::all(self.preset, seeds),
        }
    }

    /// The columns' weights in the reader's own order, in the order of columns.
    #[must_use]
    pub fn weights(&self) -> [f64; 7] {
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

impl Default for Settings {
    fn default() -> Self {
        let [all, score] = ["all", "score"].map(str::to_owned);
        Self {
            preset: Preset::Small,
            seeds: 3,
            first_seed: 0,
            world: all.clone(),
            cv: 0.1,
            cv_partly: 0.3,
            fdr: 0.05,
            auc: 0.9,
            validity: 0.3,
            change: 0.1,
            redundancy: 0.8,
            seconds: 0.1,
            seconds_partly: 1.0,
            weigh_reliability: 1.0,
            weigh_discrimination: 1.0,
            weigh_validity: 1.0,
            weigh_invariance: 1.0,
            weigh_reach: 1.0,
            weigh_redundancy: 1.0,
            weigh_cost: 1.0,
            sort: score,
            metric: FIRST.to_owned(),
            paper: all.clone(),
            has: all.clone(),
            asks: all,
        }
    }
}

impl TryFrom<Draft> for Settings {
    type Error = Problems;

    fn try_from(draft: Draft) -> Result<Self, Problems> {
        check(&draft)
    }
}

/// What is a number of its own field, in settings and in a draft of them.
macro_rules! plain_numbers {
    ($call:ident) => {
        $call!(
            cv,
            cv_partly,
            fdr,
            auc,
            validity,
            change,
            redundancy,
            seconds,
            seconds_partly,
            weigh_reliability,
            weigh_discrimination,
            weigh_validity,
            weigh_invariance,
            weigh_reach,
            weigh_redundancy,
            weigh_cost
        )
    };
}

impl Parameters for Settings {
    type ParameterDraft = Draft;
    const STUDY: &'static str = "audit";
    const FIELDS: &'static [Field] = &FIELDS;
    const GIVES_WAY: &'static str = "seeds";

    fn fill(wish: &Draft) -> Self {
        let default = Self::default();
        let word = |wish: &Option<String>, default| wish.clone().unwrap_or(default);
        let number = |wish: Option<f64>, default| wish.map_or(default, |value| value as u32);
        let full = wish.preset.as_deref().map(|preset| preset == "full");
        macro_rules! filled {
            ($($name:ident),*) => {
                Self {
                    preset: match full {
                        Some(true) => Preset::Full,
                        Some(false) => Preset::Small,
                        None => default.preset,
                    },
                    seeds: number(wish.seeds, default.seeds),
                    first_seed: number(wish.first_seed, default.first_seed),
                    world: word(&wish.world, default.world),
                    $($name: wish.$name.unwrap_or(default.$name),)*
                    sort: word(&wish.sort, default.sort),
                    metric: word(&wish.metric, default.metric),
                    paper: word(&wish.paper, default.paper),
                    has: word(&wish.has, default.has),
                    asks: word(&wish.asks, default.asks),
                }
            };
        }
        plain_numbers!(filled)
    }

    fn wish(&self) -> Draft {
        let word = |value: &String| Some(value.clone());
        let preset = match self.preset {
            Preset::Small => "small",
            Preset::Full => "full",
        };
        macro_rules! wished {
            ($($name:ident),*) => {
                Draft {
                    preset: Some(preset.to_owned()),
                    seeds: Some(f64::from(self.seeds)),
                    first_seed: Some(f64::from(self.first_seed)),
                    world: word(&self.world),
                    $($name: Some(self.$name),)*
                    sort: word(&self.sort),
                    metric: word(&self.metric),
                    paper: word(&self.paper),
                    has: word(&self.has),
                    asks: word(&self.asks),
                }
            };
        }
        plain_numbers!(wished)
    }
}
