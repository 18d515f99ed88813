//! SynthSAEBench's figures: every number over seeds beside the printed one, and which printed orders came out.

use super::job::Subject;
use super::printed::SynthMetric;
use super::report::{Report, SeedStatistics};
use super::settings::BATCH_ROWS;
use crate::plot::cells::{self, parse_columns};
use crate::plot::format::{capitalise_name, fixed, format_grouped, format_with_noun, join_with_and, unfinished_note};
use crate::plot::{Axis, Chart, ChartBody, ColourRole, DotRow, Dots, Marker, Status, TableCell};
use crate::sae::sae_lens_trainer::Architecture;
use crate::sae::synth_sae_bench::SynthScores;
use crate::study::{FigureSpec, lab_only};

type BuildChart = fn(&&Report) -> Chart;

/// The figures of SynthSAEBench.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<BuildChart>] = &[
    lab_only("synth-f1", "synth-scores", |report| metric_chart(report, SynthMetric::F1)),
    lab_only("synth-mcc", "synth-scores", |report| metric_chart(report, SynthMetric::Mcc)),
    lab_only("synth-uniqueness", "synth-scores", |report| metric_chart(report, SynthMetric::Uniqueness)),
    lab_only("synth-explained-variance", "synth-scores", |report| metric_chart(report, SynthMetric::ExplainedVariance)),
    lab_only("synth-orders", "synth-compared", |report| rankings_table(report)),
    lab_only("synth-table", "synth-compared", |report| scores_table(report)),
];

/// The run in a sentence or two; of a part without a verdict.
#[must_use]
pub fn headline(report: &Report) -> String {
    if let Some(said) = unfinished_note(report.progress(), "autoencoders") {
        return said;
    }
    let orders = report.rankings();
    let kept = orders.iter().filter(|order| order.is_reproduced()).count();
    let (features, l0) = (report.settings.features, report.settings.printed_table().l0);
    let beyond = match report.settings.seeds {
        1 => String::new(),
        seeds => {
            let sure = |kept: bool| {
                orders.iter().filter(|order| order.exceeds_spread() && order.is_reproduced() == kept).count()
            };
            format!(
                ", {} beyond the spread of {seeds} seeds; {} the other way round beyond it",
                sure(true),
                match sure(false) {
                    0 => "none comes out".to_owned(),
                    1 => "1 comes out".to_owned(),
                    count => format!("{count} come out"),
                }
            )
        }
    };
    format!(
        "At {features} features, {kept} of the {} clear orders of the printed table for L0 = {l0} come out{beyond}.",
        orders.len()
    )
}

fn figure_id(metric: SynthMetric) -> &'static str {
    match metric {
        SynthMetric::F1 => "synth-f1",
        SynthMetric::Mcc => "synth-mcc",
        SynthMetric::Uniqueness => "synth-uniqueness",
        SynthMetric::ExplainedVariance => "synth-explained-variance",
    }
}

/// What all figures say of where the numbers are from.
fn describe_source(report: &Report) -> String {
    let settings = &report.settings;
    format!(
        "Here: {} features in {} dimensions, {} latents, k = {}, {} training samples, {} evaluated rows. Printed: 16,384 features in 768 dimensions, 4,096 latents, L0 = {}, 200 million samples, 5 seeds.",
        format_grouped(settings.features),
        format_grouped(settings.dimensions),
        format_grouped(settings.latents()),
        settings.k,
        format_grouped(settings.steps() as usize * BATCH_ROWS),
        format_grouped(settings.evaluated),
        settings.printed_table().l0,
    )
}

/// One number of every subject over seeds, and the printed one below each.
fn metric_chart(report: &Report, metric: SynthMetric) -> Chart {
    let printed = report.settings.printed_table();
    let mut rows = Vec::new();
    let mut best: Option<(f64, &str)> = None;
    for subject in Subject::ALL {
        let Some(found) = report.seed_statistics(subject, &|scores| metric.value_of(scores)) else {
            continue;
        };
        let half = found.deviation.unwrap_or_default();
        let trained = matches!(subject, Subject::Trained(_));
        if trained && best.is_none_or(|(most, _)| found.mean > most) {
            best = Some((found.mean, subject.label()));
        }
        let spread = (found.mean - half, found.mean + half);
        let mut row = DotRow::for_subject(subject.label(), trained, found.mean, spread);
        if trained {
            row.detail = Some(format_with_noun(found.seeds, "seed"));
        }
        rows.push(row);
        if let Subject::Trained(architecture) = subject {
            let cell = printed.cell(architecture, metric);
            rows.push(DotRow {
                label: format!("{}, printed", architecture.name_in_paper()),
                detail: None,
                role: ColourRole::Neutral,
                marker: Marker::OpenCircle,
                value: cell.mean,
                spread: (cell.mean - cell.deviation, cell.mean + cell.deviation),
            });
        }
    }
    let label = metric.label();
    let title = match best.filter(|_| report.is_complete()) {
        Some((_, name)) => {
            format!("{}: {name} is highest", capitalise_name(label))
        }
        None => capitalise_name(label),
    };
    let summary = match best {
        Some(_) if !report.is_complete() => headline(report),
        Some((value, name)) => format!("{label} is highest with {name}: {}.", fixed(value, 3)),
        None => format!("{label}: nothing is trained yet."),
    };
    let caption =
        format!("Means over seeds; bars reach a standard deviation to both sides. {}", describe_source(report));
    let most = rows.iter().map(|row| row.spread.1).fold(0.0, f64::max);
    let body = Dots {
        rows_title: "architecture".to_owned(),
        spread_title: "a standard deviation to both sides".to_owned(),
        x: Axis::from_zero(label, most).with_symbol(label),
        rows,
    };
    Chart::new(figure_id(metric), &title, summary, caption, ChartBody::Dots(body))
}

