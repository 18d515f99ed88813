use super::activity::{ACTIVE_THRESHOLD, is_active};
use super::layout::SAELENS_LAYOUT;
use super::saelens::TranscoderStatus;
use super::weights::{Activation, MatchingPursuit, RowNorm, UndoNorm};
use super::whitening::{Whitening, shift_biases};
use super::{Architecture, CodesBy, Config, Normalisation, SaeError, SaeFolder};
use crate::Matrix;
use crate::io::{Array, DataFile, Entries, IoError, match_entries};
use crate::kernel::quantized::{CandidateFilter, QuantizedRows};
use crate::kernel::scalar::DOT_ROWS;
use crate::kernel::{self, Number};
use crate::linalg;
use crate::linalg::span::{self, PseudoInverse, dictionary_row, widen_into};

/// A matrix that rows are multiplied with, column by column, exactly where it matters.
struct ColumnWeights {
    /// Its columns, one after the other; none where they are the dictionary's rows.
    columns: Option<Entries>,
    rough: QuantizedRows,
}

impl ColumnWeights {
    fn new(columns: Entries, depth: usize) -> Self {
        let rough = match_entries!(&columns, columns => QuantizedRows::from_rows(columns, depth));
        Self { rough, columns: Some(columns) }
    }

    fn from_dictionary(dictionary: &Dictionary) -> Self {
        Self { columns: None, rough: dictionary.quantized_rows() }
    }

    /// The products of a row with some columns.
    fn exact_products(&self, dictionary: &Dictionary, x: &[f64], columns: &[u32], out: &mut Vec<f64>) {
        let all = self.columns.as_ref().unwrap_or(&dictionary.rows);
        out.clear();
        match_entries!(all, all => for few in columns.chunks(DOT_ROWS) {
            let last = few.len() - 1;
            let rows = std::array::from_fn(|at| dictionary_row(all, x.len(), few[at.min(last)]));
            out.extend_from_slice(&kernel::widening_dots(x, rows)[..few.len()]);
        });
    }

    /// Rough products of rows with all columns, row by row.
    fn rough_products(&self, rows: &QuantizedRows) -> Vec<i32> {
        let mut products = vec![0; rows.norms().len() * self.rough.norms().len()];
        rows.products(&self.rough, &mut products);
        products
    }
}

/// How rows become codes.
enum Encoding {
    /// An autoencoder's.
    Trained {
        activation: Activation,
        weights: ColumnWeights,
        /// Of what exceeds its threshold.
        sieve: CandidateFilter,
        /// Added to x·W_enc: b_enc, or b_gate.
        bias: Vec<f64>,
    },
    /// Matching pursuit on the dictionary's own rows.
    MatchingPursuit(ColumnWeights, MatchingPursuit),
    /// Wᵀ.
    Linear {
        weights: ColumnWeights,
        /// Whether codes are those of least squares, which takes the inverse.
        least_squares: bool,
        /// The pseudo-inverse of the smaller Gram matrix, which goes first where K exceeds D.
        inverse: Option<PseudoInverse>,
    },
    /// Wᵀ, of whose products so many are kept.
    TopK(ColumnWeights, CandidateFilter, usize),
    /// Codes come from a file.
    FromFile,
}

/// Codes of a row that are not 0, by ascending latents.
pub type RowCodes = Vec<(u32, f64)>;

impl SaeFolder {
    /// The codes of rows of activations (n × d) that are not 0, by ascending latents, a list a row.
    ///
    /// # Errors
    /// As [`SaeFolder::shape`]; [`SaeError::Io`]; [`SaeError::Config`]; [`SaeError::Row`] for a row that cannot be
    /// normalised.
    pub fn encode(&self, activations: &Matrix) -> Result<Vec<Vec<(u32, f64)>>, SaeError> {
        let (dictionary, coder) = Coder::from_folder(self)?;
        let mut x = activations.clone();
        coder.normalise(&mut x, 0)?;
        Ok(coder.encode_trained(&dictionary, x))
    }
}

/// What a block of rows comes to.
pub struct EncodeDecodeOutput {
    /// Features that are active for each row, ascending.
    pub active_features: Vec<Vec<u32>>,
    /// The reconstructions (rows × D).
    pub decoded: Matrix,
}

/// A dictionary W in memory: K rows of D.
pub struct Dictionary {
    /// Length of a row.
    pub d: usize,
    /// Rows.
    pub k: usize,
    /// Its entries, row after row.
    pub rows: Entries,
}

impl Dictionary {
    /// Lengths of its rows.
    pub fn row_norms(&self) -> Vec<f64> {
        let mut wide = vec![0.0; self.d];
        match_entries!(&self.rows, rows => rows.chunks_exact(self.d).map(|row| {
            widen_into(row, &mut wide);
            kernel::dot(&wide, &wide).sqrt()
        }).collect())
    }

    /// Its rows, rounded.
    pub fn quantized_rows(&self) -> QuantizedRows {
        match_entries!(&self.rows, rows => QuantizedRows::from_rows(rows, self.d))
    }

