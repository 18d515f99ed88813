//! Curves and clouds of points on two axes, with what belongs to them: legend, bands, markers.

use plotters_backend::DrawingBackend;

use crate::order::argsort_ascending;

use super::frame::Frame;
use super::labels::LabelPlacer;
use super::layout::{DrawError, Layout, Mark, PlotRect};
use super::legend::{LegendItem, LegendKey, key_width};
use super::measure::{text_size, text_width};
use super::parts::{Axis, ColourRole, Datum, Marker, ReferenceLine, ReferencePosition, Series, Stroke};
use super::pen::{CssPoint, Pen};

/// Markers closer than this many radii are left out.
const MARKER_SPACING_MIN: f64 = 2.6;
/// Half the width of the bands around a single point.
const SINGLE_POINT_BAND_HALF_WIDTH: f64 = 6.0;
/// Readouts of one series are at least this many pixels apart.
const MARK_GAP: f64 = 2.0;

/// Drawings that are narrower than this have no room for names beside their curves.
const NAMES_WIDTH_MIN: f64 = 480.0;
/// More names than this are looked up in a legend.
const NAMES_MAX: usize = 6;
/// Names beside the curves take at most this share of a drawing's width.
const NAMES_SHARE_MAX: f64 = 0.3;
/// A curve that ends farther from the right edge, as a share of the axis, is not named beside it.
const NAME_DISTANCE_MAX: f64 = 0.1;
/// This many clouds of one point are named beside it, where a drawing is so wide that all names find room.
const NAMED_POINTS_MAX: usize = 3;
const NAMED_POINTS_WIDTH_MIN: f64 = 610.0;
/// Tried one after another: how far from its point a name stands, in radii and a little.
const NAME_GAPS: [f64; 7] = [1.0, 2.0, 3.0, 4.5, 6.0, 9.0, 12.0];
/// From name to name, in font sizes.
const NAME_HEIGHT: f64 = 1.3;

/// A legend entry for every series, then for every reference.
fn all_legend_items<'a>(series: &'a [Series], references: &'a [ReferenceLine]) -> Vec<LegendItem<'a>> {
    let curves = series.iter().map(|s| LegendItem {
        name: &s.name,
        note: s.note.as_deref(),
        role: s.role,
        key: LegendKey::Line(s.stroke, s.marker),
    });
    let lines = references.iter().map(|r| LegendItem {
        name: &r.name,
        note: None,
        role: ColourRole::Neutral,
        key: LegendKey::Line(Stroke::Faint, Marker::None),
    });
    curves.chain(lines).collect()
}

/// Whether every curve is named where it ends, which spares a reader the way to a legend and back.
fn has_names_at_ends(x: &Axis, series: &[Series], references: &[ReferenceLine], width: f64) -> bool {
    let ends = |s: &Series| s.points.last().is_some_and(|p| p.x >= x.max - NAME_DISTANCE_MAX * (x.max - x.min));
    let count = series.len() + references.len();
    let size = text_size(width);
    let names = all_legend_items(series, references);
    let widest =
        names.iter().map(|item| key_width(item.key, size) + text_width(item.name, size, false)).fold(0.0, f64::max);
    width >= NAMES_WIDTH_MIN
        && (2..=NAMES_MAX).contains(&count)
        && widest <= NAMES_SHARE_MAX * width
        && series.iter().all(|s| s.stroke != Stroke::None && !s.stroke.is_parametric() && s.note.is_none() && ends(s))
        && references.iter().all(|r| matches!(r.place, ReferencePosition::Horizontal(_)))
}

/// Whether what is a point alone is named beside it.
fn has_named_points(series: &[Series], width: f64) -> bool {
    width >= NAMED_POINTS_WIDTH_MIN && series.iter().filter(|s| is_single_point(s)).count() >= NAMED_POINTS_MAX
}

fn is_single_point(s: &Series) -> bool {
    s.stroke == Stroke::None && s.points.len() == 1 && s.note.is_none()
}

