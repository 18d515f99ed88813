//! The toy model.

use super::super::claims::describe_directions;
use super::super::metric::{Direction, direction, pur, random_mui};
use super::super::report::CheckpointMeasurement;
use super::{MuiSource, describe_law, law_cells, law_series, new_datum, path_series, performance_chart};
use crate::plot::cells::{number_cell, parse_columns, table_chart, text_cell};
use crate::plot::format::{fixed, format_grouped, format_with_noun};
use crate::plot::{Axis, Chart, ChartBody, ColourRole, Datum, Lines, Marker, Series, Stroke, TableCell, y_values};
use crate::statistics::LogFit;
use crate::synthetic::language::Task;

/// Neurons of a layer of the toy model.
pub(super) const TOY_LAYER_WIDTH: usize = 192;

/// The checkpoints of the one training that was shipped, by their steps; without the untrained one, whose
/// accuracies are chance or nothing.
fn trained_checkpoints<'a>(source: &MuiSource<'a>) -> Vec<(u32, &'a CheckpointMeasurement)> {
    let all = source.report.checkpoints.iter();
    all.filter_map(|found| Some((found.steps()?, found))).filter(|(steps, _)| *steps > 0).collect()
}

pub(super) fn not_measured_chart(id: &str, title: &str) -> Chart {
    empty_chart(id, title, ["Nothing is measured yet.", "nothing is measured yet"])
}

/// A figure without numbers: why, as a sentence and as a cell.
pub(super) fn empty_chart(id: &str, title: &str, [sentence, words]: [&str; 2]) -> Chart {
    let words = vec![vec![text_cell(words)]];
    table_chart(id, title, [sentence.to_owned(), String::new()], parse_columns(""), words)
}

pub(super) fn tasks_chart(source: &MuiSource<'_>) -> Chart {
    let settings = &source.report.settings;
    let title = format!("Every task at {}", settings.checkpoint);
    let Some(found) = source.report.selected_checkpoint() else {
        return not_measured_chart("mui-tasks", &title);
    };
    let rows: Vec<Vec<TableCell>> = found
        .tasks
        .iter()
        .map(|task| {
            let (performance, index) = task.to_percent();
            vec![
                text_cell(&*task.task),
                number_cell(Some(performance), 1),
                number_cell(Some(index), 1),
                number_cell(Some(100.0 * task.mui_correct), 1),
                number_cell(pur(performance, index, settings.alpha).ok(), 1),
            ]
        })
        .collect();
    let least = found.tasks.iter().min_by(|a, b| a.mui.total_cmp(&b.mui));
    let most = found.tasks.iter().max_by(|a, b| a.mui.total_cmp(&b.mui));
    let summary = match (least, most) {
        (Some(least), Some(most)) => format!(
            "{}, {} a task: the index goes from {} % ({}) to {} % ({}).",
            settings.checkpoint,
            format_with_noun(settings.prompts, "prompt"),
            fixed(100.0 * least.mui, 1),
            least.task,
            fixed(100.0 * most.mui, 1),
            most.task
        ),
        _ => String::new(),
    };
    let caption = "Shares of the toy model’s 576 neurons that some answer uses, in percent; beside it of the right \
                   answers alone, which are fewer unless all are right."
        .to_owned();
    let columns = parse_columns("task | >accuracy (%) | >MUI (%) | >MUI, right answers (%) | >PUR");
    table_chart("mui-tasks", &title, [summary, caption], columns, rows)
}

/// Performance and index of a task along the training.
fn task_path(source: &MuiSource<'_>, task: &str) -> Vec<(u32, (f64, f64))> {
    let each = trained_checkpoints(source).into_iter();
    each.filter_map(|(steps, found)| Some((steps, found.task(task)?.to_percent()))).collect()
}

/// Why no law can be fitted.
pub(super) fn describe_unfitted(points: &[(u32, (f64, f64))]) -> &'static str {
    if points.iter().any(|(_, pair)| pair.0 <= 0.0) {
        "no law can be fitted, since an accuracy of 0 has no logarithm"
    } else {
        "no law can be fitted, since the accuracies do not differ"
    }
}

