//! Files of a reader's own, from their bytes to what the metrics say of them.

use std::collections::BTreeMap;

use super::by_metric::{
    OwnResults, check_compared_count, group_values, measure_configurations, measure_curve, measure_d_prime,
    measure_groups, measure_runs,
};
use super::decomposition;
use super::graph::OwnGraph;
use super::results::{ResultCollector, is_mechval_result};
use super::seeds::{SeedCollector, is_saebench_result};
use super::table::CsvTable;
use super::tools::{ToolCollector, has_neuronpedia_records, is_tool_file};
use crate::io::describe_non_text;
use crate::io::json::{Json, parse};
use crate::study::user_file::{ArrayReader, UserArray, UserFile, UserFileError, check_sizes};

/// What may be given.
const ALLOWED_FILES: &str = ".csv with a header: clean and ablated; group and value; seed, configuration and value; run, prompt \
    and value; or threshold and faithfulness. .npy, .npz or .safetensors of arrays clean and ablated, values and groups, \
    scores (seeds × configurations), runs (runs × prompts), thresholds and faithfulness; of two autoencoders \
    a_activations, a_decoder, b_activations, b_decoder and, for the text's reading, a_encoder and b_encoder; of a small and a \
    large one small_activations, large_activations and large_decoder; of one activations and residual, decoder. .json of a circuit with cfg and \
    edges, of MIB's faithfulnesses, of SAEBench's results in a folder seed_<number>, of mechval's results, of delphi's scores \
    (.txt, too), or of Neuronpedia's latents; .jsonl of mechval's results or of Neuronpedia's records, one a line";
/// What JSON may be.
const ALLOWED_JSON: &str = "a circuit with cfg and edges; MIB's results with faithfulnesses; SAEBench's results with \
    eval_result_metrics in a folder seed_<number>; mechval's results; delphi's scores; Neuronpedia's latents and explanations";
/// What a pickle is to be made of first.
const PICKLE_ADVICE: &str = "the same as JSON: json.dump(pickle.load(open(\"x.pkl\", \"rb\")), open(\"x.json\", \"w\")) writes MIB's \
    results, where their file is trusted";
/// What a text may be.
const ALLOWED_TEXT: &str = "delphi's scores of a latent, a list of examples in JSON";
/// Formats that are read.
const FILE_FORMATS: &str = ".csv, .npy, .npz, .safetensors, .json, .jsonl or .txt";
/// What a table is, by its header.
fn measure_table(file: &UserFile) -> Result<OwnResults, UserFileError> {
    let table = CsvTable::parse(file, ALLOWED_FILES)?;
    let name = file.name.as_str();
    let clean = table.find_column(&["clean", "cleanld", "signal", "signalld"]);
    let ablated = table.find_column(&["ablated", "ablatedld", "noise", "noiseld"]);
    let value = table.find_column(&["value", "ld", "logitdiff", "logitdifference", "score", "metric"]);
    let group = table.find_column(&["group", "namegroup"]);
    let configuration = table.find_column(&["configuration", "config", "sae"]);
    let (seed, run) = (table.find_column(&["seed"]), table.find_column(&["run"]));
    let prompt = table.find_column(&["prompt", "promptid"]);
    let threshold = table.find_column(&["threshold", "share", "t"]);
    let faithfulness = table.find_column(&["faithfulness", "faith"]);
    if let (Some(clean), Some(ablated)) = (clean, ablated) {
        let clean = table.parse_numbers(clean, "clean")?;
        return measure_d_prime(name, &clean, &table.parse_numbers(ablated, "ablated")?);
    }
    if let (Some(threshold), Some(faithfulness)) = (threshold, faithfulness) {
        let thresholds = table.parse_numbers(threshold, "threshold")?;
        let found = measure_curve(name, thresholds, table.parse_numbers(faithfulness, "faithfulness")?);
        return found.map(OwnResults::Mib);
    }
    let Some(value) = value else {
        return Err(table.cell_error(1, "header", table.header(), ALLOWED_FILES));
    };
    let values = table.parse_numbers(value, "value")?;
    if let (Some(run), Some(prompt)) = (run, prompt) {
        let (run, prompt) = (table.parse_names(run, "run")?, table.parse_names(prompt, "prompt")?);
        // A prompt's number is its place among the prompts' names.
        let mut names: Vec<&String> = prompt.iter().collect();
        names.sort_unstable();
        names.dedup();
        let number = |name: &String| names.binary_search(&name).unwrap_or_default() as f64;
        let numbers: Vec<f64> = prompt.iter().map(number).collect();
        let values: Vec<Vec<f64>> = group_values(&run, &values).into_iter().map(|(_, run)| run).collect();
        let prompts = group_values(&run, &numbers).into_iter();
        let prompts = prompts.map(|(_, run)| run.into_iter().map(|at| at as usize).collect());
        return measure_runs(name, &values, Some(&prompts.collect::<Vec<_>>()));
    }
    if let Some(configuration) = configuration {
        let configuration = table.parse_names(configuration, "configuration")?;
        if let Some(seed) = seed {
            let seeds = table.parse_names(seed, "seed")?;
            let mut seen = BTreeMap::new();
            for ((line, _), pair) in table.cells(value).zip(configuration.iter().zip(&seeds)) {
                if let Some(before) = seen.insert(pair, line) {
                    let found = format!("the seed and configuration of line {before}");
                    return Err(table.cell_error(line, "row", found, "each of them once"));
                }
            }
        }
        return Ok(OwnResults::Ex24(measure_configurations(name, group_values(&configuration, &values), true)?));
    }
    match group {
        Some(group) => measure_groups(name, &table.parse_names(group, "group")?, &values),
        None => Err(table.cell_error(1, "header", table.header(), ALLOWED_FILES)),
    }
}

