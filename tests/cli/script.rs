//! The NumPy program that the core writes: run by Python, it finds the core's numbers.
//!
//! `PYTHON` names an interpreter that has NumPy; without it, `python3` must.

use std::process::{Command, Output};

use serde_json::Value;
use sfc_bench::papers::measurement::report::PartResult;
use sfc_bench::papers::measurement::validation::ValidationPart;
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::numpy_script;
use sfc_bench::papers::sfc::{NoProgress, Point};
use sfc_bench::papers::{ce_bench, fade, measurement, mui};
use sfc_bench::synthetic::language::Task;
use sfc_bench::{Draft, Settings};

use crate::common::{assert_close, number};
use crate::python::{interpreter, run_script};

/// Both take the singular vectors, but by other roads.
const RELATIVE: f64 = 1e-9;

/// What Python makes of a script.
fn python(script: &str, arguments: &[&str]) -> Output {
    run_script(&mut interpreter(), script, arguments)
}

/// What a script prints that ends well.
#[track_caller]
fn run(script: &str, arguments: &[&str]) -> String {
    let output = python(script, arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "is there NumPy? PYTHON names an interpreter that has it\n{complaint}\n{script}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn settings(draft: &str) -> Settings {
    let draft: Draft = serde_json::from_str(draft).expect("a draft");
    draft.parse().expect("valid settings")
}

/// Settings that differ in everything that can differ, each thing in several of them.
fn cases() -> Vec<(&'static str, Settings)> {
    [
        ("the paper", "{}"),
        ("large", r#"{"config": "large", "samples": 600, "k": 63}"#),
        ("dense, R²", r#"{"config": "dense", "fidelity": "r2", "k": 31}"#),
        ("sparse, total", r#"{"config": "sparse", "completeness": "total"}"#),
        (
            "custom",
            r#"{"inputs": 9, "hidden": 23, "outputs": 3, "circuit": 5, "k": 17, "samples": 400,
                "weight_scale": 0.7, "bias_scale": 0.25}"#,
        ),
        ("noise", r#"{"noise": 0.05, "samples": 501, "data_seed": 77, "model_seed": 4294967295}"#),
        ("centred", r#"{"centred": true, "samples": 700, "model_seed": 0}"#),
        (
            "centred, everything else",
            r#"{"centred": true, "completeness": "total", "fidelity": "rel-mse", "noise": 0.3,
                "samples": 300, "weights": [0, 2, 1], "k": 7, "levels": [0.9, 0.125, 0.9, 0]}"#,
        ),
        ("relative error", r#"{"fidelity": "rel-mse", "weights": [5, 1, 0.1], "samples": 350}"#),
        ("R², centred", r#"{"fidelity": "r2", "centred": true, "samples": 450, "k": 33}"#),
        ("fewer rows than the paper's 100", r#"{"samples": 80, "completeness_seed": 5, "k": 20}"#),
        ("fewer rows than hidden units", r#"{"samples": 40, "k": 13, "completeness": "total"}"#),
        (
            "many levels",
            r#"{"samples": 200, "k": 50, "levels": [0, 0.02, 0.04, 0.0625, 0.1, 0.12345678901,
                0.3333333333333333, 0.4, 0.44, 0.5, 0.54, 0.6, 0.64, 0.7, 0.74, 0.8, 0.84, 0.9,
                0.94, 0.96, 0.98, 0.9999999999999999]}"#,
        ),
        ("one feature", r#"{"samples": 150, "k": 1, "levels": [0], "weights": [1, 1, 0]}"#),
    ]
    .map(|(name, draft)| (name, settings(draft)))
    .into()
}

#[track_caller]
fn check_points(what: &str, found: &Value, wanted: &[Point]) {
    let found = found.as_array().expect("points");
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, p) in found.iter().zip(wanted) {
        let what = format!("{what}, λ = {}, K = {}", p.level, p.k);
        assert_eq!(number(&found["level"]).to_bits(), p.level.to_bits(), "{what}");
        assert_eq!(found["k"], p.k, "{what}");
        let pairs = [
            ("sparsity", p.sparsity),
            ("fidelity", p.fidelity),
            ("completeness", p.completeness),
            ("c_gt", p.c_gt),
            ("sfc", p.sfc),
            ("rate", p.rate),
            ("distortion", p.distortion),
        ];
        for (name, value) in pairs {
            let what = format!("{what}: {name}");
            assert_close(&what, number(&found[name]), value, RELATIVE, 0.0);
        }
    }
}

#[test]
fn numpy_finds_the_cores_numbers() {
    for (name, settings) in cases() {
        let found: Value =
            serde_json::from_str(&run(&numpy_script(&settings), &["--json"])).expect("JSON, without infinities");
        let curve = study::compute_curve(&settings, &mut NoProgress).expect("the settings run");
        check_points(name, &found["points"], &curve.points);
        let sizes = study::sweep_sizes(&settings, &mut NoProgress).expect("the settings run");
        check_points(&format!("{name}, sizes"), &found["sizes"], &sizes);
        let volume = number(&found["hypervolume"]);
        assert_close(&format!("{name}: volume"), volume, curve.hypervolume, RELATIVE, 0.0);
        let front: Vec<u64> = found["front"].as_array().unwrap().iter().map(|i| i.as_u64().unwrap()).collect();
        let wanted: Vec<u64> = curve.front.iter().map(|i| *i as u64).collect();
        assert_eq!(front, wanted, "{name}");
    }
}

#[test]
fn the_table_is_the_papers() {
    let text = run(&numpy_script(&Settings::default()), &[]);
    let widths: Vec<usize> = text.lines().take(16).map(str::len).filter(|len| *len > 0).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
    let row = text.lines().find(|line| line.trim_start().starts_with("0.850")).expect("λ = 0.85");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..7], ["0.850", "48", "0.833", "0.907", "0.988", "0.790", "0.905"]);
    assert!(text.ends_with("Hypervolume 0.8751; 8 of 8 points on the front\n"), "{text}");
}

#[test]
fn a_script_is_short_and_holds_only_what_is_needed() {
    for (name, settings) in cases() {
        let script = numpy_script(&settings);
        assert!(script.is_ascii(), "{name}");
        assert!(script.lines().count() <= 125, "{name}: {}", script.lines().count());
        assert!(script.lines().all(|line| line.len() <= 100), "{name}\n{script}");
        assert!(script.lines().all(|line| line.trim_end() == line), "{name}");
        assert_eq!(script.contains("noise"), settings.noise() > 0.0, "{name}");
        assert_eq!(script.contains("H - mean"), settings.centred(), "{name}");
        let paper = settings.completeness() == sfc_bench::CompletenessReading::Paper;
        assert_eq!(script.matches("RandomState(").count(), 2 + usize::from(paper), "{name}");
    }
    let paper = numpy_script(&Settings::default());
    assert!(paper.contains("for the paper's settings") && !paper.contains("the paper has"));
    let other = numpy_script(&settings(r#"{"k": 32, "model_seed": 7}"#));
    assert!(other.contains("K = 32  # dictionary size; the paper has 48\n"));
    assert!(other.contains("RandomState(7)  # the paper has 42\n"));
}

#[cfg(feature = "cli")]
#[test]
fn the_command_line_prints_it() {
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .args(["script", "--k", "32", "--fidelity", "r2", "--levels", "0,0.5"])
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    let wanted = settings(r#"{"k": 32, "fidelity": "r2", "levels": [0, 0.5]}"#);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), numpy_script(&wanted));
}

/// Where the toy model is.
const LITTLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/little");

#[track_caller]
fn faded(draft: &str) -> fade::Report {
    let settings = serde_json::from_str(draft).expect("valid settings");
    fade::run(&settings, &mut |_, _| {}).expect("the settings run")
}

#[track_caller]
fn ce_benched(draft: &str, others: &[&str]) -> ce_bench::Report {
    let settings = serde_json::from_str(draft).expect("valid settings");
    ce_bench::run(&settings, others, &mut |_, _| {}).expect("the settings run")
}

/// How many numbers a program compares, all of which must agree.
#[track_caller]
fn agreeing(script: &str, arguments: &[&str]) -> usize {
    let text = run(script, &[&[LITTLE], arguments].concat());
    let last = text.lines().last().unwrap_or_default();
    let count = last.split(' ').next().and_then(|word| word.parse().ok()).expect(last);
    assert!(last.starts_with(&format!("{count} of {count} numbers agree")), "{text}");
    count
}

/// A program with its first number of that name moved by 2 %, and what it says of it.
#[track_caller]
fn altered(script: &str, before: &str) -> (bool, String) {
    let at = script.find(before).expect(before) + before.len();
    let len = script[at..].find([',', ']']).expect("an end");
    let value: f64 = script[at..at + len].parse().expect("a number");
    let other = [&script[..at], &(value * 1.02).to_string(), &script[at + len..]].concat();
    let output = python(&other, &[LITTLE]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (output.status.success(), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn numpy_finds_fades_scores() {
    let small = r#"{"texts": 120, "made": 10, "continuations": 4, "factors": [-10, 0, 10],
        "sample": 60}"#;
    let report = faded(small);
    let script = fade::numpy_script(&report).expect("a shipped autoencoder");
    // Ten numbers of each feature, nine of all texts and nine of a sample, and two of all; steered, faithfulness and
    // three shares besides.
    let features = report.features.len();
    assert!(features >= 26, "{features}");
    assert_eq!(agreeing(&script, &["--steer"]), features * 32 + 2);
    let (succeeded, text) = altered(&script, "\"clarity\": ");
    assert!(!succeeded, "{text}");
    let (count, most) = (features * 28 + 1, features * 28 + 2);
    assert!(text.contains(&format!("\n{count} of {most} numbers agree")), "{text}");

    // A rater that errs draws more, and another autoencoder lies in another file.
    let report = faded(
        r#"{"sae": "random256relu", "texts": 60, "made": 5, "error": 0.2, "seed": 4294967295,
            "continuations": 1, "factors": [0], "rated": "sampled", "sample": 30, "top": 0.25, "norm": "nonzero"}"#,
    );
    let script = fade::numpy_script(&report).expect("a shipped autoencoder");
    assert_eq!(agreeing(&script, &[]), report.features.len() * 28 + 2);
}

#[test]
fn numpy_finds_ce_benchs_scores() {
    let names = ["topk256", "relu128", "random256relu", "topk256_permdec", "residual"];
    let report = ce_benched(r#"{"pairs": 20}"#, &names);
    let script = ce_bench::numpy_script(&report).expect("shipped autoencoders");
    assert_eq!(agreeing(&script, &[]), names.len() * 12);
    let (succeeded, text) = altered(&script, "\"v1_marked\": [");
    assert!(!succeeded, "{text}");
    assert!(text.contains("\n59 of 60 numbers agree"), "{text}");
}

#[track_caller]
fn mui_measured(draft: &str) -> mui::Report {
    let settings: mui::Settings = serde_json::from_str(draft).expect("valid settings");
    let mut report = mui::Report::new(settings.clone());
    report.add_checkpoint(mui::measure_checkpoint(&settings, &settings.checkpoint).expect("it is shipped"));
    report
}

#[test]
fn numpy_finds_muis_indices() {
    for draft in [
        "{}",
        r#"{"checkpoint": "ck-00750", "reading": "code", "prompts": 60}"#,
        r#"{"checkpoint": "ck-03000", "threshold": "topscore", "share": 0.8, "word": "own"}"#,
        r#"{"threshold": "top-share", "share": 0.04, "score": "activation", "prompts": 40}"#,
        r#"{"checkpoint": "ck-00000", "threshold": "global-topk", "k": 20, "prompts": 30}"#,
    ] {
        let script = mui::numpy_script(&mui_measured(draft)).expect("it is measured");
        assert_eq!(agreeing(&script, &[]), 30, "{draft}");
    }
    let script = mui::numpy_script(&mui_measured(r#"{"prompts": 30}"#)).expect("it is measured");
    let (succeeded, text) = altered(&script, "\"ioi\": [");
    assert!(!succeeded && text.contains("\n29 of 30 numbers agree"), "{text}");
    assert!(!script.contains("sae_"), "a file that is not needed");
    let nothing = mui::numpy_script(&mui::Report::new(mui::Settings::default())).unwrap_err();
    assert_eq!(nothing.field(), Some("checkpoint"));
}

#[test]
fn numpy_finds_the_circuits_of_measurement_theory() {
    let settings = measurement::Settings { n_prompts: 24, ..measurement::Settings::default() };
    let mut report = measurement::Report::new(settings);
    let nothing = measurement::numpy_script(&report).unwrap_err();
    assert_eq!(nothing.field(), Some("parts"));
    let tasks = [Task::Ioi, Task::Copy, Task::Agree, Task::Mood];
    for task in tasks {
        let part = ValidationPart::Task(task);
        let lines = part.measure(24).expect("it is shipped");
        report.parts.push(PartResult { part: part.key(), lines });
    }
    let script = measurement::numpy_script(&report).expect("it is measured");
    assert_eq!(agreeing(&script, &[]), 6 * tasks.len());
    let (succeeded, text) = altered(&script, "\"copy\": [");
    assert!(!succeeded && text.contains("\n23 of 24 numbers agree"), "{text}");
    assert!(script.is_ascii() && script.lines().all(|line| line.len() <= 100), "{script}");
    assert!(!script.contains("sae_"), "a file that is not needed");
}

#[test]
fn a_script_reads_the_files_it_knows_and_no_others() {
    let script = ce_bench::numpy_script(&ce_benched(r#"{"pairs": 2}"#, &[])).expect("shipped");
    let refused = |script: &str, folder: &str| {
        let output = python(script, &[folder]);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let absent = refused(&script, "/nowhere");
    assert!(absent.contains("ck-12000.safetensors") && absent.contains("first argument"), "{absent}");
    let other = refused(&script.replace("\"32cfc9fb", "\"32cfc9fc"), LITTLE);
    assert!(other.starts_with("ck-12000.safetensors is not the file"), "{other}");
    assert!(!script.contains("sae_controls"), "a file that is not needed");
}

#[test]
fn the_little_models_scripts_are_plain_and_hold_no_words_of_a_report() {
    let mut report = faded(r#"{"texts": 20, "made": 5, "continuations": 1, "factors": [0]}"#);
    let plain = |script: &str| {
        assert!(script.is_ascii());
        assert!(script.lines().all(|line| line.trim_end() == line && line.len() <= 100), "{script}");
        assert!(!script.contains("\n\n\n\n"), "{script}");
    };
    let script = fade::numpy_script(&report).expect("shipped");
    plain(&script);
    assert!(script.contains("{  # person, best latent\n"), "{script}");
    plain(&mui::numpy_script(&mui_measured(r#"{"prompts": 2}"#)).expect("it is measured"));
    plain(&ce_bench::numpy_script(&ce_benched(r#"{"pairs": 2}"#, &["residual"])).expect("shipped"));

    // A report may come from anywhere: what it says must not become a line of a program.
    report.features[0].concept = "person\nimport shutil".to_owned();
    report.features[0].f1 = f64::NAN;
    let script = fade::numpy_script(&report).expect("shipped");
    assert!(!script.contains("\nimport shutil") && !script.contains("NaN"), "{script}");
    report.settings.sae = "own".to_owned();
    let error = fade::numpy_script(&report).expect_err("no file holds it");
    assert_eq!((error.code(), error.field()), ("little.unknown", Some("sae")));
}

#[cfg(feature = "cli")]
#[test]
fn the_command_line_prints_the_script_of_a_study() {
    let script = |args: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
            .arg("script")
            .args(args.split(' '))
            .output()
            .expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let wanted = faded(r#"{"texts": 20, "made": 5, "continuations": 1, "factors": [-1, 0]}"#);
    let (_, found, _) = script("--study fade --texts 20 --made 5 --continuations 1 --factors -1,0");
    assert_eq!(found, fade::numpy_script(&wanted).expect("shipped"));
    let (_, found, _) = script("--study ce-bench --pairs 2 --seed 9");
    assert!(found.contains("PAIRS, SEED = 2, 9") && found.contains("\"random256\": ("), "{found}");
    let (_, found, _) = script("--study mui --prompts 8 --k 7 --checkpoint ck-06000");
    let wanted = mui_measured(r#"{"prompts": 8, "k": 7, "checkpoint": "ck-06000"}"#);
    assert_eq!(found, mui::numpy_script(&wanted).expect("it is measured"));
    let (_, found, _) = script("--study sfc --k 32");
    assert_eq!(found, numpy_script(&settings(r#"{"k": 32}"#)));
    for (args, said) in [
        ("--study fade --k 32", "k is given; allowed: no value with --study fade"),
        ("--sae relu128 --seed 4", "sae is given; allowed: no value with --study sfc"),
        ("--study fade --sae own", "allowed: that name once an autoencoder was trained here"),
        ("--study glue", "study is \"glue\"; allowed: sfc, fade, ce-bench, mui"),
        ("--study mui --pairs 2", "pairs is given; allowed: no value with --study mui"),
        ("--study mui --k 193", "k is 193; allowed: a whole number from 1 to 192"),
    ] {
        let (code, printed, refused) = script(args);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{args}");
        assert!(refused.contains(said), "{args}: {refused}");
    }
}