/// The legend of curves in a drawing of a width: the series, their bands, then the references. A single series needs
/// none: the chart's title and axis name it, and its caption says what the bands are.
pub(super) fn legend_items<'a>(
    x: &Axis,
    series: &'a [Series],
    references: &'a [ReferenceLine],
    width: f64,
) -> Vec<LegendItem<'a>> {
    let mut named = all_legend_items(series, references);
    if named.len() == 1 {
        return Vec::new();
    }
    if has_names_at_ends(x, series, references, width) {
        named.clear();
    }
    let mut curves = named.len().min(series.len());
    if has_named_points(series, width) {
        let mut all = series.iter();
        named.retain(|_| all.next().is_none_or(|s| !is_single_point(s)));
        curves = series.iter().filter(|s| !is_single_point(s)).count();
    }
    // Bands of one name are of one kind, whatever curve they lie around.
    let mut names: Vec<(&str, usize)> = Vec::new();
    for (depth, band) in series.iter().flat_map(|s| s.bands.iter().enumerate()) {
        if !names.iter().any(|(name, _)| *name == band.name) {
            names.push((&band.name, depth));
        }
    }
    let bands = names.into_iter().map(|(name, depth)| LegendItem {
        name,
        note: None,
        role: ColourRole::Neutral,
        key: LegendKey::Band(depth),
    });
    named.splice(curves..curves, bands);
    named
}

/// Heights for names as near as can be to where they want to be, none closer to the next than `apart`, all between
/// `low` and `high`.
fn spread_apart(wanted: &[f64], apart: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let order = argsort_ascending(wanted.iter().copied());
    let mut places = wanted.to_vec();
    let mut least = low;
    for at in &order {
        places[*at] = places[*at].max(least);
        least = places[*at] + apart;
    }
    let mut most = high;
    for at in order.iter().rev() {
        places[*at] = places[*at].min(most);
        most = places[*at] - apart;
    }
    places
}

/// What a point of a series, at its index, reads out.
pub(super) type ReadoutFn<'a> = &'a dyn Fn(&Series, usize, &Datum) -> String;

/// A drawn plot: its axes, and where each series runs on it.
pub(super) struct PlottedCurves {
    pub frame: Frame,
    pub paths: Vec<Vec<CssPoint>>,
    pub layout: Layout,
}

