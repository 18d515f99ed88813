//! Grouped bars.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues, label_columns};
use crate::plot::data_table::DataTable;
use crate::plot::format::{fixed, fixed3};
use crate::plot::frame::{foot_height, plot_height, title_height};
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::legend::{LegendItem, LegendKey, legend_height};
use crate::plot::measure::text_size;
use crate::plot::parts::{Axis, BarFill, ColourRole, Stroke};
use crate::plot::pen::{CssPoint, Pen};

/// Grouped bars.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bars {
    /// Title of the axis the groups stand on.
    pub x_title: String,
    /// Vertical axis.
    pub y: Axis,
    /// Groups from left to right.
    pub groups: Vec<BarGroup>,
    /// One bar a group for each.
    pub series: Vec<BarSeries>,
}

/// A place on the horizontal axis of grouped bars.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BarGroup {
    /// Under the bars.
    pub label: String,
    /// Under the label, smaller.
    pub detail: Option<String>,
    /// Colours the group's bars in place of the series' own role.
    pub role: Option<ColourRole>,
}

/// One bar in each group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BarSeries {
    /// Name in the legend and in readouts.
    pub name: String,
    /// More about it in the legend, where there is room.
    pub note: Option<String>,
    /// Its colour.
    pub role: ColourRole,
    /// Solid or outlined.
    pub fill: BarFill,
    /// One for each group; none where there is no value.
    pub bars: Vec<Option<Bar>>,
}

impl BarSeries {
    /// A series without a note.
    pub(crate) fn new(name: &str, role: ColourRole, fill: BarFill, bars: Vec<Option<Bar>>) -> Self {
        Self { name: name.to_owned(), note: None, role, fill, bars }
    }
}

/// A bar from zero to its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// Its height.
    pub value: f64,
    /// Written above it where there is room.
    pub text: String,
    /// Marked as the best of its series.
    pub best: bool,
}

impl Bar {
    /// A bar with its value above it, to three digits; none where the value is no number.
    pub(crate) fn with_value_label(value: f64) -> Option<Self> {
        value.is_finite().then(|| Self { value, text: fixed3(value), best: false })
    }
}

/// Bars narrower than this become a curve through their tops.
const BAR_WIDTH_MIN: f64 = 4.0;
/// Readouts of one curve are at least this many pixels apart.
const MARK_GAP: f64 = 2.0;
const BAR_WIDTH_MAX: f64 = 40.0;
/// The share of a group's width that its bars take.
const GROUP_FILL_SHARE: f64 = 0.8;

/// The legend of bars: the series, then what marks the best. A single series needs none: the title and the axis name it.
fn legend_items(chart: &Bars) -> Vec<LegendItem<'_>> {
    let series = chart.series.iter().map(|s| LegendItem {
        name: &s.name,
        note: s.note.as_deref(),
        role: s.role,
        key: LegendKey::Swatch(s.fill),
    });
    let best = LegendItem { name: "best of its profile", note: None, role: ColourRole::Neutral, key: LegendKey::Best };
    let any_best = chart.series.iter().any(|s| s.bars.iter().flatten().any(|bar| bar.best));
    let alone = matches!(chart.series.as_slice(), [only] if only.note.is_none());
    series.filter(|_| !alone).chain(any_best.then_some(best)).collect()
}

/// Room above the highest bar for its value and its mark.
fn headroom(size: f64) -> f64 {
    1.5 * size
}

/// Lines of text under the axis.
fn foot_line_count(chart: &Bars) -> usize {
    if chart.groups.iter().any(|g| g.detail.is_some()) { 2 } else { 1 }
}

pub(crate) fn data_table(bars: &Bars) -> DataTable {
    let columns = std::iter::once(bars.x_title.clone()).chain(bars.series.iter().map(|s| s.name.clone())).collect();
    let rows = bars
        .groups
        .iter()
        .enumerate()
        .map(|(g, group)| {
            let label = match &group.detail {
                Some(detail) => format!("{} ({detail})", group.label),
                None => group.label.clone(),
            };
            let cell = |s: &BarSeries| match s.bars.get(g) {
                Some(Some(bar)) if bar.best => format!("{} (best)", bar.text),
                Some(Some(bar)) => bar.text.clone(),
                _ => String::new(),
            };
            std::iter::once(label).chain(bars.series.iter().map(cell)).collect()
        })
        .collect();
    DataTable::from_texts(1, columns, rows)
}