    /// The product of two of its rows.
    pub fn dot_rows(&self, i: u32, j: u32) -> f64 {
        match_entries!(&self.rows, rows => span::dot(dictionary_row(rows, self.d, i), dictionary_row(rows, self.d, j)))
    }
}

/// Multiplies entries by what is given: each stays what it is, an `f32` or an `f64`.
fn scale_entries(entries: &mut Entries, by: impl Fn(f64) -> f64) {
    match entries {
        Entries::Single(values) => {
            values.iter_mut().for_each(|value| *value = by(f64::from(*value)) as f32);
        }
        Entries::Double(values) => values.iter_mut().for_each(|value| *value = by(*value)),
    }
}

fn all_finite(entries: &Entries) -> bool {
    match_entries!(entries, values => values.iter().all(|value| value.is_finite()))
}

/// A code that is no finite `f32`.
struct CodeOverflow {
    /// Of the block.
    row: usize,
    feature: u32,
    code: f64,
}

/// Whether a number is a finite `f32`, once it is rounded to one. Sums are in double precision here, but
/// where an autoencoder in single precision has no number there is nothing to score.
fn is_finite_f32(value: f64) -> bool {
    (value as f32).is_finite()
}

/// What makes codes on a dictionary of rows of activations, and rows again of codes.
pub struct Coder {
    d: usize,
    k: usize,
    /// b_dec, or nothing.
    offset: Vec<f64>,
    subtract_offset: bool,
    normalisation: RowNorm,
    /// Whether the normalisation of rows is undone in what is reconstructed.
    undoes: bool,
    /// Lengths of W's rows, where pre-activations are multiplied by them.
    lengths: Option<Vec<f64>>,
    /// Whether codes are divided by these lengths as soon as they are chosen, and not where they are decoded.
    divides_at_once: bool,
    /// W_skipᵀ, by which rows as they were read are multiplied and added to what is reconstructed.
    skip: Option<Matrix>,
    /// Rows of the dictionary that codes are decoded by, where these are others than their latents'.
    order: Option<Vec<u32>>,
    encoding: Encoding,
}

fn read_vector(array: &Array, len: usize, what: &str) -> Result<Vec<f64>, SaeError> {
    if array.ndim() > 1 && array.rows() > 1 {
        return Err(array.shape_error(&format!("{len} ({what})")).into());
    }
    array.expect_shape(1, len, what)?;
    Ok(array.read_all_as()?)
}

impl Config {
    /// How codes are made, with the vectors of a file that has so many features.
    ///
    /// # Errors
    /// [`SaeError::Io`] for a vector that is not there or does not fit, [`SaeError::Config`] for gates whose exponential
    /// is no finite number, and for whitening that no encoder takes in.
    pub fn activation(&self, weights: &DataFile, k: usize) -> Result<Activation, SaeError> {
        let features = |name: &str| read_vector(weights.array(name)?, k, "one a feature");
        Ok(match self.architecture {
            Architecture::Standard => Activation::Relu,
            Architecture::TopK { k } => Activation::TopK(k),
            Architecture::AbsTopK { k } => Activation::AbsTopK(k),
            Architecture::GroupMax { k: groups } => {
                // As many latents side by side in each.
                let size = (k / groups.max(1)).max(1);
                Activation::GroupMax((0..k).map(|latent| (latent / size) as f64).collect())
            }
            Architecture::JumpRelu => Activation::JumpRelu(match self.threshold {
                Some(threshold) => vec![threshold.max(0.0); k],
                None => read_thresholds(weights, &["threshold", "log_threshold"], k)?,
            }),
            Architecture::BatchTopK => {
                let names = ["threshold", "topk_threshold"];
                let mut thresholds = read_thresholds(weights, &names, k)?;
                if self.rescale_acts_by_decoder_norm {
                    // What it is held against is multiplied by lengths that the factor divides.
                    thresholds.iter_mut().for_each(|threshold| *threshold /= self.weight_factor());
                }
                Activation::JumpRelu(thresholds)
            }
            Architecture::Gated => {
                let logarithms = features("r_mag")?;
                let gains: Vec<f64> = logarithms.iter().copied().map(libm::exp).collect();
                // PyTorch has the exponential in single precision: beyond, it is infinite there.
                if let Some(feature) = gains.iter().position(|gain| !is_finite_f32(*gain)) {
                    let found = format!("{} for feature {feature}", logarithms[feature]);
                    let allowed = "entries to 88.72, whose exponential is a finite 32-bit float";
                    return Err(SaeError::config(weights.name(), "r_mag", found, allowed));
                }
                Activation::Gated { gains, offsets: features("b_mag")? }
            }
            Architecture::MatchingPursuit { .. } if self.normalisation == Normalisation::Whitening => {
                return Err(SaeError::config(
                    weights.name(),
                    "normalize_activations",
                    "covariance_whitening",
                    "another one, for matching_pursuit, which has no encoder to fold it into",
                ));
            }
            Architecture::MatchingPursuit { max_iterations, residual_threshold, stop_on_duplicate_support } => {
                Activation::MatchingPursuit(MatchingPursuit {
                    max_iterations: max_iterations.unwrap_or(weights.array("W_dec")?.cols()),
                    // Of activations that are not scaled.
                    residual_threshold: residual_threshold / self.weight_factor(),
                    stop_on_duplicate_support,
                })
            }
        })
    }

