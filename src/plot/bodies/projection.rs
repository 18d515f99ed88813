//! Ranked points on two axes, with the steps of their front.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::bodies::ranked::{self, RankedPoint};
use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::DataTable;
use crate::plot::format::fixed3;
use crate::plot::frame::framed_height;
use crate::plot::labels::LabelPlacer;
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::legend::{LegendItem, LegendKey};
use crate::plot::parts::{Axis, ColourRole, Marker, Stroke};
use crate::plot::pen::{CssPoint, Pen};
use crate::plot::theme::mix_colours;

/// Points on two of the three axes, with the front they form there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Projection {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Which of S, F, C are shown.
    pub axes: [usize; 2],
    /// Every point.
    pub points: Vec<RankedPoint>,
    /// Every point of a pinned result, where there is one to compare with.
    pub pinned: Vec<RankedPoint>,
    /// Corners of the front of the projection, from the top left to the bottom right.
    pub steps: Vec<(f64, f64)>,
}

/// At most so many points are named.
const LABELS_MAX: usize = 32;
/// Labels keep clear of so many lines.
const AVOIDED_LINES_MAX: usize = 64;

const FRONT_MARKER: Marker = Marker::Circle;
const DOMINATED_MARKER: Marker = Marker::Diamond;
/// On the front or not: a pinned point.
const PINNED_MARKER: Marker = Marker::OpenSquare;

/// The legend: the shapes of points that are there, and the steps.
fn legend_items(chart: &Projection) -> Vec<LegendItem<'static>> {
    let item = |name, key| LegendItem { name, note: None, role: ColourRole::Neutral, key };
    let any = |on_front| chart.points.iter().any(|p| p.on_front == on_front);
    let front = item("on the front", LegendKey::Line(Stroke::None, FRONT_MARKER));
    let steps = item("front of these two axes", LegendKey::Line(Stroke::Solid, Marker::None));
    let dominated = item("dominated", LegendKey::Line(Stroke::None, DOMINATED_MARKER));
    let pinned = item("pinned", LegendKey::Line(Stroke::None, PINNED_MARKER));
    let kinds = [
        (any(true), front),
        (any(false), dominated),
        (!chart.steps.is_empty(), steps),
        (!chart.pinned.is_empty(), pinned),
    ];
    kinds.into_iter().filter_map(|(there, item)| there.then_some(item)).collect()
}

/// The points, then those of a pinned result.
pub(crate) fn data_table(chart: &Projection) -> DataTable {
    let mut table = ranked::data_table(&chart.points);
    let pinned = ranked::data_table(&chart.pinned).rows.into_iter().map(|mut row| {
        if let Some(name) = row.first_mut() {
            name.text.push_str(", pinned");
        }
        row
    });
    table.rows.extend(pinned);
    table
}

/// Ranked points, and those of a pinned result under them, told apart by a column where there are any.
pub(crate) fn named_values(chart: &Projection) -> Vec<NamedValues> {
    let Projection { points, pinned, .. } = chart;
    let mut columns = ranked::named_values(points);
    if !pinned.is_empty() {
        for ((_, values), (_, more)) in columns.iter_mut().zip(ranked::named_values(pinned)) {
            values.extend(more);
        }
        let which = (0..points.len() + pinned.len()).map(|row| DataValue::Flag(row >= points.len()));
        columns.push(("pinned".to_owned(), which.collect()));
    }
    columns
}

