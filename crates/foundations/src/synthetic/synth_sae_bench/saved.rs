//! A model of the benchmark from the folder that `SyntheticModel.save` of SAELens writes.

use super::{Hierarchy, SynthSaeBench, base_probabilities, firing_threshold, probability_corrections};
use crate::io::json::{Json, JsonNode, parse};
use crate::io::{DataFile, IoError};
use crate::{Matrix, TorchRng};

/// Most features, and most dimensions, of a model: four times as many as SynthSAEBench-16k has.
const FEATURES_MAX: u64 = 1 << 16;
const DIMENSIONS_MAX: u64 = 1 << 13;
/// Stored probabilities are as the configuration has them where they differ by no more than this share.
const PROBABILITY_TOLERANCE: f64 = 1e-4;
/// Fields of a configuration that are read.
const CONFIG_FIELDS: [&str; 10] = [
    "num_features",
    "hidden_dim",
    "firing_probability",
    "hierarchy",
    "orthogonalization",
    "correlation",
    "std_firing_magnitudes",
    "mean_firing_magnitudes",
    "dtype",
    "seed",
];

/// A model that was read.
#[derive(Clone, Debug)]
pub struct SavedModel {
    /// The model.
    pub model: SynthSaeBench,
    /// What must be known of how it was read, in sentences.
    pub notes: Vec<String>,
}

impl SavedModel {
    /// The name of the configuration in the folder.
    pub const CONFIG_FILE: &str = "synthetic_model_config.json";
    /// The name of the weights in the folder.
    pub const WEIGHTS_FILE: &str = "synthetic_model.safetensors";
    /// The name of the hierarchy in the folder, where there is one.
    pub const HIERARCHY_FILE: &str = "hierarchy.json";