    /// Finishes what a file's vectors say, where it was not finished when they were written: biases that still are to be
    /// multiplied, and thresholds of pre-activations times the lengths of the decoder's rows.
    pub fn rescale_bias_and_thresholds(&self, activation: &mut Activation, bias: &mut [f64], lengths: &[f64]) {
        let by = self.bias_factor.unwrap_or(1.0);
        bias.iter_mut().for_each(|bias| *bias *= by);
        match activation {
            Activation::JumpRelu(thresholds) => {
                thresholds.iter_mut().for_each(|threshold| *threshold *= by);
                if self.gates_by_decoder_norm {
                    let own = thresholds.iter_mut().zip(lengths).filter(|(_, length)| **length > 0.0);
                    own.for_each(|(threshold, length)| *threshold /= length);
                }
            }
            Activation::Gated { offsets, .. } => offsets.iter_mut().for_each(|offset| *offset *= by),
            Activation::Relu
            | Activation::TopK(_)
            | Activation::RankedTopK { .. }
            | Activation::AbsTopK(_)
            | Activation::GroupMax(_)
            | Activation::MatchingPursuit(_) => {}
        }
    }
}

/// One threshold a feature, or one for all.
fn read_thresholds(weights: &DataFile, names: &[&str], k: usize) -> Result<Vec<f64>, SaeError> {
    let found = names.iter().find_map(|name| weights.array(name).ok());
    let array = match found {
        Some(array) => array,
        None => weights.array(names[0])?,
    };
    let exponent = array.display_name() == "log_threshold";
    // A negative threshold lets nothing through that max(0, z) does not.
    let positive = |values: Vec<f64>| {
        let values = values.into_iter();
        values.map(|value| if exponent { libm::exp(value) } else { value.max(0.0) }).collect()
    };
    if (array.rows(), array.cols()) == (1, 1) {
        return Ok(positive(vec![read_vector(array, 1, "one threshold")?[0]; k]));
    }
    Ok(positive(read_vector(array, k, "one threshold a feature")?))
}

impl Coder {
    /// Of a dictionary that comes alone: codes made `by` a rule, or, by none, read from a file.
    ///
    /// The inverse that least squares need comes later, by [`Coder::compute_gram_inverse`].
    pub fn from_dictionary(dictionary: &Dictionary, by: Option<CodesBy>) -> Self {
        let (d, k) = (dictionary.d, dictionary.k);
        let weights = || ColumnWeights::from_dictionary(dictionary);
        Self {
            d,
            k,
            offset: vec![0.0; d],
            subtract_offset: false,
            normalisation: RowNorm::None,
            undoes: true,
            lengths: None,
            divides_at_once: false,
            skip: None,
            order: None,
            encoding: match by {
                None => Encoding::FromFile,
                Some(CodesBy::Top(kept)) => {
                    let weights = weights();
                    let sieve = CandidateFilter::for_magnitudes(&weights.rough);
                    Encoding::TopK(weights, sieve, kept)
                }
                Some(by) => {
                    Encoding::Linear { weights: weights(), least_squares: by == CodesBy::LeastSquares, inverse: None }
                }
            },
        }
    }

    /// Of a dictionary that comes alone: of each row's projections the `kept` largest of those above 0.
    pub fn positive_top_k(dictionary: &Dictionary, kept: usize) -> Self {
        let weights = ColumnWeights::from_dictionary(dictionary);
        let sieve = CandidateFilter::new(&weights.rough, |_| 1.0, |_| [0.0; 2]);
        let activation = Activation::TopK(kept);
        let bias = vec![0.0; dictionary.k];
        let encoding = Encoding::Trained { activation, weights, sieve, bias };
        Self { encoding, ..Self::from_dictionary(dictionary, None) }
    }

    /// Adds a bias of as many dimensions to whatever is decoded.
    pub fn add_bias(&mut self, bias: Vec<f64>) {
        self.offset = bias;
    }

    /// Codes deviations from a middle of as many dimensions, which is added to whatever is decoded.
    pub fn set_centre(&mut self, middle: Vec<f64>) {
        (self.offset, self.subtract_offset) = (middle, true);
    }

    /// Decodes the code of latent j by row `order[j]` of the dictionary: a decoder whose rows are shuffled, with the codes
    /// of the one whose rows are not. Rows by which codes are divided, where they are, are the shuffled ones.
    pub fn set_decoder_order(&mut self, order: Vec<u32>) {
        self.order = Some(order);
    }

