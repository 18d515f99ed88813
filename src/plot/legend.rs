//! The legend: a row of keys above the plot, wrapping, so that it never covers data.

use plotters::style::RGBColor;
use plotters_backend::DrawingBackend;

use super::layout::{DrawError, PlotRect};
use super::measure::text_width;
use super::parts::{BarFill, ColourRole, Marker, Status, Stroke};
use super::pen::{CssPoint, Pen};
use super::theme::mix_colours;

/// An entry of a legend.
#[derive(Clone, Debug)]
pub(super) struct LegendItem<'a> {
    pub name: &'a str,
    pub note: Option<&'a str>,
    pub role: ColourRole,
    pub key: LegendKey,
}

/// The picture before an entry's name.
#[derive(Clone, Copy, Debug)]
pub(super) enum LegendKey {
    Line(Stroke, Marker),
    Swatch(BarFill),
    /// The n-th of bands that lie within each other.
    Band(usize),
    Best,
    Glyph(Status),
}

/// Where an entry goes, and whether its note fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LegendSlot {
    pub x: f64,
    pub row: usize,
    pub shows_note: bool,
}

/// The slots of a legend's entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LegendLayout {
    pub slots: Vec<LegendSlot>,
    pub rows: usize,
}

impl LegendLayout {
    /// Height with the gap below it.
    pub fn height(&self, size: f64) -> f64 {
        if self.rows == 0 { 0.0 } else { self.rows as f64 * row_height(size) + 0.5 * size }
    }
}

/// Heights of a striped bar's stripes and of the gaps between them; a split bar's gap is as wide.
const STRIPE_HEIGHT: f64 = 3.0;
const STRIPE_GAP: f64 = 2.0;

/// More rows than this, and the notes are left out.
const ROWS_WITH_NOTES_MAX: usize = 4;

fn row_height(size: f64) -> f64 {
    (size * 1.6).round()
}

pub(super) fn key_width(key: LegendKey, size: f64) -> f64 {
    match key {
        LegendKey::Line(Stroke::None, _) | LegendKey::Best | LegendKey::Glyph(_) => size,
        LegendKey::Line(..) | LegendKey::Band(_) => 2.2 * size,
        LegendKey::Swatch(_) => 0.9 * size,
    }
}

