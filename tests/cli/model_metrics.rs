//! The papers' metrics on a language model of one's own, against NumPy.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::common::json;
use crate::numpy::check;

fn golden(name: &str) -> String {
    format!("{}/tests/golden/models/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn scratch(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Standard output, or the refusal.
fn run(args: &[&str]) -> Result<String, String> {
    let found = Command::new(env!("CARGO_BIN_EXE_sfc-bench")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if found.status.success() { Ok(text(found.stdout)) } else { Err(text(found.stderr)) }
}

#[test]
fn fade_of_a_model_is_what_numpy_finds() {
    let [model, sae] = ["smollm2", "smollm2-sae"].map(golden);
    let rules =
        scratch("fade-rules.txt", "digits: class digit\ncommas: chars ,\ncode: chars { } ; =\n");
    let rules = rules.to_str().unwrap();
    let args = ["fade", "--model", &model, "--sae", &sae, "--concepts", rules, "--seed", "3"];
    let found = run(&[&args[..], &["--steer", "all", "--json"]].concat()).unwrap();
    let report = json(&found);
    assert_eq!(report["hook"], "blocks.0.hook_resid_post");
    assert_eq!((&report["latents"], &report["directions"]), (&96.into(), &96.into()));
    let file = scratch("fade-found.json", &found);
    check("check_model_fade.py", &[file.to_str().unwrap(), rules]);
    // By default only what is clear and responsive enough is steered.
    let gated = json(&run(&[&args[..], &["--json"]].concat()).unwrap());
    for row in gated["concepts"].as_array().unwrap() {
        for feature in ["latent", "random", "shuffled"].map(|kind| &row[kind]) {
            assert_eq!(feature["faithfulness"].is_null(), feature["gate"] == false, "{feature}");
        }
    }
    let table = run(&args).unwrap();
    for words in ["digits", "random direction", "shuffled labels", "by chance"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    for (more, said) in [
        (&["--texts", "50"][..], "[settings.texts]"),
        (&["--factors", "1,2"], "0 among them"),
        (&["--made", "0"], "made = 0; allowed: 1 to 100"),
        (&["--seed", "1.5"], "a whole number from 0"),
        (&["--steer", "some"], "gated, all, none"),
        (&["--hook", "blocks.9.hook_resid_post"], "[settings.hook]"),
        (&["--bad"], "[settings.bad]"),
    ] {
        let error = run(&[&args[..7], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
    let error = run(&["fade", "--model", &model]).unwrap_err();
    assert!(error.contains("the folder of an autoencoder"), "{error}");
}

#[test]
fn stories_and_questions_of_a_model_are_what_numpy_finds() {
    let [model, sae] = ["smollm2", "smollm2-sae"].map(golden);
    let args = ["ce-bench", "--model", &model, "--sae", &sae, "--seed", "5"];
    let stories = run(&[&args[..], &["--json"]].concat()).unwrap();
    let asked = ["mui", "--model", &model, "--prompts", "20", "--k", "3", "--seed", "2"];
    let questions = run(&[&asked[..], &["--json"]].concat()).unwrap();
    let files = [scratch("stories.json", &stories), scratch("questions.json", &questions)];
    check("check_model_metrics.py", &files.each_ref().map(|file| file.to_str().unwrap()));
    let table = run(&args).unwrap();
    assert!(table.contains("random directions") && table.contains("30 pairs"), "{table}");
    let table = run(&asked).unwrap();
    assert!(table.contains("agreement") && table.contains("by chance"), "{table}");

    // The data set's own pairs, as CSV and as a list.
    let csv = scratch(
        "pairs.csv",
        "story0,subject,story1,story2\nx,pets,\"A <subject>cat</subject>, once\",A <subject>dog</subject>\n",
    );
    let list = scratch(
        "pairs-list.json",
        r#"[{"story1": "A <subject>cat</subject>, once", "story2": "A <subject>dog</subject>", "subject": "pets"}]"#,
    );
    let [one, same] = [&csv, &list].map(|file| {
        let args = [&args[..], &["--stories", file.to_str().unwrap(), "--json"]].concat();
        json(&run(&args).unwrap())
    });
    assert_eq!(one, same);
    assert_eq!(one["pairs"][0]["name"], "pets");
    let wrong = scratch("wrong.csv", "a,b\n1,2\n");
    for (more, said) in [
        (&["--stories", wrong.to_str().unwrap()][..], "a header with story1 and story2"),
        (&["--pairs", "3"], "[settings.pairs]"),
        (&["--all"], "[settings.all]"),
    ] {
        let error = run(&[&args[..5], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
    for (more, said) in [
        (&["--k", "129"][..], "1 to 128"),
        (&["--prompts", "0"], "questions = 0; allowed: 1 to 1000"),
        (&["--task", "colour"], "[settings.task]"),
    ] {
        let error = run(&[&asked[..3], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
}

#[test]
fn circuits_of_a_model_are_what_numpy_finds() {
    let model = golden("smollm2");
    let args = ["measure", "circuits", &model, "--prompts", "8", "--seed", "4"];
    let files: Vec<PathBuf> = [
        ("corrupted", &["--random", "2"][..]),
        ("mean", &["--random", "1", "--fractions", "0.3"]),
        ("zero", &["--random", "1", "--fractions", "0.5,1"]),
    ]
    .into_iter()
    .map(|(ablation, more)| {
        let more = [&args[..], more, &["--ablation", ablation, "--json"]].concat();
        scratch(&format!("circuits-{ablation}.json"), &run(&more).unwrap())
    })
    .collect();
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    check("check_model_circuits.py", &files);
    let table = run(&args).unwrap();
    for words in
        ["ioi: 8 prompts", "by chance 0.500", "shuffled labels", "random, mean of 3", "no verdict"]
    {
        assert!(table.contains(words), "{words}: {table}");
    }
    let csv = run(&[&args[..], &["--csv"]].concat()).unwrap();
    assert!(csv.starts_with("task,accuracy,by chance,"), "{csv}");
    assert!(csv.lines().count() > 30, "{csv}");
    for (more, said) in [
        (&["--prompts", "3"][..], "prompts = 3; allowed: 4 to 200"),
        (&["--random", "0"], "random = 0; allowed: 1 to 20"),
        (&["--fractions", "0.5,0.1"], "fractions = 1; allowed: all of them: rising"),
        (&["--fractions", "NaN"], "fractions = 0;"),
        (&["--ablation", "some"], "corrupted, mean, zero"),
    ] {
        let error = run(&[&args[..3], more].concat()).unwrap_err();
        assert!(error.contains(said), "{more:?}: {error}");
    }
    let error = run(&["measure", "circuits", &golden("qwen3")]).unwrap_err();
    assert!(error.contains("tokenizer"), "{error}");
}
