//! The audit's words on hand-made rows of metrics whose worth is known.

use std::collections::BTreeMap;

use sfc_bench::lab::audit::{
    AccessLevel, AnyMetricFn, Better, Cell, Column, ControlOutcome, Group, Metric, MetricEntry, MetricValue, Registry,
    Rule, Subject, SubjectRow, Table, VerdictWord, World, build_table, weighted_score,
};
use sfc_bench::papers::measurement::metric::Condition;
use sfc_bench::papers::measurement::validation::ReadingSource;
use sfc_bench::statistics::{Bootstrap, StudentisedBootstrap, benjamini_hochberg, mean};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::assert_close;
use super::common::dice::Dice;

const PERFECT: Metric = Metric {
    id: "toy.perfect",
    paper: "toy",
    name: "perfect",
    attribution: ReadingSource::Both,
    better: Better::Higher,
    needs: AccessLevel::Activations,
    condition: Some(Condition::above("it", 0.5)),
    value_range: (0.0, 1.0),
    measure: AnyMetricFn::Decomposition(|_| Ok(None)),
};
const CONSTANT: Metric = Metric { id: "toy.constant", name: "constant", ..PERFECT };
const REVERSED: Metric = Metric { id: "toy.reversed", name: "reversed", ..PERFECT };
const LOWER: Metric = Metric { id: "toy.lower", name: "lower", better: Better::Lower, condition: None, ..PERFECT };
const NOISE: Metric = Metric { id: "toy.noise", name: "noise", value_range: (f64::NAN, f64::NAN), ..PERFECT };
/// Sees everything but a permuted decoder, and scale where it should not.
const PARTLY: Metric = Metric { id: "toy.partly", name: "partly", ..PERFECT };
/// Follows how many latents are active, and the truth no further.
const SIZE: Metric = Metric { id: "toy.size", name: "size", ..PERFECT };

const ALL: [Metric; 7] = [PERFECT, CONSTANT, REVERSED, LOWER, NOISE, PARTLY, SIZE];

/// A subject, its truth and its size.
fn subjects() -> Vec<(Subject, f64, f64)> {
    use Group::{Again, Control, Dose, Extreme, Reference, Same, Sample, Truth, Variant};
    let mut subjects = vec![
        (Subject::new(Reference, "trained"), 0.9, 8.0),
        (Subject::new(Truth, "truth"), 1.0, 8.0),
        (Subject::new(Control, "random"), 0.1, 2.0),
        (Subject::new(Control, "untrained"), 0.2, 3.0),
        (Subject::new(Control, "permuted"), 0.3, 8.0),
        (Subject::new(Variant, "half"), 0.8, 5.0),
        (Subject::new(Variant, "double"), 0.85, 12.0),
        (Subject::new(Same, "reordered"), 0.9, 8.0),
        (Subject::new(Same, "scaled"), 0.9, 8.0),
        (Subject::new(Extreme, "dead"), 0.0, 0.0),
    ];
    for level in [0.0, 0.25, 0.5] {
        subjects.push((Subject::with_level(Dose, "steps", level), 0.2 + 0.6 * level, 3.0 + 4.0 * level));
    }
    for level in [0.0, 1.0] {
        subjects.push((Subject::with_level(Sample, "sample", level), 0.9, 8.0));
        subjects.push((Subject::with_level(Again, "again", level), 0.9, 8.0));
    }
    subjects
}

/// What the metrics say of all subjects, as this throw of the dice has it.
fn thrown(worlds: &[World], seeds: u32, throw: u32) -> Vec<SubjectRow> {
    let mut dice = Dice::new(throw);
    let mut normal = |size: f64| size * dice.0.standard_normal();
    let mut rows = Vec::new();
    for (seed, world) in (0..seeds).flat_map(|seed| worlds.iter().map(move |world| (seed, *world))) {
        let (luck, about) = (normal(0.004), if world == World::Layer { 0.05 } else { 0.0 });
        for (subject, truth, size) in subjects() {
            let jitter = match subject.group {
                // The reference again, but for other data.
                Group::Reference | Group::Same | Group::Again => 0.0,
                _ => normal(0.002),
            };
            let perfect = truth + about + luck + jitter;
            let partly = match subject.name.as_str() {
                "permuted" => 0.9 + about + luck,
                "scaled" => 2.0 * perfect,
                _ => perfect,
            };
            let said = [perfect, 0.7, 1.0 - perfect, 1.0 - perfect, normal(1.0), partly, size + normal(0.1)];
            let values = ALL.iter().zip(said).map(|(metric, value)| MetricValue {
                metric: metric.id.to_owned(),
                value: Some(value),
                seconds: 0.01,
                evaluations: 64,
            });
            rows.push(SubjectRow {
                world,
                place: String::new(),
                seed,
                truth: Some(truth),
                truths: BTreeMap::new(),
                size: Some(size),
                width: Some(32.0),
                subject,
                values: values.collect(),
                not_applicable: None,
            });
        }
    }
    rows
}

