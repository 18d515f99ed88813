//! Results of other tools: faithfulness of circuits as MIB evaluates it, delphi's scores of explanations, and what
//! Neuronpedia and SAEDashboard export of latents. What follows from their numbers is computed; what they hold besides is
//! said, with what a metric would need.

use std::collections::{BTreeMap, BTreeSet};

use super::super::metric::THRESHOLDS;
use super::by_metric::{
    DelphiScores, DetectionScores, LatentScores, NeuronpediaSummary, OwnCurve, OwnResults, measure_curve,
};
use super::results::read_number;
use crate::io::json::{Json, JsonNode, parse_lines};
use crate::io::{EscapedText, IoError, file_stem};
use crate::plot::format::format_with_noun;
use crate::sae::activity::DENSE_ACTIVE_SHARE_MIN;
use crate::statistics::{auc_interval, roc_auc};
use crate::study::user_file::{Recomputed, Reported, ReportedNumber, UserFile, UserFileError, is_close};

/// Most examples of delphi's and records of Neuronpedia's, of all files together.
const RECORDS_MAX: usize = 500_000;
/// How often intervals hold.
const CONFIDENCE_LEVEL: f64 = 0.95;
/// From which on a prediction says that a latent is active.
const PREDICTION_MIN: f64 = 0.5;
/// What no metric makes of texts and explanations alone.
const NEEDED_FOR_FADE: &str =
    "texts with labels of a concept, and the latent's activations on them: `fade --own` and FADE's page take these";

/// An example of delphi's.
#[derive(Clone, Copy, Debug, Default)]
struct DelphiExample {
    activating: Option<bool>,
    prediction: Option<f64>,
    probability: Option<f64>,
    correct: Option<bool>,
}

/// What is known of a source.
#[derive(Debug, Default)]
struct LatentSource {
    file: String,
    shares: BTreeMap<String, f64>,
    explanations: usize,
    explained: BTreeSet<String>,
    explainers: BTreeSet<String>,
    contexts: usize,
}

/// Results of other tools, as their files come.
#[derive(Debug, Default)]
pub(super) struct ToolCollector {
    count: usize,
    /// By folder, then by the name of the latent's file.
    delphi: BTreeMap<String, BTreeMap<String, (String, Vec<DelphiExample>)>>,
    /// Explanations that delphi wrote, the first one's file before.
    texts: Option<(String, usize)>,
    sources: BTreeMap<String, LatentSource>,
}

/// What a value of JSON is, by its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToolFileKind {
    Mib,
    MibSeveral,
    Delphi,
    Record,
    Records,
    Dashboard,
}

fn has_key(json: &Json, key: &str) -> bool {
    matches!(json, Json::Object(entries) if entries.iter().any(|(other, _)| other == key))
}

