//! The map of weights on a triangle.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::DataTable;
use crate::plot::format::format_trimmed;
use crate::plot::labels::{LabelPlacer, text_box};
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::measure::text_size;
use crate::plot::parts::{ColourRole, Marker, min_max};
use crate::plot::pen::{CssPoint, Pen};
use crate::plot::theme::mix_colours;

/// Shares of three that sum to 1: a point of a triangle, by its corners.
pub type Shares = [f64; 3];

/// A map of which point wins under which weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ternary {
    /// Who wins where; together they cover the triangle, or nothing wins inside it.
    pub regions: Vec<TernaryRegion>,
    /// Who else wins on its edges.
    pub borders: Vec<TernaryBorder>,
    /// The leads, ascending, at which the shade deepens.
    pub leads: Vec<f64>,
    /// The paper's profiles.
    pub profiles: Vec<TernaryPoint>,
    /// The weights in use.
    pub yours: TernaryPoint,
    /// The nearest weights with another winner.
    pub flip: Option<TernaryPoint>,
}

/// The weights under which one point wins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TernaryRegion {
    /// Who, e.g. "λ = 0.85".
    pub label: String,
    /// The same where there is little room, e.g. "0.85".
    pub short: String,
    /// Share of all weights, in (0, 1].
    pub share: f64,
    /// The point's place among all points: its colour.
    pub order: usize,
    /// A convex polygon.
    pub corners: Vec<Shares>,
    /// For each of [`Ternary::leads`], the part of the polygon with at least that lead.
    pub led: Vec<Vec<Shares>>,
}

/// A part of the triangle's edge with a winner that wins nowhere inside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TernaryBorder {
    /// Who and where, e.g. "α = 0: λ = 0.00".
    pub label: String,
    /// As of a region.
    pub order: usize,
    /// Both ends.
    pub ends: [Shares; 2],
}

/// A point on the map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TernaryPoint {
    /// Where.
    pub at: Shares,
    /// Written beside it, e.g. "5:1:1".
    pub label: String,
    /// Its name, for readouts.
    pub title: String,
    /// Who wins there, for readouts.
    pub text: String,
}

/// "43 %", "0.4 %"; "0 %" for nothing at all.
pub(crate) fn format_percent(share: f64) -> String {
    let hundred = share * 100.0;
    if share == 0.0 {
        "0 %".to_owned()
    } else if hundred < 0.1 {
        "under 0.1 %".to_owned()
    } else if hundred < 9.95 {
        format!("{hundred:.1} %")
    } else {
        format!("{hundred:.0} %")
    }
}

/// Height of an equilateral triangle of side 1.
const HEIGHT_RATIO: f64 = 0.866_025_403_784_438_6;
/// The longest side, in CSS pixels.
const SIDE_MAX: f64 = 560.0;
/// The shade of a region at its boundary and at each of the deeper leads: shares of the colour.
const SHADES: [f64; 6] = [0.13, 0.2, 0.27, 0.35, 0.43, 0.52];
const TICKS: [f64; 3] = [0.25, 0.5, 0.75];

/// Where the triangle of weights is on a drawing: all on S at the lower left, on F at the lower
/// right, on C at the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    left: f64,
    foot: f64,
    side: f64,
}

impl Triangle {
    /// The triangle of a drawing of this size, in CSS pixels.
    #[must_use]
    pub fn fit_within(width: f64, height: f64) -> Self {
        let size = text_size(width);
        let (top, bottom) = (space_above(size), height - space_below(size));
        let side = (width - space_beside(size)).min((bottom - top) / HEIGHT_RATIO).clamp(20.0, SIDE_MAX);
        let middle = (top + bottom) / 2.0;
        Self { left: (width - side) / 2.0, foot: middle + side * HEIGHT_RATIO / 2.0, side }
    }

    /// The height at which the triangle is as large as a width allows.
    fn height_at_width(width: f64) -> f64 {
        let size = text_size(width);
        let side = (width - space_beside(size)).clamp(20.0, SIDE_MAX);
        space_above(size) + side * HEIGHT_RATIO + space_below(size)
    }

