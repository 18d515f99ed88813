//! Pairs of keys and values in a text, as links and studies of families have them: read one by one,
//! whatever stands there, with a sentence for everything that could not be used.

use percent_encoding::percent_decode_str;

use super::{Change, Field, FieldKind, ParameterDraft, Parameters, check, parameters, read_switch, text};

/// How pairs stand in a text.
#[derive(Clone, Copy, Debug)]
pub struct PairGrammar {
    /// What is between two pairs.
    pub pair_separator: char,
    /// What is between a key and its value.
    pub key_value_separator: char,
    /// Whether characters are escaped as in an address.
    pub percent_encoded: bool,
    /// Longest text that is read, in bytes; of a longer one, whole pairs.
    pub length_max: usize,
    /// Most pairs that are read.
    pub pairs_max: usize,
    /// What such a text is called, and what its length is counted in.
    pub noun_and_unit: (&'static str, &'static str),
}

/// As an address has them.
pub const QUERY_GRAMMAR: PairGrammar = PairGrammar {
    pair_separator: '&',
    key_value_separator: '=',
    percent_encoded: true,
    length_max: 64 << 10,
    pairs_max: 128,
    noun_and_unit: ("link", "bytes"),
};

/// Pairs that are not read yet, and what was changed so far.
pub struct PairReader {
    pairs: Vec<(String, String)>,
    /// What was changed so far.
    pub changes: Vec<Change>,
}