    /// Of a trained autoencoder, with its dictionary.
    ///
    /// # Errors
    /// [`SaeError::Io`], [`SaeError::Config`].
    pub fn from_folder(folder: &SaeFolder) -> Result<(Dictionary, Self), SaeError> {
        let (config, weights) = (&folder.config, &*folder.weights);
        let decoder = weights.array("W_dec")?;
        let layers = config.target_layers.max(1);
        let (k, d) = (decoder.rows(), decoder.cols() / layers);
        let pursuit = matches!(config.architecture, Architecture::MatchingPursuit { .. });
        let transcodes = config.transcoder == TranscoderStatus::Yes;
        let mut encoder = match pursuit {
            true => Entries::Single(Vec::new()),
            false => {
                let encoder = weights.array("W_enc")?;
                let rows = if transcodes { encoder.rows() } else { d };
                encoder.expect_shape(rows, k, "one row a dimension, one column a feature of W_dec")?;
                encoder.read_entries_by_columns()?
            }
        };
        let features = |name: &str| read_vector(weights.array(name)?, k, "one a feature");
        SaeFolder::check_factors(weights)?;
        let mut dictionary = sum_layers(decoder.read_entries()?, d, layers);
        let mut offset = match weights.array("b_dec") {
            Ok(bias) => read_vector(bias, d, "one a dimension")?,
            // A decoder may have none.
            Err(IoError::Missing { .. }) if folder.recognised().layout != SAELENS_LAYOUT => {
                vec![0.0; d]
            }
            Err(error) => return Err(error.into()),
        };
        let factor = config.weight_factor();
        if factor != 1.0 {
            scale_entries(&mut encoder, |w| w * factor);
            scale_entries(&mut dictionary, |w| w / factor);
            if !config.keeps_decoder_bias {
                offset.iter_mut().for_each(|b| *b /= factor);
            }
            if !(all_finite(&encoder) && all_finite(&dictionary)) {
                let (field, found) = ("norm_scaling_factor", factor.to_string());
                let allowed = "a factor that keeps all weights finite";
                return Err(SaeError::config(weights.name(), field, found, allowed));
            }
        }
        if let Some(by) = config.bias_factor {
            offset.iter_mut().for_each(|b| *b *= by);
        }
        let mut dictionary = Dictionary { d, k, rows: dictionary };
        let mut activation = config.activation(weights, k)?;
        if let Activation::MatchingPursuit(pursuit) = activation {
            let mut coder = Self::from_dictionary(&dictionary, None);
            coder.encoding = Encoding::MatchingPursuit(ColumnWeights::from_dictionary(&dictionary), pursuit);
            if config.apply_b_dec_to_input {
                (coder.offset, coder.subtract_offset) = (offset, true);
            }
            coder.normalisation = config.normalisation.into();
            return Ok((dictionary, coder));
        }
        let own_lengths = |dictionary: &Dictionary| -> Vec<f64> {
            dictionary.row_norms().into_iter().map(|length| length * factor).collect()
        };
        let gated = matches!(activation, Activation::Gated { .. });
        let mut bias = features(if gated { "b_gate" } else { "b_enc" })?;
        let norms = match config.gates_by_decoder_norm {
            true => own_lengths(&dictionary),
            false => Vec::new(),
        };
        config.rescale_bias_and_thresholds(&mut activation, &mut bias, &norms);
        // The ranks of codes alone depend on it: thresholds have it in them.
        let ranked = config.gates_by_decoder_norm && matches!(config.architecture, Architecture::TopK { .. });
        let rescaled = config.rescale_acts_by_decoder_norm || ranked;
        let lengths = rescaled.then(|| dictionary.row_norms());
        let mut parts = EncoderParts { encoder, bias, activation, offset, subtracts: config.apply_b_dec_to_input };
        if config.normalisation == Normalisation::Whitening {
            parts.fold_whitening(weights, &mut dictionary)?;
        }
        let EncoderParts { encoder, bias, activation, offset, subtracts } = parts;
        let d_in = encoder.len() / k.max(1);
        let weights_in = ColumnWeights::new(encoder, d_in);
        let by = if gated { None } else { lengths.as_deref() };
        let gain = |j: usize| by.map_or(1.0, |by| by[j]);
        let least = |j: usize| activation.threshold_of(j);
        let sieve = CandidateFilter::new(&weights_in.rough, gain, |j| [bias[j] * gain(j), -least(j)]);
        let skip = match weights.array("W_skip") {
            Ok(skip) => {
                skip.expect_shape(dictionary.d, d_in, "outputs × inputs")?;
                let mut turned = Matrix::zeros(d_in, dictionary.d);
                turned.data_mut().copy_from_slice(&skip.read_columns_as::<f64>()?);
                Some(turned)
            }
            Err(_) => None,
        };
        let coder = Self {
            d: dictionary.d,
            k,
            offset,
            subtract_offset: subtracts,
            normalisation: config.normalisation.into(),
            undoes: !transcodes,
            lengths,
            divides_at_once: ranked,
            skip,
            order: None,
            encoding: Encoding::Trained { activation, weights: weights_in, sieve, bias },
        };
        Ok((dictionary, coder))
    }