    /// Where weights (of any sum above 0) are, in CSS pixels.
    #[must_use]
    #[inline(never)]
    pub fn point_at_weights(&self, weights: Shares) -> (f64, f64) {
        let total: f64 = weights.iter().sum();
        let [_, f, c] = weights.map(|weight| weight / total);
        (self.left + self.side * (f + c / 2.0), self.foot - self.side * HEIGHT_RATIO * c)
    }

    /// The weights, with sum 1, at the place of the triangle that is nearest to (x, y).
    #[must_use]
    pub fn weights_at_point(&self, x: f64, y: f64) -> Shares {
        // Farther away than any screen, and still precise.
        let [x, y] = [x, y].map(|pixel| pixel.clamp(-1e6, 1e6));
        let c = (self.foot - y) / (self.side * HEIGHT_RATIO);
        let f = (x - self.left) / self.side - c / 2.0;
        nearest_shares([1.0 - f - c, f, c])
    }
}

/// The nearest of all non-negative numbers with sum 1 to three with sum 1.
///
/// On the triangle drawn, distances are those between weights, up to scale; so this is the nearest
/// place of the picture, too.
fn nearest_shares(mut mix: Shares) -> Shares {
    if mix.iter().any(|w| !w.is_finite()) {
        return [1.0 / 3.0; 3];
    }
    // What is below 0 becomes 0, and the rest shares the difference; at most twice.
    for _ in 0..2 {
        let positive = mix.iter().filter(|w| **w > 0.0).count();
        let over: f64 = mix.iter().filter(|w| **w > 0.0).sum::<f64>() - 1.0;
        mix = mix.map(|w| if w > 0.0 { w - over / positive as f64 } else { 0.0 });
    }
    mix.map(|w| w.max(0.0))
}

fn space_above(size: f64) -> f64 {
    4.4 * size
}

fn space_below(size: f64) -> f64 {
    3.8 * size
}

fn space_beside(size: f64) -> f64 {
    5.6 * size
}

pub(crate) fn data_table(map: &Ternary) -> DataTable {
    let columns = ["Winner", "Share of all weights"];
    let inside = map.regions.iter().map(|r| vec![r.label.clone(), format_percent(r.share)]);
    let edges = map.borders.iter().map(|b| vec![b.label.clone(), format_percent(0.0)]);
    let points = map.profiles.iter().chain([&map.yours]);
    let points = points.map(|p| vec![format!("{}: {}", p.title, p.text), String::new()]);
    DataTable::from_texts(1, columns.map(str::to_owned).to_vec(), inside.chain(edges).chain(points).collect())
}

/// Who wins inside, and who only on the edges of the map.
pub(crate) fn named_values(map: &Ternary) -> Vec<NamedValues> {
    let inside = map.regions.iter().map(|r| (r.label.as_str(), r.share));
    let edges = map.borders.iter().map(|b| (b.label.as_str(), 0.0));
    let (labels, shares): (Vec<_>, Vec<_>) =
        inside.chain(edges).map(|(label, share)| (DataValue::from(label), DataValue::from(share))).unzip();
    vec![("Winner".to_owned(), labels), ("Share of all weights".to_owned(), shares)]
}

