//! SynthSAEBench's figures: every number over seeds beside the printed one, and which printed orders came out.

use super::job::Subject;
use super::printed::SynthMetric;
use super::report::{Report, Spread};
use super::settings::BATCH;
use crate::plot::cells::{self, columns};
use crate::plot::format::{capitalised, counted, fixed, grouped, listed, unfinished};
use crate::plot::{Axis, Body, Chart, DotRow, Dots, Marker, Role, Status, TableCell};
use crate::sae::sae_lens_trainer::Architecture;
use crate::sae::synth_sae_bench::SynthScores;
use crate::study::{FigureSpec, of_lab};

type Build = fn(&&Report) -> Chart;

/// The figures of SynthSAEBench.
#[rustfmt::skip]
pub const FIGURES: &[FigureSpec<Build>] = &[
    of_lab("synth-f1", "synth-scores", |report| dots(report, SynthMetric::F1)),
    of_lab("synth-mcc", "synth-scores", |report| dots(report, SynthMetric::Mcc)),
    of_lab("synth-uniqueness", "synth-scores", |report| dots(report, SynthMetric::Uniqueness)),
    of_lab("synth-explained-variance", "synth-scores", |report| dots(report, SynthMetric::ExplainedVariance)),
    of_lab("synth-orders", "synth-compared", |report| orders(report)),
    of_lab("synth-table", "synth-compared", |report| table(report)),
];

