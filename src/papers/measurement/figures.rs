//! The figures of measurement theory: all fifteen on good and bad subjects, and one opened.

mod attainable_range;
mod detail_view;

use super::claims::{Standing, claims};
use super::metric::METRICS;
use super::report::Report;
use super::validation::{Attribution, Ground, Line, ROWS, Row, Subject, judged};
use crate::plot::cells::{columns, number, table, text};
use crate::plot::format::{listed, trimmed};
use crate::plot::{
    Body, Chart, Marker, RangeLimit, RangePoint, RangeRow, RangeThing, Ranges, Role, TableCell,
    extent,
};
use crate::statistics::plain_mean;
use crate::study::{FigureSpec, of_lab};

/// What is drawn.
pub struct Source<'a> {
    /// The report, as far as it has come.
    pub report: &'a Report,
    /// Its lines.
    pub lines: &'a [Line],
}

type Build = fn(&Source<'_>) -> Chart;

/// The figures.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<Build>] = &[
    of_lab("measure-language", "measure-all", |source| ranges(source, Ground::Language)),
    of_lab("measure-planted", "measure-all", |source| ranges(source, Ground::Planted)),
    of_lab("measure-verdicts", "measure-verdicts", verdicts),
    of_lab("measure-means", "measure-verdicts", |source| means(source, Ground::Language)),
    of_lab("measure-means-planted", "measure-verdicts", |source| means(source, Ground::Planted)),
    of_lab("measure-picture", "measure-one", |source| detail_view::panel(source, 0)),
    of_lab("measure-picture-2", "measure-one", |source| detail_view::panel(source, 1)),
    of_lab("measure-picture-3", "measure-one", |source| detail_view::panel(source, 2)),
    of_lab("measure-reading", "measure-one", reading),
    of_lab("measure-quantities", "measure-one", detail_view::quantities),
    of_lab("measure-reach", "measure-reach", attainable_range::case),
    of_lab("measure-reached", "measure-reach", attainable_range::cases),
    of_lab("measure-claims", "measure-claims", claims_table),
    of_lab("measure-summary", "measure-claims", summary_table),
];

/// "M07", as people write it; MIB is a name.
fn id_of(metric: &str) -> String {
    metric.to_uppercase()
}

/// The metric's id and name: "M07 architecture duality".
fn name_of(metric: &str) -> String {
    let about = METRICS.iter().find(|about| about.id == metric);
    let name = about.map_or("", |about| about.name);
    // What stands in brackets says where it is from.
    let name = name.split(" (").next().unwrap_or(name);
    format!("{} {}", id_of(metric), lower(name))
}

/// Without a capital at its beginning, unless it is a name.
fn lower(name: &str) -> String {
    const NAMES: [&str; 6] = ["WeightLens", "PRISM", "Matryoshka", "SVE", "Weber", "NLA"];
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if !NAMES.iter().any(|kept| name.starts_with(kept)) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => name.to_owned(),
    }
}

/// A quantity's name as words: "agreement code".
fn words_of(quantity: &str) -> String {
    quantity.replace('_', " ")
}

fn look(subject: Subject) -> (Role, Marker) {
    match subject {
        Subject::Oracle => (Role::Score, Marker::Diamond),
        Subject::Trained | Subject::Found | Subject::Dealt => (Role::Fidelity, Marker::Circle),
        Subject::HalfTrained => (Role::Neutral, Marker::Triangle),
        Subject::Full => (Role::Neutral, Marker::Square),
        Subject::Empty => (Role::Neutral, Marker::OpenSquare),
        Subject::Untrained => (Role::Extra, Marker::OpenCircle),
        Subject::Random => (Role::Sparsity, Marker::OpenDiamond),
        Subject::Permuted | Subject::Differing => (Role::Sparsity, Marker::OpenTriangle),
    }
}

/// Subjects that share a look share a key: all that ought to pass but the truth itself, say.
fn thing_of(subject: Subject) -> &'static str {
    match subject {
        Subject::Trained | Subject::Found | Subject::Dealt => {
            "good (trained, found, or no difference)"
        }
        Subject::Permuted | Subject::Differing => "permuted, or made to differ",
        Subject::Oracle => "the truth",
        Subject::HalfTrained => "half-trained",
        Subject::Full => "all heads",
        Subject::Empty => "no heads",
        Subject::Untrained => "untrained",
        Subject::Random => "random",
    }
}

