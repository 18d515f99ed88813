//! Sums over blocks of rows. A block's sums are made by themselves and added in the order of blocks, so that it does
//! not matter who made them.

use std::collections::BTreeMap;

use super::super::plan::{ACTIVE_ENTRIES_MAX, ROW_OVERHEAD_ENTRIES};
use serde::{Deserialize, Serialize};

use crate::linalg::span;
use crate::statistics::ColumnMoments;

/// Rows by their lengths: counts of sixteenths of octaves, so that it does not grow with the rows.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct LengthHistogram {
    zero: u64,
    counts: BTreeMap<i32, u64>,
    longest: f64,
}

/// Rows whose lengths are unlike the others'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outliers {
    /// Rows of zeros.
    pub zero_rows: u64,
    /// Rows that are longer than so many times the median.
    pub long_rows: u64,
    /// How many times the median, about, the longest is.
    pub longest_ratio: f64,
}

impl LengthHistogram {
    /// Bins of an octave.
    const BINS_PER_OCTAVE: f64 = 16.0;
    /// Times the median from which on a row is long.
    pub const LONG_ROW_FACTOR: f64 = 10.0;

    /// Counts a row.
    pub fn add(&mut self, length: f64) {
        if length > 0.0 {
            // Logarithms of doubles are within ±1,100.
            let bin = libm::floor(Self::BINS_PER_OCTAVE * libm::log2(length)) as i32;
            *self.counts.entry(bin).or_default() += 1;
            self.longest = self.longest.max(length);
        } else {
            self.zero += 1;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.zero += other.zero;
        for (bin, count) in &other.counts {
            *self.counts.entry(*bin).or_default() += count;
        }
        self.longest = self.longest.max(other.longest);
    }

    /// Rows that are unlike the others.
    pub fn outliers(&self) -> Outliers {
        let all: u64 = self.counts.values().sum();
        let mut below = 0;
        let median = self.counts.iter().find_map(|(bin, count)| {
            below += count;
            (2 * below >= all).then_some(*bin)
        });
        let Some(median) = median else {
            return Outliers { zero_rows: self.zero, long_rows: 0, longest_ratio: 0.0 };
        };
        let far = f64::from(median) + Self::BINS_PER_OCTAVE * libm::log2(Self::LONG_ROW_FACTOR);
        let long = self.counts.iter().filter(|(bin, _)| f64::from(**bin) > far);
        let middle = libm::exp2((f64::from(median) + 0.5) / Self::BINS_PER_OCTAVE);
        Outliers {
            zero_rows: self.zero,
            long_rows: long.map(|(_, count)| count).sum(),
            longest_ratio: self.longest / middle,
        }
    }
}

/// What is counted and summed of rows.
#[derive(Serialize, Deserialize)]
pub(super) struct RowTotals {
    pub cosine: f64,
    pub squared_error: f64,
    pub squared: f64,
    pub shrinkage: f64,
    pub shrinkage_rows: usize,
    /// Rows so short that the guard of the cosine counts.
    pub guarded: usize,
    pub lengths: LengthHistogram,
    pub activations: ColumnMoments,
    pub residuals: ColumnMoments,
    /// Of the identity these are the activations'.
    pub outputs: ColumnMoments,
    pub row_space: f64,
    pub reconstruction: f64,
    /// Rows with the largest squared errors, the largest first.
    pub worst: Vec<LargeErrorRow>,
}

/// A row with its error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LargeErrorRow {
    /// Its place among the rows that are scored; of a block, in this.
    pub at: usize,
    pub norm: f64,
    pub squared_error: f64,
}

/// Rows with large errors that are told.
const WORST_ROWS_MAX: usize = 10;

impl RowTotals {
    pub fn new(d: usize, outputs: usize) -> Self {
        Self {
            cosine: 0.0,
            squared_error: 0.0,
            squared: 0.0,
            shrinkage: 0.0,
            shrinkage_rows: 0,
            guarded: 0,
            lengths: LengthHistogram::default(),
            activations: ColumnMoments::new(d),
            residuals: ColumnMoments::new(d),
            outputs: ColumnMoments::new(outputs),
            row_space: 0.0,
            reconstruction: 0.0,
            worst: Vec::new(),
        }
    }

