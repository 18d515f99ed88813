//! The metrics of decompositions on the toy model: its autoencoders where they read the residual stream, its own
//! layers, its texts.
//!
//! Positions are those of 600 natural texts (seed 2), the first token of each left out; of the 18,600, the metrics that
//! hold every position against every feature take 2,000: the first of `RandomState(21).permutation`, in order.

mod safety;
mod view;

pub use safety::{Contrast, compare_requests, m14, m14_up_to_layer};

use std::sync::Arc;

use serde::Serialize;

use super::metric::adaptive_sparsity::{AdaptiveSparsity, MISMATCH_THRESHOLD, adaptive_sparsity};
use super::metric::architecture_duality::{self, ArchitectureDuality, ComparedAutoencoder, architecture_duality};
use super::metric::core_stability::{CoreTraining, CycleSettings, core_training, standardise_rows};
use super::metric::matryoshka::{COSINE_THRESHOLD, Matryoshka, matryoshka};
use super::metric::nla_sae::{NlaSae, nla_sae};
use super::metric::polysemanticity::{self, Polysemanticity, polysemanticity};
use super::metric::superposition::{
    FeatureSuperposition, LayersSummary, Superposition, feature_superposition, summarise_layers, superposition,
};
use super::metric::weight_lens::{WeightLens, weight_lens};
use super::metric::{Activations, Reading};
use crate::linalg::{column_means, subtract_mean};
use crate::model::{Model, Parameters};
use crate::papers::measurement::MeasurementError;
use crate::synthetic::language::{CONTEXT_TOKENS, Token, draw_texts};
use crate::toy_model::residual_stream::residual_stream;
use crate::toy_model::{self, AUTOENCODER_LAYER, DICTIONARIES, Dictionary, FINAL_CHECKPOINT, ToyModelError};
use crate::{Matrix, NumpyRng};

/// The natural texts: seed and number.
pub const TEXTS_SEED_AND_COUNT: (u32, usize) = (2, 600);
/// Of which positions so many are taken, drawn with this seed.
pub const POSITIONS_SEED_AND_COUNT: (u32, usize) = (21, 2_000);
/// The requests that tell safe from unsafe: seed and number.
pub const REQUESTS_SEED_AND_COUNT: (u32, usize) = (4_000, 256);
/// Directions that EX34 looks at: the first of an autoencoder.
pub const DIRECTIONS_MAX: usize = 64;
/// Texts that are run at once.
const BATCH_TEXTS: usize = 64;

/// The residual stream of the natural texts, where autoencoders read it.
#[derive(Clone, Debug)]
pub struct ResidualStream {
    model: Arc<Model>,
    texts: Vec<Vec<Token>>,
    width: usize,
    /// Texts × positions × width.
    all: Vec<f32>,
    /// The positions drawn, ascending.
    drawn: Vec<u32>,
    /// Their rows: positions × width.
    rows: Vec<f32>,
    /// Their words.
    tokens: Vec<Token>,
    unembed: Matrix,
    embed: Matrix,
}

/// An autoencoder, and what it makes of the stream.
#[derive(Clone, Debug)]
pub struct EncodedDictionary {
    dictionary: Arc<Dictionary>,
    decoder: Matrix,
    encoder: Option<Matrix>,
    /// Latents at the positions drawn.
    codes: Vec<f32>,
}

impl ResidualStream {
    /// Of the model after its training, on which autoencoders were trained.
    ///
    /// # Errors
    /// [`ToyModelError`].
    pub fn for_final_checkpoint() -> Result<Self, MeasurementError> {
        Self::for_checkpoint(FINAL_CHECKPOINT, POSITIONS_SEED_AND_COUNT.1)
    }

