use serde::Serialize;

use super::Ground;
use crate::papers::measurement::metric::{Condition, Relation};

/// Whose reading a quantity is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attribution {
    /// Text and code agree.
    Both,
    /// The text's.
    Document,
    /// The code's.
    Code,
    /// Neither's: what the quantity would be if it were what its name says.
    Neither,
}

impl Attribution {
    /// In words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Both => "text and code",
            Self::Document => "text",
            Self::Code => "code",
            Self::Neither => "ours",
        }
    }
}

/// A quantity that is shown of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The metric's id: "m07".
    pub metric: &'static str,
    /// The quantity: "agreement_code".
    pub quantity: &'static str,
    /// Whose reading it is.
    pub says: Attribution,
    /// The axis that it is drawn over.
    pub axis: (f64, f64),
    /// What the formula can reach at all of the toy model; not finite where there is no end.
    #[serde(skip)]
    pub reach: (f64, f64),
    /// The same of what is planted, where that differs.
    #[serde(skip)]
    pub reach_planted: Option<(f64, f64)>,
    /// When it passes, or is called what the text is after; none of what is only reported.
    pub condition: Option<Condition>,
    /// Whether the condition is no pass condition but a row of the metric's table.
    pub of_table: bool,
    /// Whether this row stands for its metric in the chart of all fifteen.
    pub first: bool,
}

impl Row {
    /// What the formula can reach at all; not finite where there is no end.
    #[must_use]
    pub fn reach_on(&self, ground: Ground) -> (f64, f64) {
        self.reach_planted.filter(|_| ground == Ground::Planted).unwrap_or(self.reach)
    }

    /// Whether every value that the formula can reach meets the condition.
    #[must_use]
    pub fn cannot_fail(&self, ground: Ground) -> bool {
        let (low, high) = self.reach_on(ground);
        self.condition.is_some_and(|condition| match condition.relation {
            Relation::Above | Relation::AtLeast => condition.holds(low),
            Relation::Below | Relation::AtMost => condition.holds(high),
        })
    }

    /// Whether no value that the formula can reach meets the condition.
    #[must_use]
    pub fn cannot_pass(&self, ground: Ground) -> bool {
        let (low, high) = self.reach_on(ground);
        self.condition.is_some_and(|condition| match condition.relation {
            Relation::Above | Relation::AtLeast => !condition.holds(high),
            Relation::Below | Relation::AtMost => !condition.holds(low),
        })
    }
}

const UNIT: (f64, f64) = (0.0, 1.0);
const NO_END: f64 = f64::INFINITY;
/// ln 2: three layers, less their mean, have two directions.
const CENTRED: f64 = std::f64::consts::LN_2;
/// ln 3: three layers have three.
const UNCENTRED: f64 = 1.098_612_288_668_109_8;
/// ln 11 and ln 12: of the twelve layers that are planted.
const PLANTED: (f64, f64) = (2.397_895_272_798_370_7, 2.484_906_649_788_000_4);

const fn shown(
    metric: &'static str,
    quantity: &'static str,
    says: Attribution,
    condition: Option<Condition>,
) -> Row {
    Row {
        metric,
        quantity,
        says,
        axis: UNIT,
        reach: UNIT,
        reach_planted: None,
        condition,
        of_table: false,
        first: true,
    }
}

const fn above(quantity: &'static str, limit: f64) -> Option<Condition> {
    Some(Condition::above(quantity, limit))
}

const fn below(quantity: &'static str, limit: f64) -> Option<Condition> {
    Some(Condition::below(quantity, limit))
}

impl Row {
    const fn second(self) -> Self {
        Self { first: false, ..self }
    }

    const fn table(self) -> Self {
        Self { of_table: true, ..self }
    }

    const fn over(self, low: f64, high: f64) -> Self {
        Self { axis: (low, high), ..self }
    }

    const fn reaching(self, low: f64, high: f64) -> Self {
        Self { reach: (low, high), ..self }
    }

    const fn planted(self, high: f64) -> Self {
        Self { reach_planted: Some((0.0, high)), ..self }
    }
}

