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
const TITLE_SIZE: f64 = 1.25;
/// From one line of the title to the next, in its size.
const LEADING: f64 = 1.35;

/// The title in lines that fit, and the size they are set in.
fn title_lines(title: &str, width: f64) -> (Vec<String>, f64) {
    let size = TITLE_SIZE * text_size(width);
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
fn title_height(title: &str, width: f64) -> f64 {
    let (lines, size) = title_lines(title, width);
    (lines.len() as f64 * LEADING * size + 0.6 * size).round()
}

/// The source's size, in ordinary text.
const SOURCE_SIZE: f64 = 0.85;

/// The height of the line below the chart with the space above it.
fn source_height(width: f64) -> f64 {
    (1.8 * SOURCE_SIZE * text_size(width)).round()
}

/// The height, in CSS pixels, of a chart that is drawn with its title and its source `css_width` wide.
#[must_use]
pub fn titled_height(chart: &Chart, css_width: f64) -> f64 {
    let chart_height = preferred_height(chart, css_width - 2.0 * MARGIN);
    chart_height + title_height(&chart.title, css_width) + source_height(css_width) + 2.0 * MARGIN
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
        pen.fill_rect(PlotRect { x: 0.0, y: 0.0, w: width, h: height }, background)?;
    }
    let (lines, size) = title_lines(&chart.title, width);
    let set = pen.default_text_format().with_size(size).with_bold(true).with_colour(theme.ink);
    let step = LEADING * size;
    for (i, line) in lines.iter().enumerate() {
        pen.draw_text(line, (MARGIN, MARGIN + (i as f64 + 0.5) * step), set)?;
    }
    // On a narrow picture it is set as small as it has to be.
    let usual = SOURCE_SIZE * text_size(width);
    let room = (width - 2.0 * MARGIN) / text_width(source, usual, false).max(1.0);
    let low = height - MARGIN - 0.5 * usual;
    pen.draw_text(source, (MARGIN, low), pen.default_text_format().with_size(usual * room.clamp(0.1, 1.0)))?;
    let margin = pen.css_to_backend(MARGIN);
    let inside = root.margin(margin, margin, margin, margin);
    let (_, rest) = inside.split_vertically(pen.css_to_backend(title_height(&chart.title, width)));
    let (_, below) = rest.dim_in_pixel();
    let (rest, _) = rest.split_vertically(below as i32 - pen.css_to_backend(source_height(width)));
    draw(chart, theme, &rest, scale).map(|_| ())
}