    /// Of a checkpoint, and of so many positions.
    ///
    /// # Errors
    /// [`ToyModelError`].
    pub fn for_checkpoint(checkpoint: &str, count: usize) -> Result<Self, MeasurementError> {
        let model = toy_model::load_model(checkpoint)?;
        let parameters = toy_model::load_parameters(checkpoint)?;
        let width = model.config().d_model;
        let texts = draw_texts(TEXTS_SEED_AND_COUNT.0, TEXTS_SEED_AND_COUNT.1);
        let all = residual_stream(&model, &texts)?;
        let words: Vec<Token> = texts.iter().flat_map(|text| text.iter().skip(1).copied()).collect();
        let drawn = draw_positions(words.len(), count);
        let chosen = |at: &u32| row_slice(&all, width, *at as usize);
        let config = *model.config();
        Ok(Self {
            width,
            rows: drawn.iter().flat_map(chosen).copied().collect(),
            tokens: drawn.iter().filter_map(|at| words.get(*at as usize).copied()).collect(),
            drawn,
            all,
            texts,
            unembed: tensor_matrix(&parameters, "unembed.W_U", width, config.vocabulary)?,
            embed: tensor_matrix(&parameters, "embed.W_E", config.vocabulary, width)?,
            model,
        })
    }

    /// The positions drawn, of all, ascending.
    #[must_use]
    pub fn drawn_positions(&self) -> &[u32] {
        &self.drawn
    }

    /// An autoencoder, shipped or kept, by its name, and what it makes of the positions drawn.
    ///
    /// # Errors
    /// [`ToyModelError::Unknown`], [`ToyModelError::Absent`].
    pub fn encode_by_name(&self, name: &str) -> Result<EncodedDictionary, MeasurementError> {
        let subject = self.encode_with(toy_model::load_dictionary(name)?)?;
        let (latents, width) = subject.decoder.shape();
        Ok(EncodedDictionary { encoder: load_encoder(name, latents, width)?, ..subject })
    }

    /// What an autoencoder that is not shipped makes of the positions drawn. Its encoder is not looked at.
    ///
    /// # Errors
    /// [`MeasurementError`] for one of another width.
    pub fn encode_with(&self, dictionary: Arc<Dictionary>) -> Result<EncodedDictionary, MeasurementError> {
        let (latents, width) = (dictionary.latent_count(), dictionary.width());
        let directions = (0..latents).flat_map(|at| dictionary.direction(at));
        let decoder = Matrix::from_f32(latents, width, directions.copied())?;
        Ok(EncodedDictionary { decoder, encoder: None, codes: dictionary.encode(&self.rows), dictionary })
    }

    /// All positions as autoencoders are trained on them (positions × width), scaled to a mean square deviation of 1,
    /// and by what.
    ///
    /// # Errors
    /// [`MeasurementError`] for what is no number.
    pub fn training_rows(&self) -> Result<(Matrix, f64), MeasurementError> {
        let count = self.all.len() / self.width.max(1);
        let mut rows = Matrix::from_f32(count, self.width, self.all.iter().copied())?;
        let means = column_means(&rows);
        let squares: f64 = subtract_mean(&rows, &means).data().iter().map(|x| x * x).sum();
        let scale = 1.0 / f64::sqrt((squares / rows.data().len() as f64).max(f64::MIN_POSITIVE));
        rows.data_mut().iter_mut().for_each(|x| *x *= scale);
        Ok((rows, scale))
    }

    fn rows_after_layer(&self, layer: usize) -> Result<Matrix, MeasurementError> {
        if layer == AUTOENCODER_LAYER { self.rows_matrix() } else { self.residual_after_layer(layer) }
    }

    fn rows_matrix(&self) -> Result<Matrix, MeasurementError> {
        Ok(Matrix::from_f32(self.tokens.len(), self.width, self.rows.iter().copied())?)
    }

