//! Files of neurons, from their bytes to what is found in them.

use std::rc::Rc;

use super::super::metric::{AnswerScores, NoSuchNeuron, UseCounts, direction, pur, random_mui_of_share};
use super::answers::{self, AnswerFlags};
use super::arrays::{self, DenseScores, NeuronArray, NeuronRow};
use super::law::UserLaw;
use super::line_reader::{LINE_BYTES_MAX, LineReader};
use super::options::{NEURONS_MAX, Options, exceeds_neurons_max};
use super::proportion::{self, ProportionRow};
use super::record::{ALLOWED_RECORDS, AnswerRecord, EntryKind, RecordError, ScoreEntry, read_record};
use super::report::{
    EqualCountMui, FileComparison, FileContents, NeuronsResult, ThresholdResult, UserResults, growth_points,
    random_jaccard,
};
use super::tally::{AnswerNeurons, AnswerTally, default_k};
use crate::io::json::{self, Json, JsonNode};
use crate::io::{IoError, ReadAt, describe_non_text, file_stem, read_capped};
use crate::statistics::StatisticsError;
use crate::study::user_file::{BYTES_MAX, StreamedUserFile, UserFile, UserFileError, check_count, is_close};

/// Most bytes of a file of lines, or of one array.
pub const FILE_BYTES_MAX: u64 = 64 << 30;
/// Bytes of a file that are looked through for the largest layer and neuron, where their number is not told.
const SCAN_BYTES_MAX: u64 = 64 << 20;
/// What may be given.
pub const ALLOWED_FILES: &str = ".jsonl with an answer a line, .json with a set of neurons, .npy, .npz or .safetensors with scores, \
     .csv with sample, layer, neuron and score, with id and correct, with accuracy and mui, or proportion/result.csv";
/// What a table may hold.
const ALLOWED_TABLES: &str = "columns sample, layer, neuron and if you like score; id and correct; accuracy and mui; or those of \
     proportion/result.csv";

/// A file of neurons.
enum NeuronFile {
    /// An answer a line.
    Lines(EntryKind),
    /// One set of neurons.
    Union(Vec<ScoreEntry>),
    /// Neurons of samples.
    Rows(Vec<NeuronRow>),
    /// Scores of all.
    Dense(Box<DenseScores>),
}

/// All files by what they are.
#[derive(Default)]
struct ClassifiedFiles {
    parts: Vec<(StreamedUserFile, NeuronFile)>,
    answers: Vec<AnswerFlags>,
    law: Option<UserLaw>,
    proportions: Vec<ProportionRow>,
    /// Layers of the model and neurons of each, as a file says them.
    sizes: [Option<usize>; 2],
    notes: Vec<String>,
}

fn to_file_error(file: &str, line: u64, refusal: RecordError) -> UserFileError {
    match refusal {
        RecordError::NoJson(found) => IoError::text(file, line, found, "JSON in UTF-8, one value a line").into(),
        RecordError::Value { field, found, allowed } => {
            UserFileError::value(file, format!("line {line}, {field}"), found, allowed)
        }
    }
}

/// The name without folders.
fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

impl ClassifiedFiles {
    fn from_files(files: Vec<StreamedUserFile>) -> Result<Self, UserFileError> {
        check_count(files.len(), ALLOWED_FILES)?;
        let mut sorted = Self::default();
        for file in files {
            let needed = file.source.size();
            if needed > FILE_BYTES_MAX {
                let (file, what) = (file.name, "it".to_owned());
                return Err(IoError::TooLarge { file, what, needed, cap: FILE_BYTES_MAX }.into());
            }
            let name = file.name.to_ascii_lowercase();
            match name.rsplit('.').next().unwrap_or_default() {
                "jsonl" | "ndjson" => sorted.add_lines(file)?,
                "json" => sorted.add_json(file)?,
                "csv" => sorted.add_table(file)?,
                "npy" | "npz" | "safetensors" => sorted.add_array(file)?,
                _ => return Err(UserFileError::unknown(file.name, ALLOWED_FILES)),
            }
        }
        Ok(sorted)
    }

