//! A chart's data for programs: typed, at full precision.

use serde::Serialize;

use super::chart::{
    Bars, Body, Chart, Datum, Heatmap, Histogram, Place, Reference, Scatter, Series, Status, Table,
    abscissae,
};
use super::instruments::{Boxes, Dots, Projection, Ranked, Ternary};

/// What a chart shows, in rows and columns: numbers as computed, not as rounded for the eye.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Data {
    /// Headings.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}

/// One value of [`Data`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// No value, or none that is a number.
    Missing,
    /// Yes or no.
    Flag(bool),
    /// A finite number.
    Number(f64),
    /// A label.
    Text(String),
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Missing }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        if matches!(text, "" | "–") { Self::Missing } else { Self::Text(text.to_owned()) }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, T::into)
    }
}

/// A column with its values, from the first row to the last.
type Column = (String, Vec<Value>);

impl Chart {
    /// The same data as [`Self::data_table`]'s, typed and at full precision.
    ///
    /// What shares a cell there has a column of its own here: the printed value, whether it agrees,
    /// and details in small print. A horizontal reference line is a column of one value.
    #[must_use]
    pub fn data(&self) -> Data {
        let columns = match &self.body {
            Body::Lines(lines) => curves(&lines.x.title, &lines.series, &lines.references),
            Body::Scatter(scatter) => clouds(scatter),
            Body::Bars(bars) => groups(bars),
            Body::Histogram(histogram) => bins(histogram),
            Body::Heatmap(map) => heat(map),
            Body::Table(table) => cells(table),
            Body::Ternary(map) => regions(map),
            Body::Projection(Projection { points, pinned, .. }) => beside(points, pinned),
            Body::Boxes(Boxes { points, .. }) => ranked(points),
            Body::Fronts(fronts) => clouds(&fronts.cloud),
            Body::Dots(dots) => rows(dots),
        };
        let height = columns.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let row = |r: usize| {
            let at = |(_, values): &Column| values.get(r).cloned().unwrap_or(Value::Missing);
            columns.iter().map(at).collect()
        };
        Data {
            rows: (0..height).map(row).collect(),
            columns: columns.iter().map(|(title, _)| title.clone()).collect(),
        }
    }
}

fn curves(x_title: &str, series: &[Series], references: &[Reference]) -> Vec<Column> {
    let xs = abscissae(series);
    let mut columns = vec![(x_title.to_owned(), xs.iter().map(|x| Value::from(*x)).collect())];
    for s in series {
        let at = |x: &f64| s.points.iter().position(|p| p.x == *x);
        let value = |x: &f64| Value::from(at(x).and_then(|at| s.points.get(at)).map(|p| p.y));
        columns.push((s.name.clone(), xs.iter().map(value).collect()));
        for band in &s.bands {
            let edges: Vec<_> =
                xs.iter().map(|x| at(x).and_then(|at| band.edges.get(at))).collect();
            let column = |edge: fn(&(f64, f64)) -> f64| {
                edges.iter().map(|found| Value::from(found.map(edge))).collect()
            };
            columns.push((format!("{}, {}: from", s.name, band.name), column(|e| e.0)));
            columns.push((format!("{}, {}: to", s.name, band.name), column(|e| e.1)));
        }
    }
    for reference in references {
        if let Place::Horizontal(y) = reference.place {
            columns.push((reference.name.clone(), vec![Value::from(y); xs.len()]));
        }
    }
    columns
}

/// Who wins inside, and who only on the edges of the map.
fn regions(map: &Ternary) -> Vec<Column> {
    let inside = map.regions.iter().map(|r| (r.label.as_str(), r.share));
    let edges = map.borders.iter().map(|b| (b.label.as_str(), 0.0));
    let (labels, shares): (Vec<_>, Vec<_>) =
        inside.chain(edges).map(|(label, share)| (Value::from(label), Value::from(share))).unzip();
    vec![("Winner".to_owned(), labels), ("Share of all weights".to_owned(), shares)]
}

