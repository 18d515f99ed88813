//! The figures of measurement theory: all fifteen on good and bad subjects, and one opened.

mod attainable_range;
mod detail_view;

use super::claims::{ClaimStatus, claims};
use super::metric::METRICS;
use super::report::Report;
use super::validation::{
    MeasurementRecord, ReadingSource, Subject, Testbed, VALIDATION_ROWS, ValidationRow, row_verdict,
};
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::{format_trimmed, join_with_and};
use crate::plot::{
    Chart, ChartBody, ColourRole, Marker, RangeCategory, RangeLimit, RangePoint, RangeRow, Ranges, TableCell, min_max,
};
use crate::statistics::mean_or_nan;
use crate::study::{FigureSpec, lab_only};

/// What is drawn.
pub struct MeasurementSource<'a> {
    /// The report, as far as it has come.
    pub report: &'a Report,
    /// Its lines.
    pub records: &'a [MeasurementRecord],
}

type BuildChart = fn(&MeasurementSource<'_>) -> Chart;

/// The figures.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("measure-language", "measure-all", |source| ranges_chart(source, Testbed::Language)),
    lab_only("measure-planted", "measure-all", |source| ranges_chart(source, Testbed::Planted)),
    lab_only("measure-verdicts", "measure-verdicts", verdicts_table),
    lab_only("measure-means", "measure-verdicts", |source| means_table(source, Testbed::Language)),
    lab_only("measure-means-planted", "measure-verdicts", |source| means_table(source, Testbed::Planted)),
    lab_only("measure-picture", "measure-one", |source| detail_view::panel_chart(source, 0)),
    lab_only("measure-picture-2", "measure-one", |source| detail_view::panel_chart(source, 1)),
    lab_only("measure-picture-3", "measure-one", |source| detail_view::panel_chart(source, 2)),
    lab_only("measure-reading", "measure-one", interpretation_table),
    lab_only("measure-quantities", "measure-one", detail_view::quantities_table),
    lab_only("measure-reach", "measure-reach", attainable_range::case_chart),
    lab_only("measure-reached", "measure-reach", attainable_range::cases_table),
    lab_only("measure-claims", "measure-claims", claims_table),
    lab_only("measure-summary", "measure-claims", summary_table),
];

/// "M07", as people write it; MIB is a name.
fn metric_id_label(metric: &str) -> String {
    metric.to_uppercase()
}

/// The metric's id and name: "M07 architecture duality".
fn metric_label(metric: &str) -> String {
    let about = METRICS.iter().find(|about| about.id == metric);
    let name = about.map_or("", |about| about.name);
    // What stands in brackets says where it is from.
    let name = name.split(" (").next().unwrap_or(name);
    format!("{} {}", metric_id_label(metric), lowercase_first(name))
}

/// Without a capital at its beginning, unless it is a name.
fn lowercase_first(name: &str) -> String {
    const PROPER_NAMES: [&str; 6] = ["WeightLens", "PRISM", "Matryoshka", "SVE", "Weber", "NLA"];
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if !PROPER_NAMES.iter().any(|kept| name.starts_with(kept)) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => name.to_owned(),
    }
}

/// A quantity's name as words: "agreement code".
fn quantity_label(quantity: &str) -> String {
    quantity.replace('_', " ")
}

fn subject_style(subject: Subject) -> (ColourRole, Marker) {
    match subject {
        Subject::Oracle => (ColourRole::Score, Marker::Diamond),
        Subject::Trained | Subject::Found | Subject::Dealt => (ColourRole::Fidelity, Marker::Circle),
        Subject::HalfTrained => (ColourRole::Neutral, Marker::Triangle),
        Subject::Full => (ColourRole::Neutral, Marker::Square),
        Subject::Empty => (ColourRole::Neutral, Marker::OpenSquare),
        Subject::Untrained => (ColourRole::Extra, Marker::OpenCircle),
        Subject::Random => (ColourRole::Sparsity, Marker::OpenDiamond),
        Subject::Permuted | Subject::Differing => (ColourRole::Sparsity, Marker::OpenTriangle),
    }
}

