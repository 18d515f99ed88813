//! Points, one quantity against another.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::curves::{legend_items, plot_curves};
use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::DataTable;
use crate::plot::format::fixed3;
use crate::plot::frame::framed_height;
use crate::plot::layout::{DrawError, Layout};
use crate::plot::parts::{Axis, Datum, ReferenceLine, Series};
use crate::plot::pen::Pen;

/// Points, one quantity against another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scatter {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The clouds, drawn in this order.
    pub series: Vec<Series>,
    /// Lines that are not data.
    pub references: Vec<ReferenceLine>,
}

/// A row for each point.
pub(crate) fn data_table(scatter: &Scatter) -> DataTable {
    let columns = ["Pair", "Point", &scatter.x.title, &scatter.y.title];
    let row = |s: &Series, p: &Datum| vec![s.name.clone(), p.label.clone(), fixed3(p.x), fixed3(p.y)];
    DataTable::from_texts(
        2,
        columns.into_iter().map(str::to_owned).collect(),
        scatter.series.iter().flat_map(|s| s.points.iter().map(move |p| row(s, p))).collect(),
    )
}

/// A row for each point.
pub(crate) fn named_values(scatter: &Scatter) -> Vec<NamedValues> {
    let points: Vec<(&str, &Datum)> =
        scatter.series.iter().flat_map(|s| s.points.iter().map(|point| (s.name.as_str(), point))).collect();
    let column = |title: &str, value: &dyn Fn(&(&str, &Datum)) -> DataValue| {
        (title.to_owned(), points.iter().map(value).collect())
    };
    vec![
        column("Pair", &|(pair, _)| DataValue::from(*pair)),
        column("Point", &|(_, point)| DataValue::from(point.label.as_str())),
        column(&scatter.x.title, &|(_, point)| DataValue::from(point.x)),
        column(&scatter.y.title, &|(_, point)| DataValue::from(point.y)),
    ]
}

/// The height at which it reads well at a width.
pub(crate) fn height(chart: &Scatter, width: f64) -> f64 {
    framed_height(&legend_items(&chart.x, &chart.series, &chart.references, width), width)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Scatter) -> Result<Layout, DrawError> {
    let readout = |_: &Series, _: usize, p: &Datum| format!("({}, {})", fixed3(p.x), fixed3(p.y));
    let drawn = plot_curves(pen, (&chart.x, &chart.y), &chart.series, &chart.references, &readout)?;
    Ok(drawn.layout)
}
