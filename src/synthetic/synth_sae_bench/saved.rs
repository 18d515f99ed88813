//! A model of the benchmark from the folder that `SyntheticModel.save` of SAELens writes.

use super::{Hierarchy, SynthSaeBench, base_probabilities, corrections, threshold};
use crate::io::json::{Json, Place, parse};
use crate::io::{DataFile, IoError};
use crate::{Matrix, TorchRng};

/// Most features, and most dimensions, of a model: four times as many as SynthSAEBench-16k has.
const FEATURES_MAX: u64 = 1 << 16;
const DIMENSIONS_MAX: u64 = 1 << 13;
/// Stored probabilities are as the configuration has them where they differ by no more than this share.
const SAME: f64 = 1e-4;
/// Fields of a configuration that are read.
const FIELDS: [&str; 10] = [
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
pub struct Saved {
    /// The model.
    pub model: SynthSaeBench,
    /// What must be known of how it was read, in sentences.
    pub notes: Vec<String>,
}

impl Saved {
    /// The name of the configuration in the folder.
    pub const CONFIG: &str = "synthetic_model_config.json";
    /// The name of the weights in the folder.
    pub const WEIGHTS: &str = "synthetic_model.safetensors";
    /// The name of the hierarchy in the folder, where there is one.
    pub const HIERARCHY: &str = "hierarchy.json";

    /// From the name and bytes of its configuration, its weights, and the name and bytes of its hierarchy.
    ///
    /// Directions, bias, firing probabilities (as a hierarchy has them compensated) and correlations are stored. Mean
    /// strengths and their deviations are not: they are drawn again from the configuration's seed, as
    /// `SyntheticModel.load_from_disk` of `sae_lens` 6.54.12 has it, from PyTorch's CPU generator.
    ///
    /// # Errors
    /// [`IoError`] with the file, the field, what it holds and what is allowed.
    pub fn read(
        config: (&str, &[u8]),
        weights: &DataFile,
        hierarchy: Option<(&str, &[u8])>,
    ) -> Result<Self, IoError> {
        let json = parse(config.0, config.1)?;
        let whole = Place::whole(config.0, &json);
        let mut notes = Vec::new();
        let unread = whole.object("an object")?.iter().map(|(name, _)| name.as_str());
        let unread: Vec<&str> =
            unread.filter(|name| !FIELDS.contains(name) && *name != "bias").collect();
        if !unread.is_empty() {
            notes.push(format!("{}: not read: {}.", config.0, unread.join(", ")));
        }
        let features = size(&whole, "num_features", FEATURES_MAX)?;
        let dimensions = size(&whole, "hidden_dim", DIMENSIONS_MAX)?;
        let dtype = whole.get("dtype")?;
        if dtype.text()? != "float32" {
            return Err(dtype.refusal("float32"));
        }

        let directions = matrix(weights, "feature_vectors", (features, dimensions))?;
        let bias = vector(weights, "bias", dimensions)?;
        let probabilities = vector(weights, "firing_probabilities", features)?;
        if let Some(at) = probabilities.iter().position(|p| !(0.0..=1.0).contains(p)) {
            let found = probabilities.get(at).copied().unwrap_or_default();
            return Err(entry(weights, "firing_probabilities", at, found, "0 to 1"));
        }
        let correlated = given(&whole, "correlation")?.is_some();
        if correlated != weights.array("correlation_factor").is_ok() {
            let allowed = match correlated {
                true => "null, as the weights have no correlation_factor",
                false => "a correlation, as the weights have a correlation_factor",
            };
            return Err(maybe_null(&whole, "correlation")?.refusal(allowed));
        }
        let (factor, own) = if correlated {
            correlation(weights, features)?
        } else {
            (Matrix::zeros(features, 0), vec![1.0; features])
        };

        let asked = given(&whole, "hierarchy")?;
        let hierarchy = match (hierarchy, &asked) {
            (Some((name, bytes)), _) => Some(read_hierarchy(name, bytes, features)?),
            (None, None) => None,
            (None, Some(asked)) => {
                let allowed = format!("null where there is no {} beside", Self::HIERARCHY);
                return Err(asked.refusal(&allowed));
            }
        };
        let compensated = match &asked {
            Some(asked) => match asked.maybe("compensate_probabilities")? {
                Some(place) => truth(&place)?,
                None => false,
            },
            None => false,
        };

        let seed = Seed::of(&whole)?;
        let means = strengths(&whole, "mean_firing_magnitudes", features, seed.plus(2))?;
        let deviations = strengths(&whole, "std_firing_magnitudes", features, seed.plus(1))?;
        if let Some(found) = &hierarchy {
            let scaling =
                (0..features).find(|at| found.scales(*at) && means.get(*at) <= Some(&0.0));
            if scaling.is_some() {
                let allowed = "means above 0 of features whose children are scaled by them";
                return Err(maybe_null(&whole, "mean_firing_magnitudes")?.refusal(allowed));
            }
        }
        let mut asked = firing_probabilities(&whole.get("firing_probability")?, features, &seed)?;
        if let Some(found) = hierarchy.as_ref().filter(|_| compensated) {
            let factors = corrections(&asked, found);
            asked.iter_mut().zip(factors).for_each(|(p, factor)| *p = (*p * factor).min(1.0));
        }
        let differs = |(stored, asked): (&f64, &f64)| (stored - asked).abs() > SAME * asked.abs();
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
        let thresholds = probabilities.iter().map(|p| threshold(*p)).collect();
        let model = SynthSaeBench {
            directions,
            bias,
            probabilities,
            thresholds,
            factor,
            own,
            means,
            deviations,
            hierarchy,
        };
        Ok(Self { model, notes })
    }
}

/// A count from 1 on.
fn size(whole: &Place<'_>, field: &str, most: u64) -> Result<usize, IoError> {
    let place = whole.get(field)?;
    match place.count() {
        Ok(count) if (1..=most).contains(&count) => Ok(count as usize),
        _ => Err(place.refusal(&format!("a whole number from 1 to {most}"))),
    }
}

fn truth(place: &Place<'_>) -> Result<bool, IoError> {
    match place.value() {
        Json::Bool(value) => Ok(*value),
        _ => Err(place.refusal("true or false")),
    }
}

/// A field that is there and not null.
fn given<'a>(whole: &Place<'a>, field: &str) -> Result<Option<Place<'a>>, IoError> {
    Ok(whole.maybe(field)?.filter(|place| *place.value() != Json::Null))
}

