use super::job::{Clock, Job, Made};
use super::memo::Memo;

/// What a metric said, run by run.
pub struct Scores {
    memo: Memo,
}

impl Scores {
    /// What its metrics share.
    #[must_use]
    pub fn memo(&self) -> &Memo {
        &self.memo
    }
}

/// All subjects of a job.
pub(super) fn made(_job: Job, _clock: Clock) -> Vec<Made<Scores>> {
    Vec::new()
}