    /// From the name and bytes of its configuration, its weights, and the name and bytes of its hierarchy.
    ///
    /// Directions, bias, firing probabilities (as a hierarchy has them compensated) and correlations are stored. Mean
    /// strengths and their deviations are not: they are drawn again from the configuration's seed, as
    /// `SyntheticModel.load_from_disk` of `sae_lens` 6.54.12 has it, from PyTorch's CPU generator.
    ///
    /// # Errors
    /// [`IoError`] with the file, the field, what it holds and what is allowed.
    pub fn read(config: (&str, &[u8]), weights: &DataFile, hierarchy: Option<(&str, &[u8])>) -> Result<Self, IoError> {
        let json = parse(config.0, config.1)?;
        let whole = JsonNode::root(config.0, &json);
        let mut notes = Vec::new();
        let unread = whole.as_object("an object")?.iter().map(|(name, _)| name.as_str());
        let unread: Vec<&str> = unread.filter(|name| !CONFIG_FIELDS.contains(name) && *name != "bias").collect();
        if !unread.is_empty() {
            notes.push(format!("{}: not read: {}.", config.0, unread.join(", ")));
        }
        let features = read_size(&whole, "num_features", FEATURES_MAX)?;
        let dimensions = read_size(&whole, "hidden_dim", DIMENSIONS_MAX)?;
        let dtype = whole.get("dtype")?;
        if dtype.as_text()? != "float32" {
            return Err(dtype.invalid_value_error("float32"));
        }

        let directions = read_matrix(weights, "feature_vectors", (features, dimensions))?;
        let bias = read_vector(weights, "bias", dimensions)?;
        let probabilities = read_vector(weights, "firing_probabilities", features)?;
        if let Some(at) = probabilities.iter().position(|p| !(0.0..=1.0).contains(p)) {
            let found = probabilities.get(at).copied().unwrap_or_default();
            return Err(entry_error(weights, "firing_probabilities", at, found, "0 to 1"));
        }
        let correlated = get_non_null(&whole, "correlation")?.is_some();
        if correlated != weights.array("correlation_factor").is_ok() {
            let allowed = match correlated {
                true => "null, as the weights have no correlation_factor",
                false => "a correlation, as the weights have a correlation_factor",
            };
            return Err(get_or_null(&whole, "correlation")?.invalid_value_error(allowed));
        }
        let (factor, own) = if correlated {
            read_correlation(weights, features)?
        } else {
            (Matrix::zeros(features, 0), vec![1.0; features])
        };

        let asked = get_non_null(&whole, "hierarchy")?;
        let hierarchy = match (hierarchy, &asked) {
            (Some((name, bytes)), _) => Some(read_hierarchy(name, bytes, features)?),
            (None, None) => None,
            (None, Some(asked)) => {
                let allowed = format!("null where there is no {} beside", Self::HIERARCHY_FILE);
                return Err(asked.invalid_value_error(&allowed));
            }
        };
        let compensated = match &asked {
            Some(asked) => match asked.get_optional("compensate_probabilities")? {
                Some(place) => read_bool(&place)?,
                None => false,
            },
            None => false,
        };

        let seed = ConfigSeed::from_config(&whole)?;
        let means = read_strengths(&whole, "mean_firing_magnitudes", features, seed.offset_by(2))?;
        let deviations = read_strengths(&whole, "std_firing_magnitudes", features, seed.offset_by(1))?;
        if let Some(found) = &hierarchy {
            let scaling = (0..features).find(|at| found.is_scaled(*at) && means.get(*at) <= Some(&0.0));
            if scaling.is_some() {
                let allowed = "means above 0 of features whose children are scaled by them";
                return Err(get_or_null(&whole, "mean_firing_magnitudes")?.invalid_value_error(allowed));
            }
        }
        let mut asked = read_firing_probabilities(&whole.get("firing_probability")?, features, &seed)?;
        if let Some(found) = hierarchy.as_ref().filter(|_| compensated) {
            let factors = probability_corrections(&asked, found);
            asked.iter_mut().zip(factors).for_each(|(p, factor)| *p = (*p * factor).min(1.0));
        }
        let differs = |(stored, asked): (&f64, &f64)| (stored - asked).abs() > PROBABILITY_TOLERANCE * asked.abs();
        if let Some(at) = probabilities.iter().zip(&asked).position(differs) {
            notes.push(format!(
                "The stored firing_probabilities are used. {} asks for {}, not {}, for feature {at}: SAELens draws correlated features \
                 with what its configuration asks for.",
                config.0,
                // With the digits of the type that they are stored in.
                asked.get(at).copied().unwrap_or_default() as f32,
                probabilities.get(at).copied().unwrap_or_default() as f32,
            ));
        }
        let thresholds = probabilities.iter().map(|p| firing_threshold(*p)).collect();
        let model = SynthSaeBench {
            directions,
            bias,
            probabilities,
            thresholds,
            correlation_factor: factor,
            own_variances: own,
            mean_strengths: means,
            strength_deviations: deviations,
            hierarchy,
        };
        Ok(Self { model, notes })
    }
}

/// A count from 1 on.
fn read_size(whole: &JsonNode<'_>, field: &str, most: u64) -> Result<usize, IoError> {
    let place = whole.get(field)?;
    match place.as_count() {
        Ok(count) if (1..=most).contains(&count) => Ok(count as usize),
        _ => Err(place.invalid_value_error(&format!("a whole number from 1 to {most}"))),
    }
}

fn read_bool(place: &JsonNode<'_>) -> Result<bool, IoError> {
    match place.value() {
        Json::Bool(value) => Ok(*value),
        _ => Err(place.invalid_value_error("true or false")),
    }
}

/// A field that is there and not null.
fn get_non_null<'a>(whole: &JsonNode<'a>, field: &str) -> Result<Option<JsonNode<'a>>, IoError> {
    Ok(whole.get_optional(field)?.filter(|place| *place.value() != Json::Null))
}

/// A field, null where it is not there.
fn get_or_null<'a>(whole: &JsonNode<'a>, field: &str) -> Result<JsonNode<'a>, IoError> {
    const NULL: Json = Json::Null;
    Ok(whole.get_optional(field)?.unwrap_or_else(|| whole.child(field, &NULL)))
}

/// A finite number within bounds.
fn read_number(place: &JsonNode<'_>, least: f64, most: f64) -> Result<f64, IoError> {
    match place.as_number() {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(place.invalid_value_error(&format!("a number from {least} to {most}"))),
    }
}

/// A finite number above 0.
fn read_positive(place: &JsonNode<'_>, most: f64) -> Result<f64, IoError> {
    match place.as_number() {
        Ok(value) if value >= f64::MIN_POSITIVE && value <= most => Ok(value),
        _ => Err(place.invalid_value_error(&format!("a number above 0, at most {most}"))),
    }
}

