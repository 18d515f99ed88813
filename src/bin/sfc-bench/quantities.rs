//! Whatever has quantities by their names, printed: as JSON, or a row a quantity.

use serde::Serialize;
use serde_json::Value;
use sfc_bench::papers::measurement::metric::{METRICS, MetricDescription};

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, to_json};

/// Lists of up to so many numbers are printed, longer ones are left out.
const LIST_LENGTH_MAX: usize = 16;

/// What was found, without what there is of every feature or position.
pub fn format_quantities(output: &OutputArgs, found: &impl Serialize) -> Result<String, BoxError> {
    let found = drop_long_lists(serde_json::to_value(found)?);
    let format = output.format();
    if format == Format::Json {
        return to_json(&found);
    }
    let mut rows = TextTable::new(&["quantity", "value"]);
    flatten("", &found, format, &mut rows);
    rows.render(format, |table| table)
}

/// The same of a metric of measurement theory: as JSON with what its text says of such scores, beside them.
pub fn format_with_score_readings(
    output: &OutputArgs,
    metric: &str,
    found: &impl Serialize,
) -> Result<String, BoxError> {
    let mut found = serde_json::to_value(found)?;
    if let (Format::Json, Some(about)) = (output.format(), METRICS.into_iter().find(|about| about.id == metric)) {
        add_score_readings(about, &mut found)?;
    }
    format_quantities(output, &found)
}

/// Where the rows of a metric's table stand that apply.
const READING_KEY: &str = "reading_the_scores";

/// Puts those rows of a metric's table that apply beside the quantities that they are about, wherever these are.
fn add_score_readings(about: &MetricDescription, found: &mut Value) -> Result<(), BoxError> {
    let Value::Object(fields) = found else { return Ok(()) };
    for value in fields.values_mut() {
        add_score_readings(about, value)?;
    }
    let rows = about.matching_rows(|quantity| fields.get(quantity).and_then(Value::as_f64));
    if !rows.is_empty() {
        fields.insert(READING_KEY.to_owned(), serde_json::to_value(rows)?);
    }
    Ok(())
}

/// The same without long lists, and lists of lists.
pub fn drop_long_lists(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let long = |value: &Value| {
                let lists = |list: &Vec<Value>| list.len() > LIST_LENGTH_MAX || list.iter().any(Value::is_array);
                value.as_array().is_some_and(lists)
            };
            let kept = fields.into_iter().filter(|(_, value)| !long(value));
            Value::Object(kept.map(|(name, value)| (name, drop_long_lists(value))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(drop_long_lists).collect()),
        other => other,
    }
}

/// Rows of a quantity's name and value, names of what is within another joined by dots.
pub fn flatten(name: &str, value: &Value, format: Format, rows: &mut TextTable) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| flatten(&below(key), value, format, rows));
        }
        Value::Array(list) => {
            let each = list.iter().enumerate();
            each.for_each(|(at, value)| flatten(&below(&at.to_string()), value, format, rows));
        }
        Value::Number(found) => {
            let text = match found.as_f64() {
                Some(value) if !found.is_u64() => format_number(format, value),
                _ => found.to_string(),
            };
            rows.push(vec![name.to_owned(), text]);
        }
        Value::Null => rows.push(vec![name.to_owned(), String::new()]),
        Value::Bool(yes) => rows.push(vec![name.to_owned(), yes.to_string()]),
        Value::String(word) => rows.push(vec![name.to_owned(), word.clone()]),
    }
}
