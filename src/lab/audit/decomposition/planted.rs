//! What is known of an autoencoder by name: each truth reads weights, codes and what was planted, and calls no metric
//! that is registered. What is chosen is chosen on the first half of the rows and measured on the second.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use super::ground_truth::{GroundTruth, abs_cosine, active_rows, f1_score};
use super::truth::reconstruct_rows;
use crate::lab::audit::truths::{ABLATION, ACTIVATIONS, DIRECTIONS, PROBING, STEERING, SUBSPACE};
use crate::linalg::subtract_mean;
use crate::model::{Batch, Hook, HookedActivation, Hooks, Model, Site};
use crate::order::argsort_descending;
use crate::papers::measurement::MeasurementError;
use crate::sae::Weights;
use crate::sae::activity::is_active;
use crate::statistics::{ColumnMoments, mean, roc_auc};
use crate::synthetic::{PlantedFeatures, Readout};
use crate::{Matrix, kernel, toy_model};

/// Latents that a feature is predicted from.
const PROBE_LATENTS: usize = 4;
/// Ridge of that prediction, in mean variances.
const PROBE_RIDGE: f64 = 1e-3;
/// The fewest positions with a concept, and without it, whose mean output means anything.
const POSITIONS_MIN: usize = 5;

type TruthValues = BTreeMap<String, f64>;

/// All truths of an autoencoder (codes N × F at the rows of a ground) that are known there; of a language's, `texts` held-out
/// texts are passed through the model again for each concept.
///
/// # Errors
/// Where the toy model of the ground is not here.
pub(super) fn planted_truths(
    ground: &GroundTruth,
    weights: &Weights,
    codes: &Matrix,
    texts: usize,
) -> Result<TruthValues, MeasurementError> {
    let mut known = TruthValues::new();
    let mut add = |name: &str, value: Option<f64>| {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            known.insert(name.to_owned(), value);
        }
    };
    if ground.circuit_directions.is_some() {
        add(SUBSPACE, ground.subspace_variance_kept(&reconstruct_rows(ground, weights, codes)).transpose()?);
    }
    let features = FeatureLabels::from_ground_truth(ground);
    if features.present.is_empty() {
        return Ok(known);
    }
    let latents = features.best_latents(codes);
    add(ACTIVATIONS, features.mean_f1(codes, &latents));
    add(PROBING, features.mean_probe_auc(codes));
    if let Some(truth) = &ground.planted_features {
        add(DIRECTIONS, mean_max_cosine(truth, weights));
        let readout = ground.readout.as_ref().unwrap_or(&Readout::Identity);
        add(STEERING, planted_steering_score(readout, truth, weights, &features, &latents)?);
        add(ABLATION, planted_ablation_score(truth, weights, codes, &features, &latents));
    } else if let Some((checkpoint, layer)) = ground.checkpoint_layer {
        let model = toy_model::load_model(checkpoint)?;
        let texts = HeldOutTexts::from_clean_run(ground, &model, layer, texts, features.half)?;
        let [steered, ablated] = texts.intervention_scores(ground, weights, codes, &features, &latents)?;
        add(STEERING, steered);
        add(ABLATION, ablated);
    }
    Ok(known)
}

/// Which planted features are present in which rows: directions, or concepts.
struct FeatureLabels {
    /// One a feature, of all rows; a feature that one half lacks is none.
    present: Vec<Option<Vec<bool>>>,
    /// Rows before it are chosen on, the others measured on.
    half: usize,
}

impl FeatureLabels {
    fn from_ground_truth(ground: &GroundTruth) -> Self {
        let present: Vec<Vec<bool>> = match &ground.planted_features {
            Some(truth) => {
                let column =
                    |at: usize| truth.magnitudes.iter_rows().map(|row| row.get(at).is_some_and(|x| *x > 0.0)).collect();
                (0..truth.magnitudes.cols()).map(column).collect()
            }
            None => ground.concept_labels(),
        };
        let each = ground.rows_per_context.max(1);
        let half = ground.rows.rows() / each / 2 * each;
        let both = |rows: Vec<bool>| {
            let varies = |rows: &[bool]| rows.contains(&true) && rows.contains(&false);
            let (first, second) = rows.split_at_checked(half)?;
            (varies(first) && varies(second)).then_some(rows)
        };
        Self { present: present.into_iter().map(both).collect(), half }
    }

    /// Features with their place among all.
    fn iter(&self) -> impl Iterator<Item = (usize, &[bool])> {
        let known = self.present.iter().enumerate();
        known.filter_map(|(at, rows)| Some((at, rows.as_deref()?)))
    }