/// The height at which it reads well at a width.
pub(crate) fn height(chart: &Projection, width: f64) -> f64 {
    framed_height(&legend_items(chart), width)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Projection) -> Result<Layout, DrawError> {
    let top = pen.draw_legend(&legend_items(chart), 0.0, 0.0)?;
    let frame = pen.draw_frame(&chart.x, &chart.y, top)?;
    let rect = frame.rect;
    let at = |x: f64, y: f64| frame.point_at(pen, x.max(chart.x.min), y.max(chart.y.min));
    let steps: Vec<CssPoint> = chart.steps.iter().map(|(x, y)| at(*x, *y)).collect();
    if steps.len() > 1 {
        let mut under = steps.clone();
        under.push((rect.x, rect.y + rect.h));
        pen.fill_polygon(&under, mix_colours(pen.theme.surface, pen.theme.role_colour(ColourRole::Extra), 0.1))?;
        pen.draw_path(&steps, pen.theme.role_colour(ColourRole::Neutral), 1.75)?;
    }
    let places: Vec<CssPoint> = chart.points.iter().map(|p| at(p.at[chart.axes[0]], p.at[chart.axes[1]])).collect();
    let pinned: Vec<CssPoint> = chart.pinned.iter().map(|p| at(p.at[chart.axes[0]], p.at[chart.axes[1]])).collect();
    for (point, place) in chart.points.iter().zip(&places) {
        if let Some(by) = point.by.and_then(|by| places.get(by)) {
            pen.draw_dashed_path(&[*place, *by], pen.theme.ink, 1.25, (3.0, 3.0))?;
        }
    }
    let radius = if pen.width < 420.0 { 3.6 } else { 4.4 };
    let mut labels = LabelPlacer::new(PlotRect { w: rect.w + 8.0, y: rect.y - 4.0, h: rect.h + 4.0, ..rect });
    for place in places.iter().chain(&pinned) {
        labels.reserve(PlotRect::square_around(*place, radius));
    }
    let dominators = chart
        .points
        .iter()
        .zip(&places)
        .filter_map(|(point, place)| Some((*place, *point.by.and_then(|by| places.get(by))?)));
    let lines = steps.windows(2).map(|pair| (pair[0], pair[1])).chain(dominators);
    for (a, b) in lines.take(AVOIDED_LINES_MAX) {
        let beads = (libm::hypot(b.0 - a.0, b.1 - a.1) / 5.0).ceil().clamp(1.0, 500.0) as u32;
        for i in 0..=beads {
            let share = f64::from(i) / f64::from(beads);
            let place = (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
            labels.reserve(PlotRect::square_around(place, 1.0));
        }
    }
    for place in &pinned {
        pen.draw_marker(PINNED_MARKER, *place, radius, pen.theme.role_colour(ColourRole::Neutral))?;
    }
    // What is dominated lies under what is not.
    for on_front in [false, true] {
        for (point, place) in chart.points.iter().zip(&places) {
            if point.on_front == on_front {
                let (shape, colour) = point_style(pen, point);
                pen.draw_marker(shape, *place, radius, colour)?;
            }
        }
    }
    let set = pen.default_text_format().with_colour(pen.theme.ink);
    let every = chart.points.len().div_ceil(LABELS_MAX).max(1);
    let mark = |point: &RankedPoint, place: CssPoint, among: &[RankedPoint]| {
        let [x, y] = chart.axes.map(|axis| fixed3(point.at[axis]));
        let [across, up] = [&chart.x.symbol, &chart.y.symbol];
        let text = format!("{across} = {x}, {up} = {y}; {}", point.describe_rank(among));
        Mark::on_series(PlotRect::square_around(place, radius), "", point.title.clone(), text)
    };
    let mut marks = Vec::new();
    for (index, (point, place)) in chart.points.iter().zip(&places).enumerate() {
        if index % every == 0 {
            pen.draw_label_beside(&mut labels, &point.label, *place, radius + 3.0, set)?;
        }
        marks.push(mark(point, *place, &chart.points));
    }
    for (point, place) in chart.pinned.iter().zip(&pinned) {
        marks.push(Mark {
            series: "pinned".to_owned(),
            title: format!("{}, pinned", point.title),
            ..mark(point, *place, &chart.pinned)
        });
    }
    Ok(Layout { plot: rect, marks, ..Layout::default() })
}

fn point_style<DB: DrawingBackend>(pen: &Pen<'_, DB>, point: &RankedPoint) -> (Marker, plotters::style::RGBColor) {
    if point.on_front {
        (FRONT_MARKER, pen.theme.point_colour(point.order))
    } else {
        (DOMINATED_MARKER, pen.theme.role_colour(ColourRole::Neutral))
    }
}
