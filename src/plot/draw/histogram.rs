//! Histograms, and the values marked on them.

use plotters_backend::DrawingBackend;

use super::super::chart::{BarFill, Histogram, Role};
use super::super::format::fixed3;
use super::legend::{Item, Key};
use super::pen::Pen;
use super::{DrawError, Layout, Mark, PlotRect};

/// Bars narrower than this have no gap between them.
const GAPPED: f64 = 4.0;
/// Half the width in which a rule can be pointed at.
const REACH: f64 = 3.0;

/// The legend of a histogram: the marked values. (The bars are what the axes say.)
pub(in crate::plot) fn items(chart: &Histogram) -> Vec<Item<'_>> {
    let rule = |rule: &'_ super::super::chart::Rule| Key::Line(rule.stroke, rule.marker);
    chart
        .rules
        .iter()
        .map(|r| Item { name: &r.name, note: None, role: r.role, key: rule(r) })
        .collect()
}

pub(super) fn draw<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    chart: &Histogram,
) -> Result<Layout, DrawError> {
    let top = pen.legend(&items(chart), 0.0, 0.0)?;
    let frame = pen.frame(&chart.x, &chart.y, top)?;
    let rect = frame.rect;
    let floor = rect.y + rect.h;
    let mut layout = Layout { plot: rect, ..Layout::default() };
    let colour = pen.theme.role(Role::Extra);
    for bin in &chart.bins {
        let (left, peak) = frame.at(pen, bin.from, bin.count as f64);
        let (right, _) = frame.at(pen, bin.to, 0.0);
        let (x0, x1) = (pen.edge(left), pen.edge(right));
        let gap = if x1 - x0 >= GAPPED { 1.0 } else { 0.0 };
        let r = PlotRect { x: x0, y: peak, w: (x1 - x0 - gap).max(1.0), h: floor - peak };
        if bin.count > 0 {
            pen.bar(r, BarFill::Hollow, colour)?;
        }
        layout.marks.push(Mark {
            x: r.x,
            y: r.y,
            w: r.w,
            h: r.h,
            series: chart.counted.clone(),
            title: format!("{}{}", symbol(chart), bin.text()),
            text: format!("{} {}", bin.count, chart.counted),
        });
    }
    pen.horizontal(rect.x, rect.x + rect.w, floor, pen.theme.axis)?;
    let radius = if pen.width < 420.0 { 2.8 } else { 3.3 };
    for rule in &chart.rules {
        let colour = pen.theme.role(rule.role);
        let (x, y) = frame.at(pen, rule.x, chart.y.max);
        pen.curve(&[(x, floor), (x, y)], rule.stroke, colour)?;
    }
    // Last, so that no line crosses a marker; one below the other, so that equal values both show.
    for (i, rule) in chart.rules.iter().enumerate() {
        let (x, y) = frame.at(pen, rule.x, chart.y.max);
        let at = (x, y + 3.0 * radius * i as f64);
        pen.marker(rule.marker, at, 1.2 * radius, pen.theme.role(rule.role))?;
        layout.marks.push(Mark {
            x: x - REACH,
            y: rect.y,
            w: 2.0 * REACH,
            h: rect.h,
            series: rule.name.clone(),
            title: rule.name.clone(),
            text: format!("{}{}", symbol(chart), fixed3(rule.x)),
        });
    }
    Ok(layout)
}

/// "HV = ", or nothing.
fn symbol(chart: &Histogram) -> String {
    let symbol = &chart.x.symbol;
    if symbol.is_empty() { String::new() } else { format!("{symbol} = ") }
}
