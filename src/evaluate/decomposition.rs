use serde::{Deserialize, Serialize};

use super::EvaluateError;
use super::plan::{Inputs, Method};
use super::saelens::{Architecture, Config};
use super::span::{inverse_gram, row_of, widen};
use crate::Matrix;
use crate::io::{Array, DataFile};
use crate::kernel::{self, Panels};

/// What is done to each row of activations before encoding, and undone after decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalisation {
    /// Nothing.
    None,
    /// Scaled to length √D.
    ConstantNorm,
    /// Less its mean, over its standard deviation (ddof 1) plus 10⁻⁵; undone without the 10⁻⁵.
    LayerNorm,
}

/// How codes on a dictionary that comes alone are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CodesBy {
    /// c = a·Wᵀ: right for orthonormal rows, and the paper's own.
    #[default]
    Projection,
    /// The shortest c for which c·W is nearest to a.
    LeastSquares,
}

/// What layer normalisation adds to the standard deviation.
const LAYER_NORM_GUARD: f64 = 1e-5;

/// How rows become codes.
enum Encoder {
    /// An autoencoder's.
    Trained {
        architecture: Architecture,
        weights: Panels,
        /// Added to x·W_enc: b_enc, or b_gate.
        bias: Vec<f64>,
        /// The gated magnitude's exp(r_mag) and b_mag.
        magnitude: Option<(Vec<f64>, Vec<f64>)>,
        /// What z must exceed.
        thresholds: Option<Vec<f64>>,
    },
    Projection(Panels),
    /// With the pseudo-inverse of the smaller Gram matrix, which goes first where K exceeds D.
    LeastSquares(Panels, Matrix),
    /// Codes come from a file.
    Given,
}

/// A dictionary, in memory, with what makes codes on it.
pub(super) struct Decomposition {
    pub d: usize,
    pub k: usize,
    /// W: K rows of D.
    pub dictionary: Vec<f32>,
    /// b_dec, or nothing.
    offset: Vec<f64>,
    subtract_offset: bool,
    normalisation: Normalisation,
    /// Lengths of W's rows, where pre-activations are multiplied by them.
    lengths: Option<Vec<f64>>,
    encoder: Encoder,
}

/// A row's normalisation, to undo.
#[derive(Clone, Copy)]
struct Undo {
    scale: f64,
    shift: f64,
}

fn vector(array: &Array, len: usize, what: &str) -> Result<Vec<f64>, EvaluateError> {
    if array.dimensions() > 1 && array.rows() > 1 {
        return Err(array.shape_error(&format!("{len} ({what})")).into());
    }
    array.expect(1, len, what)?;
    Ok(array.read_all()?.into_iter().map(f64::from).collect())
}

/// One threshold a feature, or one for all.
fn thresholds(weights: &DataFile, names: &[&str], k: usize) -> Result<Vec<f64>, EvaluateError> {
    let found = names.iter().find_map(|name| weights.array(name).ok());
    let array = match found {
        Some(array) => array,
        None => weights.array(names[0])?,
    };
    // A negative threshold lets nothing through that max(0, z) does not.
    let positive = |values: Vec<f64>| values.into_iter().map(|value| value.max(0.0)).collect();
    if (array.rows(), array.cols()) == (1, 1) {
        return Ok(positive(vec![vector(array, 1, "one threshold")?[0]; k]));
    }
    Ok(positive(vector(array, k, "one threshold a feature")?))
}

/// Columns of a matrix in a file (rows × cols), one after the other.
fn columns(array: &Array) -> Result<Vec<f32>, EvaluateError> {
    /// Rows that are read at a time.
    const BLOCK: usize = 64;
    let (rows, cols) = (array.rows(), array.cols());
    let mut out = vec![0.0; rows * cols];
    let mut block = vec![0.0; BLOCK.min(rows) * cols];
    for start in (0..rows).step_by(BLOCK) {
        let count = BLOCK.min(rows - start);
        let block = &mut block[..count * cols];
        array.read_rows(start, block)?;
        for (j, column) in out.chunks_exact_mut(rows).enumerate() {
            for (value, row) in column[start..start + count].iter_mut().zip(block.chunks(cols)) {
                *value = row[j];
            }
        }
    }
    Ok(out)
}

impl Decomposition {
    pub fn load(inputs: &Inputs) -> Result<Self, EvaluateError> {
        match &inputs.method {
            Method::Sae { config, weights, .. } => Self::trained(config, weights),
            Method::Dictionary { dictionary, codes } => {
                let array = dictionary.array();
                let (k, d) = (array.rows(), array.cols());
                let dictionary = array.read_all()?;
                let panels = || Panels::from_columns(&dictionary, d);
                let encoder = match codes {
                    Err(_) => Encoder::Given,
                    Ok(CodesBy::Projection) => Encoder::Projection(panels()),
                    Ok(CodesBy::LeastSquares) => {
                        let inverse = inverse_gram(&dictionary, d);
                        let inverse = inverse.ok_or(EvaluateError::NoConvergence)?;
                        Encoder::LeastSquares(panels(), inverse)
                    }
                };
                Ok(Self {
                    d,
                    k,
                    dictionary,
                    offset: vec![0.0; d],
                    subtract_offset: false,
                    normalisation: Normalisation::None,
                    lengths: None,
                    encoder,
                })
            }
        }
    }

