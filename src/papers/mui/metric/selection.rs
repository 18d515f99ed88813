//! Which neurons count as used for an answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::order::argsort_descending;
use crate::statistics::StatisticsError;

/// Most entries of a layer that the reference code keeps of an answer.
pub const CODE_ENTRIES_MAX: usize = 2_000;

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

/// From what score on a neuron counts as used (App. A.4, Eq. 10 to 12).
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

impl Threshold {
    /// The words by which parameters name them: the first two are at a number of neurons, the others at a share.
    pub const NAMES: [&'static str; 4] = ["topk", "global-topk", "top-share", "topscore"];

    /// That of a word, at a number of neurons or at a share, whichever it takes; none of another word.
    #[must_use]
    pub fn named(word: &str, k: usize, share: f64) -> Option<Self> {
        let all = [Self::TopK(k), Self::GlobalTopK(k), Self::TopShare(share), Self::TopScore(share)];
        let mut named = Self::NAMES.into_iter().zip(all);
        named.find(|(known, _)| *known == word).map(|(_, threshold)| threshold)
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TopK(k) => write!(f, "top {k} of each layer"),
            Self::GlobalTopK(k) => write!(f, "top {k} of all layers"),
            Self::TopShare(share) => write!(f, "top {share} of each layer"),
            Self::TopScore(share) => write!(f, "from {share} of a layer’s largest score"),
        }
    }
}

/// The scores of one answer: layers × tokens × neurons.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerScores {
    layers: Vec<Vec<f64>>,
    /// Whose score each is, where that does not follow from its place.
    whose: Option<Vec<Vec<usize>>>,
    neurons: usize,
}

/// The scores of one answer, sorted once for several thresholds.
pub struct SortedScores<'a> {
    scores: &'a AnswerScores,
    /// Of each layer, indices of its scores by falling score.
    orders: Vec<Vec<usize>>,
}

impl AnswerScores {
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
            check_finite(layer)?;
        }
        Ok(Self { layers, whose: None, neurons })
    }

    /// Of each layer (neuron, score), as a file has them that lists the largest: a neuron may be there for several
    /// tokens. `neurons` is how many a layer has.
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] without neurons, [`StatisticsError::TooMany`] for a neuron beyond them,
    /// [`StatisticsError::NonFinite`].
    pub fn from_sparse(layers: Vec<Vec<(usize, f64)>>, neurons: usize) -> Result<Self, StatisticsError> {
        if neurons == 0 {
            return Err(StatisticsError::TooFew { what: "neurons", found: 0, needed: 1 });
        }
        let (mut scores, mut whose) = (Vec::new(), Vec::new());
        for layer in layers {
            let (numbers, values): (Vec<usize>, Vec<f64>) = layer.into_iter().unzip();
            if let Some(found) = numbers.iter().copied().find(|neuron| *neuron >= neurons) {
                let most = neurons - 1;
                return Err(StatisticsError::TooMany { what: "a neuron's number", found, most });
            }
            check_finite(&values)?;
            scores.push(values);
            whose.push(numbers);
        }
        Ok(Self { layers: scores, whose: Some(whose), neurons })
    }

    /// Each neuron's sum over the answer's tokens (Eq. 15), as an answer of one token. Of scores that are listed,
    /// over those that are.
    #[must_use]
    pub fn sum_over_tokens(&self) -> Self {
        let layers = self.layers.iter().enumerate().map(|(at, layer)| {
            let mut sums = vec![0.0; self.neurons];
            for (index, score) in layer.iter().enumerate() {
                sums[self.neuron_at(at, index)] += score;
            }
            sums
        });
        Self { layers: layers.collect(), whose: None, neurons: self.neurons }
    }

    /// Whose score the index-th of a layer is.
    fn neuron_at(&self, layer: usize, index: usize) -> usize {
        self.whose.as_ref().map_or(index % self.neurons, |whose| whose[layer][index])
    }

    /// Sorted, for several thresholds.
    #[must_use]
    pub fn to_sorted(&self) -> SortedScores<'_> {
        let orders = self.layers.iter().map(|layer| argsort_descending(layer.iter().copied())).collect();
        SortedScores { scores: self, orders }
    }

    /// The neurons that count as used (Eq. 3), by rising layer and number.
    ///
    /// Of equal scores the code's order is not defined; here the earlier comes first, which is the earlier token, then
    /// the lower number.
    #[must_use]
    pub fn select(&self, threshold: Threshold, reading: Reading) -> Vec<Neuron> {
        self.to_sorted().select(threshold, reading)
    }
}

