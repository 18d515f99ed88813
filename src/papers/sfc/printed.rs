//! The numbers the paper prints, and how ours compare with them, cell by cell.

use serde::Serialize;

use super::Preset;
use super::metric::score::Weights;
use super::settings::{PAPER_K, PAPER_LEVELS, SIZE_SWEEP_LEVEL};
use super::{Cell, CellValue, Curve, Point, Report, profile_winners};
use crate::order::argsort;
use crate::plot::format::join_with_and;
use crate::statistics::pearson_coefficient;

/// Table 3: S, F, C, SFC, C_GT at each level of [`PAPER_LEVELS`].
pub const TABLE_3: [[f64; 5]; 8] = [
    [0.000, 0.991, 0.988, 0.000, 0.790],
    [0.083, 0.991, 0.988, 0.214, 0.790],
    [0.188, 0.991, 0.988, 0.408, 0.790],
    [0.292, 0.989, 0.988, 0.550, 0.790],
    [0.500, 0.980, 0.988, 0.744, 0.790],
    [0.688, 0.958, 0.988, 0.854, 0.790],
    [0.833, 0.907, 0.988, 0.905, 0.790],
    [0.938, 0.777, 0.988, 0.891, 0.790],
];

/// Table 4: the best method and its score under each profile of Table 2.
pub const TABLE_4: [(&str, f64); 7] = [
    ("SAE-sp85", 0.905),
    ("SAE-sp95", 0.917),
    ("SAE-sp70", 0.911),
    ("SAE-sp85", 0.951),
    ("SAE-sp85", 0.890),
    ("SAE-sp85", 0.921),
    ("SAE-sp95", 0.918),
];

/// Table 5: points on the front of points in all, hypervolume of the front, of all points.
pub const TABLE_5: [(&str, f64, f64); 4] =
    [("8/8", 0.874, 0.874), ("8/8", 0.748, 0.748), ("8/8", 0.874, 0.874), ("8/8", 0.883, 0.883)];

/// Table 6: K, then S, F, C, SFC, C_GT at λ = 0.5.
pub const TABLE_6: [(usize, [f64; 5]); 6] = [
    (8, [0.500, 0.785, 0.734, 0.647, 0.140]),
    (16, [0.500, 0.901, 0.861, 0.702, 0.264]),
    (24, [0.500, 0.938, 0.934, 0.725, 0.442]),
    (32, [0.500, 0.958, 0.969, 0.736, 0.581]),
    (48, [0.500, 0.980, 0.988, 0.744, 0.790]),
    (63, [0.492, 0.992, 0.998, 0.742, 0.954]),
];

/// §5.5 and Figure 4: rate and distortion at the first and the last level.
pub const FIGURE_4: [(&str, [f64; 2]); 2] = [("Rate", [0.821, 0.086]), ("Distortion", [0.023, 0.559])];

/// §5.5: relevance "near" this, at every level; its formula could not be identified.
pub const PRINTED_RELEVANCE: f64 = 0.335;

/// What still counts as near it: half a unit of its second digit.
const RELEVANCE_TOLERANCE: f64 = 0.005;

/// §5.5: sparsity and its analogue, 1 − rate, correlate by more than this.
pub const PRINTED_CORRELATION_MIN: f64 = 0.99;

/// The section of both.
const RELEVANCE_SECTION: &str = "§5.5";

/// Where printed numbers are that are in no table or figure.
pub const TEXT_TABLE: &str = "Text";

/// §5.3: the highest score of two configurations.
pub const PRINTED_PEAKS: [(Preset, f64); 2] = [(Preset::Sparse, 0.908), (Preset::Large, 0.854)];

/// Columns of Tables 3 and 6, after the first.
pub const METRIC_COLUMNS: [&str; 5] = ["S", "F", "C", "SFC", "C_GT"];

