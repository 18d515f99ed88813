//! The backends at hand as one type, so that all the drawing is compiled once: the page loads half
//! as much of it as with one copy for canvases and one for SVG.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

#[cfg(target_arch = "wasm32")]
use super::canvas::Canvas;
use super::svg::{Paint, Svg};

/// What charts are drawn on.
pub(crate) enum Surface<'a> {
    #[cfg(target_arch = "wasm32")]
    Canvas(Canvas),
    Svg(&'a mut Svg),
}

#[cfg(target_arch = "wasm32")]
type Failure = <Canvas as DrawingBackend>::ErrorType;
/// Writing SVG cannot fail.
#[cfg(not(target_arch = "wasm32"))]
type Failure = std::convert::Infallible;

type Outcome<T = ()> = Result<T, DrawingErrorKind<Failure>>;

impl DrawingBackend for Surface<'_> {
    type ErrorType = Failure;

    fn get_size(&self) -> (u32, u32) {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => canvas.get_size(),
            Self::Svg(svg) => svg.size,
        }
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Outcome {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => return canvas.draw_pixel(point, colour),
            Self::Svg(svg) => svg.pixel(point, colour),
        }
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => return canvas.draw_line(from, to, style),
            Self::Svg(svg) => svg.shape(&mut [from, to].into_iter(), Paint::of(style, false)),
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => return canvas.draw_rect(upper_left, bottom_right, style, fill),
            Self::Svg(svg) => svg.rect(upper_left, bottom_right, Paint::of(style, fill)),
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => return canvas.draw_path(path, style),
            Self::Svg(svg) => svg.shape(&mut path.into_iter(), Paint::of(style, false)),
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => return canvas.draw_circle(centre, radius, style, fill),
            Self::Svg(svg) => svg.circle(centre, radius, Paint::of(style, fill)),
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Outcome {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => return canvas.fill_polygon(points, style),
            Self::Svg(svg) => svg.shape(&mut points.into_iter(), Paint::of(style, true)),
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => return canvas.draw_text(text, style, at),
            Self::Svg(svg) => svg.text(text, style, at),
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Outcome<(u32, u32)> {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Canvas(canvas) => canvas.estimate_text_size(text, style),
            Self::Svg(_) => Ok(Svg::text_size(text, style)),
        }
    }
}
