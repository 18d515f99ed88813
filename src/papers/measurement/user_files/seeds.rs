//! Results of SAEBench under several seeds, as its reliability audit leaves them: the same tree of files in a folder
//! `seed_<n>` for each.

use std::collections::BTreeMap;

use super::by_metric::{SeedMetric, measure_configurations, should_list_pairs};
use crate::io::json::{Json, JsonNode};
use crate::study::user_file::UserFileError;

/// Most numbers of all results together.
const NUMBERS_MAX: usize = 1_000_000;
/// What SAEBench writes in place of a number that it did not measure.
const NOT_MEASURED: f64 = -1.0;

/// Numbers by evaluation and name, then by configuration, then by seed.
type SeedNumbers = BTreeMap<(String, String), BTreeMap<String, BTreeMap<u64, f64>>>;

/// Results as they come.
#[derive(Debug, Default)]
pub(super) struct SeedCollector {
    /// Files by evaluation, configuration and seed.
    files: BTreeMap<(String, String, u64), String>,
    numbers: SeedNumbers,
    count: usize,
}

/// Whether a file is a result of SAEBench.
pub(super) fn is_saebench_result(json: &Json) -> bool {
    matches!(json, Json::Object(entries) if entries.iter().any(|(key, _)| key == "eval_result_metrics"))
}

/// The seed that a file's folders or its name say, and what is left of them.
pub(crate) fn seed_from_path(file: &str) -> Option<(u64, String)> {
    let parts: Vec<&str> = file.split(['/', '\\']).collect();
    let of = |part: &str| part.strip_prefix("seed_")?.parse::<u64>().ok();
    // The one that stands next to the file: those above it are somebody's, for all of their results.
    let mut inner = parts.iter().enumerate().rev();
    let (at, seed) = inner.find_map(|(at, part)| Some((at, of(part)?)))?;
    let rest = parts.get(at + 1..).filter(|rest| !rest.is_empty())?;
    Some((seed, rest.join("/")))
}

impl SeedCollector {
    /// Takes a file.
    pub fn add_json(&mut self, file: &str, json: &Json) -> Result<(), UserFileError> {
        let whole = JsonNode::root(file, json);
        let Some((seed, configuration)) = seed_from_path(file) else {
            let allowed = "a folder seed_<number> above the file";
            return Err(UserFileError::value(file, "folder", "none that tells a seed", allowed));
        };
        let evaluation = match whole.get_optional("eval_type_id")? {
            Some(place) => place.as_text()?.to_owned(),
            None => String::new(),
        };
        let key = (evaluation.clone(), configuration.clone(), seed);
        if let Some(first) = self.files.insert(key, file.to_owned()) {
            let what = format!("{evaluation} {configuration} under seed {seed}");
            return Err(UserFileError::duplicate(what, first, file));
        }
        let metrics = whole.get("eval_result_metrics")?;
        for (group, value) in metrics.as_object("an object of numbers in groups")? {
            let place = metrics.child(group, value);
            for (name, value) in place.as_object("an object of numbers")? {
                // What is no number, or was not measured, is nothing to compare.
                let Json::Number(number) = value else { continue };
                if !number.is_finite() {
                    continue;
                }
                self.count += 1;
                if self.count > NUMBERS_MAX {
                    let allowed = "1,000,000 numbers in all results together";
                    return Err(place.field_error("one number more".to_owned(), allowed).into());
                }
                let by_configuration = self.numbers.entry((evaluation.clone(), format!("{group}.{name}"))).or_default();
                if *number == NOT_MEASURED {
                    continue;
                }
                let by_seed = by_configuration.entry(configuration.clone()).or_default();
                if by_seed.insert(seed, *number).is_some() {
                    let place = place.child(name, value);
                    return Err(place.field_error("there twice".to_owned(), "there once").into());
                }
            }
        }
        Ok(())
    }

    /// What is found of all; none where no file was taken.
    pub fn finish(self) -> Result<Option<(String, Vec<SeedMetric>)>, UserFileError> {
        let Some(file) = self.files.values().next().cloned() else { return Ok(None) };
        let counts: Vec<Vec<usize>> =
            self.numbers.values().map(|configurations| configurations.values().map(BTreeMap::len).collect()).collect();
        let listed = should_list_pairs(&file, counts.iter().map(Vec::as_slice))?;
        let each = self.numbers.into_iter().map(|((evaluation, quantity), configurations)| {
            let values = configurations.into_iter();
            let values = values.map(|(name, seeds)| (name, seeds.into_values().collect())).collect();
            Ok(SeedMetric { evaluation, quantity, audit: measure_configurations(&file, values, listed)? })
        });
        let found = each.collect::<Result<Vec<_>, UserFileError>>()?;
        if found.is_empty() {
            let field = "eval_result_metrics";
            return Err(UserFileError::value(file, field, "no number", "numbers in groups"));
        }
        Ok(Some((file, found)))
    }
}
