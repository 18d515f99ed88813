use serde::{Deserialize, Serialize};

use super::subject::World;
use crate::settings::impl_parameter_by_name;
use crate::settings::named;

/// The limits between words: knobs of a reader, by default the protocol's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditRule"))]
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
    /// Which protocol words are given by.
    pub edition: Edition,
    /// Second edition: what the lower end of an AUC's interval is where a control is separated; 1 less it, the greatest
    /// upper end at which it is reversed.
    pub separates: f64,
    /// Second edition: the least lower end of an intraclass correlation's interval at which reliability holds.
    pub icc_holds: f64,
    /// Second edition: the least at which it holds partly.
    pub icc_partly: f64,
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
            edition: Edition::Second,
            separates: 0.7,
            icc_holds: 0.75,
            icc_partly: 0.5,
        }
    }
}

impl Rule {
    /// The first edition's protocol.
    #[must_use]
    pub fn first_edition() -> Self {
        Self { edition: Edition::First, ..Self::default() }
    }

    /// The same with every limit of a share, a correlation or a change moved, but for the false discovery rate; all stay
    /// within what they can be.
    pub(super) fn shift_limits(&self, by: f64) -> Self {
        let within = |limit: f64| (limit + by).clamp(0.0, 1.0);
        Self {
            separates: within(self.separates),
            icc_holds: within(self.icc_holds),
            icc_partly: within(self.icc_partly),
            rho: within(self.rho),
            same: within(self.same),
            // In standard deviations: it may be above 1.
            change: (self.change + by).max(0.0),
            ..*self
        }
    }
}

named! {
    /// A protocol.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditEdition"))]
    pub enum Edition {
        /// `docs/audit-first-edition.md`.
        #[serde(rename = "1")]
        First = "1",
        /// `docs/audit.md`.
        #[default]
        #[serde(rename = "2")]
        Second = "2",
    }
}

impl_parameter_by_name! {
    Edition, else Second;
}

named! {
    /// What a column says of a metric.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditWord"))]
    #[serde(rename_all = "kebab-case")]
    pub enum VerdictWord {
        /// It can be trusted for this.
        Holds = "passes",
        /// For some of it.
        Partly = "partial",
        /// It cannot.
        Fails = "fails",
        /// It cannot be told from what was measured.
        Unknown = "inconclusive",
        /// There is nothing to say.
        None = "not applicable",
        /// It separates every control that counts.
        Separates = "separates",
        /// It differs from controls, but not enough to tell one from the reference.
        Overlaps = "differs, overlaps",
        /// An interval has room for both answers.
        Inconclusive = "inconclusive",
        /// It says the opposite.
        Reversed = "reversed",
        /// It reads nothing that was changed.
        Equal = "equal by construction",
        /// It shares a term with what it would be held against.
        Tied = "tied",
        /// There is nothing to hold it against.
        NotApplicable = "not applicable",
    }
}

impl VerdictWord {
    /// Those of an edition, the best first.
    #[must_use]
    pub const fn for_edition(edition: Edition) -> &'static [Self] {
        match edition {
            Edition::First => &[Self::Holds, Self::Partly, Self::Fails, Self::Unknown, Self::None],
            Edition::Second => &[
                Self::Separates,
                Self::Holds,
                Self::Overlaps,
                Self::Partly,
                Self::Inconclusive,
                Self::Fails,
                Self::Reversed,
                Self::Tied,
                Self::Equal,
                Self::NotApplicable,
            ],
        }
    }

    /// Whether it speaks for the metric, at least in part.
    #[must_use]
    pub const fn is_favourable(self) -> bool {
        matches!(self, Self::Holds | Self::Partly | Self::Separates | Self::Overlaps)
    }

    /// What it counts in a [`weighted_score`](super::weighted_score), from 0 to 1; none where it is left out.
    #[must_use]
    pub const fn score_value(self) -> Option<f64> {
        match self {
            Self::Holds | Self::Separates => Some(1.0),
            Self::Partly | Self::Overlaps => Some(0.5),
            Self::Unknown => Some(0.25),
            Self::Fails | Self::Inconclusive | Self::Reversed => Some(0.0),
            Self::None | Self::Equal | Self::Tied | Self::NotApplicable => None,
        }
    }
}

named! {
    /// What a metric is asked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditColumn"))]
    #[serde(rename_all = "kebab-case")]
    pub enum Column {
        /// Does it say the same under another seed?
        Reliability = "reliability",
        /// Does it tell what was trained from controls?
        Discrimination = "discrimination",
        /// Does it follow the truth?
        Validity = "validity",
        /// Does it stay where nothing that matters is changed?
        Invariance = "invariance",
        /// Can its paper's condition pass and fail?
        Reach = "reach",
        /// Does it say what no other metric says?
        Redundancy = "redundancy",
        /// What does it take?
        Cost = "cost",
    }
}
