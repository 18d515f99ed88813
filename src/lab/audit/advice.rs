//! What somebody should use who wants to compare two autoencoders: two sentences, from the table alone.

use serde::Serialize;

use super::counts::has_best_word;
use super::entry::{MetricEntry, Table};
use super::metric::{AccessLevel, Metric};
use super::rule::{Column, VerdictWord};
use super::second_edition::verdicts;
use super::subject::Kind;
use crate::plot::format::fixed;

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditAdvice"))]
pub struct Advice {
    /// The metric that it is about, by its id; none where nothing was measured.
    pub metric: Option<String>,
    /// Which number, and on how many seeds which difference may be believed; or that there is none, and why.
    pub says: [String; 2],
}

impl Advice {
    /// Nothing, and why.
    pub(super) fn no_advice(why: &str) -> Self {
        let says = ["No number that you could measure can be named yet.", why];
        Self { metric: None, says: says.map(str::to_owned) }
    }
}

/// Which number to compare two autoencoders by, with what one has, on so many seeds of each: the metric of
/// decompositions that has the best words for validity, discrimination and reliability, in that order of weight where
/// they are equally good.
///
/// Of the first edition, and of a table without values, nothing is advised.
#[must_use]
pub fn choose_metric(metrics: &[Metric], table: &Table, has: AccessLevel, seeds: u32) -> Advice {
    let is_measurable = |(metric, entry): &(&Metric, &MetricEntry)| {
        let can = metric.needs.level() <= has.level();
        metric.kind() == Kind::Decomposition && can && entry.evidence.reach.is_some()
    };
    let pairs: Vec<(&Metric, &MetricEntry)> = metrics.iter().zip(&table.entries).filter(is_measurable).collect();
    // What runs against a truth, or does not follow it, is no answer however well it does elsewhere.
    let followed = pairs.iter().filter(|(_, entry)| {
        let against = matches!(cell_word(entry, Column::Validity), VerdictWord::Reversed | VerdictWord::Fails);
        !entry.evidence.validity.truths.is_empty() && !against
    });
    let best = followed.max_by(|(_, a), (_, b)| {
        let (a, b) = (advice_rank(a), advice_rank(b));
        a.iter().zip(&b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    let Some(&(metric, entry)) = best else {
        return Advice::no_advice(
            "No metric of autoencoders that you could measure is held against a truth in what is measured without failing it: choose another data set below.",
        );
    };
    if !has_best_word(entry, Column::Validity) && !has_best_word(entry, Column::Discrimination) {
        let count = |column| pairs.iter().filter(|(_, entry)| has_best_word(entry, column)).count();
        let says = [
            format!(
                "No metric is advised: of {} readings that you can measure, {} track the ground truths and {} separate every applicable control; none does both.",
                pairs.len(),
                count(Column::Validity),
                count(Column::Discrimination)
            ),
            "What each fails at stands in the table below.".to_owned(),
        ];
        return Advice { metric: None, says };
    }
    Advice { metric: Some(metric.id.to_owned()), says: [advice_sentence(metric, entry), seeds_sentence(entry, seeds)] }
}

fn cell_word(entry: &MetricEntry, column: Column) -> VerdictWord {
    let cell = entry.cells.iter().find(|cell| cell.column == column);
    cell.map_or(VerdictWord::NotApplicable, |cell| cell.word)
}

/// The more, the better: whether it does both, the sum of its words, then each of them, then ρ.
fn advice_rank(entry: &MetricEntry) -> [f64; 6] {
    let of = |column| cell_word(entry, column).score_value().unwrap_or_default();
    let [valid, tells, same] = [Column::Validity, Column::Discrimination, Column::Reliability].map(of);
    let rho = verdicts::headline_truth(&entry.evidence.validity.truths).and_then(|found| found.rho);
    let both = has_best_word(entry, Column::Validity) && has_best_word(entry, Column::Discrimination);
    let rho = rho.map_or(-2.0, |rho| rho.mean);
    [f64::from(u8::from(both)), valid + tells + same, valid, tells, same, rho]
}

fn advice_sentence(metric: &Metric, entry: &MetricEntry) -> String {
    let begins = match (cell_word(entry, Column::Validity), cell_word(entry, Column::Discrimination)) {
        (VerdictWord::Holds, VerdictWord::Separates) => "Use",
        _ => {
            "No metric that you can measure both tracks a ground truth and separates every applicable control; the nearest is"
        }
    };
    let rho = verdicts::headline_truth(&entry.evidence.validity.truths);
    let rho = rho.map_or_else(String::new, |found| {
        let value = found.rho.map_or_else(|| "not defined".to_owned(), |rho| fixed(rho.mean, 2));
        format!(", ρ {value} with {} on {}", found.truth, found.world)
    });
    let controls = entry.evidence.controls.iter().filter(|one| super::second_edition::is_counted_control(one));
    let (all, told) = controls.fold((0, 0), |(all, told), control| {
        (all + 1, told + usize::from(control.word == super::ControlOutcome::Separated))
    });
    format!("{begins} {}{rho}; it separates {told} of {all} controls.", metric.name)
}

fn seeds_sentence(entry: &MetricEntry, seeds: u32) -> String {
    let seeds = seeds.max(1);
    let worlds = &entry.evidence.reliability.worlds;
    let worst = worlds.iter().max_by(|a, b| a.least_difference.total_cmp(&b.least_difference));
    let on = if seeds == 1 { "one seed".to_owned() } else { format!("{seeds} seeds") };
    match worst {
        Some(found) => format!(
            "On {on} of each autoencoder, believe a difference of {} or more: smaller ones change sides from {unit} to {unit} ({}, {}).",
            super::cells::format_number(found.least_difference / f64::sqrt(f64::from(seeds))),
            found.world,
            verdicts::describe_units(found),
            unit = if found.models { "model" } else { "seed" },
        ),
        None => format!("How large a difference on {on} may be believed was not measured on enough models."),
    }
}
