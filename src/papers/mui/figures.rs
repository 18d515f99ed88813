//! The figures of the Model Utilization Index: the paper's tables derived anew, and the toy model measured.

mod experiments;
mod neuron_selection;
mod paper;
mod toy_model;
mod training;
mod user_files;

use super::metric::Direction;
use super::report::Report;
use super::tables::DerivedCell;
use crate::plot::cells::{number_cell, text_cell};
use crate::plot::format::{fixed, fixed3, format_p_value};
use crate::plot::{
    Axis, Chart, ChartBody, ColourRole, CurveBand, Datum, Marker, Scatter, Series, Stroke, TableCell, band_edges,
    x_values, y_values,
};
use crate::statistics::LogFit;
use crate::study::{FigureSpec, lab_only};

/// What is drawn.
pub struct MuiSource<'a> {
    /// The report, as far as it has come.
    pub report: &'a Report,
    /// What follows from the paper's numbers.
    pub derived: &'a [DerivedCell],
}

type BuildChart = fn(&MuiSource<'_>) -> Chart;

/// The figures.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("mui-claims", "mui-claims", paper::claims_table),
    lab_only("mui-derived", "mui-derived", paper::derived_table),
    lab_only("mui-differs", "mui-derived", paper::discrepancies_table),
    lab_only("mui-law", "mui-law", paper::law_chart),
    lab_only("mui-laws", "mui-law", paper::laws_table),
    lab_only("mui-directions", "mui-four", paper::directions_chart),
    lab_only("mui-pretraining", "mui-four", paper::pre_training_chart),
    lab_only("mui-specialised", "mui-four", paper::specialised_chart),
    lab_only("mui-contaminated", "mui-four", paper::contaminated_chart),
    lab_only("mui-steps", "mui-four", paper::steps_table),
    lab_only("mui-ranking", "mui-ranking", paper::ranking_chart),
    lab_only("mui-alpha", "mui-ranking", paper::alpha_chart),
    lab_only("mui-thresholds", "mui-thresholds", paper::thresholds_table),
    lab_only("mui-tasks", "mui-model", toy_model::tasks_chart),
    lab_only("mui-path", "mui-model", toy_model::path_chart),
    lab_only("mui-model-laws", "mui-model", toy_model::laws_table),
    lab_only("mui-model-steps", "mui-model", toy_model::steps_table),
    lab_only("mui-growth", "mui-model", toy_model::growth_chart),
    lab_only("mui-diversity", "mui-asked", experiments::diversity_chart),
    lab_only("mui-domains", "mui-asked", experiments::domains_chart),
    lab_only("mui-parts", "mui-asked", experiments::growth_parts_chart),
    lab_only("mui-difficulty", "mui-asked", experiments::difficulty_chart),
    lab_only("mui-length", "mui-asked", experiments::length_chart),
    lab_only("mui-masking", "mui-asked", experiments::masking_chart),
    lab_only("mui-scores", "mui-asked", neuron_selection::scores_chart),
    lab_only("mui-cutoffs", "mui-asked", neuron_selection::thresholds_chart),
    lab_only("mui-selection", "mui-asked", neuron_selection::selection_table),
    lab_only("mui-ways", "mui-asked", neuron_selection::rules_table),
    lab_only("mui-contamination", "mui-asked", experiments::contamination_chart),
    lab_only("mui-correctness", "mui-asked", experiments::correctness_chart),
    lab_only("mui-models", "mui-asked", neuron_selection::agreements_table),
    lab_only("mui-ranked", "mui-asked", neuron_selection::ranked_table),
    lab_only("mui-features", "mui-asked", neuron_selection::features_table),
    lab_only("mui-trained-path", "mui-train", training::path_chart),
    lab_only("mui-trained-loss", "mui-train", training::loss_chart),
    lab_only("mui-trained-looks", "mui-train", training::evaluations_table),
    lab_only("mui-trained-tasks", "mui-train", training::tasks_table),
    lab_only("mui-own-growth", "mui-own", user_files::growth_chart),
];

/// Colours of series, in turn.
const SERIES_ROLES: [ColourRole; 7] = [
    ColourRole::Sparsity,
    ColourRole::Fidelity,
    ColourRole::Completeness,
    ColourRole::GroundTruth,
    ColourRole::Score,
    ColourRole::Extra,
    ColourRole::Yours,
];
const SERIES_MARKERS: [Marker; 6] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::OpenCircle, Marker::OpenSquare];