    fn add_lines(&mut self, file: StreamedUserFile) -> Result<(), UserFileError> {
        let mut lines = LineReader::new(&file.name, &file.source)?;
        let mut empty = None;
        while let Some((line, text)) = lines.next_line()? {
            let found = match read_record(text) {
                Ok(found) => found,
                // Of what comes later a line may be broken.
                Err(RecordError::NoJson(_)) if empty.is_some() => continue,
                Err(error) => return Err(to_file_error(&file.name, line, error)),
            };
            let AnswerRecord { entries, kind, is_right: right, sizes: (layers, width), .. } = found;
            for (size, found) in self.sizes.iter_mut().zip([layers, width]) {
                *size = size.or(found.map(|found| found as usize));
            }
            match (entries, kind, right) {
                (Some(_), Some(kind), _) => {
                    self.parts.push((file, NeuronFile::Lines(kind)));
                    return Ok(());
                }
                (Some(_), None, _) => empty = Some(line),
                (None, _, Some(_)) if empty.is_none() => {
                    self.answers.push(AnswerFlags::from_lines(&file.name, &file.source)?);
                    return Ok(());
                }
                _ => {
                    let (field, found) = (format!("line {line}"), "no list of neurons");
                    return Err(UserFileError::value(file.name, field, found, ALLOWED_RECORDS));
                }
            }
        }
        if empty.is_none() {
            return Err(UserFileError::value(file.name, "lines", "none", ALLOWED_RECORDS));
        }
        // Every list is empty: nothing is used.
        self.parts.push((file, NeuronFile::Lines(EntryKind::Sets)));
        Ok(())
    }

    fn add_json(&mut self, file: StreamedUserFile) -> Result<(), UserFileError> {
        const ALLOWED_JSON: &str = "a list of [layer, neuron], a list of the indices of right answers, a list of true and false, or an \
             object with num_hidden_layers and intermediate_size";
        let name = file.name.as_str();
        let bytes = read_capped(name, &*file.source, "its text", LINE_BYTES_MAX as u64)?;
        if let Some(found) = describe_non_text(&bytes) {
            return Err(IoError::text(name, 1, found, "JSON in UTF-8").into());
        }
        let text = bytes.trim_ascii();
        let nested = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
        if nested.is_some_and(|rest| rest.starts_with(b"[")) {
            let found = read_record(text).map_err(|error| to_file_error(name, 1, error))?;
            self.parts.push((file, NeuronFile::Union(found.entries.unwrap_or_default())));
            return Ok(());
        }
        let read = json::parse(name, &bytes)?;
        if let Some(answers) = AnswerFlags::from_list(name, &read)? {
            self.answers.push(answers);
            return Ok(());
        }
        let whole = JsonNode::root(name, &read);
        let Json::Object(_) = read else {
            return Err(whole.invalid_value_error(ALLOWED_JSON).into());
        };
        let sizes = [whole.get_optional("num_hidden_layers")?, whole.get_optional("intermediate_size")?];
        if sizes.iter().any(Option::is_none) {
            return Err(whole.invalid_value_error(ALLOWED_JSON).into());
        }
        for (size, found) in self.sizes.iter_mut().zip(sizes) {
            let found = found.map(|found| found.as_count()).transpose()?;
            *size = found.and_then(|found| usize::try_from(found).ok());
        }
        Ok(())
    }

    fn add_table(&mut self, file: StreamedUserFile) -> Result<(), UserFileError> {
        let bytes = read_capped(&file.name, &*file.source, "its text", BYTES_MAX)?;
        let name = file.name.clone();
        let rows = answers::read_csv_rows(&name, &bytes)?;
        let Some(((_, first), rest)) = rows.split_first() else {
            return Err(UserFileError::value(name, "rows", "none", ALLOWED_TABLES));
        };
        let header: Vec<String> = first.iter().map(|cell| cell.to_lowercase()).collect();
        let has = |column: &str| header.iter().any(|name| name == column);
        let numbers = first.iter().all(|cell| cell.parse::<f64>().is_ok());
        if has("proportion") && has("mode") {
            let (found, twice) = proportion::read_proportions(&name, &header, rest)?;
            self.proportions.extend(found);
            if twice > 0 {
                let note = format!(
                    "{name}: of rows with the same model, task and threshold the last is kept, as by MUI-Eval; {twice} left out."
                );
                self.notes.push(note);
            }
        } else if ["sample", "layer", "neuron"].into_iter().all(has) {
            let rows = arrays::rows_from_table(&name, Some(&header), rest)?;
            self.add_rows(file, rows)?;
        } else if numbers && [3, 4].contains(&first.len()) {
            let found = arrays::rows_from_table(&name, None, &rows)?;
            self.notes
                .push(format!("{name}: without a header, its columns are taken for sample, layer, neuron and score."));
            self.add_rows(file, found)?;
        } else if !UserLaw::is_header(&header) && super::record::CORRECTNESS_KEYS.into_iter().any(has) {
            self.answers.push(AnswerFlags::from_table(&name, &header, rest)?);
        } else {
            let given = UserFile { name: name.clone(), bytes };
            if self.law.replace(UserLaw::read(&given)?).is_some() {
                return Err(UserFileError::duplicate("a table of models", "another file", name));
            }
        }
        Ok(())
    }

