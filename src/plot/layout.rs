//! What a drawing gives back: where things are on it, or why there is none.

use serde::Serialize;

/// The least width, in CSS pixels, that a chart is drawn at.
pub(super) const CHART_WIDTH_MIN: f64 = 120.0;

/// The least height, in CSS pixels, that a chart is drawn at.
pub(super) const CHART_HEIGHT_MIN: f64 = 60.0;

/// Where things are on a drawn chart, in CSS pixels from its top left corner.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Layout {
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// The rectangle that holds the data.
    pub plot: PlotRect,
    /// What there is to point at, in drawing order.
    pub marks: Vec<Mark>,
    /// Where the cells of a table are, if all its rows are drawn: a page lays text over them that can be
    /// selected and found.
    pub grid: Option<Grid>,
}

/// Where the cells of a drawn table are, in CSS pixels.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Grid {
    /// Size of ordinary text.
    pub size: f64,
    /// Size of what is written beside or under it.
    pub side_size: f64,
    /// Whether that is written under.
    pub stacked: bool,
    /// Top and height of the line of headings.
    pub header: [f64; 2],
    /// Top of the first row.
    pub top: f64,
    /// Height of every row.
    pub row: f64,
    /// The columns, from left to right.
    pub columns: Vec<GridColumn>,
}

/// Where a column's parts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GridColumn {
    /// Left edge.
    pub x: f64,
    /// Width.
    pub w: f64,
    /// Left edge of its texts, where they are aligned left.
    pub left: f64,
    /// Right edge of its texts, where they are aligned right.
    pub right: f64,
    /// Left edge of what is written beside.
    pub side: f64,
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PlotRect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl PlotRect {
    /// The square around a point whose half side is `reach`.
    pub(crate) fn square_around((x, y): (f64, f64), reach: f64) -> Self {
        Self { x: x - reach, y: y - reach, w: 2.0 * reach, h: 2.0 * reach }
    }
}

/// A place on the chart and what it reads out: "λ = 0.85 — F = 0.907".
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Mark {
    /// Left edge of the target.
    pub x: f64,
    /// Top edge of the target.
    pub y: f64,
    /// Width of the target.
    pub w: f64,
    /// Height of the target.
    pub h: f64,
    /// The series it belongs to: a curve, a profile, a column.
    pub series: String,
    /// What is pointed at, e.g. "λ = 0.85".
    pub title: String,
    /// What is known there, e.g. "F = 0.907".
    pub text: String,
}

impl Mark {
    pub(crate) fn on_series(place: PlotRect, series: &str, title: String, text: String) -> Self {
        let PlotRect { x, y, w, h } = place;
        Self { x, y, w, h, series: series.to_owned(), title, text }
    }
}

/// Why a chart could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The drawing area has no room for a chart, or its size is no number.
    #[error("a chart needs at least {CHART_WIDTH_MIN} × {CHART_HEIGHT_MIN} pixels, not {width} × {height}")]
    TooSmall {
        /// Width offered, in CSS pixels.
        width: f64,
        /// Height offered, in CSS pixels.
        height: f64,
    },
    /// The canvas gives no 2-D context.
    #[error("the canvas gives no 2-D drawing context")]
    NoContext,
    /// The backend refused to draw.
    #[error("the drawing backend failed: {0}")]
    Backend(String),
}

impl DrawError {
    /// A stable code for the page and the command line.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooSmall { .. } => "plot.too-small",
            Self::NoContext => "plot.no-context",
            Self::Backend(_) => "plot.backend",
        }
    }
}