    fn trained(config: &Config, weights: &DataFile) -> Result<Self, EvaluateError> {
        let decoder = weights.array("W_dec")?;
        let (k, d) = (decoder.rows(), decoder.cols());
        let encoder = weights.array("W_enc")?;
        encoder.expect(d, k, "one row a dimension, one column a feature of W_dec")?;
        let mut panels = Panels::from_columns(&columns(encoder)?, d);
        let features = |name: &str| vector(weights.array(name)?, k, "one a feature");
        // SAELens 4 wrote a factor even where it was 1; what another one did, later versions do not know.
        if weights.array("scaling_factor").is_ok()
            && let Some(other) =
                features("scaling_factor")?.into_iter().find(|one| (one - 1.0).abs() > 1e-5)
        {
            return Err(EvaluateError::Config {
                file: weights.name().to_owned(),
                field: "scaling_factor".to_owned(),
                found: other.to_string(),
                allowed: "1 for every feature".to_owned(),
            });
        }
        let mut dictionary = decoder.read_all()?;
        let mut offset = vector(weights.array("b_dec")?, d, "one a dimension")?;
        let factor = config.norm_scaling_factor;
        if factor != 1.0 {
            let finite = panels.scale(factor);
            dictionary.iter_mut().for_each(|w| *w = (f64::from(*w) / factor) as f32);
            offset.iter_mut().for_each(|b| *b /= factor);
            if !finite || !dictionary.iter().all(|w| w.is_finite()) {
                return Err(EvaluateError::Config {
                    file: weights.name().to_owned(),
                    field: "norm_scaling_factor".to_owned(),
                    found: factor.to_string(),
                    allowed: "a factor that keeps all weights finite 32-bit floats".to_owned(),
                });
            }
        }
        let architecture = config.architecture;
        let gated = architecture == Architecture::Gated;
        let magnitude = if gated {
            let gains: Vec<f64> = features("r_mag")?.into_iter().map(libm::exp).collect();
            if gains.iter().any(|gain| !gain.is_finite()) {
                return Err(EvaluateError::Config {
                    file: weights.name().to_owned(),
                    field: "r_mag".to_owned(),
                    found: "an entry above 709".to_owned(),
                    allowed: "entries whose exponential is finite".to_owned(),
                });
            }
            Some((gains, features("b_mag")?))
        } else {
            None
        };
        let thresholds = match architecture {
            Architecture::JumpRelu => Some(thresholds(weights, &["threshold"], k)?),
            Architecture::BatchTopK => {
                Some(thresholds(weights, &["threshold", "topk_threshold"], k)?)
            }
            _ => None,
        };
        let bias = features(if gated { "b_gate" } else { "b_enc" })?;
        let lengths = config.rescale_acts_by_decoder_norm.then(|| lengths(&dictionary, d));
        Ok(Self {
            d,
            k,
            dictionary,
            offset,
            subtract_offset: config.apply_b_dec_to_input,
            normalisation: config.normalisation,
            lengths,
            encoder: Encoder::Trained {
                architecture,
                weights: panels,
                bias,
                magnitude,
                thresholds,
            },
        })
    }

    /// Whether codes are made here, not read.
    pub fn encodes(&self) -> bool {
        !matches!(self.encoder, Encoder::Given)
    }

    /// Frees what only encoding needs.
    pub fn forget_encoder(&mut self) {
        self.encoder = Encoder::Given;
    }

    /// Normalises rows in place; `first` is the first one's number.
    fn normalise(&self, x: &mut Matrix, first: usize) -> Result<Vec<Undo>, EvaluateError> {
        let d = self.d as f64;
        let refuse = |row: usize, why, normalisation| {
            Err(EvaluateError::Row { row: first + row, why, normalisation })
        };
        let mut undo = Vec::with_capacity(x.rows());
        for index in 0..x.rows() {
            let row = x.row_mut(index);
            let one = match self.normalisation {
                Normalisation::None => Undo { scale: 1.0, shift: 0.0 },
                Normalisation::ConstantNorm => {
                    let length = kernel::dot(row, row).sqrt();
                    if length <= 0.0 {
                        return refuse(index, "is zero", "constant_norm_rescale");
                    }
                    let scale = d.sqrt() / length;
                    row.iter_mut().for_each(|value| *value *= scale);
                    Undo { scale: 1.0 / scale, shift: 0.0 }
                }
                Normalisation::LayerNorm => {
                    if row.len() < 2 {
                        return refuse(index, "has a single entry", "layer_norm");
                    }
                    let mean = kernel::sum(row) / d;
                    row.iter_mut().for_each(|value| *value -= mean);
                    let deviation = (kernel::dot(row, row) / (d - 1.0)).sqrt();
                    let over = deviation + LAYER_NORM_GUARD;
                    row.iter_mut().for_each(|value| *value /= over);
                    Undo { scale: deviation, shift: mean }
                }
            };
            undo.push(one);
        }
        Ok(undo)
    }