    fn add_rows(&mut self, file: StreamedUserFile, mut rows: Vec<NeuronRow>) -> Result<(), UserFileError> {
        if rows.is_empty() {
            return Err(UserFileError::value(file.name, "rows", "none", ALLOWED_TABLES));
        }
        rows.sort_by_key(|row| row.sample);
        self.parts.push((file, NeuronFile::Rows(rows)));
        Ok(())
    }

    fn add_array(&mut self, file: StreamedUserFile) -> Result<(), UserFileError> {
        match arrays::open_array(&file.name, Box::new(Rc::clone(&file.source)), BYTES_MAX)? {
            NeuronArray::Answers(answers) => self.answers.push(answers),
            NeuronArray::Rows(rows) => self.add_rows(file, rows)?,
            NeuronArray::Dense(dense) => self.parts.push((file, NeuronFile::Dense(Box::new(dense)))),
        }
        Ok(())
    }

    /// The answers that belong to a file of neurons: the only ones there are of the only file, else those whose
    /// name begins with the file's.
    fn answers_of(&self, name: &str) -> Option<&AnswerFlags> {
        match (self.parts.as_slice(), self.answers.as_slice()) {
            ([_], [answers]) => Some(answers),
            (_, all) => {
                let of = |name| file_stem(base_name(name));
                all.iter().find(|answers| of(&answers.file).starts_with(of(name)))
            }
        }
    }

    /// Refuses answers that belong to nothing.
    fn check_answers(&self) -> Result<(), UserFileError> {
        let parts = || self.parts.iter().map(|(file, _)| file.name.as_str());
        let used =
            |answers: &AnswerFlags| parts().any(|name| self.answers_of(name).is_some_and(|of| of.file == answers.file));
        match self.answers.iter().find(|answers| !used(answers)) {
            Some(answers) => {
                let allowed = "a file of neurons with it; of several, the one that its name begins with";
                Err(UserFileError::unknown(&answers.file, allowed))
            }
            None => Ok(()),
        }
    }
}

/// What the entries of some answers reach to.
#[derive(Default)]
struct EntryRange {
    answers: usize,
    layer: u32,
    neuron: u32,
}

impl EntryRange {
    fn extend(&mut self, entries: &[ScoreEntry]) {
        for entry in entries {
            self.layer = self.layer.max(entry.layer);
            self.neuron = self.neuron.max(entry.neuron);
        }
    }

    fn scan(file: &StreamedUserFile, part: &NeuronFile) -> Result<Self, UserFileError> {
        let mut reach = Self::default();
        match part {
            NeuronFile::Union(entries) => {
                reach.answers = 1;
                reach.extend(entries);
            }
            NeuronFile::Rows(rows) => {
                let mut last = None;
                for row in rows {
                    reach.answers += usize::from(last != Some(row.sample));
                    last = Some(row.sample);
                    reach.extend(&[row.entry]);
                }
            }
            NeuronFile::Lines(_) => {
                let mut lines = LineReader::new(&file.name, &file.source)?;
                while lines.bytes_read() <= SCAN_BYTES_MAX {
                    let Some((line, text)) = lines.next_line()? else { break };
                    match read_record(text) {
                        Ok(found) => {
                            reach.extend(&found.entries.unwrap_or_default());
                            reach.answers += 1;
                        }
                        Err(RecordError::NoJson(_)) => {}
                        Err(error) => return Err(to_file_error(&file.name, line, error)),
                    }
                }
            }
            NeuronFile::Dense(_) => {}
        }
        Ok(reach)
    }
}

