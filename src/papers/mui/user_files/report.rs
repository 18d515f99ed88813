//! What is found in files of neurons.

use serde::{Deserialize, Serialize};

use super::super::metric::{Direction, UseCounts, random_mui_of_share};
use super::law::UserLaw;
use super::proportion::ProportionRow;
use crate::study::user_file::{Table, format_cell};

/// Standard deviations of drawing by lot within which a number of neurons says nothing.
const SIGNIFICANT_DEVIATIONS_MIN: f64 = 3.0;

/// All that a reader's files come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiOwn"))]
pub struct UserResults {
    /// What there is to say, a sentence each.
    pub said: Vec<String>,
    /// Models of a table, and the law over them.
    pub law: Option<UserLaw>,
    /// Files of neurons, in their order.
    pub files: Vec<NeuronsResult>,
    /// From each file of neurons to the next.
    pub steps: Vec<FileComparison>,
    /// Rows of `proportion/result.csv`.
    pub proportions: Vec<ProportionRow>,
    /// What was assumed or left out, a sentence each.
    pub notes: Vec<String>,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiNeuronsKind"))]
#[serde(rename_all = "kebab-case")]
pub enum FileContents {
    /// Scores of neurons, an answer a line or the rows of an array.
    Scores,
    /// Activations of features.
    Features,
    /// Sets of neurons, an answer each.
    Sets,
    /// One set, of all answers together.
    Union,
}

/// A file of neurons: shares are of all neurons, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiNeurons"))]
pub struct NeuronsResult {
    /// Its name.
    pub file: String,
    /// What it holds.
    pub holds: FileContents,
    /// How many answers; none of a union.
    pub answers: Option<usize>,
    /// Layers of the model.
    pub layers: usize,
    /// Neurons of each.
    pub neurons: usize,
    /// From what score on a neuron counts, in words; none without scores.
    pub threshold: Option<String>,
    /// Neurons that some answer uses.
    pub used: usize,
    /// The index, by the paper's reading: all scores above 0 that reach the threshold.
    pub mui: f64,
    /// By the code's: ties cut off, whatever the sign; none without scores.
    pub mui_code: Option<f64>,
    /// The index if every answer drew as many neurons by lot; none of a union.
    pub by_lot: Option<f64>,
    /// Neurons of a layer that an answer uses, in the mean.
    pub mean_k: Option<f64>,
    /// Performance in percent: stated, or the share of right answers among those told.
    pub performance: Option<f64>,
    /// Answers told to be right, and told at all.
    pub right: usize,
    /// How many are told to be right or wrong.
    pub told: usize,
    /// The index of right answers alone.
    pub mui_correct: Option<f64>,
    /// The same by the code's reading.
    pub mui_correct_code: Option<f64>,
    /// Right answers against wrong ones, equally many of each.
    pub equally: Option<EqualCountMui>,
    /// P / MUI^α, both in percent.
    pub pur: Option<f64>,
    /// The index of 1, 2, … answers in the mean over all choices of so many.
    pub growth: Vec<GrowthPoint>,
    /// The index at other thresholds.
    pub thresholds: Vec<ThresholdResult>,
    /// Of each layer, the share of its neurons that is used.
    pub by_layer: Vec<f64>,
}

/// The index of right answers and of wrong ones, in the mean over all choices of so many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiEqually"))]
pub struct EqualCountMui {
    /// How many of each: as many as there are of the rarer kind.
    pub answers: usize,
    /// Of right answers.
    pub right: f64,
    /// Of wrong ones.
    pub wrong: f64,
}

/// The index of so many answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiGrowthPoint"))]
pub struct GrowthPoint {
    /// How many.
    pub answers: usize,
    /// In the mean over all choices of so many.
    pub mui: f64,
    /// If each drew as many neurons by lot: 1 − (1 − k/N)ᵀ at the file's own mean k.
    pub by_lot: f64,
}

/// The index at a threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiThresholdFound"))]
pub struct ThresholdResult {
    /// In words.
    pub threshold: String,
    /// By the paper's reading.
    pub mui: f64,
    /// By the code's.
    pub mui_code: f64,
}

/// From a file of neurons to the next, at equally many answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiStepFound"))]
pub struct FileComparison {
    /// The first file.
    pub from: String,
    /// The second.
    pub to: String,
    /// At how many answers the indices are compared; none where one is a union.
    pub answers: Option<usize>,
    /// Performance before and after, in percent.
    pub performance: Option<[f64; 2]>,
    /// The index before and after, as shares.
    pub mui: [f64; 2],
    /// Where the model went; none without performance.
    #[cfg_attr(
        feature = "types",
        ts(type = "'evolving' | 'accumulating' | 'coarsening' | 'collapsing' | 'undetermined' | null")
    )]
    pub direction: Option<Direction>,
    /// Neurons that both use, as a share of those that either uses; none where the models have other sizes.
    pub jaccard: Option<f64>,
    /// The same if each drew its neurons by lot, as many of each layer.
    pub jaccard_by_lot: Option<f64>,
}

