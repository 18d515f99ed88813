//! The second edition's report that is shipped: it is what these sources measure, and what pages say of it follows from it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sfc_bench::lab::audit::{
    Column, ControlOutcome, Edition, Group, Job, Kind, MetricEntry, PackedReport, Preset, Registry, Report, Settings,
    StudyView, SubjectRow, Table, VerdictWord, World,
};
use sfc_bench::study::Study;

use super::audit_full;
use super::common::is_long_run;

/// A file of this repository.
fn file(path: &str) -> Vec<u8> {
    std::fs::read(super::common::root().join(path)).unwrap()
}

const SEEDS: u32 = 10;

static OPENED: LazyLock<StudyView> = LazyLock::new(|| {
    let packed = PackedReport::from_gzip_bytes(&file("assets/audit/full.json.gz")).unwrap();
    StudyView::open(packed.into_report().unwrap()).unwrap()
});

fn entries() -> impl Iterator<Item = &'static MetricEntry> {
    OPENED.table().entries.iter().filter(|entry| entry.evidence.reach.is_some())
}

fn word(entry: &MetricEntry, column: Column) -> VerdictWord {
    entry.cells.iter().find(|cell| cell.column == column).unwrap().word
}

fn value(row: &SubjectRow, metric: &str) -> Option<f64> {
    row.values.iter().find(|said| said.metric == metric)?.value
}

#[test]
fn it_is_of_ten_models_and_all_worlds_and_has_its_digest() {
    let settings = &OPENED.report().settings;
    assert_eq!(settings.edition, Edition::Second);
    assert_eq!((settings.seeds, settings.first_seed), (SEEDS, 0));
    assert!(OPENED.report().is_complete());
    // Of all values, by kind of subject, as `audit --json` prints it.
    let digest = String::from_utf8(file("tests/golden/audit_second_full.txt")).unwrap();
    assert_eq!(OPENED.digest().as_deref(), Some(digest.trim()));
    assert_eq!(entries().count(), Registry::all().metrics().len(), "every metric has values");
    // So many trained subjects the protocol promises in each place of decompositions.
    let promised = match settings.preset {
        Preset::Small => 9,
        Preset::Full => 21,
    };
    let mut trained: BTreeMap<(World, u32), usize> = BTreeMap::new();
    for row in OPENED.report().rows().filter(|row| row.world.kind() == Kind::Decomposition) {
        if matches!(row.subject.group, Group::Reference | Group::Variant | Group::Trained) {
            *trained.entry((row.world, row.seed)).or_default() += 1;
        }
    }
    assert_eq!(trained.len(), 4 * SEEDS as usize);
    assert!(trained.values().all(|count| *count == promised), "{trained:?}");
    let controls = entries().flat_map(|entry| &entry.evidence.controls);
    let streams: Vec<_> = controls.filter(|control| control.world == "streams").collect();
    assert!(streams.len() > 100 && streams.iter().all(|control| control.models));
}

/// The first edition's report, too, which has a part of the subjects and one truth of each. A part of SynthSAEBench takes
/// as long as the others together, and a long run has it.
#[test]
fn cheap_parts_are_measured_again_bit_by_bit() {
    let registry = Registry::all();
    let parts = [
        (World::Scores, 7, true),
        (World::Planted, 9, true),
        (World::Superposition, 3, true),
        (World::Models, 7, true),
    ];
    for (world, seed, first) in parts.into_iter().chain(is_long_run().then_some((World::Synth, 7, false))) {
        let job = Job { world, seed, preset: Preset::Full };
        let kept = |report: &'static Report| &report.jobs.iter().find(|kept| kept.job == job.name()).unwrap().rows;
        let again = job.measure(&registry, || 0.0).unwrap();
        same_values(&again.iter().collect::<Vec<_>>(), kept(OPENED.report()));
        for (again, kept) in again.iter().zip(kept(OPENED.report())) {
            assert_eq!(again.size, kept.size);
            assert_eq!(again.truths.len(), kept.truths.len());
            for (name, truth) in &again.truths {
                let there = kept.truths[name];
                assert!((truth - there).abs() <= 1e-12 * truth.abs().max(1.0), "{name} of {:?}", kept.subject);
            }
        }
        if first {
            let of_first = |row: &&SubjectRow| row.subject.in_first_edition();
            let again: Vec<&SubjectRow> = again.iter().filter(of_first).collect();
            same_values(&again, kept(audit_full::report()));
            let truths = again.iter().map(|row| row.truth);
            assert!(truths.eq(kept(audit_full::report()).iter().map(|row| row.truth)));
        }
    }
}

fn same_values(again: &[&SubjectRow], kept: &[SubjectRow]) {
    assert_eq!(again.len(), kept.len());
    for (again, kept) in again.iter().zip(kept) {
        assert_eq!(again.subject, kept.subject);
        for (value, wanted) in again.values.iter().zip(&kept.values) {
            assert_eq!(value.value, wanted.value, "{} of {:?}", wanted.metric, kept.subject);
        }
    }
}