/// Layers of the model and neurons of each.
fn find_model_sizes(
    file: &StreamedUserFile,
    part: &NeuronFile,
    asked: &Options,
    told: [Option<usize>; 2],
) -> Result<[usize; 2], UserFileError> {
    let [layers, neurons] = [asked.layers.or(told[0]), asked.neurons.or(told[1])];
    let sizes = match part {
        NeuronFile::Dense(dense) => {
            let found = [dense.layers, dense.neurons];
            let other = [layers, neurons].into_iter().zip(found);
            if other.into_iter().any(|(asked, found)| asked.is_some_and(|asked| asked != found)) {
                let said = format!("{} layers of {} neurons", found[0], found[1]);
                let maybe = |value: Option<usize>| value.map_or("any".to_owned(), |v| v.to_string());
                let allowed = format!("{} layers of {} neurons, as asked", maybe(layers), maybe(neurons));
                return Err(UserFileError::value(&file.name, "shape", said, allowed));
            }
            found
        }
        _ => match layers.zip(neurons) {
            Some((layers, neurons)) => [layers, neurons],
            None => {
                let missing = match (layers, neurons) {
                    (None, None) => "layers and neurons",
                    (None, _) => "layers",
                    _ => "neurons",
                };
                let EntryRange { answers, layer, neuron } = EntryRange::scan(file, part)?;
                let one = if answers == 1 { "answer" } else { "answers" };
                let allowed = format!(
                    "how many layers the model has, and how many neurons each, is needed for a share of them: the \
                     largest in the first {answers} {one} are layer {layer} and neuron {neuron}, both from 0"
                );
                return Err(UserFileError::missing(format!("{}, {missing}", file.name), allowed));
            }
        },
    };
    if sizes.contains(&0) || exceeds_neurons_max(sizes[0], sizes[1]) {
        let found = format!("{} layers of {} neurons", sizes[0], sizes[1]);
        let allowed = format!("1 to {NEURONS_MAX} neurons in all layers together");
        return Err(UserFileError::value(&file.name, "sizes", found, allowed));
    }
    Ok(sizes)
}

/// A file's answers on their way in.
struct AnswerReader<'a> {
    file: &'a str,
    answers: Option<&'a AnswerFlags>,
    kind: EntryKind,
    tally: AnswerTally,
    /// Answers so far, broken ones among them.
    at: usize,
    named: bool,
    repeated: usize,
    incomplete: usize,
    broken: Vec<u64>,
    unclear: usize,
    unknown: usize,
    /// The most scores that an answer lists of a layer.
    listed: usize,
}

impl<'a> AnswerReader<'a> {
    fn new(file: &'a str, kind: EntryKind, tally: AnswerTally, answers: Option<&'a AnswerFlags>) -> Self {
        Self {
            file,
            answers,
            kind,
            tally,
            at: 0,
            named: false,
            repeated: 0,
            incomplete: 0,
            broken: Vec::new(),
            unclear: 0,
            unknown: 0,
            listed: 0,
        }
    }

    /// Whether the next answer is right.
    fn next_is_right(&mut self, name: Option<&str>, own: Option<bool>) -> Option<bool> {
        let at = self.at;
        self.at += 1;
        self.named |= name.is_some();
        let Some(answers) = self.answers else { return own };
        let right = answers.is_right(name, at);
        self.unknown += usize::from(right.is_none());
        right
    }

    fn neuron_error(&self, place: &str, error: NoSuchNeuron) -> UserFileError {
        let NoSuchNeuron { layer, neuron, layers, neurons } = error;
        let allowed = format!("layers 0 to {}, neurons 0 to {}", layers - 1, neurons - 1);
        let found = format!("neuron {neuron} of layer {layer}");
        UserFileError::value(self.file, place, found, allowed)
    }

    /// Takes what an answer lists.
    fn add_answer(
        &mut self,
        mut entries: Vec<ScoreEntry>,
        right: Option<bool>,
        place: &str,
    ) -> Result<(), UserFileError> {
        let (layers, neurons) = (self.tally.layers, self.tally.neurons);
        let outside = |entry: &&ScoreEntry| entry.layer as usize >= layers || entry.neuron as usize >= neurons;
        if let Some(entry) = entries.iter().find(outside) {
            let (layer, neuron) = (entry.layer as usize, entry.neuron as usize);
            return Err(self.neuron_error(place, NoSuchNeuron { layer, neuron, layers, neurons }));
        }
        let before = entries.len();
        let taken = if self.kind == EntryKind::Sets {
            let mut set: Vec<_> = entries.iter().map(|entry| (entry.layer as usize, entry.neuron as usize)).collect();
            set.sort_unstable();
            set.dedup();
            self.repeated += before - set.len();
            self.tally.add_answer(&AnswerNeurons::Set(&set), right)
        } else {
            if let Some((entry, other)) = deduplicate(&mut entries) {
                let found = format!(
                    "neuron {} of layer {} has scores {} and {} at one position",
                    entry.neuron, entry.layer, entry.score, other
                );
                let allowed = "one score of a neuron at a position";
                return Err(UserFileError::value(self.file, place, found, allowed));
            }
            self.repeated += before - entries.len();
            let mut by_layer = vec![Vec::new(); layers];
            for entry in &entries {
                if let Some(layer) = by_layer.get_mut(entry.layer as usize) {
                    layer.push((entry.neuron as usize, entry.score));
                }
            }
            let most = by_layer.iter().map(Vec::len).max();
            self.listed = self.listed.max(most.unwrap_or_default());
            let scores =
                AnswerScores::from_sparse(by_layer, neurons).map_err(|error| self.score_error(place, &error))?;
            self.tally.add_answer(&AnswerNeurons::Scores(&scores, None), right)
        };
        taken.map_err(|error| self.neuron_error(place, error))
    }

