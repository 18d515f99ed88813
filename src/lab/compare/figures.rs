//! The present result beside a pinned one: a second layer on the figures, and what differs.

use super::{Comparison, LevelPair, PeakPair, ValuePair};
use crate::Weights;
use crate::papers::sfc::{ParetoView, Report, format_ratio};

use crate::papers::sfc::figures::build_figure_with_view;
use crate::papers::sfc::figures::curves::level_axis;
use crate::papers::sfc::figures::weights::label_without_ratio;
use crate::plot::cells::{self, parse_columns};
use crate::plot::format::{fixed3, format_level, format_trimmed, format_with_noun};
use crate::plot::{
    Axis, BarFill, BarSeries, Bars, Chart, ChartBody, ColourRole, Datum, Lines, Marker, ReferenceLine,
    ReferencePosition, Series, Status, Stroke, Table, TableCell, y_values,
};
use crate::study::{FigureSpec, find_chart_fn, lab_only};

type BuildChart = fn(&ComparisonSource) -> Chart;

/// The figures of a comparison.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("compare-summary", "compare", ComparisonSource::summary_table),
    lab_only("compare-differences", "compare", ComparisonSource::differences_chart),
    lab_only("compare-score", "compare", ComparisonSource::score_table),
    lab_only("compare-metrics", "compare", ComparisonSource::metrics_table),
];

/// The figures on which [`overlay_pinned`] lays a pinned result.
pub const OVERLAY_FIGURES: [&str; 9] =
    ["fig1a", "fig1b", "fig3a", "fig3b", "fig4a", "fig4b", "pareto-sf", "pareto-sc", "pareto-fc"];

/// Builds one of [`FIGURES`] of two results, each under the weights of its settings; none for any
/// other name.
pub fn comparison_figure(id: &str, now: &Report, pinned: &Report) -> Option<Chart> {
    find_chart_fn(FIGURES, id).map(|build| build(&ComparisonSource::new(now, pinned)))
}

/// Lays a pinned result on the chart of the present one: the same figure of the pinned result, under
/// its own weights, dashed and with open points. A chart that is not [`OVERLAY_FIGURES`] stays as it is.
pub fn overlay_pinned(chart: Chart, pinned: &Report, setting: ParetoView) -> Chart {
    if !OVERLAY_FIGURES.contains(&chart.id.as_str()) {
        return chart;
    }
    let weights = pinned.settings.weights();
    match build_figure_with_view(&chart.id, pinned, &[], weights, setting) {
        Some(other) => overlay_chart(chart, other, weights),
        None => chart,
    }
}

fn overlay_chart(mut chart: Chart, pinned: Chart, weights: Weights) -> Chart {
    let layered = match (&mut chart.body, pinned.body) {
        (ChartBody::Lines(now), ChartBody::Lines(then)) => {
            // An axis that names other weights than the present ones has to be said at the curve.
            let note = (now.y.title != then.y.title).then(|| format!("under {}", format_ratio(weights)));
            now.series.extend(then.series.into_iter().filter_map(|s| pinned_series(s, note.clone())));
            let new = |r: &ReferenceLine| now.references.iter().all(|old| old.place != r.place);
            let more: Vec<ReferenceLine> = then.references.into_iter().filter(new).collect();
            now.references.extend(more.into_iter().map(|r| ReferenceLine { name: pinned_label(&r.name), ..r }));
            (now.x, now.y) = (join_axes(&now.x, &then.x), join_axes(&now.y, &then.y));
            true
        }
        (ChartBody::Scatter(now), ChartBody::Scatter(then)) => {
            now.series.extend(then.series.into_iter().filter_map(|s| pinned_series(s, None)));
            (now.x, now.y) = (join_axes(&now.x, &then.x), join_axes(&now.y, &then.y));
            true
        }
        (ChartBody::Bars(now), ChartBody::Bars(then)) => {
            now.y = join_axes(&now.y, &then.y);
            let bars = pinned_bars(now, &then);
            now.series.extend(bars);
            true
        }
        (ChartBody::Projection(now), ChartBody::Projection(then)) => {
            now.pinned = then.points;
            (now.x, now.y) = (join_axes(&now.x, &then.x), join_axes(&now.y, &then.y));
            true
        }
        _ => false,
    };
    if layered {
        chart.summary = format!("{} Pinned: {}", chart.summary, pinned.summary);
        chart.caption = format!("{} Dashed and open: the pinned result, under its own weights.", chart.caption);
    }
    chart
}

