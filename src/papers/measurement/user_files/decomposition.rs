//! Autoencoders of a reader's own: features at positions and directions, as arrays.

use std::collections::BTreeMap;

use super::super::metric::Activations;
use super::super::metric::adaptive_sparsity::{MISMATCH_THRESHOLD, adaptive_sparsity, complexity_and_k};
use super::super::metric::architecture_duality::{ComparedAutoencoder, Settings, architecture_duality};
use super::super::metric::matryoshka::{COSINE_THRESHOLD, TOP_K, matryoshka};
use super::super::metric::superposition::{feature_superposition, superposition};
use super::by_metric::{OwnResults, OwnSuperposition, value_error};
use crate::Matrix;
use crate::io::Entries;
use crate::study::user_file::{UserArray, UserFileError};

/// Names of arrays: features are positions × features, directions features × width, the stream positions × width.
pub(super) const ARRAY_NAMES: [&str; 12] = [
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
pub(super) fn measure_arrays(
    arrays: &mut BTreeMap<&'static str, UserArray>,
) -> Result<Vec<(String, OwnResults)>, UserFileError> {
    let mut found = Vec::new();
    let of = ["a_activations", "a_decoder", "b_activations", "b_decoder"];
    if let Some([a, a_decoder, b, b_decoder]) = take_arrays(arrays, of)? {
        let encoder = |array: Option<UserArray>| array.as_ref().map(array_to_matrix).transpose();
        let a_encoder = encoder(arrays.remove("a_encoder"))?;
        let b_encoder = encoder(arrays.remove("b_encoder"))?;
        let (a_decoder, b_decoder) = (array_to_matrix(&a_decoder)?, array_to_matrix(&b_decoder)?);
        let (of_a, of_b) = (FeatureArray::from_array(&a)?, FeatureArray::from_array(&b)?);
        let one =
            ComparedAutoencoder { activations: of_a.activations(), decoder: &a_decoder, encoder: a_encoder.as_ref() };
        let other =
            ComparedAutoencoder { activations: of_b.activations(), decoder: &b_decoder, encoder: b_encoder.as_ref() };
        let measured = architecture_duality(&one, &other, &Settings::default());
        found.push((a.label.clone(), OwnResults::M07(Box::new(map_to_file_error(&a, measured)?))));
    }
    let of = ["small_activations", "large_activations", "large_decoder"];
    if let Some([small, large, decoder]) = take_arrays(arrays, of)? {
        let decoder = array_to_matrix(&decoder)?;
        let (of_small, of_large) = (FeatureArray::from_array(&small)?, FeatureArray::from_array(&large)?);
        let measured = matryoshka(of_small.activations(), of_large.activations(), &decoder, TOP_K, COSINE_THRESHOLD);
        found.push((small.label.clone(), OwnResults::M11(Box::new(map_to_file_error(&small, measured)?))));
    }
    let residual = arrays.remove("residual");
    let stream = residual.as_ref().map(array_to_matrix).transpose()?;
    if let Some(activations) = arrays.remove("activations") {
        let Some(stream) = &stream else {
            return Err(missing_array_error("residual", "activations"));
        };
        let measured = complexity_and_k(stream, FeatureArray::from_array(&activations)?.activations());
        let (complexity, k) = map_to_file_error(&activations, measured)?;
        let measured = adaptive_sparsity(&complexity, &k, MISMATCH_THRESHOLD);
        let measured = map_to_file_error(&activations, measured)?;
        found.push((activations.label.clone(), OwnResults::M12(Box::new(measured))));
    }
    let decoder = arrays.remove("decoder");
    if let Some(first) = residual.as_ref().or(decoder.as_ref()) {
        let label = first.label.clone();
        let stream = stream.as_ref().map(|stream| map_to_file_error(first, superposition(stream))).transpose()?;
        let directions = decoder
            .as_ref()
            .map(|decoder| map_to_file_error(decoder, feature_superposition(&array_to_matrix(decoder)?)))
            .transpose()?;
        found.push((label, OwnResults::M13(Box::new(OwnSuperposition { stream, directions }))));
    }
    // An encoder alone says nothing.
    if let Some(name) = ["a_encoder", "b_encoder"].into_iter().find(|name| arrays.contains_key(name)) {
        return Err(missing_array_error("a_activations, a_decoder, b_activations and b_decoder", name));
    }
    Ok(found)
}

/// Arrays that belong together; none where there is none of them.
fn take_arrays<const N: usize>(
    arrays: &mut BTreeMap<&'static str, UserArray>,
    names: [&'static str; N],
) -> Result<Option<[UserArray; N]>, UserFileError> {
    let Some(there) = names.into_iter().find(|name| arrays.contains_key(name)) else {
        return Ok(None);
    };
    if let Some(lacks) = names.into_iter().find(|name| !arrays.contains_key(name)) {
        return Err(missing_array_error(lacks, there));
    }
    let taken: Vec<UserArray> = names.into_iter().filter_map(|name| arrays.remove(name)).collect();
    Ok(taken.try_into().ok())
}

/// The refusal of an array without another one that belongs to it.
pub(super) fn missing_array_error(what: &str, there: &str) -> UserFileError {
    let allowed = format!("an array {what}, since there is one {there}");
    UserFileError::missing(what, allowed)
}

/// Features at positions, no less precise than their file has them.
enum FeatureArray<'a> {
    Single(&'a [f32], usize),
    Double(Matrix),
}

impl FeatureArray<'_> {
    fn from_array(array: &UserArray) -> Result<FeatureArray<'_>, UserFileError> {
        Ok(match &array.values {
            Entries::Single(values) => FeatureArray::Single(values, array.file_shape().1),
            Entries::Double(_) => FeatureArray::Double(array_to_matrix(array)?),
        })
    }

    fn activations(&self) -> Activations<'_> {
        match self {
            Self::Single(values, features) => Activations::DenseF32 { values, features: *features },
            Self::Double(matrix) => Activations::Dense(matrix),
        }
    }
}

fn array_to_matrix(array: &UserArray) -> Result<Matrix, UserFileError> {
    let values = array.values.iter().collect();
    let (rows, cols) = array.file_shape();
    map_to_file_error(array, Matrix::from_vec(rows, cols, values))
}

/// What a metric refuses, by the file that it is of.
fn map_to_file_error<T, E: std::fmt::Display>(array: &UserArray, found: Result<T, E>) -> Result<T, UserFileError> {
    let allowed =
        "features as positions × features, directions as features × width, a residual stream as positions × width";
    found.map_err(|error| value_error(&array.label, &error, allowed))
}
