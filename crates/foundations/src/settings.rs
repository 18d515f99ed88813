//! How any study states its knobs: one typed [`Field`] a knob, from which come its limits, the check of
//! a draft, its key in a link, its flag, its place in a form and its part in a file's name; and what is
//! refused and changed, in words.

mod change;
mod field;
pub mod file_name;
mod grid;
mod macros;
mod number;
pub mod pairs;
mod parameters;
mod problem;
mod range;
#[cfg(test)]
mod tests;
mod text;
mod value;

pub use crate::io::MEMORY_CAP;
pub use change::Change;
pub use field::{Choice, Field, FieldKind, FormField, FormGroup, Limit, ListSpan, NameCondition, NamePart};
pub use field::{choice, choices_from_words, part_if_changed, prepend_choice};
pub use macros::{draft, fields, from_name, impl_parameter_by_name, named, parameters};
pub use number::{format_number, read_number};
pub use parameters::{Parameters, check};
pub use problem::{Problem, Problems};
pub use range::clamp_to_range;
pub(crate) use range::format_refused;
pub use range::{Range, SEED_MAX};
pub(crate) use text::read_switch;
pub use text::{format_value, read_nearest};
pub use value::{Parameter, ParameterDraft, Raw, Value};