fn entry_error(weights: &DataFile, array: &str, at: usize, found: f64, allowed: &str) -> IoError {
    IoError::Field {
        file: weights.name().to_owned(),
        field: format!("{array}.{at}"),
        found: found.to_string(),
        allowed: allowed.to_owned(),
    }
}

fn read_matrix(weights: &DataFile, name: &str, (rows, cols): (usize, usize)) -> Result<Matrix, IoError> {
    let array = weights.array(name)?;
    array.expect_shape(rows, cols, "one row a feature, one column a dimension")?;
    let values = array.read_all_as::<f64>()?;
    Matrix::from_vec(rows, cols, values).map_err(|_| array.shape_error("finite numbers"))
}

fn read_vector(weights: &DataFile, name: &str, len: usize) -> Result<Vec<f64>, IoError> {
    let array = weights.array(name)?;
    if array.ndim() > 1 && array.rows() > 1 {
        return Err(array.shape_error(&len.to_string()));
    }
    array.expect_shape(1, len, "a vector")?;
    array.read_all_as()
}

/// What features have in common, and the variance that each has of its own.
fn read_correlation(weights: &DataFile, features: usize) -> Result<(Matrix, Vec<f64>), IoError> {
    let array = weights.array("correlation_factor")?;
    let (rank, name) = (array.cols(), "correlation_diag");
    let factor = read_matrix(weights, "correlation_factor", (features, rank))?;
    let own = read_vector(weights, name, features)?;
    match own.iter().position(|own| *own <= 0.0) {
        Some(at) => {
            let found = own.get(at).copied().unwrap_or_default();
            Err(entry_error(weights, name, at, found, "numbers above 0"))
        }
        None => Ok((factor, own)),
    }
}

/// The seed of a configuration, which may have none.
struct ConfigSeed<'a> {
    place: JsonNode<'a>,
    seed: Option<u64>,
}

impl<'a> ConfigSeed<'a> {
    fn from_config(whole: &JsonNode<'a>) -> Result<Self, IoError> {
        let place = get_or_null(whole, "seed")?;
        let seed = match place.value() {
            Json::Null => None,
            _ => Some(place.as_count()?),
        };
        Ok(Self { place, seed })
    }

    /// The same, later by so much.
    fn offset_by(&self, by: u64) -> Self {
        Self { place: self.place.clone(), seed: self.seed.map(|seed| seed.wrapping_add(by)) }
    }

    /// PyTorch's stream of it. Without a seed SAELens draws other strengths whenever the folder is read.
    fn to_rng(&self) -> Result<TorchRng, IoError> {
        let allowed = "a whole number from 0 on, where strengths or probabilities are drawn";
        self.seed.map(TorchRng::new).ok_or_else(|| self.place.invalid_value_error(allowed))
    }
}

/// Mean strengths or their deviations, in single precision as PyTorch has them.
fn read_strengths(
    whole: &JsonNode<'_>,
    field: &str,
    features: usize,
    seed: ConfigSeed<'_>,
) -> Result<Vec<f64>, IoError> {
    const STRENGTH_MAX: f64 = 1e6;
    let place = whole.get(field)?;
    if let Json::Number(_) = place.value() {
        return Ok(vec![round_to_f32(read_number(&place, 0.0, STRENGTH_MAX)?); features]);
    }
    let named = place.get("generator_name")?;
    let above = |name: &str| read_positive(&place.get(name)?, STRENGTH_MAX);
    let (last, share) = (features.saturating_sub(1).max(1) as f64, |at: usize| at as f64);
    match named.as_text()? {
        "constant" => Ok(vec![round_to_f32(read_number(&place.get("value")?, 0.0, STRENGTH_MAX)?); features]),
        "linear" => {
            let (start, end) = (above("start")?, above("end")?);
            let value = |at: usize| round_to_f32(start + (end - start) * share(at) / last);
            Ok((0..features).map(value).collect())
        }
        "exponential" => {
            let (start, end) = (above("start")?, above("end")?);
            let value = |at: usize| round_to_f32(start * libm::pow(end / start, share(at) / last));
            Ok((0..features).map(value).collect())
        }
        "folded_normal" => {
            let mean = read_number(&place.get("mean")?, -STRENGTH_MAX, STRENGTH_MAX)? as f32;
            let deviation = above("std")? as f32;
            let bound = |name: &str| match get_non_null(&place, name)? {
                Some(place) => Ok::<_, IoError>(Some(read_number(&place, 0.0, STRENGTH_MAX)? as f32)),
                None => Ok(None),
            };
            let (least, most) = (bound("min_value")?, bound("max_value")?);
            let value = |z: f32| {
                let value = (mean + z * deviation).abs().max(least.unwrap_or(0.0));
                f64::from(value.min(most.unwrap_or(f32::INFINITY)))
            };
            Ok(seed.to_rng()?.randn(features).into_iter().map(value).collect())
        }
        _ => Err(named.invalid_value_error("constant, linear, exponential, folded_normal")),
    }
}

