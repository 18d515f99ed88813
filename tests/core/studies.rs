//! The registry of studies: every one is found by its name, and every figure by its own.

use std::collections::BTreeSet;

use sfc_bench::studies::{NAMES, StudyFigure, Visitor, all_figures, find_figure, visit};
use sfc_bench::study::{Figure, Study, figures};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn every_figure_is_found_by_its_name_and_by_its_identifier_and_hides_no_other() {
    let rows = all_figures();
    assert_eq!(NAMES.iter().collect::<BTreeSet<_>>().len(), NAMES.len());
    for row in &rows {
        let Figure { id, name, .. } = row.figure;
        assert_eq!((find_figure(id), find_figure(name)), (Some(*row), Some(*row)));
        let same = |other: &&StudyFigure| [other.figure.id, other.figure.name].contains(&name);
        assert_eq!(rows.iter().filter(same).count(), 1, "{name} is of one figure");
        assert!(NAMES.contains(&row.study));
    }
    assert_eq!(find_figure(""), None);
}

#[test]
fn a_study_is_visited_by_its_name() {
    struct Count;
    impl Visitor for Count {
        type Out = (&'static str, usize);
        fn visit<S: Study>(self) -> Self::Out {
            (S::NAME, figures::<S>().count())
        }
    }
    let found: usize = NAMES
        .iter()
        .map(|name| {
            let (study, count) = visit(name, Count).unwrap();
            assert_eq!(study, *name);
            count
        })
        .sum();
    assert_eq!(found, all_figures().len());
    assert_eq!(visit("fig1a", Count), None);
}