impl PairReader {
    /// The part of a text that is short enough to be read.
    pub fn truncate<'a>(grammar: &PairGrammar, text: &'a str, changes: &mut Vec<Change>) -> &'a str {
        let PairGrammar { pair_separator: between, length_max: longest, noun_and_unit: (name, unit), .. } = grammar;
        if text.len() <= *longest {
            return text;
        }
        let end = text.bytes().take(*longest).rposition(|byte| char::from(byte) == *between);
        let reason = format!("a {name} has at most {longest} {unit}");
        changes.push(Change::new(name, text, &reason, "", "what stands before is used"));
        text.get(..end.unwrap_or(0)).unwrap_or("")
    }

    /// The pairs of a text that was cut.
    pub fn new<'a>(grammar: &PairGrammar, pieces: impl Iterator<Item = &'a str>, changes: Vec<Change>) -> Self {
        let mut reader = Self { pairs: Vec::new(), changes };
        let mut pieces = pieces.filter(|piece| !piece.is_empty());
        for piece in pieces.by_ref().take(grammar.pairs_max) {
            let (key, value) = piece.split_once(grammar.key_value_separator).unwrap_or((piece, ""));
            let own = |text| {
                if grammar.percent_encoded { percent_decode(text) } else { String::from(text) }
            };
            let (key, value) = (own(key), own(value));
            if reader.has_unread(&key) {
                reader.record_change(&key, &value, "the key is there already", "", "the first is used");
            } else {
                reader.pairs.push((key, value));
            }
        }
        if let Some(rest) = pieces.next() {
            let (name, _) = grammar.noun_and_unit;
            let reason = format!("a {name} has at most {} pairs", grammar.pairs_max);
            reader.record_change(name, rest, &reason, "", "what stands before is used");
        }
        reader
    }

    /// Whether a key is among what is not read yet.
    pub fn has_unread(&self, key: &str) -> bool {
        self.pairs.iter().any(|(other, _)| other == key)
    }

    /// What is not read yet, as it stands.
    pub fn unread_pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The value of a key, which is read by that.
    #[inline(never)]
    pub fn take(&mut self, key: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(other, _)| other == key)?;
        Some(self.pairs.remove(at).1)
    }

    /// Notes a change: what was found, why it is not taken, what is used, and that in words.
    #[inline(never)]
    pub fn record_change(&mut self, key: &str, found: &str, reason: &str, used: &str, what: &str) {
        self.changes.push(Change::new(key, found, reason, used, what));
    }

    /// A change to something that has a default, where `used` stands for it.
    #[inline(never)]
    pub fn record_refusal(&mut self, key: &str, found: &str, allowed: &str, used: &str) {
        let what = if used.is_empty() { "it is left out" } else { "is used" };
        self.record_change(key, found, &format!("allowed: {allowed}"), used, what);
    }

    /// What nobody took is left out, each pair for a reason.
    pub fn finish(mut self, reason: impl Fn(&str) -> String) -> Vec<Change> {
        for (key, value) in std::mem::take(&mut self.pairs) {
            self.record_change(&key, &value, &reason(&key), "", "it is left out");
        }
        self.changes
    }

    /// A word of its own type; none, and a change, where it is none of those allowed.
    pub fn take_word<T>(&mut self, key: &str, usual: &str, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let found = self.take(key)?;
        match read(&found) {
            Ok(word) => Some(word),
            Err(allowed) => {
                self.record_refusal(key, &found, &allowed, usual);
                None
            }
        }
    }

    /// On or off; off where it is missing.
    pub fn take_switch(&mut self, key: &str) -> bool {
        let read = |text: &str| read_switch(text).ok_or_else(|| "0 or 1".to_owned());
        self.take_word(key, "0", read).unwrap_or(false)
    }

    /// The settings of a study whose keys stand behind a prefix: always some that are allowed, each
    /// the nearest to what stands there.
    pub fn take_settings<S: Parameters>(&mut self, prefix: &str) -> S {
        let mut draft = S::ParameterDraft::default();
        // A field that is not as it stood: what stood there, and why it is not used.
        let mut refused: Vec<(&Field, String, String)> = Vec::new();
        for field in S::FIELDS {
            let Some(found) = self.take(&[prefix, field.key].concat()) else { continue };
            let most = parameters::upper_bound::<S>(&draft, field);
            let (value, whole) = text::read_nearest(&found, field, most);
            if !whole {
                refused.push((field, found, format!("allowed: {}", field.describe_allowed(most))));
            }
            if let Some(value) = value {
                draft.set(field.name, value);
            }
        }
        let settings = check::<S>(&draft).unwrap_or_else(|problems| {
            // Each field is as its row allows, so it is the whole.
            if let Some(field) = S::field(S::CONFLICT_RESET_FIELD) {
                let asked = draft.get(field.name).map(|value| text::format_value(&value, field));
                let before = refused.iter().position(|(other, ..)| other.name == field.name);
                let found = before.map(|at| refused.remove(at).1).or(asked);
                refused.push((field, found.unwrap_or_default(), problems.to_string()));
                draft.clear(field.name);
            }
            S::from_valid_draft(&draft)
        });
        let used = settings.draft();
        for (field, found, reason) in refused {
            let key = [prefix, field.key].concat();
            let used = used.get(field.name).map(|value| text::format_value(&value, field));
            self.record_change(&key, &found, &reason, &used.unwrap_or_default(), "is used");
        }
        settings
    }
}

/// The fields of settings that are not what a link without them means, as pairs of key and text.
pub fn changed_pairs<S: Parameters>(settings: &S) -> Vec<(&'static str, String)> {
    let all = settings.draft();
    let named = parameters::has_preset_name::<S>(&all);
    let mut said = S::ParameterDraft::default();
    // What a missing field stands for follows from those before it that are said.
    let mut meant = S::from_valid_draft(&said).draft();
    let mut out = Vec::new();
    for field in S::FIELDS {
        // That no preset has a name for them follows from the fields that it would stand for.
        if matches!(field.kind, FieldKind::Preset(_)) && !named {
            continue;
        }
        let Some(value) = all.get(field.name) else { continue };
        if meant.get(field.name).as_ref() != Some(&value) {
            out.push((field.key, text::format_value(&value, field)));
            said.set(field.name, value);
            meant = S::from_valid_draft(&said).draft();
        }
    }
    out
}

#[inline(never)]
fn percent_decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
