use std::collections::{HashMap, HashSet};

use super::arrays::{ArrayCollector, UNRATED_LABEL, score_doses};
use super::report::{FolderReport, LabelCounts, UserFeature, UserScore};
use crate::io::json::{Json, JsonNode, parse};
use crate::io::{EscapedText, IoError};
use crate::papers::fade::metric::{RatedDose, is_above_gate};
use crate::study::user_file::{Recomputed, Reported, ReportedNumber, UserFile, UserFileError};

/// FADE's files and the reader's texts, by the end of their names.
const FILE_KINDS: [(&str, FileKind); 6] = [
    ("activation_centric_ratings", FileKind::Ratings),
    ("activation_centric_synthetic_data", FileKind::Synthetic),
    ("activation_centric_metrics", FileKind::Metrics),
    ("output_centric_ratings", FileKind::Outputs),
    ("output_centric_metrics", FileKind::OutputMetrics),
    ("texts", FileKind::Texts),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Ratings,
    Synthetic,
    Metrics,
    Outputs,
    OutputMetrics,
    Texts,
}

/// Most factors that continuations are rated at.
const FACTORS_MAX: usize = 10_000;

/// The numbers of `activation_centric_metrics.json`.
const ACTIVATION_METRIC_KEYS: [&str; 7] = [
    "Clarity",
    "Responsiveness",
    "Purity",
    "Natural Samples",
    "Synthetic Samples",
    "Natural Concept Samples",
    "Natural Non-Concept Samples",
];
/// The numbers of `output_centric_metrics.json`, but for the shares.
const OUTPUT_METRIC_KEYS: [&str; 3] =
    ["Faithfulness", "Number of Modification Factors", "Number of Sequences per Modification Factor"];
const SHARES_KEY: &str = "Value Counts";

/// Ratings of texts: a text that is there twice is kept twice.
#[derive(Debug, Default)]
struct Ratings {
    rated: Vec<(String, u8)>,
    repeated: usize,
}

/// What continuations were rated.
#[derive(Debug, Default)]
struct OutputRatings {
    doses: Vec<RatedDose>,
    repeated: usize,
    beyond: usize,
}

/// The numbers of a file of metrics.
#[derive(Debug)]
struct FileMetrics {
    said: Vec<(&'static str, ReportedNumber)>,
    /// By factor and label.
    shares: Vec<(f64, f64, ReportedNumber)>,
    unknown: Vec<String>,
}

impl FileMetrics {
    fn reported(&self, name: &str) -> ReportedNumber {
        let found = self.said.iter().find(|(other, _)| *other == name);
        found.map_or(ReportedNumber::Missing, |(_, said)| *said)
    }
}

/// The files of one folder.
#[derive(Debug, Default)]
pub(super) struct FolderFiles {
    folder: String,
    ratings: Option<(String, Ratings)>,
    synthetic: Option<(String, usize)>,
    metrics: Option<(String, FileMetrics)>,
    outputs: Option<(String, OutputRatings)>,
    output_metrics: Option<(String, FileMetrics)>,
    /// Whether its ratings label the activations.
    labels: bool,
}

/// All of FADE's files.
#[derive(Debug, Default)]
pub(super) struct ResultCollector {
    pub folders: Vec<FolderFiles>,
    places: HashMap<String, usize>,
    texts: Option<(String, Vec<String>)>,
}

impl ResultCollector {
    /// Reads a file; what it is, and why it is left out where it is.
    pub fn add_file(&mut self, file: UserFile) -> (&'static str, Result<(), UserFileError>) {
        let (folders, base) = file.folder_and_name();
        let lower = base.to_ascii_lowercase();
        let stem = lower.strip_suffix(".json").unwrap_or(&lower);
        let kind = FILE_KINDS.iter().find(|(name, _)| stem.ends_with(name));
        let Some((name, kind)) = kind.copied() else {
            let allowed = FILE_KINDS.map(|(name, _)| format!("{name}.json")).join(", ");
            return ("unknown", Err(UserFileError::unknown(file.name, allowed)));
        };
        // What stands before the name tells one feature's files from another's, as a folder does.
        let before = base.get(..stem.len() - name.len()).unwrap_or_default();
        let before = before.trim_end_matches(['_', '-', '.', ' ']);
        let folders = match folders.strip_suffix("data") {
            Some(outer) if outer.is_empty() || outer.ends_with(['/', '\\']) => outer.trim_end_matches(['/', '\\']),
            _ => folders,
        };
        let folder = match (folders, before) {
            (folder, "") | ("", folder) => folder.to_owned(),
            (folder, before) => format!("{folder}/{before}"),
        };
        (name, self.read_file(kind, folder, &file))
    }

