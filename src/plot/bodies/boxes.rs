//! The boxes of a hypervolume as a solid, seen from a side.
//!
//! The union of boxes from the origin is cut into columns over the S–F plane by the coordinates of
//! the points. Seen from above the plane, in parallel projection, drawing the columns from the far
//! ones to the near ones covers what is hidden: the painter's algorithm is exact here.

use plotters::style::RGBColor;
use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::order::sort_indices_descending;
use crate::plot::bodies::ranked::RankedPoint;
use crate::plot::format::fixed3;
use crate::plot::frame::axis_ticks;
use crate::plot::labels::{LabelPlacer, text_box};
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::parts::{Axis, ColourRole, Marker};
use crate::plot::pen::{CssPoint, Pen};
use crate::plot::theme::mix_colours;

/// The boxes from the origin to each point of the front, seen from a side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HypervolumeBoxes {
    /// Every point; those on the front have boxes.
    pub points: Vec<RankedPoint>,
    /// Degrees around C, from the S axis towards F.
    pub yaw: f64,
    /// Degrees above the S–F plane, 0 to 90.
    pub pitch: f64,
    /// The greatest coordinate of each axis, at least 1.
    pub reach: [f64; 3],
}

/// More boxes than this, and those that add least are left out of the picture.
pub(crate) const BOXES_MAX: usize = 96;
/// More labels than this crowd the picture.
const LABELS_MAX: usize = 16;

type Point3 = [f64; 3];

/// A parallel projection.
struct ParallelProjection {
    /// Towards the viewer.
    toward: Point3,
    right: Point3,
    up: Point3,
    middle: Point3,
    centre: CssPoint,
    scale: f64,
    reach: Point3,
}

impl ParallelProjection {
    fn new(chart: &HypervolumeBoxes, plot: PlotRect) -> Self {
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let (yaw, pitch) =
            (finite(chart.yaw).rem_euclid(360.0).to_radians(), finite(chart.pitch).clamp(0.0, 90.0).to_radians());
        let (sin_yaw, cos_yaw) = (libm::sin(yaw), libm::cos(yaw));
        let (sin_pitch, cos_pitch) = (libm::sin(pitch), libm::cos(pitch));
        // The cube turned by any angle stays within these extents, so turning does not resize it.
        let scale = (plot.w / 1.42).min(plot.h / 1.74);
        Self {
            toward: [cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch],
            right: [-sin_yaw, cos_yaw, 0.0],
            up: [-sin_pitch * cos_yaw, -sin_pitch * sin_yaw, cos_pitch],
            middle: [0.5; 3],
            centre: (plot.x + plot.w / 2.0, plot.y + plot.h / 2.0),
            scale,
            reach: chart.reach.map(|reach| finite(reach).max(1e-300)),
        }
    }

    /// Where a point is drawn; axes are scaled to their reach.
    #[inline(never)]
    fn project(&self, p: Point3) -> CssPoint {
        let p = [0, 1, 2].map(|axis| p[axis] / self.reach[axis] - self.middle[axis]);
        let dot = |a: Point3| a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
        (self.centre.0 + self.scale * dot(self.right), self.centre.1 - self.scale * dot(self.up))
    }

    /// The far side of an axis: 0 or its reach.
    fn far_side(&self, axis: usize) -> f64 {
        if self.toward[axis] >= 0.0 { 0.0 } else { self.reach[axis] }
    }

    fn near_side(&self, axis: usize) -> f64 {
        self.reach[axis] - self.far_side(axis)
    }
}

/// What stands over one cell of the S–F plane.
#[derive(Clone, Copy, Default, PartialEq)]
struct SfCell {
    /// The greatest C of the boxes that cover it.
    top: f64,
    /// The next: between them one box alone is.
    shared: f64,
    owner: usize,
}

impl SfCell {
    fn add_box(&mut self, top: f64, owner: usize) {
        // A box may come from both neighbours.
        if self.top > 0.0 && owner == self.owner {
            return;
        }
        if top > self.top {
            *self = Self { top, shared: self.top, owner };
        } else {
            self.shared = self.shared.max(top);
        }
    }
}

