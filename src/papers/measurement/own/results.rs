//! Results as mechval writes them: `save_results` one JSON object with `provenance`, `config` and `results`, older
//! versions the list of results alone, and `save_incremental` one result a line.
//!
//! A result has `metric_id` and `value`; `n_samples`, baselines, an interval, `faithfulness_curve`, `cpr` and `cmd`; and
//! `metadata`, in which each metric keeps what it found: the task, whether it passed, shares, curves.

mod recompute;

use std::collections::BTreeMap;

use super::measured::{
    OwnResult, OwnResults, SeedMetric, audit, curve, groups, listed, runs, signals,
};
use super::seeds::seed;
use crate::io::json::{Json, Place, lines};
use crate::io::{IoError, stem};
use crate::study::user_file::{ReportedNumber, UserFile, UserFileError};

/// Most results of all files together.
const RESULTS_MAX: usize = 100_000;
/// Names of logit differences of single prompts, with the circuit and without it.
const CLEAN: [&str; 4] = ["clean_ld", "clean_lds", "signal_ld", "signal_lds"];
const ABLATED: [&str; 4] = ["ablated_ld", "ablated_lds", "noise_ld", "noise_lds"];
/// Names of values of single prompts, of a whole metric.
const EACH: [&str; 3] = ["per_prompt", "per_example", "logit_diffs"];

/// Which results are of the same quantity.
type Key = (String, Option<String>);
/// A value as a run writes it: the file's name without the ending, the metric, the task, and the value's bits.
type Written = (String, String, Option<String>, u64);

/// Values by the name of a configuration.
type Configurations = Vec<(String, Vec<f64>)>;

/// What tells a result from others of the same quantity: the seed that it says, or how many were there before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    Seed(u64),
    Nth(usize),
}

/// Of several runs their values, and where each is from.
#[derive(Debug, Default)]
struct Runs {
    values: BTreeMap<Run, (Option<f64>, String)>,
    each: BTreeMap<Run, (Vec<f64>, Option<Vec<usize>>)>,
    file: String,
}

/// Results as they come.
#[derive(Debug, Default)]
pub(super) struct Results {
    count: usize,
    runs: BTreeMap<Key, Runs>,
    /// How often each of a run's files has a value, by their name without the ending: the same are in its .json and
    /// its .jsonl.
    twins: BTreeMap<Written, BTreeMap<String, usize>>,
}

/// Whether a file is of mechval's results.
pub(super) fn holds_results(json: &Json) -> bool {
    let has = |json: &Json, wanted: &str| match json {
        Json::Object(entries) => entries.iter().any(|(key, _)| key == wanted),
        _ => false,
    };
    match json {
        Json::List(values) => values.iter().any(|value| has(value, "metric_id")),
        Json::Object(entries) => {
            has(json, "metric_id")
                || entries
                    .iter()
                    .any(|(key, value)| key == "results" && matches!(value, Json::List(_)))
        }
        _ => false,
    }
}

/// A number that may be null or none.
pub(super) fn number(place: &Place<'_>, key: &str) -> Result<Option<f64>, IoError> {
    let said = place.maybe(key)?.map(|found| ReportedNumber::of(&found)).transpose()?;
    Ok(said.and_then(ReportedNumber::finite))
}

/// True or false, or nothing.
fn flag(place: &Place<'_>, key: &str) -> Result<Option<bool>, IoError> {
    place.non_null(key)?.map(|found| found.flag("true, false or null")).transpose()
}

/// A list of whole numbers.
fn counts(place: &Place<'_>) -> Result<Vec<usize>, IoError> {
    let each = place.list("a list of whole numbers")?.iter().enumerate();
    each.map(|(at, value)| {
        let place = place.at(at, value);
        usize::try_from(place.count()?).map_err(|_| place.refusal("a whole number"))
    })
    .collect()
}

/// Lists in a list.
fn lists<'a, T>(
    place: &Place<'a>,
    of: impl Fn(&Place<'a>) -> Result<Vec<T>, IoError>,
) -> Result<Vec<Vec<T>>, IoError> {
    let each = place.list("a list of lists, one a run")?.iter().enumerate();
    each.map(|(at, value)| of(&place.at(at, value))).collect()
}