pub(crate) fn named_values(bars: &Bars) -> Vec<NamedValues> {
    let rows = bars.groups.iter().map(|g| (g.label.as_str(), g.detail.as_deref()));
    let mut columns = label_columns(&bars.x_title, rows);
    for s in &bars.series {
        let values = s.bars.iter().map(|bar| DataValue::from(bar.as_ref().map(|b| b.value)));
        columns.push((s.name.clone(), values.collect()));
    }
    columns
}

/// The height at which it reads well at a width.
pub(crate) fn height(chart: &Bars, width: f64) -> f64 {
    let size = text_size(width);
    legend_height(&legend_items(chart), width, size)
        + title_height(size)
        + headroom(size)
        + plot_height(width)
        + foot_height(foot_line_count(chart), size)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Bars) -> Result<Layout, DrawError> {
    let set = pen.default_text_format();
    let mut top = pen.draw_legend(&legend_items(chart), 0.0, 0.0)?;
    top += pen.draw_vertical_title(&chart.y.title, top)?;
    top += headroom(set.size);
    let bottom = pen.height - pen.foot_space(foot_line_count(chart));
    let height = (bottom - top).max(20.0);
    let labels = pen.vertical_ticks(&chart.y, height).labels;
    let left = (pen.widest_text(&labels) + 0.9 * set.size).round();
    let rect = PlotRect {
        x: pen.snap_to_edge(left),
        y: pen.snap_to_edge(top),
        w: pen.snap_to_edge((pen.width - left - 2.0).max(20.0)),
        h: pen.snap_to_edge(height),
    };
    pen.draw_vertical_axis(&chart.y, rect)?;
    let tops = ValueHeights { rect, min: chart.y.min, max: chart.y.max };
    let group = rect.w / chart.groups.len().max(1) as f64;
    let bar = (group * GROUP_FILL_SHARE / chart.series.len().max(1) as f64).min(BAR_WIDTH_MAX);
    let mut layout = Layout { plot: rect, ..Layout::default() };
    if bar < BAR_WIDTH_MIN {
        draw_curves(pen, chart, &tops, group, &mut layout)?;
    } else {
        draw_bars(pen, chart, &tops, (group, bar), &mut layout)?;
    }
    pen.draw_horizontal_line(rect.x, rect.x + rect.w, tops.height_of(0.0), pen.theme.axis)?;
    draw_group_labels(pen, chart, rect, group)?;
    pen.draw_horizontal_title(&chart.x_title, rect)?;
    Ok(layout)
}

/// Heights of values.
struct ValueHeights {
    rect: PlotRect,
    min: f64,
    max: f64,
}

impl ValueHeights {
    fn height_of(&self, value: f64) -> f64 {
        let share = (value - self.min) / (self.max - self.min);
        self.rect.y + self.rect.h * (1.0 - share.clamp(0.0, 1.0))
    }
}

fn draw_bars<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Bars,
    tops: &ValueHeights,
    (group, bar): (f64, f64),
    layout: &mut Layout,
) -> Result<(), DrawError> {
    let set = pen.default_text_format().align_centre();
    let small = set.with_size(set.size - 1.0).with_colour(pen.theme.ink);
    let gap = if bar > 8.0 { 2.0 } else { 1.0 };
    let floor = tops.height_of(0.0);
    for (g, place) in chart.groups.iter().enumerate() {
        let middle = tops.rect.x + (g as f64 + 0.5) * group;
        let first = middle - bar * chart.series.len() as f64 / 2.0;
        for (i, series) in chart.series.iter().enumerate() {
            let Some(Some(value)) = series.bars.get(g) else { continue };
            let (x0, x1) =
                (pen.snap_to_edge(first + i as f64 * bar), pen.snap_to_edge(first + (i + 1) as f64 * bar - gap));
            let top = tops.height_of(value.value);
            let r = PlotRect { x: x0, y: top.min(floor), w: (x1 - x0).max(1.0), h: (top - floor).abs() };
            let colour = pen.theme.role_colour(place.role.unwrap_or(series.role));
            if r.h > 0.0 {
                pen.draw_bar(r, series.fill, colour)?;
            }
            let centre = r.x + r.w / 2.0;
            let mut above = r.y - 3.0;
            if value.best {
                let a = (0.34 * set.size).min(0.6 * bar);
                pen.draw_pointer((centre, above), a, colour)?;
                above -= 1.5 * a;
            }
            // A bar alone in its group has the group's room.
            let room = if chart.series.len() == 1 { bar.max(group - 2.0) } else { bar };
            let fits = |text: &String| pen.measure_text(text, small.size, value.best) <= room;
            if let Some(text) = bar_labels(value).into_iter().find(fits) {
                let at = (centre, above - 0.5 * small.size);
                pen.draw_text(&text, at, small.with_bold(value.best))?;
            }
            layout.marks.push(bar_mark(chart, g, i, r, &value.text, value.best));
        }
    }
    Ok(())
}

