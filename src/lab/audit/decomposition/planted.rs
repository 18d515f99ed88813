//! What is known of an autoencoder by name: each truth reads weights, codes and what was planted, and calls no metric
//! that is registered. What is chosen is chosen on the first half of the rows and measured on the second.

use std::collections::BTreeMap;

use super::ground::{Ground, cosine};
use super::truth::rebuilt;
use crate::lab::audit::truths::{ABLATION, ACTIVATIONS, DIRECTIONS, PROBING, STEERING, SUBSPACE};
use crate::model::{Batch, Hook, HookedActivation, Hooks, Model, Site};
use crate::order::falling;
use crate::papers::measurement::validation::OverviewError;
use crate::sae::Weights;
use crate::sae::active::is_active;
use crate::statistics::{mean, roc_auc};
use crate::synthetic::{Readout, Truth};
use crate::{Matrix, kernel, toy_model};

/// Latents that a feature is predicted from.
const PROBES: usize = 4;
/// Ridge of that prediction, in mean variances.
const RIDGE: f64 = 1e-3;
/// Held-out rows whose outputs are steered in planted worlds.
const STEERED: usize = 64;
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
) -> Result<Known, OverviewError> {
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
        let steered = planted_steering(ground, readout, truth, weights, &features, &latents);
        add(STEERING, steered?);
        add(ABLATION, planted_ablation(truth, weights, codes, &features, &latents));
    } else if let Some((checkpoint, layer)) = ground.language {
        let model = toy_model::model(checkpoint)?;
        let spoken = Spoken::of(ground, &model, layer, texts, features.half)?;
        let [steered, ablated] =
            spoken.interventions(ground, weights, codes, &features, &latents)?;
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
        let moments = Moments::of(codes, self.half);
        let each = self.each().filter_map(|(_, rows)| self.probed(codes, rows, &moments));
        mean(&each.collect::<Vec<_>>()).ok()
    }

    fn probed(&self, codes: &Matrix, rows: &[bool], moments: &Moments) -> Option<f64> {
        let (first, second) = rows.split_at_checked(self.half)?;
        let count = first.iter().filter(|present| **present).count() as f64;
        let mut with = vec![0.0; codes.cols()];
        for (row, _) in codes.iter_rows().zip(first).filter(|(_, present)| **present) {
            with.iter_mut().zip(row).for_each(|(sum, code)| *sum += code);
        }
        let n = self.half as f64;
        let apart = with.iter().enumerate().map(|(latent, sum)| {
            let (total, variance) = moments.at(latent);
            let without = (total * n - sum) / (n - count);
            if variance > 0.0 { (sum / count - without).abs() / f64::sqrt(variance) } else { 0.0 }
        });
        let chosen: Vec<usize> = falling(apart).into_iter().take(PROBES).collect();
        let row_of = |at: usize| -> Vec<f64> {
            let row = codes.row(at);
            chosen
                .iter()
                .map(|latent| row.get(*latent).copied().unwrap_or_default() - moments.at(*latent).0)
                .collect()
        };
        let size = chosen.len();
        let (mut squares, mut products) = (vec![vec![0.0; size]; size], vec![0.0; size]);
        for (at, present) in first.iter().enumerate() {
            let row = row_of(at);
            let wanted = f64::from(u8::from(*present)) - count / n;
            for ((one, squares), product) in row.iter().zip(&mut squares).zip(&mut products) {
                squares.iter_mut().zip(&row).for_each(|(sum, other)| *sum += one * other / n);
                *product += one * wanted / n;
            }
        }
        let variances: f64 = chosen.iter().map(|latent| moments.at(*latent).1).sum();
        let ridge = RIDGE * variances / size.max(1) as f64;
        for (at, squares) in squares.iter_mut().enumerate() {
            if let Some(own) = squares.get_mut(at) {
                *own += ridge;
            }
        }
        let weights = if ridge > 0.0 { solved(squares, products)? } else { vec![0.0; size] };
        let score = |at: usize| kernel::dot(&row_of(at), &weights);
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for (at, present) in second.iter().enumerate() {
            if *present { &mut yes } else { &mut no }.push(score(self.half + at));
        }
        roc_auc(&yes, &no).ok()
    }
}

/// Means and variances of latents over the first rows.
struct Moments {
    means: Vec<f64>,
    variances: Vec<f64>,
}

impl Moments {
    fn of(codes: &Matrix, rows: usize) -> Self {
        let n = rows.max(1) as f64;
        let mut means = vec![0.0; codes.cols()];
        for row in codes.iter_rows().take(rows) {
            means.iter_mut().zip(row).for_each(|(sum, code)| *sum += code / n);
        }
        let mut variances = vec![0.0; codes.cols()];
        for row in codes.iter_rows().take(rows) {
            for ((sum, code), mean) in variances.iter_mut().zip(row).zip(&means) {
                *sum += (code - mean) * (code - mean) / n;
            }
        }
        Self { means, variances }
    }

