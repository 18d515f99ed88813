//! The paper's figures and tables from a report.

pub(crate) mod curves;
pub(crate) mod pareto;
pub(crate) mod simplex;
pub(crate) mod tables;
pub(crate) mod weights;

use super::metric::completeness::CompletenessReading;
use super::metric::fidelity::FidelityMode;
use super::{Cell, CellValue, Curve, ParetoView, Point, Report, method_name};
use crate::Weights;
use crate::order::{argmax, argsort_ascending};
use crate::plot::Chart;
use crate::plot::format::format_level;
use crate::study::{FigureSpec, find_chart_fn, lab_only};

/// The figures and tables of the paper, in its order, and those of the page's instruments.
#[rustfmt::skip]
pub const FIGURES: &[SfcFigure] = &[
    paper_figure("fig1a", "curves", "trade-off", curves::metrics_chart),
    paper_figure("fig1b", "score", "trade-off", curves::joint_score_chart),
    paper_figure("fig2", "weights", "weights-decide", weights::rankings_chart),
    paper_figure("fig3a", "networks", "networks", curves::configurations_chart),
    paper_figure("fig3b", "hypervolume", "networks", curves::hypervolumes_chart),
    paper_figure("fig4a", "information", "information", curves::analogues_chart),
    paper_figure("fig4b", "calibration", "information", curves::calibration_chart),
    paper_figure("fig5", "heatmap", "weights-decide", weights::heatmap_chart),
    paper_figure("table3", "levels", "cells", tables::levels_table),
    paper_figure("table4", "winners", "cells", tables::winners_table),
    paper_figure("table5", "fronts", "networks", tables::fronts_table),
    paper_figure("table6", "sizes", "sizes", tables::sizes_table),
    paper_figure("network-differences", "differences", "networks", curves::differences_chart),
    instrument_figure("simplex", "map", "map", simplex::weights_map),
    instrument_figure("pareto-sf", "pareto", "fronts", pareto::sparsity_fidelity_chart),
    instrument_figure("pareto-sc", "pareto-sc", "fronts", pareto::sparsity_completeness_chart),
    instrument_figure("pareto-fc", "pareto-fc", "fronts", pareto::fidelity_completeness_chart),
    instrument_figure("pareto-3d", "boxes", "fronts", pareto::boxes_chart),
    instrument_figure("pareto-table", "shares", "fronts", pareto::ranks_table),
];

type BuildChart = fn(&ScoredReport<'_>) -> Chart;
type SfcFigure = FigureSpec<BuildChart>;
type StaticStr = &'static str;

const fn paper_figure(id: StaticStr, name: StaticStr, section: StaticStr, build: BuildChart) -> SfcFigure {
    FigureSpec { id, name, section, build: Some(build) }
}

/// A figure that belongs to the page's instruments, not to the paper.
const fn instrument_figure(id: StaticStr, name: StaticStr, section: StaticStr, build: BuildChart) -> SfcFigure {
    lab_only(id, section, build).with_name(name)
}

/// Builds one of [`FIGURES`], scored under `weights` (of S, F, C); none for any other name.
///
/// `cells` are the report's comparisons with the paper. Scores of Tables 3 and 6 are compared under
/// equal weights only, as the paper prints no others.
pub fn build_figure(id: &str, report: &Report, cells: &[Cell], weights: Weights) -> Option<Chart> {
    build_figure_with_view(id, report, cells, weights, ParetoView::default())
}

/// As [`build_figure`], as the reader has set the Pareto instrument.
pub fn build_figure_with_view(
    id: &str,
    report: &Report,
    cells: &[Cell],
    weights: Weights,
    setting: ParetoView,
) -> Option<Chart> {
    find_chart_fn(FIGURES, id).map(|build| build(&ScoredReport::new(report, cells, weights, setting)))
}

/// Who wins under some weights, by how much, and the smallest change of weights that changes it.
#[inline(never)]
pub fn describe_flip(report: &Report, weights: Weights) -> String {
    simplex::describe_flip(report, weights)
}

/// A report with the weights it is read under, its levels in order.
pub struct ScoredReport<'a> {
    report: &'a Report,
    cells: &'a [Cell],
    weights: Weights,
    setting: ParetoView,
    /// The points of the main curve by level.
    points: Vec<&'a Point>,
}

