//! Points ranked by dominance, as several charts show them.

use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::DataTable;
use crate::plot::format::fixed3;

/// A point of the Pareto instrument.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedPoint {
    /// S, F, C.
    pub at: [f64; 3],
    /// Written beside it, e.g. "0.85".
    pub label: String,
    /// Its name, e.g. "λ = 0.85".
    pub title: String,
    /// Its place among all points: its colour.
    pub order: usize,
    /// Whether no other point dominates it.
    pub on_front: bool,
    /// One that dominates it, if any does.
    pub by: Option<usize>,
    /// What the front's volume would lose without it.
    pub contribution: f64,
}

impl RankedPoint {
    /// "on the front, +0.012" or "dominated by λ = 0.95".
    pub(crate) fn describe_rank(&self, all: &[Self]) -> String {
        match self.by.and_then(|by| all.get(by)) {
            Some(by) => format!("dominated by {}", by.title),
            None => format!("on the front, alone {}", fixed3(self.contribution)),
        }
    }
}

/// The points with their ranks as a table.
pub(crate) fn data_table(points: &[RankedPoint]) -> DataTable {
    let columns = ["Point", "Standing", "S", "F", "C"].map(str::to_owned).to_vec();
    let row = |p: &RankedPoint| {
        let [s, f, c] = p.at.map(fixed3);
        vec![p.title.clone(), p.describe_rank(points), s, f, c]
    };
    DataTable::from_texts(2, columns, points.iter().map(row).collect())
}

/// The points with their ranks, typed.
pub(crate) fn named_values(points: &[RankedPoint]) -> Vec<NamedValues> {
    let column =
        |title: &str, value: &dyn Fn(&RankedPoint) -> DataValue| (title.to_owned(), points.iter().map(value).collect());
    vec![
        column("Point", &|p| DataValue::from(p.title.as_str())),
        column("S", &|p| DataValue::from(p.at[0])),
        column("F", &|p| DataValue::from(p.at[1])),
        column("C", &|p| DataValue::from(p.at[2])),
        column("on the front", &|p| DataValue::Flag(p.on_front)),
        column("exclusive contribution", &|p| DataValue::from(p.contribution)),
        column("dominated by", &|p| {
            DataValue::from(p.by.and_then(|by| points.get(by)).map(|other| other.title.as_str()))
        }),
    ]
}
