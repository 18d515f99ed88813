use super::keys::{KEYS, Key, Kind, PINNED, draft_of, number_of, word_of};
use super::values::{levels, list};
use super::{Seeds, State, VERSION};
use crate::lab::ensemble::Varied;
use crate::papers::sfc::Preset;
use crate::papers::sfc::settings::{Draft, Settings};
use crate::settings::number;

/// A state as a query string, without `?`.
///
/// What is as in the paper is left out, so its own state is the empty string. The rest stands in the
/// order of [`KEYS`] after the version, in letters, digits and `. , - : _ = &` alone, which need no
/// escaping.
#[must_use]
pub fn print(state: &State) -> String {
    let mut pairs = Pairs(String::new());
    pairs.settings("", &state.settings);
    if let Some(pin) = &state.pin {
        let before = pairs.0.len();
        pairs.settings(PINNED, pin);
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
    if let Some(digest) = state.digest {
        pairs.push("", "digest", &digest.to_string());
    }
    if let Some(made) = &state.made {
        pairs.push("", "made", made.as_str());
    }
    if pairs.0.is_empty() { pairs.0 } else { format!("v={VERSION}{}", pairs.0) }
}

/// Pairs as they are printed, each after an `&`.
struct Pairs(String);

impl Pairs {
    fn push(&mut self, prefix: &str, key: &str, value: &str) {
        for part in ["&", prefix, key, "=", value] {
            self.0.push_str(part);
        }
    }

    fn settings(&mut self, prefix: &str, settings: &Settings) {
        let mut all = draft_of(settings);
        let custom = settings.config() == Preset::Custom;
        // What a missing field stands for follows from the configuration, and from the widths.
        let named = Draft { config: all.config.clone().filter(|_| !custom), ..Draft::default() };
        let sized =
            Draft { inputs: all.inputs, hidden: all.hidden, outputs: all.outputs, ..named.clone() };
        let meant = |draft: &Draft| draft_of(&draft.parse().unwrap_or_default());
        let (mut paper, mut named, mut sized) =
            (draft_of(&Settings::default()), meant(&named), meant(&sized));
        for row in &KEYS {
            let meant = match row.field {
                "config" if custom => continue,
                "config" => &mut paper,
                "inputs" | "hidden" | "outputs" => &mut named,
                _ => &mut sized,
            };
            let value = text(&mut all, row);
            if value != text(meant, row) {
                self.push(prefix, row.key, &value);
            }
        }
    }
}

/// A field of complete settings as it stands in a link; nothing for what is not one of them.
pub(super) fn text(draft: &mut Draft, row: &Key) -> String {
    match row.kind {
        Kind::Number(_) => {
            number_of(draft, row.field).and_then(|value| *value).map(number).unwrap_or_default()
        }
        Kind::Word(_) => {
            word_of(draft, row.field).and_then(|word| word.clone()).unwrap_or_default()
        }
        Kind::Flag => u8::from(draft.centred == Some(true)).to_string(),
        Kind::Levels => draft.levels.as_deref().map(levels).unwrap_or_default(),
        Kind::Weights => draft.weights.as_deref().map(list).unwrap_or_default(),
        Kind::View => String::new(),
    }
}
