use crate::settings::{Field, Parameters};

/// One key of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it stands in the link.
    pub key: &'static str,
    /// The field of [`State`](super::State), or of its settings.
    pub field: &'static str,
    /// What it means.
    pub about: &'static str,
}

const fn new(key: &'static str, field: &'static str, about: &'static str) -> Key {
    Key { key, field, about }
}

/// The prefix under which the pinned settings' keys stand.
pub(super) const PINNED_PREFIX: &str = "pin.";

/// The keys of a link that are no settings, in the order in which it has them, after the settings'.
pub const VIEW_KEYS: [Key; 14] = [
    new("v", "", "version of this format"),
    new("study", "", "study that the link is of; sfc where it does not say"),
    new("pin", "pin", "paper: the pinned settings are the paper's"),
    new("seeds", "seeds", "seeds of the ensemble"),
    new("vary", "vary", "model, or model-and-data: seeds that the ensemble varies"),
    new("fam", "families", "study of families, as `sfc-bench families --study` takes it"),
    new("own", "own", "files of a decomposition of one's own, by their digests"),
    new("fig", "figure", "figure in focus"),
    new("embed", "embed", "1: shown inside another page"),
    new("hide", "hide", "parts and settings that are not shown"),
    new("theme", "theme", "light or dark: colours of an embedded page"),
    new("id", "id", "what an embedded page calls itself"),
    new("digest", "digest", "digest of the results that the maker of the link saw"),
    new("made", "made", "version that the link was made with"),
];

/// The keys of a study's settings; with `pin.` before them they describe the pinned settings.
pub fn setting_keys<S: Parameters>() -> impl Iterator<Item = Key> {
    let key = |field: &'static Field| new(field.key, field.name, field.help);
    S::FIELDS.iter().map(key)
}

/// Every key of a study's links, in the order in which a link has them: the settings' first.
pub fn all_keys<S: Parameters>() -> impl Iterator<Item = Key> {
    setting_keys::<S>().chain(VIEW_KEYS)
}