fn rows(dots: &Dots) -> Vec<Column> {
    let names = dots.rows.iter().map(|r| (r.label.as_str(), r.detail.as_deref()));
    let mut columns = labels(&dots.rows_title, names);
    let numbers = |value: fn(&super::instruments::DotRow) -> f64| {
        dots.rows.iter().map(|r| Value::from(value(r))).collect()
    };
    columns.push((dots.x.title.clone(), numbers(|r| r.value)));
    columns.push((format!("{}: from", dots.spread_title), numbers(|r| r.spread.0)));
    columns.push((format!("{}: to", dots.spread_title), numbers(|r| r.spread.1)));
    columns
}

fn ranked(points: &[Ranked]) -> Vec<Column> {
    let column = |title: &str, value: &dyn Fn(&Ranked) -> Value| {
        (title.to_owned(), points.iter().map(value).collect())
    };
    vec![
        column("Point", &|p| Value::from(p.title.as_str())),
        column("S", &|p| Value::from(p.at[0])),
        column("F", &|p| Value::from(p.at[1])),
        column("C", &|p| Value::from(p.at[2])),
        column("on the front", &|p| Value::Flag(p.on_front)),
        column("exclusive contribution", &|p| Value::from(p.contribution)),
        column("dominated by", &|p| {
            Value::from(p.by.and_then(|by| points.get(by)).map(|other| other.title.as_str()))
        }),
    ]
}

/// Ranked points, and those of a pinned result under them, told apart by a column where there are any.
fn beside(points: &[Ranked], pinned: &[Ranked]) -> Vec<Column> {
    let mut columns = ranked(points);
    if !pinned.is_empty() {
        for ((_, values), (_, more)) in columns.iter_mut().zip(ranked(pinned)) {
            values.extend(more);
        }
        let which = (0..points.len() + pinned.len()).map(|row| Value::Flag(row >= points.len()));
        columns.push(("pinned".to_owned(), which.collect()));
    }
    columns
}

/// Intervals with their counts, then the marked values, which have a name in their stead.
fn bins(histogram: &Histogram) -> Vec<Column> {
    let (bins, rules) = (&histogram.bins, &histogram.rules);
    let column = |of_bin: &dyn Fn(usize) -> Value, of_rule: &dyn Fn(usize) -> Value| {
        (0..bins.len()).map(of_bin).chain((0..rules.len()).map(of_rule)).collect()
    };
    let title = &histogram.x.title;
    vec![
        (
            "marked".to_owned(),
            column(&|_| Value::Missing, &|r| Value::from(rules[r].name.as_str())),
        ),
        (
            format!("{title}: from"),
            column(&|b| Value::from(bins[b].from), &|r| Value::from(rules[r].x)),
        ),
        (
            format!("{title}: to"),
            column(&|b| Value::from(bins[b].to), &|r| Value::from(rules[r].x)),
        ),
        (
            histogram.counted.clone(),
            column(&|b| Value::from(bins[b].count as f64), &|_| Value::Missing),
        ),
    ]
}

fn clouds(scatter: &Scatter) -> Vec<Column> {
    let points: Vec<(&str, &Datum)> = scatter
        .series
        .iter()
        .flat_map(|s| s.points.iter().map(|point| (s.name.as_str(), point)))
        .collect();
    let column = |title: &str, value: &dyn Fn(&(&str, &Datum)) -> Value| {
        (title.to_owned(), points.iter().map(value).collect())
    };
    vec![
        column("Pair", &|(pair, _)| Value::from(*pair)),
        column("Point", &|(_, point)| Value::from(point.label.as_str())),
        column(&scatter.x.title, &|(_, point)| Value::from(point.x)),
        column(&scatter.y.title, &|(_, point)| Value::from(point.y)),
    ]
}

/// Labels, and what is said about them where anything is.
fn labels<'a>(
    title: &str,
    rows: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
) -> Vec<Column> {
    let mut columns =
        vec![(title.to_owned(), rows.clone().map(|(label, _)| Value::from(label)).collect())];
    if rows.clone().any(|(_, detail)| detail.is_some()) {
        columns.push(("detail".to_owned(), rows.map(|(_, detail)| Value::from(detail)).collect()));
    }
    columns
}