fn fit_law(points: &[(u32, (f64, f64))]) -> Option<LogFit> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(_, pair)| *pair).unzip();
    LogFit::fit(&x, &y).ok()
}

pub(super) fn path_chart(source: &MuiSource<'_>) -> Chart {
    let settings = &source.report.settings;
    let title = format!("The path of {} through its training", settings.task);
    let points = task_path(source, &settings.task);
    if points.is_empty() {
        return not_measured_chart("mui-path", &title);
    }
    let fit = fit_law(&points);
    let least = points.iter().map(|(_, pair)| pair.0).fold(100.0, f64::min);
    let mut series = Vec::new();
    if let Some(fit) = &fit {
        series.push(law_series(fit, least.max(0.5)));
    }
    let named = |(steps, pair): &(u32, (f64, f64))| {
        new_datum(&format!("after {} steps", format_grouped(*steps as usize)), *pair)
    };
    let all: Vec<Datum> = points.iter().map(named).collect();
    series.extend(path_series(["the first", "checkpoints", "the last"], all));
    let said = fit.as_ref().map_or_else(|| describe_unfitted(&points).to_owned(), describe_law);
    let summary = format!("{} over {}: {said}.", settings.task, format_with_noun(points.len(), "checkpoint"));
    let caption = format!(
        "Accuracy and index after ever more steps of the one training that was shipped, {} a checkpoint. Checkpoints of \
         one training are not independent of each other, so that a band around their law is too narrow. The untrained \
         one is left out.",
        format_with_noun(settings.prompts, "prompt")
    );
    performance_chart("mui-path", &title, [summary, caption], series, true)
}

/// What a law over checkpoints says of the paper's.
fn describe_verdict(fit: Option<&LogFit>) -> &'static str {
    match fit.and_then(|fit| Some((fit.line().slope(), fit.line().p()?))) {
        Some((slope, p)) if p < 0.05 && slope < 0.0 => "holds here",
        Some((_, p)) if p < 0.05 => "does not: it rises",
        _ => "inconclusive",
    }
}

pub(super) fn laws_table(source: &MuiSource<'_>) -> Chart {
    let title = "The law, task by task";
    if trained_checkpoints(source).is_empty() {
        return not_measured_chart("mui-model-laws", title);
    }
    let mut counts = [0; 3];
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    for task in Task::ALL {
        let points = task_path(source, task.name());
        let fit = fit_law(&points);
        let words = describe_verdict(fit.as_ref());
        counts[match words {
            "holds here" => 0,
            "does not: it rises" => 1,
            _ => 2,
        }] += 1;
        // Where the task is done perfectly, what the index still does.
        let done: Vec<f64> = points.iter().filter(|(_, pair)| pair.0 >= 100.0).map(|(_, pair)| pair.1).collect();
        let later = match (done.first(), done.last()) {
            (Some(first), Some(last)) if done.len() > 1 => {
                text_cell(format!("{} → {}", fixed(*first, 1), fixed(*last, 1)))
            }
            _ => text_cell("–"),
        };
        let mut row = vec![text_cell(task.name()), text_cell(points.len().to_string())];
        row.extend(law_cells(fit.as_ref()).into_iter().take(4));
        row.push(later);
        row.push(text_cell(words));
        rows.push(row);
    }
    let [holds, rises, open] = counts;
    let summary = format!(
        "Over the checkpoints of one training the index falls with the logarithm of the accuracy, as the law says, in \
         {holds} of {} tasks; in {rises} it rises, in {open} it is inconclusive.",
        Task::ALL.len()
    );
    let caption = "Each over the checkpoints of the one training that was shipped, which are not independent; p is \
                   uncorrected. The last but one column has the index from the first to the last checkpoint at which \
                   the task is done perfectly: what the law, which knows only the performance, cannot see."
        .to_owned();
    let columns = parse_columns("task | >checkpoints | >A | >B | >r | >p | >MUI at P = 100 | the law");
    table_chart("mui-model-laws", title, [summary, caption], columns, rows)
}

