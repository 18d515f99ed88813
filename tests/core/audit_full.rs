//! The first edition's full report, which is kept to be read: it is what these sources measure, and what is known of metrics comes out of it by
//! the audit's general rule.

use std::sync::LazyLock;

use sfc_bench::lab::audit::{
    Column, ControlOutcome, Edition, Group, MetricEntry, PackedReport, Preset, Registry, Report, Rule, StudyView,
    SubjectRow, VerdictWord, World, build_table,
};
use sfc_bench::study::Study;

/// Of all values, by kind of subject, as `audit --json` prints it.
const DIGEST: &str = include_str!("../golden/audit_full.txt");

static OPENED: LazyLock<StudyView> = LazyLock::new(|| {
    let packed = PackedReport::from_gzip_bytes(include_bytes!("../../assets/audit/first-edition.json.gz")).unwrap();
    assert!(packed.total_seconds() > 60.0 && packed.machine.contains("threads"));
    StudyView::open(packed.into_report().unwrap()).unwrap()
});

pub fn report() -> &'static Report {
    OPENED.report()
}

fn entry(id: &str) -> &'static MetricEntry {
    OPENED.table().entries.iter().find(|entry| entry.metric == id).unwrap()
}

fn word(id: &str, column: Column) -> VerdictWord {
    entry(id).cells.iter().find(|cell| cell.column == column).unwrap().word
}

/// Whether a control is told, and the share of seeds in which it passes.
fn control(id: &str, name: &str) -> (ControlOutcome, Option<f64>) {
    let controls = &entry(id).evidence.controls;
    let found = controls.iter().find(|control| control.name == name).unwrap();
    (found.word, found.passes)
}

fn value(row: &SubjectRow, metric: &str) -> Option<f64> {
    row.values.iter().find(|said| said.metric == metric)?.value
}

fn holds(metric: &str, value: f64) -> bool {
    Registry::all().find_metric(metric).unwrap().condition.unwrap().holds(value)
}

#[test]
fn it_is_of_twenty_seeds_and_all_worlds_and_has_its_digest() {
    let settings = &report().settings;
    assert_eq!((settings.preset, settings.seeds, settings.first_seed), (Preset::Full, 20, 0));
    assert!(report().is_complete());
    assert_eq!(report().jobs.len(), 20 * Preset::Full.worlds(Edition::First).len());
    assert_eq!(OPENED.digest().as_deref(), Some(DIGEST.trim()));
    let registry = Registry::all();
    for metric in registry.metrics() {
        assert!(entry(metric.id).evidence.reach.is_some(), "{} says nothing", metric.id);
    }
}

#[test]
fn m07_as_coded_passes_what_is_random() {
    assert_eq!(control("m07.agreement.code", "random").1, Some(1.0));
    // Matched, it does not.
    assert!(control("m07.agreement.matched", "random").1 < Some(0.5));
}

#[test]
fn ce_bench_and_m07_do_not_see_a_permuted_decoder() {
    let blind = |entry: &&MetricEntry| entry.metric.starts_with("ce-bench.") || entry.metric.starts_with("m07.");
    let entries: Vec<&MetricEntry> = OPENED.table().entries.iter().filter(blind).collect();
    assert!(entries.len() > 10);
    for entry in entries {
        let found = control(&entry.metric, "permuted").0;
        // Which latents stand for which is looked at in the decoder where they are matched, and nowhere else.
        match entry.metric.as_str() {
            "m07.agreement.matched" => assert_eq!(found, ControlOutcome::Separated),
            other => assert_eq!(found, ControlOutcome::NotSeen, "{other}"),
        }
        assert_ne!(word(&entry.metric, Column::Discrimination), VerdictWord::Fails, "{}", entry.metric);
    }
}

