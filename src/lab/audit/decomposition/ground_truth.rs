use std::sync::Arc;

use super::transforms;
use crate::lab::audit::World;
use crate::linalg::{column_means, product, right_singular_vectors, subtract_mean};
use crate::model::ModelError;
use crate::papers::sfc::metric::fidelity;
use crate::sae::Weights;
use crate::sae::activity::is_active;
use crate::statistics::MetricError;
use crate::synthetic::language::{Concept, Grammar, Token};
use crate::synthetic::{PlantedFeatures, Readout};
use crate::toy_model::Dictionary;
use crate::{Matrix, NumpyRng, kernel};

/// Rows of activations with all that is known of them. What there is none of has no metrics that need it.
#[derive(Clone, Debug)]
pub struct GroundTruth {
    /// Where.
    pub world: World,
    /// The job's seed.
    pub seed: u32,
    /// N × D.
    pub rows: Matrix,
    /// What a transcoder reconstructs of them, N × D'; none where rows themselves are reconstructed.
    pub targets: Option<Matrix>,
    /// How many rows that follow each other are one context: the tokens of a text; 1 where rows have nothing to do with
    /// each other.
    pub rows_per_context: usize,
    /// What the activations are read out by.
    pub readout: Option<Readout>,
    /// The directions that the readout depends on, of length 1.
    pub circuit_directions: Option<Matrix>,
    /// Planted directions, and how strongly each is there in each row.
    pub planted_features: Option<PlantedFeatures>,
    /// The word of each row; empty where there are none.
    pub row_words: Vec<u32>,
    /// How many words of a latent M08 looks at.
    pub words_per_latent: usize,
    /// D × words.
    pub unembed: Option<Matrix>,
    /// Each row's word's direction: N × D.
    pub row_embeddings: Option<Matrix>,
    /// Steps between M09's cores.
    pub steps_per_cycle: u32,
    /// The checkpoint of the toy model, and the layer after which the rows are its residual stream.
    pub checkpoint_layer: Option<(&'static str, usize)>,
    /// What that model's texts are written in.
    pub grammar: Grammar,
    /// The texts of the rows, each with its first token, which has no row.
    pub texts: Vec<Vec<Token>>,
    /// The seed whose first natural texts those are.
    pub texts_seed: u32,
    /// What the world's own activations were multiplied by.
    pub scale: f64,
    /// The orthonormal basis that they were brought to after that, a row a direction; none: their own.
    pub basis: Option<Matrix>,
    /// What other autoencoders, trained on the same, make of the rows.
    pub comparison_models: Option<ComparisonModels>,
}

/// What is held against an autoencoder.
#[derive(Clone, Debug)]
pub struct ComparisonModels {
    /// One of another family, as wide: ReLU.
    pub relu: EncodedModel,
    /// One of half the width.
    pub small: EncodedModel,
}

/// An autoencoder and its codes.
#[derive(Clone, Debug)]
pub struct EncodedModel {
    /// It.
    pub weights: Weights,
    /// N × F.
    pub codes: Matrix,
}

/// The codes of rows (N × D) as single precision makes them: N × F.
///
/// # Errors
/// [`ModelError::Size`] where sizes do not fit each other.
pub fn encode_rows(of: &Weights, rows: &Matrix) -> Result<Matrix, ModelError> {
    let single: Vec<f32> = rows.data().iter().map(|value| *value as f32).collect();
    let found = Dictionary::from_weights(&of.in_input_space())?.encode(&single);
    let mut codes = Matrix::zeros(rows.rows(), of.decoder.rows());
    codes.data_mut().iter_mut().zip(found).for_each(|(out, value)| *out = f64::from(value));
    Ok(codes)
}

impl ComparisonModels {
    /// Two autoencoders at rows.
    ///
    /// # Errors
    /// As [`encode_rows`]; a transcoder; rows that one cannot normalise.
    pub fn encode(relu: Weights, small: Weights, rows: &Matrix) -> Result<Self, ModelError> {
        let of = |weights: Weights| {
            weights.check_not_transcoder()?;
            weights.check_rows(rows)?;
            Ok::<_, ModelError>(EncodedModel { codes: encode_rows(&weights, rows)?, weights })
        };
        Ok(Self { relu: of(relu)?, small: of(small)? })
    }
}

impl GroundTruth {
    /// Rows of a world of which nothing more is known.
    #[must_use]
    pub fn from_rows(world: World, seed: u32, rows: Matrix) -> Self {
        Self {
            world,
            seed,
            rows,
            targets: None,
            rows_per_context: 1,
            readout: None,
            circuit_directions: None,
            planted_features: None,
            row_words: Vec::new(),
            words_per_latent: 0,
            unembed: None,
            row_embeddings: None,
            steps_per_cycle: 0,
            checkpoint_layer: None,
            grammar: Grammar::First,
            texts: Vec::new(),
            texts_seed: 0,
            scale: 1.0,
            basis: None,
            comparison_models: None,
        }
    }

