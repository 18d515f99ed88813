//! What the paper's corollaries ask, done on the little model's shipped checkpoints.

mod contamination;
mod correctness;
mod diversity;
mod masking;

use serde::{Deserialize, Serialize};

pub use contamination::{Contaminated, Seen};
pub use correctness::Correctness;
pub use diversity::{Diversity, Growing};
pub use masking::{Masked, Masking};

use super::metric::Neuron;
use super::settings::Settings;
use crate::NumpyRng;
use crate::little::LittleError;

/// Times that answers or neurons are drawn anew.
pub const DRAWS: usize = 16;

/// A mean over draws, and how far they go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiBand"))]
pub struct Band {
    /// The mean.
    pub mean: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Band {
    /// Of at least one number; nothing of none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let mean = crate::statistics::mean(values).ok()?;
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Self { mean, low, high })
    }
}

/// An experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Experiment {
    /// More kinds of tasks, as many answers (Fig. 9).
    Diversity,
    /// Right answers against wrong ones (Fig. 10).
    Correctness,
    /// Test items seen in training (Fig. 8).
    Contamination,
    /// The selected neurons switched off, against random ones (Fig. 11).
    Masking,
}

impl Experiment {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Diversity, Self::Correctness, Self::Contamination, Self::Masking];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diversity => "diversity",
            Self::Correctness => "correctness",
            Self::Contamination => "contamination",
            Self::Masking => "masking",
        }
    }
}

/// What was found, as far as it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiExperiments"))]
pub struct Experiments {
    /// More kinds of tasks.
    pub diversity: Option<Diversity>,
    /// Right against wrong; a line each harder test.
    pub correctness: Option<Vec<Correctness>>,
    /// Test items seen in training.
    pub contamination: Option<Vec<Contaminated>>,
    /// Neurons switched off.
    pub masking: Option<Masking>,
}

impl Experiments {
    /// Takes what others have found.
    pub fn take(&mut self, other: Self) {
        let Self { diversity, correctness, contamination, masking } = other;
        self.diversity = diversity.or(self.diversity.take());
        self.correctness = correctness.or(self.correctness.take());
        self.contamination = contamination.or(self.contamination.take());
        self.masking = masking.or(self.masking.take());
    }
}

/// Does one.
///
/// # Errors
/// [`LittleError`].
pub fn experiment(settings: &Settings, which: Experiment) -> Result<Experiments, LittleError> {
    let mut found = Experiments::default();
    match which {
        Experiment::Diversity => found.diversity = Some(diversity::run(settings)?),
        Experiment::Correctness => found.correctness = Some(correctness::run(settings)?),
        Experiment::Contamination => found.contamination = Some(contamination::run(settings)?),
        Experiment::Masking => found.masking = Some(masking::run(settings)?),
    }
    Ok(found)
}

/// Some of a number of things, without repetition, in the order in which they were drawn.
fn some(rng: &mut NumpyRng, of: usize, wanted: usize) -> Vec<usize> {
    let order = rng.permutation(of as u32).into_iter();
    order.take(wanted).map(|at| at as usize).collect()
}

/// Neurons by layer.
fn by_layer(neurons: &[Neuron], layers: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); layers];
    for (layer, neuron) in neurons {
        if let Some(layer) = found.get_mut(*layer) {
            layer.push(*neuron);
        }
    }
    found
}
