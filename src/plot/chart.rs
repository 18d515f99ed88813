//! A chart of any kind: what is asked of it is asked of its body.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters_backend::DrawingBackend;
use serde::Serialize;

use super::bodies::bars::{self, Bars};
use super::bodies::boxes::{self, HypervolumeBoxes};
use super::bodies::dots::{self, Dots};
use super::bodies::fronts::{self, Fronts};
use super::bodies::heatmap::{self, Heatmap};
use super::bodies::histogram::{self, Histogram};
use super::bodies::lines::{self, Lines};
use super::bodies::marks::{self, MarkMatrix};
use super::bodies::projection::{self, Projection};
use super::bodies::ranges::{self, Ranges};
use super::bodies::ranked;
use super::bodies::scatter::{self, Scatter};
use super::bodies::table::{self, Table};
use super::bodies::ternary::{self, Ternary};
use super::data::ChartData;
use super::data_table::DataTable;
use super::features::LAB_INCLUDED;
use super::layout::{CHART_HEIGHT_MIN, CHART_WIDTH_MIN, DrawError, Layout, PlotRect};
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
    pub body: ChartBody,
}

/// The kinds of chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ChartBody {
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
    Boxes(HypervolumeBoxes),
    /// Points, one quantity against another, with the front of each series.
    Fronts(Fronts),
    /// A value and its spread a row.
    Dots(Dots),
    /// Points over an axis a row, with what can be reached.
    Ranges(Ranges),
    /// A mark a cell.
    Marks(MarkMatrix),
}

impl Chart {
    pub(crate) fn new(id: &str, title: &str, summary: String, caption: String, body: ChartBody) -> Self {
        Self { id: id.to_owned(), title: title.to_owned(), summary, caption, body }
    }

    /// Whether it is a table rather than a drawing.
    #[must_use]
    pub fn is_table(&self) -> bool {
        matches!(self.body, ChartBody::Table(_))
    }

    /// The same data as plain text, row by row.
    pub fn data_table(&self) -> DataTable {
        match &self.body {
            ChartBody::Lines(c) => lines::data_table(c),
            ChartBody::Histogram(c) => histogram::data_table(c),
            ChartBody::Scatter(c) => scatter::data_table(c),
            ChartBody::Bars(c) => bars::data_table(c),
            ChartBody::Heatmap(c) => heatmap::data_table(c),
            ChartBody::Table(c) => table::data_table(c),
            _ if !LAB_INCLUDED => DataTable::from_texts(0, Vec::new(), Vec::new()),
            ChartBody::Ternary(c) => ternary::data_table(c),
            ChartBody::Projection(c) => projection::data_table(c),
            ChartBody::Boxes(c) => ranked::data_table(&c.points),
            ChartBody::Fronts(c) => scatter::data_table(&c.cloud),
            ChartBody::Dots(c) => dots::data_table(c),
            ChartBody::Ranges(c) => ranges::data_table(c),
            ChartBody::Marks(c) => marks::data_table(c),
        }
    }

    /// The same data as [`Self::data_table`]'s, typed and at full precision.
    ///
    /// What shares a cell there has a column of its own here: the printed value, whether it agrees,
    /// and details in small print. A horizontal reference line is a column of one value.
    #[must_use]
    pub fn data(&self) -> ChartData {
        ChartData::from_columns(&match &self.body {
            ChartBody::Lines(c) => lines::named_values(c),
            ChartBody::Histogram(c) => histogram::named_values(c),
            ChartBody::Scatter(c) => scatter::named_values(c),
            ChartBody::Bars(c) => bars::named_values(c),
            ChartBody::Heatmap(c) => heatmap::named_values(c),
            ChartBody::Table(c) => table::named_values(c),
            ChartBody::Ternary(c) => ternary::named_values(c),
            ChartBody::Projection(c) => projection::named_values(c),
            ChartBody::Boxes(c) => ranked::named_values(&c.points),
            ChartBody::Fronts(c) => scatter::named_values(&c.cloud),
            ChartBody::Dots(c) => dots::named_values(c),
            ChartBody::Ranges(c) => ranges::named_values(c),
            ChartBody::Marks(c) => marks::named_values(c),
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
        ChartBody::Lines(c) => lines::height(c, width),
        ChartBody::Histogram(c) => histogram::height(c, width),
        ChartBody::Scatter(c) => scatter::height(c, width),
        ChartBody::Bars(c) => bars::height(c, width),
        ChartBody::Heatmap(c) => heatmap::height(c, width),
        ChartBody::Table(c) => table::height(c, width),
        _ if !LAB_INCLUDED => EMPTY_HEIGHT,
        ChartBody::Ternary(_) => ternary::height(width),
        ChartBody::Projection(c) => projection::height(c, width),
        ChartBody::Boxes(_) => boxes::height(width),
        ChartBody::Fronts(c) => fronts::height(c, width),
        ChartBody::Dots(c) => dots::height(c, width),
        ChartBody::Ranges(c) => ranges::height(c, width),
        ChartBody::Marks(c) => marks::height(c, width),
    };
    height.round().max(EMPTY_HEIGHT)
}

/// Draws `chart` on the whole of `root`.
///
/// `scale` is the number of backend units to a CSS pixel: the device's pixel ratio, times
/// [`UNITS_PER_PIXEL`](super::UNITS_PER_PIXEL) where the backend draws that much finer than the device.
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
    let roomy = width >= CHART_WIDTH_MIN && height >= CHART_HEIGHT_MIN;
    if !(roomy && width.is_finite() && height.is_finite()) {
        return Err(DrawError::TooSmall { width, height });
    }
    let pen = Pen::new(root, theme, scale, width, height);
    if let Some(background) = theme.background {
        pen.fill_rect(PlotRect { x: 0.0, y: 0.0, w: width, h: height }, background)?;
    }
    let mut layout = match &chart.body {
        ChartBody::Lines(c) => lines::draw(&pen, c)?,
        ChartBody::Histogram(c) => histogram::draw(&pen, c)?,
        ChartBody::Scatter(c) => scatter::draw(&pen, c)?,
        ChartBody::Bars(c) => bars::draw(&pen, c)?,
        ChartBody::Heatmap(c) => heatmap::draw(&pen, c)?,
        ChartBody::Table(c) => table::draw(&pen, c)?,
        _ if !LAB_INCLUDED => Layout::default(),
        ChartBody::Ternary(c) => ternary::draw(&pen, c)?,
        ChartBody::Projection(c) => projection::draw(&pen, c)?,
        ChartBody::Boxes(c) => boxes::draw(&pen, c)?,
        ChartBody::Fronts(c) => fronts::draw(&pen, c)?,
        ChartBody::Dots(c) => dots::draw(&pen, c)?,
        ChartBody::Ranges(c) => ranges::draw(&pen, c)?,
        ChartBody::Marks(c) => marks::draw(&pen, c)?,
    };
    layout.width = width;
    layout.height = height;
    root.present().map_err(|e| DrawError::Backend(e.to_string()))?;
    Ok(layout)
}
