//! Charts on an HTML canvas: plotters-canvas with text of our own, sharp at any pixel ratio.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use plotters::drawing::IntoDrawingArea;
use plotters_backend::text_anchor::HPos;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, DrawingBackend, DrawingErrorKind};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::chart::{Chart, draw};
use super::layout::{DrawError, Layout};
use super::surface::{
    BASELINE_DROP, DrawResult, DrawTarget, DrawTargetError, Lettering, Paint, PlottersBackend, UNITS_PER_PIXEL,
};
use super::theme::Theme;
use super::titled_chart::{draw_titled, titled_height};

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
    let pixels = |css: f64| (css * dpr).round().clamp(1.0, SIDE_PIXELS_MAX) as u32;
    let mut sheet = Canvas::new(canvas, (pixels(css_width), pixels(css_height)))?;
    let theme = if dark { Theme::dark() } else { Theme::light() };
    let area = PlottersBackend(&mut sheet).into_drawing_area();
    let layout = draw(chart, &theme, &area, dpr * f64::from(UNITS_PER_PIXEL))?;
    drop(area);
    sheet.write_texts();
    Ok(layout)
}

/// Draws a chart with its title, as [`to_titled_svg`](super::to_titled_svg) does, on the whole of a
/// canvas, which is given as many pixels as that needs at a width.
///
/// # Errors
/// As [`draw_on_canvas`].
pub fn draw_titled_on_canvas(
    chart: &Chart,
    source: &str,
    canvas: &HtmlCanvasElement,
    css_width: f64,
    dpr: f64,
    theme: &Theme,
) -> Result<(), DrawError> {
    let dpr = if dpr.is_finite() { dpr.clamp(0.5, 8.0) } else { 1.0 };
    let pixels = |css: f64| (css * dpr).round().clamp(1.0, SIDE_PIXELS_MAX) as u32;
    let height = titled_height(chart, css_width);
    let mut sheet = Canvas::new(canvas, (pixels(css_width), pixels(height)))?;
    let root = PlottersBackend(&mut sheet).into_drawing_area();
    draw_titled(chart, source, theme, &root, dpr * f64::from(UNITS_PER_PIXEL))?;
    drop(root);
    sheet.write_texts();
    Ok(())
}

/// Browsers refuse larger canvases.
const SIDE_PIXELS_MAX: f64 = 16_384.0;

/// How many widths of text are remembered.
const CACHED_WIDTHS_MAX: usize = 8_192;

thread_local! {
    /// What texts were measured to be wide, by font and text: a table is drawn again with every part that comes, most
    /// of it the same. No font is loaded later: a width stays what it is.
    static TEXT_WIDTHS: RefCell<HashMap<String, HashMap<String, f64>>> = RefCell::default();
}

struct Canvas {
    shapes: CanvasBackend,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    /// The font the context was last given.
    font: RefCell<String>,
    /// What it was last given for text; none of what a shape may have changed since.
    pen: Cell<ContextState>,
    /// What is written once all shapes are drawn, by font.
    texts: Vec<(String, Vec<TextItem>)>,
}

/// A text, and where it goes.
struct TextItem {
    text: String,
    colour: BackendColor,
    align: HPos,
    at: (f64, f64),
}

/// What a context is told only where it is another: a table has a thousand texts, most of them alike.
#[derive(Clone, Copy, Default)]
struct ContextState {
    /// Whether coordinates are whole pixels, and not a shape's finer units.
    whole: bool,
    colour: Option<BackendColor>,
    align: Option<&'static str>,
}

impl Canvas {
    fn new(canvas: &HtmlCanvasElement, (width, height): (u32, u32)) -> Result<Self, DrawError> {
        let context = canvas
            .get_context("2d")
            .ok()
            .flatten()
            .and_then(|c| c.dyn_into::<CanvasRenderingContext2d>().ok())
            .ok_or(DrawError::NoContext)?;
        let shapes = CanvasBackend::with_canvas_object(canvas.clone()).ok_or(DrawError::NoContext)?;
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
            size: (width * UNITS_PER_PIXEL, height * UNITS_PER_PIXEL),
            font: RefCell::default(),
            pen: Cell::new(ContextState { whole: true, ..ContextState::default() }),
            texts: Vec::new(),
        };
        canvas.context.set_text_baseline("alphabetic");
        Ok(canvas)
    }

    /// For shapes, which come in units finer than pixels and bring their own colours.
    fn shape_backend(&mut self) -> &mut CanvasBackend {
        let pen = self.pen.get();
        if pen.whole {
            self.set_scale(1.0 / f64::from(UNITS_PER_PIXEL));
        }
        self.pen.set(ContextState { whole: false, colour: None, ..pen });
        &mut self.shapes
    }

    fn set_scale(&self, unit: f64) {
        // Fails only for arguments that are no numbers.
        let _ = self.context.set_transform(unit, 0.0, 0.0, unit, 0.0, 0.0);
    }

    /// Writes the texts, one font after another: a canvas takes longer over a change of font than over a text.
    fn write_texts(&mut self) {
        for (font, texts) in std::mem::take(&mut self.texts) {
            self.set_font(&font);
            for TextItem { text, colour, align, at: (x, y) } in texts {
                let align = match align {
                    HPos::Left => "left",
                    HPos::Right => "right",
                    HPos::Center => "center",
                };
                let pen = self.pen.replace(ContextState { whole: true, colour: Some(colour), align: Some(align) });
                if !pen.whole {
                    self.set_scale(1.0);
                }
                let same = |last: BackendColor| (last.rgb, last.alpha) == (colour.rgb, colour.alpha);
                if !pen.colour.is_some_and(same) {
                    let (r, g, b) = colour.rgb;
                    self.context.set_fill_style_str(&format!("rgba({r},{g},{b},{})", colour.alpha));
                }
                if pen.align != Some(align) {
                    self.context.set_text_align(align);
                }
                // Fails only for arguments that are no numbers.
                let _ = self.context.fill_text(&text, x, y);
            }
        }
    }

    fn set_font(&self, font: &str) {
        let mut last = self.font.borrow_mut();
        if *last != font {
            self.context.set_font(font);
            font.clone_into(&mut last);
        }
    }
}