/// A field, null where it is not there.
fn maybe_null<'a>(whole: &Place<'a>, field: &str) -> Result<Place<'a>, IoError> {
    const NONE: Json = Json::Null;
    Ok(whole.maybe(field)?.unwrap_or_else(|| whole.at(field, &NONE)))
}

/// A finite number within bounds.
fn number(place: &Place<'_>, least: f64, most: f64) -> Result<f64, IoError> {
    match place.number() {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(place.refusal(&format!("a number from {least} to {most}"))),
    }
}

/// A finite number above 0.
fn positive(place: &Place<'_>, most: f64) -> Result<f64, IoError> {
    match place.number() {
        Ok(value) if value >= f64::MIN_POSITIVE && value <= most => Ok(value),
        _ => Err(place.refusal(&format!("a number above 0, at most {most}"))),
    }
}

fn entry(weights: &DataFile, array: &str, at: usize, found: f64, allowed: &str) -> IoError {
    IoError::Field {
        file: weights.name().to_owned(),
        field: format!("{array}.{at}"),
        found: found.to_string(),
        allowed: allowed.to_owned(),
    }
}

fn matrix(weights: &DataFile, name: &str, (rows, cols): (usize, usize)) -> Result<Matrix, IoError> {
    let array = weights.array(name)?;
    array.expect(rows, cols, "one row a feature, one column a dimension")?;
    let values = array.read_all_as::<f64>()?;
    Matrix::from_vec(rows, cols, values).map_err(|_| array.shape_error("finite numbers"))
}

fn vector(weights: &DataFile, name: &str, len: usize) -> Result<Vec<f64>, IoError> {
    let array = weights.array(name)?;
    if array.dimensions() > 1 && array.rows() > 1 {
        return Err(array.shape_error(&len.to_string()));
    }
    array.expect(1, len, "a vector")?;
    array.read_all_as()
}

/// What features have in common, and the variance that each has of its own.
fn correlation(weights: &DataFile, features: usize) -> Result<(Matrix, Vec<f64>), IoError> {
    let array = weights.array("correlation_factor")?;
    let (rank, name) = (array.cols(), "correlation_diag");
    let factor = matrix(weights, "correlation_factor", (features, rank))?;
    let own = vector(weights, name, features)?;
    match own.iter().position(|own| *own <= 0.0) {
        Some(at) => {
            let found = own.get(at).copied().unwrap_or_default();
            Err(entry(weights, name, at, found, "numbers above 0"))
        }
        None => Ok((factor, own)),
    }
}

/// The seed of a configuration, which may have none.
struct Seed<'a> {
    place: Place<'a>,
    seed: Option<u64>,
}

impl<'a> Seed<'a> {
    fn of(whole: &Place<'a>) -> Result<Self, IoError> {
        let place = maybe_null(whole, "seed")?;
        let seed = match place.value() {
            Json::Null => None,
            _ => Some(place.count()?),
        };
        Ok(Self { place, seed })
    }

    /// The same, later by so much.
    fn plus(&self, by: u64) -> Self {
        Self { place: self.place.clone(), seed: self.seed.map(|seed| seed.wrapping_add(by)) }
    }

