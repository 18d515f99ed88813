//! `sfc-bench link`: settings become a link, and a link settings; a link proves itself.

use std::process::Command;

use serde_json::Value;
use sfc_bench::link::State;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::NoProgress;
use sfc_bench::settings::{self, FieldKind, ParameterDraft, Parameters};
use sfc_bench::{Draft, Settings, link};

fn run(args: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(args).output().expect("it starts");
    let said = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn settings_become_a_link_and_a_link_settings() {
    assert_eq!(run(&["link"]), (true, "\n".to_owned()));
    let args = ["link", "--config", "large", "--k", "32", "--levels", "0,0.25,0.5,0.75"];
    let query = "v=1&net=large&k=32&levels=0..0.75x4";
    assert_eq!(run(&args), (true, format!("{query}\n")));
    let (ok, said) = run(&["link", "--open", &format!("https://example.org/page/?{query}#fig2")]);
    assert!(ok);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["state"]["settings"], serde_json::json!(link::parse(query).state.settings));
    assert_eq!(said["changes"], serde_json::json!([]));
    let (ok, said) = run(&["link", "--open", "k=700&what"]);
    assert!(ok);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["changes"].as_array().unwrap().len(), 2);
    assert!(!run(&["link", "--k", "700"]).0);
    assert!(!run(&["link", "--k", "7", "--open", "k=7"]).0);
    assert!(!run(&["link", "--check"]).0);
    assert!(!run(&["link", "--open", "k=7", "--check"]).0);
}

#[test]
fn a_link_proves_itself() {
    let settings = Draft { samples: Some(100.0), ..Draft::default() }.parse().unwrap();
    let digest = link::digest(&study::run(&settings, &mut NoProgress).unwrap());
    let (ok, query) = run(&["link", "--samples", "100", "--digest"]);
    let made = env!("CARGO_PKG_VERSION");
    assert_eq!((ok, query.trim()), (true, &*format!("v=1&n=100&digest={digest}&made={made}")));
    let check = |query: &str| -> Value {
        let (ok, said) = run(&["link", "--open", query, "--check"]);
        assert!(ok, "{said}");
        serde_json::from_str::<Value>(&said).unwrap()["check"].clone()
    };
    assert_eq!(check(query.trim())["equal"], true);
    let other = check(&query.trim().replace("n=100", "n=101"));
    assert_eq!(other["differs"], serde_json::json!(["curve", "sizes", "networks"]));
}

#[test]
fn every_row_of_the_settings_is_an_option_and_the_help_says_what_it_may_be() {
    let (ok, help) = run(&["curve", "--help"]);
    assert!(ok);
    // Wrapped to the width of a terminal.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let paper = Settings::default().draft();
    for field in Settings::FIELDS {
        assert!(help.contains(&format!("--{} ", field.flag_name())), "{}", field.name);
        assert!(help.contains(field.help), "{}: {help}", field.help);
        let (value, text) = match (field.kind, paper.get(field.name).unwrap()) {
            (FieldKind::Preset(choices) | FieldKind::Choice(choices), _) => {
                let word = choices[1].word;
                (settings::Value::Word(word.to_owned()), Some(word.to_owned()))
            }
            (FieldKind::Switch, _) => (settings::Value::Switch(true), None),
            (FieldKind::List(_), _) => (settings::Value::List(vec![0.25, 0.5]), Some("0.25,0.5".to_owned())),
            (FieldKind::Weights { .. }, _) => (settings::Value::List(vec![1.0, 2.0, 3.0]), Some("1,2,3".to_owned())),
            (_, settings::Value::Number(usual)) => {
                (settings::Value::Number(usual + 1.0), Some((usual + 1.0).to_string()))
            }
            (kind, value) => panic!("{kind:?} holds {value:?}"),
        };
        let flag = format!("--{}", field.flag_name());
        let args: Vec<&str> = ["link", &flag].into_iter().chain(text.as_deref()).collect();
        let mut draft = Draft::default();
        assert!(draft.set(field.name, value));
        let state = State { settings: draft.parse().unwrap(), ..State::default() };
        assert_eq!(run(&args), (true, link::to_query(&state) + "\n"), "{args:?}");
    }
    for said in [
        "2 to 1024 [paper: 64]",
        "1 to --hidden [paper: 48]",
        "each from 0 to below 1 [paper: 0,0.1,0.2,0.3,0.5,0.7,0.85,0.95]",
        "paper (100 rows; one variance over all their outputs together) or total (all rows;",
        "standard, large, dense, sparse or custom [paper: standard]",
    ] {
        assert!(help.contains(said), "{said}: {help}");
    }
}
