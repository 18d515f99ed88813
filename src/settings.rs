//! How any study states its knobs: ranges, refusals, numbers as text, and what was changed in a text
//! that could not be used as it stood.

mod change;
mod number;
mod problem;
mod range;

pub use change::Change;
pub(crate) use number::{number, read_number};
pub use problem::{Problem, Problems};
pub use range::{Range, SEED_MAX};
pub(crate) use range::{nearest, show};

/// Memory a run may ask for, in bytes; a larger request is refused before anything is allocated.
pub const MEMORY_CAP: u64 = 1 << 30;