fn pinned_label(name: &str) -> String {
    format!("{name}, pinned")
}

/// A series of the pinned result; none of what is there for comparison already.
fn pinned_series(series: Series, note: Option<String>) -> Option<Series> {
    let stroke = match series.stroke {
        Stroke::Faint => return None,
        Stroke::None => Stroke::None,
        _ => Stroke::Faint,
    };
    let marker = hollow_marker(series.marker);
    Some(Series { name: pinned_label(&series.name), note: note.or(series.note), stroke, marker, ..series })
}

fn hollow_marker(marker: Marker) -> Marker {
    match marker {
        Marker::Circle => Marker::OpenCircle,
        Marker::Square => Marker::OpenSquare,
        Marker::Triangle => Marker::OpenTriangle,
        Marker::Diamond => Marker::OpenDiamond,
        other => other,
    }
}

/// The first series of the pinned bars (the others repeat what is printed), in the present groups.
fn pinned_bars(now: &Bars, pinned: &Bars) -> Option<BarSeries> {
    let first = pinned.series.first()?;
    let bar = |label: &str| {
        let at = pinned.groups.iter().position(|group| group.label == label)?;
        first.bars.get(at)?.clone()
    };
    let bars = now.groups.iter().map(|group| bar(&group.label)).collect();
    Some(BarSeries::new("pinned", first.role, BarFill::Dashed, bars))
}

/// An axis that shows what either shows.
fn join_axes(now: &Axis, pinned: &Axis) -> Axis {
    Axis { min: now.min.min(pinned.min), max: now.max.max(pinned.max), ..now.clone() }
}

/// Two results and the weights they are under.
pub struct ComparisonSource {
    own: Weights,
    others: Weights,
    /// Whether both rank and score alike.
    alike: bool,
    of: Comparison,
}

