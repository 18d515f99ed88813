//! Curves and clouds of points.

use plotters_backend::DrawingBackend;

use super::super::chart::{
    Axis, Datum, Highlight, Lines, Marker, Place, Reference, Role, Scatter, Series, Stroke,
};
use super::super::format::fixed3;
use super::frame::Frame;
use super::legend::{Item, Key};
use super::pen::{At, Pen};
use super::{DrawError, Layout, Mark, PlotRect};

/// Markers closer than this many radii are left out.
const MARKER_ROOM: f64 = 2.6;
/// Half the width of the bands around a single point.
const LONE_BAND: f64 = 6.0;
/// Readouts of one series are at least this many pixels apart.
const MARK_GAP: f64 = 2.0;

/// The legend of curves: the series, then the references.
pub(in crate::plot) fn items<'a>(
    series: &'a [Series],
    references: &'a [Reference],
) -> Vec<Item<'a>> {
    let curves = series.iter().map(|s| Item {
        name: &s.name,
        note: s.note.as_deref(),
        role: s.role,
        key: Key::Line(s.stroke, s.marker),
    });
    // Bands of one name are of one kind, whatever curve they lie around.
    let mut names: Vec<(&str, usize)> = Vec::new();
    for (depth, band) in series.iter().flat_map(|s| s.bands.iter().enumerate()) {
        if !names.iter().any(|(name, _)| *name == band.name) {
            names.push((&band.name, depth));
        }
    }
    let bands = names.into_iter().map(|(name, depth)| Item {
        name,
        note: None,
        role: Role::Neutral,
        key: Key::Band(depth),
    });
    let lines = references.iter().map(|r| Item {
        name: &r.name,
        note: None,
        role: Role::Neutral,
        key: Key::Line(Stroke::Faint, Marker::None),
    });
    curves.chain(bands).chain(lines).collect()
}

pub(super) fn draw<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Lines,
) -> Result<Layout, DrawError> {
    let readout = |s: &Series, at: usize, p: &Datum| {
        let bands = s.bands.iter().filter_map(|b| Some(format!("; {} {}", b.name, b.text(at)?)));
        format!("{} = {}{}", s.name, fixed3(p.y), bands.collect::<String>())
    };
    plot(
        pen,
        (&chart.x, &chart.y),
        &chart.series,
        &chart.references,
        chart.highlight.as_ref(),
        &readout,
    )
}

pub(super) fn draw_scatter<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Scatter,
) -> Result<Layout, DrawError> {
    let readout = |_: &Series, _: usize, p: &Datum| format!("({}, {})", fixed3(p.x), fixed3(p.y));
    plot(pen, (&chart.x, &chart.y), &chart.series, &chart.references, None, &readout)
}

/// What a point of a series, at its index, reads out.
type Readout<'a> = &'a dyn Fn(&Series, usize, &Datum) -> String;

fn plot<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    (x, y): (&Axis, &Axis),
    series: &[Series],
    references: &[Reference],
    highlight: Option<&Highlight>,
    readout: Readout<'_>,
) -> Result<Layout, DrawError> {
    let radius = if pen.width < 420.0 { 2.8 } else { 3.3 };
    let top = pen.legend(&items(series, references), 0.0, 0.0)?;
    let frame = pen.frame(x, y, top)?;
    for reference in references {
        let ends = match reference.place {
            Place::Horizontal(level) => [(x.min, level), (x.max, level)],
            Place::Identity => {
                let (low, high) = (x.min.max(y.min), x.max.min(y.max));
                [(low, low), (high, high)]
            }
        };
        let ends = ends.map(|(x, y)| frame.at(pen, x, y));
        pen.curve(&ends, Stroke::Faint, pen.theme.role(Role::Neutral))?;
    }
    let paths: Vec<Vec<At>> =
        series.iter().map(|s| s.points.iter().map(|p| frame.at(pen, p.x, p.y)).collect()).collect();
    for s in series {
        draw_bands(pen, &frame, s)?;
    }
    // What is there for comparison only goes under everything else.
    let faint = |s: &Series| s.stroke == Stroke::Faint;
    for under in [true, false] {
        for (s, path) in series.iter().zip(&paths).filter(|(s, _)| faint(s) == under) {
            pen.curve(path, s.stroke, pen.theme.role(s.role))?;
        }
    }
    for (index, (s, path)) in series.iter().zip(&paths).enumerate() {
        let room = s.stroke == Stroke::None || apart(path) >= MARKER_ROOM * radius;
        let marker = match s.marker {
            // A curve of one level would be invisible without.
            Marker::None if path.len() == 1 => Marker::Circle,
            marker if room => marker,
            _ => Marker::None,
        };
        if marker != Marker::None {
            for (place, at) in path.iter().enumerate() {
                if has_turn(&paths, index, place, radius) {
                    pen.marker(marker, *at, radius, pen.theme.role(s.role))?;
                }
            }
        }
    }
    if let Some(highlight) = highlight {
        label_peak(pen, &frame, highlight, &paths)?;
    }
    Ok(Layout {
        plot: frame.rect,
        marks: marks(series, &paths, radius, readout),
        ..Layout::default()
    })
}