impl ToolFileKind {
    fn detect(json: &Json) -> Option<Self> {
        let record = |json: &Json| ["modelId", "layer", "index"].iter().all(|key| has_key(json, key));
        let example =
            |json: &Json| has_key(json, "correct") && (has_key(json, "activating") || has_key(json, "correct_index"));
        match json {
            Json::Object(_) if has_key(json, "faithfulnesses") => Some(Self::Mib),
            Json::Object(_) if record(json) => Some(Self::Record),
            Json::Object(_) if has_key(json, "features") && has_key(json, "sae_set") => Some(Self::Dashboard),
            Json::Object(entries)
                if !entries.is_empty() && entries.iter().all(|(_, value)| has_key(value, "faithfulnesses")) =>
            {
                Some(Self::MibSeveral)
            }
            Json::List(values) => match values.first()? {
                first if example(first) => Some(Self::Delphi),
                first if record(first) => Some(Self::Records),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether the first line of a file is a record of Neuronpedia's.
pub(super) fn has_neuronpedia_records(file: &UserFile) -> bool {
    let first = parse_lines(&file.name, &file.bytes).next().and_then(Result::ok);
    first.is_some_and(|(_, json)| ToolFileKind::detect(&json) == Some(ToolFileKind::Record))
}

/// Whether a file is of a tool's that is read here.
pub(super) fn is_tool_file(json: &Json) -> bool {
    ToolFileKind::detect(json).is_some()
}

impl ToolCollector {
    /// Takes a file of JSON that [is known](is_tool_file); what is of that file alone is given back.
    pub fn add_json(&mut self, file: &str, json: &Json) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let whole = JsonNode::root(file, json);
        match ToolFileKind::detect(json) {
            Some(ToolFileKind::Mib) => {
                return Ok(vec![(file.to_owned(), measure_mib(file, &whole)?)]);
            }
            Some(ToolFileKind::MibSeveral) => {
                let each = whole.as_object("an object of MIB's results by their names")?.iter();
                let one = |(name, value): &(String, Json)| {
                    let label = format!("{file}, {name}");
                    let found = measure_mib(&label, &whole.child(name, value))?;
                    Ok((label, found))
                };
                return each.map(one).collect();
            }
            Some(ToolFileKind::Delphi) => self.add_examples(file, &whole)?,
            Some(ToolFileKind::Record) => self.add_record(file, &whole)?,
            Some(ToolFileKind::Records) => {
                for (at, value) in whole.as_list("a list of records")?.iter().enumerate() {
                    self.add_record(file, &whole.child(at, value))?;
                }
            }
            Some(ToolFileKind::Dashboard) => self.add_dashboard(file, &whole)?,
            None => {}
        }
        Ok(Vec::new())
    }

    /// Takes a file of records, one a line.
    pub fn add_lines(&mut self, file: &UserFile) -> Result<(), UserFileError> {
        for line in parse_lines(&file.name, &file.bytes) {
            let (number, json) = line?;
            self.add_record(&file.name, &JsonNode::root_of_line(&file.name, number, &json))?;
        }
        Ok(())
    }

    fn count_record(&mut self, place: &JsonNode<'_>) -> Result<(), IoError> {
        self.count += 1;
        if self.count <= RECORDS_MAX {
            return Ok(());
        }
        let allowed = "500,000 examples and records in all files together";
        Err(place.field_error("one more".to_owned(), allowed))
    }

    fn add_examples(&mut self, file: &str, whole: &JsonNode<'_>) -> Result<(), UserFileError> {
        let mut examples = Vec::new();
        for (at, value) in whole.as_list("a list of examples")?.iter().enumerate() {
            let place = whole.child(at, value);
            place.as_object("an example")?;
            self.count_record(&place)?;
            let (activating, correct) = (read_bool(&place, "activating")?, read_bool(&place, "correct")?);
            let prediction = read_number_or_bool(&place, "prediction")?;
            let probability = match place.get_non_null("probability")? {
                None => None,
                Some(found) => match found.value() {
                    Json::Number(share) if (0.0..=1.0).contains(share) => Some(*share),
                    _ => {
                        return Err(found.invalid_value_error("a probability from 0 to 1, or null").into());
                    }
                },
            };
            examples.push(DelphiExample { activating, prediction, probability, correct });
        }
        let (folder, name) = file.rsplit_once(['/', '\\']).unwrap_or(("", file));
        let latent = file_stem(name).to_owned();
        let latents = self.delphi.entry(folder.to_owned()).or_default();
        if let Some((first, _)) = latents.get(&latent) {
            return Err(UserFileError::duplicate(latent, first, file));
        }
        latents.insert(latent, (file.to_owned(), examples));
        Ok(())
    }

    /// One of Neuronpedia's: a latent, an explanation of one, or a context.
    fn add_record(&mut self, file: &str, place: &JsonNode<'_>) -> Result<(), UserFileError> {
        place.as_object("a record with modelId, layer and index")?;
        let source = format!("{}, {}", read_text_or_integer(place, "modelId")?, read_text_or_integer(place, "layer")?);
        let index = read_text_or_integer(place, "index")?;
        self.count_record(place)?;
        let share = read_active_share(place)?;
        if let Some(share) = share {
            self.add_latent(file, &source, index.clone(), share, place)?;
        }
        let of = self.source_entry(file, &source);
        if share.is_none() && place.get_non_null("description")?.is_some() {
            add_explanation(of, &index, place)?;
        } else if share.is_none() && place.get_non_null("tokens")?.is_some() {
            of.contexts += 1;
        }
        // As the site's own interface answers: a latent with all that is known of it.
        if let Some(found) = place.get_non_null("explanations")? {
            for (at, value) in found.as_list("a list of explanations")?.iter().enumerate() {
                add_explanation(of, &index, &found.child(at, value))?;
            }
        }
        if let Some(found) = place.get_non_null("activations")? {
            of.contexts += found.as_list("a list of contexts")?.len();
        }
        Ok(())
    }

    /// A batch as SAEDashboard writes it for Neuronpedia.
    fn add_dashboard(&mut self, file: &str, whole: &JsonNode<'_>) -> Result<(), UserFileError> {
        let layer = whole.get_non_null("layer")?.map(|_| read_text_or_integer(whole, "layer")).transpose()?;
        let model = whole.get_non_null("model_id")?.map(|_| read_text_or_integer(whole, "model_id")).transpose()?;
        let set = read_text_or_integer(whole, "sae_set")?;
        let named = [model, layer].into_iter().flatten().chain([set]);
        let source = named.collect::<Vec<_>>().join(", ");
        let features = whole.get("features")?;
        for (at, value) in features.as_list("a list of latents")?.iter().enumerate() {
            let place = features.child(at, value);
            self.count_record(&place)?;
            let index = read_text_or_integer(&place, "feature_index")?;
            if let Some(share) = read_active_share(&place)? {
                self.add_latent(file, &source, index, share, &place)?;
            }
            if let Some(found) = place.get_non_null("activations")? {
                let contexts = found.as_list("a list of contexts")?.len();
                self.source_entry(file, &source).contexts += contexts;
            }
        }
        self.source_entry(file, &source);
        Ok(())
    }

    fn source_entry(&mut self, file: &str, source: &str) -> &mut LatentSource {
        let found = self.sources.entry(source.to_owned()).or_default();
        if found.file.is_empty() {
            file.clone_into(&mut found.file);
        }
        found
    }

    fn add_latent(
        &mut self,
        file: &str,
        source: &str,
        index: String,
        share: f64,
        place: &JsonNode<'_>,
    ) -> Result<(), UserFileError> {
        let before = self.source_entry(file, source).shares.insert(index.clone(), share);
        match before.filter(|before| *before != share) {
            None => Ok(()),
            Some(before) => {
                let (index, source) = (EscapedText(&index), EscapedText(source));
                let allowed = format!("{before}, as latent {index} of {source} had it before");
                Err(place.field_error(format!("frac_nonzero {share}"), &allowed).into())
            }
        }
    }

    /// Takes an explanation that delphi wrote, in which no number is.
    pub fn add_explanation_file(&mut self, file: &str) {
        let (_, count) = self.texts.get_or_insert((file.to_owned(), 0));
        *count += 1;
    }

    /// What all files together say.
    ///
    /// # Errors
    /// [`UserFileError::Value`] for explanations of delphi's without a score.
    pub fn finish(self) -> Result<Vec<(String, OwnResults)>, UserFileError> {
        let texts = &self.texts;
        if let Some((file, count)) = texts.as_ref().filter(|_| self.delphi.is_empty()) {
            let found = format!("{} of delphi's, without a number", format_with_noun(*count, "explanation"));
            let allowed = "beside delphi's scores, the files under scores/";
            return Err(UserFileError::value(file, "the whole file", found, allowed));
        }
        let delphi = self.delphi.into_iter().filter_map(|(folder, latents)| {
            let file = latents.values().next().map(|(file, _)| file.clone())?;
            let mut found = measure_delphi(&folder, latents);
            if let Some((_, count)) = texts {
                let texts = format_with_noun(*count, "explanation");
                found.holds += &format!(" {texts} beside them: no number is in these.");
            }
            Some((file, OwnResults::Delphi(found)))
        });
        let sources = self
            .sources
            .into_iter()
            .map(|(name, source)| (source.file.clone(), OwnResults::Neuronpedia(source.into_summary(name))));
        Ok(delphi.chain(sources).collect())
    }
}

/// The share of tokens in which a latent is active, where it is told.
fn read_active_share(place: &JsonNode<'_>) -> Result<Option<f64>, IoError> {
    let Some(found) = place.get_non_null("frac_nonzero")? else { return Ok(None) };
    match found.value() {
        Json::Number(share) if (0.0..=1.0).contains(share) => Ok(Some(*share)),
        _ => Err(found.invalid_value_error("a share from 0 to 1")),
    }
}

/// Text, or a whole number as text.
fn read_text_or_integer(place: &JsonNode<'_>, key: &str) -> Result<String, IoError> {
    let found = place.get(key)?;
    match found.value() {
        Json::Number(_) => Ok(found.as_count()?.to_string()),
        _ => found.as_text().map(str::to_owned),
    }
}

/// True, false, or nothing.
fn read_bool(place: &JsonNode<'_>, key: &str) -> Result<Option<bool>, IoError> {
    let Some(found) = place.get_non_null(key)? else { return Ok(None) };
    match found.value() {
        Json::Bool(value) => Ok(Some(*value)),
        Json::Number(0.0) => Ok(Some(false)),
        Json::Number(1.0) => Ok(Some(true)),
        _ => Err(found.invalid_value_error("true, false, 1, 0 or null")),
    }
}

/// A number, or one that true and false stand for.
fn read_number_or_bool(place: &JsonNode<'_>, key: &str) -> Result<Option<f64>, IoError> {
    match place.get_non_null(key)?.map(|found| found.value().clone()) {
        Some(Json::Bool(value)) => Ok(Some(f64::from(u8::from(value)))),
        _ => read_number(place, key),
    }
}

/// An explanation of a latent.
fn add_explanation(of: &mut LatentSource, index: &str, place: &JsonNode<'_>) -> Result<(), IoError> {
    place.as_object("an explanation")?;
    place.get("description")?.as_text()?;
    of.explanations += 1;
    of.explained.insert(index.to_owned());
    if let Some(model) = place.get_non_null("explanationModelName")? {
        of.explainers.insert(model.as_text()?.to_owned());
    }
    Ok(())
}

impl LatentSource {
    fn into_summary(self, source: String) -> NeuronpediaSummary {
        let Self { shares, explanations, explained, explainers, contexts, .. } = self;
        let mut parts = Vec::new();
        if !shares.is_empty() {
            parts.push(format!("how often {} are active", format_with_noun(shares.len(), "latent")));
        }
        if explanations > 0 {
            let (texts, of) =
                (format_with_noun(explanations, "explanation"), format_with_noun(explained.len(), "latent"));
            parts.push(format!("{texts} of {of}"));
        }
        if contexts > 0 {
            parts.push(format!("{} with activations", format_with_noun(contexts, "context")));
        }
        let parts = if parts.is_empty() { "no numbers".to_owned() } else { parts.join(", ") };
        let known = !shares.is_empty();
        let count = |holds: &dyn Fn(f64) -> bool| known.then(|| shares.values().filter(|share| holds(**share)).count());
        NeuronpediaSummary {
            holds: format!("Neuronpedia's export of {source}: {parts}."),
            needs: (explanations > 0 || contexts > 0).then(|| NEEDED_FOR_FADE.to_owned()),
            latents: shares.len(),
            active_per_token: known.then(|| shares.values().sum()),
            dead: count(&|share| share <= 0.0),
            dense: count(&|share| share > DENSE_ACTIVE_SHARE_MIN),
            source,
            explanations,
            explained: explained.len(),
            explainers: explainers.into_iter().collect(),
            contexts,
        }
    }
}

/// What examples say of an explanation, or of several.
fn measure_detection<'a>(examples: impl Iterator<Item = &'a DelphiExample>) -> DetectionScores {
    let (mut all, mut failed, mut right, mut told) = (0_usize, 0_usize, 0_usize, 0_usize);
    // Right ones and all, of those with the latent and of those without.
    let (mut kinds, mut predicted) = ([[0_usize; 2]; 2], 0_usize);
    let mut scores = [Vec::new(), Vec::new()];
    for example in examples {
        if let Some((activating, probability)) = example.activating.zip(example.probability) {
            scores[usize::from(!activating)].push(probability);
        }
        let Some(prediction) = example.prediction else {
            failed += 1;
            continue;
        };
        all += 1;
        let said = prediction >= PREDICTION_MIN;
        match example.activating {
            Some(activating) => {
                told += 1;
                predicted += usize::from(said);
                right += usize::from(said == activating);
                let kind = &mut kinds[usize::from(!activating)];
                kind[0] += usize::from(said == activating);
                kind[1] += 1;
            }
            // Which of several examples does not belong is right or not.
            None => right += usize::from(example.correct == Some(true)),
        }
    }
    let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
    let [[found, with], [_, without]] = kinds;
    let rates = kinds.map(|[right, all]| share(right, all));
    let known = told == all && told > 0;
    let precision = share(found, predicted).unwrap_or(0.0);
    let recall = rates[0].filter(|_| known);
    let f1 = recall.map(|recall| {
        let sum = precision + recall;
        if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
    });
    let [positives, negatives] = scores;
    let auc = roc_auc(&positives, &negatives).ok();
    let interval = auc.and_then(|auc| auc_interval(auc, positives.len(), negatives.len(), CONFIDENCE_LEVEL).ok());
    DetectionScores {
        examples: all,
        failed,
        activating: known.then_some(with),
        accuracy: share(right, all),
        balanced_accuracy: match rates {
            [Some(with), Some(other)] if known && without > 0 => Some((with + other) / 2.0),
            _ => None,
        },
        precision: known.then_some(precision),
        recall,
        f1,
        auc,
        auc_interval: interval.map(|interval| [interval.low, interval.high]),
    }
}

/// The scores of the latents of a folder.
fn measure_delphi(folder: &str, latents: BTreeMap<String, (String, Vec<DelphiExample>)>) -> DelphiScores {
    let scorer = folder.rsplit(['/', '\\']).next().unwrap_or_default();
    let scorer = if scorer.is_empty() { "scores" } else { scorer }.to_owned();
    let all = measure_detection(latents.values().flat_map(|(_, examples)| examples));
    let each: Vec<LatentScores> = latents
        .into_iter()
        .map(|(latent, (_, examples))| LatentScores { latent, found: measure_detection(examples.iter()) })
        .collect();
    let balanced: Vec<f64> = each.iter().filter_map(|latent| latent.found.balanced_accuracy).collect();
    let mean = (!balanced.is_empty()).then(|| balanced.iter().sum::<f64>() / balanced.len().max(1) as f64);
    let of = match all.activating {
        Some(_) => "whether the latent is active in an example",
        None => "which of several examples does not belong to the latent",
    };
    let holds = format!(
        "delphi's {scorer} scores of the explanations of {}: of {} a judge said {of}; {} of its answers were not understood.",
        format_with_noun(each.len(), "latent"),
        format_with_noun(all.examples + all.failed, "example"),
        all.failed,
    );
    DelphiScores { holds, scorer, all, mean_balanced_accuracy: mean, latents: each }
}

/// The areas of a circuit's faithfulness, with MIB's own beside them.
///
/// MIB's areas are over the shares of edges that it asked for, of which its files hold ten values and no shares; other numbers
/// of values are over `percentages`, or over counts of edges as shares of the last one's.
fn measure_mib(label: &str, place: &JsonNode<'_>) -> Result<OwnResults, UserFileError> {
    let faithfulness = place.get("faithfulnesses")?.as_numbers()?;
    let edges = place.get_non_null("weighted_edge_counts")?.map(|found| found.as_numbers()).transpose()?;
    let shares = place.get_non_null("percentages")?.map(|found| found.as_numbers()).transpose()?;
    let thresholds = match (shares, &edges) {
        (Some(shares), _) if shares.len() == faithfulness.len() => shares,
        (None, _) if faithfulness.len() == THRESHOLDS.len() => THRESHOLDS.to_vec(),
        (None, Some(edges)) if edges.len() == faithfulness.len() => {
            let all = edges.last().copied().unwrap_or(0.0);
            edges.iter().map(|count| count / all).collect()
        }
        _ => {
            let found = format!("{} values", faithfulness.len());
            let allowed = "ten, as MIB has them, or as many weighted_edge_counts or percentages";
            return Err(place.field_error(found, allowed).into());
        }
    };
    if let Some(edges) = edges.as_ref().filter(|edges| edges.len() != faithfulness.len()) {
        let (found, wanted) = (format_with_noun(edges.len(), "value"), faithfulness.len());
        let edges = place.get("weighted_edge_counts")?;
        return Err(edges.field_error(found, &format!("{wanted}, one a faithfulness")).into());
    }
    // Nothing is kept at a share of 0, and an area over shares begins above it.
    let above = |values: &[f64]| -> Vec<f64> {
        let with = values.iter().zip(&thresholds).filter(|(_, share)| **share > 0.0);
        with.map(|(value, _)| *value).collect()
    };
    let (values, edges) = (above(&faithfulness), edges.as_deref().map(above));
    let thresholds = above(&thresholds);
    if values.len() < 2 {
        let found = format!("{} at a share of edges above 0", format_with_noun(values.len(), "value"));
        return Err(place.field_error(found, "two of MIB's faithfulnesses or more").into());
    }
    let holds =
        format!("MIB's faithfulness of a circuit at {} of its model's edges.", format_with_noun(values.len(), "share"));
    let found = measure_curve(label, thresholds, values)?;
    let area = &found.area;
    let mut reported = Vec::new();
    let mut told = |names: [&str; 2], [code, document]: [f64; 2]| -> Result<(), IoError> {
        for name in names {
            let Some(said) = read_number(place, name)? else { continue };
            let (anew, why) = if name.starts_with("area_under") && is_close(said, area.cpr_log_mib) {
                (Recomputed::Values(Some(area.cpr_log_mib), Some(document)), Some("over logarithms of the shares"))
            } else {
                (Recomputed::Values(Some(code), Some(document)), None)
            };
            reported.push(Reported::new(label, name, ReportedNumber::Number(said), anew, why));
        }
        Ok(())
    };
    told(["area_under", "area_under_curve"], [area.cpr; 2])?;
    told(["area_from_1", "area_from_one"], [area.cmd_abs_mib, area.cmd_signed_document])?;
    told(["average", "avg_faithfulness"], [area.mean_faithfulness; 2])?;
    Ok(OwnResults::Mib(OwnCurve { holds: Some(holds), edges, reported, ..found }))
}