/// The height at which it reads well at a width.
pub(crate) fn height(width: f64) -> f64 {
    Triangle::height_at_width(width)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, map: &Ternary) -> Result<Layout, DrawError> {
    let triangle = Triangle::fit_within(pen.width, pen.height);
    let path = |corners: &[Shares]| corners.iter().map(|c| triangle.point_at_weights(*c)).collect::<Vec<CssPoint>>();
    let set = pen.default_text_format();
    let mut labels = LabelPlacer::new(PlotRect { x: 0.0, y: 0.0, w: pen.width, h: pen.height });
    draw_shade_key(pen, map)?;
    labels.reserve(PlotRect { x: 0.0, y: 0.0, w: pen.width, h: 1.9 * set.size });

    let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    if map.regions.is_empty() {
        pen.fill_polygon(&path(&corners), mix_colours(pen.theme.surface, pen.theme.axis, 0.15))?;
    }
    for region in &map.regions {
        let colour = pen.theme.point_colour(region.order);
        let parts = std::iter::once(&region.corners).chain(&region.led);
        for (part, shade) in parts.zip(SHADES).filter(|(part, _)| part.len() > 2) {
            pen.fill_polygon(&path(part), mix_colours(pen.theme.surface, colour, shade))?;
        }
    }
    for region in &map.regions {
        let mut around = path(&region.corners);
        around.extend(around.first().copied());
        pen.draw_path(&around, mix_colours(pen.theme.surface, pen.theme.ink, 0.75), 1.0)?;
    }
    let mut around = path(&corners);
    around.extend([triangle.point_at_weights(corners[0]), triangle.point_at_weights(corners[1])]);
    pen.draw_path(&around, pen.theme.ink, 1.5)?;
    for border in &map.borders {
        let colour = pen.theme.point_colour(border.order);
        let ends = border.ends.map(|end| triangle.point_at_weights(end));
        if ends[0] == ends[1] {
            pen.draw_marker(Marker::Square, ends[0], 4.5, colour)?;
        } else {
            pen.draw_path(&ends, pen.theme.surface, 6.5)?;
            pen.draw_path(&ends, colour, 4.5)?;
        }
    }
    draw_scales(pen, &triangle, &mut labels)?;

    let mut layout = Layout {
        plot: PlotRect {
            x: triangle.left,
            y: triangle.foot - triangle.side * HEIGHT_RATIO,
            w: triangle.side,
            h: triangle.side * HEIGHT_RATIO,
        },
        ..Layout::default()
    };
    draw_profiles(pen, map, &triangle, &mut labels)?;
    for region in &map.regions {
        let around = path(&region.corners);
        let at = draw_region_label(pen, region, &around, &mut labels)?;
        let (x, y, w, h) = at.map_or_else(
            || {
                let n = around.len().max(1) as f64;
                let sum = around.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
                (sum.0 / n - 2.0, sum.1 / n - 2.0, 4.0, 4.0)
            },
            |r| (r.x, r.y, r.w, r.h),
        );
        layout.marks.push(Mark {
            x,
            y,
            w,
            h,
            series: region.label.clone(),
            title: region.label.clone(),
            text: format!("wins on {} of all weights", format_percent(region.share)),
        });
    }
    draw_border_labels(pen, map, &triangle, &mut labels)?;

    let yours = triangle.point_at_weights(map.yours.at);
    if let Some(flip) = &map.flip {
        let at = triangle.point_at_weights(flip.at);
        pen.draw_path(&[yours, at], pen.theme.surface, 4.0)?;
        pen.draw_dashed_path(&[yours, at], pen.theme.ink, 1.75, (5.0, 3.0))?;
        pen.draw_marker(Marker::Diamond, at, 4.0, pen.theme.ink)?;
        layout.marks.push(point_mark(flip, at, 4.0));
        labels.reserve(text_box(at, 12.0, 12.0));
    }
    for profile in &map.profiles {
        layout.marks.push(point_mark(profile, triangle.point_at_weights(profile.at), 4.0));
    }
    // Hollow, so that what lies under it can still be read.
    pen.draw_ring(yours, 8.0, pen.theme.surface, 6.0)?;
    pen.draw_ring(yours, 8.0, pen.theme.ink, 3.0)?;
    pen.fill_disc(yours, 3.0, pen.theme.surface)?;
    pen.fill_disc(yours, 2.0, pen.theme.ink)?;
    if !map.yours.label.is_empty() {
        let set = set.with_bold(true).with_colour(pen.theme.ink);
        pen.draw_label_beside(&mut labels, &map.yours.label, yours, 12.0, set)?;
    }
    layout.marks.push(point_mark(&map.yours, yours, 8.0));
    Ok(layout)
}

fn point_mark(point: &TernaryPoint, place: CssPoint, radius: f64) -> Mark {
    let place = PlotRect::square_around(place, radius);
    Mark::on_series(place, "weights", point.title.clone(), point.text.clone())
}