    /// Subtracts b_dec from rows in place, where that comes before they are encoded.
    fn subtract_bias(&self, x: &mut Matrix) {
        if self.subtract_offset {
            for index in 0..x.rows() {
                let row = x.row_mut(index).iter_mut();
                row.zip(&self.offset).for_each(|(value, offset)| *value -= offset);
            }
        }
    }

    /// The width of the rows that are read.
    pub fn input_width(&self) -> usize {
        match &self.encoding {
            Encoding::Trained { weights, .. } => {
                weights.columns.as_ref().map_or(self.d, |columns| columns.len() / self.k.max(1))
            }
            _ => self.d,
        }
    }

    /// Normalises rows in place; `first` is the first one's number.
    fn normalise(&self, x: &mut Matrix, first: usize) -> Result<Vec<UndoNorm>, SaeError> {
        let rows = x.rows();
        let one = |index: usize| {
            self.normalisation.normalise(x.row_mut(index)).map_err(|none| SaeError::Row {
                row: first + index,
                why: none.reason,
                normalisation: none.normalisation,
            })
        };
        (0..rows).map(one).collect()
    }

    /// Takes the smaller Gram matrix of the dictionary, of which least squares need the inverse.
    ///
    /// # Errors
    /// [`SaeError::NoConvergence`].
    pub fn compute_gram_inverse(&mut self, gram: &Matrix) -> Result<(), SaeError> {
        if let Encoding::Linear { least_squares: true, inverse, .. } = &mut self.encoding {
            let found = PseudoInverse::from_gram(gram, self.k, self.d);
            *inverse = Some(found.ok_or(SaeError::NoConvergence)?);
        }
        Ok(())
    }

    /// What is active for rows of activations, and what their codes, or those given, are decoded to.
    /// `gram` is the smaller Gram matrix of the dictionary.
    ///
    /// # Errors
    /// [`SaeError::Row`]; [`SaeError::NonFinite`] for the first row with a code, or an entry of its
    /// reconstruction, that is no finite `f32`.
    pub fn encode_and_decode(
        &self,
        dictionary: &Dictionary,
        activations: &Matrix,
        first: usize,
        given: Option<&Matrix>,
        gram: &Matrix,
    ) -> Result<EncodeDecodeOutput, SaeError> {
        self.encode_and_decode_with(dictionary, activations, first, (given, gram), &mut |_, _| {})
    }

    /// As [`Coder::encode_and_decode`]; a trained autoencoder's codes of each row are shown, and may be changed, before they are
    /// decoded.
    ///
    /// # Errors
    /// As [`Coder::encode_and_decode`].
    pub fn encode_and_decode_with(
        &self,
        dictionary: &Dictionary,
        activations: &Matrix,
        first: usize,
        (given, gram): (Option<&Matrix>, &Matrix),
        codes_of: &mut dyn FnMut(usize, &mut RowCodes),
    ) -> Result<EncodeDecodeOutput, SaeError> {
        let mut x = activations.clone();
        let undo = self.normalise(&mut x, first)?;
        let passed = match (&self.encoding, given) {
            (Encoding::Linear { weights, inverse, .. }, None) => {
                self.encode_linear(dictionary, x, weights, inverse, gram)
            }
            (Encoding::TopK(weights, sieve, kept), None) => {
                self.subtract_bias(&mut x);
                self.encode_top_k(dictionary, &x, weights, sieve, *kept)
            }
            (Encoding::Trained { .. } | Encoding::MatchingPursuit(..), None) => {
                let mut codes = self.encode_trained(dictionary, x);
                codes.iter_mut().enumerate().for_each(|(row, codes)| codes_of(first + row, codes));
                self.decode_rows(dictionary, codes)
            }
            (_, Some(codes)) => self.decode_dense(dictionary, codes),
            (Encoding::FromFile, None) => self.decode_dense(dictionary, &Matrix::zeros(x.rows(), self.k)),
        };
        self.postprocess(passed, &undo, activations, first)
    }

    /// A trained autoencoder's codes of rows of activations, and what each of several dictionaries decodes them to: its own, by
    /// which codes are made, and others of its shape.
    ///
    /// # Errors
    /// As [`Coder::encode_and_decode`].
    pub fn decode_with_dictionaries(
        &self,
        dictionaries: &[&Dictionary],
        activations: &Matrix,
        first: usize,
    ) -> Result<(Vec<RowCodes>, Vec<Matrix>), SaeError> {
        let mut x = activations.clone();
        let undo = self.normalise(&mut x, first)?;
        let codes = dictionaries.first().map(|own| self.encode_trained(own, x)).unwrap_or_default();
        let decode = |dictionary: &&Dictionary| {
            let passed = self.decode_rows(dictionary, codes.clone());
            Ok(self.postprocess(passed, &undo, activations, first)?.decoded)
        };
        let decoded = dictionaries.iter().map(decode).collect::<Result<_, SaeError>>()?;
        Ok((codes, decoded))
    }

