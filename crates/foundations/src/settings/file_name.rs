//! What the name of a file says of settings.

use super::{Field, NameCondition, ParameterDraft, Parameters, Value, parameters};
use crate::hash::Fnv;

/// The settings as a part of a file's name: `-standard-k48-seed42`.
///
/// Every value that is not the study's own has its part in it, so that other settings give other
/// names; long lists are told apart by a hash. `instead` says what stands in the place of a field that
/// the file is not of one value of.
pub fn file_stem<S: Parameters>(settings: &S, instead: impl Fn(&str) -> Option<String>) -> String {
    let (usual, all) = (S::default().draft(), settings.draft());
    let named = parameters::has_preset_name::<S>(&all);
    let mut fields: Vec<&Field> = S::FIELDS.iter().collect();
    fields.sort_by_key(|field| field.name_part.rank);
    let mut out = String::new();
    for field in fields {
        let Some(value) = all.get(field.name) else { continue };
        if let Some(text) = instead(field.name) {
            out.push_str(&text);
            continue;
        }
        let there = match field.name_part.condition {
            NameCondition::Always => true,
            NameCondition::Changed => usual.get(field.name).as_ref() != Some(&value),
            NameCondition::Unnamed => !named,
        };
        if there {
            out.push_str(&part_text(field, &value));
        }
    }
    out
}

fn part_text(field: &Field, value: &Value) -> String {
    let lead = field.name_part.prefix;
    match value {
        Value::Number(value) if field.range(None).is_some_and(|range| range.whole) => {
            format!("{lead}{value}")
        }
        Value::Number(value) => format!("{lead}{}", short_number(*value)),
        Value::Word(word) => format!("{lead}{word}"),
        Value::Switch(true) => lead.to_owned(),
        Value::Switch(false) => format!("{lead}-off"),
        Value::List(few) if few.len() <= 3 => {
            let few: Vec<String> = few.iter().map(|value| short_number(*value)).collect();
            format!("{lead}{}", few.join("_"))
        }
        Value::List(many) => {
            let mut hash = Fnv::OFFSET_BASIS;
            many.iter().for_each(|value| hash.update(&value.to_le_bytes()));
            let folded = hash.value() ^ hash.value() >> 32;
            format!("-{}{}-{:08x}", many.len(), lead.trim_start_matches('-'), folded as u32)
        }
    }
}

/// A number in few letters that tell it from every other.
fn short_number(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() <= 8 { plain } else { format!("{value:e}") }
}
