//! What a field holds as text, in a link: read and printed.

use super::field::are_valid_weights;
use super::grid::{format_grid, format_list, read_grid};
use super::{Field, FieldKind, Value, clamp_to_range, format_number, read_number};

/// A value as it stands in a link.
#[inline(never)]
pub fn format_value(value: &Value, field: &Field) -> String {
    match value {
        Value::Number(value) => format_number(*value),
        Value::Word(word) => word.clone(),
        Value::Switch(on) => u8::from(*on).to_string(),
        Value::List(values) if matches!(field.kind, FieldKind::List(_)) => format_grid(values),
        Value::List(values) => format_list(values),
    }
}

/// The nearest value that can be made of a text, if any, and whether it is the very one that stood
/// there. The field may be bounded by `most`.
#[inline(never)]
pub fn read_nearest(text: &str, field: &Field, most: Option<f64>) -> (Option<Value>, bool) {
    match field.kind {
        FieldKind::Preset(_) | FieldKind::Choice(_) => {
            let known = field.choices().iter().any(|choice| choice.word == text);
            (known.then(|| Value::Word(text.to_owned())), known)
        }
        FieldKind::Switch => {
            let on = read_switch(text);
            (on.map(Value::Switch), on.is_some())
        }
        FieldKind::List(span) => {
            if text.contains("..") {
                let values = read_grid(text, span);
                let whole = values.is_some();
                return (values.map(Value::List), whole);
            }
            let fits = |text: &str| read_number(text).filter(|value| span.contains(*value));
            let values: Vec<f64> = text.split(',').filter_map(fits).take(span.count_max).collect();
            let whole = values.len() == text.split(',').count();
            ((!values.is_empty()).then_some(Value::List(values)), whole)
        }
        FieldKind::Weights { axes, least, most } => {
            let count = axes.len();
            let read: Vec<f64> = text.split(',').map_while(read_number).take(count + 1).collect();
            if read.len() != count || text.split(',').count() != count {
                return (None, false);
            }
            let inside = |weight: &f64| if *weight > 0.0 { weight.clamp(least, most) } else { 0.0 };
            let weights: Vec<f64> = read.iter().map(inside).collect();
            let whole = weights == read;
            if are_valid_weights(&weights, least, most) { (Some(Value::List(weights)), whole) } else { (None, false) }
        }
        FieldKind::Number(_) | FieldKind::Within(..) | FieldKind::Seed => {
            let Some(range) = field.range(most) else { return (None, false) };
            let found = read_number(text);
            let used = found.map(|found| clamp_to_range(range, found));
            (used.map(Value::Number), used.is_some() && found == used)
        }
    }
}

/// On or off, as people write it.
pub(crate) fn read_switch(text: &str) -> Option<bool> {
    match text {
        "1" | "true" | "" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}
