//! Old links, as they were read when they were made: every one of them still opens, and says the same.
//!
//! `SFC_BENCH_LINKS=answer cargo test --test public links::` gives answers to the links that stand in
//! `tests/golden/links.json` without one, and to those alone.

use serde_json::{Map, Value, json};
use sfc_bench::Settings;
use sfc_bench::lab::evaluate::query as own;
use sfc_bench::lab::families::{FamiliesConfig, query};
use sfc_bench::link::{self, State};
use sfc_bench::settings::{ParameterDraft, Value as SetTo};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::common::json;

fn golden() -> Value {
    json(include_str!("../golden/links.json"))
}

/// What of an object is not as in another.
fn other(value: &Value, usual: &Value) -> Value {
    let (Value::Object(value), Value::Object(usual)) = (value, usual) else { return value.clone() };
    let other = value.iter().filter(|(key, value)| usual.get(*key) != Some(value));
    Value::Object(other.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// A page's link: what of its state is not usual, the settings' likewise; the changes' sentences; the
/// canonical link.
fn page(link: &str) -> Value {
    let read = link::parse(link);
    let (state, usual) = (json!(read.state), json!(State::default()));
    let mut found = other(&state, &usual);
    let paper = json!(Settings::default());
    for name in ["settings", "pin"] {
        if let Some(settings) = found.get_mut(name) {
            *settings = other(settings, &paper);
        }
    }
    json!({ "state": found, "changes": read.changes, "printed": link::to_query(&read.state) })
}

/// A study of families: likewise, next to the small preset.
fn families(link: &str) -> Value {
    let read = query::parse(link);
    let found = other(&json!(read.config), &json!(FamiliesConfig::small()));
    json!({ "state": found, "changes": read.changes, "printed": query::to_query(&read.config) })
}

/// Own files: what was read as words is now read as what they stand for, so that of the options it is
/// those that are allowed which stay, and every other is told.
#[test]
fn old_links_of_own_files_say_the_same() {
    for case in golden()["own"].as_array().expect("cases") {
        let link = link_of(case);
        let read = own::parse(link);
        let files: Map<String, Value> = read.files.iter().map(|(role, digest)| (role.clone(), json!(digest))).collect();
        // Of two files of one role the first is used now, as of two equal keys of any link.
        let twice = read.changes.iter().any(|change| change.sentence.contains("already"));
        assert!(twice || json!(files) == case["files"], "{link}");
        for field in &own::FIELDS {
            let before = case["options"][field.key].as_str();
            let now = read.options.get(field.name).map(|value| match value {
                SetTo::Word(word) => word,
                SetTo::Number(number) => number.to_string(),
                other => panic!("{other:?}"),
            });
            let same = match (before, now.as_deref()) {
                (Some(before), Some(now)) => before == now || before.parse() == now.parse::<f64>(),
                (before, now) => before.is_none() && now.is_none(),
            };
            let told = read.changes.iter().any(|change| change.key == field.key);
            assert!(same || told, "{link}: {before:?} {now:?}");
        }
        let printed = own::to_text(&read.options, &read.files).expect("a text");
        if read.changes.is_empty() {
            assert_eq!(case["printed"], printed.replace("rows:1000000000", "rows:1e9"), "{link}");
        }
    }
}

type Read = fn(&str) -> Value;
const GRAMMARS: [(&str, Read); 2] = [("page", page), ("families", families)];

fn link_of(case: &Value) -> &str {
    case["link"].as_str().expect("a link")
}

fn answer(case: &Value) -> Map<String, Value> {
    let mut answer = case.as_object().expect("a case").clone();
    answer.remove("link");
    answer
}

#[test]
fn every_old_link_still_opens_and_says_the_same() {
    let golden = golden();
    for (grammar, read) in GRAMMARS {
        let cases = golden[grammar].as_array().expect("cases");
        assert!(cases.len() > 100, "{grammar}");
        for case in cases {
            let link = link_of(case);
            let shown: String = link.chars().take(200).collect();
            assert_eq!(json!(answer(case)), read(link), "{grammar} {shown}");
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn links_without_an_answer_are_answered_on_demand() {
    if std::env::var("SFC_BENCH_LINKS").as_deref() != Ok("answer") {
        return;
    }
    let mut golden = golden();
    for (grammar, read) in GRAMMARS {
        for case in golden[grammar].as_array_mut().expect("cases") {
            if answer(case).is_empty() {
                let found = read(link_of(case));
                let case = case.as_object_mut().expect("a case");
                case.extend(found.as_object().expect("an answer").clone());
            }
        }
    }
    // A case a line.
    let grammars = golden.as_object().expect("grammars").iter().map(|(grammar, cases)| {
        let cases = cases.as_array().expect("cases").iter();
        let cases: Vec<String> = cases.map(ToString::to_string).collect();
        format!("{}:[\n{}\n]", json!(grammar), cases.join(",\n"))
    });
    let text = format!("{{\n{}\n}}\n", grammars.collect::<Vec<_>>().join(",\n"));
    let path = super::common::root().join("tests/golden/links.json");
    std::fs::write(path, text).expect("written");
}
