//! The second edition's words, of rows whose answers are known.

use std::collections::BTreeMap;

use sfc_bench::lab::audit::settings::Draft;
use sfc_bench::lab::audit::{
    AccessLevel, AnyMetricFn, Better, Column, ControlOutcome, Edition, Estimate, Group, Metric, MetricEntry,
    MetricValue, Report, Rule, Settings, StudyView, Subject, SubjectRow, TRUTHS, Table, VerdictWord, World,
    build_table, choose_metric, limit_sensitivity, weighted_score,
};
use sfc_bench::papers::measurement::validation::ReadingSource;
use sfc_bench::settings::check;
use sfc_bench::study::Study;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::dice::Dice;

const GOOD: Metric = Metric {
    id: "toy.good",
    paper: "toy",
    name: "good",
    attribution: ReadingSource::Both,
    better: Better::Higher,
    needs: AccessLevel::Activations,
    condition: None,
    value_range: (f64::NEG_INFINITY, f64::INFINITY),
    measure: AnyMetricFn::Decomposition(|_| Ok(None)),
};
const CONSTANT: Metric = Metric { id: "toy.constant", name: "constant", ..GOOD };
const NOISE: Metric = Metric { id: "toy.noise", name: "noise", ..GOOD };
const UPSIDE: Metric = Metric { id: "toy.upside", name: "upside down", ..GOOD };
/// Reads codes alone, by its id.
const CODES: Metric = Metric { id: "sfc.s", name: "codes", ..GOOD };
/// Shares a term with `activations`, by its id.
const TIED: Metric = Metric { id: "fade.purity.toy", name: "tied", ..GOOD };
const ALL: [Metric; 6] = [GOOD, CONSTANT, NOISE, UPSIDE, CODES, TIED];

/// Subjects of a place: how good they are.
fn subjects() -> Vec<(Subject, f64)> {
    let mut all = vec![
        (Subject::new(Group::Reference, "trained"), 0.8),
        (Subject::new(Group::Control, "random"), 0.2),
        (Subject::new(Group::Control, "permuted"), 0.2),
        // A truth says that it wins.
        (Subject::new(Group::Control, "structureless"), 0.9),
        (Subject::new(Group::Same, "reordered"), 0.8),
    ];
    for at in 0..8 {
        let name = format!("variant{at}");
        all.push((Subject::new(Group::Trained, &name), 0.4 + 0.05 * f64::from(at)));
    }
    all
}

fn rows(world: World, place: &str, seeds: std::ops::Range<u32>) -> Vec<SubjectRow> {
    let mut rows = Vec::new();
    for seed in seeds {
        let mut dice = Dice::new(40 + seed);
        let mut normal = |size: f64| size * dice.0.standard_normal();
        let shift = normal(0.1);
        for (subject, truth) in subjects() {
            let own = match subject.group {
                Group::Same | Group::Reference => 0.8,
                _ => truth + normal(0.005),
            };
            let permuted = subject.name == "permuted";
            let said = [own + shift, 0.5, normal(1.0), -own, if permuted { 0.8 + shift } else { own + shift }, own];
            let values = ALL.iter().zip(said).map(|(metric, value)| MetricValue {
                metric: metric.id.to_owned(),
                value: Some(value),
                seconds: 0.01,
                evaluations: 64,
            });
            let values = values.collect();
            let truths = [("activations", truth), ("steering", truth + normal(0.01))];
            let known = !matches!(subject.group, Group::Same);
            let truths = truths.into_iter().filter(|_| known);
            rows.push(SubjectRow {
                world,
                place: place.to_owned(),
                seed,
                truth: Some(truth),
                truths: truths.map(|(name, value)| (name.to_owned(), value)).collect(),
                size: Some(8.0),
                width: Some(32.0),
                subject,
                values,
                not_applicable: None,
            });
        }
    }
    rows
}

fn toys(models: u32) -> Vec<SubjectRow> {
    (0..models).flat_map(|at| rows(World::Toys, &format!("model{at}"), at..at + 1)).collect()
}

