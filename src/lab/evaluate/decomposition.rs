use serde::{Deserialize, Serialize};

use super::EvaluateError;
use super::plan::{Inputs, Method};
use super::saelens::{Architecture, Config};
use crate::Matrix;
use crate::io::{Array, DataFile};
use crate::kernel::rough::Rough;
use crate::kernel::{self, Panels};
use crate::linalg;
use crate::linalg::span::{Inverse, row_of, widen};
use crate::papers::sfc::metric::ACTIVE_THRESHOLD;

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

/// A matrix that rows are multiplied with, column by column, exactly where it matters.
struct Weights {
    panels: Panels,
    rough: Rough,
}

/// Where more than one in so many columns are to be exact, all are computed.
const FEW: usize = 6;

impl Weights {
    fn new(columns: &[f32], depth: usize) -> Self {
        Self { panels: Panels::from_columns(columns, depth), rough: Rough::of(columns, depth) }
    }

    /// The products of a row with some columns, ascending, as [`kernel::wide_product`] has them.
    fn exact(&self, x: &[f64], columns: &[u32], out: &mut Vec<f64>) {
        out.clear();
        let count = self.panels.shape().1;
        if columns.len() > count / FEW {
            let mut all = vec![0.0; count];
            kernel::wide_product(x, &self.panels, &mut all);
            out.extend(columns.iter().map(|column| all[*column as usize]));
            return;
        }
        let (mut at, mut four) = (usize::MAX, [0.0; 4]);
        for column in columns {
            let column = *column as usize;
            if column / four.len() != at {
                at = column / four.len();
                four = kernel::wide_panel(x, &self.panels, at);
            }
            out.push(four[column % four.len()]);
        }
    }
}

/// How rows become codes.
enum Encoder {
    /// An autoencoder's.
    Trained {
        architecture: Architecture,
        weights: Weights,
        /// Added to x·W_enc: b_enc, or b_gate.
        bias: Vec<f64>,
        /// The gated magnitude's exp(r_mag) and b_mag.
        magnitude: Option<(Vec<f64>, Vec<f64>)>,
        /// What z must exceed.
        thresholds: Option<Vec<f64>>,
    },
    /// Wᵀ, and by least squares the pseudo-inverse of the smaller Gram matrix, which goes first where
    /// K exceeds D.
    Linear(Weights, Option<Inverse>),
    /// Codes come from a file.
    Given,
}

