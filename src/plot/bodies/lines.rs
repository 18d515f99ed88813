//! Curves over a common x axis.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::order::sorted;
use crate::plot::curves::{legend_items, plot_curves};
use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::DataTable;
use crate::plot::format::{fixed3, format_trimmed};
use crate::plot::frame::{Frame, framed_height};
use crate::plot::layout::{DrawError, Layout, PlotRect};
use crate::plot::parts::{Axis, ColourRole, Datum, ReferenceLine, ReferencePosition, Series, x_values};
use crate::plot::pen::{CssPoint, Pen};

/// Curves over a common x axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lines {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The curves, drawn in this order.
    pub series: Vec<Series>,
    /// Lines that are not data.
    pub references: Vec<ReferenceLine>,
    /// A point to point out.
    pub highlight: Option<Highlight>,
}

impl Lines {
    /// Curves alone: no line that is not data, and nothing to point out.
    pub(crate) fn curves_only(x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Self { x, y, series, references: Vec::new(), highlight: None }
    }
}

/// A point with a ring and a label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Highlight {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// Written beside it.
    pub label: String,
}

/// Every x at which a series has a point, in order.
fn distinct_x_values(series: &[Series]) -> Vec<f64> {
    let mut all = sorted(x_values(series));
    all.dedup();
    all
}

/// The points of every series by their x.
pub(crate) fn data_table(chart: &Lines) -> DataTable {
    let (x_title, series) = (&chart.x.title, &chart.series);
    let xs = distinct_x_values(series);
    let names = |s: &Series| {
        let bands = s.bands.iter().map(|band| format!("{}, {}", s.name, band.name));
        std::iter::once(s.name.clone()).chain(bands).collect::<Vec<_>>()
    };
    let columns = std::iter::once(x_title.clone()).chain(series.iter().flat_map(names)).collect();
    let cells = |s: &Series, x: f64| {
        let at = s.points.iter().position(|p| p.x == x);
        let value = at.and_then(|at| s.points.get(at)).map(|p| fixed3(p.y));
        let bands = s.bands.iter().map(|band| at.and_then(|at| band.format_at(at)));
        std::iter::once(value).chain(bands).map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    let rows = xs
        .into_iter()
        .map(|x| {
            let values = series.iter().flat_map(|s| cells(s, x));
            std::iter::once(format_trimmed(x)).chain(values).collect()
        })
        .collect();
    DataTable::from_texts(0, columns, rows)
}

/// As [`data_table`], and a column for each end of a band and for each level reference line.
pub(crate) fn named_values(chart: &Lines) -> Vec<NamedValues> {
    let xs = distinct_x_values(&chart.series);
    let mut columns = vec![(chart.x.title.clone(), xs.iter().map(|x| DataValue::from(*x)).collect())];
    for s in &chart.series {
        let at = |x: &f64| s.points.iter().position(|p| p.x == *x);
        let value = |x: &f64| DataValue::from(at(x).and_then(|at| s.points.get(at)).map(|p| p.y));
        columns.push((s.name.clone(), xs.iter().map(value).collect()));
        for band in &s.bands {
            let edges: Vec<_> = xs.iter().map(|x| at(x).and_then(|at| band.edges.get(at))).collect();
            let column =
                |edge: fn(&(f64, f64)) -> f64| edges.iter().map(|found| DataValue::from(found.map(edge))).collect();
            columns.push((format!("{}, {}: from", s.name, band.name), column(|e| e.0)));
            columns.push((format!("{}, {}: to", s.name, band.name), column(|e| e.1)));
        }
    }
    for reference in &chart.references {
        if let ReferencePosition::Horizontal(y) = reference.place {
            columns.push((reference.name.clone(), vec![DataValue::from(y); xs.len()]));
        }
    }
    columns
}

/// The height at which it reads well at a width.
pub(crate) fn height(chart: &Lines, width: f64) -> f64 {
    framed_height(&legend_items(&chart.x, &chart.series, &chart.references, width), width)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Lines) -> Result<Layout, DrawError> {
    let readout = |s: &Series, at: usize, p: &Datum| {
        let bands = s.bands.iter().filter_map(|b| Some(format!("; {} {}", b.name, b.format_at(at)?)));
        format!("{} = {}{}", s.name, fixed3(p.y), bands.collect::<String>())
    };
    let drawn = plot_curves(pen, (&chart.x, &chart.y), &chart.series, &chart.references, &readout)?;
    if let Some(highlight) = &chart.highlight {
        draw_highlight(pen, &drawn.frame, highlight, &drawn.paths)?;
    }
    Ok(drawn.layout)
}

/// A ring around the point, and its label where it covers no curve.
fn draw_highlight<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    frame: &Frame,
    highlight: &Highlight,
    paths: &[Vec<CssPoint>],
) -> Result<(), DrawError> {
    let set = pen.default_text_format().with_bold(true).with_colour(pen.theme.ink);
    let at = frame.point_at(pen, highlight.x, highlight.y);
    let ring = 7.0;
    pen.draw_ring(at, ring, pen.theme.role_colour(ColourRole::Yours), 2.0)?;
    let (w, h) = (pen.measure_text(&highlight.label, set.size, true), 1.3 * set.size);
    let gap = ring + 5.0;
    let rect = frame.rect;
    let clamp = |x: f64| x.min(rect.x + rect.w - w - 3.0).max(rect.x + 4.0);
    let mut places = Vec::new();
    for step in 0..6 {
        let away = gap + f64::from(step) * h * 0.7;
        places.push((clamp(at.0 - w / 2.0), at.1 + away));
        places.push((clamp(at.0 - w / 2.0), at.1 - away - h));
        places.push((at.0 + away, at.1 - h / 2.0));
        places.push((at.0 - away - w, at.1 - h / 2.0));
    }
    let fits = |(x, y): &CssPoint| {
        let b = PlotRect { x: x - 3.0, y: y - 2.0, w: w + 6.0, h: h + 4.0 };
        let inside =
            b.x >= rect.x && b.x + b.w <= rect.x + rect.w + 4.0 && b.y >= rect.y - 4.0 && b.y + b.h <= rect.y + rect.h;
        inside && !paths.iter().any(|path| path_crosses_rect(path, b))
    };
    // Nowhere free: under the point, on top of what is there.
    let place = places.iter().find(|p| fits(p)).or(places.first());
    match place {
        Some((x, y)) => pen.draw_text(&highlight.label, (*x, y + h / 2.0), set),
        None => Ok(()),
    }
}

/// Whether a polyline passes through a rectangle.
fn path_crosses_rect(path: &[CssPoint], r: PlotRect) -> bool {
    let inside = |(x, y): CssPoint| x >= r.x && x <= r.x + r.w && y >= r.y && y <= r.y + r.h;
    path.windows(2).any(|pair| {
        let [a, b] = pair else { return false };
        if a.0.max(b.0) < r.x || a.0.min(b.0) > r.x + r.w {
            return false;
        }
        // A step of a pixel is finer than any rectangle asked about.
        let steps = libm::hypot(b.0 - a.0, b.1 - a.1).ceil().clamp(1.0, 2000.0) as u32;
        (0..=steps).any(|i| {
            let t = f64::from(i) / f64::from(steps);
            inside((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t))
        })
    })
}
