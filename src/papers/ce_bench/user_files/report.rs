use serde::Serialize;

use crate::papers::ce_bench::figures::describe_marks;
use crate::papers::ce_bench::metric::{Reading, Scores};
use crate::study::user_file::{GivenRow, Table, format_cell, refused_table};

/// What was found of `results.json` files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchResultsReport"))]
pub struct ResultsReport {
    /// Every file, and whether it was read.
    pub files: Vec<GivenRow>,
    /// A row a file, the highest share of what its width allows first; those without a width last.
    pub rows: Vec<ResultRow>,
    /// What becomes of the sum over all of them.
    pub claim: SumClaim,
    /// What a reader must know to read the numbers rightly, in sentences.
    pub notes: Vec<String>,
}

/// How often the interpretability score is what the README says: the sum of the two others.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchSumClaim"))]
pub struct SumClaim {
    /// Files with all three scores.
    pub files: usize,
    /// Those where the sum holds.
    pub holds: usize,
    /// Those whose interpretability score is above the larger of the two others.
    pub above_both: usize,
    /// Those with a score above the largest that the width allows.
    pub above_bound: usize,
    /// The least difference of interpretability score and sum.
    pub least: Option<f64>,
    /// The greatest.
    pub greatest: Option<f64>,
    /// How far, as a share of the larger, numbers may be apart that are called the same.
    pub tolerance: f64,
}

/// One dictionary's results, as its file reports them and beside what comes of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchResultRow"))]
pub struct ResultRow {
    /// Its place, from 1: by the share of what the width allows that its interpretability score is.
    pub rank: Option<usize>,
    /// The file.
    pub file: String,
    /// The dictionary: release and identifier, or what else names it.
    pub sae: String,
    /// Whether the folders that the file came in say the same; null where it came in none.
    pub folder_agrees: Option<bool>,
    /// The data set of stories, where the file says it.
    pub dataset: Option<String>,
    /// Pairs of stories (`total_rows`).
    #[cfg_attr(feature = "types", ts(type = "number | null"))]
    pub pairs: Option<u64>,
    /// Latents (`d_sae`).
    #[cfg_attr(feature = "types", ts(type = "number | null"))]
    pub latents: Option<u64>,
    /// The model, where the file says it.
    pub model: Option<String>,
    /// The contrastive score.
    pub contrastive: Option<f64>,
    /// The independent score.
    pub independence: Option<f64>,
    /// The interpretability score.
    pub interpretability: Option<f64>,
    /// The sum of the first two.
    pub sum: Option<f64>,
    /// Interpretability score less sum.
    pub difference: Option<f64>,
    /// Whether they are the same.
    pub sum_holds: Option<bool>,
    /// Whether the interpretability score is above the larger of the others.
    pub above_both: Option<bool>,
    /// The largest z-score that so many latents allow, (D − 1)/√D: the newest program's.
    pub bound: Option<f64>,
    /// The same of the older program, √(D − 1).
    pub bound_ddof0: Option<f64>,
    /// The contrastive score as a share of `bound`.
    pub contrastive_share: Option<f64>,
    /// The independent score as a share of it.
    pub independence_share: Option<f64>,
    /// The interpretability score as a share of it.
    pub interpretability_share: Option<f64>,
    /// Whether no score is above it.
    pub within_bound: Option<bool>,
    /// Why something is missing.
    pub why: Option<String>,
}

impl ResultsReport {
    /// All of it as text tables.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let columns = [
            "rank",
            "sae",
            "latents",
            "pairs",
            "contrastive",
            "independence",
            "interpretability",
            "sum",
            "difference",
            "bound",
            "contrastive_share",
            "independence_share",
            "interpretability_share",
        ];
        let mut table = Table::new("Results, by interpretability as a share of its bound", &columns);
        let count = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |n| n.to_string());
        for row in &self.rows {
            let mut cells = vec![
                row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
                row.sae.clone(),
                count(row.latents),
                count(row.pairs),
            ];
            let numbers = [
                row.contrastive,
                row.independence,
                row.interpretability,
                row.sum,
                row.difference,
                row.bound,
                row.contrastive_share,
                row.independence_share,
                row.interpretability_share,
            ];
            cells.extend(numbers.map(format_cell));
            table.rows.push(cells);
        }
        let mut tables = vec![table];
        tables.extend(refused_table(&self.files));
        tables
    }
}

impl SumClaim {
    /// In a sentence.
    #[must_use]
    pub fn describe(&self) -> String {
        let Self { files, holds, above_both, .. } = self;
        let range = match (self.least, self.greatest) {
            (Some(least), Some(greatest)) => {
                format!(" It differs from the sum by {} to {}.", format_cell(Some(greatest)), format_cell(Some(least)))
            }
            _ => String::new(),
        };
        format!(
            "The interpretability score is the sum of the two others in {holds} of {files} files, and above \
             the larger of them in {above_both}.{range}"
        )
    }
}