type MetricSpec = (&'static str, ColourRole, Marker, fn(&LevelPair) -> ValuePair);

impl ComparisonSource {
    pub(crate) fn new(now: &Report, pinned: &Report) -> Self {
        let (own, others) = (now.settings.weights(), pinned.settings.weights());
        Self { own, others, alike: own.is_proportional_to(others), of: Comparison::new(now, pinned) }
    }

    /// S, F, C.
    const METRICS: [MetricSpec; 3] = [
        ("S", ColourRole::Sparsity, Marker::Circle, |p| p.sparsity),
        ("F", ColourRole::Fidelity, Marker::Square, |p| p.fidelity),
        ("C", ColourRole::Completeness, Marker::Triangle, |p| p.completeness),
    ];

    /// How the two are scored, in a sentence.
    fn describe_weights(&self) -> String {
        if self.alike {
            format!("Both are scored under {}.", format_ratio(self.own))
        } else {
            format!(
                "Each is scored under its own weights: the present result under {}, the pinned one \
                 under {}.",
                format_ratio(self.own),
                format_ratio(self.others)
            )
        }
    }

    /// Levels that only one of the two has, in a sentence.
    fn unpaired_note(&self) -> String {
        let alone = self.of.levels.iter().filter(|p| p.sparsity.difference().is_none()).count();
        if alone == 0 {
            return String::new();
        }
        let have = if alone == 1 { "is" } else { "are" };
        format!(" {} {have} in one of the two only.", format_with_noun(alone, "level"))
    }

    fn differences_chart(&self) -> Chart {
        let score: MetricSpec = ("SFC", ColourRole::Score, Marker::Diamond, |p| p.sfc);
        let line = |(name, role, marker, pair): MetricSpec| {
            let points = self.of.levels.iter().filter_map(|p| {
                let label = format!("λ = {}", format_level(p.level));
                Some(Datum { x: p.level, y: pair(p).difference()?, label })
            });
            let stroke = if name == "SFC" { Stroke::Strong } else { Stroke::Solid };
            Series::new(&format!("Δ{name}"), role, stroke, marker, points.collect())
        };
        let all: Vec<Series> = Self::METRICS.into_iter().chain([score]).map(line).collect();
        let most = |s: &Series| {
            let points = s.points.iter();
            points.max_by(|a, b| a.y.abs().total_cmp(&b.y.abs())).map(|p| {
                if p.y == 0.0 {
                    format!("{} is 0 everywhere", s.name)
                } else {
                    format!("{} up to {} ({})", s.name, format_signed(p.y), p.label)
                }
            })
        };
        let parts: Vec<String> = all.iter().filter_map(most).collect();
        let summary = if parts.is_empty() {
            "The two results have no level in common.".to_owned()
        } else {
            format!("Present less pinned: {}.{}", parts.join("; "), self.unpaired_note())
        };
        let caption = format!(
            "The present result less the pinned one at every level that both have. {}{}",
            self.describe_weights(),
            self.unpaired_note()
        );
        let y = Axis::around_values("present less pinned", "Δ", y_values(&all).chain([0.0]));
        let zero = ReferenceLine { name: "no difference".to_owned(), place: ReferencePosition::Horizontal(0.0) };
        let body =
            ChartBody::Lines(Lines { x: level_axis(&all), y, series: all, references: vec![zero], highlight: None });
        Chart::new("compare-differences", "What changed, level by level", summary, caption, body)
    }

    fn metrics_table(&self) -> Chart {
        let columns = parse_columns(">λ | >S | >S ~ pinned | >ΔS | >F | >F ~ pinned | >ΔF | >C | >C ~ pinned | >ΔC");
        let row = |p: &LevelPair| {
            let cells = Self::METRICS.into_iter().flat_map(|(.., pair)| fixed3_cells(pair(p)));
            std::iter::once(level_cell(p.level)).chain(cells).collect()
        };
        let rows: Vec<Vec<TableCell>> = self.of.levels.iter().map(row).collect();
        let summary = format!("S, F and C at {} of two results.{}", self.format_level_count(), self.unpaired_note());
        let caption = format!("Present, pinned, and the present less the pinned.{ZERO_DIFFERENCE_NOTE}");
        let title = "S, F and C, now and pinned";
        cells::table_chart("compare-metrics", title, [summary, caption], columns, rows)
    }

    fn score_table(&self) -> Chart {
        let columns = if self.alike {
            parse_columns(">λ | >SFC | >SFC pinned | >ΔSFC")
        } else {
            let [own, others] = [self.own, self.others].map(format_ratio);
            parse_columns(&format!(
                ">λ | >SFC ~ ({own}) | >SFC pinned ~ ({others}) | >ΔSFC | >SFC pinned ~ ({own}) | >ΔSFC ~ ({own})"
            ))
        };
        let row = |p: &LevelPair| {
            let mut cells = vec![level_cell(p.level)];
            cells.extend(fixed3_cells(p.sfc));
            if !self.alike {
                let [_, pinned, difference] = fixed3_cells(p.sfc_same_weights);
                cells.extend([pinned, difference]);
            }
            cells
        };
        let rows: Vec<Vec<TableCell>> = self.of.levels.iter().map(row).collect();
        let peak = self.of.peak.current.map(|peak| peak.level);
        let best = self.of.levels.iter().position(|p| Some(p.level) == peak);
        let summary = format!("SFC at {} of two results.{}", self.format_level_count(), self.unpaired_note());
        let same = if self.alike {
            String::new()
        } else {
            format!(
                " The last two columns score both under {}, so that what is left comes of the runs \
                 and not of the weights.",
                format_ratio(self.own)
            )
        };
        let caption = format!(
            "{}{same} The row of the present result’s highest SFC is set off.{ZERO_DIFFERENCE_NOTE}",
            self.describe_weights()
        );
        let body = ChartBody::Table(Table { columns, rows, best });
        Chart::new("compare-score", "SFC, now and pinned", summary, caption, body)
    }

    fn format_level_count(&self) -> String {
        format_with_noun(self.of.levels.len(), "level")
    }

    fn summary_table(&self) -> Chart {
        let of = &self.of;
        let mut rows = vec![vec![
            cells::text_cell("weights S:F:C"),
            cells::text_cell(format_ratio(self.own)),
            cells::text_cell(format_ratio(self.others)),
            cells::text_cell("–"),
        ]];
        let mut push = |name: &str, cells: [TableCell; 3]| {
            rows.push(std::iter::once(cells::text_cell(name)).chain(cells).collect());
        };
        push("dictionary size K", pair_cells(of.dictionary_size, &format_trimmed));
        push("best λ", pair_cells(of.peak.level(), &format_level));
        push("SFC at the best λ", fixed3_cells(of.peak.sfc()));
        if !self.alike {
            let both = format_ratio(self.own);
            let peaks = &of.peak_same_weights;
            push(&format!("best λ, both {both}"), pair_cells(peaks.level(), &format_level));
            push(&format!("SFC at it, both {both}"), fixed3_cells(peaks.sfc()));
        }
        push("hypervolume", fixed3_cells(of.hypervolume));
        push("levels on the front", pair_cells(of.front_size, &format_trimmed));
        push("C_GT", fixed3_cells(of.c_gt));
        for (profile, peaks) in &of.profile_peaks {
            push(&format!("best λ, {}", label_without_ratio(profile.label)), pair_cells(peaks.level(), &format_level));
        }
        let same = of.profile_peaks.iter().filter(|(_, peaks)| has_same_peak_level(peaks)).count();
        let went = |pair: ValuePair, text: &dyn Fn(f64) -> String| {
            let shown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), text);
            if pair.difference() == Some(0.0) {
                format!("stays {}", shown(pair.current))
            } else {
                format!("goes {} → {}", shown(pair.pinned), shown(pair.current))
            }
        };
        let summary = format!(
            "From the pinned result to the present one, the best λ {}, its SFC {}, the hypervolume \
             {}; the winner is the same under {same} of {} profiles.",
            went(of.peak.level(), &format_level),
            went(of.peak.sfc(), &fixed3),
            went(of.hypervolume, &fixed3),
            of.profile_peaks.len(),
        );
        let caption = format!("{} The profiles are the paper’s.{ZERO_DIFFERENCE_NOTE}", self.describe_weights());
        let columns = parse_columns("measure | >now | >pinned | >difference");
        let title = "Summary of the comparison";
        cells::table_chart("compare-summary", title, [summary, caption], columns, rows)
    }
}

