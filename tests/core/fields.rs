//! Every knob is one row: whatever is said of a knob is said by its row, for each of them.

use std::collections::BTreeSet;

use sfc_bench::link::{self, State};
use sfc_bench::papers::sfc::RunOrigin;
use sfc_bench::settings::{Field, FieldKind, ParameterDraft, Parameters, Value, check};
use sfc_bench::study::Origin;
use sfc_bench::{Draft, Settings};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Settings that differ from the paper's in that row, by a value that it allows.
fn changed(field: &Field) -> (Settings, Value) {
    let usual = Settings::default().draft().get(field.name).expect("a value");
    let value = match (field.kind, &usual) {
        (FieldKind::Preset(choices) | FieldKind::Choice(choices), Value::Word(usual)) => {
            let other = choices.iter().find(|choice| choice.word != usual);
            Value::Word(other.expect("another word").word.to_owned())
        }
        (FieldKind::Switch, Value::Switch(on)) => Value::Switch(!on),
        (FieldKind::List(span), _) => Value::List(vec![span.min, (span.min + span.upper_bound) / 2.0]),
        (FieldKind::Weights { axes, most, .. }, _) => {
            Value::List((0..axes.len()).map(|axis| most / (axis + 1) as f64).collect())
        }
        (_, Value::Number(usual)) => {
            let range = field.range(Some(*usual + 1.0)).expect("a range");
            Value::Number(if usual + 1.0 <= range.max { usual + 1.0 } else { usual - 1.0 })
        }
        _ => panic!("{} holds another kind", field.name),
    };
    let mut draft = Draft::default();
    assert!(draft.set(field.name, value.clone()), "{}", field.name);
    assert_eq!(draft.get(field.name), Some(value.clone()));
    let settings = check::<Settings>(&draft).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(settings.draft().get(field.name), Some(value.clone()), "{}", field.name);
    (settings, value)
}

#[test]
fn every_row_has_a_link_a_flag_a_form_field_an_attribute_and_a_part_of_a_name() {
    let paper = RunOrigin::new(&Settings::default(), None).file_name("fig1a", "svg");
    let attributes = include_str!("../../www/element/element-attributes.js");
    for field in Settings::FIELDS {
        let name = field.name;
        let (settings, _) = changed(field);
        let state = State { settings, ..State::default() };
        let query = link::to_query(&state);
        assert!(query.contains(&format!("&{}=", field.key)), "{name}: {query}");
        let read = link::parse(&query);
        assert_eq!((read.state, read.changes), (state.clone(), vec![]), "{name}");
        assert_ne!(RunOrigin::new(&state.settings, None).file_name("fig1a", "svg"), paper, "{name}");

        let letters = |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        assert!(letters(&field.flag_name()) && letters(field.key), "{name}");
        assert!(attributes.contains(&format!("'{}'", field.key)), "{name} is no attribute");
        let form = field.to_form_field();
        assert_eq!((form.name, form.key), (name, field.key));
        assert!(!form.label.is_empty() && form.help.len() > 5 && form.help.ends_with('.'));
        assert!(!form.help.ends_with(".."), "{name}");
        let worded = matches!(field.kind, FieldKind::Preset(_) | FieldKind::Choice(_));
        assert_eq!(form.options.is_empty(), !worded, "{name}");
        let numbers = !worded && field.kind != FieldKind::Switch;
        assert_eq!(form.limit.is_some(), numbers, "{name}");
    }
    let unique = |of: fn(&Field) -> String| -> usize { Settings::FIELDS.iter().map(of).collect::<BTreeSet<_>>().len() };
    let all = Settings::FIELDS.len();
    assert_eq!(all, Draft::FIELDS.len());
    for of in [
        (|field| field.name.to_owned()) as fn(&Field) -> String,
        |field| field.key.to_owned(),
        |field| field.label.to_owned(),
        |field| field.name_part.rank.to_string(),
    ] {
        assert_eq!(unique(of), all);
    }
}

#[test]
fn limits_say_what_a_value_may_be_not_how_many() {
    let limit = |name: &str| Settings::field(name).and_then(Field::limit).expect("a limit");
    let levels = limit("levels");
    assert_eq!((levels.min, levels.max, levels.whole, levels.below), (0.0, 1.0, false, true));
    assert_eq!(levels.count, Some([1, 512]));
    assert_eq!(levels.allowed, "a list of 1 to 512 numbers from 0 to below 1");
    let weights = limit("weights");
    assert_eq!((weights.min, weights.max, weights.least), (0.0, 1e9, Some(1e-9)));
    assert_eq!(weights.count, Some([3, 3]));
    assert_eq!(weights.allowed, "three numbers, each 0 or 1e-9 to 1e9, not all 0");
    let samples = limit("samples");
    assert_eq!((samples.min, samples.max, samples.whole), (2.0, 200_000.0, true));
    assert_eq!((samples.below, samples.least, samples.count), (false, None, None));
    // What a limit says is what a check does.
    for (levels, allowed) in [(vec![0.0, 0.999], true), (vec![1.0], false), (vec![0.5; 513], false)] {
        let draft = Draft { levels: Some(levels), ..Draft::default() };
        assert_eq!(draft.parse().is_ok(), allowed);
    }
    for (weight, allowed) in [(1e-9, true), (9e-10, false), (0.0, true), (1e9, true)] {
        let draft = Draft { weights: Some(vec![weight, 1.0, 1.0]), ..Draft::default() };
        assert_eq!(draft.parse().is_ok(), allowed, "{weight}");
    }
}
