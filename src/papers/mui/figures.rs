//! The figures of the Model Utilization Index: the paper's tables derived anew, and the toy model measured.

mod experiments;
mod measured;
mod own;
mod paper;
mod selected;
mod trained;

use super::metric::Direction;
use super::report::Report;
use super::tables::Derived;
use crate::plot::cells::{number, text};
use crate::plot::format::{fixed, fixed3, p_words};
use crate::plot::{
    Axis, Body, Chart, CurveBand, Datum, Marker, Role, Scatter, Series, Stroke, TableCell,
    band_edges, xs, ys,
};
use crate::statistics::LogFit;
use crate::study::{FigureSpec, of_lab};

/// What is drawn.
pub struct Source<'a> {
    /// The report, as far as it has come.
    pub report: &'a Report,
    /// What follows from the paper's numbers.
    pub derived: &'a [Derived],
}

type Build = fn(&Source<'_>) -> Chart;

/// The figures.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<Build>] = &[
    of_lab("mui-claims", "mui-claims", paper::claims_table),
    of_lab("mui-derived", "mui-derived", paper::derived_table),
    of_lab("mui-differs", "mui-derived", paper::differing),
    of_lab("mui-law", "mui-law", paper::law),
    of_lab("mui-laws", "mui-law", paper::laws),
    of_lab("mui-directions", "mui-four", paper::directions),
    of_lab("mui-pretraining", "mui-four", paper::pre_training),
    of_lab("mui-specialised", "mui-four", paper::specialised_models),
    of_lab("mui-contaminated", "mui-four", paper::contaminated_models),
    of_lab("mui-steps", "mui-four", paper::steps_table),
    of_lab("mui-ranking", "mui-ranking", paper::ranking),
    of_lab("mui-alpha", "mui-ranking", paper::alpha),
    of_lab("mui-thresholds", "mui-thresholds", paper::thresholds),
    of_lab("mui-tasks", "mui-model", measured::tasks),
    of_lab("mui-path", "mui-model", measured::path),
    of_lab("mui-model-laws", "mui-model", measured::laws),
    of_lab("mui-model-steps", "mui-model", measured::steps),
    of_lab("mui-growth", "mui-model", measured::growth),
    of_lab("mui-diversity", "mui-asked", experiments::diversity),
    of_lab("mui-domains", "mui-asked", experiments::domains),
    of_lab("mui-parts", "mui-asked", experiments::parts),
    of_lab("mui-difficulty", "mui-asked", experiments::difficulty),
    of_lab("mui-length", "mui-asked", experiments::length),
    of_lab("mui-masking", "mui-asked", experiments::masking),
    of_lab("mui-scores", "mui-asked", selected::scores),
    of_lab("mui-cutoffs", "mui-asked", selected::cutoffs),
    of_lab("mui-selection", "mui-asked", selected::selection),
    of_lab("mui-ways", "mui-asked", selected::ways),
    of_lab("mui-contamination", "mui-asked", experiments::contamination),
    of_lab("mui-correctness", "mui-asked", experiments::correctness),
    of_lab("mui-models", "mui-asked", selected::orders),
    of_lab("mui-ranked", "mui-asked", selected::ranked),
    of_lab("mui-features", "mui-asked", selected::features),
    of_lab("mui-trained-path", "mui-train", trained::path),
    of_lab("mui-trained-loss", "mui-train", trained::loss),
    of_lab("mui-trained-looks", "mui-train", trained::looks),
    of_lab("mui-trained-tasks", "mui-train", trained::tasks),
    of_lab("mui-own-growth", "mui-own", own::growth),
];

/// Colours of series, in turn.
const ROLES: [Role; 7] = [
    Role::Sparsity,
    Role::Fidelity,
    Role::Completeness,
    Role::GroundTruth,
    Role::Score,
    Role::Extra,
    Role::Yours,
];
const MARKERS: [Marker; 6] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::OpenCircle,
    Marker::OpenSquare,
];

/// Performance against index, both in percent.
fn plane(
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
        Axis::of_shares(x, "P", &xs(&series).collect::<Vec<f64>>())
    };
    let heights: Vec<f64> = ys(&series).chain(band_edges(&series)).collect();
    let y = Axis::of_shares("MUI (%)", "MUI", &heights);
    let body = Body::Scatter(Scatter { x, y, series, references: Vec::new() });
    Chart::new(id, title, summary, caption, body)
}

fn datum(label: &str, (x, y): (f64, f64)) -> Datum {
    Datum { x, y, label: label.to_owned() }
}

/// From somewhere to a marked end.
fn arrow(name: &str, at: usize, ends: [Datum; 2], direction: Option<Direction>) -> Series {
    let role = ROLES[at % ROLES.len()];
    Series {
        note: direction.map(|direction| direction.name().to_owned()),
        ..Series::new(name, role, Stroke::Arrow, MARKERS[at % 4], ends.to_vec())
    }
}

/// Where arrows begin.
fn beginnings(points: Vec<Datum>) -> Series {
    Series::new("where they begin", Role::Neutral, Stroke::None, Marker::OpenCircle, points)
}

/// A path through points, its first and its last marked. Where two lie on each other, the first one's mark is drawn.
fn path([first, all, last]: [&str; 3], points: Vec<Datum>) -> [Series; 3] {
    let [begin, end] =
        [points.first(), points.last()].map(|point| point.cloned().into_iter().collect());
    [
        Series::new(first, Role::Extra, Stroke::None, Marker::OpenSquare, begin),
        Series::new(all, Role::Score, Stroke::Path, Marker::Circle, points),
        Series::new(last, Role::Yours, Stroke::None, Marker::Diamond, end),
    ]
}

/// A law from the least performance to 100, with its band of 95 %.
fn law_series(fit: &LogFit, from: f64) -> Series {
    const POINTS: usize = 48;
    let xs = (0..=POINTS).map(|at| from + (100.0 - from) * at as f64 / POINTS as f64);
    let mut points = Vec::new();
    let mut edges = Vec::new();
    for x in xs {
        if let Ok(y) = fit.at(x) {
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
    let line = Series::new("MUI = A ln P + B", Role::Neutral, Stroke::Dashed, Marker::None, points);
    Series { bands, ..line }
}

/// A, B, r and p of a law as words: "A = −1.439, r = −0.952, p < 0.001".
fn law_words(fit: &LogFit) -> String {
    let line = fit.line();
    let r = line.correlation().map_or_else(|| "–".to_owned(), fixed3);
    format!("A = {}, r = {r}, {}", fixed3(line.slope()), p_words(line.p()))
}

/// The cell of a p-value.
fn chance(p: Option<f64>) -> TableCell {
    match p {
        Some(p) if p < 0.001 => TableCell { exact: Some(p), ..text("< 0.001") },
        p => number(p, 3),
    }
}

/// Cells of a law: A, B, r, p and the index at 100 %.
fn law_cells(fit: Option<&LogFit>) -> [TableCell; 5] {
    let line = fit.map(LogFit::line);
    [
        number(line.map(|line| line.slope()), 3),
        number(line.map(|line| line.intercept()), 3),
        number(line.and_then(|line| line.correlation()), 3),
        chance(line.and_then(|line| line.p())),
        number(fit.and_then(|fit| fit.at(100.0).ok()), 2),
    ]
}
