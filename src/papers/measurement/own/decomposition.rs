//! Autoencoders of a reader's own: features at positions and directions, as arrays.

use std::collections::BTreeMap;

use super::super::metric::Activations;
use super::super::metric::adaptive_sparsity::{
    MISMATCH_THRESHOLD, adaptive_sparsity, complexity_and_k,
};
use super::super::metric::architecture_duality::{Settings, Side, architecture_duality};
use super::super::metric::matryoshka::{COSINE_THRESHOLD, TOP_K, matryoshka};
use super::super::metric::superposition::{feature_superposition, superposition};
use super::measured::{OwnResults, OwnSuperposition, refused};
use crate::Matrix;
use crate::io::Entries;
use crate::study::user_file::{UserArray, UserFileError};

/// Names of arrays: features are positions × features, directions features × width, the stream positions × width.
pub(super) const NAMES: [&str; 12] = [
    "a_activations",
    "b_activations",
    "a_decoder",
    "b_decoder",
    "a_encoder",
    "b_encoder",
    "small_activations",
    "large_activations",
    "large_decoder",
    "activations",
    "decoder",
    "residual",
];

/// M07 of `a_…` and `b_…`, M11 of `small_…` and `large_…`, M12 of `activations` and `residual`, M13 of `residual` and
/// `decoder`; each where its arrays are there.
pub(super) fn found(
    arrays: &mut BTreeMap<&'static str, UserArray>,
) -> Result<Vec<(String, OwnResults)>, UserFileError> {
    let mut found = Vec::new();
    let of = ["a_activations", "a_decoder", "b_activations", "b_decoder"];
    if let Some([a, a_decoder, b, b_decoder]) = together(arrays, of)? {
        let encoder = |array: Option<UserArray>| array.as_ref().map(wide).transpose();
        let a_encoder = encoder(arrays.remove("a_encoder"))?;
        let b_encoder = encoder(arrays.remove("b_encoder"))?;
        let (a_decoder, b_decoder) = (wide(&a_decoder)?, wide(&b_decoder)?);
        let (of_a, of_b) = (Features::of(&a)?, Features::of(&b)?);
        let one =
            Side { activations: of_a.all(), decoder: &a_decoder, encoder: a_encoder.as_ref() };
        let other =
            Side { activations: of_b.all(), decoder: &b_decoder, encoder: b_encoder.as_ref() };
        let measured = architecture_duality(&one, &other, &Settings::default());
        found.push((a.label.clone(), OwnResults::M07(Box::new(told(&a, measured)?))));
    }
    let of = ["small_activations", "large_activations", "large_decoder"];
    if let Some([small, large, decoder]) = together(arrays, of)? {
        let decoder = wide(&decoder)?;
        let (of_small, of_large) = (Features::of(&small)?, Features::of(&large)?);
        let measured =
            matryoshka(of_small.all(), of_large.all(), &decoder, TOP_K, COSINE_THRESHOLD);
        found.push((small.label.clone(), OwnResults::M11(Box::new(told(&small, measured)?))));
    }
    let residual = arrays.remove("residual");
    let stream = residual.as_ref().map(wide).transpose()?;
    if let Some(activations) = arrays.remove("activations") {
        let Some(stream) = &stream else {
            return Err(missing("residual", "activations"));
        };
        let measured = complexity_and_k(stream, Features::of(&activations)?.all());
        let (complexity, k) = told(&activations, measured)?;
        let measured = adaptive_sparsity(&complexity, &k, MISMATCH_THRESHOLD);
        let measured = told(&activations, measured)?;
        found.push((activations.label.clone(), OwnResults::M12(Box::new(measured))));
    }
    let decoder = arrays.remove("decoder");
    if let Some(first) = residual.as_ref().or(decoder.as_ref()) {
        let label = first.label.clone();
        let stream =
            stream.as_ref().map(|stream| told(first, superposition(stream))).transpose()?;
        let directions = decoder
            .as_ref()
            .map(|decoder| told(decoder, feature_superposition(&wide(decoder)?)))
            .transpose()?;
        found.push((label, OwnResults::M13(Box::new(OwnSuperposition { stream, directions }))));
    }
    // An encoder alone says nothing.
    if let Some(name) =
        ["a_encoder", "b_encoder"].into_iter().find(|name| arrays.contains_key(name))
    {
        return Err(missing("a_activations, a_decoder, b_activations and b_decoder", name));
    }
    Ok(found)
}

/// Arrays that belong together; none where there is none of them.
fn together<const N: usize>(
    arrays: &mut BTreeMap<&'static str, UserArray>,
    names: [&'static str; N],
) -> Result<Option<[UserArray; N]>, UserFileError> {
    let Some(there) = names.into_iter().find(|name| arrays.contains_key(name)) else {
        return Ok(None);
    };
    if let Some(lacks) = names.into_iter().find(|name| !arrays.contains_key(name)) {
        return Err(missing(lacks, there));
    }
    let taken: Vec<UserArray> = names.into_iter().filter_map(|name| arrays.remove(name)).collect();
    Ok(taken.try_into().ok())
}

/// The refusal of an array without another one that belongs to it.
pub(super) fn missing(what: &str, there: &str) -> UserFileError {
    let allowed = format!("an array {what}, since there is one {there}");
    UserFileError::missing(what, allowed)
}

/// Features at positions, no less precise than their file has them.
enum Features<'a> {
    Single(&'a [f32], usize),
    Double(Matrix),
}

impl Features<'_> {
    fn of(array: &UserArray) -> Result<Features<'_>, UserFileError> {
        Ok(match &array.values {
            Entries::Single(values) => Features::Single(values, array.as_it_is().1),
            Entries::Double(_) => Features::Double(wide(array)?),
        })
    }

    fn all(&self) -> Activations<'_> {
        match self {
            Self::Single(values, features) => Activations::Single { values, features: *features },
            Self::Double(matrix) => Activations::Dense(matrix),
        }
    }
}

fn wide(array: &UserArray) -> Result<Matrix, UserFileError> {
    let values = array.values.iter().collect();
    let (rows, cols) = array.as_it_is();
    told(array, Matrix::from_vec(rows, cols, values))
}

/// What a metric refuses, by the file that it is of.
fn told<T, E: std::fmt::Display>(
    array: &UserArray,
    found: Result<T, E>,
) -> Result<T, UserFileError> {
    let allowed = "features as positions × features, directions as features × width, a residual stream as positions × width";
    found.map_err(|error| refused(&array.label, &error, allowed))
}