fn rows(worlds: &[World], seeds: u32) -> Vec<SubjectRow> {
    thrown(worlds, seeds, 7)
}

fn both_worlds(seeds: u32) -> Vec<SubjectRow> {
    rows(&[World::Superposition, World::Layer], seeds)
}

fn entry<'a>(table: &'a Table, metric: &Metric) -> &'a MetricEntry {
    table.entries.iter().find(|entry| entry.metric == metric.id).unwrap()
}

fn cell<'a>(table: &'a Table, metric: &Metric, column: Column) -> &'a Cell {
    let cell = entry(table, metric).cells.iter().find(|cell| cell.column == column).unwrap();
    assert!(cell.says.ends_with('.'), "{}", cell.says);
    cell
}

/// The words of a metric, and the sentences of its columns.
fn words(table: &Table, metric: &Metric) -> [VerdictWord; 7] {
    Column::ALL.map(|column| cell(table, metric, column).word)
}

fn says<'a>(table: &'a Table, metric: &Metric, column: Column) -> &'a str {
    &cell(table, metric, column).says
}

#[test]
fn a_perfect_metric_holds_in_every_column() {
    let found = build_table(&[PERFECT, CONSTANT, NOISE], &both_worlds(3), &Rule::first_edition());
    assert_eq!(words(&found, &PERFECT), [VerdictWord::Holds; 7]);
    assert_eq!(weighted_score(entry(&found, &PERFECT), &[1.0; 7]), Some(1.0));
    assert_eq!(
        says(&found, &PERFECT, Column::Discrimination),
        "Separates what was trained from a permuted decoder, random directions and untrained weights."
    );
    let evidence = &entry(&found, &PERFECT).evidence;
    assert_eq!(evidence.reliability.seeds_to_tell, Some(2.0));
    assert_eq!(evidence.reliability.cv_own, Some(0.0));
    assert!(evidence.reliability.cv_samples.is_some_and(|cv| cv > 0.0 && cv < 0.01));
    for control in &evidence.controls {
        assert_eq!((control.auc, control.passes, control.word), (1.0, Some(0.0), ControlOutcome::Separated));
        let [low, high] = control.auc_interval.unwrap();
        // The least area from which three against three are all apart in 2.5 % of cases, as bisection in Python
        // finds it.
        assert_close("low", low, 0.501_018_760_7, 1e-9, 0.0);
        assert_eq!(high, 1.0);
    }
    // The reference's level is 1; between, what it says rises with the dose in every seed.
    let [steps] = evidence.doses.as_slice() else { panic!("{:?}", evidence.doses) };
    let levels: Vec<f64> = steps.levels.iter().map(|(level, ..)| *level).collect();
    assert_eq!(levels, [0.0, 0.25, 0.5, 1.0]);
    let rho = steps.rho.unwrap();
    assert_eq!((rho.mean, rho.interval, rho.p), (1.0, Some([1.0, 1.0]), Some(0.25)));
    // Over the mean of two worlds, one of which lies 0.05 above the other.
    assert!((steps.levels[3].1 - 0.925).abs() < 0.01);
    let reach = evidence.reach.as_ref().unwrap();
    assert!(reach.least_subject.starts_with("dead on"), "{}", reach.least_subject);
    assert!(reach.greatest_subject.starts_with("the truth on"), "{}", reach.greatest_subject);
}

