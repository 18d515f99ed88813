//! What a measurement comes to.

use serde::{Deserialize, Serialize};

use super::experiment::Experiments;
use super::measure::Index;
use super::own::OwnFound;
use super::settings::Settings;
use super::training::Trained;

/// A task's index at a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiTaskFound"))]
pub struct TaskFound {
    /// The task's name.
    pub task: String,
    /// Share of right answers.
    pub accuracy: f64,
    /// Share of all neurons that some answer uses.
    pub mui: f64,
    /// The same of right answers alone.
    pub mui_correct: f64,
}

impl TaskFound {
    /// Of a task.
    #[must_use]
    pub fn of(task: &str, index: Index) -> Self {
        let Index { accuracy, mui, mui_correct } = index;
        Self { task: task.to_owned(), accuracy, mui, mui_correct }
    }

    /// Performance and index in percent, as the law has them.
    #[must_use]
    pub fn percent(&self) -> (f64, f64) {
        (100.0 * self.accuracy, 100.0 * self.mui)
    }
}

/// A checkpoint's tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiCheckpointFound"))]
pub struct CheckpointFound {
    /// Its name.
    pub checkpoint: String,
    /// In the tasks' order.
    pub tasks: Vec<TaskFound>,
}

impl CheckpointFound {
    /// A task's.
    #[must_use]
    pub fn task(&self, name: &str) -> Option<&TaskFound> {
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiGrowth"))]
pub struct Growth {
    /// After 1, 2, … answers of the opened task.
    pub task: Vec<f64>,
    /// After 1, 2, … answers of all tasks, one of each in turn.
    pub mixed: Vec<f64>,
}

/// A measurement, as far as it has come: the paper's tables need none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiReport"))]
pub struct Report {
    /// What was wanted.
    pub settings: Settings,
    /// In the order of the shipped checkpoints.
    pub checkpoints: Vec<CheckpointFound>,
    /// Of the opened checkpoint.
    pub growth: Option<Growth>,
    /// What the paper's corollaries ask.
    #[serde(default)]
    pub experiments: Experiments,
    /// Models that were trained here, in the order in which they were begun.
    #[serde(default)]
    pub trained: Vec<Trained>,
    /// What a reader's own files hold.
    #[serde(default)]
    pub own: Option<OwnFound>,
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
    pub fn opened(&self) -> Option<&CheckpointFound> {
        self.checkpoints.iter().find(|found| found.checkpoint == self.settings.checkpoint)
    }

    /// Takes a checkpoint's tasks, in the place of earlier ones of its name.
    pub fn add(&mut self, found: CheckpointFound) {
        self.checkpoints.retain(|other| other.checkpoint != found.checkpoint);
        self.checkpoints.push(found);
        self.order();
    }

    /// In the order of the shipped checkpoints, in whichever they came.
    pub fn order(&mut self) {
        let place = |found: &CheckpointFound| {
            crate::toy_model::CHECKPOINTS.iter().position(|name| *name == found.checkpoint)
        };
        self.checkpoints.sort_by_key(place);
    }
}