fn groups(bars: &Bars) -> Vec<Column> {
    let rows = bars.groups.iter().map(|g| (g.label.as_str(), g.detail.as_deref()));
    let mut columns = labels(&bars.x_title, rows);
    for s in &bars.series {
        let values = s.bars.iter().map(|bar| Value::from(bar.as_ref().map(|b| b.value)));
        columns.push((s.name.clone(), values.collect()));
    }
    columns
}

fn heat(map: &Heatmap) -> Vec<Column> {
    let rows = map.rows.iter().map(|row| (row.label.as_str(), row.detail.as_deref()));
    let mut columns = labels(&map.y_title, rows);
    for (c, title) in map.columns.iter().enumerate() {
        let values = map.rows.iter().map(|row| Value::from(row.values.get(c).copied()));
        columns.push((title.clone(), values.collect()));
    }
    columns
}

fn cells(table: &Table) -> Vec<Column> {
    let mut columns = Vec::new();
    for (c, heading) in table.columns.iter().enumerate() {
        let title = match &heading.detail {
            Some(detail) => format!("{} {detail}", heading.label),
            None => heading.label.clone(),
        };
        let [mut main, mut details, mut printed, mut agrees] = [const { Vec::new() }; 4];
        for cell in table.rows.iter().filter_map(|row| row.get(c)) {
            let text = Value::from(cell.text.as_str());
            let exact = cell.exact.map(Value::from);
            let (value, detail) = match cell.detail.as_deref() {
                // Where there is a detail, the number is in it.
                Some(detail) => (text, exact.unwrap_or_else(|| Value::from(detail))),
                None => (exact.unwrap_or(text), Value::Missing),
            };
            main.push(value);
            details.push(detail);
            printed.push(cell.printed.as_deref().map_or(Value::Missing, typed));
            agrees.push(match cell.status {
                Status::Agrees => Value::Flag(true),
                Status::Differs => Value::Flag(false),
                _ => Value::Missing,
            });
        }
        let more = [("detail", details), ("printed", printed), ("agrees", agrees)]
            .into_iter()
            .filter(|(_, values)| values.iter().any(|value| *value != Value::Missing))
            .map(|(what, values)| (format!("{title} ({what})"), values));
        let more: Vec<Column> = more.collect();
        columns.push((title, main));
        columns.extend(more);
    }
    columns
}

/// What the paper prints: a number where it reads as one, such as "0.874"; else the text.
fn typed(printed: &str) -> Value {
    decimal(printed).map_or_else(|| Value::from(printed), Value::from)
}

/// A decimal of at most 15 digits. Both integers are exact then, and so their quotient is the nearest
/// number; the standard library's parser would add its tables to what the page loads.
fn decimal(text: &str) -> Option<f64> {
    let (sign, text) = text.strip_prefix('−').map_or((1.0, text), |rest| (-1.0, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = || whole.bytes().chain(fraction.bytes());
    let plain = !whole.is_empty() && digits().all(|b| b.is_ascii_digit()) && digits().count() <= 15;
    let value = |digits: f64, b: u8| digits * 10.0 + f64::from(b - b'0');
    let divisor = fraction.bytes().fold(1.0, |power, _| power * 10.0);
    plain.then(|| sign * digits().fold(0.0, value) / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_decimals_are_read_as_the_standard_library_reads_them() {
        for thousandths in 0..2_000 {
            let text = format!("{:.3}", f64::from(thousandths) / 1000.0);
            assert_eq!(decimal(&text), text.parse().ok(), "{text}");
        }
        for text in ["0", "48", "7.25", "123456789012.345"] {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        assert_eq!(decimal("−53.21"), Some(-53.21));
        for text in ["", ".", "8/8", "SAE-sp85", "1e5", "+1", "1.2.3", "1234567890.1234567"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}
