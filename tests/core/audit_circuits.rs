//! What the audit's circuits are, where they come from, and that its metrics say of them what their own study says.

use std::collections::BTreeSet;

use sfc_bench::lab::audit::{Group, Job, Kind, Preset, Registry, SubjectRow, World};
use sfc_bench::papers::measurement::planted::measure_planted;
use sfc_bench::synthetic::{CircuitKind, CircuitSpec, PlantedCircuit};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Heads of both worlds' models.
const HEADS: f64 = 12.0;
/// Prompts of a planted circuit in the small preset.
const PROMPTS: u64 = 128;

fn given() {
    give!("ck-00000", "ck-00188", "ck-00375", "ck-00750", "ck-01500", "ck-03000", "ck-06000", "ck-12000");
}

fn job(world: World, seed: u32) -> Job {
    Job { world, seed, preset: Preset::Small }
}

fn measured(world: World, seed: u32) -> Vec<SubjectRow> {
    job(world, seed).measure(&Registry::all(), || 0.0).unwrap()
}

fn of<'a>(rows: &'a [SubjectRow], group: Group, name: &str) -> Vec<&'a SubjectRow> {
    rows.iter().filter(|row| row.subject.group == group && row.subject.name == name).collect()
}

fn value(row: &SubjectRow, metric: &str) -> Option<f64> {
    row.values.iter().find(|said| said.metric == metric).unwrap().value
}

fn passes(row: &SubjectRow, metric: &str) -> u64 {
    row.values.iter().find(|said| said.metric == metric).unwrap().evaluations
}

#[test]
fn a_planted_circuit_is_what_its_study_says() {
    for seed in 0..3 {
        let kind = CircuitKind::Planted;
        let spec = CircuitSpec { kind, prompts: PROMPTS as usize, heads: 6, seed };
        let model = PlantedCircuit::draw(&spec).unwrap();
        let wanted = measure_planted(&model, &model.circuit_heads()).unwrap();
        let mib = wanted.mib.as_ref().unwrap();
        let rows = measured(World::Planted, seed);
        let reference = of(&rows, Group::Reference, "planted")[0];
        for (metric, wanted) in [
            ("mib.faithfulness", wanted.faithfulness_circuit),
            ("mib.completeness", wanted.completeness_circuit),
            ("mib.cpr.code", mib.code.area.cpr),
            ("mib.cpr.ranked", mib.ranked.area.cpr),
            ("ex1.dprime", wanted.ex1.dprime),
            ("ex1.auc", wanted.ex1.auc),
            ("ex11.consistency.code", wanted.ex11.weber_consistency_code),
            ("ex11.consistency.relative", wanted.ex11.weber_consistency_relative_jnd),
            ("ex11.detectable", wanted.ex11.value_by_name("share_detectable").unwrap()),
        ] {
            assert_eq!(value(reference, metric), Some(wanted), "{metric} {seed}");
        }
    }
}

#[test]
fn planted_subjects_hold_as_much_of_the_circuit_as_they_say() {
    let rows = measured(World::Planted, 1);
    let one = |group, name| of(&rows, group, name)[0];
    let sized = |row: &SubjectRow| (row.truth.unwrap(), row.size.unwrap());
    let found = [
        one(Group::Reference, "planted"),
        one(Group::Control, "random"),
        one(Group::Control, "empty"),
        one(Group::Control, "full"),
        one(Group::Variant, "one-fewer"),
        one(Group::Variant, "one-more"),
        one(Group::Same, "reordered"),
        one(Group::Same, "fewer-prompts"),
    ];
    let wanted = [
        (1.0, 4.0),
        (0.0, 4.0),
        (0.0, 0.0),
        (4.0 / HEADS, HEADS),
        (3.0 / 4.0, 3.0),
        (4.0 / 5.0, 5.0),
        (1.0, 4.0),
        (1.0, 4.0),
    ];
    assert_eq!(found.map(sized), wanted);
    // Of k heads that are left of n, with n − k others, 2n − k are in either.
    let replaced: Vec<(f64, (f64, f64))> =
        of(&rows, Group::Dose, "replaced").into_iter().map(|row| (row.subject.level, sized(row))).collect();
    let wanted = [0.0, 1.0, 2.0, 3.0].map(|left| (left / 4.0, (left / (8.0 - left), 4.0)));
    assert_eq!(replaced, wanted);
    let levels = |rows: Vec<&SubjectRow>| rows.iter().map(|row| row.subject.level).collect::<Vec<_>>();
    assert_eq!(levels(of(&rows, Group::Sample, "other-prompts")), [1.0, 2.0]);
    // A planted circuit is not trained, and no metric of circuits draws anything.
    assert_eq!(rows.len(), found.len() + replaced.len() + 2);
    assert!(rows.iter().all(|row| row.width == Some(HEADS) && row.place.is_empty()));
}

