use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Normalisation;
use super::train::Parameters;
use crate::linalg::product;
use crate::model::ModelError;
use crate::{Matrix, kernel};

/// What layer normalisation adds to the standard deviation.
const LAYER_NORM_EPSILON: f64 = 1e-5;

/// How pre-activations z = x·W_encᵀ + b_enc become codes; vectors have a number a latent.
#[derive(Clone, Debug, PartialEq)]
pub enum Activation {
    /// max(0, z).
    Relu,
    /// max(0, z) of so many of a row's largest; the lower index where they are equal.
    TopK(usize),
    /// max(0, z) of so many of a row's largest by z times a number of the latent's: the length of its decoder's row.
    RankedTopK {
        /// How many.
        kept: usize,
        /// What they are ranked by.
        norms: Vec<f64>,
    },
    /// z of so many of a row's largest in magnitude; the lower index where they are equal.
    AbsTopK(usize),
    /// max(0, z) of the largest of each group of latents; the lower index where they are equal.
    GroupMax(Vec<f64>),
    /// max(0, z) where z exceeds the latent's threshold θ ≥ 0: JumpReLU, BatchTopK and Matryoshka BatchTopK.
    JumpRelu(Vec<f64>),
    /// Matching pursuit on W_enc's rows, whose biases play no part: the latent with the largest product with what is left
    /// takes its share of it, again and again.
    MatchingPursuit(MatchingPursuit),
    /// max(0, (x·W_encᵀ)·gain + offset) where z, whose bias is b_gate, is positive.
    Gated {
        /// exp(r_mag).
        gains: Vec<f64>,
        /// b_mag.
        offsets: Vec<f64>,
    },
}

impl Activation {
    /// Its name, with what it keeps: "topk (4)".
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Relu => "standard".to_owned(),
            Self::TopK(k) => format!("topk ({k})"),
            Self::RankedTopK { kept, .. } => format!("topk ({kept}), by decoder norm"),
            Self::MatchingPursuit(_) => "matching_pursuit".to_owned(),
            Self::AbsTopK(k) => format!("abstopk ({k})"),
            Self::GroupMax(_) => "groupmax".to_owned(),
            Self::JumpRelu(_) => "jumprelu".to_owned(),
            Self::Gated { .. } => "gated".to_owned(),
        }
    }

    /// Its vectors, with their tensors' names.
    #[must_use]
    pub fn vectors(&self) -> Vec<(&'static str, &[f64])> {
        match self {
            Self::Relu | Self::TopK(_) | Self::AbsTopK(_) | Self::MatchingPursuit(_) => Vec::new(),
            Self::RankedTopK { norms, .. } => vec![("decoder norms", norms)],
            Self::GroupMax(groups) => vec![("groups", groups)],
            Self::JumpRelu(thresholds) => vec![("threshold", thresholds)],
            Self::Gated { gains, offsets } => vec![("exp(r_mag)", gains), ("b_mag", offsets)],
        }
    }

    /// The same with other vectors, each made of the one there.
    #[must_use]
    pub fn map_vectors(&self, mut of: impl FnMut(&[f64]) -> Vec<f64>) -> Self {
        match self {
            Self::Relu | Self::TopK(_) | Self::AbsTopK(_) | Self::MatchingPursuit(_) => self.clone(),
            Self::RankedTopK { kept, norms } => Self::RankedTopK { kept: *kept, norms: of(norms) },
            Self::GroupMax(groups) => Self::GroupMax(of(groups)),
            Self::JumpRelu(thresholds) => Self::JumpRelu(of(thresholds)),
            Self::Gated { gains, offsets } => Self::Gated { gains: of(gains), offsets: of(offsets) },
        }
    }
}

/// When a greedy search for codes ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchingPursuit {
    /// Most steps.
    pub max_iterations: usize,
    /// The length of what is left of a row below which it ends.
    pub residual_threshold: f64,
    /// Whether it ends where a latent is chosen a second time.
    pub stop_on_duplicate_support: bool,
}

impl MatchingPursuit {
    /// The codes of a row that are not 0, by ascending latents. `products` of what is left with each latent's row are written
    /// into the vector; `subtract` takes a multiple of such a row off.
    pub fn encode_row(
        &self,
        row: &[f64],
        mut products: impl FnMut(&[f64], &mut Vec<f64>),
        mut subtract: impl FnMut(&mut [f64], f64, u32),
    ) -> Vec<(u32, f64)> {
        let (mut rest, mut exact) = (row.to_vec(), Vec::new());
        let mut codes: BTreeMap<u32, f64> = BTreeMap::new();
        for _ in 0..self.max_iterations {
            products(&rest, &mut exact);
            let best = (0_u32..).zip(&exact).fold(
                (0.0, 0),
                |best, (latent, value)| {
                    if *value > best.0 { (*value, latent) } else { best }
                },
            );
            let (value, latent) = best;
            if value <= 0.0 {
                break;
            }
            let again = codes.contains_key(&latent);
            *codes.entry(latent).or_default() += value;
            subtract(&mut rest, value, latent);
            let length = kernel::dot(&rest, &rest).sqrt();
            if (again && self.stop_on_duplicate_support) || length < self.residual_threshold {
                break;
            }
        }
        codes.into_iter().collect()
    }
}

