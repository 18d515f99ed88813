//! Rows that are left out of an evaluation: padding, first tokens and whatever else is no sample.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::EvaluationError;
use crate::statistics::quantile_of_ascending;

/// Most ranges of rows that are named.
const RANGES_MAX: usize = 10_000;

/// Numbers of rows from 0, as "0,5-9": ascending, none twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RowNumbers(Vec<(u64, u64)>);

impl RowNumbers {
    /// What they may be.
    pub const ALLOWED_DESCRIPTION: &'static str = "rows from 0 and ranges of them, such as 0,5-9";

    /// The ranges, first and last row of each.
    #[must_use]
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// Whether a row is one of them.
    #[must_use]
    pub fn contains(&self, row: u64) -> bool {
        let after = self.0.partition_point(|(first, _)| *first <= row);
        self.0[..after].last().is_some_and(|(_, last)| row <= *last)
    }

    /// The last of them.
    #[must_use]
    pub fn last(&self) -> Option<u64> {
        self.0.last().map(|(_, last)| *last)
    }
}

impl FromStr for RowNumbers {
    type Err = EvaluationError;

    fn from_str(text: &str) -> Result<Self, EvaluationError> {
        let refuse = || {
            EvaluationError::invalid_option(
                "skip.rows",
                text.chars().take(40).collect::<String>(),
                Self::ALLOWED_DESCRIPTION,
            )
        };
        let mut ranges = Vec::new();
        for one in text.split(',').map(str::trim) {
            let (first, last) = one.split_once('-').unwrap_or((one, one));
            let number = |text: &str| {
                let digits = text.trim();
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                digits.parse::<u64>().ok().filter(|_| plain).ok_or_else(refuse)
            };
            let (first, last) = (number(first)?, number(last)?);
            if first > last || ranges.len() == RANGES_MAX {
                return Err(refuse());
            }
            ranges.push((first, last));
        }
        ranges.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match joined.last_mut() {
                Some((_, before)) if first <= before.saturating_add(1) => {
                    *before = last.max(*before);
                }
                _ => joined.push((first, last)),
            }
        }
        Ok(Self(joined))
    }
}

impl fmt::Display for RowNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (first, last)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for RowNumbers {
    type Error = EvaluationError;

    fn try_from(text: String) -> Result<Self, EvaluationError> {
        text.parse()
    }
}

impl From<RowNumbers> for String {
    fn from(rows: RowNumbers) -> Self {
        rows.to_string()
    }
}

/// Which rows are left out, of the activations and of codes; none where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateSkip"))]
#[serde(default, deny_unknown_fields)]
pub struct SkipRules {
    /// Rows of zeros, as padding is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<bool>"))]
    pub zero_rows: bool,
    /// Rows by their numbers from 0: "0,5-9".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional, type = "string"))]
    pub rows: Option<RowNumbers>,
    /// Rows that are longer than so many times the median length of those that are neither named nor zeros.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub norm_above: Option<f64>,
}

impl SkipRules {
    /// Whether no row is to be left out.
    #[must_use]
    pub fn skips_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it takes the rows' lengths.
    pub(super) fn needs_lengths(&self) -> bool {
        self.zero_rows || self.norm_above.is_some()
    }

    /// # Errors
    /// [`EvaluationError::Sae`] with the field.
    pub(super) fn check(&self, rows: usize) -> Result<(), EvaluationError> {
        if let Some(last) = self.rows.as_ref().and_then(RowNumbers::last)
            && last >= rows as u64
        {
            let allowed = format!("rows from 0 to {}, as the activations have", rows.saturating_sub(1));
            return Err(EvaluationError::invalid_option("skip.rows", last.to_string(), allowed));
        }
        match self.norm_above {
            Some(times) if !(times.is_finite() && times >= 1.0) => Err(EvaluationError::invalid_option(
                "skip.norm_above",
                times.to_string(),
                "a finite number from 1, a multiple of the median length",
            )),
            _ => Ok(()),
        }
    }

    fn is_named(&self, row: usize) -> bool {
        self.rows.as_ref().is_some_and(|rows| rows.contains(row as u64))
    }

