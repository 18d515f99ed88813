use serde::Serialize;

use crate::papers::fade::metric::{Faithfulness, RatedDose, Reading};
use crate::statistics::StatisticsError;
use crate::study::user_file::{GivenRow, Reported, Table, format_cell, refused_table, reported_table};

/// What was found of a reader's files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeOwnReport"))]
pub struct UserReport {
    /// Every file, and whether it was read.
    pub files: Vec<GivenRow>,
    /// Scores of each feature of the arrays.
    pub features: Vec<UserFeature>,
    /// What FADE wrote, a folder a feature.
    pub folders: Vec<FolderReport>,
    /// What a reader must know to read the numbers rightly, in sentences.
    pub notes: Vec<String>,
}

/// A score in both readings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeScore"))]
pub struct UserScore {
    /// By the document, 0 to 1, or above it where its norm is literally that of activations other than 0; null where it has no value.
    pub document: Option<f64>,
    /// By the reference code, 0 to 1; null where it has no value.
    pub code: Option<f64>,
    /// Why a value is missing.
    pub why: Option<String>,
}

impl UserScore {
    pub(super) fn missing(why: &str) -> Self {
        Self { document: None, code: None, why: Some(why.to_owned()) }
    }

    /// In both readings; `none` says why where there is no value.
    pub(super) fn from_readings(score: impl Fn(Reading) -> Result<Option<f64>, StatisticsError>, none: &str) -> Self {
        let (document, code) = (score(Reading::Document), score(Reading::Code));
        let why = match (&document, &code) {
            (Err(error), _) | (_, Err(error)) => Some(error.to_string()),
            (Ok(Some(_)), Ok(Some(_))) => None,
            _ => Some(none.to_owned()),
        };
        Self { document: document.ok().flatten(), code: code.ok().flatten(), why }
    }

    pub(super) fn from_faithfulness(found: &Result<Faithfulness, StatisticsError>) -> Self {
        match found {
            Ok(found) if found.is_saturated => Self {
                document: Some(found.value),
                code: None,
                why: Some("all continuations at factor 0 express the concept: the code divides by 0 there".to_owned()),
            },
            Ok(found) => Self { document: Some(found.value), code: Some(found.value), why: None },
            Err(error) => Self::missing(&error.to_string()),
        }
    }
}

/// Texts by their label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeLabels"))]
pub struct LabelCounts {
    /// Labelled 0: the concept is not there.
    pub without: usize,
    /// Labelled 1: partially; in no score.
    pub partial: usize,
    /// Labelled 2: clearly there.
    pub with: usize,
    /// Labelled 3, which FADE's own check lets a rater say, though it asks for 0 to 2; in no score of
    /// activations.
    pub beyond: usize,
    /// Not labelled.
    pub unrated: usize,
}

impl LabelCounts {
    pub(super) fn from_labels(labels: impl Iterator<Item = u8>) -> Self {
        let mut counts = Self::default();
        for label in labels {
            let count = match label {
                0 => &mut counts.without,
                1 => &mut counts.partial,
                2 => &mut counts.with,
                3 => &mut counts.beyond,
                _ => &mut counts.unrated,
            };
            *count += 1;
        }
        counts
    }

    /// What purity is by chance.
    pub(super) fn chance_purity(self) -> Option<f64> {
        let both = self.with + self.without;
        (self.with > 0 && self.without > 0).then(|| self.with as f64 / both as f64)
    }
}

/// Continuations at one factor.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeDose"))]
pub struct UserDose {
    /// By what the feature was multiplied, or its largest activation.
    pub factor: f64,
    /// How many there are.
    pub continuations: usize,
    /// The share labelled 2; null without a continuation.
    pub share: Option<f64>,
}

impl UserDose {
    pub(super) fn from_dose(dose: &RatedDose) -> Self {
        Self { factor: dose.factor, continuations: dose.labels.len(), share: dose.clear_share() }
    }
}