#[test]
fn a_constant_metric_sees_nothing() {
    let found = build_table(&[PERFECT, CONSTANT, NOISE], &both_worlds(3), &Rule::first_edition());
    use VerdictWord::{Fails, Holds, Partly, Unknown};
    let expected = [Holds, Fails, Fails, Holds, Partly, Unknown, Holds];
    assert_eq!(words(&found, &CONSTANT), expected);
    let discrimination = says(&found, &CONSTANT, Column::Discrimination);
    assert_eq!(discrimination, "Does not separate a permuted decoder, random directions and untrained weights.");
    let evidence = &entry(&found, &CONSTANT).evidence;
    assert!(evidence.controls.iter().all(|found| found.word == ControlOutcome::NotSeen && found.auc == 0.5));
    assert_eq!(evidence.reliability.seeds_to_tell, None);
    assert_eq!(evidence.validity.rho.map(|rho| (rho.mean, rho.p)), Some((0.0, Some(1.0))));
    let reach = says(&found, &CONSTANT, Column::Reach);
    assert_eq!(reach, "Nothing was found that fails its condition (it > 0.5): values from 0.7 to 0.7.");
}

#[test]
fn a_reversed_metric_takes_controls_for_better() {
    let found = build_table(&[REVERSED, LOWER], &both_worlds(3), &Rule::first_edition());
    assert_eq!(cell(&found, &REVERSED, Column::Discrimination).word, VerdictWord::Fails);
    assert_eq!(
        says(&found, &REVERSED, Column::Discrimination),
        "Scores a permuted decoder, random directions and untrained weights above what was trained."
    );
    let validity = says(&found, &REVERSED, Column::Validity);
    assert!(validity.starts_with("Runs against ground truth: ρ = −"), "{validity}");
    // The same numbers, read the other way, are as good as they can be.
    for column in [Column::Discrimination, Column::Validity] {
        assert_eq!(cell(&found, &LOWER, column).word, VerdictWord::Holds);
    }
    let redundancy = cell(&found, &LOWER, Column::Redundancy);
    assert_eq!(redundancy.word, VerdictWord::Fails);
    assert_eq!(redundancy.says, "Says what reversed says: ρ = 1.00.");
    assert_eq!(cell(&found, &LOWER, Column::Reach).word, VerdictWord::None);
}

#[test]
fn of_noise_little_can_be_told_from_three_seeds() {
    let worlds = [World::Superposition, World::Layer];
    // How often of a hundred throws it looks like something, and how often nothing can be told. That three seeds
    // show at times that it follows no truth is right: it follows none.
    let (mut good, mut unknown) = ([0; 2], [0; 2]);
    for throw in 0..100 {
        let found = build_table(&[PERFECT, NOISE], &thrown(&worlds, 3, throw), &Rule::first_edition());
        for (at, column) in [Column::Discrimination, Column::Validity].into_iter().enumerate() {
            let word = cell(&found, &NOISE, column).word;
            good[at] += i32::from(matches!(word, VerdictWord::Holds | VerdictWord::Partly));
            unknown[at] += i32::from(word == VerdictWord::Unknown);
        }
    }
    // An interval of 95 % lies above nothing by chance in 2.5 throws, and the false discovery rate is 5 %.
    assert!(good.iter().all(|good| *good <= 7), "{good:?}");
    assert!(unknown.iter().all(|unknown| *unknown > 50), "{unknown:?}");
    let found = build_table(&[PERFECT, NOISE], &both_worlds(3), &Rule::first_edition());
    assert_eq!(cell(&found, &NOISE, Column::Reliability).word, VerdictWord::Fails);
    assert_eq!(cell(&found, &NOISE, Column::Invariance).word, VerdictWord::Fails);
    assert_eq!(cell(&found, &NOISE, Column::Redundancy).word, VerdictWord::Holds);
    // Twenty seeds tell that it does not follow the truth.
    let found = build_table(&[PERFECT, NOISE], &both_worlds(20), &Rule::first_edition());
    assert_eq!(cell(&found, &NOISE, Column::Validity).word, VerdictWord::Fails);
    assert_eq!(cell(&found, &NOISE, Column::Discrimination).word, VerdictWord::Unknown);
}

