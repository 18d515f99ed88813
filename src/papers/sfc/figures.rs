//! The paper's figures and tables from a report.

pub(crate) mod curves;
pub(crate) mod pareto;
pub(crate) mod simplex;
pub(crate) mod tables;
pub(crate) mod weights;

use super::metric::completeness::CompletenessReading;
use super::metric::fidelity::FidelityMode;
use super::{Cell, Curve, Point, Printed, Report, method_name};
use crate::Weights;

use crate::plot::chart::{Body, Chart};
use crate::plot::format::level;
use crate::plot::instruments::{HERE, Setting};

/// The figures and tables that [`figure`] makes, in the paper's order.
pub const FIGURES: [&str; 12] = [
    "fig1a", "fig1b", "fig2", "fig3a", "fig3b", "fig4a", "fig4b", "fig5", "table3", "table4",
    "table5", "table6",
];

/// Builds one of [`FIGURES`], scored under `weights` (of S, F, C); none for any other name.
///
/// `cells` are the report's comparisons with the paper. Scores of Tables 3 and 6 are compared under
/// equal weights only, as the paper prints no others.
pub fn figure(id: &str, report: &Report, cells: &[Cell], weights: Weights) -> Option<Chart> {
    let study = Study::new(report, cells, weights);
    let chart = match id {
        "fig1a" => curves::metrics(&study),
        "fig1b" => curves::joint_score(&study),
        "fig2" => weights::rankings(&study),
        "fig3a" => curves::configurations(&study),
        "fig3b" => curves::hypervolumes(&study),
        "fig4a" => curves::analogues(&study),
        "fig4b" => curves::calibration(&study),
        "fig5" => weights::heatmap(&study),
        "table3" => tables::levels(&study),
        "table4" => tables::winners(&study),
        "table5" => tables::fronts(&study),
        "table6" => tables::sizes(&study),
        _ => return instrument(id, report, weights, &Setting::default()),
    };
    Some(chart)
}

/// The figures that [`instrument`] makes: they belong to the page's instruments, not to the paper.
pub const INSTRUMENTS: [&str; 6] =
    ["simplex", "pareto-sf", "pareto-sc", "pareto-fc", "pareto-3d", "pareto-table"];

/// Builds one of [`INSTRUMENTS`], as the reader has set it; none for any other name, and none in a
/// wasm module without the feature `lab`.
#[inline(never)]
pub fn instrument(id: &str, report: &Report, weights: Weights, setting: &Setting) -> Option<Chart> {
    if !HERE {
        return None;
    }
    let study = Study::new(report, &[], weights);
    let chart = match id {
        "simplex" => simplex::map(&study),
        "pareto-sf" => pareto::projection(&study, setting, [0, 1]),
        "pareto-sc" => pareto::projection(&study, setting, [0, 2]),
        "pareto-fc" => pareto::projection(&study, setting, [1, 2]),
        "pareto-3d" => pareto::boxes(&study, setting),
        "pareto-table" => pareto::table(&study, setting),
        _ => return None,
    };
    Some(chart)
}

/// Who wins under some weights, by how much, and the smallest change of weights that changes it.
#[inline(never)]
pub fn flip_sentence(report: &Report, weights: Weights) -> String {
    simplex::flip_sentence(report, weights)
}

/// A report with the weights it is read under, its levels in order.
pub(crate) struct Study<'a> {
    report: &'a Report,
    cells: &'a [Cell],
    weights: Weights,
    /// The points of the main curve by level.
    points: Vec<&'a Point>,
}

impl<'a> Study<'a> {
    fn new(report: &'a Report, cells: &'a [Cell], weights: Weights) -> Self {
        Self { report, cells, weights, points: by_level(&report.main) }
    }

