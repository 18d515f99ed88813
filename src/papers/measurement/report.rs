//! What a measurement comes to.

use serde::{Deserialize, Serialize};

use super::detail_view::DetailView;
use super::settings::Settings;
use super::validation::{MeasurementRecord, ValidationPart, merge_records};

/// A measurement, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementReport"))]
pub struct Report {
    /// What was wanted.
    pub settings: Settings,
    /// Parts that are there, by name, each with its lines.
    #[serde(default)]
    pub parts: Vec<PartResult>,
    /// The metric that is opened.
    #[serde(default)]
    pub picture: Option<DetailView>,
    /// Which of its built cases is shown, from 0.
    #[serde(default)]
    pub case: usize,
}

/// A part, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MeasurementPart"))]
pub struct PartResult {
    /// Its name: "features-0".
    pub part: String,
    /// What is measured.
    pub lines: Vec<MeasurementRecord>,
}

impl Report {
    /// Of nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, parts: Vec::new(), picture: None, case: 0 }
    }

    /// The parts that the settings ask for.
    #[must_use]
    pub fn required_parts(&self) -> Vec<ValidationPart> {
        ValidationPart::all_for_seeds(self.settings.seeds)
    }

    /// How many of them are there, and how many there are.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let wanted = self.required_parts();
        let there = |part: &&ValidationPart| self.parts.iter().any(|found| found.part == part.key());
        (wanted.iter().filter(there).count(), wanted.len())
    }

    /// Whether all of them are there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let (done, all) = self.progress();
        done == all
    }

    /// All lines, those of one thing in one, in whichever order parts came.
    #[must_use]
    pub fn records(&self) -> Vec<MeasurementRecord> {
        let wanted = self.required_parts();
        let found = wanted.iter().filter_map(|part| {
            let found = self.parts.iter().find(|found| found.part == part.key())?;
            Some(found.lines.clone())
        });
        merge_records(found)
    }
}