#[test]
fn from_one_seed_nothing_can_be_told_that_is_of_seeds() {
    let found = build_table(&ALL, &both_worlds(1), &Rule::first_edition());
    for metric in ALL {
        for column in [Column::Reliability, Column::Discrimination, Column::Validity] {
            assert_eq!(cell(&found, &metric, column).word, VerdictWord::Unknown, "{}", metric.id);
        }
        let evidence = &entry(&found, &metric).evidence;
        assert!(evidence.controls.iter().all(|found| found.word == ControlOutcome::Unknown));
        assert_eq!(evidence.reliability.seeds_to_tell, None);
    }
}

#[test]
fn a_partly_blind_metric_says_what_it_does_not_see() {
    let found = build_table(&[PARTLY, NOISE], &both_worlds(3), &Rule::first_edition());
    let discrimination = cell(&found, &PARTLY, Column::Discrimination);
    assert_eq!(discrimination.word, VerdictWord::Partly);
    assert_eq!(
        discrimination.says,
        "Separates what was trained from random directions and untrained weights, does not separate a permuted decoder."
    );
    assert_eq!(discrimination.value, Some(0.5));
    let invariance = cell(&found, &PARTLY, Column::Invariance);
    assert_eq!(invariance.word, VerdictWord::Partly);
    let start = "Stays under reordering, but moves by up to 1.";
    assert!(invariance.says.starts_with(start), "{}", invariance.says);
    assert!(invariance.says.ends_with("of its distance from random under scaling."));
    // Twice 0.925 less 0.925, over its distance of 0.8 from random.
    assert_close("change", invariance.value.unwrap(), 0.925 / 0.8, 0.01, 0.0);
    let permuted = &entry(&found, &PARTLY).evidence.controls[0];
    assert_eq!((permuted.name.as_str(), permuted.passes), ("permuted", Some(1.0)));
}

#[test]
fn what_follows_size_alone_follows_less_given_size() {
    let found = build_table(&[SIZE, PERFECT], &both_worlds(3), &Rule::first_edition());
    let of = |metric| entry(&found, metric).evidence.validity.clone();
    let [rho, given_size, given_width] =
        [of(&SIZE).rho, of(&SIZE).given_size, of(&SIZE).given_width].map(|found| found.unwrap().mean);
    assert!(rho > 0.6 && given_size < 0.4, "{rho}, given size {given_size}");
    // All are as wide, so that width takes nothing.
    assert_eq!(rho, given_width);
    assert!(of(&PERFECT).given_size.unwrap().mean > 0.95);
}

#[test]
fn conditions_that_the_formula_excludes_fail() {
    let all = [
        (Condition::above("it", 1.0), (0.0, 1.0), "By its formula it can never pass (it > 1)."),
        (Condition::at_least("it", 0.0), (0.0, 1.0), "By its formula it can never fail (it ≥ 0)."),
        (Condition::below("it", 0.0), (0.0, f64::NAN), "By its formula it can never pass (it < 0)."),
        (Condition::at_most("it", 1.0), (0.0, 1.0), "By its formula it can never fail (it ≤ 1)."),
    ];
    for (condition, reach, says) in all {
        let metric = Metric { condition: Some(condition), value_range: reach, ..PERFECT };
        let found = build_table(&[metric], &[], &Rule::first_edition());
        let found = cell(&found, &metric, Column::Reach);
        assert_eq!((found.word, found.says.as_str()), (VerdictWord::Fails, says));
    }
    // What was seen can be, whatever is said of the formula.
    let metric = Metric { condition: Some(Condition::above("it", 0.5)), value_range: (0.6, 0.7), ..PERFECT };
    let found = build_table(&[metric], &both_worlds(2), &Rule::first_edition());
    assert_eq!(cell(&found, &metric, Column::Reach).word, VerdictWord::Holds);
}