/// What the shades mean.
fn draw_shade_key<DB: DrawingBackend>(pen: &Pen<'_, DB>, map: &Ternary) -> Result<(), DrawError> {
    let set = pen.default_text_format();
    let small = set.with_size(set.size - 1.0).align_centre();
    let wide = (3.3 * set.size).round();
    let swatches = wide * SHADES.len() as f64;
    let room = pen.width - swatches - set.size;
    let title = ["lead over the runner-up, at least", "lead, at least", "lead"]
        .into_iter()
        .find(|title| pen.measure_text(title, set.size, false) <= room)
        .unwrap_or("");
    let y = 0.8 * set.size;
    pen.draw_text(title, (0.0, y), set)?;
    let left = if title.is_empty() { 0.0 } else { pen.measure_text(title, set.size, false) + set.size };
    let texts = std::iter::once("0".to_owned()).chain(map.leads.iter().map(|lead| format_trimmed(*lead)));
    for ((i, text), shade) in texts.enumerate().zip(SHADES) {
        let x = pen.snap_to_edge(left + i as f64 * wide);
        let r = PlotRect { x, y: pen.snap_to_edge(0.1 * set.size), w: wide, h: (1.4 * set.size).round() };
        let colour = mix_colours(pen.theme.surface, pen.theme.role_colour(ColourRole::Neutral), shade);
        pen.fill_rect(r, colour)?;
        pen.draw_text(&text, (x + wide / 2.0, y), small.with_colour(pen.theme.ink))?;
    }
    Ok(())
}

/// Shares of the weights along the sides, and what the corners stand for. Each side counts towards
/// the corner whose colour its numbers have.
fn draw_scales<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    triangle: &Triangle,
    labels: &mut LabelPlacer,
) -> Result<(), DrawError> {
    let set = pen.default_text_format();
    let small = set.with_size(set.size - 1.0).align_centre();
    let roles = [ColourRole::Sparsity, ColourRole::Fidelity, ColourRole::Completeness];
    let quiet = mix_colours(pen.theme.surface, pen.theme.ink, 0.3);
    for (axis, role) in roles.into_iter().enumerate() {
        let colour = mix_colours(pen.theme.ink, pen.theme.role_colour(role), 0.7);
        // Counter-clockwise: S counts on the left side, F at the foot, C on the right.
        let (from, across) = ((axis + 2) % 3, (axis + 1) % 3);
        for share in TICKS {
            let mut start = [0.0; 3];
            (start[axis], start[from]) = (share, 1.0 - share);
            let mut end = [0.0; 3];
            (end[axis], end[across]) = (share, 1.0 - share);
            let (a, b) = (triangle.point_at_weights(start), triangle.point_at_weights(end));
            pen.draw_dashed_path(&[a, b], quiet, pen.hairline(), (1.0, 5.0))?;
            let length = libm::hypot(a.0 - b.0, a.1 - b.1).max(1.0);
            let out = ((a.0 - b.0) / length, (a.1 - b.1) / length);
            pen.draw_path(&[a, (a.0 + 5.0 * out.0, a.1 + 5.0 * out.1)], pen.theme.axis, 1.0)?;
            let text = format!("{:.0}", share * 100.0);
            let wide = pen.measure_text(&text, small.size, false);
            let away = 6.0 + 0.9 * set.size;
            let at = (a.0 + away * out.0, a.1 + away * out.1);
            let r = text_box(at, wide, small.size);
            if labels.is_free(r) {
                labels.reserve(r);
                pen.draw_text(&text, at, small.with_colour(colour))?;
            }
        }
    }
    let bold = set.with_bold(true).align_centre();
    let foot = triangle.foot + 3.0 * set.size;
    let top = triangle.foot - triangle.side * HEIGHT_RATIO - 1.3 * set.size;
    let names = [
        ("all on S (α), %", (triangle.left, foot), roles[0]),
        ("all on F (β), %", (triangle.left + triangle.side, foot), roles[1]),
        ("all on C (γ), %", (triangle.left + triangle.side / 2.0, top), roles[2]),
    ];
    for (name, (x, y), role) in names {
        let half = pen.measure_text(name, bold.size, true) / 2.0 + 1.0;
        let x = x.min(pen.width - half).max(half);
        let colour = mix_colours(pen.theme.ink, pen.theme.role_colour(role), 0.7);
        labels.reserve(text_box((x, y), 2.0 * half, bold.size));
        pen.draw_text(name, (x, y), bold.with_colour(colour))?;
    }
    Ok(())
}

