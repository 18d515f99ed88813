use super::keys::PINNED_PREFIX;
use super::{FORMAT_VERSION, Seeds, State};
use crate::lab::ensemble::Varied;
use crate::papers::sfc::settings::Settings;
use crate::settings::pairs;

/// A state as a query string, without `?`.
///
/// What is as in the paper is left out, so its own state is the empty string. The rest stands in the
/// order of [`all_keys`](super::all_keys()) after the version, in letters, digits and `. , - : _ = &` alone,
/// which need no escaping.
#[must_use]
pub fn to_query(state: &State) -> String {
    let mut pairs = QueryPairs(String::new());
    pairs.push_settings("", &state.settings);
    if let Some(pin) = &state.pin {
        let before = pairs.0.len();
        pairs.push_settings(PINNED_PREFIX, pin);
        if pairs.0.len() == before {
            pairs.push("", "pin", "paper");
        }
    }
    if state.seeds != Seeds::default() {
        pairs.push("", "seeds", &state.seeds.count().to_string());
    }
    if state.vary == Varied::ModelAndData {
        pairs.push("", "vary", "model-and-data");
    }
    if let Some(families) = &state.families {
        pairs.push("", "fam", families.as_str());
    }
    if let Some(files) = &state.own {
        pairs.push("", "own", files.as_str());
    }
    if let Some(figure) = &state.figure {
        pairs.push("", "fig", figure.as_str());
    }
    if state.embed {
        pairs.push("", "embed", "1");
    }
    let hidden: Vec<&str> = state.hide.iter().collect();
    if !hidden.is_empty() {
        pairs.push("", "hide", &hidden.join(","));
    }
    if let Some(theme) = &state.theme {
        pairs.push("", "theme", theme.as_str());
    }
    if let Some(id) = &state.id {
        pairs.push("", "id", id.as_str());
    }
    if let Some(digest) = &state.digest {
        pairs.push("", "digest", &digest.to_string());
    }
    if let Some(made) = &state.made {
        pairs.push("", "made", made.as_str());
    }
    if pairs.0.is_empty() { pairs.0 } else { format!("v={FORMAT_VERSION}{}", pairs.0) }
}

/// Pairs as they are printed, each after an `&`.
struct QueryPairs(String);

impl QueryPairs {
    fn push(&mut self, prefix: &str, key: &str, value: &str) {
        for part in ["&", prefix, key, "=", value] {
            self.0.push_str(part);
        }
    }

    fn push_settings(&mut self, prefix: &str, settings: &Settings) {
        for (key, text) in pairs::changed_pairs(settings) {
            self.push(prefix, key, &text);
        }
    }
}
