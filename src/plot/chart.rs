//! The model of a chart: what is shown, with nothing about how it is drawn.

use serde::Serialize;

use super::format::{fixed, fixed3, trimmed};
use super::included::INCLUDED;
use super::instruments::{Boxes, Dots, Fronts, Projection, Ternary, ranked_table};
use crate::order::sorted;

/// A figure or a table of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// Stable name: "fig1a" … "fig5", "table3" … "table6", "ens-metrics" … "ens-printed".
    pub id: String,
    /// A short heading, e.g. "Figure 1(a). Metrics against the sparsity level".
    pub title: String,
    /// One sentence with the key numbers: the text alternative of the drawing.
    pub summary: String,
    /// What is shown and how to read it.
    pub caption: String,
    /// The data.
    pub body: Body,
}

/// The kinds of chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Body {
    /// Curves over a common x axis.
    Lines(Lines),
    /// Grouped bars.
    Bars(Bars),
    /// How often values fall where.
    Histogram(Histogram),
    /// Points, one quantity against another.
    Scatter(Scatter),
    /// Rows × columns of values as colours and numbers.
    Heatmap(Heatmap),
    /// Rows × columns of text, computed beside printed.
    Table(Table),
    /// Regions of a triangle of weights.
    Ternary(Ternary),
    /// Ranked points on two axes.
    Projection(Projection),
    /// The boxes of a hypervolume.
    Boxes(Boxes),
    /// Points, one quantity against another, with the front of each series.
    Fronts(Fronts),
    /// A value and its spread a row.
    Dots(Dots),
}

/// What a colour stands for; a [`Theme`](super::Theme) says which colour that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// S and its analogue, rate.
    Sparsity,
    /// F and its analogue, distortion.
    Fidelity,
    /// C and its analogue, relevance.
    Completeness,
    /// C_GT.
    GroundTruth,
    /// The joint score.
    Score,
    /// What the reader chose.
    Yours,
    /// A further category.
    Extra,
    /// Reference lines and keys that belong to no series.
    Neutral,
}

/// How a curve is stroked: the second cue beside its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stroke {
    /// Solid, of normal width.
    Solid,
    /// Solid and wide: the curve the figure is about.
    Strong,
    /// Long dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Thin short dashes: for comparison only.
    Faint,
    /// Points alone.
    None,
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    OpenCircle,
    OpenSquare,
    OpenTriangle,
    OpenDiamond,
    None,
}

/// A linear axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// Printed at the axis.
    pub title: String,
    /// Short name for readouts, e.g. "λ".
    pub symbol: String,
    /// Smallest value shown.
    pub min: f64,
    /// Largest value shown; greater than `min`.
    pub max: f64,
}

/// One point of a series.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Datum {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// What the point is, for readouts, e.g. "λ = 0.85".
    pub label: String,
}

/// A curve or a cloud of points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Name in the legend and in readouts.
    pub name: String,
    /// More about it in the legend, where there is room.
    pub note: Option<String>,
    /// Its colour.
    pub role: Role,
    /// How it is stroked.
    pub stroke: Stroke,
    /// How its points are marked; left out when they would touch.
    pub marker: Marker,
    /// In order of x. Every number is finite.
    pub points: Vec<Datum>,
    /// Spreads around the points, each within the one before it.
    pub bands: Vec<Spread>,
}

/// A band around a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Name in the legend and in readouts, e.g. "middle 90 %".
    pub name: String,
    /// Lower and upper edge at each point of the series. Every number is finite.
    pub edges: Vec<(f64, f64)>,
}

/// A line that is not data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reference {
    /// Name in the legend.
    pub name: String,
    /// Where it runs.
    pub place: Place,
}

/// Where a reference line runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Across the plot at this height.
    Horizontal(f64),
    /// Along y = x.
    Identity,
}

/// A point with a ring and a label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Highlight {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// Written beside it.
    pub label: String,
}

/// Curves over a common x axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lines {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The curves, drawn in this order.
    pub series: Vec<Series>,
    /// Lines that are not data.
    pub references: Vec<Reference>,
    /// A point to point out.
    pub highlight: Option<Highlight>,
}

