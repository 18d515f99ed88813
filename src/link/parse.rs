use serde::Serialize;

use super::keys::{PINNED_PREFIX, setting_keys};
use super::{
    Colours, DEFAULT_STUDY, Digest, FORMAT_VERSION, Figure, Files, FrameId, Hidden, Seeds, State, Study, Version,
    seeds_max,
};
use crate::lab::ensemble::Varied;
use crate::papers::sfc::settings::Settings;
use crate::settings::pairs::{PairReader, QUERY_GRAMMAR};
use crate::settings::{Change, Range, clamp_to_range, read_number};

/// Longest link that is read, in bytes; what is beyond it is cut off. The longest that
/// [`to_query`](super::to_query()) makes is half of it.
pub const LENGTH_MAX: usize = QUERY_GRAMMAR.length_max;
/// Most pairs of key and value that are read.
pub const PAIRS_MAX: usize = QUERY_GRAMMAR.pairs_max;

/// What a link says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ParsedLink"))]
pub struct Parsed {
    /// The nearest valid state.
    pub state: State,
    /// What had to be changed for it; empty for a link that [`to_query`](super::to_query()) made.
    pub changes: Vec<Change>,
}

/// Reads a query string, with or without the `?` before it.
///
/// Whatever the text, the result is a valid state: a number out of range becomes the nearest one
/// within, anything else that cannot be read takes the paper's value; unknown keys, and all but the
/// first of equal ones, are left out. Each time [`Parsed::changes`] says so.
#[must_use]
pub fn parse(query: &str) -> Parsed {
    let mut changes = Vec::new();
    let query = query.strip_prefix('?').unwrap_or(query);
    let pieces = PairReader::truncate(&QUERY_GRAMMAR, query, &mut changes).split(QUERY_GRAMMAR.pair_separator);
    let mut reader = PairReader::new(&QUERY_GRAMMAR, pieces, changes);
    if let Some(version) = reader.take("v").filter(|version| version != FORMAT_VERSION) {
        let reason = format!("this page reads version {FORMAT_VERSION} of links");
        reader.record_change("v", &version, &reason, "", "what it knows of the link is used");
    }
    if let Some(study) = reader.take("study").filter(|study| study != DEFAULT_STUDY) {
        let reason = format!("this page is of the study {DEFAULT_STUDY}");
        reader.record_change("study", &study, &reason, "", "what it knows of the link is used");
    }
    let settings: Settings = reader.take_settings("");
    let pin = read_pinned(&mut reader);
    let most = seeds_max(&settings);
    let state = State {
        seeds: read_seeds(&mut reader, most),
        vary: read_varied(&mut reader),
        families: read_word(&mut reader, "fam", Study::new, Study::allowed),
        own: read_word(&mut reader, "own", Files::new, Files::allowed),
        figure: read_word(&mut reader, "fig", Figure::new, Figure::allowed),
        embed: reader.take_switch("embed"),
        hide: read_hidden(&mut reader),
        theme: read_word(&mut reader, "theme", Colours::new, Colours::allowed),
        id: read_word(&mut reader, "id", FrameId::new, FrameId::allowed),
        digest: read_word(&mut reader, "digest", |text| text.parse().ok(), Digest::allowed_format),
        made: read_word(&mut reader, "made", Version::new, Version::allowed),
        settings,
        pin,
    };
    Parsed { state, changes: reader.finish(|_| "there is no such key".to_owned()) }
}

fn read_word<T>(reader: &mut PairReader, key: &str, read: fn(&str) -> Option<T>, allowed: fn() -> String) -> Option<T> {
    reader.take_word(key, "", |text| read(text).ok_or_else(allowed))
}

fn read_pinned(reader: &mut PairReader) -> Option<Settings> {
    let word = reader.take("pin");
    let any = setting_keys::<Settings>().any(|row| reader.has_unread(&[PINNED_PREFIX, row.key].concat()));
    if let Some(word) = word.as_deref().filter(|word| *word != "paper") {
        reader.record_refusal("pin", word, "paper, or settings after pin.", "");
    }
    (any || word.as_deref() == Some("paper")).then(|| reader.take_settings(PINNED_PREFIX))
}

fn read_seeds(reader: &mut PairReader, most: u32) -> Seeds {
    let Some(value) = reader.take("seeds") else { return Seeds::default() };
    let range = Range { field: "seeds", min: 1.0, max: f64::from(most), whole: true };
    let number = read_number(&value);
    let used = number.and_then(|number| Seeds::new(clamp_to_range(range, number) as u32));
    let used = used.unwrap_or_default();
    if number != Some(f64::from(used.count())) {
        reader.record_refusal("seeds", &value, &range.describe_allowed(), &used.count().to_string());
    }
    used
}

fn read_varied(reader: &mut PairReader) -> Varied {
    let read = |word: &str| match word {
        "model" => Ok(Varied::Model),
        "model-and-data" => Ok(Varied::ModelAndData),
        _ => Err("model or model-and-data".to_owned()),
    };
    reader.take_word("vary", "model", read).unwrap_or(Varied::Model)
}

fn read_hidden(reader: &mut PairReader) -> Hidden {
    let value = reader.take("hide").unwrap_or_default();
    let mut hidden = Hidden::default();
    let mut unknown: Vec<&str> = Vec::new();
    for name in value.split(',').filter(|name| !name.is_empty()) {
        if !hidden.insert(name) {
            unknown.push(name);
        }
    }
    if !unknown.is_empty() {
        reader.record_refusal("hide", &unknown.join(","), &Hidden::allowed(), "");
    }
    hidden
}