fn of<'a>(row: &'a Row, ground: Ground, lines: &'a [Line]) -> impl Iterator<Item = &'a Line> {
    lines.iter().filter(move |line| {
        line.ground == ground && line.metric == row.metric && line.quantity == row.quantity
    })
}

fn condition(row: &Row) -> Option<String> {
    let condition = row.condition?;
    Some(format!("{} {}", condition.relation.sign(), trimmed(condition.limit)))
}

/// The chart of all fifteen.
fn ranges(source: &Source<'_>, ground: Ground) -> Chart {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.first).collect();
    let mut things: Vec<RangeThing> = Vec::new();
    for subject in Subject::ALL {
        let name = thing_of(subject);
        let there = rows
            .iter()
            .any(|row| of(row, ground, source.lines).any(|line| line.subject == subject));
        if there && things.iter().all(|thing| thing.name != name) {
            let (role, marker) = look(subject);
            things.push(RangeThing { name: name.to_owned(), role, marker });
        }
    }
    let end = |value: f64| value.is_finite().then_some(value);
    let shown = rows.iter().map(|row| {
        let found = judged(row, ground, source.lines);
        let points = of(row, ground, source.lines).filter_map(|line| {
            let thing = things.iter().position(|thing| thing.name == thing_of(line.subject))?;
            let (value, spread) = (plain_mean(&line.values), extent(line.values.iter().copied()));
            value.is_finite().then_some(RangePoint { thing, value, spread })
        });
        let (low, high) = row.reach_on(ground);
        RangeRow {
            label: name_of(row.metric),
            detail: format!("{} ({})", words_of(row.quantity), row.says.label()),
            note: found.verdict.words().to_owned(),
            good: found.verdict == super::validation::Verdict::Tells,
            axis: row.axis,
            reach: (end(low), end(high)),
            limit: row.condition.map(|condition| RangeLimit {
                at: condition.limit,
                above: condition.holds(f64::INFINITY),
                text: format!(
                    "{} {}",
                    if row.of_table { "read as good" } else { "passes" },
                    super::figures::condition(row).unwrap_or_default()
                ),
            }),
            points: points.collect(),
        }
    });
    let shown: Vec<RangeRow> = shown.collect();
    let tells = rows.iter().filter(|row| {
        judged(row, ground, source.lines).verdict == super::validation::Verdict::Tells
    });
    let tells: Vec<String> = tells.map(|row| id_of(row.metric)).collect();
    let tried = shown.iter().filter(|row| !row.points.is_empty()).count();
    let (id, title, what) = match ground {
        Ground::Language => (
            "measure-language",
            "All fifteen on the toy model",
            "Bands run over the ten tasks, or over seeds where something was trained for this.",
        ),
        Ground::Planted => (
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
            format!("{} ({}) separate", tells.len(), listed(&tells))
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
    Chart::new(id, title, summary, caption, Body::Ranges(body))
}

fn verdicts(source: &Source<'_>) -> Chart {
    let mut counts = std::collections::BTreeMap::new();
    let mut rows = Vec::new();
    for row in ROWS {
        let found = Ground::ALL.map(|ground| judged(row, ground, source.lines).verdict);
        if row.first {
            for verdict in found {
                *counts.entry(verdict.words()).or_insert(0_usize) += 1;
            }
        }
        let (low, high) = row.reach;
        let end = |value: f64, none: &str| {
            if value.is_finite() { trimmed(value) } else { none.to_owned() }
        };
        // In a word: a printed page is no wider than the table.
        let reading = if row.says == Attribution::Both { "both" } else { row.says.label() };
        let mut cells = vec![
            text(name_of(row.metric)),
            text(words_of(row.quantity)),
            text(reading),
            text(condition(row).unwrap_or_else(|| "–".to_owned())),
            text(format!("{} to {}", end(low, "−∞"), end(high, "∞"))),
        ];
        cells.extend(found.map(|verdict| text(verdict.words())));
        rows.push(cells);
    }
    let counts: Vec<String> =
        counts.into_iter().map(|(words, count)| format!("{words}: {count}")).collect();
    let columns =
        columns("Metric | Quantity | Reading | Passes | Range | Synthetic data | Toy model");
    let said = [
        format!("Primary thresholds of the fifteen, in both settings: {}.", counts.join("; ")),
        "A subject passes a threshold where its mean does. Thresholds of metrics that are only reported are \
         those of their tables. Attainable ranges are those of the toy model. A threshold comes from the paper, the implementation, both or us."
            .to_owned(),
    ];
    table("measure-verdicts", "Which thresholds separate good from bad", said, columns, rows)
}

/// The means of a ground, a row a quantity and a column a subject.
fn means(source: &Source<'_>, ground: Ground) -> Chart {
    let there = |subject: &Subject| {
        source.lines.iter().any(|line| line.ground == ground && line.subject == *subject)
    };
    let subjects: Vec<Subject> = Subject::ALL.into_iter().filter(there).collect();
    let mut found = 0;
    let rows = ROWS.iter().map(|row| {
        let mut cells = vec![
            text(id_of(row.metric)),
            text(words_of(row.quantity)),
            text(condition(row).unwrap_or_else(|| "–".to_owned())),
        ];
        for subject in &subjects {
            let line = of(row, ground, source.lines).find(|line| line.subject == *subject);
            found += usize::from(line.is_some());
            cells.push(number(line.map(|line| plain_mean(&line.values)), 3));
        }
        cells
    });
    let rows = rows.collect();
    let each: String = subjects.iter().map(|subject| format!(" | >{}", subject.name())).collect();
    let columns = columns(&format!("Metric | Quantity | Limit{each}"));
    let (id, title) = match ground {
        Ground::Language => ("measure-means", "Every mean on the toy model"),
        Ground::Planted => ("measure-means-planted", "Every mean where everything is planted"),
    };
    let said = [
        format!("{found} means over seeds or tasks."),
        "Means of every subject, in all readings. A dash: the metric is not asked of that subject, or has no value there."
            .to_owned(),
    ];
    table(id, title, said, columns, rows)
}

/// The text's table of the metric that is opened, with the subjects that each row applies to.
fn reading(source: &Source<'_>) -> Chart {
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
                let (sign, limit) = (condition.relation.sign(), trimmed(condition.limit));
                format!("{} {sign} {limit}", words_of(condition.quantity))
            });
            let when: Vec<String> = when.collect();
            let applies = |subject: &&&str| {
                let value =
                    |name: &str| picture.and_then(|picture| picture.value_by_name(subject, name));
                super::metric::all_hold(row.when, value)
            };
            let who: Vec<String> =
                subjects.iter().filter(applies).map(|subject| (*subject).to_owned()).collect();
            let who = if who.is_empty() { "none".to_owned() } else { listed(&who) };
            vec![text(listed(&when)), text(row.means), text(who)]
        })
        .collect();
    let summary = if table_of.is_empty() {
        format!("The text has no table by which {} is read.", id_of(metric))
    } else if picture.is_none() {
        "Nothing is measured yet.".to_owned()
    } else {
        format!("{} rows, {} subjects.", rows.len(), subjects.len())
    };
    let caption =
        "The text’s own table, in our words, and which of the subjects above each row applies to."
            .to_owned();
    let columns = columns("Where | It is read as | Applies to");
    table(ID, &format!("How {} is read", id_of(metric)), [summary, caption], columns, rows)
}

