//! One answer's line of a file as MUI-Eval writes them.
//!
//! A line holds hundreds of thousands of values: it is read as it stands, without a tree of it.

use jiter::{Jiter, JiterError, Peek};

use crate::io::EscapedText;

/// Most entries of a line.
pub(super) const ENTRIES_MAX: usize = 1 << 22;
/// Keys under which a record says whether its answer is right.
pub(super) const CORRECTNESS_KEYS: [&str; 7] =
    ["correct", "is_correct", "right", "passed", "accurate", "acc", "exact_match"];
/// Keys under which it says which it is.
pub(super) const NAME_KEYS: [&str; 5] = ["id", "index", "idx", "task_id", "question_id"];
/// What one may hold.
pub(super) const ALLOWED_RECORDS: &str = "an object with \"top_neurons\": [{\"layer\", \"position\", \"neuron\", \"score\"}, …], \
     \"features\": [{\"layer\", \"feature_info\": [{\"pos_index\", \"feat_index\", \"value\"}, …]}, …] or \
     \"neurons\": [[layer, neuron], …], or such a list alone";

/// A neuron's score at a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoreEntry {
    pub layer: u32,
    pub neuron: u32,
    /// Which token of the answer; none where the file does not say it.
    pub position: Option<u32>,
    pub score: f64,
}

/// What the entries of a record are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// Scores of neurons.
    Scores,
    /// Activations of features of an autoencoder.
    Features,
    /// Neurons that are used, without scores.
    Sets,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AnswerRecord {
    /// None where nothing is listed.
    pub entries: Option<Vec<ScoreEntry>>,
    /// None where it lists nothing that tells.
    pub kind: Option<EntryKind>,
    pub is_right: Option<bool>,
    pub name: Option<String>,
    /// Layers of the model, neurons of each.
    pub sizes: (Option<u32>, Option<u32>),
    /// Entries without a layer or a number: the code leaves them out, too.
    pub incomplete_entries: usize,
    /// Whether something stands where right or wrong is said that says neither.
    pub is_right_unclear: bool,
}

/// Why a line is not read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RecordError {
    /// It is no JSON: what is wrong.
    NoJson(String),
    /// A value is not what it may be.
    Value { field: String, found: String, allowed: String },
}

impl From<JiterError> for RecordError {
    fn from(error: JiterError) -> Self {
        Self::NoJson(error.error_type.to_string())
    }
}

fn refuse_value<T>(field: String, found: impl Into<String>, allowed: &str) -> Result<T, RecordError> {
    Err(RecordError::Value { field, found: found.into(), allowed: allowed.to_owned() })
}

/// Reads a line.
pub(super) fn read_record(line: &[u8]) -> Result<AnswerRecord, RecordError> {
    let mut reader =
        RecordReader { jiter: Jiter::new(line).with_allow_inf_nan(), entries: Vec::new(), scored: 0, incomplete: 0 };
    let first = reader.jiter.peek()?;
    let mut record = AnswerRecord::default();
    match first {
        Peek::Object => reader.read_object(&mut record)?,
        Peek::Array => {
            reader.read_entries("", first)?;
            record.entries = Some(Vec::new());
        }
        _ => return refuse_value("the line".to_owned(), reader.skip_value(0)?, ALLOWED_RECORDS),
    }
    reader.jiter.finish()?;
    let listed = reader.entries.len();
    if reader.scored != 0 && reader.scored != listed {
        let found = format!("{} of {listed} entries have one", reader.scored);
        return refuse_value("score".to_owned(), found, "a score of every entry, or of none");
    }
    if let Some(entries) = &mut record.entries {
        *entries = reader.entries;
        if listed > 0 && reader.scored == 0 {
            record.kind = Some(EntryKind::Sets);
        } else if listed > 0 && record.kind.is_none() {
            record.kind = Some(EntryKind::Scores);
        }
    }
    record.incomplete_entries = reader.incomplete;
    Ok(record)
}

/// Keys of a record.
enum RecordKey {
    Neurons,
    Features,
    Right,
    Name,
    Layers,
    Width,
    Other,
}