fn entry<'a>(table: &'a Table, metric: &Metric) -> &'a MetricEntry {
    table.entries.iter().find(|entry| entry.metric == metric.id).unwrap()
}

fn word(table: &Table, metric: &Metric, column: Column) -> VerdictWord {
    entry(table, metric).cells.iter().find(|cell| cell.column == column).unwrap().word
}

#[test]
fn ten_models_give_the_words_that_were_planted() {
    let found = build_table(&ALL, &toys(10), &Rule::default());
    let words = |metric: &Metric| Column::ALL.map(|column| word(&found, metric, column));
    assert_eq!(words(&GOOD)[..4], [VerdictWord::Holds, VerdictWord::Separates, VerdictWord::Holds, VerdictWord::Holds]);
    // A constant has neither a ρ nor a correlation within classes, and is no evidence of either.
    let constant = entry(&found, &CONSTANT);
    assert!(constant.evidence.validity.truths.iter().all(|found| found.rho.is_none()));
    assert!(constant.evidence.reliability.worlds.is_empty());
    assert_eq!(words(&CONSTANT)[..3], [VerdictWord::Inconclusive, VerdictWord::Fails, VerdictWord::Inconclusive]);
    assert_eq!(words(&UPSIDE)[1..3], [VerdictWord::Reversed, VerdictWord::Reversed]);
    assert!(!matches!(words(&NOISE)[1], VerdictWord::Separates | VerdictWord::Reversed));
    assert_eq!(words(&NOISE)[0], VerdictWord::Fails);
    for entry in &found.entries {
        for cell in &entry.cells {
            assert!(cell.says.ends_with('.') && !cell.says.contains("NaN"), "{}", cell.says);
        }
    }
}

#[test]
fn a_control_counts_where_it_loses_by_truth_and_is_seen() {
    let found = build_table(&ALL, &toys(10), &Rule::default());
    let told = |metric: &Metric, name: &str| {
        let controls = &entry(&found, metric).evidence.controls;
        controls.iter().find(|control| control.name == name).unwrap().word
    };
    assert_eq!(told(&GOOD, "structureless"), ControlOutcome::NotApplicable);
    assert_eq!(told(&GOOD, "permuted"), ControlOutcome::Separated);
    assert_eq!(told(&CODES, "permuted"), ControlOutcome::Equal);
    assert_eq!(word(&found, &CODES, Column::Discrimination), VerdictWord::Separates);
    // What says the same of everything sees nothing, and fails rather than being excused.
    assert_eq!(told(&CONSTANT, "random"), ControlOutcome::NotSeen);
    let says = &entry(&found, &GOOD).cells[1].says;
    assert!(says.starts_with("Separates 2 of 2 controls that count (1 more do not count)"), "{says}");
}

#[test]
fn a_metric_that_shares_a_term_with_a_truth_has_no_word_there() {
    let found = build_table(&ALL, &toys(10), &Rule::default());
    let truths = &entry(&found, &TIED).evidence.validity.truths;
    let of = |name: &str| truths.iter().find(|found| found.truth == name).unwrap();
    assert!(of("activations").tied && of("activations").word == VerdictWord::Tied);
    assert!(!of("steering").tied && of("steering").word == VerdictWord::Holds);
    // Neither is its p among those that are controlled.
    assert_eq!(of("activations").rho.unwrap().q, None);
    assert!(of("steering").rho.unwrap().q.is_some());
    assert!(truths.iter().all(|found| TRUTHS.contains(&found.truth.as_str())));
}

#[test]
fn seeds_of_one_model_are_said_to_be_of_one_model() {
    let rows = rows(World::Stream0, "", 0..12);
    let found = build_table(&ALL, &rows, &Rule::default());
    let control = &entry(&found, &GOOD).evidence.controls[0];
    assert!(!control.models && control.difference.seeds == 12);
    let says = &entry(&found, &GOOD).cells[1].says;
    assert!(says.ends_with("of one model."), "{says}");
    // The same seeds of ten models are ten units, and nothing is said of one model.
    let found = build_table(&ALL, &toys(10), &Rule::default());
    let control = &entry(&found, &GOOD).evidence.controls[0];
    assert!(control.models && control.difference.seeds == 10 && control.world == "streams");
}