    fn score_error(&self, place: &str, error: &StatisticsError) -> UserFileError {
        UserFileError::value(self.file, place, error.to_string(), "finite scores")
    }

    fn read_lines(&mut self, source: &Rc<dyn ReadAt>, tell: &mut dyn FnMut(u64)) -> Result<(), UserFileError> {
        let mut lines = LineReader::new(self.file, source)?;
        let mut told = 0;
        while let Some((line, text)) = lines.next_line()? {
            let found = match read_record(text) {
                Ok(found) => found,
                Err(RecordError::NoJson(_)) => {
                    self.broken.push(line);
                    self.at += 1;
                    continue;
                }
                Err(error) => return Err(to_file_error(self.file, line, error)),
            };
            let AnswerRecord {
                entries,
                kind,
                is_right: right,
                name,
                incomplete_entries: incomplete,
                is_right_unclear: unclear,
                ..
            } = found;
            let place = format!("line {line}");
            let Some(entries) = entries else {
                return Err(UserFileError::value(self.file, place, "no list of neurons", ALLOWED_RECORDS));
            };
            if let Some(kind) = kind
                && kind != self.kind
            {
                let said = |kind| match kind {
                    EntryKind::Scores => "scores of neurons",
                    EntryKind::Features => "features",
                    EntryKind::Sets => "neurons without scores",
                };
                return Err(UserFileError::value(self.file, place, said(kind), said(self.kind)));
            }
            self.incomplete += incomplete;
            self.unclear += usize::from(unclear);
            let right = self.next_is_right(name.as_deref(), right);
            self.add_answer(entries, right, &place)?;
            if lines.bytes_read() != told {
                told = lines.bytes_read();
                tell(told);
            }
        }
        Ok(())
    }

    fn read_rows(&mut self, rows: &[NeuronRow]) -> Result<(), UserFileError> {
        for sample in rows.chunk_by(|one, other| one.sample == other.sample) {
            let number = sample.first().map_or(0, |row| row.sample);
            let right = self.next_is_right(Some(&number.to_string()), None);
            let entries = sample.iter().map(|row| row.entry).collect();
            self.add_answer(entries, right, &format!("sample {number}"))?;
        }
        Ok(())
    }

    fn read_dense(&mut self, dense: &DenseScores, tell: &mut dyn FnMut(u64)) -> Result<(), UserFileError> {
        let size = (dense.tokens * dense.layers * dense.neurons) as u64;
        for at in 0..dense.samples {
            let place = format!("sample {at}");
            let layers = dense.read_sample(at)?;
            let right = self.next_is_right(None, None);
            let taken = if dense.is_binary {
                let mut set = Vec::new();
                for (layer, flags) in layers.iter().enumerate() {
                    let used = flags.iter().enumerate().filter(|(_, flag)| **flag == 1.0);
                    set.extend(used.map(|(index, _)| (layer, index % dense.neurons)));
                }
                set.sort_unstable();
                set.dedup();
                self.tally.add_answer(&AnswerNeurons::Set(&set), right)
            } else {
                let last = |layer: &Vec<f64>| layer[layer.len() - dense.neurons..].to_vec();
                let last = (dense.tokens > 1).then(|| layers.iter().map(last).collect::<Vec<_>>());
                let of = |layers| AnswerScores::new(layers, dense.neurons);
                let odd = |error: StatisticsError| self.score_error(&place, &error);
                let last = last.map(of).transpose().map_err(odd)?;
                let scores = of(layers).map_err(odd)?;
                self.tally.add_answer(&AnswerNeurons::Scores(&scores, last.as_ref()), right)
            };
            taken.map_err(|error| self.neuron_error(&place, error))?;
            tell((at as u64 + 1) * size);
        }
        dense.verify_checksums()
    }

    /// Refuses answers of another file that are not as many.
    fn check_answer_count(&self) -> Result<(), UserFileError> {
        let Some(answers) = self.answers else { return Ok(()) };
        match answers.count() {
            Some(count) if !answers.joins_by_name(self.named) && count != self.at => {
                let allowed = format!("{}, as many as {} has", self.at, self.file);
                Err(UserFileError::value(&answers.file, "answers", count.to_string(), allowed))
            }
            _ => Ok(()),
        }
    }