    fn read_file(&mut self, kind: FileKind, folder: String, file: &UserFile) -> Result<(), UserFileError> {
        let name = file.name.as_str();
        let json = parse(name, &file.bytes)?;
        let whole = JsonNode::root(name, &json);
        if kind == FileKind::Texts {
            let read = read_texts(&whole)?;
            if let Some((first, _)) = &self.texts {
                return Err(UserFileError::duplicate("texts", first, name));
            }
            self.texts = Some((name.to_owned(), read));
            return Ok(());
        }
        /// Puts what was read into its place, which must be free.
        fn fill_slot<T>(slot: &mut Option<(String, T)>, name: &str, read: T) -> Result<(), String> {
            match slot {
                Some((first, _)) => Err(first.clone()),
                None => {
                    *slot = Some((name.to_owned(), read));
                    Ok(())
                }
            }
        }
        let mut one = FolderFiles::default();
        match kind {
            FileKind::Ratings => one.ratings = Some((name.to_owned(), read_ratings(&whole)?)),
            FileKind::Synthetic => {
                let list = whole.as_list("a list of texts")?;
                let all = list.iter().enumerate();
                all.map(|(at, text)| whole.child(at, text).as_text()).collect::<Result<Vec<_>, _>>()?;
                one.synthetic = Some((name.to_owned(), list.len()));
            }
            FileKind::Metrics => {
                one.metrics = Some((name.to_owned(), read_metrics(&whole, &ACTIVATION_METRIC_KEYS)?));
            }
            FileKind::Outputs => one.outputs = Some((name.to_owned(), read_outputs(&whole)?)),
            FileKind::OutputMetrics | FileKind::Texts => {
                one.output_metrics = Some((name.to_owned(), read_metrics(&whole, &OUTPUT_METRIC_KEYS)?));
            }
        }
        let place = *self.places.entry(folder.clone()).or_insert(self.folders.len());
        if place == self.folders.len() {
            self.folders.push(FolderFiles { folder, ..FolderFiles::default() });
        }
        let Some(found) = self.folders.get_mut(place) else { return Ok(()) };
        let FolderFiles { ratings, synthetic, metrics, outputs, output_metrics, .. } = one;
        let kept = [
            ratings.map(|(_, read)| fill_slot(&mut found.ratings, name, read)),
            synthetic.map(|(_, read)| fill_slot(&mut found.synthetic, name, read)),
            metrics.map(|(_, read)| fill_slot(&mut found.metrics, name, read)),
            outputs.map(|(_, read)| fill_slot(&mut found.outputs, name, read)),
            output_metrics.map(|(_, read)| fill_slot(&mut found.output_metrics, name, read)),
        ];
        let refused = kept.into_iter().flatten().find_map(Result::err);
        match refused {
            Some(first) => Err(UserFileError::duplicate("the same file of a folder", first, name)),
            None => Ok(()),
        }
    }