/// A feature of a reader's arrays.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeOwnFeature"))]
pub struct UserFeature {
    /// Its column, from 0.
    pub feature: usize,
    /// Natural texts by label; null without activations.
    pub labels: Option<LabelCounts>,
    /// Texts that were made from the concept; null where their activations were not given.
    pub made: Option<usize>,
    /// Clarity.
    pub clarity: UserScore,
    /// Responsiveness.
    pub responsiveness: UserScore,
    /// Purity.
    pub purity: UserScore,
    /// How many texts a sample has, by the note and by the code; null where all are rated.
    pub rated: Option<[usize; 2]>,
    /// What purity is by chance: the share of texts labelled 2 among those labelled 0 and 2, of a sample by the code's.
    pub purity_by_chance: Option<f64>,
    /// Faithfulness.
    pub faithfulness: UserScore,
    /// Whether the code would go on to faithfulness; null where clarity or responsiveness is missing.
    pub gate: Option<bool>,
    /// What was rated at each factor.
    pub doses: Vec<UserDose>,
    /// The first factor with the largest share, where that is above the share at 0.
    pub best_factor: Option<f64>,
    /// What the code has in its place: the largest factor of all.
    pub largest_factor: Option<f64>,
}

/// What FADE wrote of a feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "FadeFolder"))]
pub struct FolderReport {
    /// The folder its files came in, without FADE's `data`; empty where they came in none.
    pub folder: String,
    /// Rated texts by label, where there are ratings.
    pub labels: Option<LabelCounts>,
    /// Texts that were made from the concept, where they are there.
    pub made: Option<usize>,
    /// What was rated at each factor.
    pub doses: Vec<UserDose>,
    /// Faithfulness, computed from the ratings.
    pub faithfulness: UserScore,
    /// The first factor with the largest share, where that is above the share at 0.
    pub best_factor: Option<f64>,
    /// Whether the code would go on to faithfulness, by what is computed anew or else by what is reported.
    pub gate: Option<bool>,
    /// Reported numbers beside those computed anew.
    pub rows: Vec<Reported>,
    /// What is to be known of the files, in sentences.
    pub notes: Vec<String>,
}

impl UserReport {
    /// All of it as text tables.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        if !self.features.is_empty() {
            tables.push(self.feature_table());
        }
        for folder in &self.folders {
            let title = match folder.folder.as_str() {
                "" => "What FADE wrote".to_owned(),
                name => format!("What FADE wrote: {name}"),
            };
            tables.push(reported_table(&title, &folder.rows));
        }
        tables.extend(refused_table(&self.files));
        tables
    }

    fn feature_table(&self) -> Table {
        let columns = [
            "feature",
            "clarity",
            "clarity_document",
            "responsiveness",
            "responsiveness_document",
            "purity",
            "purity_document",
            "purity_by_chance",
            "faithfulness",
            "faithfulness_document",
            "gate",
        ];
        let sampled = self.features.iter().any(|row| row.rated.is_some());
        let rated = ["rated", "rated_document"].into_iter().filter(|_| sampled);
        let columns: Vec<&str> = columns.into_iter().chain(rated).collect();
        let mut table = Table::new("Features", &columns);
        for row in &self.features {
            let mut cells = vec![row.feature.to_string()];
            for score in [&row.clarity, &row.responsiveness, &row.purity] {
                cells.extend([format_cell(score.code), format_cell(score.document)]);
            }
            cells.push(format_cell(row.purity_by_chance));
            cells.extend([format_cell(row.faithfulness.code), format_cell(row.faithfulness.document)]);
            let gate = row.gate.map(|passed| if passed { "passed" } else { "not passed" });
            cells.push(gate.unwrap_or("–").to_owned());
            if sampled {
                let [document, code] = row.rated.map_or([None; 2], |both| both.map(Some));
                cells.extend([code, document].map(|count| format_cell(count.map(|count| count as f64))));
            }
            table.rows.push(cells);
        }
        table
    }
}