/// Draws curves with all that belongs to them.
pub(super) fn plot_curves<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    (x, y): (&Axis, &Axis),
    series: &[Series],
    references: &[ReferenceLine],
    readout: ReadoutFn<'_>,
) -> Result<PlottedCurves, DrawError> {
    let radius = if pen.width < 420.0 { 2.8 } else { 3.3 };
    let top = pen.draw_legend(&legend_items(x, series, references, pen.width), 0.0, 0.0)?;
    let named = has_names_at_ends(x, series, references, pen.width);
    let names = if named { all_legend_items(series, references) } else { Vec::new() };
    let set = pen.default_text_format();
    let before = |item: &LegendItem<'_>| key_width(item.key, set.size) + 0.9 * set.size;
    let beside = names.iter().map(|item| before(item) + pen.measure_text(item.name, set.size, false));
    let frame = pen.draw_frame_beside(x, y, top, beside.fold(0.0, f64::max))?;
    for reference in references {
        let ends = match reference.place {
            ReferencePosition::Horizontal(level) => [(x.min, level), (x.max, level)],
            ReferencePosition::Identity => {
                let (low, high) = (x.min.max(y.min), x.max.min(y.max));
                [(low, low), (high, high)]
            }
        };
        let ends = ends.map(|(x, y)| frame.point_at(pen, x, y));
        pen.draw_curve(&ends, Stroke::Faint, pen.theme.role_colour(ColourRole::Neutral))?;
    }
    let paths: Vec<Vec<CssPoint>> =
        series.iter().map(|s| s.points.iter().map(|p| frame.point_at(pen, p.x, p.y)).collect()).collect();
    for s in series {
        draw_bands(pen, &frame, s)?;
    }
    // What is there for comparison only goes under everything else.
    let faint = |s: &Series| s.stroke == Stroke::Faint;
    for under in [true, false] {
        for (s, path) in series.iter().zip(&paths).filter(|(s, _)| faint(s) == under) {
            pen.draw_curve(path, s.stroke, pen.theme.role_colour(s.role))?;
        }
    }
    // What an arrow passes has no mark that could cover another.
    let nowhere = (f64::NAN, f64::NAN);
    let marked: Vec<Vec<CssPoint>> = series
        .iter()
        .zip(&paths)
        .map(|(s, path)| {
            let mut path = path.clone();
            if s.stroke == Stroke::Arrow {
                let last = path.len().saturating_sub(1);
                path[..last].fill(nowhere);
            }
            path
        })
        .collect();
    for (index, (s, path)) in series.iter().zip(&paths).enumerate() {
        let free = s.stroke == Stroke::None || s.stroke.is_parametric();
        let room = free || mean_spacing(path) >= MARKER_SPACING_MIN * radius;
        let marker = match s.marker {
            // A curve of one level would be invisible without.
            Marker::None if path.len() == 1 => Marker::Circle,
            marker if room => marker,
            _ => Marker::None,
        };
        if marker != Marker::None {
            for (place, at) in path.iter().enumerate() {
                let passed = s.stroke == Stroke::Arrow && place + 1 < path.len();
                if !passed && has_marker_at(&marked, index, place, radius) {
                    pen.draw_marker(marker, *at, radius, pen.theme.role_colour(s.role))?;
                }
            }
        }
    }
    let ends = paths.iter().filter_map(|path| path.last().map(|end| end.1));
    let levels = references.iter().filter_map(|r| match r.place {
        ReferencePosition::Horizontal(level) => Some(frame.point_at(pen, x.min, level).1),
        ReferencePosition::Identity => None,
    });
    let wanted: Vec<f64> = if named { ends.chain(levels).collect() } else { Vec::new() };
    let rect = frame.rect;
    let places = spread_apart(&wanted, NAME_HEIGHT * set.size, (rect.y, rect.y + rect.h));
    for (item, y) in names.iter().zip(places) {
        let left = rect.x + rect.w + 0.4 * set.size;
        pen.draw_legend_key(item.key, item.role, (left, y), set.size)?;
        let text = (rect.x + rect.w + before(item), y);
        pen.draw_text(item.name, text, set.with_colour(pen.theme.ink))?;
    }
    if has_named_points(series, pen.width) {
        draw_point_names(pen, rect, series, &paths, radius)?;
    }
    let layout = Layout { plot: rect, marks: series_marks(series, &paths, radius, readout), ..Layout::default() };
    Ok(PlottedCurves { frame, paths, layout })
}

/// The names of what is a point alone, beside it; farther away where others are in the way.
fn draw_point_names<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    rect: PlotRect,
    series: &[Series],
    paths: &[Vec<CssPoint>],
    radius: f64,
) -> Result<(), DrawError> {
    let mut labels = LabelPlacer::new(rect);
    for &(x, y) in paths.iter().zip(series).filter(|(_, s)| s.stroke == Stroke::None).flat_map(|(path, _)| path) {
        labels.reserve(PlotRect::square_around((x, y), radius + 1.0));
    }
    let set = pen.default_text_format();
    let set = set.with_size(set.size - 1.0).with_colour(pen.theme.ink);
    for (s, path) in series.iter().zip(paths).filter(|(s, _)| is_single_point(s)) {
        let Some(at) = path.first() else { continue };
        for times in NAME_GAPS {
            let gap = times * (radius + 2.0);
            let Some(place) = pen.draw_label_beside(&mut labels, &s.name, *at, gap, set)? else {
                continue;
            };
            // What stands farther off is led to.
            if times > 1.0 {
                let end = (at.0.clamp(place.x, place.x + place.w), at.1.clamp(place.y, place.y + place.h));
                pen.draw_path(&[*at, end], pen.theme.axis, pen.hairline())?;
                pen.draw_marker(s.marker, *at, radius, pen.theme.role_colour(s.role))?;
            }
            break;
        }
    }
    Ok(())
}