/// The columns by S, then F; both lists of edges start at 0.
struct SfCells {
    s: Vec<f64>,
    f: Vec<f64>,
    columns: Vec<SfCell>,
}

impl SfCells {
    fn new(points: &[RankedPoint]) -> Self {
        let mut boxes: Vec<usize> =
            (0..points.len()).filter(|i| points[*i].on_front && points[*i].at.iter().all(|axis| *axis > 0.0)).collect();
        let of = |value: &dyn Fn(&RankedPoint) -> f64| points.iter().map(value).collect::<Vec<f64>>();
        sort_indices_descending(&mut boxes, &of(&|p| p.contribution));
        boxes.truncate(BOXES_MAX);
        // The highest first: whoever comes second to a cell is the next below.
        sort_indices_descending(&mut boxes, &of(&|p| p.at[2]));
        let edges = |axis: usize| {
            let mut order = boxes.clone();
            sort_indices_descending(&mut order, &of(&|p| p.at[axis]));
            let rising = order.into_iter().rev().map(|index| points[index].at[axis]);
            let mut edges: Vec<f64> = std::iter::once(0.0).chain(rising).collect();
            edges.dedup();
            edges
        };
        let (s, f) = (edges(0), edges(1));
        let wide = f.len() - 1;
        let mut columns = vec![SfCell::default(); (s.len() - 1) * wide];
        for owner in boxes {
            let at = points[owner].at;
            let (to_s, to_f) = (s.partition_point(|e| *e < at[0]), f.partition_point(|e| *e < at[1]));
            for row in columns.chunks_mut(wide.max(1)).take(to_s) {
                for column in row.iter_mut().take(to_f) {
                    column.add_box(at[2], owner);
                }
            }
        }
        Self { s, f, columns }
    }

    /// The column `by` cells on from one; nothing outside.
    #[inline(never)]
    fn get(&self, s: usize, f: usize, by: (isize, isize)) -> SfCell {
        let (Some(s), Some(f)) = (s.checked_add_signed(by.0), f.checked_add_signed(by.1)) else {
            return SfCell::default();
        };
        let wide = self.f.len() - 1;
        if f >= wide {
            return SfCell::default();
        }
        self.columns.get(s * wide + f).copied().unwrap_or_default()
    }
}

/// The height at which it reads well at a width.
pub(crate) fn height(width: f64) -> f64 {
    (0.86 * width).clamp(260.0, 520.0)
}

/// The boxes need no legend: colours are named at the corners.
pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &HypervolumeBoxes) -> Result<Layout, DrawError> {
    let size = pen.default_text_format().size;
    let margin = 3.2 * size;
    let plot = PlotRect {
        x: margin,
        y: 0.8 * size,
        w: (pen.width - 2.0 * margin).max(20.0),
        h: (pen.height - 2.4 * size).max(20.0),
    };
    let view = ParallelProjection::new(chart, plot);
    let mut labels = LabelPlacer::new(PlotRect { x: 0.0, y: 0.0, w: pen.width, h: pen.height });
    draw_panes(pen, &view)?;
    draw_solid(pen, chart, &view)?;
    draw_scales(pen, &view, &mut labels)?;
    Ok(Layout { plot, marks: draw_points(pen, chart, &view, &mut labels)?, ..Layout::default() })
}

/// The three far sides of the cube, with a grid.
fn draw_panes<DB: DrawingBackend>(pen: &Pen<'_, DB>, view: &ParallelProjection) -> Result<(), DrawError> {
    let wall = mix_colours(pen.theme.surface, pen.theme.grid, 0.45);
    for axis in 0..3 {
        let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
        // The floor stays the floor.
        let fixed = if axis == 2 { 0.0 } else { view.far_side(axis) };
        let place = |x: f64, y: f64| {
            let mut p = [0.0; 3];
            (p[axis], p[a], p[b]) = (fixed, x * view.reach[a], y * view.reach[b]);
            view.project(p)
        };
        pen.fill_polygon(&[place(0.0, 0.0), place(1.0, 0.0), place(1.0, 1.0), place(0.0, 1.0)], wall)?;
        for i in 0..=4 {
            let share = f64::from(i) / 4.0;
            let colour = if i % 4 == 0 { pen.theme.axis } else { pen.theme.grid };
            pen.draw_path(&[place(share, 0.0), place(share, 1.0)], colour, pen.hairline())?;
            pen.draw_path(&[place(0.0, share), place(1.0, share)], colour, pen.hairline())?;
        }
    }
    Ok(())
}

