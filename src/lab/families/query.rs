//! A study as a line of text, for links and the command line: `small,world:nonlinear,c:row-space`.
//!
//! First comes a preset, then whatever differs from it; lists are joined by `_`, and four or more
//! whole numbers in a row are `first-last`. [`to_query`] is canonical: what is as in the preset is left
//! out, and of the presets the one that makes the shorter text stands first. [`parse`] never fails, as
//! that of links does not: out of any text comes the nearest valid study, with a sentence for
//! everything that had to be changed.
//!
//! ```
//! use sfc_bench::lab::families::query;
//! let read = query::parse("small,ks:1_2_99,latents:16");
//! assert_eq!(read.config.ks, [1, 2]);
//! let change = &read.changes[0].sentence;
//! assert_eq!(change, "ks is \"1_2_99\"; allowed: whole numbers from 1 to 16, none twice; 1_2 is used");
//! assert_eq!(query::to_query(&read.config).as_deref(), Some("small,latents:16,ks:1_2"));
//! ```

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::config::{FamiliesConfig, JOBS_MAX, ROWS_RANGE};
use super::method::Method;
use crate::lab::Reading;
use crate::sae::train::{BATCH_RANGE, COEFFICIENT_RANGE, LATENTS_RANGE, RATE_RANGE, STEPS_MAX};
use crate::settings::pairs::{PairGrammar, PairReader};
use crate::settings::{Change, clamp_to_range, format_number, read_number};
use crate::settings::{Problem, Range};
use crate::synthetic::UserActivations;
use crate::synthetic::{CORRELATION_RANGE, DIMENSIONS_RANGE, FEATURES_RANGE, INTERACTION_RANGE, Superposition, World};

/// Longest text of a study that is read.
pub const LENGTH_MAX: usize = 512;
/// Pairs as they stand after the preset.
const GRAMMAR: PairGrammar = PairGrammar {
    pair_separator: ',',
    key_value_separator: ':',
    percent_encoded: false,
    length_max: LENGTH_MAX,
    pairs_max: LENGTH_MAX,
    noun_and_unit: ("study", "characters"),
};
/// Most values of one knob that are read.
const LIST_VALUES_MAX: usize = 512;
/// Fewest whole numbers in a row that are worth a range.
const RANGE_LENGTH_MIN: usize = 4;

/// What a text says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParsedQuery {
    /// The nearest valid study.
    pub config: FamiliesConfig,
    /// What had to be changed for it; empty for a text that [`to_query`] made.
    pub changes: Vec<Change>,
}

/// A number, or a list of them, that a text may change.
struct QueryField {
    /// As it stands in the text.
    key: &'static str,
    /// Where it is in the configuration, as a JSON pointer.
    at: &'static str,
    /// What is allowed under what the configuration holds otherwise.
    range: fn(&Value) -> Range,
}

/// Each bounded by those before it alone.
const NUMBER_FIELDS: [QueryField; 12] = [
    QueryField { key: "latents", at: "/train/latents", range: |_| LATENTS_RANGE },
    QueryField { key: "steps", at: "/train/steps", range: |_| Range::integer("steps", 1, STEPS_MAX) },
    QueryField { key: "rate", at: "/train/rate", range: |_| RATE_RANGE },
    QueryField { key: "rows", at: "/train_rows", range: |all| rows_range(all, "train_rows", ROWS_RANGE.min) },
    QueryField {
        key: "eval",
        at: "/eval_rows",
        range: |all| rows_range(all, "eval_rows", number_at(all, "/train_rows").unwrap_or(ROWS_RANGE.min)),
    },
    QueryField {
        key: "batch",
        at: "/train/batch",
        range: |all| to_config(all).map_or(BATCH_RANGE, |config| config.batch_range()),
    },
    QueryField { key: "world-seed", at: "/world/seed", range: |_| Range::seed("seed") },
    QueryField { key: "features", at: "/world/features", range: |_| FEATURES_RANGE },
    QueryField { key: "dimensions", at: "/world/dimensions", range: |_| DIMENSIONS_RANGE },
    QueryField { key: "correlation", at: "/world/correlation", range: |_| CORRELATION_RANGE },
    QueryField {
        key: "children",
        at: "/world/children",
        range: |all| Superposition::children_range(number_at(all, "/world/features").unwrap_or(0.0)),
    },
    QueryField { key: "interaction", at: "/world/interaction", range: |_| INTERACTION_RANGE },
];

