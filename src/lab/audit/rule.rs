use serde::{Deserialize, Serialize};

use super::subject::World;

/// The limits between words: knobs of a reader, by default the protocol's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AuditRule"))]
#[serde(default, deny_unknown_fields)]
pub struct Rule {
    /// The greatest coefficient of variation over seeds at which reliability holds.
    pub cv_holds: f64,
    /// The greatest at which it holds partly.
    pub cv_partly: f64,
    /// The greatest q that is a difference.
    pub alpha: f64,
    /// The least AUC at which a control is told; 1 less it, the greatest at which it is reversed.
    pub auc: f64,
    /// What the correlation with the truth should be above.
    pub rho: f64,
    /// The greatest change that is none.
    pub change: f64,
    /// The least size of a correlation at which two metrics are the same.
    pub same: f64,
    /// The most seconds of a subject at which cost holds.
    pub seconds_holds: f64,
    /// The most at which it holds partly.
    pub seconds_partly: f64,
    /// The only world that counts; none where all do.
    pub world: Option<World>,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            cv_holds: 0.1,
            cv_partly: 0.3,
            alpha: 0.05,
            auc: 0.9,
            rho: 0.3,
            change: 0.1,
            same: 0.8,
            seconds_holds: 0.1,
            seconds_partly: 1.0,
            world: None,
        }
    }
}

/// What a column says of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AuditWord"))]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// It can be trusted for this.
    Holds,
    /// For some of it.
    Partly,
    /// It cannot.
    Fails,
    /// It cannot be told from what was measured.
    Unknown,
    /// There is nothing to say.
    None,
}

impl Word {
    /// All of them, the best first.
    pub const ALL: [Self; 5] = [Self::Holds, Self::Partly, Self::Fails, Self::Unknown, Self::None];

    /// As it is said.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "passes",
            Self::Partly => "partial",
            Self::Fails => "fails",
            Self::Unknown => "inconclusive",
            Self::None => "not applicable",
        }
    }

    /// What it counts in a [`score`](super::score), from 0 to 1; none where it is left out.
    #[must_use]
    pub const fn counts(self) -> Option<f64> {
        match self {
            Self::Holds => Some(1.0),
            Self::Partly => Some(0.5),
            Self::Unknown => Some(0.25),
            Self::Fails => Some(0.0),
            Self::None => None,
        }
    }
}

/// What a metric is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AuditColumn"))]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// Does it say the same under another seed?
    Reliability,
    /// Does it tell what was trained from controls?
    Discrimination,
    /// Does it follow the truth?
    Validity,
    /// Does it stay where nothing that matters is changed?
    Invariance,
    /// Can its paper's condition pass and fail?
    Reach,
    /// Does it say what no other metric says?
    Redundancy,
    /// What does it take?
    Cost,
}

impl Column {
    /// All of them, in their order in a table.
    pub const ALL: [Self; 7] = [
        Self::Reliability,
        Self::Discrimination,
        Self::Validity,
        Self::Invariance,
        Self::Reach,
        Self::Redundancy,
        Self::Cost,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reliability => "reliability",
            Self::Discrimination => "discrimination",
            Self::Validity => "validity",
            Self::Invariance => "invariance",
            Self::Reach => "reach",
            Self::Redundancy => "redundancy",
            Self::Cost => "cost",
        }
    }
}
