//! The second edition's words, each from an interval.

use super::super::cells::{self, Said};
use super::super::entry::{
    Cell, ChangeFound, ControlFound, ControlOutcome, Evidence, StabilityFound, TruthFound,
};
use super::super::metric::Metric;
use super::super::rule::{Column, Rule, Word};
use super::counts;
use crate::plot::format::{fixed, listed};

/// The word of a control whose q is known.
pub(in crate::lab::audit) fn control(found: &ControlFound, rule: &Rule) -> ControlOutcome {
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
pub(in crate::lab::audit) fn truth(found: &TruthFound, rule: &Rule) -> Word {
    if found.tied {
        return Word::Tied;
    }
    let Some(rho) = found.rho else { return Word::Inconclusive };
    let Some([low, high]) = rho.interval else { return Word::Inconclusive };
    let differs = rho.q.is_some_and(|q| q <= rule.alpha);
    match (low, high) {
        (low, _) if differs && low > rule.rho => Word::Holds,
        (low, _) if differs && low > 0.0 => Word::Partly,
        (_, high) if differs && high < 0.0 => Word::Reversed,
        (_, high) if high < rule.rho => Word::Fails,
        _ => Word::Inconclusive,
    }
}

/// The word of an intraclass correlation.
pub(in crate::lab::audit) fn stability(found: &StabilityFound, rule: &Rule) -> Word {
    let [low, high] = found.interval;
    match low {
        low if low >= rule.icc_holds => Word::Holds,
        low if low >= rule.icc_partly => Word::Partly,
        _ if high < rule.icc_partly => Word::Fails,
        _ => Word::Inconclusive,
    }
}

/// The word of a change.
pub(in crate::lab::audit) fn change(found: &ChangeFound, rule: &Rule) -> Word {
    match found.change.interval {
        Some([_, high]) if high <= rule.change => Word::Holds,
        Some([low, _]) if low > rule.change => Word::Fails,
        _ => Word::Inconclusive,
    }
}

/// What each column says of a metric whose evidence has its words.
pub(in crate::lab::audit) fn cells(
    metric: &Metric,
    metrics: &[Metric],
    evidence: &Evidence,
    valid: &dyn Fn(&str, &str) -> bool,
    rule: &Rule,
) -> Vec<Cell> {
    let cell = |column| {
        let said = match column {
            Column::Reliability => reliability(evidence),
            Column::Discrimination => discrimination(metric, evidence),
            Column::Validity => validity(evidence),
            Column::Invariance => invariance(evidence),
            Column::Reach => other(cells::reach(metric, evidence)),
            Column::Redundancy => other(cells::redundancy(metric, metrics, evidence, valid, rule)),
            Column::Cost => other(cells::cost(evidence, rule)),
        };
        let Said { word, value, interval, says } = said;
        Cell { column, word, value, interval, says }
    };
    Column::ALL.map(cell).to_vec()
}

/// The first edition's words where columns are the same.
fn other(said: Said) -> Said {
    let word = match said.word {
        Word::Unknown => Word::Inconclusive,
        Word::None => Word::NotApplicable,
        word => word,
    };
    Said { word, ..said }
}

/// The worse, the smaller.
fn rank(word: Word) -> u8 {
    match word {
        Word::Reversed => 0,
        Word::Fails => 1,
        Word::Inconclusive => 2,
        Word::Partly | Word::Overlaps => 3,
        Word::Holds | Word::Separates => 4,
        _ => 5,
    }
}

/// "of one model", where nothing generalises beyond it.
fn beyond(models: bool, world: &str) -> &'static str {
    // A draw of a planted world is a model of it.
    if models || !matches!(world, "streams" | "tasks" | "models") { "" } else { " of one model" }
}

fn interval([low, high]: [f64; 2]) -> String {
    format!("[{}, {}]", fixed(low, 2), fixed(high, 2))
}

fn reliability(evidence: &Evidence) -> Said {
    let worlds = &evidence.reliability.worlds;
    let lower = |a: &&StabilityFound, b: &&StabilityFound| {
        rank(a.word).cmp(&rank(b.word)).then(a.interval[0].total_cmp(&b.interval[0]))
    };
    let Some(worst) = worlds.iter().min_by(lower) else {
        let says = "No world has three trained subjects on two models between which it varies.";
        return Said::of(Word::Inconclusive, None, says.to_owned());
    };
    let others = worlds.iter().filter(|found| found.world != worst.world);
    let others: Vec<String> =
        others.map(|found| format!("{} on {}", fixed(found.icc, 2), found.world)).collect();
    let others = if others.is_empty() { String::new() } else { format!("; {}", listed(&others)) };
    let says = format!(
        "ICC {} {} on {}, {} subjects on {} {}{}; believe differences of {} or more{others}.",
        fixed(worst.icc, 2),
        interval(worst.interval),
        worst.world,
        worst.subjects,
        worst.units,
        if worst.models { "models" } else { "seeds" },
        beyond(worst.models, &worst.world),
        cells::number(worst.least_difference),
    );
    Said { word: worst.word, value: Some(worst.icc), interval: Some(worst.interval), says }
}

fn of_told(word: ControlOutcome) -> Word {
    match word {
        ControlOutcome::Separated => Word::Separates,
        ControlOutcome::Reversed => Word::Reversed,
        ControlOutcome::NotSeen => Word::Fails,
        ControlOutcome::Overlaps => Word::Overlaps,
        ControlOutcome::Inconclusive | ControlOutcome::Unknown => Word::Inconclusive,
        ControlOutcome::Equal => Word::Equal,
        ControlOutcome::NotApplicable => Word::NotApplicable,
    }
}