    /// Of each feature the latent of the best F1 on the first half; of equal ones the first. None where no latent is
    /// ever active together with it.
    fn best_latents(&self, codes: &Matrix) -> Vec<Option<usize>> {
        let active = active_rows(codes, 0..self.half);
        let best = |rows: &Option<Vec<bool>>| {
            let rows = rows.as_deref()?.get(..self.half)?;
            let all = rows.iter().filter(|present| **present).count();
            let mut found: Option<(usize, f64)> = None;
            for (latent, active) in active.iter().enumerate() {
                let f1 = f1_score(active, rows, all);
                if f1 > found.map_or(0.0, |(_, most)| most) {
                    found = Some((latent, f1));
                }
            }
            found.map(|(latent, _)| latent)
        };
        self.present.iter().map(best).collect()
    }

    /// The mean of F1 of chosen latents on the second half.
    fn mean_f1(&self, codes: &Matrix, latents: &[Option<usize>]) -> Option<f64> {
        let active = active_rows(codes, self.half..codes.rows());
        let each = self.iter().filter_map(|(at, rows)| {
            let rows = rows.get(self.half..)?;
            let all = rows.iter().filter(|present| **present).count();
            let active = latents.get(at).copied().flatten().and_then(|latent| active.get(latent));
            Some(active.map_or(0.0, |active| f1_score(active, rows, all)))
        });
        mean(&each.collect::<Vec<_>>()).ok()
    }

    /// The mean area under the curve of a prediction by few latents.
    fn mean_probe_auc(&self, codes: &Matrix) -> Option<f64> {
        let mut moments = ColumnMoments::new(codes.cols());
        moments.add_rows(codes.data().get(..self.half * codes.cols()).unwrap_or_default());
        let moments = [moments.mean(), moments.variances()];
        let each = self.iter().filter_map(|(_, rows)| self.probe_auc(codes, rows, &moments));
        mean(&each.collect::<Vec<_>>()).ok()
    }

    /// `moments` are means and variances of the latents on the first half.
    fn probe_auc(&self, codes: &Matrix, rows: &[bool], moments: &[Vec<f64>; 2]) -> Option<f64> {
        let of = |latent: usize| moments.each_ref().map(|all| all.get(latent).copied().unwrap_or_default());
        let (first, second) = rows.split_at_checked(self.half)?;
        let count = first.iter().filter(|present| **present).count() as f64;
        let mut with = vec![0.0; codes.cols()];
        for (row, _) in codes.iter_rows().zip(first).filter(|(_, present)| **present) {
            with.iter_mut().zip(row).for_each(|(sum, code)| *sum += code);
        }
        let n = self.half as f64;
        let apart = with.iter().enumerate().map(|(latent, sum)| {
            let [total, variance] = of(latent);
            let without = (total * n - sum) / (n - count);
            if variance > 0.0 { (sum / count - without).abs() / f64::sqrt(variance) } else { 0.0 }
        });
        let chosen: Vec<usize> = argsort_descending(apart).into_iter().take(PROBE_LATENTS).collect();
        let row_of = |at: usize| -> Vec<f64> {
            let row = codes.row(at);
            chosen.iter().map(|latent| row.get(*latent).copied().unwrap_or_default() - of(*latent)[0]).collect()
        };
        let size = chosen.len();
        let centred: Vec<f64> = (0..first.len()).flat_map(row_of).collect();
        let centred = DMatrix::from_row_slice(first.len(), size, &centred);
        let wanted = first.iter().map(|present| f64::from(u8::from(*present)) - count / n);
        let wanted = DVector::from_iterator(first.len(), wanted);
        let variances: f64 = chosen.iter().map(|latent| of(*latent)[1]).sum();
        let ridge = n * PROBE_RIDGE * variances / size.max(1) as f64;
        let weights = if ridge > 0.0 {
            let squares = centred.tr_mul(&centred) + DMatrix::from_diagonal_element(size, size, ridge);
            squares.cholesky()?.solve(&centred.tr_mul(&wanted)).as_slice().to_vec()
        } else {
            vec![0.0; size]
        };
        let score = |at: usize| kernel::dot(&row_of(at), &weights);
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for (at, present) in second.iter().enumerate() {
            if *present { &mut yes } else { &mut no }.push(score(self.half + at));
        }
        roc_auc(&yes, &no).ok()
    }
}