const LIST_FIELDS: [QueryField; 5] = [
    QueryField { key: "seeds", at: "/seeds", range: |_| Range::seed("seeds") },
    QueryField {
        key: "ks",
        at: "/ks",
        range: |all| Range {
            field: "ks",
            min: 1.0,
            max: number_at(all, "/train/latents").unwrap_or(LATENTS_RANGE.max),
            whole: true,
        },
    },
    QueryField { key: "relu", at: "/relu", range: |_| Range { field: "relu", ..COEFFICIENT_RANGE } },
    QueryField { key: "gated", at: "/gated", range: |_| Range { field: "gated", ..COEFFICIENT_RANGE } },
    QueryField { key: "jumprelu", at: "/jumprelu", range: |_| Range { field: "jumprelu", ..COEFFICIENT_RANGE } },
];

/// Rows of one kind, where `others` are of the other: of given activations there are so many.
fn rows_range(all: &Value, field: &'static str, others: f64) -> Range {
    let most = match to_config(all).map(|config| config.world) {
        Some(World::Own(given)) => given.rows_max() as f64 - others,
        _ => ROWS_RANGE.max,
    };
    Range { field, max: ROWS_RANGE.max.min(most), ..ROWS_RANGE }
}

fn number_at(all: &Value, pointer: &str) -> Option<f64> {
    all.pointer(pointer)?.as_f64()
}

