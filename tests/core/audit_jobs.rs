//! What the audit measures: subjects of every kind, in cheap worlds.

use sfc_bench::lab::audit::{
    AccessLevel, AnyMetricFn, Better, Column, Edition, Group, Job, Kind, Metric, Preset, Registry, Rule, SubjectRow,
    VerdictWord, World, build_table,
};
use sfc_bench::papers::measurement::validation::ReadingSource;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn given() {
    give!(
        "ck-00000",
        "ck-00188",
        "ck-00375",
        "ck-00750",
        "ck-01500",
        "ck-03000",
        "ck-06000",
        "ck-12000",
        "seed1-12000",
        "models",
        "models-second"
    );
}

fn measured(world: World, seed: u32) -> Vec<SubjectRow> {
    let job = Job { world, seed, preset: Preset::Small };
    job.measure(&Registry::all(), || 0.0).unwrap()
}

fn rows<'a>(rows: &'a [SubjectRow], group: Group, name: &str) -> Vec<&'a SubjectRow> {
    rows.iter().filter(|row| row.subject.group == group && row.subject.name == name).collect()
}

fn row<'a>(of: &'a [SubjectRow], group: Group, name: &str) -> &'a SubjectRow {
    rows(of, group, name)[0]
}

fn value(row: &SubjectRow, metric: &str) -> Option<f64> {
    row.values.iter().find(|said| said.metric == metric).unwrap().value
}

/// Every metric of a kind is there of every subject, in the registry's order.
fn whole(found: &[SubjectRow], kind: Kind) {
    let registry = Registry::all();
    let wanted: Vec<&str> =
        registry.metrics().iter().filter(|metric| metric.kind() == kind).map(|metric| metric.id).collect();
    assert!(!wanted.is_empty());
    for row in found {
        let ids: Vec<&str> = row.values.iter().map(|said| said.metric.as_str()).collect();
        assert_eq!(ids, wanted, "{:?}", row.subject);
    }
    for metric in wanted {
        assert!(found.iter().any(|row| value(row, metric).is_some()), "{metric} says nothing");
    }
}

#[test]
fn planted_circuits_are_told_from_those_that_are_not() {
    let found = measured(World::Planted, 3);
    whole(&found, Kind::Circuit);
    let reference = row(&found, Group::Reference, "planted");
    assert_eq!((reference.truth, reference.size), (Some(1.0), Some(4.0)));
    let of = |name: &str| row(&found, Group::Control, name);
    assert_eq!(of("random").truth, Some(0.0));
    assert_eq!(of("full").truth, Some(4.0 / 12.0));
    assert_eq!((of("empty").truth, of("empty").size), (Some(0.0), Some(0.0)));
    for metric in ["mib.faithfulness", "mib.completeness", "mib.cpr.code", "ex1.auc"] {
        let of = |row: &SubjectRow| value(row, metric).unwrap();
        assert!(of(reference) > of(row(&found, Group::Control, "random")) + 0.3, "{metric}");
    }
    // Nothing is scaled in a circuit without heads.
    assert_eq!(value(of("empty"), "ex11.consistency.code"), None);
    // The order of prompts does not matter but to the last digits.
    let same = row(&found, Group::Same, "reordered");
    for (one, other) in reference.values.iter().zip(&same.values) {
        let (one, other) = (one.value.unwrap(), other.value.unwrap());
        assert!((one - other).abs() < 1e-9, "{one} {other}");
    }
    // More of the circuit, more of the truth.
    let truths: Vec<f64> = rows(&found, Group::Dose, "replaced").iter().map(|row| row.truth.unwrap()).collect();
    assert!(truths.windows(2).all(|pair| pair[0] < pair[1]), "{truths:?}");
    assert_eq!(found, measured(World::Planted, 3));
    assert_ne!(found, measured(World::Planted, 4));
}

#[test]
fn circuits_of_a_model_that_knows_nothing_pass_mib() {
    given();
    let found = measured(World::Tasks, 0);
    whole(&found, Kind::Circuit);
    let places: Vec<&str> = rows(&found, Group::Reference, "found").iter().map(|row| row.place.as_str()).collect();
    assert_eq!(places, ["agree", "ioi", "sum3"]);
    let registry = Registry::all();
    let condition = |id: &str| registry.find_metric(id).unwrap().condition.unwrap();
    // Before any training a task is at chance, and so says EX1; MIB in the code's order passes what it measures.
    let before = rows(&found, Group::Dose, "steps").into_iter();
    let before: Vec<&SubjectRow> = before.filter(|row| row.subject.level == 0.0).collect();
    assert_eq!(before.len(), 3);
    let mut measured = 0;
    for row in before {
        assert!(!condition("ex1.dprime").holds(value(row, "ex1.dprime").unwrap()));
        if let Some(value) = value(row, "mib.cpr.code") {
            assert!(condition("mib.cpr.code").holds(value), "{} {value}", row.place);
            measured += 1;
        }
    }
    assert!(measured >= 2);
}

