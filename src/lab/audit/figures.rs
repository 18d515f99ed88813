//! The figures of the audit: what is said of all metrics, how they go together, and what one of them rests on.

mod across_metrics;
mod single_metric;

use super::entry::{Cell, MetricEntry, Table};
use super::metric::Metric;
use super::report::Report;
use super::row::SubjectRow;
use super::rule::{Column, Edition, VerdictWord};
use super::settings::Settings;
use super::table::weighted_score;
use crate::papers::measurement::validation::ReadingSource;
use crate::plot::format::{capitalise_name, fixed, format_seconds, format_trimmed};
use crate::plot::{Chart, ChartBody, ColourRole, MarkCategory, MarkCell, MarkMatrix, MarkRow, Marker};
use crate::study::{FigureSpec, lab_only};

/// What is drawn.
pub struct Source<'a> {
    /// The report, as far as it has come.
    pub report: &'a Report,
    /// All metrics.
    pub metrics: &'a [Metric],
    /// All rows that there are.
    pub rows: &'a [SubjectRow],
    /// What is said of the metrics, one entry each.
    pub table: &'a Table,
    /// Places of what is shown, in its order.
    pub shown_indices: &'a [usize],
    /// The id of the metric that is opened.
    pub opened_id: Option<&'a str>,
}

type BuildChart = fn(&Source<'_>) -> Chart;

/// The figures.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("audit-table", "audit-all", verdict_table_chart),
    lab_only("audit-controls", "audit-one", single_metric::controls_chart),
    lab_only("audit-doses", "audit-one", single_metric::doses_chart),
    lab_only("audit-truth", "audit-one", single_metric::truth_chart),
    lab_only("audit-seeds", "audit-one", single_metric::seeds_chart),
    lab_only("audit-invariance", "audit-one", single_metric::invariance_chart),
    lab_only("audit-redundancy", "audit-together", across_metrics::redundancy_chart),
    lab_only("audit-reach", "audit-together", across_metrics::reach_chart),
    lab_only("audit-cost", "audit-together", across_metrics::cost_chart),
];

impl Source<'_> {
    /// What is shown, each with its entry.
    fn shown_entries(&self) -> impl Iterator<Item = (&Metric, &MetricEntry)> {
        let pair = |at: &usize| Some((self.metrics.get(*at)?, self.table.entries.get(*at)?));
        self.shown_indices.iter().filter_map(pair)
    }

    /// The metric that is opened, with its entry.
    fn opened_entry(&self) -> Option<(&Metric, &MetricEntry)> {
        let at = self.metrics.iter().position(|metric| Some(metric.id) == self.opened_id)?;
        Some((self.metrics.get(at)?, self.table.entries.get(at)?))
    }

    /// What the metric of an id is called.
    fn label_of_id(&self, id: &str) -> String {
        let metric = self.metrics.iter().find(|metric| metric.id == id);
        metric.map_or_else(|| id.to_owned(), metric_label)
    }

    /// The state of things, where nothing can be shown of them.
    fn empty_message(&self) -> String {
        let (done, all) = self.report.progress();
        if done == all {
            "Nothing of it was measured.".to_owned()
        } else {
            format!("Nothing is measured of it yet: {done} of {all} parts are there.")
        }
    }
}

/// "M07 agreement (code)": readings of one metric are told apart.
fn metric_label(metric: &Metric) -> String {
    match metric.attribution {
        ReadingSource::Both => metric.name.to_owned(),
        says => format!("{} ({})", metric.name, says.label()),
    }
}

/// What a paper is called.
fn paper_label(study: &str) -> &str {
    match study {
        "sfc" => "SFC-Score",
        "fade" => "FADE",
        "ce-bench" => "CE-Bench",
        "mui" => "MUI",
        "measurement" => "Measurement theory",
        other => other,
    }
}

/// The colour and the shape of a word.
fn word_style(word: VerdictWord) -> (ColourRole, Marker) {
    match word {
        VerdictWord::Holds => (ColourRole::Completeness, Marker::Circle),
        VerdictWord::Partly => (ColourRole::Yours, Marker::Triangle),
        VerdictWord::Fails => (ColourRole::Fidelity, Marker::Square),
        VerdictWord::Unknown => (ColourRole::Neutral, Marker::OpenCircle),
        VerdictWord::None | VerdictWord::NotApplicable => (ColourRole::Score, Marker::None),
        VerdictWord::Separates => (ColourRole::Completeness, Marker::Diamond),
        VerdictWord::Overlaps => (ColourRole::Yours, Marker::OpenTriangle),
        VerdictWord::Inconclusive => (ColourRole::Neutral, Marker::OpenCircle),
        VerdictWord::Reversed => (ColourRole::Fidelity, Marker::Diamond),
        VerdictWord::Tied => (ColourRole::Neutral, Marker::OpenSquare),
        VerdictWord::Equal => (ColourRole::Neutral, Marker::OpenDiamond),
    }
}

/// A number of a column, short.
fn format_value(column: Column, value: f64) -> String {
    match column {
        Column::Cost => format_seconds(value),
        Column::Reach => format!("{} %", fixed(100.0 * value, 0)),
        _ => fixed(value, 2),
    }
}

/// What the number of a column is.
fn quantity_label(column: Column, edition: Edition) -> &'static str {
    match column {
        Column::Reliability if edition == Edition::First => "CV",
        Column::Reliability => "ICC",
        Column::Discrimination if edition == Edition::First => "AUC of the nearest control",
        Column::Discrimination => "AUC of the worst control",
        Column::Validity => "ρ with the truth",
        Column::Invariance if edition == Edition::First => "greatest change",
        Column::Invariance => "greatest change, in standard deviations,",
        Column::Reach => "subjects that pass",
        Column::Redundancy => "greatest |ρ|",
        Column::Cost => "one subject",
    }
}

