//! Circuits: some heads of a model, and what the model says with and without them.

mod circuit_model;
mod subjects;

use std::rc::Rc;

use super::job::{Clock, Job, PreparedSubject};
use super::memo::Memo;
use super::subject::World;
use crate::study::Failure;
use crate::synthetic::Head;
use crate::toy_model::CHECKPOINTS;

pub use circuit_model::CircuitModel;
pub(super) use subjects::{planted_model, task_model};

/// Some heads of a model.
pub struct Circuit {
    memo: Memo,
    ground: Rc<CircuitModel>,
    heads: Vec<Head>,
}

impl Circuit {
    /// Some heads, by layer and number. `clock` says seconds.
    #[must_use]
    pub fn new(ground: Rc<CircuitModel>, mut heads: Vec<Head>, clock: Clock) -> Self {
        heads.sort_unstable();
        heads.dedup();
        Self { memo: Memo::new(clock), ground, heads }
    }

    /// What its metrics share.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    /// The model that it is of, on some prompts.
    #[must_use]
    pub fn model(&self) -> &CircuitModel {
        &self.ground
    }

    /// The heads, by layer and number.
    #[must_use]
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }
}

/// The shipped files that its subjects take.
pub(super) fn required_files(world: World) -> Vec<&'static str> {
    match world {
        World::Tasks => CHECKPOINTS.into_iter().filter(|name| name.starts_with("ck-")).collect(),
        _ => Vec::new(),
    }
}

/// All subjects of a job.
pub(super) fn build_subjects(job: Job, clock: Clock) -> Result<Vec<PreparedSubject<Circuit>>, Failure> {
    match job.world {
        World::Tasks => subjects::build_task_subjects(job, clock),
        _ => subjects::build_planted_subjects(job, clock),
    }
}