/// What is done to each row of activations before it is encoded, and undone after it is decoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RowNorm {
    /// Nothing.
    #[default]
    None,
    /// Scaled to length √D.
    Constant,
    /// Less its mean, over its standard deviation (ddof 1) plus `guard`; undone without the guard.
    Layer {
        /// 1/√D in every entry, in the orthonormal basis that the rows were brought to; none: their own.
        axis: Option<Vec<f64>>,
        /// 10⁻⁵, times what the rows were multiplied by.
        guard: f64,
    },
}

impl From<Normalisation> for RowNorm {
    fn from(of: Normalisation) -> Self {
        match of {
            // Whitening is folded into weights.
            Normalisation::None | Normalisation::Whitening => Self::None,
            Normalisation::ConstantNorm => Self::Constant,
            Normalisation::LayerNorm => Self::Layer { axis: None, guard: LAYER_NORM_EPSILON },
        }
    }
}

/// A row's normalisation, to undo: it is multiplied by `scale`, and `shift` is added along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UndoNorm {
    /// 1 without a normalisation.
    pub scale: f64,
    /// 0 without a mean.
    pub shift: f64,
}

/// Why a row has no normalisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndefinedNorm {
    /// What it is.
    pub reason: &'static str,
    /// SAELens' word for what it was to be normalised by.
    pub normalisation: &'static str,
}

impl RowNorm {
    /// SAELens' word for it.
    #[must_use]
    pub fn label(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Constant => "constant_norm_rescale",
            Self::Layer { .. } => "layer_norm",
        }
    }

    /// Normalises a row in place.
    pub fn normalise(&self, row: &mut [f64]) -> Result<UndoNorm, UndefinedNorm> {
        let d = row.len() as f64;
        match self {
            Self::None => Ok(UndoNorm { scale: 1.0, shift: 0.0 }),
            Self::Constant => {
                let length = kernel::dot(row, row).sqrt();
                if length <= 0.0 {
                    return Err(UndefinedNorm { reason: "is zero", normalisation: self.label() });
                }
                let scale = d.sqrt() / length;
                row.iter_mut().for_each(|value| *value *= scale);
                Ok(UndoNorm { scale: 1.0 / scale, shift: 0.0 })
            }
            Self::Layer { axis, guard } => {
                if row.len() < 2 {
                    return Err(UndefinedNorm { reason: "has a single entry", normalisation: self.label() });
                }
                let shift = match axis {
                    None => kernel::sum(row) / d,
                    Some(axis) => kernel::dot(row, axis),
                };
                Self::add_along_axis(axis.as_deref(), row, -shift);
                let deviation = (kernel::dot(row, row) / (d - 1.0)).sqrt();
                let over = deviation + guard;
                row.iter_mut().for_each(|value| *value /= over);
                Ok(UndoNorm { scale: deviation, shift })
            }
        }
    }

    /// Undoes it in a row that was decoded.
    pub fn undo(&self, row: &mut [f64], by: UndoNorm) {
        let axis = match self {
            Self::None => return,
            Self::Constant => None,
            Self::Layer { axis, .. } => axis.as_deref(),
        };
        row.iter_mut().for_each(|value| *value *= by.scale);
        Self::add_along_axis(axis, row, by.shift);
    }

    fn add_along_axis(axis: Option<&[f64]>, row: &mut [f64], by: f64) {
        match axis {
            None => row.iter_mut().for_each(|value| *value += by),
            Some(axis) => row.iter_mut().zip(axis).for_each(|(value, u)| *value += by * u),
        }
    }
}

/// What a transcoder has besides: it reconstructs other activations, of D' numbers, than the D that it reads. Of what it reads
/// nothing is subtracted, and in what it reconstructs no normalisation is undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranscoderPart {
    /// W_skip: D' × D; rows as they were read are multiplied by it and added to what is reconstructed.
    pub skip: Option<Matrix>,
}

/// An autoencoder's numbers in double precision: x̂ = h·W_dec + b_dec, h of (x − b_dec)·W_encᵀ + b_enc by its
/// activation, where x is a row after its normalisation and x̂ is one before that is undone. Of a transcoder h is of
/// x·W_encᵀ + b_enc, W_dec is F × D' and b_dec has D' numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// W_enc: F × D.
    pub encoder: Matrix,
    /// b_enc, or b_gate of a gated one: F.
    pub encoder_bias: Vec<f64>,
    /// W_dec: F × D.
    pub decoder: Matrix,
    /// b_dec: D.
    pub decoder_bias: Vec<f64>,
    /// How codes are made.
    pub activation: Activation,
    /// How rows are normalised.
    pub normalisation: RowNorm,
    /// What it has besides as a transcoder; none of an autoencoder.
    pub transcoder: Option<TranscoderPart>,
}

