//! Results that are kept in `results/`: recorded by running the program, computed again where their inputs are in the
//! repository, and checked in form where they are not.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::offline::sha256;
use crate::page_tests::build_command_line;
use crate::{package, root};

/// Where they are.
const RESULTS_FOLDER: &str = "results";
/// The form of this file's entries.
const ENTRY_FORMAT_VERSION: u32 = 1;
/// Most bytes of one entry.
const ENTRY_BYTES_MAX: u64 = 4 << 20;
/// The studies whose reports are kept: the first argument, a flag that must be among the others, and a field that
/// the report has.
const RECORDED_STUDIES: [(&str, Option<&str>, &str); 3] =
    [("evaluate", Some("--activations"), "fidelity"), ("families", None, "methods"), ("audit", Some("--own"), "own")];

#[derive(Args)]
pub struct Options {
    /// Run `sfc-bench ARGUMENTS --json` and write results/NAME.json
    #[arg(long, value_name = "NAME", requires = "arguments")]
    record: Option<String>,
    /// With --record: who made the result
    #[arg(long, value_name = "TEXT", requires = "record", default_value = "anonymous")]
    author: String,
    /// With --record: evaluate, families or audit --own, with their options
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// A file that a result was computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Its name in the arguments: a file, or a file of a folder that is named there.
    name: String,
    bytes: u64,
    sha256: String,
    /// Where it is in this repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Where else it can be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

/// A result, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    format: u32,
    /// Of sfc-bench.
    version: String,
    author: String,
    /// The settings, as the command line takes them.
    arguments: Vec<String>,
    inputs: Vec<Input>,
    /// SHA-256 of the report below as compact JSON with sorted keys.
    digest: String,
    /// What `--json` printed, without times and what depends on them.
    report: Value,
}

impl Entry {
    /// Why this is no result, where it is none.
    fn check(&self) -> Result<()> {
        ensure!(self.format == ENTRY_FORMAT_VERSION, "format is {}; allowed: {ENTRY_FORMAT_VERSION}", self.format);
        let numbers: Vec<_> = self.version.split('.').map(str::parse::<u32>).collect();
        let is_version = numbers.len() == 3 && numbers.iter().all(Result::is_ok);
        ensure!(is_version, "version is {:?}; allowed: three numbers", self.version);
        ensure!(!self.author.trim().is_empty(), "author is empty");
        let study = self.arguments.first().map_or("", String::as_str);
        let found = RECORDED_STUDIES.iter().find(|(name, ..)| *name == study);
        let (_, flag, field) = found.with_context(|| format!("{study:?}; allowed: evaluate, families, audit --own"))?;
        let has_flag = flag.is_none_or(|flag| self.arguments.iter().any(|word| word == flag));
        ensure!(has_flag, "{study} without {}", flag.unwrap_or_default());
        for argument in &self.arguments {
            // The program runs in a folder of its own and writes nothing outside of it.
            ensure!(is_contained_path(argument), "argument {argument:?}; allowed: no path out of its folder");
        }
        for input in &self.inputs {
            ensure!(is_contained_path(&input.name), "input {:?}; allowed: a name", input.name);
            let is_hash = input.sha256.len() == 64
                && input.sha256.bytes().all(|one| one.is_ascii_digit() || (b'a'..=b'f').contains(&one));
            ensure!(is_hash, "{}: sha256 is {:?}; allowed: 64 digits", input.name, input.sha256);
            let is_there = input.path.as_ref().is_none_or(|path| is_contained_path(path));
            ensure!(is_there, "{}: path leads out of the repository", input.name);
        }
        let needs_input = flag.is_some() || self.arguments.iter().any(|word| word == "--activations");
        ensure!(!needs_input || !self.inputs.is_empty(), "inputs are empty");
        ensure!(self.report.get(field).is_some(), "report has no {field}");
        let digest = digest_report(&self.report);
        ensure!(self.digest == digest, "digest is {}; the report's is {digest}", self.digest);
        Ok(())
    }

    /// Whether all inputs are in the repository.
    fn is_shipped(&self) -> bool {
        self.inputs.iter().all(|input| input.path.is_some())
    }

