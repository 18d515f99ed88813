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
use crate::order::{greatest, rising};
use crate::plot::Chart;
use crate::plot::format::level;
use crate::study::{FigureSpec, build_of, of_lab};

/// The figures and tables of the paper, in its order, and those of the page's instruments.
#[rustfmt::skip]
pub const FIGURES: &[Spec] = &[
    paper("fig1a", "curves", "trade-off", curves::metrics),
    paper("fig1b", "score", "trade-off", curves::joint_score),
    paper("fig2", "weights", "weights-decide", weights::rankings),
    paper("fig3a", "networks", "networks", curves::configurations),
    paper("fig3b", "hypervolume", "networks", curves::hypervolumes),
    paper("fig4a", "information", "information", curves::analogues),
    paper("fig4b", "calibration", "information", curves::calibration),
    paper("fig5", "heatmap", "weights-decide", weights::heatmap),
    paper("table3", "levels", "cells", tables::levels),
    paper("table4", "winners", "cells", tables::winners),
    paper("table5", "fronts", "networks", tables::fronts),
    paper("table6", "sizes", "sizes", tables::sizes),
    paper("network-differences", "differences", "networks", curves::differences),
    instrument("simplex", "map", "map", simplex::map),
    instrument("pareto-sf", "pareto", "fronts", pareto::sf),
    instrument("pareto-sc", "pareto-sc", "fronts", pareto::sc),
    instrument("pareto-fc", "pareto-fc", "fronts", pareto::fc),
    instrument("pareto-3d", "boxes", "fronts", pareto::boxes),
    instrument("pareto-table", "shares", "fronts", pareto::table),
];

type Build = fn(&Scored<'_>) -> Chart;
type Spec = FigureSpec<Build>;
type Name = &'static str;

const fn paper(id: Name, name: Name, section: Name, build: Build) -> Spec {
    FigureSpec { id, name, section, build: Some(build) }
}

/// A figure that belongs to the page's instruments, not to the paper.
const fn instrument(id: Name, name: Name, section: Name, build: Build) -> Spec {
    of_lab(id, section, build).named(name)
}

/// Builds one of [`FIGURES`], scored under `weights` (of S, F, C); none for any other name.
///
/// `cells` are the report's comparisons with the paper. Scores of Tables 3 and 6 are compared under
/// equal weights only, as the paper prints no others.
pub fn figure(id: &str, report: &Report, cells: &[Cell], weights: Weights) -> Option<Chart> {
    figure_as_set(id, report, cells, weights, ParetoView::default())
}

/// As [`figure`], as the reader has set the Pareto instrument.
pub fn figure_as_set(
    id: &str,
    report: &Report,
    cells: &[Cell],
    weights: Weights,
    setting: ParetoView,
) -> Option<Chart> {
    build_of(FIGURES, id).map(|build| build(&Scored::new(report, cells, weights, setting)))
}

/// Who wins under some weights, by how much, and the smallest change of weights that changes it.
#[inline(never)]
pub fn flip_sentence(report: &Report, weights: Weights) -> String {
    simplex::flip_sentence(report, weights)
}

/// A report with the weights it is read under, its levels in order.
pub struct Scored<'a> {
    report: &'a Report,
    cells: &'a [Cell],
    weights: Weights,
    setting: ParetoView,
    /// The points of the main curve by level.
    points: Vec<&'a Point>,
}

impl<'a> Scored<'a> {
    pub(crate) fn new(
        report: &'a Report,
        cells: &'a [Cell],
        weights: Weights,
        setting: ParetoView,
    ) -> Self {
        Self { report, cells, weights, setting, points: by_level(&report.main) }
    }

    /// The comparison of one printed cell.
    fn cell(&self, table: &str, row: &str, column: &str) -> Option<&'a Cell> {
        self.cells.iter().find(|c| c.table == table && c.row == row && c.column == column)
    }

    /// A cell's printed number.
    fn printed_number(&self, table: &str, row: &str, column: &str) -> Option<f64> {
        match self.cell(table, row, column)?.printed {
            CellValue::Number(number) => Some(number),
            CellValue::Text(_) => None,
        }
    }

    fn is_equal(&self) -> bool {
        self.weights.proportional_to(Weights::EQUAL)
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
    let points: Vec<&Point> = curve.points.iter().filter(|p| p.level.is_finite()).collect();
    rising(points.iter().map(|p| p.level)).into_iter().map(|index| points[index]).collect()
}

/// SFC of a point; zero where it is no number.
pub(crate) fn score(point: &Point, weights: Weights) -> f64 {
    let score = weights.sfc(point.sparsity, point.fidelity, point.completeness);
    if score.is_finite() { score } else { 0.0 }
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
