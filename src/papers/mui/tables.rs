//! Every printed number that follows from printed numbers, derived again.

use std::sync::LazyLock;

use serde::Serialize;

use super::metric::pur;
use super::printed::{
    DATA_SETS, OLMO_CHECKPOINTS, PRINTED_AVERAGES, PRINTED_DELTAS, PRINTED_KENDALL, PRINTED_LAW, PRINTED_MUI_AT_100,
    PRINTED_PEARSON, PRINTED_SPEARMAN, PRINTED_SPEARMAN_ACROSS_METHODS, Row, SAMPLE_COUNT_TOTAL, SAMPLE_COUNTS,
    TABLE_1, TABLE_5, TABLE_6, TABLE_9, TABLE_10, TABLE_11, TABLE_12, TABLE_13, TABLE_14, TABLE_15, TABLE_16, TABLE_17,
};
use crate::settings::named;
use crate::statistics::{Correlation, kendall_tau_b, mean, pearson, spearman, variance};

/// A printed number and what the others make of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiDerived"))]
pub struct DerivedCell {
    /// "Table 1", "Section 3.2".
    pub table: String,
    /// "Vicuna-7B", "Spearman".
    pub row: String,
    /// "GSM8K PUR".
    pub column: String,
    /// As the paper prints it.
    pub printed: f64,
    /// As it follows from the other numbers, at full precision.
    pub derived: f64,
    /// How many decimals are printed.
    pub decimals: usize,
    /// Whether the derived number rounds to the printed one.
    pub agrees: bool,
    /// Whether it can, given that the numbers that it follows from are rounded, too.
    pub possible: bool,
}

impl DerivedCell {
    /// Where a printed number and its derivation stand.
    fn new(table: &str, row: &str, column: String, decimals: usize, numbers: (f64, f64)) -> Self {
        let (printed, derived) = numbers;
        let agrees = format!("{printed:.decimals$}") == format!("{derived:.decimals$}");
        let (table, row) = (table.to_owned(), row.to_owned());
        Self { table, row, column, printed, derived, decimals, agrees, possible: agrees }
    }
}

/// Rows of coefficients in Table 1.
pub const COEFFICIENT_ROWS: [&str; 2] = ["Spearman", "Kendall"];

/// The exponent of [`pur`] in the paper.
pub const PAPER_ALPHA: f64 = 0.5;

named! {
    /// What Table 1 correlates with its reference ranking.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RankedQuantity {
        /// Accuracy.
        Accuracy = "accuracy",
        /// Performance for use.
        Pur = "PUR",
    }
}

impl RankedQuantity {
    /// Of a pair.
    #[must_use]
    pub fn pick<T>(self, (accuracy, pur): (T, T)) -> T {
        match self {
            Self::Accuracy => accuracy,
            Self::Pur => pur,
        }
    }
}

/// A coefficient of Table 1 and how surprising it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficient {
    /// Whether Kendall's, or Spearman's.
    pub is_kendall: bool,
    /// Of what.
    pub ranked: RankedQuantity,
    /// Index of the data set.
    pub data_set_index: usize,
    /// As printed, in percent.
    pub printed: f64,
    /// Derived, from −1 to 1, with its p-value: Spearman's by Student's t, Kendall's exact where nothing ties.
    pub derived: Correlation,
}

/// The row of a model whose name may be written with other hyphens.
#[must_use]
pub fn find_row<'a>(table: &'a [Row], model: &str) -> Option<&'a Row> {
    let plain = |name: &str| name.replace('-', "");
    table.iter().find(|row| plain(row.model) == plain(model))
}

/// The 24 coefficients of Table 1 with the order of its rows, which is the reference ranking from its last on.
#[must_use]
pub fn coefficients() -> &'static [Coefficient] {
    static ALL: LazyLock<Vec<Coefficient>> = LazyLock::new(correlate_table_1);
    &ALL
}

fn correlate_table_1() -> Vec<Coefficient> {
    let order: Vec<f64> = (0..TABLE_1.len()).map(|at| at as f64).collect();
    let mut all = Vec::new();
    for kendall in [false, true] {
        for ranked in RankedQuantity::ALL {
            for (data_set, of) in [PRINTED_SPEARMAN, PRINTED_KENDALL][usize::from(kendall)].iter().enumerate() {
                let values = TABLE_1.iter().filter_map(|row| row.entry(data_set));
                let values: Vec<f64> = values.map(|pair| ranked.pick(pair)).collect();
                let of_values = if kendall { kendall_tau_b } else { spearman };
                if let Ok(found) = of_values(&order, &values) {
                    let printed = ranked.pick(*of);
                    all.push(Coefficient {
                        is_kendall: kendall,
                        ranked,
                        data_set_index: data_set,
                        printed,
                        derived: found,
                    });
                }
            }
        }
    }
    all
}

