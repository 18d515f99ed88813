//! How high a chart should be at a width, before there is anything to draw on.

use super::chart::{Body, Chart};
use super::draw::{
    Item, ROW, Triangle, arrange, bar_items, foot_lines, headroom, key_height, line_items, plan,
    projection_items, rule_items, text_size,
};
use super::included::INCLUDED;
use super::measure::text_width;

/// The height of a chart with nothing in it.
const LEAST: f64 = 80.0;

/// The height in CSS pixels at which a chart reads well when `css_width` wide.
///
/// Text widths are estimated, so that this needs no canvas. Curves and bars keep a pleasant
/// proportion; heatmaps and tables grow with their rows.
pub fn preferred_height(chart: &Chart, css_width: f64) -> f64 {
    let width = if css_width.is_finite() { css_width.clamp(120.0, 4000.0) } else { 640.0 };
    let size = text_size(width);
    let legend = |items: &[Item<'_>]| {
        arrange(items, width, size, &|text| text_width(text, size, false)).height(size)
    };
    let title = (1.9 * size).round();
    let foot = |lines: usize| (6.0 + lines as f64 * 1.3 * size + 1.7 * size).round();
    let plot = (0.52 * width).clamp(190.0, 400.0);
    let height = match &chart.body {
        Body::Lines(c) => legend(&line_items(&c.series, &c.references)) + title + plot + foot(1),
        Body::Histogram(c) => legend(&rule_items(c)) + title + plot + foot(1),
        Body::Scatter(c) => legend(&line_items(&c.series, &c.references)) + title + plot + foot(1),
        Body::Bars(c) => {
            legend(&bar_items(c)) + title + headroom(size) + plot + foot(foot_lines(c))
        }
        Body::Heatmap(c) => key_height(size) + title + 3.1 * size * c.rows.len() as f64 + foot(1),
        Body::Table(c) => {
            let measure = |text: &str, size: f64, bold: bool| text_width(text, size, bold);
            plan(c, width, None, &measure).height()
        }
        Body::Ternary(_)
        | Body::Projection(_)
        | Body::Boxes(_)
        | Body::Fronts(_)
        | Body::Dots(_)
            if !INCLUDED =>
        {
            LEAST
        }
        Body::Ternary(_) => Triangle::height_at(width),
        Body::Projection(c) => legend(&projection_items(c)) + title + plot + foot(1),
        Body::Boxes(_) => (0.86 * width).clamp(260.0, 520.0),
        Body::Fronts(c) => legend(&line_items(&c.cloud.series, &[])) + title + plot + foot(1),
        Body::Dots(c) => ROW * size * c.rows.len() as f64 + foot(1),
    };
    height.round().max(LEAST)
}
