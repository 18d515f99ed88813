use serde::Deserialize;

use crate::plot::format::{fixed3, format_decimals};
use crate::plot::{Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Chart, ChartBody, ColourRole};

/// Measurements to draw as bars: what a benchmark found, in whatever unit.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct BarChartSpec {
    /// Stable name.
    pub id: String,
    /// A short heading.
    pub title: String,
    /// One sentence with the key numbers.
    pub summary: String,
    /// What is shown and how to read it.
    pub caption: String,
    /// Title of the axis the groups stand on.
    pub x_title: String,
    /// Title of the vertical axis, with the unit.
    pub y_title: String,
    /// Each group's label and, where it has one, what stands under it, smaller.
    pub groups: Vec<(String, Option<String>)>,
    /// One bar a group for each.
    pub series: Vec<BarSeriesSpec>,
}

/// One bar in each group.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct BarSeriesSpec {
    /// Name in the legend and in readouts.
    pub name: String,
    /// One a group; none, or no number, where nothing was measured.
    pub values: Vec<Option<f64>>,
}

impl BarChartSpec {
    /// The chart. The last series is filled, those before it are outlined: they are what it is
    /// compared with.
    #[must_use]
    pub fn into_chart(self) -> Chart {
        let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
        let groups = self.groups.len();
        let drawn = self.series.iter().flat_map(|s| s.values.iter().take(groups));
        let most = drawn.filter_map(finite).fold(0.0, f64::max);
        let last = self.series.len().saturating_sub(1);
        let bar = |value: &Option<f64>| {
            finite(value).map(|value| Bar { value, text: format_three_figures(value), best: false })
        };
        let series = self
            .series
            .iter()
            .enumerate()
            .map(|(at, s)| BarSeries {
                name: s.name.clone(),
                note: None,
                role: if at == last { ColourRole::Sparsity } else { ColourRole::Neutral },
                fill: if at == last { BarFill::Solid } else { BarFill::Hollow },
                bars: (0..groups).map(|g| s.values.get(g).and_then(bar)).collect(),
            })
            .collect();
        let group = |(label, detail)| BarGroup { label, detail, role: None };
        let y = Axis::from_zero(&self.y_title, most);
        let body = ChartBody::Bars(Bars {
            x_title: self.x_title,
            y,
            groups: self.groups.into_iter().map(group).collect(),
            series,
        });
        Chart { id: self.id, title: self.title, summary: self.summary, caption: self.caption, body }
    }
}

/// Three significant figures of a number that is mostly between 0.01 and 1000.
fn format_three_figures(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format_decimals(value, 0),
        size if size >= 10.0 => format_decimals(value, 1),
        size if size >= 1.0 => format_decimals(value, 2),
        _ => fixed3(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(values: Vec<Option<f64>>) -> BarChartSpec {
        BarChartSpec {
            groups: (1..=3).map(|at| (at.to_string(), None)).collect(),
            series: vec![
                BarSeriesSpec { name: "before".to_owned(), values: vec![Some(1.0)] },
                BarSeriesSpec { name: "after".to_owned(), values },
            ],
            ..BarChartSpec::default()
        }
    }

    fn bars(measured: BarChartSpec) -> Bars {
        match measured.into_chart().body {
            ChartBody::Bars(bars) => bars,
            other => panic!("not bars: {other:?}"),
        }
    }

    #[test]
    fn every_bar_fits_the_axis_and_says_its_value() {
        let bars = bars(measured(vec![Some(0.1234), Some(16.26), Some(731.5)]));
        assert_eq!((bars.y.min, bars.y.max), (0.0, 800.0));
        let texts: Vec<_> = bars.series[1].bars.iter().flatten().map(|bar| bar.text.as_str()).collect();
        assert_eq!(texts, ["0.123", "16.3", "732"]);
        assert_eq!((bars.series[0].fill, bars.series[1].fill), (BarFill::Hollow, BarFill::Solid));
    }

    #[test]
    fn what_was_not_measured_has_no_bar() {
        let bars = bars(measured(vec![None, Some(f64::NAN), Some(f64::INFINITY), Some(9.0)]));
        assert_eq!(bars.series[1].bars, [None, None, None]);
        assert_eq!(bars.series[0].bars[1..], [None, None]);
        assert_eq!((bars.y.min, bars.y.max), (0.0, 1.0));
        let none = BarChartSpec::default().into_chart();
        assert!(none.data_table().rows.is_empty());
    }
}
