//! `sfc-bench link`: settings become a link, and a link settings; a link proves itself.

use std::process::Command;

use serde_json::Value;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::Silent;
use sfc_bench::{Draft, link};

fn run(args: &[&str]) -> (bool, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(args).output().expect("it starts");
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
    let digest = link::digest(&study::run(&settings, &mut Silent).unwrap());
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