/// Performance against index, both in percent.
fn performance_chart(
    id: &str,
    title: &str,
    [summary, caption]: [String; 2],
    series: Vec<Series>,
    whole: bool,
) -> Chart {
    let x = "performance (%)";
    let x = if whole {
        Axis::from_zero(x, 100.0).with_symbol("P")
    } else {
        Axis::for_shares(x, "P", &x_values(&series).collect::<Vec<f64>>())
    };
    let heights: Vec<f64> = y_values(&series).chain(band_edges(&series)).collect();
    let y = Axis::for_shares("MUI (%)", "MUI", &heights);
    let body = ChartBody::Scatter(Scatter { x, y, series, references: Vec::new() });
    Chart::new(id, title, summary, caption, body)
}

fn new_datum(label: &str, (x, y): (f64, f64)) -> Datum {
    Datum { x, y, label: label.to_owned() }
}

/// From somewhere to a marked end.
fn arrow_series(name: &str, at: usize, ends: [Datum; 2], direction: Option<Direction>) -> Series {
    let role = SERIES_ROLES[at % SERIES_ROLES.len()];
    Series {
        note: direction.map(|direction| direction.name().to_owned()),
        ..Series::new(name, role, Stroke::Arrow, SERIES_MARKERS[at % 4], ends.to_vec())
    }
}

/// Where arrows begin.
fn arrow_start_series(points: Vec<Datum>) -> Series {
    Series::new("where they begin", ColourRole::Neutral, Stroke::None, Marker::OpenCircle, points)
}

/// A path through points, its first and its last marked. Where two lie on each other, the first one's mark is drawn.
fn path_series([first, all, last]: [&str; 3], points: Vec<Datum>) -> [Series; 3] {
    let [begin, end] = [points.first(), points.last()].map(|point| point.cloned().into_iter().collect());
    [
        Series::new(first, ColourRole::Extra, Stroke::None, Marker::OpenSquare, begin),
        Series::new(all, ColourRole::Score, Stroke::Path, Marker::Circle, points),
        Series::new(last, ColourRole::Yours, Stroke::None, Marker::Diamond, end),
    ]
}

/// A law from the least performance to 100, with its band of 95 %.
fn law_series(fit: &LogFit, from: f64) -> Series {
    const LAW_POINTS: usize = 48;
    let xs = (0..=LAW_POINTS).map(|at| from + (100.0 - from) * at as f64 / LAW_POINTS as f64);
    let mut points = Vec::new();
    let mut edges = Vec::new();
    for x in xs {
        if let Ok(y) = fit.predict(x) {
            points.push(Datum { x, y, label: format!("law at P = {}", fixed(x, 1)) });
            if let Ok(band) = fit.confidence_band(x, 0.95) {
                edges.push((band.low, band.high));
            }
        }
    }
    let bands = if edges.len() == points.len() && !edges.is_empty() {
        vec![CurveBand { name: "95 % confidence".to_owned(), edges }]
    } else {
        Vec::new()
    };
    let line = Series::new("MUI = A ln P + B", ColourRole::Neutral, Stroke::Dashed, Marker::None, points);
    Series { bands, ..line }
}

/// A, B, r and p of a law as words: "A = −1.439, r = −0.952, p < 0.001".
fn describe_law(fit: &LogFit) -> String {
    let line = fit.line();
    let r = line.correlation().map_or_else(|| "–".to_owned(), fixed3);
    format!("A = {}, r = {r}, {}", fixed3(line.slope()), format_p_value(line.p()))
}

/// The cell of a p-value.
fn p_value_cell(p: Option<f64>) -> TableCell {
    match p {
        Some(p) if p < 0.001 => TableCell { exact: Some(p), ..text_cell("< 0.001") },
        p => number_cell(p, 3),
    }
}

/// Cells of a law: A, B, r, p and the index at 100 %.
fn law_cells(fit: Option<&LogFit>) -> [TableCell; 5] {
    let line = fit.map(LogFit::line);
    [
        number_cell(line.map(|line| line.slope()), 3),
        number_cell(line.map(|line| line.intercept()), 3),
        number_cell(line.and_then(|line| line.correlation()), 3),
        p_value_cell(line.and_then(|line| line.p())),
        number_cell(fit.and_then(|fit| fit.predict(100.0).ok()), 2),
    ]
}