/// The bands of a series, the widest first. Around a single point they stand like bars.
fn draw_bands<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    frame: &Frame,
    series: &Series,
) -> Result<(), DrawError> {
    let colour = pen.theme.role(series.role);
    let half = if series.points.len() == 1 { LONE_BAND } else { 0.0 };
    for (depth, band) in series.bands.iter().enumerate() {
        let edges = || series.points.iter().zip(&band.edges);
        let upper = edges().map(|(p, (_, high))| frame.at(pen, p.x, *high));
        let lower = edges().rev().map(|(p, (low, _))| frame.at(pen, p.x, *low));
        let outline: Vec<At> = if half > 0.0 {
            let corners = upper.chain(lower).zip([half, -half]);
            corners.flat_map(|((x, y), by)| [(x - by, y), (x + by, y)]).collect()
        } else {
            upper.chain(lower).collect()
        };
        pen.band(&outline, depth, colour)?;
    }
    Ok(())
}

/// Whether a curve draws its marker at a place: where markers of several would cover each other, they
/// take turns from place to place, so that all can be told.
fn has_turn(paths: &[Vec<At>], index: usize, place: usize, radius: f64) -> bool {
    let Some(&at) = paths.get(index).and_then(|path| path.get(place)) else { return false };
    let covered = |path: &Vec<At>| {
        path.get(place).is_some_and(|other| libm::hypot(other.0 - at.0, other.1 - at.1) < radius)
    };
    let here: Vec<usize> = (0..paths.len()).filter(|other| covered(&paths[*other])).collect();
    here.get(place % here.len().max(1)).is_none_or(|turn| *turn == index)
}

/// The mean horizontal distance of neighbours on a path.
fn apart(path: &[At]) -> f64 {
    match (path.first(), path.last()) {
        (Some(first), Some(last)) if path.len() > 1 => (last.0 - first.0) / (path.len() - 1) as f64,
        _ => f64::INFINITY,
    }
}

fn marks(series: &[Series], paths: &[Vec<At>], radius: f64, readout: Readout<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (s, path) in series.iter().zip(paths) {
        let mut previous = f64::NEG_INFINITY;
        for (i, (p, (x, y))) in s.points.iter().zip(path).enumerate() {
            let last = i + 1 == s.points.len();
            if s.stroke != Stroke::None && x - previous < MARK_GAP && !last {
                continue;
            }
            previous = *x;
            marks.push(Mark {
                x: x - radius,
                y: y - radius,
                w: 2.0 * radius,
                h: 2.0 * radius,
                series: s.name.clone(),
                title: p.label.clone(),
                text: readout(s, i, p),
            });
        }
    }
    marks
}

/// A ring around the point, and its label where it covers no curve.
fn label_peak<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    frame: &Frame,
    highlight: &Highlight,
    paths: &[Vec<At>],
) -> Result<(), DrawError> {
    let set = pen.text_type().bold(true).colour(pen.theme.ink);
    let at = frame.at(pen, highlight.x, highlight.y);
    let ring = 7.0;
    pen.ring(at, ring, pen.theme.role(Role::Yours), 2.0)?;
    let (w, h) = (pen.measure(&highlight.label, set.size, true), 1.3 * set.size);
    let gap = ring + 5.0;
    let rect = frame.rect;
    let clamp = |x: f64| x.min(rect.x + rect.w - w - 3.0).max(rect.x + 4.0);
    let mut places = Vec::new();
    for step in 0..6 {
        let away = gap + f64::from(step) * h * 0.7;
        places.push((clamp(at.0 - w / 2.0), at.1 + away));
        places.push((clamp(at.0 - w / 2.0), at.1 - away - h));
        places.push((at.0 + away, at.1 - h / 2.0));
        places.push((at.0 - away - w, at.1 - h / 2.0));
    }
    let fits = |(x, y): &At| {
        let b = PlotRect { x: x - 3.0, y: y - 2.0, w: w + 6.0, h: h + 4.0 };
        let inside = b.x >= rect.x
            && b.x + b.w <= rect.x + rect.w + 4.0
            && b.y >= rect.y - 4.0
            && b.y + b.h <= rect.y + rect.h;
        inside && !paths.iter().any(|path| crosses(path, b))
    };
    // Nowhere free: under the point, on top of what is there.
    let place = places.iter().find(|p| fits(p)).or(places.first());
    match place {
        Some((x, y)) => pen.text(&highlight.label, (*x, y + h / 2.0), set),
        None => Ok(()),
    }
}

/// Whether a polyline passes through a rectangle.
fn crosses(path: &[At], r: PlotRect) -> bool {
    let inside = |(x, y): At| x >= r.x && x <= r.x + r.w && y >= r.y && y <= r.y + r.h;
    path.windows(2).any(|pair| {
        let [a, b] = pair else { return false };
        if a.0.max(b.0) < r.x || a.0.min(b.0) > r.x + r.w {
            return false;
        }
        // A step of a pixel is finer than any rectangle asked about.
        let steps = libm::hypot(b.0 - a.0, b.1 - a.1).ceil().clamp(1.0, 2000.0) as u32;
        (0..=steps).any(|i| {
            let t = f64::from(i) / f64::from(steps);
            inside((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t))
        })
    })
}
