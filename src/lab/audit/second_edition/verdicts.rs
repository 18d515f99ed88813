//! The second edition's words, each from an interval.

use super::super::cells::{self, CellVerdict};
use super::super::entry::{
    Cell, ChangeEvidence, ControlEvidence, ControlOutcome, Estimate, Evidence, StabilityEvidence, TruthEvidence,
};
use super::super::metric::Metric;
use super::super::rule::{Column, Rule, VerdictWord};
use super::super::subject::{Kind, World};
use super::is_counted_control;
use crate::plot::format::{capitalise_name, fixed, join_with_and};
use crate::statistics::extent;

/// The word of a control whose q is known.
pub(in crate::lab::audit) fn control_outcome(found: &ControlEvidence, rule: &Rule) -> ControlOutcome {
    match found.word {
        ControlOutcome::NotApplicable | ControlOutcome::Equal | ControlOutcome::NotSeen => {
            return found.word;
        }
        _ => {}
    }
    if found.difference.q.is_none_or(|q| q > rule.alpha) {
        return ControlOutcome::Inconclusive;
    }
    match found.auc_interval {
        // What differs in the wrong direction speaks against the metric, however far the two overlap.
        _ if found.difference.mean < 0.0 => ControlOutcome::Reversed,
        Some([low, _]) if low >= rule.separates => ControlOutcome::Separated,
        Some([_, high]) if high <= 1.0 - rule.separates => ControlOutcome::Reversed,
        _ => ControlOutcome::Overlaps,
    }
}

/// The word of a truth whose q is known.
pub(in crate::lab::audit) fn truth_word(found: &TruthEvidence, rule: &Rule) -> VerdictWord {
    if found.tied {
        return VerdictWord::Tied;
    }
    let Some(rho) = found.rho else { return VerdictWord::Inconclusive };
    let Some([low, high]) = rho.interval else { return VerdictWord::Inconclusive };
    let differs = rho.q.is_some_and(|q| q <= rule.alpha);
    match (low, high) {
        (low, _) if differs && low > rule.rho => VerdictWord::Holds,
        (low, _) if differs && low > 0.0 => VerdictWord::Partly,
        (_, high) if differs && high < 0.0 => VerdictWord::Reversed,
        (_, high) if high < rule.rho => VerdictWord::Fails,
        _ => VerdictWord::Inconclusive,
    }
}

/// The word of an intraclass correlation.
pub(in crate::lab::audit) fn stability_word(found: &StabilityEvidence, rule: &Rule) -> VerdictWord {
    let [low, high] = found.interval;
    match low {
        low if low >= rule.icc_holds => VerdictWord::Holds,
        low if low >= rule.icc_partly => VerdictWord::Partly,
        _ if high < rule.icc_partly => VerdictWord::Fails,
        _ => VerdictWord::Inconclusive,
    }
}

/// The word of a change.
pub(in crate::lab::audit) fn change_word(found: &ChangeEvidence, rule: &Rule) -> VerdictWord {
    match found.change.interval {
        Some([_, high]) if high <= rule.change => VerdictWord::Holds,
        Some([low, _]) if low > rule.change => VerdictWord::Fails,
        _ => VerdictWord::Inconclusive,
    }
}

/// What each column says of a metric whose evidence has its words.
pub(in crate::lab::audit) fn verdict_cells(
    metric: &Metric,
    metrics: &[Metric],
    evidence: &Evidence,
    valid: &dyn Fn(&str, &str) -> bool,
    rule: &Rule,
) -> Vec<Cell> {
    let cell = |column| {
        let said = match column {
            Column::Reliability => reliability_verdict(evidence),
            Column::Discrimination => discrimination_verdict(metric, evidence),
            Column::Validity => validity_verdict(metric, evidence),
            Column::Invariance => invariance_verdict(evidence),
            Column::Reach => from_first_edition(cells::reach_verdict(metric, evidence)),
            Column::Redundancy => from_first_edition(cells::redundancy_verdict(metric, metrics, evidence, valid, rule)),
            Column::Cost => from_first_edition(cells::cost_verdict(evidence, rule)),
        };
        let CellVerdict { word, value, interval, sentence: says } = said;
        Cell { column, word, value, interval, says }
    };
    Column::ALL.map(cell).to_vec()
}

/// The first edition's words where columns are the same.
fn from_first_edition(said: CellVerdict) -> CellVerdict {
    CellVerdict { word: rename_word(said.word), ..said }
}