    fn at(&self, latent: usize) -> (f64, f64) {
        let of = |values: &[f64]| values.get(latent).copied().unwrap_or_default();
        (of(&self.means), of(&self.variances))
    }
}

/// The rows within a range, counted from its start, in which each latent is active.
fn actives(codes: &Matrix, rows: std::ops::Range<usize>) -> Vec<Vec<usize>> {
    let mut active = vec![Vec::new(); codes.cols()];
    for (at, row) in codes.iter_rows().take(rows.end).skip(rows.start).enumerate() {
        let latents = active.iter_mut().zip(row).filter(|(_, code)| is_active(**code));
        latents.for_each(|(rows, _)| rows.push(at));
    }
    active
}

/// F1 of being active in some rows where a feature is present, which is so in `all` of them.
fn f1(active: &[usize], present: &[bool], all: usize) -> f64 {
    let right = active.iter().filter(|at| present.get(**at) == Some(&true)).count();
    2.0 * right as f64 / (active.len() + all).max(1) as f64
}

/// The solution of a small system by Gauss' elimination with pivots; none where there is none.
fn solved(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for at in 0..n {
        let size = |row: usize| rows.get(row).and_then(|row| row.get(at)).map_or(0.0, |x| x.abs());
        let pivot = (at..n).max_by(|a, b| size(*a).total_cmp(&size(*b)))?;
        rows.swap(at, pivot);
        right.swap(at, pivot);
        let (own, value) = (rows.get(at)?.clone(), *right.get(at)?);
        let lead = *own.get(at)?;
        if lead == 0.0 || !lead.is_finite() {
            return None;
        }
        for below in at + 1..n {
            let row = rows.get_mut(below)?;
            let factor = row.get(at)? / lead;
            row.iter_mut().zip(&own).for_each(|(x, own)| *x -= factor * own);
            *right.get_mut(below)? -= factor * value;
        }
    }
    for at in (0..n).rev() {
        let row = rows.get(at)?;
        let known: f64 = row.iter().zip(&right).skip(at + 1).map(|(x, found)| x * found).sum();
        let found = (right.get(at)? - known) / row.get(at)?;
        *right.get_mut(at)? = found;
    }
    Some(right)
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

/// The mean over features of the cosine, in the readout's outputs, of what adding the latent's direction changes and
/// what adding the planted one does, each as long as the feature is strong where it is present.
fn planted_steering(
    ground: &Ground,
    readout: &Readout,
    truth: &Truth,
    weights: &Weights,
    features: &Features,
    latents: &[Option<usize>],
) -> Result<Option<f64>, OverviewError> {
    let held: Vec<u32> = (features.half as u32..ground.rows.rows() as u32).take(STEERED).collect();
    let rows = ground.rows.select_rows(&held);
    let before = readout.outputs(&rows)?;
    let changed = |direction: &[f64], by: f64| -> Result<Vec<f64>, OverviewError> {
        let mut rows = rows.clone();
        for at in 0..rows.rows() {
            rows.row_mut(at).iter_mut().zip(direction).for_each(|(x, d)| *x += by * d);
        }
        let after = readout.outputs(&rows)?;
        Ok(after.data().iter().zip(before.data()).map(|(after, before)| after - before).collect())
    };
    let mut each = Vec::new();
    for (at, present) in features.each() {
        let strong = truth.magnitudes.iter_rows().zip(present).filter(|(_, present)| **present);
        let strong: Vec<f64> = strong.filter_map(|(row, _)| row.get(at).copied()).collect();
        let by = mean(&strong)?;
        let planted = unit(truth.directions.row(at));
        let own = latents.get(at).copied().flatten();
        let own = own.and_then(|latent| unit(weights.decoder.row(latent)));
        each.push(match planted.zip(own) {
            Some((planted, own)) => signed_cosine(&changed(&own, by)?, &changed(&planted, by)?),
            None => 0.0,
        });
    }
    Ok(mean(&each).ok())
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
struct Spoken<'a> {
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

impl<'a> Spoken<'a> {
    fn of(
        ground: &Ground,
        model: &'a Model,
        layer: usize,
        texts: usize,
        half: usize,
    ) -> Result<Self, OverviewError> {
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
    fn after(&self, rows: &dyn Fn(usize) -> Option<Vec<f64>>) -> Result<Vec<f32>, OverviewError> {
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
    ) -> Result<[Option<f64>; 2], OverviewError> {
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
