//! Text that a spreadsheet shows, and does not run.

use std::borrow::Cow;

/// A cell of comma-separated values as text: what a spreadsheet would take for a formula, since it begins with
/// `=`, `+`, `-`, `@`, a tab or a carriage return, gets the apostrophe before it that marks text there. Numbers
/// stay as they are.
///
/// # Examples
/// ```
/// use sfc_bench::study::escape_formula;
/// assert_eq!(escape_formula("=1+1"), "'=1+1");
/// assert_eq!(escape_formula("-0.5"), "-0.5");
/// assert_eq!(escape_formula("layer 3"), "layer 3");
/// ```
#[must_use]
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula && cell.parse::<f64>().is_err() { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}