/// Every printed cell of Tables 3 to 6, the printed ends of Figure 4 and the numbers of the text ([`TEXT_TABLE`])
/// that the report has a value for, in the paper's order. Scores are under equal weights, whatever the report's are.
///
/// Tables 3, 4 and 6 and Figure 4 are about the Standard network with K = 48, so another network or
/// dictionary size has nothing there to be compared with. Levels that the report lacks are left out.
#[must_use]
pub fn compare_cells(report: &Report) -> Vec<Cell> {
    let standard = report.main.name == Preset::Standard.name();
    let none = Vec::new();
    let main = if standard && report.main.k == PAPER_K { &report.main.points } else { &none };
    let sizes = if standard { &report.sizes } else { &none };
    let mut cells = Vec::new();
    for (level, printed) in PAPER_LEVELS.iter().zip(TABLE_3) {
        if let Some(point) = find_level(main, *level) {
            add_metric_cells(&mut cells, "Table 3", &format!("λ = {level:.2}"), printed, point);
        }
    }
    if PAPER_LEVELS.iter().all(|level| find_level(main, *level).is_some()) {
        for (winner, (method, score)) in profile_winners(main).iter().zip(TABLE_4) {
            let row = winner.profile.label;
            cells.push(text_cell("Table 4", row, "Best method", method, winner.method.clone()));
            cells.push(number_cell("Table 4", row, "Score", score, winner.score));
        }
    }
    for (preset, (front, of_front, of_all)) in Preset::TABLE_1.iter().zip(TABLE_5) {
        let row = preset.label();
        if let Some(curve) = report.cross.iter().find(|curve| curve.name == preset.name()) {
            let share = format!("{}/{}", curve.front.len(), curve.points.len());
            cells.push(text_cell("Table 5", row, "Pareto", front, share));
            cells.push(number_cell("Table 5", row, "HV(front)", of_front, curve.hypervolume_front));
            cells.push(number_cell("Table 5", row, "HV(all)", of_all, curve.hypervolume));
        }
    }
    for (k, printed) in TABLE_6 {
        let size = |p: &&Point| p.k == k && p.level == SIZE_SWEEP_LEVEL;
        if let Some(point) = sizes.iter().find(size) {
            add_metric_cells(&mut cells, "Table 6", &format!("K = {k}"), printed, point);
        }
    }
    for (column, ends) in FIGURE_4 {
        let levels = [PAPER_LEVELS[0], PAPER_LEVELS[PAPER_LEVELS.len() - 1]];
        for (level, printed) in levels.into_iter().zip(ends) {
            if let Some(point) = find_level(main, level) {
                let value = if column == "Rate" { point.rate } else { point.distortion };
                cells.push(number_cell("Figure 4", &format!("λ = {level:.2}"), column, printed, value));
            }
        }
    }
    add_text_cells(&mut cells, report, main);
    cells
}

/// What §5.3 and §5.5 say in numbers and no table has.
fn add_text_cells(cells: &mut Vec<Cell>, report: &Report, main: &[Point]) {
    for (preset, printed, computed) in compare_peaks(&report.cross) {
        let row = format!("§5.3, {}", preset.label());
        cells.push(number_cell(TEXT_TABLE, &row, "Peak SFC", printed, computed));
    }
    let points: Option<Vec<&Point>> = PAPER_LEVELS.iter().map(|level| find_level(main, *level)).collect();
    let Some(points) = points else { return };
    let of = |value: fn(&Point) -> f64| points.iter().map(|p| value(p)).collect::<Vec<f64>>();
    if let Ok(r) = pearson_coefficient(&of(|p| p.sparsity), &of(|p| 1.0 - p.rate)) {
        let printed = format!("> {PRINTED_CORRELATION_MIN}");
        let cell = text_cell(TEXT_TABLE, RELEVANCE_SECTION, "r of S and 1 − rate", &printed, format_three_decimals(r));
        cells.push(Cell { agrees: r > PRINTED_CORRELATION_MIN, ..cell });
    }
    let relevance = of(|p| p.relevance);
    let least = relevance.iter().copied().fold(f64::INFINITY, f64::min);
    let most = relevance.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let near = |value: f64| (value - PRINTED_RELEVANCE).abs() <= RELEVANCE_TOLERANCE;
    let computed = format!("{} to {}", format_three_decimals(least), format_three_decimals(most));
    let cell = text_cell(TEXT_TABLE, RELEVANCE_SECTION, "relevance", &format!("near {PRINTED_RELEVANCE}"), computed);
    cells.push(Cell { agrees: near(least) && near(most), ..cell });
}