#[test]
fn what_is_shared_counts_for_every_circuit() {
    let rows = measured(World::Planted, 0);
    let reference = of(&rows, Group::Reference, "planted")[0];
    let empty = of(&rows, Group::Control, "empty")[0];
    // The whole model, and without the others or the circuit.
    for metric in ["mib.faithfulness", "mib.completeness", "ex1.dprime", "ex1.auc"] {
        assert_eq!((passes(reference, metric), passes(empty, metric)), (2 * PROMPTS, 2 * PROMPTS));
    }
    // Ten shares of edges; ranks of edges take the model without each head, too.
    assert_eq!(passes(reference, "mib.cpr.code"), 11 * PROMPTS);
    assert_eq!(passes(reference, "mib.cpr.ranked"), 23 * PROMPTS);
    assert_eq!(passes(empty, "mib.cpr.ranked"), 2 * PROMPTS);
    // Four heads by seven factors and a baseline, at both strengths; all three quantities are of the same.
    for metric in ["ex11.consistency.code", "ex11.consistency.relative", "ex11.detectable"] {
        assert_eq!((passes(reference, metric), passes(empty, metric)), (58 * PROMPTS, 0));
    }
}

#[test]
fn circuits_of_tasks_are_found_and_are_the_same_again() {
    given();
    let rows = measured(World::Tasks, 2);
    assert_eq!(rows, measured(World::Tasks, 2));
    let places: BTreeSet<&str> = rows.iter().map(|row| row.place.as_str()).collect();
    assert_eq!(places, ["agree", "ioi", "sum3"].into());
    for place in places {
        let own: Vec<SubjectRow> = rows.iter().filter(|row| row.place == place).cloned().collect();
        let one = |group, name| of(&own, group, name)[0];
        let reference = one(Group::Reference, "found");
        let size = reference.size.unwrap();
        assert!((1.0..HEADS).contains(&size), "{place}");
        assert_eq!(one(Group::Control, "random").size, Some(size), "{place}");
        assert_eq!(one(Group::Control, "full").size, Some(HEADS));
        assert_eq!(one(Group::Control, "empty").truth, Some(0.0));
        assert_eq!(one(Group::Variant, "one-fewer").size, Some(size - 1.0));
        assert_eq!(one(Group::Variant, "one-more").size, Some(size + 1.0));
        assert!(reference.truth > one(Group::Control, "random").truth, "{place}");
        for row in of(&own, Group::Dose, "replaced") {
            // Others in their place, as many as there are.
            let kept = (size * row.subject.level).floor();
            assert_eq!(row.size, Some(size.min(kept + HEADS - size)), "{place} {:?}", row.subject);
        }
        // No share of its heads is there twice.
        let kept: Vec<f64> =
            of(&own, Group::Dose, "replaced").iter().map(|row| (size * row.subject.level).floor()).collect();
        assert!(kept.windows(2).all(|pair| pair[0] < pair[1]), "{place} {kept:?}");
        // Nobody knows the circuit of a model that is half trained.
        let steps = of(&own, Group::Dose, "steps");
        let levels: Vec<f64> = steps.iter().map(|row| row.subject.level).collect();
        assert_eq!(levels, [0.0, 0.0625, 0.25]);
        assert!(steps.iter().all(|row| row.truth.is_none() && row.size == Some(size)));
        assert!(own.iter().all(|row| row.truth.is_some() || row.subject.name == "steps"));
    }
}

#[test]
fn nothing_is_said_only_where_there_are_no_heads_or_edges() {
    given();
    let registry = Registry::all();
    let metrics = registry.metrics().iter().filter(|metric| metric.kind() == Kind::Circuit);
    let ids: Vec<&str> = metrics.map(|metric| metric.id).collect();
    let mut silent = BTreeSet::new();
    for row in measured(World::Planted, 5).iter().chain(&measured(World::Tasks, 5)) {
        for id in &ids {
            if value(row, id).is_none() {
                let empty = row.size == Some(0.0);
                assert_eq!(empty, id.starts_with("ex11."), "{id} of {:?}", row.subject);
                silent.insert(*id);
            }
        }
        // A circuit has edges or has none, in whatever order.
        assert_eq!(value(row, "mib.cpr.code").is_none(), value(row, "mib.cpr.ranked").is_none(), "{:?}", row.subject);
        // One head alone has none, and all heads have some.
        if row.size == Some(1.0) {
            assert_eq!(value(row, "mib.cpr.code"), None);
        }
        assert!(row.size != Some(HEADS) || value(row, "mib.cpr.code").is_some());
    }
    assert!(silent.contains("ex11.detectable") && silent.contains("mib.cpr.code"), "{silent:?}");
}

#[test]
fn tasks_take_checkpoints_and_planted_circuits_nothing() {
    assert!(job(World::Planted, 0).required_files().is_empty());
    let files = job(World::Tasks, 0).required_files();
    for steps in ["00000", "00750", "03000", "12000"] {
        assert!(files.contains(&format!("ck-{steps}").as_str()), "{files:?}");
    }
    assert!(files.iter().all(|name| name.starts_with("ck-")), "{files:?}");
}
