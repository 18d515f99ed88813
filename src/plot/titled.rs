//! A chart as a picture of its own: its title above it, where its numbers come from below it, and a margin around all.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters_backend::DrawingBackend;

use super::chart::{Chart, draw, preferred_height};
use super::layout::{DrawError, PlotRect};
use super::measure::{text_size, text_width};
use super::pen::Pen;
use super::theme::Theme;

/// Around the whole, in CSS pixels.
const MARGIN: f64 = 14.0;
/// The title's size, in ordinary text.
const TITLE: f64 = 1.25;
/// From one line of the title to the next, in its size.
const LEADING: f64 = 1.35;

/// The title in lines that fit, and the size they are set in.
fn lines(title: &str, width: f64) -> (Vec<String>, f64) {
    let size = TITLE * text_size(width);
    let mut lines = vec![String::new()];
    for word in title.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || text_width(&longer, size, true) <= width - 2.0 * MARGIN {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    (lines, size)
}

/// The height of the title with the space under it.
fn band(title: &str, width: f64) -> f64 {
    let (lines, size) = lines(title, width);
    (lines.len() as f64 * LEADING * size + 0.6 * size).round()
}

/// The source's size, in ordinary text.
const SOURCE: f64 = 0.85;

/// The height of the line below the chart with the space above it.
fn foot(width: f64) -> f64 {
    (1.8 * SOURCE * text_size(width)).round()
}

/// The height, in CSS pixels, of a chart that is drawn with its title and its source `css_width` wide.
#[must_use]
pub fn titled_height(chart: &Chart, css_width: f64) -> f64 {
    let chart_height = preferred_height(chart, css_width - 2.0 * MARGIN);
    chart_height + band(&chart.title, css_width) + foot(css_width) + 2.0 * MARGIN
}

/// As [`draw`], with the title on top, a line on the source below, and a margin around all: a picture that can stand alone.
///
/// # Errors
/// As [`draw`].
pub fn draw_titled<DB: DrawingBackend>(
    chart: &Chart,
    source: &str,
    theme: &Theme,
    root: &DrawingArea<DB, Shift>,
    scale: f64,
) -> Result<(), DrawError> {
    let (w, h) = root.dim_in_pixel();
    let (width, height) = (f64::from(w) / scale, f64::from(h) / scale);
    let pen = Pen::new(root, theme, scale, width, height);
    if let Some(background) = theme.background {
        pen.rect(PlotRect { x: 0.0, y: 0.0, w: width, h: height }, background)?;
    }
    let (lines, size) = lines(&chart.title, width);
    let set = pen.text_type().size(size).bold(true).colour(theme.ink);
    let step = LEADING * size;
    for (i, line) in lines.iter().enumerate() {
        pen.text(line, (MARGIN, MARGIN + (i as f64 + 0.5) * step), set)?;
    }
    // On a narrow picture it is set as small as it has to be.
    let usual = SOURCE * text_size(width);
    let room = (width - 2.0 * MARGIN) / text_width(source, usual, false).max(1.0);
    let low = height - MARGIN - 0.5 * usual;
    pen.text(source, (MARGIN, low), pen.text_type().size(usual * room.clamp(0.1, 1.0)))?;
    let margin = pen.units(MARGIN);
    let inside = root.margin(margin, margin, margin, margin);
    let (_, rest) = inside.split_vertically(pen.units(band(&chart.title, width)));
    let (_, below) = rest.dim_in_pixel();
    let (rest, _) = rest.split_vertically(below as i32 - pen.units(foot(width)));
    draw(chart, theme, &rest, scale).map(|_| ())
}
