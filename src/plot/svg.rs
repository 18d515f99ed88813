//! Charts as SVG text, for files and for tests.

use std::fmt::Write;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{BackendColor, BackendCoord};

use super::chart::{Chart, draw};
use super::layout::DrawError;
use super::measure::text_width;
use super::surface::{BASELINE_DROP, DrawResult, DrawTarget, Lettering, Paint, PlottersBackend, UNITS_PER_PIXEL};
use super::theme::Theme;
use super::titled_chart::{draw_titled, titled_height};

/// Draws a chart as an SVG document of `width` × `height` CSS pixels.
///
/// The chart's title and summary are its accessible name and description.
///
/// # Errors
/// As [`draw`].
pub fn to_svg(chart: &Chart, width: u32, height: u32, theme: &Theme) -> Result<String, DrawError> {
    svg_document(chart, (width, height), theme, |root| draw(chart, theme, root, f64::from(UNITS_PER_PIXEL)).map(|_| ()))
}

/// As [`to_svg`], as high as the chart needs, with its title on top and a line on its source below: a picture that can
/// stand alone.
///
/// # Errors
/// As [`draw`].
pub fn to_titled_svg(chart: &Chart, source: &str, width: u32, theme: &Theme) -> Result<String, DrawError> {
    let height = titled_height(chart, f64::from(width)) as u32;
    svg_document(chart, (width, height), theme, |root| {
        draw_titled(chart, source, theme, root, f64::from(UNITS_PER_PIXEL))
    })
}

fn svg_document(
    chart: &Chart,
    (width, height): (u32, u32),
    theme: &Theme,
    paint: impl FnOnce(&DrawingArea<PlottersBackend<'_>, Shift>) -> Result<(), DrawError>,
) -> Result<String, DrawError> {
    let size = (width.saturating_mul(UNITS_PER_PIXEL), height.saturating_mul(UNITS_PER_PIXEL));
    let mut svg = Svg::new(size);
    let root = PlottersBackend(&mut svg).into_drawing_area();
    paint(&root)?;
    drop(root);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" stroke-linejoin=\"round\" font-family=\"{}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n{}</svg>\n",
        size.0,
        size.1,
        escape_xml(&theme.font),
        escape_xml(&chart.title),
        escape_xml(&chart.summary),
        svg.body,
    ))
}

fn escape_xml(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // XML has no way to write these.
            '\0'..'\t' | '\u{b}'..' ' | '\u{fffe}' | '\u{ffff}' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// The elements of a document, in units of 1/[`UNITS_PER_PIXEL`] CSS pixels. The font's family is the
/// document's.
pub(crate) struct Svg {
    size: (u32, u32),
    body: String,
}

impl Svg {
    pub fn new(size: (u32, u32)) -> Self {
        Self { size, body: String::new() }
    }

    /// One element; nothing for a colour that cannot be seen.
    fn push_element(&mut self, paint: Paint, start: std::fmt::Arguments<'_>) {
        let (name, colour) = match paint {
            Paint::Fill(colour) => ("fill", colour),
            Paint::Stroke(colour, _) => ("stroke", colour),
        };
        if colour.alpha == 0.0 {
            return;
        }
        let (r, g, b) = colour.rgb;
        // Writing to a string cannot fail.
        let _ = write!(self.body, "<{start} {name}=\"#{r:02x}{g:02x}{b:02x}\"");
        if colour.alpha < 1.0 {
            let _ = write!(self.body, " opacity=\"{}\"", colour.alpha);
        }
        if let Paint::Stroke(_, width) = paint {
            let _ = write!(self.body, " fill=\"none\" stroke-width=\"{width}\"");
        }
        self.body += "/>\n";
    }
}

impl DrawTarget for Svg {
    fn size(&self) -> (u32, u32) {
        self.size
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> DrawResult {
        self.draw_rect(at, (at.0 + 1, at.1 + 1), Paint::Fill(colour))
    }

    fn draw_rect(&mut self, (x0, y0): BackendCoord, (x1, y1): BackendCoord, paint: Paint) -> DrawResult {
        let (x, y) = (x0.min(x1), y0.min(y1));
        let (w, h) = (x0.abs_diff(x1), y0.abs_diff(y1));
        self.push_element(paint, format_args!("rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\""));
        Ok(())
    }

    fn draw_shape(&mut self, corners: &mut dyn Iterator<Item = BackendCoord>, paint: Paint) -> DrawResult {
        let name = if matches!(paint, Paint::Fill(_)) { "polygon" } else { "polyline" };
        let mut points = String::new();
        for (x, y) in corners {
            let gap = if points.is_empty() { "" } else { " " };
            let _ = write!(points, "{gap}{x},{y}");
        }
        self.push_element(paint, format_args!("{name} points=\"{points}\""));
        Ok(())
    }

    fn draw_circle(&mut self, (x, y): BackendCoord, radius: u32, paint: Paint) -> DrawResult {
        self.push_element(paint, format_args!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""));
        Ok(())
    }

    fn draw_text(&mut self, text: &str, set: &Lettering<'_>, (x, y): BackendCoord) -> DrawResult {
        let colour = set.colour;
        if colour.alpha == 0.0 {
            return Ok(());
        }
        let anchor = match set.align {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        let drop = set.size * BASELINE_DROP;
        let (r, g, b) = colour.rgb;
        let _ = write!(
            self.body,
            "<text x=\"{x}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" \
             fill=\"#{r:02x}{g:02x}{b:02x}\"",
            y + drop.round() as i32,
            set.size,
        );
        if colour.alpha < 1.0 {
            let _ = write!(self.body, " opacity=\"{}\"", colour.alpha);
        }
        if set.bold {
            self.body += " font-weight=\"bold\"";
        }
        let _ = writeln!(self.body, ">{}</text>", escape_xml(text));
        Ok(())
    }

    /// By estimate: there is no font to ask.
    fn text_size(&self, text: &str, set: &Lettering<'_>) -> (u32, u32) {
        let width = text_width(text, set.size, set.bold);
        (width.ceil() as u32, set.size.ceil() as u32)
    }
}
