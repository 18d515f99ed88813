use serde::Serialize;

use super::{MeasurementRecord, Subject, Testbed, ValidationRow};
use crate::statistics::mean_or_nan;

/// What the values of good and of bad subjects say of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementVerdict"))]
pub enum Verdict {
    /// All good subjects meet it and no control does.
    Tells,
    /// Some good subjects and some controls meet it.
    PassesBad,
    /// All meet it, controls too.
    PassesAll,
    /// None meets it.
    FailsAll,
    /// No control meets it, but not every good subject does.
    FailsGood,
    /// Controls meet it, and good subjects do not.
    Backwards,
    /// The formula cannot reach what would not meet it.
    CannotFail,
    /// The formula cannot reach what would meet it.
    CannotPass,
    /// There is nothing to meet: it is only reported.
    ReportsOnly,
    /// There are no good subjects, or no controls.
    NotTried,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Tells,
        Self::PassesBad,
        Self::Backwards,
        Self::FailsGood,
        Self::PassesAll,
        Self::FailsAll,
        Self::CannotFail,
        Self::CannotPass,
        Self::ReportsOnly,
        Self::NotTried,
    ];

    /// So many metrics of which it is said, as a clause: "1 passes some controls", "3 pass some controls".
    #[must_use]
    pub fn describe_count(self, count: usize) -> String {
        let (one, more) = match self {
            Self::Tells => ("separates controls", "separate controls"),
            Self::PassesBad => ("passes some controls", "pass some controls"),
            Self::PassesAll => ("passes everything tried", "pass everything tried"),
            Self::FailsAll => ("fails everything tried", "fail everything tried"),
            Self::FailsGood => ("fails some good subjects", "fail some good subjects"),
            Self::Backwards => ("passes controls and fails good subjects", "pass controls and fail good subjects"),
            Self::CannotFail => ("cannot fail", "cannot fail"),
            Self::CannotPass => ("cannot pass", "cannot pass"),
            Self::ReportsOnly => ("is only reported", "are only reported"),
            Self::NotTried => ("is not tried", "are not tried"),
        };
        match count {
            0 => format!("none {one}"),
            1 => format!("1 {one}"),
            _ => format!("{count} {more}"),
        }
    }

    /// In words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Tells => "separates controls",
            Self::PassesBad => "passes controls",
            Self::PassesAll => "passes all tried",
            Self::FailsAll => "fails all tried",
            Self::FailsGood => "fails good subjects",
            Self::Backwards => "passes controls only",
            Self::CannotFail => "cannot fail",
            Self::CannotPass => "cannot pass",
            Self::ReportsOnly => "reports only",
            Self::NotTried => "not tried",
        }
    }
}

/// A row on a ground, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowVerdict {
    /// The row's metric.
    pub metric: &'static str,
    /// Its quantity.
    pub quantity: &'static str,
    /// Where.
    pub ground: Testbed,
    /// What is said.
    pub verdict: Verdict,
    /// Of each subject, the share of its values that meet the condition; none of a row without one.
    pub passes: Vec<(Subject, Option<f64>)>,
}

/// Judges a row on a ground by what was measured there. A subject meets a condition where its mean does.
#[must_use]
pub fn row_verdict(row: &ValidationRow, ground: Testbed, lines: &[MeasurementRecord]) -> RowVerdict {
    let own: Vec<&MeasurementRecord> = row.matching_records(ground, lines).collect();
    let share = |line: &MeasurementRecord| {
        let condition = row.condition?;
        let met = line.values.iter().filter(|value| condition.holds(**value)).count();
        Some(met as f64 / line.values.len().max(1) as f64)
    };
    let passes = own.iter().map(|line| (line.subject, share(line))).collect();
    let (metric, quantity) = (row.metric, row.quantity);
    RowVerdict { metric, quantity, ground, verdict: decide_verdict(row, ground, &own), passes }
}