/// Subjects that share a look share a key: all that ought to pass but the truth itself, say.
fn subject_legend(subject: Subject) -> &'static str {
    match subject {
        Subject::Trained | Subject::Found | Subject::Dealt => "good (trained, found, or no difference)",
        Subject::Permuted | Subject::Differing => "permuted, or made to differ",
        Subject::Oracle => "the truth",
        Subject::HalfTrained => "half-trained",
        Subject::Full => "all heads",
        Subject::Empty => "no heads",
        Subject::Untrained => "untrained",
        Subject::Random => "random",
    }
}

fn format_condition(row: &ValidationRow) -> Option<String> {
    let condition = row.condition?;
    Some(format!("{} {}", condition.relation.symbol(), format_trimmed(condition.limit)))
}

/// The chart of all fifteen.
fn ranges_chart(source: &MeasurementSource<'_>, ground: Testbed) -> Chart {
    let rows: Vec<&ValidationRow> = VALIDATION_ROWS.iter().filter(|row| row.first).collect();
    let mut things: Vec<RangeCategory> = Vec::new();
    for subject in Subject::ALL {
        let name = subject_legend(subject);
        let there =
            rows.iter().any(|row| row.matching_records(ground, source.records).any(|line| line.subject == subject));
        if there && things.iter().all(|thing| thing.name != name) {
            let (role, marker) = subject_style(subject);
            things.push(RangeCategory { name: name.to_owned(), role, marker });
        }
    }
    let end = |value: f64| value.is_finite().then_some(value);
    let shown = rows.iter().map(|row| {
        let found = row_verdict(row, ground, source.records);
        let points = row.matching_records(ground, source.records).filter_map(|line| {
            let thing = things.iter().position(|thing| thing.name == subject_legend(line.subject))?;
            let (value, spread) = (mean_or_nan(&line.values), min_max(line.values.iter().copied()));
            value.is_finite().then_some(RangePoint { thing, value, spread })
        });
        let (low, high) = row.reachable_range(ground);
        RangeRow {
            label: metric_label(row.metric),
            detail: format!("{} ({})", quantity_label(row.quantity), row.says.label()),
            note: found.verdict.label().to_owned(),
            good: found.verdict == super::validation::Verdict::Tells,
            axis: row.axis,
            reach: (end(low), end(high)),
            limit: row.condition.map(|condition| RangeLimit {
                at: condition.limit,
                above: condition.holds(f64::INFINITY),
                text: format!(
                    "{} {}",
                    if row.of_table { "read as good" } else { "passes" },
                    super::figures::format_condition(row).unwrap_or_default()
                ),
            }),
            points: points.collect(),
        }
    });
    let shown: Vec<RangeRow> = shown.collect();
    let tells =
        rows.iter().filter(|row| row_verdict(row, ground, source.records).verdict == super::validation::Verdict::Tells);
    let tells: Vec<String> = tells.map(|row| metric_id_label(row.metric)).collect();
    let tried = shown.iter().filter(|row| !row.points.is_empty()).count();
    let (id, title, what) = match ground {
        Testbed::Language => (
            "measure-language",
            "All fifteen on the toy model",
            "Bands run over the ten tasks, or over seeds where something was trained for this.",
        ),
        Testbed::Planted => (
            "measure-planted",
            "All fifteen where everything is planted",
            "Bands run over the seeds. There is a subject that is the truth itself.",
        ),
    };
    let summary = if tried == 0 {
        "Nothing is measured yet.".to_owned()
    } else {
        let told = if tells.is_empty() {
            "none separates".to_owned()
        } else {
            format!("{} ({}) separate", tells.len(), join_with_and(&tells))
        };
        format!(
            "Of {tried} metrics with values, {told} every good subject from every control at its primary threshold."
        )
    };
    let caption = format!(
        "A row a metric, over an axis of its own: what the formula can reach at all is shaded, what passes is underlined. \
         Filled marks ought to pass, but for grey ones, which may do either; open ones are controls and ought not to. {what}"
    );
    let body = Ranges { rows_title: "Metric".to_owned(), things, rows: shown };
    Chart::new(id, title, summary, caption, ChartBody::Ranges(body))
}

