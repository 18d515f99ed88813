//! A chart of any kind: what is asked of it is asked of its body.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters_backend::DrawingBackend;
use serde::Serialize;

use super::bodies::bars::{self, Bars};
use super::bodies::boxes::{self, Boxes};
use super::bodies::dots::{self, Dots};
use super::bodies::fronts::{self, Fronts};
use super::bodies::heatmap::{self, Heatmap};
use super::bodies::histogram::{self, Histogram};
use super::bodies::lines::{self, Lines};
use super::bodies::marks::{self, Marks};
use super::bodies::projection::{self, Projection};
use super::bodies::ranges::{self, Ranges};
use super::bodies::ranked;
use super::bodies::scatter::{self, Scatter};
use super::bodies::table::{self, Table};
use super::bodies::ternary::{self, Ternary};
use super::data::Data;
use super::data_table::DataTable;
use super::features::INCLUDED;
use super::layout::{DrawError, Layout, MIN_HEIGHT, MIN_WIDTH, PlotRect};
use super::pen::Pen;
use super::theme::Theme;

/// A figure or a table of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// Stable name: "fig1a" … "fig5", "table3" … "table6", "ens-metrics" … "ens-printed".
    pub id: String,
    /// A short heading, e.g. "Figure 1(a). Metrics against the sparsity level".
    pub title: String,
    /// One sentence with the key numbers: the text alternative of the drawing.
    pub summary: String,
    /// What is shown and how to read it.
    pub caption: String,
    /// The data.
    pub body: Body,
}

/// The kinds of chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Body {
    /// Curves over a common x axis.
    Lines(Lines),
    /// Grouped bars.
    Bars(Bars),
    /// How often values fall where.
    Histogram(Histogram),
    /// Points, one quantity against another.
    Scatter(Scatter),
    /// Rows × columns of values as colours and numbers.
    Heatmap(Heatmap),
    /// Rows × columns of text, computed beside printed.
    Table(Table),
    /// Regions of a triangle of weights.
    Ternary(Ternary),
    /// Ranked points on two axes.
    Projection(Projection),
    /// The boxes of a hypervolume.
    Boxes(Boxes),
    /// Points, one quantity against another, with the front of each series.
    Fronts(Fronts),
    /// A value and its spread a row.
    Dots(Dots),
    /// Points over an axis a row, with what can be reached.
    Ranges(Ranges),
    /// A mark a cell.
    Marks(Marks),
}

impl Chart {
    pub(crate) fn new(id: &str, title: &str, summary: String, caption: String, body: Body) -> Self {
        Self { id: id.to_owned(), title: title.to_owned(), summary, caption, body }
    }

    /// Whether it is a table rather than a drawing.
    #[must_use]
    pub fn is_table(&self) -> bool {
        matches!(self.body, Body::Table(_))
    }

    /// The same data as plain text, row by row.
    pub fn data_table(&self) -> DataTable {
        match &self.body {
            Body::Lines(c) => lines::data_table(c),
            Body::Histogram(c) => histogram::data_table(c),
            Body::Scatter(c) => scatter::data_table(c),
            Body::Bars(c) => bars::data_table(c),
            Body::Heatmap(c) => heatmap::data_table(c),
            Body::Table(c) => table::data_table(c),
            _ if !INCLUDED => DataTable::plain(0, Vec::new(), Vec::new()),
            Body::Ternary(c) => ternary::data_table(c),
            Body::Projection(c) => projection::data_table(c),
            Body::Boxes(c) => ranked::data_table(&c.points),
            Body::Fronts(c) => scatter::data_table(&c.cloud),
            Body::Dots(c) => dots::data_table(c),
            Body::Ranges(c) => ranges::data_table(c),
            Body::Marks(c) => marks::data_table(c),
        }
    }

