//! How metrics go together, how far they reach and what they cost.

use super::{Source, metric_label, paper_label};
use crate::lab::audit::metric::AccessLevel;
use crate::lab::audit::table::weighted_score;
use crate::plot::cells::{parse_columns, table_chart, text_cell};
use crate::plot::format::{fixed, fixed3, format_seconds, format_trimmed, join_with_and};
use crate::plot::{
    Axis, Chart, ChartBody, ColourRole, Datum, HeatRow, Heatmap, Marker, Scatter, Series, Status, Stroke, TableCell,
};

/// The map of what says the same, as the tree of average linkage orders it.
pub(super) fn redundancy_chart(source: &Source<'_>) -> Chart {
    let found = &source.table.correlations;
    let rho = |a: usize, b: usize| found.rho.get(a).and_then(|row| row.get(b)).copied().flatten();
    let count = found.metrics.len();
    let shown = |at: &usize| {
        let id = found.metrics.get(*at);
        source.shown_entries().any(|(metric, _)| id.is_some_and(|id| metric.id == id))
    };
    let known = |at: &usize| (0..count).any(|other| other != *at && rho(*at, other).is_some());
    let order: Vec<usize> = found.order.iter().copied().filter(shown).filter(known).collect();
    let name = |at: usize| found.metrics.get(at).map_or_else(String::new, |id| source.label_of_id(id));
    let rows = order.iter().enumerate().map(|(nth, at)| HeatRow {
        label: format!("{} {}", nth + 1, name(*at)),
        detail: None,
        values: order.iter().map(|other| rho(*at, *other).map_or(f64::NAN, f64::abs)).collect(),
        best: None,
    });
    let rows: Vec<HeatRow> = rows.collect();
    let limit = source.report.settings.redundancy;
    let mut pairs = Vec::new();
    for (nth, a) in order.iter().enumerate() {
        for b in order.iter().skip(nth + 1) {
            if let Some(rho) = rho(*a, *b).filter(|rho| rho.abs() >= limit) {
                pairs.push((rho, *a, *b));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let first: Vec<String> = pairs
        .iter()
        .take(3)
        .map(|(rho, a, b)| format!("{} with {} ({})", name(*a), name(*b), fixed(*rho, 2)))
        .collect();
    let clusters: std::collections::BTreeSet<usize> =
        order.iter().filter_map(|at| found.clusters.get(*at).copied()).collect();
    let summary = if order.is_empty() {
        source.empty_message()
    } else {
        let most = if first.is_empty() { String::new() } else { format!(": {}", join_with_and(&first)) };
        format!(
            "{} metrics in {} clusters; {} pairs say the same (|ρ| of at least {}){most}.",
            order.len(),
            clusters.len(),
            pairs.len(),
            format_trimmed(limit)
        )
    };
    let caption = "The size of Spearman’s ρ between every two metrics over the subjects that both are defined on, \
                   averaged over seeds. Those beside each other in the tree of average linkage stand beside each other. \
                   Two with too few subjects in common have the colour of 0."
        .to_owned();
    let body = ChartBody::Heatmap(Heatmap {
        x_title: "metric".to_owned(),
        y_title: "metric".to_owned(),
        value_title: "|ρ|".to_owned(),
        columns: (1..=order.len()).map(|at| at.to_string()).collect(),
        rows,
        min: 0.0,
        max: 1.0,
        decimals: 2,
    });
    Chart::new("audit-redundancy", "Which metrics are redundant", summary, caption, body)
}

fn number_cell(value: f64, at: &str) -> TableCell {
    let status = Status::NotCompared;
    let detail = (!at.is_empty()).then(|| at.to_owned());
    TableCell { exact: Some(value), status, detail, ..text_cell(fixed3(value)) }
}

/// How far each metric reaches, against its paper's condition.
pub(super) fn reach_chart(source: &Source<'_>) -> Chart {
    let end = |value: f64, none: &str| {
        if value.is_finite() { format_trimmed(value) } else { none.to_owned() }
    };
    let word = |seen: Option<bool>, formula: Option<bool>| match (seen, formula) {
        (Some(true), _) => "seen",
        (_, Some(false)) => "the formula excludes it",
        (Some(false), _) => "not seen",
        (None, _) => "–",
    };
    let mut excluded = 0;
    let mut unseen = 0;
    let mut with = 0;
    let rows = source.shown_entries().filter_map(|(metric, entry)| {
        let condition = metric.condition?;
        let found = entry.evidence.reach.as_ref();
        let (low, high) = metric.value_range;
        let mut cells = vec![
            text_cell(metric_label(metric)),
            text_cell(format!("{} {}", condition.relation.symbol(), format_trimmed(condition.limit))),
            text_cell(format!("{} to {}", end(low, "−∞"), end(high, "∞"))),
        ];
        match found {
            None => cells.extend([text_cell("–"), text_cell("–"), text_cell("–"), text_cell("–")]),
            Some(found) => {
                with += 1;
                let ends = [word(found.fails, found.formula_can_fail), word(found.passes, found.formula_can_pass)];
                excluded += usize::from(ends.contains(&"the formula excludes it"));
                unseen += usize::from(ends.contains(&"not seen"));
                cells.push(number_cell(found.least, &found.least_subject));
                cells.push(number_cell(found.greatest, &found.greatest_subject));
                cells.extend(ends.map(text_cell));
            }
        }
        Some(cells)
    });
    let rows: Vec<Vec<TableCell>> = rows.collect();
    let summary = if with == 0 {
        source.empty_message()
    } else {
        format!(
            "Of {with} metrics with a condition, {excluded} cannot fail or cannot pass it by their formula, and {unseen} \
             never did one of the two here."
        )
    };
    let caption = "The least and the greatest value over all subjects and searches, and where; whether the paper’s \
                   condition was seen to fail and to pass."
        .to_owned();
    let columns = parse_columns("Metric | Passes | Formula | Least | Greatest | Fails | Passes, seen");
    table_chart("audit-reach", "Attainable pass and fail", [summary, caption], columns, rows)
}

/// What it costs against what it is worth.
pub(super) fn cost_chart(source: &Source<'_>) -> Chart {
    let weights = source.report.settings.column_weights();
    let kinds = [
        (AccessLevel::Activations, "needs activations and a dictionary", ColourRole::Sparsity, Marker::Circle),
        (AccessLevel::Model, "needs a model", ColourRole::Completeness, Marker::Square),
        (AccessLevel::Judge, "needs a judge", ColourRole::Fidelity, Marker::Triangle),
        (AccessLevel::Scores, "needs scores", ColourRole::GroundTruth, Marker::Diamond),
    ];
    let series = kinds.into_iter().filter_map(|(needs, name, role, marker)| {
        let points =
            source.shown_entries().filter(|(metric, _)| metric.needs == needs).filter_map(|(metric, entry)| {
                let cost = entry.evidence.cost?;
                // A clock that did not move says no more than that.
                let x = libm::log10(cost.seconds.max(1e-7));
                let (took, of) = (format_seconds(cost.seconds), format_trimmed(cost.evaluations));
                let label =
                    format!("{} ({}): {took}, {of} evaluations", metric_label(metric), paper_label(metric.paper));
                Some(Datum { x, y: weighted_score(entry, &weights)?, label })
            });
        let points: Vec<Datum> = points.collect();
        let series = Series::new(name, role, Stroke::None, marker, points);
        (!series.points.is_empty()).then_some(series)
    });
    let series: Vec<Series> = series.collect();
    let points = || series.iter().flat_map(|one| &one.points);
    let x = Axis::around_values("seconds per subject, as a power of ten", "log s", points().map(|point| point.x));
    let y = Axis::unit_range("mean verdict (0 fails, 1 passes)", "score", points().map(|point| point.y));
    let best = points().max_by(|a, b| a.y.total_cmp(&b.y).then(b.x.total_cmp(&a.x)));
    let summary = best.map_or_else(
        || source.empty_message(),
        |best| format!("{} metrics. The best, and of those the cheapest: {}.", points().count(), best.label),
    );
    let caption = "What one subject takes as if nothing were shared between metrics, on this machine, and the mean of \
                   the metric’s verdicts, each test by its weight."
        .to_owned();
    let body = ChartBody::Scatter(Scatter { x, y, series, references: Vec::new() });
    Chart::new("audit-cost", "What a metric costs, and what it is worth", summary, caption, body)
}
