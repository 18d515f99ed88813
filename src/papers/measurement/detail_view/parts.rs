//! What pictures are put together from.

use super::{Cell, DetailView, Limit, NamedValues, Panel, PanelContent, PlaneSeries, Quantity};
use crate::order::sorted;
use crate::papers::measurement::Settings;
use crate::papers::measurement::metric::QuantityValue;
use crate::papers::measurement::toy_model::{POSITIONS_SEED_AND_COUNT, ResidualStream};
use crate::plot::format::fixed3;

/// Most values of a histogram's series.
const HISTOGRAM_VALUES_MAX: usize = 2_000;
/// Words of a list that a table shows.
const LIST_WORDS_MAX: usize = 12;

impl DetailView {
    pub(super) fn new(metric: &str) -> Self {
        Self { metric: metric.to_owned(), ..Self::default() }
    }

    /// A quantity; one that is no finite number is none.
    pub(super) fn add_quantity(&mut self, subject: &str, name: &str, value: &impl QuantityValue) {
        let value = value.number().filter(|value| value.is_finite());
        let (name, subject) = (name.to_owned(), subject.to_owned());
        self.quantities.push(Quantity { name, subject, value });
    }

    /// All quantities of a result.
    pub(super) fn add_quantities(&mut self, subject: &str, quantities: Vec<(&'static str, Option<f64>)>) {
        for (name, value) in quantities {
            self.add_quantity(subject, name, &value);
        }
    }

    pub(super) fn add_panel(&mut self, title: &str, summary: String, caption: String, shown: PanelContent) {
        self.panels.push(Panel { title: title.to_owned(), summary, caption, shown });
    }
}

/// A point of a plane.
pub(super) type PlanePoint = (f64, f64, String);

impl PlaneSeries {
    /// Points by themselves; those that are no numbers are left out.
    pub(super) fn scatter(name: impl Into<String>, points: impl IntoIterator<Item = PlanePoint>) -> Self {
        let finite = |point: &PlanePoint| point.0.is_finite() && point.1.is_finite();
        let points = points.into_iter().filter(finite).collect();
        Self { name: name.into(), joined: false, control: false, points }
    }

    /// The same joined.
    pub(super) fn line(name: impl Into<String>, points: impl IntoIterator<Item = PlanePoint>) -> Self {
        Self { joined: true, ..Self::scatter(name, points) }
    }

    /// A line of values at places that are counted from `first` on.
    pub(super) fn indexed_line(name: impl Into<String>, first: usize, values: &[f64]) -> Self {
        let each = values.iter().enumerate();
        Self::line(name, each.map(|(at, value)| ((first + at) as f64, *value, String::new())))
    }

    /// As a control.
    pub(super) fn into_control(self) -> Self {
        Self { control: true, ..self }
    }

    /// As a control or not.
    pub(super) fn with_control(self, control: bool) -> Self {
        Self { control, ..self }
    }
}

impl NamedValues {
    /// At most [`HISTOGRAM_VALUES_MAX`] of the finite ones, evenly by rank.
    pub(super) fn from_values(name: impl Into<String>, control: bool, values: impl IntoIterator<Item = f64>) -> Self {
        let all = sorted(values.into_iter().filter(|value| value.is_finite()));
        let step = all.len().div_ceil(HISTOGRAM_VALUES_MAX).max(1);
        let values = all.into_iter().skip(step / 2).step_by(step).collect();
        Self { name: name.into(), control, values }
    }
}

pub(super) fn limit_line(name: impl Into<String>, at: f64) -> Limit {
    Limit { name: name.into(), at }
}

pub(super) fn plane_content(x: &str, y: &str, series: Vec<PlaneSeries>, limits: Vec<Limit>) -> PanelContent {
    PanelContent::Plane { x: x.to_owned(), y: y.to_owned(), series, limits }
}

pub(super) fn histogram_content(x: &str, series: Vec<NamedValues>, limits: Vec<Limit>) -> PanelContent {
    PanelContent::Histogram { x: x.to_owned(), series, limits }
}

pub(super) fn table_content(columns: &[&str], rows: Vec<Vec<Cell>>) -> PanelContent {
    PanelContent::Table { columns: columns.iter().map(|name| (*name).to_owned()).collect(), rows }
}

/// A cell with words.
pub(super) fn text_cell(text: impl Into<String>) -> Cell {
    Cell::Words(text.into())
}

/// A cell with a number, or a dash where there is none.
pub(super) fn number_cell(value: impl Into<Option<f64>>) -> Cell {
    match value.into() {
        Some(value) if value.is_finite() => Cell::Number(value),
        _ => text_cell("–"),
    }
}

/// A cell with how many there are.
pub(super) fn count_cell(value: usize) -> Cell {
    text_cell(crate::plot::format::format_grouped(value))
}

/// A number in a sentence, or that there is none.
pub(super) fn format_value(value: impl Into<Option<f64>>) -> String {
    value.into().filter(|value| value.is_finite()).map_or("no value".to_owned(), fixed3)
}

/// The first words of a list, and whether there are more.
pub(super) fn format_word_list(list: &[String]) -> String {
    // A comma is a word, too.
    let shown = list.get(..LIST_WORDS_MAX).unwrap_or(list).join(" · ");
    if list.len() > LIST_WORDS_MAX { format!("{shown} · …") } else { shown }
}

/// Of an order, a few that come first, in the middle, and last; each once.
pub(super) fn pick_ends_and_middle(order: &[usize], each: usize) -> Vec<usize> {
    let middle = (order.len() / 2).saturating_sub(each / 2);
    let last = order.len().saturating_sub(each);
    let mut found: Vec<usize> = Vec::new();
    for from in [0, middle, last] {
        for at in order.iter().skip(from).take(each) {
            if !found.contains(at) {
                found.push(*at);
            }
        }
    }
    found
}

/// The mean; 0 of nothing.
pub(super) fn mean_or_zero(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The residual stream at the positions that most metrics take.
pub(super) fn read_residual_stream(settings: &Settings) -> Result<ResidualStream, super::MeasurementError> {
    ResidualStream::for_checkpoint(&settings.checkpoint, POSITIONS_SEED_AND_COUNT.1)
}