/// The run in a sentence or two; of a part without a verdict.
#[must_use]
pub fn headline(report: &Report) -> String {
    if let Some(said) = unfinished(report.done(), "autoencoders") {
        return said;
    }
    let orders = report.orders();
    let kept = orders.iter().filter(|order| order.kept()).count();
    let (features, l0) = (report.settings.features, report.settings.printed().l0);
    let beyond = match report.settings.seeds {
        1 => String::new(),
        seeds => {
            let sure = |kept: bool| {
                orders.iter().filter(|order| order.beyond_spread() && order.kept() == kept).count()
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

fn id_of(metric: SynthMetric) -> &'static str {
    match metric {
        SynthMetric::F1 => "synth-f1",
        SynthMetric::Mcc => "synth-mcc",
        SynthMetric::Uniqueness => "synth-uniqueness",
        SynthMetric::ExplainedVariance => "synth-explained-variance",
    }
}

/// What all figures say of where the numbers are from.
fn source(report: &Report) -> String {
    let settings = &report.settings;
    format!(
        "Here: {} features in {} dimensions, {} latents, k = {}, {} training samples, {} evaluated rows. Printed: 16,384 features in 768 dimensions, 4,096 latents, L0 = {}, 200 million samples, 5 seeds.",
        grouped(settings.features),
        grouped(settings.dimensions),
        grouped(settings.latents()),
        settings.k,
        grouped(settings.steps() as usize * BATCH),
        grouped(settings.evaluated),
        settings.printed().l0,
    )
}

/// One number of every subject over seeds, and the printed one below each.
fn dots(report: &Report, metric: SynthMetric) -> Chart {
    let printed = report.settings.printed();
    let mut rows = Vec::new();
    let mut best: Option<(f64, &str)> = None;
    for subject in Subject::ALL {
        let Some(found) = report.spread(subject, &|scores| metric.of(scores)) else { continue };
        let half = found.deviation.unwrap_or_default();
        let trained = matches!(subject, Subject::Trained(_));
        if trained && best.is_none_or(|(most, _)| found.mean > most) {
            best = Some((found.mean, subject.label()));
        }
        let spread = (found.mean - half, found.mean + half);
        let mut row = DotRow::of_subject(subject.label(), trained, found.mean, spread);
        if trained {
            row.detail = Some(counted(found.seeds, "seed"));
        }
        rows.push(row);
        if let Subject::Trained(architecture) = subject {
            let cell = printed.cell(architecture, metric);
            rows.push(DotRow {
                label: format!("{}, printed", architecture.printed()),
                detail: None,
                role: Role::Neutral,
                marker: Marker::OpenCircle,
                value: cell.mean,
                spread: (cell.mean - cell.deviation, cell.mean + cell.deviation),
            });
        }
    }
    let label = metric.label();
    let title = match best.filter(|_| report.is_whole()) {
        Some((_, name)) => {
            format!("{}: {name} is highest", capitalised(label))
        }
        None => capitalised(label),
    };
    let summary = match best {
        Some(_) if !report.is_whole() => headline(report),
        Some((value, name)) => format!("{label} is highest with {name}: {}.", fixed(value, 3)),
        None => format!("{label}: nothing is trained yet."),
    };
    let caption = format!(
        "Means over seeds; bars reach a standard deviation to both sides. {}",
        source(report)
    );
    let most = rows.iter().map(|row| row.spread.1).fold(0.0, f64::max);
    let body = Dots {
        rows_title: "architecture".to_owned(),
        spread_title: "a standard deviation to both sides".to_owned(),
        x: Axis::from_zero(label, most).with_symbol(label),
        rows,
    };
    Chart::new(id_of(metric), &title, summary, caption, Body::Dots(body))
}

/// Every clear order of the printed table.
fn orders(report: &Report) -> Chart {
    let (found, whole) = (report.orders(), report.is_whole());
    let clear = report.settings.printed().clear().len();
    let rows = found
        .iter()
        .map(|order| {
            let word = match (order.kept(), order.beyond_spread()) {
                (true, true) => "as printed",
                (true, false) => "as printed, within the spread",
                (false, true) => "reversed",
                (false, false) => "reversed, within the spread",
            };
            let words = if order.spread.is_none() {
                if order.kept() { "as printed" } else { "reversed" }
            } else {
                word
            };
            vec![
                cells::text(order.metric.label()),
                cells::text(order.higher.printed()),
                cells::text(order.lower.printed()),
                cells::number(order.printed, 4),
                cells::number(order.found, 4),
                cells::number(order.spread, 4),
                // What a part says is often the contrary of what all of it says.
                TableCell {
                    status: if !whole || order.kept() {
                        Status::NotCompared
                    } else {
                        Status::Differs
                    },
                    ..cells::text(if whole { words } else { "–" })
                },
            ]
        })
        .collect();
    let columns = columns(
        "metric | higher in print | than | >printed difference | >difference here | >summed spreads | \
         order",
    );
    let reversed: Vec<String> = found
        .iter()
        .filter(|order| !order.kept())
        .map(|order| {
            format!(
                "{} of {} and {}",
                order.metric.label(),
                order.higher.printed(),
                order.lower.printed()
            )
        })
        .collect();
    let summary = match (report.is_whole(), reversed.is_empty()) {
        (false, _) => headline(report),
        (true, true) => format!("All {clear} clear orders come out."),
        (true, false) => format!("Reversed: {}.", listed(&reversed)),
    };
    let architectures = Architecture::ALL.len();
    let pairs = SynthMetric::ALL.len() * architectures * (architectures - 1) / 2;
    let caption = format!(
        "An order of two architectures is clear where the printed means differ by three summed standard deviations or more: {clear} of {pairs}. {}",
        source(report)
    );
    let said = [summary, caption];
    cells::table("synth-orders", "Which printed orders come out", said, columns, rows)
}

/// Every number.
fn table(report: &Report) -> Chart {
    let printed = report.settings.printed();
    let metrics = SynthMetric::ALL.map(|metric| {
        let short = match metric {
            SynthMetric::Uniqueness => "uniq.",
            SynthMetric::ExplainedVariance => "expl. var.",
            SynthMetric::F1 | SynthMetric::Mcc => metric.label(),
        };
        format!(">{short} | >{short} ~ printed")
    });
    let columns = columns(&format!(
        "architecture | {} | >L0 | >precision | >recall | >dead",
        metrics.join(" | ")
    ));
    let number = |spread: Option<Spread>, decimals: usize| {
        let deviation = spread.and_then(|spread| spread.deviation);
        TableCell {
            detail: deviation.map(|deviation| format!("± {}", fixed(deviation, decimals))),
            ..cells::number(spread.map(|spread| spread.mean), decimals)
        }
    };
    let row = |subject: Subject| {
        let of = |what: &dyn Fn(&SynthScores) -> f64, decimals| {
            number(report.spread(subject, what), decimals)
        };
        let mut row = vec![cells::text(subject.label())];
        for metric in SynthMetric::ALL {
            row.push(of(&|scores| metric.of(scores), 3));
            row.push(match subject {
                Subject::Untrained => cells::text("–"),
                Subject::Trained(architecture) => {
                    let cell = printed.cell(architecture, metric);
                    TableCell {
                        detail: Some(format!("± {}", fixed(cell.deviation, 4))),
                        ..cells::number(cell.mean, 4)
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
        source(report)
    );
    cells::table("synth-table", "All numbers", [headline(report), caption], columns, rows)
}