    /// M07, of two autoencoders.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m07(
        &self,
        a: &EncodedDictionary,
        b: &EncodedDictionary,
        settings: &architecture_duality::Settings,
    ) -> Result<ArchitectureDuality, MeasurementError> {
        Ok(architecture_duality(&a.as_compared_autoencoder(), &b.as_compared_autoencoder(), settings)?)
    }

    /// M08, of an autoencoder and the unembedding.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m08(&self, subject: &EncodedDictionary, k: usize) -> Result<WeightLens, MeasurementError> {
        let active = subject.activations();
        Ok(weight_lens(&subject.decoder, &self.unembed, active, &self.tokens, k)?)
    }

    /// M09: autoencoders trained anew on the positions drawn, less their mean and of unit mean square.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m09(&self, settings: &CycleSettings) -> Result<CoreTraining, MeasurementError> {
        self.m09_after_layer(AUTOENCODER_LAYER, settings)
    }

    /// The same of the residual stream after another layer.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m09_after_layer(&self, layer: usize, settings: &CycleSettings) -> Result<CoreTraining, MeasurementError> {
        let rows = self.rows_after_layer(layer)?;
        Ok(core_training(&standardise_rows(&rows, &column_means(&rows)), settings)?)
    }

    /// M10: contexts are the texts, each embedded by the mean of its residual stream (the text's reading) or of its
    /// token embeddings (the code's).
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m10(
        &self,
        subject: &EncodedDictionary,
        settings: &polysemanticity::Settings,
    ) -> Result<Polysemanticity, MeasurementError> {
        let (latents, tokens) = (subject.dictionary.latent_count(), CONTEXT_TOKENS - 1);
        let mut strengths = Matrix::zeros(self.texts.len(), latents);
        let mut embeddings = Matrix::zeros(self.texts.len(), self.width);
        let texts = self.texts.iter().zip(self.all.chunks_exact(tokens * self.width));
        for (index, (text, stream)) in texts.enumerate() {
            let codes = subject.dictionary.encode(stream);
            let strengths = strengths.row_mut(index);
            for row in codes.chunks_exact(latents.max(1)) {
                for (most, value) in strengths.iter_mut().zip(row) {
                    *most = most.max(f64::from(value.abs()));
                }
            }
            let embedding = embeddings.row_mut(index);
            for (token, row) in text.iter().skip(1).zip(stream.chunks_exact(self.width)) {
                let add = |(sum, value): (&mut f64, f64)| *sum += value / tokens as f64;
                match settings.reading {
                    Reading::Document => {
                        embedding.iter_mut().zip(row.iter().map(|x| f64::from(*x))).for_each(add);
                    }
                    Reading::Code => {
                        let word = self.embed.row(*token as usize).iter().copied();
                        embedding.iter_mut().zip(word).for_each(add);
                    }
                }
            }
        }
        Ok(polysemanticity(&strengths, &embeddings, settings)?)
    }

    /// M11, of a small and a large autoencoder.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m11(
        &self,
        small: &EncodedDictionary,
        large: &EncodedDictionary,
        k: usize,
    ) -> Result<Matryoshka, MeasurementError> {
        let (a, b) = (small.activations(), large.activations());
        Ok(matryoshka(a, b, &large.decoder, k, COSINE_THRESHOLD)?)
    }

    /// M12: the code's reading of each text's last position, the text's of every one.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m12(&self, subject: &EncodedDictionary, threshold: f64) -> Result<SparsityResult, MeasurementError> {
        let of = |rows: &[f32]| -> Result<AdaptiveSparsity, MeasurementError> {
            let (complexity, k) = self.complexity_and_k(subject, rows)?;
            Ok(adaptive_sparsity(&complexity, &k, threshold)?)
        };
        let (code, document) = (of(&self.last_position_rows())?, of(&self.all)?);
        Ok(SparsityResult {
            found: AdaptiveSparsity {
                k_mismatch_rate_document: document.k_mismatch_rate_document,
                over_activation_rate_document: document.over_activation_rate_document,
                under_activation_rate_document: document.under_activation_rate_document,
                pass_document: document.pass_document,
                ..code
            },
            complexity_k_correlation_document: document.complexity_k_correlation,
        })
    }

    /// M13, of the positions drawn, of an autoencoder's directions, and of every layer.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m13(&self, subject: &EncodedDictionary) -> Result<SuperpositionResult, MeasurementError> {
        self.m13_after_layer(AUTOENCODER_LAYER, subject)
    }

    /// The same with the activations after another layer.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn m13_after_layer(
        &self,
        layer: usize,
        subject: &EncodedDictionary,
    ) -> Result<SuperpositionResult, MeasurementError> {
        let numbers = 0..self.model.config().layers;
        let all = numbers.map(|layer| Ok(superposition(&self.residual_after_layer(layer)?)?));
        let all: Vec<Superposition> = all.collect::<Result<_, MeasurementError>>()?;
        let regimes = |of: fn(&Superposition) -> _| all.iter().map(of).collect::<Vec<_>>();
        Ok(SuperpositionResult {
            activations: superposition(&self.rows_after_layer(layer)?)?,
            directions: feature_superposition(&subject.decoder)?,
            layers_document: summarise_layers(&regimes(|found| found.regime_document))?,
            layers_code: summarise_layers(&regimes(|found| found.regime_code))?,
            layers: all,
        })
    }

    /// EX34, of the first directions of an autoencoder; all where there are no more.
    ///
    /// # Errors
    /// [`MeasurementError`].
    pub fn ex34(&self, subject: &EncodedDictionary, k: usize, directions: usize) -> Result<NlaSae, MeasurementError> {
        let rows = self.rows_matrix()?;
        let first: Vec<u32> = (0_u32..).take(directions.min(subject.decoder.rows())).collect();
        let directions = subject.decoder.select_rows(&first);
        Ok(nla_sae(&directions, &rows, &self.tokens, &self.unembed, k)?)
    }
}

