use super::job::{Clock, Job, Made};
use super::memo::Memo;
use super::subject::World;
use crate::study::Failure;

/// A dictionary, and what it makes of activations.
pub struct Decomposition {
    memo: Memo,
}

impl Decomposition {
    /// What its metrics share.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }
}

/// The shipped files that its subjects take.
pub(super) fn needs(_world: World) -> Vec<&'static str> {
    Vec::new()
}

/// All subjects of a job.
pub(super) fn made(_job: Job, _clock: Clock) -> Result<Vec<Made<Decomposition>>, Failure> {
    Ok(Vec::new())
}
