use serde::Serialize;

use super::keys::{PINNED, settings};
use super::{
    Colours, Digest, FIRST_STUDY, Figure, Files, FrameId, Hidden, Seeds, State, Study, VERSION,
    Version, seeds_max,
};
use crate::lab::ensemble::Varied;
use crate::papers::sfc::settings::Settings;
use crate::settings::pairs::{ADDRESS, Reader};
use crate::settings::{Change, Range, nearest, read_number};

/// Longest link that is read, in bytes; what is beyond it is cut off. The longest that
/// [`print`](super::print()) makes is half of it.
pub const LENGTH_MAX: usize = ADDRESS.longest;
/// Most pairs of key and value that are read.
pub const PAIRS_MAX: usize = ADDRESS.most;

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
    let mut changes = Vec::new();
    let query = query.strip_prefix('?').unwrap_or(query);
    let pieces = Reader::cut(&ADDRESS, query, &mut changes).split(ADDRESS.between);
    let mut reader = Reader::new(&ADDRESS, pieces, changes);
    if let Some(version) = reader.take("v").filter(|version| version != VERSION) {
        let reason = format!("this page reads version {VERSION} of links");
        reader.change("v", &version, &reason, "", "what it knows of the link is used");
    }
    if let Some(study) = reader.take("study").filter(|study| study != FIRST_STUDY) {
        let reason = format!("this page is of the study {FIRST_STUDY}");
        reader.change("study", &study, &reason, "", "what it knows of the link is used");
    }
    let settings: Settings = reader.settings("");
    let pin = pin(&mut reader);
    let most = seeds_max(&settings);
    let state = State {
        seeds: seeds(&mut reader, most),
        vary: vary(&mut reader),
        families: word(&mut reader, "fam", Study::new, Study::allowed),
        own: word(&mut reader, "own", Files::new, Files::allowed),
        figure: word(&mut reader, "fig", Figure::new, Figure::allowed),
        embed: reader.switch("embed"),
        hide: hide(&mut reader),
        theme: word(&mut reader, "theme", Colours::new, Colours::allowed),
        id: word(&mut reader, "id", FrameId::new, FrameId::allowed),
        digest: word(&mut reader, "digest", |text| text.parse().ok(), Digest::allowed),
        made: word(&mut reader, "made", Version::new, Version::allowed),
        settings,
        pin,
    };
    Parsed { state, changes: reader.finish(|_| "there is no such key".to_owned()) }
}

fn word<T>(
    reader: &mut Reader,
    key: &str,
    read: fn(&str) -> Option<T>,
    allowed: fn() -> String,
) -> Option<T> {
    reader.word(key, "", |text| read(text).ok_or_else(allowed))
}

fn pin(reader: &mut Reader) -> Option<Settings> {
    let word = reader.take("pin");
    let any = settings::<Settings>().any(|row| reader.has(&[PINNED, row.key].concat()));
    if let Some(word) = word.as_deref().filter(|word| *word != "paper") {
        reader.refuse("pin", word, "paper, or settings after pin.", "");
    }
    (any || word.as_deref() == Some("paper")).then(|| reader.settings(PINNED))
}

fn seeds(reader: &mut Reader, most: u32) -> Seeds {
    let Some(value) = reader.take("seeds") else { return Seeds::default() };
    let range = Range { field: "seeds", min: 1.0, max: f64::from(most), whole: true };
    let number = read_number(&value);
    let used = number.and_then(|number| Seeds::new(nearest(range, number) as u32));
    let used = used.unwrap_or_default();
    if number != Some(f64::from(used.count())) {
        reader.refuse("seeds", &value, &range.allowed(), &used.count().to_string());
    }
    used
}

fn vary(reader: &mut Reader) -> Varied {
    let read = |word: &str| match word {
        "model" => Ok(Varied::Model),
        "model-and-data" => Ok(Varied::ModelAndData),
        _ => Err("model or model-and-data".to_owned()),
    };
    reader.word("vary", "model", read).unwrap_or(Varied::Model)
}

fn hide(reader: &mut Reader) -> Hidden {
    let value = reader.take("hide").unwrap_or_default();
    let mut hidden = Hidden::default();
    let mut unknown: Vec<&str> = Vec::new();
    for name in value.split(',').filter(|name| !name.is_empty()) {
        if !hidden.insert(name) {
            unknown.push(name);
        }
    }
    if !unknown.is_empty() {
        reader.refuse("hide", &unknown.join(","), &Hidden::allowed(), "");
    }
    hidden
}