/// The quantities, metric by metric; the first of each stands for it. Reaches are those of the formula on the subjects
/// that are measured here: three layers of M14.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    shown("m07", "agreement_code", Attribution::Code, above("agreement_code", 0.3)),
    shown("m07", "agreement_document", Attribution::Document, above("agreement_document", 0.3)).second(),
    shown("m07", "agreement_matched", Attribution::Neither, above("agreement_matched", 0.3)).second(),
    shown("m08", "agreement", Attribution::Both, above("agreement", 0.3)),
    shown("m09", "mean_overlap_document", Attribution::Document, above("mean_overlap_document", 0.8)).table(),
    shown("m09", "mean_overlap_code", Attribution::Code, Some(Condition::at_least("mean_overlap_code", 0.8))).table().second(),
    shown("m10", "rate_document", Attribution::Document, below("rate_document", 0.1)).table(),
    shown("m10", "rate_code", Attribution::Code, below("rate_code", 0.1)).table().second(),
    shown("m11", "consistency_code", Attribution::Code, above("consistency_code", 0.7)),
    shown("m11", "consistency_document", Attribution::Document, above("consistency_document", 0.7)).second(),
    shown("m12", "k_mismatch_rate", Attribution::Code, below("k_mismatch_rate", 0.2)),
    shown("m12", "k_mismatch_rate_document", Attribution::Document, below("k_mismatch_rate_document", 0.2)).second(),
    shown("m12", "complexity_k_correlation", Attribution::Both, None).over(-1.0, 1.0).reaching(-1.0, 1.0).second(),
    shown("m13", "packing_ratio", Attribution::Both, above("packing_ratio", 1.2)).table().over(0.0, 1.4),
    shown("m14", "sve_code", Attribution::Code, below("sve_code", 2.0)).over(0.0, 2.5).reaching(0.0, CENTRED).planted(PLANTED.0),
    shown("m14", "sve_document", Attribution::Document, below("sve_document", 2.0)).over(0.0, 2.5).reaching(0.0, UNCENTRED).planted(PLANTED.1).second(),
    shown("m14", "stability_code", Attribution::Code, above("stability_code", 0.8)).second(),
    shown("ex1", "dprime", Attribution::Code, Some(Condition::at_least("dprime", 1.0))).over(-1.0, 6.0).reaching(-NO_END, NO_END),
    shown("ex1", "auc", Attribution::Code, Some(Condition::at_least("auc", 0.7))).second(),
    shown("ex2", "max_dif_code", Attribution::Code, below("max_dif_code", 0.5)).over(0.0, 2.0).reaching(0.0, NO_END),
    shown("ex2", "max_dif_standard", Attribution::Document, below("max_dif_standard", 0.5)).over(0.0, 2.0).reaching(0.0, NO_END).second(),
    shown("ex11", "weber_consistency_code", Attribution::Both, above("weber_consistency_code", 0.8)).table().reaching(-NO_END, 1.0),
    shown("ex11", "weber_consistency_relative_jnd", Attribution::Neither, above("weber_consistency_relative_jnd", 0.8)).table().reaching(-NO_END, 1.0).second(),
    shown("ex11", "share_detectable", Attribution::Both, Some(Condition::at_least("share_detectable", 1.0))).second(),
    shown("ex24", "cv_probe_sample", Attribution::Document, below("cv_probe_sample", 0.05)).over(0.0, 0.5).reaching(0.0, NO_END),
    shown("ex24", "cohens_d_document", Attribution::Document, above("cohens_d_document", 0.8)).over(0.0, 20.0).reaching(0.0, NO_END).second(),
    shown("ex24", "mean_cv_code", Attribution::Code, below("mean_cv_code", 0.05)).over(0.0, 0.5).reaching(0.0, NO_END).second(),
    shown("ex25", "coherence_code", Attribution::Code, above("coherence_code", 0.9)).over(-1.0, 1.0).reaching(-1.0, 1.0),
    shown("ex25", "coherence_aligned", Attribution::Document, above("coherence_aligned", 0.9)).over(-1.0, 1.0).reaching(-1.0, 1.0).second(),
    shown("ex34", "mean_token_overlap", Attribution::Both, above("mean_token_overlap", 0.3)),
    shown("ex34", "mean_direction_cosine", Attribution::Document, above("mean_direction_cosine", 0.5)).second(),
    shown("mib", "cpr_code", Attribution::Code, above("cpr_code", 0.5)).over(-0.2, 1.2).reaching(-NO_END, NO_END),
    shown("mib", "cpr_ranked", Attribution::Document, above("cpr_ranked", 0.5)).over(-0.2, 1.2).reaching(-NO_END, NO_END).second(),
];

/// The row of a quantity.
#[must_use]
pub const fn row(metric: &str, quantity: &str) -> Option<&'static Row> {
    let mut rows = ROWS;
    // A const function has no iterators.
    while let [row, rest @ ..] = rows {
        if same(row.metric, metric) && same(row.quantity, quantity) {
            return Some(row);
        }
        rows = rest;
    }
    None
}

const fn same(first: &str, second: &str) -> bool {
    let (mut first, mut second) = (first.as_bytes(), second.as_bytes());
    while let ([a, others @ ..], [b, rest @ ..]) = (first, second) {
        if *a != *b {
            return false;
        }
        (first, second) = (others, rest);
    }
    first.is_empty() && second.is_empty()
}