fn draw_profiles<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    map: &Ternary,
    triangle: &Triangle,
    labels: &mut LabelPlacer,
) -> Result<(), DrawError> {
    let set = pen.default_text_format();
    let small = set.with_size(set.size - 1.0).with_colour(pen.theme.ink);
    for profile in &map.profiles {
        let (x, y) = triangle.point_at_weights(profile.at);
        pen.fill_disc((x, y), 3.5, pen.theme.surface)?;
        pen.draw_ring((x, y), 3.5, pen.theme.ink, 1.5)?;
        labels.reserve(PlotRect { x: x - 5.0, y: y - 5.0, w: 10.0, h: 10.0 });
    }
    for profile in &map.profiles {
        // The ring of the reader's own weights is wider.
        let gap = if profile.at == map.yours.at { 13.0 } else { 6.0 };
        pen.draw_label_beside(labels, &profile.label, triangle.point_at_weights(profile.at), gap, small)?;
    }
    Ok(())
}

/// A region's name where it fits best, with its share where that fits too.
fn draw_region_label<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    region: &TernaryRegion,
    around: &[CssPoint],
    labels: &mut LabelPlacer,
) -> Result<Option<PlotRect>, DrawError> {
    let set = pen.default_text_format().align_centre().with_colour(pen.theme.ink);
    // Among hundreds of slivers, most are too small for any text: less than two letters' ground.
    let side = SIDE_MAX.min(pen.width);
    if region.share * side * side * HEIGHT_RATIO / 2.0 < 2.0 * set.size * set.size {
        return Ok(None);
    }
    let share = format_percent(region.share);
    let short = region.short.as_str();
    let candidates = [(region.label.as_str(), true), (region.label.as_str(), false), (short, false)];
    for (name, two) in candidates {
        let mut wide = pen.measure_text(name, set.size, true);
        if two {
            wide = wide.max(pen.measure_text(&share, set.size, false));
        }
        let tall = if two { 2.6 } else { 1.3 } * set.size;
        let Some((x, y)) = roomiest_place(around, (wide + 6.0, tall), labels) else { continue };
        let r = PlotRect { x: x - wide / 2.0 - 3.0, y: y - tall / 2.0, w: wide + 6.0, h: tall };
        labels.reserve(r);
        let line = if two { 0.62 * set.size } else { 0.0 };
        pen.draw_text(name, (x, y - line), set.with_bold(true))?;
        if two {
            pen.draw_text(&share, (x, y + line), set)?;
        }
        return Ok(Some(r));
    }
    Ok(None)
}

/// The centre of a box within a convex polygon, on free ground and as far from its sides as can be.
fn roomiest_place(around: &[CssPoint], (w, h): (f64, f64), labels: &LabelPlacer) -> Option<CssPoint> {
    const STEPS: u32 = 28;
    let (x0, x1) = min_max(around.iter().map(|p| p.0));
    let (y0, y1) = min_max(around.iter().map(|p| p.1));
    if x1 - x0 <= w || y1 - y0 <= h {
        return None;
    }
    // The least distance inwards from a side; corners run clockwise on a screen or against it.
    let depth = |(x, y): CssPoint| {
        let turns = around.iter().zip(around.iter().cycle().skip(1)).map(|(a, b)| {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            (dx * (y - a.1) - dy * (x - a.0)) / libm::hypot(dx, dy).max(1e-9)
        });
        let (low, high) = min_max(turns);
        low.max(-high)
    };
    let mut best: Option<(f64, CssPoint)> = None;
    for i in 1..STEPS {
        for j in 1..STEPS {
            let at =
                (x0 + (x1 - x0) * f64::from(i) / f64::from(STEPS), y0 + (y1 - y0) * f64::from(j) / f64::from(STEPS));
            let corners =
                [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(a, b)| (at.0 + a * w, at.1 + b * h));
            let room = corners.into_iter().map(depth).fold(f64::INFINITY, f64::min);
            if room < 2.0 || best.is_some_and(|(most, _)| room <= most) {
                continue;
            }
            if labels.is_free(PlotRect { x: at.0 - w / 2.0, y: at.1 - h / 2.0, w, h }) {
                best = Some((room, at));
            }
        }
    }
    best.map(|(_, at)| at)
}