/// Flows entries into rows of a width; `measure` gives the width of a text.
pub(super) fn arrange_legend(
    items: &[LegendItem<'_>],
    width: f64,
    size: f64,
    measure: &dyn Fn(&str) -> f64,
) -> LegendLayout {
    let with_notes = flow_items(items, width, size, true, measure);
    let noted = items.iter().any(|item| item.note.is_some());
    if noted && with_notes.rows > ROWS_WITH_NOTES_MAX {
        return flow_items(items, width, size, false, measure);
    }
    with_notes
}

/// The height of a legend, by estimate, before there is anything to draw on.
pub(super) fn legend_height(items: &[LegendItem<'_>], width: f64, size: f64) -> f64 {
    arrange_legend(items, width, size, &|text| text_width(text, size, false)).height(size)
}

fn flow_items(
    items: &[LegendItem<'_>],
    width: f64,
    size: f64,
    noted: bool,
    measure: &dyn Fn(&str) -> f64,
) -> LegendLayout {
    let gap = 1.4 * size;
    let (mut x, mut row) = (0.0, 0);
    let mut slots = Vec::with_capacity(items.len());
    for item in items {
        let mut wide = key_width(item.key, size) + 0.5 * size + measure(item.name);
        if let Some(note) = item.note.filter(|_| noted) {
            wide += 0.45 * size + measure(note);
        }
        if x > 0.0 && x + wide > width {
            (x, row) = (0.0, row + 1);
        }
        slots.push(LegendSlot { x, row, shows_note: noted });
        x += wide + gap;
    }
    let rows = if items.is_empty() { 0 } else { row + 1 };
    LegendLayout { slots, rows }
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// Draws a legend from `y` down and returns the height it takes.
    pub fn draw_legend(&self, items: &[LegendItem<'_>], x: f64, y: f64) -> Result<f64, DrawError> {
        let set = self.default_text_format();
        let measure = |text: &str| self.measure_text(text, set.size, false);
        let width = self.width - x;
        let arrangement = arrange_legend(items, width, set.size, &measure);
        let rows = row_height(set.size);
        for (item, slot) in items.iter().zip(&arrangement.slots) {
            let middle = y + (slot.row as f64 + 0.5) * rows;
            let left = x + slot.x;
            self.draw_legend_key(item.key, item.role, (left, middle), set.size)?;
            let text = left + key_width(item.key, set.size) + 0.5 * set.size;
            let room = self.width - text;
            let name = self.truncate_to_fit(item.name, set.size, false, room);
            self.draw_text(&name, (text, middle), set.with_colour(self.theme.ink))?;
            if let Some(note) = item.note.filter(|_| slot.shows_note) {
                let at = text + measure(item.name) + 0.45 * set.size;
                let note = self.truncate_to_fit(note, set.size, false, self.width - at);
                self.draw_text(&note, (at, middle), set)?;
            }
        }
        Ok(arrangement.height(set.size))
    }

    /// The picture before an entry’s name.
    pub fn draw_legend_key(
        &self,
        key: LegendKey,
        role: ColourRole,
        (x, y): CssPoint,
        size: f64,
    ) -> Result<(), DrawError> {
        let colour = self.theme.role_colour(role);
        let wide = key_width(key, size);
        match key {
            LegendKey::Line(stroke, marker) => {
                self.draw_curve(&[(x, y), (x + wide, y)], stroke, colour)?;
                self.draw_marker(marker, (x + wide / 2.0, y), 0.3 * size, colour)
            }
            LegendKey::Swatch(fill) => {
                let square = PlotRect { x, y: y - wide / 2.0, w: wide, h: wide };
                self.draw_bar(square, fill, colour)
            }
            LegendKey::Band(nth) => {
                for depth in 0..=nth {
                    let (left, right) = (x, x + wide);
                    let h = 0.45 * size;
                    let corners = [(left, y - h), (right, y - h), (right, y + h), (left, y + h)];
                    self.draw_band(&corners, depth, colour)?;
                }
                Ok(())
            }
            LegendKey::Best => self.draw_pointer((x + wide / 2.0, y + 0.3 * size), 0.34 * size, colour),
            LegendKey::Glyph(status) => self.draw_glyph(status, (x + wide / 2.0, y), 0.36 * size),
        }
    }

    /// A curve in its stroke.
    #[inline(never)]
    pub fn draw_curve(&self, points: &[CssPoint], stroke: Stroke, colour: RGBColor) -> Result<(), DrawError> {
        match stroke {
            Stroke::Solid | Stroke::Path | Stroke::Arrow => self.draw_path(points, colour, 1.75),
            Stroke::Strong => self.draw_path(points, colour, 2.5),
            Stroke::Dashed => self.draw_dashed_path(points, colour, 1.75, (6.0, 4.0)),
            Stroke::Dotted => self.draw_dashed_path(points, colour, 2.0, (2.0, 3.0)),
            Stroke::Faint => self.draw_dashed_path(points, colour, 1.25, (3.0, 3.0)),
            Stroke::None => Ok(()),
        }
    }

    /// A point in its shape, set off from what lies under it; equal in area among shapes.
    #[inline(never)]
    pub fn draw_marker(&self, marker: Marker, (x, y): CssPoint, r: f64, colour: RGBColor) -> Result<(), DrawError> {
        let halo = r + 1.0;
        let shape = |r: f64, colour: RGBColor| match marker {
            Marker::None => Ok(()),
            Marker::Circle | Marker::OpenCircle => self.fill_disc((x, y), r, colour),
            Marker::Square | Marker::OpenSquare => {
                let a = 0.89 * r;
                self.fill_rect(PlotRect::square_around((x, y), a), colour)
            }
            Marker::Triangle | Marker::OpenTriangle => {
                let a = 1.3 * r;
                let points = [(x, y - a), (x + 0.9 * a, y + 0.62 * a), (x - 0.9 * a, y + 0.62 * a)];
                self.fill_polygon(&points, colour)
            }
            Marker::Diamond | Marker::OpenDiamond => {
                let a = 1.3 * r;
                self.fill_polygon(&[(x, y - a), (x + a, y), (x, y + a), (x - a, y)], colour)
            }
        };
        shape(halo, self.theme.surface)?;
        shape(r, colour)?;
        use Marker::{OpenCircle, OpenDiamond, OpenSquare, OpenTriangle};
        match marker {
            OpenCircle | OpenSquare | OpenTriangle | OpenDiamond => shape(0.55 * r, self.theme.surface),
            _ => Ok(()),
        }
    }

    /// A band that lies within `depth` others: all show through it.
    pub fn draw_band(&self, edge: &[CssPoint], depth: usize, colour: RGBColor) -> Result<(), DrawError> {
        let opacity = if depth == 0 { 0.16 } else { 0.22 };
        self.fill_translucent_polygon(edge, colour, opacity)
    }

    /// A bar in its fill.
    pub fn draw_bar(&self, r: PlotRect, fill: BarFill, colour: RGBColor) -> Result<(), DrawError> {
        match fill {
            BarFill::Solid => self.fill_rect(r, colour),
            BarFill::Hollow => {
                self.fill_rect(r, mix_colours(self.theme.surface, colour, 0.12))?;
                self.outline_rect(r, colour, r.h.min(1.5))
            }
            BarFill::Striped => {
                self.fill_rect(r, colour)?;
                let mut y = r.y + STRIPE_HEIGHT;
                while y < r.y + r.h {
                    let h = STRIPE_GAP.min(r.y + r.h - y);
                    self.fill_rect(PlotRect { y, h, ..r }, self.theme.surface)?;
                    y += STRIPE_HEIGHT + STRIPE_GAP;
                }
                Ok(())
            }
            BarFill::Split => {
                self.fill_rect(r, colour)?;
                let w = (0.3 * r.w).min(STRIPE_GAP);
                let x = r.x + (r.w - w) / 2.0;
                self.fill_rect(PlotRect { x, w, ..r }, self.theme.surface)
            }
            BarFill::Dashed => {
                let (right, foot) = (r.x + r.w, r.y + r.h);
                let corners = [(r.x, foot), (r.x, r.y), (right, r.y), (right, foot)];
                self.draw_curve(&corners, Stroke::Faint, colour)
            }
        }
    }

    /// A triangle that points down to `tip`.
    pub fn draw_pointer(&self, (x, y): CssPoint, a: f64, colour: RGBColor) -> Result<(), DrawError> {
        self.fill_polygon(&[(x, y), (x - a, y - 1.5 * a), (x + a, y - 1.5 * a)], colour)
    }

    /// A check for agreement, a cross for difference.
    pub fn draw_glyph(&self, status: Status, (x, y): CssPoint, r: f64) -> Result<(), DrawError> {
        let colour = self.theme.status_colour(status);
        let width = (0.42 * r).max(1.4);
        match status {
            Status::Plain | Status::NotCompared | Status::Ordinary => Ok(()),
            Status::Unusual => {
                let (a, b) = (0.95 * r, 0.75 * r);
                let corners = [(x, y - r), (x + a, y + b), (x - a, y + b), (x, y - r), (x + a, y + b)];
                self.draw_path(&corners, colour, width)
            }
            Status::Agrees => {
                let points = [(x - r, y + 0.05 * r), (x - 0.3 * r, y + 0.75 * r), (x + r, y - 0.8 * r)];
                self.draw_path(&points, colour, width)
            }
            Status::Differs => {
                let a = 0.75 * r;
                self.draw_path(&[(x - a, y - a), (x + a, y + a)], colour, width)?;
                self.draw_path(&[(x - a, y + a), (x + a, y - a)], colour, width)
            }
        }
    }
}
