//! The legend: a row of keys above the plot, wrapping, so that it never covers data.

use plotters::style::RGBColor;
use plotters_backend::DrawingBackend;

use super::layout::{DrawError, PlotRect};
use super::measure::text_width;
use super::parts::{BarFill, Marker, Role, Status, Stroke};
use super::pen::{At, Pen};
use super::theme::mix;

/// An entry of a legend.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub name: &'a str,
    pub note: Option<&'a str>,
    pub role: Role,
    pub key: Key,
}

/// The picture before an entry's name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    Line(Stroke, Marker),
    Swatch(BarFill),
    /// The n-th of bands that lie within each other.
    Band(usize),
    Best,
    Glyph(Status),
}

/// Where an entry goes, and whether its note fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub x: f64,
    pub row: usize,
    pub noted: bool,
}

/// The slots of a legend's entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arrangement {
    pub slots: Vec<Slot>,
    pub rows: usize,
}

impl Arrangement {
    /// Height with the gap below it.
    pub fn height(&self, size: f64) -> f64 {
        if self.rows == 0 { 0.0 } else { self.rows as f64 * row_height(size) + 0.5 * size }
    }
}

/// Heights of a striped bar's stripes and of the gaps between them; a split bar's gap is as wide.
const STRIPE: f64 = 3.0;
const GAP: f64 = 2.0;

/// More rows than this, and the notes are left out.
const NOTED_ROWS: usize = 4;

fn row_height(size: f64) -> f64 {
    (size * 1.6).round()
}

pub(super) fn key_width(key: Key, size: f64) -> f64 {
    match key {
        Key::Line(Stroke::None, _) | Key::Best | Key::Glyph(_) => size,
        Key::Line(..) | Key::Band(_) => 2.2 * size,
        Key::Swatch(_) => 0.9 * size,
    }
}

