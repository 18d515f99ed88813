//! What an audit comes to.

use serde::{Deserialize, Serialize};

use super::job::{Clock, Job};
use super::registry::Registry;
use super::row::SubjectRow;
use super::rule::{Edition, Rule};
use super::settings::Settings;
use crate::study::Failure;

/// An audit, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditReport"))]
pub struct Report {
    /// What was wanted.
    pub settings: Settings,
    /// Jobs that are done, by name, each with its rows.
    #[serde(default)]
    pub jobs: Vec<CompletedJob>,
    /// A reader's own, measured in place of any job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub own: Option<Vec<SubjectRow>>,
}

/// A job, done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "AuditJob"))]
pub struct CompletedJob {
    /// Its name: "stream1-0".
    pub job: String,
    /// What was measured.
    pub rows: Vec<SubjectRow>,
    /// What it took, by one thread, in seconds. Not part of any digest.
    #[serde(default)]
    pub seconds: f64,
}

impl CompletedJob {
    /// Measures a job.
    ///
    /// # Errors
    /// As [`Job::measure`].
    pub fn measure(job: Job, registry: &Registry, clock: Clock) -> Result<Self, Failure> {
        let began = clock();
        let rows = job.measure(registry, clock)?;
        Ok(Self { job: job.name(), rows, seconds: clock() - began })
    }
}

impl Report {
    /// Of nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, jobs: Vec::new(), own: None }
    }

    /// The edition that its words are given by: a report whose rows hold no truths by name was measured by the first one,
    /// and cannot be told by another.
    #[must_use]
    pub fn edition(&self) -> Edition {
        let mut rows = self.jobs.iter().flat_map(|job| &job.rows).peekable();
        let is_first = rows.peek().is_some() && rows.all(|row| row.truths.is_empty());
        if is_first { Edition::First } else { self.settings.edition }
    }

    /// The same with settings that ask for the edition that it is of.
    #[must_use]
    pub fn with_detected_edition(mut self) -> Self {
        self.settings.edition = self.edition();
        self
    }

    /// Of a reader's own, which is there at once.
    #[must_use]
    pub fn from_user_rows(settings: Settings, rows: Vec<SubjectRow>) -> Self {
        Self { own: Some(rows), ..Self::new(settings) }
    }

    /// How many of the jobs that the settings ask for are there, and how many they ask for.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        if self.own.is_some() {
            return (1, 1);
        }
        let wanted = self.settings.jobs();
        let there = |name: &str| self.jobs.iter().any(|found| found.job == name);
        (wanted.iter().filter(|job| there(&job.name())).count(), wanted.len())
    }

    /// Whether all of them are there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let (done, all) = self.progress();
        done == all
    }

    /// All rows that the settings ask for, in the order of jobs, in whichever they came; of a reader's own its.
    pub fn rows(&self) -> impl Iterator<Item = &SubjectRow> {
        let of = |name: String| self.jobs.iter().find(move |found| found.job == name);
        let wanted = if self.own.is_some() { Vec::new() } else { self.settings.jobs() };
        let found = wanted.into_iter().filter_map(move |job| of(job.name()));
        self.own.iter().flatten().chain(found.flat_map(|found| &found.rows))
    }

    /// The rule that its settings state: of a reader's own there is one world.
    #[must_use]
    pub fn rule(&self) -> Rule {
        let rule = self.settings.rule();
        if self.own.is_some() { Rule { world: None, ..rule } } else { rule }
    }
}