/// Which way a face looks.
#[derive(Clone, Copy)]
enum FaceDirection {
    Top,
    S,
    F,
}

/// What draws the solid's faces and edges.
struct FacePainter<'a, 'b, DB: DrawingBackend> {
    pen: &'a Pen<'b, DB>,
    points: &'a [RankedPoint],
    view: &'a ParallelProjection,
}

impl<DB: DrawingBackend> FacePainter<'_, '_, DB> {
    /// A face in its owner's colour, or grey where it has none, by the light it gets.
    #[inline(never)]
    fn fill_face(&self, corners: [Point3; 4], owner: Option<usize>, face: FaceDirection) -> Result<(), DrawError> {
        let theme = self.pen.theme;
        let (colour, share) = match owner.and_then(|owner| self.points.get(owner)) {
            Some(point) => (theme.point_colour(point.order), 0.85),
            None => (theme.role_colour(ColourRole::Neutral), 0.38),
        };
        let (light, much) = match face {
            FaceDirection::Top => (RGBColor(255, 255, 255), 0.22),
            FaceDirection::S => (RGBColor(0, 0, 0), 0.05),
            FaceDirection::F => (RGBColor(0, 0, 0), 0.22),
        };
        let colour = mix_colours(mix_colours(theme.surface, colour, share), light, much);
        let mut around = corners.map(|p| self.view.project(p)).to_vec();
        self.pen.fill_polygon(&around, colour)?;
        // Faces of one plane leave no seam.
        around.push(around[0]);
        self.pen.draw_path(&around, colour, 0.6)
    }

    #[inline(never)]
    fn draw_edge(&self, a: Point3, b: Point3) -> Result<(), DrawError> {
        let colour = mix_colours(self.pen.theme.surface, self.pen.theme.ink, 0.8);
        self.pen.draw_path(&[self.view.project(a), self.view.project(b)], colour, 1.0)
    }

    /// A side of a column over the line between two places, from a height up: shared below, one
    /// box's own above.
    fn draw_side(&self, column: SfCell, from: f64, face: FaceDirection, ends: [[f64; 2]; 2]) -> Result<(), DrawError> {
        let at = |end: usize, c: f64| [ends[end][0], ends[end][1], c];
        let split = column.shared.max(from);
        for (low, high, owner) in [(from, split, None), (split, column.top, Some(column.owner))] {
            if high > low {
                self.fill_face([at(0, low), at(1, low), at(1, high), at(0, high)], owner, face)?;
            }
        }
        for c in [from, split, column.top] {
            self.draw_edge(at(0, c), at(1, c))?;
        }
        Ok(())
    }
}