    /// Which rows are left, of so many, whose lengths are known where they are needed.
    ///
    /// # Errors
    /// [`EvaluationError::Sae`] where none is.
    pub(super) fn select_rows(&self, rows: usize, lengths: &[f64]) -> Result<KeptRows, EvaluationError> {
        let zero = |row: usize| lengths.get(row).is_some_and(|length| *length <= 0.0);
        let others = (0..rows).filter(|row| !self.is_named(*row) && !zero(*row));
        let median = match self.norm_above {
            None => None,
            Some(_) => {
                let others = others.filter_map(|row| lengths.get(row)).copied();
                let others = crate::order::sorted(others.collect::<Vec<f64>>());
                (!others.is_empty()).then(|| quantile_of_ascending(&others, 0.5))
            }
        };
        let bound = self.norm_above.zip(median).map(|(times, median)| times * median);
        let mut found = SkippedRowCounts { asked: self.clone(), named: 0, zero: 0, long: 0, median };
        let mut kept = Vec::with_capacity(rows);
        for row in 0..rows {
            let long = bound.is_some_and(|bound| lengths.get(row).is_some_and(|one| *one > bound));
            if self.is_named(row) {
                found.named += 1;
            } else if self.zero_rows && zero(row) {
                found.zero += 1;
            } else if long {
                found.long += 1;
            } else {
                kept.push(row);
            }
        }
        if kept.is_empty() {
            let allowed = "what leaves one row at least";
            return Err(EvaluationError::invalid_option("skip", format!("all {rows} rows"), allowed));
        }
        Ok(KeptRows { rows: kept, skipped: found })
    }
}

/// The rows that are left, by their numbers.
pub(super) struct KeptRows {
    pub rows: Vec<usize>,
    pub skipped: SkippedRowCounts,
}

/// How many rows were left out, each counted once, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "EvaluateSkipped"))]
pub struct SkippedRowCounts {
    /// What was asked for.
    #[serde(flatten)]
    pub asked: SkipRules,
    /// Rows that were named.
    pub named: usize,
    /// Other rows of zeros.
    pub zero: usize,
    /// Others that were too long.
    pub long: usize,
    /// The median length that these were held against; none where there are none to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", ts(optional))]
    pub median: Option<f64>,
}

impl SkippedRowCounts {
    /// Rows that were left out.
    #[must_use]
    pub fn count(&self) -> usize {
        self.named + self.zero + self.long
    }

    /// As a sentence, beside so many that were scored.
    pub(super) fn describe(&self, scored: usize) -> String {
        let all = self.count() + scored;
        let mut parts = Vec::new();
        if self.asked.rows.is_some() {
            parts.push(format!("{} by number", self.named));
        }
        if self.asked.zero_rows {
            parts.push(format!("{} of zeros", self.zero));
        }
        if let Some(times) = self.asked.norm_above {
            parts.push(format!("{} longer than {times} times the median", self.long));
        }
        format!("{} of {all} rows were left out: {}.", self.count(), parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_named_by_numbers_and_ranges() {
        let read = |text: &str| text.parse::<RowNumbers>().map(|rows| rows.to_string());
        assert_eq!(read("7, 0,5-9,10,6").unwrap(), "0,5-10");
        for text in ["", "a", "-1", "3-", "9-5", "1.5", "0,,1", "+1", "1;2"] {
            assert!(read(text).is_err(), "{text}");
        }
        let rows: RowNumbers = "0,5-9".parse().unwrap();
        let found: Vec<u64> = (0..12).filter(|row| rows.contains(*row)).collect();
        assert_eq!(found, [0, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn each_row_is_left_out_for_one_reason() {
        let skip = SkipRules { zero_rows: true, rows: Some("0-1".parse().unwrap()), norm_above: Some(3.0) };
        let kept = skip.select_rows(7, &[50.0, 0.0, 0.0, 1.0, 2.0, 3.0, 9.0]).unwrap();
        assert_eq!(kept.rows, [3, 4, 5]);
        let SkippedRowCounts { named, zero, long, median, .. } = kept.skipped;
        assert_eq!((named, zero, long, median), (2, 1, 1, Some(2.5)));
        assert!(skip.check(1).is_err() && skip.check(2).is_ok());
        assert!(skip.select_rows(2, &[0.0, 0.0]).is_err());
        assert!(SkipRules { norm_above: Some(0.5), ..SkipRules::default() }.check(2).is_err());
    }
}