impl SortedScores<'_> {
    /// As [`AnswerScores::select`].
    #[must_use]
    pub fn select(&self, threshold: Threshold, reading: Reading) -> Vec<Neuron> {
        self.unique_neurons(self.select_scores(threshold, reading))
    }

    /// Those of the document's reading whose score is above 0: another does nothing for the answer, and where most
    /// scores are 0 all of them tie.
    #[must_use]
    pub fn select_positive(&self, threshold: Threshold) -> Vec<Neuron> {
        let mut chosen = self.select_scores(threshold, Reading::Document);
        chosen.retain(|(layer, at)| self.scores.layers[*layer][*at] > 0.0);
        self.unique_neurons(chosen)
    }

    /// Whose scores these are, each once.
    fn unique_neurons(&self, chosen: Vec<(usize, usize)>) -> Vec<Neuron> {
        let each = chosen.into_iter().map(|(layer, at)| (layer, self.scores.neuron_at(layer, at)));
        let mut neurons: Vec<Neuron> = each.collect();
        neurons.sort_unstable();
        neurons.dedup();
        neurons
    }

    /// The scores that reach a threshold, as (layer, index among the layer's scores).
    fn select_scores(&self, threshold: Threshold, reading: Reading) -> Vec<(usize, usize)> {
        let layers = &self.scores.layers;
        let each = self.orders.iter().zip(layers).enumerate().map(|(layer, (order, scores))| {
            let kept = match reading {
                Reading::Document => order.as_slice(),
                Reading::Code => &order[..order.len().min(CODE_ENTRIES_MAX)],
            };
            (layer, kept, scores)
        });
        match threshold {
            Threshold::GlobalTopK(k) => {
                // Nothing that is not among a layer's k largest is among those of all.
                let all: Vec<(usize, usize)> = each
                    .flat_map(|(layer, order, scores)| {
                        let mut rising = first_k(order, scores, k, reading).to_vec();
                        rising.sort_unstable();
                        rising.into_iter().map(move |at| (layer, at))
                    })
                    .collect();
                let scores: Vec<f64> = all.iter().map(|(layer, at)| layers[*layer][*at]).collect();
                let order = argsort_descending(scores.iter().copied());
                first_k(&order, &scores, k, reading).iter().map(|at| all[*at]).collect()
            }
            Threshold::TopK(_) | Threshold::TopShare(_) => {
                let k = match threshold {
                    Threshold::TopShare(share) => neurons_in_share(share, self.scores.neurons),
                    Threshold::TopK(k) | Threshold::GlobalTopK(k) => k,
                    Threshold::TopScore(_) => 0,
                };
                each.flat_map(|(layer, order, scores)| {
                    first_k(order, scores, k, reading).iter().map(move |at| (layer, *at))
                })
                .collect()
            }
            Threshold::TopScore(share) => each
                .flat_map(|(layer, order, scores)| {
                    let least = order.first().map_or(f64::INFINITY, |at| share * scores[*at]);
                    let reach = order.iter().take_while(move |at| scores[**at] >= least);
                    reach.map(move |at| (layer, *at))
                })
                .collect(),
        }
    }
}

fn check_finite(scores: &[f64]) -> Result<(), StatisticsError> {
    match scores.iter().position(|score| !score.is_finite()) {
        Some(index) => Err(StatisticsError::NonFinite { what: "scores", index, value: scores[index] }),
        None => Ok(()),
    }
}

/// How many neurons a share of a layer's is, rounded down.
#[must_use]
pub fn neurons_in_share(share: f64, neurons: usize) -> usize {
    // 0.001 · 11,000 must not lose one to the product's rounding.
    (share * neurons as f64 + 1e-9).floor().max(0.0) as usize
}

/// The first k of a falling order, with those that tie with the last of them in the document's reading.
fn first_k<'a>(order: &'a [usize], scores: &[f64], k: usize, reading: Reading) -> &'a [usize] {
    let k = k.min(order.len());
    let Some(last) = k.checked_sub(1).map(|last| scores[order[last]]) else { return &[] };
    let tied = order[k..].iter().take_while(|at| scores[**at] == last).count();
    match reading {
        Reading::Document => &order[..k + tied],
        Reading::Code => &order[..k],
    }
}
