use percent_encoding::percent_decode_str;
use serde::Serialize;

use super::keys::{KEYS, Key, Kind, PINNED, draft_of, number_of, word_of};
use super::print::text;
use super::values::read_grid;
use super::{
    Colours, Digest, Figure, Files, FrameId, Hidden, SEEDS_MAX, Seeds, State, Study, VERSION,
    Version,
};
use crate::lab::ensemble::{POINTS_MAX, Varied};
use crate::papers::sfc::Preset;
use crate::papers::sfc::metric::score::{WEIGHT_MAX, WEIGHT_MIN, Weights};
use crate::papers::sfc::settings::{Draft, LEVELS_MAX, Settings};
use crate::settings::Range;
use crate::settings::{Change, nearest, read_number};
use crate::world::Shape;

/// Longest link that is read, in bytes; what is beyond it is cut off. The longest that
/// [`print`](super::print()) makes is half of it.
pub const LENGTH_MAX: usize = 64 << 10;
/// Most pairs of key and value that are read.
pub const PAIRS_MAX: usize = 128;

// In words, once, rather than as code that puts them together.
const LEVELS_ALLOWED: &str = "a list of 1 to 512 numbers from 0 to below 1";
const WEIGHTS_ALLOWED: &str = "three numbers, each 0 or 1e-9 to 1e9, not all 0";

/// What a link says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ParsedLink"))]
pub struct Parsed {
    /// The nearest valid state.
    pub state: State,
    /// What had to be changed for it; empty for a link that [`print`](super::print()) made.
    pub changes: Vec<Change>,
}

/// Reads a query string, with or without the `?` before it.
///
/// Whatever the text, the result is a valid state: a number out of range becomes the nearest one
/// within, anything else that cannot be read takes the paper's value; unknown keys, and all but the
/// first of equal ones, are left out. Each time [`Parsed::changes`] says so.
#[must_use]
pub fn parse(query: &str) -> Parsed {
    let mut reader = Reader::new(query);
    if let Some(version) = reader.take("v").filter(|version| version != VERSION) {
        let reason = format!("this page reads version {VERSION} of links");
        reader.change("v", &version, &reason, "", "what it knows of the link is used");
    }
    let settings = reader.settings("");
    let pin = reader.pin();
    let most = (POINTS_MAX / settings.levels().len() as u64).min(SEEDS_MAX.into());
    let state = State {
        seeds: reader.seeds(most),
        vary: reader.vary(),
        families: reader.word("fam", Study::new, Study::allowed),
        own: reader.word("own", Files::new, Files::allowed),
        figure: reader.word("fig", Figure::new, Figure::allowed),
        embed: reader.flag("embed").unwrap_or(false),
        hide: reader.hide(),
        theme: reader.word("theme", Colours::new, Colours::allowed),
        id: reader.word("id", FrameId::new, FrameId::allowed),
        digest: reader.word("digest", |text| text.parse::<Digest>().ok(), Digest::allowed),
        made: reader.word("made", Version::new, Version::allowed),
        settings,
        pin,
    };
    for (key, value) in std::mem::take(&mut reader.pairs) {
        reader.change(&key, &value, "there is no such key", "", "it is left out");
    }
    Parsed { state, changes: reader.changes }
}