/// Mean over planted directions of the largest |cosine| of a latent's.
fn mean_max_cosine(truth: &PlantedFeatures, weights: &Weights) -> Option<f64> {
    let best = |planted: &[f64]| weights.decoder.iter_rows().map(|row| abs_cosine(planted, row)).fold(0.0, f64::max);
    mean(&truth.directions.iter_rows().map(best).collect::<Vec<_>>()).ok()
}

fn unit_vector(row: &[f64]) -> Option<Vec<f64>> {
    let length = f64::sqrt(kernel::dot(row, row));
    (length > 0.0).then(|| row.iter().map(|x| x / length).collect())
}

/// The cosine of two changes; 0 where one is none.
fn signed_cosine(a: &[f64], b: &[f64]) -> f64 {
    let lengths = f64::sqrt(kernel::dot(a, a)) * f64::sqrt(kernel::dot(b, b));
    if lengths > 0.0 { kernel::dot(a, b) / lengths } else { 0.0 }
}

/// The mean over features of the cosine, in the outputs of an affine readout, of what adding the latent's direction
/// changes and what adding the planted one does: the same for every row, and for any length of the two.
fn planted_steering_score(
    readout: &Readout,
    truth: &PlantedFeatures,
    weights: &Weights,
    features: &FeatureLabels,
    latents: &[Option<usize>],
) -> Result<Option<f64>, MeasurementError> {
    let without = readout.outputs(&Matrix::zeros(1, truth.directions.cols()))?;
    let changed = |directions: &Matrix| -> Result<Matrix, MeasurementError> {
        Ok(subtract_mean(&readout.outputs(directions)?, without.row(0)))
    };
    let (planted, own) = (changed(&truth.directions)?, changed(&weights.decoder)?);
    let each = features.iter().map(|(at, _)| {
        let latent = latents.get(at).copied().flatten();
        latent.map_or(0.0, |latent| signed_cosine(own.row(latent), planted.row(at)))
    });
    Ok(mean(&each.collect::<Vec<_>>()).ok())
}

/// The mean over features of 1 − Σ|contribution of the latent − contribution planted|² / Σ|contribution planted|² over held-out rows.
fn planted_ablation_score(
    truth: &PlantedFeatures,
    weights: &Weights,
    codes: &Matrix,
    features: &FeatureLabels,
    latents: &[Option<usize>],
) -> Option<f64> {
    let each = features.iter().map(|(at, _)| {
        let Some(latent) = latents.get(at).copied().flatten() else { return 0.0 };
        let (own, planted) = (weights.decoder.row(latent), truth.directions.row(at));
        let (squares, lengths) = (kernel::dot(own, own), kernel::dot(planted, planted));
        let both = kernel::dot(own, planted);
        let (mut off, mut all) = (0.0, 0.0);
        for (codes, magnitudes) in codes.iter_rows().zip(truth.magnitudes.iter_rows()).skip(features.half) {
            let a = codes.get(latent).copied().unwrap_or_default();
            let b = magnitudes.get(at).copied().unwrap_or_default();
            off += a * a * squares - 2.0 * a * b * both + b * b * lengths;
            all += b * b * lengths;
        }
        if all > 0.0 { (1.0 - off / all).max(-1.0) } else { 0.0 }
    });
    mean(&each.collect::<Vec<_>>()).ok()
}

/// Held-out texts of a ground, and what the model says after each of their tokens.
struct HeldOutTexts<'a> {
    model: &'a Model,
    layer: usize,
    batch: Batch,
    /// The first row of the ground that is one of theirs.
    first: usize,
    /// Positions of a text.
    positions: usize,
    /// Logits less their mean, texts × positions × words.
    before: Vec<f32>,
    /// Root mean square length of the stream.
    length: f64,
}

/// Adds a row to each position's stream but the first of a text's, which has none.
struct AddToStreamHook<'a> {
    hook: Hook,
    width: usize,
    positions: usize,
    rows: &'a dyn Fn(usize) -> Option<Vec<f64>>,
}

impl Hooks for AddToStreamHook<'_> {
    fn wants(&self, hook: Hook) -> bool {
        hook == self.hook
    }

    fn on_activation(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
        let mut row = 0;
        for (at, values) in seen.values.chunks_exact_mut(self.width.max(1)).enumerate() {
            if at % self.positions == 0 {
                continue;
            }
            if let Some(added) = (self.rows)(row) {
                values.iter_mut().zip(added).for_each(|(x, by)| *x += by as f32);
            }
            row += 1;
        }
    }
}

fn centre_logits(mut logits: Vec<f32>, words: usize) -> Vec<f32> {
    for row in logits.chunks_exact_mut(words.max(1)) {
        let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / words as f64;
        row.iter_mut().for_each(|x| *x -= mean as f32);
    }
    logits
}

