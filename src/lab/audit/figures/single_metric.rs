//! What the metric that is opened rests on.

use super::{Source, metric_label};
use crate::lab::audit::entry::{ChangeEvidence, ControlOutcome, Estimate, Evidence};
use crate::lab::audit::metric::Metric;
use crate::lab::audit::row::SubjectRow;
use crate::lab::audit::rule::{Edition, VerdictWord};
use crate::lab::audit::second_edition::verdicts::{describe_units, headline_truth, least_stable};
use crate::lab::audit::second_edition::{is_counted_control, is_trained};
use crate::lab::audit::subject::{Group, World};
use crate::plot::format::{capitalise_name, fixed, fixed3, format_trimmed, join_with_and};
use crate::plot::{
    Axis, Chart, ChartBody, ColourRole, CurveBand, Datum, DotRow, Dots, Lines, Marker, RangeCategory, RangeLimit,
    RangePoint, RangeRow, Ranges, Scatter, Series, Stroke, band_edges, min_max, y_values,
};

const SERIES_STYLES: [(ColourRole, Marker, Stroke); 5] = [
    (ColourRole::Sparsity, Marker::Circle, Stroke::Solid),
    (ColourRole::Fidelity, Marker::Square, Stroke::Dashed),
    (ColourRole::Completeness, Marker::Triangle, Stroke::Dotted),
    (ColourRole::GroundTruth, Marker::Diamond, Stroke::Strong),
    (ColourRole::Yours, Marker::OpenCircle, Stroke::Faint),
];

/// The shape of the n-th of several; they come round and round.
fn series_style(at: usize) -> (ColourRole, Marker, Stroke) {
    SERIES_STYLES.get(at % SERIES_STYLES.len()).copied().unwrap_or((ColourRole::Neutral, Marker::Circle, Stroke::Solid))
}

fn chart_title(source: &Source<'_>, what: &str) -> String {
    source
        .opened_entry()
        .map_or_else(|| capitalise_name(what), |(metric, _)| format!("{}: {what}", metric_label(metric)))
}

fn opened_evidence<'a>(source: &'a Source<'_>) -> Option<&'a Evidence> {
    source.opened_entry().map(|(_, entry)| &entry.evidence)
}

/// From where to where an estimate's interval goes; its mean twice where there is none.
fn interval_ends(estimate: &Estimate) -> (f64, f64) {
    let finite = estimate.interval.filter(|ends| ends.iter().all(|end| end.is_finite()));
    finite.map_or((estimate.mean, estimate.mean), |[low, high]| (low, high))
}

