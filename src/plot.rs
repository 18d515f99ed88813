//! Charts and tables of a report, drawn by plotters on any backend.
//!
//! - A [`Chart`] is plain data: a study's `figures` build one from its report. What kind it is says its
//!   [`ChartBody`]; each kind has a file in `bodies`, which holds its model, the same as text and typed
//!   ([`Chart::data_table`], [`Chart::data`]) and its drawing, so that these never disagree.
//! - [`draw`] renders a chart on a plotters drawing area and returns a [`Layout`]: where the plot
//!   is and what each place on it reads out.
//! - [`to_svg`] and `draw_on_canvas` (in the browser) are the two things at hand to draw on.

mod bodies;
#[cfg(target_arch = "wasm32")]
mod canvas;
pub(crate) mod cells;
mod chart;
mod curves;
mod data;
mod data_table;
mod features;
pub(crate) mod format;
mod frame;
mod labels;
mod layout;
mod legend;
pub(crate) mod measure;
mod parts;
mod pen;
pub(crate) mod surface;
pub(crate) mod svg;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod theme;
mod titled_chart;

pub use bodies::bars::{Bar, BarGroup, BarSeries, Bars};
pub(crate) use bodies::boxes::BOXES_MAX;
pub use bodies::boxes::HypervolumeBoxes;
pub use bodies::dots::{DotRow, Dots};
pub use bodies::fronts::Fronts;
pub use bodies::heatmap::{HeatRow, Heatmap};
pub use bodies::histogram::{Bin, Histogram, Rule};
pub use bodies::lines::{Highlight, Lines};
pub use bodies::marks::{MarkCategory, MarkCell, MarkMatrix, MarkRow};
pub use bodies::projection::Projection;
pub use bodies::ranges::{RangeCategory, RangeLimit, RangePoint, RangeRow, Ranges};
pub use bodies::ranked::RankedPoint;
pub use bodies::scatter::Scatter;
pub use bodies::table::{Column, Table, TableCell};
pub(crate) use bodies::ternary::format_percent;
pub use bodies::ternary::{Shares, Ternary, TernaryBorder, TernaryPoint, TernaryRegion, Triangle};
#[cfg(target_arch = "wasm32")]
pub use canvas::{draw_on_canvas, draw_titled_on_canvas};
pub use chart::{Chart, ChartBody, draw, preferred_height};
pub use data::{ChartData, DataValue};
pub use data_table::{DataCell, DataColumn, DataTable};
pub(crate) use features::LAB_INCLUDED;
pub use layout::{DrawError, Grid, GridColumn, Layout, Mark, PlotRect};
pub use parts::{
    Align, Axis, BarFill, ColourRole, CurveBand, Datum, Marker, ReferenceLine, ReferencePosition, Series, Status,
    Stroke,
};
pub(crate) use parts::{band_edges, min_max, nice_step, x_values, y_values};
pub use surface::UNITS_PER_PIXEL;
pub use svg::{to_svg, to_titled_svg};
pub use theme::Theme;
pub use titled_chart::{draw_titled, titled_height};