/// What may stand at a bar, the first that fits: its text, and of a number that is longer than those
/// between 0 and 1 fewer digits.
fn bar_labels(bar: &Bar) -> Vec<String> {
    let mut texts = vec![bar.text.clone()];
    if bar.value < 0.0 || bar.value >= 1.0 {
        texts.extend([2, 1, 0].map(|digits| fixed(bar.value, digits)));
    }
    if bar.value >= 1_000.0 {
        texts.extend([1, 0].map(|digits| format!("{}k", fixed(bar.value / 1_000.0, digits))));
    }
    texts
}

fn draw_curves<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Bars,
    tops: &ValueHeights,
    group: f64,
    layout: &mut Layout,
) -> Result<(), DrawError> {
    for (i, series) in chart.series.iter().enumerate() {
        let colour = pen.theme.role_colour(series.role);
        let mut path: Vec<CssPoint> = Vec::with_capacity(chart.groups.len());
        let mut best = None;
        let mut previous = f64::NEG_INFINITY;
        for (g, bar) in series.bars.iter().enumerate() {
            let Some(bar) = bar else { continue };
            let at = (tops.rect.x + (g as f64 + 0.5) * group, tops.height_of(bar.value));
            path.push(at);
            if bar.best {
                best = Some(at);
            }
            if bar.best || at.0 - previous >= MARK_GAP {
                previous = at.0;
                let r = PlotRect::square_around(at, 2.0);
                layout.marks.push(bar_mark(chart, g, i, r, &bar.text, bar.best));
            }
        }
        let stroke = match series.fill {
            BarFill::Solid => Stroke::Solid,
            BarFill::Hollow => Stroke::Dashed,
            BarFill::Striped => Stroke::Dotted,
            BarFill::Split => Stroke::Strong,
            BarFill::Dashed => Stroke::Faint,
        };
        pen.draw_curve(&path, stroke, colour)?;
        if let Some((x, y)) = best {
            pen.draw_pointer((x, y - 3.0), 5.0, colour)?;
        }
    }
    Ok(())
}

fn bar_mark(chart: &Bars, group: usize, series: usize, r: PlotRect, text: &str, best: bool) -> Mark {
    let series = chart.series.get(series).map_or("", |s| s.name.as_str());
    let place = chart.groups.get(group);
    let detail = place.and_then(|p| p.detail.as_deref());
    let label = place.map_or("", |p| p.label.as_str());
    let title = match detail {
        Some(detail) => format!("{label} ({detail})"),
        None => label.to_owned(),
    };
    let text = format!("{series}: {text}{}", if best { " (best)" } else { "" });
    Mark::on_series(r, series, title, text)
}

/// The names of the groups, as many as fit side by side.
fn draw_group_labels<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Bars,
    rect: PlotRect,
    group: f64,
) -> Result<(), DrawError> {
    let set = pen.default_text_format().align_centre();
    let texts: Vec<&str> =
        chart.groups.iter().flat_map(|g| [Some(g.label.as_str()), g.detail.as_deref()]).flatten().collect();
    let apart = pen.widest_text(&texts) + 0.7 * set.size;
    let every = if group > 0.0 { (apart / group).ceil().max(1.0) as usize } else { 1 };
    let y = rect.y + rect.h + 6.0 + 0.6 * set.size;
    for (g, place) in chart.groups.iter().enumerate().step_by(every) {
        let x = rect.x + (g as f64 + 0.5) * group;
        let half = 0.5 * pen.measure_text(&place.label, set.size, false);
        if g > 0 && x + half > pen.width {
            continue;
        }
        pen.draw_text(&place.label, (x, y), set.with_colour(pen.theme.ink))?;
        if let Some(detail) = &place.detail {
            pen.draw_text(detail, (x, y + 1.3 * set.size), set)?;
        }
    }
    Ok(())
}
