//! Results as mechval writes them: `save_results` one JSON object with `provenance`, `config` and `results`, older
//! versions the list of results alone, and `save_incremental` one result a line.
//!
//! A result has `metric_id` and `value`; `n_samples`, baselines, an interval, `faithfulness_curve`, `cpr` and `cmd`; and
//! `metadata`, in which each metric keeps what it found: the task, whether it passed, shares, curves.

mod recompute;

use std::collections::BTreeMap;

use super::by_metric::{
    MechvalResult, OwnResults, SeedMetric, measure_configurations, measure_curve, measure_d_prime, measure_groups,
    measure_runs, should_list_pairs,
};
use super::seeds::seed_from_path;
use crate::io::json::{Json, JsonNode, parse_lines};
use crate::io::{IoError, file_stem};
use crate::study::user_file::{ReportedNumber, UserFile, UserFileError};

/// Most results of all files together.
const RESULTS_MAX: usize = 100_000;
/// Names of logit differences of single prompts, with the circuit and without it.
const CLEAN_KEYS: [&str; 4] = ["clean_ld", "clean_lds", "signal_ld", "signal_lds"];
const ABLATED_KEYS: [&str; 4] = ["ablated_ld", "ablated_lds", "noise_ld", "noise_lds"];
/// Names of values of single prompts, of a whole metric.
const PER_PROMPT_KEYS: [&str; 3] = ["per_prompt", "per_example", "logit_diffs"];

/// Which results are of the same quantity.
type QuantityKey = (String, Option<String>);
/// A value as a run writes it: the file's name without the ending, the metric, the task, and the value's bits.
type WrittenValue = (String, String, Option<String>, u64);

/// Values by the name of a configuration.
type ConfigurationValues = Vec<(String, Vec<f64>)>;

/// What tells a result from others of the same quantity: the seed that it says, or how many were there before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RunId {
    Seed(u64),
    Nth(usize),
}

/// Of several runs their values, and where each is from.
#[derive(Debug, Default)]
struct QuantityRuns {
    values: BTreeMap<RunId, (Option<f64>, String)>,
    each: BTreeMap<RunId, (Vec<f64>, Option<Vec<usize>>)>,
    file: String,
}

/// Results as they come.
#[derive(Debug, Default)]
pub(super) struct ResultCollector {
    count: usize,
    runs: BTreeMap<QuantityKey, QuantityRuns>,
    /// How often each of a run's files has a value, by their name without the ending: the same are in its .json and
    /// its .jsonl.
    twins: BTreeMap<WrittenValue, BTreeMap<String, usize>>,
}

/// Whether a file is of mechval's results.
pub(super) fn is_mechval_result(json: &Json) -> bool {
    let has = |json: &Json, wanted: &str| match json {
        Json::Object(entries) => entries.iter().any(|(key, _)| key == wanted),
        _ => false,
    };
    match json {
        Json::List(values) => values.iter().any(|value| has(value, "metric_id")),
        Json::Object(entries) => {
            has(json, "metric_id")
                || entries.iter().any(|(key, value)| key == "results" && matches!(value, Json::List(_)))
        }
        _ => false,
    }
}

/// A number that may be null or none.
pub(super) fn read_number(place: &JsonNode<'_>, key: &str) -> Result<Option<f64>, IoError> {
    let said = place.get_optional(key)?.map(|found| ReportedNumber::from_json(&found)).transpose()?;
    Ok(said.and_then(ReportedNumber::finite))
}

/// True or false, or nothing.
fn read_flag(place: &JsonNode<'_>, key: &str) -> Result<Option<bool>, IoError> {
    place.get_non_null(key)?.map(|found| found.as_bool("true, false or null")).transpose()
}