/// The printed and the computed peak score of a configuration of §5.3 (equal weights).
#[must_use]
pub fn compare_peaks(cross: &[Curve]) -> Vec<(Preset, f64, f64)> {
    PRINTED_PEAKS
        .into_iter()
        .filter_map(|(preset, printed)| {
            let curve = cross.iter().find(|curve| curve.name == preset.name())?;
            let (_, computed) = super::best_point(&curve.points, Weights::EQUAL)?;
            Some((preset, printed, computed))
        })
        .collect()
}

fn find_level(points: &[Point], level: f64) -> Option<&Point> {
    points.iter().find(|point| point.level == level)
}

fn add_metric_cells(cells: &mut Vec<Cell>, table: &str, row: &str, printed: [f64; 5], point: &Point) {
    let sfc = Weights::EQUAL.sfc(point.sparsity, point.fidelity, point.completeness);
    let computed = [point.sparsity, point.fidelity, point.completeness, sfc, point.c_gt];
    for ((column, printed), computed) in METRIC_COLUMNS.iter().zip(printed).zip(computed) {
        cells.push(number_cell(table, row, column, printed, computed));
    }
}

fn number_cell(table: &str, row: &str, column: &str, printed: f64, computed: f64) -> Cell {
    Cell {
        agrees: format_three_decimals(printed) == format_three_decimals(computed),
        printed: CellValue::Number(printed),
        computed: CellValue::Number(computed),
        table: table.to_owned(),
        row: row.to_owned(),
        column: column.to_owned(),
    }
}

fn text_cell(table: &str, row: &str, column: &str, printed: &str, computed: String) -> Cell {
    Cell {
        agrees: printed == computed,
        printed: CellValue::Text(printed.to_owned()),
        computed: CellValue::Text(computed),
        table: table.to_owned(),
        row: row.to_owned(),
        column: column.to_owned(),
    }
}

/// A number as the paper prints its numbers: three decimals, a zero without a sign.
#[must_use]
pub fn format_three_decimals(value: f64) -> String {
    let text = format!("{value:.3}");
    if text == "-0.000" { "0.000".to_owned() } else { text }
}

/// How one table's printed cells compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Tally {
    /// The table.
    pub table: String,
    /// Cells that agree.
    pub agree: usize,
    /// Cells compared.
    pub total: usize,
}

/// How a report compares with the paper, in numbers and in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Verdict {
    /// Cells of Tables 3, 4 and 6 that agree.
    pub agree: usize,
    /// Cells of Tables 3, 4 and 6 that were compared.
    pub total: usize,
    /// The headline.
    pub sentence: String,
    /// Which levels win the seven profiles of Table 2.
    pub profiles: String,
    /// What else there is to know, a sentence each.
    pub notes: Vec<String>,
    /// Every table by itself.
    pub per_table: Vec<Tally>,
}

/// Which levels win the seven profiles of Table 2: "No level is best for everyone: of the paper’s seven
/// profiles, λ = 0.85 wins four, λ = 0.95 two and λ = 0.70 one." Empty where there are no levels.
#[must_use]
pub fn describe_profiles_won(points: &[Point]) -> String {
    const NUMBER_WORDS: [&str; 8] = ["none", "one", "two", "three", "four", "five", "six", "seven"];
    let word = |count: u64| NUMBER_WORDS.get(count as usize).copied().unwrap_or_default();
    let mut wins = vec![0; points.len()];
    let mut ties = 0;
    for winner in profile_winners(points) {
        let best = winner.scores.iter().filter(|score| **score == winner.score).count();
        match wins.get_mut(winner.index) {
            Some(won) if best == 1 => *won += 1,
            _ => ties += 1,
        }
    }
    // Equals stay in order of level.
    let mut order = argsort(wins.iter().map(|won: &u64| !won).collect());
    order.retain(|index| wins[*index] > 0);
    // Two digits where they say it all; asked by arithmetic, as reading a number would bring its tables
    // into the page's first build.
    let level = |index: usize| {
        let level = points[index].level;
        if libm::round(level * 100.0) / 100.0 == level { format!("{level:.2}") } else { level.to_string() }
    };
    let mut parts: Vec<String> =
        order.iter().map(|index| format!("λ = {} {}", level(*index), word(wins[*index]))).collect();
    if let (Some(first), Some(index)) = (parts.first_mut(), order.first()) {
        *first = format!("λ = {} wins {}", level(*index), word(wins[*index]));
    }
    let tied = match ties {
        0 => String::new(),
        1 => "; in one, several levels tie".to_owned(),
        _ => format!("; in {}, several levels tie", word(ties)),
    };
    match order.len() {
        0 if ties == 0 => String::new(),
        0 => "Under each of the paper’s seven profiles, several levels tie.".to_owned(),
        1 if ties == 0 => {
            format!("λ = {} wins all seven of the paper’s profiles.", level(order[0]))
        }
        1 => format!("Of the paper’s seven profiles, {}{tied}.", join_with_and(&parts)),
        _ => format!("No level is best for everyone: of the paper’s seven profiles, {}{tied}.", join_with_and(&parts)),
    }
}