    /// Labels activations that have no labels of their own by the ratings of their texts.
    pub fn label_activations(
        &mut self,
        arrays: &mut ArrayCollector,
        notes: &mut Vec<String>,
    ) -> Result<(), UserFileError> {
        let Some(activations) = arrays.unlabelled_activations() else { return Ok(()) };
        let Some((file, texts)) = &self.texts else { return Ok(()) };
        if texts.len() != activations.rows {
            let allowed = format!("{}, as {} has", activations.rows, activations.label);
            let found = texts.len().to_string();
            return Err(UserFileError::value(file, "number of texts", found, allowed));
        }
        let [found] = self.folders.as_mut_slice() else {
            notes.push(format!(
                "{file} labels no activations: the ratings of one folder are needed, and there are {}.",
                self.folders.len()
            ));
            return Ok(());
        };
        let Some((ratings_file, ratings)) = &found.ratings else { return Ok(()) };
        let by_text: HashMap<&str, u8> = ratings.rated.iter().map(|(text, label)| (text.as_str(), *label)).collect();
        let label = |text: &String| by_text.get(text.as_str()).copied().unwrap_or(UNRATED_LABEL);
        let labels: Vec<u8> = texts.iter().map(label).collect();
        let mut seen = HashSet::new();
        let again = texts.iter().filter(|text| by_text.contains_key(text.as_str()));
        let again = again.filter(|text| !seen.insert(text.as_str())).count();
        if again > 0 {
            notes.push(format!(
                "{again} of the rated texts occur before in {file}: each has the one rating of its text."
            ));
        }
        let known: HashSet<&str> = texts.iter().map(String::as_str).collect();
        let lost = by_text.keys().filter(|text| !known.contains(*text)).count();
        if lost > 0 {
            notes.push(format!("{lost} of the texts that {ratings_file} rates are not in {file}."));
        }
        found.labels = true;
        arrays.set_labels(labels);
        Ok(())
    }

    /// What there is to say of every folder.
    pub fn report_folders(&self, features: &[UserFeature]) -> Vec<FolderReport> {
        let alone = self.folders.len() == 1;
        let feature = match features {
            [one] if alone => Some(one),
            _ => None,
        };
        self.folders.iter().map(|found| found.to_report(feature)).collect()
    }
}

/// Texts by their index, or a list of them.
fn read_texts(whole: &JsonNode<'_>) -> Result<Vec<String>, IoError> {
    const ALLOWED: &str = "a list of texts, or an object of them by index";
    if let Json::List(list) = whole.value() {
        let all = list.iter().enumerate();
        return all.map(|(at, text)| whole.child(at, text).as_text().map(str::to_owned)).collect();
    }
    let entries = whole.as_object(ALLOWED)?;
    let mut texts: Vec<Option<String>> = vec![None; entries.len()];
    for (key, value) in entries {
        let place = whole.child(key, value);
        let wrong = || {
            let allowed = format!("indices from 0 to {}, each once", entries.len() - 1);
            place.field_error(format!("the key {key:?}"), &allowed)
        };
        let index: usize = key.parse().map_err(|_| wrong())?;
        match texts.get_mut(index) {
            Some(slot @ None) => *slot = Some(place.as_text()?.to_owned()),
            _ => return Err(wrong()),
        }
    }
    Ok(texts.into_iter().flatten().collect())
}

/// A rating: FADE's own check lets 3 pass.
fn read_rating(place: &JsonNode<'_>) -> Result<u8, IoError> {
    match place.value() {
        Json::Number(value) if *value == 0.0 => Ok(0),
        Json::Number(value) if *value == 1.0 => Ok(1),
        Json::Number(value) if *value == 2.0 => Ok(2),
        Json::Number(value) if *value == 3.0 => Ok(3),
        _ => Err(place.invalid_value_error("a rating from 0 to 3")),
    }
}

/// How many of some keys were there before.
fn count_repeated<'a>(keys: impl Iterator<Item = &'a str>) -> usize {
    let mut seen = HashSet::new();
    keys.filter(|key| !seen.insert(*key)).count()
}

/// `{text: rating}`.
fn read_ratings(whole: &JsonNode<'_>) -> Result<Ratings, IoError> {
    let entries = whole.as_object("an object of ratings by text")?;
    let one = |(index, (text, value)): (usize, &(String, Json))| {
        match read_rating(&whole.child("", value)) {
            Ok(label) => Ok((text.clone(), label)),
            // Texts are long: the place says which.
            Err(_) => Err(whole.child(format!("text {index}"), value).invalid_value_error("a rating from 0 to 3")),
        }
    };
    let rated = entries.iter().enumerate().map(one).collect::<Result<_, _>>()?;
    Ok(Ratings { rated, repeated: count_repeated(entries.iter().map(|(text, _)| text.as_str())) })
}

