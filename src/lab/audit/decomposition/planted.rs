//! What is known of an autoencoder by name: each truth reads weights, codes and what was planted, and calls no metric
//! that is registered. What is chosen is chosen on the first half of the rows and measured on the second.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};

use super::ground::{Ground, actives, cosine, f1};
use super::truth::rebuilt;
use crate::lab::audit::truths::{ABLATION, ACTIVATIONS, DIRECTIONS, PROBING, STEERING, SUBSPACE};
use crate::linalg::deviations;
use crate::model::{Batch, Hook, HookedActivation, Hooks, Model, Site};
use crate::order::falling;
use crate::papers::measurement::MeasurementError;
use crate::sae::Weights;
use crate::sae::active::is_active;
use crate::statistics::{ColumnMoments, mean, roc_auc};
use crate::synthetic::{Readout, Truth};
use crate::{Matrix, kernel, toy_model};

/// Latents that a feature is predicted from.
const PROBES: usize = 4;
/// Ridge of that prediction, in mean variances.
const RIDGE: f64 = 1e-3;
/// The fewest positions with a concept, and without it, whose mean output means anything.
const POSITIONS: usize = 5;

type Known = BTreeMap<String, f64>;

/// All truths of an autoencoder (codes N × F at the rows of a ground) that are known there; of a language's, `texts` held-out
/// texts are passed through the model again for each concept.
///
/// # Errors
/// Where the toy model of the ground is not here.
pub(super) fn all(
    ground: &Ground,
    weights: &Weights,
    codes: &Matrix,
    texts: usize,
) -> Result<Known, MeasurementError> {
    let mut known = Known::new();
    let mut add = |name: &str, value: Option<f64>| {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            known.insert(name.to_owned(), value);
        }
    };
    if ground.circuit.is_some() {
        add(SUBSPACE, ground.kept(&rebuilt(ground, weights, codes)).transpose()?);
    }
    let features = Features::of(ground);
    if features.present.is_empty() {
        return Ok(known);
    }
    let latents = features.latents(codes);
    add(ACTIVATIONS, features.activations(codes, &latents));
    add(PROBING, features.probing(codes));
    if let Some(truth) = &ground.truth {
        add(DIRECTIONS, directions(truth, weights));
        let readout = ground.readout.as_ref().unwrap_or(&Readout::Identity);
        add(STEERING, planted_steering(readout, truth, weights, &features, &latents)?);
        add(ABLATION, planted_ablation(truth, weights, codes, &features, &latents));
    } else if let Some((checkpoint, layer)) = ground.language {
        let model = toy_model::model(checkpoint)?;
        let texts = HeldOutTexts::of(ground, &model, layer, texts, features.half)?;
        let [steered, ablated] =
            texts.interventions(ground, weights, codes, &features, &latents)?;
        add(STEERING, steered);
        add(ABLATION, ablated);
    }
    Ok(known)
}

/// Which planted features are present in which rows: directions, or concepts.
struct Features {
    /// One a feature, of all rows; a feature that one half lacks is none.
    present: Vec<Option<Vec<bool>>>,
    /// Rows before it are chosen on, the others measured on.
    half: usize,
}

impl Features {
    fn of(ground: &Ground) -> Self {
        let present: Vec<Vec<bool>> = match &ground.truth {
            Some(truth) => {
                let column = |at: usize| {
                    truth
                        .magnitudes
                        .iter_rows()
                        .map(|row| row.get(at).is_some_and(|x| *x > 0.0))
                        .collect()
                };
                (0..truth.magnitudes.cols()).map(column).collect()
            }
            None => ground.expressed(),
        };
        let each = ground.per_context.max(1);
        let half = ground.rows.rows() / each / 2 * each;
        let both = |rows: Vec<bool>| {
            let varies = |rows: &[bool]| rows.contains(&true) && rows.contains(&false);
            let (first, second) = rows.split_at_checked(half)?;
            (varies(first) && varies(second)).then_some(rows)
        };
        Self { present: present.into_iter().map(both).collect(), half }
    }

    /// Features with their place among all.
    fn each(&self) -> impl Iterator<Item = (usize, &[bool])> {
        let known = self.present.iter().enumerate();
        known.filter_map(|(at, rows)| Some((at, rows.as_deref()?)))
    }

    /// Of each feature the latent of the best F1 on the first half; of equal ones the first. None where no latent is
    /// ever active together with it.
    fn latents(&self, codes: &Matrix) -> Vec<Option<usize>> {
        let active = actives(codes, 0..self.half);
        let best = |rows: &Option<Vec<bool>>| {
            let rows = rows.as_deref()?.get(..self.half)?;
            let all = rows.iter().filter(|present| **present).count();
            let mut found: Option<(usize, f64)> = None;
            for (latent, active) in active.iter().enumerate() {
                let f1 = f1(active, rows, all);
                if f1 > found.map_or(0.0, |(_, most)| most) {
                    found = Some((latent, f1));
                }
            }
            found.map(|(latent, _)| latent)
        };
        self.present.iter().map(best).collect()
    }

