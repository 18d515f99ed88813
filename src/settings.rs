//! How any study states its knobs: one typed [`Field`] a knob, from which come its limits, the check of
//! a draft, its key in a link, its flag, its place in a form and its part in a file's name; and what is
//! refused and changed, in words.

mod change;
mod field;
pub(crate) mod file_name;
mod grid;
mod macros;
mod number;
pub(crate) mod pairs;
mod parameters;
mod problem;
mod range;
#[cfg(test)]
mod tests;
mod text;
mod value;

pub use crate::io::MEMORY_CAP;
pub use change::Change;
pub use field::{Choice, Field, FormField, Group, Kind, Limit, Part, Span, When};
pub(crate) use field::{changed, choice, of_words, preceded};
pub(crate) use macros::{by_name, draft, fields, from_name, named, parameters};
pub(crate) use number::{number, read_number};
pub use parameters::{Parameters, check};
pub use problem::{Problem, Problems};
pub use range::{Range, SEED_MAX};
pub(crate) use range::{nearest, show};
pub(crate) use text::{print, read, read_switch};
pub use value::{Parameter, ParameterDraft, Raw, Value};
