//! How often each neuron is used, and the index to be expected of fewer answers than there are.

use std::collections::BTreeMap;

use super::union::check_neurons;
use super::{Neuron, NoSuchNeuron};

/// Up to so many factors are multiplied; beyond them ln Γ is near enough.
const EXACT_FACTORS_MAX: usize = 1_024;

/// Of each neuron, how many answers use it.
///
/// # Examples
/// ```
/// use sfc_bench::papers::mui::metric::UseCounts;
/// let mut uses = UseCounts::new(1, 4);
/// uses.add_answer(&[(0, 0), (0, 1)])?;
/// uses.add_answer(&[(0, 0)])?;
/// assert_eq!((uses.answer_count(), uses.count_used(), uses.mui()), (2, 2, 0.5));
/// // One answer alone uses 2 or 1 of the four.
/// assert_eq!(uses.mean_growth().mui_at(1), 0.375);
/// # Ok::<(), sfc_bench::papers::mui::metric::NoSuchNeuron>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseCounts {
    counts: Vec<u32>,
    layers: usize,
    neurons: usize,
    answers: usize,
}

impl UseCounts {
    /// Of no answer, in so many layers of so many neurons.
    #[must_use]
    pub fn new(layers: usize, neurons: usize) -> Self {
        Self { counts: vec![0; layers * neurons], layers, neurons, answers: 0 }
    }

    /// Adds an answer's neurons, each of which is there once.
    ///
    /// # Errors
    /// [`NoSuchNeuron`]; nothing is added then.
    pub fn add_answer(&mut self, answer: &[Neuron]) -> Result<(), NoSuchNeuron> {
        check_neurons(answer, self.layers, self.neurons)?;
        for (layer, neuron) in answer {
            let count = &mut self.counts[layer * self.neurons + neuron];
            *count = count.saturating_add(1);
        }
        self.answers += 1;
        Ok(())
    }

    /// How many answers there are.
    #[must_use]
    pub fn answer_count(&self) -> usize {
        self.answers
    }

    /// How many neurons some answer uses.
    #[must_use]
    pub fn count_used(&self) -> usize {
        self.counts.iter().filter(|count| **count > 0).count()
    }

    /// The same of each layer.
    #[must_use]
    pub fn count_used_by_layer(&self) -> Vec<usize> {
        let layers = self.counts.chunks(self.neurons.max(1));
        layers.map(|layer| layer.iter().filter(|count| **count > 0).count()).collect()
    }

    /// The index: used of all, from 0 to 1.
    #[must_use]
    pub fn mui(&self) -> f64 {
        self.count_used() as f64 / self.counts.len().max(1) as f64
    }

    /// What share of all neurons an answer uses, in the mean.
    #[must_use]
    pub fn mean_share_per_answer(&self) -> f64 {
        let uses: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        uses as f64 / (self.answers.max(1) as f64 * self.counts.len().max(1) as f64)
    }

    /// Neurons that are used here and there, and here or there; none where the two have not as many neurons.
    #[must_use]
    pub fn intersection_and_union(&self, other: &Self) -> Option<(usize, usize)> {
        if (self.layers, self.neurons) != (other.layers, other.neurons) {
            return None;
        }
        let pairs = self.counts.iter().zip(&other.counts);
        Some(pairs.fold((0, 0), |(both, either), (here, there)| {
            let (here, there) = (*here > 0, *there > 0);
            (both + usize::from(here && there), either + usize::from(here || there))
        }))
    }

    /// How the index grows with the number of answers.
    #[must_use]
    pub fn mean_growth(&self) -> MeanGrowth {
        let mut by_uses = BTreeMap::new();
        for count in self.counts.iter().filter(|count| **count > 0) {
            *by_uses.entry(*count).or_insert(0u64) += 1;
        }
        MeanGrowth { by_uses, answers: self.answers, total: self.counts.len() }
    }
}

/// The index of some of the answers, in the mean over all choices of so many: what their order does not change.
///
/// # Formula
/// Of n answers, of which c use a neuron, T drawn without putting back leave it unused with probability
/// C(n − c, T) / C(n, T). The mean index of T answers is the sum of 1 − C(n − c, T) / C(n, T) over the neurons, as a
/// share of all of them; at T = n it is the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeanGrowth {
    /// How many neurons are used so often.
    by_uses: BTreeMap<u32, u64>,
    answers: usize,
    total: usize,
}

impl MeanGrowth {
    /// The mean index of so many answers, from 0 to 1; of more than there are, that of all.
    #[must_use]
    pub fn mui_at(&self, answers: usize) -> f64 {
        let (all, drawn) = (self.answers, answers.min(self.answers));
        let each = self
            .by_uses
            .iter()
            .map(|(uses, neurons)| *neurons as f64 * (1.0 - unused_probability(all, (*uses as usize).min(all), drawn)));
        each.sum::<f64>() / self.total.max(1) as f64
    }
}

/// C(n − c, T) / C(n, T), which is the same with c and T changed for each other.
fn unused_probability(n: usize, c: usize, t: usize) -> f64 {
    if c + t > n {
        return 0.0;
    }
    let (few, many) = (c.min(t), c.max(t));
    if few <= EXACT_FACTORS_MAX {
        return (0..few).map(|i| (n - many - i) as f64 / (n - i) as f64).product();
    }
    let factorial = |m: usize| libm::lgamma(m as f64 + 1.0);
    libm::exp(factorial(n - c) - factorial(n - c - t) - factorial(n) + factorial(n - t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_all_orders_is_that_of_all_choices() {
        let answers: [&[Neuron]; 4] = [&[(0, 0), (1, 2)], &[(0, 0)], &[(0, 1), (1, 1), (1, 2)], &[]];
        let mut uses = UseCounts::new(2, 3);
        answers.iter().for_each(|answer| uses.add_answer(answer).unwrap());
        let growth = uses.mean_growth();
        for count in 0..=4u32 {
            let choices = (0u32..16).filter(|choice| choice.count_ones() == count);
            let indices: Vec<f64> = choices
                .map(|choice| {
                    let mut some = UseCounts::new(2, 3);
                    for (at, answer) in answers.iter().enumerate() {
                        if choice >> at & 1 == 1 {
                            some.add_answer(answer).unwrap();
                        }
                    }
                    some.mui()
                })
                .collect();
            let mean = indices.iter().sum::<f64>() / indices.len() as f64;
            assert!((growth.mui_at(count as usize) - mean).abs() < 1e-15, "{count}");
        }
        assert_eq!(growth.mui_at(4), uses.mui());
        assert_eq!(growth.mui_at(9), uses.mui());
        assert_eq!(uses.count_used_by_layer(), [2, 2]);
        assert_eq!(uses.mean_share_per_answer(), 6.0 / 24.0);
        assert!(uses.add_answer(&[(2, 0)]).is_err() && uses.add_answer(&[(0, 3)]).is_err());
        assert_eq!(uses.answer_count(), 4);
    }

    #[test]
    fn many_factors_and_few_agree() {
        // Both ways where either is possible: C(8000, 2000)/C(10000, 2000) by factors, one after the other.
        let by_factors: f64 = (0..2_000).map(|i| f64::from(8_000 - i) / f64::from(10_000 - i)).product();
        let found = unused_probability(10_000, 2_000, 2_000);
        // ln Γ at 10,000 is 82,100: a unit in its last place is 1.5e-11.
        assert!((found / by_factors - 1.0).abs() < 1e-9, "{found} {by_factors}");
        assert_eq!(unused_probability(10, 4, 7), 0.0);
        assert_eq!(unused_probability(10, 0, 7), 1.0);
    }
}