    /// The mean of F1 of chosen latents on the second half.
    fn activations(&self, codes: &Matrix, latents: &[Option<usize>]) -> Option<f64> {
        let active = actives(codes, self.half..codes.rows());
        let each = self.each().filter_map(|(at, rows)| {
            let rows = rows.get(self.half..)?;
            let all = rows.iter().filter(|present| **present).count();
            let active = latents.get(at).copied().flatten().and_then(|latent| active.get(latent));
            Some(active.map_or(0.0, |active| f1(active, rows, all)))
        });
        mean(&each.collect::<Vec<_>>()).ok()
    }

    /// The mean area under the curve of a prediction by few latents.
    fn probing(&self, codes: &Matrix) -> Option<f64> {
        let mut moments = ColumnMoments::new(codes.cols());
        moments.add(codes.data().get(..self.half * codes.cols()).unwrap_or_default());
        let moments = [moments.mean(), moments.variances()];
        let each = self.each().filter_map(|(_, rows)| self.probed(codes, rows, &moments));
        mean(&each.collect::<Vec<_>>()).ok()
    }

    /// `moments` are means and variances of the latents on the first half.
    fn probed(&self, codes: &Matrix, rows: &[bool], moments: &[Vec<f64>; 2]) -> Option<f64> {
        let of = |latent: usize| {
            moments.each_ref().map(|all| all.get(latent).copied().unwrap_or_default())
        };
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
        let chosen: Vec<usize> = falling(apart).into_iter().take(PROBES).collect();
        let row_of = |at: usize| -> Vec<f64> {
            let row = codes.row(at);
            chosen
                .iter()
                .map(|latent| row.get(*latent).copied().unwrap_or_default() - of(*latent)[0])
                .collect()
        };
        let size = chosen.len();
        let centred: Vec<f64> = (0..first.len()).flat_map(row_of).collect();
        let centred = DMatrix::from_row_slice(first.len(), size, &centred);
        let wanted = first.iter().map(|present| f64::from(u8::from(*present)) - count / n);
        let wanted = DVector::from_iterator(first.len(), wanted);
        let variances: f64 = chosen.iter().map(|latent| of(*latent)[1]).sum();
        let ridge = n * RIDGE * variances / size.max(1) as f64;
        let weights = if ridge > 0.0 {
            let squares =
                centred.tr_mul(&centred) + DMatrix::from_diagonal_element(size, size, ridge);
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
fn directions(truth: &Truth, weights: &Weights) -> Option<f64> {
    let best = |planted: &[f64]| {
        weights.decoder.iter_rows().map(|row| cosine(planted, row)).fold(0.0, f64::max)
    };
    mean(&truth.directions.iter_rows().map(best).collect::<Vec<_>>()).ok()
}

fn unit(row: &[f64]) -> Option<Vec<f64>> {
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
fn planted_steering(
    readout: &Readout,
    truth: &Truth,
    weights: &Weights,
    features: &Features,
    latents: &[Option<usize>],
) -> Result<Option<f64>, MeasurementError> {
    let without = readout.outputs(&Matrix::zeros(1, truth.directions.cols()))?;
    let changed = |directions: &Matrix| -> Result<Matrix, MeasurementError> {
        Ok(deviations(&readout.outputs(directions)?, without.row(0)))
    };
    let (planted, own) = (changed(&truth.directions)?, changed(&weights.decoder)?);
    let each = features.each().map(|(at, _)| {
        let latent = latents.get(at).copied().flatten();
        latent.map_or(0.0, |latent| signed_cosine(own.row(latent), planted.row(at)))
    });
    Ok(mean(&each.collect::<Vec<_>>()).ok())
}

/// The mean over features of 1 − Σ|contribution of the latent − contribution planted|² / Σ|contribution planted|² over held-out rows.
fn planted_ablation(
    truth: &Truth,
    weights: &Weights,
    codes: &Matrix,
    features: &Features,
    latents: &[Option<usize>],
) -> Option<f64> {
    let each = features.each().map(|(at, _)| {
        let Some(latent) = latents.get(at).copied().flatten() else { return 0.0 };
        let (own, planted) = (weights.decoder.row(latent), truth.directions.row(at));
        let (squares, lengths) = (kernel::dot(own, own), kernel::dot(planted, planted));
        let both = kernel::dot(own, planted);
        let (mut off, mut all) = (0.0, 0.0);
        for (codes, magnitudes) in
            codes.iter_rows().zip(truth.magnitudes.iter_rows()).skip(features.half)
        {
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
struct Added<'a> {
    hook: Hook,
    width: usize,
    positions: usize,
    rows: &'a dyn Fn(usize) -> Option<Vec<f64>>,
}

impl Hooks for Added<'_> {
    fn wants(&self, hook: Hook) -> bool {
        hook == self.hook
    }

    fn at(&mut self, _: Hook, seen: &mut HookedActivation<'_>) {
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

fn centred(mut logits: Vec<f32>, words: usize) -> Vec<f32> {
    for row in logits.chunks_exact_mut(words.max(1)) {
        let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / words as f64;
        row.iter_mut().for_each(|x| *x -= mean as f32);
    }
    logits
}

impl<'a> HeldOutTexts<'a> {
    fn of(
        ground: &Ground,
        model: &'a Model,
        layer: usize,
        texts: usize,
        half: usize,
    ) -> Result<Self, MeasurementError> {
        let skipped = half / ground.per_context.max(1);
        let held: Vec<_> = ground.texts.iter().skip(skipped).take(texts).cloned().collect();
        let batch = Batch::new(&held)?;
        let before = centred(model.logits(&batch, &mut ())?, model.config().vocabulary);
        let squares: f64 = ground.rows.data().iter().map(|x| x * x).sum();
        let length = f64::sqrt(squares / ground.rows.rows().max(1) as f64) / ground.scale;
        let positions = batch.positions();
        Ok(Self { model, layer, batch, first: half, positions, before, length })
    }

    /// The mean over some rows of logits; none of too few.
    fn mean_of(&self, logits: &[f32], counted: &dyn Fn(usize) -> bool) -> Option<Vec<f64>> {
        let words = self.model.config().vocabulary;
        let (mut sums, mut count) = (vec![0.0; words], 0_usize);
        let rows = logits.chunks_exact(words).enumerate();
        let rows = rows.filter(|(at, _)| at % self.positions != 0).map(|(_, row)| row);
        for (_, row) in rows.enumerate().filter(|(row, _)| counted(*row)) {
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x));
            count += 1;
        }
        (count >= POSITIONS).then(|| sums.into_iter().map(|sum| sum / count as f64).collect())
    }

    /// Logits after something was added to the stream.
    fn after(
        &self,
        rows: &dyn Fn(usize) -> Option<Vec<f64>>,
    ) -> Result<Vec<f32>, MeasurementError> {
        let config = self.model.config();
        let hook = Hook::Block(self.layer, Site::ResidPost);
        let mut added = Added { hook, width: config.d_model, positions: self.positions, rows };
        Ok(centred(self.model.logits(&self.batch, &mut added)?, config.vocabulary))
    }

    /// Steering and ablation, the mean over concepts that enough of the texts' positions express and lack.
    fn interventions(
        &self,
        ground: &Ground,
        weights: &Weights,
        codes: &Matrix,
        features: &Features,
        latents: &[Option<usize>],
    ) -> Result<[Option<f64>; 2], MeasurementError> {
        let (mut steered, mut ablated) = (Vec::new(), Vec::new());
        let minus =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        for (at, present) in features.each() {
            let with = |row: usize| present.get(self.first + row) == Some(&true);
            let without = |row: usize| present.get(self.first + row) == Some(&false);
            let means = self.mean_of(&self.before, &with).zip(self.mean_of(&self.before, &without));
            let Some((own, others)) = means else { continue };
            // What the concept's presence makes of the model's own output.
            let planted = minus(&own, &others);
            let Some(latent) = latents.get(at).copied().flatten() else {
                steered.push(0.0);
                ablated.push(0.0);
                continue;
            };
            let direction = weights.decoder.row(latent);
            let by = unit(direction).map(|direction| {
                direction.into_iter().map(|x| x * self.length).collect::<Vec<f64>>()
            });
            let after = self.after(&|_| by.clone())?;
            let changed = self.mean_of(&after, &without).map(|after| minus(&after, &others));
            steered.push(changed.map_or(0.0, |changed| signed_cosine(&changed, &planted)));
            let gone = |row: usize| {
                let code = codes.row(self.first + row).get(latent).copied()?;
                let by = -code / ground.scale;
                is_active(code).then(|| direction.iter().map(|x| by * x).collect())
            };
            let after = self.after(&gone)?;
            let here = self.mean_of(&after, &with).map(|after| minus(&after, &own));
            let there = self.mean_of(&after, &without).map(|after| minus(&after, &others));
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
