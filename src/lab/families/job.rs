use serde::{Deserialize, Serialize};

use super::method::Method;

/// One member of a study.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesJob"))]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The method.
    pub method: Method,
    /// Its knob's value: k, or λ.
    pub knob: f64,
    /// Its seed.
    pub seed: u32,
}

/// What a member's measurement found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FamiliesResult"))]
pub struct JobResult {
    /// Which member.
    #[serde(flatten)]
    pub job: Job,
    /// S.
    pub sparsity: f64,
    /// F: mean cosine of rows and reconstructions.
    pub fidelity: f64,
    /// C in every reading.
    pub completeness: Readings,
    /// Mean codes in a row.
    pub l0: f64,
    /// Share of the variance that the reconstruction explains.
    pub explained: f64,
    /// Share of the latents that are never active.
    pub dead: f64,
    /// C_GT: mean squared length of the circuit's directions in the dictionary's row space; where a
    /// circuit is planted.
    pub c_gt: Option<f64>,
    /// Mean |cosine| with planted directions, matched one to one; where features are planted.
    pub mcc: Option<f64>,
    /// Distinct features among the latents' best matches, over the latents.
    pub uniqueness: Option<f64>,
    /// Share of the planted directions that are recovered.
    pub recovered: Option<f64>,
    /// Mean F1 of latents as detectors of their features.
    pub f1: Option<f64>,
}

/// Completeness, over all rows and about the mean output, in three readings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Readings {
    /// f of the projection on the span of all directions: the paper's.
    pub row_space: f64,
    /// f of the reconstruction.
    pub reconstruction: f64,
    /// f of each row's projection on the span of the directions active in it.
    pub active_subspace: f64,
}
