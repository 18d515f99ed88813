//! The printed tables of SynthSAEBench-16k: 40 cells each with the standard deviation over five seeds, from `docs/synth_sae_bench.md`
//! of SAELens (commit 53c8bea).

use serde::{Deserialize, Serialize};

use crate::sae::sae_lens_trainer::Architecture;
use crate::sae::synth_sae_bench::SynthScores;

/// A column of the printed tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SynthMetric {
    /// Mean F1 of latents as detectors of their features.
    F1,
    /// Mean |cosine| over the best matching.
    Mcc,
    /// Distinct best-matching features over latents.
    Uniqueness,
    /// Explained variance.
    ExplainedVariance,
}

impl SynthMetric {
    /// All, in the tables' order.
    pub const ALL: [Self; 4] = [Self::F1, Self::Mcc, Self::Uniqueness, Self::ExplainedVariance];

    /// Its name in a heading.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::F1 => "F1",
            Self::Mcc => "MCC",
            Self::Uniqueness => "uniqueness",
            Self::ExplainedVariance => "explained variance",
        }
    }

    /// Its value.
    #[must_use]
    pub fn value_of(self, scores: &SynthScores) -> f64 {
        match self {
            Self::F1 => scores.f1,
            Self::Mcc => scores.mcc,
            Self::Uniqueness => scores.uniqueness,
            Self::ExplainedVariance => scores.explained_variance,
        }
    }
}

/// A printed cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedCell {
    /// Mean over five seeds.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

/// Two means that differ by at least so many summed spreads are in a clear order.
const CLEAR_GAP_DEVIATIONS: f64 = 3.0;

/// A printed table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedTable {
    /// The L0 of its autoencoders.
    pub l0: u32,
    cells: &'static [[(f64, f64); 4]; 5],
}

impl PrintedTable {
    /// Of an L0 as settings have it: "20", or else "25".
    #[must_use]
    pub fn for_l0(l0: &str) -> Self {
        match l0 {
            "20" => Self { l0: 20, cells: &PRINTED_SCORES_L0_20 },
            _ => Self { l0: 25, cells: &PRINTED_SCORES_L0_25 },
        }
    }

    /// A cell.
    #[must_use]
    pub fn cell(&self, architecture: Architecture, metric: SynthMetric) -> PrintedCell {
        let row = Architecture::ALL.iter().position(|other| *other == architecture);
        let column = SynthMetric::ALL.iter().position(|other| *other == metric);
        let found = row.zip(column).and_then(|(row, column)| self.cells.get(row)?.get(column));
        let (mean, deviation) = found.copied().unwrap_or((f64::NAN, f64::NAN));
        PrintedCell { mean, deviation }
    }

    /// The pairs whose means differ by three summed spreads or more, by metric: (metric, higher, lower).
    ///
    /// # Examples
    /// ```
    /// # use sfc_bench::lab::synth::PrintedTable;
    /// assert_eq!(PrintedTable::for_l0("25").clear_rankings().len(), 38);
    /// ```
    #[must_use]
    pub fn clear_rankings(&self) -> Vec<(SynthMetric, Architecture, Architecture)> {
        let mut found = Vec::new();
        for metric in SynthMetric::ALL {
            for (at, one) in Architecture::ALL.into_iter().enumerate() {
                for other in Architecture::ALL.into_iter().skip(at + 1) {
                    let [a, b] = [one, other].map(|which| self.cell(which, metric));
                    if (a.mean - b.mean).abs() >= CLEAR_GAP_DEVIATIONS * (a.deviation + b.deviation) {
                        let in_order = if a.mean > b.mean { (one, other) } else { (other, one) };
                        found.push((metric, in_order.0, in_order.1));
                    }
                }
            }
        }
        found
    }
}

/// L0 = 25.
const PRINTED_SCORES_L0_25: [[(f64, f64); 4]; 5] = [
    [(0.7316, 0.001), (0.7574, 0.0003), (0.9837, 0.0015), (0.7923, 0.0003)],
    [(0.8793, 0.0021), (0.7927, 0.0006), (0.9987, 0.0005), (0.7792, 0.0004)],
    [(0.4464, 0.0044), (0.693, 0.003), (0.8281, 0.0069), (0.8351, 0.0003)],
    [(0.5562, 0.002), (0.6039, 0.0012), (0.8976, 0.0021), (0.7654, 0.0001)],
    [(0.7317, 0.0034), (0.7527, 0.0009), (0.9885, 0.001), (0.7951, 0.0004)],
];

/// L0 = 20.
const PRINTED_SCORES_L0_20: [[(f64, f64); 4]; 5] = [
    [(0.8183, 0.0011), (0.7526, 0.0007), (0.976, 0.0028), (0.7889, 0.0002)],
    [(0.8601, 0.0016), (0.7455, 0.0021), (0.9874, 0.002), (0.7699, 0.0002)],
    [(0.4439, 0.0024), (0.6748, 0.0028), (0.7552, 0.0026), (0.8267, 0.0003)],
    [(0.5777, 0.0012), (0.5834, 0.0015), (0.8528, 0.0055), (0.7501, 0.0009)],
    [(0.8241, 0.0041), (0.7434, 0.0015), (0.9781, 0.0029), (0.7906, 0.0005)],
];
