//! Long work beside Python: others may run meanwhile, and Ctrl-C ends it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::error::{Refusal, Result};

/// So often Python is asked whether it was interrupted.
const LISTEN_EVERY: Duration = Duration::from_millis(50);

/// What ends work that cannot hand back an error: what Python said.
struct Stopped(PyErr);

/// Hears how far work is.
pub struct Listener {
    tell: Option<Py<PyAny>>,
    heard: Instant,
}

impl Listener {
    /// Passes on a stage and the part of everything that is done.
    pub fn hear(&mut self, stage: &str, fraction: f64) {
        if self.heard.elapsed() < LISTEN_EVERY && fraction < 1.0 {
            return;
        }
        self.heard = Instant::now();
        let said = Python::attach(|py| {
            py.check_signals()?;
            self.tell.as_ref().map_or(Ok(()), |tell| tell.call1(py, (stage, fraction)).map(drop))
        });
        if let Err(error) = said {
            resume_unwind(Box::new(Stopped(error)));
        }
    }
}

/// Does something without Python, which `work` can be heard of by `tell`.
///
/// # Errors
/// Those of `work`, and what Python raised while it was asked or told.
pub fn heard<T: Send>(
    py: Python<'_>,
    tell: Option<Py<PyAny>>,
    work: impl FnOnce(&mut Listener) -> Result<T> + Send,
) -> PyResult<T> {
    let mut listener = Listener { tell, heard: Instant::now() };
    let ended = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&mut listener))));
    match ended {
        Ok(found) => Ok(found?),
        Err(payload) => match payload.downcast::<Stopped>() {
            Ok(stopped) => Err(stopped.0),
            Err(payload) => resume_unwind(payload),
        },
    }
}

/// Does something short without Python.
///
/// # Errors
/// Those of `work`.
pub fn beside<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    Ok(py.detach(work)?)
}

/// A pool of so many threads; none for as many as there are.
///
/// # Errors
/// Where there can be no such pool.
pub fn pool(threads: Option<usize>) -> Result<Option<rayon::ThreadPool>> {
    let Some(count) = threads else { return Ok(None) };
    if !(1..=1_024).contains(&count) {
        return Err(Refusal::value("threads", count.to_string(), "a whole number from 1 to 1024"));
    }
    let made = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    made.map(Some).map_err(|error| Refusal::new("threads.failed", &error, Some("threads")))
}