    fn notes(&self) -> Vec<String> {
        /// Lines that are told.
        const LINES_SHOWN_MAX: usize = 5;
        let mut notes = Vec::new();
        let mut note = |many: usize, words: &str| {
            if many > 0 {
                notes.push(format!("{}: {many} {words}", self.file));
            }
        };
        let lines: Vec<String> = self.broken.iter().take(LINES_SHOWN_MAX).map(u64::to_string).collect();
        let more = if self.broken.len() > LINES_SHOWN_MAX { ", …" } else { "" };
        let said = format!("lines are no JSON and are left out, as by the code: {}{more}.", lines.join(", "));
        note(self.broken.len(), &said);
        note(self.repeated, "entries are there twice; each counts once.");
        note(self.incomplete, "entries have no layer or no number and are left out, as by the code.");
        note(self.unclear, "answers have what is neither right nor wrong where that is said; it is not read.");
        note(self.unknown, "answers are not marked right or wrong.");
        note(self.tally.empty_answers, "answers use no neuron by the paper’s reading.");
        // Features that are not listed are 0.
        if self.kind == EntryKind::Scores && self.listed > 0 && self.tally.needs_more_scores_than(self.listed) {
            notes.push(format!(
                "{}: no answer lists more than {} scores of a layer: a threshold of more takes all of them.",
                self.file, self.listed
            ));
        }
        if let Some(answers) = self.answers {
            let by = if answers.joins_by_name(self.named) { "name" } else { "place, from 0" };
            notes
                .push(format!("{}: right and wrong answers are those of {}, joined by {by}.", self.file, answers.file));
        }
        notes
    }
}

/// Leaves one of entries that are the same; of tokens that are not told apart, all stay. Else an entry that is there
/// with two scores, and the other score.
fn deduplicate(entries: &mut Vec<ScoreEntry>) -> Option<(ScoreEntry, f64)> {
    let mut order: Vec<(u32, u32, u32, usize)> = entries
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| Some((entry.layer, entry.neuron, entry.position?, at)))
        .collect();
    order.sort_unstable();
    let mut again = Vec::new();
    for pair in order.windows(2) {
        let [one, other] = pair else { continue };
        if (one.0, one.1, one.2) == (other.0, other.1, other.2) {
            let (first, second) = (entries.get(one.3)?, entries.get(other.3)?);
            if first.score != second.score {
                return Some((*first, second.score));
            }
            again.push(other.3);
        }
    }
    if !again.is_empty() {
        again.sort_unstable();
        let mut at = 0;
        entries.retain(|_| {
            at += 1;
            again.binary_search(&(at - 1)).is_err()
        });
    }
    None
}

/// What some files come to, telling the file and how far it is, from 0 to 1.
///
/// Files are told apart by the ends of their names and by what they hold:
///
/// - `.jsonl` with an answer a line, as MUI-Eval's `*_result.jsonl`: `top_neurons` or `features`, or a set
///   `[[layer, neuron], …]`; whether it is right may stand beside, as `correct`.
/// - `.json` with one set of neurons, as MUI-Eval's `neuron/…/*.json`; with the indices of the right answers; or a
///   model's configuration, for `num_hidden_layers` and `intermediate_size`.
/// - `.npy` (`.npz`, `.safetensors` with one array): scores, samples × tokens × layers × neurons; without tokens;
///   whole numbers 0 and 1 say only whether a neuron is used; rows of (sample, layer, neuron, score).
/// - `.csv`: the same rows; `id` and `correct`; models with accuracy and index; `proportion/result.csv`.
///
/// Files of neurons are read piece by piece and never held. Of each neuron it is counted how many answers use it.
///
/// # Errors
/// [`UserFileError`] for what is none of these, values out of their range, and sizes that nobody tells.
pub fn measure_files(
    files: Vec<StreamedUserFile>,
    asked: &Options,
    tell: &mut dyn FnMut(&str, f64),
) -> Result<UserResults, UserFileError> {
    let mut sorted = ClassifiedFiles::from_files(files)?;
    sorted.check_answers()?;
    let many = sorted.parts.len();
    if ![0, many].contains(&asked.accuracy.len()) {
        let allowed = format!("one number for each file of neurons: {many}, not {}", asked.accuracy.len());
        return Err(UserFileError::missing("accuracy", allowed));
    }
    let mut found =
        UserResults { law: sorted.law.take(), notes: std::mem::take(&mut sorted.notes), ..UserResults::default() };
    if let Some(UserLaw { law, .. }) = &found.law {
        found.notes.extend(law.notes.iter().cloned());
    }
    let total: u64 = sorted.parts.iter().map(|(file, _)| file.source.size()).sum();
    let (mut done, mut before): (u64, Option<UseCounts>) = (0, None);
    let mut proportions = std::mem::take(&mut sorted.proportions);
    for (at, (file, part)) in sorted.parts.iter().enumerate() {
        let mut far = |read: u64| tell(&file.name, (done + read) as f64 / total.max(1) as f64);
        far(0);
        let stated = asked.accuracy.get(at).copied();
        let answers = sorted.answers_of(&file.name);
        let taken = read_answers(file, part, asked, sorted.sizes, answers, &proportions, &mut far)?;
        for row in &mut proportions {
            if row.source_file() == base_name(&file.name)
                && let Some(threshold) = row.threshold()
            {
                let code = taken.tally.other_thresholds.iter().find_map(|other| other.code_mui_at(threshold));
                row.recomputed = code;
            }
        }
        found.notes.extend(taken.notes());
        let neurons = file_result(&file.name, part, &taken, stated, asked.alpha);
        found.said.push(neurons.describe());
        if let (Some(before), Some(last)) = (&before, found.files.last()) {
            let step = compare_files((last, before), (&neurons, &taken.tally.all_uses));
            found.said.push(step.describe());
            found.steps.push(step);
        }
        found.files.push(neurons);
        before = Some(taken.tally.all_uses);
        done += file.source.size();
    }
    tell("", 1.0);
    add_overall_results(&mut found, proportions, asked);
    Ok(found)
}