/// The first of some names that is there.
fn first<'a>(place: &Place<'a>, names: &[&str]) -> Result<Option<Place<'a>>, IoError> {
    for name in names {
        if let Some(found) = place.non_null(name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Points of a curve whose thresholds are keys, by rising threshold.
fn points(place: &Place<'_>) -> Result<(Vec<f64>, Vec<f64>), IoError> {
    let mut points = Vec::new();
    for (key, value) in place.object("an object of faithfulness by thresholds")? {
        let place = place.at(key, value);
        let Some(threshold) = key.parse::<f64>().ok().filter(|value| value.is_finite()) else {
            return Err(place.refusal_of(format!("the key {key:?}"), "a threshold as a number"));
        };
        match value {
            Json::Number(value) if value.is_finite() => points.push((threshold, *value)),
            _ => return Err(place.refusal("a finite number")),
        }
    }
    points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(points.into_iter().unzip())
}

impl Results {
    /// Takes a file of JSON: results, and what is measured anew of single prompts.
    pub fn take(
        &mut self,
        file: &str,
        json: &Json,
    ) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let whole = Place::whole(file, json);
        let mut given = None;
        let places: Vec<(String, Place<'_>)> = if matches!(json, Json::List(_)) {
            let each = whole.list("a list of results")?.iter().enumerate();
            each.map(|(at, value)| (at.to_string(), whole.at(at, value))).collect()
        } else if whole.maybe("metric_id")?.is_some() {
            vec![("the whole of it".to_owned(), whole)]
        } else {
            if let Some(config) = whole.non_null("config")? {
                given = config.non_null("seed")?.map(|place| place.count()).transpose()?;
            }
            let results = whole.get("results")?;
            let each = results.list("a list of results")?.iter().enumerate();
            each.map(|(at, value)| (format!("results.{at}"), results.at(at, value))).collect()
        };
        if places.is_empty() {
            let place = Place::whole(file, json);
            return Err(place.refusal_of("no result".to_owned(), "at least one").into());
        }
        let mut found = Vec::new();
        let mut results = Vec::with_capacity(places.len());
        for (name, place) in places {
            results.push(self.result(file, &name, &place, given, &mut found)?);
        }
        found.insert(0, (file.to_owned(), OwnResults::Results(results)));
        Ok(found)
    }

    /// Takes a file of lines.
    pub fn take_lines(
        &mut self,
        file: &UserFile,
    ) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let name = file.name.as_str();
        let mut found = Vec::new();
        let mut results = Vec::new();
        for line in lines(name, &file.bytes) {
            let (number, json) = line?;
            let place = Place::line(name, number, &json);
            let label = format!("line {number}");
            results.push(self.result(name, &label, &place, None, &mut found)?);
        }
        if results.is_empty() {
            let (found, allowed) = ("no line with a result", "results, one a line");
            return Err(IoError::text(name, 1, found, allowed).into());
        }
        found.insert(0, (name.to_owned(), OwnResults::Results(results)));
        Ok(found)
    }

    /// Reads a result; what is measured anew of single prompts goes to `found`.
    fn result(
        &mut self,
        file: &str,
        name: &str,
        place: &Place<'_>,
        given: Option<u64>,
        found: &mut Vec<(String, OwnResults)>,
    ) -> Result<OwnResult, UserFileError> {
        self.count += 1;
        if self.count > RESULTS_MAX {
            let allowed = "100,000 results in all files together";
            return Err(place.refusal_of("one result more".to_owned(), allowed).into());
        }
        const NOTHING: &Json = &Json::Null;
        let metric = place.get("metric_id")?.text()?.to_owned();
        if metric.is_empty() {
            return Err(place
                .at("metric_id", NOTHING)
                .refusal_of("\"\"".to_owned(), "a name")
                .into());
        }
        // A result without a value is none; one whose value is null or NaN is one that failed.
        place.get("value")?;
        let value = number(place, "value")?;
        let metadata = place.non_null("metadata")?;
        if let Some(metadata) = &metadata {
            metadata.object("an object")?;
        }
        let both = |key: &str| -> Result<Option<Place<'_>>, IoError> {
            let inner = metadata.as_ref().map(|inner| inner.non_null(key)).transpose()?.flatten();
            Ok(if inner.is_some() { inner } else { place.non_null(key)? })
        };
        let task = both("task")?.map(|place| place.text().map(str::to_owned)).transpose()?;
        let said = both("seed")?.map(|place| place.count()).transpose()?;
        let passed = match &metadata {
            Some(inner) => flag(inner, "passed")?.or(flag(place, "passed")?),
            None => flag(place, "passed")?,
        };
        let seed = said.or(given).or_else(|| seed(file).map(|(seed, _)| seed));
        let n = match place.non_null("n_samples")? {
            Some(place) => Some(place.count()?),
            None => place.non_null("n")?.map(|place| place.count()).transpose()?,
        };
        let from = recompute::Numbers::of(place, metadata.as_ref(), &metric, n)?;
        let (passed_document, passed_code) = from.passes();
        let mut result = OwnResult {
            place: name.to_owned(),
            baseline_random: number(place, "baseline_random")?,
            reported: from.reported(file)?,
            metric,
            task,
            seed,
            value,
            n,
            passed,
            passed_document,
            passed_code,
        };
        if let Some((thresholds, faithfulness)) = from.curve {
            let label = format!("{file}, {name}");
            let one = curve(&label, thresholds, faithfulness)?;
            found.push((label, OwnResults::Mib(one)));
        }
        if let Some(metadata) = &metadata {
            single(&format!("{file}, {name}"), metadata, found)?;
        }
        let each = match &metadata {
            Some(inner) => match first(inner, &EACH)? {
                Some(place) => {
                    let ids = first(inner, &["prompts", "prompt_ids"])?;
                    let ids = ids.map(|place| counts(&place)).transpose()?;
                    Some((place.numbers()?, ids))
                }
                None => None,
            },
            None => None,
        };
        self.keep(file, &mut result, each)?;
        Ok(result)
    }

    /// Keeps a value with others of the same metric and task.
    fn keep(
        &mut self,
        file: &str,
        result: &mut OwnResult,
        each: Option<(Vec<f64>, Option<Vec<usize>>)>,
    ) -> Result<(), UserFileError> {
        let bits = result.value.map_or(u64::MAX, f64::to_bits);
        let twin = (stem(file).to_owned(), result.metric.clone(), result.task.clone(), bits);
        let twins = self.twins.entry(twin).or_default();
        if let Some((_, left)) = twins.iter_mut().find(|(other, left)| *other != file && **left > 0)
        {
            *left -= 1;
            return Ok(());
        }
        *twins.entry(file.to_owned()).or_default() += 1;
        let runs = self.runs.entry((result.metric.clone(), result.task.clone())).or_default();
        if runs.file.is_empty() {
            file.clone_into(&mut runs.file);
        }
        let run = result.seed.map_or(Run::Nth(runs.values.len()), Run::Seed);
        let from = format!("{file}, {}", result.place);
        if let Some((_, before)) = runs.values.get(&run) {
            let task = result.task.as_deref().unwrap_or("no task");
            let seed = result.seed.unwrap_or_default();
            let what = format!("{} of {task} under seed {seed}", result.metric);
            return Err(UserFileError::twice(what, before, from));
        }
        runs.values.insert(run, (result.value, from));
        if let Some(each) = each {
            runs.each.insert(run, each);
        }
        Ok(())
    }

    /// What results say together: EX24 of metrics that come more than once, EX25 of those with values of single prompts.
    pub fn found(self) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let mut found = Vec::new();
        let mut metrics: Vec<(String, SeedMetric)> = Vec::new();
        let mut by_metric: BTreeMap<String, (String, Configurations)> = BTreeMap::new();
        for ((metric, task), Runs { values, each, file }) in self.runs {
            let values: Vec<f64> = values.into_values().filter_map(|(value, _)| value).collect();
            let name = task.unwrap_or_default();
            if each.len() > 1 {
                let (lists, ids): (Vec<Vec<f64>>, Vec<Option<Vec<usize>>>) =
                    each.into_values().unzip();
                let alike = lists.windows(2).all(|pair| match pair {
                    [a, b] => a.len() == b.len(),
                    _ => true,
                });
                let ids: Option<Vec<Vec<usize>>> = match ids.into_iter().collect() {
                    // Of as many prompts in every run, the k-th is the same one.
                    None if alike => {
                        Some(lists.iter().map(|list| (0..list.len()).collect()).collect())
                    }
                    ids => ids,
                };
                let label = format!("{file}, {metric}, {name}");
                let one = runs(&label, &lists, ids.as_deref())?;
                found.push((label, one));
            }
            let (_, configurations) = by_metric.entry(metric).or_insert((file, Vec::new()));
            if !values.is_empty() {
                configurations.push((name, values));
            }
        }
        let counts: Vec<Vec<usize>> = by_metric
            .values()
            .map(|(_, configurations)| {
                configurations.iter().map(|(_, values)| values.len()).collect()
            })
            .collect();
        let file = by_metric.values().next().map_or("", |(file, _)| file).to_owned();
        let listed = listed(&file, counts.iter().map(Vec::as_slice))?;
        for (quantity, (file, configurations)) in by_metric {
            if configurations.iter().any(|(_, values)| values.len() > 1) {
                let audit = audit(&file, configurations, listed)?;
                metrics
                    .push((file, SeedMetric { evaluation: "mechval".to_owned(), quantity, audit }));
            }
        }
        if let Some((file, _)) = metrics.first() {
            let file = file.clone();
            let metrics = metrics.into_iter().map(|(_, metric)| metric).collect();
            found.push((file, OwnResults::Seeds(metrics)));
        }
        Ok(found)
    }
}

/// EX1, EX2 and EX25 of values of single prompts, where a result has them.
fn single(
    label: &str,
    metadata: &Place<'_>,
    found: &mut Vec<(String, OwnResults)>,
) -> Result<(), UserFileError> {
    if let (Some(clean), Some(ablated)) = (first(metadata, &CLEAN)?, first(metadata, &ABLATED)?) {
        let one = signals(label, &clean.numbers()?, &ablated.numbers()?)?;
        found.push((label.to_owned(), one));
    }
    if let Some(place) = metadata.non_null("group_lds")? {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, value) in place.object("an object of lists by the groups' names")? {
            let of = place.at(name, value).numbers()?;
            names.extend(std::iter::repeat_n(name.clone(), of.len()));
            values.extend(of);
        }
        let one = groups(label, &names, &values)?;
        found.push((label.to_owned(), one));
    }
    if let Some(place) = first(metadata, &["runs", "run_lds", "all_run_lds"])? {
        let values = lists(&place, Place::numbers)?;
        let ids = first(metadata, &["prompts", "prompt_ids"])?;
        let ids = ids.map(|place| lists(&place, counts)).transpose()?;
        let one = runs(label, &values, ids.as_deref())?;
        found.push((label.to_owned(), one));
    }
    Ok(())
}