/// A factor or a label, as a key.
fn parse_number_key(whole: &JsonNode<'_>, key: &str, what: &str) -> Result<f64, IoError> {
    let value = key.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    // Zero has one sign here.
    let value = value.map(|value| value + 0.0);
    value.ok_or_else(|| whole.field_error(format!("the key {key:?}"), what))
}

/// `{factor: {id: [continuation, rating]}}`.
fn read_outputs(whole: &JsonNode<'_>) -> Result<OutputRatings, IoError> {
    const ALLOWED: &str = "an object of continuations by factor";
    let entries = whole.as_object(ALLOWED)?;
    if entries.is_empty() || entries.len() > FACTORS_MAX {
        let allowed = format!("1 to {FACTORS_MAX} factors");
        return Err(whole.invalid_value_error(&allowed));
    }
    let mut read = OutputRatings::default();
    let mut places: HashMap<u64, usize> = HashMap::new();
    for (key, value) in entries {
        let factor = parse_number_key(whole, key, "factors, numbers, as keys")?;
        let place = whole.child(key, value);
        let continuations = place.as_object("an object of [continuation, rating] by number")?;
        let at = *places.entry(factor.to_bits()).or_insert(read.doses.len());
        if at == read.doses.len() {
            read.doses.push(RatedDose { factor, labels: Vec::new() });
        } else {
            read.repeated += 1;
        }
        read.repeated += count_repeated(continuations.iter().map(|(id, _)| id.as_str()));
        let Some(dose) = read.doses.get_mut(at) else { continue };
        for (id, value) in continuations {
            let place = place.child(id, value);
            let [text, rated] = place.as_list("[continuation, rating]")? else {
                return Err(place.invalid_value_error("[continuation, rating]"));
            };
            place.child(0, text).as_text()?;
            let label = read_rating(&place.child(1, rated))?;
            read.beyond += usize::from(label == 3);
            dose.labels.push(label);
        }
    }
    Ok(read)
}

/// Numbers under names, and shares by factor and label.
fn read_metrics(whole: &JsonNode<'_>, names: &[&'static str]) -> Result<FileMetrics, IoError> {
    let entries = whole.as_object("an object of metrics by name")?;
    let mut read = FileMetrics { said: Vec::new(), shares: Vec::new(), unknown: Vec::new() };
    for name in names {
        if let Some(place) = whole.get_optional(name)? {
            read.said.push((name, ReportedNumber::from_json(&place)?));
        }
    }
    if read.said.is_empty() {
        return Err(whole.invalid_value_error(&format!("an object with {}", names.join(", "))));
    }
    let shares = whole.get_optional(SHARES_KEY)?.filter(|_| names.len() == OUTPUT_METRIC_KEYS.len());
    if let Some(shares) = &shares {
        for (key, value) in shares.as_object("an object of shares by factor")? {
            let factor = parse_number_key(shares, key, "factors, numbers, as keys")?;
            let by_label = shares.child(key, value);
            for (key, value) in by_label.as_object("an object of shares by label")? {
                let label = parse_number_key(&by_label, key, "labels, numbers, as keys")?;
                let said = ReportedNumber::from_json(&by_label.child(key, value))?;
                read.shares.push((factor, label, said));
            }
        }
    }
    let known = |key: &str| names.contains(&key) || (shares.is_some() && key == SHARES_KEY);
    let unknown = entries.iter().map(|(key, _)| key).filter(|key| !known(key));
    read.unknown = unknown.take(8).cloned().collect();
    Ok(read)
}

const DUPLICATES_NOTE: &str =
    "texts that occur twice in the data set are one key of the file of ratings, and so counted once here";