/// Said under every table of differences.
const ZERO_DIFFERENCE_NOTE: &str = " A difference of 0 is none to the last bit.";

fn has_same_peak_level(peaks: &PeakPair) -> bool {
    peaks.level().current == peaks.level().pinned
}

fn level_cell(value: f64) -> TableCell {
    TableCell { exact: Some(value), ..cells::text_cell(format_level(value)) }
}

/// Present, pinned, difference, to three digits.
fn fixed3_cells(pair: ValuePair) -> [TableCell; 3] {
    pair_cells(pair, &fixed3)
}

fn pair_cells(pair: ValuePair, text: &dyn Fn(f64) -> String) -> [TableCell; 3] {
    let cell = |value: Option<f64>, text: &dyn Fn(f64) -> String| match value {
        Some(value) => TableCell { exact: Some(value), status: Status::NotCompared, ..cells::text_cell(text(value)) },
        None => cells::text_cell("–"),
    };
    let difference = |value: f64| format_with_sign(value, text);
    [cell(pair.current, text), cell(pair.pinned, text), cell(pair.difference(), &difference)]
}

/// "+0.012", "−0.012"; "0" for nothing at all.
fn format_signed(value: f64) -> String {
    format_with_sign(value, &fixed3)
}

fn format_with_sign(value: f64, text: &dyn Fn(f64) -> String) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value > 0.0 {
        format!("+{}", text(value))
    } else {
        // `level` writes a hyphen.
        text(value).replace('-', "−")
    }
}
