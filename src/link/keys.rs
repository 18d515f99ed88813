use crate::papers::sfc::metric::completeness::CompletenessReading;
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::papers::sfc::settings::{
    BIAS_SCALE, Draft, HIDDEN, INPUTS, NOISE, OUTPUTS, Settings, WEIGHT_SCALE,
};
use crate::settings::Range;
use crate::world::SAMPLES;

/// One key of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// As it stands in the link.
    pub key: &'static str,
    /// The field of [`State`](super::State), or of [`Draft`] where it is one of the settings.
    pub field: &'static str,
    /// What it means.
    pub about: &'static str,
    pub(super) kind: Kind,
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A number of the settings.
    Number(Range),
    /// One of a few words of the settings.
    Word(&'static [&'static str]),
    /// 0 or 1, of the settings.
    Flag,
    /// A list, or evenly spaced levels as in `0..0.95x20`.
    Levels,
    /// Three numbers.
    Weights,
    /// Not one of the settings.
    View,
}

const fn number(key: &'static str, range: Range, about: &'static str) -> Key {
    Key { key, field: range.field, about, kind: Kind::Number(range) }
}

const fn of(key: &'static str, field: &'static str, about: &'static str, kind: Kind) -> Key {
    Key { key, field, about, kind }
}

const NETWORKS: &[&str] = &["standard", "large", "dense", "sparse", "custom"];
const READINGS: &[&str] = &["paper", "total"];
const MODES: &[&str] = &["cosine", "r2", "rel-mse"];

/// The prefix under which the pinned settings' keys stand.
pub(super) const PINNED: &str = "pin.";

/// Every key, in the order in which a link has them. The settings come first; with `pin.` before
/// them they describe the pinned settings.
pub const KEYS: [Key; 31] = [
    of("net", "config", "configuration of Table 1", Kind::Word(NETWORKS)),
    number("in", INPUTS, "input width"),
    number("d", HIDDEN, "hidden width"),
    number("out", OUTPUTS, "output width"),
    number("circuit", Range { field: "circuit", min: 1.0, ..HIDDEN }, "units that reach y"),
    number("ws", WEIGHT_SCALE, "standard deviation of the first layer's weights"),
    number("bs", BIAS_SCALE, "standard deviation of the biases"),
    number("noise", NOISE, "standard deviation of noise on the activations"),
    number("seed", Range::seed("model_seed"), "model seed"),
    number("data", Range::seed("data_seed"), "data seed"),
    number("rows", Range::seed("completeness_seed"), "seed of the rows that C is measured on"),
    number("n", SAMPLES, "samples"),
    number("k", Range { field: "k", min: 1.0, ..HIDDEN }, "dictionary size"),
    of("levels", "levels", "sparsity levels: 0,0.5,0.9 or, evenly, 0..0.9x10", Kind::Levels),
    of("c", "completeness", "reading of completeness", Kind::Word(READINGS)),
    of("f", "fidelity", "form of fidelity", Kind::Word(MODES)),
    of("centred", "centred", "1: dictionary of the centred activations", Kind::Flag),
    of("w", "weights", "weights of sparsity, fidelity, completeness", Kind::Weights),
    of("v", "", "version of this format", Kind::View),
    of("pin", "pin", "paper: the pinned settings are the paper's", Kind::View),
    of("seeds", "seeds", "seeds of the ensemble", Kind::View),
    of("vary", "vary", "model, or model-and-data: seeds that the ensemble varies", Kind::View),
    of(
        "fam",
        "families",
        "study of families, as `sfc-bench families --study` takes it",
        Kind::View,
    ),
    of("own", "own", "files of a decomposition of one's own, by their digests", Kind::View),
    of("fig", "figure", "figure in focus", Kind::View),
    of("embed", "embed", "1: shown inside another page", Kind::View),
    of("hide", "hide", "parts and settings that are not shown", Kind::View),
    of("theme", "theme", "light or dark: colours of an embedded page", Kind::View),
    of("id", "id", "what an embedded page calls itself", Kind::View),
    of("digest", "digest", "digest of the results that the maker of the link saw", Kind::View),
    of("made", "made", "version that the link was made with", Kind::View),
];

/// The keys of settings.
pub(super) fn settings() -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter(|row| row.kind != Kind::View).map(|row| row.key)
}

/// A draft that says everything the settings do.
pub(super) fn draft_of(settings: &Settings) -> Draft {
    let shape = settings.shape();
    let count = |count: usize| Some(count as f64);
    let seed = |seed: u32| Some(f64::from(seed));
    let completeness = match settings.completeness() {
        CompletenessReading::Paper => "paper",
        CompletenessReading::Total => "total",
    };
    let fidelity = match settings.fidelity() {
        FidelityMode::Cosine => "cosine",
        FidelityMode::R2 => "r2",
        FidelityMode::RelMse => "rel-mse",
    };
    Draft {
        config: Some(settings.config().name().to_owned()),
        inputs: count(shape.inputs),
        hidden: count(shape.hidden),
        outputs: count(shape.outputs),
        circuit: count(shape.circuit),
        weight_scale: Some(settings.weight_scale()),
        bias_scale: Some(settings.bias_scale()),
        noise: Some(settings.noise()),
        model_seed: seed(settings.model_seed()),
        data_seed: seed(settings.data_seed()),
        completeness_seed: seed(settings.completeness_seed()),
        samples: count(settings.samples()),
        k: count(settings.k()),
        levels: Some(settings.levels().to_vec()),
        completeness: Some(completeness.to_owned()),
        fidelity: Some(fidelity.to_owned()),
        centred: Some(settings.centred()),
        weights: Some(settings.weights().values().to_vec()),
    }
}

/// A draft's field that holds a number.
pub(super) fn number_of<'a>(draft: &'a mut Draft, field: &str) -> Option<&'a mut Option<f64>> {
    Some(match field {
        "inputs" => &mut draft.inputs,
        "hidden" => &mut draft.hidden,
        "outputs" => &mut draft.outputs,
        "circuit" => &mut draft.circuit,
        "weight_scale" => &mut draft.weight_scale,
        "bias_scale" => &mut draft.bias_scale,
        "noise" => &mut draft.noise,
        "model_seed" => &mut draft.model_seed,
        "data_seed" => &mut draft.data_seed,
        "completeness_seed" => &mut draft.completeness_seed,
        "samples" => &mut draft.samples,
        "k" => &mut draft.k,
        _ => return None,
    })
}

/// A draft's field that holds a word.
pub(super) fn word_of<'a>(draft: &'a mut Draft, field: &str) -> Option<&'a mut Option<String>> {
    Some(match field {
        "config" => &mut draft.config,
        "completeness" => &mut draft.completeness,
        "fidelity" => &mut draft.fidelity,
        _ => return None,
    })
}
