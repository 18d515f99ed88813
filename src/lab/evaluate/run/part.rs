//! Pieces of work that do not depend on each other, and what comes of them: as bytes they go from one worker to another.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::super::EvaluationError;
use super::loaded_model::ActiveSubspaceResult;
use super::sums::{ActiveFeatures, RowBlockResult};
use crate::Matrix;
use crate::linalg::span::RowSpace;

/// What is done with which rows.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum JobKind {
    /// The Gram matrix of rows of the dictionary.
    Gram,
    /// The lengths of rows.
    Lengths,
    /// Coding and measuring rows.
    Rows,
    /// Projecting some of so many evenly spaced rows, whose active features may be known.
    ActiveSubspace { total: usize, kept: Option<Vec<ActiveFeatures>> },
    /// Comparing some of so many evenly spaced features with all.
    Directions { total: usize },
}

/// One piece.
#[derive(Clone, Serialize, Deserialize)]
pub struct Job {
    pub(super) work: JobKind,
    pub(super) of: Range<usize>,
    /// The numbers of its rows in the files, where some are left out.
    pub(super) rows: Option<Vec<usize>>,
}

/// What comes of one.
#[derive(Serialize, Deserialize)]
pub(super) enum JobOutput {
    Gram(Matrix),
    Lengths(Vec<f64>),
    Rows(Box<RowBlockResult>),
    ActiveSubspace(ActiveSubspaceResult),
    Directions(Vec<Option<f64>>),
}

/// What comes of one, and how much it was of.
#[derive(Serialize, Deserialize)]
pub struct PartialResult {
    pub(super) found: JobOutput,
    pub(super) count: usize,
}

/// What all must know before they code rows.
#[derive(Clone, Serialize, Deserialize)]
pub struct Basis {
    pub(super) gram: Matrix,
    pub(super) space: RowSpace,
}

macro_rules! impl_bytes {
    ($($type:ty),*) => {$(
        impl $type {
            /// As bytes.
            ///
            /// # Errors
            /// [`EvaluationError::InvalidPart`].
            pub fn to_bytes(&self) -> Result<Vec<u8>, EvaluationError> {
                rmp_serde::to_vec(self).map_err(|error| EvaluationError::InvalidPart(error.to_string()))
            }

            /// Of bytes.
            ///
            /// # Errors
            /// [`EvaluationError::InvalidPart`] for bytes that are something else.
            pub fn of_bytes(bytes: &[u8]) -> Result<Self, EvaluationError> {
                rmp_serde::from_slice(bytes).map_err(|error| EvaluationError::InvalidPart(error.to_string()))
            }
        }
    )*};
}
impl_bytes!(Job, PartialResult, Basis);