/// Where arrays come from, and their numbers.
type LabelledValues<const N: usize> = (String, [Vec<f64>; N]);

/// Arrays by what their names say.
#[derive(Default)]
struct NamedArrays {
    by_name: BTreeMap<&'static str, UserArray>,
}

/// Names of arrays.
const ARRAY_NAMES: [&str; 8] = ["clean", "ablated", "values", "groups", "scores", "runs", "thresholds", "faithfulness"];

impl NamedArrays {
    fn add_array(&mut self, array: UserArray) -> Result<(), UserFileError> {
        let told = |name: &str| {
            let all = ARRAY_NAMES.into_iter().chain(decomposition::ARRAY_NAMES);
            all.into_iter().find(|known| *known == name.to_ascii_lowercase())
        };
        let Some(name) = told(&array.name).or_else(|| told(&array.file_stem)) else {
            return Err(UserFileError::unknown(array.label, ALLOWED_FILES));
        };
        if let Some(before) = self.by_name.get(name) {
            return Err(UserFileError::duplicate(name, &before.label, array.label));
        }
        self.by_name.insert(name, array);
        Ok(())
    }

    /// The numbers of an array of one dimension, and where it comes from.
    fn take_vector(&mut self, name: &str) -> Result<Option<(String, Vec<f64>)>, UserFileError> {
        let Some(array) = self.by_name.remove(name) else { return Ok(None) };
        if array.cols != 1 {
            return Err(array.shape_error("one dimension".to_owned()));
        }
        Ok(Some((array.label.clone(), array.shortest_decimals().collect())))
    }

    /// Two arrays that belong together.
    fn take_pair(&mut self, names: [&str; 2]) -> Result<Option<LabelledValues<2>>, UserFileError> {
        let [first, second] = names;
        match (self.take_vector(first)?, self.take_vector(second)?) {
            (Some((label, a)), Some((_, b))) if a.len() == b.len() => Ok(Some((label, [a, b]))),
            (Some((_, a)), Some((file, b))) => {
                let allowed = format!("{}, as {first} has", a.len());
                Err(UserFileError::value(file, "entries", b.len().to_string(), allowed))
            }
            (None, None) => Ok(None),
            (given, _) => {
                let (there, missing) = if given.is_some() { (first, second) } else { (second, first) };
                Err(decomposition::missing_array_error(missing, there))
            }
        }
    }