#[test]
fn readings_of_one_metric_are_no_other_metric() {
    let code = Metric { id: "toy.perfect.code", attribution: ReadingSource::Code, ..PERFECT };
    let text =
        Metric { id: "toy.perfect.document", name: "in the text", attribution: ReadingSource::Document, ..PERFECT };
    let mut rows = both_worlds(2);
    for row in &mut rows {
        row.values.truncate(1);
        row.values.push(MetricValue { metric: code.id.to_owned(), ..row.values[0].clone() });
        row.values.push(MetricValue { metric: text.id.to_owned(), ..row.values[0].clone() });
        row.values.remove(0);
    }
    let found = build_table(&[code, text], &rows, &Rule::first_edition());
    let redundancy = cell(&found, &code, Column::Redundancy);
    assert_eq!(redundancy.word, VerdictWord::Partly);
    assert_eq!(redundancy.says, "Says what its own other reading says, in the text (text): ρ = 1.00.");
    assert_eq!(found.correlations.clusters, [0, 0]);
    // Of another paper it is another metric.
    let other = Metric { paper: "other", ..text };
    let found = build_table(&[code, other], &rows, &Rule::first_edition());
    assert_eq!(cell(&found, &code, Column::Redundancy).word, VerdictWord::Fails);
}

#[test]
fn correlations_are_symmetric_and_their_order_keeps_clusters_together() {
    let found = build_table(&ALL, &both_worlds(3), &Rule::first_edition()).correlations;
    let n = found.metrics.len();
    assert_eq!(n, ALL.len());
    let mut order = found.order.clone();
    order.sort_unstable();
    assert_eq!(order, (0..n).collect::<Vec<_>>());
    for (row, rho) in found.rho.iter().enumerate() {
        for (column, value) in rho.iter().enumerate() {
            assert_eq!(*value, found.rho[column][row]);
        }
    }
    // Perfect, reversed and lower are one thing; what does not vary is alone.
    let cluster = |metric: &Metric| found.clusters[found.metrics.iter().position(|id| id == metric.id).unwrap()];
    assert_eq!([cluster(&PERFECT); 2], [cluster(&REVERSED), cluster(&LOWER)]);
    assert!(found.clusters.iter().filter(|other| **other == cluster(&CONSTANT)).count() == 1);
    let in_order: Vec<usize> = found.order.iter().map(|at| found.clusters[*at]).collect();
    let runs = in_order.chunk_by(|a, b| a == b).count();
    assert_eq!(runs, found.clusters.iter().max().unwrap() + 1);
}

#[test]
fn every_p_of_the_table_has_its_q() {
    let found = build_table(&ALL, &both_worlds(3), &Rule::first_edition());
    let all: Vec<_> = found
        .entries
        .iter()
        .flat_map(|entry| {
            let evidence = &entry.evidence;
            let controls = evidence.controls.iter().map(|control| control.difference);
            let doses = evidence.doses.iter().filter_map(|dose| dose.rho);
            let validity = &evidence.validity;
            let validity = [validity.rho, validity.given_size, validity.given_width];
            controls.chain(doses).chain(validity.into_iter().flatten()).collect::<Vec<_>>()
        })
        .collect();
    let p: Vec<f64> = all.iter().map(|estimate| estimate.p.unwrap()).collect();
    let q: Vec<f64> = all.iter().map(|estimate| estimate.q.unwrap()).collect();
    assert!(p.len() > 40);
    assert_eq!(benjamini_hochberg(&p).unwrap(), q);
    for change in found.entries.iter().flat_map(|entry| &entry.evidence.changes) {
        assert_eq!((change.change.p, change.change.q), (None, None));
    }
}

#[test]
fn of_ten_seeds_on_intervals_are_bootstrapped() {
    let rows = both_worlds(10);
    let found = build_table(&[PERFECT], &rows, &Rule::first_edition());
    let (_, average, interval) = entry(&found, &PERFECT).evidence.doses[0].levels[3];
    let of = |seed: u32| {
        let rows = rows.iter().filter(|row| row.seed == seed && row.subject.group == Group::Reference);
        mean(&rows.map(|row| row.values[0].value.unwrap()).collect::<Vec<_>>()).unwrap()
    };
    let seeds: Vec<f64> = (0..10).map(of).collect();
    assert_close("mean", average, mean(&seeds).unwrap(), 1e-14, 0.0);
    let bootstrap = Bootstrap { resamples: 2000, confidence: 0.95, seed: 0 };
    let wanted = StudentisedBootstrap::new(&bootstrap, 10).unwrap().interval(&seeds).unwrap();
    let [low, high] = interval.unwrap();
    assert_close("low", low, wanted.low, 1e-12, 0.0);
    assert_close("high", high, wanted.high, 1e-12, 0.0);
}