#[inline(never)]
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// A setting that is not as it stood: its row, what stood there, why it is not used.
type Refused = (&'static Key, String, String);

struct Reader {
    /// What is not read yet.
    pairs: Vec<(String, String)>,
    changes: Vec<Change>,
}

impl Reader {
    fn new(query: &str) -> Self {
        let mut reader = Self { pairs: Vec::new(), changes: Vec::new() };
        let query = query.strip_prefix('?').unwrap_or(query);
        let mut pieces = query;
        if query.len() > LENGTH_MAX {
            // Whole pairs only.
            let end = query.bytes().take(LENGTH_MAX).rposition(|byte| byte == b'&').unwrap_or(0);
            pieces = query.get(..end).unwrap_or("");
            let reason = format!("a link has at most {LENGTH_MAX} bytes");
            reader.change("link", query, &reason, "", "what stands before is used");
        }
        let mut pieces = pieces.split('&').filter(|piece| !piece.is_empty());
        for piece in pieces.by_ref().take(PAIRS_MAX) {
            let (key, value) = piece.split_once('=').unwrap_or((piece, ""));
            let (key, value) = (decoded(key), decoded(value));
            if reader.pairs.iter().any(|(other, _)| *other == key) {
                reader.change(&key, &value, "the key is there already", "", "the first is used");
            } else {
                reader.pairs.push((key, value));
            }
        }
        if let Some(rest) = pieces.next() {
            let reason = format!("a link has at most {PAIRS_MAX} pairs");
            reader.change("link", rest, &reason, "", "what stands before is used");
        }
        reader
    }

    #[inline(never)]
    fn take(&mut self, key: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(other, _)| other == key)?;
        Some(self.pairs.remove(at).1)
    }

    #[inline(never)]
    fn change(&mut self, key: &str, found: &str, reason: &str, used: &str, what: &str) {
        self.changes.push(Change::new(key, found, reason, used, what));
    }

    /// A change to something that has a default, where `used` stands for it.
    #[inline(never)]
    fn refuse(&mut self, key: &str, found: &str, allowed: &str, used: &str) {
        let what = if used.is_empty() { "it is left out" } else { "is used" };
        self.change(key, found, &needed(allowed), used, what);
    }

    fn settings(&mut self, prefix: &str) -> Settings {
        let mut draft = Draft::default();
        let mut refused: Vec<Refused> = Vec::new();
        for row in KEYS.iter().filter(|row| row.kind != Kind::View) {
            if let Some(value) = self.take(&[prefix, row.key].concat())
                && let Err(reason) = read_setting(&mut draft, row, &value)
            {
                refused.push((row, value, reason));
            }
        }
        let settings = draft.parse().unwrap_or_else(|problems| {
            // Each field is in its range, so it is the memory: as many samples as the paper has fit
            // any width.
            let asked = draft.samples.take().map(|samples| samples.to_string());
            if let Some(row) = KEYS.iter().find(|row| row.field == "samples") {
                let before = refused.iter().position(|(other, ..)| *other == row);
                let found = before.map(|at| refused.remove(at).1).or(asked);
                refused.push((row, found.unwrap_or_default(), problems.to_string()));
            }
            draft.parse().unwrap_or_default()
        });
        let mut used = draft_of(&settings);
        for (row, value, reason) in refused {
            let key = [prefix, row.key].concat();
            self.change(&key, &value, &reason, &text(&mut used, row), "is used");
        }
        settings
    }

    fn pin(&mut self) -> Option<Settings> {
        let word = self.take("pin");
        let any = self.pairs.iter().any(|(key, _)| {
            key.strip_prefix(PINNED).is_some_and(|key| super::keys::settings().any(|k| k == key))
        });
        if let Some(word) = word.as_deref().filter(|word| *word != "paper") {
            self.refuse("pin", word, "paper, or settings after pin.", "");
        }
        (any || word.as_deref() == Some("paper")).then(|| self.settings(PINNED))
    }

    fn seeds(&mut self, most: u64) -> Seeds {
        let Some(value) = self.take("seeds") else { return Seeds::default() };
        let range = Range { field: "seeds", min: 1.0, max: most as f64, whole: true };
        let number = read_number(&value);
        let used = number.and_then(|number| Seeds::new(nearest(range, number) as u32));
        let used = used.unwrap_or_default();
        if number != Some(f64::from(used.count())) {
            self.refuse("seeds", &value, &range.allowed(), &used.count().to_string());
        }
        used
    }

    fn vary(&mut self) -> Varied {
        match self.take("vary").as_deref() {
            Some("model-and-data") => Varied::ModelAndData,
            None | Some("model") => Varied::Model,
            Some(other) => {
                self.refuse("vary", other, "model or model-and-data", "model");
                Varied::Model
            }
        }
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        let value = self.take(key)?;
        let read = read_flag(&value);
        if read.is_none() {
            self.refuse(key, &value, "0 or 1", "0");
        }
        read
    }

    fn word<T>(
        &mut self,
        key: &str,
        read: fn(&str) -> Option<T>,
        allowed: fn() -> String,
    ) -> Option<T> {
        let value = self.take(key)?;
        let word = read(&value);
        if word.is_none() {
            self.refuse(key, &value, &allowed(), "");
        }
        word
    }

    fn hide(&mut self) -> Hidden {
        let value = self.take("hide").unwrap_or_default();
        let mut hidden = Hidden::default();
        let mut unknown = String::new();
        for name in value.split(',').filter(|name| !name.is_empty()) {
            if !hidden.insert(name) {
                unknown.push_str(if unknown.is_empty() { "" } else { "," });
                unknown.push_str(name);
            }
        }
        if !unknown.is_empty() {
            self.refuse("hide", &unknown, &Hidden::allowed(), "");
        }
        hidden
    }
}

