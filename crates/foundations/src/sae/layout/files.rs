//! Which files of a folder are an autoencoder's: told by their names alone, before anything is opened.

use serde::{Deserialize, Serialize};

use crate::io::file_stem;
use crate::sae::SaeFolder;

/// The files of an autoencoder, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateFolder"))]
#[serde(deny_unknown_fields)]
pub struct SaeFileNames {
    /// The name of its configuration, as SAELens' `cfg.json`, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub config: Option<String>,
    /// The name of its weights, as SAELens' `sae_weights.safetensors`.
    pub weights: String,
    /// The name of its `activation_scaler.json`, where a checkpoint has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub scaler: Option<String>,
    /// Further files of weights: SAELens' `activation_whitening.safetensors`, circuit-tracer's `W_dec_0.safetensors`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<String>>"))]
    pub more: Vec<String>,
}

impl SaeFileNames {
    /// Whether a file is one of them.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let optional = self.config.iter().chain(&self.scaler).chain(&self.more);
        self.weights == name || optional.into_iter().any(|other| other == name)
    }
}

/// Endings of files of weights.
const WEIGHT_EXTENSIONS: [&str; 4] = [".safetensors", ".npz", ".pt", ".pth"];

/// Names of files that a tool gives to an autoencoder's weights alone; `#` stands for a number.
const WEIGHT_NAMES: [&str; 11] = [
    "sae_weights.safetensors",
    "sae.safetensors",
    "params.safetensors",
    "params_layer_#.safetensors",
    "params.npz",
    "ae.pt",
    "ae_#.pt",
    "latest_ckpt.safetensors",
    "layer#.sae.pt",
    "W_enc_#.safetensors",
    "autoencoder.pt",
];

/// Names that other things have, too, and which are an autoencoder's beside a configuration.
const AMBIGUOUS_WEIGHT_NAMES: [&str; 3] = ["final.safetensors", "layer_#.safetensors", "model.safetensors"];

/// Names of what lies beside weights and is none.
const NON_WEIGHT_NAMES: [&str; 8] = [
    "sparsity.safetensors",
    "activation_whitening.safetensors",
    "W_dec_#.safetensors",
    "optimizer.pt",
    "optimizer_state.pt",
    "lr_scheduler.pt",
    "rng_state.pth",
    "training_args.pt",
];

/// Names of configurations beside weights, the first that is there; a step up from a folder of checkpoints, too.
const CONFIG_NAMES: [&str; 7] = [
    "cfg.json",
    "config.json",
    "hyperparams.json",
    "conf.yaml",
    "config.yaml",
    "../hyperparams.json",
    "../config.json",
];

/// The factor of activations, of SAELens' checkpoints.
const SCALER_FILE: &str = "activation_scaler.json";
/// What activations are whitened by, of SAELens' checkpoints.
const WHITENING_FILE: &str = "activation_whitening.safetensors";

/// What each of some autoencoders is called among the others: the folder of its weights, where there are no others of
/// them in it, or their path without its ending.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::sae::layout::files::{find_autoencoders, display_names};
/// let names = ["a/k8/ae.pt", "a/k16/ae.pt", "b/layer0.sae.pt", "b/layer1.sae.pt"].map(String::from);
/// assert_eq!(display_names(&find_autoencoders(&names)), ["a/k8", "a/k16", "b/layer0.sae", "b/layer1.sae"]);
/// ```
#[must_use]
pub fn display_names(found: &[SaeFileNames]) -> Vec<String> {
    let folder = |one: &SaeFileNames| split_path(&one.weights).0.to_owned();
    let name = |one: &SaeFileNames| {
        let own = folder(one);
        let alone = found.iter().filter(|other| folder(other) == own).count() == 1;
        match own.trim_end_matches(['/', '\\']) {
            folder if alone && !folder.is_empty() => folder.to_owned(),
            _ => file_stem(&one.weights).to_owned(),
        }
    };
    found.iter().map(name).collect()
}

