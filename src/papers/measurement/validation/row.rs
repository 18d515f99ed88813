use serde::Serialize;

use super::{MeasurementRecord, Testbed};
use crate::papers::measurement::metric::{Condition, Relation};

/// Whose reading a quantity is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadingSource {
    /// Text and code agree.
    Both,
    /// The text's.
    Document,
    /// The code's.
    Code,
    /// Neither's: what the quantity would be if it were what its name says.
    Neither,
}

impl ReadingSource {
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
pub struct ValidationRow {
    /// The metric's id: "m07".
    pub metric: &'static str,
    /// The quantity: "agreement_code".
    pub quantity: &'static str,
    /// Whose reading it is.
    pub says: ReadingSource,
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

impl ValidationRow {
    /// What the formula can reach at all; not finite where there is no end.
    #[must_use]
    pub fn reachable_range(&self, ground: Testbed) -> (f64, f64) {
        self.reach_planted.filter(|_| ground == Testbed::Planted).unwrap_or(self.reach)
    }

    /// What was measured of it on a testbed.
    pub fn matching_records<'a>(
        &'a self,
        ground: Testbed,
        records: &'a [MeasurementRecord],
    ) -> impl Iterator<Item = &'a MeasurementRecord> {
        let is_mine = move |record: &&MeasurementRecord| {
            record.ground == ground && record.metric == self.metric && record.quantity == self.quantity
        };
        records.iter().filter(is_mine)
    }

    /// Whether every value that the formula can reach meets the condition.
    #[must_use]
    pub fn cannot_fail(&self, ground: Testbed) -> bool {
        let (low, high) = self.reachable_range(ground);
        self.condition.is_some_and(|condition| match condition.relation {
            Relation::Above | Relation::AtLeast => condition.holds(low),
            Relation::Below | Relation::AtMost => condition.holds(high),
        })
    }

    /// Whether no value that the formula can reach meets the condition.
    #[must_use]
    pub fn cannot_pass(&self, ground: Testbed) -> bool {
        let (low, high) = self.reachable_range(ground);
        self.condition.is_some_and(|condition| match condition.relation {
            Relation::Above | Relation::AtLeast => !condition.holds(high),
            Relation::Below | Relation::AtMost => !condition.holds(low),
        })
    }
}

const UNIT_RANGE: (f64, f64) = (0.0, 1.0);
const UNBOUNDED: f64 = f64::INFINITY;
/// ln 2: three layers, less their mean, have two directions.
const CENTRED_SVE_MAX: f64 = std::f64::consts::LN_2;
/// ln 3: three layers have three.
const SVE_MAX: f64 = 1.098_612_288_668_109_8;
/// ln 11 and ln 12: of the twelve layers that are planted.
const PLANTED_SVE_MAX: (f64, f64) = (2.397_895_272_798_370_7, 2.484_906_649_788_000_4);

const fn new_row(
    metric: &'static str,
    quantity: &'static str,
    says: ReadingSource,
    condition: Option<Condition>,
) -> ValidationRow {
    ValidationRow {
        metric,
        quantity,
        says,
        axis: UNIT_RANGE,
        reach: UNIT_RANGE,
        reach_planted: None,
        condition,
        of_table: false,
        first: true,
    }
}

const fn above_limit(quantity: &'static str, limit: f64) -> Option<Condition> {
    Some(Condition::above(quantity, limit))
}

const fn below_limit(quantity: &'static str, limit: f64) -> Option<Condition> {
    Some(Condition::below(quantity, limit))
}

impl ValidationRow {
    const fn as_secondary(self) -> Self {
        Self { first: false, ..self }
    }

    const fn as_table_row(self) -> Self {
        Self { of_table: true, ..self }
    }

    const fn with_axis(self, low: f64, high: f64) -> Self {
        Self { axis: (low, high), ..self }
    }

    const fn with_reach(self, low: f64, high: f64) -> Self {
        Self { reach: (low, high), ..self }
    }

    const fn with_planted_max(self, high: f64) -> Self {
        Self { reach_planted: Some((0.0, high)), ..self }
    }
}