fn verdicts_table(source: &MeasurementSource<'_>) -> Chart {
    let mut counts = std::collections::BTreeMap::new();
    let mut rows = Vec::new();
    for row in VALIDATION_ROWS {
        let found = Testbed::ALL.map(|ground| row_verdict(row, ground, source.records).verdict);
        if row.first {
            for verdict in found {
                *counts.entry(verdict.label()).or_insert(0_usize) += 1;
            }
        }
        let (low, high) = row.reach;
        let end = |value: f64, none: &str| {
            if value.is_finite() { format_trimmed(value) } else { none.to_owned() }
        };
        // In a word: a printed page is no wider than the table.
        let reading = if row.says == ReadingSource::Both { "both" } else { row.says.label() };
        let mut cells = vec![
            text_cell(metric_label(row.metric)),
            text_cell(quantity_label(row.quantity)),
            text_cell(reading),
            text_cell(format_condition(row).unwrap_or_else(|| "–".to_owned())),
            text_cell(format!("{} to {}", end(low, "−∞"), end(high, "∞"))),
        ];
        cells.extend(found.map(|verdict| text_cell(verdict.label())));
        rows.push(cells);
    }
    let counts: Vec<String> = counts.into_iter().map(|(words, count)| format!("{words}: {count}")).collect();
    let columns = parse_columns("Metric | Quantity | Reading | Passes | Range | Synthetic data | Toy model");
    let said = [
        format!("Primary thresholds of the fifteen, in both settings: {}.", counts.join("; ")),
        "A subject passes a threshold where its mean does. Thresholds of metrics that are only reported are \
         those of their tables. Attainable ranges are those of the toy model. A threshold comes from the paper, the implementation, both or us."
            .to_owned(),
    ];
    table_chart("measure-verdicts", "Which thresholds separate good from bad", said, columns, rows)
}

/// The means of a ground, a row a quantity and a column a subject.
fn means_table(source: &MeasurementSource<'_>, ground: Testbed) -> Chart {
    let there = |subject: &Subject| source.records.iter().any(|line| line.ground == ground && line.subject == *subject);
    let subjects: Vec<Subject> = Subject::ALL.into_iter().filter(there).collect();
    let mut found = 0;
    let rows = VALIDATION_ROWS.iter().map(|row| {
        let mut cells = vec![
            text_cell(metric_id_label(row.metric)),
            text_cell(quantity_label(row.quantity)),
            text_cell(format_condition(row).unwrap_or_else(|| "–".to_owned())),
        ];
        for subject in &subjects {
            let line = row.matching_records(ground, source.records).find(|line| line.subject == *subject);
            found += usize::from(line.is_some());
            cells.push(number_cell(line.map(|line| mean_or_nan(&line.values)), 3));
        }
        cells
    });
    let rows = rows.collect();
    let each: String = subjects.iter().map(|subject| format!(" | >{}", subject.name())).collect();
    let columns = parse_columns(&format!("Metric | Quantity | Limit{each}"));
    let (id, title) = match ground {
        Testbed::Language => ("measure-means", "Every mean on the toy model"),
        Testbed::Planted => ("measure-means-planted", "Every mean where everything is planted"),
    };
    let said = [
        format!("{found} means over seeds or tasks."),
        "Means of every subject, in all readings. A dash: the metric is not asked of that subject, or has no value there."
            .to_owned(),
    ];
    table_chart(id, title, said, columns, rows)
}

