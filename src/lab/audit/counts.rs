//! How many readings of metrics pass the three basic tests.

use std::collections::BTreeSet;

use serde::Serialize;

use super::entry::{LimitSensitivity, MetricEntry};
use super::metric::Metric;
use super::rule::{Column, VerdictWord};
use super::second_edition;
use super::subject::Kind;
use crate::plot::format::join_with_and;

const BASIC_TESTS: [Column; 3] = [Column::Discrimination, Column::Validity, Column::Invariance];

/// How many readings with values have the best word of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditTestCount"))]
pub struct TestCount {
    /// The test, in words.
    pub test: &'static str,
    /// Of all readings.
    pub all: usize,
    /// Of those that score autoencoders.
    pub of_autoencoders: usize,
}

/// How many readings pass each basic test, and all three.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditCounts"))]
pub struct PassCounts {
    /// Readings that have values.
    pub readings: usize,
    /// The metrics that these are readings of.
    pub metrics: usize,
    /// The readings that score autoencoders.
    pub of_autoencoders: usize,
    /// Controls separated, truths followed, invariant; all three.
    pub tests: [TestCount; 4],
    /// Of those that separate every control, how many are held against one alone.
    pub alone: usize,
    /// How many verdicts hang on the limits.
    pub sensitivity: Option<LimitSensitivity>,
}

impl PassCounts {
    /// Of metrics that have values, each with what is said of it.
    pub(super) fn count_passed(
        metrics: &[&Metric],
        entries: &[&MetricEntry],
        sensitivity: Option<LimitSensitivity>,
    ) -> Self {
        let of_kind = |(metric, _): &(&&Metric, &&MetricEntry)| metric.kind() == Kind::Decomposition;
        let of_sae: Vec<&MetricEntry> = metrics.iter().zip(entries).filter(of_kind).map(|(_, entry)| *entry).collect();
        let is_alone = |entry: &&&MetricEntry| {
            let counted = entry.evidence.controls.iter().filter(|one| second_edition::is_counted_control(one));
            has_best_word(entry, Column::Discrimination) && counted.count() == 1
        };
        let test = |test, columns: &[Column]| {
            let [all, of_autoencoders] = [entries, &of_sae].map(|of| count_best_entries(of, columns));
            TestCount { test, all, of_autoencoders }
        };
        let [tell, follow, still] = BASIC_TESTS;
        let names: BTreeSet<(&str, &str)> = metrics.iter().map(|metric| (metric.paper, metric.name)).collect();
        Self {
            readings: entries.len(),
            metrics: names.len(),
            of_autoencoders: of_sae.len(),
            tests: [
                test("separates every applicable control", &[tell]),
                test("tracks more than half of the ground truths of every data set", &[follow]),
                test("is invariant to what should not matter", &[still]),
                test("all three", &BASIC_TESTS),
            ],
            alone: entries.iter().filter(is_alone).count(),
            sensitivity,
        }
    }

    /// The same in words; a metric that is held against one control is easily done with all.
    pub(super) fn describe_counts(&self) -> String {
        let [separate, valid, invariant, all_three] = self.tests.each_ref().map(|test| test.all);
        let alone = match self.alone {
            0 => String::new(),
            alone => format!(" ({alone} of them have one control alone)"),
        };
        let of_sae = match self.of_autoencoders {
            0 => String::new(),
            all if all == self.readings => String::new(),
            all => {
                let said = self.tests.each_ref().map(|test| format_count(test.of_autoencoders));
                format!(" Of the {all} that score autoencoders: {}.", join_with_and(&said))
            }
        };
        let moved = self.sensitivity.map_or_else(String::new, |found| {
            format!(
                " Of {} verdicts that hang on a threshold, {} change where thresholds are {} lower and {} where they are higher.",
                found.words, found.lower, found.by, found.higher
            )
        });
        let verb = |count: usize, one: &'static str, several: &'static str| {
            if count == 1 { one } else { several }
        };
        format!(
            "Of {} readings of {} metrics that have values, {} {} every applicable control{alone}, {} {} more than half of the ground \
             truths of every data set, {} {} invariant, and {} {} all three.{of_sae}{moved}",
            self.readings,
            self.metrics,
            format_count(separate),
            verb(separate, "separates", "separate"),
            format_count(valid),
            verb(valid, "tracks", "track"),
            format_count(invariant),
            verb(invariant, "is", "are"),
            format_count(all_three),
            if all_three > 1 { "do" } else { "does" },
        )
    }
}

/// "none", "1", "2".
fn format_count(count: usize) -> String {
    if count == 0 { "none".to_owned() } else { count.to_string() }
}

/// Whether an entry has the best word of a column.
pub(super) fn has_best_word(entry: &MetricEntry, column: Column) -> bool {
    let best = |word: VerdictWord| matches!(word, VerdictWord::Holds | VerdictWord::Separates);
    entry.cells.iter().any(|cell| cell.column == column && best(cell.word))
}

/// How many of some entries have the best words of all of some columns.
pub(super) fn count_best_entries(of: &[&MetricEntry], columns: &[Column]) -> usize {
    of.iter().filter(|entry| columns.iter().all(|column| has_best_word(entry, *column))).count()
}
