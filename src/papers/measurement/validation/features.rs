//! Planted features: more directions than dimensions, and autoencoders that are trained on them here.

use super::{DecompositionMetrics, MeasurementRecord, RecordCollector, Subject, Testbed};
use crate::linalg::product;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::adaptive_sparsity::{MISMATCH_THRESHOLD, adaptive_sparsity, complexity_and_k};
use crate::papers::measurement::metric::architecture_duality::{self, ComparedAutoencoder, architecture_duality};
use crate::papers::measurement::metric::core_stability::{CycleSettings, core_training};
use crate::papers::measurement::metric::matryoshka::{COSINE_THRESHOLD, TOP_K, matryoshka};
use crate::papers::measurement::metric::nla_sae::nla_sae;
use crate::papers::measurement::metric::polysemanticity::{self, polysemanticity};
use crate::papers::measurement::metric::safety_sve::safety_sve;
use crate::papers::measurement::metric::superposition::superposition;
use crate::papers::measurement::metric::weight_lens::weight_lens;
use crate::papers::measurement::metric::{Activations, Reading, nla_sae as convergence};
use crate::sae::train::{Autoencoder, Family, TrainConfig, Trainer};
use crate::statistics::MetricError;
use crate::synthetic::{Superposition, World};
use crate::{Matrix, NumpyRng};

/// Rows that are drawn.
pub(crate) const ROW_COUNT: usize = 2_000;
/// Latents, as many as there are planted features; of the small dictionary half.
pub(crate) const LATENT_COUNT: usize = 32;
/// Latents of a row.
pub(crate) const K_ACTIVE: usize = 2;
/// Steps of a training; a half-trained one has a tenth.
const TRAINING_STEPS: u32 = 400;
/// Words that each planted feature is spoken of by.
pub(crate) const WORDS_PER_FEATURE: usize = 4;
/// How far the unembedding is off the planted directions, as a share of their length.
const UNEMBED_NOISE: f64 = 0.1;
/// Layers of the planted difference of two sets of prompts.
const LAYER_COUNT: usize = 12;

/// An autoencoder, or what stands for one, at the rows.
struct EncodedAutoencoder {
    codes: Matrix,
    decoder: Matrix,
    encoder: Option<Matrix>,
}

impl EncodedAutoencoder {
    fn from_autoencoder(autoencoder: &Autoencoder, rows: &Matrix) -> Result<Self, MetricError> {
        let parameters = autoencoder.parameters();
        let encoder = parameters.encoder().iter().copied().map(f64::from).collect();
        Ok(Self {
            codes: autoencoder.encode(rows)?,
            decoder: autoencoder.decoder(),
            encoder: Some(Matrix::from_vec(parameters.latent_count(), parameters.input_width(), encoder)?),
        })
    }

    fn as_compared_autoencoder(&self) -> ComparedAutoencoder<'_> {
        ComparedAutoencoder {
            activations: Activations::Dense(&self.codes),
            decoder: &self.decoder,
            encoder: self.encoder.as_ref(),
        }
    }
}

/// The planted features of a seed, and the rows of another.
pub(crate) fn planted_superposition(seed: u32, data: u32) -> Superposition {
    Superposition {
        features: LATENT_COUNT,
        // One to two features a row: contexts are those of one feature, if an autoencoder finds it.
        p_max: 0.12,
        p_min: 0.02,
        seed: 42 + seed,
        data_seed: 1 + data,
        ..Superposition::default()
    }
}