fn decide_verdict(row: &ValidationRow, ground: Testbed, lines: &[&MeasurementRecord]) -> Verdict {
    let Some(condition) = row.condition else { return Verdict::ReportsOnly };
    if lines.is_empty() {
        return Verdict::NotTried;
    }
    if row.cannot_fail(ground) {
        return Verdict::CannotFail;
    }
    if row.cannot_pass(ground) {
        return Verdict::CannotPass;
    }
    let of = |ought: bool| -> Vec<bool> {
        lines
            .iter()
            .filter(|line| line.subject.expected_to_pass() == Some(ought))
            .map(|line| condition.holds(mean_or_nan(&line.values)))
            .collect()
    };
    let (good, bad) = (of(true), of(false));
    if good.is_empty() || bad.is_empty() {
        return Verdict::NotTried;
    }
    let (some_good, all_good) = (good.contains(&true), !good.contains(&false));
    let (some_bad, all_bad) = (bad.contains(&true), !bad.contains(&false));
    match (some_good, all_good, some_bad, all_bad) {
        (_, true, false, _) => Verdict::Tells,
        (_, true, _, true) => Verdict::PassesAll,
        (false, _, false, _) => Verdict::FailsAll,
        (true, _, false, _) => Verdict::FailsGood,
        (false, _, true, _) => Verdict::Backwards,
        (true, _, true, _) => Verdict::PassesBad,
    }
}

#[cfg(test)]
mod tests {
    use super::super::VALIDATION_ROWS;
    use super::*;

    #[test]
    fn every_metric_has_one_first_row_and_verdicts_follow_from_the_numbers() {
        use crate::papers::measurement::metric::METRICS;
        for about in METRICS {
            let first = VALIDATION_ROWS.iter().filter(|row| row.metric == about.id && row.first).count();
            assert_eq!(first, 1, "{}", about.id);
        }
        let row = VALIDATION_ROWS.iter().find(|row| row.quantity == "agreement").unwrap();
        let line = |subject, value| MeasurementRecord {
            metric: "m08".to_owned(),
            quantity: "agreement".to_owned(),
            ground: Testbed::Planted,
            subject,
            values: vec![value],
        };
        let of = |values: &[(Subject, f64)]| {
            let lines: Vec<MeasurementRecord> = values.iter().map(|(of, value)| line(*of, *value)).collect();
            row_verdict(row, Testbed::Planted, &lines).verdict
        };
        use Subject::{Oracle, Random, Trained, Untrained};
        assert_eq!(of(&[(Oracle, 0.9), (Random, 0.1)]), Verdict::Tells);
        assert_eq!(of(&[(Oracle, 0.9), (Random, 0.4)]), Verdict::PassesAll);
        assert_eq!(of(&[(Oracle, 0.9), (Random, 0.4), (Untrained, 0.1)]), Verdict::PassesBad);
        assert_eq!(of(&[(Oracle, 0.2), (Random, 0.1)]), Verdict::FailsAll);
        assert_eq!(of(&[(Oracle, 0.9), (Trained, 0.1), (Random, 0.1)]), Verdict::FailsGood);
        assert_eq!(of(&[(Oracle, 0.1), (Random, 0.4)]), Verdict::Backwards);
        assert_eq!(Verdict::PassesBad.describe_count(1), "1 passes some controls");
        assert_eq!(Verdict::NotTried.describe_count(3), "3 are not tried");
        assert_eq!(of(&[(Oracle, 0.1)]), Verdict::NotTried);
        assert_eq!(row_verdict(row, Testbed::Language, &[line(Oracle, 1.0)]).verdict, Verdict::NotTried);
        let judge = |quantity: &str, ground| {
            let row = VALIDATION_ROWS.iter().find(|row| row.quantity == quantity).unwrap();
            let line = MeasurementRecord {
                metric: row.metric.to_owned(),
                quantity: quantity.to_owned(),
                ground,
                ..line(Random, 0.5)
            };
            row_verdict(row, ground, &[line]).verdict
        };
        assert_eq!(judge("sve_code", Testbed::Language), Verdict::CannotFail);
        assert_eq!(judge("packing_ratio", Testbed::Planted), Verdict::CannotPass);
        assert_eq!(judge("complexity_k_correlation", Testbed::Planted), Verdict::ReportsOnly);
    }
}