/// What a block of rows comes to.
pub(super) struct Passed {
    /// Features that are active for each row, ascending.
    pub active: Vec<Vec<u32>>,
    /// The reconstructions (rows × D).
    pub decoded: Matrix,
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
    /// Reads the dictionary, and what makes codes; the inverse that least squares need comes later, by
    /// [`Decomposition::invert`].
    pub fn load(inputs: &Inputs) -> Result<Self, EvaluateError> {
        match &inputs.method {
            Method::Sae { config, weights, .. } => Self::trained(config, weights),
            Method::Dictionary { dictionary, codes } => {
                let array = dictionary.array();
                let (k, d) = (array.rows(), array.cols());
                let dictionary = array.read_all()?;
                let encoder = match codes {
                    Err(_) => Encoder::Given,
                    Ok(_) => Encoder::Linear(Weights::new(&dictionary, d), None),
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
        let mut encoder = columns(encoder)?;
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
            encoder.iter_mut().for_each(|w| *w = (f64::from(*w) * factor) as f32);
            dictionary.iter_mut().for_each(|w| *w = (f64::from(*w) / factor) as f32);
            offset.iter_mut().for_each(|b| *b /= factor);
            if !encoder.iter().chain(&dictionary).all(|w| w.is_finite()) {
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
                weights: Weights::new(&encoder, d),
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

    /// Takes the smaller Gram matrix of the dictionary, where least squares need its inverse.
    pub fn invert(&mut self, inputs: &Inputs, gram: &Matrix) -> Result<(), EvaluateError> {
        if let Encoder::Linear(_, inverse) = &mut self.encoder
            && let Method::Dictionary { codes: Ok(CodesBy::LeastSquares), .. } = inputs.method
        {
            let found = Inverse::of(gram, self.k, self.d);
            *inverse = Some(found.ok_or(EvaluateError::NoConvergence)?);
        }
        Ok(())
    }

    /// What is active for rows of activations, and what their codes, or those given, are decoded to.
    /// `gram` is the smaller Gram matrix of the dictionary.
    pub fn pass(
        &self,
        activations: &Matrix,
        first: usize,
        given: Option<Matrix>,
        gram: &Matrix,
    ) -> Result<Passed, EvaluateError> {
        let mut x = activations.clone();
        let undo = self.normalise(&mut x, first)?;
        let mut passed = match (&self.encoder, given) {
            (Encoder::Linear(weights, inverse), None) => self.linear(x, weights, inverse, gram),
            (Encoder::Trained { .. }, None) => self.trained_codes(x),
            (_, codes) => self.decode_all(&codes.unwrap_or(Matrix::zeros(x.rows(), self.k))),
        };
        for (index, undo) in undo.iter().enumerate() {
            for (value, offset) in passed.decoded.row_mut(index).iter_mut().zip(&self.offset) {
                *value = (*value + offset) * undo.scale + undo.shift;
            }
        }
        Ok(passed)
    }

    /// Adds codes times rows of the dictionary; returns the active ones.
    fn decode(&self, codes: impl Iterator<Item = (u32, f64)>, into: &mut [f64]) -> Vec<u32> {
        let mut active = Vec::new();
        for (j, code) in codes.filter(|(_, code)| *code != 0.0) {
            if code.abs() > ACTIVE_THRESHOLD {
                active.push(j);
            }
            let code = self.lengths.as_ref().map_or(code, |l| code / l[j as usize]);
            kernel::add_scaled(into, code, row_of(&self.dictionary, self.d, j));
        }
        active
    }

    fn decode_all(&self, codes: &Matrix) -> Passed {
        let mut decoded = Matrix::zeros(codes.rows(), self.d);
        let rows = codes.iter_rows().enumerate();
        let active = rows.map(|(index, row)| {
            self.decode((0u32..).zip(row.iter().copied()), decoded.row_mut(index))
        });
        Passed { active: active.collect(), decoded }
    }

    /// Codes on a dictionary that comes alone.
    fn linear(
        &self,
        mut x: Matrix,
        weights: &Weights,
        inverse: &Option<Inverse>,
        gram: &Matrix,
    ) -> Passed {
        if self.k < self.d {
            let mut codes = Matrix::zeros(x.rows(), self.k);
            kernel::wide_product(x.data(), &weights.panels, codes.data_mut());
            if let Some(inverse) = inverse {
                codes = inverse.apply(codes);
            }
            return self.decode_all(&codes);
        }
        if let Some(inverse) = inverse {
            x = inverse.apply(x);
        }
        // Which codes are as good as zero is all that is needed of them, as (x·Wᵀ)·W is x·(Wᵀ·W).
        let rough = Rough::of(x.data(), self.d);
        let mut products = vec![0; x.rows() * self.k];
        rough.products(&weights.rough, &mut products);
        let (mut unsure, mut exact) = (Vec::new(), Vec::new());
        let rows = products.chunks_exact(self.k.max(1)).enumerate();
        let active = rows.map(|(index, products)| {
            let mut active = Vec::new();
            unsure.clear();
            for (j, product) in products.iter().enumerate() {
                let scale = rough.lengths()[index] * weights.rough.lengths()[j];
                let (code, error) = (
                    Rough::cosine(*product).abs() * scale,
                    rough.error(index, &weights.rough, j) * scale,
                );
                if code - error > ACTIVE_THRESHOLD {
                    active.push(j as u32);
                } else if code + error > ACTIVE_THRESHOLD {
                    unsure.push(j as u32);
                }
            }
            weights.exact(x.row(index), &unsure, &mut exact);
            let sure = active.len();
            let found = unsure.iter().zip(&exact);
            active.extend(found.filter(|(_, c)| c.abs() > ACTIVE_THRESHOLD).map(|(j, _)| j));
            if active.len() > sure {
                active.sort_unstable();
            }
            active
        });
        Passed { active: active.collect(), decoded: linalg::product(&x, gram) }
    }

    /// An autoencoder's codes. Which of them cannot be but zero is told by rough products; the others
    /// are computed exactly, so that it does not matter to the result how rough those are.
    fn trained_codes(&self, mut x: Matrix) -> Passed {
        let mut decoded = Matrix::zeros(x.rows(), self.d);
        let Encoder::Trained { architecture, weights, bias, magnitude, thresholds } = &self.encoder
        else {
            return Passed { active: vec![Vec::new(); x.rows()], decoded };
        };
        if self.subtract_offset {
            for index in 0..x.rows() {
                let row = x.row_mut(index).iter_mut();
                row.zip(&self.offset).for_each(|(value, offset)| *value -= offset);
            }
        }
        let by = match magnitude {
            None => self.lengths.as_deref(),
            Some(_) => None,
        };
        // Rounding keeps the order of numbers: bounds of x·W_enc give bounds of z.
        let z = |product: f64, j: usize| {
            let z = product + bias[j];
            by.map_or(z, |by| z * by[j])
        };
        let least = |j: usize| thresholds.as_ref().map_or(0.0, |bounds| bounds[j]);
        let rough = Rough::of(x.data(), self.d);
        let mut products = vec![0; x.rows() * self.k];
        rough.products(&weights.rough, &mut products);
        let (mut open, mut exact) = (Vec::new(), Vec::new());
        let mut lows = Vec::new();
        let mut active = Vec::with_capacity(x.rows());
        for (index, products) in products.chunks_exact(self.k.max(1)).enumerate() {
            let bounds = |j: usize| {
                let scale = rough.lengths()[index] * weights.rough.lengths()[j];
                let product = Rough::cosine(products[j]) * scale;
                let error = rough.error(index, &weights.rough, j) * scale;
                (z(product - error, j), z(product + error, j))
            };
            let mut bar = f64::NEG_INFINITY;
            if let Architecture::TopK { k } = architecture
                && *k < self.k
            {
                // So many are at least as large as this.
                lows.clear();
                lows.extend((0..self.k).map(|j| bounds(j).0));
                bar = *lows.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1;
            }
            open.clear();
            open.extend((0..self.k as u32).filter(|j| {
                let high = bounds(*j as usize).1;
                // What has no bound is computed.
                !(high <= least(*j as usize) || high < bar)
            }));
            weights.exact(x.row(index), &open, &mut exact);
            let mut codes: Vec<(u32, f64)> = Vec::with_capacity(open.len());
            for (j, product) in open.iter().zip(&exact) {
                let at = *j as usize;
                let z = z(*product, at);
                let code = match magnitude {
                    Some((gains, offsets)) if z > 0.0 => product * gains[at] + offsets[at],
                    Some(_) => 0.0,
                    None => z,
                };
                if code > least(at) {
                    codes.push((*j, code));
                }
            }
            if let Architecture::TopK { k } = architecture {
                keep_largest(&mut codes, *k);
            }
            active.push(self.decode(codes.into_iter(), decoded.row_mut(index)));
        }
        Passed { active, decoded }
    }
}

/// Drops all but the `k` largest; the lower index stays where values are equal.
fn keep_largest(codes: &mut Vec<(u32, f64)>, k: usize) {
    if k < codes.len() {
        codes.select_nth_unstable_by(k, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        codes.truncate(k);
        codes.sort_unstable_by_key(|code| code.0);
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