/// Every clear order of the printed table.
fn rankings_table(report: &Report) -> Chart {
    let (found, whole) = (report.rankings(), report.is_complete());
    let clear = report.settings.printed_table().clear_rankings().len();
    let rows = found
        .iter()
        .map(|order| {
            let word = match (order.is_reproduced(), order.exceeds_spread()) {
                (true, true) => "as printed",
                (true, false) => "as printed, within the spread",
                (false, true) => "reversed",
                (false, false) => "reversed, within the spread",
            };
            let words = if order.summed_deviation.is_none() {
                if order.is_reproduced() { "as printed" } else { "reversed" }
            } else {
                word
            };
            vec![
                cells::text_cell(order.metric.label()),
                cells::text_cell(order.higher.name_in_paper()),
                cells::text_cell(order.lower.name_in_paper()),
                cells::number_cell(order.printed_difference, 4),
                cells::number_cell(order.found_difference, 4),
                cells::number_cell(order.summed_deviation, 4),
                // What a part says is often the contrary of what all of it says.
                TableCell {
                    status: if !whole || order.is_reproduced() { Status::NotCompared } else { Status::Differs },
                    ..cells::text_cell(if whole { words } else { "–" })
                },
            ]
        })
        .collect();
    let columns = parse_columns(
        "metric | higher in print | than | >printed difference | >difference here | >summed spreads | \
         order",
    );
    let reversed: Vec<String> = found
        .iter()
        .filter(|order| !order.is_reproduced())
        .map(|order| {
            format!("{} of {} and {}", order.metric.label(), order.higher.name_in_paper(), order.lower.name_in_paper())
        })
        .collect();
    let summary = match (report.is_complete(), reversed.is_empty()) {
        (false, _) => headline(report),
        (true, true) => format!("All {clear} clear orders come out."),
        (true, false) => format!("Reversed: {}.", join_with_and(&reversed)),
    };
    let architectures = Architecture::ALL.len();
    let pairs = SynthMetric::ALL.len() * architectures * (architectures - 1) / 2;
    let caption = format!(
        "An order of two architectures is clear where the printed means differ by three summed standard deviations or more: {clear} of {pairs}. {}",
        describe_source(report)
    );
    let said = [summary, caption];
    cells::table_chart("synth-orders", "Which printed orders come out", said, columns, rows)
}

/// Every number.
fn scores_table(report: &Report) -> Chart {
    let printed = report.settings.printed_table();
    let metrics = SynthMetric::ALL.map(|metric| {
        let short = match metric {
            SynthMetric::Uniqueness => "uniq.",
            SynthMetric::ExplainedVariance => "expl. var.",
            SynthMetric::F1 | SynthMetric::Mcc => metric.label(),
        };
        format!(">{short} | >{short} ~ printed")
    });
    let columns =
        parse_columns(&format!("architecture | {} | >L0 | >precision | >recall | >dead", metrics.join(" | ")));
    let number = |spread: Option<SeedStatistics>, decimals: usize| {
        let deviation = spread.and_then(|spread| spread.deviation);
        TableCell {
            detail: deviation.map(|deviation| format!("± {}", fixed(deviation, decimals))),
            ..cells::number_cell(spread.map(|spread| spread.mean), decimals)
        }
    };
    let row = |subject: Subject| {
        let of = |what: &dyn Fn(&SynthScores) -> f64, decimals| number(report.seed_statistics(subject, what), decimals);
        let mut row = vec![cells::text_cell(subject.label())];
        for metric in SynthMetric::ALL {
            row.push(of(&|scores| metric.value_of(scores), 3));
            row.push(match subject {
                Subject::Untrained => cells::text_cell("–"),
                Subject::Trained(architecture) => {
                    let cell = printed.cell(architecture, metric);
                    TableCell {
                        detail: Some(format!("± {}", fixed(cell.deviation, 4))),
                        ..cells::number_cell(cell.mean, 4)
                    }
                }
            });
        }
        row.push(of(&|scores| scores.l0, 2));
        row.push(of(&|scores| scores.precision, 3));
        row.push(of(&|scores| scores.recall, 3));
        row.push(of(&|scores| scores.dead as f64, 1));
        row
    };
    let rows = Subject::ALL.map(row).to_vec();
    let caption = format!(
        "Means ± standard deviations over seeds. The sizes differ, so that values are not to be compared, only their orders. {}",
        describe_source(report)
    );
    cells::table_chart("synth-table", "All numbers", [headline(report), caption], columns, rows)
}