/// Everything of a seed.
pub(super) fn measure_features(seed: u32) -> Result<Vec<MeasurementRecord>, MeasurementError> {
    let mut lines = RecordCollector::new(Testbed::Planted);
    let world = World::Superposition(planted_superposition(seed, seed)).sample(ROW_COUNT)?;
    let rows = &world.activations;
    let Some(truth) = &world.truth else { return Ok(Vec::new()) };
    let spoken = PlantedWords::from_planted(&truth.directions, &truth.magnitudes, seed)?;

    let config = TrainConfig {
        latents: LATENT_COUNT,
        k: K_ACTIVE,
        steps: TRAINING_STEPS,
        seed,
        ..TrainConfig::for_family(Family::TopK)
    };
    let mut trainer = Trainer::new(config.clone(), rows)?;
    let untrained = EncodedAutoencoder::from_autoencoder(&trainer.autoencoder(), rows)?;
    trainer.step(TRAINING_STEPS / 10)?;
    let half = EncodedAutoencoder::from_autoencoder(&trainer.autoencoder(), rows)?;
    trainer.step(TRAINING_STEPS - TRAINING_STEPS / 10)?;
    let trained = EncodedAutoencoder::from_autoencoder(&trainer.autoencoder(), rows)?;
    let of = |config: TrainConfig| -> Result<EncodedAutoencoder, MeasurementError> {
        let mut trainer = Trainer::new(config, rows)?;
        trainer.step(TRAINING_STEPS)?;
        Ok(EncodedAutoencoder::from_autoencoder(&trainer.autoencoder(), rows)?)
    };
    let relu = of(TrainConfig {
        latents: LATENT_COUNT,
        steps: TRAINING_STEPS,
        seed: seed + 1,
        ..TrainConfig::for_family(Family::Relu)
    })?;
    let small = of(TrainConfig { latents: LATENT_COUNT / 2, ..config })?;
    let mut rng = NumpyRng::new(1_000 + seed);
    let directions = random_unit_vectors(&mut rng, LATENT_COUNT, rows.cols());
    let random = EncodedAutoencoder {
        codes: keep_top_k(&product(rows, &directions.transposed())),
        encoder: Some(directions.clone()),
        decoder: directions,
    };
    let order = rng.permutation(LATENT_COUNT as u32);
    let permuted = EncodedAutoencoder {
        codes: trained.codes.clone(),
        decoder: trained.decoder.select_rows(&order),
        encoder: trained.encoder.clone(),
    };
    let oracle =
        EncodedAutoencoder { codes: truth.magnitudes.clone(), decoder: truth.directions.clone(), encoder: None };
    let subjects = [
        (Subject::Oracle, &oracle),
        (Subject::Trained, &trained),
        (Subject::HalfTrained, &half),
        (Subject::Untrained, &untrained),
        (Subject::Random, &random),
        (Subject::Permuted, &permuted),
    ];
    for (subject, coded) in subjects {
        add_subject(&mut lines, subject, coded, rows, [&relu, &small], &spoken)?;
    }
    add_core_stability(&mut lines, rows, seed)?;
    for (subject, rows) in
        [(Subject::Trained, rows), (Subject::Random, &Matrix::standard_normal(&mut rng, ROW_COUNT, rows.cols()))]
    {
        lines.add("m13", "packing_ratio", subject, superposition(rows)?.packing_ratio);
    }
    add_safety_sve(&mut lines, &mut rng, rows.cols())?;
    Ok(lines.lines)
}

/// Words of the rows: each feature has a few, and a row's word is one of its strongest feature.
pub(crate) struct PlantedWords {
    /// Of each row.
    pub word_by_row: Vec<u32>,
    /// Width × words.
    pub unembed: Matrix,
    /// Rows × width: each row's word's direction.
    pub word_embeddings: Matrix,
}

impl PlantedWords {
    /// Of planted directions and of how strongly each is there in each row. The words' own directions follow from the
    /// seed alone.
    pub fn from_planted(directions: &Matrix, magnitudes: &Matrix, seed: u32) -> Result<Self, MetricError> {
        let mut rng = NumpyRng::new(2_000 + seed);
        let width = directions.cols();
        let off = UNEMBED_NOISE / f64::sqrt(width as f64);
        let each = directions.iter_rows().flat_map(|row| std::iter::repeat_n(row, WORDS_PER_FEATURE));
        let words: Vec<Vec<f64>> =
            each.map(|row| row.iter().map(|x| x + off * rng.standard_normal()).collect()).collect();
        let embed = Matrix::from_rows(&words)?;
        let strongest = magnitudes.iter_rows().map(|row| {
            let mut largest = (0, f64::NEG_INFINITY);
            row.iter().enumerate().filter(|(_, x)| x.is_finite()).for_each(|(at, x)| {
                if *x > largest.1 {
                    largest = (at, *x);
                }
            });
            largest.0
        });
        let strongest: Vec<usize> = strongest.collect();
        let which = |feature: usize, rng: &mut NumpyRng| {
            (feature * WORDS_PER_FEATURE + (rng.next_word() as usize) % WORDS_PER_FEATURE) as u32
        };
        let chosen: Vec<u32> = strongest.into_iter().map(|feature| which(feature, &mut rng)).collect();
        Ok(Self { word_embeddings: embed.select_rows(&chosen), unembed: embed.transposed(), word_by_row: chosen })
    }
}

