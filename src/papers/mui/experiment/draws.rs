//! Draws of answers and neurons, and how far what is measured of them goes.

use serde::{Deserialize, Serialize};

use crate::NumpyRng;
use crate::papers::mui::measure::MuiMeasurement;
use crate::papers::mui::metric::Neuron;
use crate::papers::mui::settings::Settings;
use crate::plot::format::fixed;
use crate::statistics::spearman;

/// Times that answers or neurons are drawn anew.
pub const DRAW_COUNT: usize = 16;
/// Sets of answers that share no draws.
pub const SET_COUNT: usize = 8;

/// A mean over draws, and how far they go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiBand"))]
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
    pub fn from_values(values: &[f64]) -> Option<Self> {
        let mean = crate::statistics::mean(values).ok()?;
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Self { mean, low, high })
    }
}

/// Some of a number of things, without repetition, in the order in which they were drawn.
pub(super) fn draw_indices(rng: &mut NumpyRng, of: usize, wanted: usize) -> Vec<usize> {
    let order = rng.permutation(of as u32).into_iter();
    order.take(wanted).map(|at| at as usize).collect()
}

/// Neurons by layer.
pub(super) fn neurons_by_layer(neurons: &[Neuron], layers: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); layers];
    for (layer, neuron) in neurons {
        if let Some(layer) = found.get_mut(*layer) {
            layer.push(*neuron);
        }
    }
    found
}

/// Answers of a set, where there are many sets.
pub(super) fn answers_per_set(settings: &Settings) -> usize {
    settings.prompts.div_ceil(4)
}

/// Index over sets, and accuracy over all of them.
pub(super) fn mui_over_sets(sets: &[MuiMeasurement]) -> Option<(Band, f64)> {
    let of = |of: fn(&MuiMeasurement) -> f64| -> Vec<f64> { sets.iter().map(of).collect() };
    let accuracy = crate::statistics::mean(&of(|set| set.accuracy)).ok()?;
    Some((Band::from_values(&of(|set| set.mui))?, accuracy))
}

/// Spearman's coefficients of two things, one of them in random order; none where one does not differ.
pub(super) fn permuted_spearman(rng: &mut NumpyRng, x: &[f64], y: &[f64]) -> Option<Band> {
    let coefficients = (0..DRAW_COUNT).filter_map(|_| {
        let y: Vec<f64> = draw_indices(rng, y.len(), y.len()).into_iter().map(|at| y[at]).collect();
        Some(spearman(x, &y).ok()?.coefficient)
    });
    Band::from_values(&coefficients.collect::<Vec<_>>())
}

/// A share in percent, with one decimal.
pub(in crate::papers::mui) fn format_percent(share: f64) -> String {
    fixed(100.0 * share, 1)
}