fn list_at(all: &Value, pointer: &str) -> Vec<f64> {
    let values = all.pointer(pointer).and_then(Value::as_array);
    values.into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn to_config(all: &Value) -> Option<FamiliesConfig> {
    FamiliesConfig::deserialize(all).ok()
}

/// A number as the configuration holds it.
fn to_json_number(value: f64, whole: bool) -> Value {
    if whole { json!(value as u64) } else { json!(value) }
}

fn set_at(all: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = all.pointer_mut(pointer) {
        *place = value;
    }
}

fn format_list(values: &[f64], whole: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = values;
    while let Some(first) = rest.first() {
        let follows = |(index, value): &(usize, &f64)| **value == first + *index as f64;
        let run = if whole { rest.iter().enumerate().take_while(follows).count() } else { 1 };
        if run < RANGE_LENGTH_MIN {
            parts.push(format_number(*first));
            rest = &rest[1..];
        } else {
            parts.push(format!("{}-{}", format_number(*first), format_number(rest[run - 1])));
            rest = &rest[run..];
        }
    }
    parts.join("_")
}

/// The values of a list that can be used, at most `most` of them, and whether that is all there is.
fn read_list(text: &str, range: Range, most: usize) -> (Vec<f64>, bool) {
    let mut out = Vec::new();
    let mut whole = true;
    let mut add = |value: f64| {
        let fits = range.check(value).is_ok() && out.len() < most && !out.contains(&value);
        if fits {
            out.push(value + 0.0);
        }
        fits
    };
    let word = |text: &str| text.parse::<u32>().ok();
    for part in text.split('_') {
        let run = part.split_once('-').and_then(|(first, last)| Some((word(first)?, word(last)?)));
        whole &= match (read_number(part), run) {
            (Some(value), _) => add(value),
            (None, Some((first, last))) if range.whole && first <= last => (first..=last).map(f64::from).all(&mut add),
            _ => false,
        };
    }
    (out, whole)
}

/// The text of a study; none where a text cannot say it, or would be longer than
/// [`LENGTH_MAX`].
#[must_use]
pub fn to_query(config: &FamiliesConfig) -> Option<String> {
    let from = |name: &&str| {
        let preset = FamiliesConfig::preset(name).ok()?;
        format_preset_difference(name, preset, config)
    };
    let texts = FamiliesConfig::PRESETS.iter().filter_map(from);
    let text = texts.min_by_key(String::len).filter(|text| text.len() <= LENGTH_MAX)?;
    // What has no word in a text is found missing here.
    (parse(&text) == ParsedQuery { config: config.clone(), changes: Vec::new() }).then_some(text)
}

fn format_preset_difference(name: &str, preset: FamiliesConfig, config: &FamiliesConfig) -> Option<String> {
    let mut out = name.to_owned();
    let mut push = |key: &str, value: &str| out.extend([",", key, ":", value]);
    if config.world.name() != preset.world.name() {
        push("world", config.world.name());
    }
    let world = match &config.world {
        World::Own(given) => {
            push("of", &given.shape_text());
            for (key, digest) in [("sha256", &given.sha256), ("with", &given.with)] {
                if let Some(digest) = digest {
                    push(key, digest);
                }
            }
            World::Own(UserActivations { seed: UserActivations::SEED_DEFAULT, ..given.clone() })
        }
        world => World::from_name(world.name()).ok()?,
    };
    if config.completeness != preset.completeness {
        push("c", config.completeness.name());
    }
    if config.methods != preset.methods {
        let names: Vec<&str> = config.methods.iter().map(|method| method.name()).collect();
        push("methods", &names.join("_"));
    }
    let usual = serde_json::to_value(FamiliesConfig { world, ..preset }).ok()?;
    let all = serde_json::to_value(config).ok()?;
    for row in &NUMBER_FIELDS {
        if let Some(value) = number_at(&all, row.at)
            && number_at(&usual, row.at) != Some(value)
        {
            push(row.key, &format_number(value));
        }
    }
    for row in &LIST_FIELDS {
        let values = list_at(&all, row.at);
        if values != list_at(&usual, row.at) {
            push(row.key, &format_list(&values, (row.range)(&all).whole));
        }
    }
    Some(out)
}

/// The preset that a text begins with, and the pairs after it.
fn read_preset(text: &str) -> (PairReader, FamiliesConfig) {
    let mut changes = Vec::new();
    let mut items = PairReader::truncate(&GRAMMAR, text, &mut changes).split(GRAMMAR.pair_separator).peekable();
    let first = items.peek().copied().unwrap_or_default();
    let preset = FamiliesConfig::preset(first).unwrap_or_else(|problem| {
        let reason = format!("allowed: {}", problem.allowed);
        changes.push(Change::new("preset", first, &reason, "small", "is used"));
        FamiliesConfig::small()
    });
    // One that begins with something else may have forgotten it.
    if !first.contains(GRAMMAR.key_value_separator) {
        items.next();
    }
    (PairReader::new(&GRAMMAR, items, changes), preset)
}

fn read_world(reader: &mut PairReader, config: &mut FamiliesConfig) {
    let given = reader.unread_pairs().any(|pair| pair == ("world", "given"));
    if !given {
        if let Some(world) = reader.take_word("world", config.world.name(), with_allowed_message(World::from_name)) {
            config.world = world;
        }
        return;
    }
    reader.take("world");
    let shape = reader.take("of").unwrap_or_default();
    let [sha256, with] = ["sha256", "with"].map(|key| reader.take(key));
    match UserActivations::from_shape_text(&shape, sha256.as_deref(), with.as_deref()) {
        Ok(given) => config.world = World::Own(given),
        Err(problem) => {
            let used = format!("the world {}", config.world.name());
            reader.record_refusal(&problem.field, &problem.value, &problem.allowed, &used);
        }
    }
}

fn read_methods(reader: &mut PairReader, config: &mut FamiliesConfig) {
    let Some(text) = reader.take("methods") else { return };
    let mut found: Vec<Method> = Vec::new();
    let mut whole = true;
    for name in text.split('_') {
        match name.parse() {
            Ok(method) if !found.contains(&method) => found.push(method),
            _ => whole = false,
        }
    }
    let usual = std::mem::replace(&mut config.methods, found);
    if config.available_methods().is_empty() {
        config.methods = usual;
        whole = false;
    }
    if !whole {
        let used: Vec<&str> = config.methods.iter().map(|method| method.name()).collect();
        let names = Method::ALL.map(Method::name).join(", ");
        let allowed = format!("some of {names}, none twice, that the world allows");
        reader.record_refusal("methods", &text, &allowed, &used.join("_"));
    }
}

fn read_number_field(reader: &mut PairReader, all: &mut Value, row: &QueryField) {
    let Some(now) = number_at(all, row.at) else { return };
    let range = (row.range)(all);
    let text = reader.take(row.key);
    let read = text.as_deref().map_or(Some(now), read_number);
    let used = clamp_to_range(range, read.unwrap_or(now)) + 0.0;
    if read != Some(used) {
        let found = text.unwrap_or_else(|| format_number(now));
        reader.record_refusal(row.key, &found, &range.describe_allowed(), &format_number(used));
    }
    set_at(all, row.at, to_json_number(used, range.whole));
}

fn read_list_field(reader: &mut PairReader, all: &mut Value, row: &QueryField) {
    let range = (row.range)(all);
    let most = if row.key == "seeds" { JOBS_MAX } else { LIST_VALUES_MAX };
    let now = format_list(&list_at(all, row.at), range.whole);
    let text = reader.take(row.key).unwrap_or_else(|| now.clone());
    let (mut used, whole) = read_list(&text, range, most);
    if used.is_empty() {
        used = read_list(&now, range, most).0;
    }
    if used.is_empty() {
        used.push(range.min);
    }
    if !whole {
        let kind = if range.whole { "whole numbers" } else { "numbers" };
        let allowed = format!("{kind} from {} to {}, none twice", range.min, range.max);
        reader.record_refusal(row.key, &text, &allowed, &format_list(&used, range.whole));
    }
    set_at(all, row.at, used.iter().map(|value| to_json_number(*value, range.whole)).collect());
}

/// What is allowed where a word is not.
fn with_allowed_message<T>(read: impl Fn(&str) -> Result<T, Problem>) -> impl Fn(&str) -> Result<T, String> {
    move |text| read(text).map_err(|problem| problem.allowed)
}

/// Reads a study.
///
/// Whatever the text, the result is one that [`FamiliesConfig::check`] allows: a number out of range
/// becomes the nearest one within, values of a list that cannot be used are left out, anything else
/// that cannot be read is as in the preset; without a preset it is `small`. Each time
/// [`ParsedQuery::changes`] says so.
#[must_use]
pub fn parse(text: &str) -> ParsedQuery {
    let (mut reader, mut config) = read_preset(text);
    read_world(&mut reader, &mut config);
    let usual = config.completeness.name();
    if let Some(reading) = reader.take_word("c", usual, with_allowed_message(str::parse::<Reading>)) {
        config.completeness = reading;
    }
    read_methods(&mut reader, &mut config);
    // Of plain numbers this cannot fail.
    let mut all = serde_json::to_value(&config).unwrap_or_default();
    NUMBER_FIELDS.iter().for_each(|row| read_number_field(&mut reader, &mut all, row));
    LIST_FIELDS.iter().for_each(|row| read_list_field(&mut reader, &mut all, row));
    let mut config = to_config(&all).unwrap_or(config);
    let knobs: usize = config.methods.iter().map(|method| config.parameter_values(*method).len()).sum();
    let most = JOBS_MAX / knobs.max(1);
    if config.seeds.len() > most {
        let found = format_list(&list_at(&all, "/seeds"), true);
        config.seeds.truncate(most);
        let used: Vec<f64> = config.seeds.iter().map(|seed| f64::from(*seed)).collect();
        let allowed = format!("so few that there are up to {JOBS_MAX} jobs");
        reader.record_refusal("seeds", &found, &allowed, &format_list(&used, true));
    }
    let world = config.world.name();
    let changes = reader.finish(|key| {
        if NUMBER_FIELDS.iter().any(|row| row.key == key) {
            format!("the world {world} has no such number")
        } else {
            "there is no such key".to_owned()
        }
    });
    ParsedQuery { config, changes }
}

/// Every problem of a study that somebody typed, whose numbers may be anything: the plain form of a
/// [`FamiliesConfig`], in which what is no number at all is `null`. The fields are those of
/// [`FamiliesConfig::check`].
#[must_use]
pub fn find_problems(study: &Value) -> Vec<Problem> {
    let mut all = study.clone();
    let mut wrong: Vec<(&QueryField, String)> = Vec::new();
    let usual = |all: &Value| {
        let world = all.pointer("/world/world").and_then(Value::as_str).unwrap_or_default();
        let world = World::from_name(world).unwrap_or_default();
        serde_json::to_value(FamiliesConfig { world, ..FamiliesConfig::small() }).unwrap_or_default()
    };
    let usual = usual(study);
    let said = |value: &Value| match value {
        Value::Null => "not a number".to_owned(),
        value => value.to_string(),
    };
    // What the type has no place for gives way to something that fits, so that all else is judged too.
    let fits = |value: &Value, row: &QueryField| {
        let whole = (row.range)(&usual).whole;
        let word = |value: f64| libm::trunc(value) == value && Range::seed("").check(value).is_ok();
        value.as_f64().is_some_and(|value| !whole || word(value))
    };
    for row in &NUMBER_FIELDS {
        let Some(value) = all.pointer(row.at).filter(|value| !fits(value, row)) else { continue };
        wrong.push((row, said(value)));
        let other = usual.pointer(row.at).cloned().unwrap_or_default();
        set_at(&mut all, row.at, other);
    }
    for row in &LIST_FIELDS {
        let values = all.pointer_mut(row.at).and_then(Value::as_array_mut);
        for value in values.into_iter().flatten().filter(|value| !fits(value, row)) {
            wrong.push((row, said(value)));
            *value = json!(0);
        }
    }
    let Some(config) = to_config(&all) else {
        return vec![Problem::new("families", "something else", "a study")];
    };
    let told = wrong.iter().map(|(row, value)| {
        let range = (row.range)(&all);
        Problem::new(range.field, value.as_str(), range.describe_allowed())
    });
    let mut found: Vec<Problem> = told.collect();
    // Of a field that is told already, what stood in for it says nothing.
    let told: Vec<String> = found.iter().map(|problem| problem.field.clone()).collect();
    let more = config.check().err().map_or_else(Vec::new, |problems| problems.0);
    found.extend(more.into_iter().filter(|problem| !told.contains(&problem.field)));
    found
}