/// "ICC 0.83 (0.71 to 0.95)".
fn format_cell(cell: &Cell, edition: Edition) -> Option<String> {
    let value = cell.value.filter(|value| value.is_finite())?;
    let interval = cell.interval.map_or_else(String::new, |[low, high]| {
        format!(" ({} to {})", format_value(cell.column, low), format_value(cell.column, high))
    });
    Some(format!("{} {}{interval}", quantity_label(cell.column, edition), format_value(cell.column, value)))
}

/// What words count in a score: "separates 1, passes 1, …".
fn describe_word_scores(edition: Edition) -> String {
    let words = VerdictWord::for_edition(edition).iter();
    let each = words.filter_map(|word| Some(format!("{} {}", word.name(), format_trimmed(word.score_value()?))));
    each.collect::<Vec<_>>().join(", ")
}

/// By what rows are ordered, and which are left out, in words.
fn describe_row_order(settings: &Settings) -> String {
    let by = match settings.sort.as_str() {
        "score" => {
            let weights = settings.column_weights();
            if weights.iter().all(|weight| *weight == 1.0) {
                format!(
                    "Rows are ordered by their mean word, all columns weighted equally ({})",
                    describe_word_scores(settings.edition)
                )
            } else {
                let said = Column::ALL.iter().zip(weights);
                let said: Vec<String> =
                    said.map(|(column, weight)| format!("{} {}", column.name(), format_trimmed(weight))).collect();
                format!("Rows stand by the mean of their words under your weights ({})", said.join(", "))
            }
        }
        "paper" => "Rows stand paper by paper".to_owned(),
        column => {
            let first = VerdictWord::for_edition(settings.edition).first().map_or("", |word| word.name());
            format!("Rows stand by {column}: words from “{first}” down, then numbers")
        }
    };
    let mut left = Vec::new();
    if settings.paper != "all" {
        left.push(format!("those of {}", paper_label(&settings.paper)));
    }
    match settings.has.as_str() {
        "scores" => left.push("those that need nothing but scores".to_owned()),
        "activations" => left.push("those that activations and a dictionary are enough for".to_owned()),
        "model" => left.push("those that need no judge".to_owned()),
        _ => {}
    }
    if settings.asks != "all" {
        left.push(format!("those whose {} passes at least in part", settings.asks));
    }
    if left.is_empty() { format!("{by}.") } else { format!("{by}; shown are {}.", left.join(", and of them ")) }
}

/// The table of words.
fn verdict_table_chart(source: &Source<'_>) -> Chart {
    let settings = &source.report.settings;
    let weights = settings.column_weights();
    let edition = source.report.edition();
    let all = VerdictWord::for_edition(edition);
    let measured = !source.rows.is_empty();
    let rows = source.shown_entries().map(|(metric, entry)| {
        let cell = |column: &Column| {
            let found = entry.cells.iter().find(|cell| cell.column == *column).filter(|_| measured);
            let Some(cell) = found else {
                return MarkCell { word: None, text: String::new(), exact: None, says: "Not measured yet.".to_owned() };
            };
            let value = cell.value.filter(|value| value.is_finite());
            let number = format_cell(cell, edition).map_or_else(String::new, |number| format!("{number}. "));
            MarkCell {
                word: all.iter().position(|word| *word == cell.word),
                text: value.map_or_else(String::new, |value| format_value(*column, value)),
                exact: value,
                says: format!("{number}{}", cell.says),
            }
        };
        MarkRow {
            key: metric.id.to_owned(),
            label: metric_label(metric),
            detail: paper_label(metric.paper).to_owned(),
            cells: Column::ALL.iter().map(cell).collect(),
            score: weighted_score(entry, &weights).filter(|_| measured),
        }
    });
    let rows: Vec<MarkRow> = rows.collect();
    let opened = rows.iter().position(|row| Some(row.key.as_str()) == source.opened_id);
    let words = all.iter().map(|word| {
        let (role, marker) = word_style(*word);
        MarkCategory { name: capitalise_name(word.name()), role, marker }
    });
    let words: Vec<MarkCategory> = words.collect();
    let (done, parts) = source.report.progress();
    let part = if done == parts { String::new() } else { format!(" {done} of {parts} parts are measured.") };
    let summary = if !measured {
        format!("{} metrics and seven questions; the answers come as parts are measured.{part}", rows.len())
    } else {
        let count = |word: &VerdictWord| {
            let cells = source.shown_entries().flat_map(|(_, entry)| &entry.cells);
            Some(cells.filter(|cell| cell.word == *word).count()).filter(|count| *count > 0)
        };
        let counts = all.iter().filter_map(|word| Some(format!("{} {}", count(word)?, word.name())));
        format!("{} metrics. Words: {}.{part}", rows.len(), counts.collect::<Vec<_>>().join("; "))
    };
    let caption = format!(
        "A metric in one reading a row. {} Point at a mark for its number, its 95 % interval and what it says; \
         choose a row to open what it rests on, below.",
        describe_row_order(settings)
    );
    let body = MarkMatrix {
        rows_title: "Metric".to_owned(),
        columns: Column::ALL.iter().map(|column| capitalise_name(column.name())).collect(),
        words,
        score_title: Some("Score".to_owned()),
        rows,
        opened,
        asked: Settings::column_index(&settings.asks),
    };
    Chart::new("audit-table", "What each metric can be trusted for", summary, caption, ChartBody::Marks(body))
}
