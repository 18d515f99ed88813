//! What a reader asks of files of neurons.

use serde::Deserialize;

use super::super::metric::CODE_ENTRIES_MAX;
use super::super::settings::ALPHA_RANGE;
use super::super::tables::PAPER_ALPHA;
use crate::settings::{Problem, Problems};

/// Most neurons that all layers may have together: three counts of four bytes are kept of each.
pub const NEURONS_MAX: usize = 1 << 24;

/// What a reader asks, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiOwnWanted", optional_fields))]
#[serde(default, deny_unknown_fields)]
pub struct OptionsDraft {
    /// Layers of the model; none where a file says it.
    pub layers: Option<f64>,
    /// Neurons of each layer, or features; none where a file says it.
    pub neurons: Option<f64>,
    /// The scores of each layer that count; none for the paper's number.
    pub k: Option<f64>,
    /// Exponent of the index in PUR; none for the paper's.
    pub alpha: Option<f64>,
    /// The accuracy of each file of neurons in percent, in their order, where answers do not tell it.
    pub accuracy: Option<Vec<f64>>,
}

/// The same, of which all is allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub(super) layers: Option<usize>,
    pub(super) neurons: Option<usize>,
    pub(super) k: Option<usize>,
    pub(super) alpha: f64,
    pub(super) accuracy: Vec<f64>,
}

impl OptionsDraft {
    /// Holds every value against what it may be.
    ///
    /// # Errors
    /// [`Problems`], each with its field.
    pub fn validate(&self) -> Result<Options, Problems> {
        let mut problems = Vec::new();
        let mut whole = |field: &str, value: Option<f64>, most: usize| {
            let value = value?;
            if (1.0..=most as f64).contains(&value) && value.fract() == 0.0 {
                return Some(value as usize);
            }
            let allowed = format!("a whole number from 1 to {most}");
            problems.push(Problem::new(field, value.to_string(), allowed));
            None
        };
        let layers = whole("layers", self.layers, NEURONS_MAX);
        let neurons = whole("neurons", self.neurons, NEURONS_MAX);
        let k = whole("k", self.k, CODE_ENTRIES_MAX);
        if let Some((layers, neurons)) = layers.zip(neurons)
            && exceeds_neurons_max(layers, neurons)
        {
            let allowed = format!("at most {NEURONS_MAX} neurons in all layers together");
            problems.push(Problem::new("neurons", format!("{layers} × {neurons}"), allowed));
        }
        let alpha = self.alpha.unwrap_or(PAPER_ALPHA);
        if !(ALPHA_RANGE.min..=ALPHA_RANGE.max).contains(&alpha) {
            let allowed = format!("{} to {}", ALPHA_RANGE.min, ALPHA_RANGE.max);
            problems.push(Problem::new("alpha", alpha.to_string(), allowed));
        }
        let accuracy = self.accuracy.clone().unwrap_or_default();
        if let Some(wrong) = accuracy.iter().find(|value| !(0.0..=100.0).contains(*value)) {
            problems.push(Problem::new("accuracy", wrong.to_string(), "0 to 100, in percent"));
        }
        if problems.is_empty() { Ok(Options { layers, neurons, k, alpha, accuracy }) } else { Err(Problems(problems)) }
    }
}

/// Whether there are more neurons than can be counted.
pub(super) fn exceeds_neurons_max(layers: usize, neurons: usize) -> bool {
    layers.checked_mul(neurons).is_none_or(|all| all > NEURONS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_allowed_is_refused_by_its_field() {
        let of = |change: fn(&mut OptionsDraft)| {
            let mut wanted = OptionsDraft::default();
            change(&mut wanted);
            wanted.validate().map_err(|Problems(problems)| problems[0].message.clone())
        };
        assert_eq!(of(|_| ()).unwrap().alpha, PAPER_ALPHA);
        for (change, words) in [
            ((|w| w.layers = Some(0.0)) as fn(&mut OptionsDraft), "layers is 0"),
            (|w| w.neurons = Some(1.5), "neurons is 1.5"),
            (|w| w.neurons = Some(f64::NAN), "neurons is NaN"),
            (|w| w.k = Some(2001.0), "k is 2001; allowed: a whole number from 1 to 2000"),
            (|w| w.alpha = Some(-1.0), "alpha is -1"),
            (|w| w.accuracy = Some(vec![50.0, 101.0]), "accuracy is 101"),
            (|w| (w.layers, w.neurons) = (Some(1e6), Some(1e6)), "neurons is 1000000 × 1000000"),
        ] {
            let said = of(change).unwrap_err();
            assert!(said.contains(words), "{said}");
        }
    }
}