impl FolderFiles {
    fn to_report(&self, feature: Option<&UserFeature>) -> FolderReport {
        let labels = self
            .ratings
            .as_ref()
            .map(|(_, ratings)| LabelCounts::from_labels(ratings.rated.iter().map(|(_, label)| *label)));
        let (doses, found) = score_doses(self.outputs.as_ref().map_or(&[], |(_, outputs)| outputs.doses.as_slice()));
        let faithfulness = match &found {
            None => UserScore::missing("output_centric_ratings.json was not given"),
            Some(found) => UserScore::from_faithfulness(found),
        };
        let mut rows = self.activation_rows(feature, labels);
        rows.extend(self.output_rows(&faithfulness));
        // What cannot be computed and was not reported is no row.
        rows.retain(|row| row.recomputed.is_some() || row.reported.is_some() || row.reported_as.is_some());
        let value = |name: &str| {
            let row = rows.iter().find(|row| row.quantity == name)?;
            row.recomputed.or(row.reported)
        };
        let passed = value("Clarity").zip(value("Responsiveness"));
        let passed = passed.map(|(clarity, responsiveness)| is_above_gate(clarity, responsiveness));
        FolderReport {
            folder: self.folder.clone(),
            labels,
            made: self.synthetic.as_ref().map(|(_, texts)| *texts),
            doses,
            faithfulness,
            best_factor: found.and_then(Result::ok).and_then(|found| found.best_factor),
            gate: passed,
            notes: self.notes(passed),
            rows,
        }
    }

    fn activation_rows(&self, feature: Option<&UserFeature>, labels: Option<LabelCounts>) -> Vec<Reported> {
        let said =
            |name: &str| self.metrics.as_ref().map_or(ReportedNumber::Missing, |(_, metrics)| metrics.reported(name));
        let file = self.metrics.as_ref().map(|(name, _)| name);
        let file = file.or(self.ratings.as_ref().map(|(name, _)| name)).map_or("", String::as_str);
        let scored = |name: &str, score: Option<&UserScore>, needed: &str| {
            let anew = match score {
                Some(UserScore { code: None, document: None, why: Some(why) }) => Recomputed::Unknown(why.clone()),
                Some(score) => Recomputed::Values(score.code, score.document),
                None => Recomputed::Unknown(needed.to_owned()),
            };
            Reported::new(file, name, said(name), anew, None)
        };
        let counted = |name: &str, count: Option<usize>, needed: &str, why: &str| {
            let anew = match count {
                Some(count) => Recomputed::Values(Some(count as f64), Some(count as f64)),
                None => Recomputed::Unknown(needed.to_owned()),
            };
            let more =
                matches!((said(name), count), (ReportedNumber::Number(said), Some(count)) if said > count as f64);
            let why = Some(why).filter(|why| more && !why.is_empty());
            Reported::new(file, name, said(name), anew, why)
        };
        const TEXTS_NEEDED: &str = "FADE keeps no activations: they are needed with texts.json, in the same order";
        const ACTIVATIONS_NEEDED: &str =
            "FADE keeps no activations: those of all texts and of the made ones are needed";
        const RATINGS_NEEDED: &str = "activation_centric_ratings.json was not given";
        const SYNTHETIC_NEEDED: &str = "activation_centric_synthetic_data.json was not given";
        let by_ratings = feature.filter(|_| self.labels);
        vec![
            scored("Clarity", feature.map(|one| &one.clarity), ACTIVATIONS_NEEDED),
            scored("Responsiveness", by_ratings.map(|one| &one.responsiveness), TEXTS_NEEDED),
            scored("Purity", by_ratings.map(|one| &one.purity), TEXTS_NEEDED),
            counted("Natural Samples", feature.and_then(count_natural_texts), TEXTS_NEEDED, ""),
            counted("Synthetic Samples", self.synthetic.as_ref().map(|(_, made)| *made), SYNTHETIC_NEEDED, ""),
            counted("Natural Concept Samples", labels.map(|all| all.with), RATINGS_NEEDED, DUPLICATES_NOTE),
            counted("Natural Non-Concept Samples", labels.map(|all| all.without), RATINGS_NEEDED, DUPLICATES_NOTE),
        ]
    }