/// Points, one quantity against another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scatter {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The clouds, drawn in this order.
    pub series: Vec<Series>,
    /// Lines that are not data.
    pub references: Vec<Reference>,
}

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

/// A value marked on a histogram by a line from top to bottom.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// Name in the legend and in readouts.
    pub name: String,
    /// The value.
    pub x: f64,
    /// Its colour.
    pub role: Role,
    /// How it is stroked.
    pub stroke: Stroke,
    /// At its top.
    pub marker: Marker,
}

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
    pub role: Option<Role>,
}

/// One bar in each group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BarSeries {
    /// Name in the legend and in readouts.
    pub name: String,
    /// More about it in the legend, where there is room.
    pub note: Option<String>,
    /// Its colour.
    pub role: Role,
    /// Solid or outlined.
    pub fill: BarFill,
    /// One for each group; none where there is no value.
    pub bars: Vec<Option<Bar>>,
}

/// How a bar is filled: the second cue beside its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BarFill {
    /// The colour throughout.
    Solid,
    /// An outline.
    Hollow,
    /// Stripes across the bar.
    Striped,
    /// Two halves along the bar, with a gap between them.
    Split,
    /// A dashed outline: the pinned result.
    Dashed,
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

/// Rows × columns of values as colours and numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heatmap {
    /// Title of the column axis.
    pub x_title: String,
    /// Title of the row axis.
    pub y_title: String,
    /// What the values are.
    pub value_title: String,
    /// Column names from left to right.
    pub columns: Vec<String>,
    /// Rows from top to bottom.
    pub rows: Vec<HeatRow>,
    /// The value of the palest colour.
    pub min: f64,
    /// The value of the deepest colour.
    pub max: f64,
    /// Decimals of the values; one fewer is written where cells are narrow.
    pub decimals: usize,
}

/// A row of a heatmap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatRow {
    /// Name.
    pub label: String,
    /// More about it, smaller.
    pub detail: Option<String>,
    /// One value a column.
    pub values: Vec<f64>,
    /// The column of the greatest value.
    pub best: Option<usize>,
}

/// Rows × columns of text, computed beside printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// From left to right.
    pub columns: Vec<Column>,
    /// From top to bottom; each as long as `columns`.
    pub rows: Vec<Vec<TableCell>>,
    /// The row to set off.
    pub best: Option<usize>,
}

/// Heading of a table's column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Name.
    pub label: String,
    /// More about it, e.g. the weights a score is under.
    pub detail: Option<String>,
    /// Alignment of its cells.
    pub align: Align,
}

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Align {
    Left,
    Right,
}

/// What is known about a cell against the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CellStatus"))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Not a result: a label or a setting.
    Plain,
    /// Rounds to what the paper prints.
    Agrees,
    /// Does not round to what the paper prints.
    Differs,
    /// A result the paper prints nothing for.
    NotCompared,
    /// The paper's number lies in the middle 90 % of an ensemble.
    Ordinary,
    /// It lies outside.
    Unusual,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableCell {
    /// As computed, at the paper's precision.
    pub text: String,
    /// As the paper prints it.
    pub printed: Option<String>,
    /// More about the text, smaller, where nothing is printed.
    pub detail: Option<String>,
    /// Against the paper.
    pub status: Status,
    /// The number at full precision, for readouts and exports: the detail's where there is one.
    pub exact: Option<f64>,
}

/// A chart as plain text: what a screen reader or a spreadsheet gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DataTable {
    /// Headings.
    pub columns: Vec<DataColumn>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<DataCell>>,
}

/// A heading of a [`DataTable`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DataColumn {
    /// What the column holds.
    pub title: String,
    /// Alignment of its cells.
    pub align: Align,
}

/// A cell of a [`DataTable`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DataCell {
    /// As computed, at the paper's precision.
    pub text: String,
    /// As the paper prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub printed: Option<String>,
    /// Against the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub status: Option<Status>,
}