fn claims_table(_: &Source<'_>) -> Chart {
    let count = |standing| claims().iter().filter(|claim| claim.standing == standing).count();
    let rows = claims().iter().map(|claim| {
        vec![text(id_of(claim.metric)), text(claim.says), text(claim.standing.words())]
    });
    let columns = columns("Metric | Claim | Here");
    let said = [
        format!(
            "Of {} claims, {} are contradicted, {} cannot be derived from anything here, {} follow.",
            claims().len(),
            count(Standing::Contradicted),
            count(Standing::NotDerivable),
            count(Standing::Follows)
        ),
        "What the page quotes, or says of its metrics, beside what can be said of it.".to_owned(),
    ];
    table("measure-claims", "What the page claims", said, columns, rows.collect())
}

fn summary_table(_: &Source<'_>) -> Chart {
    let all = super::claims::summary();
    let differ: Vec<String> =
        all.iter().filter(|[_, summary, said]| summary != said).map(|[id, ..]| id_of(id)).collect();
    let rows = all.iter().map(|[id, summary, said]| {
        let agree = if summary == said { "yes" } else { "no" };
        vec![text(name_of(id)), text(*summary), text(*said), text(agree)]
    });
    let columns = columns("Metric | Its summary table | Its text | They agree");
    let said = [
        format!(
            "The summary table and the text agree on {} of 15 pass conditions; {} differ{}.",
            all.len() - differ.len(),
            listed(&differ),
            if differ.len() == 1 { "s" } else { "" }
        ),
        "The page gives each pass condition twice.".to_owned(),
    ];
    table("measure-summary", "Pass conditions, given twice", said, columns, rows.collect())
}
