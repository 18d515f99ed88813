//! Drawing in CSS pixels: the one place that knows of backend units, fonts and pixel snapping.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};
use plotters_backend::DrawingBackend;

use super::layout::{DrawError, PlotRect};
use super::measure::{text_size, text_width};
use super::surface::UNITS_PER_PIXEL;
use super::theme::Theme;

/// A point in CSS pixels.
pub(super) type CssPoint = (f64, f64);

/// How a piece of text is set.
#[derive(Clone, Copy)]
pub(super) struct TextFormat {
    pub size: f64,
    pub bold: bool,
    pub colour: RGBColor,
    pub align: HPos,
}

impl TextFormat {
    pub fn with_bold(self, bold: bool) -> Self {
        Self { bold, ..self }
    }
    pub fn with_colour(self, colour: RGBColor) -> Self {
        Self { colour, ..self }
    }
    pub fn align_right(self) -> Self {
        Self { align: HPos::Right, ..self }
    }
    pub fn align_centre(self) -> Self {
        Self { align: HPos::Center, ..self }
    }
    pub fn with_size(self, size: f64) -> Self {
        Self { size, ..self }
    }
}

/// Subscripts are this much smaller, and this much lower, than their letter.
const SUBSCRIPT_SCALE: f64 = 0.74;
const SUBSCRIPT_DROP: f64 = 0.18;

pub(super) struct Pen<'a, DB: DrawingBackend> {
    pub area: &'a DrawingArea<DB, Shift>,
    pub theme: &'a Theme,
    /// Size of the drawing.
    pub width: f64,
    pub height: f64,
    scale: f64,
    /// Device pixels to a CSS pixel.
    device: f64,
}

// Copies of the backend's code at every call would double what the page has to load, so the methods
// that hold it are kept out of line.
impl<'a, DB: DrawingBackend> Pen<'a, DB> {
    pub fn new(area: &'a DrawingArea<DB, Shift>, theme: &'a Theme, scale: f64, width: f64, height: f64) -> Self {
        let subpixel = f64::from(UNITS_PER_PIXEL);
        let device = if scale >= subpixel { scale / subpixel } else { scale };
        Self { area, theme, width, height, scale, device }
    }

    /// Ordinary text: muted, from its left end.
    pub fn default_text_format(&self) -> TextFormat {
        TextFormat { size: text_size(self.width), bold: false, colour: self.theme.muted, align: HPos::Left }
    }

    /// CSS pixels to backend units.
    pub fn css_to_backend(&self, css: f64) -> i32 {
        (css * self.scale).round() as i32
    }

    /// Backend units to CSS pixels.
    pub fn to_css(&self, units: i32) -> f64 {
        f64::from(units) / self.scale
    }

    fn to_backend(&self, (x, y): CssPoint) -> (i32, i32) {
        (self.css_to_backend(x), self.css_to_backend(y))
    }

    /// The nearest place where a thin line fills whole device pixels.
    pub fn snap_to_pixel(&self, css: f64) -> f64 {
        ((css * self.device).floor() + 0.5) / self.device
    }

    /// The nearest edge of a device pixel.
    pub fn snap_to_edge(&self, css: f64) -> f64 {
        (css * self.device).round() / self.device
    }

    /// The width of the thinnest crisp line.
    pub fn hairline(&self) -> f64 {
        self.device.round().max(1.0) / self.device
    }

    /// A stroke of this width in CSS pixels.
    pub fn stroke_style(&self, colour: RGBColor, width: f64) -> ShapeStyle {
        ShapeStyle {
            color: colour.to_rgba(),
            filled: false,
            stroke_width: (width * self.scale).round().max(1.0) as u32,
        }
    }

    pub fn draw_horizontal_line(&self, x0: f64, x1: f64, y: f64, colour: RGBColor) -> Result<(), DrawError> {
        let y = self.snap_to_pixel(y);
        self.draw_path(&[(x0, y), (x1, y)], colour, self.hairline())
    }

    pub fn draw_vertical_line(&self, x: f64, y0: f64, y1: f64, colour: RGBColor) -> Result<(), DrawError> {
        let x = self.snap_to_pixel(x);
        self.draw_path(&[(x, y0), (x, y1)], colour, self.hairline())
    }

