mod compared;
mod coordinator;
mod loaded;
mod notes;
mod part;
mod sums;
mod worker;

use std::rc::Rc;

use serde::Serialize;

use super::OwnError;
use super::plan::OwnPlan;
use super::report::{DecoderNorms, OwnReport};
use super::skip::Kept;
use crate::Matrix;
use crate::settings::named;
use crate::threads::each;
use coordinator::Coordinator;
pub use part::{Basis, Job, Part};
use worker::Worker;
pub(super) use worker::gather;

named! {
    /// What an evaluation is doing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluatePhase"))]
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateProgress"))]
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
    pub fn share(&self) -> f64 {
        let phases =
            [Phase::Loading, Phase::Lengths, Phase::Rows, Phase::ActiveSubspace, Phase::Directions];
        let count = phases.len() as f64;
        match phases.iter().position(|phase| *phase == self.phase) {
            Some(at) => (at as f64 + self.done as f64 / self.total.max(1) as f64) / count,
            None => 1.0,
        }
    }
}

/// The i-th of `count` evenly spaced numbers below `total`.
fn spaced(i: usize, count: usize, total: usize) -> usize {
    (i as u64 * total as u64 / count as u64) as usize
}

/// An evaluation under way: [`step`](OwnRun::step) until it is done, then
/// [`finish`](OwnRun::finish).
///
/// Or by several hands, of which this is the first: [`deal`](OwnRun::deal) pieces of work to whoever is there, each of
/// whom has [opened the same](OwnHelp), and [`take`](OwnRun::take) what comes of them in the order in which they were
/// dealt. What it comes to is the same, bit for bit, however many these are.
pub struct OwnRun {
    plan: OwnPlan,
    hand: Worker,
    lead: Coordinator,
}

/// Another hand at an evaluation.
pub struct OwnHelp(Worker);

impl OwnHelp {
    /// With the same plan; nothing is read yet.
    #[must_use]
    pub fn new(plan: &OwnPlan) -> Self {
        Self(Worker::new(plan))
    }

    /// Takes what the first has found out of the dictionary, which must come before any piece that is of rows.
    ///
    /// # Errors
    /// As [`OwnRun::step`].
    pub fn adopt(&mut self, basis: Basis) -> Result<(), OwnError> {
        self.0.adopt(basis)
    }

    /// Does a piece of work.
    ///
    /// # Errors
    /// As [`OwnRun::step`].
    pub fn work(&mut self, job: Job) -> Result<Part, OwnError> {
        self.0.work(job)
    }
}

impl OwnRun {
    /// Begins; nothing is read yet.
    #[must_use]
    pub fn new(plan: OwnPlan) -> Self {
        let (hand, lead) = (Worker::new(&plan), Coordinator::new(&plan));
        Self { plan, hand, lead }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &OwnPlan {
        &self.plan
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.lead.progress()
    }

    /// Runs to the end, telling how far it has come after every step.
    ///
    /// # Errors
    /// As [`OwnRun::step`].
    pub fn run(mut self, tell: &mut dyn FnMut(Progress)) -> Result<OwnReport, OwnError> {
        while self.progress().phase != Phase::Done {
            tell(self.step()?);
        }
        self.finish()
    }

    /// Does the next piece of work: loading, or a block of rows or features for every thread.
    ///
    /// # Errors
    /// [`OwnError::Sae`] for rows that cannot be read or normalised, or are not finite, for codes that are not finite, and
    /// where the eigenvalue iteration does not converge. An evaluation that failed stays where
    /// it is.
    pub fn step(&mut self) -> Result<Progress, OwnError> {
        if !self.hand.is_loaded() {
            self.hand.load()?;
            return Ok(self.progress());
        }
        let result = self.pieces();
        if result.is_err() {
            self.lead.forget_dealt();
        }
        result?;
        Ok(self.progress())
    }

    fn pieces(&mut self) -> Result<(), OwnError> {
        let mut given = Vec::new();
        // What cannot be read is told when all before it is done.
        let mut refused = Ok(());
        for _ in 0..self.plan.pieces() {
            let Some(job) = self.lead.deal(&self.plan) else { break };
            match self.hand.give(job) {
                Ok(one) => given.push(one),
                Err(error) => {
                    refused = Err(error);
                    break;
                }
            }
        }
        let parts = each(given, self.hand.worker())?;
        refused?;
        parts.iter().try_for_each(|part| self.take(part))
    }

    /// The next piece of work; none where all that can be done now is dealt.
    pub fn deal(&mut self) -> Option<Job> {
        self.lead.deal(&self.plan)
    }

    /// Does a piece of work itself.
    ///
    /// # Errors
    /// As [`OwnRun::step`].
    pub fn work(&mut self, job: Job) -> Result<Part, OwnError> {
        self.hand.work(job)
    }

    /// Takes what came of the piece that was dealt first of those that have not been taken. Where it was the last that
    /// loading takes, [`OwnRun::basis`] is there for others.
    ///
    /// # Errors
    /// [`OwnError::Sae`] where no row is left, and where the eigenvalue iteration does not converge.
    pub fn take(&mut self, part: &Part) -> Result<(), OwnError> {
        if !self.lead.take(part, &self.plan) {
            return Ok(());
        }
        if self.progress().phase != Phase::Loading {
            return self.lead.turn(&self.plan);
        }
        self.hand.load()?;
        let basis = self.hand.basis(self.lead.gram())?;
        self.hand.adopt(basis.clone())?;
        self.lead.begin_rows(&basis, &self.plan)
    }

    /// What others must know before they code rows, while it is known.
    #[must_use]
    pub fn basis(&self) -> Option<Basis> {
        match self.progress().phase {
            Phase::Lengths | Phase::Rows | Phase::ActiveSubspace => self.hand.adopted(),
            _ => None,
        }
    }

    /// The rows that are scored, where some are left out, and the mean of the rows that have been measured.
    pub(super) fn rows(&self) -> (Option<Rc<Kept>>, Vec<f64>) {
        self.lead.rows_measured()
    }

    /// The rows of the dictionary (K × D), once it is loaded.
    pub(super) fn directions(&self) -> Option<Matrix> {
        self.hand.directions()
    }

    /// The report of the rows that have been measured so far; none before there is one. Its notes say that it is not of
    /// all.
    ///
    /// # Errors
    /// [`OwnError::Measure`] where a measure is no finite number.
    pub fn provisional(&self) -> Result<Option<OwnReport>, OwnError> {
        let Some(mut report) = self.lead.report(&self.plan)? else { return Ok(None) };
        if self.progress().phase == Phase::Done {
            report.decoder_norms = self.hand.lengths().and_then(|all| DecoderNorms::of(&all));
        }
        Ok(Some(report))
    }

    /// The report.
    ///
    /// # Errors
    /// [`OwnError::Unfinished`] before the last step, [`OwnError::Measure`] where a measure is no
    /// finite number.
    pub fn finish(&self) -> Result<OwnReport, OwnError> {
        if self.progress().phase != Phase::Done {
            return Err(OwnError::Unfinished);
        }
        self.provisional()?.ok_or(OwnError::Unfinished)
    }
}
