//! Drawing in CSS pixels: the one place that knows of backend units, fonts and pixel snapping.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};
use plotters_backend::DrawingBackend;

use super::layout::{DrawError, PlotRect};
use super::measure::{text_size, text_width};
use super::surface::SUBPIXEL;
use super::theme::Theme;

/// A point in CSS pixels.
pub(super) type At = (f64, f64);

/// How a piece of text is set.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub size: f64,
    pub bold: bool,
    pub colour: RGBColor,
    pub align: HPos,
}

impl Type {
    pub fn bold(self, bold: bool) -> Self {
        Self { bold, ..self }
    }
    pub fn colour(self, colour: RGBColor) -> Self {
        Self { colour, ..self }
    }
    pub fn right(self) -> Self {
        Self { align: HPos::Right, ..self }
    }
    pub fn centred(self) -> Self {
        Self { align: HPos::Center, ..self }
    }
    pub fn size(self, size: f64) -> Self {
        Self { size, ..self }
    }
}

/// Subscripts are this much smaller, and this much lower, than their letter.
const SUBSCRIPT: f64 = 0.74;
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
    pub fn new(
        area: &'a DrawingArea<DB, Shift>,
        theme: &'a Theme,
        scale: f64,
        width: f64,
        height: f64,
    ) -> Self {
        let subpixel = f64::from(SUBPIXEL);
        let device = if scale >= subpixel { scale / subpixel } else { scale };
        Self { area, theme, width, height, scale, device }
    }

    /// Ordinary text: muted, from its left end.
    pub fn text_type(&self) -> Type {
        Type {
            size: text_size(self.width),
            bold: false,
            colour: self.theme.muted,
            align: HPos::Left,
        }
    }

    /// CSS pixels to backend units.
    pub fn units(&self, css: f64) -> i32 {
        (css * self.scale).round() as i32
    }

    /// Backend units to CSS pixels.
    pub fn css(&self, units: i32) -> f64 {
        f64::from(units) / self.scale
    }

    fn at(&self, (x, y): At) -> (i32, i32) {
        (self.units(x), self.units(y))
    }

    /// The nearest place where a thin line fills whole device pixels.
    pub fn crisp(&self, css: f64) -> f64 {
        ((css * self.device).floor() + 0.5) / self.device
    }

    /// The nearest edge of a device pixel.
    pub fn edge(&self, css: f64) -> f64 {
        (css * self.device).round() / self.device
    }

    /// The width of the thinnest crisp line.
    pub fn hairline(&self) -> f64 {
        self.device.round().max(1.0) / self.device
    }

    /// A stroke of this width in CSS pixels.
    pub fn stroke(&self, colour: RGBColor, width: f64) -> ShapeStyle {
        ShapeStyle {
            color: colour.to_rgba(),
            filled: false,
            stroke_width: (width * self.scale).round().max(1.0) as u32,
        }
    }

    pub fn horizontal(&self, x0: f64, x1: f64, y: f64, colour: RGBColor) -> Result<(), DrawError> {
        let y = self.crisp(y);
        self.path(&[(x0, y), (x1, y)], colour, self.hairline())
    }

    pub fn vertical(&self, x: f64, y0: f64, y1: f64, colour: RGBColor) -> Result<(), DrawError> {
        let x = self.crisp(x);
        self.path(&[(x, y0), (x, y1)], colour, self.hairline())
    }

    #[inline(never)]
    pub fn path(&self, points: &[At], colour: RGBColor, width: f64) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.at(*p)).collect();
        lift(self.area.draw(&PathElement::new(points, self.stroke(colour, width))))
    }

    #[inline(never)]
    pub fn dashed(
        &self,
        points: &[At],
        colour: RGBColor,
        width: f64,
        (dash, gap): (f64, f64),
    ) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.at(*p)).collect();
        let style = self.stroke(colour, width);
        let (dash, gap) = (self.units(dash).max(1), self.units(gap).max(1));
        lift(self.area.draw(&DashedPathElement::new(points, dash, gap, style)))
    }

    #[inline(never)]
    pub fn rect(&self, r: PlotRect, colour: RGBColor) -> Result<(), DrawError> {
        let corners = [self.at((r.x, r.y)), self.at((r.x + r.w, r.y + r.h))];
        lift(self.area.draw(&Rectangle::new(corners, colour.filled())))
    }

    /// The inside edge of `r`, stroked.
    pub fn outline(&self, r: PlotRect, colour: RGBColor, width: f64) -> Result<(), DrawError> {
        let inset = width / 2.0;
        let (x0, y0) = (r.x + inset, r.y + inset);
        let (x1, y1) = (r.x + r.w - inset, r.y + r.h - inset);
        // One corner more than closes it, so that the first corner is mitred too.
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0), (x1, y0)];
        self.path(&corners, colour, width)
    }

    #[inline(never)]
    pub fn polygon(&self, points: &[At], colour: RGBColor) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.at(*p)).collect();
        lift(self.area.draw(&Polygon::new(points, colour.filled())))
    }

    pub fn translucent(
        &self,
        points: &[At],
        colour: RGBColor,
        opacity: f64,
    ) -> Result<(), DrawError> {
        let points: Vec<_> = points.iter().map(|p| self.at(*p)).collect();
        lift(self.area.draw(&Polygon::new(points, colour.mix(opacity).filled())))
    }

    #[inline(never)]
    pub fn disc(&self, centre: At, radius: f64, colour: RGBColor) -> Result<(), DrawError> {
        let radius = self.units(radius).max(1);
        lift(self.area.draw(&Circle::new(self.at(centre), radius, colour.filled())))
    }

    #[inline(never)]
    pub fn ring(
        &self,
        centre: At,
        radius: f64,
        colour: RGBColor,
        width: f64,
    ) -> Result<(), DrawError> {
        let radius = self.units(radius).max(1);
        let style = self.stroke(colour, width);
        lift(self.area.draw(&Circle::new(self.at(centre), radius, style)))
    }

    /// The width of one line of text.
    #[inline(never)]
    pub fn measure(&self, text: &str, size: f64, bold: bool) -> f64 {
        pieces(text)
            .map(|(piece, low)| {
                let size = if low { size * SUBSCRIPT } else { size };
                let style = self.style(size, bold, self.theme.ink, HPos::Left);
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
    pub fn text(&self, text: &str, (x, y): At, set: Type) -> Result<(), DrawError> {
        if !text.contains("C_GT") {
            let style = self.style(set.size, set.bold, set.colour, set.align);
            return lift(self.area.draw_text(text, &style, self.at((x, y))));
        }
        let width = self.measure(text, set.size, set.bold);
        let mut x = match set.align {
            HPos::Left => x,
            HPos::Center => x - width / 2.0,
            HPos::Right => x - width,
        };
        for (piece, low) in pieces(text) {
            let size = if low { set.size * SUBSCRIPT } else { set.size };
            let y = if low { y + SUBSCRIPT_DROP * set.size } else { y };
            let style = self.style(size, set.bold, set.colour, HPos::Left);
            lift(self.area.draw_text(piece, &style, self.at((x, y))))?;
            x += self.measure(piece, size, set.bold);
        }
        Ok(())
    }

    /// As much of a text as fits a width, with an ellipsis where it does not.
    #[inline(never)]
    pub fn fit(&self, text: &str, size: f64, bold: bool, width: f64) -> String {
        if self.measure(text, size, bold) <= width {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let shorter: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if self.measure(&shorter, size, bold) <= width {
                return shorter;
            }
        }
        String::new()
    }

    fn style(&self, size: f64, bold: bool, colour: RGBColor, align: HPos) -> TextStyle<'_> {
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
fn pieces(text: &str) -> impl Iterator<Item = (&str, bool)> {
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

pub(super) fn lift<T, E: std::error::Error + Send + Sync>(
    result: Result<T, DrawingAreaErrorKind<E>>,
) -> Result<T, DrawError> {
    result.map_err(|e| DrawError::Backend(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn only_ground_truth_completeness_has_a_subscript() {
        let split = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(split("SFC_x λ"), [("SFC_x λ", false)]);
        assert_eq!(split("C_GT"), [("C", false), ("GT", true)]);
        assert_eq!(
            split("chance of C_GT (K/D), C_GT"),
            [("chance of C", false), ("GT", true), (" (K/D), C", false), ("GT", true),]
        );
        assert_eq!(split(""), []);
    }
}