#[test]
fn a_seed_that_is_not_through_does_not_count_yet() {
    let mut rows = both_worlds(3);
    let whole = build_table(&[PERFECT], &rows, &Rule::first_edition());
    assert_eq!(entry(&whole, &PERFECT).evidence.reliability.seeds, 3);
    rows.retain(|row| (row.seed, row.world) != (2, World::Layer));
    let found = build_table(&[PERFECT], &rows, &Rule::first_edition());
    let reliability = &entry(&found, &PERFECT).evidence.reliability;
    // Else its 0.05 less would be variation over seeds.
    assert_eq!(reliability.seeds, 2);
    assert!(reliability.cv_seeds.unwrap() < 0.01);
    let world = Some(World::Superposition);
    let found = build_table(&[PERFECT], &rows, &Rule { world, ..Rule::first_edition() });
    assert_eq!(entry(&found, &PERFECT).evidence.reliability.seeds, 3);
}

#[test]
fn one_world_alone_is_as_if_no_other_had_been_measured() {
    let rows = both_worlds(3);
    let rule = Rule { world: Some(World::Layer), ..Rule::first_edition() };
    let layer: Vec<SubjectRow> = rows.iter().filter(|row| row.world == World::Layer).cloned().collect();
    assert_eq!(build_table(&ALL, &rows, &rule), build_table(&ALL, &layer, &Rule::first_edition()));
}

#[test]
fn a_metric_that_is_added_has_a_row_with_no_further_code() {
    let added = Metric { id: "toy.added", name: "added", measure: AnyMetricFn::Scores(|_| Ok(Some(1.0))), ..PERFECT };
    let registry = Registry::all().with_metric(added);
    let mut rows = rows(&[World::Scores], 3);
    for row in &mut rows {
        row.values.truncate(1);
        row.values[0].metric = added.id.to_owned();
    }
    let found = build_table(registry.metrics(), &rows, &Rule::first_edition());
    assert_eq!(found.entries.len(), registry.metrics().len());
    let says = says(&found, &added, Column::Discrimination);
    assert_eq!(says, "Separates scores without noise from permuted, random and untrained.");
    assert_eq!(entry(&found, &added).evidence.controls.len(), 3);
    assert_eq!(found.correlations.metrics, [added.id]);
}

fn shuffled(dice: &mut Dice, rows: &[SubjectRow]) -> Vec<SubjectRow> {
    let order = dice.0.permutation(rows.len() as u32);
    order.into_iter().map(|at| rows[at as usize].clone()).collect()
}

#[test]
fn the_order_of_rows_changes_nothing() {
    let mut dice = Dice::new(1);
    let mut rows = both_worlds(3);
    // Subjects that are there twice have no order either.
    let again = rows[3].values[0].value.map(|value| value + 1.0);
    rows.push(rows[3].clone());
    rows.last_mut().unwrap().values[0].value = again;
    let wanted = build_table(&ALL, &rows, &Rule::first_edition());
    for _ in 0..20 {
        assert_eq!(build_table(&ALL, &shuffled(&mut dice, &rows), &Rule::first_edition()), wanted);
    }
}

