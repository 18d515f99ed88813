use super::job::{Clock, Job, Made};
use super::memo::Memo;
use crate::study::Failure;

/// A model that is watched.
pub struct Watched {
    memo: Memo,
}

impl Watched {
    /// What its metrics share.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }
}

/// The shipped files that its subjects take.
pub(super) fn needs() -> Vec<&'static str> {
    Vec::new()
}

/// All subjects of a job.
pub(super) fn made(_job: Job, _clock: Clock) -> Result<Vec<Made<Watched>>, Failure> {
    Ok(Vec::new())
}