/// Index with index of two tables with the same models: correlated over all cells, as the mean over models,
/// and as the mean over data sets.
#[must_use]
pub fn correlate_tables(
    first: &[Row],
    second: &[Row],
    of: fn(&[f64], &[f64]) -> Result<Correlation, crate::statistics::StatisticsError>,
) -> [Option<f64>; 3] {
    let indices = |rows: &[Row]| -> Vec<Vec<f64>> {
        rows.iter().map(|row| row.entries().map(|(_, index)| index).collect()).collect()
    };
    let (a, b) = (indices(first), indices(second));
    let coefficient = |a: &[f64], b: &[f64]| of(a, b).ok().map(|found| found.coefficient);
    let columns = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
        let width = rows.first().map_or(0, Vec::len);
        (0..width).map(|at| rows.iter().map(|row| row[at]).collect()).collect()
    };
    let average = |a: &[Vec<f64>], b: &[Vec<f64>]| {
        let each: Option<Vec<f64>> = a.iter().zip(b).map(|(a, b)| coefficient(a, b)).collect();
        each.and_then(|each| mean(&each).ok())
    };
    [coefficient(&a.concat(), &b.concat()), average(&a, &b), average(&columns(&a), &columns(&b))]
}

/// Two tables of the same models.
type TablePair<'a> = (&'a [Row], &'a [Row]);

/// Every number of the paper that follows from others.
#[must_use]
pub fn derived_cells() -> &'static [DerivedCell] {
    static ALL: LazyLock<Vec<DerivedCell>> = LazyLock::new(derive_cells);
    &ALL
}