#[test]
fn sparsity_and_row_space_take_what_is_random_for_as_good() {
    // Where directions span everything, all are complete.
    assert_eq!(control("sfc.c.row-space", "random").0, ControlOutcome::NotSeen);
    assert_eq!(word("sfc.c.row-space", Column::Discrimination), VerdictWord::Fails);
    assert_eq!(word("sfc.c.row-space", Column::Validity), VerdictWord::Fails);
    assert_eq!(control("sfc.c.reconstruction", "random").0, ControlOutcome::Separated);
    // What keeps k latents is as sparse, whatever they are.
    let metric = *Registry::all().find_metric("sfc.s").unwrap();
    let rows: Vec<SubjectRow> = report().rows().cloned().collect();
    for world in [World::Layer, World::Stream1] {
        let found = build_table(&[metric], &rows, &Rule { world: Some(world), ..Rule::first_edition() });
        let [entry] = found.entries.as_slice() else { panic!("one metric has one entry") };
        assert!(entry.evidence.controls.len() >= 4);
        for control in &entry.evidence.controls {
            assert_eq!(control.word, ControlOutcome::NotSeen, "{} in {}", control.name, world.name());
        }
    }
    // Over all worlds random directions are told by a hair: where features are superposed, what was trained leaves
    // some of its k at nothing. That is at most 2.5 % of the latents, and no truth is followed by it.
    let named = |name: &str, row: &&SubjectRow| row.subject.name == name && value(row, "sfc.s").is_some();
    let trained = report().rows().filter(|row| row.subject.group == Group::Reference && value(row, "sfc.s").is_some());
    let mut pairs = 0;
    for row in trained {
        let same = |other: &&SubjectRow| (other.world, &other.place, other.seed) == (row.world, &row.place, row.seed);
        let random = report().rows().filter(same).find(|row| named("random", row)).unwrap();
        let apart = value(row, "sfc.s").unwrap() - value(random, "sfc.s").unwrap();
        assert!((0.0..=0.025).contains(&apart), "{apart}");
        assert!(apart < 1e-5 || row.world == World::Superposition, "{apart}");
        pairs += 1;
    }
    assert_eq!(pairs, 100);
    assert_ne!(word("sfc.s", Column::Validity), VerdictWord::Holds);
}

#[test]
fn whatever_keeps_as_many_latents_everywhere_passes_m12() {
    let fixed = |row: &&SubjectRow| {
        let other = row.subject.name == "relu" || row.subject.group == Group::Extreme;
        row.world.kind() == World::Layer.kind() && !other && row.subject.group != Group::Truth
    };
    for id in ["m12.mismatch.code", "m12.mismatch.document"] {
        let values: Vec<f64> = report().rows().filter(fixed).filter_map(|row| value(row, id)).collect();
        assert!(values.len() > 1_000);
        let passes = values.iter().filter(|value| holds(id, **value)).count();
        assert_eq!(passes, values.len(), "{id}");
        for name in ["random", "permuted", "untrained", "structureless"] {
            assert_eq!(control(id, name).1, Some(1.0), "{id} {name}");
        }
        assert!(matches!(word(id, Column::Discrimination), VerdictWord::Fails | VerdictWord::Unknown), "{id}");
    }
    // All that is counted is how many are kept.
    assert_eq!(word("m12.mismatch.code", Column::Discrimination), VerdictWord::Fails);
}

#[test]
fn m14s_spread_cannot_fail_at_three_layers() {
    for id in ["m14.sve.code", "m14.sve.document"] {
        let reach = entry(id).evidence.reach.as_ref().unwrap();
        assert_eq!((reach.formula_can_fail, reach.share), (Some(false), Some(1.0)), "{id}");
        assert_eq!(word(id, Column::Reach), VerdictWord::Fails);
    }
}

#[test]
fn mib_in_the_codes_order_passes_circuits_of_tasks_at_chance() {
    // Before any training every task is at chance.
    let before = report()
        .rows()
        .filter(|row| row.world == World::Tasks && row.subject.name == "steps" && row.subject.level == 0.0);
    let values: Vec<f64> = before.filter_map(|row| value(row, "mib.cpr.code")).collect();
    let passes = values.iter().filter(|value| holds("mib.cpr.code", **value)).count();
    assert!(values.len() > 100 && passes * 2 > values.len(), "{passes} of {}", values.len());
}

#[test]
fn strict_clarity_gives_a_dead_latent_one() {
    let dead = || report().rows().filter(|row| row.subject.name == "dead");
    let of = |id: &str| dead().filter_map(|row| value(row, id)).collect::<Vec<f64>>();
    let strict = of("fade.clarity.document");
    assert_eq!(strict, vec![1.0; 60]);
    assert_eq!(of("fade.clarity.code"), vec![0.0; 60]);
    let reach = entry("fade.clarity.document").evidence.reach.as_ref().unwrap();
    assert_eq!(reach.greatest, 1.0);
    assert!(reach.greatest_subject.starts_with("dead on stream"), "{}", reach.greatest_subject);
}
