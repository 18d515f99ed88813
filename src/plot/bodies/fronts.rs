//! Clouds of points with the front of each.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::bodies::scatter::Scatter;
use crate::plot::curves::legend_items;
use crate::plot::format::fixed3;
use crate::plot::frame::framed_height;
use crate::plot::labels::LabelPlacer;
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::legend::LegendItem;
use crate::plot::parts::{Axis, Stroke};
use crate::plot::pen::{CssPoint, Pen};
use crate::plot::theme::mix_colours;

/// Clouds of points, each with the front it forms on the two axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fronts {
    /// The clouds.
    pub cloud: Scatter,
    /// For each series, the corners of its front from the top left to the bottom right.
    pub steps: Vec<Vec<(f64, f64)>>,
}

/// Fronts end where they end: they are named in a legend at any width.
fn front_legend_items(chart: &Fronts) -> Vec<LegendItem<'_>> {
    legend_items(&chart.cloud.x, &chart.cloud.series, &[], 0.0)
}

/// The height at which it reads well at a width.
pub(crate) fn height(chart: &Fronts, width: f64) -> f64 {
    framed_height(&front_legend_items(chart), width)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Fronts) -> Result<Layout, DrawError> {
    let cloud = &chart.cloud;
    let top = pen.draw_legend(&front_legend_items(chart), 0.0, 0.0)?;
    let frame = pen.draw_frame(&cloud.x, &cloud.y, top)?;
    let rect = frame.rect;
    let at = |x: f64, y: f64| {
        let inside = |value: f64, axis: &Axis| value.max(axis.min).min(axis.max);
        frame.point_at(pen, inside(x, &cloud.x), inside(y, &cloud.y))
    };
    let faint = |stroke: Stroke| matches!(stroke, Stroke::Faint | Stroke::None);
    // What should lose lies under what is compared.
    for under in [true, false] {
        for (series, steps) in cloud.series.iter().zip(&chart.steps) {
            if faint(series.stroke) == under {
                let path: Vec<CssPoint> = steps.iter().map(|(x, y)| at(*x, *y)).collect();
                pen.draw_curve(&path, series.stroke, pen.theme.role_colour(series.role))?;
            }
        }
    }
    let radius = if pen.width < 420.0 { 3.2 } else { 4.0 };
    let mut labels = LabelPlacer::new(PlotRect { w: rect.w + 2.0, ..rect });
    let mut marks = Vec::new();
    let mut ends = Vec::new();
    for under in [true, false] {
        for series in cloud.series.iter().filter(|s| faint(s.stroke) == under) {
            let colour = pen.theme.role_colour(series.role);
            for (nth, point) in series.points.iter().enumerate() {
                let (x, y) = at(point.x, point.y);
                pen.draw_marker(series.marker, (x, y), radius, colour)?;
                let r = PlotRect::square_around((x, y), radius);
                labels.reserve(r);
                let text =
                    format!("{} = {}, {} = {}", cloud.x.symbol, fixed3(point.x), cloud.y.symbol, fixed3(point.y));
                marks.push(Mark::on_series(r, &series.name, point.label.clone(), text));
                if nth + 1 == series.points.len() {
                    ends.push((series.name.as_str(), (x, y), colour));
                }
            }
        }
    }
    // Names beside the fronts, where they cover nothing; the legend has all of them.
    let set = pen.default_text_format();
    let set = set.with_size(set.size - 1.0);
    for (name, place, colour) in ends.into_iter().rev() {
        let ink = mix_colours(colour, pen.theme.ink, 0.55);
        pen.draw_label_beside(&mut labels, name, place, radius + 3.0, set.with_colour(ink))?;
    }
    Ok(Layout { plot: rect, marks, ..Layout::default() })
}