fn rename_word(word: VerdictWord) -> VerdictWord {
    match word {
        VerdictWord::Unknown => VerdictWord::Inconclusive,
        VerdictWord::None => VerdictWord::NotApplicable,
        word => word,
    }
}

/// The words that hang on a limit which [`Rule::shift_limits`] moves, those of [`cells`] without their sentences: reliability,
/// discrimination, validity, invariance and redundancy.
pub(in crate::lab::audit) fn limit_dependent_words(
    metric: &Metric,
    metrics: &[Metric],
    evidence: &Evidence,
    valid: &dyn Fn(&str, &str) -> bool,
    rule: &Rule,
) -> [VerdictWord; 5] {
    let alike = cells::RedundantMetrics::find(metric, metrics, evidence, valid, rule);
    [
        least_stable(evidence).map_or(VerdictWord::Inconclusive, |found| found.word),
        discrimination_word(evidence),
        validity_word(&evidence.validity.truths),
        invariance_word(&evidence.changes),
        rename_word(alike.map_or(VerdictWord::Unknown, |alike| alike.redundancy_word())),
    ]
}

/// The worse, the smaller.
fn word_rank(word: VerdictWord) -> u8 {
    match word {
        VerdictWord::Reversed => 0,
        VerdictWord::Fails => 1,
        VerdictWord::Inconclusive => 2,
        VerdictWord::Partly | VerdictWord::Overlaps => 3,
        VerdictWord::Holds | VerdictWord::Separates => 4,
        _ => 5,
    }
}

/// "of one model", where nothing generalises beyond it.
fn scope_label(models: bool, world: &str) -> &'static str {
    // A draw of a planted world is a model of it.
    if models || !matches!(world, "streams" | "tasks" | "models") { "" } else { " of one model" }
}

/// What is said where no draw moves any value: nothing is known of how they vary.
fn identical_draws_note(found: &Estimate) -> &'static str {
    if found.seeds > 1 && found.interval.is_none() { ", the same values on every draw" } else { "" }
}

/// The two p of a truth, where there are both.
fn describe_p_values(found: &TruthEvidence) -> String {
    let p = |p: f64| if p < 0.001 { "below 0.001".to_owned() } else { fixed(p, 3) };
    let both = found.p_models.zip(found.p_subjects);
    both.map_or_else(String::new, |(models, subjects)| {
        format!("; p {} over models and {} over subjects", p(models), p(subjects))
    })
}

fn format_interval([low, high]: [f64; 2]) -> String {
    format!("[{}, {}]", fixed(low, 2), fixed(high, 2))
}

/// What an intraclass correlation is over: "10 models", "3 seeds of one model". A reader's own have seeds alone.
pub(in crate::lab::audit) fn describe_units(found: &StabilityEvidence) -> String {
    let is_own = found.world == World::Own.pool_name();
    let what = if found.models && !is_own { "models" } else { "seeds" };
    format!("{} {what}{}", found.units, scope_label(found.models, &found.world))
}

/// Of worlds the one where it is the least reliable.
pub(in crate::lab::audit) fn least_stable(evidence: &Evidence) -> Option<&StabilityEvidence> {
    let key = |found: &StabilityEvidence| (word_rank(found.word), found.interval[0]);
    evidence.reliability.worlds.iter().min_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    })
}

fn reliability_verdict(evidence: &Evidence) -> CellVerdict {
    let Some(worst) = least_stable(evidence) else {
        let found = &evidence.reliability;
        let of_own = |found: &ControlEvidence| found.world == World::Own.pool_name();
        let needs = if evidence.controls.iter().any(of_own) {
            "ICC needs three architectures under two seeds"
        } else {
            "ICC needs three trained subjects on two models of a world, and values that differ between subjects and between models"
        };
        let varies = found.cv_seeds.map_or_else(String::new, |cv| {
            format!("; over {} seeds it varies by {} of its mean", found.seeds, cells::format_percent(cv))
        });
        return CellVerdict::new(VerdictWord::Inconclusive, None, format!("{needs}{varies}."));
    };
    let others = evidence.reliability.worlds.iter().filter(|found| found.world != worst.world);
    let others: Vec<String> = others.map(|found| format!("{} on {}", fixed(found.icc, 2), found.world)).collect();
    let others = if others.is_empty() { String::new() } else { format!("; {}", join_with_and(&others)) };
    let says = format!(
        "ICC {} {} on {}, {} subjects on {}; believe differences of {} or more{others}.",
        fixed(worst.icc, 2),
        format_interval(worst.interval),
        worst.world,
        worst.subjects,
        describe_units(worst),
        cells::format_number(worst.least_difference),
    );
    CellVerdict { word: worst.word, value: Some(worst.icc), interval: Some(worst.interval), sentence: says }
}