fn read_answers<'a>(
    file: &'a StreamedUserFile,
    part: &NeuronFile,
    asked: &Options,
    told: [Option<usize>; 2],
    answers: Option<&'a AnswerFlags>,
    proportions: &[ProportionRow],
    far: &mut dyn FnMut(u64),
) -> Result<AnswerReader<'a>, UserFileError> {
    let sizes = find_model_sizes(file, part, asked, told)?;
    let kind = match part {
        NeuronFile::Lines(kind) => *kind,
        NeuronFile::Union(_) => EntryKind::Sets,
        NeuronFile::Rows(rows) if rows.iter().all(|row| !row.has_score) => EntryKind::Sets,
        NeuronFile::Dense(dense) if dense.is_binary => EntryKind::Sets,
        NeuronFile::Rows(_) | NeuronFile::Dense(_) => EntryKind::Scores,
    };
    let k = default_k(asked.k, kind == EntryKind::Features, sizes[1]);
    let apart = matches!(part, NeuronFile::Dense(dense) if dense.tokens > 1);
    let besides = proportions.iter().filter(|row| row.source_file() == base_name(&file.name));
    let besides: Vec<_> = besides.filter_map(ProportionRow::threshold).collect();
    let tally = AnswerTally::new(sizes, k, kind != EntryKind::Sets, apart, &besides);
    let mut taking = AnswerReader::new(&file.name, kind, tally, answers);
    match part {
        NeuronFile::Lines(_) => taking.read_lines(&file.source, far)?,
        NeuronFile::Union(entries) => taking.add_answer(entries.clone(), None, "its set")?,
        NeuronFile::Rows(rows) => taking.read_rows(rows)?,
        NeuronFile::Dense(dense) => taking.read_dense(dense, far)?,
    }
    if !matches!(part, NeuronFile::Union(_)) {
        taking.check_answer_count()?;
    }
    Ok(taking)
}