#[test]
fn any_rows_make_a_table_whose_words_follow_from_its_numbers() {
    let mut dice = Dice::new(2);
    let rows = both_worlds(11);
    for round in 0..150 {
        let keep = dice.whole(1, 12);
        let mut some: Vec<SubjectRow> = shuffled(&mut dice, &rows);
        some.retain(|_| dice.often(keep));
        for row in &mut some {
            for known in [&mut row.truth, &mut row.size, &mut row.width] {
                *known = known.filter(|_| !dice.often(6));
            }
            row.values.retain(|_| !dice.often(8));
            for said in &mut row.values {
                let odd = dice.of(&[f64::NAN, f64::INFINITY, 0.0, -0.0, 1e300, -1e308, 5e-324]);
                said.value = if dice.often(9) { Some(odd) } else { said.value };
                said.value = said.value.filter(|_| !dice.often(9));
            }
        }
        let mut limit = || dice.of(&[0.0, 0.05, 0.3, 0.8, 0.9, 1.0, 1e9, -1.0, f64::NAN]);
        let rule = Rule {
            cv_holds: limit(),
            cv_partly: limit(),
            alpha: limit(),
            auc: limit(),
            rho: limit(),
            change: limit(),
            same: limit(),
            seconds_holds: limit(),
            seconds_partly: limit(),
            ..Rule::first_edition()
        };
        let found = build_table(&ALL, &some, &rule);
        assert_eq!(found.entries.len(), ALL.len());
        // A number that is none would be null, which is not read again.
        let text = serde_json::to_string(&found).unwrap();
        assert!(serde_json::from_str::<Table>(&text).is_ok(), "round {round}");
        for entry in &found.entries {
            follows(entry, &rule);
            let score = weighted_score(entry, &[1.0, 2.0, 0.0, 1.0, 0.5, 1.0, 1.0]);
            assert!(score.is_none_or(|score| (0.0..=1.0).contains(&score)));
        }
    }
    assert!(build_table(&[], &rows, &Rule::first_edition()).entries.is_empty());
}

/// The words of a metric, once more from the evidence.
fn follows(entry: &MetricEntry, rule: &Rule) {
    let evidence = &entry.evidence;
    let word = |column| entry.cells.iter().find(|cell| cell.column == column).unwrap().word;
    let by = |value: f64, holds: f64, partly: f64| match value {
        value if value <= holds => VerdictWord::Holds,
        value if value <= partly => VerdictWord::Partly,
        _ => VerdictWord::Fails,
    };
    let reliability = &evidence.reliability;
    let wanted = match reliability.cv_seeds {
        Some(cv) => by(cv, rule.cv_holds, rule.cv_partly),
        None if reliability.seeds < 2 => VerdictWord::Unknown,
        None => VerdictWord::Fails,
    };
    assert_eq!(word(Column::Reliability), wanted, "{entry:?}");
    let told = evidence.controls.iter().filter(|found| found.word == ControlOutcome::Separated).count();
    let wanted = match word(Column::Discrimination) {
        VerdictWord::Holds => told > 0 && told == evidence.controls.len(),
        VerdictWord::Partly => told > 0 && told < evidence.controls.len(),
        _ => told == 0,
    };
    assert!(wanted, "{entry:?}");
    for control in &evidence.controls {
        let differs = control.difference.q.is_some_and(|q| q <= rule.alpha);
        match control.word {
            ControlOutcome::Separated => assert!(differs && control.auc >= rule.auc),
            ControlOutcome::Reversed => assert!(differs && 1.0 - control.auc >= rule.auc),
            ControlOutcome::NotSeen => {
                assert!(control.difference.seeds > 1 && control.difference.mean.abs() < 1e-6)
            }
            ControlOutcome::Unknown => (),
            // Words of the second edition.
            other => panic!("{other:?}"),
        }
    }
    if let Some([low, high]) = evidence.validity.rho.and_then(|rho| rho.interval) {
        let wanted = if low > rule.rho {
            VerdictWord::Holds
        } else if low > 0.0 {
            VerdictWord::Partly
        } else if high < rule.rho {
            VerdictWord::Fails
        } else {
            VerdictWord::Unknown
        };
        assert_eq!(word(Column::Validity), wanted, "{entry:?}");
    }
    let largest = evidence.changes.iter().map(|found| found.change.mean);
    let all = evidence.changes.len();
    let few = largest.filter(|change| *change <= rule.change).count();
    let wanted = match few {
        _ if all == 0 => VerdictWord::Unknown,
        few if few == all => VerdictWord::Holds,
        0 => VerdictWord::Fails,
        _ => VerdictWord::Partly,
    };
    assert_eq!(word(Column::Invariance), wanted, "{entry:?}");
    if let Some(cost) = evidence.cost {
        assert_eq!(word(Column::Cost), by(cost.seconds, rule.seconds_holds, rule.seconds_partly));
    }
    if let Some((_, rho)) = evidence.alike.first() {
        let alone = word(Column::Redundancy) == VerdictWord::Holds;
        assert_eq!(alone, !evidence.alike.iter().any(|(_, rho)| rho.abs() >= rule.same), "{rho}");
    }
}
