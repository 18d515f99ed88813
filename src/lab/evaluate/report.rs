use serde::{Deserialize, Serialize};

use super::{Reading, SkippedRowCounts};
use crate::Weights;
use crate::io::Description;
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::sae::layout::Recognised;
use crate::settings::named;
use crate::statistics::quantile_of_ascending;

named! {
    /// The variance that completeness divides by.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS))]
    #[serde(rename_all = "kebab-case")]
    pub enum Variance {
        /// Mean squared distance from the mean output.
        #[default]
        Total = "total",
        /// Of all entries about their one grand mean: what gives the paper's digits.
        Grand = "grand",
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateFile"))]
pub struct InputFile {
    /// What it is here: "activations", "dictionary", ….
    pub role: String,
    /// Its name.
    pub file: String,
    /// The array of it that was read, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub array: Option<Description>,
    /// Whether its rows were taken for columns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<bool>"))]
    pub transposed: bool,
    /// SHA-256 of the whole file; none until somebody asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub sha256: Option<String>,
}

/// How few features are active.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateSparsity"))]
pub struct Sparsity {
    /// S = 1 − L0/K (Eq. 1), |c| > 10⁻⁶ counting as active.
    pub s: f64,
    /// Mean number of active features a row.
    pub l0: f64,
}

/// How well â agrees with a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateFidelity"))]
pub struct Fidelity {
    /// Mean cosine of a and â (Eq. 2), with the recipe's guard of 10⁻¹⁰.
    pub cosine: f64,
    /// 1 − Σ‖a − â‖² / Σ‖a − ā‖², which SAELens calls explained variance; null where the activations do not vary.
    pub r2: Option<f64>,
    /// The fraction of variance unexplained, Σ‖a − â‖² / Σ‖a − ā‖² = 1 − r2; null where the activations do not vary.
    #[serde(default)]
    pub fvu: Option<f64>,
    /// 1 − Σ‖a − â‖² / Σ‖a‖²; null where they are zero.
    #[serde(alias = "rel_mse")]
    pub one_minus_rel_mse: Option<f64>,
    /// 1 − Σ Var(a − â) / Σ Var(a), variances of each dimension over the rows and summed over the
    /// dimensions: as R², but an error that is the same in every row costs nothing. dictionary_learning calls it so.
    #[serde(alias = "explained_variance")]
    pub frac_variance_explained: Option<f64>,
    /// Mean of ‖â‖/‖a‖ over rows with a ≠ 0, SAEBench's l2_ratio: below 1 where reconstructions shrink.
    pub shrinkage: Option<f64>,
    /// The one of `cosine`, `r2`, `one_minus_rel_mse` ("rel-mse") that the score takes.
    pub mode: FidelityMode,
}

/// Completeness by one reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateCompleteness"))]
pub struct Completeness {
    /// Which.
    pub reading: Reading,
    /// 1 − Σ‖f(a) − f(·)‖² / Σ‖f(a) − mean f‖²; null where f(a) does not vary.
    pub total: Option<f64>,
    /// The same over the deviations of all entries from their one grand mean.
    pub grand: Option<f64>,
    /// Rows it is computed on.
    pub rows: usize,
    /// Whether it is 1 whatever the activations are, since nothing is projected away.
    pub identically_one: bool,
    /// SFC under this reading and the given weights.
    pub sfc: Option<f64>,
}

/// Counts of values in bins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Histogram {
    /// Bounds of the bins, one more than counts; a bin holds its lower bound, the last one both.
    pub edges: Vec<f64>,
    /// Values in each bin.
    #[cfg_attr(feature = "types", ts(type = "Array<number>"))]
    pub counts: Vec<u64>,
}

impl Histogram {
    pub(super) fn new(edges: Vec<f64>) -> Self {
        let counts = vec![0; edges.len().saturating_sub(1)];
        Self { edges, counts }
    }

    /// Counts a value; one outside goes to the nearest bin.
    pub(super) fn add(&mut self, value: f64) {
        let inner = self.edges.iter().skip(1).take(self.counts.len().saturating_sub(1));
        let bin = inner.take_while(|edge| value >= **edge).count();
        if let Some(count) = self.counts.get_mut(bin) {
            *count += 1;
        }
    }
}

/// How often features are active.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateFeatures"))]
pub struct FeatureActivity {
    /// Features that are active on no row.
    pub dead: usize,
    /// Features that are active on more than a tenth of the rows.
    pub dense: usize,
    /// Features by the share of rows on which they are active, dead ones left out; edges are about √10
    /// apart.
    pub frequencies: Histogram,
}

/// How alike the dictionary's directions are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateSimilarity"))]
pub struct DirectionSimilarity {
    /// Mean, over features, of the largest cosine with any other feature's direction; null where fewer
    /// than two features have one.
    pub mean_max_cosine: Option<f64>,
    /// The largest cosine of any two directions, of which one is among those that were compared; null where there are none.
    #[serde(default)]
    pub max_cosine: Option<f64>,
    /// Features whose largest cosine was found: all, or evenly spaced ones where all would take long.
    pub compared: usize,
    /// Those by their largest cosine.
    pub max_cosines: Histogram,
}

/// Lengths of the dictionary's rows, as codes are decoded by them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateDecoderNorms"))]
pub struct DecoderNorms {
    /// The smallest.
    pub min: f64,
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

impl DecoderNorms {
    /// Of so many lengths; none where there are none.
    pub(super) fn from_lengths(lengths: &[f64]) -> Option<Self> {
        let ascending = crate::order::sorted(lengths.iter().copied());
        let (min, max) = (*ascending.first()?, *ascending.last()?);
        let mean = ascending.iter().sum::<f64>() / ascending.len() as f64;
        Some(Self { min, median: quantile_of_ascending(&ascending, 0.5), mean, max })
    }
}

/// A row that is reconstructed worse than others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateWorstRow"))]
pub struct WorstRow {
    /// Its number from 0, in all files together, those that are left out among them.
    pub row: usize,
    /// ‖a‖.
    pub norm: f64,
    /// ‖a − â‖².
    pub squared_error: f64,
    /// Its part of Σ ‖a − â‖² over all rows.
    pub share: f64,
}

/// What an evaluation found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateReport"))]
pub struct EvaluationReport {
    /// The version of this program.
    pub version: String,
    /// What was read.
    pub files: Vec<InputFile>,
    /// Rows N that were scored.
    pub rows: usize,
    /// Rows that were left out, where some were asked to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub skipped: Option<SkippedRowCounts>,
    /// Width D.
    pub dimensions: usize,
    /// Dictionary size K.
    pub k: usize,
    /// Width of f's output.
    pub outputs: usize,
    /// What the autoencoder's files were recognised as, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub autoencoder: Option<Recognised>,
    /// How codes were made: an architecture, a way of coding, or "given".
    pub codes: String,
    /// Whether f is a readout that was given; otherwise it is the identity.
    pub readout_given: bool,
    /// S and L0.
    pub sparsity: Sparsity,
    /// F, in three modes, and its relatives.
    pub fidelity: Fidelity,
    /// C, by three readings.
    pub completeness: Vec<Completeness>,
    /// Rank of the dictionary.
    pub rank: usize,
    /// Activity of the features.
    pub features: FeatureActivity,
    /// Likeness of the directions.
    pub similarity: DirectionSimilarity,
    /// Lengths of the dictionary's rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub decoder_norms: Option<DecoderNorms>,
    /// The ten rows with the largest squared error, the largest first: those of first tokens and of padding, often.
    #[serde(default)]
    pub worst_rows: Vec<WorstRow>,
    /// Weights of the score.
    pub weights: Weights,
    /// The reading the score takes.
    pub reading: Reading,
    /// The variance the score's completeness divides by.
    pub variance: Variance,
    /// SFC (Eq. 4); null where an axis that has a weight has no value.
    pub sfc: Option<f64>,
    /// What a reader must know to read the numbers rightly, in sentences.
    pub notes: Vec<String>,
}

impl EvaluationReport {
    /// Scores what was measured anew: under `weights`, with the `mode` of fidelity, and with
    /// completeness by `reading` over `variance`; without one, by the reading that is taken where
    /// nobody asks for one. Nothing is read again.
    pub fn rescore(&mut self, weights: Weights, mode: FidelityMode, reading: Option<Reading>, variance: Variance) {
        let reading = reading.unwrap_or_else(|| self.default_reading());
        (self.weights, self.fidelity.mode) = (weights, mode);
        (self.reading, self.variance) = (reading, variance);
        let f = self.fidelity.scored_value();
        let s = self.sparsity.s;
        for one in &mut self.completeness {
            let axes = [Some(s), f, one.for_variance(variance)];
            let needed = axes.iter().zip(weights.values()).all(|(axis, w)| axis.is_some() || w == 0.0);
            let [s, f, c] = axes.map(|axis| axis.unwrap_or(0.0));
            one.sfc = needed.then(|| weights.sfc(s, f, c));
        }
        self.sfc = self.scored_completeness().and_then(|one| one.sfc);
    }

    /// The reading of completeness that is scored where nobody asks for one: the paper's, unless that
    /// is 1 whatever the dictionary has learnt.
    fn default_reading(&self) -> Reading {
        let paper = Reading::RowSpace;
        let says_nothing = |one: &Completeness| one.reading == paper && one.identically_one;
        if self.completeness.iter().any(says_nothing) { Reading::Reconstruction } else { paper }
    }

    /// The first measure that has a value, but none that is a finite number.
    pub(super) fn find_non_finite(&self) -> Option<(String, f64)> {
        let Self { sparsity, fidelity, similarity, .. } = self;
        let mut all = vec![
            ("S".to_owned(), Some(sparsity.s)),
            ("F by the mean cosine".to_owned(), Some(fidelity.cosine)),
            ("F by R²".to_owned(), fidelity.r2),
            ("F by 1 − the relative MSE".to_owned(), fidelity.one_minus_rel_mse),
            ("the fraction of variance explained".to_owned(), fidelity.frac_variance_explained),
            ("the shrinkage".to_owned(), fidelity.shrinkage),
            ("the mean largest cosine".to_owned(), similarity.mean_max_cosine),
        ];
        for one in &self.completeness {
            for variance in [Variance::Total, Variance::Grand] {
                let name = format!("C by {}, {} variance,", one.reading.name(), variance.name());
                all.push((name, one.for_variance(variance)));
            }
            all.push((format!("SFC by {}", one.reading.name()), one.sfc));
        }
        let values = all.into_iter().filter_map(|(name, value)| Some((name, value?)));
        values.into_iter().find(|(_, value)| !value.is_finite())
    }

    /// The completeness that the score takes, where that reading was made.
    #[must_use]
    pub fn scored_completeness(&self) -> Option<&Completeness> {
        self.completeness.iter().find(|one| one.reading == self.reading)
    }
}

impl Fidelity {
    /// F by the mode that the score takes.
    #[must_use]
    pub fn scored_value(&self) -> Option<f64> {
        match self.mode {
            FidelityMode::Cosine => Some(self.cosine),
            FidelityMode::R2 => self.r2,
            FidelityMode::RelMse => self.one_minus_rel_mse,
        }
    }
}

impl Completeness {
    /// C over one of the variances.
    #[must_use]
    pub fn for_variance(&self, variance: Variance) -> Option<f64> {
        match variance {
            Variance::Total => self.total,
            Variance::Grand => self.grand,
        }
    }
}