    /// The first half of its contexts.
    ///
    /// # Errors
    /// [`ModelError`] of what is beside.
    pub fn first_half(&self) -> Result<Self, ModelError> {
        let contexts = self.rows.rows() / self.rows_per_context.max(1);
        let rows = contexts.div_ceil(2) * self.rows_per_context.max(1);
        let first: Vec<u32> = (0_u32..).take(rows).collect();
        let some = |matrix: &Matrix| matrix.select_rows(&first);
        let mut out = self.clone();
        out.rows = some(&self.rows);
        out.targets = self.targets.as_ref().map(some);
        out.row_words.truncate(rows);
        out.texts.truncate(contexts.div_ceil(2));
        out.row_embeddings = self.row_embeddings.as_ref().map(some);
        out.planted_features = self
            .planted_features
            .as_ref()
            .map(|truth| PlantedFeatures { directions: truth.directions.clone(), magnitudes: some(&truth.magnitudes) });
        out.comparison_models = self.comparison_models.as_ref().map(|beside| {
            let coded = |of: &EncodedModel| EncodedModel { codes: some(&of.codes), weights: of.weights.clone() };
            ComparisonModels { relu: coded(&beside.relu), small: coded(&beside.small) }
        });
        Ok(out)
    }

    /// The same with all activations multiplied by `factor`, and everything else with them: what is read out, and which
    /// words are promoted, stays as it is.
    ///
    /// # Errors
    /// [`ModelError`] of what is beside.
    pub fn scale_rows(&self, factor: f64) -> Result<Self, ModelError> {
        let by = |matrix: &Matrix, factor: f64| {
            let mut out = matrix.clone();
            out.data_mut().iter_mut().for_each(|value| *value *= factor);
            out
        };
        let mut out = self.clone();
        out.scale *= factor;
        out.rows = by(&self.rows, factor);
        out.targets = self.targets.as_ref().map(|targets| by(targets, factor));
        out.row_embeddings = self.row_embeddings.as_ref().map(|words| by(words, factor));
        out.unembed = self.unembed.as_ref().map(|words| by(words, factor.recip()));
        out.readout = self.readout.clone().map(|readout| match readout {
            Readout::Affine { weights, bias } => Readout::Affine { weights: by(&weights, factor.recip()), bias },
            other => other,
        });
        out.planted_features = self.planted_features.as_ref().map(|truth| PlantedFeatures {
            directions: truth.directions.clone(),
            magnitudes: by(&truth.magnitudes, factor),
        });
        out.comparison_models =
            self.transform_comparisons(&out.rows, |weights| transforms::scale_inputs(weights, factor))?;
        Ok(out)
    }

    /// The same in another orthonormal basis, the rows of `basis` (D × D), and everything else with it but for targets,
    /// which have a space of their own.
    ///
    /// # Errors
    /// [`ModelError`] of what is beside.
    pub fn rotate_rows(&self, basis: &Matrix) -> Result<Self, ModelError> {
        let turned = basis.transposed();
        let by = |matrix: &Matrix| product(matrix, &turned);
        let mut out = self.clone();
        out.basis = Some(match &self.basis {
            Some(before) => product(basis, before),
            None => basis.clone(),
        });
        out.rows = by(&self.rows);
        out.circuit_directions = self.circuit_directions.as_ref().map(by);
        out.row_embeddings = self.row_embeddings.as_ref().map(by);
        out.unembed = self.unembed.as_ref().map(|words| product(basis, words));
        out.readout = self.readout.clone().map(|readout| match readout {
            Readout::Affine { weights, bias } => Readout::Affine { weights: by(&weights), bias },
            other => other,
        });
        out.planted_features = self
            .planted_features
            .as_ref()
            .map(|truth| PlantedFeatures { directions: by(&truth.directions), magnitudes: truth.magnitudes.clone() });
        out.comparison_models =
            self.transform_comparisons(&out.rows, |weights| transforms::rotate_inputs(weights, basis))?;
        Ok(out)
    }