    /// The same data as [`Self::data_table`]'s, typed and at full precision.
    ///
    /// What shares a cell there has a column of its own here: the printed value, whether it agrees,
    /// and details in small print. A horizontal reference line is a column of one value.
    #[must_use]
    pub fn data(&self) -> Data {
        Data::from_columns(&match &self.body {
            Body::Lines(c) => lines::named_values(c),
            Body::Histogram(c) => histogram::named_values(c),
            Body::Scatter(c) => scatter::named_values(c),
            Body::Bars(c) => bars::named_values(c),
            Body::Heatmap(c) => heatmap::named_values(c),
            Body::Table(c) => table::named_values(c),
            Body::Ternary(c) => ternary::named_values(c),
            Body::Projection(c) => projection::named_values(c),
            Body::Boxes(c) => ranked::named_values(&c.points),
            Body::Fronts(c) => scatter::named_values(&c.cloud),
            Body::Dots(c) => dots::named_values(c),
            Body::Ranges(c) => ranges::named_values(c),
            Body::Marks(c) => marks::named_values(c),
        })
    }
}

/// The height of a chart with nothing in it.
const EMPTY_HEIGHT: f64 = 80.0;

/// The height in CSS pixels at which a chart reads well when `css_width` wide.
///
/// Text widths are estimated, so that this needs no canvas. Curves and bars keep a pleasant
/// proportion; heatmaps and tables grow with their rows.
pub fn preferred_height(chart: &Chart, css_width: f64) -> f64 {
    let width = if css_width.is_finite() { css_width.clamp(120.0, 4000.0) } else { 640.0 };
    let height = match &chart.body {
        Body::Lines(c) => lines::height(c, width),
        Body::Histogram(c) => histogram::height(c, width),
        Body::Scatter(c) => scatter::height(c, width),
        Body::Bars(c) => bars::height(c, width),
        Body::Heatmap(c) => heatmap::height(c, width),
        Body::Table(c) => table::height(c, width),
        _ if !INCLUDED => EMPTY_HEIGHT,
        Body::Ternary(_) => ternary::height(width),
        Body::Projection(c) => projection::height(c, width),
        Body::Boxes(_) => boxes::height(width),
        Body::Fronts(c) => fronts::height(c, width),
        Body::Dots(c) => dots::height(c, width),
        Body::Ranges(c) => ranges::height(c, width),
        Body::Marks(c) => marks::height(c, width),
    };
    height.round().max(EMPTY_HEIGHT)
}

/// Draws `chart` on the whole of `root`.
///
/// `scale` is the number of backend units to a CSS pixel: the device's pixel ratio, times
/// [`SUBPIXEL`](super::SUBPIXEL) where the backend draws that much finer than the device.
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
        pen.fill_rect(PlotRect { x: 0.0, y: 0.0, w: width, h: height }, background)?;
    }
    let mut layout = match &chart.body {
        Body::Lines(c) => lines::draw(&pen, c)?,
        Body::Histogram(c) => histogram::draw(&pen, c)?,
        Body::Scatter(c) => scatter::draw(&pen, c)?,
        Body::Bars(c) => bars::draw(&pen, c)?,
        Body::Heatmap(c) => heatmap::draw(&pen, c)?,
        Body::Table(c) => table::draw(&pen, c)?,
        _ if !INCLUDED => Layout::default(),
        Body::Ternary(c) => ternary::draw(&pen, c)?,
        Body::Projection(c) => projection::draw(&pen, c)?,
        Body::Boxes(c) => boxes::draw(&pen, c)?,
        Body::Fronts(c) => fronts::draw(&pen, c)?,
        Body::Dots(c) => dots::draw(&pen, c)?,
        Body::Ranges(c) => ranges::draw(&pen, c)?,
        Body::Marks(c) => marks::draw(&pen, c)?,
    };
    layout.width = width;
    layout.height = height;
    root.present().map_err(|e| DrawError::Backend(e.to_string()))?;
    Ok(layout)
}
