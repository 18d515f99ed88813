//! Histograms, and the values marked on them.

use plotters_backend::DrawingBackend;
use serde::Serialize;

use crate::plot::data::{DataValue, NamedValues};
use crate::plot::data_table::DataTable;
use crate::plot::format::{fixed3, format_trimmed};
use crate::plot::frame::framed_height;
use crate::plot::layout::{DrawError, Layout, Mark, PlotRect};
use crate::plot::legend::{LegendItem, LegendKey};
use crate::plot::parts::{Axis, BarFill, ColourRole, Marker, Stroke};
use crate::plot::pen::Pen;

/// How often values fall where.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Horizontal axis: the values.
    pub x: Axis,
    /// Vertical axis: counts from 0.
    pub y: Axis,
    /// What is counted, e.g. "seeds".
    pub counted: String,
    /// Intervals side by side, from left to right.
    pub bins: Vec<Bin>,
    /// Values to compare with.
    pub rules: Vec<Rule>,
}

/// An interval of a histogram; it has its lower end, and the last one its upper end too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// Lower end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
    /// Values in it.
    pub count: usize,
}

impl Bin {
    /// "0.870 to 0.874".
    pub(crate) fn format_range(&self) -> String {
        format!("{} to {}", format_trimmed(self.from), format_trimmed(self.to))
    }
}

/// A value marked on a histogram by a line from top to bottom.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// Name in the legend and in readouts.
    pub name: String,
    /// The value.
    pub x: f64,
    /// Its colour.
    pub role: ColourRole,
    /// How it is stroked.
    pub stroke: Stroke,
    /// At its top.
    pub marker: Marker,
}

/// Bars narrower than this have no gap between them.
const GAPPED_BAR_WIDTH_MIN: f64 = 4.0;
/// Half the width in which a rule can be pointed at.
const RULE_HALF_WIDTH: f64 = 3.0;

/// The legend of a histogram: the marked values. (The bars are what the axes say.)
fn legend_items(chart: &Histogram) -> Vec<LegendItem<'_>> {
    let rule = |rule: &Rule| LegendKey::Line(rule.stroke, rule.marker);
    chart.rules.iter().map(|r| LegendItem { name: &r.name, note: None, role: r.role, key: rule(r) }).collect()
}

pub(crate) fn data_table(histogram: &Histogram) -> DataTable {
    let columns = vec![histogram.x.title.clone(), histogram.counted.clone()];
    let bins = histogram.bins.iter().map(|bin| vec![bin.format_range(), bin.count.to_string()]);
    let rules = histogram.rules.iter().map(|rule| vec![format!("{}: {}", rule.name, fixed3(rule.x)), String::new()]);
    DataTable::from_texts(1, columns, bins.chain(rules).collect())
}

/// Intervals with their counts, then the marked values, which have a name in their stead.
pub(crate) fn named_values(histogram: &Histogram) -> Vec<NamedValues> {
    let (bins, rules) = (&histogram.bins, &histogram.rules);
    let column = |of_bin: &dyn Fn(usize) -> DataValue, of_rule: &dyn Fn(usize) -> DataValue| {
        (0..bins.len()).map(of_bin).chain((0..rules.len()).map(of_rule)).collect()
    };
    let title = &histogram.x.title;
    vec![
        ("marked".to_owned(), column(&|_| DataValue::Missing, &|r| DataValue::from(rules[r].name.as_str()))),
        (format!("{title}: from"), column(&|b| DataValue::from(bins[b].from), &|r| DataValue::from(rules[r].x))),
        (format!("{title}: to"), column(&|b| DataValue::from(bins[b].to), &|r| DataValue::from(rules[r].x))),
        (histogram.counted.clone(), column(&|b| DataValue::from(bins[b].count as f64), &|_| DataValue::Missing)),
    ]
}

/// The height at which it reads well at a width.
pub(crate) fn height(chart: &Histogram, width: f64) -> f64 {
    framed_height(&legend_items(chart), width)
}

pub(crate) fn draw<DB: DrawingBackend>(pen: &Pen<'_, DB>, chart: &Histogram) -> Result<Layout, DrawError> {
    let top = pen.draw_legend(&legend_items(chart), 0.0, 0.0)?;
    let frame = pen.draw_frame(&chart.x, &chart.y, top)?;
    let rect = frame.rect;
    let floor = rect.y + rect.h;
    let mut layout = Layout { plot: rect, ..Layout::default() };
    let colour = pen.theme.role_colour(ColourRole::Extra);
    for bin in &chart.bins {
        let (left, peak) = frame.point_at(pen, bin.from, bin.count as f64);
        let (right, _) = frame.point_at(pen, bin.to, 0.0);
        let (x0, x1) = (pen.snap_to_edge(left), pen.snap_to_edge(right));
        let gap = if x1 - x0 >= GAPPED_BAR_WIDTH_MIN { 1.0 } else { 0.0 };
        let r = PlotRect { x: x0, y: peak, w: (x1 - x0 - gap).max(1.0), h: floor - peak };
        if bin.count > 0 {
            pen.draw_bar(r, BarFill::Hollow, colour)?;
        }
        let title = format!("{}{}", symbol_prefix(chart), bin.format_range());
        let text = format!("{} {}", bin.count, chart.counted);
        layout.marks.push(Mark::on_series(r, &chart.counted, title, text));
    }
    pen.draw_horizontal_line(rect.x, rect.x + rect.w, floor, pen.theme.axis)?;
    let radius = if pen.width < 420.0 { 2.8 } else { 3.3 };
    for rule in &chart.rules {
        let colour = pen.theme.role_colour(rule.role);
        let (x, y) = frame.point_at(pen, rule.x, chart.y.max);
        pen.draw_curve(&[(x, floor), (x, y)], rule.stroke, colour)?;
    }
    // Last, so that no line crosses a marker; one below the other, so that equal values both show.
    for (i, rule) in chart.rules.iter().enumerate() {
        let (x, y) = frame.point_at(pen, rule.x, chart.y.max);
        let at = (x, y + 3.0 * radius * i as f64);
        pen.draw_marker(rule.marker, at, 1.2 * radius, pen.theme.role_colour(rule.role))?;
        let place = PlotRect { x: x - RULE_HALF_WIDTH, y: rect.y, w: 2.0 * RULE_HALF_WIDTH, h: rect.h };
        let text = format!("{}{}", symbol_prefix(chart), fixed3(rule.x));
        layout.marks.push(Mark::on_series(place, &rule.name, rule.name.clone(), text));
    }
    Ok(layout)
}

/// "HV = ", or nothing.
fn symbol_prefix(chart: &Histogram) -> String {
    let symbol = &chart.x.symbol;
    if symbol.is_empty() { String::new() } else { format!("{symbol} = ") }
}
