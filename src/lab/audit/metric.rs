use serde::Serialize;

use super::circuit::Circuit;
use super::decomposition::Decomposition;
use super::model_subject::ModelSubject;
use super::scores::Scores;
use super::subject::Kind;
use crate::papers::measurement::metric::Condition;
use crate::papers::measurement::validation::ReadingSource;
use crate::study::Failure;

/// Which way a metric's paper reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditBetter"))]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

impl Better {
    /// A value such that more is better.
    #[must_use]
    pub fn orient(self, value: f64) -> f64 {
        match self {
            Self::Higher => value,
            Self::Lower => -value,
        }
    }
}

/// What a metric says of a subject; none where it is not defined there.
pub type MetricFn<T> = fn(&T) -> Result<Option<f64>, Failure>;

/// How a metric is measured, by the kind of subject that it is defined on.
#[derive(Clone, Copy)]
pub enum AnyMetricFn {
    /// Of a decomposition of activations.
    Decomposition(MetricFn<Decomposition>),
    /// Of some heads of a model.
    Circuit(MetricFn<Circuit>),
    /// Of a model.
    Model(MetricFn<ModelSubject>),
    /// Of what another metric said, run by run.
    Scores(MetricFn<Scores>),
}

/// What a metric needs to have of somebody's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditNeeds"))]
#[serde(rename_all = "kebab-case")]
pub enum AccessLevel {
    /// Activations and a dictionary.
    Activations,
    /// A model that runs.
    Model,
    /// Somebody who judges texts.
    Judge,
    /// Nothing but scores.
    Scores,
}

impl AccessLevel {
    /// All of them: whoever has one of them has those before it.
    pub const ALL: [Self; 4] = [Self::Scores, Self::Activations, Self::Model, Self::Judge];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scores => "scores",
            Self::Activations => "activations",
            Self::Model => "model",
            Self::Judge => "judge",
        }
    }

    /// Its place among all of them.
    #[must_use]
    pub const fn level(self) -> usize {
        match self {
            Self::Scores => 0,
            Self::Activations => 1,
            Self::Model => 2,
            Self::Judge => 3,
        }
    }
}

/// A scalar metric in one reading: a row of the audit.
#[derive(Clone, Copy)]
pub struct Metric {
    /// "m07.agreement.code": what it is called in reports and files.
    pub id: &'static str,
    /// The study that its paper is: "sfc", "fade", "ce-bench", "mui", "measurement".
    pub paper: &'static str,
    /// In a few words: "M07 agreement".
    pub name: &'static str,
    /// Whose reading it is.
    pub attribution: ReadingSource,
    /// Which way its paper reads it.
    pub better: Better,
    /// What one needs to have.
    pub needs: AccessLevel,
    /// When its paper lets it pass; none where it says nothing.
    pub condition: Option<Condition>,
    /// What its formula can reach at all; not finite where there is no end.
    pub value_range: (f64, f64),
    /// How it is measured.
    pub measure: AnyMetricFn,
}

impl Metric {
    /// The kind of subject that it is defined on.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.measure {
            AnyMetricFn::Decomposition(_) => Kind::Decomposition,
            AnyMetricFn::Circuit(_) => Kind::Circuit,
            AnyMetricFn::Model(_) => Kind::Model,
            AnyMetricFn::Scores(_) => Kind::Scores,
        }
    }
}

/// A metric, but for how it is computed.
#[derive(Clone, Debug, Serialize)]
pub struct MetricInfo {
    /// As [`Metric::id`].
    pub id: &'static str,
    /// As [`Metric::paper`].
    pub paper: &'static str,
    /// As [`Metric::name`].
    pub name: &'static str,
    /// As [`Metric::attribution`].
    pub says: ReadingSource,
    /// As [`Metric::better`].
    pub better: Better,
    /// As [`Metric::needs`].
    pub needs: AccessLevel,
    /// As [`Metric::kind`].
    pub kind: Kind,
    /// As [`Metric::condition`].
    pub condition: Option<Condition>,
    /// As [`Metric::value_range`]; none where there is no end.
    pub reach: [Option<f64>; 2],
}

impl From<&Metric> for MetricInfo {
    fn from(metric: &Metric) -> Self {
        Self {
            id: metric.id,
            paper: metric.paper,
            name: metric.name,
            says: metric.attribution,
            better: metric.better,
            needs: metric.needs,
            kind: metric.kind(),
            condition: metric.condition,
            reach: [metric.value_range.0, metric.value_range.1].map(|end| Some(end).filter(|end| end.is_finite())),
        }
    }
}