    /// Adds what stands behind decoding: a bias, the rows' normalisation undone, a linear skip.
    fn postprocess(
        &self,
        passed: Result<EncodeDecodeOutput, CodeOverflow>,
        undo: &[UndoNorm],
        activations: &Matrix,
        first: usize,
    ) -> Result<EncodeDecodeOutput, SaeError> {
        let refuse = |row: usize, what, value| Err(SaeError::NonFinite { row: first + row, what, value });
        let mut passed = match passed {
            Ok(passed) => passed,
            Err(CodeOverflow { row, feature, code }) => {
                return refuse(row, format!("the code of feature {feature}"), code);
            }
        };
        let skipped = self.skip.as_ref().map(|skip| linalg::product(activations, skip));
        let none = UndoNorm { scale: 1.0, shift: 0.0 };
        for (index, undo) in undo.iter().enumerate() {
            let undo = if self.undoes { undo } else { &none };
            let row = passed.decoded.row_mut(index);
            for (column, (value, offset)) in row.iter_mut().zip(&self.offset).enumerate() {
                *value = (*value + offset) * undo.scale + undo.shift;
                if let Some(skipped) = &skipped {
                    *value += skipped.row(index)[column];
                }
                if !is_finite_f32(*value) {
                    let what = format!("the reconstruction in column {column}");
                    return refuse(index, what, *value);
                }
            }
        }
        Ok(passed)
    }

    /// Adds the codes of a row times rows of the dictionary; returns the active ones.
    fn decode_row(
        &self,
        dictionary: &Dictionary,
        row: usize,
        codes: impl Iterator<Item = (u32, f64)>,
        into: &mut Matrix,
    ) -> Result<Vec<u32>, CodeOverflow> {
        match_entries!(&dictionary.rows, rows => self.decode_row_with(rows, row, codes, into))
    }

    fn decode_row_with<T: Number>(
        &self,
        rows: &[T],
        row: usize,
        codes: impl Iterator<Item = (u32, f64)>,
        into: &mut Matrix,
    ) -> Result<Vec<u32>, CodeOverflow> {
        let mut active = Vec::new();
        let into = into.row_mut(row);
        let mut few = Vec::with_capacity(DOT_ROWS);
        let of = |j: u32| dictionary_row(rows, self.d, j);
        for (j, code) in codes.filter(|(_, code)| *code != 0.0) {
            if !is_finite_f32(code) {
                return Err(CodeOverflow { row, feature: j, code });
            }
            let j = self.order.as_ref().map_or(j, |order| order[j as usize]);
            if is_active(code) {
                active.push(j);
            }
            let lengths = self.lengths.as_ref().filter(|_| !self.divides_at_once);
            let code = lengths.map_or(code, |l| code / l[j as usize]);
            few.push((j, code));
            if let [(a, p), (b, q), (c, r), (d, s)] = *few {
                kernel::add_scaled_rows(into, [p, q, r, s], [of(a), of(b), of(c), of(d)]);
                few.clear();
            }
        }
        few.iter().for_each(|(j, code)| kernel::add_scaled(into, *code, of(*j)));
        if self.order.is_some() {
            active.sort_unstable();
        }
        Ok(active)
    }

    fn decode_dense(&self, dictionary: &Dictionary, codes: &Matrix) -> Result<EncodeDecodeOutput, CodeOverflow> {
        let mut decoded = Matrix::zeros(codes.rows(), self.d);
        let rows = codes.iter_rows().enumerate();
        let active = rows.map(|(index, row)| {
            let codes = (0u32..).zip(row.iter().copied());
            self.decode_row(dictionary, index, codes, &mut decoded)
        });
        Ok(EncodeDecodeOutput { active_features: active.collect::<Result<_, _>>()?, decoded })
    }