impl DataTable {
    /// A table of texts of which nothing is printed: labels first, then numbers.
    pub(crate) fn plain(labels: usize, columns: Vec<String>, rows: Vec<Vec<String>>) -> Self {
        let align = |index| if index < labels { Align::Left } else { Align::Right };
        let column = |(index, title)| DataColumn { title, align: align(index) };
        let cell = |text| DataCell { text, printed: None, status: None };
        Self {
            columns: columns.into_iter().enumerate().map(column).collect(),
            rows: rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect(),
        }
    }
}

impl Chart {
    /// Whether it is a table rather than a drawing.
    #[must_use]
    pub fn is_table(&self) -> bool {
        matches!(self.body, Body::Table(_))
    }

    /// The same data as plain text, row by row.
    pub fn data_table(&self) -> DataTable {
        match &self.body {
            Body::Lines(lines) => series_table(&lines.x.title, &lines.series),
            Body::Histogram(histogram) => histogram_table(histogram),
            Body::Scatter(scatter) => scatter_table(scatter),
            Body::Bars(bars) => bars_table(bars),
            Body::Heatmap(map) => heatmap_table(map),
            Body::Table(table) => table_table(table),
            Body::Ternary(_)
            | Body::Projection(_)
            | Body::Boxes(_)
            | Body::Fronts(_)
            | Body::Dots(_)
                if !INCLUDED =>
            {
                DataTable::plain(0, Vec::new(), Vec::new())
            }
            Body::Ternary(map) => map.data_table(),
            Body::Projection(front) => front.data_table(),
            Body::Boxes(boxes) => ranked_table(&boxes.points),
            Body::Fronts(fronts) => scatter_table(&fronts.cloud),
            Body::Dots(dots) => dots.data_table(),
        }
    }
}

impl Axis {
    /// An axis from zero (or below, where the data go there) to one (or above).
    pub(crate) fn unit(title: &str, symbol: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for value in values {
            if value.is_finite() {
                low = low.min(value);
                high = high.max(value);
            }
        }
        let step = nice_step((high - low) / 5.0);
        Self {
            title: title.to_owned(),
            symbol: symbol.to_owned(),
            min: if low < 0.0 { (low / step).floor() * step } else { 0.0 },
            max: if high > 1.0 { (high / step).ceil() * step } else { 1.0 },
        }
    }
}