/// The quantities, metric by metric; the first of each stands for it. Reaches are those of the formula on the subjects
/// that are measured here: three layers of M14.
#[rustfmt::skip]
pub const VALIDATION_ROWS: &[ValidationRow] = &[
    new_row("m07", "agreement_code", ReadingSource::Code, above_limit("agreement_code", 0.3)),
    new_row("m07", "agreement_document", ReadingSource::Document, above_limit("agreement_document", 0.3)).as_secondary(),
    new_row("m07", "agreement_matched", ReadingSource::Neither, above_limit("agreement_matched", 0.3)).as_secondary(),
    new_row("m08", "agreement", ReadingSource::Both, above_limit("agreement", 0.3)),
    new_row("m09", "mean_overlap_document", ReadingSource::Document, above_limit("mean_overlap_document", 0.8)).as_table_row(),
    new_row("m09", "mean_overlap_code", ReadingSource::Code, Some(Condition::at_least("mean_overlap_code", 0.8))).as_table_row().as_secondary(),
    new_row("m10", "rate_document", ReadingSource::Document, below_limit("rate_document", 0.1)).as_table_row(),
    new_row("m10", "rate_code", ReadingSource::Code, below_limit("rate_code", 0.1)).as_table_row().as_secondary(),
    new_row("m11", "consistency_code", ReadingSource::Code, above_limit("consistency_code", 0.7)),
    new_row("m11", "consistency_document", ReadingSource::Document, above_limit("consistency_document", 0.7)).as_secondary(),
    new_row("m12", "k_mismatch_rate", ReadingSource::Code, below_limit("k_mismatch_rate", 0.2)),
    new_row("m12", "k_mismatch_rate_document", ReadingSource::Document, below_limit("k_mismatch_rate_document", 0.2)).as_secondary(),
    new_row("m12", "complexity_k_correlation", ReadingSource::Both, None).with_axis(-1.0, 1.0).with_reach(-1.0, 1.0).as_secondary(),
    new_row("m13", "packing_ratio", ReadingSource::Both, above_limit("packing_ratio", 1.2)).as_table_row().with_axis(0.0, 1.4),
    new_row("m14", "sve_code", ReadingSource::Code, below_limit("sve_code", 2.0)).with_axis(0.0, 2.5).with_reach(0.0, CENTRED_SVE_MAX).with_planted_max(PLANTED_SVE_MAX.0),
    new_row("m14", "sve_document", ReadingSource::Document, below_limit("sve_document", 2.0)).with_axis(0.0, 2.5).with_reach(0.0, SVE_MAX).with_planted_max(PLANTED_SVE_MAX.1).as_secondary(),
    new_row("m14", "stability_code", ReadingSource::Code, above_limit("stability_code", 0.8)).as_secondary(),
    new_row("ex1", "dprime", ReadingSource::Code, Some(Condition::at_least("dprime", 1.0))).with_axis(-1.0, 6.0).with_reach(-UNBOUNDED, UNBOUNDED),
    new_row("ex1", "auc", ReadingSource::Code, Some(Condition::at_least("auc", 0.7))).as_secondary(),
    new_row("ex2", "max_dif_code", ReadingSource::Code, below_limit("max_dif_code", 0.5)).with_axis(0.0, 2.0).with_reach(0.0, UNBOUNDED),
    new_row("ex2", "max_dif_standard", ReadingSource::Document, below_limit("max_dif_standard", 0.5)).with_axis(0.0, 2.0).with_reach(0.0, UNBOUNDED).as_secondary(),
    new_row("ex11", "weber_consistency_code", ReadingSource::Both, above_limit("weber_consistency_code", 0.8)).as_table_row().with_reach(-UNBOUNDED, 1.0),
    new_row("ex11", "weber_consistency_relative_jnd", ReadingSource::Neither, above_limit("weber_consistency_relative_jnd", 0.8)).as_table_row().with_reach(-UNBOUNDED, 1.0).as_secondary(),
    new_row("ex11", "share_detectable", ReadingSource::Both, Some(Condition::at_least("share_detectable", 1.0))).as_secondary(),
    new_row("ex24", "cv_probe_sample", ReadingSource::Document, below_limit("cv_probe_sample", 0.05)).with_axis(0.0, 0.5).with_reach(0.0, UNBOUNDED),
    new_row("ex24", "cohens_d_document", ReadingSource::Document, above_limit("cohens_d_document", 0.8)).with_axis(0.0, 20.0).with_reach(0.0, UNBOUNDED).as_secondary(),
    new_row("ex24", "mean_cv_code", ReadingSource::Code, below_limit("mean_cv_code", 0.05)).with_axis(0.0, 0.5).with_reach(0.0, UNBOUNDED).as_secondary(),
    new_row("ex25", "coherence_code", ReadingSource::Code, above_limit("coherence_code", 0.9)).with_axis(-1.0, 1.0).with_reach(-1.0, 1.0),
    new_row("ex25", "coherence_aligned", ReadingSource::Document, above_limit("coherence_aligned", 0.9)).with_axis(-1.0, 1.0).with_reach(-1.0, 1.0).as_secondary(),
    new_row("ex34", "mean_token_overlap", ReadingSource::Both, above_limit("mean_token_overlap", 0.3)),
    new_row("ex34", "mean_direction_cosine", ReadingSource::Document, above_limit("mean_direction_cosine", 0.5)).as_secondary(),
    new_row("mib", "cpr_code", ReadingSource::Code, above_limit("cpr_code", 0.5)).with_axis(-0.2, 1.2).with_reach(-UNBOUNDED, UNBOUNDED),
    new_row("mib", "cpr_ranked", ReadingSource::Document, above_limit("cpr_ranked", 0.5)).with_axis(-0.2, 1.2).with_reach(-UNBOUNDED, UNBOUNDED).as_secondary(),
];

/// The row of a quantity.
#[must_use]
pub const fn find_row(metric: &str, quantity: &str) -> Option<&'static ValidationRow> {
    let mut rows = VALIDATION_ROWS;
    // A const function has no iterators.
    while let [row, rest @ ..] = rows {
        if str_eq(row.metric, metric) && str_eq(row.quantity, quantity) {
            return Some(row);
        }
        rows = rest;
    }
    None
}

const fn str_eq(first: &str, second: &str) -> bool {
    let (mut first, mut second) = (first.as_bytes(), second.as_bytes());
    while let ([a, others @ ..], [b, rest @ ..]) = (first, second) {
        if *a != *b {
            return false;
        }
        (first, second) = (others, rest);
    }
    first.is_empty() && second.is_empty()
}
