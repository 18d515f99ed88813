//! Charts and tables of a report, drawn by plotters on any backend.
//!
//! Two halves, so that data, text alternative and drawing never disagree:
//!
//! - a [`Chart`] is a declarative model with no drawing in it: a study's `figures` build one from its
//!   report, [`Chart::data_table`] gives it as plain text;
//! - [`draw`] renders a chart on a plotters drawing area and returns a [`Layout`]: where the plot
//!   is and what each place on it reads out.
//!
//! [`to_svg`] and `draw_on_canvas` (in the browser) are the two backends at hand.

#[cfg(target_arch = "wasm32")]
mod canvas;
pub(crate) mod chart;
pub(crate) mod data;
pub(crate) mod draw;
pub(crate) mod format;
mod included;
pub(crate) mod instruments;
pub(crate) mod measure;
pub(crate) mod size;
pub(crate) mod surface;
pub(crate) mod svg;
pub(crate) mod theme;

#[cfg(target_arch = "wasm32")]
pub use canvas::{draw_on_canvas, draw_titled_on_canvas};
pub use chart::{
    Align, Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Bin, Body, Chart, Column, DataCell,
    DataColumn, DataTable, Datum, HeatRow, Heatmap, Highlight, Histogram, Lines, Marker, Place,
    Reference, Role, Rule, Scatter, Series, Spread, Status, Stroke, Table, TableCell,
};
pub use data::{Data, Value};
pub use draw::{
    DrawError, Grid, GridColumn, Layout, Mark, PlotRect, SUBPIXEL, Triangle, draw, draw_titled,
    titled_height,
};
pub(crate) use included::INCLUDED;
pub use instruments::{
    Boxes, DotRow, Dots, Fronts, Projection, Ranked, Shares, Ternary, TernaryBorder, TernaryPoint,
    TernaryRegion,
};
pub use size::preferred_height;
pub use svg::{to_svg, to_titled_svg};
pub use theme::Theme;