#[test]
fn what_is_equal_by_construction_is_equal_everywhere_and_all_that_is_has_a_reason() {
    // Per metric and world, whether a permuted decoder ever has another value than the reference.
    let mut differs: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for job in &OPENED.report().jobs {
        let of = |group: Group, name: &str| {
            job.rows.iter().find(|row| row.subject.group == group && row.subject.name == name)
        };
        let pair = of(Group::Reference, "trained").zip(of(Group::Control, "permuted"));
        let Some((reference, permuted)) = pair else { continue };
        for entry in entries() {
            let both = value(reference, &entry.metric).zip(value(permuted, &entry.metric));
            let Some((own, other)) = both else { continue };
            let slot = differs.entry((&entry.metric, reference.world.pool_name())).or_default();
            *slot |= (own - other).abs() > 1e-9 * own.abs();
        }
    }
    let mut others = Vec::new();
    for entry in entries() {
        for control in entry.evidence.controls.iter().filter(|one| one.name == "permuted") {
            let differs = differs[&(entry.metric.as_str(), control.world.as_str())];
            match control.word {
                ControlOutcome::Equal => assert!(!differs, "{} on {}", entry.metric, control.world),
                ControlOutcome::NotSeen => others.push(entry.metric.as_str()),
                _ => {}
            }
        }
    }
    others.sort_unstable();
    others.dedup();
    // They read the decoder, and say the same of both: features of half the width all count as split, and cores as alike.
    assert!(others.iter().all(|id| id.starts_with("m11.") || id.starts_with("m09.")), "{others:?}");
}

#[test]
fn what_limits_alone_change_is_told_without_measuring_again() {
    let report = OPENED.report().clone();
    let mut judged = StudyView::with_table(report.clone(), OPENED.table().clone());
    assert_eq!(judged.shown_ids(), OPENED.shown_ids());
    assert_eq!(judged.headline().unwrap(), OPENED.headline().unwrap());
    let usual = &report.settings;
    // Each of them alone: one of what is alike, and one world, ask for more than other words.
    let others = [
        Settings { fdr: 0.001, icc: 0.9, ..usual.clone() },
        Settings { separates: 0.9, validity: 0.6, change: 0.01, seconds: 0.001, ..usual.clone() },
        Settings { redundancy: 0.5, ..usual.clone() },
        Settings { world: "stream1".to_owned(), ..usual.clone() },
        usual.clone(),
    ];
    for settings in others {
        judged.apply_settings(settings.clone());
        let fresh = StudyView::open(Report { settings, ..report.clone() }).unwrap();
        assert!(judged.table() == fresh.table());
        assert_eq!(judged.shown_ids(), fresh.shown_ids());
        assert_eq!(judged.headline().unwrap(), fresh.headline().unwrap());
    }
}

#[test]
fn it_comes_from_a_worker_as_it_was() {
    // As the page has it judged in a worker.
    let bytes = rmp_serde::to_vec_named(&(OPENED.report(), OPENED.table())).unwrap();
    let (report, table): (Report, Table) = rmp_serde::from_slice(&bytes).unwrap();
    assert!(&report == OPENED.report() && &table == OPENED.table());
    let opened = StudyView::with_table(report, table);
    assert_eq!(opened.digest(), OPENED.digest());
    assert_eq!(opened.json().unwrap(), OPENED.json().unwrap());
}

#[test]
fn titles_of_pages_follow_from_it() {
    let all = entries().count();
    let separates = entries().filter(|entry| word(entry, Column::Discrimination) == VerdictWord::Separates);
    let passes = |entry: &MetricEntry, column: Column| word(entry, column) == VerdictWord::Holds;
    let three = entries().filter(|entry| {
        word(entry, Column::Discrimination) == VerdictWord::Separates
            && passes(entry, Column::Validity)
            && passes(entry, Column::Invariance)
    });
    let (separates, three) = (separates.count(), three.count());
    for (page, title, holds) in [
        ("audit/index.html", "No metric passes all three basic tests: controls, ground truth, invariance", three == 0),
        (
            "metrics/index.html",
            "Most interpretability metrics fail to tell trained or planted subjects from every control",
            2 * separates < all,
        ),
        ("metrics/index.html", "Audit: no metric passes all three basic tests", three == 0),
    ] {
        let text = String::from_utf8(file(page)).unwrap();
        assert!(text.contains(&format!(">{title}</h")), "{title}");
        assert!(holds, "{title}: {separates} of {all} separate, {three} do all three");
    }
    // The table beside it counts the same.
    let is_best = |entry: &MetricEntry, column: Column| {
        matches!(word(entry, column), VerdictWord::Separates | VerdictWord::Holds)
    };
    let alone = entries().filter(|entry| is_best(entry, Column::Discrimination)).filter(|entry| {
        use ControlOutcome::{Equal, NotApplicable};
        let counts = |word: ControlOutcome| !matches!(word, Equal | NotApplicable);
        entry.evidence.controls.iter().filter(|control| counts(control.word)).count() == 1
    });
    let registry = Registry::all();
    let of_sae: Vec<&MetricEntry> =
        entries().filter(|entry| registry.find_metric(&entry.metric).unwrap().kind() == Kind::Decomposition).collect();
    let basic = [Column::Discrimination, Column::Validity, Column::Invariance];
    let both = |columns: &[Column]| {
        let passes = |entry: &&MetricEntry| columns.iter().all(|column| is_best(entry, *column));
        let of_sae = of_sae.iter().copied().filter(passes).count();
        (entries().filter(passes).count(), of_sae)
    };
    let counts = OPENED.pass_counts().unwrap();
    assert_eq!((counts.readings, counts.of_autoencoders), (all, of_sae.len()));
    assert_eq!(counts.alone, alone.count());
    let columns = [&basic[..1], &basic[1..2], &basic[2..], &basic];
    for (test, columns) in counts.tests.iter().zip(columns) {
        assert_eq!((test.all, test.of_autoencoders), both(columns), "{}", test.test);
    }
}
