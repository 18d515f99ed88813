//! What every study that is measured job by job says of its jobs.

use std::collections::BTreeSet;

use sfc_bench::lab::{audit, synth};
use sfc_bench::papers::measurement::metric::METRICS;
use sfc_bench::papers::mui::experiment::Experiment;
use sfc_bench::papers::{measurement, mui};
use sfc_bench::study::StudyJobs;

/// The keys of some jobs, of which no two may be the same.
fn distinct_keys<S: StudyJobs>(settings: &S::Settings, names: &[String]) -> BTreeSet<String> {
    let keys: BTreeSet<_> = names.iter().map(|name| S::job(settings, name).unwrap().key).collect();
    assert_eq!(keys.len(), names.len(), "{}", S::NAME);
    keys
}

#[test]
fn jobs_of_a_report_have_keys_of_their_own_and_unknown_ones_are_refused() {
    fn check<S: StudyJobs<Settings: Default>>(code: &str) {
        let settings = S::Settings::default();
        let names = S::job_names(&settings);
        assert!(!distinct_keys::<S>(&settings, &names).is_empty());
        assert_eq!(S::job(&settings, "no such job").unwrap_err().code, code);
    }
    check::<mui::StudyView>("mui.experiment");
    check::<measurement::StudyView>("measurement.part");
    check::<audit::StudyView>("audit.job");
    check::<synth::StudyView>("synth.job");
}

#[test]
fn a_key_changes_with_what_a_job_depends_on_and_with_nothing_else() {
    let usual = mui::Settings::default();
    let names: Vec<String> = Experiment::ALL.map(|which| which.name().to_owned()).to_vec();
    distinct_keys::<mui::StudyView>(&usual, &names);
    let key = |settings: &mui::Settings, name| mui::StudyView::job(settings, name).unwrap().key;
    let opened = mui::Settings { checkpoint: "ck-00188".to_owned(), alpha: 0.25, ..usual.clone() };
    assert_eq!(key(&usual, "ck-12000"), key(&opened, "ck-12000"));
    assert_ne!(key(&usual, "growth"), key(&opened, "growth"));

    let usual = measurement::Settings::default();
    for about in METRICS {
        let settings = measurement::Settings { metric: about.id.to_owned(), ..usual.clone() };
        let job = measurement::StudyView::job(&settings, about.id).unwrap();
        assert!(about.takes.iter().all(|field| job.key.contains(field)), "{}", job.key);
    }
}
