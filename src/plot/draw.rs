//! From a chart to a drawing, on any plotters backend.

mod bars;
mod boxes;
mod dots;
mod frame;
mod fronts;
mod heatmap;
mod histogram;
mod labels;
mod legend;
mod lines;
mod pen;
mod projection;
mod table;
mod ternary;
mod titled;

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters_backend::DrawingBackend;
use serde::Serialize;

use super::chart::{Body, Chart};
use super::included::INCLUDED;
use super::theme::Theme;
pub(super) use bars::{foot_lines, headroom, items as bar_items};
pub(crate) use boxes::MOST_BOXES;
pub(super) use dots::ROW;
pub(super) use heatmap::key_height;
pub(super) use histogram::items as rule_items;
pub(super) use legend::{Item, arrange};
pub(super) use lines::items as line_items;
pub(super) use projection::items as projection_items;
pub(super) use table::plan;
pub use ternary::Triangle;
pub use titled::{draw_titled, titled_height};

use pen::Pen;

/// Backend units to a device pixel for smooth curves: backend coordinates are integers.
pub const SUBPIXEL: u32 = 8;

/// The least width, in CSS pixels, that a chart is drawn at.
const MIN_WIDTH: f64 = 120.0;
/// The least height, in CSS pixels, that a chart is drawn at.
const MIN_HEIGHT: f64 = 60.0;

/// Where things are on a drawn chart, in CSS pixels from its top left corner.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// A place on the chart and what it reads out: "λ = 0.85 — F = 0.907".
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// Why a chart could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The drawing area has no room for a chart, or its size is no number.
    #[error("a chart needs at least {MIN_WIDTH} × {MIN_HEIGHT} pixels, not {width} × {height}")]
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

/// Draws `chart` on the whole of `root`.
///
/// `scale` is the number of backend units to a CSS pixel: the device's pixel ratio, times
/// [`SUBPIXEL`] where the backend draws that much finer than the device.
///
/// # Errors
/// [`DrawError::TooSmall`] below 120 × 60 CSS pixels; [`DrawError::Backend`] if the backend fails.
pub fn draw<DB: DrawingBackend>(
    chart: &Chart,
    theme: &Theme,
    root: &DrawingArea<DB, Shift>,
    scale: f64,
) -> Result<Layout, DrawError> {
    let (w, h) = root.dim_in_pixel();
    let (width, height) = (f64::from(w) / scale, f64::from(h) / scale);
    let roomy = width >= MIN_WIDTH && height >= MIN_HEIGHT;
    if !(roomy && width.is_finite() && height.is_finite()) {
        return Err(DrawError::TooSmall { width, height });
    }
    let pen = Pen::new(root, theme, scale, width, height);
    if let Some(background) = theme.background {
        pen.rect(PlotRect { x: 0.0, y: 0.0, w: width, h: height }, background)?;
    }
    let mut layout = match &chart.body {
        Body::Lines(lines) => lines::draw(&pen, lines)?,
        Body::Histogram(histogram) => histogram::draw(&pen, histogram)?,
        Body::Scatter(scatter) => lines::draw_scatter(&pen, scatter)?,
        Body::Bars(bars) => bars::draw(&pen, bars)?,
        Body::Heatmap(map) => heatmap::draw(&pen, map)?,
        Body::Table(table) => table::draw(&pen, table)?,
        Body::Ternary(_)
        | Body::Projection(_)
        | Body::Boxes(_)
        | Body::Fronts(_)
        | Body::Dots(_)
            if !INCLUDED =>
        {
            Layout::default()
        }
        Body::Ternary(map) => ternary::draw(&pen, map)?,
        Body::Projection(front) => projection::draw(&pen, front)?,
        Body::Boxes(boxes) => boxes::draw(&pen, boxes)?,
        Body::Fronts(fronts) => fronts::draw(&pen, fronts)?,
        Body::Dots(dots) => dots::draw(&pen, dots)?,
    };
    layout.width = width;
    layout.height = height;
    root.present().map_err(|e| DrawError::Backend(e.to_string()))?;
    Ok(layout)
}

/// The font size of a chart's ordinary text at a width, both in CSS pixels.
pub(crate) fn text_size(width: f64) -> f64 {
    if width < 420.0 {
        11.0
    } else if width < 900.0 {
        12.0
    } else {
        13.0
    }
}