    /// What is beside, changed, at other rows.
    fn transform_comparisons(
        &self,
        rows: &Matrix,
        changed: impl Fn(&Weights) -> Weights,
    ) -> Result<Option<ComparisonModels>, ModelError> {
        let of = |beside: &ComparisonModels| {
            ComparisonModels::encode(changed(&beside.relu.weights), changed(&beside.small.weights), rows)
        };
        self.comparison_models.as_ref().map(of).transpose()
    }

    /// What is reconstructed: N × D, or a transcoder's targets.
    #[must_use]
    pub fn reconstruction_target(&self) -> &Matrix {
        self.targets.as_ref().unwrap_or(&self.rows)
    }

    /// A dictionary for rows as the world has them, of what reads these.
    pub(super) fn dictionary_for_world(&self, weights: &Weights) -> Result<Arc<Dictionary>, ModelError> {
        let undone = transforms::undo_transform(&weights.in_input_space(), self.scale, self.basis.as_ref());
        Dictionary::from_weights(&undone).map(Arc::new)
    }

    /// Of each concept of the planted language, which rows express it; nothing without texts.
    #[must_use]
    pub fn concept_labels(&self) -> Vec<Vec<bool>> {
        if self.texts.is_empty() {
            return Vec::new();
        }
        let expressed = |text: &Vec<Token>| (text.len(), self.grammar.expressed_concepts(text));
        let found: Vec<_> = self.texts.iter().map(expressed).collect();
        let rows = |concept: Concept| {
            let texts = found.iter();
            texts.flat_map(|(length, text)| (1..*length).map(|at| text.is_expressed(at, concept))).collect()
        };
        Concept::ALL.map(rows).to_vec()
    }

    /// How much of what there is in the circuit's subspace rows have kept: 1 − error/variance, both within it. Below 0
    /// where they are farther off than their mean.
    pub(super) fn subspace_variance_kept(&self, reconstruction: &Matrix) -> Option<Result<f64, MetricError>> {
        let circuit = self.circuit_directions.as_ref()?.transposed();
        let (own, kept) = (product(&self.rows, &circuit), product(reconstruction, &circuit));
        Some(fidelity::r2(&own, &kept))
    }

    /// Mean of the rows.
    #[must_use]
    pub fn mean_row(&self) -> Vec<f64> {
        column_means(&self.rows)
    }
}

/// As the rows are: of the same mean and covariance, and normal. N × D.
pub(super) fn gaussian_surrogate(rows: &Matrix, rng: &mut NumpyRng) -> Result<Matrix, MetricError> {
    let mean = column_means(rows);
    let centred = subtract_mean(rows, &mean);
    let mut covariance = product(&centred.transposed(), &centred);
    covariance.data_mut().iter_mut().for_each(|value| *value /= rows.rows() as f64);
    let found = right_singular_vectors(&covariance, f64::EPSILON, 100 * mean.len()).ok_or(MetricError::Undetermined)?;
    let mut drawn = Matrix::standard_normal(rng, rows.rows(), found.values.len());
    for at in 0..drawn.rows() {
        let row = drawn.row_mut(at).iter_mut();
        row.zip(&found.values).for_each(|(value, variance)| *value *= f64::sqrt(*variance));
    }
    let mut out = product(&drawn, &found.vectors);
    for at in 0..out.rows() {
        out.row_mut(at).iter_mut().zip(&mean).for_each(|(value, mean)| *value += mean);
    }
    Ok(out)
}

/// The rows within a range, counted from its start, in which each latent of codes (N × F) is active.
pub(super) fn active_rows(codes: &Matrix, rows: std::ops::Range<usize>) -> Vec<Vec<u32>> {
    let mut active = vec![Vec::new(); codes.cols()];
    for (at, row) in (0_u32..).zip(codes.iter_rows().take(rows.end).skip(rows.start)) {
        let latents = active.iter_mut().zip(row).filter(|(_, code)| is_active(**code));
        latents.for_each(|(rows, _)| rows.push(at));
    }
    active
}

/// F1 of being active in some rows where a feature is present, which is so in `all` of them; 0 of neither.
pub(super) fn f1_score(active: &[u32], present: &[bool], all: usize) -> f64 {
    let right = active.iter().filter(|at| present.get(**at as usize) == Some(&true)).count();
    2.0 * right as f64 / (active.len() + all).max(1) as f64
}

/// The cosine of two rows without regard to sign; 0 where one has no length.
pub(super) fn abs_cosine(a: &[f64], b: &[f64]) -> f64 {
    let lengths = f64::sqrt(kernel::dot(a, a)) * f64::sqrt(kernel::dot(b, b));
    if lengths > 0.0 { kernel::dot(a, b).abs() / lengths } else { 0.0 }
}