fn add_subject(
    lines: &mut RecordCollector,
    subject: Subject,
    coded: &EncodedAutoencoder,
    rows: &Matrix,
    [relu, small]: [&EncodedAutoencoder; 2],
    spoken: &PlantedWords,
) -> Result<(), MeasurementError> {
    let active = Activations::Dense(&coded.codes);
    let of_small = Activations::Dense(&small.codes);
    let m10 = |reading, contexts| {
        let settings = polysemanticity::Settings { reading, ..polysemanticity::Settings::default() };
        polysemanticity(&coded.codes, contexts, &settings)
    };
    let (complexity, k) = complexity_and_k(rows, active)?;
    let found = DecompositionMetrics {
        m07: architecture_duality(
            &coded.as_compared_autoencoder(),
            &relu.as_compared_autoencoder(),
            &architecture_duality::Settings::default(),
        )?,
        m08: weight_lens(&coded.decoder, &spoken.unembed, active, &spoken.word_by_row, WORDS_PER_FEATURE)?,
        m10: [m10(Reading::Document, rows)?, m10(Reading::Code, &spoken.word_embeddings)?],
        m11: matryoshka(of_small, active, &coded.decoder, TOP_K, COSINE_THRESHOLD)?,
        m12: adaptive_sparsity(&complexity, &k, MISMATCH_THRESHOLD)?,
        ex34: nla_sae(&coded.decoder, rows, &spoken.word_by_row, &spoken.unembed, convergence::TOP_K)?,
    };
    lines.add_decomposition_metrics(subject, &found);
    Ok(())
}

/// M09, trained as the reference does, and with a single step.
fn add_core_stability(lines: &mut RecordCollector, rows: &Matrix, seed: u32) -> Result<(), MeasurementError> {
    for (subject, steps) in [(Subject::Trained, 200), (Subject::Untrained, 1)] {
        let settings = CycleSettings { features: LATENT_COUNT, steps, seed, ..CycleSettings::default() };
        lines.add_core_training(subject, &core_training(rows, &settings)?);
    }
    Ok(())
}

/// M14: two planted directions with a little noise, drawn again, and noise alone.
fn add_safety_sve(lines: &mut RecordCollector, rng: &mut NumpyRng, width: usize) -> Result<(), MeasurementError> {
    let planted = product(&Matrix::standard_normal(rng, LAYER_COUNT, 2), &random_unit_vectors(rng, 2, width));
    for (subject, noise) in [(Subject::Oracle, 0.02), (Subject::Random, 1.0)] {
        let mut drawn = || {
            let mut directions = Matrix::standard_normal(rng, LAYER_COUNT, width);
            let share = if subject == Subject::Oracle { 1.0 } else { 0.0 };
            let each = directions.data_mut().iter_mut().zip(planted.data());
            each.for_each(|(x, planted)| *x = noise * *x + share * planted);
            directions
        };
        let first = drawn();
        let draws = [drawn(), drawn(), drawn()];
        lines.add_safety_sve(subject, &safety_sve(&first, &draws)?);
    }
    Ok(())
}

/// Directions of length 1.
pub(crate) fn random_unit_vectors(rng: &mut NumpyRng, rows: usize, cols: usize) -> Matrix {
    let mut directions = Matrix::standard_normal(rng, rows, cols);
    for at in 0..rows {
        let row = directions.row_mut(at);
        let length = row.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        row.iter_mut().for_each(|x| *x /= length);
    }
    directions
}

/// The few largest of each row that are above 0, and 0 else.
fn keep_top_k(projected: &Matrix) -> Matrix {
    let mut codes = Matrix::zeros(projected.rows(), projected.cols());
    for (at, row) in projected.iter_rows().enumerate() {
        let order = crate::order::argsort_descending(row.iter().copied());
        let out = codes.row_mut(at);
        for feature in order.into_iter().take(K_ACTIVE) {
            if let (Some(out), Some(value)) = (out.get_mut(feature), row.get(feature)) {
                *out = value.max(0.0);
            }
        }
    }
    codes
}
