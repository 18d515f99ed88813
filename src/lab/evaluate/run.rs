mod coordinator;
mod direction_similarity;
mod loaded_model;
mod notes;
mod part;
mod sums;
mod worker;

use std::rc::Rc;

use serde::Serialize;

use super::EvaluationError;
use super::plan::EvaluationPlan;
use super::report::{DecoderNorms, EvaluationReport};
use super::skipped_rows::KeptRows;
use crate::Matrix;
use crate::settings::named;
use crate::threads::parallel_map;
use coordinator::Coordinator;
pub use part::{Basis, Job, PartialResult};
use worker::Worker;
pub(super) use worker::read_rows_as_f64;

named! {
    /// What an evaluation is doing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluatePhase"))]
    #[serde(rename_all = "kebab-case")]
    pub enum Phase {
        /// Reading the dictionary and its row space.
        Loading = "loading",
        /// Measuring the lengths of rows, some of which are to be left out by them.
        Lengths = "lengths",
        /// Coding and measuring rows.
        Rows = "rows",
        /// Projecting rows on what is active for them.
        ActiveSubspace = "active-subspace",
        /// Comparing directions.
        Directions = "directions",
        /// Nothing more.
        Done = "done",
    }
}

/// How far an evaluation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateProgress"))]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// Rows, or features, of this phase that are done.
    pub done: usize,
    /// Rows, or features, of this phase.
    pub total: usize,
}

impl Progress {
    /// The part of the whole that is done, 0 to 1, each phase taken for as long as another: it never falls.
    #[must_use]
    pub fn fraction_done(&self) -> f64 {
        let phases = [Phase::Loading, Phase::Lengths, Phase::Rows, Phase::ActiveSubspace, Phase::Directions];
        let count = phases.len() as f64;
        match phases.iter().position(|phase| *phase == self.phase) {
            Some(at) => (at as f64 + self.done as f64 / self.total.max(1) as f64) / count,
            None => 1.0,
        }
    }
}

/// The i-th of `count` evenly spaced numbers below `total`.
fn evenly_spaced_index(i: usize, count: usize, total: usize) -> usize {
    (i as u64 * total as u64 / count as u64) as usize
}

/// An evaluation under way: [`step`](EvaluationRun::step) until it is done, then
/// [`finish`](EvaluationRun::finish).
///
/// Or by several workers, of which this is the first: [`assign_job`](EvaluationRun::assign_job) gives the next piece of work to any, each
/// of which has [opened the same](EvaluationWorker), and [`merge_part`](EvaluationRun::merge_part) what comes of them in the order in which they were
/// assigned. The result is the same, bit for bit, for any number of them.
pub struct EvaluationRun {
    plan: EvaluationPlan,
    worker: Worker,
    coordinator: Coordinator,
}

/// Another worker of an evaluation.
pub struct EvaluationWorker(Worker);

impl EvaluationWorker {
    /// With the same plan; nothing is read yet.
    #[must_use]
    pub fn new(plan: &EvaluationPlan) -> Self {
        Self(Worker::new(plan))
    }

    /// Takes what the first has found out of the dictionary, which must come before any piece that is of rows.
    ///
    /// # Errors
    /// As [`EvaluationRun::step`].
    pub fn set_basis(&mut self, basis: Basis) -> Result<(), EvaluationError> {
        self.0.set_basis(basis)
    }

    /// Does a piece of work.
    ///
    /// # Errors
    /// As [`EvaluationRun::step`].
    pub fn run_job(&mut self, job: Job) -> Result<PartialResult, EvaluationError> {
        self.0.run_job(job)
    }
}