#[test]
fn the_headline_is_the_worst_worlds_word() {
    let mut all = toys(10);
    let mut other = rows(World::Superposition, "", 0..10);
    for row in &mut other {
        // There it says the opposite.
        row.values.iter_mut().for_each(|said| said.value = said.value.map(|value| -value));
    }
    all.extend(other);
    let found = build_table(&ALL, &all, &Rule::default());
    assert_eq!(word(&found, &GOOD, Column::Discrimination), VerdictWord::Reversed);
    assert_eq!(word(&found, &GOOD, Column::Validity), VerdictWord::Reversed);
}

#[test]
fn an_inconclusive_column_earns_nothing_and_three_models_are_few() {
    let found = build_table(&ALL, &toys(3), &Rule::default());
    let entry = entry(&found, &GOOD);
    assert_eq!(word(&found, &GOOD, Column::Discrimination), VerdictWord::Overlaps);
    assert_eq!(VerdictWord::Inconclusive.score_value(), Some(0.0));
    let mut weights = [0.0; 7];
    weights[1] = 1.0;
    assert_eq!(weighted_score(entry, &weights), Some(0.5));
    assert_eq!(VerdictWord::Equal.score_value(), None);
}

#[test]
fn limits_that_move_change_words_and_it_is_said_how_many() {
    let rule = Rule::default();
    let found = limit_sensitivity(&ALL, &build_table(&ALL, &toys(10), &rule), &rule).unwrap();
    // Reach and cost hang on none of them.
    assert_eq!((found.words, found.by), (5 * ALL.len(), 0.05));
    let first = build_table(&ALL, &toys(10), &Rule::first_edition());
    assert!(limit_sensitivity(&ALL, &first, &Rule::first_edition()).is_none());
    // The first edition takes neither what it did not have nor those rows' worlds.
    assert!(first.entries.iter().all(|entry| entry.evidence.reach.is_none()));
}

#[test]
fn words_that_limits_move_are_those_of_other_limits() {
    let rows = toys(10);
    let usual = build_table(&ALL, &rows, &Rule::default());
    let [low, _] = entry(&usual, &NOISE).evidence.reliability.worlds[0].interval;
    let [least, _] = entry(&usual, &GOOD).evidence.reliability.worlds[0].interval;
    assert!(low < 0.2 && least > 0.9);
    // Just above what the good metric reaches, and limits that a move brings to their ends.
    for rule in [
        Rule::default(),
        Rule { icc_holds: least + 0.03, ..Rule::default() },
        Rule { rho: 0.98, same: 0.99, change: 0.02, ..Rule::default() },
        Rule { change: 1.0, ..Rule::default() },
    ] {
        let words = |by: f64| -> Vec<VerdictWord> {
            let within = |limit: f64| (limit + by).clamp(0.0, 1.0);
            let moved = Rule {
                separates: within(rule.separates),
                icc_holds: within(rule.icc_holds),
                icc_partly: within(rule.icc_partly),
                rho: within(rule.rho),
                same: within(rule.same),
                change: (rule.change + by).max(0.0),
                ..rule
            };
            let cells = build_table(&ALL, &rows, &moved).entries.into_iter().flat_map(|entry| entry.cells);
            let counted = cells.filter(|cell| !matches!(cell.column, Column::Reach | Column::Cost));
            counted.map(|cell| cell.word).collect()
        };
        let others = |by: f64| words(0.0).iter().zip(words(by)).filter(|(a, b)| **a != *b).count();
        let found = limit_sensitivity(&ALL, &build_table(&ALL, &rows, &rule), &rule).unwrap();
        assert_eq!((found.lower, found.higher), (others(-0.05), others(0.05)), "{rule:?}");
        if rule.icc_holds > least {
            assert!(found.lower > 0);
        }
    }
}