impl<'a> ScoredReport<'a> {
    pub(crate) fn new(report: &'a Report, cells: &'a [Cell], weights: Weights, setting: ParetoView) -> Self {
        Self { report, cells, weights, setting, points: points_by_level(&report.main) }
    }

    /// The comparison of one printed cell.
    fn find_cell(&self, table: &str, row: &str, column: &str) -> Option<&'a Cell> {
        self.cells.iter().find(|c| c.table == table && c.row == row && c.column == column)
    }

    /// A cell's printed number.
    fn find_printed_number(&self, table: &str, row: &str, column: &str) -> Option<f64> {
        match self.find_cell(table, row, column)?.printed {
            CellValue::Number(number) => Some(number),
            CellValue::Text(_) => None,
        }
    }

    fn has_equal_weights(&self) -> bool {
        self.weights.is_proportional_to(Weights::EQUAL)
    }

    /// "the standard network (64 hidden units, 8 in the circuit), K = 48".
    fn describe_network(&self) -> String {
        let main = &self.report.main;
        format!(
            "the {} network ({} hidden units, {} in the circuit), K = {}",
            main.name, main.shape.hidden, main.shape.circuit, main.k
        )
    }

    /// What is not as in the paper about the metrics: " F is R²."; nothing where all is.
    fn describe_readings(&self) -> String {
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
        let centred = if settings.centred() { " The dictionary is of centred activations." } else { "" };
        [fidelity, completeness, centred].concat()
    }

    /// The score of every point of the main curve under some weights.
    fn main_scores(&self, weights: Weights) -> Vec<f64> {
        self.points.iter().map(|p| score_point(p, weights)).collect()
    }

    /// The points of the main curve that score best under some weights, and their score; none where
    /// every score is zero.
    fn best_points(&self, weights: Weights) -> (Vec<&'a Point>, f64) {
        let scores = self.main_scores(weights);
        let leaders = best_indices(&scores);
        let score = leaders.first().and_then(|at| scores.get(*at)).copied().unwrap_or_default();
        (leaders.into_iter().filter_map(|at| self.points.get(at).copied()).collect(), score)
    }
}

/// The points of a curve that can be drawn, by level.
pub(crate) fn points_by_level(curve: &Curve) -> Vec<&Point> {
    let points: Vec<&Point> = curve.points.iter().filter(|p| p.level.is_finite()).collect();
    argsort_ascending(points.iter().map(|p| p.level)).into_iter().map(|index| points[index]).collect()
}

/// SFC of a point; zero where it is no number.
pub(crate) fn score_point(point: &Point, weights: Weights) -> f64 {
    let score = weights.sfc(point.sparsity, point.fidelity, point.completeness);
    if score.is_finite() { score } else { 0.0 }
}

/// The first of the greatest scores; none where every score is zero, so that nothing is best.
pub(crate) fn argmax_positive(scores: &[f64]) -> Option<usize> {
    argmax(scores).filter(|at| scores.get(*at).is_some_and(|score| *score > 0.0))
}

/// All of the greatest scores; none where every score is zero.
pub(crate) fn best_indices(scores: &[f64]) -> Vec<usize> {
    let most = argmax_positive(scores).and_then(|at| scores.get(at));
    most.map_or_else(Vec::new, |most| (0..scores.len()).filter(|at| scores.get(*at) == Some(most)).collect())
}

/// The one that scores best alone; none where several tie.
pub(crate) fn sole_best_index(scores: &[f64]) -> Option<usize> {
    match best_indices(scores).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// "λ = 0.85".
pub(crate) fn point_level_label(point: &Point) -> String {
    format!("λ = {}", format_level(point.level))
}

/// "sp85": the paper's name without its "SAE-".
pub(crate) fn point_name(point: &Point) -> String {
    level_short_name(point.level)
}

pub(crate) fn level_short_name(level: f64) -> String {
    let name = method_name(level);
    name.strip_prefix("SAE-").map_or_else(|| name.clone(), str::to_owned)
}
