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
use crate::plot::{Axis, Body, Chart, Datum, Marker, Role, Scatter, Series, Stroke, TableCell};
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
    spec("mui-claims", "mui-claims", paper::claims_table),
    spec("mui-derived", "mui-derived", paper::derived_table),
    spec("mui-differs", "mui-derived", paper::differing),
    spec("mui-law", "mui-law", paper::law),
    spec("mui-laws", "mui-law", paper::laws),
    spec("mui-directions", "mui-four", paper::directions),
    spec("mui-pretraining", "mui-four", paper::pre_training),
    spec("mui-specialised", "mui-four", paper::specialised_models),
    spec("mui-contaminated", "mui-four", paper::contaminated_models),
    spec("mui-steps", "mui-four", paper::steps_table),
    spec("mui-ranking", "mui-ranking", paper::ranking),
    spec("mui-alpha", "mui-ranking", paper::alpha),
    spec("mui-thresholds", "mui-thresholds", paper::thresholds),
    spec("mui-tasks", "mui-model", measured::tasks),
    spec("mui-path", "mui-model", measured::path),
    spec("mui-model-laws", "mui-model", measured::laws),
    spec("mui-model-steps", "mui-model", measured::steps),
    spec("mui-growth", "mui-model", measured::growth),
    spec("mui-diversity", "mui-asked", experiments::diversity),
    spec("mui-domains", "mui-asked", experiments::domains),
    spec("mui-parts", "mui-asked", experiments::parts),
    spec("mui-difficulty", "mui-asked", experiments::difficulty),
    spec("mui-length", "mui-asked", experiments::length),
    spec("mui-masking", "mui-asked", experiments::masking),
    spec("mui-scores", "mui-asked", selected::scores),
    spec("mui-cutoffs", "mui-asked", selected::cutoffs),
    spec("mui-selection", "mui-asked", selected::selection),
    spec("mui-ways", "mui-asked", selected::ways),
    spec("mui-contamination", "mui-asked", experiments::contamination),
    spec("mui-correctness", "mui-asked", experiments::correctness),
    spec("mui-models", "mui-asked", selected::orders),
    spec("mui-ranked", "mui-asked", selected::ranked),
    spec("mui-features", "mui-asked", selected::features),
    spec("mui-trained-path", "mui-train", trained::path),
    spec("mui-trained-loss", "mui-train", trained::loss),
    spec("mui-trained-looks", "mui-train", trained::looks),
    spec("mui-trained-tasks", "mui-train", trained::tasks),
    spec("mui-own-growth", "mui-own", own::growth),
];

const fn spec(id: &'static str, section: &'static str, build: Build) -> FigureSpec<Build> {
    FigureSpec { id, name: id, section, build: of_lab(build) }
}

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
    let values = |of: fn(&Datum) -> f64| {
        let points = series.iter().flat_map(move |s| s.points.iter().map(of));
        let bands = series.iter().flat_map(|s| s.bands.iter().flat_map(|band| band.edges.iter()));
        let bands: Vec<f64> = bands.flat_map(|(low, high)| [*low, *high]).collect();
        (points, bands)
    };
    let (xs, _) = values(|p| p.x);
    let (ys, bands) = values(|p| p.y);
    let x = "performance (%)";
    let x = if whole {
        Axis { symbol: "P".to_owned(), ..Axis::from_zero(x, 100.0) }
    } else {
        Axis::of_shares(x, "P", &xs.collect::<Vec<f64>>())
    };
    let y = Axis::of_shares("MUI (%)", "MUI", &ys.chain(bands).collect::<Vec<f64>>());
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
        vec![crate::plot::CurveBand { name: "95 % confidence".to_owned(), edges }]
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