/// Text is set in whole pixels' space, where the browser hints it as it does its own.
fn css_font(set: &Lettering<'_>) -> String {
    let weight = if set.bold { "bold" } else { "" };
    format!("{weight} {:.3}px {}", set.size / f64::from(UNITS_PER_PIXEL), set.family)
}

impl BackendStyle for Paint {
    fn color(&self) -> BackendColor {
        let (Self::Fill(colour) | Self::Stroke(colour, _)) = *self;
        colour
    }

    fn stroke_width(&self) -> u32 {
        match *self {
            Self::Fill(_) => 1,
            Self::Stroke(_, width) => width,
        }
    }
}

type CanvasFailure = DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>;

fn to_outcome(result: Result<(), CanvasFailure>) -> DrawResult {
    result.map_err(|e| DrawingErrorKind::DrawingError(DrawTargetError(e.to_string())))
}

impl DrawTarget for Canvas {
    fn size(&self) -> (u32, u32) {
        self.size
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> DrawResult {
        to_outcome(self.shape_backend().draw_pixel(at, colour))
    }

    fn draw_shape(&mut self, corners: &mut dyn Iterator<Item = BackendCoord>, paint: Paint) -> DrawResult {
        to_outcome(match paint {
            Paint::Fill(_) => self.shape_backend().fill_polygon(corners, &paint),
            Paint::Stroke(..) => self.shape_backend().draw_path(corners, &paint),
        })
    }

    fn draw_rect(&mut self, corner: BackendCoord, opposite: BackendCoord, paint: Paint) -> DrawResult {
        let fill = matches!(paint, Paint::Fill(_));
        to_outcome(self.shape_backend().draw_rect(corner, opposite, &paint, fill))
    }

    fn draw_circle(&mut self, centre: BackendCoord, radius: u32, paint: Paint) -> DrawResult {
        let fill = matches!(paint, Paint::Fill(_));
        to_outcome(self.shape_backend().draw_circle(centre, radius, &paint, fill))
    }

    fn draw_text(&mut self, text: &str, set: &Lettering<'_>, (x, y): BackendCoord) -> DrawResult {
        let colour = set.colour;
        if colour.alpha == 0.0 {
            return Ok(());
        }
        let pixel = |units: i32| f64::from(units) / f64::from(UNITS_PER_PIXEL);
        let drop = set.size / f64::from(UNITS_PER_PIXEL) * BASELINE_DROP;
        let written = TextItem { text: text.to_owned(), colour, align: set.align, at: (pixel(x), pixel(y) + drop) };
        let font = css_font(set);
        match self.texts.iter_mut().find(|(of, _)| *of == font) {
            Some((_, texts)) => texts.push(written),
            None => self.texts.push((font, vec![written])),
        }
        Ok(())
    }

    fn text_size(&self, text: &str, set: &Lettering<'_>) -> (u32, u32) {
        let font = css_font(set);
        let measured = || {
            self.set_font(&font);
            match self.context.measure_text(text) {
                Ok(metrics) => metrics.width(),
                Err(_) => super::measure::text_width(text, set.size / f64::from(UNITS_PER_PIXEL), false),
            }
        };
        let width = TEXT_WIDTHS.with_borrow_mut(|widths| {
            if let Some(width) = widths.get(&font).and_then(|of| of.get(text)) {
                return *width;
            }
            let width = measured();
            if widths.values().map(HashMap::len).sum::<usize>() >= CACHED_WIDTHS_MAX {
                widths.clear();
            }
            widths.entry(font.clone()).or_default().insert(text.to_owned(), width);
            width
        });
        ((width * f64::from(UNITS_PER_PIXEL)).ceil() as u32, set.size.ceil() as u32)
    }
}
