//! `proportion/result.csv`, where MUI-Eval's program leaves what it found.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::super::metric::{CODE_ENTRIES_MAX, Threshold};
use crate::study::user_file::UserFileError;

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiProportion"))]
pub struct ProportionRow {
    /// The model, by MUI-Eval's name of it.
    pub model: String,
    /// The task.
    pub task: String,
    /// How neurons were scored: "score", "activate", "grad", …; none for features of an autoencoder.
    pub scored_by: Option<String>,
    /// "topk", "topscore" or "global_topk".
    pub mode: String,
    /// The threshold's number.
    pub value: f64,
    /// The index, as a share.
    pub mui: f64,
    /// Used neurons as a share of the most that the threshold allows over so many answers; none where the file
    /// does not say it.
    pub overlap: Option<f64>,
    /// The index that was computed anew, in the code's reading, where the file of neurons was given too.
    pub recomputed: Option<f64>,
}

impl ProportionRow {
    /// Its threshold, where it is one that is known.
    pub(super) fn threshold(&self) -> Option<Threshold> {
        let whole = (1.0..=CODE_ENTRIES_MAX as f64).contains(&self.value) && self.value.fract() == 0.0;
        match self.mode.as_str() {
            "topk" if whole => Some(Threshold::TopK(self.value as usize)),
            "global_topk" if whole => Some(Threshold::GlobalTopK(self.value as usize)),
            "topscore" if self.value <= 1.0 => Some(Threshold::TopScore(self.value)),
            _ => None,
        }
    }

    /// What the program names the file of neurons that it comes from: `{model}_{task}_{…}.jsonl`.
    pub(super) fn source_file(&self) -> String {
        let what = match self.scored_by.as_deref() {
            Some("activate") => "result_activate",
            Some("score_sum") => "sum_result",
            Some("activate_sum") => "sum_result_activate",
            Some("grad") => "integrated_gradient_result",
            _ => "result",
        };
        format!("{}_{}_{what}.jsonl", self.model, self.task)
    }
}

/// Rows of a table, the later of two that are of the same; and how many were left out for that.
pub(super) fn read_proportions(
    file: &str,
    header: &[String],
    rows: &[(u64, Vec<String>)],
) -> Result<(Vec<ProportionRow>, usize), UserFileError> {
    let place = |name: &str| header.iter().position(|column| column == name);
    let columns = ["model", "task", "neuron_file", "mode", "val", "proportion", "overlap"].map(place);
    let [model, task, scored_by, mode, val, proportion, overlap] = columns;
    let mut found: Vec<ProportionRow> = Vec::new();
    let mut seen = BTreeSet::new();
    // From the last on: the program keeps the later, too.
    for (line, cells) in rows.iter().rev() {
        let text = |at: Option<usize>| at.and_then(|at| cells.get(at)).cloned().unwrap_or_default();
        let number = |at: Option<usize>, what: &str, most: f64| {
            let cell = text(at);
            let number = cell.parse::<f64>().ok().filter(|value| (0.0..=most).contains(value));
            number.ok_or_else(|| {
                let (field, found) = (format!("line {line}, {what}"), format!("{cell:?}"));
                let allowed = if most == 1.0 { "a share from 0 to 1" } else { "a number from 0" };
                UserFileError::value(file, field, found, allowed)
            })
        };
        let row = ProportionRow {
            model: text(model),
            task: text(task),
            scored_by: scored_by.map(|at| text(Some(at))),
            mode: text(mode),
            value: number(val, "val", f64::MAX)?,
            mui: number(proportion, "proportion", 1.0)?,
            overlap: match overlap {
                Some(at) => Some(number(Some(at), "overlap", f64::MAX)?),
                None => None,
            },
            recomputed: None,
        };
        let (scored_by, value) = (row.scored_by.clone(), row.value.to_bits());
        if seen.insert((row.model.clone(), row.task.clone(), scored_by, row.mode.clone(), value)) {
            found.push(row);
        }
    }
    found.reverse();
    let twice = rows.len() - found.len();
    Ok((found, twice))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[[&str; 7]]) -> Result<(Vec<ProportionRow>, usize), UserFileError> {
        let header = ["model", "task", "neuron_file", "mode", "val", "proportion", "overlap"].map(str::to_owned);
        let rows: Vec<_> = (2..).zip(rows.iter().map(|row| row.map(str::to_owned).to_vec())).collect();
        read_proportions("result.csv", &header, &rows)
    }

    #[test]
    fn the_later_of_two_rows_is_kept_as_the_program_keeps_it() {
        let (found, twice) = of(&[
            ["llama3", "mmlu", "score", "topk", "14", "0.05", "0.2"],
            ["llama3", "mmlu", "grad", "topk", "14", "0.04", "0.2"],
            ["llama3", "mmlu", "score", "topk", "14", "0.06", "0.3"],
        ])
        .unwrap();
        assert_eq!((found.len(), twice), (2, 1));
        assert_eq!((found[1].mui, found[1].overlap), (0.06, Some(0.3)));
        assert_eq!(found[0].source_file(), "llama3_mmlu_integrated_gradient_result.jsonl");
        assert_eq!(found[1].source_file(), "llama3_mmlu_result.jsonl");
        for (at, cell) in [(5, "1.5"), (5, "NaN"), (4, "x"), (6, "-1")] {
            let mut row = ["a", "b", "score", "topk", "14", "0.05", "0.2"];
            row[at] = cell;
            assert_eq!(of(&[row]).unwrap_err().code(), "given.value", "{cell}");
        }
    }
}