impl Weights {
    /// Of a trained autoencoder without thresholds, of whose codes a row keeps the largest `kept`, or all.
    #[must_use]
    pub fn from_parameters(parameters: &Parameters, kept: Option<usize>) -> Self {
        let wide = |values: &[f32]| values.iter().map(|value| f64::from(*value)).collect::<Vec<_>>();
        let (features, width) = (parameters.latent_count(), parameters.input_width());
        let matrix = |values: &[f32]| {
            let mut out = Matrix::zeros(features, width);
            out.data_mut().iter_mut().zip(values).for_each(|(out, x)| *out = f64::from(*x));
            out
        };
        Self {
            encoder: matrix(parameters.encoder()),
            encoder_bias: wide(parameters.b_enc()),
            decoder: matrix(parameters.decoder()),
            decoder_bias: wide(parameters.b_dec()),
            activation: kept.map_or(Activation::Relu, Activation::TopK),
            normalisation: RowNorm::None,
            transcoder: None,
        }
    }

    /// What reads rows as it does, and writes in the space that it reads: itself, or of a transcoder its encoder alone.
    #[must_use]
    pub fn in_input_space(&self) -> Cow<'_, Self> {
        if self.transcoder.is_none() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            decoder: self.encoder.clone(),
            decoder_bias: vec![0.0; self.encoder.cols()],
            transcoder: None,
            ..self.clone()
        })
    }

    /// Refuses a transcoder, where nothing is there that it reconstructs.
    ///
    /// # Errors
    /// [`ModelError::Size`].
    pub fn check_not_transcoder(&self) -> Result<(), ModelError> {
        match self.transcoder {
            None => Ok(()),
            Some(_) => {
                let allowed = "those that a transcoder reconstructs, a row each";
                Err(ModelError::size("targets", 0, allowed))
            }
        }
    }

    /// What is reconstructed of rows of activations (N × D) by codes (N × F), with their normalisation undone: N × D, of a
    /// transcoder N × D'.
    #[must_use]
    pub fn decode(&self, codes: &Matrix, rows: &Matrix) -> Matrix {
        let mut out = product(codes, &self.decoder);
        for at in 0..out.rows() {
            let row = out.row_mut(at).iter_mut();
            row.zip(&self.decoder_bias).for_each(|(value, bias)| *value += bias);
        }
        let Some(TranscoderPart { skip }) = &self.transcoder else {
            return self.denormalise_rows(out, &self.normalise_rows(rows).1);
        };
        if let Some(skip) = skip {
            let skipped = product(rows, &skip.transposed());
            out.data_mut().iter_mut().zip(skipped.data()).for_each(|(out, value)| *out += value);
        }
        out
    }

    /// Rows of activations (N × D) as they are encoded, and what undoes that, if anything was done. A row that has no normalisation stays as
    /// it is: [`check_rows`](Self::check_rows) refuses it.
    #[must_use]
    pub fn normalise_rows<'a>(&self, rows: &'a Matrix) -> (Cow<'a, Matrix>, Vec<UndoNorm>) {
        if self.normalisation == RowNorm::None {
            return (Cow::Borrowed(rows), Vec::new());
        }
        let mut rows = rows.clone();
        let none = UndoNorm { scale: 1.0, shift: 0.0 };
        let undo = (0..rows.rows()).map(|at| self.normalisation.normalise(rows.row_mut(at)).unwrap_or(none)).collect();
        (Cow::Owned(rows), undo)
    }

    /// Undoes the normalisation of rows that were decoded.
    #[must_use]
    pub fn denormalise_rows(&self, mut rows: Matrix, undo: &[UndoNorm]) -> Matrix {
        for (at, undo) in undo.iter().enumerate().take(rows.rows()) {
            self.normalisation.undo(rows.row_mut(at), *undo);
        }
        rows
    }

    /// Refuses rows of activations (N × D) that have no normalisation.
    ///
    /// # Errors
    /// [`ModelError::Size`] with the number of such rows.
    pub fn check_rows(&self, rows: &Matrix) -> Result<(), ModelError> {
        let mut row = Vec::new();
        let refused = rows.iter_rows().filter_map(|values| {
            row.clear();
            row.extend_from_slice(values);
            self.normalisation.normalise(&mut row).err()
        });
        let refused: Vec<UndefinedNorm> = refused.collect();
        let Some(UndefinedNorm { reason: why, normalisation }) = refused.first() else {
            return Ok(());
        };
        let allowed = format!("0, as {normalisation} has no value for a row that {why}");
        Err(ModelError::size("rows without a norm", refused.len(), allowed))
    }
}