    /// Computes it again, in a folder that has the inputs alone.
    fn recompute(&self, program: &Path, folder: &Path) -> Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        for input in &self.inputs {
            let path = input.path.as_ref().map(|path| root().join(path)).unwrap_or_default();
            let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            ensure!(sha256(&bytes) == input.sha256, "{}: another SHA-256", path.display());
            let copy = folder.join(&input.name);
            fs::create_dir_all(copy.parent().unwrap_or(folder))?;
            fs::write(copy, bytes)?;
        }
        let report = run_program(program, &self.arguments, folder)?;
        ensure!(report == self.report, "computed again it is another report: {}", digest_report(&report));
        Ok(())
    }
}

/// A name that leads to nothing outside of the folder that it is read in.
fn is_contained_path(name: &str) -> bool {
    let value = name.split_once('=').map_or(name, |(_, value)| value);
    !value.contains('\\')
        && Path::new(value).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// A report without times and what depends on them: the same on every machine.
fn strip_times(mut report: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("seconds");
                fields.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    if report.get("own").is_some() {
        // The audit's table has costs, and follows from the values; what metrics are is no result.
        if let Some(fields) = report.as_object_mut() {
            fields.retain(|name, _| !["table", "metrics"].contains(&name.as_str()));
        }
    }
    strip(&mut report);
    report
}

fn digest_report(report: &Value) -> String {
    sha256(report.to_string().as_bytes())
}

/// Runs the program and reads what it prints.
fn run_program(program: &Path, arguments: &[String], folder: &Path) -> Result<Value> {
    let mut command = Command::new(program);
    let output = command.args(arguments).arg("--json").current_dir(folder).output();
    let output = output.with_context(|| format!("cannot start {}", program.display()))?;
    if !output.status.success() {
        bail!("sfc-bench: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let report = serde_json::from_slice(&output.stdout).context("it printed no JSON")?;
    Ok(strip_times(report))
}

/// The files that arguments name, those of folders one by one.
fn list_inputs(arguments: &[String]) -> Result<Vec<Input>> {
    let mut inputs: Vec<Input> = Vec::new();
    for argument in arguments.iter().skip(1) {
        // An array of a file is named after a colon.
        let whole = Path::new(argument);
        let name = if whole.exists() { argument } else { argument.split(':').next().unwrap_or(argument) };
        if !argument.starts_with('-') && !name.is_empty() && Path::new(name).exists() {
            add_inputs(Path::new(name), &mut inputs)?;
        }
    }
    Ok(inputs)
}

fn add_inputs(path: &Path, inputs: &mut Vec<Input>) -> Result<()> {
    if path.is_dir() {
        let mut below: Vec<PathBuf> = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        below.sort();
        return below.iter().try_for_each(|path| add_inputs(path, inputs));
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let inside = fs::canonicalize(path)?;
    let inside = inside.strip_prefix(fs::canonicalize(root())?).ok().and_then(Path::to_str);
    let name = path.to_str().context("a name that is not UTF-8")?.to_owned();
    if inputs.iter().all(|input| input.name != name) {
        inputs.push(Input {
            name,
            bytes: bytes.len() as u64,
            sha256: sha256(&bytes),
            path: inside.map(str::to_owned),
            source: None,
        });
    }
    Ok(())
}

/// Records a result, or checks all.
pub fn record_or_check(options: &Options) -> Result<()> {
    let Some(name) = &options.record else { return check_all() };
    let is_name = name.bytes().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == b'-');
    ensure!(is_name && !name.is_empty(), "{name:?}; allowed: small letters, digits and -");
    let report = run_program(&build_command_line()?, &options.arguments, &std::env::current_dir()?)?;
    let entry = Entry {
        format: ENTRY_FORMAT_VERSION,
        version: package::cargo_version()?,
        author: options.author.clone(),
        arguments: options.arguments.clone(),
        inputs: list_inputs(&options.arguments)?,
        digest: digest_report(&report),
        report,
    };
    entry.check()?;
    let path = root().join(RESULTS_FOLDER).join(format!("{name}.json"));
    fs::write(&path, format!("{}\n", serde_json::to_string_pretty(&entry)?))?;
    println!("{}: {}", path.display(), entry.digest);
    Ok(())
}

fn read_entry(path: &Path) -> Result<Entry> {
    let bytes = fs::metadata(path)?.len();
    ensure!(bytes <= ENTRY_BYTES_MAX, "{bytes} bytes; allowed: at most {ENTRY_BYTES_MAX}");
    let entry: Entry = serde_json::from_slice(&fs::read(path)?)?;
    entry.check()?;
    Ok(entry)
}

/// Every entry of the folder; the schema is none.
fn entry_paths() -> Result<Vec<PathBuf>> {
    let files = fs::read_dir(root().join(RESULTS_FOLDER))?;
    let mut paths: Vec<PathBuf> = files.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json") && !path.ends_with("schema.json"));
    paths.sort();
    Ok(paths)
}

/// Computes every result again whose inputs are here, and checks the form of the others.
pub fn check_all() -> Result<()> {
    let program = build_command_line()?;
    let work = root().join("target").join("results");
    let mut failed = 0;
    for path in entry_paths()? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let outcome = read_entry(&path).and_then(|entry| {
            let shipped = entry.is_shipped();
            if shipped {
                entry.recompute(&program, &work.join(&name))?;
            }
            Ok(if shipped { "computed again, equal" } else { "form checked; inputs are not here" })
        });
        match outcome {
            Ok(said) => println!("{name}: {said}"),
            Err(error) => {
                failed += 1;
                eprintln!("error: {name}: {error:#}");
            }
        }
    }
    ensure!(failed == 0, "{failed} results do not hold");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn any() -> Entry {
        read_entry(&entry_paths().unwrap()[0]).unwrap()
    }

    #[test]
    fn every_kept_result_has_the_form() {
        let entries = entry_paths().unwrap();
        assert!(entries.len() >= 3);
        let studies: BTreeSet<String> = entries
            .iter()
            .map(|path| read_entry(path).unwrap_or_else(|error| panic!("{}: {error:#}", path.display())))
            .map(|entry| entry.arguments[0].clone())
            .collect();
        assert_eq!(studies.len(), RECORDED_STUDIES.len());
    }

    #[test]
    fn what_is_no_result_is_refused() {
        let refused = |change: fn(&mut Entry), said: &str| {
            let mut entry = any();
            change(&mut entry);
            let error = entry.check().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        };
        refused(|entry| entry.format = 2, "format");
        refused(|entry| entry.version = "1.0".to_owned(), "version");
        refused(|entry| entry.arguments[0] = "train".to_owned(), "allowed: evaluate");
        refused(|entry| entry.arguments.push("../x".to_owned()), "no path out");
        refused(|entry| entry.arguments.push("--script=/tmp/x".to_owned()), "no path out");
        refused(|entry| entry.arguments.push("/tmp/x".to_owned()), "no path out");
        refused(|entry| entry.inputs[0].sha256 = "0".to_owned(), "sha256");
        refused(|entry| entry.inputs[0].path = Some("../x".to_owned()), "out of the repository");
        refused(|entry| entry.inputs.clear(), "inputs are empty");
        refused(|entry| entry.report = serde_json::json!({}), "report has no");
        refused(|entry| entry.report["x"] = 1.into(), "digest");
    }

    #[test]
    fn times_are_no_part_of_a_report() {
        let report = serde_json::json!({"own": [{"seconds": 1.0, "value": 2.0}], "table": 1});
        assert_eq!(strip_times(report), serde_json::json!({"own": [{"value": 2.0}]}));
    }

    #[test]
    fn the_schema_has_the_fields_that_are_read() {
        let text = fs::read_to_string(root().join(RESULTS_FOLDER).join("schema.json")).unwrap();
        let schema: Value = serde_json::from_str(&text).unwrap();
        let keys = |value: &Value| -> BTreeSet<String> { value.as_object().unwrap().keys().cloned().collect() };
        let mut entry = any();
        entry.inputs[0].path = Some("x".to_owned());
        entry.inputs[0].source = Some("x".to_owned());
        let entry = serde_json::to_value(entry).unwrap();
        assert_eq!(keys(&schema["properties"]), keys(&entry));
        let input = &schema["properties"]["inputs"]["items"];
        assert_eq!(keys(&input["properties"]), keys(&entry["inputs"][0]));
    }
}