/// As a single has it.
fn round_to_f32(value: f64) -> f64 {
    f64::from(value as f32)
}

/// Probabilities before a hierarchy.
fn read_firing_probabilities(
    place: &JsonNode<'_>,
    features: usize,
    seed: &ConfigSeed<'_>,
) -> Result<Vec<f64>, IoError> {
    let named = place.get("generator_name")?;
    let of = |name: &str| read_number(&place.get(name)?, 0.0, 1.0);
    match named.as_text()? {
        "constant" => Ok(vec![of("probability")?; features]),
        "zipfian" => {
            let exponent = read_positive(&place.get("exponent")?, 100.0)?;
            let (least, most) = (of("min_prob")?, of("max_prob")?);
            if features == 1 {
                return Ok(vec![most]);
            }
            Ok(base_probabilities(features, exponent, (least, most)))
        }
        "linear" => {
            let (least, most) = (of("min_prob")?, of("max_prob")?);
            let last = features.saturating_sub(1).max(1) as f64;
            Ok((0..features).map(|at| most + (least - most) * at as f64 / last).collect())
        }
        "random" => {
            let (least, most) = (of("min_prob")?, of("max_prob")?);
            let mut rng = seed.to_rng()?;
            let value = |_| least + (most - least) * f64::from(rng.uniform());
            Ok((0..features).map(value).collect())
        }
        _ => Err(named.invalid_value_error("zipfian, linear, random, constant")),
    }
}

/// What `hierarchy.json` says: trees of features, breadth first.
fn read_hierarchy(name: &str, bytes: &[u8], features: usize) -> Result<Hierarchy, IoError> {
    let json = parse(name, bytes)?;
    let roots = JsonNode::root(name, &json).get("roots")?;
    let mut found = Hierarchy::flat(features);
    let mut seen = vec![false; features];
    let mut level: Vec<JsonNode<'_>> = Vec::new();
    for (at, node) in roots.as_list("a list of nodes")?.iter().enumerate() {
        level.push(roots.child(at, node));
    }
    while !level.is_empty() {
        let (mut here, mut below) = (Vec::new(), Vec::new());
        for node in &level {
            let index = feature_index(node, features)?;
            if let Some(seen) = seen.get_mut(index)
                && std::mem::replace(seen, true)
            {
                return Err(node.get("feature_index")?.invalid_value_error("each feature once"));
            }
            here.push(index);
            let Some(children) = node.get_optional("children")? else { continue };
            let mut indices = Vec::new();
            for (at, child) in children.as_list("a list of nodes")?.iter().enumerate() {
                let child = children.child(at, child);
                indices.push(feature_index(&child, features)?);
                below.push(child);
            }
            let flag = |name: &str| node.get_optional(name)?.map_or(Ok(false), |place| read_bool(&place));
            let (exclusive, scaled) = (flag("mutually_exclusive_children")?, flag("scale_children_by_parent")?);
            found.set_children(index, indices, exclusive, scaled);
        }
        found.levels.push(here);
        level = below;
    }
    Ok(found)
}

/// The feature of a node.
fn feature_index(node: &JsonNode<'_>, features: usize) -> Result<usize, IoError> {
    let place = node.get("feature_index")?;
    match place.as_count() {
        Ok(index) if index < features as u64 => Ok(index as usize),
        _ => Err(place.invalid_value_error(&format!("a feature from 0 to {}", features.saturating_sub(1)))),
    }
}
