//! What charts are drawn on, as one type: all the drawing is compiled once, whatever is drawn on, and
//! nothing of a [`DrawTarget`] once more for each style and each kind of path.

use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};

/// Backend units to a device pixel for smooth curves: backend coordinates are integers.
pub const UNITS_PER_PIXEL: u32 = 8;

/// A canvas or a document: what can take up the shapes and the texts of a drawing.
///
/// Coordinates and sizes are in units of 1/[`UNITS_PER_PIXEL`] pixels.
pub(crate) trait DrawTarget {
    /// Width and height.
    fn size(&self) -> (u32, u32);

    /// One unit of a colour.
    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> DrawResult;

    /// A line of any number of corners, or the shape that they enclose.
    fn draw_shape(&mut self, corners: &mut dyn Iterator<Item = BackendCoord>, paint: Paint) -> DrawResult;

    /// The rectangle between two opposite corners.
    fn draw_rect(&mut self, corner: BackendCoord, opposite: BackendCoord, paint: Paint) -> DrawResult;

    /// A circle.
    fn draw_circle(&mut self, centre: BackendCoord, radius: u32, paint: Paint) -> DrawResult;

    /// One line of text, its capitals centred on the height of `at`.
    fn draw_text(&mut self, text: &str, set: &Lettering<'_>, at: BackendCoord) -> DrawResult;

    /// Width and height of one line of text.
    fn text_size(&self, text: &str, set: &Lettering<'_>) -> (u32, u32);
}

/// What a shape is painted with: a fill, or a stroke of a width.
#[derive(Clone, Copy)]
pub(crate) enum Paint {
    Fill(BackendColor),
    Stroke(BackendColor, u32),
}

impl Paint {
    fn from_style<S: BackendStyle>(style: &S, fill: bool) -> Self {
        if fill { Self::Fill(style.color()) } else { Self::Stroke(style.color(), style.stroke_width()) }
    }
}

/// How text is set. Charts neither turn it nor slant it.
#[derive(Clone, Copy)]
pub(crate) struct Lettering<'a> {
    /// For a canvas: a document names its font once.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
    pub family: &'a str,
    pub size: f64,
    pub bold: bool,
    pub colour: BackendColor,
    /// Which end of the text, or its middle, is at its place.
    pub align: HPos,
}

/// From the middle of the capitals down to the baseline, in font sizes.
pub(crate) const BASELINE_DROP: f64 = 0.36;

/// Why a sheet did not take something up, in its own words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct DrawTargetError(pub String);

pub(crate) type DrawResult<T = ()> = Result<T, DrawingErrorKind<DrawTargetError>>;

/// A sheet as a backend of plotters.
pub(crate) struct PlottersBackend<'a>(pub &'a mut dyn DrawTarget);

impl DrawingBackend for PlottersBackend<'_> {
    type ErrorType = DrawTargetError;

    fn get_size(&self) -> (u32, u32) {
        self.0.size()
    }

    fn ensure_prepared(&mut self) -> DrawResult {
        Ok(())
    }

    fn present(&mut self) -> DrawResult {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> DrawResult {
        self.0.draw_pixel(point, colour)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> DrawResult {
        self.0.draw_shape(&mut [from, to].into_iter(), Paint::from_style(style, false))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> DrawResult {
        self.0.draw_rect(upper_left, bottom_right, Paint::from_style(style, fill))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> DrawResult {
        self.0.draw_shape(&mut path.into_iter(), Paint::from_style(style, false))
    }

    fn draw_circle<S: BackendStyle>(&mut self, centre: BackendCoord, radius: u32, style: &S, fill: bool) -> DrawResult {
        self.0.draw_circle(centre, radius, Paint::from_style(style, fill))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> DrawResult {
        self.0.draw_shape(&mut points.into_iter(), Paint::from_style(style, true))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> DrawResult {
        self.0.draw_text(text, &lettering_of_style(style, style.family().as_str()), at)
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> DrawResult<(u32, u32)> {
        Ok(self.0.text_size(text, &lettering_of_style(style, style.family().as_str())))
    }
}

fn lettering_of_style<'a, S: BackendTextStyle>(style: &S, family: &'a str) -> Lettering<'a> {
    Lettering {
        family,
        size: style.size(),
        bold: matches!(style.style(), FontStyle::Bold),
        colour: style.color(),
        align: style.anchor().h_pos,
    }
}
