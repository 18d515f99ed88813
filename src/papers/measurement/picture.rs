//! One metric opened: what is measured of what the settings choose, with the pictures of it as data.

use serde::{Deserialize, Serialize};

/// A metric, opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementPicture"))]
pub struct Picture {
    /// Its id: "m07".
    pub metric: String,
    /// What was found: quantities by the names that the metric's result and its conditions have, both readings.
    pub quantities: Vec<Quantity>,
    /// Pictures, the one that says most first; one to three.
    pub panels: Vec<Panel>,
}

/// A number by its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementQuantity"))]
pub struct Quantity {
    /// Its name: "agreement_code".
    pub name: String,
    /// What it is measured of: "topk256", "random256", "found circuit".
    pub subject: String,
    /// The number; none where there is none.
    pub value: Option<f64>,
}

/// One picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementPanel"))]
pub struct Panel {
    /// A heading: "Where each feature's nearest stands".
    pub title: String,
    /// One sentence with its key numbers.
    pub summary: String,
    /// What is shown, and how to read it.
    pub caption: String,
    /// The data.
    pub shown: Shown,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementShown"))]
pub enum Shown {
    /// Points or lines, one quantity against another.
    Plane {
        /// The horizontal axis.
        x: String,
        /// The vertical one.
        y: String,
        /// What is drawn.
        series: Vec<PlaneSeries>,
        /// Limits that the metric holds values of the vertical axis against.
        limits: Vec<Limit>,
    },
    /// How often values fall where.
    Histogram {
        /// What the values are.
        x: String,
        /// Each with its values.
        series: Vec<NamedValues>,
        /// Limits that the metric holds the values against.
        limits: Vec<Limit>,
    },
    /// Rows of words and numbers.
    Table {
        /// Headings.
        columns: Vec<String>,
        /// Each as long as there are columns.
        rows: Vec<Vec<Cell>>,
    },
}

/// A series of a plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementSeries"))]
pub struct PlaneSeries {
    /// Its name.
    pub name: String,
    /// Whether its points are joined, in their order.
    pub joined: bool,
    /// Whether it is a control or a chance level: drawn in grey.
    pub control: bool,
    /// Points, with what each one is where there is something to say.
    pub points: Vec<(f64, f64, String)>,
}

/// Values with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementValues"))]
pub struct NamedValues {
    /// Their name.
    pub name: String,
    /// Whether they are a control or a chance level.
    pub control: bool,
    /// The values.
    pub values: Vec<f64>,
}

/// A limit, or another number to hold values against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementLimit"))]
pub struct Limit {
    /// What it is: "passes above", "Welch bound".
    pub name: String,
    /// Where.
    pub at: f64,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MeasurementCell"))]
pub enum Cell {
    /// A number, written to three decimals.
    Number(f64),
    /// Words.
    Words(String),
}