fn outcome_word(word: ControlOutcome) -> VerdictWord {
    match word {
        ControlOutcome::Separated => VerdictWord::Separates,
        ControlOutcome::Reversed => VerdictWord::Reversed,
        ControlOutcome::NotSeen => VerdictWord::Fails,
        ControlOutcome::Overlaps => VerdictWord::Overlaps,
        ControlOutcome::Inconclusive | ControlOutcome::Unknown => VerdictWord::Inconclusive,
        ControlOutcome::Equal => VerdictWord::Equal,
        ControlOutcome::NotApplicable => VerdictWord::NotApplicable,
    }
}

/// Of controls that count the one that is told the worst.
fn worst_control(evidence: &Evidence) -> Option<&ControlEvidence> {
    let counted = evidence.controls.iter().filter(|control| is_counted_control(control));
    counted.min_by(|a, b| {
        word_rank(outcome_word(a.word)).cmp(&word_rank(outcome_word(b.word))).then(a.auc.total_cmp(&b.auc))
    })
}

fn discrimination_word(evidence: &Evidence) -> VerdictWord {
    let is_equal = |control: &ControlEvidence| control.word == ControlOutcome::Equal;
    match worst_control(evidence) {
        Some(worst) => outcome_word(worst.word),
        None if evidence.controls.iter().any(is_equal) => VerdictWord::Equal,
        None => VerdictWord::NotApplicable,
    }
}

fn discrimination_verdict(metric: &Metric, evidence: &Evidence) -> CellVerdict {
    let controls = &evidence.controls;
    let counted: Vec<&ControlEvidence> = controls.iter().filter(|control| is_counted_control(control)).collect();
    let word = discrimination_word(evidence);
    let Some(worst) = worst_control(evidence) else {
        let says = match word {
            VerdictWord::Equal => "It reads nothing that any control changes.",
            _ => "No control of it counts: none is known to lose.",
        };
        return CellVerdict::new(word, None, says.to_owned());
    };
    let separated = counted.iter().filter(|control| control.word == ControlOutcome::Separated).count();
    let mut worlds: Vec<&str> = counted.iter().map(|control| control.world.as_str()).collect();
    worlds.dedup();
    let (least, most) = extent(counted.iter().map(|one| one.auc));
    let passed = controls.len() - counted.len();
    let passed = if passed > 0 { format!(" ({passed} more do not count)") } else { String::new() };
    let says = format!(
        "Separates {separated} of {} controls that count{passed}, on {}; AUC from {} to {}; the worst is {} on {}, {}{}{}{}.",
        counted.len(),
        join_with_and(&worlds.iter().map(|world| (*world).to_owned()).collect::<Vec<_>>()),
        fixed(least, 2),
        fixed(most, 2),
        cells::describe_control(metric.kind(), &worst.name),
        worst.world,
        word.name(),
        worst.auc_interval.map_or_else(String::new, |ends| format!(" {}", format_interval(ends))),
        scope_label(worst.models, &worst.world),
        identical_draws_note(&worst.difference),
    );
    CellVerdict { word, value: Some(worst.auc), interval: worst.auc_interval, sentence: says }
}

/// Of a world the truth in the middle, the lower of two: it follows more than half of the truths at least as well as that one. Of
/// worlds the worst.
pub(in crate::lab::audit) fn headline_truth(truths: &[TruthEvidence]) -> Option<&TruthEvidence> {
    let key = |found: &TruthEvidence| (word_rank(found.word), found.rho.map_or(f64::NEG_INFINITY, |rho| rho.mean));
    let order = |a: &&TruthEvidence, b: &&TruthEvidence| {
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    };
    let mut worlds: Vec<&str> = truths.iter().map(|found| found.world.as_str()).collect();
    worlds.dedup();
    let middle = worlds.iter().filter_map(|world| {
        let mut untied: Vec<&TruthEvidence> =
            truths.iter().filter(|found| found.world == *world && !found.tied).collect();
        untied.sort_by(order);
        untied.get(untied.len().checked_sub(1)? / 2).copied()
    });
    middle.min_by(order)
}

