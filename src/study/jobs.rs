//! A study that is measured job by job: in any order, by whoever has a worker, a thread or a process to spare.

use serde::Serialize;

use super::{Failure, Study};
use crate::settings::{ParameterDraft, Parameters};

/// A part of a study that is measured independently of the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudyJob {
    /// Its name within the study: "stream1-0", "growth".
    pub name: String,
    /// What its result depends on. Jobs with one key come to the same, whatever else their settings say.
    pub key: String,
    /// Files of the toy model that it takes, by name.
    pub needs: Vec<String>,
}

impl StudyJob {
    /// A job that depends on the parameters that are named, and on no other.
    pub(crate) fn new<S: Parameters>(
        name: &str,
        settings: &S,
        depends_on: impl IntoIterator<Item = &'static str>,
        needs: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let draft = settings.draft();
        let known = |field: &'static str| {
            debug_assert!(S::field(field).is_some(), "there is no parameter {field}");
            (field, draft.get(field))
        };
        let values: Vec<_> = depends_on.into_iter().map(known).collect();
        let key = format!("{} {name} {values:?}", S::STUDY);
        Self { name: name.to_owned(), key, needs: needs.into_iter().map(Into::into).collect() }
    }
}

/// A study that is measured job by job.
pub trait StudyJobs: Study {
    /// The jobs of a whole report, by name, in the order in which they should be done.
    fn job_names(settings: &Self::Settings) -> Vec<String>;

    /// A job, also one that is not among those of a whole report.
    ///
    /// # Errors
    /// For a name that no job has.
    fn job(settings: &Self::Settings, name: &str) -> Result<StudyJob, Failure>;

    /// A report in which nothing is measured yet.
    fn empty_report(settings: Self::Settings) -> Self::Report;

    /// Measures a job, telling how far it is, from 0 to 1: a report that holds nothing else.
    ///
    /// # Errors
    /// For a name that no job has; as what is measured.
    fn measure(settings: Self::Settings, name: &str, tell: &mut dyn FnMut(f64)) -> Result<Self::Report, Failure>;
}