impl EvaluationRun {
    /// Begins; nothing is read yet.
    #[must_use]
    pub fn new(plan: EvaluationPlan) -> Self {
        let (worker, coordinator) = (Worker::new(&plan), Coordinator::new(&plan));
        Self { plan, worker, coordinator }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &EvaluationPlan {
        &self.plan
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.coordinator.progress()
    }

    /// Runs to the end, telling how far it has come after every step.
    ///
    /// # Errors
    /// As [`EvaluationRun::step`].
    pub fn run(mut self, tell: &mut dyn FnMut(Progress)) -> Result<EvaluationReport, EvaluationError> {
        while self.progress().phase != Phase::Done {
            tell(self.step()?);
        }
        self.finish()
    }

    /// Does the next piece of work: loading, or a block of rows or features for every thread.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] for rows that cannot be read or normalised, or are not finite, for codes that are not finite, and
    /// where the eigenvalue iteration does not converge. An evaluation that failed stays where
    /// it is.
    pub fn step(&mut self) -> Result<Progress, EvaluationError> {
        if !self.worker.is_loaded() {
            self.worker.load()?;
            return Ok(self.progress());
        }
        let result = self.run_pieces();
        if result.is_err() {
            self.coordinator.reset_assigned();
        }
        result?;
        Ok(self.progress())
    }

    fn run_pieces(&mut self) -> Result<(), EvaluationError> {
        let mut given = Vec::new();
        // What cannot be read is told when all before it is done.
        let mut refused = Ok(());
        for _ in 0..self.plan.pieces_at_once() {
            let Some(job) = self.coordinator.assign_job(&self.plan) else { break };
            match self.worker.prepare_job(job) {
                Ok(one) => given.push(one),
                Err(error) => {
                    refused = Err(error);
                    break;
                }
            }
        }
        let parts = parallel_map(given, self.worker.job_runner())?;
        refused?;
        parts.iter().try_for_each(|part| self.merge_part(part))
    }

    /// The next piece of work; none where all that can be done now is dealt.
    pub fn assign_job(&mut self) -> Option<Job> {
        self.coordinator.assign_job(&self.plan)
    }

    /// Does a piece of work itself.
    ///
    /// # Errors
    /// As [`EvaluationRun::step`].
    pub fn run_job(&mut self, job: Job) -> Result<PartialResult, EvaluationError> {
        self.worker.run_job(job)
    }

    /// Takes what came of the piece that was dealt first of those that have not been taken. Where it was the last that
    /// loading takes, [`EvaluationRun::basis`] is there for others.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] where no row is left, and where the eigenvalue iteration does not converge.
    pub fn merge_part(&mut self, part: &PartialResult) -> Result<(), EvaluationError> {
        if !self.coordinator.merge_part(part, &self.plan) {
            return Ok(());
        }
        if self.progress().phase != Phase::Loading {
            return self.coordinator.begin_next_phase(&self.plan);
        }
        self.worker.load()?;
        let basis = self.worker.compute_basis(self.coordinator.take_gram())?;
        self.worker.set_basis(basis.clone())?;
        self.coordinator.begin_rows(&basis, &self.plan)
    }

    /// What others must know before they code rows, while it is known.
    #[must_use]
    pub fn basis(&self) -> Option<Basis> {
        match self.progress().phase {
            Phase::Lengths | Phase::Rows | Phase::ActiveSubspace => self.worker.current_basis(),
            _ => None,
        }
    }

    /// The rows that are scored, where some are left out, and the mean of the rows that have been measured.
    pub(super) fn scored_rows_and_mean(&self) -> (Option<Rc<KeptRows>>, Vec<f64>) {
        self.coordinator.scored_rows_and_mean()
    }

    /// The rows of the dictionary (K × D), once it is loaded.
    pub(super) fn directions(&self) -> Option<Matrix> {
        self.worker.directions()
    }

    /// The report of the rows that have been measured so far; none before there is one. Its notes say that it is not of
    /// all.
    ///
    /// # Errors
    /// [`EvaluationError::NonFiniteMeasure`] where a measure is no finite number.
    pub fn provisional_report(&self) -> Result<Option<EvaluationReport>, EvaluationError> {
        let Some(mut report) = self.coordinator.report(&self.plan)? else { return Ok(None) };
        if self.progress().phase == Phase::Done {
            report.decoder_norms = self.worker.decoder_row_lengths().and_then(|all| DecoderNorms::from_lengths(&all));
        }
        Ok(Some(report))
    }

    /// The report.
    ///
    /// # Errors
    /// [`EvaluationError::Unfinished`] before the last step, [`EvaluationError::NonFiniteMeasure`] where a measure is no
    /// finite number.
    pub fn finish(&self) -> Result<EvaluationReport, EvaluationError> {
        if self.progress().phase != Phase::Done {
            return Err(EvaluationError::Unfinished);
        }
        self.provisional_report()?.ok_or(EvaluationError::Unfinished)
    }
}