impl RecordKey {
    fn parse(key: &str) -> Self {
        match key {
            "top_neurons" | "neurons" => Self::Neurons,
            "features" => Self::Features,
            "num_hidden_layers" => Self::Layers,
            "intermediate_size" => Self::Width,
            key if CORRECTNESS_KEYS.contains(&key) => Self::Right,
            key if NAME_KEYS.contains(&key) => Self::Name,
            _ => Self::Other,
        }
    }
}

/// Keys of an entry.
#[derive(Clone, Copy)]
enum EntryKey {
    Layer,
    Neuron,
    Position,
    /// As it is named; `attribution_score` gives way to `score`.
    Score {
        first: bool,
    },
    Info,
    Other,
}

struct RecordReader<'a> {
    jiter: Jiter<'a>,
    entries: Vec<ScoreEntry>,
    /// How many of the entries have a score.
    scored: usize,
    incomplete: usize,
}

impl RecordReader<'_> {
    /// Passes the next value over, and says what it is, from where it stands in the line.
    fn skip_value(&mut self, at: usize) -> Result<String, RecordError> {
        const CHARS_MAX: usize = 40;
        self.jiter.next_skip()?;
        let text = self.jiter.slice_to_current(at);
        let shown = String::from_utf8_lossy(text.get(..CHARS_MAX).unwrap_or(text)).into_owned();
        Ok(EscapedText(&shown).to_string())
    }

    fn read_object(&mut self, record: &mut AnswerRecord) -> Result<(), RecordError> {
        let mut next = self.jiter.next_object()?.map(RecordKey::parse);
        while let Some(key) = next {
            let first = self.jiter.peek()?;
            match key {
                RecordKey::Neurons | RecordKey::Features => {
                    let features = matches!(key, RecordKey::Features);
                    let field = if features { "features" } else { "top_neurons" };
                    if record.entries.is_some() {
                        return refuse_value(field.to_owned(), "a second list", "one list of neurons");
                    }
                    self.read_entries(field, first)?;
                    record.entries = Some(Vec::new());
                    record.kind = features.then_some(EntryKind::Features);
                }
                RecordKey::Right => {
                    let right = match first {
                        Peek::True | Peek::False => Some(self.jiter.known_bool(first)?),
                        first if first.is_num() => match self.jiter.known_float(first)? {
                            0.0 => Some(false),
                            1.0 => Some(true),
                            _ => None,
                        },
                        _ => {
                            self.jiter.next_skip()?;
                            None
                        }
                    };
                    match (right, record.is_right) {
                        (Some(right), Some(other)) if right != other => {
                            let found = "both true and false, under two keys";
                            return refuse_value("correct".to_owned(), found, "one of them");
                        }
                        (Some(right), _) => record.is_right = Some(right),
                        (None, _) => record.is_right_unclear = true,
                    }
                }
                RecordKey::Name => {
                    let name = match first {
                        Peek::String => Some(self.jiter.known_str()?.to_owned()),
                        first if first.is_num() => Some(self.jiter.known_float(first)?.to_string()),
                        _ => {
                            self.jiter.next_skip()?;
                            None
                        }
                    };
                    record.name = record.name.take().or(name);
                }
                RecordKey::Layers => record.sizes.0 = self.read_index(|| "num_hidden_layers".to_owned())?,
                RecordKey::Width => record.sizes.1 = self.read_index(|| "intermediate_size".to_owned())?,
                RecordKey::Other => self.jiter.known_skip(first)?,
            }
            next = self.jiter.next_key()?.map(RecordKey::parse);
        }
        record.is_right_unclear &= record.is_right.is_none();
        Ok(())
    }

    /// Entries one after the other.
    fn read_entries(&mut self, field: &str, first: Peek) -> Result<(), RecordError> {
        let place = |at: usize| match field {
            "" => at.to_string(),
            field => format!("{field}.{at}"),
        };
        if first != Peek::Array {
            let at = self.jiter.current_index();
            let found = self.skip_value(at)?;
            return refuse_value(field.to_owned(), found, ALLOWED_RECORDS);
        }
        let (mut at, mut next) = (0, self.jiter.known_array()?);
        while let Some(first) = next {
            match first {
                Peek::Object => self.read_entry(&|| place(at))?,
                Peek::Array => self.read_pair(&|| place(at))?,
                _ => {
                    let from = self.jiter.current_index();
                    let found = self.skip_value(from)?;
                    return refuse_value(place(at), found, ALLOWED_RECORDS);
                }
            }
            at += 1;
            next = self.jiter.array_step()?;
        }
        Ok(())
    }

    /// Of an entry of `features` with a list of its own, all of that list.
    fn read_entry(&mut self, place: &dyn Fn() -> String) -> Result<(), RecordError> {
        let (mut layer, mut neuron, mut position) = (None, None, None);
        let mut score: Option<(bool, f64)> = None;
        let mut listed: Option<std::ops::Range<usize>> = None;
        let mut next = self.jiter.next_object()?.map(Self::parse_entry_key);
        while let Some(key) = next {
            match key {
                EntryKey::Layer => layer = self.read_index(|| format!("{}.layer", place()))?,
                EntryKey::Neuron => neuron = self.read_index(|| format!("{}.neuron", place()))?,
                EntryKey::Position => position = self.read_index(|| format!("{}.position", place()))?,
                EntryKey::Score { first } => {
                    let value = self.read_score(&|| format!("{}.score", place()))?;
                    if let Some(value) = value
                        && score.is_none_or(|(other, _)| first || !other)
                    {
                        score = Some((first, value));
                    }
                }
                EntryKey::Info => {
                    let from = self.entries.len();
                    self.read_feature_info(place)?;
                    listed = Some(from..self.entries.len());
                }
                EntryKey::Other => self.jiter.next_skip()?,
            }
            next = self.jiter.next_key()?.map(Self::parse_entry_key);
        }
        match (listed, layer) {
            (Some(listed), Some(layer)) => {
                // The layer may stand after the list that it is of.
                self.entries[listed].iter_mut().for_each(|entry| entry.layer = layer);
                Ok(())
            }
            (Some(listed), None) => {
                self.incomplete += listed.len();
                self.scored = self.scored.saturating_sub(listed.len());
                self.entries.truncate(listed.start);
                Ok(())
            }
            (None, _) => self.push_entry(layer, neuron, position, score.map(|(_, value)| value), place),
        }
    }

    fn parse_entry_key(key: &str) -> EntryKey {
        match key {
            "layer" => EntryKey::Layer,
            "neuron" | "feat_index" => EntryKey::Neuron,
            "position" | "pos_index" => EntryKey::Position,
            "score" | "value" => EntryKey::Score { first: true },
            "attribution_score" => EntryKey::Score { first: false },
            "feature_info" => EntryKey::Info,
            _ => EntryKey::Other,
        }
    }

    /// A layer's features, one after the other; their layer is still to be told.
    fn read_feature_info(&mut self, place: &dyn Fn() -> String) -> Result<(), RecordError> {
        let field = || format!("{}.feature_info", place());
        let first = self.jiter.peek()?;
        if first != Peek::Array {
            let at = self.jiter.current_index();
            let found = self.skip_value(at)?;
            return refuse_value(field(), found, "a list of features");
        }
        let (mut at, mut next) = (0usize, self.jiter.known_array()?);
        while let Some(first) = next {
            let place = || format!("{}.{at}", field());
            if first != Peek::Object {
                let from = self.jiter.current_index();
                let found = self.skip_value(from)?;
                return refuse_value(place(), found, "an object with feat_index and value");
            }
            let (mut neuron, mut position, mut score) = (None, None, None);
            let mut key = self.jiter.next_object()?.map(Self::parse_entry_key);
            while let Some(part) = key {
                match part {
                    EntryKey::Neuron => neuron = self.read_index(|| format!("{}.feat_index", place()))?,
                    EntryKey::Position => position = self.read_index(|| format!("{}.pos_index", place()))?,
                    EntryKey::Score { .. } => score = self.read_score(&|| format!("{}.value", place()))?,
                    EntryKey::Layer | EntryKey::Info | EntryKey::Other => self.jiter.next_skip()?,
                }
                key = self.jiter.next_key()?.map(Self::parse_entry_key);
            }
            self.push_entry(Some(0), neuron, position, score, &place)?;
            at += 1;
            next = self.jiter.array_step()?;
        }
        Ok(())
    }

    /// [layer, neuron].
    fn read_pair(&mut self, place: &dyn Fn() -> String) -> Result<(), RecordError> {
        const ALLOWED: &str = "[layer, neuron]";
        let mut numbers = [None; 2];
        let mut next = self.jiter.next_array()?;
        let mut found = 0;
        while next.is_some() {
            let value = self.read_index(|| format!("{}.{found}", place()))?;
            match numbers.get_mut(found) {
                Some(number) => *number = value,
                None => return refuse_value(place(), "more than two numbers", ALLOWED),
            }
            found += 1;
            next = self.jiter.array_step()?;
        }
        if found != 2 {
            return refuse_value(place(), format!("a list of {found}"), ALLOWED);
        }
        let [layer, neuron] = numbers;
        self.push_entry(layer, neuron, None, None, place)
    }

    fn push_entry(
        &mut self,
        layer: Option<u32>,
        neuron: Option<u32>,
        position: Option<u32>,
        score: Option<f64>,
        place: &dyn Fn() -> String,
    ) -> Result<(), RecordError> {
        let Some((layer, neuron)) = layer.zip(neuron) else {
            self.incomplete += 1;
            return Ok(());
        };
        if self.entries.len() == ENTRIES_MAX {
            let allowed = format!("{ENTRIES_MAX} entries an answer");
            return refuse_value(place(), "one entry more", &allowed);
        }
        self.scored += usize::from(score.is_some());
        self.entries.push(ScoreEntry { layer, neuron, position, score: score.unwrap_or_default() });
        Ok(())
    }

    /// A number and where it stands, NaN in the place of anything else; or nothing.
    fn read_number(&mut self) -> Result<Option<(f64, usize)>, RecordError> {
        let first = self.jiter.peek()?;
        if first == Peek::Null {
            self.jiter.known_null()?;
            return Ok(None);
        }
        let from = self.jiter.current_index();
        let value = if first.is_num() {
            self.jiter.known_float(first)?
        } else {
            self.jiter.known_skip(first)?;
            f64::NAN
        };
        Ok(Some((value, from)))
    }

    /// A whole number from 0, or nothing.
    fn read_index(&mut self, field: impl Fn() -> String) -> Result<Option<u32>, RecordError> {
        let Some((value, from)) = self.read_number()? else { return Ok(None) };
        if (0.0..f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0 {
            return Ok(Some(value as u32));
        }
        refuse_value(field(), self.excerpt_from(from), "a whole number from 0 to 4294967294")
    }

    /// A finite number, or nothing.
    fn read_score(&mut self, field: &dyn Fn() -> String) -> Result<Option<f64>, RecordError> {
        let Some((value, from)) = self.read_number()? else { return Ok(None) };
        if value.is_finite() {
            return Ok(Some(value));
        }
        refuse_value(field(), self.excerpt_from(from), "a finite number")
    }

    /// What stands between a place and here, as a refusal tells it.
    fn excerpt_from(&self, from: usize) -> String {
        const CHARS_MAX: usize = 40;
        let text = self.jiter.slice_to_current(from);
        let shown = String::from_utf8_lossy(text.get(..CHARS_MAX).unwrap_or(text)).into_owned();
        EscapedText(&shown).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> (String, String) {
        match read_record(text.as_bytes()) {
            Err(RecordError::Value { field, found, .. }) => (field, found),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn records_of_every_kind_are_read() {
        let text = r#"{"prompt": "a \"b\" [", "response": null, "extra": [[1, {"layer": -1}]],
            "top_neurons": [{"layer": 1, "position": 0, "neuron": 5, "score": 0.25},
                            {"neuron": 6, "layer": 0, "attribution_score": -1e-3},
                            {"layer": null, "neuron": 6, "score": 1}], "correct": 1, "id": 7}"#;
        let found = read_record(text.as_bytes()).unwrap();
        let entry = |layer, neuron, position, score| ScoreEntry { layer, neuron, position, score };
        assert_eq!(found.entries.unwrap(), [entry(1, 5, Some(0), 0.25), entry(0, 6, None, -1e-3)]);
        assert_eq!((found.kind, found.is_right, found.incomplete_entries), (Some(EntryKind::Scores), Some(true), 1));
        assert_eq!(found.name.as_deref(), Some("7"));

        let text = r#"{"features": [{"feature_info": [{"pos_index": 3, "feat_index": 9, "value": 2}], "layer": 4},
            {"layer": 5, "feature_info": []}], "loss": [], "passed": false}"#;
        let found = read_record(text.as_bytes()).unwrap();
        assert_eq!(found.entries.unwrap(), [entry(4, 9, Some(3), 2.0)]);
        assert_eq!((found.kind, found.is_right), (Some(EntryKind::Features), Some(false)));

        for text in ["[[0, 1], [2, 3]]", r#"{"neurons": [[0, 1], [2, 3]], "correct": "B"}"#] {
            let found = read_record(text.as_bytes()).unwrap();
            assert_eq!(found.entries.unwrap(), [entry(0, 1, None, 0.0), entry(2, 3, None, 0.0)]);
            assert_eq!((found.kind, found.is_right), (Some(EntryKind::Sets), None));
            assert_eq!(found.is_right_unclear, text.contains('B'));
        }
        let empty = read_record(br#"{"top_neurons": []}"#).unwrap();
        assert_eq!((empty.entries, empty.kind), (Some(vec![]), None));
        assert_eq!(read_record(br#"{"id": "a", "correct": true}"#).unwrap().entries, None);
        let sizes = read_record(br#"{"num_hidden_layers": 32, "intermediate_size": 14336}"#).unwrap();
        assert_eq!(sizes.sizes, (Some(32), Some(14_336)));
    }

    #[test]
    fn values_are_refused_by_their_place() {
        let one = |entry: &str| format!(r#"{{"top_neurons": [{{"layer": 0, "neuron": 1, "score": 1}}, {entry}]}}"#);
        for (entry, field, found) in [
            (r#"{"layer": -1, "neuron": 0, "score": 1}"#, "top_neurons.1.layer", "-1"),
            (r#"{"layer": 0, "neuron": 1.5, "score": 1}"#, "top_neurons.1.neuron", "1.5"),
            (r#"{"layer": 0, "neuron": 1e300, "score": 1}"#, "top_neurons.1.neuron", "1e300"),
            (
                r#"{"layer": 0, "neuron": 99999999999999999999999, "score": 1}"#,
                "top_neurons.1.neuron",
                "99999999999999999999999",
            ),
            (r#"{"layer": "0", "neuron": 1, "score": 1}"#, "top_neurons.1.layer", "\"0\""),
            (r#"{"layer": 0, "neuron": 1, "score": NaN}"#, "top_neurons.1.score", "NaN"),
            (r#"{"layer": 0, "neuron": 1, "score": -Infinity}"#, "top_neurons.1.score", "-Infinity"),
            (r#"{"layer": 0, "neuron": 1, "score": [1]}"#, "top_neurons.1.score", "[1]"),
            (r#"{"layer": 0, "neuron": 1}"#, "score", "1 of 2 entries have one"),
            ("[0]", "top_neurons.1", "a list of 1"),
            ("[0, 1, 2]", "top_neurons.1", "more than two numbers"),
            ("7", "top_neurons.1", "7"),
        ] {
            assert_eq!(value(&one(entry)), (field.to_owned(), found.to_owned()), "{entry}");
        }
        assert_eq!(value("7").0, "the line");
        assert_eq!(value(r#"{"features": 3}"#), ("features".to_owned(), "3".to_owned()));
        assert_eq!(value(r#"{"features": [{"layer": 0, "feature_info": 1}]}"#).0, "features.0.feature_info");
        assert_eq!(value(r#"{"top_neurons": [], "features": []}"#).1, "a second list");
        assert_eq!(value(r#"{"neurons": [], "correct": 1, "passed": false}"#).0, "correct");
        for text in ["", "{", "[[0, 1]", "{\"a\": }", "[] []", "{\"top_neurons\": [{\"layer\": 01}]}"] {
            assert!(matches!(read_record(text.as_bytes()), Err(RecordError::NoJson(_))), "{text}");
        }
        assert!(read_record("[".repeat(1_000_000).as_bytes()).is_err());
        assert!(read_record(format!("{{\"a\": {}", "[".repeat(1_000_000)).as_bytes()).is_err());
    }
}