fn derive_cells() -> Vec<DerivedCell> {
    let mut cells = Vec::new();
    for (at, printed) in TABLE_1.iter().enumerate() {
        add_repeated_cells(&mut cells, "Table 1", &TABLE_1[at..=at], &TABLE_5, [Some("accuracy"), None]);
        let Some(source) = find_row(&TABLE_5, printed.model) else { continue };
        for (data_set, name) in DATA_SETS.iter().enumerate() {
            let pairs = printed.entry(data_set).zip(source.entry(data_set));
            if let Some(((_, wanted), (accuracy, index))) = pairs
                && let Ok(found) = pur(accuracy, index, PAPER_ALPHA)
            {
                let column = format!("{name} PUR");
                let numbers = (wanted, found);
                let cell = DerivedCell::new("Table 1", printed.model, column, 1, numbers);
                let possible = cell.agrees || is_possible_pur(wanted, accuracy, index);
                cells.push(DerivedCell { possible, ..cell });
            }
        }
    }
    let coefficients = coefficients();
    for found in coefficients {
        let row = COEFFICIENT_ROWS[usize::from(found.is_kendall)];
        let column = format!("{} {}", DATA_SETS[found.data_set_index], found.ranked.name());
        let numbers = (found.printed, 100.0 * found.derived.coefficient);
        cells.push(DerivedCell::new("Table 1", row, column, 1, numbers));
    }
    for (kendall, row) in [false, true].into_iter().zip(COEFFICIENT_ROWS) {
        for ranked in RankedQuantity::ALL {
            let of = coefficients.iter().filter(|c| c.is_kendall == kendall && c.ranked == ranked);
            let of: Vec<f64> = of.map(|c| c.derived.coefficient).collect();
            let at = usize::from(kendall);
            for (printed, scaled, what) in [
                (PRINTED_AVERAGES[at], mean(&of), "average"),
                // A population's variance of shares, by a hundred.
                (PRINTED_DELTAS[at], variance(&of, 0), "Δ"),
            ] {
                if let Ok(value) = scaled {
                    let column = format!("{what} {}", ranked.name());
                    let numbers = (ranked.pick(printed), 100.0 * value);
                    cells.push(DerivedCell::new("Table 1", row, column, 1, numbers));
                }
            }
        }
    }
    let total: usize = SAMPLE_COUNTS.iter().sum();
    let numbers = (SAMPLE_COUNT_TOTAL as f64, total as f64);
    cells.push(DerivedCell::new("Table 2", "Total", "samples".to_owned(), 0, numbers));
    for (name, steps, tokens) in OLMO_CHECKPOINTS {
        let numbers = (tokens as f64, billions_of_tokens(steps) as f64);
        cells.push(DerivedCell::new("Table 3", name, "tokens (B)".to_owned(), 0, numbers));
    }
    let (slope, intercept) = PRINTED_LAW;
    let numbers = (PRINTED_MUI_AT_100, slope * libm::log(100.0) + intercept);
    cells.push(DerivedCell::new("Section 3.2", "P = 100", "index".to_owned(), 2, numbers));
    let both = [Some("accuracy"), Some("index")];
    add_repeated_cells(&mut cells, "Table 9", &TABLE_9, &TABLE_5, both);
    add_repeated_cells(&mut cells, "Table 10", &TABLE_10, &TABLE_5, both);
    add_repeated_cells(&mut cells, "Table 15", &TABLE_15, &TABLE_6, both);
    for (name, table) in
        [("Table 11", &TABLE_11), ("Table 12", &TABLE_12), ("Table 13", &TABLE_13), ("Table 14", &TABLE_14)]
    {
        add_repeated_cells(&mut cells, name, table, &TABLE_5, [Some("accuracy"), None]);
    }
    for (name, table) in [("Table 16", &TABLE_16), ("Table 17", &TABLE_17)] {
        add_repeated_cells(&mut cells, name, table, &TABLE_6, [Some("accuracy"), None]);
    }
    let thresholds: [(&str, [TablePair<'_>; 2], f64); 2] = [
        (
            "Tables 13 and 14 with 11",
            [(&TABLE_11, &TABLE_13), (&TABLE_11, &TABLE_14)],
            PRINTED_SPEARMAN_ACROSS_METHODS[0],
        ),
        (
            "Tables 16 and 17 with 15",
            [(&TABLE_15, &TABLE_16), (&TABLE_15, &TABLE_17)],
            PRINTED_SPEARMAN_ACROSS_METHODS[1],
        ),
    ];
    for (row, pairs, printed) in thresholds {
        let each = pairs.map(|(first, second)| correlate_tables(first, second, spearman));
        // Two models are too few to be ranked on one data set.
        let ways = if pairs[0].0.len() > 2 { 3 } else { 2 };
        for (way, name) in ["all cells", "mean over models", "mean over data sets"].into_iter().enumerate().take(ways) {
            if let [Some(a), Some(b)] = each.map(|found| found[way]) {
                let column = format!("Spearman, {name}");
                let numbers = (printed, f64::midpoint(a, b));
                cells.push(DerivedCell::new("Appendix B.6.3", row, column, 3, numbers));
            }
        }
    }
    let each = [&TABLE_13, &TABLE_14].map(|other| correlate_tables(&TABLE_11, other, pearson)[0]);
    if let [Some(a), Some(b)] = each {
        let column = "Pearson, all cells".to_owned();
        let numbers = (PRINTED_PEARSON, f64::midpoint(a, b));
        cells.push(DerivedCell::new("Section 3.9", "Tables 13 and 14 with 11", column, 2, numbers));
    }
    cells
}

/// Billions of tokens after so many steps of 2²² tokens, any further begun one counted.
#[must_use]
pub fn billions_of_tokens(steps: u64) -> u64 {
    (steps << 22).div_ceil(1_000_000_000)
}

/// The index that accuracy and PUR of a row of Table 1 come from, in percent, where no table prints it.
#[must_use]
pub fn implied_mui(row: &Row) -> Vec<f64> {
    let each = row.entries().map(|(accuracy, pur)| libm::pow(accuracy / pur, 1.0 / PAPER_ALPHA));
    each.collect()
}

/// Whether a PUR can have been printed, given that accuracy and index stand with one decimal.
fn is_possible_pur(printed: f64, accuracy: f64, index: f64) -> bool {
    let half = 0.05;
    let least = pur(accuracy - half, index + half, PAPER_ALPHA);
    let most = pur(accuracy + half, index - half, PAPER_ALPHA);
    let within = |(least, most): (f64, f64)| least <= printed + half && printed - half <= most;
    least.ok().zip(most.ok()).is_some_and(within)
}

/// Numbers that a table repeats from another one: of each pair those that have a name.
fn add_repeated_cells(
    cells: &mut Vec<DerivedCell>,
    table: &str,
    rows: &[Row],
    source: &[Row],
    names: [Option<&str>; 2],
) {
    for copy in rows {
        let Some(original) = find_row(source, copy.model) else { continue };
        for (data_set, data_set_name) in DATA_SETS.iter().enumerate() {
            let Some((here, there)) = copy.entry(data_set).zip(original.entry(data_set)) else {
                continue;
            };
            let pairs = [(here.0, there.0), (here.1, there.1)];
            for (name, numbers) in names.iter().zip(pairs) {
                if let Some(name) = name {
                    let column = format!("{data_set_name} {name}");
                    // Features are given with two decimals where one would say little.
                    let decimals = [numbers.0, numbers.1].map(|x| usize::from(10.0 * x % 1.0 > 1e-6)).into_iter().max();
                    let decimals = 1 + decimals.unwrap_or(0);
                    cells.push(DerivedCell::new(table, copy.model, column, decimals, numbers));
                }
            }
        }
    }
}