    /// Codes (rows × K) of rows of activations, or those given; and the reconstructions (rows × D).
    pub fn pass(
        &self,
        activations: &Matrix,
        first: usize,
        given: Option<Matrix>,
    ) -> Result<(Matrix, Matrix), EvaluateError> {
        let mut x = activations.clone();
        let undo = self.normalise(&mut x, first)?;
        let codes = match given {
            Some(codes) => codes,
            None => self.encode(x),
        };
        let mut decoded = Matrix::zeros(codes.rows(), self.d);
        for (index, undo) in undo.iter().enumerate() {
            let row = decoded.row_mut(index);
            for (j, code) in codes.row(index).iter().enumerate() {
                if *code != 0.0 {
                    let code = self.lengths.as_ref().map_or(*code, |l| code / l[j]);
                    kernel::add_scaled(row, code, row_of(&self.dictionary, self.d, j as u32));
                }
            }
            for (value, offset) in row.iter_mut().zip(&self.offset) {
                *value = (*value + offset) * undo.scale + undo.shift;
            }
        }
        Ok((codes, decoded))
    }

    fn encode(&self, mut x: Matrix) -> Matrix {
        if self.subtract_offset {
            for index in 0..x.rows() {
                let row = x.row_mut(index).iter_mut();
                row.zip(&self.offset).for_each(|(value, offset)| *value -= offset);
            }
        }
        let mut codes = Matrix::zeros(x.rows(), self.k);
        match &self.encoder {
            Encoder::Trained { architecture, weights, bias, magnitude, thresholds } => {
                kernel::wide_product(x.data(), weights, codes.data_mut());
                for index in 0..codes.rows() {
                    let row = codes.row_mut(index);
                    match magnitude {
                        Some((gains, offsets)) => {
                            for (j, z) in row.iter_mut().enumerate() {
                                let open = *z + bias[j] > 0.0;
                                *z = if open { (*z * gains[j] + offsets[j]).max(0.0) } else { 0.0 };
                            }
                        }
                        None => row.iter_mut().zip(bias).for_each(|(z, b)| *z += b),
                    }
                    if let (Some(lengths), None) = (&self.lengths, magnitude) {
                        row.iter_mut().zip(lengths).for_each(|(z, length)| *z *= length);
                    }
                    if let Architecture::TopK { k } = architecture {
                        keep_largest(row, *k);
                    }
                    match thresholds {
                        Some(bounds) => row.iter_mut().zip(bounds).for_each(|(z, bound)| {
                            if *z <= *bound {
                                *z = 0.0;
                            }
                        }),
                        None => row.iter_mut().for_each(|z| *z = z.max(0.0)),
                    }
                }
            }
            Encoder::Projection(weights) => {
                kernel::wide_product(x.data(), weights, codes.data_mut());
            }
            Encoder::LeastSquares(weights, inverse) if self.k <= self.d => {
                kernel::wide_product(x.data(), weights, codes.data_mut());
                codes = kernel::product(&codes, inverse);
            }
            Encoder::LeastSquares(weights, inverse) => {
                let x = kernel::product(&x, inverse);
                kernel::wide_product(x.data(), weights, codes.data_mut());
            }
            // Codes that are given are not made.
            Encoder::Given => {}
        }
        codes
    }
}

/// Zeroes all but the `k` largest; the lower index where values are equal.
fn keep_largest(row: &mut [f64], k: usize) {
    if k >= row.len() {
        return;
    }
    let mut order: Vec<u32> = (0..row.len() as u32).collect();
    let at = |index: &u32| row[*index as usize];
    order.select_nth_unstable_by(k, |a, b| at(b).total_cmp(&at(a)).then(a.cmp(b)));
    for index in &order[k..] {
        row[*index as usize] = 0.0;
    }
}

/// Lengths of a dictionary's rows.
pub(super) fn lengths(dictionary: &[f32], d: usize) -> Vec<f64> {
    let mut wide = vec![0.0; d];
    let length = |row: &[f32]| {
        widen(row, &mut wide);
        kernel::dot(&wide, &wide).sqrt()
    };
    dictionary.chunks_exact(d).map(length).collect()
}