    /// Codes on a dictionary that comes alone.
    fn encode_linear(
        &self,
        dictionary: &Dictionary,
        mut x: Matrix,
        weights: &ColumnWeights,
        inverse: &Option<PseudoInverse>,
        gram: &Matrix,
    ) -> Result<EncodeDecodeOutput, CodeOverflow> {
        if self.k < self.d {
            let all: Vec<u32> = (0..self.k as u32).collect();
            let mut codes = Matrix::zeros(x.rows(), self.k);
            let mut exact = Vec::with_capacity(self.k);
            for index in 0..x.rows() {
                weights.exact_products(dictionary, x.row(index), &all, &mut exact);
                codes.row_mut(index).copy_from_slice(&exact);
            }
            if let Some(inverse) = inverse {
                codes = inverse.apply(codes);
            }
            return self.decode_dense(dictionary, &codes);
        }
        if let Some(inverse) = inverse {
            x = inverse.apply(x);
        }
        // Which codes are as good as zero is all that is needed of them, as (x·Wᵀ)·W is x·(Wᵀ·W).
        let rough = QuantizedRows::from_rows(x.data(), self.d);
        let products = weights.rough_products(&rough);
        let (mut unsure, mut exact) = (Vec::new(), Vec::new());
        let rows = products.chunks_exact(self.k.max(1)).enumerate();
        let active = rows.map(|(index, products)| {
            let mut active = Vec::new();
            unsure.clear();
            for (j, product) in products.iter().enumerate() {
                let scale = rough.norms()[index] * weights.rough.norms()[j];
                let (code, error) = (
                    QuantizedRows::cosine(*product).abs() * scale,
                    rough.cosine_error(index, &weights.rough, j) * scale,
                );
                if code - error > ACTIVE_THRESHOLD {
                    active.push(j as u32);
                } else if code + error > ACTIVE_THRESHOLD {
                    unsure.push(j as u32);
                }
            }
            weights.exact_products(dictionary, x.row(index), &unsure, &mut exact);
            let sure = active.len();
            let found = unsure.iter().zip(&exact);
            active.extend(found.filter(|(_, c)| is_active(**c)).map(|(j, _)| j));
            if active.len() > sure {
                active.sort_unstable();
            }
            active
        });
        Ok(EncodeDecodeOutput { active_features: active.collect(), decoded: linalg::product(&x, gram) })
    }

    /// The codes of the projection that are largest in magnitude, `kept` of them; rough products tell
    /// which these may be.
    fn encode_top_k(
        &self,
        dictionary: &Dictionary,
        x: &Matrix,
        weights: &ColumnWeights,
        sieve: &CandidateFilter,
        kept: usize,
    ) -> Result<EncodeDecodeOutput, CodeOverflow> {
        let rough = QuantizedRows::from_rows(x.data(), self.d);
        let products = weights.rough_products(&rough);
        let mut decoded = Matrix::zeros(x.rows(), self.d);
        let (mut open, mut exact, mut guess) = (Vec::new(), Vec::new(), 0.0);
        let mut active = Vec::with_capacity(x.rows());
        for (index, products) in products.chunks_exact(self.k.max(1)).enumerate() {
            let floor = f64::NEG_INFINITY;
            sieve.find_candidates(&rough, index, products, floor, Some(kept), &mut guess, &mut open);
            weights.exact_products(dictionary, x.row(index), &open, &mut exact);
            let mut codes: Vec<(u32, f64)> = open.iter().copied().zip(exact.iter().copied()).collect();
            keep_largest(&mut codes, kept);
            active.push(self.decode_row(dictionary, index, codes.into_iter(), &mut decoded)?);
        }
        Ok(EncodeDecodeOutput { active_features: active, decoded })
    }

    fn decode_rows(&self, dictionary: &Dictionary, codes: Vec<RowCodes>) -> Result<EncodeDecodeOutput, CodeOverflow> {
        let mut decoded = Matrix::zeros(codes.len(), self.d);
        let rows = codes.into_iter().enumerate();
        let active = rows.map(|(index, codes)| self.decode_row(dictionary, index, codes.into_iter(), &mut decoded));
        Ok(EncodeDecodeOutput { active_features: active.collect::<Result<_, _>>()?, decoded })
    }

