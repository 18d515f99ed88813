//! What share of a model's neurons a set of answers uses.

use thiserror::Error;

use super::Neuron;

/// A neuron that a model does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("neuron {neuron} of layer {layer}; allowed: layer 0 to {}, neuron 0 to {}", layers - 1, neurons - 1)]
pub struct NoSuchNeuron {
    /// Its layer.
    pub layer: usize,
    /// Its number.
    pub neuron: usize,
    /// Layers there are.
    pub layers: usize,
    /// Neurons of a layer there are.
    pub neurons: usize,
}

/// The neurons used so far, answer by answer.
///
/// # Formula
/// MUI = |∪ₜ N(t)| / (L·N), from 0 to 1, of L layers with N neurons each.
///
/// # Examples
/// ```
/// use sfc_bench::papers::mui::metric::NeuronUnion;
/// let mut used = NeuronUnion::new(2, 4);
/// used.add_answer(&[(0, 0), (1, 3)])?;
/// used.add_answer(&[(0, 0)])?;
/// assert_eq!((used.count_used(), used.mui()), (2, 0.25));
/// # Ok::<(), sfc_bench::papers::mui::metric::NoSuchNeuron>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeuronUnion {
    /// A bit a neuron: models of billions of weights have millions of them.
    used: Vec<u64>,
    total: usize,
    neurons: usize,
    count: usize,
}

/// Refuses what is none of a model's neurons.
pub(super) fn check_neurons(answer: &[Neuron], layers: usize, neurons: usize) -> Result<(), NoSuchNeuron> {
    let outside = |(layer, neuron): &&Neuron| *layer >= layers || *neuron >= neurons;
    match answer.iter().find(outside).copied() {
        Some((layer, neuron)) => Err(NoSuchNeuron { layer, neuron, layers, neurons }),
        None => Ok(()),
    }
}

impl NeuronUnion {
    /// Of no answer, in so many layers of so many neurons.
    #[must_use]
    pub fn new(layers: usize, neurons: usize) -> Self {
        let total = layers * neurons;
        Self { used: vec![0; total.div_ceil(64)], total, neurons, count: 0 }
    }

    /// Adds the neurons of an answer.
    ///
    /// # Errors
    /// [`NoSuchNeuron`]; none of them is added then.
    pub fn add_answer(&mut self, answer: &[Neuron]) -> Result<(), NoSuchNeuron> {
        check_neurons(answer, self.total / self.neurons.max(1), self.neurons)?;
        for (layer, neuron) in answer {
            let at = layer * self.neurons + neuron;
            let (word, bit) = (&mut self.used[at / 64], 1u64 << (at % 64));
            self.count += usize::from(*word & bit == 0);
            *word |= bit;
        }
        Ok(())
    }

    /// How many neurons are used.
    #[must_use]
    pub fn count_used(&self) -> usize {
        self.count
    }

    /// How many there are.
    #[must_use]
    pub fn total_neurons(&self) -> usize {
        self.total
    }

    /// The index: used of all, from 0 to 1.
    #[must_use]
    pub fn mui(&self) -> f64 {
        self.count as f64 / self.total.max(1) as f64
    }

    /// The neurons used, by rising layer and number.
    pub fn used_neurons(&self) -> impl Iterator<Item = Neuron> {
        let used = (0..self.total).filter(|at| self.used[at / 64] >> (at % 64) & 1 == 1);
        used.map(|at| (at / self.neurons, at % self.neurons))
    }
}

/// The largest index that `answers` answers with k of N neurons a layer can have: min(1, k·T/N).
#[must_use]
pub fn max_mui(k: usize, neurons: usize, answers: usize) -> f64 {
    (k as f64 * answers as f64 / neurons.max(1) as f64).min(1.0)
}

/// The index to be expected if every answer drew its k of N neurons a layer by lot: 1 − (1 − k/N)ᵀ. The index
/// grows with the number of answers by construction; this is by how much without any ability at all.
#[must_use]
pub fn random_mui(k: usize, neurons: usize, answers: usize) -> f64 {
    random_mui_of_share(k as f64 / neurons.max(1) as f64, answers)
}

/// The same where every answer draws a `share` of the neurons, from 0 to 1: 1 − (1 − share)ᵀ.
#[must_use]
pub fn random_mui_of_share(share: f64, answers: usize) -> f64 {
    if answers == 0 {
        return 0.0;
    }
    -libm::expm1(answers as f64 * libm::log1p(-share.min(1.0)))
}