fn read_flag(value: &str) -> Option<bool> {
    match value {
        "1" | "true" | "" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

/// Reads one setting into the draft: itself, or the nearest to it and why.
fn read_setting(draft: &mut Draft, row: &Key, value: &str) -> Result<(), String> {
    match row.kind {
        Kind::Number(range) => {
            let range = bounded(draft, range);
            let read = read_number(value);
            let used = read.map(|read| nearest(range, read));
            if let Some(field) = number_of(draft, row.field) {
                *field = used;
            }
            if used.is_some() && read == used { Ok(()) } else { Err(needed(&range.allowed())) }
        }
        Kind::Word(words) => {
            if !words.contains(&value) {
                return Err(needed(&format!("one of {}", words.join(", "))));
            }
            if let Some(field) = word_of(draft, row.field) {
                *field = Some(value.to_owned());
            }
            Ok(())
        }
        Kind::Flag => {
            draft.centred = read_flag(value);
            draft.centred.map(|_| ()).ok_or_else(|| needed("0 or 1"))
        }
        Kind::Levels => {
            let (levels, whole) = read_levels(value);
            draft.levels = Some(levels).filter(|levels| !levels.is_empty());
            if whole { Ok(()) } else { Err(needed(LEVELS_ALLOWED)) }
        }
        Kind::Weights => {
            let (weights, whole) = read_weights(value);
            draft.weights = weights;
            if whole { Ok(()) } else { Err(needed(WEIGHTS_ALLOWED)) }
        }
        Kind::View => Ok(()),
    }
}

fn needed(what: &str) -> String {
    format!("allowed: {what}")
}

/// The range of a field under what is drafted already: circuit and K reach to the hidden width.
fn bounded(draft: &Draft, range: Range) -> Range {
    if !matches!(range.field, "circuit" | "k") {
        return range;
    }
    let named =
        Preset::ALL.into_iter().find(|preset| draft.config.as_deref() == Some(preset.name()));
    let shape = named.and_then(Preset::shape).unwrap_or(Shape::STANDARD);
    Range { max: draft.hidden.unwrap_or(shape.hidden as f64), ..range }
}

/// Levels that can be used, and whether they are all there is.
fn read_levels(value: &str) -> (Vec<f64>, bool) {
    if value.contains("..") {
        return read_grid(value).map_or((Vec::new(), false), |levels| (levels, true));
    }
    let fits = |text: &str| read_number(text).filter(|level| (0.0..1.0).contains(level));
    let levels: Vec<f64> = value.split(',').filter_map(fits).take(LEVELS_MAX).collect();
    let whole = levels.len() == value.split(',').count();
    (levels, whole)
}

/// The nearest weights, and whether they are the given ones; none where three numbers cannot be made
/// of them.
fn read_weights(value: &str) -> (Option<Vec<f64>>, bool) {
    let read: Vec<f64> = value.split(',').map_while(read_number).take(4).collect();
    let Ok([alpha, beta, gamma]) = <[f64; 3]>::try_from(read) else { return (None, false) };
    if value.split(',').count() != 3 {
        return (None, false);
    }
    let inside =
        |weight: f64| if weight > 0.0 { weight.clamp(WEIGHT_MIN, WEIGHT_MAX) } else { 0.0 };
    let [a, b, c] = [alpha, beta, gamma].map(inside);
    let whole = [a, b, c] == [alpha, beta, gamma];
    match Weights::new(a, b, c) {
        Ok(weights) => (Some(weights.values().to_vec()), whole),
        Err(_) => (None, false),
    }
}
