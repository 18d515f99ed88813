//! Many jobs on all cores, begun in their order, until somebody asks to stop.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::format::Failed;
use crate::interrupt;

/// Does the jobs that `done` does not have yet; `keep` is told of each result before it counts. What comes
/// back is in the jobs' order, with none where it was stopped.
///
/// # Errors
/// Of all that went wrong, what did so in the earliest job.
pub fn run<T: Send>(
    done: Vec<Option<T>>,
    work: impl Fn(usize) -> Result<T, Failed> + Sync,
    keep: impl Fn(&T) -> Result<(), Failed> + Sync,
) -> Result<Vec<Option<T>>, Failed> {
    let missing: Vec<usize> = (0..done.len()).filter(|at| done[*at].is_none()).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results = Mutex::new((done, None::<(usize, Failed)>));
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                while !interrupt::asked() && !failed.load(Ordering::Relaxed) {
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