fn discrimination(metric: &Metric, evidence: &Evidence) -> Said {
    let controls = &evidence.controls;
    let counted: Vec<&ControlFound> = controls.iter().filter(|control| counts(control)).collect();
    let worse = |a: &&&ControlFound, b: &&&ControlFound| {
        rank(of_told(a.word)).cmp(&rank(of_told(b.word))).then(a.auc.total_cmp(&b.auc))
    };
    let Some(worst) = counted.iter().min_by(worse) else {
        let equal = controls.iter().any(|control| control.word == ControlOutcome::Equal);
        let (word, says) = if equal {
            (Word::Equal, "It reads nothing that any control changes.")
        } else {
            (Word::NotApplicable, "No control of it counts: none is known to lose.")
        };
        return Said::of(word, None, says.to_owned());
    };
    let separated =
        counted.iter().filter(|control| control.word == ControlOutcome::Separated).count();
    let mut worlds: Vec<&str> = counted.iter().map(|control| control.world.as_str()).collect();
    worlds.dedup();
    let (least, most) =
        counted.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| {
            (low.min(one.auc), high.max(one.auc))
        });
    let passed = controls.len() - counted.len();
    let passed = if passed > 0 { format!(" ({passed} more do not count)") } else { String::new() };
    let says = format!(
        "Separates {separated} of {} controls that count{passed}, on {}; AUC from {} to {}; the worst is {} on {}, {}{}{}.",
        counted.len(),
        listed(&worlds.iter().map(|world| (*world).to_owned()).collect::<Vec<_>>()),
        fixed(least, 2),
        fixed(most, 2),
        cells::control_words(metric.kind(), &worst.name),
        worst.world,
        of_told(worst.word).name(),
        worst.auc_interval.map_or_else(String::new, |ends| format!(" {}", interval(ends))),
        beyond(worst.models, &worst.world),
    );
    let word = of_told(worst.word);
    Said { word, value: Some(worst.auc), interval: worst.auc_interval, says }
}

/// Of a world the truth that it follows best; of worlds the worst.
pub(in crate::lab::audit) fn headline(truths: &[TruthFound]) -> Option<&TruthFound> {
    let key = |found: &TruthFound| {
        (rank(found.word), found.rho.map_or(f64::NEG_INFINITY, |rho| rho.mean))
    };
    let order = |a: &&TruthFound, b: &&TruthFound| {
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    };
    let mut worlds: Vec<&str> = truths.iter().map(|found| found.world.as_str()).collect();
    worlds.dedup();
    let best = worlds.iter().filter_map(|world| {
        let untied = truths.iter().filter(|found| found.world == *world && !found.tied);
        untied.max_by(order)
    });
    best.min_by(order)
}

fn validity(evidence: &Evidence) -> Said {
    let truths = &evidence.validity.truths;
    let Some(found) = headline(truths) else {
        let (word, says) = if truths.is_empty() {
            (Word::NotApplicable, "No truth is known of its subjects.")
        } else {
            (Word::Tied, "It shares a term with every truth that is known of its subjects.")
        };
        return Said::of(word, None, says.to_owned());
    };
    let each = truths.iter().map(|found| {
        let rho = found.rho.map_or_else(|| "none".to_owned(), |rho| fixed(rho.mean, 2));
        let tied = if found.tied { ", tied" } else { "" };
        format!("{} on {} {rho}{tied}", found.truth, found.world)
    });
    let each: Vec<String> = each.collect();
    let says = format!(
        "{}: ρ of {} on {} is {}{}, among {} trained subjects; of all: {}.",
        capital(found.word.name()),
        found.truth,
        found.world,
        found.rho.map_or_else(
            || "not defined".to_owned(),
            |rho| {
                let ends =
                    rho.interval.map_or_else(String::new, |ends| format!(" {}", interval(ends)));
                format!("{}{ends}", fixed(rho.mean, 2))
            }
        ),
        beyond(found.models, &found.world),
        found.subjects,
        listed(&each),
    );
    Said {
        word: found.word,
        value: found.rho.map(|rho| rho.mean),
        interval: found.rho.and_then(|rho| rho.interval),
        says,
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

fn invariance(evidence: &Evidence) -> Said {
    let changes = &evidence.changes;
    let largest = changes.iter().max_by(|a, b| a.change.mean.total_cmp(&b.change.mean));
    let Some(largest) = largest else {
        let says = "Nothing was changed that should not matter, or it does not vary at all.";
        return Said::of(Word::NotApplicable, None, says.to_owned());
    };
    let with = |word: Word| changes.iter().filter(move |found| found.word == Some(word));
    let (holds, fails) = (with(Word::Holds).count(), with(Word::Fails).count());
    let word = match (holds, fails) {
        (all, _) if all == changes.len() => Word::Holds,
        (0, 1..) => Word::Fails,
        (_, 1..) => Word::Partly,
        _ => Word::Inconclusive,
    };
    let says = format!(
        "Invariant under {holds} of {} changes and moved by {fails}; most by {} on {}: {} standard deviations{}{}.",
        changes.len(),
        cells::change_words(&largest.name),
        largest.world,
        fixed(largest.change.mean, 2),
        largest.change.interval.map_or_else(String::new, |ends| format!(" {}", interval(ends))),
        beyond(largest.models, &largest.world),
    );
    Said { word, value: Some(largest.change.mean), interval: largest.change.interval, says }
}