/// The names of what wins on an edge, outside beside it, where there is most room.
fn draw_border_labels<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    map: &Ternary,
    triangle: &Triangle,
    labels: &mut LabelPlacer,
) -> Result<(), DrawError> {
    let set = pen.default_text_format().align_centre().with_bold(true);
    let set = set.with_size(set.size - 1.0);
    let centre = triangle.point_at_weights([1.0; 3]);
    for border in &map.borders {
        let [mut a, mut b] = border.ends.map(|end| triangle.point_at_weights(end));
        if a.1 > b.1 {
            (a, b) = (b, a);
        }
        let wide = pen.measure_text(&border.label, set.size, true);
        let mut steps = (0..=16).map(|i| f64::from(i) / 16.0);
        let place = steps.find_map(|share| {
            let at = (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
            let outwards = (at.0 - centre.0).signum();
            let spot = if b.1 - a.1 > 1.0 || a == b {
                (at.0 + outwards * (wide / 2.0 + set.size), at.1)
            } else {
                (at.0, at.1 + 1.7 * set.size)
            };
            labels.is_free(text_box(spot, wide, set.size)).then_some(spot)
        });
        if let Some(spot) = place {
            labels.reserve(text_box(spot, wide, set.size));
            let colour = mix_colours(pen.theme.ink, pen.theme.point_colour(border.order), 0.7);
            pen.draw_text(&border.label, spot, set.with_colour(colour))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::theme::{Theme, contrast_ratio};

    #[test]
    fn pixels_and_weights_are_one_anothers_inverse() {
        for (width, height) in [(340.0, 330.0), (640.0, 560.0), (1200.0, 300.0)] {
            let triangle = Triangle::fit_within(width, height);
            for mix in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.3, 0.5], [0.0, 0.4, 0.6]] {
                let (x, y) = triangle.point_at_weights(mix);
                let back = triangle.weights_at_point(x, y);
                assert!(mix.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-12), "{mix:?} {back:?}");
            }
        }
    }

    #[test]
    fn a_place_outside_means_the_nearest_inside() {
        let triangle = Triangle::fit_within(640.0, 560.0);
        assert_eq!(triangle.weights_at_point(-900.0, 560.0), [1.0, 0.0, 0.0]);
        assert_eq!(triangle.weights_at_point(320.0, -900.0), [0.0, 0.0, 1.0]);
        let (x, y) = triangle.point_at_weights([0.5, 0.5, 0.0]);
        let below = triangle.weights_at_point(x, y + 300.0);
        assert!((below[0] - 0.5).abs() < 1e-12 && below[2] == 0.0);
        for x in [f64::NAN, f64::INFINITY, -1e300] {
            let sum: f64 = triangle.weights_at_point(x, 3.0).iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{x}");
        }
        let from = [0.3, 1.4, -0.7];
        let found = nearest_shares(from);
        // No other place of a fine grid is nearer.
        let far = |mix: Shares| mix.iter().zip(from).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        for i in 0..=100 {
            for j in 0..=100 - i {
                let mix = [i, j, 100 - i - j].map(|n| f64::from(n) / 100.0);
                assert!(far(found) <= far(mix) + 1e-12);
            }
        }
    }

    #[test]
    fn labels_read_on_every_shade() {
        for theme in [Theme::light(), Theme::dark()] {
            for order in 0..5 {
                for shade in SHADES {
                    let behind = mix_colours(theme.surface, theme.point_colour(order), shade);
                    assert!(contrast_ratio(theme.ink, behind) >= 4.5, "{order} {shade}");
                }
            }
        }
    }
}