#[test]
fn validity_is_the_word_of_the_truth_in_the_middle() {
    // Of four truths one is followed, one is not and two are reversed: the lower of the middle ones is reversed.
    let mut rows = toys(10);
    for row in &mut rows {
        let Some(truth) = row.truths.get("activations").copied() else { continue };
        row.truths.insert("steering".to_owned(), 0.0);
        row.truths.insert("ablation".to_owned(), -truth);
        row.truths.insert("probing".to_owned(), -truth);
    }
    let found = build_table(&ALL, &rows, &Rule::default());
    let of = |name: &str| {
        let truths = &entry(&found, &GOOD).evidence.validity.truths;
        truths.iter().find(|found| found.truth == name).unwrap().word
    };
    assert_eq!(of("activations"), VerdictWord::Holds);
    assert_eq!((of("steering"), of("ablation")), (VerdictWord::Inconclusive, VerdictWord::Reversed));
    assert_eq!(word(&found, &GOOD, Column::Validity), VerdictWord::Reversed);
    for row in &mut rows {
        row.truths.remove("ablation");
    }
    // Of three it is the one that cannot be told.
    let found = build_table(&ALL, &rows, &Rule::default());
    assert_eq!(word(&found, &GOOD, Column::Validity), VerdictWord::Inconclusive);
}

#[test]
fn what_follows_from_size_alone_is_seen_given_size() {
    let mut rows = toys(10);
    let plain = build_table(&ALL, &rows, &Rule::default());
    let of = |table: &Table| entry(table, &GOOD).evidence.validity.truths[0].clone();
    // Where all are of one size nothing is taken away.
    let over_models = |found: sfc_bench::lab::audit::TruthEvidence| {
        found.rho.map(|rho| Estimate { p: found.p_models, q: None, ..rho })
    };
    assert_eq!(of(&plain).given_size, over_models(of(&plain)));
    assert_eq!((of(&plain).of_size, of(&plain).of_width), (None, None), "all are alike");
    let mut dice = Dice::new(7);
    for row in &mut rows {
        // The metric and the truth have nothing in common but size.
        let size = 10.0 * row.truths.get("activations").copied().unwrap_or(0.8);
        row.size = Some(size);
        row.values[0].value = Some(size + 0.3 * dice.0.standard_normal());
        if let Some(truth) = row.truths.get_mut("activations") {
            *truth = size + 0.3 * dice.0.standard_normal();
        }
    }
    let sized = build_table(&ALL, &rows, &Rule::default());
    let found = of(&sized);
    let (rho, given) = (found.rho.unwrap(), found.given_size.unwrap());
    assert!(rho.mean > 0.8 && given.interval.unwrap()[0] < 0.0, "{rho:?} {given:?}");
    assert!(found.of_size.unwrap().mean < -0.8, "a smaller size is worse here");
    let says = &entry(&sized, &GOOD).cells[2].says;
    assert!(says.contains("given L0 (partial ρ)"), "{says}");
    assert!(says.contains("a smaller L0 alone has −"), "{says}");
}

#[test]
fn a_number_of_each_recipe_follows_no_truth_however_many_models_confirm_it() {
    let mut rows = toys(10);
    // ρ of these with the truth is .43: as large in every fourth order of eight subjects and the reference.
    let of_recipe = [3.0, 0.0, 4.0, 1.0, 7.0, 2.0, 5.0, 6.0];
    let mut dice = Dice::new(3);
    for row in &mut rows {
        let name = row.subject.name.strip_prefix("variant");
        let recipe = name.and_then(|at| of_recipe.get(at.parse::<usize>().unwrap()));
        row.values[0].value = Some(recipe.unwrap_or(&3.5) + 0.2 * dice.0.standard_normal());
    }
    let found = build_table(&ALL, &rows, &Rule::default());
    let truth = &entry(&found, &GOOD).evidence.validity.truths[0];
    assert!(truth.rho.unwrap().mean > 0.3, "{truth:?}");
    assert!(truth.p_models.unwrap() < 1e-3 && truth.p_subjects.unwrap() > 0.05, "{truth:?}");
    assert_eq!(truth.rho.unwrap().p, truth.p_subjects);
    assert_eq!(truth.word, VerdictWord::Inconclusive);
    // What follows it does so over both.
    let plain = build_table(&ALL, &toys(10), &Rule::default());
    let good = &entry(&plain, &GOOD).evidence.validity.truths[0];
    assert!(good.p_models.unwrap() < 0.01 && good.p_subjects.unwrap() < 0.05, "{good:?}");
    assert_eq!(good.word, VerdictWord::Holds);
}