#[test]
fn models_are_ranked_by_what_they_can_and_not_by_their_neurons_order() {
    given();
    let found = measured(World::Models, 1);
    whole(&found, Kind::Model);
    let reference = row(&found, Group::Reference, "trained");
    let untrained = row(&found, Group::Control, "untrained");
    assert!(reference.truth.unwrap() > 0.8 && untrained.truth.unwrap() < 0.1);
    assert_eq!(reference.width, Some(576.0));
    let same = row(&found, Group::Same, "reordered");
    for (one, other) in reference.values.iter().zip(&same.values) {
        // Sums of single precision have another order.
        let (one, other) = (one.value.unwrap(), other.value.unwrap());
        assert!((one - other).abs() <= 1e-3 * one.abs().max(1e-3), "{one} {other}");
    }
    assert!(value(reference, "mui.performance") > value(untrained, "mui.performance"));
    // The index alone is no sign of a model that can do more: one that answers nothing right uses nothing for it.
    assert_eq!(value(untrained, "mui.mui-correct"), Some(0.0));
    let narrow = row(&found, Group::Variant, "w16-l1");
    assert!(narrow.width < reference.width && narrow.truth < reference.truth);
}

#[test]
fn scores_say_what_is_planted_in_them() {
    let found = measured(World::Scores, 2);
    whole(&found, Kind::Scores);
    let of = |group, name| row(&found, group, name);
    let (alike, apart) = (rows(&found, Group::Reference, "plain")[0], of(Group::Control, "shifted"));
    assert!(value(alike, "ex2.difference.document") < value(apart, "ex2.difference.document"));
    assert_eq!(value(alike, "ex25.coherence.document"), None);
    let (plain, noise) = (rows(&found, Group::Reference, "plain")[1], of(Group::Control, "noise"));
    assert!(value(plain, "ex24.variation.document") < value(noise, "ex24.variation.document"));
    // Without noise every prompt has the same value in every run, and the code's reading sees none of it.
    assert!((value(plain, "ex25.coherence.document").unwrap() - 1.0).abs() < 1e-12);
    assert!(value(plain, "ex25.coherence.code").unwrap() < 0.5);
    let truths: Vec<f64> = rows(&found, Group::Dose, "noise").iter().map(|row| row.truth.unwrap()).collect();
    assert_eq!(truths, [-1.0, -0.5, -0.25, -0.125]);
}

/// The share of latents that are active: no paper's metric.
const ADDED: Metric = Metric {
    id: "added.active",
    paper: "sfc",
    name: "share of active latents",
    attribution: ReadingSource::Neither,
    better: Better::Higher,
    needs: AccessLevel::Activations,
    condition: None,
    value_range: (-1.0, 1.0),
    measure: AnyMetricFn::Decomposition(|it| {
        let (codes, decoder) = (it.codes(), it.decoder());
        let active = codes.data().iter().filter(|code| **code != 0.0).count();
        Ok(Some(active as f64 / (codes.rows() * decoder.rows()) as f64))
    }),
};

#[test]
fn a_metric_that_is_registered_has_a_row() {
    let registry = Registry::all().with_metric(ADDED);
    let jobs = [0, 1].map(|seed| Job { world: World::Superposition, seed, preset: Preset::Small });
    let rows: Vec<SubjectRow> = jobs.iter().flat_map(|job| job.measure(&registry, || 0.0).unwrap()).collect();
    let found = build_table(registry.metrics(), &rows, &Rule::first_edition());
    let entry = found.entries.last().unwrap();
    assert_eq!(entry.metric, ADDED.id);
    assert_eq!(entry.cells.len(), Column::ALL.len());
    let word = |column: Column| entry.cells.iter().find(|cell| cell.column == column).unwrap().word;
    // As many latents are active in everything that keeps so many: it cannot tell.
    assert_eq!(word(Column::Reliability), VerdictWord::Holds);
    assert_ne!(word(Column::Discrimination), VerdictWord::Holds);
    assert_eq!(word(Column::Reach), VerdictWord::None);
    assert!(found.correlations.metrics.contains(&ADDED.id.to_owned()));
    let controls: Vec<&str> = entry.evidence.controls.iter().map(|control| control.name.as_str()).collect();
    assert_eq!(controls, ["permuted", "random", "structureless", "untrained"]);
    // The second edition has those of the literature, too.
    let found = build_table(registry.metrics(), &rows, &Rule::default());
    let controls = &found.entries.last().unwrap().evidence.controls;
    let controls: Vec<&str> = controls.iter().map(|control| control.name.as_str()).collect();
    assert_eq!(controls, ["frozen-decoder", "k-means", "pca", "permuted", "random", "structureless", "untrained"]);
    assert_eq!(Preset::Small.worlds(Edition::Second).len(), 7);
}

#[test]
fn what_a_condition_was_not_seen_to_do_is_searched_for() {
    let found = measured(World::Superposition, 0);
    let registry = Registry::all();
    let searched: Vec<&SubjectRow> = found.iter().filter(|row| row.subject.name.starts_with("searched for ")).collect();
    assert!(!searched.is_empty());
    for row in searched {
        let id = row.subject.name.strip_prefix("searched for ").unwrap();
        let condition = registry.find_metric(id).unwrap().condition.unwrap();
        // All others are on one side, and this is nearer to the other than any that it began with, or there.
        let others = || found.iter().filter(|other| other.subject != row.subject);
        let sides: Vec<bool> = others().filter_map(|other| value(other, id)).map(|x| condition.holds(x)).collect();
        assert!(sides.iter().all(|side| *side == sides[0]), "{id}");
        let known: Vec<&str> =
            row.values.iter().filter(|said| said.value.is_some()).map(|said| said.metric.as_str()).collect();
        assert_eq!(known, [id]);
    }
}