fn draw_solid<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &HypervolumeBoxes,
    view: &ParallelProjection,
) -> Result<(), DrawError> {
    let solid = SfCells::new(&chart.points);
    let (n_s, n_f) = (solid.s.len() - 1, solid.f.len() - 1);
    let [to_s, to_f] = [0, 1].map(|axis| if view.toward[axis] >= 0.0 { 1 } else { -1_isize });
    let far_first =
        |n: usize, toward: isize| -> Vec<usize> { if toward > 0 { (0..n).collect() } else { (0..n).rev().collect() } };
    let faces = FacePainter { pen, points: &chart.points, view };
    let edge = |a: Point3, b: Point3| faces.draw_edge(a, b);

    for &i in &far_first(n_s, to_s) {
        let mut cells = far_first(n_f, to_f).into_iter().peekable();
        while let Some(first) = cells.next() {
            let column = solid.get(i, first, (0, 0));
            if column.top <= 0.0 {
                continue;
            }
            let near_s = solid.get(i, first, (to_s, 0));
            let far_s = solid.get(i, first, (-to_s, 0));
            // SfCells in a row that look alike are drawn as one.
            let mut last = first;
            while let Some(next) = cells.next_if(|next| {
                solid.get(i, *next, (0, 0)) == column
                    && solid.get(i, *next, (to_s, 0)) == near_s
                    && solid.get(i, *next, (-to_s, 0)) == far_s
            }) {
                last = next;
            }
            let (s0, s1) = (solid.s[i], solid.s[i + 1]);
            let (f0, f1) = (solid.f[first.min(last)], solid.f[first.max(last) + 1]);
            let (s_near, s_far) = if to_s > 0 { (s1, s0) } else { (s0, s1) };
            let (f_near, f_far) = if to_f > 0 { (f1, f0) } else { (f0, f1) };
            let near_f = solid.get(i, last, (0, to_f));
            let far_f = solid.get(i, first, (0, -to_f));
            let owner = (column.shared < column.top).then_some(column.owner);
            if view.toward[0] != 0.0 && near_s.top < column.top {
                faces.draw_side(column, near_s.top, FaceDirection::S, [[s_near, f0], [s_near, f1]])?;
                // Where the far neighbour's face goes on in the same plane, there is no edge.
                let beyond = solid.get(i, first, (to_s, -to_f)).top.min(column.top);
                let start = if far_f.top < column.top { column.top } else { beyond };
                if start > near_s.top {
                    edge([s_near, f_far, near_s.top], [s_near, f_far, start])?;
                }
            }
            if view.toward[1] != 0.0 && near_f.top < column.top {
                faces.draw_side(column, near_f.top, FaceDirection::F, [[s0, f_near], [s1, f_near]])?;
                let beyond = solid.get(i, last, (-to_s, to_f)).top.min(column.top);
                let start = if far_s.top < column.top { column.top } else { beyond };
                if start > near_f.top {
                    edge([s_far, f_near, near_f.top], [s_far, f_near, start])?;
                }
            }
            let rim = near_s.top.max(near_f.top);
            if rim < column.top {
                edge([s_near, f_near, rim], [s_near, f_near, column.top])?;
            }
            if view.toward[2] > 0.0 {
                let c = column.top;
                let corners = [[s0, f0, c], [s1, f0, c], [s1, f1, c], [s0, f1, c]];
                faces.fill_face(corners, owner, FaceDirection::Top)?;
                let sides = [
                    (near_s, [s_near, f0, c], [s_near, f1, c]),
                    (far_s, [s_far, f0, c], [s_far, f1, c]),
                    (near_f, [s0, f_near, c], [s1, f_near, c]),
                    (far_f, [s0, f_far, c], [s1, f_far, c]),
                ];
                for (neighbour, a, b) in sides {
                    let theirs = (neighbour.shared < neighbour.top).then_some(neighbour.owner);
                    if neighbour.top != c || theirs != owner {
                        edge(a, b)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Numbers and names along the three outer edges of the cube.
fn draw_scales<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    view: &ParallelProjection,
    labels: &mut LabelPlacer,
) -> Result<(), DrawError> {
    let set = pen.default_text_format();
    let small = set.with_size(set.size - 1.0).align_centre();
    // C stands on the outermost of the four upright edges, at the left.
    let [a, b] =
        [(view.near_side(0), view.far_side(1)), (view.far_side(0), view.near_side(1))].map(|(s, f)| [s, f, 0.0]);
    let upright = if view.project(a).0 < view.project(b).0 { a } else { b };
    let ends = |axis: usize| {
        let mut start = match axis {
            0 => [0.0, view.near_side(1), 0.0],
            1 => [view.near_side(0), 0.0, 0.0],
            _ => upright,
        };
        start[axis] = 0.0;
        let mut end = start;
        end[axis] = view.reach[axis];
        [start, end]
    };
    let roles = [ColourRole::Sparsity, ColourRole::Fidelity, ColourRole::Completeness];
    // Names first: a number can be spared.
    let middle = view.project([0, 1, 2].map(|axis| view.reach[axis] / 2.0));
    let mut numbers = Vec::new();
    for (axis, (name, role)) in ["S", "F", "C"].into_iter().zip(roles).enumerate() {
        let [start, end] = ends(axis);
        let (from, to) = (view.project(start), view.project(end));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = libm::hypot(dx, dy);
        if length < 24.0 {
            // Seen end-on, an axis shows nothing.
            continue;
        }
        // Away from the cube.
        let mut out = (-dy / length, dx / length);
        let half = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        if out.0 * (half.0 - middle.0) + out.1 * (half.1 - middle.1) < 0.0 {
            out = (-out.0, -out.1);
        }
        pen.draw_path(&[from, to], pen.theme.ink, 1.25)?;
        let colour = mix_colours(pen.theme.ink, pen.theme.role_colour(role), 0.75);
        let bold = set.with_bold(true).with_colour(colour).align_centre();
        // Beyond the numbers, of which one stands at the middle too.
        let away = 2.9 * set.size;
        let at = (half.0 + out.0 * away, half.1 + out.1 * away);
        let r = text_box(at, pen.measure_text(name, bold.size, true), bold.size);
        if labels.is_free(r) {
            labels.reserve(r);
            pen.draw_text(name, at, bold)?;
        }
        let scale = Axis { title: String::new(), symbol: String::new(), min: 0.0, max: view.reach[axis] };
        let scale = axis_ticks(&scale, if length < 140.0 { 2 } else { 4 });
        for (value, text) in scale.values.into_iter().zip(scale.labels) {
            let share = value / view.reach[axis];
            let at = (from.0 + dx * share, from.1 + dy * share);
            numbers.push((at, out, text));
        }
    }
    for ((x, y), out, text) in numbers {
        pen.draw_path(&[(x, y), (x + 4.0 * out.0, y + 4.0 * out.1)], pen.theme.ink, 1.0)?;
        let away = 5.0 + 0.75 * set.size;
        let at = (x + away * out.0, y + away * out.1);
        let r = text_box(at, pen.measure_text(&text, small.size, false), small.size);
        if labels.is_free(r) {
            labels.reserve(r);
            pen.draw_text(&text, at, small)?;
        }
    }
    Ok(())
}

/// The corners of the boxes, and what is dominated, with names where there is room.
fn draw_points<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &HypervolumeBoxes,
    view: &ParallelProjection,
    labels: &mut LabelPlacer,
) -> Result<Vec<Mark>, DrawError> {
    let radius = if pen.width < 420.0 { 3.2 } else { 4.0 };
    let inside = |p: &RankedPoint| [0, 1, 2].map(|axis| p.at[axis].clamp(0.0, view.reach[axis]));
    let places: Vec<CssPoint> = chart.points.iter().map(|p| view.project(inside(p))).collect();
    for place in places.iter().take(4 * LABELS_MAX) {
        labels.reserve(PlotRect::square_around(*place, radius));
    }
    for on_front in [false, true] {
        for (point, at) in chart.points.iter().zip(&places) {
            if point.on_front != on_front {
                continue;
            }
            if on_front {
                let colour = mix_colours(pen.theme.ink, pen.theme.point_colour(point.order), 0.8);
                pen.draw_marker(Marker::Circle, *at, radius, colour)?;
            } else {
                pen.draw_marker(Marker::Diamond, *at, radius, pen.theme.role_colour(ColourRole::Neutral))?;
            }
        }
    }
    let mut order: Vec<usize> = (0..chart.points.len()).collect();
    let contributions: Vec<f64> = chart.points.iter().map(|p| p.contribution).collect();
    sort_indices_descending(&mut order, &contributions);
    let set = pen.default_text_format().with_size(pen.default_text_format().size - 1.0).with_colour(pen.theme.ink);
    for index in order.into_iter().take(LABELS_MAX) {
        let (point, at) = (&chart.points[index], places[index]);
        let long = if point.contribution >= 5e-4 {
            format!("{} +{}", point.label, fixed3(point.contribution))
        } else {
            point.label.clone()
        };
        for text in [&long, &point.label] {
            if let Some(at) = find_label_place(pen, labels, text, at, radius + 4.0, set.size) {
                let r = text_box(at, pen.measure_text(text, set.size, false), set.size);
                labels.reserve(r);
                // On the solid a text needs ground of its own.
                let ground = PlotRect { x: r.x - 1.0, y: r.y, w: r.w + 2.0, h: r.h };
                pen.fill_rect(ground, pen.theme.surface)?;
                pen.draw_text(text, at, set.align_centre())?;
                break;
            }
        }
    }
    let mark = |(point, place): (&RankedPoint, &CssPoint)| {
        let text = format!("({}); {}", point.at.map(fixed3).join(", "), point.describe_rank(&chart.points));
        Mark::on_series(PlotRect::square_around(*place, radius), "", point.title.clone(), text)
    };
    Ok(chart.points.iter().zip(&places).map(mark).collect())
}

/// Free ground for a text above a point, or else around it.
fn find_label_place<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    labels: &LabelPlacer,
    text: &str,
    (x, y): CssPoint,
    gap: f64,
    size: f64,
) -> Option<CssPoint> {
    let wide = pen.measure_text(text, size, false) / 2.0 + gap;
    let tall = gap + 0.6 * size;
    [
        (0.0, -tall),
        (wide, -0.5 * tall),
        (-wide, -0.5 * tall),
        (wide, 0.0),
        (-wide, 0.0),
        (0.0, tall),
        (0.0, -2.2 * tall),
        (wide, tall),
        (-wide, tall),
    ]
    .into_iter()
    .map(|(dx, dy)| (x + dx, y + dy))
    .find(|at| labels.is_free(text_box(*at, 2.0 * (wide - gap), size)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pareto::hypervolume;

    fn ranked(points: &[Point3]) -> Vec<RankedPoint> {
        let found = hypervolume(points, [0.0; 3]).unwrap();
        points
            .iter()
            .zip(found.contributions)
            .map(|(at, contribution)| RankedPoint {
                at: *at,
                label: String::new(),
                title: String::new(),
                order: 0,
                on_front: true,
                by: None,
                contribution,
            })
            .collect()
    }

    #[test]
    fn columns_hold_the_hypervolume_and_what_each_box_adds() {
        let sets: [&[Point3]; 4] = [
            &[[0.9, 0.2, 0.5], [0.5, 0.5, 0.6], [0.2, 0.9, 0.7], [0.4, 0.4, 0.9]],
            &[[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.25, 0.75, 0.5]],
            &[[0.0, 0.9, 0.9], [-0.5, 0.2, 0.3], [0.7, 0.1, 0.2]],
            &[],
        ];
        for points in sets {
            let found = hypervolume(points, [0.0; 3]).unwrap();
            let solid = SfCells::new(&ranked(points));
            let (mut volume, mut alone) = (0.0, vec![0.0; points.len()]);
            for s in 0..solid.s.len() - 1 {
                for f in 0..solid.f.len() - 1 {
                    let column = solid.get(s, f, (0, 0));
                    let area = (solid.s[s + 1] - solid.s[s]) * (solid.f[f + 1] - solid.f[f]);
                    volume += area * column.top;
                    if column.top > 0.0 {
                        alone[column.owner] += area * (column.top - column.shared);
                    }
                }
            }
            assert!((volume - found.hypervolume).abs() < 1e-12);
            for (alone, contribution) in alone.iter().zip(&found.contributions) {
                assert!((alone - contribution).abs() < 1e-12, "{alone} {contribution}");
            }
        }
    }

    #[test]
    fn any_turn_stays_on_the_drawing() {
        let plot = PlotRect { x: 10.0, y: 10.0, w: 300.0, h: 260.0 };
        for turn in 0..72 {
            for pitch in [-20.0, 0.0, 30.0, 54.7, 90.0, f64::NAN] {
                let chart =
                    HypervolumeBoxes { points: Vec::new(), yaw: f64::from(turn) * 5.0, pitch, reach: [1.0, 2.0, 1.0] };
                let view = ParallelProjection::new(&chart, plot);
                for corner in 0..8 {
                    let at = |axis: usize| chart.reach[axis] * f64::from(corner >> axis & 1);
                    let (x, y) = view.project([at(0), at(1), at(2)]);
                    assert!((10.0..=310.0).contains(&x) && (10.0..=270.0).contains(&y));
                }
            }
        }
    }
}
