//! What a measurement comes to.

use serde::{Deserialize, Serialize};

use super::experiment::Experiments;
use super::measure::TaskMeasurement;
use super::settings::Settings;
use super::training::TrainingHistory;
use super::user_files::UserResults;

/// A checkpoint's tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiCheckpointFound"))]
pub struct CheckpointMeasurement {
    /// Its name.
    pub checkpoint: String,
    /// In the tasks' order.
    pub tasks: Vec<TaskMeasurement>,
}

impl CheckpointMeasurement {
    /// A task's.
    #[must_use]
    pub fn task(&self, name: &str) -> Option<&TaskMeasurement> {
        self.tasks.iter().find(|found| found.task == name)
    }

    /// Steps of the one training that was shipped; none of another one.
    #[must_use]
    pub fn steps(&self) -> Option<u32> {
        self.checkpoint.strip_prefix("ck-")?.parse().ok()
    }
}

/// How the index grows with the number of answers, at the opened checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiGrowth"))]
pub struct GrowthCurves {
    /// After 1, 2, … answers of the opened task.
    pub task: Vec<f64>,
    /// After 1, 2, … answers of all tasks, one of each in turn.
    pub mixed: Vec<f64>,
}

/// A measurement, as far as it has come: the paper's tables need none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiReport"))]
pub struct Report {
    /// What was wanted.
    pub settings: Settings,
    /// In the order of the shipped checkpoints.
    pub checkpoints: Vec<CheckpointMeasurement>,
    /// Of the opened checkpoint.
    pub growth: Option<GrowthCurves>,
    /// What the paper's corollaries ask.
    #[serde(default)]
    pub experiments: Experiments,
    /// Models that were trained here, in the order in which they were begun.
    #[serde(default)]
    pub trained: Vec<TrainingHistory>,
    /// What a reader's own files hold.
    #[serde(default)]
    pub own: Option<UserResults>,
}

impl Report {
    /// Of nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            checkpoints: Vec::new(),
            growth: None,
            experiments: Experiments::default(),
            trained: Vec::new(),
            own: None,
        }
    }

    /// The opened checkpoint.
    #[must_use]
    pub fn selected_checkpoint(&self) -> Option<&CheckpointMeasurement> {
        self.checkpoints.iter().find(|found| found.checkpoint == self.settings.checkpoint)
    }

    /// Takes a checkpoint's tasks, in the place of earlier ones of its name.
    pub fn add_checkpoint(&mut self, found: CheckpointMeasurement) {
        self.checkpoints.retain(|other| other.checkpoint != found.checkpoint);
        self.checkpoints.push(found);
        self.sort_checkpoints();
    }

    /// In the order of the shipped checkpoints, in whichever they came.
    pub fn sort_checkpoints(&mut self) {
        let place = |found: &CheckpointMeasurement| {
            crate::toy_model::CHECKPOINTS.iter().position(|name| *name == found.checkpoint)
        };
        self.checkpoints.sort_by_key(place);
    }
}