/// Numbers of answers at which growth is shown: 1, 2, 3, 5, 7, 10, …, and all.
pub(super) fn growth_counts(all: usize) -> Vec<usize> {
    let mut counts = Vec::new();
    let mut ten = 1usize;
    while ten <= all {
        counts.extend([10, 15, 20, 30, 50, 70].map(|tenths| tenths * ten / 10));
        ten = ten.saturating_mul(10);
    }
    counts.push(all);
    counts.retain(|count| (1..=all).contains(count));
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// How the index of some answers grows, and how it would by lot.
pub(super) fn growth_points(uses: &UseCounts) -> Vec<GrowthPoint> {
    let (growth, share) = (uses.mean_growth(), uses.mean_share_per_answer());
    let point =
        |answers| GrowthPoint { answers, mui: growth.mui_at(answers), by_lot: random_mui_of_share(share, answers) };
    growth_counts(uses.answer_count()).into_iter().map(point).collect()
}

/// The Jaccard index to be expected of two sets that draw so many of the neurons of each layer: what they are
/// expected to share, of the rest of their sum.
pub(super) fn random_jaccard(here: &UseCounts, there: &UseCounts, neurons: usize) -> Option<f64> {
    let (a, b) = (here.count_used_by_layer(), there.count_used_by_layer());
    let both: f64 = a.iter().zip(&b).map(|(a, b)| *a as f64 * *b as f64 / neurons.max(1) as f64).sum();
    let all = (here.count_used() + there.count_used()) as f64;
    (all > 0.0).then(|| both / (all - both))
}

/// "12.3", a share as percent.
pub(super) fn format_percent(share: f64) -> String {
    let value = 100.0 * share;
    if value != 0.0 && value < 0.1 { format!("{value:.4}") } else { format!("{value:.2}") }
}

impl NeuronsResult {
    /// What there is to say of it.
    pub(super) fn describe(&self) -> String {
        let Self { file, used, mui, .. } = self;
        let (all, index) = (self.layers * self.neurons, format_percent(*mui));
        let Some((answers, lot)) = self.answers.zip(self.by_lot) else {
            return format!(
                "{file}: {used} of {all} neurons are used, MUI {index} %. The number of answers is not given."
            );
        };
        let lot_words = format_percent(lot);
        // Neurons that draw for themselves would vary so; of fixed numbers an answer they vary less.
        let deviation = (lot * (1.0 - lot) / all.max(1) as f64).sqrt();
        let verdict = if (mui - lot).abs() <= SIGNIFICANT_DEVIATIONS_MIN * deviation {
            "as many as a random baseline"
        } else if lot > *mui {
            "fewer than a random baseline, so answers share neurons"
        } else {
            "more than a random baseline"
        };
        let one = if answers == 1 { "answer uses" } else { "answers use" };
        format!(
            "{file}: {answers} {one} {used} of {all} neurons, MUI {index} %; a random baseline gives {lot_words} %: {verdict}."
        )
    }
}

impl FileComparison {
    /// What there is to say of it.
    pub(super) fn describe(&self) -> String {
        let Self { from, to, mui: [before, after], .. } = self;
        let at = match self.answers {
            Some(answers) => format!(" at {answers} answers each"),
            None => String::new(),
        };
        let index = format!("MUI goes from {} % to {} %{at}", format_percent(*before), format_percent(*after));
        let direction = match (self.performance, self.direction) {
            (Some([before, after]), Some(direction)) => {
                format!("performance from {before:.1} % to {after:.1} %: {}", direction.name())
            }
            _ => "without performance there is no direction".to_owned(),
        };
        let shared = match self.jaccard.zip(self.jaccard_by_lot) {
            Some((found, lot)) => format!(
                " Of the neurons that either uses, {} % are used by both; random baseline {} %.",
                format_percent(found),
                format_percent(lot)
            ),
            None => String::new(),
        };
        format!("From {from} to {to}: {index}; {direction}.{shared}")
    }
}

impl UserResults {
    /// All of it as text tables.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        let count = |value: Option<usize>| value.map_or("–".to_owned(), |value| value.to_string());
        if !self.files.is_empty() {
            let columns = [
                "file",
                "answers",
                "layers",
                "neurons",
                "threshold",
                "used",
                "mui",
                "mui_code",
                "by_lot",
                "performance",
                "mui_correct",
                "pur",
            ];
            let mut table = Table::new("Files of neurons: shares of all neurons, performance in percent", &columns);
            for found in &self.files {
                let mut row = vec![found.file.clone(), count(found.answers)];
                row.extend([found.layers, found.neurons].map(|value| value.to_string()));
                row.push(found.threshold.clone().unwrap_or_else(|| "–".to_owned()));
                row.push(found.used.to_string());
                let shares =
                    [Some(found.mui), found.mui_code, found.by_lot, found.performance, found.mui_correct, found.pur];
                row.extend(shares.map(format_cell));
                table.rows.push(row);
            }
            tables.push(table);
        }
        if !self.steps.is_empty() {
            let columns = ["from", "to", "answers", "mui before", "after", "direction", "jaccard", "by_lot"];
            let mut table = Table::new("From file to file, at equally many answers", &columns);
            for step in &self.steps {
                let mut row = vec![step.from.clone(), step.to.clone(), count(step.answers)];
                row.extend(step.mui.map(|share| format_cell(Some(share))));
                row.push(step.direction.map_or("–", Direction::name).to_owned());
                row.extend([step.jaccard, step.jaccard_by_lot].map(format_cell));
                table.rows.push(row);
            }
            tables.push(table);
        }
        for found in &self.files {
            tables.extend(found.tables());
        }
        if let Some(UserLaw { law, .. }) = &self.law {
            let mut table =
                Table::new("The law MUI = a ln P + b, in percent", &["a", "b", "r", "p", "models", "MUI at 100 %"]);
            let numbers = [Some(law.a), Some(law.b), law.r, law.p, Some(law.models as f64), Some(law.at_100)];
            table.rows.push(numbers.map(format_cell).to_vec());
            tables.push(table);
        }
        if !self.proportions.is_empty() {
            let columns = ["model", "task", "scored by", "mode", "val", "mui", "overlap", "recomputed"];
            let mut table = Table::new("What MUI-Eval reports", &columns);
            for row in &self.proportions {
                let words = [&row.model, &row.task, row.scored_by.as_ref().unwrap_or(&row.mode), &row.mode];
                let mut cells: Vec<String> = words.into_iter().cloned().collect();
                cells.extend([Some(row.value), Some(row.mui), row.overlap, row.recomputed].map(format_cell));
                table.rows.push(cells);
            }
            tables.push(table);
        }
        tables
    }
}

