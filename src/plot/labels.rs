//! Labels inside a drawing, none on top of another.

use plotters_backend::DrawingBackend;

use super::layout::{DrawError, PlotRect};
use super::pen::{At, Pen, Type};

/// The places that are taken.
pub(super) struct Labels {
    bounds: PlotRect,
    taken: Vec<PlotRect>,
}

/// Height of a label's box, in font sizes.
const TALL: f64 = 1.1;

impl Labels {
    pub fn new(bounds: PlotRect) -> Self {
        Self { bounds, taken: Vec::new() }
    }

    #[inline(never)]
    pub fn claim(&mut self, r: PlotRect) {
        self.taken.push(r);
    }

    #[inline(never)]
    pub fn free(&self, r: PlotRect) -> bool {
        let b = self.bounds;
        let inside = r.x >= b.x && r.x + r.w <= b.x + b.w && r.y >= b.y && r.y + r.h <= b.y + b.h;
        inside
            && self.taken.iter().all(|t| {
                r.x >= t.x + t.w || t.x >= r.x + r.w || r.y >= t.y + t.h || t.y >= r.y + r.h
            })
    }
}

/// The box of a centred text.
#[inline(never)]
pub(super) fn text_box((x, y): At, wide: f64, size: f64) -> PlotRect {
    PlotRect { x: x - wide / 2.0 - 1.0, y: y - TALL * size / 2.0, w: wide + 2.0, h: TALL * size }
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// Writes a text around a point, where there is room; returns its box.
    #[inline(never)]
    pub fn label_beside(
        &self,
        labels: &mut Labels,
        text: &str,
        (x, y): At,
        gap: f64,
        set: Type,
    ) -> Result<Option<PlotRect>, DrawError> {
        let wide = self.measure(text, set.size, set.bold);
        let (across, down) = (gap + 1.0 + wide / 2.0, gap + TALL * set.size / 2.0);
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
            if labels.free(r) {
                labels.claim(r);
                self.text(text, (x + dx, y + dy), set.centred())?;
                return Ok(Some(r));
            }
        }
        Ok(None)
    }
}