/// Tallies the cells of a report.
#[must_use]
pub fn tally_cells(report: &Report, cells: &[Cell]) -> Verdict {
    let tally = |table: &str| {
        let of_table = || cells.iter().filter(|cell| cell.table == table);
        Tally {
            table: table.to_owned(),
            agree: of_table().filter(|cell| cell.agrees).count(),
            total: of_table().count(),
        }
    };
    let per_table: Vec<Tally> = ["Table 3", "Table 4", "Table 5", "Table 6", "Figure 4", TEXT_TABLE]
        .into_iter()
        .map(tally)
        .filter(|tally| tally.total > 0)
        .collect();
    let core: Vec<&Tally> =
        per_table.iter().filter(|tally| matches!(tally.table.as_str(), "Table 3" | "Table 4" | "Table 6")).collect();
    let agree = core.iter().map(|tally| tally.agree).sum();
    let total: usize = core.iter().map(|tally| tally.total).sum();
    let named = core.iter().map(|tally| tally.table.trim_start_matches("Table ")).collect::<Vec<_>>();
    let tables = match named.as_slice() {
        [] => String::new(),
        [only] => format!("Table {only}"),
        [most @ .., last] => format!("Tables {} and {last}", most.join(", ")),
    };
    let settings = if report.paper_settings { "" } else { " under your settings" };
    let share = |agree: usize, total: usize| match agree {
        all if all == total => format!("all {total}"),
        some => format!("{some} of {total}"),
    };
    let others = per_table.iter().filter(|tally| !core.contains(tally));
    let place = |table: &str| if table == TEXT_TABLE { "the text".to_owned() } else { table.to_owned() };
    let mut parts = others
        .map(|tally| format!("{} of {}", share(tally.agree, tally.total), place(&tally.table)))
        .collect::<Vec<_>>();
    if total > 0 {
        parts.insert(0, format!("{} of {tables}", share(agree, total)));
    }
    let sentence = match per_table.as_slice() {
        [] => "The paper prints no table for this network at these levels, so there is nothing to \
               compare"
            .to_owned(),
        tallies => {
            let agree: usize = tallies.iter().map(|tally| tally.agree).sum();
            let all: usize = tallies.iter().map(|tally| tally.total).sum();
            format!("{agree} of {all} printed values agree{settings}: {}", join_with_and(&parts))
        }
    };

    let mut notes = Vec::new();
    for tally in per_table.iter().filter(|tally| !core.contains(tally) && tally.table != TEXT_TABLE) {
        notes.push(format!("{}: {} of {} printed values agree.", tally.table, tally.agree, tally.total));
    }
    for (preset, printed, computed) in compare_peaks(&report.cross) {
        notes.push(format!(
            "§5.3 prints a peak score of {} for the {} configuration; computed: {}.",
            format_three_decimals(printed),
            preset.name(),
            format_three_decimals(computed)
        ));
    }
    for cell in cells.iter().filter(|cell| cell.table == TEXT_TABLE && cell.row == RELEVANCE_SECTION) {
        if let (CellValue::Text(printed), CellValue::Text(computed)) = (&cell.printed, &cell.computed) {
            notes.push(format!("§5.5 prints {}: {printed}; computed: {computed}.", cell.column));
        }
    }
    let profiles = describe_profiles_won(&report.main.points);
    Verdict { agree, total, sentence, profiles, notes, per_table }
}