/// The text's table of the metric that is opened, with the subjects that each row applies to.
fn interpretation_table(source: &MeasurementSource<'_>) -> Chart {
    const ID: &str = "measure-reading";
    let metric = &source.report.settings.metric;
    let picture = source.report.picture.as_ref().filter(|picture| picture.metric == *metric);
    let about = METRICS.iter().find(|about| about.id == metric);
    let table_of = about.map_or(&[][..], |about| about.table);
    let mut subjects: Vec<&str> = Vec::new();
    for quantity in picture.map_or(&[][..], |picture| &picture.quantities) {
        if !subjects.contains(&quantity.subject.as_str()) {
            subjects.push(&quantity.subject);
        }
    }
    let rows: Vec<Vec<TableCell>> = table_of
        .iter()
        .map(|row| {
            let when = row.when.iter().map(|condition| {
                let (sign, limit) = (condition.relation.symbol(), format_trimmed(condition.limit));
                format!("{} {sign} {limit}", quantity_label(condition.quantity))
            });
            let when: Vec<String> = when.collect();
            let applies = |subject: &&&str| {
                let value = |name: &str| picture.and_then(|picture| picture.value_by_name(subject, name));
                super::metric::all_hold(row.when, value)
            };
            let who: Vec<String> = subjects.iter().filter(applies).map(|subject| (*subject).to_owned()).collect();
            let who = if who.is_empty() { "none".to_owned() } else { join_with_and(&who) };
            vec![text_cell(join_with_and(&when)), text_cell(row.means), text_cell(who)]
        })
        .collect();
    let summary = if table_of.is_empty() {
        format!("The text has no table by which {} is read.", metric_id_label(metric))
    } else if picture.is_none() {
        "Nothing is measured yet.".to_owned()
    } else {
        format!("{} rows, {} subjects.", rows.len(), subjects.len())
    };
    let caption = "The text’s own table, in our words, and which of the subjects above each row applies to.".to_owned();
    let columns = parse_columns("Where | It is read as | Applies to");
    table_chart(ID, &format!("How {} is read", metric_id_label(metric)), [summary, caption], columns, rows)
}

fn claims_table(_: &MeasurementSource<'_>) -> Chart {
    let count = |standing| claims().iter().filter(|claim| claim.standing == standing).count();
    let rows = claims().iter().map(|claim| {
        vec![text_cell(metric_id_label(claim.metric)), text_cell(claim.says), text_cell(claim.standing.label())]
    });
    let columns = parse_columns("Metric | Claim | Here");
    let said = [
        format!(
            "Of {} claims, {} are contradicted, {} cannot be derived from anything here, {} follow.",
            claims().len(),
            count(ClaimStatus::Contradicted),
            count(ClaimStatus::NotDerivable),
            count(ClaimStatus::Follows)
        ),
        "What the page quotes, or says of its metrics, beside what can be said of it.".to_owned(),
    ];
    table_chart("measure-claims", "What the page claims", said, columns, rows.collect())
}

fn summary_table(_: &MeasurementSource<'_>) -> Chart {
    let all = super::claims::pass_conditions();
    let differ: Vec<String> =
        all.iter().filter(|[_, summary, said]| summary != said).map(|[id, ..]| metric_id_label(id)).collect();
    let rows = all.iter().map(|[id, summary, said]| {
        let agree = if summary == said { "yes" } else { "no" };
        vec![text_cell(metric_label(id)), text_cell(*summary), text_cell(*said), text_cell(agree)]
    });
    let columns = parse_columns("Metric | Its summary table | Its text | They agree");
    let said = [
        format!(
            "The summary table and the text agree on {} of 15 pass conditions; {} differ{}.",
            all.len() - differ.len(),
            join_with_and(&differ),
            if differ.len() == 1 { "s" } else { "" }
        ),
        "The page gives each pass condition twice.".to_owned(),
    ];
    table_chart("measure-summary", "Pass conditions, given twice", said, columns, rows.collect())
}