    /// PyTorch's stream of it. Without a seed SAELens draws other strengths whenever the folder is read.
    fn stream(&self) -> Result<TorchRng, IoError> {
        let allowed = "a whole number from 0 on, where strengths or probabilities are drawn";
        self.seed.map(TorchRng::new).ok_or_else(|| self.place.refusal(allowed))
    }
}

/// Mean strengths or their deviations, in single precision as PyTorch has them.
fn strengths(
    whole: &Place<'_>,
    field: &str,
    features: usize,
    seed: Seed<'_>,
) -> Result<Vec<f64>, IoError> {
    const LONG: f64 = 1e6;
    let place = whole.get(field)?;
    if let Json::Number(_) = place.value() {
        return Ok(vec![single(number(&place, 0.0, LONG)?); features]);
    }
    let named = place.get("generator_name")?;
    let above = |name: &str| positive(&place.get(name)?, LONG);
    let (last, share) = (features.saturating_sub(1).max(1) as f64, |at: usize| at as f64);
    match named.text()? {
        "constant" => Ok(vec![single(number(&place.get("value")?, 0.0, LONG)?); features]),
        "linear" => {
            let (start, end) = (above("start")?, above("end")?);
            let value = |at: usize| single(start + (end - start) * share(at) / last);
            Ok((0..features).map(value).collect())
        }
        "exponential" => {
            let (start, end) = (above("start")?, above("end")?);
            let value = |at: usize| single(start * libm::pow(end / start, share(at) / last));
            Ok((0..features).map(value).collect())
        }
        "folded_normal" => {
            let mean = number(&place.get("mean")?, -LONG, LONG)? as f32;
            let deviation = above("std")? as f32;
            let bound = |name: &str| match given(&place, name)? {
                Some(place) => Ok::<_, IoError>(Some(number(&place, 0.0, LONG)? as f32)),
                None => Ok(None),
            };
            let (least, most) = (bound("min_value")?, bound("max_value")?);
            let value = |z: f32| {
                let value = (mean + z * deviation).abs().max(least.unwrap_or(0.0));
                f64::from(value.min(most.unwrap_or(f32::INFINITY)))
            };
            Ok(seed.stream()?.normals(features).into_iter().map(value).collect())
        }
        _ => Err(named.refusal("constant, linear, exponential, folded_normal")),
    }
}

/// As a single has it.
fn single(value: f64) -> f64 {
    f64::from(value as f32)
}

/// Probabilities before a hierarchy.
fn firing_probabilities(
    place: &Place<'_>,
    features: usize,
    seed: &Seed<'_>,
) -> Result<Vec<f64>, IoError> {
    let named = place.get("generator_name")?;
    let of = |name: &str| number(&place.get(name)?, 0.0, 1.0);
    match named.text()? {
        "constant" => Ok(vec![of("probability")?; features]),
        "zipfian" => {
            let exponent = positive(&place.get("exponent")?, 100.0)?;
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
            let mut rng = seed.stream()?;
            let value = |_| least + (most - least) * f64::from(rng.uniform());
            Ok((0..features).map(value).collect())
        }
        _ => Err(named.refusal("zipfian, linear, random, constant")),
    }
}

/// What `hierarchy.json` says: trees of features, breadth first.
fn read_hierarchy(name: &str, bytes: &[u8], features: usize) -> Result<Hierarchy, IoError> {
    let json = parse(name, bytes)?;
    let roots = Place::whole(name, &json).get("roots")?;
    let mut found = Hierarchy::none(features);
    let mut seen = vec![false; features];
    let mut level: Vec<Place<'_>> = Vec::new();
    for (at, node) in roots.list("a list of nodes")?.iter().enumerate() {
        level.push(roots.at(at, node));
    }
    while !level.is_empty() {
        let (mut here, mut below) = (Vec::new(), Vec::new());
        for node in &level {
            let index = index_of(node, features)?;
            if let Some(seen) = seen.get_mut(index)
                && std::mem::replace(seen, true)
            {
                return Err(node.get("feature_index")?.refusal("each feature once"));
            }
            here.push(index);
            let Some(children) = node.maybe("children")? else { continue };
            let mut indices = Vec::new();
            for (at, child) in children.list("a list of nodes")?.iter().enumerate() {
                let child = children.at(at, child);
                indices.push(index_of(&child, features)?);
                below.push(child);
            }
            let flag = |name: &str| node.maybe(name)?.map_or(Ok(false), |place| truth(&place));
            let (exclusive, scaled) =
                (flag("mutually_exclusive_children")?, flag("scale_children_by_parent")?);
            found.set_children(index, indices, exclusive, scaled);
        }
        found.levels.push(here);
        level = below;
    }
    Ok(found)
}

/// The feature of a node.
fn index_of(node: &Place<'_>, features: usize) -> Result<usize, IoError> {
    let place = node.get("feature_index")?;
    match place.count() {
        Ok(index) if index < features as u64 => Ok(index as usize),
        _ => Err(place.refusal(&format!("a feature from 0 to {}", features.saturating_sub(1)))),
    }
}