/// The bands of a series, the widest first. Around a single point they stand like bars.
fn draw_bands<DB: DrawingBackend>(pen: &Pen<'_, DB>, frame: &Frame, series: &Series) -> Result<(), DrawError> {
    let colour = pen.theme.role_colour(series.role);
    let half = if series.points.len() == 1 { SINGLE_POINT_BAND_HALF_WIDTH } else { 0.0 };
    for (depth, band) in series.bands.iter().enumerate() {
        let edges = || series.points.iter().zip(&band.edges);
        let upper = edges().map(|(p, (_, high))| frame.point_at(pen, p.x, *high));
        let lower = edges().rev().map(|(p, (low, _))| frame.point_at(pen, p.x, *low));
        let outline: Vec<CssPoint> = if half > 0.0 {
            let corners = upper.chain(lower).zip([half, -half]);
            corners.flat_map(|((x, y), by)| [(x - by, y), (x + by, y)]).collect()
        } else {
            upper.chain(lower).collect()
        };
        pen.draw_band(&outline, depth, colour)?;
    }
    Ok(())
}

/// Whether a curve draws its marker at a place: where markers of several would cover each other, they
/// take turns from place to place, so that all can be told.
fn has_marker_at(paths: &[Vec<CssPoint>], index: usize, place: usize, radius: f64) -> bool {
    let Some(&at) = paths.get(index).and_then(|path| path.get(place)) else { return false };
    let covered = |path: &Vec<CssPoint>| {
        path.get(place).is_some_and(|other| libm::hypot(other.0 - at.0, other.1 - at.1) < radius)
    };
    let here: Vec<usize> = (0..paths.len()).filter(|other| covered(&paths[*other])).collect();
    here.get(place % here.len().max(1)).is_none_or(|turn| *turn == index)
}

/// The mean horizontal distance of neighbours on a path.
fn mean_spacing(path: &[CssPoint]) -> f64 {
    match (path.first(), path.last()) {
        (Some(first), Some(last)) if path.len() > 1 => (last.0 - first.0) / (path.len() - 1) as f64,
        _ => f64::INFINITY,
    }
}

fn series_marks(series: &[Series], paths: &[Vec<CssPoint>], radius: f64, readout: ReadoutFn<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (s, path) in series.iter().zip(paths) {
        let mut previous = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (i, (p, (x, y))) in s.points.iter().zip(path).enumerate() {
            let last = i + 1 == s.points.len();
            let gap =
                if s.stroke.is_parametric() { libm::hypot(x - previous.0, y - previous.1) } else { x - previous.0 };
            if s.stroke != Stroke::None && gap < MARK_GAP && !last {
                continue;
            }
            previous = (*x, *y);
            let place = PlotRect::square_around((*x, *y), radius);
            marks.push(Mark::on_series(place, &s.name, p.label.clone(), readout(s, i, p)));
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_apart_and_inside() {
        assert_eq!(spread_apart(&[10.0, 50.0], 5.0, (0.0, 100.0)), [10.0, 50.0]);
        assert_eq!(spread_apart(&[50.0, 48.0, 49.0], 5.0, (0.0, 100.0)), [58.0, 48.0, 53.0]);
        assert_eq!(spread_apart(&[99.0, 100.0], 5.0, (0.0, 100.0)), [95.0, 100.0]);
        assert_eq!(spread_apart(&[0.0, 0.0], 5.0, (0.0, 100.0)), [0.0, 5.0]);
        assert!(spread_apart(&[], 5.0, (0.0, 100.0)).is_empty());
    }

    #[test]
    fn curves_are_named_beside_their_ends_where_there_is_room() {
        let curve = |name: &str, end: f64| {
            let points = [0.0, end].map(|x| Datum { x, y: x, label: String::new() });
            Series::new(name, ColourRole::Score, Stroke::Solid, Marker::None, points.to_vec())
        };
        let x = Axis::unit_range("x", "x", []);
        let items = |series: &[Series], width: f64| legend_items(&x, series, &[], width).len();
        let two = [curve("a", 1.0), curve("b", 0.95)];
        assert_eq!(items(&two, 600.0), 0);
        assert_eq!(items(&two, 400.0), 2);
        assert_eq!(items(&[curve("a", 1.0), curve("b", 0.5)], 600.0), 2);
        assert_eq!(items(&[curve("a", 1.0), curve(&"b".repeat(60), 1.0)], 600.0), 2);
        assert_eq!(items(&two[..1], 400.0), 0);
    }
}