impl EncodedDictionary {
    fn activations(&self) -> Activations<'_> {
        Activations::DenseF32 { values: &self.codes, features: self.dictionary.latent_count() }
    }

    fn as_compared_autoencoder(&self) -> ComparedAutoencoder<'_> {
        let encoder = self.encoder.as_ref();
        ComparedAutoencoder { activations: self.activations(), decoder: &self.decoder, encoder }
    }

    /// How many latents.
    #[must_use]
    pub fn latent_count(&self) -> usize {
        self.dictionary.latent_count()
    }
}

/// M12 where the code looks, which is each text's last position, and where the text does, which is every one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SparsityResult {
    /// What is of the text's reading is of every position, all else of the last ones.
    #[serde(flatten)]
    pub found: AdaptiveSparsity,
    /// The correlation over every position.
    pub complexity_k_correlation_document: f64,
}

/// M13 of activations and of directions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuperpositionResult {
    /// Where autoencoders read.
    #[serde(flatten)]
    pub activations: Superposition,
    /// Of the autoencoder.
    #[serde(flatten)]
    pub directions: FeatureSuperposition,
    /// Of the residual stream after each layer.
    pub layers: Vec<Superposition>,
    /// What they come to by the text's rule.
    pub layers_document: LayersSummary,
    /// What they come to by the code's.
    pub layers_code: LayersSummary,
}

/// M12's default.
pub const MISMATCH_THRESHOLD_DEFAULT: f64 = MISMATCH_THRESHOLD;

/// The first positions of a permutation, ascending.
fn draw_positions(count: usize, wanted: usize) -> Vec<u32> {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let mut drawn = NumpyRng::new(POSITIONS_SEED_AND_COUNT.0).choice(count, wanted);
    drawn.sort_unstable();
    drawn
}

/// A row of numbers, `width` of them.
fn row_slice(values: &[f32], width: usize, at: usize) -> &[f32] {
    values.get(at * width..(at + 1) * width).unwrap_or(&[])
}

fn tensor_matrix(parameters: &Parameters, name: &str, rows: usize, cols: usize) -> Result<Matrix, MeasurementError> {
    Ok(Matrix::from_f32(rows, cols, parameters.tensor(name).iter().copied())?)
}

/// A shipped autoencoder's encoder, latents × width; none of one that was trained here, or that has none.
fn load_encoder(name: &str, latents: usize, width: usize) -> Result<Option<Matrix>, MeasurementError> {
    let Some(named) = DICTIONARIES.iter().find(|named| named.name == name) else { return Ok(None) };
    if named.file.is_empty() {
        return Ok(None);
    }
    let file = toy_model::open_file(named.file)?;
    let rows = file.array(&format!("{}.W_enc", named.tensors)).map_err(ToyModelError::from)?;
    let rows = rows.read_all().map_err(ToyModelError::from)?;
    Ok(Some(Matrix::from_f32(latents, width, rows)?))
}