/// What estimates are over, of each edition.
fn unit_label(source: &Source<'_>) -> &'static str {
    match source.report.edition() {
        Edition::First => "seeds",
        Edition::Second => "models, or seeds where a world has fewer than three models",
    }
}

fn outcome_style(word: ControlOutcome) -> (&'static str, ColourRole, Marker) {
    match word {
        ControlOutcome::Separated => ("separated", ColourRole::Completeness, Marker::Circle),
        ControlOutcome::Reversed => ("reversed", ColourRole::Fidelity, Marker::Square),
        ControlOutcome::NotSeen => ("not separated", ColourRole::Fidelity, Marker::OpenSquare),
        ControlOutcome::Unknown => ("inconclusive", ColourRole::Neutral, Marker::OpenCircle),
        ControlOutcome::Overlaps => ("differs, overlaps", ColourRole::Yours, Marker::Triangle),
        ControlOutcome::Inconclusive => ("inconclusive", ColourRole::Neutral, Marker::OpenCircle),
        ControlOutcome::Equal => ("equal by construction", ColourRole::Neutral, Marker::OpenSquare),
        ControlOutcome::NotApplicable => ("not applicable", ColourRole::Neutral, Marker::OpenDiamond),
    }
}

/// Dots around an axis that has 0 on it.
fn dot_plot_with_zero((rows_title, x_title): (&str, &str), rows: Vec<DotRow>) -> ChartBody {
    let ends = rows.iter().flat_map(|row| [row.value, row.spread.0, row.spread.1]);
    let x = Axis::around_values(x_title, "", ends.chain([0.0]));
    let spread_title = "95 % interval".to_owned();
    ChartBody::Dots(Dots { rows_title: rows_title.to_owned(), spread_title, x, rows })
}

/// What something is called, in its world where there are several.
fn label_with_world(name: &str, world: &str) -> String {
    if world.is_empty() { name.to_owned() } else { format!("{name}, {world}") }
}

/// Whether a change is none: by its interval, where the edition has one.
fn is_invariant(found: &ChangeEvidence, limit: f64) -> bool {
    found.word.map_or(found.change.mean <= limit, |word| word == VerdictWord::Holds)
}

/// Every control against the reference: effect sizes with their intervals.
pub(super) fn controls_chart(source: &Source<'_>) -> Chart {
    let found = opened_evidence(source).map_or(&[][..], |evidence| &evidence.controls);
    let rows = found.iter().filter(|one| one.difference.mean.is_finite()).map(|control| {
        let (word, role, marker) = outcome_style(control.word);
        DotRow {
            label: label_with_world(&control.name, &control.world),
            detail: Some(format!("AUC {}, {word}", fixed(control.auc, 2))),
            role,
            marker,
            value: control.difference.mean,
            spread: interval_ends(&control.difference),
        }
    });
    let rows: Vec<DotRow> = rows.collect();
    let all = found.iter().filter(|one| one.word == ControlOutcome::Separated).count();
    let counted = found.iter().filter(|one| is_counted_control(one)).count();
    let summary = match (found.len(), source.report.edition()) {
        (0, _) => source.empty_message(),
        (n, Edition::First) => format!("{all} of {n} controls are separated from the reference."),
        (n, Edition::Second) => {
            format!("{all} of {counted} controls that count are separated; {} do not count.", n - counted)
        }
    };
    let caption = format!(
        "By how many pooled standard deviations the reference is better than each control, over {}, in the direction in \
         which the paper reads the metric: right of 0 the control loses, as it should.",
        unit_label(source)
    );
    let axis = ("control", "reference less control, in standard deviations");
    Chart::new("audit-controls", &chart_title(source, "controls"), summary, caption, dot_plot_with_zero(axis, rows))
}

/// What should not matter, and how far it moves the metric.
pub(super) fn invariance_chart(source: &Source<'_>) -> Chart {
    let found = opened_evidence(source).map_or(&[][..], |evidence| &evidence.changes);
    let limit = source.report.settings.change;
    let rows = found.iter().filter(|one| one.change.mean.is_finite()).map(|one| {
        let still = is_invariant(one, limit);
        DotRow {
            label: label_with_world(&one.name, &one.world),
            detail: Some(if still { "invariant" } else { "moved" }.to_owned()),
            role: if still { ColourRole::Completeness } else { ColourRole::Fidelity },
            marker: if still { Marker::Circle } else { Marker::Square },
            value: one.change.mean,
            spread: interval_ends(&one.change),
        }
    });
    let rows: Vec<DotRow> = rows.collect();
    let moved: Vec<String> = found
        .iter()
        .filter(|one| !is_invariant(one, limit))
        .map(|one| label_with_world(&one.name, &one.world))
        .collect();
    let summary = match (found.len(), moved.as_slice()) {
        (0, _) => source.empty_message(),
        (n, []) => format!("None of {n} changes moves it by more than {}.", format_trimmed(limit)),
        (n, _) => format!("Of {n} changes, {} moves it.", join_with_and(&moved)),
    };
    let unit = match source.report.edition() {
        Edition::First => "the reference’s distance from random",
        Edition::Second => "the metric’s standard deviation over all subjects of the world",
    };
    let caption = format!("Changes that should not matter: how far each moves the metric, in units of {unit}.");
    let axis = match source.report.edition() {
        Edition::First => ("change", "change, of the distance from random"),
        Edition::Second => ("change", "change, in standard deviations"),
    };
    Chart::new(
        "audit-invariance",
        &chart_title(source, "what should not matter"),
        summary,
        caption,
        dot_plot_with_zero(axis, rows),
    )
}

/// From spoilt to the reference.
pub(super) fn doses_chart(source: &Source<'_>) -> Chart {
    let found = opened_evidence(source).map_or(&[][..], |evidence| &evidence.doses);
    let series = found.iter().enumerate().map(|(at, dose)| {
        let (role, marker, stroke) = series_style(at);
        let finite = || dose.levels.iter().filter(|(level, mean, _)| level.is_finite() && mean.is_finite());
        let point = |(level, mean, _): &(f64, f64, Option<[f64; 2]>)| Datum {
            x: *level,
            y: *mean,
            label: format!("{}, level {}", dose.name, format_trimmed(*level)),
        };
        let edge = |(_, mean, interval): &(f64, f64, Option<[f64; 2]>)| {
            let finite = interval.filter(|ends| ends.iter().all(|end| end.is_finite()));
            finite.map_or((*mean, *mean), |[low, high]| (low, high))
        };
        let edges = finite().map(edge).collect();
        Series {
            note: dose.rho.map(|rho| format!("ρ {}", fixed(rho.mean, 2))),
            bands: vec![CurveBand { name: "95 % interval".to_owned(), edges }],
            ..Series::new(&dose.name, role, stroke, marker, finite().map(point).collect())
        }
    });
    let series: Vec<Series> = series.collect();
    let y = Axis::around_values("value", "value", y_values(&series).chain(band_edges(&series)));
    let x = Axis {
        title: "level: 0 is spoilt, 1 the reference".to_owned(),
        symbol: "level".to_owned(),
        min: 0.0,
        max: 1.0,
    };
    let said = found.iter().filter_map(|dose| Some(format!("{} {}", dose.name, fixed(dose.rho?.mean, 2))));
    let said: Vec<String> = said.collect();
    let summary = match (found.len(), said.as_slice()) {
        (0, _) => source.empty_message(),
        (_, []) => "It does not vary with any dose.".to_owned(),
        _ => format!("Spearman’s ρ of level and value: {}.", said.join(", ")),
    };
    // Of all worlds together, in both editions.
    let caption =
        "Means over seeds with their 95 % intervals, from what is spoilt to the reference: share of training, \
                   noise, share of latents or heads that are still there."
            .to_owned();
    let body = ChartBody::Lines(Lines::curves_only(x, y, series));
    Chart::new("audit-doses", &chart_title(source, "doses"), summary, caption, body)
}

fn metric_value(row: &SubjectRow, metric: &str) -> Option<f64> {
    let found = row.values.iter().find(|value| value.metric == metric)?;
    found.value.filter(|value| value.is_finite())
}

/// "random on stream1, seed 0".
fn describe_subject(row: &SubjectRow) -> String {
    let place = if row.place.is_empty() { String::new() } else { format!(" {}", row.place) };
    let level = if row.subject.level > 0.0 { format!(" {}", format_trimmed(row.subject.level)) } else { String::new() };
    format!("{}{level} on {}{place}, seed {}", subject_label(row), row.world, row.seed)
}

/// What a subject is called.
fn subject_label(row: &SubjectRow) -> String {
    match row.subject.group {
        Group::Reference => "reference".to_owned(),
        Group::Truth => "truth".to_owned(),
        _ => row.subject.name.clone(),
    }
}

/// The groups that the truth is told of, each in its look.
const GROUP_STYLES: [(Group, &str, ColourRole, Marker); 5] = [
    (Group::Truth, "truth", ColourRole::Score, Marker::Diamond),
    (Group::Reference, "reference", ColourRole::Completeness, Marker::Circle),
    (Group::Variant, "variants", ColourRole::GroundTruth, Marker::Square),
    (Group::Dose, "doses", ColourRole::Yours, Marker::Triangle),
    (Group::Control, "controls", ColourRole::Fidelity, Marker::OpenCircle),
];

/// Every subject: what is true of it, and what the metric says.
pub(super) fn truth_chart(source: &Source<'_>) -> Chart {
    let metric = source.opened_id.unwrap_or_default();
    let second = opened_evidence(source).and_then(|evidence| headline_truth(&evidence.validity.truths));
    let truth_of = |row: &SubjectRow| match (source.report.edition(), second) {
        (Edition::First, _) => row.truth,
        // The truth that the word is of, where it is known of trained subjects.
        (Edition::Second, Some(found)) => {
            let counts = row.world.pool_name() == found.world && is_trained(row);
            row.truths.get(&found.truth).copied().filter(|_| counts)
        }
        (Edition::Second, None) => None,
    };
    let series = GROUP_STYLES.into_iter().filter_map(|(group, name, role, marker)| {
        let is_of = |row: &&SubjectRow| match row.subject.group {
            // They are as variants are.
            Group::Trained => group == Group::Variant,
            own => own == group,
        };
        let rows = source.rows.iter().filter(is_of);
        let points = rows.filter_map(|row| {
            let truth = truth_of(row).filter(|truth| truth.is_finite())?;
            Some(Datum { x: truth, y: metric_value(row, metric)?, label: describe_subject(row) })
        });
        let points: Vec<Datum> = points.collect();
        let series = Series::new(name, role, Stroke::None, marker, points);
        (!series.points.is_empty()).then_some(series)
    });
    let series: Vec<Series> = series.collect();
    let points = || series.iter().flat_map(|one| &one.points);
    let title =
        second.map_or_else(|| "truth, more is better".to_owned(), |found| format!("{}, more is better", found.truth));
    let x = Axis::unit_range(&title, "truth", points().map(|point| point.x));
    let y = Axis::around_values("value", "value", points().map(|point| point.y));
    let count = points().count();
    let rho = match source.report.edition() {
        Edition::First => opened_evidence(source).and_then(|evidence| evidence.validity.rho),
        Edition::Second => second.and_then(|found| found.rho),
    };
    let given = match source.report.edition() {
        Edition::First => opened_evidence(source).and_then(|evidence| evidence.validity.given_size),
        Edition::Second => second.and_then(|found| found.given_size),
    };
    let none = || match &source.report.own {
        Some(_) => "No truth is known of your own.".to_owned(),
        None => source.empty_message(),
    };
    let summary = match (count, rho) {
        (0, _) => none(),
        (n, None) => format!("{n} subjects; the values or the truths do not vary within a seed."),
        (n, Some(rho)) => {
            let words = |estimate: &Estimate| {
                let (low, high) = interval_ends(estimate);
                let ends =
                    if low < high { format!(" ({} to {})", fixed(low, 2), fixed(high, 2)) } else { String::new() };
                format!("{}{ends}", fixed(estimate.mean, 2))
            };
            let given = given.map_or_else(String::new, |given| format!("; given size, {}", words(&given)));
            format!("{n} subjects. Spearman’s ρ with the truth, as the paper reads the metric: {}{given}.", words(&rho))
        }
    };
    let caption = match (count, source.report.edition()) {
        (0, _) => none(),
        (_, Edition::First) => {
            "Every subject of every seed whose truth is known. Worlds have truths of their own, so that ρ is computed \
             within each."
                .to_owned()
        }
        (_, Edition::Second) => format!(
            "The trained subjects of every model in the world of which the word is, against the truth in the middle of that \
             world's: ρ is computed within each model and averaged over {}.",
            unit_label(source)
        ),
    };
    let body = ChartBody::Scatter(Scatter { x, y, series, references: Vec::new() });
    Chart::new("audit-truth", &chart_title(source, "the truth and the metric"), summary, caption, body)
}

/// Where subjects of a seed lie, seed by seed.
pub(super) fn seeds_chart(source: &Source<'_>) -> Chart {
    let metric = source.opened_id.unwrap_or_default();
    let about = source.opened_entry().map(|(metric, _)| *metric);
    let groups = [Group::Truth, Group::Reference, Group::Variant, Group::Trained, Group::Control];
    let there: Vec<(&SubjectRow, f64)> = source
        .rows
        .iter()
        .filter(|row| groups.contains(&row.subject.group))
        .filter_map(|row| Some((row, metric_value(row, metric)?)))
        .collect();
    let worlds: Vec<World> = World::BUILT_IN
        .into_iter()
        .chain([World::Own])
        .filter(|world| there.iter().any(|(row, _)| row.world == *world))
        .collect();
    let things = worlds.iter().enumerate().map(|(at, world)| {
        let (role, marker, _) = series_style(at);
        RangeCategory { name: world.to_string(), role, marker }
    });
    let things: Vec<RangeCategory> = things.collect();
    let mut names: Vec<(Group, String)> = Vec::new();
    for group in groups {
        for (row, _) in there.iter().filter(|(row, _)| row.subject.group == group) {
            let name = subject_label(row);
            if !names.iter().any(|(_, other)| *other == name) {
                names.push((group, name));
            }
        }
    }
    let all = Axis::around_values("", "", there.iter().map(|(_, value)| *value));
    let end = |value: f64| value.is_finite().then_some(value);
    let rows = names.iter().map(|(group, name)| {
        let points = there.iter().filter(|(row, _)| row.subject.group == *group && subject_label(row) == *name);
        let points: Vec<RangePoint> = points
            .filter_map(|(row, value)| {
                let thing = worlds.iter().position(|world| *world == row.world)?;
                Some(RangePoint { thing, value: *value, spread: (*value, *value) })
            })
            .collect();
        let (low, high) = min_max(points.iter().map(|point| point.value));
        RangeRow {
            label: name.clone(),
            detail: match group {
                Group::Control => "ought to lose".to_owned(),
                Group::Variant | Group::Trained => "trained, too".to_owned(),
                _ => String::new(),
            },
            note: format!("{} to {}", fixed3(low), fixed3(high)),
            good: false,
            axis: (all.min, all.max),
            reach: about.map_or((None, None), |metric| (end(metric.value_range.0), end(metric.value_range.1))),
            limit: about.and_then(|metric: Metric| metric.condition).map(|condition| RangeLimit {
                at: condition.limit,
                above: condition.holds(f64::INFINITY),
                text: format!("passes {} {}", condition.relation.symbol(), format_trimmed(condition.limit)),
            }),
            points,
        }
    });
    let rows: Vec<RangeRow> = rows.collect();
    let cv = opened_evidence(source).and_then(|evidence| evidence.reliability.cv_seeds);
    let icc = opened_evidence(source).and_then(|evidence| least_stable(evidence));
    let summary = match (there.len(), cv) {
        (0, _) => source.empty_message(),
        (n, _) if source.report.edition() == Edition::Second => icc.map_or_else(
            || format!("{n} values; too few subjects and models to say how much of them is the subject’s."),
            |found| {
                let (icc, least) = (fixed(found.icc, 2), fixed3(found.least_difference));
                format!(
                    "{n} values. Of what varies on {} over {} the subjects are the share {icc} (ICC); differences below \
                     {least} change sides.",
                    found.world,
                    describe_units(found)
                )
            },
        ),
        (n, None) => format!("{n} values; too few seeds to say how much the reference varies."),
        (n, Some(cv)) => {
            let tell = opened_evidence(source).and_then(|evidence| evidence.reliability.seeds_to_tell);
            let tell = tell.map_or_else(String::new, |tell| {
                format!(", and {} seeds separate it from its nearest control", format_trimmed(tell))
            });
            format!(
                "{n} values. Over seeds the reference’s coefficient of variation is {}{tell}.",
                fixed3(cv)
            )
        }
    };
    let caption = "A point a seed, or a seed’s task. What the formula can reach at all is shaded; what passes by the \
                   paper’s condition is underlined."
        .to_owned();
    let body = ChartBody::Ranges(Ranges { rows_title: "Subject".to_owned(), things, rows });
    Chart::new("audit-seeds", &chart_title(source, "seed by seed"), summary, caption, body)
}
