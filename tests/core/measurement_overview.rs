//! All fifteen metrics on good and bad subjects.

use sfc_bench::papers::measurement::validation::{
    MeasurementRecord, Subject, Testbed, VALIDATION_ROWS, ValidationPart, Verdict, find_row, merge_records, row_verdict,
};
use sfc_bench::synthetic::language::Task;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn of<'a>(
    lines: &'a [MeasurementRecord],
    quantity: &str,
    ground: Testbed,
    subject: Subject,
) -> Option<&'a MeasurementRecord> {
    lines.iter().find(|line| line.quantity == quantity && line.ground == ground && line.subject == subject)
}

#[test]
fn parts_have_names_and_their_lines_are_those_of_rows() {
    for part in ValidationPart::all_for_seeds(3) {
        assert_eq!(ValidationPart::from_key(&part.key()), Some(part), "{}", part.key());
    }
    assert_eq!(ValidationPart::all_for_seeds(1).len(), 15);
    assert_eq!(ValidationPart::all_for_seeds(10).len(), 15 + 27);
    for name in ["", "features", "features-x", "task-none", "layers-1", "autoencoders-0"] {
        assert_eq!(ValidationPart::from_key(name), None, "{name}");
    }
}

#[test]
fn what_is_planted_tells_limits_that_discriminate_from_those_that_do_not() {
    let parts = [ValidationPart::Features(0), ValidationPart::Circuit(0)].map(|part| part.measure(64).unwrap());
    let lines = merge_records(parts);
    for line in &lines {
        assert!(find_row(&line.metric, &line.quantity).is_some(), "{line:?}");
        assert!(line.values.iter().all(|value| value.is_finite()), "{line:?}");
    }
    // Every metric has a row with values.
    for first in VALIDATION_ROWS.iter().filter(|row| row.first) {
        assert!(lines.iter().any(|line| line.metric == first.metric), "{}", first.metric);
    }
    let verdict = |metric, quantity| row_verdict(find_row(metric, quantity).unwrap(), Testbed::Planted, &lines).verdict;
    // An untrained autoencoder passes M07 as coded, and one that keeps a fixed number M12.
    assert_eq!(verdict("m07", "agreement_code"), Verdict::PassesAll);
    assert_eq!(verdict("m12", "k_mismatch_rate"), Verdict::PassesAll);
    assert_eq!(verdict("m11", "consistency_code"), Verdict::FailsAll);
    assert_eq!(verdict("m13", "packing_ratio"), Verdict::CannotPass);
    assert_eq!(verdict("ex1", "dprime"), Verdict::Tells);
    assert_eq!(verdict("ex25", "coherence_code"), Verdict::FailsAll);
    assert_eq!(verdict("ex25", "coherence_aligned"), Verdict::Tells);
    let value = |quantity, subject| of(&lines, quantity, Testbed::Planted, subject).unwrap().values[0];
    assert_eq!(value("coherence_aligned", Subject::Oracle), 1.0);
    assert_eq!(value("dprime", Subject::Empty), 0.0);
    assert_eq!(value("dprime", Subject::Random), 0.0);
    assert_eq!(value("cpr_code", Subject::Full), 0.999);
    // Twelve layers can fail M14, three cannot.
    let sve = find_row("m14", "sve_code").unwrap();
    assert!(!sve.cannot_fail(Testbed::Planted) && sve.cannot_fail(Testbed::Language));
    // The same seed gives the same numbers, another one others.
    let again = ValidationPart::Circuit(0).measure(64).unwrap();
    assert!(again.iter().all(|line| lines.iter().any(|other| other.metric == line.metric
        && other.quantity == line.quantity
        && other.subject == line.subject
        && other.values == line.values)));
    assert_ne!(again, ValidationPart::Circuit(1).measure(64).unwrap());
}

#[test]
fn a_task_of_the_little_model_has_its_found_circuit_beside_random_ones() {
    give!("ck-12000", "ck-00000");
    let found = ValidationPart::Task(Task::Agree).measure(32).unwrap();
    let value = |quantity, subject| of(&found, quantity, Testbed::Language, subject).unwrap().values[0];
    assert!(value("dprime", Subject::Found) > value("dprime", Subject::Random));
    assert_eq!(value("dprime", Subject::Empty), 0.0);
    assert!(value("cpr_ranked", Subject::Found) > value("cpr_ranked", Subject::Empty));
    assert_eq!(value("coherence_aligned", Subject::Trained), 1.0);
    let joined = merge_records([found.clone(), found]);
    assert!(joined.iter().all(|line| line.values.len() == 2));
}

#[test]
fn layers_of_the_little_model_cannot_fail_the_entropy_of_safety() {
    give!("ck-12000", "ck-00000");
    let found = ValidationPart::Layers.measure(8).unwrap();
    for subject in [Subject::Trained, Subject::Untrained, Subject::Random, Subject::Permuted] {
        let sve = of(&found, "sve_code", Testbed::Language, subject).unwrap().values[0];
        assert!((0.0..=std::f64::consts::LN_2 + 1e-12).contains(&sve), "{subject}: {sve}");
    }
    let sve = find_row("m14", "sve_code").unwrap();
    assert_eq!(row_verdict(sve, Testbed::Language, &found).verdict, Verdict::CannotFail);
}
