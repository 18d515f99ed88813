//! Charts as SVG text, for files and for tests.

use plotters::drawing::IntoDrawingArea;
use plotters_backend::text_anchor::Pos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontFamily, FontStyle, FontTransform,
};

use plotters_svg::SVGBackend;

use super::chart::Chart;
use super::draw::{DrawError, SUBPIXEL, draw};
use super::measure::text_width;
use super::theme::Theme;

/// Draws a chart as an SVG document of `width` × `height` CSS pixels.
///
/// The chart's title and summary are its accessible name and description.
///
/// # Errors
/// As [`draw`].
pub fn to_svg(chart: &Chart, width: u32, height: u32, theme: &Theme) -> Result<String, DrawError> {
    let size = (width.saturating_mul(SUBPIXEL), height.saturating_mul(SUBPIXEL));
    let mut drawn = String::new();
    let root = Svg(SVGBackend::with_string(&mut drawn, size)).into_drawing_area();
    draw(chart, theme, &root, f64::from(SUBPIXEL))?;
    drop(root);
    // The backend's own header has the size in its finer units and no description.
    let body = drawn.split_once(">\n").map_or("", |(_, body)| body);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" stroke-linejoin=\"round\">\n\
         <title>{}</title>\n<desc>{}</desc>\n{body}",
        size.0,
        size.1,
        escape(&chart.title),
        escape(&chart.summary),
    ))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// plotters' SVG backend with its text at the size asked for and its outlines as wide as asked for.
struct Svg<'a>(SVGBackend<'a>);

type Outcome = Result<(), DrawingErrorKind<std::io::Error>>;

impl DrawingBackend for Svg<'_> {
    type ErrorType = std::io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Outcome {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Outcome {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Outcome {
        self.0.draw_pixel(point, colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        self.0.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (x0, y0): BackendCoord,
        (x1, y1): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        if fill {
            return self.0.draw_rect((x0, y0), (x1, y1), style, true);
        }
        // The inner backend forgets the stroke width of a rectangle.
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0), (x1, y0)];
        self.0.draw_path(corners, style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.0.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.0.draw_circle(centre, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Outcome {
        self.0.fill_polygon(points, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Outcome {
        // The inner backend centres on half the height of an "x"; digits are taller.
        let drop = (0.09 * style.size()).round() as i32;
        let at = match style.transform() {
            FontTransform::None => (x, y + drop),
            FontTransform::Rotate90 => (x - drop, y),
            FontTransform::Rotate180 => (x, y - drop),
            FontTransform::Rotate270 => (x + drop, y),
        };
        self.0.draw_text(text, &Resized(style), at)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let bold = matches!(style.style(), FontStyle::Bold);
        let width = text_width(text, style.size(), bold);
        Ok((width.ceil() as u32, style.size().ceil() as u32))
    }
}

/// A text style that undoes the inner backend's division of font sizes by 1.24.
struct Resized<'a, S>(&'a S);

impl<S: BackendTextStyle> BackendTextStyle for Resized<'_, S> {
    type FontError = S::FontError;

    fn color(&self) -> BackendColor {
        self.0.color()
    }

    fn size(&self) -> f64 {
        self.0.size() * 1.24
    }

    fn transform(&self) -> FontTransform {
        self.0.transform()
    }

    fn style(&self) -> FontStyle {
        self.0.style()
    }

    fn anchor(&self) -> Pos {
        self.0.anchor()
    }

    fn family(&self) -> FontFamily<'_> {
        self.0.family()
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        self.0.layout_box(text)
    }

    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        pos: BackendCoord,
        draw: F,
    ) -> Result<Result<(), E>, Self::FontError> {
        self.0.draw(text, pos, draw)
    }
}
