//! Ctrl-C, and what a machine sends that shuts down: a long command stops after what is under way, says
//! what is done, and keeps it. A second one ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::console;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a command that was interrupted.
pub const INTERRUPTED_EXIT_CODE: u8 = 130;

/// A command that was stopped before its end.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Interrupted {
    /// What is done, and where it is kept.
    pub message: String,
    /// What can be printed of it.
    pub partial_output: String,
}

/// Whether somebody asked to stop.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Listens from now on.
#[cfg(unix)]
pub fn listen_for_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Without, a signal ends the program as any other.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if REQUESTED.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED_EXIT_CODE.into());
            }
            console::print_stderr("stopping after what is under way; once more ends it at once");
        }
    });
}

/// Nothing tells of it here.
#[cfg(not(unix))]
pub fn listen() {}
