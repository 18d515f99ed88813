//! An audit's report, opened: as its jobs come, and judged by other settings.

use sfc_bench::lab::audit::clock::seconds;
use sfc_bench::lab::audit::report::CompletedJob;
use sfc_bench::lab::audit::{Column, Edition, Registry, Report, Settings, StudyView, VerdictWord};
use sfc_bench::study::Study;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn settings() -> Settings {
    Settings { seeds: 2, world: "superposition".to_owned(), edition: Edition::First, ..Settings::default() }
}

/// What is said of every metric, and which are shown.
fn said(opened: &StudyView) -> String {
    format!("{:?} {:?} {:?}", opened.table(), opened.shown_ids(), opened.headline())
}

#[test]
fn jobs_that_come_one_by_one_and_limits_that_come_later_say_the_same() {
    let registry = Registry::all();
    let jobs = settings().jobs().into_iter();
    let jobs = jobs.map(|job| CompletedJob::measure(job, &registry, seconds).unwrap());
    let jobs: Vec<CompletedJob> = jobs.collect();
    let at_once = |settings: Settings| StudyView::open(Report { jobs: jobs.clone(), ..Report::new(settings) }).unwrap();
    let mut opened = StudyView::open(Report::new(settings())).unwrap();
    assert_eq!(opened.digest(), None);
    // Whichever comes first, and even twice.
    for found in jobs.iter().rev().chain(&jobs[..1]) {
        opened.add_jobs(vec![found.clone()]);
    }
    assert_eq!(opened.report().jobs.len(), 2);
    assert_eq!(said(&opened), said(&at_once(settings())));
    assert_eq!(opened.digest(), at_once(settings()).digest());

    let holds = |opened: &StudyView| {
        let cells = opened.table().entries.iter().flat_map(|entry| &entry.cells);
        let of = |word: VerdictWord, column: Column| word == VerdictWord::Holds && column == Column::Reliability;
        cells.filter(|cell| of(cell.word, cell.column)).count()
    };
    let before = holds(&opened);
    let others = [
        Settings { cv: 0.0, ..settings() },
        Settings { weigh_cost: 0.0, sort: "validity".to_owned(), ..settings() },
        Settings { seeds: 1, ..settings() },
        Settings { paper: "sfc".to_owned(), metric: "sfc.s".to_owned(), ..settings() },
    ];
    for other in others {
        opened.apply_settings(other.clone());
        assert_eq!(said(&opened), said(&at_once(other.clone())), "{other:?}");
        let (metric, entry) = opened.opened_entry().unwrap();
        assert_eq!((Some(metric.id), metric.id), (opened.opened_id(), entry.metric.as_str()));
    }
    opened.apply_settings(Settings { cv: 0.0, ..settings() });
    assert!(holds(&opened) < before);
}
