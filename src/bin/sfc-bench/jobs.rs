//! Many jobs on all cores, begun in their order, until somebody asks to stop.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkpoint::{self, Checkpoint};
use crate::format::{BoxError, Format, TextResult};
use crate::interrupt::{self, Interrupted};
use crate::progress;

/// Does those of a long command's `count` jobs whose results are not kept yet, and keeps theirs. What comes back is in the
/// jobs' order, and all of it unless somebody asked to stop; with the checkpoint, where there is one.
///
/// `settings` are everything that results follow from, `place` tells which job one is of, and `what` is said on the bar.
pub fn run_resumable<T: Send + Serialize + DeserializeOwned>(
    options: &checkpoint::Options,
    (command, settings): (&str, &impl Serialize),
    count: usize,
    place: impl Fn(&T) -> Option<usize>,
    what: &'static str,
    work: impl Fn(usize) -> Result<T, BoxError> + Sync,
) -> Result<(Option<Checkpoint>, Vec<T>), BoxError> {
    interrupt::listen_for_signals();
    let (kept, done) = options.open(command, settings, count, place)?;
    let bar = progress::progress_bar(what, count);
    bar.set_position(done.iter().flatten().count() as u64);
    let found = run_missing(done, work, |found| checkpoint::record_result(kept.as_ref(), found, &bar))?;
    drop(bar);
    checkpoint::sync_checkpoint(kept.as_ref())?;
    Ok((kept, found.into_iter().flatten().collect()))
}

/// How a command ends that was stopped when so many of its jobs were done: `finished` says so. Results that are kept nowhere
/// are printed, with what `besides` says of them.
pub fn finish_interrupted(
    kept: Option<&Checkpoint>,
    format: Format,
    (done, of): (usize, usize),
    (finished, besides): (&str, &str),
    print: impl FnOnce() -> TextResult,
) -> TextResult {
    let text = match (kept, format) {
        (None, Format::Table | Format::Json) if done > 0 => {
            progress::mark_partial(format, &print()?, &format!("{finished}{besides}"), done, of)
        }
        _ => String::new(),
    };
    let said = format!("interrupted: {finished}; {}", checkpoint::resume_hint(kept));
    Err(Interrupted { message: said, partial_output: text }.into())
}

/// Does the jobs that `done` does not have yet; `keep` is told of each result before it counts. What comes
/// back is in the jobs' order, with none where it was stopped.
///
/// # Errors
/// Of all that went wrong, what did so in the earliest job.
pub fn run_missing<T: Send>(
    done: Vec<Option<T>>,
    work: impl Fn(usize) -> Result<T, BoxError> + Sync,
    keep: impl Fn(&T) -> Result<(), BoxError> + Sync,
) -> Result<Vec<Option<T>>, BoxError> {
    let missing: Vec<usize> = (0..done.len()).filter(|at| done[*at].is_none()).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results = Mutex::new((done, None::<(usize, BoxError)>));
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                while !interrupt::is_requested() && !failed.load(Ordering::Relaxed) {
                    let Some(at) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let result = work(*at).and_then(|one| keep(&one).map(|()| one));
                    // A panic in another job ends the program anyway.
                    let Ok(mut results) = results.lock() else { break };
                    match result {
                        Ok(one) => results.0[*at] = Some(one),
                        Err(error) => {
                            failed.store(true, Ordering::Relaxed);
                            if results.1.as_ref().is_none_or(|(first, _)| at < first) {
                                results.1 = Some((*at, error));
                            }
                        }
                    }
                }
            });
        }
    });
    let (results, failed) = results.into_inner().unwrap_or_else(|held| held.into_inner());
    match failed {
        Some((_, error)) => Err(error),
        None => Ok(results),
    }
}
