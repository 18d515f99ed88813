//! Scores: what a metric said of prompts, run by run and group by group.

mod subjects;

use super::job::{Clock, Job, PreparedSubject};
use super::memo::Memo;

/// What a metric said, as those metrics take it that are about others.
#[derive(Clone, Debug, PartialEq)]
pub enum ScoreData {
    /// Of two groups of prompts, a value a prompt.
    Groups([Vec<f64>; 2]),
    /// Of two configurations, run by run.
    Runs {
        /// A value a prompt of each run, of the one that is better.
        better: Vec<Vec<f64>>,
        /// Of the other.
        other: Vec<Vec<f64>>,
        /// Which prompts each run has.
        prompts: Vec<Vec<usize>>,
    },
}

/// What a metric said, run by run or group by group.
pub struct Scores {
    memo: Memo,
    said: ScoreData,
}

impl Scores {
    /// Of what was said. `clock` says seconds.
    #[must_use]
    pub fn new(said: ScoreData, clock: Clock) -> Self {
        Self { memo: Memo::new(clock), said }
    }

    /// What its metrics share.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    /// What was said.
    #[must_use]
    pub fn data(&self) -> &ScoreData {
        &self.said
    }
}

/// All subjects of a job.
pub(super) fn build_subjects(job: Job, clock: Clock) -> Vec<PreparedSubject<Scores>> {
    subjects::build_subjects(job, clock)
}