    fn finish(mut self) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let mut found = Vec::new();
        if let Some((file, [clean, ablated])) = self.take_pair(["clean", "ablated"])? {
            let one = measure_d_prime(&file, &clean, &ablated)?;
            found.push((file, one));
        }
        if let Some((file, [values, names])) = self.take_pair(["values", "groups"])? {
            let names: Vec<String> = names.iter().map(f64::to_string).collect();
            let one = measure_groups(&file, &names, &values)?;
            found.push((file, one));
        }
        if let Some(scores) = self.by_name.remove("scores") {
            let (seeds, columns) = scores.file_shape();
            if seeds < 2 {
                return Err(scores.shape_error("two seeds or more × configurations".to_owned()));
            }
            let of = |column: usize| {
                (column.to_string(), scores.shortest_decimals().skip(column).step_by(columns).collect())
            };
            check_compared_count(&scores.label, "configurations", columns)?;
            found.push((
                scores.label.clone(),
                OwnResults::Ex24(measure_configurations(&scores.label, (0..columns).map(of).collect(), true)?),
            ));
        }
        if let Some(given) = self.by_name.remove("runs") {
            let (count, prompts) = given.file_shape();
            check_compared_count(&given.label, "runs", count)?;
            let values: Vec<f64> = given.shortest_decimals().collect();
            let values = values.chunks(prompts.max(1)).map(<[f64]>::to_vec);
            let ids = vec![(0..prompts).collect::<Vec<usize>>(); count];
            found.push((given.label.clone(), measure_runs(&given.label, &values.collect::<Vec<_>>(), Some(&ids))?));
        }
        if let Some((file, [thresholds, faithfulness])) = self.take_pair(["thresholds", "faithfulness"])? {
            let one = measure_curve(&file, thresholds, faithfulness)?;
            found.push((file, OwnResults::Mib(one)));
        }
        found.extend(decomposition::measure_arrays(&mut self.by_name)?);
        Ok(found)
    }
}

/// The refusal of a whole file.
fn whole_file_error(file: String, found: impl Into<String>, allowed: &str) -> UserFileError {
    UserFileError::value(file, "the whole file", found, allowed)
}

/// Whether a text begins as a list, an object or a string of JSON does.
fn starts_like_json(bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(first, Some(b'[' | b'{' | b'"'))
}

/// What an object of JSON is that is no circuit, in words.
fn describe_unknown_json(json: &Json) -> Option<String> {
    let Json::Object(entries) = json else { return None };
    let has = |wanted: &str| entries.iter().any(|(key, _)| key == wanted);
    if entries.is_empty() || ["cfg", "edges", "nodes"].into_iter().any(has) {
        return None;
    }
    let word = match entries.iter().find(|(key, _)| key == "eval_type_id") {
        Some((_, Json::Text(word))) => Some(word),
        _ => None,
    };
    let of_saebench = |value: &Json| match value {
        Json::Object(inner) => inner.iter().any(|(key, _)| key == "eval_type_id"),
        _ => false,
    };
    Some(if has("weighted_edge_counts") {
        "MIB's counts of a circuit's edges, without faithfulnesses".to_owned()
    } else if has("TPR") && has("FPR") {
        "MIB's rates at which a circuit's edges are those of InterpBench's, of which no metric here is".to_owned()
    } else if let Some(word) = word {
        format!("SAEBench's result of {word:?}, which has no eval_result_metrics")
    } else if entries.iter().any(|(_, value)| of_saebench(value)) {
        "SAEBench's results of several autoencoders in one object, which are read a file each".to_owned()
    } else {
        let keys: Vec<&str> = entries.iter().take(8).map(|(key, _)| key.as_str()).collect();
        format!("JSON of the keys {}", keys.join(", "))
    })
}

