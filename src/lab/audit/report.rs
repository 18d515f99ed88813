//! What an audit comes to.

use serde::{Deserialize, Serialize};

use super::job::{Clock, Job};
use super::metric::Registry;
use super::row::Row;
use super::settings::Settings;
use crate::study::Failure;

/// An audit, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AuditReport"))]
pub struct Report {
    /// What was wanted.
    pub settings: Settings,
    /// Jobs that are done, by name, each with its rows.
    #[serde(default)]
    pub jobs: Vec<JobFound>,
}

/// A job, done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AuditJob"))]
pub struct JobFound {
    /// Its name: "stream1-0".
    pub job: String,
    /// What was measured.
    pub rows: Vec<Row>,
    /// What it took, by one thread, in seconds. Not part of any digest.
    #[serde(default)]
    pub seconds: f64,
}

impl JobFound {
    /// Measures a job.
    ///
    /// # Errors
    /// As [`Job::measured`].
    pub fn of(job: Job, registry: &Registry, clock: Clock) -> Result<Self, Failure> {
        let began = clock();
        let rows = job.measured(registry, clock)?;
        Ok(Self { job: job.name(), rows, seconds: clock() - began })
    }
}

impl Report {
    /// Of nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, jobs: Vec::new() }
    }

    /// How many of the jobs that the settings ask for are there, and how many they ask for.
    #[must_use]
    pub fn done(&self) -> (usize, usize) {
        let wanted = self.settings.jobs();
        let there = |name: &str| self.jobs.iter().any(|found| found.job == name);
        (wanted.iter().filter(|job| there(&job.name())).count(), wanted.len())
    }

    /// Whether all of them are there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let (done, all) = self.done();
        done == all
    }

    /// All rows that the settings ask for, in the order of jobs, in whichever they came.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        let of = |name: String| self.jobs.iter().find(move |found| found.job == name);
        let found = self.settings.jobs().into_iter().filter_map(move |job| of(job.name()));
        found.flat_map(|found| &found.rows)
    }
}