/// A list of whole numbers.
fn read_counts(place: &JsonNode<'_>) -> Result<Vec<usize>, IoError> {
    let each = place.as_list("a list of whole numbers")?.iter().enumerate();
    each.map(|(at, value)| {
        let place = place.child(at, value);
        usize::try_from(place.as_count()?).map_err(|_| place.invalid_value_error("a whole number"))
    })
    .collect()
}

/// Lists in a list.
fn read_lists<'a, T>(
    place: &JsonNode<'a>,
    of: impl Fn(&JsonNode<'a>) -> Result<Vec<T>, IoError>,
) -> Result<Vec<Vec<T>>, IoError> {
    let each = place.as_list("a list of lists, one a run")?.iter().enumerate();
    each.map(|(at, value)| of(&place.child(at, value))).collect()
}

/// The first of some names that is there.
fn first_entry<'a>(place: &JsonNode<'a>, names: &[&str]) -> Result<Option<JsonNode<'a>>, IoError> {
    for name in names {
        if let Some(found) = place.get_non_null(name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Points of a curve whose thresholds are keys, by rising threshold.
fn read_points(place: &JsonNode<'_>) -> Result<(Vec<f64>, Vec<f64>), IoError> {
    let mut points = Vec::new();
    for (key, value) in place.as_object("an object of faithfulness by thresholds")? {
        let place = place.child(key, value);
        let Some(threshold) = key.parse::<f64>().ok().filter(|value| value.is_finite()) else {
            return Err(place.field_error(format!("the key {key:?}"), "a threshold as a number"));
        };
        match value {
            Json::Number(value) if value.is_finite() => points.push((threshold, *value)),
            _ => return Err(place.invalid_value_error("a finite number")),
        }
    }
    points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(points.into_iter().unzip())
}

impl ResultCollector {
    /// Takes a file of JSON: results, and what is measured anew of single prompts.
    pub fn add_json(&mut self, file: &str, json: &Json) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let whole = JsonNode::root(file, json);
        let mut given = None;
        let places: Vec<(String, JsonNode<'_>)> = if matches!(json, Json::List(_)) {
            let each = whole.as_list("a list of results")?.iter().enumerate();
            each.map(|(at, value)| (at.to_string(), whole.child(at, value))).collect()
        } else if whole.get_optional("metric_id")?.is_some() {
            vec![("the whole of it".to_owned(), whole)]
        } else {
            if let Some(config) = whole.get_non_null("config")? {
                given = config.get_non_null("seed")?.map(|place| place.as_count()).transpose()?;
            }
            let results = whole.get("results")?;
            let each = results.as_list("a list of results")?.iter().enumerate();
            each.map(|(at, value)| (format!("results.{at}"), results.child(at, value))).collect()
        };
        if places.is_empty() {
            let place = JsonNode::root(file, json);
            return Err(place.field_error("no result".to_owned(), "at least one").into());
        }
        let mut found = Vec::new();
        let mut results = Vec::with_capacity(places.len());
        for (name, place) in places {
            results.push(self.read_result(file, &name, &place, given, &mut found)?);
        }
        found.insert(0, (file.to_owned(), OwnResults::Results(results)));
        Ok(found)
    }

    /// Takes a file of lines.
    pub fn add_lines(&mut self, file: &UserFile) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let name = file.name.as_str();
        let mut found = Vec::new();
        let mut results = Vec::new();
        for line in parse_lines(name, &file.bytes) {
            let (number, json) = line?;
            let place = JsonNode::root_of_line(name, number, &json);
            let label = format!("line {number}");
            results.push(self.read_result(name, &label, &place, None, &mut found)?);
        }
        if results.is_empty() {
            let (found, allowed) = ("no line with a result", "results, one a line");
            return Err(IoError::text(name, 1, found, allowed).into());
        }
        found.insert(0, (name.to_owned(), OwnResults::Results(results)));
        Ok(found)
    }

    /// Reads a result; what is measured anew of single prompts goes to `found`.
    fn read_result(
        &mut self,
        file: &str,
        name: &str,
        place: &JsonNode<'_>,
        given: Option<u64>,
        found: &mut Vec<(String, OwnResults)>,
    ) -> Result<MechvalResult, UserFileError> {
        self.count += 1;
        if self.count > RESULTS_MAX {
            let allowed = "100,000 results in all files together";
            return Err(place.field_error("one result more".to_owned(), allowed).into());
        }
        const NULL: &Json = &Json::Null;
        let metric = place.get("metric_id")?.as_text()?.to_owned();
        if metric.is_empty() {
            return Err(place.child("metric_id", NULL).field_error("\"\"".to_owned(), "a name").into());
        }
        // A result without a value is none; one whose value is null or NaN is one that failed.
        place.get("value")?;
        let value = read_number(place, "value")?;
        let metadata = place.get_non_null("metadata")?;
        if let Some(metadata) = &metadata {
            metadata.as_object("an object")?;
        }
        let both = |key: &str| -> Result<Option<JsonNode<'_>>, IoError> {
            let inner = metadata.as_ref().map(|inner| inner.get_non_null(key)).transpose()?.flatten();
            Ok(if inner.is_some() { inner } else { place.get_non_null(key)? })
        };
        let task = both("task")?.map(|place| place.as_text().map(str::to_owned)).transpose()?;
        let said = both("seed")?.map(|place| place.as_count()).transpose()?;
        let passed = match &metadata {
            Some(inner) => read_flag(inner, "passed")?.or(read_flag(place, "passed")?),
            None => read_flag(place, "passed")?,
        };
        let seed = said.or(given).or_else(|| seed_from_path(file).map(|(seed, _)| seed));
        let n = match place.get_non_null("n_samples")? {
            Some(place) => Some(place.as_count()?),
            None => place.get_non_null("n")?.map(|place| place.as_count()).transpose()?,
        };
        let from = recompute::ResultNumbers::from_result(place, metadata.as_ref(), &metric, n)?;
        let (passed_document, passed_code) = from.passed_readings();
        let mut result = MechvalResult {
            place: name.to_owned(),
            baseline_random: read_number(place, "baseline_random")?,
            reported: from.recompute_reported(file)?,
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
            let one = measure_curve(&label, thresholds, faithfulness)?;
            found.push((label, OwnResults::Mib(one)));
        }
        if let Some(metadata) = &metadata {
            measure_prompts(&format!("{file}, {name}"), metadata, found)?;
        }
        let each = match &metadata {
            Some(inner) => match first_entry(inner, &PER_PROMPT_KEYS)? {
                Some(place) => {
                    let ids = first_entry(inner, &["prompts", "prompt_ids"])?;
                    let ids = ids.map(|place| read_counts(&place)).transpose()?;
                    Some((place.as_numbers()?, ids))
                }
                None => None,
            },
            None => None,
        };
        self.keep_value(file, &mut result, each)?;
        Ok(result)
    }

    /// Keeps a value with others of the same metric and task.
    fn keep_value(
        &mut self,
        file: &str,
        result: &mut MechvalResult,
        each: Option<(Vec<f64>, Option<Vec<usize>>)>,
    ) -> Result<(), UserFileError> {
        let bits = result.value.map_or(u64::MAX, f64::to_bits);
        let twin = (file_stem(file).to_owned(), result.metric.clone(), result.task.clone(), bits);
        let twins = self.twins.entry(twin).or_default();
        if let Some((_, left)) = twins.iter_mut().find(|(other, left)| *other != file && **left > 0) {
            *left -= 1;
            return Ok(());
        }
        *twins.entry(file.to_owned()).or_default() += 1;
        let runs = self.runs.entry((result.metric.clone(), result.task.clone())).or_default();
        if runs.file.is_empty() {
            file.clone_into(&mut runs.file);
        }
        let run = result.seed.map_or(RunId::Nth(runs.values.len()), RunId::Seed);
        let from = format!("{file}, {}", result.place);
        if let Some((_, before)) = runs.values.get(&run) {
            let task = result.task.as_deref().unwrap_or("no task");
            let seed = result.seed.unwrap_or_default();
            let what = format!("{} of {task} under seed {seed}", result.metric);
            return Err(UserFileError::duplicate(what, before, from));
        }
        runs.values.insert(run, (result.value, from));
        if let Some(each) = each {
            runs.each.insert(run, each);
        }
        Ok(())
    }

    /// What results say together: EX24 of metrics that come more than once, EX25 of those with values of single prompts.
    pub fn finish(self) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let mut found = Vec::new();
        let mut metrics: Vec<(String, SeedMetric)> = Vec::new();
        let mut by_metric: BTreeMap<String, (String, ConfigurationValues)> = BTreeMap::new();
        for ((metric, task), QuantityRuns { values, each, file }) in self.runs {
            let values: Vec<f64> = values.into_values().filter_map(|(value, _)| value).collect();
            let name = task.unwrap_or_default();
            if each.len() > 1 {
                let (lists, ids): (Vec<Vec<f64>>, Vec<Option<Vec<usize>>>) = each.into_values().unzip();
                let alike = lists.windows(2).all(|pair| match pair {
                    [a, b] => a.len() == b.len(),
                    _ => true,
                });
                let ids: Option<Vec<Vec<usize>>> = match ids.into_iter().collect() {
                    // Of as many prompts in every run, the k-th is the same one.
                    None if alike => Some(lists.iter().map(|list| (0..list.len()).collect()).collect()),
                    ids => ids,
                };
                let label = format!("{file}, {metric}, {name}");
                let one = measure_runs(&label, &lists, ids.as_deref())?;
                found.push((label, one));
            }
            let (_, configurations) = by_metric.entry(metric).or_insert((file, Vec::new()));
            if !values.is_empty() {
                configurations.push((name, values));
            }
        }
        let counts: Vec<Vec<usize>> = by_metric
            .values()
            .map(|(_, configurations)| configurations.iter().map(|(_, values)| values.len()).collect())
            .collect();
        let file = by_metric.values().next().map_or("", |(file, _)| file).to_owned();
        let listed = should_list_pairs(&file, counts.iter().map(Vec::as_slice))?;
        for (quantity, (file, configurations)) in by_metric {
            if configurations.iter().any(|(_, values)| values.len() > 1) {
                let audit = measure_configurations(&file, configurations, listed)?;
                metrics.push((file, SeedMetric { evaluation: "mechval".to_owned(), quantity, audit }));
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
fn measure_prompts(
    label: &str,
    metadata: &JsonNode<'_>,
    found: &mut Vec<(String, OwnResults)>,
) -> Result<(), UserFileError> {
    if let (Some(clean), Some(ablated)) = (first_entry(metadata, &CLEAN_KEYS)?, first_entry(metadata, &ABLATED_KEYS)?) {
        let one = measure_d_prime(label, &clean.as_numbers()?, &ablated.as_numbers()?)?;
        found.push((label.to_owned(), one));
    }
    if let Some(place) = metadata.get_non_null("group_lds")? {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, value) in place.as_object("an object of lists by the groups' names")? {
            let of = place.child(name, value).as_numbers()?;
            names.extend(std::iter::repeat_n(name.clone(), of.len()));
            values.extend(of);
        }
        let one = measure_groups(label, &names, &values)?;
        found.push((label.to_owned(), one));
    }
    if let Some(place) = first_entry(metadata, &["runs", "run_lds", "all_run_lds"])? {
        let values = read_lists(&place, JsonNode::as_numbers)?;
        let ids = first_entry(metadata, &["prompts", "prompt_ids"])?;
        let ids = ids.map(|place| read_lists(&place, read_counts)).transpose()?;
        let one = measure_runs(label, &values, ids.as_deref())?;
        found.push((label.to_owned(), one));
    }
    Ok(())
}