impl NeuronsResult {
    /// Growth, thresholds and layers.
    fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        if !self.growth.is_empty() {
            let mut table = Table::new(&format!("{}: growth", self.file), &["answers", "mui", "by_lot"]);
            for point in &self.growth {
                let mut row = vec![point.answers.to_string()];
                row.extend([point.mui, point.by_lot].map(|share| format_cell(Some(share))));
                table.rows.push(row);
            }
            tables.push(table);
        }
        if !self.thresholds.is_empty() {
            let mut table = Table::new(&format!("{}: thresholds", self.file), &["threshold", "mui", "mui_code"]);
            for found in &self.thresholds {
                let mut row = vec![found.threshold.clone()];
                row.extend([found.mui, found.mui_code].map(|share| format_cell(Some(share))));
                table.rows.push(row);
            }
            tables.push(table);
        }
        let mut table = Table::new(&format!("{}: layers", self.file), &["layer", "share used"]);
        for (layer, share) in self.by_layer.iter().enumerate() {
            table.rows.push(vec![layer.to_string(), format_cell(Some(*share))]);
        }
        tables.push(table);
        tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_shown_at_few_counts_and_at_all() {
        assert!(growth_counts(0).is_empty());
        assert_eq!(growth_counts(1), [1]);
        assert_eq!(growth_counts(12), [1, 2, 3, 5, 7, 10, 12]);
        assert_eq!(growth_counts(1_000).last(), Some(&1_000));
        assert!(growth_counts(1_000_000).len() < 40);
    }

    #[test]
    fn shares_are_told_in_percent() {
        assert_eq!([0.0, 0.5, 0.000_12, 1.0].map(format_percent), ["0.00", "50.00", "0.0120", "100.00"]);
    }
}