    /// Remembers a row where its error is among the largest; of equal ones those that come first.
    pub fn insert_worst(&mut self, row: LargeErrorRow) {
        let place = self.worst.partition_point(|other| other.squared_error >= row.squared_error);
        if place < WORST_ROWS_MAX {
            self.worst.insert(place, row);
            self.worst.truncate(WORST_ROWS_MAX);
        }
    }

    /// Takes those of a block whose first row is the `start`-th.
    fn merge_block(&mut self, other: &Self, start: usize) {
        let worst = other.worst.iter();
        worst.for_each(|row| self.insert_worst(LargeErrorRow { at: start + row.at, ..*row }));
        self.cosine += other.cosine;
        self.squared_error += other.squared_error;
        self.squared += other.squared;
        self.shrinkage += other.shrinkage;
        self.shrinkage_rows += other.shrinkage_rows;
        self.guarded += other.guarded;
        self.lengths.merge(&other.lengths);
        self.activations.merge(&other.activations);
        self.residuals.merge(&other.residuals);
        self.outputs.merge(&other.outputs);
        self.row_space += other.row_space;
        self.reconstruction += other.reconstruction;
    }
}

/// The active features of a row, or the idle ones where these are fewer.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ActiveFeatures {
    pub idle: bool,
    pub features: Vec<u32>,
}

impl ActiveFeatures {
    pub fn from_active(active: &[u32], k: usize) -> Self {
        let idle = 2 * active.len() > k;
        let features = if idle { complement(active, k) } else { active.to_vec() };
        Self { idle, features }
    }

    pub fn active(&self, k: usize) -> Vec<u32> {
        if self.idle { complement(&self.features, k) } else { self.features.clone() }
    }
}

/// The numbers below `k` that are not among these, which ascend.
fn complement(these: &[u32], k: usize) -> Vec<u32> {
    let mut these = these.iter().peekable();
    (0..k as u32).filter(|number| these.next_if_eq(&number).is_none()).collect()
}

/// One block of rows.
#[derive(Serialize, Deserialize)]
pub(super) struct RowBlockResult {
    pub totals: RowTotals,
    /// Features that are active for each row, ascending.
    pub active: Vec<Vec<u32>>,
}

/// All rows so far.
pub(super) struct RowSums {
    pub rows: usize,
    pub totals: RowTotals,
    /// Rows that each feature is active for.
    pub active_counts: Vec<u64>,
    pub projection_cost: f64,
    /// What is active in each row, while it is not too much.
    pub active_by_row: Option<Vec<ActiveFeatures>>,
    kept_entries: usize,
}

impl RowSums {
    pub fn new(k: usize, d: usize, outputs: usize) -> Self {
        Self {
            rows: 0,
            totals: RowTotals::new(d, outputs),
            active_counts: vec![0; k],
            projection_cost: 0.0,
            active_by_row: Some(Vec::new()),
            kept_entries: 0,
        }
    }

    /// Takes the next block.
    pub fn merge_block(&mut self, found: &RowBlockResult, k: usize, d: usize) {
        self.totals.merge_block(&found.totals, self.rows);
        self.rows += found.active.len();
        for active in &found.active {
            active.iter().for_each(|j| self.active_counts[*j as usize] += 1);
            self.projection_cost += span::projection_cost(active.len(), k, d);
            self.kept_entries += active.len().min(k - active.len()) + ROW_OVERHEAD_ENTRIES;
        }
        if self.kept_entries > ACTIVE_ENTRIES_MAX {
            self.active_by_row = None;
        }
        if let Some(kept) = &mut self.active_by_row {
            kept.extend(found.active.iter().map(|active| ActiveFeatures::from_active(active, k)));
        }
    }
}