/// Scores of a reader's own activations.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchOwnReport"))]
pub struct UserReport {
    /// Every file, and whether it was read.
    pub files: Vec<GivenRow>,
    /// Latents D.
    pub latents: usize,
    /// The means over the pairs, a row a reading.
    pub readings: Vec<ReadingMeans>,
    /// Every pair.
    pub pairs: Vec<UserPair>,
    /// What a reader must know to read the numbers rightly, in sentences.
    pub notes: Vec<String>,
}

/// Means over the pairs in one reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchOwnReading"))]
pub struct ReadingMeans {
    /// Which.
    #[cfg_attr(feature = "types", ts(type = "'v1_marked' | 'code_head' | 'readme' | 'paper'"))]
    pub reading: Reading,
    /// Whether its independence holds marked tokens against the others; without marks where not.
    pub reads_marks: bool,
    /// Pairs that have scores in it.
    pub pairs: usize,
    /// Mean contrastive score.
    pub contrastive: Option<f64>,
    /// Mean independent score.
    pub independence: Option<f64>,
    /// Mean interpretability score.
    pub interpretability: Option<f64>,
    /// The largest z-score that so many latents allow; null where the reading has no z-scores.
    pub bound: Option<f64>,
    /// The contrastive score as a share of it.
    pub contrastive_share: Option<f64>,
    /// The independent score as a share of it.
    pub independence_share: Option<f64>,
    /// The interpretability score as a share of it.
    pub interpretability_share: Option<f64>,
    /// Why a score is missing, or is of some pairs only.
    pub why: Option<String>,
}

/// Where a pair's marks come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchMarksFrom"))]
#[serde(rename_all = "kebab-case")]
pub enum MarksSource {
    /// From arrays of marks.
    Arrays,
    /// From tags of the stories, over tokens that were given.
    Tokens,
    /// From tags of the stories, over their words.
    Words,
}

/// A pair of stories.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchOwnPair"))]
pub struct UserPair {
    /// What names say of it: "0".
    pub pair: String,
    /// The subject, where its entry says it.
    pub subject: Option<String>,
    /// Tokens of each story.
    pub tokens: [usize; 2],
    /// Marked ones; null where nothing is known of marks.
    pub marked: Option<[usize; 2]>,
    /// Where marks come from.
    pub marks_from: Option<MarksSource>,
    /// Scores in each reading that there are.
    pub scores: Vec<ReadingScores>,
    /// Why a reading is missing.
    pub why: Option<String>,
}

/// A pair's scores in one reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CeBenchOwnScores"))]
pub struct ReadingScores {
    /// Which.
    #[cfg_attr(feature = "types", ts(type = "'v1_marked' | 'code_head' | 'readme' | 'paper'"))]
    pub reading: Reading,
    /// How far the stories are apart; null where that is no number (one latent alone, ddof 1).
    pub contrastive: Option<f64>,
    /// How far marked tokens are from unmarked ones, or what the reading has instead.
    pub independence: Option<f64>,
    /// Both together.
    pub interpretability: Option<f64>,
    /// The first latent with the largest difference between the stories, from 0.
    pub contrastive_latent: usize,
    /// That with the largest difference of the other kind.
    pub independence_latent: usize,
}

impl ReadingScores {
    pub(super) fn from_scores(reading: Reading, scores: &Scores) -> Self {
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        Self {
            reading,
            contrastive: finite(scores.contrastive),
            independence: finite(scores.independence),
            interpretability: finite(scores.interpretability),
            contrastive_latent: scores.contrastive_latent,
            independence_latent: scores.independence_latent,
        }
    }
}

impl UserReport {
    /// All of it as text tables.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let columns = [
            "reading",
            "marks",
            "pairs",
            "contrastive",
            "independence",
            "interpretability",
            "bound",
            "contrastive_share",
            "independence_share",
            "interpretability_share",
        ];
        let mut table = Table::new("Scores, means over the pairs", &columns);
        for row in &self.readings {
            let mut cells =
                vec![row.reading.name().to_owned(), describe_marks(row.reading).to_owned(), row.pairs.to_string()];
            let numbers = [
                row.contrastive,
                row.independence,
                row.interpretability,
                row.bound,
                row.contrastive_share,
                row.independence_share,
                row.interpretability_share,
            ];
            cells.extend(numbers.map(format_cell));
            table.rows.push(cells);
        }
        vec![table]
    }
}
