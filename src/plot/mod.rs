//! Charts and tables of the report, drawn by plotters on any backend.
//!
//! Two halves, so that data, text alternative and drawing never disagree:
//!
//! - a [`Chart`] is a declarative model with no drawing in it: [`figure`] builds one from a
//!   [`Report`](crate::study::Report), [`Chart::data_table`] gives it as plain text;
//! - [`draw`] renders a chart on a plotters drawing area and returns a [`Layout`]: where the plot
//!   is and what each place on it reads out.
//!
//! [`to_svg`] and `draw_on_canvas` (in the browser) are the two backends at hand; [`export`] makes files.

#[cfg(target_arch = "wasm32")]
mod canvas;
mod chart;
mod data;
mod draw;
pub mod export;
mod figures;
mod format;
mod instruments;
mod measure;
mod names;
mod size;
mod surface;
mod svg;
#[cfg(test)]
mod tests;
mod theme;

#[cfg(target_arch = "wasm32")]
pub use canvas::{draw_on_canvas, draw_titled_on_canvas};
pub use chart::{
    Align, Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Bin, Body, Chart, Column, DataCell,
    DataColumn, DataTable, Datum, HeatRow, Heatmap, Highlight, Histogram, Lines, Marker, Place,
    Reference, Role, Rule, Scatter, Series, Spread, Status, Stroke, Table, TableCell,
};
pub use data::{Data, Value};
pub use draw::{
    DrawError, Layout, Mark, PlotRect, SUBPIXEL, Triangle, draw, draw_titled, titled_height,
};
pub use figures::{COMPARISONS, OVERLAID, beside, comparison};
pub use figures::{ENSEMBLE_FIGURES, FIGURES, ensemble_figure, ensemble_headline, figure};
pub use figures::{EVALUATE_FIGURES, evaluate_figure};
pub use figures::{
    FAMILIES_FIGURES, Kept, TRAINING_FIGURES, families_figure, families_headline, families_warnings,
};
pub use figures::{INSTRUMENTS, flip_sentence, instrument};
pub use figures::{Measured, MeasuredSeries, training_figure};
pub use instruments::{
    Boxes, DotRow, Dots, Fronts, Projection, Ranked, Setting, Ternary, TernaryBorder, TernaryPoint,
    TernaryRegion,
};
pub use names::{FAMILIES_NAMES, NAMES, named, study_named};
pub use size::preferred_height;
pub use svg::{to_svg, to_titled_svg};
pub use theme::Theme;