    /// An autoencoder's codes of rows that are normalised. Which of them cannot be but zero is told by rough products; the
    /// others are computed exactly, so that it does not matter to the result how rough those are.
    fn encode_trained(&self, dictionary: &Dictionary, mut x: Matrix) -> Vec<RowCodes> {
        self.subtract_bias(&mut x);
        let (activation, weights, sieve, bias) = match &self.encoding {
            Encoding::Trained { activation, weights, sieve, bias } => (activation, weights, sieve, bias),
            Encoding::MatchingPursuit(weights, pursuit) => {
                let all: Vec<u32> = (0..self.k as u32).collect();
                let products = |rest: &[f64], exact: &mut Vec<f64>| {
                    weights.exact_products(dictionary, rest, &all, exact);
                };
                let subtract = |rest: &mut [f64], value: f64, latent: u32| {
                    match_entries!(&dictionary.rows, rows => {
                        kernel::add_scaled(rest, -value, dictionary_row(rows, dictionary.d, latent));
                    });
                };
                return x.iter_rows().map(|row| pursuit.encode_row(row, products, subtract)).collect();
            }
            _ => return vec![Vec::new(); x.rows()],
        };
        let magnitude = match activation {
            Activation::Gated { gains, offsets } => Some((gains, offsets)),
            _ => None,
        };
        let by = if magnitude.is_some() { None } else { self.lengths.as_deref() };
        let z = |product: f64, j: usize| {
            let z = product + bias[j];
            by.map_or(z, |by| z * by[j])
        };
        let rough = QuantizedRows::from_rows(x.data(), x.cols());
        let products = weights.rough_products(&rough);
        let (mut open, mut exact, mut guess) = (Vec::new(), Vec::new(), 0.0);
        let largest = match activation {
            Activation::TopK(k) => Some(*k),
            _ => None,
        };
        let mut all = Vec::with_capacity(x.rows());
        for (index, products) in products.chunks_exact(self.k.max(1)).enumerate() {
            if let Activation::AbsTopK(kept) = activation {
                // Both ends of all of them matter.
                open.clear();
                open.extend(0..self.k as u32);
                weights.exact_products(dictionary, x.row(index), &open, &mut exact);
                let codes = open.iter().zip(&exact).map(|(j, product)| (*j, z(*product, *j as usize)));
                let mut codes: RowCodes = codes.filter(|(_, code)| *code != 0.0).collect();
                keep_largest(&mut codes, *kept);
                all.push(codes);
                continue;
            }
            sieve.find_candidates(&rough, index, products, 0.0, largest, &mut guess, &mut open);
            weights.exact_products(dictionary, x.row(index), &open, &mut exact);
            let mut codes: RowCodes = Vec::with_capacity(open.len());
            for (j, product) in open.iter().zip(&exact) {
                let at = *j as usize;
                let z = z(*product, at);
                let code = match magnitude {
                    Some((gains, offsets)) if z > 0.0 => product * gains[at] + offsets[at],
                    Some(_) => 0.0,
                    None => z,
                };
                if code > activation.threshold_of(at) {
                    codes.push((*j, code));
                }
            }
            if let Some(largest) = largest {
                keep_largest(&mut codes, largest);
            }
            if let Activation::GroupMax(groups) = activation {
                codes = codes
                    .chunk_by(|one, other| groups[one.0 as usize] == groups[other.0 as usize])
                    .filter_map(|group| group.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a }))
                    .collect();
            }
            if let (true, Some(lengths)) = (self.divides_at_once, by) {
                codes.iter_mut().for_each(|(j, code)| *code /= lengths[*j as usize]);
            }
            all.push(codes);
        }
        all
    }
}

impl Activation {
    /// What a latent's z must exceed.
    fn threshold_of(&self, latent: usize) -> f64 {
        match self {
            Self::JumpRelu(thresholds) => thresholds[latent],
            _ => 0.0,
        }
    }
}

/// What is read of an autoencoder's encoder and decoder's bias.
struct EncoderParts {
    /// W_enc, column by column.
    encoder: Entries,
    bias: Vec<f64>,
    activation: Activation,
    offset: Vec<f64>,
    subtracts: bool,
}

impl EncoderParts {
    /// Folds what activations are whitened by into all of them, and into the dictionary: for x' = (x − μ)·M, and what is
    /// reconstructed of it times M⁻¹, plus μ.
    fn fold_whitening(&mut self, weights: &DataFile, dictionary: &mut Dictionary) -> Result<(), SaeError> {
        let (d, k) = (dictionary.d, dictionary.k);
        let whitening = Whitening::open(weights, d)?;
        let wide = |entries: &Entries| {
            let mut out = Matrix::zeros(k, d);
            out.data_mut().iter_mut().zip(entries.iter()).for_each(|(out, value)| *out = value);
            out
        };
        let subtracted = self.subtracts.then_some(&*self.offset);
        let (encoder, shift) = whitening.fold_encoder(&wide(&self.encoder), subtracted);
        shift_biases(&mut self.bias, &mut self.activation, &shift);
        self.offset = whitening.fold_decoder_bias(&self.offset);
        let decoder = whitening.fold_decoder(&wide(&dictionary.rows));
        self.encoder = Entries::Double(encoder.data().to_vec());
        self.subtracts = false;
        let rows = Entries::Double(decoder.data().to_vec());
        *dictionary = Dictionary { d: whitening.width(), k, rows };
        Ok(())
    }
}

/// Rows of so many layers one after the other, summed over these.
fn sum_layers(rows: Entries, d: usize, layers: usize) -> Entries {
    fn sum_rows<T: Copy + std::ops::AddAssign>(rows: &[T], d: usize, layers: usize) -> Vec<T> {
        let mut out = Vec::with_capacity(rows.len() / layers.max(1));
        for row in rows.chunks_exact((d * layers).max(1)) {
            let mut sum = row[..d].to_vec();
            for layer in row[d..].chunks_exact(d.max(1)) {
                sum.iter_mut().zip(layer).for_each(|(sum, value)| *sum += *value);
            }
            out.extend(sum);
        }
        out
    }
    match rows {
        rows if layers <= 1 => rows,
        Entries::Single(rows) => Entries::Single(sum_rows(&rows, d, layers)),
        Entries::Double(rows) => Entries::Double(sum_rows(&rows, d, layers)),
    }
}

/// Drops all but the `k` largest in magnitude; the lower index stays where they are equal.
fn keep_largest(codes: &mut Vec<(u32, f64)>, k: usize) {
    if k < codes.len() {
        let by_size = |a: &(u32, f64), b: &(u32, f64)| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0));
        codes.select_nth_unstable_by(k, by_size);
        codes.truncate(k);
        codes.sort_unstable_by_key(|code| code.0);
    }
}
