//! Figures 1, 3 and 4.

use crate::Weights;
use crate::papers::sfc::{Curve, Point, format_ratio};

use super::{ScoredReport, best_indices, point_level_label, points_by_level, score_point};
use crate::plot::format::{capitalise_name, fixed3, format_level, format_with_noun};
use crate::plot::{
    Axis, Bar, BarFill, BarGroup, BarSeries, Bars, Chart, ChartBody, ColourRole, Datum, Highlight, Lines, Marker,
    ReferenceLine, ReferencePosition, Scatter, Series, Stroke, x_values, y_values,
};
use crate::statistics::pearson_coefficient;

pub(crate) const LEVEL_AXIS_TITLE: &str = "sparsity level λ";

/// How a quantity is named and drawn in every figure over λ.
type SeriesStyle = (&'static str, (ColourRole, Stroke, Marker));

/// S, F, C and C_GT.
pub(crate) const METRIC_STYLES: [SeriesStyle; 4] = [
    ("S", (ColourRole::Sparsity, Stroke::Solid, Marker::Circle)),
    ("F", (ColourRole::Fidelity, Stroke::Solid, Marker::Square)),
    ("C", (ColourRole::Completeness, Stroke::Solid, Marker::Triangle)),
    ("C_GT", (ColourRole::GroundTruth, Stroke::Dashed, Marker::Diamond)),
];

/// Rate, distortion and relevance.
pub(crate) const ANALOGUE_STYLES: [SeriesStyle; 3] = [
    ("rate", (ColourRole::Sparsity, Stroke::Solid, Marker::Circle)),
    ("distortion", (ColourRole::Fidelity, Stroke::Solid, Marker::Square)),
    ("relevance (our definition)", (ColourRole::Completeness, Stroke::Dashed, Marker::Triangle)),
];

/// A quantity of every point, by level; points where it is no number are left out.
pub(crate) fn values_over_levels(points: &[&Point], value: impl Fn(&Point) -> f64) -> Vec<Datum> {
    points
        .iter()
        .map(|p| Datum { x: p.level, y: value(p), label: point_level_label(p) })
        .filter(|d| d.y.is_finite())
        .collect()
}

pub(crate) fn level_axis(series: &[Series]) -> Axis {
    Axis::unit_range(LEVEL_AXIS_TITLE, "λ", x_values(series))
}

/// "0.991 → 0.777", or one value where there is one level.
fn format_change(points: &[&Point], value: impl Fn(&Point) -> f64) -> String {
    match points {
        [] => "no levels".to_owned(),
        [only] => fixed3(value(only)),
        [first, .., last] => format!("{} → {}", fixed3(value(first)), fixed3(value(last))),
    }
}

/// Quantities in their looks, each over the levels.
fn styled_series<const N: usize>(
    points: &[&Point],
    looks: [SeriesStyle; N],
    quantities: [fn(&Point) -> f64; N],
) -> Vec<Series> {
    let each = looks.into_iter().zip(quantities);
    let series = each.map(|((name, (role, stroke, marker)), quantity)| {
        Series::new(name, role, stroke, marker, values_over_levels(points, quantity))
    });
    series.collect()
}

/// Figure 1(a).
pub(crate) fn metrics_chart(study: &ScoredReport<'_>) -> Chart {
    let points = &study.points;
    let chance = study.report.main.c_gt_chance;
    let of: [fn(&Point) -> f64; 4] = [|p| p.sparsity, |p| p.fidelity, |p| p.completeness, |p| p.c_gt];
    let all = styled_series(points, METRIC_STYLES, of);
    let mut references = Vec::new();
    if chance.is_finite() {
        references.push(ReferenceLine {
            name: format!("chance level of C_GT, K/D = {}", fixed3(chance)),
            place: ReferencePosition::Horizontal(chance),
        });
    }
    let y = Axis::unit_range("metric", "", y_values(&all).chain([chance]));
    let [s, f, c, c_gt] = of.map(|quantity| format_change(points, quantity));
    let summary = format!(
        "Over {}, S goes {s}, F {f}, C {c} and C_GT {c_gt}, where a random subspace would give C_GT {}.",
        format_with_noun(points.len(), "level"),
        fixed3(chance),
    );
    let caption = format!(
        "Sparsity S, fidelity F, completeness C and ground-truth completeness C_GT of {}. \
         C and C_GT depend on the dictionary alone, not on λ.{}",
        study.describe_network(),
        study.describe_readings()
    );
    let body = ChartBody::Lines(Lines { references, ..Lines::curves_only(level_axis(&all), y, all) });
    Chart::new("fig1a", "Figure 1(a). Metrics against the sparsity level", summary, caption, body)
}

/// The title of an axis of scores.
fn score_axis_title(study: &ScoredReport<'_>) -> String {
    format!("SFC, weights S:F:C = {}", format_ratio(study.weights))
}

fn score_curve(study: &ScoredReport<'_>, weights: Weights) -> Vec<Datum> {
    values_over_levels(&study.points, |p| score_point(p, weights))
}

/// Figure 1(b).
pub(crate) fn joint_score_chart(study: &ScoredReport<'_>) -> Chart {
    let mut all =
        vec![Series::new("SFC", ColourRole::Score, Stroke::Strong, Marker::Circle, score_curve(study, study.weights))];
    if !study.has_equal_weights() {
        all.push(Series::new(
            "equal weights, 1:1:1",
            ColourRole::Neutral,
            Stroke::Faint,
            Marker::None,
            score_curve(study, Weights::EQUAL),
        ));
    }
    let weights = format_ratio(study.weights);
    let (leaders, score) = study.best_points(study.weights);
    let (highlight, mark, summary) = match leaders.as_slice() {
        [] if study.points.is_empty() => (None, String::new(), "There are no levels to score.".to_owned()),
        [] => (None, String::new(), format!("Under weights {weights}, SFC is zero at every level.")),
        [p] => {
            let highlight =
                Highlight { x: p.level, y: score, label: format!("{} at {}", fixed3(score), point_level_label(p)) };
            let summary =
                format!("Under weights {weights}, SFC peaks at {} with {}.", point_level_label(p), fixed3(score));
            (Some(highlight), " The ring marks its peak.".to_owned(), summary)
        }
        tied => {
            let tie = format!("{} tie at {}", format_with_noun(tied.len(), "level"), fixed3(score));
            (None, format!(" No level is the peak: {tie}."), format!("Under weights {weights}, {tie}."))
        }
    };
    let caption =
        format!("The joint score, a weighted harmonic mean of S, F and C, of {}.{mark}", study.describe_network());
    let y = Axis::unit_range(&score_axis_title(study), "SFC", y_values(&all));
    let body = ChartBody::Lines(Lines { highlight, ..Lines::curves_only(level_axis(&all), y, all) });
    Chart::new("fig1b", "Figure 1(b). The joint score and its peak", summary, caption, body)
}

/// Colour, stroke and marker of the n-th configuration.
fn configuration_style(i: usize) -> (ColourRole, Stroke, Marker) {
    match i % 4 {
        0 => (ColourRole::Score, Stroke::Strong, Marker::Circle),
        1 => (ColourRole::GroundTruth, Stroke::Solid, Marker::Square),
        2 => (ColourRole::Yours, Stroke::Dashed, Marker::Triangle),
        _ => (ColourRole::Extra, Stroke::Dotted, Marker::Diamond),
    }
}

/// Where a curve peaks: "0.905", "0.85"; or how many levels tie.
fn describe_peak(curve: &Curve, weights: Weights) -> Option<(f64, String)> {
    let points = points_by_level(curve);
    let scores: Vec<f64> = points.iter().map(|p| score_point(p, weights)).collect();
    let leaders = best_indices(&scores);
    let place = match leaders.as_slice() {
        [only] => format_level(points.get(*only)?.level),
        tied => format!("{} that tie", format_with_noun(tied.len(), "level")),
    };
    Some((*scores.get(*leaders.first()?)?, place))
}

/// Figure 3(a).
pub(crate) fn configurations_chart(study: &ScoredReport<'_>) -> Chart {
    let mut all = Vec::new();
    let mut peaks = Vec::new();
    for (i, curve) in study.report.cross.iter().enumerate() {
        let (role, stroke, marker) = configuration_style(i);
        let best = describe_peak(curve, study.weights);
        let text = best.map(|(score, place)| (fixed3(score), place));
        let note = text.as_ref().map(|(score, place)| format!("peak {score} at {place}"));
        if let Some((score, place)) = text {
            let sign = if place.ends_with("tie") { "" } else { "λ = " };
            peaks.push(format!("{} {score} at {sign}{place}", curve.name));
        }
        let points = values_over_levels(&points_by_level(curve), |p| score_point(p, study.weights));
        let name = capitalise_name(&curve.name);
        all.push(Series { note, ..Series::new(&name, role, stroke, marker, points) });
    }
    let summary = if peaks.is_empty() {
        "There is no score above zero to compare.".to_owned()
    } else {
        format!("Under weights {}, SFC peaks: {}.", format_ratio(study.weights), peaks.join("; "))
    };
    let caption = "SFC of the four networks of Table 1, which differ in width and in the size of \
                   the circuit. Where curves lie on each other, their markers take turns."
        .to_owned();
    let y = Axis::unit_range(&score_axis_title(study), "SFC", y_values(&all));
    let body = ChartBody::Lines(Lines::curves_only(level_axis(&all), y, all));
    Chart::new("fig3a", "Figure 3(a). The joint score across networks", summary, caption, body)
}

/// Figure 3(a) as differences from its first network: what its axis is too long to show.
pub(crate) fn differences_chart(study: &ScoredReport<'_>) -> Chart {
    let of = |curve: &Curve| values_over_levels(&points_by_level(curve), |p| score_point(p, study.weights));
    let first = study.report.cross.first();
    let (name, base) = first.map_or(("", Vec::new()), |first| (first.name.as_str(), of(first)));
    let mut all = Vec::new();
    let mut largest = Vec::new();
    for (i, curve) in study.report.cross.iter().enumerate().skip(1) {
        let (role, stroke, marker) = configuration_style(i);
        let points: Vec<Datum> = of(curve)
            .into_iter()
            .filter_map(|datum| {
                let same = base.iter().find(|other| other.x == datum.x)?;
                Some(Datum { y: datum.y - same.y, ..datum })
            })
            .collect();
        let far = points.iter().map(|datum| datum.y).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        if let Some(far) = far {
            largest.push(format!("{} by at most {far:+.3}", curve.name));
        }
        all.push(Series::new(&capitalise_name(&curve.name), role, stroke, marker, points));
    }
    let summary = if largest.is_empty() {
        "There are no two networks to compare.".to_owned()
    } else {
        let weights = format_ratio(study.weights);
        format!("Under weights {weights}, SFC differs from {name}’s: {}.", largest.join("; "))
    };
    let caption = format!(
        "SFC of each network less that of {name}, at the same level: the curves of Figure 3(a) lie so close \
         to each other that their differences need an axis of their own."
    );
    let y = Axis::around_values("difference in SFC", "ΔSFC", y_values(&all).chain([0.0]));
    let references = vec![ReferenceLine { name: capitalise_name(name), place: ReferencePosition::Horizontal(0.0) }];
    let body = ChartBody::Lines(Lines { references, ..Lines::curves_only(level_axis(&all), y, all) });
    let title = "Figure 3(a), as differences from the first network";
    Chart::new("network-differences", title, summary, caption, body)
}

/// Figure 3(b).
pub(crate) fn hypervolumes_chart(study: &ScoredReport<'_>) -> Chart {
    let cross = &study.report.cross;
    let computed = cross.iter().map(|c| Bar::with_value_label(c.hypervolume)).collect();
    let printed = |c: &Curve| {
        study.find_printed_number("Table 5", &capitalise_name(&c.name), "HV(all)").and_then(Bar::with_value_label)
    };
    let printed: Vec<_> = cross.iter().map(printed).collect();
    let groups = cross.iter().enumerate().map(|(i, c)| BarGroup {
        label: capitalise_name(&c.name),
        detail: Some(format!("{} of {}", c.front.len(), c.points.len())),
        role: Some(configuration_style(i).0),
    });
    let mut all = vec![BarSeries::new("computed", ColourRole::Neutral, BarFill::Solid, computed)];
    if printed.iter().any(Option::is_some) {
        let name = "printed in Table 5";
        all.push(BarSeries::new(name, ColourRole::Neutral, BarFill::Hollow, printed));
    }
    let texts: Vec<String> = cross
        .iter()
        .map(|c| format!("{} {} ({} of {} on the front)", c.name, fixed3(c.hypervolume), c.front.len(), c.points.len()))
        .collect();
    let summary = format!("Hypervolumes: {}.", texts.join("; "));
    let caption = "Volume dominated by each network’s points in (S, F, C), and how many of them \
                   are Pareto-optimal: |P| of N."
        .to_owned();
    let y = Axis::unit_range("hypervolume", "HV", cross.iter().map(|c| c.hypervolume));
    let body = ChartBody::Bars(Bars {
        x_title: "network; |P| of N on the Pareto front".to_owned(),
        y,
        groups: groups.collect(),
        series: all,
    });
    Chart::new("fig3b", "Figure 3(b). Pareto hypervolumes", summary, caption, body)
}

/// Figure 4(a).
pub(crate) fn analogues_chart(study: &ScoredReport<'_>) -> Chart {
    let points = &study.points;
    let of: [fn(&Point) -> f64; 3] = [|p| p.rate, |p| p.distortion, |p| p.relevance];
    let all = styled_series(points, ANALOGUE_STYLES, of);
    let [rate, distortion, relevance] = of.map(|quantity| format_change(points, quantity));
    let summary = format!(
        "Over {}, rate goes {rate}, distortion {distortion} and relevance, by our definition, {relevance}.",
        format_with_noun(points.len(), "level"),
    );
    let caption = "Rate is the normalised entropy of the codes, distortion the squared error over \
                   the variance. The paper does not define its relevance (near 0.335 at every λ); \
                   ours is the absolute correlation of ‖codes‖ with ‖output‖."
        .to_owned();
    let y = Axis::unit_range("normalised value", "", y_values(&all));
    let body = ChartBody::Lines(Lines::curves_only(level_axis(&all), y, all));
    Chart::new("fig4a", "Figure 4(a). Rate, distortion, relevance", summary, caption, body)
}

/// Figure 4(b).
pub(crate) fn calibration_chart(study: &ScoredReport<'_>) -> Chart {
    let pair = |name: &str, role, marker, value: &dyn Fn(&Point) -> (f64, f64)| {
        let points: Vec<Datum> = study
            .points
            .iter()
            .map(|p| (point_level_label(p), value(p)))
            .filter(|(_, (x, y))| x.is_finite() && y.is_finite())
            .map(|(label, (x, y))| Datum { x, y, label })
            .collect();
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|point| (point.x, point.y)).unzip();
        let r = match pearson_coefficient(&x, &y) {
            Ok(r) => format!("r = {}", fixed3(r)),
            Err(_) => "r undefined: constant".to_owned(),
        };
        Series { note: Some(r), ..Series::new(name, role, Stroke::None, marker, points) }
    };
    let all = vec![
        pair("S vs 1 − rate", ColourRole::Sparsity, Marker::Circle, &|p| (p.sparsity, 1.0 - p.rate)),
        pair("F vs 1 − distortion", ColourRole::Fidelity, Marker::Square, &|p| (p.fidelity, 1.0 - p.distortion)),
        pair("C vs relevance", ColourRole::Completeness, Marker::Triangle, &|p| (p.completeness, p.relevance)),
    ];
    let notes: Vec<String> =
        all.iter().map(|s| format!("{}: {}", s.name, s.note.as_deref().unwrap_or_default())).collect();
    let summary = format!("Correlation of each metric with its analogue: {}.", notes.join("; "));
    let caption = "Each metric against its information-theoretic analogue, one point a level. On \
                   the identity line the two would be the same. The paper reports r > 0.99 for S."
        .to_owned();
    let x = Axis::unit_range("standard metric", "", x_values(&all));
    let y = Axis::unit_range("information-theoretic analogue", "", y_values(&all));
    let identity = ReferenceLine { name: "identity".to_owned(), place: ReferencePosition::Identity };
    let body = ChartBody::Scatter(Scatter { x, y, series: all, references: vec![identity] });
    Chart::new("fig4b", "Figure 4(b). Metrics against their analogues", summary, caption, body)
}