impl<'a> HeldOutTexts<'a> {
    fn from_clean_run(
        ground: &GroundTruth,
        model: &'a Model,
        layer: usize,
        texts: usize,
        half: usize,
    ) -> Result<Self, MeasurementError> {
        let skipped = half / ground.rows_per_context.max(1);
        let held: Vec<_> = ground.texts.iter().skip(skipped).take(texts).cloned().collect();
        let batch = Batch::new(&held)?;
        let before = centre_logits(model.logits(&batch, &mut ())?, model.config().vocabulary);
        let squares: f64 = ground.rows.data().iter().map(|x| x * x).sum();
        let length = f64::sqrt(squares / ground.rows.rows().max(1) as f64) / ground.scale;
        let positions = batch.position_count();
        Ok(Self { model, layer, batch, first: half, positions, before, length })
    }

    /// The mean over some rows of logits; none of too few.
    fn mean_logits(&self, logits: &[f32], counted: &dyn Fn(usize) -> bool) -> Option<Vec<f64>> {
        let words = self.model.config().vocabulary;
        let (mut sums, mut count) = (vec![0.0; words], 0_usize);
        let rows = logits.chunks_exact(words).enumerate();
        let rows = rows.filter(|(at, _)| at % self.positions != 0).map(|(_, row)| row);
        for (_, row) in rows.enumerate().filter(|(row, _)| counted(*row)) {
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x));
            count += 1;
        }
        (count >= POSITIONS_MIN).then(|| sums.into_iter().map(|sum| sum / count as f64).collect())
    }

    /// Logits after something was added to the stream.
    fn logits_after_adding(&self, rows: &dyn Fn(usize) -> Option<Vec<f64>>) -> Result<Vec<f32>, MeasurementError> {
        let config = self.model.config();
        let hook = Hook::Block(self.layer, Site::ResidPost);
        let mut added = AddToStreamHook { hook, width: config.d_model, positions: self.positions, rows };
        Ok(centre_logits(self.model.logits(&self.batch, &mut added)?, config.vocabulary))
    }

    /// Steering and ablation, the mean over concepts that enough of the texts' positions express and lack.
    fn intervention_scores(
        &self,
        ground: &GroundTruth,
        weights: &Weights,
        codes: &Matrix,
        features: &FeatureLabels,
        latents: &[Option<usize>],
    ) -> Result<[Option<f64>; 2], MeasurementError> {
        let (mut steered, mut ablated) = (Vec::new(), Vec::new());
        let minus = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        for (at, present) in features.iter() {
            let with = |row: usize| present.get(self.first + row) == Some(&true);
            let without = |row: usize| present.get(self.first + row) == Some(&false);
            let means = self.mean_logits(&self.before, &with).zip(self.mean_logits(&self.before, &without));
            let Some((own, others)) = means else { continue };
            // What the concept's presence makes of the model's own output.
            let planted = minus(&own, &others);
            let Some(latent) = latents.get(at).copied().flatten() else {
                steered.push(0.0);
                ablated.push(0.0);
                continue;
            };
            let direction = weights.decoder.row(latent);
            let by = unit_vector(direction)
                .map(|direction| direction.into_iter().map(|x| x * self.length).collect::<Vec<f64>>());
            let after = self.logits_after_adding(&|_| by.clone())?;
            let changed = self.mean_logits(&after, &without).map(|after| minus(&after, &others));
            steered.push(changed.map_or(0.0, |changed| signed_cosine(&changed, &planted)));
            let gone = |row: usize| {
                let code = codes.row(self.first + row).get(latent).copied()?;
                let by = -code / ground.scale;
                is_active(code).then(|| direction.iter().map(|x| by * x).collect())
            };
            let after = self.logits_after_adding(&gone)?;
            let here = self.mean_logits(&after, &with).map(|after| minus(&after, &own));
            let there = self.mean_logits(&after, &without).map(|after| minus(&after, &others));
            let all = kernel::dot(&planted, &planted);
            ablated.push(match here.zip(there) {
                Some((here, there)) if all > 0.0 => {
                    let left: Vec<f64> = here.iter().zip(&planted).map(|(a, b)| a + b).collect();
                    let off = kernel::dot(&left, &left) + kernel::dot(&there, &there);
                    (1.0 - off / all).max(-1.0)
                }
                _ => 0.0,
            });
        }
        Ok([mean(&steered).ok(), mean(&ablated).ok()])
    }
}
