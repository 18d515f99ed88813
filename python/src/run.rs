//! Long work beside Python: others may run meanwhile, and Ctrl-C ends it.

use std::mem;
use std::panic::resume_unwind;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Refusal, Result};

/// So often Python is asked whether it was interrupted, and at most so often it is told how far work is.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// As much as a program's first thread usually has.
const STACK_BYTES: usize = 8 << 20;

/// What ends work that cannot hand back an error; why is known where it was stopped.
struct StopPayload;

/// Hears how far work is.
pub struct ProgressListener<'a> {
    told: Sender<(String, f64)>,
    stopped: &'a AtomicBool,
    heard: Option<Instant>,
}

impl ProgressListener<'_> {
    /// Passes on a stage and the part of everything that is done; where work is to end, it ends here.
    pub fn report(&mut self, stage: &str, fraction: f64) {
        if self.stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new(StopPayload));
        }
        if self.heard.is_some_and(|heard| heard.elapsed() < POLL_INTERVAL) && fraction < 1.0 {
            return;
        }
        self.heard = Some(Instant::now());
        // Nobody listens any more only when everything is over.
        let _ = self.told.send((stage.to_owned(), fraction));
    }
}

/// Does something without Python, which hears of it by `tell`: on a thread of its own, while this one listens for
/// signals, which Python tells no other.
///
/// # Errors
/// Those of `work`, and what Python raised while it was asked or told.
pub fn run_with_progress<T: Send>(
    py: Python<'_>,
    tell: Option<Py<PyAny>>,
    work: impl FnOnce(&mut ProgressListener<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    let stopped = AtomicBool::new(false);
    py.detach(|| {
        thread::scope(|scope| {
            let (told, hears) = mpsc::channel();
            let mut listener = ProgressListener { told, stopped: &stopped, heard: None };
            let worker = thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    let done = work(&mut listener)?;
                    listener.report("done", 1.0);
                    Ok::<T, Refusal>(done)
                })
                .map_err(|error| Refusal::new("threads.failed", &error, Some("threads")))?;
            let mut raised = None;
            loop {
                let said = match hears.recv_timeout(POLL_INTERVAL) {
                    // Whoever listens slowly hears the newest.
                    Ok(said) => Some(hears.try_iter().last().unwrap_or(said)),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_none()
                    && let Err(error) = poll_python(tell.as_ref(), said)
                {
                    raised = Some(error);
                    stopped.store(true, Ordering::Relaxed);
                }
            }
            let ended = worker.join();
            if let Some(error) = raised {
                return Err(error);
            }
            Ok(ended.unwrap_or_else(|payload| resume_unwind(payload))?)
        })
    })
}

/// Asks Python whether it was interrupted, and tells it what was said.
fn poll_python(tell: Option<&Py<PyAny>>, said: Option<(String, f64)>) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        match tell.zip(said) {
            Some((tell, said)) => tell.call1(py, said).map(drop),
            None => Ok(()),
        }
    })
}

/// Does something short without Python.
///
/// # Errors
/// Those of `work`.
pub fn run_detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    Ok(py.detach(work)?)
}

fn count_processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The pool of as many threads as there are processors, and the process that has it: one that was forked has its own,
/// as threads are not forked along.
static SHARED_POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// A pool of so many threads, but of no more than there are processors for this process; of as many as these without a
/// number.
///
/// # Errors
/// Where there can be no such pool.
pub fn thread_pool(threads: Option<usize>) -> Result<Arc<ThreadPool>> {
    let made = |count| {
        let made = ThreadPoolBuilder::new().num_threads(count).build();
        made.map(Arc::new).map_err(|error| Refusal::new("threads.failed", &error, Some("threads")))
    };
    if let Some(count) = threads {
        if !(1..=1_024).contains(&count) {
            let allowed = "a whole number from 1 to 1024";
            return Err(Refusal::invalid_value("threads", count.to_string(), allowed));
        }
        return made(count.min(count_processors()));
    }
    let mut shared = SHARED_POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*shared {
        Some((owner, pool)) if *owner == process::id() => Ok(Arc::clone(pool)),
        _ => {
            let pool = made(count_processors())?;
            // The other process's threads are not here to be ended.
            mem::forget(shared.replace((process::id(), Arc::clone(&pool))));
            Ok(pool)
        }
    }
}