fn validity_word(truths: &[TruthEvidence]) -> VerdictWord {
    match headline_truth(truths) {
        Some(found) => found.word,
        None if truths.is_empty() => VerdictWord::NotApplicable,
        None => VerdictWord::Tied,
    }
}

fn validity_verdict(metric: &Metric, evidence: &Evidence) -> CellVerdict {
    let truths = &evidence.validity.truths;
    let Some(found) = headline_truth(truths) else {
        let word = validity_word(truths);
        let says = match word {
            VerdictWord::Tied => "It shares a term with every truth that is known of its subjects.",
            _ => "No truth is known of its subjects.",
        };
        return CellVerdict::new(word, None, says.to_owned());
    };
    let each = truths.iter().map(|found| {
        let rho = found.rho.map_or_else(|| "none".to_owned(), |rho| fixed(rho.mean, 2));
        let tied = if found.tied { ", tied" } else { "" };
        format!("{} on {} {rho}{tied}", found.truth, found.world)
    });
    let each: Vec<String> = each.collect();
    let number = |rho: Estimate| {
        let ends = rho.interval.map_or_else(String::new, |ends| format!(" {}", format_interval(ends)));
        format!("{}{ends}", fixed(rho.mean, 2))
    };
    let (size, fewer) = match metric.kind() {
        Kind::Decomposition => ("L0", "a smaller L0"),
        _ => ("size", "a smaller size"),
    };
    let given =
        found.given_size.map_or_else(String::new, |rho| format!(", and {} given {size} (partial ρ)", number(rho)));
    let trivial = [("width", found.of_width), (fewer, found.of_size)];
    let trivial =
        trivial.into_iter().filter_map(|(what, rho)| Some(format!("{what} alone has {}", fixed(rho?.mean, 2))));
    let trivial: Vec<String> = trivial.collect();
    let trivial = if trivial.is_empty() { String::new() } else { format!("; {}", join_with_and(&trivial)) };
    let says = format!(
        "{}: ρ with {} on {} is {}{given}{}{}, over {} trained subjects{}{trivial}; with all truths: {}.",
        capitalise_name(found.word.name()),
        found.truth,
        found.world,
        found.rho.map_or_else(|| "not defined".to_owned(), number),
        scope_label(found.models, &found.world),
        found.rho.as_ref().map_or("", identical_draws_note),
        found.subjects,
        describe_p_values(found),
        join_with_and(&each),
    );
    CellVerdict {
        word: found.word,
        value: found.rho.map(|rho| rho.mean),
        interval: found.rho.and_then(|rho| rho.interval),
        sentence: says,
    }
}

/// How many changes it stays under, and how many move it.
fn count_still_and_moved(changes: &[ChangeEvidence]) -> (usize, usize) {
    let with = |word: VerdictWord| changes.iter().filter(|found| found.word == Some(word)).count();
    (with(VerdictWord::Holds), with(VerdictWord::Fails))
}

fn invariance_word(changes: &[ChangeEvidence]) -> VerdictWord {
    match count_still_and_moved(changes) {
        _ if changes.is_empty() => VerdictWord::NotApplicable,
        (all, _) if all == changes.len() => VerdictWord::Holds,
        (0, 1..) => VerdictWord::Fails,
        (_, 1..) => VerdictWord::Partly,
        _ => VerdictWord::Inconclusive,
    }
}

fn invariance_verdict(evidence: &Evidence) -> CellVerdict {
    let changes = &evidence.changes;
    let largest = changes.iter().max_by(|a, b| a.change.mean.total_cmp(&b.change.mean));
    let Some(largest) = largest else {
        let says = "Nothing was changed that should not matter, or it does not vary at all.";
        return CellVerdict::new(invariance_word(changes), None, says.to_owned());
    };
    let word = invariance_word(changes);
    let (still, moved) = count_still_and_moved(changes);
    let says = format!(
        "Invariant under {still} of {} changes and moved by {moved}; most by {} on {}: {} standard deviations{}{}.",
        changes.len(),
        cells::describe_change(&largest.name),
        largest.world,
        fixed(largest.change.mean, 2),
        largest.change.interval.map_or_else(String::new, |ends| format!(" {}", format_interval(ends))),
        scope_label(largest.models, &largest.world),
    );
    CellVerdict { word, value: Some(largest.change.mean), interval: largest.change.interval, sentence: says }
}