/// Flows entries into rows of a width; `measure` gives the width of a text.
pub(super) fn arrange(
    items: &[Item<'_>],
    width: f64,
    size: f64,
    measure: &dyn Fn(&str) -> f64,
) -> Arrangement {
    let with_notes = flow(items, width, size, true, measure);
    let noted = items.iter().any(|item| item.note.is_some());
    if noted && with_notes.rows > NOTED_ROWS {
        return flow(items, width, size, false, measure);
    }
    with_notes
}

/// The height of a legend, by estimate, before there is anything to draw on.
pub(super) fn legend_height(items: &[Item<'_>], width: f64, size: f64) -> f64 {
    arrange(items, width, size, &|text| text_width(text, size, false)).height(size)
}

fn flow(
    items: &[Item<'_>],
    width: f64,
    size: f64,
    noted: bool,
    measure: &dyn Fn(&str) -> f64,
) -> Arrangement {
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
        slots.push(Slot { x, row, noted });
        x += wide + gap;
    }
    let rows = if items.is_empty() { 0 } else { row + 1 };
    Arrangement { slots, rows }
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// Draws a legend from `y` down and returns the height it takes.
    pub fn legend(&self, items: &[Item<'_>], x: f64, y: f64) -> Result<f64, DrawError> {
        let set = self.text_type();
        let measure = |text: &str| self.measure(text, set.size, false);
        let width = self.width - x;
        let arrangement = arrange(items, width, set.size, &measure);
        let rows = row_height(set.size);
        for (item, slot) in items.iter().zip(&arrangement.slots) {
            let middle = y + (slot.row as f64 + 0.5) * rows;
            let left = x + slot.x;
            self.key(item.key, item.role, (left, middle), set.size)?;
            let text = left + key_width(item.key, set.size) + 0.5 * set.size;
            let room = self.width - text;
            let name = self.fit(item.name, set.size, false, room);
            self.text(&name, (text, middle), set.colour(self.theme.ink))?;
            if let Some(note) = item.note.filter(|_| slot.noted) {
                let at = text + measure(item.name) + 0.45 * set.size;
                let note = self.fit(note, set.size, false, self.width - at);
                self.text(&note, (at, middle), set)?;
            }
        }
        Ok(arrangement.height(set.size))
    }

    /// The picture before an entry’s name.
    pub fn key(&self, key: Key, role: Role, (x, y): At, size: f64) -> Result<(), DrawError> {
        let colour = self.theme.role(role);
        let wide = key_width(key, size);
        match key {
            Key::Line(stroke, marker) => {
                self.curve(&[(x, y), (x + wide, y)], stroke, colour)?;
                self.marker(marker, (x + wide / 2.0, y), 0.3 * size, colour)
            }
            Key::Swatch(fill) => {
                let square = PlotRect { x, y: y - wide / 2.0, w: wide, h: wide };
                self.bar(square, fill, colour)
            }
            Key::Band(nth) => {
                for depth in 0..=nth {
                    let (left, right) = (x, x + wide);
                    let h = 0.45 * size;
                    let corners = [(left, y - h), (right, y - h), (right, y + h), (left, y + h)];
                    self.band(&corners, depth, colour)?;
                }
                Ok(())
            }
            Key::Best => self.pointer((x + wide / 2.0, y + 0.3 * size), 0.34 * size, colour),
            Key::Glyph(status) => self.glyph(status, (x + wide / 2.0, y), 0.36 * size),
        }
    }

    /// A curve in its stroke.
    #[inline(never)]
    pub fn curve(&self, points: &[At], stroke: Stroke, colour: RGBColor) -> Result<(), DrawError> {
        match stroke {
            Stroke::Solid | Stroke::Path | Stroke::Arrow => self.path(points, colour, 1.75),
            Stroke::Strong => self.path(points, colour, 2.5),
            Stroke::Dashed => self.dashed(points, colour, 1.75, (6.0, 4.0)),
            Stroke::Dotted => self.dashed(points, colour, 2.0, (2.0, 3.0)),
            Stroke::Faint => self.dashed(points, colour, 1.25, (3.0, 3.0)),
            Stroke::None => Ok(()),
        }
    }

    /// A point in its shape, set off from what lies under it; equal in area among shapes.
    #[inline(never)]
    pub fn marker(
        &self,
        marker: Marker,
        (x, y): At,
        r: f64,
        colour: RGBColor,
    ) -> Result<(), DrawError> {
        let halo = r + 1.0;
        let shape = |r: f64, colour: RGBColor| match marker {
            Marker::None => Ok(()),
            Marker::Circle | Marker::OpenCircle => self.disc((x, y), r, colour),
            Marker::Square | Marker::OpenSquare => {
                let a = 0.89 * r;
                self.rect(PlotRect::around((x, y), a), colour)
            }
            Marker::Triangle | Marker::OpenTriangle => {
                let a = 1.3 * r;
                let points = [(x, y - a), (x + 0.9 * a, y + 0.62 * a), (x - 0.9 * a, y + 0.62 * a)];
                self.polygon(&points, colour)
            }
            Marker::Diamond | Marker::OpenDiamond => {
                let a = 1.3 * r;
                self.polygon(&[(x, y - a), (x + a, y), (x, y + a), (x - a, y)], colour)
            }
        };
        shape(halo, self.theme.surface)?;
        shape(r, colour)?;
        use Marker::{OpenCircle, OpenDiamond, OpenSquare, OpenTriangle};
        match marker {
            OpenCircle | OpenSquare | OpenTriangle | OpenDiamond => {
                shape(0.55 * r, self.theme.surface)
            }
            _ => Ok(()),
        }
    }

    /// A band that lies within `depth` others: all show through it.
    pub fn band(&self, edge: &[At], depth: usize, colour: RGBColor) -> Result<(), DrawError> {
        let opacity = if depth == 0 { 0.16 } else { 0.22 };
        self.translucent(edge, colour, opacity)
    }

    /// A bar in its fill.
    pub fn bar(&self, r: PlotRect, fill: BarFill, colour: RGBColor) -> Result<(), DrawError> {
        match fill {
            BarFill::Solid => self.rect(r, colour),
            BarFill::Hollow => {
                self.rect(r, mix(self.theme.surface, colour, 0.12))?;
                self.outline(r, colour, r.h.min(1.5))
            }
            BarFill::Striped => {
                self.rect(r, colour)?;
                let mut y = r.y + STRIPE;
                while y < r.y + r.h {
                    let h = GAP.min(r.y + r.h - y);
                    self.rect(PlotRect { y, h, ..r }, self.theme.surface)?;
                    y += STRIPE + GAP;
                }
                Ok(())
            }
            BarFill::Split => {
                self.rect(r, colour)?;
                let w = (0.3 * r.w).min(GAP);
                let x = r.x + (r.w - w) / 2.0;
                self.rect(PlotRect { x, w, ..r }, self.theme.surface)
            }
            BarFill::Dashed => {
                let (right, foot) = (r.x + r.w, r.y + r.h);
                let corners = [(r.x, foot), (r.x, r.y), (right, r.y), (right, foot)];
                self.curve(&corners, Stroke::Faint, colour)
            }
        }
    }

    /// A triangle that points down to `tip`.
    pub fn pointer(&self, (x, y): At, a: f64, colour: RGBColor) -> Result<(), DrawError> {
        self.polygon(&[(x, y), (x - a, y - 1.5 * a), (x + a, y - 1.5 * a)], colour)
    }

    /// A check for agreement, a cross for difference.
    pub fn glyph(&self, status: Status, (x, y): At, r: f64) -> Result<(), DrawError> {
        let colour = self.theme.status(status);
        let width = (0.42 * r).max(1.4);
        match status {
            Status::Plain | Status::NotCompared | Status::Ordinary => Ok(()),
            Status::Unusual => {
                let (a, b) = (0.95 * r, 0.75 * r);
                let corners =
                    [(x, y - r), (x + a, y + b), (x - a, y + b), (x, y - r), (x + a, y + b)];
                self.path(&corners, colour, width)
            }
            Status::Agrees => {
                let points =
                    [(x - r, y + 0.05 * r), (x - 0.3 * r, y + 0.75 * r), (x + r, y - 0.8 * r)];
                self.path(&points, colour, width)
            }
            Status::Differs => {
                let a = 0.75 * r;
                self.path(&[(x - a, y - a), (x + a, y + a)], colour, width)?;
                self.path(&[(x - a, y + a), (x + a, y - a)], colour, width)
            }
        }
    }
}
