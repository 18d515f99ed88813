//! Which neurons count as used for an answer.

use serde::{Deserialize, Serialize};

use crate::order::falling;
use crate::statistics::StatisticsError;

/// Most entries of a layer that the reference code keeps of an answer.
pub const CODE_KEEPS: usize = 2_000;

/// A neuron, as (layer, number), from 0.
pub type Neuron = (usize, usize);

/// What is done where the paper and its code differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// The paper: every score that reaches the threshold counts, however many tie there.
    Document,
    /// The reference code: the first so many of the falling order, of the layer's 2,000 largest.
    Code,
}

/// From what score on a neuron counts as used (App. A.4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Threshold {
    /// Of each layer the k largest scores of all the answer's tokens.
    TopK(usize),
    /// Of all layers together the k largest.
    GlobalTopK(usize),
    /// Of each layer as many as are this share of its neurons, rounded down: 0.001 in the paper.
    TopShare(f64),
    /// Of each layer what reaches this share of its largest score.
    TopScore(f64),
}

/// The scores of one answer: layers × tokens × neurons.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    layers: Vec<Vec<f64>>,
    neurons: usize,
}

impl Scores {
    /// Of each layer tokens × neurons, row-major.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] without neurons, [`StatisticsError::Lengths`] where a layer does not hold
    /// whole tokens, [`StatisticsError::NonFinite`].
    pub fn new(layers: Vec<Vec<f64>>, neurons: usize) -> Result<Self, StatisticsError> {
        if neurons == 0 {
            return Err(StatisticsError::TooFew { what: "neurons", found: 0, needed: 1 });
        }
        for layer in &layers {
            let whole = layer.len() / neurons * neurons;
            if whole != layer.len() {
                return Err(StatisticsError::Lengths { first: layer.len(), second: whole });
            }
            if let Some(index) = layer.iter().position(|score| !score.is_finite()) {
                return Err(StatisticsError::NonFinite {
                    what: "scores",
                    index,
                    value: layer[index],
                });
            }
        }
        Ok(Self { layers, neurons })
    }

    /// Each neuron's sum over the answer's tokens (Eq. 15), as an answer of one token.
    #[must_use]
    pub fn summed(&self) -> Self {
        let layers = self.layers.iter().map(|layer| {
            let mut sums = vec![0.0; self.neurons];
            for token in layer.chunks_exact(self.neurons) {
                sums.iter_mut().zip(token).for_each(|(sum, score)| *sum += score);
            }
            sums
        });
        Self { layers: layers.collect(), neurons: self.neurons }
    }

    /// The neurons that count as used, by rising layer and number.
    ///
    /// Of equal scores the code's order is not defined; here the earlier token comes first, then the lower
    /// number.
    #[must_use]
    pub fn selected(&self, threshold: Threshold, reading: Reading) -> Vec<Neuron> {
        let orders: Vec<Vec<usize>> = self
            .layers
            .iter()
            .map(|layer| {
                let mut order = falling(layer.iter().copied());
                if reading == Reading::Code {
                    order.truncate(CODE_KEEPS);
                }
                order
            })
            .collect();
        // Entries as (layer, index among the layer's scores).
        let chosen: Vec<(usize, usize)> = match threshold {
            Threshold::GlobalTopK(k) => {
                let all: Vec<(usize, usize)> = (0..self.layers.len())
                    .flat_map(|layer| {
                        let mut rising = orders[layer].clone();
                        rising.sort_unstable();
                        rising.into_iter().map(move |at| (layer, at))
                    })
                    .collect();
                let scores: Vec<f64> =
                    all.iter().map(|(layer, at)| self.layers[*layer][*at]).collect();
                let order = falling(scores.iter().copied());
                let kept = first(&order, &scores, k, reading);
                kept.iter().map(|at| all[*at]).collect()
            }
            Threshold::TopK(_) | Threshold::TopShare(_) => {
                let k = match threshold {
                    Threshold::TopShare(share) => permille(share, self.neurons),
                    Threshold::TopK(k) | Threshold::GlobalTopK(k) => k,
                    Threshold::TopScore(_) => 0,
                };
                let each = orders.iter().zip(&self.layers).enumerate();
                each.flat_map(|(layer, (order, scores))| {
                    let kept = first(order, scores, k, reading);
                    kept.iter().map(move |at| (layer, *at))
                })
                .collect()
            }
            Threshold::TopScore(share) => {
                let each = orders.iter().zip(&self.layers).enumerate();
                each.flat_map(|(layer, (order, scores))| {
                    let least = order.first().map_or(f64::INFINITY, |at| share * scores[*at]);
                    let reach = order.iter().filter(move |at| scores[**at] >= least);
                    reach.map(move |at| (layer, *at))
                })
                .collect()
            }
        };
        let mut neurons: Vec<Neuron> =
            chosen.into_iter().map(|(layer, at)| (layer, at % self.neurons)).collect();
        neurons.sort_unstable();
        neurons.dedup();
        neurons
    }
}

/// How many neurons a share of a layer's is, rounded down.
#[must_use]
pub fn permille(share: f64, neurons: usize) -> usize {
    // 0.001 · 11,000 must not lose one to the product's rounding.
    (share * neurons as f64 + 1e-9).floor().max(0.0) as usize
}

/// The first k of a falling order, with those that tie with the last of them in the document's reading.
fn first<'a>(order: &'a [usize], scores: &[f64], k: usize, reading: Reading) -> &'a [usize] {
    let k = k.min(order.len());
    let Some(last) = k.checked_sub(1).map(|last| scores[order[last]]) else { return &[] };
    let tied = order[k..].iter().take_while(|at| scores[**at] == last).count();
    match reading {
        Reading::Document => &order[..k + tied],
        Reading::Code => &order[..k],
    }
}