impl Axis {
    /// An axis around some values, from round number to round number.
    pub(crate) fn around(title: &str, symbol: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (low, high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        // Where there is no spread, a range that three decimals tell apart.
        let step = nice_step(((high - low) / 8.0).max(1e-3).max(1e-9 * high.abs().max(low.abs())));
        Self {
            title: title.to_owned(),
            symbol: symbol.to_owned(),
            min: (low / step - 1e-6).floor() * step,
            max: (high / step + 1e-6).floor() * step + step,
        }
    }

    /// An axis from zero to a round number not below `most`.
    pub(crate) fn from_zero(title: &str, most: f64) -> Self {
        let max = if most.is_finite() && most > 0.0 {
            let step = nice_step(most / 5.0);
            (most / step).ceil() * step
        } else {
            1.0
        };
        Self { title: title.to_owned(), symbol: String::new(), min: 0.0, max }
    }
}

/// The least of 1, 2, 2.5, 5 × 10ⁿ that is not below `raw`.
pub(crate) fn nice_step(raw: f64) -> f64 {
    if !raw.is_finite() || raw <= 0.0 {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::log10(raw).floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|step| *step >= raw * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// Every x at which a series has a point, in order.
pub(crate) fn abscissae(series: &[Series]) -> Vec<f64> {
    let mut xs = sorted(series.iter().flat_map(|s| s.points.iter().map(|p| p.x)));
    xs.dedup();
    xs
}

fn series_table(x_title: &str, series: &[Series]) -> DataTable {
    let xs = abscissae(series);
    let names = |s: &Series| {
        let bands = s.bands.iter().map(|band| format!("{}, {}", s.name, band.name));
        std::iter::once(s.name.clone()).chain(bands).collect::<Vec<_>>()
    };
    let columns =
        std::iter::once(x_title.to_owned()).chain(series.iter().flat_map(names)).collect();
    let cells = |s: &Series, x: f64| {
        let at = s.points.iter().position(|p| p.x == x);
        let value = at.and_then(|at| s.points.get(at)).map(|p| fixed3(p.y));
        let bands = s.bands.iter().map(|band| at.and_then(|at| band.text(at)));
        std::iter::once(value).chain(bands).map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    let rows = xs
        .into_iter()
        .map(|x| {
            let values = series.iter().flat_map(|s| cells(s, x));
            std::iter::once(trimmed(x)).chain(values).collect()
        })
        .collect();
    DataTable::plain(0, columns, rows)
}

impl Spread {
    /// "0.881–0.923", at one of the points.
    pub(crate) fn text(&self, at: usize) -> Option<String> {
        self.edges.get(at).map(|(low, high)| format!("{}–{}", fixed3(*low), fixed3(*high)))
    }
}

impl Bin {
    /// "0.870 to 0.874".
    pub(crate) fn text(&self) -> String {
        format!("{} to {}", trimmed(self.from), trimmed(self.to))
    }
}

fn histogram_table(histogram: &Histogram) -> DataTable {
    let columns = vec![histogram.x.title.clone(), histogram.counted.clone()];
    let bins = histogram.bins.iter().map(|bin| vec![bin.text(), bin.count.to_string()]);
    let rules = histogram
        .rules
        .iter()
        .map(|rule| vec![format!("{}: {}", rule.name, fixed3(rule.x)), String::new()]);
    DataTable::plain(1, columns, bins.chain(rules).collect())
}

fn scatter_table(scatter: &Scatter) -> DataTable {
    let columns = ["Pair", "Point", &scatter.x.title, &scatter.y.title];
    let row =
        |s: &Series, p: &Datum| vec![s.name.clone(), p.label.clone(), fixed3(p.x), fixed3(p.y)];
    DataTable::plain(
        2,
        columns.into_iter().map(str::to_owned).collect(),
        scatter.series.iter().flat_map(|s| s.points.iter().map(move |p| row(s, p))).collect(),
    )
}

fn bars_table(bars: &Bars) -> DataTable {
    let columns = std::iter::once(bars.x_title.clone())
        .chain(bars.series.iter().map(|s| s.name.clone()))
        .collect();
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
    DataTable::plain(1, columns, rows)
}

fn heatmap_table(map: &Heatmap) -> DataTable {
    let columns = std::iter::once(map.y_title.clone()).chain(map.columns.iter().cloned()).collect();
    let rows = map
        .rows
        .iter()
        .map(|row| {
            let label = match &row.detail {
                Some(detail) => format!("{} ({detail})", row.label),
                None => row.label.clone(),
            };
            let cells = row.values.iter().enumerate().map(|(c, value)| {
                let value = fixed(*value, map.decimals);
                if row.best == Some(c) { format!("{value} (best)") } else { value }
            });
            std::iter::once(label).chain(cells).collect()
        })
        .collect();
    DataTable::plain(1, columns, rows)
}

fn table_table(table: &Table) -> DataTable {
    let heading = |c: &Column| DataColumn {
        title: match &c.detail {
            Some(detail) => format!("{} {detail}", c.label),
            None => c.label.clone(),
        },
        align: c.align,
    };
    let cell = |c: &TableCell| DataCell {
        text: match (&c.printed, &c.detail, c.status) {
            // The sign is not seen here.
            (None, Some(detail), Status::Unusual) if detail != "unusual" => {
                format!("{} {detail}, unusual", c.text)
            }
            (None, Some(detail), _) => format!("{} {detail}", c.text),
            _ => c.text.clone(),
        },
        printed: c.printed.clone(),
        status: (c.status != Status::Plain).then_some(c.status),
    };
    DataTable {
        columns: table.columns.iter().map(heading).collect(),
        rows: table.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
    }
}