    /// The comparison of one printed cell.
    fn cell(&self, table: &str, row: &str, column: &str) -> Option<&'a Cell> {
        self.cells.iter().find(|c| c.table == table && c.row == row && c.column == column)
    }

    /// A cell's printed number.
    fn printed_number(&self, table: &str, row: &str, column: &str) -> Option<f64> {
        match self.cell(table, row, column)?.printed {
            Printed::Number(number) => Some(number),
            Printed::Text(_) => None,
        }
    }

    fn is_equal(&self) -> bool {
        same_weights(self.weights, Weights::EQUAL)
    }

    /// "the standard network (64 hidden units, 8 in the circuit), K = 48".
    fn network(&self) -> String {
        let main = &self.report.main;
        format!(
            "the {} network ({} hidden units, {} in the circuit), K = {}",
            main.name, main.shape.hidden, main.shape.circuit, main.k
        )
    }

    /// What is not as in the paper about the metrics: " F is R²."; nothing where all is.
    fn readings(&self) -> String {
        let settings = &self.report.settings;
        let fidelity = match settings.fidelity() {
            FidelityMode::Cosine => "",
            FidelityMode::R2 => " F is R², 1 − SSE/SST.",
            FidelityMode::RelMse => " F is 1 − SSE/Σ‖a‖².",
        };
        let completeness = match settings.completeness() {
            CompletenessReading::Paper => "",
            CompletenessReading::Total => " C is the textbook reading: all rows, total variance.",
        };
        let centred =
            if settings.centred() { " The dictionary is of centred activations." } else { "" };
        [fidelity, completeness, centred].concat()
    }

    /// The score of every point of the main curve under some weights.
    fn scores(&self, weights: Weights) -> Vec<f64> {
        self.points.iter().map(|p| score(p, weights)).collect()
    }

    /// The points of the main curve that score best under some weights, and their score; none where
    /// every score is zero.
    fn leaders(&self, weights: Weights) -> (Vec<&'a Point>, f64) {
        let scores = self.scores(weights);
        let leaders = leaders(&scores);
        let score = leaders.first().and_then(|at| scores.get(*at)).copied().unwrap_or_default();
        (leaders.into_iter().filter_map(|at| self.points.get(at).copied()).collect(), score)
    }
}

/// The points of a curve that can be drawn, by level.
pub(crate) fn by_level(curve: &Curve) -> Vec<&Point> {
    let mut points: Vec<&Point> = curve.points.iter().filter(|p| p.level.is_finite()).collect();
    points.sort_by(|a, b| a.level.total_cmp(&b.level));
    points
}

/// SFC of a point; zero where it is no number.
pub(crate) fn score(point: &Point, weights: Weights) -> f64 {
    let score = weights.sfc(point.sparsity, point.fidelity, point.completeness);
    if score.is_finite() { score } else { 0.0 }
}

/// The first of the greatest values.
pub(crate) fn greatest(values: &[f64]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (i, value) in values.iter().enumerate() {
        if value.is_finite() && best.is_none_or(|(_, most)| *value > most) {
            best = Some((i, *value));
        }
    }
    best.map(|(i, _)| i)
}

/// The first of the greatest scores; none where every score is zero, so that nothing is best.
pub(crate) fn best(scores: &[f64]) -> Option<usize> {
    greatest(scores).filter(|at| scores.get(*at).is_some_and(|score| *score > 0.0))
}

/// All of the greatest scores; none where every score is zero.
pub(crate) fn leaders(scores: &[f64]) -> Vec<usize> {
    let most = best(scores).and_then(|at| scores.get(at));
    most.map_or_else(Vec::new, |most| {
        (0..scores.len()).filter(|at| scores.get(*at) == Some(most)).collect()
    })
}

/// The one that scores best alone; none where several tie.
pub(crate) fn sole(scores: &[f64]) -> Option<usize> {
    match leaders(scores).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Whether two triples of weights rank alike: a common factor does not matter.
pub(crate) fn same_weights(a: Weights, b: Weights) -> bool {
    let (a, b) = (a.values(), b.values());
    let (sum_a, sum_b): (f64, f64) = (a.iter().sum(), b.iter().sum());
    a.iter().zip(&b).all(|(a, b)| (a * sum_b - b * sum_a).abs() <= 1e-9 * (sum_a * sum_b).abs())
}

/// "λ = 0.85".
pub(crate) fn at_level(point: &Point) -> String {
    format!("λ = {}", level(point.level))
}

/// "sp85": the paper's name without its "SAE-".
pub(crate) fn name(point: &Point) -> String {
    short_name(point.level)
}

pub(crate) fn short_name(level: f64) -> String {
    let name = method_name(level);
    name.strip_prefix("SAE-").map_or_else(|| name.clone(), str::to_owned)
}

/// "Standard".
pub(crate) fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// "1 level", "8 levels".
pub(crate) fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

pub(crate) fn chart(id: &str, title: &str, summary: String, caption: String, body: Body) -> Chart {
    Chart { id: id.to_owned(), title: title.to_owned(), summary, caption, body }
}