pub(super) fn steps_table(source: &MuiSource<'_>) -> Chart {
    let title = "Directions of the training";
    let all = trained_checkpoints(source);
    if all.len() < 2 {
        return not_measured_chart("mui-model-steps", title);
    }
    let mut directions = Vec::new();
    let mut rows: Vec<Vec<TableCell>> = Vec::new();
    for pair in all.windows(2) {
        let [(from, before), (to, after)] = pair else { continue };
        let mut row = vec![text_cell(format!("{} → {}", format_grouped(*from as usize), format_grouped(*to as usize)))];
        for task in Task::ALL {
            let ends = before.task(task.name()).zip(after.task(task.name()));
            let found = ends.and_then(|(a, b)| direction(a.to_percent(), b.to_percent()).ok());
            directions.extend(found);
            row.push(text_cell(found.map_or("–", Direction::name)));
        }
        rows.push(row);
    }
    let summary = format!("From checkpoint to checkpoint, over all tasks: {}.", describe_directions(directions));
    let caption = "Undetermined where accuracy or index is the same before and after, as the accuracy is once a task \
                   is done perfectly."
        .to_owned();
    let columns = parse_columns(&format!("steps | {}", Task::ALL.map(Task::name).join(" | ")));
    table_chart("mui-model-steps", title, [summary, caption], columns, rows)
}

pub(super) fn growth_chart(source: &MuiSource<'_>) -> Chart {
    let settings = &source.report.settings;
    let title = "The index grows with the number of answers";
    let Some(found) = &source.report.growth else { return not_measured_chart("mui-growth", title) };
    let curve = |name: String, values: &[f64], stroke, role| {
        let points = values.iter().enumerate().map(|(at, value)| Datum {
            x: (at + 1) as f64,
            y: 100.0 * value,
            label: format_with_noun(at + 1, "answer"),
        });
        Series::new(&name, role, stroke, Marker::None, points.collect())
    };
    let most = found.task.len();
    let mixed = &found.mixed[..most.min(found.mixed.len())];
    let mut curves = vec![
        curve(format!("{} alone", settings.task), &found.task, Stroke::Strong, ColourRole::Score),
        curve("all tasks in turn".to_owned(), mixed, Stroke::Solid, ColourRole::Extra),
    ];
    let by_number = settings.threshold == "topk";
    if by_number {
        let lot: Vec<f64> = (1..=most).map(|answers| random_mui(settings.k, TOY_LAYER_WIDTH, answers)).collect();
        curves.push(curve("random baseline".to_owned(), &lot, Stroke::Dotted, ColourRole::Neutral));
    }
    let last = |values: &[f64]| values.last().map_or(0.0, |value| 100.0 * value);
    let lot = if by_number {
        format!("; random neurons would come to {} %", fixed(100.0 * random_mui(settings.k, TOY_LAYER_WIDTH, most), 1))
    } else {
        String::new()
    };
    let summary = format!(
        "After {}: {} % of {} alone, {} % of all tasks in turn{lot}.",
        format_with_noun(most, "answer"),
        fixed(last(&found.task), 1),
        settings.task,
        fixed(last(mixed), 1)
    );
    let by_lot = if by_number {
        " Random baseline: every answer draws its neurons at random, 1 − (1 − k/N)ᵀ."
    } else {
        ""
    };
    let caption = format!(
        "A union cannot shrink: with more answers the index rises or stays, whatever the model can do. Indices are \
         comparable only over equally many answers.{by_lot}"
    );
    let highest = y_values(&curves).fold(0.0, f64::max);
    let x = Axis::from_zero("answers", most as f64).with_symbol("T");
    let y = Axis::from_zero("MUI (%)", highest).with_symbol("MUI");
    let body = ChartBody::Lines(Lines::curves_only(x, y, curves));
    Chart::new("mui-growth", title, summary, caption, body)
}
