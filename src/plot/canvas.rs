//! Charts on an HTML canvas: plotters-canvas with text of our own, sharp at any pixel ratio.

use std::cell::RefCell;

use plotters::drawing::IntoDrawingArea;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontStyle, FontTransform,
};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::chart::Chart;
use super::draw::{DrawError, Layout, SUBPIXEL, draw, draw_titled, titled_height};
use super::surface::Surface;
use super::theme::Theme;

/// Draws a chart on the whole of a canvas, `css_width` × `css_height` on the page.
///
/// Gives the canvas its pixels (CSS size times `dpr`) and nothing else: no attribute of style is
/// set, no element is made. The page's style sheet gives the canvas its CSS size.
///
/// # Errors
/// As [`draw`], and [`DrawError::NoContext`] for a canvas that has another kind of context.
pub fn draw_on_canvas(
    chart: &Chart,
    canvas: &HtmlCanvasElement,
    css_width: f64,
    css_height: f64,
    dpr: f64,
    dark: bool,
) -> Result<Layout, DrawError> {
    let dpr = if dpr.is_finite() { dpr.clamp(0.5, 8.0) } else { 1.0 };
    let pixels = |css: f64| (css * dpr).round().clamp(1.0, MOST_PIXELS) as u32;
    let backend = Canvas::new(canvas, (pixels(css_width), pixels(css_height)))?;
    let theme = if dark { Theme::dark() } else { Theme::light() };
    draw(chart, &theme, &Surface::Canvas(backend).into_drawing_area(), dpr * f64::from(SUBPIXEL))
}

/// Draws a chart with its title, as [`to_titled_svg`](super::to_titled_svg) does, on the whole of a
/// canvas, which is given as many pixels as that needs at a width.
///
/// # Errors
/// As [`draw_on_canvas`].
pub fn draw_titled_on_canvas(
    chart: &Chart,
    canvas: &HtmlCanvasElement,
    css_width: f64,
    dpr: f64,
    theme: &Theme,
) -> Result<(), DrawError> {
    let dpr = if dpr.is_finite() { dpr.clamp(0.5, 8.0) } else { 1.0 };
    let pixels = |css: f64| (css * dpr).round().clamp(1.0, MOST_PIXELS) as u32;
    let height = titled_height(chart, css_width);
    let backend = Canvas::new(canvas, (pixels(css_width), pixels(height)))?;
    draw_titled(
        chart,
        theme,
        &Surface::Canvas(backend).into_drawing_area(),
        dpr * f64::from(SUBPIXEL),
    )
}

/// Browsers refuse larger canvases.
const MOST_PIXELS: f64 = 16_384.0;

pub(crate) struct Canvas {
    shapes: CanvasBackend,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    /// The font the context was last given.
    font: RefCell<String>,
}

type Failure = DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>;
type Outcome = Result<(), Failure>;

impl Canvas {
    fn new(canvas: &HtmlCanvasElement, (width, height): (u32, u32)) -> Result<Self, DrawError> {
        let context = canvas
            .get_context("2d")
            .ok()
            .flatten()
            .and_then(|c| c.dyn_into::<CanvasRenderingContext2d>().ok())
            .ok_or(DrawError::NoContext)?;
        let shapes =
            CanvasBackend::with_canvas_object(canvas.clone()).ok_or(DrawError::NoContext)?;
        if (canvas.width(), canvas.height()) == (width, height) {
            // Without a change of size, nothing is allocated anew.
            let _ = context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
            context.clear_rect(0.0, 0.0, f64::from(width), f64::from(height));
        } else {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        context.set_line_join("round");
        context.set_line_cap("butt");
        let canvas = Self {
            shapes,
            context,
            size: (width * SUBPIXEL, height * SUBPIXEL),
            font: RefCell::default(),
        };
        canvas.fine();
        Ok(canvas)
    }

    /// Shapes come in units finer than pixels.
    fn fine(&self) {
        let unit = 1.0 / f64::from(SUBPIXEL);
        // Fails only for arguments that are no numbers.
        let _ = self.context.set_transform(unit, 0.0, 0.0, unit, 0.0, 0.0);
    }

    /// Text is set in whole pixels' space, where the browser hints it as it does its own.
    fn set_font<S: BackendTextStyle>(&self, style: &S) {
        let style_and_weight = style.style();
        let weight = match &style_and_weight {
            FontStyle::Normal => "",
            other => other.as_str(),
        };
        let size = style.size() / f64::from(SUBPIXEL);
        let font = format!("{weight} {size:.3}px {}", style.family().as_str());
        let mut last = self.font.borrow_mut();
        if *last != font {
            self.context.set_font(&font);
            *last = font;
        }
    }
}

impl DrawingBackend for Canvas {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Outcome {
        self.shapes.draw_pixel(point, colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        self.shapes.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.shapes.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.shapes.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.shapes.draw_circle(centre, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Outcome {
        self.shapes.fill_polygon(points, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Outcome {
        let colour = style.color();
        if colour.alpha == 0.0 {
            return Ok(());
        }
        self.set_font(style);
        let (r, g, b) = colour.rgb;
        self.context.set_fill_style_str(&format!("rgba({r},{g},{b},{})", colour.alpha));
        self.context.set_text_baseline("alphabetic");
        self.context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Right => "right",
            HPos::Center => "center",
        });
        let size = style.size() / f64::from(SUBPIXEL);
        // From the anchor down to the baseline.
        let drop = size
            * match style.anchor().v_pos {
                VPos::Top => 0.9,
                VPos::Center => 0.36,
                VPos::Bottom => -0.22,
            };
        let (cos, sin) = match style.transform() {
            FontTransform::None => (1.0, 0.0),
            FontTransform::Rotate90 => (0.0, 1.0),
            FontTransform::Rotate180 => (-1.0, 0.0),
            FontTransform::Rotate270 => (0.0, -1.0),
        };
        let pixel = |units: i32| f64::from(units) / f64::from(SUBPIXEL);
        // Both calls fail only for arguments that are no numbers.
        let _ = self.context.set_transform(cos, sin, -sin, cos, pixel(x), pixel(y));
        let _ = self.context.fill_text(text, 0.0, drop);
        self.fine();
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), Failure> {
        self.set_font(style);
        let width = match self.context.measure_text(text) {
            Ok(metrics) => metrics.width(),
            Err(_) => super::measure::text_width(text, style.size() / f64::from(SUBPIXEL), false),
        };
        Ok(((width * f64::from(SUBPIXEL)).ceil() as u32, style.size().ceil() as u32))
    }
}