    #[inline(never)]
    pub fn draw_path(&self, points: &[CssPoint], colour: RGBColor, width: f64) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.to_backend(*p)).collect();
        map_draw_error(self.area.draw(&PathElement::new(points, self.stroke_style(colour, width))))
    }

    #[inline(never)]
    pub fn draw_dashed_path(
        &self,
        points: &[CssPoint],
        colour: RGBColor,
        width: f64,
        (dash, gap): (f64, f64),
    ) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.to_backend(*p)).collect();
        let style = self.stroke_style(colour, width);
        let (dash, gap) = (self.css_to_backend(dash).max(1), self.css_to_backend(gap).max(1));
        map_draw_error(self.area.draw(&DashedPathElement::new(points, dash, gap, style)))
    }

    #[inline(never)]
    pub fn fill_rect(&self, r: PlotRect, colour: RGBColor) -> Result<(), DrawError> {
        let corners = [self.to_backend((r.x, r.y)), self.to_backend((r.x + r.w, r.y + r.h))];
        map_draw_error(self.area.draw(&Rectangle::new(corners, colour.filled())))
    }

    /// The inside edge of `r`, stroked.
    pub fn outline_rect(&self, r: PlotRect, colour: RGBColor, width: f64) -> Result<(), DrawError> {
        let inset = width / 2.0;
        let (x0, y0) = (r.x + inset, r.y + inset);
        let (x1, y1) = (r.x + r.w - inset, r.y + r.h - inset);
        // One corner more than closes it, so that the first corner is mitred too.
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0), (x1, y0)];
        self.draw_path(&corners, colour, width)
    }

    #[inline(never)]
    pub fn fill_polygon(&self, points: &[CssPoint], colour: RGBColor) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.to_backend(*p)).collect();
        map_draw_error(self.area.draw(&Polygon::new(points, colour.filled())))
    }

    pub fn fill_translucent_polygon(
        &self,
        points: &[CssPoint],
        colour: RGBColor,
        opacity: f64,
    ) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.to_backend(*p)).collect();
        map_draw_error(self.area.draw(&Polygon::new(points, colour.mix(opacity).filled())))
    }

    #[inline(never)]
    pub fn fill_disc(&self, centre: CssPoint, radius: f64, colour: RGBColor) -> Result<(), DrawError> {
        let radius = self.css_to_backend(radius).max(1);
        map_draw_error(self.area.draw(&Circle::new(self.to_backend(centre), radius, colour.filled())))
    }

    #[inline(never)]
    pub fn draw_ring(&self, centre: CssPoint, radius: f64, colour: RGBColor, width: f64) -> Result<(), DrawError> {
        let radius = self.css_to_backend(radius).max(1);
        let style = self.stroke_style(colour, width);
        map_draw_error(self.area.draw(&Circle::new(self.to_backend(centre), radius, style)))
    }

    /// The width of one line of text.
    #[inline(never)]
    pub fn measure_text(&self, text: &str, size: f64, bold: bool) -> f64 {
        split_subscript(text)
            .map(|(piece, low)| {
                let size = if low { size * SUBSCRIPT_SCALE } else { size };
                let style = self.text_style(size, bold, self.theme.ink, HPos::Left);
                match self.area.estimate_text_size(piece, &style) {
                    Ok((width, _)) => f64::from(width) / self.scale,
                    // A backend that cannot measure still gets a layout.
                    Err(_) => text_width(piece, size, bold),
                }
            })
            .sum()
    }

    /// One line of text, its capitals centred on `y`.
    #[inline(never)]
    pub fn draw_text(&self, text: &str, (x, y): CssPoint, set: TextFormat) -> Result<(), DrawError> {
        if !text.contains("C_GT") {
            let style = self.text_style(set.size, set.bold, set.colour, set.align);
            return map_draw_error(self.area.draw_text(text, &style, self.to_backend((x, y))));
        }
        let width = self.measure_text(text, set.size, set.bold);
        let mut x = match set.align {
            HPos::Left => x,
            HPos::Center => x - width / 2.0,
            HPos::Right => x - width,
        };
        for (piece, low) in split_subscript(text) {
            let size = if low { set.size * SUBSCRIPT_SCALE } else { set.size };
            let y = if low { y + SUBSCRIPT_DROP * set.size } else { y };
            let style = self.text_style(size, set.bold, set.colour, HPos::Left);
            map_draw_error(self.area.draw_text(piece, &style, self.to_backend((x, y))))?;
            x += self.measure_text(piece, size, set.bold);
        }
        Ok(())
    }

    /// As much of a text as fits a width, with an ellipsis where it does not.
    #[inline(never)]
    pub fn truncate_to_fit(&self, text: &str, size: f64, bold: bool, width: f64) -> String {
        if self.measure_text(text, size, bold) <= width {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let shorter: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if self.measure_text(&shorter, size, bold) <= width {
                return shorter;
            }
        }
        String::new()
    }

    fn text_style(&self, size: f64, bold: bool, colour: RGBColor, align: HPos) -> TextStyle<'_> {
        let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
        let family = FontFamily::Name(&self.theme.font);
        TextStyle {
            font: FontDesc::new(family, size * self.scale, weight),
            color: colour.to_backend_color(),
            pos: Pos::new(align, VPos::Center),
        }
    }
}

/// Splits "C_GT" into its letter and its subscript; anything else stays whole.
fn split_subscript(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    let mut low = false;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after, next_low) = if low {
            let (piece, after) = rest.split_at(2);
            (piece, after, false)
        } else {
            match rest.find("C_GT") {
                Some(at) => (&rest[..=at], &rest[at + 2..], true),
                None => (rest, "", false),
            }
        };
        let was_low = low;
        (rest, low) = (after, next_low);
        Some((piece, was_low))
    })
}

pub(super) fn map_draw_error<T, E: std::error::Error + Send + Sync>(
    result: Result<T, DrawingAreaErrorKind<E>>,
) -> Result<T, DrawError> {
    result.map_err(|e| DrawError::Backend(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::split_subscript;

    #[test]
    fn only_ground_truth_completeness_has_a_subscript() {
        let split = |text| split_subscript(text).collect::<Vec<_>>();
        assert_eq!(split("SFC_x λ"), [("SFC_x λ", false)]);
        assert_eq!(split("C_GT"), [("C", false), ("GT", true)]);
        assert_eq!(
            split("chance of C_GT (K/D), C_GT"),
            [("chance of C", false), ("GT", true), (" (K/D), C", false), ("GT", true),]
        );
        assert_eq!(split(""), []);
    }
}
