//! Rows of activations, and what is planted in them.

use crate::Matrix;
use crate::linalg;
use crate::settings::Range;
use crate::statistics::{MetricError, check_shape};

/// Dimensions D of a superposition.
pub const DIMENSIONS_RANGE: Range = Range::integer("dimensions", 1, 1_024);

/// What the activations are read out by: f of completeness.
#[derive(Clone, Debug, PartialEq)]
pub enum Readout {
    /// f(a) = a, where nothing is known of what follows.
    Identity,
    /// f(a) = a·Wᵀ + b.
    Affine {
        /// W: outputs × D.
        weights: Matrix,
        /// b: one value an output.
        bias: Vec<f64>,
    },
    /// The readout of [`Nonlinear`](super::Nonlinear).
    Products {
        /// W₂ over the circuit's units: outputs × units.
        weights: Matrix,
        /// b₂: one value an output.
        bias: Vec<f64>,
        /// The circuit's units, in pairs with the next.
        units: Vec<usize>,
        /// Each unit's mean and standard deviation.
        scales: Vec<(f64, f64)>,
        /// t.
        interaction: f64,
    },
}

impl Readout {
    /// f of every row (N × D): N × outputs.
    ///
    /// # Errors
    /// [`MetricError::Shape`] when the rows have another width.
    pub fn outputs(&self, activations: &Matrix) -> Result<Matrix, MetricError> {
        let (inner, weights, bias) = match self {
            Self::Identity => return Ok(activations.clone()),
            Self::Affine { weights, bias } => {
                let rows = activations.rows();
                check_shape("activations", activations, (rows, weights.cols()))?;
                (None, weights, bias)
            }
            Self::Products { weights, bias, units, scales, interaction } => {
                if let Some(&index) = units.iter().find(|unit| **unit >= activations.cols()) {
                    let len = activations.cols();
                    return Err(MetricError::Index { what: "circuit unit", index, len });
                }
                let mut inner = Matrix::zeros(activations.rows(), units.len());
                for (index, row) in activations.iter_rows().enumerate() {
                    let scaled: Vec<f64> = units
                        .iter()
                        .zip(scales)
                        .map(|(unit, (mean, deviation))| (row[*unit] - mean) / deviation)
                        .collect();
                    for (at, out) in inner.row_mut(index).iter_mut().enumerate() {
                        let next = scaled[(at + 1) % scaled.len()];
                        *out = (1.0 - interaction) * scaled[at] + interaction * scaled[at] * next;
                    }
                }
                (Some(inner), weights, bias)
            }
        };
        let rows = inner.as_ref().unwrap_or(activations);
        let mut out = linalg::product(rows, &weights.transposed());
        for row in out.data_mut().chunks_exact_mut(bias.len().max(1)) {
            row.iter_mut().zip(bias).for_each(|(value, bias)| *value += bias);
        }
        Ok(out)
    }
}

/// Planted features.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantedFeatures {
    /// Their directions, of norm 1: G × D.
    pub directions: Matrix,
    /// How strongly each is there in each row: N × G; 0 where it is not.
    pub magnitudes: Matrix,
}

/// Rows of activations with what is known of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// N × D.
    pub activations: Matrix,
    /// How they are read out, where it is known.
    pub readout: Option<Readout>,
    /// The directions that the readout depends on (rows of norm 1), where they are known.
    pub circuit: Option<Matrix>,
    /// The features they are made of, where there are any.
    pub truth: Option<PlantedFeatures>,
    /// What the activations were multiplied by; 1 but for given ones.
    pub scale: f64,
}

impl Sample {
    /// Activations of which nothing more is known.
    pub(super) fn from_activations(activations: Matrix) -> Self {
        Self { activations, readout: None, circuit: None, truth: None, scale: 1.0 }
    }

    /// The first `rows` rows and the others.
    #[must_use]
    pub fn split(&self, rows: usize) -> (Self, Self) {
        let part = |indices: std::ops::Range<usize>| {
            let indices: Vec<u32> = indices.map(|index| index as u32).collect();
            let truth = self.truth.as_ref().map(|truth| PlantedFeatures {
                directions: truth.directions.clone(),
                magnitudes: truth.magnitudes.select_rows(&indices),
            });
            Self {
                activations: self.activations.select_rows(&indices),
                readout: self.readout.clone(),
                circuit: self.circuit.clone(),
                truth,
                scale: self.scale,
            }
        };
        let rows = rows.min(self.activations.rows());
        (part(0..rows), part(rows..self.activations.rows()))
    }
}