/// Whether a name is one of those that a pattern means: all of it, `*` standing for any letters, or, without one, a part.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::sae::layout::files::matches_pattern;
/// assert!(matches_pattern("layer_20/width_16k", "layer_20/*k") && matches_pattern("layer_20/width_16k", "16k"));
/// assert!(!matches_pattern("layer_20/width_16k", "layer_2/*"));
/// ```
#[must_use]
pub fn matches_pattern(name: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let (first, Some(last)) = (pieces.next().unwrap_or_default(), pieces.next_back()) else {
        return name.contains(pattern);
    };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The folder of a path, with the slash at its end, and its last part.
fn split_path(path: &str) -> (&str, &str) {
    path.rfind(['/', '\\']).map_or(("", path), |at| path.split_at(at + 1))
}

/// Whether a name is one of those in a list, in which `#` stands for a number.
fn matches_any(name: &str, of: &[&str]) -> bool {
    of.iter().any(|known| match known.split_once('#') {
        None => name == *known,
        Some((before, after)) => {
            let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        }
    })
}

/// Whether a file may be looked at for an autoencoder's weights.
fn may_be_weights(path: &str) -> bool {
    let (_, name) = split_path(path);
    let lower = name.to_ascii_lowercase();
    !name.starts_with('.')
        && !matches_any(name, &NON_WEIGHT_NAMES)
        && WEIGHT_EXTENSIONS.iter().any(|end| lower.ends_with(end))
}

/// The folder above, with the slash at its end; none of a path without one.
fn parent_folder(folder: &str) -> Option<&str> {
    let inner = folder.strip_suffix(['/', '\\'])?;
    Some(split_path(inner).0)
}

/// What belongs to some weights among the names of files.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::sae::layout::files::files_of_weights;
/// let names = ["run/config.json", "run/trainer_0/ae.pt", "run/trainer_0/config.json"].map(String::from);
/// assert_eq!(files_of_weights(&names[1], &names).config, Some("run/trainer_0/config.json".to_owned()));
/// ```
#[must_use]
pub fn files_of_weights(weights: &str, names: &[String]) -> SaeFileNames {
    let (folder, name) = split_path(weights);
    let find = |wanted: String| names.iter().find(|other| **other == wanted).cloned();
    let inside = |name: &str| find(format!("{folder}{name}"));
    let config = |name: &&str| match name.strip_prefix("../") {
        None => inside(name),
        // What lies above other folders is of more than this one.
        Some(name) if folder.trim_end_matches(['/', '\\']).ends_with("checkpoints") => {
            find(format!("{}{name}", parent_folder(folder)?))
        }
        Some(_) => None,
    };
    let own = inside(&format!("{}_cfg.json", file_stem(name)));
    let decoder = name.strip_prefix("W_enc_").map(|number| format!("W_dec_{number}"));
    let config = own.or_else(|| CONFIG_NAMES.iter().find_map(config));
    // SAELens never writes the one without the other.
    let config =
        config.or_else(|| (name == SaeFolder::WEIGHTS_FILE).then(|| format!("{folder}{}", SaeFolder::CONFIG_FILE)));
    SaeFileNames {
        config,
        weights: weights.to_owned(),
        scaler: inside(SCALER_FILE),
        more: [inside(WHITENING_FILE), decoder.and_then(|name| inside(&name))].into_iter().flatten().collect(),
    }
}

/// The autoencoders among the names of files: by the names that tools give to weights, or, where there is none of these,
/// all files that may hold some.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::sae::layout::files::find_autoencoders;
/// let names = ["sae/cfg.json", "sae/sae_weights.safetensors", "sae/sparsity.safetensors"].map(String::from);
/// let found = find_autoencoders(&names);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].config.as_deref(), Some("sae/cfg.json"));
/// ```
#[must_use]
pub fn find_autoencoders(names: &[String]) -> Vec<SaeFileNames> {
    let found = find_named_weights(names);
    if !found.is_empty() {
        return found;
    }
    // Arrays of NumPy's are activations and codes more often than weights.
    group_files(names, |path| may_be_weights(path) && !path.to_ascii_lowercase().ends_with(".npz"))
}

/// Those whose weights have a name that tools give to weights alone, or a configuration of their own name.
#[must_use]
pub fn find_named_weights(names: &[String]) -> Vec<SaeFileNames> {
    group_files(names, |path| {
        let (folder, name) = split_path(path);
        let own = format!("{folder}{}_cfg.json", file_stem(name));
        let configured =
            || matches_any(name, &AMBIGUOUS_WEIGHT_NAMES) && files_of_weights(path, names).config.is_some();
        may_be_weights(path) && (matches_any(name, &WEIGHT_NAMES) || names.contains(&own) || configured())
    })
}

/// The autoencoders of some weights, in the order of their names and the numbers in these.
fn group_files(names: &[String], is: impl Fn(&str) -> bool) -> Vec<SaeFileNames> {
    let mut found: Vec<&String> = names.iter().filter(|path| is(path)).collect();
    found.sort_by_cached_key(|name| crate::io::numeric_sort_key(name));
    found.into_iter().map(|weights| files_of_weights(weights, names)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Vec<(String, Option<String>)> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        find_autoencoders(&names).into_iter().map(|one| (one.weights, one.config)).collect()
    }

    fn one(weights: &str, config: Option<&str>) -> Vec<(String, Option<String>)> {
        vec![(weights.to_owned(), config.map(str::to_owned))]
    }

    #[test]
    fn files_of_one_autoencoder_are_told_by_their_names() {
        let llama = ["L5R-8x/hyperparams.json", "L5R-8x/checkpoints/final.safetensors"];
        assert_eq!(found(&llama), one(llama[1], Some(llama[0])));
        let eleuther = ["config.json", "layers.5/cfg.json", "layers.5/sae.safetensors"];
        assert_eq!(found(&eleuther), one(eleuther[2], Some(eleuther[1])));
        let rob = ["a_v9.pt", "a_v9_cfg.json", "b.txt"];
        assert_eq!(found(&rob), one("a_v9.pt", Some("a_v9_cfg.json")));
        assert_eq!(found(&["x/6.pt"]), one("x/6.pt", None));
        assert_eq!(found(&["ae.pt", "other.pt", "config.json"]), one("ae.pt", Some("config.json")));
        assert!(found(&["cfg.json", "sparsity.safetensors", ".a.pt", "notes"]).is_empty());
        let many = ["layer10.sae.pt", "layer2.sae.pt"];
        let names: Vec<String> = found(&many).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["layer2.sae.pt", "layer10.sae.pt"]);
    }

    #[test]
    fn further_files_belong_to_their_weights() {
        let names = ["W_enc_1.safetensors", "W_dec_1.safetensors", "W_dec_0.safetensors", "config.yaml"];
        let names = names.map(str::to_owned);
        let of = files_of_weights(&names[0], &names);
        assert_eq!((of.more, of.config.as_deref()), (vec![names[1].clone()], Some("config.yaml")));
        let names = ["c/sae_weights.safetensors", "c/activation_whitening.safetensors", "c/activation_scaler.json"];
        let names = names.map(str::to_owned);
        let of = files_of_weights(&names[0], &names);
        assert_eq!((of.more, of.scaler), (vec![names[1].clone()], Some(names[2].clone())));
    }
}