/// Reads files: each table and each circuit by itself, arrays that belong together and SAEBench's results from however
/// many files. Of mechval's results each file is one entry; what a result has of single prompts is measured anew, and
/// results of one metric and task that come more than once are its values under several seeds. With each entry comes
/// the first file that it is of. delphi's scores are those of a folder's latents together, and Neuronpedia's records those of
/// a source; explanations that delphi wrote beside them are passed over, as no number is in them.
///
/// Numbers of arrays are read with 32 bits, those of tables with 64.
///
/// # Errors
/// [`UserFileError`]: files that are refused, whose names or headers say nothing, or whose values a metric refuses.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::user_files::{OwnResults, read};
/// use sfc_bench::study::user_file::UserFile;
/// let bytes = b"clean,ablated\n2,-1\n3,-2\n1,-1\n4,-3\n2,0.5\n".to_vec();
/// let found = read(vec![UserFile { name: "ioi.csv".into(), bytes }])?;
/// let OwnResults::Ex1(signals) = &found[0].1 else { panic!() };
/// assert!((signals.ex1.dprime - 2.123).abs() < 1e-3);
/// # Ok::<(), sfc_bench::study::user_file::UserFileError>(())
/// ```
pub fn read(files: Vec<UserFile>) -> Result<Vec<(String, OwnResults)>, UserFileError> {
    check_sizes(&files, ALLOWED_FILES)?;
    let mut found = Vec::new();
    let (mut reader, mut arrays) = (ArrayReader::new(), NamedArrays::default());
    let (mut seeds, mut results) = (SeedCollector::default(), ResultCollector::default());
    let mut tools = ToolCollector::default();
    for file in files {
        let lower = file.name.to_ascii_lowercase();
        match lower.rsplit('.').next().unwrap_or_default() {
            "csv" => {
                let one = measure_table(&file)?;
                found.push((file.name, one));
            }
            "json" => {
                let json = parse(&file.name, &file.bytes)?;
                if is_tool_file(&json) {
                    found.extend(tools.add_json(&file.name, &json)?);
                } else if is_mechval_result(&json) {
                    found.extend(results.add_json(&file.name, &json)?);
                } else if is_saebench_result(&json) {
                    seeds.add_json(&file.name, &json)?;
                } else if let Some(found) = describe_unknown_json(&json) {
                    return Err(whole_file_error(file.name, found, ALLOWED_JSON));
                } else {
                    let one = OwnResults::Circuit(OwnGraph::from_json(&file.name, &json)?);
                    found.push((file.name, one));
                }
            }
            // delphi writes JSON under this name: a list of examples, or an explanation.
            "txt" if starts_like_json(&file.bytes) => match parse(&file.name, &file.bytes)? {
                Json::Text(_) => tools.add_explanation_file(&file.name),
                json if is_tool_file(&json) => found.extend(tools.add_json(&file.name, &json)?),
                json => {
                    let said = describe_unknown_json(&json).unwrap_or_else(|| json.to_string());
                    return Err(whole_file_error(file.name, said, ALLOWED_TEXT));
                }
            },
            "pkl" | "pickle" => {
                let said = "a pickle of Python's by its name, which can run any program where it is opened";
                return Err(whole_file_error(file.name, said, PICKLE_ADVICE));
            }
            "jsonl" if has_neuronpedia_records(&file) => tools.add_lines(&file)?,
            "jsonl" => found.extend(results.add_lines(&file)?),
            "npy" | "npz" | "safetensors" => {
                for array in reader.read(file)? {
                    arrays.add_array(array)?;
                }
            }
            _ => {
                if let Some(found) = describe_non_text(&file.bytes) {
                    return Err(whole_file_error(file.name, found, FILE_FORMATS));
                }
                return Err(UserFileError::unknown(file.name, ALLOWED_FILES));
            }
        }
    }
    found.extend(arrays.finish()?);
    found.extend(seeds.finish()?.map(|(file, metrics)| (file, OwnResults::Seeds(metrics))));
    found.extend(results.finish()?);
    found.extend(tools.finish()?);
    Ok(found)
}
