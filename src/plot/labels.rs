//! Labels inside a drawing, none on top of another.

use plotters_backend::DrawingBackend;

use super::layout::{DrawError, PlotRect};
use super::pen::{CssPoint, Pen, TextFormat};

/// The places that are taken.
pub(super) struct LabelPlacer {
    bounds: PlotRect,
    taken: Vec<PlotRect>,
}

/// Height of a label's box, in font sizes.
const LABEL_HEIGHT: f64 = 1.1;

impl LabelPlacer {
    pub fn new(bounds: PlotRect) -> Self {
        Self { bounds, taken: Vec::new() }
    }

    #[inline(never)]
    pub fn reserve(&mut self, r: PlotRect) {
        self.taken.push(r);
    }

    #[inline(never)]
    pub fn is_free(&self, r: PlotRect) -> bool {
        let b = self.bounds;
        let inside = r.x >= b.x && r.x + r.w <= b.x + b.w && r.y >= b.y && r.y + r.h <= b.y + b.h;
        inside
            && self.taken.iter().all(|t| r.x >= t.x + t.w || t.x >= r.x + r.w || r.y >= t.y + t.h || t.y >= r.y + r.h)
    }
}

/// The box of a centred text.
#[inline(never)]
pub(super) fn text_box((x, y): CssPoint, wide: f64, size: f64) -> PlotRect {
    PlotRect { x: x - wide / 2.0 - 1.0, y: y - LABEL_HEIGHT * size / 2.0, w: wide + 2.0, h: LABEL_HEIGHT * size }
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// Writes a text around a point, where there is room; returns its box.
    #[inline(never)]
    pub fn draw_label_beside(
        &self,
        labels: &mut LabelPlacer,
        text: &str,
        (x, y): CssPoint,
        gap: f64,
        set: TextFormat,
    ) -> Result<Option<PlotRect>, DrawError> {
        let wide = self.measure_text(text, set.size, set.bold);
        let (across, down) = (gap + 1.0 + wide / 2.0, gap + LABEL_HEIGHT * set.size / 2.0);
        let slant = 0.6;
        let places = [
            (across, 0.0),
            (0.0, -down),
            (0.0, down),
            (-across, 0.0),
            (across, -slant * down),
            (across, slant * down),
            (-across, -slant * down),
            (-across, slant * down),
        ];
        for (dx, dy) in places {
            let r = text_box((x + dx, y + dy), wide, set.size);
            if labels.is_free(r) {
                labels.reserve(r);
                self.draw_text(text, (x + dx, y + dy), set.align_centre())?;
                return Ok(Some(r));
            }
        }
        Ok(None)
    }
}