fn file_result(
    name: &str,
    part: &NeuronFile,
    taking: &AnswerReader<'_>,
    stated: Option<f64>,
    alpha: f64,
) -> NeuronsResult {
    let AnswerReader { tally, kind, .. } = taking;
    let union = matches!(part, NeuronFile::Union(_));
    let scored = *kind != EntryKind::Sets;
    let (right, told) = tally.count_right_and_known();
    let performance = stated.or((told > 0).then(|| 100.0 * right as f64 / told as f64));
    let all = &tally.all_uses;
    let mui = all.mui();
    let share = all.mean_share_per_answer();
    let equally = match (&tally.right_uses, &tally.wrong_uses) {
        (Some(right), Some(wrong)) => {
            let answers = right.answer_count().min(wrong.answer_count());
            let [right, wrong] = [right, wrong].map(|uses| uses.mean_growth().mui_at(answers));
            Some(EqualCountMui { answers, right, wrong })
        }
        _ => None,
    };
    let holds = match (union, kind) {
        (true, _) => FileContents::Union,
        (_, EntryKind::Scores) => FileContents::Scores,
        (_, EntryKind::Features) => FileContents::Features,
        (_, EntryKind::Sets) => FileContents::Sets,
    };
    let width = tally.neurons.max(1) as f64;
    NeuronsResult {
        file: name.to_owned(),
        holds,
        answers: (!union).then(|| all.answer_count()),
        layers: tally.layers,
        neurons: tally.neurons,
        threshold: scored.then(|| tally.threshold.to_string()),
        used: all.count_used(),
        mui,
        mui_code: scored.then(|| tally.code_union.mui()),
        by_lot: (!union).then(|| random_mui_of_share(share, all.answer_count())),
        mean_k: (!union).then_some(share * width),
        performance,
        right,
        told,
        mui_correct: tally.right_uses.as_ref().map(UseCounts::mui),
        mui_correct_code: (scored && tally.right_uses.is_some()).then(|| tally.code_right_union.mui()),
        equally,
        pur: performance.and_then(|performance| pur(performance, 100.0 * mui, alpha).ok()),
        growth: if union { Vec::new() } else { growth_points(all) },
        thresholds: tally
            .other_thresholds
            .iter()
            .map(|other| {
                let (threshold, mui, mui_code) = other.to_result();
                ThresholdResult { threshold, mui, mui_code }
            })
            .collect(),
        by_layer: all.count_used_by_layer().into_iter().map(|used| used as f64 / width).collect(),
    }
}

/// From a file to the next.
fn compare_files(
    (last, before): (&NeuronsResult, &UseCounts),
    (next, after): (&NeuronsResult, &UseCounts),
) -> FileComparison {
    let answers = last.answers.zip(next.answers).map(|(one, other)| one.min(other));
    let mui = match answers {
        Some(answers) => [before, after].map(|uses| uses.mean_growth().mui_at(answers)),
        None => [last.mui, next.mui],
    };
    let performance = last.performance.zip(next.performance).map(|(one, other)| [one, other]);
    let way = performance.and_then(|[from, to]| direction((from, 100.0 * mui[0]), (to, 100.0 * mui[1])).ok());
    let shared = before.intersection_and_union(after);
    let jaccard = shared.filter(|(_, either)| *either > 0);
    FileComparison {
        from: last.file.clone(),
        to: next.file.clone(),
        answers,
        performance,
        mui,
        direction: way,
        jaccard: jaccard.map(|(both, either)| both as f64 / either as f64),
        jaccard_by_lot: shared.and_then(|_| random_jaccard(before, after, next.neurons)),
    }
}

/// What concerns all files together.
fn add_overall_results(found: &mut UserResults, proportions: Vec<ProportionRow>, asked: &Options) {
    let scored: Vec<&NeuronsResult> = found.files.iter().filter(|file| file.threshold.is_some()).collect();
    if asked.k.is_none() && !scored.is_empty() {
        let note = "Without a k it is a thousandth of a layer’s neurons, rounded down, as in the paper; 50 of features; 5 where \
                    a thousandth is none.";
        found.notes.push(note.to_owned());
    }
    if found.files.iter().any(|file| file.performance.is_none()) && found.files.len() > 1 {
        let note = "Directions need the performance of both files: joined answers, or an accuracy for each file.";
        found.notes.push(note.to_owned());
    }
    if !asked.accuracy.is_empty() && asked.accuracy.iter().all(|value| *value <= 1.0) {
        let note = "No accuracy is above 1: they are read in percent.";
        found.notes.push(note.to_owned());
    }
    if found.steps.iter().any(|step| step.jaccard.is_none() && step.jaccard_by_lot.is_none()) {
        let note = "Neurons of models of different sizes, or of files that use none, have nothing in common that could be counted.";
        found.notes.push(note.to_owned());
    }
    if found.steps.iter().any(|step| step.answers.is_none()) {
        let note = "A set of neurons does not say of how many answers it is: its index can be compared with none of another number.";
        found.notes.push(note.to_owned());
    }
    let held: Vec<&ProportionRow> = proportions.iter().filter(|row| row.recomputed.is_some()).collect();
    if !proportions.is_empty() {
        let agree = held.iter().filter(|row| row.recomputed.is_some_and(|anew| is_close(row.mui, anew))).count();
        found.said.push(format!(
            "Of {} reported indices {} could be recomputed, as implemented; {agree} of these agree.",
            proportions.len(),
            held.len()
        ));
    }
    found.proportions = proportions;
}