#[test]
fn what_no_draw_moves_was_measured_once() {
    let mut rows = rows(World::Superposition, "", 0..10);
    for row in &mut rows {
        let truth = row.truths.get("activations").copied();
        row.values[0].value = Some(truth.unwrap_or(0.8));
    }
    let found = build_table(&ALL, &rows, &Rule::default());
    let once = &entry(&found, &GOOD);
    assert!(once.evidence.reliability.worlds.is_empty());
    let truth = &once.evidence.validity.truths[0];
    let rho = truth.rho.unwrap();
    assert_eq!((rho.interval, rho.p, truth.p_models, rho.seeds), (None, None, None, 10));
    for column in [Column::Reliability, Column::Discrimination, Column::Validity] {
        assert_eq!(word(&found, &GOOD, column), VerdictWord::Inconclusive, "{column:?}");
    }
    assert!(once.cells[1].says.contains("the same values on every draw"), "{}", once.cells[1].says);
    // The rows' other metrics are moved.
    assert_eq!(word(&found, &UPSIDE, Column::Reliability), VerdictWord::Holds);
}

#[test]
fn the_first_edition_has_no_worlds_that_came_later() {
    for world in ["toys", "synth"] {
        let draft = |edition: &str| Draft {
            world: Some(world.to_owned()),
            edition: Some(edition.to_owned()),
            ..Draft::default()
        };
        assert!(check::<Settings>(&draft("2")).is_ok());
        let found = check::<Settings>(&draft("1")).unwrap_err().0;
        assert_eq!((found.len(), found[0].code.as_str()), (1, "settings.world"));
        assert!(found[0].allowed.contains("stream1") && !found[0].allowed.contains(world));
    }
}

#[test]
fn rows_without_truths_by_name_are_of_the_first_edition() {
    let job = |rows: Vec<SubjectRow>| sfc_bench::lab::audit::report::CompletedJob {
        job: "stream0-0".to_owned(),
        rows,
        seconds: 0.0,
    };
    let settings = || Settings { world: "stream0".to_owned(), seeds: 1, ..Settings::default() };
    let mut old = rows(World::Stream0, "", 0..1);
    let new = Report { jobs: vec![job(old.clone())], ..Report::new(settings()) };
    assert_eq!(new.edition(), Edition::Second);
    old.iter_mut().for_each(|row| row.truths = BTreeMap::new());
    let old = Report { jobs: vec![job(old)], ..Report::new(settings()) };
    assert_eq!(old.edition(), Edition::First);
    let mut opened = StudyView::open(old).unwrap();
    assert!(opened.headline().unwrap().starts_with("First edition"));
    // Whoever asks for the second one is not given its words of those rows.
    opened.apply_settings(settings());
    assert_eq!(opened.report().settings.edition, Edition::First);
}

#[test]
fn a_chooser_is_answered_in_two_sentences() {
    let found = build_table(&ALL, &toys(10), &Rule::default());
    let answer = choose_metric(&ALL, &found, AccessLevel::Activations, 4);
    let [which, how] = answer.says;
    assert!(answer.metric.is_some() && which.starts_with("Use "), "{which}");
    assert!(how.starts_with("On 4 seeds of each autoencoder, believe"), "{how}");
    let none = choose_metric(&ALL, &build_table(&ALL, &[], &Rule::default()), AccessLevel::Judge, 1);
    assert_eq!(none.metric, None);
    // Nothing is advised that runs against the truth, however reliable it is.
    let upside = [UPSIDE];
    let none = choose_metric(&upside, &build_table(&upside, &toys(10), &Rule::default()), AccessLevel::Judge, 4);
    assert_eq!(none.metric, None);
}