    fn output_rows(&self, faithfulness: &UserScore) -> Vec<Reported> {
        let metrics = self.output_metrics.as_ref().map(|(_, metrics)| metrics);
        let said = |name: &str| metrics.map_or(ReportedNumber::Missing, |metrics| metrics.reported(name));
        let file = self.output_metrics.as_ref().map(|(name, _)| name);
        let file = file.or(self.outputs.as_ref().map(|(name, _)| name)).map_or("", String::as_str);
        let needed = || Recomputed::Unknown("output_centric_ratings.json was not given".to_owned());
        let doses = self.outputs.as_ref().map(|(_, outputs)| &outputs.doses);
        let [faithful, factors, sequences] = OUTPUT_METRIC_KEYS;
        let why = faithfulness.why.as_deref().filter(|_| doses.is_some());
        let anew = match (doses, faithfulness) {
            (Some(_), UserScore { code: None, document: None, why: Some(why) }) => Recomputed::Unknown(why.clone()),
            (Some(_), score) => Recomputed::Values(score.code, score.document),
            (None, _) => needed(),
        };
        let mut rows = vec![Reported::new(file, faithful, said(faithful), anew, why)];
        let count = |count: usize| Recomputed::Values(Some(count as f64), Some(count as f64));
        let anew = doses.map_or_else(needed, |doses| count(doses.len()));
        rows.push(Reported::new(file, factors, said(factors), anew, None));
        let lengths = doses.map(|doses| doses.iter().map(|dose| dose.labels.len()));
        let range = lengths.and_then(|lengths| Some((lengths.clone().min()?, lengths.max()?)));
        let anew = match range {
            Some((least, most)) if least == most => count(least),
            Some((least, most)) => Recomputed::Unknown(format!("factors have {least} to {most} of them")),
            None => needed(),
        };
        let is_factors = said(sequences) == said(factors);
        let why = is_factors.then_some("the code writes the number of factors under this name");
        rows.push(Reported::new(file, sequences, said(sequences), anew, why));
        for (factor, label, said) in metrics.map_or(&[][..], |metrics| &metrics.shares) {
            let quantity = format!("{SHARES_KEY}, factor {factor}, label {label}");
            let dose = doses.map(|doses| doses.iter().find(|dose| dose.factor == *factor));
            let anew = match dose {
                None => needed(),
                Some(dose) => {
                    let share = dose.and_then(|dose| {
                        let of = dose.labels.iter().filter(|one| f64::from(**one) == *label).count();
                        (!dose.labels.is_empty()).then(|| of as f64 / dose.labels.len() as f64)
                    });
                    Recomputed::Values(share, share)
                }
            };
            rows.push(Reported::new(file, &quantity, *said, anew, None));
        }
        rows
    }

    fn notes(&self, passed: Option<bool>) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some((file, ratings)) = &self.ratings
            && ratings.repeated > 0
        {
            notes.push(format!(
                "{file}: {} keys are there again; each is counted, though Python keeps the last alone.",
                ratings.repeated
            ));
        }
        if let Some((file, outputs)) = &self.outputs {
            if outputs.repeated > 0 {
                notes.push(format!(
                    "{file}: {} keys are there again; each is counted, though Python keeps the last alone.",
                    outputs.repeated
                ));
            }
            if outputs.beyond > 0 {
                notes.push(format!(
                    "{file}: {} continuations are rated 3, which is none of the rater's labels; they count \
                     among all, as in the code.",
                    outputs.beyond
                ));
            }
        }
        for (file, metrics) in [&self.metrics, &self.output_metrics].into_iter().flatten() {
            if !metrics.unknown.is_empty() {
                let unknown = metrics.unknown.join(", ");
                let unknown = EscapedText(&unknown);
                notes.push(format!("{file}: left out, since it is not FADE's: {unknown}."));
            }
        }
        if passed == Some(false) && self.outputs.is_none() && self.output_metrics.is_none() {
            notes.push(
                "There is no faithfulness: the code stops where clarity or responsiveness is below 0.5.".to_owned(),
            );
        }
        notes
    }
}

/// How many natural texts there are.
fn count_natural_texts(feature: &UserFeature) -> Option<usize> {
    let LabelCounts { without, partial, with, beyond, unrated } = feature.labels?;
    Some(without + partial + with + beyond + unrated)
}
