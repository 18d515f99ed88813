//! What several kinds of chart are made of: roles, strokes, markers, axes, series.

use serde::Serialize;

use super::format::fixed3;

/// What a colour stands for; a [`Theme`](super::Theme) says which colour that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColourRole {
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
    /// Solid, through points that follow one another in time and not along x: each is marked.
    Path,
    /// As a path, with its end marked alone.
    Arrow,
    /// Points alone.
    None,
}

impl Stroke {
    /// Whether it runs wherever its points lead, and not along x.
    pub(crate) const fn is_parametric(self) -> bool {
        matches!(self, Self::Path | Self::Arrow)
    }
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

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Align {
    Left,
    Right,
}

/// What is known about a cell against the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "CellStatus"))]
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

impl Axis {
    /// An axis from zero (or below, where the data go there) to one (or above).
    pub(crate) fn unit_range(title: &str, symbol: &str, values: impl IntoIterator<Item = f64>) -> Self {
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

    /// An axis around some values, from round number to round number.
    pub(crate) fn around_values(title: &str, symbol: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = min_max(values.into_iter().filter(|value| value.is_finite()));
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

    /// The axis of a share in percent, which ends where shares do, unless values lie beyond.
    pub(crate) fn for_shares(title: &str, symbol: &str, values: &[f64]) -> Self {
        let around = Self::around_values(title, symbol, values.iter().copied());
        let all = |inside: fn(f64) -> bool| values.iter().all(|value| inside(*value));
        let min = if all(|value| value >= 0.0) { around.min.max(0.0) } else { around.min };
        let max = if all(|value| value <= 100.0) { around.max.min(100.0) } else { around.max };
        Self { min, max, ..around }
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

    /// The same axis with a short name for readouts.
    pub(crate) fn with_symbol(self, symbol: &str) -> Self {
        Self { symbol: symbol.to_owned(), ..self }
    }
}

/// The least and the greatest of some values; of none, infinities of which the first is the greater.
pub(crate) fn min_max(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    values.into_iter().fold(none, |(low, high), value| (low.min(value), high.max(value)))
}

/// The least of 1, 2, 2.5, 5 × 10ⁿ that is not below `raw`; not 2.5 itself, as what is counted has no halves.
pub(crate) fn nice_step(raw: f64) -> f64 {
    if !raw.is_finite() || raw <= 0.0 {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::log10(raw).floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .filter(|step| *step != 2.5)
        .find(|step| *step >= raw * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
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
    pub role: ColourRole,
    /// How it is stroked.
    pub stroke: Stroke,
    /// How its points are marked; left out when they would touch.
    pub marker: Marker,
    /// In order of x. Every number is finite.
    pub points: Vec<Datum>,
    /// Spreads around the points, each within the one before it.
    pub bands: Vec<CurveBand>,
}

impl Series {
    /// A series without a note or bands.
    pub(crate) fn new(name: &str, role: ColourRole, stroke: Stroke, marker: Marker, points: Vec<Datum>) -> Self {
        let (name, note, bands) = (name.to_owned(), None, Vec::new());
        Self { name, note, role, stroke, marker, points, bands }
    }
}

/// The horizontal values of all points.
pub(crate) fn x_values(series: &[Series]) -> impl Iterator<Item = f64> + '_ {
    series.iter().flat_map(|s| s.points.iter().map(|p| p.x))
}

/// The vertical values of all points.
pub(crate) fn y_values(series: &[Series]) -> impl Iterator<Item = f64> + '_ {
    series.iter().flat_map(|s| s.points.iter().map(|p| p.y))
}

/// The lower and upper edges of all bands.
pub(crate) fn band_edges(series: &[Series]) -> impl Iterator<Item = f64> + '_ {
    let edges = series.iter().flat_map(|s| &s.bands).flat_map(|band| &band.edges);
    edges.flat_map(|(low, high)| [*low, *high])
}

/// A band around a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurveBand {
    /// Name in the legend and in readouts, e.g. "middle 90 %".
    pub name: String,
    /// Lower and upper edge at each point of the series. Every number is finite.
    pub edges: Vec<(f64, f64)>,
}

impl CurveBand {
    /// "0.881–0.923", at one of the points.
    pub(crate) fn format_at(&self, at: usize) -> Option<String> {
        self.edges.get(at).map(|(low, high)| format!("{}–{}", fixed3(*low), fixed3(*high)))
    }
}

/// A line that is not data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReferenceLine {
    /// Name in the legend.
    pub name: String,
    /// Where it runs.
    pub place: ReferencePosition,
}

/// Where a reference line runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReferencePosition {
    /// Across the plot at this height.
    Horizontal(f64),
    /// Along y = x.
    Identity,
}
