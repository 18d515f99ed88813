//! What others lean on, by its names: commands and flags, parameters and their keys in links, figures, names with dots
//! (codes of refusals, readings of metrics), what the packages for JavaScript and Python export. None may go unseen;
//! `SFC_BENCH_SURFACE=write cargo test --test cli surface` writes down the new ones.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sfc_bench::lab::{audit, evaluate, synth};
use sfc_bench::papers::{ce_bench, fade, measurement, mui, sfc};
use sfc_bench::settings::{Field, Parameters};
use sfc_bench::studies;

const RECORDED: &str = "tests/golden/surface.txt";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What a command says of itself.
fn help(command: &[String]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sfc-bench"));
    let output = program.args(command).arg("--help").output().unwrap();
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A command's flags, and those of the commands below it, a line each.
fn commands(command: &[String], lines: &mut BTreeSet<String>) {
    let text = help(command);
    let name = command.join(" ");
    lines.insert(format!("command {name}").trim_end().to_owned());
    let mut below = false;
    for line in text.lines() {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        if indent == 0 {
            below = line == "Commands:";
        } else if below && indent == 2 {
            let word = words.split(' ').next().unwrap();
            if word != "help" {
                let mut command = command.to_vec();
                command.push(word.to_owned());
                commands(&command, lines);
            }
        } else if indent <= 6 && words.starts_with('-') {
            let flags = words.split([' ', ',', '[', '.']).filter(|word| word.starts_with("--"));
            let flags = flags.filter(|flag| *flag != "--help");
            lines.extend(flags.map(|flag| format!("flag {name} {flag}")));
        }
    }
}

/// A study's parameters: their names, and their keys in links.
fn parameters(study: &str, fields: &[Field], lines: &mut BTreeSet<String>) {
    lines.extend(fields.iter().map(|field| format!("parameter {study} {} {}", field.name, field.key)));
}

/// All files below a folder that end so.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

/// Names such as `audit.own.seeds` between quotes in the sources: codes of refusals, readings of metrics, hooks.
fn codes() -> BTreeSet<String> {
    let mut sources = Vec::new();
    files(&root().join("src"), ".rs", &mut sources);
    files(&root().join("crates/foundations/src"), ".rs", &mut sources);
    files(&root().join("python/src"), ".rs", &mut sources);
    // Files and tensors are named with dots, too.
    const OTHERS: [&str; 17] = [
        "bias",
        "bib",
        "bin",
        "csv",
        "gguf",
        "index",
        "json",
        "jsonl",
        "npy",
        "npz",
        "pkl",
        "pt",
        "py",
        "safetensors",
        "txt",
        "weight",
        "xml",
    ];
    let is_code = |text: &&str| {
        let parts: Vec<_> = text.split('.').collect();
        if parts.iter().any(|part| OTHERS.contains(part)) {
            return false;
        }
        let word = |part: &&str| {
            part.starts_with(|one: char| one.is_ascii_lowercase())
                && part.bytes().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == b'_')
        };
        (2..=4).contains(&parts.len()) && parts.iter().all(word)
    };
    // What other tools call their tensors, keys and classes is their promise, not ours.
    const OF_OTHERS: [&str; 5] = ["sae/layout", "model/decoder", "io/pt", "io/gguf.rs", "io/pt.rs"];
    let foundations = root().join("crates/foundations/src");
    let of_others = |path: &Path| OF_OTHERS.iter().any(|place| path.starts_with(foundations.join(place)));
    let mut codes = BTreeSet::new();
    for path in sources.into_iter().filter(|path: &PathBuf| !of_others(path)) {
        let text = fs::read_to_string(path).unwrap();
        codes.extend(text.split('"').filter(is_code).map(str::to_owned));
    }
    codes
}

/// What the package for JavaScript exports: `export function name`, `export const { name, … }`.
fn exported() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut sources = Vec::new();
    files(&root().join("www/types"), ".d.ts", &mut sources);
    files(&root().join("www/package"), ".js", &mut sources);
    for path in sources {
        if path.ends_with("core.d.ts") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for statement in text.split("\nexport ") {
            let list = statement.trim_start_matches("declare ").strip_prefix("const {");
            let list = list.and_then(|list| list.split_once('}')).map_or("", |(list, _)| list);
            let listed = list.split(',').map(str::trim).filter(|name| !name.is_empty());
            names.extend(listed.map(str::to_owned));
        }
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("export ") else { continue };
            let mut words = rest.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
            let kind = words.find(|word| !["async", "declare", "default"].contains(word)).unwrap();
            if ["function", "class", "const", "interface", "type"].contains(&kind) {
                names.extend(words.find(|word| !word.is_empty()).map(str::to_owned));
            }
        }
    }
    names
}

/// What `import sfc_bench` brings.
fn python() -> Vec<String> {
    let text = fs::read_to_string(root().join("python/sfc_bench/__init__.py")).unwrap();
    let (_, list) = text.split_once("__all__ = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

fn surface() -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    commands(&[], &mut lines);
    parameters("sfc", sfc::Settings::FIELDS, &mut lines);
    parameters("fade", fade::Settings::FIELDS, &mut lines);
    parameters("ce-bench", ce_bench::Settings::FIELDS, &mut lines);
    parameters("mui", mui::Settings::FIELDS, &mut lines);
    parameters("measurement", measurement::Settings::FIELDS, &mut lines);
    parameters("audit", audit::Settings::FIELDS, &mut lines);
    parameters("synth", synth::Settings::FIELDS, &mut lines);
    parameters("own", &evaluate::query::FIELDS, &mut lines);
    let figure = |row: studies::StudyFigure| format!("figure {} {} {}", row.study, row.figure.id, row.figure.name);
    lines.extend(studies::all_figures().into_iter().map(figure));
    lines.extend(codes().into_iter().map(|code| format!("code {code}")));
    lines.extend(exported().into_iter().map(|name| format!("export {name}")));
    lines.extend(python().into_iter().map(|name| format!("python {name}")));
    lines
}

#[test]
fn no_name_that_others_lean_on_has_gone() {
    let found = surface();
    let path = root().join(RECORDED);
    if std::env::var("SFC_BENCH_SURFACE").is_ok_and(|word| word == "write") {
        let text = found.iter().fold(String::new(), |mut text, line| {
            writeln!(text, "{line}").unwrap();
            text
        });
        fs::write(&path, text).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap();
    let recorded: BTreeSet<_> = recorded.lines().map(str::to_owned).collect();
    for kind in ["command ", "flag ", "parameter ", "figure ", "code ", "export ", "python "] {
        let count = recorded.iter().filter(|line| line.starts_with(kind)).count();
        assert!(count >= 20, "{count} names of the kind {kind}");
    }
    let gone: Vec<_> = recorded.difference(&found).collect();
    assert!(gone.is_empty(), "these names have gone: {gone:#?}");
    let new: Vec<_> = found.difference(&recorded).collect();
    assert!(new.is_empty(), "write these names down: {new:#?}");
}
