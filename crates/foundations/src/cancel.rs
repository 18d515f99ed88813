//! Ends long computations from within: they ask between pieces of work whether they are still wanted.

use std::cell::{Cell, RefCell};

/// What is asked.
pub type CancelCheck = Box<dyn FnMut() -> bool>;

thread_local! {
    static CANCEL_CHECK: RefCell<Option<CancelCheck>> = const { RefCell::new(None) };
    static CANCELLED: Cell<bool> = const { Cell::new(false) };
}

/// What was computed is no longer wanted, and was left where it stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Has computations of this thread call `ask` between pieces of work, and end once it is true. Nobody is asked without one.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::cancel;
/// cancel::set_cancel_check(Some(Box::new(|| true)));
/// assert!(cancel::check().is_err());
/// cancel::set_cancel_check(None);
/// assert!(cancel::check().is_ok());
/// ```
pub fn set_cancel_check(ask: Option<CancelCheck>) {
    CANCELLED.set(false);
    CANCEL_CHECK.set(ask);
}

/// Whether computations of this thread ask at all.
#[cfg(feature = "threads")]
pub(crate) fn has_cancel_check() -> bool {
    CANCEL_CHECK.with_borrow(Option::is_some)
}

/// Whether to end; once it is so, it stays so until others are asked.
#[must_use]
pub fn is_cancelled() -> bool {
    if !CANCELLED.get() {
        CANCEL_CHECK.with_borrow_mut(|ask| CANCELLED.set(ask.as_mut().is_some_and(|ask| ask())));
    }
    CANCELLED.get()
}

/// The same as an error.
///
/// # Errors
/// [`Cancelled`].
pub fn check() -> Result<(), Cancelled> {
    if is_cancelled() { Err(Cancelled) } else { Ok(()) }
}
