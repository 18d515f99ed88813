use serde::{Deserialize, Serialize};

/// One printed number of the paper beside ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Cell {
    /// "Table 3", "Table 4", "Table 5", "Table 6" or "Figure 4".
    pub table: String,
    /// Row label, e.g. "λ = 0.85", "Equal (1:1:1)", "Large", "K = 48".
    pub row: String,
    /// Column label, e.g. "SFC".
    pub column: String,
    /// As the paper prints it.
    pub printed: CellValue,
    /// As we compute it, at full precision.
    pub computed: CellValue,
    /// Whether the computed value rounds to the printed one at the printed digits.
    pub agrees: bool,
}

/// A printed value: a number or a word (the winner's name, "8/8").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "Printed"))]
#[serde(untagged)]
pub enum CellValue {
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
}
